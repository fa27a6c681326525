"""JSON that people can read as well as programs; it has escapes for what cannot be seen."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from randomizer.text.encoding import visible_json

T = TypeVar("T")

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_GAP = "\x1f"  # a character that JSON text never has in it as itself


def dumps(document: Mapping[str, Any]) -> str:
    """The document as JSON text: a line for each key, and for each object of a list."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(f",{_GAP}", ": ")).encode
    parts = []
    for key, value in document.items():
        text = encode(value)
        if text.startswith("[{"):
            text = f"[\n    {text[1:-1]}\n  ]".replace(f"}},{_GAP}{{", "},\n    {")
        parts.append(f"  {encode(key)}: {text.replace(_GAP, ' ')}")
    return visible_json("{\n" + ",\n".join(parts) + "\n}")


class Kept(dict[str, Any]):
    """An object of many documents: never to be changed, because what was made of it is kept with it.

    Attributes:
        text: its JSON text.
        made: the one other thing that was made of it alone.
    """

    __slots__ = ("made", "text")
    text: str
    made: Any


def kept(part: Mapping[str, Any], make: Callable[[Any], T]) -> T:
    """What is made of a part alone, always alike; where the part is kept, it is made once."""
    if type(part) is not Kept:
        return make(part)
    try:
        found: T = part.made
    except AttributeError:
        found = part.made = make(part)
    return found


def dumps_line(document: Mapping[str, Any]) -> str:
    """The document in a single line."""
    return _encoded(document)


def dumps_kept(document: Mapping[str, Any]) -> str:
    """The same line of a document of which many parts are kept: sooner, once their texts are."""
    return _text(document)


def _text(value: Any) -> str:
    """The text of a document, or of a part of one; that of a part that is kept is made once."""
    kind = type(value)
    if kind is list:
        if value and type(value[0]) is Kept:
            try:
                return f"[{', '.join([part.text for part in value])}]"
            except AttributeError:
                pass
        return f"[{', '.join(map(_text, value))}]"
    if kind is dict:
        return f"{{{', '.join([f'{_single(key)}: {_text(item)}' for key, item in value.items()])}}}"
    if kind is not Kept:
        return _single(value)
    part: Kept = value
    try:
        return part.text
    except AttributeError:
        part.text = _encoded(part)
        return part.text


@lru_cache(2000, typed=True)
def _single(value: str | float | None) -> str:
    """The text of what is no list or object; most of these come again and again."""
    return _encoded(value)


def _encoded(value: Any) -> str:
    return visible_json(_encode(value))
