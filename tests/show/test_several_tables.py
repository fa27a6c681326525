"""Documents of several tables: an overview with links, and a part for each table."""

import json
import re
import shlex
from collections import Counter
from html import unescape

import pytest

from randomizer import deal_setups, load_game, render
from randomizer.text.errors import BadOptions
from tests.support import run

ARGS = ("--sets", "base,menagerie", "--count", "3", "--apart", "--seed", "sheets")


@pytest.fixture(scope="module")
def html() -> str:
    return run(*ARGS, "--format", "html").stdout


class TestHtml:
    """One file with a page for each table, in every language."""

    def test_overview_links_to_every_table(self, html: str) -> None:
        for code in ("en", "ja"):
            links = re.findall(rf'<th scope="row"><a href="#({code}-table-\d)">(\d)</a></th>', html)
            assert links == [(f"{code}-table-{number}", str(number)) for number in (1, 2, 3)]
            assert all(html.count(f'id="{link}"') == 1 for link, _ in links)
        assert [unescape(title) for title in re.findall("<h1>(.*?)</h1>", html)][:4] == [
            "Dominion · 3 tables",
            *(f"Dominion · Table {number} of 3" for number in (1, 2, 3)),
        ]

    def test_every_id_and_tick_is_unique_within_a_language(self, html: str) -> None:
        ids = Counter(re.findall(r' id="([^"]+)"', html))
        assert max(ids.values()) == 1
        english, japanese = html.split('<article id="ja"')
        ticks = re.findall(r'data-tick="([^"]+)"', english)
        assert len(ticks) == len(set(ticks)) > 60 and {tick[0] for tick in ticks} == set("123")
        assert re.findall(r'data-tick="([^"]+)"', japanese) == ticks

    def test_rules_of_all_tables_are_listed_once(self, html: str) -> None:
        rules = re.findall(r'<details id="en-([^"]+)"', html)
        assert len(rules) == len(set(rules)) > 30
        for number in (1, 2, 3):
            alone = run(*ARGS, "--table", str(number), "--format", "html").stdout
            assert {*re.findall(r'<details id="en-([^"]+)"', alone)} <= {*rules}
            assert f"<h1>Dominion · Table {number} of 3</h1>" in alone


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_markdown_overview_links_to_headings(lang: str) -> None:
    text = run(*ARGS, "--format", "markdown", "--lang", lang).stdout
    anchors = re.findall(r"^\| \[\d\]\(#(.+?)\) \|", text, re.MULTILINE)
    headings = re.findall("^# (.+)$", text, re.MULTILINE)
    assert len(anchors) == 3 and anchors == [heading.lower().replace(" ", "-") for heading in headings[1:]]


def test_text_numbers_the_checklists() -> None:
    text = run(*ARGS, "--format", "text").stdout
    titles = [line for line in text.splitlines() if line.startswith("Dominion · ")]
    assert [title.split(" · ")[1] for title in titles] == [f"Table {number} of 3" for number in (1, 2, 3)]
    japanese = run(*ARGS, "--format", "text", "--lang", "ja").stdout
    assert japanese.count("（全3卓）") == 3


@pytest.mark.parametrize("args", [ARGS, ARGS[:4] + ARGS[5:]])
def test_table_alone_is_the_one_of_the_series(args: tuple[str, ...]) -> None:
    """The option --table prints the same checklist, with the same number."""
    parts = run(*args, "--format", "text").stdout.removesuffix("\n").split("\n\n\n")
    for number, part in enumerate(parts, start=1):
        alone = run(*args, "--table", str(number))
        assert (alone.exit_code, alone.stdout) == (0, f"{part}\n")
    command = re.findall("^Deal again: dominion-setup (.*)$", parts[1], re.MULTILINE)[0]
    assert run(*shlex.split(command), "--format", "names").stdout in run(*args, "--format", "names").stdout


def test_table_alone_is_the_last_setup() -> None:
    assert run(*ARGS, "--table", "2", "--keep").exit_code == 0
    shown = json.loads(run("show", "--json").stdout)
    assert shown["options"]["table"] == 2 and shown["seed"] == "sheets-2"
    assert "Table 2 of 3" in run("show").stdout


def test_numbered_checklist_is_read_back() -> None:
    checklist = run(*ARGS, "--table", "2").stdout
    names = run(*ARGS, "--table", "2", "--format", "names").stdout
    again = run("--kingdom", "-", "--format", "names", input=checklist)
    assert again.exit_code == 0 and {*again.stdout.strip().split(", ")} >= {*names.strip().split(", ")[:10]}


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--table", "2"], "--table needs --count, the number of tables."),
        (["--count", "3", "--table", "4"], "--table 4 is not one of the 3 tables."),
        (["--count", "3", "--copies", "base=2"], "--copies needs --apart"),
        (["--count", "3", "--apart", "--copies", "base"], "--copies base: write a box and a number"),
        (["--count", "3", "--apart", "--copies", "base=21"], "a number from 1 to 20, such as base=2."),
        (["--count", "3", "--apart", "--copies", "bsae=2"], "did you mean base?"),
        (["--count", "3", "--apart", "--table", "2", "--with", "witch"], "each card is used only once"),
    ],
)
def test_bad_series_options_are_refused(args: list[str], error: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "") and error in " ".join(result.stderr.split())


def test_python_renders_a_list_of_tables() -> None:
    tables = deal_setups(load_game(), 3, sets=["base", "menagerie"], seed="sheets", apart=True)
    for name in ("text", "line", "names", "online", "html", "markdown", "json"):
        assert f"{render(tables, name)}\n" == run(*ARGS, "--format", name).stdout
    with pytest.raises(BadOptions, match="setup must be a setup, or a list of setups"):
        render([])
