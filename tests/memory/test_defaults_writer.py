"""Writing of the configuration file: concurrent and killed processes, and what must not change."""

import os
import random
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from randomizer.memory import defaults, defaults_writer
from tests.support import EXAMPLE_FACTOR, TESTS_DIR, XDG_VARIABLES

# A program that adds numbered bans, and prints each number after it was saved.
ADD_BANS = """
import sys
from randomizer.memory.defaults_writer import update
for number in range(int(sys.argv[2])):
    word = f"{sys.argv[1]}{number}"
    update([], lambda values: {"without": [*values.get("without", []), word]})
    print(word, flush=True)
"""


def start_adding(name: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", ADD_BANS, name, str(count)],
        cwd=TESTS_DIR.parent,
        env={key: os.environ[key] for key in ("PATH", *XDG_VARIABLES)},
        stdout=subprocess.PIPE,
        text=True,
    )


def read_bans() -> list[str]:
    bans: list[str] = tomllib.loads(Path(defaults.get_path()).read_text(encoding="utf-8"))["without"]
    return bans


def test_processes_do_not_lose_each_others_changes() -> None:
    processes = [start_adding(name, 30) for name in "abc"]
    for process in processes:
        process.communicate(timeout=120)
    assert sorted(read_bans()) == sorted(f"{name}{number}" for name in "abc" for number in range(30))


def test_killed_process_leaves_a_complete_file_and_no_lock() -> None:
    """What a process has confirmed is there, and at most one more change."""
    confirmed: list[str] = []
    for name in "abc":
        with start_adding(name, 10_000) as process:
            assert process.stdout
            confirmed.append(process.stdout.readline().strip())
            time.sleep(random.uniform(0, 0.2))
            process.kill()
            confirmed += process.stdout.read().split()
        unconfirmed = read_bans()[len(confirmed) :]
        assert read_bans()[: len(confirmed)] == confirmed and len(unconfirmed) <= 1
        confirmed += unconfirmed
    defaults_writer.update([], lambda values: {"players": 4})
    assert tomllib.loads(Path(defaults.get_path()).read_text(encoding="utf-8")) == {
        "without": confirmed,
        "players": 4,
    }


# ── The law ──

KEYS = ("sets", "players", "landscapes-from", "landscapes_from", "lang")
VALUES = st.one_of(
    st.integers(0, 9),
    st.booleans(),
    st.text(max_size=5),
    st.lists(st.sampled_from(["a", "b", "c", "カード"]), min_size=1, max_size=4, unique=True),
)
PROFILES = ("family", "a.b c")


@st.composite
def tables(draw: st.DrawFn, end: str) -> str:
    """Lines of a table: values in some order, some with comments, and comments of their own."""
    lines = []
    for key in draw(st.lists(st.sampled_from(KEYS), unique_by=lambda key: key.replace("-", "_"))):
        value = draw(VALUES)
        text = defaults_writer.format_value("x", value).partition(" = ")[2]
        if isinstance(value, list) and draw(st.booleans()):
            text = f"[{end}  {f', # item{end}  '.join(text[1:-1].split(', '))}{end}]"
        elif text.startswith('"') and draw(st.booleans()):
            text = f'"""{end}[a]{end}# not a comment{end}# {text[1:-1]}"""'
        comment = draw(st.sampled_from(["", "  # usual"]))
        lines.append(f"{draw(st.sampled_from(['', '# above' + end, end]))}{key} = {text}{comment}{end}")
    return "".join(lines)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A configuration file with profiles and wishes in some order and form."""
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    sections = [f'# for wishes{end}[wishes]{end}quick = "trashing"  # ours{end}']
    form = draw(st.sampled_from(["tables", "inline", "dotted", "none"]))
    top = draw(tables(end))
    if form == "inline":
        top += f"profiles = {{ family = {{ players = 3 }} }}{end}"
    elif form == "dotted":
        top += f"profiles.family.players = 3{end}"
        if draw(st.booleans()):
            top += f"profiles.family.lang = 'x'{end}"
        sections.append(f'# for others{end}[profiles."a.b c"]{end}{draw(tables(end))}')
    elif form == "tables":
        sections += [
            f"# for {name}{end}[profiles.{name}]{end}{draw(tables(end))}" for name in ("family", '"a.b c"')
        ]
    text = top + end.join(draw(st.permutations(sections)))
    return text.removesuffix(end) if draw(st.booleans()) else text


def plain(text: str) -> Any:
    """Parse a file. The keys of the top-level table, of wishes and of profiles get underscores."""
    table = defaults.normalize_keys(tomllib.loads(text))
    if "wishes" in table:
        table["wishes"] = defaults.normalize_keys(table["wishes"])
    table["profiles"] = {
        name: defaults.normalize_keys(each) for name, each in table.get("profiles", {}).items()
    }
    return table


def list_headers(text: str) -> list[tuple[str, str]]:
    """Return the headers of tables, except those of profiles, each with the line above it."""
    return [pair for pair in pairwise(text.splitlines()) if pair[1] == "[wishes]"]


DOTTED = """\
profiles.family.players = 3
profiles.family.lang = 'x'
# for wishes
[wishes]
quick = "trashing"  # ours

# for others
[profiles."a.b c"]
"""


@settings(max_examples=60 * EXAMPLE_FACTOR)
@example(DOTTED, ("profiles", "family"), {"players": None, "lang": None})
@example(DOTTED, ("profiles", "family"), {"players": None, "lang": "ja"})
@given(
    files(),
    st.sampled_from([(), ("wishes",), *(("profiles", name) for name in (*PROFILES, "new"))]),
    st.dictionaries(st.sampled_from([key.replace("-", "_") for key in KEYS]), VALUES | st.none(), min_size=1),
)
def test_only_the_changed_values_change(
    text: str, table_path: tuple[str, ...], changed: Mapping[str, Any]
) -> None:
    """Everything else stays as it is, including all comments that are not within a changed value."""
    path = Path(defaults.get_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    expected = table = plain(text)
    for key in table_path:
        parent, table = table, table.setdefault(key, {})
    table.update(changed)
    for key in [key for key, value in table.items() if value is None]:
        del table[key]
    if table_path and not table:
        del parent[table_path[-1]]
    defaults_writer.update(table_path, lambda values: changed)
    written = path.read_bytes().decode()
    assert plain(written) == expected
    assert written.count("# ours") == 1
    assert [line for line in list_headers(written) if line in list_headers(text)] == list_headers(text)
    assert written.count("# above") <= text.count("# above")
    if None not in changed.values():
        assert written.count("# above") == text.count("# above")
        assert written.count("# usual") == text.count("# usual")
