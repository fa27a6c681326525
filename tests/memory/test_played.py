"""The file of played games: nothing that was confirmed is lost, whatever happens to whoever writes."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from randomizer.memory import played
from randomizer.memory.noted import PlayedGame
from randomizer.memory.played import BadHistory
from randomizer.text.errors import BadOptions
from tests.support import FOLDERS, HERE, run
from tests.support.nasty import raw

# Adds games without end, or so many, and prints the number of each as soon as it is confirmed.
ADDING = """
import sys
import time
from randomizer.memory.played import add
from randomizer.memory.noted import PlayedGame
name, many, cards = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(many):
    names = tuple(f"Card {place}" for place in range(cards))
    key = f"{name}-{number}"
    game = PlayedGame(key, "2026-11-22", (("A", number),), 3, "x" * 500, "dominion", key, {}, names, (), ())
    (id_,) = add([game])
    print(f"{id_} {key}", flush=True)
    time.sleep(0.002)  # or another that waits for its turn might wait too long
"""


def game(key: str, date: str = "2026-11-22", *cards: str, name: str = "dominion") -> PlayedGame:
    return PlayedGame(
        key, date, (("A", 32), ("花子", None)), 4, "a note", name, "k7f3", {"players": 2}, cards, (), ()
    )


def adding(
    name: str, many: int, cards: int = 10, limit: int = 0, told: Path | None = None
) -> "subprocess.Popen[str]":
    """A process that adds games.

    Args:
        name: what their keys begin with.
        many: how many.
        cards: how many each has.
        limit: how many bytes a file may have.
        told: a file for what it confirms.
    """
    return subprocess.Popen(
        [sys.executable, "-c", ADDING, name, str(many), str(cards)],
        cwd=HERE.parent,
        env={**{key: os.environ[key] for key in ("PATH", *FOLDERS)}, **UNCOMPILED},
        stdout=open(told, "w") if told else subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None,
    )


# Where files can only be so long, Python would leave the first half of what it compiles, for everybody else.
UNCOMPILED = {"PYTHONDONTWRITEBYTECODE": "1"}


def whole() -> None:
    """The file is sound, and every game in it is whole."""
    with sqlite3.connect(played.path()) as open_:
        assert open_.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert open_.execute("PRAGMA foreign_key_check").fetchall() == []
    open_.close()
    assert {len(game.kingdom) for game in played.games()} <= {10, 400}


class TestGames:
    def test_come_back_as_they_went_in(self) -> None:
        assert played.games() == []
        noted = game("a", "2026-11-22", "Moat", "Young Witch")._replace(
            landscapes=("Quest",), others=("Envoy",)
        )
        assert played.add([noted, game("b")]) == [1, 2]
        assert played.games() == [noted._replace(id=1), game("b")._replace(id=2)]
        assert played.one(2).key == "b"

    def test_in_the_order_in_which_they_were_played(self) -> None:
        played.add([game("new", "2026-11-22"), game("old", "2025-01-01"), game("newest", "2026-11-22")])
        assert [one.key for one in played.games()] == ["old", "new", "newest"]

    def test_what_is_there_is_not_added_again(self) -> None:
        assert played.add([game("a"), game("a")]) == [1]
        assert played.add([game("b"), game("a")]) == [2]

    def test_none_is_added_where_one_fails(self) -> None:
        with pytest.raises(BadHistory):
            played.add([game("a"), game("b")._replace(note=None)])  # type: ignore[arg-type]
        assert played.games() == []

    def test_numbers_are_never_used_again(self) -> None:
        played.add([game("a"), game("b")])
        assert [one.key for one in played.forget([2])] == ["b"]
        assert played.add([game("c")]) == [3]

    def test_all_are_forgotten_or_none(self) -> None:
        played.add([game("a"), game("b")])
        with pytest.raises(BadOptions, match="no game has the number 7"):
            played.forget([1, 7])
        assert len(played.games()) == 2
        assert [one.id for one in played.forget([2, 1, 2])] == [2, 1]
        assert played.games() == []

    def test_what_is_forgotten_is_not_in_the_file(self) -> None:
        played.add([game("a")._replace(note="a secret")])
        assert b"a secret" in Path(played.path()).read_bytes()
        played.forget([1])
        assert b"a secret" not in Path(played.path()).read_bytes()

    def test_nothing_is_written_to_be_read(self) -> None:
        assert run("history").exit_code == 1
        assert run("history", "forget", "1").exit_code == 2
        assert not os.path.exists(played.path())


class TestCardsOfTheLastGames:
    def test_of_as_many_as_asked_for_the_last_first(self) -> None:
        played.add([game("c", "2026-11-20", "Moat"), game("a", "2026-11-22", "Militia", "Mine")])
        played.add([game("b", "2026-11-21", "Mine", "Market")])
        assert played.cards_of_last(0, "dominion") == []
        assert played.cards_of_last(1, "dominion") == ["Militia", "Mine"]
        assert played.cards_of_last(2, "dominion") == ["Militia", "Mine", "Market"]
        assert played.cards_of_last(99, "dominion") == ["Militia", "Mine", "Market", "Moat"]

    def test_of_that_game_alone(self) -> None:
        played.add([game("a", "2026-11-20", "Moat"), game("b", "2026-11-22", "Nile", name="pergamemnon")])
        assert played.cards_of_last(1, "dominion") == ["Moat"]


# ── Whatever happens to whoever writes ──


class TestAtOnce:
    def test_many_processes(self) -> None:
        """From an empty folder, so that all of them want to make the file."""
        processes = [adding(f"p{number}", 12) for number in range(4)]
        confirmed = []
        for process in processes:
            output, errors = process.communicate(timeout=120)
            assert (process.returncode, errors) == (0, "")
            confirmed += output.splitlines()
        assert len(confirmed) == 48 == len({line.partition(" ")[0] for line in confirmed})
        assert {f"{one.id} {one.key}" for one in played.games()} == set(confirmed)
        whole()

    def test_whoever_reads_meanwhile_sees_whole_games(self) -> None:
        with adding("p", 40) as process:
            seen = [len(played.games())]
            while process.poll() is None:
                found = played.games()
                assert all(len(one.kingdom) == 10 and len(one.players) == 1 for one in found)
                seen.append(len(found))
            assert process.returncode == 0
        assert seen == sorted(seen) and len(played.games()) == 40

    def test_one_that_waits_too_long_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played.add([game("a")])
        monkeypatch.setattr(played, "PATIENCE", 0.1)
        other = sqlite3.connect(played.path(), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        run("--seed", "1")
        result = run("played")
        other.close()
        assert (result.exit_code, result.stdout) == (1, "")
        assert "database is locked; nothing has been changed" in result.stderr
        assert len(played.games()) == 1 and run("played").exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
class TestKilled:
    def test_at_any_moment(self, folders: Path) -> None:
        """Two write at once and are killed again and again; what each has confirmed is there, and whole."""
        chance = random.Random(7)
        for round_ in range(8):
            told = [folders / f"r{round_}-{number}" for number in range(2)]
            processes = [adding(file.name, 10_000, cards=400, told=file) for file in told]
            while not all(file.exists() and file.stat().st_size for file in told):
                assert not any(process.poll() for process in processes)  # both get their turn, and go on
                time.sleep(0.01)  # until both are at work
            time.sleep(chance.random() * 0.1)
            for process in processes:
                os.kill(process.pid, signal.SIGKILL)
                assert (process.communicate()[1], process.returncode) == ("", -signal.SIGKILL)
        confirmed = {line for file in folders.glob("r*") for line in file.read_text().splitlines()}
        there = {f"{one.id} {one.key}" for one in played.games()}
        assert len(confirmed) >= 16
        assert confirmed - there == set()
        assert len(there - confirmed) <= 16  # each may have been killed before it could say so
        whole()

    def test_between_its_steps(self) -> None:
        """Before each statement in turn: the game is there as a whole, or not at all."""
        stopping = """
