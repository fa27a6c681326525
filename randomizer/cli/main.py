"""The command group of the program, and the deal that runs if no command is given."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from errno import EINVAL
from functools import partial
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

import click

from randomizer import __version__
from randomizer.cli import deal, options, output, user_defaults
from randomizer.cli.localization import LocalizedCommand, LocalizedGroup, translate_usage_error
from randomizer.memory import defaults
from randomizer.text.errors import BadUsage, Problem, describe_os_error, find_suggestions
from randomizer.text.language import (
    ENGLISH,
    Message,
    Verbatim,
    as_verbatim,
    join_with_and,
    join_with_or,
    message,
    quote,
)

PROGRAM = "dominion-setup"
# The module of each command, which is imported when the command runs. The game's data file may define one
# more command, for a second deal.
COMMANDS = {
    "cards": "randomizer.cli.lists",
    "completion": "randomizer.cli.completion",
    "config": "randomizer.cli.config",
    "history": "randomizer.cli.memory",
    "kingdoms": "randomizer.cli.lists",
    "odds": "randomizer.cli.lists",
    "played": "randomizer.cli.documents",
    "rules": "randomizer.cli.rules",
    "schema": "randomizer.cli.documents",
    "serve": "randomizer.web.command",
    "sets": "randomizer.cli.lists",
    "show": "randomizer.cli.documents",
    "swap": "randomizer.cli.documents",
    "tables": "randomizer.cli.documents",
    "veto": "randomizer.cli.documents",
}
SECOND_DEAL = ("randomizer.cli.documents", "second_deal")
DEAL_COMMANDS = {"config", "odds"}  # the commands that take all options of a deal
# The commands to which the user's defaults of deal options apply.
_COMMANDS_WITH_GAME_DEFAULTS = {*DEAL_COMMANDS, "serve"}
_INFORMATION_FLAGS = {"-h", "--help", "-V", "--version"}  # options that print information instead of dealing
EXAMPLE = "--sets base,adventures --players 3 --want village"
_DEAL_HINT = message("to deal a kingdom, run `dominion-setup` without a command.")
_HINTS_BY_COMMAND = {  # for command names that users may know from other programs
    **dict.fromkeys(("deal", "generate", "new", "random", "randomize"), _DEAL_HINT),
    "list": message("did you mean {hits}?", hits=join_with_or(as_verbatim(("sets", "cards")))),
    "help": message("did you mean {hits}?", hits=Verbatim("--help")),
    "version": message("did you mean {hits}?", hits=Verbatim("--version")),
}


class Program(LocalizedGroup):
    """The group of all commands, with the options of a deal. It prints errors in the user's language."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if sys.stdout is None:
            _exit_with_error(message("cannot print: standard output is closed."), 1)
        if any(name.endswith("_COMPLETE") for name in os.environ):
            from randomizer.cli import completion

            completion.register()
        return super().main(*args, **kwargs)

    # ── Options ──

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with report_problems():
            return self._parse_args_with_defaults(ctx, args)

    def _parse_args_with_defaults(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["lang"] = user_defaults.find_typed_value(args, "--lang")
        for arg in args:
            if arg != arg.encode(errors="ignore").decode():
                raise BadUsage(
                    "{word} is not valid text in this system's encoding.", word=Verbatim(ascii(arg))
                )
        args = deal.move_shares(args, user_defaults.find_typed_value(args, "--game") or "")
        ctx.meta["command"], ctx.meta["echo"] = self._find_command(ctx, args), output.echo
        has_game_options = self._has_game_options(ctx)
        is_deal = has_game_options and ctx.meta["command"] != "config" and _INFORMATION_FLAGS.isdisjoint(args)
        applied = user_defaults.apply_defaults(
            ctx,
            args,
            partial(self._list_parameters, ctx),
            report_unknown=has_game_options,
            report_unreadable=is_deal,
            requires_profile=ctx.meta["command"] != "config" and not ctx.resilient_parsing,
        )
        if ctx.meta["command"] != "config" and not ctx.resilient_parsing:
            user_defaults.warn_invalid_defaults(applied)
        default_game = (ctx.default_map or {}).get("game", "")
        ctx.meta["game"] = user_defaults.find_typed_value(args, "--game") or default_game
        ctx.meta["files"] = (
            *user_defaults.find_typed_values(args, "--cards"),
            *(ctx.default_map or {}).get("files", ()),
        )
        ctx.meta["defaults"] = applied
        try:
            remaining_args = super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            self._reject_option_of_default_game(ctx, problem.option_name)
            raise
        user_defaults.warn_ignored_defaults(ctx, applied)
        return remaining_args

    def _find_command(self, ctx: click.Context, args: Sequence[str]) -> str | None:
        """Return the first argument that is neither an option nor the value of an option."""
        takes_value = {
            flag
            for parameter in super().get_params(ctx)
            if isinstance(parameter, click.Option) and not parameter.is_flag
            for flag in parameter.opts
        }
        previous = ""
        for arg in args:
            if not arg.startswith("-") and previous not in takes_value:
                return arg
            previous = arg
        return None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return self._list_parameters(ctx, ctx.meta.get("game", ""))

    def _list_parameters(self, ctx: click.Context, game: str) -> list[click.Parameter]:
        parameters = super().get_params(ctx)
        if not self._has_game_options(ctx):
            return parameters
        return deal.add_game_options(parameters, game, ctx.meta.get("files", ()))

    def _reject_option_of_default_game(self, ctx: click.Context, flag: str) -> None:
        """Raise `BadUsage` if the unknown option belongs to the default game."""
        for parameter in self._list_parameters(ctx, ""):
            if flag in (*parameter.opts, *parameter.secondary_opts):
                game = Verbatim(f"--game {ctx.meta['game']}")
                raise BadUsage("{option} can't be combined with {other}.", option=Verbatim(flag), other=game)

    def _has_game_options(self, ctx: click.Context) -> bool:
        """Return whether the command uses options that a game defines. If not, no game has to be loaded."""
        command = ctx.meta.get("command")
        return command not in COMMANDS or command in _COMMANDS_WITH_GAME_DEFAULTS

    # ── Commands ──

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(filter(None, [*COMMANDS, output.load_game().second_deal_command()]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module, name = COMMANDS[cmd_name], cmd_name
        elif cmd_name == output.load_game().second_deal_command():
            module, name = SECOND_DEAL
        else:
            return None
        command: click.Command = getattr(import_module(module), name)
        return command if isinstance(command, LocalizedCommand) else _localize(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None:
            hint = _build_hint(args, self.list_commands(ctx))
            raise BadUsage("unknown command {name}; {hint}", name=quote(args[0]), hint=hint)
        # The command has the same defaults as the group.
        ctx.default_map = {**(ctx.default_map or {}), args[0]: ctx.default_map}
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with report_problems(ctx):
            return super().invoke(ctx)

    # ── Help ──

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        deal.write_options(self.get_params(ctx), ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        example = output.choose_message_language(sys.stdout).translate("Example:")
        formatter.write_usage(PROGRAM, EXAMPLE, prefix=f"{example} ")


def _localize(command: click.Command) -> click.Command:
    """Return a copy of another package's command with localized help and the common output options."""
    localized = LocalizedCommand(
        command.name,
        callback=command.callback,
        params=list(command.params),
        help=command.help,
        epilog=command.epilog,
    )
    options.output_options(localized)
    return localized


def _build_hint(args: Sequence[str], command_names: Sequence[str]) -> Message:
    """Return a hint for a command line whose first argument is not a known command."""
    if args[0] in _HINTS_BY_COMMAND:
        return _HINTS_BY_COMMAND[args[0]]
    if suggestions := find_suggestions(args[0], command_names):
        return message("did you mean {hits}?", hits=join_with_or(as_verbatim(suggestions)))
    from randomizer.browse.boxes import resolve_boxes

    sets = ",".join(takewhile(lambda arg: not arg.startswith("-"), args))
    try:
        resolve_boxes([sets], output.load_game())
    except Problem:
        return message("`dominion-setup --help` lists all commands.")
    return message("to choose boxes, use --sets {sets}", sets=Verbatim(sets))


# ── Errors ──


@contextmanager
def report_problems(ctx: click.Context | None = None) -> Iterator[None]:
    """Print the error messages of problems and of Click's usage errors, without a usage line, and exit.

    Exit silently on Ctrl-C or a closed pipe.

    Args:
        ctx: the context of the command if the user's defaults may have caused the problem; otherwise None.
    """
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)  # 128 plus the signal number, as in shells
    except OSError as problem:
        _discard_output()
        if _is_closed_pipe(problem):
            sys.exit(0)
        file = Verbatim(problem.filename) if problem.filename else "cannot print"
        _exit_with_error(message("{file}: {why}", file=file, why=describe_os_error(problem)), 1)
    except RuntimeError:
        if sys.stdin is not None:
            raise
        _exit_with_error(message("there is nothing to read: standard input is closed."), 2)
    except Problem as problem:
        language = output.choose_message_language()
        first_line, *more_lines = problem.render_lines(language)
        causes = list(_list_possible_causes(ctx)) if ctx and not isinstance(problem, BadUsage) else []
        if causes:
            more_lines.append(language.join_sentences(map(language.render, causes)))
        _exit_with_error(Verbatim(first_line), problem.status, more_lines)
    except click.UsageError as problem:
        is_english = output.choose_message_language().code == ENGLISH
        error = Verbatim(problem.format_message()) if is_english else translate_usage_error(problem)
        _exit_with_error(error, problem.exit_code)


def _exit_with_error(fault: Message | Verbatim, status: int, more_lines: Iterable[str] = ()) -> NoReturn:
    """Print an error on stderr, followed by further lines, and exit with this status."""
    output.print_message(message("Error: {fault}", fault=fault))
    for line in more_lines:
        output.print_message(line)
    sys.exit(status)


def _list_possible_causes(ctx: click.Context) -> Iterator[Message]:
    """Yield possible causes of a failed deal that the command line does not show."""
    if ctx.invoked_subcommand not in (None, "odds"):
        return
    if "fresh" in ctx.meta:
        yield ctx.meta["fresh"]
    if flags := user_defaults.list_table_affecting_flags(ctx):
        template, file = "Your defaults in {file} set {options}.", Verbatim(defaults.get_path())
        yield message(template, options=join_with_and(as_verbatim(flags)), file=file)


def _is_closed_pipe(problem: OSError) -> bool:
    """Return whether the output pipe has been closed, which Windows reports as an invalid argument."""
    return isinstance(problem, BrokenPipeError) or (
        sys.platform == "win32" and problem.errno == EINVAL and problem.filename is None
    )


def _discard_output() -> None:
    """Redirect stdout to the null device. Otherwise, flushing its buffer at exit would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


# ── The deal ──


def _print_version(ctx: click.Context, parameter: click.Parameter, is_requested: bool) -> None:
    if is_requested and not ctx.resilient_parsing:
        output.echo(f"{PROGRAM}, version {__version__}")
        ctx.exit()


@click.group(
    cls=Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@deal.deal_options
@deal.kingdom_options
@click.option("--seed", metavar="TEXT", help="Use any text; the same one deals the same table.")
@click.option(
    "--count",
    type=options.TableNumbers(1),
    metavar="N",
    help="Deal N kingdoms, with seeds TEXT-1 … TEXT-N; 21-30: only these of them.",
)
@click.option("--apart", is_flag=True, help="With --count: the tables share the boxes, so no card is on two.")
@click.option(
    "--copies",
    multiple=True,
    metavar="BOX=N",
    shell_complete=options.complete_with("sets"),
    help="With --apart: there are N of this box.",
)
@click.option(
    "--table", type=click.IntRange(1), metavar="N", help="With --count: deal only table N, on its own."
)
@options.save_option
@options.keep_option
@options.setup_output_options
@options.output_options
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(ctx: click.Context, /, **values: Any) -> None:
    """Deal a kingdom and print everything its setup needs."""
    if ctx.invoked_subcommand is not None:
        _reject_deal_options(ctx)
        return
    from randomizer.deal.unused import choose_seed

    render_options = {name: values.pop(name) for name in ("format", "json", "about", "sort")}
    keep, profile, numbers = (values.pop(name) for name in ("keep", "save", "count"))
    if numbers and numbers.start > 1 and values["seed"] is None:
        raise BadUsage("a part of a series needs --seed: otherwise every run deals another series.")
    seed = choose_seed(values.pop("seed"))
    values["count"] = numbers[-1] if numbers else 0
    only = (values["table"], values["count"]) if values["table"] else None
    original_values = dict(values)
    game, request = deal.build_request(ctx, values, seed)
    languages = output.load_document_languages(game)
    if numbers is None or only:
        from randomizer.record.build import build_setup, deal_request

        setup = build_setup(game, request, deal_request(game, request), languages)
        output.print_setup(setup, game, keep=keep, files=request.files, table=only, **render_options)
        _save_options(ctx, profile)
        if render_options["format"] in (None, "text") and not render_options["json"]:
            user_defaults.suggest_saving()
        return
    # Several setups are not saved as the last table, because the program cannot know which will be played.
    from randomizer.browse.request_builder import is_random_kingdom
    from randomizer.record.dealing import deal_independently, deal_many

    if is_random_kingdom(original_values["kingdom"]):
        tables = deal_independently(game, deal.build_requests(ctx, original_values, seed, numbers), languages)
    else:
        tables = deal_many(game, request, numbers, languages)
    with output.show_progress(tables, len(numbers)) as counted_tables:
        output.print_setups(counted_tables, game, numbers, files=request.files, **render_options)
    _save_options(ctx, profile)


def _save_options(ctx: click.Context, profile: str | None) -> None:
    """Save the typed options if `--save` is one of them, and print what has been saved.

    Args:
        ctx: the context of the program.
        profile: the value of `--save`; None if it was not typed.
    """
    if profile is not None:
        from randomizer.cli.config import save_options

        output.print_message(save_options(ctx, profile))


def _reject_deal_options(ctx: click.Context) -> None:
    """Reject deal options before the name of a command, where they would have no effect.

    Raises:
        BadUsage: a deal option precedes the name of the command.
    """
    name = ctx.invoked_subcommand or ""
    command = ctx.command.get_command(ctx, name) if isinstance(ctx.command, Program) else None
    names = {parameter.name for parameter in command.params} if command else set()
    for parameter in ctx.command.get_params(ctx):
        source = ctx.get_parameter_source(parameter.name or "")
        is_accepted = options.is_allowed_before_command(parameter) and parameter.name in names
        if source is click.core.ParameterSource.COMMANDLINE and not is_accepted:
            template = (
                "{option} can't be used before {command}; its own options are in `dominion-setup {command} "
                "--help`."
            )
            raise BadUsage(template, option=Verbatim(parameter.opts[-1]), command=Verbatim(name))
