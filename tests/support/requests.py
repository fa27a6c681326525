"""Random requests."""

from random import Random
from typing import Any

from randomizer.cards.game import Game, Request


def make_request(number: int, game: Game) -> Request:
    """Build a random request that depends only on this number."""
    rng = Random(f"endurance {number}")
    known = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    boxes = rng.sample(known, rng.choice((1, 2, 2, 3, 3, 4, 5, 8, len(known))))
    settings: dict[str, Any] = {}
    if rng.random() < 0.5:
        settings["landscapes"] = rng.randint(0, 6)
        settings["ways"] = rng.randint(0, min(3, settings["landscapes"]))
    if rng.random() < 0.2:
        settings["landscapes_from"] = "deck"
    for question in ("colony", "shelters"):
        if rng.random() < 0.3:
            settings[question] = rng.random() < 0.5
        elif rng.random() < 0.3:
            settings[f"{question}_by"] = "random-card"
    if rng.random() < 0.3:
        settings["black_market"] = rng.randint(1, 60)
    chosen = tuple(slug for slug in game.boxes if slug in boxes)
    return Request(chosen, rng.randint(2, 6), f"e{number}", game.validate_settings(settings))
