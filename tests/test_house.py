"""The house stands as CONTRIBUTING draws it: wings on floors, imports that only run down, and no circle."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from tests.support import TESTS_DIR

ROOT = TESTS_DIR.parent
PACKAGE = ROOT / "randomizer"
OUTSIDE = {"__init__.py", "__main__.py"}  # the public face, and the way in


class Wing(NamedTuple):
    floor: int
    rooms: set[str]


def drawn() -> dict[str, Wing]:
    """The wings of the map in CONTRIBUTING: lines of a floor, a wing, and its rooms."""
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (\d+) \| `(\w+)(?:/|\.py)`[^|]*\|(.*)\|$", said, re.MULTILINE)
    return {
        wing: Wing(int(floor), set(re.findall(r"`((?!data/)[\w/]+)`", rooms))) for floor, wing, rooms in lines
    }


def modules() -> Iterator[Path]:
    yield from (path for path in PACKAGE.rglob("*.py") if "data" not in path.parts)


def wing_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def imported(path: Path) -> list[str]:
    """The modules of the program that a module imports anywhere, be it for its types alone."""
    return list(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = {alias.name for alias in node.names}
            if module == "randomizer":  # the version is a constant of the package itself
                yield from (f"randomizer.{name}" for name in names - {"__version__"})
            elif module.startswith("randomizer."):
                inside = ROOT / module.replace(".", "/")
                yield from (
                    f"{module}.{name}" if (inside / f"{name}.py").exists() else module for name in names
                )
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("randomizer"))


def test_the_map_shows_every_wing_and_room() -> None:
    there = {
        path.name.removesuffix(".py"): {
            room.relative_to(path).with_suffix("").as_posix()
            for room in path.rglob("*.py")
            if room.name != "__init__.py"
        }
        for path in PACKAGE.iterdir()
        if path.name not in OUTSIDE and path.name not in ("data", "py.typed", "__pycache__")
    }
    assert {wing: set(rooms) for wing, (_, rooms) in drawn().items()} == there


def test_imports_run_down() -> None:
    """From higher floors to lower ones, or within a wing."""
    wings = drawn()
    inside = [path for path in modules() if path.name not in OUTSIDE or path.parent != PACKAGE]
    up = [
        (str(path.relative_to(PACKAGE)), module)
        for path in inside
        for module in imported(path)
        if (there := module.split(".")[1]) != (here := wing_of(path))
        and wings[there].floor >= wings[here].floor
    ]
    assert inside and up == []


def test_there_is_no_circle() -> None:
    graph = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): set(imported(path))
        for path in modules()
        if path.parent != PACKAGE or path.name not in OUTSIDE
    }
    assert list(TopologicalSorter(graph).static_order())


def test_packages_are_empty() -> None:
    """A wing has no face of its own to keep in step: one imports its rooms. That of `cli` is a way in."""
    for path in PACKAGE.glob("*/**/__init__.py"):
        if path.parent.name != "cli":
            assert path.read_text(encoding="utf-8").strip() == "", path


def test_tests_and_benchmarks_share_only_the_support() -> None:
    for folder, other in (("tests", "benchmarks"), ("benchmarks", "tests")):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == other:
                    assert node.module and node.module.startswith("tests.support"), path


def test_no_two_classes_share_a_name() -> None:
    """But for a document's view of a thing."""
    named: dict[str, list[str]] = {}
    for path in modules():
        if path.relative_to(PACKAGE) != Path("setup/document.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    named.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: paths for name, paths in named.items() if len(paths) > 1} == {}


def test_no_eval_no_exec_and_no_sudden_exit() -> None:
    """Code relies on public, documented interfaces; `os._exit` would skip what other libraries clean up."""
    forbidden = {"eval", "exec", "os._exit", "gc.freeze"}
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {name}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in forbidden
    ]
    assert found == []


def test_no_private_module_is_imported() -> None:
    """Private modules of Python and of libraries may change in any release."""
    found = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found += [
                f"{path.relative_to(PACKAGE)}: {name}"
                for name in names
                if name.startswith("_") and name != "__future__"
            ]
    assert found == []


def test_every_module_imports_without_a_deprecation_warning() -> None:
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in modules()]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", code]
    done = subprocess.run([*command, *names], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
