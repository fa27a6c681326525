"""Tests of choices given wishes: against all deals of random games that meet the wishes."""

import json
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.table import Table
from randomizer.deal.wishes.bounds import get_upper_bounds
from randomizer.odds.probabilities import DealOdds, Probability
from tests.odds.test_following import iterate_deals, make_up_game
from tests.odds.test_given import Case, used
from tests.odds.test_odds import NESTED, build_game, names
from tests.support import EXAMPLE_FACTOR, run
from tests.support.wish_texts import WishTexts

CASES = {
    "a dish": Case(WishTexts(with_=("soup",)), lambda used: "Soup" in used),
    "a type": Case(WishTexts(want=("cake or pie=1",)), lambda used: len(used & {"Cake", "Pie"}) == 1),
    "no guest": Case(WishTexts(want=("hare=0",)), lambda used: "Hare" not in used),
    "few sweet": Case(WishTexts(want=("sweet=-1",)), lambda used: True),
    "few that cost $3": Case(WishTexts(want=("cost:3=-1",)), lambda used: True),
    "no plain ones if": Case(WishTexts(want=("plain=0 if hare", "cost:2=-2")), lambda used: True),
    "if": Case(WishTexts(want=("cake if hare",)), lambda used: "Cake" in used or "Hare" not in used),
    "weights": Case(
        WishTexts(want=("soup or cake",), weight=("cake=3", "hare=0.5")),
        lambda used: bool(used & {"Soup", "Cake"}),
        {"Cake": Fraction(3), "Hare": Fraction(1, 2)},
    ),
}


def compute_weight_ratio(table: Table, game: Game, weights: Mapping[str, Fraction]) -> Fraction:
    """Return the probability of the cards turned up with weights, relative to that without."""
    left = names(game, "dish", "guest")
    times = Fraction(1)
    for turned in table.turned:
        among = sum((weights.get(name, Fraction(1)) for name in left), Fraction(0))
        times *= weights.get(turned.card.name, Fraction(1)) * len(left) / among
        left.remove(turned.card.name)
    return times


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize(
    "number", [0, 3, 8, 12, 23, 46, 110, 239, 266] if EXAMPLE_FACTOR > 1 else [0, 12, 110, 239, 266]
)
def test_odds_given_wishes_equal_the_enumeration_of_random_games(
    number: int, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = build_game(tmp_path, *make_up_game(number))
    plain = Request(("tea",), 2, "x", {"most": 1})
    asked = plain._replace(wishes=case.wishes.parse(game))
    truth = dict.fromkeys([*game.cards, *game.order], Fraction(0))
    holding = Fraction(0)
    for chance, table in iterate_deals(game, asked, monkeypatch):
        share = chance * compute_weight_ratio(table, game, case.weights)
        bounds = get_upper_bounds(game, asked)
        exceeded = bounds and bounds.find_exceeded(bounds.collect_counted_cards(table))
        if case.met(used(table)) and not exceeded:
            holding += share
            for name in {*table.in_use(), *table.slots, *(missing.slot for missing in table.missing)}:
                truth[name] += share
    odds = DealOdds(game, asked)
    assert odds.wishes_probability == holding
    if not holding:
        return
    for name, probability in truth.items():
        told = (
            odds.compute_on_table_probability(name)
            if name in game.cards
            else odds.compute_needed_probability(name)
        )
        assert told == Probability(probability / holding), name
    limited = DealOdds(game, asked, 20)  # a probability with omissions is a lower bound
    for name in game.cards:
        found, exact = limited.compute_on_table_probability(name), truth[name] / holding
        assert found.exact == exact or (found.left_out and found.exact < exact), name


def test_choices_given_wishes_beyond_the_work_limit_are_left_out(tmp_path: Path) -> None:
    """Bread may be chosen for Cake and Tart. Given Cake, it is turned up in one of four deals."""
    game = build_game(tmp_path, NESTED, "Side, Wish, Shelter, Top")
    asked = Request(("tea",), 2, "x", wishes=WishTexts(with_=("cake",)).parse(game))
    assert DealOdds(game, asked).compute_on_table_probability("Bread").left_out == ()
    chance = DealOdds(game, asked, 10).compute_on_table_probability("Bread")
    assert chance.exact == Fraction(1, 4)
    assert {"Side", "Shelter"} <= set(chance.left_out)


def test_command_includes_a_choice_given_wishes() -> None:
    """Nine of 25 other cards are turned up. The Bane is one of the seven candidates that are not."""
    turned_up = Fraction(9, 25)
    bane = sum(
        Fraction(comb(6, others) * comb(18, 9 - others), comb(25, 9) * (7 - others)) for others in range(7)
    )
    args = ["--sets", "cornucopia-guilds", "--with", "young witch", "hamlet", "--json"]
    there = json.loads(run("odds", *args).stdout)["cards"][0]
    assert Fraction(there["turned_up"]["exact"]) == turned_up
    assert (Fraction(there["on_table"]["exact"]), there["on_table"]["left_out"]) == (turned_up + bane, [])
