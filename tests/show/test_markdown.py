"""Markdown: all that the checklist says, as task lists; and nothing in a document is taken for markup."""

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from randomizer.load import languages
from randomizer.load.games import load
from randomizer.show.markdown import escape_inline, escape_line, render
from randomizer.show.page import Page
from randomizer.text.encoding import escape_control_characters
from randomizer.text.screen import Style
from tests.show.test_html import DEALS, FIXED, HOSTILE, words
from tests.support import run
from tests.support.fuzz import deal_documents
from tests.support.nasty import append_everywhere

SIGNS = [
    *["*a*", "_a_", "`a`", "a|b", "<b>", "[a](b)", "![a](b)", "~~a~~", "&lt;", "$a$", "a\\", "\\", "=="],
    *["---", "***", "http://a.b", "www.a.b"],
    *["# a", "# #", "- a", "+ a", "1. a", "12) a", "> a", "    a", "| - |", "[ ]"],
]


def parsed(text: str) -> str:
    """What a reader sees of the text as GitHub shows it, as HTML."""
    html: str = MarkdownIt("gfm-like", {"linkify": False}).render(text)
    return html


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal[1])
@pytest.mark.parametrize("code", ["en", "ja"])
def test_markdown_has_everything_in_the_checklist(deal: list[str], code: str) -> None:
    setup = json.loads(run(*deal, "--json").stdout)
    page = Page(setup, languages.load(code, load(setup["game"])))
    text = run(*deal, "--lang", code, env={"COLUMNS": "1000"}).stdout
    shown = run(*deal, "--lang", code, "--format", "markdown").stdout
    plain = re.sub(r"[*|×]|\\(?=[^\w\s])", " ", shown)
    bars = {"#" * number for number in range(20)}
    assert words(text) - words(plain) - {*page.column_titles} - words(page.repeat_hint) - bars == set()
    assert f"```sh\n{page.command}\n```\n" in shown
    tasks = re.findall(r"^- \[ \] (?:\d+ × )?\*\*(.+?)\*\*", shown, re.MULTILINE)
    assert tasks == [escape_inline(line.name) for section in page.sections for line in section.lines]


def test_sample_is_rendered_as_expected() -> None:
    shown = run(*DEALS[0], "--about", "--format", "markdown").stdout
    assert shown.startswith(
        "# Dominion\n\nBase 2E, Adventures · 3 players · seed k7f3\n\n## Kingdom\n\n- [ ] 10 × **"
    )
    assert "\n- [ ] 10 × **Cellar** · $2 · Action · Base 2E\n" in shown
    assert "\n- [ ] 1 × **+1 Action token** · for Lost Arts; Peasant → Teacher\n" in shown
    assert "\n| cost | piles |\n| --- | ---: |\n| $2 | 3 |\n" in shown
    html = parsed(shown)
    assert html.count("<h1>") == 1 and html.count("<table>") == 1 and html.count("<pre>") == 1
    assert html.count("<li>[ ] ") == shown.count("- [ ] ")


TEXT = st.text(max_size=20) | st.text("*_`|<>[]()#+-.!~&;$1 a\\=:/w", max_size=12)


def shown_as_text(escape: Any, text: str, before: str, after: str) -> None:
    seen = escape_control_characters(text).strip().replace("\N{NO-BREAK SPACE}", " ").strip()
    plain = seen.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    shown = parsed(f"{before}{escape(escape_control_characters(text))}{after}")
    assert shown == parsed(f"{before}xyz{after}").replace("xyz", plain)


@given(TEXT)
@pytest.mark.parametrize("before", ["", "- ", "  "])
def test_escaped_line_is_shown_unchanged(before: str, text: str) -> None:
    if escape_control_characters(text).strip():
        shown_as_text(escape_line, text, before, "")


@given(TEXT)
@example("*")
@example("a**")
@example("#")
@example("a ##")
@pytest.mark.parametrize("before", ["# ", "- [ ] 10 × **", "- [ ] **a** · ", "| a |\n| --- |\n| "])
def test_escaped_inline_text_is_shown_unchanged(before: str, text: str) -> None:
    after = "**" if before.endswith("× **") else " |" if before.startswith("|") else ""
    if escape_control_characters(text).strip():
        shown_as_text(escape_inline, text, before, after)


@pytest.mark.parametrize("sign", [*SIGNS, *HOSTILE])
def test_markup_in_names_is_escaped(sign: str) -> None:
    for before in ("", "- "):
        shown_as_text(escape_line, sign, before, "")
    shown_as_text(escape_inline, sign, "- [ ] 10 × **", "** · $2")


@pytest.mark.parametrize("nasty", [*HOSTILE, "``````", "a\nb"])
def test_hostile_document_has_no_html(nasty: str) -> None:
    for document in deal_documents():
        game = load(document["game"])
        harmless, hostile = (
            parsed(
                render(
                    Page(
                        append_everywhere(document, text, except_keys=FIXED),
                        languages.load("en", game),
                        game=game,
                    ),
                    Style(),
                )
            )
            for text in ("z", nasty)
        )
        assert {*re.findall(r"<[^>]*>", hostile)} <= {*re.findall(r"<[^>]*>", harmless)}
