"""The checklist as players read it: the sections, their order, and the texts of the lines."""

import json
from typing import Any

import pytest

from randomizer.load import games
from randomizer.setup import checklist
from randomizer.setup.document import Setup
from randomizer.setup.lines import Line
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.record.test_nesting import BASE
from tests.support import Deals, find_by_name, get_names, run

VICTORY = (
    *("Gardens", "Duke", "Silk Road", "Fairgrounds", "Vineyard"),
    *("Feodum", "Farmland", "Tunnel", "Cemetery"),
)


def list_lines(setup: Setup, title: str, language: Language | None = None) -> list[Line]:
    """Return the lines of the section with this English title, in any language."""
    translated_title = (language or Language("en")).translate(title)
    sections = checklist.build_checklist(setup, language or Language("en"))
    found = next((section.lines for section in sections if section.title == translated_title), [])
    return list(map(normalize_spaces, found))


def normalize_spaces(line: Line) -> Line:
    """Replace non-breaking spaces in the line by ordinary ones."""
    return line._replace(
        detail=with_ordinary_spaces(line.detail),
        below=tuple(map(with_ordinary_spaces, line.below)),
        why=with_ordinary_spaces(line.why),
    )


def find_line(setup: Setup, title: str, name: str) -> Line:
    (found,) = [line for line in list_lines(setup, title) if line.name == name]
    return found


def render_page(setup: Setup, language: Language | None = None) -> str:
    return render(Page(setup, language or Language("en")), Style(200))


class TestOrder:
    def test_starting_hands_are_drawn_after_all_other_steps(self, deal: Deals) -> None:
        setup = deal.setup("Inherited", "Baker", "Fool", *BASE, shelters=True)
        titles = [section["title"]["en"] for section in setup["checklist"]]
        assert titles[-2:] == ["Each player takes", "Last steps"]
        assert get_names(setup["checklist"][-1]["items"]) == ["Inherited", "Starting decks"]
        taken = get_names(setup["checklist"][-2]["items"])
        assert {"Lucky Coin", "Hovel", "Coffers mat", "Coin token"} <= set(taken)

    def test_final_steps_come_last_in_every_language(self, deal: Deals) -> None:
        setup = deal.setup("Inherited", *BASE)
        english, japanese = deal.language("en"), deal.language("ja")
        assert render_page(setup, english).index("in turn order") < render_page(setup, english).index(
            "shuffle, then draw"
        )
        assert render_page(setup, japanese).index("プレイ順に") < render_page(setup, japanese).index(
            "シャッフルして5枚引く"
        )

    @pytest.mark.parametrize(
        ("card", "has_step"),
        [("Ranger", True), ("Relic", True), ("Guide", True), ("Peasant", True), ("Amulet", False)],
    )
    def test_players_choose_colours_for_tokens_and_mats(self, deal: Deals, card: str, has_step: bool) -> None:
        """The tokens and Tavern mats come in six colours (seed 000)."""
        setup = deal.setup(card, *BASE)
        assert ("Colours" in get_names(setup["checklist"][-1]["items"])) == has_step
        assert setup["checklist"][-1]["items"][-1]["name"] == "Starting decks"

    def test_players_choose_colours_for_cubes(self, deal: Deals) -> None:
        setup = deal.setup("Fleet", *BASE)
        assert [item["name"] for item in setup["checklist"][-1]["items"]] == ["Colours", "Starting decks"]

    @pytest.mark.parametrize(
        ("cards", "stacked", "lines"),
        [
            # Seed 000: the cards of both lines lie beside the Supply, tokens and mats are handed out.
            (["Page"], {}, ["Treasure Hunter", "Warrior", "Hero", "Champion"]),
            (
                ["Peasant"],
                {},
                ["Soldier", "Fugitive", "Disciple", "Teacher", "Tavern mat", "+1 Card token", "Colours"],
            ),
            (["Ranger"], {}, ["Journey token", "Colours"]),
            (["Ratcatcher"], {}, ["Tavern mat", "Colours"]),
            (["Inheritance"], {}, ["Estate token", "Colours"]),
            (["Relic"], {}, ["-1 Card token"]),
            (["Bridge Troll"], {}, ["-$1 token"]),
            (["Ferry"], {}, ["-$2 cost token"]),
            (["Plan"], {}, ["Trashing token"]),
            (["Lost Arts"], {}, ["+1 Action token"]),
            # Seed 004: the setup of the card chosen for Ferryman.
            (["Ferryman"], {"Ferryman": ["Secret Cave"]}, ["Magic Lamp"]),
            (
                ["Ferryman"],
                {"Ferryman": ["Necromancer"]},
                ["Zombie Apprentice", "Zombie Mason", "Zombie Spy"],
            ),
            (
                ["Ferryman"],
                {"Ferryman": ["Importer"], "Ally": ["Crafters' Guild"]},
                ["Crafters' Guild", "Favors mat", "Favor tokens"],
            ),
            (["Ferryman"], {"Ferryman": ["Young Witch"], "Bane": ["Moat"]}, ["Moat"]),
        ],
    )
    def test_every_setup_step_of_the_seeds_is_in_the_checklist(
        self, deal: Deals, cards: list[str], stacked: dict[str, list[str]], lines: list[str]
    ) -> None:
        setup = deal.setup(*cards, *BASE, stacked=stacked)
        items = [item["name"] for section in setup["checklist"] for item in section["items"]]
        assert [name for name in lines if name not in items] == []

    def test_second_deal_does_not_repeat_final_steps(self, deal: Deals) -> None:
        from randomizer.record.second_deal import deal_again

        first = deal.setup("Tea House", "Inherited", *BASE, stacked={"Prophecy": ["Divine Wind"]})
        second = deal_again(deal.game, first)
        assert [line.name for line in list_lines(first, "Last steps")][-1] == "Starting decks"
        assert {line.name for line in list_lines(second, "Last steps")} <= {"Colours"}

    def test_leaving_piles_are_sorted_by_box(self, deal: Deals) -> None:
        from randomizer.record.second_deal import deal_again

        first = deal.setup("Tea House", stacked={"Prophecy": ["Divine Wind"]})
        leaving = list_lines(deal_again(deal.game, first), "Return to the boxes: the rest of these piles")
        kingdom = [pile for pile in first["piles"] if pile["place"] == "kingdom"]
        assert sorted((one.name, one.box) for one in leaving) == sorted(
            (pile["name"], get_box_name(first, pile["box"])) for pile in kingdom
        )
        boxes = [one.box for one in leaving]
        assert [boxes.index(box) for box in boxes] == sorted(boxes.index(box) for box in boxes)

    def test_tokens_list_their_piles_in_kingdom_order(self, deal: Deals) -> None:
        setup = deal.setup("Defiled Shrine", *BASE, sets=["base-2e", "empires"])
        placed = find_line(setup, "Tokens to place", "VP tokens").below[0]
        assert placed.split(", ") == [one.name for one in list_lines(setup, "Kingdom")]


