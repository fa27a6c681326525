"""JSON: readable documents, lines of NDJSON, and compact JSON for the program's own files."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from randomizer.text.encoding import escape_invisible_json, is_all_visible

_LINE_BREAK_MARK = "\x1f"  # JSON text never contains it unescaped.
_PRINTABLE_ASCII = bytes(range(0x20, 0x7F))
_SEPARATOR = "\x7f"  # The packed strings never contain it.

loads = json.loads


def dumps_compact(value: Any) -> str:
    """Serialize a value as JSON without whitespace, for the program's own files."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def pack_strings(strings: Mapping[str, str]) -> list[str]:
    """Join the keys and the values of a dictionary into two strings.

    JSON with these strings is parsed five times as fast as JSON with the dictionary.
    """
    return [_SEPARATOR.join(strings), _SEPARATOR.join(strings.values())]


def unpack_strings(packed: Sequence[str]) -> dict[str, str]:
    """Return the dictionary that `pack_strings` packed."""
    keys, values = packed
    return dict(zip(keys.split(_SEPARATOR), values.split(_SEPARATOR), strict=True)) if keys else {}


def dumps(document: Mapping[str, Any]) -> str:
    """Serialize a document as JSON with a line for each key and for each object of a list."""
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
    """Serialize a document as a single line of compact JSON in UTF-8, for NDJSON."""
    try:
        line = _load_fast_encoder()(document)
    except (TypeError, UnicodeEncodeError):  # A seed may contain lone surrogates, which UTF-8 cannot encode.
        return escape_invisible_json(dumps_compact(document)).encode()
    # Nearly all bytes are printable ASCII. Removing them first leaves few characters to check.
    other_characters = line.translate(None, _PRINTABLE_ASCII).decode()
    return line if is_all_visible(other_characters) else escape_invisible_json(line.decode()).encode()


@cache
def _load_fast_encoder() -> Callable[[Any], bytes]:
    """Return the encoder of orjson, or a slower encoder if orjson is not installed.

    There is no wheel of orjson for the newest Python. It is imported only for NDJSON.
    """
    try:
        from orjson import dumps
    except ImportError:
        return lambda value: dumps_compact(value).encode()
    return dumps
