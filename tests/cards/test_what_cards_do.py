"""What the cards do (`does:`), against a table of its own, and against what their types and piles say.

Every card was read against the definitions of `does:` (texts: dominiontabs, pydominion, wiki). The column
`departs` of tests/facts/does.csv says where and why a card departs from the tags that were gathered first.
"""

import pytest

from randomizer.cards.game import Game
from randomizer.cards.model import Card
from tests.support import facts

ROWS = facts("does")


def test_a_card_does_what_the_table_says(game: Game) -> None:
    does = {row["name"]: list(game.cards[row["name"]].does) for row in ROWS}
    assert does == {row["name"]: row["does"].split() for row in ROWS}


def test_every_card_has_been_read(game: Game) -> None:
    assert sorted(row["name"] for row in ROWS) == sorted(game.cards)


def test_the_words_stand_in_one_order(game: Game) -> None:
    order = list(game.does)
    for card in game.cards.values():
        assert sorted(card.does, key=order.index) == list(card.does), card.name


@pytest.mark.parametrize(
    ("word", "follows"),
    [("trashing", "thinning"), ("cursing", "junking"), ("immunity", "defence")],
)
def test_one_word_follows_from_another(game: Game, word: str, follows: str) -> None:
    cards = [card for card in game.cards.values() if word in card.does]
    assert cards and [card.name for card in cards if follows not in card.does] == []


def test_a_pile_does_what_its_cards_do(game: Game) -> None:
    """All of them together, but a cantrip has to be on top; a shuffled pile is luck, and says nothing."""
    piles = [card for card in game.cards.values() if card.pile and game.kinds[card.kind].place == "kingdom"]
    assert len(piles) > 12
    for pile in piles:
        members = [game.cards[name] for name, _ in pile.pile]
        together = {word for member in members for word in member.does}
        if "cantrip" not in members[0].does:
            together.discard("cantrip")
        assert set(pile.does) == (set() if pile.shuffled else together), pile.name


def test_a_line_does_what_its_cards_do(game: Game) -> None:
    """A Traveller and those that it is exchanged for, one after the other."""
    for first, line in {
        "Page": ["Treasure Hunter", "Warrior", "Hero", "Champion"],
        "Peasant": ["Soldier", "Fugitive", "Disciple", "Teacher"],
    }.items():
        together = {word for name in line for word in game.cards[name].does} - {"cantrip"}
        assert together <= set(game.cards[first].does)


def _counts(card: Card) -> bool:
    """Whether it gives points: a Victory card of the Kingdom, or a Landmark."""
    return card.kind == "landmark" or ("Victory" in card.types and card.kind in ("kingdom", "split-member"))


def test_points_coins_and_tokens_agree_with_types_and_setup(game: Game) -> None:
    """A Landmark counts; no Treasure says coins; whoever needs VP tokens or a Coffers mat gives them."""
    for card in game.cards.values():
        setup = str(game.setup.get(card.name, ()))
        if _counts(card) or "VP tokens" in setup:
            assert "points" in card.does, card.name
        if "Treasure" in card.types:
            assert "coins" not in card.does, card.name
    coffers = [name for name in game.cards if "Coffers mat" in str(game.setup.get(name, ()))]
    assert {name for name in coffers if "coins" not in game.cards[name].does} == {"Huge Turnip"}  # a Treasure


def test_every_word_is_used_and_explained(game: Game) -> None:
    used = {word for card in game.cards.values() for word in card.does}
    assert used == set(game.does) and all(game.does.values())


# Of the cards that promise a card and an Action, those that give the card without the words: they put it into
# the hand from elsewhere, or draw it as all do that are passed over.
FETCHED = {
    *("Scrying Pool", "Farming Village", "Sage", "Advisor", "Archive", "Chariot Race", "Border Guard"),
    *("Hunter", "Sorceress", "Miller"),
}


def test_a_cantrip_gives_an_action_and_mostly_a_card(game: Game) -> None:
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
        ("Knights", set()),  # shuffled
        ("Barracks", {"plus-action"}),
        ("Shy", {"plus-card"}),
    ],
)
def test_an_action_and_a_card_more(game: Game, name: str, words: set[str]) -> None:
    assert {*game.cards[name].does} & {"plus-action", "plus-card"} == words


def test_ready_made_wishes_are_in_these_words(game: Game) -> None:
    for wishes in game.wishes.values():
        words = {word for wish in wishes for word in wish.split()} - {"or", "and", "not"}
        assert words <= set(game.does)
