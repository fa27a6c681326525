"""The unused cards, and the source of randomness.

A seed gives the same results on every machine and Python version. A question is the key of a random source,
for example `randomizers` or `Bane`; different questions have independent sources.
"""

import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2s
from itertools import chain, islice

from randomizer.cards.model import Card, Query
from randomizer.cards.pool import Pool
from randomizer.text.errors import BadOptions

_SEED_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike
_INTEGER_COUNT = 2**32  # number of values of an integer that is taken from a digest
_IS_LITTLE_ENDIAN = sys.byteorder == "little"


class UnusedCards:
    """The cards of a pool that are not in use yet.

    Each question has its own random source, which depends only on the seed and the question. Cards are sorted
    by name before they are shuffled. Therefore, a draw does not depend on the order of the data, on boxes
    that were not chosen, or on the Python version.

    Args:
        pool: the cards of the chosen boxes.
        seed: any text.
        stacked: for each question, the names of the cards that come up first, in order.
        used: the cards that must not be drawn.

    Attributes:
        in_use: the cards in use by name, in the order in which they came into use.
    """

    def __init__(
        self, pool: Pool, seed: str, stacked: Mapping[str, Sequence[str]], used: Iterable[Card] = ()
    ) -> None:
        self.pool = pool
        self._seed = seed
        self._stacked = stacked
        self.in_use: dict[str, Card] = {}
        self._unavailable: set[str] = set()  # the names of further cards that must not be drawn
        for card in used:
            self.mark_used(card)

    def shuffle(self, question: str, cards: Sequence[Card], excluded: Container[str] = ()) -> Iterator[Card]:
        """Yield cards in random order, by a lazy sparse Fisher-Yates shuffle.

        Args:
            question: the key of the random source.
            cards: the cards to shuffle, in a reproducible order.
            excluded: the names of cards to leave out. They are also shuffled, but not yielded.
        """
        stacked_names = self._stacked.get(question, ())
        if stacked_names:
            cards_by_name = {card.name: card for card in cards}
            stacked_cards = [
                cards_by_name[name] for name in dict.fromkeys(stacked_names) if name in cards_by_name
            ]
            yield from (card for card in stacked_cards if card.name not in excluded)
            excluded = {*stacked_names, *filter(excluded.__contains__, cards_by_name)}
        moved: dict[int, Card] = {}  # index -> the card that was swapped into it
        # This is `RandomSource.randbelow` inlined for speed, because a deal spends most of its time here.
        key, remaining, block = _make_key(self._seed, question), len(cards), 0
        while remaining:
            for number in _generate_integers(key, block):
                if (
                    number >= remaining or number >= _INTEGER_COUNT % remaining
                ):  # The accepted range is a multiple of `remaining`.
                    index = number % remaining
                    remaining -= 1
                    card = moved[index] if index in moved else cards[index]
                    moved[index] = moved[remaining] if remaining in moved else cards[remaining]
                    if card.name not in excluded:
                        yield card
                    if not remaining:
                        break
            block += 1

    def shuffle_matching(
        self,
        question: str,
        *queries: Query,
        pool: Pool | None = None,
        excluded: Container[str] | None = None,
    ) -> Iterator[Card]:
        """Yield the unused cards that match any of the queries, in random order.

        No card may match more than one query. A mixed pile matches if its randomizer matches.

        Args:
            question: the key of the random source.
            queries: the conditions.
            pool: the pool from which the cards come; by default, that of the chosen boxes.
            excluded: the names of cards to leave out; by default, the cards that must not be drawn.
        """
        if excluded is None:
            excluded = self._unavailable.union(self.in_use)
        cards = [*chain.from_iterable(map((pool or self.pool).find_cards, queries))]
        return self.shuffle(question, cards, excluded)

    def draw(
        self,
        question: str,
        query: Query,
        count: int | None,
        pool: Pool | None = None,
        accept: Callable[[Sequence[Card]], bool] | None = None,
    ) -> list[Card]:
        """Draw piles or landscapes at random.

        Args:
            question: the key of the random source.
            query: the condition.
            count: the maximum number of cards to draw; None draws all matching cards.
            pool: the pool from which the cards come; by default, that of the chosen boxes.
            accept: a function that returns whether one of the given cards may be drawn, here always a single
                card; by default, all may.
        """
        cards = self.shuffle_matching(question, query, pool=pool)
        if accept:
            cards = (card for card in cards if accept((card,)))
        drawn = list(islice(cards, count))
        for card in drawn:
            self.mark_used(card)
        return drawn

    def draw_single_cards(
        self,
        question: str,
        query: Query,
        count: int | None,
        pool: Pool | None = None,
        excluded: Container[str] | None = None,
        accept: Callable[[Sequence[Card]], bool] | None = None,
    ) -> list[Card]:
        """Draw single cards at random, at most one from each mixed pile.

        A mixed pile may be drawn if any of its members match. One of these is then chosen at random (setup
        rules A38, A40, A45).

        Args:
            question: the key of the random source.
            query: the condition.
            count: the maximum number of cards to draw; None draws one from each matching pile.
            pool: the pool from which the cards come; by default, that of the chosen boxes.
            excluded: the names of cards to leave out; by default, the cards that must not be drawn.
            accept: a function that returns whether one of the given cards of a pile may be drawn; by default,
                all may.
        """
        cards_by_pile = (pool or self.pool).find_single_cards(query)
        drawn: list[Card] = []
        for pile in self.shuffle_matching(question, Query(kind=query.kind), pool=pool, excluded=excluded):
            if len(drawn) == count:
                break
            members = cards_by_pile.get(pile.name, ())
            if members and accept and not accept(members):
                continue
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
        """Draw up to `count` cards of a deck that match a query, or all of them if `count` is None."""
        cards = sorted(filter(query.matches, deck), key=lambda card: card.name)
        return list(islice(self.shuffle(question, cards), count))

    def draw_number(self, question: str, limit: int) -> int:
        """Return a uniform random integer in [0, limit)."""
        return RandomSource(self._seed, question).randbelow(limit)

    def mark_used(self, card: Card) -> None:
        """Exclude a card from later draws, together with its mixed pile or its members, if it has any."""
        self._unavailable.add(card.name)
        if card.member_of:
            self._unavailable.add(card.member_of)
        if card.pile:
            self._unavailable.update(dict(card.pile))


