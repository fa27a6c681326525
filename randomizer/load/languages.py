"""Loads languages from their files, and keeps what came of them until one of the files changes.

English needs no file. Every other language is a `data/names.<code>.yaml`, and for a game besides the default
one a `data/<game>.<code>.yaml` that adds to it.
"""

import os
import sys
from typing import TYPE_CHECKING

from randomizer.load import paths
from randomizer.load.cache import cached
from randomizer.text.errors import UnknownName
from randomizer.text.json import dumps_compact, loads, packed, unpacked
from randomizer.text.language import ENGLISH, Language, as_typed

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named
    from randomizer.load.languagefile import LanguageFile

_LONG = ("cards", "words")  # the fields of a language that have many texts
_DEFAULT = "names"  # how the files of the default game are called; another game's are called after the game


def codes() -> list[str]:
    """The codes of all languages there are, English first."""
    return [ENGLISH] + [file.split(".")[1] for file in paths.data_files() if file.startswith("names.")]


def meant(setting: str) -> str:
    """The code of the language that is meant by `ja`, `JA` or `ja_JP.UTF-8`; nothing if there is none."""
    whole = setting.partition(".")[0].replace("_", "-").casefold()
    known = {code.casefold(): code for code in codes()}
    return known.get(whole) or known.get(whole.partition("-")[0], "")


def wanted(code: str | None) -> str:
    """The code of the language to show things in: the one asked for, whether it is there or not, else the
    locale's where there is a file for it, else English's.
    """
    return (meant(locale()) or ENGLISH) if code is None else meant(code) or code


def holds(encoding: str, language: Language) -> bool:
    """Whether an encoding has most of the letters that the language is written in."""
    if language.code == ENGLISH or encoding.startswith("utf"):
        return True
    letters = {letter for words in language.words.values() for letter in words}
    return sum(1 for letter in letters if letter.encode(encoding, "ignore")) > len(letters) / 2


def locale() -> str:
    """The locale's setting, or nothing."""
    setting = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not setting and sys.platform == "win32":
        from locale import getlocale, normalize

        setting = normalize((getlocale()[0] or "").partition("_")[0])  # `ja_JP.eucJP` of `Japanese`
    return setting


def load(code: str, game: "Game | None" = None, cache: str | None = None) -> Language:
    """The language, as far as showing things takes it.

    Args:
        code: of the language.
        game: whose names they are; its own names of sets and boxes are the English ones. Without it they
            are those of the default game, and sets that the language does not know have none.
        cache: the folder of the cache; by default the user's own.

    Raises:
        UnknownName: there is no such language.
        BadData: its file has faults.
    """
    sets = game.sets if game else {}
    boxes = {slug: box.name for slug, box in game.boxes.items()} if game else {}
    if code == ENGLISH:
        return Language(ENGLISH, sets=sets, boxes=boxes)
    file = _file(code)
    language = _shown(file, cache)
    own = _own_file(code, game) if game else None
    if own and own != file:
        added = _shown(own, cache)
        language = added._replace(words={**language.words, **added.words})
    return language._replace(sets={**sets, **language.sets}, boxes={**boxes, **language.boxes})


def load_all(game: "Game", cache: str | None = None) -> list[Language]:
    """Every language, English first."""
    return [load(code, game, cache) for code in codes()]


def all_card_names(game: "Game", cache: str | None = None) -> "dict[str, dict[str, Named]]":
    """By the code of each language but English, what it calls the cards of a game."""
    return {code: card_names(code, game, cache) for code in codes() if code != ENGLISH}


def card_names(code: str, game: "Game", cache: str | None = None) -> "dict[str, Named]":
    """By English name, everything that the cards of a game are called in the language.

    Raises:
        UnknownName: there is no such language.
        BadData: its file has faults.
    """
    from randomizer.cards.model import Named

    path = _own_file(code, game)
    if path is None:
        return {}

    def compile_() -> bytes:
        return dumps_compact(dict(_read(path, cache).cards)).encode()

    rows = loads(cached(f"cards.{code}", _sources(path), compile_, cache))
    return {card: Named(name, reading, tuple(also)) for card, (name, reading, also) in rows.items()}


def _shown(path: str, cache: str | None) -> Language:
    """What the file says, as far as showing things takes it."""

    def compile_() -> bytes:
        fields = _read(path, cache).shown()
        return dumps_compact({**fields, **{field: packed(fields[field]) for field in _LONG}}).encode()

    fields = loads(cached(os.path.basename(path), _sources(path), compile_, cache))
    return Language(**{**fields, **{field: unpacked(fields[field]) for field in _LONG}})


def _read(path: str, cache: str | None) -> "LanguageFile":
    """The file, checked against the game whose names it has."""
    from randomizer.load import games  # and with it all that a game is made of
    from randomizer.load.languagefile import read_language

    return read_language(path, games.load(_game_of(path), cache=cache))


def _sources(path: str) -> list[str]:
    """A language's file, and the game's that it is checked against."""
    return [path, paths.game_file(_game_of(path))]


def _game_of(path: str) -> str:
    """The name of the game whose names the file has; the default game's is empty."""
    game, *_ = os.path.basename(path).split(".")
    return "" if game == _DEFAULT else game


def _own_file(code: str, game: "Game") -> str | None:
    """The file with the names of this game, if there is one."""
    path = os.path.join(paths.data_folder(), f"{game.name}.{code}.yaml")
    if os.path.exists(paths.game_file(game.name)):
        return path if os.path.exists(path) else None
    return _file(code)


def _file(code: str) -> str:
    """The file with the names of the default game."""
    if code not in codes():
        raise UnknownName("language", code, as_typed(codes()))
    return os.path.join(paths.data_folder(), f"{_DEFAULT}.{code}.yaml")
