"""What a benchmark prints: figures, and ratios within the same run, with what they should be."""

from collections.abc import Iterable
from typing import NamedTuple

from tabulate import tabulate


class Row(NamedTuple):
    """A figure; a ratio to what it is `measured_by`, which should be at most or at least so much."""

    what: str
    figure: str
    ratio: float | None = None
    measured_by: str = ""
    at_most: float | None = None
    at_least: float | None = None

    def holds(self) -> bool:
        """Whether the ratio is what it should be."""
        ratio = self.ratio or 0
        return (self.at_most is None or ratio <= self.at_most) and (
            self.at_least is None or ratio >= self.at_least
        )


def printed(rows: Iterable[Row]) -> None:
    """Print the rows; one that is not what it should be has an exclamation mark."""
    heads = ["", "figure", "ratio", "should be", "measured by"]
    cells = []
    for row in rows:
        bound = f"≤ {row.at_most:g}" if row.at_most is not None else ""
        bound = f"≥ {row.at_least:g}" if row.at_least is not None else bound
        ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
        cells.append([row.what, row.figure, ratio + ("" if row.holds() else " !"), bound, row.measured_by])
    align = ("left", "right", "right", "right", "left")
    print(tabulate(cells, heads, tablefmt="simple", disable_numparse=True, colalign=align))
    print()
