"""Tests of editions: the newest boxes, and the names by which boxes are chosen."""

import pytest

from randomizer.cards.editions import (
    abbreviate_boxes,
    find_newest_edition,
    is_only_announced,
    list_box_slugs,
    map_box_names,
    strip_edition,
)
from randomizer.cards.game import Game
from randomizer.cards.library import Library
from randomizer.cards.model import Box, SetName
from randomizer.text.language import Language
from tests.support.tea import make_card


def box(slug: str, *holds: str, announced: bool = False) -> Box:
    return Box(slug, slug.title(), holds=tuple(map(SetName, holds)), announced=announced)


@pytest.fixture
def boxed(game: Game) -> Game:
    """A game with three editions of a set, a box of two sets, announced boxes, and a box without a set."""
    boxes = [
        box("tea-1e", "tea"),
        box("tea-2e", "tea"),
        box("tea-3e", "tea"),
        box("jam", "jam"),
        box("jam-butter-2e", "jam", "butter"),
        box("tins"),
        box("salt", "salt", announced=True),
        box("rum", "rum", announced=True),
    ]
    cards = [
        make_card("Assam", boxes=("tea-1e", "tea-2e", "tea-3e")),
        make_card("Plum", boxes=("jam",)),
        make_card("Grog", boxes=("rum",)),
    ]
    return game._replace(boxes={each.slug: each for each in boxes}, cards=Library.from_cards(cards))


@pytest.mark.parametrize(
    ("slug", "base"),
    [
        ("tea-2e", "tea"),
        ("tea-12e", "tea"),
        ("jam-butter-2e", "jam-butter"),
        ("tea", "tea"),
        ("jam-butter", "jam-butter"),
        ("tea-e", "tea-e"),
        ("tea-2", "tea-2"),
        ("tea-20", "tea-20"),
        ("tea-lee", "tea-lee"),
        ("tea-2xe", "tea-2xe"),
    ],
)
def test_edition_is_stripped_from_a_slug(slug: str, base: str) -> None:
    assert strip_edition(slug) == base


def test_newest_edition_is_the_last_one_in_the_data(boxed: Game) -> None:
    assert find_newest_edition("tea", boxed) == "tea-3e"
    assert find_newest_edition("jam", boxed) == "jam"
    assert find_newest_edition("jam-butter", boxed) == "jam-butter-2e"
    assert find_newest_edition("coffee", boxed) is None


def test_newest_boxes_are_one_of_each_set(boxed: Game) -> None:
    assert list_box_slugs(boxed, newest=True) == {"tea-3e", "jam-butter-2e", "rum"}


def test_all_boxes_are_those_with_known_cards(boxed: Game) -> None:
    assert list_box_slugs(boxed, newest=False) == {
        "tea-1e",
        "tea-2e",
        "tea-3e",
        "jam",
        "jam-butter-2e",
        "rum",
    }


def test_box_is_only_announced_until_a_card_is_known(boxed: Game) -> None:
    assert is_only_announced("salt", boxed)
    assert not is_only_announced("rum", boxed)  # one of its cards is known
    assert not is_only_announced("tins", boxed)  # empty, but not announced


class TestAbbreviateBoxes:
    def test_newest_boxes_are_all(self, boxed: Game) -> None:
        assert abbreviate_boxes(["rum", "tea-3e", "jam-butter-2e"], boxed) == "all"

    def test_two_boxes_are_named_although_there_are_no_others(self, boxed: Game) -> None:
        two = boxed._replace(boxes={slug: boxed.boxes[slug] for slug in ("tea-2e", "jam")})
        assert abbreviate_boxes(["tea-2e", "jam"], two) == "tea,jam"

    def test_other_boxes_are_named(self, boxed: Game) -> None:
        assert abbreviate_boxes(["tea-3e", "jam-butter-2e", "jam"], boxed) == "tea,jam-butter,jam"

    def test_older_edition_is_named(self, boxed: Game) -> None:
        assert abbreviate_boxes(["tea-1e"], boxed) == "tea-1e"
        assert abbreviate_boxes(["tea-3e", "tea-2e"], boxed) == "tea,tea-2e"


class TestMapBoxNames:
    FRENCH = Language(
        "fr",
        sets={"tea": "Thé", "rum": "Rhum", "cocoa": "Cacao"},
        boxes={"jam": "Confiture", "jam-butter-2e": "Tea"},
        set_aliases={"Infusion": "tea", "Chocolat": "cocoa"},
    )

    @pytest.fixture
    def boxes_by_name(self, boxed: Game) -> dict[str, set[str]]:
        boxes = {
            **boxed.boxes,
            "tea-3e": boxed.boxes["tea-3e"]._replace(
                edition=3, name="Third Tea", title=f"{boxed.title}: Good Tea", also=("Brew", "Jam")
            ),
            "tins": boxed.boxes["tins"]._replace(singly=True),
        }
        sold = [
            make_card("Mint", boxes=("tins",)),
            make_card("Brew", boxes=("tins",)),
            make_card("Nut", boxes=("tins",)),
        ]
        member = make_card("Shell", boxes=("tins",), member_of="Nut")
        cards = Library.from_cards([*boxed.cards.values(), *sold, member])
        return map_box_names(boxed._replace(boxes=boxes, cards=cards), [self.FRENCH])

    @pytest.mark.parametrize(
        ("name", "boxes"),
        [
            ("tea-1e", "tea-1e"),
            ("tea-3e", "tea-3e"),
            ("third-tea", "tea-3e"),
            ("good-tea", "tea-3e"),
            ("brew", "tea-3e"),  # and not the card
            ("", None),
            ("jam-2e", None),
            ("jam-1e", "jam"),
            ("jam-butter-1e", "jam-butter-2e"),
            ("tea", "tea-3e"),  # the newest, whatever a language calls another box
            ("mint", "mint"),
            ("nut", "nut"),
            ("shell", None),  # is not sold by itself
            ("grog", None),
            ("thé", "tea-3e"),
            ("infusion", "tea-3e"),
            ("rhum", "rum"),
            ("cacao", None),
            ("chocolat", None),
            ("confiture", "jam"),
            ("all", "tea-3e jam-butter-2e rum"),
            ("all-editions", "tea-1e tea-2e tea-3e jam jam-butter-2e rum"),
        ],
    )
    def test_name_stands_for_boxes(
        self, boxes_by_name: dict[str, set[str]], name: str, boxes: str | None
    ) -> None:
        assert boxes_by_name.get(name) == (None if boxes is None else set(boxes.split()))
