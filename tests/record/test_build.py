"""A whole document of a small table: every part of it, in its order."""

from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.record.build import build_setup
from randomizer.setup.checklist import build_checklist
from randomizer.setup.command import build_command
from randomizer.setup.document import Setup
from randomizer.setup.schema import loads
from randomizer.setup.texts import format_cost
from randomizer.text.json import dumps
from randomizer.text.language import Language
from tests.support import find_by_name, get_names
from tests.support.tea import make_tea_game

MORE = """
  - {name: Salt, set: tea, boxes: [tins], kind: dish, cost: 1, types: [Plain]}
  - {name: Mints, set: tea, boxes: [tins], kind: dish, cost: 2, types: [Plain], pile: {Mint: 5, Candy: 5}}
  - {name: Mint, set: tea, boxes: [tins], kind: song, cost: 2, types: [Plain]}
  - {name: Candy, set: tea, boxes: [tins], kind: song, cost: 5, types: [Plain]}
  - {name: Scone, set: jam, kind: rest, cost: 0, types: [Plain], note: upside down}
boxes:
  - {slug: tea-1e, name: Tea 1E, holds: [tea]}
  - {slug: tea-2e, name: Tea 2E, holds: [tea], edition: 2}
  - {slug: jam, name: Jam, holds: [jam]}
  - {slug: tins, name: Tins, singly: true}
game_end:
  - {say: all are full}
  - {say: the tea is cold, players: [1, 2]}
  - {say: the milk is gone, players: [3]}
  - {say: Cake is gone, with: Cake}
  - {say: Tart is gone, with: Tart}
"""
ASKS = {
    "Cake": "[{put: [Scone, Mints]}, {put: {cards: Crumbs, to: trash}}, {put: {cards: Rusk, to: box}}, "
    "{give: [Cups, Sugar]}, {place: {token: Sugar, on: itself, count: 2}}, "
    "{place: {token: Sugar, on: Cups, each: player}}, {note: Mind the cups.}]",
    "Soup": "{deal: {is: {kind: dish, cost: 5}, to: aside, as: Tray}}",
    "Pie": "[{deal: {is: {kind: song, name: [Waltz, Jig]}, to: deck, as: Songs, count: all}}, "
    "{deal: {is: {kind: dish, cost: 9}, to: beside, as: Side}}]",
    "Hare": "{mark: {piles: kingdom, is: {cost: 2}}}",
}
ENGLISH, FRENCH = Language("en"), Language("fr", cards={"Pie": "Tourte", "Sugar": "Sucre"})


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return make_tea_game(tmp_path, ASKS, MORE, sets="{tea: Tea, jam: Jam}")


def request(**said: Any) -> Request:
    return Request(("tea-2e", "salt", "mints"), 2, "x", {"guests": 1})._replace(**said)


def laid(game: Game, asked: Request | None = None) -> Setup:
    asked = asked or request()
    table = deal_table(game, asked, {"randomizers": ["Hare", "Hatter", "Cake", "Soup", "Pie"]})
    return build_setup(game, asked, table, [ENGLISH, FRENCH])


@pytest.fixture
def setup(game: Game) -> Setup:
    return laid(game)


def test_it_is_a_document(setup: Setup) -> None:
    assert set(setup) <= set(Setup.__annotations__)
    assert loads(dumps(setup)) == setup
    assert (setup["schema"], setup["game"], setup["title"], setup["players"]) == (
        2,
        "tea",
        {"en": "Tea Party", "fr": "Tea Party"},
        2,
    )
    assert setup["languages"] == ["en", "fr"]
    assert setup["seed"] == "x" and setup["generator"]["name"] == "dominion-randomizer"


def test_everything_is_where_it_belongs(setup: Setup) -> None:
    there = {
        "turned": ["Hare", "Hatter", "Cake", "Soup", "Pie"],
        "piles": ["Bread", "Cake", "Soup", "Pie", "Scone", "Mints"],
        "landscapes": ["Hare"],
        "decks": ["Songs"],
        "set_aside": ["Tart"],
        "components": ["Cups", "Sugar"],
        "placed": ["Sugar", "Sugar"],
        "starting_deck": ["Bread"],
        "trash": ["Crumbs"],
        "boxed": ["Rusk"],
    }
    document: Any = setup
    assert {key: get_names(document[key]) for key in there} == there
    assert setup["choices"] == ["Tray", "Side", "Songs"]
    assert [missing["for"] for missing in setup["missing"]] == ["Side"]
    assert [(note["text"]["en"], note["because"]) for note in setup["notes"]] == [
        ("Mind the cups.", ["Cake"])
    ]


