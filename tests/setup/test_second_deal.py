"""The second deal: Divine Wind replaces the Kingdom in the middle of the game (setup rules A53)."""

import json
from typing import Any

import pytest

from randomizer.errors import BadDocument, BadOptions
from randomizer.setup.document import Setup
from randomizer.setup.second_deal import deal_again
from tests.support import Deals, names, run
from tests.support.oracle import cards_in_use

WIND = {"Prophecy": ["Divine Wind"]}


def dealt(deal: Deals, *first: str, seed: str = "wind", **options: Any) -> tuple[Setup, Setup]:
    """A table with Divine Wind, and what it becomes."""
    setup = deal.setup("Tea House", *first, seed=seed, stacked=WIND, **options)
    return setup, deal_again(deal.game, setup, deal.languages)


def kingdom(setup: Setup) -> list[str]:
    return [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"]


class TestDivineWind:
    @pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5"])
    def test_ten_new_piles(self, deal: Deals, seed: str) -> None:
        first, second = dealt(deal, seed=seed, landscapes=0)
        assert len([turned for turned in second["turned"] if turned["use"] == "kingdom"]) == 10
        assert not set(kingdom(first)) & set(kingdom(second))
        assert {*kingdom(first)} == {*second["second_deal"]["leaves"]}

    def test_no_card_that_was_in_use_comes_again(self, deal: Deals) -> None:
        for seed in range(10):
            first, second = dealt(deal, "Ferryman", "Black Market", seed=str(seed))
            before = cards_in_use(first)
            new = {turned["name"] for turned in second["turned"]}
            assert not new & before

    def test_the_rest_of_the_table_stays(self, deal: Deals) -> None:
        first, second = dealt(deal, "Druid", "Page", players=4)
        for key in ("piles", "decks", "components", "landscapes", "set_aside", "trash"):
            stays = [entry for entry in first[key] if entry.get("place") != "kingdom"]
            assert second[key][: len(stays)] == stays, key
        assert second["starting_deck"] == first["starting_deck"]

    def test_what_new_cards_need_comes_with_them(self, deal: Deals) -> None:
        """Of many second deals, every Looter has its Ruins, every Reserve card a mat, Potions their pile."""
        seen = set()
        for seed in range(100):
            _, second = dealt(deal, seed=str(seed))
            types = {
                type_
                for pile in second["piles"]
                if pile["name"] in kingdom(second)
                for type_ in pile["types"]
            }
            if "Looter" in types:
                assert "Ruins" in names(second["piles"])
            if "Reserve" in types:
                assert "Tavern mat" in names(second["components"])
            if any("P" in pile["cost"] for pile in second["piles"] if pile["name"] in kingdom(second)):
                assert "Potion" in names(second["piles"])
            seen |= types
        assert {"Looter", "Reserve"} <= seen

    def test_no_second_ally_prophecy_or_starting_deck(self, deal: Deals) -> None:
        """Favors are not handed out again, decks are not changed, nothing is decided anew."""
        for seed in range(20):
            first, second = dealt(deal, "Underling", seed=str(seed))
            kinds = [landscape["kind"] for landscape in second["landscapes"]]
            assert kinds.count("ally") == kinds.count("prophecy") == 1
            assert second["starting_deck"] == first["starting_deck"]
            assert second["decisions"] == first["decisions"]
            favors = [placed for placed in second["placed"] if placed["name"] == "Favor tokens"]
            assert len(favors) == 1

    def test_it_happens_once(self, deal: Deals) -> None:
        _, second = dealt(deal)
        with pytest.raises(BadDocument, match="has been replaced already"):
            deal_again(deal.game, second, deal.languages)

    def test_only_where_it_is_on_the_table(self, deal: Deals) -> None:
        with pytest.raises(BadDocument, match="Divine Wind is not on this table"):
            deal_again(deal.game, deal.setup(sets=["base-2e"]), deal.languages)

    def test_another_game_has_none(self, deal: Deals) -> None:
        game = deal.game._replace(second_deal=None)
        with pytest.raises(BadOptions, match="Dominion has no second deal"):
            deal_again(game, deal.setup(), deal.languages)


class TestCommand:
    def first(self) -> str:
        for seed in range(200):
            text = run("--sets", "rising-sun,base", "--seed", str(seed), "--json").stdout
            if '"name": "Divine Wind"' in text:
                return text
        raise AssertionError("no table with Divine Wind among two hundred")

    def test_same_again_and_shown_again(self) -> None:
        text = self.first()
        one, other = (run("divine-wind", "-", "--json", input=text).stdout for _ in range(2))
        assert one == other
        assert run("show", "-", "--json", input=one).stdout == one

    def test_the_checklist_says_what_leaves(self) -> None:
        text = self.first()
        shown = run("divine-wind", "-", input=text).stdout
        leaves = shown[
            shown.index("Back into the boxes") : shown.index(
                "Kingdom\n" if "Kingdom\n" in shown else "Kingdom"
            )
        ]
        for name in json.loads(run("divine-wind", "-", "--json", input=text).stdout)["second_deal"]["leaves"]:
            assert name in leaves

    def test_options_that_are_none(self) -> None:
        setup = json.loads(self.first())
        for options in (
            {},
            {"sets": "base"},
            {"sets": ["x"], "players": 2},
            {"sets": ["base-2e"], "players": "2"},
        ):
            result = run("divine-wind", "-", input=json.dumps({**setup, "options": options}))
            assert result.exit_code == 2 and result.stderr.startswith("Error: ")
