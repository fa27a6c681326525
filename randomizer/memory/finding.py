"""Which of the played games somebody asks for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from randomizer.memory.noted import PlayedGame, day
from randomizer.text.errors import NoResult, nearest
from randomizer.text.folding import fold
from randomizer.text.language import Language, either, message, quoted


def fitting(
    games: Sequence[PlayedGame],
    languages: Mapping[str, Iterable[Language]],
    *,
    card: str = "",
    player: str = "",
    since: str = "",
    until: str = "",
) -> list[PlayedGame]:
    """The games that are as asked for; what is left empty asks for nothing.

    Args:
        games: all of them.
        languages: by the name of a game, those that have names for its cards.
        card: a card that was in the game, by its name in any language; a part of it will do.
        player: the name of somebody who played.
        since: the first day ...
        until: ... and the last one.

    Raises:
        BadOptions: a day is none.
        NoResult: nothing fits; says what is missing.
    """
    if since:
        games = [game for game in games if game.date >= day(since)]
    if until:
        games = [game for game in games if game.date <= day(until)]
    if not games:
        raise NoResult(
            "no game has been noted of those days." if since or until else "no game has been noted yet."
        )
    if player:
        names = [[name for name, _ in game.players] for game in games]
        games = _with("player", player, games, names)
    if card:
        names = [[*_called(game, languages.get(game.game, ()))] for game in games]
        games = _with("card", card, games, names)
    return list(games)


def _called(game: PlayedGame, languages: Iterable[Language]) -> Iterator[str]:
    """What the cards of a game are called, in every language."""
    for name in game.cards:
        yield name
        yield from (language.name(name) for language in languages)


def _with(
    what: str, asked: str, games: Sequence[PlayedGame], names: Sequence[Sequence[str]]
) -> list[PlayedGame]:
    """The games with such a name among theirs; if there is none, those with one that it is a part of."""
    wanted = fold(asked)
    folded = [[fold(name) for name in each] for each in names]
    found = [game for game, each in zip(games, folded, strict=True) if wanted in each]
    if not found and len(wanted) > 1:
        found = [
            game for game, each in zip(games, folded, strict=True) if any(wanted in name for name in each)
        ]
    if not found:
        hits = nearest(asked, chain.from_iterable(names))
        said = message("no game that has been noted has a {what} {name}", what=what, name=quoted(asked))
        if hits:
            raise NoResult("{said}; did you mean {hits}?", said=said, hits=either(hits))
        raise NoResult("{said}.", said=said)
    return found
