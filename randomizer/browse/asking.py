"""What somebody asks for, by the names that people use, as the request that a deal takes."""

from collections.abc import Iterable, Mapping

from randomizer.browse.boxes import resolve
from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request
from randomizer.errors import BadOptions


def request_of(
    game: Game,
    sets: Iterable[str],
    players: int,
    seed: str,
    settings: Mapping[str, Setting | None],
    files: Iterable[str] = (),
    name: str = "",
) -> Request:
    """The request for a deal.

    Args:
        game: with the user's files.
        sets: names of boxes, as `resolve` takes them; without any, the game's first set.
        players: how many play.
        seed: any text that fits on a line.
        settings: what was said of the open options; None is nothing.
        files: paths of the user's own files.
        name: the game's name, where it is not the default game.

    Raises:
        UnknownName: nothing is called like one of the sets.
        BadOptions: a name could be several boxes, settings contradict each other, or the seed does not fit.
    """
    if any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in seed) or len(seed.splitlines()) > 1:
        raise BadOptions(f"a seed has to fit on a line, without control characters: {seed!r}")
    given = {option: value for option, value in settings.items() if value is not None}
    chosen = resolve([*sets] or [next(iter(game.sets))], game)
    return Request(chosen, players, seed, game.checked(given), tuple(files), name)
