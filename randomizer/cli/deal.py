"""Defines the command-line options of a deal, and builds the request for a deal from their values.

Options that only some games have, such as `--colony`, are defined in the game's data file.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click
from click.core import ParameterSource

from randomizer.browse.deal_options import DEFAULT_PLAYERS, LANDSCAPE_SOURCES
from randomizer.cards.share import SHARE_PATTERN
from randomizer.cli import output
from randomizer.cli.localization import LocalizedCommand, MessageOption
from randomizer.cli.options import (
    ShareChoice,
    add_options,
    complete_with,
    config_option,
    files_option,
    game_option,
    profile_option,
    sets_option,
)
from randomizer.load import paths
from randomizer.memory import defaults
from randomizer.text.errors import BadKingdom, Problem, UnknownName
from randomizer.text.language import (
    Clause,
    JoinedList,
    Message,
    Slug,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
)
from randomizer.text.slugs import split_at_commas

if TYPE_CHECKING:
    from randomizer.browse.deal_options import GameOption
    from randomizer.browse.request_builder import DealOptions, RequestBuilder
    from randomizer.cards.game import Game, Request
    from randomizer.cards.kingdom import Swap

WISH_PARAMETERS = ("with_", "without", "want", "weight")
_FILE_NAME_PATTERN = r"[^?,;()\n]*\.[A-Za-z]{2,5}"  # Matches text that can only be the name of a file.

NO_BANS = "nothing"  # the value of `--without` that lifts the bans of the user's defaults

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


# ── Options ──


class PlayersOption(MessageOption):
    """The option for the number of players. Its help states the minimum and maximum of the game."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the flags of the option and its help text."""
        with suppress(UnknownName):
            min_players, max_players = output.load_game(ctx.meta.get("game", "")).players
            template = "Set up for {least} to {most} players.  [default: {default}]"
            self.help_message = message(
                template, least=min_players, most=max_players, default=DEFAULT_PLAYERS
            )
        return super().get_help_record(ctx)


def _repeatable_option(flag: str, name: str, metavar: str, kind: str, help: str) -> _Decorator:
    """Return a decorator that adds a repeatable option.

    Args:
        flag: the flag of the option, such as `--with`.
        name: the name of the parameter.
        metavar: the placeholder for the value in the help.
        kind: the kind of name that the shell completes, as for `complete_with`.
        help: the help text.
    """
    return click.option(
        flag, name, multiple=True, metavar=metavar, shell_complete=complete_with(kind), help=help
    )


def _add_default_bans(ctx: click.Context, parameter: click.Parameter, typed: Sequence[str]) -> Sequence[str]:
    """Return the default bans and the typed bans; only the typed bans if they include `nothing`."""
    values = split_at_commas(typed)
    bans = [value for value in values if value.casefold() != NO_BANS]
    ctx.meta["bans_lifted"] = len(bans) < len(values)
    if ctx.get_parameter_source("without") is ParameterSource.COMMANDLINE and not ctx.meta["bans_lifted"]:
        return [*split_at_commas((ctx.default_map or {}).get("without", ())), *bans]
    return bans


