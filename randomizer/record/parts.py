"""The parts of a setup document: each thing that is out on a table, with its facts and why it is out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from randomizer.cards.model import Card, Query
from randomizer.deal.table import Decision, Missing, Spot, Table, TableNote, Turned
from randomizer.record.shared import Shared, says
from randomizer.text.language import Message

if TYPE_CHECKING:
    from randomizer.setup import document

_LOOKED_AT = {
    "first": "the first Kingdom card was {card} ({set})",
    "last": "the last Kingdom card was {card} ({set})",
    "any": "the Kingdom card drawn for it was {card} ({set})",
    "asked": "as asked for",
}


class Parts:
    """Makes the parts of one table's document, a method for each sort.

    Args:
        shared: with the documents of other tables.
    """

    def __init__(self, table: Table, shared: Shared) -> None:
        self.game = shared.game
        self.table = table
        self.shared = shared
        self.english = shared.english
        self.known = shared.known
        self._told = table.list_things_with_facts()
        self._kept = shared.kept
        self._keep = shared.keep

    def facts(self, card: Card) -> document.Facts:
        """Its name, where it comes from and what it costs and is."""
        key = "facts", card.name
        part: document.Facts = self._kept.get(key) or self._keep(
            key,
            self.known.named_card(card.name),
            {
                "set": card.set,
                "box": self.shared.box_of(card),
                **self.known.cost(card),
                "types": list(card.types),
            },
        )
        return part

    # ── One kind of part each ──

    def turned(self) -> list[document.Turned]:
        """The randomizers turned up."""
        kept, numbers, skipped = self._kept, self.table.get_kingdom_positions(), self.table.skipped
        parts: list[document.Turned] = []
        for card in self.table.turned_up:
            name = card.name
            number = numbers.get(name)
            key = "turned", name, number, skipped.get(name)
            part = kept.get(key)
            if part is None:
                turned = self._as_turned(self.table.to_turned(card, number))
                part = self._keep(key, self.known.named_card(name), turned)
            parts.append(part)
        return parts

    def _as_turned(self, turned: Turned) -> dict[str, Any]:
        """What a randomizer was turned up as, which is the same for many of them."""
        because = turned.because
        key = "as turned", turned.use, turned.position, because
        part: dict[str, Any] | None = self._kept.get(key)
        if part is None:
            part = {"use": turned.use}
            if turned.position:
                part["kingdom"] = turned.position
            if because:
                part["because"] = self.english.translate(because.phrase, **dict(because.values))
                part["says"] = says(because)
            part = self._keep(key, part)
        return part

    def decision(self, decision: Decision) -> document.Decision:
        """A question answered."""
        card = decision.card and decision.card.name
        key = "decision", decision.question, decision.answer, decision.method, card, decision.is_possible
        part: document.Decision = self._kept.get(key) or self._keep(key, self._decision(decision))
        return part

    def _decision(self, decision: Decision) -> document.Decision:
        card = decision.card
        why = Message(_LOOKED_AT[decision.method], (("card", card.name), ("set", card.set)) if card else ())
        return {
            "question": decision.question,
            "title": decision.title,
            "answer": decision.answer,
            "possible": decision.is_possible,
            "decided_by": card.name if card else None,
            "because": self.english.translate(why.phrase, **dict(why.values)),
            "says": says(why),
        }

    def pile(self, pile: Card) -> document.Pile:
        """A pile, with its members if it is a mixed one."""
        name = pile.name
        key: tuple[object, ...] = ("pile", name)
        if name in self._told:
            table = self.table
            dealt, marks = table.starting_deck.get(name, 0), table.marks.get(name, ())
            key = *key, table.get_place(pile), dealt, *marks, None, *table.get_causes(name)
        part: document.Pile = self._kept.get(key) or self._keep(key, self.facts(pile), self._pile(pile))
        return part

    def _pile(self, card: Card) -> dict[str, Any]:
        table, players = self.table, self.table.players
        place, count = table.get_place(card), card.count_.for_players(players)
        members = [self.member(name, number.for_players(players)) for name, number in card.pile]
        if sum(number.for_players(players) for _, number in card.pile) != count:
            for member in members:  # they are shuffled and counted off
                member["count"] = None
        part: dict[str, Any] = {
            "place": place,
            "supply": place != "beside",
            "count": count,
            "members": members,
            "marks": list(table.marks.get(card.name, ())),
            "because": table.get_causes(card.name),
        }
        if card.stock:
            part["stock"] = count
            part["count"] = count - players * table.starting_deck.get(card.name, 0)
        if card.in_box:
            part["in_box"] = card.in_box
        if card.shuffled:
            part["shuffled"] = True
        if card.note:
            part["note"] = card.note
        if title := self.game.kinds[card.kind].title:
            part["group"] = title
        return part

    def member(self, name: str, count: int) -> document.Member:
        """A card of a mixed pile."""
        card = self.game.cards[name]
        cost = self.known.cost(card)
        return {
            **self.known.named_card(name),
            "cost": cost["cost"],
            "cost_parts": cost["cost_parts"],
            "types": list(card.types),
            "count": count,
        }

    def landscape(self, card: Card) -> document.Landscape:
        """A landscape, with the pile it is on."""
        because = self.table.get_causes(card.name)
        on, owner = self.table.get_marked_pile(card.name), self.table.owners.get(card.name, 0)
        key = "landscape", card.name, on, owner, *because
        part: document.Landscape = self._kept.get(key) or self._keep(
            key, self._printed(card), self._landscape(card, on, owner, because)
        )
        return part

    def _printed(self, card: Card) -> dict[str, Any]:
        """What a landscape is, wherever it lies."""
        key = "printed", card.name
        part: dict[str, Any] = self._kept.get(key) or self._keep(
            key,
            self.known.named_card(card.name),
            {
                "kind": card.kind,
                "group": self.game.kinds[card.kind].title,
                "set": card.set,
                "box": self.shared.box_of(card),
                **self.known.cost(card),
            },
        )
        return part

    def _landscape(self, card: Card, on: str, owner: int, because: list[str]) -> dict[str, Any]:
        kind = self.game.kinds[card.kind]
        part: dict[str, Any] = {"because": because}
        if on:
            part["on"] = on
            part["says"] = says(Message(kind.lies, (("on", on),)))
            if kind.marks:
                part["marks"] = says(Message(kind.marks, (("name", card.name),)))
        if owner:
            part["player"] = owner
        return part

    def deck(self, name: str) -> document.Deck:
        """A deck, with the cards beside it."""
        deck = self.table.decks[name]
        return {
            **self.known.named(name),
            "cards": [card.name for card in deck.cards],
            "face_up": [card.name for card in deck.face_up],
            "count": len(deck.cards),
            "contents": [self.facts(card) for card in (*deck.face_up, *deck.cards)],
            "because": self.table.get_causes(name),
        }

    def set_aside(self, card: Card) -> document.SetAside:
        """A card set aside for another."""
        return {
            **self.facts(card),
            "for": self.table.aside_for[card.name],
            "because": self.table.get_causes(card.name),
        }

    def card(self, card: Card, count: int) -> document.Card:
        """So many cards of a name."""
        because = self.table.get_causes(card.name)
        key = "card", card.name, count, *because
        part: document.Card = self._kept.get(key) or self._keep(
            key,
            self.known.named_card(card.name),
            {"box": self.shared.box_of(card), "count": count, "because": because},
        )
        return part

    def boxed(self, card: Card) -> document.Card:
        """Cards that go back into the box, with what they are."""
        part = self.card(card, card.count_.for_players(self.table.players))
        note = card.note or self.game.kinds[card.kind].boxed
        return {**part, "note": note} if note else part

    def component(self, name: str) -> document.Component:
        """A mat, a heap of tokens and the like."""
        because = self.table.get_causes(name)
        put = self._put(name) if self.table.components[name].stock else 0
        key = "component", name, put, *because
        part: document.Component = self._kept.get(key) or self._keep(
            key,
            self.known.named_card(name) if name in self.game.cards else self.known.named(name),
            self._component(name, put, because),
        )
        return part

    def _put(self, name: str) -> int:
        """How many of these have been put where they start."""
        return sum(sum(counts.values()) for spot, counts in self.table.tokens.items() if spot.token == name)

    def _component(self, name: str, put: int, because: list[str]) -> dict[str, Any]:
        component = self.table.components[name]
        part: dict[str, Any] = {
            "kind": component.kind,
            "count": component.count_ and component.count_.for_players(self.table.players),
            "per": component.each,
            "because": because,
        }
        if name in self.game.cards:
            part["box"] = self.shared.box_of(self.game.cards[name])
        if component.one:
            part["one"] = component.one
        if component.stock:
            part["stock"] = component.stock
            part["count"] = max(component.stock - put, 0)
        if component.note:
            part["note"] = component.note
        return part

    def tokens(self, spot: Spot) -> document.PlacedTokens:
        """Tokens that start somewhere."""
        count, because = sum(self.table.tokens[spot].values()), self.table.get_causes(spot)
        key = "tokens", *spot, count, *because
        part: document.PlacedTokens = self._kept.get(key) or self._keep(
            key, self.known.named(spot.token), self._tokens(spot, count, because)
        )
        return part

    def _tokens(self, spot: Spot, count: int, because: list[str]) -> dict[str, Any]:
        component = self.game.components[spot.token]
        lies = "on the {on}" if spot.on in self.game.components else component.lies
        part: dict[str, Any] = {
            "kind": component.kind,
            "count": count,
            "on": spot.on,
            "says": says(Message(lies, (("on", spot.on),))),
            "because": because,
        }
        if component.one:
            part["one"] = component.one
        if spot.each == "player":
            part["per"] = "player"
        return part

    def missing(self, missing: Missing) -> document.Missing:
        """A choice for which there were too few cards, with the boxes that would help."""
        help_ = [
            slug
            for slug in self.game.boxes
            if missing.among == "unused"
            and slug not in self.shared.chosen
            and any(
                missing.query.matches(card) and not self.shared.banned(card)
                for card in self.game.cards.in_boxes([slug])
            )
        ]
        return {
            "for": missing.slot,
            "wanted": missing.wanted,
            "found": missing.found,
            "among": missing.among,
            "query": _asked(missing.query),
            "help": help_,
            "because": [*self.table.get_causes(missing.cause), missing.cause],
        }

    def note(self, told: TableNote) -> document.Note:
        """What the players are told."""
        because = self.table.get_causes(told)
        key = "note", told, *because
        part: document.Note = self._kept.get(key) or self._keep(key, self._note(told, because))
        return part

    def _note(self, told: TableNote, because: list[str]) -> document.Note:
        message = told.message
        part: document.Note = {
            "text": self.english.translate(message.phrase, **dict(message.values)),
            "says": says(message),
            "because": because,
        }
        if told.step:
            part["step"] = told.step
            part["on"] = told.on
        return part


def _asked(query: Query) -> dict[str, list[str | int]]:
    return {
        field: list(value) for field, value in query._asdict().items() if isinstance(value, tuple) and value
    }
