"""The exact distribution of the landscapes that a deal uses."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, perm

from randomizer.cards.effect import Settings
from randomizer.cards.model import Card
from randomizer.cards.pool import Pool
from randomizer.deal.growing import TurnUp

Counts = tuple[int, ...]


class LandscapeOdds:
    """The distribution of the landscapes that a deal uses.

    Landscapes are turned up one by one and used until `max_count` of them are, or until the limit of their
    kind; the others are skipped (setup rules A6-A8). With a common deck the last Kingdom card ends this.

    Args:
        pool: the cards of the chosen boxes.
        turn_up: the rules of turning up.
        settings: the settings of the open options.

    Attributes:
        cards: all landscapes that may be turned up.
        max_count: the maximum number of landscapes used.

    Raises:
        TooFewCards: the boxes have too few landscapes for a deck of their own.
    """

    def __init__(self, pool: Pool, turn_up: TurnUp, settings: Settings) -> None:
        requested = turn_up.most.resolve(settings) or 0
        self.cards = pool.find_cards(turn_up.landscapes) if requested else ()
        self.max_count = min(requested, len(self.cards))
        self._limits = {str(kind): amount.resolve(settings) or 0 for kind, amount in turn_up.limits}
        self._has_own_deck = settings.get("landscapes_from") == "deck"
        self._kingdom_size = len(pool.find_cards(turn_up.is_))
        self._kingdom_count = turn_up.count_
        if self._has_own_deck:
            counts = Counter(card.kind for card in self.cards)
            usable = sum(min(count, self._limits.get(kind, count)) for kind, count in counts.items())
            pool.require_enough(len(self.cards), requested, "landscapes", turn_up.landscapes)
            pool.require_enough(usable, requested, "landscapes that can be used together")

    def compute_any_used(self, group: Sequence[Card]) -> Fraction:
        """Return the probability that at least one of these landscapes, all of one kind, is used."""
        distribution = self.compute_distribution([group])
        return sum((probability for (count, *_), probability in distribution.items() if count), Fraction(0))

    def compute_distribution(self, groups: Sequence[Sequence[Card]]) -> Mapping[Counts, Fraction]:
        """Return the joint distribution of the numbers of used landscapes by group.

        Args:
            groups: disjoint groups of landscapes; those of a group are of one kind.

        Returns:
            The probability by outcome: the counts of the groups, then those of the other landscapes.
        """
        grouped = {card.name for group in groups for card in group}
        others = Counter(
            card.kind if card.kind in self._limits else "" for card in self.cards if card.name not in grouped
        )
        classes = [(group[0].kind, len(group)) for group in groups] + list(others.items())
        distribution: dict[Counts, Fraction] = defaultdict(Fraction)
        zeros = (0,) * len(classes)
        states = {(zeros, zeros): 1}  # (number turned up, number used) by class -> number of orders
        for number, (exactly, at_least) in enumerate(self._compute_turned_up()):
            next_states: dict[tuple[Counts, Counts], int] = defaultdict(int)
            for (turned_up, used), ways in states.items():
                share = Fraction(ways, perm(len(self.cards), number))
                if sum(used) == self.max_count:
                    distribution[used] += share * at_least
                    continue
                distribution[used] += share * exactly
                for index, (kind, size) in enumerate(classes):
                    same_kind = sum(
                        count for (other, _), count in zip(classes, used, strict=True) if other == kind
                    )
                    is_used = kind not in self._limits or same_kind < self._limits[kind]
                    if size > turned_up[index]:
                        state = add_count(turned_up, index, 1), add_count(used, index, is_used)
                        next_states[state] += ways * (size - turned_up[index])
            states = next_states
        return {used: probability for used, probability in distribution.items() if probability}

    def _compute_turned_up(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield for n = 0, 1, ... the probabilities that exactly n and at least n landscapes are turned up.

        With a common deck, n has a negative hypergeometric distribution
        (https://en.wikipedia.org/wiki/Negative_hypergeometric_distribution).
        """
        landscapes = len(self.cards)
        if self._has_own_deck:
            yield from [(Fraction(0), Fraction(1))] * (landscapes + 1)
            return
        at_least = Fraction(1)
        for number in range(landscapes + 1):
            above = number + self._kingdom_count - 1  # cards above the last Kingdom card that is turned up
            below = self._kingdom_size + landscapes - number - self._kingdom_count
            exactly = Fraction(
                comb(above, number) * comb(below, self._kingdom_size - self._kingdom_count),
                comb(self._kingdom_size + landscapes, landscapes),
            )
            yield exactly, at_least
            at_least -= exactly


def add_count(counts: Counts, index: int, number: int) -> Counts:
    """Return the counts with a number added to one of them."""
    return (*counts[:index], counts[index] + number, *counts[index + 1 :])
