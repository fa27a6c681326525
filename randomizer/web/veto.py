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
from randomizer.web.address import ServedTable, deal_table, encode_query, save_recent_table
from randomizer.web.frame import PageResponse, Visitor, render_page


def show_vote(page: Page, visitor: Visitor, path: str, *, vote_count: int, **values: Any) -> PageResponse:
    """Show the page on which the players of a table veto cards.

    Args:
        page: the page of the table. The veto of the table is open.
        visitor: the visitor of the request.
        path: the path of the page, for links to the same page in other languages.
        vote_count: the number of players who have voted.
        values: the template variables that the pages of all tables share.
    """
    return render_page(
        "veto",
        visitor,
        path,
        language=page.language,
        page=page,
        slugs_by_name={page.language.translate_name(name): slugify(name) for name in _list_cards(page.setup)},
        max_ballot_size=compute_max_ballot_size(page.setup),
        vote_count=vote_count,
        **values,
    )


def validate_ballot(visitor: Visitor, cards: Sequence[str]) -> PageResponse:
    """Handle a ballot in `/veto/{key}`: validate it, and return the number of players of the table as JSON.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        cards: the slugs of the cards that the player vetoes.

    Raises:
        BadOptions: the veto of the table is not open, or the player may not veto these cards.
    """
    setup = _deal_table_with_open_veto(visitor).setup
    max_size = compute_max_ballot_size(setup)
    if len(cards) > max_size:
        raise BadOptions("each player can veto at most {most} cards of this table.", most=max_size)
    if not {*cards} <= {*map(slugify, _list_cards(setup))}:
        raise BadOptions("only cards on this page can be vetoed.")
    return _build_json_response(setup["players"])


def end_vote(visitor: Visitor, ballots: Sequence[Sequence[str]], keep: bool = False) -> PageResponse:
    """Handle the end of a vote in `/veto/{key}`: lay out the table without the vetoed cards.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        ballots: the slugs of the cards that each player vetoed. If more cards are vetoed than the table
            allows, those with the most vetoes are removed; of cards with equally many, those dealt first.
        keep: whether to save the new table as a recent table of the user.

    Returns:
        The query string of the new table, as JSON.

    Raises:
        BadOptions: the veto of the table is not open.
    """
    table = _deal_table_with_open_veto(visitor)
    veto_counts = Counter(card for ballot in ballots for card in set(ballot))
    candidates = [card for card in map(slugify, _list_cards(table.setup)) if card in veto_counts]
    vetoed = sorted(candidates, key=lambda card: -veto_counts[card])[: table.setup["vetoes"]["max_count"]]
    *params, seed = table.query_params
    new_table = deal_table([*params, ("vetoed", ",".join(vetoed) or NO_VETOES), seed], visitor.language_code)
    if keep:
        save_recent_table(new_table)
    return _build_json_response(encode_query(new_table.query_params))


def compute_max_ballot_size(setup: Setup) -> int:
    """Return how many cards each player may veto at most: an equal share of all vetoes, but at least one."""
    return max(1, setup["vetoes"]["max_count"] // setup["players"])


def _deal_table_with_open_veto(visitor: Visitor) -> ServedTable:
    """Deal the table on which the players vote.

    Raises:
        BadOptions: the veto of the table is not open.
    """
    table = deal_table(visitor.query_params, visitor.language_code)
    if not is_veto_open(table.setup):
        raise BadOptions("this table is not waiting for vetoes.")
    return table


def _list_cards(setup: Setup) -> list[str]:
    """Return the names of the cards that can be vetoed, in the order of the deal."""
    return [pile["name"] for pile in setup["piles"]]


def _build_json_response(content: object) -> PageResponse:
    return PageResponse(json.dumps(content), media_type="application/json")
