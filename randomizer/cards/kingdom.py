"""Kingdoms that the user specifies, and swaps of single cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.text.language import Message, message
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.cards.model import Card


class Kingdom(NamedTuple):
    """The cards that the user specifies for a table. Missing cards are drawn at random.

    Attributes:
        cards: the names of Kingdom piles, in the order in which they are turned up.
        landscapes: the names of landscapes, in the order in which they are turned up.
        chosen: the names of the cards for each choice, by the name of the choice; for example,
            `{"Bane": ("Moat",)}`.
        on: the name of the pile that a card marks, by the name of that card; for example,
            `{"Obelisk": "Smithy"}`.
    """

    cards: tuple[str, ...] = ()
    landscapes: tuple[str, ...] = ()
    chosen: Mapping[str, tuple[str, ...]] = {}
    on: Mapping[str, str] = {}

    def names(self) -> Iterator[str]:
        """Yield the names of the Kingdom cards, landscapes and chosen cards, in this order."""
        yield from self.cards
        yield from self.landscapes
        for names in self.chosen.values():
            yield from names

    def find_unusual_counts(
        self,
        cards: Mapping[str, Card],
        usual_count: int,
        max_landscapes: int,
        limits: Mapping[str, int],
        extra: Collection[str] = (),
    ) -> Iterator[Message]:
        """Yield warnings about unusual numbers of cards.

        Args:
            cards: the cards by name.
            usual_count: the normal number of Kingdom cards.
            max_landscapes: the normal maximum number of landscapes.
            limits: the normal maximum number of landscapes of each kind.
            extra: the kinds whose landscapes do not count towards the maximum of all landscapes.
        """
        count = len(self.cards)
        if count > usual_count:
            template = "{count} Kingdom cards were chosen; a game normally has {most}."
            yield message(template, count=count, most=usual_count)
        all_kinds = [cards[name].kind for name in self.landscapes]
        kinds = [kind for kind in all_kinds if kind not in extra]
        if len(kinds) > max_landscapes:
            template = (
                "{count} landscapes were chosen; normally at most {most} are used."
                if max_landscapes
                else "Landscapes were chosen; with these options, normally none are used."
            )
            yield message(template, count=len(kinds), most=max_landscapes)
        for kind, limit in limits.items():
            if limit < all_kinds.count(kind) and (kind in extra or kinds.count(kind) <= max_landscapes):
                template = (
                    "{count} of these landscapes are of the same kind; normally at most {most} is used."
                )
                yield message(template, count=all_kinds.count(kind), most=limit)

    def replace_card(self, old: str, new: str = "") -> Kingdom:
        """Return a copy of the kingdom in which a new card replaces an old one.

        If the old card marks a pile or is itself marked, that mark is removed.

        Args:
            old: the name of the card to replace.
            new: the name of the new card; if empty, the old card is removed without replacement.
        """

        def replace(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(filter(None, (new if name == old else name for name in names)))

        return Kingdom(
            replace(self.cards),
            replace(self.landscapes),
            {question: cards for question, names in self.chosen.items() if (cards := replace(names))},
            {card: pile for card, pile in self.on.items() if old not in (card, pile)},
        )


class Swap(NamedTuple):
    """The replacement of a card on the table by another card.

    Attributes:
        goes: the name of the card to replace.
        comes: the name of the new card; empty for a random one.
    """

    goes: str
    comes: str = ""


NO_KINGDOM = Kingdom()
NO_VETOES = "nothing"  # the value of `--vetoed` if nobody vetoed a card
MAX_VETOES = 20  # maximum number of extra cards for a veto: three for each of six players, plus two


# ── A kingdom as text and as JSON ──


def format_kingdom(kingdom: Kingdom) -> str:
    """Format a kingdom as a value of the option `--kingdom`."""
    arguments_by_name = {**kingdom.chosen, **{name: (pile,) for name, pile in kingdom.on.items()}}
    # Choices that are not named after one of these cards, such as the Bane, follow as separate items.
    names = dict.fromkeys((*kingdom.cards, *kingdom.landscapes, *kingdom.on, *kingdom.chosen))
    return ", ".join(_format_call(name, arguments_by_name.get(name, ())) for name in names)


def _format_call(name: str, arguments: Iterable[str]) -> str:
    """Format a name like a function call, with its arguments in parentheses, if there are any."""
    joined_arguments = ", ".join(map(slugify, arguments))
    return f"{slugify(name)}({joined_arguments})" if joined_arguments else slugify(name)


def kingdom_to_json(kingdom: Kingdom) -> dict[str, Any]:
    """Convert a kingdom to a JSON object without empty fields."""
    parts = {
        "cards": list(kingdom.cards),
        "landscapes": list(kingdom.landscapes),
        "chosen": {question: list(names) for question, names in kingdom.chosen.items()},
        "on": dict(kingdom.on),
    }
    return {part: value for part, value in parts.items() if value}


def kingdom_from_json(value: Any) -> Kingdom | None:
    """Parse a kingdom from a JSON value; return None if it is invalid. Card names are not checked."""
    if not isinstance(value, dict) or not value or not value.keys() <= set(Kingdom._fields):
        return None
    cards, landscapes = value.get("cards", []), value.get("landscapes", [])
    chosen, on = value.get("chosen", {}), value.get("on", {})
    if not (
        isinstance(chosen, dict) and isinstance(on, dict) and is_list_of_names([*on, *on.values(), *chosen])
    ):
        return None
    if not all(map(is_list_of_names, (cards, landscapes, *chosen.values()))):
        return None
    return Kingdom(
        tuple(cards),
        tuple(landscapes),
        {question: tuple(names) for question, names in chosen.items()},
        dict(on),
    )


def swaps_from_json(value: Any) -> tuple[Swap, ...] | None:
    """Parse swaps from a JSON value; return None if it is invalid. Card names are not checked."""
    if not isinstance(value, list) or not all(
        isinstance(swap, dict)
        and {"goes"} <= swap.keys() <= set(Swap._fields)
        and is_list_of_names(list(swap.values()))
        for swap in value
    ):
        return None
    return tuple(Swap(**swap) for swap in value)


def swaps_to_json(swaps: Iterable[Swap]) -> list[dict[str, str]]:
    """Convert swaps to JSON objects without empty fields."""
    return [{part: name for part, name in swap._asdict().items() if name} for swap in swaps]


def is_list_of_names(value: Any) -> bool:
    """Return whether a JSON value is a list of strings that could be card names."""
    return isinstance(value, list) and all(isinstance(text, str) and slugify(text) for text in value)
