"""The setup document, and the JSON Schema that is published with it."""

import json
from pathlib import Path

import jsonschema
import pytest

from randomizer.errors import BadDocument
from randomizer.setup import document, schema
from randomizer.text.json import dumps
from tests.support import HERE, Deals, run

SHIPPED = HERE.parent / "data" / "setup.schema.json"


def test_the_shipped_schema_is_current() -> None:
    """`dominion-setup schema > data/setup.schema.json` makes it so."""
    assert SHIPPED.read_text(encoding="utf-8") == schema.schema_text() + "\n"


def test_the_schema_is_one(deal: Deals) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema.schema_text()))


@pytest.mark.parametrize("seed", range(25))
def test_documents_are_as_the_schema_says(deal: Deals, seed: int) -> None:
    jsonschema.validate(deal.setup(seed=str(seed), players=2 + seed % 5), json.loads(schema.schema_text()))


def test_schema_number_and_promised_keys(deal: Deals) -> None:
    """The keys of the promise; more may come, none may go."""
    setup = deal.setup("Page", "Druid", "Riverboat", "Tax", "Cursed", "Kitsune", "Importer", "Necromancer")
    assert setup["schema"] == document.SCHEMA == 1
    promised = {
        "schema game generator seed command options players turned decisions piles landscapes decks",
        "set_aside components placed starting_deck trash game_end notes checklist",
    }
    assert set(" ".join(promised).split()) <= set(setup)
    for key, keys in {
        "turned": "name use",
        "decisions": "question answer decided_by because",
        "piles": "name ja set cost types place supply count members marks because",
        "landscapes": "name ja kind set cost because",
        "decks": "name cards face_up count because",
        "set_aside": "name for because",
        "components": "name kind count per because",
        "placed": "name count on because",
        "starting_deck": "name count",
        "trash": "name count because",
        "checklist": "title items",
    }.items():
        assert setup[key], key  # type: ignore[literal-required]
        for entry in setup[key]:  # type: ignore[literal-required]
            assert set(keys.split()) <= set(entry)
    assert setup["generator"]["name"] == "dominion-randomizer"
    assert {item for section in setup["checklist"] for item in section["items"][0]} == {
        "name",
        "count",
        "detail",
        "because",
    }


def test_read_back_byte_for_byte(tmp_path: Path) -> None:
    text = run("--sets", "all", "--players", "4", "--seed", "x", "--json").stdout
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    assert run("show", "--json", str(path)).stdout == text
    assert run("show", "--json", "-", input=text).stdout == text


def test_keys_that_a_later_version_adds_are_kept(deal: Deals) -> None:
    setup = {**deal.setup(), "weather": "fine"}
    assert schema.loads(dumps(setup))["weather"] == "fine"  # type: ignore[typeddict-item]


def test_other_encodings_of_a_saved_document_are_read(deal: Deals) -> None:
    """Windows PowerShell saves a pipe as UTF-16, an editor with a mark at the beginning."""
    text = dumps(deal.setup())
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert schema.loads(text.encode(encoding)) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "not a setup document"),
        ("{}", "has no `schema`"),
        ('{"schema": 2}', "has schema 2; this program reads schema 1"),
        ('{"schema": 1}', "is missing"),
    ],
)
def test_what_is_no_document_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadDocument, match=says):
        schema.loads(text)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"players": "two"}, "players is not what it should be"),
        ({"piles": [{"name": 3}]}, r"piles\[0\]"),
        ({"decks": None}, "decks is not"),
        (
            {"notes": [{"text": "x", "because": [], "says": {"phrase": "x", "values": {"a": []}}}]},
            r"notes\[0\]",
        ),
    ],
)
def test_a_damaged_document_is_refused(deal: Deals, change: dict[str, object], says: str) -> None:
    with pytest.raises(BadDocument, match=says):
        schema.loads(json.dumps({**deal.setup(), **change}))


def test_the_command_deals_the_same_table(deal: Deals) -> None:
    first = run(
        "--sets",
        "base-1e,adv,envoy",
        "-p",
        "5",
        "--landscapes",
        "3",
        "--no-colony",
        "--seed",
        "a b'c",
        "--json",
    )
    command = json.loads(first.stdout)["command"]
    assert command.startswith(
        "dominion-setup --sets base-1e,adventures,envoy --players 5 --landscapes 3 --no-colony"
    )
    import shlex

    assert run(*shlex.split(command)[1:], "--json").stdout == first.stdout
