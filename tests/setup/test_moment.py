"""A document at the moment of a second deal: what was there before, and what is new."""

from typing import Any, cast

import pytest

from randomizer.setup.document import Setup
from randomizer.setup.moment import with_only_kept_parts, without_kept_parts

LISTS = ("piles", "landscapes", "decks", "set_aside", "components", "placed", "starting_deck", "trash")


def parts(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "on": "Pie"} for name in names]


def setup(**said: Any) -> Setup:
    """A document of which every list that a second deal divides has three parts, and another list too."""
    lists = {key: parts("A", "B", "C") for key in (*LISTS, "boxed")}
    return cast(Setup, {**lists, **said})


def named(document: Setup) -> dict[str, str]:
    whole: Any = document
    return {key: "".join(part["name"] for part in whole[key]) for key in (*LISTS, "boxed")}


def test_without_one_all_is_new() -> None:
    first = setup()
    assert without_kept_parts(first) is first
    assert named(with_only_kept_parts(first)) == {**dict.fromkeys(LISTS, ""), "boxed": "ABC"}


def test_each_list_has_a_number_of_parts_that_were_there() -> None:
    numbers = {key: number % 4 for number, key in enumerate(LISTS)}
    second = setup(second_deal={"by": "A", "before": numbers})
    assert named(with_only_kept_parts(second)) == {
        **{key: "ABC"[:many] for key, many in numbers.items()},
        "boxed": "ABC",
    }
    assert named(without_kept_parts(second)) == {
        **{key: "ABC"[many:] for key, many in numbers.items()},
        "boxed": "ABC",
    }


@pytest.mark.parametrize(("numbers", "there"), [({}, ""), ({"piles": 9}, "ABC")])
def test_numbers_that_no_second_deal_writes(numbers: dict[str, int], there: str) -> None:
    assert named(with_only_kept_parts(setup(second_deal={"by": "A", "before": numbers})))["piles"] == there
