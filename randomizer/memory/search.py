"""A search in the history of played games."""

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
    """Return the games that match all given criteria; an empty criterion matches every game.

    Args:
        games: the games to search.
        languages: by the name of a game, the languages that have names for its cards.
        card: the name of a card in any language, or a part of one.
        player: the name of a player, or a part of one.
        since: the first day.
        until: the last day.

    Raises:
        BadOptions: `since` or `until` is not a day.
        NoResult: no game matches; the message says which criterion rules out the last ones.
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
        names = [[name for name, _ in game.players] for game in games]
        games = _filter_by_name("player", player, games, names)
    if card:
        names = [[*_get_card_names(game, languages.get(game.game, ()))] for game in games]
        games = _filter_by_name("card", card, games, names)
    return list(games)


def _get_card_names(game: PlayedGame, languages: Iterable[Language]) -> Iterator[str]:
    """Yield the names of the game's cards in English and in each language."""
    for name in game.cards:
        yield name
        yield from (language.translate_name(name) for language in languages)


def _filter_by_name(
    what: str, query: str, games: Sequence[PlayedGame], names: Sequence[Sequence[str]]
) -> list[PlayedGame]:
    """Return the games with a name equal to the query, or if there is none, those with a name containing it.

    Args:
        what: the kind of name for the error message: "card" or "player".
        query: the name to look for; case, width and the like do not matter.
        games: the games to filter.
        names: the names of each game.
    """
    wanted = fold(query)
    folded = [
        (game, [fold(name) for name in game_names]) for game, game_names in zip(games, names, strict=True)
    ]
    found = [game for game, game_names in folded if wanted in game_names]
    if not found and len(wanted) > 1:
        found = [game for game, game_names in folded if any(wanted in name for name in game_names)]
    if not found:
        said = message("no recorded game has a {what} {name}", what=what, name=quote(query))
        if suggestions := find_suggestions(query, chain.from_iterable(names)):
            raise NoResult("{said}; did you mean {hits}?", said=said, hits=join_with_or(suggestions))
        raise NoResult("{said}.", said=said)
    return found
