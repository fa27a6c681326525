"""`--fresh N`: nothing that was in the last games played, and a command that needs no history."""

import json
import shlex
from typing import Any

import pytest

from randomizer.memory import played
from randomizer.memory.noted import played_game
from tests.support import run

SETS = ("--sets", "base,adventures,cornucopia-guilds,menagerie")


def dealt(*args: str) -> Any:
    result = run(*SETS, *args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def cards(setup: Any) -> set[str]:
    """What is in the game, as it would be noted."""
    return set(played_game(setup).cards)


@pytest.fixture
def three() -> list[set[str]]:
    """The cards of three games, the last one first."""
    setups = [dealt("--seed", f"f{number}") for number in range(3)]
    for number, setup in enumerate(setups):
        played.add([played_game(setup, date=f"2026-11-0{number + 1}")])
    return [cards(setup) for setup in setups[::-1]]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_nothing_of_the_last_games_comes_again(three: list[set[str]], number: int) -> None:
    stale = set().union(*three[:number])
    lines = run(*SETS, "--fresh", str(number), "--count", "40", "--seed", "x", "--json").stdout.splitlines()
    tables = [cards(json.loads(line)) for line in lines]
    assert [table & stale for table in tables] == [set()] * 40
    if number < 3:
        assert set().union(*tables) & (three[number] - stale)  # the game before them may come again


def test_the_command_needs_no_history(three: list[set[str]]) -> None:
    setup = dealt("--fresh", "2")
    assert "fresh" not in setup["options"] and "--fresh" not in setup["command"]
    assert len(setup["options"]["without"]) == len(three[0] | three[1])
    played.forget([1, 2, 3])
    again = run(*shlex.split(setup["command"])[1:], "--json")
    assert json.loads(again.stdout) == setup


def test_of_what_the_boxes_do_not_hold_nothing_is_said(three: list[set[str]]) -> None:
    setup = json.loads(run("--sets", "seaside", "--fresh", "3", "--json").stdout)
    assert "without" not in setup["options"]


def test_with_wishes(three: list[set[str]]) -> None:
    setup = dealt("--fresh", "3", "--without", "attack", "--want", "village", "--with", "moat")
    assert "attack" in setup["options"]["without"] and "Moat" in cards(setup)
    assert not cards(setup) & set().union(*three)


def test_too_few_are_left(three: list[set[str]]) -> None:
    lines = run("--sets", "base", "--count", "9", "--json").stdout.splitlines()
    played.add([played_game(json.loads(line)) for line in lines])
    result = run("--sets", "base", "--fresh", "9")
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert "10 are needed" in first
    assert second.startswith("--fresh 9 leaves out ") and second.endswith(
        " of the cards that these boxes hold."
    )


def test_before_anything_was_played() -> None:
    assert "without" not in dealt("--fresh", "3")["options"]


def test_the_odds_know_it(three: list[set[str]]) -> None:
    name = sorted(three[0])[0]
    assert run("odds", *SETS, "--fresh", "1", name).exit_code in (0, 2)
    told = json.loads(run("odds", *SETS, "--fresh", "1", "--json").stdout)
    assert told != json.loads(run("odds", *SETS, "--json").stdout)
