"""The order in which people lay a table out: a setup document as sections of lines to tick off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.columns import breakable, unbroken
from randomizer.language import Language
from randomizer.reasons import Reasons

if TYPE_CHECKING:
    from randomizer import document

TOKENS = "Tokens to place"


class Line(NamedTuple):
    """A thing to lay out; `count` None is a heap, or a single landscape.

    `detail` says how it lies there, `below` is more on that than a line holds, `why` is why it is out.
    """

    name: str
    count: int | None = None  # type: ignore[assignment]  # not tuple's method
    cost: str = ""
    types: str = ""
    box: str = ""
    detail: str = ""
    below: tuple[str, ...] = ()
    why: str = ""
    because: tuple[str, ...] = ()


class Section(NamedTuple):
    """A part of the work."""

    title: str
    lines: list[Line]


def _cost_order(cost: str) -> tuple[int, ...]:
    """Coins, then Potion, then Debt, as a printed cost sorts."""
    coins = debt = 0
    for part in cost.split():
        number = part.strip("$+*D")
        if number.isdecimal() and part.startswith("$"):
            coins = int(number)
        elif number.isdecimal() and part.endswith("D"):
            debt = int(number)
    return coins, cost.count("P"), debt


def _place(box: str, boxes: Sequence[str]) -> int:
    return boxes.index(box) if box in boxes else len(boxes)


SORTS: Mapping[str, Callable[[document.Pile, Sequence[str]], tuple[Any, ...]]] = {
    "box": lambda pile, boxes: (_place(pile["box"], boxes), _cost_order(pile["cost"]), pile["name"]),
    "cost": lambda pile, boxes: (_cost_order(pile["cost"]), pile["name"]),
    "name": lambda pile, boxes: (pile["name"],),
    "dealt": lambda pile, boxes: (),
}


def build(setup: document.Setup, language: Language, sort: str = "box") -> list[Section]:
    """The sections that have lines, in the order of work.

    Args:
        sort: the order of the Kingdom, one of `SORTS`; the order of boxes fetches each box once.
    """
    return _Builder(setup, language).sections(sort)


def as_entries(sections: Iterable[Section]) -> list[document.Section]:
    """The sections as the document holds them."""
    return [
        {
            "title": section.title,
            "items": [
                {
                    "name": line.name,
                    "count": line.count,
                    "detail": breakable(
                        "; ".join(
                            filter(None, (f"{line.cost} {line.types}".strip(), line.detail, *line.below))
                        )
                    ),
                    "because": list(line.because),
                }
                for line in section.lines
            ],
        }
        for section in sections
    ]


class _Builder:
    def __init__(self, setup: document.Setup, language: Language) -> None:
        self.setup = setup
        self.language = language
        self.say = language.say
        self.listed = language.listed
        self.boxes = [box["slug"] for box in setup["boxes"]]
        self.stays = set(setup["second_deal"]["stays"]) if "second_deal" in setup else set()
        self.reasons = Reasons(setup, language)

    def sections(self, sort: str) -> list[Section]:
        setup, say = self.setup, self.say
        piles = [pile for pile in setup["piles"] if pile["name"] not in self.stays]
        kingdom = [pile for pile in piles if pile["place"] == "kingdom"]
        kingdom.sort(key=lambda pile: SORTS[sort](pile, self.boxes))
        supply = [self.pile(pile) for pile in piles if pile["place"] == "supply"]
        beside = [
            self.pile(pile)._replace(box=self.box(pile["box"]))
            for pile in piles
            if pile["place"] == "beside" and "group" not in pile
        ]
        groups: dict[str, list[Line]] = {}
        for landscape in setup["landscapes"]:
            if landscape["name"] not in self.stays:
                groups.setdefault(landscape["group"], []).append(self.landscape(landscape))
        for pile in piles:
            if "group" in pile:
                groups.setdefault(pile["group"], []).append(self.pile(pile))
        placed = Section(say(self.placing()), self.tokens("game"))
        tokens = placed.title == say(TOKENS)
        sections = [
            Section(say("Back into the boxes"), self.leaving()),
            Section(say("Kingdom"), [self.kingdom_pile(pile) for pile in kingdom]),
            *(Section(say(group), lines) for group, lines in groups.items()),
            Section(say("Supply"), supply),
            Section(say("Beside the Supply"), beside + self.set_aside() + self.decks()),
            Section(say("On the table"), self.components("game")),
            *([placed] if tokens else []),
            Section(say("Into the trash"), self.cards(setup["trash"])),
            Section(
                say("Each player takes"),
                self.starting_deck() + self.components("player") + self.tokens("player"),
            ),
            *([] if tokens else [placed]),  # cards go to what the players took
            Section(say("Back into the box"), self.cards(setup["boxed"])),
        ]
        return [section for section in sections if section.lines]

    # ── One sort of line each ──

    def line(self, name: str, because: Sequence[str], count: int | None) -> Line:
        return Line(self.language.name(name), count, because=tuple(because), why=self.reasons.why(because))

    def leaving(self) -> list[Line]:
        """The piles that a second deal takes off the table."""
        names = self.setup["second_deal"]["leaves"] if "second_deal" in self.setup else []
        return [Line(self.language.name(name)) for name in names]

    def kingdom_pile(self, pile: document.Pile) -> Line:
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
        return [
            self.line(card["name"], card["because"], 1)._replace(
                box=self.box(card["box"]), detail=self.say("set aside")
            )
            for card in self.setup["set_aside"]
            if card["name"] not in self.stays
        ]

    def decks(self) -> list[Line]:
        lines = []
        for deck in self.setup["decks"]:
            if deck["name"] in self.stays:
                continue
            below = self.contents(deck)
            if deck["face_up"]:
                names = self.listed(map(self.tight, deck["face_up"]))
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
        return [
            self.line(component["name"], component["because"], component["count"])._replace(
                detail=self.say(component["note"]) if "note" in component else ""
            )
            for component in self.setup["components"]
            if component["per"] == per and component["name"] not in self.stays
        ]

    def placing(self) -> str:
        return TOKENS if all(placed["kind"] == "token" for placed in self.setup["placed"]) else "Then place"

    def tokens(self, per: document.Per) -> list[Line]:
        """Tokens on piles, landscapes and mats; equal ones for one reason are one line."""
        groups: dict[tuple[str, int, tuple[str, ...]], list[document.PlacedTokens]] = {}
        for token in self.setup["placed"]:
            if token.get("per", "game") == per and f"{token['name']} on {token['on']}" not in self.stays:
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
        return [
            self.line(card["name"], card["because"], card["count"])
            for card in cards
            if card["name"] not in self.stays
        ]

    def starting_deck(self) -> list[Line]:
        lines = self.cards(self.setup["starting_deck"])
        return [
            *lines[:-1],
            *(line._replace(detail=self.say("shuffle, then draw five")) for line in lines[-1:]),
        ]

    # ── Words ──

    def tight(self, name: str, count: int | None = None) -> str:
        """The name, with its count, so that no line is broken within it."""
        return unbroken(f"{count or ''} {self.language.name(name)}".strip())

    def types(self, types: Iterable[str]) -> str:
        return "–".join(self.language.types.get(type_, type_) for type_ in types)

    def box(self, slug: str) -> str:
        """The box to fetch something from, where there is more than one."""
        if len(self.boxes) < 2:
            return ""
        return self.language.boxes.get(slug) or next(
            (box["name"] for box in self.setup["boxes"] if box["slug"] == slug), slug
        )
