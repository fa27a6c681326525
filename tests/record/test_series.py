"""Series of tables that share their boxes: what earlier tables use is not there for later ones."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Game, Request, Series
from randomizer.record.build import build_setup, deal_request
from randomizer.record.dealing import DealtTable, deal_many
from randomizer.record.second_deal import deal_again
from randomizer.record.stock import Stock
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_request
from randomizer.show.page import Page
from randomizer.text.errors import BadDocument, BadOptions, TooFewCards
from tests.support import EXAMPLE_FACTOR, Deals
from tests.support.evenings import (
    BASIC_NAMES,
    count_held,
    count_used,
    deal_evening,
    find_evening_faults,
    find_overuse,
    make_evening,
)
from tests.support.laws import CARD_FACTS
from tests.support.requests import make_request

ALL = ("base-2e", "alchemy", "prosperity-2e", "dark-ages", "adventures", "nocturne", "menagerie", "plunder")


def build_series(
    boxes: Sequence[str], count: int, seed: str = "x", players: int = 2, **copies: int
) -> Request:
    series = Series(1, count, tuple((slug.replace("_", "-"), number) for slug, number in copies.items()))
    return Request(tuple(boxes), players, f"{seed}-1", series=series)


def deal_all(deals: Deals, request: Request) -> list[DealtTable]:
    assert request.series
    numbers = range(1, request.series.table_count + 1)
    return list(deal_many(deals.game, request, numbers, deals.languages))


def list_shortages(setup: Setup) -> dict[str, tuple[int | None, int]]:
    return {
        missing["for"]: (missing["wanted"], missing["found"])
        for missing in setup["missing"]
        if missing.get("among") == "boxes"
    }


@given(number=st.integers(0, 10_000))
@settings(max_examples=25 * EXAMPLE_FACTOR, deadline=None)
def test_no_component_is_used_more_often_than_the_boxes_hold_it(deal: Deals, number: int) -> None:
    request, count = make_evening(number, make_request(number, deal.game), deal.game)
    with suppress(TooFewCards, BadOptions):
        setups = deal_evening(request, count, deal.game, deal.languages)
        assert list(find_evening_faults(setups, deal.game, deal.languages)) == []


def test_law_notices_what_independent_tables_use_twice(deal: Deals) -> None:
    """The check must be able to fail."""
    request = build_series(ALL, 5)._replace(series=None)
    setups = [table.document for table in deal_many(deal.game, request, range(1, 6), deal.languages)]
    faults = " ".join(find_overuse(setups))
    assert "of 60 Copper are used" in faults and "of 12 Province are used" in faults


def test_boxes_hold_what_the_facts_say(game: Game) -> None:
    request = Request(tuple(game.boxes), 2, "x-1", series=Series(1, 2))
    stock, options = Stock(game, request), {"sets": [*game.boxes]}
    for name, card in game.cards.items():
        kind = game.kinds[card.kind]
        is_counted = kind.place != "kingdom" and kind.is_ not in ("landscape", "member")
        if is_counted and name in CARD_FACTS and (not card.pile or name in ("Ruins", "Loot")):
            assert (name, stock.count_left(name)) == (name, count_held(name, options))


class TestSideThings:
    """What comes along with cards is shared too."""

    @pytest.mark.parametrize("players", [2, 4])
    def test_only_basic_cards_are_missing_while_other_cards_are_left(self, deal: Deals, players: int) -> None:
        for seed in "abcdef":
            for table in deal_all(deal, build_series(ALL, 5, seed, players)):
                assert list_shortages(table.document).keys() <= BASIC_NAMES
                assert all(missing.get("among") == "boxes" for missing in table.document["missing"])

    def test_one_horse_pile_is_on_one_table(self, deal: Deals) -> None:
        counts = []
        for seed in "abcdef":
            tables = [
                table.document for table in deal_all(deal, build_series(("base-2e", "menagerie"), 4, seed))
            ]
            counts.append(sum(pile["name"] == "Horse" for setup in tables for pile in setup["piles"]))
        assert max(counts) == 1 and counts.count(1) > 3

    def test_basic_cards_that_are_used_up_are_missing(self, deal: Deals) -> None:
        first, second, third = deal_all(deal, build_series(("base-2e", "seaside-2e"), 3))
        assert list_shortages(first.document) == {}
        basics = {"Copper": (60, 0), "Silver": (40, 0), "Gold": (30, 0), "Duchy": (8, 4), "Province": (8, 4)}
        assert list_shortages(second.document) == {**basics, "Estate": (14, 10)}
        assert list_shortages(third.document)["Estate"] == (14, 0)
        text = Page(second.document, deal.languages[0]).missing.texts[0]
        assert text.startswith("The boxes have too little left: Copper (0 of 60), Silver (0 of 40)")
        assert text.endswith("help: Base 1E, Base 2E, Intrigue 1E, Base Cards.")

    def test_five_players_need_a_second_box(self, deal: Deals) -> None:
        (table,) = deal_all(deal, build_series(("base-2e",), 1, players=5))
        assert list_shortages(table.document)["Copper"] == (120, 60)
        (table,) = deal_all(deal, build_series(("base-2e",), 1, players=5, base_2e=2))
        assert list_shortages(table.document) == {}

    def test_scarce_things_are_missing_only_if_nothing_else_is_left(self, deal: Deals) -> None:
        """The 33 Kingdom cards of the box are enough for three tables, one of which can have the Boons."""
        found = []
        for seed in range(12):
            with suppress(BadOptions):
                request = build_series(("nocturne",), 3, str(seed))
                found.append([list_shortages(table.document) for table in deal_all(deal, request)])
        assert found and all("Boons" not in first for first, _, _ in found)
        assert any("Boons" in last and last["Boons"] == (12, 0) for _, _, last in found)

    def test_card_is_avoided_if_nothing_can_be_chosen_for_it(self, deal: Deals) -> None:
        """Young Witch needs a Bane that costs $2 or $3, a Liaison an Ally."""
        request = build_series(("cornucopia",), 2)
        stock = Stock(deal.game, request)
        assert stock.find_lacking() == []
        cheap = ("Hamlet", "Fortune Teller", "Menagerie")
        others = (
            "Farming Village",
            "Horse Traders",
            "Remake",
            "Tournament",
            "Harvest",
            "Horn of Plenty",
            "Jester",
        )
        stock.take(request, deal.table(*cheap, *others, sets=("cornucopia",)))
        assert stock.find_lacking() == ["Young Witch"]
        request = build_series(("allies", "base-2e"), 40)
        stock = Stock(deal.game, request)
        allies = [card.name for card in deal.game.cards.values() if card.kind == "ally"]
        for ally in allies:
            assert stock.find_lacking() == []
            table = deal.table("Underling", sets=("allies", "base-2e"), stacked={"Ally": [ally]})
            assert ally in table.landscapes
            stock.take(request, table)
        lacking = stock.find_lacking()
        assert lacking and all("Liaison" in deal.game.cards[name].types for name in lacking)


class TestQuestions:
    """A question that needs what other tables use is answered with no."""

    def test_colony_is_on_one_table(self, deal: Deals) -> None:
        reasons, answers = set(), []
        for seed in range(8):
            tables = [
                table.document for table in deal_all(deal, build_series(("prosperity-2e",), 2, str(seed)))
            ]
            decisions = [setup["decisions"][0] for setup in tables]
            answers.append([decision["answer"] for decision in decisions])
            reasons |= {decision["reason"]["phrase"] for decision in decisions[1:]}
        assert answers == [[True, False]] * 8 and reasons == {"other tables use what it needs"}

    def test_copies_of_the_box_allow_it_again(self, deal: Deals) -> None:
        request = build_series(("prosperity-2e",), 2, prosperity_2e=2)
        assert all(table.document["decisions"][0]["answer"] for table in deal_all(deal, request))

    def test_forced_answer_stands_and_lists_what_is_missing(self, deal: Deals) -> None:
        request = build_series(("prosperity-2e",), 2)._replace(settings={"colony": True})
        _, second = deal_all(deal, request)
        assert list_shortages(second.document)["Platinum"] == (12, 0)
        assert second.document["decisions"][0]["reason"]["phrase"] == "as requested"


class TestCopies:
    """Several copies of a box."""

    def test_card_is_on_as_many_tables_as_there_are_copies(self, deal: Deals) -> None:
        tables = deal_all(deal, build_series(("base-2e",), 7, base_2e=3))
        kingdoms = [table.document["kingdom"] for table in tables]
        counts = {
            card: sum(card in kingdom for kingdom in kingdoms) for kingdom in kingdoms for card in kingdom
        }
        assert max(counts.values()) == 3
        with pytest.raises(BadOptions, match="only 2 kingdoms"):
            deal_all(deal, build_series(("base-2e",), 3))

    def test_box_that_is_not_dealt_from_adds_basic_cards(self, deal: Deals) -> None:
        tables = deal_all(deal, build_series(("seaside-2e",), 2, base_cards=2))
        assert [list_shortages(table.document) for table in tables] == [{}, {}]
        assert not {"moat", "chapel"} & {*tables[0].document["kingdom"], *tables[1].document["kingdom"]}

    def test_card_that_is_sold_separately_has_its_own_number(self, deal: Deals) -> None:
        stock = Stock(deal.game, build_series(("base-2e", "envoy"), 2, envoy=2))
        assert (stock.count_left("Envoy"), stock.count_left("Moat")) == (2, 1)
        stock = Stock(deal.game, build_series(("promos", "envoy"), 2))
        assert stock.count_left("Envoy") == 1

    def test_set_with_the_name_of_a_card_adds_no_copy(self, deal: Deals) -> None:
        stock = Stock(deal.game, build_series(("menagerie", "cornucopia"), 2))
        assert stock.count_left("Menagerie") == 1


class TestReplay:
    """The document of each table deals the same table again."""

    def test_every_document_deals_its_table_again(self, deal: Deals) -> None:
        for table in deal_all(deal, build_series(ALL, 4, "again", base_2e=2)):
            setup = table.document
            request = extract_request(deal.game, setup)
            assert request == table.request
            assert build_setup(deal.game, request, deal_request(deal.game, request), deal.languages) == setup
            assert len(setup["command"]) < 200

    @pytest.mark.parametrize(
        "options",
        [
            {"table": 3},
            {"table": 0},
            {"count": "2"},
            {"apart": False},
            {"copies": {"base-2e": 0}},
            {"copies": {"no-such-box": 2}},
            {"copies": ["base-2e"]},
        ],
    )
    def test_invalid_series_is_refused(self, deal: Deals, options: dict[str, object]) -> None:
        setup = deal_all(deal, build_series(("base-2e",), 2))[1].document
        setup["options"] = {**setup["options"], **options}
        with pytest.raises(BadDocument):
            extract_request(deal.game, setup)

    def test_later_tables_do_not_depend_on_the_number_of_tables(self, deal: Deals) -> None:
        many, few = (deal_all(deal, build_series(ALL, count)) for count in (4, 2))
        assert [table.document["kingdom"] for table in many[:2]] == [
            table.document["kingdom"] for table in few
        ]


def test_open_veto_reserves_what_its_cards_may_need(deal: Deals) -> None:
    """After any vetoes on both tables, they still share their boxes."""
    for seed in range(6):
        request = build_series(("menagerie", "base-2e"), 2, str(seed))._replace(veto_count=2)
        setups = []
        for table in deal_all(deal, request):
            assert len(table.document["kingdom"]) == 12 and table.document["missing"] == []
            vetoed = table.request._replace(vetoed=(table.table.kingdom[seed].name,))
            setups.append(build_setup(deal.game, vetoed, deal_request(deal.game, vetoed), deal.languages))
        assert list(find_overuse(setups)) == []


def test_replacement_kingdom_uses_nothing_of_other_tables(deal: Deals) -> None:
    boxes = ("rising-sun", "seaside-2e", "menagerie", "base-2e")
    dealt = 0
    for seed in range(60):
        tables = [table.document for table in deal_all(deal, build_series(boxes, 3, str(seed)))]
        for setup in tables:
            if any(landscape["name"] == "Divine Wind" for landscape in setup["landscapes"]):
                others = {id_ for other in tables if other is not setup for id_ in other["kingdom"]}
                assert others.isdisjoint(deal_again(deal.game, setup)["kingdom"])
                dealt += 1
    assert dealt


def test_count_used_adds_up(deal: Deals) -> None:
    """Of one box, two tables use at most what it holds; the law's own arithmetic is checked by hand."""
    first, second = (count_used(table.document) for table in deal_all(deal, build_series(("base-2e",), 2)))
    assert (first["Estate"], second["Estate"]) == (14, 10)
    assert (first["Copper"], second["Copper"]) == (60, 0)
    for earlier, later in pairwise([first, second]):
        assert earlier["Trash mat"] == later["Trash mat"] == 1
