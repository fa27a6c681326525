"""Rules in a user's own data file, and look-ups for a table."""

import json
from pathlib import Path

import pytest

import randomizer
from randomizer.rules.lookup import open_index
from randomizer.text.errors import BadData
from tests.support import run

COURT = """
sets: {court: Court}
kinds:
  edict: {is: landscape, title: Edicts, most: 1}
cards:
  - {name: Topiary, set: court, cost: 3, types: [Action]}
  - {name: Edict of Silence, set: court, kind: edict}
  - {replaces: Cellar, cost: 3}
entries:
  - id: edicts
    title: {en: Edicts, ja: 勅令}
    aliases: [royal edict]
    types: [Edict]
    text:
      en: |
        An Edict is in force for all players from the start of the game.

        - It cannot be bought and never moves.
      ja: 勅令はゲームの開始時から全員に適用される。
  - id: topiary
    title: {en: Topiary}
    cards: [Topiary]
    text: {en: Clips a card of your hand and gains a hedge.}
    sources: [Our rules, Base2E-RB p9]
  - id: cellar
    title: {en: Cellar}
    cards: [Cellar]
    text: {en: Our Cellar gives a Coffers for each card discarded.}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("own") / "court.yaml"
    path.write_text(COURT, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def table(path: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with a setup that includes cards of the own file."""
    cards = "topiary, edict of silence, duplicate, moat"
    result = run(
        "--cards", path, "--sets", "base,adventures,court", "--kingdom", cards, "--json", "--seed", "1"
    )
    file = tmp_path_factory.mktemp("table") / "table.json"
    file.write_text(result.stdout, encoding="utf-8")
    return str(file)


def test_own_entry_is_found_by_its_names_and_text(path: str) -> None:
    for query, expected in {
        "edicts": "edicts",
        "royal edict": "edicts",
        "edcits": "edicts",
        "勅令とは": "edicts",
        "is an edict in force for everybody": "edicts",
        "topiary": "topiary",
        "reserve": "reserve-cards",
    }.items():
        answer = json.loads(run("rules", *query.split(), "--cards", path, "--json").stdout)
        if expected == "reserve-cards":
            assert answer["results"][0]["title"]["en"] == "Reserve cards"
        else:
            assert answer["results"][0]["id"] == expected, query


def test_page_of_an_own_card_has_its_facts_and_rules(path: str) -> None:
    text = run("rules", "topiary", "--cards", path, "--all").stdout
    assert text.startswith("Topiary\n$3, Action\nin Court\n")
    assert "Clips a card" in text and "Source: Our rules, Base 2E rulebook p9" in text
    assert run("cards", "topiary", "--cards", path, "--all").stdout == text
    page = json.loads(run("cards", "topiary", "--cards", path, "--json").stdout)["cards"][0]["page"]
    assert page["effect"]["en"] == "Clips a card of your hand and gains a hedge."


def test_card_without_an_entry_still_has_a_page(path: str) -> None:
    result = run("rules", "edict of silence", "--cards", path)
    assert result.stdout.startswith("Edict of Silence\nEdict\nin Court")


def test_own_entry_replaces_the_printed_one_with_its_id(path: str) -> None:
    text = run("rules", "cellar", "--cards", path, "--all").stdout
    assert "$3, Action" in text and "Our Cellar gives" in text and "court.yaml" in text
    printed = run("rules", "cellar", "--all").stdout
    assert "$2, Action" in printed and "Our Cellar" not in printed


def test_other_look_ups_do_not_change(path: str) -> None:
    for query in ("throne room", "what happens when the deck runs out", "鍛冶屋"):
        ids = [
            [entry["id"] for entry in json.loads(run("rules", query, *args, "--json").stdout)["results"]][:1]
            for args in ((), ("--cards", path))
        ]
        assert ids[0] == ids[1]


def test_list_has_the_entries_of_the_file_as_a_chapter(path: str) -> None:
    text = run("rules", "--list", "court", "--cards", path).stdout
    assert "Dominion: Court\n  Edicts [edicts]" in text


