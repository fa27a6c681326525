"""Values as JSON and back: a named tuple is an array of its fields, a verb one with its word in front.

The annotations say what an array was, so a value thaws into exactly what was frozen. Fields at the end
that have their default are left out.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin

from randomizer.effects import VERBS, WORDS, Effects

T = TypeVar("T")


def frozen(value: Any) -> Any:
    """The value in JSON's terms."""
    if isinstance(value, Mapping):
        return {key: frozen(item) for key, item in value.items()}
    if not isinstance(value, tuple):
        return value
    row = [frozen(item) for item in value]
    defaults = getattr(value, "_field_defaults", {})
    for field in reversed(getattr(value, "_fields", ())):
        if field not in defaults or defaults[field] != getattr(value, field):
            break
        row.pop()
    word = WORDS.get(type(value))
    return [word, *row] if word else row


def thawed(value: Any, wanted: Any) -> Any:
    """The value of the annotated type that was frozen."""
    thaw = _thaw(wanted)
    return thaw(value) if thaw else value


def pack(items: Mapping[str, Any]) -> dict[str, str]:
    """Each value as JSON text of its own, so that it can be thawed by itself."""
    return {key: json.dumps(frozen(item), ensure_ascii=False) for key, item in items.items()}


class Packed(Mapping[str, T]):
    """A mapping whose values thaw when they are asked for; of a game, a deal uses only some."""

    def __init__(self, packed: Mapping[str, str], wanted: Any) -> None:
        self._packed = packed
        self._wanted = wanted
        self._thawed: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._thawed:
            self._thawed[key] = thawed(json.loads(self._packed[key]), self._wanted)
        return self._thawed[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


@cache
def _thaw(wanted: Any) -> Callable[[Any], Any] | None:
    """How to thaw a value of this type; None if JSON leaves it as it is."""
    if wanted is Effects:
        return lambda rows: tuple([_effect(row) for row in rows])
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is UnionType:
        (inner,) = (_thaw(part) for part in args if part is not NoneType)
        return inner and (lambda value: None if value is None else inner(value))
    if origin is tuple:
        first, last = _thaw(args[0]), _thaw(args[1]) if args[1] is not Ellipsis else None
        if args[1] is Ellipsis:
            return (lambda rows: tuple(map(first, rows))) if first else tuple
        if first or last:
            return lambda pair: (first(pair[0]) if first else pair[0], last(pair[1]) if last else pair[1])
        return tuple
    if origin in (Mapping, dict):
        inner = _thaw(args[1])
        return inner and (lambda items: {key: inner(item) for key, item in items.items()})
    if hasattr(wanted, "_fields"):
        return _record(wanted)
    return None


def _record(wanted: Any) -> Callable[[Any], Any]:
    fields = [(place, _thaw(type_)) for place, type_ in enumerate(wanted.__annotations__.values())]
    steps = [(place, thaw) for place, thaw in fields if thaw]

    def thaw_row(row: list[Any]) -> Any:
        length = len(row)
        for place, thaw in steps:
            if place < length:
                row[place] = thaw(row[place])
        return wanted(*row)

    return thaw_row


def _effect(row: list[Any]) -> Any:
    thaw = _thaw(VERBS[row[0]].effect)
    assert thaw is not None
    return thaw(row[1:])
