"""Excerpts: the text of an entry from the sentence that covers most of the question."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.load import games, languages
from randomizer.rules.entry import SUBJECT, extract_excerpt, split_sentences
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
        assert [(one.line, one.start, one.text) for one in split_sentences(TEXTS["en"])] == [
            (0, 0, "One. "),
            (0, 5, "Two: "),
            (0, 10, "so."),
            (2, 0, "- Three."),
        ]
        assert [one.text for one in split_sentences(TEXTS["ja"])] == ["一。", "二。", "- 三。"]

    def test_dot_within_a_word_does_not_end_a_sentence(self) -> None:
        assert [one.text for one in split_sentences("It is 1.5 or more. Yes!")] == [
            "It is 1.5 or more. ",
            "Yes!",
        ]

    @given(st.text("aB.:;!? 。；\n-", max_size=40))
    def test_sentences_together_are_the_text(self, text: str) -> None:
        """Only punctuation at the beginning of a line may be missing."""
        lines = text.split("\n")
        for sentence in split_sentences(text):
            assert lines[sentence.line][sentence.start :].startswith(sentence.text)
        said = "".join(sentence.text for sentence in split_sentences(text))
        assert [letter for letter in said if letter.isalpha()] == [one for one in text if one.isalpha()]


class TestExcerpts:
    @pytest.mark.parametrize(
        ("number", "said"),
        [
            (1, {"en": "One. Two: so.", "ja": "一。二。"}),
            (2, {"en": "Two: so.", "ja": "一。二。"}),
            (4, {"en": "- Three.", "ja": "- 三。"}),
            (6, {"en": "One. Two: so.", "ja": "二。"}),
        ],
    )
    def test_excerpt_starts_with_the_sentence(self, number: int, said: dict[str, str]) -> None:
        assert extract_excerpt(TEXTS, number) == said

    def test_excerpt_omits_languages_with_other_lines(self) -> None:
        assert extract_excerpt({"en": "One.\n\n- Two.", "ja": "一。"}, 2) == {"en": "- Two."}

    def test_index_numbers_sentences_like_excerpt(self, index: Index) -> None:
        for number in range(index.entry_count):
            texts = index.entry(number).text
            numbers = [which for which, _ in index.sentences(number, range(1 << 16))]
            assert numbers[0] == SUBJECT and len(set(numbers)) == len(numbers)
            assert extract_excerpt(texts, max(numbers))

    def test_best_sentence_answers_the_question(self, index: Index) -> None:
        number = next(n for n in index.doc_id_ranges["dominion"] if index.entry(n).id == "favors")
        part, sentence = Scores(index, Question(index, QUESTION), "dominion").best_sentence(number)
        assert 0.2 < part <= 1
        assert "stay from turn to turn" in extract_excerpt(index.entry(number).text, sentence)["en"]


class TestAnswers:
    """Five entries with equally good answers, so that they are shown as a list."""

    text = "A heading of its own.\n\n- It is here.\n- They promote {} with the rook that stands far away."
    query = "when could they promote far away with the rook that stands"

    @pytest.fixture
    def five(self) -> Index:
        return make_test_index(
            *(make_entry(name, text=self.text.format(name)) for name in ("la", "lb", "lc", "ld", "le"))
        )

    def test_each_listed_entry_has_an_excerpt(self, five: Index) -> None:
        (listed,) = answer_query(five, self.query).lists
        assert not listed.is_in_full
        assert {id_: said["en"][:16] for id_, said in listed.excerpts.items()} == {
            name: f"- They promote {name}"[:16] for name in ("la", "lb", "lc", "ld", "le")
        }

    @pytest.mark.parametrize(("rows", "deep"), [(None, 3), (10, 3), (9, 0)])
    def test_first_entries_get_two_lines_if_there_is_room(
        self, five: Index, rows: int | None, deep: int
    ) -> None:
        english = languages.load("en", games.load())
        lines = render_text(answer_query(five, self.query), five, english, Style(60), rows=rows).splitlines()
        assert all(width(line) <= 60 for line in lines)
        assert [line[:4] == "    " for line in lines] == [False, True] * deep + [False] * (5 - deep)
        assert all("]: … They promote" in line for line in lines if line[:4] != "    ")

    def test_line_without_room_for_the_excerpt_ends_with_one_ellipsis(self, five: Index) -> None:
        english = languages.load("en", games.load())
        *_, last = render_text(answer_query(five, self.query), five, english, Style(21)).splitlines()
        assert last == "  Headingle [le]: …"

    def test_match_by_name_has_no_excerpts(self, index: Index) -> None:
        assert not any(each.excerpts for each in answer_query(index, "Favors").lists)

    def test_json_has_excerpts(self, five: Index) -> None:
        first, *_ = json.loads(render_json(answer_query(five, self.query)))["results"]
        assert first["excerpt"]["en"].startswith("They promote")
        assert json.loads(run("rules", "favors", "--json").stdout)["results"][0]["excerpt"] == {}