def get_box_name(setup: Setup, slug: str) -> str:
    return next(box["name"] for box in setup["boxes"] if box["slug"] == slug)


class TestSteps:
    def test_step_for_the_bane_is_below_its_pile(self, deal: Deals) -> None:
        setup = deal.setup("Young Witch", *BASE, stacked={"Bane": ["Squire"]})
        assert find_line(setup, "Kingdom", "Squire").below == (
            "Bane, for Young Witch",
            "Mark it with the Bane card, or put Young Witch's randomizer sideways under it.",
        )
        assert "Bear in mind" not in render_page(setup)
        assert [note["step"] for note in setup["notes"]] == ["here"]

    def test_step_for_divine_wind_is_below_its_line(self, deal: Deals) -> None:
        setup = deal.setup("Tea House", *BASE, stacked={"Prophecy": ["Divine Wind"]})
        (step,) = find_line(setup, "Prophecy", "Divine Wind").below
        assert step.startswith("Keep the unused randomizers at hand")

    def test_step_for_a_thing_without_a_line_becomes_a_note(self, deal: Deals) -> None:
        setup = deal.setup("Young Witch", *BASE, stacked={"Bane": ["Squire"]})
        setup["notes"][0]["on"] = "Nothing"
        assert Page(setup, Language("en")).notes.texts == [setup["notes"][0]["text"]["en"]]

    def test_pile_shows_its_landmark_and_its_trait(self, deal: Deals) -> None:
        seen = set()
        for seed in range(60):
            setup = deal.setup("Obelisk", "Cheap", "Cultist", *BASE, seed=str(seed))
            on = find_by_name(setup["landscapes"], "Obelisk")["on"]
            seen.add(on)
            assert find_line(setup, "Landmarks", "Obelisk").detail == f"its pile: {on}"
            title = "Supply" if on == "Ruins" else "Kingdom"
            assert "Obelisk's pile" in find_line(setup, title, on).below
            assert f"Obelisk (its pile: {on})" in Page(setup, Language("en")).gist[2]
            trait = find_by_name(setup["landscapes"], "Cheap")["on"]
            assert find_line(setup, "Traits", "Cheap").detail == f"under {trait}"
            assert "under it: Cheap" in find_line(setup, "Kingdom", trait).below
        assert "Ruins" in seen and len(seen) > 1


