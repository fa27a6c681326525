"""How well rules are found: hits at 1 and 5 of the queries in tests/queries.csv and its like."""

import csv
from collections import Counter
from pathlib import Path

from randomizer.rules.index import Index
from randomizer.rules.search import look_up
from tests.support import HERE

QUERIES, UNSEEN, OF_CARDS = HERE / "queries.csv", HERE / "unseen.csv", HERE / "asked-of-cards.csv"


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
