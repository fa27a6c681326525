"""Entries of the rulebooks: what they hold, and whether they apply to what is on a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.rules.index import Entry
    from randomizer.setup.document import Setup


class Thing(NamedTuple):
    """Something on a table, as far as an entry may ask about it."""

    card: str = ""
    type: tuple[str, ...] = ()
    kind: str = ""
    component: str = ""
    mark: tuple[str, ...] = ()
    place: str = ""
    players: int = 0
    decision: str = ""

    def answers(self, condition: Mapping[str, Sequence[Any]]) -> bool:
        """Whether this one thing has everything that the condition asks for."""
        for part, wanted in condition.items():
            has = getattr(self, part)
            if not (set(has) & set(wanted) if isinstance(has, tuple) else has in wanted):
                return False
        return True


def things(setup: Setup, game: Game) -> Iterator[Thing]:
    """Everything on the table of a setup document, cards within piles and decks too."""

    def card(name: str, place: str, mark: Iterable[str] = (), kind: str = "") -> Thing:
        facts = game.cards.get(name)
        return Thing(
            card=name,
            type=facts.types if facts else (),
            kind=kind or (facts.kind if facts else ""),
            mark=tuple(mark),
            place=place,
        )

    for pile in setup["piles"]:
        own = card(pile["name"], pile["place"], pile["marks"])
        yield own._replace(type=tuple(pile["types"]))
        yield from (card(member["name"], pile["place"], pile["marks"]) for member in pile["members"])
    for landscape in setup["landscapes"]:
        yield card(landscape["name"], "landscape", kind=landscape["kind"])
    for deck in setup["decks"]:
        yield Thing(component=deck["name"], place="deck")
        yield from (card(single["name"], "deck") for single in deck["contents"])
    for aside in setup["set_aside"]:
        yield card(aside["name"], "aside", [aside["for"]])
    for start in setup["starting_deck"]:
        yield card(start["name"], "start")
    for trashed in setup["trash"]:
        yield card(trashed["name"], "trash")
    for component in setup["components"]:
        yield Thing(component=component["name"], card=component["name"], kind=component["kind"])
    for tokens in setup["placed"]:
        yield Thing(component=tokens["name"])
    for decision in setup["decisions"]:
        if decision["answer"]:
            yield Thing(decision=decision["question"])
    yield Thing(players=setup["players"])


def applying(entries: Iterable[Entry], table: Sequence[Thing]) -> dict[str, list[Entry]]:
    """The entries that apply to the table, by how specific they are: `pair`, `card`, `mechanic`.

    A pair ruling has several conditions that hold at once, a card's is about cards that are there, the
    others about a type, token or place. What every game has applies to no table in particular.
    """
    found: dict[str, list[Entry]] = {"pair": [], "card": [], "mechanic": []}
    for entry in entries:
        conditions = entry["applies"]
        holding = [
            next((one for one in alternatives if any(thing.answers(one) for thing in table)), None)
            for alternatives in conditions
        ]
        if not conditions or None in holding:
            continue
        by_card = any("card" in one for one in holding if one)
        found["pair" if len(conditions) > 1 else "card" if by_card else "mechanic"].append(entry)
    for sort in found.values():  # an entry about few cards says more of each
        sort.sort(key=lambda entry: len(entry["cards"]))
    return found
