"""The commands that list what there is: sets and cards."""

from typing import Any

import click

from randomizer.cli import shared
from randomizer.errors import NoResult
from randomizer.text.language import ENGLISH


@click.command()
@shared.json_option
@shared.lang_option
def sets(json: bool, lang: str | None) -> None:
    """List the boxes: their names for --sets, edition, year, Kingdom piles and landscapes."""
    from randomizer.browse import catalogue
    from randomizer.load.games import load

    game = load()
    if json:
        entries = [catalogue.box_entry(box, game, shared.languages(game)) for box in catalogue.boxes(game)]
        _print_json("sets", entries)
    else:
        shared.echo(catalogue.boxes_text(game, shared.chosen_language(lang, game)))


@click.command()
@click.argument("name", nargs=-1, shell_complete=shared.completing("cards"))
@click.option(
    "--set",
    "set_",
    metavar="SET",
    shell_complete=shared.completing("sets"),
    help="Only cards of this set or box.",
)
@click.option("--type", "type_", metavar="TYPE", help="Only cards of this type, such as reserve.")
@click.option("--cost", metavar="COST", help='Only cards that cost just this, such as 4 or "2P" or 8D.')
@click.option("--kind", metavar="KIND", help="Only things of this kind, such as kingdom or event.")
@shared.json_option
@shared.lang_option
def cards(name: tuple[str, ...], json: bool, lang: str | None, **filters: Any) -> None:
    """Show a card and what it brings at setup, or list the cards that fit."""
    from randomizer.browse import catalogue
    from randomizer.load import languages as language
    from randomizer.load.games import load

    game = load()
    named = [language.card_names(code, game) for code in language.codes() if code != ENGLISH]
    chosen = shared.chosen_language(lang, game)
    one = [catalogue.find(" ".join(name), game, named)] if name else []
    found = one or catalogue.fitting(game, **filters)
    if not found:
        raise NoResult("no card fits; leave one of the conditions out.")
    if json:
        _print_json("cards", [catalogue.card_entry(card, game, named[0]) for card in found])
    elif name:
        shared.echo("\n".join(catalogue.card_text(found[0], game, shared.languages(game), chosen)))
    else:
        shared.echo(catalogue.cards_text(found, chosen))


def _print_json(key: str, entries: list[dict[str, Any]]) -> None:
    from randomizer.browse.catalogue import SCHEMA
    from randomizer.show.text import dumps

    shared.echo(dumps({"schema": SCHEMA, key: entries}), json=True)
