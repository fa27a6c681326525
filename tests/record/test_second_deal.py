"""The second deal: Divine Wind replaces the Kingdom in the middle of the game (setup rules A53)."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from randomizer.load.gamefile import read_game
from randomizer.record.second_deal import deal_again
from randomizer.setup.document import Setup
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
CARDS_WITH_NOTES = [name for name in NOTES_BY_CARD if CARD_FACTS[name]["kind"] == "kingdom"]


def deal_twice(
    deal: Deals,
    *first: str,
    seed: str = "wind",
    chosen: dict[str, list[str]] | None = None,
    then: Sequence[str] = (),
    **options: Any,
) -> tuple[Setup, Setup]:
    """Deal a table with Divine Wind, then its second deal, with the unused cards of `then` first."""
    setup = deal.setup("Tea House", *first, seed=seed, stacked={**WIND, **(chosen or {})}, **options)
    again = deal_again(deal.game, setup, {"randomizers": then})
    for law in SECOND_LAWS:
        law(setup, again)
    return setup, again


def list_lines(setup: Setup, name: str) -> list[tuple[int | None, str]]:
    """Return the count and detail of each checklist line about a thing."""
    items = [item for section in setup["checklist"] for item in section["items"]]
    return [(item["count"], item["detail"]["en"]) for item in items if item["name"] == name]


def list_note_texts(setup: Setup) -> list[str]:
    return [note["text"]["en"] for note in setup["notes"]]


def list_kingdom(setup: Setup) -> list[str]:
    return [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"]


class TestDivineWind:
    @pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5"])
    def test_second_deal_has_ten_new_kingdom_piles(self, deal: Deals, seed: str) -> None:
        first, second = deal_twice(deal, seed=seed, landscapes=0)
        assert len([turned for turned in second["turned"] if turned["use"] == "kingdom"]) == 10
        assert not set(list_kingdom(first)) & set(list_kingdom(second))
        assert {*list_kingdom(first)} == {*get_names(second["second_deal"]["leaves"])}

    def test_second_deal_has_no_card_that_was_in_use(self, deal: Deals) -> None:
        for seed in range(10):
            first, second = deal_twice(deal, "Ferryman", "Black Market", seed=str(seed))
            before = get_cards_in_use(first)
            new = {turned["name"] for turned in second["turned"]}
            assert not new & before

    def test_second_deal_keeps_everything_outside_the_kingdom(self, deal: Deals) -> None:
        first, second = deal_twice(deal, "Druid", "Page", players=4)
        for key in ("piles", "decks", "components", "landscapes", "set_aside", "trash"):
            stays = [entry for entry in first[key] if entry.get("place") != "kingdom"]
            assert second[key][: len(stays)] == stays, key
        assert second["starting_deck"] == first["starting_deck"]

    def test_new_cards_bring_what_they_need(self, deal: Deals) -> None:
        """For example, Looters bring Ruins, Reserve cards a mat, and cards with a Potion cost the Potion."""
        seen = set()
        for seed in range(100):
            _, second = deal_twice(deal, seed=str(seed))
            types = {
                type_
                for pile in second["piles"]
                if pile["name"] in list_kingdom(second)
                for type_ in pile["types"]
            }
            if "Looter" in types:
                assert "Ruins" in get_names(second["piles"])
            if "Reserve" in types:
                assert "Tavern mat" in get_names(second["components"])
            if any(
                pile["cost"] and pile["cost"]["potion"]
                for pile in second["piles"]
                if pile["name"] in list_kingdom(second)
            ):
                assert "Potion" in get_names(second["piles"])
            seen |= types
        assert {"Looter", "Reserve"} <= seen

    def test_second_deal_repeats_no_ally_prophecy_or_starting_deck(self, deal: Deals) -> None:
        """Favors are not dealt again, and decisions stay."""
        for seed in range(20):
            first, second = deal_twice(deal, "Underling", seed=str(seed))
            kinds = [landscape["kind"] for landscape in second["landscapes"]]
            assert kinds.count("ally") == kinds.count("prophecy") == 1
            assert second["starting_deck"] == first["starting_deck"]
            assert second["decisions"] == first["decisions"]
            favors = [placed for placed in second["placed"] if placed["name"] == "Favor tokens"]
            assert len(favors) == 1

    def test_second_deal_cannot_be_repeated(self, deal: Deals) -> None:
        _, second = deal_twice(deal)
        with pytest.raises(BadDocument, match="has already been replaced"):
            deal_again(deal.game, second)

    def test_table_without_divine_wind_has_no_second_deal(self, deal: Deals) -> None:
        with pytest.raises(BadDocument, match="Divine Wind is not on this table"):
            deal_again(deal.game, deal.setup(sets=["base-2e"]))

    def test_game_without_a_second_deal_refuses_it(self, deal: Deals) -> None:
        game = deal.game._replace(second_deal=None)
        with pytest.raises(BadOptions, match="Dominion has no card that replaces the Kingdom"):
            deal_again(game, deal.setup())


class TestKeptParts:
    """The effects of new cards on the parts of the table that stay."""

    @pytest.mark.parametrize("liaison", LIAISONS)
    def test_new_liaison_adds_tokens_to_those_on_the_table(self, deal: Deals, liaison: str) -> None:
        """Importer adds four Favors; other Liaisons add none."""
        then = [name for name in LIAISONS if name != liaison]
        _, second = deal_twice(deal, liaison, then=then, players=3)
        more = [(4, "on the Favors mat")] if "Importer" in then else []
        assert list_lines(second, "Favor tokens") == more

    @pytest.mark.parametrize(("colony", "shelters"), [(True, False), (False, True), (True, True)])
    def test_new_card_puts_tokens_on_every_kept_pile(self, deal: Deals, colony: bool, shelters: bool) -> None:
        """This includes Estate, even if no starting deck has Estates."""
        forced: Any = {"colony": colony, "shelters": shelters}
        old = ["Cellar", "Market", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop"]
        first, second = deal_twice(deal, *old, then=["Trade Route", "Gardens"], sets=PROSPERITY, **forced)
        assert ("Estate" in get_names(first["starting_deck"])) is not shelters
        spots = {tokens["on"] for tokens in second["placed"] if tokens["name"] == "Coin tokens"}
        assert spots >= {"Estate", "Duchy", "Province", "Gardens", *(["Colony"] if colony else [])}

    @pytest.mark.parametrize("fate", ["Bard", "Idol", "Pixie", "Fool"])
    def test_new_card_turns_over_cards_of_a_kept_deck(self, deal: Deals, fate: str) -> None:
        first, second = deal_twice(deal, fate, then=["Druid"])
        stays, turned = (deck for deck in second["decks"] if deck["name"] == "Boons")
        assert len(stays["cards"]) == stays["count"] == len(stays["contents"]) == 9
        assert (len(turned["face_up"]), turned["cards"], turned["because"]) == (3, [], ["Druid"])
        assert {*stays["cards"], *turned["face_up"]} == {*find_by_name(first["decks"], "Boons")["cards"]}
        assert second["missing"] == []
        (line,) = list_lines(second, "Boons")
        assert line[0] == 3 and all(name in line[1] for name in turned["face_up"])

    def test_order_of_a_kept_deck_does_not_affect_the_cards_turned_over(self, deal: Deals) -> None:
        first, second = deal_twice(deal, "Bard", then=["Druid"])
        find_by_name(first["decks"], "Boons")["cards"].reverse()
        again = deal_again(deal.game, first, {"randomizers": ["Druid"]})
        assert again["decks"][-1] == second["decks"][-1]

    def test_any_card_of_a_kept_deck_may_be_turned_over(self, deal: Deals) -> None:
        seen = set()
        for seed in range(40):
            _, second = deal_twice(deal, "Bard", then=["Druid"], seed=str(seed))
            seen |= {name for deck in second["decks"] for name in deck["face_up"]}
        assert len(seen) == 12

    @pytest.mark.parametrize(
        "card", sorted(name for name, row in CARD_FACTS.items() if row["kind"] == "split-member")
    )
    @pytest.mark.parametrize("asker", ["Black Market", "Riverboat"])
    def test_pile_with_a_card_in_use_is_not_dealt_again(self, deal: Deals, card: str, asker: str) -> None:
        """Black Market may use any card, but Riverboat only non-Duration Actions costing $5."""
        pile = PILES_BY_MEMBER[card]
        slot = {"Black Market": "Black Market deck"}.get(asker, asker)
        chosen = {slot: [pile], f"{slot}\0{pile}": [card]}
        first, second = deal_twice(deal, asker, chosen=chosen, then=[pile])
        if card in get_cards_in_use(first):
            assert pile not in list_kingdom(second)
        else:
            assert asker == "Riverboat"

    def test_sun_tokens_do_not_stay(self, deal: Deals) -> None:
        """They are gone when the second deal happens, and new Omens do not bring more."""
        first, second = deal_twice(deal, then=["Poet", "Kitsune"])
        assert find_by_name(first["placed"], "Sun tokens")["on"] == "Divine Wind"
        assert "Sun tokens" not in get_names(second["placed"])
        assert "Sun tokens" not in get_names(second["placed"])


class TestNotes:
    """A rule for games using a card still applies after the card has left (Rising Sun rulebook p8)."""

    @pytest.mark.parametrize("card", CARDS_WITH_NOTES)
    def test_note_about_the_first_kingdom_stays_only_if_it_applies_until_the_end(
        self, deal: Deals, card: str
    ) -> None:
        first, second = deal_twice(deal, card, landscapes=0)
        rules = [note for note in first["notes"] if note["because"][-1] == card]
        assert rules
        for rule in rules:
            assert (rule in second["notes"]) is (NOTES_BY_CARD[card][1] == UNTIL_THE_END)

    @pytest.mark.parametrize("card", CARDS_WITH_NOTES)
    def test_note_about_the_second_kingdom_is_added(self, deal: Deals, card: str) -> None:
        both = (deal_twice(deal, then=[card], landscapes=0, seed=seed) for seed in ("wind", *"12345"))
        second = next(second for first, second in both if card not in get_cards_in_use(first))
        assert [note for note in second["notes"] if note["because"][-1:] == [card]]

    @pytest.mark.parametrize(
        "card", [name for name, (_, how_long) in NOTES_BY_CARD.items() if how_long == WHILE_PILE_REMAINS]
    )
    def test_note_about_a_pile_leaves_with_it(self, deal: Deals, card: str) -> None:
        """It stays with a pile that stays, such as Ferryman's."""
        row = CARD_FACTS[card]
        _, second = deal_twice(deal, "Ferryman", chosen={"Ferryman": [card]}, landscapes=0)
        stays = row["cost_coins"] in ("3", "4")
        assert (card in get_names(second["piles"])) is stays
        assert [card in note["because"] for note in second["notes"]].count(True) == stays
        _, second = deal_twice(deal, "Young Witch", chosen={"Bane": [card]}, landscapes=0)
        assert card in get_names(second["second_deal"]["leaves"])
        assert not [note for note in second["notes"] if card in note["because"]]

    @pytest.mark.parametrize(
        "card", [name for name, (_, how_long) in NOTES_BY_CARD.items() if how_long == ONCE]
    )
    def test_finished_step_is_not_repeated(self, deal: Deals, card: str) -> None:
        first, second = deal_twice(deal, card, landscapes=1)
        assert [note for note in first["notes"] if card in note["because"]]
        assert not [note for note in second["notes"] if card in note["because"]]

    def test_note_without_a_cause_is_kept(self, deal: Deals, tmp_path: Path) -> None:
        """A house rule of the opening applies to the whole game."""
        own = tmp_path / "own.yaml"
        own.write_text("opening: {note: The youngest begins.}\n", encoding="utf-8")
        data = Path(__file__).parents[2] / "data" / "cards.yaml"
        house = Deals(read_game([str(data), str(own)]), deal.languages)
        first = house.setup("Tea House", stacked=WIND)
        second = deal_again(house.game, first)
        assert (
            "The youngest begins." in list_note_texts(first)
            and list_note_texts(second).count("The youngest begins.") == 1
        )

    def test_notes_remember_the_marks_of_piles_that_leave(self, deal: Deals) -> None:
        """Traits, Obelisk and the Bane still apply to the old cards; a pile that stays keeps its mark."""
        marks = {"Bane": ["Cellar"], "Rich": ["Market"], "Obelisk": ["Smithy"]}
        first, second = deal_twice(
            deal, "Rich", "Obelisk", "Young Witch", "Market", "Smithy", chosen=marks, sets=MARKED
        )
        for mark, (pile,) in marks.items():
            assert find_by_name(first["piles"], pile)["marks"] == [mark]
            assert f"{mark}: still the cards from the old {pile} pile." in list_note_texts(second)
        first, second = deal_twice(deal, "Obelisk", "Cultist", chosen={"Obelisk": ["Ruins"]}, sets=MARKED)
        assert find_by_name(second["piles"], "Ruins")["marks"] == ["Obelisk"]
        assert not [text for text in list_note_texts(second) if text.startswith("Obelisk")]


