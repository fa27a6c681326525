"""The page in a file: all that the checklist says, in both languages, and nothing that runs or asks."""

import json
import re
from base64 import b64encode
from collections import Counter
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from randomizer.load import languages
from randomizer.load.games import load
from randomizer.load.languages import load_for_page
from randomizer.rules.show import load_table_rules
from randomizer.show import html
from randomizer.show.page import Page
from randomizer.text.encoding import escape_non_ascii_html
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import EXAMPLE_FACTOR, Deals, run
from tests.support.fuzz import deal_documents
from tests.support.nasty import append_everywhere

PAGE_CODES = [language.code for language in load_for_page("en", load())]
DEALS = [
    ["--sets", "base,adventures", "--players", "3", "--seed", "k7f3"],
    ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329", "--about"],
    ["--sets", "cornucopia,alchemy", "--seed", "100"],
    ["--sets", "nocturne,promos,dark-ages", "--seed", "5", "--shelters"],
    ["--game", "pergamemnon", "--players", "4", "--seed", "x"],
]
MOST = 125_000  # bytes of a page, for each language that it is in
VOID = {"meta", "input", "br", "link"}
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</title></style></textarea><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "&lt;b&gt; &amp; &#60;",
    "<!-- ]]> -->",
    "{{ 7 * 7 }}{% include 'x' %}{text}",
    "javascript:alert(1)//",
]


