"""The second deal of a game: what a saved table becomes when its Kingdom is replaced (setup rules A53)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_second_table
from randomizer.errors import BadDocument, BadOptions
from randomizer.setup import checklist
from randomizer.setup.build import build_setup
from randomizer.setup.document import Setup
from randomizer.text.language import Language

_OTHER_OPTIONS = "the document's options are not those of a deal of this game."


def deal_again(game: Game, first: Setup, languages: Sequence[Language]) -> Setup:
    """The setup document of the table after the second deal; `second_deal` says what left and what stayed.

    Args:
        game: with the user's files that the first deal had.
        first: the document of the table as it was set up.
        languages: English first; then those whose names stand beside the English ones.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: nothing on that table brings one about, or it has been dealt.
        TooFewCards: too few unused Kingdom cards are left.
    """
    second = game.second_deal
    if second is None:
        raise BadOptions(f"{game.title} has no second deal.")
    if second.by not in [landscape["name"] for landscape in first["landscapes"]]:
        raise BadDocument(f"{second.by} is not on this table, so its Kingdom stays.")
    if "second_deal" in first:
        raise BadDocument("the Kingdom of this table has been replaced already.")
    leaves = [pile["name"] for pile in first["piles"] if pile["place"] == second.leaves]
    stays: dict[str, str] = {
        pile["name"]: pile["place"] for pile in first["piles"] if pile["place"] != second.leaves
    }
    stays.update((name, "") for name in _not_piles(first))
    request = _request(game, first)
    table = deal_second_table(game, request, set(_in_use(first)), stays, first["choices"])
    new = build_setup(game, request, table, languages)
    slugs = {box["slug"] for box in first["boxes"]}
    setup: Setup = {
        **first,
        "command": f"{first['command']} --json | dominion-setup {game.second_deal_command()} -",
        "boxes": first["boxes"] + [box for box in new["boxes"] if box["slug"] not in slugs],
        "turned": new["turned"],
        "piles": [pile for pile in first["piles"] if pile["name"] in stays] + new["piles"],
        "landscapes": first["landscapes"] + new["landscapes"],
        "decks": first["decks"] + new["decks"],
        "set_aside": first["set_aside"] + new["set_aside"],
        "components": first["components"] + new["components"],
        "placed": [tokens for tokens in first["placed"] if tokens["on"] not in leaves] + new["placed"],
        "trash": first["trash"] + new["trash"],
        "boxed": [],  # what was put back then is not on this table
        "missing": new["missing"],
        "choices": first["choices"] + [slot for slot in new["choices"] if slot not in first["choices"]],
        "notes": new["notes"],
        "second_deal": {
            "by": second.by,
            "leaves": leaves,
            "boxes": {pile["name"]: pile["box"] for pile in first["piles"] if pile["name"] in leaves},
            "stays": [*stays, *(f"{tokens['name']} on {tokens['on']}" for tokens in first["placed"])],
        },
    }
    setup["checklist"] = checklist.recorded(checklist.build(setup, languages[0]))
    return setup


def _not_piles(setup: Setup) -> Iterator[str]:
    """The names of what is on the table besides piles."""
    for things in (
        setup["landscapes"],
        setup["decks"],
        setup["components"],
        setup["set_aside"],
        setup["starting_deck"],
        setup["trash"],
    ):
        yield from (thing["name"] for thing in things)


def _in_use(setup: Setup) -> Iterator[str]:
    """The names of all cards in use, of those within piles and decks too."""
    yield from _not_piles(setup)
    for pile in setup["piles"]:
        yield from (pile["name"], *(member["name"] for member in pile["members"]))
    for deck in setup["decks"]:
        yield from (card["name"] for card in deck["contents"])


def files_of(setup: Setup) -> list[str]:
    """The user's own data files that the table was dealt with.

    Raises:
        BadDocument: the document names them in no way that a deal does.
    """
    files = setup["options"].get("cards", [])
    if not isinstance(files, list) or not all(isinstance(file, str) and "\0" not in file for file in files):
        raise BadDocument(_OTHER_OPTIONS)
    return files


def _request(game: Game, setup: Setup) -> Request:
    """What the table was dealt with.

    Raises:
        BadDocument: the document's options are not options of this game.
    """
    said = dict(setup["options"])
    chosen, players, files = said.pop("sets", None), said.pop("players", None), files_of(setup)
    said.pop("cards", None)
    fits = _fitting(game)
    known = isinstance(chosen, list) and all(isinstance(slug, str) for slug in chosen)
    if not (
        known
        and chosen
        and all(game.cards_of([slug]) for slug in chosen)
        and isinstance(players, int)
        and all(name in fits and fits[name](value) for name, value in said.items())
    ):
        raise BadDocument(_OTHER_OPTIONS)
    return Request(tuple(chosen), players, setup["seed"], said, tuple(files))


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
    return lambda value: type(value) is int and value >= least
