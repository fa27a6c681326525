"""The number of cards in a pile: that of the card, or else the first matching size, own files first."""

from pathlib import Path

import pytest

from randomizer.cards.game import Game
from tests.support.tea import GAME_TEMPLATE, read_game_texts

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


def get_counts(game: Game, *names: str, players: int = 2) -> list[int]:
    return [game.cards[name].count_.for_players(players) for name in names]


@pytest.fixture
def text() -> str:
    return GAME_TEMPLATE % "[]" + CARDS + SIZES


def test_first_matching_size_applies(tmp_path: Path, text: str) -> None:
    game = read_game_texts(tmp_path, text)
    assert get_counts(game, "Salt", "Sugar Bowl", "Scone") == [8, 9, 4]
    assert get_counts(game, "Salt", players=3) == [12]


def test_count_of_a_card_overrides_sizes(tmp_path: Path, text: str) -> None:
    assert get_counts(read_game_texts(tmp_path, text), "Crumbs", "Cake", "Bread") == [7, 10, 30]


def test_pile_without_a_size_has_one_card(tmp_path: Path) -> None:
    assert get_counts(read_game_texts(tmp_path, GAME_TEMPLATE % "[]" + CARDS), "Scone", "Salt") == [1, 1]


def test_sizes_of_an_own_file_override_those_of_the_game(tmp_path: Path, text: str) -> None:
    own = "sizes: [{is: {kind: rest, type: Sweet}, count: 20}, {is: {kind: dish}, count: 30}]"
    game = read_game_texts(tmp_path, text, own)
    assert get_counts(game, "Salt", "Sugar Bowl", "Scone", "Rusk") == [8, 20, 30, 8]


def test_sizes_of_the_last_own_file_come_first(tmp_path: Path, text: str) -> None:
    game = read_game_texts(tmp_path, text, "sizes: [{is: {kind: dish}, count: 30}]", "sizes: [{count: 40}]")
    assert get_counts(game, "Scone", "Salt", "Cake") == [40, 40, 10]


def test_mixed_pile_has_the_sum_of_its_members(tmp_path: Path, text: str) -> None:
    game = read_game_texts(tmp_path, text)
    assert [get_counts(game, "Tray", players=players) for players in (1, 2, 3, 4)] == [[7], [7], [8], [8]]
    assert get_counts(game, "Egg", "Ham", players=3) == [3, 6]
    assert game.cards["Tray"].count_.steps == ((1, 7), (3, 8))