class Parsed(HTMLParser):
    """What a browser sees of a page: its elements in order, and the text of each language."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.said: dict[str, list[str]] = {}
        self.inside: dict[str, str] = {}
        self._open: list[str] = []
        self._language = ""
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        assert len(attributes) == len(attrs)
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "article":
            self._language = attributes["lang"]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "article":
            self._language = ""

    def handle_data(self, data: str) -> None:
        if self._language:
            self.said.setdefault(self._language, []).append(data)
        if self._open and self._open[-1] in ("script", "style", "title"):
            self.inside[self._open[-1]] = data

    @property
    def shape(self) -> list[tuple[str, tuple[str, ...]]]:
        """The elements with the names of their attributes."""
        return [(tag, tuple(attributes)) for tag, attributes in self.elements]

    def all(self, tag: str, **having: str) -> list[dict[str, str]]:
        return [
            attributes
            for name, attributes in self.elements
            if name == tag and all(attributes.get(key) == value for key, value in having.items())
        ]

    def text(self, code: str) -> str:
        return " ".join("".join(self.said[code]).replace("\N{NO-BREAK SPACE}", " ").split())


@cache
def page_of(*deal: str) -> Parsed:
    return Parsed(run(*deal, "--format", "html").stdout)


def words(text: str) -> set[str]:
    """The words of a text, whatever stands around them."""
    return set(re.sub(r"[\[\],:;.()、：；（）·#]", " ", text).replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal[1])
class TestContent:
    @pytest.mark.parametrize("code", ["en", "ja"])
    def test_page_has_everything_in_the_text_checklist(self, deal: list[str], code: str) -> None:
        text = run(*deal, "--lang", code, env={"COLUMNS": "1000"}).stdout
        setup = json.loads(run(*deal, "--json").stdout)
        page = Page(setup, languages.load(code, load(setup["game"])))
        assert (
            words(text) - words(page_of(*deal).text(code)) - {*page.column_titles} - words(page.repeat_hint)
            == set()
        )
        assert page.command in page_of(*deal).text(code)

    def test_page_has_each_line_in_order_with_a_checkbox(self, deal: list[str]) -> None:
        setup = json.loads(run(*deal, "--json").stdout)
        for code in ("en", "ja"):
            page = Page(setup, languages.load(code, load(setup["game"])))
            lines = [line for section in page.sections for line in section.lines]
            said = page_of(*deal).text(code)
            place = 0
            for line in lines:
                shown = " ".join(f"{'' if line.count_ is None else line.count_} {line.name}".split())
                place = said.index(shown, place) + len(shown)
            boxes = [box["data-tick"] for box in page_of(*deal).all("input") if "data-tick" in box]
            assert boxes == boxes[: len(lines)] * len(PAGE_CODES)  # the same ones in each language
            assert len({*boxes}) == len(lines)

    def test_fields_have_labels_and_ids_are_unique(self, deal: list[str]) -> None:
        inside, labelled, fields = 0, 0, 0
        parsed = page_of(*deal)
        for tag, _ in parsed.elements:
            inside += tag == "label"
            fields += tag == "input"
            labelled = labelled + 1 if tag == "input" and inside else labelled
        assert fields == labelled > 0
        ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
        assert len(ids) == len({*ids})
        for link in parsed.all("a"):
            assert link["href"].removeprefix("#") in ids

    def test_heading_levels_are_not_skipped(self, deal: list[str]) -> None:
        levels = [int(tag[1]) for tag, _ in page_of(*deal).elements if re.fullmatch("h[1-6]", tag)]
        assert levels.count(1) == len(PAGE_CODES)  # one in each language
        assert all(after <= before + 1 for before, after in pairwise(levels))

    def test_page_loads_nothing(self, deal: list[str]) -> None:
        parsed = page_of(*deal)
        assert not [tag for tag, _ in parsed.elements if tag in ("link", "img", "iframe", "object", "base")]
        for _, attributes in parsed.elements:
            assert not {"src", "srcset", "action", "style", "formaction"} & set(attributes)
            assert not [name for name in attributes if name.startswith("on")]
            assert attributes.get("href", "#").startswith("#")
        assert not re.search(r"url\(|@import|https?:", parsed.inside["style"])
        assert not re.search(r"https?:|fetch|import\b|XMLHttp|eval|innerHTML", parsed.inside["script"])

    def test_policy_allows_only_the_inline_style_and_script(self, deal: list[str]) -> None:
        (meta,) = page_of(*deal).all("meta", **{"http-equiv": "Content-Security-Policy"})
        rules = dict(rule.strip().split(" ", 1) for rule in meta["content"].split(";"))
        assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
        for name in ("style", "script"):
            checksum = b64encode(sha256(page_of(*deal).inside[name].encode()).digest()).decode()
            assert rules.pop(f"{name}-src") == f"'sha256-{checksum}'"
            assert len(page_of(*deal).all(name)) == 1
        assert rules == {}


def test_types_are_distinguished_by_colour_and_text() -> None:
    page = page_of("--sets", "empires,base", "--seed", "1", "--with", "witch,moat,delve")
    coloured = {*re.findall(r"\.(type-[a-z]+)", html.read_asset(html.STYLESHEET_FILE))}
    classes = [attributes.get("class", "") for attributes in page.all("li")]
    for types in ("action type-attack", "action type-reaction", "treasure", "victory", "curse", "event"):
        assert f"type-{types}" in classes
    assert classes.count("type-action type-attack") % len(PAGE_CODES) == 0
    assert all(coloured & {*names.split()} for names in classes if names)


class TestRules:
    @pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal[1])
    def test_page_has_the_rules_that_apply_to_the_table(self, deal: list[str]) -> None:
        answer = run("rules", "--for", "-", "--json", input=run(*deal, "--json").stdout)
        wanted = [entry["id"] for entry in json.loads(answer.stdout)["results"]] if answer.stdout else []
        for code in ("en", "ja"):
            there = [each["id"] for each in page_of(*deal).all("details") if "id" in each]
            assert [id for id in there if id.startswith(f"{code}-")] == [f"{code}-{id}" for id in wanted]

    def test_rules_have_texts_names_and_sources(self) -> None:
        setup = run(*DEALS[0], "--json").stdout
        found = json.loads(run("rules", "--for", "-", "--json", input=setup).stdout)["results"]
        parsed = page_of(*DEALS[0])
        for entry in found:
            for code in ("en", "ja"):
                said = parsed.text(code)
                for line in (entry["title"][code], *entry["text"][code].split("\n")):
                    assert " ".join(re.sub(r"^ *(- |\d+\. )", "", line).split()) in said

    def test_search_words_cover_every_name_of_a_rule(self) -> None:
        """By its words: those of the texts, in every language, and the others beside them."""
        setup = json.loads(run(*DEALS[0], "--json").stdout)
        pages = Page(setup, languages.load("en", load()), find_rules=load_table_rules).translations
        further = html.collect_search_words(pages)
        lists = [[rule for each in page.rules for rule in each.rules] for page in pages]
        for same in zip(*lists, strict=True):
            there = " ".join((further[same[0].id], *map(str, same))).lower()
            for rule in same:
                assert all(word.lower() in there for name in rule.names for word in name.split())
        assert "さかばまっと" in further["tavern-mat"] and "酒場マット" not in further["tavern-mat"]
        parsed = page_of(*DEALS[0])
        (mat,) = parsed.all("details", id="en-tavern-mat")
        assert mat["data-names"] == further["tavern-mat"]
        assert not [each for each in parsed.all("details") if "data-names" in each and each["id"][:2] != "en"]

    def test_page_without_rules_has_no_rules_section(self, deal: Deals) -> None:
        text = html.render(Page(deal.setup(), deal.language("en"), game=deal.game), Style())
        assert 'class="rules"' not in text
        assert 'class="rules"' in html.render(
            Page(deal.setup(), deal.language("en"), game=deal.game, find_rules=load_table_rules), Style()
        )

    @pytest.mark.parametrize(
        ("text", "passages"),
        [
            ("a\nb", [("p", [("a", []), ("b", [])])]),
            ("a\n\n- b\n- c", [("p", [("a", [])]), ("ul", [("b", []), ("c", [])])]),
            ("1. b\n2. c\nd", [("ol", [("b", []), ("c", [])]), ("p", [("d", [])])]),
            ("- b\n  - c\n  - d", [("ul", [("b", [("ul", [("c", []), ("d", [])])])])]),
            ("  - c", [("ul", [("c", [])])]),
            ("", []),
        ],
    )
    def test_text_is_parsed_into_paragraphs_and_lists(self, text: str, passages: Any) -> None:
        assert html.parse_text_blocks(text) == passages


class TestLanguages:
    def test_requested_language_is_first(self) -> None:
        for first in ("en", "ja"):
            order = [first, *(code for code in PAGE_CODES if code != first)]
            parsed = Parsed(run(*DEALS[0], "--format", "html", "--lang", first).stdout)
            assert parsed.elements[0] == ("html", {"lang": first})
            assert [article["lang"] for article in parsed.all("article")] == order
            assert [link["href"] for link in parsed.all("a")[: len(order)]] == [f"#{code}" for code in order]
            assert ("Cellar" in parsed.text(first)) == (first == "en")

    def test_language_links_have_native_names(self) -> None:
        text = run(*DEALS[0], "--format", "html").stdout
        assert ">English</a>" in text and ">日本語</a>" in text

    def test_unknown_game_is_shown_in_one_language(self, deal: Deals) -> None:
        setup: Any = {**deal.setup(), "game": "chess"}
        parsed = Parsed(html.render(Page(setup, Language("en")), Style()))
        assert [article["lang"] for article in parsed.all("article")] == ["en"]
        assert parsed.all("nav") == []
        assert len(parsed.all("input")) > 20

    def test_unencodable_characters_become_references(self) -> None:
        """The same page, letter by letter; style and script, in which no reference counts, are in ASCII."""
        whole = run(*DEALS[0], "--format", "html", "--lang", "ja").stdout
        plain = escape_non_ascii_html(whole)
        assert plain.isascii() and not whole.isascii()
        assert Parsed(plain).elements == Parsed(whole).elements
        assert Parsed(plain).said == Parsed(whole).said
        assert Parsed(plain).inside == Parsed(whole).inside

    def test_page_is_printed_in_an_ascii_locale(self) -> None:
        from click.testing import CliRunner

        from randomizer.cli import main

        args = [*DEALS[0], "--format", "html", "--lang", "ja"]
        result = CliRunner(charset="cp1252").invoke(main, args)
        assert result.exit_code == 0 and "日" not in result.stdout
        assert Parsed(result.stdout).said == Parsed(run(*args).stdout).said


class TestSize:
    @pytest.mark.parametrize("seed", [*range(6 * EXAMPLE_FACTOR), 61, 85, 107, 285])
    def test_largest_tables_stay_within_the_size_limit(self, seed: int) -> None:
        text = page_text(seed)
        assert len(text.encode()) < MOST * len(PAGE_CODES)

    def test_untranslated_rules_link_to_the_first_language(self) -> None:
        """With everything that a search finds them by; the page's own language has all of them."""
        parsed = Parsed(page_text(85))
        told, named = ([each["id"] for each in parsed.all(tag) if "id" in each] for tag in ("details", "p"))
        last = f"{PAGE_CODES[-1]}-"
        first = [id.removeprefix("en-") for id in told if id.startswith("en-")]
        other = [id.removeprefix(last) for id in [*told, *named] if id.startswith(last)]
        assert sorted(first) == sorted(other) and 0 < len(named) < len(first)
        links = {link["href"] for link in parsed.all("a", hreflang="en")}
        assert {"#en-" + id.removeprefix(last) for id in named} <= links

    def test_ordinary_page_has_all_rules_in_every_language(self) -> None:
        assert not [each for each in page_of(*DEALS[0]).all("p") if "id" in each]


