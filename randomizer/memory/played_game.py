"""Records of played games: date, players, scores, winners and cards.

Their data come from setup documents, from the history or from imported files. They are always checked,
limited in size, and free of invisible characters.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date as Date
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from randomizer.setup.checklist import require_laid_table
from randomizer.text.encoding import escape_all_control_characters
from randomizer.text.errors import BadOptions
from randomizer.text.language import Message, Verbatim, as_verbatim, join_with_and, message, quote

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
MAX_SCORE = 1_000_000  # The minimum is the negative of this.
_COMMA = re.compile("[,、，]")
_EQUALS_SIGN = re.compile("[=＝]")
_PLAYER_SEPARATOR = re.compile(
    r"[,、，;；]|\s·\s"
)  # between players, including the separators that the program prints
_SCORE_UNIT = re.compile(r"(?<=\d)\s*(?:points?|pts?\.?|vp|点)(?!\w)", re.IGNORECASE)
_OUTCOME = re.compile(
    r"\s*[(（]\s*(?:(?P<won>win|wins|won|winner|tie|tied|draw|勝ち?|勝者|引き?分け?)"
    r"|lose|loses|lost|loser|loss|負け?|敗者?)\s*[)）]",
    re.IGNORECASE,
)
_NAME_SCORE_SEPARATOR = re.compile(r"\s*[:：]\s*|\s+(?=[-−]?\d+$)")  # between a name and a score
_BRACKETED_SCORE = re.compile(r"\s*[(（]\s*([-−]?\d+)\s*[)）]$")
_INNER_SCORE = re.compile(r"\s[-−]?\d+\s+[^\W\d]")  # A comma is probably missing after this score.

CARD_LISTS = ("kingdom", "landscapes", "others")  # the fields with lists of card names
NAME_LISTS = (*CARD_LISTS, "winners")  # the fields with lists of names

Scores = tuple[tuple[str, int | None], ...]


class PlayedGame(NamedTuple):
    """A game that was played.

    Attributes:
        key: a random string that identifies the record on all machines.
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
        winners: the names of the players who won or shared the victory; empty if unknown.
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
    winners: tuple[str, ...] = ()
    id: int = 0

    @property
    def cards(self) -> list[str]:
        """The English names of all cards, without duplicates."""
        return list(dict.fromkeys((*self.kingdom, *self.landscapes, *self.others)))

    def to_dict(self) -> dict[str, Any]:
        """Convert the game to a JSON object."""
        fields = self._asdict()
        fields["players"] = [{"name": name, "score": score} for name, score in self.players]
        return {"id": fields.pop("id"), **fields, **{part: list(fields[part]) for part in NAME_LISTS}}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "PlayedGame":
        """Build a game from a JSON object, such as the output of `to_dict`. The id is ignored.

        Invisible characters are escaped. If no winners are given, they are inferred from the scores.

        Args:
            facts: the object, which need not be valid.

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
        fields["winners"] = fields["winners"] or []  # Older versions did not record winners.
        for field, (is_valid, requirement) in _CHECKS.items():
            if not is_valid(fields[field]):
                raise BadOptions(
                    "the {field} of a played game must {wanted}.", field=field, wanted=requirement
                )
        fields["players"] = tuple((player["name"], player.get("score")) for player in fields["players"])
        for part in NAME_LISTS:
            fields[part] = tuple(fields[part])
        names = [name for name, _ in fields["players"]]
        if not set(fields["winners"]) <= set(names):
            template = "the {field} of a played game must {wanted}."
            raise BadOptions(template, field="winners", wanted=message("be some of its players"))
        winners = tuple(name for name in names if name in fields["winners"])
        fields["winners"] = winners or infer_winners(fields["players"])
        return cls(**fields)


class GameResult(NamedTuple):
    """The scores and the winners of a game.

    Attributes:
        players: the name and score of each player; an unknown score is None.
        winners: the names of the winners, in the order of the players; empty if unknown.
    """

    players: Scores
    winners: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Convert the result to fields of the JSON object of a game."""
        players = [{"name": name, "score": score} for name, score in self.players]
        return {"players": players, "winners": list(self.winners)}


def infer_winners(players: Scores) -> tuple[str, ...]:
    """Return the names of the players with the highest score, who share the victory if there are several.

    Return no names unless there are at least two players and all their scores are known.
    """
    scores = [score for _, score in players if score is not None]
    if len(players) < 2 or len(scores) < len(players):
        return ()
    return tuple(name for name, score in players if score == max(scores))


