"""Golden files: each file in tests/cases has commands and their output. A new case is a new file.

A command is a line that starts with `$ `; its output follows. If the exit status is not 0, the line
`# exit N` and stderr follow instead. After an intended change, `python -m tests.cli.test_cases` writes the
files anew: read the difference.
"""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from randomizer.load import games
from randomizer.load.languages import load_all
from tests.support import TESTS_DIR, XDG_VARIABLES, run

CASES = sorted((TESTS_DIR / "cases").glob("*.txt"))


def list_commands(text: str) -> Iterator[str]:
    """Yield the commands of a case."""
    return (line[2:] for line in text.splitlines() if line.startswith("$ "))


def run_case(text: str) -> str:
    """Return the case with the current output of its commands. A command may be a pipe.

    Each case has a history and recent tables of its own.
    """
    parts = []
    with TemporaryDirectory() as own:
        env = {folder: os.path.join(own, folder) for folder in XDG_VARIABLES[1:]}
        for command in list_commands(text):
            output = ""
            for step in command.split(" | "):
                result = run(*shlex.split(step)[1:], input=output or None, env=env)
                output = result.stdout
            status = f"# exit {result.exit_code}\n" if result.exit_code else ""
            parts.append(f"$ {command}\n{status}{result.stderr if status else output}")
    return "\n".join(parts)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_commands_print_the_output_of_the_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS_DIR / "cases")
    text = path.read_text(encoding="utf-8")
    assert run_case(text) == text


def test_cases_are_found() -> None:
    assert len(CASES) >= 10


if __name__ == "__main__":
    list(load_all(games.load()))  # Stop before anything is written if a data file has faults.
    os.chdir(TESTS_DIR / "cases")
    for case in CASES:
        case.write_text(run_case(case.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
