"""A language is a file: with one more, all that is said or understood takes it, and no Python changes."""

import json
import shutil
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from randomizer.cli import main
from randomizer.load import paths
from randomizer.load.languages import list_codes
from tests.support import HERE, named, run

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
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data files, and one for German, which knows little, in a folder with a cache of its own.

    Of the rules one is there, as all take long to index.
    """
    folder = tmp_path_factory.mktemp("german")
    ignored = [f"*.{code}.yaml" for code in list_codes() if code not in ("en", "ja")]
    shutil.copytree(HERE.parent / "data", folder / "data", ignore=shutil.ignore_patterns(*ignored, "rules"))
    (folder / "data" / "names.de.yaml").write_text(GERMAN, encoding="utf-8")
    (folder / "data" / "rules" / "dominion").mkdir(parents=True)
    (folder / "data" / "rules" / "dominion" / "reserve.yaml").write_text(RULES, encoding="utf-8")
    shutil.copy(HERE.parent / "data" / "rules" / "books.yaml", folder / "data" / "rules")
    return folder


@pytest.fixture(autouse=True)
def german(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program finds its data there."""
    monkeypatch.setattr(paths, "data_folder", lambda: str(place / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))


def said(*args: str) -> str:
    result = run(*args, "--lang", "de")
    assert result.exit_code == 0, result.stderr
    return result.stdout


def offered(*words: str) -> list[str]:
    complete = ShellComplete(main, {}, "dominion-setup", "_DOMINION_SETUP_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


DEAL = ["--sets", "base,adventures", "--seed", "s-12"]  # with Moat and Coin of the Realm


def test_the_checklist() -> None:
    text = said(*DEAL)
    assert text.splitlines()[0] == "Dominion · Basisspiel 2. Edition, Abenteuer · 2 Spieler · seed s-12"
    assert "Königreich " in text and "Burggraben  " in text and "Treasure–Reservekarte" in text
    assert "Wirtshaustableau  für Königliche Münze" in text
    assert "Supply" in text  # what the file does not say is English


def test_the_line() -> None:
    assert "Burggraben" in said("--sets", "base,adventures", "--seed", "s", "--count", "12")


def test_the_document_has_the_names_of_each_language() -> None:
    setup = json.loads(said(*DEAL, "--json"))
    moat = named(setup["piles"], "Moat")
    assert (moat["ja"], moat["de"]) == ("堀", "Burggraben")
    assert "de" not in named(setup["piles"], "Village")
    assert "Burggraben" in run("show", "-", "--lang", "de", input=json.dumps(setup)).stdout


@pytest.mark.parametrize("name", ["Burggraben", "burggraben", "moat", "堀"])
def test_a_card_is_found_in_every_language(name: str) -> None:
    assert said("cards", name).splitlines()[0] == "Burggraben · Moat · 堀"


def test_cards_as_json() -> None:
    """The old keys are as ever; each other language stands under its code."""
    moat, village = (json.loads(said("cards", name, "--json"))["cards"][0] for name in ("Moat", "Village"))
    assert list(moat)[:5] == ["name", "de", "ja", "reading", "kind"]
    assert (moat["name"], moat["de"], moat["ja"], moat["reading"]) == ("Moat", "Burggraben", "堀", "ほり")
    assert (village["de"], village["ja"]) == (None, "村")


def test_lists() -> None:
    assert "Treasure–Reservekarte" in said("cards", "--type", "reserve")
    assert "Basisspiel 2. Edition" in said("sets") and "Auflage" in said("sets")
    boxes = json.loads(said("sets", "--json"))["sets"]
    box = next(box for box in boxes if box["slug"] == "base-2e")
    assert (box["de"], box["ja"]) == ("Basisspiel 2. Edition", "基本 第二版")


@pytest.mark.parametrize("sets", ["Abenteuer", "abent", "Reiseabenteuer", "冒険", "adventures"])
def test_sets_are_named_in_every_language(sets: str) -> None:
    assert json.loads(said("--sets", sets, "--json"))["options"]["sets"] == ["adventures"]


def test_rules() -> None:
    """What a rulebook does not say in a language it says in English."""
    assert "Quelle: " in said("rules", "reserve")
    assert said("rules", "Burggraben").startswith("Burggraben · Moat")
    found = json.loads(said("rules", "Reichsmünze", "--json"))
    assert found["card"] == "Coin of the Realm"


def test_odds() -> None:
    assert "Burggraben" in said("odds", "--sets", "base", "Burggraben")


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
def test_completion(words: list[str], item: str) -> None:
    assert item in offered(*words)


def test_a_language_that_is_not_there() -> None:
    assert run("--lang", "fr").stderr == "Error: no language is called 'fr'; did you mean en, de or ja?\n"
