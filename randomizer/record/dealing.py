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
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import ENGLISH, Language, Message, message

if TYPE_CHECKING:
    from randomizer.cards.condition import Selector
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
    game: Game, request: Request, numbers: range, languages: Sequence[Language], *, apart: bool = False
) -> Iterator[DealtTable]:
    """Deal tables of a series. The n-th table of the series has the seed `<seed>-<n>`.

    Args:
        game: the game.
        request: the request.
        numbers: the numbers in the series of the tables to deal, which are consecutive.
        languages: the languages of the documents; English comes first.
        apart: whether the tables must have no Kingdom card or landscape in common. The cards of all earlier
            tables of the series are then banned from later ones. The bans are part of the requests, so that
            each table can be dealt again on its own.

    Raises:
        TooFewCards: the chosen boxes contain too few cards.
        BadOptions: the wishes cannot be met, a swap is impossible, or there are too few cards for `apart`.
        UnknownName: a card to swap is not on the table.
    """
    context = DocumentContext(game, request, languages)
    contexts: dict[Sequence[str], DocumentContext] = {}  # by the slugs of the picked boxes
    bans: dict[Selector, None] = {}
    for number in range(1, numbers.stop) if apart else numbers:
        numbered_request = request._replace(seed=f"{request.seed}-{number}")
        if bans:
            wishes = request.wishes._replace(bans=(*request.wishes.bans, *bans))
            numbered_request = numbered_request._replace(wishes=wishes)
        try:
            table = deal_request(game, numbered_request)
        except (TooFewCards, BadOptions) as problem:
            if not bans:
                raise
            template = "only {number} kingdoms without repeats are possible, not {count}: {fault}"
            raise BadOptions(
                template, number=number - 1, count=numbers[-1], fault=_explain_shortage(problem)
            ) from None
        if bans:
            context = DocumentContext(game, numbered_request, languages, table.chosen)
        elif request.wishes.box_count:
            build_context = partial(DocumentContext, game, request, languages, table.chosen)
            context = get_or_compute(contexts, tuple(table.chosen), build_context, _MAX_CONTEXTS)
        if number in numbers:
            yield DealtTable(numbered_request, table, context)
        if apart:
            bans.update(dict.fromkeys(_ban_cards(game, table)))


def _explain_shortage(problem: TooFewCards | BadOptions) -> Message:
    """Explain why the remaining cards are not sufficient for another table.

    Args:
        problem: the error that dealing that table has raised.
    """
    if isinstance(problem, TooFewCards):
        return message(
            "earlier tables used the others ({what} left: {count}; needed: {wanted}).",
            what=problem.sort,
            count=problem.found,
            wanted=problem.wanted,
        )
    return message("the cards that earlier tables left can't meet the wishes.")


def _ban_cards(game: Game, table: Table) -> Iterator[Selector]:
    """Yield selectors for the Kingdom cards and landscapes on a table, to ban them from later tables.

    For a member of a mixed pile, the selector matches the pile.
    """
    # Most deals do not need the selector parser, and the import takes time.
    from randomizer.cards.selector import SelectorParser

    parser = SelectorParser(game)
    for card in table.in_use().values():
        pile = game.cards[card.member_of or card.name]
        kind = game.kinds[pile.kind]
        if kind.place == "kingdom" or kind.is_ == "landscape":
            yield parser.parse_term(f"card:{pile.name}")
