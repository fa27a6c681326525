"""The address of a table: its whole request and its seed, by the names of the command line's options."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple
from urllib import parse

from randomizer.browse.boxes import resolve_boxes
from randomizer.browse.request_builder import DEAL_CONFLICTS, DealOptions, RequestBuilder, find_conflict
from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.model import MAX_NUMBER, Named
from randomizer.deal.unused import generate_seed
from randomizer.load.games import is_default, load
from randomizer.load.languages import load_all, load_all_card_names
from randomizer.memory import defaults
from randomizer.record.build import build_setup, deal_asked
from randomizer.setup.command import options, sets_of
from randomizer.setup.document import Setup
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import Language, Verbatim, as_verbatim, join_with_or, message, quote

DEFAULT_PLAYERS = 2  # by default
LANGUAGE_PARAM = "lang"  # the one option that says nothing of the table
_MOST = 500  # options in an address
_ANSWERS: Mapping[str, Setting] = {"yes": True, "no": False}
LIST_PARAMS = ("with", "without", "want", "weight", "swap")
_NUMBERS = ("of", "fresh")

QueryParams = Sequence[tuple[str, str]]


class LoadedGame(NamedTuple):
    """A game with what everything in it is called.

    Attributes:
        languages: all, English first.
        named: by the code of each but English, what it calls the cards.
    """

    game: Game
    languages: Sequence[Language]
    card_names: Mapping[str, Mapping[str, Named]]

    def get_language(self, code: str) -> Language:
        """The language of that code."""
        return next(language for language in self.languages if language.code == code)

    def create_request_builder(self) -> RequestBuilder:
        """Makes requests of what is typed."""
        own = defaults.read().wishes if is_default(self.game) else {}
        return RequestBuilder(self.game, self.languages, self.card_names.values, own)


@cache
def load_game(game: str = "") -> LoadedGame:
    """The game of that name, or the default one.

    Raises:
        UnknownName: there are no data for such a game.
    """
    loaded = load(game)
    return LoadedGame(loaded, load_all(loaded), load_all_card_names(loaded))


def parse_query(query: str) -> tuple[QueryParams, str]:
    """What an address says after its `?`, but for empty fields; and the code of the language, or nothing.

    Raises:
        BadOptions: it says too much.
    """
    try:
        said = parse.parse_qsl(query, max_num_fields=_MOST, errors="replace")
    except ValueError:
        raise BadOptions("an address has at most {most} options.", most=_MOST) from None
    codes = [value for name, value in said if name == LANGUAGE_PARAM]
    return [(name, value) for name, value in said if name != LANGUAGE_PARAM], codes[-1] if codes else ""


def build_table_key(pairs: QueryParams) -> str:
    """What the ticks on a table are kept under."""
    return sha256(json.dumps(pairs).encode()).hexdigest()[:24]


def encode_query(pairs: Iterable[tuple[str, str]]) -> str:
    """The options as they stand in an address."""
    return parse.urlencode(list(pairs), quote_via=parse.quote, safe=",:=*")


def build_query_params(game: Game, request: Request) -> QueryParams:
    """The options of a table's own address."""
    return [
        *(
            (name.replace("_", "-"), value if isinstance(value, str) else "yes" if value else "no")
            for name, value in options(request, sets_of(game, request))
        ),
        ("seed", request.seed),
    ]


def load_requested_game(pairs: QueryParams) -> LoadedGame:
    """The game that is asked for.

    Raises:
        UnknownName: there are no data for such a game.
    """
    return load_game(dict(pairs).get("game", ""))


def convert_defaults(held: Mapping[str, Any], game: Game) -> QueryParams:
    """What an address says that asks for the same as the user's own defaults.

    Args:
        held: the defaults that hold, by the names of the command line's parameters; of those that shape no
            table, or come from a file, nothing is taken.
        game: the one that is dealt.
    """
    if held.get("game", "") not in ("" if is_default(game) else game.name, game.name):
        return []
    said = {name.strip("_").replace("_", "-"): value for name, value in held.items()}
    takes = {"game", "sets", "players", *LIST_PARAMS, *_NUMBERS, *_readers(game)} - {"swap"}
    return [(name, _as_said(each)) for name in said if name in takes for each in _each(said[name])]


