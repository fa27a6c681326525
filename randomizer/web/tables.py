"""Handlers for dealing and showing tables, exporting them in any format, and recording played games."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, NamedTuple

from randomizer.browse.boxes import resolve_boxes
from randomizer.browse.catalogue import list_boxes
from randomizer.browse.deal_options import DEFAULT_PLAYERS, REPEATABLE_OPTIONS
from randomizer.cards.editions import ALL, is_only_announced, list_box_slugs
from randomizer.cards.game import Game
from randomizer.deal.growing import list_questions
from randomizer.load.games import list_games
from randomizer.memory.played_game import MAX_RATING, build_played_game
from randomizer.memory.played_games import add
from randomizer.show.formats import FORMATS
from randomizer.show.html import collect_search_words
from randomizer.show.page import Page
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadOptions, Problem, UnknownName
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify, split_at_commas
from randomizer.web.address import (
    QueryParams,
    ServedTable,
    build_table_key,
    convert_defaults,
    deal_table,
    encode_query,
    load_game,
    load_requested_game,
)
from randomizer.web.frame import HTML_TYPE, MAX_QR_CODE_URL, PageResponse, Visitor, redirect_to, render_page
from randomizer.web.lookups import find_table_rules

_TABLE_PATH = "table"
_MEDIA_TYPES: Mapping[str, str] = {  # format -> media type, for formats that are not plain text
    "html": HTML_TYPE,
    "json": "application/json",
    "ndjson": "application/x-ndjson",
}


# ── The form ──


class Field(NamedTuple):
    """A field of the deal form for an optional rule of the game.

    Attributes:
        name: the name of the query parameter.
        title: the label of the field.
        choices: the label of each possible value; empty if the field is for a number.
        minimum: the minimum, if the field is for a number.
        default: the default as text, if the field is for a number.
    """

    name: str
    title: str
    choices: Mapping[str, str] = {}
    minimum: int = 0
    default: str = ""


def show_form(visitor: Visitor, errors: Sequence[str] = (), defaults: Mapping[str, Any] = {}) -> PageResponse:
    """Handle `/`: show the deal form, filled in from the query parameters.

    Args:
        visitor: the visitor of the request.
        errors: messages about invalid query parameters, to show above the form.
        defaults: the user's own defaults. They fill in the form if the URL has no query parameters except
            `game`.
    """
    params = visitor.query_params or [("game", str(defaults.get("game", "")))]
    try:
        loaded_game = load_requested_game(params)
    except UnknownName:
        loaded_game = load_game()
    game = loaded_game.game
    if {name for name, _ in params} == {"game"}:
        params = convert_defaults(defaults, game) or params
    language = loaded_game.get_language(visitor.language_code)
    return render_page(
        "deal",
        visitor,
        "",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        language=language,
        errors=list(map(escape_control_characters, errors)),
        title=language.translate(game.title),
        game=game,
        games=[(name, language.translate(load_game(name).game.title)) for name in list_games()],
        boxes=_list_box_choices(game, language),
        singles=_list_single_cards(game, language),
        newest=list_box_slugs(game, newest=True) if len(game.boxes) > 1 else (),
        all_boxes=ALL,
        player_counts=game.player_counts(),
        default_players=str(DEFAULT_PLAYERS),
        fields=_build_fields(game, language),
        values=defaultdict(str, _fill_in(params)),
        sets=_resolve_ticked_boxes([value for name, value in params if name == "sets"], game),
    )


def _fill_in(params: QueryParams) -> dict[str, str]:
    """Return the text of each form field, by the name of the query parameter.

    Values of a repeatable option are joined with commas. Of other repeated parameters, the last value is
    used.
    """
    texts: dict[str, str] = {}
    for name, value in params:
        before = f"{texts[name]}," if name in REPEATABLE_OPTIONS and texts.get(name) else ""
        texts[name] = before + "\n".join(map(escape_control_characters, value.splitlines()))
    return texts


def _resolve_ticked_boxes(words: Sequence[str], game: Game) -> list[str]:
    """Return the values of the checkboxes to tick: the user's words for boxes, and the slugs of these boxes.

    If a word is invalid, the result contains no slugs.
    """
    slugs: Sequence[str] = ()
    with suppress(Problem):  # The problem is reported when the form is sent.
        slugs = resolve_boxes(words, game)
    return [*split_at_commas(words), *slugs]


def _list_box_choices(game: Game, language: Language) -> list[tuple[str, str]]:
    """Return the slug and translated name of each box that can be ticked as a whole."""
    if len(game.boxes) < 2:
        return []
    return [
        (box.slug, language.boxes[box.slug])
        for box in list_boxes(game)
        if not box.singly and not is_only_announced(box.slug, game)
    ]


def _list_single_cards(game: Game, language: Language) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the boxes whose cards can be ticked one by one, because they were sold separately.

    Returns:
        The slug and translated name of each box, with the slug and translated name of each of its cards.
    """
    return [
        (
            slug,
            language.boxes[slug],
            [
                (slugify(card.name), language.translate_name(card.name))
                for card in game.cards.in_boxes([slug])
                if not card.member_of
            ],
        )
        for slug, box in game.boxes.items()
        if box.singly
    ]


