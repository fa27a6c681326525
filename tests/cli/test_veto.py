"""The command `veto`, which lays out the last setup of `--veto`."""

import json

import pytest

from tests.support import run


def deal_open_table(*options: str) -> list[str]:
    """Deal a table whose veto is open, and return the ids of its cards."""
    return list(json.loads(run("--veto", "2", "--seed", "1", "--json", *options).stdout)["kingdom"])


def test_last_setup_is_laid_out_once() -> None:
    cards = deal_open_table("--sets", "base")
    laid = run("veto", f"{cards[0]},{cards[1]}", "--json")
    assert laid.exit_code == 0 and "using the last setup" in laid.stderr
    assert json.loads(laid.stdout)["kingdom"] == cards[2:]
    assert json.loads(run("show", "--json").stdout) == json.loads(laid.stdout)
    again = run("veto", cards[2])
    assert again.exit_code == 2
    assert again.stderr.splitlines()[1:] == [
        "Error: this setup is not waiting for vetoes; deal one with --veto N."
    ]


def test_cards_are_named_as_everywhere_else() -> None:
    """In any language, by a member of a mixed pile, or not at all."""
    cards = deal_open_table("--sets", "dark-ages", "--with", "knights")
    assert json.loads(run("veto", "Dame Anna", "--json").stdout)["options"]["vetoed"] == ["Knights"]
    deal_open_table("--sets", "dark-ages", "--with", "knights")
    assert json.loads(run("veto", "騎士", "--json").stdout)["options"]["vetoed"] == ["Knights"]
    deal_open_table("--sets", "dark-ages", "--with", "knights")
    laid = json.loads(run("veto", "Nothing", "--json").stdout)
    assert laid["vetoes"] == {"max_count": 2, "vetoed": []} and laid["kingdom"] == cards[:10]


def test_names_of_several_words_need_no_quotes() -> None:
    deal_open_table("--sets", "base", "--with", "throne-room,moat")
    for words in (
        ["Throne", "Room,", "Moat"],
        ["Throne", "Room", "Moat"],
        ["moat,throne-room"],
        ["堀、玉座の間"],
    ):
        laid = json.loads(run("veto", "--for", "1", *words, "--json", "--no-keep").stdout)
        assert {*laid["options"]["vetoed"]} == {"Throne Room", "Moat"}, words


@pytest.mark.parametrize(
    ("format", "lang", "hint"),
    [
        ("text", "en", "Next, type `dominion-setup veto CARD, CARD`, or `dominion-setup veto nothing`."),
        ("text", "ja", "次に `dominion-setup veto カード, カード` と入力する"),
        ("markdown", "en", "- Next, type \\`dominion-setup veto CARD, CARD\\`"),
        ("html", "en", "dominion-setup veto CARD, CARD"),
    ],
)
def test_open_table_says_what_to_type_next(format: str, lang: str, hint: str) -> None:
    deal_open_table("--sets", "base")
    assert hint in run("show", "--format", format, "--lang", lang).stdout
    run("veto", "nothing")
    assert "dominion-setup veto" not in run("show", "--format", format, "--lang", lang).stdout


def test_no_card_is_no_veto() -> None:
    deal_open_table("--sets", "base")
    for words in ([","], ["", " "]):
        result = run("veto", *words)
        assert result.exit_code == 2 and "name at least one card." in result.stderr
    assert run("veto").exit_code == 2


def test_open_table_is_not_swapped_and_keeps_its_order() -> None:
    cards = deal_open_table("--sets", "base")
    result = run("swap", cards[0])
    assert result.exit_code == 2 and "cards can be swapped only after the veto." in result.stderr
    names = [card.strip() for card in run("show", "--format", "names").stdout.split(",")]
    assert [name.casefold().replace(" ", "-") for name in names] == cards
    line = run("show", "--format", "line", "--sort", "name").stdout.strip().split(" · ")[1]
    assert line.split(", ") == names


def test_many_tables_have_open_vetoes() -> None:
    lines = run("--sets", "base,intrigue", "--veto", "2", "--count", "2", "--apart", "--seed", "m").stdout
    kingdoms = [line.split(" · ")[1].split(", ") for line in lines.splitlines()]
    assert [len(kingdom) for kingdom in kingdoms] == [12, 12] and len({*kingdoms[0], *kingdoms[1]}) == 24
    alone = run("--sets", "base,intrigue", "--veto", "2", "--seed", "m-1", "--format", "line").stdout
    assert alone.strip() == lines.splitlines()[0]
