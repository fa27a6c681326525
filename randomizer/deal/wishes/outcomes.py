"""The exact probability distribution of the cards that are turned up without wishes, for the odds."""

from collections.abc import Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Literal

from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.deal.wishes.goals import State
from randomizer.deal.wishes.strata import TurnUpModel, increment

MAX_OUTCOMES = 30_000  # (final state, stratum) pairs; this many take ten seconds


def get_outcomes(
    model: TurnUpModel, position: Literal["first", "last"], max_outcomes: int = MAX_OUTCOMES
) -> Mapping[tuple[State, int], Fraction]:
    """Return the probabilities of all outcomes of turning cards up.

    An outcome is a final state, together with the stratum of the first or last Kingdom card that is turned
    up. Setup looks at that card to decide a question.

    Args:
        model: the model of turning cards up; it must not merge weights.
        position: whether the stratum is that of the first or of the last Kingdom card.
        max_outcomes: the maximum number of outcomes.

    Returns:
        The probability of each outcome. The key is a pair of the number of used cards of each stratum and the
        index of the Kingdom card's stratum.

    Raises:
        WorkLimitExceeded: there are too many outcomes.
    """
    if _count_min_outcomes(model) > max_outcomes:
        raise WorkLimitExceeded(len(model.strata))
    outcomes: dict[tuple[State, int], Fraction] = {}
    current = {(model.start, -1): Fraction(1)}
    while current:
        next_weights: dict[tuple[State, int], Fraction] = {}
        for (state, seen_stratum), probability in current.items():
            if model.is_complete(state):
                outcomes[state, seen_stratum] = probability
                continue
            weights = {
                index: model.get_min_remaining_weight(index, state) for index in model.get_next(state)[0]
            }
            probability_per_weight = probability / sum(weights.values())
            for index, weight in filter(itemgetter(1), weights.items()):
                is_seen = model.strata[index].is_kingdom and (seen_stratum < 0 or position == "last")
                key = increment(state, index), index if is_seen else seen_stratum
                next_weights[key] = next_weights.get(key, Fraction(0)) + probability_per_weight * weight
        if len(next_weights) > max_outcomes:
            raise WorkLimitExceeded(len(model.strata))
        current = next_weights
    return outcomes


def _count_min_outcomes(model: TurnUpModel) -> int:
    """Return the number of outcomes if landscapes are ignored. This lower bound is fast to compute."""
    sizes = [len(stratum.cards) for stratum in model.strata if stratum.is_kingdom]
    total = 0
    for seen_stratum in range(len(sizes)):
        # ways[n] is the number of ways to divide n other cards among the strata so far.
        ways = [1, *[0] * (model.kingdom_count - 1)]
        for index, size in enumerate(sizes):
            available_count = size - (index == seen_stratum)
            ways = [sum(ways[max(0, n - available_count) : n + 1]) for n in range(model.kingdom_count)]
        total += ways[-1]
    return total
