"""What things are called in a language, and what the program says in it.

English is the language of the data and of the code, so English needs no file. Every other language is a
`data/names.<code>.yaml`, and for a game besides the default one a `data/<game>.<code>.yaml` that adds to it.
"""

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from randomizer.errors import UnknownName
from randomizer.load.cache import cached
from randomizer.load.paths import data_folder
from randomizer.text.template import filled

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named

ENGLISH = "en"


class Language(NamedTuple):
    """Sets and boxes by slug, names by English name, phrases by English phrase; what is missing is English.

    `set_aliases` are readings and further names of sets, with the set's slug.
    """

    code: str
    cards: Mapping[str, str] = {}
    sets: Mapping[str, str] = {}
    boxes: Mapping[str, str] = {}
    types: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    set_aliases: Mapping[str, str] = {}

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    def name(self, name: str) -> str:
        """A card, component or choice by its English name."""
        return self.cards.get(name) or self.words.get(name, name)

    def say(self, phrase: str, /, **values: str | int) -> str:
        """The phrase with the values put in.

        A text among the values is a name and is translated too: as a set where the phrase says {set},
        else as a card or component. A value called `text` is words already in the language.
        """
        named = {
            key: value
            if isinstance(value, int) or key == "text"
            else self.sets.get(value, value)
            if key == "set"
            else self.name(value)
            for key, value in values.items()
        }
        return filled(self.words.get(phrase, phrase), named)

    def listed(self, texts: Iterable[str]) -> str:
        """Several texts one after the other."""
        return self.words.get(", ", ", ").join(texts)


def codes() -> list[str]:
    """The codes of all languages there are, English first."""
    files = sorted(os.listdir(data_folder()))
    return [ENGLISH] + [file.split(".")[1] for file in files if file.startswith("names.")]


def meant(setting: str) -> str:
    """The code of the language that is meant by `ja`, `JA` or `ja_JP.UTF-8`; nothing if there is none."""
    whole = setting.partition(".")[0].replace("_", "-").casefold()
    known = {code.casefold(): code for code in codes()}
    return known.get(whole) or known.get(whole.partition("-")[0], "")


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
        from randomizer.load import games as database
        from randomizer.load.languagefile import read_language

        shown = read_language(path, game or database.load(cache=cache)).shown()
        return json.dumps(shown, ensure_ascii=False).encode()

    return Language(**json.loads(cached(os.path.basename(path), [path], compile_, cache)))


def _path(code: str) -> str:
    path = os.path.join(data_folder(), f"names.{code}.yaml")
    if code not in codes():
        raise UnknownName("language", code, codes())
    return path
