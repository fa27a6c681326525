"""Excerpts: the text of an entry from the sentence that covers most of the question."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.load import games, languages
from randomizer.rules.entry import SUBJECT
from randomizer.rules.index import Index
from randomizer.rules.lookup import answer_query, open_index
from randomizer.rules.question import Question
from randomizer.rules.scoring import Scores
from randomizer.rules.show import render_json, render_text
from randomizer.text.screen import Style
from randomizer.text.width import width
from tests.rules.test_search import make_entry, make_test_index
from tests.support import run

TEXTS = {"en": "One. Two: so.\n\n- Three.", "ja": "一。二。\n\n- 三。"}
QUESTION = "Do unspent Favors carry over to my next turn or are they lost?"


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


class TestSentences:
    def test_sentences_have_line_and_start(self) -> None:
        assert [
            (sentence.line, sentence.start, sentence.text) for sentence in split_sentences(TEXTS["en"])
        ] == [
            (0, 0, "One. "),
            (0, 5, "Two: "),
            (0, 10, "so."),
            (2, 0, "- Three."),
        ]
        assert [sentence.text for sentence in split_sentences(TEXTS["ja"])] == ["一。", "二。", "- 三。"]

    def test_dot_within_a_word_does_not_end_a_sentence(self) -> None:
        assert [sentence.text for sentence in split_sentences("It is 1.5 or more. Yes!")] == [
            "It is 1.5 or more. ",
            "Yes!",
        ]

    @given(st.text("aB.:;!? 。；\n-", max_size=40))
    def test_sentences_together_are_the_text(self, text: str) -> None:
        """Only punctuation at the beginning of a line may be missing."""
        lines = text.split("\n")
        for sentence in split_sentences(text):
            assert lines[sentence.line][sentence.start :].startswith(sentence.text)
        joined = "".join(sentence.text for sentence in split_sentences(text))
        assert [char for char in joined if char.isalpha()] == [char for char in text if char.isalpha()]


class TestExcerpts:
    @pytest.mark.parametrize(
        ("sentence_id", "excerpt"),
        [
            (1, {"en": "One. Two: so.", "ja": "一。二。"}),
            (2, {"en": "Two: so.", "ja": "一。二。"}),
            (4, {"en": "- Three.", "ja": "- 三。"}),
            (6, {"en": "One. Two: so.", "ja": "二。"}),
        ],
    )
    def test_excerpt_starts_with_the_sentence(self, sentence_id: int, excerpt: dict[str, str]) -> None:
        assert extract_excerpt(TEXTS, sentence_id) == excerpt

    def test_excerpt_omits_languages_with_other_lines(self) -> None:
        assert extract_excerpt({"en": "One.\n\n- Two.", "ja": "一。"}, 2) == {"en": "- Two."}

    def test_index_numbers_sentences_like_excerpt(self, index: Index) -> None:
        for doc_id in range(index.entry_count):
            texts = index.entry(doc_id).text
            sentence_ids = [sentence_id for sentence_id, _ in index.sentences(doc_id, range(1 << 16))]
            assert sentence_ids[0] == SUBJECT and len(set(sentence_ids)) == len(sentence_ids)
            assert extract_excerpt(texts, max(sentence_ids))

    def test_best_sentence_answers_the_question(self, index: Index) -> None:
        doc_id = next(id_ for id_ in index.doc_id_ranges["dominion"] if index.entry(id_).id == "favors")
        coverage, sentence_id = Scores(index, Question(index, QUESTION), "dominion").best_sentence(doc_id)
        assert 0.2 < coverage <= 1
        assert "stay from turn to turn" in extract_excerpt(index.entry(doc_id).text, sentence_id)["en"]


class TestAnswers:
    """Five entries with equally good answers, so that they are shown as a list."""

    text = "A heading of its own.\n\n- It is here.\n- They promote {} with the rook that stands far away."
    query = "when could they promote far away with the rook that stands"

    @pytest.fixture
    def five_entries(self) -> Index:
        return make_test_index(
            *(make_entry(name, text=self.text.format(name)) for name in ("la", "lb", "lc", "ld", "le"))
        )

    def test_each_listed_entry_has_an_excerpt(self, five_entries: Index) -> None:
        (listed,) = answer_query(five_entries, self.query).lists
        assert not listed.is_in_full
        assert {id_: excerpt["en"][:16] for id_, excerpt in listed.excerpts.items()} == {
            name: f"- They promote {name}"[:16] for name in ("la", "lb", "lc", "ld", "le")
        }

    @pytest.mark.parametrize(("rows", "two_line_count"), [(None, 3), (10, 3), (9, 0)])
    def test_first_entries_get_two_lines_if_there_is_room(
        self, five_entries: Index, rows: int | None, two_line_count: int
    ) -> None:
        english = languages.load("en", games.load())
        lines = render_text(
            answer_query(five_entries, self.query), five_entries, english, Style(60), rows=rows
        ).splitlines()
        assert all(width(line) <= 60 for line in lines)
        assert [line[:4] == "    " for line in lines] == [False, True] * two_line_count + [False] * (
            5 - two_line_count
        )
        assert all("]: … They promote" in line for line in lines if line[:4] != "    ")

    def test_line_without_room_for_the_excerpt_ends_with_one_ellipsis(self, five_entries: Index) -> None:
        english = languages.load("en", games.load())
        *_, last = render_text(
            answer_query(five_entries, self.query), five_entries, english, Style(21)
        ).splitlines()
        assert last == "  Headingle [le]: …"

    def test_match_by_name_has_no_excerpts(self, index: Index) -> None:
        assert not any(entry_list.excerpts for entry_list in answer_query(index, "Favors").lists)

    def test_json_has_excerpts(self, five_entries: Index) -> None:
        first, *_ = json.loads(render_json(answer_query(five_entries, self.query)))["results"]
        assert first["excerpt"]["en"].startswith("They promote")
        assert json.loads(run("rules", "favors", "--json").stdout)["results"][0]["excerpt"] == {}
