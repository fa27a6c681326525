"""The exact distribution of the composition of the cards turned up, given wishes.

A composition is what the later choices depend on: see `states.Composition`. Cards form a class if they are
interchangeable: they are in the same stratum, count for the same wishes, and make the same contribution to
the composition. The numbers of cards turned up from each class have a multivariate hypergeometric
distribution (https://en.wikipedia.org/wiki/Hypergeometric_distribution), conditional on the wishes. Dynamic
programming over the classes adds up the ways to turn cards up. The choices that follow are computed as
without wishes.
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

ADDITIONS_PER_ENTRY = 13  # additions that take about as long as one entry of the dynamic programming table


class TurnUpClass(NamedTuple):
    """A class of cards that are interchangeable for the wishes and the choices.

    Attributes:
        increments: for each counter of the wishes, 1 if a card of the class counts for it, otherwise 0.
        stratum: the index of the stratum that contains the cards.
        triggers: the choices that each of the cards triggers, as a bit mask.
        contribution: the index of the cards' contribution to the Kingdom; None if it does not matter.
        size: the number of cards.
    """

    increments: State
    stratum: int
    triggers: int
    contribution: int | None
    size: int


class PartialComposition(NamedTuple):
    """The relevant facts about the cards that are turned up from the classes processed so far.

    This is a state of the dynamic programming.

    Attributes:
        taken: for each stratum, the number of cards.
        counts: for each counter of the wishes, the number of cards, but at most the counter's cap.
        triggers: the choices that these cards trigger, as a bit mask.
        contribution_counts: for each contribution, by its index, the number of Kingdom cards.
    """

    taken: State
    counts: State
    triggers: int
    contribution_counts: State


class CompositionCounter:
    """A calculator of the distribution of compositions, which processes the cards class by class.

    Args:
        strata: the cards that may be turned up.
        goals: the wishes.
        probability_by_taken: the probability, without the wishes, of each possible tuple with the number of
            used cards of each stratum.
        get_contribution: a function that returns the contribution of a card, given its name and whether it is
            a Kingdom card.
    """

    def __init__(
        self,
        strata: Sequence[Stratum],
        goals: Goals,
        probability_by_taken: Mapping[State, Fraction],
        get_contribution: Callable[[str, bool], Contribution],
    ) -> None:
        self._sizes = [len(stratum.cards) for stratum in strata]
        self._is_kingdom = [stratum.is_kingdom for stratum in strata]
        self._probability_by_taken = probability_by_taken
        self._max_taken = [
            max(taken[index] for taken in probability_by_taken) for index in range(len(strata))
        ]
        self._kingdom_size = max(map(self._count_kingdom_cards, probability_by_taken))
        self._caps = goals.get_caps()
        self._index_by_contribution: dict[Contribution, int] = {}  # the relevant ones, each with its index
        self._classes = self._classify(strata, goals, get_contribution)
        self._tracker = GoalTracker(goals, [card_class.increments for card_class in self._classes])

    def compute_distribution(self, max_work: float) -> Mapping[Composition, Fraction]:
        """Return the probability of each composition that meets the wishes and contains no target card.

        The probabilities are joint ones: their sum is at most the probability that the wishes are met.

        Args:
            max_work: the maximum number of additions for each class.

        Raises:
            TooMuchWork: a class takes more additions.
        """
        counts = self._tracker.advance(-1, (0,) * len(self._caps))
        if counts is None:
            return {}
        table = {
            PartialComposition((0,) * len(self._sizes), counts, 0, (0,) * len(self._index_by_contribution)): 1
        }
        for index, card_class in enumerate(self._classes):
            next_table: dict[PartialComposition, int] = defaultdict(int)
            for partial, ways in table.items():
                max_count = min(card_class.size, self._count_available(partial.taken, card_class.stratum))
                for count in range(max_count + 1):
                    extended = self._extend(partial, index, count)
                    if extended:
                        next_table[extended] += ways * comb(card_class.size, count)
                if len(next_table) * ADDITIONS_PER_ENTRY > max_work:
                    raise TooMuchWork
            table = next_table
        distribution: dict[Composition, Fraction] = defaultdict(Fraction)
        for (taken, _, triggers, contribution_counts), ways in table.items():
            if taken in self._probability_by_taken:
                all_ways = prod(comb(size, count) for size, count in zip(self._sizes, taken, strict=True))
                count_pairs = zip(self._index_by_contribution, contribution_counts, strict=True)
                composition = Composition(
                    triggers, tuple((each, count) for each, count in count_pairs if count)
                )
                distribution[composition] += self._probability_by_taken[taken] * Fraction(ways, all_ways)
        return distribution

    def _classify(
        self, strata: Sequence[Stratum], goals: Goals, get_contribution: Callable[[str, bool], Contribution]
    ) -> Sequence[TurnUpClass]:
        """Group the cards that are not targets into classes. Classes that count for wishes come first."""
        sizes: Counter[tuple[State, int, int, int]] = Counter()
        for index, stratum in enumerate(strata):
            for card in stratum.cards:
                contribution = get_contribution(card.name, stratum.is_kingdom)
                if contribution.is_target:
                    continue
                increments = tuple(int(card.name in counter) for counter in goals.counters)
                is_relevant = contribution.eligibility or contribution.class_index is not None
                contribution_index = -1
                if is_relevant:
                    contribution_index = self._index_by_contribution.setdefault(
                        contribution, len(self._index_by_contribution)
                    )
                sizes[increments, index, contribution.triggers, contribution_index] += 1
        return [
            TurnUpClass(
                increments, index, triggers, None if contribution_index < 0 else contribution_index, size
            )
            for (increments, index, triggers, contribution_index), size in sorted(sizes.items(), reverse=True)
        ]

    def _extend(self, partial: PartialComposition, index: int, count: int) -> PartialComposition | None:
        """Return a partial composition extended by cards of the next class.

        Args:
            partial: the partial composition.
            index: the index of the next class.
            count: the number of cards of that class to add.

        Returns:
            The extended partial composition, or None if it cannot meet a wish.
        """
        taken, counts, triggers, contribution_counts = partial
        increments, stratum, class_triggers, contribution, _ = self._classes[index]
        if count:
            taken = add_count(taken, stratum, count)
            added = (before + count * increment for before, increment in zip(counts, increments, strict=True))
            counts, triggers = tuple(map(min, added, self._caps)), triggers | class_triggers
            if contribution is not None:
                contribution_counts = add_count(contribution_counts, contribution, count)
        advanced_counts = self._tracker.advance(index, counts)
        return (
            None
            if advanced_counts is None
            else PartialComposition(taken, advanced_counts, triggers, contribution_counts)
        )

    def _count_available(self, taken: State, stratum: int) -> int:
        """Return how many more cards of a stratum may be turned up, given those taken from each stratum."""
        available_count = self._max_taken[stratum] - taken[stratum]
        if not self._is_kingdom[stratum]:
            return available_count
        return min(available_count, self._kingdom_size - self._count_kingdom_cards(taken))

    def _count_kingdom_cards(self, taken: State) -> int:
        return sum([count for count, is_kingdom in zip(taken, self._is_kingdom, strict=True) if is_kingdom])


def add_count(counts: State, index: int, number: int) -> State:
    """Return the counts after adding a number to the one at an index."""
    return (*counts[:index], counts[index] + number, *counts[index + 1 :])
