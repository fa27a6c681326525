"""What a command loads: a warm start reads no YAML, and each command only what it needs."""

import os
import subprocess
import sys

import pytest

from tests.support import FOLDERS, HERE

SLOW = {
    "yaml",
    "orjson",
    "tabulate",
    "wcwidth",
    "difflib",
    "dataclasses",
    "tomllib",
    "shutil",
    "tempfile",
    "subprocess",
}
DEAL = ["--sets", "base,adventures", "--seed", "k7f3"]


def loaded(*args: str) -> set[str]:
    """The modules that a command loads, when everything is in the cache."""
    env = {key: os.environ[key] for key in ("PATH", "HOME", *FOLDERS)}
    command = [sys.executable, "-X", "importtime", "-m", "randomizer", *args]
    for _ in range(2):
        done = subprocess.run(command, env=env, cwd=HERE.parent, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


@pytest.mark.parametrize(
    ("args", "absent"),
    [
        (
            [*DEAL, "--json"],
            {
                "randomizer.show.text",
                "randomizer.show.line",
                "randomizer.rules.index",
                "randomizer.setup.dealt",
            },
        ),
        (DEAL, {"randomizer.show.json", "randomizer.rules.index"}),
        ([*DEAL, "--count", "2"], {"randomizer.show.text"}),
        (
            ["rules", "reserve"],
            {"randomizer.cards.game", "randomizer.deal.dealer", "randomizer.record.build"},
        ),
        (["--version"], {"randomizer.deal.dealer", "randomizer.record.build"}),
        (["odds", "--sets", "base"], {"randomizer.show.page"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_no_more_than_it_needs(args: list[str], absent: set[str]) -> None:
    assert loaded(*args) & (SLOW | absent) == set()


def test_a_list_loads_what_makes_tables() -> None:
    assert "tabulate" in loaded("sets")
