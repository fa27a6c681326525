"""The gist of a setup: the few names that tell it from another. A document and a laid table have the same."""

from typing import TYPE_CHECKING, NamedTuple

from randomizer.setup.checklist import in_order
from randomizer.setup.lines import how_it_lies

if TYPE_CHECKING:
    from randomizer.setup import document


class Used(NamedTuple):
    """A landscape in use: the heading it stands under, "" if it was turned up; how it lies on a pile."""

    name: str
    group: str
    says: "document.Says | None"


class Gist(NamedTuple):
    """The names, in English.

    Attributes:
        seed: what the setup was dealt from.
        kingdom: the piles turned up, sorted.
        landscapes: those in use.
        chosen: what cards were chosen for, with each of them.
        decided: the questions that were answered with yes.
        missing: the choices for which there were too few cards.
    """

    seed: str
    kingdom: list[str]
    landscapes: list[Used]
    chosen: list[tuple[str, str]]
    decided: list[str]
    missing: list[str]


def gist_of(setup: "document.Setup", sort: str) -> Gist:
    """The gist of a document, which may come from anywhere.

    Args:
        sort: the order of the Kingdom, one of `checklist.SORTS`.
    """
    turned = {card["name"] for card in setup["turned"]}
    under = {landscape["name"] for landscape in setup["landscapes"] if "on" in landscape}
    kingdom = [pile for pile in setup["piles"] if pile["name"] in turned]
    return Gist(
        setup["seed"],
        [pile["name"] for pile in in_order(kingdom, setup, sort)],
        [
            Used(used["name"], "" if used["name"] in turned else used["group"], how_it_lies(used))
            for used in setup["landscapes"]
        ],
        [
            *((mark, pile["name"]) for pile in setup["piles"] for mark in pile["marks"] if mark not in under),
            *((card["for"], card["name"]) for card in setup["set_aside"]),
        ],
        [decision["title"] for decision in setup["decisions"] if decision["answer"]],
        [missing["for"] for missing in setup["missing"]],
    )
