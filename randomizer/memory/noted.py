"""What is noted of a game that was played, made of its setup document or of what was noted before.

Everything in it is bounded and can be seen, wherever it comes from.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import date as Day
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from randomizer.text.encoding import all_visible
from randomizer.text.errors import BadOptions
from randomizer.text.language import Message, Typed, message, quoted
from randomizer.text.tuples import NamedTuple

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

BEST = 5  # of the ratings, from 1
LONGEST = 60  # letters of a player's name
LONGEST_NOTE = 1_000
_MOST_PLAYERS = 20
_MOST_CARDS = 500
_LONGEST_CARD = 200
_LONGEST_TEXT = 1_000
_LONGEST_OPTIONS = 100_000
_HIGHEST = 1_000_000  # of the scores, and the lowest below 0
_BETWEEN = re.compile("[,、，]")
_EQUALS = re.compile("[=＝]")

PARTS = ("kingdom", "landscapes", "others")  # those of the facts that are names of cards

Scores = tuple[tuple[str, int | None], ...]


class PlayedGame(NamedTuple):
    """A game that was played: when and by whom, and what was on the table.

    Attributes:
        key: what tells it from any other, also on another machine.
        date: the day, such as 2026-11-22.
        players: their names, each with a score or None.
        rating: 1 to 5, or None.
        note: in the players' own words.
        game: its name, as `--game` takes it.
        seed: what the table was dealt with ...
        options: ... and with which options, as its document has them.
        kingdom: English names of the Kingdom piles, those that a second deal replaced included ...
        landscapes: ... and of the landscapes ...
        others: ... and of what setup chose besides: piles, and cards set aside. Not those of a deck of
            cards, of which one sees a few.
        id: its number in this history; 0 as long as it has none.
    """

    key: str
    date: str
    players: Scores
    rating: int | None
    note: str
    game: str
    seed: str
    options: Mapping[str, Any]
    kingdom: tuple[str, ...]
    landscapes: tuple[str, ...]
    others: tuple[str, ...]
    id: int = 0

    @property
    def cards(self) -> list[str]:
        """The names of all cards that are noted of it."""
        return list(dict.fromkeys((*self.kingdom, *self.landscapes, *self.others)))


def played_game(
    setup: "Setup", date: str = "", players: str = "", rating: int | None = None, note: str = ""
) -> PlayedGame:
    """What is noted of a table.

    Args:
        setup: the document of the table.
        date: the day, in one of the forms of ISO 8601; today by default.
        players: names, and scores where they are known: `A=32,B=28`.
        rating: 1 to 5.
        note: anything.

    Raises:
        BadOptions: one of these is not as it should be.
    """
    left = setup.get("second_deal", {}).get("leaves", ())
    kingdom = [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"]
    chosen = [pile["name"] for pile in setup["piles"] if pile["place"] != "kingdom" and pile["marks"]]
    return checked(
        {
            "key": os.urandom(8).hex(),
            "date": day(date),
            "players": [{"name": name, "score": score} for name, score in scores(players)],
            "rating": rating,
            "note": note,
            "game": setup["game"],
            "seed": setup["seed"],
            "options": setup["options"],
            "kingdom": [*left, *kingdom],
            "landscapes": [landscape["name"] for landscape in setup["landscapes"]],
            "others": [*chosen, *(card["name"] for card in setup["set_aside"])],
        }
    )


def day(text: str) -> str:
    """A day as `2026-11-22`; nothing is today.

    Raises:
        BadOptions: it is not a day, or not one on which anything can have been played.
    """
    today = Day.today()
    try:
        said = Day.fromisoformat(text) if text else today
    except ValueError:
        wrong = "{name} is not a day; a day is written {today}."
        raise BadOptions(wrong, name=quoted(text), today=Typed(today)) from None
    if said > today + timedelta(days=1):  # it may be tomorrow already where they played
        raise BadOptions("{day} is not over yet.", day=Typed(said))
    return str(said)


def scores(text: str) -> Scores:
    """The names and scores of `A=32,B=28`; a name may stand without a score.

    Raises:
        BadOptions: a name is missing or stands there twice, or a score is not a number.
    """
    found: dict[str, int | None] = {}
    for part in _BETWEEN.split(text) if text.strip() else ():
        name, *said = (word.strip() for word in _EQUALS.split(part))
        if not name or len(said) > 1:
            raise BadOptions("players are named like A=32,B=28, not {part}.", part=quoted(part.strip()))
        if name in found:
            raise BadOptions("{player} is named twice among the players.", player=Typed(name))
        found[name] = _score(name, said[0]) if said else None
    return tuple(found.items())


def _score(name: str, text: str) -> int:
    if not re.fullmatch(r"[-−]?\d{1,7}", text):
        said = "the score of {player} is not a whole number: {score}."
        raise BadOptions(said, player=Typed(name), score=quoted(text))
    return int(text.replace("−", "-"))


# ── Facts, as JSON has them ──


def facts(game: PlayedGame) -> dict[str, Any]:
    """The game as JSON has it; `checked` reads it."""
    fields = game._asdict()
    number = fields.pop("id")
    fields["players"] = [{"name": name, "score": score} for name, score in game.players]
    return {"id": number, **fields, **{part: list(fields[part]) for part in PARTS}}


def checked(said: Mapping[str, Any]) -> PlayedGame:
    """A game from its facts, wherever they come from; texts are made visible.

    Raises:
        BadOptions: a fact is missing, too long or of the wrong sort; says which.
    """
    try:
        seen = {field: all_visible(said.get(field)) for field in _FIELDS if field != "options"}
    except RecursionError:
        raise BadOptions("the facts of a played game are nested too deeply.") from None
    seen["options"] = said.get("options")
    for field, (fits, what) in _FIELDS.items():
        if not fits(seen[field]):
            raise BadOptions("the {field} of a played game {wanted}.", field=field, wanted=what)
    seen["players"] = tuple((player["name"], player.get("score")) for player in seen["players"])
    for part in PARTS:
        seen[part] = tuple(seen[part])
    return PlayedGame(**seen)


def _text(most: int, least: int = 0) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _whole(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _maybe(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _list_of(fits: Callable[[Any], bool], most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(fits, value))


def _is_player(value: Any) -> bool:
    """Whether it is a name that `scores` reads as such, and a score."""
    return (
        isinstance(value, dict)
        and _text(LONGEST, least=1)(value.get("name"))
        and value["name"] == value["name"].strip()
        and not any(sign.search(value["name"]) for sign in (_BETWEEN, _EQUALS))
        and _maybe(_whole(-_HIGHEST, _HIGHEST))(value.get("score"))
    )


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(Day.fromisoformat(value)) == value
    except ValueError:
        return False


def _are_options(value: Any) -> bool:
    try:
        return isinstance(value, dict) and len(json.dumps(value, allow_nan=False)) <= _LONGEST_OPTIONS
    except (TypeError, ValueError, RecursionError):
        return False


def _at_most(letters: int) -> Message:
    return message("has at most {most} letters", most=Typed(f"{letters:,}"))


_CARDS = (
    _list_of(_text(_LONGEST_CARD, least=1), _MOST_CARDS),
    message("are at most {most} names of cards", most=_MOST_CARDS),
)
_FIELDS: Mapping[str, tuple[Callable[[Any], bool], Message]] = {
    "key": (_text(64, least=1), message("is a text that no other game has")),
    "date": (_is_day, message("is a day, such as 2026-11-22")),
    "players": (
        _list_of(_is_player, _MOST_PLAYERS),
        message(
            "are at most {most} names of up to {longest} letters without commas, with whole numbers",
            most=_MOST_PLAYERS,
            longest=LONGEST,
        ),
    ),
    "rating": (_maybe(_whole(1, BEST)), message("is a number from 1 to {most}", most=BEST)),
    "note": (_text(LONGEST_NOTE), _at_most(LONGEST_NOTE)),
    "game": (_text(LONGEST, least=1), message("is its name")),
    "seed": (_text(_LONGEST_TEXT), _at_most(_LONGEST_TEXT)),
    "options": (_are_options, message("are those of a deal")),
    "kingdom": _CARDS,
    "landscapes": _CARDS,
    "others": _CARDS,
}
