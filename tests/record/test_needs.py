"""Every row of the table of setup needs, dealt: the card is on the table, and so is what it needs."""

from collections.abc import Sequence
from typing import Any

import pytest

from randomizer.setup.document import Setup
from tests.support import EXAMPLE_FACTOR, Deals, find_by_name, get_names, oracle, read_facts
from tests.support.oracle import NEEDS

ALLY, PROPHECY = "Bauble", "Tea House"  # a Liaison and an Omen that bring nothing else


def on_the_table(card: str) -> tuple[list[str], dict[str, list[str]]]:
    """How to have a card on the table: among the randomizers, or as the Ally or Prophecy."""
    kind = {row["name"]: row["kind"] for row in read_facts("cards")}.get(card)
    if kind == "ally":
        return [ALLY], {"Ally": [card]}
    if kind == "prophecy":
        return [PROPHECY], {"Prophecy": [card]}
    return [card], {}


NEEDED = {card: [need for need in NEEDS if need.card == card] for card in {need.card: None for need in NEEDS}}


@pytest.mark.parametrize("players", range(2, 7))
def test_what_a_card_needs_is_there(deal: Deals, players: int) -> None:
    """Of the right number, for every number of players; each card for two of them, with `MORE` for all."""
    faults = []
    for place, (card, needs) in enumerate(NEEDED.items()):
        if EXAMPLE_FACTOR == 1 and (place + players) % 5 not in (0, 2):
            continue
        first, stacked = ([], {}) if card.startswith("(") else on_the_table(card)
        forced: dict[str, Any] = {
            "Platinum and Colony": {"colony": True},
            "Shelters": {"shelters": True},
        }.get(card, {})
        setup = deal.setup(*([] if forced else first), players=players, stacked=stacked, **forced)
        if not (card.startswith("(") or forced or card in oracle.get_cards_in_use(setup)):
            faults.append(f"{card} is not on the table")
        faults += [fault for need in needs if (fault := oracle.find_fault(need, setup))]
    assert faults == []


def test_no_row_is_passed_over() -> None:
    """Rows without a check here are notes, choices and landscapes, or are listed with their own test."""
    checked = {(need.card, need.kind) for need in NEEDS}
    assert len(NEEDS) > 370
    for row in read_facts("needs"):
        told = (
            row["need_kind"] in ("note", "chosen-card", "landscape") or row["what"] in oracle.TESTED_ELSEWHERE
        )
        assert told or any(card == row["card"].removesuffix(" (Harem)") for card, _ in checked)


# Links that say nothing about laying out: who gains Curses, what may be exchanged, the other side of a card.
SILENT = ("uses-curse", "mentions-curse", "exchanges-for", "other-side-of-card")
MISTAKEN = ("Page", "Tavern Mat")  # one source's mistake: setup-rules.md, section S; the mat is Peasant's


def test_what_a_card_is_linked_to_comes_with_it(deal: Deals) -> None:
    linked: dict[str, list[tuple[str, str]]] = {}
    for row in read_facts("linked"):
        card, other = row["card"], row["linked"]
        if row["link_type"] not in SILENT and not card.startswith("(") and (card, other) != MISTAKEN:
            linked.setdefault(card, []).append((other, row["link_type"]))
    assert len(linked) > 280
    astray = []
    for card, others in linked.items():
        setup = _with_in_use(deal, card)
        astray += [(card, other) for other, sort in others if not _comes(setup, card, other, sort)]
    assert astray == []


def _comes(setup: Setup, card: str, linked: str, sort: str) -> bool:
    """Whether what the card is linked to has come with it, where it belongs."""
    shelves: dict[str, Sequence[Any]] = {
        "heirloom": setup["starting_deck"],
        "traveller-line": setup["piles"],
        "non-supply": setup["piles"],
        "supply-pile": setup["piles"],
        "basic-pile": setup["piles"],
        "boons": setup["decks"],
        "hexes": setup["decks"],
        "deck": setup["decks"],
        "state": setup["components"],
        "artifact": setup["components"],
        "zombie": setup["trash"],
    }
    if linked == "3 Boons set aside":
        return len(find_by_name(setup["decks"], "Boons")["face_up"]) == 3
    if sort in shelves:
        return linked in get_names(shelves[sort])
    if sort == "pile-member":
        everywhere = [*setup["piles"], *setup["starting_deck"], *setup["trash"]]
        members = [member for pile in setup["piles"] for member in pile["members"]]
        return linked in get_names([*everywhere, *members])
    if sort in ("ally", "prophecy"):
        return sort in [landscape["kind"] for landscape in setup["landscapes"]]
    if sort == "mat-token":
        on_table = set(get_names(setup["components"])) | set(get_names(setup["placed"]))
        return on_table >= MATS_AND_TOKENS.get(linked, {linked})
    if sort in ("extra-supply-pile", "extra-nonsupply-pile"):
        mark = {"Young Witch": "Bane"}.get(card, card)
        supply = [pile["supply"] for pile in setup["piles"] if mark in pile["marks"]]
        return supply == [sort == "extra-supply-pile"]
    if sort == "set-aside-card":
        return [aside["for"] for aside in setup["set_aside"]] == [card]
    if sort == "chosen-pile":
        return find_by_name(setup["landscapes"], card)["on"] in get_names(setup["piles"])
    raise ValueError(f"nothing here checks {sort}")


MATS_AND_TOKENS = {
    "VP mats/tokens": {"VP tokens"},
    "Favor mats/tokens": {"Favors mat", "Favor tokens"},
    "Coffer mats/tokens": {"Coin tokens"},
    "Villager mats/tokens": {"Coffers/Villagers mat", "Coin tokens"},
    "Exile mats": {"Exile mat"},
    "Tavern Mat": {"Tavern mat"},
    "Pirate Ship mat + tokens": {"Pirate Ship mat", "Coin tokens"},
    "Trade Route tokens": {"Trade Route mat", "Coin tokens"},
    "tokens on card": {"Coin tokens"},
}


def _with_in_use(deal: Deals, card: str) -> Setup:
    """A table on which the card is in use: as itself, or with what brings it."""
    brought_by = {
        "Haunted Mirror": "Cemetery",
        "Magic Lamp": "Secret Cave",
        "The Swamp's Gift": "Bard",
        "Delusion": "Skulk",
        "Envy": "Skulk",
        "Misery": "Skulk",
        "Huge Turnip": "Joust",
        "Teacher": "Peasant",
        "Ruins": "Cultist",
        "Loot": "Search",
        "Prizes": "Tournament",
        "Rewards": "Joust",
        "Zombies": "Necromancer",
    }
    if card == "Shelters":
        return deal.setup(shelters=True)
    member_of = deal.game.cards[card].member_of
    first, stacked = on_the_table(brought_by.get(card) or member_of or card)
    return deal.setup(*first, stacked=stacked)
