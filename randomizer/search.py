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
_ENOUGH = 0.4  # how much of what a question says an entry has to say
_UNKNOWN = 3.0  # what an English word that no entry has is worth
_GRAMMAR = 1.0  # ... or Japanese letters, which are mostly the ending of a verb
_PHRASE = {"t": 0.5, "a": 0.4, "c": 0.2}  # how much more a word says in the name of an entry or of its card
_CANDIDATES = 200  # keys whose spelling is looked at closely
_SHORT = 4  # letters that a word must have to be put right
_TERM = 8  # letters up to which Japanese is a term and no question
_MOST = 25  # results of one look-up


class Found(NamedTuple):
    """What a query led to: numbers of entries, best first, perhaps a card; `match` says how.

    `match` is exact, prefix, words, text, fuzzy (a guess: `meant` is what was taken for meant) or none.
    """

    match: str = "none"
    entries: tuple[int, ...] = ()
    card: str = ""
    meant: str = ""


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
    names = [file for file in sorted(os.listdir(data_folder())) if file.endswith(".yaml")]

    def make() -> bytes:
        from randomizer import database, indexing, language, rulefile

        games = [database.load(name, cache=cache) for name in database.games()]
        codes = [code for code in language.codes() if code != language.ENGLISH]
        named = [language.card_names(code, games[0], cache) for code in codes]
        titles, entries = rulefile.read_books(paths, games)
        return indexing.make_index(titles, entries, games, named)

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
        self.keys = self._table(0)

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
        own, *others = [range(*self.of[name]) for name in ([game] if game else self.of)]
        found = self._called(folded, own) or self._all_named(folded, own)
        for numbers in others:
            found = found or self._called(folded, numbers, exactly=True)
        spelt = self._spelt(folded)
        for numbers in (own, *others):
            found = found or self._called(folded, numbers) or self._all_named(folded, numbers)
            found = found or self._guessed(folded, numbers, least=_NEARLY)
            if spelt != folded and (right := self._called(spelt, numbers) or self._all_named(spelt, numbers)):
                found = found or right._replace(match="fuzzy", meant=spelt)
            found = found or self._said(spelt, numbers)
        for stage in (self._guessed, self._partly_said):
            for numbers in (own, *others):
                found = found or stage(folded, numbers)
        return found or Found()

    def suggestions(self, query: str) -> list[str]:
        """Up to three names that are spelt a little like it."""
        return [key for unlike, key, _ in self._alike(fold(query)) if unlike < 1 - _FAINTLY][:3]

    # ── The stages ──

    def _called(self, query: str, numbers: range, *, exactly: bool = False) -> Found | None:
        """Entries that are called just that, or else begin like it."""
        found = _led_to([_line(self.keys, query)], numbers)
        if found.entries:
            return found._replace(match="exact")
        if exactly:
            return None
        more = _led_to([line for _, line in sorted(self._beginning(query))], numbers)
        if found.card:
            return more._replace(match="exact", card=found.card)
        return more._replace(match="prefix", card="") if more.entries else None

    def _all_named(self, query: str, numbers: range) -> Found | None:
        """Entries that have all the words in their names."""
        wanted = set(words(query))
        named = [number for number, (_, names) in self._saying(query, numbers).items() if names == wanted]
        return Found("words", tuple(named[:_MOST])) if named else None

    def _said(self, query: str, numbers: range) -> Found | None:
        """Entries that say enough of what the question says; of a Japanese term the very term."""
        said = self._partly_said(query, numbers)
        if said and not query.isascii() and len(query) <= _TERM:
            having = tuple(number for number in said.entries if self._has(number, query))
            return said._replace(entries=having) if having else None
        return said

    def _partly_said(self, query: str, numbers: range) -> Found | None:
        """Entries that say enough of it."""
        said = [number for number, (part, _) in self._saying(query, numbers).items() if part >= _ENOUGH]
        return Found("text", tuple(said[:_MOST])) if said else None

    def _guessed(self, query: str, numbers: range, *, least: float = _LIKELY) -> Found | None:
        """What is spelt most like the query, if that is likely to be meant."""
        alike = [(unlike, key, line) for unlike, key, line in self._alike(query) if unlike <= 1 - least]
        for unlike, key, _ in alike:
            found = _led_to([line for other, _, line in alike if other == unlike], numbers)
            if found.entries or found.card:
                return found._replace(match="fuzzy", meant=key)
        return None

    # ── Reading the tables ──

    @cache  # noqa: B019  # an index lives as long as the program
    def _table(self, number: int) -> bytes:
        self._file.seek(self._start + sum(self._tables[:number]))
        return self._file.read(self._tables[number])

    @cache  # noqa: B019
    def _saying(self, query: str, numbers: range) -> dict[int, tuple[float, set[str]]]:
        """The entries that say any of it, best first: how much of it, and which words are in their names."""
        points: defaultdict[int, float] = defaultdict(float)
        part: defaultdict[int, float] = defaultdict(float)
        named: defaultdict[int, set[str]] = defaultdict(set)
        worths = {}
        for word in dict.fromkeys(words(query)):
            having = (_line(self._table(2), word) or "").split()
            rare = (len(self._lengths) - len(having) + 0.5) / (len(having) + 0.5)
            worths[word] = log(1 + rare) if having else _UNKNOWN if word.isascii() else _GRAMMAR
            for target, says in (entry.split(":") for entry in having):
                number = int(target.lstrip("!"))
                if number in numbers:
                    points[number] += worths[word] * int(says) / 100
                    part[number] += worths[word]
                    if target.startswith("!"):
                        named[number].add(word)
        for phrase in _phrases(query):
            for sort, number in _targets(_line(self.keys, phrase), numbers):
                points[number] += _PHRASE[sort] * sum(worths.get(word, 0) for word in words(phrase))
        whole = sum(worths.values())
        return {
            number: (part[number] / whole, named[number])
            for number in sorted(points, key=lambda number: (-points[number], number))
        }

    def _spelt(self, query: str) -> str:
        """The query with each English word that no entry has put right, if there is one spelt nearly so."""
        return " ".join(map(self._nearest_word, query.split())) if query.isascii() else query

    def _nearest_word(self, word: str) -> str:
        if len(word) < _SHORT or all(_line(self._table(2), part) for part in words(word)):
            return word
        named = {part for key, _ in self._sharing(word) for part in key.split(" ")}
        far, nearest = min((unlike(word, other), other) for other in {word[0], *named})
        return nearest if far <= 1 - _LIKELY else word

    @cache  # noqa: B019
    def _alike(self, query: str) -> list[tuple[float, str, str]]:
        """Keys spelt like the query, the likest first: how unlike it, the key, its line."""
        return sorted((unlike(query, key), key, line) for key, line in self._sharing(query))

    def _sharing(self, query: str) -> Iterable[tuple[str, str]]:
        """The keys, with their lines, that have most neighbouring letters of the query."""
        shared: Counter[str] = Counter()
        for pair in pairs(query):
            shared.update((_line(self._table(1), pair) or "").split())
        for place, _ in shared.most_common(_CANDIDATES):
            key, _, line = self.keys[int(place) : self.keys.index(b"\n", int(place))].decode().partition("\t")
            yield key, line

    def _has(self, number: int, query: str) -> bool:
        """Whether the entry says the term somewhere as it stands."""
        entry = self.entry(number)
        return any(query in fold(text) for text in (*entry["text"].values(), *entry["title"].values()))

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


