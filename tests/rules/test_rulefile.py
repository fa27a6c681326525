"""The reader of the rulebooks' files: what it reads, and which faults it reports."""

from io import BytesIO
from pathlib import Path

import pytest

from randomizer.load import games
from randomizer.load.paths import data_folder
from randomizer.rules.entry import DirectAnswer, localize
from randomizer.rules.index_builder import build_index
from randomizer.rules.lookup import open_index
from randomizer.rules.rulefile import Rulebooks, read_books, unwrap
from randomizer.text.errors import BadData

BOOKS = "books: {chess: {en: Chess, ja: チェス}}\nsources: {fide: {en: FIDE, ja: 国際連盟}}\n"
MOVES = """
chapter: {en: Moves, ja: 動き}
entries:
  - id: rook
    title: {en: Rook, ja: ルーク}
    reading: るーく
    aliases: [tower]
    text: {en: Moves straight., ja: まっすぐ動く。}
    see: [pawn]
    sources: [fide 3.3]
  - id: pawn
    title: {en: Pawn, ja: ポーン}
    reading: ぽーん
    text: {en: Moves ahead., ja: 前へ動く。}
    sources: [fide]
"""
ONLY_ROOK = MOVES[: MOVES.index("  - id: pawn")].replace("see: [pawn]", "")
QUESTIONS = "rook: {en: [how far does a rook go], ja: [ルークはどこまで動くか]}"
ANSWERS = """
rook:
  - ask: {en: [may a rook jump], ja: [ルークは飛び越せる]}
    answer: no
    text: {en: A rook jumps over nothing., ja: ルークは何も飛び越さない。}
    source: fide 3.3
"""
CHAPTER = """
chapter: {en: Chapter}
entries:
  - {id: RULE, title: {en: Title}, text: {en: Text.}, sources: [fide]}
cards:
  - {id: CARD, title: {en: Title}, text: {en: Text.}, sources: [fide]}
"""


