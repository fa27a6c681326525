"""The commands for what is remembered: the games that were played, and the user's own defaults."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from click.core import ParameterSource

from randomizer.cli import deal, options, output, speech
from randomizer.cli.documents import content_of
from randomizer.memory import defaults
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadUsage, NoResult, UnknownName
from randomizer.text.screen import UNLIMITED_COLUMNS

if TYPE_CHECKING:
    from randomizer.memory.played_game import PlayedGame
    from randomizer.text.language import Language

# ── Played games ──


@click.group(
    cls=speech.CommandGroup,
    invoke_without_command=True,
    epilog="""\b
Examples:
  dominion-setup history
  dominion-setup history --player Ann --since 2025-01-01
  dominion-setup history --json
""",
)
@click.option(
    "--card",
    default="",
    metavar="CARD",
    shell_complete=options.completing("cards"),
    help="Only games with this card.",
)
@click.option(
    "--player",
    default="",
    metavar="NAME",
    shell_complete=options.completing("players"),
    help="Only games of this player.",
)
@click.option("--since", default="", metavar="DATE", help="Only games from this day on, such as 2026-11-22.")
@click.option("--until", default="", metavar="DATE", help="Only games up to this day.")
@options.json_option
@click.option("--csv", "csv", is_flag=True, help="Print CSV, for spreadsheets.")
@options.look
@click.pass_context
def history(
    ctx: click.Context,
    /,
    json: bool,
    csv: bool,
    lang: str | None,
    color: str | None,
    no_pager: bool,
    **wanted: str,
) -> None:
    """List the games that were played.

    The last one stands first; `show` has all of one. `--json` and `--csv` print what `import` reads.
    """
    if ctx.invoked_subcommand is not None:
        return
    from randomizer.memory import show
    from randomizer.memory.played_games import load_games
    from randomizer.memory.search import find_games

    if json and csv:
        raise BadUsage("--json and --csv are two forms; take one of them.")
    known = load_games()
    try:
        found = find_games(known, {name: output.languages(game) for name, game in _games_of(known)}, **wanted)
    except NoResult:
        if json or csv:
            _export([], json=json)
        raise
    if json or csv:
        _export(found, json=json)
    else:
        text = show.render_history(found[::-1], _speaking(lang), output.style(color, UNLIMITED_COLUMNS))
        output.echo(text, paged=not no_pager)


@history.command("show")
@click.argument("number", type=click.IntRange(1), shell_complete=options.completing("numbers"))
@options.look
def show_one(number: int, lang: str | None, color: str | None, no_pager: bool) -> None:
    """Show all that is known of a game."""
    from randomizer.memory import show
    from randomizer.memory.played_games import get_game

    found = get_game(number)
    known = dict(_games_of([found]))
    text = show.render_game(found, known.get(found.game), _speaking(lang)(found.game), output.style(color))
    output.echo(text, paged=not no_pager)


@history.command()
@click.argument(
    "numbers", type=click.IntRange(1), nargs=-1, required=True, shell_complete=options.completing("numbers")
)
@options.look
def forget(numbers: Sequence[int], lang: str | None, **_: Any) -> None:
    """Remove games; `history --json > FILE` before that keeps them elsewhere."""
    from randomizer.memory import played_games

    for game in played_games.forget(numbers):
        translate = output.chosen_language(lang).translate
        output.echo(translate("Forgotten: game {number} of {date}.", number=game.id, date=game.date))


@history.command("import")
@click.argument("file", type=click.File("rb"))
@options.look
def import_(file: BinaryIO, lang: str | None, **_: Any) -> None:
    """Add the games of a file that `history --json` or `--csv` has printed; - reads it from a pipe.

    Those that are there already are left as they are.
    """
    from randomizer.memory import exchange, played_games

    games = exchange.parse_games(*content_of(file))
    added = len(played_games.add(games))
    translate = output.chosen_language(lang).translate
    output.echo(
        translate("Games added: {count}; there already: {known}.", count=added, known=len(games) - added)
    )


def _export(played: Sequence["PlayedGame"], *, json: bool) -> None:
    """Print games as JSON or as CSV."""
    from randomizer.memory.exchange import to_csv, to_json

    output.echo(to_json(played) if json else to_csv(played), escape=escape_non_ascii_json if json else None)


def _games_of(played: Sequence["PlayedGame"]) -> Iterator[tuple[str, Any]]:
    """The data of the games that were played, by name, where there are any."""
    for name in dict.fromkeys(game.game for game in played):
        try:
            yield name, output.loaded(name)
        except UnknownName:  # a game of the user's own, or of another version
            continue


def _speaking(lang: str | None) -> Callable[[str], "Language"]:
    """The language to show things in, by the game whose names it has."""
    chosen = output.chosen_language(lang)

    @cache
    def speaking(name: str) -> "Language":
        from randomizer.load import languages

        try:
            return languages.load(chosen.code, output.loaded(name)) if name else chosen
        except UnknownName:
            return chosen

    return speaking


# ── The user's own defaults ──


ENVIRONMENT = {
    "DOMINION_SETUP_LANG": "Language of the output, such as ja; otherwise LC_ALL, LC_MESSAGES or LANG.",
    "DOMINION_SETUP_PROFILE": "The profile of your own defaults that holds where --profile names none.",
    "NO_COLOR, FORCE_COLOR": "Never or always use colours; a TERM of dumb has none.",
    "COLUMNS": "Width of the output.",
    "PAGER": "Shows long lists and look-ups on a terminal; less by default, cat for none.",
}


class Config(deal.Dealing):
    """The command for the user's own defaults, whose help says what else holds."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, the variables that are read, and where the file is."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Environment"):
            formatter.write_dl(list(ENVIRONMENT.items()))
        with formatter.section("Your own defaults"):
            formatter.write(f"  {defaults.path()}\n")


