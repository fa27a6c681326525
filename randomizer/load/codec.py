"""Values as JSON and back: a named tuple is an array of its fields, a verb one with its word in front.

The annotations say what an array was, so a value thaws into exactly what was frozen. Fields at the end
that have their default are left out.
"""

from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, TypeVar

from randomizer.cards.effect import Effects
from randomizer.deal.verbs import VERBS, word_of
from randomizer.text.json import dumps_compact, loads

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
    word = word_of(type(value))
    return [word, *row] if word else row


def thawed(value: Any, wanted: Any) -> Any:
    """The value of the annotated type that was frozen."""
    return _thaw(wanted)(value)


def pack(items: Mapping[str, Any], store: bytearray) -> dict[str, tuple[int, int]]:
    """Put each value into the store as JSON text of its own, so that it can be thawed by itself.

    Returns:
        By its key, where each begins and ends there.
    """
    places = {}
    for key, item in items.items():
        start = len(store)
        store += dumps_compact(frozen(item)).encode()
        places[key] = start, len(store)
    return places


class Packed(Mapping[str, T]):
    """A mapping whose values thaw when they are asked for; of a game, a deal uses only some.

    Args:
        packed: where each value is in the store, as `pack` says.
        store: what `pack` filled.
        wanted: the type of the values.
    """

    def __init__(self, packed: Mapping[str, Sequence[int]], store: bytes | memoryview, wanted: Any) -> None:
        self._packed = packed
        self._store = store
        self._wanted = wanted
        self._thawed: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._thawed:
            start, end = self._packed[key]
            self._thawed[key] = thawed(loads(bytes(self._store[start:end])), self._wanted)
        return self._thawed[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value, or the default: without an exception, because most cards ask for nothing."""
        if key not in self._packed:
            return default
        return self._thawed[key] if key in self._thawed else self[key]

    def keys(self) -> KeysView[str]:
        """The keys, of which one is found without an exception if it is not there."""
        return self._packed.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def _keep(value: Any) -> Any:
    return value


@cache
def _thaw(wanted: Any) -> Callable[[Any], Any]:
    """How to thaw a value of this type; `_keep` if JSON leaves it as it is."""
    if wanted is Effects:
        return lambda rows: tuple([_effect(row) for row in rows])
    if hasattr(wanted, "_fields"):
        return _record(wanted)
    origin = getattr(wanted, "__origin__", type(wanted))
    parts: Sequence[Any] = getattr(wanted, "__args__", ())
    args = [_thaw(part) for part in parts]
    if origin is UnionType:
        inner = next((thaw for thaw in args if thaw is not _keep), _keep)
        return _keep if inner is _keep else lambda value: None if value is None else inner(value)
    if origin is tuple and parts[1] is Ellipsis:
        item = args[0]
        return tuple if item is _keep else lambda rows: tuple(map(item, rows))
    if origin is tuple:  # a pair, whose first is a name
        second = args[1]
        return tuple if second is _keep else lambda pair: (pair[0], second(pair[1]))
    if origin in (Mapping, dict) and args[1] is not _keep:
        value_of = args[1]
        return lambda items: {key: value_of(item) for key, item in items.items()}
    return _keep


@cache
def _record(wanted: Any) -> Callable[[Any], Any]:
    fields = [(place, _thaw(type_)) for place, type_ in enumerate(wanted.__annotations__.values())]
    steps = [(place, thaw) for place, thaw in fields if thaw is not _keep]
    usual = [wanted._field_defaults.get(field) for field in wanted._fields]

    def thaw_row(row: list[Any]) -> Any:
        length = len(row)
        for place, thaw in steps:
            if place < length:
                row[place] = thaw(row[place])
        return tuple.__new__(wanted, row + usual[length:])  # sooner than its own constructor: a game has many

    return thaw_row


def _effect(row: list[Any]) -> Any:
    return _record(VERBS[row[0]].effect)(row[1:])
