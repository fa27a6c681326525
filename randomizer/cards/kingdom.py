"""A kingdom that somebody names: what is laid out as asked, so that only the rest of it is dealt."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from randomizer.cards.model import CardName, EditionName, OptionName, QuestionName
from randomizer.text.slugs import slug_of


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

    def without(self, gone: str) -> "Kingdom":
        """The same without a card, and without what was named for that card alone to lie on."""
        return Kingdom(
            tuple(name for name in self.cards if name != gone),
            tuple(name for name in self.landscapes if name != gone),
            {
                question: kept
                for question, names in self.chosen.items()
                if (kept := tuple(name for name in names if name != gone))
            },
            {card: pile for card, pile in self.on.items() if gone not in (card, pile)},
        )


NO_KINGDOM = Kingdom()


class Suggested(NamedTuple):
    """A kingdom that a rulebook suggests: a line of `kingdoms:` in the data.

    Attributes:
        id: its name as one types it, the same for ever; where several lists have a name, with a number.
        name: its English name.
        names: by the code of the language, what it is called in others.
        sets: the sets or boxes whose rulebooks have it; a set stands for any of its editions.
        cards: its Kingdom cards.
        landscapes: its landscapes.
        chosen: by the question of a choice, the cards that it suggests for it.
        on: by the card that marks a pile, that pile.
        use: the questions of setup that it answers with yes, by their options; it says no to the others.
    """

    id: str
    name: str
    sets: tuple[EditionName, ...]
    cards: tuple[CardName, ...]
    names: tuple[tuple[str, str], ...] = ()
    landscapes: tuple[CardName, ...] = ()
    chosen: tuple[tuple[QuestionName, tuple[CardName, ...]], ...] = ()
    on: tuple[tuple[CardName, CardName], ...] = ()
    use: tuple[OptionName, ...] = ()

    def kingdom(self) -> Kingdom:
        """What is laid out for it."""
        return Kingdom(self.cards, self.landscapes, dict(self.chosen), dict(self.on))


# ── A kingdom as text and as JSON ──


def typed(kingdom: Kingdom) -> str:
    """The kingdom as one types it after `--kingdom`; read again, it is the same."""
    marked = dict(kingdom.on)
    words = [slug_of(name) for name in kingdom.cards]
    for name in kingdom.landscapes:
        words.append(_of(name, [marked.pop(name)]) if name in marked else slug_of(name))
    words += [_of(name, [pile]) for name, pile in marked.items()]
    words += [_of(question, names) for question, names in kingdom.chosen.items()]
    return ", ".join(words)


def _of(name: str, of: Any) -> str:
    return f"{slug_of(name)}({', '.join(map(slug_of, of))})"


def as_json(kingdom: Kingdom) -> dict[str, Any]:
    """The kingdom as JSON has it, without the parts that nothing was said of."""
    parts = {
        "cards": list(kingdom.cards),
        "landscapes": list(kingdom.landscapes),
        "chosen": {question: list(names) for question, names in kingdom.chosen.items()},
        "on": dict(kingdom.on),
    }
    return {part: value for part, value in parts.items() if value}


def from_json(value: Any) -> Kingdom | None:
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


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and slug_of(text) for text in value)
