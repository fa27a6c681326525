"""The exact probability distribution of the turned-up cards, ignoring wishes, as a basis for the odds."""

from collections.abc import Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Literal

from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.deal.wishes.goals import State
from randomizer.deal.wishes.strata import TurnUpModel, increment

MAX_OUTCOMES = 30_000  # (final state, stratum) pairs; this many take ten seconds


def get_outcomes(
    model: TurnUpModel, looked_at: Literal["first", "last"], max_outcomes: int = MAX_OUTCOMES
) -> Mapping[tuple[State, int], Fraction]:
    """Return the probabilities of all outcomes of turning cards up.

    An outcome is a final state, together with the stratum of the Kingdom card that setup looks at.

    Args:
        model: the model of turning cards up; it must not merge weights.
        looked_at: whether setup looks at the first or the last Kingdom card.
        max_outcomes: the maximum number of outcomes.

    Returns:
        A mapping from (number of used cards of each stratum, index of the stratum of the card that is looked
        at) to the probability of this outcome.

    Raises:
        WorkLimitExceeded: there are too many outcomes.
    """
    if _count_min_outcomes(model) > max_outcomes:
        raise WorkLimitExceeded(len(model.strata))
    outcomes: dict[tuple[State, int], Fraction] = {}
    current = {(model.start, -1): Fraction(1)}
    while current:
        next_weights: dict[tuple[State, int], Fraction] = {}
        for (state, seen), probability in current.items():
            if model.is_complete(state):
                outcomes[state, seen] = probability
                continue
            weights = {
                index: model.get_min_remaining_weight(index, state) for index in model.get_next(state)[0]
            }
            part = probability / sum(weights.values())
            for index, weight in filter(itemgetter(1), weights.items()):
                is_seen = model.strata[index].is_kingdom and (seen < 0 or looked_at == "last")
                key = increment(state, index), index if is_seen else seen
                next_weights[key] = next_weights.get(key, Fraction(0)) + part * weight
        if len(next_weights) > max_outcomes:
            raise WorkLimitExceeded(len(model.strata))
        current = next_weights
    return outcomes


def _count_min_outcomes(model: TurnUpModel) -> int:
    """Return the number of outcomes if landscapes are ignored: a lower bound that is fast to compute."""
    sizes = [len(stratum.cards) for stratum in model.strata if stratum.is_kingdom]
    total = 0
    for looked_at in range(len(sizes)):
        # ways[n] is the number of ways to divide n other cards among the strata so far.
        ways = [1, *[0] * (model.kingdom_count - 1)]
        for index, size in enumerate(sizes):
            available = size - (index == looked_at)
            ways = [sum(ways[max(0, n - available) : n + 1]) for n in range(model.kingdom_count)]
        total += ways[-1]
    return total
