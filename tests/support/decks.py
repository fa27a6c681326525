"""Random requests with bans, named cards and swaps, to check that fixed decks are complete."""

from random import Random

from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, Swap
from randomizer.cards.wish import parse_wishes
from randomizer.text.slugs import slugify
from tests.support import read_facts
from tests.support.wish_texts import get_selector_parser

BANNED_WORDS = (
    "sifting",
    "junking",
    "trashing",
    "plus-card",
    "gaining",
    "attack",
    "boon",
    "hex",
    "state",
    "ruins",
)
# Cards that need a deck, or are one. They are named more often than others.
CARDS_WITH_DECKS = (
    "Druid",
    "Pixie",
    "Vampire",
    "Leprechaun",
    "Fool",
    "Cultist",
    "Marauder",
    "Knights",
    "Sack of Loot",
    "Tournament",
)
SWAPPABLE = ("Druid", "Pixie", "Vampire", "Leprechaun", "Ferryman", "Riverboat", "Young Witch")


def make_deck_request(number: int, game: Game) -> Request:
    """Build a request with random bans, named cards and swaps. It depends only on this number."""
    rng = Random(f"decks {number}")
    rows = {row["name"]: row for row in read_facts("cards")}
    known = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    boxes = {"nocturne", *rng.sample(known, rng.choice((1, 2, 3, 5)))}
    if rng.random() < 0.3:
        boxes -= {"nocturne"}
    kingdom = [name for name, row in rows.items() if row["kind"] == "kingdom"]
    fixed = [
        name
        for name, row in rows.items()
        if row["kind"] in ("boon", "hex") or row["pile"] in ("Knights", "Loot", "Ruins")
    ]
    cards = rng.sample(CARDS_WITH_DECKS, rng.choice((0, 1, 2))) + rng.sample(
        kingdom, rng.choice((0, 0, 1, 3, 10))
    )
    chosen = {"Boons, face up": (rng.choice([name for name in fixed if rows[name]["kind"] == "boon"]),)}
    named = Kingdom(tuple(dict.fromkeys(cards)), (), chosen if rng.random() < 0.2 else {})
    without = rng.sample(BANNED_WORDS, rng.choice((0, 1, 2)))
    without += [f"card:{slugify(name)}" for name in rng.sample([*fixed, *kingdom], rng.choice((0, 1, 5)))]
    swaps = [Swap(rng.choice(cards or SWAPPABLE)) for _ in range(rng.choice((0, 0, 1, 2)))]
    return Request(
        tuple(slug for slug in game.boxes if slug in boxes),
        rng.randint(2, 6),
        f"d{number}",
        kingdom=named,
        swaps=tuple(swaps),
        wishes=parse_wishes(get_selector_parser(game), without=without),
    )
