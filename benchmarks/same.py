"""Compares the output of two versions of the program: `python -m benchmarks.same OTHER_PYTHON`.

OTHER_PYTHON is the Python of an environment with the other version, such as `../before/.venv/bin/python`.
Both versions deal 3,000 documents, print 300 checklists and look up 300 rules, each in both languages, and
print all lists. The commands whose output differs are printed. Lines of NDJSON are compared as parsed
documents, without regard to white space. The hash of the data is ignored, because a comment in a data file
changes it. Every document is also dealt as a line of text, so that the lines show whether other cards were
dealt if all documents differ because of a new key.
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest

WORKER = r"""
import hashlib, json, os, re, sys, tempfile
from click.testing import CliRunner
from randomizer.cli import main

def normalize(line):
    if line.startswith('{"'):  # NDJSON
        line = json.dumps(json.loads(line))
    return re.sub(r'"data": "\w+"', "", line)

os.chdir(tempfile.mkdtemp())  # Outside the checkout, so that neither version imports modules from it.
runner = CliRunner()
for line in sys.stdin:
    args = json.loads(line)
    text = ""
    for step in args:  # a pipe
        text = runner.invoke(main, step, input=text or None, prog_name="dominion-setup").stdout
    parts = [normalize(part) for part in text.splitlines()]
    print(json.dumps([hashlib.sha256(part.encode()).hexdigest() for part in parts]), flush=True)
"""
BOXES = [
    *(
        "base",
        "intrigue",
        "seaside",
        "alchemy",
        "prosperity",
        "cornucopia-guilds",
        "hinterlands",
        "dark-ages",
        "adventures",
    ),
    *(
        "empires",
        "nocturne",
        "renaissance",
        "menagerie",
        "allies",
        "plunder",
        "rising-sun",
        "promos",
        "base-1e",
        "intrigue-1e",
        "seaside-1e",
    ),
    *(
        "prosperity-1e",
        "cornucopia",
        "guilds",
        "hinterlands-1e",
        "guilds-cornucopia-1e",
        "all",
        "all-editions",
    ),
]
OPTIONS: tuple[list[str], ...] = (
    [],
    ["--colony"],
    ["--shelters", "--no-colony"],
    ["--colony-by", "random-card", "--shelters-by", "random-card"],
    ["--landscapes", "4", "--ways", "2"],
    ["--landscapes-from", "deck"],
    ["--black-market", "30"],
)
Pipeline = list[list[str]]


def generate_commands() -> Iterator[Pipeline]:
    """Yield the commands to compare. They are random, but the same in every run."""
    rng = random.Random("same")

    def deal(number: int) -> list[str]:
        boxes = ",".join(rng.sample(BOXES, rng.choice([2, 2, 3, 5])))
        return ["--sets", boxes, "-p", str(rng.randint(2, 6)), *rng.choice(OPTIONS), "--seed", f"s{number}"]

    for number in range(165):  # Some of them fail, because no box has landscapes.
        dealt = [*deal(number), "--count", "20"]
        yield [[*dealt, "--json"]]
        yield [dealt]
    for number in range(300):
        for language in ("en", "ja"):
            sort = rng.choice(["box", "cost", "name", "dealt"])
            yield [[*deal(number), "--lang", language, "--sort", sort]]
    for number in range(100):
        sets = ["--sets", f"rising-sun,{rng.choice(BOXES)}", "--seed", f"w{number}", "--json"]
        yield [sets, ["divine-wind", "-", "--lang", rng.choice(["en", "ja"])]]
        yield [[*deal(number), "--json"], ["rules", "--for", "-", "--lang", rng.choice(["en", "ja"])]]
    for players in range(2, 6):
        yield [["--game", "pergamemnon", "-p", str(players), "--seed", "p"]]
    for language in ("en", "ja"):
        yield [["sets", "--lang", language]]
        yield [["cards", "--lang", language]]
        yield [["rules", "--list", "--lang", language]]
        yield [["odds", "--sets", "base,adventures,allies", "Warrior, Moat", "--lang", language]]
    yield from ([[name, "--json"]] for name in ("sets", "cards"))


def generate_look_ups(names: list[str]) -> Iterator[Pipeline]:
    """Yield look-ups of 300 of the names, or of questions about them, in both languages."""
    rng = random.Random("look up")
    for name in rng.sample(names, 300):
        question = rng.choice(["{}", "{}", "how does {} work", "can I play {} twice", "{} を使う"])
        for language in ("en", "ja"):
            yield [["rules", question.format(name), "--lang", language]]
            yield [["cards", name, "--lang", language]]


def hash_output(python: str, commands: list[Pipeline]) -> list[list[str]]:
    """Return, for each command, the hashes of the lines that a version prints."""
    lines = "\n".join(json.dumps(steps) for steps in commands)
    command = [python, "-c", WORKER]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd="/")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Compare this version of the program with the other one."""
    other = sys.argv[1]
    listed = subprocess.run(
        [other, "-m", "randomizer", "cards", "--json"], capture_output=True, text=True, check=True, cwd="/"
    )
    cards = json.loads(listed.stdout)["cards"]
    names = [name for card in cards for name in (card["name"], *card.get("names", {}).values())]
    commands = [*generate_commands(), *generate_look_ups(names)]
    ours, theirs = hash_output(sys.executable, commands), hash_output(other, commands)
    different_count = 0
    for steps, our_lines, their_lines in zip(commands, ours, theirs, strict=True):
        line_count = sum(a != b for a, b in zip_longest(our_lines, their_lines))
        if line_count:
            different_count += 1
            print(f"{line_count} lines differ: {' | '.join(' '.join(step) for step in steps)}")
    line_count = sum(map(len, ours))
    print(f"{different_count} of {len(commands)} commands print something else, {line_count} lines compared")
    sys.exit(different_count > 0)


if __name__ == "__main__":
    main()
