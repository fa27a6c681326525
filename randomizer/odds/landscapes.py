"""How many landscapes a deal uses, exactly: turned up with the Kingdom, or dealt from a deck of their own."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, perm

from randomizer.cards.effect import Settings
from randomizer.cards.model import Card
from randomizer.cards.pool import Pool
from randomizer.deal.growing import TurnUp


class Landscapes:
    """The landscapes of a deal.

    They are turned up one by one and used until `most` are, those of a kind with a limit until that many are;
    the rest are skipped (setup rules A6-A8). In a shared deck that ends with the last Kingdom card.

    Args:
        pool: the cards to deal from.
        turn_up: how the game turns up its Kingdom.
        settings: what was said of its open options.

    Attributes:
        cards: all that may be turned up.
        most: how many of them are used at most.

    Raises:
        TooFewCards: the boxes hold too few landscapes for a deck of their own.
    """

    def __init__(self, pool: Pool, turn_up: TurnUp, settings: Settings) -> None:
        asked = turn_up.most.resolve(settings) or 0
        self.cards = pool.find_cards(turn_up.landscapes) if asked else ()
        self.most = min(asked, len(self.cards))
        self._limits = {str(kind): amount.resolve(settings) or 0 for kind, amount in turn_up.limits}
        self._apart = settings.get("landscapes_from") == "deck"
        self._kingdom = len(pool.find_cards(turn_up.is_))
        self._count = turn_up.count_
        if self._apart:
            numbers = Counter(card.kind for card in self.cards)
            fitting = (min(number, self._limits.get(kind, number)) for kind, number in numbers.items())
            pool.require_enough(len(self.cards), asked, "landscapes", turn_up.landscapes)
            pool.require_enough(sum(fitting), asked, "landscapes that may be used together")

    def any_used(self, group: Sequence[Card]) -> Fraction:
        """The chance that at least one of these landscapes is used, which are all of one kind."""
        return sum((chance for (number, *_), chance in self.used([group]).items() if number), Fraction(0))

    def used(self, groups: Sequence[Sequence[Card]]) -> Mapping[tuple[int, ...], Fraction]:
        """The chance of every outcome, which says how many landscapes are used of each group.

        Args:
            groups: landscapes to tell apart; those of a group are all of one kind.

        Returns:
            By outcome, its chance. After the numbers of the groups stand those of the other landscapes.
        """
        named = {card.name for group in groups for card in group}
        others = Counter(
            card.kind if card.kind in self._limits else "" for card in self.cards if card.name not in named
        )
        sorts = [(group[0].kind, len(group)) for group in groups] + list(others.items())
        chances: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        nothing = (0,) * len(sorts)
        states = {(nothing, nothing): 1}  # turned up and used of each sort: the ways to get there
        for number, (just, at_least) in enumerate(self._turned_up()):
            after: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = defaultdict(int)
            for (turned, used), ways in states.items():
                share = Fraction(ways, perm(len(self.cards), number))
                if sum(used) == self.most:
                    chances[used] += share * at_least
                    continue
                chances[used] += share * just
                for place, (kind, size) in enumerate(sorts):
                    alike = sum(many for (other, _), many in zip(sorts, used, strict=True) if other == kind)
                    fits = kind not in self._limits or alike < self._limits[kind]
                    if size > turned[place]:
                        state = _more(turned, place, 1), _more(used, place, fits)
                        after[state] += ways * (size - turned[place])
            states = after
        return {used: chance for used, chance in chances.items() if chance}

    def _turned_up(self) -> Iterator[tuple[Fraction, Fraction]]:
        """For each number of landscapes, the chance that just so many are turned up, and at least so many."""
        landscapes = len(self.cards)
        if self._apart:
            yield from [(Fraction(0), Fraction(1))] * (landscapes + 1)
            return
        at_least = Fraction(1)
        for number in range(landscapes + 1):
            # The last of the Kingdom cards lies right below them: that many ways above it, and below it.
            above = number + self._count - 1
            below = self._kingdom + landscapes - number - self._count
            just = Fraction(
                comb(above, number) * comb(below, self._kingdom - self._count),
                comb(self._kingdom + landscapes, landscapes),
            )
            yield just, at_least
            at_least -= just


def _more(numbers: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + more, *numbers[place + 1 :])
