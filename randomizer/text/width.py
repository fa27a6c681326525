"""Text layout in terminal columns, where an East Asian wide character takes two columns.

The width of a character is its Unicode East Asian Width, which the standard library knows. See Unicode
Standard Annex #11.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from unicodedata import combining, east_asian_width

from randomizer.text.encoding import with_ordinary_spaces

# Japanese line breaking (kinsoku shori): characters that may not start a line, and that may not end one.
_NOT_AT_LINE_START = "、。，．・：；？！）」』】〉》”’ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…,.:;?!)]}"
_NOT_AT_LINE_END = "（「『【〈《“‘([{"
_CELL_BREAKS = "–/"  # A table cell may also be wrapped after these, for example between the types of a card.
_COLUMN_GAP = 2  # columns between two cells of a table
_HEADING_PADDING = 2  # columns that tabulate adds to a heading


def width(text: str) -> int:
    """Return the number of terminal columns that the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def wrap(text: str, columns: int, indent: str = "", after: str = "") -> list[str]:
    """Wrap the text into lines of at most this many columns.

    Lines break at spaces and between Japanese characters, but not before a closing mark, after an opening
    one, within a word in katakana or at a no-break space (which becomes a space). A word that is too long for
    a line stays in one piece.

    Args:
        text: one paragraph.
        columns: the maximum width of a line, including the indent.
        indent: the start of each line.
        after: further characters after which a line may break.
    """
    return list(iter_wrapped(text, columns, indent, after))


def iter_wrapped(text: str, columns: int, indent: str = "", after: str = "") -> Iterator[str]:
    """Yield the lines of `wrap` one by one, for callers that need only the first lines of a long text."""
    if width(indent) + width(text.rstrip()) <= columns:
        yield indent + with_ordinary_spaces(text.rstrip())
        return
    line = ""
    for piece in split_at_breaks(text, after):
        if width(indent + line + piece.rstrip()) > columns and line:
            yield indent + with_ordinary_spaces(line.rstrip())
            line, piece = "", piece.lstrip()
        line += piece
    yield indent + with_ordinary_spaces(line.rstrip())


def split_at_breaks(text: str, after: str = "") -> Iterator[str]:
    """Split the text where a line may break; a space belongs to the piece before it.

    Args:
        text: the text to split.
        after: further characters after which a line may break.
    """
    if text.isascii() and not after:
        yield from _split_at_spaces(text)
        return
    start = 0
    for index in range(1, len(text)):
        if _can_break_between(text[index - 1], text[index], after):
            yield text[start:index]
            start = index
    yield text[start:]


def _can_break_between(left: str, right: str, after: str) -> bool:
    """Return whether a line may break between two neighbouring characters."""
    if left in after or (left == " " and right != " "):
        return True
    is_wide = east_asian_width(left) in "WF" or east_asian_width(right) in "WF"
    return (
        is_wide
        and right != " "
        and right not in _NOT_AT_LINE_START
        and left not in _NOT_AT_LINE_END
        and not (_is_katakana(left) and _is_katakana(right))
    )


def _split_at_spaces(text: str) -> Iterator[str]:
    """Yield each word with the spaces that follow it; leading spaces are a piece of their own."""
    piece, *words = text.split(" ")
    for word in words:
        piece += " "
        if word:
            yield piece
            piece = word
    yield piece


def _is_katakana(char: str) -> bool:
    """Return whether the character is katakana, or the middle dot that joins two katakana words."""
    return "ァ" <= char <= "ヿ"


def get_list_marker(item: str) -> str:
    """Return the marker that a list item starts with, `- ` or `1. `; empty for other text."""
    number, dot, _ = item.partition(". ")
    return "- " if item.startswith("- ") else number + dot if dot and number.isdecimal() else ""


def align_columns(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Lay out rows of cells in aligned columns and return them as lines.

    Args:
        rows: the cells; every row has the same number of them.
        right: indices of the columns to align right, such as those with numbers.
    """
    cell_widths = [[width(cell) for cell in row] for row in rows]
    column_widths = [max(column) for column in zip(*cell_widths, strict=True)]
    lines = []
    for row, widths in zip(rows, cell_widths, strict=True):
        cells = []
        for index, cell in enumerate(row):
            padding = " " * (column_widths[index] - widths[index])
            cells.append(padding + cell if index in right else cell + padding)
        lines.append((" " * _COLUMN_GAP).join(cells).rstrip())
    return lines


def render_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int, right: Container[int] = ()
) -> list[str]:
    """Lay out rows under their headings and return them as lines.

    Long cells are wrapped. If that is not enough, the last columns are left out.

    Args:
        heads: a heading for each column, or nothing for a table without headings.
        rows: the cells; every row has the same number of them.
        columns: the maximum width of a line.
        right: indices of the columns to align right, such as those with numbers.
    """
    widths = _fit_columns(heads, rows, columns)
    lines = [
        line
        for row in rows
        for line in zip_longest(
            *(
                wrap(cell, max_width, after=_CELL_BREAKS)
                for cell, max_width in zip(row, widths, strict=False)
            ),
            fillvalue="",
        )
    ]
    if not heads:
        return align_columns(lines, right)
    from tabulate import tabulate  # The import takes 60 ms, and only lists need it.

    align = ["right" if index in right else "left" for index in range(len(widths))]
    text = tabulate(lines, heads[: len(widths)], tablefmt="simple", colalign=align, disable_numparse=True)
    return [line.rstrip() for line in text.split("\n")]


def _fit_columns(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """Return the width of each column that fits; the widest columns are narrowed first."""
    full_widths = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    min_widths = [
        max(width(piece.rstrip()) for cell in cells for piece in split_at_breaks(cell, _CELL_BREAKS))
        for cells in zip(*rows, strict=True)
    ]
    for index, head in enumerate(heads):
        head_width = width(head) + _HEADING_PADDING
        full_widths[index] = max(full_widths[index], head_width)
        min_widths[index] = max(min_widths[index], head_width)
    while len(min_widths) > 1 and sum(min_widths) + _COLUMN_GAP * (len(min_widths) - 1) > columns:
        min_widths.pop()
    widths = full_widths[: len(min_widths)]
    while sum(widths) + _COLUMN_GAP * (len(widths) - 1) > columns and widths != min_widths:
        _, widest = max((size, index) for index, size in enumerate(widths) if size > min_widths[index])
        widths[widest] -= 1
    return widths
