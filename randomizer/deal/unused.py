"""The cards that nobody uses yet, and every draw from them."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from randomizer.cards.model import Card, Query
from randomizer.cards.pool import Pool
from randomizer.deal.dice import places


class Unused:
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
        self._used: set[str] = set()
        for card in used:
            self.take(card)

    def shuffled(self, question: str, cards: Sequence[Card], without: Container[str] = ()) -> Iterator[Card]:
        """The cards as a deck shuffled for this question, top first; only as far as somebody looks.

        Args:
            question: what it is shuffled for.
            cards: all of them, in an order that is always the same.
            without: names of cards that are passed over when they come up.
        """
        top = self._stacked.get(question, ())
        if top:
            named = {card.name: card for card in cards}
            stacked = (named[name] for name in dict.fromkeys(top) if name in named)
            yield from (card for card in stacked if card.name not in without)
        moved: dict[int, Card] = {}  # where another card has come to lie than at first
        last = len(cards)
        for place in places(self._seed, question, last):
            card = moved[place] if place in moved else cards[place]
            last -= 1
            moved[place] = moved[last] if last in moved else cards[last]
            if card.name not in without and card.name not in top:
                yield card

    def deck(self, question: str, *queries: Query) -> Iterator[Card]:
        """The unused cards that answer one of the queries, shuffled for this question.

        No card may answer two of them. A mixed pile answers as its randomizer does.
        """
        if question in self._arranged and question not in self._stacked:
            return iter(self._arranged[question])
        return self.shuffled(question, self.pool.deck(queries), self._used)

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
        singles = self.pool.singly(query)
        drawn: list[Card] = []
        for pile in self.deck(question, Query(kind=query.kind)):
            if len(drawn) == count:
                break
            members = singles.get(pile.name, ())
            if len(members) == 1:
                drawn += members
            elif members:
                drawn.append(next(self.shuffled(f"{question}\0{pile.name}", members)))
        for card in drawn:
            self.take(card)
        return drawn

    def draw_again(self, question: str, deck: Sequence[Card], query: Query, count: int | None) -> list[Card]:
        """Take up to `count` cards that answer out of a deck that has been dealt; None takes all."""
        cards = sorted(filter(query.answered_by, deck), key=lambda card: card.name)
        return list(islice(self.shuffled(question, cards), count))

    def take(self, card: Card) -> None:
        """The card is in use now, and with it the mixed pile that it is or belongs to."""
        used = self._used
        used.add(card.name)
        if card.member_of:
            used.add(card.member_of)
        for member, _ in card.pile:
            used.add(member)
