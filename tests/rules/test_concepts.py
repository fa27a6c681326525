"""The words that players use, and the names of games."""

import json
from collections.abc import Mapping

import pytest

from randomizer.cards.game import Game
from randomizer.load import languages
from randomizer.rules.lookup import answer_query, open_index
from randomizer.text.folding import normalize_key
from tests.support import run

CONCEPTS = {
    "what is a village": "word-village",
    "What are villages?": "word-village",
    "村とは": "word-village",
    "村って何": "word-village",
    "cantrip": "word-cantrip",
    "キャントリップとは": "word-cantrip",
    "terminal": "word-terminal",
    "what is a terminal action": "word-terminal",
    "ターミナル": "word-terminal",
    "trasher": "word-trasher",
    "圧縮とは": "word-trasher",
    "gainer": "word-gainer",
    "sifter": "word-sifter",
    "what is a sifter": "word-sifter",
    "junker": "word-junker",
    "engine": "word-engine",
    "what is an engine": "word-engine",
    "big money": "word-big-money",
    "ステロ": "word-big-money",
}


def test_concept_is_the_first_and_certain_result() -> None:
    for query, entry in CONCEPTS.items():
        answer = json.loads(run("rules", query, "--json").stdout)
        assert (answer["results"][0]["id"], answer["certainty"]) == (entry, "sure"), query
        assert "card" not in answer


@pytest.mark.parametrize(("name", "title"), [("village", "What is a village?"), ("村", "村とは")])
def test_name_of_the_card_shows_the_card_and_mentions_the_concept(name: str, title: str) -> None:
    answer = json.loads(run("rules", name, "--json").stdout)
    assert answer["card"] == "Village"
    assert title in run("rules", name, "--all").stdout


@pytest.mark.parametrize(
    ("name", "book"),
    [
        ("arkham horror", "arkham"),
        ("Arkham Horror: The Card Game", "arkham"),
        ("アーカムホラー", "arkham"),
        ("アーカムホラー カードゲーム", "arkham"),
        ("ドミニオン", "dominion"),
        ("ペルガメムノン", "pergamemnon"),
    ],
)
def test_rulebook_is_chosen_by_any_name_of_its_game(name: str, book: str) -> None:
    results = json.loads(run("rules", "--game", name, "setup", "--json").stdout)["results"]
    assert results and {entry["game"] for entry in results} == {book}


@pytest.mark.parametrize("name", ["Pergamemnon", "PERGAMEMNON", "ペルガメムノン"])
def test_game_is_dealt_by_any_of_its_names(name: str) -> None:
    setup = json.loads(run("--game", name, "--json", "--seed", "1").stdout)
    assert setup["game"] == setup["options"]["game"] == "pergamemnon"
    assert "Carthage" in run("cards", "--game", name).stdout
    assert setup["command"].startswith("dominion-setup --game pergamemnon ")


MAX_WORDS = 4  # of a word or phrase in `concepts:`, so that it is short enough to be a name


def list_uncertain(concepts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the words whose English query does not certainly lead to an entry or card, with that query."""
    index = open_index()
    answers = {query: answer_query(index, query, index.default_game) for query in {*concepts.values()}}
    certain = {query for query, answer in answers.items() if answer and answer.certainty == "sure"}
    return [(word, query) for word, query in concepts.items() if query not in certain]


def test_query_of_every_concept_is_answered_for_certain() -> None:
    concepts_by_code = {code: languages.load(code).concepts for code in languages.list_codes()}
    uncertain = {code: list_uncertain(concepts) for code, concepts in concepts_by_code.items()}
    assert {code: words for code, words in uncertain.items() if words} == {}
    assert any(concepts_by_code.values())


@pytest.mark.parametrize("query", ["Shufling", "landscape", "zzz", "?", ""])
def test_wrong_query_of_a_concept_is_found(query: str) -> None:
    """A misspelt title, a word that several entries have, an unknown word, and nothing."""
    assert list_uncertain({"mischen": "Shuffling", "verkehrt": query}) == [("verkehrt", query)]


def test_concepts_are_short_and_no_names_of_cards_and_types(game: Game) -> None:
    """A name leads to its card or type already, except for types whose English name is not certain."""
    wrong = []
    for code in languages.list_codes():
        language, card_names = languages.load(code), languages.load_card_names(code, game).values()
        names = [name for named in card_names for name in (named.name, *named.also)]
        types = {name: type_ for type_, name in language.types.items()}
        uncertain_types = {name for name, _ in list_uncertain(types)} if language.concepts else set()
        keys = {normalize_key(name) for name in (*names, *types) if name not in uncertain_types}
        for word in language.concepts:
            if normalize_key(word) in keys or len(word.split()) > MAX_WORDS:
                wrong.append((code, word))
    assert wrong == []
