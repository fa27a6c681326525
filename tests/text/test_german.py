"""The German names and phrases: terms of the printed rulebooks, and names that are not ambiguous.

Sources in `tests/facts/terms-de.csv`: `publisher` is dominion-welt.de, `tabs` dominiontabs, `kc`
KingdomCreator, `wiki` the Dominion Strategy wiki as dominionizer has it, `reviews` German reviews of the
boxes, and `own` this project's choice.
"""

import re
from pathlib import Path

import pytest

from randomizer.cards.game import Game
from randomizer.load import languages, paths
from randomizer.text.language import Language
from tests.support import read_facts
from tests.support.terms import find_rejected_words


@pytest.fixture(scope="module")
def german(game: Game) -> Language:
    return languages.load("de", game)


def test_terms_are_those_of_the_table(german: Language) -> None:
    wrong = []
    for row in read_facts("terms-de"):
        if row["kind"] == "keyword":  # used within phrases only
            continue
        translation = {
            "set": german.sets.get(row["slug"]),
            "type": german.types.get(row["english"]),
        }.get(row["kind"], german.phrases.get(row["english"]))
        if translation != row["german"]:
            wrong.append((row["english"], translation))
    assert wrong == []


def test_phrases_use_no_other_word_for_a_term(german: Language) -> None:
    assert find_rejected_words("de", german.phrases.values()) == []


def test_no_two_cards_have_the_same_name(game: Game) -> None:
    """Whether it is the printed name or another one in use."""
    cards_by_name: dict[str, set[str]] = {}
    for card, named in languages.load_card_names("de", game).items():
        for name in (named.name, *named.also):
            cards_by_name.setdefault(name.casefold(), set()).add(card)
    assert {name: cards for name, cards in cards_by_name.items() if len(cards) > 1} == {}


def test_head_of_the_file_counts_the_names(game: Game) -> None:
    text = (Path(paths.data_folder()) / "names.de.yaml").read_text(encoding="utf-8")
    head = text.partition("language:")[0].replace("\n#", "")
    names = languages.load_card_names("de", game)
    match = re.search(r"(\d+) of (\d+) cards and landscapes have a German name; [^:]*: ([^.]*)\.", head)
    assert match
    unnamed = [card for card in game.cards if card not in names]
    assert match.groups() == (str(len(names)), str(len(game.cards)), ", ".join(unnamed))
