"""Bans: selectors for cards that must not be dealt, and the pools that remain."""

from collections.abc import Iterator, Mapping, Sequence

from randomizer.cards.condition import Profile, Selector
from randomizer.cards.game import Game, Request, Wishes
from randomizer.cards.model import Card
from randomizer.cards.pool import Pool, get_or_compute
from randomizer.cards.selector import build_profile


def build_pool(game: Game, request: Request) -> Pool:
    """Return the pool for a request: the cards of its boxes, without the banned ones."""
    pool = game.get_pool(request.chosen)
    bans = request.wishes.bans
    if not bans:
        return pool
    key = "banned", bans
    banned = get_or_compute(pool.cache, key, lambda: tuple(sorted(_list_banned(game, pool, bans))))
    return game.get_pool(request.chosen, banned)


def _list_banned(game: Game, pool: Pool, bans: Sequence[Selector]) -> Iterator[str]:
    """Yield the names of the banned piles and landscapes, and of the members of banned mixed piles."""
    for name, profile in build_profiles(game, pool).items():
        if any(ban.matches(profile) for ban in bans):
            yield name
            yield from (member for member, _ in game.cards[name].pile)


def find_ban(game: Game, wishes: Wishes, card: Card) -> str:
    """Return the first ban, as a string, that excludes a card or its mixed pile; empty if no ban does.

    Args:
        game: the game.
        wishes: the wishes with the bans.
        card: the card, which may be from any box.
    """
    profile = build_profile(game.cards[card.member_of or card.name], game, game.get_pool(()))
    return next((ban.text for ban in wishes.bans if ban.matches(profile)), "")


def build_profiles(game: Game, pool: Pool) -> Mapping[str, Profile]:
    """Return the profiles of the piles and landscapes in a pool, by name."""
    return get_or_compute(
        pool.cache,
        "profiles",
        lambda: {
            card.name: build_profile(card, game, pool) for card in pool.list_cards() if not card.member_of
        },
    )
