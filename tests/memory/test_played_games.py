"""The history file: no confirmed game is lost, whatever happens to the program that writes."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from randomizer.memory import played_games
from randomizer.memory.database import BadDatabase
from randomizer.memory.played_game import PlayedGame
from randomizer.text.errors import BadOptions
from tests.support import TESTS_DIR, XDG_VARIABLES, run
from tests.support.nasty import find_unescaped

# Adds games and prints the id of each as soon as it is confirmed.
ADD_GAMES = """
import sys
import time
from randomizer.memory.played_games import add
from randomizer.memory.played_game import PlayedGame
name, game_count, card_count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(game_count):
    names = tuple(f"Card {index}" for index in range(card_count))
    key = f"{name}-{number}"
    game = PlayedGame(key, "2026-11-22", (("A", number),), 3, "x" * 500, "dominion", key, {}, names, (), ())
    (id_,) = add([game])
    print(f"{id_} {key}", flush=True)
    time.sleep(0.002)  # Otherwise another process might wait too long for its turn.
"""


def build_game(key: str, date: str = "2026-11-22", *cards: str, name: str = "dominion") -> PlayedGame:
    return PlayedGame(
        key, date, (("A", 32), ("花子", None)), 4, "a note", name, "k7f3", {"players": 2}, cards, (), ()
    )


def start_adding(
    name: str, game_count: int, card_count: int = 10, max_bytes: int = 0, output: Path | None = None
) -> "subprocess.Popen[str]":
    """Start a process that adds games.

    Args:
        name: the beginning of the keys of the games.
        game_count: the number of games.
        card_count: the number of cards of each game.
        max_bytes: the maximum size of a file that the process may write; 0 for no limit.
        output: a file for the output of the process; by default a pipe.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, max_bytes))

    return subprocess.Popen(
        [sys.executable, "-c", ADD_GAMES, name, str(game_count), str(card_count)],
        cwd=TESTS_DIR.parent,
        env={**{key: os.environ[key] for key in ("PATH", *XDG_VARIABLES)}, **NO_BYTECODE},
        stdout=open(output, "w") if output else subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit if max_bytes else None,
    )


# With a limit on file sizes Python would leave truncated bytecode for other processes.
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


def assert_file_is_sound() -> None:
    """Check that the file is sound and that every game in it is complete."""
    with closing(sqlite3.connect(played_games.get_path())) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert {len(game.kingdom) for game in played_games.load_games()} <= {10, 400}


class TestHistory:
    def test_added_games_are_loaded_unchanged(self) -> None:
        assert played_games.load_games() == []
        played = build_game("a", "2026-11-22", "Moat", "Young Witch")._replace(
            landscapes=("Quest",), others=("Envoy",)
        )
        assert played_games.add([played, build_game("b")]) == [1, 2]
        assert played_games.load_games() == [played._replace(id=1), build_game("b")._replace(id=2)]
        assert played_games.get_game(2).key == "b"

    def test_games_are_sorted_by_date_and_id(self) -> None:
        played_games.add(
            [
                build_game("new", "2026-11-22"),
                build_game("old", "2025-01-01"),
                build_game("newest", "2026-11-22"),
            ]
        )
        assert [game.key for game in played_games.load_games()] == ["old", "new", "newest"]

    def test_known_game_is_not_added_again(self) -> None:
        assert played_games.add([build_game("a"), build_game("a")]) == [1]
        assert played_games.add([build_game("b"), build_game("a")]) == [2]

    def test_no_game_is_added_if_one_fails(self) -> None:
        with pytest.raises(BadDatabase):
            played_games.add([build_game("a"), build_game("b")._replace(note=None)])  # type: ignore[arg-type]
        assert played_games.load_games() == []

    def test_ids_are_not_reused(self) -> None:
        played_games.add([build_game("a"), build_game("b")])
        assert [game.key for game in played_games.forget([2])] == ["b"]
        assert played_games.add([build_game("c")]) == [3]

    def test_forget_removes_all_games_or_none(self) -> None:
        played_games.add([build_game("a"), build_game("b")])
        with pytest.raises(BadOptions, match="there is no game 7"):
            played_games.forget([1, 7])
        assert len(played_games.load_games()) == 2
        assert [game.id for game in played_games.forget([2, 1, 2])] == [2, 1]
        assert played_games.load_games() == []

    def test_forgotten_game_is_overwritten_in_the_file(self) -> None:
        played_games.add([build_game("a")._replace(note="a secret")])
        assert b"a secret" in Path(played_games.get_path()).read_bytes()
        played_games.forget([1])
        assert b"a secret" not in Path(played_games.get_path()).read_bytes()

    def test_reading_creates_no_file(self) -> None:
        assert run("history").exit_code == 1
        assert run("history", "forget", "1").exit_code == 2
        assert not os.path.exists(played_games.get_path())


