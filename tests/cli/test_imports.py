"""Start-up: commands import only the modules that they need, and with a warm cache no YAML."""

import os
import subprocess
import sys

import pytest

from tests.support import TESTS_DIR, XDG_VARIABLES

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


def list_imports(*args: str) -> set[str]:
    """Return the names of the modules that a command imports with a warm cache."""
    env = {key: os.environ[key] for key in ("PATH", "HOME", *XDG_VARIABLES)}
    command = [sys.executable, "-X", "importtime", "-m", "randomizer", *args]
    for _ in range(2):
        done = subprocess.run(
            command, env=env, cwd=TESTS_DIR.parent, capture_output=True, text=True, check=True
        )
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
                "randomizer.setup.replay",
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
def test_command_does_not_import_unneeded_modules(args: list[str], absent: set[str]) -> None:
    assert list_imports(*args) & (SLOW | absent) == set()


def test_list_imports_tabulate() -> None:
    assert "tabulate" in list_imports("sets")
