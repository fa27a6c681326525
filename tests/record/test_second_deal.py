"""The second deal: Divine Wind replaces the Kingdom in the middle of the game (setup rules A53)."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from randomizer.load.gamefile import read_game
from randomizer.record.second_deal import deal_again
from randomizer.setup.checklist import to_item
from randomizer.setup.document import Item, Setup
from randomizer.show.page import Page
from randomizer.text.errors import BadDocument, BadOptions
from tests.support import Deals, find_by_name, get_names, run
from tests.support.laws import CARD_FACTS, PILES_BY_MEMBER, SECOND_LAWS
from tests.support.oracle import get_cards_in_use
from tests.support.witness import NOTES_BY_CARD, ONCE, UNTIL_THE_END, WHILE_PILE_REMAINS, SecondDealOracle

WIND = {"Prophecy": ["Divine Wind"]}
PROSPERITY = ["base-2e", "prosperity-1e", "dark-ages", "rising-sun"]
MARKED = ["base-2e", "plunder", "empires", "cornucopia", "dark-ages", "rising-sun"]
LIAISONS = [
    name for name, row in CARD_FACTS.items() if "Liaison" in row["types"] and row["kind"] == "kingdom"
]
TELLING = [name for name in NOTES_BY_CARD if CARD_FACTS[name]["kind"] == "kingdom"]


def dealt(
    deal: Deals,
    *first: str,
    seed: str = "wind",
    chosen: dict[str, list[str]] | None = None,
    then: Sequence[str] = (),
    **options: Any,
) -> tuple[Setup, Setup]:
    """A table with Divine Wind, and what it becomes: `then` are the new cards, as far as they are unused."""
    setup = deal.setup("Tea House", *first, seed=seed, stacked={**WIND, **(chosen or {})}, **options)
    again = deal_again(deal.game, setup, deal.languages, {"randomizers": then})
    for law in SECOND_LAWS:
        law(setup, again)
    return setup, again


def lines(setup: Setup, name: str) -> list[tuple[int | None, str]]:
    """The lines of the checklist for a thing."""
    items = [item for section in setup["checklist"] for item in section["items"]]
    return [(item["count"], item["detail"]) for item in items if item["name"] == name]


def told(setup: Setup) -> list[str]:
    return [note["text"] for note in setup["notes"]]


def kingdom(setup: Setup) -> list[str]:
    return [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"]


def said(page: Page) -> list[tuple[str, list[Item]]]:
    """The checklist of a page, as a document would hold its lines."""
    return [(section.title, [*map(to_item, section.lines)]) for section in page.sections]


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
            before = get_cards_in_use(first)
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
                assert "Ruins" in get_names(second["piles"])
            if "Reserve" in types:
                assert "Tavern mat" in get_names(second["components"])
            if any("P" in pile["cost"] for pile in second["piles"] if pile["name"] in kingdom(second)):
                assert "Potion" in get_names(second["piles"])
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
        with pytest.raises(BadDocument, match="has already been replaced"):
            deal_again(deal.game, second, deal.languages)

    def test_only_where_it_is_on_the_table(self, deal: Deals) -> None:
        with pytest.raises(BadDocument, match="Divine Wind is not on this table"):
            deal_again(deal.game, deal.setup(sets=["base-2e"]), deal.languages)

    def test_another_game_has_none(self, deal: Deals) -> None:
        game = deal.game._replace(second_deal=None)
        with pytest.raises(BadOptions, match="Dominion has no card that replaces the Kingdom"):
            deal_again(game, deal.setup(), deal.languages)


class TestWhatLiesThereAlready:
    """New cards meet what stays on the table."""

    @pytest.mark.parametrize("liaison", LIAISONS)
    def test_more_tokens_go_where_some_lie(self, deal: Deals, liaison: str) -> None:
        """Four Favors more for Importer, and no second one for the other Liaisons."""
        then = [name for name in LIAISONS if name != liaison]
        _, second = dealt(deal, liaison, then=then, players=3)
        more = [(4, "on the Favors mat")] if "Importer" in then else []
        assert lines(second, "Favor tokens") == more

    @pytest.mark.parametrize(("colony", "shelters"), [(True, False), (False, True), (True, True)])
    def test_tokens_go_on_every_pile_that_stays(self, deal: Deals, colony: bool, shelters: bool) -> None:
        """Estate too, whether the decks began with Estates or not."""
        forced: Any = {"colony": colony, "shelters": shelters}
        old = ["Cellar", "Market", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop"]
        first, second = dealt(deal, *old, then=["Trade Route", "Gardens"], sets=PROSPERITY, **forced)
        assert ("Estate" in get_names(first["starting_deck"])) is not shelters
        spots = {tokens["on"] for tokens in second["placed"] if tokens["name"] == "Coin tokens"}
        assert spots >= {"Estate", "Duchy", "Province", "Gardens", *(["Colony"] if colony else [])}

    @pytest.mark.parametrize("fate", ["Bard", "Idol", "Pixie", "Fool"])
    def test_cards_are_turned_over_from_a_deck_that_stays(self, deal: Deals, fate: str) -> None:
        first, second = dealt(deal, fate, then=["Druid"])
        stays, turned = (deck for deck in second["decks"] if deck["name"] == "Boons")
        assert len(stays["cards"]) == stays["count"] == len(stays["contents"]) == 9
        assert (len(turned["face_up"]), turned["cards"], turned["because"]) == (3, [], ["Druid"])
        assert {*stays["cards"], *turned["face_up"]} == {*find_by_name(first["decks"], "Boons")["cards"]}
        assert second["missing"] == []
        (line,) = lines(second, "Boons")
        assert line[0] == 3 and all(name in line[1] for name in turned["face_up"])

    def test_how_the_deck_lies_makes_no_difference(self, deal: Deals) -> None:
        first, second = dealt(deal, "Bard", then=["Druid"])
        find_by_name(first["decks"], "Boons")["cards"].reverse()
        again = deal_again(deal.game, first, deal.languages, {"randomizers": ["Druid"]})
        assert again["decks"][-1] == second["decks"][-1]

    def test_each_of_the_deck_may_be_turned_over(self, deal: Deals) -> None:
        seen = set()
        for seed in range(40):
            _, second = dealt(deal, "Bard", then=["Druid"], seed=str(seed))
            seen |= {name for deck in second["decks"] for name in deck["face_up"]}
        assert len(seen) == 12

    @pytest.mark.parametrize(
        "card", sorted(name for name, row in CARD_FACTS.items() if row["kind"] == "split-member")
    )
    @pytest.mark.parametrize("asker", ["Black Market", "Riverboat"])
    def test_a_pile_of_which_a_card_is_used_does_not_come(self, deal: Deals, card: str, asker: str) -> None:
        """As long as its asker may have it: the deck may have any, Riverboat non-Duration Actions at $5."""
        pile = PILES_BY_MEMBER[card]
        slot = {"Black Market": "Black Market deck"}.get(asker, asker)
        chosen = {slot: [pile], f"{slot}\0{pile}": [card]}
        first, second = dealt(deal, asker, chosen=chosen, then=[pile])
        if card in get_cards_in_use(first):
            assert pile not in kingdom(second)
        else:
            assert asker == "Riverboat"

    def test_the_last_token_has_gone(self, deal: Deals) -> None:
        """Or the moment had not come; new Omens bring no new ones."""
        first, second = dealt(deal, then=["Poet", "Kitsune"])
        assert find_by_name(first["placed"], "Sun tokens")["on"] == "Divine Wind"
        assert "Sun tokens" not in get_names(second["placed"])
        assert not [name for name in second["second_deal"]["stays"] if name.startswith("Sun tokens")]


class TestWhatHoldsOn:
    """What holds in games that use a card goes on without it (Rising Sun rulebook p8)."""

    @pytest.mark.parametrize("card", TELLING)
    def test_a_rule_of_the_first_kingdom(self, deal: Deals, card: str) -> None:
        first, second = dealt(deal, card, landscapes=0)
        rules = [note for note in first["notes"] if note["because"][-1] == card]
        assert rules
        for rule in rules:
            assert (rule in second["notes"]) is (NOTES_BY_CARD[card][1] == UNTIL_THE_END)

    @pytest.mark.parametrize("card", TELLING)
    def test_a_rule_of_the_second_kingdom(self, deal: Deals, card: str) -> None:
        both = (dealt(deal, then=[card], landscapes=0, seed=seed) for seed in ("wind", *"12345"))
        second = next(second for first, second in both if card not in get_cards_in_use(first))
        assert [note for note in second["notes"] if note["because"][-1:] == [card]]

    @pytest.mark.parametrize(
        "card", [name for name, (_, how_long) in NOTES_BY_CARD.items() if how_long == WHILE_PILE_REMAINS]
    )
    def test_a_rule_about_a_pile_goes_with_it(self, deal: Deals, card: str) -> None:
        """It holds on where the pile is one that stays, such as Ferryman's."""
        row = CARD_FACTS[card]
        _, second = dealt(deal, "Ferryman", chosen={"Ferryman": [card]}, landscapes=0)
        stays = row["cost_coins"] in ("3", "4")
        assert (card in get_names(second["piles"])) is stays
        assert [card in note["because"] for note in second["notes"]].count(True) == stays
        _, second = dealt(deal, "Young Witch", chosen={"Bane": [card]}, landscapes=0)
        assert card in second["second_deal"]["leaves"]
        assert not [note for note in second["notes"] if card in note["because"]]

    @pytest.mark.parametrize(
        "card", [name for name, (_, how_long) in NOTES_BY_CARD.items() if how_long == ONCE]
    )
    def test_what_was_to_be_done_is_done(self, deal: Deals, card: str) -> None:
        first, second = dealt(deal, card, landscapes=1)
        assert [note for note in first["notes"] if card in note["because"]]
        assert not [note for note in second["notes"] if card in note["because"]]

    def test_what_nobody_in_particular_asks_for_holds(self, deal: Deals, tmp_path: Path) -> None:
        """A house rule of the opening is told as long as the game lasts."""
        own = tmp_path / "own.yaml"
        own.write_text("opening: {note: The youngest begins.}\n", encoding="utf-8")
        data = Path(__file__).parents[2] / "data" / "cards.yaml"
        house = Deals(read_game([str(data), str(own)]), deal.languages)
        first = house.setup("Tea House", stacked=WIND)
        second = deal_again(house.game, first, house.languages)
        assert "The youngest begins." in told(first) and told(second).count("The youngest begins.") == 1

    def test_marks_go_on_for_the_cards_of_their_pile(self, deal: Deals) -> None:
        """Of a Trait, Obelisk and the Bane it is said which they were; a pile that stays keeps its mark."""
        marks = {"Bane": ["Cellar"], "Rich": ["Market"], "Obelisk": ["Smithy"]}
        first, second = dealt(
            deal, "Rich", "Obelisk", "Young Witch", "Market", "Smithy", chosen=marks, sets=MARKED
        )
        for mark, (pile,) in marks.items():
            assert find_by_name(first["piles"], pile)["marks"] == [mark]
            assert f"{mark}: still the cards from the old {pile} pile." in told(second)
        first, second = dealt(deal, "Obelisk", "Cultist", chosen={"Obelisk": ["Ruins"]}, sets=MARKED)
        assert find_by_name(second["piles"], "Ruins")["marks"] == ["Obelisk"]
        assert not [text for text in told(second) if text.startswith("Obelisk")]


