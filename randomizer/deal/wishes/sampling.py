"""Conditional sampling: each card is drawn with its probability given that the wishes will be met.

The probability of success, which means that the goals are met, is computed for every state (see `strata`),
backwards from the end of the deal. No sample is wasted, so this method also works for wishes that only one in
many millions of deals meets. Skipped cards do not change the probabilities of the used cards. They are drawn
afterwards, and inserted between the used cards.
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

MAX_STATES = 6_000  # states of the model; computing this many takes a third of a second


class ConditionalSampler:
    """A sampler of deals that meet the goals, each with its conditional probability.

    Args:
        model: the model of turning cards up. If the model merges weights, the results of `get_probability`
            are not exact, except that they are 0 if and only if the probability is 0, and `sample` may return
            None.
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
        self._possibility_by_limit: dict[int, bool | None] = {}
        self._weights_by_state: dict[State, Sequence[int]] = {}

    def get_probability(self, state: State | None = None) -> Fraction:
        """Return the value f of a state, as defined in docs/wish-engine.md.

        For the start, it is the probability that a deal meets the goals. In general, it is the sum, over all
        sets of used cards that belong to the state, of the probability of success once exactly these cards
        are used.

        Args:
            state: the number of used cards of each stratum; by default, the start of the deal.

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
        """Return whether a deal can meet the goals, or None if finding out would take too long.

        The result is cached, so that it does not change after a call with a higher limit.

        Args:
            work_limit: the maximum number of table entries for counting.
        """
        if work_limit not in self._possibility_by_limit:
            self._counter.work_limit = work_limit
            try:
                self._possibility_by_limit[work_limit] = bool(self.get_probability())
            except WorkLimitExceeded:
                self._possibility_by_limit[work_limit] = None
        return self._possibility_by_limit[work_limit]

    def sample(self, randbelow: RandBelow) -> TurnUpOrder | None:
        """Draw the cards of a random deal that meets the goals. There must be such a deal.

        Args:
            randbelow: the source of randomness.

        Returns:
            The cards, or None if the sample is rejected, which happens only if the model merges weights.

        Raises:
            WorkLimitExceeded: the computation would take too long.
        """
        model = self.model
        indexes, state = [], model.start
        while not model.is_complete(state):
            usable, _ = model.get_next(state)
            indexes.append(usable[weighted_index(self._get_stratum_weights(state), randbelow)])
            state = increment(state, indexes[-1])
        cards = self._counter.sample(state, randbelow)
        used = [cards[index].pop(randbelow(len(cards[index]))) for index in indexes]
        return (
            self._add_skipped(indexes, used, randbelow)
            if self._should_accept(indexes, used, randbelow)
            else None
        )

    def _compute_probability(self, state: State) -> Fraction:
        model = self.model
        if model.is_complete(state):
            weight = prod(stratum.weight**used for stratum, used in zip(model.strata, state, strict=True))
            return Fraction(self._counter.count_ways(state) * weight)
        usable, _ = model.get_next(state)
        total = sum(model.get_min_remaining_weight(index, state) for index in usable)
        return sum(self._list_successes(state), Fraction(0)) / total if total else Fraction(0)

    def _list_successes(self, state: State) -> list[Fraction]:
        """Return a relative probability of success for each usable stratum.

        This is the joint probability that the next used card is from the stratum and that the goals are met.
        """
        # A set of used cards with one more card of a stratum is reached from state[index] + 1 smaller sets.
        return [
            (state[index] + 1) * self.get_probability(increment(state, index))
            if state[index] < len(self.model.strata[index].cards)
            else Fraction(0)
            for index in self.model.get_next(state)[0]
        ]

    def _get_stratum_weights(self, state: State) -> Sequence[int]:
        """Return integer weights of the usable strata.

        They are proportional to the conditional probability that the next used card is from the stratum,
        given that the goals are met.
        """
        if state not in self._weights_by_state:
            successes = self._list_successes(state)
            denominator = lcm(*(success.denominator for success in successes))
            self._weights_by_state[state] = reduce_weights(
                [int(success * denominator) for success in successes]
            )
        return self._weights_by_state[state]

    def _should_accept(self, indexes: Sequence[int], used: Sequence[Card], randbelow: RandBelow) -> bool:
        """Decide whether to accept a sample, at random if the model merges weights.

        With merged weights, each card is drawn as if the unused cards had the minimum total weight. This is
        corrected by accepting the sample with a certain probability: the product, over all cards, of the
        ratio of that weight to the actual weight.

        Args:
            indexes: the indexes of the strata of the used cards, in order.
            used: the used cards, in order.
            randbelow: the source of randomness.
        """
        model = self.model
        if not model.merges_weights:
            return True
        numerator = denominator = 1
        state, used_weights = model.start, [0] * len(model.strata)
        for index, card in zip(indexes, used, strict=True):
            usable, _ = model.get_next(state)
            numerator *= sum(model.get_min_remaining_weight(other, state) for other in usable)
            denominator *= sum(model.get_total_weight(other) - used_weights[other] for other in usable)
            used_weights[index] += model.weights[card.name]
            state = increment(state, index)
        return weighted_index([numerator, denominator - numerator], randbelow) == 0

    def _add_skipped(self, indexes: Sequence[int], used: Sequence[Card], randbelow: RandBelow) -> TurnUpOrder:
        """Draw the skipped cards, and insert them between the used cards.

        Args:
            indexes: the indexes of the strata of the used cards, in order.
            used: the used cards, in order.
            randbelow: the source of randomness.
        """
        model = self.model
        order, state, removed_weights = TurnUpOrder([], []), model.start, [0] * len(model.strata)
        removed_names = {card.name for card in used}

        def get_remaining_weight(index: int) -> int:
            return model.get_total_weight(index) - removed_weights[index]

        for index, card in zip(indexes, used, strict=True):
            usable, skipped = model.get_next(state)
            if skipped:
                usable_weight = sum(map(get_remaining_weight, usable))
                # Index 0 means that the next used card comes up; any other index means a skipped card.
                while chosen := weighted_index(
                    [usable_weight, *map(get_remaining_weight, skipped)], randbelow
                ):
                    stratum = skipped[chosen - 1]
                    remaining = [
                        other for other in model.strata[stratum].cards if other.name not in removed_names
                    ]
                    weights = [model.weights[other.name] for other in remaining]
                    skipped_card = remaining[weighted_index(weights, randbelow)]
                    model.add_to_order(order, stratum, skipped_card)
                    removed_names.add(skipped_card.name)
                    removed_weights[stratum] += model.weights[skipped_card.name]
            model.add_to_order(order, index, card)
            removed_weights[index] += model.weights[card.name]
            state = increment(state, index)
        return order
