"""The commands `sets`, `cards` and `kingdoms`, which list things to deal, and `odds`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from randomizer.cli import deal, options, output
from randomizer.cli.localization import LocalizedCommand
from randomizer.text import screen
from randomizer.text.errors import BadSelector, BadUsage, NoResult, find_suggestions
from randomizer.text.language import Message, Verbatim, join_with_or, message, quote

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Card
    from randomizer.rules.index import Index
    from randomizer.rules.lookup import Answer

SORT_ORDERS = ("set", "cost", "name")


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup sets
  dominion-setup sets --lang ja
""",
)
@options.files_option
@options.game_option
@options.json_option
@options.output_options
def sets(files: Sequence[str], game: str | None, json: bool) -> None:
    """List the boxes and their names for --sets.

    Also shows the edition, the year and the number of Kingdom piles and landscapes.
    """
    from randomizer.browse import catalogue
    from randomizer.browse.show import render_boxes

    loaded_game = output.load_game_with_files(game, files)
    if json:
        languages = output.load_languages(loaded_game)
        facts = [
            catalogue.build_box_facts(box, loaded_game, languages)
            for box in catalogue.list_boxes(loaded_game)
        ]
        output.print_json(catalogue.BoxList(schema=1, boxes=facts))
        return
    language, style = output.choose_output_language(loaded_game), _get_list_style()
    output.echo(render_boxes(loaded_game, language, style), is_paged=True)


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup cards "village and cost:3-4"
  dominion-setup cards --type reserve --cost 4
  dominion-setup cards --set adventures --kind event
  dominion-setup cards --does village,buy --cost 4
  dominion-setup cards --cost "2P" --json
