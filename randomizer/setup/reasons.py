"""Why a thing is out, in words, as a setup document tells it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from randomizer.text.encoding import with_nonbreaking_spaces
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document

_LONGEST = 3  # links of a chain that are told; of a longer one the first and the last
_FURTHEST = 30  # links that a chain is followed back, which is further than any table has
_MOST = 4  # causes that are told; of more than one beyond that only how many


class Reasons:
    """The causes on a table, and what brought each of them out."""

    def __init__(self, setup: document.Setup, language: Language) -> None:
        self._language = language
        self._chosen: dict[str, set[str]] = {}  # for a card, the piles that were chosen for it
        for pile in setup["piles"]:
            for mark in pile["marks"]:
                self._chosen.setdefault(mark, set()).add(pile["name"])
        self._parents = _parents(setup)
        for name in self._chosen.keys() & self._parents:
            self._parents[name] = self._before(name, self._parents[name])
        self._followed: dict[str, list[str]] = {}
        self._titles = {decision["title"] for decision in setup["decisions"]}

    def explain(self, because: Sequence[str], said: Collection[str] = ()) -> str:
        """The reasons in words, a chain as a chain: `for One → Another`.

        What goes without saying is left out, and so is the middle of a long chain.

        Args:
            said: what the line that the reasons are for says already: its name, its marks.
        """
        if not because:
            return ""
        for name in self._chosen.keys() & said:
            because = self._before(name, because)
        chains = list(filter(None, (self._chain(cause, said) for cause in self._direct(because))))
        told = chains if len(chains) <= _MOST + 1 else chains[:_MOST]
        if not told:
            return ""
        text = self._language.translate("; ").join(self._grouped(told))
        if len(told) < len(chains):
            text = self._language.translate(
                "{text} and {count} more", text=text, count=len(chains) - len(told)
            )
        return self._language.translate("for {text}", text=text)

    def _grouped(self, chains: Iterable[Sequence[str]]) -> Iterator[str]:
        """The chains in words, each first link once: what follows on it at once, then what does at length."""
        groups: dict[str, dict[tuple[str, ...], list[str]]] = {}
        for first, *rest in chains:
            head = first if rest else ""
            *links, cause = rest or [first]
            groups.setdefault(head, {}).setdefault(tuple(links), []).append(self._named(cause))
        for head, ways in groups.items():
            between: tuple[str, ...] = next(iter(ways)) if len(ways) == 1 else ()
            ends = ways.pop(between, [])
            if far := [cause for causes in ways.values() for cause in causes]:
                ends.append(f"… → {self._language.join(far)}")
            before = [self._named(name) for name in (head, *between) if name]
            yield " → ".join((*before, self._language.join(ends)))

    def _named(self, name: str) -> str:
        return with_nonbreaking_spaces(self._language.translate_name(name))

    def _before(self, name: str, because: Sequence[str]) -> list[str]:
        """The causes but for those that it brought out itself: a pile chosen for a card may ask for it."""
        return [cause for cause in because if cause not in self._chosen[name]]

    def _direct(self, because: Sequence[str]) -> list[str]:
        """Of all the causes, those that brought out none of the others."""
        brought: set[str] = set()
        brought.update(*(self._parents.get(cause, ()) for cause in because))
        return [cause for cause in because if cause not in brought]

    def _brought_by(self, name: str) -> list[str]:
        """What brought a thing out directly."""
        if name not in self._followed:
            self._followed[name] = self._direct(self._parents.get(name, ()))
        return self._followed[name]

    def _chain(self, cause: str, said: Collection[str]) -> list[str]:
        """The cause after what brought it out, as far as that is worth telling."""
        chain = [cause]
        while len(chain) < _FURTHEST and (
            parents := [name for name in self._brought_by(chain[0]) if name not in chain]
        ):
            chain.insert(0, parents[0])
        if any(self._tells(name, cause) for name in said):
            chain.pop()
        known = [name for name, after in pairwise(chain) if _begins(after, name) or after in name.split("/")]
        chain = [name for name in chain if name not in known]
        return chain if len(chain) <= _LONGEST else [chain[0], "…", chain[-1]]

    def _tells(self, name: str, cause: str) -> bool:
        """Whether whoever reads the name knows the cause: the card of a mat, the question of its answer."""
        return name == cause or _begins(name, cause) or (cause in self._titles and name in cause.split())


def _begins(name: str, other: str) -> bool:
    """Whether the name is the other one with more words behind it: a card's mat, its deck."""
    return name.startswith(f"{other} ")


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
