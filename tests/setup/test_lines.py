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
    """Return the document of Cake, Soup and Pie, with two boxes."""
    game = make_tea_game(tmp_path)
    request = Request(("tea",), 2, "x")
    table = deal_table(game, request, {"randomizers": ["Cake", "Soup", "Pie"]})
    document = build_setup(game, request, table, [Language("en")])
    boxes: Any = [{"slug": "tea", "name": "Tea"}, {"slug": "jam", "name": "Jam"}]
    return {**document, "boxes": boxes}


def make_builder(setup: Setup, language: Language = ENGLISH, **fields: Any) -> LineBuilder:
    return LineBuilder(cast(Setup, {**setup, **fields}), language)


def make_cost(coins: int) -> dict[str, Any]:
    return {"coins": coins, "potion": 0, "debt": 0, "mark": ""}


def make_pile(name: str = "Platter", **fields: Any) -> Any:
    defaults = {
        "name": name,
        "set": "tea",
        "box": "tea",
        "cost": make_cost(4),
        "types": ["Sweet", "Plain"],
        "place": "kingdom",
        "count": 10,
        "members": [],
        "marks": [],
        "because": [],
    }
    return {**defaults, **fields}


def make_member(name: str, count: int | None) -> dict[str, Any]:
    return {"name": name, "cost": make_cost(2), "types": ["Sweet"], "count": count}


UNDER_PIE = {"phrase": "under {on}", "values": {"on": "Pie"}}


class TestMembers:
    """The description of the members of a mixed pile."""

    @pytest.mark.parametrize(
        ("fields", "below"),
        [
            ({}, ()),
            (
                {"members": [make_member("Nut", 5), make_member("Fig", 5)]},
                ("5 each, from the top: Nut, Fig",),
            ),
            ({"members": [make_member("Nut", 4), make_member("Fig", 6)]}, ("from the top: 4 Nut, 6 Fig",)),
            (
                {"cost": None, "members": [make_member("Nut", 5), make_member("Fig", 5)]},
                ("5 each: Nut, Fig",),
            ),
            ({"shuffled": True, "members": [make_member("Nut", 1)]}, ("shuffle, turn up the top card",)),
            (
                {"shuffled": True, "place": "beside", "members": [make_member("Nut", 1)]},
                (),  # The detail of the line is enough.
            ),
            (
                {"shuffled": True, "count": 20, "members": [make_member("Nut", None), make_member("Fig", 1)]},
                ("shuffle all of them, count out 20, and turn up the top card",),
            ),
        ],
    )
    def test_mixed_pile_describes_its_members_below(
        self, setup: Setup, fields: dict[str, Any], below: tuple[str, ...]
    ) -> None:
        assert (
            tuple(
                map(with_ordinary_spaces, make_builder(setup).build_kingdom_pile(make_pile(**fields)).below)
            )
            == below
        )

    def test_names_of_members_have_nonbreaking_spaces(self, setup: Setup) -> None:
        members = [make_member("Green Fig", 4), make_member("Nut", 6)]
        (below,) = make_builder(setup, FRENCH).build_kingdom_pile(make_pile(members=members)).below
        assert below == "from the top: 4\N{NO-BREAK SPACE}Green\N{NO-BREAK SPACE}Fig, 6\N{NO-BREAK SPACE}Noix"


class TestPile:
    def test_pile_with_a_stock_shows_what_each_player_takes(self, setup: Setup) -> None:
        line = make_builder(setup).build_pile(make_pile(stock=60, count=46, note={"en": "face up"}))
        assert (line.count_, line.detail) == (46, "60, minus 7 per player")

    def test_note_of_a_pile_is_its_detail(self, setup: Setup) -> None:
        assert make_builder(setup).build_pile(make_pile(note={"en": "face up"})).detail == "face up"
        assert make_builder(setup).build_pile(make_pile()).detail == ""
        assert make_builder(setup).build_pile(make_pile(stock=60, count=None)).detail == ""

    def test_kingdom_pile_has_translated_name_types_and_box(self, setup: Setup) -> None:
        line = make_builder(setup, FRENCH).build_kingdom_pile(make_pile("Pie", box="jam"))
        assert (line.name, line.cost, line.types, line.box) == ("Tourte", "$4", "Sucré–Plain", "Pot")

    def test_texts_below_a_pile_are_marks_then_landscapes_then_members(self, setup: Setup) -> None:
        on: Any = [{"name": "Hare", "on": "Platter", "because": []}, {"name": "Hatter", "because": []}]
        platter = make_pile(
            marks=["Tray", "Hare"], because=["Cake"], members=[make_member("Nut", 5), make_member("Fig", 5)]
        )
        line = make_builder(setup, landscapes=on).build_kingdom_pile(platter)
        assert line.below == ("Tray, for Cake", "Hare", "5 each, from the top: Nut, Fig")
        assert line.why == "" and line.because == ("Cake",)

    def test_pile_has_no_box_if_the_document_has_only_one(self, setup: Setup) -> None:
        assert make_builder(setup, boxes=setup["boxes"][:1]).build_kingdom_pile(make_pile()).box == ""
        assert make_builder(setup).build_kingdom_pile(make_pile(box="jam")).box == "Jam"
        assert make_builder(setup).build_kingdom_pile(make_pile(box="ale")).box == "ale"