""",
)
@click.argument(
    "queries", metavar="[WHICH]...", nargs=-1, shell_complete=options.complete_with("cards_or_selectors")
)
@click.option(
    "--set",
    "set_",
    multiple=True,
    metavar="SETS",
    shell_complete=options.complete_with("sets"),
    help="Limit to these sets or boxes; repeatable.",
)
@click.option(
    "--type",
    "type_",
    multiple=True,
    metavar="TYPES",
    shell_complete=options.complete_with("types"),
    help="Limit to cards with all these types, such as action,attack; repeatable.",
)
@click.option("--cost", metavar="COST", help='Limit to cards with exactly this cost, such as 4, "2P" or 8D.')
@click.option(
    "--kind",
    metavar="KIND",
    shell_complete=options.complete_with("kinds"),
    help="Limit to this kind, such as kingdom or event.",
)
@click.option(
    "--does",
    "abilities",
    multiple=True,
    metavar="WORDS",
    shell_complete=options.complete_with("words"),
    help="Limit to cards with all these abilities, such as village,buy; repeatable.",
)
@click.option(
    "--sort",
    type=click.Choice(SORT_ORDERS),
    default="set",
    metavar="ORDER",
    help=f"Sort: {join_with_or(SORT_ORDERS)}.  [default: set]",
)
@options.files_option
@options.game_option
@click.option("--all", "all_", is_flag=True, help="Show the whole page.")
@options.json_option
@options.output_options
def cards(
    queries: tuple[str, ...],
    files: Sequence[str],
    game: str | None,
    sort: str,
    all_: bool,
    json: bool,
    **filters: Any,
) -> None:
    """Show a card, or list matching cards.

    A name alone shows that card, its rulings and what it adds to the setup. Anything else lists matching
    cards, with the same selectors as --without: attack, "village and cost:3-4", "event or way".
    """
    from randomizer.browse import catalogue, show

    loaded_game = output.load_game_with_files(game, files)
    names, languages = output.load_card_names(loaded_game), output.load_languages(loaded_game)
    text = " ".join(queries)
    named_card = None if any(filters.values()) else catalogue.get_card(text, loaded_game, names.values())
    matches = [named_card] if named_card else catalogue.filter_cards(loaded_game, languages, **filters)
    if queries and not named_card:
        with _convert_unknown_name():
            matches = catalogue.select_cards(text, matches, loaded_game, languages, names.values())
    if not matches:
        raise NoResult("no card matches; remove one of the conditions.")
    language = output.choose_output_language(loaded_game, is_escaped=json)
    matches = catalogue.sort_cards(matches, sort, names.get(language.code, {}))
    page = _find_page(named_card, loaded_game, files) if named_card else None
    if page:
        from randomizer.rules.show import build_card_page_json, render_text
    if json:
        facts = [catalogue.build_card_facts(card, loaded_game, names) for card in matches]
        cards: list[Any] = [{**facts[0], "page": build_card_page_json(page[0])}] if page else facts
        output.print_json({"schema": 1, "cards": cards})
        return
    if page:
        rows = None if all_ else screen.get_rows()
        text = render_text(*page, language, output.get_style(), rows=rows)
    elif named_card:
        lines = show.describe_card(named_card, loaded_game, languages, language)
        text = "\n".join(show.wrap_facts(lines, _get_list_style()))
    else:
        text = show.render_cards(matches, loaded_game, language, _get_list_style())
    output.echo(text, is_paged=True)


def _save_favourite(name_words: Sequence[str]) -> None:
    """Save the kingdom of the last table as a favourite under the name that consists of these words.

    Raises:
        Problem: the name is missing or invalid, or there is no last table.
    """
    from randomizer.browse.kingdoms import save_favourite
    from randomizer.cli.documents import read_setup
    from randomizer.load.games import load

    if not name_words:
        raise BadUsage("type a name for the kingdom: {command}", command=Verbatim("kingdoms save NAME"))
    setup = read_setup(None, None)
    game = load(setup["game"])
    names, languages = output.load_card_names(game).values(), output.load_languages(game)
    _print_confirmation(save_favourite(" ".join(name_words), setup, game, languages, names))


def _rename_favourite(names: Sequence[str]) -> None:
    """Rename a favourite, given its old and its new name.

    Raises:
        Problem: these are not two names, the old one is unknown, or the new one is invalid.
    """
    from randomizer.browse.kingdoms import build_favourite, convert_suggested
    from randomizer.memory import favourites

    if len(names) != 2:
        template = "type the old name and the new one: {command}"
        raise BadUsage(template, command=Verbatim('kingdoms rename "OLD" "NEW"'))
    game = output.load_game()
    old = favourites.get(names[0], game)
    card_names, languages = output.load_card_names(game).values(), output.load_languages(game)
    new = build_favourite(names[1], convert_suggested(old, game), game, languages, card_names)
    favourites.replace(old, new, game)
    _print_confirmation(message("Renamed {old} to {new}.", old=quote(old.name), new=quote(new.name)))


def _forget_favourite(name_words: Sequence[str]) -> None:
    """Delete the favourite with the name that consists of these words.

    Raises:
        UnknownName: no favourite has this name.
    """
    from randomizer.memory import favourites

    favourite = favourites.get(" ".join(name_words), output.load_game())
    favourites.forget(favourite)
    _print_confirmation(message("Removed {name}.", name=quote(favourite.name)))


def _print_confirmation(confirmation: Message) -> None:
    output.echo(output.choose_output_language().render(confirmation))


# The actions on favourites, by the first argument of `kingdoms`. Each function takes the other arguments.
_FAVOURITE_ACTIONS: Mapping[str, Callable[[Sequence[str]], None]] = {
    "save": _save_favourite,
    "rename": _rename_favourite,
    "forget": _forget_favourite,
}


@click.command(
    cls=LocalizedCommand,
    epilog="""\b
Examples:
  dominion-setup kingdoms first game
  dominion-setup kingdoms --sets base,seaside witch
  dominion-setup kingdoms save "Ann's best"
