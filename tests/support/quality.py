"""Quality of the search for rules, measured with the questions in tests/queries.csv and similar files."""

import csv
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from randomizer.load import games, languages
from randomizer.rules.entry import Entry
from randomizer.rules.index import Index
from randomizer.rules.lookup import answer_query, list_rule_files
from randomizer.rules.rulefile import read_books
from randomizer.rules.search import look_up
from randomizer.text.language import ENGLISH
from tests.support import TESTS_DIR

QUERIES, UNSEEN_QUERIES, CARD_QUERIES = (
    TESTS_DIR / "queries.csv",
    TESTS_DIR / "unseen.csv",
    TESTS_DIR / "asked-of-cards.csv",
)
STRANGER_QUERIES = TESTS_DIR / "strangers.csv"


@cache
def load_sample_questions() -> Mapping[tuple[str, str], Mapping[str, Sequence[str]]]:
    """Return the sample questions by language, by (game, entry ID). The index does not contain their text."""
    books = read_books(
        list_rule_files(), [games.load(name) for name in games.list_games()], languages.list_codes()
    )
    return {(entry.game, entry.id): entry.sample_questions for entry in books.entries}


def _find_ids(index: Index, query: str, game: str) -> list[str]:
    """Return the IDs of the first five results of a query. IDs of other games have the game as a prefix."""
    entries = [index.entry(doc_id) for doc_id in look_up(index, query, game or None).entries[:5]]
    expected_game = game or index.default_game
    return [entry.id if entry.game == expected_game else f"{entry.game}:{entry.id}" for entry in entries]


def measure_hit_rates(
    index: Index, path: Path
) -> tuple[dict[str, tuple[int, int, int]], list[tuple[str, str, list[str]]]]:
    """Count the hits of the queries in a file.

    Returns:
        (queries, hits at 1, hits at 5) by kind of query; and (query, expected, found) for each query whose
        first result is not expected.
    """
    total: Counter[str] = Counter()
    hits_at_1: Counter[str] = Counter()
    hits_at_5: Counter[str] = Counter()
    misses = []
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            expected = row["expect"].split("|")
            found = _find_ids(index, row["query"], row["game"])
            is_hit = bool(found) and found[0] in expected
            total[row["sort"]] += 1
            hits_at_1[row["sort"]] += is_hit
            hits_at_5[row["sort"]] += bool(set(expected) & set(found))
            if not is_hit:
                misses.append((row["query"], row["expect"], found))
    return {sort: (total[sort], hits_at_1[sort], hits_at_5[sort]) for sort in total}, misses


def count_outcomes(index: Index, path: Path, labels: str = "expect") -> dict[str, Counter[str]]:
    """Count the outcomes of the queries in a file, by kind of query.

    Args:
        index: the search index.
        path: the file.
        labels: the column with the expected entries.

    The counts are:
        asked: all queries.
        answerable: queries that an entry answers.
        first: queries that the first result answers. The page of an expected card counts as a first result.
        five: queries that one of the first five results answers.
        whole: queries for which an entry is shown in full.
        wrong: queries for which an entry is shown in full that does not answer them.
        nothing: queries without a result.
    """
    counts: dict[str, Counter[str]] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            expected = set(row[labels].split("|")) - {""}
            game = row["game"] or index.default_game
            answer = answer_query(index, row["query"], row["game"] or None)
            is_expected_card = f"card:{answer.card}" in expected
            entries = [entry for entry_list in answer.lists for entry in entry_list.entries]
            hits = [_is_expected(entry, game, expected) for entry in entries[:5]]
            in_full = [
                entry
                for entry_list in answer.lists
                if entry_list.is_in_full and answer.in_full
                for entry in entry_list.entries
            ][:1]
            counts.setdefault(row["sort"], Counter()).update(
                asked=1,
                answerable=bool(expected),
                first=is_expected_card or any(hits[:1]),
                five=is_expected_card or any(hits),
                whole=len(in_full),
                wrong=sum(not _is_expected(entry, game, expected) for entry in in_full),
                nothing=not answer,
            )
    return counts


def _is_expected(entry: Entry, game: str, expected: Collection[str]) -> bool:
    """Return whether an entry is expected by its ID, or as `card:NAME` by its English title."""
    return entry.game == game and (entry.id in expected or f"card:{entry.title[ENGLISH]}" in expected)
