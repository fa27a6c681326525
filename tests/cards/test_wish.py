"""Wishes: how many of what, weights, and what they are called in a request."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.cards.game import Wishes
from randomizer.cards.selector import Words
from randomizer.cards.wish import MOST_WISHES, asked_in, read
from randomizer.text.errors import BadOptions, BadSelector, UnknownName
from tests.cards.test_selector import _WORDS


def one(text: str, words: Words = _WORDS) -> tuple[str, int, int | None, str | None]:
    """Of a wish its selector, the least, the most, and what it depends on."""
    (wish,) = read(words, want=[text]).wants
    return wish.selector.text, wish.least, wish.most, wish.given.text if wish.given else None


class TestWants:
    @pytest.mark.parametrize(
        ("text", "wish"),
        [
            ("sweet", ("sweet", 1, None, None)),
            ("sweet=2", ("sweet", 2, 2, None)),
            ("sweet = 1-2", ("sweet", 1, 2, None)),
            ("sweet=3-", ("sweet", 3, None, None)),
            ("sweet=-2", ("sweet", 0, 2, None)),
            ("sweet=0", ("sweet", 0, 0, None)),
            ("sweet or cake=2", ("sweet or cake", 2, 2, None)),
            ("sweet if guest", ("sweet", 1, None, "guest")),
            ("sweet and not pie=2 IF guest or hatter", ("sweet and not pie", 2, 2, "guest or hatter")),
        ],
    )
    def test_counts_and_conditions(self, text: str, wish: tuple[object, ...]) -> None:
        assert one(text) == wish

    def test_several_with_commas_and_those_that_the_data_name(self) -> None:
        wants = read(_WORDS, want=["sweet, Picnic", "cake、sweet"]).wants
        assert [wish.text for wish in wants] == ["sweet", "filling", "quick=2-", "cake"]

    @pytest.mark.parametrize(
        ("text", "typed"),
        [
            ("sweet=1-", "sweet"),
            ("sweet=2-2", "sweet=2"),
            ("sweet=0-3", "sweet=-3"),
            ("sweet=0-0", "sweet=0"),
            ("sweet=1", "sweet=1"),
            ("Broth=02 if Guests", "soup=2 if kind:guest"),
        ],
    )
    def test_what_to_type_is_short_and_means_the_same(self, text: str, typed: str) -> None:
        (wish,) = read(_WORDS, want=[text]).wants
        assert wish.text == typed
        assert read(_WORDS, want=[typed]).wants == (wish,)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("sweet=", "not a number of cards"),
            ("sweet=-", "not a number of cards"),
            ("sweet=x", "not a number of cards"),
            ("sweet=1=2", "not a number of cards"),
            ("sweet=1000", "not a number of cards"),
            ("sweet=٣", "not a number of cards"),
            ("sweet=3-1", "did you mean 1-3"),
            ("sweet if", "missing"),
            ("if guest", "missing"),
            ("=2", "missing"),
            ("picnik", "did you mean picnic"),
            ("swet if guest", "sweet"),
            ("sweet if gest", "guest"),
        ],
    )
    def test_what_is_no_wish(self, text: str, said: str) -> None:
        with pytest.raises(BadSelector, match=said):
            read(_WORDS, want=[text])

    @given(st.text(alphabet="sweet=0123- if not cake", max_size=30))
    def test_whatever_is_typed_is_read_or_refused(self, text: str) -> None:
        try:
            asked = read(_WORDS, want=[text])
        except BadSelector:
            return
        assert read(_WORDS, want=asked.texts().want) == asked


class TestWeights:
    @pytest.mark.parametrize(
        ("text", "number", "typed"),
        [
            ("sweet=2", Fraction(2), "sweet=2"),
            ("sweet=0.5", Fraction(1, 2), "sweet=0.5"),
            ("doux or cake = 1.250", Fraction(5, 4), "sweet or cake=1.25"),
            ("sweet=0.001", Fraction(1, 1000), "sweet=0.001"),
            ("sweet=1000", Fraction(1000), "sweet=1000"),
        ],
    )
    def test_a_number_above_nothing(self, text: str, number: Fraction, typed: str) -> None:
        if text.startswith("doux"):
            text = text.replace("doux", "sweet")
        (weight,) = read(_WORDS, weight=[text]).weights
        assert (weight.number, weight.text) == (number, typed)

    @pytest.mark.parametrize(
        "text", ["sweet", "sweet=", "sweet=0", "sweet=-1", "sweet=1001", "sweet=1e3", "sweet=½"]
    )
    def test_what_is_no_weight(self, text: str) -> None:
        with pytest.raises(BadOptions, match="a weight is a number above 0"):
            read(_WORDS, weight=[text])


class TestAsked:
    def test_cards_are_names_and_bans_selectors(self) -> None:
        asked = read(_WORDS, ["Cake, card:quick", "cake"], ["sweet,not guest"])
        assert asked.cards == ("Cake", "Quick")
        assert [ban.text for ban in asked.bans] == ["sweet", "not guest"]
        assert asked.texts(2) == Wishes(("cake", "quick"), ("sweet", "not guest"), of=2)
        with pytest.raises(UnknownName, match="sweet"):
            read(_WORDS, ["sweet"])

    def test_a_request_is_read_once(self) -> None:
        game, wishes = _WORDS.game, Wishes(want=("sweet=2",), weight=("guest=3",))
        assert asked_in(game, wishes) is asked_in(game, wishes)
        assert asked_in(game, wishes).texts() == wishes

    def test_there_is_an_end_to_wishes(self) -> None:
        with pytest.raises(BadOptions, match=f"--want takes at most {MOST_WISHES}"):
            read(_WORDS, want=["sweet"] * (MOST_WISHES + 1))
