"""Conditional sampling: each card is drawn with its probability given that the wishes will be met.

The probability of success is computed for every state (see `strata`), backwards from the end of the deal. No
sample is wasted, so this also works for wishes that only one in many millions of deals meets. Skipped cards
do not change the probabilities of the used ones. They are drawn afterwards and inserted between them.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod

from randomizer.cards.model import Card
from randomizer.deal.wishes.counting import (
    RandBelow,
    WayCounter,
    WorkLimitExceeded,
    reduce_weights,
    weighted_index,
)
from randomizer.deal.wishes.goals import State
from randomizer.deal.wishes.strata import TurnUpModel, TurnUpOrder, increment

MAX_STATES = 6_000  # states of the model; computing them takes a third of a second


class ConditionalSampler:
    """A sampler of deals that meet the goals, each with its conditional probability.

    Args:
        model: the model of turning cards up. If the model merges weights, `get_probability` returns only a
            number that is 0 if and only if the probability is 0, and `sample` may return None.
    """

    def __init__(self, model: TurnUpModel) -> None:
        self.model = model
        self._counter = WayCounter(
            [stratum.cards for stratum in model.strata],
            model.goals,
            model.initial_counts,
            model.weights if model.merges_weights else {},
        )
        self._probabilities: dict[State, Fraction] = {}
        self._possible: dict[int, bool | None] = {}  # by work limit
        self._shares: dict[State, Sequence[int]] = {}

    def get_probability(self, state: State | None = None) -> Fraction:
        """Return a probability of success; for the start, the probability that a deal meets the goals.

        For other states this is the sum, over all choices of used cards with these numbers, of the
        probability that the goals are met once exactly these cards are used (f in docs/wish-engine.md).

        Args:
            state: the number of used cards of each stratum; by default 0 for all.

        Raises:
            WorkLimitExceeded: the computation would take too long.
        """
        state = self.model.start if state is None else state
        if state not in self._probabilities:
            if len(self._probabilities) >= MAX_STATES:
                raise WorkLimitExceeded
            self._probabilities[state] = self._compute_probability(state)
        return self._probabilities[state]

    def is_possible(self, work_limit: int) -> bool | None:
        """Return whether a deal can meet the goals; None if finding out exceeds the limit of table entries.

        The answer is cached, so that it does not change after a call with a higher limit.
        """
        if work_limit not in self._possible:
            self._counter.work_limit = work_limit
            try:
                self._possible[work_limit] = bool(self.get_probability())
            except WorkLimitExceeded:
                self._possible[work_limit] = None
        return self._possible[work_limit]

    def sample(self, randbelow: RandBelow) -> TurnUpOrder | None:
        """Return the cards of a random deal that meets the goals; the probability must not be 0.

        Returns:
            The cards, or None if the sample was rejected, which happens only if the model merges weights.

        Raises:
            WorkLimitExceeded: the computation would take too long.
        """
        model = self.model
        indexes, state = [], model.start
        while not model.is_complete(state):
            usable, _ = model.get_next(state)
            indexes.append(usable[weighted_index(self._get_shares(state), randbelow)])
            state = increment(state, indexes[-1])
        cards = self._counter.sample(state, randbelow)
        used = [cards[index].pop(randbelow(len(cards[index]))) for index in indexes]
        return self._add_skipped(indexes, used, randbelow) if self._accept(indexes, used, randbelow) else None

    def _compute_probability(self, state: State) -> Fraction:
        model = self.model
        if model.is_complete(state):
            weight = prod(stratum.weight**used for stratum, used in zip(model.strata, state, strict=True))
            return Fraction(self._counter.count_ways(state) * weight)
        usable, _ = model.get_next(state)
        total = sum(model.get_min_remaining_weight(index, state) for index in usable)
        return sum(self._list_successes(state), Fraction(0)) / total if total else Fraction(0)

    def _list_successes(self, state: State) -> list[Fraction]:
        """Return, for each usable stratum, the relative probability that it is next and the goals are met."""
        # A choice of cards with one more card of a stratum is reached from state[index] + 1 smaller choices.
        return [
            (state[index] + 1) * self.get_probability(increment(state, index))
            if state[index] < len(self.model.strata[index].cards)
            else Fraction(0)
            for index in self.model.get_next(state)[0]
        ]

    def _get_shares(self, state: State) -> Sequence[int]:
        """Return integer weights of the usable strata: their probabilities of being next, given the goals."""
        if state not in self._shares:
            successes = self._list_successes(state)
            denominator = lcm(*(success.denominator for success in successes))
            self._shares[state] = reduce_weights([int(success * denominator) for success in successes])
        return self._shares[state]

    def _accept(self, indexes: Sequence[int], used: Sequence[Card], randbelow: RandBelow) -> bool:
        """Return whether to accept a sample.

        With merged weights, a sample is drawn as if the unused cards of each stratum had their minimum total
        weight. This is corrected by accepting the sample with a probability equal to the ratio of that weight
        to the actual weight, multiplied over all cards.
        """
        model = self.model
        if not model.merges_weights:
            return True
        accepted = denominator = 1
        state, used_weights = model.start, [0] * len(model.strata)
        for index, card in zip(indexes, used, strict=True):
            usable, _ = model.get_next(state)
            accepted *= sum(model.get_min_remaining_weight(other, state) for other in usable)
            denominator *= sum(model.get_total_weight(other) - used_weights[other] for other in usable)
            used_weights[index] += model.weights[card.name]
            state = increment(state, index)
        return weighted_index([accepted, denominator - accepted], randbelow) == 0

    def _add_skipped(self, indexes: Sequence[int], used: Sequence[Card], randbelow: RandBelow) -> TurnUpOrder:
        """Draw the skipped cards, and return them in order together with the used cards."""
        model = self.model
        order, state, gone_weights = TurnUpOrder([], []), model.start, [0] * len(model.strata)
        gone = {card.name for card in used}

        def get_remaining_weight(index: int) -> int:
            return model.get_total_weight(index) - gone_weights[index]

        for index, card in zip(indexes, used, strict=True):
            usable, skipped = model.get_next(state)
            if skipped:
                usable_weight = sum(map(get_remaining_weight, usable))
                # Index 0 means that the next used card comes up; other indexes mean a skipped card.
                while chosen := weighted_index(
                    [usable_weight, *map(get_remaining_weight, skipped)], randbelow
                ):
                    stratum = skipped[chosen - 1]
                    remaining = [other for other in model.strata[stratum].cards if other.name not in gone]
                    weights = [model.weights[other.name] for other in remaining]
                    extra = remaining[weighted_index(weights, randbelow)]
                    model.add_to_order(order, stratum, extra)
                    gone.add(extra.name)
                    gone_weights[stratum] += model.weights[extra.name]
            model.add_to_order(order, index, card)
            gone_weights[index] += model.weights[card.name]
            state = increment(state, index)
        return order
