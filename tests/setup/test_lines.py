"""Lines of a checklist: mixed piles, decks, tokens, and the reasons for them."""

from pathlib import Path
from typing import Any, cast

import pytest

from randomizer.cards.game import Request
from randomizer.deal.dealer import deal_table
from randomizer.record.build import build_setup
from randomizer.setup.document import Setup
from randomizer.setup.lines import Line, LineBuilder
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.language import Language
from tests.support.tea import make_tea_game

ENGLISH = Language("en")
FRENCH = Language(
    "fr", cards={"Pie": "Tourte", "Nut": "Noix"}, types={"Sweet": "Sucré"}, boxes={"jam": "Pot"}
)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """Cake, Soup and Pie, from two boxes."""
    game = make_tea_game(tmp_path)
    request = Request(("tea",), 2, "x")
    table = deal_table(game, request, {"randomizers": ["Cake", "Soup", "Pie"]})
    document = build_setup(game, request, table, [Language("en")])
    boxes: Any = [{"slug": "tea", "name": "Tea"}, {"slug": "jam", "name": "Jam"}]
    return {**document, "boxes": boxes}


def lines(setup: Setup, language: Language = ENGLISH, **changed: Any) -> LineBuilder:
    return LineBuilder(cast(Setup, {**setup, **changed}), language)


def pile(name: str = "Platter", **said: Any) -> Any:
    usual = {
        "name": name,
        "set": "tea",
        "box": "tea",
        "cost": "$4",
        "types": ["Sweet", "Plain"],
        "place": "kingdom",
        "supply": True,
        "count": 10,
        "members": [],
        "marks": [],
        "because": [],
    }
    return {**usual, **said}


def member(name: str, count: int | None) -> dict[str, Any]:
    return {"name": name, "cost": "$2", "types": ["Sweet"], "count": count}


UNDER_PIE = {"phrase": "under {on}", "values": {"on": "Pie"}}


class TestMembers:
    """How a mixed pile is put together."""

    @pytest.mark.parametrize(
        ("said", "below"),
        [
            ({}, ()),
            ({"members": [member("Nut", 5), member("Fig", 5)]}, ("5 each, from the top: Nut, Fig",)),
            ({"members": [member("Nut", 4), member("Fig", 6)]}, ("from the top: 4 Nut, 6 Fig",)),
            ({"cost": "", "members": [member("Nut", 5), member("Fig", 5)]}, ("5 each: Nut, Fig",)),
            ({"shuffled": True, "members": [member("Nut", 1)]}, ("shuffle, turn up the top card",)),
            (
                {"shuffled": True, "supply": False, "members": [member("Nut", 1)]},
                (),  # which its own line says
            ),
            (
                {"shuffled": True, "count": 20, "members": [member("Nut", None), member("Fig", 1)]},
                ("shuffle all of them, count out 20, and turn up the top card",),
            ),
        ],
    )
    def test_below_the_pile(self, setup: Setup, said: dict[str, Any], below: tuple[str, ...]) -> None:
        assert tuple(map(with_ordinary_spaces, lines(setup).build_kingdom_pile(pile(**said)).below)) == below

    def test_a_name_is_not_broken(self, setup: Setup) -> None:
        members = [member("Green Fig", 4), member("Nut", 6)]
        (below,) = lines(setup, FRENCH).build_kingdom_pile(pile(members=members)).below
        assert below == "from the top: 4\N{NO-BREAK SPACE}Green\N{NO-BREAK SPACE}Fig, 6\N{NO-BREAK SPACE}Noix"


