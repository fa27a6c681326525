"""Request handlers for the deal form, tables, swaps, exports, and the history of played games."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple, cast

from randomizer.browse import kingdoms
from randomizer.browse.boxes import resolve_boxes
from randomizer.browse.catalogue import list_boxes
from randomizer.browse.deal_options import DEFAULT_PLAYERS, REPEATABLE_OPTIONS
from randomizer.cards.editions import ALL, is_only_announced, list_box_slugs
from randomizer.cards.game import Game
from randomizer.load.games import list_games
from randomizer.memory import favourites, played_games
from randomizer.memory.played_game import MAX_RATING, PlayedGame, build_played_game
from randomizer.setup.checklist import is_veto_open
from randomizer.setup.document import Setup
from randomizer.setup.lines import Line
from randomizer.setup.replay import extract_request
from randomizer.show.formats import FORMATS
from randomizer.show.html import collect_search_words
from randomizer.show.page import Page, TableSeries
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadOptions, Problem, UnknownName, describe_os_error
from randomizer.text.language import Language, Verbatim
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify, split_at_commas
from randomizer.web.address import (
    MAX_TABLES,
    QueryParams,
    ServedTable,
    add_seed,
    build_query_params,
    build_table_key,
    convert_defaults,
    deal_table,
    deal_tables,
    encode_query,
    is_series,
    list_settings,
    load_game,
    load_requested_game,
    parse_query,
    save_recent_table,
)
from randomizer.web.frame import (
    HTML_TYPE,
    MAX_QR_CODE_URL_LENGTH,
    PageResponse,
    Visitor,
    redirect_to,
    render_page,
    rephrase_for_page,
)
from randomizer.web.lookups import find_table_rules
from randomizer.web.veto import show_vote

_TABLE_PATH = "table"
_TABLES_PATH = "tables"
_MAX_SHOWN_GAMES = 100  # games on the history page
_MEDIA_TYPES: Mapping[str, str] = {  # format -> media type, for formats that are not plain text
    "html": HTML_TYPE,
    "json": "application/json",
    "ndjson": "application/x-ndjson",
}


# ── The form ──


def show_form(visitor: Visitor, errors: Sequence[str] = (), defaults: Mapping[str, Any] = {}) -> PageResponse:
    """Handle `/`: show the deal form, filled in from the query parameters.

    If the URL names neither boxes nor a kingdom, the user's own boxes are ticked, or else the default box.

    Args:
        visitor: the visitor of the request.
        errors: messages about invalid query parameters, which are shown above the form.
        defaults: the user's own defaults. The boxes in them are listed first. If the URL has no query
            parameters except `game`, the form is filled in from these defaults.
    """
    params = visitor.query_params or [("game", str(defaults.get("game", "")))]
    try:
        loaded_game = load_requested_game(params)
    except UnknownName:
        loaded_game = load_game()
    game = loaded_game.game
    if {name for name, _ in params} == {"game"}:
        params = convert_defaults(defaults, game) or params
    own_boxes = _resolve_boxes(_get_sets(convert_defaults(defaults, game)), game)
    default_boxes = _resolve_boxes([next(iter(game.sets))], game)
    sets = _get_sets(params)
    if not sets and "kingdom" not in dict(params):  # A kingdom without boxes uses the boxes that it needs.
        sets = [*(own_boxes or default_boxes)]
    language = loaded_game.get_language(visitor.language_code)
    return render_page(
        "deal",
        visitor,
        "",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        language=language,
        errors=[escape_control_characters(rephrase_for_page(error, language)) for error in errors],
        title=language.translate(game.title),
        game=game,
        games=[(name, language.translate(load_game(name).game.title)) for name in list_games()],
        box_groups=_group_boxes(game, own_boxes, language),
        newest_boxes=list_box_slugs(game, newest=True) if len(game.boxes) > 1 else (),
        all_boxes=ALL,
        player_counts=game.player_counts(),
        default_players=str(DEFAULT_PLAYERS),
        max_tables=MAX_TABLES,
        options=list(list_settings(game).values()) if game.options else [],
        values=_build_field_values(params),
        sets=[*split_at_commas(sets), *_resolve_boxes(sets, game)],
        default_boxes=language.join(language.boxes[slug] for slug in default_boxes),
    )


def _get_sets(params: QueryParams) -> list[str]:
    """Return the values of the query parameter `sets`, which name boxes."""
    return [value for name, value in params if name == "sets"]


def _build_field_values(params: QueryParams) -> dict[str, str]:
    """Map the name of each query parameter to the text of its form field; missing fields are empty.

    Values of a repeatable option are joined with commas. Of other repeated parameters, the last value is
    used.
    """
    text_by_field: defaultdict[str, str] = defaultdict(str)
    for name, value in params:
        previous = f"{text_by_field[name]}," if name in REPEATABLE_OPTIONS and text_by_field[name] else ""
        text_by_field[name] = previous + "\n".join(map(escape_control_characters, value.splitlines()))
    return text_by_field


def _resolve_boxes(box_names: Sequence[str], game: Game) -> Sequence[str]:
    """Return the slugs of the named boxes; none if a name is invalid."""
    try:
        return resolve_boxes(box_names, game)
    except Problem:  # Sending the form shows the error.
        return []


class BoxGroup(NamedTuple):
    """A group of checkboxes in the form.

    Attributes:
        title: the heading.
        boxes: the value and the label of each checkbox: a box, or a card that is sold singly.
        is_collapsed: whether to show only the heading if no checkbox of the group is ticked.
    """

    title: str
    boxes: Sequence[tuple[str, str]]
    is_collapsed: bool


def _group_boxes(game: Game, own_boxes: Collection[str], language: Language) -> list[BoxGroup]:
    """Group the boxes of a game: the user's boxes, other boxes, older editions, and cards sold singly.

    Returns:
        The groups that are not empty, all but the first one collapsed; none if the game has only one box.
    """
    translate = language.translate
    titles = ("Your boxes", "Other boxes" if own_boxes else "Boxes", "Older editions")
    own, other, older = map(translate, titles)
    groups: dict[str, list[tuple[str, str]]] = {own: [], other: [], older: []}
    newest_boxes = list_box_slugs(game, newest=True)
    for box in list_boxes(game) if len(game.boxes) > 1 else ():
        slug, name = box.slug, language.boxes[box.slug]
        if is_only_announced(slug, game):
            continue
        if box.singly:
            cards = [card.name for card in game.cards.in_boxes([slug]) if not card.member_of]
            choices = [(slugify(card), language.translate_name(card)) for card in cards]
            groups[name] = [(slug, translate("All")), *choices]
        else:
            groups[own if slug in own_boxes else other if slug in newest_boxes else older].append(
                (slug, name)
            )
    non_empty_groups = [(title, boxes) for title, boxes in groups.items() if boxes]
    return [
        BoxGroup(title, boxes, is_collapsed=index > 0)
        for index, (title, boxes) in enumerate(non_empty_groups)
    ]


# ── The table ──


def show_table(
    visitor: Visitor,
    ticked_ids: Sequence[str] = (),
    token: str = "",
    game_key: str = "",
    successor: str = "",
    is_newest: bool = False,
    keep: bool = False,
    can_save_favourite: bool = False,
    vote_count: int = 0,
    has_voted: bool = False,
) -> PageResponse:
    """Handle `/table` and `/newest`: deal a table and show it.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        ticked_ids: the ids of the ticked lines of the checklist.
        token: the token that the page has to send with changes, to prevent request forgery.
        game_key: a random key for recording the game. If the form is sent twice, the game is recorded once.
        successor: the query string of the table that has replaced this one; empty if none has.
        is_newest: whether the page was opened as `/newest` and therefore has to switch to each new table.
        keep: whether to save a table that has just been dealt as a recent table of the user.
        can_save_favourite: whether the visitor may save the kingdom as a favourite.
        vote_count: the number of players who have voted if the veto of the table is open.
        has_voted: whether the visitor has voted.
    """
    if is_series(visitor.query_params):
        return show_tables(visitor)
    try:
        table = deal_table(visitor.query_params, visitor.language_code)
    except Problem as problem:
        return show_form(visitor, problem.render_lines(load_game().get_language(visitor.language_code)))
    params = table.query_params
    if params != visitor.query_params:
        if keep:
            save_recent_table(table)
        return redirect_to(visitor.url_for(_TABLE_PATH, params))
    page = _build_page(table, visitor)
    form_params = [pair for pair in params if pair[0] not in ("seed", "swap", "vetoed", "table")]
    # Without a kingdom, another table need not have the cards that were swapped.
    keeps_swaps = "kingdom" in dict(params)
    another_params = (
        [pair for pair in params if pair[0] not in ("seed", "table")] if keeps_swaps else form_params
    )
    shown_visitor = visitor._replace(query_params=[] if is_newest else params)
    path = "newest" if is_newest else _TABLE_PATH
    shared_values: dict[str, Any] = {
        "game": table.loaded_game.game.name,
        "key": build_table_key(params),
        "token": token,
        "query": encode_query(params),
        "table_params": params,
        "is_newest": is_newest,
        "successor": successor,
        "successor_url": visitor.url_for(_TABLE_PATH, parse_query(successor)[0]),
        "shared_url": f"{visitor.origin}{visitor.url_for(_TABLE_PATH, params)}",
        "max_qr_code_url_length": MAX_QR_CODE_URL_LENGTH,
        "another_url": visitor.url_for(_TABLE_PATH, another_params),
        "form_url": visitor.url_for("", form_params),
        "card_urls": _map_card_urls(table, page, visitor),
    }
    if is_veto_open(table.setup):
        return show_vote(
            page, shown_visitor, path, vote_count=vote_count, has_voted=has_voted, **shared_values
        )
    return render_page(
        "served-table",
        shown_visitor,
        path,
        language=page.language,
        page=page,
        search_words=collect_search_words([page]),
        played=defaultdict(str, token=token, table=encode_query(params), fresh=game_key),
        ticked_ids=ticked_ids,
        can_save_favourite=can_save_favourite,
        last_swap=_describe_last_swap(table, page, visitor),
        swappable={page.language.translate_name(name): slugify(name) for name in list_swappable_names(page)},
        **shared_values,
        url_for_rule=lambda id_: visitor.url_for(f"rules/{table.loaded_game.game.name}/{id_}"),
        rules_url=visitor.url_for("rules", [("table", encode_query(params))]),
        formats=[(name, visitor.url_for(f"{_TABLE_PATH}.{name}", params)) for name in FORMATS],
    )


class ServedSheet(NamedTuple):
    """A table on the page of several tables.

    Attributes:
        page: the table in the language of the page.
        url: the URL of its own page.
        shared_url: the same URL with the scheme and host, for phones.
        query_params: the query parameters of that page.
    """

    page: Page
    url: str
    shared_url: str
    query_params: QueryParams


def show_tables(visitor: Visitor) -> PageResponse:
    """Handle `/tables`: deal several tables, and show each with its URL and its QR code.

    Args:
        visitor: the visitor of the request, with the query parameters of the tables.
    """
    try:
        params = add_seed(visitor.query_params)
        if not is_series(params):
            return redirect_to(visitor.url_for(_TABLE_PATH, params))
        if params != visitor.query_params:
            return redirect_to(visitor.url_for(_TABLES_PATH, params))
        tables = list(deal_tables(params, visitor.language_code))
    except Problem as problem:
        return show_form(visitor, problem.render_lines(load_game().get_language(visitor.language_code)))
    form_params = [pair for pair in params if pair[0] != "seed"]
    pages = [_build_page(table, visitor) for table in tables]
    sheets = []
    for table, page in zip(tables, pages, strict=True):
        url = visitor.url_for(_TABLE_PATH, table.query_params)
        sheets.append(ServedSheet(page, url, f"{visitor.origin}{url}", table.query_params))
    return render_page(
        "served-tables",
        visitor,
        _TABLES_PATH,
        language=pages[0].language,
        series=TableSeries(pages),
        seed=escape_control_characters(dict(params)["seed"]),
        sheets=sheets,
        form_url=visitor.url_for("", form_params),
        another_url=visitor.url_for(_TABLES_PATH, form_params),
        max_qr_code_url_length=MAX_QR_CODE_URL_LENGTH,
    )


def show_missing_table(visitor: Visitor) -> PageResponse:
    """Handle `/newest` before any table has been dealt."""
    language = load_game().get_language(visitor.language_code)
    text = language.translate("No table has been dealt yet. Deal one, and this page shows it.")
    return render_page("no-table", visitor, "newest", title=language.translate("Newest table"), lines=[text])


def _build_page(table: ServedTable, visitor: Visitor) -> Page:
    language = table.loaded_game.get_language(visitor.language_code)
    game = table.loaded_game.game
    return Page(table.setup, language, game=game, find_rules=find_table_rules, table=table.numbers)


def _map_card_urls(table: ServedTable, page: Page, visitor: Visitor) -> dict[str, str]:
    """Map the names of the cards on a table, in the language of the page, to the URLs of their pages."""
    setup = page.setup
    names = [part["name"] for part in (*setup["set_aside"], *setup["landscapes"], *setup["piles"])]
    return {
        page.language.translate_name(name): visitor.url_for(f"cards/{slugify(name)}")
        for name in names
        if name in table.loaded_game.game.cards
    }


def list_swappable_names(page: Page) -> list[str]:
    """Return the names of the cards and landscapes on a page that the user can swap for others."""
    deck_names = {deck["name"] for deck in page.setup["decks"]}
    kingdom = page.kingdom
    chosen = [
        name
        for question, names in kingdom.chosen.items()
        if question.partition(", ")[0] not in deck_names
        for name in names
    ]
    return list(dict.fromkeys((*kingdom.cards, *kingdom.landscapes, *chosen)))


# ── Swaps ──


class LastSwap(NamedTuple):
    """The difference between a table and the table before its last swap.

    Attributes:
        removed: the slug and the translated name of each card that was swapped out.
        added: the translated names of the cards that replaced them.
        new_lines: the ids of the checklist lines that the previous table did not have.
    """

    removed: Sequence[tuple[str, str]]
    added: Sequence[str]
    new_lines: Collection[str]


def _describe_last_swap(table: ServedTable, page: Page, visitor: Visitor) -> LastSwap | None:
    """Compare a table with the table before its last swap. Return None if no card has been swapped."""
    params = _remove_last_swap(table.query_params)
    if params == table.query_params:
        return None
    old_page = _build_page(deal_table(params, visitor.language_code), visitor)
    old_names, new_names = list_swappable_names(old_page), list_swappable_names(page)
    translate_name = page.language.translate_name
    old_lines, new_lines = _map_line_ids(old_page), _map_line_ids(page)
    return LastSwap(
        [(slugify(name), translate_name(name)) for name in old_names if name not in new_names],
        [translate_name(name) for name in new_names if name not in old_names],
        {new_lines[line] for line in new_lines.keys() - old_lines.keys()},
    )


def swap_card(visitor: Visitor, card: str, ticked_ids: Sequence[str], keep: bool = False) -> PageResponse:
    """Handle `/swap/{key}`: swap a card of a table for another, or undo its last swap.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        card: the slug of the card to swap; empty to undo the last swap.
        ticked_ids: the ids of the ticked lines of the checklist.
        keep: whether to save the new table as a recent table of the user.

    Returns:
        A JSON object with the query string of the new table (`query`) and the ids of the lines that both
        tables have: those that are ticked on the old table (`ticked`) and the others (`unticked`).

    Raises:
        Problem: the card is not on the table, or no other card can replace it.
    """
    old_table = deal_table(visitor.query_params, visitor.language_code)
    *params, seed = old_table.query_params
    new_params = [*params, ("swap", card), seed] if card else _remove_last_swap(old_table.query_params)
    new_table = deal_table(new_params, visitor.language_code)
    if keep:
        save_recent_table(new_table)
    old_lines, new_lines = (_map_line_ids(_build_page(each, visitor)) for each in (old_table, new_table))
    ids_by_tick: dict[bool, list[str]] = {True: [], False: []}
    for line in old_lines.keys() & new_lines.keys():
        ids_by_tick[old_lines[line] in ticked_ids].append(new_lines[line])
    content = {
        "query": encode_query(new_table.query_params),
        "ticked": ids_by_tick[True],
        "unticked": ids_by_tick[False],
    }
    return PageResponse(json.dumps(content), media_type=_MEDIA_TYPES["json"])


def _remove_last_swap(params: QueryParams) -> QueryParams:
    """Return the query parameters without the last swap; all of them if there is no swap."""
    swap_indices = [index for index, (name, _) in enumerate(params) if name == "swap"]
    return [pair for index, pair in enumerate(params) if index not in swap_indices[-1:]]


def _map_line_ids(page: Page) -> dict[tuple[str, Line], str]:
    """Map each line of a checklist, without its reasons, to its id.

    The id is built from the index of the section and the index of the line, as in the template.
    """
    return {
        (section.title, line._replace(below=(), why="", because=())): f"{section_index}-{index}"
        for section_index, section in enumerate(page.sections)
        for index, line in enumerate(section.lines)
    }


def export_table(visitor: Visitor, format: str, *, can_use_favourites: bool = True) -> PageResponse:
    """Handle `/table.{format}`: return a table in an output format.

    Args:
        visitor: the visitor of the request.
        format: the name of the format, a key of `FORMATS`.
        can_use_favourites: whether the kingdom of the table can be one of the user's favourites.

    Raises:
        UnknownName: no format has this name.
        Problem: the query parameters are invalid, or there are too few cards.
    """
    if format not in FORMATS:
        raise UnknownName("format", format, list(FORMATS))
    if not can_use_favourites:
        for name, value in visitor.query_params:
            kingdom = value.strip().casefold().removeprefix(kingdoms.PREFIX)
            if name in ("kingdom", "like") and favourites.find(kingdom, load_game().game):
                raise UnknownName("kingdom", kingdom)
    text = FORMATS[format].render(
        _build_page(deal_table(visitor.query_params, visitor.language_code), visitor), Style()
    )
    return PageResponse(f"{text}\n", media_type=_MEDIA_TYPES.get(format, "text/plain; charset=utf-8"))


def save_favourite(visitor: Visitor, name: str) -> PageResponse:
    """Handle `/favourite`: save the kingdom of a table as a favourite of the user.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        name: the name of the favourite.

    Raises:
        Problem: the kingdom cannot be saved under this name.
    """
    table = deal_table(visitor.query_params, visitor.language_code)
    game, languages, card_names = table.loaded_game
    try:
        confirmation = kingdoms.save_favourite(name, table.setup, game, languages, card_names.values())
    except OSError as problem:
        file, why = Verbatim(problem.filename), describe_os_error(problem)
        raise Problem("{file}: {why}", file=file, why=why) from None
    language = table.loaded_game.get_language(visitor.language_code)
    lines = [escape_control_characters(rephrase_for_page(language.render(confirmation), language))]
    return render_page("message", visitor, "", title=language.translate("Favourite"), lines=lines)


# ── Played games ──


def show_history(visitor: Visitor, dealt_queries: Sequence[str] = ()) -> PageResponse:
    """Handle `/history`: list the latest played games and the latest tables, newest first.

    Args:
        visitor: the visitor of the request.
        dealt_queries: the query strings of the latest tables that were dealt on the pages.

    Raises:
        BadDatabase: the history cannot be read.
    """
    games = played_games.load_games()
    language = load_game().get_language(visitor.language_code)
    return render_page(
        "history",
        visitor,
        "history",
        language=language,
        games=[
            _describe_played_game(game, visitor, language) for game in games[: -_MAX_SHOWN_GAMES - 1 : -1]
        ],
        hidden_count=max(0, len(games) - _MAX_SHOWN_GAMES),
        dealt_tables=[_describe_dealt_table(parse_query(query)[0], visitor) for query in dealt_queries],
    )


def _describe_dealt_table(params: QueryParams, visitor: Visitor) -> tuple[str, str]:
    """Return the URL of a table, and a description: its boxes, number of players and seed."""
    loaded_game, params_by_name = load_requested_game(params), dict(params)
    language = loaded_game.get_language(visitor.language_code)
    boxes = language.join(
        language.boxes[slug] for slug in _resolve_boxes(_get_sets(params), loaded_game.game)
    )
    players = language.translate("{count} players", count=params_by_name["players"])
    facts = boxes or language.translate(loaded_game.game.title), players, params_by_name["seed"]
    return visitor.url_for(_TABLE_PATH, params), escape_control_characters(" · ".join(facts))


class HistoryItem(NamedTuple):
    """A played game on the history page.

    Attributes:
        game: the game; the names of its cards are in English.
        players: the name and the score of each player; an unknown score is empty.
        cards: the translated names of the Kingdom cards and landscapes.
        url: the URL of the table; empty if it can no longer be dealt.
    """

    game: PlayedGame
    players: Sequence[tuple[str, str]]
    cards: str
    url: str


def _describe_played_game(game: PlayedGame, visitor: Visitor, language: Language) -> HistoryItem:
    players = [(name, "" if score is None else str(score)) for name, score in game.players]
    try:
        loaded_game = load_game(game.game)
        setup = cast("Setup", {"options": game.options, "seed": game.seed})
        params = build_query_params(loaded_game.game, extract_request(loaded_game.game, setup))
        language, url = loaded_game.get_language(language.code), visitor.url_for(_TABLE_PATH, params)
    except Problem:  # The game is unknown, or was played with the user's own files.
        url = ""
    return HistoryItem(game, players, language.translate_names((*game.kingdom, *game.landscapes)), url)


def record_played_game(visitor: Visitor, form: Mapping[str, str]) -> PageResponse:
    """Handle `/played`: record a game that was played at a table.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        form: the fields of the posted form: `token`, `table`, `players`, `winner`, `rating`, `note`, `again`
            and `fresh`, the `game_key` of the page. If one is invalid or the game cannot be saved, the form
            is shown again with the same values.
    """
    table = deal_table(visitor.query_params, visitor.language_code)
    language = table.loaded_game.get_language(visitor.language_code)
    game_id = 0
    errors: Sequence[str] = ()
    try:
        game_id = _add_played_game(table, form)
    except Problem as problem:
        errors = problem.render_lines(language)
    return render_page(
        "played",
        visitor,
        "",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        language=language,
        game_id=game_id,
        errors=list(map(escape_control_characters, errors)),
        played=defaultdict(str, form),
        table_url=visitor.url_for(_TABLE_PATH, table.query_params),
    )


def _add_played_game(table: ServedTable, form: Mapping[str, str]) -> int:
    """Record the played game that a form describes.

    Returns:
        The id of the game; 0 if it has been recorded before.

    Raises:
        BadOptions: a field is invalid, or another game with this table is recorded and `again` is not set.
        BadDatabase: the game cannot be saved.
    """
    rating = form.get("rating", "")
    if rating not in ("", *"12345"):
        raise BadOptions("the rating must be a number from 1 to {best}.", best=MAX_RATING)
    game = build_played_game(
        table.setup,
        players=form.get("players", ""),
        rating=int(rating) if rating else None,
        note=form.get("note", ""),
        winners=[form.get("winner", "")],
    )
    if form.get("fresh"):
        game = game._replace(key=form["fresh"])
    same_table_games = [
        other for other in played_games.find_games_with_same_table(game) if other.key != game.key
    ]
    if same_table_games and not form.get("again"):
        template = "this table is already recorded as game {number} of {date}."
        raise BadOptions(template, number=same_table_games[-1].id, date=Verbatim(same_table_games[-1].date))
    game_ids = played_games.add([game])
    return game_ids[0] if game_ids else 0
