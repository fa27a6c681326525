"""The fixtures: a cache of the session's own, the game, its languages, and a deal in one call."""

import os

import pytest
from hypothesis import settings

from randomizer.cards.game import Game
from randomizer.load import games
from randomizer.load.languages import load_all
from randomizer.text.language import Language
from tests.support import FOLDERS, Deals

# The first example of a test that runs alone fills the cache, and takes seconds.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's real cache, configuration, last table or history is read or written."""
    for folder in FOLDERS:
        os.environ[folder] = str(tmp_path_factory.mktemp(folder.lower()))
    for name in (
        "DOMINION_SETUP_LANG",
        "DOMINION_SETUP_PROFILE",
        "LC_ALL",
        "LC_MESSAGES",
        "LANG",
        "COLUMNS",
        "NO_COLOR",
        "FORCE_COLOR",
    ):
        os.environ.pop(name, None)


@pytest.fixture(scope="session")
def game(own_cache: None) -> Game:
    return games.load()


@pytest.fixture(scope="session")
def languages(game: Game) -> list[Language]:
    return load_all(game)


@pytest.fixture(scope="session")
def deal(game: Game, languages: list[Language]) -> Deals:
    return Deals(game, languages)
