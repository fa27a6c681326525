"""How likely it is, exactly, that no wanted card comes out.

Nothing is dealt. All deals are followed together, from choice to choice, through the states that they may be
in: at which stage they are, how many cards of each sort nobody has looked at, and how many of those are in
the Kingdom. Cards that ask for nothing are alike but for the choices that they fit, so the states are few.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

from randomizer.odds.choosing import NextChoice, Weights
from randomizer.odds.relevant import Choices
from randomizer.odds.stages import Inside, Layouts, Numbers, Stage, Stages

END = Stage(0, 0, 0, ())  # where no choice can make a difference any more


class TooMuchWork(Exception):
    """It would take more sums than are allowed."""


class Kingdoms(NamedTuple):
    """All Kingdoms that have `inside` of the unseen cards, and ask for the same choices.

    Attributes:
        times: how many times they count; less than 0 to take back what has been counted too often.
        pending: the choices that are due with them.
        unseen: how many cards there are that may be in the Kingdom, by what they fit.
        inside: how many of these are.
        free: how many cards of each group are known not to be in the Kingdom.
    """

    times: int
    pending: int
    unseen: Mapping[int, int]
    inside: int
    free: Numbers


class Composition(NamedTuple):
    """What is known of the cards that are turned up and used.

    Attributes:
        asks: the choices that they ask for.
        inside: how many there are in the Kingdom that ask for choices, or fit some.
    """

    asks: int = 0
    inside: tuple[tuple[Inside, int], ...] = ()


class States:
    """The states that deals come through.

    Args:
        choices: the choices to follow.
        kingdom: names of the randomizers of which `count` are turned up.
    """

    def __init__(self, choices: Choices, kingdom: Set[str], count: int) -> None:
        self._stages = Stages(choices, kingdom)
        self._layouts = Layouts(self._stages)
        self._count = count
        self._kingdoms = comb(len(kingdom), count)

    def missed(self, asked: Mapping[int, Fraction], work: float) -> Fraction:
        """The chance that none of the wanted cards comes out, where each Kingdom is as likely as another.

        Args:
            asked: by the choices that landscapes ask for, the chance that they do and that none of them is
                wanted.
            work: how many sums are allowed. Those of a round of choices are counted before they are done, so
                that an attempt that takes too many is given up early.

        Raises:
            TooMuchWork: it takes more sums.
        """
        work -= len(asked) * 3 ** len(self._stages.asking)
        if work < 0:
            raise TooMuchWork
        every = (
            (chance / self._kingdoms, kingdoms)
            for choices, chance in asked.items()
            for kingdoms in self._turned_up(choices)
        )
        return self._missed(every, work)

    def missed_given(self, given: Mapping[Composition, Fraction], work: float) -> Fraction:
        """The same where it is known how likely which cards are turned up, if none of them is wanted.

        Raises:
            TooMuchWork: it takes more sums than `work`.
        """
        return self._missed(((chance, self._known(each)) for each, chance in given.items()), work)

    def inside(self, name: str, *, kingdom: bool) -> Inside:
        """What a card changes that is turned up and used, in the Kingdom or as a landscape."""
        return self._stages.inside(name, kingdom=kingdom)

    def _missed(self, begun: Iterable[tuple[Fraction, Kingdoms]], work: float) -> Fraction:
        now = self._begun(begun)
        missed = Fraction(0)
        while now:
            missed += self._ended(now.get(END, ()))
            steps = [
                NextChoice(self._stages, self._layouts, stage, _together(weights))
                for stage, weights in now.items()
                if stage != END
            ]
            work -= sum(step.work for step in steps)
            if work < 0:
                raise TooMuchWork
            now = _made(steps)
        return missed

    def _begun(self, begun: Iterable[tuple[Fraction, Kingdoms]]) -> Mapping[Stage, list[Weights]]:
        """The states before the first choice."""
        states: dict[Stage, list[Weights]] = defaultdict(list)
        for chance, (times, pending, unseen, inside, free) in begun:
            stage, spare = self._stages.arrival(pending, 0, free)
            sorts = ((fits & stage.matter, number) for fits, number in unseen.items())
            state = self._layouts[stage.matter].state(inside, sorts, spare)
            states[stage].append(Weights(chance.denominator, {state: times * chance.numerator}))
        return states

    def _known(self, known: Composition) -> Kingdoms:
        """The Kingdoms of which it is known how many cards are in it that make a difference."""
        unseen, groups = Counter(self._stages.plain), self._stages.groups
        free = {place: groups[place].number for places in self._stages.asking.values() for place in places}
        for inside, number in known.inside:
            if inside.place is None:
                unseen[inside.fits] -= number
            else:
                free[inside.place] -= number
        return Kingdoms(1, known.asks, unseen, 0, (*self._stages.outside, *free.items()))

    def _turned_up(self, pending: int) -> Iterable[Kingdoms]:
        """All Kingdoms without a wanted card, by the choices that they ask for besides those pending."""
        found = [Kingdoms(1, pending, self._stages.plain, self._count, self._stages.outside)]
        for asks, places in self._stages.asking.items():
            cards = self._stages.numbers(places)
            found = [part for kingdoms in found for part in self._parted(kingdoms, asks, cards)]
        return found

    def _parted(self, kingdoms: Kingdoms, asks: int, cards: Numbers) -> Iterator[Kingdoms]:
        """The Kingdoms with and without some of these cards, which all ask for the same choices."""
        pending = kingdoms.pending | asks
        none = kingdoms._replace(free=(*kingdoms.free, *cards))
        unseen = Counter(kingdoms.unseen)
        for place, number in cards:
            unseen[self._stages.fits[place]] += number
        any_number = kingdoms._replace(pending=pending, unseen=unseen)
        if pending == kingdoms.pending:
            yield any_number
            return
        yield none
        if sum(number for _, number in cards) > 1:  # some: any number, less none
            yield any_number
            yield none._replace(times=-kingdoms.times, pending=pending)
        elif kingdoms.inside:
            yield kingdoms._replace(pending=pending, inside=kingdoms.inside - 1)

    def _ended(self, weights: Sequence[Weights]) -> Fraction:
        """How many Kingdoms have come to an end without a wanted card; of each, as much as is likely."""
        whole, parts = _together(weights)
        counts = ((self._layouts[END.matter].counts(state), part) for state, part in parts.items())
        return Fraction(sum(part * comb(unseen, inside) for (inside, unseen), part in counts), whole)


def _made(steps: Iterable[NextChoice]) -> Mapping[Stage, list[Weights]]:
    """The states after these choices."""
    after: dict[Stage, list[Weights]] = defaultdict(list)
    for step in steps:
        for stage, weights in step.after():
            after[stage].append(weights)
    return after


def _together(many: Sequence[Weights]) -> Weights:
    """The weights as parts of one whole, added up where the state is the same."""
    whole = lcm(*(weights.whole for weights in many))
    parts: dict[int, int] = defaultdict(int)
    for weights in many:
        times = whole // weights.whole
        for state, part in weights.parts.items():
            parts[state] += times * part
    return Weights(whole, parts)
