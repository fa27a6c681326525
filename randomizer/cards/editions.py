"""The editions of a box: which of them is the newest, and how few words say which were chosen."""

from collections.abc import Sequence

from randomizer.cards.game import Game

ALL = "all"


def any_edition(slug: str) -> str:
    """The slug without its edition: `base` of `base-2e`."""
    base, _, edition = slug.rpartition("-")
    return base if edition[:-1].isdigit() and edition.endswith("e") else slug


def newest_edition(base: str, game: Game) -> str | None:
    """The newest of the boxes that differ only in their edition; the data has editions in their order."""
    return next((slug for slug in reversed(game.boxes) if any_edition(slug) == base), None)


def every_box(game: Game, *, newest: bool) -> set[str]:
    """All boxes whose cards are known, or of each set the newest one."""
    known = {slug: box for slug, box in game.boxes.items() if box.holds and not only_announced(slug, game)}
    return (
        set({set_: slug for slug, box in known.items() for set_ in box.holds}.values())
        if newest
        else set(known)
    )


def only_announced(slug: str, game: Game) -> bool:
    """Whether nothing is known yet of what is in the box."""
    return game.boxes[slug].announced and not any(game.cards.in_boxes([slug]))


def shortest(chosen: Sequence[str], game: Game) -> str:
    """What to type for these boxes: `all`, or each without its edition where that is the newest."""
    if len(chosen) > 2 and set(chosen) == every_box(game, newest=True):
        return ALL
    bases = [any_edition(slug) for slug in chosen]
    return ",".join(
        base if slug == newest_edition(base, game) else slug for slug, base in zip(chosen, bases, strict=True)
    )
