"""The command line: languages, colours, widths, encodings, errors of a line or two, defaults, completion."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from unicodedata import east_asian_width

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.cli import config, main
from randomizer.load import paths
from randomizer.setup import checklist
from tests.conftest import HERE, run


def program(
    *args: str, env: dict[str, str] | None = None, input: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own."""
    kept = {
        key: os.environ[key] for key in ("PATH", "HOME", "XDG_CACHE_HOME", "SYSTEMROOT") if key in os.environ
    }
    command = [sys.executable, "-m", "randomizer", *args]
    return subprocess.run(
        command, env={**kept, **(env or {})}, cwd=HERE.parent, input=input, capture_output=True
    )


def columns(line: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def test_a_question_with_a_minus_needs_no_quotes() -> None:
    assert "−1 Card token" in run("rules", "-1", "card", "token").stdout
    assert "-$2" in run("rules", "--json", "-$2", "cost").stdout


class TestErrors:
    @pytest.mark.parametrize(
        "args",
        [
            ["--sets", "nonsense"],
            ["--players", "1"],
            ["--players", "many"],
            ["--landscapes", "-1"],
            ["--nonsense"],
            ["show", "no-such-file.json"],
            ["cards", "--cost", "free"],
            ["rules", "--game", "chess", "x"],
            ["rules", "reserve", "--lst"],
            ["--cards", "no-such-file.yaml"],
            ["--lang", "tlh"],
            ["--game", "chess"],
            ["divine-wind", "no-such-file.json"],
            ["--black-market", "0"],
            ["--seed", "a\nb"],
            ["odds", "--players", "99"],
        ],
    )
    def test_a_line_or_two_and_status_2(self, args: list[str]) -> None:
        result = run(*args)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert 1 <= len(result.stderr.splitlines()) <= 2
        assert result.stderr.startswith("Error: ")

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12), max_size=4))
    def test_no_traceback_whatever_is_typed(self, words: list[str]) -> None:
        result = run(*words)
        assert result.exit_code in (0, 1, 2)
        assert result.exception is None or isinstance(result.exception, SystemExit)

    @settings(max_examples=60, deadline=None)
    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
            ),
        )
    )
    def test_no_traceback_whatever_is_fed_in(self, value: object) -> None:
        text = json.dumps(value)
        for command in (["show", "-"], ["divine-wind", "-"], ["rules", "--for", "-"]):
            assert run(*command, input=text).exit_code == 2

    def test_a_damaged_document(self) -> None:
        """Any one value of a saved document may be of the wrong sort, and that is said."""
        whole = json.loads(run("--sets", "base,adventures", "--seed", "1", "--json").stdout)
        for key in whole:
            if key in ("options", "checklist", "missing"):
                continue
            result = run("show", "-", input=json.dumps({**whole, key: {"what": "ever"}}))
            assert result.exit_code == 2, key
            assert result.stderr.startswith("Error: ") and len(result.stderr.splitlines()) <= 2

    def test_a_closed_pipe_is_no_error(self) -> None:
        command = f"{sys.executable} -m randomizer cards | head -1"
        done = subprocess.run(command, shell=True, cwd=HERE.parent, capture_output=True)
        assert done.stderr == b""

    @pytest.mark.parametrize("args", [["cards", "ferrymen"], ["odds", "ferrymen"], ["rules", "xyzzyplugh"]])
    def test_a_name_that_nothing_has_is_no_result(self, args: list[str]) -> None:
        """Status 1 with a suggestion on stderr, be it a card's or a rule's."""
        result = run(*args)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("Error: no ") and len(result.stderr.splitlines()) == 1


class TestColour:
    def test_none_in_a_pipe(self) -> None:
        assert "\x1b" not in run("--seed", "1").stdout

    @pytest.mark.parametrize(
        ("args", "env", "coloured"),
        [
            (["--color", "always"], {}, True),
            ([], {"FORCE_COLOR": "1"}, True),
            ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
            (["--color", "never"], {"FORCE_COLOR": "1"}, False),
            (["--color", "always"], {"NO_COLOR": "1"}, True),
        ],
    )
    def test_asked_for(self, args: list[str], env: dict[str, str], coloured: bool) -> None:
        assert ("\x1b" in run("--seed", "1", *args, env=env).stdout) == coloured

    def test_colour_changes_no_word(self) -> None:
        plain, coloured = run("--seed", "1").stdout, run("--seed", "1", "--color", "always").stdout
        assert re.sub(r"\x1b\[\d*m", "", coloured) == plain

    def test_never_in_json(self) -> None:
        assert "\x1b" not in run("--seed", "1", "--json", "--color", "always").stdout


