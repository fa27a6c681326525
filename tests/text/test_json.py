"""JSON is written and read as `json` would, without loading it; of kept parts as of any others."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.text.json import (
    Kept,
    KeptList,
    dumps,
    dumps_compact,
    dumps_kept,
    loads,
    made_once,
    pack_strings,
    unpack_strings,
)
from tests.support import HERE

LINES = st.text(st.characters(exclude_characters="\x7f", exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | LINES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(LINES, inner, max_size=4),
    max_leaves=20,
)

HEAD = Kept({"name": "Pie", "ja": "パイ"})
DOCUMENT: dict[str, Any] = {
    "nothing": [{}, [], "", None, 0, False],
    "numbers": [1, True, 1.0, "1", -2],
    "alone": HEAD,
    "empty": Kept({}),
    "head": [Kept(HEAD, {"count": 1, "because": ["Cake"]}), Kept(HEAD), Kept({}, HEAD, {}), HEAD],
    "mixed": [Kept({"of": {"a": [1, {"b": {}}]}}), {"name": "Nut"}, "text", [HEAD, "text"]],
    "text": 'quoted "here" \\ \u3000 é',
}


@given(VALUES)
def test_written_and_read_as_json_does(value: Any) -> None:
    assert dumps_compact(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert loads(dumps_compact(value)) == loads(dumps_compact(value).encode()) == value


@given(st.dictionaries(LINES.filter(lambda text: "\x1f" not in text), VALUES, max_size=4))
def test_in_lines_it_is_the_same_document(document: dict[str, Any]) -> None:
    assert json.loads(dumps(document)) == document


@given(st.dictionaries(LINES.filter(bool), LINES))
def test_packed_and_unpacked(texts: dict[str, str]) -> None:
    assert unpack_strings(pack_strings(texts)) == texts


@pytest.mark.parametrize("text", ["", "[", '{"a": ', '{"a" 1}', '"abc', "nothing", b"\xff"])
def test_what_is_damaged_is_no_value(text: str | bytes) -> None:
    """Where `json` is not there, the scanner of some Pythons fails without saying of what."""
    with pytest.raises(ValueError):  # noqa: PT011
        loads(text)
    code = (
        f"from randomizer.text.json import loads\ntry: loads({text!r})\nexcept ValueError: print('damaged')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HERE.parent, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("damaged\n", "")


@pytest.mark.parametrize("value", [object(), {1, 2}, float("nan"), {"a": b""}])
def test_json_has_no_such_value(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        dumps_compact(value)


@pytest.mark.parametrize("times", [1, 2])
def test_it_is_that_of_plain_data(times: int) -> None:
    """The second time, too, when there are texts of what is kept."""
    for _ in range(times):
        assert dumps_kept(DOCUMENT) == json.dumps(DOCUMENT, ensure_ascii=False).encode()


def test_what_nobody_sees_is_an_escape() -> None:
    hidden = {"\u202ekey": Kept({"name": "a\u200bb\x7f", "lone": "\ud800"}), "text": "\x1b"}
    text = dumps_kept(hidden).decode()
    assert text.isprintable() and json.loads(text) == hidden


def test_what_is_made_of_a_part_is_made_once() -> None:
    part = Kept({"name": "Pie"})
    assert made_once(part, lambda part: [part["name"]]) is made_once(part, lambda part: [part["name"]])
    plain = {"name": "Pie"}
    assert made_once(plain, lambda part: [part["name"]]) is not made_once(plain, lambda part: [part["name"]])


def test_a_list_that_is_kept_has_the_text_of_its_parts_and_keeps_it() -> None:
    parts = KeptList([Kept({"name": "Pie"}), {"name": "Torte"}])
    text = dumps_kept({"parts": parts})
    assert text == dumps_kept({"parts": [*parts]}) == b'{"parts": [{"name": "Pie"}, {"name": "Torte"}]}'
    parts.append({"name": "Flan"})  # nobody may
    assert dumps_kept({"parts": parts}) == text
    assert made_once(parts, len) == made_once(parts, lambda parts: 0) == 3


def test_a_part_is_made_of_others_in_turn() -> None:
    head, tail = Kept({"name": "Pie"}), Kept({"count": 1})
    part = Kept(head, {"cost": None}, tail)
    assert [*part.items()] == [("name", "Pie"), ("cost", None), ("count", 1)]
    assert dumps_kept(part) == b'{"name": "Pie", "cost": null, "count": 1}'
    assert (head.text, tail.text) == (b'{"name": "Pie"}', b'{"count": 1}')
