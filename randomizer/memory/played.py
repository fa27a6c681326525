"""The games that were played: an SQLite file among what the user wants to keep.

A game is in it from the moment that adding it returns, whatever is killed, cut off or full afterwards: each
change is one transaction, written through to the disk. Several programs may use it at once. The file says
which version of the tables it has (`user_version`); an older one is copied before it is changed.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, count

from randomizer.load import paths
from randomizer.memory.noted import PARTS, PlayedGame, checked
from randomizer.text.errors import BadOptions, Problem, reason
from randomizer.text.language import Typed

OURS = 0x444F4D52  # the `application_id`; SQLite keeps it in the file's head
PATIENCE = 20.0  # seconds to wait for another program that writes
_TABLES = (
    """CREATE TABLE game (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        date TEXT NOT NULL,
        rating INTEGER,
        note TEXT NOT NULL,
        game TEXT NOT NULL,
        seed TEXT NOT NULL,
        options TEXT NOT NULL
    )""",
    """CREATE TABLE player (
        game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        score INTEGER,
        PRIMARY KEY (game, place)
    ) WITHOUT ROWID""",
    """CREATE TABLE card (
        game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
        part TEXT NOT NULL,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (game, part, place)
    ) WITHOUT ROWID""",
)
# What makes each version of the tables out of the one before; a new version is one more line here.
MIGRATIONS: Sequence[Sequence[str]] = (_TABLES,)


class BadHistory(Problem):
    """The file of played games cannot be read or written; says why, and nothing in it has changed."""

    status = 1


def path() -> str:
    """Where the file is, if there is one."""
    return os.path.join(paths.history_folder(), "played.sqlite3")


# ── What can be done with it ──


def add(games: Iterable[PlayedGame]) -> list[int]:
    """Add games: all of them, or none where that fails.

    Returns:
        The number that each has now, which no other has had; without those that are there already.

    Raises:
        BadHistory: they could not be written.
    """
    with _changing() as open_:
        return [number for game in games if (number := _added(open_, game))]


def games() -> list[PlayedGame]:
    """All games, the one played last at the end.

    Raises:
        BadHistory: the file cannot be read, or holds something else.
    """
    if not os.path.lexists(path()):
        return []
    with _reading() as open_:
        return list(_all(open_))


def one(number: int) -> PlayedGame:
    """The game of that number.

    Raises:
        BadOptions: there is none.
        BadHistory: as `games` does.
    """
    return _found(games(), [number])[0]


def _found(games: Sequence[PlayedGame], numbers: Sequence[int]) -> list[PlayedGame]:
    """The games of those numbers, each once."""
    known = {game.id: game for game in games}
    for number in numbers:
        if number not in known:
            said = "no game has the number {number}; `dominion-setup history` lists them."
            raise BadOptions(said, number=number)
    return [known[number] for number in dict.fromkeys(numbers)]


def forget(numbers: Sequence[int]) -> list[PlayedGame]:
    """Remove games from the file: all of those named, or none.

    Returns:
        What was known of them.

    Raises:
        BadOptions: there is no game of such a number.
        BadHistory: they could not be removed.
    """
    if not os.path.lexists(path()):
        raise BadOptions("no game has been noted yet.")
    with _changing() as open_:
        forgotten = _found(list(_all(open_)), numbers)
        open_.executemany("DELETE FROM game WHERE id = ?", [(game.id,) for game in forgotten])
    return forgotten


def cards_of_last(number: int, game: str) -> list[str]:
    """English names of the cards that were in the last games, each once, those of the last game first.

    Args:
        number: how many games to look back.
        game: the name of the game whose; those of others do not count.

    Raises:
        BadHistory: as `games` does.
    """
    last = [played for played in reversed(games()) if played.game == game][:number]
    return list(dict.fromkeys(name for played in last for name in played.cards))


# ── Rows ──


def _added(open_: sqlite3.Connection, game: PlayedGame) -> int:
    """Adds a game's rows; its number, or 0 if it is there already."""
    if open_.execute("SELECT 1 FROM game WHERE key = ?", (game.key,)).fetchone():
        return 0
    row = (game.key, game.date, game.rating, game.note, game.game, game.seed, json.dumps(game.options))
    done = open_.execute(
        "INSERT INTO game (key, date, rating, note, game, seed, options) VALUES (?, ?, ?, ?, ?, ?, ?)",
        row,
    )
    number = int(done.lastrowid or 0)
    players = [(number, place, *player) for place, player in enumerate(game.players)]
    cards = [(number, part, *card) for part in PARTS for card in enumerate(getattr(game, part))]
    open_.executemany("INSERT INTO player VALUES (?, ?, ?, ?)", players)
    open_.executemany("INSERT INTO card VALUES (?, ?, ?, ?)", cards)
    return number


