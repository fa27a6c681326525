"""Records a laid table as a setup document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Ending, Step
from randomizer.deal.dealer import deal_kept_table, deal_table
from randomizer.deal.table import Table
from randomizer.record.parts import Parts
from randomizer.record.shared import Shared
from randomizer.setup import checklist
from randomizer.setup.command import with_seed
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document


def deal_asked(game: Game, request: Request) -> Table:
    """Deal a table, and swap what is asked for.

    Raises:
        TooFewCards, BadOptions: as `deal_table` and `swapped` do.
        UnknownName: what is to be swapped is not on the table.
    """
    table, kept = deal_table(game, request), None
    if request.swaps:
        from randomizer.record.swapping import swapped  # most deals have none, and start the sooner
    for swap in request.swaps:
        kept = swapped(game, request, table, swap, kept)
        table = deal_kept_table(game, request, kept)
    return table


def build_setup(game: Game, request: Request, table: Table, languages: Sequence[Language]) -> document.Setup:
    """The document of a table.

    Args:
        languages: English first; then those whose names stand beside the English ones.
    """
    return written(request, table, Shared(game, request, languages, table.chosen))


def written(request: Request, table: Table, shared: Shared) -> document.Setup:
    """The document of a table, of which some parts are shared with those of others."""
    make, game = Parts(table, shared), shared.game
    piles = [make.pile(pile) for name, pile in table.piles.items() if name not in table.already]
    kingdom = {pile["name"]: pile for pile in piles if pile["place"] == "kingdom"}
    setup: document.Setup = {
        "schema": 1,
        "game": game.name,
        "title": game.title,
        "generator": shared.generator,
        "seed": request.seed,
        "command": with_seed(shared.typed, request.seed),
        "options": shared.options,
        "players": table.players,
        "boxes": [],
        "kingdom": [pile["id"] for pile in kingdom.values()],
        "landscape_ids": [make.known.id_of(name) for name in table.landscapes],
        "turned": make.turned(),
        "decisions": [make.decision(decision) for decision in table.decisions],
        "piles": piles,
        "landscapes": [make.landscape(card) for card in shared.by_kind(table.landscapes.values())],
        "decks": [make.deck(name) for name in table.decks],
        "set_aside": [make.set_aside(card) for card in table.aside.values()],
        "components": [make.component(name) for name in table.components],
        "placed": [make.tokens(spot) for spot in table.tokens],
        "starting_deck": [
            make.card(game.cards[name], count) for name, count in table.starting_deck.items() if count
        ],
        "trash": [make.card(card, card.count_.for_players(table.players)) for card in table.trash.values()],
        "boxed": [make.boxed(card) for card in table.boxed.values()],
        "missing": [make.missing(missing) for missing in table.missing],
        "choices": list(table.slots),
        "game_end": [ending.say for ending in game.endings if _holds(ending, table)],
        "notes": [make.note(told) for told in table.notes],
        "last": [shared.step(step) for step in game.last if _holds(step, table)],
        "checklist": [],
    }
    setup["boxes"] = _boxes(setup, shared)
    in_order = [kingdom[name] for name in shared.in_order(kingdom, "box")]
    setup["checklist"] = checklist.recorded(setup, in_order, shared.english, shared.item)
    return setup


def _boxes(setup: document.Setup, shared: Shared) -> list[document.Box]:
    """The boxes that were chosen or that something comes from, then the cards chosen by themselves."""
    if shared.elsewhere and (others := _used(setup) - shared.chosen):
        return shared.boxes_with(others)
    return shared.boxes


def _used(setup: document.Setup) -> set[str]:
    """The boxes that the things of a document come from."""
    things: list[Any] = [
        *setup["piles"],
        *setup["landscapes"],
        *setup["set_aside"],
        *setup["components"],
        *setup["starting_deck"],
        *setup["trash"],
        *setup["boxed"],
        *(card for deck in setup["decks"] for card in deck["contents"]),
    ]
    return {thing["box"] for thing in things if "box" in thing}


def _holds(said: Ending | Step, table: Table) -> bool:
    """Whether this is so for as many players, and with what is in use."""
    return (not said.players or table.players in said.players) and (
        not said.with_ or said.with_ in table.in_use()
    )
