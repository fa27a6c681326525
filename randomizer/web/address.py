"""Conversion between the URL of a table and the request that deals it.

The query parameters of the URL contain the complete request and its seed. Their names are those of the
command-line options.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple
from urllib import parse

from randomizer.browse.arguments import build_deal_options
from randomizer.browse.deal_options import (
    DEFAULT_PLAYERS,
    LANDSCAPE_SOURCES,
    REPEATABLE_OPTIONS,
    GameOption,
    list_game_options,
)
from randomizer.browse.request_builder import DealOptions, RequestBuilder, find_conflict
from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.model import MAX_NUMBER, Named
from randomizer.cards.share import parse_share
from randomizer.deal.unused import generate_seed
from randomizer.load.games import is_default, load, resolve_name
from randomizer.load.languages import load_all, load_all_card_names
from randomizer.memory import defaults, recent_tables
from randomizer.record.build import build_setup, deal_request
from randomizer.record.dealing import deal_independently, deal_many
from randomizer.setup.command import format_sets, list_options
from randomizer.setup.document import Setup
from randomizer.show.formats import SetupSource
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import ENGLISH, Language, Verbatim, as_verbatim, join_with_or, message, quote

LANGUAGE_PARAM = "lang"  # The language is not part of the request for a table.
DEAL_PARAM = "deal"  # Only the deal form sends this parameter, to request a new table.
_MAX_PARAMS = 500
_SWITCH_VALUES: Mapping[str, Setting] = {"yes": True, "no": False}
_COUNT_OPTIONS = ("of", "fresh", "veto")
_SERIES_OPTIONS = ("count", "apart", "copies", "table")
MAX_TABLES = 20  # maximum number of tables that are dealt at once

QueryParams = Sequence[tuple[str, str]]


class LoadedGame(NamedTuple):
    """A game with its translations.

    Attributes:
        game: the game itself.
        languages: all languages of the program, English first, with the translations for this game.
        card_names: the translated names of the game's cards, by the code of the language. English is not
            included.
    """

    game: Game
    languages: Sequence[Language]
    card_names: Mapping[str, Mapping[str, Named]]

    def get_language(self, code: str) -> Language:
        """Return the language with this code, including the translations for this game."""
        return next(language for language in self.languages if language.code == code)

    def create_request_builder(self) -> RequestBuilder:
        """Create a request builder for this game. Wishes may use the names from the user's configuration."""
        named_wishes = defaults.read().wishes if is_default(self.game) else {}
        return RequestBuilder(self.game, self.languages, self.card_names.values(), named_wishes)


@cache
def load_game(name: str = "") -> LoadedGame:
    """Load a game and its translations. The result is cached.

    Args:
        name: the name of the game; empty for the default game.

    Raises:
        UnknownName: no game has this name.
    """
    game = load(name)
    return LoadedGame(game, load_all(game), load_all_card_names(game))


def load_requested_game(params: QueryParams) -> LoadedGame:
    """Load the game that the parameter `game` names, or the default game.

    Raises:
        UnknownName: no game has this name.
    """
    return load_game(dict(params).get("game", ""))


# ── Query strings ──


def parse_query(query: str) -> tuple[QueryParams, str]:
    """Parse a query string.

    Returns:
        The parameters that have a value, except the language; and the language code, or an empty string.

    Raises:
        BadOptions: the query string has too many parameters.
    """
    try:
        params = parse.parse_qsl(query, max_num_fields=_MAX_PARAMS, errors="replace")
    except ValueError:
        raise BadOptions("an address can have at most {most} options.", most=_MAX_PARAMS) from None
    language_codes = [value for name, value in params if name == LANGUAGE_PARAM]
    return [(name, value) for name, value in params if name != LANGUAGE_PARAM], language_codes[
        0
    ] if language_codes else ""


def encode_query(params: Iterable[tuple[str, str]]) -> str:
    """Encode query parameters as a query string."""
    return parse.urlencode(list(params), quote_via=parse.quote, safe=",:=*")


def build_table_key(params: QueryParams) -> str:
    """Return the key under which the ticks of the table with these query parameters are stored."""
    return sha256(json.dumps(params).encode()).hexdigest()[:24]


def build_query_params(game: Game, request: Request) -> QueryParams:
    """Build the query parameters that describe a request completely, including its seed."""
    return [
        *(
            (name.replace("_", "-"), _format_value(value))
            for name, value in list_options(game, request, format_sets(game, request))
        ),
        ("seed", request.typed_seed),
    ]


def convert_defaults(own_defaults: Mapping[str, Any], game: Game) -> QueryParams:
    """Convert the user's own defaults to query parameters.

    Args:
        own_defaults: the defaults, by the names of the parameters of the command `deal`. Defaults that do not
            affect the table and defaults that name files are ignored.
        game: the game of the table.

    Returns:
        The query parameters; none if the defaults are for another game.
    """
    default_game = resolve_name(str(own_defaults.get("game", "")))
    if default_game not in ("" if is_default(game) else game.name, game.name):
        return []
    values_by_option = {name.strip("_").replace("_", "-"): value for name, value in own_defaults.items()}
    convertible = {
        "game",
        "sets",
        "players",
        "like",
        *REPEATABLE_OPTIONS,
        *_COUNT_OPTIONS,
        *list_settings(game),
    }
    return [
        (name, _format_value(each))
        for name, value in values_by_option.items()
        if name in convertible - {"swap", "vetoed"}
        for each in (value if isinstance(value, list) else [value])
    ]


