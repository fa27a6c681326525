"""The cache: it returns what the files say, even after they, the program or the cache have changed."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.game import Request
from randomizer.deal.dealer import deal_table
from randomizer.load import cache, gamefile, games, languages, paths
from randomizer.load.codec import to_jsonable
from randomizer.load.paths import data_folder
from randomizer.load.yaml_reader import YamlReader
from randomizer.rules.lookup import open_index
from tests.support import TESTS_DIR, tea
from tests.support.fuzz import SAMPLE_GAME
from tools.cache_files import write_cache_files


def is_computed(folder: Path, source: str) -> bool:
    """Get a copy of a file from the cache, and return whether it had to be computed."""
    calls = []

    def compute() -> bytes:
        calls.append(source)
        return Path(source).read_bytes()

    assert cache.get_or_compute("thing", [source], compute, str(folder)) == Path(source).read_bytes()
    return bool(calls)


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "source"
    path.write_text("one")
    return str(path)


class TestGetOrCompute:
    def test_result_is_computed_once(self, tmp_path: Path, source: str) -> None:
        assert is_computed(tmp_path, source)
        assert not is_computed(tmp_path, source)

    def test_changed_source_is_computed_again(self, tmp_path: Path, source: str) -> None:
        is_computed(tmp_path, source)
        Path(source).write_text("two!")
        assert is_computed(tmp_path, source)

    def test_changed_source_of_the_same_size_is_computed_again(self, tmp_path: Path, source: str) -> None:
        is_computed(tmp_path, source)
        Path(source).write_text("two")
        os.utime(source, ns=(1, 1))
        assert is_computed(tmp_path, source)

    def test_other_version_of_the_program_computes_again(
        self, tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        is_computed(tmp_path, source)
        monkeypatch.setattr(cache, "__version__", "99")
        assert is_computed(tmp_path, source)

    @pytest.mark.parametrize("damage", [b"", b"\n", b"x", b"\xff\xfe\n1 2 3", b"0.1.0 0 0 3 0\nabc"])
    def test_damaged_cache_file_is_replaced(self, tmp_path: Path, source: str, damage: bytes) -> None:
        is_computed(tmp_path, source)
        (file,) = tmp_path.glob("thing-*")
        file.write_bytes(damage)
        assert is_computed(tmp_path, source)
        assert not is_computed(tmp_path, source)

    @pytest.mark.parametrize("length", [1, 5])
    def test_truncated_or_altered_cache_file_is_replaced(
        self, tmp_path: Path, source: str, length: int
    ) -> None:
        is_computed(tmp_path, source)
        (file,) = tmp_path.glob("thing-*")
        content = file.read_bytes()
        file.write_bytes(content[:-length])
        assert is_computed(tmp_path, source)
        file.write_bytes(content[:-1] + b"?")
        assert is_computed(tmp_path, source)

    def test_result_is_returned_although_the_cache_is_not_writable(self, tmp_path: Path, source: str) -> None:
        folder = tmp_path / "file"
        folder.write_text("not a folder")
        assert is_computed(folder, source)
        assert is_computed(folder, source)

    def test_writing_leaves_no_temporary_file(self, tmp_path: Path, source: str) -> None:
        is_computed(tmp_path / "cache", source)
        (file,) = (tmp_path / "cache").iterdir()
        assert file.name.startswith("thing-")

    def test_cache_file_is_not_writable_by_other_users(self, tmp_path: Path, source: str) -> None:
        is_computed(tmp_path / "cache", source)
        (file,) = (tmp_path / "cache").iterdir()
        assert not file.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)


class TestCachedValues:
    def test_cached_game_equals_the_game_that_was_read(self, tmp_path: Path) -> None:
        read = gamefile.read_game([os.path.join(data_folder(), "cards.yaml")])
        games.load(cache=str(tmp_path))  # This fills the cache.
        cached = games.load(cache=str(tmp_path))
        for field in cached._fields:
            expected, actual = getattr(read, field), getattr(cached, field)
            if field == "cards":
                expected, actual = dict(expected), dict(actual)
            assert expected == actual, field
            assert json.dumps(to_jsonable(expected)) == json.dumps(to_jsonable(actual))

    def test_deal_from_the_cache_equals_the_deal_that_filled_it(self, tmp_path: Path) -> None:
        options = Request(("base-2e", "rising-sun", "plunder"), 4, "same")
        first, second = (deal_table(games.load(cache=str(tmp_path)), options) for _ in range(2))
        assert [*first.piles] == [*second.piles] and first.tokens.keys() == second.tokens.keys()

    def test_cached_language_equals_the_language_that_was_read(self, tmp_path: Path) -> None:
        game = games.load()
        for code in languages.list_codes():
            first, second = (languages.load(code, game, str(tmp_path)) for _ in range(2))
            assert first == second

    def test_cached_language_has_the_concepts_of_its_file(self, tmp_path: Path) -> None:
        concepts_by_code = {}
        for code in languages.list_codes()[1:]:
            file = languages._read_file(languages._get_default_file(code), str(tmp_path))
            for _ in range(2):
                assert languages.load(code, cache=str(tmp_path)).concepts == dict(file.concepts)
            concepts_by_code[code] = file.concepts
        assert any(concepts_by_code.values())


def test_programs_that_fill_the_cache_at_once_print_the_same(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "randomizer", "--seed", "1", "--json"]
    processes = [
        subprocess.Popen(
            command, env=env, cwd=TESTS_DIR.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(4)
    ]
    results = {(*process.communicate(), process.returncode) for process in processes}
    assert len(results) == 1
    ((_, errors, status),) = results
    assert (errors, status) == (b"", 0)


# A minimal program and minimal data, but with a file of each kind. Its rules are indexed quickly.
INSTALLATION = {
    **{f"program/{package}/module.py": "" for package in (*cache.PACKAGES, "rules", "show")},
    "data/cards.yaml": tea.GAME_TEMPLATE % "[]",
    "data/names.ja.yaml": "{language: ja, name: 日本語, cards: {Cake: {name: ケーキ}}}",
    "data/garden.yaml": SAMPLE_GAME,
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
            aliases: [gateau]
            reading: けーき
            cards: [Cake]
            types: [Sweet]
            see: [spoon]
            entries: [{id: spoon, title: {en: Spoon}, text: {en: One each.}, sources: [hearsay]}]
    """,
    "data/rules/tea/questions/table.yaml": 'cake: {en: ["May I eat it?"]}',
    "data/rules/garden/plants.yaml": """
        chapter: {en: Plants}
        entries: [{id: rake, title: {en: Rake}, text: {en: Mind it.}, sources: [hearsay]}]
    """,
    "own.yaml": "cards: [{name: Scone, set: tea, kind: dish}]",
}


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a separate installation and its cache, which this process uses."""
    for name, text in INSTALLATION.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(paths, "data_folder", lambda: str(tmp_path / "data"))
    monkeypatch.setattr(paths, "package_folder", lambda: str(tmp_path / "program"))
    monkeypatch.setattr(paths, "cache_folder", lambda: str(tmp_path / "cache"))
    cache._get_code_checksum.cache_clear()
    yield tmp_path
    cache._get_code_checksum.cache_clear()


def test_cached_rules_equal_the_rules_that_were_read(installation: Path) -> None:
    read, cached = (list(open_index().entries("tea")) for _ in range(2))
    assert read == cached and [entry.id for entry in cached] == ["cake", "spoon"]
    assert cached[0].older and cached[0].related_doc_ids == [1]


def test_loading_imports_only_packages_of_the_fingerprint(installation: Path) -> None:
    """If it imported others, a change of their modules would not invalidate the cache."""
    code = (
        "import sys; from randomizer.load import games, kingdoms, languages, paths; folder = sys.argv[1];"
        "paths.data_folder = lambda: folder; game = games.load(cache=folder);"
        "languages.load_card_names('ja', game, folder); kingdoms.load_kingdoms(game, folder);"
        "show = lambda: print(*sorted("
        "{name.split('.')[1] for name in sys.modules if name.startswith('randomizer.')})); show();"
        "from randomizer.rules.lookup import open_index; open_index(folder); show()"
    )
    command = [sys.executable, "-c", code, str(installation / "data")]
    done = subprocess.run(command, cwd=TESTS_DIR.parent, capture_output=True, text=True)
    by_data, by_rules = done.stdout.splitlines()
    assert by_data.split() == [*cache.PACKAGES]
    assert by_rules.split() == sorted([*cache.PACKAGES, "rules"])


@pytest.mark.parametrize("package", [*cache.PACKAGES, "rules"])
def test_fingerprint_covers_every_module_of_a_package(package: str) -> None:
    modules = {str(path) for path in Path(paths.package_folder(), package).rglob("*.py")}
    assert {path for path, _, _ in cache._list_modules(package)} == modules


def test_commands_work_and_write_nothing_when_no_folder_is_writable(installation: Path) -> None:
    (installation / "home").write_text("not a folder, so that not even root can write to it")
    env = {"HOME": str(installation / "home"), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    code = (
        "import sys; from randomizer.load import paths; folder = sys.argv.pop(1);"
        "paths.data_folder = lambda: folder; from randomizer.__main__ import main; main()"
    )
    before = sorted(installation.rglob("*"))
    for args in (["--seed", "1"], ["rules", "cake"], ["cards", "Pie"]):
        command = [sys.executable, "-c", code, str(installation / "data"), *args]
        done = subprocess.run(command, env=env, cwd=TESTS_DIR.parent, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"") and done.stdout
    assert sorted(installation.rglob("*")) == before


class TestShippedFiles:
    """The cache files in a package, which are used until the content of a file changes."""

    @pytest.fixture(autouse=True)
    def package(self, installation: Path) -> None:
        """Add the cache files to the installation."""
        (installation / "data/cache").mkdir()
        write_cache_files(str(installation / "data/cache"))
        assert not (installation / "cache").exists()

    def load_everything(self, monkeypatch: pytest.MonkeyPatch) -> bool:
        """Load everything with an empty cache, and return whether a data file had to be read."""
        read_files = []
        read_file = YamlReader.read_file

        def record(*args: Any) -> Any:
            read_files.append(args)
            return read_file(*args)

        monkeypatch.setattr(YamlReader, "read_file", record)
        shutil.rmtree(os.path.join(paths.cache_folder()), ignore_errors=True)
        cache._get_code_checksum.cache_clear()
        for name in games.list_games():
            languages.load("ja", games.load(name))
            languages.load_card_names("ja", games.load(name))
        assert [entry.id for entry in open_index().entries("tea")] == ["cake", "spoon"]
        return bool(read_files)

    def test_nothing_is_read_at_the_first_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert not self.load_everything(monkeypatch)

    def test_nothing_is_copied_to_the_cache(
        self, installation: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.load_everything(monkeypatch)
        files = list((installation / "cache").iterdir())
        assert files and all(".content-" in file.name for file in files)

    def test_files_stay_valid_when_they_are_moved_and_touched(
        self, installation: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (installation / "data").rename(installation / "moved")
        monkeypatch.setattr(paths, "data_folder", lambda: str(installation / "moved"))
        for path in [*installation.rglob("*.yaml"), *installation.rglob("*.py")]:
            os.utime(path, (1, 1))
        assert not self.load_everything(monkeypatch)

    @pytest.mark.parametrize(
        "file", ["data/cards.yaml", "data/rules/garden/plants.yaml", "program/rules/module.py"]
    )
    def test_changed_file_is_read_again(
        self, installation: Path, file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.load_everything(monkeypatch)
        (installation / file).write_text((installation / file).read_text(encoding="utf-8") + "\n# changed\n")
        assert self.load_everything(monkeypatch)

    def test_other_version_reads_the_files_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cache, "__version__", "99")
        assert self.load_everything(monkeypatch)

    def test_files_contain_no_path_of_this_machine(self, installation: Path) -> None:
        first = {file.name: file.read_bytes() for file in (installation / "data/cache").iterdir()}
        assert len(first) > 5 and not any(str(installation).encode() in text for text in first.values())


class TestInvalidation:
    """A changed module or data file invalidates the results that depend on it, and no others."""

    EVERYTHING = frozenset({"cards", "garden", "names.ja.yaml", "garden.ja.yaml", "cards.ja", "rules"})

    def read_fingerprints(self, installation: Path) -> dict[str, str]:
        """Load everything, and return the first line of each cache file by the name of the file."""
        cache._get_code_checksum.cache_clear()
        for name in games.list_games():
            game = games.load(name)
            languages.load("ja", game)
            languages.load_card_names("ja", game)
        games.load(extra_files=[str(installation / "own.yaml")])
        open_index()
        files = (installation / "cache").iterdir()
        return {file.name: file.read_bytes().split(b"\n")[0].decode() for file in files}

    def find_invalidated(self, installation: Path, change: Callable[[], object]) -> set[str]:
        """Return the names of the results that are computed again after the change."""
        before = self.read_fingerprints(installation)
        change()
        after = self.read_fingerprints(installation)
        cache._get_code_checksum.cache_clear()
        return {file.rpartition("-")[0] for file in after if before.get(file) != after[file]}

    @pytest.mark.parametrize(
        ("file", "expected"),
        [
            ("program/text/module.py", EVERYTHING),
            ("program/cards/module.py", EVERYTHING),
            ("program/deal/module.py", EVERYTHING),
            ("program/load/module.py", EVERYTHING),
            ("program/load/new.py", EVERYTHING),
            ("program/rules/module.py", {"rules"}),
            ("program/show/module.py", set()),
            ("data/cards.yaml", {"cards", "names.ja.yaml", "cards.ja", "rules"}),
            ("data/garden.yaml", {"garden", "garden.ja.yaml", "cards.ja", "rules"}),
            ("data/names.ja.yaml", {"names.ja.yaml", "cards.ja", "rules"}),
            ("data/garden.ja.yaml", {"garden.ja.yaml", "cards.ja", "rules"}),
            ("data/rules/books.yaml", {"rules"}),
            ("data/rules/garden/plants.yaml", {"rules"}),
            ("data/rules/tea/questions/table.yaml", {"rules"}),
            ("own.yaml", {"cards"}),
        ],
    )
    def test_changed_file_invalidates_what_depends_on_it(
        self, installation: Path, file: str, expected: set[str]
    ) -> None:
        def change() -> None:
            with open(installation / file, "a", encoding="utf-8") as stream:
                stream.write("\n# changed\n")

        assert self.find_invalidated(installation, change) == expected
        assert self.find_invalidated(installation, lambda: None) == set()

    def test_two_installations_keep_separate_cache_files(self, installation: Path) -> None:
        first = self.read_fingerprints(installation)
        (installation / "data").rename(installation / "moved")
        paths.data_folder = lambda: str(installation / "moved")  # The fixture restores it.
        second = self.read_fingerprints(installation)
        assert first.items() <= second.items() and len(second) == 2 * len(first)

    def test_oldest_cache_files_of_a_name_are_removed(self, installation: Path) -> None:
        for number in range(10):
            own = installation / f"own{number}.yaml"
            own.write_text(INSTALLATION["own.yaml"])
            games.load(extra_files=[str(own)])
        languages.load("ja")
        names = [file.name.rpartition("-")[0] for file in (installation / "cache").iterdir()]
        assert names.count("cards") == 4 and names.count("names.ja.yaml") == 1
