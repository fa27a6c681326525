"""What kind of game a table makes: which of its cards do what, what none does, and the costs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.game import Game
from randomizer.load.games import load
from randomizer.load.languages import load as load_language
from randomizer.setup.about import add_about
from randomizer.setup.document import Setup
from randomizer.setup.schema import loads
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text.errors import BadOptions
from randomizer.text.screen import Style
from tests.support import Deals, get_names, run

TEN = (
    "Bazaar",
    "Smithy",
    "Woodcutter",
    "Chapel",
    "Island",
    "Cellar",
    "Chancellor",
    "Scheme",
    "Vault",
    "Duke",
)
DEAL = ["--sets", "base,adventures", "--players", "3", "--seed", "k7f3"]


def told(deal: Deals, *cards: str, **asked: Any) -> dict[str, list[str]]:
    """By their headings, the cards of a table on which these are turned up first."""
    about = add_about(deal.setup(*cards, **{"landscapes": 0, **asked}), deal.game)["about"]
    return {aspect["title"]: aspect["cards"] for aspect in about["aspects"]}


class TestFacts:
    def test_the_cards_under_each_heading(self, deal: Deals) -> None:
        said = told(deal, *TEN)
        assert sorted(said.pop("Draw")) == ["Smithy", "Vault"]
        assert sorted(said.pop("Alternative VP")) == ["Duke", "Island"]
        assert said == {
            "Villages": ["Bazaar"],
            "+Buy": ["Woodcutter"],
            "Trashing": ["Chapel"],
            "Gaining": [],
            "Attacks": [],
            "Attack defence": [],
        }

    def test_landscapes_count_too(self, deal: Deals) -> None:
        said = told(deal, "Way of the Ox", "Wall", *TEN, landscapes=2)
        assert "Way of the Ox" in said["Villages"] and "Wall" in said["Alternative VP"]

    @pytest.mark.parametrize(
        ("card", "attack"),
        [
            ("Page", True),  # Warrior
            ("Augurs", True),  # Sorceress
            ("Tournament", True),  # Followers, one of the Prizes
            ("Knights", True),  # all of them
            ("Sack of Loot", False),  # Sword is one of fifteen, and shuffled
            ("Leprechaun", False),  # its Hexes are its owner's
        ],
    )
    def test_an_attack_of_the_pile_or_of_what_comes_with_it(
        self, deal: Deals, card: str, attack: bool
    ) -> None:
        assert told(deal, card, *TEN[:9])["Attacks"] == [card] * attack

    def test_a_pile_beside_the_supply_and_a_single_card_count(self, deal: Deals) -> None:
        """Of what lies beside the Supply, the Kingdom pile chosen; Horses only through who gains them."""
        said = told(deal, "Ferryman", *TEN[:9], stacked={"Ferryman": ["Militia"]})
        assert said["Attacks"] == ["Militia"]
        said = told(deal, "Riverboat", *TEN[:9], stacked={"Riverboat": ["Witch"]})
        assert said["Attacks"] == ["Witch"]
        assert sorted(told(deal, "Supplies", *TEN[:9])["Draw"]) == ["Smithy", "Supplies", "Vault"]

    def test_costs_without_their_marks_lowest_first(self, deal: Deals) -> None:
        setup = deal.setup("Peddler", "Doctor", "Engineer", "Vineyard", "University", *TEN[:5], landscapes=0)
        costs = add_about(setup, deal.game)["about"]["costs"]
        assert [(cost["cost"], cost["count"]) for cost in costs] == [
            ("4D", 1),
            ("P", 1),
            ("$2", 1),
            ("$2 P", 1),
            ("$3", 2),
            ("$4", 2),
            ("$5", 1),
            ("$8", 1),
        ]

    def test_cards_that_the_data_do_not_know(self, game: Game, deal: Deals) -> None:
        setup = deal.setup("Bazaar", *TEN[1:], landscapes=0)
        text = json.dumps(setup).replace('"Bazaar"', '"Topiary"')
        about = add_about(json.loads(text), game)["about"]
        assert about["unknown"] == ["Topiary"]
        assert {"title": "Villages", "cards": []} in about["aspects"]

    def test_a_game_that_does_not_say_it(self, deal: Deals) -> None:
        with pytest.raises(BadOptions, match="doesn't say what its cards do"):
            add_about(deal.setup(), load("pergamemnon"))

    def test_every_heading_has_cards_in_the_data(self, game: Game) -> None:
        for heading in game.about:
            cards = game.cards.values()
            assert any(heading.does in card.does or heading.type in card.types for card in cards), heading


class TestDocument:
    def test_nothing_else_of_it_changes(self, deal: Deals) -> None:
        setup = deal.setup(*TEN)
        more: dict[str, Any] = {**add_about(setup, deal.game)}
        assert loads(json.dumps(more)) == more
        assert more.pop("about") and more == setup

    def test_only_where_it_is_asked_for(self) -> None:
        assert "about" not in json.loads(run(*DEAL, "--json").stdout)
        many = run(*DEAL, "--about", "--json", "--count", "2").stdout.splitlines()
        assert all("about" in json.loads(line) for line in many)

    def test_show_adds_it_and_a_document_keeps_it(self) -> None:
        plain, more = run(*DEAL, "--json").stdout, run(*DEAL, "--about", "--json").stdout
        assert run("show", "-", "--about", "--json", input=plain).stdout == more
        assert run("show", "-", "--json", input=more).stdout == more
        text = run(*DEAL, "--about").stdout
        assert run("show", "-", "--about", input=plain).stdout == run("show", "-", input=more).stdout == text

    def test_a_second_deal_is_another_game(self, deal: Deals) -> None:
        """What was said of the first Kingdom is not said of the second; asked again, it is of the new one."""
        setup = deal.setup("Mountain Shrine", *TEN[:9], landscapes=0, stacked={"Prophecy": ["Divine Wind"]})
        first = json.dumps(add_about(setup, deal.game))
        assert "about" not in json.loads(run("divine-wind", "-", "--json", input=first).stdout)
        second: Setup = json.loads(run("divine-wind", "-", "--about", "--json", input=first).stdout)
        there = {
            *get_names(second["piles"]),
            *get_names(second["landscapes"]),
            *get_names(second["set_aside"]),
        }
        shown = {card for aspect in second["about"]["aspects"] for card in aspect["cards"]}
        assert shown and shown <= there


class TestWords:
    def test_a_line_for_each_heading_and_a_bar_for_each_cost(self, deal: Deals) -> None:
        setup = deal.setup(*TEN, landscapes=0)
        page = Page(add_about(setup, deal.game), deal.languages[0])
        english = page.about
        assert english.title == "About this kingdom"
        assert "Villages: Bazaar" in english.texts
        assert "Missing: Gaining, Attacks, Attack defence" in english.texts
        assert page.costs == ("Kingdom piles by cost:", [("$2", 2), ("$3", 3), ("$4", 2), ("$5", 3)])
        bars = render(page, Style(80)).partition(" Kingdom piles by cost:\n")[2].splitlines()
        assert bars[:4] == [" $2  2  ##", " $3  3  ###", " $4  2  ##", " $5  3  ###"]
        japanese = Page(add_about(setup, deal.game), load_language("ja", deal.game)).about
        assert "村：バザー" in japanese.texts and "ないもの：獲得、アタック、アタック対策" in japanese.texts

    def test_no_block_where_nobody_asked(self, deal: Deals) -> None:
        page = Page(deal.setup(*TEN), deal.languages[0])
        assert (page.about.texts, page.costs.counts) == ([], [])

    def test_a_line_says_what_is_not_there(self) -> None:
        plain = run(*DEAL, "--format", "line").stdout.rstrip("\n")
        assert run(*DEAL, "--format", "line", "--about").stdout == f"{plain} · Missing: Alternative VP\n"

    def test_what_nobody_knows_is_said(self, deal: Deals) -> None:
        text = json.dumps(deal.setup("Bazaar", *TEN[1:], landscapes=0)).replace('"Bazaar"', '"Topiary"')
        page = Page(add_about(json.loads(text), deal.game), deal.languages[0])
        assert "Effect unknown: Topiary" in page.about.texts

    def test_a_bar_ends_at_the_edge(self, deal: Deals) -> None:
        setup = add_about(deal.setup(*TEN), deal.game)
        setup["about"]["costs"] = [{"cost": "$2", "count": 1000}]
        text = render(Page(setup, deal.languages[0]), Style(80))
        assert "\n $2  1000  " + "#" * 40 + "\n" in text and "#" * 41 not in text

    def test_a_game_without_words_is_refused(self) -> None:
        result = run("--game", "pergamemnon", "--about")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: the data of Pergamemnon doesn't say what its cards do.\n"


def test_a_users_cards_count(tmp_path: Path) -> None:
    """With the words of the game, or of their own under a heading of their own."""
    cards = "\n".join(
        f"  - {{name: Bed {n}, set: beds, cost: 2, types: [Action], does: [sweet, village]}}"
        for n in range(10)
    )
    path = tmp_path / "beds.yaml"
    path.write_text(
        "sets: {beds: Beds}\ndoes: {sweet: smells}\nabout: [{title: Scent, does: sweet}]\ncards:\n" + cards,
        encoding="utf-8",
    )
    text = run("--cards", str(path), "--sets", "beds", "--about").stdout
    flat = " ".join(text.split())
    for title in ("Villages", "Scent"):
        (listed,) = re.findall(rf"{title}: ((?:Bed \d, ){{9}}Bed \d)", flat)
        assert len(set(listed.split(", "))) == 10
    assert "Missing: Draw, +Buy" in flat and "$2 10 ##########" in flat