class TestMats:
    """Setup rules F10: either mat serves for Coffers."""

    def test_coffers_and_villagers_share_a_mat(self, deal: Deals) -> None:
        setup = deal.setup("Baker", "Lackeys", *BASE)
        mats = [entry for entry in setup["components"] if entry["kind"] == "mat" and entry["per"] == "player"]
        assert get_names(mats) == ["Coffers/Villagers mat"]
        assert mats[0]["because"] == ["Lackeys", "Baker"]
        (token,) = setup["placed"]
        assert (token["on"], token["count"]) == ("Coffers/Villagers mat", 1)

    @pytest.mark.parametrize(
        ("card", "mat"), [("Plaza", "Coffers mat"), ("Lackeys", "Coffers/Villagers mat")]
    )
    def test_coffers_or_villagers_alone_have_their_own_mat(self, deal: Deals, card: str, mat: str) -> None:
        assert get_names(deal.setup(card, *BASE)["components"]) == ["Trash mat", mat, "Coin tokens"]


class TestIrrelevantNotes:
    @pytest.mark.parametrize("card", ["Duchess", "Changeling"])
    def test_note_about_a_pile_requires_the_pile(self, deal: Deals, card: str) -> None:
        def list_noted_cards(*first: str, **stacked: list[str]) -> list[str]:
            options: dict[str, Any] = {"stacked": {key.replace("_", " "): [card] for key in stacked}}
            return [
                note["because"][-1] for note in deal.setup(*first, *BASE, black_market=1, **options)["notes"]
            ]

        assert list_noted_cards(card) == [card]
        assert list_noted_cards("Black Market", Black_Market_deck=[card]) == []
        if card == "Duchess":
            assert list_noted_cards("Way of the Mouse", Way_of_the_Mouse=[card]) == []
        else:
            assert list_noted_cards("Ferryman", Ferryman=[card]) == [card]  # exchanged with its own pile

    @pytest.mark.parametrize(
        ("first", "choice", "card", "has_note"),
        [
            ("Riverboat", "Riverboat", "Ronin", False),
            ("Way of the Mouse", "Way of the Mouse", "Fishmonger", False),
            ("Ferryman", "Ferryman", "Alley", True),
            ("Black Market", "Black Market deck", "Ninja", True),
        ],
    )
    def test_note_about_card_backs_requires_a_pile_or_deck(
        self, deal: Deals, first: str, choice: str, card: str, has_note: bool
    ) -> None:
        setup = deal.setup(first, *BASE, black_market=1, stacked={choice: [card]})
        assert ([note["because"][-1] for note in setup["notes"]] == [card]) is has_note

    @pytest.mark.parametrize(
        ("first", "choice", "card", "gathers"),
        [
            ("Way of the Mouse", "Way of the Mouse", "Farmers' Market", False),
            ("Riverboat", "Riverboat", "Wild Hunt", False),
            ("Black Market", "Black Market deck", "Temple", False),
            ("Ferryman", "Ferryman", "Temple", True),
        ],
    )
    def test_vp_tokens_are_needed_only_if_the_gathering_card_has_a_pile(
        self, deal: Deals, first: str, choice: str, card: str, gathers: bool
    ) -> None:
        setup = deal.setup(first, *BASE, black_market=1, stacked={choice: [card]})
        assert ("VP tokens" in get_names(setup["components"])) is gathers

    def test_cards_command_shows_the_notes_of_a_card(self) -> None:
        assert "also gain a Duchess" in run("cards", "Duchess").stdout
        assert "VP tokens" in run("cards", "Wild Hunt").stdout


class TestMissing:
    @pytest.mark.parametrize(
        ("landscape", "others", "sort"),
        [("Cheap", "Marchland", "Action or Treasure"), ("Obelisk", "Bank", "Action")],
    )
    def test_missing_pile_on_the_table_suggests_no_boxes(
        self, deal: Deals, landscape: str, others: str, sort: str
    ) -> None:
        english, japanese = deal.language("en"), deal.language("ja")
        setup = deal.setup(landscape, *VICTORY, others)
        (missing,) = setup["missing"]
        assert (missing["for"], missing["among"], missing["help"]) == (landscape, "table", [])
        (text,) = Page(setup, english).missing.texts
        assert text == f"{landscape} needs a pile on the table ({sort}), but none is available."
        assert "卓上の山" in Page(setup, japanese).missing.texts[0]


