"""How likely a deal brings a card out, exactly: through the Kingdom, a Bane and other choices.

Nothing is dealt. The chance that none of the wanted cards comes out is worked out instead. Cards that ask for
nothing are alike but for the choices that they fit: it is enough to know how many there are of each sort, and
how many of all of them are in the Kingdom, any as likely as others. To choose an unused card is to look at
those that fit, until one is not in the Kingdom: each look tells about one card, and leaves the rest even.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from fractions import Fraction
from math import comb, lcm, prod
from typing import NamedTuple

from randomizer.odds.relevant import Choices, Group

MOST_STATES = 20_000  # a second or two for each question, and for each choice more


class TooManyStates(Exception):
    """It would take too long to follow so many choices."""


# How many cards fit each of several sets of choices; a set of choices is the bits of a number.
Counts = tuple[tuple[int, int], ...]
Numbers = tuple[tuple[int, int], ...]  # how many there are of each group, by its place


class State(NamedTuple):
    """What is known of the unused cards when a choice is due.

    Attributes:
        pending, done: the choices to be made, and those that have been.
        plain: how many cards there are that ask for nothing, each in the Kingdom or not.
        used: how many of all the `plain` cards are in the Kingdom.
        idle: how many more there are that ask for nothing new, none of them in the Kingdom.
        free: how many there are of each other group, none of them in the Kingdom.
    """

    pending: int
    done: int
    plain: Counts
    used: int
    idle: Counts
    free: Numbers


class Reach:
    """The ways in which wanted cards come out.

    Args:
        choices: the choices that may lead there.
        kingdom: names of the randomizers of which `count` are turned up.
    """

    def __init__(self, choices: Choices, kingdom: Set[str], count: int) -> None:
        self._count = count
        self._kingdom = len(kingdom)
        self._plain: Counter[int] = Counter()
        self._groups: list[Group] = []  # first those of which a card can be in the Kingdom
        for group in choices.groups(kingdom):
            if any(map(any, [group.itself, *sum(group.drawn, ())])):
                self._groups.append(group)
            else:
                self._plain[_bits(group.drawn)] += group.number
        self._randomizers = len(self._groups)
        self._groups += choices.groups(choices.others(kingdom))
        self._fits = [_bits(group.drawn) for group in self._groups]
        self._ahead: dict[tuple[int, int, Numbers], tuple[int, Numbers, Counts]] = {}
        self._known: dict[State, Fraction] = {}
        self._begun = 0

    def missed(self, asked: int) -> Fraction:
        """The chance that none of the wanted cards comes out, if landscapes ask for these choices.

        Raises:
            TooManyStates: it would take too long.
        """
        ways: Counter[State] = Counter()
        plain = dict(self._plain)
        number = sum(plain.values())
        for many, used, pending, free in self._turned_up(0, self._count, asked, ()):
            ways[self._narrowed(pending, 0, plain, used, (), free)] += many * comb(number, used)
        every = comb(self._kingdom, self._count)
        return sum((Fraction(many, every) * self._missed(state) for state, many in ways.items()), Fraction(0))

    def _turned_up(
        self, place: int, left: int, pending: int, free: Numbers
    ) -> Iterator[tuple[int, int, int, Numbers]]:
        """In how many ways the Kingdom has so many of each group, but no wanted card.

        With it, how many plain cards it has, what it asks for, and what is left over.
        """
        if place == len(self._groups):
            yield 1, left, pending, free
            return
        group = self._groups[place]
        most = 0 if group.itself.wanted or place >= self._randomizers else min(group.number, left)
        for used in range(most + 1):
            rest = (*free, (place, group.number - used)) if used < group.number else free
            asks = pending | group.itself.asks if used else pending
            for ways, plain, asked, over in self._turned_up(place + 1, left - used, asks, rest):
                yield comb(group.number, used) * ways, plain, asked, over

    def _missed(self, state: State) -> Fraction:
        """The chance that the choices still to be made bring out no wanted card."""
        if not state.pending:
            return Fraction(1)
        if state not in self._known:
            self._begun += 1
            if self._begun > MOST_STATES:
                raise TooManyStates
            ways, every = self._chosen(state)
            chances = [(many, self._missed(after)) for after, many in ways.items()]
            # One sum of whole numbers, because thousands of fractions would each be cut down.
            whole = lcm(*(chance.denominator for _, chance in chances))
            total = sum(many * chance.numerator * (whole // chance.denominator) for many, chance in chances)
            self._known[state] = Fraction(total, every * whole)
        return self._known[state]

    def _chosen(self, state: State) -> tuple[Mapping[State, int], int]:
        """In how many ways the next choice may come out, wanted cards apart; and of how many in all."""
        bit = state.pending & -state.pending  # choices are numbered in the order in which they are made
        choice = bit.bit_length() - 1
        pending, done = state.pending ^ bit, state.done | bit
        fitting = _merged(((fits, number) for fits, number in state.plain if fits & bit), ~bit)
        others = [(fits, number) for fits, number in state.plain if not fits & bit]
        idle = [(fits, number) for fits, number in state.idle if fits & bit]
        free = [(place, number) for place, number in state.free if self._fits[place] & bit]
        plain = sum(fitting.values())
        here = plain + sum(number for _, number in (*idle, *free))
        hidden = sum(number for _, number in state.plain)
        looks = min(state.used, plain)  # so many fitting cards at most are in the Kingdom
        every = lcm(*(len(self._groups[place].drawn[choice]) for place, _ in free))
        every *= prod(max(here - look, 1) * max(hidden - look, 1) for look in range(looks + 1))
        found: Counter[State] = Counter()

        def add(counts: tuple[int, ...], left: Counts, over: Numbers, asks: int, ways: int) -> None:
            plain = _merged((*others, *zip(fitting, counts, strict=True)), -1)
            found[self._narrowed(pending | asks, done, plain, used, left, over)] += ways

        looked: Mapping[tuple[int, ...], int] = {tuple(fitting.values()): every}
        for look in range(looks + 1):  # so many cards have been looked at, and are in the Kingdom
            used = state.used - look
            again: Counter[tuple[int, ...]] = Counter()
            taken: Counter[tuple[int, ...]] = Counter()
            for counts, ways in looked.items():
                if here == look:
                    add(counts, state.idle, state.free, 0, ways)
                    continue
                each = ways // (here - look)
                for at, number in enumerate(counts):
                    if number:
                        rest = (*counts[:at], number - 1, *counts[at + 1 :])
                        part = each * number // (hidden - look)
                        again[rest] += part * used
                        taken[rest] += part * (hidden - look - used)
                for fits, number in idle:
                    add(counts, _without(state.idle, fits), state.free, 0, each * number)
                for place, number in free:
                    drawn = self._groups[place].drawn[choice]
                    for outcome in drawn:
                        if not outcome.wanted:
                            over = _without(state.free, place)
                            add(counts, state.idle, over, outcome.asks & ~done, each * number // len(drawn))
            for counts, ways in taken.items():
                if ways:
                    add(counts, state.idle, state.free, 0, ways)
            looked = {counts: ways for counts, ways in again.items() if ways}
        return found, every

    def _narrowed(
        self, pending: int, done: int, plain: Mapping[int, int], used: int, idle: Counts, free: Numbers
    ) -> State:
        """The state without what can make no difference any more, so that more states are the same."""
        key = pending, done, free
        if key not in self._ahead:
            self._ahead[key] = self._look_ahead(pending, done, free)
        coming, kept, more = self._ahead[key]
        left = _merged((*idle, *more), coming)
        left.pop(0, None)
        there = tuple(sorted(_merged(plain.items(), coming).items()))
        return State(pending, done, there, used, tuple(sorted(left.items())), kept)

    def _look_ahead(self, pending: int, done: int, free: Numbers) -> tuple[int, Numbers, Counts]:
        """The choices that can still come; the groups that may bring one or are wanted; and the others."""
        coming, before = pending, 0
        while coming != before:
            before = coming
            for place, _ in free:
                for choice, outcomes in enumerate(self._groups[place].drawn):
                    if before >> choice & 1:
                        for outcome in outcomes:
                            coming |= outcome.asks & ~done
        kept, idle = [], []
        for place, number in free:
            ahead = [
                outcome
                for choice, drawn in enumerate(self._groups[place].drawn)
                if coming >> choice & 1
                for outcome in drawn
            ]
            if any(outcome.wanted or outcome.asks & ~(pending | done) for outcome in ahead):
                kept.append((place, number))
            else:
                idle.append((self._fits[place], number))
        return coming, tuple(kept), tuple(idle)


def _bits(fits: Iterable[object]) -> int:
    """The places of those that are something, as bits."""
    return sum(1 << place for place, each in enumerate(fits) if each)


def _merged(counts: Iterable[tuple[int, int]], keep: int) -> dict[int, int]:
    """The counts by those of their choices that are kept."""
    merged: dict[int, int] = {}
    for fits, number in counts:
        merged[fits & keep] = merged.get(fits & keep, 0) + number
    return merged


def _without(counts: tuple[tuple[int, int], ...], one: int) -> tuple[tuple[int, int], ...]:
    """The counts with one less there."""
    less = ((key, number - (key == one)) for key, number in counts)
    return tuple((key, number) for key, number in less if number)
