"""Tests of the odds with random boxes: exact comparison with all deals of all choices of boxes."""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.load.gamefile import read_game
from randomizer.odds.drawn import MAX_BOX_CHOICES, average_over_boxes
from randomizer.odds.probabilities import Probability
from randomizer.text.errors import BadOptions
from tests.odds.test_given import Case, get_kinds, used, weigh_tables
from tests.odds.test_odds import GAME, names
from tests.support import run
from tests.support.wish_texts import WishTexts

BOXES = ("tea", "spring", "autumn", "crumbs")  # The last one has too few cards for a deal.
CARDS = """
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet],
     setup: {deal: {is: {kind: dish, cost: [2]}, to: beside, as: Side}}}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain]}
  - {name: Hatter, set: tea, kind: guest, types: [Guest]}
  - {name: Pie, set: spring, kind: dish, cost: 4, types: [Sweet]}
  - {name: Bread, set: spring, kind: dish, cost: 2, types: [Plain]}
  - {name: Jig, set: spring, kind: dance, types: [Dance], setup: {put: Spoon}}
  - {name: Tart, set: autumn, kind: dish, cost: 3, types: [Sweet]}
  - {name: Toast, set: autumn, kind: dish, cost: 2, types: [Plain]}
  - {name: Rusk, set: autumn, kind: dish, cost: 2, types: [Plain]}
  - {name: Crust, set: crumbs, kind: dish, cost: 1, types: [Plain]}
"""
CASES = {
    "no wishes": Case(WishTexts()),
    "a dish": Case(WishTexts(with_=("pie",)), lambda used: "Pie" in used),
    "of two boxes": Case(WishTexts(with_=("pie", "soup")), lambda used: {"Pie", "Soup"} <= used),
    "a type": Case(WishTexts(want=("sweet=1",)), lambda used: len(used & {"Cake", "Pie", "Tart"}) == 1),
    "no landscape": Case(WishTexts(want=("landscape=0",)), lambda used: not used & {"Hatter", "Jig"}),
    "weights": Case(
        WishTexts(weight=("sweet=2", "guest=0.5")),
        weights={name: Fraction(2) for name in ("Cake", "Pie", "Tart")} | {"Hatter": Fraction(1, 2)},
    ),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    file = tmp_path_factory.mktemp("drawn") / "tea.yaml"
    sets = "sets: {tea: Tea, spring: Spring, autumn: Autumn, crumbs: Crumbs}"
    text = (GAME % ("", CARDS)).replace("sets: {tea: Tea}", sets)
    file.write_text(text, encoding="utf-8")
    return read_game([str(file)])


def dealt(game: Game, boxes: Sequence[str], case: Case) -> list[tuple[Table, Fraction]]:
    """Return all deals of these boxes, each with its probability."""
    request = Request(tuple(boxes), 2, "x")
    there = [name for name in names(game, "dish", "guest", "dance") if {*game.cards[name].boxes} & {*boxes}]
    every = [(order, deal_table(game, request, {"randomizers": order})) for order in permutations(there)]
    law = weigh_tables(every, case.weights)
    deals = sum(often for _, often in law)
    return [(table, Fraction(often, deals)) for table, often in law]


def select(figures: Mapping[tuple[str, str], Fraction], subject: str) -> dict[str, Fraction]:
    return {name: exact for (about, name), exact in figures.items() if about == subject}


@pytest.mark.parametrize("of", [1, 2])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_odds_of_random_boxes_equal_the_enumeration(game: Game, case: Case, of: int) -> None:
    """All choices of boxes with two dishes are equally likely a priori."""
    choices = [boxes for boxes in combinations(BOXES, of) if boxes != ("crumbs",)]
    parts = [dealt(game, boxes, case) for boxes in choices]
    every = [(table, chance / len(parts)) for part in parts for table, chance in part]
    law = [(table, chance) for table, chance in every if case.met(used(table))]
    holding = sum((chance for _, chance in law), Fraction(0))
    request = Request(BOXES, 2, "x", wishes=case.wishes._replace(box_count=of).parse(game))
    if not holding:
        with pytest.raises(BadOptions, match="found no"):
            average_over_boxes(game, request, ())
        return

    def given(holds: Callable[[Table], bool]) -> Fraction:
        return sum((chance for table, chance in law if holds(table)), Fraction(0)) / holding

    cards = [game.cards[name] for name in names(game, "dish", "guest", "dance")]
    odds = average_over_boxes(game, request, [*cards, game.cards["Spoon"]])
    assert odds.wishes_probability == holding
    numbers = [given(lambda table, many=many: len(table.landscapes) == many) for many in range(3)]  # type: ignore[misc]
    figures = {key: figure.exact for key, figure in odds.probabilities.items()}
    told = select(figures, "landscapes")
    assert [told.get(str(many), 0) for many in range(3)] == numbers
    kinds = select(figures, "kind")
    assert kinds == {kind: given(lambda table, kind=kind: kind in get_kinds(table)) for kind in kinds}  # type: ignore[misc]
    assert select(figures, "decision") == {"Party": given(lambda table: table.decisions[0].answer)}
    for card in cards:
        truth = given(lambda table, card=card: card.name in used(table))  # type: ignore[misc]
        assert figures.get(("turned up", card.name), 0) == truth
    assert odds.probabilities["on table", "Spoon"] == Probability(
        given(lambda table: "Spoon" in table.in_use())
    )


def test_each_wish_has_the_probability_over_all_choices_of_boxes(game: Game) -> None:
    """The second wish also counts for boxes without the card of the first."""
    case = Case(WishTexts(with_=("pie",), want=("sweet=2",), box_count=2))
    every = [dealt(game, boxes, case) for boxes in combinations(BOXES, 2)]
    odds = average_over_boxes(game, Request(BOXES, 2, "x", wishes=case.wishes.parse(game)), ())
    sweet = {"Cake", "Pie", "Tart"}
    assert odds.probability_by_wish == {
        "--with Pie": sum(compute_probability(part, lambda used: "Pie" in used) for part in every) / 6,
        "sweet=2": sum(compute_probability(part, lambda used: len(used & sweet) == 2) for part in every) / 6,
    }


def compute_probability(part: Sequence[tuple[Table, Fraction]], met: Callable[[set[str]], bool]) -> Fraction:
    return sum((chance for table, chance in part if met(used(table))), Fraction(0))


def test_cards_with_the_same_probability_are_grouped(game: Game) -> None:
    odds = average_over_boxes(game, Request(BOXES[:3], 2, "x", wishes=WishTexts(box_count=1).parse(game)), ())
    together = {frozenset(card.name for card in cards): chance for cards, chance in odds.kingdom_groups}
    assert together == {
        frozenset({"Cake", "Soup", "Pie", "Bread"}): Fraction(1, 3),
        frozenset({"Tart", "Toast", "Rusk"}): Fraction(2, 9),
    }


def test_command_averages_over_random_boxes() -> None:
    """The probability is 10 of 26 cards in one of two boxes."""
    said = json.loads(run("odds", "--sets", "base,seaside", "--of", "1", "--json", "witch").stdout)
    assert said["options"] == {"of": 1}
    assert said["cards"][0]["turned_up"]["exact"] == "5/26"
    assert "Witch" in said["kingdom_groups"][0]["kingdom_cards"]
    told = run("odds", "--sets", "base,seaside", "--of", "1", "--with", "witch").stdout
    assert "--with Witch " in told and "19.23 %" in told


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--sets", "base", "--of", "2"], "--sets names 1"),
        (["--sets", "base,seaside", "--of", "1", "--with", "witch,lighthouse"], "found no"),
        (
            ["--sets", "base,allies", "--of", "1", "--with", "plateau shepherds"],
            "chosen when another card needs",
        ),
        (["--sets", "all", "--of", "9"], f"odds can be calculated for at most {MAX_BOX_CHOICES}"),
    ],
)
def test_invalid_request_for_random_boxes_is_an_error(args: Sequence[str], said: str) -> None:
    result = run("odds", *args)
    assert result.exit_code == 2 and said in result.stderr
