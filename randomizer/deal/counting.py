"""How many ways there are to take cards so that wishes hold, exactly; and one of these ways, by chance.

Cards are alike if they count for the same wishes. What is counted are numbers of cards of each such sort, not
cards, so that a wish that one deal in many millions meets takes no longer than another.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, gcd
from operator import mul
from typing import NamedTuple

from randomizer.cards.model import Card

MAX_WORK = 40_000  # numbers to keep, of which that many take half a second
MAX_CLASSES = 150


class WorkLimitExceeded(Exception):
    """There are too many sorts of cards to count the ways.

    Attributes:
        heaps: where it is weights that part them, into how many heaps; else 0.
    """

    def __init__(self, heaps: int = 0) -> None:
        super().__init__(heaps)
        self.heaps = heaps


class Goal(NamedTuple):
    """A wish: how many cards are to be of which counter; if `given` is one, only where that is not 0."""

    counter: int
    min_count: int
    max_count: int | None
    condition: int | None = None

    def is_met(self, counts: Sequence[int]) -> bool:
        """Whether so many cards of each counter are what is wished for."""
        number = counts[self.counter]
        held = self.min_count <= number and (self.max_count is None or number <= self.max_count)
        return held or (self.condition is not None and not counts[self.condition])


class Goals(NamedTuple):
    """All wishes, and for each counter the names of the cards that count for it."""

    counters: tuple[frozenset[str], ...]
    goals: tuple[Goal, ...]

    def get_caps(self) -> list[int]:
        """For each counter, the number from which on more cards make no difference."""
        limits = [0] * len(self.counters)
        for counter, least, most, given in self.goals:
            limits[counter] = max(limits[counter], least if most is None else most + 1)
            if given is not None:
                limits[given] = max(limits[given], 1)
        return limits


class WeightedSampler:
    """Cards of several weights, of which each way to take some counts for the product of their weights.

    Args:
        weights: those of the cards.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self._weights = weights
        # By how many are taken, the ways to take them of the first cards: of none, of one, and so on.
        self._ways = [[1] * (len(weights) + 1)]

    def count_ways(self, number: int) -> int:
        """The ways to take so many of them."""
        while len(self._ways) <= number:
            self._ways.append([*accumulate(map(mul, self._weights, self._ways[-1]), initial=0)])
        return self._ways[number][-1]

    def sample(self, number: int, below: Callable[[int], int]) -> Iterator[int]:
        """The places of so many of them, any as likely as the product of their weights.

        Args:
            below: a whole number by chance, below the one that it is given.
        """
        rest = below(self.count_ways(number))
        for place in reversed(range(len(self._weights))):
            if not number:
                break
            weight = self._weights[place]
            share = weight * self._ways[number - 1][place]
            if rest < share:
                yield place
                number, rest = number - 1, rest // weight
            else:
                rest -= share


class CardClass(NamedTuple):
    """Cards that are alike: of one heap, and of the same counters.

    Attributes:
        weighed: the same cards with their weights, where these count.
    """

    stratum: int
    adds: tuple[int, ...]
    cards: tuple[Card, ...]
    weighed: WeightedSampler | None

    def count_ways(self, number: int) -> int:
        """The ways to take so many of them."""
        return self.weighed.count_ways(number) if self.weighed else comb(len(self.cards), number)

    def sample(self, number: int, below: Callable[[int], int]) -> list[Card]:
        """So many of them, by chance."""
        if self.weighed:
            return [self.cards[place] for place in self.weighed.sample(number, below)]
        rest = list(self.cards)
        return [rest.pop(below(len(rest))) for _ in range(number)]


State = tuple[int, ...]


class Resolution(NamedTuple):
    """The wishes of which all is known, and the counters that nothing asks for any more."""

    goals: tuple[Goal, ...]
    counters: tuple[int, ...]


class Branch(NamedTuple):
    """So many cards of a sort; what is left to take of each heap, what has been counted; in how many ways."""

    number: int
    left: State
    state: State
    ways: int


