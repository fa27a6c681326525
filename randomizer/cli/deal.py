"""The options that say what to deal, and what they ask for.

Those that belong to the game (`--colony`) come from the game's data.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click
from click.core import ParameterSource

from randomizer.cli import output, speech
from randomizer.cli.options import completing, config_option, files_option, game_option, profile_option
from randomizer.load import paths
from randomizer.memory import defaults
from randomizer.text.errors import BadKingdom, Problem, UnknownName, describe_os_error
from randomizer.text.language import (
    Clause,
    JoinedList,
    Message,
    Slug,
    Value,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
)

if TYPE_CHECKING:
    from randomizer.browse.deal_options import GameOption
    from randomizer.browse.request_builder import DealOptions, RequestBuilder
    from randomizer.cards.game import Game, Request
    from randomizer.cards.kingdom import Swap


PLAYERS = 2  # by default
_FILE = r"[^?,;()\n]*\.[A-Za-z]{2,5}"  # what can only be meant for a file's name

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every game has; a decorator."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def named(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name what is to be on the table; a decorator."""
    for option in reversed(_NAMED):
        command = option(command)
    return command


class PlayersOption(speech.SaidOption):
    """How many play; which numbers there are is the game's."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help, with the least and the most."""
        with suppress(UnknownName):
            least, most = output.loaded(ctx.meta.get("game", "")).players
            said = "How many play, {least} to {most}.  [default: {default}]"
            self.says = message(said, least=least, most=most, default=PLAYERS)
        return super().get_help_record(ctx)


def _repeated(flag: str, name: str, metavar: str, completes: str, help: str) -> _Decorator:
    """An option that may be given again and again; `completes` says what a shell offers for it."""
    return click.option(
        flag, name, multiple=True, metavar=metavar, shell_complete=completing(completes), help=help
    )


_OPTIONS: list[_Decorator] = [
    click.option(
        "-s",
        "--sets",
        multiple=True,
        metavar="SETS",
        shell_complete=completing("sets"),
        help="Boxes: base,adventures, or all.  [default: base]",
    ),
    game_option,
    click.option(
        "-p",
        "--players",
        cls=PlayersOption,
        type=int,
        default=PLAYERS,
        metavar="N",
        says=message("How many play."),
    ),
    click.option(
        "--landscapes-from",
        type=click.Choice(["randomizers", "deck"]),
        metavar="WHERE",
        help="randomizers, or deck: a deck of their own.",
    ),
    _repeated("--with", "with_", "CARDS", "several_cards", "Cards that are turned up: witch,alms."),
    _repeated("--without", "without", "WHICH", "selectors", "What never comes: witch,attack,cost:potion."),
    _repeated("--want", "want", "WISH", "wishes", "What there is: treasure=1-3,'defence if attack'."),
    _repeated("--weight", "weight", "WHICH=N", "selectors", "What comes up N times as readily: attack=0.5."),
    click.option(
        "--of",
        type=click.IntRange(1),
        metavar="N",
        help="Draw N of the boxes, and deal from these.",
    ),
    click.option(
        "--fresh",
        type=click.IntRange(1),
        metavar="N",
        help="No card of the last N games played.",
    ),
    files_option,
    profile_option,
    config_option,
]
GROUPS: Mapping[str, Sequence[str]] = {  # the headings of help, and what stands below them
    "What to deal": (
        *("--sets", "--of", "--players", "--seed", "--kingdom"),
        *("--count", "--apart", "--cards", "--game", "--profile", "--config-file"),
    ),
    "Having a say": ("--with", "--without", "--want", "--weight", "--fresh", "--swap"),
    "What the rulebooks leave open": (),  # whatever the game's data bring, and no other heading has
    "How it is printed, and kept": (
        *("--format", "--json", "--sort", "--about", "--keep"),
        *("--lang", "--color", "--no-pager", "--version", "--help"),
    ),
}
WISHES = ("with_", "without", "want", "weight")  # what the options that wish for cards are called


_NAMED: list[_Decorator] = [
    click.option(
        "--kingdom",
        metavar="LIST",
        shell_complete=completing("kingdoms"),
        help="Lay these out: names, a file, - (a pipe), any.",
    ),
    _repeated("--swap", "swaps", "CARD[=CARD]", "swaps", "In the end this goes and another comes."),
]


