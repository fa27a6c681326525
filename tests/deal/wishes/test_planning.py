"""Tests of deals with wishes: they are met, bans are respected, impossible wishes are refused."""

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Amount
from randomizer.cards.selector import SelectorParser, build_profile
from randomizer.cards.wish import parse_wishes
from randomizer.deal.dealer import deal_table
from randomizer.deal.growing import find_turn_up
from randomizer.deal.table import Table
from randomizer.deal.unused import RandomSource
from randomizer.deal.wishes import boxes, checking, counting, planning
from randomizer.deal.wishes.bans import build_pool
from randomizer.deal.wishes.goals import Goal, Goals
from randomizer.load import games as database
from randomizer.record.build import build_setup
from randomizer.record.second_deal import deal_again
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.tea import make_feast_game
from tests.support.wish_texts import WishTexts

BOXES = (
    "base-2e",
    "adventures",
    "empires",
    "allies",
    "cornucopia-guilds-2e",
    "rising-sun",
    "nocturne",
    "promos",
)


@pytest.fixture(scope="module")
def words(game: Game) -> SelectorParser:
    return SelectorParser(game)


def request(
    words: SelectorParser, *, sets: Sequence[str] = BOXES, seed: str = "x", of: int = 0, **wished: Any
) -> Request:
    settings: Mapping[str, Any] = wished.pop("settings", {})
    return Request(tuple(sets), 2, seed, settings, wishes=parse_wishes(words, **wished, box_count=of))


def used(table: Table) -> list[str]:
    return [turned.card.name for turned in table.turned if turned.use != "skipped"]


def dice_of(seed: str) -> Callable[[str], Callable[[int], int]]:
    return lambda question: RandomSource(seed, question).randbelow


def boxes_drawn(game: Game, asked_for: Request) -> Request:
    return boxes.draw_boxes(game, asked_for, find_turn_up(game.opening), dice_of(asked_for.seed))


BANS = (
    *(
        "attack",
        "duration",
        "cost:2",
        "cost:3",
        "cost:4",
        "village",
        "buy",
        "treasure",
        "victory",
        "ally",
        "base",
    ),
    *("empires", "event", "not action", "Page", "Moat", "Encampment/Plunder", "card:plunder"),
)
MANY_WEIGHTS = [
    *("base=2", "adventures=3", "empires=0.5", "allies=7", "rising-sun=0.1", "duration=1.5", "event=4"),
]
WISHED: Mapping[str, Mapping[str, Any]] = {
    "cards": {"with_": ["Witch", "Alms", "Young Witch"]},
    "counts": {"want": ["attack=2-3", "duration=1", "cost:5+ and kingdom=-4", "event"]},
    "if": {"want": ["defence if attack", "trashing if cursing"]},
    "a ready-made one": {"want": ["engine"]},
    "bans": {"without": ["attack", "cost:debt", "Page"], "want": ["night=2-"]},
    "weights": {"weight": ["attack=5", "treasure=0.1"], "want": ["treasure"]},
    "a deck of landscapes": {
        "settings": {"landscapes_from": "deck", "landscapes": 3},
        "want": ["way=0", "event=2-"],
    },
    "rare": {"want": ["rising-sun=10"]},
    "many weights": {"want": ["attack=6-", "village=2-"], "with_": ["Alms"], "weight": MANY_WEIGHTS},
    "ten": {
        "with_": [
            "Witch",
            "Moat",
            "Chapel",
            "Page",
            "Crown",
            "Augurs",
            "Farrier",
            "Aristocrat",
            "Pixie",
            "Envoy",
        ]
    },
    "too many to count at once": {
        "want": [
            "attack=1-2",
            "duration",
            "treasure",
            "cost:2",
            "cost:3=2-",
            "village",
            "trashing",
            "buy",
            "gaining",
        ]
    },
}


