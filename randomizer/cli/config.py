"""The command `config`, which shows and changes the user's defaults, and the option `--save`."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from randomizer.cli import deal, options, output, user_defaults
from randomizer.cli.localization import LocalizedContext, LocalizedGroup
from randomizer.memory import defaults
from randomizer.text import screen
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadUsage, Problem, UnknownName, find_suggestions
from randomizer.text.language import JoinedList, Message, Value, Verbatim, as_verbatim, join_with_and, message
from randomizer.text.screen import UNLIMITED_COLUMNS
from randomizer.text.slugs import split_at_commas, to_flag

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from randomizer.memory.defaults_writer import CurrentValues

ENVIRONMENT_VARIABLES = {
    "DOMINION_SETUP_LANG": "Output language, such as ja; without it, LC_ALL, LC_MESSAGES or LANG decides.",
    "DOMINION_SETUP_PROFILE": "Profile of your defaults to use without --profile.",
    "NO_COLOR, FORCE_COLOR": "Never or always use colours; TERM=dumb also means never.",
    "COLUMNS": "Width of the output in characters.",
    "PAGER": "Program that shows long output on a terminal; default: less; cat means none.",
    "VISUAL, EDITOR": "Program with which `config edit` opens the configuration file.",
}
_EXAMPLE = '# sets = ["base", "adventures"]\n# players = 4\n'  # the initial content of a new file
_WISH_PREFIX = f"{defaults.WISHES}."
_UNSAVED_KEYS = {
    "format",
    "kingdom",
    "swap",
}  # `--save` skips these keys, because they are for a single table.
_SWITCH_VALUES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# The parameters of the program that are not part of the request for a deal.
_PARAMETERS_OUTSIDE_REQUEST = {
    *("about", "apart", "copies", "count", "format", "json", "keep", "save", "seed", "sort", "table"),
}


class ConfigGroup(deal.DealCommand, LocalizedGroup):
    """The group of commands for the user's defaults. Its help also lists the environment variables."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options and the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples, the environment variables, and the path of the configuration file."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Environment"):
            formatter.write_dl(list(ENVIRONMENT_VARIABLES.items()))
        with formatter.section("Configuration file"):
            formatter.write(f"  {defaults.get_path()}\n")


# ── Showing defaults ──


@click.group(
    cls=ConfigGroup,
    invoke_without_command=True,
    epilog="""\b
Examples:
  dominion-setup config
  dominion-setup config --players 4 --json
  dominion-setup config set players 4
  dominion-setup config add without rebuild --profile family
  dominion-setup config set wishes.quick trashing,cost:-4=5-
""",
)
@deal.deal_options
@options.json_option
@options.output_options
@click.pass_context
def config(ctx: click.Context, /, json: bool, **_: Any) -> None:
    """Show your defaults and where each comes from, or change them.

    Add options for dealing to see the resulting values.
    """
    if ctx.invoked_subcommand is not None:
        return
    from randomizer.memory import played_games, recent_tables
    from randomizer.memory.show import render_config

    user_defaults.warn_invalid_defaults(ctx.meta["defaults"])
    configuration = defaults.read()
    facts: dict[str, Any] = {
        "schema": 1,
        "file": defaults.get_path(),
        "last": recent_tables.get_path(),
        "played": played_games.get_path(),
        "profiles": list(configuration.profiles),
        "profile": defaults.choose_profile(configuration, ctx.obj.get("profile") or "") or None,
        "options": list(_list_values(ctx)),
        "wishes": configuration.wishes,
    }
    if json:
        output.print_json(facts)
        return
    style = output.get_style(UNLIMITED_COLUMNS)
    output.echo(render_config(facts, output.choose_output_language(), style))


def _list_values(ctx: click.Context) -> Iterator[dict[str, Any]]:
    """Yield the name, value and source of each option that may have a user default.

    An option may belong to this command, to the program, or to both. A value on the command line takes
    precedence.
    """
    parent = ctx.parent or ctx
    own, inherited = (
        user_defaults.map_configurable_options(each.command.get_params(each)) for each in (ctx, parent)
    )
    for key, option in {**inherited, **own}.items():
        name = option.name or ""
        is_typed_here, is_typed_before = (
            each.get_parameter_source(name) is ParameterSource.COMMANDLINE for each in (ctx, parent)
        )
        context = ctx if is_typed_here or (key in own and not is_typed_before) else parent
        value = ctx.obj.get(name, context.params.get(name))
        yield {
            "name": key,
            "value": list(value) if isinstance(value, tuple) else value,
            "from": _describe_source(context, name),
        }


