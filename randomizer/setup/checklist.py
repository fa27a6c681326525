"""The order in which people lay a table out: a setup document as sections of lines to tick off."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.setup.lines import L, Line, Lines, new_in, place, places_of
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document
    from randomizer.setup.document import Item


class Section(NamedTuple):
    """A part of the work."""

    title: str
    lines: list[Line]


@lru_cache(500)
def cost_order(cost: str) -> tuple[int, ...]:
    """Coins, then Potion, then Debt, as a printed cost sorts."""
    coins = debt = 0
    for part in cost.split():
        number = part.strip("$+*D")
        if number.isdecimal() and part.startswith("$"):
            coins = int(number)
        elif number.isdecimal() and part.endswith("D"):
            debt = int(number)
    return coins, cost.count("P"), debt


# By the name of an order, what a pile is sorted by, given the places of the boxes.
SORTS: "Mapping[str, Callable[[document.Pile, Mapping[str, int]], tuple[Any, ...]]]" = {
    "box": lambda pile, places: (place(pile["box"], places), cost_order(pile["cost"]), pile["name"]),
    "cost": lambda pile, places: (cost_order(pile["cost"]), pile["name"]),
    "name": lambda pile, places: (pile["name"],),
    "dealt": lambda pile, places: (),
}


def in_order(piles: "Iterable[document.Pile]", setup: "document.Setup", sort: str) -> "list[document.Pile]":
    """The piles of a setup in one of the orders of `SORTS`."""
    places, key = places_of(box["slug"] for box in setup["boxes"]), SORTS[sort]
    return sorted(piles, key=lambda pile: key(pile, places))


def item_of(line: Line) -> "Item":
    """A line as the document holds it."""
    printed = f"{line.cost} {line.types}".strip()
    return {
        "name": line.name,
        "count": line.count_,
        "detail": with_ordinary_spaces("; ".join(filter(None, (printed, line.detail, *line.below)))),
        "because": list(line.because),
    }


def build(setup: "document.Setup", language: Language, sort: str = "box") -> list[Section]:
    """The sections that have lines, in the order of work.

    Args:
        sort: the order of the Kingdom, one of `SORTS`; the order of boxes fetches each box once.
    """
    make: Lines[Line] = Lines(setup, language, kingdom_of(setup, sort))
    return [Section(language.translate(title), lines) for title, lines in _sections(make) if lines]


def recorded(
    setup: "document.Setup",
    kingdom: "Sequence[document.Pile]",
    language: Language,
    item: "Callable[[Line], Item]" = item_of,
) -> "list[document.Section]":
    """The same sections as the document holds them.

    Args:
        kingdom: its piles in order.
        item: gives a line as the document holds it.
    """
    make = Lines(setup, language, kingdom, item)
    return [{"title": language.translate(title), "items": items} for title, items in _sections(make) if items]


def kingdom_of(setup: "document.Setup", sort: str = "box") -> "list[document.Pile]":
    """The piles of the Kingdom in one of the orders of `SORTS`; of a second deal, the new ones."""
    return in_order((pile for pile in new_in(setup)["piles"] if pile["place"] == "kingdom"), setup, sort)


def _sections(make: Lines[L]) -> Iterable[tuple[str, list[L]]]:
    """What stands under each title, in the order of work; it may be nothing."""
    of, there = make.of, make.now
    piles = there["piles"]
    supply: list[document.Pile] = []
    beside: list[document.Pile] = []
    common = [component for component in there["components"] if component["per"] == "game"]
    own = [component for component in there["components"] if component["per"] == "player"]
    groups: dict[str, list[L]] = {}
    for landscape in there["landscapes"]:
        groups.setdefault(landscape["group"], []).extend(of([landscape], make.landscape))
    for pile in piles:
        if "group" in pile:
            groups.setdefault(pile["group"], []).append(make.pile(pile))  # in the Kingdom it has another line
        elif pile["place"] == "beside":
            beside.append(pile)
        if pile["place"] == "supply":
            supply.append(pile)
    tokens = all(placed["kind"] == "token" for placed in make.setup["placed"])
    placed = "Tokens to place" if tokens else "Then place", make.tokens("game")
    players = of(there["starting_deck"], make.card) + of(own, make.component) + make.tokens("player")
    return (
        ("Back into the boxes: what is left of these piles", make.leaving()),
        ("Kingdom", of(make.kingdom, make.kingdom_pile)),
        *groups.items(),
        ("Supply", of(supply, make.pile) + make.second_set(piles)),
        (
            "Beside the Supply",
            of(beside, make.pile) + of(there["set_aside"], make.set_aside) + of(there["decks"], make.deck),
        ),
        ("On the table", of(common, make.component)),
        *([placed] if tokens else []),
        ("Into the trash", of(there["trash"], make.card)),
        ("Each player takes", players),
        *([] if tokens else [placed]),  # cards go to what the players took
        ("Back into the box", of(make.setup["boxed"], make.card)),
        ("Last", make.last()),
    )
