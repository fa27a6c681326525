"""A small invented game, the tea party, with functions that deal its tables and make its cards."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Cost, Count, KindName, Query, TypeName
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.load.gamefile import read_game

GAME_TEMPLATE = """
game: tea
title: Tea Party
players: {least: 1, most: 4}
kinds:
  dish: {is: pile, place: kingdom}
  spice: {is: pile, place: supply}
  rest: {is: pile, place: beside}
  guest: {is: landscape, title: Guests}
  song: {is: card}
components:
  Cups: {kind: cup, each: player, count: 1, or: Mugs}
  Mugs: {kind: cup, each: player, count: 1}
  Sugar: {kind: token, each: game}
sets: {tea: Tea}
starting_deck: {Bread: 5}
options: {guests: {help: Guests.}, party: {help: A party.}}
opening:
  - put: [Bread]
  - turn_up: {is: {kind: dish}, count: 3, landscapes: {kind: guest}, most: {option: guests, default: 1}}
  - decide: {question: party, title: Party, option: party, card: first, is: {type: Sweet},
             then: {give: Sugar}}
rules: %s
cards:
  - {name: Bread, set: tea, kind: spice, cost: 0, types: [Plain], stock: 30}
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet], count: 10}
  - {name: Pie, set: tea, kind: dish, cost: 4, types: [Sweet], count: 10}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain], count: 10}
  - {name: Toast, set: tea, kind: dish, cost: 2, types: [Plain], count: 10}
  - {name: Tart, set: tea, kind: dish, cost: 5, types: [Sweet], count: 10}
  - {name: Crumbs, set: tea, kind: rest, cost: 0, types: [Plain], count: 7}
  - {name: Rusk, set: tea, kind: rest, cost: 0, types: [Plain]}
  - {name: Hatter, set: tea, kind: guest, types: [Guest]}
  - {name: Hare, set: tea, kind: guest, types: [Guest]}
  - {name: Waltz, set: tea, kind: song, types: [Song]}
  - {name: Jig, set: tea, kind: song, types: [Song]}
"""
# With these cards three of eight dishes are dealt, and two landscapes, of which at most one is a guest.
FEAST_CARDS = """
  - {name: Tray, set: tea, kind: dish, cost: 6, types: [Plain], pile: {Nut: 5, Fig: 5}}
  - {name: Nut, set: tea, kind: part, cost: 2, types: [Tiny]}
  - {name: Fig, set: tea, kind: part, cost: 3, types: [Tiny, Sweet]}
  - {name: Jelly, set: tea, kind: dish, cost: 4, types: [Odd], setup: {put: Crumbs}}
  - {name: Guard, set: tea, kind: dish, cost: 4, types: [Plain]}
  - {name: Queen, set: tea, kind: host, types: [Royal]}
  - {name: King, set: tea, kind: host, types: [Royal]}
  - {name: Plum, set: jam, kind: dish, cost: 3, types: [Sweet, Wild]}
  - {name: Sloe, set: jam, kind: dish, cost: 8, types: [Sweet]}
"""
FEAST_BOXES = """
boxes:
  - {slug: tea, name: Tea, holds: [tea]}
  - {slug: jam, name: Red Jam, holds: [jam]}
"""
FIRST_CARDS = ("Cake", "Soup", "Pie")

DealTea = Callable[..., tuple[Game, Table]]


def read_game_texts(folder: Path, text: str, *more: str) -> Game:
    """Write data files into the folder and read a game from them; `more` are files that add to the first."""
    paths = []
    for index, content in enumerate((text, *more)):
        paths.append(folder / f"tea-{index}.yaml")
        paths[-1].write_text(content, encoding="utf-8")
    return read_game([str(path) for path in paths])


def make_tea_game(
    folder: Path, asks: str | Mapping[str, str] = "", more: str = "", sets: str = "{tea: Tea}"
) -> Game:
    """Read the game with effects that some cards ask for.

    Args:
        folder: the folder for the data file.
        asks: effects in YAML, by the name of the card that asks for them. Cake asks for a single effect.
        more: the end of the data file.
        sets: names of sets by slug, in YAML.
    """
    effects = {"Cake": asks} if isinstance(asks, str) else asks
    rules = [f"{{when: {{name: {name}}}, then: {then}}}" for name, then in effects.items() if then]
    text = GAME_TEMPLATE.replace("sets: {tea: Tea}", f"sets: {sets}")
    return read_game_texts(folder, text % f"[{', '.join(rules)}]" + more)


def make_feast_game(folder: Path, more: str = "", rules: str = "") -> Game:
    """Read a larger game: two boxes, a mixed pile, landscapes that are not dealt, and a limit on guests."""
    text = GAME_TEMPLATE.replace("default: 1}}", "default: 2}, limits: {guest: {option: hares, default: 1}}}")
    text = text.replace("party: {help: A party.}", "party: {help: A party.}, hares: {help: Hares.}")
    text = text.replace("{kind: guest}, most", "{kind: [guest, song]}, most")
    text = text.replace("song: {is: card}", "song: {is: landscape, title: Songs}\n  part: {is: member}")
    text = text.replace("rest: {is", "host: {is: landscape, title: Hosts}\n  rest: {is")
    text = text.replace("{tea: Tea}", "{tea: Tea, jam: Jam}")
    return read_game_texts(folder, text % f"[{rules}]" + FEAST_CARDS + more + FEAST_BOXES)


def make_tea_dealer(folder: Path) -> DealTea:
    """Return a function that makes a tea game and deals a table of it, by default with Cake, Soup and Pie."""

    def deal(
        asks: str | Mapping[str, str] = "",
        first: Sequence[str] = FIRST_CARDS,
        players: int = 2,
        more: str = "",
        stacked: Mapping[str, Sequence[str]] | None = None,
        **settings: Any,
    ) -> tuple[Game, Table]:
        game = make_tea_game(folder, asks, more)
        request = Request(("tea",), players, "x", settings)
        return game, deal_table(game, request, {"randomizers": first, **(stacked or {})})

    return deal


def make_card(name: str, cost: Cost | None = None, kind: str = "dish", **fields: Any) -> Card:
    """Make a card with default values for all fields that are not given."""
    defaults: dict[str, Any] = {"set": "tea", "boxes": ("tea",), "types": (), "count_": Count(((0, 1),))}
    return Card(name=name, kind=kind, cost=cost, **{**defaults, **fields})


def make_dish_query(
    kind: Iterable[str] = ("dish",),
    type: Iterable[str] = (),
    without: Iterable[str] = (),
    cost: tuple[int, ...] = (),
) -> Query:
    """Make a query for dishes; see `Query` for its fields."""
    return Query(tuple(map(KindName, kind)), tuple(map(TypeName, type)), tuple(map(TypeName, without)), cost)
