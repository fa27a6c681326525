"""The JSON Schemas of what commands print with `--json`: `python -m tests.cli.test_schemas` writes them."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from randomizer.cli.documents import DOCUMENT_CLASSES, load_document_class
from randomizer.load.annotations import Shape, get_fields
from randomizer.setup.schema import render_schema
from tests.support import TESTS_DIR, run

ROOT = TESTS_DIR.parent
# Commands, by the names of the documents that they print. The second one reads a setup.
COMMANDS = {
    "setup": (["--sets", "all", "--seed", "1"], ["--veto", "2", "--about"], ["--game", "pergamemnon"]),
    "cards": (["cards"], ["cards", "moat"], ["cards", "trade route"], ["cards", "--game", "pergamemnon"]),
    "sets": (["sets"], ["sets", "--game", "pergamemnon"]),
    "kingdoms": (["kingdoms"], ["kingdoms", "first", "game"]),
    "rules": (
        ["rules", "is there a Loot pile"],
        ["rules", "how many Loot cards"],
        ["rules", "moat"],
        ["rules", "throne room on a xyzzyqq merchant"],
        ["rules", "qqqxxxzzz"],
        ["rules", "王国カードとは"],
        ["rules", "--list"],
        ["rules", "--for", "-"],
    ),
    "odds": (
        ["odds"],
        ["odds", "Moat,Copper", "--sets", "all"],
        ["odds", "Militia", "--sets", "base", "--want", "attack=1-", "--weight", "cost:5=2", "--of", "1"],
        ["odds", "Moat", "--sets", "base", "--veto", "3"],
    ),
    "history": (["history"], ["history", "show", "1"]),
    "statistics": (["history", "stats"],),
}


def get_path(name: str) -> Path:
    """Return the file of the published schema of the documents of this name."""
    return ROOT / "data" / f"{name}.schema.json"


@cache
def build_validator(name: str) -> jsonschema.Draft202012Validator:
    """Return a validator with the published schema of the documents of this name."""
    return jsonschema.Draft202012Validator(json.loads(get_path(name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", DOCUMENT_CLASSES)
class TestSchema:
    def test_published_schema_is_what_the_command_prints(self, name: str) -> None:
        text = get_path(name).read_text(encoding="utf-8")
        assert text == run("schema", name).stdout
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
        assert json.loads(text)["$id"] == f"urn:dominion-randomizer:{name}:{2 if name == 'setup' else 1}"

    def test_output_of_every_command_is_valid(self, name: str) -> None:
        setup = run("--sets", "base,adventures", "--seed", "1", "--json").stdout
        for players in ("Ann 32, Bob 28", "Ann -3, Bob", ""):
            recorded = run("played", "-", "--players", players, "--rating", "4", "--again", input=setup)
            assert recorded.exit_code == 0
        for args in COMMANDS[name]:
            document = json.loads(run(*args, "--json", input=setup).stdout)
            build_validator(name).validate(document)
            assert find_unknown_keys(document, load_document_class(name)) == []

    def test_every_key_has_one_meaning(self, name: str) -> None:
        """Two values with the same key have the same type, except that only one of them may be null."""
        assert [key for key, (_, value) in list_fields(name).items() if " / " in value] == []

    def test_documentation_has_every_key_with_its_type(self, name: str) -> None:
        """The table of docs/json.md lists the keys of all classes, and says what they mean."""
        rows = read_documentation(name)
        assert [(key, (owners, value)) for key, owners, value, _ in rows] == sorted(list_fields(name).items())
        assert all(len(meaning) > 8 for *_, meaning in rows)


def find_unknown_keys(value: Any, class_: Any) -> list[str]:
    """Return the keys of a document that its class does not have."""

    def find(value: Any, shape: Shape) -> list[str]:
        if value is None:
            return []
        if shape.kind == "nullable":
            return find(value, shape.parts[0])
        if shape.kind == "list":
            return [key for item in value for key in find(item, shape.parts[0])]
        if shape.kind == "mapping":
            return [key for item in value.values() for key in find(item, shape.parts[0])]
        if shape.kind != "record":
            return []
        fields = get_fields(shape.type)
        known = [found for key in value if key in fields for found in find(value[key], fields[key])]
        return [f"{shape.type.__name__}.{key}" for key in value if key not in fields] + known

    return find(value, Shape("record", class_))


# ── The tables of docs/json.md ──

NULL = " or null"
WORDS = {str: "text", int: "number", float: "number", bool: "true or false", Any: "value"}


def list_fields(name: str) -> dict[str, tuple[str, str]]:
    """Return the classes of a document that have each key, and the type of its value in words."""
    fields: dict[str, tuple[list[str], set[str]]] = {}
    classes: list[Any] = [load_document_class(name)]
    for class_ in classes:
        for key, shape in get_fields(class_).items():
            owners, types = fields.setdefault(key, ([], set()))
            owners.append(class_.__name__)
            types.add(describe_type(shape))
            classes += [record for record in find_records(shape) if record not in classes]
    for _, types in fields.values():
        types -= {type_.removesuffix(NULL) for type_ in types if type_.endswith(NULL)}
    return {
        key: (", ".join(sorted(owners)), " / ".join(sorted(types))) for key, (owners, types) in fields.items()
    }


def find_records(shape: Shape) -> list[Any]:
    """Return the classes that a value of this shape contains."""
    if shape.kind == "record":
        return [shape.type]
    return [record for part in shape.parts for record in find_records(part)]


def describe_type(shape: Shape) -> str:
    """Return the type of a value in words, as in the tables of docs/json.md."""
    parts = [*map(describe_type, shape.parts)]
    match shape.kind:
        case "scalar":
            return WORDS[shape.type]
        case "enumeration":
            return ", ".join(f"`{json.dumps(constant)}`" for constant in shape.constants)
        case "nullable":
            return parts[0] + NULL
        case "union":
            return " or ".join(parts)
        case "list":
            return f"list of {parts[0]}"
        case "mapping":
            return "Prose" if {"required": ["en"]} in shape.metadata else f"object of {parts[0]}"
        case _:
            return str(shape.type.__name__)


def read_documentation(name: str) -> list[tuple[str, ...]]:
    """Return the rows of the table of a document in docs/json.md: key, classes, type and meaning."""
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    root = load_document_class(name).__name__
    tables = [part for part in text.split("\n\n") if part.startswith("| key | of |")]
    (table,) = [part for part in tables if re.search(rf"\| `schema` \| {root} \|", part)]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return [(key.strip("`"), owners, value, meaning) for key, owners, value, meaning in rows]


if __name__ == "__main__":
    for document_name in DOCUMENT_CLASSES:
        schema = render_schema(document_name, load_document_class(document_name))
        get_path(document_name).write_text(schema + "\n", encoding="utf-8")
