"""The table of setup needs: if a card is on the table, so is everything that it needs."""

from collections.abc import Sequence
from typing import Any

import pytest

from randomizer.setup.document import Setup
from tests.support import EXAMPLE_FACTOR, Deals, find_by_name, get_names, oracle, read_facts
from tests.support.oracle import NEEDS

ALLY, PROPHECY = "Bauble", "Tea House"  # a Liaison and an Omen that need nothing else


def choose_cards_to_stack(card: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the cards to turn up first and the cards to draw by question, so that a card is dealt."""
    kind = {row["name"]: row["kind"] for row in read_facts("cards")}.get(card)
    if kind == "ally":
        return [ALLY], {"Ally": [card]}
    if kind == "prophecy":
        return [PROPHECY], {"Prophecy": [card]}
    return [card], {}


NEEDED = {card: [need for need in NEEDS if need.card == card] for card in {need.card: None for need in NEEDS}}


@pytest.mark.parametrize("players", range(2, 7))
def test_table_has_what_each_card_needs(deal: Deals, players: int) -> None:
    """Of the right number, for every number of players; each card for two of them, with `MORE` for all."""
    faults = []
    for index, (card, needs) in enumerate(NEEDED.items()):
        if EXAMPLE_FACTOR == 1 and (index + players) % 5 not in (0, 2):
            continue
        first, stacked = ([], {}) if card.startswith("(") else choose_cards_to_stack(card)
        forced: dict[str, Any] = {
            "Platinum and Colony": {"colony": True},
            "Shelters": {"shelters": True},
        }.get(card, {})
        setup = deal.setup(*([] if forced else first), players=players, stacked=stacked, **forced)
        if not (card.startswith("(") or forced or card in oracle.get_cards_in_use(setup)):
            faults.append(f"{card} is not on the table")
        faults += [fault for need in needs if (fault := oracle.find_fault(need, setup))]
    assert faults == []


def test_every_need_is_tested() -> None:
    """Notes, choices and landscapes are exempt, and so are needs with a test of their own."""
    checked = {(need.card, need.kind) for need in NEEDS}
    assert len(NEEDS) > 370
    for row in read_facts("needs"):
        is_exempt = (
            row["need_kind"] in ("note", "chosen-card", "landscape") or row["what"] in oracle.TESTED_ELSEWHERE
        )
        assert is_exempt or any(card == row["card"].removesuffix(" (Harem)") for card, _ in checked)


# Types of links that do not affect setup.
IRRELEVANT_LINK_TYPES = ("uses-curse", "mentions-curse", "exchanges-for", "other-side-of-card")
# A mistake in one source (setup-rules.md, section S): the mat belongs to Peasant.
MISTAKEN_LINK = ("Page", "Tavern Mat")


def test_linked_things_come_with_each_card(deal: Deals) -> None:
    linked: dict[str, list[tuple[str, str]]] = {}
    for row in read_facts("linked"):
        card, other = row["card"], row["linked"]
        if (
            row["link_type"] not in IRRELEVANT_LINK_TYPES
            and not card.startswith("(")
            and (card, other) != MISTAKEN_LINK
        ):
            linked.setdefault(card, []).append((other, row["link_type"]))
    assert len(linked) > 280
    missing = []
    for card, others in linked.items():
        setup = _deal_with_card(deal, card)
        missing += [
            (card, other) for other, link_type in others if not _has_linked(setup, card, other, link_type)
        ]
    assert missing == []


def _has_linked(setup: Setup, card: str, linked: str, link_type: str) -> bool:
    """Return whether the linked thing is on the table, in its proper place."""
    parts_by_type: dict[str, Sequence[Any]] = {
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
    if link_type in parts_by_type:
        return linked in get_names(parts_by_type[link_type])
    if link_type == "pile-member":
        everywhere = [*setup["piles"], *setup["starting_deck"], *setup["trash"]]
        members = [member for pile in setup["piles"] for member in pile["members"]]
        return linked in get_names([*everywhere, *members])
    if link_type in ("ally", "prophecy"):
        return link_type in [landscape["kind"] for landscape in setup["landscapes"]]
    if link_type == "mat-token":
        on_table = set(get_names(setup["components"])) | set(get_names(setup["placed"]))
        return on_table >= MATS_AND_TOKENS.get(linked, {linked})
    if link_type in ("extra-supply-pile", "extra-nonsupply-pile"):
        mark = {"Young Witch": "Bane"}.get(card, card)
        supply = [pile["place"] != "beside" for pile in setup["piles"] if mark in pile["marks"]]
        return supply == [link_type == "extra-supply-pile"]
    if link_type == "set-aside-card":
        return [aside["for"] for aside in setup["set_aside"]] == [card]
    if link_type == "chosen-pile":
        return find_by_name(setup["landscapes"], card)["on"] in get_names(setup["piles"])
    raise ValueError(f"no check for {link_type}")


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


def _deal_with_card(deal: Deals, card: str) -> Setup:
    """Deal a table that uses the card, by itself or with another card that needs it."""
    needed_by = {
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
    first, stacked = choose_cards_to_stack(needed_by.get(card) or member_of or card)
    return deal.setup(*first, stacked=stacked)
