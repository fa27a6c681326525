"""Exact counting, and random sampling, of the ways to take cards so that all goals are met.

A way is a set of cards with a given number of cards from each stratum. The cards of a stratum that count for
the same counters are interchangeable: they form a card class. The number of ways to take a given number of
cards from a class is a binomial coefficient, as in the multivariate hypergeometric distribution. If the cards
have weights, each way counts as often as the product of its weights, and the number becomes an elementary
symmetric polynomial of the weights. Dynamic programming over the classes combines these numbers. The effort
depends on the number of classes, not on the probability of success.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, gcd
from operator import mul
from typing import NamedTuple

from randomizer.cards.model import Card
from randomizer.deal.wishes.goals import Goals, GoalTracker, State

MAX_WORK = 40_000  # entries of the dynamic programming table; computing this many takes half a second
MAX_CLASSES = 150

RandBelow = Callable[[int], int]  # n -> a uniform integer in [0, n)


class WorkLimitExceeded(Exception):
    """Counting would take too long.

    Attributes:
        stratum_count: the number of strata, if weights cause too many of them; otherwise 0.
    """

    def __init__(self, stratum_count: int = 0) -> None:
        super().__init__(stratum_count)
        self.stratum_count = stratum_count


class WeightedSampler:
    """A sampler of subsets whose probability is proportional to the product of their weights.

    Args:
        weights: the weights of the items.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self._weights = weights
        # _ways[k][i] is the elementary symmetric polynomial e_k(w_1, ..., w_i): the sum of the products of
        # all subsets of size k of the first i weights.
        self._ways = [[1] * (len(weights) + 1)]

    def count_ways(self, count: int) -> int:
        """Return the number of subsets of a given size, each weighted with the product of its weights."""
        while len(self._ways) <= count:
            self._ways.append([*accumulate(map(mul, self._weights, self._ways[-1]), initial=0)])
        return self._ways[count][-1]

    def sample(self, count: int, randbelow: RandBelow) -> Iterator[int]:
        """Yield the indexes of a random subset of a given size, in descending order."""
        rest = randbelow(self.count_ways(count))
        for index in reversed(range(len(self._weights))):
            if not count:
                break
            weight = self._weights[index]
            ways = weight * self._ways[count - 1][index]
            if rest < ways:
                yield index
                count, rest = count - 1, rest // weight
            else:
                rest -= ways


class CardClass(NamedTuple):
    """Cards of one stratum that count for the same counters.

    Attributes:
        stratum: the index of the stratum.
        increments: for each counter, 1 if a card of the class counts for it, otherwise 0.
        cards: the cards of the class.
        sampler: a sampler for the weights of the cards; None if weights are ignored.
    """

    stratum: int
    increments: tuple[int, ...]
    cards: tuple[Card, ...]
    sampler: WeightedSampler | None

    def count_ways(self, count: int) -> int:
        """Return the (weighted) number of ways to take a given number of cards from the class."""
        return self.sampler.count_ways(count) if self.sampler else comb(len(self.cards), count)

    def sample(self, count: int, randbelow: RandBelow) -> list[Card]:
        """Return a given number of random cards from the class."""
        if self.sampler:
            return [self.cards[index] for index in self.sampler.sample(count, randbelow)]
        remaining = list(self.cards)
        return [remaining.pop(randbelow(len(remaining))) for _ in range(count)]


class Branch(NamedTuple):
    """A possible number of cards to take from one class, and its consequences.

    Attributes:
        taken: the number of cards to take from the class.
        remaining: for each stratum, the number of cards to take from later classes.
        counts: the count of each counter after this class.
        ways: the (weighted) number of ways to take the cards of this class and of all later classes.
    """

    taken: int
    remaining: State
    counts: State
    ways: int


