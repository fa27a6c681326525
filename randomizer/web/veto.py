"""Request handlers for a veto: the page on which players vote, their ballots, and the end of the vote."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from randomizer.cards.kingdom import NO_VETOES
from randomizer.setup.checklist import is_veto_open
from randomizer.setup.document import Setup
from randomizer.show.page import Page
from randomizer.text.errors import BadOptions
from randomizer.text.slugs import slugify
from randomizer.web.address import ServedTable, deal_table, encode_query, keep_table
from randomizer.web.frame import PageResponse, Visitor, render_page


def show_vote(page: Page, visitor: Visitor, path: str, *, vote_count: int, **values: Any) -> PageResponse:
    """Show the page on which the players of a table veto cards.

    Args:
        page: the table, whose veto is open.
        visitor: the visitor of the request.
        path: the path of the page, for links to the same page in other languages.
        vote_count: the number of players who have voted.
        values: further variables of the template: those that the pages of all tables need.
    """
    return render_page(
        "veto",
        visitor,
        path,
        language=page.language,
        page=page,
        slugs={page.language.translate_name(name): slugify(name) for name in _list_cards(page.setup)},
        max_count=get_max_ballot(page.setup),
        vote_count=vote_count,
        **values,
    )


def check_ballot(visitor: Visitor, cards: Sequence[str]) -> PageResponse:
    """Handle a ballot in `/veto/{key}`: check it, and return the number of players of the table as JSON.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        cards: the slugs of the cards that the player vetoes.

    Raises:
        BadOptions: the veto of the table is not open, or the player may not veto these cards.
    """
    setup = _deal_open_veto(visitor).setup
    most = get_max_ballot(setup)
    if len(cards) > most:
        raise BadOptions("each player can veto at most {most} cards of this table.", most=most)
    if not {*cards} <= {*map(slugify, _list_cards(setup))}:
        raise BadOptions("only cards on this page can be vetoed.")
    return _to_json(setup["players"])


def end_vote(visitor: Visitor, ballots: Sequence[Sequence[str]], keep: bool = False) -> PageResponse:
    """Handle the end of a vote in `/veto/{key}`: return the query string of the laid table as JSON.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        ballots: the slugs of the cards that each player vetoed. If they are more cards than the table allows,
            those with the most vetoes count, and among these the first ones dealt.
        keep: whether to save the laid table as a recent table of the user.

    Raises:
        BadOptions: the veto of the table is not open.
    """
    table = _deal_open_veto(visitor)
    counts = Counter(card for ballot in ballots for card in set(ballot))
    dealt = [card for card in map(slugify, _list_cards(table.setup)) if card in counts]
    vetoed = sorted(dealt, key=lambda card: -counts[card])[: table.setup["veto"]["count"]]
    *params, seed = table.query_params
    laid = deal_table([*params, ("vetoed", ",".join(vetoed) or NO_VETOES), seed])
    if keep:
        keep_table(laid)
    return _to_json(encode_query(laid.query_params))


def get_max_ballot(setup: Setup) -> int:
    """Return the maximum number of cards that each player may veto: an equal share, but at least one."""
    return max(1, setup["veto"]["count"] // setup["players"])


def _deal_open_veto(visitor: Visitor) -> ServedTable:
    """Deal the table of a vote.

    Raises:
        BadOptions: the veto of the table is not open.
    """
    table = deal_table(visitor.query_params)
    if not is_veto_open(table.setup):
        raise BadOptions("this table is not waiting for vetoes.")
    return table


def _list_cards(setup: Setup) -> list[str]:
    """Return the names of the cards that can be vetoed, in the order of the deal."""
    return [pile["name"] for pile in setup["piles"]]


def _to_json(content: object) -> PageResponse:
    return PageResponse(json.dumps(content), media_type="application/json")
