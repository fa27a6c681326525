"""The cards of a game by name, loaded on demand.

A shelf is a group of cards that appear in exactly the same boxes. Shelves are the unit of loading.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.cards.model import Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import UnknownName
from randomizer.text.slugs import slugify


class Library(Mapping[str, Card]):
    """The cards by name, in the order of the data.

    A shelf is loaded when it is first used, because a deal needs only a few shelves.

    Args:
        shelves: the cards of each shelf. The key of a shelf is the slugs of its boxes, joined by spaces.
        shelf_of: the key of each card's shelf, by card name.

    Attributes:
        pools: the cache of pools; a key consists of the chosen boxes and the banned cards.
        facts: the cache of the facts about cards that setup documents contain.
        wishes: the cache of parsed wishes.
    """

    def __init__(self, shelves: Mapping[str, tuple[Card, ...]], shelf_of: Mapping[str, str]) -> None:
        self.shelves = shelves
        self._boxes = {shelf: shelf.split(" ") for shelf in shelves}
        self.shelf_of = shelf_of
        self._cards: dict[str, Card] = {}
        self._loaded: dict[str, tuple[Card, ...]] = {}
        self.pools: dict[tuple[tuple[str, ...], tuple[str, ...]], Pool] = {}
        self.facts: Any = None
        self.wishes: dict[Any, Any] = {}

    @classmethod
    def from_cards(cls, cards: Iterable[Card]) -> "Library":
        """Create a library from these cards."""
        shelves: dict[str, list[Card]] = {}
        shelf_of = {}
        for card in cards:
            shelf_of[card.name] = " ".join(card.boxes)
            shelves.setdefault(shelf_of[card.name], []).append(card)
        return cls({shelf: tuple(found) for shelf, found in shelves.items()}, shelf_of)

    def __getitem__(self, name: str) -> Card:
        if name not in self._cards:
            self._load(self.shelf_of[name])
        return self._cards[name]

    def __contains__(self, name: object) -> bool:
        return name in self.shelf_of

    def __iter__(self) -> Iterator[str]:
        return iter(self.shelf_of)

    def __len__(self) -> int:
        return len(self.shelf_of)

    def in_boxes(self, slugs: Iterable[str]) -> Iterator[Card]:
        """Yield the cards that at least one of the boxes contains."""
        chosen = set(slugs)
        for shelf, boxes in self._boxes.items():
            if not chosen.isdisjoint(boxes):
                yield from self._load(shelf)

    def find_names(
        self, translations: Iterable[Mapping[str, Named]], normalize: Callable[[str], str] = slugify
    ) -> dict[str, list[str]]:
        """Map each normalized name, in any language, to the English names of the cards that have it.

        If cards share a name, English names take precedence over names in other languages, these over
        readings, and readings over alternative names.

        Args:
            translations: for each language besides English, the cards' names by English name.
            normalize: converts a name to the key under which it is stored.
        """
        languages = list(translations)
        english = {card.name: Named(card.name, also=card.also) for card in self.values()}
        found: dict[str, list[str]] = {}
        for names in ([english], languages):
            _add_new(found, ((normalize(named.name), card) for each in names for card, named in each.items()))
        all_named = [(card, named) for each in (english, *languages) for card, named in each.items()]
        _add_new(found, ((normalize(named.reading), card) for card, named in all_named))
        _add_new(found, ((normalize(name), card) for card, named in all_named for name in named.also))
        return found

    def _load(self, shelf: str) -> tuple[Card, ...]:
        if shelf not in self._loaded:
            self._loaded[shelf] = self.shelves[shelf]
            self._cards.update((card.name, card) for card in self._loaded[shelf])
        return self._loaded[shelf]


def keep_unambiguous(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the keys that stand for exactly one card, mapped to that card's name."""
    return {key: cards[0] for key, cards in names.items() if len(cards) == 1}


def require_single_name(
    names: Sequence[str], typed_name: str, get_suggestions: Callable[[], Sequence[str]]
) -> str:
    """Require that a typed name means exactly one card, and return that card's English name.

    Args:
        names: the English names of all cards that match the typed name.
        typed_name: the name that the user typed.
        get_suggestions: returns similar names; called only if no card matches.

    Raises:
        UnknownName: no card matches the typed name, or several do.
    """
    if len(names) != 1:
        raise UnknownName("card", typed_name, names or get_suggestions())
    return names[0]


def _add_new(found: dict[str, list[str]], names: Iterable[tuple[str, str]]) -> None:
    """Add the keys that are not in `found` yet, each with all cards that `names` lists for it."""
    new: dict[str, list[str]] = {}
    for key, card in names:
        if key and key not in found and card not in new.setdefault(key, []):
            new[key].append(card)
    found |= new