import os, sqlite3, sys
from randomizer.memory import played
from randomizer.memory.noted import PlayedGame
left = int(sys.argv[1])
class Stopping(sqlite3.Connection):
    def step(self):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
    def execute(self, *args):
        self.step()
        return super().execute(*args)
    def executemany(self, *args):
        self.step()
        return super().executemany(*args)
real = sqlite3.connect
played.sqlite3.connect = lambda *args, **kwargs: real(*args, factory=Stopping, **kwargs)
cards = ("C",) * 10, (), ()
played.add([PlayedGame(f"k{left}", "2026-11-22", (("A", 1),), 3, "", "dominion", "s", {}, *cards)])
print("done")
"""
        done = ""
        steps = 0
        while not done and steps < 60:
            process = subprocess.run(
                [sys.executable, "-c", stopping, str(steps)], cwd=HERE.parent, capture_output=True, text=True
            )
            done = process.stdout
            assert process.returncode == (0 if done else -signal.SIGKILL), process.stderr
            steps += 1
            assert [one.key for one in played.games()] == ([f"k{steps - 1}"] if done else [])
        assert done and steps > 10
        whole()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
class TestFull:
    def test_a_disk(self) -> None:
        """What was confirmed before it was full is there; what could not be written is told in a line."""
        with adding("p", 10_000, limit=300_000) as process:
            output, errors = process.communicate(timeout=120)
        confirmed = set(output.splitlines())
        assert process.returncode == 1 and "BadHistory" in errors and len(confirmed) > 5
        assert {f"{one.id} {one.key}" for one in played.games()} == confirmed
        whole()
        assert played.add([game("after", "2026-11-22", *map(str, range(10)))])
        whole()

    def test_is_an_error_of_one_line(self) -> None:
        run("--seed", "1")
        for limit in (1, 1_000, 9_000, 20_000):
            done = subprocess.run(
                [sys.executable, "-m", "randomizer", "played"],
                cwd=HERE.parent,
                env={**os.environ, **UNCOMPILED},
                capture_output=True,
                text=True,
                preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),  # type: ignore[misc]
            )
            told = [line for line in done.stderr.splitlines() if not line.startswith("No file is named")]
            assert (done.returncode, done.stdout, len(told)) == (1, "", 1)
            assert told[0].startswith(f"Error: {played.path()}: ")
            assert told[0].endswith("; nothing has been changed.")
            assert played.games() == []


# ── Versions ──

ONE_MORE = ("ALTER TABLE game ADD COLUMN place TEXT NOT NULL DEFAULT ''", "CREATE TABLE mood (game INTEGER)")


class TestVersions:
    def test_an_older_file_is_copied_and_migrated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played.add([game("a"), game("b")])
        before = played.games()
        with monkeypatch.context() as patch:
            patch.setattr(played, "MIGRATIONS", (*played.MIGRATIONS, ONE_MORE))
            assert played.games() == before
            assert played.add([game("c")]) == [3]
        copy = f"{played.path()}.v1"
        assert (_version(played.path()), _version(copy)) == (2, 1)
        os.replace(copy, played.path())
        assert played.games() == before

    def test_no_older_copy_is_replaced(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played.add([game("a")])
        copy = Path(f"{played.path()}.v1")
        copy.write_text("the user's own")
        monkeypatch.setattr(played, "MIGRATIONS", (*played.MIGRATIONS, ONE_MORE))
        played.games()
        assert copy.read_text() == "the user's own" and _version(f"{copy}-1") == 1

    def test_a_migration_that_fails_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played.add([game("a")])
        before = Path(played.path()).read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(played, "MIGRATIONS", (*played.MIGRATIONS, (*ONE_MORE, "CREATE TABLE game (id)")))
            result = run("history")
        assert result.exit_code == 1 and len(result.stderr.splitlines()) == 1
        assert Path(played.path()).read_bytes() == before
        assert [one.key for one in played.games()] == ["a"]

    def test_two_that_migrate_at_once(self) -> None:
        """Each finds the games, and there is a copy."""
        played.add([game("a")])
        code = (
            "from randomizer.memory import played\n"
            f"played.MIGRATIONS = (*played.MIGRATIONS, {ONE_MORE!r})\n"
            "print([one.key for one in played.games()])"
        )
        command = [sys.executable, "-c", code]
        running = [
            subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True) for _ in range(3)
        ]
        assert [process.communicate()[0] for process in running] == ["['a']\n"] * 3
        assert _version(f"{played.path()}.v1") == 1 and not os.path.exists(f"{played.path()}.v1-1")

    def test_a_newer_one_is_left_alone(self) -> None:
        played.add([game("a")])
        with sqlite3.connect(played.path()) as open_:
            open_.execute("PRAGMA user_version = 99")
        open_.close()
        self.left_alone("is of a newer version of this program")

    def test_another_programs_is_left_alone(self) -> None:
        os.makedirs(os.path.dirname(played.path()))
        with sqlite3.connect(played.path()) as open_:
            open_.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, loot TEXT)")
        open_.close()
        self.left_alone("is another program's")

    def left_alone(self, said: str) -> None:
        before = Path(played.path()).read_bytes()
        run("--seed", "1")
        for args in (["history"], ["history", "--json"], ["history", "forget", "1"], ["played"]):
            result = run(*args)
            assert (result.exit_code, result.stdout) == (1, ""), args
            assert said in result.stderr
        assert Path(played.path()).read_bytes() == before


def _version(path: str) -> int:
    with sqlite3.connect(path) as open_:
        (version,) = open_.execute("PRAGMA user_version").fetchone()
    open_.close()
    return int(version)


# ── Damage ──


class TestDamaged:
    def refused(self) -> None:
        run("--seed", "1")
        for args in (["history"], ["history", "show", "1"], ["history", "forget", "1"], ["played"]):
            result = run(*args)
            assert result.exit_code in (1, 2) and result.stdout == "", args
            told = [line for line in result.stderr.splitlines() if not line.startswith("No file is named")]
            assert len(told) == 1 and told[0].startswith("Error: ") and raw(result.stderr) == []

    @pytest.mark.parametrize("content", [b"nonsense", b"SQLite format 3\0" + b"\xff" * 4_000, b"\0" * 99])
    def test_not_a_database(self, content: bytes) -> None:
        os.makedirs(os.path.dirname(played.path()))
        Path(played.path()).write_bytes(content)
        self.refused()

    def test_a_folder(self) -> None:
        os.makedirs(played.path())
        self.refused()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
    def test_a_pipe_that_never_ends(self) -> None:
        os.makedirs(os.path.dirname(played.path()))
        os.mkfifo(played.path())
        self.refused()

    def test_any_byte(self) -> None:
        """No traceback, whichever part of the file is overwritten."""
        played.add([game(str(number), "2026-11-22", *map(str, range(30))) for number in range(40)])
        content = Path(played.path()).read_bytes()
        chance = random.Random(5)
        for _ in range(60):
            place = chance.randrange(len(content) - 40)
            Path(played.path()).write_bytes(content[:place] + chance.randbytes(40) + content[place + 40 :])
            result = run("history", "--json")
            assert result.exit_code in (0, 1) and len(result.stderr.splitlines()) <= 1
            assert result.exception is None or isinstance(result.exception, SystemExit)

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE game SET date = 'x'",
            "UPDATE game SET rating = 'best'",
            "UPDATE game SET options = '{'",
            "UPDATE game SET options = '[]'",
            "UPDATE game SET note = x'ff'",
            "UPDATE game SET note = CAST(x'ff' AS TEXT)",
            "UPDATE player SET score = 1.5",
            "UPDATE player SET name = ''",
            "UPDATE card SET name = 5.5",
            "DROP TABLE card",
        ],
    )
    def test_any_value(self, change: str) -> None:
        played.add([game("a", "2026-11-22", "Moat")])
        with sqlite3.connect(played.path()) as open_:
            open_.execute(change)
        open_.close()
        result = run("history")
        if "5.5" not in change:  # which SQLite takes for a text
            assert (result.exit_code, result.stdout) == (1, "")
            assert len(result.stderr.splitlines()) == 1 and raw(result.stderr) == []

    def test_what_cannot_be_seen_is_made_visible(self) -> None:
        played.add([game("a", "2026-11-22", "Moat")])
        with sqlite3.connect(played.path()) as open_:
            open_.execute("UPDATE game SET note = ?, game = ?", ("\x1b[31m\u202ered", "a\nb"))
            open_.execute("UPDATE player SET name = ?", ("A\x07",))
            open_.execute("UPDATE card SET name = ?", ("M\x1boat",))
        open_.close()
        for args in (["history"], ["history", "show", "1"], ["history", "--csv"], ["history", "--json"]):
            result = run(*args)
            assert (
                result.exit_code == 0
                and raw(result.stdout) == []
                and r"\x1b[31m" in result.stdout.replace("\\\\", "\\")
            )
