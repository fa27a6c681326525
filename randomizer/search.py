"""Looks entries of the rulebooks up: by name, then by beginning, words, text, and at last by spelling.

Nothing is loaded but what a look-up needs; `indexing` tells how the index lies there.
"""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import log
from typing import Any, BinaryIO, NamedTuple

from randomizer.cache import opened
from randomizer.fold import fold, pairs, words
from randomizer.paths import data_folder

Entry = Mapping[str, Any]

_NEARLY = 0.75  # how like a key something must be spelt to be taken for it rather than for a question
_LIKELY = 0.6  # how like a key to be taken for it where there is nothing else
_FAINTLY = 0.4  # how like a key to be worth a question back
_ENOUGH = 0.45  # how much of what a question says an entry has to say
_SENTENCE = 8  # pairs of letters from which on Japanese is a question and no term
_MOST = 25  # results of one look-up
_CANDIDATES = 60  # keys whose spelling is looked at closely


class Found(NamedTuple):
    """What a query led to: numbers of entries, best first, perhaps a card; `match` says how.

    `match` is exact, prefix, words, text, fuzzy (a guess: `meant` is what was taken for meant) or none.
    """

    match: str = "none"
    entries: tuple[int, ...] = ()
    card: str = ""
    meant: str = ""


class Score(NamedTuple):
    """How much of a query an entry says, and whether all its words are in the entry's names."""

    part: float
    all_named: bool


def rule_files() -> list[str]:
    """The rulebooks' files: the list of books, then the chapters."""
    folder = os.path.join(data_folder(), "rules")
    books = sorted(book for book in os.listdir(folder) if "." not in book)
    chapters = [
        os.path.join(folder, book, file)
        for book in books
        for file in sorted(os.listdir(os.path.join(folder, book)))
    ]
    return [os.path.join(folder, "books.yaml"), *(path for path in chapters if path.endswith(".yaml"))]


def open_index(cache: str | None = None) -> "Index":
    """The index of all rulebooks.

    Raises:
        BadData: a rulebook's file has faults.
    """
    paths = rule_files()
    names = [file for file in sorted(os.listdir(data_folder())) if file.startswith(("cards.", "names."))]

    def make() -> bytes:
        from randomizer import database, indexing, language, rulefile

        game = database.load(cache=cache)
        codes = [code for code in language.codes() if code != language.ENGLISH]
        named = [language.card_names(code, game, cache) for code in codes]
        titles, entries = rulefile.read_books(paths, game)
        return indexing.make_index(titles, entries, game, named)

    sources = [*paths, *(os.path.join(data_folder(), file) for file in names)]
    return Index(opened("rules", sources, make, cache))


