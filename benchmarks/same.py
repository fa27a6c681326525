"""Whether two versions of the program print the same: `python -m benchmarks.same OTHER_PYTHON`.

OTHER_PYTHON is the Python of an environment that has the other version, such as `../before/.venv/bin/python`.
Both deal 3,000 documents, print 300 checklists and look 300 rules up, each in both languages, and list
everything there is. What differs is printed with its command. The hash of the data stays out of the
comparison, because a comment in a data file changes it. Of each document there is its line as well: where
documents have got a new key and all of them differ, these still tell whether other cards were dealt.
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

os.chdir(tempfile.mkdtemp())  # outside the checkout, so that nothing of it is taken for the other's
runner = CliRunner()
for line in sys.stdin:
    args = json.loads(line)
    text = ""
    for step in args:  # a pipe
        text = runner.invoke(main, step, input=text or None, prog_name="dominion-setup").stdout
    text = re.sub(r'"data": "\w+"', "", text)
    print(json.dumps([hashlib.sha256(part.encode()).hexdigest() for part in text.splitlines()]), flush=True)
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
Steps = list[list[str]]


def commands() -> Iterator[Steps]:
    """The commands to compare, always the same ones."""
    dice = random.Random("same")

    def deal(number: int) -> list[str]:
        boxes = ",".join(dice.sample(BOXES, dice.choice([2, 2, 3, 5])))
        return ["--sets", boxes, "-p", str(dice.randint(2, 6)), *dice.choice(OPTIONS), "--seed", f"s{number}"]

    for number in range(165):  # in some of which no box has a landscape, so that nothing can be dealt
        dealt = [*deal(number), "--count", "20"]
        yield [[*dealt, "--json"]]
        yield [dealt]
    for number in range(300):
        for language in ("en", "ja"):
            sort = dice.choice(["box", "cost", "name", "dealt"])
            yield [[*deal(number), "--lang", language, "--sort", sort]]
    for number in range(100):
        sets = ["--sets", f"rising-sun,{dice.choice(BOXES)}", "--seed", f"w{number}", "--json"]
        yield [sets, ["divine-wind", "-", "--lang", dice.choice(["en", "ja"])]]
        yield [[*deal(number), "--json"], ["rules", "--for", "-", "--lang", dice.choice(["en", "ja"])]]
    for players in range(2, 6):
        yield [["--game", "pergamemnon", "-p", str(players), "--seed", "p"]]
    for language in ("en", "ja"):
        yield [["sets", "--lang", language]]
        yield [["cards", "--lang", language]]
        yield [["rules", "--list", "--lang", language]]
        yield [["odds", "--sets", "base,adventures,allies", "Warrior, Moat", "--lang", language]]
    yield from ([[name, "--json"]] for name in ("sets", "cards"))


def look_ups(names: list[str]) -> Iterator[Steps]:
    """300 of the names, and questions about them, looked up in both languages."""
    dice = random.Random("look up")
    for name in dice.sample(names, 300):
        question = dice.choice(["{}", "{}", "how does {} work", "can I play {} twice", "{} を使う"])
        for language in ("en", "ja"):
            yield [["rules", question.format(name), "--lang", language]]
            yield [["cards", name, "--lang", language]]


def printed(python: str, every: list[Steps]) -> list[list[str]]:
    """What that program prints for each command, a hash for each line."""
    lines = "\n".join(json.dumps(steps) for steps in every)
    command = [python, "-c", WORKER]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd="/")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Compare this program with the other."""
    other = sys.argv[1]
    listed = subprocess.run(
        [other, "-m", "randomizer", "cards", "--json"], capture_output=True, text=True, check=True, cwd="/"
    )
    cards = json.loads(listed.stdout)["cards"]
    names = [card[key] for card in cards for key in ("name", "ja") if card[key]]
    every = [*commands(), *look_ups(names)]
    ours, theirs = printed(sys.executable, every), printed(other, every)
    unlike = 0
    for steps, one, another in zip(every, ours, theirs, strict=True):
        lines = sum(a != b for a, b in zip_longest(one, another))
        if lines:
            unlike += 1
            print(f"{lines} lines differ: {' | '.join(' '.join(step) for step in steps)}")
    print(f"{unlike} of {len(every)} commands print something else, {sum(map(len, ours))} lines compared")
    sys.exit(unlike > 0)


if __name__ == "__main__":
    main()
