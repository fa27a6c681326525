"""Mutants: `python -m benchmarks.mutants` changes one thing at a time, and counts the changes that tests see.

The changes are mutmut's, taken as a library. By itself mutmut begins pytest anew for each mutant and passes
over properties and defaults; here one pytest loads and collects everything once, each mutant is a fork of it
in which the changed code takes the old one's place, and the tests that reach it run until one fails.

Nothing is written to the checkout but build/mutants.txt, with every mutant that lived. Wings or rooms after
the command (`deal`, `cards/game`) are all that is changed; `--every 10` tries each tenth mutant; `--jobs`
says how many at a time. Docstrings, annotations, types and `__repr__` have no mutants. Needs the group
`mutation` of pyproject.toml, and a system on which processes fork.
"""

from __future__ import annotations

import argparse
import functools
import gc
import importlib
import json
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import ndiff
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import libcst as cst
import pytest
from _pytest.runner import runtestprotocol
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from benchmarks.environments import ROOT

WINGS = ("cards", "deal", "setup", "record")
TESTS = (
    *(f"tests/{wing}" for wing in (*WINGS, "show", "odds")),
    "tests/load/test_sizes.py",
    "tests/cli/test_cases.py",
)
REPORT = ROOT / "build" / "mutants.txt"

# Seconds, of the processor's time where nothing else is said; tests are measured while it is noted what they
# reach, and take half of that afterwards.
SLOW = 2.0  # a test that takes longer is left out
ENOUGH = 4.0  # of tests for each mutant: so long the likeliest, and so long those that reach least else
CIRCLE = 3.0  # beyond what its tests take: then a mutant runs in a circle, which is as good as a failure
STUCK = 120  # by the clock
MEMORY = 4 * 2**30

_TYPES = ("NewType", "TypedDict", "TypeVar", "cast")
_ALIAS = re.compile(r"[A-Z]\w*[a-z]\w*")  # at the top of a room, a name like this is a type's


class Mutant(NamedTuple):
    """One change of a room."""

    room: Room
    line: int
    old: cst.CSTNode
    new: cst.CSTNode
    inside: bool  # of a function
    name: str  # of what it is in, at the top of the room

    def source(self) -> str:
        """The room's source with the change."""
        code: str = cst.ensure_type(self.room.tree.deep_replace(self.old, self.new), cst.Module).code
        return code


class Room:
    """A module with all of its mutants."""

    def __init__(self, path: Path) -> None:
        self.path = path
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        self.module = importlib.import_module(name)
        self.source = path.read_text(encoding="utf-8")
        self.code = compile(self.source, str(path), "exec")
        wrapper = MetadataWrapper(cst.parse_module(self.source))
        self.tree = wrapper.module
        positions = wrapper.resolve(PositionProvider)
        self.mutants = [
            mutant for part in self.tree.body for mutant in _found(self, part, positions, name=_name(part))
        ]

    @property
    def wing(self) -> str:
        """The wing that it is in."""
        return self.path.parent.name


def _found(
    room: Room, node: cst.CSTNode, positions: Mapping[cst.CSTNode, Any], name: str, inside: bool = False
) -> Iterator[Mutant]:
    """Whatever can be changed in a part of a room."""
    if _says_nothing(node, inside):
        return
    if not (isinstance(node, cst.Call) and _called(node) in ("len", "isinstance")):
        for sort, operator in mutation_operators:
            if isinstance(node, sort):
                line = positions[node].start.line if node in positions else 0
                yield from (Mutant(room, line, node, new, inside, name) for new in operator(node))
    for child in node.children:
        yield from _found(room, child, positions, name, inside or isinstance(node, cst.FunctionDef))


def _says_nothing(node: cst.CSTNode, inside: bool) -> bool:
    """Whether it is something that makes no difference when it runs."""
    match node:
        case cst.Annotation() | cst.Import() | cst.ImportFrom() | cst.Decorator():
            return True
        case cst.Expr(value=cst.SimpleString()):
            return True
        case cst.FunctionDef(name=cst.Name(value="__repr__")) | cst.If(test=cst.Name(value="TYPE_CHECKING")):
            return True
        case cst.Call() as call if _called(call) in _TYPES:
            return True
        case cst.Assign(value=cst.Call() as call) if _called(call) in _TYPES:
            return True
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name)), *_]):
            return name == "__slots__" or (not inside and _ALIAS.fullmatch(name) is not None)
    return False


