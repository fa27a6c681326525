"""Options that several commands have, and what a shell offers for them."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from randomizer.cli.config import COLORS, SORTS
from randomizer.errors import Problem
from randomizer.show.formats import FORMATS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _either_place(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """An option that may be typed before or after the command's name; the later one wins."""
    seen = ctx.ensure_object(dict)
    typed = ctx.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
    if typed or parameter.name not in seen:
        seen[parameter.name] = value
    return seen[parameter.name]


def either_place(option: click.Parameter) -> bool:
    """Whether the option may be typed before a command's name as well as after it."""
    return getattr(option, "callback", None) is _either_place


def completing(what: str) -> Callable[[click.Context, click.Parameter, str], list["CompletionItem"]]:
    """What a shell offers for a parameter: a function of `completion`, which is loaded only then."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list["CompletionItem"]:
        from randomizer.cli import completion

        items: list[CompletionItem] = []
        with suppress(Problem):  # a shell has no use for what is wrong with the rest of the line
            items = getattr(completion, what)(ctx, parameter, incomplete)
        return items

    return complete


game_option = click.option(
    "--game",
    metavar="GAME",
    shell_complete=completing("games"),
    callback=_either_place,
    help="Another game than Dominion; `rules` has more of them than can be dealt.",
)
lang_option = click.option(
    "--lang",
    metavar="CODE",
    shell_complete=completing("languages"),
    envvar="DOMINION_SETUP_LANG",
    callback=_either_place,
    help="Language of the output, such as en or ja; by default that of the locale.",
)
color_option = click.option(
    "--color",
    type=click.Choice(COLORS),
    callback=_either_place,
    help="Colours; auto, the default, only on a terminal.",
)
pager_option = click.option(
    "--no-pager",
    is_flag=True,
    callback=_either_place,
    help="Never show what is higher than the screen in a pager.",
)


class FileName(click.types.StringParamType):
    """The name of a file; Click's own asks for the locale first, at every start."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        """Names of files, of which the shell knows most."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


files_option = click.option(
    "--cards",
    "files",
    type=FileName(),
    multiple=True,
    metavar="FILE",
    help="Cards, sets and house rules of your own; repeatable.",
)
format_option = click.option(
    "--format",
    type=click.Choice(list(FORMATS)),
    help=f"How to print it: {'; '.join(f'{name}, {format.help}' for name, format in FORMATS.items())}.",
)
json_option = click.option("--json", "json", is_flag=True, help="Print JSON, for other programs.")
short_json_option = click.option("--json", "json", is_flag=True, help="Short for --format json.")
about_option = click.option(
    "--about",
    is_flag=True,
    help="Tell also what kind of game it is: what its cards do, what none does, the costs.",
)
sort_option = click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="box",
    show_default=True,
    help="Order of the Kingdom.",
)


def shown(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how a setup is printed, which `output.show` takes; a decorator."""
    for option in (short_json_option, format_option, about_option, sort_option):
        command = option(command)
    return command


LOOK = ("lang", "color", "no_pager")  # what the options of `look` are called


def look(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every command has, before and after its name; a decorator."""
    for option in (pager_option, color_option, lang_option):
        command = option(command)
    return command
