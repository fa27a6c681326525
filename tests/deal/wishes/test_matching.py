"""Tests of matching wishes with cards, of bans, and of the reasons why wishes cannot be met."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom
from randomizer.deal.dealer import deal_table
from randomizer.deal.growing import find_turn_up
from randomizer.deal.wishes.bans import build_pool, find_ban
from randomizer.deal.wishes.checking import build_matcher
from randomizer.deal.wishes.matching import collect_randomizers, list_unmet_wishes
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from tests.support.tea import make_feast_game
from tests.support.wish_texts import WishTexts


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return make_feast_game(tmp_path_factory.mktemp("tea"))


def asked(
    game: Game, sets: Sequence[str] = ("tea",), settings: Mapping[str, Any] = {}, **wished: Any
) -> Request:
    return Request(tuple(sets), 2, "x", settings, wishes=WishTexts(**wished).parse(game))


class TestBans:
    def test_bans_exclude_matching_cards_and_their_piles(self, game: Game) -> None:
        def gone(*without: str) -> set[str]:
            every = {card.name for card in game.get_pool(("tea",)).list_cards()}
            return every - {card.name for card in build_pool(game, asked(game, without=without)).list_cards()}

        assert gone() == set()
        assert gone("tiny") == {"Tray", "Nut", "Fig"}
        assert gone("cost:2", "hare") == {"Soup", "Toast", "Hare"}

    def test_find_ban_returns_the_ban_of_a_card_of_any_box(self, game: Game) -> None:
        wishes = WishTexts(without=("cake", "tiny", "wild and sweet")).parse(game)
        bans = {name: find_ban(game, wishes, game.cards[name]) for name in ("Fig", "Plum", "Soup", "Cake")}
        assert bans == {"Fig": "tiny", "Plum": "wild and sweet", "Soup": "", "Cake": "cake"}


class TestListUnmetWishes:
    """Wishes that given cards do not meet."""

    WISHES = WishTexts(with_=("cake", "pie"), want=("sweet=2-3", "guest=0", "soup if odd", "toast=-1"))

    def unmet(self, game: Game, names: Sequence[str], more: bool = False) -> list[str]:
        return list_unmet_wishes(game, asked(game, **self.WISHES._asdict()), names, allows_more=more)

    def test_no_wish_is_unmet(self, game: Game) -> None:
        assert self.unmet(game, ["Cake", "Pie", "Toast"]) == []
        assert self.unmet(game, ["Cake", "Pie", "Jelly", "Soup"]) == []

    def test_unmet_wishes_have_too_few_or_too_many_cards(self, game: Game) -> None:
        names = ["Cake", "Hare", "Jelly"]
        assert self.unmet(game, names) == [
            "--with Pie",
            "--want sweet=2-3",
            "--want guest=0",
            "--want soup if odd",
        ]
        assert self.unmet(game, ["Cake", "Pie", "Tart", "Plum"]) == ["--want sweet=2-3"]

    def test_too_few_cards_are_allowed_if_more_follow(self, game: Game) -> None:
        assert self.unmet(game, ["Cake", "Hare", "Jelly"], more=True) == ["--want guest=0"]


class TestRandomizers:
    """The cards that may be turned up."""

    def names(
        self, game: Game, settings: Mapping[str, Any] = {}, used: Sequence[str] = ()
    ) -> tuple[list[str], list[str]]:
        turn_up = find_turn_up(game.opening)
        assert turn_up
        deck = collect_randomizers(game.get_pool(("tea",)), turn_up, settings, used)
        return [card.name for card in deck.kingdom], [card.name for card in deck.landscapes]

    def test_randomizers_exclude_cards_in_use(self, game: Game) -> None:
        kingdom, landscapes = self.names(game, used=["Cake", "Hare", "Nobody"])
        assert kingdom == ["Guard", "Jelly", "Pie", "Soup", "Tart", "Toast", "Tray"]
        assert landscapes == ["Hatter", "Jig", "Waltz"]

    def test_randomizers_exclude_landscapes_if_none_are_used(self, game: Game) -> None:
        assert self.names(game, {"guests": 0})[1] == []
        assert self.names(game, {"hares": 0})[1] == ["Hare", "Hatter", "Jig", "Waltz"]

    @pytest.mark.parametrize(
        ("settings", "enough", "most", "none_wanted"),
        [
            ({}, True, 2, False),
            ({"guests": 0}, True, 0, True),
            ({"guests": 9}, True, 9, False),
            ({"guests": 3, "landscapes_from": "deck"}, True, 3, False),
            ({"guests": 4, "landscapes_from": "deck"}, False, 4, False),  # one guest, two songs
            ({"guests": 4, "hares": 2, "landscapes_from": "deck"}, True, 4, False),
            ({"guests": 4, "hares": 9, "landscapes_from": "deck"}, True, 4, False),
            ({"guests": 5, "hares": 9, "landscapes_from": "deck"}, False, 5, False),
            ({"guests": 2, "hares": 0, "landscapes_from": "deck"}, True, 2, False),
            ({"guests": 3, "hares": 0, "landscapes_from": "deck"}, False, 3, False),
            ({"guests": 0, "landscapes_from": "deck"}, True, 0, True),
        ],
    )
    def test_has_enough_cards_depends_on_settings(
        self, game: Game, settings: Mapping[str, Any], enough: bool, most: int, none_wanted: bool
    ) -> None:
        turn_up = find_turn_up(game.opening)
        assert turn_up
        deck = collect_randomizers(game.get_pool(("tea",)), turn_up, settings)
        assert (deck.has_enough_cards, deck.max_landscapes, deck.excludes_landscapes) == (
            enough,
            most,
            none_wanted,
        )

    @pytest.mark.parametrize(("used", "enough"), [(5, True), (6, False)])
    def test_has_enough_cards_depends_on_kingdom_cards(self, game: Game, used: int, enough: bool) -> None:
        turn_up = find_turn_up(game.opening)
        assert turn_up
        names = ["Cake", "Pie", "Soup", "Toast", "Tart", "Jelly"][:used]
        assert collect_randomizers(game.get_pool(("tea",)), turn_up, {}, names).has_enough_cards is enough


class TestWishMatcher:
    def goals(self, game: Game, staying: Sequence[str] = (), cards: Sequence[str] = (), **wished: Any) -> Any:
        """Return each goal with the names of its counter, its bounds, and the names of its condition."""
        wishes = WishTexts(**wished).parse(game)
        found = build_matcher(game, asked(game), find_turn_up(game.opening), staying, staying)
        counters, goals = found.build_goals(cards, wishes.wants)
        return [
            (sorted(counters[at]), least, most, [sorted(counters[each]) for each in given])
            for at, least, most, given in goals
        ]

    def test_staying_cards_of_unchosen_boxes_count(self, game: Game) -> None:
        staying = ["Cake", "Plum", "Nobody"]
        sought = build_matcher(game, asked(game), find_turn_up(game.opening), staying, staying)
        assert sought.staying == ["Cake", "Plum"]
        assert "Cake" not in sought.names and "Pie" in sought.names
        assert self.goals(game, staying, want=("wild",)) == [(["Plum"], 1, None, [])]
        wants = WishTexts(want=("sweet=2", "odd")).parse(game).wants
        assert sought.build_model([], wants).initial_counts == [2, 0]

    def test_cards_of_with_are_one_goal(self, game: Game) -> None:
        assert self.goals(game, cards=["Cake", "Pie", "Cake"]) == [(["Cake", "Pie"], 2, None, [])]

    def test_goals_have_bounds_and_conditions(self, game: Game) -> None:
        assert self.goals(game, want=("odd=1-2", "guest=0 if cost:2", "soup if odd")) == [
            (["Jelly"], 1, 2, []),
            (["Hare", "Hatter"], 0, 0, [["Soup", "Toast"]]),
            (["Soup"], 1, None, [["Jelly"]]),
        ]

    def test_weights_of_a_card_are_multiplied(self, game: Game) -> None:
        wishes = WishTexts(weight=("sweet=3", "cake=0.5", "jelly=2")).parse(game)
        model = build_matcher(game, asked(game), find_turn_up(game.opening)).build_model(
            (), (), wishes.weights
        )
        weights = {card.name: Fraction(heap.weight, 2) for heap in model.strata for card in heap.cards}
        unlike = {name: weight for name, weight in weights.items() if weight != 1}
        assert unlike == {"Cake": Fraction(3, 2), "Pie": 3, "Tart": 3, "Tray": 3, "Jelly": 2}


class TestRefused:
    """The wish that cannot be met, the numbers, and what it contradicts."""

    @pytest.mark.parametrize(
        ("wished", "said"),
        [
            (
                {"with_": ("plum",)},
                (
                    "--with Plum: it is not in the chosen boxes, but in Red Jam; to use it "
                    "anyway, type --kingdom plum."
                ),
            ),
            ({"with_": ("cake",), "without": ("sweet",)}, "--with Cake conflicts with --without sweet."),
            ({"with_": ("hare",), "settings": {"guests": 0}}, "--with Hare conflicts with --guests 0."),
            ({"with_": ("hare",), "settings": {"hares": 0}}, "--with Hare conflicts with --hares 0."),
            (
                {"with_": ("queen",)},
                "--with Queen: it is not dealt by itself, but chosen when another card needs it.",
            ),
            ({"with_": ("crumbs",)}, "--with Crumbs: it is not dealt by itself, but comes with Jelly."),
            ({"with_": ("nut",)}, "--with Nut: it is not dealt by itself, but comes with Tray."),
            ({"with_": ("bread",)}, "Bread: --with takes only Kingdom cards and landscapes."),
            (
                {"with_": ("waltz", "cake", "jig", "hare")},
                "--with names Waltz, Jig and Hare, but at most 2 landscapes are used.",
            ),
            ({"with_": ("hatter", "cake", "hare")}, "Hatter and Hare can't be used together."),
            (
                {"with_": ("hatter", "waltz", "hare"), "settings": {"guests": 3}},
                "Hatter and Hare can't be used together.",
            ),
            (
                {"with_": ("cake", "hare", "pie", "soup", "toast")},
                "--with names 4 Kingdom cards, but only 3 are dealt.",
            ),
            ({"want": ("odd=2",)}, "only 1 card matches odd in the chosen boxes; 2 are required."),
            ({"want": ("guest=3",)}, "only 2 cards match guest in the chosen boxes; 3 are required."),
            ({"want": ("wild",)}, "no available card matches wild (1 required); check --sets and --without."),
            (
                {"want": ("royal",)},
                (
                    "royal: cards matching royal are not dealt by themselves, but come when "
                    "other cards need them."
                ),
            ),
            (
                {"want": ("royal",), "settings": {"guests": 0}},
                (
                    "royal: cards matching royal are not dealt by themselves, but come when "
                    "other cards need them."
                ),
            ),
            ({"want": ("guest",), "settings": {"guests": 0}}, "guest conflicts with --guests 0."),
            ({"want": ("guest=2",)}, "guest=2 conflicts with --hares 1."),
            (
                {"want": ("song=2",), "settings": {"guests": 1}},
                "song=2 can't be met: 3 Kingdom cards and at most 1 landscapes are dealt.",
            ),
            (
                {"want": ("landscape=3",)},
                "landscape=3 can't be met: 3 Kingdom cards and at most 2 landscapes are dealt.",
            ),
            (
                {"want": ("dish or hare=6",)},
                "dish or hare=6 can't be met: 3 Kingdom cards and at most 2 landscapes are dealt.",
            ),
            (
                {"want": ("not odd=1",)},
                (
                    "not odd=1 can't be met: 3 Kingdom cards and at most 2 landscapes are "
                    "dealt, and only 1 of the Kingdom cards don't match."
                ),
            ),
            ({"with_": ("cake",), "want": ("sweet=0",)}, "sweet=0 conflicts with --with Cake."),
            ({"want": ("cost:2=0", "guest", "soup")}, "soup conflicts with cost:2=0."),
            (
                {"with_": ("cake", "pie"), "want": ("guest", "plain=2")},
                "these wishes can't all be met: --with Cake; --with Pie; plain=2.",
            ),
        ],
    )
    def test_impossible_wish_is_refused_with_its_reason(
        self, game: Game, wished: Mapping[str, Any], said: str
    ) -> None:
        with pytest.raises(BadOptions) as problem:
            deal_table(game, asked(game, **wished))
        assert str(problem.value) == said

    @pytest.mark.parametrize(
        ("wished", "said"),
        [
            ({"with_": ("hatter",)}, "Hatter: --with takes only Kingdom cards and landscapes."),
            ({"want": ("song=2",)}, "song=2 can't be met: 3 Kingdom cards and at most 1 landscapes are"),
            ({"want": ("guest=2",)}, "guest=2 can't be met: 3 Kingdom cards and at most 1 landscapes are"),
            (
                {"want": ("landscape=3",)},
                "landscape=3 can't be met: 3 Kingdom cards and at most 1 landscapes",
            ),
        ],
    )
    def test_impossible_wish_with_named_landscape_is_refused(
        self, game: Game, wished: Mapping[str, Any], said: str
    ) -> None:
        """The reduced limit is not an option that the user typed, so the message does not name it."""
        with pytest.raises(BadOptions) as problem:
            deal_table(game, asked(game, **wished)._replace(kingdom=Kingdom(landscapes=("Hare",))))
        assert str(problem.value).startswith(said)

    def test_wish_for_landscapes_without_room_is_refused(self, game: Game) -> None:
        named = Kingdom(landscapes=("Hare", "Jig"))
        for wish, said in (
            (WishTexts(with_=("waltz",)), "--with Waltz: landscapes can't be dealt here."),
            (
                WishTexts(want=("song=2",)),
                "song=2 can't be met: 3 Kingdom cards and at most 0 landscapes are dealt.",
            ),
        ):
            with pytest.raises(BadOptions) as problem:
                deal_table(game, asked(game)._replace(kingdom=named, wishes=wish.parse(game)))
            assert str(problem.value) == said

    def test_reasons_translate_names_but_not_typed_text(self, game: Game) -> None:
        french = Language("fr", cards={"Cake": "Gâteau"}, boxes={"jam": "Confiture"})
        cases: Sequence[tuple[dict[str, Any], str]] = (
            ({"with_": ("cake",), "want": ("cake=0",)}, "cake=0 conflicts with --with Gâteau."),
            (
                {"with_": ("plum",)},
                (
                    "--with Plum: it is not in the chosen boxes, but in Confiture; to use "
                    "it anyway, type --kingdom plum."
                ),
            ),
        )
        for wished, said in cases:
            with pytest.raises(BadOptions) as problem:
                deal_table(game, asked(game, **wished))
            assert problem.value.render_lines(french) == (said,)
