"""Tables for the screen: no wider than it is."""

from collections.abc import Sequence

from randomizer.text.style import Style
from randomizer.text.width import pieces, width, wrap

_GAP = 2  # columns between two of a table
_SIGNS = "–/"  # after which a cell may be wrapped, as between the types of a card
_PADDING = 2  # what tabulate gives a heading more than it takes


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style, right: Sequence[int] = ()
) -> str:
    """Rows under their headings: what is too long is wrapped; where that is no help, the last columns go.

    Args:
        heads: a heading for each column, or nothing.
        rows: the cells.
        style: how it is to look.
        right: which columns end at one line, as numbers do.
    """
    from tabulate import tabulate  # 60 ms

    widths = _widths(heads, rows, style.columns)
    cells = [
        ["\n".join(wrap(cell, most, after=_SIGNS)) for cell, most in zip(row, widths, strict=False)]
        for row in rows
    ]
    text = tabulate(
        cells,
        heads[: len(widths)],
        tablefmt="simple" if heads else "plain",
        colalign=["right" if place in right else "left" for place in range(len(widths))],
        disable_numparse=True,
        preserve_whitespace=not heads,
    )
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join([*map(style.heading, lines[: 1 if heads else 0]), *lines[1 if heads else 0 :]])


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """How wide each column may be, of those that there is room for: the widest are made narrower first."""
    whole = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    least = [
        max(width(piece.rstrip()) for cell in cells for piece in pieces(cell, _SIGNS))
        for cells in zip(*rows, strict=True)
    ]
    for place, head in enumerate(heads):
        whole[place] = max(whole[place], width(head) + _PADDING)
        least[place] = max(least[place], width(head) + _PADDING)
    while len(least) > 1 and sum(least) + _GAP * (len(least) - 1) > columns:
        least.pop()
    widths = whole[: len(least)]
    while sum(widths) + _GAP * (len(widths) - 1) > columns and widths != least:
        _, place = max((wide, place) for place, wide in enumerate(widths) if wide > least[place])
        widths[place] -= 1
    return widths
