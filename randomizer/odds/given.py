"""How likely things are given wishes for the deal, exactly.

Whatever is asked is a further wish: its odds are those that it holds besides the others, of those that the
others hold. What comes by choices among the unused cards is followed from what is turned up.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, prod
from typing import Literal

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.wish import parse_wishes
from randomizer.deal.growing import Decide, list_questions
from randomizer.deal.wishes.checking import build_matcher, raise_if_impossible
from randomizer.deal.wishes.counting import WayCounter
from randomizer.deal.wishes.goals import Goal, Goals, State
from randomizer.deal.wishes.outcomes import MAX_OUTCOMES, get_outcomes
from randomizer.deal.wishes.sampling import MAX_STATES
from randomizer.odds.composing import Composing
from randomizer.odds.probabilities import MOST_WORK, Chance, Chances
from randomizer.odds.relevant import Choices
from randomizer.odds.states import States, TooMuchWork


def chances_with(game: Game, request: Request, work: int = MOST_WORK) -> Chances:
    """What a deal of all the boxes named may bring, given what is wished for; be that impossible, too.

    Raises:
        BadOptions, TooFewCards: as `Chances` does; or a card is asked for that is not turned up.
        TooManySorts: it takes too long to count.
    """
    wished = request.wishes._replace(without=())
    return GivenWishes(game, request, work) if wished else Chances(game, request, work)


class GivenWishes(Chances):
    """What a deal may bring on condition that the wishes hold.

    Attributes:
        wishes: the chance that they all hold, without looking at them ...
        each: ... and by its text, that each of them does.

    Raises:
        BadOptions, TooFewCards: as `Chances` does; or a card is asked for that is not turned up.
        TooManySorts: it takes too long to count.
    """

    def __init__(self, game: Game, request: Request, work: int = MOST_WORK) -> None:
        super().__init__(game, request, work)
        asked = parse_wishes(game, request.wishes)
        sought = build_matcher(game, request, self._turn_up)
        turning = sought.build_model(asked.cards, asked.wants, asked.weights)
        self._heaps = turning.strata
        self._goals = turning.goals
        most = max(MAX_STATES, MAX_OUTCOMES * work // MOST_WORK)
        self._ends = {looked_at: get_outcomes(turning, looked_at, most) for looked_at in _LOOKS}
        self.wishes = self._chance()
        self._sought = sought
        single = [([name], ()) for name in asked.cards] + [((), [wish]) for wish in asked.wants]
        texts = [f"--with {name}" for name in asked.cards] + [wish.text for wish in asked.wants]
        self.each = {
            text: self._held(sought.build_goals(cards, wants))
            for text, (cards, wants) in zip(texts, single, strict=True)
        }

    def require_possible(self) -> None:
        """Refuse wishes that no deal meets.

        Raises:
            BadOptions: this one cannot be met, or these not together.
        """
        if not self.wishes:
            raise_if_impossible(self._sought, parse_wishes(self._game, self._request.wishes))

    def alike(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Cards in groups of those that count for the same wishes, and the chance of each to be turned up."""
        groups: dict[tuple[object, ...], list[Card]] = {}
        place = {card.name: place for place, heap in enumerate(self._heaps) for card in heap.cards}
        for card in cards:
            counts = tuple(card.name in counter for counter in self._goals.counters)
            groups.setdefault((place[card.name], counts), []).append(card)
        return [(tuple(group), self.turned_up(group[0])) for group in groups.values()]

    def number_used(self, cards: Sequence[Card]) -> list[Fraction]:
        """The chance that none of these cards is turned up and used, one, and so on."""
        at, names = len(self._goals.counters), frozenset(card.name for card in cards)
        most = min(len(cards), self._turn_up.count_ + self._landscapes.most)
        return [self._chance((Goal(at, number, number),), names) / self.wishes for number in range(most + 1)]

    # ── What `Chances` tells, given the wishes ──

    def landscapes_used(self) -> list[Fraction]:
        """The chance of no landscape, of one, and so on."""
        chances = [Fraction(0)] * (self._landscapes.most + 1)
        counting = self._counting(self._goals)
        for (state, _), chance in self._ends["last"].items():
            used = sum(many for heap, many in zip(self._heaps, state, strict=True) if not heap.is_kingdom)
            chances[used] += chance * _share(counting, state)
        return [chance / self.wishes for chance in chances]

    def kinds_used(self) -> dict[str, Fraction]:
        """By kind of landscape, the chance that at least one of it is used."""
        kinds = {
            kind: [card.name for card in self.landscapes if card.kind == kind] for kind in self._game.kinds
        }
        return {kind: self._any_of(names) for kind, names in kinds.items() if names}

    def decisions(self) -> dict[str, Fraction]:
        """By the title of its question, the chance that setup answers it with yes."""
        settings = self._request.settings
        asked = list_questions(self._game.opening)
        looks = {question.title: question.get_method(settings) for question in asked}
        fixed = {look for look in looks.values() if look in _LOOKS}
        chances = {}
        for question in asked:
            look = looks[question.title]
            if look == "asked":
                chances[question.title] = Fraction(bool(settings[question.option]))
            elif look == "any":  # one of those at which no question looks
                rest = self._expected(question) - sum(self._at(place, question) for place in fixed)
                chances[question.title] = rest / (self._turn_up.count_ - len(fixed))
            else:
                chances[question.title] = self._at(look, question)
        return chances

    def turned_up(self, card: Card) -> Fraction:
        """The chance that a randomizer is turned up and used."""
        return self._any_of([card.name])

    def _out(self, wanted: Sequence[str]) -> Chance:
        """The chance that one of the wanted cards comes out; without choices where none can be followed."""
        try:
            return super()._out(wanted)
        except TooMuchWork:
            choices = self._choices(wanted, len(self._game.cards))
            there = (*self.kingdom, *self.landscapes)
            bringing = [
                card.name for card in there if not self._closure.of(card.name).names.isdisjoint(wanted)
            ]
            return Chance(self._any_of(bringing), choices.leading)

    def _missed(self, choices: Choices, states: States, work: float) -> Fraction:
        ends: dict[State, Fraction] = defaultdict(Fraction)
        for (state, _), chance in self._ends["last"].items():
            ends[state] += chance
        composing = Composing(
            self._heaps, self._goals, ends, lambda name, kingdom: states.inside(name, kingdom=kingdom)
        )
        work = min(work, self._work)
        return states.missed_given(composing.compositions(work), work) / self.wishes

    # ── How ──

    def _any_of(self, names: Iterable[str]) -> Fraction:
        """The chance that one of these is turned up and used, given the wishes."""
        return self._chance((Goal(len(self._goals.counters), 1, None),), frozenset(names)) / self.wishes

    def _chance(self, more: Sequence[Goal] = (), counter: frozenset[str] | None = None) -> Fraction:
        """The chance that the wishes hold and more besides, which may be about a further counter."""
        counters = (*self._goals.counters, *(() if counter is None else (counter,)))
        return self._held(Goals(counters, (*self._goals.goals, *more)))

    def _held(self, goals: Goals) -> Fraction:
        counting = self._counting(goals)
        return sum(
            (chance * _share(counting, state) for (state, _), chance in self._ends["last"].items()),
            Fraction(0),
        )

    def _counting(self, goals: Goals) -> WayCounter:
        return WayCounter([heap.cards for heap in self._heaps], goals)

    def _expected(self, question: Decide) -> Fraction:
        """How many of the Kingdom cards answer a question with yes, on average, given the wishes."""
        fitting = filter(question.is_.matches, self.kingdom)
        return sum((self.turned_up(card) for card in fitting), Fraction(0))

    def _at(self, look: str, question: Decide) -> Fraction:
        """The chance that the first or last Kingdom card answers a question with yes, given the wishes."""
        chance = Fraction(0)
        at = len(self._goals.counters)
        ends = self._ends["first" if look == "first" else "last"]
        for place, heap in enumerate(self._heaps):
            fitting = frozenset(card.name for card in heap.cards if question.is_.matches(card))
            if not heap.is_kingdom or not fitting:
                continue
            # Of the cards of a heap any is as likely to be at this place; so many of them fit on average.
            countings = [
                self._counting(
                    Goals((*self._goals.counters, fitting), (*self._goals.goals, Goal(at, least, None)))
                )
                for least in range(1, self._turn_up.count_ + 1)
            ]
            for (state, seen), share in ends.items():
                if seen == place:
                    fit = sum((_share(counting, state) for counting in countings), Fraction(0))
                    chance += share * fit / state[place]
        return chance / self.wishes


_LOOKS: tuple[Literal["first", "last"], ...] = ("first", "last")


def _share(counting: WayCounter, state: State) -> Fraction:
    """Of the ways to take so many cards of each heap, as many as meet the wishes."""
    every = prod(comb(size, many) for size, many in zip(counting.sizes, state, strict=True))
    return Fraction(counting.count_ways(state), every)
