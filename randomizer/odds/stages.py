"""The stages of a deal: which choices are still to be made, and which cards have to be told apart for it.

And how a state is written: how many cards of each sort there are, as one number.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import reduce
from operator import or_
from typing import NamedTuple

from randomizer.odds.relevant import Choices, Group, Outcome

Numbers = tuple[
    tuple[int, int], ...
]  # how many cards: of a group, by its place; of spare cards, by what they fit


class Stage(NamedTuple):
    """Where a deal stands before a choice, apart from how many cards there are that are alike.

    Sets of choices are the bits of a number, in the order in which they are made.

    Attributes:
        pending: the choices that are due.
        done: those that have been made and that a card might ask for once more.
        matter: those, due or not, that can still make a difference to whether a wanted card comes out.
        free: how many cards there are of each group that has to be told apart; none is in the Kingdom.
    """

    pending: int
    done: int
    matter: int
    free: Numbers

    @property
    def choice(self) -> int:
        """The place of the choice that is made next."""
        return (self.pending & -self.pending).bit_length() - 1


class Arrival(NamedTuple):
    """A stage that is reached, and the cards that become spare there: no longer told apart."""

    stage: Stage
    spare: Numbers


class Take(NamedTuple):
    """One of `number` cards is taken, and one of `of` equally likely outcomes comes of it."""

    number: int
    of: int
    spare: Numbers


class Ways(NamedTuple):
    """The ways in which a choice leads to a stage.

    Attributes:
        alike: the cards that become spare when it takes a card that is not told apart, or finds none to take;
            nothing in the list if that does not lead there.
        takes: the cards told apart that lead there when it takes them.
    """

    alike: list[Numbers]
    takes: list[Take]


class Inside(NamedTuple):
    """What a card changes that is turned up and used.

    Attributes:
        asks: the choices that it asks for.
        wanted: whether it is wanted, or brings such a card.
        fits: the choices that it would fit, and that cannot take it any more.
        place: that of its group, if it asks for choices.
    """

    asks: int = 0
    wanted: bool = False
    fits: int = 0
    place: int | None = None


class Stages:
    """Which stages there are, and how they follow each other.

    What a card fits are the choices that may take it.

    Args:
        choices: the choices to follow.
        kingdom: names of the randomizers.

    Attributes:
        plain: how many randomizers ask for nothing and are not wanted, by what they fit.
        groups: all the other cards, in groups of those that are alike.
        fits: what the cards of each group fit.
        asking: the places of the groups that ask for choices from the Kingdom, by these choices.
        outside: how many cards there are of the other groups. They are not in the Kingdom, or there is
            nothing to follow because a wanted card is.
    """

    def __init__(self, choices: Choices, kingdom: Set[str]) -> None:
        self.plain: dict[int, int] = defaultdict(int)
        self.groups: list[Group] = []
        self.asking: dict[int, list[int]] = defaultdict(list)
        self._choices = choices
        for group in choices.groups(kingdom):
            if not any(group.itself):
                self.plain[_bits(group.drawn)] += group.number
                continue
            if not group.itself.wanted:
                self.asking[group.itself.asks].append(len(self.groups))
            self.groups.append(group)
        self.groups += choices.groups(choices.others(kingdom))
        self.fits = [_bits(group.drawn) for group in self.groups]
        inside = {place for places in self.asking.values() for place in places}
        self.outside = self.numbers(place for place in range(len(self.groups)) if place not in inside)
        self._rivals: dict[int, int] = defaultdict(int)  # by choice, those that may take one of its cards
        for fits in {*self.plain, *self.fits}:
            for choice in _places(fits):
                self._rivals[choice] |= fits
        self._arrivals: dict[tuple[int, int, Numbers], Arrival] = {}

    def numbers(self, places: Iterable[int]) -> Numbers:
        """How many cards there are of each of these groups."""
        return tuple((place, self.groups[place].number) for place in places)

    def inside(self, name: str, *, kingdom: bool) -> Inside:
        """What a card changes that is turned up and used, in the Kingdom or as a landscape."""
        group = self._choices.alike(name)
        (asks, wanted), fits = group.itself, _bits(group.drawn)
        if not kingdom:
            return Inside(asks, wanted)
        if not any(group.itself):
            return Inside(fits=fits)
        places = self.asking.get(asks, ()) if not wanted else ()
        alike = [place for place in places if self.groups[place].drawn == group.drawn]
        return Inside(asks, wanted, fits, alike[0] if alike else None)

    def after(self, stage: Stage) -> Mapping[Stage, Ways]:
        """The stages that the next choice leads to, unless it takes a wanted card."""
        pending, done = stage.pending & ~(1 << stage.choice), stage.done | 1 << stage.choice
        after: dict[Stage, Ways] = defaultdict(lambda: Ways([], []))
        arrival = self.arrival(pending, done, stage.free)
        after[arrival.stage].alike.append(arrival.spare)
        for place, number in stage.free:
            drawn = self.groups[place].drawn[stage.choice]
            left = tuple((other, many - (other == place)) for other, many in stage.free)
            for outcome in drawn:
                if not outcome.wanted:
                    arrival = self.arrival(pending | outcome.asks & ~done, done, left)
                    after[arrival.stage].takes.append(Take(number, len(drawn), arrival.spare))
        return after

    def arrival(self, pending: int, done: int, free: Numbers) -> Arrival:
        """The stage where these choices are pending and done, and these cards free.

        Whatever makes no difference any more is left out of it, so that more deals come to the same stage.
        """
        key = pending, done, free
        if key not in self._arrivals:
            self._arrivals[key] = self._narrowed(*key)
        return self._arrivals[key]

    def _narrowed(self, pending: int, done: int, free: Numbers) -> Arrival:
        ahead = {place: self._ahead(place, pending | done) for place, number in free if number}
        matter = self._matter(pending, {each for outcomes in ahead.values() for each in outcomes})
        told_apart, spare, again = [], [], 0
        for place, number in free:
            outcomes = [outcome for choice, outcome in ahead.get(place, ()) if matter >> choice & 1]
            if any(outcome.wanted or outcome.asks & matter for outcome in outcomes):
                told_apart.append((place, number))
                again |= _union(outcome.asks for _, outcome in self._ahead(place, 0))
            elif number and self.fits[place] & matter:
                spare.append((self.fits[place] & matter, number))
        stage = Stage(pending & matter, done & again, matter, tuple(sorted(told_apart)))
        return Arrival(stage, tuple(spare))

    def _ahead(self, place: int, asked: int) -> list[tuple[int, Outcome]]:
        """What comes of a card of the group by which choice, without what has been asked for already."""
        return [
            (choice, Outcome(outcome.asks & ~asked, outcome.wanted))
            for choice, drawn in enumerate(self.groups[place].drawn)
            for outcome in drawn
        ]

    def _matter(self, pending: int, ahead: Set[tuple[int, Outcome]]) -> int:
        """The choices that can take a wanted card, lead to one that matters, or take a card from one."""
        coming, before = pending, 0
        while coming != before:
            before = coming
            coming |= _union(outcome.asks for choice, outcome in ahead if before >> choice & 1)
        matter, before = 0, -1
        while matter != before:
            before = matter
            for choice, outcome in ahead:
                if coming >> choice & 1 and (outcome.wanted or outcome.asks & before):
                    matter |= 1 << choice
            for choice in _places(coming & ~before):
                later = -1 << choice | ~pending  # one that is not due yet may be asked for after it
                if self._rivals[choice] & before & later:
                    matter |= 1 << choice
        return matter


class Layout:
    """How a state is written: as a number with a field of so many bits for each count.

    So all counts of a state are added, compared and looked up at once. Field 0 says how many of the unseen
    cards are in the Kingdom: each is as likely to be as any other. Then come the numbers of unseen cards, and
    those of spare cards, which are known not to be in the Kingdom; both by what they fit.

    Args:
        width: the bits of a field.
        unseen, spare: what such cards may fit.

    Attributes:
        sorts: by field, from 1 on: whether the cards are spare, and what they fit.
    """

    def __init__(self, width: int, unseen: Iterable[int], spare: Iterable[int]) -> None:
        self.width = width
        sorts = [(False, fits) for fits in sorted(unseen)] + [(True, fits) for fits in sorted(spare)]
        self.sorts = dict(enumerate(sorts, 1))
        self._units = {sort: 1 << width * field for field, sort in self.sorts.items()}

    def unit(self, spare: bool, fits: int) -> int:
        """What one such card adds to the number: nothing if it is spare and fits no choice."""
        return self._units[spare, fits] if fits or not spare else 0

    def state(self, inside: int, unseen: Iterable[tuple[int, int]], spare: Numbers) -> int:
        """The number for so many unseen cards in the Kingdom, and so many cards by what they fit."""
        return (
            inside
            + sum(number * self.unit(False, fits) for fits, number in unseen)
            + sum(number * self.unit(True, fits) for fits, number in spare)
        )

    def counts(self, state: int) -> list[int]:
        """What each field says."""
        field = (1 << self.width) - 1
        return [state >> shift & field for shift in range(0, self.width * (len(self.sorts) + 1), self.width)]

    def bits(self, fields: Iterable[int]) -> int:
        """The bits of these fields."""
        return sum(((1 << self.width) - 1) << self.width * field for field in fields)


class Layouts(dict[int, Layout]):
    """The layouts of the states of a deal, by the choices that matter."""

    def __init__(self, stages: Stages) -> None:
        super().__init__()
        asking = {stages.fits[place] for places in stages.asking.values() for place in places}
        self._unseen = {*stages.plain, *asking}
        self._spare = set(stages.fits)
        cards = sum(stages.plain.values()) + sum(group.number for group in stages.groups)
        self._width = cards.bit_length()

    def __missing__(self, matter: int) -> Layout:
        unseen = {fits & matter for fits in self._unseen} | {0}
        spare = {fits & matter for fits in self._spare} - {0}
        self[matter] = Layout(self._width, unseen, spare)
        return self[matter]


def _bits(fits: Iterable[object]) -> int:
    """The places of those that are something, as bits."""
    return _union(1 << place for place, each in enumerate(fits) if each)


def _places(bits: int) -> Iterator[int]:
    """The places of the bits."""
    return (place for place in range(bits.bit_length()) if bits >> place & 1)


def _union(many: Iterable[int]) -> int:
    """The bits that any of them has."""
    return reduce(or_, many, 0)
