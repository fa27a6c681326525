"""Fixtures for all tests: temporary folders, a shared cache, the game, its languages, and deals."""

import functools
import gc
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import pytest
import yaml
from hypothesis import HealthCheck, settings

from randomizer.cards.game import Game
from randomizer.load import cache, games, yaml_reader
from randomizer.load.languages import load_for_page
from randomizer.rules import lookup
from randomizer.text.language import Language
from tests.support import BROWSER_TEST_COMMAND, XDG_VARIABLES, Deals

# The first example of a test may fill the cache, which takes seconds, and the machine may be busy.
settings.register_profile("no deadline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no deadline")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests, and imports, away from the user's cache, configuration, last setup and history."""
    own = TemporaryDirectory(prefix="dominion-tests-")
    config.add_cleanup(own.cleanup)
    shared = hasattr(config, "workerinput")  # Workers share the cache of the process that started them.
    for folder in XDG_VARIABLES[1:] if shared else XDG_VARIABLES:
        os.environ[folder] = os.path.join(own.name, folder.lower())
        os.mkdir(os.environ[folder])
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
    if not shared:
        # Programs that tests start would otherwise compile all modules each time, if the environment keeps
        # Python from writing bytecode into the checkout.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(own.name, "pycache")
    gc.set_threshold(100_000)  # The same threshold as in the program.


def pytest_collection_finish() -> None:
    """Exclude everything that has been imported and collected from garbage collection."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def parse_data_once() -> Iterator[None]:
    """Parse the game's own data, and its cache, only once per process."""
    parse = functools.lru_cache(4)(lambda text: load(text, Loader=yaml_reader._Loader))
    load = yaml.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_decode_game", functools.lru_cache(4)(games._decode_game))
        long = 100_000  # characters; the files that tests write are shorter
        patch.setattr(
            yaml,
            "load",
            lambda text, Loader: parse(text) if len(text) > long else load(text, Loader=Loader),
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def index_rules_once() -> Iterator[None]:
    """Let one worker build the index of the rules, which takes seconds, while the others wait for it."""
    open_or_compute, lock_path = cache.open_or_compute, os.environ["XDG_CACHE_HOME"] + ".lock"

    def open_locked(*args: Any, **kwargs: Any) -> BinaryIO:
        with closing(sqlite3.connect(lock_path, timeout=120)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            return open_or_compute(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "open_or_compute", open_locked)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how to run the browser tests if they were skipped."""
    if any("browser" in report.nodeid for report in terminalreporter.getreports("skipped")):
        terminalreporter.write_line(
            f"Skipped are those in a browser: pip install -e '.[test,browser]', then `{BROWSER_TEST_COMMAND}`"
        )


@pytest.fixture(scope="session")
def game() -> Game:
    return games.load()


@pytest.fixture(scope="session")
def languages(game: Game) -> list[Language]:
    return load_for_page("en", game)


@pytest.fixture(scope="session")
def deal(game: Game, languages: list[Language]) -> Deals:
    return Deals(game, languages)


@pytest.fixture
def without_collection() -> Iterator[None]:
    """Turn off garbage collection, so that objects are freed only when they are no longer referenced."""
    gc.disable()
    yield
    gc.enable()
