"""The address of a table: its whole request and its seed, by the names of the command line's options."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple
from urllib import parse

from randomizer.browse.asking import OF_A_DEAL, Asking, Wanted, clash_in
from randomizer.browse.boxes import resolve
from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.model import MOST, Named
from randomizer.deal.unused import generate_seed
from randomizer.load.games import is_default, load
from randomizer.load.languages import load_all, load_all_card_names
from randomizer.memory import defaults
from randomizer.record.build import build_setup, deal_asked
from randomizer.setup.command import options, sets_of
from randomizer.setup.document import Setup
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import Language, Verbatim, as_verbatim, join_with_or, message, quote

PLAYERS = 2  # by default
LANGUAGE = "lang"  # the one option that says nothing of the table
_MOST = 500  # options in an address
_ANSWERS: Mapping[str, Setting] = {"yes": True, "no": False}
LISTS = ("with", "without", "want", "weight", "swap")
_NUMBERS = ("of", "fresh")

Pairs = Sequence[tuple[str, str]]


class Known(NamedTuple):
    """A game with what everything in it is called.

    Attributes:
        languages: all, English first.
        named: by the code of each but English, what it calls the cards.
    """

    game: Game
    languages: Sequence[Language]
    named: Mapping[str, Mapping[str, Named]]

    def speaking(self, code: str) -> Language:
        """The language of that code."""
        return next(language for language in self.languages if language.code == code)

    def asking(self) -> Asking:
        """Makes requests of what is typed."""
        own = defaults.read().wishes if is_default(self.game) else {}
        return Asking(self.game, self.languages, self.named.values, own)


@cache
def known(game: str = "") -> Known:
    """The game of that name, or the default one.

    Raises:
        UnknownName: there are no data for such a game.
    """
    loaded = load(game)
    return Known(loaded, load_all(loaded), load_all_card_names(loaded))


def pairs_of(query: str) -> tuple[Pairs, str]:
    """What an address says after its `?`, but for empty fields; and the code of the language, or nothing.

    Raises:
        BadOptions: it says too much.
    """
    try:
        said = parse.parse_qsl(query, max_num_fields=_MOST, errors="replace")
    except ValueError:
        raise BadOptions("an address has at most {most} options.", most=_MOST) from None
    codes = [value for name, value in said if name == LANGUAGE]
    return [(name, value) for name, value in said if name != LANGUAGE], codes[-1] if codes else ""


def key_of(pairs: Pairs) -> str:
    """What the ticks on a table are kept under."""
    return sha256(json.dumps(pairs).encode()).hexdigest()[:24]


def query_of(pairs: Iterable[tuple[str, str]]) -> str:
    """The options as they stand in an address."""
    return parse.urlencode(list(pairs), quote_via=parse.quote, safe=",:=*")


def said_by(game: Game, request: Request) -> Pairs:
    """The options of a table's own address."""
    return [
        *(
            (name.replace("_", "-"), value if isinstance(value, str) else "yes" if value else "no")
            for name, value in options(request, sets_of(game, request))
        ),
        ("seed", request.seed),
    ]


def game_of(pairs: Pairs) -> Known:
    """The game that is asked for.

    Raises:
        UnknownName: there are no data for such a game.
    """
    return known(dict(pairs).get("game", ""))


def from_defaults(held: Mapping[str, Any], game: Game) -> Pairs:
    """What an address says that asks for the same as the user's own defaults.

    Args:
        held: the defaults that hold, by the names of the command line's parameters; of those that shape no
            table, or come from a file, nothing is taken.
        game: the one that is dealt.
    """
    if held.get("game", "") not in ("" if is_default(game) else game.name, game.name):
        return []
    said = {name.strip("_").replace("_", "-"): value for name, value in held.items()}
    takes = {"game", "sets", "players", *LISTS, *_NUMBERS, *_readers(game)} - {"swap"}
    return [(name, _as_said(each)) for name in said if name in takes for each in _each(said[name])]


def _each(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _as_said(value: Any) -> str:
    """A value as an address has it."""
    return next((word for word, answer in _ANSWERS.items() if answer is value), str(value))


def read(pairs: Pairs, here: Known) -> tuple[Wanted, str]:
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

    if clash := clash_in({f"--{name}": values[-1] for name, values in said.items()}, OF_A_DEAL):
        raise BadOptions(clash)
    last("game")
    named, players, seed = said.pop("sets", []), last("players"), last("seed")
    of, fresh = (_number(name, last(name) or "0", 0) for name in _NUMBERS)
    kingdom = "\n".join(said.pop("kingdom", []))
    lists = {name: said.pop(name, []) for name in LISTS}
    count = _number("players", players, 0) if players else PLAYERS
    game.check_players(count)
    wanted = Wanted(
        chosen=resolve(named or [next(iter(game.sets))], game),
        at_hand=bool(named),
        players=count,
        settings=_settings(said, _readers(game)),
        game="" if is_default(game) else game.name,
        with_=lists["with"],
        without=lists["without"],
        want=lists["want"],
        weight=lists["weight"],
        swaps=lists["swap"],
        of=of,
        fresh=fresh,
        kingdom=kingdom or None,
    )
    return wanted, seed


class Dealt(NamedTuple):
    """A table that has been dealt.

    Attributes:
        here: the game.
        pairs: what its own address says.
        setup: its document.
    """

    here: Known
    pairs: Pairs
    setup: Setup


def dealt(pairs: Pairs) -> Dealt:
    """The table that an address asks for; any, where it has no seed.

    Raises:
        Problem: no deal can be asked for that, or it finds too few cards.
    """
    here = game_of(pairs)
    wanted, seed = read(pairs, here)
    request = here.asking().request(wanted, seed or generate_seed())
    setup = build_setup(here.game, request, deal_asked(here.game, request), here.languages)
    return Dealt(here, said_by(here.game, request), setup)


def _settings(
    said: Mapping[str, Sequence[str]], readers: Mapping[str, Callable[[str], Setting]]
) -> dict[str, Setting | None]:
    for name in said:
        if name not in readers:
            every = [*readers, *LISTS, *_NUMBERS, "sets", "players", "seed", "kingdom"]
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
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= MOST):
        takes = "--{name} takes a whole number from {least} to {most}, not {text}."
        raise BadOptions(takes, name=Verbatim(name), least=least, most=MOST, text=quote(text))
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
