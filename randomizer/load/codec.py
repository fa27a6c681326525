"""Conversion of values to JSON types and back, for the cache.

A named tuple is stored as an array of its fields, without trailing fields that have their default value. For
an effect, the name of its verb comes first. Decoding needs the annotated type, because an array does not say
which type it represents.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from randomizer.deal.verbs import VERBS, find_verb_name
from randomizer.load.annotations import Shape, describe, get_fields

_Decoder = Callable[[Any], Any]


def to_jsonable(value: Any) -> Any:
    """Convert a value to JSON types."""
    if isinstance(value, Mapping):
        return {key: to_jsonable(item) for key, item in value.items()}
    if not isinstance(value, tuple):
        return value
    row = [to_jsonable(item) for item in value]
    defaults = getattr(value, "_field_defaults", {})
    for field in reversed(getattr(value, "_fields", ())):
        if field not in defaults or defaults[field] != getattr(value, field):
            break
        row.pop()
    word = find_verb_name(type(value))
    return [word, *row] if word else row


def from_jsonable(value: Any, annotation: Any) -> Any:
    """Convert the output of `to_jsonable` back to a value of the annotated type."""
    decode = _get_decoder(annotation)
    return decode(value) if decode else value


@cache
def _get_decoder(annotation: Any) -> _Decoder | None:
    return _build_decoder(describe(annotation))


def _build_decoder(shape: Shape) -> _Decoder | None:
    """Return the decoder for values of a shape; None if their JSON needs no decoding."""
    match shape:
        case Shape("effects"):
            return lambda rows: tuple(map(_decode_effect, rows))
        case Shape("record", type):
            return _get_record_decoder(type)
        case Shape("nullable", parts=(value,)):
            decode_value = _build_decoder(value)
            return decode_value and (lambda value: None if value is None else decode_value(value))
        case Shape("list", parts=(item,)):
            decode_item = _build_decoder(item)
            return (lambda items: tuple(map(decode_item, items))) if decode_item else tuple
        case Shape(
            "pair", parts=(_, second)
        ):  # The first value of a pair is always a scalar, which needs no decoding.
            decode_second = _build_decoder(second)
            return (lambda pair: (pair[0], decode_second(pair[1]))) if decode_second else tuple
        case Shape("mapping", parts=(value,)):
            decode_entry = _build_decoder(value)
            return decode_entry and (lambda items: {key: decode_entry(value) for key, value in items.items()})
    return None


@cache
def _get_record_decoder(record: Any) -> _Decoder:
    decoders = [
        (index, decode)
        for index, shape in enumerate(get_fields(record).values())
        if (decode := _build_decoder(shape))
    ]

    def decode_record(row: list[Any]) -> Any:
        values = [*row]
        for index, decode in decoders:
            if index < len(row):
                values[index] = decode(row[index])
        return record(*values)

    return decode_record


def _decode_effect(row: list[Any]) -> Any:
    word, *fields = row
    return _get_record_decoder(VERBS[word].effect)(fields)