def _format_value(value: Any) -> str:
    """Return the value of an option as it is written in a query string."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# ── Dealing ──


class ServedTable(NamedTuple):
    """A table that has been dealt for a served page.

    Attributes:
        loaded_game: the game and its translations.
        query_params: the query parameters in their canonical form, with all defaults and the seed.
        setup: the setup document of the table.
        numbers: the number of the table among several tables, and their number; None for a single table.
    """

    loaded_game: LoadedGame
    query_params: QueryParams
    setup: Setup
    numbers: tuple[int, int] | None = None


def is_series(params: QueryParams) -> bool:
    """Return whether query parameters ask for several tables, and not for one of them."""
    names = dict(params)
    return names.get("count", "1") != "1" and "table" not in names


def add_seed(params: QueryParams) -> QueryParams:
    """Return the query parameters in their canonical form, with a random seed unless they have one.

    Raises:
        Problem: the parameters are invalid.
    """
    loaded_game = load_requested_game(params)
    deal_options, seed = parse_params(params, loaded_game)
    request = loaded_game.create_request_builder().build(deal_options, seed or generate_seed())
    return _build_canonical_params(loaded_game.game, request, deal_options)


def deal_table(params: QueryParams, language_code: str = ENGLISH) -> ServedTable:
    """Deal the table that query parameters describe. Without the parameter `seed`, the seed is random.

    Args:
        params: the query parameters.
        language_code: the code of the language of the document; the document always has English texts, too.

    Raises:
        Problem: the parameters are invalid, or there are too few cards.
    """
    loaded_game = load_requested_game(params)
    deal_options, seed = parse_params(params, loaded_game)
    request = loaded_game.create_request_builder().build(deal_options, seed or generate_seed())
    game = loaded_game.game
    languages = _choose_languages(loaded_game, language_code)
    setup = build_setup(game, request, deal_request(game, request), languages)
    number, count = deal_options.table_number, deal_options.table_count
    query_params = _build_canonical_params(game, request, deal_options)
    return ServedTable(loaded_game, query_params, setup, (number, count) if number else None)


def deal_tables(params: QueryParams, language_code: str = ENGLISH) -> Iterator[ServedTable]:
    """Deal the tables that query parameters with a seed describe.

    Args:
        params: the query parameters.
        language_code: the code of the language of the documents, as for `deal_table`.

    Raises:
        Problem: the parameters are invalid, or there are too few cards.
    """
    loaded_game = load_requested_game(params)
    deal_options, seed = parse_params(params, loaded_game)
    builder, game, count = loaded_game.create_request_builder(), loaded_game.game, deal_options.table_count
    languages = _choose_languages(loaded_game, language_code)
    options_by_number = {number: deal_options._replace(table_number=number) for number in range(1, count + 1)}
    if deal_options.is_apart:
        request = builder.build(deal_options, seed)
        tables = deal_many(game, request, range(1, count + 1), languages)
    else:
        requests = (builder.build(options, seed) for options in options_by_number.values())
        tables = deal_independently(game, requests, languages)
    for table, (number, options) in zip(tables, options_by_number.items(), strict=True):
        query_params = _build_canonical_params(game, table.request, options)
        yield ServedTable(loaded_game, query_params, table.document, (number, count))


def _choose_languages(loaded_game: LoadedGame, language_code: str) -> list[Language]:
    """Return the languages of a document: English, and the one with this code."""
    return [loaded_game.get_language(code) for code in dict.fromkeys((ENGLISH, language_code))]


def _build_canonical_params(game: Game, request: Request, deal_options: DealOptions) -> QueryParams:
    """Build the query parameters of a table, or of several tables.

    Args:
        game: the game.
        request: the request for the table, or for any of the tables.
        deal_options: the options from which the request was built.
    """
    if not deal_options.table_count:
        return build_query_params(game, request)
    number = deal_options.table_number
    *params, (_, seed) = build_query_params(game, request)
    if not request.series:
        params.append(("count", str(deal_options.table_count)))
        if number:
            params.append(("table", str(number)))
            seed = seed.removesuffix(f"-{number}")
    return [*(param for param in params if number or param[0] != "table"), ("seed", seed)]


def save_recent_table(table: ServedTable) -> None:
    """Save a table as the newest of the user's recent tables. Do nothing if the file cannot be written."""
    recent_tables.save(SetupSource(table.setup).json)


