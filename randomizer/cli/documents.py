"""The commands that use a setup document: one from a file, or a recent table, or else the last table."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cli import options, output
from randomizer.cli.localization import LocalizedCommand
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadDocument, BadUsage, NoResult, describe_os_error
from randomizer.text.language import Value, Verbatim, message
from randomizer.text.screen import UNLIMITED_COLUMNS

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

# The modules and names of the classes that describe documents, by the names of the documents.
DOCUMENT_CLASSES = {
    "setup": ("randomizer.setup.document", "Setup"),
    "cards": ("randomizer.rules.document", "Cards"),
    "sets": ("randomizer.browse.catalogue", "BoxList"),
    "kingdoms": ("randomizer.browse.suggestions", "KingdomList"),
    "rules": ("randomizer.rules.document", "Rules"),
    "odds": ("randomizer.odds.report", "Odds"),
    "history": ("randomizer.memory.exchange", "History"),
    "statistics": ("randomizer.memory.statistics", "Statistics"),
}


def load_document_class(name: str) -> Any:
    """Return the class that describes the documents of this name, a key of `DOCUMENT_CLASSES`."""
    module_name, class_name = DOCUMENT_CLASSES[name]
    return getattr(import_module(module_name), class_name)


_file_argument = click.argument("file", type=options.SetupFile("rb"), metavar="[FILE|N]", required=False)
_for_option = click.option(
    "--for",
    "file",
    type=options.SetupFile("rb"),
    metavar="FILE|N",
    help="Use this saved setup, not the last one; - reads stdin.",
)


class _PlayedFile(options.SetupFile):
    """The type of the file argument of `played`. An error message explains how to name players."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Open the file.

        Raises:
            BadUsage: the file does not exist, and its name may be meant as the name of a player.
        """
        if isinstance(value, str) and value.replace(" ", "").isalpha() and not os.path.exists(value):
            template = 'there is no file {name}; to name players, use --players "{name}=32".'
            raise BadUsage(template, name=Verbatim(value))
        return super().convert(value, param, ctx)


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup show
  dominion-setup show 2
  dominion-setup show game.json --lang ja
  dominion-setup show game.json --format line
""",
)
@_file_argument
@options.line_option
@options.setup_output_options
@options.output_options
def show(file: options.FileOrNumber | None, line: int | None, **render_options: Any) -> None:
    """Print the last setup or a saved one; - reads stdin.

    A number means a recent setup, of which 1 is the last; `tables` lists them.
    """
    from randomizer.load.games import load

    setup = read_setup(file, line)
    output.print_setup(setup, load(setup["game"]), **render_options)


@click.command(cls=LocalizedCommand)
@_file_argument
@options.line_option
@options.keep_option
@options.setup_output_options
@options.output_options
def second_deal(
    file: options.FileOrNumber | None, line: int | None, keep: bool, **render_options: Any
) -> None:
    """Deal Divine Wind's replacement Kingdom."""
    from randomizer.load.games import load
    from randomizer.record.second_deal import deal_again
    from randomizer.setup.replay import extract_files

    first_setup = read_setup(file, line)
    files = extract_files(first_setup)
    game = load(first_setup["game"], extra_files=files)
    setup = deal_again(game, first_setup)
    output.print_setup(setup, game, keep=keep, files=files, **render_options)


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup swap samurai
  dominion-setup swap samurai=ninja kitsune --for game.json --json
""",
)
@click.argument(
    "cards", nargs=-1, required=True, metavar="CARD[=CARD]...", shell_complete=options.complete_with("swaps")
)
@_for_option
@options.line_option
@options.keep_option
@options.setup_output_options
@options.output_options
def swap(
    cards: tuple[str, ...],
    file: options.FileOrNumber | None,
    line: int | None,
    keep: bool,
    **render_options: Any,
) -> None:
    """Deal the last setup again with these cards replaced.

    Everything that doesn't depend on these cards stays. The new setup's command includes --swap.
    """
    from randomizer.cli.deal import parse_swaps
    from randomizer.load.games import load
    from randomizer.record.build import build_setup, deal_request
    from randomizer.setup.replay import extract_files, extract_request

    old_setup = read_setup(file, line)
    if "second_deal" in old_setup:
        raise BadDocument("cards can't be swapped after the Kingdom has been replaced during the game.")
    game = load(old_setup["game"], extra_files=extract_files(old_setup))
    request = extract_request(game, old_setup)
    request = request._replace(swaps=(*request.swaps, *parse_swaps(cards, game)))
    setup = build_setup(game, request, deal_request(game, request), output.load_document_languages(game))
    output.print_setup(setup, game, keep=keep, files=request.files, **render_options)


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup --sets base --veto 3 --seed 5
  dominion-setup veto moat witch
""",
)
@click.argument(
    "cards",
    nargs=-1,
    required=True,
    metavar="CARD...",
    shell_complete=options.complete_with("vetoes"),
)
@_for_option
@options.line_option
@options.keep_option
@options.setup_output_options
@options.output_options
def veto(
    cards: tuple[str, ...],
    file: options.FileOrNumber | None,
    line: int | None,
    keep: bool,
    **render_options: Any,
) -> None:
    """Lay out the last setup of --veto without these cards.

    The first ten of the other cards stay. The new setup's command includes --vetoed.
    """
    from randomizer.cli.deal import parse_vetoes
    from randomizer.load.games import load
    from randomizer.record.build import build_setup, deal_request
    from randomizer.setup.replay import extract_files, extract_request

    old_setup = read_setup(file, line)
    game = load(old_setup["game"], extra_files=extract_files(old_setup))
    request = extract_request(game, old_setup)
    if not request.is_veto_open:
        raise BadDocument("this setup is not waiting for vetoes; deal one with --veto N.")
    vetoed = parse_vetoes(cards, game)
    if vetoed is None:
        raise BadUsage("name at least one card.")
    request = request._replace(vetoed=vetoed)
    setup = build_setup(game, request, deal_request(game, request), output.load_document_languages(game))
    output.print_setup(setup, game, keep=keep, files=request.files, **render_options)


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup schema > setup.schema.json
  dominion-setup schema cards > cards.schema.json
