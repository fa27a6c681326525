"""The parts of a setup document: each thing that is out on a table, with its facts and why it is out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, cast

from randomizer.cards.game import Game
from randomizer.cards.model import Card, Message, Query
from randomizer.deal.table import Decision, Missing, Placed, Spot, Table, Told, Turned
from randomizer.record.facts import facts_in
from randomizer.text.language import Language

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
        chosen: slugs of the boxes that were dealt from.
        languages: English first; then those whose names stand beside the English ones.

    Attributes:
        known: what every document says of the cards.
        used_boxes: slugs of all boxes that the parts made so far come from.
    """

    def __init__(
        self, game: Game, chosen: Collection[str], table: Table, languages: Sequence[Language]
    ) -> None:
        self.game = game
        self.chosen = set(chosen)
        self.table = table
        self.english = languages[0]
        self.known = facts_in(game, languages)
        self.used_boxes = {slug for slug in game.boxes if slug in self.chosen}

    def facts(self, card: Card) -> document.Facts:
        """Its name, where it comes from and what it costs and is."""
        return {**self.known.of(card), "box": self.box_of(card)}

    def box_of(self, card: Card) -> str:
        """The box to fetch it from: a chosen one that holds it, else the newest one of its set."""
        chosen = [slug for slug in card.boxes if slug in self.chosen]
        own = [slug for slug in card.boxes if card.set in self.game.boxes[slug].holds]
        slug = chosen[0] if chosen else (own or card.boxes)[-1]
        self.used_boxes.add(slug)
        return slug

    # ── One kind of part each ──

    def turned(self, turned: Turned) -> document.Turned:
        """A randomizer turned up."""
        part: document.Turned = {
            **self.known.named_card(turned.card.name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "use": turned.use,
        }
        if turned.number:
            part["kingdom"] = turned.number
        if turned.because:
            part["because"] = self.english.say(turned.because.phrase, **dict(turned.because.values))
            part["says"] = says(turned.because)
        return part

    def decision(self, decision: Decision) -> document.Decision:
        """A question answered."""
        card = decision.card
        why = Message(_LOOKED_AT[decision.how], (("card", card.name), ("set", card.set)) if card else ())
        return {
            "question": decision.question,
            "title": decision.title,
            "answer": decision.answer,
            "possible": decision.possible,
            "decided_by": card.name if card else None,
            "because": self.english.say(why.phrase, **dict(why.values)),
            "says": says(why),
        }

    def pile(self, pile: Placed) -> document.Pile:
        """A pile, with its members if it is a mixed one."""
        card, players = pile.card, self.table.players
        count = card.count_.at(players)
        members = [self.member(name, number.at(players)) for name, number in card.pile]
        if sum(number.at(players) for _, number in card.pile) != count:
            for member in members:  # they are shuffled and counted off
                member["count"] = None
        part: document.Pile = {
            **self.facts(card),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "place": cast("document.Place", pile.place),
            "supply": pile.place != "beside",
            "count": count,
            "members": members,
            "marks": list(pile.marks),
            "because": self.table.because(card.name),
        }
        if card.stock:
            part["stock"] = count
            part["count"] = count - players * self.table.starting_deck.get(card.name, 0)
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
        facts = self.known.of(self.game.cards[name])
        return {
            **self.known.named_card(name),
            "cost": facts["cost"],
            "cost_parts": facts["cost_parts"],
            "types": facts["types"],
            "count": count,
        }

    def landscape(self, placed: Placed) -> document.Landscape:
        """A landscape, with the pile it is on."""
        card, kind = placed.card, self.game.kinds[placed.card.kind]
        facts = self.known.of(card)
        part: document.Landscape = {
            **self.known.named_card(card.name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "kind": card.kind,
            "group": kind.title,
            "set": card.set,
            "box": self.box_of(card),
            "cost": facts["cost"],
            "cost_parts": facts["cost_parts"],
            "because": self.table.because(card.name),
        }
        if placed.on:
            part["on"] = placed.on
            part["says"] = says(Message(kind.lies, (("on", placed.on),)))
            if kind.marks:
                part["marks"] = says(Message(kind.marks, (("name", card.name),)))
        if placed.owner:
            part["player"] = placed.owner
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
            "because": self.table.because(name),
        }

    def set_aside(self, placed: Placed) -> document.SetAside:
        """A card set aside for another."""
        return {
            **self.facts(placed.card),
            "for": placed.place,
            "because": self.table.because(placed.card.name),
        }

    def card(self, card: Card, count: int) -> document.Card:
        """So many cards of a name."""
        return {
            **self.known.named_card(card.name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "box": self.box_of(card),
            "count": count,
            "because": self.table.because(card.name),
        }

    def boxed(self, card: Card) -> document.Card:
        """Cards that go back into the box, with what they are."""
        part = self.card(card, card.count_.at(self.table.players))
        if note := card.note or self.game.kinds[card.kind].boxed:
            part["note"] = note
        return part

    def component(self, name: str) -> document.Component:
        """A mat, a heap of tokens and the like."""
        component = self.table.components[name]
        named = self.known.named_card if name in self.game.cards else self.known.named
        part: document.Component = {
            **named(name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "kind": component.kind,
            "count": component.count_ and component.count_.at(self.table.players),
            "per": component.each,
            "because": self.table.because(name),
        }
        if name in self.game.cards:
            part["box"] = self.box_of(self.game.cards[name])
        if component.one:
            part["one"] = component.one
        if component.stock:
            put = [sum(counts.values()) for spot, counts in self.table.tokens.items() if spot.token == name]
            part["stock"] = component.stock
            part["count"] = max(component.stock - sum(put), 0)
        if component.note:
            part["note"] = component.note
        return part

    def tokens(self, spot: Spot) -> document.PlacedTokens:
        """Tokens that start somewhere."""
        component = self.game.components[spot.token]
        lies = "on the {on}" if spot.on in self.game.components else component.lies
        part: document.PlacedTokens = {
            **self.known.named(spot.token),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "kind": component.kind,
            "count": sum(self.table.tokens[spot].values()),
            "on": spot.on,
            "says": says(Message(lies, (("on", spot.on),))),
            "because": self.table.because(spot),
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
            and slug not in self.chosen
            and any(map(missing.query.answered_by, self.game.cards.in_boxes([slug])))
        ]
        return {
            "for": missing.slot,
            "wanted": missing.wanted,
            "found": missing.found,
            "among": missing.among,
            "query": _asked(missing.query),
            "help": help_,
            "because": [*self.table.because(missing.cause), missing.cause],
        }


def note(told: Told, because: Sequence[str], english: Language) -> document.Note:
    """What the players are told."""
    message = told.message
    part: document.Note = {
        "text": english.say(message.phrase, **dict(message.values)),
        "says": says(message),
        "because": list(because),
    }
    if told.step:
        part["step"] = told.step
        part["on"] = told.on
    return part


def says(message: Message) -> document.Says:
    """A text as a phrase and what is put into it."""
    return {"phrase": message.phrase, "values": dict(message.values)}


def _asked(query: Query) -> dict[str, list[str | int]]:
    return {
        field: list(value) for field, value in query._asdict().items() if isinstance(value, tuple) and value
    }
