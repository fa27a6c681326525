"""Rejection sampling: deals are drawn without regard to the wishes until one meets them."""

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.deal.wishes.counting import RandBelow
from randomizer.deal.wishes.goals import State
from randomizer.deal.wishes.strata import TurnUpModel, TurnUpOrder, increment


class _Step(NamedTuple):
    """A possible next card.

    Attributes:
        stratum: the index of the card's stratum.
        weight: the weight of each card of the stratum.
        after: the state after using the card; None if the card is skipped.
    """

    stratum: int
    weight: int
    after: State | None


class RejectionSampler:
    """A sampler that rejects deals unless they meet the goals. It is exact, and fast if success is likely.

    Args:
        model: the model of turning cards up; it must not merge weights.
    """

    def __init__(self, model: TurnUpModel) -> None:
        self.model = model
        self._steps: dict[State, Sequence[_Step]] = {}

    def attempt(self, randbelow: RandBelow) -> TurnUpOrder | None:
        """Turn cards up once. Return the cards if they meet the goals, otherwise None."""
        model = self.model
        remaining = [list(stratum.cards) for stratum in model.strata]
        order, used, state = TurnUpOrder([], []), [], model.start
        while steps := self._get_steps(state):
            shares = [weight * len(remaining[index]) for index, weight, _ in steps]
            rest = randbelow(sum(shares))
            for (index, weight, after), share in zip(steps, shares, strict=True):  # noqa: B007
                if rest < share:
                    break
                rest -= share
            # Take the card out of its stratum; the last card fills the gap.
            cards, position = remaining[index], rest // weight
            card, cards[position] = cards[position], cards[-1]
            cards.pop()
            model.add_to_order(order, index, card)
            if after:
                used.append(card.name)
                state = after
        return order if self._meets_goals(used) else None

    def _get_steps(self, state: State) -> Sequence[_Step]:
        """Return the possible next cards by stratum; empty if all Kingdom cards have been turned up."""
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
