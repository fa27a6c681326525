"""Functions that deal the table of a request, and build its setup document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Ending, Step
from randomizer.deal.table import Table
from randomizer.record.context import DocumentContext
from randomizer.record.parts import PartBuilder
from randomizer.record.single_deal import deal_single_table
from randomizer.setup.checklist import record_checklist
from randomizer.setup.command import append_seed
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document


def deal_request(game: Game, request: Request) -> Table:
    """Deal the table of a request, including its vetoes and swaps.

    Raises:
        TooFewCards: the chosen boxes contain too few cards.
        BadOptions: the wishes cannot be met, or a veto or a swap is impossible.
        UnknownName: a card to swap is not on the table.
    """
    if request.series:  # Most deals have no series, and this import takes time.
        from randomizer.record.series import deal_series_table

        return deal_series_table(game, request, request.series)
    return deal_single_table(game, request)


def build_setup(game: Game, request: Request, table: Table, languages: Sequence[Language]) -> document.Setup:
    """Build the setup document of a table.

    Args:
        game: the game.
        request: the request for which the table was dealt.
        table: the table.
        languages: the languages of the document; English comes first.
    """
    return build_setup_in_context(request, table, DocumentContext(game, request, languages, table.chosen))


def build_setup_in_context(request: Request, table: Table, context: DocumentContext) -> document.Setup:
    """Build the setup document of a table in an existing context.

    Documents in the same context share parts, so callers must not modify these parts.
    """
    builder, game = PartBuilder(table, context), context.game
    setup: document.Setup = {
        "schema": 2,
        "game": game.name,
        "title": builder.translate(game.title),
        "languages": [language.code for language in context.languages],
        "generator": context.generator,
        "seed": request.seed,
        "command": append_seed(context.command, request.typed_seed),
        "options": context.options,
        "players": table.players,
        "boxes": context.boxes,
        "kingdom": [],
        "landscape_ids": [context.card_facts.get_card_name(name)["id"] for name in table.landscapes],
        "turned": builder.build_turned(),
        "decisions": [builder.build_decision(decision) for decision in table.decisions],
        "piles": [
            builder.build_pile(pile) for name, pile in table.piles.items() if name not in table.existing_names
        ],
        "landscapes": [
            builder.build_landscape(card) for card in context.sort_by_kind(table.landscapes.values())
        ],
        "decks": [builder.build_deck(name) for name in table.decks],
        "set_aside": [builder.build_set_aside(card) for card in table.aside.values()],
        "components": [builder.build_component(name) for name in context.sort_components(table.components)],
        "placed": [builder.build_tokens(spot) for spot in table.tokens],
        "starting_deck": [
            builder.build_card(game.cards[name], count)
            for name, count in table.starting_deck.items()
            if count
        ],
        "trash": [
            builder.build_card(card, card.count_.for_players(table.players)) for card in table.trash.values()
        ],
        "boxed": [builder.build_boxed(card) for card in table.boxed.values()],
        "missing": [builder.build_missing(missing) for missing in table.missing],
        "choices": list(table.slots),
        "game_end": [builder.translate(ending.say) for ending in game.endings if _applies(ending, table)],
        "notes": [builder.build_note(note) for note in table.notes],
        "last": [
            {**context.card_facts.get_name(step.name), "text": builder.translate(step.say)}
            for step in game.last
            if _applies(step, table)
            and (not step.components or not table.components.keys().isdisjoint(step.components))
        ],
        "checklist": [],
    }
    setup["kingdom"] = [pile["id"] for pile in setup["piles"] if pile["place"] == "kingdom"]
    if request.veto_count:
        vetoed = None if request.vetoed is None else list(request.vetoed)
        setup["vetoes"] = {"max_count": request.veto_count, "vetoed": vetoed}
    if request.is_veto_open:  # The other parts depend on the vetoes.
        setup |= {"starting_deck": [], "game_end": [], "last": []}
    if other_boxes := _get_boxes(setup) - context.chosen:
        setup["boxes"] = context.build_boxes(other_boxes)
    setup["checklist"] = record_checklist(setup, context.languages)
    return setup


def _get_boxes(setup: document.Setup) -> set[str]:
    """Return the slugs of the boxes that contain at least one part of the setup."""
    lists: list[Sequence[Any]] = [
        setup["piles"],
        setup["landscapes"],
        setup["set_aside"],
        setup["components"],
        setup["starting_deck"],
        setup["trash"],
        setup["boxed"],
        *(deck["contents"] for deck in setup["decks"]),
    ]
    return {part["box"] for parts in lists for part in parts if "box" in part}


def _applies(rule: Ending | Step, table: Table) -> bool:
    """Return whether an ending or a step applies to a table, given its number of players and cards in use."""
    return (not rule.players or table.players in rule.players) and (
        not rule.with_ or rule.with_ in table.in_use()
    )
