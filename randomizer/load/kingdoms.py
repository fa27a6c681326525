"""Loads the kingdoms that a game's rulebooks suggest."""

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
    """A kingdom that a rulebook suggests: an entry of `kingdoms:` in the data file.

    Attributes:
        id: the slug of the name, with a number if several kingdoms have the same name. It never changes.
        name: the English name.
        names: the names in other languages, by language code.
        sets: the sets or boxes whose rulebooks suggest the kingdom. A set means any of its editions.
        cards: the Kingdom cards.
        landscapes: the landscapes.
        chosen: the suggested cards for choices, such as the Bane, by the name of the choice.
        on: the marked piles, by the card that marks them.
        use: the options that are on, such as playing with Platinum and Colony; all others are off.
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
        """Convert the suggestion to a kingdom for a request."""
        return Kingdom(self.cards, self.landscapes, dict(self.chosen), dict(self.on))


class KingdomFile(NamedTuple):
    """The fields of a data file with suggested kingdoms."""

    kingdoms: tuple[SuggestedKingdom, ...] = ()


def load_kingdoms(game: "Game", cache: str | None = None) -> tuple[SuggestedKingdom, ...]:
    """Load a game's suggested kingdoms, in the order of the data file.

    Args:
        game: the game. The user's own data files cannot add suggested kingdoms.
        cache: the cache folder; by default, that of the user.

    Raises:
        BadData: the data file has faults, all of which are listed.
    """
    name = "" if games.is_default(game) else game.name
    path = paths.kingdoms_file(name)
    if not os.path.exists(path):
        return ()

    def compute() -> bytes:
        file = read_kingdoms(path, games.load(name, cache=cache))
        return dumps_compact([to_jsonable(tuple(kingdom)) for kingdom in file.kingdoms]).encode()

    encoded = get_or_compute(f"{game.name}.kingdoms", [path, paths.game_file(name)], compute, cache)
    return tuple(SuggestedKingdom(*from_jsonable(row)) for row in loads(encoded))


def read_kingdoms(path: str, game: "Game") -> KingdomFile:
    """Read the data file, and check all names, and that the boxes of each kingdom contain its cards.

    Raises:
        BadData: the file has faults, all of which are listed.
        OSError: the file cannot be read.
    """
    from randomizer.load.yaml_reader import YamlReader

    reader = YamlReader()
    file: KingdomFile = reader.read_file(path, KingdomFile)
    boxes_by_edition = group_boxes_by_edition(game)
    choices = [
        choice for card in game.setup for effect in game.setup[card] if (choice := effect.choice(card))
    ]
    if reader.is_complete:
        known_ids: set[str] = set()
        for kingdom in file.kingdoms:
            for fault in _find_faults(kingdom, game, boxes_by_edition, known_ids):
                reader.add_fault(kingdom.id, fault)
            known_ids.add(kingdom.id)
    reader.check_names(
        {
            "CardName": game.cards,
            "EditionName": boxes_by_edition,
            "QuestionName": {choice.question for choice in choices},
            "OptionName": {option.name for option in game.options if option.cards},
        }
    )
    return file


def group_boxes_by_edition(game: "Game") -> dict[str, set[str]]:
    """Map each name that suggested kingdoms may use for a set or box to the slugs of the boxes.

    Such a name is the slug of a box (`base-2e`), an edition of a box or set (`<set>-2e`), or a set (`base`),
    which means the boxes of all its editions.
    """
    groups: dict[str, set[str]] = {}
    for slug, box in game.boxes.items():
        editions = [f"{name}-{box.edition}e" for name in (strip_edition(slug), *box.holds)]
        for name in (slug, *editions, *box.holds):
            groups.setdefault(name, set()).add(slug)
    return groups


def _find_faults(
    kingdom: SuggestedKingdom, game: "Game", boxes_by_edition: Mapping[str, set[str]], known_ids: set[str]
) -> Iterator[str]:
    """Yield the faults of a suggested kingdom, except for references to unknown names."""
    if kingdom.id != slugify(kingdom.id) or kingdom.id in known_ids:
        yield "its id is not unique, or not in lower case"
    names = list(kingdom.to_kingdom().names())
    if len(set(names)) < len(names):
        yield "a card is named twice"
    boxes_of_sets = {slug for name in kingdom.sets for slug in boxes_by_edition.get(name, ())}
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
