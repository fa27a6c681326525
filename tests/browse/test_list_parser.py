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
def test_names_are_found_in_many_forms_of_lists(text: str) -> None:
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
def test_brackets_are_separated_from_the_name(part: str, apart: tuple[str, str]) -> None:
    assert parse_item(part) == apart


def test_commas_in_brackets_do_not_separate_items() -> None:
    assert list(split_outside_brackets("a(b, c), d [e, f],g")) == ["a(b, c)", " d [e, f]", "g"]
    assert list(split_outside_brackets("a), b")) == ["a)", " b"]


def test_heading_applies_up_to_the_next_one_or_the_end_of_the_line() -> None:
    assert list(parse_items("Kingdom: One, Two\nThree, Four: Five")) == [
        ListItem(1, "One", "", "Kingdom"),
        ListItem(1, "Two", "", "Kingdom"),
        ListItem(2, "Three"),
        ListItem(2, "Five", "", "Four"),
    ]


def test_seed_of_a_one_line_setup_is_ignored() -> None:
    assert names("seed-7 · One, Two · Three · Four: Five") == ["One", "Two", "Three", "Five"]
    assert names("One · Two · Three") == ["One", "Two", "Three"]


def test_query_params_of_a_url_are_read() -> None:
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
def test_any_text_can_be_parsed(text: str) -> None:
    for item in parse_items(text):
        assert item.name or item.inside
