"""JSON in a line: of a document of which parts are kept, it is the same as of any other."""

import json
from typing import Any

import pytest

from randomizer.text.json import Kept, dumps_kept, dumps_line, kept

HEAD = Kept({"name": "Pie", "ja": "パイ"})
DOCUMENT: dict[str, Any] = {
    "nothing": [{}, [], "", None, 0, False],
    "numbers": [1, True, 1.0, "1", -2],
    "alone": HEAD,
    "empty": Kept({}),
    "head": [Kept({**HEAD, "count": 1, "because": ["Cake"]}, HEAD), Kept({**HEAD}, HEAD), HEAD],
    "mixed": [Kept({"of": {"a": [1, {"b": {}}]}}), {"name": "Nut"}, "text", [HEAD, "text"]],
    "text": 'quoted "here" \\ \u3000 é',
}


@pytest.mark.parametrize("times", [1, 2])
def test_it_is_that_of_plain_data(times: int) -> None:
    """The second time, too, when there are texts of what is kept."""
    for _ in range(times):
        assert dumps_kept(DOCUMENT) == json.dumps(DOCUMENT, ensure_ascii=False).encode()
    assert dumps_kept(DOCUMENT).decode() == dumps_line(DOCUMENT)


def test_what_nobody_sees_is_an_escape() -> None:
    hidden = {"\u202ekey": Kept({"name": "a\u200bb\x7f", "lone": "\ud800"}), "text": "\x1b"}
    text = dumps_kept(hidden).decode()
    assert text == dumps_line(hidden) and text.isprintable() and json.loads(text) == hidden


def test_what_is_made_of_a_part_is_made_once() -> None:
    part = Kept({"name": "Pie"})
    assert kept(part, lambda part: [part["name"]]) is kept(part, lambda part: [part["name"]])
    plain = {"name": "Pie"}
    assert kept(plain, lambda part: [part["name"]]) is not kept(plain, lambda part: [part["name"]])
