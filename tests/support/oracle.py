"""Test oracle for the needs of cards, independent of the engine and its data.

`tests/facts/needs.csv` describes in words what a card needs. `iter_needs` parses its rows, and `find_fault`
checks a setup document against a need. `group_cards_by_thing` finds the cards that may need a thing.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from randomizer.setup.document import Setup
from tests.support import read_facts


class Need(NamedTuple):
    """Something that a card needs.

    Attributes:
        card: the name of the card.
        kind: where a document has the thing: `pile`, `mat`, `token`, `start-deck`, `placed`, or `gathered`
            for tokens that are needed only as long as the card has a pile.
        thing: its name in a document; for `placed`, a key of `PLACED_CHECKS`.
        count: for 2, 3, 4, 5 and 6 players; empty if it is not fixed.
        per: `player` or `game`.
    """

    card: str
    kind: str
    thing: str
    count: tuple[int, ...]  # type: ignore[assignment]  # not tuple's method
    per: str


# The names in documents of things that have another name in the table.
DOCUMENT_NAMES = {
    "Boons, shuffled face down": "Boons",
    "Hexes, shuffled face down": "Hexes",
    "Loot, shuffled face down (15 cards x2)": "Loot",
    "Ruins: shuffle all 50, count off": "Ruins",
    "Deluded/Envious (two-sided)": "Deluded/Envious",
    "Miserable/Twice Miserable (two-sided)": "Miserable/Twice Miserable",
    "Lost in the Woods (State)": "Lost in the Woods",
    "Trash mat/card": "Trash mat",
    "wooden cubes of one colour (Projects)": "Project cubes",
    "VP tokens, gathered on its own Supply pile": "VP tokens",
    "Copper Supply pile left after dealing starting decks": "Copper",
}
# Rows about things that are not laid out, and rows that other tests check, with the name of the test.
TESTED_ELSEWHERE = {
    "ordinary Kingdom pile": "test_card_facts",
    "Trait under one random Action or Treasure Kingdom pile": "test_nesting",
    "Favor tokens go on Supply piles during play": "during play",
    "mark the Bane pile (1E: Young Witch randomizer sideways under it)": "laws",
    "one card from the Inherited pile instead of a chosen starting card": "test_nesting",
    "Hovel + Necropolis + Overgrown Estate replace the 3 Estates": "test_dealing",
}

# Maps a thing to another thing that meets the same need. Either mat can be used for Coffers (setup rules
# F10).
SUBSTITUTES = {"Coffers mat": "Coffers/Villagers mat"}


def iter_needs() -> Iterator[Need]:
    """Yield every need that can be checked by name in a document."""
    for row in read_facts("needs"):
        description, card = row["what"], row["card"].removesuffix(" (Harem)")
        if row["need_kind"] in ("note", "chosen-card", "landscape") or description in TESTED_ELSEWHERE:
            continue
        kind, thing = row["need_kind"], DOCUMENT_NAMES.get(description, description)
        if kind == "pile" and (re.match(r"\d|Castles sorted", description) or "Victory size" in description):
            thing = card
        elif kind == "pile" and "beside the Supply" in description:
            thing = description.split(" ")[0]
        elif "gathered on its own" in description:
            kind = "gathered"
        elif description.startswith("Coin tokens"):
            thing = "Coin tokens"
        elif kind == "start-deck" and description.endswith("replaces one Copper"):
            thing = description.split(" replaces")[0]
        elif description.endswith("Artifact beside the Supply"):
            kind, thing = "mat", description.split(" Artifact")[0]
        elif (
            kind == "place"
            or ("Favor" in description and kind == "token")
            or "Sun tokens" in description
            or "already" in description
        ):
            kind, thing = "placed", description
        yield Need(card, kind, thing, _parse_counts(row["amount"]), row["per"])


def _parse_counts(amount: str) -> tuple[int, ...]:
    if re.fullmatch(r"\d+(/\d+){4}", amount):
        return tuple(map(int, amount.split("/")))
    found = re.match(r"(\d+)\b", amount)
    return (int(found[1]),) * 5 if found else ()


NEEDS = list(iter_needs())


def iter_choices() -> Iterator[tuple[str, str]]:
    """Yield the name and the choice of every card that requires a choice, such as (Young Witch, Bane)."""
    for row in read_facts("needs"):
        if row["need_kind"] in ("chosen-card", "landscape") and not row["card"].startswith("("):
            choice = re.match("Bane|Ally|Prophecy|Black Market deck", row["what"])
            yield row["card"], choice[0] if choice else row["card"]


CHOICES = dict(iter_choices())


def find_fault(need: Need, setup: Setup) -> str:
    """Return a description of how a document fails to meet a need; empty if it meets the need."""
    if need.kind == "placed":
        return "" if PLACED_CHECKS[need.thing](setup, need.card) else f"{need.card}: {need.thing}"
    if need.kind == "gathered" and not has_pile(setup, need.card):
        return ""
    lists_by_kind: dict[str, tuple[Any, ...]] = {
        "pile": (setup["piles"], setup["decks"], setup["components"]),
        "mat": (setup["components"],),
        "token": (setup["components"],),
        "gathered": (setup["components"],),
        "start-deck": (setup["starting_deck"],),
    }
    entries = [entry for entries in lists_by_kind[need.kind] for entry in entries]
    # A substitute counts if the thing itself is missing. A law checks that a first deal never has both.
    exact = [entry for entry in entries if entry["name"] == need.thing]
    found = exact or [entry for entry in entries if entry["name"] == SUBSTITUTES.get(need.thing)]
    if len(found) != 1:
        return f"{need.card}: {need.thing} is out {len(found)} times"
    entry = found[0]
    if need.kind == "mat" and "per" in entry and entry["per"] != need.per:
        return f"{need.card}: {need.thing} is per {entry['per']}"
    expected = need.count[setup["players"] - 2] if need.count else None
    if need.thing == "Copper" or (need.thing == "Estate" and need.kind == "start-deck"):
        return ""  # Heirlooms and Shelters change the count; test_laws checks it
    if need.thing == "Boons" and expected:
        expected -= len(next(deck for deck in setup["decks"] if deck["name"] == "Boons")["face_up"])
    if expected is not None and entry["count"] != expected:
        return f"{need.card}: {need.thing} has {entry['count']}, not {expected}"
    return ""


def has_pile(setup: Setup, card: str) -> bool:
    """Return whether a card has its own pile on the table, or is in a mixed pile."""
    return any(card in [pile["name"], *(m["name"] for m in pile["members"])] for pile in setup["piles"])


def _get_token_counts(setup: Setup, name: str) -> dict[str, int]:
    """Return the number of tokens with this name on each card or mat."""
    return {placed["on"]: placed["count"] for placed in setup["placed"] if placed["name"] == name}


def _get_supply(setup: Setup, *types: str, without: str = "") -> set[str]:
    """Return the names of the Supply piles of any of these types, or of all types."""
    return {
        pile["name"]
        for pile in setup["piles"]
        if pile["place"] != "beside"
        and (not types or set(types) & set(pile["types"]))
        and without not in pile["types"]
    }


def _has_starting_favors(setup: Setup, card: str) -> bool:
    """Return whether each player starts with one Favor, or with five if Importer is in use."""
    in_use = get_cards_in_use(setup)
    return _get_token_counts(setup, "Favor tokens")["Favors mat"] == (5 if "Importer" in in_use else 1)


PLACED_CHECKS: dict[str, Callable[[Setup, str], bool]] = {
    "VP on the Landmark": lambda setup, card: (
        _get_token_counts(setup, "VP tokens")[card] == 6 * setup["players"]
    ),
    "8 VP on the Silver pile and 8 VP on the Gold pile": lambda setup, card: (
        {on: n for on, n in _get_token_counts(setup, "VP tokens").items() if on in ("Silver", "Gold")}
        == {"Silver": 8, "Gold": 8}
    ),
    "2 VP on each non-Gathering Action Supply pile": lambda setup, card: all(
        _get_token_counts(setup, "VP tokens").get(pile) == 2
        for pile in _get_supply(setup, "Action", without="Gathering")
    ),
    "1 Debt on each Supply pile": lambda setup, card: (
        set(_get_token_counts(setup, "Debt tokens")) == _get_supply(setup)
    ),
    "1 Coin token on every Victory Supply pile": lambda setup, card: (
        {on for on in _get_token_counts(setup, "Coin tokens") if not on.endswith(" mat")}
        == _get_supply(setup, "Victory")
    ),
    "Coin token already on the Coffers mat": lambda setup, card: (
        [n for on, n in _get_token_counts(setup, "Coin tokens").items() if on.endswith(" mat")] == [1]
    ),
    "Favor (Coin token) on the mat at start": _has_starting_favors,
    "additional starting Favors": _has_starting_favors,
    "Sun tokens on the Prophecy": lambda setup, card: (
        [placed["count"] for placed in setup["placed"] if placed["name"] == "Sun tokens"]
        == [(5, 8, 10, 12, 13)[setup["players"] - 2]]
    ),
    "top 3 Boons set aside face up": lambda setup, card: (
        [(len(deck["face_up"]), deck["count"]) for deck in setup["decks"] if deck["name"] == "Boons"]
        == [(3, 9)]
    ),
    "Zombie Apprentice, Zombie Mason, Zombie Spy into the trash": lambda setup, card: (
        {entry["name"] for entry in setup["trash"]} >= {"Zombie Apprentice", "Zombie Mason", "Zombie Spy"}
    ),
}


def get_cards_in_use(setup: Setup) -> set[str]:
    """Return the names of all cards in use: piles and their members, landscapes, decks and single cards.

    Source: setup rules E3.
    """
    names = {entry["name"] for pile in setup["piles"] for entry in (pile, *pile["members"])}
    names |= {card["name"] for deck in setup["decks"] for card in deck["contents"]}
    for entries in (setup["landscapes"], setup["set_aside"], setup["starting_deck"], setup["trash"]):
        names |= {entry["name"] for entry in entries}
    return names


def group_cards_by_thing() -> dict[str, set[str]]:
    """Return the cards that may need a thing, for each thing that a document can have."""
    found: dict[str, set[str]] = {}
    for need in NEEDS:
        if need.kind != "placed":
            found.setdefault(need.thing, set()).add(need.card)
    for link in read_facts("linked"):
        found.setdefault(link["linked"], set()).add(link["card"])
    found["Favor tokens"] = found["Favors mat"]  # the stock from which the mats are filled
    for row in read_facts("cards"):  # a single card of a mixed pile may need what the pile needs
        if row["pile"]:
            for cards in found.values():
                cards |= {row["name"]} if row["pile"] in cards else set()
    return found
