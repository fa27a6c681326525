"""What comes near a name that nothing has."""

import pytest

from randomizer.text.errors import find_suggestions

KNOWN = ["moat", "goat", "Rising Sun", "旭日", "旭", "日"]


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("MOAR", ["moat"]),
        ("moats and walls", ["moat"]),
        ("rising sun 2nd edition", ["Rising Sun"]),
        ("旭日第二版", ["旭日"]),
        ("日没のころ", []),
        ("xyz", []),
    ],
)
def test_spelt_alike_or_begun_alike(typed: str, near: list[str]) -> None:
    assert find_suggestions(typed, KNOWN) == near


def test_what_is_spelt_like_it_comes_first() -> None:
    assert find_suggestions("moatt", ["moa", "moat", "moatts"], 2) == ["moatts", "moat"]
