"""The command that tells the odds of a deal."""

from typing import Any

import click

from randomizer.cli import deal, options, output
from randomizer.text.screen import ENDLESS


@click.command(
    cls=deal.Dealing,
    epilog="""\b
Examples:
  dominion-setup odds --sets base,adventures
  dominion-setup odds --sets base,adventures --players 4 --json
""",
)
@click.argument("card", nargs=-1, shell_complete=options.completing("several_cards"))
@deal.options
@options.json_option
@options.look
@click.pass_context
def odds(ctx: click.Context, /, card: tuple[str, ...], json: bool, **given: Any) -> None:
    """Tell the exact odds of a deal, and of cards.

    Their names go with commas between them.
    """
    from randomizer.browse import catalogue
    from randomizer.odds import report
    from randomizer.text.json import dumps

    lang, color, no_pager = (given.pop(name) for name in options.LOOK)
    game, asked = deal.asked(ctx, given, "")
    named = output.card_names(game).values()
    cards = [catalogue.find(name, game, named) for name in " ".join(card).split(",") if name.strip()]
    language = output.chosen_language(lang, game, json=json)
    with output.patience(language.say("Working the odds out …")):
        found = report.odds(game, asked, cards)
    if json:
        output.echo(dumps(found), json=True)
    else:
        columns = output.style(color, ENDLESS).columns
        output.echo(report.as_text(found, game, language, columns), paged=not no_pager)
