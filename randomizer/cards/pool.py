"""The pool: the cards of the chosen boxes, and which of them answer a query. Many deals have it in common."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from randomizer.cards.model import Card, Query
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Slug

MAX_CACHE_ENTRIES = (
    200  # things that are worked out once, of a sort; whoever asks for more has to wait for each again
)
_T = TypeVar("_T")
_Question = TypeVar("_Question", bound=Hashable)


def get_or_compute(
    kept: dict[Any, Any], key: Hashable, work_out: Callable[[], _T], most: int = MAX_CACHE_ENTRIES
) -> _T:
    """What was worked out for this key before, or now; at most so many are kept."""
    if key not in kept:
        if len(kept) >= most:
            kept.clear()
        kept[key] = work_out()
    found: _T = kept[key]
    return found


class Answers(dict[_Question, _T]):
    """Answers by their questions, each worked out when it is asked for the first time.

    Args:
        work_out: finds an answer.
    """

    def __init__(self, work_out: Callable[[_Question], _T]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, question: _Question) -> _T:
        answer = self[question] = self._work_out(question)
        return answer


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
        # None of these knows the pool, so that it goes as soon as nobody has it.
        self._answering = Answers(partial(_answering, self._cards, self._kinds))
        self._decks = Answers(partial(_deck, self._answering))
        self._names = Answers(partial(_names, self._answering))
        self._kinds_of = Answers(partial(_kinds, self._answering))
        self._singly = Answers(partial(_singly, self._answering))
        self.cache: dict[Any, Any] = {}  # what others keep of it, by what they asked

    def require_enough(self, found: int, wanted: int, what: str, query: Query | None = None) -> None:
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
            banned = sum(map(query.matches, self._banned)) if query else 0
            raise TooFewCards(self._boxes, found, wanted, what, banned)

    def list_cards(self) -> Sequence[Card]:
        """All the cards, by name."""
        return self._cards

    def find_cards(self, query: Query) -> tuple[Card, ...]:
        """The cards that answer the query; a mixed pile answers as its randomizer does."""
        return self._answering[query]

    def find_deck_cards(self, queries: tuple[Query, ...]) -> tuple[Card, ...]:
        """The cards that answer one of the queries; no card may answer two of them."""
        return self._decks[queries]

    def find_names(self, query: Query) -> frozenset[str]:
        """The names of the cards that answer the query."""
        return self._names[query]

    def find_kinds(self, query: Query) -> frozenset[str]:
        """The kinds of the cards that answer the query."""
        return self._kinds_of[query]

    def find_single_cards(self, query: Query) -> Mapping[str, tuple[Card, ...]]:
        """By the name of its randomizer, the single cards of a pile that answer the query.

        A mixed pile is in it if one of its members answers; then these may be taken, not the pile
        (setup rules A38, A40, A45).
        """
        return self._singly[query]


# ── Worked out once ──

_Answering = Mapping[Query, tuple[Card, ...]]  # the cards that answer a query


def _answering(cards: Sequence[Card], kinds: Mapping[str, Sequence[Card]], query: Query) -> tuple[Card, ...]:
    among = kinds.get(query.kind[0], ()) if len(query.kind) == 1 else cards
    return tuple(filter(query.matches, among))


def _deck(answering: _Answering, queries: tuple[Query, ...]) -> tuple[Card, ...]:
    return tuple(card for query in queries for card in answering[query])


def _names(answering: _Answering, query: Query) -> frozenset[str]:
    return frozenset(card.name for card in answering[query])


def _kinds(answering: _Answering, query: Query) -> frozenset[str]:
    return frozenset(card.kind for card in answering[query])


def _singly(answering: _Answering, query: Query) -> Mapping[str, tuple[Card, ...]]:
    piles = {card.name: card for card in answering[Query(kind=query.kind)]}
    singles: dict[str, tuple[Card, ...]] = {}
    for card in answering[query._replace(kind=())]:  # a member's kind is that of its pile
        if card.member_of in piles:
            singles[card.member_of] = (*singles.get(card.member_of, ()), card)
        elif card.name in piles and not card.pile:
            singles[card.name] = (card,)
    return singles
