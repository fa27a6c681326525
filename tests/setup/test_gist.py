"""The gist of a setup: the few names that tell it from another."""

from typing import Any, cast

from randomizer.setup.document import Setup
from randomizer.setup.gist import Gist, Used, gist_of


def pile(name: str, cost: str, box: str = "tea", *marks: str) -> dict[str, Any]:
    return {"name": name, "cost": cost, "box": box, "marks": list(marks)}


SAYS = {"phrase": "beside {on}", "values": {"on": "Pie"}}
SETUP = cast(
    Setup,
    {
        "seed": "k7f3",
        "boxes": [{"slug": "tea"}, {"slug": "jam"}],
        "turned": [{"name": name} for name in ("Pie", "Soup", "Plum", "Hare", "Cake")],
        "piles": [
            pile("Pie", "$4", "tea", "Hatter", "Tray"),
            pile("Bread", "$0"),
            pile("Plum", "$2", "jam"),
            pile("Soup", "$2", "tea", "Cup"),
            pile("Cake", "$4"),
        ],
        "landscapes": [
            {"name": "Hare", "group": "Guests"},
            {"name": "Hatter", "group": "Guests", "on": "Pie", "says": SAYS},
            {"name": "Queen", "group": "Hosts", "on": "Cake"},
        ],
        "set_aside": [{"for": "Spoon", "name": "Toast"}],
        "decisions": [{"title": "Party", "answer": True}, {"title": "Rain", "answer": False}],
        "missing": [{"for": "Lid"}, {"for": "Pot"}],
    },
)


def test_all_of_it() -> None:
    old = {"phrase": "under {on}", "values": {"on": "Cake"}}
    assert gist_of(SETUP, "box") == Gist(
        "k7f3",
        ["Soup", "Cake", "Pie", "Plum"],
        [
            Used("Hare", "", None),
            Used("Hatter", "Guests", cast(Any, SAYS)),
            Used("Queen", "Hosts", cast(Any, old)),
        ],
        [("Tray", "Pie"), ("Cup", "Soup"), ("Spoon", "Toast")],
        ["Party"],
        ["Lid", "Pot"],
    )


def test_the_kingdom_in_another_order() -> None:
    assert gist_of(SETUP, "cost").kingdom == ["Plum", "Soup", "Cake", "Pie"]
    assert gist_of(SETUP, "name").kingdom == ["Cake", "Pie", "Plum", "Soup"]
