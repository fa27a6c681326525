"""Kingdoms read out of what people paste, in every form and either language."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.browse.kingdoms import ParsedKingdom, find_needed_boxes, merge_settings, read_kingdom
from randomizer.browse.suggestions import (
    draw_kingdom,
    filter_playable,
    find_suggested_kingdom,
    search_kingdoms,
)
from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, format_kingdom
from randomizer.cards.model import OptionName
from randomizer.load.kingdoms import load_kingdoms
from randomizer.text.errors import BadDocument, BadKingdom, BadOptions, Problem, UnknownName
from randomizer.text.language import Language
from tests.support import EXAMPLE_FACTOR, Deals, kingdoms
from tests.support.wish_texts import WishTexts

TEN = (
    "Witch",
    "Moat",
    "Village",
    "Ferryman",
    "Young Witch",
    "Druid",
    "Riverboat",
    "Poet",
    "Black Market",
    "Mill",
)


class Reads(kingdoms.KingdomReader):
    def kingdom(self, text: str, chosen: Sequence[str] = ()) -> Kingdom:
        return self(text, chosen).kingdom

    def faults(self, text: str) -> Sequence[str]:
        with pytest.raises(BadKingdom) as problem:
            self(text)
        return [*map(str, problem.value.faults)]


@pytest.fixture(scope="module")
def reads(game: Game, languages: Sequence[Language]) -> Reads:
    return Reads(game, languages)


class TestNames:
    @pytest.mark.parametrize(
        "text",
        [
            "Witch, Moat, Village",
            "WITCH\nmoat\nvillage",
            "魔女、堀、村",
            "まじょ\nほり\nむら",
            "魔女, Moat; village",
            "Witches, Moats, Villages",
            "* 10 Witch (Base)\n* 10 Moat [Base, 2E]\n* 10 Village （基本）",
            "Kingdom: Witch, Moat\nVillage",
            "王国カード：魔女、堀、村",
            "https://example.org/?lang=de&supply=witch,moat,village",
            "?cards=witch,moat,village&expansion=base",
            "7 · Witch, Moat, Village",
            "Witch, Moat, Village, Copper, Estate, Copper",
        ],
    )
    def test_list_is_read_in_many_forms(self, reads: Reads, text: str) -> None:
        assert reads(text) == ParsedKingdom(Kingdom(("Witch", "Moat", "Village")))

    def test_spaces_and_punctuation_in_names_are_ignored(self, reads: Reads) -> None:
        kingdom = reads.kingdom("councilroom, jack_of_all_trades, farmers-market, Kings Court, old witch")
        assert kingdom.cards == (
            "Council Room",
            "Jack of All Trades",
            "Farmers' Market",
            "King's Court",
            "Old Witch",
        )

    def test_card_of_a_mixed_pile_stands_for_the_pile(self, reads: Reads) -> None:
        kingdom = reads.kingdom("encampment, Plunder, Sir Martin, catapult/rocks")
        assert kingdom.cards == ("Encampment/Plunder", "Knights", "Catapult/Rocks")

    def test_older_names_are_read(self, reads: Reads) -> None:
        assert reads.kingdom("Harem").cards == ("Farm",)

    def test_landscapes_are_separated_from_cards(self, reads: Reads) -> None:
        kingdom = reads.kingdom("Witch, Quest, Events: Alms, Way of the Ox, Fountain")
        assert (kingdom.cards, kingdom.landscapes) == (
            ("Witch",),
            ("Quest", "Alms", "Way of the Ox", "Fountain"),
        )


class TestChoices:
    @pytest.mark.parametrize(
        "text",
        [
            "Young Witch, Bane: Cellar",
            "young_witch(cellar)",
            "young witch (bane: cellar)",
            "魔女娘（災い：地下貯蔵庫）",
            "Young Witch (Cellar), Cellar",
            "Young Witch, Cellar, bane(cellar)",
            "魔女娘（地下貯蔵庫）",
            "魔女娘、災い：地下貯蔵庫",
            "Young Witch\nBane: 10 Cellar (Base)",
            "https://example.org/?supply=youngwitch&bane=cellar",
            "Young Witch (Cornucopia)\nYoung Witch: Cellar",
        ],
    )
    def test_chosen_pile_is_read(self, reads: Reads, text: str) -> None:
        assert reads.kingdom(text) == Kingdom(("Young Witch",), (), {"Bane": ("Cellar",)})

    def test_names_after_a_full_choice_are_ordinary_cards(self, reads: Reads) -> None:
        kingdom = reads.kingdom("Bane: Cellar, Moat, Young Witch")
        assert kingdom == Kingdom(("Moat", "Young Witch"), (), {"Bane": ("Cellar",)})

    def test_chosen_card_may_have_a_choice_itself(self, reads: Reads) -> None:
        kingdom = reads.kingdom("Ferryman (Young Witch (Cellar))")
        assert kingdom == Kingdom(("Ferryman",), (), {"Ferryman": ("Young Witch",), "Bane": ("Cellar",)})

    def test_several_choices_are_read(self, reads: Reads) -> None:
        boons = ("The Sky's Gift", "The Sea's Gift", "The Sun's Gift")
        for text in (
            "Druid (The Sky's Gift, The Sea's Gift, The Sun's Gift)",
            "druid(the_skys_gift+the_seas_gift+the_suns_gift)",
            "Druid\nThe Sky's Gift\nThe Sea's Gift\nThe Sun's Gift",
            "?supply=druid&boons=theskysgift,theseasgift,thesunsgift",
        ):
            assert reads.kingdom(text) == Kingdom(("Druid",), (), {"Boons, face up": boons}), text

    def test_chosen_landscapes_are_read(self, reads: Reads) -> None:
        kingdom = reads.kingdom("Poet, Approaching Army (Witch), Underling, Ally: Coastal Haven")
        assert kingdom.chosen == {
            "Prophecy": ("Approaching Army",),
            "Approaching Army": ("Witch",),
            "Ally": ("Coastal Haven",),
        }

    def test_single_card_of_a_mixed_pile_may_be_chosen(self, reads: Reads) -> None:
        kingdom = reads.kingdom("Riverboat (Knights), wayofthemouse(encampment)")
        assert kingdom.chosen == {"Riverboat": ("Dame Anna",), "Way of the Mouse": ("Encampment",)}

    @pytest.mark.parametrize(
        "text",
        [
            "Bishop, inspiring(bishop)",
            "inspiring (Bishop)",
            "Bishop · Inspiring (under Bishop)",
            "司教、鼓舞する（司教の下）",
            "?supply=bishop&traits=inspiring(bishop)",
        ],
    )
    def test_landscape_with_its_pile_is_read(self, reads: Reads, text: str) -> None:
        assert reads.kingdom(text) == Kingdom(("Bishop",), ("Inspiring",), {}, {"Inspiring": "Bishop"})

    def test_box_in_brackets_is_ignored(self, reads: Reads) -> None:
        assert reads.kingdom("Bishop, Inspiring (Plunder)").on == {}
        assert reads.kingdom("Encampment, Inspiring (Plunder)").on == {"Inspiring": "Encampment/Plunder"}


class TestQuestionsOfSetup:
    @pytest.mark.parametrize(
        ("text", "colony", "shelters"),
        [
            ("Witch", None, None),
            ("Witch, Colonies", True, None),
            ("Witch, Platinum, Colony", True, None),
            ("Witch, No Colonies, no_shelters", False, False),
            ("魔女、避難所", None, True),
            ("Witch, Platinum and Colony: no, Shelters: yes", False, True),
            ("魔女、白金貨と植民地：使わない、避難所：使う", False, True),
            ("?supply=witch&colonies=1&shelters=0", True, False),
        ],
    )
    def test_answers_are_read(
        self, reads: Reads, text: str, colony: bool | None, shelters: bool | None
    ) -> None:
        said = reads(text).settings
        assert (said.get("colony"), said.get("shelters")) == (colony, shelters)

    def test_random_kingdom_card_decides_open_questions(self, game: Game) -> None:
        """The first of a list is not the first that chance turned up."""
        assert merge_settings(game, {"colony": True}, {}) == {"colony": True, "shelters_by": "random-card"}
        assert merge_settings(game, {"colony": True}, {"colony": False, "shelters_by": "last-card"}) == {
            "colony": False,
            "shelters_by": "last-card",
        }


class TestFaults:
    def test_each_faulty_line_is_reported_with_suggestions(self, reads: Reads) -> None:
        faults = reads.faults("Wich\n* Moat\n\n10 Vilage\nBane: Celar")
        told = [fault.partition(", ")[0] for fault in faults]
        assert told == [
            "line 1: unknown card 'Wich'; did you mean Witch",
            "line 4: unknown card 'Vilage'; did you mean Village",
            "line 5: unknown card 'Celar'; did you mean Cellar",
        ]

    def test_fault_of_a_single_line_has_no_line_number(self, reads: Reads) -> None:
        assert reads.faults("Witch, Mot")[0].startswith("unknown card 'Mot'; did you mean Moat")

    def test_faults_are_reported_in_japanese(self, reads: Reads) -> None:
        assert "魔女娘" in reads.faults("魔女嬢")[0]

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("", "name at least one card."),
            ("こうしゃく", "unknown card 'こうしゃく'; did you mean Duke or Marquis?"),
            (" , ; \n - · ", "name at least one card."),
            ("Witch, Moat, witch", "Witch is listed twice."),
            ("Quest, Witch, Quest", "Quest is listed twice."),
            ("Lord: Witch", "'Lord' can't be chosen for a kingdom."),
            ("Witch (Moat)", "Witch needs no other card, and this is not its box: 'Moat'"),
            ("Young Witch (Quest)", "Quest can't be chosen for Bane."),
            ("Ally: Witch", "Witch can't be chosen for Ally."),
            ("Inspiring (nothing)", "unknown pile 'nothing'"),
            (
                "Ferryman (Ferryman (Ferryman (Ferryman (Ferryman (Ferryman (Moat))))))",
                "brackets can be nested",
            ),
        ],
    )
    def test_invalid_lists_are_refused(self, reads: Reads, text: str, fault: str) -> None:
        assert fault in reads.faults(text)[0]

    def test_only_some_of_many_faults_are_shown(self, reads: Reads) -> None:
        with pytest.raises(BadKingdom) as problem:
            reads("\n".join(f"zzz{number}" for number in range(50)))
        assert len(problem.value.faults) == 50
        assert len(problem.value.render_lines()) == 21 and problem.value.render_lines()[-1] == "and 30 more."

    def test_long_list_is_refused(self, reads: Reads) -> None:
        with pytest.raises(BadOptions):
            reads("a" * 50_001)
        assert reads.faults("Moat," * 501) == ["a kingdom can have at most 500 names."]

    def test_game_without_a_kingdom_is_refused(self, languages: Sequence[Language]) -> None:
        from randomizer.load import games

        with pytest.raises(BadOptions):
            read_kingdom("Egypt", games.load("pergamemnon"), languages, [])

    @settings(max_examples=80 * EXAMPLE_FACTOR, deadline=None)
    @given(st.text(alphabet="Witch Moat(),:·\n[]=?&魔女：、", max_size=60))
    def test_any_text_is_read_or_refused(self, reads: Reads, text: str) -> None:
        try:
            found = reads(text)
        except Problem:
            return
        assert all(name in reads.game.cards for name in found.kingdom.names())


class TestDocuments:
    def test_document_gives_the_kingdom_of_its_table(self, reads: Reads, deal: Deals) -> None:
        setup = deal.setup(*TEN, "Inspiring", landscapes=1, shelters=True)
        found = reads(json.dumps(setup))
        assert found.kingdom.cards == TEN
        assert {
            "Bane",
            "Ferryman",
            "Riverboat",
            "Black Market deck",
            "Prophecy",
        } <= found.kingdom.chosen.keys()
        assert len(found.kingdom.chosen["Boons, face up"]) == 3 and "Boons" not in found.kingdom.chosen
        assert found.settings["shelters"] is True and isinstance(found.settings["colony"], bool)

    def test_document_with_unknown_cards_is_refused(self, reads: Reads, deal: Deals) -> None:
        text = json.dumps(deal.setup(*TEN)).replace('"Moat"', '"Moor"')
        assert reads.faults(text) == ["unknown card 'Moor'."]

    def test_damaged_document_is_refused(self, reads: Reads) -> None:
        with pytest.raises(BadDocument):
            reads('{"schema": 1}')


class TestSuggested:
    def test_name_means_the_kingdom_of_the_newest_boxes(self, reads: Reads, game: Game) -> None:
        found = find_suggested_kingdom("first game", game)
        assert found and found.id == "first-game-2"
        assert reads("First Game").settings == {"colony": False, "shelters": False}
        assert reads.kingdom("最初のゲーム") == reads.kingdom("First Game") == reads.kingdom("first-game-2")

    def test_name_means_the_kingdom_of_the_given_boxes(self, reads: Reads) -> None:
        assert reads.kingdom("First Game", ["base-1e"]) == reads.kingdom("first-game-1")

    def test_ambiguous_name_is_refused_with_the_ids(self, reads: Reads) -> None:
        with pytest.raises(BadOptions) as problem:
            reads("First Game", ["base-1e", "base-2e"])
        assert str(problem.value) == (
            "several kingdoms are called 'First Game'; use first-game-1 or first-game-2."
        )
        with pytest.raises(BadOptions, match="these boxes have the cards of none of them"):
            reads("First Game", ["adventures"])

    def test_card_takes_precedence_over_kingdom_of_the_same_name(self, reads: Reads) -> None:
        assert reads.kingdom("Buried Treasure").cards == ("Buried Treasure",)
        found = reads.kingdom("kingdom:Buried Treasure")
        assert "Astrolabe" in found.cards and len(found.cards) == 10

    def test_unknown_kingdom_is_refused_with_suggestions(self, reads: Reads) -> None:
        for text in ("kingdom: Frist Game", "Frist Game", "kingdom:witch"):
            with pytest.raises(UnknownName, match="unknown recommended kingdom "):
                reads(text)
        with pytest.raises(UnknownName, match="did you mean First Game"):
            reads("frist game")
        for text, said in (
            ("Wich", "'Wich'; did you mean Witch"),
            ("Frist Game, Witch", "'Frist Game'; did you mean Frigate"),
            ("Frist Game\nWitch", "line 1: unknown card 'Frist Game'"),
        ):
            with pytest.raises(BadKingdom, match=said):
                reads(text)

    def test_any_draws_a_playable_kingdom(self, game: Game) -> None:
        boxes = ("base-2e", "seaside-2e")
        fitting = filter_playable(load_kingdoms(game), game, boxes)
        drawn = {draw_kingdom(game, Request(boxes, 2, str(seed))).id for seed in range(300)}
        assert drawn == {kingdom.id for kingdom in fitting} and len(drawn) > 8
        with pytest.raises(BadOptions):
            draw_kingdom(game, Request(("guilds",), 2, "x"))

    def test_any_draws_no_kingdom_with_a_banned_card(self, game: Game) -> None:
        request = Request(("base-2e", "seaside-2e"), 2, "x", wishes=WishTexts(without=("witch",)).parse(game))
        drawn = [draw_kingdom(game, request._replace(seed=str(seed))) for seed in range(100)]
        assert drawn and all("Witch" not in kingdom.cards for kingdom in drawn)
        with pytest.raises(BadOptions):
            draw_kingdom(game, request._replace(wishes=WishTexts(without=("kingdom",)).parse(game)))

    def test_playable_kingdom_needs_the_cards_of_its_options(self, game: Game) -> None:
        """One with Colonies is not playable where Colonies are missing."""
        (kingdom,) = [one for one in load_kingdoms(game) if one.id == "beginners-1"]
        assert filter_playable([kingdom], game, ["prosperity-1e"]) == [kingdom]
        assert (
            filter_playable([kingdom._replace(use=(OptionName("shelters"),))], game, ["prosperity-1e"]) == []
        )

    def test_search_finds_names_sets_and_cards(self, game: Game, languages: Sequence[Language]) -> None:
        def ids(*words: str) -> list[str]:
            return [kingdom.id for kingdom in search_kingdoms(words, game, languages)]

        assert ids("first", "game") == ids("First Game") == ["first-game-1", "first-game-2"]
        assert ids("deck-top") == ids("デッキトップ") == ["deck-top"]
        assert "size-distortion-2" in ids("witch", "工房") and "deck-top" not in ids("witch")
        assert len(ids()) == len(load_kingdoms(game)) and ids("zzz") == []
        assert set(ids("第二版", "基本")) > {"deck-top"}


def test_needed_boxes_are_few_and_new(game: Game) -> None:
    def boxes(*names: str) -> tuple[str, ...]:
        return find_needed_boxes(Kingdom(names), game)

    assert boxes("Witch", "Moat") == ("base-2e",)
    assert boxes("Witch", "Woodcutter") == ("base-1e",)
    assert boxes("Witch", "Woodcutter", "Merchant") == ("base-1e", "base-2e")
    assert boxes("Young Witch", "Baker") == ("cornucopia-guilds-2e",)
    assert boxes("Young Witch", "Baker", "Tournament") == ("guilds-cornucopia-1e",)
    assert boxes("Envoy", "Moat") == ("base-2e", "envoy")
    assert boxes() == ()


def test_typed_kingdom_is_read_unchanged(reads: Reads, game: Game) -> None:
    for kingdom in load_kingdoms(game):
        assert reads.kingdom(format_kingdom(kingdom.to_kingdom())) == kingdom.to_kingdom(), kingdom.id
    assert set(list_box_slugs(game, newest=True))
