"""Tests of the command line: errors, colours, widths, encodings, languages, help and the user's defaults."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from unicodedata import east_asian_width

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.browse import boxes
from randomizer.cards.game import Game
from randomizer.cli import deal, main
from randomizer.cli.main import COMMANDS
from randomizer.load import paths
from randomizer.memory import defaults as user_defaults
from randomizer.setup import checklist
from randomizer.text import screen
from tests.support import TESTS_DIR, XDG_VARIABLES, run


def run_in_process(
    *args: str, env: dict[str, str] | None = None, input: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    kept = {
        key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT", *XDG_VARIABLES) if key in os.environ
    }
    command = [sys.executable, "-m", "randomizer", *args]
    return subprocess.run(
        command, env={**kept, **(env or {})}, cwd=TESTS_DIR.parent, input=input, capture_output=True
    )


def run_with_encoding(encoding: str, *args: str) -> Result:
    """Run the program in this process, on streams in an encoding."""
    return CliRunner(charset=encoding).invoke(main, args, prog_name="dominion-setup")


def count_columns(line: str) -> int:
    """Return the width of a line on a terminal."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def test_rules_term_may_start_with_minus_sign() -> None:
    assert "−1 Card token" in run("rules", "-1", "card", "token").stdout
    assert "-$2" in run("rules", "--json", "-$2", "cost").stdout
    assert "−1 Card token" in run("rules", "-1 Card token: how many of them?").stdout  # without help for -h


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
    def test_invalid_arguments_exit_with_2_and_a_short_error(self, args: list[str]) -> None:
        result = run(*args)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert 1 <= len(result.stderr.splitlines()) <= 2
        assert result.stderr.startswith("Error: ")

    @settings(max_examples=60)
    @given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12), max_size=4))
    def test_random_arguments_cause_no_traceback(self, words: list[str]) -> None:
        result = run(*words)
        assert result.exit_code in (0, 1, 2)
        assert result.exception is None or isinstance(result.exception, SystemExit)

    @settings(max_examples=60)
    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
            ),
        )
    )
    def test_random_json_on_stdin_causes_no_traceback(self, value: object) -> None:
        text = json.dumps(value)
        for command in (["show", "-"], ["divine-wind", "-"], ["rules", "--for", "-"]):
            assert run(*command, input=text).exit_code == 2

    def test_damaged_document_exits_with_2(self) -> None:
        """Replace each value of a saved document by one of the wrong type."""
        document = json.loads(run("--sets", "base,adventures", "--seed", "1", "--json").stdout)
        for key in document:
            if key in ("options", "checklist", "missing"):
                continue
            result = run("show", "-", input=json.dumps({**document, key: {"wrong": "type"}}))
            assert result.exit_code == 2, key
            assert result.stderr.startswith("Error: ") and len(result.stderr.splitlines()) <= 2

    def test_closed_pipe_is_no_error(self) -> None:
        command = f"{sys.executable} -m randomizer cards | head -1"
        done = subprocess.run(command, shell=True, cwd=TESTS_DIR.parent, capture_output=True)
        assert done.stderr == b""

    @pytest.mark.parametrize("args", [["cards", "ferrymen"], ["rules", "xyzzyplugh"]])
    def test_unknown_name_is_no_result(self, args: list[str]) -> None:
        """The exit status is 1, and stderr has one line."""
        result = run(*args)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("Error: unknown ") and len(result.stderr.splitlines()) == 1


class TestColour:
    def test_output_in_a_pipe_has_no_colour(self) -> None:
        assert "\x1b" not in run("--seed", "1").stdout

    @pytest.mark.parametrize(
        ("args", "env", "is_colored"),
        [
            (["--color", "always"], {}, True),
            ([], {"FORCE_COLOR": "1"}, True),
            ([], {"FORCE_COLOR": "0"}, False),
            ([], {"FORCE_COLOR": "3", "TERM": "dumb"}, True),
            ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
            (["--color", "never"], {"FORCE_COLOR": "1"}, False),
            (["--color", "always"], {"NO_COLOR": "1"}, True),
        ],
    )
    def test_options_and_environment_choose_colour(
        self, args: list[str], env: dict[str, str], is_colored: bool
    ) -> None:
        for command in (["--seed", "1"], ["sets"], ["cards", "moat"], ["cards"], ["rules", "reserve"]):
            assert ("\x1b" in run(*command, *args, env=env).stdout) == is_colored, command
            assert ("\x1b" in run(*args, *command, env=env).stdout) == is_colored, command

    @pytest.mark.parametrize(
        ("env", "is_colored"), [({}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)]
    )
    def test_terminal_has_colour_unless_environment_forbids_it(
        self, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], is_colored: bool
    ) -> None:
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(screen, "is_terminal", lambda stream: True)
        assert screen.should_use_color(None) == screen.should_use_color("auto") == is_colored

    def test_colour_changes_no_text(self) -> None:
        plain, coloured = run("--seed", "1").stdout, run("--seed", "1", "--color", "always").stdout
        assert re.sub(r"\x1b\[\d*m", "", coloured) == plain

    def test_json_has_no_colour(self) -> None:
        assert "\x1b" not in run("--seed", "1", "--json", "--color", "always").stdout


