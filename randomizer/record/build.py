"""Records a laid table as a setup document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from randomizer import __version__
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Ending, Step
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.record.parts import Parts, note
from randomizer.setup import checklist
from randomizer.setup.command import command
from randomizer.text.language import Language
from randomizer.text.slugs import slug_of

if TYPE_CHECKING:
    from randomizer.setup import document


def build_setup(game: Game, request: Request, table: Table, languages: Sequence[Language]) -> document.Setup:
    """The document of a table.

    Args:
        languages: English first; then those whose names stand beside the English ones.
    """
    english, *_ = languages
    make = Parts(game, request.chosen, table, languages)
    kinds = list(game.kinds)
    landscapes = sorted(table.landscapes.values(), key=lambda placed: kinds.index(placed.card.kind))
    piles = {name: pile for name, pile in table.piles.items() if name not in table.already}
    setup: document.Setup = {
        "schema": 1,
        "game": game.name,
        "title": game.title,
        "generator": {"name": "dominion-randomizer", "version": __version__, "data": game.hash},
        "seed": request.seed,
        "command": command(game, request),
        "options": _options(request),
        "players": table.players,
        "boxes": [],
        "kingdom": [make.known.id_of(name) for name, pile in piles.items() if pile.place == "kingdom"],
        "landscape_ids": [make.known.id_of(name) for name in table.landscapes],
        "turned": [make.turned(turned) for turned in table.turned],
        "decisions": [make.decision(decision) for decision in table.decisions],
        "piles": [make.pile(pile) for pile in piles.values()],
        "landscapes": [make.landscape(placed) for placed in landscapes],
        "decks": [make.deck(name) for name in table.decks],
        "set_aside": [make.set_aside(placed) for placed in table.aside.values()],
        "components": [make.component(name) for name in table.components],
        "placed": [make.tokens(spot) for spot in table.tokens],
        "starting_deck": [
            make.card(game.cards[name], count) for name, count in table.starting_deck.items() if count
        ],
        "trash": [
            make.card(placed.card, placed.card.count_.at(table.players)) for placed in table.trash.values()
        ],
        "boxed": [make.boxed(placed.card) for placed in table.boxed.values()],
        "missing": [make.missing(missing) for missing in table.missing],
        "choices": list(table.slots),
        "game_end": [ending.say for ending in game.endings if _holds(ending, table)],
        "notes": [note(told, table.because(told), english) for told in table.notes],
        "last": [{"name": step.name, "text": step.say} for step in game.last if _holds(step, table)],
        "checklist": [],
    }
    setup["boxes"] = _boxes(game, request, make)
    setup["checklist"] = checklist.recorded(checklist.build(setup, english))
    return setup


def _options(request: Request) -> dict[str, Any]:
    """Every option that shaped the table."""
    return {
        **({"game": request.game} if request.game else {}),
        "sets": list(request.chosen),
        "players": request.players,
        **request.settings,
        **({"cards": list(request.files)} if request.files else {}),
    }


def _boxes(game: Game, request: Request, make: Parts) -> list[document.Box]:
    """The boxes that were chosen or that something comes from, then the cards chosen by themselves."""
    boxes: list[document.Box] = [
        {**make.known.named_box(slug), "slug": slug, "chosen": slug in request.chosen}
        for slug in game.boxes
        if slug in make.used_boxes
    ]
    singles = [slug for slug in request.chosen if slug not in game.boxes]
    for card in game.cards_of(singles) if singles else ():
        if not card.member_of:
            boxes.append({"slug": slug_of(card.name), **make.known.named(card.name), "chosen": True})
    return boxes


def _holds(said: Ending | Step, table: Table) -> bool:
    """Whether this is so for as many players, and with what is in use."""
    return (not said.players or table.players in said.players) and (
        not said.with_ or said.with_ in table.in_use()
    )


def build_setups(
    game: Game, request: Request, count: int, languages: Sequence[Language]
) -> Iterator[document.Setup]:
    """The documents of so many deals; the n-th of them is what the seed `<seed>-<n>` deals by itself.

    Raises:
        TooFewCards, BadOptions: as `deal_table` does.
    """
    for number in range(1, count + 1):
        one = request._replace(seed=f"{request.seed}-{number}")
        yield build_setup(game, one, deal_table(game, one), languages)
