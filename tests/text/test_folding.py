"""Tests of text normalization."""

import pytest

from randomizer.text.folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Cards", "card"),
        ("gas", "gas"),
        ("ways", "way"),
        ("bonus", "bonus"),
        ("Pass", "pass"),
        ("this", "this"),
    ],
)
def test_fold_removes_plural_endings_from_words_of_four_letters_and_more(text: str, folded: str) -> None:
    assert fold(text) == folded