class TestWidth:
    @pytest.mark.parametrize("lang", ["en", "ja"])
    @pytest.mark.parametrize("wide", [40, 60, 80, 120])
    def test_no_line_is_wider_than_the_screen(self, lang: str, wide: int) -> None:
        """But for commands to copy, and for a word that has no room on a line of its own."""
        text = run(
            "--sets", "all", "--players", "6", "--seed", "w", "--lang", lang, env={"COLUMNS": str(wide)}
        ).stdout
        lines = [line for line in text.splitlines() if "dominion-setup" not in line]
        assert [line for line in lines if columns(line) > wide] == []

    @pytest.mark.parametrize("sort", list(checklist.SORTS))
    def test_columns_align(self, sort: str) -> None:
        """Every row of the Kingdom has its types under the heading, Japanese names too."""
        for lang, heading in (("en", "types"), ("ja", "種類")):
            shown = run(
                "--sets", "all", "--seed", "w", "--lang", lang, "--sort", sort, env={"COLUMNS": "120"}
            )
            title, *rows = shown.stdout.split("\n\n")[1].splitlines()
            at = columns(title[: title.index(heading)])
            for row in (row for row in rows if "[ ]" in row):
                place = next(place for place in range(len(row)) if columns(row[:place]) >= at)
                assert columns(row[:place]) == at and row[place] != " " and row[place - 1] == " "

    def test_sort_is_what_the_checklist_knows(self) -> None:
        (option,) = [parameter for parameter in main.params if parameter.name == "sort"]
        assert set(option.type.choices) == set(checklist.SORTS)  # type: ignore[attr-defined]


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["cp1252", "cp932", "cp437", "ascii", "utf-8"])
    @pytest.mark.parametrize(
        "args", [["--seed", "1"], ["--seed", "1", "--lang", "ja"], ["rules", "reserve"], ["sets"]]
    )
    def test_nothing_breaks(self, encoding: str, args: list[str]) -> None:
        done = program(*args, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode(encoding)

    def test_json_is_the_same_everywhere(self) -> None:
        args = ["--sets", "all", "--seed", "1", "--json"]
        narrow = program(*args, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
        assert json.loads(narrow.stdout) == json.loads(program(*args).stdout)

    def test_japanese_where_it_can_be_shown(self) -> None:
        done = program("rules", "call", "--lang", "ja", env={"PYTHONIOENCODING": "cp932", "PYTHONUTF8": "0"})
        assert "呼び出し" in done.stdout.decode("cp932")


class TestLanguage:
    def test_order_of_precedence(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        def kingdom(*args: str) -> bool:
            return "Kingdom" in run("--seed", "1", *args).stdout

        assert kingdom()
        monkeypatch.setenv("LANG", "ja_JP.UTF-8")
        assert not kingdom()
        monkeypatch.setenv("LC_ALL", "C")
        assert kingdom()
        defaults(monkeypatch, tmp_path, 'lang = "ja"')
        assert not kingdom()
        monkeypatch.setenv("DOMINION_SETUP_LANG", "en")
        assert kingdom()
        assert not kingdom("--lang", "ja")

    @pytest.mark.parametrize("setting", ["ja", "JA", "ja_JP", "ja_JP.UTF-8", "ja-JP", "Ja"])
    def test_whatever_means_it(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, setting: str) -> None:
        japanese = run("--seed", "1", "--lang", "ja").stdout
        assert run("--seed", "1", "--lang", setting).stdout == japanese
        assert run("--seed", "1", env={"DOMINION_SETUP_LANG": setting}).stdout == japanese
        assert run("--seed", "1", env={"LANG": setting}).stdout == japanese
        defaults(monkeypatch, tmp_path, f'lang = "{setting}"')
        assert run("--seed", "1").stdout == japanese

    @pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX", "de_DE.UTF-8", "jam_JM", ""])
    def test_a_locale_that_there_is_no_file_for(self, locale: str) -> None:
        assert "Kingdom" in run("--seed", "1", env={"LANG": locale}).stdout

    def test_the_locale_of_windows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Which calls languages by their English names."""
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr("locale.getlocale", lambda: ("Japanese_Japan", "932"))
        assert "王国" in run("rules", "kingdom").stdout

    def test_names_are_understood_in_every_language(self) -> None:
        for sets in ("adventures", "Adventures", "冒険", "adv", "ぼうけん"):
            assert json.loads(run("--sets", sets, "--json").stdout)["options"]["sets"] == ["adventures"], sets
        assert "Young Witch" in run("cards", "魔女娘").stdout


def defaults(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(config, "path", lambda: str(path))


class TestDefaults:
    def test_taken_where_nothing_is_said(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        defaults(monkeypatch, tmp_path, 'sets = ["base", "empires"]\nplayers = 4')
        setup = json.loads(run("--json").stdout)
        assert setup["options"]["sets"] == ["base-2e", "empires"] and setup["players"] == 4
        other = json.loads(run("--sets", "adventures", "--players", "2", "--json").stdout)
        assert other["options"] == {"sets": ["adventures"], "players": 2}

    def test_a_command_deals_the_same_table_with_any(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        command = json.loads(run("--sets", "all", "--json").stdout)["command"].split()[1:]
        before = run(*command).stdout
        defaults(monkeypatch, tmp_path, 'sets = "base"\nplayers = 6')
        assert run(*command).stdout == before

    def test_of_another_game_they_are_not(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        defaults(monkeypatch, tmp_path, 'sets = "base"')
        assert run("--game", "pergamemnon").exit_code == 0

    FAULTY = (
        "shelters = true",
        "players = [",
        'players = "few"',
        "players = 3.5",
        "players = true",
        "sets = 7",
        "sets = [7]",
        'lang = "tlh"',
        "lang = 1",
        'color = "pink"',
        "sort = []",
        '[library]\nowned = ["base"]',
        "\xff\0",
    )
    NOT_OF_THE_GAME = ("players = 99", "players = 0", 'sets = "nonsense"')

    @pytest.mark.parametrize("text", FAULTY + NOT_OF_THE_GAME)
    def test_a_fault_is_one_warning(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
        """Of one line that names the file; what is asked for is done as if the fault were not there."""
        plain = run("--seed", "1").stdout
        defaults(monkeypatch, tmp_path, text)
        result = run("--seed", "1")
        assert (result.exit_code, result.stdout) == (0, plain)
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith(f"Warning: {tmp_path / 'config.toml'}: ")

    @pytest.mark.parametrize("text", FAULTY)
    @pytest.mark.parametrize("args", [["--help"], ["rules", "reserve"], ["sets"], ["--version"]])
    def test_nothing_is_refused_for_it(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, args: list[str]
    ) -> None:
        plain = run(*args).stdout
        defaults(monkeypatch, tmp_path, text)
        result = run(*args)
        assert (result.exit_code, result.stdout) == (0, plain)
        assert len(result.stderr.splitlines()) <= 1

    def test_what_is_right_in_it_holds(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        defaults(monkeypatch, tmp_path, 'players = 3\nlang = "JA"\ncolour = "never"\nsort = 1')
        result = run("--seed", "1")
        assert "3人" in result.stdout
        assert "'colour' cannot have a default; color can; sort = 1 is not box, cost" in result.stderr

    def test_for_every_command(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        saved = run("--sets", "base,adventures", "--seed", "1", "--json").stdout
        by_name = run("show", "-", "--sort", "name", input=saved).stdout
        defaults(monkeypatch, tmp_path, 'sort = "name"\nlang = "ja"\nplayers = 3\nsets = "adventures"')
        assert run("show", "-", "--lang", "en", input=saved).stdout == by_name
        assert "冒険" in run("sets").stdout
        assert json.loads(run("odds", "--json").stdout)["players"] == 3


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folders are others there")
class TestOldPlace:
    """Where another program of the same name has a file of its own."""

    @pytest.fixture
    def places(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path]:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        (tmp_path / "dominion-setup").mkdir()
        names = ("dominion-setup", "dominion-randomizer")
        return tmp_path / names[0] / "config.toml", tmp_path / names[1] / "config.toml"

    def test_ours_is_read_and_moved_with_a_word(self, places: tuple[Path, Path]) -> None:
        old, new = places
        old.write_text("players = 4")
        first, second = (run("--seed", "1", "--json") for _ in range(2))
        assert json.loads(first.stdout)["players"] == json.loads(second.stdout)["players"] == 4
        assert first.stderr == f"Your defaults have moved to {new}.\n"
        assert second.stderr == ""
        assert new.read_text() == "players = 4" and not old.exists()

    @pytest.mark.parametrize("text", [*TestDefaults.FAULTY, "", 'players = 4\ntheme = "dark"'])
    def test_what_may_be_another_programs_is_left_alone(self, places: tuple[Path, Path], text: str) -> None:
        old, new = places
        old.write_text(text)
        plain = run("--seed", "1", "--sets", "base", "--players", "2")
        result = run("--seed", "1")
        assert (result.exit_code, result.stdout, result.stderr) == (0, plain.stdout, "")
        assert old.read_text() == text and not new.exists()

    def test_where_there_is_a_new_one_the_old_one_is_left(self, places: tuple[Path, Path]) -> None:
        old, new = places
        new.parent.mkdir()
        old.write_text("players = 4")
        new.write_text("players = 3")
        result = run("--json")
        assert (json.loads(result.stdout)["players"], result.stderr) == (3, "")
        assert old.exists()

    def test_a_shell_that_completes_hears_nothing_of_it(self, places: tuple[Path, Path]) -> None:
        old, _ = places
        old.write_text("players = 4")
        env = {
            "_DOMINION_SETUP_COMPLETE": "bash_complete",
            "COMP_WORDS": "dominion-setup ru",
            "COMP_CWORD": "1",
        }
        done = program(env={**env, "XDG_CONFIG_HOME": str(old.parent.parent)})
        assert done.stderr == b"" and old.exists()


def test_folders_are_called_after_the_package() -> None:
    """Because the command's name is also another package's."""
    assert "dominion-randomizer" in config.path() and "dominion-setup" not in config.path()
    assert "dominion-randomizer" in paths.cache_folder() and "dominion-setup" not in paths.cache_folder()


def test_the_command_has_two_names() -> None:
    scripts = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "scripts"
    ]
    assert set(scripts) == {"dominion-setup", "dominion-randomizer"} and len(set(scripts.values())) == 1


class TestCompletion:
    def offered(self, line: str) -> list[str]:
        words = line.split(" ")
        env = {
            "_DOMINION_SETUP_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "PYTHONUTF8": "1",
        }
        code = "from randomizer.cli import main; main(prog_name='dominion-setup')"
        kept = {key: os.environ[key] for key in ("PATH", "HOME", "XDG_CACHE_HOME")}
        done = subprocess.run(
            [sys.executable, "-c", code], env={**kept, **env}, cwd=HERE.parent, capture_output=True
        )
        return [item.partition(",")[2] for item in done.stdout.decode().splitlines()]

    @pytest.mark.parametrize(
        ("line", "item"),
        [
            ("dominion-setup --sets adv", "adventures"),
            ("dominion-setup --sets base,ri", "base,rising-sun"),
            ("dominion-setup cards you", "young-witch"),
            ("dominion-setup cards 魔女", "魔女娘"),
            ("dominion-setup rules res", "reserve"),
            ("dominion-setup rules 呼び", "呼び出し"),
            ("dominion-setup --game p", "pergamemnon"),
            ("dominion-setup rules --game ar", "arkham"),
            ("dominion-setup ru", "rules"),
            ("dominion-setup --lang j", "ja"),
            ("dominion-setup --she", "--shelters"),
        ],
    )
    def test_offered(self, line: str, item: str) -> None:
        assert item in self.offered(line)

    def test_a_slug_is_understood(self) -> None:
        assert "Young Witch" in run("cards", "young-witch").stdout


def test_the_module_is_the_program() -> None:
    assert program("--seed", "1", "--json").stdout.decode() == run("--seed", "1", "--json").stdout


def test_a_fresh_seed_is_short_and_printed() -> None:
    seeds = {json.loads(run("--json").stdout)["seed"] for _ in range(5)}
    assert len(seeds) == 5 and all(len(seed) <= 6 and seed.isalnum() for seed in seeds)
    assert re.search(r"seed (\w+)\n[\s\S]*--seed \1\n", run().stdout)


def test_help_names_every_option_and_command() -> None:
    text = run("--help").stdout
    for word in (
        "--sets",
        "--players",
        "--seed",
        "--colony",
        "--shelters-by",
        "--landscapes",
        "--ways",
        "rules",
    ):
        assert word in text
    assert "--colony" not in run("--game", "pergamemnon", "--help").stdout