""",
)
@click.argument("document", metavar="[NAME]", type=click.Choice(list(DOCUMENT_CLASSES)), default="setup")
@options.output_options
def schema(document: str) -> None:
    """Print the JSON Schema of a document.

    The names are setup (the default), cards, sets, kingdoms, rules, odds, history and statistics.
    """
    from randomizer.setup.schema import render_schema

    text = render_schema(document, load_document_class(document))
    output.echo(text, escape=escape_non_ascii_json)


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup played --players "Ann 32, Bob 28"
  dominion-setup played --winner Ann --rating 4 --note "Bob's first game"
  dominion-setup played 2
""",
)
@click.argument("file", type=_PlayedFile("rb"), metavar="[FILE|N]", required=False)
@options.line_option
@click.option("--date", default="", metavar="DATE", help="Set the date, such as 2026-11-22; default: today.")
@options.result_options
@click.option("--rating", type=click.IntRange(1, 5), metavar="N", help="Rate the game from 1 to 5.")
@click.option("--again", is_flag=True, help="Record another game with a table that is already recorded.")
@options.output_options
def played(
    file: options.FileOrNumber | None,
    line: int | None,
    scores: str | None,
    note: str | None,
    again: bool,
    **facts: Any,
) -> None:
    """Record the last setup, or the one in FILE, as played.

    A number means a recent setup, of which 1 is the last; `tables` lists them.
    """
    from randomizer.memory.played_game import build_played_game
    from randomizer.memory.played_games import add, find_games_with_same_table

    game = build_played_game(read_setup(file, line), players=scores or "", note=note or "", **facts)
    if not again:
        for earlier_game in find_games_with_same_table(game)[-1:]:
            template = (
                "this table is already recorded as game {number} of {date}; if you played it again, add "
                "--again; to correct the record, use `dominion-setup history edit {number}`."
            )
            raise BadUsage(template, number=earlier_game.id, date=Verbatim(earlier_game.date))
    (game_id,) = add([game])
    template = "Recorded as game {number}; `dominion-setup history` lists all games."
    output.echo(output.choose_output_language().translate(template, number=game_id))


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup tables
  dominion-setup show 2
  dominion-setup played 2 --winner Ann
""",
)
@options.json_option
@options.output_options
def tables(json: bool) -> None:
    """List your recent setups; the last one is number 1.

    `show`, `played`, `swap --for` and `rules --for` accept the numbers.
    """
    from randomizer.memory.recent_tables import describe_tables

    facts = describe_tables()
    if json:
        output.print_json({"schema": 1, "tables": facts})
    elif not facts:
        raise NoResult("there is no last setup yet; deal a kingdom, or name the file of a saved setup.")
    else:
        from randomizer.memory.show import render_tables

        text = render_tables(facts, output.choose_output_language(), output.get_style(UNLIMITED_COLUMNS))
        output.echo(text, is_paged=True)


def read_setup(file: options.FileOrNumber | None, line: int | None) -> "Setup":
    """Read a setup document. Without a file, use the last table and print a message that says so.

    Args:
        file: the file, or the number of a recent table.
        line: the line number, starting at 1, of the document in a file with one document per line.

    Raises:
        BadDocument: the file contains no valid document, or several documents although `line` is None.
        BadOptions: no table has this number.
        BadUsage: a line is given, but no file.
        NoResult: no file is given, and no table has been saved.
    """
    if file is None or isinstance(file, int):
        return _read_recent_table(file, line)
    from randomizer.setup.schema import loads, select_document

    content, name = read_content(file)
    return loads(select_document(content, line, name), name)


def read_content(file: BinaryIO) -> "tuple[bytes, Value]":
    """Return the contents of a file, and the name by which error messages refer to it.

    Raises:
        BadDocument: the file cannot be read, or is empty.
    """
    from randomizer.load.files import read_bounded_stream

    name = str(getattr(file, "name", "<stdin>"))
    displayed_name: Value = "standard input" if name == "<stdin>" else Verbatim(name)
    try:
        content = read_bounded_stream(file, name)
    except OSError as problem:
        raise BadDocument("{file}: {why}", file=displayed_name, why=describe_os_error(problem)) from None
    if not content.strip():
        raise BadDocument("nothing was read from {file}.", file=displayed_name)
    return content, displayed_name


def _read_recent_table(number: int | None, line: int | None) -> "Setup":
    """Read a recent table. Without a number, read the last one and print its seed on stderr."""
    from randomizer.memory import recent_tables

    if line is not None:
        raise BadUsage("--line picks a line of a file; name the file too.")
    setup = recent_tables.read(number or 1)
    if number is None:
        output.print_message(
            message("No file given; using the last setup (seed {text}).", text=setup["seed"])
        )
    return setup
