"""What the documents of several deals have in common that are asked for alike but for their seeds."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from randomizer import __version__
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import kingdom_to_json, swaps_to_json
from randomizer.cards.model import Card, Step
from randomizer.record.facts import facts_in
from randomizer.setup.checklist import SORTS, item_of
from randomizer.setup.command import without_seed
from randomizer.setup.lines import Line, places_of
from randomizer.text.json import Kept, KeptList
from randomizer.text.language import Language, Message
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup import document

_MOST = 20_000  # parts that are kept; a thousand deals from all boxes have about so many


class Shared:
    """Whatever follows from the game, the boxes and the number of players, worked out once.

    Args:
        game: what is dealt.
        request: what the deals are asked for; their seeds are all that differs.
        languages: English first; then those whose names stand beside the English ones.
        chosen: slugs of the boxes that are dealt from, where not all those of the request are.
        keeping: parts of documents are kept for the next one, too, and so is their JSON text; then the
            documents are not to be changed.

    Attributes:
        chosen: slugs of the boxes that are dealt from.
        known: what every document says of the cards.
        kept: parts of documents by what makes them differ, as `keep` was told.
        elsewhere: boxes that were not chosen from which something on any of the tables has come.
        generator: what makes the documents.
        options: every option that shapes the tables.
        typed: the command that deals such a table, without its seed.
    """

    def __init__(
        self,
        game: Game,
        request: Request,
        languages: Sequence[Language],
        chosen: Sequence[str] = (),
        *,
        keeping: bool = False,
    ) -> None:
        self.game = game
        self.chosen = frozenset(chosen or request.chosen)
        self.players = request.players
        self._asked_for = request.chosen
        self._wishes = request.wishes
        self.english = languages[0]
        self.known = facts_in(game, languages)
        self.typed = without_seed(game, request)
        self._keeping = keeping
        self.kept: dict[Hashable, Any] = {}
        self.generator: document.Generator = self.keep(
            "generator", {"name": "dominion-randomizer", "version": __version__, "data": game.hash}
        )
        self.options: dict[str, Any] = self.keep("options", _options(request))
        self._places = places_of(game.kinds)
        self._boxes: dict[str, str] = {}
        self.elsewhere: set[str] = set()
        self._keys: dict[str, dict[str, tuple[Any, ...]]] = {}  # by sort and name
        self._places_of_boxes = places_of(game.boxes)

    def keep(self, key: Hashable, *parts: Mapping[str, Any]) -> Any:
        """A part of a document, kept for the next table of the same request if parts are.

        Args:
            key: everything that makes the part differ from others on such tables.
            parts: what it holds, in turn, as `Kept` takes it.
        """
        if not self._keeping:
            whole: dict[str, Any] = {}
            for part in parts:
                whole.update(part)
            return whole
        if len(self.kept) == _MOST:
            self.kept.clear()
        part = self.kept[key] = Kept(*parts)
        return part

    def item(self, line: Line) -> document.Item:
        """A line of the checklist, as the document holds it."""
        item: document.Item = self.kept.get(line) or self.keep(line, item_of(line))
        return item

    def step(self, step: Step) -> document.Step:
        """What every deal ends with."""
        key = "step", step
        part: document.Step = self.kept.get(key) or self.keep(key, {"name": step.name, "text": step.say})
        return part

    @cached_property
    def boxes(self) -> list[document.Box]:
        """The boxes that were chosen, then the cards chosen by themselves."""
        boxes = self.boxes_with(())
        return KeptList(boxes) if self._keeping else boxes

    def boxes_with(self, others: Collection[str]) -> list[document.Box]:
        """The same with boxes that something comes from though they were not chosen."""
        boxes = [self.box(slug) for slug in self.game.boxes if slug in self.chosen or slug in others]
        return [*boxes, *self._alone]

    @cached_property
    def _alone(self) -> list[document.Box]:
        """The cards that were chosen by themselves."""
        singles = [slug for slug in self._asked_for if slug in self.chosen and slug not in self.game.boxes]
        cards = self.game.find_cards(singles) if singles else ()
        return [
            {"slug": slugify(card.name), **self.known.named(card.name), "chosen": True}
            for card in cards
            if not card.member_of
        ]

    def box(self, slug: str) -> document.Box:
        """A box, and whether it was chosen."""
        key = "box", slug
        part: document.Box = self.kept.get(key) or self.keep(
            key, {**self.known.named_box(slug), "slug": slug, "chosen": slug in self.chosen}
        )
        return part

    def box_of(self, card: Card) -> str:
        """The box to fetch a card from: a chosen one that holds it, else the newest one of its set."""
        slug = self._boxes.get(card.name)
        if slug is None:
            chosen = [slug for slug in card.boxes if slug in self.chosen]
            own = [slug for slug in card.boxes if card.set in self.game.boxes[slug].holds]
            slug = self._boxes[card.name] = chosen[0] if chosen else (own or card.boxes)[-1]
            if not chosen:
                self.elsewhere.add(slug)
        return slug

    def banned(self, card: Card) -> bool:
        """Whether the card never comes, from whichever box, because somebody wishes so."""
        if not self._wishes.without:
            return False
        from randomizer.deal.wishes.matching import (
            find_ban,  # most deals have no use for it, and start the sooner
        )

        return bool(find_ban(self.game, self._wishes, card))

    def in_order(self, names: Collection[str], sort: str) -> list[str]:
        """The names of a Kingdom's piles, in one of the orders of `checklist.SORTS`."""
        keys = self._keys.setdefault(sort, {})
        for name in {*names}.difference(keys):
            card = self.game.cards[name]
            pile: Any = {"name": name, "cost": str(card.cost or ""), "box": self.box_of(card)}
            keys[name] = SORTS[sort](pile, self._places_of_boxes)
        return sorted(names, key=keys.__getitem__)

    def by_kind(self, landscapes: Iterable[Card]) -> list[Card]:
        """Landscapes in the order of their kinds."""
        return sorted(landscapes, key=lambda card: self._places[card.kind])


def _options(request: Request) -> dict[str, Any]:
    """Every option that shaped the table."""
    return {
        **({"game": request.game} if request.game else {}),
        "sets": list(request.chosen),
        "players": request.players,
        **request.settings,
        **request.wishes.to_options(),
        **({"kingdom": kingdom_to_json(request.kingdom)} if any(request.kingdom) else {}),
        **({"swap": swaps_to_json(request.swaps)} if request.swaps else {}),
        **({"cards": list(request.files)} if request.files else {}),
    }


def says(message: Message) -> document.Says:
    """A text as a phrase and what is put into it."""
    values = {key: value if isinstance(value, int) else str(value) for key, value in message.values}
    return {"phrase": message.phrase, "values": values}