def with_those_of_the_game(own: list[click.Parameter], game: str) -> list[click.Parameter]:
    """A command's parameters, with the options that the game leaves open among them."""
    place = next(place for place, parameter in enumerate(own) if parameter.name == "files")
    return [*own[:place], *_options_of(game, paths.data_folder()), *own[place:]]


class Dealing(speech.Command):
    """A command with all options of the deal: those that the game leaves open are among them."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every option, below its heading."""
        write_options(self.get_params(ctx), ctx, formatter)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters and the game's."""
        return with_those_of_the_game(super().get_params(ctx), ctx.meta.get("game", ""))


def write_options(
    parameters: Sequence[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write the options of a command that deals, each below its heading, and mostly in a line."""
    lines = {}
    for each in parameters:
        if isinstance(each, click.Option) and (record := each.get_help_record(ctx)):
            lines[each.opts[-1]] = record[0], each.help or ""
    wide = max(len(typed) for typed, _ in lines.values())
    grouped = {flag for flags in GROUPS.values() for flag in flags}
    formatter.write_paragraph()
    for heading, flags in GROUPS.items():
        flags = flags or [flag for flag in lines if flag not in grouped]
        if rows := [(lines[flag][0].ljust(wide), lines[flag][1]) for flag in flags if flag in lines]:
            formatter.write_heading(heading)
            with formatter.indentation():
                formatter.write_dl(rows)


@cache
def _options_of(game: str, folder: str) -> list[click.Option]:
    """A number for each amount that the game leaves open, a switch and a method for each question."""
    from randomizer.browse.deal_options import list_game_options

    try:
        loaded = output.loaded(game)
    except UnknownName:
        return []  # `rules` knows more games than can be dealt
    return [_build_option(option) for option in list_game_options(loaded)]


def _build_option(option: "GameOption") -> click.Option:
    """Build the command-line option of a game's own option."""
    flag = f"--{option.name}"
    if option.choices:
        decides = _decides(option.choices)
        return speech.SaidOption([flag], type=click.Choice(option.choices), metavar="CARD", says=decides)
    if option.min_value is None:
        return click.Option([f"{flag}/--no-{option.name}"], default=None, help=option.help)
    number = click.IntRange(option.min_value, option.max_value)
    text = f"{option.help}  [default: {option.default}]"
    return click.Option([flag], type=number, metavar="N", help=text)


def _decides(cards: Sequence[str]) -> Message:
    return message("{cards} decides it.", cards=join_with_or(as_verbatim(cards)))


def asked(ctx: click.Context, given: dict[str, Any], seed: str) -> "tuple[Game, Request]":
    """The game, and what is asked of it.

    Args:
        given: all options of the deal by name; what is left of it in the end are the game's own settings.
        seed: any text that fits on a line.

    Raises:
        UnknownName, BadOptions: as `resolve` and `Game.request` do.
    """
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.browse.request_builder import DealOptions, is_random_kingdom

    files, name = given.pop("files"), given.pop("game") or ""
    game = output.game_of(name, files)
    named, text, swaps = given.pop("sets"), given.pop("kingdom", None), given.pop("swaps", ())
    chosen = resolve_boxes(_sets(named, ctx, game, name), game)
    players = _players(given.pop("players"), ctx, game)
    wishes = {option: given.pop(option) for option in WISHES}
    wanted = DealOptions(
        chosen,
        bool(named),
        players,
        box_count=given.pop("of") or 0,
        recent_game_count=given.pop("fresh") or 0,
        kingdom=text if text is None or is_random_kingdom(text) else _contents(text),
        swaps=swaps,
        files=files,
        game="" if name == output.loaded().name else name,
        settings=given,
        **wishes,
    )
    asking = _asking(game, own=any(wishes["want"]))
    try:
        return game, asking.build(wanted, seed)
    finally:
        _tell_besides(ctx, wanted, asking, game)


def _asking(game: "Game", *, own: bool = False) -> "RequestBuilder":
    """Makes requests of what is typed; with the user's own wishes where they count."""
    from randomizer.browse.request_builder import RequestBuilder

    said = defaults.read().wishes if own and game.name == output.loaded().name else {}
    return RequestBuilder(game, output.languages(game), lambda: output.card_names(game).values(), said)


def _tell_besides(ctx: click.Context, wanted: "DealOptions", asking: "RequestBuilder", game: "Game") -> None:
    """Tell what a request came to, besides the table itself."""
    if asking.excluded_card_count is not None:
        said = "--fresh {number} leaves out {count} of the cards that these boxes hold."
        ctx.meta["fresh"] = message(said, number=wanted.recent_game_count, count=asking.excluded_card_count)
    if asking.faults and not ctx.meta.get("wishes"):  # once is enough for many tables
        output.tell(defaults.build_warning(asking.faults))
        ctx.meta["wishes"] = asking.faults
    if asking.drawn_kingdom and ctx.params.get("count") is None:
        output.tell(
            message(
                "{kingdom} ({id})", kingdom=asking.drawn_kingdom.name, id=Verbatim(asking.drawn_kingdom.id)
            )
        )
    if asking.needed_boxes:
        boxes = JoinedList(tuple(Slug(slug, game.get_name(slug)) for slug in asking.needed_boxes))
        output.tell(message("Boxes for these cards: {boxes}", boxes=boxes))


def asked_each(ctx: click.Context, given: dict[str, Any], seed: str, count: int) -> "Iterator[Request]":
    """So many requests, the n-th with the seed `<seed>-<n>`; where chance says what is asked for, of each."""
    for number in range(1, count + 1):
        yield asked(ctx, dict(given), f"{seed}-{number}")[1]


def swapping(words: Sequence[str], game: "Game") -> "tuple[Swap,...]":
    """The swaps that were typed: `CARD`, or `CARD=CARD`.

    Raises:
        UnknownName: no card is called so.
    """
    return _asking(game).parse_swaps(words)


def _contents(text: str) -> str:
    """What a list says: itself, or the file of that name, or what is piped in.

    Raises:
        BadKingdom: it is the name of a file that cannot be read.
    """
    from json import detect_encoding

    from randomizer.load.files import read_bounded, read_bounded_stream

    try:
        if text == "-":
            content = read_bounded_stream(cast("BinaryIO", click.open_file("-", "rb")), "-")
        elif os.path.isfile(text) or re.fullmatch(_FILE, text):
            content = read_bounded(text)
        else:
            return text
    except OSError as problem:
        file: Value = "what was piped in" if text == "-" else Verbatim(problem.filename or text)
        raise BadKingdom([message("{file}: {why}", file=file, why=describe_os_error(problem))]) from None
    return content.decode(detect_encoding(content), "replace")


def _sets(named: Sequence[str], ctx: click.Context, game: "Game", name: str) -> Sequence[str]:
    """The sets asked for; else the user's own default, or the game's first, and those of the user's files."""
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.cards.editions import is_only_announced

    if ctx.get_parameter_source("sets") is ParameterSource.COMMANDLINE:
        return named
    usual: Sequence[str] = [next(iter(game.sets))]
    if named and game.name == output.loaded().name:
        try:
            usual = resolve_boxes(named, game)
        except Problem as problem:
            _ignore(message("sets: {fault}", fault=Clause(problem.message)))
    before = output.loaded(name)
    if game is before:
        return usual
    known = {slug for slug in before.boxes if not is_only_announced(slug, before)}
    return [*usual, *(slug for slug in game.boxes if slug not in known and not is_only_announced(slug, game))]


def _players(number: int, ctx: click.Context, game: "Game") -> int:
    """How many play; where the user's own default is not for this game, as many as by default."""
    if ctx.get_parameter_source("players") is ParameterSource.DEFAULT_MAP:
        try:
            game.check_players(number)
        except Problem as problem:
            _ignore(message("players = {number}: {fault}", number=number, fault=Clause(problem.message)))
            return PLAYERS
    return number


def _ignore(fault: Message) -> None:
    """Tell that the user's own default does not fit."""
    output.tell(defaults.build_warning([fault]))
