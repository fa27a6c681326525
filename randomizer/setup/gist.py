"""The gist of a setup: the few names that distinguish it from another."""

from typing import TYPE_CHECKING, NamedTuple

from randomizer.setup.checklist import sort_piles

if TYPE_CHECKING:
    from randomizer.setup import document


class LandscapeInUse(NamedTuple):
    """A landscape in use.

    Attributes:
        name: its name.
        group: the heading for it; empty if it was turned up.
        says: how it lies on a pile, if it does.
    """

    name: str
    group: str
    says: "document.Says | None"


class Gist(NamedTuple):
    """The names, in English.

    Attributes:
        seed: the seed of the deal.
        kingdom: the Kingdom piles turned up, sorted.
        landscapes: the landscapes in use.
        chosen: each choice with the card that was chosen for it.
        decided: the titles of the questions that were answered with yes.
        missing: the choices for which there were too few cards.
    """

    seed: str
    kingdom: list[str]
    landscapes: list[LandscapeInUse]
    chosen: list[tuple[str, str]]
    decided: list[str]
    missing: list[str]


def build_gist(setup: "document.Setup", sort: str) -> Gist:
    """Return the gist of a document.

    Args:
        setup: the document.
        sort: the order of the Kingdom, one of `checklist.SORTS`.
    """
    turned = {card["name"] for card in setup["turned"]}
    on_piles = {landscape["name"] for landscape in setup["landscapes"] if "on" in landscape}
    kingdom = [pile for pile in setup["piles"] if pile["name"] in turned]
    marks = [(mark, pile["name"]) for pile in setup["piles"] for mark in pile["marks"]]
    return Gist(
        setup["seed"],
        [pile["name"] for pile in sort_piles(kingdom, setup, sort)],
        [
            LandscapeInUse(
                landscape["name"],
                "" if landscape["name"] in turned else landscape["group"],
                landscape.get("says"),
            )
            for landscape in setup["landscapes"]
        ],
        [
            *((mark, name) for mark, name in marks if mark not in on_piles),
            *((card["for"], card["name"]) for card in setup["set_aside"]),
        ],
        [decision["title"] for decision in setup["decisions"] if decision["answer"]],
        [missing["for"] for missing in setup["missing"]],
    )
