"""What the tests share: the game, its languages, and a deal in one call."""

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from randomizer.cards.game import Game, Request
from randomizer.cli import main
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.load import games as database
from randomizer.load import languages as language
from randomizer.setup.build import build_setup
from randomizer.setup.document import Setup
from randomizer.text.language import Language

HERE = Path(__file__).parent
EVERYTHING = ("all-editions",)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's real cache or configuration is read or written."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    for name in (
        "DOMINION_SETUP_LANG",
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
    return database.load()


@pytest.fixture(scope="session")
def languages(game: Game) -> list[Language]:
    return [language.load(code, game) for code in language.codes()]


class Dealer:
    """Deals tables; `stacked` cards come up first."""

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.game = game
        self.languages = languages

    def table(
        self,
        *first: str,
        players: int = 2,
        sets: Sequence[str] | None = None,
        seed: str = "test",
        stacked: Mapping[str, Sequence[str]] | None = None,
        **settings: Any,
    ) -> Table:
        return self._deal(first, players, sets, seed, stacked, settings)[1]

    def setup(
        self,
        *first: str,
        players: int = 2,
        sets: Sequence[str] | None = None,
        seed: str = "test",
        stacked: Mapping[str, Sequence[str]] | None = None,
        **settings: Any,
    ) -> Setup:
        options, table = self._deal(first, players, sets, seed, stacked, settings)
        return build_setup(self.game, options, table, self.languages)

    def _deal(
        self,
        first: Sequence[str],
        players: int,
        sets: Sequence[str] | None,
        seed: str,
        stacked: Mapping[str, Sequence[str]] | None,
        settings: Mapping[str, Any],
    ) -> tuple[Request, Table]:
        every = [slug for slug, box in self.game.boxes.items() if box.holds and not box.announced]
        options = Request(tuple(sets or every), players, seed, self.game.checked(settings))
        return options, deal_table(self.game, options, {"randomizers": first, **(stacked or {})})


@pytest.fixture(scope="session")
def deal(game: Game, languages: list[Language]) -> Dealer:
    return Dealer(game, languages)


def run(*args: str, **kwargs: Any) -> Result:
    """The command line with these arguments."""
    return CliRunner().invoke(main, args, prog_name="dominion-setup", **kwargs)


def facts(name: str) -> list[dict[str, str]]:
    """A table of tests/facts."""
    with open(HERE / "facts" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def named(entries: Any, name: str) -> Any:
    """The entry of that name; a test fails if it is not there."""
    found = [entry for entry in entries if entry["name"] == name]
    assert len(found) == 1, f"{name}: {len(found)} times in {[entry['name'] for entry in entries]}"
    return found[0]


def names(entries: Any) -> list[str]:
    return [entry["name"] for entry in entries]
