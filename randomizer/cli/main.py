"""The group, and the deal, which is what it does when no command is named.

The options that belong to the game (`--colony`) come from the game's data, and so does the name of the
command for its second deal.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from randomizer import __version__
from randomizer.cli import config, shared
from randomizer.errors import Problem, UnknownName, either, nearest

if TYPE_CHECKING:
    from randomizer.game import Game
    from randomizer.language import Language

COMMANDS = {
    "cards": "randomizer.cli.lists",
    "rules": "randomizer.cli.rules",
    "schema": "randomizer.cli.documents",
    "sets": "randomizer.cli.lists",
    "show": "randomizer.cli.documents",
}
SECOND_DEAL = ("randomizer.cli.documents", "second_deal")


@cache
def _loaded(game: str = "") -> "Game":
    """The game as it comes, without the user's files; a command asks for it more than once."""
    from randomizer.database import load

    return load(game)


@cache
def _languages(game: str) -> "list[Language]":
    return shared.languages(_loaded(game))


class Main(click.Group):
    """The group: its options depend on the game, and problems become Click's errors."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        gc.set_threshold(100_000)  # a command is over before a collection could pay for itself,
        try:
            return super().main(*args, **kwargs)
        finally:
            gc.freeze()  # and what it leaves goes with the process

    # ── Options that the game's data leaves open ──

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["command"] = args[0] if args else None
        # Which options there are depends on the game, so its name is looked for before they are read.
        named = [args[place] for place in range(1, len(args)) if args[place - 1] == "--game"]
        named += [word.partition("=")[2] for word in args if word.startswith("--game=")]
        ctx.meta["game"] = named[-1] if named else ""
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        if ctx.meta.get("command") in COMMANDS:
            return own  # nobody looks at the deal's options, so the game need not be loaded for them
        place = next(place for place, parameter in enumerate(own) if parameter.name == "files")
        return [*own[:place], *_options_of(ctx.meta.get("game", "")), *own[place:]]

    # ── Commands, loaded when they are named ──

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(filter(None, [*COMMANDS, _loaded().second_deal_command()]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module, name = COMMANDS[cmd_name], cmd_name
        elif cmd_name == _loaded().second_deal_command():
            module, name = SECOND_DEAL
        else:
            return None
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None:
            hits = nearest(args[0], self.list_commands(ctx))
            words = ",".join(takewhile(lambda word: not word.startswith("-"), args))
            hint = f"did you mean {either(hits)}?" if hits else f"for sets: --sets {words}"
            raise click.UsageError(f"no command is called {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    # ── Errors in a line or two ──

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _briefly():
            return super().make_context(*args, default_map=config.defaults(), **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _briefly():
            return super().invoke(ctx)


@cache
def _options_of(game: str) -> list[click.Option]:
    """A number for each amount that the game leaves open, a switch and a method for each question."""
    try:
        open_ = _loaded(game).options
    except UnknownName:
        return []  # `rules` knows more games than can be dealt
    options = []
    for option in open_:
        flag = option.name.replace("_", "-")
        if option.cards:
            cards = click.Choice(option.cards)
            options += [
                click.Option([f"--{flag}/--no-{flag}"], default=None, help=option.help),
                click.Option([f"--{flag}-by"], type=cards, help="The Kingdom card that decides it."),
            ]
        else:
            number = click.IntRange(option.least)
            text = f"{option.help}  [default: {option.default}]"
            options.append(click.Option([f"--{flag}"], type=number, metavar="N", help=text))
    return options


class Brief(click.ClickException):
    """An error of a line or two, with its exit status."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.exit_code = status  # type: ignore[misc]  # Click declares it for the class


@contextmanager
def _briefly() -> Iterator[None]:
    """Problems, and what Click has to say of options, without its usage lines."""
    try:
        yield
    except (Problem, click.UsageError) as problem:
        if isinstance(problem, Problem):
            raise Brief(str(problem), problem.status) from None
        raise Brief(problem.format_message(), problem.exit_code) from None


@click.group(cls=Main, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-s",
    "--sets",
    multiple=True,
    metavar="SETS",
    shell_complete=shared.completing("sets"),
    help="What to deal from, such as base,adventures; repeatable.  [default: base]",
)
@shared.game_option
@click.option("-p", "--players", type=int, default=2, show_default=True, metavar="N", help="How many play.")
@click.option("--seed", metavar="TEXT", help="Any text; the same one deals the same table.")
@click.option(
    "--landscapes-from",
    type=click.Choice(["randomizers", "deck"]),
    help="Shuffle landscapes in with the randomizers (the default), or deal them from a deck of their own.",
)
@click.option(
    "--cards",
    "files",
    type=click.Path(),
    multiple=True,
    metavar="FILE",
    help="Cards, sets and house rules of your own; repeatable.",
)
@click.option(
    "--count",
    type=click.IntRange(1),
    metavar="N",
    help="Deal so many setups, a line each; the n-th has the seed TEXT-n.",
)
@shared.sort_option
@shared.json_option
@shared.lang_option
@shared.color_option
@click.version_option(__version__, prog_name=shared.PROGRAM)
@click.pass_context
def main(ctx: click.Context, /, **given: Any) -> None:
    """Deal a kingdom and print everything that its setup needs."""
    if ctx.invoked_subcommand is not None:
        _refuse_options_of_the_deal(ctx)
        return
    from randomizer import record, selection
    from randomizer.database import load
    from randomizer.game import Options
    from randomizer.pool import fresh_seed

    files, count = given.pop("files"), given.pop("count")
    name = given.pop("game") or ""
    game = load(name, extra=files) if files else _loaded(name)
    shown = {name: given.pop(name) for name in ("sort", "json", "lang", "color")}
    sets = given.pop("sets")
    if name and ctx.get_parameter_source("sets") is not click.core.ParameterSource.COMMANDLINE:
        sets = ()  # the user's own default is of the default game
    options = Options(
        chosen=selection.resolve(sets or [next(iter(game.sets))], game),
        players=given.pop("players"),
        seed=given.pop("seed") or fresh_seed(),
        settings=game.checked({name: value for name, value in given.items() if value is not None}),
        files=files,
        game="" if name == _loaded().name else name,
    )
    languages = shared.languages(game) if files else _languages(name)
    if count is None:
        shared.show(record.record(game, options, game.set_up(options), languages), game, **shown)
    else:
        with shared.progress(record.run(game, options, count, languages), count) as setups:
            shared.show_each(setups, game, **shown)


def _refuse_options_of_the_deal(ctx: click.Context) -> None:
    """Before another command they would do nothing: say so."""
    for parameter in ctx.command.get_params(ctx):
        source = ctx.get_parameter_source(parameter.name or "")
        given = source is click.core.ParameterSource.COMMANDLINE
        if given and parameter.name not in ("game", "lang", "color"):
            command = ctx.invoked_subcommand
            raise click.UsageError(f"{parameter.opts[-1]} belongs to the deal; see {command} --help.")
