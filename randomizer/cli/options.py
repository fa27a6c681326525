"""Options that several commands share, and the completion of their values in the shell."""

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cards.share import SHARE_PATTERN, parse_share
from randomizer.cli import output
from randomizer.cli.localization import MessageOption, build_repetition_error
from randomizer.show.formats import FORMATS
from randomizer.text.errors import BadUsage, Problem
from randomizer.text.language import Verbatim, join_with_or, message

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., Any]

COLORS = ("auto", "always", "never")
SORT_ORDERS = ("box", "cost", "name", "dealt")
FileOrNumber = BinaryIO | int  # a value of `SetupFile`
LAST_TABLE = ""  # the value of an option whose optional file is omitted


class ShareChoice(click.Choice):  # type: ignore[type-arg,unused-ignore]
    """A choice that also accepts a share of all games, such as `1/3` or `25%`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a valid choice or share.

        Raises:
            BadUsage: the value has the form of a share, but is not between 0 and 1.
        """
        if parse_share(value):
            return value
        if isinstance(value, str) and SHARE_PATTERN.fullmatch(value):
            template = "{share} is not a share of the games; type one between 0 and 1, such as 1/3 or 25%."
            raise BadUsage(template, share=Verbatim(value))
        return super().convert(value, param, ctx)


def add_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """Add options to a command. The help lists them in the given order."""
    for option in reversed(options):
        command = option(command)
    return command


