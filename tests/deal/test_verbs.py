"""Tests of each verb by itself, in an invented game of a dozen cards."""

from collections.abc import Sequence
from typing import Any

import pytest

from randomizer.cards.game import Request
from randomizer.deal.verbs import VERBS
from randomizer.record.build import build_setup
from randomizer.setup.schema import loads
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text.json import dumps
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support.tea import FIRST_CARDS, DealTea


def test_put_lays_cards_out(deal_tea: DealTea) -> None:
    table = deal_tea("{put: Crumbs}")[1]
    assert table.get_place(table.piles["Crumbs"]) == "beside" and table.get_causes("Crumbs") == ["Cake"]
    assert [*deal_tea("{put: {cards: Crumbs, to: trash}}")[1].trash] == ["Crumbs"]
    assert [*deal_tea("{put: {cards: Crumbs, to: box}}")[1].boxed] == ["Crumbs"]


def test_give_hands_components_out(deal_tea: DealTea) -> None:
    table = deal_tea("{give: [Cups, Sugar]}")[1]
    assert table.components["Cups"].each == "player" and table.components["Sugar"].count_ is None


def test_replace_changes_the_starting_deck(deal_tea: DealTea) -> None:
    table = deal_tea("{replace: {Bread: [Rusk]}}")[1]
    assert table.starting_deck == {"Bread": 4, "Rusk": 1}
    assert table.get_causes("Rusk") == ["Cake"]


@pytest.mark.parametrize(
    ("to", "found"),
    [
        (
            "kingdom",
            lambda table: (
                table.get_place(table.piles["Tart"]) == "kingdom" and table.marks["Tart"] == ["Tray"]
            ),
        ),
        ("beside", lambda table: table.get_place(table.piles["Tart"]) == "beside"),
        ("aside", lambda table: [*table.aside] == ["Tart"] and "Tart" not in table.piles),
        ("deck", lambda table: [card.name for card in table.decks["Tray"].cards] == ["Tart"]),
        ("box", lambda table: [*table.boxed] == ["Tart"]),
    ],
)
def test_deal_puts_cards_where_it_says(deal_tea: DealTea, to: str, found: Any) -> None:
    assert found(deal_tea(f"{{deal: {{is: {{cost: 5}}, to: {to}, mark: Tray}}}}")[1])


def test_deal_gives_landscapes_to_each_player(deal_tea: DealTea) -> None:
    table = deal_tea("{deal: {is: {kind: guest}, to: landscapes, each: player}}", guests=0)[1]
    assert sorted(table.owner_numbers[name] for name in table.landscapes) == [1, 2]


def test_deal_without_matching_cards_reports_missing(deal_tea: DealTea) -> None:
    (missing,) = deal_tea("{deal: {is: {cost: 9}, to: aside, as: Tray}}")[1].missing
    assert (missing.slot, missing.cause, missing.wanted, missing.found) == ("Tray", "Cake", 1, 0)


def test_replace_without_old_card_reports_missing(deal_tea: DealTea) -> None:
    """Five of the six find a Bread to stand for; no unused card would help the last."""
    table = deal_tea("{replace: {Bread: [Rusk, Crumbs, Toast, Tart, Waltz, Jig]}}")[1]
    assert [(missing.slot, missing.among) for missing in table.missing] == [("Jig", "starting deck")]
    assert table.starting_deck["Bread"] == 0


def test_give_and_note_depend_on_the_place_of_the_card(deal_tea: DealTea) -> None:
    """Cake is a pile of the kingdom; what asks for it to be elsewhere is not done."""
    for verb in ("give: {components: Cups", "note: {say: Mind it."):
        for where, done in (("kingdom", True), ("[aside, kingdom]", True), ("[beside, deck]", False)):
            table = deal_tea(f"{{{verb}, where: {where}}}}}")[1]
            assert ("Cups" in table.components or bool(table.notes)) is done