class TestLandscape:
    @pytest.mark.parametrize(
        ("fields", "detail"),
        [({}, ""), ({"on": "Pie", "location": UNDER_PIE}, "under Tourte"), ({"player": 2}, "player 2")],
    )
    def test_landscape_shows_its_pile_or_player(
        self, setup: Setup, fields: dict[str, Any], detail: str
    ) -> None:
        hare: Any = {"name": "Hare", "cost": make_cost(3), "box": "jam", "because": ["Cake"], **fields}
        line = make_builder(setup, FRENCH).build_landscape(hare)
        assert (line.name, line.cost, line.box, line.detail) == ("Hare", "$3", "Pot", detail)
        assert line.count_ is None and line.why == "for Cake"


class TestDecks:
    def make_deck(self, *cards: tuple[str, str, Any], face_up: tuple[str, ...] = ()) -> Any:
        contents = [{"name": name, "box": box, "cost": cost} for name, box, cost in cards]
        names = [name for name, _, _ in cards]
        deck = {"name": "Songs", "count": 2, "cards": names, "contents": contents, "because": []}
        return {**deck, "face_up": list(face_up)}

    def test_deck_of_all_cards_of_a_box_is_not_listed(self, setup: Setup) -> None:
        line = make_builder(setup).build_deck(self.make_deck(("Waltz", "tea", ""), ("Jig", "tea", "")))
        assert (line.name, line.count_, line.detail, line.below) == ("Songs", 2, "shuffled, face down", ())

    def test_deck_is_listed_by_box_in_document_order_then_by_name(self, setup: Setup) -> None:
        cards = [("Reel", "jam", ""), ("Waltz", "tea", ""), ("Jig", "tea", "")]
        line = make_builder(setup).build_deck(self.make_deck(*cards))
        assert line.below == ("Tea: Jig, Waltz", "Jam: Reel")
        line = make_builder(setup).build_deck(self.make_deck(("Waltz", "tea", make_cost(2))))
        assert line.below == ("Tea: Waltz",)

    def test_cards_face_up_are_listed_before_the_deck(self, setup: Setup) -> None:
        deck = self.make_deck(("Waltz", "tea", make_cost(2)), face_up=("Jig", "Reel"))
        line = make_builder(setup).build_deck(deck)
        assert line.below == ("beside it, face up: Jig, Reel", "Tea: Waltz")

    def test_deck_has_a_box_only_if_its_cards_are_not_listed(self, setup: Setup) -> None:
        whole, listed = (
            self.make_deck(("Waltz", "jam", ""), ("Jig", "jam", "")),
            self.make_deck(("Reel", "jam", make_cost(2))),
        )
        one, other = map(make_builder(setup).build_deck, (whole, listed))
        assert (one.box, one.below) == ("Jam", ())
        assert (other.box, other.below) == ("", ("Jam: Reel",))

    def test_deck_on_the_table_already_shows_only_the_cards_turned_over(self, setup: Setup) -> None:
        """After a second deal, a deck that stays is not shuffled again. New decks follow it."""
        there = {**self.make_deck(face_up=("Pie", "Green Jig")), "count": 12, "because": ["Cake"]}
        first, second = map(
            make_builder(setup, FRENCH).build_deck, (there, self.make_deck(("Waltz", "tea", "")))
        )
        shown = (first.name, first.count_, first.detail, first.below)
        assert shown == (
            "Songs",
            2,
            "from the deck or its discard pile, face up next to it",
            ("Tourte, Green\N{NO-BREAK SPACE}Jig",),
        )
        assert (first.box, first.why, first.because) == ("", "for Cake", ("Cake",))
        assert (second.count_, second.detail, second.below) == (2, "shuffled, face down", ())


