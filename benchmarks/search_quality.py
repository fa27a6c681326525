"""How well rules are found: `python -m benchmarks.search_quality` prints hits at 1 and 5, by sort of query.

The queries and what each should find are tests/queries.csv: a query counts as hit at 1 if the first result
is one of the entries expected, at 5 if one of the first five is. `--misses` lists what was not first.

tests/asked-of-cards.csv are questions about single cards, by whoever wrote the entries of those cards.

Nobody looked at the questions of tests/unseen.csv while making the look-up good at the others: they tell what
to expect of the next question. Their misses are not listed, so that it stays so.
"""

import sys

from randomizer.rules.lookup import open_index
from tests.support.quality import OF_CARDS, QUERIES, UNSEEN, measured


def main() -> None:
    """Print the figures."""
    index = open_index()
    for path in (QUERIES, OF_CARDS, UNSEEN):
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
