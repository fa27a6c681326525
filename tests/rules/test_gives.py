"""What playing a card gives: its entry says so in the first sentence, in both languages.

tests/facts/gives.csv has a row for each Action, Treasure and Night card. A number is what every play gives,
now or on a later turn, but not what a Reaction or gaining the card gives; `*` means that the amount depends
on something or that there is a choice.

The amounts were read on 2026-11-26 from the public data of sumpfork/dominiontabs at ba10794 (MIT License).
Merchant Guild's +1 Buy, which is missing there, is from the League's list.
"""

import re

import pytest

from randomizer.load import games
from randomizer.rules.entry import Entry
from randomizer.rules.lookup import open_index
from tests.support import read_facts

GIVES = read_facts("gives")
PLAYED_TYPES = {"Action", "Treasure", "Night"}
PILES_OF_DECKS = {"Loot", "Ruins"}  # cards that stand for a deck of different cards
NUMBER_WORDS = {
    "1": "an?|one|another",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
}

# Amounts of money that are a cost, a limit or a change of cost.
COSTS = {
    "en": r"\b[Cc]ost\w*(?: \w+){0,3} \$\d+(?: to \$\d+)?|\$\d+ (?:cheaper|less|more than|or more)",
    "ja": r"コスト(?:が(?:ちょうど|最大))?\$\d+(?:[〜～]\$?\d+)?|\$\d+(?:以[下上]|高い|安い|下が|下げ)",
}
# No card that is discarded, trashed or moved is drawn.
NO_LOSS = r"(?<!scard )(?<!scards )(?<!rash )(?<!rashes )(?<!gain )(?<!gains )(?<!put )(?<!puts )(?<!play )"
NOUNS = {
    "actions": ("Action", "アクション"),
    "buys": ("Buy", "購入"),
    "villagers": ("Villager", "村人"),
    "coffers": ("Coffer", "財源"),
    "vp": ("VP", "勝利点"),
    "favors": ("Favor", "好意"),
}


def build_english_pattern(thing: str, amount: str) -> str:
    """Return a regular expression for the ways of saying in English that a card gives a thing.

    Args:
        thing: A column of the table, such as `coins`.
        amount: A number, or `*` for any.
    """
    digit = r"\d?" if amount == "*" else amount
    word = "|".join(NUMBER_WORDS.values()) if amount == "*" else NUMBER_WORDS[amount]
    if thing == "coins":
        return r"\$" if amount == "*" else rf"\${amount}\b"
    if thing == "cards":
        drawn = r"\b[Dd]raw" if amount == "*" else rf"\b[Dd]raws?(?: you)? (?:{word})\b"
        return rf"\+{digit} Cards?\b|{drawn}|{NO_LOSS}\b(?i:{word}) (?:(?:more|new) )?cards?\b"
    noun = NOUNS[thing][0]
    return rf"\+{digit} {noun}|\b(?:{digit}|(?i:{word})) (?:more )?{noun}"


def build_japanese_pattern(thing: str, amount: str) -> str:
    """Return a regular expression for the ways of saying in Japanese that a card gives a thing."""
    digit = r"\d?" if amount == "*" else amount
    if thing == "coins":
        return rf"\+{digit}コイン|(?<!\d){digit}コイン|\${digit}(?!\d)"
    if thing == "cards":
        return rf"\+{digit}カード|引" if amount == "*" else rf"\+{amount}カード|{amount}枚(?:だけ)?を?引"
    noun = NOUNS[thing][1]
    return rf"\+{digit}{noun}|{noun}(?:トークン)?を?{digit or '[1-9]'}[つ個]?|{digit}{noun}"


def first_sentence(entry: Entry, language: str) -> str:
    """Return the first sentence of an entry on a single line, without costs."""
    paragraph = entry.text[language].split("\n\n")[0]
    text = "".join(paragraph.split()) if language == "ja" else " ".join(paragraph.split())
    sentence = re.split(r"(?<=。)" if language == "ja" else r"(?<=\.)\s+(?=[A-Z])", text)[0]
    return re.sub(COSTS[language], "", sentence)


def test_table_has_every_card_that_is_played_once() -> None:
    played = [
        card.name
        for card in games.load().cards.values()
        if PLAYED_TYPES & set(card.types) and not card.pile and card.name not in PILES_OF_DECKS
    ]
    assert sorted(row["name"] for row in GIVES) == sorted(played)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_first_sentence_of_a_card_says_everything_that_playing_it_gives(language: str) -> None:
    entries = {entry.title["en"]: entry for entry in open_index().entries("dominion")}
    build_pattern = build_japanese_pattern if language == "ja" else build_english_pattern
    missing = {}
    for row in GIVES:
        sentence = first_sentence(entries[row["name"]], language)
        things = [
            f"{thing} {amount}"
            for thing, amount in row.items()
            if thing != "name" and amount and not re.search(build_pattern(thing, amount), sentence)
        ]
        if things:
            missing[row["name"]] = (things, sentence)
    assert missing == {}
