"""The last table: which deals are saved, which commands use it, and what happens if it is damaged."""

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer.memory import recent_tables
from tests.support import TESTS_DIR, run
from tests.support.nasty import find_unescaped

DEAL = ("--sets", "rising-sun", "--seed", "12")  # The table can have a second deal.
NO_FILE_NOTE = "No file given; using the last setup (seed 12).\n"
COMMANDS = (["show"], ["show", "--json"], ["rules", "--for"], ["divine-wind"], ["played"])


class TestSave:
    def test_commands_without_a_file_use_the_last_table(self) -> None:
        document = run(*DEAL, "--json").stdout
        for args in (["show"], ["show", "--json"], ["rules", "--for"], ["divine-wind", "--no-keep"]):
            named = run(*args, "-", input=document)
            result = run(*args)
            assert (result.exit_code, result.stdout, result.stderr) == (0, named.stdout, NO_FILE_NOTE), args
        assert run("rules", "--for", "--json").exit_code == 0

    def test_only_the_latest_table_is_saved(self) -> None:
        run("--seed", "1")
        run("--seed", "2", "--json")
        assert last_table.read()["seed"] == "2"
        assert os.listdir(os.path.dirname(last_table.path())) == ["last.json"]

    def test_second_deal_becomes_the_last_table(self) -> None:
        run(*DEAL)
        assert run("divine-wind").exit_code == 0
        assert "second_deal" in last_table.read()
        assert "has already been replaced" in run("divine-wind").stderr

    def test_several_deals_at_once_do_not_change_the_last_table(self) -> None:
        """Dealing one of them again by its own seed makes it the last table."""
        run("--seed", "1")
        lines = run("--seed", "many", "--count", "3").stdout.splitlines()
        assert last_table.read()["seed"] == "1"
        run("--seed", lines[1].partition(" ")[0])
        assert last_table.read()["seed"] == "many-2"

    @pytest.mark.parametrize("args", [["--no-keep"], ["--keep", "--no-keep"]])
    def test_no_keep_saves_nothing(self, args: list[str]) -> None:
        run("--seed", "1", *args)
        assert not os.path.exists(last_table.path())
        run(*DEAL)
        run("divine-wind", *args)
        assert "second_deal" not in last_table.read()

    def test_keep_may_have_a_default(self, folders: Path) -> None:
        file = folders / "XDG_CONFIG_HOME" / "dominion-randomizer" / "config.toml"
        file.parent.mkdir(parents=True)
        file.write_text("keep = false")
        run("--seed", "1")
        assert not os.path.exists(last_table.path())
        run("--seed", "2", "--keep")
        assert last_table.read()["seed"] == "2"

    def test_file_is_not_readable_by_other_users(self) -> None:
        run("--seed", "1")
        assert sys.platform == "win32" or os.stat(last_table.path()).st_mode & 0o77 == 0

    def test_note_about_the_last_table_is_in_the_readers_language(self) -> None:
        run("--seed", "1")
        assert "シード 1" in run("show", "--lang", "ja").stderr

    def test_last_table_may_be_of_another_game(self) -> None:
        run("--game", "pergamemnon", "--seed", "5")
        assert "Pergamemnon" in run("show").stdout


