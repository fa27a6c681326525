"""Named tuples that are made sooner do what those of the standard library do."""

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.text import tuples


class Sooner(tuples.NamedTuple):
    """A place."""

    name: str
    number: int = 1
    among: tuple[str, ...] = ()

    @property
    def loud(self) -> str:
        return self.name.upper()


class Later(typing.NamedTuple):
    """A place."""

    name: str
    number: int = 1
    among: tuple[str, ...] = ()

    @property
    def loud(self) -> str:
        return self.name.upper()


BOTH = pytest.mark.parametrize("made", [Sooner, Later])
VALUES = st.lists(st.sampled_from(["a", 2, ("b",)]), max_size=4)
NAMED = st.dictionaries(st.sampled_from(["name", "number", "among", "other"]), st.just("c"), max_size=4)


def outcome(do: Callable[[], Any]) -> object:
    """What comes of it: a tuple, or nothing; Pythons differ in how they refuse."""
    try:
        return tuple(do())
    except (TypeError, ValueError):
        return None


@given(VALUES, NAMED)
def test_made_alike(values: list[Any], named: dict[str, Any]) -> None:
    assert outcome(lambda: Sooner(*values, **named)) == outcome(lambda: Later(*values, **named))


@given(VALUES, NAMED)
def test_made_alike_by_the_constructor_of_the_first_few_too(values: list[Any], named: dict[str, Any]) -> None:
    class Fresh(tuples.NamedTuple):
        name: str
        number: int = 1
        among: tuple[str, ...] = ()

    assert outcome(lambda: Fresh(*values, **named)) == outcome(lambda: Later(*values, **named))


@given(NAMED)
def test_replaced_alike(named: dict[str, Any]) -> None:
    assert outcome(lambda: Sooner("a")._replace(**named)) == outcome(lambda: Later("a")._replace(**named))


@BOTH
def test_what_it_tells(made: type[Sooner] | type[Later]) -> None:
    one = made("a", among=("b",))
    assert hash(one) == hash(("a", 1, ("b",)))
    assert one._asdict() == {"name": "a", "number": 1, "among": ("b",)}
    assert repr(one) == f"{made.__name__}(name='a', number=1, among=('b',))"
    assert (*one, one.loud, one.number, made.__doc__) == ("a", 1, ("b",), "A", 1, "A place.")
    assert made._make(["c", 3, ()]) == ("c", 3, ())
    assert made._fields == made.__match_args__ == ("name", "number", "among")
    assert made._field_defaults == {"number": 1, "among": ()}
    assert typing.get_type_hints(made) == {"name": str, "number": int, "among": tuple[str, ...]}


@BOTH
def test_it_stays_as_it_is(made: type[Sooner] | type[Later]) -> None:
    one = made("a")
    for name in ("name", "other"):
        with pytest.raises(AttributeError):
            setattr(one, name, "b")


@BOTH
def test_copied_and_sent(made: type[Sooner] | type[Later]) -> None:
    one = made("a", 2)
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other == one and type(other) is made


def test_made_as_often_as_one_likes() -> None:
    class Fresh(tuples.NamedTuple):
        name: str
        number: int = 1

    for number in range(200):
        assert Fresh("a", number=number) == ("a", number)
        assert Fresh("a") == ("a", 1)
    with pytest.raises(TypeError):
        Fresh()  # type: ignore[call-arg]


def test_fields_without_a_default_come_first() -> None:
    with pytest.raises(TypeError, match="Wrong"):

        class Wrong(tuples.NamedTuple):
            one: int = 1
            two: int  # type: ignore[misc]
