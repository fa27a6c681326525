"""Measures the rule search: `python -m benchmarks.search_quality` prints hits by kind of query.

tests/queries.csv has queries with their expected entries. A query is a hit at 1 if the first result is an
expected entry, and a hit at 5 if one of the first five results is. `--misses` lists the queries that are not
a hit at 1.

tests/asked-of-cards.csv has questions about individual cards, by the authors of the cards' entries.

tests/unseen.csv is a held-out set: nobody writes entries or sample questions for it. Its misses are not
listed, so that it stays unseen. The sample questions and constants that remain were chosen with all four
files (see docs/quality.md), so that their figures are a little too good for new questions.

tests/strangers.csv is a held-out set by a player who had not read the entries. Some of its questions have no
answer in a rulebook. The right result is then that no entry is shown in full. For this file, the table also
shows the percentage of queries for which an entry is shown in full, the percentage of wrong ones among these
entries (goal: at most 2 %), the percentage of queries for which an entry is shown in full that answers ("and
right"), and the percentage without a result. There are two tables: by the labels in the column `expect`,
which were widened twice after results had been seen, and by those of the first version of the file in the
column `original_expect`. Neither may change.
"""

import sys
from collections import Counter

from randomizer.rules.lookup import open_index
from tests.support.quality import (
    CARD_QUERIES,
    QUERIES,
    STRANGER_QUERIES,
    UNSEEN_QUERIES,
    count_outcomes,
    measure_hit_rates,
)


def main() -> None:
    """Print the tables."""
    index = open_index()
    for path in (QUERIES, CARD_QUERIES, UNSEEN_QUERIES):
        by_sort, misses = measure_hit_rates(index, path)
        sums = [sum(figures) for figures in zip(*by_sort.values(), strict=True)]
        print(f"{path.name:12}{'number':>8}{'hit at 1':>10}{'hit at 5':>10}")
        for sort, (total, first, five) in [*by_sort.items(), ("all", sums)]:
            print(f"{sort:12}{total:8}{first / total:10.1%}{five / total:10.1%}")
        print()
        if path == QUERIES and "--misses" in sys.argv[1:]:
            for query, expected, found in misses:
                print(f"{query} → {expected}; found {', '.join(found) or 'nothing'}")
    for labels in ("expect", "original_expect"):
        _print_strangers(count_outcomes(index, STRANGER_QUERIES, labels), labels)


def _print_strangers(by_sort: dict[str, Counter[str]], labels: str) -> None:
    """Print the results for the questions of strangers, by kind of query."""
    headings = ("number", "hit at 1", "hit at 5", "in full", "wrong", "and right", "nothing")
    print(f"{STRANGER_QUERIES.name}, by the column {labels}")
    print(" " * 14 + "".join(f"{heading:>10}" for heading in headings))
    for sort, counts in [*by_sort.items(), ("all", sum(by_sort.values(), Counter()))]:
        parts = [
            _format_percentage(counts["first"], counts["answerable"]),
            _format_percentage(counts["five"], counts["answerable"]),
            _format_percentage(counts["whole"], counts["asked"]),
            _format_percentage(counts["wrong"], counts["whole"]),
            _format_percentage(counts["whole"] - counts["wrong"], counts["asked"]),
            _format_percentage(counts["nothing"], counts["asked"]),
        ]
        print(f"{sort:14}{counts['asked']:10}" + "".join(f"{part:>10}" for part in parts))
    none = by_sort["none"]
    print(f"Nothing in full for {none['asked'] - none['whole']} of the {none['asked']} of sort none.\n")


def _format_percentage(count: int, total: int) -> str:
    """Format a count as a percentage of a total; `-` if the total is 0."""
    return f"{count / total:.1%}" if total else "-"


if __name__ == "__main__":
    main()