class TestBoxes:
    def test_chosen_ones_and_those_that_something_comes_from_then_single_cards(self, setup: Setup) -> None:
        assert [(box["slug"], box["name"], box["chosen"]) for box in setup["boxes"]] == [
            ("tea-2e", "Tea 2E", True),
            ("jam", "Jam", False),
            ("tins", "Tins", False),
            ("salt", "Salt", True),
            ("mints", "Mints", True),
        ]

    def test_a_chosen_box_of_which_nothing_is_out(self, game: Game) -> None:
        assert "jam" in [box["slug"] for box in laid(game, request(chosen=("tea-1e", "jam")))["boxes"]]


class TestOptions:
    def test_every_one_that_shaped_the_table(self, setup: Setup, game: Game) -> None:
        assert setup["options"] == {"sets": ["tea-2e", "salt", "mints"], "players": 2, "guests": 1}
        asked = request(game="tea", files=("own.yaml",), settings={"party": False})
        assert laid(game, asked)["options"] == {
            "game": "tea",
            "sets": ["tea-2e", "salt", "mints"],
            "players": 2,
            "party": False,
            "files": ["own.yaml"],
        }

    def test_the_command(self, game: Game) -> None:
        assert (
            build_command(game, request())
            == "dominion-setup --sets tea,salt,mints --players 2 --guests 1 --seed x"
        )
        asked = request(
            chosen=("tea-1e",),
            game="tea",
            files=("a b.yaml", "c.yaml"),
            seed="k 7",
            settings={"party": False, "guests": 0, "party_by": "random-card", "late_guests": True},
        )
        assert build_command(game, asked) == (
            "dominion-setup --game tea --sets tea-1e --players 2 --no-party --guests 0 "
            "--party-by random-card --late-guests --cards 'a b.yaml' --cards c.yaml --seed 'k 7'"
        )

    def test_the_only_box_is_not_named(self, game: Game) -> None:
        game = game._replace(boxes={"tea-2e": game.boxes["tea-2e"]})
        asked = request(chosen=("tea-2e",), settings={})
        assert build_command(game, asked) == "dominion-setup --players 2 --seed x"

    def test_of_two_boxes_the_chosen_one_is(self, game: Game) -> None:
        game = game._replace(boxes={slug: game.boxes[slug] for slug in ("tea-2e", "jam")})
        asked = request(chosen=("tea-2e",), settings={})
        assert build_command(game, asked) == "dominion-setup --sets tea --players 2 --seed x"


class TestEndings:
    @pytest.mark.parametrize(
        ("players", "ends"),
        [
            (2, ["all are full", "the tea is cold", "Cake is gone", "Tart is gone"]),
            (3, ["all are full", "the milk is gone", "Cake is gone", "Tart is gone"]),
            (4, ["all are full", "Cake is gone", "Tart is gone"]),
        ],
    )
    def test_for_some_numbers_of_players(self, game: Game, players: int, ends: list[str]) -> None:
        assert [end["en"] for end in laid(game, request(players=players))["game_end"]] == ends

    def test_with_a_card_in_use(self, game: Game) -> None:
        game = game._replace(setup={})
        assert [end["en"] for end in laid(game)["game_end"]] == [
            "all are full",
            "the tea is cold",
            "Cake is gone",
        ]


