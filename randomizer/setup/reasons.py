"""Why a thing is out, in words, as a setup document tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from randomizer.text.language import Language
from randomizer.text.width import unbroken

if TYPE_CHECKING:
    from randomizer.setup import document


class Reasons:
    """The causes on a table, and what brought each of them out."""

    def __init__(self, setup: document.Setup, language: Language) -> None:
        self._language = language
        self._parents = _parents(setup)

    def why(self, because: Sequence[str]) -> str:
        """The reasons in words, a chain as a chain: `for One → Another`, the first brought the other."""
        if not because:
            return ""
        chains = []
        for cause in self._direct(because):
            chain = [cause]
            while parents := [
                name for name in self._direct(self._parents.get(chain[0], ())) if name not in chain
            ]:
                chain.insert(0, parents[0])
            names = [unbroken(self._language.name(name)) for name in chain]
            chains.append(" → ".join(names if len(names) < 4 else [names[0], "…", *names[-2:]]))
        return self._language.say("for {text}", text=self._language.listed(chains))

    def _direct(self, because: Sequence[str]) -> list[str]:
        """Of all the causes, those that brought out none of the others."""
        brought = {parent for cause in because for parent in self._parents.get(cause, ())}
        return [cause for cause in because if cause not in brought]


def _parents(setup: document.Setup) -> dict[str, Sequence[str]]:
    """What brought each thing out."""
    parents: dict[str, Sequence[str]] = {}
    for pile in setup["piles"]:
        parents[pile["name"]] = pile["because"]
        parents.update((member["name"], [pile["name"]]) for member in pile["members"])
    for deck in setup["decks"]:
        parents[deck["name"]] = deck["because"]
        parents.update((card["name"], [deck["name"]]) for card in deck["contents"])
    for thing in (*setup["landscapes"], *setup["set_aside"], *setup["starting_deck"], *setup["trash"]):
        parents[thing["name"]] = thing["because"]
    return parents
