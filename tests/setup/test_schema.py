"""Parsing of setup documents: each limit from both sides, and the error message of each fault."""

import json
from collections.abc import Sequence
from typing import Any, cast

import pytest

from randomizer.cards.model import MAX_NUMBER
from randomizer.setup.document import Setup
from randomizer.setup.schema import get_document_schema, loads, render_schema, select_document
from randomizer.text.errors import BadDocument
from tests.support import Deals
from tests.support.nasty import replace_at

SAVES = "to save a setup, use `dominion-setup --json > game.json`."


@pytest.fixture(scope="module")
def setup(deal: Deals) -> Setup:
    return deal.setup("Page", "Druid", "Tax", "Keep", "Riverboat", players=3)


def get_refusal(text: str | bytes, *name: str) -> str:
    """Return the error message for a text that is not a valid document."""
    with pytest.raises(BadDocument) as raised:
        loads(text, *name)
    return str(raised.value)


def get_fault(setup: Setup, path: Sequence[Any], value: Any) -> str:
    """Return the fault in the error message for the document with this value at the path."""
    refusal = get_refusal(json.dumps(replace_at(setup, tuple(path), value)))
    assert refusal.startswith("the document is not a saved setup: ")
    return refusal.removeprefix("the document is not a saved setup: ").removesuffix(".")


def assert_accepted(setup: Setup, path: Sequence[Any], value: Any) -> None:
    changed = replace_at(setup, tuple(path), value)
    assert loads(json.dumps(changed)) == changed


def nest(levels: int) -> Any:
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


class TestSelectDocument:
    SEVERAL = b'{"a": 1}\n\n  \n{"b": 2}\n'

    @pytest.mark.parametrize(
        "content",
        [
            b'{"a": 1}',
            b'\n{"a": 1}\n\n',  # Blank lines do not count.
            b'{\n"a":\n1}',  # The first line is not JSON by itself.
            b"[" * 100_000 + b"\n[",  # Neither is this one.
            b"\xff\n\xff",
            b"",
        ],
    )
    def test_single_document_is_returned_unchanged(self, content: bytes) -> None:
        assert select_document(content, None, "x") is content

    def test_several_documents_without_a_line_number_are_refused(self) -> None:
        with pytest.raises(BadDocument) as raised:
            select_document(self.SEVERAL, None, "x.ndjson")
        assert str(raised.value) == "x.ndjson has 2 setups, one per line; pick one with --line N."

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
    def test_line_number_does_not_count_blank_lines(self, encoding: str) -> None:
        content = self.SEVERAL.decode().encode(encoding)
        assert select_document(content, 1, "x").lstrip("\ufeff") == '{"a": 1}'  # type: ignore[arg-type]
        assert select_document(content, 2, "x") == '{"b": 2}'

    def test_line_number_after_the_last_line_is_refused(self) -> None:
        with pytest.raises(BadDocument) as raised:
            select_document(self.SEVERAL, 3, "x")
        assert str(raised.value) == "x has only 2 lines; there is no line 3."

    def test_undecodable_byte_becomes_a_replacement_character(self) -> None:
        assert select_document(b'"\xff"\n2', 1, "x") == '"\ufffd"'


class TestLoads:
    @pytest.mark.parametrize(
        "text", ["", "{", b"\xff", "[" * 100_000, '{"schema": NaN}', "[-Infinity]", "[1e999]"]
    )
    def test_text_that_is_not_json_is_refused(self, text: str | bytes) -> None:
        assert get_refusal(text) == f"the document is not JSON; {SAVES}"
        assert get_refusal(text, "x.json") == f"x.json is not JSON; {SAVES}"

    @pytest.mark.parametrize("text", ["[]", "{}", '["schema"]', '"schema"', "1"])
    def test_json_without_schema_is_refused(self, text: str) -> None:
        assert get_refusal(text, "x") == "x is not a saved setup: it has no `schema`."

    @pytest.mark.parametrize("schema", ["1", "3", "0", "-1"])
    def test_other_schema_version_is_refused(self, schema: str) -> None:
        refusal = get_refusal(f'{{"schema": {schema}}}', "x")
        assert refusal == f"x has schema {schema}; this program reads schema 2."

    @pytest.mark.parametrize("schema", ['"1"', "null", '"hunter2"', "1.0", "true"])
    def test_schema_that_is_no_version_is_refused_without_quoting_it(self, schema: str) -> None:
        assert get_refusal(f'{{"schema": {schema}}}', "x") == "x is not a saved setup: schema is invalid."

    def test_error_names_the_first_fault_and_counts_the_others(self, setup: Setup) -> None:
        one = {**setup, "players": "two"}
        assert get_refusal(json.dumps(one), "x") == "x is not a saved setup: players is invalid."
        two = {**one, "seed": 3}
        refusal = get_refusal(json.dumps(two), "x")
        assert refusal == "x is not a saved setup: seed is invalid (and 1 more)."
        three = {**two, "trash": 0}
        assert get_refusal(json.dumps(three), "x").endswith(" (and 2 more).")

    def test_fractions_under_an_unknown_key_are_accepted(self, setup: Setup) -> None:
        loaded = cast(dict[str, Any], loads(json.dumps({**setup, "weather": [0.5, -3, 1e300]})))
        assert loaded["weather"] == [0.5, -3, 1e300]


