"""`--fresh N`: no card of the latest N games, and a printed command that needs no history."""

import json
import shlex
from typing import Any

import pytest

from randomizer.memory import played_games
from randomizer.memory.played_game import build_played_game
from tests.support import run

SETS = ("--sets", "base,adventures,cornucopia-guilds,menagerie")


def deal(*args: str) -> Any:
    result = run(*SETS, *args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def get_cards(setup: Any) -> set[str]:
    """Return the cards that a played game of this setup has."""
    return set(build_played_game(setup).cards)


@pytest.fixture
def recent_cards() -> list[set[str]]:
    """The cards of three games in the history, latest game first."""
    setups = [deal("--seed", f"f{number}") for number in range(3)]
    for number, setup in enumerate(setups):
        played_games.add([build_played_game(setup, date=f"2026-11-0{number + 1}")])
    return [get_cards(setup) for setup in setups[::-1]]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_no_card_of_the_latest_games_is_dealt(recent_cards: list[set[str]], number: int) -> None:
    stale = set().union(*recent_cards[:number])
    lines = run(*SETS, "--fresh", str(number), "--count", "40", "--seed", "x", "--json").stdout.splitlines()
    tables = [get_cards(json.loads(line)) for line in lines]
    assert [table & stale for table in tables] == [set()] * 40
    if number < 3:
        assert set().union(*tables) & (
            recent_cards[number] - stale
        )  # Cards of the game before them may be dealt.


def test_printed_command_deals_the_same_table_without_history(recent_cards: list[set[str]]) -> None:
    setup = deal("--fresh", "2")
    assert "fresh" not in setup["options"] and "--fresh" not in setup["command"]
    assert len(setup["options"]["without"]) == len(recent_cards[0] | recent_cards[1])
    played_games.forget([1, 2, 3])
    again = run(*shlex.split(setup["command"])[1:], "--json")
    assert json.loads(again.stdout) == setup


def test_cards_of_other_boxes_are_not_named_as_excluded(recent_cards: list[set[str]]) -> None:
    setup = json.loads(run("--sets", "seaside", "--fresh", "3", "--json").stdout)
    assert "without" not in setup["options"]


def test_fresh_can_be_combined_with_wishes(recent_cards: list[set[str]]) -> None:
    setup = deal("--fresh", "3", "--without", "attack", "--want", "village", "--with", "moat")
    assert "attack" in setup["options"]["without"] and "Moat" in get_cards(setup)
    assert not get_cards(setup) & set().union(*recent_cards)


def test_too_few_cards_left_is_an_error_that_names_the_option(recent_cards: list[set[str]]) -> None:
    lines = run("--sets", "base", "--count", "9", "--json").stdout.splitlines()
    played_games.add([build_played_game(json.loads(line)) for line in lines])
    result = run("--sets", "base", "--fresh", "9")
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert "10 are needed" in first
    assert second.startswith("--fresh 9 excludes ") and second.endswith(" cards of these boxes.")


def test_empty_history_excludes_nothing() -> None:
    assert "without" not in deal("--fresh", "3")["options"]


def test_odds_exclude_the_latest_games(recent_cards: list[set[str]]) -> None:
    name = sorted(recent_cards[0])[0]
    assert run("odds", *SETS, "--fresh", "1", name).exit_code in (0, 2)
    odds = json.loads(run("odds", *SETS, "--fresh", "1", "--json").stdout)
    assert odds != json.loads(run("odds", *SETS, "--json").stdout)