class WayCounter:
    """Counts the ways to take so many cards of each heap, such that the wishes hold.

    Args:
        heaps: the cards, in heaps of which so many each are taken.
        goals: the wishes.
        begun: by counter, how many cards count for it already.
        weights: by name, those of all cards, if a way is to count for the product of the weights in it.

    Attributes:
        sizes: how many cards each heap has.
        work: how many numbers may be kept before it is given up.
    """

    def __init__(
        self,
        heaps: Sequence[Sequence[Card]],
        goals: Goals,
        begun: Sequence[int] = (),
        weights: Mapping[str, int] = {},
    ) -> None:
        self.sizes = [len(heap) for heap in heaps]
        self.work = MAX_WORK
        self._limits = goals.get_caps()
        self._begun = tuple(
            min(many, limit)
            for many, limit in zip(begun or [0] * len(self._limits), self._limits, strict=True)
        )
        self._sorts: list[CardClass] = []
        for place, heap in enumerate(heaps):
            alike: dict[tuple[int, ...], list[Card]] = {}
            for card in heap:
                adds = tuple(int(card.name in counter) for counter in goals.counters)
                alike.setdefault(adds, []).append(card)
            # Those that count for nothing come last: whatever is left is taken of them.
            self._sorts += [
                CardClass(place, adds, tuple(cards), _weighed(cards, weights))
                for adds, cards in sorted(alike.items(), reverse=True)
            ]
        self._ways: dict[tuple[int, State, State], int] = {}
        self._drawing: dict[tuple[int, State, State], tuple[Sequence[Branch], Sequence[int]]] = {}
        self._settled = self._when_settled(goals.goals)

    def count_ways(self, taken: Sequence[int]) -> int:
        """In how many ways so many cards of each heap can be taken."""
        if len(self._sorts) > MAX_CLASSES:
            raise WorkLimitExceeded
        begun = self._after(-1, self._begun)
        return 0 if begun is None else self._count(0, tuple(taken), begun)

    def sample(self, taken: Sequence[int], below: Callable[[int], int]) -> list[list[Card]]:
        """So many cards of each heap, any such cards as likely as any others with which the wishes hold.

        Args:
            taken: how many of each heap; there has to be a way.
            below: a whole number by chance, below the one that it is given.
        """
        drawn: list[list[Card]] = [[] for _ in taken]
        left, state = tuple(taken), self._after(-1, self._begun) or ()
        for place, sort in enumerate(self._sorts):
            key = place, left, state
            if key not in self._drawing:
                options = self._options(*key)
                self._drawing[key] = options, reduce_weights([option.ways for option in options])
            options, shares = self._drawing[key]
            step = weighted_index(shares, below) if options[1:] else 0
            number, left, state, _ = options[step]
            if number:
                drawn[sort.stratum] += sort.sample(number, below)
        return drawn

    def _when_settled(self, goals: Sequence[Goal]) -> Mapping[int, Resolution]:
        """By the place of a sort, the wishes of which all is known after it, and what need not be kept."""
        last = [-1] * len(self._limits)
        for place, sort in enumerate(self._sorts):
            last = [place if add else before for add, before in zip(sort.adds, last, strict=True)]
        known: dict[int, list[Goal]] = {}
        kept = list(last)
        for goal in goals:
            counters = [goal.counter] if goal.condition is None else [goal.counter, goal.condition]
            place = max(last[counter] for counter in counters)
            known.setdefault(place, []).append(goal)
            for counter in counters:
                kept[counter] = max(kept[counter], place)
        self._firm = [
            (goal.counter, goal.min_count, goal.max_count, last[goal.counter])
            for goal in goals
            if goal.condition is None
        ]
        return {
            place: Resolution(
                tuple(known.get(place, ())), tuple(at for at, until in enumerate(kept) if until == place)
            )
            for place in {*known, *kept}
        }

    def _after(self, place: int, state: State) -> State | None:
        """What is to be kept of the counts after a sort; nothing if a wish no longer can hold."""
        if place not in self._settled:
            return state
        goals, done = self._settled[place]
        if not all(goal.is_met(state) for goal in goals):
            return None
        return tuple(0 if counter in done else many for counter, many in enumerate(state))

    def _hopeful(self, place: int, state: State, left: int) -> bool:
        """Whether what is wished for in any case is not too much yet, and what is left may be enough."""
        for counter, least, most, until in self._firm:
            if place < until and (
                state[counter] + left < least or (most is not None and state[counter] > most)
            ):
                return False
        return True

    def _count(self, place: int, left: State, state: State) -> int:
        if place == len(self._sorts):
            return int(not any(left))
        key = place, left, state
        if key not in self._ways:
            if len(self._ways) >= self.work:
                raise WorkLimitExceeded
            self._ways[key] = sum(option.ways for option in self._options(place, left, state))
        return self._ways[key]

    def _options(self, place: int, left: State, state: State) -> Sequence[Branch]:
        """How many cards of a sort may be taken, and what comes of it."""
        sort = self._sorts[place]
        heap, adds, cards, _ = sort
        wanted = left[heap]
        last = place + 1 == len(self._sorts) or self._sorts[place + 1].stratum != heap
        options = []
        for number in range(wanted if last else 0, min(wanted, len(cards)) + 1):
            counts = state
            if number:
                more = [many + number * add for many, add in zip(state, adds, strict=True)]
                counts = tuple(map(min, more, self._limits))
            after = self._after(place, counts)
            rest = (*left[:heap], wanted - number, *left[heap + 1 :])
            if after is None or not self._hopeful(place, after, sum(rest)):
                continue
            if ways := self._count(place + 1, rest, after):
                options.append(Branch(number, rest, after, sort.count_ways(number) * ways))
        return options


def _weighed(cards: Sequence[Card], weights: Mapping[str, int]) -> WeightedSampler | None:
    return WeightedSampler([weights[card.name] for card in cards]) if weights else None


def weighted_index(shares: Sequence[int], below: Callable[[int], int]) -> int:
    """The place of one of the shares, each as likely as it is large; one of them has to be more than 0."""
    rest, place = below(sum(shares)), 0
    while rest >= shares[place]:
        rest -= shares[place]
        place += 1
    return place


def reduce_weights(shares: Sequence[int]) -> Sequence[int]:
    """Shares in the same proportion, in numbers as small as can be."""
    divisor = gcd(*shares)
    return [share // divisor for share in shares]
