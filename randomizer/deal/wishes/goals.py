"""Goals: wishes as bounds on how many of the cards that are used count for what."""

from collections.abc import Iterable, Sequence
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


class GoalTracker:
    """Decides each goal as early as possible while cards are taken class by class.

    Args:
        goals: the goals to meet.
        increments: for each class of cards, how much one of them adds to each counter.

    Attributes:
        last_class: for each counter, the index of the last class that counts for it; -1 if none does.
    """

    def __init__(self, goals: Goals, increments: Iterable[State]) -> None:
        self.last_class = [-1] * len(goals.counters)
        for index, class_increments in enumerate(increments):
            for counter, increment in enumerate(class_increments):
                if increment:
                    self.last_class[counter] = index
        self._decided_goals: dict[int, list[Goal]] = {}  # by the index of a class
        self._needed_until = list(self.last_class)  # for each counter, the index of a class
        for goal in goals.goals:
            counters = [goal.counter] if goal.condition is None else [goal.counter, goal.condition]
            index = max(self.last_class[counter] for counter in counters)
            self._decided_goals.setdefault(index, []).append(goal)
            for counter in counters:
                self._needed_until[counter] = max(self._needed_until[counter], index)
        self._checked_classes = {*self._decided_goals, *self._needed_until}

    def check(self, index: int, counts: State) -> State | None:
        """Check the goals whose counters no class after this one changes; -1 is before the first class.

        Returns:
            The counts, or None if a goal is not met. A counter that is no longer needed is set to 0, which
            makes more states equal.
        """
        if index not in self._checked_classes:
            return counts
        if not all(goal.is_met(counts) for goal in self._decided_goals.get(index, ())):
            return None
        return tuple(
            0 if until == index else count for count, until in zip(counts, self._needed_until, strict=True)
        )
