"""Every card of a game by its name, kept on shelves by the boxes that hold it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.cards.model import Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import UnknownName
from randomizer.text.slugs import slugify


class Library(Mapping[str, Card]):
    """The cards by name, in the order of the data; a deal only unpacks the shelves that it needs.

    Args:
        shelves: cards by the boxes that hold them all, the slugs joined by spaces.
        shelf_of: for each card's name, its shelf.
    """

    def __init__(self, shelves: Mapping[str, tuple[Card, ...]], shelf_of: Mapping[str, str]) -> None:
        self.shelves = shelves
        self._boxes = {shelf: shelf.split(" ") for shelf in shelves}
        self.shelf_of = shelf_of
        self._seen: dict[str, Card] = {}
        self._unpacked: dict[str, tuple[Card, ...]] = {}
        self.pools: dict[tuple[tuple[str, ...], tuple[str, ...]], Pool] = {}
        self.facts: Any = None  # what documents say of the cards
        self.wishes: dict[Any, Any] = {}  # by the wishes of a request, what they mean

    @classmethod
    def from_cards(cls, cards: Iterable[Card]) -> "Library":
        """These cards, put on their shelves."""
        shelves: dict[str, list[Card]] = {}
        shelf_of = {}
        for card in cards:
            shelf_of[card.name] = " ".join(card.boxes)
            shelves.setdefault(shelf_of[card.name], []).append(card)
        return cls({shelf: tuple(found) for shelf, found in shelves.items()}, shelf_of)

    def __getitem__(self, name: str) -> Card:
        if name not in self._seen:
            self._unpack(self.shelf_of[name])
        return self._seen[name]

    def __contains__(self, name: object) -> bool:
        return name in self.shelf_of

    def __iter__(self) -> Iterator[str]:
        return iter(self.shelf_of)

    def __len__(self) -> int:
        return len(self.shelf_of)

    def in_boxes(self, slugs: Iterable[str]) -> Iterator[Card]:
        """The cards that at least one of the boxes holds."""
        wanted = set(slugs)
        for shelf, boxes in self._boxes.items():
            if not wanted.isdisjoint(boxes):
                yield from self._unpack(shelf)

    def find_unambiguous_names(self, named: Iterable[Mapping[str, Named]]) -> dict[str, str]:
        """By whatever a card alone is called, as one types it, its English name.

        Args:
            named: what other languages call the cards, by their English names.
        """
        return keep_unambiguous(self.find_names(named))

    def find_names(
        self, named: Iterable[Mapping[str, Named]], typed: Callable[[str], str] = slugify
    ) -> dict[str, list[str]]:
        """By whatever cards are called, the English names of those that are called so.

        A card's own name is nobody else's; but several may be read alike.

        Args:
            named: as for `called`.
            typed: how names are typed.
        """
        languages = list(named)
        english = {card.name: Named(card.name, also=card.also) for card in self.values()}
        found: dict[str, list[str]] = {}
        for names in ([english], languages):
            _claim(found, ((typed(one.name), card) for each in names for card, one in each.items()))
        others = [english, *languages]
        _claim(found, ((typed(one.reading), card) for each in others for card, one in each.items()))
        also = ((word, card) for each in others for card, one in each.items() for word in one.also)
        _claim(found, ((typed(word), card) for word, card in also))
        return found

    def _unpack(self, shelf: str) -> tuple[Card, ...]:
        if shelf not in self._unpacked:
            self._unpacked[shelf] = self.shelves[shelf]
            self._seen.update((card.name, card) for card in self._unpacked[shelf])
        return self._unpacked[shelf]


def keep_unambiguous(claimed: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The words that one card alone is called, each with its name."""
    return {word: names[0] for word, names in claimed.items() if len(names) == 1}


def require_single_name(names: Sequence[str], typed: str, near: Callable[[], Sequence[str]]) -> str:
    """The only one of the cards that are called as somebody typed.

    Args:
        names: their English names.
        typed: the word.
        near: what comes nearest, where no card is called so.

    Raises:
        UnknownName: there is none, or there are several.
    """
    if len(names) != 1:
        raise UnknownName("card", typed, names or near())
    return names[0]


def _claim(found: dict[str, list[str]], words: Iterable[tuple[str, str]]) -> None:
    """Add the words that nobody has claimed before, each with all its cards."""
    new: dict[str, list[str]] = {}
    for word, card in words:
        if word and word not in found and card not in new.setdefault(word, []):
            new[word].append(card)
    found |= new
