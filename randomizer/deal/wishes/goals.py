"""Goals, which express wishes as bounds on counters.

A counter is the number of used cards that belong to a given set of cards. These cards count for the counter.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

State = tuple[int, ...]  # one count for each stratum, or for each counter


class Goal(NamedTuple):
    """A bound on one counter.

    Attributes:
        counter: the index of the counter.
        min_count: the minimum count.
        max_count: the maximum count; None means no maximum.
        conditions: the indexes of other counters; the goal applies only if none of them is 0.
    """

    counter: int
    min_count: int
    max_count: int | None
    conditions: tuple[int, ...] = ()

    def is_met(self, counts: Sequence[int]) -> bool:
        """Return whether the counts meet the goal, given one count for each counter."""
        count = counts[self.counter]
        is_in_bounds = self.min_count <= count and (self.max_count is None or count <= self.max_count)
        return is_in_bounds or not all(counts[condition] for condition in self.conditions)


class Goals(NamedTuple):
    """All goals of a deal.

    Attributes:
        counters: for each counter, the names of the cards that count for it.
        goals: the bounds on the counters, all of which must be met.
    """

    counters: tuple[frozenset[str], ...]
    goals: tuple[Goal, ...]

    def get_caps(self) -> list[int]:
        """Return the cap of each counter: the count from which on additional cards make no difference."""
        caps = [0] * len(self.counters)
        for counter, min_count, max_count, conditions in self.goals:
            caps[counter] = max(caps[counter], min_count if max_count is None else max_count + 1)
            for condition in conditions:
                caps[condition] = max(caps[condition], 1)
        return caps


class GoalTracker:
    """A tracker that checks each goal as early as possible, while cards are taken class by class.

    A class is a group of cards that count for the same counters. A goal is decided once cards have been taken
    from the last class that counts for any of its counters.

    Args:
        goals: the goals to meet.
        increments: for each class, the amount (0 or 1) that one of its cards adds to each counter.

    Attributes:
        last_class: for each counter, the index of the last class that counts for it; -1 if none does.
    """

    def __init__(self, goals: Goals, increments: Iterable[State]) -> None:
        self.last_class = [-1] * len(goals.counters)
        for index, class_increments in enumerate(increments):
            for counter, increment in enumerate(class_increments):
                if increment:
                    self.last_class[counter] = index
        self._decided_goals: dict[int, list[Goal]] = {}  # index of a class -> goals that are decided by it
        self._last_needing_class = list(self.last_class)  # counter -> index of the last class that needs it
        for goal in goals.goals:
            counters = (goal.counter, *goal.conditions)
            index = max(self.last_class[counter] for counter in counters)
            self._decided_goals.setdefault(index, []).append(goal)
            for counter in counters:
                self._last_needing_class[counter] = max(self._last_needing_class[counter], index)
        self._relevant_classes = {*self._decided_goals, *self._last_needing_class}

    def advance(self, index: int, counts: State) -> State | None:
        """Check the goals that are now decided, and reset the counters that are no longer needed.

        Resetting counters to 0 reduces the number of different states.

        Args:
            index: the index of the class from which cards have just been taken; -1 before the first class.
            counts: the current count of each counter.

        Returns:
            The counts, or None if a goal that is now decided is not met.
        """
        if index not in self._relevant_classes:
            return counts
        if not all(goal.is_met(counts) for goal in self._decided_goals.get(index, ())):
            return None
        return tuple(
            0 if last_needing_class == index else count
            for count, last_needing_class in zip(counts, self._last_needing_class, strict=True)
        )
