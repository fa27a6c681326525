"""The history of played games, which is stored in an SQLite file in the user's data folder.

Each change is a transaction that is synchronized to the disk, so that recorded games survive crashes, power
failures and full disks. Several processes may use the file at the same time.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager

from randomizer.load import paths
from randomizer.memory.database import BadDatabase, DatabaseFile, transaction
from randomizer.memory.played_game import CARD_LISTS, PlayedGame
from randomizer.text.errors import BadOptions, describe_os_error
from randomizer.text.language import Verbatim

APPLICATION_ID = 0x444F4D52  # identifies the file, see `DatabaseFile`
LOCK_TIMEOUT = 20.0  # seconds
_CREATE_TABLES = (
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
_ADD_WINNER_COLUMN = ("ALTER TABLE player ADD COLUMN won INTEGER NOT NULL DEFAULT 0",)
MIGRATIONS: Sequence[Sequence[str]] = (_CREATE_TABLES, _ADD_WINNER_COLUMN)


def get_path() -> str:
    """Return the path of the file, which need not exist."""
    return os.path.join(paths.history_folder(), "played.sqlite3")


# ── Operations ──


def add(games: Iterable[PlayedGame]) -> list[int]:
    """Add games to the history, either all of them or none. Games that are already recorded are skipped.

    Returns:
        The ids of the added games. Ids are never reused.

    Raises:
        BadDatabase: the file cannot be written.
    """
    with _open("IMMEDIATE") as connection:
        known_keys = {key for (key,) in connection.execute("SELECT key FROM game")}
        ids = []
        for game in games:
            if game.key not in known_keys:
                known_keys.add(game.key)
                ids.append(_insert_game(connection, game))
        return ids


def load_games() -> list[PlayedGame]:
    """Return all games, sorted by date and id.

    Raises:
        BadDatabase: the file cannot be read, is damaged or belongs to another program.
    """
    if not os.path.lexists(get_path()):
        return []
    with _open("DEFERRED") as connection:
        return list(_select_games(connection))


def get_table_key(game: PlayedGame) -> object:
    """Return a key that is equal for games with the same table: the same seed, options and cards."""
    options = json.dumps(game.options, sort_keys=True)
    return game.game, game.seed, options, game.kingdom, game.landscapes, game.others


def find_games_with_same_table(game: PlayedGame) -> list[PlayedGame]:
    """Return the recorded games that were played with the same table.

    Raises:
        BadDatabase: the file cannot be read, is damaged or belongs to another program.
    """
    return [other for other in load_games() if get_table_key(other) == get_table_key(game)]


def get_game(game_id: int) -> PlayedGame:
    """Return the game with this id.

    Raises:
        BadOptions: no game has this id.
        BadDatabase: the file cannot be read, is damaged or belongs to another program.
    """
    return _pick_games(load_games(), [game_id])[0]


def edit(game_id: int, change: Callable[[PlayedGame], PlayedGame]) -> PlayedGame:
    """Replace the date, players, winners, rating and note of a game.

    Args:
        game_id: the id of the game.
        change: returns the new version of the given game. No other program can change the file meanwhile.

    Returns:
        The new version of the game.

    Raises:
        BadOptions: no game has this id, or `change` raises it. Nothing was changed.
        BadDatabase: the file cannot be written.
    """
    if not os.path.lexists(get_path()):
        raise BadOptions("no games have been recorded yet.")
    with _open("IMMEDIATE") as connection:
        (old_game,) = _pick_games(list(_select_games(connection)), [game_id])
        game = change(old_game)
        connection.execute(
            "UPDATE game SET date = ?, rating = ?, note = ? WHERE id = ?",
            (game.date, game.rating, game.note, game_id),
        )
        connection.execute("DELETE FROM player WHERE game = ?", (game_id,))
        _insert_players(connection, game, game_id)
    return game


def forget(ids: Sequence[int]) -> list[PlayedGame]:
    """Remove games from the history, either all of them or none.

    Returns:
        The removed games.

    Raises:
        BadOptions: at least one of the ids belongs to no game.
        BadDatabase: the file cannot be written.
    """
    if not os.path.lexists(get_path()):
        raise BadOptions("no games have been recorded yet.")
    with _open("IMMEDIATE") as connection:
        removed = _pick_games(list(_select_games(connection)), ids)
        connection.executemany("DELETE FROM game WHERE id = ?", [(game.id,) for game in removed])
    return removed


def get_recent_cards(game_count: int, game: str) -> list[str]:
    """Return the English names of the cards in the most recent games, without duplicates, newest game first.

    Args:
        game_count: the number of recent games to include.
        game: the name of the game, such as `cards`; records of other games are ignored.

    Raises:
        BadDatabase: the file cannot be read, is damaged or belongs to another program.
    """
    recent = [played for played in reversed(load_games()) if played.game == game][:game_count]
    return list(dict.fromkeys(name for played in recent for name in played.cards))


def _pick_games(games: Sequence[PlayedGame], ids: Sequence[int]) -> list[PlayedGame]:
    """Return the games with these ids, in the order of the ids and without duplicates.

    Raises:
        BadOptions: at least one of the ids belongs to no game.
    """
    games_by_id = {game.id: game for game in games}
    for game_id in ids:
        if game_id not in games_by_id:
            template = "there is no game {number}; `dominion-setup history` lists all games."
            raise BadOptions(template, number=game_id)
    return [games_by_id[game_id] for game_id in dict.fromkeys(ids)]


# ── Rows ──


def _insert_game(connection: sqlite3.Connection, game: PlayedGame) -> int:
    """Insert the rows of a game, and return its id."""
    row = (game.key, game.date, game.rating, game.note, game.game, game.seed, json.dumps(game.options))
    cursor = connection.execute(
        "INSERT INTO game (key, date, rating, note, game, seed, options) VALUES (?, ?, ?, ?, ?, ?, ?)", row
    )
    game_id = int(cursor.lastrowid or 0)
    cards = [(game_id, part, *card) for part in CARD_LISTS for card in enumerate(getattr(game, part))]
    connection.executemany("INSERT INTO card VALUES (?, ?, ?, ?)", cards)
    _insert_players(connection, game, game_id)
    return game_id


def _insert_players(connection: sqlite3.Connection, game: PlayedGame, game_id: int) -> None:
    """Insert the rows of a game's players."""
    rows = [
        (game_id, index, name, score, name in game.winners)
        for index, (name, score) in enumerate(game.players)
    ]
    connection.executemany("INSERT INTO player (game, place, name, score, won) VALUES (?, ?, ?, ?, ?)", rows)