class TestWhatDidNotMatterBefore:
    """A rule for a sort of card that had nothing to do at the first deal is there for the second."""

    def test_a_shadow_card_that_was_set_aside_told_nothing(self, deal: Deals) -> None:
        first, second = dealt(deal, "Riverboat", chosen={"Riverboat": ["Ronin"]}, then=["Alley"])
        assert not any("Shadow" in text for text in told(first))
        assert sum("Shadow" in text for text in told(second)) == 1

    def test_vp_gather_on_a_pile_and_not_on_a_single_card(self, deal: Deals) -> None:
        first, second = dealt(deal, "Riverboat", chosen={"Riverboat": ["Wild Hunt"]}, then=["Temple"])
        assert "VP tokens" not in get_names(first["components"])
        assert get_names(second["components"]).count("VP tokens") == 1

    def test_a_mat_that_stays_and_another_that_serves_for_it_too(self, deal: Deals) -> None:
        first, second = dealt(deal, "Baker", then=["Lackeys"])
        assert "Coffers mat" in get_names(first["components"])
        assert get_names(second["components"]).count("Coffers/Villagers mat") == 1


class TestPage:
    """What people read in the middle of a game."""

    @pytest.mark.parametrize("language", [0, 1])
    def test_what_stays_is_told_place_by_place(self, deal: Deals, language: int) -> None:
        """All of it but starting decks, trash and tokens, and nothing else."""
        first, second = dealt(
            deal,
            "Bard",
            "Page",
            "Peasant",
            "Underling",
            "Riverboat",
            "Ferryman",
            "Trade Route",
            "Flag Bearer",
        )
        witness = SecondDealOracle(first, second)
        words = deal.languages[language]
        shelves = ("piles", "landscapes", "decks", "set_aside", "components")
        wanted = {words.translate_name(name) for key in shelves for name in get_names(witness.kept[key])}
        found = [
            text.split(" (")[0]
            for line in Page(second, words).remaining.texts
            for text in line.split(words.translate(", "))
        ]
        colon = words.translate("{title}: {text}", title="", text="")
        assert {text.split(colon)[-1] for text in found} == wanted and len(found) == len(wanted)

    def test_a_first_deal_leaves_nothing(self, deal: Deals) -> None:
        assert Page(deal.setup(), deal.languages[0]).remaining.texts == []

    def test_it_does_not_say_what_the_first_deal_decided(self, deal: Deals) -> None:
        first, second = dealt(deal)
        assert Page(first, deal.languages[0]).decisions.texts
        assert Page(second, deal.languages[0]).decisions.texts == []

    def test_piles_that_leave_are_told_box_by_box(self, deal: Deals) -> None:
        _, second = dealt(deal, sets=MARKED)
        section = Page(second, deal.languages[0]).sections[0]
        assert section.title.startswith("Return to the boxes")
        boxes = [line.box for line in section.lines]
        assert all(boxes) and len(boxes) == 10
        assert boxes == sorted(boxes, key=boxes.index)  # each once


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
            shown.index("Return to the boxes") : shown.index(
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