# ── Randomness ──


class RandomSource:
    """A reproducible source of random integers.

    Args:
        seed: any text.
        question: the key of the source.
    """

    def __init__(self, seed: str, question: str) -> None:
        self._key = _make_key(seed, question)
        self._block_count = 0
        self._integers: Iterator[int] = iter(())

    def randbelow(self, limit: int) -> int:
        """Return a uniform random integer in [0, limit)."""
        if limit <= _INTEGER_COUNT:  # The usual case is fast, because deals with wishes spend much time here.
            rejected_count = _INTEGER_COUNT % limit
            while (number := self._next_integer()) < rejected_count:
                pass
            return number % limit
        total = _INTEGER_COUNT
        while total < limit:
            total *= _INTEGER_COUNT
        rejected_count, number = total % limit, -1
        while number < rejected_count:  # The remaining range is a multiple of `limit`.
            number, size = self._next_integer(), _INTEGER_COUNT
            while size < total:
                number, size = number * _INTEGER_COUNT + self._next_integer(), size * _INTEGER_COUNT
        return number % limit

    def _next_integer(self) -> int:
        number = next(self._integers, None)
        if number is None:
            self._integers = iter(_generate_integers(self._key, self._block_count))
            self._block_count += 1
            number = next(self._integers)
        return number


def shuffle_names(seed: str, question: str, names: Iterable[str]) -> list[str]:
    """Return names in random order, by a Fisher-Yates shuffle. Their original order does not matter.

    Args:
        seed: any text.
        question: the key of the random source.
        names: the names.
    """
    shuffled, randbelow = sorted(names), RandomSource(seed, question).randbelow
    for index in range(len(shuffled) - 1, 0, -1):
        other = randbelow(index + 1)
        shuffled[index], shuffled[other] = shuffled[other], shuffled[index]
    return shuffled


def _make_key(seed: str, question: str) -> bytes:
    """Return the bytes from which a question's random integers are derived."""
    return f"{seed}\0{question}\0".encode()


def _generate_integers(key: bytes, block: int) -> memoryview:
    """Return eight pseudorandom integers in [0, 2³²), derived from a key and the index of a block.

    The digest is split into big-endian integers, which are returned in reverse order.
    """
    digest = blake2s(key + b"%d" % block).digest()
    return memoryview(digest[::-1]).cast("I") if _IS_LITTLE_ENDIAN else memoryview(digest).cast("I")[::-1]


def choose_seed(seed: str | None) -> str:
    """Return the seed that the user chose, or a random seed if `seed` is None.

    Raises:
        BadOptions: the seed is empty, for example because of an unset shell variable.
    """
    if seed is not None and not seed.strip():
        raise BadOptions("a seed can't be empty; leave it out to get a random one.")
    return generate_seed() if seed is None else seed


def generate_seed() -> str:
    """Return a short random seed."""
    return "".join(_SEED_LETTERS[byte % len(_SEED_LETTERS)] for byte in os.urandom(5))
