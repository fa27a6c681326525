"""Storage of ticked checklist lines in an SQLite file in the user's state folder.

Applied changes survive crashes and power failures. Changes are idempotent: each has an id, and is applied
only once even if it is sent again. Several processes may use the file at the same time. A table is deleted if
it has not changed recently, or if there are too many tables. Users may delete the file to remove all ticks.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import token_urlsafe
from typing import NamedTuple

from randomizer.load import paths
from randomizer.memory.database import BadDatabase, DatabaseFile, transaction
from randomizer.text.errors import describe_os_error
from randomizer.text.language import Verbatim

APPLICATION_ID = 0x444F4D54
LOCK_TIMEOUT = 10.0  # seconds
MAX_TABLES = 1000
MAX_TICKS = 1000  # ticked lines per table
MAX_CHANGE_IDS = 200_000  # stored ids of changes
_MAX_AGE = 60 * 86_400  # seconds since the last change of a table
# In version 0 of the file, these tables may already exist, because the first files had no version number.
_CREATE_TABLES = (
    """CREATE TABLE IF NOT EXISTS laid (
        key TEXT PRIMARY KEY, version INTEGER NOT NULL, used INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS tick (
        key TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (key, item)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS done (
        number INTEGER PRIMARY KEY, key TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (key, id)
    )""",
    "CREATE TABLE IF NOT EXISTS secret (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
)
_ADD_CLIENT_COLUMN = ("ALTER TABLE laid ADD COLUMN client TEXT NOT NULL DEFAULT ''",)
# Selects the table to delete when there are too many. It belongs to the client with the most tables, so that
# such a client loses only its own. Tables without ticks come first, then those with the oldest change.
_SELECT_EXPENDABLE_TABLE = """
    SELECT key, client FROM laid
    JOIN (SELECT client, count(*) AS table_count FROM laid GROUP BY client) USING (client)
    ORDER BY table_count DESC, EXISTS (SELECT * FROM tick WHERE tick.key = laid.key), used
"""


class TooManyTicks(Exception):
    """Raised if a table would have too many ticked lines."""


_CREATE_SUCCESSOR_TABLE = (
    """CREATE TABLE successor (
        number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, query TEXT NOT NULL
    )""",
)
NEWEST = "newest"  # the key under which the newest table is stored as a successor
_DEALT_PREFIX = "dealt "  # the prefix of the keys of tables that have not been replaced


class TickChange(NamedTuple):
    """A change to one line of a checklist.

    Attributes:
        id: the id of the change, which is unique within the table.
        line_id: the id of the line.
        is_ticked: whether the change ticks the line. Otherwise, it unticks the line.
    """

    id: str
    line_id: str
    is_ticked: bool


class TickState(NamedTuple):
    """The ticked lines of a table.

    Attributes:
        version: the number of changes that have been applied.
        ticked_ids: the ids of the ticked lines.
    """

    version: int = 0
    ticked_ids: frozenset[str] = frozenset()


class TickDatabase:
    """An open database of ticks. One thread may read while another one writes.

    Args:
        path: the path of the file, which is created if it does not exist; empty for the standard path.

    Raises:
        BadDatabase: the file cannot be opened, or belongs to another program.
    """

    def __init__(self, path: str = "") -> None:
        path = path or os.path.join(paths.state_folder(), "ticks.sqlite3")
        self._file = DatabaseFile(
            path, APPLICATION_ID, (_CREATE_TABLES, _ADD_CLIENT_COLUMN, _CREATE_SUCCESSOR_TABLE), LOCK_TIMEOUT
        )
        with self._convert_errors():
            self._reader = self._connect()
            self._writer = self._connect()
            with transaction(self._writer):
                self._delete_tables_unused_since(int(time.time()) - _MAX_AGE)

    def close(self) -> None:
        """Close the connections to the file."""
        self._reader.close()
        self._writer.close()

    # ── Ticks ──

    def get_version(self, table_key: str) -> int:
        """Return the number of changes that have been applied to a table."""
        row = self._reader.execute("SELECT version FROM laid WHERE key = ?", (table_key,)).fetchone()
        return row[0] if row else 0

    def get_state(self, table_key: str) -> TickState:
        """Return the version and the ticked lines of a table."""
        with transaction(self._reader, "DEFERRED"):
            rows = self._reader.execute("SELECT item FROM tick WHERE key = ?", (table_key,)).fetchall()
            return TickState(self.get_version(table_key), frozenset(line_id for (line_id,) in rows))

    def apply_changes(self, table_key: str, changes: Sequence[TickChange], client: str = "") -> str | None:
        """Apply changes to a table in a single transaction.

        If there are too many tables, another one is deleted to make room. A table is created only if at least
        one of its lines is ticked.

        Args:
            table_key: the key of the table.
            changes: the changes.
            client: the IP address of the client that sends the changes.

        Returns:
            The IP address of the client that created the deleted table; None if no table was deleted.

        Raises:
            TooManyTicks: the table would have too many ticked lines. No change was applied.
            BadDatabase: the file cannot be written. No change was applied.
        """
        with self._convert_errors(), transaction(self._writer):
            return self._apply_to_table(table_key, changes, client)

    def _apply_to_table(self, table_key: str, changes: Sequence[TickChange], client: str) -> str | None:
        execute = self._writer.execute
        is_new = execute("SELECT * FROM laid WHERE key = ?", (table_key,)).fetchone() is None
        if not any(change.is_ticked for change in changes) if is_new else not changes:
            return None
        (tick_count,) = execute("SELECT count(*) FROM tick WHERE key = ?", (table_key,)).fetchone()
        if tick_count + sum(change.is_ticked for change in changes) > MAX_TICKS:
            raise TooManyTicks
        evicted_client = self._make_room() if is_new else None
        new_change_count = 0
        for change in changes:
            if execute("INSERT OR IGNORE INTO done (key, id) VALUES (?, ?)", (table_key, change.id)).rowcount:
                new_change_count += 1
                if change.is_ticked:
                    execute("INSERT OR IGNORE INTO tick VALUES (?, ?)", (table_key, change.line_id))
                else:
                    execute("DELETE FROM tick WHERE key = ? AND item = ?", (table_key, change.line_id))
        execute(
            "INSERT INTO laid (key, version, used, client) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET version = version + excluded.version, used = excluded.used",
            (table_key, new_change_count, int(time.time()), client),
        )
        execute("DELETE FROM done WHERE number <= (SELECT max(number) FROM done) - ?", (MAX_CHANGE_IDS,))
        return evicted_client

    def _make_room(self) -> str | None:
        """Delete a table if the maximum number is reached. Return the client that created it, or None."""
        (table_count,) = self._writer.execute("SELECT count(*) FROM laid").fetchone()
        if table_count < MAX_TABLES:
            return None
        key, client = self._writer.execute(_SELECT_EXPENDABLE_TABLE).fetchone()
        for name in ("laid", "tick", "done"):
            self._writer.execute(f"DELETE FROM {name} WHERE key = ?", (key,))  # noqa: S608
        return str(client)

    def _delete_tables_unused_since(self, timestamp: int) -> None:
        """Delete the tables that have not changed since a Unix timestamp, in seconds."""
        self._writer.execute("DELETE FROM laid WHERE used < ?", (timestamp,))
        for name in ("tick", "done"):
            self._writer.execute(f"DELETE FROM {name} WHERE key NOT IN (SELECT key FROM laid)")  # noqa: S608

    # ── Successors ──

    def get_successor(self, table_key: str) -> str:
        """Return the query string of the table that replaced a table; empty if it has not been replaced.

        Args:
            table_key: the key of the replaced table, or `NEWEST` for the query string of the newest table.
        """
        row = self._reader.execute("SELECT query FROM successor WHERE key = ?", (table_key,)).fetchone()
        return row[0] if row else ""

    def record_table(self, table_key: str, query: str, replaced_key: str = "") -> None:
        """Record a new table as the newest one, and as the successor of the table that it replaces.

        Args:
            table_key: the key of the new table. If it replaces a table, its own successor is deleted.
            query: the query string of the new table.
            replaced_key: the key of the table that it replaces; empty if it replaces none.

        Raises:
            BadDatabase: the file cannot be written.
        """
        execute = self._writer.execute
        with self._convert_errors(), transaction(self._writer):
            if replaced_key:
                execute(
                    "DELETE FROM successor WHERE key IN (?, ?)", (table_key, _DEALT_PREFIX + replaced_key)
                )
            for key in filter(None, (replaced_key, _DEALT_PREFIX + table_key, NEWEST)):
                execute("INSERT OR REPLACE INTO successor (key, query) VALUES (?, ?)", (key, query))
            newest = "(SELECT max(number) FROM successor)"
            execute(f"DELETE FROM successor WHERE number <= {newest} - ?", (MAX_TABLES,))  # noqa: S608

    def list_dealt_tables(self, max_count: int) -> list[str]:
        """Return the query strings of the latest tables that have not been replaced, the newest first."""
        rows = self._reader.execute(
            "SELECT query FROM successor WHERE key GLOB ? ORDER BY number DESC LIMIT ?",
            (f"{_DEALT_PREFIX}*", max_count),
        )
        return [query for (query,) in rows]

    # ── Secrets ──

    def get_secret(self, name: str, *, replace: bool = False) -> str:
        """Return a random string, which is created on first use and stored permanently.

        Args:
            name: the name under which the secret is stored, such as `token`.
            replace: whether to replace the stored secret with a new one.
        """
        with self._convert_errors(), transaction(self._writer):
            if replace:
                self._writer.execute("DELETE FROM secret WHERE name = ?", (name,))
            self._writer.execute("INSERT OR IGNORE INTO secret VALUES (?, ?)", (name, token_urlsafe(12)))
            (secret,) = self._writer.execute("SELECT text FROM secret WHERE name = ?", (name,)).fetchone()
        return str(secret)

    # ── The file ──

    def _connect(self) -> sqlite3.Connection:
        """Open a connection with a write-ahead log. Commits survive power failures."""
        connection = self._file.connect(check_same_thread=False)
        _enable_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    @contextmanager
    def _convert_errors(self) -> Iterator[None]:
        """Convert errors of SQLite and of the operating system to `BadDatabase`."""
        try:
            yield
        except (sqlite3.Error, OSError) as problem:
            why = describe_os_error(problem) if isinstance(problem, OSError) else Verbatim(problem)
            raise BadDatabase("{file}: {why}.", file=Verbatim(self._file.path), why=why) from None


def _enable_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log.

    If several processes open a new file at the same time, SQLite does not apply its lock timeout to this
    switch, so it is retried here.
    """
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
