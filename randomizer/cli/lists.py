"""The commands that list what there is: sets and cards."""

from typing import Any

import click

from randomizer.cli import options, output
from randomizer.errors import NoResult


@click.command()
@options.json_option
@options.lang_option
def sets(json: bool, lang: str | None) -> None:
    """List the boxes: their names for --sets, edition, year, Kingdom piles and landscapes."""
    from randomizer.browse import catalogue
    from randomizer.browse.show import boxes_text
    from randomizer.load.games import load

    game = load()
    if json:
        boxes = catalogue.boxes(game)
        _print_json("sets", [catalogue.box_facts(box, game, output.languages(game)) for box in boxes])
    else:
        output.echo(boxes_text(game, output.chosen_language(lang, game)))


@click.command()
@click.argument("name", nargs=-1, shell_complete=options.completing("cards"))
@click.option(
    "--set",
    "set_",
    metavar="SET",
    shell_complete=options.completing("sets"),
    help="Only cards of this set or box.",
)
@click.option("--type", "type_", metavar="TYPE", help="Only cards of this type, such as reserve.")
@click.option("--cost", metavar="COST", help='Only cards that cost just this, such as 4 or "2P" or 8D.')
@click.option("--kind", metavar="KIND", help="Only things of this kind, such as kingdom or event.")
@options.json_option
@options.lang_option
def cards(name: tuple[str, ...], json: bool, lang: str | None, **filters: Any) -> None:
    """Show a card and what it brings at setup, or list the cards that fit."""
    from randomizer.browse import catalogue, show
    from randomizer.load.games import load

    game = load()
    named = output.card_names(game)
    language = output.chosen_language(lang, game)
    one = [catalogue.find(" ".join(name), game, named.values())] if name else []
    found = one or catalogue.fitting(game, **filters)
    if not found:
        raise NoResult("no card fits; leave one of the conditions out.")
    if json:
        _print_json("cards", [catalogue.card_facts(card, game, named) for card in found])
    elif name:
        output.echo("\n".join(show.card_text(found[0], game, output.languages(game), language)))
    else:
        output.echo(show.cards_text(found, language))


def _print_json(key: str, facts: list[dict[str, Any]]) -> None:
    from randomizer.browse.catalogue import SCHEMA
    from randomizer.text.json import dumps

    output.echo(dumps({"schema": SCHEMA, key: facts}), json=True)
