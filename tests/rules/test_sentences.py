"""Sentences of the rulebooks, and passages that make sense without the rest of their text."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.rules.index import Index
from randomizer.rules.lookup import open_index
from randomizer.rules.sentences import Sentence, extract_passage, extract_passages, split_sentences

TEXT = "One rook moves. It jumps: never.\n\n- Three pawns may still move on."


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


def iter_texts(index: Index) -> Iterator[tuple[str, str]]:
    """Yield (entry ID with language, text) for every text of every entry and every direct answer."""
    for book in index.titles:
        for entry in index.entries(book):
            texts = [entry.text, *(answer.text for answer in entry.answers)]
            for text in texts:
                yield from ((f"{entry.id} {language}", own) for language, own in text.items())


def make_sentence(text: str, *, is_first: bool = True) -> Sentence:
    return Sentence(0, 0, text, 1, is_first)


class TestSplitting:
    def test_sentences_have_line_start_and_level(self) -> None:
        assert [sentence[:4] for sentence in split_sentences(f"{TEXT}\n  - Four.")] == [
            (0, 0, "One rook moves. ", 0),
            (0, 16, "It jumps: never.", 0),
            (2, 2, "Three pawns may still move on.", 1),
            (3, 4, "Four.", 2),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "It is 1.5 or more. |Yes!",
            "Read what it says (at once!). |Then stop.",
            "一。|二（三。）四。",
            "「一。二。」と言う。|三。",
            "1. |Say it: now; or never.",
        ],
    )
    def test_sentence_ends_at_the_end_of_a_thought(self, text: str) -> None:
        line = text.replace("|", "")
        sentences = [sentence.text for sentence in split_sentences(line)]
        assert sentences == [part for part in text.split("|") if part != "1. "]

    @given(st.text("aB.:;!? 。；\n-」（", max_size=40))
    def test_sentences_together_are_the_text(self, text: str) -> None:
        """Only punctuation at the beginning of a line may be missing."""
        lines = text.split("\n")
        for sentence in split_sentences(text):
            assert lines[sentence.line][sentence.start :].startswith(sentence.text)
        joined = "".join(sentence.text for sentence in split_sentences(text))
        assert [char for char in joined if char.isalpha()] == [char for char in text if char.isalpha()]


class TestDependence:
    @pytest.mark.parametrize(
        "text",
        [
            "But the Curse stays where it was put.",
            "It gives a card to its owner each turn.",
            "Playing it does only what stands above the line.",
            "After that the card is discarded as usual.",
            "Both of them are put onto the deck again.",
            "Neither of the two counts as an Action.",
            "All others: once each time their moment comes.",
            "Draw first.",
            "cards in a deck or in a hand of cards;",
            "Way of the Chameleon is different: you do follow the card.",
            "ただし、銅貨は除く。",
            "その後は減らない。",
            "これは獲得ではない。",
            "例外は銅貨である。",
        ],
    )
    def test_sentence_depends_on_another(self, text: str) -> None:
        assert make_sentence(text).is_dependent

    @pytest.mark.parametrize(
        "text",
        [
            "Coins that you have not spent are lost at the end of the turn.",
            "All 60 Coppers are used in every game.",
            "Throne Room doubles both turns of the Duration card.",
            "With no Loot left, the coin and the Buy still come.",
            "堀は本人だけを守る。",
            "このターンに使用したカードだけを数える。",
        ],
    )
    def test_sentence_stands_alone(self, text: str) -> None:
        assert not make_sentence(text).is_dependent

    def test_japanese_sentence_without_a_topic_depends_on_the_one_before(self) -> None:
        assert make_sentence("捨て札に置く。", is_first=False).is_dependent
        assert not make_sentence("捨て札に置く。").is_dependent


class TestPassages:
    @pytest.mark.parametrize(
        ("text", "position", "passage"),
        [
            (TEXT, 0, "One rook moves."),
            (TEXT, 1, "One rook moves. It jumps: never."),
            (TEXT, 2, "Three pawns may still move on."),
            (
                "Rooks move.\n\n- It is so.\n- But not always for all.",
                2,
                "Rooks move.\n- It is so.\n- But not always for all.",
            ),
            ("Rooks:\n\n- Two pawns move straight on.\n- Out.", 1, "Rooks: Two pawns move straight on."),
            ("Rooks:\n\n- Two pawns move.\n- Out.\n\nEnd.", 0, "Rooks:\n- Two pawns move.\n- Out."),
            ("In play:\n\n- rooks;\n- pawns.", 1, "In play:\n- rooks;\n- pawns."),
            ("一は二。三。\n\n- ただし四。", 2, "一は二。三。ただし四。"),
            (
                "Men:\n\n- Rook: moves straight on. Two pawns may block the way.",
                2,
                "Men: Rook: moves straight on. Two pawns may block the way.",
            ),
        ],
    )
    def test_passage_has_what_the_sentence_needs(self, text: str, position: int, passage: str) -> None:
        assert extract_passage(text, position).text == passage

    def test_every_passage_of_the_books_is_complete(self, index: Index) -> None:
        """It begins with the text, or with a sentence that needs no other, and ends with one."""
        faults = []
        for label, text in iter_texts(index):
            sentences = split_sentences(text)
            for position, sentence in enumerate(sentences):
                passage = extract_passage(text, position)
                first = next(
                    each
                    for each in sentences
                    if passage.text.removeprefix("- ").startswith(each.text.strip())
                )
                before = sentences[: sentences.index(first)]
                is_start = not any(each.level < max(first.level, 1) for each in before)
                if sentence.text.strip() not in passage.text or not (is_start or not first.is_dependent):
                    faults.append((label, passage.text))
                if not re.search(r"[.!?。！？][)”\"’）」』]*$", passage.text) and "\n" not in passage.text:
                    faults.append((label, passage.text))
        assert faults == []

    def test_brackets_do_not_end_a_sentence(self) -> None:
        for text in ("旗（旗手の獲得。使用ではない）：引く。", "Draw (first. Then more) of it."):
            assert [sentence.text for sentence in split_sentences(text)] == [text]

    def test_direct_answers_are_complete_sentences(self, index: Index) -> None:
        for book in index.titles:
            for entry in index.entries(book):
                for text in (text for answer in entry.answers for text in answer.text.values()):
                    assert not split_sentences(text)[0].is_dependent, text
                    assert all(sentence.is_complete for sentence in split_sentences(text)), text

    @pytest.mark.parametrize(
        ("number", "passages"),
        [
            (1, {"en": "Rooks move on straight lines.", "ja": "一は二。"}),
            (2, {"en": "Pawns do so on one line.", "ja": "三は四。"}),
            (3, {"en": "Kings move just one step.", "ja": "五は六。"}),
            (6, {"en": "Kings move just one step.", "ja": "五は六。"}),
        ],
    )
    def test_passage_is_the_same_in_other_languages(self, number: int, passages: dict[str, str]) -> None:
        texts = {
            "en": "Rooks move on straight lines. Pawns do so on one line.\n\n- Kings move just one step.",
            "ja": "一は二。三は四。\n\n- 五は六。",
        }
        found = extract_passages(texts, number)
        assert {language: passage.text for language, passage in found.items()} == passages

    def test_language_with_other_lines_is_left_out(self) -> None:
        assert extract_passages({"en": "One.\n\n- Two pawns move straight on.", "ja": "一。"}, 2).keys() == {
            "en"
        }
