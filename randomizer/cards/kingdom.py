"""A kingdom that somebody names: what is laid out as asked, so that only the rest of it is dealt."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from randomizer.cards.model import Card
from randomizer.text.language import Message
from randomizer.text.slugs import slugify


class Kingdom(NamedTuple):
    """What is to be laid out because it was named; nothing of it is left to chance.

    Attributes:
        cards: names of Kingdom piles, in the order in which they count as turned up.
        landscapes: names of landscapes, likewise.
        chosen: by the question of a choice, the names of the cards that it is to choose.
        on: by the name of a card that marks a pile, the name of that pile.
    """

    cards: tuple[str, ...] = ()
    landscapes: tuple[str, ...] = ()
    chosen: Mapping[str, tuple[str, ...]] = {}
    on: Mapping[str, str] = {}

    def names(self) -> Iterator[str]:
        """Every card that is named, but for the piles that are marked."""
        yield from self.cards
        yield from self.landscapes
        for names in self.chosen.values():
            yield from names

    def find_unusual_counts(
        self, cards: Mapping[str, Card], usual: int, most: int, limits: Mapping[str, int]
    ) -> Iterator[Message]:
        """What is unusual about how many it names, in words.

        Args:
            cards: by their names.
            usual: how many Kingdom cards a game has.
            most: how many landscapes may be used ...
            limits: ... and how many of a kind.
        """
        count = len(self.cards)
        if count > usual:
            said = (("count", count), ("most", usual))
            yield Message("{count} Kingdom cards were named; a game has {most}.", said)
        kinds = [cards[name].kind for name in self.landscapes]
        if len(kinds) > most:
            said = (("count", len(kinds)), ("most", most))
            yield Message("{count} landscapes were named; {most} at most are dealt.", said)
        for kind, limit in limits.items():
            if limit < kinds.count(kind) <= most:
                said = (("count", kinds.count(kind)), ("most", limit))
                yield Message("{count} of these landscapes are of one kind; {most} at most is dealt.", said)

    def replace_card(self, goes: str, comes: str = "") -> "Kingdom":
        """The same with another card, or none, in the place of one; nothing lies on or under it any more."""

        def there(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(filter(None, (comes if name == goes else name for name in names)))

        return Kingdom(
            there(self.cards),
            there(self.landscapes),
            {question: kept for question, names in self.chosen.items() if (kept := there(names))},
            {card: pile for card, pile in self.on.items() if goes not in (card, pile)},
        )


class Swap(NamedTuple):
    """A card goes from the table, and another comes; without a name, one that chance brings."""

    goes: str
    comes: str = ""


NO_KINGDOM = Kingdom()


# ── A kingdom as text and as JSON ──


def format_kingdom(kingdom: Kingdom) -> str:
    """The kingdom as one types it after `--kingdom`; read again, it is the same."""
    marked = dict(kingdom.on)
    words = [slugify(name) for name in kingdom.cards]
    for name in kingdom.landscapes:
        words.append(_of(name, [marked.pop(name)]) if name in marked else slugify(name))
    words += [_of(name, [pile]) for name, pile in marked.items()]
    words += [_of(question, names) for question, names in kingdom.chosen.items()]
    return ", ".join(words)


def _of(name: str, of: Any) -> str:
    return f"{slugify(name)}({', '.join(map(slugify, of))})"


def kingdom_to_json(kingdom: Kingdom) -> dict[str, Any]:
    """The kingdom as JSON has it, without the parts that nothing was said of."""
    parts = {
        "cards": list(kingdom.cards),
        "landscapes": list(kingdom.landscapes),
        "chosen": {question: list(names) for question, names in kingdom.chosen.items()},
        "on": dict(kingdom.on),
    }
    return {part: value for part, value in parts.items() if value}


def kingdom_from_json(value: Any) -> Kingdom | None:
    """The kingdom that was written as JSON; None if it is none. Which names there are is not checked."""
    if not isinstance(value, dict) or not value or not value.keys() <= set(Kingdom._fields):
        return None
    cards, landscapes = value.get("cards", []), value.get("landscapes", [])
    chosen, on = value.get("chosen", {}), value.get("on", {})
    if not (isinstance(chosen, dict) and isinstance(on, dict) and _texts([*on, *on.values(), *chosen])):
        return None
    if not all(map(_texts, (cards, landscapes, *chosen.values()))):
        return None
    return Kingdom(
        tuple(cards),
        tuple(landscapes),
        {question: tuple(names) for question, names in chosen.items()},
        dict(on),
    )


def swaps_from_json(value: Any) -> tuple[Swap, ...] | None:
    """The swaps that were written as JSON; None if they are none. Which names there are is not checked."""
    if not isinstance(value, list) or not all(
        isinstance(swap, dict)
        and {"goes"} <= swap.keys() <= set(Swap._fields)
        and _texts(list(swap.values()))
        for swap in value
    ):
        return None
    return tuple(Swap(**swap) for swap in value)


def swaps_to_json(swaps: Iterable[Swap]) -> list[dict[str, str]]:
    """The swaps as JSON has them, without what nobody said."""
    return [{part: name for part, name in swap._asdict().items() if name} for swap in swaps]


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and slugify(text) for text in value)
