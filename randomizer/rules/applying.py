"""Selection of the rulebook entries that apply to the table of a setup document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NewType

from randomizer.cards.model import CardName, KindName, TypeName

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.rules.entry import Entry
    from randomizer.setup.document import Setup

MarkName = NewType("MarkName", str)
ThingName = NewType("ThingName", str)  # A component or a deck.
DecisionName = NewType("DecisionName", str)


class Condition(NamedTuple):
    """A condition that one item on a table has to meet.

    Each field lists the allowed values; an empty field allows all. The item has to match every field.

    Attributes:
        card: English names of cards.
        type: card types.
        kind: kinds of cards or components.
        component: components or decks.
        mark: what a pile is chosen for, such as the Bane.
        place: the place of the item on the table.
        players: numbers of players.
        decision: yes/no questions of setup that were answered with yes.
    """

    card: tuple[CardName, ...] = ()
    type: tuple[TypeName, ...] = ()
    kind: tuple[KindName, ...] = ()
    component: tuple[ThingName, ...] = ()
    mark: tuple[MarkName, ...] = ()
    place: tuple[Literal["kingdom", "supply", "beside", "aside", "deck", "trash", "start"], ...] = ()
    players: tuple[int, ...] = ()
    decision: tuple[DecisionName, ...] = ()


# A list of requirements. Each is a list of alternatives, at least one of which has to be met by some item.
Conditions = Sequence[Sequence[Condition]]


class TableItem(NamedTuple):
    """An item on a table. Its fields are those of `Condition`, with the values that the item has."""

    card: str = ""
    type: tuple[str, ...] = ()
    kind: str = ""
    component: str = ""
    mark: tuple[str, ...] = ()
    place: str = ""
    players: int = 0
    decision: str = ""

    @property
    def value_sets(self) -> list[frozenset[object]]:
        """The values of each field, as a set."""
        return [frozenset(value if isinstance(value, tuple) else (value,)) for value in self]


def list_table_items(setup: Setup, game: Game) -> Iterator[TableItem]:
    """Yield everything on the table of a setup document, including the cards of mixed piles and of decks."""

    def card_item(name: str, place: str, mark: Iterable[str] = (), kind: str = "") -> TableItem:
        facts = game.cards.get(name)
        return TableItem(
            card=name,
            type=facts.types if facts else (),
            kind=kind or (facts.kind if facts else ""),
            mark=tuple(mark),
            place=place,
        )

    for pile in setup["piles"]:
        own = card_item(pile["name"], pile["place"], pile["marks"])
        yield own._replace(type=tuple(pile["types"]))
        yield from (card_item(member["name"], pile["place"], pile["marks"]) for member in pile["members"])
    for landscape in setup["landscapes"]:
        yield card_item(landscape["name"], "landscape", kind=landscape["kind"])
    for deck in setup["decks"]:
        yield TableItem(component=deck["name"], place="deck")
        yield from (card_item(single["name"], "deck") for single in deck["contents"])
    for aside in setup["set_aside"]:
        yield card_item(aside["name"], "aside", [aside["for"]])
    for start in setup["starting_deck"]:
        yield card_item(start["name"], "start")
    for trashed in setup["trash"]:
        yield card_item(trashed["name"], "trash")
    for component in setup["components"]:
        yield TableItem(component=component["name"], card=component["name"], kind=component["kind"])
    for tokens in setup["placed"]:
        yield TableItem(component=tokens["name"])
    for decision in setup["decisions"]:
        if decision["answer"]:
            yield TableItem(decision=decision["question"])
    yield TableItem(players=setup["players"])


class ApplicableEntries(NamedTuple):
    """The entries that apply to a table, grouped as on the page of a card.

    Attributes:
        card: entries about a single card; Kingdom cards and landscapes first, in the order of the table.
        meeting: entries about combinations of items that are on the table together.
        table: entries about several cards, tokens, mats, decks, decisions or the number of players.
        type: entries about a type or kind of cards.
    """

    card: list[Entry]
    meeting: list[Entry]
    table: list[Entry]
    type: list[Entry]


def find_applicable_entries(
    entries: Iterable[tuple[Entry, Conditions]], items: Iterable[TableItem]
) -> ApplicableEntries:
    """Return the entries that apply to a table. Except in the group `card`, those about few cards come first.

    Args:
        entries: entries with their conditions. Entries without conditions apply to every table, and are
        omitted.
        items: everything on the table (`list_table_items`).
    """
    items = sorted(items, key=lambda item: item.place not in ("kingdom", "landscape"))
    item_sets = [item.value_sets for item in items]
    # Most conditions already fail for the union of all items, so few have to be compared with each item.
    union = [frozenset[object]().union(*values) for values in zip(*item_sets, strict=True)]
    applicable = ApplicableEntries([], [], [], [])
    for entry, conditions in entries:
        met = [
            next(
                (
                    condition
                    for condition in alternatives
                    if _is_met(condition, union) and any(_is_met(condition, values) for values in item_sets)
                ),
                None,
            )
            for alternatives in conditions
        ]
        if not met or None in met:
            continue
        first, *others = met
        if others:
            applicable.meeting.append(entry)
        elif len(entry.cards) == 1 and first and first.card:
            applicable.card.append(entry)
        else:
            (applicable.type if first and (first.type or first.kind) else applicable.table).append(entry)
    order = {item.card: position for position, item in enumerate(items)}
    applicable.card.sort(key=lambda entry: order[entry.cards[0]])
    for group in applicable[1:]:
        group.sort(key=lambda entry: len(entry.cards))
    return applicable


def _is_met(condition: Condition, value_sets: Sequence[frozenset[object]]) -> bool:
    """Check whether an item with these values of its fields meets a condition."""
    return all(
        not values.isdisjoint(allowed)
        for values, allowed in zip(value_sets, condition, strict=True)
        if allowed
    )
