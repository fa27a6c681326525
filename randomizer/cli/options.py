"""Options that several commands have, what a shell offers for them, and the user's own defaults for them."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from randomizer.cli import output, speech
from randomizer.memory import defaults
from randomizer.show.formats import FORMATS
from randomizer.text.errors import BadUsage, Problem
from randomizer.text.language import (
    Message,
    Value,
    Verbatim,
    as_verbatim,
    join_with_and,
    join_with_or,
    message,
)
from randomizer.text.slugs import to_flag

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COLORS = ("auto", "always", "never")
SORTS = ("box", "cost", "name", "dealt")


def _either_place(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """An option that may be typed before or after the command's name.

    Raises:
        BadUsage: it is typed in both places, and says something else in each.
    """
    seen = ctx.ensure_object(dict)
    typed = ctx.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
    before, was_typed = seen.get(parameter.name, (value, False))
    if typed and was_typed and before != value and not ctx.resilient_parsing:
        raise speech.repeated(parameter, 2)
    if typed or parameter.name not in seen:
        seen[parameter.name] = value, typed
    return seen[parameter.name][0]


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
    help="A game other than Dominion.",
)
lang_option = click.option(
    "--lang",
    metavar="CODE",
    shell_complete=completing("languages"),
    envvar="DOMINION_SETUP_LANG",
    callback=_either_place,
    help="Language, such as ja; by default the locale's.",
)
color_option = click.option(
    "--color",
    type=click.Choice(COLORS),
    metavar="WHEN",
    callback=_either_place,
    help=f"Colours: {join_with_or(COLORS)}.",
)
pager_option = click.option(
    "--no-pager",
    is_flag=True,
    callback=_either_place,
    help="Show nothing in a pager, however long it is.",
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


class FileOrLast(click.File):
    """A file; or `LAST`, which stays what it is, where the last table is meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The open file."""
        return value if value == LAST else super().convert(value, param, ctx)


LAST = ""

files_option = click.option(
    "--cards",
    "files",
    type=FileName(),
    multiple=True,
    metavar="FILE",
    help="Cards, sets and house rules of your own.",
)
format_option = click.option(
    "--format",
    type=click.Choice(list(FORMATS)),
    metavar="FORM",
    cls=speech.SaidOption,
    says=message("{formats}.", formats=join_with_or(each.told(name) for name, each in FORMATS.items())),
)
json_option = click.option("--json", "json", is_flag=True, help="Print JSON, for other programs.")
short_json_option = click.option("--json", "json", is_flag=True, help="Short for --format json.")
about_option = click.option(
    "--about",
    is_flag=True,
    help="Also tell what kind of game it is.",
)
sort_option = click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="box",
    metavar="ORDER",
    help=f"By {join_with_or(SORTS)}.  [default: box]",
)


line_option = click.option(
    "--line",
    type=click.IntRange(1),
    metavar="N",
    help="Take the N-th line of a file that has a document in each.",
)
keep_option = click.option(
    "--keep/--no-keep",
    default=True,
    help="Make it the last table, or not.  [default: keep]",
)
profile_option = click.option(
    "--profile",
    metavar="NAME",
    envvar="DOMINION_SETUP_PROFILE",
    expose_value=False,
    shell_complete=completing("profiles"),
    callback=_either_place,
    help="Which of your own defaults hold; see config.",
)
config_option = click.option(
    "--config-file",
    type=FileName(),
    metavar="FILE",
    expose_value=False,
    callback=_either_place,
    help="Your own defaults, from this file instead.",
)


def shown(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how a setup is printed, which `output.show` takes; a decorator."""

    @wraps(command)
    def checked(*args: Any, **given: Any) -> Any:
        output.refuse_clashes(click.get_current_context())
        return command(*args, **given)

    return _with_shown(checked)


