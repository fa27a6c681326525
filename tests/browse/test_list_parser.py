"""Taking apart what people paste: which names stand where, whatever stands around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.browse.list_parser import ListItem, parse_item, parse_items, split_outside_brackets


def names(text: str) -> list[str]:
    return [item.name for item in parse_items(text)]


@pytest.mark.parametrize(
    "text",
    [
        "One, Two, Three Four",
        "One\nTwo\nThree Four",
        "One; Two;Three Four;",
        "One、Two，Three Four",
        "* One\n* Two\n* Three Four",
        "- One\n– Two\n• Three Four\n",
        "1. One\n2) Two\n3. Three Four",
        "[ ] One\n[x] Two\n[ ] Three Four",
        "・One\n・Two\n・Three Four",
        "10 One\n8x Two\n10 × Three Four",
        "One x10\nTwo 10\nThree Four 10枚",
        "- 10x One (Box)\n\n\n- Two [Box, 2E]\n- Three Four （箱）",
        "\t One\t Two\t\tThree Four.",
        "“One”, 'Two', \"Three Four\"",
    ],
)
def test_lists_as_they_look(text: str) -> None:
    assert names(text) == ["One", "Two", "Three Four"]


@pytest.mark.parametrize(
    ("part", "apart"),
    [
        ("one(two)", ("one", "two")),
        ("One (Two, Three)", ("One", "Two, Three")),
        ("One [Two (Three)]", ("One", "Two (Three)")),
        ("一（二）", ("一", "二")),
        ("One (Two", ("One", "Two")),
        ("(Two)", ("", "Two")),
        ("", ("", "")),
        ("10 One", ("One", "")),
        ("1001 Nights", ("1001 Nights", "")),
    ],
)
def test_what_stands_in_brackets(part: str, apart: tuple[str, str]) -> None:
    assert parse_item(part) == apart


def test_commas_in_brackets_part_nothing() -> None:
    assert list(split_outside_brackets("a(b, c), d [e, f],g")) == ["a(b, c)", " d [e, f]", "g"]
    assert list(split_outside_brackets("a), b")) == ["a)", " b"]


def test_headings_hold_to_the_end_of_their_line_or_to_the_next() -> None:
    assert list(parse_items("Kingdom: One, Two\nThree, Four: Five")) == [
        ListItem(1, "One", "", "Kingdom"),
        ListItem(1, "Two", "", "Kingdom"),
        ListItem(2, "Three"),
        ListItem(2, "Five", "", "Four"),
    ]


def test_a_line_of_many_setups_begins_with_its_seed() -> None:
    assert names("seed-7 · One, Two · Three · Four: Five") == ["One", "Two", "Three", "Five"]
    assert names("One · Two · Three") == ["One", "Two", "Three"]


def test_an_address() -> None:
    found = list(
        parse_items(" https://example.org/?lang=en&supply=one,two&traits=three(four)&five=1&six=0#here ")
    )
    assert found == [
        ListItem(0, "en", "", "lang"),
        ListItem(0, "one"),
        ListItem(0, "two"),
        ListItem(0, "three", "four", "traits"),
        ListItem(0, "five"),
        ListItem(0, "no six"),
    ]
    assert list(parse_items("https://example.org/?" + "a=b&" * 1000)) == []


@given(st.text(max_size=300))
def test_any_text_can_be_taken_apart(text: str) -> None:
    for item in parse_items(text):
        assert item.name or item.inside
