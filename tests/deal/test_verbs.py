"""Each verb by itself, in a game of a dozen cards that knows nothing of Dominion."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.deal.verbs import VERBS
from randomizer.load.gamefile import read_game
from randomizer.setup.build import build_setup
from randomizer.setup.schema import loads
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text.json import dumps
from randomizer.text.language import Language
from randomizer.text.style import Style

GAME = """
game: tea
title: Tea Party
players: {least: 1, most: 4}
kinds:
  dish: {is: pile, place: kingdom}
  spice: {is: pile, place: supply}
  rest: {is: pile, place: beside}
  guest: {is: landscape, title: Guests}
  song: {is: card}
components:
  Cups: {kind: cup, each: player, count: 1, or: Mugs}
  Mugs: {kind: cup, each: player, count: 1}
  Sugar: {kind: token, each: game}
sets: {tea: Tea}
starting_deck: {Bread: 5}
options: {guests: {help: Guests.}, party: {help: A party.}}
opening:
  - put: [Bread]
  - turn_up: {is: {kind: dish}, count: 3, landscapes: {kind: guest}, most: {option: guests, default: 1}}
  - decide: {question: party, title: Party, option: party, card: first, is: {type: Sweet},
             then: {give: Sugar}}
rules: %s
cards:
  - {name: Bread, set: tea, kind: spice, cost: 0, types: [Plain], stock: 30}
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet], count: 10}
  - {name: Pie, set: tea, kind: dish, cost: 4, types: [Sweet], count: 10}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain], count: 10}
  - {name: Toast, set: tea, kind: dish, cost: 2, types: [Plain], count: 10}
  - {name: Tart, set: tea, kind: dish, cost: 5, types: [Sweet], count: 10}
  - {name: Crumbs, set: tea, kind: rest, cost: 0, types: [Plain], count: 7}
  - {name: Rusk, set: tea, kind: rest, cost: 0, types: [Plain]}
  - {name: Hatter, set: tea, kind: guest, types: [Guest]}
  - {name: Hare, set: tea, kind: guest, types: [Guest]}
  - {name: Waltz, set: tea, kind: song, types: [Song]}
  - {name: Jig, set: tea, kind: song, types: [Song]}