def parse_params(params: QueryParams, loaded_game: LoadedGame) -> tuple[DealOptions, str]:
    """Parse the query parameters of a table.

    Returns:
        The options of the deal, and the seed, which is empty if there is no parameter `seed`.

    Raises:
        UnknownName: an option, a set or a card does not exist.
        BadOptions: a value is invalid, or options conflict.
    """
    values_by_name: dict[str, list[str]] = {}
    for name, value in params:
        values_by_name.setdefault(name, []).append(value)
    if conflict := find_conflict({f"--{name}": values[-1] for name, values in values_by_name.items()}):
        raise BadOptions(conflict)

    def pop_number(name: str, default: int, min_value: int = 0) -> int:
        return _parse_number(name, values_by_name.pop(name, [str(default)])[-1], min_value)

    seed = values_by_name.pop("seed", [""])[-1]
    for name in ("game", DEAL_PARAM):
        values_by_name.pop(name, None)
    arguments: dict[str, Any] = {
        "sets": values_by_name.pop("sets", []),
        "players": pop_number("players", DEFAULT_PLAYERS, 1),
        "kingdom": "\n".join(values_by_name.pop("kingdom", [])),
        "like": values_by_name.pop("like", [""])[-1],
        "with_": values_by_name.pop("with", []),
        **{name: values_by_name.pop(name, []) for name in ("without", "want", "weight", "swap")},
        "vetoed": values_by_name.pop("vetoed", None),
        **{name: pop_number(name, 0) for name in _COUNT_OPTIONS},
        **_pop_series(values_by_name),
    }
    game = loaded_game.game
    return build_deal_options(game, arguments, _parse_settings(values_by_name, list_settings(game))), seed


def _pop_series(values_by_name: dict[str, list[str]]) -> dict[str, Any]:
    """Remove the parameters for several tables, and return the arguments of the deal for them.

    If there is only one table, the other parameters are ignored, because the form always sends them.

    Raises:
        BadOptions: a value is invalid.
    """
    values = {name: values_by_name.pop(name, []) for name in _SERIES_OPTIONS}
    count = _parse_number("count", values["count"][-1], 1, MAX_TABLES) if values["count"] else 1
    if count == 1:
        return {}
    return {
        "count": count,
        "table": _parse_number("table", values["table"][-1], 1, count) if values["table"] else 0,
        "apart": values["apart"][-1:] == ["yes"],
        "copies": values["copies"] if values["apart"][-1:] == ["yes"] else [],
    }


def list_settings(game: Game) -> dict[str, GameOption]:
    """Map the names of query parameters to the options for the optional rules of a game."""
    landscapes_from = GameOption("landscapes-from", "Draw landscapes from", choices=LANDSCAPE_SOURCES)
    return {option.name: option for option in (*list_game_options(game), landscapes_from)}


def _parse_settings(
    values_by_name: Mapping[str, Sequence[str]], settings: Mapping[str, GameOption]
) -> dict[str, Setting | None]:
    """Parse the query parameters for optional rules. Of a repeated parameter, the last value is used.

    Args:
        values_by_name: all values of each parameter.
        settings: the options that the game has, from `list_settings`.

    Raises:
        UnknownName: a parameter is not an option of the game.
        BadOptions: a value is invalid.
    """
    for name in values_by_name:
        if name not in settings:
            names = [
                *settings,
                *REPEATABLE_OPTIONS,
                *_COUNT_OPTIONS,
                "sets",
                "players",
                "seed",
                "kingdom",
                "like",
            ]
            hits = as_verbatim(find_suggestions(name, names))
            raise UnknownName("option", name, hits, message("see the Deal page for all options"))
    parsed: dict[str, Setting | None] = {}
    for name, values in values_by_name.items():
        # A share such as `colony=1/3` decides the question: `colony-by=1/3`.
        is_share = f"{name}-by" in settings and parse_share(values[-1])
        option_name = f"{name}-by" if is_share else name
        parsed[option_name.replace("-", "_")] = _parse_setting(settings[option_name], values[-1])
    return parsed


def _parse_setting(option: GameOption, text: str) -> Setting:
    """Parse the value of an option: a number, one of its choices, or `yes` or `no`.

    Raises:
        BadOptions: the value is invalid.
    """
    if option.min_value is not None:
        return _parse_number(option.name, text, option.min_value, option.max_value or MAX_NUMBER)
    choices = {choice: choice for choice in option.choices} or _SWITCH_VALUES
    if option.shares and parse_share(text):
        return text
    if text not in choices:
        raise BadOptions(
            "--{name} must be {choices}, not {text}.",
            name=Verbatim(option.name),
            choices=join_with_or(as_verbatim(choices)),
            text=quote(text),
        )
    return choices[text]


def _parse_number(name: str, text: str, min_value: int, max_value: int = MAX_NUMBER) -> int:
    """Parse the value of a query parameter as an integer from `min_value` to `max_value`.

    Raises:
        BadOptions: the value is not an integer in this range.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and min_value <= int(text) <= max_value):
        raise BadOptions(
            "--{name} must be a whole number from {least} to {most}, not {text}.",
            name=Verbatim(name),
            least=min_value,
            most=max_value,
            text=quote(text),
        )
    return int(text)
