"""README and `docs/` are true: samples come out as printed, commands run, and nothing is left undocumented.

After a change that is meant, `python -m tests.test_readme` writes the samples anew: read the difference.
"""

import re
import shlex
from pathlib import Path

import click
import pytest

from randomizer.cli import main
from tests.cli.test_cases import run_case
from tests.support import FOLDERS, HERE, run

ROOT = HERE.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
SAMPLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text(*pages: Path) -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def shown(page: Path) -> list[str]:
    """The command lines that readers are shown, without their output."""
    return [line for block in SHELL.findall(text(page)) for line in block.splitlines()]


def test_the_readme_leads_to_every_page() -> None:
    said = text(README)
    assert all(f"](docs/{page.name})" in said for page in PAGES[1:])
    assert len(SAMPLE.findall("\n".join(text(page) for page in PAGES))) >= 10
    assert len([line for page in PAGES for line in shown(page) if line.startswith("dominion-setup ")]) >= 20


@every_page
def test_samples_are_what_is_printed(page: Path) -> None:
    samples = SAMPLE.findall(text(page))
    assert [run_case(sample) for sample in samples] == samples


def test_six_evenings_are_shown_and_each_is_what_it_says() -> None:
    told = text(README).partition("## Six game nights\n")[2].partition("\n## ")[0]
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


@every_page
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in FOLDERS[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    for command in (line for line in shown(page) if line.startswith("dominion-setup ")):
        words, _, file = command.partition(" | ")[0].partition(" > ")
        result = run(*shlex.split(words)[1:])
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        if file:
            Path(file).write_text(result.stdout, encoding="utf-8")


def test_every_command_and_option_is_there() -> None:
    said = text(*PAGES)
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
    (example,) = re.findall(r"^```yaml\n(.*?)^```$", text(*PAGES), re.DOTALL | re.MULTILINE)
    file = tmp_path / "my-cards.yaml"
    file.write_text(example, encoding="utf-8")
    result = run("--cards", str(file), "--sets", "base,garden-party", "--seed", "1")
    assert result.exit_code == 0, result.stderr
    assert "Garden Party" in result.stdout


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", text(page)):
        there = page.parent / target if target else page
        assert there.exists(), target
        assert not anchor or anchor in headings(there), anchor


def headings(page: Path) -> set[str]:
    """The headings of a page, as links have them."""
    lines = [line.lstrip("#") for line in text(page).splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in lines}


if __name__ == "__main__":
    for each in PAGES:
        new = SAMPLE.sub(lambda match: run_case(match[0]), text(each))
        each.write_text(new, encoding="utf-8", newline="\n")
