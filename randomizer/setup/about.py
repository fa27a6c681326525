"""The overview of a table: what its cards do, which abilities are missing, and what the cards cost.

It contains facts, not ratings: the cards of the table by ability (`does:` in the data), under the headings
that the data define (`about:`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from randomizer.cards.game import Game
from randomizer.load.languages import load_several
from randomizer.setup.checklist import cost_sort_key
from randomizer.setup.texts import build_prose
from randomizer.text.errors import BadOptions

if TYPE_CHECKING:
    from randomizer.setup import document


def add_about(setup: document.Setup, game: Game) -> document.Setup:
    """Return a copy of a setup document with an overview of its cards under the key `about`.

    Args:
        setup: the setup document.
        game: the game. Cards that it does not have are listed as unknown.

    Raises:
        BadOptions: the data of this game define no headings for the overview.
    """
    if not game.about:
        raise BadOptions("the data of {game} doesn't say what its cards do.", game=game.title)
    counted = dict.fromkeys(_list_counted_cards(setup, game))
    names_by_type: dict[str, set[str]] = {}
    for name, type_ in _list_types(setup, counted):
        names_by_type.setdefault(type_, set()).add(name)
    aspects: list[document.Aspect] = []
    languages = load_several(setup["languages"], game)
    for aspect in game.about:
        names_with_type = names_by_type.get(aspect.type, set())
        cards = [
            name for name in counted if name in names_with_type or aspect.does in _list_abilities(name, game)
        ]
        aspects.append({"title": build_prose(aspect.title, languages), "cards": cards})
    unknown = [name for name in counted if name not in game.cards]
    return {**setup, "about": {"aspects": aspects, "costs": _count_costs(setup), "unknown": unknown}}


def _list_abilities(name: str, game: Game) -> Iterable[str]:
    """Return the ability tags of a card; empty if the card is unknown."""
    return game.cards[name].does if name in game.cards else ()


def _list_counted_cards(setup: document.Setup, game: Game) -> Iterator[str]:
    """Yield the names of the cards in the overview: Kingdom piles, landscapes and cards set aside."""
    for pile in setup["piles"]:
        known = game.cards.get(pile["name"])
        if "kingdom" in (pile["place"], known and game.kinds[known.kind].place):
            yield pile["name"]
    yield from (landscape["name"] for landscape in setup["landscapes"])
    yield from (card["name"] for card in setup["set_aside"])


def _list_types(setup: document.Setup, counted: Mapping[str, None]) -> Iterator[tuple[str, str]]:
    """Yield (card, type) pairs for the cards in the overview.

    The types of a card include those of other piles that come with it. Players cannot choose a card from a
    shuffled pile, so only the types on its randomizer count.
    """
    for pile in setup["piles"]:
        members = [] if pile.get("shuffled") else pile["members"]
        types = {type_ for item in (pile, *members) for type_ in item["types"]}
        for name in (pile["name"], *reversed(pile["because"])):
            if name in counted:
                yield from ((name, type_) for type_ in types)
                break
    yield from ((card["name"], type_) for card in setup["set_aside"] for type_ in card["types"])


def _count_costs(setup: document.Setup) -> list[document.CostCount]:
    """Return the number of Kingdom piles of each cost, ignoring a printed * or +."""
    costs = [pile["cost"] for pile in setup["piles"] if pile["place"] == "kingdom" and pile["cost"]]
    return [
        {"cost": {"coins": coins, "potion": potion, "debt": debt, "mark": ""}, "count": count}
        for (coins, potion, debt), count in sorted(Counter(map(cost_sort_key, costs)).items())
    ]
