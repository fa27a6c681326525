"""The last table: what is kept of a deal, who takes it, and what else may lie in its place."""

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer.memory import last
from tests.support import HERE, run
from tests.support.nasty import raw

DEAL = ("--sets", "rising-sun", "--seed", "12")  # a table with a second deal
NO_FILE = "No file is named, so this is the last table: seed 12.\n"
TAKERS = (["show"], ["show", "--json"], ["rules", "--for"], ["divine-wind"], ["played"])


class TestKept:
    def test_whoever_names_no_file_gets_it(self) -> None:
        document = run(*DEAL, "--json").stdout
        for args in (["show"], ["show", "--json"], ["rules", "--for"], ["divine-wind", "--no-keep"]):
            named = run(*args, "-", input=document)
            result = run(*args)
            assert (result.exit_code, result.stdout, result.stderr) == (0, named.stdout, NO_FILE), args
        assert run("rules", "--for", "--json").exit_code == 0

    def test_only_the_newest(self) -> None:
        run("--seed", "1")
        run("--seed", "2", "--json")
        assert last.read()["seed"] == "2"
        assert os.listdir(os.path.dirname(last.path())) == ["last.json"]

    def test_a_second_deal_is_one(self) -> None:
        run(*DEAL)
        assert run("divine-wind").exit_code == 0
        assert "second_deal" in last.read()
        assert "has been replaced already" in run("divine-wind").stderr

    def test_many_deals_leave_the_last_table_alone(self) -> None:
        """Nobody knows yet which of them will be played; its own seed deals it as the last table."""
        run("--seed", "1")
        lines = run("--seed", "many", "--count", "3").stdout.splitlines()
        assert last.read()["seed"] == "1"
        run("--seed", lines[1].partition(" ")[0])
        assert last.read()["seed"] == "many-2"

    @pytest.mark.parametrize("args", [["--no-keep"], ["--keep", "--no-keep"]])
    def test_turned_off(self, args: list[str]) -> None:
        run("--seed", "1", *args)
        assert not os.path.exists(last.path())
        run(*DEAL)
        run("divine-wind", *args)
        assert "second_deal" not in last.read()

    def test_turned_off_by_a_line_of_the_configuration(self, folders: Path) -> None:
        file = folders / "XDG_CONFIG_HOME" / "dominion-randomizer" / "config.toml"
        file.parent.mkdir(parents=True)
        file.write_text("keep = false")
        run("--seed", "1")
        assert not os.path.exists(last.path())
        run("--seed", "2", "--keep")
        assert last.read()["seed"] == "2"

    def test_nobody_else_reads_it(self) -> None:
        run("--seed", "1")
        assert sys.platform == "win32" or os.stat(last.path()).st_mode & 0o77 == 0

    def test_in_the_readers_language(self) -> None:
        run("--seed", "1")
        assert "シード 1" in run("show", "--lang", "ja").stderr

    def test_another_game_too(self) -> None:
        run("--game", "pergamemnon", "--seed", "5")
        assert "Pergamemnon" in run("show").stdout


class TestNone:
    @pytest.mark.parametrize("args", TAKERS, ids=" ".join)
    def test_is_said(self, args: list[str]) -> None:
        result = run(*args)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == (
            "Error: no table has been kept; deal one, or name the file of a setup document.\n"
        )

    def test_a_line_is_one_of_a_file(self) -> None:
        run("--seed", "1")
        result = run("show", "--line", "1")
        assert result.exit_code == 2 and "name the file too" in result.stderr

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
    def test_where_nothing_can_be_written_all_works(self, folders: Path) -> None:
        folders.chmod(0o500)
        result = run("--seed", "1")
        folders.chmod(0o700)
        assert (result.exit_code, result.stderr) == (0, "")

    def test_an_older_one_that_cannot_be_replaced_is_told_of(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Or people would take it for the table that they have just been dealt."""

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        run("--seed", "1")
        monkeypatch.setattr(last, "write_whole", full)
        result = run("--seed", "2")
        assert (result.exit_code, result.stderr) == (0, "") and not os.path.exists(last.path())
        put(b"{}")
        monkeypatch.setattr(os, "unlink", full)
        result = run("--seed", "2")
        assert result.exit_code == 0 and result.stdout
        assert result.stderr.startswith(f"Warning: {last.path()} cannot be written")
        assert len(result.stderr.splitlines()) == 1


def put(content: bytes) -> None:
    """Have something in the place of the last table."""
    place = Path(last.path())
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


class TestDamaged:
    def refused(self) -> None:
        for args in TAKERS:
            result = run(*args)
            assert result.exit_code == 2 and result.stdout == "", args
            assert len(result.stderr.splitlines()) == 1 and raw(result.stderr) == []
            assert result.stderr.startswith("Error: the last table is damaged: ")
            assert result.stderr.endswith("A new deal replaces it.\n")
        assert run("--seed", "1").stderr == ""
        assert last.read()["seed"] == "1"

    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"{", b"{}", b"[]", b"nonsense", b"\xff\0", b'{"schema": 2}', b'{"schema": 1}'),
            *(b"[" * 90_000, b'{"\\u001b[31m": 1}', "魔女".encode("cp932")),
        ],
    )
    def test_content(self, content: bytes) -> None:
        put(content)
        self.refused()

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(cut=st.integers(1, 20_000))
    def test_cut_off(self, cut: int) -> None:
        run(*DEAL)
        whole = Path(last.path()).read_bytes()
        put(whole[: -min(cut + 1, len(whole))])
        assert run("show").exit_code == 2

    def test_too_large(self) -> None:
        put(b"")
        os.truncate(last.path(), 10**12)
        self.refused()

    def test_a_folder(self) -> None:
        os.makedirs(last.path())
        result = run("show")
        assert result.exit_code == 2 and "is not a file" in result.stderr
        assert "cannot be written" in run("--seed", "1").stderr

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
    def test_a_pipe_that_never_ends(self) -> None:
        os.makedirs(os.path.dirname(last.path()))
        os.mkfifo(last.path())
        self.refused()

    @pytest.mark.skipif(sys.platform == "win32", reason="links are others there")
    def test_a_link_to_nowhere(self) -> None:
        os.makedirs(os.path.dirname(last.path()))
        os.symlink("nowhere", last.path())
        self.refused()


def _deal(seed: str) -> None:
    run("--seed", seed)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork there")
def test_whoever_reads_meanwhile_finds_one_or_the_other() -> None:
    run("--seed", "0")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        dealing = pool.map_async(_deal, [str(number) for number in range(60)])
        seen = 0
        while not dealing.ready():
            assert len(last.read()["piles"]) > 10
            seen += 1
    assert seen and os.listdir(os.path.dirname(last.path())) == ["last.json"]


def test_in_a_process_of_its_own() -> None:
    """With the program as people start it."""
    for args in (["--seed", "1"], ["show", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "randomizer", *args], cwd=HERE.parent, capture_output=True
        )
        assert done.returncode == 0
    assert json.loads(done.stdout)["seed"] == "1"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folders are others there")
def test_a_folder_that_is_no_whole_path_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The specification of these variables says so; else each working folder would have a last table."""
    monkeypatch.setenv("HOME", "/home/ann")
    for said in ("", "state", "./state", "0"):
        monkeypatch.setenv("XDG_STATE_HOME", said)
        assert last.path() == "/home/ann/.local/state/dominion-randomizer/last.json"
