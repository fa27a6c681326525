"""The fixtures: a cache of the session's own, the game, its languages, and a deal in one call."""

import functools
import os
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import HealthCheck, settings

from randomizer.cards.game import Game
from randomizer.load import games, yaml_reader
from randomizer.load.languages import load_all
from randomizer.text.language import Language
from tests.support import BROWSER_TESTS, FOLDERS, Deals

# The first example of a test that runs alone fills the cache, and takes seconds; any may on a busy machine.
settings.register_profile("no deadline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


@pytest.fixture(scope="session", autouse=True)
def parsed_once() -> Iterator[None]:
    """The data of the game itself are parsed once, however many tests add a file of their own to them."""
    parse = functools.lru_cache(4)(lambda text: load(text, Loader=yaml_reader._Loader))
    load = yaml.load
    with pytest.MonkeyPatch.context() as patch:
        long = 100_000  # letters, which no test's own file has
        patch.setattr(
            yaml,
            "load",
            lambda text, Loader: parse(text) if len(text) > long else load(text, Loader=Loader),
        )
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Whoever sees that tests were skipped reads here how to run them."""
    if any("browser" in report.nodeid for report in terminalreporter.getreports("skipped")):
        terminalreporter.write_line(
            f"Skipped are those in a browser: pip install -e '.[test,browser]', then `{BROWSER_TESTS}`"
        )


@pytest.fixture(scope="session")
def game(own_cache: None) -> Game:
    return games.load()


@pytest.fixture(scope="session")
def languages(game: Game) -> list[Language]:
    return load_all(game)


@pytest.fixture(scope="session")
def deal(game: Game, languages: list[Language]) -> Deals:
    return Deals(game, languages)
