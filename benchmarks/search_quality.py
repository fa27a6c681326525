"""How well rules are found: `python -m benchmarks.search_quality` prints hits at 1 and 5, by sort of query.

The queries and what each should find are tests/queries.csv: a query counts as hit at 1 if the first result
is one of the entries expected, at 5 if one of the first five is. `--misses` lists what was not first.

tests/asked-of-cards.csv are questions about single cards, by whoever wrote the entries of those cards.

Nobody looked at the questions of tests/unseen.csv while making the look-up good at the others: they tell what
to expect of the next question. Their misses are not listed, so that it stays so.

tests/strangers.csv are such questions, too, by a player who had not read the entries: also about single
cards, and some that no rulebook answers; these are answered rightly by nothing, or by no entry in full. For
this file it is printed as well how often an entry is shown in full, how many of those shown are wrong
(wanted: at most 2 %), and how often nothing is found.
"""

import sys
from collections import Counter

from randomizer.rules.lookup import open_index
from tests.support.quality import OF_CARDS, QUERIES, STRANGERS, UNSEEN, measured, told


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
    _print_told(told(index, STRANGERS))


def _print_told(by_sort: dict[str, Counter[str]]) -> None:
    """Print what strangers are told, by sort of query."""
    heads = ("number", "hit at 1", "hit at 5", "in full", "wrong", "nothing")
    print(f"{STRANGERS.name:14}" + "".join(f"{head:>10}" for head in heads))
    for sort, counts in [*by_sort.items(), ("all", sum(by_sort.values(), Counter()))]:
        parts = [
            _part(counts["first"], counts["answerable"]),
            _part(counts["five"], counts["answerable"]),
            _part(counts["whole"], counts["asked"]),
            _part(counts["wrong"], counts["whole"]),
            _part(counts["nothing"], counts["asked"]),
        ]
        print(f"{sort:14}{counts['asked']:10}" + "".join(f"{part:>10}" for part in parts))
    none = by_sort["none"]
    print(f"Told that nothing answers: {none['asked'] - none['whole']} of the {none['asked']} of sort none.")


def _part(some: int, of: int) -> str:
    """A share as it is printed."""
    return f"{some / of:.1%}" if of else "-"


if __name__ == "__main__":
    main()