def _name(part: cst.CSTNode) -> str:
    """What a part of a room defines."""
    match part:
        case cst.FunctionDef(name=cst.Name(value=name)) | cst.ClassDef(name=cst.Name(value=name)):
            return str(name)
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])]
        ):
            return str(name)
        case cst.SimpleStatementLine(body=[cst.AnnAssign(target=cst.Name(value=name))]):
            return str(name)
    return ""


def _called(call: cst.Call) -> str:
    return call.func.value if isinstance(call.func, cst.Name) else ""


# ── Putting a mutant in the place of the code ──


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module and of its classes, in their order; not those within functions."""
    for const in code.co_consts:
        if isinstance(const, CodeType):
            if const.co_flags & 0x1 or const.co_name == "<lambda>":  # CO_OPTIMIZED: a function, no class
                yield const
            else:
                yield from _functions(const)


def _within(code: CodeType) -> Iterator[CodeType]:
    """The code, and all that is within it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _within(const)


Key = tuple[str, str, int]


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


class Living:
    """The functions of the rooms as they are in memory, by the code that they were made of."""

    def __init__(self, rooms: Iterable[Room]) -> None:
        files = {str(room.path) for room in rooms}
        self.of: defaultdict[Key, list[FunctionType]] = defaultdict(list)
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename in files:
                self.of[_key(thing.__code__)].append(thing)
        self.owner = {
            id(code): key
            for key, functions in self.of.items()
            for function in functions
            for code in _within(function.__code__)
        }

    def put(self, mutant: Mutant) -> set[Key] | None:
        """Put the mutant in; the functions that it is in, or None where it makes no difference.

        Raises:
            Exception: the room cannot be imported any more.
        """
        room = mutant.room
        changed = compile(mutant.source(), str(room.path), "exec")
        touched = set()
        for old, new in zip(_functions(room.code), _functions(changed), strict=False):
            if _same(old, new):
                continue
            touched.add(_key(old))
            for function in self.of[_key(old)]:
                function.__code__ = new
        if not mutant.inside:
            _remake(room.module, changed)
            return self._using(mutant.name) or {key for key in self.of if key[0] == str(room.path)}
        return touched or None

    def _using(self, name: str) -> set[Key]:
        """The functions that name something at the top of a room."""
        return {
            key
            for key, functions in self.of.items()
            if any(name in code.co_names for function in functions for code in _within(function.__code__))
        }


def _same(old: CodeType, new: CodeType) -> bool:
    """Whether two functions do the same, wherever in the file they are."""

    def what(code: CodeType) -> tuple[Any, ...]:
        consts = [
            what(const) if isinstance(const, CodeType) else (type(const), const) for const in code.co_consts
        ]
        return code.co_code, code.co_names, code.co_varnames, repr(consts)

    return what(old) == what(new)


def _remake(module: ModuleType, code: CodeType) -> None:
    """Run a changed module beside the old one, and bring over what differs besides the code of functions."""
    made = {"__name__": module.__name__, "__file__": module.__file__, "__package__": module.__package__}
    exec(code, made)
    for name, new in made.items():
        old = vars(module).get(name)
        imported = isinstance(new, type | FunctionType) and new.__module__ != module.__name__
        if name.startswith("__") or imported or new is old:
            continue
        if isinstance(new, FunctionType) and isinstance(old, FunctionType):
            _take_defaults(old, new)
        elif isinstance(new, type) and isinstance(old, type):
            for attribute, value in vars(new).items():
                mine = vars(old).get(attribute)
                value, mine = getattr(value, "__func__", value), getattr(mine, "__func__", mine)
                if isinstance(value, FunctionType) and isinstance(mine, FunctionType):
                    _take_defaults(mine, value)
            if hasattr(new, "_field_defaults"):
                old._field_defaults.clear()
                old._field_defaults.update(new._field_defaults)
        elif isinstance(new, dict) and isinstance(old, dict):
            old.clear()
            old.update(new)
        elif new != old:
            for other in list(sys.modules.values()):
                ours = other.__name__.partition(".")[0] in ("randomizer", "tests")
                if ours and vars(other).get(name) is old:
                    setattr(other, name, new)


def _take_defaults(old: FunctionType, new: FunctionType) -> None:
    old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__


# ── The tests ──


class Reach(NamedTuple):
    """What a test reaches, and how long it takes."""

    keys: set[Key]
    seconds: float