class TestTokens:
    def make_token(self, on: str, count: int = 1, **fields: Any) -> Any:
        location = {"phrase": "on {on}", "values": {"on": on}}
        return {
            "name": "Sugar",
            "count": count,
            "on": on,
            "location": location,
            "because": ["Cake"],
            **fields,
        }

    def build_lines(self, setup: Setup, *tokens: Any, per: Any = "game") -> list[tuple[Any, ...]]:
        lines = make_builder(setup, placed=list(tokens)).build_tokens(per)
        return [(line.count_, line.detail, line.below) for line in lines]

    def test_tokens_on_one_thing_have_their_own_line(self, setup: Setup) -> None:
        assert self.build_lines(setup, self.make_token("Pie", 2)) == [(2, "on Pie", ())]

    def test_equal_tokens_with_equal_causes_share_a_line(self, setup: Setup) -> None:
        assert self.build_lines(setup, self.make_token("Pie"), self.make_token("Cake")) == [
            (1, "on each of 2 piles", ("Cake, Pie",))
        ]
        assert len(self.build_lines(setup, self.make_token("Pie"), self.make_token("Cake", 2))) == 2
        assert (
            len(self.build_lines(setup, self.make_token("Pie"), self.make_token("Cake", because=["Soup"])))
            == 2
        )

    def test_tokens_on_all_supply_piles_do_not_list_them(self, setup: Setup) -> None:
        tokens = [self.make_token(pile["name"]) for pile in setup["piles"] if pile["place"] != "beside"]
        assert self.build_lines(setup, *tokens) == [(1, "on every Supply pile", ())]

    def test_tokens_are_selected_by_player_or_game(self, setup: Setup) -> None:
        tokens = [self.make_token("Pie"), self.make_token("Cake", per="player")]
        assert self.build_lines(setup, *tokens) == [(1, "on Pie", ())]
        assert self.build_lines(setup, *tokens, per="player") == [(1, "on Cake", ())]

    def test_tokens_on_their_own_cause_have_no_reason(self, setup: Setup) -> None:
        (other,) = make_builder(setup, placed=[self.make_token("Pie")]).build_tokens("game")
        assert other.why == "for Cake" and other.because == ("Cake",)
        (own,) = make_builder(setup, placed=[self.make_token("Cake")]).build_tokens("game")
        assert own.why == ""


class TestOthers:
    def test_line_requires_only_a_name(self, setup: Setup) -> None:
        line = Line("Pie")
        assert line == ("Pie", None, "", "", "", "", (), "", ())

    def test_component_shows_its_count_and_note(self, setup: Setup) -> None:
        component: Any = {"name": "Mat", "kind": "mat", "count": 1, "per": "player", "because": []}
        noted: Any
        heap: Any
        noted, heap = {**component, "note": {"en": "face up"}}, {**component, "count": None}
        line = make_builder(setup).build_component(noted)
        assert (line.name, line.count_, line.detail) == ("Mat", 1, "face up")
        line = make_builder(setup).build_component(heap)
        assert (line.name, line.count_, line.detail) == ("Mat", None, "")

    def test_card_set_aside_shows_its_box_and_reason(self, setup: Setup) -> None:
        card: Any = {"name": "Pie", "box": "jam", "because": ["Cake"]}
        line = make_builder(setup).build_set_aside(card)
        assert (line.name, line.count_, line.box, line.detail, line.why) == (
            "Pie",
            1,
            "Jam",
            "set aside",
            "for Cake",
        )


class TestSecondDeal:
    def test_second_deal_has_lines_for_leaving_piles_but_not_for_kept_parts(self, setup: Setup) -> None:
        card = {"name": "Pie", "box": "tea", "count": 1, "because": [], "kind": "mat", "per": "game"}
        token = {"name": "Sugar", "count": 1, "on": "Pie", "because": []}
        builder = make_builder(
            setup,
            second_deal={
                "by": "Hare",
                "leaves": [{"name": "Cake", "box": "tea"}],
                "kept_counts": dict.fromkeys(
                    ("set_aside", "components", "starting_deck", "placed", "decks"), 1
                ),
            },
            set_aside=[card],
            components=[card],
            starting_deck=[card],
            placed=[token],
            decks=[{"name": "Songs", "count": 2, "face_up": [], "contents": [], "because": []}],
        )
        assert (
            not builder.new["set_aside"]
            and not builder.new["components"]
            and not builder.new["starting_deck"]
        )
        assert not builder.new["decks"] and not builder.build_tokens("game")
        assert [line.name for line in builder.build_leaving_piles()] == ["Cake"]
        assert make_builder(setup).build_leaving_piles() == []
