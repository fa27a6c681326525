"""Reading setup documents: every bound from both of its sides, and what is said of each fault."""

import json
from collections.abc import Sequence
from typing import Any, cast

import pytest

from randomizer.cards.model import MOST
from randomizer.setup.document import Setup
from randomizer.setup.schema import document_schema, loads, one_of, schema_text
from randomizer.text.errors import BadDocument
from tests.support import Deals
from tests.support.nasty import put

SAVES = "`dominion-setup --json > game.json` saves a document."


@pytest.fixture(scope="module")
def setup(deal: Deals) -> Setup:
    return deal.setup("Page", "Druid", "Tax", "Keep", "Riverboat", players=3)


def refused(text: str | bytes, *name: str) -> str:
    """What is said of a text that is not a setup document."""
    with pytest.raises(BadDocument) as raised:
        loads(text, *name)
    return str(raised.value)


def fault(setup: Setup, path: Sequence[Any], value: Any) -> str:
    """What is said of the document with the value at that place."""
    said = refused(json.dumps(put(setup, tuple(path), value)))
    assert said.startswith("the document is not a setup document: ")
    return said.removeprefix("the document is not a setup document: ").removesuffix(".")


def let_in(setup: Setup, path: Sequence[Any], value: Any) -> None:
    changed = put(setup, tuple(path), value)
    assert loads(json.dumps(changed)) == changed


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


class TestOneOf:
    """Of a content that has a document in each line, the one that is asked for."""

    SEVERAL = b'{"a": 1}\n\n  \n{"b": 2}\n'

    @pytest.mark.parametrize(
        "content",
        [
            b'{"a": 1}',
            b'\n{"a": 1}\n\n',  # blank lines are none
            b'{\n"a":\n1}',  # of which the first line is not JSON by itself
            b"[" * 100_000 + b"\n[",  # nor is this
            b"\xff\n\xff",
            b"",
        ],
    )
    def test_one_document_is_handed_on_as_it_is(self, content: bytes) -> None:
        assert one_of(content, None, "x") is content

    def test_of_several_one_has_to_be_named(self) -> None:
        with pytest.raises(BadDocument) as raised:
            one_of(self.SEVERAL, None, "x.ndjson")
        assert str(raised.value) == "x.ndjson has 2 documents, a line each; take one of them with --line N."

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
    def test_by_its_number_blank_lines_not_counted(self, encoding: str) -> None:
        content = self.SEVERAL.decode().encode(encoding)
        assert one_of(content, 1, "x").lstrip("\ufeff") == '{"a": 1}'  # type: ignore[arg-type]
        assert one_of(content, 2, "x") == '{"b": 2}'

    def test_there_is_no_such_line(self) -> None:
        with pytest.raises(BadDocument) as raised:
            one_of(self.SEVERAL, 3, "x")
        assert str(raised.value) == "x has 2 lines; there is no line 3."

    def test_what_cannot_be_decoded_stands_for_itself(self) -> None:
        assert one_of(b'"\xff"\n2', 1, "x") == '"\ufffd"'


class TestLoads:
    @pytest.mark.parametrize(
        "text", ["", "{", b"\xff", "[" * 100_000, '{"schema": NaN}', "[-Infinity]", "[1e999]"]
    )
    def test_not_json(self, text: str | bytes) -> None:
        assert refused(text) == f"the document is not JSON; {SAVES}"
        assert refused(text, "x.json") == f"x.json is not JSON; {SAVES}"

    @pytest.mark.parametrize("text", ["[]", "{}", '["schema"]', '"schema"', "1"])
    def test_no_schema(self, text: str) -> None:
        assert refused(text, "x") == "x is not a setup document: it has no `schema`."

    @pytest.mark.parametrize(("schema", "told"), [("2", "2"), ('"1"', "'1'"), ("null", "None")])
    def test_another_schema(self, schema: str, told: str) -> None:
        said = refused(f'{{"schema": {schema}}}', "x")
        assert said == f"x has schema {told}; this program reads schema 1."

    def test_the_first_fault_and_how_many_more(self, setup: Setup) -> None:
        one = {**setup, "players": "two"}
        assert refused(json.dumps(one), "x") == "x is not a setup document: players is not what it should be."
        two = {**one, "seed": 3}
        said = refused(json.dumps(two), "x")
        assert said == "x is not a setup document: seed is not what it should be (and 1 more)."
        three = {**two, "trash": 0}
        assert refused(json.dumps(three), "x").endswith(" (and 2 more).")

    def test_fractions_are_numbers_too_where_nothing_is_said_of_them(self, setup: Setup) -> None:
        loaded = cast(dict[str, Any], loads(json.dumps({**setup, "weather": [0.5, -3, 1e300]})))
        assert loaded["weather"] == [0.5, -3, 1e300]


