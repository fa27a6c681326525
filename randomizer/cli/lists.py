"""The commands that tell what there is: sets, cards, suggested kingdoms, and how likely they are."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from randomizer.cli import deal, options, output, speech
from randomizer.text import screen
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadSelector, NoResult, find_suggestions
from randomizer.text.language import join_with_or

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Card
    from randomizer.rules.index import Index
    from randomizer.rules.lookup import Answer

ORDERS = ("set", "cost", "name")  # those of `catalogue`, which other commands need not load


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup sets
  dominion-setup sets --lang ja
""",
)
@options.files_option
@options.game_option
@options.json_option
@options.look
def sets(
    files: Sequence[str], game: str | None, json: bool, lang: str | None, color: str | None, no_pager: bool
) -> None:
    """List the boxes, and what each is called after --sets.

    With them go edition, year, and how many Kingdom piles and landscapes they hold.
    """
    from randomizer.browse import catalogue
    from randomizer.browse.show import render_boxes

    known = output.game_of(game, files)
    if json:
        boxes = catalogue.list_boxes(known)
        _print_json("sets", [catalogue.build_box_facts(box, known, output.languages(known)) for box in boxes])
    else:
        text = render_boxes(
            known, output.chosen_language(lang, known), output.style(color, screen.UNLIMITED_COLUMNS)
        )
        output.echo(text, paged=not no_pager)


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup cards "village and cost:3-4"
  dominion-setup cards --type reserve --cost 4
  dominion-setup cards --set adventures --kind event
  dominion-setup cards --does village,buy --cost 4
  dominion-setup cards --cost "2P" --json
""",
)
@click.argument("which", nargs=-1, shell_complete=options.completing("cards_or_selectors"))
@click.option(
    "--set",
    "set_",
    multiple=True,
    metavar="SETS",
    shell_complete=options.completing("sets"),
    help="Only cards of these sets or boxes; repeatable.",
)
@click.option(
    "--type",
    "type_",
    multiple=True,
    metavar="TYPES",
    shell_complete=options.completing("types"),
    help="Only cards that are all this, such as action,attack; repeatable.",
)
@click.option("--cost", metavar="COST", help='Only cards that cost just this, such as 4 or "2P" or 8D.')
@click.option(
    "--kind",
    metavar="KIND",
    shell_complete=options.completing("kinds"),
    help="Only things of this kind, such as kingdom or event.",
)
@click.option(
    "--does",
    multiple=True,
    metavar="WORDS",
    shell_complete=options.completing("words"),
    help="Only cards that do this, such as village,buy; repeatable.",
)
@click.option(
    "--sort",
    type=click.Choice(ORDERS),
    default="set",
    metavar="ORDER",
    help=f"By {join_with_or(ORDERS)}.  [default: set]",
)
@options.files_option
@options.game_option
@click.option("--all", "all_", is_flag=True, help="All of a card's page, be it higher than a screen.")
@options.json_option
@options.look
def cards(
    which: tuple[str, ...],
    files: Sequence[str],
    game: str | None,
    sort: str,
    all_: bool,
    json: bool,
    lang: str | None,
    color: str | None,
    no_pager: bool,
    **filters: Any,
) -> None:
    """Show a card, or list those that fit.

    A name alone shows that card, its rulings, and what it brings at setup. Anything else says which cards to
    list, as --without does: attack, "village and cost:3-4", "event or way".
    """
    from randomizer.browse import catalogue, show

    known = output.game_of(game, files)
    named, languages = output.card_names(known), output.languages(known)
    text = " ".join(which)
    alone = None if any(filters.values()) else catalogue.get_card(text, known, named.values())
    found = [alone] if alone else catalogue.filter_cards(known, languages, **filters)
    if which and not alone:
        with _nothing_called_so():
            found = catalogue.select_cards(text, found, known, languages, named.values())
    if not found:
        raise NoResult("no card fits; leave one of the conditions out.")
    language = output.chosen_language(lang, known, escapes=json)
    found = catalogue.sort_cards(found, sort, named.get(language.code, {}))
    page = _page(alone, known) if alone else None
    if page:
        from randomizer.rules.show import card_page_json, render_text
    if json:
        facts = [catalogue.build_card_facts(card, known, named) for card in found]
        _print_json("cards", [{**facts[0], "page": card_page_json(page[0])}] if page else facts)
        return
    style = output.style(color, screen.UNLIMITED_COLUMNS)
    if page:
        rows = None if all_ else screen.get_rows()
        output.echo(render_text(*page, language, output.style(color), rows=rows), paged=not no_pager)
    elif alone:
        lines = show.wrap_facts(show.describe_card(alone, known, languages, language), style)
        output.echo("\n".join(lines), paged=not no_pager)
    else:
        output.echo(show.render_cards(found, language, style), paged=not no_pager)


@click.command(
    cls=speech.Command,
    epilog="""\b