def _select_games(connection: sqlite3.Connection) -> Iterator[PlayedGame]:
    """Yield all games, sorted by date and id. Their data are checked, because the file may be damaged."""
    players: dict[int, list[dict[str, str | int | None]]] = {}
    winners: dict[int, list[str]] = {}
    for game_id, name, score, won in connection.execute(
        "SELECT game, name, score, won FROM player ORDER BY game, place"
    ):
        players.setdefault(game_id, []).append({"name": name, "score": score})
        if won:
            winners.setdefault(game_id, []).append(name)
    cards: dict[tuple[int, str], list[str]] = {}
    for game_id, part, name in connection.execute(
        "SELECT game, part, name FROM card ORDER BY game, part, place"
    ):
        cards.setdefault((game_id, part), []).append(name)
    query = "SELECT id, options, key, date, rating, note, game, seed FROM game ORDER BY date, id"
    for game_id, options, *row in connection.execute(query):
        facts = dict(zip(("key", "date", "rating", "note", "game", "seed"), row, strict=True))
        facts |= {part: cards.get((game_id, part), []) for part in CARD_LISTS}
        facts |= {"players": players.get(game_id, []), "winners": winners.get(game_id, [])}
        facts["options"] = json.loads(options)
        try:
            yield PlayedGame.from_dict(facts)._replace(id=game_id)
        except BadOptions as problem:
            template = "{file} is damaged: game {number}: {fault}"
            raise BadDatabase(
                template, file=Verbatim(get_path()), number=game_id, fault=problem.message
            ) from None


# ── The file ──


@contextmanager
def _open(mode: str) -> Iterator[sqlite3.Connection]:
    """Open the file, and run the `with` block in a transaction.

    Commits survive power failures, and deleted data are overwritten.

    Args:
        mode: `IMMEDIATE` for writing, `DEFERRED` for reading.
    """
    file = DatabaseFile(get_path(), APPLICATION_ID, MIGRATIONS, LOCK_TIMEOUT)
    pragmas = ("synchronous = EXTRA", "foreign_keys = ON", "secure_delete = ON")
    with _convert_errors(), closing(file.connect(*pragmas)) as connection, transaction(connection, mode):
        yield connection


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Convert errors of SQLite and of the operating system to `BadDatabase`."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        template = "{file}: {why}; nothing was changed."
        raise BadDatabase(template, file=Verbatim(get_path()), why=str(problem)) from None
    except (sqlite3.Error, ValueError, TypeError) as problem:
        template = "{file} is not a game history, or is damaged: {why}."
        raise BadDatabase(template, file=Verbatim(get_path()), why=str(problem)) from None
    except OSError as problem:
        template = "{file}: {why}; nothing was changed."
        raise BadDatabase(template, file=Verbatim(get_path()), why=describe_os_error(problem)) from None
