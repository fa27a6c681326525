"""Defaults from a file that the command line names."""

import json
from pathlib import Path

import pytest

from tests.support import run

CONFIG = 'sets = "seaside"\nplayers = 4\nwithout = "attack"\n[profiles.duel]\nplayers = 2\n'


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "club.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return str(path)


def test_named_file_replaces_the_usual_one(file: str) -> None:
    setup = json.loads(run("--config-file", file, "--json").stdout)
    assert setup["players"] == 4 and setup["options"]["without"] == ["attack"]
    assert {pile["box"] for pile in setup["piles"] if pile["place"] == "kingdom"} == {"seaside-2e"}
    assert json.loads(run("--json").stdout)["players"] == 2


def test_profile_of_the_named_file_applies(file: str) -> None:
    assert json.loads(run("--config-file", file, "--profile", "duel", "--json").stdout)["players"] == 2


def test_config_prints_the_named_file_and_its_values(file: str) -> None:
    """The option may stand before or after the name of the command."""
    for args in (["--config-file", file, "config"], ["config", "--config-file", file]):
        facts = json.loads(run(*args, "--json").stdout)
        assert facts["file"] == file
        players = next(option for option in facts["options"] if option["name"] == "players")
        assert (players["value"], players["from"]) == (4, "file")
    assert json.loads(run("config", "--json").stdout)["file"] != file


def test_named_file_applies_with_a_seed(file: str) -> None:
    """The user has named it explicitly, so its defaults are not ignored."""
    result = run("--config-file", file, "--seed", "7", "--json")
    assert json.loads(result.stdout)["options"]["without"] == ["attack"]
    assert "left out" not in result.stderr


def test_wrong_value_in_the_named_file_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('players = "many"\n', encoding="utf-8")
    result = run("--config-file", str(path), "--format", "line")
    assert result.exit_code == 0
    assert str(path) in result.stderr and "players = 'many' must be a whole number" in result.stderr


@pytest.mark.parametrize("content", [None, b"players = ", b"\xff\xfe\x00", b"[" * 100_000])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_unreadable_named_file_is_refused_in_one_line(
    tmp_path: Path, content: bytes | None, lang: str
) -> None:
    path = tmp_path / "hostile.toml"
    if content is not None:
        path.write_bytes(content)
    for args in ([], ["odds"], ["config"]):
        result = run("--lang", lang, *args, "--config-file", str(path))
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and f"--config-file {path}: " in result.stderr


@pytest.mark.parametrize("path", ["/dev/zero", "/", ""])
def test_device_or_folder_is_refused_and_an_empty_name_ignored(path: str) -> None:
    result = run("--config-file", path, "--format", "line")
    if path:
        assert result.exit_code == 2 and result.stderr.count("\n") == 1
    else:
        assert result.exit_code == 0
