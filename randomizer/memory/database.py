"""Access to the program's SQLite files: creation, identification, migrations and transactions.

The pragma `application_id` identifies the files of this program. The pragma `user_version` is the version of
their tables.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from typing import NamedTuple

from randomizer.text.errors import Problem
from randomizer.text.language import Verbatim


class BadDatabase(Problem):
    """Raised if an SQLite file cannot be read or written. The file has not been changed."""

    status = 1


class DatabaseFile(NamedTuple):
    """An SQLite file of this program, which need not exist yet.

    Attributes:
        path: the path of the file.
        application_id: the number that identifies this kind of file.
        migrations: for each version of the tables, the statements that upgrade from the previous version.
            Published migrations never change; new ones are appended.
        lock_timeout: how long to wait while another program writes to the file, in seconds.
    """

    path: str
    application_id: int
    migrations: Sequence[Sequence[str]]
    lock_timeout: float

    def connect(self, *pragmas: str, check_same_thread: bool = True) -> sqlite3.Connection:
        """Open the file, and create or migrate its tables. Transactions are explicit (see `transaction`).

        A new file is readable by this user only. Before a migration, the file is copied to
        `<path>.v<version>`.

        Args:
            pragmas: the SQLite pragmas of the connection, such as `foreign_keys = ON`.
            check_same_thread: whether only the current thread may use the connection.

        Raises:
            BadDatabase: the path is not that of a regular file, or the file belongs to another program or to
                a newer version of this one.
            OSError: the file cannot be created.
            sqlite3.Error: the file is damaged or locked, or cannot be written.
        """
        if os.path.lexists(self.path) and not os.path.isfile(
            self.path
        ):  # Opening a pipe could block forever.
            raise BadDatabase("{file} is not a regular file.", file=Verbatim(self.path))
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        _create_private_file(self.path)
        connection = sqlite3.connect(
            self.path, timeout=self.lock_timeout, isolation_level=None, check_same_thread=check_same_thread
        )
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")
            # A transaction is needed, because another process may be creating the tables.
            with transaction(connection, "DEFERRED"):
                version = self._get_version(connection)
            if version < len(self.migrations):
                with transaction(connection):
                    self._migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Migrate the tables to the newest version, unless another process has just done so."""
        version = self._get_version(connection)
        if version == len(self.migrations):
            return
        if version:
            self._back_up(version)
        for statement in chain.from_iterable(self.migrations[version:]):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {self.application_id}")
        connection.execute(f"PRAGMA user_version = {len(self.migrations)}")

    def _get_version(self, connection: sqlite3.Connection) -> int:
        """Return the version of the tables; 0 for an empty file.

        Raises:
            BadDatabase: the file belongs to another program or to a newer version of this one.
        """
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (table_count,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        is_ours = application_id == self.application_id if table_count else application_id == version == 0
        if not is_ours:
            raise BadDatabase(
                "{file} belongs to another program and was not changed.", file=Verbatim(self.path)
            )
        if version > len(self.migrations):
            template = "{file} comes from a newer version of this program and was not changed."
            raise BadDatabase(template, file=Verbatim(self.path))
        return int(version)

    def _back_up(self, version: int) -> None:
        """Copy the file to a new file next to it. Changes of the open transaction are not copied."""
        names = (f"{self.path}.v{version}{f'-{number}' if number else ''}" for number in count())
        backup = next(name for name in names if not os.path.lexists(name))
        _create_private_file(f"{backup}.part")
        # The connection with the open transaction cannot copy the file, so a second one is needed.
        with (
            closing(sqlite3.connect(self.path)) as source,
            closing(sqlite3.connect(f"{backup}.part")) as copy,
        ):
            source.backup(copy)
        os.replace(f"{backup}.part", backup)


def _create_private_file(path: str) -> None:
    """Create an empty file that only this user can read. Do nothing if the file exists."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


@contextmanager
def transaction(connection: sqlite3.Connection, mode: str = "IMMEDIATE") -> Iterator[None]:
    """Run the `with` block in a transaction, which is rolled back if the block raises an exception.

    Args:
        connection: a connection without an open transaction.
        mode: `IMMEDIATE` to lock the file for writing at once, `DEFERRED` to lock it at the first change.
    """
    connection.execute(f"BEGIN {mode}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