def _with_shown(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (short_json_option, format_option, about_option, sort_option):
        command = option(command)
    return command


LOOK = ("lang", "color", "no_pager")  # what the options of `look` are called


def look(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every command has, before and after its name; a decorator."""
    for option in (pager_option, color_option, lang_option):
        command = option(command)
    return command


# ── The user's own defaults ──

_NEVER = {"seed", "count", "apart", "json"}  # they are about one deal, or surprise other programs
# They shape no table, or every printed command repeats them. The others do not hold where a seed is typed, so
# that a command deals the same table everywhere.
_ALWAYS = {"sets", "players", "keep", "sort", "format", "about", *LOOK}


class Taken(NamedTuple):
    """Where a command's defaults come from, by the names of its parameters.

    Attributes:
        sources: `defaults.FILE`, or a profile, for each that holds.
        left_out: those that do not hold because a seed is typed.
        profile: the one that holds, or nothing.
    """

    sources: Mapping[str, str] = {}
    left_out: Sequence[str] = ()
    profile: str = ""


def typed(args: Sequence[str], flag: str) -> str | None:
    """What a command line says of an option that has to be known before the others."""
    said = [args[place] for place in range(1, len(args)) if args[place - 1] == flag]
    said += [word.partition("=")[2] for word in args if word.startswith(f"{flag}=")]
    return said[-1] if said else None


def with_defaults(parameters: Iterable[click.Parameter]) -> dict[str, click.Option]:
    """The options that may have a default of the user's own, by what they are called in the configuration.

    That is as on the command line, in the long form.
    """
    return {
        max(parameter.opts, key=len).lstrip("-").replace("-", "_"): parameter
        for parameter in parameters
        if isinstance(parameter, click.Option) and parameter.expose_value and parameter.name not in _NEVER
    }


def take_defaults(
    ctx: click.Context,
    args: Sequence[str],
    parameters: Callable[[str], list[click.Parameter]],
    *,
    every: bool,
) -> Taken:
    """Have a context use the user's own defaults, and tell what is wrong with them.

    Args:
        ctx: of the command.
        args: the command line.
        parameters: those of a deal of the game of that name.
        every: whether these are all that may have a default; else a key that is none of them may be right.

    Raises:
        UnknownName: there is no profile that is called as asked for.
        BadUsage: the file that was typed cannot be read.
    """
    defaults.use_file(typed(args, "--config-file") or "")
    found = defaults.read()
    if found.error and defaults.is_custom_file() and not ctx.resilient_parsing:
        raise BadUsage(
            "--config-file {file}: {why}", file=Verbatim(defaults.path()), why=Message(found.error)
        )
    here = typed(args, "--profile")
    asked = os.environ.get("DOMINION_SETUP_PROFILE", "") if here is None else here
    if ctx.resilient_parsing and asked not in found.profiles:
        asked = ""  # a shell asks, and nobody reads messages
    profile = defaults.choose_profile(found, asked)
    if not found.table and not found.error:
        return Taken()
    replayed = typed(args, "--seed") is not None
    game = typed(args, "--game") or ("" if replayed else found.get_text("game", profile))
    options = with_defaults(parameters(game))
    held = defaults.resolve_defaults(
        found, profile, {key: _check(option) for key, option in options.items()}, report_unknown=every
    )
    sources, left_out = {}, []
    ctx.default_map = {}
    for key, (value, source) in held.values.items():
        name = options[key].name or ""
        is_typed = defaults.is_custom_file() or (here and source == defaults.format_profile_source(here))
        if not replayed or name in _ALWAYS or is_typed:
            ctx.default_map[name] = _value(options[key], value)
            sources[name] = source
        else:
            left_out.append(name)
    if held.faults and not ctx.resilient_parsing:
        output.tell(defaults.build_warning(held.faults))
    return Taken(sources, left_out, profile)


def tell_what_is_left_out(ctx: click.Context, taken: Taken) -> None:
    """Say which defaults do not hold because a seed is typed, and are not typed either."""
    parameters = {parameter.name: parameter for parameter in ctx.command.get_params(ctx)}
    flags = [
        parameters[name].opts[-1]
        for name in taken.left_out
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.COMMANDLINE
    ]
    if flags:
        said = "With --seed only what is typed holds; your defaults for {options} are left out."
        output.tell(message(said, options=join_with_and(as_verbatim(flags))))


def shaping(taken: Taken) -> list[str]:
    """The options that shape a table and hold as the user's own defaults say, as they are typed."""
    return [to_flag(name) for name in taken.sources if name not in _ALWAYS]


def _check(option: click.Option) -> defaults.Check:
    """What a value in the configuration should be and is not, or nothing if it is all right."""
    if option.name in _CHECKS:
        return _CHECKS[option.name]
    if option.is_flag:
        return lambda value: None if isinstance(value, bool) else Verbatim("true or false")
    if isinstance(option.type, click.Choice):
        return _one_of(list(option.type.choices))
    if isinstance(option.type, click.types.IntParamType):
        least, most = (getattr(option.type, end, None) for end in ("min", "max"))
        return lambda value: _not_whole(value, least, most)
    return _not_texts if option.multiple else _not_text


def _value(option: click.Option, value: Any) -> Any:
    """The value as the option takes it: a list for one that repeats; a file beside the configuration."""
    values = value if isinstance(value, list) else [value]
    if isinstance(option.type, FileName):
        folder = os.path.dirname(defaults.path())
        values = [os.path.join(folder, os.path.expanduser(each)) for each in values]
    return values if option.multiple else values[0]


def _not_text(value: object) -> Value | None:
    return None if isinstance(value, str) else message("a text")


def _not_texts(value: object) -> Value | None:
    texts = value if isinstance(value, list) and value else [value]
    return None if all(isinstance(text, str) for text in texts) else message("a text or a list of texts")


def _not_whole(value: object, least: int | None, most: int | None) -> Value | None:
    fits = type(value) is int and (least is None or least <= value) and (most is None or value <= most)
    if fits:
        return None
    if least is None:
        return message("a whole number")
    if most is None:
        return message("a whole number from {least}", least=least)
    return message("a whole number from {least} to {most}", least=least, most=most)


def _one_of(choices: Sequence[str]) -> defaults.Check:
    return lambda value: None if value in choices else join_with_or(as_verbatim(choices))


def _language(value: object) -> Value | None:
    from randomizer.load.languages import find_code, list_codes

    return None if isinstance(value, str) and find_code(value) else join_with_or(as_verbatim(list_codes()))


def _game(value: object) -> Value | None:
    from randomizer.load.games import list_games

    return _one_of(list_games())(value)


_CHECKS = {"lang": _language, "game": _game}
