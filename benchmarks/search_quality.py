"""How well rules are found: `python -m benchmarks.search_quality` prints hits at 1 and 5, by sort of query.

The queries and what each should find are tests/queries.csv: a query counts as hit at 1 if the first result
is one of the entries expected, at 5 if one of the first five is. `--misses` lists what was not first.

Nobody looked at the questions of tests/unseen.csv while making the look-up good at the others: they tell what
to expect of the next question. Their misses are not listed, so that it stays so.
"""

import csv
import sys
from collections import Counter
from pathlib import Path

from randomizer.rules.index import Index, open_index
from randomizer.rules.search import look_up

TESTS = Path(__file__).parent.parent / "tests"
QUERIES, UNSEEN = TESTS / "queries.csv", TESTS / "unseen.csv"


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


def main() -> None:
    """Print the figures."""
    index = open_index()
    for path in (QUERIES, UNSEEN):
        by_sort, misses = measured(index, path)
        sums = [sum(figures) for figures in zip(*by_sort.values(), strict=True)]
        print(f"{path.name:12}{'number':>8}{'hit at 1':>10}{'hit at 5':>10}")
        for sort, (total, first, five) in [*by_sort.items(), ("all", sums)]:
            print(f"{sort:12}{total:8}{first / total:10.1%}{five / total:10.1%}")
        print()
        if path == QUERIES and "--misses" in sys.argv[1:]:
            for query, expected, found in misses:
                print(f"{query} → {expected}; found {', '.join(found) or 'nothing'}")


if __name__ == "__main__":
    main()