class TestReasons:
    @pytest.mark.parametrize(
        ("first", "stacked", "title", "name", "why"),
        [
            (
                ("Black Market", "Plaza"),
                {"Black Market deck": ["Butcher", "Baker", "Joust"]},
                "On the table",
                "Coin tokens",
                "for Plaza; Black Market deck → Baker, Butcher, … → Huge Turnip",
            ),
            (("Vampire",), {}, "On the table", "Deluded/Envious", "for Vampire → Hexes → Delusion, Envy"),
            (("Encampment/Plunder",), {}, "On the table", "VP tokens", "for Plunder"),
            (("Wizards",), {}, "Each player takes", "Favors mat", "for Wizards → Student"),
            (("Island",), {}, "Each player takes", "Island mat", ""),
            (("Black Market",), {}, "Beside the Supply", "Black Market deck", ""),
            (("Kitsune",), {"Prophecy": ["Panic"]}, "Tokens to place", "Sun tokens", ""),
            (
                ("Rustic Village",),
                {"Prophecy": ["Approaching Army"], "Approaching Army": ["Kitsune"]},
                "Prophecy",
                "Approaching Army",
                "for Rustic Village",  # but not for the pile that it brings
            ),
        ],
    )
    def test_reason_is_the_chain_of_causes_in_words(
        self,
        deal: Deals,
        first: tuple[str, ...],
        stacked: dict[str, list[str]],
        title: str,
        name: str,
        why: str,
    ) -> None:
        setup = deal.setup(*first, *BASE, black_market=3, stacked=stacked, players=3, landscapes=0)
        found = [entry for entry in list_lines(setup, title) if entry.name == name]
        assert {entry.why for entry in found} == {why}

    def test_many_causes_are_shortened_to_a_count(self, deal: Deals) -> None:
        first = ("Bishop", "Monument", "Goons", "Collection", "Investment", "Groundskeeper", "Sacrifice")
        found = find_line(deal.setup(*first, *BASE), "On the table", "VP tokens")
        assert found.why == "for Bishop, Monument, Goons, Collection and 3 more"
        assert found.because == first

    def test_pile_chosen_for_a_card_does_not_repeat_its_name(self, deal: Deals) -> None:
        stacked = {"Prophecy": ["Approaching Army"], "Approaching Army": ["Witch"]}
        setup = deal.setup("Poet", "Cellar", stacked=stacked, landscapes=0)
        assert find_line(setup, "Kingdom", "Witch").below == ("Approaching Army, for Poet",)

    def test_platinum_and_colony_have_no_reason(self, deal: Deals) -> None:
        setup = deal.setup(*BASE, colony=True, sets=["base-2e", "prosperity-2e"])
        assert find_line(setup, "Supply", "Platinum").why == find_line(setup, "Supply", "Colony").why == ""


class TestSecondSet:
    @pytest.mark.parametrize(
        ("players", "expected"),
        [
            (4, ""),
            (5, "60 Copper, 40 Silver, 30 Gold, 3 Estate, 3 Province, 10 Curse"),
            (6, "60 Copper, 40 Silver, 30 Gold, 6 Estate, 6 Province, 20 Curse"),
        ],
    )
    def test_second_set_lists_the_cards_beyond_one_box(
        self, deal: Deals, players: int, expected: str
    ) -> None:
        setup = deal.setup(*BASE, "Fool", players=players)
        found = [
            entry.detail for entry in list_lines(setup, "Supply") if entry.name == "From a second base set"
        ]
        assert found == ([expected] if expected else [])

    def test_second_set_needs_no_estates_with_shelters(self, deal: Deals) -> None:
        setup = deal.setup(*BASE, players=6, shelters=True)
        assert "Estate" not in find_line(setup, "Supply", "From a second base set").detail

    def test_japanese_count_follows_the_name(self, deal: Deals) -> None:
        setup = deal.setup(*BASE, players=5)
        assert "銅貨60枚、銀貨40枚" in render_page(setup, deal.language("ja"))


class TestDecisions:
    @pytest.mark.parametrize(
        ("sets", "options", "expected"),
        [
            (["base-2e"], {}, []),
            (["base-2e", "prosperity-1e"], {}, ["Platinum and Colony: no"]),
            (["base-2e", "dark-ages"], {}, ["Shelters: no"]),
            (["base-2e"], {"colony": False}, ["Platinum and Colony: no"]),
            (["base-2e"], {"shelters": True}, ["Shelters: yes"]),
        ],
    )
    def test_page_omits_decisions_without_alternatives(
        self, deal: Deals, sets: list[str], options: dict[str, Any], expected: list[str]
    ) -> None:
        setup = deal.setup(*BASE, sets=sets, landscapes=0, **options)
        assert [text.partition(",")[0] for text in Page(setup, Language("en")).decisions.texts] == expected
        assert len(setup["decisions"]) == 2  # the document has both