def _build_fields(game: Game, language: Language) -> list[Field]:
    """Build the form fields for the optional rules of a game."""
    translate = language.translate
    titles = {question.option: question.title for question in list_questions(game.opening)}
    fields = []
    for option in game.options:
        name = option.name.replace("_", "-")
        if option.cards:
            title = titles[option.name]
            answers = {"": translate("decide at random"), "yes": translate("yes"), "no": translate("no")}
            cards = {"": "", **{card: translate(card) for card in option.cards}}
            fields.append(Field(name, translate(title), answers))
            fields.append(Field(f"{name}-by", translate("{title}: decided by", title=title), cards))
        else:
            fields.append(Field(name, translate(option.help), {}, option.least, str(option.default)))
    if game.options:
        sources = {"": "", "deck": translate("a separate deck")}
        fields.append(Field("landscapes-from", translate("Draw landscapes from"), sources))
    return fields


# ── The table ──


def show_table(
    visitor: Visitor, ticked: Sequence[str] = (), token: str = "", game_key: str = ""
) -> PageResponse:
    """Handle `/table`: deal a table and show it.

    Args:
        visitor: the visitor of the request.
        ticked: the ids of the lines of the checklist that are ticked.
        token: the token that the page has to send with changes, against request forgery.
        game_key: a random key for recording the game. If the form is sent twice, the game is recorded once.
    """
    try:
        table = deal_table(visitor.query_params)
    except Problem as problem:
        return show_form(visitor, problem.render_lines(load_game().get_language(visitor.language_code)))
    params = table.query_params
    if params != visitor.query_params:
        return redirect_to(visitor.url_for(_TABLE_PATH, params))
    page = _build_page(table, visitor)
    return render_page(
        "served-table",
        visitor,
        _TABLE_PATH,
        language=page.language,
        page=page,
        search_words=collect_search_words([page]),
        key=build_table_key(params),
        token=token,
        played=defaultdict(str, token=token, table=encode_query(params), fresh=game_key),
        ticked=ticked,
        query=encode_query(params),
        shared_url=f"{visitor.origin}{visitor.url_for(_TABLE_PATH, params)}",
        max_qr_code_url=MAX_QR_CODE_URL,
        another_url=visitor.url_for(_TABLE_PATH, [pair for pair in params if pair[0] != "seed"]),
        form_url=visitor.url_for("", [pair for pair in params if pair[0] not in ("seed", "swap")]),
        swap_urls=_build_swap_urls(table, page, visitor),
        url_for_rule=lambda id_: visitor.url_for(f"rules/{table.loaded_game.game.name}/{id_}"),
        rules_url=visitor.url_for("rules", [("table", encode_query(params))]),
        formats=[(name, visitor.url_for(f"{_TABLE_PATH}.{name}", params)) for name in FORMATS],
    )


def _build_page(table: ServedTable, visitor: Visitor) -> Page:
    language = table.loaded_game.get_language(visitor.language_code)
    return Page(table.setup, language, game=table.loaded_game.game, rules=find_table_rules)


def _build_swap_urls(table: ServedTable, page: Page, visitor: Visitor) -> dict[str, str]:
    """Return the URL that swaps a card or landscape for another, by its translated name."""
    *params, seed = table.query_params
    return {
        page.language.translate_name(name): visitor.url_for(
            _TABLE_PATH, [*params, ("swap", slugify(name)), seed]
        )
        for name in list_swappable_names(page)
    }


def list_swappable_names(page: Page) -> list[str]:
    """Return the names of the cards and landscapes on a page that the user can swap for others."""
    decks = {deck["name"] for deck in page.setup["decks"]}
    kingdom = page.kingdom
    chosen = [
        name
        for question, names in kingdom.chosen.items()
        if question.partition(", ")[0] not in decks
        for name in names
    ]
    return list(dict.fromkeys((*kingdom.cards, *kingdom.landscapes, *chosen)))


def export_table(visitor: Visitor, format: str) -> PageResponse:
    """Handle `/table.{format}`: return a table in an output format.

    Args:
        visitor: the visitor of the request.
        format: the name of the format, a key of `FORMATS`.

    Raises:
        UnknownName: no format has this name.
        Problem: the query parameters are invalid, or there are too few cards.
    """
    if format not in FORMATS:
        raise UnknownName("format", format, list(FORMATS))
    text = FORMATS[format].render(_build_page(deal_table(visitor.query_params), visitor), Style())
    return PageResponse(f"{text}\n", media_type=_MEDIA_TYPES.get(format, "text/plain; charset=utf-8"))


# ── Played games ──


def record_played_game(visitor: Visitor, form: Mapping[str, str]) -> PageResponse:
    """Handle `/played`: record a game that was played at a table.

    Args:
        visitor: the visitor of the request, with the query parameters of the table.
        form: the fields of the posted form: `token`, `table`, `players`, `rating`, `note` and `fresh`, the
            `game_key` of the page. If one is invalid or the game cannot be saved, the form is shown again
            with the same values.
    """
    table = deal_table(visitor.query_params)
    language = table.loaded_game.get_language(visitor.language_code)
    number = 0
    errors: Sequence[str] = ()
    try:
        number = _add_played_game(table, form)
    except Problem as problem:
        errors = problem.render_lines(language)
    return render_page(
        "played",
        visitor,
        "",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        language=language,
        number=number,
        errors=list(map(escape_control_characters, errors)),
        played=defaultdict(str, form),
        table_url=visitor.url_for(_TABLE_PATH, table.query_params),
    )


def _add_played_game(table: ServedTable, form: Mapping[str, str]) -> int:
    """Record the played game that a form describes.

    Returns:
        The number of the game; 0 if it has been recorded before.

    Raises:
        BadOptions: a field is invalid.
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
    )
    if form.get("fresh"):
        game = game._replace(key=form["fresh"])
    game_ids = add([game])
    return game_ids[0] if game_ids else 0
