"""Tests of the odds given wishes: exact comparison with all deals of small games."""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import lcm
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.load.gamefile import read_game
from randomizer.odds.probabilities import DealOdds, Probability
from randomizer.text.errors import BadOptions
from tests.odds.test_odds import LANDSCAPES, NESTED, build_game, names
from tests.support import run
from tests.support.wish_texts import WishTexts

Dealt = Sequence[tuple[tuple[str, ...], Table]]
Distribution = Sequence[tuple[Table, int]]  # tables with integer weights


class Case(NamedTuple):
    """Wishes, and a function that tells whether a table with these used cards meets them."""

    wishes: WishTexts
    met: Callable[[set[str]], bool] = lambda used: True
    weights: Mapping[str, Fraction] = {}


APART = [(cost, sort) for cost in (2, 3, 4, 5) for sort in ("attack", "cantrip", "draw", "not action")]
LANDSCAPE_NAMES = {"Hatter", "Hare", "Waltz", "Jig"}
CASES = {
    "a dish": Case(WishTexts(with_=("pie",)), lambda used: "Pie" in used),
    "a guest": Case(WishTexts(with_=("hare",)), lambda used: "Hare" in used),
    "a dish and a dance": Case(WishTexts(with_=("soup", "jig")), lambda used: {"Soup", "Jig"} <= used),
    "a type": Case(WishTexts(want=("sweet=1",)), lambda used: len(used & {"Cake", "Pie"}) == 1),
    "a cost": Case(WishTexts(want=("cost:3-4=2",)), lambda used: {"Cake", "Pie"} <= used),
    "no dance": Case(WishTexts(want=("dance=0",)), lambda used: not used & {"Waltz", "Jig"}),
    "two landscapes": Case(WishTexts(want=("landscape=2",)), lambda used: len(used & LANDSCAPE_NAMES) == 2),
    "if": Case(
        WishTexts(want=("plain if guest",)), lambda used: "Soup" in used or not used & {"Hatter", "Hare"}
    ),
    "names and not": Case(
        WishTexts(want=("soup or dance and not jig",)), lambda used: bool(used & {"Soup", "Waltz"})
    ),
    "several": Case(
        WishTexts(want=("guest=-1", "sweet")),
        lambda used: len(used & {"Hatter", "Hare"}) < 2 and bool(used & {"Cake", "Pie"}),
    ),
    "weights": Case(
        WishTexts(weight=("sweet=2", "cake or dance=0.5")),
        weights={"Cake": Fraction(1), "Pie": Fraction(2), "Waltz": Fraction(1, 2), "Jig": Fraction(1, 2)},
    ),
    "weights and wishes": Case(
        WishTexts(want=("sweet=1",), weight=("pie=3", "guest=2")),
        lambda used: len(used & {"Cake", "Pie"}) == 1,
        {"Pie": Fraction(3), "Hare": Fraction(2), "Hatter": Fraction(2)},
    ),
}


def dealt(game: Game, settings: Mapping[str, Any]) -> Dealt:
    """Return all orders of the deck, each with its table."""
    request = Request(("tea",), 2, "x", settings)
    return [
        (order, deal_table(game, request, {"randomizers": order}))
        for order in permutations(names(game, "dish", "guest", "dance"))
    ]


def weigh_tables(every: Dealt, weights: Mapping[str, Fraction]) -> Distribution:
    """Return the tables, each with an integer weight proportional to its probability."""
    if not weights:
        return [(table, 1) for _, table in every]
    law = []
    for order, table in every:
        chance, left = Fraction(1), sum(weights.get(name, Fraction(1)) for name in order)
        for name in order:
            weight = weights.get(name, Fraction(1))
            chance, left = chance * weight / left, left - weight
        law.append((table, chance))
    deals = lcm(*(chance.denominator for _, chance in law))
    return [(table, int(chance * deals)) for table, chance in law]


def used(table: Table) -> set[str]:
    return {turned.card.name for turned in table.turned if turned.use != "skipped"}


def get_kinds(table: Table) -> set[str]:
    return {card.kind for card in table.landscapes.values()}


def probability_of(law: Distribution, holds: Callable[[Table], bool]) -> Fraction:
    """Return the probability of the tables that satisfy a condition."""
    return Fraction(sum(often for table, often in law if holds(table)), sum(often for _, often in law))


@pytest.fixture(scope="module", params=["first", "last"])
def looking(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Dealt]:
    """A game in which the first or the last card decides, and all its deals."""
    folder = tmp_path_factory.mktemp("looking")
    game = build_game(folder, LANDSCAPES)
    if request.param == "first":
        file = folder / "tea.yaml"
        text = file.read_text(encoding="utf-8").replace("card: last", "card: first")
        file.write_text(text, encoding="utf-8")
        game = read_game([str(file)])
    return game, dealt(game, {})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_odds_given_wishes_equal_the_enumeration(looking: tuple[Game, Dealt], case: Case) -> None:
    game, tables = looking
    every = weigh_tables(tables, case.weights)
    law = [(table, often) for table, often in every if case.met(used(table))]
    odds = DealOdds(game, Request(("tea",), 2, "x", wishes=case.wishes.parse(game)))
    assert odds.is_conditional
    assert odds.wishes_probability == probability_of(every, lambda table: case.met(used(table)))
    for count, probability in enumerate(odds.compute_landscape_count_distribution()):
        truth = probability_of(law, lambda table, count=count: len(table.landscapes) == count)  # type: ignore[misc]
        assert probability == truth
    for kind, probability in odds.compute_landscape_kind_probabilities().items():
        truth = probability_of(law, lambda table, kind=kind: kind in get_kinds(table))  # type: ignore[misc]
        assert probability == truth
    assert odds.compute_decision_probabilities() == {
        "Party": probability_of(law, lambda table: table.decisions[0].answer)
    }
    for name in names(game, "dish", "guest", "dance"):
        truth = probability_of(law, lambda table, name=name: name in used(table))  # type: ignore[misc]
        assert odds.compute_turned_up_probability(game.cards[name]) == truth
    assert odds.compute_on_table_probability("Spoon") == Probability(
        probability_of(law, lambda table: "Spoon" in table.in_use())
    )