def build_played_game(
    setup: "Setup",
    date: str = "",
    players: str = "",
    rating: int | None = None,
    note: str = "",
    winners: Sequence[str] = (),
) -> PlayedGame:
    """Create the record of a game that was played with the table of a setup document.

    Args:
        setup: the setup document.
        date: the date in any ISO 8601 format; empty for today.
        players: the names and known scores of the players, in the format of `parse_result`.
        rating: a rating from 1 to 5.
        note: a note by the players.
        winners: the names of the winners. They are needed only if the scores do not decide who has won.

    Raises:
        BadOptions: one of the arguments is invalid.
    """
    require_laid_table(setup)
    replaced = [pile["name"] for pile in setup["second_deal"]["leaves"]] if "second_deal" in setup else []
    kingdom = [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"]
    chosen = [pile["name"] for pile in setup["piles"] if pile["place"] != "kingdom" and pile["marks"]]
    return PlayedGame.from_dict(
        {
            "key": os.urandom(8).hex(),
            "date": parse_day(date),
            **parse_result(players, winners).to_dict(),
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
    """Parse a date, and return it in the format `2026-11-22`. An empty string means today.

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


def parse_result(text: str, winners: Iterable[str] = ()) -> GameResult:
    """Parse names, scores and winners in any common format, such as `A=32,B:28, C 40,D (won)`.

    A number after a name is the score, so a name that ends in a number needs an explicit score: `A 2=32`.
    If no winners are given, they are inferred from the scores.

    Args:
        text: the players. If it is empty, the winners are the players.
        winners: the names of further winners. Each string may contain several, separated by commas. Case is
            ignored.

    Raises:
        BadOptions: a name is missing or repeated, a score is not a number, or a winner is not a player or has
            fewer points than another player.
    """
    players, marked_winners = [], []
    for part in _PLAYER_SEPARATOR.split(text):
        outcome = _OUTCOME.search(part)
        player = _normalize_player(_OUTCOME.sub("", part).strip())
        if outcome and outcome["won"]:
            marked_winners.append(player.partition("=")[0].strip())
        players.append(player)
    return _build_result(parse_scores(",".join(players)), [*marked_winners, *winners])


def _build_result(players: Scores, winners: Iterable[str]) -> GameResult:
    """Return the result of a game with these players and winners, as described in `parse_result`."""
    winner_names = [name.strip() for names in winners for name in _COMMA.split(names) if name.strip()]
    players = players or tuple((name, None) for name in dict.fromkeys(winner_names))
    found = {_find_player(name, players) for name in winner_names}
    best_score = max((score for _, score in players if score is not None), default=0)
    for name, score in players:
        if name in found and score is not None and score < best_score:
            template = "{player} can't be the winner with {score} points, because another player has {best}."
            raise BadOptions(template, player=Verbatim(name), score=score, best=best_score)
    return GameResult(players, tuple(name for name, _ in players if name in found) or infer_winners(players))


def _normalize_player(text: str) -> str:
    """Convert the name and score of a player from any common format to that of `parse_scores`.

    Raises:
        BadOptions: the text probably contains several players without commas between them.
    """
    text = _SCORE_UNIT.sub("", text)
    if _EQUALS_SIGN.search(text):
        return text
    if _INNER_SCORE.search(text):
        raise BadOptions("write players like A=32,B=28, not {part}.", part=quote(text))
    return _NAME_SCORE_SEPARATOR.sub("=", _BRACKETED_SCORE.sub(r" \1", text))


def get_player_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case, width and spaces."""
    return " ".join(normalize("NFKC", name).casefold().split())


def _find_player(name: str, players: Scores) -> str:
    """Return the name of the player to whom a typed name refers, ignoring case, width and spaces.

    Raises:
        BadOptions: no player has this name.
    """
    names = [player for player, _ in players]
    key = get_player_key(name)
    found = [player for player in names if get_player_key(player) == key]
    if not found:
        template = "the winner {name} is not one of the players; they are {names}."
        raise BadOptions(template, name=quote(name), names=join_with_and(as_verbatim(names)))
    return name if name in found else found[0]


def change_game(game: PlayedGame, changes: Mapping[str, Any]) -> PlayedGame:
    """Return a game with corrected details.

    New scores decide the winners again, unless the changes include winners. If the new scores are incomplete,
    the previous winners remain.

    Args:
        game: the game to correct.
        changes: the new values, by the names of the arguments of `build_played_game`. A rating of 0 removes
            the rating.

    Raises:
        BadOptions: a value is invalid.
    """
    facts = game.to_dict()
    if "date" in changes:
        facts["date"] = parse_day(changes["date"])
    if "rating" in changes:
        facts["rating"] = changes["rating"] or None
    if "note" in changes:
        facts["note"] = changes["note"]
    if "players" in changes:
        result = parse_result(changes["players"], changes.get("winners", ()))
        names = [name for name, _ in result.players]
        facts |= result.to_dict()
        facts["winners"] = facts["winners"] or [name for name in game.winners if name in names]
    elif "winners" in changes:
        facts |= _build_result(game.players, changes["winners"]).to_dict()
    return PlayedGame.from_dict(facts)._replace(id=game.id)


def parse_scores(text: str) -> Scores:
    """Parse names and scores in the strict format `A=32,B=28,C`. Scores are optional.

    Raises:
        BadOptions: a name is missing or repeated, or a score is not a number.
    """
    players: dict[str, int | None] = {}
    for part in _COMMA.split(text) if text.strip() else ():
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

_Predicate = Callable[[Any], bool]


def _build_text_predicate(max_length: int, min_length: int = 0) -> _Predicate:
    return lambda value: isinstance(value, str) and min_length <= len(value) <= max_length


def _build_integer_predicate(min_value: int, max_value: int) -> _Predicate:
    return lambda value: type(value) is int and min_value <= value <= max_value


def _build_optional_predicate(is_valid: _Predicate) -> _Predicate:
    return lambda value: value is None or is_valid(value)


def _build_list_predicate(is_valid: _Predicate, max_length: int) -> _Predicate:
    return lambda value: isinstance(value, list) and len(value) <= max_length and all(map(is_valid, value))


def _is_player(value: Any) -> bool:
    """Return whether the value is an object with a valid score and a name that `parse_scores` can parse."""
    return (
        isinstance(value, dict)
        and _build_text_predicate(MAX_NAME_LENGTH, min_length=1)(value.get("name"))
        and value["name"] == value["name"].strip()
        and not any(sign.search(value["name"]) for sign in (_COMMA, _EQUALS_SIGN))
        and _build_optional_predicate(_build_integer_predicate(-MAX_SCORE, MAX_SCORE))(value.get("score"))
    )


def _is_iso_date(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(Date.fromisoformat(value)) == value
    except ValueError:
        return False


def _is_options_object(value: Any) -> bool:
    try:
        return isinstance(value, dict) and len(json.dumps(value, allow_nan=False)) <= _MAX_OPTIONS_LENGTH
    except (TypeError, ValueError, RecursionError):
        return False


def _describe_max_length(length: int) -> Message:
    return message("have at most {most} characters", most=Verbatim(f"{length:,}"))


_CARD_NAMES = (
    _build_list_predicate(_build_text_predicate(_MAX_CARD_NAME_LENGTH, min_length=1), _MAX_CARDS),
    message("be at most {most} card names", most=_MAX_CARDS),
)
# For each field: whether a value is valid, and a description of the valid values.
_CHECKS: Mapping[str, tuple[_Predicate, Message]] = {
    "key": (_build_text_predicate(64, min_length=1), message("be a text that no other game has")),
    "date": (_is_iso_date, message("be a date, such as 2026-11-22")),
    "players": (
        _build_list_predicate(_is_player, _MAX_PLAYERS),
        message(
            "be at most {most} names of up to {longest} characters without commas, with whole numbers "
            "as scores",
            most=_MAX_PLAYERS,
            longest=MAX_NAME_LENGTH,
        ),
    ),
    "rating": (
        _build_optional_predicate(_build_integer_predicate(1, MAX_RATING)),
        message("be a number from 1 to {most}", most=MAX_RATING),
    ),
    "note": (_build_text_predicate(MAX_NOTE_LENGTH), _describe_max_length(MAX_NOTE_LENGTH)),
    "game": (_build_text_predicate(MAX_NAME_LENGTH, min_length=1), message("be the name of a game")),
    "seed": (_build_text_predicate(_MAX_TEXT_LENGTH), _describe_max_length(_MAX_TEXT_LENGTH)),
    "options": (_is_options_object, message("be options of a deal")),
    "kingdom": _CARD_NAMES,
    "landscapes": _CARD_NAMES,
    "others": _CARD_NAMES,
    "winners": (
        _build_list_predicate(_build_text_predicate(MAX_NAME_LENGTH), _MAX_PLAYERS),
        message("be some of its players"),
    ),
}
