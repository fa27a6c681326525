"""The commands around saved setup documents."""

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cli import options, output

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

document_argument = click.argument("file", type=click.File("rb"))


@click.command()
@document_argument
@options.shown
def show(file: BinaryIO, **shown: Any) -> None:
    """Print a saved setup document; - reads it from a pipe."""
    from randomizer.load.games import load

    setup = read(file)
    output.show(setup, load(setup["game"]), **shown)


@click.command()
@document_argument
@options.shown
def second_deal(file: BinaryIO, **shown: Any) -> None:
    """Deal the Kingdom that replaces the one of a saved setup document."""
    from randomizer.load.games import load
    from randomizer.setup.command import files_of
    from randomizer.setup.second_deal import deal_again

    first = read(file)
    game = load(first["game"], extra=files_of(first))
    output.show(deal_again(game, first, output.languages(game)), game, **shown)


@click.command()
def schema() -> None:
    """Print the JSON Schema of the setup document."""
    from randomizer.setup.schema import schema_text

    output.echo(schema_text(), json=True)


def read(file: BinaryIO) -> "Setup":
    """The setup document in a file."""
    from randomizer.errors import BadDocument
    from randomizer.load.files import contents_of
    from randomizer.setup.schema import loads

    name = str(getattr(file, "name", "what was piped in"))
    try:
        content = contents_of(file, name)
    except OSError as problem:
        raise BadDocument(f"{name}: {problem.strerror}") from None
    return loads(content, name)
