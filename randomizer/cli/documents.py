"""The commands around setup documents: those in files, and the last table, where no file is named."""

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cli import options, output, speech
from randomizer.cli.options import completing
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadDocument, BadUsage, describe_os_error
from randomizer.text.language import Value, Verbatim, message

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

_file_argument = click.argument("file", type=click.File("rb"), required=False)


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup show
  dominion-setup show game.json --lang ja
  dominion-setup show game.json --format line
""",
)
@_file_argument
@options.line_option
@options.shown
@options.look
def show(file: BinaryIO | None, line: int | None, **shown: Any) -> None:
    """Print the last table, or a saved setup; - reads a pipe."""
    from randomizer.load.games import load

    setup = read(file, line)
    output.show(setup, load(setup["game"]), **shown)


@click.command(cls=speech.Command)
@_file_argument
@options.line_option
@options.keep_option
@options.shown
@options.look
def second_deal(file: BinaryIO | None, line: int | None, keep: bool, **shown: Any) -> None:
    """Deal the Kingdom that replaces that of a table."""
    from randomizer.load.games import load
    from randomizer.record.second_deal import deal_again
    from randomizer.setup.dealt import files_of

    first = read(file, line)
    game = load(first["game"], extra=files_of(first))
    setup = deal_again(game, first, output.languages(game))
    output.show(setup, game, keep=keep, **shown)


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup swap samurai
  dominion-setup swap samurai=ninja kitsune --for game.json --json
""",
)
@click.argument(
    "cards", nargs=-1, required=True, metavar="CARD[=CARD]...", shell_complete=completing("swaps")
)
@click.option(
    "--for",
    "file",
    type=click.File("rb"),
    metavar="FILE",
    help="The table of this setup document, not the last one; - reads it from a pipe.",
)
@options.line_option
@options.keep_option
@options.shown
@options.look
def swap(cards: tuple[str, ...], file: BinaryIO | None, line: int | None, keep: bool, **shown: Any) -> None:
    """Deal the last table again, with other cards for these.

    Whatever does not depend on these stays. The command of the new table has --swap added.
    """
    from randomizer.cli.deal import swapping
    from randomizer.load.games import load
    from randomizer.record.build import build_setup, deal_asked
    from randomizer.setup.dealt import files_of, request_of

    before = read(file, line)
    if "second_deal" in before:
        raise BadDocument("nothing is swapped once the Kingdom has been replaced in the middle of the game.")
    game = load(before["game"], extra=files_of(before))
    request = request_of(game, before)
    request = request._replace(swaps=(*request.swaps, *swapping(cards, game)))
    setup = build_setup(game, request, deal_asked(game, request), output.languages(game))
    output.show(setup, game, keep=keep, **shown)


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup schema > setup.schema.json
""",
)
@options.look
def schema(**_: Any) -> None:
    """Print the JSON Schema of the setup document."""
    from randomizer.setup.schema import render_schema

    output.echo(render_schema(), escape=escape_non_ascii_json)


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup played --players "Ann=32,Bob=28"
  dominion-setup played --rating 4 --note "Bob's first game"
  dominion-setup played game.json
""",
)
@_file_argument
@options.line_option
@click.option("--date", default="", metavar="DATE", help="The day, such as 2026-11-22; today by default.")
@click.option(
    "--players",
    "who",  # `players` has a default of the user's own, which is a number
    default="",
    metavar="NAMES",
    shell_complete=options.completing("players"),
    help="Who played, and with which scores: Ann=32,Bob=28; a score may be left out.",
)
@click.option("--rating", type=click.IntRange(1, 5), metavar="N", help="How good it was, 1 to 5.")
@click.option("--note", default="", metavar="TEXT", help="Anything else.")
@options.look
def played(file: BinaryIO | None, line: int | None, lang: str | None, who: str, **said: Any) -> None:
    """Note a table as played: the last one, or that of FILE."""
    from randomizer.memory.played_game import build_played_game
    from randomizer.memory.played_games import add

    for name in ("color", "no_pager"):  # there is nothing to look at
        del said[name]
    translate = output.chosen_language(lang).translate
    (number,) = add([build_played_game(read(file, line), players=who, **said)])
    output.echo(translate("Noted as game {number}; `dominion-setup history` lists them.", number=number))


def read(file: BinaryIO | None, line: int | None) -> "Setup":
    """The setup document in a file, or in one of its lines; without a file the last table, and a word of it.

    Raises:
        BadDocument: there is none, or there are several, and nobody said which.
        NoResult: no file is named, and there is no last table.
    """
    if file is None:
        return _last(line)
    from randomizer.setup.schema import loads, select_document

    content, name = content_of(file)
    return loads(select_document(content, line, name), name)


def content_of(file: BinaryIO) -> "tuple[bytes, Value]":
    """Everything in a file that was named on the command line, and what errors call it.

    Raises:
        BadDocument: it cannot be read.
    """
    from randomizer.load.files import read_bounded_stream

    name = str(getattr(file, "name", "<stdin>"))
    called: Value = "what was piped in" if name == "<stdin>" else Verbatim(name)
    try:
        return read_bounded_stream(file, name), called
    except OSError as problem:
        raise BadDocument("{file}: {why}", file=called, why=describe_os_error(problem)) from None


def _last(line: int | None) -> "Setup":
    """The last table, and a word on stderr of which that is."""
    from randomizer.memory import last_table

    if line is not None:
        raise BadUsage("--line takes a line of a file; name the file too.")
    setup = last_table.read()
    output.tell(message("No file is named, so this is the last table: seed {text}.", text=setup["seed"]))
    return setup
