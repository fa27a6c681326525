"""Loads languages from their data files or from the cache.

English needs no file. The file of another language is `data/names.<code>.yaml`, with the names for the
default game. The names for another game are in `data/<game>.<code>.yaml`.
"""

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, overload

from randomizer.load import paths
from randomizer.load.cache import get_or_compute
from randomizer.text.errors import UnknownName
from randomizer.text.json import dumps_compact, loads, pack_strings, unpack_strings
from randomizer.text.language import ENGLISH, Language, as_verbatim

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named
    from randomizer.load.languagefile import LanguageFile

_LONG_FIELDS = ("cards", "phrases", "concepts")  # the fields of `Language` with many entries
_DEFAULT_GAME = "names"  # stands for the default game at the start of a file name


def list_codes() -> list[str]:
    """Return the codes of all languages. English comes first."""
    return paths.list_language_codes()


def find_code(setting: str) -> str:
    """Return the language code for `ja`, `JA` or `ja_JP.UTF-8`; empty if the language is not available."""
    tag = setting.partition(".")[0].replace("_", "-").casefold()
    codes = {code.casefold(): code for code in list_codes()}
    return codes.get(tag) or codes.get(tag.partition("-")[0], "")


def choose_code(requested: str | None) -> str:
    """Return the code of the output language.

    Args:
        requested: the language that the user requested. It is returned even if it is not available. None
            means the language of the locale, or English if that language is not available.
    """
    if requested is None:
        return find_code(get_locale()) or ENGLISH
    return find_code(requested) or requested


def can_encode(encoding: str, language: Language) -> bool:
    """Return whether an encoding can represent most of the characters that the language uses."""
    if language.code == ENGLISH or encoding.startswith("utf"):
        return True
    characters = {character for phrase in language.phrases.values() for character in phrase}
    encodable_count = sum(1 for character in characters if character.encode(encoding, "ignore"))
    return encodable_count > len(characters) / 2


def get_locale() -> str:
    """Return the user's locale for messages, such as `ja_JP.UTF-8`; empty if none is set."""
    setting = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not setting and sys.platform == "win32":
        from locale import getlocale, normalize

        # Windows returns names such as `Japanese_Japan`; `normalize` converts `Japanese` to `ja_JP.eucJP`.
        setting = normalize((getlocale()[0] or "").partition("_")[0])
    return setting


def load(code: str, game: "Game | None" = None, cache: str | None = None) -> Language:
    """Load a language, without the readings and aliases of cards (see `load_card_names`).

    Args:
        code: the language code.
        game: the game whose names to load; by default, the default game. If it is given, sets and boxes
            without a translation get their English names. Otherwise, they have no names.
        cache: the cache folder; by default, that of the user.

    Raises:
        UnknownName: there is no such language.
        BadData: the language's data file has faults.
    """
    sets = game.sets if game else {}
    boxes = {slug: box.name for slug, box in game.boxes.items()} if game else {}
    if code == ENGLISH:
        return Language(ENGLISH, sets=sets, boxes=boxes)
    default_file = _get_default_file(code)
    language = _load_file(default_file, cache)
    game_file = _find_game_file(code, game) if game else None
    if game_file and game_file != default_file:
        game_language = _load_file(game_file, cache)
        language = game_language._replace(
            phrases={**language.phrases, **game_language.phrases}, has_rulebooks=language.has_rulebooks
        )
    return language._replace(sets={**sets, **language.sets}, boxes={**boxes, **language.boxes})


def load_all(game: "Game", cache: str | None = None) -> "LanguageList":
    """Return all languages, each of which is loaded when it is first used. English comes first."""
    return LanguageList(list_codes(), lambda code: load(code, game, cache))


def load_for_document(code: str, game: "Game", cache: str | None = None) -> list[Language]:
    """Load the languages of a new setup document: English, and the language with this code.

    Raises:
        UnknownName: there is no such language.
        BadData: the language's data file has faults.
    """
    return [load(each, game, cache) for each in dict.fromkeys((ENGLISH, code))]


def load_for_page(code: str, game: "Game") -> list[Language]:
    """Load the languages of a page in a file: that with this code, English, and those that have rulebooks.

    If the language is not available, it is left out.
    """
    languages = load_all(game)
    chosen = [language for language in languages if language.code == code]
    return [*chosen, *(other for other in languages if other.has_rulebooks and other.code != code)]


def load_several(codes: Iterable[str], game: "Game", cache: str | None = None) -> list[Language]:
    """Load English and those languages with the given codes that are available. English comes first."""
    available = list_codes()
    return [load(code, game, cache) for code in dict.fromkeys((ENGLISH, *codes)) if code in available]


