"""Defaults from a file that is named on the command line."""

import json
from pathlib import Path

import pytest

from tests.support import run

SAID = 'sets = "seaside"\nplayers = 4\nwithout = "attack"\n[profiles.duel]\nplayers = 2\n'


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "club.toml"
    path.write_text(SAID, encoding="utf-8")
    return str(path)


def test_it_holds_instead_of_the_usual_one(file: str) -> None:
    said = json.loads(run("--config-file", file, "--json").stdout)
    assert said["players"] == 4 and said["options"]["without"] == ["attack"]
    assert {pile["box"] for pile in said["piles"] if pile["place"] == "kingdom"} == {"seaside-2e"}
    assert json.loads(run("--json").stdout)["players"] == 2


def test_a_profile_of_it(file: str) -> None:
    assert json.loads(run("--config-file", file, "--profile", "duel", "--json").stdout)["players"] == 2


def test_config_shows_it(file: str) -> None:
    """Before the command's name or after it."""
    for args in (["--config-file", file, "config"], ["config", "--config-file", file]):
        said = json.loads(run(*args, "--json").stdout)
        assert said["file"] == file
        players = next(option for option in said["options"] if option["name"] == "players")
        assert (players["value"], players["from"]) == (4, "file")
    assert json.loads(run("config", "--json").stdout)["file"] != file


def test_it_holds_with_a_seed(file: str) -> None:
    """It was typed, as a profile may be."""
    result = run("--config-file", file, "--seed", "7", "--json")
    assert json.loads(result.stdout)["options"]["without"] == ["attack"]
    assert "left out" not in result.stderr


def test_what_is_wrong_in_it_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('players = "many"\n', encoding="utf-8")
    result = run("--config-file", str(path), "--format", "line")
    assert result.exit_code == 0
    assert str(path) in result.stderr and "players = 'many' is not a whole number" in result.stderr


@pytest.mark.parametrize("content", [None, b"players = ", b"\xff\xfe\x00", b"[" * 100_000])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_cannot_be_read_is_refused_in_a_line(tmp_path: Path, content: bytes | None, lang: str) -> None:
    path = tmp_path / "hostile.toml"
    if content is not None:
        path.write_bytes(content)
    for args in ([], ["odds"], ["config"]):
        result = run("--lang", lang, *args, "--config-file", str(path))
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and f"--config-file {path}: " in result.stderr


@pytest.mark.parametrize("path", ["/dev/zero", "/", ""])
def test_devices_folders_and_nothing(path: str) -> None:
    result = run("--config-file", path, "--format", "line")
    if path:
        assert result.exit_code == 2 and result.stderr.count("\n") == 1
    else:
        assert result.exit_code == 0
