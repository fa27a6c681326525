"""How well rules are found: hits at 1 and 5 of the queries in tests/queries.csv and its like."""

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
from tests.support import HERE

QUERIES, UNSEEN, OF_CARDS = HERE / "queries.csv", HERE / "unseen.csv", HERE / "asked-of-cards.csv"
STRANGERS = HERE / "strangers.csv"


@cache
def asked() -> Mapping[tuple[str, str], Mapping[str, Sequence[str]]]:
    """By game and id of an entry, what it is asked, as its file has it: the index does not keep it."""
    books = read_books(
        list_rule_files(), [games.load(name) for name in games.list_games()], languages.list_codes()
    )
    return {(entry.game, entry.id): entry.sample_questions for entry in books.entries}


def found_by(index: Index, query: str, game: str) -> list[str]:
    """The ids of what a query finds, those of another game with its name in front."""
    default = next(iter(index.titles))
    entries = [index.entry(number) for number in look_up(index, query, game or None).entries[:5]]
    wanted = game or default
    return [entry.id if entry.game == wanted else f"{entry.game}:{entry.id}" for entry in entries]


def measured(
    index: Index, path: Path
) -> tuple[dict[str, tuple[int, int, int]], list[tuple[str, str, list[str]]]]:
    """By sort of query: how many there are, hits at 1, hits at 5; and the queries that were not first."""
    total: Counter[str] = Counter()
    first: Counter[str] = Counter()
    five: Counter[str] = Counter()
    misses = []
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            expected = row["expect"].split("|")
            found = found_by(index, row["query"], row["game"])
            total[row["sort"]] += 1
            first[row["sort"]] += found[:1] != [] and found[0] in expected
            five[row["sort"]] += bool(set(expected) & set(found))
            if not found or found[0] not in expected:
                misses.append((row["query"], row["expect"], found))
    return {sort: (total[sort], first[sort], five[sort]) for sort in total}, misses


def told(index: Index, path: Path) -> dict[str, Counter[str]]:
    """By sort of query: what whoever asked is told.

    The counts, each of queries:
        asked: all of them.
        answerable: those that an entry answers.
        first, five: those answered by the first result, or by one of the first five; the card that was asked
            for, where an answer names it, is a first result.
        whole: those for which an entry is printed in full.
        wrong: of these, those that it does not answer.
        nothing: those for which nothing is found.
    """
    counts: dict[str, Counter[str]] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            expected = set(row["expect"].split("|")) - {""}
            game = row["game"] or next(iter(index.titles))
            answer = answer_query(index, row["query"], row["game"] or None)
            of_card = f"card:{answer.card}" in expected
            hits = [_answers(entry, game, expected) for each in answer.lists for entry in each.entries][:5]
            whole = [entry for each in answer.lists if each.is_in_full for entry in each.entries][:1]
            counts.setdefault(row["sort"], Counter()).update(
                asked=1,
                answerable=bool(expected),
                first=of_card or any(hits[:1]),
                five=of_card or any(hits),
                whole=len(whole),
                wrong=sum(not _answers(entry, game, expected) for entry in whole),
                nothing=not answer,
            )
    return counts


def _answers(entry: Entry, game: str, expected: Collection[str]) -> bool:
    """Whether an entry is among those expected: by its id, or `card:NAME` by its English title."""
    return entry.game == game and (entry.id in expected or f"card:{entry.title[ENGLISH]}" in expected)