class TestPartsOfIt:
    def test_turned_up(self, setup: Setup) -> None:
        hare, hatter, cake, _, pie = setup["turned"]
        assert hare == {"name": "Hare", "id": "hare", "use": "landscape"}
        assert cake == {"name": "Cake", "id": "cake", "use": "kingdom", "position": 1}
        assert (pie["position"], pie["use"]) == (3, "kingdom")
        assert hatter["use"] == "skipped" and "position" not in hatter
        text = "1 landscapes are already in use"
        assert hatter["reason"] == {
            "text": {"en": text, "fr": text},
            "phrase": "{count} landscapes are already in use",
            "values": {"count": 1},
        }

    def test_decided(self, game: Game, setup: Setup) -> None:
        (decision,) = setup["decisions"]
        assert (decision["question"], decision["title"]["en"], decision["answer"]) == ("party", "Party", True)
        assert decision["decided_by"] == "Cake"
        assert decision["reason"]["text"]["en"] == "the first Kingdom card was Cake (tea)"
        assert decision["reason"]["values"] == {"card": "Cake", "set": "tea"}
        (decision,) = laid(game, request(settings={"party": False}))["decisions"]
        assert (decision["answer"], decision["decided_by"]) == (False, None)
        assert (decision["reason"]["text"]["en"], decision["reason"]["values"]) == ("as requested", {})

    def test_a_landscape_on_a_pile(self, setup: Setup) -> None:
        (hare,) = setup["landscapes"]
        assert (hare["kind"], hare["group"]["en"], hare["set"], hare["box"], hare["cost"]) == (
            "guest",
            "Guests",
            "tea",
            "tea-2e",
            None,
        )
        assert hare["on"] == "Soup" and "player" not in hare
        assert find_by_name(setup["piles"], "Soup")["marks"] == ["Hare"]

    def test_a_landscape_of_a_player(self, game: Game) -> None:
        table = deal_table(game, request(settings={"guests": 1}), {"randomizers": ["Hare"]})
        table.owner_numbers["Hare"] = 2
        (hare,) = build_setup(game, request(), table, [ENGLISH])["landscapes"]
        assert hare["player"] == 2

    def test_a_deck(self, setup: Setup) -> None:
        (songs,) = setup["decks"]
        assert sorted(songs["cards"]) == ["Jig", "Waltz"] and songs["face_up"] == []
        assert songs["count"] == 2 and get_names(songs["contents"]) == songs["cards"]

    def test_a_card_set_aside(self, setup: Setup) -> None:
        (tart,) = setup["set_aside"]
        assert (tart["for"], format_cost(tart["cost"]), tart["types"], tart["because"]) == (
            "Tray",
            "$5",
            ["Sweet"],
            ["Soup"],
        )

    def test_components(self, setup: Setup) -> None:
        cups, sugar = setup["components"]
        assert (sugar["kind"], sugar["count"], sugar["per"], sugar["because"]) == (
            "token",
            None,
            "game",
            ["Party", "Cake"],
        )
        assert (cups["kind"], cups["count"], cups["per"]) == ("cup", 1, "player")
        assert "note" not in cups

    def test_tokens(self, setup: Setup) -> None:
        cake, cups = setup["placed"]
        assert (cake["kind"], cake["count"], cake["on"], cake["because"]) == ("token", 2, "Cake", ["Cake"])
        assert cake["location"]["text"]["en"] == "on Cake" and cake["location"]["values"] == {"on": "Cake"}
        assert "per" not in cake and cups.get("per") == "player"

    def test_cards_by_number(self, setup: Setup) -> None:
        assert [(card["count"], card["because"]) for card in setup["trash"]] == [(7, ["Cake"])]
        assert [(card["count"], card["because"]) for card in setup["boxed"]] == [(1, ["Cake"])]
        assert [(card["name"], card["count"], card["because"]) for card in setup["starting_deck"]] == [
            ("Bread", 5, [])
        ]

    def test_no_card_of_which_none_is_left_in_the_starting_deck(self, game: Game) -> None:
        game = game._replace(starting_deck={"Bread": 0, "Cake": 2})
        assert get_names(laid(game)["starting_deck"]) == ["Cake"]

    def test_piles(self, setup: Setup) -> None:
        scone, mints = find_by_name(setup["piles"], "Scone"), find_by_name(setup["piles"], "Mints")
        assert (scone["place"], scone["note"]["en"], scone["box"]) == ("beside", "upside down", "jam")
        assert [(member["name"], member["count"]) for member in mints["members"]] == [
            ("Mint", 5),
            ("Candy", 5),
        ]
        assert mints["because"] == ["Cake"] and "note" not in mints and "shuffled" not in mints