class Hunt:
    """The plugin: after everything is collected it runs the tests on each mutant, instead of once."""

    def __init__(self, rooms: Sequence[Room], mutants: Sequence[Mutant], jobs: int, folder: Path) -> None:
        self.rooms, self.mutants, self.jobs, self.folder = rooms, mutants, jobs, folder
        self.results: dict[int, dict[str, Any]] = {}
        self.reach: dict[str, Reach] = {}
        self.killers: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run them."""
        items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # what the tests' own conftest has frozen is not among the objects that are looked at
        self._warm(list(items.values()))
        self.living = Living(self.rooms)
        gc.collect()
        gc.freeze()
        self._measure(items)
        waiting = list(enumerate(self.mutants))
        running: dict[int, int] = {}
        start, done = time.perf_counter(), 0
        while waiting or running:
            while waiting and len(running) < self.jobs:
                number, mutant = waiting.pop(0)
                running[self._fork(number, mutant, items)] = number
            pid, status = os.wait()
            number = running.pop(pid)
            self._note(number, status)
            done += 1
            if self.results.get(number, {}).get("lived"):
                with REPORT.open("a", encoding="utf-8") as report:
                    report.write(_difference(self.mutants[number]) + "\n")
            if not done % 100:
                minutes = (time.perf_counter() - start) / 60
                lived = sum(result["lived"] for result in self.results.values())
                told = f"{done} of {len(self.mutants)} mutants, {lived} lived, {minutes:.1f} minutes"
                print(told, file=sys.stderr, flush=True)
        return True

    def _warm(self, items: list[pytest.Item]) -> None:
        """Make what all tests share, and forget what would hide a mutant."""
        first = next(item for item in items if "deal" in getattr(item, "fixturenames", ()))
        other = next(item for item in items if item.path.parent != first.path.parent)
        reports = runtestprotocol(first, log=False, nextitem=other)
        assert all(report.passed for report in reports), f"{first.nodeid} fails without any mutant"
        self._forgetting = list(_kept())
        self._forget()

    def _forget(self) -> None:
        """Empty whatever keeps what was worked out."""
        for forget in self._forgetting:
            forget()

    def _measure(self, items: Mapping[str, pytest.Item]) -> None:
        """Run every test once, and keep what each reaches; in a fork, so that nothing of it is left."""
        file = self.folder / "reach.json"
        if not os.fork():
            _quiet()
            keys = {key: number for number, key in enumerate(self.living.of)}
            owner = {each: keys[key] for each, key in self.living.owner.items()}
            found: dict[str, tuple[list[int], float]] = {}
            order = list(items.values())
            for item, following in zip(order, [*order[1:], None], strict=True):
                reached: set[int] = set()

                def watch(frame: Any, event: str, _: Any, into: set[int] = reached) -> None:
                    if event == "call" and (key := owner.get(id(frame.f_code))) is not None:
                        into.add(key)

                self._forget()  # or a test reaches only what no test before it has worked out
                start = sum(os.times()[:4])
                sys.setprofile(watch)
                reports = runtestprotocol(item, log=False, nextitem=following)
                sys.setprofile(None)
                seconds = sum(os.times()[:4]) - start
                if all(report.passed for report in reports) and seconds < SLOW:
                    found[item.nodeid] = sorted(reached), seconds
            file.write_text(json.dumps(found))
            os._exit(0)
        os.wait()
        all_keys = list(self.living.of)
        for name, (numbers, seconds) in json.loads(file.read_text()).items():
            self.reach[name] = Reach({all_keys[number] for number in numbers}, seconds)
        print(f"{len(self.reach)} of {len(items)} tests will do", file=sys.stderr, flush=True)

    def _fork(self, number: int, mutant: Mutant, items: Mapping[str, pytest.Item]) -> int:
        if pid := os.fork():
            return pid
        try:
            _quiet()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            most = int(2 * ENOUGH + CIRCLE)
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(STUCK)
            result = self._tried(mutant, items)
            (self.folder / str(number)).write_text(json.dumps(result))
        except MemoryError:
            os.kill(os.getpid(), signal.SIGKILL)
        except BaseException:
            (self.folder / "fault").write_text(traceback.format_exc())
            os._exit(1)
        os._exit(0)

    def _tried(self, mutant: Mutant, items: Mapping[str, pytest.Item]) -> dict[str, Any]:
        """What becomes of the mutant."""
        try:
            touched = self.living.put(mutant)
        except SyntaxError:
            return {"none": True}
        except Exception:
            return {"lived": False}
        if touched is None:
            return {"none": True}
        for name, following in self._tests(mutant, touched):
            reports = runtestprotocol(items[name], log=False, nextitem=items.get(following))
            if any(report.failed for report in reports):
                return {"lived": False, "by": name}
        return {"lived": True}

    def _tests(self, mutant: Mutant, touched: set[Key]) -> list[tuple[str, str]]:
        """The tests that reach the mutant, the likeliest to see it first, each with the next one.

        Those that kill much are long and would leave no time to the small ones, so these have their own.
        """
        own, alike = f"tests/{mutant.room.wing}/", Counter[str]()

        def likely(name: str) -> tuple[Any, ...]:
            function = name.partition("[")[0]  # of those that differ in their parameters only, few will do
            alike[function] += 1
            return (
                f"/test_{mutant.room.path.stem}.py:" not in name,
                -self.killers[name],
                alike[function],
                not name.startswith(own),
                self.reach[name].seconds,
            )

        def wide(name: str) -> int:
            return len(self.reach[name].keys)

        reaching = [name for name, reach in self.reach.items() if reach.keys & touched]
        chosen = self._enough(sorted(reaching, key=likely))
        chosen += [name for name in self._enough(sorted(reaching, key=wide)) if name not in chosen]
        if not mutant.inside:  # defaults are there without any function of the room
            others = [name for name in self.reach if name.startswith(own) and name not in chosen]
            chosen += self._enough(sorted(others, key=likely))
        return list(zip(chosen, [*chosen[1:], ""], strict=False))

    def _enough(self, names: Iterable[str]) -> list[str]:
        """The first of these tests, as far as there is time for them."""
        chosen: list[str] = []
        seconds = 0.0
        for name in names:
            seconds += self.reach[name].seconds
            if seconds > ENOUGH and chosen:
                break
            chosen.append(name)
        return chosen

    def _note(self, number: int, status: int) -> None:
        if (fault := self.folder / "fault").exists():
            raise RuntimeError(f"{_difference(self.mutants[number])}\n{fault.read_text()}")
        file = self.folder / str(number)
        if not file.exists():
            assert os.WIFSIGNALED(status)  # it ran in a circle, or out of memory
        result: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {"lived": False}
        if "none" not in result:
            self.results[number] = result
            self.killers.update([result["by"]] if "by" in result else [])


def _kept() -> Iterator[Callable[[], None]]:
    """For everything in these wings that keeps what was worked out, what empties it."""
    for thing in gc.get_objects():
        if type(thing).__name__ == "Library":
            yield thing.pools.clear
        elif isinstance(thing, functools._lru_cache_wrapper):
            module = getattr(thing, "__module__", None) or ""
            if module.startswith(tuple(f"randomizer.{wing}." for wing in WINGS)):
                yield thing.cache_clear


def _quiet() -> None:
    """Nothing that a test prints is seen."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


