"""The order of the Kingdom: by box, cost, name or as it was dealt; and what decides where those are equal."""

from typing import Any, cast

import pytest

from randomizer.setup.checklist import SORTS, sort_piles
from randomizer.setup.document import Pile, Setup
from tests.support import get_names


def piles(*said: tuple[str, str, str]) -> list[Pile]:
    return [cast(Pile, {"name": name, "cost": cost, "box": box}) for name, cost, box in said]


SETUP = cast(Setup, {"boxes": [{"slug": "tea"}, {"slug": "jam"}, {"slug": "ale"}]})


def ordered(sort: str, *said: tuple[str, str, str]) -> list[str]:
    return get_names(sort_piles(piles(*said), SETUP, sort))


@pytest.mark.parametrize(
    "costs",
    [
        ["$0", "$2", "$3", "$10"],  # as numbers, not as letters
        ["$3", "$3 P", "$4"],
        ["$3", "$3 2D", "$3 10D", "$3 P", "$4 P 1D"],
        ["P", "$1"],
        ["4D", "8D", "10D", "$1"],
        ["$6*", "$7*", "$8+"],
    ],
)
def test_coins_decide_then_potion_then_debt(costs: list[str]) -> None:
    names_ = [f"{len(costs) - number} {cost}" for number, cost in enumerate(costs)]  # the other way round
    said = [(name, cost, "tea") for name, cost in zip(names_, costs, strict=True)]
    assert ordered("cost", *reversed(said)) == names_


@pytest.mark.parametrize("mark", ["*", "+"])
def test_the_printed_mark_makes_no_difference(mark: str) -> None:
    assert ordered("cost", ("Pie", "$3", "tea"), ("Ale", f"$3{mark}", "tea")) == ["Ale", "Pie"]


def test_of_equal_cost_by_name_whatever_the_box() -> None:
    said = [("Pie", "$3", "tea"), ("Cake", "$3", "jam"), ("Bun", "$4", "tea")]
    assert ordered("cost", *said) == ["Cake", "Pie", "Bun"]


def test_by_box_as_the_setup_lists_them_then_cost_then_name() -> None:
    said = [
        ("Mead", "$2", "ale"),
        ("Plum", "$5", "jam"),
        ("Fig", "$4", "jam"),
        ("Date", "$5", "jam"),
        ("Cake", "$6", "tea"),
        ("Salt", "$0", "elsewhere"),
    ]
    assert ordered("box", *said) == ["Cake", "Fig", "Date", "Plum", "Mead", "Salt"]


def test_by_name_alone() -> None:
    assert ordered("name", ("Pie", "$1", "tea"), ("Cake", "$9", "ale")) == ["Cake", "Pie"]


def test_as_dealt() -> None:
    said = [("Pie", "$9", "jam"), ("Cake", "$1", "tea"), ("Bun", "$5", "ale")]
    assert ordered("dealt", *said) == ["Pie", "Cake", "Bun"]


def test_the_sorts() -> None:
    orders: Any = list(SORTS)
    assert orders == ["box", "cost", "name", "dealt"]
