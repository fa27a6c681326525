"""The reasons why a thing is on the table, as chains of causes."""

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


def explain_causes(
    because: Sequence[str] | str,
    shown: Sequence[str] = (),
    parents: Mapping[str, Sequence[str]] = {},
    marks: Mapping[str, Sequence[str]] = {},
    language: Language = ENGLISH,
    **changed: Any,
) -> str:
    """Explain a thing with these causes; each key of `parents` is a pile with causes of its own."""
    piles = [
        {"name": name, "because": causes, "marks": marks.get(name, ()), "members": ()}
        for name, causes in parents.items()
    ]
    setup = cast(Setup, {**NOTHING, "piles": piles, **changed})
    return with_ordinary_spaces(Reasons(setup, language).explain(list(because), shown))


class TestChains:
    @pytest.mark.parametrize(
        ("because", "parents", "expected"),
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
    def test_causes_are_shown_as_chains(
        self, because: str, parents: Mapping[str, str], expected: str
    ) -> None:
        assert explain_causes(because, parents=parents) == expected

    def test_cycle_of_causes_ends(self) -> None:
        assert explain_causes("C", parents={"A": "B", "B": "A", "C": "A"}) == "for B → A → C"

    def test_five_chains_are_shown_in_full_and_six_as_four_and_a_count(self) -> None:
        assert explain_causes("ABCDE") == "for A, B, C, D, E"
        assert explain_causes("ABCDEF") == "for A, B, C, D and 2 more"

    def test_very_long_chain_is_followed_to_a_maximum_depth(self) -> None:
        """A document from an unknown source may have thousands of things that depend on each other."""
        linked = {f"X{n}": [f"X{m}" for m in range(max(0, n - 50), n)] for n in range(1500)}
        assert explain_causes(["X1499"], parents=linked) == "for X1470 → … → X1499"


class TestImpliedCauses:
    """Causes that are obvious from the names on the line."""

    @pytest.mark.parametrize(
        ("because", "shown", "expected"),
        [
            (["Cake"], ["Cake"], ""),
            (["Cake"], ["Cake mat"], ""),
            (["Cake", "Pie"], ["Cake mat"], "for Pie"),
            (["Cake"], ["Cakes"], "for Cake"),
            (["Hosts and Guests"], ["Guests"], ""),  # the title of a decision
            (["Hosts and Guests"], ["Guest"], "for Hosts and Guests"),
            (["Soup and Guests"], ["Guests"], "for Soup and Guests"),
        ],
    )
    def test_cause_that_the_shown_name_implies_is_omitted(
        self, because: list[str], shown: list[str], expected: str
    ) -> None:
        assert explain_causes(because, shown, decisions=[{"title": {"en": "Hosts and Guests"}}]) == expected

    def test_cause_of_an_omitted_cause_is_shown(self) -> None:
        assert explain_causes(["Cake", "Pie"], ["Pie"], {"Pie": ["Cake"]}) == "for Cake"

    def test_link_that_the_next_name_contains_is_omitted(self) -> None:
        assert explain_causes(["Cake", "Cake deck"], parents={"Cake deck": ["Cake"]}) == "for Cake deck"
        assert explain_causes(["Nut/Fig", "Fig"], parents={"Fig": ["Nut/Fig"]}) == "for Fig"
        assert explain_causes(["Nut/Fig", "Figs"], parents={"Figs": ["Nut/Fig"]}) == "for Nut/Fig → Figs"


class TestChosenPiles:
    """A pile that was chosen for a card may also require that card, but is not its cause."""

    PARENTS: Mapping[str, Sequence[str]] = {"Soup": ["Cake"], "Cake": ["Soup", "Pie"]}
    MARKS: Mapping[str, Sequence[str]] = {"Soup": ["Cake"]}

    def test_chosen_pile_is_explained_by_the_card_that_chose_it(self) -> None:
        assert explain_causes(["Soup"], (), self.PARENTS, self.MARKS) == "for Pie → Cake → Soup"
        assert explain_causes(["Cake", "Soup"], (), self.PARENTS, self.MARKS) == "for Pie → Cake → Soup"

    def test_card_is_not_explained_by_the_pile_chosen_for_it(self) -> None:
        assert explain_causes(["Cake", "Soup"], ["Cake"], self.PARENTS, self.MARKS) == "for Pie"


class TestCollectedCauses:
    @pytest.mark.parametrize("key", ["landscapes", "set_aside", "starting_deck", "trash"])
    def test_causes_are_found_in_each_list_of_the_document(self, key: str) -> None:
        thing: dict[str, Any] = {key: [{"name": "Pie", "because": ["Cake"]}]}
        assert explain_causes(["Pie"], **thing) == "for Cake → Pie"

    def test_members_of_piles_and_decks_are_explained_by_them(self) -> None:
        pile = {"name": "Platter", "because": ["Cake"], "marks": [], "members": [{"name": "Nut"}]}
        deck = {"name": "Songs", "because": ["Pie"], "contents": [{"name": "Jig"}]}
        assert (
            explain_causes(["Cake", "Platter", "Nut"], piles=[pile], decks=[deck])
            == "for Cake → Platter → Nut"
        )
        assert explain_causes(["Jig"], piles=[pile], decks=[deck]) == "for Pie → Songs → Jig"


def test_reasons_are_translated() -> None:
    words = {
        "; ": " / ",
        ", ": " + ",
        "for {text}": "pour {text}",
        "{text} and {count} more": "{text} et {count}",
    }
    french = Language("fr", cards={"A": "Gâteau"}, phrases=words)
    assert explain_causes("ABCDEF", language=french) == "pour Gâteau + B + C + D et 2"
    assert explain_causes("ABC", parents={"B": "A"}, language=french) == "pour Gâteau → B / C"


def test_names_have_nonbreaking_spaces() -> None:
    setup = cast(Setup, NOTHING)
    assert Reasons(setup, ENGLISH).explain(["Green Tea"]) == "for Green\N{NO-BREAK SPACE}Tea"
