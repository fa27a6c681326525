"""The wording of the rulebooks: consistent Japanese terms, and corrections that must not be lost."""

import functools
import re

import pytest

from randomizer.load import games, languages
from randomizer.rules.entry import Entry
from randomizer.rules.lookup import open_index
from randomizer.text.width import width
from tests.support import read_facts

MAX_TITLE_WIDTH = 81  # columns of both languages together; the longest title is one of a glossary


@functools.cache
def list_entries(book: str) -> list[Entry]:
    return list(open_index().entries(book))


@pytest.mark.parametrize("row", read_facts("terms-ja"), ids=lambda row: row["term"])
def test_only_the_term_of_the_table_is_used(row: dict[str, str]) -> None:
    """The book `words` has the phrases of the program. Aliases are not checked, because people type them."""
    wrong_term = re.compile(row["instead"])
    for book in row["book"].split(";"):
        if book == "words":
            phrases = languages.load("ja", games.load()).phrases
            assert [text for text in phrases.values() if wrong_term.search(text)] == []
            continue
        for entry in list_entries(book):
            texts = [entry.title, entry.text, *(older.text for older in entry.older)]
            lines = [re.sub(r"\n *", "", text["ja"]) for text in texts]  # A term may be wrapped.
            found = [match[0] for line in lines for match in wrong_term.finditer(line)]
            assert found == [], f"{entry.id}: {row['term']}"


@pytest.mark.parametrize("row", read_facts("rulings"), ids=lambda row: f"{row['entry']}: {row['en']}")
def test_corrected_ruling_is_in_the_text(row: dict[str, str]) -> None:
    (entry,) = [entry for entry in list_entries(row["game"]) if entry.id == row["entry"]]
    assert row["en"] in " ".join(entry.text["en"].split())
    assert row["ja"] in "".join(entry.text["ja"].split())


def test_titles_in_both_languages_fit_a_line() -> None:
    titles = [
        f"{entry.title['ja']} · {entry.title['en']}"
        for book in open_index().doc_id_ranges
        for entry in list_entries(book)
    ]
    assert [title for title in titles if width(title) > MAX_TITLE_WIDTH] == []
