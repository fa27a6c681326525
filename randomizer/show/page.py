"""A setup in the words of a language, block by block, in the order in which people read it.

What a format prints is settled here; how it looks is the format's.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from randomizer.cards.wording import asked
from randomizer.errors import UnknownName
from randomizer.load.games import load
from randomizer.setup import checklist, command
from randomizer.setup.lines import Line, before_and_now, joined, lies
from randomizer.text.encoding import all_visible, visible
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.setup import document

_HELP = 5  # boxes that are named where any of them would help
_NONE_AMONG = {
    "table": "{card} needs a pile on the table ({text}), and none is free.",
    "starting deck": "{card} needs a card of each starting deck ({text}), and none is left.",
}


class Block(NamedTuple):
    """A heading and the sentences under it; a setup that has none of them has no such block."""

    title: str
    texts: list[str]


class Page:
    """A setup document in the words of a language. A block is worked out when a format asks for it.

    Args:
        setup: the document, which may come from anywhere.
        language: whose words they are.
        sort: the order of the Kingdom, one of `checklist.SORTS`.
        game: what was dealt, where it has been loaded already.

    Attributes:
        document: as it is, for other programs.
    """

    def __init__(
        self,
        setup: "document.Setup",
        language: Language,
        sort: str = "box",
        game: "Game | None" = None,
    ) -> None:
        self.document = setup
        self.language = language
        self.sort = sort
        self._game = game

    @cached_property
    def setup(self) -> "document.Setup":
        """The document with all its texts made visible, from which the blocks are made."""
        setup: document.Setup = all_visible(self.document)
        return setup

    # ── The blocks ──

    @property
    def title(self) -> list[str]:
        """What is played, with which boxes, by how many, and from which seed."""
        say, setup = self.language.say, self.setup
        boxes = self.listed(
            self.language.boxes.get(box["slug"], box["name"])
            for box in setup["boxes"]
            if box["chosen"] and box["name"] != setup["title"]
        )
        players = say("{count} players", count=setup["players"])
        seed = say("seed {text}", text=setup["seed"])
        again = self.language.name(setup["second_deal"]["by"]) if "second_deal" in setup else ""
        return [*filter(None, (say(setup["title"]), boxes, players, seed, again))]

    @property
    def missing(self) -> Block:
        """What could not be done, and which boxes would help."""
        return Block(self.language.say("Missing"), [*map(self._missing, self.setup["missing"])])

    @property
    def sections(self) -> list[checklist.Section]:
        """The lines to tick off, in the order of work."""
        return checklist.build(self.setup, self.language, self.sort)

    @property
    def heads(self) -> tuple[str, str, str]:
        """The headings of the columns that a line of a section may have after its name."""
        say = self.language.say
        return say("cost"), say("types"), say("box")

    @property
    def stays(self) -> Block:
        """What a second deal leaves on the table."""
        return Block(self.language.say("Stays on the table"), [*self._staying()])

    @property
    def notes(self) -> Block:
        """What the players have to know; what they have to do stands in the sections."""
        shelves = (self.setup["piles"], self.setup["landscapes"], self.setup["set_aside"])
        shown = {thing["name"] for shelf in shelves for thing in shelf}
        notes = [
            note
            for note in self.setup["notes"]
            if "step" not in note or (note["step"] == "here" and note.get("on") not in shown)
        ]
        return Block(self.language.say("Bear in mind"), [self._said(note["says"]) for note in notes])

    @property
    def decided(self) -> Block:
        """How the questions of setup were answered, and what was turned up in vain."""
        first = "second_deal" not in self.setup  # which decides nothing anew
        return Block(self.language.say("Decided"), [*self._decisions(), *self._skipped()] if first else [])

    @property
    def ends(self) -> str:
        """When the game ends."""
        say = self.language.say
        return say("The game ends when {text}.", text=say(", or ").join(map(say, self.setup["game_end"])))

    @property
    def again(self) -> str:
        """The command that deals the same table, with what it is; nothing if there is no such command."""
        try:
            text = command.again(self._game or load(self.document["game"]), self.document)
        except UnknownName:  # there are no data for such a game here
            text = ""
        return self.language.say("Again: {text}", text=text) if text else ""

    @property
    def gist(self) -> list[str]:
        """All of it in a few words: the Kingdom cards turned up, the landscapes, what was chosen for them."""
        return [*map(visible, self._gist())]

    # ── Words ──

    def listed(self, texts: Iterable[str]) -> str:
        """Several texts one after the other."""
        return self.language.listed(texts)

    def remark(self, line: Line) -> str:
        """How the thing of a line lies, and why it is out."""
        return joined(line.detail, line.why, self.language)

    def _said(self, says: "document.Says") -> str:
        """A text of the document in the language."""
        return self.language.say(says["phrase"], **says["values"])

    def _missing(self, missing: "document.Missing") -> str:
        """Which card needs what, and what would help."""
        say = self.language.say
        sort = asked(missing["query"], self.language)
        among = missing.get("among", "unused")
        if among != "unused":
            return say(_NONE_AMONG[among], card=missing["because"][-1], text=sort)
        text = say(
            "{card} needs unused cards ({text}): {wanted} wanted, {found} left."
            if sort
            else "{card} needs unused cards: {wanted} wanted, {found} left.",
            card=missing["because"][-1],
            text=sort,
            wanted=missing["wanted"] or 1,
            found=missing["found"],
        )
        if missing["help"]:
            boxes = [self.language.boxes.get(slug, slug) for slug in missing["help"]]
            text += " " + say("Any of these boxes would help: {text}.", text=self.listed(boxes[:_HELP]))
            if boxes[_HELP:]:
                text += " " + say("So would {count} more.", count=len(boxes) - _HELP)
        return text

    def _staying(self) -> Iterator[str]:
        """What stays, place by place; what is in decks and in the trash goes unsaid."""
        before, _ = before_and_now(self.setup)
        places: dict[str, list[str]] = {"Supply": [], "Beside the Supply": []}

        def put(place: str, thing: str, marks: Iterable[str] = ()) -> None:
            text, marked = self.language.name(thing), self.listed(map(self.language.name, marks))
            places.setdefault(place, []).append(f"{text} ({marked})" if marked else text)

        for pile in before["piles"]:
            place = "Supply" if pile["place"] == "supply" else "Beside the Supply"
            put(pile.get("group", place), pile["name"], pile["marks"])
        for deck in before["decks"]:
            put("Beside the Supply", deck["name"])
        for card in before["set_aside"]:
            put("Beside the Supply", card["name"], [card["for"]])
        for landscape in before["landscapes"]:
            put(landscape["group"], landscape["name"])
        for component in before["components"]:
            put("In common" if component["per"] == "game" else "Each player has", component["name"])
        for place, names in places.items():
            if names:
                yield self.language.say("{title}: {text}", title=place, text=self.listed(names))

    def _decisions(self) -> Iterator[str]:
        """The questions, with their answers, but for those that were none with these boxes."""
        for decision in self.setup["decisions"]:
            if decision["decided_by"] and not decision["answer"] and not decision.get("possible", True):
                continue
            yield self.language.say(
                "{title}: {answer}, {text}",
                title=decision["title"],
                answer="yes" if decision["answer"] else "no",
                text=self._said(decision["says"]),
            )

    def _skipped(self) -> Iterator[str]:
        """The landscapes that were turned up in vain."""
        names = [
            self.language.name(turned["name"])
            for turned in self.setup["turned"]
            if turned["use"] == "skipped"
        ]
        if names:
            yield self.language.say("Turned up and not used: {text}", text=self.listed(names))

    def _gist(self) -> Iterator[str]:
        setup, name, say = self.document, self.language.name, self.language.say
        turned = {card["name"] for card in setup["turned"]}
        kingdom = checklist.in_order(
            (pile for pile in setup["piles"] if pile["name"] in turned), setup, self.sort
        )
        if kingdom:
            yield self.listed(name(pile["name"]) for pile in kingdom)
        groups: dict[str, list[str]] = {}
        for landscape in setup["landscapes"]:
            on = lies(landscape, self.language)
            said = name(landscape["name"]) + (f" ({on})" if on else "")
            groups.setdefault("" if landscape["name"] in turned else landscape["group"], []).append(said)
        for group, names in groups.items():
            text = self.listed(names)
            yield say("{title}: {text}", title=group, text=text) if group else text
        under = {landscape["name"] for landscape in setup["landscapes"] if "on" in landscape}
        for pile in setup["piles"]:
            for mark in pile["marks"]:
                if mark not in under:
                    yield say("{title}: {text}", title=mark, text=name(pile["name"]))
        for card in setup["set_aside"]:
            yield say("{title}: {text}", title=card["for"], text=name(card["name"]))
        yield from (say(decision["title"]) for decision in setup["decisions"] if decision["answer"])
        for missing in setup["missing"]:
            yield say("{title}: {text}", title="Missing", text=name(missing["for"]))
