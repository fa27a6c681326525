"""The command line: languages, colours, widths, encodings, errors of a line or two, defaults, completion."""

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

from randomizer.browse import catalogue
from randomizer.cli import deal, lists, main
from randomizer.cli.main import COMMANDS
from randomizer.load import paths
from randomizer.memory import defaults as own_defaults
from randomizer.setup import checklist
from randomizer.text import screen
from tests.support import FOLDERS, HERE, run


def program(
    *args: str, env: dict[str, str] | None = None, input: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT", *FOLDERS) if key in os.environ}
    command = [sys.executable, "-m", "randomizer", *args]
    return subprocess.run(
        command, env={**kept, **(env or {})}, cwd=HERE.parent, input=input, capture_output=True
    )


def written(encoding: str, *args: str) -> Result:
    """The same in this process, on streams in an encoding."""
    return CliRunner(charset=encoding).invoke(main, args, prog_name="dominion-setup")


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

    @settings(max_examples=60)
    @given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12), max_size=4))
    def test_no_traceback_whatever_is_typed(self, words: list[str]) -> None:
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

    @pytest.mark.parametrize("args", [["cards", "ferrymen"], ["rules", "xyzzyplugh"]])
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
            ([], {"FORCE_COLOR": "0"}, False),
            ([], {"FORCE_COLOR": "3", "TERM": "dumb"}, True),
            ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
            (["--color", "never"], {"FORCE_COLOR": "1"}, False),
            (["--color", "always"], {"NO_COLOR": "1"}, True),
        ],
    )
    def test_asked_for(self, args: list[str], env: dict[str, str], coloured: bool) -> None:
        for command in (["--seed", "1"], ["sets"], ["cards", "moat"], ["cards"], ["rules", "reserve"]):
            assert ("\x1b" in run(*command, *args, env=env).stdout) == coloured, command
            assert ("\x1b" in run(*args, *command, env=env).stdout) == coloured, command

    @pytest.mark.parametrize(
        ("env", "seen"), [({}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)]
    )
    def test_on_a_terminal(self, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], seen: bool) -> None:
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(screen, "is_terminal", lambda stream: True)
        assert screen.use_color(None) == screen.use_color("auto") == seen

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

    def test_and_that_of_lists_what_the_catalogue_knows(self) -> None:
        assert list(lists.SORT_ORDERS) == list(catalogue.SORT_KEYS)


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["cp1252", "cp932", "cp437", "ascii", "utf-8"])
    @pytest.mark.parametrize(
        "args", [["--seed", "1"], ["--seed", "1", "--lang", "ja"], ["rules", "reserve"], ["sets"]]
    )
    def test_nothing_breaks(self, encoding: str, args: list[str]) -> None:
        done = written(encoding, *args)
        assert done.exit_code == 0
        assert done.stdout_bytes.decode(encoding)
        warned = "ja" in args and encoding in ("cp1252", "cp437", "ascii")
        assert len(done.stderr.splitlines()) == warned

    @pytest.mark.parametrize("encoding", ["cp1252", "cp932", "cp437", "ascii", "utf-8"])
    def test_a_process_writes_the_same(self, encoding: str) -> None:
        for lang in ("en", "ja"):
            args = ["--seed", "1", "--lang", lang]
            done = program(*args, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
            here = written(encoding, *args)
            assert (done.returncode, done.stdout, done.stderr) == (0, here.stdout_bytes, here.stderr_bytes)

    @pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "iso8859-1"])
    def test_what_cannot_hold_a_language_gets_english_and_a_warning(self, encoding: str) -> None:
        for args in (["--seed", "1"], ["sets"], ["cards", "moat"], ["rules", "reserve"], ["--count", "2"]):
            japanese, english = written(encoding, *args, "--lang", "ja"), written(encoding, *args)
            if "--count" not in args:  # of which each has a seed of its own
                assert japanese.stdout_bytes == english.stdout_bytes
            assert (
                japanese.stderr == f"Warning: {encoding} does not have the letters of ja; this is English.\n"
            )

    def test_json_is_the_same_everywhere(self) -> None:
        args = ["--sets", "all", "--seed", "1", "--json"]
        narrow = program(*args, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
        assert json.loads(narrow.stdout) == json.loads(program(*args).stdout)

    @pytest.mark.parametrize("encoding", ["ascii", "cp932", "utf-8", "utf-16"])
    def test_json_of_many_is_the_same_everywhere(self, encoding: str) -> None:
        args = ["--sets", "all", "--seed", "1", "--count", "2", "--json"]
        done = written(encoding, *args)
        assert done.stdout_bytes.decode(encoding).count("\n") == 2
        many = [json.loads(line) for line in done.stdout_bytes.decode(encoding).splitlines()]
        assert many == [
            json.loads(run(*args[:2], "--seed", f"1-{number}", "--json").stdout) for number in (1, 2)
        ]

    def test_json_needs_no_warning(self) -> None:
        for args in (
            ["--seed", "1", "--json"],
            ["sets", "--json"],
            ["cards", "moat", "--json"],
            ["odds", "--json"],
        ):
            done = program(*args, "--lang", "ja", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
            assert (done.returncode, done.stderr) == (0, b"")

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
        monkeypatch.setenv("LOCALAPPDATA", os.environ["XDG_CACHE_HOME"])
        monkeypatch.setenv("APPDATA", os.environ["XDG_CONFIG_HOME"])
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr("locale.getlocale", lambda: ("Japanese_Japan", "932"))
        assert "王国" in run("rules", "kingdom").stdout

    def test_names_are_understood_in_every_language(self) -> None:
        for sets in ("adventures", "Adventures", "冒険", "adv", "ぼうけん"):
            assert json.loads(run("--sets", sets, "--json").stdout)["options"]["sets"] == ["adventures"], sets
        assert "Young Witch" in run("cards", "魔女娘").stdout


class TestLook:
    """`--lang`, `--color` and `--no-pager` are every command's, before its name and after it."""

    @pytest.mark.parametrize("name", [*main.list_commands(click.Context(main)), None])
    def test_every_command_has_the_options(self, name: str | None) -> None:
        command = main.get_command(click.Context(main), name) if name else main
        assert command is not None
        flags = {flag for parameter in command.params for flag in parameter.opts}
        assert {"--lang", "--color", "--no-pager"} <= flags

    @pytest.mark.parametrize("args", [["sets"], ["cards", "moat"], ["rules", "reserve"], ["odds"], ["cards"]])
    def test_before_and_after(self, monkeypatch: pytest.MonkeyPatch, args: list[str]) -> None:
        japanese = run(*args, "--lang", "ja", "--color", "always").stdout
        assert run("--lang", "ja", "--color", "always", *args).stdout == japanese != run(*args).stdout
        assert run("--lang", "ja", *args, "--lang", "ja", "--color", "always").stdout == japanese
        monkeypatch.setenv("DOMINION_SETUP_LANG", "en")
        assert run("--lang", "ja", "--color", "always", *args).stdout == japanese

    def test_other_options_of_the_deal_are_refused_there(self) -> None:
        for args in (
            ["--players", "3", "sets"],
            ["--game", "pergamemnon", "schema"],
            ["--json", "rules", "x"],
        ):
            result = run(*args)
            assert result.exit_code == 2 and "belongs to the deal" in result.stderr
        assert run("--game", "pergamemnon", "sets").stdout != run("sets").stdout

    def test_the_version_in_short(self) -> None:
        assert run("-V").stdout == run("--version").stdout


class TestWhatIsShownCanBeTyped:
    """In a list of cards, in any language, every cell finds its card again."""

    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_types_costs_and_sets(self, lang: str) -> None:
        rows = [line.split("  ") for line in run("cards", "--lang", lang).stdout.splitlines()[2:]]
        cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
        shown = {(flag, value) for name, *facts in cells for flag, value in self.typed(facts)}
        assert len(shown) > 80
        for flag, value in sorted(shown):
            found = run("cards", flag, value, "--lang", lang)
            assert found.exit_code == 0, (flag, value, found.stderr)
            lines = found.stdout.splitlines()[2:]
            assert lines and all(value in line for line in lines if flag == "--type")

    def typed(self, facts: list[str]) -> Iterator[tuple[str, str]]:
        if facts[0][0] in "$0123456789":
            yield "--cost", facts[0]
        yield from (("--type", type_) for type_ in facts[-2].split("–") if facts[-2][0] not in "$0123456789")
        yield "--set", facts[-1]

    @pytest.mark.parametrize("kind", ["event", "Events", "EVENTS", "イベント", "習性", "way", "Ways"])
    def test_kinds(self, kind: str) -> None:
        assert run("cards", "--kind", kind).exit_code == 0

    @pytest.mark.parametrize(
        ("args", "known"),
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
    def test_where_nothing_comes_near_it_is_said_what_there_is(
        self, args: list[str], known: list[str]
    ) -> None:
        result = run(*args)
        assert result.exit_code == 2
        assert [word for word in known if word not in result.stderr] == []


class TestCommandsThatAreNone:
    @pytest.mark.parametrize("word", ["deal", "generate", "new", "random", "randomize"])
    def test_of_other_programs(self, word: str) -> None:
        assert "`dominion-setup` deals without a command" in run(word).stderr

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (["list"], "did you mean sets or cards?"),
            (["help"], "did you mean --help?"),
            (["version"], "did you mean --version?"),
            (["swap", "--seed", "x"], "--seed"),
            (["crads"], "did you mean cards?"),
            (["base", "adv", "--json"], "for sets: --sets base,adv\n"),
            (["暗黒時代"], "for sets: --sets 暗黒時代\n"),
            (["xyzzyplugh"], "`dominion-setup --help` lists them."),
        ],
    )
    def test_others(self, args: list[str], said: str) -> None:
        result = run(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in result.stderr


class TestHelp:
    NAMES = (None, *main.list_commands(click.Context(main)))

    @pytest.mark.parametrize("name", NAMES)
    def test_its_examples_work(
        self, name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        for folder in FOLDERS[1:]:
            monkeypatch.setenv(folder, str(tmp_path / folder))
        run("--sets", "rising-sun", "--seed", "12")
        run("played", "--players", "Ann=32,Bob=28")
        Path("game.json").write_text(
            run("--sets", "rising-sun", "--seed", "12", "--json").stdout, encoding="utf-8"
        )
        text = run(*filter(None, [name]), "--help").stdout
        examples = [
            line.strip() for line in text.splitlines() if line.startswith(("  dominion-", "    dominion-"))
        ]
        assert examples or name not in COMMANDS
        for example in examples if name != "serve" else ():  # which goes on until somebody ends it
            words = shlex.split(example.partition(" > ")[0])
            result = run(*words[1:])
            assert result.exit_code == 0, f"{example}: {result.stderr}"

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("wide", ["40", "80", "200"])
    def test_nothing_is_cut_off(self, name: str | None, wide: str) -> None:
        if name is None and wide != "40":
            assert "..." not in run("--help", env={"COLUMNS": wide}).stdout.replace("[ARGS]...", "")
        assert run(*filter(None, [name]), "-h", env={"COLUMNS": wide}).exit_code == 0

    @pytest.mark.parametrize(("game", "range_"), [("dominion", "2 to 6"), ("pergamemnon", "2 to 5")])
    def test_how_many_can_play(self, game: str, range_: str) -> None:
        assert f"How many play, {range_}." in run("--game", game, "--help").stdout
        assert f"How many play, {range_}." in run("odds", "--game", game, "--help").stdout

    @pytest.mark.parametrize("name", [None, "odds"])
    def test_two_screens_at_most(self, name: str | None) -> None:
        lines = run(*filter(None, [name]), "--help", env={"COLUMNS": "80"}).stdout.splitlines()
        assert len(lines) <= 60 and max(map(len, lines)) <= 80

    def test_every_option_of_the_program_stands_below_one_heading(self) -> None:
        grouped = [flag for flags in deal.HELP_GROUPS.values() for flag in flags]
        own = {each.opts[-1] for each in main.params if isinstance(each, click.Option)}
        left_to_the_game = {"--landscapes-from"}
        assert sorted(grouped) == sorted({*own, "--help"} - left_to_the_game)

    def test_options_of_the_game_stand_below_their_heading(self) -> None:
        (heading,) = (heading for heading, flags in deal.HELP_GROUPS.items() if not flags)
        below = run("--help").stdout.partition(f"{heading}:\n")[2].partition("\nHow it is")[0]
        flags = re.findall(r"^  (--[a-z-]+)", below, re.MULTILINE)
        assert {"--landscapes-from", "--ways", "--colony", "--shelters-by", "--black-market"} <= {*flags}
        assert "--seed" not in flags

    def test_where_the_configuration_is(self) -> None:
        assert own_defaults.path() in run("config", "--help").stdout

    def test_every_variable_that_is_read(self) -> None:
        """Those of the platforms' folders, and of the shells' completion, apart."""
        text = run("config", "--help").stdout
        code = "".join(
            path.read_text(encoding="utf-8") for path in (HERE.parent / "randomizer").rglob("*.py")
        )
        read = {*re.findall(r"environ\.get\(\"(\w+)\"", code), *re.findall(r"envvar=\"(\w+)\"", code)}
        assert len(read) >= 5
        assert [name for name in read - {"LOCALAPPDATA", "XDG_CACHE_HOME", "TERM"} if name not in text] == []


def defaults(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(own_defaults, "path", lambda: str(path))


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
        "shelters = 5",
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
        assert (
            "'colour' は設定できません（color ならできます）；sort = 1 が正しくありません（box"
            in result.stderr
        )

    def test_for_every_command(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        saved = run("--sets", "base,adventures", "--seed", "1", "--json").stdout
        by_name = run("show", "-", "--sort", "name", input=saved).stdout
        defaults(monkeypatch, tmp_path, 'sort = "name"\nlang = "ja"\nplayers = 3\nsets = "adventures"')
        assert run("show", "-", "--lang", "en", input=saved).stdout == by_name
        assert "冒険" in run("sets").stdout
        assert json.loads(run("odds", "--json").stdout)["players"] == 3


def test_folders_are_called_after_the_package() -> None:
    """Because the command's name is also another package's."""
    assert "dominion-randomizer" in own_defaults.path() and "dominion-setup" not in own_defaults.path()
    assert "dominion-randomizer" in paths.cache_folder() and "dominion-setup" not in paths.cache_folder()


def test_the_command_has_two_names() -> None:
    scripts = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "scripts"
    ]
    assert set(scripts) == {"dominion-setup", "dominion-randomizer"} and len(set(scripts.values())) == 1


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
