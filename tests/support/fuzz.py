"""Fuzz tests: no input ends in a traceback, and the exit status is always 0, 1 or 2.

The inputs are command lines, data files and setup documents: random ones, malformed ones, and mutations of
valid ones. `benchmarks.fuzz` runs the same functions guided by coverage.
"""

import contextlib
import copy
import functools
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import yaml
from click.testing import Result
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Request
from randomizer.deal.dealer import deal_table
from randomizer.load.gamefile import read_game
from randomizer.odds.report import build_odds
from randomizer.record.build import build_setup
from randomizer.setup.schema import loads
from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from randomizer.text.errors import BadData, Problem
from randomizer.text.json import dumps
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import EXAMPLE_FACTOR, run
from tests.support.nasty import find_unescaped

ARGUMENTS = [
    *[
        "base",
        "adventures",
        "cornucopia-guilds",
        "all",
        "all-editions",
        "arcana",
        "promos",
        "envoy",
        "暗黒時代",
    ],
    *[
        "--with",
        "--without",
        "--want",
        "--weight",
        "--of",
        "--apart",
        "--table",
        "Witch,Alms",
        "attack",
        "attack=2",
    ],
    *["--count", "--copies", "base=2", "1-2", "3"],
    *["village or cost:5+", "not base", "defence if attack", "engine", "duration=0.5", "ally=0", "base=10"],
    *[
        "played",
        "history",
        "forget",
        "import",
        "config",
        "--profile",
        "--date",
        "--rating",
        "--note",
        "--csv",
    ],
    *["--no-keep", "--player", "--card", "--since", "2026-11-22", "A=3,B"],
    *["show", "schema", "sets", "cards", "rules", "odds", "divine-wind", "-", "--", "Page", "魔女娘"],
    *["--sets", "-s", "--players", "-p", "--seed", "--landscapes", "--ways", "--landscapes-from", "--colony"],
    *["--kingdom", "--swap", "kingdoms", "swap", "first game", "Moat=Witch", "any", "poet, bane: moat(村)"],
    *["--no-colony", "--colony-by", "--shelters", "--no-shelters", "--shelters-by", "--black-market"],
    *["--cards", "--game", "--sort", "--json", "--lang", "--color", "--version", "--help", "--for", "--list"],
    *["--set", "--type", "--cost", "--kind", "--game=pergamemnon", "--lang=ja", "--sets=", "--count", "-h"],
    *["deck", "randomizers", "first-card", "random-card", "dealt", "ja", "en", "always", "arkham", "-x"],
    *["0", "1", "2", "3", "6", "7", "-1", "15", "2147483648", "99999999999999999999", "1e9", "２", "", " "],
    *[".", "/dev/null", "nowhere.json", "nowhere.yaml", "\ud800", "\x1b[31m", "a" * 3000, "reserve", ","],
]
argument_characters = st.characters(exclude_characters="\0")  # no shell can pass NUL in an argument
command_lines = st.lists(st.sampled_from(ARGUMENTS) | st.text(argument_characters, max_size=10), max_size=7)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["Copper", "Page", "kingdom", "deck", "base-2e", "$4", "{on}", "{0.__class__}", "Bane"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
SAMPLE_GAME = """
game: garden
title: Garden
also: [Yard Game]
players: {least: 1, most: 4}
kinds:
  plant: {is: pile, place: kingdom}
  part: {is: member}
  herb: {is: pile, place: beside, listed: false}
  weather: {is: landscape, title: Weathers, lies: "over {on}", marks: "{name} over it", boxed: a weather,
            most: 1, extra: true}
  luck: {is: card}
  state: {is: component, title: state}
sizes: [{is: {kind: herb}, count: {2: 3, 4: 5}}, {count: 10}]
components:
  Basket: {kind: mat, each: player, count: 1, note: empty, or: Crate}
  Crate: {kind: mat, each: player, count: 1, in_box: 4, boxes: [garden-1e]}
  Drops: {kind: token, each: game, one: Drop, stock: 30, lies: "beneath {on}"}
does: {digging: digs, raking: rakes}
about: [{title: Digging, does: digging}, {title: Tools, type: Tool}]
wishes: {border: [digging, raking]}
sets: {garden: Garden, yard: Yard}
boxes:
  - {slug: garden-1e, name: Garden 1E, title: Garden, holds: [garden, yard], edition: 1, also: [Plot]}
  - {slug: seeds, name: Seeds, year: 2001, singly: true, announced: false}
starting_deck: {Weed: 7}
options:
  weathers: {help: Weathers.}
  rains: {help: Rains., within: weathers}
  frost: {help: Frost., least: 0, most: 4}
opening:
  - put: [Weed]
  - give: Basket
  - turn_up: {is: {kind: plant}, count: 3, landscapes: {kind: [weather]},
              most: {option: weathers, default: 2}, limits: {weather: {option: rains, default: 1}},
              extra: [weather]}
  - decide: {question: frost, title: Frost, option: frost, card: first, is: {set: yard},
             then: [{put: Thyme}, {replace: {Weed: [Thyme]}}]}
rules:
  - {when: {type: Herb, set: garden}, then: [{give: Basket}, {note: {say: Water them., players: [2, 3]}}]}
  - {when: {kind: plant}, then: [{give: {components: Crate, where: [aside, deck]}},
                                 {note: {say: Dig., where: kingdom, step: here}}]}
  - {when: {potion: true}, then: {put: Thyme}}
order: [Beside, Lucks]
second_deal: {by: Rain, leaves: kingdom, opening: {turn_up: {is: {kind: plant}, count: 1}},
  without: [decide], marked: "{mark} was on {on}."}
last: [{name: Gloves, say: put them on, components: [Basket]},
  {name: Lamp, say: light it, players: [2], with: Star}]
game_end: [{say: the Thyme pile is empty, with: Thyme}, {say: it is dark, players: [2]}]
cards:
  - {name: Weed, set: garden, kind: herb, cost: 0, types: [Weed], stock: 40, in_box: 20}
  - {name: Thyme, set: garden, kind: herb, cost: 3*, types: [Herb], count: 7, place: beside, note: in a row}
  - {name: Rake, set: garden, kind: plant, cost: 2 P, types: [Tool], does: raking,
     setup: [{put: Thyme}, {give: Drops}]}
  - {name: Spade, set: garden, kind: plant, cost: 8D, types: [Tool], also: [Shovel], does: [digging, raking],
     setup: {deal: {is: {kind: plant, type: Tool, without: Herb, cost: [2, 3]}, to: aside, count: 2}}}
  - {name: Beds, set: garden, kind: plant, cost: 2+, types: [Tool], pile: {Bed: 5, Border: 5}, shuffled: true}
  - {name: Bed, set: garden, kind: part, cost: 2, types: [Tool]}
  - {name: Border, set: garden, kind: part, cost: 2, types: [Tool],
     setup: [{place: {token: Drops, count: {2: 1}, piles: supply, is: {type: Tool, name: [Rake, Spade]}}},
             {place: {token: Drops, on: Basket, each: player}}]}
  - {name: Fork, set: yard, edition: 1, boxes: [garden-1e], kind: plant, cost: 3, types: [Tool],
     setup: [{mark: {piles: kingdom, is: {debt: false}, apart: true}}, {note: {say: Lean it., step: last}}]}
  - {name: Hose, set: yard, kind: plant, cost: 3, types: [Tool],
     setup: [{deal: {is: {kind: plant, cost: 3}, to: beside, mark: Beside}},
             {note: {say: Drip., with: Beside}}]}
  - {name: Well, set: yard, kind: plant, cost: 3, types: [Tool],
     setup: {deal: {is: {kind: luck}, to: deck, count: all, as: Lucks, face_up: true, each: game}}}
  - {name: Star, set: yard, kind: luck, types: [Luck], setup: {put: {cards: [Bloom], to: table}}}
  - {name: Bloom, set: yard, kind: state, count: 1}
  - {name: Rain, set: garden, kind: weather, cost: 4 3D, types: [Weather]}
"""
DOCUMENT_COMMANDS = (
    ["show", "-"],
    ["show", "-", "--json"],
    ["show", "-", "--format", "names"],
    ["show", "-", "--format", "online"],
    ["divine-wind", "-"],
    ["rules", "--for", "-"],
    ["swap", "daimyo", "--for", "-"],
    ["--kingdom", "-", "--seed", "x"],
)
fuzz_settings = settings(
    max_examples=40 * EXAMPLE_FACTOR, deadline=None, suppress_health_check=list(HealthCheck)
)


def check_result(result: Result) -> None:
    """Check that a command ended without a traceback, and with an error message if it failed."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    assert find_unescaped(result.stdout, colored=True) == find_unescaped(result.stderr) == []
    if result.exit_code:
        assert result.stderr.strip()
        assert len(result.stderr) < 20_000


@functools.cache
def deal_documents() -> list[Any]:
    """Return setup documents that together have as many features as possible."""
    deals = [
        ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329"],
        ["--sets", "prosperity-1e,rising-sun,allies,nocturne", "--players", "3", "--seed", "350"],
        ["--sets", "cornucopia,alchemy", "--seed", "100", "--about"],
        ["--sets", "base,cornucopia-guilds,promos", "--seed", "5"],
        ["--game", "pergamemnon", "--players", "4", "--seed", "x"],
    ]
    return [json.loads(run(*deal, "--json").stdout) for deal in deals]


@st.composite
def mutations(draw: Any, original: Any) -> Any:
    """Draw copies of a value with one to three parts removed, duplicated, renamed or replaced."""
    value = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 3))):
        part: Any = value
        path: list[tuple[Any, Any]] = []
        while isinstance(part, (dict, list)) and part and (not path or draw(st.integers(0, 5))):
            keys = list(part) if isinstance(part, dict) else range(len(part))
            path.append((part, keys[draw(st.integers(0, len(keys) - 1))]))
            part = part[path[-1][1]]
        if not path:
            return draw(json_values)
        parent, key = path[-1]
        mutation = draw(st.integers(0, 3))
        if mutation == 0:
            del parent[key]
        elif mutation == 1 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[key]))
        elif mutation == 2 and isinstance(parent, dict):
            parent[draw(st.text(max_size=6))] = parent.pop(key)
        else:
            parent[key] = draw(json_values)
    return value


@fuzz_settings
@given(command_lines, st.binary(max_size=40))
@example(["--black-market", "99999999999999999999", "--sets", "promos,base"], b"")
@example(["--landscapes", "99999999999999999999", "--sets", "adventures"], b"")
@example(["odds", "--landscapes", "99999999999999999999", "--sets", "adventures"], b"")
@example(["--seed", "\ud800"], b"")
@example(["--want", "not " * 400 + "attack"], b"")
@example(["--weight", ",".join(f"cost:{cost}=0.{cost:03}" for cost in range(2, 50)), "--sets", "all"], b"")
@example(
    ["odds", "--weight", ",".join(f"cost:{cost}=0.{cost:03}" for cost in range(2, 9)), "--sets", "all"], b""
)
@example(["--want", ",".join(f"cost:{cost}=1" for cost in range(2, 9)), "--sets", "all", "--of", "5"], b"")
@example(["--without", ",".join(["attack"] * 3000)], b"")
@example(["rules", "\ud800"], b"")
@example(["rules", "a" * 30_000], b"")
@example(["--cards", "/dev/null"], b"")
@example(["--cards", "."], b"")
@example(["show", "."], b"")
def test_random_command_line_ends_without_traceback(args: list[str], stdin: bytes) -> None:
    # Large values of --count would take too long.
    if "--count" in args or any(arg.startswith("--co") and arg != "--colony" for arg in args):
        args = [arg for arg in args if not any(char.isdigit() for char in arg)] + ["3"]
    check_result(run(*args, input=stdin))


@fuzz_settings
@given(st.data())
def test_mutated_document_ends_without_traceback(data: st.DataObject) -> None:
    document = data.draw(mutations(data.draw(st.sampled_from(deal_documents()))))
    text = json.dumps(document)
    for command in DOCUMENT_COMMANDS:
        check_result(run(*command, "--lang", "ja", input=text))


@pytest.mark.parametrize(
    "options",
    [
        {"files": [5]},
        {"files": ["a\0b"]},
        {"files": "abc"},
        {"black_market": "abc"},
        {"landscapes": True},
        {"colony": 1},
        {"colony_by": "worst-card"},
        {"landscapes_from": ["deck"]},
        {"sets": []},
        {"sets": [1]},
        {"sets": ["rising-sun", "nonsense"]},
        {"named_kingdom": {}},
        {"named_kingdom": ["Moat"]},
        {"named_kingdom": {"cards": ["Nonsense"]}},
        {"named_kingdom": {"cards": ["Quest"]}},
        {"named_kingdom": {"landscapes": ["Moat"]}},
        {"named_kingdom": {"chosen": {"Bane": ["Nonsense"]}}},
        {"named_kingdom": {"on": {"Nonsense": "Moat"}}},
        {"swap": "moat"},
        {"swap": [{"comes": "Moat"}]},
        {"swap": [{"goes": "Nonsense"}]},
        {"players": "2"},
        {"players": 1},
    ],
)
def test_invalid_options_of_a_document_are_refused(options: dict[str, Any]) -> None:
    document = copy.deepcopy(deal_documents()[1])
    document["options"].update(options)
    result = run("divine-wind", "-", input=json.dumps(document))
    check_result(result)
    assert result.exit_code == 2


@fuzz_settings
@given(mutations(yaml.safe_load(SAMPLE_GAME)))
def test_mutated_data_file_ends_without_traceback(value: Any) -> None:
    """If the mutated game is valid, its tables are dealt and printed in every format."""
    with temporary_data_file(yaml.safe_dump(value, allow_unicode=True, sort_keys=False).encode()) as path:
        try:
            game = read_game([path])
        except BadData:
            return
    for seed in "ab":
        options = Request(tuple(game.boxes), 2, seed)
        try:
            setup = build_setup(game, options, deal_table(game, options), [Language("en")])
            build_odds(game, options, list(game.cards.values())[:3])
        except Problem:
            continue
        assert dumps(loads(dumps(setup))) == dumps(setup)
        page = Page(setup, Language("en"))
        assert all(format.render(page, Style(80)) for format in FORMATS.values())


@fuzz_settings
@given(st.binary(max_size=60) | st.text("{}[]:,-&*!|>#'\"\n\t %?ab0", max_size=40).map(str.encode))
def test_random_data_file_ends_without_traceback(content: bytes) -> None:
    with temporary_data_file(content) as path, contextlib.suppress(BadData):
        read_game([path])


@contextmanager
def temporary_data_file(content: bytes) -> Iterator[str]:
    """Write a data file that exists until the end of the `with` block, and yield its path."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "own.yaml")
        with open(path, "wb") as file:
            file.write(content)
        yield path


@fuzz_settings
@given(st.binary(max_size=60) | st.text('{}[]:,"-0123456789.eE tnf', max_size=40).map(str.encode))
def test_random_document_is_refused(content: bytes) -> None:
    for command in (["show", "-"], ["divine-wind", "-"], ["rules", "--for", "-"]):
        assert run(*command, input=content).exit_code == 2


def test_sample_game_is_dealt() -> None:
    """Mutations of an invalid game would never be dealt."""
    with temporary_data_file(SAMPLE_GAME.encode()) as path:
        game = read_game([path])
    options = Request(tuple(game.boxes), 2, "a")
    assert len(deal_table(game, options).piles) >= 4
    assert deal_table(game, options, {"randomizers": ["Rain"]}).landscapes


MALFORMED_DOCUMENTS = {
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of 10,000 digits": b'{"schema": ' + b"9" * 10_000 + b"}",
    "infinity": b'{"schema": 1e999}',
    "not a number": b'{"schema": NaN}',
    "lone surrogate": b'{"schema": "\\ud800"}',
    "UTF-16": '{"schema": 1}'.encode("utf-16"),
    "Latin-1": '{"schéma": 1}'.encode("latin-1"),
    "empty": b"",
    "a newer schema": b'{"schema": 99, "game": "dominion"}',
    "duplicate key": b'{"schema": 1, "schema": 2}',
}
MALFORMED_DATA = {
    "deep lists": b"cards: " + b"[" * 50_000,
    "deep maps": b"{a: " * 20_000,
    "deep indentation": b"\n".join(b" " * depth + b"a:" for depth in range(2_000)),
    "exponential aliases": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ncards: [*c, *c]\n",
    "an alias to itself": b"cards: &a [*a]\n",
    "duplicate key": b"sets: {a: A}\nsets: {b: B}\n",
    "a tag that runs code": b"cards: !!python/object/apply:os.system [echo]\n",
    "UTF-16": "sets: {a: Ä}\n".encode("utf-16"),
    "Latin-1": "sets: {a: Ä}\n".encode("latin-1"),
    "control characters": b"sets: {a: \x00\x07}\n",
    "several documents": b"sets: {a: A}\n---\nsets: {b: B}\n",
    "a huge number": b"cards: [{name: A, set: base, cost: " + b"9" * 5_000 + b"}]\n",
    "sexagesimal number": b"cards: [{name: A, set: base, cost: 190:20:30}]\n",
    "duplicate card": b"cards: [{name: A, set: base}, {name: A, set: base}]\n",
    "a card without a name": b"cards: [{name: '', set: base}]\n",
    "a list as a key": b"{[a]: b}\n",
    "a map as a key": b"? {a: b}\n: c\n",
    "a merge key": b"cards: [{<<: {name: A}, set: base}]\n",
    "a binary": b"cards: !!binary aGVsbG8=\n",
}


@pytest.mark.parametrize("content", MALFORMED_DOCUMENTS.values(), ids=list(MALFORMED_DOCUMENTS))
def test_malformed_document_is_refused(content: bytes) -> None:
    result = run("show", "-", input=content)
    check_result(result)
    assert result.exit_code == 2
    assert result.stderr.count("\n") <= 2


@pytest.mark.parametrize("content", MALFORMED_DATA.values(), ids=list(MALFORMED_DATA))
def test_malformed_data_file_is_refused(tmp_path: Any, content: bytes) -> None:
    file = tmp_path / "malformed.yaml"
    file.write_bytes(content)
    result = run("--cards", str(file))
    check_result(result)
    assert result.exit_code == 2
    assert result.stderr.count("\n") <= 4
