"""The checklist of a setup document: lines to tick off, in the order in which the table is laid out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.setup.kept_parts import remove_kept_parts
from randomizer.setup.lines import Line, LineBuilder, map_to_index
from randomizer.setup.texts import combine_names
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.errors import BadOptions
from randomizer.text.language import ENGLISH, Language

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


def cost_sort_key(cost: "document.CardCost | None") -> tuple[int, int, int]:
    """Return a sort key for a cost: coins, then Potion, then Debt. A card without a cost comes first."""
    return (cost["coins"], cost["potion"], cost["debt"]) if cost else (0, 0, 0)


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


def build_checklist(
    setup: "document.Setup", language: Language, sort: str = "box", *, include_reasons: bool = True
) -> list[Section]:
    """Build the non-empty sections of the checklist, in the order in which the table is laid out.

    Args:
        setup: the setup document.
        language: the language of the lines.
        sort: the order of the Kingdom piles, a key of `SORTS`. With `box`, each box is needed only once.
        include_reasons: see `LineBuilder`.
    """
    builder = LineBuilder(setup, language, _sort_kingdom(setup, sort), include_reasons=include_reasons)
    veto_count = setup["vetoes"]["max_count"] if "vetoes" in setup else 0
    return [
        Section(language.translate(title, count=veto_count), lines)
        for title, lines in _build_sections(builder)
        if lines
    ]


def record_checklist(setup: "document.Setup", languages: Sequence[Language]) -> "list[document.Section]":
    """Build the checklist in the format of setup documents, in several languages; English comes first."""
    codes = [language.code for language in languages]
    checklists = [build_checklist(setup, language, include_reasons=False) for language in languages]
    return [
        {
            "title": dict(zip(codes, [section.title for section in sections], strict=True)),
            "items": [
                build_item(dict(zip(codes, lines, strict=True)))
                for lines in zip(*(section.lines for section in sections), strict=True)
            ],
        }
        for sections in zip(*checklists, strict=True)
    ]


def is_veto_open(setup: "document.Setup") -> bool:
    """Return whether the players of a setup still have to veto cards."""
    return "vetoes" in setup and setup["vetoes"]["vetoed"] is None


def require_laid_table(setup: "document.Setup") -> None:
    """Check that the players have vetoed, so that it is certain which cards of a setup are used.

    Raises:
        BadOptions: they have not.
    """
    if is_veto_open(setup):
        raise BadOptions("this table is waiting for vetoes; lay it out with `dominion-setup veto` first.")


def build_item(lines: Mapping[str, Line]) -> "Item":
    """Build an item of the checklist in a document.

    Args:
        lines: the line in each language, by language code.
    """
    line = lines[ENGLISH]
    return {
        **combine_names(line.name, {code: other.name for code, other in lines.items()}),
        "count": line.count_,
        "detail": {code: _join_details(other) for code, other in lines.items()},
        "because": [*line.because],
    }


def _join_details(line: Line) -> str:
    """Return everything on a line except its name, its count and the reason for it."""
    details = [text for text in (f"{line.cost} {line.types}".strip(), line.detail, *line.below) if text]
    return with_ordinary_spaces("; ".join(details))


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
        groups.setdefault(landscape["group"][ENGLISH], []).append(builder.build_landscape(landscape))
    for pile in piles:
        if "group" in pile:  # A Kingdom pile with a group also has a line in the Kingdom section.
            groups.setdefault(pile["group"][ENGLISH], []).append(builder.build_pile(pile))
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
