"""All benchmarks of speed in one command: `python -m benchmarks`. It takes some minutes."""

from benchmarks import startup, throughput
from benchmarks.table import printed


def main() -> None:
    """Print the tables."""
    for measured in (startup, throughput):
        printed(measured.rows())


if __name__ == "__main__":
    main()
