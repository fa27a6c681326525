"""Filters played games by card, player and date."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from randomizer.memory.played_game import PlayedGame, parse_day
from randomizer.text.errors import NoResult, find_suggestions
from randomizer.text.folding import fold
from randomizer.text.language import Language, join_with_or, message, quote


def find_games(
    games: Sequence[PlayedGame],
    languages: Mapping[str, Iterable[Language]],
    *,
    card: str = "",
    player: str = "",
    since: str = "",
    until: str = "",
) -> list[PlayedGame]:
    """Return the games that meet all criteria. An empty criterion has no effect.

    Args:
        games: the games to search.
        languages: the languages in which `card` may be given, by the name of the game.
        card: the name of a card in any language, or a part of the name.
        player: the name of a player, or a part of the name.
        since: the first day.
        until: the last day.

    Raises:
        BadOptions: `since` or `until` is not a date.
        NoResult: no game matches. The message says which criterion excluded the last remaining games.
    """
    if since:
        first_day = parse_day(since)
        games = [game for game in games if game.date >= first_day]
    if until:
        last_day = parse_day(until)
        games = [game for game in games if game.date <= last_day]
    if not games:
        raise NoResult(
            "no games have been recorded for those days."
            if since or until
            else "no games have been recorded yet."
        )
    if player:
        player_names = [[name for name, _ in game.players] for game in games]
        games = _filter_by_name("player", player, games, player_names)
    if card:
        card_names = [[*_get_card_names(game, languages.get(game.game, ()))] for game in games]
        games = _filter_by_name("card", card, games, card_names)
    return list(games)


def _get_card_names(game: PlayedGame, languages: Iterable[Language]) -> Iterator[str]:
    """Yield the names of the cards of a game, in English and in the given languages."""
    for name in game.cards:
        yield name
        yield from (language.translate_name(name) for language in languages)


def _filter_by_name(
    kind: str, query: str, games: Sequence[PlayedGame], names_by_game: Sequence[Sequence[str]]
) -> list[PlayedGame]:
    """Return the games with a name that equals the query or, if there are none, a name that contains it.

    Args:
        kind: the kind of name for the error message, "card" or "player".
        query: the name to search for. Differences that `fold` removes, such as case, are ignored.
        games: the games to filter.
        names_by_game: the names in each of these games, in the same order.

    Raises:
        NoResult: no game matches.
    """
    folded_query = fold(query)
    folded_names = [
        (game, [fold(name) for name in game_names])
        for game, game_names in zip(games, names_by_game, strict=True)
    ]
    found = [game for game, game_names in folded_names if folded_query in game_names]
    if not found and len(folded_query) > 1:
        found = [
            game for game, game_names in folded_names if any(folded_query in name for name in game_names)
        ]
    if not found:
        fault = message("no recorded game has a {what} {name}", what=kind, name=quote(query))
        if suggestions := find_suggestions(query, chain.from_iterable(names_by_game)):
            raise NoResult("{fault}; did you mean {hits}?", fault=fault, hits=join_with_or(suggestions))
        raise NoResult("{fault}.", fault=fault)
    return found
