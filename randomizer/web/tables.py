"""The pages around a table: the form for a deal, the table in every format, and a game that was played."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, NamedTuple

from randomizer.browse.boxes import resolve_boxes
from randomizer.browse.catalogue import list_boxes
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
    DEFAULT_PLAYERS,
    LIST_PARAMS,
    LoadedGame,
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

_PATH = "table"


def preload() -> None:
    """Load what every deal takes."""
    load_game()


# ── The form ──


class Field(NamedTuple):
    """A field of the form.

    Attributes:
        name: of the option.
        title: what it is called.
        choices: what may be chosen, by its value; of a number there are none ...
        least: ... but a least one and one that holds anyway.
    """

    name: str
    title: str
    choices: Mapping[str, str] = {}
    minimum: int = 0
    default: str = ""


def show_form(visitor: Visitor, lines: Sequence[str] = (), defaults: Mapping[str, Any] = {}) -> PageResponse:
    """The form for a deal, filled in with what the address says.

    Args:
        visitor: who looks at it.
        lines: what was wrong with it.
        defaults: what holds where the address says nothing but a game, by the names of parameters.
    """
    said = visitor.query_params or [("game", str(defaults.get("game", "")))]
    try:
        here = load_requested_game(said)
    except UnknownName:
        here = load_game()
    if {name for name, _ in said} == {"game"}:
        said = convert_defaults(defaults, here.game) or said
    language = here.get_language(visitor.language_code)
    game = here.game
    return render_page(
        "deal",
        visitor,
        "",
        HTTPStatus.BAD_REQUEST if lines else HTTPStatus.OK,
        language=language,
        lines=list(map(escape_control_characters, lines)),
        title=language.translate(game.title),
        game=game,
        games=[(name, language.translate(load_game(name).game.title)) for name in list_games()],
        boxes=_boxes(here, language),
        singles=_singles(here, language),
        newest=list_box_slugs(game, newest=True) if len(game.boxes) > 1 else (),
        every=ALL,
        players=game.player_counts(),
        usual=str(DEFAULT_PLAYERS),
        fields=_fields(here, language),
        values=defaultdict(str, _values(said)),
        sets=_boxes_meant([value for name, value in said if name == "sets"], game),
    )


def _values(said: QueryParams) -> dict[str, str]:
    """What stands in each field: what an option says last, or all that it says, for those that are lists."""
    values: dict[str, str] = {}
    for name, value in said:
        before = f"{values[name]}," if name in LIST_PARAMS and values.get(name) else ""
        values[name] = before + _seen(value)
    return values


def _boxes_meant(said: Sequence[str], game: Game) -> list[str]:
    """The boxes to tick, and the words that were said for them."""
    words = split_at_commas(said)
    with suppress(Problem):  # whoever deals is told
        words += resolve_boxes(said, game)
    return words


def _seen(text: str) -> str:
    """A text in which everything can be seen, line by line."""
    return "\n".join(map(escape_control_characters, text.splitlines()))


def _boxes(here: LoadedGame, language: Language) -> list[tuple[str, str]]:
    """The boxes to tick, but for those whose cards are ticked one by one."""
    game = here.game
    if len(game.boxes) < 2:
        return []
    return [
        (box.slug, language.boxes[box.slug])
        for box in list_boxes(game)
        if not box.singly and not is_only_announced(box.slug, game)
    ]


def _singles(here: LoadedGame, language: Language) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The boxes that are sold card by card, each with its cards."""
    game = here.game
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


def _fields(here: LoadedGame, language: Language) -> list[Field]:
    """What the game leaves open."""
    translate, titles = (
        language.translate,
        {each.option: each.title for each in list_questions(here.game.opening)},
    )
    fields = []
    for option in here.game.options:
        name = option.name.replace("_", "-")
        if option.cards:
            answers = {"": translate("by chance"), "yes": translate("yes"), "no": translate("no")}
            ways = {"": "", **{card: translate(card) for card in option.cards}}
            fields.append(Field(name, translate(titles[option.name]), answers))
            fields.append(
                Field(f"{name}-by", translate("{title}: decided by", title=titles[option.name]), ways)
            )
        else:
            fields.append(Field(name, translate(option.help), {}, option.least, str(option.default)))
    if here.game.options:
        decks = {"": "", "deck": translate("a deck of their own")}
        fields.append(Field("landscapes-from", translate("Landscapes are turned up from"), decks))
    return fields


# ── The table ──


