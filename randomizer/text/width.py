"""Text in columns of a screen, where a Japanese character takes two.

Without a library, because a rule is looked up faster than one loads, and its width is a matter of East Asian
Width alone. Only lists are made by one.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from unicodedata import combining, east_asian_width

from randomizer.text.encoding import breakable

_NOT_FIRST = "、。，．・：；？！）」』】〉》”’ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…,.:;?!)]}"
_NOT_LAST = "（「『【〈《“‘([{"
_IN_CELLS = "–/"  # after which a cell may be wrapped, as between the types of a card
_GAP = 2  # columns between two of a table
_PADDING = 2  # what tabulate gives a heading more than it takes


def width(text: str) -> int:
    """The columns that the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def wrap(text: str, columns: int, indent: str = "", after: str = "") -> list[str]:
    """The text in lines of at most so many columns, each after the indent.

    Lines break at spaces and between Japanese characters, though not before a closing mark or after an
    opening one, nor within a word in katakana; nor at a no-break space, which comes out as a space. A longer
    word stays whole, unless it has one of the signs of `after`, which a line may break after.
    """
    return list(wrapped(text, columns, indent, after))


def wrapped(text: str, columns: int, indent: str = "", after: str = "") -> Iterator[str]:
    """The same lines one by one, for whoever needs only the first ones of a long text."""
    if width(indent) + width(text.rstrip()) <= columns:
        yield indent + breakable(text.rstrip())
        return
    line = ""
    for word in pieces(text, after):
        if width(indent + line + word.rstrip()) > columns and line:
            yield indent + breakable(line.rstrip())
            line, word = "", word.lstrip()
        line += word
    yield indent + breakable(line.rstrip())


def pieces(text: str, after: str = "") -> Iterator[str]:
    """The pieces between which a line may break; a space stays with the piece before it."""
    if text.isascii() and not after:
        yield from _words(text)
        return
    start = 0
    for place in range(1, len(text)):
        before, behind = text[place - 1], text[place]
        wide = east_asian_width(before) in "WF" or east_asian_width(behind) in "WF"
        if (
            (before == " " and behind != " ")
            or (
                wide
                and behind != " "
                and behind not in _NOT_FIRST
                and before not in _NOT_LAST
                and not (_katakana(before) and _katakana(behind))
            )
            or before in after
        ):
            yield text[start:place]
            start = place
    yield text[start:]


def _words(text: str) -> Iterator[str]:
    """The words of a text, each with the spaces behind it; leading ones are a piece of their own."""
    piece, *others = text.split(" ")
    for word in others:
        piece += " "
        if word:
            yield piece
            piece = word
    yield piece


def _katakana(char: str) -> bool:
    """Whether it is one of those in which foreign words are written, or the dot between two of these."""
    return "ァ" <= char <= "ヿ"


def marked(item: str) -> str:
    """The mark that an item of a list begins with, `- ` or `1. `; nothing if it is none."""
    number, dot, _ = item.partition(". ")
    return "- " if item.startswith("- ") else number + dot if dot and number.isdecimal() else ""


def aligned(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Rows in columns, as lines.

    Args:
        rows: the cells, as many in each.
        right: which columns end at one line, as numbers do.
    """
    taken = [[width(cell) for cell in row] for row in rows]
    widest = [max(column) for column in zip(*taken, strict=True)]
    lines = []
    for row, widths in zip(rows, taken, strict=True):
        cells = []
        for place, (cell, own, wide) in enumerate(zip(row, widths, widest, strict=True)):
            space = " " * (wide - own)
            cells.append(space + cell if place in right else cell + space)
        lines.append((" " * _GAP).join(cells).rstrip())
    return lines


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int, right: Container[int] = ()
) -> list[str]:
    """Rows under their headings: what is too long is wrapped; where that is no help, the last columns go.

    Args:
        heads: a heading for each column, or nothing.
        rows: the cells.
        columns: how wide the screen is.
        right: which columns end at one line, as numbers do.
    """
    widths = _widths(heads, rows, columns)
    lines = [
        line
        for row in rows
        for line in zip_longest(
            *(wrap(cell, most, after=_IN_CELLS) for cell, most in zip(row, widths, strict=False)),
            fillvalue="",
        )
    ]
    if not heads:
        return aligned(lines, right)
    from tabulate import tabulate  # 60 ms

    align = ["right" if place in right else "left" for place in range(len(widths))]
    text = tabulate(lines, heads[: len(widths)], tablefmt="simple", colalign=align, disable_numparse=True)
    return [line.rstrip() for line in text.split("\n")]


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """How wide each column may be, of those that there is room for: the widest are made narrower first."""
    whole = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    least = [
        max(width(piece.rstrip()) for cell in cells for piece in pieces(cell, _IN_CELLS))
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
