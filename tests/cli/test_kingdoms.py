"""Kingdoms and swaps on the command line: where lists come from, and what is told beside the table."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support import run

LIST = "Witch\n* 10 Moat (Base)\nGoons\n"
NAMES = ("--seed", "x", "--format", "names")


class TestWhereListsComeFrom:
    def test_a_file_a_pipe_and_the_line_itself(self, tmp_path: Path) -> None:
        file = tmp_path / "list.txt"
        file.write_text(LIST, encoding="utf-8")
        typed = run("--kingdom", "witch, moat, goons", *NAMES)
        assert typed.stdout.startswith("Witch, Moat, Goons, ")
        for said, fed in ((LIST, ""), (str(file), ""), ("-", LIST)):
            assert run("--kingdom", said, *NAMES, input=fed).stdout == typed.stdout

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_as_other_systems_write_it(self, tmp_path: Path, encoding: str) -> None:
        file = tmp_path / "リスト.txt"
        file.write_text("魔女\r\n堀\r\n", encoding=encoding)
        assert run("--kingdom", str(file), *NAMES).stdout.startswith("Witch, Moat, ")

    def test_a_saved_setup(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        file.write_text(run("--sets", "empires,plunder", "--seed", "x", "--json").stdout, encoding="utf-8")
        written = run("show", str(file), "--format", "names").stdout
        assert run("--sets", "empires,plunder", "--kingdom", str(file), *NAMES).stdout == written

    def test_no_such_file(self) -> None:
        result = run("--kingdom", "nowhere.json")
        assert (result.exit_code, result.stderr) == (2, "Error: nowhere.json: No such file or directory\n")

    def test_a_device(self) -> None:
        assert run("--kingdom", "/dev/null").exit_code == 2

    def test_control_characters_are_shown_as_escapes(self) -> None:
        result = run("--kingdom", "Wit\x1b[31mch")
        assert result.exit_code == 2 and "\x1b" not in result.stderr and "\\x1b" in result.stderr


class TestBoxes:
    def test_are_those_that_the_cards_need_and_that_is_told(self) -> None:
        result = run("--kingdom", "goons, moat, envoy", "--json", "--seed", "x")
        assert result.stderr == "Boxes for these cards: Base 2E, Prosperity 1E, Envoy\n"
        assert json.loads(result.stdout)["options"]["sets"] == ["base-2e", "prosperity-1e", "envoy"]

    def test_in_japanese(self) -> None:
        result = run("--kingdom", "魔女、公使", "--lang", "ja")
        assert result.stderr == "使う拡張：基本 第二版、公使\n"

    def test_unless_somebody_says_which(self) -> None:
        result = run("--kingdom", "goons, moat", "--sets", "base", "--json", "--seed", "x")
        assert result.stderr == "" and json.loads(result.stdout)["options"]["sets"] == ["base-2e"]

    def test_any_is_of_those_at_hand_and_says_which(self) -> None:
        result = run("--kingdom", "any", "--sets", "base", "--seed", "x", "--json")
        (kingdom,) = json.loads(run("kingdoms", result.stderr.split("(")[1].strip(")\n"), "--json").stdout)[
            "kingdoms"
        ]
        assert result.stderr == f"{kingdom['name']} ({kingdom['id']})\n"
        assert json.loads(result.stdout)["options"]["kingdom"]["cards"] == kingdom["cards"]

    def test_any_for_each_of_many(self) -> None:
        many = run(
            "--kingdom", "any", "--sets", "base,alchemy", "--seed", "x", "--count", "5", "--format", "names"
        )
        lines = many.stdout.splitlines()
        assert len(set(lines)) > 2 and many.stderr == ""
        args = ("--kingdom", "any", "--sets", "base,alchemy", "--seed", "x-3", "--format", "names")
        assert run(*args).stdout.splitlines() == [lines[2]]


class TestReplaying:
    @pytest.mark.parametrize(
        "args",
        [
            ["--kingdom", "First Game"],
            ["--kingdom", "young_witch(moat), quest, inspiring(bishop), druid, colony"],
            ["--kingdom", "witch", "--swap", "witch", "--players", "4"],
            ["--sets", "allies,plunder", "--landscapes", "4", "--swap", "{first}", "--colony"],
            ["--sets", "base", "--kingdom", "goons, poet, approaching army(witch)", "--black-market", "3"],
        ],
    )
    def test_the_command_of_a_document_deals_it_again(self, args: list[str]) -> None:
        first = json.loads(
            run("--sets", "allies,plunder", "--landscapes", "4", "--seed", "x", "--json").stdout
        )
        args = [arg.format(first=first["kingdom"][0]) for arg in args]
        setup = run(*args, "--seed", "x", "--json").stdout
        again = run(*shlex.split(json.loads(setup)["command"])[1:], "--json").stdout
        assert again == setup
        shown = run("show", "-", input=setup).stdout
        assert json.loads(setup)["command"] in shown

    def test_swap_adds_to_the_command(self, tmp_path: Path) -> None:
        setup = run("--kingdom", "First Game", "--seed", "x", "--json").stdout
        once = run("swap", "moat=witch", "--for", "-", "--json", input=setup).stdout
        twice = run("swap", "village", "--for", "-", "--json", input=once).stdout
        assert json.loads(twice)["options"]["swap"] == [
            {"goes": "Moat", "comes": "Witch"},
            {"goes": "Village"},
        ]
        args = (
            "--kingdom",
            "First Game",
            "--swap",
            "moat=witch",
            "--swap",
            "village",
            "--seed",
            "x",
            "--json",
        )
        assert run(*args).stdout == twice

    def test_not_once_the_kingdom_has_been_replaced(self) -> None:
        first = run("--sets", "rising-sun", "--seed", "12", "--json").stdout
        second = run("divine-wind", "-", "--json", input=first).stdout
        result = run("swap", "litter", "--for", "-", input=second)
        assert (result.exit_code, result.stdout) == (2, "")
        assert run("swap", "litter", "--for", "-", input=first).exit_code == 0


def test_odds_are_of_a_deal_by_chance() -> None:
    assert run("odds", "--kingdom", "witch").exit_code == 2
    assert run("odds", "--swap", "witch").exit_code == 2


def test_swap_takes_the_last_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what comes of it is the last one in turn, unless it is not to be kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert run("swap", "moat").exit_code == 1
    run("--kingdom", "First Game", "--seed", "x")
    run("swap", "moat=witch")
    run("swap", "village=chapel", "--no-keep")
    options = json.loads(run("show", "--json").stdout)["options"]
    assert options["swap"] == [{"goes": "Moat", "comes": "Witch"}]
