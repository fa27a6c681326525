"""Loads the kingdoms that a game's rulebooks suggest, checked against its cards once a file has changed."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from randomizer.cards.editions import any_edition
from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import CardName, EditionName, OptionName, QuestionName
from randomizer.load import games, paths
from randomizer.load.cache import cached
from randomizer.load.codec import frozen, thawed
from randomizer.text.json import dumps_compact, loads
from randomizer.text.slugs import slug_of
from randomizer.text.tuples import NamedTuple

if TYPE_CHECKING:
    from randomizer.cards.game import Game


class Suggested(NamedTuple):
    """A kingdom that a rulebook suggests: a line of `kingdoms:` in the data.

    Attributes:
        id: its name as one types it, the same for ever; where several lists have a name, with a number.
        name: its English name.
        names: by the code of the language, what it is called in others.
        sets: the sets or boxes whose rulebooks have it; a set stands for any of its editions.
        cards: its Kingdom cards.
        landscapes: its landscapes.
        chosen: by the question of a choice, the cards that it suggests for it.
        on: by the card that marks a pile, that pile.
        use: the questions of setup that it answers with yes, by their options; it says no to the others.
    """

    id: str
    name: str
    sets: tuple[EditionName, ...]
    cards: tuple[CardName, ...]
    names: tuple[tuple[str, str], ...] = ()
    landscapes: tuple[CardName, ...] = ()
    chosen: tuple[tuple[QuestionName, tuple[CardName, ...]], ...] = ()
    on: tuple[tuple[CardName, CardName], ...] = ()
    use: tuple[OptionName, ...] = ()

    def kingdom(self) -> Kingdom:
        """What is laid out for it."""
        return Kingdom(self.cards, self.landscapes, dict(self.chosen), dict(self.on))


class KingdomFile(NamedTuple):
    """What the file of a game's suggested kingdoms says."""

    kingdoms: tuple[Suggested, ...] = ()


def suggested(game: "Game", cache: str | None = None) -> tuple[Suggested, ...]:
    """The kingdoms that the game's rulebooks suggest, in the order of the books.

    Args:
        game: whose; the user's own files have none.
        cache: the folder of the cache; by default the user's own.

    Raises:
        BadData: with every fault of the file.
    """
    name = "" if games.is_default(game) else game.name
    path = paths.kingdoms_file(name)
    if not os.path.exists(path):
        return ()

    def compile_() -> bytes:
        file = read_kingdoms(path, games.load(name, cache=cache))
        return dumps_compact(frozen(file.kingdoms)).encode()

    made = cached(f"{game.name}.kingdoms", [path, paths.game_file(name)], compile_, cache)
    found: tuple[Suggested, ...] = thawed(loads(made), tuple[Suggested, ...])
    return found


def read_kingdoms(path: str, game: "Game") -> KingdomFile:
    """The file, every name in it checked against the game, and every card against the boxes named.

    Raises:
        BadData: with every fault of the file.
        OSError: it cannot be read.
    """
    from randomizer.load.yaml_reader import Reader

    reader = Reader()
    file: KingdomFile = reader.file(path, KingdomFile)
    boxes = boxes_by_edition(game)
    choices = [
        choice for card in game.setup for effect in game.setup[card] if (choice := effect.choice(card))
    ]
    known = {
        "CardName": game.cards,
        "EditionName": boxes,
        "QuestionName": {choice.question for choice in choices},
        "OptionName": {option.name for option in game.options if option.cards},
    }
    seen: set[str] = set()
    for kingdom in file.kingdoms if reader.whole else ():
        for fault in _faults(kingdom, game, boxes, seen):
            reader.fault(kingdom.id, fault)
    reader.finish(known)
    return file


def boxes_by_edition(game: "Game") -> dict[str, set[str]]:
    """By a box, by a set, or by a set in one edition (`<set>-2e`): the boxes that hold it."""
    found: dict[str, set[str]] = {}
    for slug, box in game.boxes.items():
        found.setdefault(slug, set()).add(slug)
        found.setdefault(f"{any_edition(slug)}-{box.edition}e", set()).add(slug)
        for set_ in box.holds:
            found.setdefault(f"{set_}-{box.edition}e", set()).add(slug)
    for slug, box in game.boxes.items():
        for set_ in box.holds:  # a set is in any of its editions, even where its first box is called the same
            found.setdefault(set_, set()).add(slug)
    return found


def _faults(kingdom: Suggested, game: "Game", boxes: Mapping[str, set[str]], seen: set[str]) -> Iterator[str]:
    """What is wrong with a kingdom, though each of its names may be right by itself."""
    if kingdom.id != slug_of(kingdom.id) or kingdom.id in seen:
        yield "its id is not an id of its own in small letters"
    seen.add(kingdom.id)
    if len({*kingdom.kingdom().names()}) < len([*kingdom.kingdom().names()]):
        yield "a card is named twice"
    held = {slug for name in kingdom.sets for slug in boxes.get(name, ())}
    for name in kingdom.kingdom().names():
        card = game.cards.get(name)
        if card and held and not held.intersection(card.boxes):
            yield f"{name} is in none of the boxes of {', '.join(kingdom.sets)}"
    for as_, names in (("pile", kingdom.cards), ("landscape", kingdom.landscapes)):
        for name in names:
            if name in game.cards and game.kinds[game.cards[name].kind].is_ != as_:
                yield f"{name} is no {as_}"
    for marking, pile in kingdom.on:
        if pile not in [*kingdom.kingdom().names()]:
            yield f"{marking} goes on {pile}, which is not named"
