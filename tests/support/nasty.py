"""Hostile texts and numbers, and functions that put them into documents and data files."""

import functools
import math
import re
from collections.abc import Iterator
from typing import Any
from unicodedata import category

import yaml

# Texts that documents and card files must not contain.
CONTROLS = {
    "escape": "\x1b[31mred",
    "title of the terminal": "\x1b]0;mine\x07",
    "C1": "\x9b31m",
    "nothing": "a\0b",
    "bell": "\a",
    "backspace": "ab\b\b",
    "delete": "\x7f",
    "new line": "a\nError: b",
    "new line at the end": "a\n",
    "return": "abc\rd",
    "tab": "a\tb",
    "next line": "a\x85b",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "half a character": "a\ud800",
    "the other half": "\udfffb",
}
# Texts with invisible characters.
INVISIBLE = {
    "right to left": "\u202egnp.exe",
    "isolate": "\u2066a\u2069",
    "direction mark": "a\u200fb",
    "zero width": "a\u200bb",
    "joiner astray": "a\u200db",
    "byte order mark": "\ufeffa",
    "soft hyphen": "a\xadb",
    "tag": "a\U000e0041",
    "word joiner": "a\u2060b",
}
TEXTS = {
    **CONTROLS,
    **INVISIBLE,
    "a long one": "a" * 200_000,
    "braces": "{0.__class__}{text}",
    "shell": "`x` $(x) '",
}
NUMBERS = {
    "negative": -1,
    "one too many": 1001,
    "huge": 10**400,
    "hugely negative": -(10**400),
    "a fraction": 0.5,
    "not a number": math.nan,
    "infinite": math.inf,
    "true": True,
}
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_STYLE = re.compile(r"\x1b\[[012]m")  # the escape sequences of the program


def find_unescaped(text: str, *, colored: bool = False) -> list[str]:
    """Return the control and invisible characters of a text, except newlines.

    Args:
        text: output of the program.
        colored: whether the text may contain the escape sequences of the program itself.
    """
    unstyled = _STYLE.sub("", text) if colored else text
    return [char for char in unstyled if category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\n"]


Path = tuple[Any, ...]  # keys and indexes from the outside in


def iter_leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and the value of every string and integer in nested lists and dicts."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from iter_leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from iter_leaves(item, (*path, index))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield path, value


def iter_keys(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every key in nested lists and dicts."""
    if isinstance(value, dict):
        yield from ((*path, key) for key in value)
        for key, item in value.items():
            yield from iter_keys(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from iter_keys(item, (*path, index))


def replace_at(document: Any, path: Path, value: Any) -> Any:
    """Return a copy with another value at the path. Everything off the path is shared, not copied."""
    first, *rest = path
    copy = document.copy()
    copy[first] = replace_at(document[first], tuple(rest), value) if rest else value
    return copy


def rename_key(document: Any, path: Path, new_key: str) -> Any:
    """Return a copy in which the last key of the path has another name."""
    *parents, last = path
    mapping = functools.reduce(lambda part, step: part[step], parents, document)
    renamed = {new_key if key == last else key: item for key, item in mapping.items()}
    return replace_at(document, tuple(parents), renamed) if parents else renamed


def append_everywhere(value: Any, suffix: str, except_keys: tuple[str, ...] = ()) -> Any:
    """Return a copy with the suffix appended to every string, except in the values of some keys."""
    if isinstance(value, dict):
        return {
            key: item if key in except_keys else append_everywhere(item, suffix, except_keys)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [append_everywhere(item, suffix, except_keys) for item in value]
    return value + suffix if isinstance(value, str) else value


def format_path(path: Path) -> str:
    """Format a path as in messages, such as `cards[3].name`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def dump_yaml(value: Any) -> bytes:
    """Return the content of a data file with this value."""
    try:
        return yaml.dump(value, Dumper=_Dumper, sort_keys=False).encode()
    except UnicodeEncodeError:  # libyaml cannot write lone surrogates
        return yaml.safe_dump(value, sort_keys=False).encode()
