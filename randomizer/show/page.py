"""A setup in the words of a language, block by block, in the order in which people read it.

What a format prints is settled here; how it looks is the format's.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import describe_query
from randomizer.deal.growing import list_questions
from randomizer.load.games import load
from randomizer.load.languages import load_all
from randomizer.setup import checklist, dealt
from randomizer.setup.lines import Line, joined
from randomizer.setup.moment import before
from randomizer.show.formats import Bare
from randomizer.text.encoding import escape_all_control_characters, escape_control_characters
from randomizer.text.errors import UnknownName
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.record.laid import Laid
    from randomizer.setup.document import About, Missing, Says, Setup

_HELP = 5  # boxes that are named where any of them would help
_NONE_AMONG = {
    "table": "{card} needs a pile on the table ({text}), and none is free.",
    "starting deck": "{card} needs a card of each starting deck ({text}), and none is left.",
}


class Block(NamedTuple):
    """A heading and the sentences under it; a setup that has none of them has no such block."""

    title: str
    texts: list[str]


class Chart(NamedTuple):
    """A heading, and under it how many there are of each."""

    title: str
    counts: list[tuple[str, int]]


class Ruling(NamedTuple):
    """An entry of a rulebook in the words of a language.

    Attributes:
        id: its name in its book.
        names: what else it is called, in any language.
        text: its paragraphs and items of lists, a line each.
        older: how the rule was before, and until when.
        see: the ids and titles of others.
        source: what it is taken from.
    """

    id: str
    title: str
    names: list[str]
    text: str
    older: list[Block]
    see: list[tuple[str, str]]
    source: str


class RuleList(NamedTuple):
    """Rules under a heading."""

    title: str
    rules: list[Ruling]


RulesByLanguage = Callable[[Language], list[RuleList]]  # the same rules in any language


class Page(Bare):
    """A setup document in the words of a language. A block is worked out when a format asks for it.

    Args:
        setup: the document, which may come from anywhere; or the table that has been laid.
        language: whose words they are.
        sort: the order of the Kingdom, one of `checklist.SORTS`.
        game: what was dealt, where it has been loaded already.
        rules: finds the rules that matter on a table, as the wing of the rulebooks does, which is above this
            one; without it a page has none.
    """

    def __init__(
        self,
        setup: "Setup | Laid",
        language: Language,
        sort: str = "box",
        game: "Game | None" = None,
        rules: "Callable[[Setup], RulesByLanguage] | None" = None,
    ) -> None:
        super().__init__(setup)
        self.language = language
        self.sort = sort
        self._game = game
        self._finds_rules = rules

    @cached_property
    def setup(self) -> "Setup":
        """The document with all its texts made visible, from which the blocks are made."""
        setup: Setup = escape_all_control_characters(self.document)
        return setup

    @property
    def translations(self) -> list[Self]:
        """This page, then the same in the other languages; there are none for a game without data here."""
        try:
            known = load_all(self.game)
        except UnknownName:
            known = []
        others = [language for language in known if language.code != self.language.code]
        return [self, *map(self._in, others)]

    def _in(self, language: Language) -> Self:
        page = type(self)(self.of, language, self.sort, self._game)
        page._rules_in = self._rules_in  # found once
        return page

    # ── The blocks ──

    @property
    def title(self) -> list[str]:
        """What is played, with which boxes, by how many, and from which seed."""
        translate, setup = self.language.translate, self.setup
        boxes = self.join(
            self.language.boxes.get(box["slug"], box["name"])
            for box in setup["boxes"]
            if box["chosen"] and box["name"] != setup["title"]
        )
        players = translate("{count} players", count=setup["players"])
        seed = translate("seed {text}", text=setup["seed"])
        again = self.language.translate_name(setup["second_deal"]["by"]) if "second_deal" in setup else ""
        return [*filter(None, (translate(setup["title"]), boxes, players, seed, again))]

    @property
    def missing(self) -> Block:
        """What could not be done, and which boxes would help."""
        return Block(self.language.translate("Missing"), [*map(self._missing, self.setup["missing"])])

    @property
    def sections(self) -> list[checklist.Section]:
        """The lines to tick off, in the order of work."""
        return checklist.build(self.setup, self.language, self.sort)

    @property
    def column_titles(self) -> tuple[str, str, str]:
        """The headings of the columns that a line of a section may have after its name."""
        translate = self.language.translate
        return translate("cost"), translate("types"), translate("box")

    @property
    def remaining(self) -> Block:
        """What a second deal leaves on the table."""
        return Block(self.language.translate("Stays on the table"), [*self._staying()])

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
        return Block(self.language.translate("Bear in mind"), [self._said(note["says"]) for note in notes])

    @property
    def decisions(self) -> Block:
        """How the questions of setup were answered, and what was turned up in vain."""
        first = "second_deal" not in self.setup  # which decides nothing anew
        return Block(
            self.language.translate("Decided"), [*self._decisions(), *self._skipped()] if first else []
        )

    @property
    def about(self) -> Block:
        """What kind of game it is, where the document says that: what its cards do, what none does, costs."""
        return Block(self.language.translate("What kind of game it is"), [*self._about()])

    @property
    def costs(self) -> Chart:
        """How many Kingdom piles there are of each cost, where the document says that."""
        counts = self.setup["about"]["costs"] if "about" in self.setup else []
        return Chart(
            self.language.translate("Kingdom piles by cost:"),
            [(each["cost"], each["count"]) for each in counts],
        )

    @cached_property
    def rules(self) -> list[RuleList]:
        """The rules that matter on this table, the most specific first."""
        return [found for found in self._rules_in(self.language) if found.rules]

    @cached_property
    def _rules_in(self) -> RulesByLanguage:
        return self._finds_rules(self.document) if self._finds_rules else lambda language: []

    @property
    def game_end(self) -> str:
        """When the game ends; nothing if the data file does not say it."""
        translate, endings = self.language.translate, self.setup["game_end"]
        return (
            translate("The game ends when {text}.", text=translate(", or ").join(map(translate, endings)))
            if endings
            else ""
        )

    @property
    def repeat_hint(self) -> str:
        """The command that deals the same table, with what it is; nothing if there is no such command."""
        text = self.command
        return self.language.translate("Again: {text}", text=text) if text else ""

    @cached_property
    def command(self) -> str:
        """The command that deals the same table; nothing if there is none."""
        try:
            return dealt.again(self.game, self.document)
        except UnknownName:  # there are no data for such a game here
            return ""

    @property
    def kingdom(self) -> Kingdom:
        """What chance, or whoever named it, brought onto the table.

        Raises:
            UnknownName: there are no data for such a game here.
        """
        return dealt.kingdom_on(self.game, self.setup)

    @property
    def answers(self) -> list[tuple[str, str, bool]]:
        """The questions of setup that these cards can answer with yes: option, title and answer."""
        options = {question.question: question.option for question in list_questions(self.game.opening)}
        return [
            (options[decision["question"]], decision["title"], decision["answer"])
            for decision in self.setup["decisions"]
            if decision["question"] in options and (decision["answer"] or decision.get("possible", True))
        ]

    @cached_property
    def game(self) -> "Game":
        """What is played, without the user's own files if it has not been loaded with them.

        Raises:
            UnknownName: there are no data for such a game here.
        """
        return self._game or load(self.document["game"])

    @property
    def gist(self) -> list[str]:
        """All of it in a few words: the seed, the Kingdom cards, the landscapes, what was chosen for them."""
        return [*map(escape_control_characters, self._gist())]

    # ── Words ──

    def join(self, texts: Iterable[str]) -> str:
        """Several texts one after the other."""
        return self.language.join(texts)

    def describe_line(self, line: Line) -> str:
        """How the thing of a line lies, and why it is out."""
        return joined(line.detail, line.why, self.language)

    def _said(self, says: "Says") -> str:
        """A text of the document in the language."""
        return self.language.translate(says["phrase"], **says["values"])

    def _missing(self, missing: "Missing") -> str:
        """Which card needs what, and what would help."""
        translate = self.language.translate
        sort = describe_query(missing["query"], self.language)
        among = missing.get("among", "unused")
        if among != "unused":
            return translate(_NONE_AMONG[among], card=missing["because"][-1], text=sort)
        texts = [
            translate(
                "{card} needs unused cards ({text}): {wanted} wanted, {found} left."
                if sort
                else "{card} needs unused cards: {wanted} wanted, {found} left.",
                card=missing["because"][-1],
                text=sort,
                wanted=missing["wanted"] or 1,
                found=missing["found"],
            )
        ]
        if missing["help"]:
            boxes = [self.language.boxes.get(slug, slug) for slug in missing["help"]]
            texts.append(translate("Any of these boxes would help: {text}.", text=self.join(boxes[:_HELP])))
            if boxes[_HELP:]:
                texts.append(translate("So would {count} more.", count=len(boxes) - _HELP))
        return self.language.join_sentences(texts)

    def _staying(self) -> Iterator[str]:
        """What stays, place by place; what is in decks and in the trash goes unsaid."""
        there = before(self.setup)
        places: dict[str, list[str]] = {"Supply": [], "Beside the Supply": []}

        def put(place: str, thing: str, marks: Iterable[str] = ()) -> None:
            text, marked = self.language.translate_name(thing), self.language.translate_names(marks)
            places.setdefault(place, []).append(f"{text} ({marked})" if marked else text)

        for pile in there["piles"]:
            place = "Supply" if pile["place"] == "supply" else "Beside the Supply"
            put(pile.get("group", place), pile["name"], pile["marks"])
        for deck in there["decks"]:
            put("Beside the Supply", deck["name"])
        for card in there["set_aside"]:
            put("Beside the Supply", card["name"], [card["for"]])
        for landscape in there["landscapes"]:
            put(landscape["group"], landscape["name"])
        for component in there["components"]:
            put("In common" if component["per"] == "game" else "Each player has", component["name"])
        for place, names in places.items():
            if names:
                yield self.language.translate("{title}: {text}", title=place, text=self.join(names))

    def _decisions(self) -> Iterator[str]:
        """The questions, with their answers, but for those that were none with these boxes."""
        for decision in self.setup["decisions"]:
            if decision["decided_by"] and not decision["answer"] and not decision.get("possible", True):
                continue
            yield self.language.translate(
                "{title}: {answer}, {text}",
                title=decision["title"],
                answer="yes" if decision["answer"] else "no",
                text=self._said(decision["says"]),
            )

    def _skipped(self) -> Iterator[str]:
        """The landscapes that were turned up in vain."""
        names = [
            self.language.translate_name(turned["name"])
            for turned in self.setup["turned"]
            if turned["use"] == "skipped"
        ]
        if names:
            yield self.language.translate("Turned up and not used: {text}", text=self.join(names))

    def _about(self) -> Iterator[str]:
        about, translate = self.setup.get("about"), self.language.translate
        if about is None:
            return
        for aspect in about["aspects"]:
            if aspect["cards"]:
                text = self.language.translate_names(aspect["cards"])
                yield translate("{title}: {text}", title=aspect["title"], text=text)
        yield from self._not_there(about)
        if about["unknown"]:
            yield translate("Not known what it does: {text}", text=self.join(about["unknown"]))

    def _not_there(self, about: "About") -> Iterator[str]:
        """What no card of the table does."""
        none = [
            self.language.translate_name(aspect["title"])
            for aspect in about["aspects"]
            if not aspect["cards"]
        ]
        if none:
            yield self.language.translate("Not there: {text}", text=self.join(none))

    def _gist(self) -> Iterator[str]:
        name, translate = self.language.translate_name, self.language.translate
        if isinstance(self.of, dict):
            from randomizer.setup.gist import gist_of  # which only lines of documents want

            gist = gist_of(self.of, self.sort)
        else:
            gist = self.of.gist(self.sort)
        yield gist.seed
        if gist.kingdom:
            yield self.language.translate_names(gist.kingdom)
        groups: dict[str, list[str]] = {}
        for used in gist.landscapes:
            on = f" ({self._said(used.says)})" if used.says else ""
            groups.setdefault(used.group, []).append(name(used.name) + on)
        for group, names in groups.items():
            text = self.join(names)
            yield translate("{title}: {text}", title=group, text=text) if group else text
        for slot, chosen in gist.chosen:
            yield translate("{title}: {text}", title=slot, text=name(chosen))
        yield from map(translate, gist.decided)
        for missing in gist.missing:
            yield translate("{title}: {text}", title="Missing", text=name(missing))
        if isinstance(self.of, dict) and "about" in self.of:
            yield from self._not_there(self.of["about"])
