"""Comparison of the words for what cards do (`does:`) with a table, and with types and piles.

The words come from reading every card (texts: dominiontabs, pydominion, wiki). The column `departs` of
tests/facts/does.csv explains where they differ from the tags that were collected first.
"""

import pytest

from randomizer.cards.game import Game
from randomizer.cards.model import Card
from tests.support import read_facts
from tests.support.wish_texts import WishTexts

ROWS = read_facts("does")


def test_words_of_each_card_equal_the_table(game: Game) -> None:
    does = {row["name"]: list(game.cards[row["name"]].does) for row in ROWS}
    assert does == {row["name"]: row["does"].split() for row in ROWS}


def test_table_lists_every_card(game: Game) -> None:
    assert sorted(row["name"] for row in ROWS) == sorted(game.cards)


def test_words_of_each_card_have_the_order_of_the_data(game: Game) -> None:
    order = list(game.does)
    for card in game.cards.values():
        assert sorted(card.does, key=order.index) == list(card.does), card.name


@pytest.mark.parametrize(
    ("word", "follows"),
    [("trashing", "thinning"), ("cursing", "junking"), ("immunity", "defence")],
)
def test_word_implies_another_word(game: Game, word: str, follows: str) -> None:
    cards = [card for card in game.cards.values() if word in card.does]
    assert cards and [card.name for card in cards if follows not in card.does] == []


def test_mixed_pile_has_the_words_of_its_members(game: Game) -> None:
    """A ban or wish for a word therefore never misses a card of a mixed pile, in the Kingdom or elsewhere."""
    piles = [card for card in game.cards.values() if card.pile]
    assert len(piles) > 20
    for pile in piles:
        together = {word for name, _ in pile.pile for word in game.cards[name].does}
        assert together <= set(pile.does), pile.name
        if game.kinds[pile.kind].place == "kingdom":
            assert together == set(pile.does), pile.name


def test_traveller_has_the_words_of_its_line(game: Game) -> None:
    """A Traveller has the words of the cards for which it is exchanged."""
    for first, line in {
        "Page": ["Treasure Hunter", "Warrior", "Hero", "Champion"],
        "Peasant": ["Soldier", "Fugitive", "Disciple", "Teacher"],
    }.items():
        together = {word for name in line for word in game.cards[name].does} - {"cantrip"}
        assert together <= set(game.cards[first].does)


def _scores(card: Card) -> bool:
    """Return whether a card gives points by its type: a Victory card of the Kingdom, or a Landmark."""
    return card.kind == "landmark" or ("Victory" in card.types and card.kind in ("kingdom", "split-member"))


def test_points_and_coins_agree_with_types_and_setup(game: Game) -> None:
    """Scoring cards give points, Treasures have no word for coins, and a Coffers mat gives coins."""
    for card in game.cards.values():
        setup = str(game.setup.get(card.name, ()))
        if _scores(card) or "VP tokens" in setup:
            assert "points" in card.does, card.name
        if "Treasure" in card.types:
            assert "coins" not in card.does, card.name
    coffers = [name for name in game.cards if "Coffers mat" in str(game.setup.get(name, ()))]
    assert {name for name in coffers if "coins" not in game.cards[name].does} == {"Huge Turnip"}  # a Treasure


def test_every_word_is_used_and_explained(game: Game) -> None:
    used = {word for card in game.cards.values() for word in card.does}
    assert used == set(game.does) and all(game.does.values())


# Cantrips without the words "+1 Card": they put a card into the hand in another way.
FETCHED = {
    *("Scrying Pool", "Farming Village", "Sage", "Advisor", "Archive", "Chariot Race", "Border Guard"),
    *("Hunter", "Sorceress", "Miller"),
}


def test_cantrips_give_an_action_and_usually_a_card(game: Game) -> None:
    cantrips = {card.name: card for card in game.cards.values() if "cantrip" in card.does}
    assert [name for name, card in cantrips.items() if "plus-action" not in card.does] == []
    assert {name for name, card in cantrips.items() if "plus-card" not in card.does} == FETCHED


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Village", {"plus-action", "plus-card"}),
        ("Smithy", {"plus-card"}),
        ("Festival", {"plus-action"}),
        ("Chapel", set()),
        ("Pawn", {"plus-action", "plus-card"}),  # by choice
        ("Tactician", {"plus-action", "plus-card"}),  # later
        ("Enchantress", {"plus-card"}),  # the Action is for others
        ("Library", set()),  # draws up to a number
        ("Lackeys", {"plus-card"}),  # a Villager is not yet an Action
        ("Hermit", {"plus-action", "plus-card"}),  # by the card that comes of it
        ("Encampment/Plunder", {"plus-action", "plus-card"}),
        ("Knights", {"plus-action", "plus-card"}),  # by some of its cards
        ("Barracks", {"plus-action"}),
        ("Shy", {"plus-card"}),
    ],
)
def test_words_for_plus_action_and_plus_card(game: Game, name: str, words: set[str]) -> None:
    assert {*game.cards[name].does} & {"plus-action", "plus-card"} == words


def test_named_wishes_use_only_known_words(game: Game) -> None:
    for name, texts in game.wishes.items():
        assert len(WishTexts(want=(name,)).parse(game).wants) == len(texts)
