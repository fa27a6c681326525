"""Tests of shares of the games, as text."""

from fractions import Fraction

import pytest

from randomizer.cards.share import EXAMPLES, parse_share


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("1/3", Fraction(1, 3)),
        ("2/6", Fraction(1, 3)),
        ("25%", Fraction(1, 4)),
        ("12.5%", Fraction(1, 8)),
        *(
            (text, None)
            for text in ("0/3", "3/3", "4/3", "1/0", "0%", "100%", "1", "-1/3", "1/3 ", "half", True)
        ),
    ],
)
def test_share_is_between_0_and_1(text: object, share: Fraction | None) -> None:
    assert parse_share(text) == share


def test_examples_are_shares_in_lowest_terms() -> None:
    assert [str(parse_share(text)) for text in EXAMPLES] == [*EXAMPLES]
