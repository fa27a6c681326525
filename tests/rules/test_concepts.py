"""The words that players use, and the names of games."""

import json

import pytest

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
