"""The exact probability that no target card comes into use, by propagating the distribution of states.

Nothing is simulated. All deals are followed together from choice to choice. A state consists of the stage,
the number of unseen cards of each class, and how many of these are in the Kingdom. Cards that trigger no
choice differ only in their eligibility for choices, so there are few states.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

from randomizer.odds.choosing import ChoiceStep, Distribution
from randomizer.odds.relevant import RelevantChoices
from randomizer.odds.stages import ClassCounts, Contribution, Layouts, Stage, Stages

END = Stage(0, 0, 0, ())  # the stage in which no choice is relevant any more


class TooMuchWork(Exception):
    """The computation would take more additions than allowed."""


class KingdomFamily(NamedTuple):
    """All Kingdoms that trigger the same choices and contain `kingdom_count` of the unseen cards.

    Attributes:
        multiplicity: the factor with which the family counts; negative to subtract Kingdoms that were counted
            too often.
        pending: the choices that are due, as a bit mask.
        unseen: the number of cards that may be in the Kingdom, by eligibility.
        kingdom_count: the number of these cards that are in the Kingdom.
        free: the number of cards of each class that are known not to be in the Kingdom.
    """

    multiplicity: int
    pending: int
    unseen: Mapping[int, int]
    kingdom_count: int
    free: ClassCounts


class Composition(NamedTuple):
    """The relevant facts about the cards that are turned up and used.

    Attributes:
        triggers: the choices that they trigger, as a bit mask.
        kingdom: the number of Kingdom cards by contribution, for those that a choice triggers or may take.
    """

    triggers: int = 0
    kingdom: tuple[tuple[Contribution, int], ...] = ()


class StatePropagation:
    """The propagation of the distribution of states through the relevant choices.

    Args:
        choices: the choices to follow.
        kingdom: the names of the Kingdom cards, of which `count` are turned up.
    """

    def __init__(self, choices: RelevantChoices, kingdom: Set[str], count: int) -> None:
        self._stages = Stages(choices, kingdom)
        self._layouts = Layouts(self._stages)
        self._count = count
        self._number_of_kingdoms = comb(len(kingdom), count)

    def compute_miss(self, triggered: Mapping[int, Fraction], max_work: float) -> Fraction:
        """Return the probability that no target card comes into use, if all Kingdoms are equally likely.

        Args:
            triggered: by bit mask of choices, the probability that the landscapes trigger exactly these
                choices and that no landscape is a target.
            max_work: the maximum number of additions. It is compared with an estimate before each round of
                choices, so that an attempt that takes too long ends early.

        Raises:
            TooMuchWork: it takes more additions.
        """
        max_work -= len(triggered) * 3 ** len(self._stages.triggering)
        if max_work < 0:
            raise TooMuchWork
        families = (
            (probability / self._number_of_kingdoms, family)
            for choices, probability in triggered.items()
            for family in self._list_families(choices)
        )
        return self._propagate(families, max_work)

    def compute_miss_given(self, compositions: Mapping[Composition, Fraction], max_work: float) -> Fraction:
        """Return the probability that a composition occurs and that no target card comes into use later.

        Args:
            compositions: the probability of each composition without a target card.
            max_work: the maximum number of additions.

        Raises:
            TooMuchWork: it takes more additions.
        """
        families = ((chance, self._build_family(composition)) for composition, chance in compositions.items())
        return self._propagate(families, max_work)

    def get_contribution(self, name: str, *, in_kingdom: bool) -> Contribution:
        """Return the effect of a card that is turned up and used, in the Kingdom or as a landscape."""
        return self._stages.get_contribution(name, in_kingdom=in_kingdom)

    def _propagate(self, families: Iterable[tuple[Fraction, KingdomFamily]], max_work: float) -> Fraction:
        distributions = self._build_distributions(families)
        missed = Fraction(0)
        while distributions:
            missed += self._sum_final_states(distributions.get(END, ()))
            steps = [
                ChoiceStep(self._stages, self._layouts, stage, _add_distributions(parts))
                for stage, parts in distributions.items()
                if stage != END
            ]
            max_work -= sum(step.work for step in steps)
            if max_work < 0:
                raise TooMuchWork
            distributions = _advance(steps)
        return missed

    def _build_distributions(
        self, families: Iterable[tuple[Fraction, KingdomFamily]]
    ) -> Mapping[Stage, list[Distribution]]:
        """Return the distributions of the states before the first choice, by stage."""
        distributions: dict[Stage, list[Distribution]] = defaultdict(list)
        for weight, (multiplicity, pending, unseen, kingdom_count, free) in families:
            stage, spare = self._stages.get_arrival(pending, 0, free)
            classes = ((eligibility & stage.relevant, count) for eligibility, count in unseen.items())
            state = self._layouts[stage.relevant].pack(kingdom_count, classes, spare)
            numerators = {state: multiplicity * weight.numerator}
            distributions[stage].append(Distribution(weight.denominator, numerators))
        return distributions

    def _build_family(self, composition: Composition) -> KingdomFamily:
        """Return the Kingdoms with this composition."""
        unseen, classes = Counter(self._stages.plain), self._stages.classes
        free = {
            index: classes[index].size for indexes in self._stages.triggering.values() for index in indexes
        }
        for contribution, count in composition.kingdom:
            if contribution.class_index is None:
                unseen[contribution.eligibility] -= count
            else:
                free[contribution.class_index] -= count
        return KingdomFamily(1, composition.triggers, unseen, 0, (*self._stages.outside, *free.items()))

    def _list_families(self, pending: int) -> Iterable[KingdomFamily]:
        """Return all Kingdoms without a target card, as families with the same pending choices."""
        families = [KingdomFamily(1, pending, self._stages.plain, self._count, self._stages.outside)]
        for triggers, indexes in self._stages.triggering.items():
            cards = self._stages.get_counts(indexes)
            families = [part for family in families for part in self._split_family(family, triggers, cards)]
        return families

    def _split_family(
        self, family: KingdomFamily, triggers: int, cards: ClassCounts
    ) -> Iterator[KingdomFamily]:
        """Split a family by whether any of these cards, which trigger the same choices, is in the Kingdom.

        "At least one" is counted as "any number" minus "none"
        (https://en.wikipedia.org/wiki/Inclusion%E2%80%93exclusion_principle).
        """
        pending = family.pending | triggers
        without_cards = family._replace(free=(*family.free, *cards))
        unseen = Counter(family.unseen)
        for index, count in cards:
            unseen[self._stages.eligibility[index]] += count
        with_any_number = family._replace(pending=pending, unseen=unseen)
        if pending == family.pending:
            yield with_any_number
            return
        yield without_cards
        if sum(count for _, count in cards) > 1:
            yield with_any_number
            yield without_cards._replace(multiplicity=-family.multiplicity, pending=pending)
        elif family.kingdom_count:
            yield family._replace(pending=pending, kingdom_count=family.kingdom_count - 1)

    def _sum_final_states(self, parts: Sequence[Distribution]) -> Fraction:
        """Return the total weight of all complete Kingdoms, which are the final states of a deal."""
        denominator, numerators = _add_distributions(parts)
        layout = self._layouts[END.relevant]
        total = 0
        for state, numerator in numerators.items():
            kingdom_count, unseen_count = layout.unpack(state)
            total += numerator * comb(unseen_count, kingdom_count)
        return Fraction(total, denominator)


def _advance(steps: Iterable[ChoiceStep]) -> Mapping[Stage, list[Distribution]]:
    """Return the distributions after these choices, by stage."""
    distributions: dict[Stage, list[Distribution]] = defaultdict(list)
    for step in steps:
        for stage, distribution in step.advance():
            distributions[stage].append(distribution)
    return distributions


def _add_distributions(parts: Sequence[Distribution]) -> Distribution:
    """Return the sum of the distributions, with a common denominator."""
    denominator = lcm(*(part.denominator for part in parts))
    numerators: dict[int, int] = defaultdict(int)
    for part in parts:
        factor = denominator // part.denominator
        for state, numerator in part.numerators.items():
            numerators[state] += factor * numerator
    return Distribution(denominator, numerators)
