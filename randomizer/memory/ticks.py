"""Storage of ticked checklist lines, an SQLite file in the user's state folder.

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
_TABLES = (
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
_CLIENT_COLUMN = ("ALTER TABLE laid ADD COLUMN client TEXT NOT NULL DEFAULT ''",)
# Selects the table to delete when there are too many. It belongs to the client with the most tables, so that
# such a client loses only its own. Tables without ticks come first, then those with the oldest change.
_SELECT_EXPENDABLE_TABLE = """
    SELECT key, client FROM laid
    JOIN (SELECT client, count(*) AS table_count FROM laid GROUP BY client) USING (client)
    ORDER BY table_count DESC, EXISTS (SELECT * FROM tick WHERE tick.key = laid.key), used
"""


class TooManyTicks(Exception):
    """Raised if a table would have too many ticked lines."""


_SUCCESSORS = (
    """CREATE TABLE successor (
        number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, query TEXT NOT NULL
    )""",
)
NEWEST = "newest"  # the key of the newest table in the list of successors
_DEALT = "dealt "  # followed by the key of a table that has not been replaced, it is another key of the list


class Tick(NamedTuple):
    """A change to one line of a checklist.

    Attributes:
        id: the id of the change, which is unique within the table.
        item: the id of the line.
        on: whether to tick the line; otherwise, it is unticked.
    """

    id: str
    item: str
    on: bool


class TickState(NamedTuple):
    """The ticked lines of a table.

    Attributes:
        version: the number of changes that have been applied.
        items: the ids of the ticked lines.
    """

    version: int = 0
    items: frozenset[str] = frozenset()


class TickDatabase:
    """An open database of ticks. One thread may read while another one writes.

    Args:
        path: the path of the file, which is created if it does not exist; by default, in the state folder.

    Raises:
        BadDatabase: the file cannot be opened, or belongs to another program.
    """

    def __init__(self, path: str = "") -> None:
        path = path or os.path.join(paths.state_folder(), "ticks.sqlite3")
        self._file = DatabaseFile(path, APPLICATION_ID, (_TABLES, _CLIENT_COLUMN, _SUCCESSORS), LOCK_TIMEOUT)
        with self._translate_errors():
            self._reader = self._connect()
            self._writer = self._connect()
            with transaction(self._writer):
                self._delete_tables_unused_since(int(time.time()) - _MAX_AGE)

    def close(self) -> None:
        """Close the file."""
        self._reader.close()
        self._writer.close()

    # ── Ticks ──

    def get_version(self, table: str) -> int:
        """Return the number of changes that have been applied to a table."""
        row = self._reader.execute("SELECT version FROM laid WHERE key = ?", (table,)).fetchone()
        return row[0] if row else 0

    def get_state(self, table: str) -> TickState:
        """Return the version and the ticked lines of a table."""
        with transaction(self._reader, "DEFERRED"):
            items = self._reader.execute("SELECT item FROM tick WHERE key = ?", (table,)).fetchall()
            return TickState(self.get_version(table), frozenset(item for (item,) in items))

    def apply_changes(self, table: str, ticks: Sequence[Tick], client: str = "") -> str | None:
        """Apply changes to a table in a single transaction.

        If there are too many tables, another one is deleted. A table is created only if at least one line of
        it is ticked.

        Args:
            table: the key of the table.
            ticks: the changes.
            client: the IP address of the client that sends the changes.

        Returns:
            The client that created the deleted table; None if no table was deleted.

        Raises:
            TooManyTicks: the table would have too many ticked lines. No change was applied.
            BadDatabase: the file cannot be written. No change was applied.
        """
        with self._translate_errors(), transaction(self._writer):
            return self._apply_to_table(table, ticks, client)

    def _apply_to_table(self, table: str, ticks: Sequence[Tick], client: str) -> str | None:
        execute = self._writer.execute
        is_new = execute("SELECT * FROM laid WHERE key = ?", (table,)).fetchone() is None
        if not any(tick.on for tick in ticks) if is_new else not ticks:
            return None
        (tick_count,) = execute("SELECT count(*) FROM tick WHERE key = ?", (table,)).fetchone()
        if tick_count + sum(tick.on for tick in ticks) > MAX_TICKS:
            raise TooManyTicks
        deleted_from = self._make_room() if is_new else None
        new_change_count = 0
        for tick in ticks:
            if execute("INSERT OR IGNORE INTO done (key, id) VALUES (?, ?)", (table, tick.id)).rowcount:
                new_change_count += 1
                if tick.on:
                    execute("INSERT OR IGNORE INTO tick VALUES (?, ?)", (table, tick.item))
                else:
                    execute("DELETE FROM tick WHERE key = ? AND item = ?", (table, tick.item))
        execute(
            "INSERT INTO laid (key, version, used, client) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET version = version + excluded.version, used = excluded.used",
            (table, new_change_count, int(time.time()), client),
        )
        execute("DELETE FROM done WHERE number <= (SELECT max(number) FROM done) - ?", (MAX_CHANGE_IDS,))
        return deleted_from

    def _make_room(self) -> str | None:
        """Delete a table if the maximum number is reached; return the client that created it, or None."""
        (table_count,) = self._writer.execute("SELECT count(*) FROM laid").fetchone()
        if table_count < MAX_TABLES:
            return None
        key, client = self._writer.execute(_SELECT_EXPENDABLE_TABLE).fetchone()
        for name in ("laid", "tick", "done"):
            self._writer.execute(f"DELETE FROM {name} WHERE key = ?", (key,))  # noqa: S608
        return str(client)

    def _delete_tables_unused_since(self, timestamp: int) -> None:
        """Delete the tables without changes since a Unix timestamp."""
        self._writer.execute("DELETE FROM laid WHERE used < ?", (timestamp,))
        for name in ("tick", "done"):
            self._writer.execute(f"DELETE FROM {name} WHERE key NOT IN (SELECT key FROM laid)")  # noqa: S608

    # ── Newer tables ──

    def get_successor(self, table: str) -> str:
        """Return the query string of the table that replaced a table; empty if it has not been replaced.

        Args:
            table: the key of the replaced table, or `NEWEST` for the query string of the newest table.
        """
        row = self._reader.execute("SELECT query FROM successor WHERE key = ?", (table,)).fetchone()
        return row[0] if row else ""

    def record_table(self, table: str, query: str, replaced: str = "") -> None:
        """Record a new table as the newest one, and as the successor of the table that it replaces.

        Args:
            table: the key of the new table. If it replaces a table, any successor of its own is deleted.
            query: the query string of the new table.
            replaced: the key of the replaced table; empty if there is none.

        Raises:
            BadDatabase: the file cannot be written.
        """
        execute = self._writer.execute
        with self._translate_errors(), transaction(self._writer):
            if replaced:
                execute("DELETE FROM successor WHERE key IN (?, ?)", (table, _DEALT + replaced))
            for key in filter(None, (replaced, _DEALT + table, NEWEST)):
                execute("INSERT OR REPLACE INTO successor (key, query) VALUES (?, ?)", (key, query))
            newest = "(SELECT max(number) FROM successor)"
            execute(f"DELETE FROM successor WHERE number <= {newest} - ?", (MAX_TABLES,))  # noqa: S608

    def list_dealt_tables(self, max_count: int) -> list[str]:
        """Return the query strings of the latest tables that have not been replaced, the newest first."""
        rows = self._reader.execute(
            "SELECT query FROM successor WHERE key GLOB ? ORDER BY number DESC LIMIT ?",
            (f"{_DEALT}*", max_count),
        )
        return [query for (query,) in rows]

    # ── Secrets ──

    def get_secret(self, name: str, *, new: bool = False) -> str:
        """Return a random text that is stored permanently, and created on first use.

        Args:
            name: the purpose of the secret.
            new: whether to replace the secret first.
        """
        with self._translate_errors(), transaction(self._writer):
            if new:
                self._writer.execute("DELETE FROM secret WHERE name = ?", (name,))
            self._writer.execute("INSERT OR IGNORE INTO secret VALUES (?, ?)", (name, token_urlsafe(12)))
            (text,) = self._writer.execute("SELECT text FROM secret WHERE name = ?", (name,)).fetchone()
        return str(text)

    # ── The file ──

    def _connect(self) -> sqlite3.Connection:
        """Open the file with a write-ahead log whose commits survive power failures."""
        connection = self._file.connect(check_same_thread=False)
        _enable_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Convert errors of SQLite and of the operating system to `BadDatabase`."""
        try:
            yield
        except (sqlite3.Error, OSError) as problem:
            why = describe_os_error(problem) if isinstance(problem, OSError) else Verbatim(problem)
            raise BadDatabase("{file}: {why}.", file=Verbatim(self._file.path), why=why) from None


def _enable_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log.

    If several processes open a new file at the same time, SQLite does not apply its lock timeout to this
    change, so it is retried here.
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
