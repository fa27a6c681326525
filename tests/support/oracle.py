"""What each card needs, read from the table of facts alone: the engine's independent witness.

`tests/facts/needs.csv` says in words what a card asks for; `needs_of` turns each row into a check on a
setup document. `askers` turns the table round: which cards may ask for a thing that is out.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from randomizer.setup.document import Setup
from tests.support import read_facts


class Need(NamedTuple):
    """Something a card needs: `thing` as a document names it, `count` by 2 to 6 players if it is fixed."""

    card: str
    kind: str
    thing: str
    count: tuple[int, ...]  # type: ignore[assignment]  # not tuple's method
    per: str


# What the table calls things, where a document calls them otherwise.
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
# Rows that say nothing to lay out, or that have a test of their own (named here).
TESTED_ELSEWHERE = {
    "ordinary Kingdom pile": "test_card_facts",
    "Trait under one random Action or Treasure Kingdom pile": "test_nesting",
    "Favor tokens go on Supply piles during play": "during play",
    "mark the Bane pile (1E: Young Witch randomizer sideways under it)": "laws",
    "one card from the Inherited pile instead of a chosen starting card": "test_nesting",
    "Hovel + Necropolis + Overgrown Estate replace the 3 Estates": "test_dealing",
}


# What is enough instead: setup rules F10, either mat serves for Coffers.
SUBSTITUTES = {"Coffers mat": "Coffers/Villagers mat"}


def iter_needs() -> Iterator[Need]:
    """Every need that a document can be checked for by a name."""
    for row in read_facts("needs"):
        what, card = row["what"], row["card"].removesuffix(" (Harem)")
        if row["need_kind"] in ("note", "chosen-card", "landscape") or what in TESTED_ELSEWHERE:
            continue
        sort, thing = row["need_kind"], DOCUMENT_NAMES.get(what, what)
        if sort == "pile" and (re.match(r"\d|Castles sorted", what) or "Victory size" in what):
            thing = card
        elif sort == "pile" and "beside the Supply" in what:
            thing = what.split(" ")[0]
        elif "gathered on its own" in what:
            sort = "gathered"
        elif what.startswith("Coin tokens"):
            thing = "Coin tokens"
        elif sort == "start-deck" and what.endswith("replaces one Copper"):
            thing = what.split(" replaces")[0]
        elif what.endswith("Artifact beside the Supply"):
            sort, thing = "mat", what.split(" Artifact")[0]
        elif (
            sort == "place"
            or ("Favor" in what and sort == "token")
            or "Sun tokens" in what
            or "already" in what
        ):
            sort, thing = "placed", what
        yield Need(card, sort, thing, _parse_counts(row["amount"]), row["per"])


def _parse_counts(amount: str) -> tuple[int, ...]:
    if re.fullmatch(r"\d+(/\d+){4}", amount):
        return tuple(map(int, amount.split("/")))
    found = re.match(r"(\d+)\b", amount)
    return (int(found[1]),) * 5 if found else ()


NEEDS = list(iter_needs())


def iter_choices() -> Iterator[tuple[str, str]]:
    """Each card that has something chosen, and what the choice goes by."""
    for row in read_facts("needs"):
        if row["need_kind"] in ("chosen-card", "landscape") and not row["card"].startswith("("):
            called = re.match("Bane|Ally|Prophecy|Black Market deck", row["what"])
            yield row["card"], called[0] if called else row["card"]


CHOICES = dict(iter_choices())


def find_fault(need: Need, setup: Setup) -> str:
    """What of the need is not met by the document; nothing if it is."""
    if need.kind == "placed":
        return "" if PLACED_CHECKS[need.thing](setup, need.card) else f"{need.card}: {need.thing}"
    if need.kind == "gathered" and not has_pile(setup, need.card):
        return ""
    everywhere: dict[str, tuple[Any, ...]] = {
        "pile": (setup["piles"], setup["decks"], setup["components"]),
        "mat": (setup["components"],),
        "token": (setup["components"],),
        "gathered": (setup["components"],),
        "start-deck": (setup["starting_deck"],),
    }
    shelves = everywhere[need.kind]
    there = [entry for shelf in shelves for entry in shelf]
    # What serves for it counts where it is not there itself; of a first deal a law says that only one is out.
    themselves = [entry for entry in there if entry["name"] == need.thing]
    found = themselves or [entry for entry in there if entry["name"] == SUBSTITUTES.get(need.thing)]
    if len(found) != 1:
        return f"{need.card}: {need.thing} is out {len(found)} times"
    entry = found[0]
    if need.kind == "mat" and "per" in entry and entry["per"] != need.per:
        return f"{need.card}: {need.thing} is per {entry['per']}"
    wanted = need.count[setup["players"] - 2] if need.count else None
    if need.thing == "Copper" or (need.thing == "Estate" and need.kind == "start-deck"):
        return ""  # changes with Heirlooms and Shelters: test_laws
    if need.thing == "Boons" and wanted:
        wanted -= len(next(deck for deck in setup["decks"] if deck["name"] == "Boons")["face_up"])
    if wanted is not None and entry["count"] != wanted:
        return f"{need.card}: {need.thing} has {entry['count']}, not {wanted}"
    return ""


def has_pile(setup: Setup, card: str) -> bool:
    """Whether the card has a pile of its own on the table, in the Supply or beside it."""
    return any(card in [pile["name"], *(m["name"] for m in pile["members"])] for pile in setup["piles"])


def _tokens(setup: Setup, name: str) -> dict[str, int]:
    return {placed["on"]: placed["count"] for placed in setup["placed"] if placed["name"] == name}


def _supply(setup: Setup, *types: str, without: str = "") -> set[str]:
    return {
        pile["name"]
        for pile in setup["piles"]
        if pile["supply"] and (not types or set(types) & set(pile["types"])) and without not in pile["types"]
    }


def _liaison_favors(setup: Setup, card: str) -> bool:
    in_use = get_cards_in_use(setup)
    return _tokens(setup, "Favor tokens")["Favors mat"] == (5 if "Importer" in in_use else 1)


PLACED_CHECKS: dict[str, Callable[[Setup, str], bool]] = {
    "VP on the Landmark": lambda setup, card: _tokens(setup, "VP tokens")[card] == 6 * setup["players"],
    "8 VP on the Silver pile and 8 VP on the Gold pile": lambda setup, card: (
        {on: n for on, n in _tokens(setup, "VP tokens").items() if on in ("Silver", "Gold")}
        == {"Silver": 8, "Gold": 8}
    ),
    "2 VP on each non-Gathering Action Supply pile": lambda setup, card: all(
        _tokens(setup, "VP tokens").get(pile) == 2 for pile in _supply(setup, "Action", without="Gathering")
    ),
    "1 Debt on each Supply pile": lambda setup, card: set(_tokens(setup, "Debt tokens")) == _supply(setup),
    "1 Coin token on every Victory Supply pile": lambda setup, card: (
        {on for on in _tokens(setup, "Coin tokens") if not on.endswith(" mat")} == _supply(setup, "Victory")
    ),
    "Coin token already on the Coffers mat": lambda setup, card: (
        [n for on, n in _tokens(setup, "Coin tokens").items() if on.endswith(" mat")] == [1]
    ),
    "Favor (Coin token) on the mat at start": _liaison_favors,
    "additional starting Favors": _liaison_favors,
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
    """Every card in use (setup rules E3): piles and their members, landscapes, decks, single cards."""
    names = {entry["name"] for pile in setup["piles"] for entry in (pile, *pile["members"])}
    names |= {card["name"] for deck in setup["decks"] for card in deck["contents"]}
    for entries in (setup["landscapes"], setup["set_aside"], setup["starting_deck"], setup["trash"]):
        names |= {entry["name"] for entry in entries}
    return names


def group_cards_by_thing() -> dict[str, set[str]]:
    """For each thing that can be out, the cards that may ask for it."""
    found: dict[str, set[str]] = {}
    for need in NEEDS:
        if need.kind != "placed":
            found.setdefault(need.thing, set()).add(need.card)
    for link in read_facts("linked"):
        found.setdefault(link["linked"], set()).add(link["card"])
    found["Favor tokens"] = found["Favors mat"]  # the heap that the mats are filled from
    for row in read_facts("cards"):  # what a mixed pile asks for, one of its cards asks for by itself
        if row["pile"]:
            for cards in found.values():
                cards |= {row["name"]} if row["pile"] in cards else set()
    return found
