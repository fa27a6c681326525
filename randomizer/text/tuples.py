"""Named tuples: those of `typing`, which are made sooner.

A deal needs some sixty of them, and the standard library takes about 70 µs for each, two thirds of it to
compile a constructor. Here the constructor is compiled when it has been wanted often enough.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter
    from functools import cache

    _SELDOM = 50  # times that a constructor is wanted before it is compiled: as long as that takes
    _new = tuple.__new__
    _wanted = {}  # by class, how many times

    class _Making(type):
        """Makes a class of tuples out of a class of annotations."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"{name}: a field without a default comes after one that has one")
            body.update((field, _getter(place)) for place, field in enumerate(fields))
            body["_fields"] = body["__match_args__"] = fields
            body["_field_defaults"] = defaults
            body["__slots__"] = ()
            return type(name, (_Tuple,), body)

    @cache
    def _getter(place):
        """What finds the field in that place, of any tuple."""
        return _tuplegetter(place, f"Field {place}")

    class _Tuple(tuple):
        """What all of them can do."""

        __slots__ = ()

        def __new__(cls, /, *given, **named):
            """A constructor that needs no compiling, and puts one that is faster in its place."""
            _wanted[cls] = _wanted.get(cls, 0) + 1
            if _wanted[cls] == _SELDOM:
                cls.__new__ = _compiled(cls)
            fields, usual = cls._fields, cls._field_defaults
            left = len(fields) - len(given)
            if not named and 0 <= left <= len(usual):
                return _new(cls, (*given, *[*usual.values()][len(usual) - left :]))
            values = {**usual, **dict(zip(fields, given, strict=False)), **named}
            twice = not named.keys().isdisjoint(fields[: len(given)])
            if twice or len(given) > len(fields) or values.keys() != set(fields):
                raise TypeError(f"{cls.__name__} takes {', '.join(fields)}")
            return _new(cls, [values[field] for field in fields])

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, /, **values):
            made = _new(type(self), map(values.pop, self._fields, self))
            if values:
                raise TypeError(f"{type(self).__name__} has no such fields: {', '.join(values)}")
            return made

        def __repr__(self):
            said = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({said})"

        def __getnewargs__(self):
            return tuple(self)

    def _compiled(cls):
        """A constructor as the standard library writes it."""
        listed = "".join(f"{field}, " for field in cls._fields)
        code = f"lambda cls, {listed}: new(cls, ({listed}))"
        constructed = eval(code, {"new": _new, "__builtins__": {}})  # noqa: S307  # names of our own classes
        constructed.__defaults__ = tuple(cls._field_defaults.values())
        return constructed

    class NamedTuple(metaclass=_Making):
        """A tuple whose parts have names: a class of this one lists them, with their types."""
