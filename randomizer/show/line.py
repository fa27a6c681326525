"""A setup document in one line: what was dealt, what was chosen, what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from randomizer.setup.checklist import in_order
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document


def summary(setup: document.Setup, language: Language, sort: str) -> str:
    """The seed, the Kingdom cards turned up, the landscapes, and whatever was chosen to go with them."""
    return " · ".join([setup["seed"], *_parts(setup, language, sort)])


def _parts(setup: document.Setup, language: Language, sort: str) -> Iterator[str]:
    name, say = language.name, language.say
    turned = {card["name"] for card in setup["turned"]}
    kingdom = in_order((pile for pile in setup["piles"] if pile["name"] in turned), setup, sort)
    if kingdom:
        yield language.listed(name(pile["name"]) for pile in kingdom)
    groups: dict[str, list[str]] = {}
    for landscape in setup["landscapes"]:
        on = landscape.get("on")
        said = name(landscape["name"]) + (f" ({say('under {on}', on=on)})" if on else "")
        groups.setdefault("" if landscape["name"] in turned else landscape["group"], []).append(said)
    for group, names in groups.items():
        text = language.listed(names)
        yield say("{title}: {text}", title=group, text=text) if group else text
    under = {landscape["name"] for landscape in setup["landscapes"] if "on" in landscape}
    for pile in setup["piles"]:
        for mark in pile["marks"]:
            if mark not in under:
                yield say("{title}: {text}", title=mark, text=name(pile["name"]))
    for card in setup["set_aside"]:
        yield say("{title}: {text}", title=card["for"], text=name(card["name"]))
    yield from (say(decision["title"]) for decision in setup["decisions"] if decision["answer"])
    for missing in setup["missing"]:
        yield say("{title}: {text}", title="Missing", text=name(missing["for"]))
