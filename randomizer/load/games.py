"""Loads a game from its data files; checks them once, wholly, and keeps what came of it as JSON.

Past this module nobody checks shapes.
"""

import os
from collections.abc import Sequence

from randomizer.cards.effect import Effects
from randomizer.cards.game import Game
from randomizer.cards.library import Library
from randomizer.cards.model import Card
from randomizer.load import paths
from randomizer.load.cache import cached
from randomizer.load.codec import Packed, frozen, pack, thawed
from randomizer.text.errors import BadData, UnknownName, nearest, reason
from randomizer.text.json import dumps_compact, loads, packed, unpacked
from randomizer.text.language import Typed, as_typed, message


def games() -> list[str]:
    """The names of all games there are data for, the default game first."""
    return [load().name, *_others()]


def _others() -> list[str]:
    files = (file.removesuffix(".yaml") for file in paths.data_files() if ".yaml" in file)
    own = (paths.DEFAULT_GAME, paths.KINGDOMS)
    return [file for file in files if file not in own and "." not in file]


def is_default(game: Game) -> bool:
    """Whether it is the game that is meant where no other is named."""
    return game.name not in _others()


def load(game: str = "", extra: Sequence[str] = (), cache: str | None = None) -> Game:
    """The game, with what the user's own files add to it.

    Args:
        game: its name; nothing is the default game.
        extra: paths of further files in the same format.
        cache: the folder of the cache; by default the user's own.

    Raises:
        UnknownName: there are no data for such a game.
        BadData: with every fault of all the files.
    """
    if game in _others():
        return _load(game, extra, cache)
    loaded = _load("", extra, cache)
    if game not in ("", loaded.name):
        known = [loaded.name, *_others()]
        raise UnknownName("game", game, as_typed(nearest(game, known) or known))
    return loaded


def _load(name: str, extra: Sequence[str], cache: str | None) -> Game:
    files = [paths.game_file(name), *map(os.path.abspath, extra)]

    def compile_() -> bytes:
        from randomizer.load.gamefile import read_game  # and with it YAML, only when a file has changed

        return _frozen(read_game(files))

    lasting = all(os.path.isfile(path) or not os.path.exists(path) for path in files)  # a pipe is read once
    try:
        made = cached(name or paths.DEFAULT_GAME, files, compile_, cache) if lasting else compile_()
        return _thawed(made)
    except OSError as problem:
        typed = {os.path.abspath(path): path for path in extra}
        path = typed.get(problem.filename, problem.filename)
        raise BadData([message("{file}: {why}", file=Typed(path), why=reason(problem))]) from None


def _frozen(game: Game) -> bytes:
    """The game as a line of JSON; after it, what a deal uses only some of, packed."""
    parts = {
        field: frozen(value) for field, value in game._asdict().items() if field not in ("cards", "setup")
    }
    store = bytearray()
    cards = [pack(game.cards.shelves, store), packed(game.cards.shelf_of)]
    parts |= {"cards": cards, "setup": pack(game.setup, store)}
    return dumps_compact(parts).encode() + b"\n" + store


def _thawed(made: bytes) -> Game:
    end = made.index(b"\n")
    parts, store = loads(made[:end]), memoryview(made)[end + 1 :]
    shelves, shelf_of = parts.pop("cards")
    return Game(
        cards=Library(Packed(shelves, store, tuple[Card, ...]), unpacked(shelf_of)),
        setup=Packed(parts.pop("setup"), store, Effects),
        **{field: thawed(value, Game.__annotations__[field]) for field, value in parts.items()},
    )