@pytest.mark.parametrize("wished", WISHED.values(), ids=WISHED)
def test_deals_meet_their_wishes(game: Game, words: SelectorParser, wished: Mapping[str, Any]) -> None:
    for seed in range(12):
        asked_for = request(words, seed=str(seed), **wished)
        asked, pool = asked_for.wishes, game.get_pool(asked_for.chosen)
        table = deal_table(game, asked_for)
        profiles = [build_profile(game.cards[name], game, pool) for name in used(table)]
        assert set(asked.cards) <= set(used(table))
        for wish in asked.wants:
            many = sum(map(wish.selector.matches, profiles))
            if wish.condition is None or any(map(wish.condition.matches, profiles)):
                assert wish.min_count <= many and (wish.max_count is None or many <= wish.max_count), (
                    wish.text
                )
        assert not any(ban.matches(profile) for ban in asked.bans for profile in profiles)


def test_seed_deals_the_same_with_and_without_caches(game: Game, words: SelectorParser) -> None:
    for name, wished in WISHED.items():
        asked_for = request(words, seed=name, **wished)
        first = [turned.card.name for turned in deal_table(game, asked_for).turned]
        build_pool(game, asked_for).cache.clear()
        assert [turned.card.name for turned in deal_table(game, asked_for).turned] == first


def test_seed_deals_the_recorded_table(game: Game, words: SelectorParser) -> None:
    """A change of these cards would change every table that was dealt with wishes before."""
    table = deal_table(
        game, request(words, sets=("base-2e", "adventures"), with_=["Witch"], want=["event=1"])
    )
    assert used(table) == SAME


SAME = [
    "Poacher",
    "Lost City",
    "Ferry",
    "Wine Merchant",
    "Transmogrify",
    "Guide",
    "Gear",
    "Ratcatcher",
    "Witch",
    "Cellar",
    "Smithy",
]


class TestBans:
    """Banned cards are neither turned up nor chosen, for example as Bane or for a Black Market deck."""

    @settings(max_examples=40, deadline=None)
    @given(
        st.lists(
            st.sampled_from(BANS),
            min_size=1,
            max_size=4,
        ),
        st.integers(0, 10**6),
    )
    def test_banned_cards_are_not_chosen(
        self, game: Game, words: SelectorParser, bans: list[str], seed: int
    ) -> None:
        first = [
            "Young Witch",
            "Ferryman",
            "Riverboat",
            "Approaching Army",
            "Way of the Mouse",
            "Black Market",
        ]
        asked_for = request(words, seed=str(seed), without=bans, sets=(*BOXES, "menagerie"))
        try:
            table = deal_table(game, asked_for, {"randomizers": first, "Prophecy": ["Approaching Army"]})
        except TooFewCards:
            return
        asked, pool = asked_for.wishes, game.get_pool(asked_for.chosen)
        gone = [
            card.name
            for card in pool.list_cards()
            if not card.member_of and any(ban.matches(build_profile(card, game, pool)) for ban in asked.bans)
        ]
        drawn = {name for names in table.slots.values() for name in names} | set(used(table))
        # A ban is for what is chosen among cards, not for the Boons and Hexes, which are used as a whole.
        decks = [deck for name, deck in table.decks.items() if name not in ("Boons", "Hexes")]
        drawn |= {card.name for deck in decks for card in deck.cards}
        drawn -= {
            card.name
            for name in ("Boons", "Hexes")
            if name in table.decks
            for card in table.decks[name].face_up
        }
        piles = {game.cards[name].member_of or name for name in drawn if name in game.cards}
        assert piles.isdisjoint(gone)

    def test_choice_without_allowed_cards_is_missing(self, game: Game, words: SelectorParser) -> None:
        """No card at 2 or 3 is left for the Bane."""
        table = deal_table(
            game,
            request(words, without=["cost:2-3"], with_=["Young Witch"]),
        )
        assert [missing.slot for missing in table.missing if missing.slot == "Bane"] == ["Bane"]

    def test_help_names_no_box_whose_cards_are_banned(self, deal: Deals) -> None:
        """Those at 2 all are; at 3 only those of a set."""
        bans = ["cost:2", "cost:3 and base", "cost:3 and cornucopia or cost:3 and guilds"]
        asked_for = request(
            SelectorParser(deal.game),
            without=bans,
            with_=["Young Witch"],
            sets=("base-2e", "cornucopia-guilds-2e"),
        )
        setup = build_setup(deal.game, asked_for, deal_table(deal.game, asked_for), deal.languages)
        (helping,) = (missing["help"] for missing in setup["missing"])
        assert "base-1e" not in helping and "intrigue-2e" in helping

    def test_bans_that_leave_too_few_cards_are_refused(self, game: Game, words: SelectorParser) -> None:
        with pytest.raises(TooFewCards, match="Base 2E has 26 Kingdom cards, of which 22 are excluded; 10"):
            deal_table(game, request(words, sets=("base-2e",), without=["not attack"]))

    def test_second_deal_applies_bans_and_wishes(self, deal: Deals) -> None:
        """And wishes hold for it as far as what is left can meet them; cards asked for had their turn."""
        game, words = deal.game, SelectorParser(deal.game)
        asked_for = request(
            words,
            sets=("base-2e", "rising-sun", "renaissance"),
            with_=["Kitsune", "Witch"],
            without=["duration"],
            want=["treasure=1", "witch or kitsune", "reaction=0"],
        )
        table = deal_table(game, asked_for, {"Prophecy": ["Divine Wind"]})
        first = build_setup(game, asked_for, table, deal.languages)
        pool = game.get_pool(asked_for.chosen)
        for seed in range(20):
            second = deal_again(game, {**first, "seed": str(seed)})
            profiles = [
                build_profile(game.cards[pile["name"]], game, pool)
                for pile in second["piles"]
                if pile["place"] == "kingdom"
            ]
            treasures = sum("Treasure" in profile.values["type"] for profile in profiles)
            reactions = sum("Reaction" in profile.values["type"] for profile in profiles)
            assert (len(profiles), treasures, reactions) == (10, 1, 0)
            assert not any("Duration" in profile.values["type"] for profile in profiles)
        told = [note["text"]["en"] for note in second["notes"]]
        assert "The remaining cards can't meet these wishes: witch or kitsune" in told