# ── What came of it ──


def figures(mutants: Sequence[Mutant], results: Mapping[int, Mapping[str, Any]]) -> str:
    """How many were killed, by wing and by room."""
    total: Counter[str] = Counter()
    lived: Counter[str] = Counter()
    for number, result in results.items():
        room = mutants[number].room
        for name in (room.wing, f"{room.wing}/{room.path.stem}"):
            total[name] += 1
            lived[name] += result["lived"]
    lines = [
        f"{name:20} {total[name] - lived[name]:5} of {total[name]:5} killed, "
        f"{100 * (1 - lived[name] / total[name]):5.1f} %"
        for name in sorted(total)
    ]
    return "\n".join(lines)


def _difference(mutant: Mutant) -> str:
    changes = ndiff(mutant.room.source.splitlines(), mutant.source().splitlines())
    lines = [line for line in changes if line[:2] in ("- ", "+ ")]
    return "\n".join([f"{mutant.room.path.relative_to(ROOT)}:{mutant.line}", *lines, ""])


def main() -> None:
    """Try the mutants, and print how many were killed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("rooms", nargs="*", default=list(WINGS), help="wings, or rooms such as cards/game")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many at a time")
    asked = parser.parse_args()
    os.chdir(ROOT)
    paths: list[Path] = []
    for name in asked.rooms:
        path = ROOT / "randomizer" / name
        paths += sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    rooms = [Room(path) for path in paths if path.name != "__init__.py"]
    mutants = [mutant for room in rooms for mutant in room.mutants][:: asked.every]
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text("", encoding="utf-8")
    with TemporaryDirectory() as folder:
        hunt = Hunt(rooms, mutants, asked.jobs, Path(folder))
        options = ["-s", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
        kept = ["-o", "tmp_path_retention_policy=none", f"--basetemp={folder}/tests"]
        pytest.main([*options, *kept, *TESTS], plugins=[hunt])
    text = figures(mutants, hunt.results)
    with REPORT.open("a", encoding="utf-8") as report:
        report.write(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
