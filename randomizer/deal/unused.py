"""The cards that nobody uses yet, and chance."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from randomizer.cards.model import Card, Query
from randomizer.cards.pool import Collection

try:  # what hashlib re-exports; hashlib itself would load OpenSSL, 2 ms of start-up
    from _blake2 import blake2s
except ImportError:  # pragma: no cover - Pythons built otherwise
    from hashlib import blake2s

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that look alike


class Dice:
    """Random numbers for one question: the same for a seed and a question on every machine and Python."""

    def __init__(self, seed: str, question: str) -> None:
        self._key = f"{seed}\0{question}\0".encode()
        self._rolls = 0
        self._numbers: list[int] = []  # of 32 bits

    def below(self, limit: int) -> int:
        """A whole number from 0 on and below the limit (1 to 2³²), each as likely as any other."""
        while True:
            if not self._numbers:
                digest = blake2s(self._key + b"%d" % self._rolls).digest()
                self._numbers = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
                self._rolls += 1
            number = self._numbers.pop()
            if number >= 2**32 % limit:  # the rest divides evenly
                return number % limit


class Pool:
    """The cards that nobody uses yet, and the only dice.

    Every question has dice of its own, made from the seed and the question alone, and draws from unused
    cards of the chosen boxes in the order of their names. So a draw depends neither on the order of the data,
    nor on other boxes, nor on the Python that runs it.

    Args:
        collection: the cards of the chosen boxes.
        seed: any text.
        stacked: by question, names that come up first in its draw, in this order.
        used: names of cards of the collection that are in use already.
    """

    def __init__(
        self,
        collection: Collection,
        seed: str,
        stacked: Mapping[str, Sequence[str]],
        used: Iterable[str] = (),
    ) -> None:
        self.collection = collection
        self._seed = seed
        self._stacked = stacked
        self._used = set(used)

    def shuffled(self, question: str, cards: Sequence[Card]) -> Iterator[Card]:
        """The cards as a deck shuffled for this question, top first; only as far as somebody looks."""
        top = self._stacked.get(question, ())
        if top:
            named = {card.name: card for card in cards}
            yield from (named[name] for name in dict.fromkeys(top) if name in named)
        dice = Dice(self._seed, question)
        moved: dict[int, int] = {}  # where another card has come to lie than at first
        for left in range(len(cards), 0, -1):
            place = dice.below(left)
            card = cards[moved.get(place, place)]
            moved[place] = moved.get(left - 1, left - 1)
            if card.name not in top:
                yield card

    def deck(self, question: str, *queries: Query) -> Iterator[Card]:
        """The unused cards that answer one of the queries, shuffled for this question.

        No card may answer two of them. A mixed pile answers as its randomizer does.
        """
        cards = [card for query in queries for card in self.collection.answering(query)]
        return (card for card in self.shuffled(question, cards) if card.name not in self._used)

    def draw(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Take up to `count` piles (or landscapes, or Boons ...) that answer; None takes all."""
        drawn = list(islice(self.deck(question, query), count))
        for card in drawn:
            self.take(card)
        return drawn

    def draw_single(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Take up to `count` single cards, at most one of every mixed pile.

        Randomizers are turned up until one answers, by itself or by a member of its mixed pile;
        of several such members one is taken at random (setup rules A38, A40, A45).
        """
        singles = self.collection.singly(query)
        drawn: list[Card] = []
        for pile in self.deck(question, Query(kind=query.kind)):
            if len(drawn) == count:
                break
            if pile.name in singles:
                drawn.append(next(self.shuffled(f"{question}\0{pile.name}", singles[pile.name])))
        for card in drawn:
            self.take(card)
        return drawn

    def take(self, card: Card) -> None:
        """The card is in use now, and with it the mixed pile that it is or belongs to."""
        self._used.add(card.name)
        self._used.add(card.member_of)
        self._used.update(member for member, _ in card.pile)


def fresh_seed() -> str:
    """A short seed that nobody has asked for."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(5))
