"""Adding a language takes only a data file: all input and output uses it, without a change of Python code."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from randomizer.cli import main
from randomizer.load import languages, paths
from randomizer.load.languages import list_codes
from randomizer.text.language import Language
from tests.support import TESTS_DIR, find_by_name, run

GERMAN = """
language: de
name: Deutsch
sets:
  base: {name: Basisspiel}
  adventures: {name: Abenteuer, also: [Reiseabenteuer]}
boxes: {base-2e: Basisspiel 2. Edition, adventures: Abenteuer}
types: {Action: Aktion, Reserve: Reservekarte}
words:
  Kingdom: Königreich
  "{count} players": "{count} Spieler"
  "for {text}": "für {text}"
  "in {text}": "aus {text}"
  "Source: {text}": "Quelle: {text}"
  edition: Auflage
  Tavern mat: Wirtshaustableau
cards:
  Moat: {name: Burggraben}
  Coin of the Realm: {name: Königliche Münze, also: [Reichsmünze]}
"""


RULES = """
chapter: {en: Reserve cards}
entries:
  - {id: reserve, title: {en: Reserve}, text: {en: They wait on a mat.}, sources: [Adventures-RB p2]}
"""


@pytest.fixture(scope="module")
def german_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the data files, an incomplete German one, and a cache.

    It has only one rule, because indexing all rules takes long.
    """
    folder = tmp_path_factory.mktemp("german")
    ignored = [f"*.{code}.yaml" for code in list_codes() if code not in ("en", "ja")]
    shutil.copytree(
        TESTS_DIR.parent / "data", folder / "data", ignore=shutil.ignore_patterns(*ignored, "rules")
    )
    (folder / "data" / "names.de.yaml").write_text(GERMAN, encoding="utf-8")
    (folder / "data" / "rules" / "dominion").mkdir(parents=True)
    (folder / "data" / "rules" / "dominion" / "reserve.yaml").write_text(RULES, encoding="utf-8")
    books = (TESTS_DIR.parent / "data" / "rules" / "books.yaml").read_text(encoding="utf-8")
    # The order names chapters that are not in this folder.
    books = re.sub(r"^order:\n(?:  .*\n)+", "order: {}\n", books, flags=re.MULTILINE)
    (folder / "data" / "rules" / "books.yaml").write_text(books, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def use_german_data(german_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the program read that folder."""
    monkeypatch.setattr(paths, "data_folder", lambda: str(german_folder / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(german_folder / "cache"))


def run_in_german(*args: str) -> str:
    result = run(*args, "--lang", "de")
    assert result.exit_code == 0, result.stderr
    return result.stdout


def complete(*words: str) -> list[str]:
    completion = ShellComplete(main, {}, "dominion-setup", "_DOMINION_SETUP_COMPLETE")
    return [item.value for item in completion.get_completions(list(words[:-1]), words[-1])]


DEAL = ["--sets", "base,adventures", "--seed", "s-12"]  # with Moat and Coin of the Realm


def test_checklist_uses_the_language_and_falls_back_to_english() -> None:
    text = run_in_german(*DEAL)
    assert text.splitlines()[0] == "Dominion · Basisspiel 2. Edition, Abenteuer · 2 Spieler · seed s-12"
    assert "Königreich " in text and "Burggraben  " in text and "Treasure–Reservekarte" in text
    assert "Wirtshaustableau  für Königliche Münze" in text
    assert "Supply" in text  # The file has no translation of this.


def test_lines_of_many_deals_use_the_language() -> None:
    assert "Burggraben" in run_in_german("--sets", "base,adventures", "--seed", "s", "--count", "12")


def test_document_has_the_names_and_texts_of_its_language() -> None:
    setup = json.loads(run_in_german(*DEAL, "--json"))
    assert setup["languages"] == ["en", "de"]
    assert find_by_name(setup["piles"], "Moat")["names"] == {"de": "Burggraben"}
    assert "names" not in find_by_name(setup["piles"], "Village")
    assert setup["checklist"][0]["title"] == {"en": "Kingdom", "de": "Königreich"}
    assert "Burggraben" in run("show", "-", "--lang", "de", input=json.dumps(setup)).stdout


@pytest.mark.parametrize(("lang", "expected"), [("en", []), ("de", ["names.de.yaml"])])
def test_document_loads_no_other_language(
    lang: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading a language takes time, and there are many."""
    loaded: list[str] = []
    load_file = languages._load_file

    def load_and_note(path: str, cache: str | None) -> Language:
        loaded.append(Path(path).name)
        return load_file(path, cache)

    monkeypatch.setattr(languages, "_load_file", load_and_note)
    json.loads(run(*DEAL, "--json", "--lang", lang).stdout)
    assert sorted({*loaded}) == expected


def test_document_is_shown_in_a_language_that_it_does_not_have() -> None:
    german = run_in_german(*DEAL)
    english = run(*DEAL, "--json").stdout
    assert '"de"' not in english
    assert run("show", "-", "--lang", "de", input=english).stdout == german
    assert run("show", "-", "--json", "--lang", "de", input=english).stdout == english


@pytest.mark.parametrize("name", ["Burggraben", "burggraben", "moat", "堀"])
def test_card_is_found_by_its_name_in_every_language(name: str) -> None:
    lines = run_in_german("cards", name).splitlines()
    assert lines[0] == "Burggraben · Moat" and any("堀" in line for line in lines)


def test_cards_json_has_names_by_language() -> None:
    moat, village = (
        json.loads(run_in_german("cards", name, "--json"))["cards"][0] for name in ("Moat", "Village")
    )
    assert (moat["name"], moat["names"]) == ("Moat", {"de": "Burggraben", "ja": "堀"})
    assert (moat["readings"], village["names"]) == ({"ja": "ほり"}, {"ja": "村"})


def test_lists_use_the_language() -> None:
    assert "Treasure–Reservekarte" in run_in_german("cards", "--type", "reserve")
    assert "Basisspiel 2. Edition" in run_in_german("sets") and "Auflage" in run_in_german("sets")
    boxes = json.loads(run_in_german("sets", "--json"))["boxes"]
    box = next(box for box in boxes if box["slug"] == "base-2e")
    assert box["names"] == {"de": "Basisspiel 2. Edition", "ja": "基本 第二版"}


@pytest.mark.parametrize("sets", ["Abenteuer", "abent", "Reiseabenteuer", "冒険", "adventures"])
def test_set_is_found_by_its_name_in_every_language(sets: str) -> None:
    assert json.loads(run_in_german("--sets", sets, "--json"))["options"]["sets"] == ["adventures"]


def test_rules_fall_back_to_english() -> None:
    assert "Quelle: " in run_in_german("rules", "reserve")
    assert run_in_german("rules", "Burggraben").startswith("Burggraben · Moat")
    found = json.loads(run_in_german("rules", "Reichsmünze", "--json"))
    assert found["card"] == "Coin of the Realm"


def test_odds_use_the_language() -> None:
    assert "Burggraben" in run_in_german("odds", "--sets", "base", "Burggraben")


@pytest.mark.parametrize(
    ("words", "item"),
    [
        (["cards", "burg"], "burggraben"),
        (["cards", "Königl"], "königliche-münze"),
        (["cards", "moa"], "moat"),
        (["cards", "堀"], "堀"),
        (["rules", "burg"], "burggraben"),
        (["odds", "burg"], "burggraben"),
        (["--sets", "abent"], "abenteuer"),
        (["--sets", "base,abent"], "base,abenteuer"),
        (["--lang", "d"], "de"),
    ],
)
def test_completion_knows_the_language_of_the_locale_and_other_scripts(
    words: list[str], item: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert item in complete(*words)


def test_unknown_language_is_rejected_with_a_list() -> None:
    assert run("--lang", "fr").stderr == "Error: unknown language 'fr'; did you mean en, de or ja?\n"
