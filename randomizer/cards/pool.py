"""The pool: the cards of the chosen boxes, and which of them answer a query. Many deals have it in common."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from randomizer.cards.model import Card, Query
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Slug

MOST_KEPT = (
    200  # things that are worked out once, of a sort; whoever asks for more has to wait for each again
)
_T = TypeVar("_T")


def kept_in(kept: dict[Any, Any], key: Hashable, work_out: Callable[[], _T], most: int = MOST_KEPT) -> _T:
    """What was worked out for this key before, or now; at most so many are kept."""
    if key not in kept:
        if len(kept) >= most:
            kept.clear()
        kept[key] = work_out()
    found: _T = kept[key]
    return found


class Pool:
    """The cards that one deals from, sorted by name, so that no draw depends on the order of the data.

    Answers are worked out once and kept, so that a deal takes no longer with more boxes.

    Args:
        boxes: what they are called.
        cards: every card of theirs, members of mixed piles included.
        banned: names of those that nobody deals from; as an attribute, these cards.
    """

    def __init__(self, boxes: Sequence[Slug], cards: Iterable[Card], banned: Collection[str] = ()) -> None:
        self._boxes = boxes
        every = sorted(cards, key=lambda card: card.name)
        kept = frozenset(card.name for card in every).difference(banned)
        self._cards = [card for card in every if card.name in kept]
        self._kinds: dict[str, list[Card]] = {}
        for card in self._cards:
            self._kinds.setdefault(card.kind, []).append(card)
        self._banned = [card for card in every if card.name not in kept]
        self._answering: dict[Query, tuple[Card, ...]] = {}
        self._decks: dict[tuple[Query, ...], tuple[Card, ...]] = {}
        self._names: dict[Query, frozenset[str]] = {}
        self._kinds_of: dict[Query, frozenset[str]] = {}
        self._singly: dict[Query, Mapping[str, tuple[Card, ...]]] = {}
        self.worked_out: dict[Any, Any] = {}  # what others keep of it, by what they asked

    def require(self, found: int, wanted: int, what: str, query: Query | None = None) -> None:
        """Refuse to go on with too few.

        Args:
            found: how many there are ...
            wanted: ... of how many that the deal takes ...
            what: ... of which sort, in the plural ...
            query: ... and what it takes to be one of them, to tell how many are banned.

        Raises:
            TooFewCards: fewer are there than are wanted.
        """
        if found < wanted:
            banned = sum(map(query.answered_by, self._banned)) if query else 0
            raise TooFewCards(self._boxes, found, wanted, what, banned)

    def every(self) -> Sequence[Card]:
        """All the cards, by name."""
        return self._cards

    def answering(self, query: Query) -> tuple[Card, ...]:
        """The cards that answer the query; a mixed pile answers as its randomizer does."""
        if query not in self._answering:
            one_kind = len(query.kind) == 1
            cards = self._kinds.get(query.kind[0], ()) if one_kind else self._cards
            self._answering[query] = tuple(filter(query.answered_by, cards))
        return self._answering[query]

    def deck(self, queries: tuple[Query, ...]) -> tuple[Card, ...]:
        """The cards that answer one of the queries; no card may answer two of them."""
        if queries not in self._decks:
            self._decks[queries] = tuple(card for query in queries for card in self.answering(query))
        return self._decks[queries]

    def names(self, query: Query) -> frozenset[str]:
        """The names of the cards that answer the query."""
        if query not in self._names:
            self._names[query] = frozenset(card.name for card in self.answering(query))
        return self._names[query]

    def kinds(self, query: Query) -> frozenset[str]:
        """The kinds of the cards that answer the query."""
        if query not in self._kinds_of:
            self._kinds_of[query] = frozenset(card.kind for card in self.answering(query))
        return self._kinds_of[query]

    def singly(self, query: Query) -> Mapping[str, tuple[Card, ...]]:
        """By the name of its randomizer, the single cards of a pile that answer the query.

        A mixed pile is in it if one of its members answers; then these may be taken, not the pile
        (setup rules A38, A40, A45).
        """
        if query not in self._singly:
            piles = {card.name: card for card in self.answering(Query(kind=query.kind))}
            singles: dict[str, tuple[Card, ...]] = {}
            for card in self.answering(query._replace(kind=())):  # a member's kind is that of its pile
                if card.member_of in piles:
                    singles[card.member_of] = (*singles.get(card.member_of, ()), card)
                elif card.name in piles and not card.pile:
                    singles[card.name] = (card,)
            self._singly[query] = singles
        return self._singly[query]
