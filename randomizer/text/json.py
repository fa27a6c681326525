"""JSON that people can read as well as programs; it has escapes for what cannot be seen."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from randomizer.text.encoding import visible_json

T = TypeVar("T")

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_HOLE = "\x1f"
_HOLE_TEXT = '"\\u001f"'
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
        made: whatever else was made of it alone, by a name.
    """

    __slots__ = ("made", "text")
    text: str
    made: dict[str, Any]


def kept(part: Mapping[str, Any], name: str, make: Callable[[Any], T]) -> T:
    """What is made of a part alone; where the part is kept, it is made once."""
    if type(part) is not Kept:
        return make(part)
    made = getattr(part, "made", None)
    if made is None:
        made = part.made = {}
    found: T | None = made.get(name)
    if found is None:
        found = made[name] = make(part)
    return found


def dumps_line(document: Mapping[str, Any]) -> str:
    """The document in a single line."""
    texts: list[str] = []
    text = _line({key: _with_holes(value, texts) for key, value in document.items()})
    if not texts:
        return text
    pieces = text.split(_HOLE_TEXT)
    whole = [""] * (2 * len(texts) + 1)
    whole[::2], whole[1::2] = pieces, texts
    return "".join(whole)


def _with_holes(value: Any, texts: list[str]) -> Any:
    """The value with a hole for each object that is kept, or list of such, whose texts are added to these."""
    if type(value) is Kept:
        texts.append(_text(value))
        return _HOLE
    if type(value) is not list or not value or not isinstance(value[0], dict):
        return value
    if type(value[0]) is Kept:
        try:
            texts.append(", ".join([part.text for part in value]))
        except AttributeError:
            texts.append(", ".join(map(_text, value)))
        return [_HOLE]
    return [{key: _with_holes(item, texts) for key, item in part.items()} for part in value]


def _text(part: dict[str, Any]) -> str:
    """The text of an object, which of one that is kept is made the first time that somebody wants it."""
    if type(part) is not Kept:
        return _line(part)
    try:
        return part.text
    except AttributeError:
        part.text = _line(part)
        return part.text


def _line(value: Any) -> str:
    return visible_json(_encode(value))
