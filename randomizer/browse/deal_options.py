"""Options of a deal that the command line and the web pages share."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from randomizer.cards.game import Game

DEFAULT_PLAYERS = 2
LANDSCAPE_SOURCES = ("randomizers", "deck")
REPEATABLE_OPTIONS = ("with", "without", "want", "weight", "swap", "vetoed")


class GameOption(NamedTuple):
    """An option that a game defines in its data file: a switch, a choice or a whole number.

    Attributes:
        name: the name of the option without dashes in front, such as "black-market".
        help: the English help text; empty for a choice.
        choices: the values of a choice; empty for a switch or a number.
        min_value: the minimum of a number; None for a switch or a choice.
        max_value: the maximum of a number; None for a switch or a choice.
        default: the default of a number.
    """

    name: str
    help: str = ""
    choices: Sequence[str] = ()
    min_value: int | None = None
    max_value: int | None = None
    default: int | None = None


def list_game_options(game: "Game") -> Iterator[GameOption]:
    """Yield the game's own options.

    For each yes/no question of setup, such as whether to use Colony, there are two options: a switch and a
    choice. Any other option is a number.
    """
    from randomizer.cards.model import MAX_NUMBER  # Commands that deal nothing need not load the model.

    for option in game.options:
        name = option.name.replace("_", "-")
        if option.cards:
            yield GameOption(name, option.help)
            yield GameOption(f"{name}-by", choices=option.cards)
        else:
            yield GameOption(
                name, option.help, min_value=option.least, max_value=MAX_NUMBER, default=option.default
            )