class TestPile:
    def test_of_a_stock_what_each_player_takes(self, setup: Setup) -> None:
        line = lines(setup).build_pile(pile(stock=60, count=46, note="face up"))
        assert (line.count_, line.detail) == (46, "60, minus 7 per player")

    def test_a_note_says_how_it_lies(self, setup: Setup) -> None:
        assert lines(setup).build_pile(pile(note="face up")).detail == "face up"
        assert lines(setup).build_pile(pile()).detail == ""
        assert lines(setup).build_pile(pile(stock=60, count=None)).detail == ""

    def test_in_the_kingdom_with_its_cost_types_and_box(self, setup: Setup) -> None:
        line = lines(setup, FRENCH).build_kingdom_pile(pile("Pie", box="jam"))
        assert (line.name, line.cost, line.types, line.box) == ("Tourte", "$4", "Sucré–Plain", "Pot")

    def test_marks_and_reasons_above_landscapes_above_members(self, setup: Setup) -> None:
        on: Any = [{"name": "Hare", "on": "Platter", "because": []}, {"name": "Hatter", "because": []}]
        platter = pile(marks=["Tray", "Hare"], because=["Cake"], members=[member("Nut", 5), member("Fig", 5)])
        line = lines(setup, landscapes=on).build_kingdom_pile(platter)
        assert line.below == ("Tray, for Cake", "Hare", "5 each, from the top: Nut, Fig")
        assert line.why == "" and line.because == ("Cake",)

    def test_no_box_where_there_is_only_one(self, setup: Setup) -> None:
        assert lines(setup, boxes=setup["boxes"][:1]).build_kingdom_pile(pile()).box == ""
        assert lines(setup).build_kingdom_pile(pile(box="jam")).box == "Jam"
        assert lines(setup).build_kingdom_pile(pile(box="ale")).box == "ale"


class TestLandscape:
    @pytest.mark.parametrize(
        ("said", "detail"),
        [({}, ""), ({"on": "Pie", "says": UNDER_PIE}, "under Tourte"), ({"player": 2}, "player 2")],
    )
    def test_where_it_lies_or_whose_it_is(self, setup: Setup, said: dict[str, Any], detail: str) -> None:
        hare: Any = {"name": "Hare", "cost": "$3", "box": "jam", "because": ["Cake"], **said}
        line = lines(setup, FRENCH).build_landscape(hare)
        assert (line.name, line.cost, line.box, line.detail) == ("Hare", "$3", "Pot", detail)
        assert line.count_ is None and line.why == "for Cake"


class TestDecks:
    def deck(self, *cards: tuple[str, str, str], face_up: tuple[str, ...] = ()) -> Any:
        contents = [{"name": name, "box": box, "cost": cost} for name, box, cost in cards]
        names = [name for name, _, _ in cards]
        deck = {"name": "Songs", "count": 2, "cards": names, "contents": contents, "because": []}
        return {**deck, "face_up": list(face_up)}

    def test_a_whole_boxs_is_not_listed(self, setup: Setup) -> None:
        line = lines(setup).build_deck(self.deck(("Waltz", "tea", ""), ("Jig", "tea", "")))
        assert (line.name, line.count_, line.detail, line.below) == ("Songs", 2, "shuffled, face down", ())

    def test_else_box_by_box_in_the_order_of_the_setup_by_name(self, setup: Setup) -> None:
        cards = [("Reel", "jam", ""), ("Waltz", "tea", ""), ("Jig", "tea", "")]
        line = lines(setup).build_deck(self.deck(*cards))
        assert line.below == ("Tea: Jig, Waltz", "Jam: Reel")
        line = lines(setup).build_deck(self.deck(("Waltz", "tea", "$2")))
        assert line.below == ("Tea: Waltz",)

    def test_what_lies_beside_it_comes_first(self, setup: Setup) -> None:
        deck = self.deck(("Waltz", "tea", "$2"), face_up=("Jig", "Reel"))
        line = lines(setup).build_deck(deck)
        assert line.below == ("beside it, face up: Jig, Reel", "Tea: Waltz")

    def test_its_box_where_its_cards_are_not_listed(self, setup: Setup) -> None:
        whole, listed = self.deck(("Waltz", "jam", ""), ("Jig", "jam", "")), self.deck(("Reel", "jam", "$2"))
        one, other = map(lines(setup).build_deck, (whole, listed))
        assert (one.box, one.below) == ("Jam", ())
        assert (other.box, other.below) == ("", ("Jam: Reel",))

    def test_of_one_that_is_there_already_only_what_is_turned_over(self, setup: Setup) -> None:
        """As at a second deal: the deck stays as it is, nothing is shuffled; other decks come after it."""
        there = {**self.deck(face_up=("Pie", "Green Jig")), "count": 12, "because": ["Cake"]}
        first, second = map(lines(setup, FRENCH).build_deck, (there, self.deck(("Waltz", "tea", ""))))
        said = (first.name, first.count_, first.detail, first.below)
        assert said == (
            "Songs",
            2,
            "from the deck or its discard pile, face up next to it",
            ("Tourte, Green\N{NO-BREAK SPACE}Jig",),
        )
        assert (first.box, first.why, first.because) == ("", "for Cake", ("Cake",))
        assert (second.count_, second.detail, second.below) == (2, "shuffled, face down", ())


