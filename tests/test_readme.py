"""The README and `docs/` are true: samples match the output, commands run, and every option is documented.

After an intended change, `python -m tests.test_readme` updates the samples. Read the difference.
"""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from randomizer.cli import main
from tests.cli.test_cases import run_case
from tests.support import TESTS_DIR, XDG_VARIABLES, run

ROOT = TESTS_DIR.parent
README = ROOT / "README.md"
TRANSLATIONS = sorted(ROOT.glob("README.*.md"))
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [README, *TRANSLATIONS, *DOCS]
OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
SAMPLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def read_pages(*pages: Path) -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def find_commands(page: Path) -> list[str]:
    """Return the command lines of the shell examples, which have no output."""
    return [line for block in SHELL.findall(read_pages(page)) for line in block.splitlines()]


def test_readme_links_to_every_page() -> None:
    documentation = read_pages(README)
    assert all(f"](docs/{page.name})" in documentation for page in DOCS)
    assert all(f"]({page.name})" in documentation for page in TRANSLATIONS)
    assert len(SAMPLE.findall("\n".join(read_pages(page) for page in PAGES))) >= 10
    assert (
        len([line for page in PAGES for line in find_commands(page) if line.startswith("dominion-setup ")])
        >= 20
    )


def write_files(page: Path, folder: Path) -> list[Path]:
    """Write the data files that a page shows, whose first line is a comment with their name, to a folder."""
    files = []
    for example in re.findall(r"^```yaml\n(.*?)^```$", read_pages(page), re.DOTALL | re.MULTILINE):
        if name := re.match(r"# ([\w-]+\.yaml)\n", example):
            files.append(folder / name[1])
            files[-1].write_text(example, encoding="utf-8")
    return files


@every_page
def test_samples_match_the_output(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    samples = SAMPLE.findall(read_pages(page))
    assert [run_case(sample) for sample in samples] == samples


def test_readme_shows_seven_game_nights_as_described() -> None:
    section = read_pages(README).partition("## Seven game nights\n")[2].partition("\n## ")[0]
    nights = [sample.splitlines() for sample in SAMPLE.findall(section)]
    assert len(nights) == 7
    assert all("Error" not in line for lines in nights for line in lines)
    (before, after) = (
        set(re.split(", | · ", line)) for line in nights[2] if not line.startswith(("$", "#")) and line
    )
    assert len(before - after) == len(after - before) == 1
    tables = [line for line in nights[5] if not line.startswith("$")]
    cards = [card for line in tables for card in line.split(" · ")[1].split(", ")]
    assert len(tables) == 8 and len(cards) == len({*cards}) == 80


@every_page
def test_commands_succeed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    for folder in XDG_VARIABLES[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    for command in (line for line in find_commands(page) if line.startswith("dominion-setup ")):
        words, _, file = command.partition(" | ")[0].partition(" > ")
        result = run(*shlex.split(words)[1:])
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        if file:
            Path(file).write_text(result.stdout, encoding="utf-8")


def test_evening_takes_at_most_eight_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the card that is vetoed differs, because the tables are random."""
    for folder in XDG_VARIABLES:
        monkeypatch.setenv(folder, str(tmp_path))
    section = read_pages(README).partition("## A whole evening\n")[2].partition("\n## ")[0]
    install, *commands = section.partition("```bash\n")[2].partition("```")[0].splitlines()
    assert install == "pipx install ." and len(commands) < 8
    kingdoms: list[list[str]] = [[""]]
    for command in commands:
        words = [kingdoms[-1][0] if word == "moat" else word for word in shlex.split(command)[1:]]
        result = run(*words)
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        kingdoms.append(json.loads(run("show", "--json").stdout)["kingdom"])
    _, saved, dealt, laid, recorded, again = kingdoms
    assert len(dealt) == 11 and sorted(laid) == sorted(dealt[1:]) and recorded == laid
    assert not {*laid} & {*again}
    assert not {"possession", "rebuild", "masquerade"} & {*saved, *dealt, *again}


def test_every_command_and_option_is_documented() -> None:
    documentation = read_pages(README, *DOCS)
    with click.Context(main, info_name="dominion-setup") as ctx:
        commands = {name: main.get_command(ctx, name) for name in main.list_commands(ctx)}
        parameters = list(main.get_params(ctx))
    for name, command in commands.items():
        assert command is not None
        assert f"dominion-setup {name}" in documentation
        parameters += command.params
    options = {flag for each in parameters if isinstance(each, click.Option) for flag in each.opts}
    assert len(options) >= 20
    assert [flag for flag in sorted(options) if f"`{flag}" not in documentation] == []


def test_walk_through_an_invented_expansion(tmp_path: Path) -> None:
    """The other tests run the commands of the page; this one looks at what they show."""
    page = ROOT / "docs" / "cards.md"
    (file,) = write_files(page, tmp_path)
    deal, _, listed, entry, card = re.findall(
        r"^\$ .*?(?=^\$ |^```|\Z)",
        read_pages(page).partition("### A walk through")[2],
        re.DOTALL | re.MULTILINE,
    )[:5]
    assert all(
        text in deal
        for text in (
            "Garden Party",
            "\nSeasons",
            "Spring",
            "Vase",
            "Petal tokens",
            "owns the garden goes first",
        )
    )
    assert re.search(r"Cellar +\$3.*\n +your own version of this card", deal)
    assert "Topiary" in listed and "Head Gardener" in listed
    assert "worth $1" in entry and "Garden Party rules p2" in card
    seasons = 0
    for seed in range(20):
        result = run("--cards", str(file), "--sets", "base,garden-party", "--seed", str(seed), "--json")
        landscapes = json.loads(result.stdout)["landscapes"]
        assert len(landscapes) <= 1
        seasons += len(landscapes)
    assert seasons


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.stem)
def test_links_have_a_target(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", read_pages(page)):
        linked_page = page.parent / target if target else page
        assert linked_page.exists(), target
        assert not anchor or anchor in find_anchors(linked_page), anchor


def find_anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    lines = [line.lstrip("#") for line in read_pages(page).splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in lines}


if __name__ == "__main__":
    import os
    from tempfile import TemporaryDirectory

    for each in PAGES:
        with TemporaryDirectory() as folder:
            write_files(each, Path(folder))
            os.chdir(folder)
            new = SAMPLE.sub(lambda match: run_case(match[0]), read_pages(each))
        each.write_text(new, encoding="utf-8", newline="\n")
