"""The command line that deals a table, built from its request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from randomizer.cards.editions import abbreviate_boxes
from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import NO_VETOES, format_kingdom
from randomizer.text.slugs import slugify, to_flag

PROGRAM = "dominion-setup"


def build_command(game: Game, request: Request) -> str:
    """Return the command that deals the table of a request again."""
    return append_seed(build_command_without_seed(game, request), request.typed_seed)


def build_command_without_seed(game: Game, request: Request) -> str:
    """Return the command for a request without its seed, which deals a different table each time."""
    return format_command(game, request, format_sets(game, request))


def format_sets(game: Game, request: Request) -> str:
    """Return the shortest `--sets` value for the boxes of a request; empty if the game has only one box."""
    return abbreviate_boxes(request.chosen, game) if len(game.boxes) > 1 else ""


def append_seed(command: str, seed: str) -> str:
    """Add the option `--seed` to a command."""
    return f"{command} --seed {_quote(seed)}"


def format_command(game: Game, request: Request, sets: str) -> str:
    """Format a request as a command without a seed.

    Args:
        game: the game.
        request: the request.
        sets: the value of `--sets`; empty to leave out the option.
    """
    arguments = [PROGRAM]
    for option, value in list_options(game, request, sets):
        if isinstance(value, bool):
            arguments.append(to_flag(option if value else f"no_{option}"))
        else:
            arguments += [to_flag(option), value]
    return " ".join(map(_quote, arguments))


def _quote(argument: str) -> str:
    """Quote an argument for a POSIX shell, if necessary."""
    if argument.isascii() and argument.replace("-", "").replace(",", "").isalnum():
        return argument
    from shlex import quote  # Most arguments need no quotes, and the import takes time.

    return quote(argument)


def list_options(game: Game, request: Request, sets: str) -> Iterator[tuple[str, str | bool]]:
    """Yield the name and value of each option that a command for a request needs, except for the seed.

    Options that the kingdom of the request implies are left out.

    Args:
        game: the game.
        request: the request.
        sets: the value of `--sets`; empty to leave out the option.
    """
    if request.game:
        yield "game", request.game
    if sets:
        yield "sets", sets
    yield "players", str(request.players)
    for name, value in _list_settings(game, request).items():
        yield name, value if isinstance(value, bool) else str(value)
    for option, wish in request.wishes.to_options().items():
        yield option, str(wish) if isinstance(wish, int) else ",".join(wish)
    if any(request.kingdom):
        yield "kingdom", format_kingdom(request.kingdom)
    if request.veto_count:
        yield "veto", str(request.veto_count)
    if request.vetoed is not None:
        yield "vetoed", ",".join(map(slugify, request.vetoed)) or NO_VETOES
    for swap in request.swaps:
        yield "swap", "=".join(map(slugify, filter(None, swap)))
    for file in request.files:
        yield "cards", file
    if series := request.series:
        yield "count", str(series.table_count)
        yield "apart", True
        yield "table", str(series.number)
        if series.copies:
            yield "copies", format_copies(series.copies, game)


def format_copies(copies: Iterable[tuple[str, int]], game: Game) -> str:
    """Return the value of `--copies`: the names of boxes, each with the number of its copies."""
    return ",".join(f"{abbreviate_boxes([slug], game)}={count}" for slug, count in copies)


def _list_settings(game: Game, request: Request) -> dict[str, Setting]:
    """Return the settings of a request that differ from the defaults of its command.

    In a random deal, the first or last Kingdom card decides a yes/no setup question by default. The order of
    a kingdom that the user names is not random, so there the default is a random card.
    """
    settings = dict(request.settings)
    if any(request.kingdom):
        for option in game.options:
            by = f"{option.name}_by"
            if option.cards and settings.get(by) == option.cards[-1]:
                del settings[by]
            elif option.cards and option.name not in settings:
                settings.setdefault(by, option.cards[0])
    return settings
