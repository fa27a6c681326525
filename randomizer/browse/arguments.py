"""Validation of the arguments of the Python API, and their conversion to requests."""

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
from randomizer.setup.settings import build_type_error, check_settings
from randomizer.text.language import message

_TEXT_LISTS = ("sets", "with_", "without", "want", "weight", "swap", "files")


def build_request(
    game: Game, seed: str, arguments: Mapping[str, Any], settings: Mapping[str, Any]
) -> Request:
    """Build the request for a deal from the arguments of a function.

    Args:
        game: the game.
        seed: the seed.
        arguments: the arguments that all games have, by name.
        settings: the game's own options, by name.

    Raises:
        Problem: an argument is unknown, has the wrong type, is invalid, or conflicts with another.
    """
    check_game(game)
    check_settings(game, settings, (*arguments, "seed"))
    builder = RequestBuilder(game, load_all(game), lambda: load_all_card_names(game).values(), {})
    return builder.build(build_deal_options(game, arguments, settings), seed)


def build_deal_options(game: Game, arguments: Mapping[str, Any], settings: Mapping[str, Any]) -> DealOptions:
    """Check the arguments that all games have, and build the options of a deal from them.

    Args:
        game: the game.
        arguments: the arguments, by the names of the Python API; also `fresh`.
        settings: the game's own options, by name. They are not checked.

    Raises:
        Problem: an argument has the wrong type or names no box.
    """
    texts = {name: list_texts(name, arguments.get(name, ())) for name in _TEXT_LISTS}
    kingdom, vetoed = arguments.get("kingdom", ""), arguments.get("vetoed")
    return DealOptions(
        resolve_boxes(texts["sets"] or [next(iter(game.sets))], game),
        bool(texts["sets"]),
        check_number("players", arguments["players"], 1),
        settings,
        texts["files"],
        "" if is_default(game) else game.name,
        texts["with_"],
        texts["without"],
        texts["want"],
        texts["weight"],
        check_number("of", arguments["of"], 0),
        arguments.get("fresh", 0),
        kingdom=read_text_or_file("kingdom", kingdom) or None,
        swaps=texts["swap"],
        like=check_text("like", arguments.get("like", "")),
        veto_count=check_number("veto", arguments.get("veto", 0), 0),
        vetoed=[] if vetoed is None else list_texts("vetoed", vetoed) or [NO_VETOES],
    )


def check_game(game: object) -> Game:
    """Return the argument `game` if it is a game.

    Raises:
        BadOptions: the argument has another type.
    """
    if not isinstance(game, Game):
        raise build_type_error("game", message("a game from `load_game`"), game)
    return game


def check_text(name: str, value: object) -> str:
    """Return an argument if it is a text.

    Raises:
        BadOptions: the argument has another type.
    """
    if not isinstance(value, str):
        raise build_type_error(name, message("a text"), value)
    return value


def check_number(name: str, value: object, min_value: int) -> int:
    """Return an argument if it is an integer from `min_value` to `MAX_NUMBER`.

    Raises:
        BadOptions: the argument has another type or is out of range.
    """
    if type(value) is not int or not min_value <= value <= MAX_NUMBER:
        raise build_type_error(
            name, message("a number from {least} to {most}", least=min_value, most=MAX_NUMBER), value
        )
    return value


def list_texts(name: str, value: object) -> list[str]:
    """Convert an argument that contains several strings to a list.

    Raises:
        BadOptions: the argument is a single string, or contains anything but strings.
    """
    texts: list[Any] = (
        list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [None]
    )
    if not all(isinstance(text, str) for text in texts):
        raise build_type_error(name, message("a list of texts"), value)
    return texts


def read_text_or_file(name: str, value: object) -> str:
    """Return an argument that is a text. If it is a path object, return the content of the file.

    A text is never treated as the name of a file, so it may come from an untrusted source.

    Raises:
        BadOptions: the argument has another type.
        BadKingdom: the file cannot be read.
    """
    if not isinstance(value, PathLike):
        return check_text(name, value)
    return read_kingdom_file(str(fspath(value)))