class TestMissing:
    @pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
    def test_missing_last_table_is_an_error(self, args: list[str]) -> None:
        result = run(*args)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == (
            "Error: there is no last setup yet; deal a kingdom, or name the file of a saved setup.\n"
        )

    def test_line_number_without_a_file_is_refused(self) -> None:
        run("--seed", "1")
        result = run("show", "--line", "1")
        assert result.exit_code == 2 and "name the file too" in result.stderr

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
    def test_deal_works_when_nothing_can_be_written(self, folders: Path) -> None:
        folders.chmod(0o500)
        result = run("--seed", "1")
        folders.chmod(0o700)
        assert (result.exit_code, result.stderr) == (0, "")

    def test_table_that_cannot_be_replaced_is_deleted_or_reported(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Otherwise users would take it for the table that they have just dealt."""

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        run("--seed", "1")
        monkeypatch.setattr(last_table, "write_atomically", full)
        result = run("--seed", "2")
        assert (result.exit_code, result.stderr) == (0, "") and not os.path.exists(last_table.path())
        write_last_table(b"{}")
        monkeypatch.setattr(os, "unlink", full)
        result = run("--seed", "2")
        assert result.exit_code == 0 and result.stdout
        assert result.stderr.startswith(f"Warning: {last_table.path()} can't be written")
        assert len(result.stderr.splitlines()) == 1


def write_last_table(content: bytes) -> None:
    path = Path(last_table.path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


class TestDamaged:
    def assert_refused(self) -> None:
        for args in COMMANDS:
            result = run(*args)
            assert result.exit_code == 2 and result.stdout == "", args
            assert len(result.stderr.splitlines()) == 1 and find_unescaped(result.stderr) == []
            assert result.stderr.startswith("Error: the last setup is damaged: ")
            assert result.stderr.endswith("Deal a new kingdom to replace it.\n")
        assert run("--seed", "1").stderr == ""
        assert last_table.read()["seed"] == "1"

    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"{", b"{}", b"[]", b"nonsense", b"\xff\0", b'{"schema": 2}', b'{"schema": 1}'),
            *(b"[" * 90_000, b'{"\\u001b[31m": 1}', "魔女".encode("cp932")),
        ],
    )
    def test_damaged_content_is_refused_and_replaced_by_a_deal(self, content: bytes) -> None:
        write_last_table(content)
        self.assert_refused()

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(length=st.integers(1, 20_000))
    def test_truncated_file_is_refused(self, length: int) -> None:
        run(*DEAL)
        content = Path(last_table.path()).read_bytes()
        write_last_table(content[: -min(length + 1, len(content))])
        assert run("show").exit_code == 2

    def test_too_large_a_file_is_refused_and_replaced_by_a_deal(self) -> None:
        write_last_table(b"")
        os.truncate(last_table.path(), 10**12)
        self.assert_refused()

    def test_folder_is_refused_and_reported_by_a_deal(self) -> None:
        os.makedirs(last_table.path())
        result = run("show")
        assert result.exit_code == 2 and "is not a regular file" in result.stderr
        assert "can't be written" in run("--seed", "1").stderr

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
    def test_pipe_is_refused_and_replaced_by_a_deal(self) -> None:
        os.makedirs(os.path.dirname(last_table.path()))
        os.mkfifo(last_table.path())
        self.assert_refused()

    @pytest.mark.skipif(sys.platform == "win32", reason="links are others there")
    def test_dangling_link_is_refused_and_replaced_by_a_deal(self) -> None:
        os.makedirs(os.path.dirname(last_table.path()))
        os.symlink("nowhere", last_table.path())
        self.assert_refused()


def _deal(seed: str) -> None:
    run("--seed", seed)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork there")
def test_reader_during_a_write_gets_a_complete_document() -> None:
    run("--seed", "0")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        dealing = pool.map_async(_deal, [str(number) for number in range(60)])
        read_count = 0
        while not dealing.ready():
            assert len(last_table.read()["piles"]) > 10
            read_count += 1
    assert read_count and os.listdir(os.path.dirname(last_table.path())) == ["last.json"]


def test_last_table_is_shared_between_processes() -> None:
    for args in (["--seed", "1"], ["show", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "randomizer", *args], cwd=TESTS_DIR.parent, capture_output=True
        )
        assert done.returncode == 0
    assert json.loads(done.stdout)["seed"] == "1"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folders are others there")
def test_relative_state_folder_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The XDG specification says so. Otherwise each working folder would have a last table."""
    monkeypatch.setenv("HOME", "/home/ann")
    for relative in ("", "state", "./state", "0"):
        monkeypatch.setenv("XDG_STATE_HOME", relative)
        assert last_table.path() == "/home/ann/.local/state/dominion-randomizer/last.json"
