"""Takes apart the lists of cards that people paste: which names stand where, and in brackets after which.

It knows how lists look, and no game: bullets, numbers, brackets, headings, addresses, lines of many setups.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_BULLET = re.compile(r"^(?:(?:[-–—*+•◦‣・●○■□▪]|\[[ xX✓✔]?\]|\d{1,3}[.)）])\s*)+(?=\S)")
_COUNT = re.compile(r"^(?:\d{1,3}\s*[x×*枚]?\s+|\d{1,3}\s*[x×]\s*|[x×]\s*\d{1,3}\s+)(?=\D)", re.IGNORECASE)
_COUNT_AFTER = re.compile(r"\s*[x×]\s*\d{1,3}$|\s+\d{1,3}\s*枚?$", re.IGNORECASE)
_HEADING = re.compile(r"\s*([^:：()（）\[\]]{1,60})[:：](?!//)\s*(.*)")
_ADDRESS = re.compile(r"\S*\?\S*=\S*")
_OPEN, _CLOSED = "([{（［【「『", ")]}）］】」』"
_COMMAS = ",，、;；\t"
_AROUND = " .。-–*•·\"'“”"  # what may stand around a name
_SEGMENTS = " · "
_MAIN = ("supply", "cards", "kingdom")  # what addresses call the Kingdom cards
_FIELDS = 100  # of an address


class ListItem(NamedTuple):
    """A name in a list.

    Attributes:
        line: in which it stands, from 1; 0 is an address, of which one need not know every part.
        name: itself.
        inside: what stands in brackets after it.
        heading: what it stands after in the same line, or the field of an address.
    """

    line: int
    name: str
    inside: str = ""
    heading: str = ""


def parse_items(text: str) -> Iterator[ListItem]:
    """The names in a text that somebody pasted, in their order."""
    text = text.strip()
    if _ADDRESS.fullmatch(text):
        yield from _in_address(text)
        return
    for number, line in enumerate(text.splitlines(), 1):
        for segment in _segments(line):
            of = ""
            for part in split_outside_brackets(segment):
                heading = _HEADING.fullmatch(part)
                if heading:
                    of, part = parse_item(heading[1])[0], heading[2]  # and of what comes after it
                name, inside = parse_item(part)
                if name or inside:
                    yield ListItem(number, name, inside, of)


def split_outside_brackets(text: str, at: str = _COMMAS) -> Iterator[str]:
    """The text cut at these characters, where they stand in no brackets."""
    deep, start = 0, 0
    for place, char in enumerate(text):
        deep = deep + 1 if char in _OPEN else max(deep - 1, 0) if char in _CLOSED else deep
        if char in at and not deep:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def parse_item(part: str) -> tuple[str, str]:
    """A name without bullets and numbers, and what stands in brackets after it."""
    text = _BULLET.sub("", part.strip(), count=1).strip()
    place = next((place for place, char in enumerate(text) if char in _OPEN), len(text))
    name, rest = text[:place].strip(), text[place:].strip()
    inside = rest[1:-1].strip() if rest and rest[-1] in _CLOSED else rest[1:].strip()
    return _COUNT_AFTER.sub("", _COUNT.sub("", name, count=1)).strip(_AROUND), inside


def _segments(line: str) -> list[str]:
    """What a line of many setups is made of, without its seed; any other line is one segment."""
    first, *more = line.split(_SEGMENTS)
    is_setup = more and not any(comma in first for comma in _COMMAS) and any(c in more[0] for c in _COMMAS)
    return more if is_setup else [first, *more]


def _in_address(address: str) -> Iterator[ListItem]:
    """The names in the fields of a page's address; a field that says yes or no is itself a name."""
    from urllib.parse import parse_qsl

    query = address.partition("?")[2].partition("#")[0]
    try:
        fields: Iterable[tuple[str, str]] = parse_qsl(query, max_num_fields=_FIELDS)
    except ValueError:  # there are more
        fields = []
    for field, value in fields:
        if value.casefold() in ("1", "true", "yes"):
            yield ListItem(0, field)
        elif value.casefold() in ("0", "false", "no"):
            yield ListItem(0, f"no {field}")
        else:
            for part in split_outside_brackets(value):
                name, inside = parse_item(part)
                yield ListItem(0, name, inside, "" if field in _MAIN else field)
