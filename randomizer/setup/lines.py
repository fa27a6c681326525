"""The lines of a checklist: one for each thing that is out, with how it lies and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from randomizer.setup.reasons import Reasons
from randomizer.text.language import Language
from randomizer.text.width import unbroken

if TYPE_CHECKING:
    from randomizer.setup import document

# What documents that are older than `last` leave unsaid.
_UNSAID: list[document.Step] = [{"name": "Starting decks", "text": "shuffle, then draw five"}]


class Line(NamedTuple):
    """A thing to lay out; `count_` None is a heap, or a single landscape.

    `detail` says how it lies there, `below` is more on that than a line holds. It is out `because` of these
    causes; the `reason` in words is worked out when somebody asks.
    """

    name: str
    count_: int | None = None
    cost: str = ""
    types: str = ""
    box: str = ""
    detail: str = ""
    below: tuple[str, ...] = ()
    reason: Callable[[], str] = str
    because: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """Why it is out, in words; nothing where that goes without saying."""
        return self.reason()


def joined(detail: str, why: str, language: Language) -> str:
    """How a thing lies, and why it is out, as one remark."""
    return language.say("{detail}, {text}", detail=detail, text=why) if detail and why else detail or why


def lies(landscape: document.Landscape, language: Language) -> str:
    """How the landscape lies on a pile, if it does; a document of an older version does not say."""
    if "on" not in landscape:
        return ""
    old: document.Says = {"phrase": "under {on}", "values": {"on": landscape["on"]}}
    says = landscape.get("says", old)
    return language.say(says["phrase"], **says["values"])


def place(box: str, boxes: Sequence[str]) -> int:
    """Where the box stands among the boxes; one that is none of them comes last."""
    return boxes.index(box) if box in boxes else len(boxes)


class Lines:
    """The lines of a setup document in a language.

    After a second deal those of what stays on the table are left out.

    Args:
        kingdom: its piles, in the order in which they are laid out.
    """

    def __init__(
        self, setup: document.Setup, language: Language, kingdom: Sequence[document.Pile] = ()
    ) -> None:
        self.setup = setup
        names = dict.fromkeys(pile["name"] for pile in (*kingdom, *setup["piles"]))
        self.order = {name: place for place, name in enumerate(names)}
        self.language = language
        self.say = language.say
        self.listed = language.listed
        self.boxes = [box["slug"] for box in setup["boxes"]]
        self.stays = set(setup["second_deal"]["stays"]) if "second_deal" in setup else set()
        self.reasons = Reasons(setup, language)
        self.here = [note for note in setup["notes"] if note.get("step") == "here"]
        self.lying: dict[str, list[document.Landscape]] = {}
        for landscape in setup["landscapes"]:
            if "on" in landscape:
                self.lying.setdefault(landscape["on"], []).append(landscape)

    def line(
        self,
        name: str,
        because: Sequence[str],
        count: int | None,
        *,
        one: str = "",
        marks: Sequence[str] = (),
    ) -> Line:
        """A thing by its name, or by what a single `one` is called, with why it is out."""
        called = one if one and count == 1 else name
        line = Line(self.language.name(called), count, because=tuple(because))
        return line._replace(reason=lambda: self.reasons.why(because, (name, *marks))) if because else line

    def leaving(self) -> list[Line]:
        """The piles that a second deal takes off the table."""
        if "second_deal" not in self.setup:
            return []
        box_of = self.setup["second_deal"].get("boxes", {})
        places = {
            name: place(box_of.get(name, ""), self.boxes) for name in self.setup["second_deal"]["leaves"]
        }
        return [
            Line(self.language.name(name), box=self.box(box_of.get(name, "")))
            for name in sorted(places, key=places.__getitem__)
        ]

    def kingdom_pile(self, pile: document.Pile) -> Line:
        """A pile of the Kingdom, with what it was chosen as."""
        lying = [landscape["name"] for landscape in self.lying.get(pile["name"], ())]
        chosen = [mark for mark in pile["marks"] if mark not in lying]
        line = self.pile(pile, chosen)
        as_ = self.joined(self.listed(map(self.language.name, chosen)), line.why)
        return line._replace(
            cost=pile["cost"],
            types=self.types(pile["types"]),
            below=(as_, *line.below) if as_ else line.below,
            reason=str,
        )

    def pile(self, pile: document.Pile, marks: Sequence[str] = ()) -> Line:
        """A pile, with what starting decks take of it, what is done with it and how it is put together."""
        name, detail = pile["name"], self.say(pile["note"]) if "note" in pile else ""
        if "stock" in pile and pile["count"] is not None:
            dealt = (pile["stock"] - pile["count"]) // self.setup["players"]
            detail = self.say("{stock}, less {dealt} to each player", stock=pile["stock"], dealt=dealt)
        elif pile.get("shuffled") and not pile["supply"]:
            detail = self.say("shuffle, face down")
        lying = [
            self.said(landscape["marks"]) if "marks" in landscape else self.language.name(landscape["name"])
            for landscape in self.lying.get(name, ())
        ]
        always = pile["place"] == "supply" and not pile["because"]
        return self.line(name, pile["because"], pile["count"], marks=marks)._replace(
            box="" if always else self.box(pile["box"]),
            detail=detail,
            below=(*self.steps(name), *lying, *self.members(pile)),
        )

    def steps(self, name: str) -> list[str]:
        """What is done with the thing while it is laid out."""
        return [self.said(note["says"]) for note in self.here if note.get("on") == name]

    def second_set(self, piles: Iterable[document.Pile]) -> list[Line]:
        """What of these piles, and of the starting decks, is more than a box holds."""
        dealt = {card["name"]: card["count"] for card in self.setup["starting_deck"]}
        short = []
        for pile in piles:
            wanted = (pile["count"] or 0) + self.setup["players"] * dealt.get(pile["name"], 0)
            over = wanted - pile.get("in_box", wanted)
            if over > 0:
                short.append(self.tight(pile["name"], over))
        return [Line(self.say("From a second set"), detail=self.listed(short))] if short else []

    def members(self, pile: document.Pile) -> tuple[str, ...]:
        """How a mixed pile is put together."""
        members = pile["members"]
        if not members or (pile.get("shuffled") and not pile["supply"]):
            return ()
        if pile.get("shuffled"):
            if any(member["count"] is None for member in members):
                return (
                    self.say(
                        "shuffle all there are, count off {count}, turn the top card up",
                        count=pile["count"] or 0,
                    ),
                )
            return (self.say("shuffle; turn the top card up"),)
        counts = {member["count"] or 0 for member in members}
        if len(counts) == 1:
            names = self.listed(self.tight(member["name"]) for member in members)
            # What has no cost is itself no card, only a name for cards that lie side by side.
            phrase = "{count} each, from the top: {text}" if pile["cost"] else "{count} each: {text}"
            return (self.say(phrase, count=counts.pop(), text=names),)
        names = self.listed(self.tight(member["name"], member["count"]) for member in members)
        return (self.say("from the top: {text}", text=names),)

    def landscape(self, landscape: document.Landscape) -> Line:
        """An Event or the like, with the pile that it lies on or the player whose it is."""
        detail = lies(landscape, self.language)
        if "player" in landscape:
            detail = self.say("player {number}", number=landscape["player"])
        return self.line(landscape["name"], landscape["because"], None)._replace(
            cost=landscape["cost"],
            box=self.box(landscape["box"]),
            detail=detail,
            below=tuple(self.steps(landscape["name"])),
        )

    def set_aside(self) -> list[Line]:
        """Single cards set aside."""
        return [
            self.line(card["name"], card["because"], 1)._replace(
                box=self.box(card["box"]),
                detail=self.say("set aside"),
                below=tuple(self.steps(card["name"])),
            )
            for card in self.setup["set_aside"]
            if card["name"] not in self.stays
        ]

    def decks(self) -> list[Line]:
        """Shuffled decks, with what is turned over beside them."""
        lines = []
        for deck in self.setup["decks"]:
            if deck["name"] in self.stays:
                continue
            below = contents = self.contents(deck)
            if deck["face_up"]:
                names = self.listed(map(self.tight, deck["face_up"]))
                below = (self.say("beside it, face up: {text}", text=names), *contents)
            line = self.line(deck["name"], deck["because"], deck["count"])
            boxes = [card["box"] for card in deck["contents"][:1] if not contents]
            lines.append(
                line._replace(
                    box=self.box("".join(boxes)), detail=self.say("shuffle, face down"), below=below
                )
            )
        return lines

    def contents(self, deck: document.Deck) -> tuple[str, ...]:
        """What to fetch for a deck that is not a whole box's: its cards, box by box."""
        boxes: dict[str, list[str]] = {}
        for card in deck["contents"]:
            boxes.setdefault(card["box"], []).append(self.tight(card["name"]))
        if len(boxes) < 2 and not any(card["cost"] for card in deck["contents"]):
            return ()
        return tuple(
            self.say("{title}: {text}", title=self.box(box), text=self.listed(sorted(boxes[box])))
            for box in self.boxes
            if box in boxes
        )

    def components(self, per: document.Per) -> list[Line]:
        """Mats and the like, of the game or of each player."""
        return [
            self.line(
                component["name"],
                component["because"],
                component["count"],
                one=component.get("one", ""),
            )._replace(
                box=self.box(component.get("box", "")),
                detail=self.say(component["note"]) if "note" in component else "",
            )
            for component in self.setup["components"]
            if component["per"] == per and component["name"] not in self.stays
        ]

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
            one = placed[0].get("one", "")
            line = self.line(name, because, count, one=one)
            if len(spots) == 1 and spots[0] in because:
                line = line._replace(reason=str)  # the card that they lie on asks for them
            if len(spots) == 1:
                line = line._replace(detail=self.said(placed[0]["says"]))
            elif set(spots) == supply:
                line = line._replace(detail=self.say("on every pile of the Supply"))
            else:
                detail = self.say("on each of {count} piles", count=len(spots))
                spots.sort(key=lambda spot: self.order.get(spot, len(self.order)))
                line = line._replace(detail=detail, below=(self.listed(map(self.tight, spots)),))
            lines.append(line)
        return lines

    def cards(self, cards: Iterable[document.Card]) -> list[Line]:
        """Cards by name and number; what every game has is in no box in particular."""
        return [
            self.line(card["name"], card["because"], card["count"])._replace(
                box=self.box(card.get("box", "")) if card["because"] else "",
                detail=self.say(card["note"]) if "note" in card else "",
            )
            for card in cards
            if card["name"] not in self.stays
        ]

    def last(self) -> list[Line]:
        """What is done when everything else has been; after a second deal it has been done already."""
        if "second_deal" in self.setup:
            return []
        old = _UNSAID if self.setup["starting_deck"] else []
        return [
            *(
                self.line(note.get("on", ""), note["because"], None)._replace(detail=self.said(note["says"]))
                for note in self.setup["notes"]
                if note.get("step") == "last"
            ),
            *(
                Line(self.language.name(step["name"]), detail=self.say(step["text"]))
                for step in self.setup.get("last", old)
            ),
        ]

    # ── Words ──

    def said(self, says: document.Says) -> str:
        """A text of the document in the language."""
        return self.language.say(says["phrase"], **says["values"])

    def joined(self, detail: str, why: str) -> str:
        """How a thing lies, and why it is out."""
        return joined(detail, why, self.language)

    def tight(self, name: str, count: int | None = None) -> str:
        """The name, with its count, so that no line is broken within it."""
        return unbroken(
            self.say("{count} {card}", count=count, card=name) if count else self.language.name(name)
        )

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
