"""Records a laid table as a setup document."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING, cast

from randomizer import __version__, checklist
from randomizer.game import Game, Options, flag, slug_of
from randomizer.language import Language
from randomizer.model import Card, Message, Query
from randomizer.selection import shortest
from randomizer.table import Decision, Missing, Placed, Spot, Table, Turned

if TYPE_CHECKING:
    from randomizer import document

_LOOKED_AT = {
    "first": "the first Kingdom card was {card} ({set})",
    "last": "the last Kingdom card was {card} ({set})",
    "any": "the Kingdom card drawn for it was {card} ({set})",
    "asked": "as asked for",
}


def record(game: Game, options: Options, table: Table, languages: Sequence[Language]) -> document.Setup:
    """The document of a table.

    Args:
        languages: English first; then those whose names stand beside the English ones.
    """
    return _Recorder(game, options, table, languages).setup()


def command(game: Game, options: Options) -> str:
    """What to type to deal the same table again."""
    words = ["dominion-setup"]
    if options.game:
        words += ["--game", options.game]
    if len(game.boxes) > 1:
        words += ["--sets", shortest(options.chosen, game)]
    words += ["--players", str(options.players)]
    for name, value in options.settings.items():
        if isinstance(value, bool):
            words.append(flag(name if value else f"no_{name}"))
        else:
            words += [flag(name), str(value)]
    for file in options.files:
        words += ["--cards", file]
    words += ["--seed", options.seed]
    return " ".join(map(quote, words))


class _Recorder:
    def __init__(self, game: Game, options: Options, table: Table, languages: Sequence[Language]) -> None:
        self.game = game
        self.options = options
        self.table = table
        self.english, *self.others = languages
        self.chosen = set(options.chosen)
        self.used_boxes: dict[str, None] = dict.fromkeys(
            slug for slug in game.boxes if slug in options.chosen
        )

    def setup(self) -> document.Setup:
        table, game = self.table, self.game
        setup: document.Setup = {
            "schema": 1,
            "game": game.name,
            "title": game.title,
            "generator": {"name": "dominion-randomizer", "version": __version__, "data": game.hash},
            "seed": self.options.seed,
            "command": command(game, self.options),
            "options": {
                **({"game": self.options.game} if self.options.game else {}),
                "sets": list(self.options.chosen),
                "players": self.options.players,
                **self.options.settings,
                **({"cards": list(self.options.files)} if self.options.files else {}),
            },
            "players": table.players,
            "boxes": [],
            "turned": [self.turned(turned) for turned in table.turned],
            "decisions": [self.decision(decision) for decision in table.decisions],
            "piles": [self.pile(pile) for name, pile in table.piles.items() if name not in table.already],
            "landscapes": [self.landscape(placed) for placed in table.landscapes.values()],
            "decks": [self.deck(name) for name in table.decks],
            "set_aside": [self.set_aside(placed) for placed in table.aside.values()],
            "components": [self.component(name) for name in table.components],
            "placed": [self.tokens(spot) for spot in table.tokens],
            "starting_deck": [
                {**self.named(name), "count": count, "because": table.because(name)}
                for name, count in table.starting_deck.items()
                if count
            ],
            "trash": [self.card(placed) for placed in table.trash.values()],
            "boxed": [self.card(placed) for placed in table.boxed.values()],
            "missing": [self.missing(missing) for missing in table.missing],
            "choices": list(table.slots),
            "game_end": [
                ending.say
                for ending in game.endings
                if (not ending.players or table.players in ending.players)
                and (not ending.with_ or any(card.name == ending.with_ for card in table.in_use()))
            ],
            "notes": [
                {
                    "text": self.english.say(note.phrase, **dict(note.values)),
                    "says": _says(note),
                    "because": why,
                }
                for note in table.notes
                for why in [table.because(note)]
            ],
            "checklist": [],
        }
        setup["boxes"] = [
            {**self.named_box(slug), "slug": slug, "chosen": slug in self.options.chosen}
            for slug in self.game.boxes
            if slug in self.used_boxes
        ]
        singles = [slug for slug in self.options.chosen if slug not in game.boxes]
        for card in game.cards_of(singles) if singles else ():
            if not card.member_of:
                setup["boxes"].append({"slug": slug_of(card.name), **self.named(card.name), "chosen": True})
        setup["checklist"] = checklist.as_entries(checklist.build(setup, self.english))
        return setup

    # ── What every entry says ──

    def named(self, name: str) -> document.Named:
        """The name, and beside it what it is called in other languages."""
        entry: document.Named = {"name": name}
        for other in self.others:
            if (called := other.name(name)) != name:
                entry[other.code] = called  # type: ignore[literal-required]  # `ja`, and whatever comes
        return entry

    def named_box(self, slug: str) -> document.Named:
        """The box's name, likewise."""
        entry: document.Named = {"name": self.game.boxes[slug].name}
        for other in self.others:
            if (called := other.boxes.get(slug, entry["name"])) != entry["name"]:
                entry[other.code] = called  # type: ignore[literal-required]
        return entry

    def facts(self, card: Card) -> document.Facts:
        """Its name, where it comes from and what it costs and is."""
        return {
            **self.named(card.name),
            "set": card.set,
            "box": self.box_of(card),
            "cost": str(card.cost or ""),
            "types": list(card.types),
        }

    def box_of(self, card: Card) -> str:
        """The box to fetch it from: a chosen one that holds it, else the newest that does."""
        chosen = [slug for slug in card.boxes if slug in self.chosen]
        slug = (chosen or list(card.boxes))[0 if chosen else -1]
        self.used_boxes[slug] = None
        return slug

    # ── One kind of entry each ──

    def turned(self, turned: Turned) -> document.Turned:
        entry: document.Turned = {
            **self.named(turned.card.name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "use": turned.use,
        }
        if turned.number:
            entry["kingdom"] = turned.number
        if turned.because:
            entry["because"] = self.english.say(turned.because.phrase, **dict(turned.because.values))
            entry["says"] = _says(turned.because)
        return entry

    def decision(self, decision: Decision) -> document.Decision:
        card = decision.card
        says = Message(_LOOKED_AT[decision.how], (("card", card.name), ("set", card.set)) if card else ())
        return {
            "question": decision.question,
            "title": decision.title,
            "answer": decision.answer,
            "decided_by": card.name if card else None,
            "because": self.english.say(says.phrase, **dict(says.values)),
            "says": _says(says),
        }

    def pile(self, pile: Placed) -> document.Pile:
        card, players = pile.card, self.table.players
        count = card.count.at(players)
        members: list[document.Member] = [
            {
                **self.named(name),
                "cost": str(self.game.cards[name].cost or ""),
                "types": list(self.game.cards[name].types),
                "count": number.at(players),
            }
            for name, number in card.pile
        ]
        if sum(number.at(players) for _, number in card.pile) != count:
            for member in members:  # they are shuffled and counted off
                member["count"] = None
        entry: document.Pile = {
            **self.facts(card),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "place": cast("document.Place", pile.place),
            "supply": pile.place != "beside",
            "count": count,
            "members": members,
            "marks": list(pile.marks),
            "because": self.table.because(card.name),
        }
        if card.stock:
            entry["stock"] = count
            entry["count"] = count - players * self.table.starting_deck.get(card.name, 0)
        if card.shuffled:
            entry["shuffled"] = True
        if card.note:
            entry["note"] = card.note
        if title := self.game.kinds[card.kind].title:
            entry["group"] = title
        return entry

    def landscape(self, placed: Placed) -> document.Landscape:
        card = placed.card
        entry: document.Landscape = {
            **self.named(card.name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "kind": card.kind,
            "group": self.game.kinds[card.kind].title,
            "set": card.set,
            "box": self.box_of(card),
            "cost": str(card.cost or ""),
            "because": self.table.because(card.name),
        }
        if placed.on:
            entry["on"] = placed.on
        if placed.owner:
            entry["player"] = placed.owner
        return entry

    def deck(self, name: str) -> document.Deck:
        deck = self.table.decks[name]
        return {
            **self.named(name),
            "cards": [card.name for card in deck.cards],
            "face_up": [card.name for card in deck.face_up],
            "count": len(deck.cards),
            "contents": [self.facts(card) for card in (*deck.face_up, *deck.cards)],
            "because": self.table.because(name),
        }

    def set_aside(self, placed: Placed) -> document.SetAside:
        return {
            **self.facts(placed.card),
            "for": placed.place,
            "because": self.table.because(placed.card.name),
        }

    def card(self, placed: Placed) -> document.Card:
        name = placed.card.name
        count = placed.card.count.at(self.table.players)
        return {**self.named(name), "count": count, "because": self.table.because(name)}

    def component(self, name: str) -> document.Component:
        component = self.table.components[name]
        entry: document.Component = {
            **self.named(name),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "kind": component.kind,
            "count": component.count and component.count.at(self.table.players),
            "per": component.each,
            "because": self.table.because(name),
        }
        if component.note:
            entry["note"] = component.note
        return entry

    def tokens(self, spot: Spot) -> document.PlacedTokens:
        component = self.game.components[spot.token]
        entry: document.PlacedTokens = {
            **self.named(spot.token),  # type: ignore[typeddict-item]  # mypy misses the keys that may be missing
            "kind": component.kind,
            "count": sum(self.table.tokens[spot].values()),
            "on": spot.on,
            "says": _says(Message(component.lies, (("on", spot.on),))),
            "because": self.table.because(spot),
        }
        if spot.each == "player":
            entry["per"] = "player"
        return entry

    def missing(self, missing: Missing) -> document.Missing:
        help_ = [
            slug
            for slug, box in self.game.boxes.items()
            if slug not in self.options.chosen
            and any(map(missing.query.answered_by, self.game.cards.in_boxes([slug])))
        ]
        return {
            "for": missing.slot,
            "wanted": missing.wanted,
            "found": missing.found,
            "query": _asked(missing.query),
            "help": help_,
            "because": [*self.table.because(missing.cause), missing.cause],
        }


def _says(message: Message) -> document.Says:
    return {"phrase": message.phrase, "values": dict(message.values)}


def _asked(query: Query) -> dict[str, list[str | int]]:
    return {
        field: list(value) for field, value in query._asdict().items() if isinstance(value, tuple) and value
    }
