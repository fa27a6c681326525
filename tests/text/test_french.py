"""The French terms and the typography of French."""

import re

import pytest

from randomizer.cards.game import Game
from randomizer.load import games, languages
from tests.support import read_facts, run

NO_BREAK_SPACE = "\u00a0"
# What users type, and what is not prose: commands, quoted values, placeholders.
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'|eval .*|=, !=.*|\{\w+\}")


@pytest.mark.parametrize("kind", ["set", "type", "mat", "token", "word"])
def test_names_are_those_of_the_table(game: Game, kind: str) -> None:
    """The table of terms has the source of each."""
    french = languages.load("fr", game)
    rows = [row for row in read_facts("terms-fr") if row["kind"] == kind]
    assert rows
    for row in rows:
        english = row["english"]
        names = {"set": french.sets, "type": french.types}.get(kind, french.phrases)
        assert names[row["slug"] or english] == row["french"], english


def test_every_term_has_a_source_or_a_note() -> None:
    for row in read_facts("terms-fr"):
        assert int(row["n_sources"]) == len(row["sources"].split(";") if row["sources"] else []), row
        assert row["sources"] or row["note"], row


@pytest.mark.parametrize("name", games.list_games())
def test_high_punctuation_follows_a_no_break_space(name: str) -> None:
    """As French typography requires it before : ; ! ? and inside quotation marks."""
    for phrase in languages.load("fr", games.load(name)).phrases.values():
        text = CODE.sub("x", phrase)
        assert not re.search(rf"[^{NO_BREAK_SPACE}][:;!?»](?=\s|$)", text), phrase
        assert not re.search(rf"«[^{NO_BREAK_SPACE}]", text), phrase


@pytest.mark.parametrize("name", games.list_games())
def test_apostrophes_are_straight(name: str) -> None:
    """One form everywhere, the one that people can type."""
    for phrase in languages.load("fr", games.load(name)).phrases.values():
        assert "\u2019" not in phrase, phrase


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("do I have to trash a copper or estate", "Gold"),
        ("discard four cards", "Kiln"),
        ("how do I sort my deck", "Charm"),
    ],
)
def test_english_word_in_a_question_does_not_mean_a_card_with_that_french_name(
    question: str, card: str
) -> None:
    """For example, Or is Gold."""
    assert not run("rules", question).stdout.startswith(card)
