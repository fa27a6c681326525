"""The command `history`, which lists, edits, exports and imports played games."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from click.core import ParameterSource

from randomizer.cli import options, output
from randomizer.cli.documents import read_content
from randomizer.cli.localization import LocalizedGroup
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadUsage, NoResult, UnknownName
from randomizer.text.language import Verbatim
from randomizer.text.screen import UNLIMITED_COLUMNS

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.memory.played_game import PlayedGame
    from randomizer.memory.show import GetLanguage
    from randomizer.text.language import Language

_player_option = click.option(
    "--player",
    default="",
    metavar="NAME",
    shell_complete=options.complete_with("players"),
    help="Limit to games of this player.",
)
_since_option = click.option(
    "--since", default="", metavar="DATE", help="Limit to games from this day on, such as 2026-11-22."
)
_until_option = click.option("--until", default="", metavar="DATE", help="Limit to games up to this day.")


@click.group(
    cls=LocalizedGroup,
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
    shell_complete=options.complete_with("cards"),
    help="Limit to games with this card.",
)
@_player_option
@_since_option
@_until_option
@options.json_option
@click.option("--csv", "csv", is_flag=True, help="Print CSV for spreadsheets.")
@options.output_options
@click.pass_context
def history(
    ctx: click.Context,
    /,
    json: bool,
    csv: bool,
    **criteria: str,
) -> None:
    """List your played games.

    The newest comes first; `show` has all details of one. `import` reads what `--json` and `--csv` print.
    """
    if ctx.invoked_subcommand is not None:
        _reject_options(ctx)
        return
    from randomizer.memory import show
    from randomizer.memory.played_games import load_games
    from randomizer.memory.search import find_games

    if json and csv:
        raise BadUsage("use either --json or --csv, not both.")
    games = load_games()
    languages = {name: output.load_languages(game) for name, game in _load_known_games(games).items()}
    try:
        matches = find_games(games, languages, **criteria)
    except NoResult:
        if json or csv:
            _print_export([], json=json)
        raise
    if json or csv:
        _print_export(matches, json=json)
    else:
        style = output.get_style(UNLIMITED_COLUMNS)
        text = show.render_history(matches[::-1], _build_language_getter(), style)
        output.echo(text, is_paged=True)


def _reject_options(ctx: click.Context) -> None:
    """Reject options of `history` before the name of a subcommand, where they would have no effect.

    Raises:
        BadUsage: such an option precedes the name of the subcommand.
    """
    for parameter in ctx.command.params:
        is_typed = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if is_typed and not options.is_allowed_before_command(parameter):
            template = (
                "{option} can't be used before {command}; its own options are in `dominion-setup {command} "
                "--help`."
            )
            command = Verbatim(f"history {ctx.invoked_subcommand}")
            raise BadUsage(template, option=Verbatim(parameter.opts[-1]), command=command)


@history.command(
    epilog="""\b
Examples:
  dominion-setup history stats
  dominion-setup history stats --player Ann --since 2026-01-01
  dominion-setup history stats --sets base,seaside --json
""",
)
@options.game_option
@_player_option
@_since_option
@_until_option
@options.sets_option("List unused cards of these boxes; default: the boxes in your defaults.")
@options.json_option
@options.output_options
@click.pass_context
def stats(ctx: click.Context, /, game: str | None, sets: Sequence[str], json: bool, **criteria: str) -> None:
    """Show wins, scores, and the ratings of cards and boxes.

    Cards and boxes are sorted by mean rating. Intervals are confidence intervals of 95 %: Wilson score
    intervals of the proportions of games won, and Student's t intervals of mean scores and ratings.
    """
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.memory.played_games import load_games
    from randomizer.memory.show_statistics import render_statistics
    from randomizer.memory.statistics import compute_statistics

    loaded_game = output.load_game(game or ctx.meta.get("game", ""))
    configured = ctx.find_root().default_map or {}
    if not sets and loaded_game is output.load_game(configured.get("game", "")):
        sets = configured.get("sets", ())
    owned_boxes = resolve_boxes(sets, loaded_game) if sets else ()
    languages = output.load_languages(loaded_game)
    statistics = compute_statistics(load_games(), loaded_game, languages, owned_boxes, **criteria)
    if json:
        output.print_json(statistics)
    else:
        text = render_statistics(statistics, output.choose_output_language(loaded_game), output.get_style())
        output.echo(text, is_paged=True)


@history.command("show")
@click.argument(
    "game_id", metavar="NUMBER", type=click.IntRange(1), shell_complete=options.complete_with("game_ids")
)
@options.json_option
@options.output_options
def show_game(game_id: int, json: bool) -> None:
    """Show all details of a game."""
    from randomizer.memory.played_games import get_game

    played = get_game(game_id)
    if json:
        _print_export([played], json=True)
    else:
        _print_game(played)


def _print_game(played: "PlayedGame") -> None:
    """Print the details of a played game."""
    from randomizer.memory.show import render_game

    game, language = _load_known_games([played]).get(played.game), _build_language_getter()(played.game)
    output.echo(render_game(played, game, language, output.get_style()), is_paged=True)


@history.command(
    epilog="""\b
