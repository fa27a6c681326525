"""What every document says of a card, whatever table it lies on: worked out once for each card of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from randomizer.cards.game import Game
from randomizer.cards.model import Card, Cost
from randomizer.text.json import Kept
from randomizer.text.language import Language
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup import document


class Facts:
    """The names and costs as parts of a document. Each is given again and again, and not to be changed.

    Args:
        languages: English first; then those whose names stand beside the English ones.
    """

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.languages = tuple(languages)
        self._others = self.languages[1:]
        self._boxes = game.boxes
        self._named: dict[str, Any] = {}
        self._cards: dict[str, Any] = {}
        self._costs: dict[str, dict[str, Any]] = {}

    def named(self, name: str) -> document.Named:
        """The name, and beside it what it is called in other languages."""
        if name not in self._named:
            others = ((other.code, other.translate_name(name)) for other in self._others)
            self._named[name] = Kept(_named(name, others))
        part: document.Named = self._named[name]
        return part

    def named_box(self, slug: str) -> document.Named:
        """The box's name, likewise."""
        name = self._boxes[slug].name
        return _named(name, ((other.code, other.boxes.get(slug, name)) for other in self._others))

    def named_card(self, name: str) -> document.NamedCard:
        """A card's name, likewise, and its id."""
        if name not in self._cards:
            self._cards[name] = Kept(self.named(name), {"id": slugify(name)})
        part: document.NamedCard = self._cards[name]
        return part

    def id_of(self, name: str) -> str:
        """A card's id."""
        return self.named_card(name)["id"]

    def cost(self, card: Card) -> dict[str, Any]:
        """What a card costs."""
        if card.name not in self._costs:
            self._costs[card.name] = {"cost": str(card.cost or ""), "cost_parts": _parts(card.cost)}
        return self._costs[card.name]


def facts_in(game: Game, languages: Sequence[Language]) -> Facts:
    """The facts of a game's cards in these languages; kept, because the next document wants them again."""
    kept: Facts | None = game.cards.facts
    if kept is None or kept.languages != tuple(languages):
        kept = game.cards.facts = Facts(game, languages)
    return kept


def _named(name: str, elsewhere: Iterable[tuple[str, str]]) -> document.Named:
    """The name, and what it is called in other languages, as far as that is something else."""
    part: document.Named = {"name": name}
    names = {code: called for code, called in elsewhere if called != name}
    if names:
        part.update(names)  # type: ignore[typeddict-item]  # `ja`, and whatever comes
        part["names"] = names
    return part


def _parts(cost: Cost | None) -> document.CostParts | None:
    """The cost, taken apart."""
    return cost and cast("document.CostParts", cost._asdict())
