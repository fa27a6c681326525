"""JSON that people can read as well as programs; it has escapes for what cannot be seen."""

import json
from collections.abc import Mapping
from typing import Any

from randomizer.text.encoding import visible_json

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


def dumps_line(document: Mapping[str, Any]) -> str:
    """The document in a single line."""
    return visible_json(json.dumps(document, ensure_ascii=False, allow_nan=False))
