"""The contents of the rulebooks: completeness, both languages, form, links and names.

tests/facts/claims has each claim of the documents that the project started from, and each setup rule, with
the entry that covers it and phrases of its text in each language. tests/facts/arkham-terms.csv has the terms
of the glossary.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from randomizer.load import games, languages
from randomizer.load.paths import data_folder
from randomizer.rules.entry import Entry, localize
from randomizer.rules.index import Index
from randomizer.rules.lookup import open_index
from randomizer.text.folding import fold, tokenize
from tests.support import TESTS_DIR, read_facts
from tests.support.quality import load_sample_questions

JAPANESE = re.compile(r"[ぁ-ゖァ-ヺ一-龠]")
CLAIMS = sorted((TESTS_DIR / "facts" / "claims").glob("*.csv"))
GAMES_OF_CLAIMS = {"seed-002": "arkham", "seed-003": "pergamemnon"}  # All other files are about Dominion.
RULES = Path(data_folder()) / "rules"
MAX_WORDS_OF_CARD = 90
MAX_WORDS_OF_ANSWER = 70
MAX_WORDS = 200

Entries = dict[tuple[str, str], Entry]  # by game and id


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


@pytest.fixture(scope="module")
def entries(index: Index) -> Entries:
    return {(game, entry.id): entry for game in index.doc_id_ranges for entry in index.entries(game)}


@pytest.fixture(scope="module")
def card_entries() -> list[dict[str, Any]]:
    """The entries below `cards:` of all chapters, as in the files."""
    chapters = [
        yaml.safe_load(path.read_text(encoding="utf-8")) for path in (RULES / "dominion").glob("*.yaml")
    ]
    return [entry for chapter in chapters for entry in chapter.get("cards", ())]


def count_words(text: str) -> int:
    """Count the words of an English text without the signs of list items."""
    return len(text.replace("- ", "").split())


class TestCompleteness:
    def test_every_game_has_a_book_and_dominion_is_first(self, index: Index) -> None:
        counts = {game: len(doc_ids) for game, doc_ids in index.doc_id_ranges.items()}
        assert {"arkham", "pergamemnon"} < set(counts) and next(iter(counts)) == "dominion"
        assert counts["dominion"] > 550
        assert counts["arkham"] >= len(read_facts("arkham-terms"))
        assert counts["pergamemnon"] > 40

    def test_every_text_has_both_languages(self, entries: Entries) -> None:
        for key, entry in entries.items():
            for text in (entry.title, entry.text, *(older.text for older in entry.older)):
                assert text["en"].strip() and text["ja"].strip(), key
                assert not JAPANESE.search(text["en"]), key
                assert JAPANESE.search(text["ja"]), key

    def test_every_older_wording_has_a_date(self, entries: Entries) -> None:
        dates = [older.until for entry in entries.values() for older in entry.older]
        assert dates and all(dates)

    def test_every_entry_has_sources_and_links_to_other_entries(self, entries: Entries) -> None:
        for (game, _), entry in entries.items():
            assert entry.sources, entry.id
            # A list of sources may be cut at its end.
            assert not any("unconfirmed" in source["en"] for source in entry.sources[1:]), entry.id
            assert all((game, id_) in entries for id_ in entry.see), entry.id
            assert entry.id not in entry.see

    def test_unconfirmed_points_exist_in_both_languages(self, entries: Entries) -> None:
        for entry in entries.values():
            points = [int(number) for number in re.findall(r"#(\d+)", entry.sources[0]["en"])]
            for text in entry.text.values() if points else ():
                blocks = re.split(r"\n(?=- |\d+\. )|\n\n", text.strip())
                assert points == sorted(set(points)) and points[-1] < len(blocks), entry.id

    def test_every_sample_question_has_a_word_that_its_entry_lacks(
        self, index: Index, entries: Entries
    ) -> None:
        """The search finds the entry by its own words without a sample question."""
        lexicon = index.lexicon

        def list_tokens(game: str, texts: Iterable[str]) -> set[str]:
            folded = (lexicon.stop_words.remove_phrases(fold(text)) for text in texts)
            return {token for text in folded for token in tokenize(lexicon.replace_synonyms(game, text))}

        for (game, id_), questions in load_sample_questions().items():
            entry = entries[game, id_]
            own_tokens = list_tokens(game, (*entry.title.values(), *entry.text.values(), *entry.aliases))
            for question in (question for several in questions.values() for question in several):
                new_tokens = list_tokens(game, [question]).difference(own_tokens, lexicon.stop_words.stems)
                assert new_tokens, f"{id_}: {question}"

    def test_no_entry_has_the_same_question_twice(self) -> None:
        for key, questions in load_sample_questions().items():
            folded = [fold(question) for several in questions.values() for question in several]
            assert len(set(folded)) == len(folded), key

    def test_every_chapter_has_its_questions_in_a_file_of_the_same_name_and_order(self) -> None:
        def list_ids(entries: list[dict[str, Any]]) -> list[str]:
            return [id_ for entry in entries for id_ in (entry["id"], *list_ids(entry.get("entries", [])))]

        for path in RULES.glob("*/*.yaml"):
            chapter = yaml.safe_load(path.read_text(encoding="utf-8"))
            questions = (path.parent / "questions" / path.name).read_text(encoding="utf-8")
            ids = list_ids([*chapter.get("entries", []), *chapter.get("cards", [])])
            ids_with_questions = list(yaml.safe_load(questions))
            assert ids_with_questions == [id_ for id_ in ids if id_ in ids_with_questions], path

    def test_every_chapter_of_dominion_is_in_the_order(self) -> None:
        books = yaml.safe_load((RULES / "books.yaml").read_text(encoding="utf-8"))
        chapters = [path.stem for path in (RULES / "dominion").glob("*.yaml")]
        assert sorted(books["order"]["dominion"]) == sorted([*chapters, "cards"])

    def test_no_alias_belongs_to_two_entries_of_a_book(self, index: Index) -> None:
        for game in index.doc_id_ranges:
            counts = Counter(
                alias for entry in index.entries(game) for alias in {fold(alias) for alias in entry.aliases}
            )
            assert [alias for alias, count in counts.items() if count > 1] == []

    @pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.stem)
    def test_entry_of_each_claim_states_it_in_both_languages(self, entries: Entries, path: Path) -> None:
        """The columns `en` and `ja` have phrases of the entry that state it, with ` | ` between them."""
        game = GAMES_OF_CLAIMS.get(path.stem, "dominion")
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) > 50
        assert len({row["claim"] for row in rows}) == len(rows)
        missing = []
        for row in rows:
            entry = entries[game, row["entry"]]
            for code, joiner, min_length in (("en", " ", 8), ("ja", "", 5)):
                assert len(row[code]) >= min_length, row
                older = [wording.text[code] for wording in entry.older]
                texts = [joiner.join(text.split()) for text in (entry.text[code], *older)]
                missing += [
                    (row["claim"], row["gist"], phrase)
                    for phrase in row[code].split(" | ")
                    if not any(phrase in text for text in (*texts, *entry.aliases, entry.title[code]))
                ]
        assert missing == []

    def test_every_term_of_the_glossary_has_an_entry(self, entries: Entries) -> None:
        for row in read_facts("arkham-terms"):
            entry = entries["arkham", row["id"]]
            if row["id"] == "direct-damage-direct-horror-2":  # Its heading is a mistake for discard piles.
                continue
            assert entry.title["en"] == row["en"]
            aliases = {
                alias for twin in entries.values() if twin.title == entry.title for alias in twin.aliases
            }
            assert not row["ja"] or row["ja"] in aliases | {entry.title["ja"]}
            assert entry.parent == row["parent"]
            assert set(filter(None, row["see"].split(";"))) <= set(entry.see)


class TestBrevity:
    """Readers are in the middle of a game."""

    def test_first_paragraph_and_whole_text_are_short(self, index: Index) -> None:
        for entry in index.entries("dominion"):
            first, *others = map(count_words, entry.text["en"].split("\n\n"))
            assert first <= MAX_WORDS_OF_ANSWER and first + sum(others) <= MAX_WORDS, entry.id

    def test_no_entry_only_refers_to_another(self, entries: Entries) -> None:
        for entry in entries.values():
            assert not re.match(r"See\b", entry.text["en"]), entry.id
            assert not re.match(r".{,30}を参照", entry.text["ja"]), entry.id


class TestCards:
    """The entries of single cards."""

    def test_title_is_the_name_of_the_card(self, card_entries: list[dict[str, Any]]) -> None:
        japanese = languages.load("ja", games.load()).cards
        for entry in card_entries:
            card = entry["title"]["en"]
            assert entry["title"]["ja"] == japanese[card]
            assert entry.get("cards", [card]) == [card]

    def test_every_text_has_a_list_of_rulings(self, card_entries: list[dict[str, Any]]) -> None:
        for entry in card_entries:
            for text in entry["text"].values():
                assert re.search(r"^- ", text, re.MULTILINE), entry["id"]

    def test_first_paragraph_is_a_sentence_and_the_rest_a_list(
        self, card_entries: list[dict[str, Any]]
    ) -> None:
        for entry in card_entries:
            assert count_words(entry["text"]["en"]) <= MAX_WORDS_OF_CARD, entry["id"]
            for code, text in entry["text"].items():
                first, *others = text.strip().split("\n\n")
                assert first.endswith("." if code == "en" else "。"), entry["id"]
                assert all(line.startswith(("- ", "  ")) for other in others for line in other.split("\n"))

    def test_every_card_has_an_entry_with_effect_rulings_and_source(self, index: Index) -> None:
        entries = {localize(entry.title, "en"): entry for entry in index.entries("dominion")}
        cards = games.load().cards
        assert len(cards) >= 858
        for name in cards:
            entry = entries[name]
            assert entry.sources, name
            assert count_words(entry.text["en"]) <= MAX_WORDS_OF_CARD, name
            for code in ("en", "ja"):
                effect, *rulings = entry.text[code].split("\n\n")
                assert effect and not effect.startswith("- "), name
                assert any(line.startswith("- ") for block in rulings for line in block.split("\n")), name
