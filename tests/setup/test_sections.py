"""The sections of a checklist: which there are, in which order, and what of the document stands in each."""

from pathlib import Path
from typing import Any, cast

import pytest

from randomizer.cards.game import Request
from randomizer.deal.dealer import deal_table
from randomizer.record.build import build_setup
from randomizer.setup.checklist import Section, build_checklist, cost_sort_key, record_checklist, to_item
from randomizer.setup.document import Setup
from randomizer.setup.lines import Line
from randomizer.text.language import Language
from tests.support.tea import make_tea_game

ENGLISH = Language("en")
SAYS = {"phrase": "on {on}", "values": {"on": "Pie"}}


def thing(name: str, **said: Any) -> Any:
    return {"name": name, "count": 1, "box": "tea", "cost": "", "because": [], **said}


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """Cake, Soup and Pie, from one box."""
    game = make_tea_game(tmp_path)
    table = deal_table(game, Request(("tea",), 2, "x"), {"randomizers": ["Cake", "Soup", "Pie"]})
    return build_setup(game, Request(("tea",), 2, "x"), table, [ENGLISH])


def full(setup: Setup, kind: str = "token") -> Setup:
    """Something of every sort."""
    pile = setup["piles"][0]
    hare = thing("Hare", group="Guests")
    more = {
        "piles": [
            {**pile, "name": "Rusk", "place": "beside", "supply": False, "group": "Heaps"},
            {**pile, "name": "Crumbs", "place": "beside", "supply": False},
            *setup["piles"],
        ],
        "landscapes": [hare, thing("Waltz", group="Songs"), {**hare, "name": "Hatter"}],
        "set_aside": [thing("Tart")],
        "decks": [thing("Songs", face_up=[], cards=[], contents=[])],
        "components": [thing("Sugar", per="game", kind="token"), thing("Cups", per="player", kind="mat")],
        "placed": [
            thing("Sugar", on="Pie", per="game", kind=kind, says=SAYS),
            thing("Milk", on="Pie", per="player", kind=kind, says=SAYS),
        ],
        "starting_deck": [thing("Bread", count=5)],
        "trash": [thing("Toast")],
        "boxed": [thing("Jig")],
        "last": [{"name": "Hosts", "text": "sit down"}],
    }
    return cast(Setup, {**setup, **more})


def told(sections: list[Section]) -> dict[str, list[str]]:
    return {section.title: [line.name for line in section.lines] for section in sections}


class TestBuild:
    def test_everything_in_the_order_of_work(self, setup: Setup) -> None:
        sections = told(build_checklist(full(setup), ENGLISH))
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

    def test_cards_are_placed_after_the_players_took_theirs(self, setup: Setup) -> None:
        titles = list(told(build_checklist(full(setup, kind="card"), ENGLISH)))
        assert titles[-4:] == ["Each player takes", "Then place", "Return to the box", "Last steps"]
        assert "Tokens to place" not in titles

    def test_what_has_no_lines_is_no_section(self, setup: Setup) -> None:
        assert list(told(build_checklist(setup, ENGLISH))) == [
            "Kingdom",
            "Supply",
            "On the table",
            "Each player takes",
        ]

    def test_the_kingdom_in_the_order_that_is_asked_for(self, setup: Setup) -> None:
        orders = {
            sort: told(build_checklist(setup, ENGLISH, sort))["Kingdom"]
            for sort in ("box", "cost", "name", "dealt")
        }
        assert orders == {
            "box": ["Soup", "Cake", "Pie"],
            "cost": ["Soup", "Cake", "Pie"],
            "name": ["Cake", "Pie", "Soup"],
            "dealt": ["Cake", "Soup", "Pie"],
        }

    def test_in_a_language(self, setup: Setup) -> None:
        french = Language("fr", cards={"Cake": "Gâteau"}, phrases={"Kingdom": "Royaume", "Guests": "Invités"})
        sections = told(build_checklist(full(setup), french))
        assert sections["Royaume"][1] == "Gâteau" and sections["Invités"] == ["Hare", "Hatter"]

    def test_reasons_in_words_where_they_are_asked_for(self, setup: Setup) -> None:
        setup["components"][0]["because"] = ["Cake"]
        in_words = [
            line.why
            for section in build_checklist(setup, ENGLISH)
            for line in section.lines
            if section.title == "On the table"
        ]
        assert in_words == ["for Cake"]


class TestRecorded:
    """The sections as the document holds them."""

    def test_a_line(self) -> None:
        line = Line("Pie", 10, "$4", "Sweet", "Tea", "face up", ("under it: Hare", "mind it"), "", ("Cake",))
        assert to_item(line) == {
            "name": "Pie",
            "count": 10,
            "detail": "$4 Sweet; face up; under it: Hare; mind it",
            "because": ["Cake"],
        }
        assert to_item(Line("Pie")) == {"name": "Pie", "count": None, "detail": "", "because": []}
        assert to_item(Line("Pie", types="Sweet", detail="a\N{NO-BREAK SPACE}b"))["detail"] == "Sweet; a b"
        assert to_item(Line("Pie", cost="$4"))["detail"] == "$4"

    def test_sections(self, setup: Setup) -> None:
        assert record_checklist(setup, ENGLISH) == [
            {"title": section.title, "items": [*map(to_item, section.lines)]}
            for section in build_checklist(setup, ENGLISH)
        ]


@pytest.mark.parametrize(
    ("cost", "order"),
    [
        ("", (0, 0, 0)),
        ("$0", (0, 0, 0)),
        ("$10*", (10, 0, 0)),
        ("$3+", (3, 0, 0)),
        ("P", (0, 1, 0)),
        ("$4 P", (4, 1, 0)),
        ("8D", (0, 0, 8)),
        ("$4 P 3D", (4, 1, 3)),
        ("$", (0, 0, 0)),
        ("$x", (0, 0, 0)),
        ("D", (0, 0, 0)),
        ("7", (0, 0, 0)),
        ("$²", (0, 0, 0)),
    ],
)
def test_how_a_printed_cost_sorts(cost: str, order: tuple[int, int, int]) -> None:
    assert cost_sort_key(cost) == order
