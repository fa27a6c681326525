"""The search for rules: folding, spelling, the stages of a search, scores, the command, and hit rates."""

import csv
import hashlib
import json
from collections import Counter
from io import BytesIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from randomizer.load import games
from randomizer.rules.entry import Entry, OlderWording, QueryLexicon, StopWords
from randomizer.rules.index import Index, PackedTable, find_most_frequent_bits
from randomizer.rules.index_builder import build_index, pack_table
from randomizer.rules.lookup import open_index
from randomizer.rules.question import Question
from randomizer.rules.rulefile import Rulebooks
from randomizer.rules.scoring import Scores
from randomizer.rules.search import SearchResult, look_up
from randomizer.rules.sentences import extract_passages
from randomizer.text.folding import fold, tokenize
from randomizer.text.spelling import edit_distance
from tests.support import run
from tests.support.quality import QUERIES, STRANGER_QUERIES, measure_hit_rates


@pytest.fixture(scope="session")
def index() -> Index:
    return open_index()


def match_and_first_id(index: Index, query: str, game: str | None = None) -> tuple[str, str]:
    """Return how a query is matched, and the ID of the first entry; an empty one if there is none."""
    result = look_up(index, query, game)
    return result.match, index.entry(result.doc_ids[0]).id if result.doc_ids else ""


class TestPackedTable:
    """The table that the index consists of: names with a row of bytes each."""

    names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1, max_size=4)

    @given(rows=st.dictionaries(names, st.binary(max_size=5), max_size=30), name=names)
    def test_packed_table_finds_every_row_by_its_name(self, rows: dict[str, bytes], name: str) -> None:
        table = PackedTable(pack_table(rows))
        assert {name: table.get(name) for name in rows} == rows
        assert table.get(name) == rows.get(name, b"")
        assert (name in table) == (name in rows)
        assert table.find_next_name(name) == min((other for other in rows if other >= name), default="")
        assert [table.name(place) for place in table.find_prefix_range(name)] == [
            other for other in sorted(rows) if other.startswith(name)
        ]

    @given(rows=st.lists(st.sets(st.integers(0, 40)), max_size=8), most=st.integers(1, 12))
    def test_most_frequent_bits_agree_with_a_counter(self, rows: list[set[int]], most: int) -> None:
        counted = Counter(number for row in rows for number in sorted(row))
        bits = [sum(1 << number for number in row) for row in rows]
        assert find_most_frequent_bits(bits, most) == [number for number, _ in counted.most_common(most)]


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
    def test_fold_ignores_width_case_kana_and_punctuation(self, one: str, other: str) -> None:
        assert fold(one) == fold(other)

    def test_fold_keeps_signs_and_short_words_distinct(self) -> None:
        assert len({fold(text) for text in ("+1 Card", "-1 Card", "1 Card")}) == 3
        assert fold("Curses") != fold("Curs")

    @given(st.text(max_size=30))
    @example("0¼S")
    def test_fold_is_idempotent(self, text: str) -> None:
        assert fold(fold(text)) == fold(text)

    def test_tokenize_splits_words_of_any_spaced_script(self) -> None:
        assert fold("Über die Stapel") == "über die stapel"
        assert tokenize("über die stapel") == ["über", "die", "stapel"]
        assert tokenize(fold("Lv5カード")) == ["lv5", "かー", "ーど"]

    def test_tokenize_gives_inflected_forms_the_same_stem(self) -> None:
        assert len({tuple(tokenize(fold(word))) for word in ("trash", "trashes", "trashed", "trashing")}) == 1


class TestSpelling:
    @given(st.text("abc", min_size=1, max_size=7), st.text("abc", max_size=7))
    @example("ca", "abc")
    @example("abcabc", "bacacb")
    def test_edit_distance_equals_the_textbook_algorithm(self, one: str, other: str) -> None:
        table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
        for i in range(1, len(one) + 1):
            for j in range(1, len(other) + 1):
                changed = one[i - 1] != other[j - 1]
                steps = [table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + changed]
                if i > 1 and j > 1 and one[i - 2 : i] == other[j - 2 : j][::-1]:
                    steps.append(table[i - 2, j - 2] + 1)
                table[i, j] = min(steps)
        assert edit_distance(one, other) == table[len(one), len(other)] / max(len(one), len(other))

    def test_edit_distance_of_very_different_lengths_is_one(self) -> None:
        assert edit_distance("ab", "abcdefgh", max_distance=0.25) == 1


