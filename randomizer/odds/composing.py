"""The exact distribution of the composition of the cards turned up, given wishes.

Cards are interchangeable if they are in the same stratum, count for the same wishes, and make the same
contribution to the later choices. The numbers of cards of each class have a multivariate hypergeometric
distribution (https://en.wikipedia.org/wiki/Hypergeometric_distribution), conditional on the wishes. Dynamic
programming over the classes adds up the ways. From there on, the choices are computed as without wishes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb, prod
from typing import NamedTuple

from randomizer.deal.wishes.goals import Goals, GoalTracker, State
from randomizer.deal.wishes.strata import Stratum
from randomizer.odds.stages import Contribution
from randomizer.odds.states import Composition, TooMuchWork

ADDITIONS_PER_ENTRY = 13  # additions that take about as long as one entry of the table


class TurnUpClass(NamedTuple):
    """A class of cards that are interchangeable for the wishes and the choices.

    Attributes:
        adds: for each counter of the wishes, 1 if the cards count for it, otherwise 0.
        stratum: the index of their stratum.
        triggers: the choices that they trigger, as a bit mask.
        contribution: the index of their contribution to the Kingdom, or None if that is irrelevant.
        size: the number of cards.
    """

    adds: State
    stratum: int
    triggers: int
    contribution: int | None
    size: int


class Partial(NamedTuple):
    """The relevant facts about the cards turned up from the classes that have been processed.

    Attributes:
        taken: the number of cards by stratum.
        counts: the number of cards by counter of the wishes, limited to the number that makes a difference.
        triggers: the choices that they trigger, as a bit mask.
        contributions: the number of Kingdom cards by index of their contribution.
    """

    taken: State
    counts: State
    triggers: int
    contributions: State


class CompositionCounter:
    """A computation of the distribution of the composition, class by class.

    Args:
        strata: the cards that may be turned up.
        goals: the wishes.
        outcomes: the numbers of cards by stratum that may be turned up and used, each with its probability
            without the wishes.
        get_contribution: returns the contribution of a card by its name and whether it is a Kingdom card.
    """

    def __init__(
        self,
        strata: Sequence[Stratum],
        goals: Goals,
        outcomes: Mapping[State, Fraction],
        get_contribution: Callable[[str, bool], Contribution],
    ) -> None:
        self._sizes = [len(stratum.cards) for stratum in strata]
        self._is_kingdom = [stratum.is_kingdom for stratum in strata]
        self._outcomes = outcomes
        self._max_taken = [max(taken[index] for taken in outcomes) for index in range(len(strata))]
        self._kingdom_size = max(map(self._count_kingdom_cards, outcomes))
        self._caps = goals.get_caps()
        self._contributions: dict[Contribution, int] = {}  # the relevant ones, each with its index
        self._classes = self._classify(strata, goals, get_contribution)
        self._tracker = GoalTracker(goals, [card_class.adds for card_class in self._classes])

    def compute_distribution(self, max_work: float) -> Mapping[Composition, Fraction]:
        """Return the probability of each composition that meets the wishes and contains no target card.

        Raises:
            TooMuchWork: a class takes more additions than `max_work`.
        """
        counts = self._tracker.check(-1, (0,) * len(self._caps))
        if counts is None:
            return {}
        table = {Partial((0,) * len(self._sizes), counts, 0, (0,) * len(self._contributions)): 1}
        for index, card_class in enumerate(self._classes):
            next_table: dict[Partial, int] = defaultdict(int)
            for partial, ways in table.items():
                max_count = min(card_class.size, self._count_free_places(partial.taken, card_class.stratum))
                for count in range(max_count + 1):
                    extended = self._extend(partial, index, count)
                    if extended:
                        next_table[extended] += ways * comb(card_class.size, count)
                if len(next_table) * ADDITIONS_PER_ENTRY > max_work:
                    raise TooMuchWork
            table = next_table
        distribution: dict[Composition, Fraction] = defaultdict(Fraction)
        for (taken, _, triggers, contributions), ways in table.items():
            if taken in self._outcomes:
                all_ways = prod(comb(size, count) for size, count in zip(self._sizes, taken, strict=True))
                counted = zip(self._contributions, contributions, strict=True)
                composition = Composition(triggers, tuple((each, count) for each, count in counted if count))
                distribution[composition] += self._outcomes[taken] * Fraction(ways, all_ways)
        return distribution

    def _classify(
        self, strata: Sequence[Stratum], goals: Goals, get_contribution: Callable[[str, bool], Contribution]
    ) -> Sequence[TurnUpClass]:
        """Group the cards that are not targets into classes. Those that count for wishes come first."""
        sizes: Counter[tuple[State, int, int, int]] = Counter()
        for index, stratum in enumerate(strata):
            for card in stratum.cards:
                contribution = get_contribution(card.name, stratum.is_kingdom)
                if contribution.is_target:
                    continue
                adds = tuple(int(card.name in counter) for counter in goals.counters)
                is_relevant = contribution.eligibility or contribution.class_index is not None
                number = -1
                if is_relevant:
                    number = self._contributions.setdefault(contribution, len(self._contributions))
                sizes[adds, index, contribution.triggers, number] += 1
        return [
            TurnUpClass(adds, index, triggers, None if number < 0 else number, size)
            for (adds, index, triggers, number), size in sorted(sizes.items(), reverse=True)
        ]

    def _extend(self, partial: Partial, index: int, count: int) -> Partial | None:
        """Return the facts after adding cards of the next class, or None if a wish can then not be met."""
        taken, counts, triggers, contributions = partial
        adds, stratum, more_triggers, contribution, _ = self._classes[index]
        if count:
            taken = add_count(taken, stratum, count)
            added = (before + count * add for before, add in zip(counts, adds, strict=True))
            counts, triggers = tuple(map(min, added, self._caps)), triggers | more_triggers
            if contribution is not None:
                contributions = add_count(contributions, contribution, count)
        checked = self._tracker.check(index, counts)
        return None if checked is None else Partial(taken, checked, triggers, contributions)

    def _count_free_places(self, taken: State, stratum: int) -> int:
        """Return how many more cards of a stratum may be turned up."""
        free = self._max_taken[stratum] - taken[stratum]
        if not self._is_kingdom[stratum]:
            return free
        return min(free, self._kingdom_size - self._count_kingdom_cards(taken))

    def _count_kingdom_cards(self, taken: State) -> int:
        return sum([count for count, is_kingdom in zip(taken, self._is_kingdom, strict=True) if is_kingdom])


def add_count(counts: State, index: int, number: int) -> State:
    """Return the counts after adding a number to one of them."""
    return (*counts[:index], counts[index] + number, *counts[index + 1 :])
