"""Reads a language's file. Runs only when the file has changed."""

from typing import Any

from randomizer.cards.game import Game
from randomizer.cards.model import BoxName, CardName, Named, SetName, TypeName
from randomizer.load.yaml_reader import Reader
from randomizer.text.tuples import NamedTuple


class LanguageFile(NamedTuple):
    """What a `data/names.<code>.yaml` says."""

    language: str
    name: str
    sets: tuple[tuple[SetName, Named], ...] = ()
    boxes: tuple[tuple[BoxName, str], ...] = ()
    types: tuple[tuple[TypeName, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    cards: tuple[tuple[CardName, Named], ...] = ()

    def shown(self) -> dict[str, Any]:
        """The part that is needed to show things: the fields of a `Language`."""
        return {
            "code": self.language,
            "cards": {card: named.name for card, named in self.cards},
            "sets": {slug: named.name for slug, named in self.sets},
            "boxes": dict(self.boxes),
            "types": dict(self.types),
            "words": dict(self.words),
            "set_aliases": {
                name: slug for slug, named in self.sets for name in (named.reading, *named.also) if name
            },
        }


def read_language(path: str, game: Game) -> LanguageFile:
    """The file, every name in it checked against the game.

    Raises:
        BadData: with every fault of the file.
        OSError: it cannot be read.
    """
    reader = Reader()
    file: LanguageFile = reader.file(path, LanguageFile)
    reader.finish(
        {
            "CardName": game.cards,
            "SetName": game.sets,
            "BoxName": game.boxes,
            "TypeName": {type for card in game.cards.values() for type in card.types},
        }
    )
    return file
