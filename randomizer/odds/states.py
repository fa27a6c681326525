"""The exact probability of a miss, by propagating the distribution of states from choice to choice.

A deal is a miss if no target card comes into use. Nothing is simulated: this is dynamic programming over the
states that are explained in `stages`. There are few states, because cards that trigger no choice differ only
in their eligibility.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

from randomizer.odds.choosing import ChoiceStep, Distribution
from randomizer.odds.relevant import RelevantChoices
from randomizer.odds.stages import ClassCounts, Contribution, Stage, Stages, StateLayouts

END = Stage(0, 0, 0, ())  # the stage in which no choice is relevant any more


class TooMuchWork(Exception):
    """The computation would take more additions than allowed."""


class KingdomFamily(NamedTuple):
    """All Kingdoms that trigger the same choices and contain `kingdom_count` of the unseen cards.

    Attributes:
        multiplicity: the factor with which the family counts; negative to subtract Kingdoms that were counted
            too often.
        pending: the choices that are due, as a bit mask.
        unseen_counts: the number of unseen cards, in the Kingdom or not, by eligibility.
        kingdom_count: the number of unseen cards in the Kingdom.
        free_counts: the number of free cards of each class.
    """

    multiplicity: int
    pending: int
    unseen_counts: Mapping[int, int]
    kingdom_count: int
    free_counts: ClassCounts


class Composition(NamedTuple):
    """The relevant facts about the cards that are turned up and used.

    Attributes:
        triggers: the choices that these cards trigger, as a bit mask.
        kingdom_counts: (contribution, number of Kingdom cards) pairs, without the cards that trigger no
            choice and that no choice may take.
    """

    triggers: int = 0
    kingdom_counts: tuple[tuple[Contribution, int], ...] = ()


class StatePropagator:
    """A calculator that propagates the distribution of states through the relevant choices.

    Args:
        choices: the choices to follow.
        kingdom: the names of the Kingdom cards that may be turned up.
        count: the number of Kingdom cards that are turned up.
    """

    def __init__(self, choices: RelevantChoices, kingdom: Set[str], count: int) -> None:
        self._stages = Stages(choices, kingdom)
        self._layouts = StateLayouts(self._stages)
        self._count = count
        self._all_kingdoms_count = comb(len(kingdom), count)

    def compute_miss_probability(
        self, probability_by_triggers: Mapping[int, Fraction], max_work: float
    ) -> Fraction:
        """Return the probability of a miss if all Kingdoms are equally likely.

        Args:
            probability_by_triggers: for each set of choices, as a bit mask, the probability that the
                landscapes trigger exactly these choices and that no landscape is a target.
            max_work: the maximum number of additions. It is compared with an estimate before each round of
                choices, so that an attempt that would take too long ends early.

        Raises:
            TooMuchWork: the computation takes more than `max_work` additions.
        """
        max_work -= len(probability_by_triggers) * 3 ** len(self._stages.classes_by_triggers)
        if max_work < 0:
            raise TooMuchWork
        families = (
            (probability / self._all_kingdoms_count, family)
            for choices, probability in probability_by_triggers.items()
            for family in self._list_families(choices)
        )
        return self._propagate(families, max_work)

    def compute_joint_miss_probability(
        self, probability_by_composition: Mapping[Composition, Fraction], max_work: float
    ) -> Fraction:
        """Return the probability that one of the compositions occurs and that the deal is a miss.

        Args:
            probability_by_composition: the probability of each composition without a target card.
            max_work: the maximum number of additions.

        Raises:
            TooMuchWork: the computation takes more than `max_work` additions.
        """
        families = (
            (chance, self._build_family(composition))
            for composition, chance in probability_by_composition.items()
        )
        return self._propagate(families, max_work)

    def get_contribution(self, name: str, *, is_kingdom_card: bool) -> Contribution:
        """Return the effect of a card that is turned up and used, as described in `Stages`."""
        return self._stages.get_contribution(name, is_kingdom_card=is_kingdom_card)

    def _propagate(self, families: Iterable[tuple[Fraction, KingdomFamily]], max_work: float) -> Fraction:
        distributions = self._build_distributions(families)
        total = Fraction(0)
        while distributions:
            total += self._sum_final_states(distributions.get(END, ()))
            steps = [
                ChoiceStep(self._stages, self._layouts, stage, _add_distributions(parts))
                for stage, parts in distributions.items()
                if stage != END
            ]
            max_work -= sum(step.work for step in steps)
            if max_work < 0:
                raise TooMuchWork
            distributions = _advance(steps)
        return total

    def _build_distributions(
        self, families: Iterable[tuple[Fraction, KingdomFamily]]
    ) -> Mapping[Stage, list[Distribution]]:
        """Map each stage that a deal may start with to the distributions of its states, one per family."""
        distributions: dict[Stage, list[Distribution]] = defaultdict(list)
        for weight, (multiplicity, pending, unseen_counts, kingdom_count, free_counts) in families:
            stage, spare_counts = self._stages.enter_stage(pending, 0, free_counts)
            classes = ((eligibility & stage.relevant, count) for eligibility, count in unseen_counts.items())
            state = self._layouts[stage.relevant].pack(kingdom_count, classes, spare_counts)
            numerators = {state: multiplicity * weight.numerator}
            distributions[stage].append(Distribution(weight.denominator, numerators))
        return distributions

    def _build_family(self, composition: Composition) -> KingdomFamily:
        """Return the family of the Kingdoms with this composition."""
        unseen_counts, classes = Counter(self._stages.plain_counts), self._stages.classes
        free_counts = {
            index: classes[index].size
            for indexes in self._stages.classes_by_triggers.values()
            for index in indexes
        }
        for contribution, count in composition.kingdom_counts:
            if contribution.class_index is None:
                unseen_counts[contribution.eligibility] -= count
            else:
                free_counts[contribution.class_index] -= count
        return KingdomFamily(
            1, composition.triggers, unseen_counts, 0, (*self._stages.outside_counts, *free_counts.items())
        )

    def _list_families(self, pending: int) -> Iterable[KingdomFamily]:
        """Divide all Kingdoms without a target card into families.

        Args:
            pending: the choices that the landscapes trigger, as a bit mask.
        """
        families = [
            KingdomFamily(1, pending, self._stages.plain_counts, self._count, self._stages.outside_counts)
        ]
        for triggers, indexes in self._stages.classes_by_triggers.items():
            cards = self._stages.get_counts(indexes)
            families = [part for family in families for part in self._split_family(family, triggers, cards)]
        return families

    def _split_family(
        self, family: KingdomFamily, triggers: int, cards: ClassCounts
    ) -> Iterator[KingdomFamily]:
        """Split a family by whether at least one of the given cards is in the Kingdom.

        "At least one" is counted as "any number" minus "none"
        (https://en.wikipedia.org/wiki/Inclusion%E2%80%93exclusion_principle).

        Args:
            family: the family.
            triggers: the choices that each of the cards triggers, as a bit mask.
            cards: the number of cards of each class.
        """
        pending = family.pending | triggers
        with_none = family._replace(free_counts=(*family.free_counts, *cards))
        unseen_counts = Counter(family.unseen_counts)
        for index, count in cards:
            unseen_counts[self._stages.class_eligibilities[index]] += count
        with_any_number = family._replace(pending=pending, unseen_counts=unseen_counts)
        if pending == family.pending:
            yield with_any_number
            return
        yield with_none
        if sum(count for _, count in cards) > 1:
            yield with_any_number
            yield with_none._replace(multiplicity=-family.multiplicity, pending=pending)
        elif family.kingdom_count:
            yield family._replace(pending=pending, kingdom_count=family.kingdom_count - 1)

    def _sum_final_states(self, parts: Sequence[Distribution]) -> Fraction:
        """Return the probability of all deals that have reached a final state, summed over all Kingdoms.

        Args:
            parts: the distributions of the final states.
        """
        denominator, numerators = _add_distributions(parts)
        layout = self._layouts[END.relevant]
        total = 0
        for state, numerator in numerators.items():
            kingdom_count, unseen_count = layout.unpack(state)
            total += numerator * comb(unseen_count, kingdom_count)
        return Fraction(total, denominator)


def _advance(steps: Iterable[ChoiceStep]) -> Mapping[Stage, list[Distribution]]:
    """Make the choices of all steps, and map each stage that follows to the distributions of its states."""
    distributions: dict[Stage, list[Distribution]] = defaultdict(list)
    for step in steps:
        for stage, distribution in step.advance():
            distributions[stage].append(distribution)
    return distributions


def _add_distributions(parts: Sequence[Distribution]) -> Distribution:
    """Return the sum of distributions, with a common denominator."""
    denominator = lcm(*(part.denominator for part in parts))
    numerators: dict[int, int] = defaultdict(int)
    for part in parts:
        factor = denominator // part.denominator
        for state, numerator in part.numerators.items():
            numerators[state] += factor * numerator
    return Distribution(denominator, numerators)