class Index:
    """The open index: entries by number, and the questions of the stages of a look-up."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        head = json.loads(file.readline())
        self.titles: dict[str, list[str]] = head["games"]
        self.of: dict[str, list[int]] = head["of"]
        self._tables: list[int] = head["tables"]
        self._lengths: list[int] = head["entries"]
        self._start = file.tell()
        self.keys = file.read(self._tables[0])

    def entry(self, number: int) -> dict[str, Any]:
        """The entry of that number."""
        self._file.seek(self._start + sum(self._tables) + sum(self._lengths[:number]))
        entry: dict[str, Any] = json.loads(self._file.read(self._lengths[number]))
        return entry

    def related(self, entry: Entry) -> list[Entry]:
        """The entries that an entry says to see also."""
        return list(map(self.entry, entry["related"]))

    def entries(self, game: str) -> Iterable[dict[str, Any]]:
        """All entries of a game, in the order of its book."""
        return map(self.entry, range(*self.of[game]))

    def look_up(self, query: str, game: str | None = None) -> Found:
        """What the query leads to.

        Args:
            query: a term, its beginning, a few words or a question, in any language.
            game: only this one; otherwise the default game, and where that has nothing the others.
        """
        folded = fold(query)
        if not folded:
            return Found()
        ranges = [range(*self.of[name]) for name in ([game] if game else self.of)]
        for numbers in ranges:
            if found := self._named(folded, numbers) or self._said(folded, numbers):
                return found
        for numbers in ranges:
            if found := (
                self._guessed(folded, numbers, _NEARLY)
                or self._partly_said(folded, numbers)
                or self._guessed(folded, numbers, _LIKELY)
            ):
                return found
        return Found()

    def suggestions(self, query: str) -> list[str]:
        """Up to three names that are spelt a little like it."""
        return [key for unlike, key, _ in self._likely(fold(query)) if unlike < 1 - _FAINTLY][:3]

    # ── The stages ──

    def _named(self, query: str, numbers: range) -> Found | None:
        """Entries that are called just that, or else begin like it."""
        found = _led_to([_line(self.keys, query)], numbers)
        if found.entries:
            return found._replace(match="exact")
        more = _led_to([line for _, line in sorted(self._beginning(query))], numbers)
        if found.card:
            return more._replace(match="exact", card=found.card)
        return more._replace(match="prefix", card="") if more.entries else None

    def _said(self, query: str, numbers: range) -> Found | None:
        """Entries that have all the words in their names, or else say all of them."""
        scores = self._scores(query, numbers)
        if named := [number for number, score in scores.items() if score.all_named]:
            return Found("words", tuple(named[:_MOST]))
        said = [number for number, score in scores.items() if score.part > 0.99][:_MOST]
        if _is_term(query):  # of which not only the pairs of letters have to be there
            said = [number for number in said if self._has(number, query)]
        return Found("text", tuple(said)) if said else None

    def _partly_said(self, query: str, numbers: range) -> Found | None:
        """Entries that say the most of what a question says."""
        if _is_term(query):
            return None
        scores = self._scores(query, numbers)
        enough = [number for number, score in scores.items() if score.part >= _ENOUGH]
        return Found("text", tuple(enough[:_MOST])) if enough else None

    @cache  # noqa: B019  # an index lives as long as the program
    def _scores(self, query: str, numbers: range) -> dict[int, "Score"]:
        """The entries that say any of it, those first that answer it best."""
        table = self._table(2)
        points: defaultdict[int, float] = defaultdict(float)
        part: defaultdict[int, float] = defaultdict(float)
        named: Counter[int] = Counter()
        worths = {}
        for word in dict.fromkeys(words(query)):
            line = _line(table, word)
            having = [pair.split(":") for pair in line.split(" ")] if line else []
            worth = worths[word] = log(2 * len(self._lengths) / (len(having) + 0.5))
            for number, weight in ((int(number), int(weight)) for number, weight in having):
                if number in numbers:
                    points[number] += worth * (1 + weight) / 3
                    part[number] += worth
                    named[number] += weight > 1
        for phrase in _phrases(query):
            worth = sum(worths.get(word, 0) for word in words(phrase))
            for place, number in enumerate(_led_to([_line(self.keys, phrase)], numbers).entries):
                points[number] += worth * (1 if place else 2)
        whole = sum(worths.values())
        return {
            number: Score(part[number] / whole, named[number] == len(worths))
            for number in sorted(points, key=lambda number: (-points[number], number))
        }

    def _guessed(self, query: str, numbers: range, least: float) -> Found | None:
        """What is spelt most like the query, if that is likely to be meant."""
        likely = [(unlike, key, line) for unlike, key, line in self._likely(query) if unlike <= 1 - least]
        for unlike, key, _ in likely:
            found = _led_to([line for other, _, line in likely if other == unlike], numbers)
            if found.entries or found.card:
                return found._replace(match="fuzzy", meant=key)
        return None

    @cache  # noqa: B019  # an index lives as long as the program
    def _likely(self, query: str) -> list[tuple[float, str, str]]:
        """Keys spelt like the query, the likest first: how unlike it, the key, its line."""
        table = self._table(1)
        shared: Counter[int] = Counter()
        for pair in dict.fromkeys(pairs(f"^{query}$")):
            shared.update(map(int, (_line(table, pair) or "").split()))
        likely = []
        for place, _ in shared.most_common(_CANDIDATES):
            key, _, line = self.keys[place : self.keys.index(b"\n", place)].decode().partition("\t")
            if abs(len(key) - len(query)) <= len(query) // 3:
                likely.append((distance(query, key) / max(len(key), len(query)), key, line))
        return sorted(likely)

    def _has(self, number: int, query: str) -> bool:
        """Whether the entry says the term somewhere as it stands."""
        entry = self.entry(number)
        return any(query in fold(text) for text in (*entry["text"].values(), *entry["title"].values()))

    # ── Reading the tables ──

    def _table(self, number: int) -> bytes:
        self._file.seek(self._start + sum(self._tables[:number]))
        return self._file.read(self._tables[number])

    def _beginning(self, query: str) -> Iterable[tuple[int, str]]:
        """The lines of keys that begin like the query, each with how long the key is."""
        wanted = f"\n{query}".encode()
        place = self.keys.find(wanted)
        while place >= 0:
            end = self.keys.index(b"\n", place + 1)
            key, _, line = self.keys[place + 1 : end].decode().partition("\t")
            yield len(key), line
            place = self.keys.find(wanted, end)


def _line(table: bytes, name: str) -> str | None:
    """What belongs to the name in the table."""
    wanted = f"\n{name}\t".encode()
    place = table.find(wanted)
    if place < 0:
        return None
    return table[place + len(wanted) : table.index(b"\n", place + 1)].decode()


def _led_to(lines: Iterable[str | None], numbers: range) -> Found:
    """The entries, titles first, and the card that lines of keys lead to."""
    by_sort: dict[str, dict[int, None]] = {"t": {}, "a": {}, "c": {}}
    card = ""
    for target in (target for line in lines if line for target in line.split("\t")):
        if target[0] == "k":
            card = card or target[1:]
        elif int(target[1:]) in numbers:
            by_sort[target[0]][int(target[1:])] = None
    entries = dict.fromkeys(number for sort in by_sort.values() for number in sort)
    return Found(entries=tuple(entries)[:_MOST], card="" if numbers.start else card)


def _is_term(query: str) -> bool:
    """Whether it is a Japanese term rather than a sentence."""
    return not query.isascii() and len(words(query)) < _SENTENCE


def _phrases(query: str) -> Iterable[str]:
    """Every run of words, or of Japanese letters, that could be a name within a question."""
    parts: Sequence[str] = query.split(" ") if query.isascii() else query
    joint = " " if query.isascii() else ""
    for length in range(min(len(parts), 12), 1, -1):
        for start in range(len(parts) - length + 1):
            yield joint.join(parts[start : start + length])


def distance(one: str, other: str) -> int:
    """How many letters have to be put in, left out, changed or swapped with a neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
