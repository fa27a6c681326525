"""Goals: wishes as bounds on how many of the cards that are used count for what."""

from collections.abc import Sequence
from typing import NamedTuple

State = tuple[int, ...]  # one count for each stratum, or for each counter


class Goal(NamedTuple):
    """A bound on one counter.

    Attributes:
        counter: the index of the counter.
        min_count: the smallest count that meets the goal.
        max_count: the largest count that meets it; None means that there is no upper bound.
        condition: the index of another counter; the goal applies only if its count is not 0.
    """

    counter: int
    min_count: int
    max_count: int | None
    condition: int | None = None

    def is_met(self, counts: Sequence[int]) -> bool:
        """Return whether these counts, one for each counter, meet the goal."""
        count = counts[self.counter]
        in_bounds = self.min_count <= count and (self.max_count is None or count <= self.max_count)
        return in_bounds or (self.condition is not None and not counts[self.condition])


class Goals(NamedTuple):
    """All goals of a deal.

    Attributes:
        counters: for each counter, the names of the cards that count for it.
        goals: the bounds on the counters; all of them have to be met.
    """

    counters: tuple[frozenset[str], ...]
    goals: tuple[Goal, ...]

    def get_caps(self) -> list[int]:
        """Return for each counter the count from which on further cards make no difference."""
        caps = [0] * len(self.counters)
        for counter, min_count, max_count, condition in self.goals:
            caps[counter] = max(caps[counter], min_count if max_count is None else max_count + 1)
            if condition is not None:
                caps[condition] = max(caps[condition], 1)
        return caps
