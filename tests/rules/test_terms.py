"""The Japanese of the rulebooks: one word for one thing, as tests/facts/terms-ja.csv has it."""

import functools
import re

import pytest

from randomizer.load import games, languages
from randomizer.rules.entry import Entry
from randomizer.rules.lookup import open_index
from randomizer.text.width import width
from tests.support import facts


@functools.cache
def entries(book: str) -> list[Entry]:
    """All of a game, read once."""
    return list(open_index().entries(book))


@pytest.mark.parametrize("row", facts("terms-ja"), ids=lambda row: row["term"])
def test_one_word_for_one_thing(row: dict[str, str]) -> None:
    """In the texts and titles; an entry's other names are what people type, whichever word they use.

    Some terms are also those in which the program speaks (`words`).
    """
    instead = re.compile(row["instead"])
    for book in row["book"].split(";"):
        if book == "words":
            said = languages.load("ja", games.load()).phrases
            assert [text for text in said.values() if instead.search(text)] == []
            continue
        for entry in entries(book):
            texts = [entry.title, entry.text, *(older.text for older in entry.older)]
            lines = [re.sub(r"\n *", "", text["ja"]) for text in texts]  # a word goes on over a line's end
            found = [match[0] for line in lines for match in instead.finditer(line)]
            assert found == [], f"{entry.id}: {row['term']}"


@pytest.mark.parametrize("row", facts("rulings"), ids=lambda row: f"{row['entry']}: {row['en']}")
def test_what_was_once_wrong_or_missing(row: dict[str, str]) -> None:
    (entry,) = [entry for entry in entries(row["game"]) if entry.id == row["entry"]]
    assert row["en"] in " ".join(entry.text["en"].split())
    assert row["ja"] in "".join(entry.text["ja"].split())


def test_a_title_fits_a_line() -> None:
    """In both languages beside each other, as a look-up prints them; the longest is a glossary's own."""
    titles = [
        f"{entry.title['ja']} · {entry.title['en']}"
        for book in open_index().doc_id_ranges
        for entry in entries(book)
    ]
    assert [title for title in titles if width(title) > 81] == []
