"""The words of a language are those of its printed cards."""

from randomizer.cards.game import Game
from randomizer.load import languages
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
