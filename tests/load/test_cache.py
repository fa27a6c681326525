"""The cache: what comes out of it is what the files say, whatever has become of it in between."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from randomizer.cards.game import Request
from randomizer.deal.dealer import deal_table
from randomizer.load import cache, gamefile, games, languages, paths
from randomizer.load.codec import frozen
from randomizer.load.paths import data_folder
from randomizer.rules.lookup import open_index
from tests.support import HERE, tea
from tests.support.fuzz import OWN


def made(folder: Path, sources: list[str]) -> list[str]:
    """Makes something of a file's content, and says what was made anew."""
    anew = []

    def make() -> bytes:
        anew.append("made")
        return b"|".join(Path(path).read_bytes() for path in sources)

    assert cache.cached("thing", sources, make, str(folder)) == b"|".join(
        Path(p).read_bytes() for p in sources
    )
    return anew


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "source"
    path.write_text("one")
    return str(path)


class TestKeeping:
    def test_made_once(self, tmp_path: Path, source: str) -> None:
        assert made(tmp_path, [source]) == ["made"]
        assert made(tmp_path, [source]) == []

    def test_made_anew_when_the_source_changes(self, tmp_path: Path, source: str) -> None:
        made(tmp_path, [source])
        Path(source).write_text("two!")
        assert made(tmp_path, [source]) == ["made"]

    def test_of_the_same_size_too(self, tmp_path: Path, source: str) -> None:
        made(tmp_path, [source])
        Path(source).write_text("two")
        os.utime(source, ns=(1, 1))
        assert made(tmp_path, [source]) == ["made"]

    def test_another_version_makes_its_own(
        self, tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made(tmp_path, [source])
        monkeypatch.setattr(cache, "__version__", "99")
        assert made(tmp_path, [source]) == ["made"]

    @pytest.mark.parametrize("damage", [b"", b"\n", b"x", b"\xff\xfe\n1 2 3", b"0.1.0 0 0 3 0\nabc"])
    def test_damage_is_mended(self, tmp_path: Path, source: str, damage: bytes) -> None:
        made(tmp_path, [source])
        (file,) = tmp_path.glob("thing-*")
        file.write_bytes(damage)
        assert made(tmp_path, [source]) == ["made"]
        assert made(tmp_path, [source]) == []

    @pytest.mark.parametrize("cut", [1, 5])
    def test_so_is_half_a_file_or_a_letter(self, tmp_path: Path, source: str, cut: int) -> None:
        made(tmp_path, [source])
        (file,) = tmp_path.glob("thing-*")
        whole = file.read_bytes()
        file.write_bytes(whole[:-cut])
        assert made(tmp_path, [source]) == ["made"]
        file.write_bytes(whole[:-1] + b"?")
        assert made(tmp_path, [source]) == ["made"]

    def test_no_cache_is_no_fault(self, tmp_path: Path, source: str) -> None:
        nowhere = tmp_path / "file"
        nowhere.write_text("no folder")
        assert made(nowhere, [source]) == made(nowhere, [source]) == ["made"]

    def test_nothing_half_written_is_left(self, tmp_path: Path, source: str) -> None:
        made(tmp_path / "cache", [source])
        (file,) = (tmp_path / "cache").iterdir()
        assert file.name.startswith("thing-")

    def test_other_people_do_not_write_to_it(self, tmp_path: Path, source: str) -> None:
        made(tmp_path / "cache", [source])
        (file,) = (tmp_path / "cache").iterdir()
        assert not file.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)


class TestWhatIsKept:
    def test_the_game_thaws_into_what_was_read(self, tmp_path: Path) -> None:
        read = gamefile.read_game([os.path.join(data_folder(), "cards.yaml")])
        games.load(cache=str(tmp_path))  # made
        kept = games.load(cache=str(tmp_path))
        for field in kept._fields:
            one, other = getattr(read, field), getattr(kept, field)
            if field in ("cards", "setup"):
                one, other = dict(one), dict(other)
            assert one == other, field
            assert json.dumps(frozen(one)) == json.dumps(frozen(other))

    def test_a_deal_is_the_same_with_it_and_without(self, tmp_path: Path) -> None:
        options = Request(("base-2e", "rising-sun", "plunder"), 4, "same")
        first, second = (deal_table(games.load(cache=str(tmp_path)), options) for _ in range(2))
        assert [*first.piles] == [*second.piles] and first.tokens.keys() == second.tokens.keys()

    def test_languages_too(self, tmp_path: Path) -> None:
        game = games.load()
        first, second = (languages.load("ja", game, str(tmp_path)) for _ in range(2))
        assert first == second


