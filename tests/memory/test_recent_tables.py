"""Recent tables: which deals are saved, which commands use them, and what happens if one is damaged."""

import json
import multiprocessing
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer.memory import played_games, recent_tables
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

    def test_latest_table_is_the_first(self) -> None:
        run("--seed", "1")
        run("--seed", "2", "--json")
        assert recent_tables.read()["seed"] == "2"
        assert [table["seed"] for table in recent_tables.describe_tables()] == ["2", "1"]

    def test_second_deal_becomes_the_last_table(self) -> None:
        run(*DEAL)
        assert run("divine-wind").exit_code == 0
        assert "second_deal" in recent_tables.read()
        assert "has already been replaced" in run("divine-wind").stderr

    def test_several_deals_at_once_do_not_change_the_last_table(self) -> None:
        """Dealing one of them again by its own seed makes it the last table."""
        run("--seed", "1")
        lines = run("--seed", "many", "--count", "3").stdout.splitlines()
        assert recent_tables.read()["seed"] == "1"
        run("--seed", lines[1].partition(" ")[0])
        assert recent_tables.read()["seed"] == "many-2"

    @pytest.mark.parametrize("args", [["--no-keep"], ["--keep", "--no-keep"]])
    def test_no_keep_saves_nothing(self, args: list[str]) -> None:
        run("--seed", "1", *args)
        assert not os.path.exists(recent_tables.get_path())
        run(*DEAL)
        run("divine-wind", *args)
        assert "second_deal" not in recent_tables.read()

    def test_keep_may_have_a_default(self, folders: Path) -> None:
        file = folders / "XDG_CONFIG_HOME" / "dominion-randomizer" / "config.toml"
        file.parent.mkdir(parents=True)
        file.write_text("keep = false")
        run("--seed", "1")
        assert not os.path.exists(recent_tables.get_path())
        run("--seed", "2", "--keep")
        assert recent_tables.read()["seed"] == "2"

    def test_file_is_not_readable_by_other_users(self) -> None:
        run("--seed", "1")
        (name,) = os.listdir(recent_tables.get_path())
        mode = os.stat(os.path.join(recent_tables.get_path(), name)).st_mode
        assert sys.platform == "win32" or mode & 0o77 == 0

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

    def test_table_that_cannot_be_written_is_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Otherwise users would take an older table for the one that they have just dealt."""

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        run("--seed", "1")
        monkeypatch.setattr(recent_tables, "write_atomically", full)
        result = run("--seed", "2")
        assert result.exit_code == 0 and result.stdout
        assert result.stderr == (
            f"Warning: {recent_tables.get_path()} can't be written, "
            "so the last setup is still an older one.\n"
        )
        assert recent_tables.read()["seed"] == "1"


def get_file(number: int = 1) -> Path:
    """Return the path of the document of a recent table."""
    return (
        Path(recent_tables.get_path())
        / sorted(os.listdir(recent_tables.get_path()), reverse=True)[number - 1]
    )


def write_last_table(content: bytes) -> None:
    path = Path(recent_tables.get_path(), f"{10**17:020}-00000000.json")
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
        assert recent_tables.read()["seed"] == "1"

    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"{", b"{}", b"[]", b"nonsense", b"\xff\0", b'{"schema": 1}', b'{"schema": 2}'),
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
        content = get_file().read_bytes()
        get_file().write_bytes(content[: -min(length + 1, len(content))])
        assert run("show").exit_code == 2

    def test_too_large_a_file_is_refused_and_replaced_by_a_deal(self) -> None:
        write_last_table(b"")
        os.truncate(get_file(), 10**12)
        self.assert_refused()

    def test_folder_is_refused_and_replaced_by_a_deal(self) -> None:
        write_last_table(b"")
        file = get_file()
        file.unlink()
        file.mkdir()
        self.assert_refused()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
    def test_pipe_is_refused_and_replaced_by_a_deal(self) -> None:
        write_last_table(b"")
        file = get_file()
        file.unlink()
        os.mkfifo(file)
        self.assert_refused()

    @pytest.mark.skipif(sys.platform == "win32", reason="links are others there")
    def test_dangling_link_is_refused_and_replaced_by_a_deal(self) -> None:
        write_last_table(b"")
        file = get_file()
        file.unlink()
        os.symlink("nowhere", file)
        self.assert_refused()

    def test_damaged_older_table_is_listed_and_the_others_work(self) -> None:
        for seed in ("1", "2", "3"):
            run("--seed", seed)
        get_file(2).write_bytes(b"{}")
        result = run("show", "2")
        assert result.exit_code == 2 and result.stderr.startswith("Error: setup 2 is damaged: ")
        assert "damaged" in run("tables").stdout.splitlines()[3]
        assert json.loads(run("tables", "--json").stdout)["tables"][1]["damaged"] is True
        assert "seed 1" in run("show", "3").stdout


class TestEarlierTables:
    def test_number_selects_an_earlier_table(self) -> None:
        for seed in ("a", "b", "c"):
            run("--seed", seed, "--sets", "base,adventures")
        for number, seed in (("1", "c"), ("2", "b"), ("3", "a")):
            result = run("show", number, "--json")
            assert (json.loads(result.stdout)["seed"], result.stderr) == (seed, "")
        assert "seed b" in run("swap", "--for", "2", "--no-keep", get_kingdom_card(2)).stdout
        assert run("rules", "--for", "2").stdout == run("rules", "--for", "-", input=get_json(2)).stdout
        assert run("played", "2").exit_code == 0
        assert [game.seed for game in played_games.load_games()] == ["b"]

    def test_number_without_a_table_is_refused(self) -> None:
        for number in ("4", "999999999"):
            assert run("show", number).exit_code == 1  # There are no tables at all.
        run("--seed", "a")
        for args in (["show", "2"], ["played", "2"], ["rules", "--for", "2"], ["swap", "moat", "--for", "2"]):
            result = run(*args)
            assert (result.exit_code, result.stdout) == (2, "")
            assert "there is no setup 2; `dominion-setup tables` lists 1." in result.stderr
        assert "name the file too" in run("show", "1", "--line", "1").stderr

    def test_file_with_a_number_as_its_name_can_be_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        document = run("--seed", "file", "--no-keep", "--json").stdout
        for seed in ("a", "b"):
            run("--seed", seed)
        monkeypatch.chdir(tmp_path)
        for name in ("2", "0", "02"):
            (tmp_path / name).write_text(document, encoding="utf-8")
        assert "seed a" in run("show", "2").stdout
        for name in ("./2", "0", "02"):
            assert "seed file" in run("show", name).stdout

    def test_tables_lists_what_was_dealt_and_recorded(self) -> None:
        run("--seed", "a", "--sets", "base,adventures", "--players", "3")
        run("played")
        run("played", "--again")
        run("--seed", "b", "--sets", "seaside")
        heading, _, first, second = run("tables").stdout.splitlines()
        assert heading.split() == ["no.", "dealt", "seed", "players", "boxes", "recorded", "as"]
        assert re.fullmatch(r" +1  \d{4}-\d\d-\d\d \d\d:\d\d  b +2  Seaside 2E", first)
        assert second.split()[3:] == ["a", "3", "Base", "2E,", "Adventures", "game", "1,", "game", "2"]
        assert "海辺 第二版" in run("tables", "--lang", "ja").stdout
        table = json.loads(run("tables", "--json").stdout)["tables"][1]
        assert (table["number"], table["seed"], table["players"], table["games"]) == (2, "a", 3, [1, 2])
        assert [box["slug"] for box in table["boxes"]] == ["base-2e", "adventures"]
        dealt = datetime.fromisoformat(table["dealt"])
        assert timedelta(0) <= datetime.now(UTC) - dealt < timedelta(hours=1)

    def test_table_with_an_open_veto_is_listed(self) -> None:
        run("--sets", "base", "--veto", "1", "--seed", "open")
        (table,) = json.loads(run("tables", "--json").stdout)["tables"]
        assert (table["seed"], table["games"]) == ("open", [])

    def test_tables_without_a_deal_is_an_error(self) -> None:
        result = run("tables")
        assert (result.exit_code, result.stdout) == (1, "") and "there is no last setup yet" in result.stderr
        assert json.loads(run("tables", "--json").stdout) == {"schema": 1, "tables": []}

    def test_only_the_last_tables_are_kept(self) -> None:
        text = run("--seed", "x", "--no-keep", "--json").stdout
        for number in range(recent_tables.MAX_TABLES + 5):
            incomplete = Path(recent_tables.get_path(), f"{number:020}-00000000.json.1.abc")
            assert recent_tables.save(text.replace('"seed": "x"', f'"seed": "{number}"'))
            if number < 3:
                incomplete.write_bytes(b"{")  # A process was killed while it wrote this file.
        assert len(os.listdir(recent_tables.get_path())) == recent_tables.MAX_TABLES
        seeds = [table["seed"] for table in recent_tables.describe_tables()]
        assert seeds == [str(number) for number in range(recent_tables.MAX_TABLES + 4, 4, -1)]

    def test_clock_that_is_set_back_does_not_change_the_order(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run("--seed", "1")
        monkeypatch.setattr(time, "time_ns", lambda: 1)
        run("--seed", "2")
        run("--seed", "3")
        assert [table["seed"] for table in recent_tables.describe_tables()] == ["3", "2", "1"]

    def test_files_of_others_are_ignored_and_kept(self) -> None:
        run("--seed", "1")
        file = Path(recent_tables.get_path(), "notes.txt")
        file.write_text("mine")
        for seed in range(3):
            run("--seed", str(seed))
        assert len(recent_tables.describe_tables()) == 4 and file.exists()


def get_json(number: int) -> str:
    return run("show", str(number), "--json").stdout


def get_kingdom_card(number: int) -> str:
    """Return the name of a Kingdom card of a recent table."""
    return str(json.loads(get_json(number))["kingdom"][0])


def _deal(seed: str) -> None:
    run("--seed", seed)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork there")
def test_reader_during_a_write_gets_a_complete_document() -> None:
    run("--seed", "0")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        dealing = pool.map_async(_deal, [str(number) for number in range(60)])
        read_count = 0
        while not dealing.ready():
            assert len(recent_tables.read()["piles"]) > 10
            read_count += 1
    assert read_count
    seeds = {table["seed"] for table in recent_tables.describe_tables()}
    assert len(seeds) == recent_tables.MAX_TABLES == len(os.listdir(recent_tables.get_path()))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork there")
def test_processes_that_deal_at_once_lose_no_table() -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.map(_deal, [str(number) for number in range(40)], chunksize=1)
    assert {table["seed"] for table in recent_tables.describe_tables()} == set(map(str, range(40)))


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
        assert recent_tables.get_path() == "/home/ann/.local/state/dominion-randomizer/tables"
