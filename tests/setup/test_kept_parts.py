"""The halves of a document with a second deal: the parts that stay, and the new ones."""

from typing import Any, cast

import pytest

from randomizer.setup.document import Setup
from randomizer.setup.kept_parts import extract_kept_parts, remove_kept_parts

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


def test_document_without_second_deal_is_all_new() -> None:
    first = setup()
    assert remove_kept_parts(first) is first
    assert named(extract_kept_parts(first)) == {**dict.fromkeys(LISTS, ""), "boxed": "ABC"}


def test_second_deal_divides_each_list_at_its_count() -> None:
    numbers = {key: number % 4 for number, key in enumerate(LISTS)}
    second = setup(second_deal={"by": "A", "before": numbers})
    assert named(extract_kept_parts(second)) == {
        **{key: "ABC"[:many] for key, many in numbers.items()},
        "boxed": "ABC",
    }
    assert named(remove_kept_parts(second)) == {
        **{key: "ABC"[many:] for key, many in numbers.items()},
        "boxed": "ABC",
    }


@pytest.mark.parametrize(("numbers", "there"), [({}, ""), ({"piles": 9}, "ABC")])
def test_missing_or_excessive_count_divides_list_at_its_start_or_end(
    numbers: dict[str, int], there: str
) -> None:
    assert named(extract_kept_parts(setup(second_deal={"by": "A", "before": numbers})))["piles"] == there