def test_two_at_once(tmp_path: Path) -> None:
    """Programs that start at the same time on an empty cache do not disturb each other."""
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "randomizer", "--seed", "1", "--json"]
    running = [
        subprocess.Popen(command, env=env, cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    results = {(*process.communicate(), process.returncode) for process in running}
    assert len(results) == 1
    ((_, errors, status),) = results
    assert (errors, status) == (b"", 0)


# A program and its data as small as can be, but with a file of each sort; its rules are indexed in no time.
INSTALLATION = {
    **{f"program/{wing}/room.py": "" for wing in (*cache.WINGS, "rules", "show")},
    "data/cards.yaml": tea.GAME % "[]",
    "data/names.ja.yaml": "{language: ja, name: 日本語, cards: {Cake: {name: ケーキ}}}",
    "data/garden.yaml": OWN,
    "data/garden.ja.yaml": "{language: ja, name: 日本語, cards: {Rake: {name: 熊手}}}",
    "data/rules/books.yaml": """
        books: {tea: {en: Tea}, garden: {en: Garden}}
        sources: {hearsay: {en: Hearsay}}
    """,
    "data/rules/tea/table.yaml": """
        chapter: {en: Table}
        entries:
          - id: cake
            title: {en: Cake, ja: ケーキ}
            text: {en: It is eaten., ja: 食べられる。}
            older: [{until: "2020", text: {en: It was looked at.}}]
            sources: [hearsay p3]
            asks: {en: [May I eat it?]}
            aliases: [gateau]
            reading: けーき
            cards: [Cake]
            types: [Sweet]
            see: [spoon]
            entries: [{id: spoon, title: {en: Spoon}, text: {en: One each.}, sources: [hearsay]}]
    """,
    "data/rules/garden/plants.yaml": """
        chapter: {en: Plants}
        entries: [{id: rake, title: {en: Rake}, text: {en: Mind it.}, sources: [hearsay]}]
    """,
    "own.yaml": "cards: [{name: Scone, set: tea, kind: dish}]",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation of its own, and a cache for it."""
    for name, text in INSTALLATION.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(paths, "data_folder", lambda: str(tmp_path / "data"))
    monkeypatch.setattr(paths, "package_folder", lambda: str(tmp_path / "program"))
    monkeypatch.setattr(paths, "cache_folder", lambda: str(tmp_path / "cache"))
    cache._program.cache_clear()
    yield tmp_path
    cache._program.cache_clear()


def test_rules_thaw_into_what_was_read(place: Path) -> None:
    one, other = (list(open_index().entries("tea")) for _ in range(2))
    assert one == other and [entry.id for entry in one] == ["cake", "spoon"]
    assert one[0].older and one[0].related == [1]


def test_other_wings_have_no_part_in_making(place: Path) -> None:
    code = (
        "import sys; from randomizer.load import games, kingdoms, languages, paths; folder = sys.argv[1];"
        "paths.data_folder = lambda: folder; game = games.load(cache=folder);"
        "languages.card_names('ja', game, folder); kingdoms.suggested(game, folder); wings = lambda: print("
        "*sorted({name.split('.')[1] for name in sys.modules if name.startswith('randomizer.')})); wings();"
        "from randomizer.rules.lookup import open_index; open_index(folder); wings()"
    )
    command = [sys.executable, "-c", code, str(place / "data")]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True)
    of_load, of_rules = done.stdout.splitlines()
    assert of_load.split() == [*cache.WINGS] and of_rules.split() == sorted([*cache.WINGS, "rules"])


def test_a_wing_is_one_folder() -> None:
    """What a cache depends on are the modules of folders, and of none within these."""
    for wing in (*cache.WINGS, "rules"):
        assert [*Path(paths.package_folder(), wing).glob("*/*.py")] == []


def test_nothing_is_written_outside(place: Path) -> None:
    """With a home that cannot be written to, not even by root, everything works, only slower."""
    (place / "home").write_text("no folder")
    env = {"HOME": str(place / "home"), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    code = (
        "import sys; from randomizer.load import paths; folder = sys.argv.pop(1);"
        "paths.data_folder = lambda: folder; from randomizer.__main__ import main; main()"
    )
    before = sorted(place.rglob("*"))
    for args in (["--seed", "1"], ["rules", "cake"], ["cards", "Pie"]):
        command = [sys.executable, "-c", code, str(place / "data"), *args]
        done = subprocess.run(command, env=env, cwd=HERE.parent, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"") and done.stdout
    assert sorted(place.rglob("*")) == before


class TestEveryInput:
    """Changing any module, data file or language makes anew whatever was made by it, and nothing else."""

    EVERYTHING = frozenset({"cards", "garden", "names.ja.yaml", "garden.ja.yaml", "cards.ja", "rules"})

    def made(self, place: Path) -> dict[str, str]:
        """What each file in the cache was made from, after everything has been asked for."""
        cache._program.cache_clear()
        for name in games.games():
            game = games.load(name)
            languages.load("ja", game)
            languages.card_names("ja", game)
        games.load(extra=[str(place / "own.yaml")])
        open_index()
        return {file.name: file.read_bytes().split(b"\n")[0].decode() for file in (place / "cache").iterdir()}

    def anew(self, place: Path, change: Callable[[], object]) -> set[str]:
        """The names of what is made anew after the change."""
        before = self.made(place)
        change()
        after = self.made(place)
        cache._program.cache_clear()
        return {name.rpartition("-")[0] for name, made_from in after.items() if before.get(name) != made_from}

    @pytest.mark.parametrize(
        ("file", "expected"),
        [
            ("program/text/room.py", EVERYTHING),
            ("program/cards/room.py", EVERYTHING),
            ("program/deal/room.py", EVERYTHING),
            ("program/load/room.py", EVERYTHING),
            ("program/load/new.py", EVERYTHING),
            ("program/rules/room.py", {"rules"}),
            ("program/show/room.py", set()),
            ("data/cards.yaml", {"cards", "names.ja.yaml", "cards.ja", "rules"}),
            ("data/garden.yaml", {"garden", "garden.ja.yaml", "cards.ja", "rules"}),
            ("data/names.ja.yaml", {"names.ja.yaml", "cards.ja", "rules"}),
            ("data/garden.ja.yaml", {"garden.ja.yaml", "cards.ja", "rules"}),
            ("data/rules/books.yaml", {"rules"}),
            ("data/rules/garden/plants.yaml", {"rules"}),
            ("own.yaml", {"cards"}),
        ],
    )
    def test_a_change_is_seen(self, place: Path, file: str, expected: set[str]) -> None:
        def change() -> None:
            with open(place / file, "a", encoding="utf-8") as stream:
                stream.write("\n# changed\n")

        assert self.anew(place, change) == expected
        assert self.anew(place, lambda: None) == set()

    def test_each_installation_has_its_own(self, place: Path) -> None:
        first = self.made(place)
        (place / "data").rename(place / "moved")
        paths.data_folder = lambda: str(place / "moved")  # the fixture puts it back
        second = self.made(place)
        assert first.items() <= second.items() and len(second) == 2 * len(first)

    def test_old_ones_are_removed(self, place: Path) -> None:
        """Of each name some are kept, the newest; so a tenth file of cards does not grow the cache."""
        for number in range(10):
            own = place / f"own{number}.yaml"
            own.write_text(INSTALLATION["own.yaml"])
            games.load(extra=[str(own)])
        languages.load("ja")
        kept = [file.name.rpartition("-")[0] for file in (place / "cache").iterdir()]
        assert kept.count("cards") == 4 and kept.count("names.ja.yaml") == 1
