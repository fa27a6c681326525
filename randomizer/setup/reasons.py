"""The reasons why a thing is on the table, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from randomizer.text.encoding import with_nonbreaking_spaces
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document

_MAX_LINKS = 3  # links shown; of a longer chain, only the first and the last are shown
_MAX_DEPTH = 30  # maximum length of a chain; longer than on any real table
_MAX_CHAINS = 4  # chains shown; of several more, only the count is shown


class Reasons:
    """The causes on a table, and the causes of each of them.

    Args:
        setup: the document of the table.
        language: the language of the words.
    """

    def __init__(self, setup: document.Setup, language: Language) -> None:
        self._language = language
        self._chosen: dict[str, set[str]] = {}  # by card, the piles that were chosen for it
        for pile in setup["piles"]:
            for mark in pile["marks"]:
                self._chosen.setdefault(mark, set()).add(pile["name"])
        self._parents = _collect_causes(setup)
        for name in self._chosen.keys() & self._parents:
            self._parents[name] = self._remove_effects(name, self._parents[name])
        self._direct_causes: dict[str, list[str]] = {}
        self._titles = {decision["title"] for decision in setup["decisions"]}

    def explain(self, because: Sequence[str], shown: Collection[str] = ()) -> str:
        """Return the reasons in words, such as `for One → Another` for a chain of causes.

        Obvious causes are left out, and so is the middle of a long chain.

        Args:
            because: all causes, in the order of the document.
            shown: names that the line shows already: the thing and its marks.
        """
        if not because:
            return ""
        for name in self._chosen.keys() & shown:
            because = self._remove_effects(name, because)
        chains = list(filter(None, (self._build_chain(cause, shown) for cause in self._find_direct(because))))
        shown_chains = chains if len(chains) <= _MAX_CHAINS + 1 else chains[:_MAX_CHAINS]
        if not shown_chains:
            return ""
        text = self._language.translate("; ").join(self._render_chains(shown_chains))
        if len(shown_chains) < len(chains):
            text = self._language.translate(
                "{text} and {count} more", text=text, count=len(chains) - len(shown_chains)
            )
        return self._language.translate("for {text}", text=text)

    def _render_chains(self, chains: Iterable[Sequence[str]]) -> Iterator[str]:
        """Yield the chains in words, joined where they have the same first link."""
        groups: dict[str, dict[tuple[str, ...], list[str]]] = {}
        for first, *rest in chains:
            head = first if rest else ""
            *links, cause = rest or [first]
            groups.setdefault(head, {}).setdefault(tuple(links), []).append(self._translate_name(cause))
        for head, ways in groups.items():
            between: tuple[str, ...] = next(iter(ways)) if len(ways) == 1 else ()
            ends = ways.pop(between, [])
            if far := [cause for causes in ways.values() for cause in causes]:
                ends.append(f"… → {self._language.join(far)}")
            before = [self._translate_name(name) for name in (head, *between) if name]
            yield " → ".join((*before, self._language.join(ends)))

    def _translate_name(self, name: str) -> str:
        return with_nonbreaking_spaces(self._language.translate_name(name))

    def _remove_effects(self, name: str, because: Sequence[str]) -> list[str]:
        """Remove a card's own effects from its causes: a pile that was chosen for it may also require it."""
        return [cause for cause in because if cause not in self._chosen[name]]

    def _find_direct(self, because: Sequence[str]) -> list[str]:
        """Return the direct causes: those that caused none of the others."""
        indirect: set[str] = set()
        indirect.update(*(self._parents.get(cause, ()) for cause in because))
        return [cause for cause in because if cause not in indirect]

    def _get_direct_causes(self, name: str) -> list[str]:
        """Return the direct causes of a thing."""
        if name not in self._direct_causes:
            self._direct_causes[name] = self._find_direct(self._parents.get(name, ()))
        return self._direct_causes[name]

    def _build_chain(self, cause: str, shown: Collection[str]) -> list[str]:
        """Return the causal chain that ends in `cause`, shortened for display."""
        chain = [cause]
        while len(chain) < _MAX_DEPTH and (
            parents := [name for name in self._get_direct_causes(chain[0]) if name not in chain]
        ):
            chain.insert(0, parents[0])
        if any(self._implies(name, cause) for name in shown):
            chain.pop()
        known = [name for name, after in pairwise(chain) if _extends(after, name) or after in name.split("/")]
        chain = [name for name in chain if name not in known]
        return chain if len(chain) <= _MAX_LINKS else [chain[0], "…", chain[-1]]

    def _implies(self, name: str, cause: str) -> bool:
        """Return whether the name makes the cause obvious: a card's mat, or the answer to a question."""
        return name == cause or _extends(name, cause) or (cause in self._titles and name in cause.split())


def _extends(name: str, other: str) -> bool:
    """Return whether the name is the other one followed by more words, such as a card's mat or deck."""
    return name.startswith(f"{other} ")


def _collect_causes(setup: document.Setup) -> dict[str, Sequence[str]]:
    """Return the causes of each thing."""
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