_DEAL_OPTIONS: list[_Decorator] = [
    sets_option("Deal from these boxes, or all.  [default: base]"),
    game_option,
    click.option(
        "-p",
        "--players",
        cls=PlayersOption,
        type=int,
        default=DEFAULT_PLAYERS,
        metavar="N",
        help_message=message("Set up for N players."),
    ),
    click.option(
        "--landscapes-from",
        type=click.Choice(LANDSCAPE_SOURCES),
        metavar="WHERE",
        help="Take landscapes from randomizers or a deck.",
    ),
    _repeatable_option(
        "--with", "with_", "CARDS", "several_cards", "Always include these cards: witch,alms."
    ),
    click.option(
        "--without",
        multiple=True,
        metavar="WHICH",
        shell_complete=complete_with("selectors"),
        callback=_add_default_bans,
        help="Exclude these cards: witch,attack,cost:potion.",
    ),
    _repeatable_option(
        *("--want", "want", "WISH", "wishes"),
        help="Require matching cards: treasure=2, or engine, potions, spread.",
    ),
    _repeatable_option(
        "--weight", "weight", "WHICH=N", "selectors", "Make cards 0.001-1000 times as likely: attack=2."
    ),
    click.option("--of", type=click.IntRange(1), metavar="N", help="Pick N of the --sets boxes at random."),
    click.option(
        "--fresh", type=click.IntRange(1), metavar="N", help="Exclude cards from your last N games."
    ),
    click.option(
        "--like",
        metavar="KINGDOM",
        shell_complete=complete_with("named_kingdoms"),
        help="Deal cards with the same abilities as this kingdom.",
    ),
    click.option(
        "--veto",
        type=click.IntRange(0),
        metavar="N",
        help="Deal N extra cards; then veto up to N cards.",
    ),
    files_option,
    profile_option,
    config_option,
]
_KINGDOM_OPTIONS: list[_Decorator] = [
    click.option(
        "--kingdom",
        metavar="LIST",
        shell_complete=complete_with("kingdoms"),
        help="Use this kingdom: names, a file, - for stdin, or `any` for a random recommended one.",
    ),
    _repeatable_option("--swap", "swaps", "CARD[=CARD]", "swaps", "After dealing, replace this card."),
    _repeatable_option(
        "--vetoed", "vetoed", "CARDS", "several_cards", "With --veto: the vetoed cards, or nothing."
    ),
]
# The headings in the help, each with its options. The group without options is for those that a game defines.
HELP_GROUPS: Mapping[str, Sequence[str]] = {
    "Cards and boxes": (
        *("--sets", "--of", "--players", "--seed", "--kingdom"),
        *(
            "--count",
            "--apart",
            "--copies",
            "--table",
            "--cards",
            "--game",
            "--save",
            "--profile",
            "--config-file",
        ),
    ),
    "Filters and preferences": (
        "--with",
        "--without",
        "--want",
        "--weight",
        "--like",
        "--fresh",
        "--swap",
        "--veto",
        "--vetoed",
    ),
    "Optional rules": (),
    "Output": (
        *("--format", "--json", "--sort", "--about", "--keep"),
        *("--lang", "--color", "--no-pager", "--version", "--help"),
    ),
}


def deal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a deal to a command, except those that only some games have."""
    return add_options(command, _DEAL_OPTIONS)


def kingdom_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--kingdom`, `--swap` and `--vetoed` to a command."""
    return add_options(command, _KINGDOM_OPTIONS)


def add_game_options(
    parameters: list[click.Parameter], game: str, files: Sequence[str] = ()
) -> list[click.Parameter]:
    """Insert the game's own options, and those of the user's files, before `--cards`.

    A file that is invalid or not a regular file adds no options. The deal itself reports its faults.
    """
    index = next(index for index, parameter in enumerate(parameters) if parameter.name == "files")
    options = _build_game_options(game, paths.data_folder())
    if readable_files := [file for file in files if os.path.isfile(file)]:
        from randomizer.browse.deal_options import list_game_options

        with suppress(Problem):
            loaded_game = output.load_game_with_files(game, readable_files)
            options = [_build_game_option(option) for option in list_game_options(loaded_game)]
    return [*parameters[:index], *options, *parameters[index:]]


@cache
def _build_game_options(game: str, folder: str) -> list[click.Option]:
    """Build the game's own options.

    Args:
        game: the name of the game; empty for the default game.
        folder: the data folder. Tests change it, so it is part of the cache key.
    """
    from randomizer.browse.deal_options import list_game_options

    try:
        loaded_game = output.load_game(game)
    except UnknownName:
        return []  # Some games have rulebooks, but no data to deal from.
    return [_build_game_option(option) for option in list_game_options(loaded_game)]


def _build_game_option(option: "GameOption") -> click.Option:
    flag = f"--{option.name}"
    if option.choices:
        help_message = message("Let {cards} decide.", cards=join_with_or(as_verbatim(option.choices)))
        choice_type = (ShareChoice if option.shares else click.Choice)(option.choices)
        return MessageOption([flag], type=choice_type, metavar="CARD", help_message=help_message)
    if option.min_value is None:
        return click.Option([f"{flag}/--no-{option.name}"], default=None, help=option.help)
    value_range = click.IntRange(option.min_value, option.max_value)
    help_text = f"{option.help}  [default: {option.default}]"
    return click.Option([flag], type=value_range, metavar="N", help=help_text)


def move_shares(args: Sequence[str], game: str) -> list[str]:
    """Return arguments in which a share after a switch, such as `--colony 1/3`, becomes `--colony-by=1/3`.

    Args:
        args: the arguments of the program.
        game: the name of the game; empty for the default game.
    """
    moved: list[str] = []
    for index, arg in enumerate(args):
        flag, _, share = arg.partition("=")
        if not share and moved and SHARE_PATTERN.fullmatch(arg):
            if _is_switch_with_share(args[index - 1], game):
                moved[-1] = f"{args[index - 1]}-by={arg}"
                continue
        elif SHARE_PATTERN.fullmatch(share) and _is_switch_with_share(flag, game):
            arg = f"{flag}-by={share}"
        moved.append(arg)
    return moved