def page_text(seed: int) -> str:
    """A page of all boxes and six players, with as many landscapes and rules as there may be."""
    deal = ["--sets", "all", "--players", "6", "--landscapes", "5", "--about", "--seed", str(seed)]
    return run(*deal, "--format", "html").stdout


def test_ticks_are_kept_by_seed_command_and_order() -> None:
    def key(*args: str) -> str:
        (body,) = Parsed(run(*args, "--format", "html").stdout).all("body")
        return body["data-table"]

    one = key("--seed", "a")
    assert "a · dominion-setup --sets base --players 2 --seed a" in one
    assert one == key("--seed", "a", "--lang", "ja")
    others = [["b"], ["a", "-p", "3"], ["a", "--sort", "name"]]
    assert len({one, *(key("--seed", *other) for other in others)}) == 4


# ── Whatever is in a document is text, and nothing else ──


def _blocks(parsed: Parsed) -> Counter[str]:
    return Counter(tag for tag, _ in parsed.elements if tag != "span")


def _rendered(document: Any, *, rules: bool) -> str:
    game = load(document["game"])
    its = load_table_rules if rules else None
    return html.render(Page(document, languages.load("en", game), game=game, find_rules=its), Style())


AGAIN = Counter({"section": 2, "h2": 2, "p": 4, "code": 2, "button": 2})  # in both languages
FIXED = ("game", "kind", "place", "per", "use", "step", "to", "among", "phrase", "options")


