"""Why a thing is out, in words: a chain as a chain, each cause after what brought it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from randomizer.setup.document import Setup
from randomizer.setup.reasons import Reasons
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.language import Language

ENGLISH = Language("en")
NOTHING: Mapping[str, Any] = dict.fromkeys(
    ("piles", "decks", "landscapes", "set_aside", "starting_deck", "trash", "decisions"), ()
)


def why(
    because: Sequence[str] | str,
    said: Sequence[str] = (),
    parents: Mapping[str, Sequence[str]] = {},
    marks: Mapping[str, Sequence[str]] = {},
    language: Language = ENGLISH,
    **changed: Any,
) -> str:
    """The reasons for a thing with these causes; each of the parents is a pile with its own."""
    piles = [
        {"name": name, "because": causes, "marks": marks.get(name, ()), "members": ()}
        for name, causes in parents.items()
    ]
    setup = cast(Setup, {**NOTHING, "piles": piles, **changed})
    return with_ordinary_spaces(Reasons(setup, language).explain(list(because), said))


class TestChains:
    @pytest.mark.parametrize(
        ("because", "parents", "told"),
        [
            ("", {}, ""),
            ("A", {}, "for A"),
            ("AB", {}, "for A, B"),
            ("AB", {"B": "A"}, "for A → B"),
            ("ABC", {"B": "A"}, "for A → B; C"),
            ("ABC", {"B": "A", "C": "AB"}, "for A → B → C"),
            ("ABCD", {"B": "A", "C": "AB", "D": "ABC"}, "for A → … → D"),
            ("ABC", {"B": "A", "C": "A"}, "for A → B, C"),
            ("ABCD", {"B": "A", "C": "A", "D": "AC"}, "for A → B, … → D"),
            ("ABCDE", {"B": "A", "C": "A", "D": "AC", "E": "AC"}, "for A → B, … → D, E"),
            ("AXBC", {"X": "", "B": "A", "C": "X"}, "for A → B; X → C"),
            ("B", {"B": "A"}, "for A → B"),
        ],
    )
    def test_each_cause_after_what_brought_it(
        self, because: str, parents: Mapping[str, str], told: str
    ) -> None:
        assert why(because, parents=parents) == told

    def test_a_circle_ends(self) -> None:
        assert why("C", parents={"A": "B", "B": "A", "C": "A"}) == "for B → A → C"

    def test_up_to_five_are_told_and_of_more_four(self) -> None:
        assert why("ABCDE") == "for A, B, C, D, E"
        assert why("ABCDEF") == "for A, B, C, D and 2 more"

    def test_a_chain_without_end_is_followed_only_so_far(self) -> None:
        """A document may come from anybody, and hold thousands of things that hang on each other."""
        linked = {f"X{n}": [f"X{m}" for m in range(max(0, n - 50), n)] for n in range(1500)}
        assert why(["X1499"], parents=linked) == "for X1470 → … → X1499"


class TestWhatGoesWithoutSaying:
    """The line says its name and its marks; whoever reads those knows the cause."""

    @pytest.mark.parametrize(
        ("because", "said", "told"),
        [
            (["Cake"], ["Cake"], ""),
            (["Cake"], ["Cake mat"], ""),
            (["Cake", "Pie"], ["Cake mat"], "for Pie"),
            (["Cake"], ["Cakes"], "for Cake"),
            (["Hosts and Guests"], ["Guests"], ""),  # a question that was decided
            (["Hosts and Guests"], ["Guest"], "for Hosts and Guests"),
            (["Soup and Guests"], ["Guests"], "for Soup and Guests"),
        ],
    )
    def test_the_cause_itself(self, because: list[str], said: list[str], told: str) -> None:
        assert why(because, said, decisions=[{"title": "Hosts and Guests"}]) == told

    def test_what_brought_it_is_told_then(self) -> None:
        assert why(["Cake", "Pie"], ["Pie"], {"Pie": ["Cake"]}) == "for Cake"

    def test_a_name_that_the_next_in_the_chain_says(self) -> None:
        assert why(["Cake", "Cake deck"], parents={"Cake deck": ["Cake"]}) == "for Cake deck"
        assert why(["Nut/Fig", "Fig"], parents={"Fig": ["Nut/Fig"]}) == "for Fig"
        assert why(["Nut/Fig", "Figs"], parents={"Figs": ["Nut/Fig"]}) == "for Nut/Fig → Figs"


class TestChosen:
    """A pile that was chosen for a card may ask for what the card asks for; that is not what brought it."""

    PARENTS: Mapping[str, Sequence[str]] = {"Soup": ["Cake"], "Cake": ["Soup", "Pie"]}
    MARKS: Mapping[str, Sequence[str]] = {"Soup": ["Cake"]}

    def test_it_is_out_because_of_the_card(self) -> None:
        assert why(["Soup"], (), self.PARENTS, self.MARKS) == "for Pie → Cake → Soup"
        assert why(["Cake", "Soup"], (), self.PARENTS, self.MARKS) == "for Pie → Cake → Soup"

    def test_in_its_own_line_what_brought_the_card_is_told(self) -> None:
        assert why(["Cake", "Soup"], ["Cake"], self.PARENTS, self.MARKS) == "for Pie"


class TestWhatBroughtIt:
    @pytest.mark.parametrize("key", ["landscapes", "set_aside", "starting_deck", "trash"])
    def test_things_of_every_sort(self, key: str) -> None:
        thing: dict[str, Any] = {key: [{"name": "Pie", "because": ["Cake"]}]}
        assert why(["Pie"], **thing) == "for Cake → Pie"

    def test_cards_in_piles_and_decks_are_out_because_of_them(self) -> None:
        pile = {"name": "Platter", "because": ["Cake"], "marks": [], "members": [{"name": "Nut"}]}
        deck = {"name": "Songs", "because": ["Pie"], "contents": [{"name": "Jig"}]}
        assert why(["Cake", "Platter", "Nut"], piles=[pile], decks=[deck]) == "for Cake → Platter → Nut"
        assert why(["Jig"], piles=[pile], decks=[deck]) == "for Pie → Songs → Jig"


def test_in_another_language() -> None:
    words = {
        "; ": " / ",
        ", ": " + ",
        "for {text}": "pour {text}",
        "{text} and {count} more": "{text} et {count}",
    }
    french = Language("fr", cards={"A": "Gâteau"}, phrases=words)
    assert why("ABCDEF", language=french) == "pour Gâteau + B + C + D et 2"
    assert why("ABC", parents={"B": "A"}, language=french) == "pour Gâteau → B / C"


def test_a_name_is_not_broken() -> None:
    setup = cast(Setup, NOTHING)
    assert Reasons(setup, ENGLISH).explain(["Green Tea"]) == "for Green\N{NO-BREAK SPACE}Tea"
