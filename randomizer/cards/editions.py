"""Editions of boxes, and the names by which boxes can be chosen."""

from collections.abc import Sequence

from randomizer.cards.game import Game
from randomizer.text.language import Language
from randomizer.text.slugs import slugify

ALL = "all"
EVERY_EDITION = "all-editions"


def strip_edition(slug: str) -> str:
    """Remove the edition from the slug of a box: `base-2e` becomes `base`."""
    base, _, edition = slug.rpartition("-")
    return base if edition[:-1].isdigit() and edition.endswith("e") else slug


def find_newest_edition(base: str, game: Game) -> str | None:
    """Return the slug of the newest edition of a box, such as `base-2e` for `base`; None if unknown."""
    # The data lists older editions first.
    return next((slug for slug in reversed(game.boxes) if strip_edition(slug) == base), None)


def list_box_slugs(game: Game, *, newest: bool) -> set[str]:
    """Return the slugs of all boxes whose cards are known.

    Args:
        game: the game.
        newest: whether to include only the newest box of each set.
    """
    known = {slug: box for slug, box in game.boxes.items() if box.holds and not is_only_announced(slug, game)}
    if not newest:
        return set(known)
    return set({set_: slug for slug, box in known.items() for set_ in box.holds}.values())


def is_only_announced(slug: str, game: Game) -> bool:
    """Return whether a box has been announced, but none of its cards are known yet."""
    return game.boxes[slug].announced and not any(game.cards.in_boxes([slug]))


def abbreviate_boxes(chosen: Sequence[str], game: Game) -> str:
    """Return the shortest `--sets` value for these boxes.

    This is `all`, or a list of slugs. A slug without an edition means the newest edition.
    """
    if len(chosen) > 2 and set(chosen) == list_box_slugs(game, newest=True):
        return ALL
    bases = [strip_edition(slug) for slug in chosen]
    return ",".join(
        base if slug == find_newest_edition(base, game) else slug
        for slug, base in zip(chosen, bases, strict=True)
    )


def find_newer_edition(slug: str, game: Game) -> str | None:
    """Return the slug of the newest box with a newer edition of a set in a box, or None.

    For example, the second edition of Cornucopia is in the same box as Guilds.
    """
    box = game.boxes[slug]
    newer = [
        other
        for other, other_box in game.boxes.items()
        if other_box.edition > box.edition and not {*box.holds}.isdisjoint(other_box.holds)
    ]
    return newer[-1] if newer else None


def map_box_names(game: Game, languages: Sequence[Language]) -> dict[str, set[str]]:
    """Map the slug of each name that users may type for boxes to the slugs of these boxes.

    The name of a set means its newest box. A card that is sold separately is treated like a box.
    """
    found: dict[str, set[str]] = {}
    for slug, box in game.boxes.items():
        base = strip_edition(slug)
        for name in (slug, f"{base}-{box.edition}e", box.name, *box.also):
            found.setdefault(slugify(name), {slug})
        for name in (base, box.title.removeprefix(f"{game.title}: ")):
            found[slugify(name)] = {slug}
    for slug, box in game.boxes.items():  # `cornucopia-2e` means the box in which its second edition is.
        for held_set in box.holds:
            found.setdefault(f"{held_set}-{box.edition}e", {slug})
    single_card_boxes = [slug for slug, box in game.boxes.items() if box.singly]
    for slug in single_card_boxes:
        cards = [slugify(card.name) for card in game.cards.in_boxes([slug]) if not card.member_of]
        found.update((card, {card}) for card in cards if card not in found)
    for language in languages:
        aliases = [(set_, name) for name, set_ in language.set_aliases.items()]
        for set_, name in [*language.sets.items(), *aliases]:
            if set_ in found:
                found.setdefault(slugify(name), found[set_])
        for slug, name in language.boxes.items():
            found.setdefault(slugify(name), {slug})
    found[ALL] = list_box_slugs(game, newest=True)
    found[EVERY_EDITION] = list_box_slugs(game, newest=False)
    found.pop("", None)
    return found
