"""JSON Schemas of documents, and functions that parse and validate setup documents.

A schema is generated from a class and its type annotations. The class of the setup document is
`setup.document.Setup`.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from math import isfinite
from reprlib import repr as short_repr
from types import NoneType
from typing import Any

from randomizer.cards.model import MAX_NUMBER
from randomizer.load.annotations import Shape, describe, get_fields
from randomizer.setup.document import SCHEMA, Setup
from randomizer.text.errors import BadDocument
from randomizer.text.language import Message, Value, Verbatim, message

Schema = dict[str, Any]

_MAX_ITEMS = 2_000
_MAX_DEPTH = 50  # levels of lists and objects
_TEXT: Schema = {
    "type": "string",
    "description": "a line of text, without control characters",
    "maxLength": 1_000,
    # In Python, `$` also matches before a final line break, and some programs use the schema with Python.
    "pattern": r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$(?!\n)",
}
_NULL: Schema = {"type": "null"}
_SCALARS: dict[Any, Schema] = {
    Any: {},
    str: {"$ref": "#/$defs/Text"},
    int: {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER},
    bool: {"type": "boolean"},
    float: {"type": "number"},
}


# ── The schema ──


def render_schema(name: str = "setup", record: Any = Setup) -> str:
    """Return the JSON Schema of a kind of documents as text. By default, these are setup documents.

    Args:
        name: the name of the kind, which is a part of the id of the schema.
        record: the class that describes the content. Its field `schema` has the version of the format.
    """
    return json.dumps(_build_document_schema(name, record), indent=2, ensure_ascii=False)


@cache
def get_document_schema() -> Schema:
    """Return the JSON Schema of the setup document."""
    return _build_document_schema("setup", Setup)


def _build_document_schema(name: str, record: Any) -> Schema:
    """Return the JSON Schema of documents; see `render_schema`."""
    (version,) = get_fields(record)["schema"].constants
    definitions: dict[str, Schema] = {"Text": _TEXT}
    top = _build_schema(describe(record), definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:dominion-randomizer:{name}:{version}",
        "title": name,
        **top,
        "$defs": dict(sorted(definitions.items())),
    }


def _build_schema(shape: Shape, definitions: dict[str, Schema]) -> Schema:
    """Return the JSON Schema of a shape.

    The metadata of a shape are descriptions, and dictionaries with additional keywords of JSON Schema.

    Args:
        shape: the shape.
        definitions: the schemas of classes by name. The schemas of the classes in the shape are added to it.
    """
    schema = _build_schema_of_type(shape, definitions)
    for metadata in shape.metadata:
        if isinstance(metadata, str):
            schema = {**schema, "description": metadata}
        elif "anyOf" in schema:  # The keywords are for the value that may be missing.
            value, *others = schema["anyOf"]
            schema = {**schema, "anyOf": [{**_inline_text(value), **metadata}, *others]}
        else:
            schema = {**_inline_text(schema), **metadata}
    return schema


def _build_schema_of_type(shape: Shape, definitions: dict[str, Schema]) -> Schema:
    match shape:
        case Shape("scalar", type_):
            return _SCALARS[type_]
        case Shape("enumeration", constants=constants):
            return {"enum": list(constants)}
        case Shape("nullable", parts=(value,)):
            return {"anyOf": [_build_schema(value, definitions), _NULL]}
        case Shape("union", parts=options):
            return {"anyOf": [_build_schema(option, definitions) for option in options]}
        case Shape("list", parts=(item,)):
            return {"type": "array", "maxItems": _MAX_ITEMS, "items": _build_schema(item, definitions)}
        case Shape("mapping", parts=(value,)):
            return {"type": "object", "additionalProperties": _build_schema(value, definitions)}
        case Shape("record", record):
            if record.__name__ not in definitions:
                definitions[record.__name__] = {
                    "type": "object",
                    "description": " ".join((record.__doc__ or "").split()),
                    "properties": {
                        key: _build_schema(field, definitions) for key, field in get_fields(record).items()
                    },
                    "required": sorted(record.__required_keys__),
                }
            return {"$ref": f"#/$defs/{record.__name__}"}
    raise TypeError(f"no setup document can contain a {shape}")


def _inline_text(schema: Schema) -> Schema:
    """Replace a reference to the schema of a text by its keywords, so that they can be overridden."""
    return {key: _TEXT[key] for key in ("type", "maxLength", "pattern")} if "$ref" in schema else schema


# ── Documents ──


def select_document(content: bytes, line: int | None, name: Value) -> bytes | str:
    """Select a document from a file, which contains either a single document or one on each line.

    Args:
        content: the content of the file.
        line: the number of the line, counted from 1 without empty lines; None if the file must contain a
            single document.
        name: the name of the file in error messages.

    Raises:
        BadDocument: there is no such line, or there are several documents but no line is given.
    """
    text = content.decode(json.detect_encoding(content), "replace")
    lines = [line_text for line_text in text.split("\n") if line_text.strip()]
    if line is None:
        if len(lines) > 1 and _is_json(lines[0]):
            template = "{file} has {count} setups, one per line; pick one with --line N."
            raise BadDocument(template, file=name, count=len(lines))
        return content
    if line > len(lines):
        template = "{file} has only {count} lines; there is no line {line}."
        raise BadDocument(template, file=name, count=len(lines), line=line)
    return lines[line - 1]


def _is_json(text: str) -> bool:
    """Return whether a text is valid JSON. The first line of an indented document is not."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def loads(text: str | bytes, name: Value = "the document") -> Setup:
    """Parse and validate a setup document. Unknown keys are kept.

    Args:
        text: the document as JSON.
        name: the name of the document in error messages.

    Raises:
        BadDocument: the text is not valid JSON, or not a setup document of this version of the schema.
    """
    try:
        value = json.loads(text, parse_constant=_parse_finite, parse_float=_parse_finite)
    except (ValueError, RecursionError):
        raise BadDocument(
            "{file} is not JSON; to save a setup, use `dominion-setup --json > game.json`.", file=name
        ) from None
    return check_document(value, name)


