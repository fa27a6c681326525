"""All speed benchmarks: `python -m benchmarks`. It takes some minutes."""

from benchmarks import startup, throughput
from benchmarks.table import print_table


def main() -> None:
    """Run the benchmarks and print a table for each."""
    for benchmark in (startup, throughput):
        print_table(benchmark.measure())


if __name__ == "__main__":
    main()
