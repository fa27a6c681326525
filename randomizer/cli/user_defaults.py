"""Applies the user's configured defaults to Click's options."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import click

from randomizer.cards.share import parse_share
from randomizer.cli import output
from randomizer.cli.options import FileName, ShareChoice
from randomizer.load import paths
from randomizer.memory import defaults
from randomizer.text import screen
from randomizer.text.errors import BadUsage
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

# These options cannot have a default: they are about a single deal, or other programs rely on them.
_NOT_CONFIGURABLE = {
    *("seed", "count", "apart", "copies", "table", "vetoed", "json"),
    *("profile", "config_file", "version", "help", "save"),
}
# If a seed is given, all other defaults are ignored, so that a command with a seed deals the same table for
# every user. The options below do not change the table, or are part of every printed command.
_USED_WITH_SEED = {"sets", "players", "keep", "sort", "format", "about", "lang", "color", "no_pager"}


class AppliedDefaults(NamedTuple):
    """The sources of the user defaults that a command uses.

    Attributes:
        sources: the source of each default, by parameter name: `defaults.FILE_SOURCE` or a profile.
        ignored: the names of parameters whose defaults are ignored because a seed is given.
        profile: the name of the chosen profile; empty for none.
        faults: a message for each fault of the file.
    """

    sources: Mapping[str, str] = {}
    ignored: Sequence[str] = ()
    profile: str = ""
    faults: Sequence[Message] = ()


def find_typed_value(args: Sequence[str], flag: str) -> str | None:
    """Return the last value of an option on an unparsed command line; None if the option is not given."""
    values = find_typed_values(args, flag)
    return values[-1] if values else None


def find_typed_values(args: Sequence[str], flag: str) -> list[str]:
    """Return all values of an option on an unparsed command line."""
    values = []
    for index, arg in enumerate(args):
        name, equals_sign, text = arg.partition("=")
        if name == flag and equals_sign:
            values.append(text)
        elif arg == flag and index + 1 < len(args):
            values.append(args[index + 1])
    return values


def map_configurable_options(parameters: Iterable[click.Parameter]) -> dict[str, click.Option]:
    """Map the keys of the configuration file to the options that may have a user default.

    The key of an option is its long form with underscores, such as `landscapes_from`.
    """
    return {
        max(parameter.opts, key=len).lstrip("-").replace("-", "_"): parameter
        for parameter in parameters
        if isinstance(parameter, click.Option) and parameter.name not in _NOT_CONFIGURABLE
    }


def apply_defaults(
    ctx: click.Context,
    args: Sequence[str],
    list_parameters: Callable[[str], list[click.Parameter]],
    *,
    report_unknown: bool,
    report_unreadable: bool,
    requires_profile: bool,
) -> AppliedDefaults:
    """Set the user's defaults in a context.

    Args:
        ctx: the context of the command.
        args: the command line.
        list_parameters: returns the parameters of the command, given the name of the game.
        report_unknown: whether unknown keys are faults. It must be False unless `list_parameters` includes
            the options of the game.
        report_unreadable: whether it is an error if the standard configuration file cannot be read. If not,
            an unreadable file counts as empty.
        requires_profile: whether it is an error if the requested profile does not exist. If not, a
            missing profile counts as empty.

    Raises:
        UnknownName: the requested profile does not exist.
        BadUsage: the file cannot be read.
    """
    defaults.use_file(find_typed_value(args, "--config-file") or "")
    configuration = defaults.read()
    if configuration.error and not ctx.resilient_parsing and (report_unreadable or defaults.is_custom_file()):
        template = "--config-file {file}: {why}" if defaults.is_custom_file() else "{file}: {why}"
        raise BadUsage(template, file=Verbatim(defaults.get_path()), why=configuration.error)
    typed_profile = find_typed_value(args, "--profile")
    requested = os.environ.get("DOMINION_SETUP_PROFILE", "") if typed_profile is None else typed_profile
    if not requires_profile and requested not in configuration.profiles:
        requested = ""
    profile = defaults.choose_profile(configuration, requested)
    if not configuration.table and not configuration.error:
        return AppliedDefaults()
    has_seed = find_typed_value(args, "--seed") is not None
    game = find_typed_value(args, "--game") or ("" if has_seed else configuration.get_string("game", profile))
    options = map_configurable_options(list_parameters(game))
    values, faults = defaults.resolve_defaults(
        configuration, profile, build_checks(options), report_unknown=report_unknown
    )
    sources, ignored = {}, []
    ctx.default_map = {}
    for key, (value, source) in values.items():
        name = options[key].name or ""
        is_requested = defaults.is_custom_file() or (
            typed_profile and source == defaults.format_profile_source(typed_profile)
        )
        if not has_seed or name in _USED_WITH_SEED or is_requested:
            ctx.default_map[name] = convert_value(options[key], value)
            sources[name] = source
        else:
            ignored.append(name)
    return AppliedDefaults(sources, ignored, profile, faults)


def warn_invalid_defaults(applied: AppliedDefaults) -> None:
    """Print a warning about the faults of the file, if there are any."""
    if applied.faults:
        output.print_message(defaults.build_warning(applied.faults))


def warn_ignored_defaults(ctx: click.Context, applied: AppliedDefaults) -> None:
    """Print a warning about defaults that are ignored because a seed is given."""
    parameters = {parameter.name: parameter for parameter in ctx.command.get_params(ctx)}
    flags = [
        parameters[name].opts[-1]
        for name in applied.ignored
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.COMMANDLINE
    ]
    if flags:
        template = "With --seed, your defaults for {options} are ignored; type them if you want them."
        output.print_message(message(template, options=join_with_and(as_verbatim(flags))))


def suggest_saving() -> None:
    """Print a hint about `--save`, but only once, on a terminal, and to users without defaults."""
    if os.path.lexists(defaults.get_path()) or not all(map(screen.is_terminal, (sys.stdout, sys.stderr))):
        return
    marker = os.path.join(paths.state_folder(), "suggested-saving")
    with suppress(OSError):  # The marker exists already, or cannot be created.
        os.makedirs(os.path.dirname(marker), exist_ok=True)
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL, 0o600))
        hint = "To deal from your own boxes every time, add --save once, as in `{example}`."
        example = Verbatim("dominion-setup --sets base,adventures --save")
        output.print_message(message(hint, example=example))


def list_table_affecting_flags(ctx: click.Context) -> list[str]:
    """Return the flags of options whose user defaults affect the dealt table.

    A typed option replaces its default, except that typed bans are added to the default bans.
    """
    replaced_names = ctx.meta["typed_names"] - (set() if ctx.meta.get("bans_lifted") else {"without"})
    return [
        to_flag(name)
        for name in ctx.meta["defaults"].sources
        if name not in {*_USED_WITH_SEED, *replaced_names}
    ]


# ── Values ──


def convert_value(option: click.Option, value: Any) -> Any:
    """Convert a default for Click: wrap a single value of a repeatable option in a list, and resolve paths.

    Relative paths start at the folder of the configuration file.
    """
    values = value if isinstance(value, list) else [value]
    if isinstance(option.type, FileName):
        folder = os.path.dirname(defaults.get_path())
        values = [os.path.join(folder, os.path.expanduser(path)) for path in values]
    return values if option.multiple else values[0]


def build_checks(options: Mapping[str, click.Option]) -> Mapping[str, defaults.Check]:
    """Map the key of each option to the check of its default."""
    return {key: partial(describe_expected, option) for key, option in options.items()}


def describe_expected(option: click.Option, value: Any) -> Value | None:
    """Return a description of the valid defaults of an option, or None if the value is one of them."""
    choices: Iterable[str] = ()
    if option.name == "lang":
        from randomizer.load.languages import find_code, list_codes

        return (
            None if isinstance(value, str) and find_code(value) else join_with_or(as_verbatim(list_codes()))
        )
    if option.name == "game":
        from randomizer.load.games import list_games, resolve_name

        choices = list_games()
        value = resolve_name(value) if isinstance(value, str) else value
    elif isinstance(option.type, click.Choice):
        choices = option.type.choices
    if choices:
        is_share = isinstance(option.type, ShareChoice) and parse_share(value)
        return None if is_share or value in choices else join_with_or(as_verbatim(choices))
    if option.is_flag:
        return None if isinstance(value, bool) else join_with_or(as_verbatim(("true", "false")))
    if isinstance(option.type, click.types.IntParamType):
        return _describe_expected_integer(option.type, value)
    if not option.multiple:
        return None if isinstance(value, str) else message("text")
    items = value if isinstance(value, list) and value else [value]
    return None if all(isinstance(item, str) for item in items) else message("text or a list of texts")


def _describe_expected_integer(type_: click.types.IntParamType, value: Any) -> Value | None:
    with suppress(click.BadParameter):
        if type(value) is int:
            type_.convert(value, None, None)
            return None
    min_value, max_value = getattr(type_, "min", None), getattr(type_, "max", None)
    if min_value is None:
        return message("a whole number")
    if max_value is None:
        return message("a whole number of at least {least}", least=min_value)
    return message("a whole number from {least} to {most}", least=min_value, most=max_value)
