"""Dealt tables, one or many, whose document or gist is built only if it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from randomizer.cards.game import Game, Request
from randomizer.cards.pool import get_or_compute
from randomizer.deal.table import Table
from randomizer.record.build import build_setup_in_context, deal_request
from randomizer.record.context import DocumentContext
from randomizer.setup.gist import Gist, build_gist
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language, Message, message

if TYPE_CHECKING:
    from randomizer.setup import document

_MAX_CONTEXTS = 50  # maximum number of cached contexts, where each deal picks its boxes at random


class DealtTable(NamedTuple):
    """A dealt table.

    Attributes:
        request: the request that it was dealt from.
        table: the table.
        context: the data that its document shares with others; shared parts must not be changed.
    """

    request: Request
    table: Table
    context: DocumentContext

    @property
    def document(self) -> document.Setup:
        """The setup document."""
        return build_setup_in_context(self.request, self.table, self.context)

    def build_gist(self, sort: str) -> Gist:
        """Return the gist of the document; only those parts of the document are built that it depends on.

        Args:
            sort: the order of the Kingdom, one of `checklist.SORTS`.
        """
        table, context, marks = self.table, self.context, self.table.marks
        names = {*marks, *(card.name for card in table.kingdom)}
        partial_setup: dict[str, Any] = {
            "seed": self.request.seed,
            "boxes": context.all_boxes,
            "turned": [{"name": card.name} for card in table.turned_up],
            "piles": [
                {**context.get_pile(card), "marks": marks[name]} if name in marks else context.get_pile(card)
                for name, card in table.piles.items()
                if name in names
            ],
            "landscapes": [
                context.get_landscape(card, table.get_marked_pile(card.name))
                for card in context.sort_by_kind(table.landscapes.values())
            ],
            "set_aside": [{"name": name, "for": choice} for name, choice in table.aside_for.items()],
            "decisions": [{"title": each.title, "answer": each.answer} for each in table.decisions],
            "missing": [{"for": missing.slot} for missing in table.missing],
        }
        return build_gist(cast("document.Setup", partial_setup), sort)


def deal_independently(
    game: Game, requests: Iterable[Request], languages: Sequence[Language]
) -> Iterator[DealtTable]:
    """Deal each request; the requests may differ in everything but the game.

    Raises:
        TooFewCards, BadOptions: as for `deal_request`.
    """
    for request in requests:
        table = deal_request(game, request)
        yield DealtTable(request, table, DocumentContext(game, request, languages, table.chosen))


def deal_many(
    game: Game, request: Request, count: int, languages: Sequence[Language], *, apart: bool = False
) -> Iterator[DealtTable]:
    """Deal a request several times; the n-th table has the seed `<seed>-<n>`.

    Args:
        game: the game.
        request: the request.
        count: the number of tables.
        languages: English, then those whose names are added to the English ones.
        apart: put no Kingdom card or landscape on two of the tables. Cards of earlier tables are banned from
            the later ones, so that the command of each table deals it by itself.

    Raises:
        TooFewCards, BadOptions: as for `deal_request`; or `apart` needs more cards than the boxes have.
    """
    context = DocumentContext(game, request, languages)
    contexts: dict[Sequence[str], DocumentContext] = {}  # by the boxes that were picked
    bans: dict[str, None] = {}
    for number in range(1, count + 1):
        one = request._replace(seed=f"{request.seed}-{number}")
        if bans:
            wishes = request.wishes._replace(without=(*request.wishes.without, *bans))
            one = one._replace(wishes=wishes)
        try:
            table = deal_request(game, one)
        except (TooFewCards, BadOptions) as problem:
            if not bans:
                raise
            template = "only {number} kingdoms without repeats are possible, not {count}: {fault}"
            raise BadOptions(template, number=number - 1, count=count, fault=_explain_end(problem)) from None
        if bans:
            context = DocumentContext(game, one, languages, table.chosen)
        elif request.wishes.box_count:
            build_context = partial(DocumentContext, game, request, languages, table.chosen)
            context = get_or_compute(contexts, tuple(table.chosen), build_context, _MAX_CONTEXTS)
        yield DealtTable(one, table, context)
        if apart:
            bans.update(dict.fromkeys(_ban_cards(game, table)))


def _explain_end(problem: TooFewCards | BadOptions) -> Message:
    """Explain why the cards that earlier tables did not use are not enough for another table."""
    if isinstance(problem, TooFewCards):
        return message(
            "earlier tables used the others ({what} left: {count}; needed: {wanted}).",
            what=problem.sort,
            count=problem.found,
            wanted=problem.wanted,
        )
    return message("the cards that earlier tables left can't meet the wishes.")


def _ban_cards(game: Game, table: Table) -> Iterator[str]:
    """Yield selectors of the Kingdom cards and landscapes on a table; a card stands for its whole pile."""
    # Most deals do not need it, and its import takes time.
    from randomizer.cards.selector import SelectorParser

    parser = SelectorParser(game)
    for card in table.in_use().values():
        pile = game.cards[card.member_of or card.name]
        kind = game.kinds[pile.kind]
        if kind.place == "kingdom" or kind.is_ == "landscape":
            yield parser.parse_term(f"card:{pile.name}").text
