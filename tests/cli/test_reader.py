"""Whatever a person reads besides results is in their language: help, errors, warnings, hints."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from randomizer.cli.localization import translate_usage_error
from randomizer.load.languages import load
from randomizer.text.width import width
from tests.cli.test_cli import run_in_process
from tests.support import HERE, every_command, run

JAPANESE = re.compile(r"[、。（）ぁ-ヿ㐀-鿿]")
# What is the same in every language: what stands in quotation marks or backticks, options, names of files,
# words that can only be typed, and the short names of formats and standards.
TYPED = re.compile(
    r"'[^']*'|`[^`]*`|\"[^\"]*\"|--?[a-z][\w-]*|\S*[./=:<>\[\]]\S*|\b(?:JSON|CSV|Schema|UTF)\b"
)
NAMES = [name for name, _, _ in every_command()]
WRONG = (HERE / "cli" / "wrong.txt").read_text(encoding="utf-8").splitlines()


def english_in(line: str) -> list[str]:
    """Pieces of English: three words or more one after the other, without what is to be typed."""
    return re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]+){2,}", TYPED.sub("", line))


@pytest.fixture(params=["--lang", "DOMINION_SETUP_LANG", "config", "LANG"])
def asks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[str, ...]:
    """Options with which a person asks for Japanese; or they do so in another way, and these are none."""
    if request.param == "--lang":
        return ("--lang", "ja")
    if request.param == "config":
        monkeypatch.setattr("randomizer.load.paths.config_folder", lambda: str(tmp_path))
        (tmp_path / "config.toml").write_text('lang = "ja"', encoding="utf-8")
    else:
        monkeypatch.setenv(request.param, "ja" if "SETUP" in request.param else "ja_JP.UTF-8")
    return ()


class TestErrors:
    def test_there_are_enough(self) -> None:
        assert len(WRONG) >= 60

    @pytest.mark.parametrize("line", WRONG)
    def test_in_japanese(self, line: str) -> None:
        """The same status and as many lines, each in Japanese, unless it repeats what was typed."""
        typed, _, piped = line.partition(" <<< ")
        args = shlex.split(typed)
        english, japanese = run(*args, input=piped), run("--lang", "ja", *args, input=piped)
        assert japanese.exit_code == english.exit_code != 0
        lines = japanese.stderr.splitlines()
        assert len(lines) == len(english.stderr.splitlines()) <= 2
        (error,) = (each.removeprefix("エラー: ") for each in lines if each.startswith("エラー: "))
        assert JAPANESE.search(error)
        assert [found for each in lines if not each.startswith("  ") for found in english_in(each)] == []

    def test_however_it_is_asked_for(self, asks: tuple[str, ...]) -> None:
        """Also where the command line goes wrong before the option has been read."""
        for args in (
            ["--nonsense"],
            ["--players", "many"],
            ["shwo"],
            ["--profile", "x"],
            ["cards", "ferrymen"],
            ["--sets", "foo"],
        ):
            assert run(*args, *asks).stderr.startswith("エラー: "), args

    def test_a_language_that_there_is_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Is told in the next best one."""
        assert run("--lang", "xx").stderr.startswith("Error: no language")
        monkeypatch.setenv("LANG", "ja_JP.UTF-8")
        assert run("--lang", "xx").stderr.startswith("エラー: 'xx' という言語はありません。もしかして: en、")

    def test_names_are_those_of_the_game(self) -> None:
        text = run("--game", "pergamemnon", "--about", "--lang", "ja").stderr
        assert "ペルガメムノン" in text

    def test_error_without_attributes_stays_english(self) -> None:
        fault = translate_usage_error(click.UsageError("Whatever 'x' is."))
        assert load("ja").render(fault) == "Whatever 'x' is."


class TestWarnings:
    def test_of_the_configuration(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("randomizer.load.paths.config_folder", lambda: str(tmp_path))
        (tmp_path / "config.toml").write_text('lang = "ja"\ncolour = 1\nplayers = 99\n', encoding="utf-8")
        first, second = run("--seed", "1").stderr.splitlines()
        assert first.startswith("警告: ") and "'colour' は設定できません（color ならできます）" in first
        assert (
            second.startswith("警告: ")
            and "players = 99: ドミニオンは2人から6人用です（指定は99人）。" in second
        )

    def test_of_a_seed_and_of_defaults(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("randomizer.load.paths.config_folder", lambda: str(tmp_path))
        (tmp_path / "config.toml").write_text('lang = "ja"\nwithout = "attack"\n', encoding="utf-8")
        assert run("--seed", "1").stderr.startswith("--seed があるので")
        assert "設定ファイルの値を使っているオプション: --without" in run("--with", "witch").stderr

    def test_of_a_guess(self) -> None:
        assert "{" not in run("rules", "xyzzyplugh", "--lang", "ja").stderr


class TestHelp:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_line_is_japanese(self, name: str) -> None:
        """But how it is typed, examples, and the place of a file."""
        text = run(*name.split(), "--help", "--lang", "ja", env={"COLUMNS": "80"}).stdout
        assert text != run(*name.split(), "--help").stdout
        for line in self._told(text):
            assert JAPANESE.search(line), line
            assert english_in(line) == []

    def _told(self, text: str) -> Iterator[str]:
        for line in text.splitlines():
            if line and not re.match(r"使い方: | +(dominion-setup|/)", line):
                yield line

    @pytest.mark.parametrize("name", NAMES)
    def test_it_fits_the_width_of_a_screen(self, name: str) -> None:
        text = run(*name.split(), "--help", "--lang", "ja").stdout
        told = [line for line in text.splitlines() if not re.match(r" +(dominion-setup|/)", line)]
        assert max(map(width, told)) <= 80

    def test_columns_align(self) -> None:
        rows = [line for line in run("--help", "--lang", "ja").stdout.splitlines() if line.startswith("  -")]
        assert len(rows) > 30
        assert [row for row in rows if row[:30].isascii() and row[29] == " " and row[30] != " "] == rows

    def test_however_it_is_asked_for(self, asks: tuple[str, ...]) -> None:
        for args in (["--help"], ["cards", "-h"], ["history", "show", "--help"]):
            assert run(*args, *asks).stdout.startswith("使い方: dominion-setup"), args

    def test_where_the_letters_are_lacking_it_is_english(self) -> None:
        narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        for args in (["--help"], ["cards", "--help"]):
            done = run_in_process(*args, "--lang", "ja", env=narrow)
            assert done.stdout == run_in_process(*args, env=narrow).stdout and done.stderr == b""
        assert run_in_process("--sets", "foo", "--lang", "ja", env=narrow).stderr.startswith(b"Error: no set")

    def test_the_numbers_of_another_game(self) -> None:
        assert "プレイヤー数（2～5）" in run("--game", "pergamemnon", "--help", "--lang", "ja").stdout
