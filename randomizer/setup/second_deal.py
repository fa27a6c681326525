"""The second deal of a game: what a saved table becomes when its Kingdom is replaced (setup rules A53)."""

from collections.abc import Iterator, Sequence

from randomizer.cards.game import Game
from randomizer.deal.dealer import deal_second_table
from randomizer.errors import BadDocument, BadOptions
from randomizer.setup import checklist
from randomizer.setup.build import build_setup
from randomizer.setup.command import again, request_of
from randomizer.setup.document import Setup
from randomizer.text.language import Language
from randomizer.text.slugs import slug_of


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
    places: dict[str, str] = {pile["name"]: pile["place"] for pile in first["piles"]}
    leaves = [name for name, place in places.items() if place == second.leaves]
    stays = {name: place for name, place in places.items() if place != second.leaves}
    stays.update((name, "") for name in _not_piles(first))
    request = request_of(game, first)
    table = deal_second_table(game, request, set(_in_use(first)), stays, first["choices"])
    new = build_setup(game, request, table, languages)
    slugs = {box["slug"] for box in first["boxes"]}
    setup: Setup = {
        **first,
        "boxes": first["boxes"] + [box for box in new["boxes"] if box["slug"] not in slugs],
        "kingdom": new["kingdom"],
        "landscape_ids": [slug_of(card["name"]) for card in first["landscapes"]] + new["landscape_ids"],
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
    setup["command"] = again(game, setup)
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
