"""The commands around saved setup documents."""

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from randomizer.cli import shared

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

document_argument = click.argument("file", type=click.File("rb"))


@click.command()
@document_argument
@shared.sort_option
@shared.json_option
@shared.lang_option
@shared.color_option
def show(file: BinaryIO, **shown: Any) -> None:
    """Print a saved setup document; - reads it from a pipe."""
    from randomizer.load.games import load

    setup = read(file)
    shared.show(setup, load(setup["game"]), **shown)


@click.command()
@document_argument
@shared.sort_option
@shared.json_option
@shared.lang_option
@shared.color_option
def second_deal(file: BinaryIO, **shown: Any) -> None:
    """Deal the Kingdom that replaces the one of a saved setup document."""
    from randomizer.load.games import load
    from randomizer.setup.second_deal import deal_again, files_of

    first = read(file)
    game = load(first["game"], extra=files_of(first))
    shared.show(deal_again(game, first, shared.languages(game)), game, **shown)


@click.command()
def schema() -> None:
    """Print the JSON Schema of the setup document."""
    from randomizer.setup.schema import schema_text

    shared.echo(schema_text(), json=True)


def read(file: BinaryIO) -> "Setup":
    """The setup document in a file."""
    from randomizer.setup.schema import loads

    return loads(file.read(), getattr(file, "name", "what was piped in"))