class TestBoxes:
    def test_deal_uses_only_the_drawn_boxes(self, game: Game, words: SelectorParser) -> None:
        seen = set()
        for seed in range(40):
            asked_for = request(words, seed=str(seed), of=2, sets=BOXES[:4])
            drawn = boxes_drawn(game, asked_for).chosen
            table = deal_table(game, asked_for)
            assert len(drawn) == 2 and table.chosen == drawn
            assert all(set(game.cards[name].boxes) & set(drawn) for name in used(table))
            seen.add(drawn)
        assert len(seen) == 6

    def test_boxes_that_meet_wishes_more_often_are_likelier(self, game: Game, words: SelectorParser) -> None:
        asked_for = request(words, of=1, sets=BOXES[:4], with_=["Witch"])
        assert {boxes_drawn(game, asked_for._replace(seed=str(n))).chosen for n in range(20)} == {
            ("base-2e",)
        }
        asked_for = request(words, of=1, sets=("base-2e", "adventures"), want=["event=0"])
        numbers = [boxes_drawn(game, asked_for._replace(seed=str(n))).chosen for n in range(300)]
        chance = boxes.compute_probability(
            game, asked_for._replace(chosen=("adventures",)), find_turn_up(game.opening)
        )
        expected = 300 / float(1 + chance)
        assert abs(numbers.count(("base-2e",)) - expected) < 5 * (300 * float(chance)) ** 0.5 + 3

    def test_boxes_have_their_own_randomness(self, game: Game, words: SelectorParser) -> None:
        for seed in map(str, range(20)):
            below, left = RandomSource(seed, "boxes").randbelow, list(BOXES[:4])
            drawn = {left.pop(below(len(left))) for _ in range(2)}
            assert {*boxes_drawn(game, request(words, seed=seed, of=2, sets=BOXES[:4])).chosen} == drawn

    @pytest.mark.parametrize("weights", [[], ["event=0.5"]], ids=str)
    def test_boxes_are_drawn_in_proportion_to_their_probability(
        self, game: Game, words: SelectorParser, weights: list[str]
    ) -> None:
        """The index is drawn from as many equally likely integers as the sum of the weights."""
        sets = ("base-2e", "adventures")
        asked_for = request(words, of=1, sets=sets, want=["event=0"], weight=weights)
        turn_up, thrown = find_turn_up(game.opening), list[int]()

        def below(number: int) -> int:
            thrown.append(number)
            return 0

        assert boxes.draw_boxes(game, asked_for, turn_up, lambda question: below).chosen == ("base-2e",)
        chance = boxes.compute_probability(game, asked_for._replace(chosen=("adventures",)), turn_up)
        assert 0 < chance < 1 and thrown == [chance.denominator + chance.numerator]

    def test_weights_change_the_probability_of_boxes(self, game: Game, words: SelectorParser) -> None:
        chances = {
            boxes.compute_probability(
                game,
                request(words, of=1, sets=("adventures",), want=["event=0"], weight=weight),
                find_turn_up(game.opening),
            )
            for weight in ([], ["event=0.5"], ["event=2"])
        }
        assert len(chances) == 3

    def test_too_large_box_count_is_refused(self, game: Game, words: SelectorParser) -> None:
        with pytest.raises(BadOptions, match="--of 3 needs at least 3 boxes; --sets names 2"):
            deal_table(game, request(words, of=3, sets=BOXES[:2]))
        with pytest.raises(BadOptions, match="found no"):
            deal_table(game, request(words, of=1, sets=BOXES[:2], with_=["Witch", "Page"]))

    def test_boxes_are_drawn_from_many_combinations(self, game: Game, words: SelectorParser) -> None:
        """More than are written down; what is asked for by name is in one of many boxes."""
        boxes = tuple(slug for slug, box in game.boxes.items() if box.holds and not box.announced)
        for seed in range(5):
            table = deal_table(game, request(words, seed=str(seed), of=8, sets=boxes, with_=["Page"]))
            assert len(table.chosen) == 8 and "Page" in used(table)

    def test_single_card_can_be_drawn_as_a_box(self, game: Game, words: SelectorParser) -> None:
        asked_for = request(words, of=2, sets=("base-2e", "seaside-2e", "envoy"), with_=["Envoy"])
        assert {"Envoy"} < {*used(deal_table(game, asked_for))}


