"""A setup in one language, as the blocks that the output formats print.

This module decides which texts are printed. Each format decides on their layout.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import describe_query
from randomizer.deal.growing import list_questions
from randomizer.load.games import load
from randomizer.load.languages import load_for_page
from randomizer.setup import checklist, replay
from randomizer.setup.kept_parts import extract_kept_parts
from randomizer.setup.lines import Line, join_remarks
from randomizer.setup.texts import format_cost, render_sentence
from randomizer.show.formats import SetupSource
from randomizer.text.encoding import escape_all_control_characters, escape_control_characters
from randomizer.text.errors import UnknownName
from randomizer.text.language import ENGLISH, Language
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.record.dealing import DealtTable
    from randomizer.setup.document import About, Missing, Setup

_VETO_HINT = "Next, type `dominion-setup veto CARD, CARD`, or `dominion-setup veto nothing`."
_MAX_HELPFUL_BOXES = 5  # number of boxes that a message names
# Messages about missing cards, by the place among which a card had to be chosen.
_NONE_AMONG_TEMPLATES = {
    "table": "{card} needs a pile on the table ({text}), but none is available.",
    "starting deck": "{card} needs a card from each starting deck ({text}), but none is left.",
}


class Block(NamedTuple):
    """A heading with sentences below it. A block without sentences is not shown.

    Attributes:
        title: the heading.
        texts: the sentences.
    """

    title: str
    texts: list[str]


class Chart(NamedTuple):
    """A bar chart.

    Attributes:
        title: the heading.
        counts: the label and count of each bar.
    """

    title: str
    counts: list[tuple[str, int]]


class Ruling(NamedTuple):
    """An entry of a rulebook in one language.

    Attributes:
        id: the id of the entry, unique in its rulebook.
        title: the title.
        names: alternative names by which the entry can be found, in any language.
        text: the paragraphs and list items, one per line.
        older: older versions of the rule, each with a title that says until when it applied.
        see: the id and title of each related entry.
        source: a sentence or line that cites the sources of the rule.
        answer: the sentence of the text that answers the reader's question; empty for none.
    """

    id: str
    title: str
    names: list[str]
    text: str
    older: list[Block]
    see: list[tuple[str, str]]
    source: str
    answer: str = ""


class RuleList(NamedTuple):
    """A list of rules with a heading.

    Attributes:
        title: the heading.
        rules: the rules, in the order in which they are shown.
    """

    title: str
    rules: list[Ruling]


RulesByLanguage = Callable[[Language], list[RuleList]]  # returns the rules in a language


class Page(SetupSource):
    """A setup in one language. Each block is computed when it is needed.

    Args:
        setup: the setup document, which may come from an untrusted source; or a dealt table.
        language: the language of the page.
        sort: the order of the Kingdom piles, one of `checklist.SORTS`.
        game: the game of the setup; None to load it when it is needed.
        find_rules: finds the rules that apply to a table; None to show no rules. It is a parameter because
            this package must not import the package `rules`.
        table: the number of the table among several tables, and their number; None for a single table. The
            document of a table that shares its boxes with others has these numbers itself.
    """

    def __init__(
        self,
        setup: "Setup | DealtTable",
        language: Language,
        sort: str = "box",
        game: "Game | None" = None,
        find_rules: "Callable[[Setup], RulesByLanguage] | None" = None,
        table: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(setup)
        self.language = language
        self.sort = sort
        self._game = game
        self._find_rules = find_rules
        self._table = table

    @cached_property
    def setup(self) -> "Setup":
        """The setup document with its control characters escaped. All blocks are built from it."""
        setup: Setup = escape_all_control_characters(self.document)
        return setup

    @property
    def translations(self) -> list[Self]:
        """This page, followed by the same page in English and the languages of the rulebooks."""
        try:
            languages = load_for_page(self.language.code, self.game)
        except UnknownName:  # The game is not installed.
            languages = []
        others = [language for language in languages if language.code != self.language.code]
        return [self, *map(self._translate, others)]

    def _translate(self, language: Language) -> Self:
        page = type(self)(self.source, language, self.sort, self._game, table=self._table)
        page._rules_by_language = self._rules_by_language  # The search is expensive.
        return page

    # ── The blocks ──

    @property
    def title(self) -> list[str]:
        """The parts of `heading`, then those of `facts`."""
        return [*self.heading, *self.facts]

    @property
    def heading(self) -> list[str]:
        """The title of the game, and the number of the table if there are several."""
        return [*filter(None, (self.language.translate(self.setup["title"][ENGLISH]), self.table_label))]

    @property
    def facts(self) -> list[str]:
        """The chosen boxes, the number of players, the seed, and any second deal."""
        translate, setup = self.language.translate, self.setup
        boxes = self.join(
            self.language.boxes.get(box["slug"], box["name"])
            for box in setup["boxes"]
            if box["chosen"] and box["name"] != setup["title"][ENGLISH]
        )
        players = translate("{count} players", count=setup["players"])
        seed = translate("seed {text}", text=setup["seed"])
        second_deal = (
            self.language.translate_name(setup["second_deal"]["by"]) if "second_deal" in setup else ""
        )
        return [*filter(None, (boxes, players, seed, second_deal))]

    @property
    def table_number(self) -> int:
        """The number of the table among several tables; 0 for a single table."""
        return self._find_table_numbers()[0]

    @property
    def table_label(self) -> str:
        """The number of the table and of all tables, such as `Table 2 of 5`; empty for a single table."""
        number, count = self._find_table_numbers()
        return (
            self.language.translate("Table {number} of {count}", number=number, count=count) if number else ""
        )

    def _find_table_numbers(self) -> tuple[int, int]:
        """Return the number of the table and of all tables; zeros for a single table."""
        options = self.setup["options"]
        number, count = self._table or (options.get("table"), options.get("count"))
        if type(number) is not int or type(count) is not int or count == 1 or not 1 <= number <= count:
            return 0, 0
        return number, count

    @property
    def used_boxes(self) -> str:
        """The names of the boxes that the cards and components on the table come from."""
        setup = self.setup
        lists = (setup["piles"], setup["landscapes"], setup["set_aside"], setup["components"])
        slugs = {part["box"] for parts in lists for part in parts if "box" in part}
        return self.join(
            self.language.boxes.get(box["slug"], box["name"])
            for box in setup["boxes"]
            if box["slug"] in slugs
        )

    @property
    def missing(self) -> Block:
        """The cards that could not be set up, and the boxes that would help."""
        return Block(
            self.language.translate("Missing"),
            [
                *(
                    self._describe_missing(missing)
                    for missing in self.setup["missing"]
                    if missing.get("among") != "boxes"
                ),
                *self._describe_shortages(),
            ],
        )

    @property
    def sections(self) -> list[checklist.Section]:
        """The sections of the checklist, in the order of setup."""
        return checklist.build_checklist(self.setup, self.language, self.sort)

    @cached_property
    def types_by_name(self) -> dict[str, list[str]]:
        """The slugs of each card's types, by the name of the card in the language of the page.

        For a landscape, its kind takes the place of its types. The style sheet assigns colours to the slugs.
        """
        setup = self.setup
        landscapes = {each["name"]: [each["kind"]] for each in setup["landscapes"]}
        cards = {each["name"]: each["types"] for each in (*setup["set_aside"], *setup["piles"])}
        return {
            self.language.translate_name(name): [*map(slugify, types)]
            for name, types in {**landscapes, **cards}.items()
        }

    @property
    def column_titles(self) -> tuple[str, str, str]:
        """The titles of the columns that follow the names in a checklist."""
        translate = self.language.translate
        return translate("cost"), translate("types"), translate("box")

    @property
    def remaining(self) -> Block:
        """The parts of the table that stay when a second deal replaces the rest."""
        return Block(self.language.translate("Stays on the table"), [*self._describe_remaining()])

    @property
    def notes(self) -> Block:
        """The notes for the players, and how to veto cards. Other instructions are in `sections`."""
        lists = (self.setup["piles"], self.setup["landscapes"], self.setup["set_aside"])
        shown_names = {part["name"] for parts in lists for part in parts}
        notes = [
            note
            for note in self.setup["notes"]
            if "step" not in note or (note["step"] == "here" and note.get("on") not in shown_names)
        ]
        texts = [render_sentence(note, self.language) for note in notes]
        if checklist.is_veto_open(self.setup):
            texts.append(self.language.translate(_VETO_HINT))
        return Block(self.language.translate("Bear in mind"), texts)

    @property
    def decisions(self) -> Block:
        """The answers to the questions of setup, with reasons, and the landscapes that were not used."""
        is_first_deal = "second_deal" not in self.setup  # A second deal decides nothing.
        return Block(
            self.language.translate("Decisions"),
            [*filter(None, [self.vetoes]), *self._describe_decisions(), *self._describe_skipped()]
            if is_first_deal
            else [],
        )

    @property
    def vetoes(self) -> str:
        """The vetoed cards; empty if there was no veto."""
        vetoed = self.setup["vetoes"]["vetoed"] if "vetoes" in self.setup else None
        if not vetoed:
            return "" if vetoed is None else self.language.translate("Nobody vetoed a card.")
        return self.language.translate("Vetoed: {text}", text=self.language.translate_names(vetoed))

    @property
    def about(self) -> Block:
        """The abilities that the cards have and lack; empty if the document has no key `about`."""
        return Block(self.language.translate("About this kingdom"), [*self._describe_about()])

    @property
    def costs(self) -> Chart:
        """The number of Kingdom piles by cost; empty if the document has no key `about`."""
        counts = self.setup["about"]["costs"] if "about" in self.setup else []
        return Chart(
            self.language.translate("Kingdom piles by cost:"),
            [(format_cost(each["cost"]), each["count"]) for each in counts],
        )

    @cached_property
    def rules(self) -> list[RuleList]:
        """The lists of rules that apply to this table, the most specific ones first."""
        return [each for each in self._rules_by_language(self.language) if each.rules]

    @cached_property
    def _rules_by_language(self) -> RulesByLanguage:
        return self._find_rules(self.document) if self._find_rules else lambda language: []

    @property
    def game_end(self) -> str:
        """A sentence that says when the game ends; empty if the game's data file does not define it."""
        translate = self.language.translate
        endings = [translate(ending[ENGLISH]) for ending in self.setup["game_end"]]
        return (
            translate("The game ends when {text}.", text=translate(", or ").join(endings)) if endings else ""
        )

    @property
    def repeat_hint(self) -> str:
        """A label and the command that deals the same table; empty if `command` is empty."""
        return self.language.translate("Deal again: {text}", text=self.command) if self.command else ""

    @cached_property
    def command(self) -> str:
        """The command that deals the same table; empty if there is none or the game is not installed."""
        try:
            return replay.build_replay_command(self.game, self.document)
        except UnknownName:  # The game is not installed.
            return ""

    @property
    def kingdom(self) -> Kingdom:
        """The cards and landscapes that were drawn at random or named by the user.

        Raises:
            UnknownName: the game is not installed.
        """
        return replay.extract_kingdom(self.game, self.setup)

    @property
    def answers(self) -> list[tuple[str, str, bool]]:
        """The option, title and answer of each question of setup whose answer could have been yes."""
        options = {question.question: question.option for question in list_questions(self.game.opening)}
        return [
            (options[decision["question"]], decision["title"][ENGLISH], decision["answer"])
            for decision in self.setup["decisions"]
            if decision["question"] in options and (decision["answer"] or decision["possible"])
        ]

    @cached_property
    def game(self) -> "Game":
        """The game of the setup. Unless it was passed in, it does not include the user's own data files.

        Raises:
            UnknownName: the game is not installed.
        """
        return self._game or load(self.document["game"])

    @property
    def gist(self) -> list[str]:
        """The parts of a one-line summary: the seed, Kingdom cards, landscapes, chosen cards and so on."""
        return [*map(escape_control_characters, self._summarize())]

    # ── Texts ──

    def join(self, texts: Iterable[str]) -> str:
        """Join translated texts with the comma of the page's language."""
        return self.language.join(texts)

    def describe_line(self, line: Line) -> str:
        """Return the remarks on a line of the checklist: its details, and the reason for it."""
        return join_remarks(line.detail, line.why, self.language)

    def _describe_missing(self, missing: "Missing") -> str:
        """Describe which cards are missing, what needs them, and which boxes would help."""
        translate = self.language.translate
        requirement = describe_query(missing["query"], self.language)
        among = missing.get("among", "unused")
        if among != "unused":
            return translate(_NONE_AMONG_TEMPLATES[among], card=missing["because"][-1], text=requirement)
        texts = [
            translate(
                "{card} needs unused cards ({text}): {wanted} required, {found} left."
                if requirement
                else "{card} needs unused cards: {wanted} required, {found} left.",
                card=missing["because"][-1],
                text=requirement,
                wanted=missing["wanted"] or 1,
                found=missing["found"],
            )
        ]
        if missing["help"]:
            boxes = [self.language.boxes.get(slug, slug) for slug in missing["help"]]
            texts.append(
                translate(
                    "Any of these boxes would help: {text}.", text=self.join(boxes[:_MAX_HELPFUL_BOXES])
                )
            )
            if boxes[_MAX_HELPFUL_BOXES:]:
                texts.append(translate("So would {count} more.", count=len(boxes) - _MAX_HELPFUL_BOXES))
        return self.language.join_sentences(texts)

    def _describe_shortages(self) -> Iterator[str]:
        """Yield a text about what the boxes have too little of, for each list of boxes that would help."""
        shortages_by_help: dict[tuple[str, ...], list[Missing]] = {}
        for missing in self.setup["missing"]:
            if missing.get("among") == "boxes":
                shortages_by_help.setdefault(tuple(missing["help"]), []).append(missing)
        translate = self.language.translate
        for slugs, shortages in shortages_by_help.items():
            things = self.join(
                translate(
                    "{card} ({found} of {wanted})",
                    card=shortage["for"],
                    found=shortage["found"],
                    wanted=shortage["wanted"] or 1,
                )
                for shortage in shortages
            )
            boxes = self.join(self.language.boxes.get(slug, slug) for slug in slugs)
            texts = [translate("The boxes have too little left: {text}.", text=things)]
            if boxes:
                texts.append(translate("Another copy of any of these boxes would help: {text}.", text=boxes))
            yield self.language.join_sentences(texts)

    def _describe_remaining(self) -> Iterator[str]:
        """For each place on the table, yield a line that lists what stays there during a second deal.

        Cards in the players' decks and in the trash are not listed.
        """
        kept_parts = extract_kept_parts(self.setup)
        names_by_place: dict[str, list[str]] = {"Supply": [], "Beside the Supply": []}

        def add_name(place: str, name: str, marks: Iterable[str] = ()) -> None:
            text, mark_text = self.language.translate_name(name), self.language.translate_names(marks)
            names_by_place.setdefault(place, []).append(f"{text} ({mark_text})" if mark_text else text)

        for pile in kept_parts["piles"]:
            place = "Supply" if pile["place"] == "supply" else "Beside the Supply"
            add_name(pile["group"][ENGLISH] if "group" in pile else place, pile["name"], pile["marks"])
        for deck in kept_parts["decks"]:
            add_name("Beside the Supply", deck["name"])
        for card in kept_parts["set_aside"]:
            add_name("Beside the Supply", card["name"], [card["for"]])
        for landscape in kept_parts["landscapes"]:
            add_name(landscape["group"][ENGLISH], landscape["name"])
        for component in kept_parts["components"]:
            add_name("Shared" if component["per"] == "game" else "Each player has", component["name"])
        for place, names in names_by_place.items():
            if names:
                yield self.language.translate("{title}: {text}", title=place, text=self.join(names))

    def _describe_decisions(self) -> Iterator[str]:
        """Yield each question with its answer. Questions that could only be answered "no" are omitted."""
        for decision in self.setup["decisions"]:
            if decision["decided_by"] and not decision["answer"] and not decision["possible"]:
                continue
            yield self.language.translate(
                "{title}: {answer}, {text}",
                title=decision["title"][ENGLISH],
                answer="yes" if decision["answer"] else "no",
                text=render_sentence(decision["reason"], self.language),
            )

    def _describe_skipped(self) -> Iterator[str]:
        """Yield a line that lists the landscapes that were drawn but not used, if there are any."""
        names = [
            self.language.translate_name(turned["name"])
            for turned in self.setup["turned"]
            if turned["use"] == "skipped"
        ]
        if names:
            yield self.language.translate("Drawn but not used: {text}", text=self.join(names))

    def _describe_about(self) -> Iterator[str]:
        about, translate = self.setup.get("about"), self.language.translate
        if about is None:
            return
        for aspect in about["aspects"]:
            if aspect["cards"]:
                text = self.language.translate_names(aspect["cards"])
                yield translate("{title}: {text}", title=aspect["title"][ENGLISH], text=text)
        yield from self._describe_absent(about)
        if about["unknown"]:
            yield translate("Effect unknown: {text}", text=self.join(about["unknown"]))

    def _describe_absent(self, about: "About") -> Iterator[str]:
        """Yield a line that lists the abilities that no card on the table has, if there are any."""
        absent_abilities = [
            self.language.translate_name(aspect["title"][ENGLISH])
            for aspect in about["aspects"]
            if not aspect["cards"]
        ]
        if absent_abilities:
            yield self.language.translate("Missing: {text}", text=self.join(absent_abilities))

    def _summarize(self) -> Iterator[str]:
        setup = self.source if isinstance(self.source, dict) else self.source.summary
        name, translate = self.language.translate_name, self.language.translate
        yield setup["seed"]
        turned_names = {card["name"] for card in setup["turned"]}
        kingdom = [pile for pile in setup["piles"] if pile["name"] in turned_names]
        if kingdom:
            sort = "dealt" if checklist.is_veto_open(setup) else self.sort
            names = [pile["name"] for pile in checklist.sort_piles(kingdom, setup, sort)]
            yield self.language.translate_names(names)
        yield from self._summarize_landscapes(setup, turned_names)
        landscapes_on_piles = {landscape["name"] for landscape in setup["landscapes"] if "on" in landscape}
        chosen = [(mark, pile["name"]) for pile in setup["piles"] for mark in pile["marks"]]
        chosen = [(mark, pile) for mark, pile in chosen if mark not in landscapes_on_piles]
        for slot, card in (*chosen, *((card["for"], card["name"]) for card in setup["set_aside"])):
            yield translate("{title}: {text}", title=slot, text=name(card))
        yield from (
            translate(decision["title"][ENGLISH]) for decision in setup["decisions"] if decision["answer"]
        )
        missing_names = [name(missing["for"]) for missing in setup["missing"]]
        if missing_names:
            yield translate("{title}: {text}", title="Missing", text=self.join(missing_names))
        if "about" in setup:
            yield from self._describe_absent(setup["about"])

    def _summarize_landscapes(self, setup: "Setup", turned_names: Container[str]) -> Iterator[str]:
        """Yield the landscapes in use. Landscapes that were not turned up follow their group's heading."""
        groups: dict[str, list[str]] = {}
        for landscape in setup["landscapes"]:
            name = self.language.translate_name(landscape["name"])
            if "location" in landscape:
                name += f" ({render_sentence(landscape['location'], self.language)})"
            group = "" if landscape["name"] in turned_names else landscape["group"][ENGLISH]
            groups.setdefault(group, []).append(name)
        for group, names in groups.items():
            text = self.join(names)
            yield self.language.translate("{title}: {text}", title=group, text=text) if group else text


