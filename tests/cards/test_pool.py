"""The pool: its order, its answers, and the single cards of mixed piles. The library that it comes from."""

import weakref

import pytest

from randomizer.cards.library import Library
from randomizer.cards.model import Card, Cost, Count, Named, Query
from randomizer.cards.pool import Pool
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Slug
from tests.support.tea import card, dishes

FIVE = Count(((0, 5),))


def named(cards: object) -> list[str]:
    return [card.name for card in cards if isinstance(card, Card)] if isinstance(cards, tuple) else []


def pool(*cards: Card) -> Pool:
    return Pool([Slug("tea", "Tea")], cards)


def platter() -> list[Card]:
    """A mixed pile, its two members, a plain pile and a guest."""
    return [
        card("Platter", Cost(4), pile=(("Nut", FIVE), ("Fig", FIVE))),
        card("Nut", Cost(2), kind="part", member_of="Platter"),
        card("Fig", Cost(3), kind="part", member_of="Platter"),
        card("Soup", Cost(2)),
        card("Hare", kind="guest"),
    ]


class TestAnswers:
    def test_by_name_whatever_the_order_of_the_data(self) -> None:
        cards = [card("Pie", Cost(2)), card("Cake", Cost(2)), card("Soup", Cost(3))]
        assert named(pool(*cards).find_cards(dishes(cost=(2,)))) == ["Cake", "Pie"]
        assert named(pool(*reversed(cards)).find_cards(Query())) == ["Cake", "Pie", "Soup"]

    def test_a_deck_has_the_answers_to_one_query_after_those_to_the_other(self) -> None:
        cards = pool(card("Ale", kind="guest"), card("Pie"), card("Cake"))
        assert named(cards.find_deck_cards((dishes(), dishes(kind=("guest",))))) == ["Cake", "Pie", "Ale"]
        assert named(cards.find_deck_cards((dishes(kind=("guest",)), dishes()))) == ["Ale", "Cake", "Pie"]

    def test_names(self) -> None:
        cards = pool(card("Pie", Cost(2)), card("Cake", Cost(3)))
        assert cards.find_names(dishes(cost=(3,))) == {"Cake"}
        assert cards.find_names(dishes()) == {"Cake", "Pie"}

    def test_what_is_kept_goes_with_the_pool(self, without_collection: None) -> None:
        cards = pool(*platter())
        assert (
            cards.find_single_cards(Query())
            and cards.find_deck_cards((Query(),))
            and cards.find_names(Query())
            and cards.find_kinds(Query())
        )
        gone = weakref.ref(cards)
        del cards
        assert gone() is None


class TestSingly:
    """Cards that are taken one at a time: a member of a mixed pile, or a card of a plain one."""

    def test_a_mixed_pile_by_its_members_that_answer(self) -> None:
        found = pool(*platter()).find_single_cards(dishes(cost=(2,)))
        assert {name: named(cards) for name, cards in found.items()} == {"Platter": ["Nut"], "Soup": ["Soup"]}

    def test_several_members_by_their_names(self) -> None:
        found = pool(*platter()).find_single_cards(dishes(cost=(2, 3)))
        assert named(found["Platter"]) == ["Fig", "Nut"]

    def test_never_the_mixed_pile_itself(self) -> None:
        assert pool(*platter()).find_single_cards(dishes(cost=(4,))) == {}

    def test_only_of_piles_of_the_kind_that_is_asked_for(self) -> None:
        found = pool(*platter()).find_single_cards(Query(kind=dishes(kind=("guest",)).kind))
        assert list(found) == ["Hare"]
        assert "Hare" not in pool(*platter()).find_single_cards(dishes())


class TestRequire:
    def test_too_few_are_refused(self) -> None:
        with pytest.raises(TooFewCards, match="Tea has 2 dishes: 3 are needed"):
            pool().require_enough(2, 3, "dishes")

    def test_just_enough_will_do(self) -> None:
        pool().require_enough(3, 3, "dishes")


class TestLibrary:
    CARDS = (
        card("Pie", boxes=("old", "new")),
        card("Cake", boxes=("new",)),
        card("Soup", boxes=("old",)),
        card("Tart", boxes=("new",)),
    )

    def test_every_card_by_its_name_in_the_order_of_the_data(self) -> None:
        library = Library.from_cards(self.CARDS)
        assert list(library) == ["Pie", "Cake", "Soup", "Tart"] and len(library) == 4
        assert [library[name] for name in library] == list(self.CARDS)
        assert "Cake" in library and "Bun" not in library
        with pytest.raises(KeyError):
            library["Bun"]

    def test_the_cards_of_any_of_the_boxes_once_each(self) -> None:
        library = Library.from_cards(self.CARDS)
        assert [card.name for card in library.in_boxes(["old"])] == ["Pie", "Soup"]
        assert [card.name for card in library.in_boxes(["old", "new"])] == ["Pie", "Cake", "Tart", "Soup"]
        assert list(library.in_boxes(["cellar"])) == []

    def test_a_card_is_the_same_however_it_is_come_by(self) -> None:
        library = Library.from_cards(self.CARDS)
        (soup,) = (card for card in library.in_boxes(["old"]) if card.name == "Soup")
        assert library["Soup"] is soup

    def test_whatever_they_are_called(self) -> None:
        """A card's own name is nobody else's; what several are called alike is nobody's."""
        cards = (
            card("Green Tea", also=("Brew", "Mint")),
            card("Mint", also=("Leaf", "brew")),
            card("Salt", also=("-",)),
        )
        french = {"Mint": Named("Menthe", "Mante", ("Feuille", "Leaf")), "Green Tea": Named("Menthe", "", ())}
        library, languages = Library.from_cards(cards), [french, {"Salt": Named("Sel", "salt", ())}]
        assert library.find_names(languages)["brew"] == ["Green Tea", "Mint"]
        assert library.find_names(languages)["menthe"] == ["Mint", "Green Tea"]
        assert library.find_unambiguous_names(languages) == {
            "green-tea": "Green Tea",
            "mint": "Mint",
            "salt": "Salt",
            "leaf": "Mint",
            "mante": "Mint",
            "feuille": "Mint",
            "sel": "Salt",
        }
