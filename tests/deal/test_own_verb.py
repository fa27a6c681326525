"""Test that a new verb needs only a named tuple and a line in the list of verbs."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from randomizer.cards.effect import Choice, Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import CardName, OpenOption, Query
from randomizer.cards.pool import Pool
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.deal.verbs import VERBS
from randomizer.load import games, paths
from randomizer.odds.probabilities import DealOdds, Probability
from randomizer.text.language import Language
from tests.support import run
from tests.support.tea import GAME_TEMPLATE


class BrewFields(NamedTuple):
    pot: CardName


class Brew(BrewFields, Effect):
    """Lay out a pile for each player who is not the first."""

    default_field = "pot"

    def apply(self, table: Table, cause: str | None) -> None:
        if table.players > 1:
            table.lay_out([table.cards[self.pot]], cause)

    def brings(self, pool: Pool) -> Iterable[str]:
        return [self.pot]

    def options(self) -> Iterable[OpenOption]:
        return [OpenOption("leaves", "", default=3)]

    def describe(self, card_name: str, players: int, language: Language) -> str:
        return f"{language.translate_name(card_name)} brews {language.translate_name(self.pot)}"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game whose Cake brews Crumbs; it is the only one there is."""
    data = GAME_TEMPLATE % "[{when: {name: Cake}, then: {brew: Crumbs}}]"
    data = data.replace("party: {help: A party.}", "party: {help: A party.}, leaves: {help: Leaves.}")
    (tmp_path / "cards.yaml").write_text(data, encoding="utf-8")
    monkeypatch.setitem(VERBS, "brew", Brew)
    monkeypatch.setattr(paths, "data_folder", lambda: str(tmp_path))
    monkeypatch.setattr(paths, "cache_folder", lambda: str(tmp_path / "cache"))
    return games.load()


def test_verb_is_read_from_yaml_and_from_the_cache(game: Game) -> None:
    assert game.setup["Cake"] == (Brew(CardName("Crumbs")),)
    kept = games.load()  # now from the cache
    assert kept.setup["Cake"] == game.setup["Cake"] and type(kept.setup["Cake"][0]) is Brew


def test_fault_of_a_verb_is_reported_with_its_word(game: Game, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("cards: [{name: Bun, set: tea, kind: dish, setup: {brew: {pott: Crumbs}}}]")
    result = run("--cards", str(own))
    assert result.exit_code == 2 and "Bun.setup.brew" in result.stderr and "'pott'" in result.stderr


def test_open_option_of_a_verb_is_in_the_help(game: Game) -> None:
    assert "--leaves" in run("--help").stdout


def test_odds_of_a_verb_match_all_deals(game: Game) -> None:
    request = Request(("tea",), 2, "x")
    dishes = [card.name for card in game.cards.values() if card.kind == "dish"]
    tables = [deal_table(game, request, {"randomizers": order}) for order in permutations(dishes)]
    share = Fraction(sum("Crumbs" in table.in_use() for table in tables), len(tables))
    assert (
        DealOdds(game, request).compute_on_table_probability("Crumbs")
        == Probability(share)
        != Probability(Fraction(0))
    )


@pytest.mark.parametrize("silent", [False, True])
def test_cards_command_describes_or_shows_a_verb(
    game: Game, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
    monkeypatch.setattr(Brew, "when", lambda self, settings: "decoration")
    if silent:
        monkeypatch.setattr(Brew, "describe", lambda *args: "")
    text = run("cards", "Cake").stdout
    assert ("Cake brews Crumbs" in text) is not silent
    assert ("7 Crumbs" in text) is silent


def test_odds_follow_the_choice_of_a_verb(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The odds include what the cards chosen by a verb bring."""

    def choice(self: Any, cause: str | None) -> Choice:
        return Choice("Pot", Query(cost=(5,)), "beside")  # of which there is only Tart

    def apply(self: Any, table: Table, cause: str | None) -> None:
        for card in table.unused.draw("Pot", self.choice(cause).query, 1):
            table.lay_out([card], cause, "beside")

    monkeypatch.setattr(Brew, "choice", choice)
    monkeypatch.setattr(Brew, "brings", lambda self, pool: ())
    monkeypatch.setattr(Brew, "apply", apply)
    request = Request(("tea",), 2, "x")
    dishes = [card.name for card in game.cards.values() if card.kind == "dish"]
    tables = [deal_table(game, request, {"randomizers": order}) for order in permutations(dishes)]
    share = Fraction(sum("Tart" in table.in_use() for table in tables), len(tables))
    assert DealOdds(game, request).compute_on_table_probability("Tart") == Probability(share)
    odds = DealOdds(game, request)
    assert share > odds.compute_turned_up_probability(odds.kingdom[0])