Examples:
  dominion-setup kingdoms first game
  dominion-setup kingdoms --sets base,seaside witch
""",
)
@click.argument("words", nargs=-1, shell_complete=options.completing("kingdoms"))
@click.option(
    "-s",
    "--sets",
    multiple=True,
    metavar="SETS",
    shell_complete=options.completing("sets"),
    help="Only those that these boxes can lay out; repeatable.",
)
@options.game_option
@options.json_option
@options.look
def kingdoms(
    words: tuple[str, ...],
    sets: Sequence[str],
    game: str | None,
    json: bool,
    lang: str | None,
    color: str | None,
    no_pager: bool,
) -> None:
    """List the kingdoms that rulebooks suggest, or show one.

    Words are looked for in their names, sets and cards. --kingdom deals one.
    """
    from randomizer.browse import suggestions
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.load.kingdoms import load_kingdoms

    known = output.game_of(game, ())
    found = suggestions.search_kingdoms(
        words, known, output.languages(known), resolve_boxes(sets, known) if sets else ()
    )
    if not found:
        names = [kingdom.name for kingdom in load_kingdoms(known)]
        hits = find_suggestions(" ".join(words), names)
        if hits:
            raise NoResult("no suggested kingdom fits; did you mean {hits}?", hits=join_with_or(hits))
        raise NoResult("no suggested kingdom fits; leave one of the words out.")
    if json:
        _print_json("kingdoms", [suggestions.build_kingdom_facts(kingdom, known) for kingdom in found])
        return
    language, style = output.chosen_language(lang, known), output.style(color, screen.UNLIMITED_COLUMNS)
    if len(found) == 1:
        text = suggestions.render_kingdom(found[0], known, language, style)
    else:
        text = suggestions.render_kingdoms(found, known, language, style)
    output.echo(text, paged=not no_pager)


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
    cards = [catalogue.find_card(name, game, named) for name in " ".join(card).split(",") if name.strip()]
    language = output.chosen_language(lang, game, escapes=json)
    with output.patience(language.translate("Working the odds out …")):
        found = report.odds(game, asked, cards)
    if json:
        output.echo(dumps(found), escape=escape_non_ascii_json)
    else:
        columns = output.style(color, screen.UNLIMITED_COLUMNS).columns
        output.echo(report.as_text(found, game, language, columns), paged=not no_pager)


def _page(card: "Card", game: "Game") -> "tuple[Answer, Index] | None":
    """The card's page in the rulebooks, if they have one: those of the user's own files have none."""
    from randomizer.rules.lookup import card_page, has_rulebook, open_index  # which a list does without

    usual = output.loaded()
    if game.name != usual.name or card.name not in usual.cards or not has_rulebook(game.name):
        return None
    index = open_index()
    return card_page(index, card.name), index


@contextmanager
def _nothing_called_so() -> Iterator[None]:
    """A name that nobody knows finds nothing; a selector that is wrong somewhere cannot be read."""
    try:
        yield
    except BadSelector as problem:
        if problem.highlighted:  # other words are around it
            raise
        raise NoResult(problem.message) from None


def _print_json(key: str, facts: list[dict[str, Any]]) -> None:
    from randomizer.browse.catalogue import SCHEMA_VERSION
    from randomizer.text.json import dumps

    output.echo(dumps({"schema": SCHEMA_VERSION, key: facts}), escape=escape_non_ascii_json)
