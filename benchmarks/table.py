"""The table that a benchmark prints: figures, ratios within the same run, and the targets for the ratios."""

from collections.abc import Iterable
from typing import NamedTuple

from tabulate import tabulate


class Row(NamedTuple):
    """One measurement.

    Attributes:
        title: what was measured.
        figure: the result with its unit.
        ratio: the result divided by the result of the baseline.
        baseline: the name of the baseline.
        max_ratio: the upper bound of the ratio.
        min_ratio: the lower bound of the ratio.
    """

    title: str
    figure: str
    ratio: float | None = None
    baseline: str = ""
    max_ratio: float | None = None
    min_ratio: float | None = None

    def is_within_bounds(self) -> bool:
        """Return whether the ratio is within its bounds. A missing ratio counts as 0."""
        ratio = self.ratio or 0
        return (self.max_ratio is None or ratio <= self.max_ratio) and (
            self.min_ratio is None or ratio >= self.min_ratio
        )


def print_table(rows: Iterable[Row]) -> None:
    """Print the rows as a table, with an empty line after it."""
    print(format_table(rows))
    print()


def format_table(rows: Iterable[Row], table_format: str = "simple") -> str:
    """Return the rows as a table, with an exclamation mark after each ratio that is out of bounds.

    Args:
        rows: the measurements.
        table_format: the name of a format of tabulate.
    """
    headings = ["", "figure", "ratio", "target", "compared with"]
    cells = []
    for row in rows:
        bound = f"≤ {row.max_ratio:g}" if row.max_ratio is not None else ""
        bound = f"≥ {row.min_ratio:g}" if row.min_ratio is not None else bound
        ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
        cells.append(
            [row.title, row.figure, ratio + ("" if row.is_within_bounds() else " !"), bound, row.baseline]
        )
    align = ("left", "right", "right", "right", "left")
    return tabulate(cells, headings, tablefmt=table_format, disable_numparse=True, colalign=align)