class TestStages:
    @pytest.mark.parametrize(
        ("query", "match", "first"),
        [
            ("reserve", "exact", "reserve"),
            ("呼び出し", "exact", "call"),
            ("よびだし", "exact", "call"),
            ("ﾖﾋﾞﾀﾞｼ", "exact", "call"),
            ("travell", "prefix", "traveller"),
            ("what is a purchase order", "exact", "purchase-order"),
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
    def test_query_has_match_and_first_entry(self, index: Index, query: str, match: str, first: str) -> None:
        assert match_and_first_id(index, query) == (match, first)

    def test_other_games_are_searched_only_if_the_default_game_has_no_result(self, index: Index) -> None:
        assert match_and_first_id(index, "setup", "pergamemnon") == ("exact", "setup")
        assert index.entry(look_up(index, "attack").doc_ids[0]).game == "dominion"
        assert index.entry(look_up(index, "skill test").doc_ids[0]).game == "arkham"
        assert match_and_first_id(index, "skill test", "dominion")[1] != "skill-tests"

    def test_closest_names_find_a_misspelt_title(self, index: Index) -> None:
        assert "reserve" in [name for _, name in index.find_closest_names("reevrse", 0.6)]

    def test_name_typed_as_two_words_is_found(self) -> None:
        assert look_up(open_index(), "ferry man").card == "Ferryman"
        assert look_up(open_index(), "ferry man").match == "fuzzy"

    @pytest.mark.parametrize("name", ["フェリーマン", "スローンルーム", "ポケモン"])
    def test_unknown_kana_name_is_not_matched_by_text(self, name: str) -> None:
        assert look_up(open_index(), name).match in ("fuzzy", "none")

    @given(st.text(max_size=40))
    def test_any_query_has_a_consistent_result(self, query: str) -> None:
        index = open_index()
        result = look_up(index, query)
        assert (result.match == "none") == (not result)
        assert len(set(result.doc_ids)) == len(result.doc_ids) <= 25


STOP_WORDS = [
    "could",
    "do",
    "doe",
    "few",
    "hav",
    "it",
    "may",
    "on",
    "should",
    "som",
    "that",
    "th",
    "they",
    "when",
]
SAID = StopWords(STOP_WORDS, ["とは何ですか"])
LEXICON = QueryLexicon(
    stop_words=SAID,
    definition_words=StopWords(STOP_WORDS),
    card_definition_words=StopWords(STOP_WORDS),
    ambiguous_card_definition_words=StopWords(STOP_WORDS),
)


def make_entry(id_: str, title: str = "", text: str = "", **fields: Any) -> Entry:
    """Return an entry of an invented book, by default with a title and a text that no query matches."""
    known: dict[str, Any] = {
        key: [] for key in ("older", "see", "cards", "types", "sources", "short_sources", "aliases")
    }
    known["sample_questions"] = {}
    known |= {"game": "chess", "reading": "", "chapter": {"en": "Moves"}, "parent": "", **fields}
    return Entry(id=id_, title={"en": title or f"Heading{id_}"}, text={"en": text or "Something."}, **known)


def make_test_index(*entries: Entry) -> Index:
    """Build an index of these entries, chess first, and for each game ten more that contain stop words."""
    often = [
        make_entry(f"often{n}", text="When is it that the one could have a few, does they?")
        for n in range(10)
    ]
    titles = {name: {"en": name.title()} for name in dict.fromkeys(["chess", *(one.game for one in entries)])}
    ordered = [one for name in titles for one in (*entries, *often) if one.game == name]
    books = Rulebooks(titles, ordered, [()] * len(ordered), LEXICON)
    return Index(BytesIO(build_index(books, [games.load()], [])))


def match_and_ids(index: Index, query: str, game: str | None = None) -> list[str]:
    """Return how a query is matched, and the IDs of the entries, best first, without those of stop words."""
    result = look_up(index, query, game)
    ids = (index.entry(number).id for number in result.doc_ids)
    return [result.match, *(id_ for id_ in ids if not id_.startswith("often"))]


class TestWeights:
    """How much a word weighs by where it occurs. The entry with the lower score comes first in the book."""

    def test_title_outranks_alias_card_and_text(self) -> None:
        index = make_test_index(
            make_entry("a", text="In a black market."),
            make_entry("b", cards=["Black Market"]),
            make_entry("c", aliases=["black market"]),
            make_entry("d", "Black Market"),
        )
        assert match_and_ids(index, "black market") == ["exact", "d", "c", "b"]
        asked = "when does the black market have it"
        assert match_and_ids(index, asked)[1:4] == ["d", "c", "b"]
        best = Scores(index, Question(index, asked), "chess").find_best(0)
        assert [index.entry(number).id for number in best[:4]] == ["d", "c", "b", "a"]

    @pytest.mark.parametrize(
        ("less", "more"),
        [
            ({"text": "They castle."}, {"cards": ["Small Castle"]}),
            ({"cards": ["Small Castle"]}, {"title": "When to castle"}),
            ({"aliases": ["when to castle"]}, {"title": "When to castle"}),
            ({"text": "They castle."}, {"text": "They castle. And castle."}),
            ({"text": "They castle." + 9 * " It is long."}, {"text": "They castle."}),
            ({"text": "They castle.", "cards": ["Moat"]}, {"text": "They castle."}),
            (
                {"text": "They castle.", "cards": ["Moat"]},
                {"text": "They castle.", "cards": ["Small Castle"]},
            ),
        ],
    )
    def test_second_of_two_entries_ranks_first(self, less: dict[str, Any], more: dict[str, Any]) -> None:
        index = make_test_index(make_entry("a", **less), make_entry("b", **more))
        assert match_and_ids(index, "when could they castle")[1:] == ["b", "a"]

    def test_sample_question_is_matched(self) -> None:
        index = make_test_index(
            make_entry("a"), make_entry("b", sample_questions={"en": ["when could they castle"]})
        )
        assert match_and_ids(index, "may they castle")[1:] == ["b"]

    def test_wording_similarity_averages_the_three_closest_phrasings(self) -> None:
        asked = ["when could they castle", "when could they resign", "when could they promote", "any word"]
        index = make_test_index(
            make_entry("a", sample_questions={"en": asked[:1]}),
            make_entry("b", sample_questions={"en": asked}),
        )
        scores = Scores(index, Question(index, asked[0]), "chess")
        assert scores.wording_similarity(0) == pytest.approx(1 / 3)
        assert scores.wording_similarity(1) == pytest.approx((1 + 3 / 4 + 3 / 4) / 3)

    def test_stop_words_count_only_for_the_wording_similarity(self) -> None:
        asks = ({"ja": ["王手"]}, {"ja": ["王手とは何ですか"]})
        index = make_test_index(
            make_entry("a", sample_questions=asks[0]),
            make_entry("b", sample_questions=asks[1]),
            make_entry("c", text="とは何ですか。"),
        )
        scores = Scores(index, Question(index, "王手とは何ですか"), "chess")
        assert scores.similarity(0) == scores.similarity(1)
        assert match_and_ids(index, "王手とは何ですか")[1:] == ["b", "a"]

    def test_complete_name_in_the_question_ranks_first(self) -> None:
        index = make_test_index(make_entry("a", "File that is open"), make_entry("b", "Open file"))
        assert match_and_ids(index, "when does the rook have the open file")[1:2] == ["b"]

    def test_match_by_name_is_followed_by_matches_by_text(self) -> None:
        index = make_test_index(
            make_entry("a", "Rook on an open file"), make_entry("b", text="A rook on an open file.")
        )
        assert match_and_ids(index, "open file rook") == ["words", "a", "b"]

    def test_rare_word_outweighs_a_common_one(self) -> None:
        index = make_test_index(
            *(make_entry(name, text="A rook.") for name in "efg"), make_entry("h", text="A zugzwang.")
        )
        assert match_and_ids(index, "does the rook have a zugzwang")[1:2] == ["h"]

    def test_stop_word_weighs_less_than_other_words(self) -> None:
        index = make_test_index(make_entry("a", text="It should."), make_entry("b", text="It castles."))
        assert match_and_ids(index, "when should they castle")[1:2] == ["b"]

    def test_token_only_in_sample_questions_weighs_less_than_one_in_texts_too(self) -> None:
        names = ("Sicilian", "French", "English", "Scotch", "Dutch", "Catalan")
        asks = {"en": ["anything special in this defence"]}
        index = make_test_index(
            *(make_entry(name, name, "A defence.", sample_questions=asks) for name in names)
        )
        (several, _, special), (as_many, _, defence) = map(index.postings, tokenize("special defence"))
        assert list(several) == list(as_many)
        assert special < 0.8 * defence

    def test_kanji_outweighs_a_kana_bigram(self) -> None:
        index = make_test_index(make_entry("a", text="にげ"), make_entry("b", text="王"))
        assert match_and_ids(index, "王とにげ")[1:] == ["b", "a"]

    def test_unknown_words_count_against_an_answer(self) -> None:
        index = make_test_index(make_entry("a", text="A rook castles."), make_entry("b", text="王手。"))
        assert match_and_ids(index, "when does the rook castle qqqqq")[1:] == ["a"]
        assert match_and_ids(
            index, "when does the rook " + " ".join(8 * letter for letter in "bfhjkqvwxz")
        ) == ["none"]
        # An unknown inflected ending counts less than an unknown word.
        assert match_and_ids(index, "どうやったら王手になりますか")[1:] == ["b"]

    def test_older_rule_is_searched_too(self) -> None:
        index = make_test_index(make_entry("a", older=[OlderWording("1851", {"en": "They castle."})]))
        assert match_and_ids(index, "when could they castle")[1:] == ["a"]

    def test_result_is_sure_only_if_much_better_than_the_second(self) -> None:
        asked = "may a rook jump over a castled king"
        one, other = (
            make_entry("a", sample_questions={"en": [asked]}),
            make_entry("b", text="A king that is castled."),
        )
        assert look_up(make_test_index(one, other), asked).is_in_full
        assert not look_up(make_test_index(one, one._replace(id="b")), asked).is_in_full

    def test_result_is_not_sure_if_another_entry_covers_more(self) -> None:
        asked = "may a rook jump over a castled king"
        less = make_entry("a", aliases=["rook jump over king"], sample_questions={"en": ["rook jump king"]})
        more = make_entry("b", text="A king that is castled. The rook may jump over it.")
        found = look_up(make_test_index(less, more), asked)
        assert (found.doc_ids[0], found.is_in_full) == (0, False)
        assert look_up(make_test_index(less), "may a rook jump over a king").is_in_full

    def test_better_answer_outranks_a_match_by_name(self) -> None:
        name = make_entry("a", aliases=["when a rook jumps"])
        answers = make_entry(
            "b", "Rook", "A rook jumps. A rook jumps.", sample_questions={"en": ["does a rook jump"]}
        )
        assert match_and_ids(make_test_index(name), "may a rook jump") == ["words", "a"]
        assert match_and_ids(make_test_index(name, answers), "may a rook jump")[1] == "b"


class TestStageOrder:
    """The order of the stages, and of the results of a stage."""

    BOOK = (
        make_entry("text", text="The queen's gambit, which some decline."),
        make_entry("words", "Decline of a gambit"),
        make_entry("begin", "Gambit declined"),
        make_entry("whole", "Gambit"),
        make_entry("clock", "Byoyomi", game="go"),
        make_entry("player", "Gambiteer", game="go"),
    )

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("gambit", ["exact", "whole"]),
            ("gambi", ["prefix", "whole", "begin"]),
            ("declined gambit", ["words", "begin", "words"]),
            ("does some queen have a gambit", ["text", "text"]),
            ("gambti", ["fuzzy", "whole"]),
            ("byoyomi", ["exact", "clock"]),
            ("gambiteer", ["exact", "player"]),
            ("byo", ["prefix", "clock"]),
            ("byoyoim", ["fuzzy", "clock"]),
            ("zzzzzz", ["none"]),
        ],
    )
    def test_first_stage_with_a_result_wins(self, query: str, expected: list[str]) -> None:
        assert match_and_ids(make_test_index(*self.BOOK), query)[: len(expected)] == expected

    def test_search_with_a_game_is_limited_to_it(self) -> None:
        index = make_test_index(*self.BOOK)
        assert match_and_ids(index, "gambit", "go") == ["prefix", "player"]
        assert match_and_ids(index, "byoyomi", "chess") == ["none"]

    def test_equal_scores_keep_the_order_of_the_book(self) -> None:
        index = make_test_index(
            *(make_entry(id_, "Castling", "They castle.", aliases=["rochade"]) for id_ in "dbca")
        )
        for query in ("castling", "castlin", "rochade", "roch", "when could they castle", "castlign"):
            assert match_and_ids(index, query)[1:] == ["d", "b", "c", "a"], query

    def test_prefix_lists_the_shortest_name_first(self) -> None:
        index = make_test_index(
            make_entry("a", "Open position"), make_entry("b", "Open file"), make_entry("c", "Open game")
        )
        assert match_and_ids(index, "open") == ["prefix", "b", "c", "a"]

    def test_typo_finds_the_closest_name_then_the_first_in_the_alphabet(self) -> None:
        index = make_test_index(
            make_entry("a", "Zugzwungen"), make_entry("b", "Zugzwung"), make_entry("c", "Zugzwing")
        )
        assert match_and_ids(index, "zugzwng") == ["fuzzy", "c", "b"]

    def test_title_in_a_third_language_is_found(self) -> None:
        title = {"en": "Sizes", "ja": "枚数", "de": "Größe der Stapel"}
        index = make_test_index(make_entry("a")._replace(title=title))
        for query in ("größe der stapel", "größe", "stapel größe", "größe der stapeln"):
            assert match_and_ids(index, query)[1:] == ["a"], query

    def test_text_in_a_language_that_the_book_lacks_is_not_ranked(self) -> None:
        """The titles of the test's books are English, so only English sentences are counted."""
        entry = make_entry("a", text="Rooks move straight. Kings move one step.")
        entry = entry._replace(text={"de": "Der Turm zieht gerade. Bauern.", **entry.text})
        index = make_test_index(entry)
        assert list(index.postings("king").doc_ids) == [0] and not list(index.postings("turm").doc_ids)
        result = look_up(index, "how many steps do the kings move")
        passages = extract_passages(index.entry(0).text, result.sentence_numbers[0])
        assert passages["en"].sentence == "Kings move one step."

    def test_card_result_includes_entries_about_the_card(self) -> None:
        index = make_test_index(make_entry("a", cards=["Moat"]))
        assert look_up(index, "moat") == SearchResult("exact", (0,), "Moat")
        assert look_up(index, "smithy") == SearchResult("exact", (), "Smithy")


