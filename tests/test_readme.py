"""The README is true: its samples come out as printed, its commands run, and nothing is left undocumented.

After a change that is meant, `python -m tests.test_readme` writes the samples anew: read the difference.
"""

import re
import shlex
from pathlib import Path

import click
import pytest

from randomizer.cli import main
from tests.cli.test_cases import played
from tests.support import FOLDERS, HERE, run

README = HERE.parent / "README.md"
SAMPLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text() -> str:
    return README.read_text(encoding="utf-8")


def shown() -> list[str]:
    """The command lines that readers are shown, without their output."""
    return [line for block in SHELL.findall(text()) for line in block.splitlines()]


def test_samples_are_what_is_printed() -> None:
    samples = SAMPLE.findall(text())
    assert len(samples) >= 3
    assert [played(sample) for sample in samples] == samples


def test_six_evenings_are_shown_and_each_is_what_it_says() -> None:
    told = text().partition("## Six evenings\n")[2].partition("\n## ")[0]
    evenings = [sample.splitlines() for sample in SAMPLE.findall(told)]
    assert len(evenings) == 6
    assert all("Error" not in line for lines in evenings for line in lines)
    (before, after) = (
        set(re.split(", | · ", line)) for line in evenings[2] if not line.startswith(("$", "#")) and line
    )
    assert len(before - after) == len(after - before) == 1
    tables = [line for line in evenings[5] if not line.startswith("$")]
    cards = [card for line in tables for card in line.split(" · ")[1].split(", ")]
    assert len(tables) == 8 and len(cards) == len({*cards}) == 80


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in FOLDERS[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    commands = [line for line in shown() if line.startswith("dominion-setup ")]
    assert len(commands) >= 10
    for command in commands:
        words, _, file = command.partition(" | ")[0].partition(" > ")
        result = run(*shlex.split(words)[1:])
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        if file:
            Path(file).write_text(result.stdout, encoding="utf-8")


def test_every_command_and_option_is_there() -> None:
    said = text()
    with click.Context(main, info_name="dominion-setup") as ctx:
        commands = {name: main.get_command(ctx, name) for name in main.list_commands(ctx)}
        parameters = list(main.get_params(ctx))
    for name, command in commands.items():
        assert command is not None
        assert f"dominion-setup {name}" in said
        parameters += command.params
    options = {flag for each in parameters if isinstance(each, click.Option) for flag in each.opts}
    assert len(options) >= 20
    assert [flag for flag in sorted(options) if f"`{flag}" not in said] == []


def test_the_example_of_own_cards_works(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```yaml\n(.*?)^```$", text(), re.DOTALL | re.MULTILINE)
    file = tmp_path / "my-cards.yaml"
    file.write_text(example, encoding="utf-8")
    result = run("--cards", str(file), "--sets", "base,garden-party", "--seed", "1")
    assert result.exit_code == 0, result.stderr
    assert "Garden Party" in result.stdout


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(file: str) -> None:
    said = (HERE.parent / file).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", said):
        assert (HERE.parent / target).exists(), target
    headings = {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in said.splitlines()}
    for anchor in re.findall(r"\]\(#([^)]+)\)", said):
        assert anchor in headings


if __name__ == "__main__":
    new = SAMPLE.sub(lambda match: played(match[0]), text())
    README.write_text(new, encoding="utf-8", newline="\n")
