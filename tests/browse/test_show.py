"""What the page of a card says about setup."""

from collections.abc import Sequence

import pytest

from randomizer.browse.show import describe_setup
from randomizer.cards.game import Game
from randomizer.text.language import Language

WISPS = "  12 Will-o'-Wisp, for Boons, The Swamp's Gift"
BOONS = "  12 Boons, shuffled, face down"
HEXES = "  12 Hexes, shuffled, face down"
DELUDED = "  6 Deluded/Envious, for Hexes, Delusion, Envy"
MISERABLE = "  6 Miserable/Twice Miserable, for Hexes, Misery"


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Druid", [WISPS, BOONS, "  Boons: cards of the deck, face up, 3 cards"]),
        ("Fool", [WISPS, BOONS, "  1 Lost in the Woods", "  1 Lucky Coin"]),
        ("Vampire", ["  10 Bat", HEXES, DELUDED, MISERABLE]),
        ("Leprechaun", ["  12 Wish", HEXES, DELUDED, MISERABLE]),
        ("Necromancer", [f"  1 Zombie {name}, into the trash" for name in ("Apprentice", "Mason", "Spy")]),
        ("Riverboat", ["  Riverboat: a single unused Kingdom card, set aside, Action, not Duration, $5"]),
        ("Black Market", ["  Black Market deck: unused cards, as a deck, 15 cards"]),
    ],
)
def test_page_of_a_card_lists_everything_that_it_brings(
    game: Game, languages: Sequence[Language], name: str, lines: list[str]
) -> None:
    heading, *found = describe_setup(game.cards[name], game, languages, languages[0])
    assert heading == "At setup, with 2 players:" and found == lines