class TestCommand:
    def test_sure_result_is_printed_in_full(self) -> None:
        text = run("rules", "hireling").stdout
        assert "See also:" in text and "Source:" in text

    def test_several_results_get_a_line_each(self) -> None:
        lines = run("rules", "travell").stdout.splitlines()
        assert len(lines) > 1 and all(len(line) <= 80 for line in lines)

    def test_card_page_has_facts_and_setup(self) -> None:
        text = run("rules", "young witch").stdout
        assert "$4, Action–Attack" in text and "Bane" in text and "At setup" in text

    def test_lang_option_prints_japanese(self) -> None:
        text = run("rules", "reserve", "--lang", "ja").stdout
        assert "出典" in text and "関連" in text

    def test_json_has_the_documented_fields(self) -> None:
        answer = json.loads(run("rules", "call", "--json").stdout)
        assert answer["schema"] == 1 and answer["query"] == "call" and answer["match"] == "exact"
        promised = {"id", "game", "title", "text", "see", "cards", "sources"}
        assert all(promised <= set(result) for result in answer["results"])
        assert {"en", "ja"} <= set(answer["results"][0]["title"])

    def test_no_result_exits_with_status_1(self) -> None:
        result = run("rules", "qqqxxxzzz")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "unknown rule 'qqqxxxzzz'" in result.stderr
        empty = run("rules", "qqqxxxzzz", "--json")
        assert empty.exit_code == 1
        assert json.loads(empty.stdout)["results"] == []

    def test_guess_and_other_game_are_reported_on_stderr(self) -> None:
        assert "closest match: Travellers" in run("rules", "travelelr").stderr
        assert "nothing found in Dominion; from Arkham" in run("rules", "skill", "test").stderr
        assert run("rules", "skill", "test", "--game", "arkham").stderr == ""

    def test_list_option_lists_the_entries_of_a_game(self) -> None:
        listed = run("rules", "--list", "--game", "pergamemnon").stdout
        assert "[nation-rome]" in listed and "[reserve]" not in listed


def test_hit_rates_stay_high(index: Index) -> None:
    """The benchmark `search_quality` prints the hit rates by sort of query."""
    by_sort, _ = measure_hit_rates(index, QUERIES)
    total, first, five = (sum(figures) for figures in zip(*by_sort.values(), strict=True))
    assert total >= 400
    assert set(by_sort) == {
        "exact", "alias", "kana", "half", "typo1", "typo2", "ja-wrong", "begin", "question",
    }  # fmt: skip
    assert first / total >= 0.96
    assert five / total >= 0.99


def test_labels_of_strangers_are_frozen() -> None:
    """Labels that change after somebody has seen results would measure nothing. Only IDs may be renamed."""
    with open(STRANGER_QUERIES, encoding="utf-8", newline="") as file:
        rows = [f"{row['query']}|{row['expect']}|{row['original_expect']}" for row in csv.DictReader(file)]
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    assert digest == "0a0aced601faaa29d22a72963552aa90490c1707f00b029f8b405cb18fadd24c"
