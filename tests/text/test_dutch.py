"""The Dutch names and phrases use the terms of the printed cards.

Sources in `tests/facts/terms-nl.csv`: `tabs` is the list of names of dominiontabs, `tabs-text` words that are
in the Dutch texts of the cards there, `kc` KingdomCreator, and `own` this project's choice.
"""

import re
from pathlib import Path

from randomizer.cards.game import Game
from randomizer.load import languages, paths
from tests.support import read_facts


def test_dutch_words_are_those_of_the_table_of_terms(game: Game) -> None:
    """The table gives their sources."""
    dutch = languages.load("nl", game)
    words = {**dutch.types, **dutch.phrases}
    rows = read_facts("terms-nl")
    assert {row["slug"]: row["dutch"] for row in rows if row["kind"] == "set"}.items() <= dutch.sets.items()
    assert set(dutch.types) <= {row["english"] for row in rows if row["kind"] == "type"}
    different = [
        (row["english"], words[row["english"]])
        for row in rows
        if row["english"] in words and words[row["english"]].casefold() != row["dutch"].casefold()
    ]
    assert different == []


def test_head_of_the_file_counts_the_names(game: Game) -> None:
    text = (Path(paths.data_folder()) / "names.nl.yaml").read_text(encoding="utf-8")
    head = text.partition("language:")[0]
    names = languages.load_card_names("nl", game)
    same_count = sum(card == named.name for card, named in names.items())
    total = len(game.cards)
    assert re.findall(r"(\d+) of the (\d+) names", head) == [(str(total - len(names)), str(total))]
    assert re.findall(r"(\d+) names are the same as in English", head) == [str(same_count)]
