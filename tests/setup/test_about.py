"""The summary of a game: which cards have which abilities, which abilities are missing, and the costs."""

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
from randomizer.setup.texts import build_prose, format_cost
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


def get_aspects(deal: Deals, *cards: str, **options: Any) -> dict[str, list[str]]:
    """Deal a table on which these cards are turned up first, and return its cards by heading."""
    about = add_about(deal.setup(*cards, **{"landscapes": 0, **options}), deal.game)["about"]
    return {aspect["title"]["en"]: aspect["cards"] for aspect in about["aspects"]}


class TestFacts:
    def test_each_heading_lists_its_cards(self, deal: Deals) -> None:
        aspects = get_aspects(deal, *TEN)
        assert sorted(aspects.pop("Draw")) == ["Smithy", "Vault"]
        assert sorted(aspects.pop("Alternative VP")) == ["Duke", "Island"]
        assert aspects == {
            "Villages": ["Bazaar"],
            "+Buy": ["Woodcutter"],
            "Trashing": ["Chapel"],
            "Gaining": [],
            "Attacks": [],
            "Attack defence": [],
        }

    def test_landscapes_are_listed_under_headings(self, deal: Deals) -> None:
        aspects = get_aspects(deal, "Way of the Ox", "Wall", *TEN, landscapes=2)
        assert "Way of the Ox" in aspects["Villages"] and "Wall" in aspects["Alternative VP"]

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
    def test_pile_counts_as_attack_if_its_cards_or_their_companions_attack(
        self, deal: Deals, card: str, attack: bool
    ) -> None:
        assert get_aspects(deal, card, *TEN[:9])["Attacks"] == [card] * attack

    def test_chosen_pile_outside_the_supply_and_card_set_aside_are_listed(self, deal: Deals) -> None:
        """Other cards outside the Supply, such as Horses, count only through the cards that gain them."""
        aspects = get_aspects(deal, "Ferryman", *TEN[:9], stacked={"Ferryman": ["Militia"]})
        assert aspects["Attacks"] == ["Militia"]
        aspects = get_aspects(deal, "Riverboat", *TEN[:9], stacked={"Riverboat": ["Witch"]})
        assert aspects["Attacks"] == ["Witch"]
        assert sorted(get_aspects(deal, "Supplies", *TEN[:9])["Draw"]) == ["Smithy", "Supplies", "Vault"]

    def test_costs_are_counted_without_marks_in_ascending_order(self, deal: Deals) -> None:
        setup = deal.setup("Peddler", "Doctor", "Engineer", "Vineyard", "University", *TEN[:5], landscapes=0)
        costs = add_about(setup, deal.game)["about"]["costs"]
        assert [(format_cost(cost["cost"]), cost["count"]) for cost in costs] == [
            ("4D", 1),
            ("P", 1),
            ("$2", 1),
            ("$2 P", 1),
            ("$3", 2),
            ("$4", 2),
            ("$5", 1),
            ("$8", 1),
        ]

    def test_card_missing_from_the_data_is_listed_as_unknown(self, game: Game, deal: Deals) -> None:
        setup = deal.setup("Bazaar", *TEN[1:], landscapes=0)
        text = json.dumps(setup).replace('"Bazaar"', '"Topiary"')
        about = add_about(json.loads(text), game)["about"]
        assert about["unknown"] == ["Topiary"]
        assert {"title": build_prose("Villages", deal.languages), "cards": []} in about["aspects"]

    def test_game_without_abilities_is_refused(self, deal: Deals) -> None:
        with pytest.raises(BadOptions, match="doesn't say what its cards do"):
            add_about(deal.setup(), load("pergamemnon"))

    def test_every_heading_has_cards_in_the_data(self, game: Game) -> None:
        for heading in game.about:
            cards = game.cards.values()
            assert any(heading.does in card.does or heading.type in card.types for card in cards), heading


class TestDocument:
    def test_add_about_adds_one_key_and_changes_nothing_else(self, deal: Deals) -> None:
        setup = deal.setup(*TEN)
        more: dict[str, Any] = {**add_about(setup, deal.game)}
        assert loads(json.dumps(more)) == more
        assert more.pop("about") and more == setup

    def test_deal_adds_about_only_on_request(self) -> None:
        assert "about" not in json.loads(run(*DEAL, "--json").stdout)
        many = run(*DEAL, "--about", "--json", "--count", "2").stdout.splitlines()
        assert all("about" in json.loads(line) for line in many)

    def test_show_adds_about_on_request_and_keeps_an_existing_one(self) -> None:
        plain, more = run(*DEAL, "--json").stdout, run(*DEAL, "--about", "--json").stdout
        assert run("show", "-", "--about", "--json", input=plain).stdout == more
        assert run("show", "-", "--json", input=more).stdout == more
        text = run(*DEAL, "--about").stdout
        assert run("show", "-", "--about", input=plain).stdout == run("show", "-", input=more).stdout == text

    def test_second_deal_drops_about_or_describes_the_new_kingdom(self, deal: Deals) -> None:
        """The summary describes one Kingdom, so the second deal does not keep that of the first."""
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
    def test_page_has_a_line_per_heading_and_a_bar_per_cost(self, deal: Deals) -> None:
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

    def test_page_without_about_has_no_section_for_it(self, deal: Deals) -> None:
        page = Page(deal.setup(*TEN), deal.languages[0])
        assert (page.about.texts, page.costs.counts) == ([], [])

    def test_line_format_lists_missing_aspects(self) -> None:
        plain = run(*DEAL, "--format", "line").stdout.rstrip("\n")
        assert run(*DEAL, "--format", "line", "--about").stdout == f"{plain} · Missing: Alternative VP\n"

    def test_page_lists_cards_missing_from_the_data(self, deal: Deals) -> None:
        text = json.dumps(deal.setup("Bazaar", *TEN[1:], landscapes=0)).replace('"Bazaar"', '"Topiary"')
        page = Page(add_about(json.loads(text), deal.game), deal.languages[0])
        assert "Effect unknown: Topiary" in page.about.texts

    def test_bar_has_a_maximum_length(self, deal: Deals) -> None:
        setup = add_about(deal.setup(*TEN), deal.game)
        setup["about"]["costs"] = [{"cost": {"coins": 2, "potion": 0, "debt": 0, "mark": ""}, "count": 1000}]
        text = render(Page(setup, deal.languages[0]), Style(80))
        assert "\n $2  1000  " + "#" * 40 + "\n" in text and "#" * 41 not in text

    def test_about_option_is_refused_for_a_game_without_abilities(self) -> None:
        result = run("--game", "pergamemnon", "--about")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: the data of Pergamemnon doesn't say what its cards do.\n"


def test_cards_in_a_users_file_are_listed(tmp_path: Path) -> None:
    """They may use abilities of the game, or define others with their own headings."""
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
