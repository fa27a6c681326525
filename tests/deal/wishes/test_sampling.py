"""Tests of both samplers against an enumeration of all orders of small decks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, Literal, NamedTuple

import pytest

from randomizer.cards.model import Amount, Card, KindName, Query
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes import counting, sampling
from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.deal.wishes.goals import Goal, Goals
from randomizer.deal.wishes.outcomes import get_outcomes
from randomizer.deal.wishes.rejection import RejectionSampler
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.deal.wishes.strata import Randomizers, TurnUpModel, TurnUpOrder
from tests.support import EXAMPLE_FACTOR
from tests.support.tea import make_card

DISHES = [make_card(name) for name in ("Cake", "Pie", "Soup", "Toast")]
GUESTS = [make_card("Hare", kind="guest")]
DANCES = [make_card(name, kind="dance") for name in ("Jig", "Waltz")]
EVERY_GUEST = (*GUESTS, *DANCES)
KINDS = {one.name: one.kind for one in (*DISHES, *EVERY_GUEST)}
Law = Mapping[Any, Fraction]
EVERY: dict[str, dict[Any, Fraction]] = {}  # by the name of a deck, worked out once


class Party(NamedTuple):
    """A deal of two dishes, a limited number of landscapes, and at most one dance."""

    name: str
    guests: Sequence[Card] = EVERY_GUEST
    most: int = 2
    apart: bool = False
    weights: Mapping[str, int | Fraction] = {}
    counters: Sequence[str] = ()
    goals: Sequence[Goal] = ()

    def model(self, *, merges_weights: bool = False) -> TurnUpModel:
        turn_up = TurnUp(
            Query(kind=(KindName("dish"),)),
            Amount(2),
            most=Amount(self.most),
            limits=((KindName("dance"), Amount(1)),),
        )
        settings = {"landscapes_from": "deck"} if self.apart else {}
        weights = {name: Fraction(weight) for name, weight in self.weights.items()}
        counters = tuple(frozenset(names.split()) for names in self.counters)
        goals = Goals(counters, tuple(self.goals))
        randomizers = Randomizers(tuple(DISHES), tuple(self.guests), turn_up, settings)
        return TurnUpModel(randomizers, goals, weights, merges_weights=merges_weights)

    def conditional(self, *, merges_weights: bool = False) -> ConditionalSampler:
        return ConditionalSampler(self.model(merges_weights=merges_weights))

    # ── By looking at every order ──

    def every(self) -> Law:
        """Return the exact distribution without wishes, by the names from both decks."""
        law: dict[Any, Fraction] = EVERY.setdefault(self.name, {})
        if law:
            return law
        names = [one.name for one in DISHES]
        guests = [one.name for one in self.guests] if self.most else []
        decks = [names, guests] if self.apart else [[*names, *guests], []]
        for first, chance in self._orders(decks[0]):
            for second, also in self._orders(decks[1]):
                turned = self._until(first, lambda used: self._dishes(used) == 2)
                other = self._until(second, lambda used: len(used) == self.most)
                law[turned, other] = law.get((turned, other), Fraction(0)) + chance * also
        return law

    def given(self) -> tuple[Fraction, Law]:
        """Return the probability that the wishes are met, and the distribution given that they are."""
        law = {way: chance for way, chance in self.every().items() if self._held(way)}
        whole = sum(law.values(), Fraction(0))
        return whole, {way: chance / whole for way, chance in law.items()}

    def _orders(self, names: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        for order in permutations(names):
            chance, left = Fraction(1), sum(Fraction(self.weights.get(name, 1)) for name in names)
            for name in order:
                weight = Fraction(self.weights.get(name, 1))
                chance, left = chance * weight / left, left - weight
            yield order, chance

    def _until(self, order: Sequence[str], done: Callable[[Sequence[str]], bool]) -> tuple[str, ...]:
        for number in range(len(order) + 1):
            if done(self.used(order[:number])):
                return tuple(order[:number])
        return tuple(order)

    def used(self, order: Sequence[str]) -> list[str]:
        """Return the names that are used: a limited number of landscapes, and at most one dance."""
        used: list[str] = []
        for name in order:
            kinds = [KINDS[other] for other in used]
            landscapes = len(used) - kinds.count("dish")
            if KINDS[name] == "dish" or (
                landscapes < self.most and (KINDS[name], kinds.count("dance")) != ("dance", 1)
            ):
                used.append(name)
        return used

    def _dishes(self, used: Sequence[str]) -> int:
        return sum(KINDS[name] == "dish" for name in used)

    def _held(self, way: tuple[Sequence[str], Sequence[str]]) -> bool:
        used = [*self.used(way[0]), *self.used(way[1])]
        counts = [sum(name in names.split() for name in used) for names in self.counters]
        return all(goal.is_met(counts) for goal in self.goals)


WISHES: Mapping[str, tuple[Sequence[str], Sequence[Goal]]] = {
    "none": ((), ()),
    "a dish": (["Pie"], [Goal(0, 1, None)]),
    "two dishes": (["Pie Toast"], [Goal(0, 2, None)]),
    "a guest": (["Hare"], [Goal(0, 1, None)]),
    "a dance and a dish": (["Jig Cake"], [Goal(0, 2, None)]),
    "just one of three": (["Cake Pie Hare"], [Goal(0, 1, 1)]),
    "none of three": (["Cake Hare Waltz"], [Goal(0, 0, 0)]),
    "one if there is another": (["Soup Hare", "Cake Jig"], [Goal(0, 1, None, (1,))]),
    "one, and another if a third": (["Soup", "Cake Jig", "Hare"], [Goal(0, 1, 1), Goal(1, 1, 2, (2,))]),
    "at most one of all landscapes": (["Hare Jig Waltz"], [Goal(0, 0, 1)]),
}
DECKS = [
    Party("as it comes"),
    Party("no landscapes", most=0),
    Party("dances only", guests=DANCES),
    Party("one landscape", most=1),
    Party("a separate deck", apart=True),
    Party(
        "weights",
        guests=EVERY_GUEST if EXAMPLE_FACTOR > 1 else DANCES,
        weights={"Cake": 3, "Jig": Fraction(1, 2)},
    ),
    Party("weights in a separate deck", apart=True, weights={"Pie": 2, "Jig": 5}),
    Party("a weight for each", guests=DANCES, weights={"Cake": 3, "Pie": 2, "Soup": 4, "Jig": 2}),
]


@pytest.fixture(
    params=[(deck, wish) for deck in DECKS for wish in WISHES], ids=lambda of: f"{of[0].name}, {of[1]}"
)
def party(request: pytest.FixtureRequest) -> Party:
    deck: Party = request.param[0]
    wish: str = request.param[1]
    counters, goals = WISHES[wish]
    return deck._replace(counters=counters, goals=goals)


def law_of(draw: Callable[[Callable[[int], int]], TurnUpOrder | None], patch: pytest.MonkeyPatch) -> Law:
    """Return the exact distribution of the outcomes, by trying all random choices."""
    falls: list[tuple[int, int]] = []  # what has fallen so far, and how much of that is still to come
    law: dict[Any, Fraction] = defaultdict(Fraction)
    chance, place = Fraction(1), 0

    def fall(shares: Sequence[int]) -> int:
        nonlocal chance, place
        if place == len(falls):
            falls.append((next(at for at, share in enumerate(shares) if share), 0))
        at, _ = falls[place]
        falls[place] = at, next((later for later in range(at + 1, len(shares)) if shares[later]), -1)
        chance *= Fraction(shares[at], sum(shares))
        place += 1
        return at

    for room in (counting, sampling):
        patch.setattr(room, "weighted_index", lambda shares, below: fall(shares))
    while True:
        chance, place = Fraction(1), 0
        order = draw(lambda number: fall([1] * number))
        names = order and tuple(tuple(one.name for one in cards) for cards in order)
        law[names] += chance
        while falls and falls[-1][1] < 0:
            falls.pop()
        if not falls:
            return law
        falls[-1] = falls[-1][1], -1


class TestDistributions:
    def test_probability_matches_enumeration(self, party: Party) -> None:
        assert party.conditional().get_probability() == party.given()[0]

    def test_conditional_samples_match_enumeration(
        self, party: Party, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        chance, law = party.given()
        if chance:
            assert law_of(party.conditional().sample, monkeypatch) == law

    def test_conditional_samples_with_merged_weights_match_enumeration(
        self, party: Party, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Given that a sample is accepted, it has the right distribution."""
        chance, law = party.given()
        conditional = party.conditional(merges_weights=True)
        assert bool(conditional.get_probability()) == bool(chance)
        if chance:
            drawn = dict(law_of(conditional.sample, monkeypatch))
            kept = 1 - drawn.pop(None, Fraction(0))
            assert (kept == 1) == (not party.weights)
            assert {way: share / kept for way, share in drawn.items()} == law

    def test_rejection_samples_match_enumeration(self, party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
        """Given that an attempt succeeds, its result has the right distribution."""
        tried = dict(law_of(RejectionSampler(party.model()).attempt, monkeypatch))
        missed = tried.pop(None, Fraction(0))
        chance, law = party.given()
        assert missed == 1 - chance
        assert {way: share / chance for way, share in tried.items()} == law

    @pytest.mark.parametrize("looked_at", ["first", "last"])
    @pytest.mark.parametrize("party", DECKS, ids=lambda party: party.name)
    def test_outcomes_match_enumeration(self, party: Party, looked_at: Literal["first", "last"]) -> None:
        """An outcome is the used cards of each stratum, and the stratum of the dish that is looked at."""
        model = party.model()
        heap = {one.name: place for place, heap in enumerate(model.strata) for one in heap.cards}
        law: dict[Any, Fraction] = defaultdict(Fraction)
        for way, chance in party.every().items():
            used = [name for names in way for name in party.used(names)]
            numbers = Counter(heap[name] for name in used)
            dishes = [name for name in used if KINDS[name] == "dish"]
            seen = heap[dishes[0 if looked_at == "first" else -1]]
            law[tuple(numbers[place] for place in range(len(model.strata))), seen] += chance
        assert get_outcomes(model, looked_at) == law

    @pytest.mark.parametrize("looked_at", ["first", "last"])
    def test_too_many_outcomes_are_refused_without_enumeration(
        self, looked_at: Literal["first", "last"], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        few = Party("", most=0, weights={"Cake": 3, "Pie": 2, "Soup": 2}).model()
        ends = get_outcomes(few, looked_at)
        assert len(ends) == 7  # two cards of three heaps, and of which one is looked at
        assert get_outcomes(few, looked_at, 7) == ends
        monkeypatch.setattr(few, "get_next", None)  # without turning any card up
        with pytest.raises(WorkLimitExceeded) as problem:
            get_outcomes(few, looked_at, 6)
        assert problem.value.stratum_count == 3


def test_computation_stops_at_the_maximum_number_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the six states, three are stored when the last one is checked against the limit."""
    party = Party("two strata", guests=GUESTS)
    monkeypatch.setattr(sampling, "MAX_STATES", 4)
    assert party.conditional().get_probability() == 1
    monkeypatch.setattr(sampling, "MAX_STATES", 3)
    with pytest.raises(WorkLimitExceeded):
        party.conditional().get_probability()
