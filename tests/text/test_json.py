"""JSON for documents, for NDJSON and for the program's own files."""

import builtins
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.text import json as text_json
from randomizer.text.json import dumps, dumps_compact, dumps_line, loads, pack_strings, unpack_strings

LINES = st.text(st.characters(exclude_characters="\x7f", exclude_categories=["Cs"]))
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | LINES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(LINES, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_compact_json_loads_as_the_same_value(value: Any) -> None:
    assert loads(dumps_compact(value)) == loads(dumps_compact(value).encode()) == value


@given(st.dictionaries(LINES.filter(lambda text: "\x1f" not in text), VALUES, max_size=4))
def test_document_in_lines_loads_as_the_same_document(document: dict[str, Any]) -> None:
    assert json.loads(dumps(document)) == document


def test_document_has_a_line_for_each_key_and_for_each_object_of_a_list() -> None:
    document = {
        "seed": "a",
        "piles": [{"name": "Pie", "members": [{"a": 1}, {"b": [1, 2]}]}, {}],
        "marks": [],
    }
    assert dumps(document) == (
        '{\n  "seed": "a",\n  "piles": [\n    {"name": "Pie", "members": [{"a": 1},\n    {"b": [1, 2]}]},\n'
        '    {}\n  ],\n  "marks": []\n}'
    )


@given(st.dictionaries(LINES.filter(bool), LINES))
def test_packed_strings_unpack_as_the_same_strings(texts: dict[str, str]) -> None:
    assert unpack_strings(pack_strings(texts)) == texts


@pytest.mark.parametrize("text", ["", "[", '{"a": ', '{"a" 1}', '"abc', "nothing", b"\xff"])
def test_damaged_json_raises_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        loads(text)


@pytest.mark.parametrize("value", [object(), {1, 2}, {"a": b""}])
def test_value_that_json_cannot_represent_raises_type_error(value: object) -> None:
    with pytest.raises(TypeError):
        dumps_compact(value)
    with pytest.raises(TypeError):
        dumps_line({"value": value})


class TestLine:
    """A line of NDJSON, with orjson and without it."""

    @pytest.fixture(params=["orjson", "json"], autouse=True)
    def _encoder(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        text_json._load_fast_encoder.cache_clear()
        if request.param == "json":
            import_module = builtins.__import__

            def refuse_orjson(name: str, *args: Any) -> Any:
                if name == "orjson":
                    raise ImportError
                return import_module(name, *args)

            monkeypatch.setattr(builtins, "__import__", refuse_orjson)
        yield
        text_json._load_fast_encoder.cache_clear()

    def test_is_compact(self) -> None:
        assert dumps_line({"name": "パイ", "count": [1, None]}) == '{"name":"パイ","count":[1,null]}'.encode()

    @pytest.mark.parametrize(
        "text",
        [
            "\u202e",
            "a\u200bb\x7f",
            "\ud800",
            "\x1b",
            "タ\u200d",
            "パ\u3164",
            "タa\u200dタ",
            "\U0001f468\u200d",
        ],
    )
    def test_shows_all_characters_of_a_text(self, text: str) -> None:
        document = {"name": text, f"{text}key": "パイ"}
        line = dumps_line(document).decode()
        visible = line.replace("👨\u200d", "")  # A joiner after an emoji is legitimate.
        assert visible.isprintable() and "\u3164" not in line and json.loads(line) == document