class TestEdit:
    def test_edit_replaces_the_details_of_one_game(self) -> None:
        played_games.add([build_game("a", "2026-11-22", "Moat"), build_game("b")])
        changed = build_game("a", "2025-01-01", "Moat")._replace(
            players=(("A", 1), ("B", 2)), winners=("B",), rating=None, note="new", id=1
        )
        assert played_games.edit(1, lambda game: changed) == changed
        assert played_games.load_games() == [changed, build_game("b")._replace(id=2)]

    def test_failed_change_changes_nothing(self) -> None:
        played_games.add([build_game("a")])
        before = played_games.load_games()

        def refuse(game: PlayedGame) -> PlayedGame:
            raise BadOptions("no")

        with pytest.raises(BadOptions, match="no"):
            played_games.edit(1, refuse)
        with pytest.raises(BadOptions, match="there is no game 2"):
            played_games.edit(2, lambda game: game)
        assert played_games.load_games() == before


class TestGetRecentCards:
    def test_cards_of_the_latest_games_come_first(self) -> None:
        played_games.add(
            [build_game("c", "2026-11-20", "Moat"), build_game("a", "2026-11-22", "Militia", "Mine")]
        )
        played_games.add([build_game("b", "2026-11-21", "Mine", "Market")])
        assert played_games.get_recent_cards(0, "dominion") == []
        assert played_games.get_recent_cards(1, "dominion") == ["Militia", "Mine"]
        assert played_games.get_recent_cards(2, "dominion") == ["Militia", "Mine", "Market"]
        assert played_games.get_recent_cards(99, "dominion") == ["Militia", "Mine", "Market", "Moat"]

    def test_other_games_are_not_counted(self) -> None:
        played_games.add(
            [build_game("a", "2026-11-20", "Moat"), build_game("b", "2026-11-22", "Nile", name="pergamemnon")]
        )
        assert played_games.get_recent_cards(1, "dominion") == ["Moat"]


# ── Concurrency, kills and a full disk ──


class TestConcurrency:
    def test_processes_that_add_at_once_lose_no_game(self) -> None:
        """The folder is empty at first, so all of them try to create the file."""
        processes = [start_adding(f"p{number}", 12) for number in range(4)]
        confirmed = []
        for process in processes:
            output, errors = process.communicate(timeout=120)
            assert (process.returncode, errors) == (0, "")
            confirmed += output.splitlines()
        assert len(confirmed) == 48 == len({line.partition(" ")[0] for line in confirmed})
        assert {f"{game.id} {game.key}" for game in played_games.load_games()} == set(confirmed)
        assert_file_is_sound()

    def test_reader_during_writes_sees_complete_games(self) -> None:
        with start_adding("p", 40) as process:
            counts = [len(played_games.load_games())]
            while process.poll() is None:
                found = played_games.load_games()
                assert all(len(game.kingdom) == 10 and len(game.players) == 1 for game in found)
                counts.append(len(found))
            assert process.returncode == 0
        assert counts == sorted(counts) and len(played_games.load_games()) == 40

    def test_lock_timeout_is_reported_and_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played_games.add([build_game("a")])
        monkeypatch.setattr(played_games, "LOCK_TIMEOUT", 0.1)
        other = sqlite3.connect(played_games.get_path(), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        run("--seed", "1")
        result = run("played")
        other.close()
        assert (result.exit_code, result.stdout) == (1, "")
        assert "database is locked; nothing was changed" in result.stderr
        assert len(played_games.load_games()) == 1 and run("played").exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
class TestKilled:
    def test_confirmed_games_survive_a_kill_at_any_moment(self, folders: Path) -> None:
        """Two processes write at once and are killed again and again."""
        rng = random.Random(7)
        for round_ in range(8):
            outputs = [folders / f"r{round_}-{number}" for number in range(2)]
            processes = [start_adding(file.name, 10_000, card_count=400, output=file) for file in outputs]
            while not all(file.exists() and file.stat().st_size for file in outputs):  # Wait for both.
                assert not any(process.poll() for process in processes)
                time.sleep(0.01)
            time.sleep(rng.random() * 0.1)
            for process in processes:
                os.kill(process.pid, signal.SIGKILL)
                assert (process.communicate()[1], process.returncode) == ("", -signal.SIGKILL)
        confirmed = {line for file in folders.glob("r*") for line in file.read_text().splitlines()}
        saved = {f"{game.id} {game.key}" for game in played_games.load_games()}
        assert len(confirmed) >= 16
        assert confirmed - saved == set()
        assert len(saved - confirmed) <= 16  # Each process may be killed between saving and printing.
        assert_file_is_sound()

    def test_kill_before_any_statement_leaves_all_or_nothing(self) -> None:
        code = """
import os, sqlite3, sys
from randomizer.memory import played_games
from randomizer.memory.played_game import PlayedGame
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
played_games.sqlite3.connect = lambda *args, **kwargs: real(*args, factory=Stopping, **kwargs)
cards = ("C",) * 10, (), ()
played_games.add([PlayedGame(f"k{left}", "2026-11-22", (("A", 1),), 3, "", "dominion", "s", {}, *cards)])
print("done")
"""
        done = ""
        step_count = 0
        while not done and step_count < 60:
            process = subprocess.run(
                [sys.executable, "-c", code, str(step_count)],
                cwd=TESTS_DIR.parent,
                capture_output=True,
                text=True,
            )
            done = process.stdout
            assert process.returncode == (0 if done else -signal.SIGKILL), process.stderr
            step_count += 1
            assert [game.key for game in played_games.load_games()] == (
                [f"k{step_count - 1}"] if done else []
            )
        assert done and step_count > 10
        assert_file_is_sound()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
class TestFullDisk:
    def test_confirmed_games_survive_a_full_disk(self) -> None:
        with start_adding("p", 10_000, max_bytes=300_000) as process:
            output, errors = process.communicate(timeout=120)
        confirmed = set(output.splitlines())
        assert process.returncode == 1 and "BadDatabase" in errors and len(confirmed) > 5
        assert {f"{game.id} {game.key}" for game in played_games.load_games()} == confirmed
        assert_file_is_sound()
        assert played_games.add([build_game("after", "2026-11-22", *map(str, range(10)))])
        assert_file_is_sound()

    def test_full_disk_is_an_error_of_one_line(self) -> None:
        run("--seed", "1")
        for limit in (1, 1_000, 9_000, 20_000):
            done = subprocess.run(
                [sys.executable, "-m", "randomizer", "played"],
                cwd=TESTS_DIR.parent,
                env={**os.environ, **NO_BYTECODE},
                capture_output=True,
                text=True,
                preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),  # type: ignore[misc]
            )
            lines = [line for line in done.stderr.splitlines() if not line.startswith("No file given")]
            assert (done.returncode, done.stdout, len(lines)) == (1, "", 1)
            assert lines[0].startswith(f"Error: {played_games.get_path()}: ")
            assert lines[0].endswith("; nothing was changed.")
            assert played_games.load_games() == []


