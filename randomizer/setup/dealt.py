"""What a document says that its table was dealt with, and the command that deals it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from randomizer.cards.game import NO_WISHES, WISH_OPTIONS, Game, Request, Wishes
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom, Swap, kingdom_from_json, swaps_from_json
from randomizer.cards.model import MAX_NUMBER
from randomizer.load.games import is_default
from randomizer.setup.command import PROGRAM, command, typed, with_seed
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadDocument, BadOptions, BadSelector, UnknownName
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

_WISH = r"[\w:=.+ -]+"  # the letters and signs that wishes are written with
_OTHER_OPTIONS = "the document's options are not those of a deal of this game."


def again(game: Game, setup: Setup) -> str:
    """What to type to deal the table of a document again; nothing where no deal has its options.

    It is made of the options, and never the document's own `command`: a document may come from anywhere, and
    people copy the line into their shell.

    Args:
        game: as it comes; the user's own files that the document names are not looked at.
    """
    try:
        files = files_of(setup)
        if files and game.hash != setup["generator"]["data"]:
            request = request_of(game, setup, whole=False)
            line = with_seed(typed(request, ",".join(request.chosen)), request.seed)  # `all` depends on files
        else:
            line = command(game, request_of(game, setup))
    except BadDocument:
        return ""
    if "second_deal" in setup:
        name = game.second_deal_command()
        line = f"{line} --json | {PROGRAM} {name} -" if name else ""
    return line if line == escape_control_characters(line) else ""


def kingdom_on(game: Game, setup: Setup) -> Kingdom:
    """The kingdom on the table of a document: everything on it that setup may leave to chance."""
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


def request_of(game: Game, setup: Setup, *, whole: bool = True) -> Request:
    """What the table of a document was dealt with.

    Args:
        whole: the game has the user's own files that the document names; without them, whatever could be a
            name in them is taken for one.

    Raises:
        BadDocument: no deal of this game has such options.
    """
    said = dict(setup["options"])
    chosen, players, name = said.pop("sets", None), said.pop("players", None), said.pop("game", "")
    files = files_of(setup)
    said.pop("cards", None)
    kingdom = _kingdom(said.pop("kingdom", None), game, whole=whole)
    swaps = _swaps(said.pop("swap", []), game, whole=whole)
    wishes = _wishes_in(said, game, whole=whole)
    fits = _fitting(game)
    if not (
        isinstance(chosen, list)
        and chosen
        and all(isinstance(slug, str) and _is_set(slug, game, whole=whole) for slug in chosen)
        and type(players) is int
        and players in game.player_counts()
        and (name == game.name or (name == "" and is_default(game)))
        and setup["seed"]
        and all(fits.get(option, _no if whole else _could_be)(value) for option, value in said.items())
        and all(_is_name(option.replace("_", "-")) for option in said)
    ):
        raise BadDocument(_OTHER_OPTIONS)
    try:
        settings = game.validate_settings(said)
    except BadOptions:
        raise BadDocument(_OTHER_OPTIONS) from None
    request = Request(tuple(chosen), players, setup["seed"], settings, tuple(files), name)
    return request._replace(kingdom=kingdom, swaps=swaps, wishes=wishes)


def _wishes_in(said: dict[str, Any], game: Game, *, whole: bool) -> Wishes:
    """The wishes among the options of a document, which they are taken out of.

    Raises:
        BadDocument: they are not as a deal writes them.
    """
    given = {field: said.pop(option) for option, field in WISH_OPTIONS.items() if option in said}
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
        if whole and wishes != parse_wishes(game, wishes).to_texts(of):
            raise BadDocument(_OTHER_OPTIONS)
    except (BadOptions, BadSelector, UnknownName):
        raise BadDocument(_OTHER_OPTIONS) from None
    return wishes


def files_of(setup: Setup) -> list[str]:
    """The user's own data files that the table was dealt with.

    Raises:
        BadDocument: the document names them in no way that a deal does.
    """
    files = setup["options"].get("cards", [])
    if not isinstance(files, list) or not all(isinstance(file, str) and "\0" not in file for file in files):
        raise BadDocument(_OTHER_OPTIONS)
    return files


def _kingdom(said: Any, game: Game, *, whole: bool) -> Kingdom:
    """What was laid out because it was named.

    Raises:
        BadDocument: no deal of this game can have been asked for it.
    """
    kingdom = NO_KINGDOM if said is None else kingdom_from_json(said)
    if kingdom is None or (whole and not _is_on_a_table(kingdom, game)):
        raise BadDocument(_OTHER_OPTIONS)
    return kingdom


def _swaps(said: Any, game: Game, *, whole: bool) -> tuple[Swap, ...]:
    """What was swapped.

    Raises:
        BadDocument: it is no list of swaps, or of none in this game.
    """
    swaps = swaps_from_json(said)
    if swaps is None or (whole and any(name and name not in game.cards for swap in swaps for name in swap)):
        raise BadDocument(_OTHER_OPTIONS)
    return swaps


def _is_on_a_table(kingdom: Kingdom, game: Game) -> bool:
    """Whether all that is named is a card, and a pile or a landscape where it has to be one."""
    cards = game.cards

    def lies(name: str, as_: str) -> bool:
        return name in cards and game.kinds[cards[name].kind].is_ == as_

    return (
        all(lies(name, "pile") for name in (*kingdom.cards, *kingdom.on.values()))
        and all(lies(name, "landscape") for name in kingdom.landscapes)
        and all(name in cards for name in (*kingdom.names(), *kingdom.on))
    )


def _is_set(slug: str, game: Game, *, whole: bool) -> bool:
    """Whether there is such a box or such a card sold by itself; or could be."""
    return slug in game.boxes or (bool(game.find_cards([slug])) if whole else _is_name(slug))


def _fitting(game: Game) -> dict[str, Callable[[Any], bool]]:
    """For each option that shapes a table, whether a value can be its."""
    fits: dict[str, Callable[[Any], bool]] = {"landscapes_from": lambda value: value == "deck"}
    for option in game.options:
        if option.cards:
            fits[option.name] = lambda value: isinstance(value, bool)
            fits[f"{option.name}_by"] = option.cards.__contains__
        else:
            fits[option.name] = _from(option.least)
    return fits


def _from(least: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= MAX_NUMBER


def _no(value: Any) -> bool:
    return False


def _could_be(value: Any) -> bool:
    """Whether some option of a file that is not looked at could have the value."""
    return isinstance(value, bool) or _from(0)(value) or (isinstance(value, str) and _is_name(value))


def _is_name(word: str) -> bool:
    return bool(word) and slugify(word) == word
