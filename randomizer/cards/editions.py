"""The editions of a box: which of them is the newest, what boxes are called, and how few words say which."""

from collections.abc import Sequence

from randomizer.cards.game import Game
from randomizer.text.language import Language
from randomizer.text.slugs import slugify

ALL = "all"
EVERY_EDITION = "all-editions"


def strip_edition(slug: str) -> str:
    """The slug without its edition: `base` of `base-2e`."""
    base, _, edition = slug.rpartition("-")
    return base if edition[:-1].isdigit() and edition.endswith("e") else slug


def find_newest_edition(base: str, game: Game) -> str | None:
    """The newest of the boxes that differ only in their edition; the data has editions in their order."""
    return next((slug for slug in reversed(game.boxes) if strip_edition(slug) == base), None)


def list_box_slugs(game: Game, *, newest: bool) -> set[str]:
    """All boxes whose cards are known, or of each set the newest one."""
    known = {slug: box for slug, box in game.boxes.items() if box.holds and not is_only_announced(slug, game)}
    return (
        set({set_: slug for slug, box in known.items() for set_ in box.holds}.values())
        if newest
        else set(known)
    )


def is_only_announced(slug: str, game: Game) -> bool:
    """Whether nothing is known yet of what is in the box."""
    return game.boxes[slug].announced and not any(game.cards.in_boxes([slug]))


def abbreviate_boxes(chosen: Sequence[str], game: Game) -> str:
    """What to type for these boxes: `all`, or each without its edition where that is the newest."""
    if len(chosen) > 2 and set(chosen) == list_box_slugs(game, newest=True):
        return ALL
    bases = [strip_edition(slug) for slug in chosen]
    return ",".join(
        base if slug == find_newest_edition(base, game) else slug
        for slug, base in zip(chosen, bases, strict=True)
    )


def map_box_names(game: Game, languages: Sequence[Language]) -> dict[str, set[str]]:
    """Whatever a box may be called, as a slug, with the boxes that are meant."""
    found: dict[str, set[str]] = {}
    for slug, box in game.boxes.items():
        base = strip_edition(slug)
        for name in (slug, f"{base}-{box.edition}e", box.name, *box.also):
            found.setdefault(slugify(name), {slug})
        for name in (base, box.title.removeprefix(f"{game.title}: ")):
            found[slugify(name)] = {slug}
    for slug in [slug for slug, box in game.boxes.items() if box.singly]:
        whole = [card for card in game.cards.in_boxes([slug]) if not card.member_of]
        found.update(
            (slugify(card.name), {slugify(card.name)}) for card in whole if slugify(card.name) not in found
        )
    for language in languages:
        for set_, name in [
            *language.sets.items(),
            *((set_, name) for name, set_ in language.set_aliases.items()),
        ]:
            if set_ in found:
                found.setdefault(slugify(name), found[set_])
        for slug, name in language.boxes.items():
            found.setdefault(slugify(name), {slug})
    found[ALL] = list_box_slugs(game, newest=True)
    found[EVERY_EDITION] = list_box_slugs(game, newest=False)
    found.pop("", None)
    return found
