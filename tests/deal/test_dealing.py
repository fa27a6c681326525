"""Tests of turning up randomizers and of decisions (setup rules A1 to A24)."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.record.build import build_setup
from randomizer.setup.document import Setup
from randomizer.text.errors import BadOptions, TooFewCards
from tests.support import TESTS_DIR, Deals, get_names, run


def used(setup: Setup, use: str) -> list[str]:
    return [turned["name"] for turned in setup["turned"] if turned["use"] == use]


class TestLandscapes:
    """A6 to A14: shuffled in, two at the most, one Way among them; or a deck of their own."""

    def test_first_two_landscapes_are_used_and_others_skipped(self, deal: Deals) -> None:
        setup = deal.setup("Alms", "Page", "Quest", "Tax", "Wall", "Peasant")
        assert used(setup, "landscape") == ["Alms", "Quest"]
        assert used(setup, "skipped")[:2] == ["Tax", "Wall"]
        assert setup["turned"][3]["reason"]["text"]["en"] == "2 landscapes are already in use"
        assert len(used(setup, "kingdom")) == 10

    def test_second_way_is_skipped_without_counting_as_landscape(self, deal: Deals) -> None:
        setup = deal.setup("Way of the Ox", "Way of the Pig", "Alms", "Quest")
        assert used(setup, "landscape") == ["Way of the Ox", "Alms"]
        assert used(setup, "skipped")[:2] == ["Way of the Pig", "Quest"]
        assert setup["turned"][1]["reason"]["text"]["en"] == "no more Ways can be used"

    def test_option_ways_changes_the_limit_of_ways(self, deal: Deals) -> None:
        setup = deal.setup("Way of the Ox", "Way of the Pig", "Alms", ways=2)
        assert used(setup, "landscape") == ["Way of the Ox", "Way of the Pig"]

    @pytest.mark.parametrize("most", [0, 1, 3, 5])
    def test_option_landscapes_changes_the_limit(self, deal: Deals, most: int) -> None:
        setup = deal.setup("Alms", "Quest", "Tax", "Wall", "Keep", landscapes=most)
        assert used(setup, "landscape") == ["Alms", "Quest", "Tax", "Wall", "Keep"][:most]

    def test_landscape_deck_deals_exactly_the_given_number(self, deal: Deals) -> None:
        for seed in "abcdef":
            setup = deal.setup(seed=seed, sets=["base-2e", "menagerie"], landscapes_from="deck", landscapes=3)
            kinds = [landscape["kind"] for landscape in setup["landscapes"]]
            assert len(kinds) == 3
            assert kinds.count("way") <= 1
            assert len(used(setup, "kingdom")) == 10
            assert not any(name in get_names(setup["landscapes"]) for name in used(setup, "kingdom"))

    def test_landscape_deck_with_too_few_cards_is_refused(self, deal: Deals) -> None:
        with pytest.raises(TooFewCards, match="Alchemy have no landscapes; 2 are needed"):
            deal.setup(sets=["base-2e", "alchemy"], landscapes_from="deck")

    def test_turned_lists_every_randomizer_in_order(self, deal: Deals) -> None:
        setup = deal.setup("Alms", "Page", "Quest", "Tax")
        assert get_names(setup["turned"])[:4] == ["Alms", "Page", "Quest", "Tax"]
        numbers = [turned["position"] for turned in setup["turned"] if turned["use"] == "kingdom"]
        assert numbers == list(range(1, 11))
        assert setup["turned"][-1]["use"] == "kingdom"

    def test_allies_and_prophecies_are_never_turned_up(self, deal: Deals) -> None:
        kinds = {
            deal.game.cards[t["name"]].kind for n in range(40) for t in deal.setup(seed=str(n))["turned"]
        }
        assert kinds >= {"kingdom", "event", "landmark", "project", "way", "trait"}
        assert not kinds & {"ally", "prophecy"}


class TestDecisions:
    """A15 to A24: the first card decides Platinum and Colony, the tenth Shelters."""

    KINGDOM = ("Cellar", "Moat", "Village", "Workshop", "Militia", "Smithy", "Market", "Mine")

    def answers(self, setup: Setup) -> dict[str, bool]:
        return {decision["question"]: decision["answer"] for decision in setup["decisions"]}

    @pytest.mark.parametrize("edition", ["Goons", "Collection", "Bank"])
    def test_first_card_from_either_prosperity_edition_brings_colony(self, deal: Deals, edition: str) -> None:
        setup = deal.setup(edition, *self.KINGDOM, "Cellar")
        assert self.answers(setup)["platinum-colony"] is True
        assert {"Platinum", "Colony"} <= set(get_names(setup["piles"]))
        assert setup["decisions"][0]["decided_by"] == edition
        assert "the Colony pile is empty" in [end["en"] for end in setup["game_end"]]

    def test_later_prosperity_card_does_not_bring_colony(self, deal: Deals) -> None:
        setup = deal.setup("Cellar", "Goons", "Bank", *self.KINGDOM)
        assert self.answers(setup)["platinum-colony"] is False
        assert "Colony" not in get_names(setup["piles"])
        assert setup["decisions"][0]["reason"]["text"]["en"] == "the first Kingdom card was Cellar (Base)"

    def test_landscapes_are_not_looked_at_by_decisions(self, deal: Deals) -> None:
        setup = deal.setup("Alms", "Bank", *self.KINGDOM, "Rats", "Quest")
        assert [decision["decided_by"] for decision in setup["decisions"]] == ["Bank", "Rats"]

    def test_tenth_card_from_dark_ages_brings_shelters(self, deal: Deals) -> None:
        setup = deal.setup("Artisan", *self.KINGDOM, "Rats")
        assert self.answers(setup) == {"platinum-colony": False, "shelters": True}
        assert {"Hovel", "Necropolis", "Overgrown Estate"} <= set(get_names(setup["starting_deck"]))
        assert "Estate" not in get_names(setup["starting_deck"])
        assert "Estate" in get_names(setup["piles"])

    def test_bane_is_not_the_tenth_card(self, deal: Deals) -> None:
        setup = deal.setup("Young Witch", *self.KINGDOM, "Artisan", stacked={"Bane": ["Squire"]})
        assert self.answers(setup)["shelters"] is False

    @pytest.mark.parametrize("answer", [True, False])
    def test_settings_force_the_decisions(self, deal: Deals, answer: bool) -> None:
        setup = deal.setup("Bank", *self.KINGDOM, "Rats", colony=answer, shelters=answer)
        assert self.answers(setup) == {"platinum-colony": answer, "shelters": answer}
        assert {decision["reason"]["text"]["en"] for decision in setup["decisions"]} == {"as requested"}
        assert {decision["decided_by"] for decision in setup["decisions"]} == {None}

    def test_random_card_never_decides_both_questions(self, deal: Deals) -> None:
        for n in range(60):
            ways: list[dict[str, Any]] = [
                {"colony_by": "random-card", "shelters_by": "random-card"},
                {"colony_by": "random-card"},
                {"shelters_by": "random-card"},
            ]
            for methods in ways:
                setup = deal.setup(seed=str(n), **methods)
                first, second = (decision["decided_by"] for decision in setup["decisions"])
                assert first != second
                assert {first, second} <= set(used(setup, "kingdom"))

    def test_random_card_can_be_any_kingdom_card(self, deal: Deals) -> None:
        looked_at: Counter[int] = Counter()
        for n in range(300):
            setup = deal.setup(seed=str(n), sets=["base-2e"], colony_by="random-card")
            looked_at[used(setup, "kingdom").index(setup["decisions"][0]["decided_by"] or "")] += 1
        assert set(looked_at) == set(range(9))  # the tenth decides Shelters


class TestOptions:
    def test_too_few_kingdom_cards_are_refused(self, deal: Deals) -> None:
        with pytest.raises(TooFewCards, match="Envoy has 1 Kingdom card; 10 are needed"):
            deal_table(deal.game, Request(("envoy",), 2, "x"))
        assert len(deal.setup(sets=["alchemy"])["turned"]) == 10

    @pytest.mark.parametrize("players", [0, 1, 7, 8])
    def test_unsupported_player_counts_are_refused(self, deal: Deals, players: int) -> None:
        with pytest.raises(BadOptions, match="for 2 to 6 players"):
            deal.setup(players=players)

    def test_contradicting_options_are_refused(self, game: Game) -> None:
        with pytest.raises(BadOptions, match="--ways 3 can't be more than --landscapes 2"):
            game.validate_settings({"ways": 3})
        with pytest.raises(BadOptions, match="use either --colony"):
            game.validate_settings({"colony": True, "colony_by": "random-card"})
        assert game.validate_settings({"ways": 3, "landscapes": 3, "colony_by": "first-card"}) == {
            "ways": 3,
            "landscapes": 3,
        }


class TestSeeds:
    def test_seed_gives_the_same_table_each_time(self, deal: Deals) -> None:
        assert deal.setup(seed="k7f3") == deal.setup(seed="k7f3")
        assert deal.setup(seed="k7f3")["turned"] != deal.setup(seed="k7f4")["turned"]

    def test_seed_gives_the_recorded_table(self) -> None:
        """The cards that this seed has dealt since the first version, on every machine and Python version."""
        first = run("--sets", "base,adventures", "--players", "3", "--seed", "k7f3", "--json")
        turned = {card["id"]: card for card in json.loads(first.stdout)["turned"]}
        for name, number in (("Chapel", 1), ("Bureaucrat", 10)):
            said = {"name": name, "use": "kingdom", "position": number}
            assert said.items() <= turned[name.casefold()].items()

    def test_hash_seed_of_python_does_not_change_the_table(self, tmp_path: Path) -> None:
        """No draw depends on the order of a set."""
        outputs = set()
        for hash_seed in ("0", "1", "2"):
            args = [sys.executable, "-m", "randomizer", "--sets", "all", "--seed", "x", "--json"]
            env = {
                "PYTHONHASHSEED": hash_seed,
                "XDG_CACHE_HOME": str(tmp_path),
                "PATH": "",
                "PYTHONUTF8": "1",
            }
            done = subprocess.run(args, env=env, cwd=TESTS_DIR.parent, capture_output=True, check=True)
            outputs.add(done.stdout)
        assert len(outputs) == 1

    def test_unchosen_sets_in_the_data_do_not_change_the_table(self, deal: Deals, tmp_path: Path) -> None:
        """The same deal from a file in which another set has been added and every line shuffled."""
        extra = tmp_path / "extra.yaml"
        cards = [f"  - {{name: Zz {n}, set: mine, cost: {n % 8}, types: [Action]}}" for n in range(40)]
        extra.write_text("sets: {mine: Mine}\ncards:\n" + "\n".join(cards))
        bigger = games.load(extra_files=[str(extra)], cache=str(tmp_path))
        for n in range(5):
            options = Request(("base-2e", "rising-sun", "cornucopia-guilds-2e"), 3, str(n))
            ours = build_setup(deal.game, options, deal_table(deal.game, options), deal.languages)
            theirs = build_setup(bigger, options, deal_table(bigger, options), deal.languages)
            assert {**ours, "generator": None} == {**theirs, "generator": None}

    def test_order_of_the_data_does_not_change_the_table(self, deal: Deals) -> None:
        every = list(deal.game.cards.values())
        random.Random(1).shuffle(every)
        other = deal.game._replace(cards=deal.game.cards.from_cards(every))
        options = Request(("base-2e", "adventures", "allies"), 4, "k")
        ours, theirs = deal_table(deal.game, options), deal_table(other, options)
        assert list(ours.piles) == list(theirs.piles)
        assert list(ours.landscapes) == list(theirs.landscapes)

    def test_player_count_does_not_change_the_kingdom(self, deal: Deals) -> None:
        assert deal.setup(players=2)["turned"] == deal.setup(players=6)["turned"]

    def test_generated_seed_is_short_and_printed(self) -> None:
        outputs = {run("--json").stdout for _ in range(3)}
        assert len(outputs) == 3
        assert all('"seed": "' in output for output in outputs)


def test_draws_are_uniform(deal: Deals) -> None:
    """Every card comes up about as often; `benchmarks/fairness.py` tests this with many more deals."""
    counts: Counter[str] = Counter()
    for n in range(600):
        counts.update(used(deal.setup(seed=f"even {n}", sets=["base-2e"]), "kingdom"))
    expected = 600 * 10 / 26
    assert len(counts) == 26
    square = sum((count - expected) ** 2 / (expected * 16 / 26) for count in counts.values())
    assert square < 60  # 25 degrees of freedom: 1 in 10,000 for true dice