class TestNewlyRelevantRules:
    """Rules that did not apply to any card of the first deal, but apply to one of the second."""

    def test_shadow_note_appears_only_with_a_shadow_pile(self, deal: Deals) -> None:
        first, second = deal_twice(deal, "Riverboat", chosen={"Riverboat": ["Ronin"]}, then=["Alley"])
        assert not any("Shadow" in text for text in list_note_texts(first))
        assert sum("Shadow" in text for text in list_note_texts(second)) == 1

    def test_vp_tokens_appear_only_with_a_gathering_pile(self, deal: Deals) -> None:
        first, second = deal_twice(deal, "Riverboat", chosen={"Riverboat": ["Wild Hunt"]}, then=["Temple"])
        assert "VP tokens" not in get_names(first["components"])
        assert get_names(second["components"]).count("VP tokens") == 1

    def test_new_mat_is_added_beside_a_kept_one(self, deal: Deals) -> None:
        first, second = deal_twice(deal, "Baker", then=["Lackeys"])
        assert "Coffers mat" in get_names(first["components"])
        assert get_names(second["components"]).count("Coffers/Villagers mat") == 1

    def test_colours_are_chosen_once_when_the_first_coloured_component_appears(self, deal: Deals) -> None:
        first, second = deal_twice(deal, "Cellar", landscapes=0, then=["Ranger"])
        assert (list_lines(first, "Colours"), len(list_lines(second, "Colours"))) == ([], 1)
        first, second = deal_twice(deal, "Ranger", landscapes=0, then=["Relic"])
        assert (len(list_lines(first, "Colours")), list_lines(second, "Colours")) == (1, [])
        assert not list_lines(second, "Starting decks")