class WayCounter:
    """A calculator that counts the ways to take cards from the strata so that all goals are met.

    Args:
        strata: the cards of each stratum.
        goals: the goals to meet.
        initial_counts: the initial count of each counter; empty means 0 for all.
        weights: the cards' weights by name; empty means that each way counts once.

    Attributes:
        sizes: the number of cards of each stratum.
        work_limit: the maximum number of entries of the dynamic programming table.
    """

    def __init__(
        self,
        strata: Sequence[Sequence[Card]],
        goals: Goals,
        initial_counts: Sequence[int] = (),
        weights: Mapping[str, int] = {},
    ) -> None:
        self.sizes = [len(cards) for cards in strata]
        self.work_limit = MAX_WORK
        self._caps = goals.get_caps()
        self._initial_counts = tuple(
            min(count, cap)
            for count, cap in zip(initial_counts or [0] * len(self._caps), self._caps, strict=True)
        )
        self._classes: list[CardClass] = []
        for index, cards in enumerate(strata):
            classes: dict[tuple[int, ...], list[Card]] = {}
            for card in cards:
                increments = tuple(int(card.name in counter) for counter in goals.counters)
                classes.setdefault(increments, []).append(card)
            # Cards that count for no counter come last, and fill up the required number.
            self._classes += [
                CardClass(index, increments, tuple(members), _build_sampler(members, weights))
                for increments, members in sorted(classes.items(), reverse=True)
            ]
        self._ways: dict[tuple[int, State, State], int] = {}
        self._branches: dict[tuple[int, State, State], tuple[Sequence[Branch], Sequence[int]]] = {}
        self._tracker = GoalTracker(goals, [card_class.increments for card_class in self._classes])
        self._unconditional = [
            (goal.counter, goal.min_count, goal.max_count, self._tracker.last_class[goal.counter])
            for goal in goals.goals
            if not goal.conditions
        ]

    def count_ways(self, taken: Sequence[int]) -> int:
        """Return the (weighted) number of ways to take cards that meet the goals.

        Args:
            taken: the number of cards to take from each stratum.

        Raises:
            WorkLimitExceeded: counting would take too long.
        """
        if len(self._classes) > MAX_CLASSES:
            raise WorkLimitExceeded
        counts = self._tracker.advance(-1, self._initial_counts)
        return 0 if counts is None else self._count(0, tuple(taken), counts)

    def sample(self, taken: Sequence[int], randbelow: RandBelow) -> list[list[Card]]:
        """Return the cards of a random way that meets the goals, by stratum.

        All ways are equally likely, or, with weights, have a probability proportional to the product of their
        weights.

        Args:
            taken: the number of cards to take from each stratum. At least one way must meet the goals.
            randbelow: the source of randomness.
        """
        sample: list[list[Card]] = [[] for _ in taken]
        remaining, counts = tuple(taken), self._tracker.advance(-1, self._initial_counts) or ()
        for index, card_class in enumerate(self._classes):
            key = index, remaining, counts
            if key not in self._branches:
                branches = self._find_branches(*key)
                self._branches[key] = branches, reduce_weights([branch.ways for branch in branches])
            branches, weights = self._branches[key]
            chosen = weighted_index(weights, randbelow) if branches[1:] else 0
            count, remaining, counts, _ = branches[chosen]
            if count:
                sample[card_class.stratum] += card_class.sample(count, randbelow)
        return sample

    def _is_promising(self, index: int, counts: State, remaining: int) -> bool:
        """Return whether all goals without a condition can still be met.

        Args:
            index: the index of the last class from which cards were taken.
            counts: the count of each counter.
            remaining: the total number of cards to take from later classes.
        """
        for counter, min_count, max_count, last_class in self._unconditional:
            if index < last_class and (
                counts[counter] + remaining < min_count
                or (max_count is not None and counts[counter] > max_count)
            ):
                return False
        return True

    def _count(self, index: int, remaining: State, counts: State) -> int:
        """Return the (weighted) number of ways to take the remaining cards so that the goals are met.

        Args:
            index: the index of the first class from which cards may still be taken.
            remaining: for each stratum, the number of cards that remain to be taken.
            counts: the current count of each counter.
        """
        if index == len(self._classes):
            return int(not any(remaining))
        key = index, remaining, counts
        if key not in self._ways:
            if len(self._ways) >= self.work_limit:
                raise WorkLimitExceeded
            self._ways[key] = sum(branch.ways for branch in self._find_branches(*key))
        return self._ways[key]

    def _find_branches(self, index: int, remaining: State, counts: State) -> Sequence[Branch]:
        """Return the possible numbers of cards to take from a class so that all goals can still be met.

        Args:
            index: the index of the class.
            remaining: for each stratum, the number of cards that remain to be taken.
            counts: the count of each counter before this class.
        """
        card_class = self._classes[index]
        stratum, increments, cards, _ = card_class
        required = remaining[stratum]
        is_last = index + 1 == len(self._classes) or self._classes[index + 1].stratum != stratum
        branches = []
        for count in range(required if is_last else 0, min(required, len(cards)) + 1):
            new_counts = counts
            if count:
                sums = [
                    before + count * increment for before, increment in zip(counts, increments, strict=True)
                ]
                new_counts = tuple(map(min, sums, self._caps))
            advanced_counts = self._tracker.advance(index, new_counts)
            rest = (*remaining[:stratum], required - count, *remaining[stratum + 1 :])
            if advanced_counts is None or not self._is_promising(index, advanced_counts, sum(rest)):
                continue
            if ways := self._count(index + 1, rest, advanced_counts):
                branches.append(Branch(count, rest, advanced_counts, card_class.count_ways(count) * ways))
        return branches


def _build_sampler(cards: Sequence[Card], weights: Mapping[str, int]) -> WeightedSampler | None:
    return WeightedSampler([weights[card.name] for card in cards]) if weights else None


def weighted_index(weights: Sequence[int], randbelow: RandBelow) -> int:
    """Return a random index, with a probability proportional to its weight.

    At least one weight must be positive.
    """
    rest, index = randbelow(sum(weights)), 0
    while rest >= weights[index]:
        rest -= weights[index]
        index += 1
    return index


def reduce_weights(weights: Sequence[int]) -> Sequence[int]:
    """Divide weights by their greatest common divisor."""
    divisor = gcd(*weights)
    return [weight // divisor for weight in weights]
