"""The deal of a single table, which has all boxes for itself."""

from collections.abc import Collection

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table, TableNote
from randomizer.text.language import Message


def deal_single_table(game: Game, request: Request, unavailable: Collection[str] = ()) -> Table:
    """Deal the table of a request as if it had all boxes for itself, including its vetoes and swaps.

    Args:
        game: the game.
        request: the request; its series is ignored.
        unavailable: the names of piles and landscapes that may not be chosen after a veto.

    Raises:
        TooFewCards: the chosen boxes contain too few cards.
        BadOptions: the wishes cannot be met, or a veto or a swap is impossible.
        UnknownName: a card to swap is not on the table.
    """
    # Most deals have no vetoes and no swaps, and these imports take time.
    if request.veto_count:
        from randomizer.deal.vetoing import deal_with_veto

        table = deal_with_veto(game, request, unavailable=unavailable)
    else:
        table = deal_table(game, request)
    if request.swaps:
        from randomizer.record.swapping import swap_cards

        table = swap_cards(game, request, table)
    if request.vetoed and request.wishes:
        _note_unmet_wishes(game, request, table)
    return table


def _note_unmet_wishes(game: Game, request: Request, table: Table) -> None:
    """Add a note about the wishes that a table no longer meets after a veto."""
    from randomizer.deal.wishes.matching import list_unmet_wishes

    names = [turned.card.name for turned in table.turned if turned.use != "skipped"]
    if unmet := list_unmet_wishes(game, request, names):
        text = ", ".join(unmet)
        table.notes.append(
            TableNote(Message("After the veto, these wishes are not met: {text}", (("text", text),)))
        )
