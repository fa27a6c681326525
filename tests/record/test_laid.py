"""Many tables of one request: their documents are those that each has by itself, and so are their gists."""

import json
import weakref
from itertools import islice
from pathlib import Path

import pytest

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.record import shared
from randomizer.record.build import build_setup
from randomizer.record.laid import Laid, lay_tables
from randomizer.setup.checklist import SORTS
from randomizer.setup.gist import gist_of
from randomizer.text.json import Kept, dumps_kept
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.tea import tea

ENGLISH = Language("en")


def laid(game: Game, request: Request, count: int) -> list[Laid]:
    return list(lay_tables(game, request, count, [ENGLISH]))


def test_they_are_those_of_numbered_seeds(tmp_path: Path) -> None:
    game, request = tea(tmp_path), Request(("tea",), 2, "x")
    many = laid(game, request, 3)
    assert [table.request.seed for table in many] == ["x-1", "x-2", "x-3"]
    one = request._replace(seed="x-2")
    assert many[1].document == build_setup(game, one, deal_table(game, one), [ENGLISH])
    assert laid(game, request, 0) == []


def test_what_they_share_goes_with_them(tmp_path: Path, without_collection: None) -> None:
    game, request = tea(tmp_path), Request(("tea",), 2, "x")
    tables = laid(game, request, 2)
    assert [table.document and table.gist("name") for table in tables]
    gone = weakref.ref(tables[0].shared)
    del tables
    assert gone() is None


class TestSharedParts:
    """Whatever documents have in common, each says just what it says by itself."""

    REQUESTS = (
        Request(("base-2e",), 2, "a"),
        Request(("cornucopia-guilds-2e", "rising-sun", "seaside-2e"), 5, "b"),
        Request(("nocturne", "dark-ages", "prosperity-2e", "black-market"), 6, "c", {"landscapes": 5}),
        Request(("empires", "menagerie", "plunder", "allies", "alchemy"), 4, "d", {"colony": True}),
    )

    @pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.seed)
    def test_documents_and_their_lines(self, deal: Deals, request_: Request) -> None:
        for table in lay_tables(deal.game, request_, 150, deal.languages):
            alone = build_setup(deal.game, table.request, table.table, deal.languages)
            assert table.document == alone
            assert dumps_kept(table.document) == json.dumps(alone, ensure_ascii=False).encode()

    @pytest.mark.parametrize("sort", SORTS)
    @pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.seed)
    def test_gists(self, deal: Deals, request_: Request, sort: str) -> None:
        for table in lay_tables(deal.game, request_, 40, deal.languages):
            assert table.gist(sort) == gist_of(table.document, sort)

    def test_another_game(self) -> None:
        game = games.load("pergamemnon")
        for players in game.player_counts():
            for table in laid(game, Request(tuple(game.boxes), players, "x"), 20):
                alone = build_setup(game, table.request, table.table, [ENGLISH])
                assert dumps_kept(table.document) == json.dumps(alone, ensure_ascii=False).encode()
                assert table.gist("box") == gist_of(alone, "box")

    def test_a_part_is_made_once(self, deal: Deals) -> None:
        request = Request(("base-2e",), 2, "x")
        one, other = (table.document for table in lay_tables(deal.game, request, 2, deal.languages))
        copper = [document["starting_deck"][0] for document in (one, other)]
        assert copper[0] is copper[1] and isinstance(copper[0], Kept)

    def test_one_that_is_alone_may_be_changed(self, deal: Deals) -> None:
        request = Request(("base-2e",), 2, "x")
        setup = build_setup(deal.game, request, deal_table(deal.game, request), deal.languages)
        for parts in (setup["piles"], setup["turned"], setup["boxes"], setup["starting_deck"]):
            assert parts and not any(isinstance(part, Kept) for part in parts)

    def test_not_too_many_are_kept(self, deal: Deals, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shared, "_MOST", 50)
        for table in islice(lay_tables(deal.game, self.REQUESTS[3], 30, deal.languages), 30):
            alone = build_setup(deal.game, table.request, table.table, deal.languages)
            assert dumps_kept(table.document) == json.dumps(alone, ensure_ascii=False).encode()
            assert len(table.shared.kept) <= 50
