"""Details of cards that are the same in all setup documents: names, ids and costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypedDict, cast

from randomizer.cards.game import Game
from randomizer.text.language import Language
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup import document


class PrintedCost(TypedDict):
    """The cost of a card: as printed, and its components. They are empty and None if no cost is printed."""

    cost: str
    cost_parts: document.CostParts | None


class CardFacts:
    """The names, ids and costs of a game's cards, in the format of setup documents.

    `get_name`, `get_card_name` and `get_cost` take the English name of a card. Their results are cached and
    shared by all documents, so callers must not modify them.

    Args:
        game: the game.
        languages: English, then the languages whose translations of names are included.
    """

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.languages = tuple(languages)
        self._game = game
        # The keys of the caches are names, because computing the hash of a card is slow.
        self.get_name = cache(self._build_name)
        self.get_card_name = cache(self._build_card_name)
        self.get_cost = cache(self._build_cost)

    def _build_name(self, name: str) -> document.Named:
        """Build the name of a card or component, with its translations."""
        translations = ((language.code, language.translate_name(name)) for language in self.languages[1:])
        return _combine_names(name, translations)

    def get_box_name(self, slug: str) -> document.Named:
        """Return the name of a box, with its translations."""
        name = self._game.boxes[slug].name
        return _combine_names(
            name, ((language.code, language.boxes.get(slug, name)) for language in self.languages[1:])
        )

    def _build_card_name(self, name: str) -> document.NamedCard:
        """Build the name of a card, with its translations and its id."""
        return {**self.get_name(name), "id": slugify(name)}

    def _build_cost(self, name: str) -> PrintedCost:
        """Build the cost of a card: as printed, and its components."""
        cost = self._game.cards[name].cost
        parts = cost and cast("document.CostParts", cost._asdict())
        return {"cost": str(cost or ""), "cost_parts": parts}


def get_card_facts(game: Game, languages: Sequence[Language]) -> CardFacts:
    """Return the details of a game's cards in some languages. Those for the last languages are cached."""
    facts: CardFacts | None = game.cards.facts
    if facts is None or facts.languages != tuple(languages):
        facts = game.cards.facts = CardFacts(game, languages)
    return facts


def _combine_names(name: str, translations: Iterable[tuple[str, str]]) -> document.Named:
    """Build a name, with those translations that differ from the English name."""
    part: document.Named = {"name": name}
    names = {code: translation for code, translation in translations if translation != name}
    if names:
        part.update(names)  # type: ignore[typeddict-item]  # The key is the code of any language.
        part["names"] = names
    return part