@settings(max_examples=4 * EXAMPLE_FACTOR, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=30) | st.sampled_from(HOSTILE) | st.text("<>&\"'/ =!-{}%#\\`", max_size=12))
@example(HOSTILE[0])
@example(HOSTILE[1])
@example(HOSTILE[2])
@example(HOSTILE[3])
@example(HOSTILE[7])
def test_hostile_names_change_no_element(nasty: str) -> None:
    """With a hostile text after every text, a page has no element but those that it has with a harmless one.

    They may come in another order, for costs are sorted; a reason may go without saying; and no command has
    what cannot be seen. One of the tables is shown with its rules, in which nothing of it is put.
    """
    for place, document in enumerate(deal_documents()[:2]):
        harmless = _harmless(place)
        hostile = Parsed(
            _rendered(append_everywhere(document, nasty + "z", except_keys=FIXED), rules=place == 0)
        )
        assert {*hostile.shape} <= {*harmless.shape}
        assert _blocks(harmless) - _blocks(hostile) in (Counter(), AGAIN)
        assert _blocks(hostile) <= _blocks(harmless)
        assert hostile.inside["script"] == harmless.inside["script"]


@cache
def _harmless(place: int) -> Parsed:
    return Parsed(
        _rendered(append_everywhere(deal_documents()[place], "z", except_keys=FIXED), rules=place == 0)
    )


def test_hostile_names_are_shown_as_text() -> None:
    for nasty in HOSTILE:
        document = deal_documents()[0]
        said = Parsed(_rendered(append_everywhere(document, nasty, except_keys=FIXED), rules=False)).text(
            "en"
        )
        for pile in document["piles"]:
            assert " ".join((pile["name"] + nasty).split()) in said
