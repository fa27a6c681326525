"""The choices that the odds follow: in every deal of games made up at random, and with little work."""

import os
import subprocess
import sys
from bisect import bisect
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from randomizer.browse.boxes import resolve_boxes
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.deal.unused import UnusedCards
from randomizer.odds.choosing import Move, View, _count_selections
from randomizer.odds.probabilities import DealOdds, Probability
from randomizer.odds.stages import Layout
from tests.odds.test_odds import NESTED, game_of
from tests.support import HERE

WHERE = ("beside", "beside", "kingdom", "aside", "deck")  # a deck of one comes after the others
# Numbers of games with many choices and not too many deals.
MADE_UP = (0, 3, 8, 9, 10, 12, 13, 16, 21, 23, 26, 46, 48, 94, 110, 114, 239, 266, 267, 360)


def made_up(number: int) -> tuple[str, str]:
    """The cards and the order of a game: dishes, one a mixed pile, that ask for choices of one another."""
    dice = Random(f"made up {number}")
    slots = ["Side", "Top", "Pot", "Tray"][: dice.randint(2, 4)]
    deals = {}
    for slot in slots:
        query = f"kind: dish, cost: {dice.sample([2, 3, 4], dice.randint(1, 2))}"
        query += dice.choice(["", "", ", type: Sweet"])
        deals[slot] = f"{{deal: {{is: {{{query}}}, to: {dice.choice(WHERE)}, as: {slot}}}}}"
    deals["Wish"] = "{deal: {is: {kind: wish}, to: landscapes, as: Wish}}"

    def card(name: str, kind: str, chance: float) -> str:
        asks = [deals[slot] for slot in dice.sample([*deals], 2) if dice.random() < chance]
        type_ = "Sweet" if name == "Cake" else dice.choice(["Sweet", "Plain"])
        said = f"name: {name}, set: tea, kind: {kind}, cost: {dice.randint(2, 4)}, types: [{type_}]"
        return f"  - {{{said}, setup: [{', '.join(asks)}]}}"

    names = ["Cake", "Soup", "Pie", "Tart", "Bread"][: dice.randint(3, 5)]
    lines = [card(name, "dish", 0.3) for name in names]
    if dice.random() < 0.5:
        pile = "pile: {Crumb: 5, Nut: 5}"
        lines.append(f"  - {{name: Plate, set: tea, kind: dish, cost: 3, types: [Sweet], {pile}}}")
        lines += [card(name, "part", 0.4) for name in ("Crumb", "Nut")]
    lines += [card(name, "wish", 0.4) for name in ("Luck", "Rain")] + [card("Hare", "guest", 0.4)]
    text = "\n".join(lines)
    order = [slot for slot in dice.sample([*deals], len(deals)) if f"as: {slot}" in text]
    return text, ", ".join(order)


def every_deal(
    game: Game, request: Request, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Fraction, Table]]:
    """Every deal there is, and how likely it is: whenever a card is drawn, each that may be in turn."""
    drawn: list[tuple[int, int]] = []  # which of how many, one draw after the other
    place = 0

    def shuffled(
        self: UnusedCards, question: str, cards: Sequence[Card], without: Any = ()
    ) -> Iterator[Card]:
        nonlocal place
        left = list(cards)
        while left := [card for card in left if card.name not in without]:
            if place == len(drawn):
                drawn.append((0, len(left)))
            place += 1
            yield left.pop(drawn[place - 1][0])

    monkeypatch.setattr(UnusedCards, "shuffle", shuffled)
    while True:
        place = 0
        table = deal_table(game, request)
        share = Fraction(1)
        for _, many in drawn:
            share /= many
        yield share, table
        while drawn and drawn[-1][0] + 1 == drawn[-1][1]:
            drawn.pop()
        if not drawn:
            return
        drawn[-1] = drawn[-1][0] + 1, drawn[-1][1]


