"""Parses and checks a language's data file.

This module is imported only if the file has changed. Otherwise, the language is loaded from the cache.
"""

from typing import Any, NamedTuple

from randomizer.cards.game import Game
from randomizer.cards.model import BoxName, CardName, Named, SetName, TypeName
from randomizer.load.yaml_reader import YamlReader
from randomizer.text.folding import normalize_key


class LanguageFile(NamedTuple):
    """The fields of a data file `data/names.<code>.yaml`.

    `concepts` has words of players, each with the English query that finds its rule.
    """

    language: str
    name: str
    rulebooks: bool = False
    sets: tuple[tuple[SetName, Named], ...] = ()
    boxes: tuple[tuple[BoxName, str], ...] = ()
    types: tuple[tuple[TypeName, str], ...] = ()
    concepts: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    cards: tuple[tuple[CardName, Named], ...] = ()

    def to_language_fields(self) -> dict[str, Any]:
        """Return the fields of the `Language`, which has only what is needed for output."""
        return {
            "code": self.language,
            "name": self.name,
            "has_rulebooks": self.rulebooks,
            "cards": {card: named.name for card, named in self.cards},
            "sets": {slug: named.name for slug, named in self.sets},
            "boxes": dict(self.boxes),
            "types": dict(self.types),
            "phrases": dict(self.words),
            "set_aliases": {
                name: slug for slug, named in self.sets for name in (named.reading, *named.also) if name
            },
            "concepts": dict(self.concepts),
        }


def read_language(path: str, game: Game) -> LanguageFile:
    """Read a language's data file, and check that the game has every name in it.

    Raises:
        BadData: the file has faults, all of which are listed.
        OSError: the file cannot be read.
    """
    reader = YamlReader()
    file: LanguageFile = reader.read_file(path, LanguageFile)
    if reader.is_complete:
        _check_concepts(reader, file)
    reader.check_names(
        {
            "CardName": game.cards,
            "SetName": game.sets,
            "BoxName": game.boxes,
            "TypeName": {type for card in game.cards.values() for type in card.types},
        }
    )
    return file


def _check_concepts(reader: YamlReader, file: LanguageFile) -> None:
    """Record a fault for each word of `concepts` that, when normalized, is empty or equals another one."""
    word_by_key: dict[str, str] = {}
    for word, _ in file.concepts:
        key = normalize_key(word)
        if not key:
            reader.add_fault("concepts", f"no letters or digits: {word!r}")
        elif key in word_by_key:
            reader.add_fault("concepts", f"{word!r} is the same word as {word_by_key[key]!r}")
        word_by_key[key] = word