class TableSeries(NamedTuple):
    """Several tables in one language, for documents that contain all of them.

    Attributes:
        pages: the tables.
    """

    pages: Sequence[Page]

    @property
    def language(self) -> Language:
        """The language of the tables."""
        return self.pages[0].language

    @property
    def heading(self) -> list[str]:
        """The title of the game, and the number of tables."""
        page = self.pages[0]
        count = self.language.translate("{count} tables", count=len(self.pages))
        return [self.language.translate(page.setup["title"][ENGLISH]), count]

    @property
    def column_titles(self) -> tuple[str, str, str]:
        """The titles of the columns of the overview."""
        translate = self.language.translate
        return translate("Table"), translate("Kingdom"), translate("Boxes")

    @property
    def overview(self) -> list[tuple[int, str, str]]:
        """The number, the Kingdom and the boxes of each table."""
        return [(page.table_number, " · ".join(page.gist[1:]), page.used_boxes) for page in self.pages]

    @property
    def rules(self) -> list[RuleList]:
        """The lists of rules that apply to any of the tables. Each rule is listed once."""
        seen: set[str] = set()
        rules_by_title: dict[str, list[Ruling]] = {}
        for rule_list in (rule_list for page in self.pages for rule_list in page.rules):
            new = [rule for rule in rule_list.rules if rule.id not in seen]
            seen.update(rule.id for rule in new)
            rules_by_title.setdefault(rule_list.title, []).extend(new)
        return [RuleList(title, rules) for title, rules in rules_by_title.items() if rules]

    def join(self, texts: Iterable[str]) -> str:
        """Join translated texts with the comma of the language."""
        return self.language.join(texts)
