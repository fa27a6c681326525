"""Tests of decisions in a share of the games, and of Kingdoms of another size than ten."""

import json
from typing import Any

import pytest

from randomizer import BadOptions, deal_setup
from randomizer.cards.game import Game, Request
from randomizer.odds.probabilities import DealOdds
from randomizer.record.build import deal_request
from randomizer.record.second_deal import deal_again
from randomizer.setup.replay import extract_request
from tests.support import run
from tests.support.wish_texts import WishTexts


def get_decision(setup: Any, question: str) -> Any:
    return next(decision for decision in setup["decisions"] if decision["question"] == question)


class TestShares:
    def test_share_of_the_games_uses_colony(self, game: Game) -> None:
        """The standard deviation is 8.2 of 300; the seeds are fixed."""
        request = Request(("base-2e",), 2, "", {"colony_by": "1/3"})
        tables = [deal_request(game, request._replace(seed=f"share {number}")) for number in range(300)]
        answers = [table.decisions[0].answer for table in tables]
        assert 75 <= sum(answers) <= 125
        assert all(("Colony" in table.piles) is answer for table, answer in zip(tables, answers, strict=True))

    def test_answer_does_not_depend_on_the_cards(self, game: Game) -> None:
        decisions = [
            get_decision(deal_setup(game, sets=[sets], colony="1/2", seed="same"), "platinum-colony")
            for sets in ("base", "prosperity", "dark-ages")
        ]
        assert len({decision["answer"] for decision in decisions}) == 1
        assert {decision["decided_by"] for decision in decisions} == {None}
        assert decisions[0]["reason"]["text"]["en"] == "by chance, in 1/2 of all games, as you wished"

    def test_shares_of_two_decisions_are_independent(self, game: Game) -> None:
        answers = {
            tuple(decision["answer"] for decision in setup["decisions"])
            for setup in (
                deal_setup(game, colony="50%", shelters="1/2", seed=f"both {number}") for number in range(30)
            )
        }
        assert len(answers) == 4

    def test_document_and_command_deal_the_same_table_again(self, game: Game) -> None:
        document = json.loads(run("--colony", "25%", "--shelters=2/4", "--seed", "k", "--json").stdout)
        assert document["options"]["colony_by"] == "1/4" and document["options"]["shelters_by"] == "1/2"
        assert "--colony-by 1/4 --shelters-by 1/2" in document["command"]
        request = extract_request(game, document)
        assert [each.answer for each in deal_request(game, request).decisions] == [
            each["answer"] for each in document["decisions"]
        ]

    def test_share_in_a_named_kingdom_is_part_of_its_command(self) -> None:
        document = json.loads(
            run("--kingdom", "First Game", "--colony", "1/3", "--seed", "k", "--json").stdout
        )
        assert "--colony-by 1/3" in document["command"]

    def test_tables_of_a_series_are_decided_on_their_own(self) -> None:
        lines = run(
            "--colony", "1/2", "--count", "20", "--seed", "series", "--format", "line"
        ).stdout.splitlines()
        with_colony = sum("Colony" in line for line in lines)
        assert 0 < with_colony < 20

    def test_odds_of_a_share_are_the_share(self, game: Game) -> None:
        odds = DealOdds(game, Request(("prosperity-2e",), 2, "", {"colony_by": "1/3"}))
        assert str(odds.compute_decision_probabilities()["Platinum and Colony"]) == "1/3"
        assert str(odds.compute_on_table_probability("Colony").exact) == "1/3"

    @pytest.mark.parametrize("args", [["--colony", "4/3"], ["--colony-by", "0%"]])
    def test_number_that_is_no_share_is_refused(self, args: list[str]) -> None:
        result = run(*args)
        assert result.exit_code == 2 and "is not a share of the games" in result.stderr

    def test_python_refuses_what_is_no_share(self, game: Game) -> None:
        with pytest.raises(BadOptions, match=r"colony_by must be .* or a share of the games such as 1/3"):
            deal_setup(game, colony_by="3/2")