def _describe_source(ctx: click.Context, name: str) -> str:
    """Return the source of a parameter's value, such as `command line` or the label of a profile."""
    source = ctx.get_parameter_source(name)
    if source is ParameterSource.DEFAULT_MAP:
        sources: Mapping[str, str] = ctx.meta["defaults"].sources
        return sources[name]
    return {
        ParameterSource.COMMANDLINE: "command line",
        ParameterSource.ENVIRONMENT: "environment",
    }.get(source or ParameterSource.DEFAULT, "default")


@config.command("path")
@options.config_option
@options.output_options
def print_path() -> None:
    """Print the path of the configuration file."""
    output.echo(escape_control_characters(defaults.get_path()))


# ── Changing defaults ──


def _complete_option(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> "list[CompletionItem[str]]":
    """Complete the name of an option that may have a default."""
    from randomizer.cli.completion import build_items

    names = [key.replace("_", "-") for key in _map_options(ctx.find_root(), "")]
    names += [_WISH_PREFIX + name for name in ("", *defaults.read().wishes)]
    return build_items(name for name in names if name.startswith(incomplete))


def _complete_value(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> "list[CompletionItem[str]]":
    """Complete a value of the option whose name precedes it on the command line."""
    option = _map_options(ctx.find_root(), "").get(_get_key(ctx.params.get("option") or ""))
    return option.shell_complete(ctx, incomplete) if option else []


_option_argument = click.argument("option", shell_complete=_complete_option)
_values_argument = click.argument(
    "values", metavar="VALUE...", nargs=-1, required=True, shell_complete=_complete_value
)


def _add_change_options(command: options.Command) -> options.Command:
    """Add the options that are common to the commands that change defaults."""
    shared = options.output_options(command)
    return options.add_options(shared, [options.profile_option, options.config_option])


@config.command("set")
@_option_argument
@_values_argument
@_add_change_options
@click.pass_context
def set_default(ctx: click.Context, /, option: str, values: Sequence[str]) -> None:
    """Set a default, or with --profile the value in a profile.

    `wishes.NAME` gives wishes a name, under which --want takes them.
    """

    def choose(current: "CurrentValues") -> Mapping[str, Any]:
        key = _get_key(option)
        if _is_wish(option):
            return _build_wish_change(key, split_at_commas(values))
        if key == defaults.PROFILE and len(values) == 1 and not _get_typed_profile(ctx):
            return {key: defaults.choose_profile(defaults.read(), values[0])}
        changed = {key: _parse_value(_find_option(ctx, current, key), values)}
        _check_change(ctx, current, changed)
        return changed

    _change_file(ctx, [option], choose)


@config.command("add")
@_option_argument
@_values_argument
@_add_change_options
@click.pass_context
def add_to_default(ctx: click.Context, /, option: str, values: Sequence[str]) -> None:
    """Add to a default that is a list, such as sets or without."""

    def choose(current: "CurrentValues") -> Mapping[str, Any]:
        key = _get_key(option)
        if _is_wish(option):
            return _build_wish_change(key, _merge(current.get(key), split_at_commas(values)))
        new_items = _parse_value(_find_option(ctx, current, key, is_list=True), values)
        changed = {key: _merge(current.get(key), new_items)}
        _check_change(ctx, current, changed)
        return changed

    _change_file(ctx, [option], choose)


@config.command("remove")
@_option_argument
@_values_argument
@_add_change_options
@click.pass_context
def remove_from_default(ctx: click.Context, /, option: str, values: Sequence[str]) -> None:
    """Remove from a default that is a list."""

    def choose(current: "CurrentValues") -> Mapping[str, Any]:
        key = _get_key(option)
        if not _is_wish(option):
            _find_option(ctx, current, key, is_list=True)
        items = _split(_get_own_value(current, key))
        for word in split_at_commas(values):
            remaining = [each for each in items if _fold(each) != _fold(word)]
            if remaining == items:
                alternatives = message("choose from {names}", names=JoinedList(as_verbatim(items)))
                suggestions = as_verbatim(find_suggestions(word, items))
                raise UnknownName("value", word, suggestions, alternatives if items else None)
            items = remaining
        return {key: items or None}

    _change_file(ctx, [option], choose, is_removal=True)


@config.command("unset")
@click.argument("names", metavar="OPTION...", nargs=-1, required=True, shell_complete=_complete_option)
@_add_change_options
@click.pass_context
def unset_defaults(ctx: click.Context, /, names: Sequence[str]) -> None:
    """Remove defaults. A profile without values is removed."""

    def choose(current: "CurrentValues") -> Mapping[str, Any]:
        keys = list(map(_get_key, names))
        for key in keys:
            if key not in current.maps[0] or isinstance(current[key], dict):
                if not _is_wish(names[0]):
                    _find_option(ctx, current, key)
                _get_own_value(current, key)
        return dict.fromkeys(keys)

    _change_file(ctx, names, choose, is_removal=True)


def save_options(ctx: click.Context, profile: str) -> Message:
    """Save the options that were typed for a deal as defaults. Typed bans are added to the saved bans.

    Args:
        ctx: the context of the program.
        profile: the name of the profile in which to save them; empty to save them outside profiles.

    Returns:
        A message about what was saved, and where.

    Raises:
        BadUsage: there are no options to save, or the file cannot be changed.
        OSError: the file cannot be written.
    """
    if typed_profile := _get_typed_profile(ctx):
        template = "--save can't be combined with {option}; to change that profile, use {other}."
        typed_flag, save_flag = Verbatim(f"--profile {typed_profile}"), Verbatim(f"--save={typed_profile}")
        raise BadUsage(template, option=typed_flag, other=save_flag)
    typed = dict(_list_typed_values(ctx))
    if not typed:
        raise BadUsage(
            "--save saves the options that you type with it, as in {example}.",
            example=Verbatim("--sets base,adventures --save"),
        )

    def choose(current: "CurrentValues") -> Mapping[str, Any]:
        changed = dict(typed)
        if "without" in typed and not ctx.meta["bans_lifted"]:
            changed["without"] = _merge(current.get("without"), typed["without"])
        _check_change(ctx, current, changed)
        return changed

    from randomizer.memory.defaults_writer import update

    changed = update(_get_path(profile), choose)
    _warn_overridden_values(ctx, profile, changed)
    return _describe_change(profile, changed)


def _list_typed_values(ctx: click.Context) -> Iterator[tuple[str, Any]]:
    """Yield the key and the value of each typed option that `--save` saves."""
    for key, option in user_defaults.map_configurable_options(ctx.command.get_params(ctx)).items():
        name = option.name or ""
        if key in _UNSAVED_KEYS or ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = ctx.obj.get(name, ctx.params.get(name))
        if name == "without" and isinstance(ctx, LocalizedContext):
            value = ctx.typed_values[name]  # The parameter contains the default bans as well.
        yield key, _parse_value(option, value) if option.multiple else value


def _change_file(
    ctx: click.Context,
    names: Sequence[str],
    choose: "Callable[[CurrentValues], Mapping[str, Any]]",
    *,
    is_removal: bool = False,
) -> None:
    """Change the file as `defaults_writer.update` does, and print what has changed.

    Args:
        ctx: the context of the command.
        names: the names of the values to change, as the user has typed them.
        choose: passed on to `defaults_writer.update`.
        is_removal: whether values are removed. In this case, the profile has to exist.

    Raises:
        UnknownName: values are to be removed from a profile that does not exist.
        BadUsage: named wishes are to be changed together with other values, or in a profile.
    """
    from randomizer.memory.defaults_writer import update

    profile = _get_typed_profile(ctx)
    if is_removal:
        defaults.choose_profile(defaults.read(), profile)
    path: Sequence[str] = _get_path(profile)
    if any(map(_is_wish, names)):
        if profile or not all(map(_is_wish, names)):
            raise BadUsage("named wishes belong to no profile; change them by a command of their own.")
        if not all(map(_get_key, names)):
            raise BadUsage("name the wish, as in `dominion-setup config set wishes.quick trashing`.")
        path = [defaults.WISHES]
    changed = update(path, choose)
    if path == [defaults.WISHES]:
        changed = {_WISH_PREFIX + key: value for key, value in changed.items()}
    else:
        _warn_overridden_values(ctx, profile, changed)
    text = output.choose_output_language().render(_describe_change(profile, changed))
    output.echo(escape_control_characters(text))


def _warn_overridden_values(ctx: click.Context, profile: str, changed: Iterable[str]) -> None:
    """Print a hint if changed values have no effect because a different, selected profile overrides them.

    Args:
        ctx: the context of the command.
        profile: the name of the changed profile; empty if values outside profiles were changed.
        changed: the changed keys.
    """
    selected: str = ctx.meta["defaults"].profile
    overriding = defaults.normalize_keys(defaults.read().profiles.get(selected, {}))
    if keys := [key for key in changed if key in overriding and selected != profile]:
        template = "The selected profile {profile} still overrides {keys}."
        keys_text = join_with_and(as_verbatim(keys))
        output.print_message(message(template, profile=Verbatim(selected), keys=keys_text))


def _describe_change(profile: str, changed: Mapping[str, Any]) -> Message:
    """Return a message about the values that have been saved or, if there are none, removed."""
    from randomizer.memory.defaults_writer import format_value

    saved = [format_value(key, value) for key, value in changed.items() if value is not None]
    location: Value = Verbatim(defaults.get_path())
    if profile:
        location = message("{file}, profile {profile}", file=location, profile=Verbatim(profile))
    template = "Saved in {place}: {values}" if saved else "Removed from {place}: {values}"
    return message(template, place=location, values=JoinedList(as_verbatim(saved or changed)))


# ── CurrentValues ──


def _get_path(profile: str) -> Sequence[str]:
    """Return the keys that lead to a profile in the file; none for values outside profiles."""
    return [defaults.PROFILES, profile] if profile else []


def _is_wish(option: str) -> bool:
    """Return whether the typed name of an option is that of a named wish, such as `wishes.quick`."""
    return option.partition(".")[0] == defaults.WISHES


def _get_key(option: str) -> str:
    """Return the key for the name of an option or a named wish, which is typed without leading dashes."""
    key = option.partition(".")[2] if _is_wish(option) else option
    return key.replace("-", "_")


def _get_typed_profile(ctx: click.Context) -> str:
    """Return the value of `--profile`; empty if the user has not typed it."""
    return ctx.obj["profile"] if "profile" in ctx.meta.get("typed", ()) else ""


def _map_options(root: click.Context, game: object) -> Mapping[str, click.Option]:
    """Map keys to the options of the program that may have a default.

    Args:
        root: the context of the program.
        game: the name of the game; empty for the default game.
    """
    ctx = LocalizedContext(root.command, info_name=root.info_name)
    ctx.meta["game"] = str(game)
    return user_defaults.map_configurable_options(root.command.get_params(ctx))


def _find_option(
    ctx: click.Context, current: "CurrentValues", key: str, *, is_list: bool = False
) -> click.Option:
    """Return the option with a key.

    Args:
        ctx: the context of the command.
        current: the current defaults.
        key: the key.
        is_list: whether to accept only repeatable options.

    Raises:
        BadUsage: no option has this key, or `is_list` is true and the option is not repeatable.
    """
    options_by_key = _map_options(ctx.find_root(), current.get("game", ""))
    if key not in options_by_key:
        raise BadUsage("{fault}.", fault=defaults.describe_unknown_key(key, options_by_key))
    if is_list and not options_by_key[key].multiple:
        lists = as_verbatim(other for other, option in options_by_key.items() if option.multiple)
        raise BadUsage(
            "{key} is not a list; lists are {names}.", key=Verbatim(key), names=join_with_and(lists)
        )
    return options_by_key[key]


def _get_own_value(current: "CurrentValues", key: str) -> Any:
    """Return the value of a key in the table that is to be changed.

    Raises:
        BadUsage: the table does not have the key.
    """
    if key not in current.maps[0]:
        raise BadUsage("{key} is not set in {file}.", key=Verbatim(key), file=Verbatim(defaults.get_path()))
    return current[key]


def _parse_value(option: click.Option, arguments: Sequence[str]) -> Any:
    """Convert typed arguments to the value of an option in the file. Invalid arguments are left unchanged.

    Raises:
        BadUsage: several arguments were typed for an option with a single value, or none for a list.
    """
    if option.multiple:
        if isinstance(option.type, options.FileName):
            return list(map(os.path.abspath, arguments))
        if not (items := split_at_commas(arguments)):
            raise BadUsage("{option} can't be empty.", option=Verbatim(option.opts[-1]))
        return items
    if len(arguments) > 1:
        template = "{option} was given {count} times, but takes only one value."
        raise BadUsage(template, option=Verbatim(option.opts[-1]), count=len(arguments))
    (argument,) = arguments
    if option.is_flag:
        return _SWITCH_VALUES.get(argument.casefold(), argument)
    with suppress(ValueError):
        return int(argument) if isinstance(option.type, click.types.IntParamType) else argument
    return argument


def _merge(existing: Any, new_items: Iterable[str]) -> list[str]:
    """Return the items of an existing value, followed by the new items that it does not contain."""
    merged = _split(existing)
    for item in new_items:
        if _fold(item) not in map(_fold, merged):
            merged.append(item)
    return merged


def _split(value: Any) -> list[str]:
    """Return the items of the value of a repeatable option, which is a string or a list of strings."""
    items = value if isinstance(value, list) else [value]
    return split_at_commas(item for item in items if isinstance(item, str))


def _fold(name: str) -> str:
    """Normalize case and spaces, so that different spellings of a name are equal."""
    return "-".join(name.casefold().split())


def _check_change(ctx: click.Context, current: Mapping[str, Any], changed: Mapping[str, Any]) -> None:
    """Check changed defaults as if they were typed for a deal. Faults of other defaults are ignored.

    Args:
        ctx: the context of the command.
        current: the defaults that apply before the change.
        changed: the changed defaults.

    Raises:
        Problem: a changed default is invalid, or conflicts with another one.
    """
    root, game = ctx.find_root(), {**current, **changed}.get("game", "")
    options_by_key = _map_options(root, game)
    checks = user_defaults.build_checks(options_by_key)
    for key, value in changed.items():
        if expected := checks[key](value):
            raise BadUsage("{fault}.", fault=defaults.describe_wrong_value(key, value, expected))
    others = {
        key: value
        for key, value in current.items()
        if key in options_by_key
        and key not in _UNSAVED_KEYS
        and not user_defaults.describe_expected(options_by_key[key], value)
    }
    try:
        _check_deal(root, options_by_key, others)
    except Problem:
        others = {key: others[key] for key in ("cards", "game") if key in others}
    _check_deal(root, options_by_key, {**others, **changed})


def _build_wish_change(name: str, wishes: list[str]) -> Mapping[str, Any]:
    """Return a mapping from the name of a wish to its new value, which has been checked.

    Raises:
        BadUsage: the value is empty or not a list of wishes, or the name has another meaning.
    """
    from randomizer.cards.selector import SelectorParser
    from randomizer.cards.wish import parse_named_wishes

    if not wishes:
        raise BadUsage("{option} can't be empty.", option=Verbatim(_WISH_PREFIX + name))
    game = output.load_game()
    parser = SelectorParser(game, output.load_languages(game), output.load_card_names(game).values())
    for fault in parse_named_wishes(parser, {name: wishes})[1]:
        raise BadUsage(fault)
    return {name: wishes}


def _check_deal(
    root: click.Context, options_by_key: Mapping[str, click.Option], values: Mapping[str, Any]
) -> None:
    """Check the options of a deal as if they were typed.

    Args:
        root: the context of the program.
        options_by_key: the options of the program by key.
        values: valid values of these options by key.

    Raises:
        Problem: the options conflict, or contain unknown names.
    """
    args: list[str] = []
    game_name = str(values.get("game", ""))
    is_other_game = output.load_game(game_name).name != output.load_game().name
    for key, value in values.items():
        option = options_by_key[key]
        if key == "sets" and is_other_game:
            continue  # A deal of another game ignores the default sets.
        if isinstance(value, bool):
            args += option.opts[-1:] if value else option.secondary_opts[:1]
        else:
            converted = user_defaults.convert_value(option, value)
            option_values = converted if option.multiple else [converted]
            args += [f"{to_flag(key)}={text}" for text in option_values]
    ctx = LocalizedContext(root.command, info_name=root.info_name, obj={})
    ctx.meta["game"] = game_name
    # `Program.parse_args` would apply the user's defaults, so the method of its base class is called.
    LocalizedGroup.parse_args(cast(LocalizedGroup, root.command), ctx, args)
    parameters = {
        name: value for name, value in ctx.params.items() if name not in _PARAMETERS_OUTSIDE_REQUEST
    }
    game, request = deal.build_request(ctx, parameters, "")
    game.check_players(request.players)


# ── Editing the file ──


@config.command("edit")
@options.config_option
@options.output_options
@click.pass_context
def edit_file(ctx: click.Context) -> None:
    """Edit the configuration file.

    It is replaced only if the result is valid.
    """
    from tempfile import mkstemp

    from randomizer.load.files import read_bounded, write_atomically
    from randomizer.memory import defaults_writer

    translate = output.choose_output_language().translate
    original = defaults_writer.read()
    initial = original or f"# {translate('Example:')}\n{_EXAMPLE}".encode()
    folder = os.path.dirname(os.path.abspath(defaults.get_path()))
    os.makedirs(folder, exist_ok=True)
    descriptor, draft = mkstemp(prefix="edited-", suffix=".toml", dir=folder)
    os.close(descriptor)
    try:
        write_atomically(draft, initial)
        while not _edit_draft(ctx, draft, original):
            pass
        text = translate("Saved in {place}.", place=Verbatim(defaults.get_path()))
        output.echo(escape_control_characters(text))
    finally:
        if read_bounded(draft) in (b"", initial, defaults_writer.read()):
            os.unlink(draft)
        else:
            output.print_message(message("Your text is kept in {file}.", file=Verbatim(draft)))


def _edit_draft(ctx: click.Context, draft: str, original: bytes) -> bool:
    """Open a draft of the configuration file in the user's editor, and save it if it is valid.

    Args:
        ctx: the context of the command.
        draft: the path of the draft.
        original: the content of the configuration file.

    Returns:
        True if the draft was saved; False if the user wants to edit it again.

    Raises:
        Problem: the draft has a fault, and the user does not want to edit it again.
        OSError: the configuration file cannot be written.
        BadUsage: the editor failed.
    """
    from randomizer.load.files import read_bounded
    from randomizer.memory.defaults_writer import replace

    try:
        click.edit(filename=draft)
    except click.ClickException as problem:
        template = "{why}; choose another editor in the environment variable EDITOR."
        raise BadUsage(template, why=Verbatim(problem.format_message())) from None
    try:
        _check_draft(ctx, draft)
    except Problem as problem:
        if screen.is_terminal(sys.stdin) and _confirm_editing(problem):
            return False
        raise
    replace(original, read_bounded(draft))
    return True


def _confirm_editing(problem: Problem) -> bool:
    """Print the problem with a draft, and return whether the user wants to edit it again."""
    language = output.choose_message_language()
    for line in problem.render_lines(language):
        output.print_message(line)
    return click.confirm(language.translate("Edit it again?"), default=True, err=True)


def _check_draft(ctx: click.Context, draft: str) -> None:
    """Check all defaults in a draft of the configuration file, including those in profiles.

    Raises:
        Problem: the draft cannot be read, or has a fault.
    """
    custom_file = defaults.get_path() if defaults.is_custom_file() else ""
    defaults.use_file(draft)  # The defaults may use wishes that the draft defines.
    try:
        configuration, root = defaults.read(), ctx.find_root()
        for profile in ("", *configuration.profiles):
            options_by_key = _map_options(root, configuration.get_string("game", profile))
            checks = user_defaults.build_checks(options_by_key)
            values, faults = defaults.resolve_defaults(configuration, profile, checks, report_unknown=True)
            if faults:
                listed = JoinedList(tuple(faults), separator="; ")
                raise BadUsage("{file}: {faults}.", file=Verbatim(draft), faults=listed)
            _check_deal(root, options_by_key, {key: value for key, (value, _) in values.items()})
    finally:
        defaults.use_file(custom_file)