def _all(open_: sqlite3.Connection) -> Iterator[PlayedGame]:
    """All games in the order in which they were played, checked as anything else that comes from outside."""
    players: dict[int, list[dict[str, str | int | None]]] = {}
    for number, name, score in open_.execute("SELECT game, name, score FROM player ORDER BY game, place"):
        players.setdefault(number, []).append({"name": name, "score": score})
    cards: dict[tuple[int, str], list[str]] = {}
    for number, part, name in open_.execute("SELECT game, part, name FROM card ORDER BY game, part, place"):
        cards.setdefault((number, part), []).append(name)
    rows = "SELECT id, options, key, date, rating, note, game, seed FROM game ORDER BY date, id"
    for number, options, *row in open_.execute(rows):
        said = dict(zip(("key", "date", "rating", "note", "game", "seed"), row, strict=True))
        said |= {part: cards.get((number, part), []) for part in PARTS}
        said |= {"players": players.get(number, []), "options": json.loads(options)}
        try:
            yield checked(said)._replace(id=number)
        except BadOptions as problem:
            damaged = "{file} is damaged: game {number}: {fault}"
            raise BadHistory(damaged, file=Typed(path()), number=number, fault=problem.message) from None


# ── The file ──


@contextmanager
def _changing() -> Iterator[sqlite3.Connection]:
    """The file, made if there is none, while nobody else writes to it; all that is done holds, or nothing."""
    with _told(), _opened(path()) as open_:
        _begun(open_)
        yield open_
        open_.execute("COMMIT")  # else closing it undoes whatever was done


@contextmanager
def _reading() -> Iterator[sqlite3.Connection]:
    """The file, at one moment, with tables of the newest version."""
    with _told(), _opened(path()) as open_:
        if _version(open_) < len(MIGRATIONS):
            _begun(open_)
            open_.execute("COMMIT")
        open_.execute("BEGIN")
        yield open_


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong with the file, in a line."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        said = "{file}: {why}; nothing has been changed."
        raise BadHistory(said, file=Typed(path()), why=str(problem)) from None
    except (sqlite3.Error, ValueError, TypeError) as problem:
        said = "{file} is not a history of played games, or is damaged: {why}."
        raise BadHistory(said, file=Typed(path()), why=str(problem)) from None
    except OSError as problem:
        said = "{file}: {why}; nothing has been changed."
        raise BadHistory(said, file=Typed(path()), why=reason(problem)) from None


@contextmanager
def _opened(place: str) -> Iterator[sqlite3.Connection]:
    """A connection that keeps what it commits through a power cut, and overwrites what it deletes."""
    if os.path.lexists(place) and not os.path.isfile(place):  # a pipe would never end
        raise BadHistory("{file} is not a file.", file=Typed(place))
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(place, timeout=PATIENCE, isolation_level=None)) as open_:
        for pragma in ("synchronous = EXTRA", "foreign_keys = ON", "secure_delete = ON"):
            open_.execute(f"PRAGMA {pragma}")
        yield open_


def _begun(open_: sqlite3.Connection) -> None:
    """Begin to change the file: first its tables, if they are of an older version.

    Raises:
        BadHistory: they are of a newer version, or another program's.
    """
    open_.execute("BEGIN IMMEDIATE")
    version = _version(open_)
    if version == len(MIGRATIONS):
        return
    if version:
        _copy(version)
    for statement in chain.from_iterable(MIGRATIONS[version:]):
        open_.execute(statement)
    open_.execute(f"PRAGMA application_id = {OURS}")
    open_.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(open_: sqlite3.Connection) -> int:
    """The version of the tables in the file; 0 of an empty one."""
    (ours,), (version,) = (
        open_.execute(f"PRAGMA {word}").fetchone() for word in ("application_id", "user_version")
    )
    (tables,) = open_.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (ours, bool(version)) != ((OURS, True) if tables else (0, False)):
        raise BadHistory("{file} is another program's; it has been left alone.", file=Typed(path()))
    if version > len(MIGRATIONS):
        said = "{file} is of a newer version of this program; it has been left alone."
        raise BadHistory(said, file=Typed(path()))
    return int(version)


def _copy(version: int) -> None:
    """Copy the file, as it was before its tables change, to a file beside it; no older copy is replaced."""
    names = (f"{path()}.v{version}{f'-{number}' if number else ''}" for number in count())
    free = next(name for name in names if not os.path.lexists(name))
    # A connection cannot copy what it is about to change; another can, for nobody else changes it meanwhile.
    with closing(sqlite3.connect(path())) as unchanged, closing(sqlite3.connect(f"{free}.part")) as copy:
        unchanged.backup(copy)
    os.replace(f"{free}.part", free)
