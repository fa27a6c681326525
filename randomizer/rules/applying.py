"""Selects the rulebook entries that apply to the table of a setup document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.load.entryfile import Condition, Conditions
    from randomizer.rules.entry import Entry
    from randomizer.setup.document import Setup


class TableItem(NamedTuple):
    """An item on a table. It has the same fields as `Condition`, but they hold the values of this item."""

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
        """One set for each field, in order, with the values of the field."""
        return [frozenset(value if isinstance(value, tuple) else (value,)) for value in self]


def iter_table_items(setup: Setup, game: Game) -> Iterator[TableItem]:
    """Yield every item on the table of a setup document, including the cards in mixed piles and decks."""

    def build_card_item(name: str, place: str, mark: Iterable[str] = (), kind: str = "") -> TableItem:
        card = game.cards.get(name)
        return TableItem(
            card=name,
            type=card.types if card else (),
            kind=kind or (card.kind if card else ""),
            mark=tuple(mark),
            place=place,
        )

    for pile in setup["piles"]:
        pile_item = build_card_item(pile["name"], pile["place"], pile["marks"])
        yield pile_item._replace(type=tuple(pile["types"]))
        yield from (
            build_card_item(member["name"], pile["place"], pile["marks"]) for member in pile["members"]
        )
    for landscape in setup["landscapes"]:
        yield build_card_item(landscape["name"], "landscape", kind=landscape["kind"])
    for deck in setup["decks"]:
        yield TableItem(component=deck["name"], place="deck")
        yield from (build_card_item(deck_card["name"], "deck") for deck_card in deck["contents"])
    for aside_card in setup["set_aside"]:
        yield build_card_item(aside_card["name"], "aside", [aside_card["for"]])
    for starting_card in setup["starting_deck"]:
        yield build_card_item(starting_card["name"], "start")
    for trashed_card in setup["trash"]:
        yield build_card_item(trashed_card["name"], "trash")
    for component in setup["components"]:
        yield TableItem(component=component["name"], card=component["name"], kind=component["kind"])
    for placed_tokens in setup["placed"]:
        yield TableItem(component=placed_tokens["name"])
    for decision in setup["decisions"]:
        if decision["answer"]:
            yield TableItem(decision=decision["question"])
    yield TableItem(players=setup["players"])


class ApplicableEntries(NamedTuple):
    """The entries that apply to a table, grouped by subject.

    Attributes:
        cards: entries about a single card; those about Kingdom cards and landscapes first, in table order.
        combinations: entries about combinations of items that are on the table together.
        mechanics: entries about several cards, tokens, mats, decks, decisions or the number of players.
        types: entries about a type or kind of card.
    """

    cards: list[Entry]
    combinations: list[Entry]
    mechanics: list[Entry]
    types: list[Entry]


def find_applicable_entries(
    entries: Iterable[tuple[Entry, Conditions]], items: Iterable[TableItem]
) -> ApplicableEntries:
    """Return the entries that apply to a table.

    In all groups except `cards`, the entries about the fewest cards come first.

    Args:
        entries: entries with their conditions. Entries without conditions apply to every table and are
            omitted.
        items: the items on the table (see `iter_table_items`).
    """
    items = sorted(items, key=lambda item: item.place not in ("kingdom", "landscape"))
    item_sets = [item.value_sets for item in items]
    # Most conditions fail even for the values of all items combined, so few are compared with each item.
    all_values = [frozenset[object]().union(*values) for values in zip(*item_sets, strict=True)]
    applicable = ApplicableEntries([], [], [], [])
    for entry, conditions in entries:
        met_conditions = [
            next(
                (
                    condition
                    for condition in alternatives
                    if _is_met(condition, all_values)
                    and any(_is_met(condition, values) for values in item_sets)
                ),
                None,
            )
            for alternatives in conditions
        ]
        if not met_conditions or None in met_conditions:
            continue
        first, *others = met_conditions
        if others:
            applicable.combinations.append(entry)
        elif len(entry.cards) == 1 and first and first.card:
            applicable.cards.append(entry)
        else:
            (applicable.types if first and (first.type or first.kind) else applicable.mechanics).append(entry)
    position_by_card = {item.card: position for position, item in enumerate(items)}
    applicable.cards.sort(key=lambda entry: position_by_card[entry.cards[0]])
    for group in applicable[1:]:
        group.sort(key=lambda entry: len(entry.cards))
    return applicable


def _is_met(condition: Condition, value_sets: Sequence[frozenset[object]]) -> bool:
    """Check whether an item, given as the set of values of each field, meets a condition."""
    return all(
        not values.isdisjoint(allowed)
        for values, allowed in zip(value_sets, condition, strict=True)
        if allowed
    )
