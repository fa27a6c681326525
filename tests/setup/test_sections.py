"""The sections of a checklist, their order, and their lines."""

from pathlib import Path
from typing import Any, cast

import pytest

from randomizer.cards.game import Request
from randomizer.cards.model import Cost
from randomizer.deal.dealer import deal_table
from randomizer.record.build import build_setup
from randomizer.setup.checklist import (
    Section,
    build_checklist,
    build_item,
    cost_sort_key,
    record_checklist,
)
from randomizer.setup.document import Setup
from randomizer.setup.lines import Line
from randomizer.setup.texts import format_cost
from randomizer.text.language import Language
from tests.support.tea import make_tea_game

ENGLISH = Language("en")
ON_PIE = {"phrase": "on {on}", "values": {"on": "Pie"}}


def make_thing(name: str, **fields: Any) -> Any:
    return {"name": name, "count": 1, "box": "tea", "cost": None, "because": [], **fields}


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """Return the document of Cake, Soup and Pie, with one box."""
    game = make_tea_game(tmp_path)
    table = deal_table(game, Request(("tea",), 2, "x"), {"randomizers": ["Cake", "Soup", "Pie"]})
    return build_setup(game, Request(("tea",), 2, "x"), table, [ENGLISH])


def add_one_of_each_type(setup: Setup, kind: str = "token") -> Setup:
    """Add one part of each type to the document."""
    pile = setup["piles"][0]
    hare = make_thing("Hare", group={"en": "Guests"})
    more = {
        "piles": [
            {**pile, "name": "Rusk", "place": "beside", "group": {"en": "Heaps"}},
            {**pile, "name": "Crumbs", "place": "beside"},
            *setup["piles"],
        ],
        "landscapes": [hare, make_thing("Waltz", group={"en": "Songs"}), {**hare, "name": "Hatter"}],
        "set_aside": [make_thing("Tart")],
        "decks": [make_thing("Songs", face_up=[], cards=[], contents=[])],
        "components": [
            make_thing("Sugar", per="game", kind="token"),
            make_thing("Cups", per="player", kind="mat"),
        ],
        "placed": [
            make_thing("Sugar", on="Pie", per="game", kind=kind, location=ON_PIE),
            make_thing("Milk", on="Pie", per="player", kind=kind, location=ON_PIE),
        ],
        "starting_deck": [make_thing("Bread", count=5)],
        "trash": [make_thing("Toast")],
        "boxed": [make_thing("Jig")],
        "last": [{"name": "Hosts", "text": {"en": "sit down"}}],
    }
    return cast(Setup, {**setup, **more})


def list_names_by_title(sections: list[Section]) -> dict[str, list[str]]:
    return {section.title: [line.name for line in section.lines] for section in sections}


class TestBuild:
    def test_sections_follow_the_order_of_work(self, setup: Setup) -> None:
        sections = list_names_by_title(build_checklist(add_one_of_each_type(setup), ENGLISH))
        assert list(sections.items()) == [
            ("Kingdom", ["Soup", "Cake", "Pie"]),
            ("Guests", ["Hare", "Hatter"]),
            ("Songs", ["Waltz"]),
            ("Heaps", ["Rusk"]),
            ("Supply", ["Bread"]),
            ("Beside the Supply", ["Crumbs", "Tart", "Songs"]),
            ("On the table", ["Sugar"]),
            ("Tokens to place", ["Sugar"]),
            ("Into the trash", ["Toast"]),
            ("Each player takes", ["Bread", "Cups", "Milk"]),
            ("Return to the box", ["Jig"]),
            ("Last steps", ["Hosts"]),
        ]

    def test_placed_cards_follow_what_the_players_take(self, setup: Setup) -> None:
        titles = list(list_names_by_title(build_checklist(add_one_of_each_type(setup, kind="card"), ENGLISH)))
        assert titles[-4:] == ["Each player takes", "Then place", "Return to the box", "Last steps"]
        assert "Tokens to place" not in titles

    def test_sections_without_lines_are_omitted(self, setup: Setup) -> None:
        assert list(list_names_by_title(build_checklist(setup, ENGLISH))) == [
            "Kingdom",
            "Supply",
            "On the table",
            "Each player takes",
        ]

    def test_kingdom_has_the_requested_order(self, setup: Setup) -> None:
        orders = {
            sort: list_names_by_title(build_checklist(setup, ENGLISH, sort))["Kingdom"]
            for sort in ("box", "cost", "name", "dealt")
        }
        assert orders == {
            "box": ["Soup", "Cake", "Pie"],
            "cost": ["Soup", "Cake", "Pie"],
            "name": ["Cake", "Pie", "Soup"],
            "dealt": ["Cake", "Soup", "Pie"],
        }

    def test_titles_and_names_are_translated(self, setup: Setup) -> None:
        french = Language("fr", cards={"Cake": "Gâteau"}, phrases={"Kingdom": "Royaume", "Guests": "Invités"})
        sections = list_names_by_title(build_checklist(add_one_of_each_type(setup), french))
        assert sections["Royaume"][1] == "Gâteau" and sections["Invités"] == ["Hare", "Hatter"]

    def test_lines_have_their_reasons_in_words(self, setup: Setup) -> None:
        setup["components"][0]["because"] = ["Cake"]
        in_words = [
            line.why
            for section in build_checklist(setup, ENGLISH)
            for line in section.lines
            if section.title == "On the table"
        ]
        assert in_words == ["for Cake"]


class TestRecorded:
    """The sections in the form of the document."""

    def test_to_item_joins_the_details_of_a_line(self) -> None:
        line = Line("Pie", 10, "$4", "Sweet", "Tea", "face up", ("under it: Hare", "mind it"), "", ("Cake",))
        assert build_item({"en": line}) == {
            "name": "Pie",
            "count": 10,
            "detail": {"en": "$4 Sweet; face up; under it: Hare; mind it"},
            "because": ["Cake"],
        }
        assert build_item({"en": Line("Pie")}) == {
            "name": "Pie",
            "count": None,
            "detail": {"en": ""},
            "because": [],
        }
        spaced = Line("Pie", types="Sweet", detail="a\N{NO-BREAK SPACE}b")
        assert build_item({"en": spaced})["detail"] == {"en": "Sweet; a b"}
        assert build_item({"en": Line("Pie", cost="$4")})["detail"] == {"en": "$4"}

    def test_item_has_the_names_and_details_of_all_languages(self) -> None:
        item = build_item({"en": Line("Pie", types="Sweet"), "fr": Line("Tourte", types="Sucré")})
        assert (item["name"], item["names"]) == ("Pie", {"fr": "Tourte"})
        assert item["detail"] == {"en": "Sweet", "fr": "Sucré"}

    def test_recorded_sections_have_the_items_of_the_built_ones(self, setup: Setup) -> None:
        assert record_checklist(setup, [ENGLISH]) == [
            {"title": {"en": section.title}, "items": [build_item({"en": line}) for line in section.lines]}
            for section in build_checklist(setup, ENGLISH)
        ]


@pytest.mark.parametrize(
    ("cost", "order"),
    [
        (None, (0, 0, 0)),
        (Cost(), (0, 0, 0)),
        (Cost(10, mark="*"), (10, 0, 0)),
        (Cost(4, 1), (4, 1, 0)),
        (Cost(4, 1, 3), (4, 1, 3)),
    ],
)
def test_cost_sort_key_is_coins_potion_debt(cost: Cost | None, order: tuple[int, int, int]) -> None:
    part: Any = cost and cost._asdict()
    assert cost_sort_key(part) == order
    assert format_cost(part) == str(cost or "")
