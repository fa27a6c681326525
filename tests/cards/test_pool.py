"""Tests of the pool: its order, queries, and single cards of mixed piles; and of the library."""

import weakref

import pytest

from randomizer.cards.library import Library, keep_unambiguous
from randomizer.cards.model import Card, Cost, Count, Named, Query
from randomizer.cards.pool import Pool
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Slug
from tests.support.tea import make_card, make_dish_query

FIVE = Count(((0, 5),))


def named(cards: object) -> list[str]:
    return [card.name for card in cards if isinstance(card, Card)] if isinstance(cards, tuple) else []


def pool(*cards: Card) -> Pool:
    return Pool([Slug("tea", "Tea")], cards)


def platter() -> list[Card]:
    """A mixed pile, its two members, a plain pile and a guest."""
    return [
        make_card("Platter", Cost(4), pile=(("Nut", FIVE), ("Fig", FIVE))),
        make_card("Nut", Cost(2), kind="part", member_of="Platter"),
        make_card("Fig", Cost(3), kind="part", member_of="Platter"),
        make_card("Soup", Cost(2)),
        make_card("Hare", kind="guest"),
    ]


class TestFindCards:
    def test_cards_are_sorted_by_name(self) -> None:
        cards = [make_card("Pie", Cost(2)), make_card("Cake", Cost(2)), make_card("Soup", Cost(3))]
        assert named(pool(*cards).find_cards(make_dish_query(cost=(2,)))) == ["Cake", "Pie"]
        assert named(pool(*reversed(cards)).find_cards(Query())) == ["Cake", "Pie", "Soup"]

    def test_pool_is_freed_without_garbage_collection(self, without_collection: None) -> None:
        cards = pool(*platter())
        assert cards.find_single_cards(Query()) and cards.find_cards(Query())
        gone = weakref.ref(cards)
        del cards
        assert gone() is None


class TestFindSingleCards:
    """Single cards are members of a mixed pile, or one card of a plain pile."""

    def test_mixed_pile_has_its_matching_members(self) -> None:
        found = pool(*platter()).find_single_cards(make_dish_query(cost=(2,)))
        assert {name: named(cards) for name, cards in found.items()} == {"Platter": ["Nut"], "Soup": ["Soup"]}

    def test_members_are_sorted_by_name(self) -> None:
        found = pool(*platter()).find_single_cards(make_dish_query(cost=(2, 3)))
        assert named(found["Platter"]) == ["Fig", "Nut"]

    def test_mixed_pile_itself_is_no_single_card(self) -> None:
        assert pool(*platter()).find_single_cards(make_dish_query(cost=(4,))) == {}

    def test_piles_of_other_kinds_are_left_out(self) -> None:
        found = pool(*platter()).find_single_cards(Query(kind=make_dish_query(kind=("guest",)).kind))
        assert list(found) == ["Hare"]
        assert "Hare" not in pool(*platter()).find_single_cards(make_dish_query())


class TestRequireEnough:
    def test_too_few_cards_are_an_error(self) -> None:
        with pytest.raises(TooFewCards, match="Tea has 2 dishes; 3 are needed"):
            pool().require_enough(2, 3, "dishes")

    def test_exact_number_is_enough(self) -> None:
        pool().require_enough(3, 3, "dishes")


class TestLibrary:
    CARDS = (
        make_card("Pie", boxes=("old", "new")),
        make_card("Cake", boxes=("new",)),
        make_card("Soup", boxes=("old",)),
        make_card("Tart", boxes=("new",)),
    )

    def test_library_maps_names_in_the_order_of_the_data(self) -> None:
        library = Library.from_cards(self.CARDS)
        assert list(library) == ["Pie", "Cake", "Soup", "Tart"] and len(library) == 4
        assert [library[name] for name in library] == list(self.CARDS)
        assert "Cake" in library and "Bun" not in library
        with pytest.raises(KeyError):
            library["Bun"]

    def test_card_in_several_boxes_is_yielded_once(self) -> None:
        library = Library.from_cards(self.CARDS)
        assert [card.name for card in library.in_boxes(["old"])] == ["Pie", "Soup"]
        assert [card.name for card in library.in_boxes(["old", "new"])] == ["Pie", "Cake", "Tart", "Soup"]
        assert list(library.in_boxes(["cellar"])) == []

    def test_card_by_name_is_the_card_of_its_box(self) -> None:
        library = Library.from_cards(self.CARDS)
        (soup,) = (card for card in library.in_boxes(["old"]) if card.name == "Soup")
        assert library["Soup"] is soup

    def test_names_in_all_languages_are_found(self) -> None:
        """A card's own name is nobody else's; what several are called alike is nobody's."""
        cards = (
            make_card("Green Tea", also=("Brew", "Mint")),
            make_card("Mint", also=("Leaf", "brew")),
            make_card("Salt", also=("-",)),
        )
        french = {"Mint": Named("Menthe", "Mante", ("Feuille", "Leaf")), "Green Tea": Named("Menthe", "", ())}
        library, languages = Library.from_cards(cards), [french, {"Salt": Named("Sel", "salt", ())}]
        assert library.find_names(languages)["brew"] == ["Green Tea", "Mint"]
        assert library.find_names(languages)["menthe"] == ["Mint", "Green Tea"]
        assert keep_unambiguous(library.find_names(languages)) == {
            "green-tea": "Green Tea",
            "mint": "Mint",
            "salt": "Salt",
            "leaf": "Mint",
            "mante": "Mint",
            "feuille": "Mint",
            "sel": "Salt",
        }