class TestPage:
    """The page after a second deal."""

    @pytest.mark.parametrize("language", [0, 1])
    def test_page_lists_everything_that_stays(self, deal: Deals, language: int) -> None:
        """It does not list starting decks, trash and tokens."""
        first, second = deal_twice(
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
        oracle = SecondDealOracle(first, second)
        words = deal.languages[language]
        keys = ("piles", "landscapes", "decks", "set_aside", "components")
        expected = {words.translate_name(name) for key in keys for name in get_names(oracle.kept[key])}
        found = [
            text.split(" (")[0]
            for line in Page(second, words).remaining.texts
            for text in line.split(words.translate(", "))
        ]
        colon = words.translate("{title}: {text}", title="", text="")
        assert {text.split(colon)[-1] for text in found} == expected and len(found) == len(expected)

    def test_page_of_a_first_deal_lists_nothing_that_stays(self, deal: Deals) -> None:
        assert Page(deal.setup(), deal.languages[0]).remaining.texts == []

    def test_page_of_a_second_deal_omits_decisions(self, deal: Deals) -> None:
        first, second = deal_twice(deal)
        assert Page(first, deal.languages[0]).decisions.texts
        assert Page(second, deal.languages[0]).decisions.texts == []

    def test_page_lists_leaving_piles_by_box(self, deal: Deals) -> None:
        _, second = deal_twice(deal, sets=MARKED)
        section = Page(second, deal.languages[0]).sections[0]
        assert section.title.startswith("Return to the boxes")
        boxes = [line.box for line in section.lines]
        assert all(boxes) and len(boxes) == 10
        assert boxes == sorted(boxes, key=boxes.index)  # Each box appears once.


class TestCommand:
    def deal_first(self) -> str:
        for seed in range(200):
            text = run("--sets", "rising-sun,base", "--seed", str(seed), "--json").stdout
            if '"name": "Divine Wind"' in text:
                return text
        raise AssertionError("none of 200 tables has Divine Wind")

    def test_command_repeats_the_same_second_deal(self) -> None:
        text = self.deal_first()
        one, other = (run("divine-wind", "-", "--json", input=text).stdout for _ in range(2))
        assert one == other
        assert run("show", "-", "--json", input=one).stdout == one

    def test_command_prints_the_piles_that_leave(self) -> None:
        text = self.deal_first()
        shown = run("divine-wind", "-", input=text).stdout
        leaves = shown[
            shown.index("Return to the boxes") : shown.index(
                "Kingdom\n" if "Kingdom\n" in shown else "Kingdom"
            )
        ]
        for name in get_names(
            json.loads(run("divine-wind", "-", "--json", input=text).stdout)["second_deal"]["leaves"]
        ):
            assert name in leaves

    def test_command_refuses_invalid_options_in_the_document(self) -> None:
        setup = json.loads(self.deal_first())
        for options in (
            {},
            {"sets": "base"},
            {"sets": ["x"], "players": 2},
            {"sets": ["base-2e"], "players": "2"},
        ):
            result = run("divine-wind", "-", input=json.dumps({**setup, "options": options}))
            assert result.exit_code == 2 and result.stderr.startswith("Error: ")
