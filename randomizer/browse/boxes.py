"""Which boxes are meant by what somebody typed after `--sets`."""

from collections.abc import Iterable

from randomizer.cards.editions import (
    ALL,
    EVERY_EDITION,
    find_newest_edition,
    is_only_announced,
    list_box_slugs,
    map_box_names,
    strip_edition,
)
from randomizer.cards.game import Game
from randomizer.load.languages import list_codes, load
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import Slug, as_verbatim, join_with_or, message, quote
from randomizer.text.slugs import slugify, split_at_commas


def resolve_boxes(words: Iterable[str], game: Game, cache: str | None = None) -> tuple[str, ...]:
    """The boxes (and single cards of a box sold card by card) that the words name, in the order of the data.

    A word is a slug, a name in any language, a beginning that only one box has, `all` (every box in its
    newest edition) or `all-editions`; words may be joined by commas.

    Raises:
        UnknownName: nothing is called that.
        BadOptions: several boxes begin like that, or the box's cards are not known yet.
    """
    chosen: set[str] = set()
    known: dict[str, set[str]] = {}
    for word in split_at_commas(words):
        if word in game.boxes:
            chosen.add(word)
        elif newest := find_newest_edition(word, game):
            chosen.add(newest)
        elif word in (ALL, EVERY_EDITION):
            chosen |= list_box_slugs(game, newest=word == ALL)
        else:
            known = known or map_box_names(game, [load(code, game, cache) for code in list_codes()])
            chosen |= _find(slugify(word), word, known, game)
    for slug in sorted(chosen & set(game.boxes)):
        if is_only_announced(slug, game):
            box = Slug(slug, game.boxes[slug].name)
            raise BadOptions("{box} is announced; its cards are not known yet.", box=box)
    if not chosen:
        raise BadOptions("name at least one set, such as --sets base.")
    order = [*game.boxes, *sorted(chosen - set(game.boxes))]
    return tuple(slug for slug in order if slug in chosen)


def _find(key: str, word: str, known: dict[str, set[str]], game: Game) -> set[str]:
    """The boxes that a word means: by name, or by a beginning that only one of them has."""
    if key in known:
        return known[key]
    begins = [name for name in known if key and name.startswith(key)]
    whole = [name for name in begins if strip_edition(name) == name and known[name] <= set(game.boxes)]
    meant = {min(known[name]): name for name in sorted(whole or begins, key=len, reverse=True)}
    if len(meant) == 1:
        return known[next(iter(meant.values()))]
    if meant:
        could = join_with_or(as_verbatim(sorted(meant.values())))
        raise BadOptions("{word} could be {names}.", word=quote(word), names=could)
    near = dict.fromkeys(map(strip_edition, find_suggestions(key, known, 5)))
    there_are = message("`dominion-setup sets` lists what there is")
    raise UnknownName("set", word, as_verbatim(near), there_are)
