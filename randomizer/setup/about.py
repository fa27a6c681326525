"""What kind of game a table makes: which of its cards do what, what none of them does, what they cost.

Facts alone, and no judgement of them: what the data say of each card (`does:`), under the headings that the
data have for it (`about:`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from randomizer.cards.game import Game
from randomizer.setup.checklist import cost_order
from randomizer.text.errors import BadOptions

if TYPE_CHECKING:
    from randomizer.setup import document


def with_about(setup: document.Setup, game: Game) -> document.Setup:
    """The document with what kind of game it is; its other keys stay as they are.

    Args:
        setup: a document, which may come from anywhere.
        game: what the data at hand say of it. Cards of it that they do not know are named as such.

    Raises:
        BadOptions: the data of this game do not say what its cards do.
    """
    if not game.about:
        raise BadOptions("the data of {game} do not say what its cards do.", game=game.title)
    counted = dict.fromkeys(_counted(setup, game))
    typed: dict[str, set[str]] = {}
    for name, type_ in _typed(setup, counted):
        typed.setdefault(type_, set()).add(name)
    aspects: list[document.Aspect] = []
    for aspect in game.about:
        fitting = typed.get(aspect.type, set())
        cards = [name for name in counted if name in fitting or aspect.does in _does(name, game)]
        aspects.append({"title": aspect.title, "cards": cards})
    unknown = [name for name in counted if name not in game.cards]
    return {**setup, "about": {"aspects": aspects, "costs": _costs(setup), "unknown": unknown}}


def _does(name: str, game: Game) -> Iterable[str]:
    """What the card and all that comes with it does; nothing if nobody knows it."""
    return game.cards[name].does if name in game.cards else ()


def _counted(setup: document.Setup, game: Game) -> Iterator[str]:
    """The cards that make the game what it is: Kingdom piles, wherever they lie, landscapes, single cards."""
    for pile in setup["piles"]:
        known = game.cards.get(pile["name"])
        if "kingdom" in (pile["place"], known and game.kinds[known.kind].place):
            yield pile["name"]
    yield from (landscape["name"] for landscape in setup["landscapes"])
    yield from (card["name"] for card in setup["set_aside"])


def _typed(setup: document.Setup, counted: Mapping[str, None]) -> Iterator[tuple[str, str]]:
    """The counted cards with each type that they have or that something has which comes with them.

    Of a pile that is shuffled it is luck which card one gets, so only what is on its randomizer counts.
    """
    for pile in setup["piles"]:
        members = [] if pile.get("shuffled") else pile["members"]
        types = {type_ for thing in (pile, *members) for type_ in thing["types"]}
        for name in (pile["name"], *reversed(pile["because"])):
            if name in counted:
                yield from ((name, type_) for type_ in types)
                break
    yield from ((card["name"], type_) for card in setup["set_aside"] for type_ in card["types"])


def _costs(setup: document.Setup) -> list[document.CostCount]:
    """How many piles of the Kingdom there are of each cost, whatever mark is printed at it."""
    counts: dict[str, int] = {}
    for pile in setup["piles"]:
        cost = pile["cost"].replace("*", "").replace("+", "")
        if pile["place"] == "kingdom" and cost:
            counts[cost] = counts.get(cost, 0) + 1
    return [{"cost": cost, "count": counts[cost]} for cost in sorted(counts, key=cost_order)]
