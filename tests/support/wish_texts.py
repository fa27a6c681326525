"""Unparsed wishes, for tests that define wishes before the game is loaded."""

from typing import NamedTuple

from randomizer.cards.game import Game, Wishes
from randomizer.cards.selector import SelectorParser
from randomizer.cards.wish import parse_wishes


class WishTexts(NamedTuple):
    """The wishes for a deal, as strings, by option."""

    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    want: tuple[str, ...] = ()
    weight: tuple[str, ...] = ()
    box_count: int = 0

    def parse(self, game: Game) -> Wishes:
        """Parse the wishes for a game."""
        *texts, box_count = self
        return parse_wishes(SelectorParser(game), *texts, box_count=box_count)
