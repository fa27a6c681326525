"""Storage of the most recently dealt tables, which commands use if no file is given.

Each setup document is a file of its own. Its name starts with the time of the deal, so processes that deal at
the same time lose no table. The program works even if the documents cannot be written.
"""

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from randomizer.load import paths
from randomizer.load.files import read_bounded, write_atomically
from randomizer.text.errors import BadDocument, BadOptions, NoResult, Problem, describe_os_error
from randomizer.text.language import Verbatim, message

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

MAX_TABLES = 50
# The file name of a document: nanoseconds since 1970, and random digits. Incomplete files have a suffix, too.
_DOCUMENT_NAME = re.compile(r"(\d{20})-[0-9a-f]{8}\.json")


def get_path() -> str:
    """Return the path of the folder with the documents, which need not exist."""
    return os.path.join(paths.state_folder(), "tables")


def save(document: str) -> bool:
    """Save a setup document, given as JSON, as the newest table, and delete the tables beyond the maximum.

    Returns:
        False if the document cannot be written and an older table remains the newest; otherwise True.
    """
    names = _list_names()
    # Setting the clock back must not change the order.
    timestamp = max(time.time_ns(), _parse_time(names[0]) + 1 if names else 0)
    try:
        write_atomically(
            os.path.join(get_path(), f"{timestamp:020}-{os.urandom(4).hex()}.json"), f"{document}\n".encode()
        )
    except OSError:
        return not names
    if len(names) >= MAX_TABLES:
        _delete_older_than(names[MAX_TABLES - 2])
    return True


def read(number: int = 1) -> "Setup":
    """Read the setup document of a recent table.

    Args:
        number: the number of the table; 1 is the newest.

    Raises:
        NoResult: no table has been saved.
        BadOptions: no table has this number.
        BadDocument: the file is damaged or not a setup document.
    """
    names = _list_names()
    if not names:
        raise NoResult("there is no last setup yet; deal a kingdom, or name the file of a saved setup.")
    if not 1 <= number <= len(names):
        template = (
            "there is no setup {number}; `dominion-setup tables` lists {count}. For a file of this name, "
            "type ./{number}."
        )
        raise BadOptions(template, number=number, count=len(names))
    try:
        return _read_document(names[number - 1])
    except BadDocument as problem:
        template = "the last setup is damaged: {fault} Deal a new kingdom to replace it."
        if number > 1:
            template = "setup {number} is damaged: {fault}"
        raise BadDocument(template, number=number, fault=problem.message) from None


def describe_tables() -> list[dict[str, Any]]:
    """Return a JSON object for each table, the newest first.

    A table has its `number`; the time at which it was `dealt`, in ISO 8601; its `game`, `title`, `seed`,
    number of `players` and chosen `boxes` as in the setup document; and the ids of the recorded `games` that
    were played with it. If the file is damaged, the table has only `number`, `dealt` and `damaged`.

    Raises:
        BadDatabase: the history of games cannot be read.
    """
    from datetime import datetime

    from randomizer.memory.played_game import build_played_game
    from randomizer.memory.played_games import get_table_key, load_games
    from randomizer.setup.checklist import is_veto_open

    games_by_table: dict[object, list[int]] = {}
    for game in load_games():
        games_by_table.setdefault(get_table_key(game), []).append(game.id)
    tables: list[dict[str, Any]] = []
    for number, name in enumerate(_list_names(), 1):
        dealt = datetime.fromtimestamp(_parse_time(name) // 10**9).astimezone().isoformat()
        games: list[int] = []
        try:
            setup = _read_document(name)
            if not is_veto_open(setup):  # Otherwise, it cannot have been recorded.
                games = games_by_table.get(get_table_key(build_played_game(setup)), [])
        except Problem:
            tables.append({"number": number, "dealt": dealt, "damaged": True})
            continue
        facts = {part: setup[part] for part in ("game", "title", "seed", "players")}
        boxes = [box for box in setup["boxes"] if box["chosen"]]
        tables.append({"number": number, "dealt": dealt, **facts, "boxes": boxes, "games": games})
    return tables


def _list_names() -> list[str]:
    """Return the file names of the documents, the newest first."""
    with suppress(OSError):
        names = sorted(filter(_DOCUMENT_NAME.fullmatch, os.listdir(get_path())), reverse=True)
        return names[:MAX_TABLES]
    return []


def _parse_time(name: str) -> int:
    """Return the time of a deal, in nanoseconds since 1970, from the name of the document."""
    return int(name.partition("-")[0])


def _delete_older_than(oldest_kept: str) -> None:
    """Delete all files of this module, complete or not, that are older than the named document."""
    with suppress(OSError):
        for name in os.listdir(get_path()):
            if _DOCUMENT_NAME.match(name) and name < oldest_kept:
                with suppress(OSError):  # Another process may have deleted the file.
                    os.unlink(os.path.join(get_path(), name))


def _read_document(name: str) -> "Setup":
    """Read the setup document in the file with this name.

    Raises:
        BadDocument: the file cannot be read, or is damaged.
    """
    from randomizer.setup.schema import loads

    file = os.path.join(get_path(), name)
    try:
        if not os.path.isfile(file):  # Reading a pipe could block forever.
            raise BadDocument("{file} is not a regular file.", file=Verbatim(file))
        return loads(read_bounded(file), Verbatim(file))
    except OSError as problem:
        fault = message("{file}: {why}.", file=Verbatim(file), why=describe_os_error(problem))
    raise BadDocument(fault)
