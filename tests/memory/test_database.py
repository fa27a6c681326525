"""Opening SQLite files: who may read them, to which program they belong, and what a transaction leaves."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from randomizer.memory.database import BadDatabase, DatabaseFile, transaction
from randomizer.memory.ticks import APPLICATION_ID, TickDatabase

TABLES = ("CREATE TABLE fruit (name TEXT)",)


@pytest.fixture
def file(tmp_path: Path) -> DatabaseFile:
    return DatabaseFile(str(tmp_path / "folder" / "file.sqlite3"), 12345, (TABLES,), 1.0)


@pytest.fixture
def connection(file: DatabaseFile) -> Iterator[sqlite3.Connection]:
    with closing(file.connect()) as connection:
        yield connection


def select_names(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM fruit")]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are different there")
def test_new_file_is_readable_by_its_owner_only(file: DatabaseFile) -> None:
    file.connect().close()
    assert os.stat(file.path).st_mode & 0o077 == os.stat(os.path.dirname(file.path)).st_mode & 0o077 == 0


def test_folder_in_place_of_the_file_is_refused(file: DatabaseFile) -> None:
    os.makedirs(file.path)
    with pytest.raises(BadDatabase, match="is not a regular file"):
        file.connect()


class TestMigrations:
    def test_new_file_gets_its_tables_and_no_backup(
        self, file: DatabaseFile, connection: sqlite3.Connection
    ) -> None:
        assert select_names(connection) == []
        assert os.listdir(os.path.dirname(file.path)) == [os.path.basename(file.path)]

    def test_file_of_another_kind_is_refused(
        self, file: DatabaseFile, connection: sqlite3.Connection
    ) -> None:
        with pytest.raises(BadDatabase, match="another program"):
            file._replace(application_id=1).connect()
        file.connect().close()

    def test_empty_file_with_a_foreign_id_is_refused(self, file: DatabaseFile) -> None:
        with pytest.raises(BadDatabase, match="another program"):
            file.connect("application_id = 99")

    def test_newer_file_is_refused(self, file: DatabaseFile, connection: sqlite3.Connection) -> None:
        with pytest.raises(BadDatabase, match="newer version"):
            file._replace(migrations=()).connect()

    def test_tick_file_without_a_version_keeps_its_ticks(self, tmp_path: Path) -> None:
        """The first tick files had tables and an application id, but no version."""
        path = tmp_path / "ticks.sqlite3"
        first = TickDatabase(str(path))
        secret = first.get_secret("word")
        first.close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("ALTER TABLE laid DROP COLUMN client")
            connection.execute("DROP TABLE successor")
            connection.execute("PRAGMA user_version = 0")
            assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        again = TickDatabase(str(path))
        assert again.get_secret("word") == secret
        again.close()


class TestTransaction:
    def test_changes_are_committed(self, file: DatabaseFile, connection: sqlite3.Connection) -> None:
        with transaction(connection):
            connection.execute("INSERT INTO fruit VALUES ('fig')")
        with closing(file.connect()) as other:
            assert select_names(other) == ["fig"]

    def test_exception_rolls_all_changes_back(self, connection: sqlite3.Connection) -> None:
        with suppress(KeyboardInterrupt), transaction(connection):
            connection.execute("INSERT INTO fruit VALUES ('fig')")
            raise KeyboardInterrupt
        assert not connection.in_transaction and select_names(connection) == []

    def test_immediate_one_locks_other_writers_out(
        self, file: DatabaseFile, connection: sqlite3.Connection
    ) -> None:
        with transaction(connection), closing(file._replace(lock_timeout=0.0).connect()) as other:
            with pytest.raises(sqlite3.OperationalError, match="locked"), transaction(other):
                pass
            with transaction(other, "DEFERRED"):
                assert select_names(other) == []
