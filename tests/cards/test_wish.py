"""Tests of parsing wishes and weights, and of their canonical texts."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.cards.condition import Wish
from randomizer.cards.game import Wishes
from randomizer.cards.selector import SelectorParser
from randomizer.cards.wish import parse_named_wishes, parse_wishes
from randomizer.text.errors import BadOptions, BadSelector, UnknownName
from tests.cards.test_selector import _WORDS


def one(text: str, words: SelectorParser = _WORDS) -> tuple[str, int, int | None, str | None]:
    """Return the selector, bounds and condition of a wish."""
    (wish,) = parse_wishes(words, want=[text]).wants
    return wish.selector.text, wish.min_count, wish.max_count, wish.condition.text if wish.condition else None


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
            ("sweet=3+", ("sweet", 3, None, None)),
            ("sweet==2", ("sweet", 2, 2, None)),
            ("sweet==1-2", ("sweet", 1, 2, None)),
            ("sweet>=2", ("sweet", 2, None, None)),
            ("sweet ≥ 2", ("sweet", 2, None, None)),
            ("sweet>2", ("sweet", 3, None, None)),
            ("sweet<=1", ("sweet", 0, 1, None)),
            ("sweet<2", ("sweet", 0, 1, None)),
            ("sweet<1", ("sweet", 0, 0, None)),
            ("sweet!=0", ("sweet", 1, None, None)),
            ("sweet!=0-2", ("sweet", 3, None, None)),
            ("sweet!=2-", ("sweet", 0, 1, None)),
            ("ｓｗｅｅｔ！＝０", ("sweet", 1, None, None)),
            ("sweet＞＝２", ("sweet", 2, None, None)),
            ("sweet=2〜3", ("sweet", 2, 3, None)),
            ("!sweet=2", ("not sweet", 2, 2, None)),
            ("not sweet", ("not sweet", 1, None, None)),
            ("cost>=3=2-", ("cost:3+", 2, None, None)),
            ("cost=3", ("cost:3", 1, None, None)),
            ("cost:3->=2 if cost!=3", ("cost:3+", 2, None, "not cost:3")),
            ("sweet or cake=2", ("sweet or cake", 2, 2, None)),
            ("sweet if guest", ("sweet", 1, None, "guest")),
            ("sweet and not pie=2 IF guest or hatter", ("sweet and not pie", 2, 2, "guest or hatter")),
        ],
    )
    def test_want_has_count_and_condition(self, text: str, wish: tuple[object, ...]) -> None:
        assert one(text) == wish

    def test_want_accepts_commas_and_named_wishes(self) -> None:
        wants = parse_wishes(_WORDS, want=["sweet, Picnic", "cake、sweet"]).wants
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
    def test_canonical_text_of_want_parses_to_the_same_wish(self, text: str, typed: str) -> None:
        (wish,) = parse_wishes(_WORDS, want=[text]).wants
        assert wish.text == typed
        assert parse_wishes(_WORDS, want=[typed]).wants == (wish,)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("sweet=", "'' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet= []"),
            ("sweet>=", "'' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet>= []"),
            ("sweet=-", "'-' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet=[-]"),
            (
                "sweet=x if guest",
                "'x' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet=[x] if guest",
            ),
            ("sweet>=1-2", "'1-2' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet>=[1-2]"),
            ("sweet<-2", "'-2' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet<[-2]"),
            ("sweet=+2", "'+2' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet=[+2]"),
            ("sweet=1=2", "'=' has no meaning here.|  sweet=1[=]2"),
            ("sweet=2 3", "'3' has no meaning here.|  sweet=2 [3]"),
            ("sweet=1000", "'1000' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet=[1000]"),
            ("sweet=٣", "'٣' is not a number of cards; write 2, 1-2, 3- or -2.|  sweet=[٣]"),
            ("sweet=3-1", "'3-1' is the wrong way round; did you mean 1-3?|  sweet=[3-1]"),
            ("sweet<0", "no number is <0.|  sweet<[0]"),
            ("sweet=>2", "'=>' is not a comparison; write =, !=, <, <=, > or >=.|  sweet[=>]2"),
            ("sweet<>2", "'<>' is not a comparison; write =, !=, <, <=, > or >=.|  sweet[<>]2"),
            ("sweet!=2", "sweet!=2 can't be one wish; write sweet=-1 or sweet=3-.|  sweet!=[2]"),
            ("sweet!=1", "sweet!=1 can't be one wish; write sweet=0 or sweet=2-.|  sweet!=[1]"),
            (
                "!sweet",
                "'!sweet' is ambiguous; write sweet=0 for no such card, or not sweet=1- for at least one "
                "other card.",
            ),
            ("-sweet", "'-' has no meaning here; write sweet=0.|  [-]sweet"),
            ("-sweet=2", "'-' has no meaning here; write not sweet.|  [-]sweet=2"),
            ("sweet if", "a name or word is missing after 'if'.|  sweet if []"),
            ("if guest", "a name or word is missing.|  [] if guest"),
            ("=2", "a name or word is missing.|  [] =2"),
            ("picnik", "unknown wish 'picnik'; did you mean picnic?"),
            ("Picnic=2", "unknown wish 'Picnic=2'; did you mean picnic?"),
            (
                "swet if guest",
                "unknown card, set or type 'swet'; did you mean sweet or basket?|  [swet] if guest",
            ),
            (
                "sweet if gest",
                "unknown card, set or type 'gest'; did you mean guest, guests or rest?|  sweet if [gest]",
            ),
            ("sweet if guest if pie", "'if' has no meaning here.|  sweet if guest [if] pie"),
        ],
    )
    def test_invalid_want_is_refused(self, text: str, said: str) -> None:
        with pytest.raises(BadSelector) as problem:
            parse_wishes(_WORDS, want=[text])
        assert "|".join(problem.value.render_lines()) == said

    def test_error_points_at_the_word_in_the_condition(self) -> None:
        with pytest.raises(BadSelector) as problem:
            parse_wishes(_WORDS, want=["sweet if cake or zzz"])
        assert problem.value.render_lines() == (
            "unknown card, set or type 'zzz'.",
            "  sweet if cake or [zzz]",
        )

    def test_term_with_prefix_is_not_a_named_wish(self) -> None:
        own = {"does-quick": parse_wishes(_WORDS, want=["pie"]).wants}
        assert [
            wish.text
            for wish in parse_wishes(_WORDS, want=["does:quick", "Does Quick"], own_wishes=own).wants
        ] == [
            "quick",
            "pie",
        ]

    @given(st.text(alphabet="sweet=0123- if not cake", max_size=30))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        try:
            asked = parse_wishes(_WORDS, want=[text])
        except BadSelector:
            return
        assert parse_wishes(_WORDS, want=[wish.text for wish in asked.wants]) == asked


class TestWeights:
    @pytest.mark.parametrize(
        ("text", "number", "typed"),
        [
            ("sweet=2", Fraction(2), "sweet=2"),
            ("sweet=0.5", Fraction(1, 2), "sweet=0.5"),
            ("doux or cake = 1.250", Fraction(5, 4), "sweet or cake=1.25"),
            ("sweet=0.001", Fraction(1, 1000), "sweet=0.001"),
            ("sweet=1000", Fraction(1000), "sweet=1000"),
            ("sweet=10.0", Fraction(10), "sweet=10"),
        ],
    )
    def test_weight_has_positive_factor(self, text: str, number: Fraction, typed: str) -> None:
        if text.startswith("doux"):
            text = text.replace("doux", "sweet")
        (weight,) = parse_wishes(_WORDS, weight=[text]).weights
        assert (weight.factor, weight.text) == (number, typed)

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("sweet", "sweet []"),
            ("sweet=", "sweet= []"),
            ("sweet=0", "sweet=[0]"),
            ("sweet=-1", "sweet=[-1]"),
            ("sweet=1001", "sweet=[1001]"),
            ("sweet=0.0001", "sweet=[0.0001]"),
            ("sweet=1e3", "sweet=[1e3]"),
            ("sweet=½", "sweet=[½]"),
            ("sweet=2-", "sweet=[2-]"),
            ("sweet>=", "sweet>= []"),
        ],
    )
    def test_invalid_weight_is_refused(self, text: str, fault: str) -> None:
        with pytest.raises(BadSelector) as problem:
            parse_wishes(_WORDS, weight=[text])
        why = (
            "a weight must be a number from 0.001 to 1000 with at most 3 decimals, such as attack=0.5 or "
            "village=3; to exclude cards, use --without."
        )
        assert problem.value.render_lines() == (f"{text!r}: {why}", f"  {fault}")

    @pytest.mark.parametrize("comparison", [">=", "<=", ">", "<", "!=", "≥"])
    def test_weight_with_a_comparison_is_refused(self, comparison: str) -> None:
        with pytest.raises(BadSelector, match=f"'sweet{comparison}5': a weight is a factor; write sweet=5."):
            parse_wishes(_WORDS, weight=[f"sweet{comparison}5"])

    @pytest.mark.parametrize("text", ["sweet=1=2", "sweet=2 if guest", "sweet=2 3"])
    def test_weight_with_more_after_its_number_is_refused(self, text: str) -> None:
        with pytest.raises(BadSelector, match="has no meaning here"):
            parse_wishes(_WORDS, weight=[text])


class TestParseWishes:
    def test_with_takes_names_and_without_takes_selectors(self) -> None:
        asked = parse_wishes(_WORDS, ["Cake, card:quick", "cake"], ["sweet,not guest"])
        assert asked.cards == ("Cake", "Quick")
        assert [ban.text for ban in asked.bans] == ["sweet", "not guest"]
        assert asked.to_options() == {"with": ["cake", "quick"], "without": ["sweet", "not guest"]}
        with pytest.raises(BadOptions, match="'sweet' is not a single card; use --want sweet"):
            parse_wishes(_WORDS, ["sweet"])
        with pytest.raises(UnknownName, match="sweat"):
            parse_wishes(_WORDS, ["sweat"])

    def test_duplicates_are_removed_except_weights(self) -> None:
        asked = parse_wishes(
            _WORDS, ["cake, Cake"], ["sweet", "sweet"], ["pie", "pie=1-"], ["pie=2", "pie=2"]
        )
        assert asked.to_options() == {
            "with": ["cake"],
            "without": ["sweet"],
            "want": ["pie"],
            "weight": ["pie=2", "pie=2"],
        }

    @pytest.mark.parametrize(
        ("option", "text", "most"),
        [
            ("with_", "cake", 50),
            ("without", "sweet", 2_000),
            ("want", "sweet", 50),
            ("weight", "sweet=2", 50),
        ],
    )
    def test_too_many_wishes_are_refused(self, option: str, text: str, most: int) -> None:
        def wished(many: int) -> Wishes:
            texts: dict[str, Any] = {option: [text] * many}
            return parse_wishes(_WORDS, **texts)

        wished(most)
        with pytest.raises(BadOptions) as problem:
            wished(most + 1)
        assert str(problem.value) == f"--{option.rstrip('_')} can have at most {most} items."


def test_wish_defaults_to_at_least_one_card() -> None:
    assert Wish(_WORDS.parse("sweet"))[1:] == (1, None, None)


class TestParseNamedWishes:
    """Wishes that the user has given names."""

    def own(self, **said: str) -> tuple[dict[str, list[str]], list[str]]:
        found, faults = parse_named_wishes(
            _WORDS, {name.replace("_", " "): [text] for name, text in said.items()}
        )
        return {name: [wish.text for wish in wishes] for name, wishes in found.items()}, [*map(str, faults)]

    def test_named_wishes_are_keyed_by_slug(self) -> None:
        assert self.own(My_Party="sweet=2, picnic", Other="pie if guest") == (
            {"my-party": ["sweet=2", "filling", "quick=2-"], "other": ["pie if guest"]},
            [],
        )

    @pytest.mark.parametrize("name", ["Picnic", "sweet", "Cake", "--", "high tea", "not_sweet"])
    def test_name_with_another_meaning_is_refused(self, name: str) -> None:
        shown = repr(name.replace("_", " "))
        assert self.own(**{name: "pie"}) == ({}, [f"wish {shown}: the name already has another meaning"])

    def test_invalid_named_wish_does_not_affect_others(self) -> None:
        said = "unknown card, set or type 'swet'; did you mean sweet or basket?"
        assert self.own(Bad="swet", Good="pie") == ({"good": ["pie"]}, [f"wish 'Bad': {said}"])

    def test_long_name_is_shortened_in_the_message(self) -> None:
        (fault,) = self.own(**{"Long" * 20: "xyz"})[1]
        assert fault.startswith("wish 'LongLongLong...gLongLongLong'")

    def test_named_wishes_of_the_user_work_like_those_of_the_game(self) -> None:
        own, _ = parse_named_wishes(_WORDS, {"My Party": ["sweet=2", "guest"]})
        wants = parse_wishes(_WORDS, want=["my-party, soup"], own_wishes=own).wants
        assert [wish.text for wish in wants] == ["sweet=2", "guest", "soup"]
        with pytest.raises(BadSelector, match="unknown wish 'my-pary'; did you mean my-party"):
            parse_wishes(_WORDS, want=["my-pary"], own_wishes=own)


def test_wants_that_differ_only_in_and_or_are_both_kept() -> None:
    wants = parse_wishes(_WORDS, want=["sweet and dish", "sweet or dish"]).wants
    assert [wish.text for wish in wants] == ["sweet and dish", "sweet or dish"]
