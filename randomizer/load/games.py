"""Loads games from their data files or from the cache.

Data files are parsed and checked only if they have changed. Otherwise, the game is loaded from the cache,
where it is stored as JSON. Code that uses a loaded game need not check its data again.
"""

import os
from collections.abc import Sequence

from randomizer.cards.game import Game
from randomizer.cards.library import Library
from randomizer.cards.model import Card
from randomizer.load import paths
from randomizer.load.cache import get_or_compute
from randomizer.load.codec import from_jsonable, to_jsonable
from randomizer.text.errors import BadData, UnknownName, describe_os_error, find_suggestions
from randomizer.text.folding import fold
from randomizer.text.json import dumps_compact, loads, pack_strings, unpack_strings
from randomizer.text.language import Verbatim, as_verbatim, message


def list_games() -> list[str]:
    """Return the names of all games. The default game comes first."""
    return [load().name, *_list_other_games()]


def _list_other_games() -> list[str]:
    names = (file.removesuffix(".yaml") for file in paths.data_files() if ".yaml" in file)
    return [name for name in names if name not in (paths.DEFAULT_GAME, paths.KINGDOMS) and "." not in name]


def is_default(game: Game) -> bool:
    """Return whether the game is the default game."""
    return game.name not in _list_other_games()


def resolve_name(name: str, cache: str | None = None) -> str:
    """Return the short name of the game that has this name, title or other name in any language.

    An unknown name is returned unchanged.
    """
    if name in ("", *_list_other_games()):
        return name
    folded = fold(name)
    for game in ("", *_list_other_games()):
        loaded = _load(game, (), cache)
        if folded in map(fold, (loaded.name, loaded.title, *loaded.also)):
            return loaded.name
    return name


def load(game: str = "", extra_files: Sequence[str] = (), cache: str | None = None) -> Game:
    """Load a game, including the user's own data files.

    Args:
        game: a name of the game (see `resolve_name`); empty for the default game.
        extra_files: the paths of the user's own data files.
        cache: the cache folder; by default, that of the user.

    Raises:
        UnknownName: there is no such game.
        BadData: the files have faults, all of which are listed.
    """
    if game in _list_other_games():
        return _load(game, extra_files, cache)
    loaded = _load("", extra_files, cache)
    if game not in ("", loaded.name):
        resolved = resolve_name(game, cache)
        if resolved != game:
            return load(resolved, extra_files, cache)
        known_names = [loaded.name, *_list_other_games()]
        raise UnknownName("game", game, as_verbatim(find_suggestions(game, known_names) or known_names))
    return loaded


def _load(name: str, extra_files: Sequence[str], cache: str | None) -> Game:
    files = [paths.game_file(name), *map(os.path.abspath, extra_files)]

    def compute() -> bytes:
        from randomizer.load.gamefile import read_game  # This imports PyYAML, which takes time.

        return _encode_game(read_game(files))

    # A pipe can be read only once, so its content is not cached. A missing file raises an error below.
    is_cacheable = all(os.path.isfile(path) or not os.path.exists(path) for path in files)
    try:
        encoded = (
            get_or_compute(name or paths.DEFAULT_GAME, files, compute, cache) if is_cacheable else compute()
        )
    except OSError as error:
        given_paths = {os.path.abspath(path): path for path in extra_files}
        path = given_paths.get(error.filename, error.filename)
        raise BadData([message("{file}: {why}", file=Verbatim(path), why=describe_os_error(error))]) from None
    return _decode_game(encoded)


def _encode_game(game: Game) -> bytes:
    """Return the game as lines of JSON: the game without its cards, then each group of cards."""
    fields = {field: to_jsonable(value) for field, value in game._asdict().items() if field != "cards"}
    group_keys = game.cards.group_keys
    fields["cards"] = [group_keys, pack_strings(game.cards.group_key_by_card)]
    lines = [fields, *(to_jsonable(game.cards.load_group(group_key)) for group_key in group_keys)]
    return "\n".join(map(dumps_compact, lines)).encode()


def _decode_game(encoded: bytes) -> Game:
    """Return the game from the output of `_encode_game`. A group of cards is decoded on first use."""
    first_line, *lines = encoded.split(b"\n")
    fields = loads(first_line)
    group_keys, group_key_by_card = fields.pop("cards")

    def load_group(group_key: str) -> tuple[Card, ...]:
        cards: tuple[Card, ...] = from_jsonable(loads(lines[group_keys.index(group_key)]))
        return cards

    return Game(
        cards=Library(group_keys, unpack_strings(group_key_by_card), load_group), **from_jsonable(fields)
    )