"""
FIRST = ("Cake", "Soup", "Pie")


@pytest.fixture
def party(tmp_path: Path) -> Any:
    """Lays a table on which Cake asks for something; the deal begins with Cake, Soup, Pie."""

    def lay(asks: str, first: Sequence[str] = FIRST, players: int = 2, **settings: Any) -> tuple[Game, Table]:
        path = tmp_path / "tea.yaml"
        rule = f"[{{when: {{name: Cake}}, then: {asks}}}]" if asks else "[]"
        path.write_text(GAME % rule, encoding="utf-8")
        game = read_game([str(path)])
        return game, deal_table(game, Request(("tea",), players, "x", settings), {"randomizers": first})

    return lay


def test_put(party: Any) -> None:
    table = party("{put: Crumbs}")[1]
    assert table.piles["Crumbs"].place == "beside" and table.because("Crumbs") == ["Cake"]
    assert [*party("{put: {cards: Crumbs, to: trash}}")[1].trash] == ["Crumbs"]
    assert [*party("{put: {cards: Crumbs, to: box}}")[1].boxed] == ["Crumbs"]


def test_give(party: Any) -> None:
    table = party("{give: [Cups, Sugar]}")[1]
    assert table.components["Cups"].each == "player" and table.components["Sugar"].count_ is None


def test_replace(party: Any) -> None:
    table = party("{replace: {Bread: [Rusk]}}")[1]
    assert table.starting_deck == {"Bread": 4, "Rusk": 1}


@pytest.mark.parametrize(
    ("to", "found"),
    [
        (
            "kingdom",
            lambda table: table.piles["Tart"].place == "kingdom" and table.piles["Tart"].marks == ["Tray"],
        ),
        ("beside", lambda table: table.piles["Tart"].place == "beside"),
        ("aside", lambda table: [*table.aside] == ["Tart"] and "Tart" not in table.piles),
        ("deck", lambda table: [card.name for card in table.decks["Tray"].cards] == ["Tart"]),
        ("box", lambda table: [*table.boxed] == ["Tart"]),
    ],
)
def test_deal(party: Any, to: str, found: Any) -> None:
    assert found(party(f"{{deal: {{is: {{cost: 5}}, to: {to}, mark: Tray}}}}")[1])


def test_deal_landscapes_to_each_player(party: Any) -> None:
    table = party("{deal: {is: {kind: guest}, to: landscapes, each: player}}", guests=0)[1]
    assert sorted(placed.owner for placed in table.landscapes.values()) == [1, 2]


def test_deal_what_there_is_not(party: Any) -> None:
    (missing,) = party("{deal: {is: {cost: 9}, to: aside, as: Tray}}")[1].missing
    assert (missing.slot, missing.cause, missing.wanted, missing.found) == ("Tray", "Cake", 1, 0)


def test_what_starting_decks_have_not(party: Any) -> None:
    """Five of the six find a Bread to stand for; no unused card would help the last."""
    table = party("{replace: {Bread: [Rusk, Crumbs, Toast, Tart, Waltz, Jig]}}")[1]
    assert [(missing.slot, missing.among) for missing in table.missing] == [("Jig", "starting deck")]
    assert table.starting_deck["Bread"] == 0


def test_give_and_note_where_they_matter(party: Any) -> None:
    """Cake is a pile of the kingdom; what asks for it to be elsewhere is not done."""
    for verb in ("give: {components: Cups", "note: {say: Mind it."):
        for where, done in (("kingdom", True), ("[aside, kingdom]", True), ("[beside, deck]", False)):
            table = party(f"{{{verb}, where: {where}}}}}")[1]
            assert ("Cups" in table.components or bool(table.notes)) is done


def test_one_component_serves_for_two(party: Any) -> None:
    """Whichever is asked for first; tokens go to the one that is out."""
    asks = ["{give: Cups}", "{give: Mugs}", "{place: {token: Sugar, on: Cups, each: player}}"]
    for order in (asks, [asks[1], asks[0], asks[2]]):
        table = party(f"[{', '.join(order)}]")[1]
        assert {*table.components} == {"Mugs", "Sugar"} and table.because("Mugs") == ["Cake"]
        assert [spot.on for spot in table.tokens] == ["Mugs"]
    assert "Cups" in party(asks[0])[1].components


def test_a_step(party: Any) -> None:
    """With what was chosen, with the card itself, or last."""
    asks = "[{deal: {is: {cost: 5}, to: beside, as: Tray}}, {note: {say: Mind it., %s}}]"
    for step, at in (("step: here, with: Tray", "Tart"), ("step: here", "Cake"), ("step: last", "Cake")):
        (note,) = party(asks % step)[1].notes
        assert (note.step, note.on) == (step[6:10], at)


def test_turn_up(party: Any) -> None:
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
def test_decide(party: Any, first: Sequence[str], answer: bool) -> None:
    table = party("", first=first)[1]
    assert table.decisions[0].answer == answer == ("Sugar" in table.components)


def test_place(party: Any) -> None:
    table = party("{place: {token: Sugar, piles: supply, is: {type: Sweet}, count: {1: 2, 3: 4}}}")[1]
    assert {spot.on: sum(counts.values()) for spot, counts in table.tokens.items()} == {"Cake": 2, "Pie": 2}
    assert [spot.on for spot in party("{place: {token: Sugar, on: Cups, each: player}}")[1].tokens] == [
        "Cups"
    ]
    assert [spot.on for spot in party("{place: {token: Sugar}}")[1].tokens] == ["Cake"]


def test_mark(party: Any) -> None:
    table = party("{mark: {piles: kingdom, is: {type: Plain}}}")[1]
    assert table.piles["Soup"].marks == ["Cake"]


def test_note(party: Any) -> None:
    assert [str(note) for note in party("{note: Mind the cups.}")[1].notes] == ["Mind the cups."]
    assert party("{note: {say: Mind the cups., players: [3]}}")[1].notes == []
    asks = "[{deal: {is: {cost: %d}, to: aside, as: Tray}}, {note: {say: A tray., with: Tray}}]"
    assert len(party(asks % 5)[1].notes) == 1
    assert party(asks % 9)[1].notes == []


def test_every_verb_is_here() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(VERBS) <= tested


def test_a_document_comes_of_it(party: Any) -> None:
    game, table = party("[{put: Crumbs}, {give: Cups}]")
    setup = build_setup(game, Request(("tea",), 2, "x", game="tea"), table, [Language("en")])
    assert loads(dumps(setup)) == setup
    text = render(Page(setup, Language("en")), Style(80))
    assert text.startswith("Tea Party")
    assert "20  Bread" in text and "7  Crumbs" in text and "for Cake" in text
