"""Records a laid table as a setup document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from randomizer import __version__
from randomizer.cards.editions import shortest
from randomizer.cards.game import Game, Options, flag, slug_of
from randomizer.deal.table import Table
from randomizer.setup import checklist
from randomizer.setup.parts import Parts, says
from randomizer.text.language import Language

if TYPE_CHECKING:
    from randomizer.setup import document


def record(game: Game, options: Options, table: Table, languages: Sequence[Language]) -> document.Setup:
    """The document of a table.

    Args:
        languages: English first; then those whose names stand beside the English ones.
    """
    english, *_ = languages
    make = Parts(game, options.chosen, table, languages)
    kinds = list(game.kinds)
    landscapes = sorted(table.landscapes.values(), key=lambda placed: kinds.index(placed.card.kind))
    setup: document.Setup = {
        "schema": 1,
        "game": game.name,
        "title": game.title,
        "generator": {"name": "dominion-randomizer", "version": __version__, "data": game.hash},
        "seed": options.seed,
        "command": command(game, options),
        "options": {
            **({"game": options.game} if options.game else {}),
            "sets": list(options.chosen),
            "players": options.players,
            **options.settings,
            **({"cards": list(options.files)} if options.files else {}),
        },
        "players": table.players,
        "boxes": [],
        "turned": [make.turned(turned) for turned in table.turned],
        "decisions": [make.decision(decision) for decision in table.decisions],
        "piles": [make.pile(pile) for name, pile in table.piles.items() if name not in table.already],
        "landscapes": [make.landscape(placed) for placed in landscapes],
        "decks": [make.deck(name) for name in table.decks],
        "set_aside": [make.set_aside(placed) for placed in table.aside.values()],
        "components": [make.component(name) for name in table.components],
        "placed": [make.tokens(spot) for spot in table.tokens],
        "starting_deck": [
            {**make.named(name), "count": count, "because": table.because(name)}
            for name, count in table.starting_deck.items()
            if count
        ],
        "trash": [make.card(placed) for placed in table.trash.values()],
        "boxed": [make.card(placed) for placed in table.boxed.values()],
        "missing": [make.missing(missing) for missing in table.missing],
        "choices": list(table.slots),
        "game_end": [
            ending.say
            for ending in game.endings
            if (not ending.players or table.players in ending.players)
            and (not ending.with_ or any(card.name == ending.with_ for card in table.in_use()))
        ],
        "notes": [
            {
                "text": english.say(note.phrase, **dict(note.values)),
                "says": says(note),
                "because": table.because(note),
            }
            for note in table.notes
        ],
        "checklist": [],
    }
    setup["boxes"] = [
        {**make.named_box(slug), "slug": slug, "chosen": slug in options.chosen}
        for slug in game.boxes
        if slug in make.used_boxes
    ]
    singles = [slug for slug in options.chosen if slug not in game.boxes]
    for card in game.cards_of(singles) if singles else ():
        if not card.member_of:
            setup["boxes"].append({"slug": slug_of(card.name), **make.named(card.name), "chosen": True})
    setup["checklist"] = checklist.recorded(checklist.build(setup, english))
    return setup


def run(game: Game, options: Options, count: int, languages: Sequence[Language]) -> Iterator[document.Setup]:
    """The documents of so many deals; the n-th of them is what the seed `<seed>-<n>` deals by itself.

    Raises:
        TooFewCards, BadOptions: as `Game.set_up` does.
    """
    for number in range(1, count + 1):
        one = options._replace(seed=f"{options.seed}-{number}")
        yield record(game, one, game.set_up(one), languages)


def command(game: Game, options: Options) -> str:
    """What to type to deal the same table again."""
    words = ["dominion-setup"]
    if options.game:
        words += ["--game", options.game]
    if len(game.boxes) > 1:
        words += ["--sets", shortest(options.chosen, game)]
    words += ["--players", str(options.players)]
    for name, value in options.settings.items():
        if isinstance(value, bool):
            words.append(flag(name if value else f"no_{name}"))
        else:
            words += [flag(name), str(value)]
    for file in options.files:
        words += ["--cards", file]
    words += ["--seed", options.seed]
    return " ".join(map(quote, words))
