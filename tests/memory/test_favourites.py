"""Favourite kingdoms: saving, dealing, renaming and forgetting them; faults in their files."""

import json
import os
from pathlib import Path

import pytest

from randomizer.cards.game import Game
from randomizer.memory import favourites
from tests.support import run

BEST = "Ann's best"


@pytest.fixture
def folder(folders: Path) -> Path:
    """The folder of the favourites, with one of them."""
    run("--sets", "rising-sun", "--seed", "12")
    done = run("kingdoms", "save", BEST)
    assert done.stdout == (
        'Saved "Ann\'s best"; deal it with --kingdom anns-best, or one like it with --like anns-best.\n'
    )
    return folders / "XDG_DATA_HOME" / "dominion-randomizer" / "favourites"


def test_table_with_an_open_veto_is_no_favourite(folders: Path) -> None:
    """It has more cards than a Kingdom."""
    run("--sets", "base", "--veto", "2")
    for lang, error in (("en", "lay it out with `dominion-setup veto` first."), ("ja", "拒否を待っています")):
        done = run("kingdoms", "save", BEST, "--lang", lang)
        assert done.exit_code == 2 and error in done.stderr
    run("veto", "nothing")
    assert run("kingdoms", "save", BEST).exit_code == 0


def test_favourite_is_saved_by_a_user_with_default_boxes() -> None:
    run("--sets", "base,seaside", "--save")
    assert run("kingdoms", "save", BEST).exit_code == 0 and list_ids() == ["anns-best"]
    assert run("kingdoms", "rename", BEST, "Bob's").exit_code == 0
    run("--sets", "dark-ages", "--seed", "1")
    run("kingdoms", "save", "Dark")
    assert list_ids() == ["bobs", "dark"]  # Favourites need not come from the default boxes.
    assert "dark" not in run("kingdoms", "--sets", "base").stdout
    refused = run("kingdoms", "save", "Other", "--sets", "base")
    assert refused.exit_code == 2 and "takes no options" in refused.stderr
    assert run("kingdoms", "forget", "Bob's").exit_code == 0


def list_ids() -> list[str]:
    document = json.loads(run("kingdoms", "--json").stdout)
    return [kingdom["id"] for kingdom in document["kingdoms"] if kingdom["favourite"]]