class TestCardsOnTheTable:
    """What is on the table before counts, and the rest is turned up so that the wishes hold for all of it."""

    def test_cards_on_the_table_count_and_are_not_turned_up(self, game: Game, words: SelectorParser) -> None:
        there = ["Witch", "Militia", "Moat", "Island"]  # the last one of a box that nobody chose
        turn_up = find_turn_up(game.opening)
        assert turn_up
        turn_up = turn_up._replace(count_=Amount(6), most=Amount(0))
        asked_for = request(words, sets=("base-2e",), with_=["Witch"], want=["attack=3", "victory=1"])
        for seed in range(20):
            dice = dice_of(str(seed))
            order = planning.predetermine(game, asked_for, turn_up, dice, there, there)["randomizers"]
            types = [type_ for card in order for type_ in card.types]
            assert len(order) == 6 and not {card.name for card in order} & set(there)
            assert types.count("Attack") == 1 and types.count("Victory") == 0

    def test_wish_that_contradicts_the_table_is_refused(self, game: Game, words: SelectorParser) -> None:
        asked_for, there = request(words, sets=("base-2e",), want=["attack=0"]), ["Witch"]
        with pytest.raises(BadOptions, match="attack=0"):
            planning.predetermine(game, asked_for, find_turn_up(game.opening), dice_of("x"), there, there)


