"""Text in columns of a screen, where a Japanese character takes two.

Without a library, because a rule is looked up faster than one loads: what is wrapped here is prose, and
its width is a matter of East Asian Width alone. Tables are tabulate's.
"""

from collections.abc import Iterator
from unicodedata import combining, east_asian_width

_NOT_FIRST = "、。，．・：；？！）」』】〉》”’ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…,.:;?!)]}"
_NO_BREAK = "\N{NO-BREAK SPACE}"
_NOT_LAST = "（「『【〈《“‘([{"


def width(text: str) -> int:
    """The columns that the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def unbroken(text: str) -> str:
    """The text with spaces at which `wrap` breaks no line."""
    return text.replace(" ", _NO_BREAK)


def breakable(text: str) -> str:
    """The text with ordinary spaces again."""
    return text.replace(_NO_BREAK, " ")


def wrap(text: str, columns: int, indent: str = "", after: str = "") -> list[str]:
    """The text in lines of at most so many columns, each after the indent.

    Lines break at spaces and between Japanese characters, though not before a closing mark or after an
    opening one; nor at a no-break space, which comes out as a space. A longer word stays whole, unless it has
    one of the signs of `after`, which a line may break after.
    """
    lines = [""]
    for word in pieces(text, after):
        if width(indent + lines[-1] + word.rstrip()) > columns and lines[-1]:
            lines.append("")
            word = word.lstrip()
        lines[-1] += word
    return [indent + breakable(line.rstrip()) for line in lines]


def pieces(text: str, after: str = "") -> Iterator[str]:
    """The pieces between which a line may break; a space stays with the piece before it."""
    start = 0
    for place in range(1, len(text)):
        before, behind = text[place - 1], text[place]
        wide = east_asian_width(before) in "WF" or east_asian_width(behind) in "WF"
        if (
            (before == " " and behind != " ")
            or (wide and behind != " " and behind not in _NOT_FIRST and before not in _NOT_LAST)
            or before in after
        ):
            yield text[start:place]
            start = place
    yield text[start:]
