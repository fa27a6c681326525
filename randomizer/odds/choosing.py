"""One choice, made in every state that the deals of a stage may be in.

To choose an unused card is to look at those that fit, in any order, until one is not in the Kingdom. Each
look tells about one card, and leaves the others as even as they were.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb, lcm
from typing import NamedTuple

from randomizer.odds.stages import Layout, Layouts, Stage, Stages, Ways


class Weights(NamedTuple):
    """How likely states are, each with any one of its Kingdoms: so many parts of a `whole`."""

    whole: int
    parts: Mapping[int, int]


class View(NamedTuple):
    """What a choice can see of a state.

    Attributes:
        inside: how many of the unseen cards are in the Kingdom.
        here: how many cards fit, in the Kingdom or not.
        counts: how many cards there are, by field; right for those that fit.
    """

    inside: int
    here: int
    counts: Sequence[int]


class NextChoice:
    """The next choice of a stage.

    Args:
        stages, layouts: those of the deal.
        stage: where it stands.
        weights: the states that it may be in.

    Attributes:
        work: how many sums it takes to make the choice, or a few more.
    """

    def __init__(self, stages: Stages, layouts: Layouts, stage: Stage, weights: Weights) -> None:
        layout, choice = layouts[stage.matter], stage.choice
        fields = [field for field, (_, fits) in layout.sorts.items() if fits >> choice & 1]
        free = sum(number for place, number in stage.free if stages.fits[place] >> choice & 1)
        self._weights = weights
        self._sight = layout.bits([0, *fields])
        times = Counter(state & self._sight for state in weights.parts)
        self._views = {}
        for seen in times:
            counts = layout.counts(seen)
            self._views[seen] = View(counts[0], free + sum([counts[field] for field in fields]), counts)
        after = stages.after(stage)
        self._of = lcm(*(take.of for ways in after.values() for take in ways.takes))
        self._moves = {
            target: Move(layout, fields, layouts[target.matter], target.matter, ways)
            for target, ways in after.items()
        }
        self.work = sum(
            times[seen] * move.work(view)
            for move in self._moves.values()
            for seen, view in self._views.items()
        )

    def after(self) -> Iterator[tuple[Stage, Weights]]:
        """The stages that it leads to, and the states that the deals may then be in."""
        whole, sight = self._whole(), self._sight
        for target, move in self._moves.items():
            outcomes = {seen: move.outcomes(view, whole) for seen, view in self._views.items()}
            moved = {rest: move.moved(rest) for rest in {state & ~sight for state in self._weights.parts}}
            parts: dict[int, int] = defaultdict(int)
            for state, part in self._weights.parts.items():
                rest = moved[state & ~sight]
                for outcome, share in outcomes[state & sight]:
                    parts[rest + outcome] += part * share
            yield target, Weights(self._weights.whole * whole, parts)

    def _whole(self) -> int:
        """A number of which all that is shared out gets whole parts."""
        looks = {
            (view.here, look)
            for view in self._views.values()
            for look in range(1, min(view.here, view.inside + 1) + 1)
        }
        return self._of * lcm(*(look * comb(here, look) for here, look in looks))


class Move:
    """How a choice turns states of one stage into states of another.

    Args:
        layout, after: how states are written before the choice, and after it.
        fields: those of the cards that fit.
        matter: the choices that matter after it.
        ways: how it leads to the other stage.
    """

    def __init__(self, layout: Layout, fields: Sequence[int], after: Layout, matter: int, ways: Ways) -> None:
        units = {field: after.unit(spare, fits & matter) for field, (spare, fits) in layout.sorts.items()}
        self._alike = [after.state(0, (), spare) for spare in ways.alike]
        self._takes = [(after.state(0, (), take.spare), take.number, take.of) for take in ways.takes]
        self._spare = [(field, units[field]) for field in fields if layout.sorts[field][0]]
        # Unseen cards that are alike after the choice are looked at as if they were alike already.
        self._unseen: dict[int, list[int]] = defaultdict(list)
        for field in fields:
            if not layout.sorts[field][0]:
                self._unseen[units[field]].append(field)
        # Fields that move by the same number of bits are moved together.
        shifts: dict[int, list[int]] = defaultdict(list)
        for field, unit in units.items():
            if unit and field not in fields:
                shifts[unit.bit_length() - 1 - layout.width * field].append(field)
        self._shifts = [(layout.bits(them), max(shift, 0), max(-shift, 0)) for shift, them in shifts.items()]

    def moved(self, rest: int) -> int:
        """What the choice does not see of a state, as it is written afterwards."""
        return sum([(rest & bits) << up >> down for bits, up, down in self._shifts])

    def work(self, view: View) -> int:
        """How many outcomes there are, or a few more."""
        most = self._most(view)
        numbers = tuple(sorted([min(number, most) for _, number in self._numbers(view)]))
        return _looks(numbers, most) * (len(self._takes) + len(self._alike) * (1 + len(self._spare)))

    def outcomes(self, view: View, whole: int) -> list[tuple[int, int]]:
        """What may become of the cards that the choice sees, and how likely that is.

        Args:
            view: what it sees.
            whole: in how many parts chances are given.

        Returns:
            Each outcome as it is written afterwards, and its chance with any one Kingdom, in parts.
        """
        most = self._most(view)
        looks = [(0, 0, 1)]  # the cards not looked at; how many have been; in how many ways
        for unit, number in self._numbers(view):
            looks = [
                (left + unit * (number - more), looked + more, ways * comb(number, more))
                for left, looked, ways in looks
                for more in range(min(number, most - looked) + 1)
            ]
        ends = [self._ends(view, looked, whole) for looked in range(min(view.here, most) + 1)]
        return [(left + other, ways * share) for left, looked, ways in looks for other, share in ends[looked]]

    def _most(self, view: View) -> int:
        """How many unseen cards can be looked at: those in the Kingdom, and one that is taken."""
        return view.inside + len(self._alike)

    def _numbers(self, view: View) -> list[tuple[int, int]]:
        """The unseen cards that fit, sort by sort: what each is written as, and how many there are."""
        return [
            (unit, sum([view.counts[field] for field in fields])) for unit, fields in self._unseen.items()
        ]

    def _ends(self, view: View, looked: int, whole: int) -> list[tuple[int, int]]:
        """The ends of looking at just so many unseen cards, and how likely they are: the same as outcomes."""
        inside, here, counts = view
        rest = inside - looked + sum(unit * counts[field] for field, unit in self._spare)
        ends = []
        if looked:  # with an unseen card: one of them is not in the Kingdom
            ends += [(rest + 1 + more, whole // comb(here, looked)) for more in self._alike]
        if looked <= inside and looked == here:  # with none: all are in the Kingdom
            ends += [(rest + more, whole) for more in self._alike]
        if looked <= inside and looked < here:  # with one of the cards that are known not to be there
            share = whole // comb(here, looked) // (here - looked)
            ends += [(rest + more, share * number // of) for more, number, of in self._takes]
            ends += [
                (rest + more - unit, share * counts[field])
                for more in self._alike
                for field, unit in self._spare
                if counts[field]
            ]
        return ends


@cache
def _looks(numbers: tuple[int, ...], most: int) -> int:
    """How many ways there are to take up to `most` cards of several sorts, with so many cards of each."""
    ways = [1] + [0] * most
    for number in numbers:
        ways = [sum(ways[max(0, total - number) : total + 1]) for total in range(most + 1)]
    return sum(ways)
