"""Functions that recover the request of a setup document, and the command that deals the table again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.cards.game import MAX_COPIES, NO_WISHES, Game, Request, Series, Wishes
from randomizer.cards.kingdom import (
    MAX_VETOES,
    NO_KINGDOM,
    Kingdom,
    Swap,
    is_list_of_names,
    kingdom_from_json,
    swaps_from_json,
)
from randomizer.cards.model import MAX_NUMBER
from randomizer.load.games import is_default
from randomizer.setup.command import PROGRAM, append_seed, build_command, format_command
from randomizer.setup.settings import list_setting_types
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadDocument, BadOptions, BadSelector, UnknownName
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

_WISH_PATTERN = r"[\w:=.+ -]+"  # matches strings that consist of characters that may occur in wishes
_WISH_OPTIONS = ("with", "without", "want", "weight")  # in the order of the fields of `Wishes`
_SERIES_OPTIONS = {"count", "apart", "table", "copies"}
_INVALID_OPTIONS = "the options in this setup don't fit this game."


class _UnparsedWish(NamedTuple):
    """A wish that cannot be parsed, because its words may be defined in a data file that is not loaded."""

    text: str


def build_replay_command(game: Game, setup: Setup) -> str:
    """Return the command that deals the table of a document again; empty if the options are invalid.

    The command is built from the options of the document. Its key `command` is not trusted, because documents
    may come from anywhere, and users run the command in their shell.

    Args:
        game: the game. It need not include the user's own files that the document names; they are not read.
        setup: the setup document.
    """
    try:
        files = extract_files(setup)
        if files and game.hash != setup["generator"]["data"]:
            request = extract_request(game, setup, has_user_files=False)
            # The boxes are listed one by one, because the meaning of `all` depends on the files.
            command = append_seed(format_command(game, request, ",".join(request.chosen)), request.typed_seed)
        else:
            command = build_command(game, extract_request(game, setup))
    except BadDocument:
        return ""
    if "second_deal" in setup:
        name = game.second_deal_command()
        command = f"{command} --json | {PROGRAM} {name} -" if name else ""
    return command if command == escape_control_characters(command) else ""


def extract_kingdom(game: Game, setup: Setup) -> Kingdom:
    """Return the kingdom of a document: those of its cards that a deal draws unless the user names them."""
    choice_by_question = {
        choice.question: choice
        for name in game.setup
        for effect in game.setup[name]
        if (choice := effect.choice(name)) and not choice.is_certain
    }
    use_by_name = {card["name"]: card["use"] for card in setup["turned"]}
    chosen: dict[str, list[str]] = {}
    for pile in setup["piles"]:
        for mark in pile["marks"]:
            chosen.setdefault(mark, []).append(pile["name"])
    for card in setup["set_aside"]:
        chosen.setdefault(card["for"], []).append(card["name"])
    for deck in setup["decks"]:
        chosen[deck["name"]] = deck["cards"]
        chosen[f"{deck['name']}, face up"] = deck["face_up"]
    for landscape in setup["landscapes"]:
        for question, choice in choice_by_question.items() if landscape["name"] not in use_by_name else ():
            if choice.to == "landscapes" and landscape["kind"] in choice.query.kind:
                chosen.setdefault(question, []).append(landscape["name"])
    return Kingdom(
        tuple(name for name, use in use_by_name.items() if use == "kingdom"),
        tuple(name for name, use in use_by_name.items() if use == "landscape"),
        {
            question: tuple(names)
            for question, names in chosen.items()
            if names and question in choice_by_question
        },
        {part["name"]: part["on"] for part in setup["landscapes"] if "on" in part},
    )


def extract_request(game: Game, setup: Setup, *, has_user_files: bool = True) -> Request:
    """Return the request for which the table of a document was dealt.

    Args:
        game: the game.
        setup: the setup document.
        has_user_files: whether the game includes the user's own files that the document names. If not, every
            word that could be a name in these files is accepted.

    Raises:
        BadDocument: the options are invalid for this game.
    """
    values = dict(setup["options"])
    chosen, players, name = values.pop("sets", None), values.pop("players", None), values.pop("game", "")
    files = extract_files(setup)
    values.pop("files", None)
    kingdom = _parse_kingdom(values.pop("named_kingdom", None), game, has_user_files=has_user_files)
    swaps = _parse_swaps(values.pop("swap", []), game, has_user_files=has_user_files)
    wishes = _pop_wishes(values, game, has_user_files=has_user_files)
    veto_count, vetoed = _parse_veto(
        values.pop("veto", 0), values.pop("vetoed", None), game, has_user_files=has_user_files
    )
    series = _parse_series(values, setup["seed"], game, has_user_files=has_user_files)
    setting_types = dict(list_setting_types(game))
    if not (
        isinstance(chosen, list)
        and chosen
        and all(
            isinstance(slug, str) and _is_set_or_card(slug, game, has_user_files=has_user_files)
            for slug in chosen
        )
        and type(players) is int
        and players in game.player_counts()
        and (name == game.name or (name == "" and is_default(game)))
        and setup["seed"]
        and all(
            setting_types[option].accepts(value)
            if option in setting_types
            else not has_user_files and _is_possible_value(value)
            for option, value in values.items()
        )
        and values.get("landscapes_from") != "randomizers"  # Documents do not contain this default.
        and all(_is_slug(option.replace("_", "-")) for option in values)
        and not (veto_count and any(kingdom))
    ):
        raise BadDocument(_INVALID_OPTIONS)
    try:
        settings = game.validate_settings(values)
    except BadOptions:
        raise BadDocument(_INVALID_OPTIONS) from None
    request = Request(tuple(chosen), players, setup["seed"], settings, tuple(files), name)
    return request._replace(
        kingdom=kingdom, swaps=swaps, wishes=wishes, veto_count=veto_count, vetoed=vetoed, series=series
    )


def _parse_series(values: dict[str, Any], seed: str, game: Game, *, has_user_files: bool) -> Series | None:
    """Remove the series from the options of a document, and return it; None if the table has no series.

    Raises:
        BadDocument: the options are incomplete or out of range, or do not fit the seed of the table.
    """
    if not _SERIES_OPTIONS & values.keys():
        return None
    count, number, is_apart = (values.pop(option, None) for option in ("count", "table", "apart"))
    copies = values.pop("copies", {})
    if not (
        is_apart is True
        and type(count) is int
        and type(number) is int
        and 1 <= number <= count <= MAX_NUMBER
        and seed.endswith(f"-{number}")
        and isinstance(copies, dict)
        and all(
            type(copy_count) is int
            and 1 <= copy_count <= MAX_COPIES
            and _is_set_or_card(slug, game, has_user_files=has_user_files)
            for slug, copy_count in copies.items()
        )
    ):
        raise BadDocument(_INVALID_OPTIONS)
    return Series(number, count, tuple(copies.items()))


def _pop_wishes(values: dict[str, Any], game: Game, *, has_user_files: bool) -> Wishes:
    """Remove the wishes from the options of a document, and return them.

    Args:
        values: the values of the options.
        game: the game.
        has_user_files: see `extract_request`.

    Raises:
        BadDocument: the wishes are invalid, or not in canonical form.
    """
    values_by_option = {option: values.pop(option) for option in (*_WISH_OPTIONS, "of") if option in values}
    if not values_by_option:
        return NO_WISHES
    # Most deals have no wishes, and these imports take time.
    from randomizer.cards.selector import SelectorParser
    from randomizer.cards.wish import parse_wishes

    box_count = values_by_option.pop("of", 0)
    texts = [
        text for value in values_by_option.values() for text in (value if isinstance(value, list) else [None])
    ]
    if (
        type(box_count) is not int
        or not 0 <= box_count <= MAX_NUMBER
        or not all(isinstance(text, str) and re.fullmatch(_WISH_PATTERN, text) for text in texts)
    ):
        raise BadDocument(_INVALID_OPTIONS)
    cards, *other_values = (values_by_option.get(option, []) for option in _WISH_OPTIONS)
    if not has_user_files:
        unparsed: list[Any] = [tuple(map(_UnparsedWish, option)) for option in other_values]
        bans, wants, weights = unparsed
        return Wishes(tuple(cards), bans, wants, weights, box_count)
    try:
        wishes = parse_wishes(SelectorParser(game), cards, *other_values, box_count=box_count)
    except (BadOptions, BadSelector, UnknownName):
        raise BadDocument(_INVALID_OPTIONS) from None
    if any(wishes.to_options().get(option, []) != value for option, value in values_by_option.items()):
        raise BadDocument(_INVALID_OPTIONS)
    return wishes


def extract_files(setup: Setup) -> list[str]:
    """Return the paths of the user's own data files with which the table was dealt.

    Raises:
        BadDocument: the value of the option is not a list of paths.
    """
    files = setup["options"].get("files", [])
    if not isinstance(files, list) or not all(isinstance(file, str) and "\0" not in file for file in files):
        raise BadDocument(_INVALID_OPTIONS)
    return files


def _parse_kingdom(value: Any, game: Game, *, has_user_files: bool) -> Kingdom:
    """Parse the kingdom that the user specified in the request.

    Raises:
        BadDocument: the value is invalid, or contains a name that the game does not have.
    """
    kingdom = NO_KINGDOM if value is None else kingdom_from_json(value)
    if kingdom is None or (has_user_files and not _has_valid_names(kingdom, game)):
        raise BadDocument(_INVALID_OPTIONS)
    return kingdom


def _parse_swaps(value: Any, game: Game, *, has_user_files: bool) -> tuple[Swap, ...]:
    """Parse the swaps of the request.

    Raises:
        BadDocument: the value is invalid, or contains a name that the game does not have.
    """
    swaps = swaps_from_json(value)
    if swaps is None or (
        has_user_files and any(name and name not in game.cards for swap in swaps for name in swap)
    ):
        raise BadDocument(_INVALID_OPTIONS)
    return swaps


def _parse_veto(
    count: Any, vetoed: Any, game: Game, *, has_user_files: bool
) -> tuple[int, tuple[str, ...] | None]:
    """Parse the veto of the request.

    Returns:
        The number of extra cards, and the names of the vetoed cards; None as long as the veto is open.

    Raises:
        BadDocument: the number is out of range, or the game does not have the vetoed cards.
    """
    if (
        type(count) is not int
        or not 0 <= count <= MAX_VETOES
        or not (vetoed is None or (count and is_list_of_names(vetoed)))
        or (has_user_files and any(name not in game.cards for name in vetoed or ()))
    ):
        raise BadDocument(_INVALID_OPTIONS)
    return count, None if vetoed is None else tuple(vetoed)


def _has_valid_names(kingdom: Kingdom, game: Game) -> bool:
    """Return whether all names of a kingdom are cards of the game, and piles or landscapes where required."""
    cards = game.cards

    def has_form(name: str, form: str) -> bool:
        return name in cards and game.kinds[cards[name].kind].is_ == form

    return (
        all(has_form(name, "pile") for name in (*kingdom.cards, *kingdom.on.values()))
        and all(has_form(name, "landscape") for name in kingdom.landscapes)
        and all(name in cards for name in (*kingdom.names(), *kingdom.on))
    )


def _is_set_or_card(slug: str, game: Game, *, has_user_files: bool) -> bool:
    """Return whether a slug is that of a box or of a card that is sold separately.

    If `has_user_files` is false, every slug could be one in the user's own files.
    """
    return slug in game.boxes or (bool(game.find_cards([slug])) if has_user_files else _is_slug(slug))


def _is_possible_value(value: Any) -> bool:
    """Return whether a value could be valid for an unknown option, which the user's own file may define."""
    return (
        isinstance(value, bool)
        or (type(value) is int and 0 <= value <= MAX_NUMBER)
        or (isinstance(value, str) and _is_slug(value))
    )


def _is_slug(word: str) -> bool:
    return bool(word) and slugify(word) == word
