"""Validates the arguments of the Python API, and converts them to requests."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any

from randomizer.browse.boxes import resolve_boxes
from randomizer.browse.request_builder import DealOptions, RequestBuilder
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import NO_VETOES
from randomizer.cards.model import MAX_NUMBER
from randomizer.load.files import read_kingdom_file
from randomizer.load.games import is_default
from randomizer.load.languages import load_all, load_all_card_names
from randomizer.setup.settings import build_type_error, check_settings, move_shares
from randomizer.text.language import message

_STRING_LISTS = ("sets", "with_", "without", "want", "weight", "swap", "files")


def build_request(
    game: Game, seed: str, arguments: Mapping[str, Any], settings: Mapping[str, Any]
) -> Request:
    """Build the request for a deal from the arguments of a function.

    Args:
        game: the game.
        seed: the seed.
        arguments: the arguments that are the same for all games, by name.
        settings: the game's own options, by name.

    Raises:
        Problem: an argument is unknown, has the wrong type, is invalid, or conflicts with another.
    """
    require_game(game)
    settings = move_shares(game, settings)
    check_settings(game, settings, (*arguments, "seed"))
    builder = RequestBuilder(game, load_all(game), load_all_card_names(game).values(), {})
    return builder.build(build_deal_options(game, arguments, settings), seed)


def build_deal_options(game: Game, arguments: Mapping[str, Any], settings: Mapping[str, Any]) -> DealOptions:
    """Check the arguments that are the same for all games, and build the options of a deal from them.

    Args:
        game: the game.
        arguments: the arguments, by their names in the Python API. They may include `fresh`, the number of
            most recently played games whose cards are excluded, and `table`, the number of the only table to
            deal of several.
        settings: the game's own options, by name. They are not checked.

    Raises:
        Problem: an argument has the wrong type, or `sets` does not name any box.
    """
    lists = {name: require_strings(name, arguments.get(name, ())) for name in _STRING_LISTS}
    kingdom, vetoed = arguments.get("kingdom", ""), arguments.get("vetoed")
    return DealOptions(
        resolve_boxes(lists["sets"] or [next(iter(game.sets))], game),
        bool(lists["sets"]),
        require_integer("players", arguments["players"], 1),
        settings,
        lists["files"],
        "" if is_default(game) else game.name,
        lists["with_"],
        lists["without"],
        lists["want"],
        lists["weight"],
        require_integer("of", arguments["of"], 0),
        arguments.get("fresh", 0),
        kingdom=read_string_or_file("kingdom", kingdom) or None,
        swaps=lists["swap"],
        like=require_string("like", arguments.get("like", "")),
        veto_count=require_integer("veto", arguments.get("veto", 0), 0),
        vetoed=[] if vetoed is None else require_strings("vetoed", vetoed) or [NO_VETOES],
        table_count=require_integer("count", arguments.get("count", 0), 0),
        table_number=arguments.get("table", 0),
        is_apart=require_boolean("apart", arguments.get("apart", False)),
        copies=require_strings("copies", arguments.get("copies", ())),
    )


def require_game(game: object) -> Game:
    """Return the argument `game`, and raise an error unless it is a `Game`.

    Raises:
        BadOptions: the argument has another type.
    """
    if not isinstance(game, Game):
        raise build_type_error("game", message("a game from `load_game`"), game)
    return game


def require_setups(value: object) -> list[Any]:
    """Return one setup document, or a list of several, as a list.

    Raises:
        BadOptions: the list is empty.
    """
    if value == []:
        raise build_type_error("setup", message("a setup, or a list of setups"), value)
    return value if isinstance(value, list) else [value]


def format_copies(copies: object) -> list[str]:
    """Return the values of `--copies` for the number of copies of each box, by its name.

    Raises:
        BadOptions: the argument is not a mapping from names to numbers.
    """
    if not isinstance(copies, Mapping) or not all(
        isinstance(name, str) and type(count) is int for name, count in copies.items()
    ):
        raise build_type_error("copies", message("numbers by the name of a box"), copies)
    return [f"{name}={count}" for name, count in copies.items()]


def require_string(name: str, value: object) -> str:
    """Return an argument, and raise an error unless it is a string.

    Raises:
        BadOptions: the argument has another type.
    """
    if not isinstance(value, str):
        raise build_type_error(name, message("a text"), value)
    return value


def require_integer(name: str, value: object, min_value: int) -> int:
    """Return an argument, and raise an error unless it is an integer from `min_value` to `MAX_NUMBER`.

    Raises:
        BadOptions: the argument has another type or is out of range.
    """
    if type(value) is not int or not min_value <= value <= MAX_NUMBER:
        raise build_type_error(
            name, message("a number from {least} to {most}", least=min_value, most=MAX_NUMBER), value
        )
    return value


def require_boolean(name: str, value: object) -> bool:
    """Return an argument, and raise an error unless it is True or False.

    Raises:
        BadOptions: the argument has another type.
    """
    if not isinstance(value, bool):
        raise build_type_error(name, message("True or False"), value)
    return value


def require_strings(name: str, value: object) -> list[str]:
    """Return an argument as a list, and raise an error unless it is an iterable of strings.

    Raises:
        BadOptions: the argument is a single string, or contains anything but strings.
    """
    strings: list[Any] = (
        list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [None]
    )
    if not all(isinstance(string, str) for string in strings):
        raise build_type_error(name, message("a list of texts"), value)
    return strings


def read_string_or_file(name: str, value: object) -> str:
    """Return an argument that is a string, or the content of the file if it is a path object.

    A string is never treated as a path, so it may come from an untrusted source.

    Raises:
        BadOptions: the argument has another type.
        BadKingdom: the file cannot be read.
    """
    if not isinstance(value, PathLike):
        return require_string(name, value)
    return read_kingdom_file(str(fspath(value)))
