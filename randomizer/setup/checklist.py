"""The checklist of a setup document: lines to tick off, in the order in which the table is laid out."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.setup.kept_parts import remove_kept_parts
from randomizer.setup.lines import Line, LineBuilder, map_to_index
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document
    from randomizer.setup.document import Item


class Section(NamedTuple):
    """A section of the checklist.

    Attributes:
        title: the translated heading.
        lines: the lines of the section.
    """

    title: str
    lines: list[Line]


@lru_cache(500)
def cost_sort_key(cost: str) -> tuple[int, ...]:
    """Return a sort key for a printed cost: coins, then Potion, then Debt."""
    coins = debt = 0
    for part in cost.split():
        number = part.strip("$+*D")
        if number.isdecimal() and part.startswith("$"):
            coins = int(number)
        elif number.isdecimal() and part.endswith("D"):
            debt = int(number)
    return coins, cost.count("P"), debt


# Functions that return the sort key of a pile, by the name of the order. Their arguments are the pile and the
# positions of the boxes by slug. Piles from unknown boxes come last.
SORTS: "Mapping[str, Callable[[document.Pile, Mapping[str, int]], tuple[Any, ...]]]" = {
    "box": lambda pile, order: (
        order.get(pile["box"], len(order)),
        cost_sort_key(pile["cost"]),
        pile["name"],
    ),
    "cost": lambda pile, order: (cost_sort_key(pile["cost"]), pile["name"]),
    "name": lambda pile, order: (pile["name"],),
    "dealt": lambda pile, order: (),
}


def sort_piles(piles: "Iterable[document.Pile]", setup: "document.Setup", sort: str) -> "list[document.Pile]":
    """Return piles of a setup document in a given order.

    Args:
        piles: the piles.
        setup: the document, which determines the order of the boxes.
        sort: the name of the order, a key of `SORTS`.
    """
    box_order, key = map_to_index([box["slug"] for box in setup["boxes"]]), SORTS[sort]
    return sorted(piles, key=lambda pile: key(pile, box_order))


def build_checklist(setup: "document.Setup", language: Language, sort: str = "box") -> list[Section]:
    """Build the non-empty sections of the checklist, in the order in which the table is laid out.

    Args:
        setup: the setup document.
        language: the language of the lines.
        sort: the order of the Kingdom piles, a key of `SORTS`. With `box`, each box is needed only once.
    """
    builder = LineBuilder(setup, language, _sort_kingdom(setup, sort))
    return [
        Section(_translate_title(title, setup, language), lines)
        for title, lines in _build_sections(builder)
        if lines
    ]


def record_checklist(setup: "document.Setup", language: Language) -> "list[document.Section]":
    """Build the checklist in the format of setup documents (see `build_checklist`)."""
    builder = LineBuilder(setup, language, _sort_kingdom(setup, "box"), include_reasons=False)
    return [
        {
            "title": _translate_title(title, setup, language),
            "items": [convert_line_to_item(line) for line in lines],
        }
        for title, lines in _build_sections(builder)
        if lines
    ]


def is_veto_open(setup: "document.Setup") -> bool:
    """Return whether the players of a setup still have to veto cards."""
    return "veto" in setup and setup["veto"]["vetoed"] is None


def require_laid_table(setup: "document.Setup") -> None:
    """Check that the players have vetoed, so that it is certain which cards of a setup are used.

    Raises:
        BadOptions: they have not.
    """
    if is_veto_open(setup):
        raise BadOptions("this table is waiting for vetoes; lay it out with `dominion-setup veto` first.")


def _translate_title(title: str, setup: "document.Setup", language: Language) -> str:
    """Translate the heading of a section, which may contain the number of vetoes."""
    return language.translate(title, count=setup["veto"]["count"] if "veto" in setup else 0)


def convert_line_to_item(line: Line) -> "Item":
    """Convert a line of the checklist to the format of setup documents."""
    name, count, cost, types, _, detail, below, _, because = line
    details = [text for text in (f"{cost} {types}".strip(), detail, *below) if text]
    return {
        "name": name,
        "count": count,
        "detail": with_ordinary_spaces("; ".join(details)),
        "because": [*because],
    }


def _sort_kingdom(setup: "document.Setup", sort: str) -> "list[document.Pile]":
    """Return the sorted Kingdom piles. After a second deal, only the new ones are included.

    Args:
        setup: the setup document.
        sort: the name of the order, a key of `SORTS`.
    """
    kingdom = [pile for pile in remove_kept_parts(setup)["piles"] if pile["place"] == "kingdom"]
    # The order of the deal decides which of the cards stay after a veto.
    return sort_piles(kingdom, setup, "dealt" if is_veto_open(setup) else sort)


def _build_sections(builder: LineBuilder) -> "Iterable[tuple[str, list[Line]]]":
    """Return (title, lines) pairs for the sections, in the order in which the table is laid out."""
    new = builder.new
    piles = new["piles"]
    shared_components = [component for component in new["components"] if component["per"] == "game"]
    player_components = [component for component in new["components"] if component["per"] == "player"]
    groups: dict[str, list[Line]] = {}
    for landscape in new["landscapes"]:
        groups.setdefault(landscape["group"], []).append(builder.build_landscape(landscape))
    for pile in piles:
        if "group" in pile:  # A Kingdom pile with a group also has a line in the Kingdom section.
            groups.setdefault(pile["group"], []).append(builder.build_pile(pile))
    supply = [pile for pile in piles if pile["place"] == "supply"]
    beside = [pile for pile in piles if pile["place"] == "beside" and "group" not in pile]
    only_tokens = all(placed["kind"] == "token" for placed in builder.setup["placed"])
    placed_section = "Tokens to place" if only_tokens else "Then place", builder.build_tokens("game")
    return (
        ("Return to the boxes: the rest of these piles", builder.build_leaving_piles()),
        (
            "Veto {count}" if is_veto_open(builder.setup) else "Kingdom",
            [builder.build_kingdom_pile(pile) for pile in builder.kingdom],
        ),
        *groups.items(),
        ("Supply", [*map(builder.build_pile, supply), *builder.build_second_copy(piles)]),
        (
            "Beside the Supply",
            [
                *map(builder.build_pile, beside),
                *map(builder.build_set_aside, new["set_aside"]),
                *map(builder.build_deck, new["decks"]),
            ],
        ),
        ("On the table", [*map(builder.build_component, shared_components)]),
        *([placed_section] if only_tokens else []),
        ("Into the trash", [*map(builder.build_card, new["trash"])]),
        (
            "Each player takes",
            [
                *map(builder.build_card, new["starting_deck"]),
                *map(builder.build_component, player_components),
                *builder.build_tokens("player"),
            ],
        ),
        *(
            [] if only_tokens else [placed_section]
        ),  # Components may be placed on what the players have taken.
        ("Return to the box", [*map(builder.build_card, builder.setup["boxed"])]),
        ("Last steps", builder.build_last_steps()),
    )
