"""The cards that nobody uses yet, and all chance: the same for a seed on every machine and every Python."""

import os
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2s
from itertools import islice

from randomizer.cards.model import Card, Query
from randomizer.cards.pool import Pool

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that look alike
_RANGE = 2**32
_LITTLE = sys.byteorder == "little"


class UnusedCards:
    """The cards of a pool that nobody uses yet, and the only chance there is.

    Every question has dice of its own, made from the seed and the question alone, and draws from unused
    cards of the chosen boxes in the order of their names. So a draw depends neither on the order of the data,
    nor on other boxes, nor on the Python that runs it.

    Args:
        pool: the cards of the chosen boxes.
        seed: any text.
        stacked: by question, names that come up first in its draw, in this order.
        used: cards that are in use already.
        arranged: by question, all that comes up for it, where nothing is stacked.

    Attributes:
        in_use: the cards that have come into use, by their names, in that order.
    """

    def __init__(
        self,
        pool: Pool,
        seed: str,
        stacked: Mapping[str, Sequence[str]],
        used: Iterable[Card] = (),
        arranged: Mapping[str, Sequence[Card]] = {},
    ) -> None:
        self.pool = pool
        self._seed = seed
        self._stacked = stacked
        self._arranged = arranged
        self.in_use: dict[str, Card] = {}
        self._used: set[str] = set()  # names of others that are not to be drawn
        for card in used:
            self.mark_used(card)

    def shuffle(self, question: str, cards: Sequence[Card], without: Container[str] = ()) -> Iterator[Card]:
        """The cards as a deck shuffled for this question, top first; only as far as somebody looks.

        Args:
            question: what it is shuffled for.
            cards: all of them, in an order that is always the same.
            without: names of cards that are passed over when they come up.
        """
        top = self._stacked.get(question, ())
        if top:
            named = {card.name: card for card in cards}
            stacked = [named[name] for name in dict.fromkeys(top) if name in named]
            yield from (card for card in stacked if card.name not in without)
            without = {*top, *filter(without.__contains__, named)}
        moved: dict[int, Card] = {}  # where another card has come to lie than at first
        # What `Dice.below` would say each time, written out, because a deal is mostly this.
        key, left, time = _key(self._seed, question), len(cards), 0
        while left:
            for number in _rolled(key, time):
                if number >= left or number >= _RANGE % left:  # the rest divides evenly
                    place = number % left
                    left -= 1
                    card = moved[place] if place in moved else cards[place]
                    moved[place] = moved[left] if left in moved else cards[left]
                    if card.name not in without:
                        yield card
                    if not left:
                        break
            time += 1

    def deck(self, question: str, *queries: Query) -> Iterator[Card]:
        """The unused cards that answer one of the queries, shuffled for this question.

        No card may answer two of them. A mixed pile answers as its randomizer does.
        """
        if question in self._arranged and question not in self._stacked:
            return iter(self._arranged[question])
        return self.shuffle(question, self.pool.find_deck_cards(queries), self._used.union(self.in_use))

    def draw(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Take up to `count` piles (or landscapes, or Boons ...) that answer; None takes all."""
        drawn = list(islice(self.deck(question, query), count))
        for card in drawn:
            self.mark_used(card)
        return drawn

    def draw_single(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Take up to `count` single cards, at most one of every mixed pile.

        Randomizers are turned up until one answers, by itself or by a member of its mixed pile;
        of several such members one is taken at random (setup rules A38, A40, A45).
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
        """Take up to `count` cards that answer out of a deck that has been dealt; None takes all."""
        cards = sorted(filter(query.matches, deck), key=lambda card: card.name)
        return list(islice(self.shuffle(question, cards), count))

    def mark_used(self, card: Card) -> None:
        """Nobody else is to draw the card, nor the mixed pile that it is or belongs to."""
        self._used.add(card.name)
        if card.member_of:
            self._used.add(card.member_of)
        if card.pile:
            self._used.update(dict(card.pile))


# ── Dice ──


class RandomSource:
    """Dice of one question, to ask for a number again and again.

    Args:
        seed: any text.
        question: what they decide.
    """

    def __init__(self, seed: str, question: str) -> None:
        self._key = _key(seed, question)
        self._times = 0
        self._numbers: Iterator[int] = iter(())

    def randbelow(self, number: int) -> int:
        """A whole number from 0 on and below this one, each as likely as any other."""
        if number <= _RANGE:  # as nearly always, and a deal with wishes is mostly this
            uneven = _RANGE % number
            while (rolled := self._roll()) < uneven:
                pass
            return rolled % number
        whole = _RANGE
        while whole < number:
            whole *= _RANGE
        uneven, rolled = whole % number, -1
        while rolled < uneven:  # the rest divides evenly
            rolled, size = self._roll(), _RANGE
            while size < whole:
                rolled, size = rolled * _RANGE + self._roll(), size * _RANGE
        return rolled % number

    def _roll(self) -> int:
        number = next(self._numbers, None)
        if number is None:
            self._numbers = iter(_rolled(self._key, self._times))
            self._times += 1
            number = next(self._numbers)
        return number


def _key(seed: str, question: str) -> bytes:
    """What the dice of a question are made from."""
    return f"{seed}\0{question}\0".encode()


def _rolled(key: bytes, time: int) -> memoryview:
    """Eight numbers from 0 on and below 2³², others for every key and every time.

    The digest is a row of them, the first byte of each the most significant; they are taken from its end.
    """
    digest = blake2s(key + b"%d" % time).digest()
    return memoryview(digest[::-1]).cast("I") if _LITTLE else memoryview(digest).cast("I")[::-1]


def generate_seed() -> str:
    """A short seed that nobody has asked for."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(5))
