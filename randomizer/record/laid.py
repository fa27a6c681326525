"""A table that has been laid, with what there is to tell of it, each thing made when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import get_or_compute
from randomizer.deal.table import Table
from randomizer.record.build import deal_asked, written
from randomizer.record.shared import Shared, says
from randomizer.setup.gist import Gist, Used
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language, Message

if TYPE_CHECKING:
    from randomizer.setup import document

_MOST_CHOICES = 50  # of boxes that are drawn first, for which what their documents share is kept


class Laid(NamedTuple):
    """A laid table.

    Attributes:
        request: what the deal was asked for.
        table: what it gave.
        shared: what its document has in common with others, whose parts are therefore not to be changed.
    """

    request: Request
    table: Table
    shared: Shared

    @property
    def document(self) -> document.Setup:
        """The setup document."""
        return written(self.request, self.table, self.shared)

    def gist(self, sort: str) -> Gist:
        """The gist, the same as that of the document, and without one.

        Args:
            sort: the order of the Kingdom, one of `checklist.SORTS`.
        """
        table, shared = self.table, self.shared
        marked = filter(table.marks.__contains__, table.piles) if table.marks else ()
        return Gist(
            self.request.seed,
            shared.in_order([card.name for card in table.kingdom], sort),
            [*map(self._used, shared.by_kind(table.landscapes.values()))],
            [
                *(
                    (mark, pile)
                    for pile in marked
                    for mark in table.marks[pile]
                    if not table.get_marked_pile(mark)
                ),
                *((slot, name) for name, slot in table.aside_for.items()),
            ],
            [decision.title for decision in table.decisions if decision.answer],
            [missing.slot for missing in table.missing],
        )

    def _used(self, landscape: Card) -> Used:
        name, kind = landscape.name, self.table.kinds[landscape.kind]
        on = self.table.get_marked_pile(name)
        lies = says(Message(kind.lies, (("on", on),))) if on else None
        return Used(name, "" if landscape in self.table.turned_up else kind.title, lies)


def lay_each(game: Game, requests: Iterable[Request], languages: Sequence[Language]) -> Iterator[Laid]:
    """A deal for each request, which have nothing in common but the game.

    Raises:
        TooFewCards, BadOptions: as `deal_asked` does.
    """
    for request in requests:
        table = deal_asked(game, request)
        yield Laid(request, table, Shared(game, request, languages, table.chosen))


def lay_tables(
    game: Game, request: Request, count: int, languages: Sequence[Language], *, apart: bool = False
) -> Iterator[Laid]:
    """So many deals; the n-th of them is what the seed `<seed>-<n>` deals by itself.

    Args:
        languages: English first; then those whose names stand beside the English ones.
        apart: no Kingdom card or landscape is on two of the tables. What has been on one is banned from the
            next, so that the command of each deals it by itself.

    Raises:
        TooFewCards, BadOptions: as `deal_asked` does; or the boxes are not enough for so many tables apart.
    """
    shared = Shared(game, request, languages, keeping=True)
    drawn: dict[Sequence[str], Shared] = {}
    gone: dict[str, None] = {}
    for number in range(1, count + 1):
        one = request._replace(seed=f"{request.seed}-{number}")
        if gone:
            wishes = request.wishes._replace(without=(*request.wishes.without, *gone))
            one = one._replace(wishes=wishes)
        try:
            table = deal_asked(game, one)
        except (TooFewCards, BadOptions) as problem:
            if not gone:
                raise
            said = "enough for {number} tables apart, not for {count}: {fault}"
            raise BadOptions(said, number=number - 1, count=count, fault=problem.message) from None
        if gone:
            shared = Shared(game, one, languages, table.chosen)
        elif request.wishes.box_count:
            new = partial(Shared, game, request, languages, table.chosen, keeping=True)
            shared = get_or_compute(drawn, tuple(table.chosen), new, _MOST_CHOICES)
        yield Laid(one, table, shared)
        if apart:
            gone.update(dict.fromkeys(_bans(game, table)))


def _bans(game: Game, table: Table) -> Iterator[str]:
    """What bans the Kingdom cards and landscapes on a table, turned up or chosen; with a card its pile."""
    from randomizer.cards.selector import (
        SelectorParser,
    )  # most deals have no use for it, and start the sooner

    words = SelectorParser(game)
    for card in table.in_use().values():
        pile = game.cards[card.member_of or card.name]
        kind = game.kinds[pile.kind]
        if kind.place == "kingdom" or kind.is_ == "landscape":
            yield words.parse_term(f"card:{pile.name}").text