def _targets(line: str | None, numbers: range) -> Iterable[tuple[str, int]]:
    """The entries that a key's line leads to, each with how: by title, alias or card."""
    for target in line.split("\t") if line else ():
        if target[0] != "k" and int(target[1:]) in numbers:
            yield target[0], int(target[1:])


def _led_to(lines: Iterable[str | None], numbers: range) -> Found:
    """The entries, titles first, and the card that lines of keys lead to."""
    given = [line for line in lines if line]
    by_sort: dict[str, dict[int, None]] = {"t": {}, "a": {}, "c": {}}
    for line in given:
        for sort, number in _targets(line, numbers):
            by_sort[sort][number] = None
    cards = [target[1:] for line in given for target in line.split("\t") if target[0] == "k"]
    entries = dict.fromkeys(number for sort in by_sort.values() for number in sort)
    card = cards[0] if cards and not numbers.start else ""
    return Found(entries=tuple(entries)[:_MOST], card=card)


def _phrases(query: str) -> Iterable[str]:
    """Every run of words, or of Japanese letters, that could be a name within a question."""
    parts: Sequence[str] = query.split(" ") if query.isascii() else query
    joint = " " if query.isascii() else ""
    for length in range(min(len(parts), 12), 0 if query.isascii() else 1, -1):
        for start in range(len(parts) - length + 1):
            yield joint.join(parts[start : start + length])


def unlike(one: str, other: str) -> float:
    """How much of the longer one has to be changed to make the other: 0 the same, 1 all of it.

    A letter put in, left out, changed, or swapped with its neighbour is one change.
    """
    longer = max(len(one), len(other))
    return _changes(one, other) / longer if abs(len(one) - len(other)) < longer * _LIKELY else 1


def _changes(one: str, other: str) -> int:
    """How many changes make the one the other (optimal string alignment).

    A column of the usual table lies in two numbers, a bit for each letter: where it goes up and where down.
    H. Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances, 2003.
    """
    last, every = 1 << len(one) - 1, (1 << len(one)) - 1
    places: dict[str, int] = {}
    for place, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << place
    up, down, same, before, changes = every, 0, 0, 0, len(one)
    for letter in other:
        here = places.get(letter, 0)
        swapped = ((~same & here) << 1) & before
        same = ((((here & up) + up) ^ up) | here | down | swapped) & every
        right, left = down | ~(same | up) & every, same & up
        changes += bool(right & last) - bool(left & last)
        right, left = right << 1 | 1, left << 1
        up, down, before = (left | ~(same | right)) & every, right & same, here
    return changes
