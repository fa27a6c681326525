"""The user's favourite kingdoms, each of which is a JSON file in the data folder.

Each file is written atomically, so that programs that save favourites at the same time lose none.
"""

import os
from collections.abc import Container, Iterable
from contextlib import suppress
from typing import Any

from randomizer.cards.game import Game
from randomizer.cards.kingdom import Kingdom, kingdom_from_json, kingdom_to_json
from randomizer.load import paths
from randomizer.load.files import read_bounded, write_atomically
from randomizer.load.kingdoms import SuggestedKingdom
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.folding import normalize_key
from randomizer.text.json import dumps, loads
from randomizer.text.language import as_verbatim, quote
from randomizer.text.slugs import slugify

MAX_FAVOURITES = 200
MAX_NAME_LENGTH = 40  # characters


class Favourite(SuggestedKingdom):
    """A kingdom that the user has saved. Its `sets` are the boxes that contain its cards."""

    __slots__ = ()


def load(game: Game) -> list[Favourite]:
    """Return the user's favourites for a game, in the order of their ids.

    Files that are damaged, and kingdoms with cards that the game does not have, are omitted.
    """
    return [favourite for path in _list_files() if (favourite := _read(path, game))]


def find(name: str, game: Game) -> Favourite | None:
    """Return the favourite with this name or id, or None if there is none."""
    key = normalize_key(name)
    return next(
        (
            favourite
            for favourite in load(game)
            if key == normalize_key(favourite.name) or slugify(name) == favourite.id
        ),
        None,
    )


def get(name: str, game: Game) -> Favourite:
    """Return the favourite with this name or id.

    Raises:
        UnknownName: no favourite has this name or id.
    """
    if favourite := find(name, game):
        return favourite
    hits = find_suggestions(name, [favourite.name for favourite in load(game)])
    raise UnknownName("favourite kingdom", name, as_verbatim(hits))


def build(name: str, sets: Iterable[str], kingdom: Kingdom, use: Iterable[str]) -> Favourite:
    """Build a favourite, whose id is the slug of its name.

    Args:
        name: the name. Spaces at its ends and repeated spaces are removed.
        sets: the slugs of the boxes that contain the cards.
        kingdom: the kingdom.
        use: the names of the options, such as Colony, that are on.

    Raises:
        BadOptions: the name is empty, too long or not printable.
    """
    name = " ".join(name.split())
    if not slugify(name) or not name.isprintable() or len(name) > MAX_NAME_LENGTH:
        raise BadOptions(
            "{name} can't be the name of a kingdom: use letters or digits, and at most {most} characters.",
            name=quote(name),
            most=MAX_NAME_LENGTH,
        )
    parts: dict[str, Any] = {
        "cards": kingdom.cards,
        "landscapes": kingdom.landscapes,
        "chosen": tuple(kingdom.chosen.items()),
        "on": tuple(kingdom.on.items()),
        "sets": tuple(sets),
        "use": tuple(use),
    }
    return Favourite(id=slugify(name), name=name, **parts)


def save(favourite: Favourite, game: Game) -> None:
    """Write the file of a new favourite.

    Raises:
        BadOptions: there are too many favourites.
        OSError: the file cannot be written.
    """
    if len(_list_files()) >= MAX_FAVOURITES:
        raise BadOptions("there are already {most} favourites; forget one first.", most=MAX_FAVOURITES)
    _write(favourite, game)


def replace(old: Favourite, new: Favourite, game: Game) -> None:
    """Write the file of a renamed favourite, then delete the file with the old name.

    Raises:
        OSError: a file cannot be written or deleted.
    """
    _write(new, game)
    forget(old)


def forget(favourite: Favourite) -> None:
    """Delete the file of a favourite.

    Raises:
        OSError: the file cannot be deleted.
    """
    os.unlink(_get_path(favourite.id))


def _write(favourite: Favourite, game: Game) -> None:
    fields = {
        "name": favourite.name,
        "game": game.name,
        "sets": list(favourite.sets),
        "kingdom": kingdom_to_json(favourite.to_kingdom()),
        "use": list(favourite.use),
    }
    write_atomically(_get_path(favourite.id), dumps(fields).encode())


def _get_folder() -> str:
    return os.path.join(paths.history_folder(), "favourites")


def _get_path(favourite_id: str) -> str:
    return os.path.join(_get_folder(), f"{favourite_id}.json")


def _list_files() -> list[str]:
    """Return the paths of the favourites' files, sorted by name; at most `MAX_FAVOURITES`."""
    try:
        names = sorted(name for name in os.listdir(_get_folder()) if name.endswith(".json"))
    except OSError:
        return []
    return [os.path.join(_get_folder(), name) for name in names[:MAX_FAVOURITES]]


def _read(path: str, game: Game) -> Favourite | None:
    """Read the favourite in a file; return None if it is invalid or for another game."""
    try:
        fields = loads(read_bounded(path)) if os.path.isfile(path) else None
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or fields.get("game") != game.name:
        return None
    name, kingdom = fields.get("name"), kingdom_from_json(fields.get("kingdom"))
    sets: Any = fields.get("sets")
    use: Any = fields.get("use")
    id = os.path.basename(path).removesuffix(".json")
    if not (
        isinstance(name, str)
        and slugify(name) == id
        and kingdom
        and game.cards.keys() >= {*kingdom.names(), *kingdom.on, *kingdom.on.values()}
        and _are_known(sets, game.boxes)
        and _are_known(use, [option.name for option in game.options])
    ):
        return None
    with suppress(BadOptions):
        return build(name, sets, kingdom, use)
    return None


def _are_known(values: object, known: Container[object]) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) and value in known for value in values)