class FakeSampler:
    """Both samplers in one, with prescribed answers; records which samples are asked for.

    Args:
        possible: by work limit, whether the goals can be met.
        probability: the probability that they are met.
        hit: the number of the attempt that succeeds; by default the only attempt of a deal without goals.
        goals: the goals.
        rejected: how many conditional samples are rejected.
    """

    def __init__(
        self,
        possible: Mapping[int, bool | None],
        probability: Fraction = Fraction(1, 1000),
        hit: int | None = None,
        goals: Sequence[Goal] = (Goal(0, 1, None),),
        rejected: int = 0,
    ) -> None:
        self.rejected = rejected
        self.model = SimpleNamespace(goals=Goals((), tuple(goals)), merges_weights=False)
        self.get_probability = lambda: probability
        self.is_possible = possible.__getitem__
        self.hit = "turning up" if hit is None else f"turning up {hit}"
        self.asked: list[str] = []

    def attempt(self, question: str) -> str | None:
        self.asked.append(question)
        return f"tried {question}" if question == self.hit else None

    def sample(self, question: str) -> str | None:
        self.asked.append(f"draw {question}")
        return None if len(self.asked) <= self.rejected else f"drawn {question}"

    def draw(self, conditional: "FakeSampler | None" = None) -> Any:
        if conditional:
            conditional.model.merges_weights = True
        rejection: Any = self
        other: Any = conditional or self
        random_sources: Any = str
        return planning._draw_order(rejection, other, random_sources)


class TestDrawOrder:
    """The choice between conditional sampling and rejection sampling."""

    SOON, LATER = planning.FAST_WORK_LIMIT, counting.MAX_WORK

    def test_deal_without_goals_is_attempted_once(self) -> None:
        assert FakeSampler({}, goals=()).draw() == "tried turning up"

    def test_likely_wishes_use_rejection_sampling(self) -> None:
        told = FakeSampler({self.SOON: True}, Fraction(1, 3), hit=700)
        assert told.draw() == "tried turning up 700"
        assert told.asked == [f"turning up {number}" for number in range(701)]

    def test_rare_wishes_use_conditional_sampling(self) -> None:
        told = FakeSampler({self.SOON: True}, Fraction(1, 4), hit=0)
        assert told.draw() == "drawn turning up" and told.asked == ["draw turning up"]

    def test_impossible_wishes_are_not_attempted(self) -> None:
        told = FakeSampler({self.SOON: False}, hit=0)
        assert told.draw() is None and not told.asked

    def test_slow_counting_comes_after_a_hundred_attempts(self) -> None:
        assert FakeSampler({self.SOON: None}, hit=99).draw() == "tried turning up 99"
        told = FakeSampler({self.SOON: None, self.LATER: True}, hit=100)
        assert told.draw() == "drawn turning up"
        assert told.asked[:100] == [f"turning up {number}" for number in range(100)]
        assert told.asked[100:] == ["draw turning up"]
        assert FakeSampler({self.SOON: None, self.LATER: False}, hit=100).draw() is None

    def test_merged_weights_sample_until_one_is_accepted(self) -> None:
        tried, counted = FakeSampler({}, hit=0), FakeSampler({self.SOON: True}, Fraction(9), rejected=9_999)
        assert tried.draw(counted) == "drawn turning up"
        assert not tried.asked and counted.asked == ["draw turning up"] * 10_000
        assert tried.draw(FakeSampler({self.SOON: True}, rejected=10_000)) is None

    def test_uncountable_wishes_get_ten_thousand_attempts(self) -> None:
        assert FakeSampler({self.SOON: None, self.LATER: None}, hit=9_999).draw() == "tried turning up 9999"
        told = FakeSampler({self.SOON: None, self.LATER: None}, hit=10_000)
        assert told.draw() is None
        assert told.asked == [f"turning up {number}" for number in range(10_000)]


