"""The orders of the Kingdom, by box, cost, name or deal, and their tie-breakers."""

import re
from typing import Any, cast

import pytest

from randomizer.setup.checklist import SORTS, sort_piles
from randomizer.setup.document import CardCost, Pile, Setup
from tests.support import get_names


def make_cost(printed: str) -> CardCost:
    """Return the cost that is printed like this, such as `$3* 2D`."""
    coins, debt = (re.search(pattern, printed) for pattern in (r"\$(\d+)([*+]?)", r"(\d+)D"))
    return cast(
        CardCost,
        {
            "coins": int(coins[1]) if coins else 0,
            "potion": printed.count("P"),
            "debt": int(debt[1]) if debt else 0,
            "mark": coins[2] if coins else "",
        },
    )


def make_piles(*rows: tuple[str, str, str]) -> list[Pile]:
    return [cast(Pile, {"name": name, "cost": make_cost(cost), "box": box}) for name, cost, box in rows]


SETUP = cast(Setup, {"boxes": [{"slug": "tea"}, {"slug": "jam"}, {"slug": "ale"}]})


def sort_names(sort: str, *rows: tuple[str, str, str]) -> list[str]:
    return get_names(sort_piles(make_piles(*rows), SETUP, sort))


@pytest.mark.parametrize(
    "costs",
    [
        ["$0", "$2", "$3", "$10"],  # numeric, not alphabetical
        ["$3", "$3 P", "$4"],
        ["$3", "$3 2D", "$3 10D", "$3 P", "$4 P 1D"],
        ["P", "$1"],
        ["4D", "8D", "10D", "$1"],
        ["$6*", "$7*", "$8+"],
    ],
)
def test_cost_order_compares_coins_then_potion_then_debt(costs: list[str]) -> None:
    names = [f"{len(costs) - number} {cost}" for number, cost in enumerate(costs)]  # in the opposite order
    rows = [(name, cost, "tea") for name, cost in zip(names, costs, strict=True)]
    assert sort_names("cost", *reversed(rows)) == names


@pytest.mark.parametrize("mark", ["*", "+"])
def test_cost_order_ignores_the_printed_mark(mark: str) -> None:
    assert sort_names("cost", ("Pie", "$3", "tea"), ("Ale", f"$3{mark}", "tea")) == ["Ale", "Pie"]


def test_cost_order_of_equal_costs_is_by_name() -> None:
    rows = [("Pie", "$3", "tea"), ("Cake", "$3", "jam"), ("Bun", "$4", "tea")]
    assert sort_names("cost", *rows) == ["Cake", "Pie", "Bun"]


def test_box_order_compares_box_index_then_cost_then_name() -> None:
    rows = [
        ("Mead", "$2", "ale"),
        ("Plum", "$5", "jam"),
        ("Fig", "$4", "jam"),
        ("Date", "$5", "jam"),
        ("Cake", "$6", "tea"),
        ("Salt", "$0", "elsewhere"),
    ]
    assert sort_names("box", *rows) == ["Cake", "Fig", "Date", "Plum", "Mead", "Salt"]


def test_name_order_ignores_cost_and_box() -> None:
    assert sort_names("name", ("Pie", "$1", "tea"), ("Cake", "$9", "ale")) == ["Cake", "Pie"]


def test_dealt_order_keeps_the_given_order() -> None:
    rows = [("Pie", "$9", "jam"), ("Cake", "$1", "tea"), ("Bun", "$5", "ale")]
    assert sort_names("dealt", *rows) == ["Pie", "Cake", "Bun"]


def test_sorts_are_box_cost_name_and_dealt() -> None:
    orders: Any = list(SORTS)
    assert orders == ["box", "cost", "name", "dealt"]