@pytest.mark.parametrize("number", MADE_UP)
def test_every_deal_of_made_up_games(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(tmp_path, *made_up(number))
    request = Request(("tea",), 2, "x", {"most": 1})
    truth = dict.fromkeys([*game.cards, *game.order], Fraction(0))
    for share, table in every_deal(game, request, monkeypatch):
        for name in {*table.in_use(), *table.slots, *(missing.slot for missing in table.missing)}:
            truth[name] += share
    odds = DealOdds(game, request)
    for name, likely in truth.items():
        assert (
            odds.compute_on_table(name) if name in game.cards else odds.compute_needed(name)
        ) == Probability(likely), name
    for work in (0, 20, 200):  # what is left out makes a figure smaller, never larger
        hurried = DealOdds(game, request, work)
        for name in game.cards:
            chance = hurried.compute_on_table(name)
            assert chance.exact == truth[name] or (chance.left_out and chance.exact < truth[name]), name


def least_work(game: Game, name: str) -> int:
    """The least work with which nothing is left out."""
    request = Request(("tea",), 2, "x")
    return bisect(
        range(100_000), 0, key=lambda work: not DealOdds(game, request, work).compute_on_table(name).left_out
    )


def test_what_takes_too_much_work_is_left_out_and_said(tmp_path: Path) -> None:
    """One sum less than it takes, and the last choice is given up, of those in the order of the game."""
    game = game_of(tmp_path, NESTED, "Side, Wish, Shelter, Top")
    request = Request(("tea",), 2, "x")
    enough = least_work(game, "Bread")
    figures = [DealOdds(game, request, work).compute_on_table("Bread") for work in range(enough + 1)]
    left_out = [figure.left_out for figure in figures]
    assert list(dict.fromkeys(left_out)) == [("Side", "Shelter", "Top"), ("Shelter", "Top"), ("Top",), ()]
    assert [figure.exact for figure in figures] == sorted(figure.exact for figure in figures)
    assert (
        figures[-1]
        == DealOdds(game, request).compute_on_table("Bread")
        == DealOdds(game, request, 10**9).compute_on_table("Bread")
    )
    assert figures[-2].exact < figures[-1].exact


def test_work_is_the_same_whatever_the_hash(tmp_path: Path) -> None:
    """Which choices are followed depends neither on the machine nor on the order of a set.

    Where these numbers change, so does what is left out: see that it is not more than before.
    """
    code = (
        "import sys; from pathlib import Path; from tests.odds.test_following import *;"
        "game = game_of(Path(sys.argv[1]), NESTED, 'Side, Wish, Shelter, Top');"
        "print([least_work(game, name) for name in ('Soup', 'Pie', 'Bread')])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=HERE.parent,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert said == {"[42, 108, 119]\n"}


def test_what_is_followed_with_all_boxes(game: Game) -> None:
    """The figure is that of another program, which followed every state by itself for a minute.

    It found 0.02226036185858499 in 2026; a few cards more make it a little less.
    """
    odds = DealOdds(game, Request(resolve_boxes(["all"], game), 2, ""))
    witch = odds.compute_on_table("Witch")
    assert witch.left_out == ("Riverboat", "Black Market deck")
    assert float(witch.exact) == pytest.approx(0.02226036185858499, rel=0.02)
    assert odds.compute_needed("Ally").left_out == ("Ferryman", "Riverboat", "Black Market deck")
    assert odds.compute_needed("Prophecy").left_out == ("Riverboat", "Black Market deck")


def test_work_is_no_less_than_the_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Move.get_outcomes

    def outcomes(self: Move, view: View, whole: int) -> list[tuple[int, int]]:
        found = counted(self, view, whole)
        assert len(found) <= self.estimate_outcome_count(view)
        assert all(share > 0 for _, share in found)
        return found

    monkeypatch.setattr(Move, "get_outcomes", outcomes)
    game = game_of(tmp_path, *made_up(360))
    for name in game.cards:
        DealOdds(game, Request(("tea",), 2, "x")).compute_on_table(name)


@pytest.mark.parametrize(("numbers", "most"), [((), 3), ((2,), 3), ((2, 3), 4), ((1, 1, 5), 2), ((4, 4), 0)])
def test_ways_to_look(numbers: tuple[int, ...], most: int) -> None:
    every = product(*(range(number + 1) for number in numbers))
    assert _count_selections(numbers, most) == sum(1 for way in every if sum(way) <= most)


def test_a_state_is_read_as_it_was_written() -> None:
    layout = Layout(4, unseen=[0, 1, 3], spare=[2, 3])
    state = layout.pack(7, [(3, 15), (0, 1)], ((2, 9),))
    assert layout.unpack(state) == [7, 1, 0, 15, 9, 0]
    assert layout.unpack(state & layout.get_mask([0, 3])) == [7, 0, 0, 15, 0, 0]
    assert layout.get_unit(True, 0) == 0
    assert layout.unpack(state - layout.get_unit(True, 2)) == [7, 1, 0, 15, 8, 0]