def show_table(
    visitor: Visitor, ticked: Sequence[str] = (), token: str = "", fresh: str = ""
) -> PageResponse:
    """A table to lay out together.

    Args:
        visitor: who looks at it.
        ticked: the lines that are done.
        token: what changes of this table are sent with.
        fresh: a text that nobody has had, by which a played game is known.
    """
    try:
        laid = deal_table(visitor.query_params)
    except Problem as problem:
        return show_form(visitor, problem.render_lines(load_game().get_language(visitor.language_code)))
    if laid.query_params != visitor.query_params:
        return redirect_to(visitor.url_for(_PATH, laid.query_params))
    page = _page(laid, visitor)
    return render_page(
        "laid",
        visitor,
        _PATH,
        language=page.language,
        page=page,
        names=collect_search_words([page]),
        key=build_table_key(laid.query_params),
        token=token,
        fresh=fresh,
        ticked=ticked,
        address=encode_query(laid.query_params),
        shared=f"{visitor.origin}{visitor.url_for(_PATH, laid.query_params)}",
        coded=MAX_QR_CODE_URL,
        again_at=visitor.url_for(_PATH, [pair for pair in laid.query_params if pair[0] != "seed"]),
        change=visitor.url_for("", [pair for pair in laid.query_params if pair[0] not in ("seed", "swap")]),
        swaps=_swaps(laid, page, visitor),
        rule=lambda id_: visitor.url_for(f"rules/{laid.loaded_game.game.name}/{id_}"),
        search=visitor.url_for("rules", [("table", encode_query(laid.query_params))]),
        formats=[(name, visitor.url_for(f"{_PATH}.{name}", laid.query_params)) for name in FORMATS],
    )


def _page(laid: ServedTable, visitor: Visitor) -> Page:
    return Page(
        laid.setup,
        laid.loaded_game.get_language(visitor.language_code),
        game=laid.loaded_game.game,
        rules=find_table_rules,
    )


def _swaps(laid: ServedTable, page: Page, visitor: Visitor) -> dict[str, str]:
    """By what it is called, where another comes for each thing that chance has brought."""
    names = {name: page.language.translate_name(name) for name in list_swappable_names(page)}
    return {
        called: visitor.url_for(
            _PATH, [*laid.query_params[:-1], ("swap", slugify(name)), laid.query_params[-1]]
        )
        for name, called in names.items()
    }


def list_swappable_names(page: Page) -> list[str]:
    """The cards and landscapes of a page that may be swapped."""
    decks = {deck["name"] for deck in page.setup["decks"]}
    kingdom = page.kingdom
    chosen = [
        name
        for question, names in kingdom.chosen.items()
        if question.partition(", ")[0] not in decks
        for name in names
    ]
    return list(dict.fromkeys((*kingdom.cards, *kingdom.landscapes, *chosen)))


_TYPES: Mapping[str, str] = {"html": HTML_TYPE, "json": "application/json", "ndjson": "application/x-ndjson"}


def export_table(visitor: Visitor, format: str) -> PageResponse:
    """A table as the command line prints it.

    Args:
        visitor: who looks at it.
        format: one of `--format`.

    Raises:
        UnknownName: there is no such format.
        Problem: as for `table`.
    """
    if format not in FORMATS:
        raise UnknownName("format", format, list(FORMATS))
    text = FORMATS[format].render(_page(deal_table(visitor.query_params), visitor), Style())
    return PageResponse(f"{text}\n", media_type=_TYPES.get(format, "text/plain; charset=utf-8"))


# ── A game that was played ──


def record_played_game(visitor: Visitor, said: Mapping[str, str]) -> PageResponse:
    """Note a table as played.

    Args:
        visitor: who looks at it.
        said: the fields of the form: who played, how good it was, and anything else.

    Raises:
        BadOptions: a field is not as it should be.
        BadDatabase: the game cannot be saved.
    """
    laid = deal_table(visitor.query_params)
    rating = said.get("rating", "")
    if rating not in ("", *"12345"):
        raise BadOptions("the rating of a played game is a number from 1 to {best}.", best=MAX_RATING)
    game = build_played_game(
        laid.setup,
        players=said.get("players", ""),
        rating=int(rating) if rating else None,
        note=said.get("note", ""),
    )
    numbers = add([game._replace(key=said["fresh"])] if said.get("fresh") else [game])
    language = laid.loaded_game.get_language(visitor.language_code)
    given: dict[str, Any] = {
        "number": numbers[0] if numbers else 0,
        "back": visitor.url_for(_PATH, laid.query_params),
    }
    return render_page("played", visitor, "", language=language, **given)
