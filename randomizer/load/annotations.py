"""Inspects type annotations.

The annotations of named tuples and typed dictionaries declare what data files, cache files and setup
documents may contain. Only this module inspects annotations. `yaml_reader`, `codec` and `setup.schema`
interpret the descriptions that it returns.
"""

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from randomizer.cards.effect import Effects


class Shape(NamedTuple):
    """A description of a type annotation.

    Attributes:
        kind: the kind of type, which is one of these:

            - `scalar`: a value without parts, such as `str`, `int` or `Any`.
            - `reference`: a name that refers to something, a `NewType` of `str` such as `CardName`.
            - `enumeration`: one of several constants, `Literal[...]`.
            - `nullable`: a value or None, `X | None`.
            - `union`: a value of one of several types, `X | Y`.
            - `list`: any number of values, `tuple[X, ...]` or `list[X]`.
            - `pair`: two values, `tuple[X, Y]`.
            - `mapping`: values by string, `dict[str, X]` or `Mapping[str, X]`.
            - `effects`: setup effects, `Effects`.
            - `record`: a named tuple or a typed dictionary; see `get_fields`.
        type: the type, for a scalar, a reference or a record.
        parts: the shapes of the type arguments, such as X and Y above.
        constants: the constants of an enumeration.
        metadata: the metadata of `Annotated[...]`.
    """

    kind: str
    type: Any = None
    parts: tuple["Shape", ...] = ()
    constants: tuple[Any, ...] = ()
    metadata: tuple[Any, ...] = ()


def describe(annotation: Any) -> Shape:
    """Return the shape that a type annotation describes."""
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation == Effects:
        return Shape("effects")
    if isinstance(annotation, NewType):
        return Shape("reference" if annotation.__supertype__ is str else "scalar", annotation)
    if origin is Annotated:
        return describe(args[0])._replace(metadata=args[1:])
    if origin is NotRequired:
        return describe(args[0])
    if origin is Literal:
        return Shape("enumeration", constants=args)
    if origin in (UnionType, Union):
        if len(args) == 2 and args[1] is NoneType:
            return Shape("nullable", parts=(describe(args[0]),))
        return Shape("union", parts=tuple(map(describe, args)))
    if origin is list or (origin is tuple and args[1] is Ellipsis):
        return Shape("list", parts=(describe(args[0]),))
    if origin is tuple:
        return Shape("pair", parts=tuple(map(describe, args)))
    if origin in (dict, Mapping):
        return Shape("mapping", parts=(describe(args[1]),))
    if hasattr(annotation, "_fields") or is_typeddict(annotation):
        return Shape("record", annotation)
    return Shape("scalar", annotation)


@cache
def get_fields(record: Any) -> Mapping[str, Shape]:
    """Return the shapes of the fields of a named tuple or a typed dictionary, by field name."""
    return {name: describe(hint) for name, hint in get_type_hints(record, include_extras=True).items()}
