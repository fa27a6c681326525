"""The JSON Schema of the setup document, made from its classes; and reading documents by them."""

import json
import re
from collections.abc import Iterator
from functools import cache
from math import isfinite
from reprlib import repr as short
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from randomizer.cards.model import MOST
from randomizer.setup.document import SCHEMA, Setup
from randomizer.text.errors import BadDocument
from randomizer.text.language import Message, Typed, Value, message

Schema = dict[str, Any]

_MOST_ITEMS = 2_000
_DEEPEST = 50  # levels of lists and objects
_TEXT: Schema = {
    "type": "string",
    "description": "a line of text, without control characters",
    "maxLength": 1_000,
    # In Python, and so for some readers of the published schema, `$` alone would let a new line pass.
    "pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$(?!\n)",
}
_SCALARS: dict[Any, Schema] = {
    str: {"$ref": "#/$defs/Text"},
    int: {"type": "integer", "minimum": 0, "maximum": MOST},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def schema_text() -> str:
    """The JSON Schema as text."""
    return json.dumps(document_schema(), indent=2, ensure_ascii=False)


@cache
def document_schema() -> Schema:
    """The JSON Schema of the setup document, as `json` has it."""
    definitions: dict[str, Schema] = {"Text": _TEXT}
    top = _schema(Setup, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup document",
        **top,
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(wanted: Any, definitions: dict[str, Schema]) -> Schema:
    """What JSON Schema says of the annotation; classes go to the definitions.

    An annotation may have a description, and keywords of JSON Schema that say more than its type.
    """
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        schema = _schema(parts[0], definitions)
        for more in parts[1:]:
            schema = {**schema, "description": more} if isinstance(more, str) else {**_inline(schema), **more}
        return schema
    if origin is NotRequired:
        return _schema(parts[0], definitions)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is UnionType:
        return {"anyOf": [_schema(part, definitions) for part in parts]}
    if origin is list:
        return {"type": "array", "maxItems": _MOST_ITEMS, "items": _schema(parts[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(parts[1], definitions)}
    if wanted is Any:
        return {}
    if not is_typeddict(wanted):
        return _SCALARS[wanted]
    if wanted.__name__ not in definitions:
        definitions[wanted.__name__] = {}
        fields = get_type_hints(wanted, include_extras=True)
        definitions[wanted.__name__] = {
            "type": "object",
            "description": " ".join((wanted.__doc__ or "").split()),
            "properties": {key: _schema(field, definitions) for key, field in fields.items()},
            "required": sorted(wanted.__required_keys__),
        }
    return {"$ref": f"#/$defs/{wanted.__name__}"}


def _inline(schema: Schema) -> Schema:
    """A text's schema itself, so that more can be said in it."""
    return {key: _TEXT[key] for key in ("type", "maxLength", "pattern")} if "$ref" in schema else schema


def one_of(content: bytes, line: int | None, name: Value) -> bytes | str:
    """The line of that number; without a number the whole content, which has to be a single document.

    Raises:
        BadDocument: there is no such line, or there are several documents, a line each.
    """
    text = content.decode(json.detect_encoding(content), "replace")
    lines = [each for each in text.split("\n") if each.strip()]
    if line is None:
        if len(lines) > 1 and _is_json(lines[0]):
            several = "{file} has {count} documents, a line each; take one of them with --line N."
            raise BadDocument(several, file=name, count=len(lines))
        return content
    if line > len(lines):
        said = "{file} has {count} lines; there is no line {line}."
        raise BadDocument(said, file=name, count=len(lines), line=line)
    return lines[line - 1]


def _is_json(text: str) -> bool:
    """Whether the text is JSON by itself, as the first line of a document on several lines is not."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def loads(text: str | bytes, name: Value = "the document") -> Setup:
    """A setup document from its JSON text. Keys that are not known are kept.

    Raises:
        BadDocument: the text is not JSON, or not a setup document of this schema.
    """
    try:
        value = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        raise BadDocument(
            "{file} is not JSON; `dominion-setup --json > game.json` saves a document.", file=name
        ) from None
    if not isinstance(value, dict) or "schema" not in value:
        raise BadDocument("{file} is not a setup document: it has no `schema`.", file=name)
    if value["schema"] != SCHEMA:
        said, other = (
            "{file} has schema {other}; this program reads schema {ours}.",
            Typed(short(value["schema"])),
        )
        raise BadDocument(said, file=name, other=other, ours=SCHEMA)
    faults = list(_faults(value, document_schema(), ""))
    if faults:
        fault = faults[0]
        if faults[1:]:
            fault = message("{fault} (and {count} more)", fault=fault, count=len(faults) - 1)
        raise BadDocument("{file} is not a setup document: {fault}.", file=name, fault=fault)
    return value  # type: ignore[return-value]  # checked just now


def _finite(digits: str) -> float:
    """A number that JSON can have: neither `NaN` nor `1e999`, which Python would take."""
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits} is not JSON")
    return number


_PYTHON_TYPES = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": NoneType,
    "array": list,
    "object": dict,
}


def _faults(value: Any, schema: Schema, path: str, depth: int = 0) -> Iterator[Message]:
    """Where the value is not what the schema says; of JSON Schema, as much as `_schema` uses."""
    if "$ref" in schema:
        schema = document_schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        tries = [list(_faults(value, part, path, depth)) for part in schema["anyOf"]]
        yield from [] if [] in tries else tries[0]
    elif not _is_one_of(value, schema) or type(value) is not _PYTHON_TYPES.get(
        schema.get("type", ""), type(value)
    ):
        yield message("{path} is not what it should be", path=Typed(path) if path else "it")
    elif unfit := _unfit(value, schema, depth):
        where = Typed(path) if path else "it"
        yield message("{path} is not what it should be: {wanted}", path=where, wanted=unfit)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _faults(item, schema.get("items", {}), f"{path}[{place}]", depth + 1)
    elif isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                yield message("{path} is missing", path=Typed(f"{path}.{key}".lstrip(".")))
        known = schema.get("properties", {})
        for key in dict.fromkeys([*known, *value]):
            if key in value:
                inner = known.get(key, schema.get("additionalProperties", {}))
                yield from _faults(value[key], inner, f"{path}.{key}".lstrip("."), depth + 1)


def _unfit(value: Any, schema: Schema, depth: int) -> Message | None:
    """What a value of the right type should be and is not."""
    if isinstance(value, str):
        if "maxLength" in schema and len(value) > schema["maxLength"]:
            return message("a text of at most {most} letters", most=schema["maxLength"])
        if "pattern" in schema and not (value.isprintable() or _is_line(value, schema["pattern"])):
            return message("a line of text without control characters")
    elif isinstance(value, list):
        if "maxItems" in schema and len(value) > schema["maxItems"]:
            return message("a list of at most {most}", most=schema["maxItems"])
    elif "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        return message("a number from {least} to {most}", least=schema["minimum"], most=schema["maximum"])
    return message("nested less deeply") if depth > _DEEPEST else None


def _is_line(text: str, pattern: str) -> bool:
    """Whether the text is as the pattern says; and has no half of a character, which no file can hold."""
    return bool(re.search(pattern, text)) and text == text.encode(errors="ignore").decode()


def _is_one_of(value: Any, schema: Schema) -> bool:
    """Whether the value is one of those that the schema lists, if it does; `True` is not 1."""
    return "enum" not in schema or any(value == one and type(value) is type(one) for one in schema["enum"])
