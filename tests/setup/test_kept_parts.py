"""The halves of a document with a second deal: the parts that stay, and the new ones."""

from typing import Any, cast

import pytest

from randomizer.setup.document import Setup
from randomizer.setup.kept_parts import extract_kept_parts, remove_kept_parts

LISTS = ("piles", "landscapes", "decks", "set_aside", "components", "placed", "starting_deck", "trash")


def make_parts(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "on": "Pie"} for name in names]


def make_setup(**fields: Any) -> Setup:
    """Build a document with three parts in `boxed` and in each list that a second deal divides."""
    lists = {key: make_parts("A", "B", "C") for key in (*LISTS, "boxed")}
    return cast(Setup, {**lists, **fields})


def join_names(document: Setup) -> dict[str, str]:
    lists_by_key: Any = document
    return {key: "".join(part["name"] for part in lists_by_key[key]) for key in (*LISTS, "boxed")}


def test_document_without_second_deal_is_all_new() -> None:
    first = make_setup()
    assert remove_kept_parts(first) is first
    assert join_names(extract_kept_parts(first)) == {**dict.fromkeys(LISTS, ""), "boxed": "ABC"}


def test_second_deal_divides_each_list_at_its_count() -> None:
    counts = {key: index % 4 for index, key in enumerate(LISTS)}
    second = make_setup(second_deal={"by": "A", "kept_counts": counts})
    assert join_names(extract_kept_parts(second)) == {
        **{key: "ABC"[:count] for key, count in counts.items()},
        "boxed": "ABC",
    }
    assert join_names(remove_kept_parts(second)) == {
        **{key: "ABC"[count:] for key, count in counts.items()},
        "boxed": "ABC",
    }


@pytest.mark.parametrize(("counts", "expected"), [({}, ""), ({"piles": 9}, "ABC")])
def test_missing_or_excessive_count_divides_list_at_its_start_or_end(
    counts: dict[str, int], expected: str
) -> None:
    assert (
        join_names(extract_kept_parts(make_setup(second_deal={"by": "A", "kept_counts": counts})))["piles"]
        == expected
    )
