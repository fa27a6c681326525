"""Entries that are translated to a language in which the rulebooks are not complete, such as German."""

from collections.abc import Iterator

import pytest

from randomizer.rules.entry import Entry, Texts
from randomizer.rules.index import Index
from randomizer.rules.lookup import open_index
from randomizer.text.width import get_list_marker
from tests.support import run
from tests.support.terms import find_rejected_words


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


def iter_translated(index: Index) -> Iterator[tuple[Entry, str]]:
    """Yield each entry with a text in a language that its book lacks, and the code of the language."""
    for game, titles in index.titles.items():
        for entry in index.entries(game):
            for code in entry.text.keys() - titles.keys():
                yield entry, code


def list_texts(entry: Entry) -> list[Texts]:
    return [entry.title, entry.text, *(older.text for older in entry.older)]


def list_markers(text: str) -> list[str]:
    """Return the indentation and the marker of each line."""
    return [
        line[: len(line) - len(line.lstrip())] + get_list_marker(line.lstrip()) for line in text.split("\n")
    ]


def test_at_least_thirty_general_entries_and_those_of_one_set_are_translated(index: Index) -> None:
    chapters = [entry.chapter["en"] for entry, code in iter_translated(index) if code == "de"]
    assert len(chapters) - chapters.count("Adventures") >= 30
    missing = [
        entry.id
        for entry in index.entries("dominion")
        if entry.chapter["en"] == "Adventures"
        and entry.cards != [entry.title["en"]]
        and "de" not in entry.text
    ]
    assert missing == []


def test_translation_is_complete_and_has_the_paragraphs_and_items_of_the_english_text(index: Index) -> None:
    """Without them, the sentence that answers a question would not be found in the translation."""
    for entry, code in iter_translated(index):
        for texts in list_texts(entry):
            assert list_markers(texts[code]) == list_markers(texts["en"]), entry.id


def test_german_texts_use_the_printed_terms(index: Index) -> None:
    texts = [
        text["de"] for entry, code in iter_translated(index) if code == "de" for text in list_texts(entry)
    ]
    assert find_rejected_words("de", texts) == []


class TestCommand:
    def test_translated_entry_is_printed_in_that_language(self) -> None:
        lines = run("rules", "reserve", "--lang", "de").stdout.splitlines()
        assert lines[0].startswith("Reservekarten · Reserve cards")
        assert "Wirtshaustableau" in lines[1]

    def test_entry_without_translation_is_printed_in_english(self) -> None:
        text = run("rules", "seven-eight-players", "--lang", "de").stdout
        assert "Seven or eight players" in text and "sieben" not in text

    def test_translated_title_is_found_in_any_language_but_not_shown(self) -> None:
        assert run("rules", "Spielende").stdout.startswith("End of the game · ゲームの終了\n")
        assert run("rules", "Spielende", "--lang", "de").stdout.startswith("Spielende · End of the game")

    def test_list_has_the_translated_titles(self) -> None:
        text = run("rules", "--list", "aufräumphase", "--lang", "de").stdout
        assert "Aufräumphase [clean-up]" in text
