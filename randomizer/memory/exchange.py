"""Played games as JSON and as CSV, which other programs read, and reading both again.

A list in a cell of CSV is itself a row of CSV. A cell that a spreadsheet would take for a formula has an
apostrophe before it.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.memory.noted import PARTS, PlayedGame, checked, facts, scores
from randomizer.text.errors import BadDocument, BadOptions
from randomizer.text.json import dumps
from randomizer.text.language import Typed, Value

SCHEMA = 1
_FORMULA = ("=", "+", "-", "@", "'")
_LONGEST_CELL = 1_000_000  # letters


def as_json(games: Iterable[PlayedGame]) -> str:
    """The games as a JSON document."""
    return dumps({"schema": SCHEMA, "games": [facts(game) for game in games]})


def as_csv(games: Iterable[PlayedGame]) -> str:
    """The games as CSV: a row each, under a row with the names of the columns."""
    rows = [["id", *_FIELDS]]
    for game in games:
        said = facts(game)
        rows.append([str(said["id"]), *(_safe(_cell(name, said[name])) for name in _FIELDS)])
    return "\n".join(map(_row, rows))


def read(content: bytes, name: Value) -> list[PlayedGame]:
    """The games of a file in one of these forms, checked; their numbers are left out.

    Args:
        name: what errors call the file.

    Raises:
        BadDocument: it is neither, or a game in it is not as it should be; says which.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadDocument("{file} is not text in UTF-8.", file=name) from None
    read_ = _from_json if text.lstrip().startswith("{") else _from_csv
    games = []
    for number, said in enumerate(read_(text, name), 1):
        try:
            games.append(checked(said))
        except BadOptions as problem:
            wrong = "{file}: game {number}: {fault}"
            raise BadDocument(wrong, file=name, number=number, fault=problem.message) from None
    return games


def _from_json(text: str, name: Value) -> Iterator[Mapping[str, Any]]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise BadDocument("{file} is not JSON.", file=name) from None
    if said.get("schema") != SCHEMA or not isinstance(said.get("games"), list):
        raise BadDocument("{file} is not what `dominion-setup history --json` prints.", file=name)
    for game in said["games"]:
        yield game if isinstance(game, dict) else {}


def _from_csv(text: str, name: Value) -> Iterator[Mapping[str, Any]]:
    csv.field_size_limit(_LONGEST_CELL)
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        if set(_FIELDS) - set(rows.fieldnames or ()):
            raise BadDocument(
                "{file} is not what `dominion-setup history --csv` or --json prints.", file=name
            )
        for row in rows:
            yield {field: _value(field, row[field] or "") for field in _FIELDS}
    except csv.Error as problem:
        raise BadDocument("{file} is not CSV: {fault}.", file=name, fault=Typed(problem)) from None


# ── Cells ──

_FIELDS = tuple(field for field in PlayedGame._fields if field != "id")


def _cell(field: str, value: Any) -> str:
    """What a fact is in CSV; `_value` reads it."""
    if field == "players":
        return ",".join(
            player["name"] + ("" if player["score"] is None else f"={player['score']}") for player in value
        )
    if field == "options":
        return json.dumps(value)
    if field in PARTS:
        return _row(value)
    return "" if value is None else str(value)


def _value(field: str, cell: str) -> Any:
    """The fact in a cell; where it is nothing of the sort the cell itself, which `checked` refuses."""
    cell = cell.removeprefix("'")
    try:
        if field == "players":
            return [{"name": name, "score": score} for name, score in scores(cell)]
        if field == "options":
            return json.loads(cell)
    except (BadOptions, ValueError, RecursionError):
        return cell
    if field in PARTS:
        return next(csv.reader([cell]), [])
    if field == "rating":
        return int(cell) if cell.isdecimal() and len(cell) < 3 else cell or None
    return cell


def _safe(cell: str) -> str:
    """The cell as no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _row(cells: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()
