"""The pool of cards from which tables are dealt. Deals from the same boxes share a pool and its caches."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeVar

from randomizer.cards.model import Card, Query
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Slug

MAX_CACHE_ENTRIES = 200
_T = TypeVar("_T")


def get_or_compute(
    cache: dict[Any, Any], key: Hashable, compute: Callable[[], _T], max_entries: int = MAX_CACHE_ENTRIES
) -> _T:
    """Return the cached value of a key, or compute and cache it.

    Args:
        cache: the cache, which is cleared when it is full.
        key: the key.
        compute: the function that computes the value.
        max_entries: the maximum size of the cache.
    """
    if key not in cache:
        if len(cache) >= max_entries:
            cache.clear()
        cache[key] = compute()
    value: _T = cache[key]
    return value


class Pool:
    """The cards from which a table is dealt, and cached queries on them.

    The cards are sorted by name, so that draws do not depend on the order of the data. Because of the caches,
    deals from many boxes are as fast as deals from few boxes.

    Args:
        boxes: the names of the boxes.
        cards: all cards in the boxes, including the members of mixed piles.
        banned: the names of cards that may not be dealt.

    Attributes:
        find_cards: returns the cards that match a query. For a mixed pile, its randomizer must match.
        find_single_cards: maps the name of each pile to the cards in it that match a query. An ordinary pile
            has a single card. A mixed pile has its matching members (setup rules A38, A40, A45).
        cache: a cache for values that other modules derive from the pool. Each module uses its own keys.
    """

    def __init__(self, boxes: Sequence[Slug], cards: Iterable[Card], banned: Collection[str] = ()) -> None:
        self._boxes = boxes
        all_cards = sorted(cards, key=lambda card: card.name)
        banned = frozenset(banned)
        self._cards = [card for card in all_cards if card.name not in banned]
        self._banned = [card for card in all_cards if card.name in banned]
        cards_by_kind: dict[str, list[Card]] = {}
        for card in self._cards:
            cards_by_kind.setdefault(card.kind, []).append(card)
        # The cached functions do not refer to the pool. A reference cycle would delay freeing its memory.
        self.find_cards: Callable[[Query], tuple[Card, ...]] = cache(
            partial(_find_cards, self._cards, cards_by_kind)
        )
        self.find_single_cards: Callable[[Query], Mapping[str, tuple[Card, ...]]] = cache(
            partial(_find_single_cards, self.find_cards)
        )
        self.cache: dict[Any, Any] = {}

    def require_enough(self, found: int, wanted: int, what: str, query: Query | None = None) -> None:
        """Check that enough cards are available.

        Args:
            found: the number of available cards.
            wanted: the number of cards that the deal needs.
            what: the kind of cards for the error message, in the plural.
            query: the condition that the cards must meet, which is used to count matching banned cards.

        Raises:
            TooFewCards: fewer cards are available than the deal needs.
        """
        if found < wanted:
            banned = sum(map(query.matches, self._banned)) if query else 0
            raise TooFewCards(self._boxes, found, wanted, what, banned)

    def list_cards(self) -> Sequence[Card]:
        """Return all cards that may be dealt, sorted by name."""
        return self._cards

    def find_with_banned(self, query: Query) -> tuple[Card, ...]:
        """Return all cards that match the query, including banned ones.

        Bans apply only to random choices. A deck that is always used as a whole, such as the Boons, includes
        banned cards.
        """
        found = [*self.find_cards(query), *filter(query.matches, self._banned)]
        return tuple(sorted(found, key=lambda card: card.name))


def _find_cards(
    cards: Sequence[Card], cards_by_kind: Mapping[str, Sequence[Card]], query: Query
) -> tuple[Card, ...]:
    candidates = cards_by_kind.get(query.kind[0], ()) if len(query.kind) == 1 else cards
    return tuple(filter(query.matches, candidates))


def _find_single_cards(
    find_cards: Callable[[Query], tuple[Card, ...]], query: Query
) -> Mapping[str, tuple[Card, ...]]:
    piles = {card.name: card for card in find_cards(Query(kind=query.kind))}
    singles: dict[str, tuple[Card, ...]] = {}
    # The kind of the pile must match, not that of its members.
    for card in find_cards(query._replace(kind=())):
        if card.member_of in piles:
            singles[card.member_of] = (*singles.get(card.member_of, ()), card)
        elif card.name in piles and not card.pile:
            singles[card.name] = (card,)
    return singles
