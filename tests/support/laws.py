"""Laws: checks that every setup document of Dominion must pass, whatever was dealt.

They compare documents with the tables of facts (see `oracle`), never with the engine's own data.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from randomizer.setup import checklist, schema
from randomizer.setup.document import Item, Setup
from randomizer.setup.lines import Line
from randomizer.text.json import dumps
from randomizer.text.language import Language
from tests.support import get_names, oracle, read_facts
from tests.support.witness import NOTES_BY_CARD, TABLE_LISTS, UNCHANGED_KEYS, SecondDealOracle

CARD_FACTS = {row["name"]: row for row in read_facts("cards")}
# The coin costs of the cards that may be chosen.
SLOT_COSTS = {"Bane": ("2", "3"), "Ferryman": ("3", "4")}
KINDS_BY_DECK = {"Boons": "boon", "Hexes": "hex"}
CARDS_BY_THING = oracle.group_cards_by_thing()
PILES_BY_MEMBER = {row["name"]: row["pile"] for row in CARD_FACTS.values() if row["pile"]}
# The cards of one box of basic cards, which is enough for four players (Base 1E rulebook p. 2).
COPIES_PER_BOX = {
    "Copper": 60,
    "Silver": 40,
    "Gold": 30,
    "Estate": 24,
    "Duchy": 12,
    "Province": 12,
    "Curse": 30,
}
# Cards whose rules apply only if they have a pile in the Supply, or a pile anywhere.
SUPPLY_PILE_CARDS = {"Duchess"}
PILE_CARDS = {"Changeling", *(need.card for need in oracle.NEEDS if need.kind == "gathered")}
NEEDS_BY_CARD: dict[str, list[oracle.Need]] = {}
for _need in oracle.NEEDS:
    NEEDS_BY_CARD.setdefault(_need.card, []).append(_need)


def check_every_need_is_met(setup: Setup) -> None:
    """Check that the needs of all cards in use are met, including cards that other cards require."""
    unmet = [
        fault
        for card in oracle.get_cards_in_use(setup)
        for need in NEEDS_BY_CARD.get(card, ())
        if need.thing != card or card in {pile["name"] for pile in setup["piles"]}
        if (fault := oracle.find_fault(need, setup))
    ]
    assert unmet == []


def check_every_choice_is_made_or_missing(setup: Setup) -> None:
    """Check that every choice, such as the Bane, is made, or listed as missing if no unused card matches."""
    missing = {entry["for"] for entry in setup["missing"]}
    made = {mark for pile in setup["piles"] for mark in pile["marks"]}
    made |= {card["for"] for card in setup["set_aside"]} | {deck["name"] for deck in setup["decks"]}
    made |= {landscape["group"]["en"] for landscape in setup["landscapes"]}
    in_use = oracle.get_cards_in_use(setup)
    assert {oracle.CHOICES[card] for card in in_use if card in oracle.CHOICES} <= made | missing
    assert not made & missing - {"Black Market deck"}  # a deck with too few cards is both
    for slot in missing & set(SLOT_COSTS):
        assert not [
            row["name"] for row in _iter_unused(setup, in_use) if row["cost_coins"] in SLOT_COSTS[slot]
        ]


def _iter_unused(setup: Setup, in_use: set[str]) -> Iterator[dict[str, str]]:
    """Yield the unused Kingdom cards of the chosen boxes that cost neither Potions nor Debt."""
    chosen = set(setup["options"]["sets"])
    vetoed = {*(setup["vetoes"]["vetoed"] or ())} if "vetoes" in setup else set()  # They stay in the box.
    taken = in_use | {PILES_BY_MEMBER.get(name, "") for name in in_use} | vetoed
    for row in CARD_FACTS.values():
        has_plain_cost = row["cost_potion"] in ("", "0") and row["cost_debt"] in ("", "0")
        is_in_chosen_boxes = chosen & set(row["boxes"].split(";"))
        if row["kind"] == "kingdom" and has_plain_cost and is_in_chosen_boxes and row["name"] not in taken:
            yield row


def check_everything_has_a_cause(setup: Setup) -> None:
    """Check that everything that was not turned up names its cause and is needed by a card in use."""
    in_use = oracle.get_cards_in_use(setup)
    turned = {entry["name"] for entry in setup["turned"] if entry["use"] != "skipped"}
    decided = {entry["title"]["en"] for entry in setup["decisions"] if entry["answer"]}
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
        assert entry["because"], f"{name} does not name its cause"
        assert set(entry["because"]) <= in_use | decided | decks
    for entry in (
        *setup["components"],
        *setup["decks"],
        *(pile for pile in setup["piles"] if pile["place"] == "beside"),
    ):
        marks: Any = entry.get("marks", ())
        if entry["name"] not in always and "Ferryman" not in marks:
            assert CARDS_BY_THING.get(entry["name"], set()) & in_use, f"no card needs {entry['name']}"


def check_chosen_cards_are_legal_and_unused(setup: Setup) -> None:
    """Check the costs, types and boxes of chosen cards, and that no card is used twice."""
    chosen_boxes = set(setup["options"]["sets"])
    for pile in setup["piles"]:
        row = CARD_FACTS.get(pile["name"])
        plain = row and not int(row["cost_potion"] or 0) and not int(row["cost_debt"] or 0)
        if "Bane" in pile["marks"]:
            assert row and plain and row["cost_coins"] in ("2", "3") and row["kind"] == "kingdom"
        if "Ferryman" in pile["marks"]:
            assert row and plain and row["cost_coins"] in ("3", "4") and row["kind"] == "kingdom"
            assert pile["place"] == "beside"
        if "Approaching Army" in pile["marks"]:
            assert row and "Attack" in row["types"].split(";")
        if pile["place"] == "kingdom" or "Ferryman" in pile["marks"]:
            assert row and chosen_boxes & set(row["boxes"].split(";"))
    for aside in setup["set_aside"]:
        row = CARD_FACTS[aside["name"]]
        assert "Action" in row["types"].split(";") and "Duration" not in row["types"].split(";")
        assert row["cost_coins"] in {"Riverboat": ("5",), "Way of the Mouse": ("2", "3")}[aside["for"]]
        assert row["kind"] in ("kingdom", "split-member") and row["is_randomizer"] == "no"
    taken = Counter(pile["name"] for pile in setup["piles"])
    taken.update(CARD_FACTS[aside["name"]]["pile"] or aside["name"] for aside in setup["set_aside"])
    for deck in setup["decks"]:
        taken.update(PILES_BY_MEMBER.get(name, name) for name in (*deck["cards"], *deck["face_up"]))
    assert [name for name, times in taken.items() if times > 1] == []


def check_counts_add_up(setup: Setup) -> None:
    """Check the numbers of Kingdom cards, landscapes, starting cards, Copper, and piles that end the game."""
    assert [entry.get("position") for entry in setup["turned"] if entry["use"] == "kingdom"] == list(
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
    assert len(names) == len(set(names))  # nothing is on the table twice
    assert (
        setup["game_end"][1]["en"]
        == f"any {'three' if setup['players'] < 5 else 'four'} Supply piles are empty"
    )


# ── The checklist ──


def _iter_items(setup: Setup) -> Iterator[tuple[str, Item]]:
    """Yield the heading and the item of every line of the checklist."""
    for section in setup["checklist"]:
        yield from ((section["title"]["en"], item) for item in section["items"])


def _iter_lines(setup: Setup) -> Iterator[tuple[str, Line]]:
    """Yield every line of the checklist as it is printed in English, with its heading."""
    boxes = {box["slug"]: box["name"] for box in setup["boxes"]}
    for section in checklist.build_checklist(setup, Language("en", boxes=boxes)):
        yield from ((section.title, line) for line in section.lines)


def check_drawing_comes_last(setup: Setup) -> None:
    """Check that drawing the first hand is the last line, and that no other line mentions it."""
    lines = list(_iter_items(setup))
    assert lines[-1][0] == "Last steps"
    assert (lines[-1][1]["name"], lines[-1][1]["detail"]["en"]) == (
        "Starting decks",
        "shuffle, then draw five cards",
    )
    assert not any("draw" in item["detail"]["en"] for _, item in lines[:-1])
    given = {card["name"] for card in setup["starting_deck"]}
    assert given <= {item["name"] for title, item in lines if title == "Each player takes"}


def check_each_step_is_on_its_line(setup: Setup) -> None:
    """Check that a note is on the line of its card or under `Last steps` if and only if it is a step."""
    for note in setup["notes"]:
        places = [(title, item) for title, item in _iter_items(setup) if item["name"] == note.get("on")]
        titles = [title for title, item in places if note["text"]["en"] in item["detail"]["en"]]
        assert len(titles) == ("step" in note)
        assert note.get("step") != "last" or titles == ["Last steps"]
    swaps = [trait["name"] for trait in setup["landscapes"] if trait["name"] == "Inherited" and "on" in trait]
    assert [note.get("on") for note in setup["notes"] if note.get("step") == "last"] == swaps
    banes = [pile["name"] for pile in setup["piles"] if "Bane" in pile["marks"]]
    winds = [prophecy["name"] for prophecy in setup["landscapes"] if prophecy["name"] == "Divine Wind"]
    assert {note.get("on") for note in setup["notes"] if note.get("step") == "here"} == {*banes, *winds}


def check_no_component_has_its_substitute(setup: Setup) -> None:
    """Check that there is only one mat for Coffers, with the tokens on it.

    Source: setup rules F10.
    """
    names = {component["name"] for component in setup["components"]}
    assert not [mat for mat, other in oracle.SUBSTITUTES.items() if mat in names and other in names]
    mats = {tokens["on"] for tokens in setup["placed"] if tokens["on"].endswith(" mat")}
    assert mats <= names


def check_notes_and_components_can_matter(setup: Setup) -> None:
    """Check that notes and VP tokens apply to piles on the table, not to cards that are only set aside."""
    supply = {pile["name"] for pile in setup["piles"] if pile["place"] != "beside"}
    aside = {card["name"] for card in setup["set_aside"]}
    vp = [component for component in setup["components"] if component["name"] == "VP tokens"]
    for entry in (*vp, *setup["notes"]):
        causes = set(entry["because"])
        assert causes & SUPPLY_PILE_CARDS <= supply
        assert all(oracle.has_pile(setup, card) for card in causes & PILE_CARDS)
    for note in setup["notes"]:
        shadows = [name for name in note["because"] if "Shadow" in CARD_FACTS.get(name, {}).get("types", "")]
        assert not aside & set(shadows)


def check_suggested_boxes_have_a_match(setup: Setup) -> None:
    """Check that a box is suggested for a missing choice only if it has a matching card."""
    for missing in setup["missing"]:
        kind = CARD_FACTS.get(missing["for"], {}).get("kind")
        assert (missing.get("among") == "table") == (kind in ("trait", "landmark"))
        assert missing.get("among") != "table" or missing["help"] == []
        for box in missing["help"]:
            costs = {row["cost_coins"] for row in CARD_FACTS.values() if box in row["boxes"].split(";")}
            assert costs & set(SLOT_COSTS.get(missing["for"], costs))


def check_second_set_is_mentioned(setup: Setup) -> None:
    """Check that the checklist lists the cards from a second set that five and six players need."""
    dealt = {card["name"]: card["count"] * setup["players"] for card in setup["starting_deck"]}
    needed = {pile["name"]: (pile["count"] or 0) + dealt.get(pile["name"], 0) for pile in setup["piles"]}
    extra = [
        f"{needed[name] - count} {name}" for name, count in COPIES_PER_BOX.items() if needed[name] > count
    ]
    details = [
        item["detail"]["en"] for _, item in _iter_items(setup) if item["name"] == "From a second base set"
    ]
    assert details == ([", ".join(extra)] if extra else [])
    assert bool(extra) == (setup["players"] > 4)


def check_possible_decisions_are_marked(setup: Setup) -> None:
    """Check that a decision is marked as possible if a card of the chosen boxes could lead to a yes."""
    sets = {"platinum-colony": "prosperity", "shelters": "dark-ages"}
    for decision in setup["decisions"]:
        decisive = [
            row["name"]
            for row in CARD_FACTS.values()
            if row["set"] == sets[decision["question"]]
            and row["kind"] == "kingdom"
            and set(setup["options"]["sets"]) & set(row["boxes"].split(";"))
        ]
        assert decision.get("possible") == bool(decisive)


def check_reasons_are_short_and_distinct(setup: Setup) -> None:
    """Check that no reason repeats a name or names its own line, and that chains have at most three names."""
    marks = {mark for pile in setup["piles"] for mark in pile["marks"]}
    for _, line in _iter_lines(setup):
        marks_text, _, why = line.below[0].partition("for ") if line.below and not line.why else ("", "", "")
        text = (why or line.why.removeprefix("for ")).replace("\N{NO-BREAK SPACE}", " ")
        names = [name for name in re.split(" → |, |; | and [0-9]+ more", text) if name not in ("", "…")]
        assert len(names) == len(set(names)), text
        assert line.name not in names and not set(names) & {
            mark for mark in marks_text.split(", ") if mark
        }, text
        assert not any(line.name.startswith(f"{name} ") for name in names[-1:]), text
        assert not re.search("→ [^,;]* → [^,;]* →", text), text
        heads = [group.split(" → ")[0] for group in text.split("; ") if " → " in group]
        assert len(heads) == len(set(heads)), text
        assert set(names) <= {*line.because} | marks, text


def check_singular_and_plural(setup: Setup) -> None:
    """Check that names agree with their count: `1 Coin token`, `2 VP tokens`."""
    for _, line in _iter_lines(setup):
        assert line.count_ != 1 or not line.name.endswith(("tokens", "cubes", "cards")), line.name
        assert line.count_ in (None, 1) or not line.name.endswith((" token", " cube", " card")), line.name


def check_lines_name_their_box(setup: Setup) -> None:
    """Check that the lines of cards name their box, except for cards that are in every game."""
    if len(setup["boxes"]) < 2:
        return
    box_names = {box["name"] for box in setup["boxes"]}
    decks = [deck for deck in setup["decks"] if deck["contents"]]  # An empty deck comes from no box.
    cards = [*setup["piles"], *setup["landscapes"], *decks, *setup["set_aside"], *setup["trash"]]
    cards += [component for component in setup["components"] if component["kind"] in ("state", "artifact")]
    cards += [card for card in setup["starting_deck"] if card["because"]]
    kingdom = {pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"}
    names_with_box = {card["name"] for card in cards if card["because"] or card["name"] in kingdom}
    for _, line in _iter_lines(setup):
        if line.name in names_with_box:
            prefixes = [below.partition(": ")[0] for below in line.below]
            assert line.box in box_names or set(prefixes) & box_names, line.name


def check_document_is_read_back(setup: Setup) -> None:
    """Check that reading and writing a document again gives the same bytes."""
    text = dumps(setup)
    assert dumps(schema.loads(text)) == text


def check_fixed_decks_are_complete(setup: Setup) -> None:
    """Check that each deck and mixed pile of a rulebook has all its cards: Boons, Hexes, Loot and others.

    Bans, swaps and named cards apply to what is chosen among cards, never to the cards of such a deck.
    """
    for deck in setup["decks"]:
        if deck["name"] in KINDS_BY_DECK:
            kind = KINDS_BY_DECK[deck["name"]]
            every = sorted(name for name, row in CARD_FACTS.items() if row["kind"] == kind)
            assert sorted(card["name"] for card in deck["contents"]) == every, deck["name"]
            assert (deck["count"] or 0) + len(deck["face_up"]) == len(every) == 12
    members_by_pile: dict[str, set[str]] = {}
    for name, pile_name in PILES_BY_MEMBER.items():
        if name != pile_name:
            members_by_pile.setdefault(pile_name, set()).add(name)
    for pile in setup["piles"]:
        if pile["members"]:
            assert {member["name"] for member in pile["members"]} == members_by_pile[pile["name"]]
    counts = {"Knights": 10, "Loot": 30, "Ruins": 10 * (setup["players"] - 1)}
    for entry in (*setup["piles"], *setup["decks"]):
        assert entry["count"] == counts.get(entry["name"], entry["count"]), entry["name"]


# Laws of every table, including tables with bans, swaps and named cards.
DECK_LAWS = [check_fixed_decks_are_complete, check_every_need_is_met, check_document_is_read_back]

LAWS = [
    check_fixed_decks_are_complete,
    check_every_need_is_met,
    check_every_choice_is_made_or_missing,
    check_everything_has_a_cause,
    check_chosen_cards_are_legal_and_unused,
    check_counts_add_up,
    check_drawing_comes_last,
    check_each_step_is_on_its_line,
    check_no_component_has_its_substitute,
    check_notes_and_components_can_matter,
    check_suggested_boxes_have_a_match,
    check_second_set_is_mentioned,
    check_possible_decisions_are_marked,
    check_reasons_are_short_and_distinct,
    check_singular_and_plural,
    check_lines_name_their_box,
    check_document_is_read_back,
]


# ── Second deals: laws about the documents before and after ──


def check_kept_entries_are_unchanged(first: Setup, second: Setup) -> None:
    """Check that only Kingdom piles and their tokens are removed, and that kept entries come first."""
    after: Any = second
    expected = SecondDealOracle(first, second)
    assert get_names(second["second_deal"]["leaves"]) == expected.removed_piles
    assert second["second_deal"]["kept_counts"] == {key: len(parts) for key, parts in expected.kept.items()}
    for key in TABLE_LISTS:
        assert after[key][: len(expected.kept[key])] == expected.kept[key], key
    for key in UNCHANGED_KEYS:
        assert after[key] == {**first}[key], key
    assert second["boxes"][: len(first["boxes"])] == first["boxes"] and second["boxed"] == []


def check_ten_kingdom_piles_are_added(first: Setup, second: Setup) -> None:
    """Check that ten piles from the chosen boxes are added, and a Bane if needed, but no landscapes."""
    expected = SecondDealOracle(first, second)
    assert [card.get("position") for card in second["turned"]] == list(range(1, 11))
    kingdom = [pile for pile in expected.added["piles"] if pile["place"] == "kingdom"]
    added = [pile["name"] for pile in kingdom if pile["marks"]]
    assert [pile["name"] for pile in kingdom if not pile["marks"]] == get_names(second["turned"])
    assert len(added) == sum("Bane" in pile["marks"] for pile in kingdom) <= 1
    for pile in kingdom:
        row = CARD_FACTS[pile["name"]]
        assert row["kind"] == "kingdom" and set(second["options"]["sets"]) & set(row["boxes"].split(";"))
    assert {landscape["kind"] for landscape in expected.added["landscapes"]} <= {"ally"}
    assert expected.added["starting_deck"] == []


def check_every_card_is_in_one_place(first: Setup, second: Setup) -> None:
    """Check that no card is in two places, and that no card or mixed pile is used again."""
    expected = SecondDealOracle(first, second)
    assert [name for name, times in expected.count_locations().items() if times > 1] == []
    kingdom = {"kingdom", "split-member"}
    used = {
        PILES_BY_MEMBER.get(name, name)
        for name in expected.old_cards
        if CARD_FACTS.get(name, {}).get("kind") in kingdom
    }
    new = {
        PILES_BY_MEMBER.get(name, name)
        for name in expected.new_cards
        if CARD_FACTS.get(name, {}).get("kind") in kingdom
    }
    assert used & new == set()
    check_chosen_cards_are_legal_and_unused(second)


def check_every_new_need_is_met(first: Setup, second: Setup) -> None:
    """Check that the needs of the new cards are met, with the right counts of cards and tokens."""
    expected = SecondDealOracle(first, second)
    table = expected.merge_decks()
    assert [fault for need in expected.iter_needs() if (fault := oracle.find_fault(need, table))] == []
    for pile in expected.added["piles"]:
        sizes = [need.count for need in NEEDS_BY_CARD.get(pile["name"], ()) if need.thing == pile["name"]]
        if CARD_FACTS.get(pile["name"], {}).get("kind") == "kingdom":
            assert pile["count"] == (sizes[0][second["players"] - 2] if sizes else 10), pile["name"]
        if pile["members"] and pile["members"][0]["count"] is not None:
            assert sum(member["count"] for member in pile["members"]) == pile["count"], pile["name"]
    placed = Counter(
        (tokens["name"], tokens["on"], tokens.get("per", "game"), tokens["count"])
        for tokens in expected.added["placed"]
    )
    assert placed == expected.count_tokens()
    zombies = {name for name in CARDS_BY_THING if name.startswith("Zombie ")}
    assert set(get_names(expected.added["trash"])) == (
        zombies if "Necromancer" in expected.new_cards else set()
    )
    boons = [deck for deck in table["decks"] if deck["name"] == "Boons"]
    if "Druid" in expected.new_cards:
        assert [(len(deck["face_up"]), deck["count"]) for deck in boons] == [(3, 9)]
    for name in ("Boons", "Hexes"):
        cards = [
            card for deck in table["decks"] if deck["name"] == name for card in get_names(deck["contents"])
        ]
        assert len(cards) == len(set(cards)) and len(cards) in (0, 12)


def check_everything_new_has_a_cause(first: Setup, second: Setup) -> None:
    """Check that everything new names its cause and is needed by a new card, and nothing is added twice."""
    expected = SecondDealOracle(first, second)
    turned, decks = set(get_names(second["turned"])), set(get_names(expected.added["decks"]))
    for key, parts in expected.added.items():
        for part in parts:
            if part.get("name") in turned or (key == "notes" and not part["because"]):
                assert part["because"] == []  # it was turned up, or is a note about the removed piles
            else:
                assert part["because"] and set(part["because"]) <= expected.new_cards | decks, part
    chosen = {pile["name"] for pile in expected.added["piles"] if pile["marks"]}
    for key in ("piles", "decks", "components"):
        for name in set(get_names(expected.added[key])) - turned - chosen:
            assert CARDS_BY_THING.get(name, set()) & expected.new_cards, f"no card needs {name}"
    for key in ("piles", "components", "landscapes", "set_aside"):
        everything = get_names(expected.second[key])
        assert len(everything) == len(set(everything))


def check_every_new_choice_is_made_once(first: Setup, second: Setup) -> None:
    """Check that every choice that only new cards require is made once, or is listed as missing."""
    expected = SecondDealOracle(first, second)
    missing = {entry["for"] for entry in second["missing"]}
    made = Counter(mark for pile in expected.added["piles"] for mark in pile["marks"])
    made.update(card["for"] for card in expected.added["set_aside"])
    made.update(deck["name"] for deck in expected.added["decks"] if deck["name"] == "Black Market deck")
    made.update(landscape["group"]["en"] for landscape in expected.added["landscapes"])
    assert max(made.values(), default=1) == 1
    assert set(made) <= expected.get_choices() <= set(made) | missing
    assert not set(made) & missing - {"Black Market deck"}
    for slot in missing & set(SLOT_COSTS):
        in_use = expected.old_cards | expected.new_cards
        assert not [
            row["name"] for row in _iter_unused(second, in_use) if row["cost_coins"] in SLOT_COSTS[slot]
        ]


def check_notes_of_second_deal(first: Setup, second: Setup) -> None:
    """Check the notes: those that still apply, those of new cards, and the marks of removed piles."""
    expected = SecondDealOracle(first, second)
    values = [note["values"] for note in expected.added["notes"] if not note["because"]]
    marks = [
        {"mark": mark, "on": pile["name"]}
        for pile in first["piles"]
        if pile["name"] in expected.removed_piles
        for mark in pile["marks"]
    ]
    assert [value for value in values if value] == marks
    added_texts = [
        NOTES_BY_CARD[note["because"][-1]][0] for note in expected.added["notes"] if note["because"]
    ]
    kept_texts = [NOTES_BY_CARD[note["because"][-1]][0] for note in expected.kept["notes"]]
    assert Counter(added_texts) == Counter(expected.get_note_texts() - set(kept_texts))


# Tokens and Tavern mats come in six colours (seed document 000), and so do cubes (Renaissance rulebook p2).
COLOURED = {
    *("Tavern mat", "Journey token", "+1 Action token", "+1 Buy token", "+1 Card token", "+$1 token"),
    *("-1 Card token", "-$1 token", "-$2 cost token", "Trashing token", "Estate token", "Project cubes"),
}


def check_checklist_lists_what_changes(first: Setup, second: Setup) -> None:
    """Check that the checklist has a line for everything new and for each removed pile, and no others."""
    expected = SecondDealOracle(first, second)
    lines = Counter(item["name"] for section in second["checklist"] for item in section["items"])
    expected_lines = Counter(
        part["name"]
        for key, parts in expected.added.items()
        if key not in ("placed", "notes")
        for part in parts
    )
    expected_lines.update(expected.removed_piles)
    before, after = (COLOURED.intersection(get_names(each["components"])) for each in (first, second))
    if after and not before:
        expected_lines["Colours"] += 1
    placed = expected.added["placed"]
    tokens = {part["one"]["en"] if "one" in part and part["count"] == 1 else part["name"] for part in placed}
    assert {name: times for name, times in (lines - expected_lines).items() if name not in tokens} == {}
    assert expected_lines - lines == Counter()
    assert tokens <= set(lines)


def check_both_documents_are_read_back(first: Setup, second: Setup) -> None:
    """Check that reading and writing each document again gives the same bytes."""
    check_document_is_read_back(first)
    check_document_is_read_back(second)


SECOND_LAWS = [
    check_kept_entries_are_unchanged,
    check_ten_kingdom_piles_are_added,
    check_every_card_is_in_one_place,
    check_every_new_need_is_met,
    check_everything_new_has_a_cause,
    check_every_new_choice_is_made_once,
    check_notes_of_second_deal,
    check_checklist_lists_what_changes,
    check_both_documents_are_read_back,
]
