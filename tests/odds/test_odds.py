"""Tests of the odds: exact comparison with all deals of small games; and the printed output."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path
from typing import Any

import pytest

from randomizer import compute_odds, deal_setup
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.load.gamefile import read_game
from randomizer.odds.probabilities import DealOdds, Probability
from randomizer.odds.report import format_percent
from tests.cli.test_cli import count_columns
from tests.support import run

GAME = """
game: tea
title: Tea Party
players: {least: 1, most: 4}
kinds:
  dish: {is: pile, place: kingdom}
  part: {is: member}
  rest: {is: pile, place: beside}
  guest: {is: landscape, title: Guests}
  dance: {is: landscape, title: Dances}
  wish: {is: landscape, title: Wishes}
sets: {tea: Tea}
options: {most: {help: Landscapes.}, dances: {help: Dances., within: most}, party: {help: A party.}}
opening:
  - turn_up: {is: {kind: dish}, count: 2, landscapes: {kind: [guest, dance]},
              most: {option: most, default: 2}, limits: {dance: {option: dances, default: 1}}}
  - decide: {question: party, title: Party, option: party, card: last, is: {type: Sweet}, then: {put: Candle}}
order: [%s]
cards:
  - {name: Candle, set: tea, kind: rest, cost: 0, types: [Thing]}
  - {name: Spoon, set: tea, kind: rest, cost: 0, types: [Thing]}
%s
"""
LANDSCAPES = """
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet]}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain]}
  - {name: Pie, set: tea, kind: dish, cost: 4, types: [Sweet]}
  - {name: Hatter, set: tea, kind: guest, types: [Guest]}
  - {name: Hare, set: tea, kind: guest, types: [Guest], setup: {put: Spoon}}
  - {name: Waltz, set: tea, kind: dance, types: [Dance]}
  - {name: Jig, set: tea, kind: dance, types: [Dance], setup: {put: Spoon}}
"""
# Cake triggers a choice that may take Soup, which triggers a choice that may take Cake, and so on.
NESTED = """
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet],
     setup: {deal: {is: {kind: dish, cost: [2, 3]}, to: beside, as: Side}}}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain],
     setup: {deal: {is: {kind: dish, cost: [3, 4]}, to: beside, as: Top}}}
  - {name: Pie, set: tea, kind: dish, cost: 4, types: [Sweet], setup: {put: Spoon}}
  - {name: Tart, set: tea, kind: dish, cost: 3, types: [Sweet],
     setup: {deal: {is: {kind: wish}, to: landscapes, as: Wish}}}
  - {name: Bread, set: tea, kind: dish, cost: 2, types: [Plain]}
  - {name: Luck, set: tea, kind: wish, types: [Wish]}
  - {name: Rain, set: tea, kind: wish, types: [Wish],
     setup: {deal: {is: {kind: dish, type: Plain}, to: beside, as: Shelter}}}
"""
SINGLE = """
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet],
     setup: {deal: {is: {kind: dish, cost: [2]}, to: aside, as: Aside}}}
  - {name: Plate, set: tea, kind: dish, cost: 4, types: [Sweet], pile: {Crumb: 5, Raisin: 5, Nut: 5}}
  - {name: Crumb, set: tea, kind: part, cost: 2, types: [Sweet], setup: {put: Spoon}}
  - {name: Raisin, set: tea, kind: part, cost: 2, types: [Sweet]}
  - {name: Nut, set: tea, kind: part, cost: 3, types: [Sweet]}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain]}
  - {name: Pie, set: tea, kind: dish, cost: 4, types: [Sweet]}
