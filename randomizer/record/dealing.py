"""Functions that deal any number of tables, whose setup documents are built only if needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from randomizer.cards.game import Game, Request
from randomizer.cards.pool import get_or_compute
from randomizer.deal.table import Table
from randomizer.record.build import build_setup_in_context, deal_request
from randomizer.record.context import DocumentContext
from randomizer.text.language import ENGLISH, Language

if TYPE_CHECKING:
    from randomizer.setup import document
    from randomizer.setup.document import Setup

_MAX_CONTEXTS = 50  # maximum number of cached contexts if each deal picks boxes at random


class DealtTable(NamedTuple):
    """A table that has been dealt.

    Attributes:
        request: the request for which the table was dealt.
        table: the table.
        context: the data that the table's document shares with other documents. Shared parts must not be
            modified.
    """

    request: Request
    table: Table
    context: DocumentContext

    @property
    def document(self) -> document.Setup:
        """The setup document of the table, which is built anew on each access."""
        return build_setup_in_context(self.request, self.table, self.context)

    @property
    def summary(self) -> Setup:
        """A partial setup document, with only the data that a one-line summary needs."""
        table, context, marks = self.table, self.context, self.table.marks
        names = {*marks, *(card.name for card in table.kingdom)}
        partial_setup: dict[str, Any] = {
            "seed": self.request.seed,
            "boxes": context.all_boxes,
            "turned": [{"name": card.name} for card in table.turned_up],
            "piles": [
                {**context.get_pile(name), "marks": marks[name]} if name in marks else context.get_pile(name)
                for name in table.piles
                if name in names
            ],
            "landscapes": [
                context.get_landscape(card.name, table.get_marked_pile(card.name))
                for card in context.sort_by_kind(table.landscapes.values())
            ],
            "set_aside": [{"name": name, "for": choice} for name, choice in table.aside_for.items()],
            "decisions": [
                {"title": {ENGLISH: each.title}, "answer": each.answer} for each in table.decisions
            ],
            "missing": [{"for": missing.slot} for missing in table.missing],
        }
        if self.request.is_veto_open:
            partial_setup["vetoes"] = {"max_count": self.request.veto_count, "vetoed": None}
        return cast("Setup", partial_setup)


def deal_independently(
    game: Game, requests: Iterable[Request], languages: Sequence[Language]
) -> Iterator[DealtTable]:
    """Deal the tables of several requests for the same game. All other options may differ.

    Raises:
        TooFewCards: the chosen boxes contain too few cards.
        BadOptions: the wishes cannot be met, or a swap is impossible.
        UnknownName: a card to swap is not on the table.
    """
    for request in requests:
        table = deal_request(game, request)
        yield DealtTable(request, table, DocumentContext(game, request, languages, table.chosen))


def deal_many(
    game: Game, request: Request, numbers: range, languages: Sequence[Language]
) -> Iterator[DealtTable]:
    """Deal many tables. The n-th table has the seed `<seed>-<n>`.

    Args:
        game: the game.
        request: the request. If it has a series, the tables share the boxes, and its own number is ignored.
        numbers: the numbers of the tables to deal, which are consecutive.
        languages: the languages of the documents; English comes first.

    Raises:
        TooFewCards: the chosen boxes contain too few cards.
        BadOptions: the wishes cannot be met, a swap is impossible, or there are too few cards for a series.
        UnknownName: a card to swap is not on the table.
    """
    if request.series:
        # Most deals share no boxes, and the import takes time.
        from randomizer.record.series import deal_series

        for numbered_request, table in deal_series(game, request, numbers[-1] if numbers else 0):
            if numbered_request.series and numbered_request.series.number in numbers:
                own_context = DocumentContext(game, numbered_request, languages, table.chosen)
                yield DealtTable(numbered_request, table, own_context)
        return
    context = DocumentContext(game, request, languages)
    contexts: dict[Sequence[str], DocumentContext] = {}  # by the slugs of the picked boxes
    for number in numbers:
        numbered_request = request._replace(seed=f"{request.seed}-{number}")
        table = deal_request(game, numbered_request)
        if request.wishes.box_count:
            build_context = partial(DocumentContext, game, request, languages, table.chosen)
            context = get_or_compute(contexts, tuple(table.chosen), build_context, _MAX_CONTEXTS)
        yield DealtTable(numbered_request, table, context)
