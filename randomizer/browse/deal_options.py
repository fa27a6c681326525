"""Options of a deal that the command line and the web pages share."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from randomizer.text.language import Clause, Value, message

if TYPE_CHECKING:
    from randomizer.cards.game import Game

DEFAULT_PLAYERS = 2
LANDSCAPE_SOURCES = ("randomizers", "deck")
REPEATABLE_OPTIONS = ("with", "without", "want", "weight", "swap", "vetoed")


class GameOption(NamedTuple):
    """An option that a game defines in its data file: a switch, a choice or a whole number.

    Attributes:
        name: the name of the option without leading dashes, such as "black-market".
        title: the label of its field in a form.
        help: the English help text; empty for a choice.
        choices: the values of a choice; empty for a switch or a number.
        min_value: the minimum of a number; None for a switch or a choice.
        max_value: the maximum of a number; None for a switch or a choice.
        default: the default of a number.
        shares: examples of shares, if the value may also be the share of the games in which the answer is
            yes; otherwise empty.
    """

    name: str
    title: Value
    help: str = ""
    choices: Sequence[str] = ()
    min_value: int | None = None
    max_value: int | None = None
    default: int | None = None
    shares: Sequence[str] = ()


def list_game_options(game: "Game") -> Iterator[GameOption]:
    """Yield the game's own options.

    Each yes/no question of setup, such as whether to use Colony, has two options: a switch for the answer,
    and a choice of the card that decides. Every other option is a number.
    """
    from randomizer.cards.share import EXAMPLES
    from randomizer.deal.growing import list_questions  # Commands that deal nothing need not load these.

    titles = {question.option: question.title for question in list_questions(game.opening)}
    for option in game.options:
        name = option.name.replace("_", "-")
        if option.cards:
            title = titles[option.name]
            yield GameOption(name, title, option.help)
            by_label = message("{title}: decided by", title=title)
            yield GameOption(f"{name}-by", by_label, choices=option.cards, shares=EXAMPLES)
        else:
            label = Clause(message(option.help))
            yield GameOption(name, label, option.help, (), option.least, option.most, option.default)
