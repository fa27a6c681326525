"""Loads languages from their files, and keeps what came of them until one of the files changes.

English needs no file. Every other language is a `data/names.<code>.yaml`, and for a game besides the default one a
`data/<game>.<code>.yaml` that adds to it.
"""

import json
import os
from typing import TYPE_CHECKING

from randomizer.errors import UnknownName
from randomizer.load.cache import cached
from randomizer.load.paths import data_folder
from randomizer.text.language import ENGLISH, Language

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named


def codes() -> list[str]:
    """The codes of all languages there are, English first."""
    files = sorted(os.listdir(data_folder()))
    return [ENGLISH] + [file.split(".")[1] for file in files if file.startswith("names.")]


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
    language = _shown(_path(code), None, cache)
    own = os.path.join(data_folder(), f"{game.name}.{code}.yaml") if game else ""
    if os.path.exists(own):
        added = _shown(own, game, cache)
        language = added._replace(words={**language.words, **added.words})
    return language._replace(sets={**sets, **language.sets}, boxes={**boxes, **language.boxes})


def card_names(code: str, game: "Game", cache: str | None = None) -> "dict[str, Named]":
    """By English name, everything that the cards are called in the language.

    Raises:
        UnknownName: there is no such language.
        BadData: its file has faults.
    """
    from randomizer.cards.model import Named

    path = _path(code)

    def compile_() -> bytes:
        from randomizer.load.languagefile import read_language

        return json.dumps(dict(read_language(path, game).cards), ensure_ascii=False).encode()

    rows = json.loads(cached(f"cards.{code}", [path], compile_, cache))
    return {card: Named(name, reading, tuple(also)) for card, (name, reading, also) in rows.items()}


def _shown(path: str, game: "Game | None", cache: str | None) -> Language:
    """What the file says, as far as showing things takes it; without a game, of the default game."""

    def compile_() -> bytes:
        from randomizer.load import games
        from randomizer.load.languagefile import read_language

        shown = read_language(path, game or games.load(cache=cache)).shown()
        return json.dumps(shown, ensure_ascii=False).encode()

    return Language(**json.loads(cached(os.path.basename(path), [path], compile_, cache)))


def _path(code: str) -> str:
    path = os.path.join(data_folder(), f"names.{code}.yaml")
    if code not in codes():
        raise UnknownName("language", code, codes())
    return path