def complete_with(kind: str) -> Callable[..., list["CompletionItem[str]"]]:
    """Return a callback that completes a kind of name, such as `sets`.

    The callback imports the module `completion` when it is called, and calls the function `complete_<kind>`.
    """

    def complete(
        ctx: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list["CompletionItem[str]"]:
        from randomizer.cli import completion

        try:
            return completion.build_items(getattr(completion, f"complete_{kind}")(ctx, incomplete))
        except Problem:
            return []  # The shell cannot show an error in another part of the line.

    return complete


# ── Options before or after the name of a command ──


def _merge_occurrences(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the value of an option that may be typed before the command's name, after it, or in both places.

    The value is also stored in `ctx.obj`, under the name of the parameter.

    Raises:
        BadUsage: the option has two different values.
    """
    name, values = parameter.name or "", ctx.ensure_object(dict)
    typed: set[str] = ctx.meta.setdefault("typed", set())
    is_typed = ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    if is_typed and name in typed and values[name] != value and not ctx.resilient_parsing:
        raise build_repetition_error(parameter, 2)
    if is_typed:
        typed.add(name)
    if is_typed or name not in values:
        values[name] = value
    return values[name]


def is_allowed_before_command(option: click.Parameter) -> bool:
    """Return whether an option of a command may also be typed before the command's name."""
    return getattr(option, "callback", None) is _merge_occurrences


# ── Files ──


class FileName(click.types.StringParamType):
    """The type of an option whose value is the name of a file.

    Click's own type calls gettext, which would slow down every start.
    """

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        """Let the shell complete file names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class SetupFile(click.File):
    """A parameter type: a file with a setup, or the number of a recent table, of which 1 is the newest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a positive number to an integer; otherwise, open the file."""
        is_number = isinstance(value, str) and re.fullmatch("[1-9][0-9]{0,8}", value)
        return int(value) if is_number else super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        """Complete the number of a recent table, and let the shell complete file names."""
        return [
            *complete_with("tables")(ctx, param, incomplete),
            *super().shell_complete(ctx, param, incomplete),
        ]


class FileOrLastTable(SetupFile):
    """The type of an option with the values of `SetupFile` and the value `LAST_TABLE`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert the value as `SetupFile` does; return `LAST_TABLE` unchanged."""
        return value if value == LAST_TABLE else super().convert(value, param, ctx)


class TableNumbers(click.IntRange):
    """The type of `--count`: a number of tables, `N`, or a part of the series, `A-B`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert the value to the `range` of the numbers of the tables.

        Raises:
            BadUsage: the range `A-B` is empty.
        """
        first, dash, last = value.partition("-")
        if not (first and dash):
            return range(1, super().convert(value, param, ctx) + 1)
        numbers = range(super().convert(first, param, ctx), super().convert(last, param, ctx) + 1)
        if not numbers:
            raise BadUsage("--count {value} is empty; type the smaller number first.", value=Verbatim(value))
        return numbers


# ── Options ──


class GameName(click.types.StringParamType):
    """The type of an option whose value is any name of a game; the value becomes its short name."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the short name of the game, or an unknown name unchanged."""
        from randomizer.load.games import resolve_name

        return resolve_name(value) if isinstance(value, str) else value


game_option = click.option(
    "--game",
    type=GameName(),
    metavar="GAME",
    shell_complete=complete_with("games"),
    callback=_merge_occurrences,
    help="Use a game other than Dominion.",
)
lang_option = click.option(
    "--lang",
    metavar="CODE",
    expose_value=False,
    shell_complete=complete_with("languages"),
    envvar="DOMINION_SETUP_LANG",
    callback=_merge_occurrences,
    help="Use this language, such as ja; default: locale.",
)
color_option = click.option(
    "--color",
    type=click.Choice(COLORS),
    metavar="WHEN",
    expose_value=False,
    callback=_merge_occurrences,
    help=f"Use colours: {join_with_or(COLORS)}.",
)
pager_option = click.option(
    "--no-pager",
    is_flag=True,
    expose_value=False,
    callback=_merge_occurrences,
    help="Never use a pager.",
)
files_option = click.option(
    "--cards",
    "files",
    type=FileName(),
    multiple=True,
    metavar="FILE",
    help="Add your own cards, sets and house rules.",
)
format_option = click.option(
    "--format",
    type=click.Choice(list(FORMATS)),
    metavar="FORM",
    cls=MessageOption,
    help_message=message(
        "Print {formats}.", formats=join_with_or(each.describe(name) for name, each in FORMATS.items())
    ),
)
json_option = click.option("--json", "json", is_flag=True, help="Print JSON for other programs.")
short_json_option = click.option("--json", "json", is_flag=True, help="Short for --format json.")
about_option = click.option("--about", is_flag=True, help="Describe the kingdom: villages, attacks, costs.")
sort_option = click.option(
    "--sort",
    type=click.Choice(SORT_ORDERS),
    default="box",
    metavar="ORDER",
    help=f"Sort: {join_with_or(SORT_ORDERS)}.  [default: box]",
)
line_option = click.option(
    "--line",
    type=click.IntRange(1),
    metavar="N",
    help="Use the setup on line N of the file.",
)
keep_option = click.option(
    "--keep/--no-keep", default=True, help="Remember this as the last setup.  [default: keep]"
)
profile_option = click.option(
    "--profile",
    metavar="NAME",
    envvar="DOMINION_SETUP_PROFILE",
    expose_value=False,
    shell_complete=complete_with("profiles"),
    callback=_merge_occurrences,
    help="Use this profile of your defaults; see config.",
)


def sets_option(help: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the option `--sets`, which takes names of boxes."""
    return click.option(
        "-s",
        "--sets",
        multiple=True,
        metavar="SETS",
        shell_complete=complete_with("sets"),
        help=help,
    )


save_option = click.option(
    "--save",
    is_flag=False,
    flag_value="",
    metavar="[PROFILE]",
    shell_complete=complete_with("profiles"),
    help="Save the typed options as defaults or a profile.",
)
config_option = click.option(
    "--config-file",
    type=FileName(),
    metavar="FILE",
    expose_value=False,
    callback=_merge_occurrences,
    help="Read your defaults from this file instead.",
)


def setup_output_options(command: Command) -> Command:
    """Add the options of `output.print_setup` to a command, which then rejects options that conflict."""

    @wraps(command)
    def checked_command(*args: Any, **values: Any) -> Any:
        output.reject_conflicting_options(click.get_current_context())
        return command(*args, **values)

    return add_options(checked_command, [sort_option, about_option, format_option, short_json_option])


def result_options(command: Command) -> Command:
    """Add the options for the players, winners and note of a played game. They all default to None."""
    players = click.option(
        "--players",
        "scores",  # The user's default for `players` is a number.
        metavar="NAMES",
        shell_complete=complete_with("players"),
        help='Set players and scores: "Ann 32, Bob 28"; scores are optional.',
    )
    winner = click.option(
        "--winner",
        "winners",
        multiple=True,
        default=None,
        metavar="NAME",
        shell_complete=complete_with("players"),
        help="Set the winner if the scores don't decide; repeatable.",
    )
    note = click.option("--note", metavar="TEXT", help="Set a note.")
    return add_options(command, [players, winner, note])


def output_options(command: Command) -> Command:
    """Add the common options, which may be given before or after the command's name.

    The functions of `output` read their values from the context of the command.
    """
    return add_options(command, [lang_option, color_option, pager_option])
