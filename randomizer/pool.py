"""The cards that nobody uses yet, and chance."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from randomizer.model import Card, Query

try:  # what hashlib re-exports; hashlib itself would load OpenSSL, 2 ms of start-up
    from _blake2 import blake2s
except ImportError:  # pragma: no cover - Pythons built otherwise
    from hashlib import blake2s

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that look alike


class Pool:
    """The cards that nobody uses yet, and the only dice.

    For every question each card holds a ticket, a number made from the seed, the question and the
    card's name alone. A shuffled deck is the cards in the order of their tickets, a random card
    the one with the lowest. So a draw depends neither on the order of the data, nor on cards that
    were not asked about, nor on the Python that runs it.

    Args:
        cards: every card of the chosen boxes, members of mixed piles included.
        seed: any text.
        stacked: by question, names that come up first in its draw, in this order.
    """

    def __init__(self, cards: Iterable[Card], seed: str, stacked: Mapping[str, Sequence[str]]) -> None:
        self._unused: defaultdict[str, dict[str, Card]] = defaultdict(dict)  # by kind, and by name
        for card in cards:
            self._unused[card.kind][card.name] = card
        self._seed = seed
        self._stacked = stacked

    def shuffled(self, question: str, cards: Iterable[Card]) -> list[Card]:
        """The cards as a deck shuffled for this question, top first."""
        key = f"{self._seed}\0{question}\0".encode()
        tickets = [(blake2s(key + card.name.encode()).digest(), card) for card in cards]
        tickets.sort()
        deck = [card for _, card in tickets]
        top = self._stacked.get(question)
        if top:
            deck.sort(key=lambda card: top.index(card.name) if card.name in top else len(top))
        return deck

    def answering(self, query: Query) -> list[Card]:
        """The unused cards that answer the query; a mixed pile answers as its randomizer does."""
        kinds = query.kind or list(self._unused)
        cards = [card for kind in kinds for card in self._unused[kind].values()]
        return (
            cards if query == Query(kind=query.kind) else [card for card in cards if query.answered_by(card)]
        )

    def draw(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Take up to `count` piles (or landscapes, or Boons ...) that answer; None takes all."""
        drawn = self.shuffled(question, self.answering(query))[:count]
        for card in drawn:
            self.take(card)
        return drawn

    def draw_single(self, question: str, query: Query, count: int | None) -> list[Card]:
        """Take up to `count` single cards, at most one of every mixed pile.

        Randomizers are turned up until one answers, by itself or by a member of its mixed pile;
        of several such members one is taken at random (setup rules A38, A40, A45).
        """
        of_member = query._replace(kind=())  # whose kind its pile answers for
        turned_up = {card.name: card for card in self.answering(Query(kind=query.kind))}
        answers: dict[str, list[Card]] = {}
        for card in self.answering(of_member):
            if card.member_of in turned_up:
                answers.setdefault(card.member_of, []).append(card)
            elif card.name in turned_up and not card.pile:
                answers[card.name] = [card]
        turned = self.shuffled(question, [turned_up[name] for name in answers])[:count]
        drawn = [self.shuffled(f"{question}\0{card.name}", answers[card.name])[0] for card in turned]
        for card in drawn:
            self.take(card)
        return drawn

    def take(self, card: Card) -> None:
        """The card is in use now, and with it the mixed pile that it is or belongs to."""
        for name in (card.name, card.member_of, *(member for member, _ in card.pile)):
            for cards in self._unused.values():
                cards.pop(name, None)


def fresh_seed() -> str:
    """A short seed that nobody has asked for."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(5))
