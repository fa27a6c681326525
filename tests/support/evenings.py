"""Random series of tables that share their boxes, and the law that none uses more than the boxes hold.

The law compares the documents of a series with the tables of facts, never with the engine's own data.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from randomizer.cards.game import Game, Request, Series
from randomizer.record.build import build_setup, deal_request
from randomizer.record.dealing import deal_many
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_request
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language
from tests.support import read_facts
from tests.support.laws import (
    CARD_FACTS,
    LAWS,
    check_every_choice_is_made_or_missing,
    check_possible_decisions_are_marked,
)

# The numbers of components that tables divide, and the box that they come from. Others are enough for all.
COMPONENTS = {
    "Tavern mat": (6, "adventures"),
    **{
        f"{name} token": (6, "adventures")
        for name in (
            *("Journey", "+1 Action", "+1 Buy", "+1 Card", "+$1", "-1 Card", "-$1", "-$2 cost"),
            *("Trashing", "Estate"),
        )
    },
    "Coffers/Villagers mat": (6, "renaissance"),
    "Project cubes": (12, "renaissance"),
}
TWO_SIDED = ("Deluded/Envious", "Miserable/Twice Miserable")
BASIC_NAMES = {row["name"] for row in read_facts("cards") if row["kind"] == "basic"} - {
    "Potion",
    "Platinum",
    "Colony",
}
# These laws do not know that other tables use up cards, or close a question.
_INAPPLICABLE = (check_every_choice_is_made_or_missing, check_possible_decisions_are_marked)


def make_evening(number: int, request: Request, game: Game) -> tuple[Request, int]:
    """Build the request for a random series from a random request, and choose the number of its tables."""
    rng = Random(f"evening {number}")
    count = rng.choice((2, 2, 3, 4, 5, 6, 8))
    boxes = rng.sample(request.chosen, rng.randint(0, len(request.chosen)))
    if rng.random() < 0.5:
        boxes.append(rng.choice(("base-2e", "base-cards")))
    copies = {slug: rng.randint(1, 4) for slug in game.boxes if slug in boxes} if rng.random() < 0.5 else {}
    series = Series(1, count, tuple(copies.items()))
    return request._replace(series=series, seed=f"{request.seed}-1"), count


def deal_evening(request: Request, count: int, game: Game, languages: Sequence[Language]) -> list[Setup]:
    """Deal the tables of a series; fewer than `count` if the boxes have too few cards for all."""
    setups: list[Setup] = []
    try:
        for table in deal_many(game, request, range(1, count + 1), languages):
            setups.append(table.document)
    except (TooFewCards, BadOptions):
        if not setups:
            raise
    return setups


def find_evening_faults(setups: Sequence[Setup], game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the faults of the tables of a series."""
    yield from find_overuse(setups)
    for setup in setups:
        for law in LAWS:
            if law not in _INAPPLICABLE:
                try:
                    law(setup)
                except Exception as problem:
                    yield f"{law.__name__}: {setup['command']}: {problem!r}"
    last = setups[-1]
    request = extract_request(game, last)
    if build_setup(game, request, deal_request(game, request), languages) != last:
        yield f"dealt again, the table is another one: {last['command']}"


def find_overuse(setups: Sequence[Setup]) -> Iterator[str]:
    """Yield whatever the tables of a series use more of than their boxes hold."""
    used: Counter[str] = Counter()
    for setup in setups:
        used.update(count_used(setup))
    options = setups[0]["options"]
    for name, count in used.items():
        held = count_held(name, options)
        if held is not None and count > held:
            yield f"{count} of {held} {name} are used: {setups[-1]['command']}"


def count_used(setup: Setup) -> Counter[str]:
    """Return how many of each card and component a table uses, without what is missing."""
    used: Counter[str] = Counter()
    missing = {entry["for"]: entry for entry in setup["missing"] if entry.get("among") == "boxes"}
    players = setup["players"]
    for pile in setup["piles"]:
        members = {member["name"]: member["count"] for member in pile["members"]}
        if members and None not in members.values() and pile["name"] not in missing:
            used.update(members)
        else:
            used[pile["name"]] += pile.get("stock", pile["count"] or 0)
    in_stock = {pile["name"] for pile in setup["piles"] if "stock" in pile}
    for card in setup["starting_deck"]:
        used[card["name"]] += 0 if card["name"] in in_stock else card["count"] * players
    for deck in setup["decks"]:
        if deck["name"] not in missing:
            used.update(card["name"] for card in deck["contents"])
    used.update(card["name"] for card in setup["set_aside"])
    used.update(card["name"] for card in setup["landscapes"])
    for card in setup["trash"]:
        used[card["name"]] += card["count"]
    for component in setup["components"]:
        used[component["name"]] += (component["count"] or 0) * (
            players if component["per"] == "player" else 1
        )
    for name, entry in missing.items():
        used[name] -= (entry["wanted"] or 1) - entry["found"]
    return used


def count_held(name: str, options: Mapping[str, Any]) -> int | None:
    """Return how many of a card or component the boxes of a request hold; None if that is not limited."""
    if name in COMPONENTS:
        in_box, box = COMPONENTS[name]
        return in_box * count_copies([box], options)
    row = CARD_FACTS.get(name.partition("/")[0] if name in TWO_SIDED else name)
    if row is None:
        return None
    in_box = int((re.match(r"\d+", row["pile_size"]) or ["1"])[0])
    own_copies = options.get("copies", {}).get(name.lower().replace(" ", "-"))
    if "promos" in row["boxes"] and own_copies:  # sold separately
        return in_box * int(own_copies)
    return in_box * count_copies(row["boxes"].split(";"), options)


def count_copies(boxes: Sequence[str], options: Mapping[str, Any]) -> int:
    """Return how many of these boxes there are; at least one, from which everything else is taken."""
    copies = options.get("copies", {})
    return sum(copies.get(slug, int(slug in options["sets"])) for slug in boxes) or 1