def load_all_card_names(game: "Game", cache: str | None = None) -> "CardNamesByLanguage":
    """Return the names of a game's cards in all languages, by language code.

    The names in a language are loaded when they are first used. The English names are those of the cards, so
    the mapping for English, which is the first, is empty.
    """
    return CardNamesByLanguage(list_codes(), lambda code: load_card_names(code, game, cache))


class LanguageList(Sequence[Language]):
    """Languages that are loaded when they are first used, because most commands need only one or two.

    Args:
        codes: the codes of the languages.
        load_language: the function that loads the language with a code.
    """

    def __init__(self, codes: Sequence[str], load_language: Callable[[str], Language]) -> None:
        self._codes, self._load_language = codes, functools.cache(load_language)

    @overload
    def __getitem__(self, index: int) -> Language: ...
    @overload
    def __getitem__(self, index: slice) -> "LanguageList": ...
    def __getitem__(self, index: int | slice) -> "Language | LanguageList":
        if isinstance(index, slice):
            return LanguageList(self._codes[index], self._load_language)
        return self._load_language(self._codes[index])

    def __len__(self) -> int:
        return len(self._codes)


class CardNamesByLanguage(Mapping[str, "Mapping[str, Named]"]):
    """The names of cards in several languages, each of which is loaded when it is first used.

    Args:
        codes: the codes of the languages.
        load_names: the function that loads the names in the language with a code.
    """

    def __init__(self, codes: Sequence[str], load_names: "Callable[[str], Mapping[str, Named]]") -> None:
        self._codes, self._load_names = codes, functools.cache(load_names)

    def prefer(self, code: str) -> "CardNamesByLanguage":
        """Return the same names with a language first, so that its names take precedence over the others."""
        others = [other for other in self._codes if other != code]
        return CardNamesByLanguage([code, *others] if len(others) < len(self) else others, self._load_names)

    def __getitem__(self, code: str) -> "Mapping[str, Named]":
        if code not in self._codes:
            raise KeyError(code)
        return self._load_names(code)

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


def load_card_names(code: str, game: "Game", cache: str | None = None) -> "dict[str, Named]":
    """Load the names, readings and aliases of a game's cards in a language, by English name.

    Raises:
        UnknownName: there is no such language.
        BadData: the language's data file has faults.
    """
    from randomizer.cards.model import Named

    if code == ENGLISH:
        return {}
    path = _find_game_file(code, game)
    if path is None:
        return {}

    def compute() -> bytes:
        return dumps_compact(dict(_read_file(path, cache).cards)).encode()

    rows = loads(get_or_compute(f"cards.{code}", _list_sources(path), compute, cache))
    return {card: Named(name, reading, tuple(aliases)) for card, (name, reading, aliases) in rows.items()}


def _load_file(path: str, cache: str | None) -> Language:
    def compute() -> bytes:
        fields = _read_file(path, cache).to_language_fields()
        return dumps_compact(
            {**fields, **{field: pack_strings(fields[field]) for field in _LONG_FIELDS}}
        ).encode()

    fields = loads(get_or_compute(os.path.basename(path), _list_sources(path), compute, cache))
    return Language(**{**fields, **{field: unpack_strings(fields[field]) for field in _LONG_FIELDS}})


def _read_file(path: str, cache: str | None) -> "LanguageFile":
    """Read a data file, and check its names against the game to which they belong."""
    # These are imported here, because output needs a language even if it needs no game.
    from randomizer.load import games
    from randomizer.load.languagefile import read_language

    return read_language(path, games.load(_get_game_name(path), cache=cache))


def _list_sources(path: str) -> list[str]:
    """Return the paths of a language file and of the game file against which it is checked."""
    return [path, paths.game_file(_get_game_name(path))]


def _get_game_name(path: str) -> str:
    """Return the name of the game to which a language file belongs; empty for the default game."""
    game, *_ = os.path.basename(path).split(".")
    return "" if game == _DEFAULT_GAME else game


def _find_game_file(code: str, game: "Game") -> str | None:
    """Return the path of the language file for a game; None if it does not exist."""
    path = os.path.join(paths.data_folder(), f"{game.name}.{code}.yaml")
    if os.path.exists(paths.game_file(game.name)):
        return path if os.path.exists(path) else None
    return _get_default_file(code)


def _get_default_file(code: str) -> str:
    """Return the path of the language file for the default game.

    Raises:
        UnknownName: there is no such language.
    """
    if code not in list_codes():
        raise UnknownName("language", code, as_verbatim(list_codes()))
    return os.path.join(paths.data_folder(), f"{_DEFAULT_GAME}.{code}.yaml")