class TestSaving:
    @pytest.mark.parametrize(
        "options",
        [
            ["--sets", "rising-sun", "--seed", "12"],
            ["--sets", "all", "--players", "4", "--seed", "3"],
            ["--sets", "prosperity,dark-ages", "--colony", "--no-shelters", "--seed", "x"],
            ["--sets", "cornucopia-guilds,plunder,nocturne", "--landscapes", "4", "--with", "young-witch"],
            ["--sets", "menagerie,promos", "--with", "black-market", "--seed", "b"],
        ],
    )
    def test_favourite_deals_the_kingdom_of_the_last_table(self, folders: Path, options: list[str]) -> None:
        before = json.loads(run(*options, "--json").stdout)
        assert run("kingdoms", "save", BEST).exit_code == 0
        players = str(before["players"])
        done = run("--kingdom", BEST, "--players", players, "--sets", "all", "--seed", "other", "--json")
        after = json.loads(done.stdout)
        for key in ("piles", "landscapes", "set_aside", "starting_deck"):
            assert sorted(map(describe, before[key])) == sorted(map(describe, after[key])), key
        answers = [
            {decision["question"]: decision["answer"] for decision in setup["decisions"]}
            for setup in (before, after)
        ]
        assert answers[0].items() <= answers[1].items()

    def test_favourite_is_listed_first_and_shown_alone(self, folder: Path) -> None:
        lines = run("kingdoms").stdout.splitlines()
        assert lines[2].split()[:4] == ["anns-best", "Ann's", "best", "favourite"]
        for words in (["favourite"], ["ann's", "best"], ["anns-best"], ["お気に入り"]):
            lines = run("kingdoms", *words).stdout.splitlines()
            assert lines[:2] == ["Ann's best · anns-best", "  in Rising Sun"], words
        assert list_ids() == ["anns-best"]

    def test_favourite_is_found_by_name_and_id_in_any_spelling(self, folder: Path) -> None:
        expected = run("--kingdom", BEST, "--seed", "1").stdout
        for name in ("anns-best", "ANN'S BEST", "Anns best", "kingdom:anns-best"):
            assert run("--kingdom", name, "--seed", "1").stdout == expected, name

    @pytest.mark.parametrize(
        "name", [BEST, "anns best", "First Game", "Big Money", "moat", "堀", "moat, witch", "any"]
    )
    def test_name_with_a_meaning_is_refused(self, folder: Path, name: str) -> None:
        done = run("kingdoms", "save", name)
        assert done.exit_code == 2 and "already means a kingdom or a card" in done.stderr
        assert list_ids() == ["anns-best"]

    @pytest.mark.parametrize("name", ["", "!", "a\x1bb", "a\x07", "x" * 41, "\u202eabc"])
    def test_unsuitable_name_is_refused(self, folder: Path, name: str) -> None:
        done = run("kingdoms", "save", name)
        assert done.exit_code == 2 and "can't be the name of a kingdom" in done.stderr
        assert len(done.stderr.splitlines()) == 2 and "\x1b" not in done.stderr
        assert list_ids() == ["anns-best"]

    def test_longest_name_fits_into_a_file_name(self, folder: Path) -> None:
        assert run("kingdoms", "save", "𠮷" * 40).exit_code == 0
        assert "𠮷" * 40 in list_ids()

    def test_number_of_favourites_is_limited(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(favourites, "MAX_FAVOURITES", 2)
        assert run("kingdoms", "save", "second").exit_code == 0
        done = run("kingdoms", "save", "third")
        assert done.exit_code == 2
        assert done.stderr.endswith("Error: there are already 2 favourites; forget one first.\n")
        assert run("kingdoms", "rename", "second", "third").exit_code == 0
        assert list_ids() == ["anns-best", "third"]

    def test_failed_write_leaves_no_file(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", fail)
        done = run("kingdoms", "save", "second")
        assert done.exit_code == 1 and "No space left on device" in done.stderr
        assert os.listdir(folder) == ["anns-best.json"]

    def test_there_must_be_a_last_table_with_a_kingdom(self, folders: Path) -> None:
        done = run("kingdoms", "save", BEST)
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1) and "no last setup" in done.stderr
        run("--game", "pergamemnon")
        done = run("kingdoms", "save", BEST)
        assert done.exit_code == 2 and "has no Kingdom to choose." in done.stderr

    @pytest.mark.parametrize("words", [["save"], ["save", "a", "--json"], ["rename", BEST], ["rename"]])
    def test_incomplete_command_is_refused(self, folder: Path, words: list[str]) -> None:
        assert run("kingdoms", *words).exit_code == 2
        assert list_ids() == ["anns-best"]


def describe(item: object) -> str:
    """Return the name and the count of a part of a document, but not its causes."""
    assert isinstance(item, dict)
    return json.dumps({key: item[key] for key in ("name", "count", "on", "for", "marks") if key in item})


class TestChanging:
    def test_rename(self, folder: Path) -> None:
        before = run("--kingdom", BEST, "--seed", "1").stdout
        done = run("kingdoms", "rename", "anns best", "ボブの王国")
        assert done.stdout == "Renamed \"Ann's best\" to 'ボブの王国'.\n"
        assert list_ids() == ["ボブの王国"] and len(os.listdir(folder)) == 1
        assert run("--kingdom", "ボブの王国", "--seed", "1").stdout == before

    def test_rename_to_a_name_with_a_meaning_changes_nothing(self, folder: Path) -> None:
        assert run("kingdoms", "rename", BEST, "First Game").exit_code == 2
        assert list_ids() == ["anns-best"]

    def test_forget(self, folder: Path) -> None:
        assert run("kingdoms", "forget", *BEST.split()).stdout == 'Removed "Ann\'s best".\n'
        assert list_ids() == [] and os.listdir(folder) == []

    def test_unknown_favourite_has_suggestions(self, folder: Path) -> None:
        for words in (["forget", "Anns bst"], ["rename", "Anns bst", "x"]):
            done = run("kingdoms", *words)
            assert done.exit_code == 2
            assert done.stderr == "Error: unknown favourite kingdom 'Anns bst'; did you mean Ann's best?\n"
        assert run("kingdoms", "forget", "First Game").exit_code == 2


VALID = {
    "name": "Bob",
    "game": "dominion",
    "sets": ["base-2e"],
    "kingdom": {"cards": ["Moat"]},
    "use": ["colony"],
}


class TestFiles:
    def test_valid_file_is_read(self, folder: Path, game: Game) -> None:
        (folder / "bob.json").write_text(json.dumps(VALID), encoding="utf-8")
        assert [favourite.name for favourite in favourites.load(game)] == [BEST, "Bob"]
        assert favourites.get("bob", game).use == ("colony",)

    @pytest.mark.parametrize(
        "change",
        [
            {"name": "Rob"},
            {"name": "Bob\x1b"},
            {"name": 3},
            {"game": "pergamemnon"},
            {"sets": ["base-9e"]},
            {"sets": "base-2e"},
            {"sets": [["base-2e"]]},
            {"kingdom": {"cards": ["Nonsense"]}},
            {"kingdom": {"cards": ["Moat"], "on": {"Moat": "Nonsense"}}},
            {"kingdom": {"cards": "Moat"}},
            {"kingdom": None},
            {"use": ["magic"]},
            {"use": None},
        ],
        ids=str,
    )
    def test_invalid_file_is_left_out(self, folder: Path, game: Game, change: dict[str, object]) -> None:
        (folder / "bob.json").write_text(json.dumps({**VALID, **change}), encoding="utf-8")
        assert [favourite.id for favourite in favourites.load(game)] == ["anns-best"]

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"nul"])
    def test_damaged_file_is_left_out(self, folder: Path, game: Game, content: bytes) -> None:
        (folder / "bob.json").write_bytes(content)
        assert [favourite.id for favourite in favourites.load(game)] == ["anns-best"]

    def test_pipe_and_folder_are_left_out(self, folder: Path, game: Game) -> None:
        os.mkfifo(folder / "a.json")
        (folder / "b.json").mkdir()
        assert [favourite.id for favourite in favourites.load(game)] == ["anns-best"]
