"""How the randomizers of a deal are turned up so that wishes hold: the true deal on condition that they do.

Each next card comes up with a chance in proportion to its weight. To turn up again and again until the wishes
hold is exact; where they seldom do, the chance that they will hold is worked out for every number of cards of
each heap that may be out, and each next card is drawn with the chance that it then has. Cards that can no
longer be used, because enough landscapes are out, change no chance of the others, and are drawn between them.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm, prod
from operator import itemgetter
from typing import Literal, NamedTuple, Protocol

from randomizer.cards.effect import Settings
from randomizer.cards.model import Amount, Card, Query
from randomizer.deal.counting import (
    Goals,
    State,
    WayCounter,
    WorkLimitExceeded,
    reduce_weights,
    weighted_index,
)

MAX_STATES = 6_000  # numbers of cards of each heap, of which that many take a third of a second
MAX_OUTCOMES = 30_000  # the same in the end, with the heap of a card, of which that many take ten seconds


class TurnUpRules(Protocol):
    """How a game turns its randomizers up, as the verb says that does it."""

    @property
    def is_(self) -> Query:
        """Which cards are Kingdom cards."""

    @property
    def count_(self) -> int:
        """How many of them are turned up."""

    @property
    def landscapes(self) -> Query:
        """Which cards are landscapes, shuffled in with them."""

    @property
    def most(self) -> Amount:
        """How many landscapes are used at most."""

    @property
    def limits(self) -> Sequence[tuple[str, Amount]]:
        """Of which kinds fewer are used."""


class Stratum(NamedTuple):
    """Cards that are used alike: Kingdom cards, or landscapes with the same limit.

    Attributes:
        weight: that of each card; 1 where theirs differ.
        least: how much so many of the cards weigh at least: none, one, and so on.
    """

    is_kingdom: bool
    limited_kind: str
    weight: int
    cards: tuple[Card, ...]
    min_weights: tuple[int, ...]


class TurnUpOrder(NamedTuple):
    """What is turned up, in order: from the randomizers, and from a deck of landscapes."""

    randomizers: list[Card]
    landscapes: list[Card]


class Turning:
    """The ways in which randomizers can be turned up.

    Args:
        kingdom: the Kingdom cards to turn up ...
        landscapes: ... and the landscapes, all that are unused.
        turn_up: how the game turns them up.
        settings: what was said of its open options.
        weights: by name, how readily a card comes up where that is not 1.
        goals: what is wished for.
        begun: by counter, how many cards count for it before any is turned up.
        mixed: weights part no heaps. What `chance` tells is then not the chance, but 0 only where that is.
    """

    def __init__(
        self,
        kingdom: Sequence[Card],
        landscapes: Sequence[Card],
        turn_up: TurnUpRules,
        settings: Settings,
        weights: Mapping[str, Fraction],
        goals: Goals,
        begun: Sequence[int] = (),
        *,
        mixed: bool = False,
    ) -> None:
        self.count = turn_up.count_
        self.most = turn_up.most.resolve(settings) or 0
        self.goals = goals
        self.apart = settings.get("landscapes_from") == "deck"
        self._limits = {str(kind): amount.resolve(settings) or 0 for kind, amount in turn_up.limits}
        whole = lcm(*(weight.denominator for weight in weights.values()))
        self._weights: dict[str, int] = {}
        heaps: dict[tuple[bool, str, int], list[Card]] = {}
        for inside, cards in ((False, landscapes if self.most else ()), (True, kingdom)):
            for card in cards:
                limited = card.kind if card.kind in self._limits and not inside else ""
                weight = self._weights[card.name] = int(weights.get(card.name, Fraction(1)) * whole)
                heaps.setdefault((inside, limited, 1 if mixed else weight), []).append(card)
        self.strata = [self._heap(*key, cards) for key, cards in sorted(heaps.items())]
        self.start: State = (0,) * len(self.strata)
        self.counting = WayCounter(
            [heap.cards for heap in self.strata], goals, begun, self._weights if mixed else {}
        )
        self._mixed = mixed
        self._begun = begun
        self._chances: dict[State, Fraction] = {}
        self._known: dict[int, bool | None] = {}
        self._parts: dict[State, Sequence[int]] = {}
        self._nexts: dict[State, tuple[Sequence[int], Sequence[int]]] = {}
        self._steps: dict[State, Sequence[tuple[int, int, State | None]]] = {}

    def _heap(self, kingdom: bool, limited: str, weight: int, cards: Sequence[Card]) -> Stratum:
        light = sorted(self._weights[card.name] for card in cards)
        return Stratum(kingdom, limited, weight, tuple(cards), tuple(accumulate(light, initial=0)))

    # ── Again and again ──

    def tried(self, below: Callable[[int], int]) -> TurnUpOrder | None:
        """What is turned up without looking at the wishes, if they hold then; no heap may be mixed."""
        left = [list(heap.cards) for heap in self.strata]
        order, used, state = TurnUpOrder([], []), [], self.start
        while step := self._step(state):
            shares = [weight * len(left[place]) for place, weight, _ in step]
            rest = below(sum(shares))
            for (place, weight, after), share in zip(step, shares, strict=True):  # noqa: B007
                if rest < share:
                    break
                rest -= share
            cards, at = left[place], rest // weight
            card, cards[at] = cards[at], cards[-1]
            cards.pop()
            self._shelf(order, place).append(card)
            if after:
                used.append(card.name)
                state = after
        return order if self._met(used) else None

    def _step(self, state: State) -> Sequence[tuple[int, int, State | None]]:
        """What may come up next: of which heap, of which weight, and what is then used if it is used."""
        if state not in self._steps:
            open_, closed = ((), ()) if self._done(state) else self._next(state)
            self._steps[state] = [
                *((place, self.strata[place].weight, _one_more(state, place)) for place in open_),
                *((place, self.strata[place].weight, None) for place in closed),
            ]
        return self._steps[state]

    def _met(self, used: Sequence[str]) -> bool:
        counts = list(self._begun) or [0] * len(self.goals.counters)
        for place, counter in enumerate(self.goals.counters):
            counts[place] += sum([name in counter for name in used])
        return all(goal.is_met(counts) for goal in self.goals.goals)

    # ── By counting ──

    def get_probability(self, state: State | None = None) -> Fraction:
        """The chance that the wishes hold in the end, once so many cards of each heap are used.

        Raises:
            TooManySorts: it takes too long to count.
        """
        state = self.start if state is None else state
        if state not in self._chances:
            if len(self._chances) >= MAX_STATES:
                raise WorkLimitExceeded
            self._chances[state] = self._chance(state)
        return self._chances[state]

    def is_possible(self, work: int) -> bool | None:
        """Whether the wishes may hold; None if that takes more numbers to keep than `work`.

        What was found is kept, so that it does not depend on what else has been counted since.
        """
        if work not in self._known:
            self.counting.work = work
            try:
                self._known[work] = bool(self.get_probability())
            except WorkLimitExceeded:
                self._known[work] = None
        return self._known[work]

    def _chance(self, state: State) -> Fraction:
        if self._done(state):
            weight = prod(heap.weight**many for heap, many in zip(self.strata, state, strict=True))
            return Fraction(self.counting.count_ways(state) * weight)
        open_ = self._next(state)[0]
        total = sum(self._least(place, state) for place in open_)
        return sum(self._onward(state), Fraction(0)) / total if total else Fraction(0)

    def _onward(self, state: State) -> list[Fraction]:
        """For each heap of which the next card may be used, how likely that is and the wishes then hold."""
        # Of the cards of a heap that are used in the end, any may have come up as any.
        return [
            (state[place] + 1) * self.get_probability(_one_more(state, place))
            if state[place] < len(self.strata[place].cards)
            else Fraction(0)
            for place in self._next(state)[0]
        ]

    def drawn(self, below: Callable[[int], int]) -> TurnUpOrder | None:
        """What is turned up, given that the wishes hold; there has to be a chance that they do.

        Returns:
            Nothing if it is to be drawn anew, as may be where heaps are mixed.

        Raises:
            TooManySorts: it takes too long to count.
        """
        places, state = [], self.start
        while not self._done(state):
            places.append(self._next(state)[0][weighted_index(self._shares(state), below)])
            state = _one_more(state, places[-1])
        drawn = self.counting.sample(state, below)
        used = [drawn[place].pop(below(len(drawn[place]))) for place in places]
        return self._with_skipped(places, used, below) if self._kept(places, used, below) else None

    def _shares(self, state: State) -> Sequence[int]:
        """How likely the next card that is used is of each heap that it may be of, given the wishes."""
        if state not in self._parts:
            chances = self._onward(state)
            whole = lcm(*(chance.denominator for chance in chances))
            self._parts[state] = reduce_weights([int(chance * whole) for chance in chances])
        return self._parts[state]

    def _kept(self, places: Sequence[int], used: Sequence[Card], below: Callable[[int], int]) -> bool:
        """Whether to keep what was drawn: surely, or as much more seldom as it was drawn too readily."""
        if not self._mixed:
            return True
        kept = whole = 1
        state, gone = self.start, [0] * len(self.strata)
        for place, card in zip(places, used, strict=True):
            open_ = self._next(state)[0]
            kept *= sum(self._least(other, state) for other in open_)
            whole *= sum(self._whole(other) - gone[other] for other in open_)
            gone[place] += self._weights[card.name]
            state = _one_more(state, place)
        return weighted_index([kept, whole - kept], below) == 0

    def _with_skipped(
        self, places: Sequence[int], used: Sequence[Card], below: Callable[[int], int]
    ) -> TurnUpOrder:
        """The cards that are used, with those between them that come up and are not."""
        order, state, gone = TurnUpOrder([], []), self.start, [0] * len(self.strata)
        out = {card.name for card in used}
        for place, card in zip(places, used, strict=True):
            open_, closed = self._next(state)
            if closed:
                sure = sum(self._whole(other) - gone[other] for other in open_)
                while at := weighted_index(
                    [sure, *(self._whole(other) - gone[other] for other in closed)], below
                ):
                    heap = closed[at - 1]
                    left = [other for other in self.strata[heap].cards if other.name not in out]
                    skipped = left[weighted_index([self._weights[other.name] for other in left], below)]
                    self._shelf(order, heap).append(skipped)
                    out.add(skipped.name)
                    gone[heap] += self._weights[skipped.name]
            self._shelf(order, place).append(card)
            gone[place] += self._weights[card.name]
            state = _one_more(state, place)
        return order

    def get_outcomes(
        self, looked_at: Literal["first", "last"], most: int = MAX_OUTCOMES
    ) -> Mapping[tuple[State, int], Fraction]:
        """How turning up may end, with the chance of each end, without looking at the wishes.

        Args:
            looked_at: whether the first or the last Kingdom card is looked at.
            most: more ends are too many.

        Returns:
            By how many cards of each heap are used, and from which heap the card is that is looked at.

        Raises:
            TooManySorts: it takes too long to count.
        """
        if self._fewest_ends() > most:
            raise WorkLimitExceeded(len(self.strata))
        ends: dict[tuple[State, int], Fraction] = {}
        now = {(self.start, -1): Fraction(1)}
        while now:
            after: dict[tuple[State, int], Fraction] = {}
            for (state, seen), chance in now.items():
                if self._done(state):
                    ends[state, seen] = chance
                    continue
                shares = {place: self._left(place, state) for place in self._next(state)[0]}
                part = chance / sum(shares.values())
                for place, share in filter(itemgetter(1), shares.items()):
                    look = self.strata[place].is_kingdom and (seen < 0 or looked_at == "last")
                    key = _one_more(state, place), place if look else seen
                    after[key] = after.get(key, Fraction(0)) + part * share
            if len(after) > most:
                raise WorkLimitExceeded(len(self.strata))
            now = after
        return ends

    def _fewest_ends(self) -> int:
        """How many ends there are besides what landscapes add, which takes no time to tell."""
        sizes = [len(heap.cards) for heap in self.strata if heap.is_kingdom]
        found = 0
        for looked_at in range(len(sizes)):
            ways = [1, *[0] * (self.count - 1)]  # by the number of the other cards, how they are of the heaps
            for place, size in enumerate(sizes):
                most = size - (place == looked_at)
                ways = [sum(ways[max(0, many - most) : many + 1]) for many in range(self.count)]
            found += ways[-1]
        return found

    # ── What may come up next ──

    def _left(self, place: int, state: State) -> int:
        """The weight of the cards of a heap that are not used; it may not be mixed."""
        heap = self.strata[place]
        return heap.weight * (len(heap.cards) - state[place])

    def _least(self, place: int, state: State) -> int:
        """How much they weigh at least, whichever cards of the heap are used."""
        return self.strata[place].min_weights[len(self.strata[place].cards) - state[place]]

    def _whole(self, place: int) -> int:
        """The weight of all cards of a heap."""
        return self.strata[place].min_weights[-1]

    def _done(self, state: State) -> bool:
        """Whether enough Kingdom cards are out."""
        return (
            sum([many for heap, many in zip(self.strata, state, strict=True) if heap.is_kingdom])
            == self.count
        )

    def _next(self, state: State) -> tuple[Sequence[int], Sequence[int]]:
        """The heaps of which the next card would be used, and those of which it would be skipped."""
        if state not in self._nexts:
            self._nexts[state] = self._found_next(state)
        return self._nexts[state]

    def _found_next(self, state: State) -> tuple[Sequence[int], Sequence[int]]:
        """The same, worked out (setup rules A6-A8, A10)."""
        landscapes, limited = 0, dict.fromkeys(self._limits, 0)
        for heap, many in zip(self.strata, state, strict=True):
            if not heap.is_kingdom:
                landscapes += many
                if heap.limited_kind:
                    limited[heap.limited_kind] += many
        more = landscapes < self.most
        if self.apart and not more:
            return [place for place, heap in enumerate(self.strata) if heap.is_kingdom], ()
        open_, closed = [], []
        for place, heap in enumerate(self.strata):
            if heap.is_kingdom:
                open_ += [] if self.apart else [place]
            elif more and (
                not heap.limited_kind or limited[heap.limited_kind] < self._limits[heap.limited_kind]
            ):
                open_.append(place)
            else:
                closed.append(place)
        return open_, closed

    def _shelf(self, order: TurnUpOrder, place: int) -> list[Card]:
        """Where a card of this heap is turned up."""
        return order.landscapes if self.apart and not self.strata[place].is_kingdom else order.randomizers


def _one_more(state: State, place: int) -> State:
    return (*state[:place], state[place] + 1, *state[place + 1 :])
