"""Golden cases: every file of tests/cases is commands and what they print. A new case is a new file.

A file holds one or more commands, each a line that begins with `$ `, followed by what it prints. The
line `# exit N` before the output names an exit status other than 0; then it is stderr that follows.
After a change that is meant, `python -m tests.cli.test_cases` writes the files anew: read the difference.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import HERE, run

CASES = sorted((HERE / "cases").glob("*.txt"))


def commands(text: str) -> Iterator[str]:
    """The commands of a case."""
    return (line[2:] for line in text.splitlines() if line.startswith("$ "))


def played(text: str) -> str:
    """The case as it comes out now: pipes and saved files are played too."""
    parts = []
    for command in commands(text):
        output = ""
        for step in command.split(" | "):
            result = run(*shlex.split(step)[1:], input=output or None)
            output = result.stdout
        status = f"# exit {result.exit_code}\n" if result.exit_code else ""
        parts.append(f"$ {command}\n{status}{result.stderr if status else output}")
    return "\n".join(parts)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "cases")
    text = path.read_text(encoding="utf-8")
    assert played(text) == text


def test_there_are_cases() -> None:
    assert len(CASES) >= 10


if __name__ == "__main__":
    import os

    os.chdir(HERE / "cases")
    for case in CASES:
        case.write_text(played(case.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
