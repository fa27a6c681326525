"""`--kingdom` and `--swap`: sources of lists, chosen boxes, messages and printed commands."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.support import run

LIST = "Witch\n* 10 Moat (Base)\nGoons\n"
NAMES = ("--seed", "x", "--format", "names")


class TestSources:
    def test_file_pipe_and_argument_deal_the_same(self, tmp_path: Path) -> None:
        file = tmp_path / "list.txt"
        file.write_text(LIST, encoding="utf-8")
        typed = run("--kingdom", "witch, moat, goons", *NAMES)
        assert typed.stdout.startswith("Witch, Moat, Goons, ")
        for kingdom, stdin in ((LIST, ""), (str(file), ""), ("-", LIST)):
            assert run("--kingdom", kingdom, *NAMES, input=stdin).stdout == typed.stdout

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_file_may_have_bom_and_other_line_ends(self, tmp_path: Path, encoding: str) -> None:
        file = tmp_path / "リスト.txt"
        file.write_text("魔女\r\n堀\r\n", encoding=encoding)
        assert run("--kingdom", str(file), *NAMES).stdout.startswith("Witch, Moat, ")

    def test_saved_setup_deals_its_kingdom(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        file.write_text(run("--sets", "empires,plunder", "--seed", "x", "--json").stdout, encoding="utf-8")
        names = run("show", str(file), "--format", "names").stdout
        assert run("--sets", "empires,plunder", "--kingdom", str(file), *NAMES).stdout == names

    def test_missing_file_is_an_error(self) -> None:
        result = run("--kingdom", "nowhere.json")
        assert (result.exit_code, result.stderr) == (2, "Error: nowhere.json: No such file or directory\n")

    def test_device_is_refused(self) -> None:
        assert run("--kingdom", "/dev/null").exit_code == 2

    def test_control_characters_are_shown_as_escapes(self) -> None:
        result = run("--kingdom", "Wit\x1b[31mch")
        assert result.exit_code == 2 and "\x1b" not in result.stderr and "\\x1b" in result.stderr


class TestDecidingCards:
    """Rules A16 and A20 of the setup rules: one card of the Kingdom decides."""

    KINGDOM = ("--kingdom", "city, cellar, market, militia, mine, moat, remodel, smithy, village, armory")

    def deal(self, *options: str) -> dict[str, Any]:
        result = run(*self.KINGDOM, "--sets", "base,prosperity,dark-ages", "--seed", "x", *options, "--json")
        assert result.exit_code == 0, result.stderr
        document: dict[str, Any] = json.loads(result.stdout)
        return document

    def test_typed_first_card_decides_and_the_printed_command_repeats_it(self) -> None:
        document = self.deal("--colony-by", "first-card")
        assert document["decisions"][0]["decided_by"] == "City"
        assert "--colony-by first-card" in document["command"]
        again = run(*shlex.split(document["command"])[1:], "--json").stdout
        assert json.loads(again) == document

    def test_random_card_decides_by_default(self) -> None:
        document = self.deal()
        assert "--colony-by" not in document["command"]
        assert document == self.deal("--colony-by", "random-card")


class TestBoxes:
    def test_boxes_of_the_cards_are_used_and_printed(self) -> None:
        result = run("--kingdom", "goons, moat, envoy", "--json", "--seed", "x")
        assert result.stderr == "Boxes you need for these cards: Base 2E, Prosperity 1E, Envoy\n"
        assert json.loads(result.stdout)["options"]["sets"] == ["base-2e", "prosperity-1e", "envoy"]

    def test_boxes_are_printed_in_japanese(self) -> None:
        result = run("--kingdom", "魔女、公使", "--lang", "ja")
        assert result.stderr == "使う拡張：基本 第二版、公使\n"

    def test_swap_draws_from_the_boxes_of_the_kingdom_unless_boxes_are_typed(self, tmp_path: Path) -> None:
        config = tmp_path / "config.toml"
        config.write_text('sets = ["base", "hinterlands"]\n', encoding="utf-8")
        words = ("--config-file", str(config), "--kingdom", "First Game", "--seed", "x", "--json")
        swapped = json.loads(run(*words, "--swap", "moat").stdout)
        assert swapped["options"]["sets"] == ["base-2e"]
        typed = json.loads(run(*words, "--swap", "moat", "--sets", "base,nocturne").stdout)
        assert typed["options"]["sets"] == ["base-2e", "nocturne"]
        assert json.loads(run(*words).stdout)["options"]["sets"] == ["base-2e", "hinterlands-2e"]

    def test_typed_sets_are_used(self) -> None:
        result = run("--kingdom", "goons, moat", "--sets", "base", "--json", "--seed", "x")
        assert result.stderr == "" and json.loads(result.stdout)["options"]["sets"] == ["base-2e"]

    def test_any_deals_a_kingdom_of_the_sets_and_prints_it(self) -> None:
        result = run("--kingdom", "any", "--sets", "base", "--seed", "x", "--json")
        (kingdom,) = json.loads(run("kingdoms", result.stderr.split("(")[1].strip(")\n"), "--json").stdout)[
            "kingdoms"
        ]
        assert result.stderr == f"{kingdom['name']} ({kingdom['id']})\n"
        assert json.loads(result.stdout)["options"]["named_kingdom"]["cards"] == kingdom["cards"]

    def test_any_with_count_draws_each_kingdom_anew(self) -> None:
        many = run(
            "--kingdom", "any", "--sets", "base,alchemy", "--seed", "x", "--count", "5", "--format", "names"
        )
        lines = many.stdout.splitlines()
        assert len(set(lines)) > 2 and many.stderr == ""
        args = ("--kingdom", "any", "--sets", "base,alchemy", "--seed", "x-3", "--format", "names")
        assert run(*args).stdout.splitlines() == [lines[2]]


class TestCommand:
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
    def test_command_of_a_document_deals_it_again(self, args: list[str]) -> None:
        first = json.loads(
            run("--sets", "allies,plunder", "--landscapes", "4", "--seed", "x", "--json").stdout
        )
        args = [arg.format(first=first["kingdom"][0]) for arg in args]
        setup = run(*args, "--seed", "x", "--json").stdout
        again = run(*shlex.split(json.loads(setup)["command"])[1:], "--json").stdout
        assert again == setup
        shown = run("show", "-", input=setup).stdout
        assert json.loads(setup)["command"] in shown

    def test_swaps_add_up_in_the_options(self, tmp_path: Path) -> None:
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

    def test_swap_after_a_second_deal_is_refused(self) -> None:
        first = run("--sets", "rising-sun", "--seed", "12", "--json").stdout
        second = run("divine-wind", "-", "--json", input=first).stdout
        result = run("swap", "litter", "--for", "-", input=second)
        assert (result.exit_code, result.stdout) == (2, "")
        assert run("swap", "litter", "--for", "-", input=first).exit_code == 0


def test_odds_refuse_kingdom_and_swap() -> None:
    assert run("odds", "--kingdom", "witch").exit_code == 2
    assert run("odds", "--swap", "witch").exit_code == 2


def test_swap_takes_the_last_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new table becomes the last one, except with `--no-keep`."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert run("swap", "moat").exit_code == 1
    run("--kingdom", "First Game", "--seed", "x")
    run("swap", "moat=witch")
    run("swap", "village=chapel", "--no-keep")
    options = json.loads(run("show", "--json").stdout)["options"]
    assert options["swap"] == [{"goes": "Moat", "comes": "Witch"}]
