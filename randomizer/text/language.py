"""What things are called in a language, and what the program says in it.

English is the language of the data and of the code, so English needs no file. Every other language is a
`data/names.<code>.yaml`, and for a game besides the default one a `data/<game>.<code>.yaml` that adds to it.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from randomizer.text.template import filled

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
        if not values:
            return self.words.get(phrase, phrase)
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
