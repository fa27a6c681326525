"""The commands around saved setup documents."""

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cli import options, output

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

document_argument = click.argument("file", type=click.File("rb"))


@click.command(
    epilog="""\b
Examples:
  dominion-setup show game.json --lang ja
  dominion-setup show game.json --format line
"""
)
@document_argument
@options.shown
@options.look
def show(file: BinaryIO, **shown: Any) -> None:
    """Print a saved setup document; - reads it from a pipe."""
    from randomizer.load.games import load

    setup = read(file)
    output.show(setup, load(setup["game"]), **shown)


@click.command()
@document_argument
@options.shown
@options.look
def second_deal(file: BinaryIO, **shown: Any) -> None:
    """Deal the Kingdom that replaces that of a saved setup."""
    from randomizer.load.games import load
    from randomizer.setup.second_deal import deal_again, files_of

    first = read(file)
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


def read(file: BinaryIO) -> "Setup":
    """The setup document in a file."""
    from randomizer.setup.schema import loads

    return loads(file.read(), getattr(file, "name", "what was piped in"))
