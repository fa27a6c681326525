"""What the tests and the benchmarks share: facts, a deal in one call, and the command line."""

import csv
import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from randomizer.cards.game import Game, Request
from randomizer.cli import main
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.record.build import build_setup
from randomizer.setup.document import Setup
from randomizer.text.language import Language

TESTS_DIR = Path(__file__).parent.parent
BROWSER_TEST_COMMAND = "python -m pytest tests/browser"
EVERYTHING = ("all-editions",)
EXAMPLE_FACTOR = int(
    os.environ.get("MORE", "1")
)  # times as many examples: `MORE=10 python -m pytest tests/test_safety.py`
XDG_VARIABLES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")  # a user's, on Linux


class Deals:
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

    def language(self, code: str) -> Language:
        return next(language for language in self.languages if language.code == code)

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
        options = Request(tuple(sets or every), players, seed, self.game.validate_settings(settings))
        return options, deal_table(self.game, options, {"randomizers": first, **(stacked or {})})


def run(*args: str, **kwargs: Any) -> Result:
    """The command line with these arguments."""
    return CliRunner().invoke(main, args, prog_name="dominion-setup", **kwargs)


def iter_commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Each command with its name, that of the group above it before it; the deal's is empty."""
    top = main.context_class(main, info_name="dominion-setup")
    top.meta["command"] = None
    yield "", main, top
    for name in main.list_commands(top):
        yield from _iter_subcommands(name, main.get_command(top, name), top)


def _iter_subcommands(name: str, command: click.Command | None, above: click.Context) -> Iterator[Any]:
    assert command
    ctx = command.context_class(command, parent=above, info_name=name)
    yield name, command, ctx
    if isinstance(command, click.Group):
        for part in command.list_commands(ctx):
            yield from _iter_subcommands(f"{name} {part}", command.get_command(ctx, part), ctx)


@functools.cache
def read_facts(name: str) -> list[dict[str, str]]:
    """A table of tests/facts, which is read once: nobody changes it."""
    with open(TESTS_DIR / "facts" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def find_by_name(entries: Any, name: str) -> Any:
    """The entry of that name; a test fails if it is not there."""
    found = [entry for entry in entries if entry["name"] == name]
    assert len(found) == 1, f"{name}: {len(found)} times in {[entry['name'] for entry in entries]}"
    return found[0]


def get_names(entries: Any) -> list[str]:
    return [entry["name"] for entry in entries]
