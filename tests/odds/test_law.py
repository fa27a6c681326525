"""Property test: every card that comes out in a deal has a positive probability."""

import random
from fractions import Fraction

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.odds.probabilities import DealOdds

DEALS = 200  # of each of ten requests
SETTINGS: list[dict[str, int | bool | str]] = [
    {},
    {"landscapes": 4, "ways": 2},
    {"colony": True},
    {"landscapes_from": "deck"},
    {"shelters_by": "random-card"},
]


@pytest.mark.parametrize("number", range(10))
def test_cards_that_come_out_have_positive_odds(game: Game, number: int) -> None:
    """Check 200 deals of a random request, without promos, whose Black Market deck cannot be followed."""
    dice = random.Random(number)
    known = [slug for slug, box in game.boxes.items() if box.holds and not box.announced and slug != "promos"]
    chosen = ["adventures", *dice.sample(known, 2)]  # which has landscapes
    request = Request(
        tuple(slug for slug in game.boxes if slug in chosen),
        dice.randint(2, 6),
        "",
        SETTINGS[number % len(SETTINGS)],
    )
    odds = DealOdds(game, request)
    out: set[str] = set()
    for deal in range(DEALS):
        out.update(deal_table(game, request._replace(seed=f"{number} {deal}")).in_use())
    never = {name for name in out if odds.compute_on_table_probability(name).exact == Fraction(0)}
    assert len(out) > 60 and never == set()