class TestTable:
    def test_rules_of_a_table_include_those_of_its_own_file(self, table: str) -> None:
        text = run("rules", "--for", table, "--all").stdout
        assert "[topiary]" in text and "[edicts]" in text

    def test_term_and_table_list_first_what_concerns_both(self, table: str) -> None:
        lines = run("rules", "reserve", "--for", table).stdout.splitlines()
        assert lines[0] == "On this table" and "[duplicate]" in lines[1]
        assert "Reserve cards · リザーブカード" in lines
        answer = json.loads(run("rules", "reserve", "--for", table, "--json").stdout)
        assert answer["on_table"][0] == "duplicate" and "guide" not in answer["on_table"]
        assert run("rules", "reserve", "--for", table, "--lang", "ja").stdout.startswith(
            "この卓に関係するもの\n"
        )

    def test_own_card_of_the_table_is_found(self, table: str) -> None:
        assert "Clips a card" in run("rules", "topiary", "--for", table).stdout
        assert run("rules", "edict", "--for", table).stdout.startswith("Edicts · 勅令")

    def test_answer_without_anything_on_the_table_is_as_usual(self, table: str) -> None:
        usual = run("rules", "sauna", "--all").stdout
        answer = json.loads(run("rules", "sauna", "--for", table, "--json").stdout)
        assert answer["on_table"] == [] and run("rules", "sauna", "--for", table, "--all").stdout == usual

    def test_file_that_is_gone_causes_a_warning(self, table: str, tmp_path: Path) -> None:
        setup = json.loads(Path(table).read_text(encoding="utf-8"))
        setup["options"]["files"] = [str(tmp_path / "gone.yaml")]
        result = run("rules", "moat", "--for", "-", input=json.dumps(setup))
        assert result.exit_code == 0 and "Moat" in result.stdout
        assert result.stderr.startswith("Warning: ") and "gone.yaml can't be read" in result.stderr

    def test_table_and_list_are_refused(self, table: str) -> None:
        result = run("rules", "--list", "--for", table)
        assert (result.exit_code, result.stderr) == (2, "Error: use either --list or --for, not both.\n")

    def test_page_of_a_table_has_the_rules_of_own_cards_only_if_the_file_was_typed(
        self, path: str, table: str
    ) -> None:
        args = ("--cards", path, "--sets", "base,court", "--with", "topiary", "--seed", "1")
        assert "gains a hedge" in run(*args, "--format", "html").stdout
        assert "gains a hedge" not in run("show", table, "--format", "html").stdout


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ("[{id: a, title: {en: A}}]", "a: text missing"),
        ("[{id: a, title: {en: A}, text: {en: x}, cards: [Topiry]}]", "a.cards[0]: no card named 'Topiry'"),
        ("[{id: a, title: {xx: A}, text: {en: x}}]", "no language named 'xx'"),
        ("[{id: a, title: {en: A}, text: {en: x}, see: [nowhere]}]", "own.yaml: a.see: no entry 'nowhere'"),
        ("[{id: a, title: {ja: A}, text: {en: x}}]", "own.yaml: a.title: en missing"),
        ("[{id: a, title: {en: A}, text: {en: x}}, {id: a, title: {en: B}, text: {en: y}}]", "defined twice"),
    ],
)  # fmt: skip
def test_fault_in_an_entry_is_reported_with_its_path(tmp_path: Path, entries: str, fault: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(f"entries: {entries}", encoding="utf-8")
    with pytest.raises(BadData) as raised:
        open_index(str(tmp_path), [str(own)])
    assert any(fault in str(found) for found in raised.value.faults), raised.value.faults


def test_python_function_takes_files_and_a_table(path: str, table: str) -> None:
    assert [entry.id for entry in randomizer.look_up("royal edict", files=[path])] == ["edicts"]
    setup = json.loads(Path(table).read_text(encoding="utf-8"))
    assert randomizer.look_up("reserve", files=[path], setup=setup)[0].id == "duplicate"