Examples:
  dominion-setup history edit 3 --players "Ann 42, Bob 31"
  dominion-setup history edit 3 --rating 5 --note ""
""",
)
@click.argument(
    "game_id", metavar="NUMBER", type=click.IntRange(1), shell_complete=options.complete_with("game_ids")
)
@click.option("--date", metavar="DATE", help="Set the date, such as 2026-11-22.")
@options.result_options
@click.option(
    "--rating",
    type=click.IntRange(0, 5),
    metavar="N",
    help="Rate the game from 1 to 5; 0 removes the rating.",
)
@options.output_options
def edit(game_id: int, scores: str | None, winners: Sequence[str], **changes: Any) -> None:
    """Correct the details of a game; everything else stays as it is.

    New scores decide the winner again. An empty text removes a note or a winner.
    """
    from randomizer.memory import played_games
    from randomizer.memory.played_game import change_game

    changes |= {"players": scores, "winners": winners or None}
    changes = {name: value for name, value in changes.items() if value is not None}
    if not changes:
        raise BadUsage("say what to change, as in `history edit {number} --winner Ann`.", number=game_id)
    _print_game(played_games.edit(game_id, lambda game: change_game(game, changes)))


@history.command()
@click.argument(
    "game_ids",
    metavar="NUMBERS...",
    type=click.IntRange(1),
    nargs=-1,
    required=True,
    shell_complete=options.complete_with("game_ids"),
)
@options.output_options
def forget(game_ids: Sequence[int]) -> None:
    """Remove games; to back them up first, use `history --json > FILE`."""
    from randomizer.memory import played_games

    for game in played_games.forget(game_ids):
        translate = output.choose_output_language().translate
        output.echo(translate("Removed game {number} of {date}.", number=game.id, date=game.date))


@history.command("import")
@click.argument("file", type=click.File("rb"))
@options.output_options
def import_games(file: BinaryIO) -> None:
    """Add games that `history --json` or `--csv` printed; - reads stdin.

    Games that are already recorded stay as they are.
    """
    from randomizer.memory import exchange, played_games

    games = exchange.parse_games(*read_content(file))
    added = len(played_games.add(games))
    translate = output.choose_output_language().translate
    output.echo(
        translate("Games added: {count}; already recorded: {known}.", count=added, known=len(games) - added)
    )


def _print_export(games: Sequence["PlayedGame"], *, json: bool) -> None:
    """Print games as JSON or as CSV."""
    from randomizer.memory.exchange import to_csv, to_json

    output.echo(to_json(games) if json else to_csv(games), escape=escape_non_ascii_json if json else None)


def _load_known_games(games: Sequence["PlayedGame"]) -> dict[str, "Game"]:
    """Load the data of the games that were played, by name. Games that this version lacks are omitted."""
    games_by_name = {}
    for name in dict.fromkeys(game.game for game in games):
        with suppress(UnknownName):
            games_by_name[name] = output.load_game(name)
    return games_by_name


def _build_language_getter() -> "GetLanguage":
    """Return a function that loads the output language, including the card names of the named game."""
    chosen = output.choose_output_language()

    @cache
    def get_language(name: str) -> "Language":
        from randomizer.load import languages

        try:
            return languages.load(chosen.code, output.load_game(name)) if name else chosen
        except UnknownName:
            return chosen

    return get_language
