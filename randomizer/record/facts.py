"""Facts about cards that are the same in every document: names, ids and costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, cast

from randomizer.cards.game import Game
from randomizer.cards.model import Card
from randomizer.text.language import Language
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup import document


class PrintedCost(TypedDict):
    """A cost as printed, and its components; empty and None for a card without a cost."""

    cost: str
    cost_parts: document.CostParts | None


class CardFacts:
    """The names, ids and costs of a game's cards, as parts of documents.

    Every part is built once and shared by all documents. Callers must not change it.

    Args:
        game: the game.
        languages: English, then those whose names are added to the English ones.
    """

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.languages = tuple(languages)
        self._boxes = game.boxes
        self._names: dict[str, Any] = {}
        self._card_names: dict[str, Any] = {}
        self._costs: dict[str, PrintedCost] = {}

    def get_name(self, name: str) -> document.Named:
        """Return a name with its translations."""
        if name not in self._names:
            translations = ((language.code, language.translate_name(name)) for language in self.languages[1:])
            self._names[name] = _build_name(name, translations)
        part: document.Named = self._names[name]
        return part

    def get_box_name(self, slug: str) -> document.Named:
        """Return the name of a box with its translations."""
        name = self._boxes[slug].name
        return _build_name(
            name, ((language.code, language.boxes.get(slug, name)) for language in self.languages[1:])
        )

    def get_card_name(self, name: str) -> document.NamedCard:
        """Return the name of a card with its translations and its id."""
        if name not in self._card_names:
            self._card_names[name] = {**self.get_name(name), "id": slugify(name)}
        part: document.NamedCard = self._card_names[name]
        return part

    def get_cost(self, card: Card) -> PrintedCost:
        """Return the cost of a card, as printed and by components."""
        if card.name not in self._costs:
            parts = card.cost and cast("document.CostParts", card.cost._asdict())
            self._costs[card.name] = {"cost": str(card.cost or ""), "cost_parts": parts}
        return self._costs[card.name]


def get_card_facts(game: Game, languages: Sequence[Language]) -> CardFacts:
    """Return the facts of a game's cards in these languages, cached for the languages used last."""
    facts: CardFacts | None = game.cards.facts
    if facts is None or facts.languages != tuple(languages):
        facts = game.cards.facts = CardFacts(game, languages)
    return facts


def _build_name(name: str, translations: Iterable[tuple[str, str]]) -> document.Named:
    """Build a name with those of its translations that differ from it."""
    part: document.Named = {"name": name}
    names = {code: translation for code, translation in translations if translation != name}
    if names:
        part.update(names)  # type: ignore[typeddict-item]  # The key is the code of any language.
        part["names"] = names
    return part