def _is_switch_with_share(flag: str, game: str) -> bool:
    """Return whether the answer to a setup question may be a share: whether `<flag>-by` takes one."""
    return any(
        isinstance(option.type, ShareChoice) and f"{flag}-by" in option.opts
        for option in _build_game_options(game, paths.data_folder())
    )


class DealCommand(LocalizedCommand):
    """A command with all options of a deal, including the game's own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the options, grouped by heading."""
        write_options(self.get_params(ctx), ctx, formatter)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's parameters, including the game's own options."""
        return add_game_options(super().get_params(ctx), ctx.meta.get("game", ""), ctx.meta.get("files", ()))


def write_options(
    parameters: Sequence[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write the help of options under the headings of `HELP_GROUPS`. All groups have equal column widths."""
    rows = {}
    for parameter in parameters:
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
            rows[parameter.opts[-1]] = record[0], parameter.help or ""
    first_width = max(len(term) for term, _ in rows.values())
    grouped = {flag for flags in HELP_GROUPS.values() for flag in flags}
    formatter.write_paragraph()
    for heading, flags in HELP_GROUPS.items():
        flags = flags or [flag for flag in rows if flag not in grouped]
        group = [(rows[flag][0].ljust(first_width), rows[flag][1]) for flag in flags if flag in rows]
        if group:
            formatter.write_heading(heading)
            with formatter.indentation():
                formatter.write_dl(group)


# ── Requests ──


def build_request(ctx: click.Context, values: dict[str, Any], seed: str) -> "tuple[Game, Request]":
    """Build the request for a deal, and print remarks about it to stderr.

    Args:
        ctx: the context of the command.
        values: the values of all options of the deal, by parameter name. All except the game's own options
            are removed from this dict.
        seed: the seed, any string without line breaks.

    Returns:
        The game and the request.

    Raises:
        Problem: a value is invalid, or options conflict.
    """
    from randomizer.browse.boxes import explain_editions, resolve_boxes
    from randomizer.browse.request_builder import DealOptions, is_random_kingdom

    files, game_name = values.pop("files"), values.pop("game") or ""
    game = output.load_game_with_files(game_name, files)
    sets, kingdom, swaps = values.pop("sets"), values.pop("kingdom", None), values.pop("swaps", ())
    wishes = {parameter: values.pop(parameter) for parameter in WISH_PARAMETERS}
    # A swap in a named kingdom draws from the boxes of that kingdom, unless the user typed boxes for it.
    is_swap_in_kingdom = kingdom is not None and bool(swaps)
    has_typed_sets = ctx.get_parameter_source("sets") is click.core.ParameterSource.COMMANDLINE
    typed_options = DealOptions(
        resolve_boxes(_choose_sets(sets, ctx, game, game_name), game),
        bool(sets) and (has_typed_sets or not is_swap_in_kingdom),
        _choose_players(values.pop("players"), ctx, game),
        box_count=values.pop("of") or 0,
        recent_game_count=values.pop("fresh") or 0,
        like=values.pop("like", None) or "",
        kingdom=kingdom if kingdom is None or is_random_kingdom(kingdom) else _read_kingdom(kingdom),
        swaps=swaps,
        veto_count=values.pop("veto", 0) or 0,
        vetoed=values.pop("vetoed", ()),
        table_count=values.pop("count", 0),
        table_number=values.pop("table", 0) or 0,
        is_apart=values.pop("apart", False),
        copies=values.pop("copies", ()),
        files=files,
        game="" if game_name == output.load_game().name else game_name,
        settings=values,
        **wishes,
    )
    if has_typed_sets and not ctx.meta.get("has_named_editions"):
        for remark in explain_editions(split_at_commas(sets), typed_options.chosen, game):
            output.print_message(remark)
        ctx.meta["has_named_editions"] = True
    builder = _create_request_builder(game, has_wishes=any(wishes["want"]))
    try:
        return game, builder.build(typed_options, seed)
    except BadKingdom as problem:
        if kingdom in (None, "-", typed_options.kingdom):
            raise
        raise _withhold_contents(problem, kingdom, typed_options.kingdom or "") from None
    finally:
        _print_remarks(ctx, typed_options, builder, game)


def build_requests(
    ctx: click.Context, values: dict[str, Any], seed: str, numbers: range
) -> "Iterator[Request]":
    """Yield requests with the seeds `<seed>-<number>`. Random choices are made anew for each request."""
    for number in numbers:
        yield build_request(ctx, {**values, "table": number}, seed)[1]


def parse_swaps(swaps: Sequence[str], game: "Game") -> "tuple[Swap, ...]":
    """Parse swaps. Each is `CARD`, or `CARD=CARD` with the replacement after the equals sign.

    Raises:
        UnknownName: a card is unknown.
    """
    return _create_request_builder(game).parse_swaps(swaps)


