"""The order in which people lay a table out: a setup document as sections of lines to tick off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.setup.lines import Line, Lines, before_and_now, place
from randomizer.text.language import Language
from randomizer.text.width import breakable

if TYPE_CHECKING:
    from randomizer.setup import document


class Section(NamedTuple):
    """A part of the work."""

    title: str
    lines: list[Line]


def _cost_order(cost: str) -> tuple[int, ...]:
    """Coins, then Potion, then Debt, as a printed cost sorts."""
    coins = debt = 0
    for part in cost.split():
        number = part.strip("$+*D")
        if number.isdecimal() and part.startswith("$"):
            coins = int(number)
        elif number.isdecimal() and part.endswith("D"):
            debt = int(number)
    return coins, cost.count("P"), debt


SORTS: Mapping[str, Callable[[document.Pile, Sequence[str]], tuple[Any, ...]]] = {
    "box": lambda pile, boxes: (place(pile["box"], boxes), _cost_order(pile["cost"]), pile["name"]),
    "cost": lambda pile, boxes: (_cost_order(pile["cost"]), pile["name"]),
    "name": lambda pile, boxes: (pile["name"],),
    "dealt": lambda pile, boxes: (),
}


def in_order(piles: Iterable[document.Pile], setup: document.Setup, sort: str) -> list[document.Pile]:
    """The piles of a setup in one of the orders of `SORTS`."""
    boxes = [box["slug"] for box in setup["boxes"]]
    return sorted(piles, key=lambda pile: SORTS[sort](pile, boxes))


def build(setup: document.Setup, language: Language, sort: str = "box") -> list[Section]:
    """The sections that have lines, in the order of work.

    Args:
        sort: the order of the Kingdom, one of `SORTS`; the order of boxes fetches each box once.
    """
    kingdom = in_order(
        (pile for pile in before_and_now(setup)[1]["piles"] if pile["place"] == "kingdom"), setup, sort
    )
    make, say = Lines(setup, language, kingdom), language.say
    piles = make.now["piles"]
    supply = [make.pile(pile) for pile in piles if pile["place"] == "supply"] + make.second_set(piles)
    beside = [make.pile(pile) for pile in piles if pile["place"] == "beside" and "group" not in pile]
    groups: dict[str, list[Line]] = {}
    for landscape in make.now["landscapes"]:
        groups.setdefault(landscape["group"], []).append(make.landscape(landscape))
    for pile in piles:
        if "group" in pile:
            groups.setdefault(pile["group"], []).append(make.pile(pile))
    tokens = all(placed["kind"] == "token" for placed in setup["placed"])
    placed = Section(say("Tokens to place" if tokens else "Then place"), make.tokens("game"))
    players = make.cards(make.now["starting_deck"]) + make.components("player") + make.tokens("player")
    sections = [
        Section(say("Back into the boxes: what is left of these piles"), make.leaving()),
        Section(say("Kingdom"), [make.kingdom_pile(pile) for pile in kingdom]),
        *(Section(say(group), lines) for group, lines in groups.items()),
        Section(say("Supply"), supply),
        Section(say("Beside the Supply"), beside + make.set_aside() + make.decks()),
        Section(say("On the table"), make.components("game")),
        *([placed] if tokens else []),
        Section(say("Into the trash"), make.cards(make.now["trash"])),
        Section(say("Each player takes"), players),
        *([] if tokens else [placed]),  # cards go to what the players took
        Section(say("Back into the box"), make.cards(setup["boxed"])),
        Section(say("Last"), make.last()),
    ]
    return [section for section in sections if section.lines]


def recorded(sections: Iterable[Section]) -> list[document.Section]:
    """The sections as the document holds them."""
    return [
        {
            "title": section.title,
            "items": [
                {
                    "name": line.name,
                    "count": line.count_,
                    "detail": breakable(
                        "; ".join(
                            filter(None, (f"{line.cost} {line.types}".strip(), line.detail, *line.below))
                        )
                    ),
                    "because": list(line.because),
                }
                for line in section.lines
            ],
        }
        for section in sections
    ]