class TestWidth:
    @pytest.mark.parametrize("lang", ["en", "ja"])
    @pytest.mark.parametrize("width", [40, 60, 80, 120])
    def test_lines_fit_the_terminal(self, lang: str, width: int) -> None:
        """Commands to copy are not wrapped."""
        text = run(
            "--sets", "all", "--players", "6", "--seed", "w", "--lang", lang, env={"COLUMNS": str(width)}
        ).stdout
        lines = [line for line in text.splitlines() if "dominion-setup" not in line]
        assert [line for line in lines if count_columns(line) > width] == []

    @pytest.mark.parametrize("sort", list(checklist.SORTS))
    def test_kingdom_table_columns_align(self, sort: str) -> None:
        """Check that the types of each Kingdom card are below their heading, in both languages."""
        for lang, heading in (("en", "types"), ("ja", "種類")):
            shown = run(
                "--sets", "all", "--seed", "w", "--lang", lang, "--sort", sort, env={"COLUMNS": "120"}
            )
            title, *rows = shown.stdout.split("\n\n")[1].splitlines()
            start = count_columns(title[: title.index(heading)])
            for row in (row for row in rows if "[ ]" in row):
                index = next(index for index in range(len(row)) if count_columns(row[:index]) >= start)
                assert count_columns(row[:index]) == start and row[index] != " " and row[index - 1] == " "

    def test_sort_option_offers_orders_of_the_checklist(self) -> None:
        (option,) = [parameter for parameter in main.params if parameter.name == "sort"]
        assert set(option.type.choices) == set(checklist.SORTS)  # type: ignore[attr-defined]


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["cp1252", "cp932", "cp437", "ascii", "utf-8"])
    @pytest.mark.parametrize(
        "args", [["--seed", "1"], ["--seed", "1", "--lang", "ja"], ["rules", "reserve"], ["sets"]]
    )
    def test_every_encoding_can_be_printed(self, encoding: str, args: list[str]) -> None:
        done = run_with_encoding(encoding, *args)
        assert done.exit_code == 0
        assert done.stdout_bytes.decode(encoding)
        warned = "ja" in args and encoding in ("cp1252", "cp437", "ascii")
        assert len(done.stderr.splitlines()) == warned

    @pytest.mark.parametrize("encoding", ["cp1252", "cp932", "cp437", "ascii", "utf-8"])
    def test_process_prints_the_same_as_test_runner(self, encoding: str) -> None:
        for lang in ("en", "ja"):
            args = ["--seed", "1", "--lang", lang]
            done = run_in_process(*args, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
            here = run_with_encoding(encoding, *args)
            assert (done.returncode, done.stdout, done.stderr) == (0, here.stdout_bytes, here.stderr_bytes)

    @pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "iso8859-1"])
    def test_unencodable_language_falls_back_to_english_with_warning(self, encoding: str) -> None:
        for args in (["--seed", "1"], ["sets"], ["cards", "moat"], ["rules", "reserve"], ["--count", "2"]):
            japanese, english = (
                run_with_encoding(encoding, *args, "--lang", "ja"),
                run_with_encoding(encoding, *args),
            )
            if "--count" not in args:  # Without a seed the setups differ.
                assert japanese.stdout_bytes == english.stdout_bytes
            assert japanese.stderr == f"Warning: {encoding} can't show ja; using English.\n"

    def test_json_is_the_same_in_ascii(self) -> None:
        args = ["--sets", "all", "--seed", "1", "--json"]
        narrow = run_in_process(*args, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
        assert json.loads(narrow.stdout) == json.loads(run_in_process(*args).stdout)

    @pytest.mark.parametrize("encoding", ["ascii", "cp932", "utf-8", "utf-16"])
    def test_json_lines_are_the_same_in_every_encoding(self, encoding: str) -> None:
        args = ["--sets", "all", "--seed", "1", "--count", "2", "--json"]
        done = run_with_encoding(encoding, *args)
        assert done.stdout_bytes.decode(encoding).count("\n") == 2
        many = [json.loads(line) for line in done.stdout_bytes.decode(encoding).splitlines()]
        assert many == [
            json.loads(run(*args[:2], "--seed", f"1-{number}", "--json").stdout) for number in (1, 2)
        ]

    def test_json_in_ascii_prints_no_warning(self) -> None:
        for args in (
            ["--seed", "1", "--json"],
            ["sets", "--json"],
            ["cards", "moat", "--json"],
            ["odds", "--json"],
        ):
            done = run_in_process(*args, "--lang", "ja", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
            assert (done.returncode, done.stderr) == (0, b"")

    def test_japanese_is_printed_in_cp932(self) -> None:
        done = run_in_process(
            "rules", "call", "--lang", "ja", env={"PYTHONIOENCODING": "cp932", "PYTHONUTF8": "0"}
        )
        assert "呼び出し" in done.stdout.decode("cp932")


class TestLanguage:
    def test_language_sources_have_the_documented_precedence(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def kingdom(*args: str) -> bool:
            return "Kingdom" in run("--seed", "1", *args).stdout

        assert kingdom()
        monkeypatch.setenv("LANG", "ja_JP.UTF-8")
        assert not kingdom()
        monkeypatch.setenv("LC_ALL", "C")
        assert kingdom()
        write_config(monkeypatch, tmp_path, 'lang = "ja"')
        assert not kingdom()
        monkeypatch.setenv("DOMINION_SETUP_LANG", "en")
        assert kingdom()
        assert not kingdom("--lang", "ja")

    @pytest.mark.parametrize("setting", ["ja", "JA", "ja_JP", "ja_JP.UTF-8", "ja-JP", "Ja"])
    def test_spellings_of_a_locale_select_its_language(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, setting: str
    ) -> None:
        japanese = run("--seed", "1", "--lang", "ja").stdout
        assert run("--seed", "1", "--lang", setting).stdout == japanese
        assert run("--seed", "1", env={"DOMINION_SETUP_LANG": setting}).stdout == japanese
        assert run("--seed", "1", env={"LANG": setting}).stdout == japanese
        write_config(monkeypatch, tmp_path, f'lang = "{setting}"')
        assert run("--seed", "1").stdout == japanese

    @pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX", "tlh_DE.UTF-8", "jam_JM", ""])
    def test_locale_without_translation_is_english(self, locale: str) -> None:
        assert "Kingdom" in run("--seed", "1", env={"LANG": locale}).stdout

    def test_windows_locale_selects_its_language(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Windows has English names of languages in its locales."""
        monkeypatch.setenv("LOCALAPPDATA", os.environ["XDG_CACHE_HOME"])
        monkeypatch.setenv("APPDATA", os.environ["XDG_CONFIG_HOME"])
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr("locale.getlocale", lambda: ("Japanese_Japan", "932"))
        assert "王国" in run("rules", "kingdom").stdout

    def test_input_accepts_names_in_every_language(self) -> None:
        for sets in ("adventures", "Adventures", "冒険", "adv", "ぼうけん"):
            assert json.loads(run("--sets", sets, "--json").stdout)["options"]["sets"] == ["adventures"], sets
        assert "Young Witch" in run("cards", "魔女娘").stdout


class TestOutputOptions:
    """`--lang`, `--color` and `--no-pager` are options of every command, before and after its name."""

    @pytest.mark.parametrize("name", [*main.list_commands(click.Context(main)), None])
    def test_every_command_has_the_output_options(self, name: str | None) -> None:
        command = main.get_command(click.Context(main), name) if name else main
        assert command is not None
        flags = {flag for parameter in command.params for flag in parameter.opts}
        assert {"--lang", "--color", "--no-pager"} <= flags

    @pytest.mark.parametrize("args", [["sets"], ["cards", "moat"], ["rules", "reserve"], ["odds"], ["cards"]])
    def test_output_options_work_before_and_after_the_command(
        self, monkeypatch: pytest.MonkeyPatch, args: list[str]
    ) -> None:
        japanese = run(*args, "--lang", "ja", "--color", "always").stdout
        assert run("--lang", "ja", "--color", "always", *args).stdout == japanese != run(*args).stdout
        assert run("--lang", "ja", *args, "--lang", "ja", "--color", "always").stdout == japanese
        monkeypatch.setenv("DOMINION_SETUP_LANG", "en")
        assert run("--lang", "ja", "--color", "always", *args).stdout == japanese

    def test_deal_options_before_a_command_are_refused(self) -> None:
        for args in (
            ["--players", "3", "sets"],
            ["--game", "pergamemnon", "schema"],
            ["--json", "rules", "x"],
        ):
            result = run(*args)
            assert result.exit_code == 2 and "can't be used before" in result.stderr
        assert run("--game", "pergamemnon", "sets").stdout != run("sets").stdout

    def test_short_version_option(self) -> None:
        assert run("-V").stdout == run("--version").stdout


class TestCardFilters:
    """Each cell of a list of cards selects its card, in both languages."""

    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_listed_types_costs_and_sets_select_their_cards(self, lang: str) -> None:
        rows = [line.split("  ") for line in run("cards", "--lang", lang).stdout.splitlines()[2:]]
        cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
        shown = {(flag, value) for name, *facts in cells for flag, value in self.list_options(facts)}
        assert len(shown) > 80
        for flag, value in sorted(shown):
            found = run("cards", flag, value, "--lang", lang)
            assert found.exit_code == 0, (flag, value, found.stderr)
            lines = found.stdout.splitlines()[2:]
            assert lines and all(value in line for line in lines if flag == "--type")

    def list_options(self, facts: list[str]) -> Iterator[tuple[str, str]]:
        """Yield the options for the cells of a row after the name: the cost, each type and the set."""
        if facts[0][0] in "$0123456789":
            yield "--cost", facts[0]
        yield from (("--type", type_) for type_ in facts[-2].split("–") if facts[-2][0] not in "$0123456789")
        yield "--set", facts[-1]

    @pytest.mark.parametrize("kind", ["event", "Events", "EVENTS", "イベント", "習性", "way", "Ways"])
    def test_kind_option_accepts_every_spelling(self, kind: str) -> None:
        assert run("cards", "--kind", kind).exit_code == 0

    @pytest.mark.parametrize(
        ("args", "alternatives"),
        [
            (["cards", "--kind", "zzz"], ["kingdom", "event", "prophecy"]),
            (["cards", "--cost", "foo"], ["0, 4D", "2, 2 P", "4 3D", "8D"]),
            (["cards", "--type", "zzz"], ["Action", "Treasure", "Liaison"]),
            (["cards", "--does", "zzz"], ["village", "throne", "cheaper"]),
            (["cards", "--set", "zzz"], ["dominion-setup sets"]),
            (["--sets", "foo"], ["dominion-setup sets"]),
            (["odds", "--sets", "foo"], ["dominion-setup sets"]),
            (["--lang", "tlh"], ["en", "ja"]),
            (["--game", "zzz"], ["dominion", "pergamemnon"]),
        ],
    )
    def test_unknown_value_lists_the_alternatives(self, args: list[str], alternatives: list[str]) -> None:
        result = run(*args)
        assert result.exit_code == 2
        assert [word for word in alternatives if word not in result.stderr] == []


class TestUnknownCommands:
    @pytest.mark.parametrize("word", ["deal", "generate", "new", "random", "randomize"])
    def test_commands_of_other_programs_have_a_hint(self, word: str) -> None:
        assert "run `dominion-setup` without a command" in run(word).stderr

    @pytest.mark.parametrize(
        ("args", "hint"),
        [
            (["list"], "did you mean sets or cards?"),
            (["help"], "did you mean --help?"),
            (["version"], "did you mean --version?"),
            (["swap", "--seed", "x"], "--seed"),
            (["crads"], "did you mean cards?"),
            (["base", "adv", "--json"], "to choose boxes, use --sets base,adv\n"),
            (["暗黒時代"], "to choose boxes, use --sets 暗黒時代\n"),
            (["xyzzyplugh"], "`dominion-setup --help` lists all commands."),
        ],
    )
    def test_unknown_command_has_a_hint(self, args: list[str], hint: str) -> None:
        result = run(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert hint in result.stderr


class TestHelp:
    NAMES = (None, *main.list_commands(click.Context(main)))

    @pytest.mark.parametrize("name", NAMES)
    def test_examples_in_help_work(
        self, name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        for folder in XDG_VARIABLES[1:]:
            monkeypatch.setenv(folder, str(tmp_path / folder))
        run("--sets", "rising-sun", "--seed", "12")
        run("played", "--players", "Ann=32,Bob=28")
        Path("game.json").write_text(
            run("--sets", "rising-sun", "--seed", "12", "--json").stdout, encoding="utf-8"
        )
        Path("my-cards.yaml").write_text(
            "cards: [{name: Topiary, set: base, cost: 3, types: [Action]}]", encoding="utf-8"
        )
        text = run(*filter(None, [name]), "--help").stdout
        examples = [
            line.strip() for line in text.splitlines() if line.startswith(("  dominion-", "    dominion-"))
        ]
        assert examples or name not in COMMANDS
        for index, example in enumerate(examples if name != "serve" else ()):  # The server does not end.
            if name in ("played", "tables"):  # They record tables, each of which can be recorded only once.
                run("--sets", "base", "--seed", f"{index}, earlier")
                run("--sets", "base", "--seed", f"{index}, last")
            words = shlex.split(example.partition(" > ")[0])
            result = run(*words[1:])
            assert result.exit_code == 0, f"{example}: {result.stderr}"

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("width", ["40", "80", "200"])
    def test_help_texts_are_complete_at_every_width(self, name: str | None, width: str) -> None:
        if name is None and width != "40":
            assert "..." not in run("--help", env={"COLUMNS": width}).stdout.replace("[ARGS]...", "")
        assert run(*filter(None, [name]), "-h", env={"COLUMNS": width}).exit_code == 0

    @pytest.mark.parametrize(("game", "range_"), [("dominion", "2 to 6"), ("pergamemnon", "2 to 5")])
    def test_help_has_the_player_counts_of_the_game(self, game: str, range_: str) -> None:
        assert f"Set up for {range_} players." in run("--game", game, "--help").stdout
        assert f"Set up for {range_} players." in run("odds", "--game", game, "--help").stdout

    @pytest.mark.parametrize("name", [None, "odds"])
    def test_help_has_at_most_60_lines(self, name: str | None) -> None:
        lines = run(*filter(None, [name]), "--help", env={"COLUMNS": "80"}).stdout.splitlines()
        assert max(map(len, lines)) <= 80

    def test_every_option_is_in_one_help_group(self) -> None:
        grouped = [flag for flags in deal.HELP_GROUPS.values() for flag in flags]
        flags = {option.opts[-1] for option in main.params if isinstance(option, click.Option)}
        in_group_of_game = {"--landscapes-from"}
        assert sorted(grouped) == sorted({*flags, "--help"} - in_group_of_game)

    def test_options_of_the_game_are_in_their_help_group(self) -> None:
        (heading,) = (heading for heading, flags in deal.HELP_GROUPS.items() if not flags)
        below = run("--help").stdout.partition(f"{heading}:\n")[2].partition("\nOutput")[0]
        flags = re.findall(r"^  (--[a-z-]+)", below, re.MULTILINE)
        assert {"--landscapes-from", "--ways", "--colony", "--shelters-by", "--black-market"} <= {*flags}
        assert "--seed" not in flags

    def test_help_of_config_has_the_path_of_the_file(self) -> None:
        assert user_defaults.get_path() in run("config", "--help").stdout

    def test_help_of_config_lists_the_environment_variables(self) -> None:
        """Variables for folders and for completion are left out."""
        text = run("config", "--help").stdout
        code = "".join(
            path.read_text(encoding="utf-8") for path in (TESTS_DIR.parent / "randomizer").rglob("*.py")
        )
        read = {*re.findall(r"environ\.get\(\"(\w+)\"", code), *re.findall(r"envvar=\"(\w+)\"", code)}
        assert len(read) >= 5
        assert [name for name in read - {"LOCALAPPDATA", "XDG_CACHE_HOME", "TERM"} if name not in text] == []


def write_config(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Write a configuration file and make the program use it."""
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(user_defaults, "get_path", lambda: str(path))


class TestDefaults:
    def test_defaults_apply_to_options_that_are_not_typed(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        write_config(monkeypatch, tmp_path, 'sets = ["base", "empires"]\nplayers = 4')
        setup = json.loads(run("--json").stdout)
        assert setup["options"]["sets"] == ["base-2e", "empires"] and setup["players"] == 4
        other = json.loads(run("--sets", "adventures", "--players", "2", "--json").stdout)
        assert other["options"] == {"sets": ["adventures"], "players": 2}

    def test_printed_command_deals_the_same_table_with_other_defaults(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        command = json.loads(run("--sets", "all", "--json").stdout)["command"].split()[1:]
        before = run(*command).stdout
        write_config(monkeypatch, tmp_path, 'sets = "base"\nplayers = 6')
        assert run(*command).stdout == before

    def test_default_sets_do_not_apply_to_another_game(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        write_config(monkeypatch, tmp_path, 'sets = "base"')
        assert run("--game", "pergamemnon").exit_code == 0

    FAULTY = (
        "shelters = 5",
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
    )
    # Files that cannot be read, and the fault.
    UNREADABLE = (
        ("players = [", "line 1: Invalid value"),
        ("\xff\0", "Invalid statement"),
        ("players = 3\nsets = intrigue  # mine", 'line 2: text needs quotes, as in sets = "base"'),
        ('sets = "base', "line 1: a quotation mark is missing"),
        ('sets "base"', "line 1: Expected '=' after a key in a key/value pair"),
    )
    INVALID_IN_GAME = ("players = 99", "players = 0", 'sets = "nonsense"')

    @pytest.mark.parametrize("text", FAULTY + INVALID_IN_GAME)
    def test_fault_in_defaults_is_one_warning(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
    ) -> None:
        """The warning has one line with the name of the file, and the fault changes nothing else."""
        plain = run("--seed", "1").stdout
        write_config(monkeypatch, tmp_path, text)
        result = run("--seed", "1")
        assert (result.exit_code, result.stdout) == (0, plain)
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith(f"Warning: {tmp_path / 'config.toml'}: ")

    @pytest.mark.parametrize(("text", "fault"), UNREADABLE)
    def test_unreadable_file_is_an_error_for_deals(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, fault: str
    ) -> None:
        write_config(monkeypatch, tmp_path, text)
        for args in ([], ["--seed", "1"], ["odds"]):
            result = run(*args)
            assert (result.exit_code, result.stdout) == (2, ""), args
            assert result.stderr.startswith(f"Error: {tmp_path / 'config.toml'}: ") and fault in result.stderr
            assert len(result.stderr.splitlines()) == 1
        result = run("config")
        assert result.exit_code == 0 and fault in result.stderr

    @pytest.mark.parametrize("text", [*FAULTY, *(text for text, _ in UNREADABLE)])
    @pytest.mark.parametrize("args", [["--help"], ["rules", "reserve"], ["sets"], ["--version"]])
    def test_fault_in_defaults_changes_no_result(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, args: list[str]
    ) -> None:
        plain = run(*args).stdout
        write_config(monkeypatch, tmp_path, text)
        result = run(*args)
        assert (result.exit_code, result.stdout) == (0, plain)
        assert len(result.stderr.splitlines()) <= 1

    def test_valid_defaults_beside_faults_apply(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        write_config(monkeypatch, tmp_path, 'players = 3\nlang = "JA"\ncolour = "never"\nsort = 1')
        result = run("--seed", "1")
        assert "3人" in result.stdout
        assert (
            "'colour' は設定できません（color ならできます）；sort = 1 が正しくありません（box"
            in result.stderr
        )

    def test_defaults_apply_to_every_command(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        saved = run("--sets", "base,adventures", "--seed", "1", "--json").stdout
        by_name = run("show", "-", "--sort", "name", input=saved).stdout
        write_config(monkeypatch, tmp_path, 'sort = "name"\nlang = "ja"\nplayers = 3\nsets = "adventures"')
        assert run("show", "-", "--lang", "en", input=saved).stdout == by_name
        assert "冒険" in run("sets").stdout
        assert json.loads(run("odds", "--json").stdout)["players"] == 3


def test_folders_have_the_name_of_the_package() -> None:
    """Another package has the name of the command."""
    assert (
        "dominion-randomizer" in user_defaults.get_path() and "dominion-setup" not in user_defaults.get_path()
    )
    assert "dominion-randomizer" in paths.cache_folder() and "dominion-setup" not in paths.cache_folder()


def test_program_has_two_commands() -> None:
    scripts = tomllib.loads((TESTS_DIR.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "scripts"
    ]
    assert set(scripts) == {"dominion-setup", "dominion-randomizer"} and len(set(scripts.values())) == 1


def test_module_prints_the_same_as_the_program() -> None:
    assert run_in_process("--seed", "1", "--json").stdout.decode() == run("--seed", "1", "--json").stdout


def test_random_seed_is_short_and_printed() -> None:
    seeds = {json.loads(run("--json").stdout)["seed"] for _ in range(5)}
    assert len(seeds) == 5 and all(len(seed) <= 6 and seed.isalnum() for seed in seeds)
    assert re.search(r"seed (\w+)\n[\s\S]*--seed \1\n", run().stdout)


def test_help_lists_options_and_commands() -> None:
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


class TestNearSuggestions:
    def test_option_with_a_similar_name_is_suggested(self) -> None:
        assert "Did you mean '--players'?" in run("played", "--player", "Ann").output

    def test_option_that_shares_only_its_dashes_is_not_suggested(self) -> None:
        assert run("played", "--scores", "3").output == "Error: No such option '--scores'.\n"


def test_empty_seed_is_refused() -> None:
    for seed in ("", " "):
        result = run("--seed", seed)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "a seed can't be empty" in result.stderr


@pytest.mark.parametrize("command", [("show", "-"), ("rules", "--for", "-"), ("history", "import", "-")])
def test_empty_input_is_reported_as_such(command: tuple[str, ...]) -> None:
    result = run(*command, input="")
    assert (result.exit_code, result.stderr) == (2, "Error: nothing was read from standard input.\n")


def test_null_device_is_empty_input() -> None:
    assert run("show", os.devnull).stderr == f"Error: nothing was read from {os.devnull}.\n"


def test_complete_name_without_spaces_is_preferred_to_a_longer_name(game: Game) -> None:
    names = {"dark-moon": {"dark-moon"}, "dark-moon-rising": {"rising"}}
    assert boxes._find_in_names("darkmoon", names, game) == {"dark-moon"}


def test_box_is_found_by_its_name_without_spaces() -> None:
    for name in ("darkages", "DarkAges", "dark ages", "darkag", "暗黒 時代"):
        result = run("--sets", name, "--json", "--seed", "1")
        assert json.loads(result.stdout)["options"]["sets"] == ["dark-ages"], name
    assert run("cards", "--set", "risingsun", "--kind", "prophecy").exit_code == 0


def test_list_of_cards_tells_editions_apart() -> None:
    rows = {
        line.split("  ")[0]: line.split("  ")[-1].strip()
        for line in run("cards", "--set", "base").output.splitlines()
    }
    assert (rows["Adventurer"], rows["Artisan"], rows["Witch"]) == ("Base 1E", "Base 2E", "Base")


class TestDefaultBans:
    @pytest.fixture(autouse=True)
    def config(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        write_config(monkeypatch, tmp_path, 'without = ["rebuild"]')

    @pytest.mark.parametrize(
        ("args", "bans"),
        [
            ([], ["rebuild"]),
            (["--without", "attack"], ["rebuild", "attack"]),
            (["--without", "nothing"], None),
            (["--without", "Nothing,attack", "--without", "witch"], ["attack", "witch"]),
            (["--without", "attack", "--seed", "1"], ["attack"]),
        ],
    )
    def test_typed_bans_are_added_unless_lifted(self, args: list[str], bans: list[str] | None) -> None:
        setup = json.loads(run("--sets", "dark-ages,base", "--json", *args).stdout)
        assert setup["options"].get("without") == bans
        if "--seed" not in args:
            odds = json.loads(run("odds", "--sets", "dark-ages,base", "--json", *args).stdout)
            assert odds.get("options", {}).get("without") == bans

    def test_error_mentions_defaults_only_if_they_apply(self) -> None:
        for lifted, is_mentioned in (("kingdom", True), ("nothing,kingdom", False)):
            for command in ([], ["odds"]):
                stderr = run(*command, "--sets", "base", "--without", lifted).stderr
                assert ("set --without." in stderr) == is_mentioned, (command, lifted)