def _each(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _as_said(value: Any) -> str:
    """A value as an address has it."""
    return next((word for word, answer in _ANSWERS.items() if answer is value), str(value))


def parse_params(pairs: QueryParams, here: LoadedGame) -> tuple[DealOptions, str]:
    """What an address asks for, and its seed; nothing where it has none.

    Raises:
        UnknownName, BadOptions: it says something that no deal of this game is asked for.
    """
    game = here.game
    said: dict[str, list[str]] = {}
    for name, value in pairs:
        said.setdefault(name, []).append(value)

    def last(name: str) -> str:
        return said.pop(name, [""])[-1]

    if clash := find_conflict({f"--{name}": values[-1] for name, values in said.items()}, DEAL_CONFLICTS):
        raise BadOptions(clash)
    last("game")
    named, players, seed = said.pop("sets", []), last("players"), last("seed")
    of, fresh = (_number(name, last(name) or "0", 0) for name in _NUMBERS)
    kingdom = "\n".join(said.pop("kingdom", []))
    lists = {name: said.pop(name, []) for name in LIST_PARAMS}
    count = _number("players", players, 0) if players else DEFAULT_PLAYERS
    game.check_players(count)
    wanted = DealOptions(
        chosen=resolve_boxes(named or [next(iter(game.sets))], game),
        boxes_are_given=bool(named),
        players=count,
        settings=_settings(said, _readers(game)),
        game="" if is_default(game) else game.name,
        with_=lists["with"],
        without=lists["without"],
        want=lists["want"],
        weight=lists["weight"],
        swaps=lists["swap"],
        box_count=of,
        recent_game_count=fresh,
        kingdom=kingdom or None,
    )
    return wanted, seed


class ServedTable(NamedTuple):
    """A table that has been dealt.

    Attributes:
        here: the game.
        pairs: what its own address says.
        setup: its document.
    """

    loaded_game: LoadedGame
    query_params: QueryParams
    setup: Setup


def deal_table(pairs: QueryParams) -> ServedTable:
    """The table that an address asks for; any, where it has no seed.

    Raises:
        Problem: no deal can be asked for that, or it finds too few cards.
    """
    here = load_requested_game(pairs)
    wanted, seed = parse_params(pairs, here)
    request = here.create_request_builder().build(wanted, seed or generate_seed())
    setup = build_setup(here.game, request, deal_asked(here.game, request), here.languages)
    return ServedTable(here, build_query_params(here.game, request), setup)


def _settings(
    said: Mapping[str, Sequence[str]], readers: Mapping[str, Callable[[str], Setting]]
) -> dict[str, Setting | None]:
    for name in said:
        if name not in readers:
            every = [*readers, *LIST_PARAMS, *_NUMBERS, "sets", "players", "seed", "kingdom"]
            hits = as_verbatim(find_suggestions(name, every))
            raise UnknownName("option", name, hits, message("the page for a deal has all of them"))
    return {name.replace("-", "_"): readers[name](values[-1]) for name, values in said.items()}


def _readers(game: Game) -> dict[str, Callable[[str], Setting]]:
    """For each option that the game leaves open, what reads its value."""
    readers: dict[str, Callable[[str], Setting]] = {
        "landscapes-from": _among("landscapes-from", {each: each for each in ("randomizers", "deck")})
    }
    for option in game.options:
        name = option.name.replace("_", "-")
        if option.cards:
            readers[name] = _among(name, _ANSWERS)
            readers[f"{name}-by"] = _among(f"{name}-by", {each: each for each in option.cards})
        else:
            readers[name] = _from(name, option.least)
    return readers


def _from(name: str, least: int) -> Callable[[str], Setting]:
    return lambda text: _number(name, text, least)


def _number(name: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= MAX_NUMBER):
        takes = "--{name} takes a whole number from {least} to {most}, not {text}."
        raise BadOptions(takes, name=Verbatim(name), least=least, most=MAX_NUMBER, text=quote(text))
    return int(text)


def _among(name: str, choices: Mapping[str, Setting]) -> Callable[[str], Setting]:
    def read_one(text: str) -> Setting:
        if text not in choices:
            takes = "--{name} takes {choices}, not {text}."
            raise BadOptions(
                takes, name=Verbatim(name), choices=join_with_or(as_verbatim(choices)), text=quote(text)
            )
        return choices[text]

    return read_one
