"""The group, and the deal, which is what it does when no command is named.

The name of the command for a game's second deal comes from the game's data.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from errno import EINVAL
from functools import partial
from importlib import import_module
from itertools import takewhile
from typing import IO, Any

import click

from randomizer import __version__
from randomizer.cli import deal, options, output, speech
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
COMMANDS = {
    "cards": "randomizer.cli.lists",
    "config": "randomizer.cli.memory",
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
}
DEALING = {"config", "odds"}  # of these, those with all options of the deal
ASKING = {*DEALING, "serve"}  # and those that want to know what the user's own defaults say of these
SECOND_DEAL = ("randomizer.cli.documents", "second_deal")
_DEAL = message("`dominion-setup` deals without a command.")
INSTEAD = {  # what people type who know other programs
    **dict.fromkeys(("deal", "generate", "new", "random", "randomize"), _DEAL),
    "list": message("did you mean {hits}?", hits=join_with_or(as_verbatim(("sets", "cards")))),
    "help": message("did you mean {hits}?", hits=Verbatim("--help")),
    "version": message("did you mean {hits}?", hits=Verbatim("--version")),
}
EXAMPLE = "--sets base,adventures --players 3 --want village"


class Main(speech.CommandGroup):
    """The group: its options depend on the game, and problems become Click's errors."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if sys.stdout is None:
            output.tell(_error(message("cannot print: standard output is closed.")))
            sys.exit(1)
        if any(name.endswith("_COMPLETE") for name in os.environ):
            from randomizer.cli import completion

            completion.register()
        try:
            return super().main(*args, **kwargs)
        except OSError as problem:  # a full disk, say
            _print_no_more()
            where = Verbatim(problem.filename) if problem.filename else "cannot print"
            fault = message("{file}: {why}", file=where, why=describe_os_error(problem))
            lang = options.typed(args[0] if args and args[0] else sys.argv[1:], "--lang")
            output.tell(output.reader(lang=lang).render(_error(fault)))
            sys.exit(1)

    # ── Options that the game's data leaves open ──

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _briefly():
            return self._parsed(ctx, args)

    def _parsed(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["lang"] = options.typed(args, "--lang")
        for word in args:
            if not word.isascii() and word != word.encode(errors="ignore").decode():
                raise BadUsage(
                    "{word} is not text in the encoding of this system.", word=Verbatim(ascii(word))
                )
        ctx.meta["command"], ctx.meta["echo"] = args[0] if args else None, output.echo
        taken = options.take_defaults(ctx, args, partial(self._parameters, ctx), every=self._deals(ctx))
        usual = (ctx.default_map or {}).get("game", "")
        ctx.meta["game"], ctx.meta["defaults"] = options.typed(args, "--game") or usual, taken
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            self._refuse_option_of_another_game(ctx, problem.option_name)
            raise
        options.tell_what_is_left_out(ctx, taken)
        return rest

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return self._parameters(ctx, ctx.meta.get("game", ""))

    def _parameters(self, ctx: click.Context, game: str) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return deal.with_those_of_the_game(own, game) if self._deals(ctx) else own

    def _refuse_option_of_another_game(self, ctx: click.Context, flag: str) -> None:
        """Say so if the option is one of the game that is dealt where none is named."""
        for each in self._parameters(ctx, ""):
            if flag in (*each.opts, *each.secondary_opts):
                game = Verbatim(f"--game {ctx.meta['game']}")
                raise BadUsage("{option} and {other} do not go together.", option=Verbatim(flag), other=game)

    def _deals(self, ctx: click.Context) -> bool:
        """Whether anybody looks at the options of the game's own; else it need not be loaded for them."""
        command = ctx.meta.get("command")
        return command not in COMMANDS or command in ASKING

    # ── Commands, loaded when they are named ──

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(filter(None, [*COMMANDS, output.loaded().second_deal_command()]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module, name = COMMANDS[cmd_name], cmd_name
        elif cmd_name == output.loaded().second_deal_command():
            module, name = SECOND_DEAL
        else:
            return None
        command: click.Command = getattr(import_module(module), name)
        return command if isinstance(command, speech.Command) else _of_ours(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None:
            hint = _hint(args, self.list_commands(ctx))
            raise BadUsage("no command is called {name}; {hint}", name=quote(args[0]), hint=hint)
        ctx.default_map = {**(ctx.default_map or {}), args[0]: ctx.default_map}  # it has the same defaults
        return super().resolve_command(ctx, args)

    # ── Help ──

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        deal.write_options(self.get_params(ctx), ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        example = output.reader(sys.stdout).translate("Example:")
        formatter.write_usage(PROGRAM, EXAMPLE, prefix=f"{example} ")

    # ── Errors in a line or two ──

    def invoke(self, ctx: click.Context) -> Any:
        with _briefly(ctx):
            return super().invoke(ctx)


def _of_ours(command: click.Command) -> click.Command:
    """A command of another wing, which knows nothing of how things are told and printed here."""
    ours = speech.Command(
        command.name,
        callback=command.callback,
        params=list(command.params),
        help=command.help,
        epilog=command.epilog,
    )
    options.look(ours)
    return ours


def _hint(args: list[str], commands: Sequence[str]) -> Message:
    """What somebody may have meant who typed these words where a command is expected."""
    if args[0] in INSTEAD:
        return INSTEAD[args[0]]
    if hits := find_suggestions(args[0], commands):
        return message("did you mean {hits}?", hits=join_with_or(as_verbatim(hits)))
    from randomizer.browse.boxes import resolve_boxes

    words = ",".join(takewhile(lambda word: not word.startswith("-"), args))
    try:
        resolve_boxes([words], output.loaded())
    except Problem:
        return message("`dominion-setup --help` lists them.")
    return message("for sets: --sets {sets}", sets=Verbatim(words))


class Brief(click.ClickException):
    """An error of a line or two, in the language of whoever reads it, with its exit status."""

    def __init__(self, lines: Iterable[str], status: int) -> None:
        first, *self.more = lines
        super().__init__(first)
        self.exit_code = status  # type: ignore[misc]  # Click declares it for the class

    def show(self, file: IO[Any] | None = None) -> None:
        for line in (self.message, *self.more):
            output.tell(line)


def _error(fault: Message | Verbatim) -> Message:
    return message("Error: {fault}", fault=fault)


@contextmanager
def _briefly(ctx: click.Context | None = None) -> Iterator[None]:
    """Problems, and what Click has to say of options, in a line or two; Ctrl-C and `| head` end silently.

    Args:
        ctx: of the command, whose defaults may be what the problem is with.
    """
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)  # 128 and the number of the signal, as shells have it
    except OSError as problem:
        if not _nobody_reads(problem):
            raise
        _print_no_more()
        sys.exit(0)
    except RuntimeError:
        if sys.stdin is not None:
            raise
        closed = message("there is nothing to read: standard input is closed.")
        raise Brief([output.reader().render(_error(closed))], 2) from None
    except Problem as problem:
        language = output.reader()
        first, *more = problem.render_lines(language)
        deals = ctx and ctx.invoked_subcommand in (None, *DEALING) and not isinstance(problem, BadUsage)
        also = language.join_sentences(map(language.render, _also(ctx))) if ctx and deals else ""
        lines = [language.render(_error(Verbatim(first))), *more, *filter(None, [also])]
        raise Brief(lines, problem.status) from None
    except click.UsageError as problem:
        language = output.reader()
        fault = Verbatim(problem.format_message()) if language.code == ENGLISH else speech.heard(problem)
        raise Brief([language.render(_error(fault))], problem.exit_code) from None


def _also(ctx: click.Context) -> Iterator[Message]:
    """What a problem with a deal may come from, besides what is typed."""
    if "fresh" in ctx.meta:
        yield ctx.meta["fresh"]
    if shaping := options.shaping(ctx.meta["defaults"]):
        said, file = "Your defaults hold for {options}: {file}", Verbatim(defaults.path())
        yield message(said, options=join_with_and(as_verbatim(shaping)), file=file)


def _nobody_reads(problem: OSError) -> bool:
    """Whether the pipe that is printed to has been closed; Windows calls that an invalid argument."""
    return isinstance(problem, BrokenPipeError) or (
        sys.platform == "win32" and problem.errno == EINVAL and problem.filename is None
    )


def _print_no_more() -> None:
    """Let what is left to print go nowhere, or it would fail again in the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        output.echo(f"{PROGRAM}, version {__version__}")
        ctx.exit()


@click.group(cls=Main, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@deal.options
@deal.named
@click.option("--seed", metavar="TEXT", help="Any text; the same one deals the same table.")
@click.option(
    "--count",
    type=click.IntRange(1),
    metavar="N",
    help="So many tables; the n-th has the seed TEXT-n.",
)
@click.option("--apart", is_flag=True, help="With --count: no card is on two tables.")
@options.keep_option
@options.shown
@options.look
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
def main(ctx: click.Context, /, **given: Any) -> None:
    """Deal a kingdom and print everything that its setup needs."""
    if ctx.invoked_subcommand is not None:
        _refuse_options_of_the_deal(ctx)
        return
    from randomizer.deal.unused import generate_seed

    shown = {name: given.pop(name) for name in ("format", "json", "about", "sort", *options.LOOK)}
    count, seed, kept = given.pop("count"), given.pop("seed") or generate_seed(), given.pop("keep")
    apart = given.pop("apart")
    if apart and count is None:
        raise BadUsage("--apart is about several tables: take it with --count.")
    if apart and count > 1 and (given["with_"] or given["swaps"] or given["kingdom"] is not None):
        raise BadUsage("--apart takes none of --with, --kingdom and --swap: a card is on one table only.")
    typed = dict(given)
    game, asked = deal.asked(ctx, given, seed)
    languages = output.languages(game)
    if count is None:
        from randomizer.record.build import build_setup, deal_asked

        setup = build_setup(game, asked, deal_asked(game, asked), languages)
        output.show(setup, game, keep=kept, **shown)
    else:  # nobody knows yet which of them will be played, so none is the last table
        from randomizer.browse.request_builder import is_random_kingdom
        from randomizer.record.laid import lay_each, lay_tables

        if is_random_kingdom(typed["kingdom"]):
            laid = lay_each(game, deal.asked_each(ctx, typed, seed, count), languages)
        else:
            laid = lay_tables(game, asked, count, languages, apart=apart)
        with output.progress(laid, count) as tables:
            output.show_each(tables, game, **shown)


def _refuse_options_of_the_deal(ctx: click.Context) -> None:
    """Before another command they would do nothing: say so."""
    name = ctx.invoked_subcommand or ""
    command = ctx.command.get_command(ctx, name) if isinstance(ctx.command, Main) else None
    taken = {parameter.name for parameter in command.params} if command else set()
    for parameter in ctx.command.get_params(ctx):
        source = ctx.get_parameter_source(parameter.name or "")
        given = source is click.core.ParameterSource.COMMANDLINE
        if given and not (options.either_place(parameter) and parameter.name in taken):
            said = "{option} belongs to the deal; see {command} --help."
            raise BadUsage(said, option=Verbatim(parameter.opts[-1]), command=Verbatim(name))
