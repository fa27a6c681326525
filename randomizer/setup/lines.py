"""The lines of a checklist: one for each thing that is out, with how it lies and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from randomizer.text.encoding import with_nonbreaking_spaces
from randomizer.text.json import Kept, made_once
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document
    from randomizer.setup.reasons import Reasons

L = TypeVar("L")

# What documents that are older than `last` leave unsaid.
_UNSAID: "list[document.Step]" = [{"name": "Starting decks", "text": "shuffle, then draw five"}]


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
    return (
        language.translate("{detail}, {text}", detail=detail, text=why) if detail and why else detail or why
    )


def how_it_lies(landscape: "document.Landscape") -> "document.Says | None":
    """How the landscape lies on a pile, if it does; a document of an older version does not say."""
    old: document.Says = {"phrase": "under {on}", "values": {"on": landscape.get("on", "")}}
    return landscape.get("says", old) if "on" in landscape else None


def places_of(names: Iterable[str]) -> dict[str, int]:
    """Where each of the names stands among them."""
    return {name: place for place, name in enumerate(names)}


def place(box: str, places: Mapping[str, int]) -> int:
    """Where the box stands among the boxes; one that is none of them comes last."""
    return places.get(box, len(places))


def itself(line: Line) -> Any:
    """The line, of which nothing else is made."""
    return line


def new_in(setup: "document.Setup") -> "document.Setup":
    """The document without what stays on the table when a second deal comes; most tables have none."""
    if "second_deal" not in setup:
        return setup
    from randomizer.setup.moment import now

    return now(setup)


class Lines(Generic[L]):
    """The lines of a setup document in a language.

    Args:
        kingdom: its piles, in the order in which they are laid out.
        as_: what is made of each line. If that is another thing, why a thing is out can no longer be asked in
            words, so that most depend on their part alone, and are kept with it where it is kept.

    Attributes:
        now: the document without what stays on the table when a second deal comes.
    """

    def __init__(
        self,
        setup: "document.Setup",
        language: Language,
        kingdom: "Sequence[document.Pile]" = (),
        as_: Callable[[Line], L] = itself,
    ) -> None:
        self.setup = setup
        self.language = language
        self.say = language.translate
        self.listed = language.join
        self.now = new_in(setup)
        self.kingdom = kingdom
        self._as = as_
        self._reasons = as_ is itself
        self.here: dict[str, list[document.Says]] = {}
        for note in setup["notes"]:
            if note.get("step") == "here" and "on" in note:
                self.here.setdefault(note["on"], []).append(note["says"])
        self.lying: dict[str, list[document.Landscape]] = {}
        for landscape in setup["landscapes"]:
            if "on" in landscape:
                self.lying.setdefault(landscape["on"], []).append(landscape)
        named = (pile["name"] for pile in kingdom if pile["because"])  # in words, in its line
        self._entangled = {*self.here, *self.lying, *named}

    @cached_property
    def boxes(self) -> dict[str, str]:
        """The English names of the boxes by their slugs, in their order."""
        return made_once(self.setup["boxes"], lambda boxes: {box["slug"]: box["name"] for box in boxes})

    @cached_property
    def reasons(self) -> "Reasons":
        """The causes on the table; most documents that are only written down need none in words."""
        from randomizer.setup.reasons import Reasons

        return Reasons(self.setup, self.language)

    @cached_property
    def order(self) -> dict[str, int]:
        """The places of the piles in the order in which they are laid out."""
        return places_of(dict.fromkeys(pile["name"] for pile in (*self.kingdom, *self.setup["piles"])))

    def line(self, name: str, because: Sequence[str], count: int | None, *, one: str = "", **said: Any) -> L:
        """A thing by its name, or by what a single `one` is called, with why it is out and what is `said`."""
        called = one if one and count == 1 else name
        if because and self._reasons and "reason" not in said:
            said["reason"] = lambda: self.reasons.why(because, (name,))
        return self._as(Line(self.language.translate_name(called), count, because=tuple(because), **said))

    def leaving(self) -> list[L]:
        """The piles that a second deal takes off the table."""
        if "second_deal" not in self.setup:
            return []
        second, places = self.setup["second_deal"], places_of(self.boxes)
        box_of = second.get("boxes", {})
        leaves = sorted(second["leaves"], key=lambda name: place(box_of.get(name, ""), places))
        return [self.line(name, (), None, box=self.box(box_of.get(name, ""))) for name in leaves]

    def of(self, parts: Iterable[Any], make: Callable[[Any], L]) -> list[L]:
        """The lines of parts, each of which is kept with its part where nothing else has a say in it."""
        if self._reasons:
            return [make(part) for part in parts]
        if entangled := self._entangled:  # on few tables; else no part needs to be asked
            return [make(part) if part["name"] in entangled else made_once(part, make) for part in parts]
        return [part.made or made_once(part, make) if type(part) is Kept else make(part) for part in parts]

    def kingdom_pile(self, pile: "document.Pile") -> L:
        """A pile of the Kingdom, with what it was chosen as."""
        lying = [landscape["name"] for landscape in self.lying.get(pile["name"], ())]
        chosen = [mark for mark in pile["marks"] if mark not in lying]
        why = self.reasons.why(pile["because"], (pile["name"], *chosen)) if pile["because"] else ""
        as_ = self.joined(self.language.translate_names(chosen), why)
        below = self.below(pile)
        return self.line(
            pile["name"],
            pile["because"],
            pile["count"],
            cost=pile["cost"],
            types=self.types(pile["types"]),
            box=self.box(pile["box"]),
            detail=self.detail(pile),
            below=(as_, *below) if as_ else below,
            reason=str,
        )

    def pile(self, pile: "document.Pile") -> L:
        """Another pile, with what starting decks take of it, and how it is put together."""
        always = pile["place"] == "supply" and not pile["because"]
        return self.line(
            pile["name"],
            pile["because"],
            pile["count"],
            box="" if always else self.box(pile["box"]),
            detail=self.detail(pile),
            below=self.below(pile),
        )

    def detail(self, pile: "document.Pile") -> str:
        """How a pile lies, or what starting decks take of it."""
        if "stock" in pile and pile["count"] is not None:
            dealt = (pile["stock"] - pile["count"]) // self.setup["players"]
            return self.say("{stock}, less {dealt} to each player", stock=pile["stock"], dealt=dealt)
        if pile.get("shuffled") and not pile["supply"]:
            return self.say("shuffle, face down")
        return self.say(pile["note"]) if "note" in pile else ""

    def below(self, pile: "document.Pile") -> tuple[str, ...]:
        """What is done with a pile, what lies on it, and how it is put together."""
        lying = (
            self.said(landscape["marks"])
            if "marks" in landscape
            else self.language.translate_name(landscape["name"])
            for landscape in self.lying.get(pile["name"], ())
        )
        return (*self.steps(pile["name"]), *lying, *self.members(pile))

    def steps(self, name: str) -> tuple[str, ...]:
        """What is done with the thing while it is laid out."""
        return tuple(map(self.said, self.here[name])) if name in self.here else ()

    def second_set(self, piles: "Iterable[document.Pile]") -> list[L]:
        """What of these piles, and of the starting decks, is more than a box holds."""
        players = self.setup["players"]
        dealt = {card["name"]: players * card["count"] for card in self.setup["starting_deck"]}
        short = [
            self.tight(pile["name"], more)
            for pile in piles
            if "in_box" in pile
            and (more := (pile["count"] or 0) + dealt.get(pile["name"], 0) - pile["in_box"]) > 0
        ]
        return [self._as(Line(self.say("From a second set"), detail=self.listed(short)))] if short else []

    def members(self, pile: "document.Pile") -> tuple[str, ...]:
        """How a mixed pile is put together."""
        members = pile["members"]
        if not members or (pile.get("shuffled") and not pile["supply"]):
            return ()
        if pile.get("shuffled"):
            if any(member["count"] is None for member in members):
                phrase = "shuffle all there are, count off {count}, turn the top card up"
                return (self.say(phrase, count=pile["count"] or 0),)
            return (self.say("shuffle; turn the top card up"),)
        counts = {member["count"] or 0 for member in members}
        if len(counts) == 1:
            names = self.listed(self.tight(member["name"]) for member in members)
            # What has no cost is itself no card, only a name for cards that lie side by side.
            phrase = "{count} each, from the top: {text}" if pile["cost"] else "{count} each: {text}"
            return (self.say(phrase, count=counts.pop(), text=names),)
        names = self.listed(self.tight(member["name"], member["count"]) for member in members)
        return (self.say("from the top: {text}", text=names),)

    def landscape(self, landscape: "document.Landscape") -> L:
        """An Event or the like, with the pile that it lies on or the player whose it is."""
        lies = how_it_lies(landscape)
        detail = self.said(lies) if lies else ""
        if "player" in landscape:
            detail = self.say("player {number}", number=landscape["player"])
        return self.line(
            landscape["name"],
            landscape["because"],
            None,
            cost=landscape["cost"],
            box=self.box(landscape["box"]),
            detail=detail,
            below=self.steps(landscape["name"]),
        )

    def set_aside(self, card: "document.SetAside") -> L:
        """A single card set aside."""
        return self.line(
            card["name"],
            card["because"],
            1,
            box=self.box(card["box"]),
            detail=self.say("set aside"),
            below=self.steps(card["name"]),
        )

    def deck(self, deck: "document.Deck") -> L:
        """A shuffled deck, with what is turned over beside it."""
        below = contents = self.contents(deck)
        names = self.listed(map(self.tight, deck["face_up"]))
        box, count, detail = "", deck["count"], self.say("shuffle, face down")
        if names and not deck["cards"]:  # of a deck that is there already
            count, below = len(deck["face_up"]), (names,)
            detail = self.say("from the deck or its discards, face up beside it")
        elif names:
            below = (self.say("beside it, face up: {text}", text=names), *contents)
        if not contents and deck["cards"]:
            box = self.box("".join(card["box"] for card in deck["contents"][:1]))
        return self.line(deck["name"], deck["because"], count, box=box, detail=detail, below=below)

    def contents(self, deck: "document.Deck") -> tuple[str, ...]:
        """What to fetch for a deck that is not a whole box's: its cards, box by box."""
        boxes: dict[str, list[str]] = {}
        for card in deck["contents"]:
            boxes.setdefault(card["box"], []).append(card["name"])
        if len(boxes) < 2 and not any(card["cost"] for card in deck["contents"]):
            return ()
        return tuple(
            self.say(
                "{title}: {text}", title=self.box(box), text=self.listed(sorted(map(self.tight, boxes[box])))
            )
            for box in self.boxes
            if box in boxes
        )

    def component(self, component: "document.Component") -> L:
        """A mat and the like."""
        return self.line(
            component["name"],
            component["because"],
            component["count"],
            one=component.get("one", ""),
            box=self.box(component.get("box", "")),
            detail=self.say(component["note"]) if "note" in component else "",
        )

    def tokens(self, per: "document.Per") -> list[L]:
        """Tokens on piles, landscapes and mats; equal ones for one reason are one line."""
        groups: dict[tuple[str, int, tuple[str, ...]], list[document.PlacedTokens]] = {}
        for token in self.now["placed"]:
            if token.get("per", "game") == per:
                key = token["name"], token["count"], tuple(token["because"])
                groups.setdefault(key, []).append(token)
        lines = []
        for alike in groups.values():
            lines += self.of(alike, self.token) if len(alike) == 1 else [self.tokens_alike(alike)]
        return lines

    def token(self, token: "document.PlacedTokens") -> L:
        """Tokens on one thing."""
        because = token["because"]
        said: dict[str, Any] = {"detail": self.said(token["says"])}
        if token["on"] in because:
            said["reason"] = str  # the card that they lie on asks for them
        return self.line(token["name"], because, token["count"], one=token.get("one", ""), **said)

    def tokens_alike(self, tokens: "Sequence[document.PlacedTokens]") -> L:
        """As many of the same on each of several things, for one reason."""
        first, spots = tokens[0], [token["on"] for token in tokens]
        said: dict[str, Any] = {"detail": self.say("on every pile of the Supply")}
        if set(spots) != {pile["name"] for pile in self.setup["piles"] if pile["supply"]}:
            spots.sort(key=lambda spot: self.order.get(spot, len(self.order)))
            said["detail"] = self.say("on each of {count} piles", count=len(spots))
            said["below"] = (self.listed(map(self.tight, spots)),)
        return self.line(first["name"], first["because"], first["count"], one=first.get("one", ""), **said)

    def card(self, card: "document.Card") -> L:
        """Cards by name and number; what every game has is in no box in particular."""
        return self.line(
            card["name"],
            card["because"],
            card["count"],
            box=self.box(card.get("box", "")) if card["because"] else "",
            detail=self.say(card["note"]) if "note" in card else "",
        )

    def last(self) -> list[L]:
        """What is done when everything else has been; what every deal ends with is not done a second time."""
        old = _UNSAID if self.setup["starting_deck"] else []
        steps = self.setup.get("last", old) if "second_deal" not in self.setup else []
        return [
            *(
                self.line(note.get("on", ""), note["because"], None, detail=self.said(note["says"]))
                for note in self.setup["notes"]
                if note.get("step") == "last"
            ),
            *self.of(steps, self.step),
        ]

    def step(self, step: "document.Step") -> L:
        """What every deal ends with."""
        return self.line(step["name"], (), None, detail=self.say(step["text"]))

    # ── Words ──

    def said(self, says: "document.Says") -> str:
        """A text of the document in the language."""
        return self.language.translate(says["phrase"], **says["values"])

    def joined(self, detail: str, why: str) -> str:
        """How a thing lies, and why it is out."""
        return joined(detail, why, self.language)

    def tight(self, name: str, count: int | None = None) -> str:
        """The name, with its count, so that no line is broken within it."""
        text = (
            self.say("{count} {card}", count=count, card=name)
            if count
            else self.language.translate_name(name)
        )
        return with_nonbreaking_spaces(text)

    def types(self, types: Iterable[str]) -> str:
        """The types as they are printed on the card."""
        return "–".join(self.language.types.get(type_, type_) for type_ in types)

    def box(self, slug: str) -> str:
        """The box to fetch something from, where there is more than one."""
        if len(self.boxes) < 2 or not slug:
            return ""
        return self.language.boxes.get(slug) or self.boxes.get(slug, slug)