def test_landscapes_by_kind_in_the_order_of_the_data(game: Game) -> None:
    table = deal_table(game, request(settings={"guests": 1}), {"randomizers": ["Hare"]})
    table.landscapes["Jig"] = game.cards["Jig"]._replace(kind="dish")
    found = build_setup(game, request(), table, [ENGLISH])["landscapes"]
    assert get_names(found) == ["Jig", "Hare"]


def test_what_was_on_the_table_before_has_no_part(game: Game) -> None:
    table = deal_table(game, request(), {"randomizers": ["Hare", "Cake", "Soup", "Pie"]})
    table.existing_names = frozenset({"Cake"})
    assert "Cake" not in get_names(build_setup(game, request(), table, [ENGLISH])["piles"])


class TestChecklist:
    def test_the_sections_in_the_order_of_work(self, setup: Setup) -> None:
        said = [(section["title"]["en"], get_names(section["items"])) for section in setup["checklist"]]
        assert said == [
            ("Kingdom", ["Soup", "Cake", "Pie", "Mints"]),
            ("Guests", ["Hare"]),
            ("Supply", ["Bread"]),
            ("Beside the Supply", ["Scone", "Tart", "Songs"]),
            ("On the table", ["Sugar"]),
            ("Tokens to place", ["Sugar"]),
            ("Into the trash", ["Crumbs"]),
            ("Each player takes", ["Bread", "Cups", "Sugar"]),
            ("Return to the box", ["Rusk"]),
        ]

    def test_what_is_no_token_is_placed_after_what_the_players_take(self, setup: Setup) -> None:
        placed: Any = [{**tokens, "kind": "card"} for tokens in setup["placed"]]
        titles = [section.title for section in build_checklist({**setup, "placed": placed}, ENGLISH)]
        assert titles[-3:] == ["Each player takes", "Then place", "Return to the box"]
        assert "Tokens to place" not in titles and titles.count("Then place") == 1

    def test_first_of_all_what_leaves_the_table(self, setup: Setup) -> None:
        second: Any = {"by": "Hare", "leaves": [{"name": "Cake", "box": "tea"}], "kept_counts": {}}
        first = build_checklist({**setup, "second_deal": second}, ENGLISH)[0]
        assert (first.title, [line.name for line in first.lines]) == (
            "Return to the boxes: the rest of these piles",
            ["Cake"],
        )

    def test_an_item_is_a_line_in_words(self, setup: Setup) -> None:
        items = {item["name"]: item for section in setup["checklist"] for item in section["items"]}
        assert items["Soup"] == {
            "name": "Soup",
            "count": 10,
            "detail": {"en": "$2 Plain; Hare", "fr": "$2 Plain; Hare"},
            "because": [],
        }
        assert items["Mints"]["detail"]["en"] == "$2 Plain; for Cake; 5 each, from the top: Mint, Candy"
        assert items["Hare"] == {
            "name": "Hare",
            "count": None,
            "detail": {"en": "on Soup", "fr": "on Soup"},
            "because": [],
        }

    def test_of_another_order(self, setup: Setup) -> None:
        kingdom = next(
            section for section in build_checklist(setup, ENGLISH, "name") if section.title == "Kingdom"
        )
        assert [line.name for line in kingdom.lines] == ["Cake", "Mints", "Pie", "Soup"]

    def test_piles_with_a_heading_of_their_own(self, setup: Setup) -> None:
        piles: Any = [
            {**pile, "group": {"en": "Trays"}} if pile["name"] == "Scone" else pile for pile in setup["piles"]
        ]
        sections = {
            section.title: section.lines for section in build_checklist({**setup, "piles": piles}, ENGLISH)
        }
        assert [line.name for line in sections["Trays"]] == ["Scone"]
        assert [line.name for line in sections["Beside the Supply"]] == ["Tart", "Songs"]

    def test_a_pile_beside_the_supply_says_its_box(self, setup: Setup) -> None:
        sections = {section.title: section.lines for section in build_checklist(setup, ENGLISH)}
        assert sections["Beside the Supply"][0].box == "Jam"
        assert sections["Supply"][0].box == ""
