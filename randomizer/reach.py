"""How likely a deal brings a card out, exactly: through the Kingdom, a Bane, Ferryman's pile and so on.

Nothing is dealt. The chance that none of the wanted cards comes out is worked out instead. Cards that ask for
nothing are alike but for the choices that they fit: it is enough to know how many there are of each sort, and
how many of all of them are in the Kingdom, any as likely as others. To choose an unused card is to look at
those that fit, until one is not in the Kingdom: each look tells about one card, and leaves the rest even.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import comb, lcm, prod
from typing import NamedTuple

from randomizer.collection import Collection
from randomizer.effects import Deal, Put, Replace
from randomizer.game import Game
from randomizer.model import Amount, Card, Query
from randomizer.table import Effect

Choice = tuple[str, Deal]  # a deal with the name that it goes by
MOST_STATES = 20_000  # a second or two


class TooManyStates(Exception):
    """It would take too long to follow so many choices."""


class Outcome(NamedTuple):
    """What comes of a card in use: the choices that it asks for, as bits, and whether it is wanted."""

    asks: int
    wanted: bool


class Group(NamedTuple):
    """Cards that are alike: how many; what comes of one as a pile; and what of one that is drawn.

    `drawn` has for each choice the outcomes that are equally likely; none where the cards do not fit.
    """

    number: int
    itself: Outcome
    drawn: tuple[tuple[Outcome, ...], ...]


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


def laid_out(effect: Effect) -> Sequence[str]:
    """The cards that an effect brings out by their names."""
    if isinstance(effect, Put):
        return effect.cards
    return [new for _, many in effect.cards for new in many] if isinstance(effect, Replace) else []


class Brings(NamedTuple):
    """What a card brings once it is in use, without chance: cards, choices, and what choices go by."""

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class Brought:
    """What each card brings: by put and replace, whole decks, members of mixed piles, and theirs in turn."""

    def __init__(self, game: Game, collection: Collection) -> None:
        self._game = game
        self._collection = collection
        self._known: dict[str, Brings] = {}

    def by(self, name: str) -> Brings:
        """What this card brings, itself among it."""
        if name not in self._known:
            names, choices, slots, found = {name}, set(), set(), [name]
            while found:
                cause = found.pop()
                more = [member for member, _ in self._game.cards[cause].pile]
                for effect in self._game.setup.get(cause, ()):
                    more += laid_out(effect)
                    if isinstance(effect, Deal):
                        slots.add(effect.slot(cause))
                        if effect.count.number is None:
                            more += [card.name for card in self._collection.answering(effect.is_)]
                        else:
                            choices.add((effect.slot(cause), effect))
                found += set(more) - names
                names.update(more)
            self._known[name] = Brings(frozenset(names), frozenset(choices), frozenset(slots))
        return self._known[name]


class Reach:
    """The ways in which wanted cards come out.

    Args:
        game, collection: the cards, and those that are dealt from.
        kingdom: the randomizers of which `count` are turned up.
        wanted: names of cards; one of them is enough.
        most: how many choices to follow of those that may take one another's cards, the first ones; later
            ones are `left_out`.
    """

    def __init__(
        self,
        game: Game,
        collection: Collection,
        brought: Brought,
        kingdom: Iterable[Card],
        count: int,
        wanted: Iterable[str],
        most: int,
    ) -> None:
        self._game = game
        self._collection = collection
        self._brought = brought
        self._count = count
        self._wanted = frozenset(wanted)
        self._most = most
        self._kingdom = list(kingdom)
        self._choices: list[Choice] = []
        self.left_out: tuple[str, ...] = ()
        self.followed = 0
        self._find_choices()
        self._groups: list[Group] = []  # those of which a card can be in the Kingdom first
        self._plain: Counter[int] = Counter()
        self._group()
        self._fits = [_bits(group.drawn) for group in self._groups]
        self._ahead: dict[tuple[int, int, Numbers], tuple[int, Numbers, Counts]] = {}
        self._known: dict[State, Fraction] = {}
        self._begun = 0

    def outcome(self, name: str) -> Outcome:
        """What comes of the card once it is in use."""
        brings = self._brought.by(name)
        asks = sum(1 << number for number, choice in enumerate(self._choices) if choice in brings.choices)
        return Outcome(asks, not self._wanted.isdisjoint(brings.names))

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
        every = comb(len(self._kingdom), self._count)
        return sum((Fraction(many, every) * self._missed(state) for state, many in ways.items()), Fraction(0))

    # ── What there is ──

    def _find_choices(self) -> None:
        """The choices that may lead to a wanted card or take a card from one that may, in their order.

        Left out are those of more cards than one, and whatever hangs on what they leave.
        """
        every = [self._brought.by(card.name) for card in self._collection.answering(Query())]
        asked = {
            choice for brings in every if self._wanted.isdisjoint(brings.names) for choice in brings.choices
        }
        leading: set[Choice] = set()
        while new := {choice for choice in asked - leading if self._leads(choice, leading)}:
            leading |= new
        matter = set(leading)
        while new := {choice for choice in asked - matter if self._meets(choice, matter)}:
            matter |= new
        ranks = Counter(map(self._rank, matter))
        unknown: list[Choice] = []
        for choice in sorted(matter, key=self._rank):
            alone = not any(self._share(choice, other) for other in matter - {choice})
            single = choice[1].count == Amount(1) and choice[1].each == "game"
            known = single and not any(self._share(choice, other) for other in unknown)
            if known and ranks[self._rank(choice)] == 1 and (alone or self.followed < self._most):
                self._choices.append(choice)
                self.followed += not alone
            else:
                unknown.append(choice)
        self.left_out = tuple(choice[0] for choice in unknown if choice in leading)

    def _rank(self, choice: Choice) -> tuple[int, int]:
        return self._game.rank((choice[1], choice[0]))

    def _leads(self, choice: Choice, known: Set[Choice]) -> bool:
        """Whether it may take a wanted card, or one that asks for a choice that may."""
        brought = [self._brought.by(name) for names in self._drawn(choice[1]).values() for name in names]
        return any(
            not self._wanted.isdisjoint(brings.names) or not known.isdisjoint(brings.choices)
            for brings in brought
        )

    def _meets(self, choice: Choice, known: Set[Choice]) -> bool:
        """Whether it may take a card that one of the known choices could take, or that asks for one."""
        return self._leads(choice, known) or any(self._share(choice, other) for other in known)

    def _share(self, one: Choice, other: Choice) -> bool:
        """Whether there are cards that either may take."""
        return not self._drawn(one[1]).keys().isdisjoint(self._drawn(other[1]))

    def _drawn(self, deal: Deal) -> Mapping[str, list[str]]:
        """By the name of the pile that is taken, the cards of which one comes into use."""
        if deal.to in ("aside", "deck"):
            return {
                name: [card.name for card in cards]
                for name, cards in self._collection.singly(deal.is_).items()
            }
        return {card.name: [card.name] for card in self._collection.answering(deal.is_)}

    def _group(self) -> None:
        drawn = [self._drawn(deal) for _, deal in self._choices]
        randomizers = {card.name for card in self._kingdom}
        others = {name for choice in drawn for name in choice} - randomizers
        for names in (randomizers, others):
            alike: Counter[tuple[Outcome, tuple[tuple[Outcome, ...], ...]]] = Counter()
            for name in names:
                outcomes = tuple(self._outcomes(choice.get(name, ())) for choice in drawn)
                if names is randomizers and not any(map(any, [self.outcome(name), *sum(outcomes, ())])):
                    self._plain[_bits(outcomes)] += 1
                else:
                    alike[self.outcome(name), outcomes] += 1
            self._groups += [Group(number, *key) for key, number in alike.items()]
            if names is randomizers:
                self._randomizers = len(self._groups)

    def _outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        outcomes = list(map(self.outcome, names))
        return tuple(outcomes[:1] if len(set(outcomes)) == 1 else outcomes)

    # ── What may happen ──

    def _turned_up(
        self, place: int, left: int, pending: int, free: tuple[tuple[int, int], ...]
    ) -> Iterator[tuple[int, int, int, tuple[tuple[int, int], ...]]]:
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
