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
from tests.support.tea import FIRST, Party


def test_put_lays_cards_out(party: Party) -> None:
    table = party("{put: Crumbs}")[1]
    assert table.get_place(table.piles["Crumbs"]) == "beside" and table.get_causes("Crumbs") == ["Cake"]
    assert [*party("{put: {cards: Crumbs, to: trash}}")[1].trash] == ["Crumbs"]
    assert [*party("{put: {cards: Crumbs, to: box}}")[1].boxed] == ["Crumbs"]


def test_give_hands_components_out(party: Party) -> None:
    table = party("{give: [Cups, Sugar]}")[1]
    assert table.components["Cups"].each == "player" and table.components["Sugar"].count_ is None


def test_replace_changes_the_starting_deck(party: Party) -> None:
    table = party("{replace: {Bread: [Rusk]}}")[1]
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
def test_deal_puts_cards_where_it_says(party: Party, to: str, found: Any) -> None:
    assert found(party(f"{{deal: {{is: {{cost: 5}}, to: {to}, mark: Tray}}}}")[1])


def test_deal_gives_landscapes_to_each_player(party: Party) -> None:
    table = party("{deal: {is: {kind: guest}, to: landscapes, each: player}}", guests=0)[1]
    assert sorted(table.owners[name] for name in table.landscapes) == [1, 2]


def test_deal_without_matching_cards_reports_missing(party: Party) -> None:
    (missing,) = party("{deal: {is: {cost: 9}, to: aside, as: Tray}}")[1].missing
    assert (missing.slot, missing.cause, missing.wanted, missing.found) == ("Tray", "Cake", 1, 0)


def test_replace_without_old_card_reports_missing(party: Party) -> None:
    """Five of the six find a Bread to stand for; no unused card would help the last."""
    table = party("{replace: {Bread: [Rusk, Crumbs, Toast, Tart, Waltz, Jig]}}")[1]
    assert [(missing.slot, missing.among) for missing in table.missing] == [("Jig", "starting deck")]
    assert table.starting_deck["Bread"] == 0


def test_give_and_note_depend_on_the_place_of_the_card(party: Party) -> None:
    """Cake is a pile of the kingdom; what asks for it to be elsewhere is not done."""
    for verb in ("give: {components: Cups", "note: {say: Mind it."):
        for where, done in (("kingdom", True), ("[aside, kingdom]", True), ("[beside, deck]", False)):
            table = party(f"{{{verb}, where: {where}}}}}")[1]
            assert ("Cups" in table.components or bool(table.notes)) is done


def test_substitute_component_is_given_once(party: Party) -> None:
    """Whichever is asked for first; tokens go to the one that is out."""
    asks = ["{give: Cups}", "{give: Mugs}", "{place: {token: Sugar, on: Cups, each: player}}"]
    for order in (asks, [asks[1], asks[0], asks[2]]):
        table = party(f"[{', '.join(order)}]")[1]
        assert {*table.components} == {"Mugs", "Sugar"} and table.get_causes("Mugs") == ["Cake"]
        assert [spot.on for spot in table.tokens] == ["Mugs"]
    assert "Cups" in party(asks[0])[1].components


def test_note_can_be_a_step(party: Party) -> None:
    """With what was chosen, with the card itself, or last."""
    asks = "[{deal: {is: {cost: 5}, to: beside, as: Tray}}, {note: {say: Mind it., %s}}]"
    for step, at in (("step: here, with: Tray", "Tart"), ("step: here", "Cake"), ("step: last", "Cake")):
        (note,) = party(asks % step)[1].notes
        assert (note.step, note.on) == (step[6:10], at)


def test_turn_up_uses_cards_in_order(party: Party) -> None:
    table = party("", first=["Hare", "Cake", "Hatter", "Soup", "Pie"])[1]
    assert [(turned.card.name, turned.use) for turned in table.turned] == [
        ("Hare", "landscape"),
        ("Cake", "kingdom"),
        ("Hatter", "skipped"),
        ("Soup", "kingdom"),
        ("Pie", "kingdom"),
    ]


@pytest.mark.parametrize(
    ("first", "answer"), [(FIRST, True), (FIRST[::-1], True), (("Soup", "Cake", "Pie"), False)]
)
def test_decide_asks_for_what_follows(party: Party, first: Sequence[str], answer: bool) -> None:
    table = party("", first=first)[1]
    assert table.decisions[0].answer == answer == ("Sugar" in table.components)


def test_place_puts_tokens_on_piles(party: Party) -> None:
    table = party("{place: {token: Sugar, piles: supply, is: {type: Sweet}, count: {1: 2, 3: 4}}}")[1]
    assert {spot.on: sum(counts.values()) for spot, counts in table.tokens.items()} == {"Cake": 2, "Pie": 2}
    assert [spot.on for spot in party("{place: {token: Sugar, on: Cups, each: player}}")[1].tokens] == [
        "Cups"
    ]
    assert [spot.on for spot in party("{place: {token: Sugar}}")[1].tokens] == ["Cake"]


def test_mark_chooses_a_pile(party: Party) -> None:
    table = party("{mark: {piles: kingdom, is: {type: Plain}}}")[1]
    assert table.marks["Soup"] == ["Cake"]


def test_note_is_added(party: Party) -> None:
    assert [str(note) for note in party("{note: Mind the cups.}")[1].notes] == ["Mind the cups."]
    assert party("{note: {say: Mind the cups., players: [3]}}")[1].notes == []
    asks = "[{deal: {is: {cost: %d}, to: aside, as: Tray}}, {note: {say: A tray., with: Tray}}]"
    assert len(party(asks % 5)[1].notes) == 1
    assert party(asks % 9)[1].notes == []


def test_every_verb_has_a_test_here() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(VERBS) <= tested


def test_documents_contain_the_effects_of_all_verbs(party: Party) -> None:
    game, table = party("[{put: Crumbs}, {give: Cups}]")
    setup = build_setup(game, Request(("tea",), 2, "x", game="tea"), table, [Language("en")])
    assert loads(dumps(setup)) == setup
    text = render(Page(setup, Language("en")), Style(80))
    assert text.startswith("Tea Party")
    assert "20  Bread" in text and "7  Crumbs" in text and "for Cake" in text
