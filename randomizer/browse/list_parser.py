"""A parser for pasted lists of cards, which extracts card names, headings and text in brackets.

It handles bullets, counts, brackets, headings, URLs and one-line setups. It does not know which
cards exist.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_BULLET = re.compile(r"^(?:(?:[-–—*+•◦‣・●○■□▪]|\[[ xX✓✔]?\]|\d{1,3}[.)）])\s*)+(?=\S)")
_COUNT = re.compile(r"^(?:\d{1,3}\s*[x×*枚]?\s+|\d{1,3}\s*[x×]\s*|[x×]\s*\d{1,3}\s+)(?=\D)", re.IGNORECASE)
_COUNT_AFTER = re.compile(r"\s*[x×]\s*\d{1,3}$|\s+\d{1,3}\s*枚?$", re.IGNORECASE)
_HEADING = re.compile(r"\s*([^:：()（）\[\]]{1,60})[:：](?!//)\s*(.*)")
_URL = re.compile(r"\S*\?\S*=\S*")
_OPENING_BRACKETS, _CLOSING_BRACKETS = "([{（［【「『", ")]}）］】」』"
_COMMAS = ",，、;；\t"
_STRIPPED_CHARS = " .。-–*•·\"'“”"  # characters around a name that do not belong to it
_SEGMENT_SEPARATOR = " · "
_KINGDOM_PARAMS = ("supply", "cards", "kingdom")  # query parameters with the Kingdom cards
_MAX_PARAMS = 100  # number of query parameters in a URL


class ListItem(NamedTuple):
    """A name in a list.

    Attributes:
        line: the line number, starting at 1; 0 for an item from a URL.
        name: the name.
        inside: the text in brackets after the name.
        heading: the heading before the name on the same line, or the name of the query parameter in a URL.
    """

    line: int
    name: str
    inside: str = ""
    heading: str = ""


def parse_items(text: str) -> Iterator[ListItem]:
    """Yield the names in a pasted text, in order."""
    text = text.strip()
    if _URL.fullmatch(text):
        yield from _parse_url(text)
        return
    for line_number, line in enumerate(text.splitlines(), 1):
        for segment in _split_segments(line):
            heading = ""  # A heading applies to all names after it in the segment.
            for part in split_outside_brackets(segment):
                if match := _HEADING.fullmatch(part):
                    heading, part = parse_item(match[1])[0], match[2]
                name, inside = parse_item(part)
                if name or inside:
                    yield ListItem(line_number, name, inside, heading)


def split_outside_brackets(text: str, separators: str = _COMMAS) -> Iterator[str]:
    """Split a text at the separators that are not in brackets. Each separator is a single character."""
    depth, start = 0, 0
    for index, char in enumerate(text):
        if char in _OPENING_BRACKETS:
            depth += 1
        elif char in _CLOSING_BRACKETS:
            depth = max(depth - 1, 0)
        elif char in separators and not depth:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def parse_item(part: str) -> tuple[str, str]:
    """Return the name in an item, without bullets and counts, and the text in brackets after it."""
    text = _BULLET.sub("", part.strip(), count=1).strip()
    index = next((index for index, char in enumerate(text) if char in _OPENING_BRACKETS), len(text))
    name, rest = text[:index].strip(), text[index:].strip()
    inside = rest[1:-1].strip() if rest and rest[-1] in _CLOSING_BRACKETS else rest[1:].strip()
    return _COUNT_AFTER.sub("", _COUNT.sub("", name, count=1)).strip(_STRIPPED_CHARS), inside


def _split_segments(line: str) -> list[str]:
    """Return the segments of a line. The first segment of a one-line setup, its seed, is left out."""
    first, *others = line.split(_SEGMENT_SEPARATOR)
    is_setup = (
        others and not any(comma in first for comma in _COMMAS) and any(char in others[0] for char in _COMMAS)
    )
    return others if is_setup else [first, *others]


def _parse_url(url: str) -> Iterator[ListItem]:
    """Yield the names in the query parameters of a URL. For `colony=yes`, the name is `colony`."""
    from urllib.parse import parse_qsl

    query = url.partition("?")[2].partition("#")[0]
    try:
        params: Iterable[tuple[str, str]] = parse_qsl(query, max_num_fields=_MAX_PARAMS)
    except ValueError:  # The URL has too many parameters.
        params = []
    for param, value in params:
        if value.casefold() in ("1", "true", "yes"):
            yield ListItem(0, param)
        elif value.casefold() in ("0", "false", "no"):
            yield ListItem(0, f"no {param}")
        else:
            for part in split_outside_brackets(value):
                name, inside = parse_item(part)
                yield ListItem(0, name, inside, "" if param in _KINGDOM_PARAMS else param)
