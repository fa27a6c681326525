"""What people have ticked off while they lay tables out, in an SQLite file.

A tick holds from the moment that changing it returns, whatever is killed or cut off afterwards. Each change
has an id, and is done once however often it is sent. Several programs may use the file at once. It is no
loss: tables that nobody has ticked for a long time are forgotten, and without the file all boxes are empty.
"""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from secrets import token_urlsafe

from randomizer.load import paths
from randomizer.text.errors import Problem, reason
from randomizer.text.language import Typed
from randomizer.text.tuples import NamedTuple

OURS = 0x444F4D54  # the `application_id`; SQLite keeps it in the file's head
MOST_TABLES = 1000
MOST_TICKS = 1000  # of a table
MOST_IDS = 200_000  # of changes that are remembered, so that they are not done again
_FORGOTTEN = 60 * 86_400  # seconds after the last tick of a table
_PATIENCE = 10.0  # seconds to wait for another program that writes
_TABLES = (
    "CREATE TABLE laid (key TEXT PRIMARY KEY, version INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE tick (key TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (key, item)) WITHOUT ROWID",
    "CREATE TABLE done (number INTEGER PRIMARY KEY, key TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (key, id))",
    "CREATE TABLE secret (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
)


class BadTicks(Problem):
    """The file of the ticks cannot be read or written; says why."""

    status = 1


class Tick(NamedTuple):
    """A change: a line of a checklist is done, or it is not.

    Attributes:
        id: of the change, as no other on this table has it.
        item: which line.
    """

    id: str
    item: str
    on: bool


class State(NamedTuple):
    """Which lines of a table are done; the version grows by one with every change."""

    version: int = 0
    items: frozenset[str] = frozenset()


class Ticks:
    """The open file. What reads may be in another thread than what writes.

    Args:
        place: of the file, which is made if there is none; by default where the last table is.

    Raises:
        BadTicks: it cannot be opened, or is something else.
    """

    def __init__(self, place: str = "") -> None:
        self._place = place or os.path.join(paths.state_folder(), "ticks.sqlite3")
        with self._told():
            self._reading = _opened(self._place)
            self._writing = _opened(self._place)
            with _transaction(self._writing):
                self._check()
                self._forget(int(time.time()) - _FORGOTTEN)

    def close(self) -> None:
        """Close the file."""
        for each in (self._reading, self._writing):
            each.close()

    # ── Ticks ──

    def version(self, table: str) -> int:
        """How many changes there have been on a table."""
        row = self._reading.execute("SELECT version FROM laid WHERE key = ?", (table,)).fetchone()
        return row[0] if row else 0

    def state(self, table: str) -> State:
        """What is ticked on a table."""
        with _transaction(self._reading, "BEGIN"):
            items = self._reading.execute("SELECT item FROM tick WHERE key = ?", (table,)).fetchall()
            return State(self.version(table), frozenset(item for (item,) in items))

    def change(self, changes: Iterable[tuple[str, Sequence[Tick]]]) -> list[bool]:
        """Do changes on tables, all of them at once.

        Returns:
            For each table whether there was room for them; where there is none nothing is done.

        Raises:
            BadTicks: nothing could be written.
        """
        with self._told(), _transaction(self._writing):
            return [self._changed(table, ticks) for table, ticks in changes]

    def _changed(self, table: str, ticks: Sequence[Tick]) -> bool:
        do = self._writing.execute
        (tables,) = do("SELECT count(*) FROM laid WHERE key <> ?", (table,)).fetchone()
        (there,) = do("SELECT count(*) FROM tick WHERE key = ?", (table,)).fetchone()
        if tables >= MOST_TABLES or there + len(ticks) > MOST_TICKS:
            return False
        new = 0
        for tick in ticks:
            if do("INSERT OR IGNORE INTO done (key, id) VALUES (?, ?)", (table, tick.id)).rowcount:
                statement = "INSERT OR IGNORE INTO tick VALUES (?, ?)"
                do(
                    statement if tick.on else "DELETE FROM tick WHERE key = ? AND item = ?",
                    (table, tick.item),
                )
                new += 1
        do(
            "INSERT INTO laid VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET version = version + excluded.version, used = excluded.used",
            (table, new, int(time.time())),
        )
        do("DELETE FROM done WHERE number <= (SELECT max(number) FROM done) - ?", (MOST_IDS,))
        return True

    # ── Secrets ──

    def secret(self, name: str, *, new: bool = False) -> str:
        """A random text that stays the same, so that addresses and pages outlive the program.

        Args:
            name: what it is for.
            new: make another one now.
        """
        do = self._writing.execute
        with self._told(), _transaction(self._writing):
            if new:
                do("DELETE FROM secret WHERE name = ?", (name,))
            do("INSERT OR IGNORE INTO secret VALUES (?, ?)", (name, token_urlsafe(12)))
            (text,) = do("SELECT text FROM secret WHERE name = ?", (name,)).fetchone()
        return str(text)

    # ── The file ──

    def _check(self) -> None:
        """Make the tables in an empty file; refuse another program's."""
        do = self._writing.execute
        (ours,), (tables,) = (
            do(f"{question}").fetchone()
            for question in ("PRAGMA application_id", "SELECT count(*) FROM sqlite_master")
        )
        if ours != (OURS if tables else 0):
            theirs = "{file} is another program's; it has been left alone."
            raise BadTicks(theirs, file=Typed(self._place))
        if not tables:
            for statement in (*_TABLES, f"PRAGMA application_id = {OURS}"):
                do(statement)

    def _forget(self, before: int) -> None:
        """Forget the tables that nobody has ticked since that second."""
        do = self._writing.execute
        do("DELETE FROM laid WHERE used < ?", (before,))
        for shelf in ("tick", "done"):
            do(f"DELETE FROM {shelf} WHERE key NOT IN (SELECT key FROM laid)")  # noqa: S608

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong with the file, in a line."""
        try:
            yield
        except (sqlite3.Error, OSError) as problem:
            why = reason(problem) if isinstance(problem, OSError) else Typed(problem)
            raise BadTicks("{file}: {why}.", file=Typed(self._place), why=why) from None


def _opened(place: str) -> sqlite3.Connection:
    """A connection to a file that is nobody else's to read."""
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(place, os.O_CREAT | os.O_EXCL, 0o600))
    open_ = sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    _log_ahead(open_)
    open_.execute("PRAGMA synchronous = FULL")  # of that log: what is confirmed outlives a power cut
    return open_


def _log_ahead(open_: sqlite3.Connection) -> None:
    """Write changes into a log first. Where several open a new file at once, SQLite itself does not wait."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            open_.execute("PRAGMA journal_mode = WAL").close()
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


@contextmanager
def _transaction(open_: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """All that is done holds, or nothing."""
    open_.execute(begin)
    try:
        yield
    except BaseException:
        open_.execute("ROLLBACK")
        raise
    open_.execute("COMMIT")
