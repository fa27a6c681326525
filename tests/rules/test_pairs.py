"""Cards together: for every pair that people ask about an entry that rules on both.

tests/facts/pairs.csv has the pairs, each with the id of its entry.
"""

import pytest

from randomizer.load import games, languages
from randomizer.rules.entry import Entry, localize
from randomizer.rules.index import Index
from randomizer.rules.lookup import open_index
from tests.support import facts

PAIRS = facts("pairs")


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


def names(entry: Entry, code: str) -> str:
    """All that an entry says in a language, in which the names are looked for."""
    return " ".join(f"{localize(entry.title, code)} {localize(entry.text, code)}".split())


def test_each_pair_has_an_entry_that_names_both(index: Index) -> None:
    entries = {entry.id: entry for entry in index.entries("dominion")}
    japanese = languages.load("ja", games.load()).cards
    for row in PAIRS:
        entry = entries[row["entry"]]
        for card in (row["one"], row["other"]):
            assert card in entry.cards, row
            assert card in names(entry, "en"), row
            assert japanese[card] in names(entry, "ja").replace(" ", ""), row


def test_no_pair_twice() -> None:
    pairs = {frozenset((row["one"], row["other"])) for row in PAIRS}
    assert len(pairs) == len(PAIRS) >= 300
    assert all(len(pair) == 2 for pair in pairs)
