"""Loading of the kingdoms that a game's rulebooks suggest."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from randomizer.cards.editions import strip_edition
from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import CardName, EditionName, OptionName, QuestionName
from randomizer.load import games, paths
from randomizer.load.cache import get_or_compute
from randomizer.load.codec import from_jsonable, to_jsonable
from randomizer.text.json import dumps_compact, loads
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.cards.game import Game


class SuggestedKingdom(NamedTuple):
    """A kingdom that a rulebook suggests: a line of `kingdoms:` in the data file.

    Attributes:
        id: its name as a slug, which never changes. A number tells lists of the same name apart.
        name: its English name.
        names: its names in other languages, by language code.
        sets: the sets or boxes whose rulebooks suggest it. A set stands for any of its editions.
        cards: its Kingdom cards.
        landscapes: its landscapes.
        chosen: the cards that it suggests for a choice, by the question of the choice.
        on: the pile that a card marks, by that card.
        use: the options of the questions of setup that it answers with yes. It answers the others with no.
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

    def to_kingdom(self) -> Kingdom:
        """Return the kingdom as a request names it."""
        return Kingdom(self.cards, self.landscapes, dict(self.chosen), dict(self.on))


class KingdomFile(NamedTuple):
    """The fields of the data file of a game's suggested kingdoms."""

    kingdoms: tuple[SuggestedKingdom, ...] = ()


def load_kingdoms(game: "Game", cache: str | None = None) -> tuple[SuggestedKingdom, ...]:
    """Load the kingdoms that the game's rulebooks suggest, in the order of the data file.

    Args:
        game: the game; the user's own files do not suggest kingdoms.
        cache: the cache folder; by default the user's.

    Raises:
        BadData: the data file has faults; all of them are listed.
    """
    name = "" if games.is_default(game) else game.name
    path = paths.kingdoms_file(name)
    if not os.path.exists(path):
        return ()

    def compute() -> bytes:
        file = read_kingdoms(path, games.load(name, cache=cache))
        return dumps_compact(to_jsonable(file.kingdoms)).encode()

    encoded = get_or_compute(f"{game.name}.kingdoms", [path, paths.game_file(name)], compute, cache)
    kingdoms: tuple[SuggestedKingdom, ...] = from_jsonable(loads(encoded), tuple[SuggestedKingdom, ...])
    return kingdoms


def read_kingdoms(path: str, game: "Game") -> KingdomFile:
    """Read the data file, and check every name in it, and that each kingdom's boxes contain its cards.

    Raises:
        BadData: the file has faults; all of them are listed.
        OSError: the file cannot be read.
    """
    from randomizer.load.yaml_reader import YamlReader

    reader = YamlReader()
    file: KingdomFile = reader.read_file(path, KingdomFile)
    boxes = group_boxes_by_edition(game)
    choices = [
        choice for card in game.setup for effect in game.setup[card] if (choice := effect.choice(card))
    ]
    if reader.is_complete:
        known_ids: set[str] = set()
        for kingdom in file.kingdoms:
            for fault in _find_faults(kingdom, game, boxes, known_ids):
                reader.add_fault(kingdom.id, fault)
            known_ids.add(kingdom.id)
    reader.check_names(
        {
            "CardName": game.cards,
            "EditionName": boxes,
            "QuestionName": {choice.question for choice in choices},
            "OptionName": {option.name for option in game.options if option.cards},
        }
    )
    return file


def group_boxes_by_edition(game: "Game") -> dict[str, set[str]]:
    """Return the slugs of the boxes by every name for a set or box that a suggested kingdom may use.

    Such a name is a box (`base-2e`), an edition of a box or set (`<set>-2e`), or a set, which stands for the
    boxes of all its editions.
    """
    groups: dict[str, set[str]] = {}
    for slug, box in game.boxes.items():
        editions = [f"{name}-{box.edition}e" for name in (strip_edition(slug), *box.holds)]
        for name in (slug, *editions, *box.holds):
            groups.setdefault(name, set()).add(slug)
    return groups


def _find_faults(
    kingdom: SuggestedKingdom, game: "Game", boxes: Mapping[str, set[str]], known_ids: set[str]
) -> Iterator[str]:
    """Yield the faults of a kingdom, except for unknown names."""
    if kingdom.id != slugify(kingdom.id) or kingdom.id in known_ids:
        yield "its id is not unique, or not in lower case"
    names = list(kingdom.to_kingdom().names())
    if len(set(names)) < len(names):
        yield "a card is named twice"
    boxes_of_sets = {slug for name in kingdom.sets for slug in boxes.get(name, ())}
    for name in names:
        card = game.cards.get(name)
        if card and boxes_of_sets and not boxes_of_sets.intersection(card.boxes):
            yield f"{name} is not in any box of {', '.join(kingdom.sets)}"
    for kind, cards in (("pile", kingdom.cards), ("landscape", kingdom.landscapes)):
        for name in cards:
            if name in game.cards and game.kinds[game.cards[name].kind].is_ != kind:
                yield f"{name} is not a {kind}"
    for marking_card, pile in kingdom.on:
        if pile not in names:
            yield f"{marking_card} goes on {pile}, which is not in this kingdom"
