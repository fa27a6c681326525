"""Explanations of why an item, such as a pile or a mat, is on the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from randomizer.text.encoding import with_nonbreaking_spaces
from randomizer.text.language import ENGLISH, Language

if TYPE_CHECKING:
    from randomizer.setup import document

_MAX_LINKS = 3  # links of a chain to show; of a longer chain, only the first and the last link are shown
_MAX_DEPTH = 30  # maximum length of a chain; no real table has longer ones
_MAX_CHAINS = 4  # chains to show; if there are several more, only their number is shown


class Reasons:
    """A builder of explanations of why items are on a table.

    Args:
        setup: the setup document of the table.
        language: the language of the explanations.
    """

    def __init__(self, setup: document.Setup, language: Language) -> None:
        self._language = language
        self._piles_by_mark: dict[str, set[str]] = {}
        for pile in setup["piles"]:
            for mark in pile["marks"]:
                self._piles_by_mark.setdefault(mark, set()).add(pile["name"])
        self._causes_by_name = _collect_causes(setup)
        for name in self._piles_by_mark.keys() & self._causes_by_name:
            self._causes_by_name[name] = self._remove_effects(name, self._causes_by_name[name])
        self._direct_causes: dict[str, list[str]] = {}
        self._titles = {decision["title"][ENGLISH] for decision in setup["decisions"]}

    def explain(self, because: Sequence[str], shown_names: Collection[str] = ()) -> str:
        """Explain the causes of an item. A chain of causes is explained as `for One → Another`.

        Obvious causes and the middle parts of long chains are left out.

        Args:
            because: the names of all causes of the item, in the order of the document.
            shown_names: the names next to the explanation: those of the item and its marks.
        """
        if not because:
            return ""
        for name in self._piles_by_mark.keys() & shown_names:
            because = self._remove_effects(name, because)
        chains = list(
            filter(
                None, (self._build_chain(cause, shown_names) for cause in self._select_direct_causes(because))
            )
        )
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
        """Render chains of causes. Chains that start with the same cause are combined."""
        groups: dict[str, dict[tuple[str, ...], list[str]]] = {}
        for first, *rest in chains:
            head = first if rest else ""
            *links, cause = rest or [first]
            groups.setdefault(head, {}).setdefault(tuple(links), []).append(self._translate_name(cause))
        for head, ends_by_links in groups.items():
            between: tuple[str, ...] = next(iter(ends_by_links)) if len(ends_by_links) == 1 else ()
            ends = ends_by_links.pop(between, [])
            if indirect_targets := [end for group in ends_by_links.values() for end in group]:
                ends.append(f"… → {self._language.join(indirect_targets)}")
            start = [self._translate_name(name) for name in (head, *between) if name]
            yield " → ".join((*start, self._language.join(ends)))

    def _translate_name(self, name: str) -> str:
        return with_nonbreaking_spaces(self._language.translate_name(name))

    def _remove_effects(self, name: str, because: Sequence[str]) -> list[str]:
        """Return the causes of a card, except the piles that were chosen for the card itself.

        For example, the pile that is the Bane may in turn require the card that needs a Bane.
        """
        return [cause for cause in because if cause not in self._piles_by_mark[name]]

    def _select_direct_causes(self, because: Sequence[str]) -> list[str]:
        """Select the direct causes: those that are not themselves a cause of another cause."""
        indirect_causes: set[str] = set()
        indirect_causes.update(*(self._causes_by_name.get(cause, ()) for cause in because))
        return [cause for cause in because if cause not in indirect_causes]

    def _get_direct_causes(self, name: str) -> list[str]:
        """Return the direct causes of an item."""
        if name not in self._direct_causes:
            self._direct_causes[name] = self._select_direct_causes(self._causes_by_name.get(name, ()))
        return self._direct_causes[name]

    def _build_chain(self, cause: str, shown_names: Collection[str]) -> list[str]:
        """Return the chain of causes that leads to a direct cause, shortened for display.

        Args:
            cause: the direct cause, which is the last one of the chain.
            shown_names: the names next to the explanation, which need not be repeated.
        """
        chain = [cause]
        while len(chain) < _MAX_DEPTH and (
            causes := [name for name in self._get_direct_causes(chain[0]) if name not in chain]
        ):
            chain.insert(0, causes[0])
        if any(self._implies(name, cause) for name in shown_names):
            chain.pop()
        obvious_names = [
            name for name, after in pairwise(chain) if _has_prefix(after, name) or after in name.split("/")
        ]
        chain = [name for name in chain if name not in obvious_names]
        return chain if len(chain) <= _MAX_LINKS else [chain[0], "…", chain[-1]]

    def _implies(self, name: str, cause: str) -> bool:
        """Return whether a name makes a cause obvious. For example, a mat is named after its card."""
        return name == cause or _has_prefix(name, cause) or (cause in self._titles and name in cause.split())


def _has_prefix(name: str, other: str) -> bool:
    """Return whether a name consists of another name and more words, such as the name of a card's mat."""
    return name.startswith(f"{other} ")


def _collect_causes(setup: document.Setup) -> dict[str, Sequence[str]]:
    """Map the name of each item in a document to its causes."""
    causes_by_name: dict[str, Sequence[str]] = {}
    for pile in setup["piles"]:
        causes_by_name[pile["name"]] = pile["because"]
        causes_by_name.update((member["name"], [pile["name"]]) for member in pile["members"])
    for deck in setup["decks"]:
        causes_by_name[deck["name"]] = deck["because"]
        causes_by_name.update((card["name"], [deck["name"]]) for card in deck["contents"])
    for item in (*setup["landscapes"], *setup["set_aside"], *setup["starting_deck"], *setup["trash"]):
        causes_by_name[item["name"]] = item["because"]
    return causes_by_name
