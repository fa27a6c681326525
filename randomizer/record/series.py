"""Series of tables that use the same boxes at the same time (`--apart`)."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from randomizer.cards.game import Game, Request, Series
from randomizer.deal.growing import KINGDOM_CARDS, find_turn_up
from randomizer.deal.table import Table
from randomizer.deal.unused import shuffle_names
from randomizer.record.single_deal import deal_single_table
from randomizer.record.stock import Stock
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Message, message


def deal_series(game: Game, request: Request, last: int) -> Iterator[tuple[Request, Table]]:
    """Deal the tables of a series in order, without swaps and vetoes.

    Args:
        game: the game.
        request: the request for any table of the series.
        last: the number of the last table to deal.

    Returns:
        The request for each table, and the table.

    Raises:
        TooFewCards, BadOptions: the boxes have too few cards for the first table, or for all tables.
    """
    stock = Stock(game, request)
    for number in range(1, last + 1):
        numbered_request = request.for_table(number)
        table = _deal_from_stock(game, numbered_request, stock, number)
        stock.take(numbered_request, table)
        yield numbered_request, table


def deal_series_table(game: Game, request: Request, series: Series) -> Table:
    """Deal one table of a series, including its vetoes and swaps.

    Cards that a swap brings are on no other table of the series.

    Args:
        game: the game.
        request: the request for the table.
        series: the series of the request.

    Raises:
        TooFewCards: the boxes contain too few cards.
        BadOptions: the wishes cannot be met, or a veto or a swap is impossible.
        UnknownName: a card to swap is not on the table.
    """
    stock = Stock(game, request)
    for earlier_request, earlier_table in deal_series(game, request, series.number - 1):
        stock.take(earlier_request, earlier_table)
    unavailable: Sequence[str] = ()
    if request.vetoed is not None:  # What is chosen after the veto must not be on a later table either.
        others = _deal_other_tables(game, request, series)
        unavailable = [*others.find_used_up(), *others.find_lacking()]
    table = _deal_from_stock(game, request._replace(swaps=()), stock, series.number, unavailable)
    if request.swaps:
        table = _swap_cards(game, request, series, table)
        table.missing += stock.find_shortages(table)
    return table


def exclude_other_tables(game: Game, request: Request, series: Series) -> Request:
    """Return the request for a table of a series, in which what all other tables use is excluded."""
    stock = _deal_other_tables(game, request, series)
    return stock.restrict(request, stock.find_lacking()).request


def _deal_other_tables(game: Game, request: Request, series: Series) -> Stock:
    """Return the stock that all other tables of a series leave."""
    stock = Stock(game, request)
    with suppress(TooFewCards, BadOptions):  # The series is shorter than its count.
        for other_request, table in deal_series(game, request, series.table_count):
            if other_request.series != series:
                stock.take(other_request, table)
    return stock


def _deal_from_stock(
    game: Game, request: Request, stock: Stock, number: int, unavailable: Collection[str] = ()
) -> Table:
    """Deal the next table of a series, and list what it needs, but the boxes no longer have.

    Cards that need such a thing are avoided, unless the boxes have too few others.

    Args:
        game: the game.
        request: the request for the table.
        stock: what earlier tables leave.
        number: the number of the table.
        unavailable: the names of piles and landscapes that may not be chosen after a veto.

    Raises:
        TooFewCards, BadOptions: the boxes have too few cards.
    """
    try:
        table = _deal_restricted(game, request, stock, unavailable)
    except (TooFewCards, BadOptions) as problem:
        if number == 1 or request.series is None:
            raise
        template = "only {number} kingdoms without repeats are possible, not {count}: {fault}"
        raise BadOptions(
            template,
            number=number - 1,
            count=request.series.table_count,
            fault=_explain_shortage(problem),
        ) from None
    if not request.is_veto_open:
        table.missing += stock.find_shortages(table)
    return table


def _deal_restricted(game: Game, request: Request, stock: Stock, unavailable: Collection[str]) -> Table:
    """Deal a table from what is left in the boxes.

    Cards that lack something are used only if the others are too few, and then no more of them than needed.

    Raises:
        TooFewCards, BadOptions: the boxes have too few cards.
    """
    lacking = stock.find_lacking()
    while True:
        restricted = stock.restrict(request, lacking)
        try:
            return restricted.mark_closed(deal_single_table(game, restricted.request, unavailable))
        except TooFewCards as problem:
            allowed = _choose_lacking(game, request, lacking, problem)
            if not allowed:
                raise
            lacking = [name for name in lacking if name not in allowed]
        except BadOptions:  # The other cards cannot meet the wishes.
            if not lacking:
                raise
            lacking = []


def _choose_lacking(
    game: Game, request: Request, lacking: Sequence[str], problem: TooFewCards
) -> Sequence[str]:
    """Choose at random which cards to use although they lack something.

    Args:
        game: the game.
        request: the request for the table.
        lacking: the names of the piles and landscapes that lack something.
        problem: the error that dealing the table without them has raised.
    """
    turn_up = find_turn_up(game.opening)
    is_about_kingdom = problem.sort == KINGDOM_CARDS
    names = [
        name
        for name in lacking
        if turn_up is not None and turn_up.is_.matches(game.cards[name]) == is_about_kingdom
    ]
    shuffled = shuffle_names(request.seed, "lacking", names)
    return shuffled[: problem.wanted - problem.found]


def _swap_cards(game: Game, request: Request, series: Series, table: Table) -> Table:
    """Perform the swaps of a request for a table of a series.

    Raises:
        BadOptions: a swap is impossible, or its new card is on another table.
        UnknownName: a card to swap is not on the table.
    """
    from randomizer.record.swapping import swap_cards  # Most tables have no swaps, and the import takes time.

    stock = _deal_other_tables(game, request, series)
    for name in (swap.comes for swap in request.swaps if swap.comes):
        if stock.count_left(game.cards[name].member_of or name) == 0:
            raise BadOptions("{card} is on another table of this series.", card=name)
    # The boxes that were picked at random stay the same.
    wishes = request.wishes._replace(box_count=0)
    restricted = stock.restrict(
        request._replace(chosen=tuple(table.chosen), wishes=wishes), stock.find_lacking()
    )
    return swap_cards(game, restricted.request, table)


def _explain_shortage(problem: TooFewCards | BadOptions) -> Message:
    """Explain why the remaining cards are not sufficient for another table.

    Args:
        problem: the error that dealing that table has raised.
    """
    if isinstance(problem, TooFewCards):
        return message(
            "earlier tables used the others ({what} left: {count}; needed: {wanted}).",
            what=problem.sort,
            count=problem.found,
            wanted=problem.wanted,
        )
    return message("the cards that earlier tables left can't meet the wishes.")
