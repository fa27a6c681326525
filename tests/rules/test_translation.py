"""Queries in languages without rulebooks lead to the same rules as the English ones."""

import pytest

from randomizer.cards.game import Game
from randomizer.load.languages import load_all
from randomizer.rules.lookup import open_index
from tests.support import run


@pytest.mark.parametrize(
    ("query", "lang", "title"),
    [
        ("Hexe", "en", "Witch"),
        ("Hexe", "de", "Hexe · Witch"),
        ("sorcière", "en", "Witch"),
        ("sorciere", "fr", "Sorcière · Witch"),
        ("Nachziehstapel", "de", "Nachziehstapel, Hand und Ablagestapel"),
        ("entsorgen", "de", "Entsorgen · Trashing"),
        ("défausse", "fr", "Deck, hand and discard pile"),
        ("defausse", "fr", "Deck, hand and discard pile"),
        ("trekstapel", "nl", "Deck, hand and discard pile"),
        ("hexes", "en", "Hexes"),
        ("reserve", "en", "Reserve cards"),
        ("魔女", "de", "Hexe · Witch"),
    ],
)
def test_name_or_term_finds_its_entry(query: str, lang: str, title: str) -> None:
    lines = run("rules", query, "--lang", lang).stdout.splitlines()
    assert any(line.startswith(title) for line in lines[:4]), lines[:4]


def test_terms_within_a_question_of_the_user_s_language_are_translated() -> None:
    german = run("rules", "Hexe gegen Burggraben", "--lang", "de").stdout
    assert "Witch" in german and "Moat" in german


@pytest.mark.parametrize("query", ["trash a copper or estate", "discard four cards"])
def test_words_of_english_questions_are_no_foreign_names(query: str) -> None:
    first = run("rules", query).stdout
    assert "Gold [gold]" not in first and "Kiln" not in first


def test_name_of_several_cards_asks_which() -> None:
    result = run("rules", "Jarmark")
    assert result.exit_code == 2 and "did you mean Festival or Fair?" in result.stderr
    assert "Jarmark · Festival" in run("rules", "Jarmark", "--lang", "cs").stdout


def test_languages_with_rulebooks_are_those_of_the_books(game: Game) -> None:
    """The files of languages say so, too, because pages in a file are built without the index."""
    codes = [language.code for language in load_all(game) if language.has_rulebooks]
    assert codes == list(open_index().titles["dominion"])


def test_untranslated_rule_says_so() -> None:
    note = "Diese Regel ist noch nicht übersetzt"
    assert run("rules", "Hexe", "--lang", "de").stdout.startswith(note)
    assert note not in run("rules", "Hexe").stdout
