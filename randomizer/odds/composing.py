"""How many cards of each sort are turned up in deals that meet wishes, exactly.

Two cards are of a sort if they count for the same wishes, and change the same for the choices that follow. So
choices can be followed from there as from a deal without wishes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb, prod
from typing import NamedTuple

from randomizer.deal.wishes.goals import Goal, Goals, State
from randomizer.deal.wishes.strata import Stratum
from randomizer.odds.stages import Inside
from randomizer.odds.states import Composition, TooMuchWork

SUMS = 13  # that take about as long as to keep one number


class Alike(NamedTuple):
    """Cards that are alike.

    Attributes:
        adds: for which counters of the wishes they count.
        heap: the place of the one that they are of.
        asks: the choices that they ask for.
        inside: the place of what they change in the Kingdom, if that makes a difference.
        number: how many there are.
    """

    adds: State
    heap: int
    asks: int
    inside: int | None
    number: int


class Partly(NamedTuple):
    """Cards that are turned up, as far as the sorts have been gone through.

    Attributes:
        taken: how many of each heap.
        counts: how many count for each counter of the wishes, as far as that matters any more.
        asks: the choices that they ask for.
        inside: how many of the Kingdom change what, by its place.
    """

    taken: State
    counts: State
    asks: int
    inside: State


class Composing:
    """Goes through the cards, sort by sort.

    Args:
        heaps: the cards, as they are turned up.
        goals: what is wished for.
        ends: the chance, without the wishes, that so many cards of each heap are turned up and used.
        changes: by the name of a card and whether it is of the Kingdom, what it changes.
    """

    def __init__(
        self,
        heaps: Sequence[Stratum],
        goals: Goals,
        ends: Mapping[State, Fraction],
        changes: Callable[[str, bool], Inside],
    ) -> None:
        self._sizes = [len(heap.cards) for heap in heaps]
        self._kingdom = [heap.is_kingdom for heap in heaps]
        self._ends = ends
        self._most = [max(state[place] for state in ends) for place in range(len(heaps))]
        self._whole = max(map(self._in_kingdom, ends))
        self._limits = goals.get_caps()
        self._changes: dict[Inside, int] = {}  # what makes a difference in the Kingdom, by its place
        self._sorts = self._found(heaps, goals, changes)
        self._settled: dict[int, list[Goal]] = {}  # by the place of a sort, the wishes settled with it
        self._needed: list[Sequence[bool]] = []  # by the same, which counts have to be kept after it
        self._settle(goals)

    def compositions(self, work: float) -> Mapping[Composition, Fraction]:
        """The ways in which the wishes hold and no wanted card is turned up, and the chance of each.

        Raises:
            TooMuchWork: at some sort, it takes more sums than `work` to go on.
        """
        nothing = (0,) * len(self._sizes), (0,) * len(self._limits), 0, (0,) * len(self._changes)
        now = {Partly(*nothing): 1}
        for place, sort in enumerate(self._sorts):
            after: dict[Partly, int] = defaultdict(int)
            for partly, ways in now.items():
                for number in range(min(sort.number, self._room(partly.taken, sort.heap)) + 1):
                    more = self._with(partly, place, number)
                    if more:
                        after[more] += ways * comb(sort.number, number)
                if len(after) * SUMS > work:
                    raise TooMuchWork
            now = after
        found: dict[Composition, Fraction] = defaultdict(Fraction)
        for (taken, _, asks, inside), ways in now.items():
            if taken in self._ends:
                every = prod(comb(size, many) for size, many in zip(self._sizes, taken, strict=True))
                known = zip(self._changes, inside, strict=True)
                composition = Composition(asks, tuple((change, many) for change, many in known if many))
                found[composition] += self._ends[taken] * Fraction(ways, every)
        return found

    def _found(
        self, heaps: Sequence[Stratum], goals: Goals, changes: Callable[[str, bool], Inside]
    ) -> Sequence[Alike]:
        """The sorts, without the wanted cards; those that wishes count come first, and are settled soon."""
        alike: Counter[tuple[State, int, int, int]] = Counter()
        for place, heap in enumerate(heaps):
            for card in heap.cards:
                change = changes(card.name, heap.is_kingdom)
                if change.wanted:
                    continue
                adds = tuple(int(card.name in counter) for counter in goals.counters)
                matters = change.fits or change.place is not None
                inside = self._changes.setdefault(change, len(self._changes)) if matters else -1
                alike[adds, place, change.asks, inside] += 1
        return [
            Alike(adds, place, asks, None if inside < 0 else inside, number)
            for (adds, place, asks, inside), number in sorted(alike.items(), reverse=True)
        ]

    def _settle(self, goals: Goals) -> None:
        """Find out after which sort all is known of a wish."""
        last = [0] * len(self._limits)
        for place, sort in enumerate(self._sorts):
            last = [place if add else before for add, before in zip(sort.adds, last, strict=True)]
        kept = list(last)
        for goal in goals.goals:
            counters = [goal.counter] if goal.condition is None else [goal.counter, goal.condition]
            place = max(last[counter] for counter in counters)
            self._settled.setdefault(place, []).append(goal)
            for counter in counters:
                kept[counter] = max(kept[counter], place)
        self._needed = [[place < until for until in kept] for place in range(len(self._sorts))]

    def _with(self, partly: Partly, place: int, number: int) -> Partly | None:
        """The same with so many cards of a sort; nothing if a wish cannot hold any more."""
        taken, counts, asks, inside = partly
        adds, heap, also_asks, change, _ = self._sorts[place]
        if number:
            taken = _more(taken, heap, number)
            added = (many + number * add for many, add in zip(counts, adds, strict=True))
            counts, asks = tuple(map(min, added, self._limits)), asks | also_asks
            inside = inside if change is None else _more(inside, change, number)
        if goals := self._settled.get(place):
            if not all(goal.is_met(counts) for goal in goals):
                return None
            counts = tuple(
                many if needed else 0 for many, needed in zip(counts, self._needed[place], strict=True)
            )
        return Partly(taken, counts, asks, inside)

    def _room(self, taken: State, heap: int) -> int:
        """How many more cards of a heap may be turned up."""
        room = self._most[heap] - taken[heap]
        return min(room, self._whole - self._in_kingdom(taken)) if self._kingdom[heap] else room

    def _in_kingdom(self, taken: State) -> int:
        return sum([many for many, is_ in zip(taken, self._kingdom, strict=True) if is_])


def _more(numbers: State, place: int, more: int) -> State:
    return (*numbers[:place], numbers[place] + more, *numbers[place + 1 :])
