"""A played game: when it was played, by whom and with which cards.

Its facts come from a setup document, from the history or from an imported file. Wherever they come from, they
are checked, limited in size, and free of characters that cannot be seen.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import date as Date
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.text.encoding import escape_all_control_characters
from randomizer.text.errors import BadOptions
from randomizer.text.language import Message, Verbatim, message, quote

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

MAX_RATING = 5
MAX_NAME_LENGTH = 60  # characters of a player's name
MAX_NOTE_LENGTH = 1_000  # characters
_MAX_PLAYERS = 20
_MAX_CARDS = 500
_MAX_CARD_NAME_LENGTH = 200
_MAX_TEXT_LENGTH = 1_000
_MAX_OPTIONS_LENGTH = 100_000  # characters of JSON
_MAX_SCORE = 1_000_000  # also the limit below 0
_SEPARATOR = re.compile("[,、，]")
_EQUALS_SIGN = re.compile("[=＝]")
_OUTCOME = re.compile(r"[(（]\s*(?:w[io]n|los[et]|tie|draw|勝|負|引).*", re.IGNORECASE)
_OTHER_SEPARATOR = re.compile(r"\s*[:：]\s*|\s+(?=[-−]?\d+$)")  # between a name and a score

CARD_LISTS = ("kingdom", "landscapes", "others")  # the fields that are lists of card names

Scores = tuple[tuple[str, int | None], ...]


class PlayedGame(NamedTuple):
    """A game that was played.

    Attributes:
        key: a random text that identifies the game, also on another machine.
        date: the day in ISO 8601, such as 2026-11-22.
        players: the players' names, each with a score or None.
        rating: 1 to 5, or None.
        note: a text by the players.
        game: the name of the game, as `--game` takes it.
        seed: the seed of the deal.
        options: the options of the deal, as in the setup document.
        kingdom: English names of the Kingdom piles, including those that a second deal replaced.
        landscapes: English names of the landscapes.
        others: English names of the other piles that were chosen and of the cards set aside. Decks are left
            out, because players see only a few of their cards.
        id: the game's number in this history; 0 if it is not in the history.
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
        """The English names of all its cards, without duplicates."""
        return list(dict.fromkeys((*self.kingdom, *self.landscapes, *self.others)))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as they are in JSON."""
        fields = self._asdict()
        fields["players"] = [{"name": name, "score": score} for name, score in self.players]
        return {"id": fields.pop("id"), **fields, **{part: list(fields[part]) for part in CARD_LISTS}}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "PlayedGame":
        """Check facts as `to_dict` returns them, and build a game from them. The id is not taken over.

        Characters that cannot be seen are escaped.

        Raises:
            BadOptions: a fact is missing, too long or of the wrong type.
        """
        try:
            fields = {
                field: escape_all_control_characters(facts.get(field))
                for field in _CHECKS
                if field != "options"
            }
        except RecursionError:
            raise BadOptions("the record of a played game is nested too deeply.") from None
        fields["options"] = facts.get("options")
        for field, (is_valid, requirement) in _CHECKS.items():
            if not is_valid(fields[field]):
                raise BadOptions(
                    "the {field} of a played game must {wanted}.", field=field, wanted=requirement
                )
        fields["players"] = tuple((player["name"], player.get("score")) for player in fields["players"])
        for part in CARD_LISTS:
            fields[part] = tuple(fields[part])
        return cls(**fields)


def build_played_game(
    setup: "Setup", date: str = "", players: str = "", rating: int | None = None, note: str = ""
) -> PlayedGame:
    """Build the played game of a setup document.

    Args:
        setup: the document.
        date: the day in one of the forms of ISO 8601; today by default.
        players: names, with scores where they are known, as `parse_players` reads them.
        rating: 1 to 5.
        note: a text by the players.

    Raises:
        BadOptions: one of the arguments is invalid.
    """
    replaced = setup.get("second_deal", {}).get("leaves", ())
    kingdom = [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"]
    chosen = [pile["name"] for pile in setup["piles"] if pile["place"] != "kingdom" and pile["marks"]]
    return PlayedGame.from_dict(
        {
            "key": os.urandom(8).hex(),
            "date": parse_day(date),
            "players": [{"name": name, "score": score} for name, score in parse_players(players)],
            "rating": rating,
            "note": note,
            "game": setup["game"],
            "seed": setup["seed"],
            "options": setup["options"],
            "kingdom": [*replaced, *kingdom],
            "landscapes": [landscape["name"] for landscape in setup["landscapes"]],
            "others": [*chosen, *(card["name"] for card in setup["set_aside"])],
        }
    )


def parse_day(text: str) -> str:
    """Parse a day and return it as `2026-11-22`. The empty text is today.

    Raises:
        BadOptions: the text is not a day, or the day is in the future.
    """
    today = Date.today()
    try:
        day = Date.fromisoformat(text) if text else today
    except ValueError:
        template = "{name} is not a date; write dates like {today}."
        raise BadOptions(template, name=quote(text), today=Verbatim(today)) from None
    if day > today + timedelta(days=1):  # in the players' time zone it may be tomorrow already
        raise BadOptions("{day} is in the future.", day=Verbatim(day))
    return str(day)


def parse_players(text: str) -> Scores:
    """Parse names and scores as people type them and as this program prints them: `A=32,B:28, C 40,D`.

    A number after a name is its score. For a name that ends in a number, the score is needed: `A 2=32`.

    Raises:
        BadOptions: as for `parse_scores`; or an outcome is given, which can't be recorded.
    """
    parts = []
    for part in _SEPARATOR.split(text):
        if outcome := _OUTCOME.search(part):
            template = "{outcome} can't be recorded; write scores, as in A=32,B=28, or use --note."
            raise BadOptions(template, outcome=quote(outcome[0].strip()))
        separator = _EQUALS_SIGN if _EQUALS_SIGN.search(part) else _OTHER_SEPARATOR
        parts.append(separator.sub("=", part.strip()))
    return parse_scores(",".join(parts))


def parse_scores(text: str) -> Scores:
    """Parse the names and scores of `A=32,B=28`; a name may have no score.

    Raises:
        BadOptions: a name is missing or repeated, or a score is not a number.
    """
    players: dict[str, int | None] = {}
    for part in _SEPARATOR.split(text) if text.strip() else ():
        name, *scores = (word.strip() for word in _EQUALS_SIGN.split(part))
        if not name or len(scores) > 1:
            raise BadOptions("write players like A=32,B=28, not {part}.", part=quote(part.strip()))
        if name in players:
            raise BadOptions("{player} is listed twice.", player=Verbatim(name))
        players[name] = _parse_score(name, scores[0]) if scores else None
    return tuple(players.items())


def _parse_score(name: str, text: str) -> int:
    if not re.fullmatch(r"[-−]?\d{1,7}", text):
        template = "the score of {player} must be a whole number, not {score}."
        raise BadOptions(template, player=Verbatim(name), score=quote(text))
    return int(text.replace("−", "-"))


# ── Checks of facts from outside ──

_Check = Callable[[Any], bool]


def _text(max_length: int, min_length: int = 0) -> _Check:
    return lambda value: isinstance(value, str) and min_length <= len(value) <= max_length


def _integer(minimum: int, maximum: int) -> _Check:
    return lambda value: type(value) is int and minimum <= value <= maximum


def _optional(is_valid: _Check) -> _Check:
    return lambda value: value is None or is_valid(value)


def _list_of(is_valid: _Check, max_length: int) -> _Check:
    return lambda value: isinstance(value, list) and len(value) <= max_length and all(map(is_valid, value))


def _is_player(value: Any) -> bool:
    """Return whether the value is a score and a name that `parse_scores` parses as that name."""
    return (
        isinstance(value, dict)
        and _text(MAX_NAME_LENGTH, min_length=1)(value.get("name"))
        and value["name"] == value["name"].strip()
        and not any(sign.search(value["name"]) for sign in (_SEPARATOR, _EQUALS_SIGN))
        and _optional(_integer(-_MAX_SCORE, _MAX_SCORE))(value.get("score"))
    )


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(Date.fromisoformat(value)) == value
    except ValueError:
        return False


def _is_options(value: Any) -> bool:
    try:
        return isinstance(value, dict) and len(json.dumps(value, allow_nan=False)) <= _MAX_OPTIONS_LENGTH
    except (TypeError, ValueError, RecursionError):
        return False


def _has_at_most(length: int) -> Message:
    return message("have at most {most} characters", most=Verbatim(f"{length:,}"))


_CARD_NAMES = (
    _list_of(_text(_MAX_CARD_NAME_LENGTH, min_length=1), _MAX_CARDS),
    message("be at most {most} card names", most=_MAX_CARDS),
)
# For each field its check, and what is required of it.
_CHECKS: Mapping[str, tuple[_Check, Message]] = {
    "key": (_text(64, min_length=1), message("be a text that no other game has")),
    "date": (_is_day, message("be a date, such as 2026-11-22")),
    "players": (
        _list_of(_is_player, _MAX_PLAYERS),
        message(
            "be at most {most} names of up to {longest} characters without commas, with whole numbers "
            "as scores",
            most=_MAX_PLAYERS,
            longest=MAX_NAME_LENGTH,
        ),
    ),
    "rating": (
        _optional(_integer(1, MAX_RATING)),
        message("be a number from 1 to {most}", most=MAX_RATING),
    ),
    "note": (_text(MAX_NOTE_LENGTH), _has_at_most(MAX_NOTE_LENGTH)),
    "game": (_text(MAX_NAME_LENGTH, min_length=1), message("be the name of a game")),
    "seed": (_text(_MAX_TEXT_LENGTH), _has_at_most(_MAX_TEXT_LENGTH)),
    "options": (_is_options, message("be options of a deal")),
    "kingdom": _CARD_NAMES,
    "landscapes": _CARD_NAMES,
    "others": _CARD_NAMES,
}
