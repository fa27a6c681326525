"""Laws that hold for every setup document of Dominion, whatever was dealt.

The witness is the table of facts (`oracle`), never the engine's own data.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from randomizer.setup import schema
from randomizer.setup.document import Setup
from randomizer.text.json import dumps
from tests.support import facts, oracle

FACTS = {row["name"]: row for row in facts("cards")}
COSTS = {"Bane": ("2", "3"), "Ferryman": ("3", "4")}
ASKERS = oracle.askers()
MEMBER_OF = {row["name"]: row["pile"] for row in FACTS.values() if row["pile"]}
NEEDS_BY_CARD: dict[str, list[oracle.Need]] = {}
for _need in oracle.NEEDS:
    NEEDS_BY_CARD.setdefault(_need.card, []).append(_need)


def every_card_in_use_has_what_it_needs(setup: Setup) -> None:
    """Every nested chain is closed."""
    unmet = [
        fault
        for card in oracle.cards_in_use(setup)
        for need in NEEDS_BY_CARD.get(card, ())
        if need.thing != card or card in {pile["name"] for pile in setup["piles"]}
        if (fault := oracle.missing(need, setup))
    ]
    assert unmet == []


def every_choice_is_made(setup: Setup) -> None:
    """A Bane, an Ally and so on for every card that asks for one; or it is said that no unused card fits."""
    missing = {entry["for"] for entry in setup["missing"]}
    made = {mark for pile in setup["piles"] for mark in pile["marks"]}
    made |= {card["for"] for card in setup["set_aside"]} | {deck["name"] for deck in setup["decks"]}
    made |= {landscape["group"] for landscape in setup["landscapes"]}
    in_use = oracle.cards_in_use(setup)
    assert {oracle.CHOICES[card] for card in in_use if card in oracle.CHOICES} <= made | missing
    assert not made & missing - {"Black Market deck"}  # which may be too small
    for slot in missing & set(COSTS):
        assert not [row["name"] for row in _unused(setup, in_use) if row["cost_coins"] in COSTS[slot]]


def _unused(setup: Setup, in_use: set[str]) -> Iterator[dict[str, str]]:
    """The Kingdom cards of the chosen boxes, with a plain cost, that nobody uses."""
    chosen = set(setup["options"]["sets"])
    taken = in_use | {MEMBER_OF.get(name, "") for name in in_use}
    for row in FACTS.values():
        plain = row["cost_potion"] in ("", "0") and row["cost_debt"] in ("", "0")
        chosen_too = chosen & set(row["boxes"].split(";"))
        if row["kind"] == "kingdom" and plain and chosen_too and row["name"] not in taken:
            yield row


def nothing_is_out_that_nobody_asks_for(setup: Setup) -> None:
    """What the deal did not turn up says why it is out, and a card in use asks for it."""
    in_use = oracle.cards_in_use(setup)
    turned = {entry["name"] for entry in setup["turned"] if entry["use"] != "skipped"}
    decided = {entry["title"] for entry in setup["decisions"] if entry["answer"]}
    decks = {deck["name"] for deck in setup["decks"]}
    always = {"Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", "Trash mat"}
    entries = [
        *setup["piles"],
        *setup["landscapes"],
        *setup["decks"],
        *setup["set_aside"],
        *setup["components"],
        *setup["placed"],
        *setup["starting_deck"],
        *setup["trash"],
        *setup["notes"],
    ]
    for entry in entries:
        name = entry.get("name", "")
        if name in turned or (name in always and not entry["because"]):
            assert entry["because"] == []
            continue
        assert entry["because"], f"{name} does not say why it is out"
        assert set(entry["because"]) <= in_use | decided | decks
    for entry in (
        *setup["components"],
        *setup["decks"],
        *(pile for pile in setup["piles"] if not pile["supply"]),
    ):
        marks: Any = entry.get("marks", ())
        if entry["name"] not in always and "Ferryman" not in marks:
            assert ASKERS.get(entry["name"], set()) & in_use, f"nobody asks for {entry['name']}"


def chosen_cards_are_legal_and_unused(setup: Setup) -> None:
    """Costs and types as the facts have them; nobody's card is anybody else's."""
    chosen_boxes = set(setup["options"]["sets"])
    for pile in setup["piles"]:
        facts_ = FACTS.get(pile["name"])
        plain = facts_ and not int(facts_["cost_potion"] or 0) and not int(facts_["cost_debt"] or 0)
        if "Bane" in pile["marks"]:
            assert facts_ and plain and facts_["cost_coins"] in ("2", "3") and facts_["kind"] == "kingdom"
        if "Ferryman" in pile["marks"]:
            assert facts_ and plain and facts_["cost_coins"] in ("3", "4") and facts_["kind"] == "kingdom"
            assert not pile["supply"]
        if "Approaching Army" in pile["marks"]:
            assert facts_ and "Attack" in facts_["types"].split(";")
        if pile["place"] == "kingdom" or "Ferryman" in pile["marks"]:
            assert facts_ and chosen_boxes & set(facts_["boxes"].split(";"))
    for aside in setup["set_aside"]:
        facts_ = FACTS[aside["name"]]
        assert "Action" in facts_["types"].split(";") and "Duration" not in facts_["types"].split(";")
        assert facts_["cost_coins"] in {"Riverboat": ("5",), "Way of the Mouse": ("2", "3")}[aside["for"]]
        assert facts_["kind"] in ("kingdom", "split-member") and facts_["is_randomizer"] == "no"
    taken = Counter(pile["name"] for pile in setup["piles"])
    taken.update(FACTS[aside["name"]]["pile"] or aside["name"] for aside in setup["set_aside"])
    for deck in setup["decks"]:
        taken.update(MEMBER_OF.get(name, name) for name in (*deck["cards"], *deck["face_up"]))
    assert [name for name, times in taken.items() if times > 1] == []


def the_table_adds_up(setup: Setup) -> None:
    """Ten Kingdom cards, one Bane, Ally and Prophecy at most, ten-card decks, all the Copper."""
    assert [entry.get("kingdom") for entry in setup["turned"] if entry["use"] == "kingdom"] == list(
        range(1, 11)
    )
    added = [pile for pile in setup["piles"] if {"Bane", "Approaching Army"} & set(pile["marks"])]
    assert sum(pile["place"] == "kingdom" for pile in setup["piles"]) == 10 + len(added)
    marks = Counter(mark for pile in setup["piles"] for mark in pile["marks"])
    assert max(marks.values(), default=1) == 1
    kinds = Counter(landscape["kind"] for landscape in setup["landscapes"])
    assert kinds["ally"] <= 1 and kinds["prophecy"] <= 1
    assert kinds["way"] <= setup["options"].get("ways", 1)
    dealt_landscapes = sum(kinds.values()) - kinds["ally"] - kinds["prophecy"]
    assert dealt_landscapes <= setup["options"].get("landscapes", 2)
    assert sum(card["count"] for card in setup["starting_deck"]) == 10
    in_decks = {card["name"]: card["count"] * setup["players"] for card in setup["starting_deck"]}
    (copper,) = [pile for pile in setup["piles"] if pile["name"] == "Copper"]
    assert (copper["count"] or 0) + in_decks.get("Copper", 0) == (60 if setup["players"] < 5 else 120)
    names = [entry["name"] for key in ("piles", "landscapes", "decks", "set_aside") for entry in setup[key]]
    assert len(names) == len(set(names))  # everything stands in one place only
    assert setup["game_end"][1] == f"any {'three' if setup['players'] < 5 else 'four'} Supply piles are empty"


def the_document_fed_back_in_gives_itself(setup: Setup) -> None:
    """Byte for byte."""
    text = dumps(setup)
    assert dumps(schema.loads(text)) == text


LAWS = [
    every_card_in_use_has_what_it_needs,
    every_choice_is_made,
    nothing_is_out_that_nobody_asks_for,
    chosen_cards_are_legal_and_unused,
    the_table_adds_up,
    the_document_fed_back_in_gives_itself,
]
