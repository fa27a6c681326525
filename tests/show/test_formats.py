"""The formats of a setup: each prints all of it, and a new one is a room and a line in a list."""

import json
import sys
from collections.abc import Sequence

import click
import pytest

from randomizer.cli import main
from randomizer.load import languages
from randomizer.load.games import load
from randomizer.show.formats import FORMATS, Format
from randomizer.show.page import Page
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import Deals, run

DEALS = [
    ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329"],
    ["--sets", "cornucopia,alchemy", "--seed", "100"],
    ["--sets", "nocturne,promos,dark-ages", "--seed", "5", "--shelters"],
    ["--game", "pergamemnon", "--players", "4", "--seed", "x"],
]


def render(page: Page, style: Style) -> str:
    """A format as somebody would add it: a list, from nothing but the page."""
    return "\n".join(line.name for section in page.sections for line in section.lines)


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal[1])
@pytest.mark.parametrize("code", ["en", "ja"])
def test_page_has_everything_in_the_checklist(
    deal: Sequence[str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a format needs nothing else: one made here is offered, and has every name."""
    monkeypatch.setitem(FORMATS, "list", Format(__name__))
    setup = json.loads(run(*deal, "--json").stdout)
    text = run(*deal, "--lang", code, env={"COLUMNS": "1000"}).stdout
    page = Page(setup, _language(code, setup), game=load(setup["game"]))
    own = FORMATS["list"].render(page, Style(80)).splitlines()
    assert len(own) == text.count("[ ]")
    assert [name for name in own if name not in text] == []


def _language(code: str, setup: dict[str, object]) -> Language:
    return languages.load(code, load(str(setup["game"])))


class TestOption:
    def test_option_offers_every_format(self) -> None:
        (option,) = [parameter for parameter in main.params if parameter.name == "format"]
        assert isinstance(option.type, click.Choice)
        assert list(option.type.choices) == list(FORMATS)

    def test_json_option_is_short_for_the_format(self) -> None:
        args = ["--sets", "base,adventures", "--seed", "1"]
        assert run(*args, "--format", "json").stdout == run(*args, "--json").stdout
        assert run(*args, "--format", "text").stdout == run(*args).stdout

    @pytest.mark.parametrize("name", FORMATS)
    def test_saved_document_is_shown_in_every_format(self, name: str) -> None:
        args = ["--sets", "base,adventures", "--seed", "1"]
        setup = run(*args, "--format", "json").stdout
        assert run("show", "-", "--format", name, input=setup).stdout == run(*args, "--format", name).stdout

    @pytest.mark.parametrize("name", [name for name in FORMATS if not FORMATS[name].document_function_name])
    def test_many_tables_are_printed_one_after_another(self, name: str) -> None:
        chosen = FORMATS[name].series_format or name
        many = run("--sets", "base", "--seed", "x", "--count", "3", "--format", name)
        parts = many.stdout.removesuffix("\n").split(FORMATS[chosen].series_gap)
        for number, part in enumerate(parts, start=1):
            one = run("--sets", "base", "--seed", f"x-{number}", "--format", chosen).stdout.rstrip("\n")
            assert part.replace(f" · Table {number} of 3", "") == one
        assert len(parts) == 3

    def test_many_tables_without_a_format_have_one_line_each(self) -> None:
        args = ["--sets", "base", "--seed", "x", "--count", "3"]
        assert run(*args).stdout == run(*args, "--format", "line").stdout

    def test_json_has_one_line_for_each_of_many_tables(self) -> None:
        args = ["--sets", "base", "--seed", "x", "--count", "3"]
        assert run(*args, "--json").stdout == run(*args, "--format", "ndjson").stdout

    def test_two_formats_are_refused(self) -> None:
        assert run("--json", "--format", "line").exit_code == 2
        assert run("--json", "--format", "json").exit_code == 0


def test_format_module_is_imported_on_demand(deal: Deals) -> None:
    """So that JSON starts without what only the text needs."""
    sys.modules.pop("randomizer.show.text", None)
    FORMATS["json"].render(Page(deal.setup(), deal.languages[0]), Style(80))
    assert "randomizer.show.text" not in sys.modules
