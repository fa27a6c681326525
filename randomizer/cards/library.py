"""A mapping of card names to the cards of a game, which are loaded on demand.

Cards are loaded in groups. A group consists of all cards that are in exactly the same boxes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from randomizer.cards.model import Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import UnknownName
from randomizer.text.slugs import remove_accents, slugify


class Library(Mapping[str, Card]):
    """The cards by name, in the order of the data.

    A group of cards is loaded when it is first used, because a deal needs only a few groups.

    Args:
        group_keys: the keys of the groups. A key is the slugs of the group's boxes, joined by spaces.
        group_key_by_card: the key of each card's group, by the name of the card.
        load_group: a function that takes the key of a group and returns its cards.

    Attributes:
        load_group: the same function, except that its results are cached.
        pools: a cache of pools, by chosen boxes and banned cards.
        facts: a cache of card details for setup documents.
    """

    def __init__(
        self,
        group_keys: Sequence[str],
        group_key_by_card: Mapping[str, str],
        load_group: Callable[[str], tuple[Card, ...]],
    ) -> None:
        self.group_keys = group_keys
        self.group_key_by_card = group_key_by_card
        self.load_group = cache(load_group)
        self._cards: dict[str, Card] = {}
        self.pools: dict[tuple[tuple[str, ...], tuple[str, ...]], Pool] = {}
        self.facts: Any = None

    @classmethod
    def from_cards(cls, cards: Iterable[Card]) -> "Library":
        """Create a library of cards that are already loaded."""
        cards_by_group: dict[str, list[Card]] = {}
        group_key_by_card = {}
        for card in cards:
            group_key_by_card[card.name] = " ".join(card.boxes)
            cards_by_group.setdefault(group_key_by_card[card.name], []).append(card)
        return cls(
            list(cards_by_group), group_key_by_card, lambda group_key: tuple(cards_by_group[group_key])
        )

    def __getitem__(self, name: str) -> Card:
        if name not in self._cards:
            self._cards.update((card.name, card) for card in self.load_group(self.group_key_by_card[name]))
        return self._cards[name]

    def __contains__(self, name: object) -> bool:
        return name in self.group_key_by_card

    def __iter__(self) -> Iterator[str]:
        return iter(self.group_key_by_card)

    def __len__(self) -> int:
        return len(self.group_key_by_card)

    def in_boxes(self, slugs: Iterable[str]) -> Iterator[Card]:
        """Yield the cards that are in at least one of the boxes."""
        chosen = set(slugs)
        for group_key in self.group_keys:
            if not chosen.isdisjoint(group_key.split(" ")):
                yield from self.load_group(group_key)

    def find_names(
        self, translations: Collection[Mapping[str, Named]], normalize: Callable[[str], str] = slugify
    ) -> dict[str, list[str]]:
        """Map each normalized name, in any language, to the English names of the cards that have it.

        If a name has several meanings, an English name takes precedence over an alternative English name,
        then a name, a reading and an alternative name in the first of the translations, which is the reader's
        language, and then those in the others. Names without their accents come last.

        Args:
            translations: the names of cards by English name, for each language.
            normalize: the function that converts a name to its normalized form.
        """
        found: dict[str, list[str]] = {}
        _add_missing_keys(found, ((normalize(card.name), card.name) for card in self.values()))
        _add_missing_keys(
            found, ((normalize(name), card.name) for card in self.values() for name in card.also)
        )
        readers, *others = translations or ({},)
        for group in ([readers], others):
            translated = [(card, named) for names in group for card, named in names.items()]
            _add_missing_keys(found, ((normalize(named.name), card) for card, named in translated))
            _add_missing_keys(found, ((normalize(named.reading), card) for card, named in translated))
            _add_missing_keys(
                found, ((normalize(name), card) for card, named in translated for name in named.also)
            )
        unaccented = [(remove_accents(key), cards) for key, cards in found.items() if not key.isascii()]
        _add_missing_keys(found, ((key, card) for key, cards in unaccented for card in cards))
        return found


def keep_unambiguous(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Map each normalized name that only one card has to the English name of that card."""
    return {key: cards[0] for key, cards in names.items() if len(cards) == 1}


def require_single_name(
    names: Sequence[str], typed_name: str, get_suggestions: Callable[[], Sequence[str]]
) -> str:
    """Require that a typed name means exactly one card, and return that card's English name.

    Args:
        names: the English names of all cards that match the typed name.
        typed_name: the name that the user typed.
        get_suggestions: a function that returns similar names; called only if no card matches.

    Raises:
        UnknownName: no card matches the typed name, or several do.
    """
    if len(names) != 1:
        raise UnknownName("card", typed_name, names or get_suggestions())
    return names[0]


def _add_missing_keys(found: dict[str, list[str]], names: Iterable[tuple[str, str]]) -> None:
    """Add (key, card) pairs to a mapping, except for those whose key it already contains.

    Args:
        found: the mapping from keys to card names, to which the pairs are added.
        names: the pairs. Several cards may have the same key.
    """
    new: dict[str, list[str]] = {}
    for key, card in names:
        if key and key not in found and card not in new.setdefault(key, []):
            new[key].append(card)
    found |= new
