"""Looking rules up: the stages one by one, spelling, and how well all of it finds what is meant."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.search_quality import QUERIES, measured
from randomizer.rules.index import Index, open_index
from randomizer.rules.search import look_up, suggestions
from randomizer.text.folding import fold, words
from randomizer.text.spelling import unlike
from tests.support import run


@pytest.fixture(scope="session")
def index(own_cache: None) -> Index:
    return open_index()


def found(index: Index, query: str, game: str | None = None) -> tuple[str, str]:
    """How, and the first entry that a query leads to."""
    result = look_up(index, query, game)
    return result.match, index.entry(result.entries[0])["id"] if result.entries else ""


class TestFolding:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Reserve", "ｒｅｓｅｒｖｅ"),
            ("ﾄｰｸﾝ", "トークン"),
            ("とーくん", "トークン"),
            ("King's Court", "kings court"),
            ("−1 Card token", "-1 card TOKEN"),
            ("ガ", "ｶﾞ"),
            ("呼び 出し", "呼び出し"),
            ("Prize cards", "prize card"),
        ],
    )
    def test_made_no_difference_of(self, one: str, other: str) -> None:
        assert fold(one) == fold(other)

    def test_kept_apart(self) -> None:
        assert len({fold(text) for text in ("+1 Card", "-1 Card", "1 Card")}) == 3
        assert fold("Curses") != fold("Curs")

    @given(st.text(max_size=30))
    @example("0¼S")
    def test_folding_twice_is_folding_once(self, text: str) -> None:
        assert fold(fold(text)) == fold(text)

    def test_one_word_however_it_ends(self) -> None:
        assert len({tuple(words(fold(word))) for word in ("trash", "trashes", "trashed", "trashing")}) == 1


class TestSpelling:
    @given(st.text("abc", min_size=1, max_size=7), st.text("abc", max_size=7))
    @example("ca", "abc")
    @example("abcabc", "bacacb")
    def test_as_the_plain_table_counts(self, one: str, other: str) -> None:
        table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
        for i in range(1, len(one) + 1):
            for j in range(1, len(other) + 1):
                changed = one[i - 1] != other[j - 1]
                steps = [table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + changed]
                if i > 1 and j > 1 and one[i - 2 : i] == other[j - 2 : j][::-1]:
                    steps.append(table[i - 2, j - 2] + 1)
                table[i, j] = min(steps)
        assert unlike(one, other) == table[len(one), len(other)] / max(len(one), len(other))

    def test_lengths_that_tell_enough(self) -> None:
        assert unlike("ab", "abcdefgh", most=0.25) == 1


class TestStages:
    @pytest.mark.parametrize(
        ("query", "match", "first"),
        [
            ("reserve", "exact", "reserve"),
            ("呼び出し", "exact", "call"),
            ("よびだし", "exact", "call"),
            ("ﾖﾋﾞﾀﾞｼ", "exact", "call"),
            ("travell", "prefix", "traveller"),
            ("what is a purchase order", "text", "purchase-order"),
            ("does the -1 Card token stop Envoy", "exact", "minus-card-drawing"),
            ("what if my deck has a token and I play Envoy", "text", "minus-card-drawing"),
            ("渡し守の山がなくなったらゲームは終わりますか", "text", "ferryman-empty"),
            ("travelelr", "fuzzy", "traveller"),
            ("comand crads", "fuzzy", "command"),
            ("呼び出じ", "fuzzy", "call"),
            ("qqqxxxzzz", "none", ""),
            ("???", "none", ""),
        ],
    )
    def test_a_query(self, index: Index, query: str, match: str, first: str) -> None:
        assert found(index, query) == (match, first)

    def test_another_game_only_where_dominion_has_nothing(self, index: Index) -> None:
        assert found(index, "setup", "pergamemnon") == ("exact", "setup")
        assert index.entry(look_up(index, "attack").entries[0])["game"] == "dominion"
        assert index.entry(look_up(index, "skill test").entries[0])["game"] == "arkham"
        assert found(index, "skill test", "dominion")[1] != "skill-tests"

    def test_suggestions_are_names(self, index: Index) -> None:
        assert "reserve" in suggestions(index, "reevrse")

    def test_words_of_a_name_may_be_apart(self) -> None:
        assert look_up(open_index(), "ferry man").card == "Ferryman"
        assert look_up(open_index(), "ferry man").match == "fuzzy"

    @pytest.mark.parametrize("name", ["フェリーマン", "スローンルーム", "ポケモン"])
    def test_a_name_in_kana_that_nobody_has_is_not_read_into_any_text(self, name: str) -> None:
        assert look_up(open_index(), name).match in ("fuzzy", "none")

    @given(st.text(max_size=40))
    def test_any_text_has_an_answer(self, query: str) -> None:
        index = open_index()
        result = look_up(index, query)
        assert (result.match == "none") == (not result)
        assert len(set(result.entries)) == len(result.entries) <= 25


class TestCommand:
    def test_one_clear_hit_is_printed_whole(self) -> None:
        text = run("rules", "hireling").stdout
        assert "See also:" in text and "Source:" in text

    def test_several_are_a_line_each(self) -> None:
        lines = run("rules", "travell").stdout.splitlines()
        assert len(lines) > 1 and all(len(line) <= 80 for line in lines)

    def test_a_card_comes_with_its_facts(self) -> None:
        text = run("rules", "young witch").stdout
        assert "$4, Action–Attack" in text and "Bane" in text and "At setup" in text

    def test_in_japanese(self) -> None:
        text = run("rules", "reserve", "--lang", "ja").stdout
        assert "出典" in text and "関連" in text

    def test_json(self) -> None:
        answer = json.loads(run("rules", "call", "--json").stdout)
        assert answer["schema"] == 1 and answer["query"] == "call" and answer["match"] == "exact"
        promised = {"id", "game", "title", "text", "see", "cards", "sources"}
        assert all(promised <= set(result) for result in answer["results"])
        assert set(answer["results"][0]["title"]) == {"en", "ja"}

    def test_nothing_found(self) -> None:
        result = run("rules", "qqqxxxzzz")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "no rule is called 'qqqxxxzzz'" in result.stderr
        empty = run("rules", "qqqxxxzzz", "--json")
        assert empty.exit_code == 1
        assert json.loads(empty.stdout)["results"] == []

    def test_a_guess_and_another_game_are_said(self) -> None:
        assert "a guess: traveler" in run("rules", "travelelr").stderr
        assert "nothing in Dominion; from Arkham" in run("rules", "skill", "test").stderr
        assert run("rules", "skill", "test", "--game", "arkham").stderr == ""

    def test_list(self) -> None:
        listed = run("rules", "--list", "--game", "pergamemnon").stdout
        assert "[nation-rome]" in listed and "[reserve]" not in listed


def test_quality(index: Index) -> None:
    """At least 96 of 100 first, 99 among the first five (the benchmark prints the figures by sort)."""
    by_sort, _ = measured(index, QUERIES)
    total, first, five = (sum(figures) for figures in zip(*by_sort.values(), strict=True))
    assert total >= 400
    assert set(by_sort) == {
        "exact", "alias", "kana", "half", "typo1", "typo2", "ja-wrong", "begin", "question",
    }  # fmt: skip
    assert first / total >= 0.96
    assert five / total >= 0.99
