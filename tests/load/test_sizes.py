"""How many cards lie in a pile: what its line says, else the first size that fits, a user's first."""

from pathlib import Path

import pytest

from randomizer.cards.game import Game
from tests.support.tea import GAME, read

SIZES = """
sizes:
  - {is: {kind: rest, type: Plain}, count: {1: 8, 3: 12}}
  - {is: {kind: rest}, count: 9}
  - {count: 4}
"""
CARDS = """
  - {name: Salt, set: tea, kind: rest, types: [Plain]}
  - {name: Sugar Bowl, set: tea, kind: rest, types: [Sweet]}
  - {name: Scone, set: tea, kind: dish, types: [Sweet]}
  - {name: Tray, set: tea, kind: dish, types: [Sweet], pile: {Egg: {1: 2, 3: 3}, Ham: 5}}
  - {name: Egg, set: tea, kind: song, types: [Sweet]}
  - {name: Ham, set: tea, kind: song, types: [Sweet], count: 6}
"""


def counts(game: Game, *names: str, players: int = 2) -> list[int]:
    return [game.cards[name].count_.at(players) for name in names]


@pytest.fixture
def text() -> str:
    return GAME % "[]" + CARDS + SIZES


def test_the_first_line_that_fits(tmp_path: Path, text: str) -> None:
    game = read(tmp_path, text)
    assert counts(game, "Salt", "Sugar Bowl", "Scone") == [8, 9, 4]
    assert counts(game, "Salt", players=3) == [12]


def test_what_the_card_says_itself_goes_before(tmp_path: Path, text: str) -> None:
    assert counts(read(tmp_path, text), "Crumbs", "Cake", "Bread") == [7, 10, 30]


def test_one_where_nothing_is_said(tmp_path: Path) -> None:
    assert counts(read(tmp_path, GAME % "[]" + CARDS), "Scone", "Salt") == [1, 1]


def test_a_users_sizes_come_first_and_the_games_hold_for_the_rest(tmp_path: Path, text: str) -> None:
    own = "sizes: [{is: {kind: rest, type: Sweet}, count: 20}, {is: {kind: dish}, count: 30}]"
    game = read(tmp_path, text, own)
    assert counts(game, "Salt", "Sugar Bowl", "Scone", "Rusk") == [8, 20, 30, 8]


def test_of_two_files_of_the_user_the_last_comes_first(tmp_path: Path, text: str) -> None:
    game = read(tmp_path, text, "sizes: [{is: {kind: dish}, count: 30}]", "sizes: [{count: 40}]")
    assert counts(game, "Scone", "Salt", "Cake") == [40, 40, 10]


def test_a_mixed_pile_is_its_members_and_a_member_what_the_pile_says(tmp_path: Path, text: str) -> None:
    game = read(tmp_path, text)
    assert [counts(game, "Tray", players=players) for players in (1, 2, 3, 4)] == [[7], [7], [8], [8]]
    assert counts(game, "Egg", "Ham", players=3) == [3, 6]
    assert game.cards["Tray"].count_.steps == ((1, 7), (3, 8))
