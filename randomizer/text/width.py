"""Text layout in terminal columns. Wide East Asian characters take two columns.

The width of a character follows from its property East Asian Width (Unicode Standard Annex #11).
"""

from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from unicodedata import combining, east_asian_width

from randomizer.text.encoding import with_ordinary_spaces

# Japanese line breaking rules (kinsoku shori): characters that may not start or may not end a line.
_NOT_AT_LINE_START = "、。，．・：；？！）」』】〉》”’ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…,.:;?!)]}"
_NOT_AT_LINE_END = "（「『【〈《“‘([{"
# Characters after which a table cell may also be wrapped, for example between the types of a card.
_CELL_BREAKS = "–/"
_COLUMN_GAP = 2  # terminal columns between two cells of a table
_HEADING_PADDING = 2  # terminal columns that tabulate adds to a heading


def width(text: str) -> int:
    """Return the width of the text in terminal columns."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def wrap(text: str, max_width: int, indent: str = "", break_after: str = "") -> list[str]:
    """Wrap the text into lines of a maximum width.

    Lines break at spaces and between Japanese characters, but not before closing punctuation, after opening
    punctuation, within a katakana word or at a no-break space (which becomes an ordinary space). A word that
    is too long for a line is not split.

    Args:
        text: a single paragraph.
        max_width: the maximum width of a line, including the indent.
        indent: the text with which each line starts.
        break_after: additional characters after which a line may break.
    """
    return list(iter_wrapped(text, max_width, indent, break_after))


def iter_wrapped(text: str, max_width: int, indent: str = "", break_after: str = "") -> Iterator[str]:
    """Yield the lines of a wrapped text (see `wrap`), for callers that need only the first few lines."""
    if width(indent) + width(text.rstrip()) <= max_width:
        yield indent + with_ordinary_spaces(text.rstrip())
        return
    line = ""
    for piece in split_at_breaks(text, break_after):
        if width(indent + line + piece.rstrip()) > max_width and line:
            yield indent + with_ordinary_spaces(line.rstrip())
            line, piece = "", piece.lstrip()
        line += piece
    yield indent + with_ordinary_spaces(line.rstrip())


def split_at_breaks(text: str, break_after: str = "") -> Iterator[str]:
    """Split the text where a line may break. Spaces belong to the piece before them.

    Args:
        text: the text to split.
        break_after: additional characters after which a line may break.
    """
    if text.isascii() and not break_after:
        yield from _split_at_spaces(text)
        return
    start = 0
    for index in range(1, len(text)):
        if _can_break_between(text[index - 1], text[index], break_after):
            yield text[start:index]
            start = index
    yield text[start:]


def _can_break_between(left: str, right: str, break_after: str) -> bool:
    """Return whether a line may break between two adjacent characters."""
    if left in break_after or (left == " " and right != " "):
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
    """Yield each word with the spaces that follow it. Leading spaces form a separate piece."""
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
    """Return the marker of a list item, such as `- ` or `1. `; empty if the text is not a list item."""
    number, dot, _ = item.partition(". ")
    return "- " if item.startswith("- ") else number + dot if dot and number.isdecimal() else ""


def align_columns(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Align the cells of a table in columns, and return a line for each row.

    Args:
        rows: the rows, each with the same number of cells.
        right: the indices of right-aligned columns, such as those with numbers.
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
    headings: Sequence[str], rows: Sequence[Sequence[str]], max_width: int, right: Container[int] = ()
) -> list[str]:
    """Render a table, and return its lines.

    Long cells are wrapped. If the table is still too wide, the last columns are left out.

    Args:
        headings: a heading for each column; empty for a table without headings.
        rows: the rows, each with the same number of cells.
        max_width: the maximum width of a line, in terminal columns.
        right: the indices of right-aligned columns, such as those with numbers.
    """
    widths = _fit_columns(headings, rows, max_width)
    lines = [
        line
        for row in rows
        for line in zip_longest(
            *(
                wrap(cell, column_width, break_after=_CELL_BREAKS)
                for cell, column_width in zip(row, widths, strict=False)
            ),
            fillvalue="",
        )
    ]
    if not headings:
        return align_columns(lines, right)
    from tabulate import tabulate  # The import takes 60 ms, and most output needs no table with headings.

    align = ["right" if index in right else "left" for index in range(len(widths))]
    text = tabulate(lines, headings[: len(widths)], tablefmt="simple", colalign=align, disable_numparse=True)
    return [line.rstrip() for line in text.split("\n")]


def _fit_columns(headings: Sequence[str], rows: Sequence[Sequence[str]], max_width: int) -> list[int]:
    """Return the widths of the table columns that fit. The widest columns are narrowed first."""
    full_widths = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    min_widths = [
        max(width(piece.rstrip()) for cell in cells for piece in split_at_breaks(cell, _CELL_BREAKS))
        for cells in zip(*rows, strict=True)
    ]
    for index, heading in enumerate(headings):
        heading_width = width(heading) + _HEADING_PADDING
        full_widths[index] = max(full_widths[index], heading_width)
        min_widths[index] = max(min_widths[index], heading_width)
    while len(min_widths) > 1 and sum(min_widths) + _COLUMN_GAP * (len(min_widths) - 1) > max_width:
        min_widths.pop()
    widths = full_widths[: len(min_widths)]
    while sum(widths) + _COLUMN_GAP * (len(widths) - 1) > max_width and widths != min_widths:
        _, widest = max((size, index) for index, size in enumerate(widths) if size > min_widths[index])
        widths[widest] -= 1
    return widths
