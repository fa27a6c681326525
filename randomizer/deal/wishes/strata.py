"""A probabilistic model of turning cards up.

The cards are divided into strata. A stratum is a set of cards that the rules treat alike, such as all Kingdom
cards. A state of the model is a tuple with the number of used cards of each stratum. The state determines
whether the next card of a stratum is used or skipped. Each card comes up next with a probability proportional
to its weight.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from randomizer.cards.effect import Settings
from randomizer.cards.model import Card
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes.goals import Goals, State


class Randomizers(NamedTuple):
    """The cards that may be turned up.

    Attributes:
        kingdom: the Kingdom cards.
        landscapes: the landscapes.
        rules: the rules by which the game turns cards up.
        settings: the values of the open options.
    """

    kingdom: tuple[Card, ...]
    landscapes: tuple[Card, ...]
    rules: TurnUp
    settings: Settings

    @property
    def has_enough_cards(self) -> bool:
        """Whether there are enough cards for a deal."""
        if self.has_landscape_deck and self.count_usable_landscapes() < self.landscape_limit:
            return False
        return len(self.kingdom) >= self.kingdom_count

    @property
    def kingdom_count(self) -> int:
        """The number of Kingdom cards that are turned up."""
        return self.rules.get_count(self.settings)

    @property
    def has_landscape_deck(self) -> bool:
        """Whether the landscapes are dealt from a deck of their own."""
        return self.settings.get("landscapes_from") == "deck"

    def count_usable_landscapes(self) -> int:
        """Return the number of landscapes that can be used together, given the limits of their kinds.

        Landscapes that do not count towards the limit on all landscapes are left out.
        """
        counts = Counter(card.kind for card in self.landscapes if card.kind not in self.rules.extra)
        return sum(min(count, self.limits.get(kind, count)) for kind, count in counts.items())

    @property
    def landscape_limit(self) -> int:
        """The maximum number of landscapes that are used, according to the rules and settings."""
        return self.rules.most.resolve(self.settings) or 0

    @property
    def max_landscapes(self) -> int:
        """The maximum number of landscapes that are used; 0 if there are no landscapes to turn up."""
        extra_limit = sum(self.limits[kind] for kind in self.rules.extra) if self.landscape_limit else 0
        return self.landscape_limit + extra_limit if self.landscapes else 0

    @property
    def limits(self) -> dict[str, int]:
        """The maximum number of landscapes of each kind that has a limit of its own."""
        return {str(kind): amount.resolve(self.settings) or 0 for kind, amount in self.rules.limits}

    @property
    def excludes_landscapes(self) -> bool:
        """Whether the user has set the maximum number of landscapes to 0."""
        return self.settings.get(self.rules.most.option) == 0


class Stratum(NamedTuple):
    """A set of cards that the rules treat alike: Kingdom cards, or landscapes with the same limit.

    Unless the model merges weights, cards of different weights are in different strata.

    Attributes:
        is_kingdom: whether the cards are Kingdom cards.
        limited_kind: the kind of the cards, if they are landscapes of a kind with a limit; otherwise empty.
        weight: the weight of each card; 1 if the model merges weights.
        cards: the cards.
        min_weights: the minimum total weight of n of the cards, for each n from 0 on.
    """

    is_kingdom: bool
    limited_kind: str
    weight: int
    cards: tuple[Card, ...]
    min_weights: tuple[int, ...]


class TurnUpOrder(NamedTuple):
    """The cards that are turned up, in order, including those that are skipped.

    Attributes:
        randomizers: the cards from the deck of randomizers.
        landscapes: the cards from a separate deck of landscapes; empty if there is none.
    """

    randomizers: list[Card]
    landscapes: list[Card]


class TurnUpModel:
    """A model of the process of turning cards up.

    Args:
        randomizers: the cards that may be turned up, and the rules.
        goals: the bounds on the numbers of used cards.
        weights: the weights that differ from 1, by card name.
        initial_counts: for each counter, the number of cards that are already on the table and count for it;
            empty if there are no such cards.
        merges_weights: whether cards of different weights share a stratum. This reduces the number of strata,
            but the total weight of a stratum's remaining cards is then known only approximately, because it
            depends on which of the cards have been used.

    Attributes:
        goals, initial_counts: see the arguments.
        kingdom_count: the number of Kingdom cards to turn up.
        weights: the weights of all cards by name, as integers.
        strata: the strata; those of landscapes come first.
        start: the state before any card is turned up.
    """

    def __init__(
        self,
        randomizers: Randomizers,
        goals: Goals,
        weights: Mapping[str, Fraction] = {},
        initial_counts: Sequence[int] = (),
        *,
        merges_weights: bool = False,
    ) -> None:
        self.goals = goals
        self.initial_counts = initial_counts
        self.merges_weights = merges_weights
        self.kingdom_count = randomizers.kingdom_count
        self._landscape_limit = randomizers.landscape_limit
        self._limits = randomizers.limits
        self._extra = randomizers.rules.extra
        self._has_landscape_deck = randomizers.has_landscape_deck
        denominator = lcm(*(weight.denominator for weight in weights.values()))
        self.weights: dict[str, int] = {}
        groups: dict[tuple[bool, str, int], list[Card]] = {}
        landscapes = randomizers.landscapes if self._landscape_limit else ()
        for is_kingdom, cards in ((False, landscapes), (True, randomizers.kingdom)):
            for card in cards:
                limited_kind = card.kind if card.kind in self._limits and not is_kingdom else ""
                weight = int(weights.get(card.name, Fraction(1)) * denominator)
                self.weights[card.name] = weight
                groups.setdefault((is_kingdom, limited_kind, 1 if merges_weights else weight), []).append(
                    card
                )
        self.strata = [self._build_stratum(*key, cards) for key, cards in sorted(groups.items())]
        self.start: State = (0,) * len(self.strata)
        self._successors: dict[State, tuple[Sequence[int], Sequence[int]]] = {}

    def _build_stratum(
        self, is_kingdom: bool, limited_kind: str, weight: int, cards: Sequence[Card]
    ) -> Stratum:
        ascending = sorted(self.weights[card.name] for card in cards)
        return Stratum(
            is_kingdom, limited_kind, weight, tuple(cards), tuple(accumulate(ascending, initial=0))
        )

    def is_complete(self, state: State) -> bool:
        """Return whether all Kingdom cards have been turned up."""
        kingdom = [used for stratum, used in zip(self.strata, state, strict=True) if stratum.is_kingdom]
        return sum(kingdom) == self.kingdom_count

    def get_next(self, state: State) -> tuple[Sequence[int], Sequence[int]]:
        """Return which strata can supply the next used card, and from which strata cards are skipped.

        Returns:
            The indexes of the strata whose next card is used, and of those whose next card is skipped.
        """
        if state not in self._successors:
            self._successors[state] = self._find_next(state)
        return self._successors[state]

    def _find_next(self, state: State) -> tuple[Sequence[int], Sequence[int]]:
        """Determine the result of `get_next` by the rules for landscapes (setup rules A6-A8, A10)."""
        landscape_count, limited_counts = 0, dict.fromkeys(self._limits, 0)
        for stratum, used in zip(self.strata, state, strict=True):
            if not stratum.is_kingdom:
                landscape_count += used if stratum.limited_kind not in self._extra else 0
                if stratum.limited_kind:
                    limited_counts[stratum.limited_kind] += used
        has_room = landscape_count < self._landscape_limit
        if self._has_landscape_deck and not has_room:
            return [index for index, stratum in enumerate(self.strata) if stratum.is_kingdom], ()
        usable, skipped = [], []
        for index, stratum in enumerate(self.strata):
            kind = stratum.limited_kind
            if stratum.is_kingdom:
                if not self._has_landscape_deck:  # Otherwise the landscapes are dealt first.
                    usable.append(index)
            elif (has_room or kind in self._extra) and (
                not kind or limited_counts[kind] < self._limits[kind]
            ):
                usable.append(index)
            else:
                skipped.append(index)
        return usable, skipped

    def get_min_remaining_weight(self, index: int, state: State) -> int:
        """Return the minimum total weight that the unused cards of a stratum can have in this state."""
        stratum = self.strata[index]
        return stratum.min_weights[len(stratum.cards) - state[index]]

    def get_total_weight(self, index: int) -> int:
        """Return the total weight of all cards of a stratum."""
        return self.strata[index].min_weights[-1]

    def add_to_order(self, order: TurnUpOrder, index: int, card: Card) -> None:
        """Append a card to an order, in the deck from which the card is turned up.

        Args:
            order: the order.
            index: the index of the card's stratum.
            card: the card.
        """
        from_landscape_deck = self._has_landscape_deck and not self.strata[index].is_kingdom
        (order.landscapes if from_landscape_deck else order.randomizers).append(card)


def increment(state: State, index: int) -> State:
    """Return the state after using one more card of the stratum at an index."""
    return (*state[:index], state[index] + 1, *state[index + 1 :])
