"""Loads a game from its data files; checks them once, wholly, and keeps what came of it as JSON.

Past this module nobody checks shapes.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

from randomizer.cache import cached
from randomizer.cards import Cards
from randomizer.effects import Effects
from randomizer.errors import BadData
from randomizer.frozen import Packed, frozen, pack, thawed
from randomizer.game import Game
from randomizer.model import Card
from randomizer.paths import data_folder


def load(game: str = "cards", extra: Sequence[str] = (), cache: str | None = None) -> Game:
    """The game of `data/<game>.yaml`, with what the user's own files add to it.

    Args:
        game: the data file's name without its ending.
        extra: paths of further files in the same format.
        cache: the folder of the cache; by default the user's own.

    Raises:
        BadData: with every fault of all the files.
    """
    files = [os.path.join(data_folder(), f"{game}.yaml"), *map(os.path.abspath, extra)]

    def compile_() -> bytes:
        from randomizer.datafile import read_game  # and with it YAML, only when a file has changed

        return json.dumps(_frozen(read_game(files)), ensure_ascii=False, separators=(",", ":")).encode()

    try:
        return _thawed(json.loads(cached(game, files, compile_, cache)))
    except OSError as problem:
        raise BadData([f"{problem.filename}: {problem.strerror}"]) from None


def _frozen(game: Game) -> dict[str, Any]:
    """The game in JSON's terms; what a deal uses only some of is packed."""
    parts = {
        field: frozen(value) for field, value in game._asdict().items() if field not in ("cards", "setup")
    }
    shelves = list(game.cards.shelves)
    shelf_of = {name: shelves.index(shelf) for name, shelf in game.cards.shelf_of.items()}
    return {**parts, "cards": [pack(game.cards.shelves), shelf_of], "setup": pack(game.setup)}


def _thawed(parts: dict[str, Any]) -> Game:
    shelves, numbers = parts.pop("cards")
    slugs = list(shelves)
    return Game(
        cards=Cards(
            Packed(shelves, tuple[Card, ...]), {name: slugs[number] for name, number in numbers.items()}
        ),
        setup=Packed(parts.pop("setup"), Effects),
        **{field: thawed(value, Game.__annotations__[field]) for field, value in parts.items()},
    )