def test_substitute_component_is_given_once(deal_tea: DealTea) -> None:
    """Whichever is asked for first; tokens go to the one that is out."""
    asks = ["{give: Cups}", "{give: Mugs}", "{place: {token: Sugar, on: Cups, each: player}}"]
    for order in (asks, [asks[1], asks[0], asks[2]]):
        table = deal_tea(f"[{', '.join(order)}]")[1]
        assert {*table.components} == {"Mugs", "Sugar"} and table.get_causes("Mugs") == ["Cake"]
        assert [spot.on for spot in table.tokens] == ["Mugs"]
    assert "Cups" in deal_tea(asks[0])[1].components


def test_note_can_be_a_step(deal_tea: DealTea) -> None:
    """With what was chosen, with the card itself, or last."""
    asks = "[{deal: {is: {cost: 5}, to: beside, as: Tray}}, {note: {say: Mind it., %s}}]"
    for step, at in (("step: here, with: Tray", "Tart"), ("step: here", "Cake"), ("step: last", "Cake")):
        (note,) = deal_tea(asks % step)[1].notes
        assert (note.step, note.on) == (step[6:10], at)


def test_turn_up_uses_cards_in_order(deal_tea: DealTea) -> None:
    table = deal_tea("", first=["Hare", "Cake", "Hatter", "Soup", "Pie"])[1]
    assert [(turned.card.name, turned.use) for turned in table.turned] == [
        ("Hare", "landscape"),
        ("Cake", "kingdom"),
        ("Hatter", "skipped"),
        ("Soup", "kingdom"),
        ("Pie", "kingdom"),
    ]


@pytest.mark.parametrize(
    ("first", "answer"), [(FIRST_CARDS, True), (FIRST_CARDS[::-1], True), (("Soup", "Cake", "Pie"), False)]
)
def test_decide_asks_for_what_follows(deal_tea: DealTea, first: Sequence[str], answer: bool) -> None:
    table = deal_tea("", first=first)[1]
    assert table.decisions[0].answer == answer == ("Sugar" in table.components)


def test_place_puts_tokens_on_piles(deal_tea: DealTea) -> None:
    table = deal_tea("{place: {token: Sugar, piles: supply, is: {type: Sweet}, count: {1: 2, 3: 4}}}")[1]
    assert {spot.on: sum(counts.values()) for spot, counts in table.tokens.items()} == {"Cake": 2, "Pie": 2}
    assert [spot.on for spot in deal_tea("{place: {token: Sugar, on: Cups, each: player}}")[1].tokens] == [
        "Cups"
    ]
    assert [spot.on for spot in deal_tea("{place: {token: Sugar}}")[1].tokens] == ["Cake"]


def test_mark_chooses_a_pile(deal_tea: DealTea) -> None:
    table = deal_tea("{mark: {piles: kingdom, is: {type: Plain}}}")[1]
    assert table.marks["Soup"] == ["Cake"]


def test_note_is_added(deal_tea: DealTea) -> None:
    assert [str(note) for note in deal_tea("{note: Mind the cups.}")[1].notes] == ["Mind the cups."]
    assert deal_tea("{note: {say: Mind the cups., players: [3]}}")[1].notes == []
    asks = "[{deal: {is: {cost: %d}, to: aside, as: Tray}}, {note: {say: A tray., with: Tray}}]"
    assert len(deal_tea(asks % 5)[1].notes) == 1
    assert deal_tea(asks % 9)[1].notes == []


def test_every_verb_has_a_test_in_this_file() -> None:
    """Its name starts with the verb."""
    tests = [name for name in globals() if name.startswith("test_")]
    assert [verb for verb in VERBS if not any(name.startswith(f"test_{verb}_") for name in tests)] == []


def test_documents_contain_the_effects_of_all_verbs(deal_tea: DealTea) -> None:
    game, table = deal_tea("[{put: Crumbs}, {give: Cups}]")
    setup = build_setup(game, Request(("tea",), 2, "x", game="tea"), table, [Language("en")])
    assert loads(dumps(setup)) == setup
    text = render(Page(setup, Language("en")), Style(80))
    assert text.startswith("Tea Party")
    assert "20  Bread" in text and "7  Crumbs" in text and "for Cake" in text