class TestTokens:
    def token(self, on: str, count: int = 1, **said: Any) -> Any:
        says = {"phrase": "on {on}", "values": {"on": on}}
        return {"name": "Sugar", "count": count, "on": on, "says": says, "because": ["Cake"], **said}

    def below(self, setup: Setup, *tokens: Any, per: Any = "game") -> list[tuple[Any, ...]]:
        found = lines(setup, placed=list(tokens)).build_tokens(per)
        return [(line.count_, line.detail, line.below) for line in found]

    def test_on_one_thing(self, setup: Setup) -> None:
        assert self.below(setup, self.token("Pie", 2)) == [(2, "on Pie", ())]

    def test_equal_ones_for_one_reason_are_one_line(self, setup: Setup) -> None:
        assert self.below(setup, self.token("Pie"), self.token("Cake")) == [
            (1, "on each of 2 piles", ("Cake, Pie",))
        ]
        assert len(self.below(setup, self.token("Pie"), self.token("Cake", 2))) == 2
        assert len(self.below(setup, self.token("Pie"), self.token("Cake", because=["Soup"]))) == 2

    def test_on_all_of_the_supply(self, setup: Setup) -> None:
        tokens = [self.token(pile["name"]) for pile in setup["piles"] if pile["supply"]]
        assert self.below(setup, *tokens) == [(1, "on every Supply pile", ())]

    def test_of_each_player_or_the_game(self, setup: Setup) -> None:
        tokens = [self.token("Pie"), self.token("Cake", per="player")]
        assert self.below(setup, *tokens) == [(1, "on Pie", ())]
        assert self.below(setup, *tokens, per="player") == [(1, "on Cake", ())]

    def test_what_a_card_asks_for_on_itself_says_no_reason(self, setup: Setup) -> None:
        (other,) = lines(setup, placed=[self.token("Pie")]).build_tokens("game")
        assert other.why == "for Cake" and other.because == ("Cake",)
        (own,) = lines(setup, placed=[self.token("Cake")]).build_tokens("game")
        assert own.why == ""


class TestOthers:
    def test_of_a_line_only_its_name_is_needed(self, setup: Setup) -> None:
        line = Line("Pie")
        assert line == ("Pie", None, "", "", "", "", (), "", ())

    def test_a_component(self, setup: Setup) -> None:
        component: Any = {"name": "Mat", "kind": "mat", "count": 1, "per": "player", "because": []}
        noted: Any
        heap: Any
        noted, heap = {**component, "note": "face up"}, {**component, "count": None}
        line = lines(setup).build_component(noted)
        assert (line.name, line.count_, line.detail) == ("Mat", 1, "face up")
        line = lines(setup).build_component(heap)
        assert (line.name, line.count_, line.detail) == ("Mat", None, "")

    def test_set_aside(self, setup: Setup) -> None:
        card: Any = {"name": "Pie", "box": "jam", "because": ["Cake"]}
        line = lines(setup).build_set_aside(card)
        assert (line.name, line.count_, line.box, line.detail, line.why) == (
            "Pie",
            1,
            "Jam",
            "set aside",
            "for Cake",
        )


class TestAfterASecondDeal:
    def test_what_stays_has_no_line_and_what_leaves_has(self, setup: Setup) -> None:
        card = {"name": "Pie", "box": "tea", "count": 1, "because": [], "kind": "mat", "per": "game"}
        token = {"name": "Sugar", "count": 1, "on": "Pie", "because": []}
        make = lines(
            setup,
            second_deal={
                "by": "Hare",
                "leaves": ["Cake"],
                "boxes": {},
                "stays": ["Pie", "Songs", "Sugar on Pie"],
                "before": dict.fromkeys(("set_aside", "components", "starting_deck", "placed", "decks"), 1),
            },
            set_aside=[card],
            components=[card],
            starting_deck=[card],
            placed=[token],
            decks=[{"name": "Songs", "count": 2, "face_up": [], "contents": [], "because": []}],
        )
        assert not make.new["set_aside"] and not make.new["components"] and not make.new["starting_deck"]
        assert not make.new["decks"] and not make.build_tokens("game")
        assert [line.name for line in make.build_leaving_piles()] == ["Cake"]
        assert lines(setup).build_leaving_piles() == []
