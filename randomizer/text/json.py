"""JSON for documents that people can read too, for lines of NDJSON, and for the program's own files."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from randomizer.text.encoding import escape_invisible_json, is_all_visible

_LINE_BREAK_MARK = "\x1f"  # JSON text never contains it unescaped.
_PRINTABLE_ASCII = bytes(range(0x20, 0x7F))
_SEPARATOR = "\x7f"  # The texts that are packed never contain it.

loads = json.loads


def dumps_compact(value: Any) -> str:
    """Return the value as JSON without white space, for the program's own files."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def pack_strings(texts: Mapping[str, str]) -> list[str]:
    """Return a dict of strings as two long strings, because those are parsed five times as fast."""
    return [_SEPARATOR.join(texts), _SEPARATOR.join(texts.values())]


def unpack_strings(packed: Sequence[str]) -> dict[str, str]:
    """Return the dict of strings that was packed."""
    keys, values = packed
    return dict(zip(keys.split(_SEPARATOR), values.split(_SEPARATOR), strict=True)) if keys else {}


def dumps(document: Mapping[str, Any]) -> str:
    """Return the document as JSON with a line for each key and for each object of a list."""
    encode = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, separators=(f",{_LINE_BREAK_MARK}", ": ")
    ).encode
    lines = []
    for key, value in document.items():
        text = encode(value)
        if text.startswith("[{"):
            text = f"[\n    {text[1:-1]}\n  ]".replace(f"}},{_LINE_BREAK_MARK}{{", "},\n    {")
        lines.append(f"  {encode(key)}: {text.replace(_LINE_BREAK_MARK, ' ')}")
    return escape_invisible_json("{\n" + ",\n".join(lines) + "\n}")


def dumps_line(document: Mapping[str, Any]) -> bytes:
    """Return the document as a single line of compact JSON in UTF-8, for NDJSON."""
    try:
        line = _load_fast_encoder()(document)
    except (TypeError, UnicodeEncodeError):  # UTF-8 has no lone surrogates, but a seed may contain them.
        return escape_invisible_json(dumps_compact(document)).encode()
    # Nearly all characters are printable ASCII; it is fast to remove them before looking at each other one.
    others = line.translate(None, _PRINTABLE_ASCII).decode()
    return line if is_all_visible(others) else escape_invisible_json(line.decode()).encode()


@cache
def _load_fast_encoder() -> Callable[[Any], bytes]:
    """Import orjson, which only NDJSON needs; there is no wheel of it for the newest Python."""
    try:
        from orjson import dumps
    except ImportError:
        return lambda value: dumps_compact(value).encode()
    return dumps