class TestLimits:
    def test_text_has_a_maximum_length(self, setup: Setup) -> None:
        assert_accepted(setup, ["seed"], "a" * 1000)
        refusal = get_fault(setup, ["seed"], "a" * 1001)
        assert refusal == "seed must be text of at most 1000 characters"

    @pytest.mark.parametrize(
        "text", ["", "a b", "魔女", "\u200b", "e\u0301", "\U0001f600", "a\u202eb", "\xa0"]
    )
    def test_text_without_control_characters_is_accepted(self, setup: Setup, text: str) -> None:
        assert_accepted(setup, ["seed"], text)

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
    def test_text_with_control_characters_is_refused(self, setup: Setup, text: str) -> None:
        refusal = "must be a single line of text without control characters"
        assert get_fault(setup, ["seed"], text) == f"seed {refusal}"

    @pytest.mark.parametrize(("path", "least"), [(["piles", 0, "count"], 0), (["placed", 0, "count"], 0)])
    def test_number_has_a_minimum_and_a_maximum(self, setup: Setup, path: list[Any], least: int) -> None:
        for number in (least, MAX_NUMBER):
            assert_accepted(setup, path, number)
        for number in (least - 1, MAX_NUMBER + 1):
            assert "must be" in get_fault(setup, path, number)

    def test_fault_of_a_number_names_the_limits(self, setup: Setup) -> None:
        refusal = get_fault(setup, ["placed", 0, "count"], MAX_NUMBER + 1)
        assert refusal == f"placed[0].count must be a number from 0 to {MAX_NUMBER}"

    def test_list_has_a_maximum_length(self, setup: Setup) -> None:
        assert_accepted(setup, ["choices"], ["a"] * 2_000)
        refusal = get_fault(setup, ["choices"], ["a"] * 2_001)
        assert refusal == "choices must be a list of at most 2000 items"

    def test_nesting_has_a_maximum_depth(self, setup: Setup) -> None:
        """The values are under an unknown key, because known keys have a type."""
        assert_accepted(cast(Setup, {**setup, "weather": 0}), ["weather"], nest(50))
        refusal = get_fault(cast(Setup, {**setup, "weather": 0}), ["weather"], nest(51))
        assert refusal.endswith(" must be nested less deeply")
        assert refusal.startswith("weather[0][0]")
        deep: Any = 0
        for _ in range(60):
            deep = {"a": deep}
        assert "weather.a.a.a" in get_fault(cast(Setup, {**setup, "weather": 0}), ["weather"], deep)


class TestShapes:
    @pytest.mark.parametrize(
        ("path", "value", "expected"),
        [
            (["players"], True, "players is invalid"),
            (["players"], 2.0, "players is invalid"),
            (["schema"], True, "schema is invalid"),
            (["decisions", 0, "answer"], 1, "decisions[0].answer is invalid"),
            (["piles", 0, "place"], "moon", "piles[0].place is invalid"),
            (["piles", 0], [], "piles[0] is invalid"),
            (["piles"], {}, "piles is invalid"),
            (["generator"], None, "generator is invalid"),
            (["piles", 0, "names"], {"ja": 1}, "piles[0].names.ja is invalid"),
            (["piles", 0, "count"], "ten", "piles[0].count is invalid"),
            (["turned", 0], "Copper", "turned[0] is invalid"),
            (["generator"], {"name": "x", "version": "1"}, "generator.data is missing"),
            (["generator"], {}, "generator.data is missing (and 2 more)"),
        ],
    )
    def test_fault_names_the_path(self, setup: Setup, path: list[Any], value: Any, expected: str) -> None:
        assert get_fault(setup, path, value) == expected

    def test_missing_top_level_key_is_named(self, setup: Setup) -> None:
        without = {key: value for key, value in setup.items() if key != "seed"}
        assert get_refusal(json.dumps(without), "x") == "x is not a saved setup: seed is missing."

    def test_value_of_either_alternative_is_accepted(self, setup: Setup) -> None:
        """If a value fits no alternative, the faults are those of the first."""
        assert_accepted(setup, ["piles", 0, "cost"], None)
        assert_accepted(setup, ["piles", 0, "cost"], {"coins": 3, "potion": 0, "debt": 0, "mark": ""})
        refusal = get_fault(setup, ["piles", 0, "cost"], {"coins": "3", "potion": 0, "debt": 0, "mark": ""})
        assert refusal == "piles[0].cost.coins is invalid"

    def test_unknown_key_accepts_any_json(self, setup: Setup) -> None:
        for value in (None, True, -5, 0.5, "a", ["a", {"b": None}]):
            assert_accepted(cast(Setup, {**setup, "weather": 0}), ["weather"], value)


class TestPublished:
    def test_schema_text_is_indented_and_readable(self) -> None:
        text = render_schema()
        assert json.loads(text) == get_document_schema()
        start = '{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n  "$id": '
        assert text.startswith(f'{start}"urn:dominion-randomizer:setup:2",')
        assert "\\u3" not in text

    def test_classes_become_sorted_definitions(self) -> None:
        definitions = get_document_schema()["$defs"]
        assert list(definitions) == sorted(definitions)
        assert get_document_schema()["$ref"] == "#/$defs/Setup"
        pile = definitions["Pile"]
        assert pile["required"] == sorted(pile["required"]) and "note" not in pile["required"]
        assert pile["properties"]["place"]["enum"] == ["kingdom", "supply", "beside"]
        assert pile["properties"]["marks"] == {
            **pile["properties"]["marks"],
            "type": "array",
            "maxItems": 2_000,
            "items": {"$ref": "#/$defs/Text"},
        }
