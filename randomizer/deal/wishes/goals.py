"""Goals: wishes as bounds on counters.

A counter is the number of used cards in a given set of cards. A card in this set counts for the counter.
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
        condition: the index of a counter whose count must not be 0 for the goal to apply; None means that the
            goal always applies.
    """

    counter: int
    min_count: int
    max_count: int | None
    condition: int | None = None

    def is_met(self, counts: Sequence[int]) -> bool:
        """Return whether the counts (one for each counter) meet the goal."""
        count = counts[self.counter]
        in_bounds = self.min_count <= count and (self.max_count is None or count <= self.max_count)
        return in_bounds or (self.condition is not None and not counts[self.condition])


class Goals(NamedTuple):
    """All goals of a deal.

    Attributes:
        counters: for each counter, the names of the cards that count for it.
        goals: the bounds on the counters, all of which must be met.
    """

    counters: tuple[frozenset[str], ...]
    goals: tuple[Goal, ...]

    def get_caps(self) -> list[int]:
        """Return for each counter its cap: the count above which further cards make no difference."""
        caps = [0] * len(self.counters)
        for counter, min_count, max_count, condition in self.goals:
            caps[counter] = max(caps[counter], min_count if max_count is None else max_count + 1)
            if condition is not None:
                caps[condition] = max(caps[condition], 1)
        return caps


class GoalTracker:
    """A tracker that decides each goal as early as possible while cards are taken class by class.

    A class is a group of cards that count for the same counters.

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
        self._needed_until = list(self.last_class)  # counter -> index of the last class that needs it
        for goal in goals.goals:
            counters = [goal.counter] if goal.condition is None else [goal.counter, goal.condition]
            index = max(self.last_class[counter] for counter in counters)
            self._decided_goals.setdefault(index, []).append(goal)
            for counter in counters:
                self._needed_until[counter] = max(self._needed_until[counter], index)
        self._checked_classes = {*self._decided_goals, *self._needed_until}

    def check(self, index: int, counts: State) -> State | None:
        """Check the goals that are decided once all cards of a class have been taken.

        Args:
            index: the index of the class; -1 means that no cards have been taken yet.
            counts: the current count of each counter.

        Returns:
            The counts, or None if a goal is not met. Counters that are no longer needed are set to 0, which
            reduces the number of different states.
        """
        if index not in self._checked_classes:
            return counts
        if not all(goal.is_met(counts) for goal in self._decided_goals.get(index, ())):
            return None
        return tuple(
            0 if until == index else count for count, until in zip(counts, self._needed_until, strict=True)
        )
