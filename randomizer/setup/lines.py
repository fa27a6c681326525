"""The lines of a checklist: one for each thing that is out, with how it lies and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from randomizer.setup.reasons import Reasons
from randomizer.text.language import Language
from randomizer.text.width import unbroken

if TYPE_CHECKING:
    from randomizer.setup import document


class Line(NamedTuple):
    """A thing to lay out; `count_` None is a heap, or a single landscape.

    `detail` says how it lies there, `below` is more on that than a line holds, `why` is why it is out.
    """

    name: str
    count_: int | None = None
    cost: str = ""
    types: str = ""
    box: str = ""
    detail: str = ""
    below: tuple[str, ...] = ()
    why: str = ""
    because: tuple[str, ...] = ()


class Lines:
    """The lines of a setup document in a language.

    Attributes:
        now: the document without what stays on the table when a second deal comes.
    """

    def __init__(self, setup: document.Setup, language: Language) -> None:
        self.setup = setup
        self.language = language
        self.say = language.say
        self.listed = language.listed
        self.boxes = [box["slug"] for box in setup["boxes"]]
        _, self.now = before_and_now(setup)
        self.reasons = Reasons(setup, language)

    def line(self, name: str, because: Sequence[str], count: int | None) -> Line:
        """A thing by its name, with why it is out."""
        return Line(self.language.name(name), count, because=tuple(because), why=self.reasons.why(because))

    def leaving(self) -> list[Line]:
        """The piles that a second deal takes off the table."""
        if "second_deal" not in self.setup:
            return []
        boxes = self.setup["second_deal"].get("boxes", {})
        names = [
            name
            for box in ("", *self.boxes)
            for name in self.setup["second_deal"]["leaves"]
            if boxes.get(name, "") == box
        ]
        return [Line(self.language.name(name), box=self.box(boxes.get(name, ""))) for name in names]

    def kingdom_pile(self, pile: document.Pile) -> Line:
        """A pile of the Kingdom, with its marks and whatever lies under it."""
        line = self.pile(pile)
        under = [place["name"] for place in self.setup["landscapes"] if place.get("on") == pile["name"]]
        added = [self.language.name(mark) for mark in pile["marks"] if mark not in under]
        marks = [self.listed(filter(None, (*added, line.why))), *map(self.language.name, under)]
        return line._replace(
            cost=pile["cost"],
            types=self.types(pile["types"]),
            box=self.box(pile["box"]),
            below=(*filter(None, marks), *line.below),
            why="",
        )

    def pile(self, pile: document.Pile) -> Line:
        """A pile, with what of it goes into the starting decks and how it is put together."""
        detail = self.say(pile["note"]) if "note" in pile else ""
        if "stock" in pile and pile["count"] is not None:
            dealt = (pile["stock"] - pile["count"]) // self.setup["players"]
            detail = self.say("{stock}, less {dealt} to each player", stock=pile["stock"], dealt=dealt)
        return self.line(pile["name"], pile["because"], pile["count"])._replace(
            detail=detail, below=self.members(pile)
        )

    def members(self, pile: document.Pile) -> tuple[str, ...]:
        """How a mixed pile is put together."""
        members = pile["members"]
        if not members:
            return ()
        if pile.get("shuffled"):
            if any(member["count"] is None for member in members):
                return (
                    self.say(
                        "shuffle all there are, count off {count}, turn the top card up",
                        count=pile["count"] or 0,
                    ),
                )
            return (self.say("shuffle; turn the top card up" if pile["supply"] else "shuffle, face down"),)
        counts = {member["count"] or 0 for member in members}
        if len(counts) == 1:
            names = self.listed(self.tight(member["name"]) for member in members)
            # What has no cost is itself no card, only a name for cards that lie side by side.
            phrase = "{count} each, from the top: {text}" if pile["cost"] else "{count} each: {text}"
            return (self.say(phrase, count=counts.pop(), text=names),)
        names = self.listed(self.tight(member["name"], member["count"]) for member in members)
        return (self.say("from the top: {text}", text=names),)

    def landscape(self, landscape: document.Landscape) -> Line:
        """An Event or the like, with the pile that it lies under or the player whose it is."""
        on = landscape.get("on")
        return self.line(landscape["name"], landscape["because"], None)._replace(
            cost=landscape["cost"],
            box=self.box(landscape["box"]),
            detail=self.say("under {on}", on=on)
            if on
            else self.say("player {number}", number=landscape["player"])
            if "player" in landscape
            else "",
        )

    def set_aside(self) -> list[Line]:
        """Single cards set aside."""
        return [
            self.line(card["name"], card["because"], 1)._replace(
                box=self.box(card["box"]), detail=self.say("set aside")
            )
            for card in self.now["set_aside"]
        ]

    def decks(self) -> list[Line]:
        """Shuffled decks, with what is turned over beside them."""
        lines = []
        for deck in self.now["decks"]:
            below = self.contents(deck)
            names = self.listed(map(self.tight, deck["face_up"]))
            if names and not deck["cards"]:  # of a deck that is there already
                line = self.line(deck["name"], deck["because"], len(deck["face_up"]))
                detail = self.say("from the deck or its discards, face up beside it")
                lines.append(line._replace(detail=detail, below=(names,)))
                continue
            if names:
                below = (self.say("beside it, face up: {text}", text=names), *below)
            line = self.line(deck["name"], deck["because"], deck["count"])
            lines.append(line._replace(detail=self.say("shuffled, face down"), below=below))
        return lines

    def contents(self, deck: document.Deck) -> tuple[str, ...]:
        """What to fetch for a deck that is not a whole box's: its cards, box by box."""
        boxes: dict[str, list[str]] = {}
        for card in deck["contents"]:
            boxes.setdefault(card["box"], []).append(self.tight(card["name"]))
        if len(boxes) < 2 and not any(card["cost"] for card in deck["contents"]):
            return ()
        return tuple(
            f"{self.box(box)}: {self.listed(sorted(boxes[box]))}" for box in self.boxes if box in boxes
        )

    def components(self, per: document.Per) -> list[Line]:
        """Mats and the like, of the game or of each player."""
        return [
            self.line(component["name"], component["because"], component["count"])._replace(
                detail=self.say(component["note"]) if "note" in component else ""
            )
            for component in self.now["components"]
            if component["per"] == per
        ]

    def tokens(self, per: document.Per) -> list[Line]:
        """Tokens on piles, landscapes and mats; equal ones for one reason are one line."""
        groups: dict[tuple[str, int, tuple[str, ...]], list[document.PlacedTokens]] = {}
        for token in self.now["placed"]:
            if token.get("per", "game") == per:
                key = token["name"], token["count"], tuple(token["because"])
                groups.setdefault(key, []).append(token)
        supply = {pile["name"] for pile in self.setup["piles"] if pile["supply"]}
        lines = []
        for (name, count, because), placed in groups.items():
            spots = [token["on"] for token in placed]
            line = self.line(name, [cause for cause in because if [cause] != spots], count)
            if len(spots) == 1:
                says = placed[0]["says"]
                line = line._replace(detail=self.say(says["phrase"], **says["values"]))
            elif set(spots) == supply:
                line = line._replace(detail=self.say("on every pile of the Supply"))
            else:
                detail = self.say("on each of {count} piles", count=len(spots))
                line = line._replace(detail=detail, below=(self.listed(map(self.tight, spots)),))
            lines.append(line)
        return lines

    def cards(self, cards: Iterable[document.Card]) -> list[Line]:
        """Cards by name and number."""
        return [self.line(card["name"], card["because"], card["count"]) for card in cards]

    def starting_deck(self) -> list[Line]:
        """What each player begins with."""
        lines = self.cards(self.now["starting_deck"])
        return [
            *lines[:-1],
            *(line._replace(detail=self.say("shuffle, then draw five")) for line in lines[-1:]),
        ]

    # ── Words ──

    def tight(self, name: str, count: int | None = None) -> str:
        """The name, with its count, so that no line is broken within it."""
        return unbroken(f"{count or ''} {self.language.name(name)}".strip())

    def types(self, types: Iterable[str]) -> str:
        """The types as they are printed on the card."""
        return "–".join(self.language.types.get(type_, type_) for type_ in types)

    def box(self, slug: str) -> str:
        """The box to fetch something from, where there is more than one."""
        if len(self.boxes) < 2 or not slug:
            return ""
        return self.language.boxes.get(slug) or next(
            (box["name"] for box in self.setup["boxes"] if box["slug"] == slug), slug
        )


def before_and_now(setup: document.Setup) -> tuple[document.Setup, document.Setup]:
    """The document with only what was on the table before a second deal, and with only what is new."""
    before: dict[str, Any] = {**setup}
    now: dict[str, Any] = {**setup}
    for key in (
        "piles",
        "landscapes",
        "decks",
        "set_aside",
        "components",
        "placed",
        "starting_deck",
        "trash",
    ):
        there = _there(setup, key, before[key])
        before[key], now[key] = before[key][:there], now[key][there:]
    return cast("document.Setup", before), cast("document.Setup", now)


def _there(setup: document.Setup, key: str, parts: Sequence[Any]) -> int:
    """How many parts of a list were there; a document of an older version has only their names."""
    if "second_deal" not in setup:
        return 0
    second = setup["second_deal"]
    if "before" in second:
        return max(0, second["before"].get(key, 0))
    names = (f"{part['name']} on {part['on']}" if key == "placed" else part["name"] for part in parts)
    return len([*takewhile({*second["stays"]}.__contains__, names)])
