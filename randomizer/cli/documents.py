"""The commands around saved setup documents."""

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cli import options, output

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

_file_argument = click.argument("file", type=click.File("rb"))
line_option = click.option(
    "--line",
    type=click.IntRange(1),
    metavar="N",
    help="Take the N-th line of a file that has a document in each.",
)


@click.command(
    epilog="""\b
Examples:
  dominion-setup show game.json --lang ja
  dominion-setup show game.json --format line
"""
)
@_file_argument
@line_option
@options.shown
@options.look
def show(file: BinaryIO, line: int | None, **shown: Any) -> None:
    """Print a saved setup document; - reads it from a pipe."""
    from randomizer.load.games import load

    setup = read(file, line)
    output.show(setup, load(setup["game"]), **shown)


@click.command()
@_file_argument
@line_option
@options.shown
@options.look
def second_deal(file: BinaryIO, line: int | None, **shown: Any) -> None:
    """Deal the Kingdom that replaces that of a saved setup."""
    from randomizer.load.games import load
    from randomizer.record.second_deal import deal_again
    from randomizer.setup.command import files_of

    first = read(file, line)
    game = load(first["game"], extra=files_of(first))
    output.show(deal_again(game, first, output.languages(game)), game, **shown)


@click.command(
    epilog="""\b
Examples:
  dominion-setup schema > setup.schema.json
"""
)
@options.look
def schema(**_: Any) -> None:
    """Print the JSON Schema of the setup document."""
    from randomizer.setup.schema import schema_text

    output.echo(schema_text(), json=True)


def read(file: BinaryIO, line: int | None) -> "Setup":
    """The setup document in a file, or in one of its lines.

    Raises:
        BadDocument: there is none, or there are several, and nobody said which.
    """
    from randomizer.errors import BadDocument
    from randomizer.load.files import contents_of
    from randomizer.setup.schema import loads, one_of

    name = str(getattr(file, "name", "<stdin>")).replace("<stdin>", "what was piped in")
    try:
        content = contents_of(file, name)
    except OSError as problem:
        raise BadDocument(f"{name}: {problem.strerror}") from None
    return loads(one_of(content, line, name), name)
