"""The command that looks rules up."""

from typing import BinaryIO

import click

from randomizer.cli import shared
from randomizer.cli.documents import read
from randomizer.errors import NoResult, UnknownName, nearest


@click.command()
@click.argument("term", nargs=-1, shell_complete=shared.completing("terms"))
@shared.game_option
@click.option(
    "--for",
    "file",
    type=click.File("rb"),
    metavar="FILE",
    help="Only what applies to the table of this setup document; - reads it from a pipe.",
)
@click.option("--list", "list_", is_flag=True, help="List all entries.")
@shared.json_option
@shared.lang_option
@shared.color_option
def rules(
    term: tuple[str, ...],
    game: str | None,
    file: BinaryIO | None,
    list_: bool,
    json: bool,
    lang: str | None,
    color: str | None,
) -> None:
    """Look up a rule or a card, in any language, typos forgiven."""
    from randomizer import answers
    from randomizer.index import open_index

    index = open_index()
    if game is not None and game not in index.titles:
        raise UnknownName("game", game, nearest(game, index.titles) or list(index.titles))
    if bool(term) + (file is not None) + list_ != 1:
        raise click.UsageError("name a term, as in `rules reserve`, or take one of --for and --list.")
    if list_:
        answer = answers.everything(index, game)
    elif file is not None:
        answer = answers.for_table(index, read(file))
    else:
        answer = answers.to_query(index, " ".join(term), game)
    if answer and answer.aside:
        click.echo(answer.aside, err=True)
    if json:
        shared.echo(answers.as_json(answer), json=True)
    elif answer:
        style = shared.style(color)
        shared.echo(answers.as_text(answer, index, shared.chosen_language(lang), style))
    if not answer:
        raise NoResult(answer.aside or "no rule applies to this table in particular.")
