"""The parts of a setup document: the cards and components on a table, each with what causes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from randomizer.cards.model import Card, Query
from randomizer.deal.table import Decision, Missing, Spot, Table, TableNote
from randomizer.record.context import DocumentContext
from randomizer.setup.texts import build_note, build_sentence
from randomizer.text.language import Message

if TYPE_CHECKING:
    from randomizer.setup import document

_DECISION_REASONS = {
    "first": "the first Kingdom card was {card} ({set})",
    "last": "the last Kingdom card was {card} ({set})",
    "any": "the Kingdom card drawn to decide was {card} ({set})",
    "asked": "as requested",
    "used": "other tables use what it needs",
    "share": "by chance, in {share} of all games, as you wished",
}


class PartBuilder:
    """A builder of the parts of a table's setup document, with a method for each type of part.

    Args:
        table: the table.
        context: the data that the document shares with other documents.
    """

    def __init__(self, table: Table, context: DocumentContext) -> None:
        self.table = table
        self._context = context
        self._game = context.game
        self._card_facts = context.card_facts
        self.translate = context.card_facts.translate
        self.build_sentence = partial(build_sentence, languages=context.languages)

    def build_turned(self) -> list[document.Turned]:
        """Build the list of the randomizers, in the order in which they were turned up."""
        parts: list[Any] = []
        for turned in self.table.turned:
            part = {**self._card_facts.get_card_name(turned.card.name), "use": turned.use}
            if turned.skip_reason:
                part["reason"] = self.build_sentence(turned.skip_reason)
            elif turned.position:
                part["position"] = turned.position
            parts.append(part)
        return parts

    def build_decision(self, decision: Decision) -> document.Decision:
        """Build a yes/no setup question, with its answer and the card that decided it."""
        card = decision.card
        values: tuple[tuple[str, str], ...] = (("card", card.name), ("set", card.set)) if card else ()
        if decision.share:
            values = (("share", decision.share),)
        return {
            "question": decision.question,
            "title": self.translate(decision.title),
            "answer": decision.answer,
            "possible": decision.is_possible,
            "decided_by": card.name if card else None,
            "reason": self.build_sentence(Message(_DECISION_REASONS[decision.method], values)),
        }

    def build_pile(self, card: Card) -> document.Pile:
        """Build a pile, with its members if it is a mixed pile."""
        table, name = self.table, card.name
        part = self._context.get_pile(name).copy()
        part["marks"] = [*table.marks.get(name, ())]
        part["because"] = table.get_causes(name)
        part["place"] = cast("document.Place", table.get_place(card))
        if "stock" in part:
            part["count"] = part["stock"] - table.players * table.starting_deck.get(name, 0)
        return part

    def build_landscape(self, card: Card) -> document.Landscape:
        """Build a landscape, with the pile that it marks and the player to whom it belongs, if any."""
        table, name = self.table, card.name
        part = self._context.get_landscape(name, table.get_marked_pile(name)).copy()
        part["because"] = table.get_causes(name)
        if owner := table.owner_numbers.get(name):
            part["player"] = owner
        return part

    def build_deck(self, name: str) -> document.Deck:
        """Build a deck and the face-up cards next to it."""
        deck = self.table.decks[name]
        return {
            **self._card_facts.get_name(name),
            "cards": [card.name for card in deck.cards],
            "face_up": [card.name for card in deck.face_up],
            "count": len(deck.cards),
            "contents": [self._context.get_facts(card.name) for card in (*deck.face_up, *deck.cards)],
            "because": self.table.get_causes(name),
        }

    def build_set_aside(self, card: Card) -> document.SetAside:
        """Build a card that is set aside for a choice."""
        return {
            **self._context.get_facts(card.name),
            "for": self.table.aside_for[card.name],
            "because": self.table.get_causes(card.name),
        }

    def build_card(self, card: Card, count: int) -> document.Card:
        """Build a number of copies of a card."""
        return cast(
            "document.Card",
            {
                **self._card_facts.get_card_name(card.name),
                "box": self._context.get_facts(card.name)["box"],
                "count": count,
                "because": self.table.get_causes(card.name),
            },
        )

    def build_boxed(self, card: Card) -> document.Card:
        """Build the copies of a card that are returned to the box."""
        part = self.build_card(card, card.count_.for_players(self.table.players))
        if note := card.note or self._game.kinds[card.kind].boxed:
            part["note"] = self.translate(note)
        return part

    def build_component(self, name: str) -> document.Component:
        """Build a component, such as a mat or tokens. States and Artifacts are components that are cards."""
        component, is_card = self.table.components[name], name in self._game.cards
        part = cast(
            "document.Component",
            {
                **(self._card_facts.get_card_name(name) if is_card else self._card_facts.get_name(name)),
                "kind": component.kind,
                "count": component.count_ and component.count_.for_players(self.table.players),
                "per": component.each,
                "because": self.table.get_causes(name),
            },
        )
        if is_card:
            part["box"] = self._context.get_facts(name)["box"]
        if component.one:
            part["one"] = self.translate(component.one)
        if component.stock:
            part["stock"] = component.stock
            part["count"] = max(component.stock - self._count_placed(name), 0)
        if component.note:
            part["note"] = self.translate(component.note)
        return part

    def _count_placed(self, name: str) -> int:
        """Return the number of tokens with a given name that are placed on cards or mats at setup."""
        return sum(sum(counts.values()) for spot, counts in self.table.tokens.items() if spot.token == name)

    def build_tokens(self, spot: Spot) -> document.PlacedTokens:
        """Build the tokens that are placed on a card or mat at setup."""
        component = self._game.components[spot.token]
        template = "on the {on}" if spot.on in self._game.components else component.lies
        part = cast(
            "document.PlacedTokens",
            {
                **self._card_facts.get_name(spot.token),
                "kind": component.kind,
                "count": sum(self.table.tokens[spot].values()),
                "on": spot.on,
                "location": self.build_sentence(Message(template, (("on", spot.on),))),
                "because": self.table.get_causes(spot),
            },
        )
        if component.one:
            part["one"] = self.translate(component.one)
        if spot.each == "player":
            part["per"] = "player"
        return part

    def build_missing(self, missing: Missing) -> document.Missing:
        """Build a choice for which there were too few cards, with other boxes that contain suitable cards."""
        if missing.among == "boxes":
            return self._build_shortage(missing)
        helpful_boxes = [
            slug
            for slug in self._game.boxes
            if missing.among == "unused"
            and slug not in self._context.chosen
            and any(
                missing.query.matches(card) and not self._context.is_banned(card)
                for card in self._game.cards.in_boxes([slug])
            )
        ]
        return {
            "for": missing.slot,
            "wanted": missing.wanted,
            "found": missing.found,
            "among": missing.among,
            "query": _encode_query(missing.query),
            "help": helpful_boxes,
            "because": [*self.table.get_causes(missing.cause), missing.cause],
        }

    def _build_shortage(self, missing: Missing) -> document.Missing:
        """Build something of which the boxes have too little left, with the boxes that contain it."""
        name, game = missing.slot, self._game
        if name in self.table.decks:
            deck = self.table.decks[name]
            boxes: Sequence[str] = [*deck.cards, *deck.face_up][0].boxes
        else:
            boxes = (game.cards[name] if name in game.cards else game.components[name]).boxes
        return {
            "for": name,
            "wanted": missing.wanted,
            "found": missing.found,
            "among": missing.among,
            "query": {},
            "help": [*boxes],
            "because": self.table.get_causes(name),
        }

    def build_note(self, note: TableNote) -> document.Note:
        """Build a note for the players."""
        part = build_note(note.message, self.table.get_causes(note), self._context.languages)
        if note.step:
            part["step"] = note.step
            part["on"] = note.on
        return part


def _encode_query(query: Query) -> dict[str, list[str | int]]:
    """Convert the non-empty conditions of a query to JSON data."""
    return {
        field: list(value) for field, value in query._asdict().items() if isinstance(value, tuple) and value
    }