class TestWorkLimits:
    """Wishes of a small game that exceed lowered work limits."""

    @pytest.fixture
    def small(self, tmp_path: Path) -> Game:
        return make_feast_game(tmp_path)

    def fault(self, game: Game, chosen: Sequence[str], **wished: Any) -> str:
        with pytest.raises(BadOptions) as problem:
            deal_table(game, Request(tuple(chosen), 2, "x", wishes=WishTexts(**wished).parse(game)))
        return str(problem.value)

    def test_uncountable_wishes_without_success_are_refused(
        self, small: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for room, names in (
            (planning, ("FAST_WORK_LIMIT", "MAX_WORK", "MAX_ATTEMPTS_UNCOUNTED")),
            (checking, ("MAX_WORK",)),
        ):
            for name in names:
                monkeypatch.setattr(room, name, 2)
        assert self.fault(small, ["tea"], want=("odd=1", "jelly=0")) == (
            "none of 2 attempts met these wishes, and there are too many of them to "
            "calculate whether it is possible; remove some."
        )

    def test_uncountable_wishes_with_drawn_boxes_are_refused(
        self, small: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(counting, "MAX_CLASSES", 0)
        assert self.fault(small, ["tea", "jam"], want=("sweet",), box_count=1) == (
            "there are too many wishes for --of; remove some."
        )

    def test_boxes_that_cannot_meet_wishes_are_refused(self, small: Game) -> None:
        said = "--of 1: found no 1 boxes that can meet the wishes."
        assert self.fault(small, ["tea", "jam"], want=("odd=2",), box_count=1) == said
        assert self.fault(small, ["tea", "jam"], with_=("plum", "cake"), box_count=1) == said
        assert self.fault(small, ["jam"], box_count=1) == said  # with too few cards
        where = "--with Plum: it is not in the chosen boxes, but in Red Jam; to use it anyway, type "
        assert self.fault(small, ["tea"], with_=("plum",), box_count=1) == f"{where}--kingdom plum."
        assert self.fault(small, ["tea"], box_count=2) == "--of 2 needs at least 2 boxes; --sets names 1."

    def test_many_box_choices_are_drawn_up_to_a_limit(
        self, small: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boxes, "MAX_BOX_CHOICES", 1)
        monkeypatch.setattr(boxes, "MAX_PROPOSALS", 0)
        drawn = set()
        for seed in "abcdefgh":
            request = Request(
                ("tea", "jam"), 2, seed, wishes=WishTexts(want=("sweet=-3",), box_count=1).parse(small)
            )
            try:
                drawn.add(boxes.draw_boxes(small, request, find_turn_up(small.opening), dice_of(seed)).chosen)
            except BadOptions:
                drawn.add(())
        assert drawn == {("tea",), ()}

    def test_cached_results_depend_on_settings(self, small: Game) -> None:
        for guests in (2, 0, 2):
            tables = [
                deal_table(
                    small,
                    Request(
                        ("tea",), 2, seed, {"guests": guests}, wishes=WishTexts(want=("sweet",)).parse(small)
                    ),
                )
                for seed in "abcdef"
            ]
            assert any(table.landscapes for table in tables) == bool(guests)


class TestRefused:
    """The message names the wish and the numbers, within a second."""

    @pytest.mark.parametrize(
        ("wished", "said"),
        [
            ({"want": ["attack=5"]}, "only 4 cards match attack in the chosen boxes; 5 are required."),
            (
                {"want": ["night"]},
                "no available card matches night (1 required); check --sets and --without.",
            ),
            (
                {"want": ["base=11"]},
                "base=11 can't be met: 10 Kingdom cards and at most 0 landscapes are dealt.",
            ),
            ({"want": ["witch"], "without": ["attack"]}, "witch conflicts with --without attack."),
            (
                {"want": ["village=3"], "without": ["moat", "village"]},
                "village=3 conflicts with --without village.",
            ),
            (
                {"want": ["attack=5"], "without": ["witch"]},
                "only 3 cards match attack in the chosen boxes; 5 are required.",
            ),
            (
                {"want": ["event=2", "project=1"], "sets": ["adventures", "renaissance"]},
                "these wishes together conflict with --landscapes 2: event=2; project=1.",
            ),
            (
                {
                    "want": ["project=1"],
                    "with_": ["Alms"],
                    "settings": {"landscapes": 1},
                    "sets": ["adventures", "renaissance"],
                },
                "these wishes together conflict with --landscapes 1: --with Alms; project=1.",
            ),
            ({"want": ["base=-3"]}, "only 0 of the Kingdom cards don't match"),
            ({"want": ["attack=0"], "with_": ["Witch"]}, "attack=0 conflicts with --with Witch."),
            ({"want": ["attack=1-2", "attack=3-"]}, "attack=3- conflicts with attack=1-2."),
            ({"without": ["cursing"], "with_": ["Witch"]}, "--with Witch conflicts with --without cursing."),
            (
                {"with_": ["Page"]},
                (
                    "--with Page: it is not in the chosen boxes, but in Adventures; to use "
                    "it anyway, type --kingdom page."
                ),
            ),
            (
                {"with_": ["Champion"]},
                "--with Champion: it is not in the chosen boxes, but in Adventures.",
            ),
            ({"with_": ["Copper"]}, "Copper: --with takes only Kingdom cards and landscapes."),
            (
                {"with_": ["Champion"], "sets": ["adventures"]},
                "it is not dealt by itself, but comes with Page.",
            ),
            (
                {"with_": ["Trappers' Lodge"], "sets": ["allies"]},
                "not dealt by itself, but chosen when another card needs it.",
            ),
            (
                {"want": ["ally"], "sets": ["allies"]},
                "ally: cards matching ally are not dealt by themselves, but come when other",
            ),
            (
                {"want": ["ally"], "without": ["ally"], "sets": ["allies"]},
                "ally: cards matching ally are not dealt by themselves, but come when other",
            ),
            ({"with_": ["Alms", "Quest", "Ball"], "sets": ["adventures"]}, "at most 2 landscapes are used."),
            (
                {"with_": ["Alms"], "sets": ["adventures"], "settings": {"landscapes": 0}},
                "--with Alms conflicts with --landscapes 0.",
            ),
            (
                {"with_": ["Way of the Ox", "Way of the Owl"], "sets": ["menagerie"]},
                "Way of the Ox and Way of the Owl can't be used together.",
            ),
            (
                {
                    "with_": [
                        "Witch",
                        "Moat",
                        "Militia",
                        "Mine",
                        "Market",
                        "Smithy",
                        "Village",
                        "Vassal",
                        "Cellar",
                        "Chapel",
                        "Library",
                    ]
                },
                "--with names 11 Kingdom cards, but only 10",
            ),
            (
                {"want": ["attack=4", "treasure=0", "cost:5+=-1"], "with_": ["Chapel", "Moat"]},
                "cost:5+=-1 conflicts with attack=4.",
            ),
        ],
    )
    def test_impossible_wish_is_refused_quickly_with_its_reason(
        self, game: Game, words: SelectorParser, wished: Mapping[str, Any], said: str
    ) -> None:
        start = time.process_time()  # of ours, whatever else the computer does
        with pytest.raises(BadOptions) as raised:
            deal_table(game, request(words, **{"sets": ["base-2e"], **wished}))
        assert said in str(raised.value)
        assert time.process_time() - start < 1

    def test_too_few_cards_raise_the_error_of_the_deal(self, game: Game, words: SelectorParser) -> None:
        with pytest.raises(TooFewCards, match="10 are needed"):
            deal_table(game, request(words, sets=("envoy",), want=["action"]))
        with pytest.raises(TooFewCards, match="landscapes"):
            deal_table(
                game, request(words, sets=("base-2e",), want=["action"], settings={"landscapes_from": "deck"})
            )

    def test_wishes_in_game_without_kingdom_are_refused(self) -> None:
        pergamemnon = database.load("pergamemnon")
        name = next(iter(pergamemnon.cards))
        wishes = parse_wishes(SelectorParser(pergamemnon), [name])
        with pytest.raises(BadOptions, match="has no Kingdom"):
            deal_table(pergamemnon, Request(tuple(pergamemnon.boxes), 2, "x", wishes=wishes))


def test_note_about_unmet_wishes_is_translated(languages: Sequence[Language]) -> None:
    phrase = "The remaining cards can't meet these wishes: {text}"
    told = {language.translate(phrase, text="attack=0") for language in languages}
    assert len(told) == len(languages)