""",
)
@click.argument("words", nargs=-1, shell_complete=options.complete_with("kingdoms_or_actions"))
@options.sets_option("Limit to kingdoms you can build from these boxes; repeatable.")
@options.game_option
@options.json_option
@options.output_options
@click.pass_context
def kingdoms(
    ctx: click.Context, /, words: tuple[str, ...], sets: Sequence[str], game: str | None, json: bool
) -> None:
    """List recommended kingdoms and your favourites, or show one.

    Searches names, sets and cards for the words. To deal a kingdom, use --kingdom.

    `save NAME` makes the last table's kingdom a favourite, `rename OLD NEW` renames one, and `forget NAME`
    deletes it.
    """
    has_typed_sets = ctx.get_parameter_source("sets") is ParameterSource.COMMANDLINE
    if words and words[0] in _FAVOURITE_ACTIONS:
        if has_typed_sets or json:
            raise BadUsage("{action} takes no options.", action=Verbatim(f"`kingdoms {words[0]}`"))
        _FAVOURITE_ACTIONS[words[0]](words[1:])
        return
    from randomizer.browse import suggestions
    from randomizer.browse.boxes import resolve_boxes

    loaded_game = output.load_game(game or "")
    boxes = resolve_boxes(sets, loaded_game) if sets else ()
    matches = suggestions.search_kingdoms(
        words, loaded_game, output.load_languages(loaded_game), boxes, keep_favourites=not has_typed_sets
    )
    if not matches:
        names = [kingdom.name for kingdom in suggestions.list_kingdoms(loaded_game)]
        hits = find_suggestions(" ".join(words), names)
        if hits:
            raise NoResult("no recommended kingdom matches; did you mean {hits}?", hits=join_with_or(hits))
        raise NoResult("no recommended kingdom matches; remove one of the words.")
    if json:
        facts = [suggestions.build_kingdom_facts(kingdom, loaded_game) for kingdom in matches]
        output.print_json(suggestions.KingdomList(schema=1, kingdoms=facts))
        return
    language, style = output.choose_output_language(loaded_game), _get_list_style()
    if len(matches) == 1:
        text = suggestions.render_kingdom(matches[0], loaded_game, language, style)
    else:
        text = suggestions.render_kingdoms(matches, loaded_game, language, style)
    output.echo(text, is_paged=True)


@click.command(
    cls=deal.DealCommand,
    epilog="""\b
Examples:
  dominion-setup odds --sets base,adventures
  dominion-setup odds --sets base,adventures --players 4 --json
""",
)
@click.argument("card", nargs=-1, shell_complete=options.complete_with("several_cards"))
@deal.deal_options
@options.json_option
@options.output_options
@click.pass_context
def odds(ctx: click.Context, /, card: tuple[str, ...], json: bool, **values: Any) -> None:
    """Show the exact odds of a deal and of cards.

    Separate card names with commas.
    """
    from randomizer.browse import catalogue
    from randomizer.odds import report

    game, request = deal.build_request(ctx, values, "")
    names = output.load_card_names(game).values()
    cards = [catalogue.find_card(name, game, names) for name in " ".join(card).split(",") if name.strip()]
    language = output.choose_output_language(game, is_escaped=json)
    with output.notify_if_slow(language.translate("Calculating the odds …")):
        odds_data = report.build_odds(game, request, cards)
    if json:
        output.print_json(odds_data)
    else:
        text = report.render_odds(odds_data, game, language, _get_list_style().columns)
        output.echo(text, is_paged=True)


def _find_page(card: "Card", game: "Game", files: Sequence[str]) -> "tuple[Answer, Index] | None":
    """Return a card's page in the rulebooks and their index, or None if no rulebook covers the card."""
    # Lists do not need the rules.
    from randomizer.rules.lookup import build_card_page, has_rulebook, open_index

    if game.name != output.load_game().name or not has_rulebook(game.name):
        return None
    index = open_index(extra_files=files)
    return build_card_page(index, card.name), index


@contextmanager
def _convert_unknown_name() -> Iterator[None]:
    """Convert the error for a selector that is a single unknown name to `NoResult`."""
    try:
        yield
    except BadSelector as problem:
        if problem.highlighted:  # The unknown name is only a part of the selector.
            raise
        raise NoResult(problem.message) from None


def _get_list_style() -> "screen.Style":
    """Return the style of a list, whose lines are wrapped only if stdout is a terminal."""
    return output.get_style(screen.UNLIMITED_COLUMNS)
