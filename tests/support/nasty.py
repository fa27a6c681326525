"""What nobody should be able to print: texts and numbers to put in the place of every text and number."""

import functools
import math
import re
from collections.abc import Iterator
from typing import Any
from unicodedata import category

import yaml

# Such as no document and no card file may hold ...
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
# ... and such as nobody sees.
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
_STYLE = re.compile(r"\x1b\[[012]m")  # the program's own


def find_unescaped(text: str, *, colored: bool = False) -> list[str]:
    """The characters of a text that a terminal obeys, or that nobody sees; it may have lines."""
    own = _STYLE.sub("", text) if colored else text
    return [char for char in own if category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\n"]


Path = tuple[Any, ...]


def iter_leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every text and number in lists and dicts, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from iter_leaves(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from iter_leaves(item, (*path, place))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield path, value


def iter_keys(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every key in dicts, with its path."""
    if isinstance(value, dict):
        yield from ((*path, key) for key in value)
        for key, item in value.items():
            yield from iter_keys(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from iter_keys(item, (*path, place))


def replace_at(whole: Any, path: Path, value: Any) -> Any:
    """A copy in which the value stands at the path; whatever is beside the path is not copied."""
    first, *further = path
    changed = whole.copy()
    changed[first] = replace_at(whole[first], tuple(further), value) if further else value
    return changed


def rename_key(whole: Any, path: Path, key: str) -> Any:
    """A copy in which the last key of the path is another."""
    *way, last = path
    inside = functools.reduce(lambda part, step: part[step], way, whole)
    changed = {key if old == last else old: item for old, item in inside.items()}
    return replace_at(whole, tuple(way), changed) if way else changed


def append_everywhere(whole: Any, text: str, except_keys: tuple[str, ...] = ()) -> Any:
    """A copy in which the text stands after every text, except under these keys."""
    if isinstance(whole, dict):
        return {
            key: item if key in except_keys else append_everywhere(item, text, except_keys)
            for key, item in whole.items()
        }
    if isinstance(whole, list):
        return [append_everywhere(item, text, except_keys) for item in whole]
    return whole + text if isinstance(whole, str) else whole


def format_path(path: Path) -> str:
    """The path as messages have it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def dump_yaml(value: Any) -> bytes:
    """The value as a data file has it, by the quick writer, which does not write half a character."""
    try:
        return yaml.dump(value, Dumper=_Dumper, sort_keys=False).encode()
    except UnicodeEncodeError:
        return yaml.safe_dump(value, sort_keys=False).encode()
