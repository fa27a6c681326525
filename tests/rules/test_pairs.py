"""Combinations of two cards: each pair that people ask about has an entry.

tests/facts/pairs.csv has the pairs, each with the id of its entry.
"""

from randomizer.load import games, languages
from randomizer.rules.entry import Entry, localize
from randomizer.rules.lookup import open_index
from tests.support import read_facts

PAIRS = read_facts("pairs")


def join_texts(entry: Entry, language: str) -> str:
    """Return the title and text of an entry in a language, on a single line."""
    return " ".join(f"{localize(entry.title, language)} {localize(entry.text, language)}".split())


def test_entry_of_each_pair_names_both_cards_in_both_languages() -> None:
    entries = {entry.id: entry for entry in open_index().entries("dominion")}
    japanese = languages.load("ja", games.load()).cards
    for row in PAIRS:
        entry = entries[row["entry"]]
        for card in (row["one"], row["other"]):
            assert card in entry.cards, row
            assert card in join_texts(entry, "en"), row
            assert japanese[card] in join_texts(entry, "ja").replace(" ", ""), row


def test_pairs_are_unique() -> None:
    pairs = {frozenset((row["one"], row["other"])) for row in PAIRS}
    assert len(pairs) == len(PAIRS) >= 300
    assert all(len(pair) == 2 for pair in pairs)
