"""One choice among the unused cards, made for all states of a stage together.

To choose a card, the unused cards that are eligible are revealed in random order until one is not in the
Kingdom. A reveal tells whether one card is in the Kingdom. The other unseen cards stay exchangeable: each is
as likely as any other to be in the Kingdom.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb, lcm
from typing import NamedTuple

from randomizer.odds.stages import Layout, Layouts, Stage, Stages, Transitions


class Distribution(NamedTuple):
    """A distribution of packed states.

    Attributes:
        denominator: the common denominator of the probabilities.
        numerators: by state, the numerator of the joint probability of the state and one particular Kingdom.
            All Kingdoms that are possible in a state are equally likely.
    """

    denominator: int
    numerators: Mapping[int, int]


class View(NamedTuple):
    """The part of a state that affects a choice.

    Attributes:
        kingdom_count: the number of unseen cards in the Kingdom.
        eligible_count: the number of cards that the choice may take, in the Kingdom or not.
        counts: the number of cards by field of the layout; correct only for fields of eligible cards.
    """

    kingdom_count: int
    eligible_count: int
    counts: Sequence[int]


class ChoiceStep:
    """The next choice of a stage.

    Args:
        stages: the stages of the deal.
        layouts: the encodings of the states of the stages.
        stage: the stage before the choice.
        distribution: the distribution of its states.

    Attributes:
        work: an upper bound for the number of additions needed to compute the choice.
    """

    def __init__(self, stages: Stages, layouts: Layouts, stage: Stage, distribution: Distribution) -> None:
        layout, choice = layouts[stage.relevant], stage.choice
        fields = [field for field, (_, eligibility) in layout.fields.items() if eligibility >> choice & 1]
        free = sum(count for index, count in stage.free if stages.eligibility[index] >> choice & 1)
        self._distribution = distribution
        self._visible = layout.get_mask([0, *fields])
        state_counts = Counter(state & self._visible for state in distribution.numerators)
        self._views = {}
        for visible in state_counts:
            counts = layout.unpack(visible)
            self._views[visible] = View(counts[0], free + sum([counts[field] for field in fields]), counts)
        transitions_by_target = stages.get_transitions(stage)
        self._outcome_denominator = lcm(
            *(
                draw.outcome_count
                for transitions in transitions_by_target.values()
                for draw in transitions.draws
            )
        )
        self._moves = {
            target: Move(layout, fields, layouts[target.relevant], target.relevant, transitions)
            for target, transitions in transitions_by_target.items()
        }
        self.work = sum(
            state_counts[visible] * move.estimate_outcome_count(view)
            for move in self._moves.values()
            for visible, view in self._views.items()
        )

    def advance(self) -> Iterator[tuple[Stage, Distribution]]:
        """Yield the stages after the choice, each with the distribution of its states."""
        denominator = self._find_denominator()
        hidden_parts = {state & ~self._visible for state in self._distribution.numerators}
        for target, move in self._moves.items():
            outcomes = {
                visible: move.get_outcomes(view, denominator) for visible, view in self._views.items()
            }
            moved_hidden = {hidden: move.move_hidden(hidden) for hidden in hidden_parts}
            numerators: dict[int, int] = defaultdict(int)
            for state, numerator in self._distribution.numerators.items():
                hidden = moved_hidden[state & ~self._visible]
                for outcome, share in outcomes[state & self._visible]:
                    numerators[hidden + outcome] += numerator * share
            yield target, Distribution(self._distribution.denominator * denominator, numerators)

    def _find_denominator(self) -> int:
        """Return a common denominator of all outcome probabilities."""
        reveals = {
            (view.eligible_count, revealed)
            for view in self._views.values()
            for revealed in range(1, min(view.eligible_count, view.kingdom_count + 1) + 1)
        }
        return self._outcome_denominator * lcm(
            *(revealed * comb(eligible, revealed) for eligible, revealed in reveals)
        )


class Move:
    """The transition, by one choice, from the states of one stage to the states of another.

    Args:
        layout: the layout of the states before the choice.
        fields: the fields of the eligible cards.
        target_layout: the layout of the states after the choice.
        relevant: the choices that are relevant after the choice, as a bit mask.
        transitions: the ways in which the choice leads to the other stage.
    """

    def __init__(
        self,
        layout: Layout,
        fields: Sequence[int],
        target_layout: Layout,
        relevant: int,
        transitions: Transitions,
    ) -> None:
        units = {
            field: target_layout.get_unit(is_spare, eligibility & relevant)
            for field, (is_spare, eligibility) in layout.fields.items()
        }
        self._anonymous = [target_layout.pack(0, (), spare) for spare in transitions.anonymous]
        self._draws = [
            (target_layout.pack(0, (), draw.spare), draw.card_count, draw.outcome_count)
            for draw in transitions.draws
        ]
        self._spare = [(field, units[field]) for field in fields if layout.fields[field][0]]
        # Unseen cards that become interchangeable by the choice are counted together.
        self._unseen: dict[int, list[int]] = defaultdict(list)
        for field in fields:
            if not layout.fields[field][0]:
                self._unseen[units[field]].append(field)
        # Fields that are shifted by the same number of bits are moved together.
        shifts: dict[int, list[int]] = defaultdict(list)
        for field, unit in units.items():
            if unit and field not in fields:
                shifts[unit.bit_length() - 1 - layout.width * field].append(field)
        self._shifts = [
            (layout.get_mask(shifted), max(shift, 0), max(-shift, 0)) for shift, shifted in shifts.items()
        ]

    def move_hidden(self, hidden: int) -> int:
        """Convert the part of a state that does not affect the choice to the layout after the choice."""
        return sum([(hidden & mask) << left >> right for mask, left, right in self._shifts])

    def estimate_outcome_count(self, view: View) -> int:
        """Return an upper bound for the number of outcomes."""
        max_reveals = self._get_max_reveals(view)
        counts = tuple(sorted([min(count, max_reveals) for _, count in self._get_unseen_counts(view)]))
        endings = len(self._draws) + len(self._anonymous) * (1 + len(self._spare))
        return _count_selections(counts, max_reveals) * endings

    def get_outcomes(self, view: View, denominator: int) -> list[tuple[int, int]]:
        """Return the outcomes of the choice as packed states, with the numerators of their probabilities.

        The numbers of revealed cards of each class follow a multivariate hypergeometric distribution
        (https://en.wikipedia.org/wiki/Hypergeometric_distribution). The probabilities are per Kingdom.
        """
        max_reveals = self._get_max_reveals(view)
        selections = [(0, 0, 1)]  # (packed unrevealed cards, number of revealed cards, number of ways)
        for unit, count in self._get_unseen_counts(view):
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
            self._get_endings(view, revealed, denominator)
            for revealed in range(min(view.eligible_count, max_reveals) + 1)
        ]
        return [
            (packed + ending, ways * numerator)
            for packed, revealed, ways in selections
            for ending, numerator in endings[revealed]
        ]

    def _get_max_reveals(self, view: View) -> int:
        """Return how many cards the choice can make known: those in the Kingdom and the one taken."""
        return view.kingdom_count + len(self._anonymous)

    def _get_unseen_counts(self, view: View) -> list[tuple[int, int]]:
        """Return (unit, size) for each class of eligible unseen cards, with its unit after the choice."""
        return [
            (unit, sum([view.counts[field] for field in fields])) for unit, fields in self._unseen.items()
        ]

    def _get_endings(self, view: View, revealed: int, denominator: int) -> list[tuple[int, int]]:
        """Return the outcomes in which `revealed` unseen cards are revealed, without the unrevealed cards."""
        kingdom_count, eligible_count, counts = view
        remaining = kingdom_count - revealed + sum(unit * counts[field] for field, unit in self._spare)
        endings = []
        if revealed:  # The last card revealed is an unseen one that is not in the Kingdom.
            share = denominator // comb(eligible_count, revealed)
            endings += [(remaining + 1 + packed, share) for packed in self._anonymous]
        if revealed <= kingdom_count and revealed == eligible_count:  # All eligible cards are in the Kingdom.
            endings += [(remaining + packed, denominator) for packed in self._anonymous]
        if revealed <= kingdom_count and revealed < eligible_count:  # A spare card is taken.
            share = denominator // comb(eligible_count, revealed) // (eligible_count - revealed)
            endings += [
                (remaining + packed, share * count // outcome_count)
                for packed, count, outcome_count in self._draws
            ]
            endings += [
                (remaining + packed - unit, share * counts[field])
                for packed in self._anonymous
                for field, unit in self._spare
                if counts[field]
            ]
        return endings


@cache
def _count_selections(counts: tuple[int, ...], max_size: int) -> int:
    """Return the number of ways to choose how many cards of each class to take, at most `max_size` in all."""
    ways = [1] + [0] * max_size
    for count in counts:
        ways = [sum(ways[max(0, total - count) : total + 1]) for total in range(max_size + 1)]
    return sum(ways)
