"""Every row of the table of setup needs, dealt: the card is on the table, and so is what it needs."""

from typing import Any

import pytest

from tests.support import Deals, facts, named, names, oracle
from tests.support.oracle import NEEDS, Need

ALLY, PROPHECY = "Bauble", "Tea House"  # a Liaison and an Omen that bring nothing else


def on_the_table(card: str) -> tuple[list[str], dict[str, list[str]]]:
    """How to have a card on the table: among the randomizers, or as the Ally or Prophecy."""
    kind = {row["name"]: row["kind"] for row in facts("cards")}.get(card)
    if kind == "ally":
        return [ALLY], {"Ally": [card]}
    if kind == "prophecy":
        return [PROPHECY], {"Prophecy": [card]}
    return [card], {}


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: f"{need.card}-{need.thing}"[:60])
def test_what_a_card_needs_is_there(deal: Deals, need: Need) -> None:
    """Of the right number, for every number of players."""
    first, stacked = ([], {}) if need.card.startswith("(") else on_the_table(need.card)
    forced: dict[str, Any] = {
        "Platinum and Colony": {"colony": True},
        "Shelters": {"shelters": True},
    }.get(need.card, {})
    for players in range(2, 7):
        setup = deal.setup(*([] if forced else first), players=players, stacked=stacked, **forced)
        assert need.card.startswith("(") or forced or need.card in oracle.cards_in_use(setup)
        assert oracle.missing(need, setup) == ""


def test_no_row_is_passed_over() -> None:
    """Rows without a check here are notes, choices and landscapes, or are listed with their own test."""
    checked = {(need.card, need.sort) for need in NEEDS}
    assert len(NEEDS) > 370
    for row in facts("needs"):
        told = (
            row["need_kind"] in ("note", "chosen-card", "landscape") or row["what"] in oracle.TOLD_ELSEWHERE
        )
        assert told or any(card == row["card"].removesuffix(" (Harem)") for card, _ in checked)


# Links that say nothing about laying out: who gains Curses, what may be exchanged, the other side of a card.
SILENT = ("uses-curse", "mentions-curse", "exchanges-for", "other-side-of-card")


@pytest.mark.parametrize(
    "link",
    [
        link
        for link in facts("linked")
        if link["link_type"] not in SILENT and not link["card"].startswith("(")
    ],
    ids=lambda link: f"{link['card']}-{link['linked']}"[:60],
)
def test_what_a_card_is_linked_to_comes_with_it(deal: Deals, link: dict[str, str]) -> None:
    card, linked, sort = link["card"], link["linked"], link["link_type"]
    if (card, linked) == ("Page", "Tavern Mat"):
        pytest.skip("one source's mistake: setup-rules.md, section S; the mat is Peasant's")
    setup = _with_in_use(deal, card)
    shelves = {
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
        assert len(named(setup["decks"], "Boons")["face_up"]) == 3
    elif sort in shelves:
        assert linked in names(shelves[sort])
    elif sort == "pile-member":
        everywhere = [*setup["piles"], *setup["starting_deck"], *setup["trash"]]
        members = [member for pile in setup["piles"] for member in pile["members"]]
        assert linked in names([*everywhere, *members])
    elif sort in ("ally", "prophecy"):
        assert sort in [landscape["kind"] for landscape in setup["landscapes"]]
    elif sort == "mat-token":
        on_table = set(names(setup["components"])) | set(names(setup["placed"]))
        assert on_table >= MATS_AND_TOKENS.get(linked, {linked})
    elif sort in ("extra-supply-pile", "extra-nonsupply-pile"):
        mark = {"Young Witch": "Bane"}.get(card, card)
        assert [pile["supply"] for pile in setup["piles"] if mark in pile["marks"]] == [
            sort == "extra-supply-pile"
        ]
    elif sort == "set-aside-card":
        assert [aside["for"] for aside in setup["set_aside"]] == [card]
    elif sort == "chosen-pile":
        assert named(setup["landscapes"], card)["on"] in names(setup["piles"])
    else:
        pytest.fail(f"nothing here checks {sort}")


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


def _with_in_use(deal: Deals, card: str) -> Any:
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
