"""The command that deals a table."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.cards.editions import abbreviate_boxes
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import format_kingdom as typed_kingdom
from randomizer.text.slugs import slugify, to_flag

PROGRAM = "dominion-setup"


def command(game: Game, request: Request) -> str:
    """What to type to deal the same table again."""
    return with_seed(without_seed(game, request), request.seed)


def without_seed(game: Game, request: Request) -> str:
    """What to type to be dealt a table of this kind."""
    return typed(request, sets_of(game, request))


def sets_of(game: Game, request: Request) -> str:
    """The shortest that says the boxes of a request; nothing where the game has but one."""
    return abbreviate_boxes(request.chosen, game) if len(game.boxes) > 1 else ""


def with_seed(line: str, seed: str) -> str:
    """The same, for the table that the seed gives."""
    return f"{line} --seed {_quoted(seed)}"


def typed(request: Request, sets: str) -> str:
    """The same, with what to say for its boxes."""
    words = [PROGRAM]
    for option, value in options(request, sets):
        if isinstance(value, bool):
            words.append(to_flag(option if value else f"no_{option}"))
        else:
            words += [to_flag(option), value]
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """The word as a shell takes it; most need no quoting, and then no library for it either."""
    if word.isascii() and word.replace("-", "").replace(",", "").isalnum():
        return word
    from shlex import quote

    return quote(word)


def options(request: Request, sets: str) -> Iterator[tuple[str, str | bool]]:
    """The options that say a request, all but its seed, with what each of them says.

    Args:
        request: what a deal is asked for.
        sets: what to say for its boxes; nothing where the game has but one.
    """
    if request.game:
        yield "game", request.game
    if sets:
        yield "sets", sets
    yield "players", str(request.players)
    for name, value in request.settings.items():
        yield name, value if isinstance(value, bool) else str(value)
    for option, wished in request.wishes.to_options().items():
        yield option, str(wished) if isinstance(wished, int) else ",".join(wished)
    if any(request.kingdom):
        yield "kingdom", typed_kingdom(request.kingdom)
    for swap in request.swaps:
        yield "swap", "=".join(map(slugify, filter(None, swap)))
    for file in request.files:
        yield "cards", file