class TestKingdomSizes:
    @pytest.mark.parametrize("size", [8, 9, 11, 12])
    def test_kingdom_has_the_requested_size(self, game: Game, size: int) -> None:
        setup = deal_setup(game, sets=["base", "dark-ages"], kingdom_size=size, seed="size")
        assert len(setup["kingdom"]) == size
        last = [turned["name"] for turned in setup["turned"] if turned["use"] == "kingdom"][-1]
        assert get_decision(setup, "shelters")["decided_by"] == last

    @pytest.mark.parametrize("size", [7, 13])
    def test_other_sizes_are_refused(self, game: Game, size: int) -> None:
        with pytest.raises(BadOptions, match=r"kingdom_size must be a number from 8 to 12"):
            deal_setup(game, kingdom_size=size)
        assert run("--kingdom-size", str(size)).exit_code == 2

    def test_named_kingdom_is_filled_up(self, game: Game) -> None:
        setup = deal_setup(game, kingdom="witch, moat", kingdom_size=12, seed="fill")
        assert len(setup["kingdom"]) == 12 and {"witch", "moat"} <= set(setup["kingdom"])

    def test_wishes_and_odds_count_with_the_size(self, game: Game) -> None:
        wishes = WishTexts(want=("kingdom=12", "village=2-")).parse(game)
        request = Request(("base-2e", "intrigue-2e"), 2, "w", {"kingdom_size": 12}, wishes=wishes)
        assert len(deal_request(game, request).kingdom) == 12
        odds = DealOdds(game, Request(("base-2e",), 2, "", {"kingdom_size": 12}))
        assert str(odds.compute_turned_up_probability(odds.kingdom[0])) == "6/13"

    def test_veto_keeps_as_many_cards(self, game: Game) -> None:
        setup = deal_setup(game, kingdom_size=8, veto=3, seed="veto")
        assert len(setup["piles"]) == 11
        kept = deal_setup(game, kingdom_size=8, veto=3, vetoed=[setup["piles"][0]["name"]], seed="veto")
        assert len(kept["kingdom"]) == 8

    def test_second_deal_has_the_same_size(self, game: Game) -> None:
        first = deal_setup(
            game,
            sets=["base", "rising-sun"],
            kingdom="river shrine, prophecy: divine wind",
            kingdom_size=12,
            seed="wind",
        )
        again = deal_again(game, first)
        assert len([pile for pile in again["piles"] if pile["place"] == "kingdom"]) == 12

    def test_swap_keeps_the_size(self, game: Game) -> None:
        setup = deal_setup(game, kingdom="witch", kingdom_size=9, swap=["witch"], seed="swap")
        assert len(setup["kingdom"]) == 9 and "witch" not in setup["kingdom"]


class TestReadyMadeWishes:
    def test_potions_are_three_to_five_if_any(self, game: Game) -> None:
        counts = set()
        for number in range(40):
            setup = deal_setup(game, sets=["base", "alchemy"], want=["potions"], seed=f"potions {number}")
            cards = [game.cards[turned["name"]] for turned in setup["turned"] if turned["use"] == "kingdom"]
            counts.add(sum(bool(card.cost and card.cost.potion) for card in cards))
        assert counts <= {0, 3, 4, 5} and len(counts) > 1

    def test_spread_has_all_costs(self, game: Game) -> None:
        for number in range(10):
            setup = deal_setup(game, sets=["base", "intrigue"], want=["spread"], seed=f"spread {number}")
            coins = [
                cost.coins
                for turned in setup["turned"]
                if turned["use"] == "kingdom" and (cost := game.cards[turned["name"]].cost)
            ]
            assert min(coins) <= 2
            groups = [coins.count(3), coins.count(4), sum(each >= 5 for each in coins)]
            assert all(2 <= count <= 4 for count in groups)


class TestEditions:
    @pytest.mark.parametrize(
        ("sets", "said"),
        [
            ("cornucopia,base", "Cornucopia is the box of 2011"),
            ("guilds", "type --sets guilds-2e"),
            ("guilds-cornucopia", "type --sets cornucopia-guilds-2e"),
        ],
    )
    def test_older_edition_is_stated_once(self, sets: str, said: str) -> None:
        stderr = run("--sets", sets, "--count", "3", "--format", "line").stderr
        assert said in stderr and stderr.count("is the box of") == 1

    @pytest.mark.parametrize("sets", ["base", "cornucopia-1e", "base-1e", "cornucopia-2e", "all", "alchemy"])
    def test_obvious_edition_is_not_stated(self, sets: str) -> None:
        assert "is the box of" not in run("--sets", sets, "--format", "line").stderr

    def test_japanese_names_have_the_remark_in_japanese(self) -> None:
        assert "2011年版" in run("--sets", "収穫祭", "--lang", "ja", "--format", "line").stderr

    def test_second_editions_of_joint_boxes_have_names(self, game: Game) -> None:
        for name in ("cornucopia-2e", "guilds-2e"):
            setup = deal_setup(game, sets=[name], seed="joint")
            assert setup["options"]["sets"] == ["cornucopia-guilds-2e"]
