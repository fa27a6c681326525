"""Export of played games to JSON and CSV, and import from these formats.

In CSV, a list is a cell that contains a row of CSV. A cell that a spreadsheet would evaluate as a formula
is prefixed with an apostrophe.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from randomizer.load.files import describe_encoding_error
from randomizer.memory.played_game import MAX_SCORE, NAME_LISTS, PlayedGame, parse_scores
from randomizer.text.encoding import escape_formula
from randomizer.text.errors import BadDocument, BadOptions
from randomizer.text.json import dumps
from randomizer.text.language import Value, Verbatim

SCHEMA = 1
_FIELDS = tuple(field for field in PlayedGame._fields if field != "id")  # the columns except the id
_OPTIONAL_FIELDS = {"winners"}  # columns that older versions did not write
_MAX_CELL_LENGTH = 1_000_000  # characters


class PlayerResult(TypedDict):
    """A player, and the score if it is known."""

    name: str
    score: Annotated[int | None, {"minimum": -MAX_SCORE, "maximum": MAX_SCORE}]


class RecordedGame(TypedDict):
    """A game that was played. Cards and landscapes are English names."""

    id: Annotated[int, {"maximum": 1_000_000_000}, "the number of the game in the history"]
    key: Annotated[str, "a random text that identifies the game on all computers"]
    date: Annotated[str, "such as 2026-11-22"]
    players: list[PlayerResult]
    rating: Annotated[int | None, "from 1 to 5"]
    note: str
    game: Annotated[str, "as in --game"]
    seed: str
    options: Annotated[dict[str, Any], "the options of the deal, as in setup documents"]
    kingdom: Annotated[list[str], "the Kingdom piles, including those that a second deal replaced"]
    landscapes: list[str]
    others: Annotated[list[str], "other chosen piles, and cards set aside"]
    winners: Annotated[list[str], "names of players; empty if unknown"]


class History(TypedDict):
    """Played games, in the order in which they were played."""

    schema: Literal[1]
    games: Annotated[list[RecordedGame], {"maxItems": 1_000_000}]


def to_json(games: Iterable[PlayedGame]) -> str:
    """Export games as a JSON document."""
    return dumps({"schema": SCHEMA, "games": [game.to_dict() for game in games]})


def to_csv(games: Iterable[PlayedGame]) -> str:
    """Export games as CSV, with a header and a row for each game."""
    rows = [["id", *_FIELDS]]
    for game in games:
        facts = game.to_dict()
        cells = (escape_formula(_format_cell(field, facts[field])) for field in _FIELDS)
        rows.append([str(game.id), *cells])
    return "\n".join(map(_format_row, rows))


def parse_games(content: bytes, file_name: Value) -> list[PlayedGame]:
    """Parse and check the games of an exported file. Their ids are not imported.

    Args:
        content: the content of the file, JSON or CSV in UTF-8.
        file_name: the name of the file, for error messages.

    Raises:
        BadDocument: the content is in neither format, or contains an invalid game.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadDocument("{file}: {why}.", file=file_name, why=describe_encoding_error(problem)) from None
    parse = _parse_json if text.lstrip().startswith("{") else _parse_csv
    games = []
    for number, facts in enumerate(parse(text, file_name), 1):
        try:
            games.append(PlayedGame.from_dict(facts))
        except BadOptions as problem:
            template = "{file}: game {number}: {fault}"
            raise BadDocument(template, file=file_name, number=number, fault=problem.message) from None
    return games


def _parse_json(text: str, file_name: Value) -> Iterator[Mapping[str, Any]]:
    """Parse JSON, and yield the unchecked fields of each game."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BadDocument("{file} is not JSON.", file=file_name) from None
    if document.get("schema") != SCHEMA or not isinstance(document.get("games"), list):
        raise BadDocument("{file} is not output of `dominion-setup history --json`.", file=file_name)
    for game in document["games"]:
        yield game if isinstance(game, dict) else {}


def _parse_csv(text: str, file_name: Value) -> Iterator[Mapping[str, Any]]:
    """Parse CSV, and yield the unchecked fields of each game."""
    csv.field_size_limit(_MAX_CELL_LENGTH)
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        if set(_FIELDS) - _OPTIONAL_FIELDS - set(rows.fieldnames or ()):
            raise BadDocument(
                "{file} is not output of `dominion-setup history --csv` or --json.", file=file_name
            )
        for row in rows:
            yield {field: _parse_cell(field, row.get(field) or "") for field in _FIELDS}
    except csv.Error as problem:
        raise BadDocument("{file} is not CSV: {fault}.", file=file_name, fault=Verbatim(problem)) from None


# ── Cells ──


def _format_cell(field: str, value: Any) -> str:
    """Convert the value of a field to a CSV cell."""
    if field == "players":
        return ",".join(
            player["name"] + ("" if player["score"] is None else f"={player['score']}") for player in value
        )
    if field == "options":
        return json.dumps(value)
    if field in NAME_LISTS:
        return _format_row(value)
    return "" if value is None else str(value)


def _parse_cell(field: str, cell: str) -> Any:
    """Convert a CSV cell to the value of a field. An invalid cell is left for `from_dict` to reject."""
    cell = cell.removeprefix("'")
    try:
        if field == "players":
            return [{"name": name, "score": score} for name, score in parse_scores(cell)]
        if field == "options":
            return json.loads(cell)
    except (BadOptions, ValueError, RecursionError):
        return cell
    if field in NAME_LISTS:
        return next(csv.reader([cell]), [])
    if field == "rating":
        return int(cell) if cell.isdecimal() and len(cell) < 3 else cell or None
    return cell


def _format_row(cells: Sequence[str]) -> str:
    output = io.StringIO(newline="")
    csv.writer(output, lineterminator="").writerow(cells)
    return output.getvalue()
