"""Tests of the architecture: the map in CONTRIBUTING.md is correct, and imports respect its layers."""

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
ENTRY_POINTS = {"__init__.py", "__main__.py"}  # modules above all layers: the public API, and `python -m`


class MapEntry(NamedTuple):
    """A package, or a single module on the same level, in the map.

    Attributes:
        layer: the number of its layer; higher layers import from lower ones.
        modules: the names of its modules, `wishes/goals` for a module of a sub-package.
    """

    layer: int
    modules: set[str]


def read_map() -> dict[str, MapEntry]:
    """Return the entries of the map in CONTRIBUTING.md by name."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| `(\w+)(?:/|\.py)`[^|]*\|(.*)\|$", text, re.MULTILINE)
    return {
        name: MapEntry(int(layer), set(re.findall(r"`((?!data/)[\w/]+)`", modules)))
        for layer, name, modules in rows
    }


def iter_modules() -> Iterator[Path]:
    """Yield the paths of all modules of the program."""
    yield from (path for path in PACKAGE.rglob("*.py") if "data" not in path.parts)


def parse(path: Path) -> ast.Module:
    """Parse a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def get_entry_name(path: Path) -> str:
    """Return the name under which the map lists a module: that of its package, or its own."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def find_imports(path: Path) -> list[str]:
    """Return the program's modules that a module imports, also in functions and for type checking only."""
    return list(_iter_imports(path))


def _iter_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = {alias.name for alias in node.names}
            if module == "randomizer":  # The version is a constant, not a module.
                yield from (f"randomizer.{name}" for name in names - {"__version__"})
            elif module.startswith("randomizer."):
                folder = ROOT / module.replace(".", "/")
                yield from (
                    f"{module}.{name}" if (folder / f"{name}.py").exists() else module for name in names
                )
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("randomizer"))


def test_map_lists_every_package_and_module() -> None:
    actual = {
        path.name.removesuffix(".py"): {
            module.relative_to(path).with_suffix("").as_posix()
            for module in path.rglob("*.py")
            if module.name != "__init__.py"
        }
        for path in PACKAGE.iterdir()
        if path.name not in ENTRY_POINTS and path.name not in ("data", "py.typed", "__pycache__")
    }
    assert {name: entry.modules for name, entry in read_map().items()} == actual


def test_modules_import_from_their_package_and_lower_layers_only() -> None:
    entries = read_map()
    paths = [path for path in iter_modules() if path.name not in ENTRY_POINTS or path.parent != PACKAGE]
    violations = [
        (str(path.relative_to(PACKAGE)), module)
        for path in paths
        for module in find_imports(path)
        if (imported := module.split(".")[1]) != (importing := get_entry_name(path))
        and entries[imported].layer >= entries[importing].layer
    ]
    assert paths and violations == []


def test_imports_have_no_cycle() -> None:
    graph = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): set(
            find_imports(path)
        )
        for path in iter_modules()
        if path.parent != PACKAGE or path.name not in ENTRY_POINTS
    }
    assert list(TopologicalSorter(graph).static_order())  # raises CycleError


def test_init_modules_of_packages_are_empty() -> None:
    """Import names from the module that defines them. Only `cli` exports something: the entry point."""
    for path in PACKAGE.glob("*/**/__init__.py"):
        if path.parent.name != "cli":
            assert path.read_text(encoding="utf-8").strip() == "", path


def test_tests_and_benchmarks_share_only_tests_support() -> None:
    for folder, other in (("tests", "benchmarks"), ("benchmarks", "tests")):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(parse(path)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == other:
                    assert node.module and node.module.startswith("tests.support"), path


def test_class_names_are_unique() -> None:
    """Only the classes of setup documents may have the name of another class, because they describe it."""
    paths_by_name: dict[str, list[str]] = {}
    for path in iter_modules():
        if path.relative_to(PACKAGE) != Path("setup/document.py"):
            for node in ast.walk(parse(path)):
                if isinstance(node, ast.ClassDef):
                    paths_by_name.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: paths for name, paths in paths_by_name.items() if len(paths) > 1} == {}


def test_eval_exec_and_abrupt_exit_are_not_used() -> None:
    """Code relies on public, documented interfaces; `os._exit` would skip what other libraries clean up."""
    forbidden = {"eval", "exec", "os._exit", "gc.freeze"}
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {name}"
        for path in iter_modules()
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in forbidden
    ]
    assert found == []


def test_private_modules_are_not_imported() -> None:
    """Private modules of Python and of libraries may change in any release."""
    found = []
    for path in iter_modules():
        for node in ast.walk(parse(path)):
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
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in iter_modules()]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", code]
    result = subprocess.run([*command, *names], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
