"""All cards of a game by name, stored in shelves by the boxes that contain them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.cards.model import Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import UnknownName
from randomizer.text.slugs import slugify


class Library(Mapping[str, Card]):
    """The cards by name, in the order of the data.

    A shelf is loaded when it is first used, because a deal needs few of them.

    Args:
        shelves: the cards by the boxes that contain them: their slugs, joined by spaces.
        shelf_of: the shelf of each card, by the card's name.

    Attributes:
        pools: the cache of pools, by chosen boxes and banned cards.
        facts: the cache of the facts about the cards in setup documents.
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
        """Create a library of these cards."""
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
        wanted = set(slugs)
        for shelf, boxes in self._boxes.items():
            if not wanted.isdisjoint(boxes):
                yield from self._load(shelf)

    def find_unambiguous_names(self, translations: Iterable[Mapping[str, Named]]) -> dict[str, str]:
        """Return the English card name by each slug that names only one card.

        Args:
            translations: for each further language, the names of the cards by English name.
        """
        return keep_unambiguous(self.find_names(translations))

    def find_names(
        self, translations: Iterable[Mapping[str, Named]], normalize: Callable[[str], str] = slugify
    ) -> dict[str, list[str]]:
        """Return the English card names by each name under which cards are known.

        A name in English takes precedence over one in another language, a name over a reading, and a reading
        over an alternative name.

        Args:
            translations: for each further language, the names of the cards by English name.
            normalize: returns the key of a name.
        """
        languages = list(translations)
        english = {card.name: Named(card.name, also=card.also) for card in self.values()}
        found: dict[str, list[str]] = {}
        for names in ([english], languages):
            _add_new(found, ((normalize(named.name), card) for each in names for card, named in each.items()))
        everything = [(card, named) for each in (english, *languages) for card, named in each.items()]
        _add_new(found, ((normalize(named.reading), card) for card, named in everything))
        _add_new(found, ((normalize(name), card) for card, named in everything for name in named.also))
        return found

    def _load(self, shelf: str) -> tuple[Card, ...]:
        if shelf not in self._loaded:
            self._loaded[shelf] = self.shelves[shelf]
            self._cards.update((card.name, card) for card in self._loaded[shelf])
        return self._loaded[shelf]


def keep_unambiguous(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the keys that stand for a single card, each with the card's name."""
    return {key: cards[0] for key, cards in names.items() if len(cards) == 1}


def require_single_name(
    names: Sequence[str], typed_name: str, get_suggestions: Callable[[], Sequence[str]]
) -> str:
    """Return the only card name of a list.

    Args:
        names: the English names of the cards with the name that was typed.
        typed_name: the name that was typed.
        get_suggestions: returns similar names, if there is no such card.

    Raises:
        UnknownName: there is no such card, or more than one.
    """
    if len(names) != 1:
        raise UnknownName("card", typed_name, names or get_suggestions())
    return names[0]


def _add_new(found: dict[str, list[str]], names: Iterable[tuple[str, str]]) -> None:
    """Add the keys that are not taken yet, each with all its cards."""
    new: dict[str, list[str]] = {}
    for key, card in names:
        if key and key not in found and card not in new.setdefault(key, []):
            new[key].append(card)
    found |= new