@click.command(
    cls=Config,
    epilog="""\b
Examples:
  dominion-setup config
  dominion-setup config --players 4 --json
""",
)
@deal.options
@options.json_option
@options.look
@click.pass_context
def config(ctx: click.Context, /, json: bool, **_: Any) -> None:
    """Show your own defaults, and what holds from where.

    With options of the deal it shows what holds with these.
    """
    from randomizer.memory import last_table, played_games
    from randomizer.memory.show import render_config
    from randomizer.text.json import dumps

    facts: dict[str, Any] = {
        "schema": 1,
        "file": defaults.path(),
        "last": last_table.path(),
        "played": played_games.path(),
        "profiles": list(defaults.read().profiles),
        "profile": ctx.meta["defaults"].profile or None,
        "options": list(_holding(ctx)),
    }
    if json:
        output.echo(dumps(facts), escape=escape_non_ascii_json)
        return
    style = output.style(ctx.params["color"], UNLIMITED_COLUMNS)
    output.echo(render_config(facts, output.chosen_language(ctx.params["lang"]), style))


def _holding(ctx: click.Context) -> Iterator[dict[str, Any]]:
    """The options that may have a default, with the value that holds and where it is from."""
    above = ctx.parent or ctx
    own = options.with_defaults(ctx.command.get_params(ctx))
    for key, option in {**options.with_defaults(above.command.get_params(above)), **own}.items():
        name = option.name or ""
        typed = [
            each for each in (ctx, above) if each.get_parameter_source(name) is ParameterSource.COMMANDLINE
        ]
        at = typed[0] if typed else ctx if key in own else above
        value = at.params.get(name)
        yield {
            "name": key,
            "value": list(value) if isinstance(value, tuple) else value,
            "from": _source(at, name),
        }


def _source(ctx: click.Context, name: str) -> str:
    """Where the value of an option is from, in a word or two."""
    source = ctx.get_parameter_source(name)
    if source is ParameterSource.DEFAULT_MAP:
        sources: Mapping[str, str] = ctx.meta["defaults"].sources
        return sources[name]
    return {
        ParameterSource.COMMANDLINE: "command line",
        ParameterSource.ENVIRONMENT: "environment",
    }.get(source or ParameterSource.DEFAULT, "default")
