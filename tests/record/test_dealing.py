"""Several deals of one request: documents and gists are the same as for single deals."""

import gc
import weakref
from pathlib import Path

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.record.build import build_setup
from randomizer.record.dealing import DealtTable, deal_many
from randomizer.setup.checklist import SORTS
from randomizer.show.page import Page
from randomizer.text.json import dumps_line
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.tea import make_tea_game

ENGLISH = Language("en")


def deal_tables(game: Game, request: Request, count: int) -> list[DealtTable]:
    return list(deal_many(game, request, count, [ENGLISH]))


def test_deal_many_numbers_the_seeds(tmp_path: Path) -> None:
    game, request = make_tea_game(tmp_path), Request(("tea",), 2, "x")
    tables = deal_tables(game, request, 3)
    assert [table.request.seed for table in tables] == ["x-1", "x-2", "x-3"]
    one = request._replace(seed="x-2")
    assert tables[1].document == build_setup(game, one, deal_table(game, one), [ENGLISH])
    assert deal_tables(game, request, 0) == []


def test_context_is_freed_with_its_tables(tmp_path: Path) -> None:
    game, request = make_tea_game(tmp_path), Request(("tea",), 2, "x")
    tables = deal_tables(game, request, 2)
    assert [table.document and table.summary for table in tables]
    context = weakref.ref(tables[0].context)
    del tables
    gc.collect()
    assert context() is None


class TestSharedContext:
    """A document that shares a context with others is the same as one with a context of its own."""

    REQUESTS = (
        Request(("base-2e",), 2, "a"),
        Request(("cornucopia-guilds-2e", "rising-sun", "seaside-2e"), 5, "b"),
        Request(("nocturne", "dark-ages", "prosperity-2e", "black-market"), 6, "c", {"landscapes": 5}),
        Request(("empires", "menagerie", "plunder", "allies", "alchemy"), 4, "d", {"colony": True}),
    )

    @pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.seed)
    def test_document_with_a_shared_context_is_the_same(self, deal: Deals, request_: Request) -> None:
        for table in deal_many(deal.game, request_, 150, deal.languages):
            alone = build_setup(deal.game, table.request, table.table, deal.languages)
            assert table.document == alone
            assert dumps_line(table.document) == dumps_line(alone)

    @pytest.mark.parametrize("sort", SORTS)
    @pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.seed)
    def test_gist_of_a_table_is_that_of_its_document(self, deal: Deals, request_: Request, sort: str) -> None:
        for table in deal_many(deal.game, request_, 40, deal.languages):
            page, full_page = (Page(of, deal.languages[0], sort) for of in (table, table.document))
            assert page.gist == full_page.gist

    def test_document_of_another_game_is_the_same(self) -> None:
        game = games.load("pergamemnon")
        for players in game.player_counts():
            for table in deal_tables(game, Request(tuple(game.boxes), players, "x"), 20):
                alone = build_setup(game, table.request, table.table, [ENGLISH])
                assert dumps_line(table.document) == dumps_line(alone)
                assert Page(table, ENGLISH).gist == Page(alone, ENGLISH).gist

    def test_document_with_its_own_context_shares_no_part(self, deal: Deals) -> None:
        request = Request(("base-2e",), 2, "x")
        table = deal_table(deal.game, request)
        one, other = (build_setup(deal.game, request, table, deal.languages) for _ in range(2))
        parts = ("piles", "turned", "boxes", "starting_deck", "options", "generator")
        one_document, other_document = dict(one), dict(other)
        for key in parts:
            assert one_document[key] and one_document[key] is not other_document[key]
        for one_pile, other_pile in zip(one["piles"], other["piles"], strict=True):
            assert one_pile is not other_pile and one_pile["types"] is not other_pile["types"]