class TestJapanese:
    """The wording of the Japanese page."""

    def test_japanese_reason_follows_the_remark_in_brackets(self, deal: Deals) -> None:
        japanese = deal.language("ja")
        setup = deal.setup("Bard", "Druid", "Ranger", "Riverboat", *BASE, players=5)
        page = Page(setup, japanese)
        remarks = [page.describe_line(line) for section in page.sections for line in section.lines]
        both = [remark for remark in remarks if "のため" in remark and not remark.endswith("のため")]
        assert both and all(remark.endswith("のため）") for remark in both)

    def test_japanese_headings_are_translated(self, deal: Deals) -> None:
        shown = render_page(deal.setup(*BASE, "Page"), deal.language("ja"))
        assert "\n王国カード " in shown and " 拡張\n" in shown


class TestPergamemnon:
    """The setup rules of Pergamemnon, each quoted from the section 準備."""

    @pytest.fixture
    def deal_setup(self) -> Any:
        return lambda players, seed="olymp": json.loads(
            run("--game", "pergamemnon", "-p", str(players), "--seed", seed, "--json").stdout
        )

    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_all_five_nation_cards_are_used_or_boxed(self, deal_setup: Any, players: int) -> None:
        """使用しない国家カードを箱に戻す。2プレイヤーゲームの場合は国家カードは使用しない。"""
        setup = deal_setup(players)
        nations = {"Carthage", "Egypt", "Hellenes", "Persia", "Rome"}
        boxed = {card["name"]: card["count"] for card in setup["boxed"]}
        out = get_names(setup["landscapes"])
        assert {*out, *(nations & set(boxed))} == nations
        back = sum(count for name, count in boxed.items() if name != "Unused creatures")
        assert back == (5 if players == 2 else 5 - players)
        assert ("Nation card" in get_names(setup["components"])) is (players > 2)
        for card in setup["boxed"]:
            assert card["name"] not in nations or card["note"]["en"].startswith("nation card")

    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    @pytest.mark.parametrize("seed", ["a", "b", "c"])
    def test_charisma_cards_are_dealt_and_the_rest_is_the_stock(
        self, deal_setup: Any, players: int, seed: str
    ) -> None:
        """カリスマカードを1枚受け取り…使用しなかったカリスマカードはストック。ローマは5枚。"""
        setup = deal_setup(players, seed)
        placed = {entry["on"]: entry["count"] for entry in setup["placed"]}
        assert placed == {name: 5 if name == "Rome" else 1 for name in get_names(setup["landscapes"])}
        assert find_by_name(setup["components"], "Charisma cards")["count"] == 21 - sum(placed.values())

    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_creatures_are_divided_by_player_count(self, deal_setup: Any, players: int) -> None:
        """24枚…プレイヤーの4倍…スタック。使用しないカードは見えないようにして箱に戻す。2倍…表にして。"""
        setup = deal_setup(players)
        stack, open_ = (
            find_by_name(setup["piles"], f"{sort}")["count"] for sort in ("Creature stack", "Open creatures")
        )
        unused = find_by_name(setup["boxed"], "Unused creatures")
        assert (stack + open_, open_, unused["note"]["en"]) == (4 * players, 2 * players, "unseen")
        assert stack + open_ + unused["count"] == 24

    @pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
    def test_secret_hands_are_drawn_last(self, deal_setup: Any, seed: str) -> None:
        """山札からカードを3枚引き、他のプレイヤーに見えないように。ペルシアは4枚。"""
        setup = deal_setup(3, seed)
        last = {item["name"]: item["detail"]["en"] for item in setup["checklist"][-1]["items"]}
        persia = "Persia" in get_names(setup["landscapes"])
        assert list(last) == ["Army cards", *(["Persia"] if persia else []), "First player"]
        assert "secret hand of three" in last["Army cards"]
        assert not persia or "four" in last["Persia"]

    def test_japanese_page_has_no_english_title(self) -> None:
        game = games.load("pergamemnon")
        shown = run("--game", "pergamemnon", "-p", "2", "--seed", "olymp", "--lang", "ja").stdout
        assert game.title not in shown
        assert "プレイヤーに見せない" in shown and "中を見ずに" in shown
