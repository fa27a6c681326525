"""The request that a document's table was dealt from, and the command that deals it again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from randomizer.cards.game import NO_WISHES, WISH_OPTIONS, Game, Request, Wishes
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom, Swap, kingdom_from_json, swaps_from_json
from randomizer.cards.model import MAX_NUMBER
from randomizer.load.games import is_default
from randomizer.setup.command import PROGRAM, append_seed, build_command, format_command
from randomizer.setup.settings import list_setting_types
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadDocument, BadOptions, BadSelector, UnknownName
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

_WISH = r"[\w:=.+ -]+"  # all characters that a wish may contain
_OTHER_OPTIONS = "the options in this setup don't fit this game."


def build_replay_command(game: Game, setup: Setup) -> str:
    """Return the command that deals the table of a document again; empty if no deal has its options.

    The command is built from the options. The document's own `command` is not trusted, because a document may
    come from anywhere, and people copy the command into their shell.

    Args:
        game: the game without the user's own files; those that the document names are not read.
        setup: the document.
    """
    try:
        files = extract_files(setup)
        if files and game.hash != setup["generator"]["data"]:
            request = extract_request(game, setup, complete=False)
            # The boxes are listed one by one, because the meaning of `all` depends on the files.
            line = append_seed(format_command(game, request, ",".join(request.chosen)), request.seed)
        else:
            line = build_command(game, extract_request(game, setup))
    except BadDocument:
        return ""
    if "second_deal" in setup:
        name = game.second_deal_command()
        line = f"{line} --json | {PROGRAM} {name} -" if name else ""
    return line if line == escape_control_characters(line) else ""


def extract_kingdom(game: Game, setup: Setup) -> Kingdom:
    """Return the kingdom of a document: everything on the table that setup may choose at random."""
    choices = {
        choice.question: choice
        for name in game.setup
        for effect in game.setup[name]
        if (choice := effect.choice(name)) and not choice.is_certain
    }
    turned = {card["name"]: card["use"] for card in setup["turned"]}
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
        for question, choice in choices.items() if landscape["name"] not in turned else ():
            if choice.to == "landscapes" and landscape["kind"] in choice.query.kind:
                chosen.setdefault(question, []).append(landscape["name"])
    return Kingdom(
        tuple(name for name, use in turned.items() if use == "kingdom"),
        tuple(name for name, use in turned.items() if use == "landscape"),
        {question: tuple(names) for question, names in chosen.items() if names and question in choices},
        {part["name"]: part["on"] for part in setup["landscapes"] if "on" in part},
    )


def extract_request(game: Game, setup: Setup, *, complete: bool = True) -> Request:
    """Return the request that the table of a document was dealt from.

    Args:
        game: the game.
        setup: the document.
        complete: whether the game includes the user's own files that the document names. Otherwise, every
            word that could be a name in one of them is accepted.

    Raises:
        BadDocument: no deal of this game has these options.
    """
    values = dict(setup["options"])
    chosen, players, name = values.pop("sets", None), values.pop("players", None), values.pop("game", "")
    files = extract_files(setup)
    values.pop("cards", None)
    kingdom = _parse_kingdom(values.pop("kingdom", None), game, complete=complete)
    swaps = _parse_swaps(values.pop("swap", []), game, complete=complete)
    wishes = _pop_wishes(values, game, complete=complete)
    types = dict(list_setting_types(game))
    if not (
        isinstance(chosen, list)
        and chosen
        and all(isinstance(slug, str) and _is_set(slug, game, complete=complete) for slug in chosen)
        and type(players) is int
        and players in game.player_counts()
        and (name == game.name or (name == "" and is_default(game)))
        and setup["seed"]
        and all(
            types[option].accepts(value) if option in types else not complete and _is_possible_value(value)
            for option, value in values.items()
        )
        and values.get("landscapes_from") != "randomizers"  # Documents do not contain this default.
        and all(_is_name(option.replace("_", "-")) for option in values)
    ):
        raise BadDocument(_OTHER_OPTIONS)
    try:
        settings = game.validate_settings(values)
    except BadOptions:
        raise BadDocument(_OTHER_OPTIONS) from None
    request = Request(tuple(chosen), players, setup["seed"], settings, tuple(files), name)
    return request._replace(kingdom=kingdom, swaps=swaps, wishes=wishes)


def _pop_wishes(values: dict[str, Any], game: Game, *, complete: bool) -> Wishes:
    """Remove the wishes from the options of a document, and return them.

    Raises:
        BadDocument: a deal would write them differently.
    """
    given = {field: values.pop(option) for option, field in WISH_OPTIONS.items() if option in values}
    if not given:
        return NO_WISHES
    from randomizer.cards.wish import parse_wishes  # most deals have no wishes, and start the sooner

    of = given.pop("box_count", 0)
    texts = [text for value in given.values() for text in (value if isinstance(value, list) else [None])]
    if (
        type(of) is not int
        or not 0 <= of <= MAX_NUMBER
        or not all(isinstance(text, str) and re.fullmatch(_WISH, text) for text in texts)
    ):
        raise BadDocument(_OTHER_OPTIONS)
    wishes = Wishes(**{field: tuple(value) for field, value in given.items()}, box_count=of)
    try:
        if complete and wishes != parse_wishes(game, wishes).to_texts(of):
            raise BadDocument(_OTHER_OPTIONS)
    except (BadOptions, BadSelector, UnknownName):
        raise BadDocument(_OTHER_OPTIONS) from None
    return wishes


def extract_files(setup: Setup) -> list[str]:
    """Return the paths of the user's own data files that the table was dealt with.

    Raises:
        BadDocument: the option is not a list of paths.
    """
    files = setup["options"].get("cards", [])
    if not isinstance(files, list) or not all(isinstance(file, str) and "\0" not in file for file in files):
        raise BadDocument(_OTHER_OPTIONS)
    return files


def _parse_kingdom(value: Any, game: Game, *, complete: bool) -> Kingdom:
    """Return the kingdom that was named in the request.

    Raises:
        BadDocument: no deal of this game accepts it.
    """
    kingdom = NO_KINGDOM if value is None else kingdom_from_json(value)
    if kingdom is None or (complete and not _has_valid_names(kingdom, game)):
        raise BadDocument(_OTHER_OPTIONS)
    return kingdom


def _parse_swaps(value: Any, game: Game, *, complete: bool) -> tuple[Swap, ...]:
    """Return the swaps.

    Raises:
        BadDocument: it is no list of swaps, or their cards are not in this game.
    """
    swaps = swaps_from_json(value)
    if swaps is None or (
        complete and any(name and name not in game.cards for swap in swaps for name in swap)
    ):
        raise BadDocument(_OTHER_OPTIONS)
    return swaps


def _has_valid_names(kingdom: Kingdom, game: Game) -> bool:
    """Return whether all names are cards, and piles or landscapes where required."""
    cards = game.cards

    def lies(name: str, as_: str) -> bool:
        return name in cards and game.kinds[cards[name].kind].is_ == as_

    return (
        all(lies(name, "pile") for name in (*kingdom.cards, *kingdom.on.values()))
        and all(lies(name, "landscape") for name in kingdom.landscapes)
        and all(name in cards for name in (*kingdom.names(), *kingdom.on))
    )


def _is_set(slug: str, game: Game, *, complete: bool) -> bool:
    """Return whether the slug is that of a box or of a card that is sold singly, or could be."""
    return slug in game.boxes or (bool(game.find_cards([slug])) if complete else _is_name(slug))


def _is_possible_value(value: Any) -> bool:
    """Return whether an option of a file that is not read could have the value."""
    return (
        isinstance(value, bool)
        or (type(value) is int and 0 <= value <= MAX_NUMBER)
        or (isinstance(value, str) and _is_name(value))
    )


def _is_name(word: str) -> bool:
    return bool(word) and slugify(word) == word
