"""Boxes picked at random, given wishes."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.growing import find_turn_up
from randomizer.deal.unused import RandomSource
from randomizer.deal.wishes import boxes
from randomizer.text.errors import BadOptions
from tests.support.wish_texts import WishTexts

Shares = dict[tuple[str, ...], Fraction]  # by choice of boxes
FOUR = ("base-2e", "intrigue-2e", "adventures", "plunder")


def request(game: Game, chosen: tuple[str, ...], count: int, seed: str = "x", **wishes: Any) -> Request:
    return Request(chosen, 2, seed, wishes=WishTexts(box_count=count, **wishes).parse(game))


@pytest.mark.parametrize(
    "wishes",
    [
        {"want": ("treasure=2-", "village")},
        {"want": ("event=1-", "attack=1-")},
        {"want": ("attack=0", "defence if attack", "event=1-")},
        {"with_": ("moat",), "want": ("treasure=1-2",)},
        {"want": ("treasure=1-",), "weight": ("treasure=3",)},
    ],
)
def test_bound_is_at_least_the_probability(game: Game, wishes: Mapping[str, Any]) -> None:
    rules, asked = find_turn_up(game.opening), request(game, FOUR, 2, **wishes)
    bounds = boxes._compute_upper_bounds(game, asked, rules, combinations(FOUR, 2))
    assert len(bounds) == 6
    for chosen, bound in bounds.items():
        exact = boxes.compute_probability(game, asked._replace(chosen=chosen), rules)
        assert 0 <= exact <= bound <= 1


def test_bound_without_landscapes_is_exact(game: Game) -> None:
    rules = find_turn_up(game.opening)
    asked = request(game, ("base-2e", "intrigue-2e", "seaside-2e"), 2, want=("treasure=1", "attack=2-"))
    for chosen, bound in boxes._compute_upper_bounds(
        game, asked, rules, combinations(asked.chosen, 2)
    ).items():
        assert bound == boxes.compute_probability(game, asked._replace(chosen=chosen), rules) > 0


def test_drawing_by_bounds_has_the_exact_distribution() -> None:
    """The share of each choice is proportional to its probability, whatever the bounds are."""
    probabilities: Shares = {
        ("a",): Fraction(1, 50),
        ("b",): Fraction(1, 10),
        ("c",): Fraction(0),
        ("d",): Fraction(1, 25),
    }
    bounds: Shares = {
        ("a",): Fraction(1),
        ("b",): Fraction(1, 10),
        ("c",): Fraction(1, 2),
        ("d",): Fraction(1, 5),
    }
    drawn = Counter(
        boxes._draw_by_upper_bounds(
            bounds, probabilities.__getitem__, RandomSource(str(seed), "boxes").randbelow
        )
        for seed in range(4000)
    )
    total = sum(probabilities.values())
    expected = {choice: 4000 * float(share / total) for choice, share in probabilities.items() if share}
    assert drawn.keys() == expected.keys()
    assert sum((drawn[choice] - count) ** 2 / count for choice, count in expected.items()) < 14  # p = 0.001


def test_drawing_by_bounds_stops_if_no_choice_is_possible() -> None:
    bounds: Shares = {("a",): Fraction(1), ("b",): Fraction(1, 2)}
    assert (
        boxes._draw_by_upper_bounds(bounds, lambda _: Fraction(0), RandomSource("x", "boxes").randbelow)
        is None
    )


def test_rare_wish_finds_boxes_that_can_meet_it(game: Game) -> None:
    """Fewer than one choice in thousands has a noticeable probability of eight Treasures."""
    chosen = tuple(slug for slug in game.boxes if slug in list_box_slugs(game, newest=True))
    first = deal_table(game, request(game, chosen, 5, want=("treasure=8-",)))
    again = deal_table(game, request(game, chosen, 5, want=("treasure=8-",)))
    assert len(first.chosen) == 5 and first.chosen == again.chosen
    assert [card.name for card in first.turned_up] == [card.name for card in again.turned_up]


def test_wish_that_no_boxes_can_meet_is_refused(game: Game) -> None:
    chosen = tuple(slug for slug in game.boxes if slug in list_box_slugs(game, newest=True))
    with pytest.raises(BadOptions, match="--of 3: found no 3 boxes that can meet the wishes"):
        deal_table(game, request(game, chosen, 3, want=("attack=9-", "duration=9-", "treasure=9-")))
