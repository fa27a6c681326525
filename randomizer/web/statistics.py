"""The handler of the page with the statistics of played games."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from randomizer.browse.boxes import resolve_boxes
from randomizer.memory.played_game import MAX_NAME_LENGTH, MAX_RATING
from randomizer.memory.played_games import load_games
from randomizer.memory.show_statistics import (
    format_estimate,
    format_mean,
    format_percent,
    get_translated_name,
    group_unused_cards,
)
from randomizer.memory.statistics import compute_statistics
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import NoResult
from randomizer.web.address import convert_defaults, load_requested_game
from randomizer.web.frame import PageResponse, Visitor, render_page

_MAX_DATE_LENGTH = 20  # characters


def show_statistics(visitor: Visitor, defaults: Mapping[str, Any]) -> PageResponse:
    """Handle `/statistics`: show the results of players and the ratings of cards and boxes.

    Query parameters:

    - `game`: the name of the game.
    - `player`, `since`, `until`: criteria that limit the games, as in the command `history stats`.

    Args:
        visitor: the visitor of the request.
        defaults: the user's own defaults for a deal. The boxes in them count as the boxes that the user owns.

    Raises:
        UnknownName: no game has this name.
        BadOptions: a parameter is not a date.
        BadDatabase: the history cannot be read.
    """
    loaded_game = load_requested_game(visitor.query_params)
    game, language = loaded_game.game, loaded_game.get_language(visitor.language_code)
    criteria = {name: visitor.get_last(name)[:_MAX_DATE_LENGTH] for name in ("since", "until")}
    criteria["player"] = visitor.get_last("player")[:MAX_NAME_LENGTH]
    box_names = [value for name, value in convert_defaults(defaults, game) if name == "sets"]
    owned_boxes = resolve_boxes(box_names, game) if box_names else ()
    statistics, fault = None, ""
    try:
        statistics = compute_statistics(load_games(), game, loaded_game.languages, owned_boxes, **criteria)
    except NoResult as problem:
        fault = language.render(problem.message)
    return render_page(
        "statistics",
        visitor,
        "statistics",
        language=language,
        fault=escape_control_characters(fault),
        criteria={name: escape_control_characters(text) for name, text in criteria.items()},
        game=visitor.get_last("game"),
        statistics=statistics,
        known_cards=game.cards,
        max_rating=MAX_RATING,
        format_percent=format_percent,
        format_share=partial(format_estimate, format=format_percent),
        format_mean=partial(format_estimate, format=format_mean),
        get_name=partial(get_translated_name, language=language),
        unused_cards_by_box=group_unused_cards(statistics, language) if statistics else {},
    )
