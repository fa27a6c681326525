"""Wishes for a table that resembles a given kingdom: for cards with the same abilities."""

from collections import Counter
from collections.abc import Iterator

from randomizer.browse.suggestions import find_suggested_kingdom, list_kingdoms
from randomizer.cards.game import Game, Request
from randomizer.deal.growing import find_turn_up
from randomizer.deal.wishes.bans import build_pool
from randomizer.deal.wishes.matching import collect_randomizers
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import as_verbatim


def build_likeness_wishes(name: str, game: Game, request: Request) -> Iterator[str]:
    """Yield a wish for each ability of the cards in a kingdom.

    Each wish asks for at least half as many Kingdom cards and landscapes with the ability as the kingdom has,
    rounded up, but never for more than can be turned up. Abilities of which none can be turned up are
    skipped.

    Args:
        name: the name or id of a favourite or suggested kingdom.
        game: the game.
        request: the request without these wishes.

    Raises:
        UnknownName: there is no such kingdom.
        BadOptions: several suggested kingdoms have this name, or this game has no Kingdom.
    """
    kingdom = find_suggested_kingdom(name, game, request.chosen)
    if kingdom is None:
        names = [kingdom.name for kingdom in list_kingdoms(game)]
        raise UnknownName("kingdom", name, as_verbatim(find_suggestions(name, names)))
    turn_up = find_turn_up(game.opening)
    if turn_up is None:
        raise BadOptions("{game} has no Kingdom, so it can't take wishes.", game=game.title)
    randomizers = collect_randomizers(build_pool(game, request), turn_up, request.settings)
    count_by_ability = Counter(
        ability for card in (*kingdom.cards, *kingdom.landscapes) for ability in game.cards[card].does
    )
    for ability, count in count_by_ability.items():
        kingdom_count = sum(ability in card.does for card in randomizers.kingdom)
        landscape_count = sum(ability in card.does for card in randomizers.landscapes)
        available = kingdom_count + min(landscape_count, randomizers.max_landscapes)
        if min_count := min((count + 1) // 2, available):
            yield f"does:{ability}={min_count}-"