def read(folder: Path, files: dict[str, str]) -> Rulebooks:
    """Write files into a folder, by their path within it, and read them as rulebooks."""
    paths = []
    for name, content in {"books.yaml": BOOKS, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        paths.append(str(path))
    return read_books(paths, [games.load()], ["en", "ja", "fr"])


def read_faults(folder: Path, files: dict[str, str]) -> str:
    """Read files that have faults, and return the faults."""
    with pytest.raises(BadData) as raised:
        read(folder, files)
    return str(raised.value)


def test_index_depends_on_every_data_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index names cards and languages, so that it also depends on the files of games and languages."""
    sources: list[str] = []

    def open_or_compute(name: str, paths: list[str], *_: object, packages: tuple[str, ...]) -> BytesIO:
        assert "rules" in packages
        sources.extend(paths)
        return BytesIO(build_index(Rulebooks({}, [], []), [games.load()], []))

    monkeypatch.setattr("randomizer.rules.lookup.open_or_compute", open_or_compute)
    open_index()
    assert sorted(sources) == sorted(map(str, Path(data_folder()).rglob("*.yaml")))


class TestEntries:
    def test_new_book_needs_only_files(self, tmp_path: Path) -> None:
        files = {"chess/moves.yaml": MOVES, "chess/questions/moves.yaml": QUESTIONS}
        titles, entries, *_ = read(tmp_path, files)
        assert titles["chess"]["en"] == "Chess"
        assert [entry.id for entry in entries] == ["rook", "pawn"]
        assert entries[0].sources == [{"en": "FIDE 3.3", "ja": "国際連盟 3.3"}]
        assert entries[0].sample_questions == {
            "en": ("how far does a rook go",),
            "ja": ("ルークはどこまで動くか",),
        }

    def test_entry_has_its_direct_answers(self, tmp_path: Path) -> None:
        rook, pawn = read(tmp_path, {"chess/moves.yaml": MOVES, "chess/answers/moves.yaml": ANSWERS}).entries
        assert rook.answers == [
            DirectAnswer(
                asks={"en": ("may a rook jump",), "ja": ("ルークは飛び越せる",)},
                verdict="no",
                short={},
                text={"en": "A rook jumps over nothing.", "ja": "ルークは何も飛び越さない。"},
                source={"en": "FIDE 3.3", "ja": "国際連盟 3.3"},
            )
        ]
        assert not pawn.answers

    def test_chapter_without_questions_is_valid(self, tmp_path: Path) -> None:
        entries = read(tmp_path, {"chess/moves.yaml": MOVES}).entries
        assert [entry.sample_questions for entry in entries] == [{}, {}]

    def test_text_without_a_translation_is_shown_in_english(self, tmp_path: Path) -> None:
        rook, pawn = read(tmp_path, {"chess/moves.yaml": MOVES.replace("ja: ルーク", "fr: Tour")}).entries
        assert rook.title == {"en": "Rook", "fr": "Tour"}
        assert [localize(entry.title, "fr") for entry in (rook, pawn)] == ["Tour", "Pawn"]

    def test_entries_are_in_the_order_of_the_list_with_all_cards_together(self, tmp_path: Path) -> None:
        ids = {"ends": ("mate", "king"), "openings": ("gambit", "queen"), "unlisted": ("clock", "board")}
        files = {
            f"chess/{name}.yaml": CHAPTER.replace("RULE", rule).replace("CARD", card)
            for name, (rule, card) in ids.items()
        }
        order = "order: {chess: [openings, cards, moves, ends]}"
        entries = read(
            tmp_path, {"books.yaml": f"{BOOKS}{order}", **files, "chess/moves.yaml": MOVES}
        ).entries
        expected = "gambit king queen board rook pawn mate clock"
        assert [entry.id for entry in entries] == expected.split()


class TestFaults:
    @pytest.mark.parametrize(
        ("old", "new", "fault"),
        [
            ("aliases: [tower]", "see: [pawn]", "moves.yaml: rook.see: no entry 'pawn' in chess"),
            ("[fide 3.3]", "[fifa]", "moves.yaml: rook.sources: no source named 'fifa'"),
            ("aliases: [tower]", "cards: [Villlage]", "no card named 'Villlage'; did you mean Village?"),
            ("aliases: [tower]", "color: white", "moves.yaml: rook: unknown field 'color'"),
            ("aliases: [tower]", "asks: {en: [how far]}", "moves.yaml: rook: unknown field 'asks'"),
            (
                "aliases: [tower]",
                "older: {until: 1851, text: {fr: Tout droit.}}",
                "moves.yaml: rook.older.text: en missing",
            ),
            (
                "aliases: [tower]",
                "older: {until: 1851, text: {en: Any, eo: Iu}}",
                "no language named 'eo'",
            ),
        ],
    )
    def test_fault_of_an_entry_is_reported_with_its_path(
        self, tmp_path: Path, old: str, new: str, fault: str
    ) -> None:
        assert fault in read_faults(tmp_path, {"chess/moves.yaml": ONLY_ROOK.replace(old, new)})

    def test_id_that_is_used_twice_is_reported(self, tmp_path: Path) -> None:
        faults = read_faults(tmp_path, {"chess/moves.yaml": MOVES.replace("id: pawn", "id: rook")})
        assert "rook: defined before, in moves.yaml" in faults

    def test_folder_that_is_no_book_is_reported(self, tmp_path: Path) -> None:
        for name in ("checkers/moves.yaml", "checkers/questions/moves.yaml"):
            content = QUESTIONS if "questions" in name else ONLY_ROOK
            faults = read_faults(tmp_path, {"chess/moves.yaml": MOVES, name: content})
            assert "moves.yaml: no book named 'checkers' in books.yaml" in faults

    def test_order_with_an_unknown_chapter_is_reported(self, tmp_path: Path) -> None:
        books = f"{BOOKS}order: {{chess: [move]}}"
        faults = read_faults(tmp_path, {"books.yaml": books, "chess/moves.yaml": MOVES})
        assert "books.yaml: order.chess: no chapter named 'move'" in faults

    @pytest.mark.parametrize(
        ("questions", "fault"),
        [
            ("rok: {en: [how far]}", "questions/moves.yaml: no entry 'rok' in chess"),
            ("[]", "questions/moves.yaml: not a mapping"),
            ("rook: {en: {}}", "questions/moves.yaml: rook.en"),
            ("rook: {eo: [Kiel]}", "questions/moves.yaml: rook: no language named 'eo'"),
        ],
    )
    def test_fault_of_questions_is_reported_with_its_path(
        self, tmp_path: Path, questions: str, fault: str
    ) -> None:
        files = {"chess/moves.yaml": MOVES, "chess/questions/moves.yaml": questions}
        assert fault in read_faults(tmp_path, files)

    @pytest.mark.parametrize(
        ("old", "new", "fault"),
        [
            ("rook:", "rok:", "answers/moves.yaml: no entry 'rok' in chess"),
            ("answer: no", "answer: never", "rook.answer: not yes, no or a number: 'never'"),
            ("answer: no", "answer: -1", "rook.answer: not yes, no or a number: '-1'"),
            ("answer: no", "", "rook: an answer has either `answer` or `short`"),
            ("answer: no", "answer: no\n    short: {en: Never}", "rook: an answer has either"),
            ("answer: no", "short: {ja: いいえ}", "rook.short: en missing"),
            ("en: A rook jumps over nothing., ", "", "rook.text: en missing"),
            ("fide 3.3", "fifa", "rook.source: no source named 'fifa'"),
            ("{en: [", "{eo: [", "no language named 'eo'"),
        ],
    )
    def test_fault_of_a_direct_answer_is_reported(
        self, tmp_path: Path, old: str, new: str, fault: str
    ) -> None:
        files = {"chess/moves.yaml": MOVES, "chess/answers/moves.yaml": ANSWERS.replace(old, new)}
        assert fault in read_faults(tmp_path, files)

    def test_question_that_two_entries_answer_is_reported(self, tmp_path: Path) -> None:
        answers = ANSWERS + ANSWERS.replace("rook:", "pawn:")
        faults = read_faults(tmp_path, {"chess/moves.yaml": MOVES, "chess/answers/moves.yaml": answers})
        assert "pawn: 'may a rook jump' is also asked in answers/moves.yaml: rook" in faults

    def test_entry_with_questions_in_two_files_is_reported(self, tmp_path: Path) -> None:
        files = {"chess/moves.yaml": MOVES, "chess/questions/moves.yaml": QUESTIONS}
        faults = read_faults(tmp_path, {**files, "chess/questions/other.yaml": QUESTIONS})
        assert "questions/other.yaml: rook: defined before, in questions/moves.yaml" in faults


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("one\ntwo", "one two"),
        ("一\n二", "一二"),
        ("一\ntwo", "一two"),
        ("für\nüber – \nall", "für über – all"),
        ("one\n\n- two\n  three\n  - four\n1. five\n\nsix", "one\n\n- two three\n  - four\n1. five\n\nsix"),
    ],
)
def test_unwrap_joins_lines_by_a_space_unless_the_script_has_none(lines: str, expected: str) -> None:
    assert unwrap(lines) == expected
