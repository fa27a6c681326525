"""Rejection sampling: deals are drawn without regard to the wishes until one meets them."""

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.deal.wishes.counting import RandBelow
from randomizer.deal.wishes.goals import State
from randomizer.deal.wishes.strata import TurnUpModel, TurnUpOrder, increment


class _Step(NamedTuple):
    """A possible next step: the next card is from a given stratum.

    Attributes:
        stratum: the index of the stratum.
        weight: the weight of each card of the stratum.
        next_state: the state after using the card; None if the card is skipped.
    """

    stratum: int
    weight: int
    next_state: State | None


class RejectionSampler:
    """A sampler that rejects deals unless they meet the goals. It is exact, and fast if success is likely.

    Args:
        model: the model of turning cards up; it must not merge weights.
    """

    def __init__(self, model: TurnUpModel) -> None:
        self.model = model
        self._steps: dict[State, Sequence[_Step]] = {}

    def attempt(self, randbelow: RandBelow) -> TurnUpOrder | None:
        """Turn cards up once, and return the cards if they meet the goals; otherwise return None."""
        model = self.model
        remaining = [list(stratum.cards) for stratum in model.strata]
        order, used, state = TurnUpOrder([], []), [], model.start
        while steps := self._get_steps(state):
            step_weights = [weight * len(remaining[index]) for index, weight, _ in steps]
            rest = randbelow(sum(step_weights))
            for (index, weight, next_state), step_weight in zip(steps, step_weights, strict=True):  # noqa: B007
                if rest < step_weight:
                    break
                rest -= step_weight
            # Take the card out of its stratum; the last card fills the gap.
            cards, position = remaining[index], rest // weight
            card, cards[position] = cards[position], cards[-1]
            cards.pop()
            model.add_to_order(order, index, card)
            if next_state:
                used.append(card.name)
                state = next_state
        return order if self._meets_goals(used) else None

    def _get_steps(self, state: State) -> Sequence[_Step]:
        """Return the possible next steps; empty if all Kingdom cards have been turned up."""
        if state not in self._steps:
            model = self.model
            usable, skipped = ((), ()) if model.is_complete(state) else model.get_next(state)
            self._steps[state] = [
                *(_Step(index, model.strata[index].weight, increment(state, index)) for index in usable),
                *(_Step(index, model.strata[index].weight, None) for index in skipped),
            ]
        return self._steps[state]

    def _meets_goals(self, used: Sequence[str]) -> bool:
        goals = self.model.goals
        counts = list(self.model.initial_counts) or [0] * len(goals.counters)
        for index, counter in enumerate(goals.counters):
            counts[index] += sum([name in counter for name in used])
        return all(goal.is_met(counts) for goal in goals.goals)
