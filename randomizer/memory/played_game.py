"""Records of played games: date, players, scores and cards.

Their data come from setup documents, from the history or from imported files. They are always checked,
limited in size, and free of invisible characters.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import date as Date
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.setup.checklist import is_veto_open
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
_MAX_SCORE = 1_000_000  # The minimum is the negative of this.
_SEPARATOR = re.compile("[,、，]")
_EQUALS_SIGN = re.compile("[=＝]")
_OUTCOME = re.compile(r"[(（]\s*(?:w[io]n|los[et]|tie|draw|勝|負|引).*", re.IGNORECASE)
_OTHER_SEPARATOR = re.compile(r"\s*[:：]\s*|\s+(?=[-−]?\d+$)")  # between a name and a score

CARD_LISTS = ("kingdom", "landscapes", "others")  # the fields with lists of card names

Scores = tuple[tuple[str, int | None], ...]


class PlayedGame(NamedTuple):
    """A game that was played.

    Attributes:
        key: a random text that identifies the record on all machines.
        date: the date in ISO 8601, such as 2026-11-22.
        players: the name and score of each player; an unknown score is None.
        rating: a rating from 1 to 5; None if the game has not been rated.
        note: a note by the players.
        game: the name of the game, as used with `--game`.
        seed: the seed of the deal.
        options: the options of the deal, as in the setup document.
        kingdom: the English names of the Kingdom piles, including those that a second deal replaced.
        landscapes: the English names of the landscapes.
        others: the English names of other chosen piles and of cards set aside. Cards in decks are not
            included, because players see only a few of them.
        id: the number of the game in the history; 0 if it is not in the history.
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
        """The English names of all cards, without duplicates."""
        return list(dict.fromkeys((*self.kingdom, *self.landscapes, *self.others)))

    def to_dict(self) -> dict[str, Any]:
        """Convert the game to a JSON object."""
        fields = self._asdict()
        fields["players"] = [{"name": name, "score": score} for name, score in self.players]
        return {"id": fields.pop("id"), **fields, **{part: list(fields[part]) for part in CARD_LISTS}}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "PlayedGame":
        """Build a game from a JSON object, such as the output of `to_dict`. The id is ignored.

        Invisible characters are escaped.

        Args:
            facts: the object, which is checked.

        Raises:
            BadOptions: a field is missing, too long or of the wrong type.
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
    """Create the record of a game that was played with the table of a setup document.

    Args:
        setup: the setup document.
        date: the date in any format of ISO 8601; today by default.
        players: the names and known scores of the players, in the format of `parse_players`.
        rating: a rating from 1 to 5.
        note: a note by the players.

    Raises:
        BadOptions: one of the arguments is invalid.
    """
    if is_veto_open(setup):
        raise BadOptions("this table is waiting for vetoes; lay it out with `dominion-setup veto` first.")
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
    """Parse a date, and return it in the format `2026-11-22`. An empty text means today.

    Raises:
        BadOptions: the text is not a date, or the date is in the future.
    """
    today = Date.today()
    try:
        day = Date.fromisoformat(text) if text else today
    except ValueError:
        template = "{name} is not a date; write dates like {today}."
        raise BadOptions(template, name=quote(text), today=Verbatim(today)) from None
    if day > today + timedelta(days=1):  # It may already be tomorrow in the players' time zone.
        raise BadOptions("{day} is in the future.", day=Verbatim(day))
    return str(day)


def parse_players(text: str) -> Scores:
    """Parse names and scores in any common format, such as `A=32,B:28, C 40,D`.

    A number after a name is the score, so a name that ends in a number needs an explicit score: `A 2=32`.

    Raises:
        BadOptions: a name is missing or repeated, a score is not a number, or an outcome such as `(won)` is
            given, which cannot be recorded.
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
    """Parse names and scores in the strict format `A=32,B=28,C`. Scores are optional.

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


# ── Validation ──

_Check = Callable[[Any], bool]


def _build_text_check(max_length: int, min_length: int = 0) -> _Check:
    return lambda value: isinstance(value, str) and min_length <= len(value) <= max_length


def _build_integer_check(minimum: int, maximum: int) -> _Check:
    return lambda value: type(value) is int and minimum <= value <= maximum


def _build_optional_check(is_valid: _Check) -> _Check:
    return lambda value: value is None or is_valid(value)


def _build_list_check(is_valid: _Check, max_length: int) -> _Check:
    return lambda value: isinstance(value, list) and len(value) <= max_length and all(map(is_valid, value))


def _is_player(value: Any) -> bool:
    """Return whether the value is an object with a valid score and a name that `parse_scores` can parse."""
    return (
        isinstance(value, dict)
        and _build_text_check(MAX_NAME_LENGTH, min_length=1)(value.get("name"))
        and value["name"] == value["name"].strip()
        and not any(sign.search(value["name"]) for sign in (_SEPARATOR, _EQUALS_SIGN))
        and _build_optional_check(_build_integer_check(-_MAX_SCORE, _MAX_SCORE))(value.get("score"))
    )


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(Date.fromisoformat(value)) == value
    except ValueError:
        return False


def _are_options(value: Any) -> bool:
    try:
        return isinstance(value, dict) and len(json.dumps(value, allow_nan=False)) <= _MAX_OPTIONS_LENGTH
    except (TypeError, ValueError, RecursionError):
        return False


def _describe_max_length(length: int) -> Message:
    return message("have at most {most} characters", most=Verbatim(f"{length:,}"))


_CARD_NAMES = (
    _build_list_check(_build_text_check(_MAX_CARD_NAME_LENGTH, min_length=1), _MAX_CARDS),
    message("be at most {most} card names", most=_MAX_CARDS),
)
# The check of each field, and a description of the valid values.
_CHECKS: Mapping[str, tuple[_Check, Message]] = {
    "key": (_build_text_check(64, min_length=1), message("be a text that no other game has")),
    "date": (_is_day, message("be a date, such as 2026-11-22")),
    "players": (
        _build_list_check(_is_player, _MAX_PLAYERS),
        message(
            "be at most {most} names of up to {longest} characters without commas, with whole numbers "
            "as scores",
            most=_MAX_PLAYERS,
            longest=MAX_NAME_LENGTH,
        ),
    ),
    "rating": (
        _build_optional_check(_build_integer_check(1, MAX_RATING)),
        message("be a number from 1 to {most}", most=MAX_RATING),
    ),
    "note": (_build_text_check(MAX_NOTE_LENGTH), _describe_max_length(MAX_NOTE_LENGTH)),
    "game": (_build_text_check(MAX_NAME_LENGTH, min_length=1), message("be the name of a game")),
    "seed": (_build_text_check(_MAX_TEXT_LENGTH), _describe_max_length(_MAX_TEXT_LENGTH)),
    "options": (_are_options, message("be options of a deal")),
    "kingdom": _CARD_NAMES,
    "landscapes": _CARD_NAMES,
    "others": _CARD_NAMES,
}
