"""The summary of a setup in one line: the few names that distinguish it from another."""

from typing import Any, cast

from randomizer.setup.document import Setup
from randomizer.show.page import Page
from randomizer.text.language import Language


def pile(name: str, coins: int, box: str = "tea", *marks: str) -> dict[str, Any]:
    return {
        "name": name,
        "cost": {"coins": coins, "potion": 0, "debt": 0, "mark": ""},
        "box": box,
        "marks": list(marks),
    }


SAYS = {"phrase": "beside {on}", "values": {"on": "Pie"}}
UNDER_CAKE = {"phrase": "under {on}", "values": {"on": "Cake"}}
SETUP = cast(
    Setup,
    {
        "seed": "k7f3",
        "boxes": [{"slug": "tea"}, {"slug": "jam"}],
        "turned": [{"name": name} for name in ("Pie", "Soup", "Plum", "Hare", "Cake")],
        "piles": [
            pile("Pie", 4, "tea", "Hatter", "Tray"),
            pile("Bread", 0),
            pile("Plum", 2, "jam"),
            pile("Soup", 2, "tea", "Cup"),
            pile("Cake", 4),
        ],
        "landscapes": [
            {"name": "Hare", "group": {"en": "Guests"}},
            {"name": "Hatter", "group": {"en": "Guests"}, "on": "Pie", "location": SAYS},
            {"name": "Queen", "group": {"en": "Hosts"}, "on": "Cake", "location": UNDER_CAKE},
        ],
        "set_aside": [{"for": "Spoon", "name": "Toast"}],
        "decisions": [{"title": {"en": "Party"}, "answer": True}, {"title": {"en": "Rain"}, "answer": False}],
        "missing": [{"for": "Lid"}, {"for": "Pot"}],
    },
)


def summarize(sort: str) -> list[str]:
    return Page(SETUP, Language("en"), sort).gist


def test_summary_lists_the_names_that_distinguish_a_setup() -> None:
    assert summarize("box") == [
        "k7f3",
        "Soup, Cake, Pie, Plum",
        "Hare",
        "Guests: Hatter (beside Pie)",
        "Hosts: Queen (under Cake)",
        "Tray: Pie",
        "Cup: Soup",
        "Spoon: Toast",
        "Party",
        "Missing: Lid, Pot",
    ]


def test_summary_sorts_the_kingdom_in_the_given_order() -> None:
    assert summarize("cost")[1] == "Plum, Soup, Cake, Pie"
    assert summarize("name")[1] == "Cake, Pie, Plum, Soup"