# ── Versions ──


def test_file_without_winners_is_migrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Winners of older records are inferred from the scores."""
    with monkeypatch.context() as patch:
        patch.setattr(played_games, "MIGRATIONS", played_games.MIGRATIONS[:1])
        patch.setattr(played_games, "_insert_players", lambda *_: None)
        played_games.add([build_game("a")])
    with closing(sqlite3.connect(played_games.get_path(), isolation_level=None)) as connection:
        connection.executemany("INSERT INTO player VALUES (1, ?, ?, ?)", [(0, "A", 3), (1, "B", 5)])
    (game,) = played_games.load_games()
    assert (game.players, game.winners) == ((("A", 3), ("B", 5)), ("B",))


NEXT_MIGRATION = (
    "ALTER TABLE game ADD COLUMN place TEXT NOT NULL DEFAULT ''",
    "CREATE TABLE mood (game INTEGER)",
)


class TestMigrations:
    def test_older_file_is_backed_up_and_migrated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played_games.add([build_game("a"), build_game("b")])
        before = played_games.load_games()
        with monkeypatch.context() as patch:
            patch.setattr(played_games, "MIGRATIONS", (*played_games.MIGRATIONS, NEXT_MIGRATION))
            assert played_games.load_games() == before
            assert played_games.add([build_game("c")]) == [3]
        versions = len(played_games.MIGRATIONS)
        backup = f"{played_games.get_path()}.v{versions}"
        assert (_version(played_games.get_path()), _version(backup)) == (versions + 1, versions)
        assert os.stat(backup).st_mode & 0o77 == 0
        os.replace(backup, played_games.get_path())
        assert played_games.load_games() == before

    def test_existing_backup_is_not_overwritten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played_games.add([build_game("a")])
        versions = len(played_games.MIGRATIONS)
        backup = Path(f"{played_games.get_path()}.v{versions}")
        backup.write_text("the user's own")
        monkeypatch.setattr(played_games, "MIGRATIONS", (*played_games.MIGRATIONS, NEXT_MIGRATION))
        played_games.load_games()
        assert backup.read_text() == "the user's own" and _version(f"{backup}-1") == versions

    def test_failed_migration_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played_games.add([build_game("a")])
        before = Path(played_games.get_path()).read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(
                played_games,
                "MIGRATIONS",
                (*played_games.MIGRATIONS, (*NEXT_MIGRATION, "CREATE TABLE game (id)")),
            )
            result = run("history")
        assert result.exit_code == 1 and len(result.stderr.splitlines()) == 1
        assert Path(played_games.get_path()).read_bytes() == before
        assert [game.key for game in played_games.load_games()] == ["a"]

    def test_processes_that_migrate_at_once_make_one_backup(self) -> None:
        played_games.add([build_game("a")])
        code = (
            "from randomizer.memory import played_games\n"
            f"played_games.MIGRATIONS = (*played_games.MIGRATIONS, {NEXT_MIGRATION!r})\n"
            "print([game.key for game in played_games.load_games()])"
        )
        command = [sys.executable, "-c", code]
        running = [
            subprocess.Popen(command, cwd=TESTS_DIR.parent, stdout=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        assert [process.communicate()[0] for process in running] == ["['a']\n"] * 3
        versions = len(played_games.MIGRATIONS)
        backup = f"{played_games.get_path()}.v{versions}"
        assert _version(backup) == versions and not os.path.exists(f"{backup}-1")

    def test_newer_file_is_refused_unchanged(self) -> None:
        played_games.add([build_game("a")])
        with sqlite3.connect(played_games.get_path()) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        self.assert_refused_unchanged("comes from a newer version of this program")

    def test_file_of_another_program_is_refused_unchanged(self) -> None:
        os.makedirs(os.path.dirname(played_games.get_path()))
        with sqlite3.connect(played_games.get_path()) as connection:
            connection.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, loot TEXT)")
        connection.close()
        self.assert_refused_unchanged("belongs to another program")

    def assert_refused_unchanged(self, error: str) -> None:
        before = Path(played_games.get_path()).read_bytes()
        run("--seed", "1")
        for args in (["history"], ["history", "--json"], ["history", "forget", "1"], ["played"]):
            result = run(*args)
            assert (result.exit_code, result.stdout) == (1, ""), args
            assert error in result.stderr
        assert Path(played_games.get_path()).read_bytes() == before


def _version(path: str) -> int:
    with sqlite3.connect(path) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(version)


# ── Damage ──


class TestDamaged:
    def assert_refused(self) -> None:
        run("--seed", "1")
        for args in (["history"], ["history", "show", "1"], ["history", "forget", "1"], ["played"]):
            result = run(*args)
            assert result.exit_code in (1, 2) and result.stdout == "", args
            lines = [line for line in result.stderr.splitlines() if not line.startswith("No file given")]
            assert len(lines) == 1 and lines[0].startswith("Error: ") and find_unescaped(result.stderr) == []

    @pytest.mark.parametrize("content", [b"nonsense", b"SQLite format 3\0" + b"\xff" * 4_000, b"\0" * 99])
    def test_file_that_is_no_database_is_refused(self, content: bytes) -> None:
        os.makedirs(os.path.dirname(played_games.get_path()))
        Path(played_games.get_path()).write_bytes(content)
        self.assert_refused()

    def test_folder_is_refused(self) -> None:
        os.makedirs(played_games.get_path())
        self.assert_refused()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
    def test_pipe_is_refused(self) -> None:
        os.makedirs(os.path.dirname(played_games.get_path()))
        os.mkfifo(played_games.get_path())
        self.assert_refused()

    def test_overwritten_bytes_cause_no_traceback(self) -> None:
        played_games.add(
            [build_game(str(number), "2026-11-22", *map(str, range(30))) for number in range(40)]
        )
        content = Path(played_games.get_path()).read_bytes()
        rng = random.Random(5)
        for _ in range(60):
            offset = rng.randrange(len(content) - 40)
            Path(played_games.get_path()).write_bytes(
                content[:offset] + rng.randbytes(40) + content[offset + 40 :]
            )
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
    def test_invalid_value_in_the_tables_is_reported(self, change: str) -> None:
        played_games.add([build_game("a", "2026-11-22", "Moat")])
        with sqlite3.connect(played_games.get_path()) as connection:
            connection.execute(change)
        connection.close()
        result = run("history")
        if "5.5" not in change:  # SQLite converts that to a text.
            assert (result.exit_code, result.stdout) == (1, "")
            assert len(result.stderr.splitlines()) == 1 and find_unescaped(result.stderr) == []

    def test_invisible_characters_in_the_tables_are_escaped(self) -> None:
        played_games.add([build_game("a", "2026-11-22", "Moat")])
        with sqlite3.connect(played_games.get_path()) as connection:
            connection.execute("UPDATE game SET note = ?, game = ?", ("\x1b[31m\u202ered", "a\nb"))
            connection.execute("UPDATE player SET name = ?", ("A\x07",))
            connection.execute("UPDATE card SET name = ?", ("M\x1boat",))
        connection.close()
        for args in (["history"], ["history", "show", "1"], ["history", "--csv"], ["history", "--json"]):
            result = run(*args)
            assert (
                result.exit_code == 0
                and find_unescaped(result.stdout) == []
                and r"\x1b[31m" in result.stdout.replace("\\\\", "\\")
            )