def parse_vetoes(vetoes: Sequence[str], game: "Game") -> tuple[str, ...] | None:
    """Parse the names of vetoed cards; an empty tuple for `nothing`, and None if there are no names.

    Raises:
        UnknownName: a card is unknown.
    """
    return _create_request_builder(game).parse_vetoes(vetoes)


def _create_request_builder(game: "Game", *, has_wishes: bool = False) -> "RequestBuilder":
    """Create a request builder. The user's named wishes are loaded only if there are wishes to parse."""
    from randomizer.browse.request_builder import RequestBuilder

    is_default = game.name == output.load_game().name
    named_wishes = defaults.read().wishes if has_wishes and is_default else {}
    return RequestBuilder(
        game, output.load_languages(game), output.load_card_names(game).values(), named_wishes
    )


def _print_remarks(
    ctx: click.Context, typed_options: "DealOptions", builder: "RequestBuilder", game: "Game"
) -> None:
    """Print remarks about a request. The remark about `--fresh` is only stored, for error messages."""
    if builder.excluded_card_count is not None:
        template = "--fresh {number} excludes {count} cards of these boxes."
        ctx.meta["fresh"] = message(
            template, number=typed_options.recent_game_count, count=builder.excluded_card_count
        )
    if builder.faults and not ctx.meta.get("has_warned"):
        output.print_message(defaults.build_warning(builder.faults))
        ctx.meta["has_warned"] = True
    if builder.drawn_kingdom and ctx.params.get("count") is None:
        kingdom = builder.drawn_kingdom
        output.print_message(message("{kingdom} ({id})", kingdom=kingdom.name, id=Verbatim(kingdom.id)))
    if builder.needed_boxes:
        boxes = JoinedList(tuple(Slug(slug, game.get_name(slug)) for slug in builder.needed_boxes))
        output.print_message(message("Boxes you need for these cards: {boxes}", boxes=boxes))


def _read_kingdom(text: str) -> str:
    """Return the contents of stdin for `-`, or of the file with this name. Return any other text unchanged.

    Raises:
        BadKingdom: the file cannot be read.
    """
    from randomizer.load.files import read_kingdom_file

    if text == "-":
        return read_kingdom_file(text, cast("BinaryIO", click.open_file(text, "rb")))
    return read_kingdom_file(text) if os.path.isfile(text) or re.fullmatch(_FILE_NAME_PATTERN, text) else text


def _withhold_contents(problem: BadKingdom, file: str, content: str) -> BadKingdom:
    """Return the error, or one that quotes nothing if at least half of the lines in the file are faulty.

    A bot may pass on file names that its users choose. They must not see the contents of private files.
    """
    if 2 * len(problem.faults) < len([line for line in content.splitlines() if line.strip()]):
        return problem
    return BadKingdom([message("{file} is not a list of cards.", file=Verbatim(file))])


def _choose_sets(sets: Sequence[str], ctx: click.Context, game: "Game", game_name: str) -> Sequence[str]:
    """Return the sets to deal from.

    Sets on the command line are returned unchanged. If there are none, the result is the user's default sets
    or else the game's first set, together with the sets in the user's own files.
    """
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.cards.editions import is_only_announced

    if ctx.get_parameter_source("sets") is ParameterSource.COMMANDLINE:
        return sets
    chosen: Sequence[str] = [next(iter(game.sets))]
    if sets and game.name == output.load_game().name:
        try:
            chosen = resolve_boxes(sets, game)
        except Problem as problem:
            _warn_bad_default(message("sets: {fault}", fault=Clause(problem.message)))
    without_files = output.load_game(game_name)
    if game is without_files:
        return chosen
    available_without_files = {
        slug for slug in without_files.boxes if not is_only_announced(slug, without_files)
    }
    return [
        *chosen,
        *(
            slug
            for slug in game.boxes
            if slug not in available_without_files and not is_only_announced(slug, game)
        ),
    ]


def _choose_players(count: int, ctx: click.Context, game: "Game") -> int:
    """Return the number of players. A user default that the game does not allow is ignored with a warning."""
    if ctx.get_parameter_source("players") is ParameterSource.DEFAULT_MAP:
        try:
            game.check_players(count)
        except Problem as problem:
            fault = message("players = {number}: {fault}", number=count, fault=Clause(problem.message))
            _warn_bad_default(fault)
            return DEFAULT_PLAYERS
    return count


def _warn_bad_default(fault: Message) -> None:
    """Print a warning that an invalid user default is ignored."""
    output.print_message(defaults.build_warning([fault]))
