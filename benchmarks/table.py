"""The table that a benchmark prints: figures, ratios within the same run, and the targets for the ratios."""

from collections.abc import Iterable
from typing import NamedTuple

from tabulate import tabulate


class Row(NamedTuple):
    """One measurement.

    Attributes:
        what: what was measured.
        figure: the result with its unit.
        ratio: the result divided by that of the baseline.
        baseline: what the ratio refers to.
        at_most: the upper bound of the ratio.
        at_least: the lower bound of the ratio.
    """

    what: str
    figure: str
    ratio: float | None = None
    baseline: str = ""
    at_most: float | None = None
    at_least: float | None = None

    def is_within_bounds(self) -> bool:
        """Return whether the ratio meets its bounds."""
        ratio = self.ratio or 0
        return (self.at_most is None or ratio <= self.at_most) and (
            self.at_least is None or ratio >= self.at_least
        )


def print_table(rows: Iterable[Row]) -> None:
    """Print the rows as a table, with an empty line after it."""
    print(format_table(rows))
    print()


def format_table(rows: Iterable[Row], table_format: str = "simple") -> str:
    """Return the rows as a table; a ratio out of its bounds has an exclamation mark.

    Args:
        rows: the measurements.
        table_format: the name of a format of tabulate.
    """
    headings = ["", "figure", "ratio", "target", "compared with"]
    cells = []
    for row in rows:
        bound = f"≤ {row.at_most:g}" if row.at_most is not None else ""
        bound = f"≥ {row.at_least:g}" if row.at_least is not None else bound
        ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
        cells.append(
            [row.what, row.figure, ratio + ("" if row.is_within_bounds() else " !"), bound, row.baseline]
        )
    align = ("left", "right", "right", "right", "left")
    return tabulate(cells, headings, tablefmt=table_format, disable_numparse=True, colalign=align)
