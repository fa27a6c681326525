"""Unparsed wishes, for tests that define wishes before the game is loaded."""

from typing import NamedTuple

from randomizer.cards.game import Game, Wishes
from randomizer.cards.selector import SelectorParser
from randomizer.cards.wish import parse_wishes

_parsers: dict[int, SelectorParser] = {}  # by the id of their game, which they keep alive


def get_selector_parser(game: Game) -> SelectorParser:
    """Return the selector parser of a game, which takes 10 ms to build, in English."""
    if id(game) not in _parsers:
        _parsers[id(game)] = SelectorParser(game)
    return _parsers[id(game)]


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
        return parse_wishes(get_selector_parser(game), *texts, box_count=box_count)
