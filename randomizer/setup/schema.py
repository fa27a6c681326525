"""The JSON Schema of the setup document, made from its classes; and reading documents by them."""

import json
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

from randomizer.errors import BadDocument
from randomizer.setup.document import SCHEMA, Setup

_JSON_TYPES: dict[Any, str] = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


def schema_text() -> str:
    """The JSON Schema as text."""
    definitions: dict[str, Any] = {}
    top = _schema(Setup, definitions)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup document",
        **top,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False)


def _schema(wanted: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """What JSON Schema says of the annotation; classes go to the definitions."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return {**_schema(parts[0], definitions), "description": parts[1]}
    if origin is NotRequired:
        return _schema(parts[0], definitions)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is UnionType:
        return {"anyOf": [_schema(part, definitions) for part in parts]}
    if origin is list:
        return {"type": "array", "items": _schema(parts[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(parts[1], definitions)}
    if wanted is Any:
        return {}
    if not is_typeddict(wanted):
        return {"type": _JSON_TYPES[wanted]}
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


def loads(text: str | bytes, name: str = "the document") -> Setup:
    """A setup document from its JSON text. Keys that are not known are kept.

    Raises:
        BadDocument: the text is not JSON, or not a setup document of this schema.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadDocument(
            f"{name} is not JSON; `dominion-setup --json > game.json` saves a document."
        ) from None
    if not isinstance(value, dict) or "schema" not in value:
        raise BadDocument(f"{name} is not a setup document: it has no `schema`.")
    if value["schema"] != SCHEMA:
        raise BadDocument(f"{name} has schema {value['schema']!r}; this program reads schema {SCHEMA}.")
    faults = _faults(value, Setup, "")
    if faults:
        more = f" (and {len(faults) - 1} more)" if faults[1:] else ""
        raise BadDocument(f"{name} is not a setup document: {faults[0]}{more}.")
    return value  # type: ignore[return-value]  # checked just now


def _faults(value: Any, wanted: Any, path: str) -> list[str]:
    """Where the value is not what the annotation says."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin in (Annotated, NotRequired):
        return _faults(value, parts[0], path)
    if origin is UnionType:
        tries = [_faults(value, part, path) for part in parts]
        return [] if [] in tries else tries[0]
    if origin is list and isinstance(value, list):
        return [
            fault for place, item in enumerate(value) for fault in _faults(item, parts[0], f"{path}[{place}]")
        ]
    if origin is dict and isinstance(value, dict):
        return [fault for key, item in value.items() for fault in _faults(item, parts[1], f"{path}.{key}")]
    if is_typeddict(wanted) and isinstance(value, dict):
        missing = [
            f"{path}.{key} is missing".lstrip(".") for key in sorted(wanted.__required_keys__ - set(value))
        ]
        fields = get_type_hints(wanted, include_extras=True)
        known = [key for key in fields if key in value]
        return missing + [
            fault for key in known for fault in _faults(value[key], fields[key], f"{path}.{key}")
        ]
    if wanted is Any or (origin is Literal and value in parts and type(value) in map(type, parts)):
        return []
    if isinstance(wanted, type) and not is_typeddict(wanted) and type(value) is wanted:
        return []
    return [f"{path.lstrip('.') or 'it'} is not what it should be"]
