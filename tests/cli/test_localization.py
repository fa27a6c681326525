"""Help, errors and warnings in the reader's language."""

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
from tests.support import TESTS_DIR, iter_commands, run

JAPANESE = re.compile(r"[、。（）ぁ-ヿ㐀-鿿]")
# Texts that are the same in every language: quoted text, options, names of files and of formats.
UNTRANSLATED = re.compile(
    r"'[^']*'|`[^`]*`|\"[^\"]*\"|--?[a-z][\w-]*|\S*[./=:<>\[\]]\S*|\b(?:JSON|CSV|Schema|UTF)\b"
)
NAMES = [name for name, _, _ in iter_commands()]
WRONG = (TESTS_DIR / "cli" / "wrong.txt").read_text(encoding="utf-8").splitlines()


def find_english(line: str) -> list[str]:
    """Return the sequences of three or more English words, without untranslated texts."""
    return re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]+){2,}", UNTRANSLATED.sub("", line))


@pytest.fixture(params=["--lang", "DOMINION_SETUP_LANG", "config", "LANG"])
def japanese_option(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> tuple[str, ...]:
    """Choose Japanese in one of the possible ways; return the options for it, if any."""
    if request.param == "--lang":
        return ("--lang", "ja")
    if request.param == "config":
        monkeypatch.setattr("randomizer.load.paths.config_folder", lambda: str(tmp_path))
        (tmp_path / "config.toml").write_text('lang = "ja"', encoding="utf-8")
    else:
        monkeypatch.setenv(request.param, "ja" if "SETUP" in request.param else "ja_JP.UTF-8")
    return ()


class TestErrors:
    def test_wrong_command_lines_are_many(self) -> None:
        assert len(WRONG) >= 60

    @pytest.mark.parametrize("line", WRONG)
    def test_error_is_japanese(self, line: str) -> None:
        """The exit status and the number of lines are the same as in English."""
        typed, _, piped = line.partition(" <<< ")
        args = shlex.split(typed)
        english, japanese = run(*args, input=piped), run("--lang", "ja", *args, input=piped)
        assert japanese.exit_code == english.exit_code != 0
        lines = japanese.stderr.splitlines()
        assert len(lines) == len(english.stderr.splitlines()) <= 2
        (error,) = (each.removeprefix("エラー: ") for each in lines if each.startswith("エラー: "))
        assert JAPANESE.search(error)
        assert [found for each in lines if not each.startswith("  ") for found in find_english(each)] == []

    def test_error_is_japanese_however_it_is_selected(self, japanese_option: tuple[str, ...]) -> None:
        """Even if the error is found before the option is parsed."""
        for args in (
            ["--nonsense"],
            ["--players", "many"],
            ["shwo"],
            ["--profile", "x"],
            ["cards", "ferrymen"],
            ["--sets", "foo"],
        ):
            assert run(*args, *japanese_option).stderr.startswith("エラー: "), args

    def test_unknown_language_is_an_error_in_the_next_language(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The error is in the language that the environment selects."""
        assert run("--lang", "xx").stderr.startswith("Error: unknown language")
        monkeypatch.setenv("LANG", "ja_JP.UTF-8")
        assert run("--lang", "xx").stderr.startswith("エラー: 'xx' という言語はありません。もしかして: en、")

    def test_error_names_the_game_in_japanese(self) -> None:
        text = run("--game", "pergamemnon", "--about", "--lang", "ja").stderr
        assert "ペルガメムノン" in text

    def test_error_without_attributes_stays_english(self) -> None:
        fault = translate_usage_error(click.UsageError("Whatever 'x' is."))
        assert load("ja").render(fault) == "Whatever 'x' is."


class TestWarnings:
    def test_warning_about_the_configuration_is_japanese(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("randomizer.load.paths.config_folder", lambda: str(tmp_path))
        (tmp_path / "config.toml").write_text('lang = "ja"\ncolour = 1\nplayers = 99\n', encoding="utf-8")
        first, second = run("--seed", "1").stderr.splitlines()
        assert first.startswith("警告: ") and "'colour' は設定できません（color ならできます）" in first
        assert (
            second.startswith("警告: ")
            and "players = 99: ドミニオンは2人から6人用です（指定は99人）。" in second
        )

    def test_messages_about_defaults_are_japanese(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("randomizer.load.paths.config_folder", lambda: str(tmp_path))
        (tmp_path / "config.toml").write_text('lang = "ja"\nwithout = "attack"\n', encoding="utf-8")
        assert run("--seed", "1").stderr.startswith("--seed があるので")
        assert "の設定が効いているオプション: --without" in run("--with", "witch").stderr

    def test_message_about_no_result_is_complete(self) -> None:
        assert "{" not in run("rules", "xyzzyplugh", "--lang", "ja").stderr


class TestHelp:
    @pytest.mark.parametrize("name", NAMES)
    def test_help_is_japanese(self, name: str) -> None:
        """Usage, examples and paths are left out."""
        text = run(*name.split(), "--help", "--lang", "ja", env={"COLUMNS": "80"}).stdout
        assert text != run(*name.split(), "--help").stdout
        for line in self.list_lines(text):
            assert JAPANESE.search(line), line
            assert find_english(line) == []

    def list_lines(self, text: str) -> Iterator[str]:
        """Yield the lines that have to be translated."""
        for line in text.splitlines():
            if line and not re.match(r"使い方: | +(dominion-setup|/)", line):
                yield line

    @pytest.mark.parametrize("name", NAMES)
    def test_help_fits_80_columns(self, name: str) -> None:
        text = run(*name.split(), "--help", "--lang", "ja").stdout
        lines = [line for line in text.splitlines() if not re.match(r" +(dominion-setup|/)", line)]
        assert max(map(width, lines)) <= 80

    def test_help_columns_align(self) -> None:
        rows = [line for line in run("--help", "--lang", "ja").stdout.splitlines() if line.startswith("  -")]
        assert len(rows) > 30
        assert [row for row in rows if row[:30].isascii() and row[29] == " " and row[30] != " "] == rows

    def test_help_is_japanese_however_it_is_selected(self, japanese_option: tuple[str, ...]) -> None:
        for args in (["--help"], ["cards", "-h"], ["history", "show", "--help"]):
            assert run(*args, *japanese_option).stdout.startswith("使い方: dominion-setup"), args

    def test_help_and_errors_in_ascii_are_english(self) -> None:
        narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        for args in (["--help"], ["cards", "--help"]):
            done = run_in_process(*args, "--lang", "ja", env=narrow)
            assert done.stdout == run_in_process(*args, env=narrow).stdout and done.stderr == b""
        assert run_in_process("--sets", "foo", "--lang", "ja", env=narrow).stderr.startswith(
            b"Error: unknown set"
        )

    def test_help_has_the_player_counts_of_another_game(self) -> None:
        assert "プレイヤー数（2～5）" in run("--game", "pergamemnon", "--help", "--lang", "ja").stdout
