"""The calculation of one choice, for all states of a stage at once.

The module `stages` explains states, and unseen, free and spare cards. A choice is modelled as follows: the
eligible cards, which are those that the choice may take, are revealed in random order until one is not in the
Kingdom. The choice takes that card. Revealing a card shows whether it is in the Kingdom. The unseen cards
that have not been revealed remain exchangeable: all of them are equally likely to be in the Kingdom.

The part of a state that a choice depends on is called visible, and the rest hidden. Many states share a
visible part, so the outcomes are calculated only once for each visible part.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb, lcm
from typing import NamedTuple

from randomizer.odds.stages import Stage, Stages, StateLayout, StateLayouts, Transitions


class Distribution(NamedTuple):
    """A probability distribution of packed states.

    Attributes:
        denominator: the common denominator of the probabilities.
        numerators: for each packed state, the numerator of the joint probability of the state and any single
            one of the Kingdoms that are possible in it. All these Kingdoms are equally likely.
    """

    denominator: int
    numerators: Mapping[int, int]


class VisibleState(NamedTuple):
    """The visible part of a state: what a choice depends on.

    Attributes:
        kingdom_count: the number of unseen cards in the Kingdom.
        eligible_count: the number of eligible cards, in the Kingdom or not.
        counts: the number of cards in each field of the state's layout; 0 in the fields of hidden cards.
    """

    kingdom_count: int
    eligible_count: int
    counts: Sequence[int]


class ChoiceStep:
    """The next choice of a stage, as one step of the propagation of the distribution of states.

    Args:
        stages: the stages of the deal.
        layouts: the layouts of the packed states.
        stage: the stage before the choice.
        distribution: the distribution of the states of that stage.

    Attributes:
        work: an upper bound on the number of additions that `advance` needs.
    """

    def __init__(
        self, stages: Stages, layouts: StateLayouts, stage: Stage, distribution: Distribution
    ) -> None:
        layout, choice = layouts[stage.relevant], stage.choice
        fields = [field for field, (_, eligibility) in layout.fields.items() if eligibility >> choice & 1]
        free_count = sum(
            count for index, count in stage.free_counts if stages.class_eligibilities[index] >> choice & 1
        )
        self._distribution = distribution
        self._visible_mask = layout.get_mask([0, *fields])
        state_counts = Counter(state & self._visible_mask for state in distribution.numerators)
        self._visible_states = {}
        for visible_part in state_counts:
            counts = layout.unpack(visible_part)
            self._visible_states[visible_part] = VisibleState(
                counts[0], free_count + sum([counts[field] for field in fields]), counts
            )
        transitions_by_target = stages.get_transitions(stage)
        self._outcome_denominator = lcm(
            *(
                draw.outcome_count
                for transitions in transitions_by_target.values()
                for draw in transitions.draws
            )
        )
        self._calculators = {
            target: OutcomeCalculator(layout, fields, layouts[target.relevant], target.relevant, transitions)
            for target, transitions in transitions_by_target.items()
        }
        self.work = sum(
            state_counts[visible_part] * calculator.estimate_outcome_count(visible_state)
            for calculator in self._calculators.values()
            for visible_part, visible_state in self._visible_states.items()
        )

    def advance(self) -> Iterator[tuple[Stage, Distribution]]:
        """Make the choice, and yield each stage that may follow, with the distribution of its states."""
        denominator = self._compute_denominator()
        hidden_parts = {state & ~self._visible_mask for state in self._distribution.numerators}
        for target, calculator in self._calculators.items():
            outcomes = {
                visible_part: calculator.get_outcomes(visible_state, denominator)
                for visible_part, visible_state in self._visible_states.items()
            }
            converted_parts = {
                hidden_part: calculator.convert_hidden_part(hidden_part) for hidden_part in hidden_parts
            }
            numerators: dict[int, int] = defaultdict(int)
            for state, numerator in self._distribution.numerators.items():
                hidden_part = converted_parts[state & ~self._visible_mask]
                for outcome, outcome_numerator in outcomes[state & self._visible_mask]:
                    numerators[hidden_part + outcome] += numerator * outcome_numerator
            yield target, Distribution(self._distribution.denominator * denominator, numerators)

    def _compute_denominator(self) -> int:
        """Return a common denominator of the probabilities of all outcomes."""
        reveals = {
            (visible_state.eligible_count, revealed)
            for visible_state in self._visible_states.values()
            for revealed in range(1, min(visible_state.eligible_count, visible_state.kingdom_count + 1) + 1)
        }
        return self._outcome_denominator * lcm(
            *(revealed * comb(eligible, revealed) for eligible, revealed in reveals)
        )


class OutcomeCalculator:
    """A calculator of the outcomes of a choice that lead to one particular stage, the target stage.

    Args:
        layout: the layout of the states before the choice.
        fields: the fields of the eligible cards.
        target_layout: the layout of the states of the target stage.
        relevant: the choices that are relevant in the target stage, as a bit mask.
        transitions: the ways in which the choice leads to the target stage.
    """

    def __init__(
        self,
        layout: StateLayout,
        fields: Sequence[int],
        target_layout: StateLayout,
        relevant: int,
        transitions: Transitions,
    ) -> None:
        units = {
            field: target_layout.get_unit(is_spare, eligibility & relevant)
            for field, (is_spare, eligibility) in layout.fields.items()
        }
        self._no_draw_endings = [target_layout.pack(0, (), spare) for spare in transitions.spare_without_draw]
        self._draw_endings = [
            (target_layout.pack(0, (), draw.spare_counts), draw.card_count, draw.outcome_count)
            for draw in transitions.draws
        ]
        self._units_by_spare_field = [(field, units[field]) for field in fields if layout.fields[field][0]]
        # Unseen cards that become interchangeable by the choice are counted together.
        self._fields_by_unit: dict[int, list[int]] = defaultdict(list)
        for field in fields:
            if not layout.fields[field][0]:
                self._fields_by_unit[units[field]].append(field)
        # Fields that are shifted by the same number of bits are moved together.
        shifts: dict[int, list[int]] = defaultdict(list)
        for field, unit in units.items():
            if unit and field not in fields:
                shifts[unit.bit_length() - 1 - layout.width * field].append(field)
        self._shifts = [
            (layout.get_mask(shifted), max(shift, 0), max(-shift, 0)) for shift, shifted in shifts.items()
        ]

    def convert_hidden_part(self, hidden_part: int) -> int:
        """Convert the hidden part of a packed state to the layout of the target stage."""
        return sum([(hidden_part & mask) << left >> right for mask, left, right in self._shifts])

    def estimate_outcome_count(self, visible_state: VisibleState) -> int:
        """Return an upper bound on the number of outcomes."""
        max_reveals = self._get_max_reveals(visible_state)
        counts = tuple(
            sorted([min(count, max_reveals) for _, count in self._count_unseen_cards(visible_state)])
        )
        endings = len(self._draw_endings) + len(self._no_draw_endings) * (1 + len(self._units_by_spare_field))
        return _count_selections(counts, max_reveals) * endings

    def get_outcomes(self, visible_state: VisibleState, denominator: int) -> list[tuple[int, int]]:
        """Return (packed state, numerator of the probability) pairs for the outcomes of the choice.

        The packed states omit the hidden part. The numbers of revealed cards of each class follow a
        multivariate hypergeometric distribution
        (https://en.wikipedia.org/wiki/Hypergeometric_distribution). As in `Distribution`, it is
        the joint probability of the outcome and one particular Kingdom.

        Args:
            visible_state: the visible part of the state before the choice.
            denominator: the common denominator of the probabilities.
        """
        max_reveals = self._get_max_reveals(visible_state)
        selections = [(0, 0, 1)]  # (packed unrevealed cards, number of revealed cards, number of ways)
        for unit, count in self._count_unseen_cards(visible_state):
            selections = [
                (
                    packed + unit * (count - newly_revealed),
                    revealed + newly_revealed,
                    ways * comb(count, newly_revealed),
                )
                for packed, revealed, ways in selections
                for newly_revealed in range(min(count, max_reveals - revealed) + 1)
            ]
        endings = [
            self._list_endings(visible_state, revealed, denominator)
            for revealed in range(min(visible_state.eligible_count, max_reveals) + 1)
        ]
        return [
            (packed + ending, ways * numerator)
            for packed, revealed, ways in selections
            for ending, numerator in endings[revealed]
        ]

    def _get_max_reveals(self, visible_state: VisibleState) -> int:
        """Return the maximum number of unseen cards that the choice can reveal.

        These are the unseen cards in the Kingdom, plus the card that the choice takes, unless the choice has
        to take a free card to reach the target stage.
        """
        return visible_state.kingdom_count + len(self._no_draw_endings)

    def _count_unseen_cards(self, visible_state: VisibleState) -> list[tuple[int, int]]:
        """Return a (unit, number of cards) pair for each group of eligible unseen cards.

        The cards of a group share a field after the choice. The unit is the packed state of one such card.
        """
        return [
            (unit, sum([visible_state.counts[field] for field in fields]))
            for unit, fields in self._fields_by_unit.items()
        ]

    def _list_endings(
        self, visible_state: VisibleState, revealed: int, denominator: int
    ) -> list[tuple[int, int]]:
        """Return the outcomes in which a given number of unseen cards are revealed.

        Args:
            visible_state: the visible part of the state before the choice.
            revealed: the number of unseen cards that are revealed.
            denominator: the common denominator of the probabilities.

        Returns:
            (packed state, numerator of the probability) pairs. The packed states omit the unseen cards that
            are not revealed.
        """
        kingdom_count, eligible_count, counts = visible_state
        remaining = (
            kingdom_count - revealed + sum(unit * counts[field] for field, unit in self._units_by_spare_field)
        )
        endings = []
        if revealed:  # The last revealed card, which is taken, is an unseen one that is not in the Kingdom.
            numerator = denominator // comb(eligible_count, revealed)
            endings += [(remaining + 1 + packed, numerator) for packed in self._no_draw_endings]
        # All eligible cards are in the Kingdom, so none is taken.
        if revealed <= kingdom_count and revealed == eligible_count:
            endings += [(remaining + packed, denominator) for packed in self._no_draw_endings]
        # A free or spare card is taken.
        if revealed <= kingdom_count and revealed < eligible_count:
            numerator = denominator // comb(eligible_count, revealed) // (eligible_count - revealed)
            endings += [
                (remaining + packed, numerator * count // outcome_count)
                for packed, count, outcome_count in self._draw_endings
            ]
            endings += [
                (remaining + packed - unit, numerator * counts[field])
                for packed in self._no_draw_endings
                for field, unit in self._units_by_spare_field
                if counts[field]
            ]
        return endings


@cache
def _count_selections(counts: tuple[int, ...], max_size: int) -> int:
    """Return the number of ways to choose how many cards of each class to take.

    Args:
        counts: the number of cards of each class.
        max_size: the maximum number of cards to take altogether.
    """
    ways = [1] + [0] * max_size
    for count in counts:
        ways = [sum(ways[max(0, total - count) : total + 1]) for total in range(max_size + 1)]
    return sum(ways)
