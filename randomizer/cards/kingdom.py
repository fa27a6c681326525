"""Kingdoms that are named instead of dealt, and swaps of single cards."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from randomizer.cards.model import Card
from randomizer.text.language import Message, message
from randomizer.text.slugs import slugify


class Kingdom(NamedTuple):
    """The cards that are named; only the rest is dealt.

    Attributes:
        cards: the names of Kingdom piles, in the order in which they count as turned up.
        landscapes: the names of landscapes, in the same way.
        chosen: the names of the cards that a choice takes, by the question of the choice.
        on: the name of the pile that a card marks, by the name of the card.
    """

    cards: tuple[str, ...] = ()
    landscapes: tuple[str, ...] = ()
    chosen: Mapping[str, tuple[str, ...]] = {}
    on: Mapping[str, str] = {}

    def names(self) -> Iterator[str]:
        """Yield the names of all cards, without the marked piles."""
        yield from self.cards
        yield from self.landscapes
        for names in self.chosen.values():
            yield from names

    def find_unusual_counts(
        self, cards: Mapping[str, Card], usual_count: int, max_landscapes: int, limits: Mapping[str, int]
    ) -> Iterator[Message]:
        """Yield warnings about unusual numbers of cards.

        Args:
            cards: the cards by name.
            usual_count: the number of Kingdom cards of a game.
            max_landscapes: the maximum number of landscapes of a deal.
            limits: the maximum number of landscapes of a kind, by kind.
        """
        count = len(self.cards)
        if count > usual_count:
            template = "{count} Kingdom cards were chosen; a game normally has {most}."
            yield message(template, count=count, most=usual_count)
        kinds = [cards[name].kind for name in self.landscapes]
        if len(kinds) > max_landscapes:
            template = "{count} landscapes were chosen; normally at most {most} are used."
            yield message(template, count=len(kinds), most=max_landscapes)
        for kind, limit in limits.items():
            if limit < kinds.count(kind) <= max_landscapes:
                template = (
                    "{count} of these landscapes are of the same kind; normally at most {most} is used."
                )
                yield message(template, count=kinds.count(kind), most=limit)

    def replace_card(self, old: str, new: str = "") -> "Kingdom":
        """Return the kingdom with another card in place of one, or without it, and without its mark."""

        def replace(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(filter(None, (new if name == old else name for name in names)))

        return Kingdom(
            replace(self.cards),
            replace(self.landscapes),
            {question: kept for question, names in self.chosen.items() if (kept := replace(names))},
            {card: pile for card, pile in self.on.items() if old not in (card, pile)},
        )


class Swap(NamedTuple):
    """A swap of a card on the table (`goes`) for another one (`comes`); empty for a random one."""

    goes: str
    comes: str = ""


NO_KINGDOM = Kingdom()


# ── A kingdom as text and as JSON ──


def format_kingdom(kingdom: Kingdom) -> str:
    """Return the text for `--kingdom` that stands for the kingdom."""
    marked = dict(kingdom.on)
    words = [slugify(name) for name in kingdom.cards]
    for name in kingdom.landscapes:
        words.append(_format_call(name, [marked.pop(name)]) if name in marked else slugify(name))
    words += [_format_call(name, [pile]) for name, pile in marked.items()]
    words += [_format_call(question, names) for question, names in kingdom.chosen.items()]
    return ", ".join(words)


def _format_call(name: str, arguments: Iterable[str]) -> str:
    return f"{slugify(name)}({', '.join(map(slugify, arguments))})"


def kingdom_to_json(kingdom: Kingdom) -> dict[str, Any]:
    """Return the kingdom as JSON, without empty parts."""
    parts = {
        "cards": list(kingdom.cards),
        "landscapes": list(kingdom.landscapes),
        "chosen": {question: list(names) for question, names in kingdom.chosen.items()},
        "on": dict(kingdom.on),
    }
    return {part: value for part, value in parts.items() if value}


def kingdom_from_json(value: Any) -> Kingdom | None:
    """Return the kingdom that JSON stands for, or None if it is invalid. The names are not checked."""
    if not isinstance(value, dict) or not value or not value.keys() <= set(Kingdom._fields):
        return None
    cards, landscapes = value.get("cards", []), value.get("landscapes", [])
    chosen, on = value.get("chosen", {}), value.get("on", {})
    if not (
        isinstance(chosen, dict) and isinstance(on, dict) and _is_list_of_names([*on, *on.values(), *chosen])
    ):
        return None
    if not all(map(_is_list_of_names, (cards, landscapes, *chosen.values()))):
        return None
    return Kingdom(
        tuple(cards),
        tuple(landscapes),
        {question: tuple(names) for question, names in chosen.items()},
        dict(on),
    )


def swaps_from_json(value: Any) -> tuple[Swap, ...] | None:
    """Return the swaps that JSON stands for, or None if it is invalid. The names are not checked."""
    if not isinstance(value, list) or not all(
        isinstance(swap, dict)
        and {"goes"} <= swap.keys() <= set(Swap._fields)
        and _is_list_of_names(list(swap.values()))
        for swap in value
    ):
        return None
    return tuple(Swap(**swap) for swap in value)


def swaps_to_json(swaps: Iterable[Swap]) -> list[dict[str, str]]:
    """Return the swaps as JSON, without empty parts."""
    return [{part: name for part, name in swap._asdict().items() if name} for swap in swaps]


def _is_list_of_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and slugify(text) for text in value)