class TestBounds:
    def test_the_longest_text(self, setup: Setup) -> None:
        let_in(setup, ["seed"], "a" * 1000)
        said = fault(setup, ["seed"], "a" * 1001)
        assert said == "seed is not what it should be: a text of at most 1000 letters"

    @pytest.mark.parametrize(
        "text", ["", "a b", "魔女", "\u200b", "e\u0301", "\U0001f600", "a\u202eb", "\xa0"]
    )
    def test_texts(self, setup: Setup, text: str) -> None:
        let_in(setup, ["seed"], text)

    @pytest.mark.parametrize(
        "text",
        [
            "\n",
            "a\n",
            "\ta",
            "a\0b",
            "\x1b[m",
            "\x7f",
            "\x80",
            "\x9f",
            "\u2028",
            "a\u2029",
            "\ud800",
            "a\udfff",
        ],
    )
    def test_no_text_with_control_characters(self, setup: Setup, text: str) -> None:
        said = "is not what it should be: a line of text without control characters"
        assert fault(setup, ["seed"], text) == f"seed {said}"

    @pytest.mark.parametrize(("path", "least"), [(["piles", 0, "count"], 0), (["placed", 0, "count"], 0)])
    def test_numbers(self, setup: Setup, path: list[Any], least: int) -> None:
        for number in (least, MOST):
            let_in(setup, path, number)
        for number in (least - 1, MOST + 1):
            assert "is not what it should be" in fault(setup, path, number)

    def test_a_number_out_of_its_bounds_says_which(self, setup: Setup) -> None:
        said = fault(setup, ["placed", 0, "count"], MOST + 1)
        assert said == f"placed[0].count is not what it should be: a number from 0 to {MOST}"

    def test_the_longest_list(self, setup: Setup) -> None:
        let_in(setup, ["choices"], ["a"] * 2_000)
        said = fault(setup, ["choices"], ["a"] * 2_001)
        assert said == "choices is not what it should be: a list of at most 2000"

    def test_the_deepest(self, setup: Setup) -> None:
        """Under a key that nobody knows, for those that are known have a shape."""
        let_in(cast(Setup, {**setup, "weather": 0}), ["weather"], nested(50))
        said = fault(cast(Setup, {**setup, "weather": 0}), ["weather"], nested(51))
        assert said.endswith(" is not what it should be: nested less deeply")
        assert said.startswith("weather[0][0]")
        deep: Any = 0
        for _ in range(60):
            deep = {"a": deep}
        assert "weather.a.a.a" in fault(cast(Setup, {**setup, "weather": 0}), ["weather"], deep)


class TestShapes:
    @pytest.mark.parametrize(
        ("path", "value", "says"),
        [
            (["players"], True, "players is not what it should be"),
            (["players"], 2.0, "players is not what it should be"),
            (["schema"], True, "schema is not what it should be"),
            (["decisions", 0, "answer"], 1, "decisions[0].answer is not what it should be"),
            (["piles", 0, "place"], "moon", "piles[0].place is not what it should be"),
            (["piles", 0], [], "piles[0] is not what it should be"),
            (["piles"], {}, "piles is not what it should be"),
            (["generator"], None, "generator is not what it should be"),
            (["piles", 0, "names"], {"ja": 1}, "piles[0].names.ja is not what it should be"),
            (["piles", 0, "count"], "ten", "piles[0].count is not what it should be"),
            (["turned", 0], "Copper", "turned[0] is not what it should be"),
            (["generator"], {"name": "x", "version": "1"}, "generator.data is missing"),
            (["generator"], {}, "generator.data is missing (and 2 more)"),
        ],
    )
    def test_the_place_is_told(self, setup: Setup, path: list[Any], value: Any, says: str) -> None:
        assert fault(setup, path, value) == says

    def test_what_is_missing_at_the_top(self, setup: Setup) -> None:
        without = {key: value for key, value in setup.items() if key != "seed"}
        assert refused(json.dumps(without), "x") == "x is not a setup document: seed is missing."

    def test_either_of_two_shapes(self, setup: Setup) -> None:
        """A cost is taken apart, or there is none; the faults are those of the first."""
        let_in(setup, ["piles", 0, "cost_parts"], None)
        let_in(setup, ["piles", 0, "cost_parts"], {"coins": 3, "potion": 0, "debt": 0, "mark": ""})
        said = fault(setup, ["piles", 0, "cost_parts"], {"coins": "3", "potion": 0, "debt": 0, "mark": ""})
        assert said == "piles[0].cost_parts.coins is not what it should be"

    def test_what_is_not_known_may_be_anything_that_json_has(self, setup: Setup) -> None:
        for value in (None, True, -5, 0.5, "a", ["a", {"b": None}]):
            let_in(cast(Setup, {**setup, "weather": 0}), ["weather"], value)


class TestPublished:
    def test_it_is_for_people_too(self) -> None:
        text = schema_text()
        assert json.loads(text) == document_schema()
        assert text.startswith('{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n  "title": ')
        assert "\\u3" not in text

    def test_classes_are_definitions_in_order(self) -> None:
        definitions = document_schema()["$defs"]
        assert list(definitions) == sorted(definitions)
        assert document_schema()["$ref"] == "#/$defs/Setup"
        pile = definitions["Pile"]
        assert pile["required"] == sorted(pile["required"]) and "note" not in pile["required"]
        assert pile["properties"]["place"]["enum"] == ["kingdom", "supply", "beside"]
        assert pile["properties"]["marks"] == {
            **pile["properties"]["marks"],
            "type": "array",
            "maxItems": 2_000,
            "items": {"$ref": "#/$defs/Text"},
        }
