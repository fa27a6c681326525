"""The unused cards, and all randomness: the same for a seed on every machine and Python version."""

import os
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2s
from itertools import islice

from randomizer.cards.model import Card, Query
from randomizer.cards.pool import Pool

_SEED_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters and digits that look alike
_RANGE = 2**32  # of the integers that a digest is divided into
_IS_LITTLE_ENDIAN = sys.byteorder == "little"


class UnusedCards:
    """The cards of a pool that are not in use yet.

    Every question has a source of randomness of its own, derived from the seed and the question alone, and
    draws from the unused cards of the chosen boxes in alphabetical order. So a draw depends neither on the
    order of the data, nor on other boxes, nor on the Python version.

    Args:
        pool: the cards of the chosen boxes.
        seed: any text.
        stacked: by question, the names of cards that come up first, in this order.
        used: cards that are in use already.

    Attributes:
        in_use: the cards that have come into use, by name, in that order.
    """

    def __init__(
        self, pool: Pool, seed: str, stacked: Mapping[str, Sequence[str]], used: Iterable[Card] = ()
    ) -> None:
        self.pool = pool
        self._seed = seed
        self._stacked = stacked
        self.in_use: dict[str, Card] = {}
        self._unavailable: set[str] = set()  # the names of other cards that are not to be drawn
        for card in used:
            self.mark_used(card)

    def shuffle(self, question: str, cards: Sequence[Card], without: Container[str] = ()) -> Iterator[Card]:
        """Yield cards in random order, by a sparse Fisher-Yates shuffle that only works as far as it is read.

        Args:
            question: what the cards are shuffled for.
            cards: the cards, in an order that is always the same.
            without: the names of cards that are left out when they come up.
        """
        top = self._stacked.get(question, ())
        if top:
            named = {card.name: card for card in cards}
            stacked = [named[name] for name in dict.fromkeys(top) if name in named]
            yield from (card for card in stacked if card.name not in without)
            without = {*top, *filter(without.__contains__, named)}
        moved: dict[int, Card] = {}  # index -> the card that was swapped into it
        # This repeats `RandomSource.randbelow` inline, because a deal spends most of its time here.
        key, left, block = _make_key(self._seed, question), len(cards), 0
        while left:
            for number in _generate_integers(key, block):
                if number >= left or number >= _RANGE % left:  # The rest of the range divides evenly.
                    index = number % left
                    left -= 1
                    card = moved[index] if index in moved else cards[index]
                    moved[index] = moved[left] if left in moved else cards[left]
                    if card.name not in without:
                        yield card
                    if not left:
                        break
            block += 1

    def deck(self, question: str, *queries: Query) -> Iterator[Card]:
        """Return the unused cards that match one of the queries, shuffled for this question.

        No card may match two of them. A mixed pile matches if its randomizer does.
        """
        return self.shuffle(
            question, self.pool.find_deck_cards(queries), self._unavailable.union(self.in_use)
        )

    def draw(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Draw up to `count` piles (or landscapes, Boons ...) that match a query; None draws all."""
        drawn = list(islice(self.deck(question, query), count))
        for card in drawn:
            self.mark_used(card)
        return drawn

    def draw_single(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Draw up to `count` single cards, at most one of every mixed pile.

        Randomizers are turned up until one matches, or a member of its mixed pile does. If several such
        members match, one of them is chosen at random (setup rules A38, A40, A45).
        """
        singles = self.pool.find_single_cards(query)
        drawn: list[Card] = []
        for pile in self.deck(question, Query(kind=query.kind)):
            if len(drawn) == count:
                break
            members = singles.get(pile.name, ())
            if len(members) == 1:
                drawn += members
            elif members:
                drawn.append(next(self.shuffle(f"{question}\0{pile.name}", members)))
        for card in drawn:
            self.mark_used(card)
        return drawn

    def draw_from_deck(
        self, question: str, deck: Sequence[Card], query: Query, count: int | None
    ) -> list[Card]:
        """Draw up to `count` cards that match a query out of a deck that was dealt before; None draws all."""
        cards = sorted(filter(query.matches, deck), key=lambda card: card.name)
        return list(islice(self.shuffle(question, cards), count))

    def mark_used(self, card: Card) -> None:
        """Exclude a card from later draws, together with the mixed pile that it is or belongs to."""
        self._unavailable.add(card.name)
        if card.member_of:
            self._unavailable.add(card.member_of)
        if card.pile:
            self._unavailable.update(dict(card.pile))


# ── Randomness ──


class RandomSource:
    """The source of randomness of one question, for any number of random integers.

    Args:
        seed: any text.
        question: what the integers decide.
    """

    def __init__(self, seed: str, question: str) -> None:
        self._key = _make_key(seed, question)
        self._block_count = 0
        self._integers: Iterator[int] = iter(())

    def randbelow(self, limit: int) -> int:
        """Return a uniform random integer in [0, limit)."""
        if limit <= _RANGE:  # This is nearly always so, and a deal with wishes spends much time here.
            uneven = _RANGE % limit
            while (number := self._next_integer()) < uneven:
                pass
            return number % limit
        total = _RANGE
        while total < limit:
            total *= _RANGE
        uneven, number = total % limit, -1
        while number < uneven:  # The rest of the range divides evenly.
            number, size = self._next_integer(), _RANGE
            while size < total:
                number, size = number * _RANGE + self._next_integer(), size * _RANGE
        return number % limit

    def _next_integer(self) -> int:
        number = next(self._integers, None)
        if number is None:
            self._integers = iter(_generate_integers(self._key, self._block_count))
            self._block_count += 1
            number = next(self._integers)
        return number


def _make_key(seed: str, question: str) -> bytes:
    """Return what the random integers of a question are derived from."""
    return f"{seed}\0{question}\0".encode()


def _generate_integers(key: bytes, block: int) -> memoryview:
    """Return eight integers in [0, 2³²), different for every key and block.

    The digest consists of them, most significant byte first; they are taken from its end.
    """
    digest = blake2s(key + b"%d" % block).digest()
    return memoryview(digest[::-1]).cast("I") if _IS_LITTLE_ENDIAN else memoryview(digest).cast("I")[::-1]


def generate_seed() -> str:
    """Return a short random seed."""
    return "".join(_SEED_LETTERS[byte % len(_SEED_LETTERS)] for byte in os.urandom(5))