def test_each_wish_has_a_probability_of_its_own(tmp_path: Path) -> None:
    """Two of three dishes are turned up, so one of three deals has both sweet ones."""
    game = build_game(tmp_path, LANDSCAPES)
    wishes = WishTexts(with_=("cake",), want=("sweet=1", "sweet=2"))
    odds = DealOdds(game, Request(("tea",), 2, "x", wishes=wishes.parse(game)))
    assert odds.is_conditional
    with pytest.raises(BadOptions, match="sweet=2 conflicts with sweet=1"):
        odds.require_possible()
    odds = DealOdds(game, Request(("tea",), 2, "x", wishes=wishes._replace(want=("sweet=1",)).parse(game)))
    assert odds.is_conditional
    assert odds.probability_by_wish == {"--with Cake": Fraction(2, 3), "sweet=1": Fraction(2, 3)}
    assert odds.wishes_probability == Fraction(1, 3)


def test_random_card_decides_given_a_wish(tmp_path: Path) -> None:
    game = build_game(tmp_path, LANDSCAPES)
    request = Request(
        ("tea",), 2, "x", {"party_by": "random-card"}, wishes=WishTexts(with_=("soup",)).parse(game)
    )
    assert DealOdds(game, request).compute_decision_probabilities() == {"Party": Fraction(1, 2)}


def test_bans_without_wishes_need_no_conditional_odds(tmp_path: Path) -> None:
    """Two of the three remaining dishes are turned up; Soup's choice can take only Pie or Cake."""
    game = build_game(tmp_path, NESTED, "Side, Wish, Shelter, Top")
    odds = DealOdds(game, Request(("tea",), 2, "x", wishes=WishTexts(without=("tart or bread",)).parse(game)))
    assert not odds.is_conditional
    assert odds.compute_on_table_probability("Tart") == Probability(Fraction(0))
    assert odds.compute_turned_up_probability(odds.kingdom[0]) == Fraction(2, 3)
    assert (
        odds.compute_on_table_probability("Pie").exact == 1
    )  # turned up, or the only one that Soup or Cake leads to


def test_command_prints_the_odds_given_wishes() -> None:
    """One of ten cards is given, so the others are nine of 25."""
    said = json.loads(run("odds", "--sets", "base", "--with", "Witch", "Chapel,Witch", "--json").stdout)
    assert said["options"] == {"with": ["witch"]}
    assert said["wishes"]["all"]["exact"] == "5/13"
    assert [card["turned_up"]["exact"] for card in said["cards"]] == ["9/25", "1"]
    assert {entry["exact"] for entry in said["kingdom_groups"]} == {"9/25", "1"}
    told = run("odds", "--sets", "base", "--want", "attack=0", "Chapel").stdout
    assert "attack=0" in told and "each of the 22 Kingdom cards" in told


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--want", "attack=11"], "4 cards match attack"),
        (["--with", "Page"], "in Adventures"),
        (
            [f"--weight=cost:{cost} and {sort}={weight}" for weight, (cost, sort) in enumerate(APART, 2)],
            "the weights divide the cards into 12 groups",
        ),
    ],
)
def test_impossible_or_too_many_wishes_are_an_error(args: Sequence[str], said: str) -> None:
    result = run("odds", "--sets", "base", *args)
    assert result.exit_code == 2 and said in result.stderr


def test_work_limit_reached_while_building_the_document_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: DealOdds) -> list[Fraction]:
        raise WorkLimitExceeded

    monkeypatch.setattr(DealOdds, "compute_landscape_count_distribution", fail)
    result = run("odds", "--want", "attack")
    assert result.exit_code == 2 and "too many wishes or weights" in result.stderr


def test_odds_with_too_few_cards_for_a_choice_are_refused() -> None:
    """Too many kingdoms would have to be followed to tell in which ones the Army finds no suitable card."""
    sets = "base,cornucopia-guilds,rising-sun"
    result = run("odds", "--sets", sets, "--want", "cost:5+=-2")
    assert result.exit_code == 2
    assert "so few cards can be chosen for Approaching Army" in result.stderr


def test_maximum_concerns_the_odds_of_chosen_cards() -> None:
    """With no Attack, Approaching Army can't be the Prophecy, and no Attack can be the Bane."""
    said = json.loads(
        run(
            *("odds", "--sets", "base,rising-sun", "--want", "attack=0", "--json"),
            "Approaching Army,Great Leader,Militia",
        ).stdout
    )
    army, leader, militia = said["cards"]
    assert army["on_table"]["exact"] == militia["on_table"]["exact"] == "0"
    assert leader["on_table"]["percent"] > 0 and leader["on_table"]["left_out"] == []
