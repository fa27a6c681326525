"""Helpers for the tests and the benchmarks: reference tables, deals, and the command line."""

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
# Multiplies the number of random examples: `MORE=10 python -m pytest tests/test_safety.py`.
EXAMPLE_FACTOR = int(os.environ.get("MORE", "1"))
# The environment variables that name a user's folders on Linux.
XDG_VARIABLES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")


class Deals:
    """Deals of one game.

    The positional arguments of its methods are the cards that are turned up first. `stacked` has the cards
    that are drawn first for other choices, by the name of the choice. `sets` has the slugs of the boxes; by
    default, all published boxes are used. All other keyword arguments are settings of the request.
    """

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
        """Deal a table."""
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
        """Deal a table and return its setup document."""
        request, table = self._deal(first, players, sets, seed, stacked, settings)
        return build_setup(self.game, request, table, self.languages)

    def language(self, code: str) -> Language:
        """Return the language with a code such as `ja`."""
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
        published = [slug for slug, box in self.game.boxes.items() if box.holds and not box.announced]
        request = Request(tuple(sets or published), players, seed, self.game.validate_settings(settings))
        return request, deal_table(self.game, request, {"randomizers": first, **(stacked or {})})


def run(*args: str, **kwargs: Any) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(main, args, prog_name="dominion-setup", **kwargs)


def iter_commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield the full name, such as `history show`, the command and the context of every command.

    The name of the deal is empty.
    """
    top = main.context_class(main, info_name="dominion-setup")
    top.meta["command"] = None
    yield "", main, top
    for name in main.list_commands(top):
        yield from _iter_subcommands(name, main.get_command(top, name), top)


def _iter_subcommands(
    name: str, command: click.Command | None, parent: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    assert command
    ctx = command.context_class(command, parent=parent, info_name=name)
    yield name, command, ctx
    if isinstance(command, click.Group):
        for subname in command.list_commands(ctx):
            yield from _iter_subcommands(f"{name} {subname}", command.get_command(ctx, subname), ctx)


@functools.cache
def read_facts(name: str) -> list[dict[str, str]]:
    """Return the rows of a table in tests/facts. They are shared, so callers must not modify them."""
    with open(TESTS_DIR / "facts" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def find_by_name(entries: Any, name: str) -> Any:
    """Return the only entry of a document's list that has this name, and fail if there is not exactly one."""
    found = [entry for entry in entries if entry["name"] == name]
    assert len(found) == 1, f"{name}: {len(found)} times in {[entry['name'] for entry in entries]}"
    return found[0]


def get_names(entries: Any) -> list[str]:
    """Return the names of the entries of a document's list."""
    return [entry["name"] for entry in entries]