def check_document(value: Any, name: Value = "the document") -> Setup:
    """Check that a parsed JSON value is a setup document, and return it.

    Args:
        value: the value.
        name: the name of the document in error messages.

    Raises:
        BadDocument: the value is not a setup document of this version of the schema.
    """
    if not isinstance(value, dict) or "schema" not in value:
        raise BadDocument("{file} is not a saved setup: it has no `schema`.", file=name)
    if type(value["schema"]) is not int:
        raise BadDocument(
            "{file} is not a saved setup: {fault}.",
            file=name,
            fault=message("{path} is invalid", path=Verbatim("schema")),
        )
    if value["schema"] != SCHEMA:
        template = "{file} has schema {other}; this program reads schema {ours}."
        raise BadDocument(template, file=name, other=Verbatim(short_repr(value["schema"])), ours=SCHEMA)
    faults = list(_find_faults(value, get_document_schema(), ""))
    if faults:
        fault = faults[0]
        if faults[1:]:
            fault = message("{fault} (and {count} more)", fault=fault, count=len(faults) - 1)
        raise BadDocument("{file} is not a saved setup: {fault}.", file=name, fault=fault)
    return value  # type: ignore[return-value]  # It has been checked.


def _parse_finite(digits: str) -> float:
    """Parse a floating-point number; reject `NaN` and `1e999`, which JSON cannot represent.

    Raises:
        ValueError: the number is not finite.
    """
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


def _find_faults(value: Any, schema: Schema, path: str, depth: int = 0) -> Iterator[Message]:
    """Yield a message for each fault of a value according to a schema.

    Only those keywords of JSON Schema that `_build_schema` generates are supported.

    Args:
        value: the value.
        schema: the schema.
        path: the path of the value in the document; empty for the document itself.
        depth: the nesting depth of the value.
    """
    if "$ref" in schema:
        schema = get_document_schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        faults_by_option = [list(_find_faults(value, option, path, depth)) for option in schema["anyOf"]]
        if [] not in faults_by_option:
            yield from faults_by_option[0]
    elif not _has_type(value, schema):
        yield message("{path} is invalid", path=Verbatim(path) if path else "it")
    elif limit := _find_exceeded_limit(value, schema, depth):
        where = Verbatim(path) if path else "it"
        yield message("{path} must be {wanted}", path=where, wanted=limit)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _find_faults(item, schema.get("items", {}), f"{path}[{index}]", depth + 1)
    elif isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                yield message("{path} is missing", path=Verbatim(f"{path}.{key}".lstrip(".")))
        properties = schema.get("properties", {})
        for key in dict.fromkeys([*properties, *value]):
            if key in value:
                key_schema = properties.get(key, schema.get("additionalProperties", {}))
                yield from _find_faults(value[key], key_schema, f"{path}.{key}".lstrip("."), depth + 1)


def _has_type(value: Any, schema: Schema) -> bool:
    """Return whether a value has the required type, and is one of the allowed constants if there are any."""
    if "enum" in schema and not any(
        value == constant and type(value) is type(constant) for constant in schema["enum"]
    ):
        return False
    return "type" not in schema or type(value) is _PYTHON_TYPES[schema["type"]]


def _find_exceeded_limit(value: Any, schema: Schema, depth: int) -> Message | None:
    """Return a message that states the limit that a value exceeds; None if it exceeds no limit."""
    if isinstance(value, str):
        if "maxLength" in schema and len(value) > schema["maxLength"]:
            return message("text of at most {most} characters", most=schema["maxLength"])
        if "pattern" in schema and not (value.isprintable() or _is_line(value, schema["pattern"])):
            return message("a single line of text without control characters")
    elif isinstance(value, list):
        if "maxItems" in schema and len(value) > schema["maxItems"]:
            return message("a list of at most {most} items", most=schema["maxItems"])
    elif "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        return message("a number from {least} to {most}", least=schema["minimum"], most=schema["maximum"])
    return message("nested less deeply") if depth > _MAX_DEPTH else None


def _is_line(text: str, pattern: str) -> bool:
    """Return whether a text matches a pattern, and contains no surrogates, which cannot be encoded."""
    return bool(re.search(pattern, text)) and text == text.encode(errors="ignore").decode()
