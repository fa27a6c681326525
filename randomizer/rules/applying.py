"""Which entries matter to the table of a setup document: what they ask of it, and what is on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NewType

from randomizer.cards.model import CardName, KindName, TypeName

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.rules.entry import Entry
    from randomizer.setup.document import Setup

MarkName = NewType("MarkName", str)
ThingName = NewType("ThingName", str)  # a component or a deck
DecisionName = NewType("DecisionName", str)


class Condition(NamedTuple):
    """What one thing on a table has to be, all of it at once; of several values, any one."""

    card: tuple[CardName, ...] = ()
    type: tuple[TypeName, ...] = ()
    kind: tuple[KindName, ...] = ()
    component: tuple[ThingName, ...] = ()
    mark: tuple[MarkName, ...] = ()
    place: tuple[Literal["kingdom", "supply", "beside", "aside", "deck", "trash", "start"], ...] = ()
    players: tuple[int, ...] = ()
    decision: tuple[DecisionName, ...] = ()


Conditions = Sequence[Sequence[Condition]]  # that all have to hold, each as alternatives of which one has to


class TableItem(NamedTuple):
    """Something on a table: for each field of a `Condition`, what it is there."""

    card: str = ""
    type: tuple[str, ...] = ()
    kind: str = ""
    component: str = ""
    mark: tuple[str, ...] = ()
    place: str = ""
    players: int = 0
    decision: str = ""

    def meets(self, condition: Condition) -> bool:
        """Whether this one thing has everything that the condition asks for."""
        return all(
            not set(wanted).isdisjoint(has if isinstance(has, tuple) else (has,))
            for has, wanted in zip(self, condition, strict=True)
            if wanted
        )


def list_table_items(setup: Setup, game: Game) -> Iterator[TableItem]:
    """Everything on the table of a setup document, cards within piles and decks too."""

    def card(name: str, place: str, mark: Iterable[str] = (), kind: str = "") -> TableItem:
        facts = game.cards.get(name)
        return TableItem(
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
        yield TableItem(component=deck["name"], place="deck")
        yield from (card(single["name"], "deck") for single in deck["contents"])
    for aside in setup["set_aside"]:
        yield card(aside["name"], "aside", [aside["for"]])
    for start in setup["starting_deck"]:
        yield card(start["name"], "start")
    for trashed in setup["trash"]:
        yield card(trashed["name"], "trash")
    for component in setup["components"]:
        yield TableItem(component=component["name"], card=component["name"], kind=component["kind"])
    for tokens in setup["placed"]:
        yield TableItem(component=tokens["name"])
    for decision in setup["decisions"]:
        if decision["answer"]:
            yield TableItem(decision=decision["question"])
    yield TableItem(players=setup["players"])


class TableSummary(NamedTuple):
    """For each field of a `Condition` whatever anything on the table is there, as if all were one thing."""

    values: Sequence[frozenset[object]]

    def may_meet(self, condition: Condition) -> bool:
        """Whether one thing could have all of it; soon told of most conditions that nothing answers."""
        return all(
            not has.isdisjoint(wanted) for has, wanted in zip(self.values, condition, strict=True) if wanted
        )


def _together(table: Iterable[TableItem]) -> TableSummary:
    columns = zip(*table, strict=True)
    return TableSummary(
        [
            frozenset(value for has in column for value in (has if isinstance(has, tuple) else (has,)))
            for column in columns
        ]
    )


class ApplicableEntries(NamedTuple):
    """The entries that apply to a table, in the order of a card's page.

    Attributes:
        card: on just one card, which is there; Kingdom cards first, as they lie on the table.
        meeting: rulings on several things that are there at once.
        table: on several cards of which one is there, on tokens, mats, decks, decisions, how many play.
        type: on a type or kind of cards.
    """

    card: list[Entry]
    meeting: list[Entry]
    table: list[Entry]
    type: list[Entry]


def find_applicable_entries(
    asking: Iterable[tuple[Entry, Conditions]], table: Sequence[TableItem]
) -> ApplicableEntries:
    """The entries that apply to the table; of most sorts those on few cards first, which say more of each.

    Args:
        asking: entries, each with what it asks of a table; one that asks for nothing holds in every game and
            applies to no table in particular.
        table: everything that is there (`things`).
    """
    found = ApplicableEntries([], [], [], [])
    there = _together(table)
    for entry, conditions in asking:
        holding = [
            next(
                (
                    one
                    for one in alternatives
                    if there.may_meet(one) and any(thing.meets(one) for thing in table)
                ),
                None,
            )
            for alternatives in conditions
        ]
        if not holding or None in holding:
            continue
        first, *others = holding
        if others:
            found.meeting.append(entry)
        elif len(entry.cards) == 1 and first and first.card:
            found.card.append(entry)
        else:
            (found.type if first and (first.type or first.kind) else found.table).append(entry)
    order = {thing.card: place for place, thing in enumerate(sorted(table, key=_beside))}
    found.card.sort(key=lambda entry: order[entry.cards[0]])
    for sort in found[1:]:
        sort.sort(key=lambda entry: len(entry.cards))
    return found


def _beside(thing: TableItem) -> bool:
    return thing.place not in ("kingdom", "landscape")