"""


def build_game(tmp_path: Path, cards: str, order: str = "") -> Game:
    file = tmp_path / "tea.yaml"
    file.write_text(GAME % (order, cards), encoding="utf-8")
    return read_game([str(file)])


def iterate_deals(
    game: Game,
    options: Request,
    orders: Mapping[str, Sequence[str]],
    fixed: Mapping[str, Sequence[str]] = {},
) -> Iterator[Table]:
    """Yield a table for every combination of orders of the cards of each question."""
    for deal in product(*(permutations(names) for names in orders.values())):
        yield deal_table(game, options, {**fixed, **dict(zip(orders, deal, strict=True))})


def names(game: Game, *kinds: str) -> list[str]:
    return [card.name for card in game.cards.values() if card.kind in kinds]


def compute_frequencies(tables: Iterable[Table], what: Any) -> Mapping[Any, Fraction]:
    """Return the relative frequency of each thing over all tables."""
    seen: Counter[Any] = Counter()
    total = 0
    for table in tables:
        total += 1
        seen.update(what(table))
    return {thing: Fraction(number, total) for thing, number in seen.items()}


@pytest.mark.parametrize("settings", [{}, {"most": 1}, {"most": 3, "dances": 2}, {"dances": 0}, {"most": 0}])
def test_landscape_odds_equal_the_enumeration(tmp_path: Path, settings: dict[str, int]) -> None:
    """Check the maximum, the limit of a kind, and cards that landscapes bring, over all 5040 orders."""
    game = build_game(tmp_path, LANDSCAPES)
    options = Request(("tea",), 2, "x", settings)
    odds = DealOdds(game, options)
    tables = list(iterate_deals(game, options, {"randomizers": names(game, "dish", "guest", "dance")}))
    used = compute_frequencies(tables, lambda table: [len(table.landscapes)])
    assert odds.compute_landscape_count_distribution() == [
        used.get(n, 0) for n in range(settings.get("most", 2) + 1)
    ]
    kinds = compute_frequencies(tables, lambda table: {card.kind for card in table.landscapes.values()})
    assert {
        kind: chance for kind, chance in odds.compute_landscape_kind_probabilities().items() if chance
    } == kinds
    out = compute_frequencies(tables, lambda table: set(table.in_use()))
    for card in ("Hare", "Jig", "Cake", "Spoon"):
        assert odds.compute_on_table_probability(card) == Probability(out.get(card, Fraction(0)))
    assert odds.compute_turned_up_probability(game.cards["Jig"]) == out.get("Jig", 0)


def test_odds_with_a_landscape_deck_equal_the_enumeration(tmp_path: Path) -> None:
    game = build_game(tmp_path, LANDSCAPES)
    options = Request(("tea",), 2, "x", {"landscapes_from": "deck"})
    odds = DealOdds(game, options)
    tables = list(iterate_deals(game, options, {"landscapes": names(game, "guest", "dance")}))
    assert odds.compute_landscape_count_distribution() == [0, 0, 1]
    kinds = compute_frequencies(tables, lambda table: {card.kind for card in table.landscapes.values()})
    assert odds.compute_landscape_kind_probabilities() == kinds
    out = compute_frequencies(tables, lambda table: set(table.in_use()))
    assert odds.compute_on_table_probability("Spoon") == Probability(out["Spoon"])


def test_decision_odds_equal_the_enumeration(tmp_path: Path) -> None:
    game = build_game(tmp_path, LANDSCAPES)
    options = Request(("tea",), 2, "x", {"most": 0})
    tables = list(iterate_deals(game, options, {"randomizers": names(game, "dish")}))
    expected = compute_frequencies(tables, lambda table: [d.title for d in table.decisions if d.answer])
    assert DealOdds(game, options).compute_decision_probabilities() == expected
    assert DealOdds(game, options).compute_on_table_probability("Candle") == Probability(expected["Party"])
    forced = Request(("tea",), 2, "x", {"party": True})
    assert DealOdds(game, forced).compute_decision_probabilities() == {"Party": 1}


def test_odds_of_nested_choices_equal_the_enumeration(tmp_path: Path) -> None:
    """Check choices that lead to each other and take cards from each other."""
    game = build_game(tmp_path, NESTED, "Side, Wish, Shelter, Top")
    options = Request(("tea",), 2, "x")
    dishes = names(game, "dish")
    orders = {
        "Side": ["Cake", "Tart", "Soup", "Bread"],
        "Top": ["Cake", "Tart", "Pie"],
        "Wish": ["Luck", "Rain"],
        "Shelter": ["Soup", "Bread"],
    }
    tables = [
        table
        for first, second in combinations(dishes, 2)  # in which order makes no difference
        for table in iterate_deals(game, options, orders, {"randomizers": (first, second)})
    ]
    out = compute_frequencies(tables, lambda table: set(table.in_use()))
    odds = DealOdds(game, options)
    for card in (*dishes, "Spoon", "Luck", "Rain"):
        assert odds.compute_on_table_probability(card) == Probability(out[card]), card
    asked = compute_frequencies(
        tables, lambda table: {*table.slots, *(missing.slot for missing in table.missing)}
    )
    for slot in orders:
        assert odds.compute_needed_probability(slot) == Probability(asked[slot]), slot


def test_choices_that_cannot_be_followed_are_left_out(tmp_path: Path) -> None:
    """Two choices with the same name are both left out, because only the first is made."""
    game = build_game(tmp_path, NESTED.replace("as: Shelter", "as: Side"), "Side, Wish, Top")
    chance = DealOdds(game, Request(("tea",), 2, "x")).compute_on_table_probability("Bread")
    assert "Side" in chance.left_out
    assert chance.exact < 1


def test_odds_of_single_cards_equal_the_enumeration(tmp_path: Path) -> None:
    """A single card of a mixed pile brings only its own cards."""
    game = build_game(tmp_path, SINGLE, "Aside")
    options = Request(("tea",), 2, "x")
    dishes = names(game, "dish")
    orders = {"randomizers": dishes, "Aside": dishes, "Aside\0Plate": ["Crumb", "Raisin"]}
    tables = list(iterate_deals(game, options, orders))
    out = compute_frequencies(tables, lambda table: set(table.in_use()))
    odds = DealOdds(game, options)
    for card in (*dishes, "Spoon", "Crumb", "Raisin", "Nut"):
        assert odds.compute_on_table_probability(card) == Probability(out[card]), card


def test_odds_of_the_base_set() -> None:
    """Compare with probabilities computed by hand, such as 10 of 26."""
    odds = json.loads(run("odds", "--sets", "base", "Chapel, Copper, Platinum", "--json").stdout)
    assert odds["landscapes_used"][0] == {"count": 0, "exact": "1", "percent": 100.0}
    assert [group["exact"] for group in odds["kingdom_groups"]] == ["5/13"]
    assert [card["on_table"]["exact"] for card in odds["cards"]] == ["5/13", "1", "0"]
    assert [card["turned_up"] and card["turned_up"]["exact"] for card in odds["cards"]] == [
        "5/13",
        None,
        None,
    ]


def test_decision_and_ally_odds_of_several_boxes() -> None:
    odds = json.loads(run("odds", "--sets", "base,prosperity,dark-ages", "--json").stdout)
    assert [decision["exact"] for decision in odds["decisions"]] == ["25/86", "35/86"]
    odds = json.loads(run("odds", "--sets", "allies", "--json").stdout)
    # An Ally is needed unless none of the 9 Liaisons is among ten of 31 cards.
    assert odds["needed"] == [
        {
            "choice": "Ally",
            "exact": str(1 - Fraction(comb(22, 10), comb(31, 10))),
            "percent": pytest.approx(98.542, abs=0.001),
            "left_out": [],
        }
    ]


def test_odds_with_extra_cards_equal_the_frequencies_of_deals(game: Game) -> None:
    """Every card is equally likely to be among all dealt cards; the landscapes are those without a veto."""
    odds = compute_odds(game, ["Witch", "Alms"], sets=["base", "adventures"], veto=3)
    plain = compute_odds(game, ["Alms"], sets=["base", "adventures"])
    (group,) = odds["kingdom_groups"]
    assert odds["veto"] == 3 and len(group["kingdom_cards"]) == 56 and group["exact"] == "13/56"
    assert odds["cards"][1]["turned_up"] == plain["cards"][0]["turned_up"]
    assert (odds["landscapes_used"], odds["kinds"]) == (plain["landscapes_used"], plain["kinds"])
    counts: Counter[str] = Counter()
    for seed in range(300):
        counts.update(deal_setup(game, sets=["base"], veto=3, seed=f"odds {seed}")["kingdom"])
    assert len(counts) == 26 and all(abs(count - 150) < 5 * (300 / 4) ** 0.5 for count in counts.values())


def test_odds_with_extra_cards_leave_out_what_the_vetoes_decide() -> None:
    shown = run("odds", "--sets", "base,prosperity,dark-ages", "--veto", "3", "Witch").stdout
    assert [line.split("  ")[0] for line in shown.splitlines()] == [
        "landscapes used: 0",
        "each of the 86 Kingdom cards",
        "Witch, drawn",
    ]
    of_two = json.loads(run("odds", "--sets", "base,seaside", "--of", "1", "--veto", "3", "--json").stdout)
    assert {group["exact"] for group in of_two["kingdom_groups"]} == {"1/4", "13/54"}


def test_odds_of_a_kingdom_to_be_like_are_those_of_its_wishes() -> None:
    odds = json.loads(run("odds", "--sets", "base", "--like", "first-game-2", "--json").stdout)
    setup = json.loads(run("--sets", "base", "--like", "first-game-2", "--json", "--no-keep").stdout)
    assert odds["options"]["want"] == setup["options"]["want"] and odds["options"]["want"]


def test_odds_are_printed_as_a_table() -> None:
    text = run("odds", "--sets", "adventures,promos", "Page, Envoy").stdout
    assert "at least one of: Events" in text
    assert "not counting cards that come through Black Market deck" in text
    assert "landscapes used: 2" in text
    japanese = run("odds", "--sets", "allies", "--lang", "ja").stdout
    assert "同盟が必要" in japanese
    assert len({count_columns(line.rstrip()) for line in japanese.splitlines()}) == 1


@pytest.mark.parametrize(
    ("exact", "expected"),
    [
        ("0", "0 %"),
        ("1", "100 %"),
        ("5/13", "38.46 %"),
        ("999999/1000000", ">99.99 %"),
        ("1/30000", "0.0033 %"),
    ],
)
def test_percentage_is_0_or_100_only_if_exact(exact: str, expected: str) -> None:
    assert format_percent({"exact": exact, "percent": float(100 * Fraction(exact))}) == expected


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["odds", "--game", "pergamemnon"], "no odds"),
        (["odds", "--sets", "envoy"], "10 are needed"),
        (["odds", "Wich"], "Witch"),
        (["odds", "--sets", "alchemy", "--landscapes-from", "deck"], "landscapes"),
        (["odds", "--seed", "x"], "--seed"),
        (["odds", "--sets", "base", "--veto", "17"], "27 are needed"),
        (["odds", "--veto", "2", "--want", "attack"], "type --veto 0."),
        (["odds", "--veto", "2", "--weight", "attack=2", "--lang", "ja"], "--veto 0 と指定"),
        (["odds", "--veto", "2", "Colony"], "with --veto, Colony has no odds"),
    ],
)
def test_invalid_request_is_an_error(args: list[str], expected: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert expected in result.stderr
    assert result.stderr.count("\n") <= 2
