"""The folders of the session, with a cache for all its workers; the game, its languages; a deal in a call."""

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
from randomizer.load.languages import load_all
from randomizer.rules import lookup
from randomizer.text.language import Language
from tests.support import BROWSER_TESTS, FOLDERS, Deals

# The first example of a test that runs alone fills the cache, and takes seconds; any may on a busy machine.
settings.register_profile("no deadline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no deadline")


def pytest_configure(config: pytest.Config) -> None:
    """Nobody's real cache, configuration, last table or history is read or written, not even by imports."""
    own = TemporaryDirectory(prefix="dominion-tests-")
    config.add_cleanup(own.cleanup)
    shared = hasattr(config, "workerinput")  # by the workers, as the process that started them has set it
    for folder in FOLDERS[1:] if shared else FOLDERS:
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
    """What has been imported and collected stays, and need not be looked through for what could go."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def parsed_once() -> Iterator[None]:
    """The data of the game itself are parsed once, however many tests add a file of their own to them.

    So is what the cache has of a game, however many commands read it.
    """
    parse = functools.lru_cache(4)(lambda text: load(text, Loader=yaml_reader._Loader))
    load = yaml.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_decode_game", functools.lru_cache(4)(games._decode_game))
        long = 100_000  # letters, which no test's own file has
        patch.setattr(
            yaml,
            "load",
            lambda text, Loader: parse(text) if len(text) > long else load(text, Loader=Loader),
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def indexed_once() -> Iterator[None]:
    """The index of the rules, which takes seconds, is made by one worker; another waits for it."""
    opened, place = cache.open_or_compute, os.environ["XDG_CACHE_HOME"] + ".lock"

    def opened_by_one(*args: Any, **kwargs: Any) -> BinaryIO:
        with closing(sqlite3.connect(place, timeout=120)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            return opened(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "open_or_compute", opened_by_one)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Whoever sees that tests were skipped reads here how to run them."""
    if any("browser" in report.nodeid for report in terminalreporter.getreports("skipped")):
        terminalreporter.write_line(
            f"Skipped are those in a browser: pip install -e '.[test,browser]', then `{BROWSER_TESTS}`"
        )


@pytest.fixture(scope="session")
def game() -> Game:
    return games.load()


@pytest.fixture(scope="session")
def languages(game: Game) -> list[Language]:
    return load_all(game)


@pytest.fixture(scope="session")
def deal(game: Game, languages: list[Language]) -> Deals:
    return Deals(game, languages)


@pytest.fixture
def without_collection() -> Iterator[None]:
    """Whatever goes, goes because nobody has it any more, and not because it was looked for."""
    gc.disable()
    yield
    gc.enable()
