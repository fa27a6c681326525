"""The index of the rulebooks: entries by number, and what leads to them.

`index_builder` says how it is laid out. Nothing is read of it but what a look-up needs.
"""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from randomizer.load import paths
from randomizer.load.cache import opened
from randomizer.rules.entry import Entry, Older, Texts
from randomizer.text.folding import fold, pairs, spaced, tokens
from randomizer.text.spelling import unlike

if TYPE_CHECKING:
    from randomizer.rules.applying import Conditions

_PHRASE = {"t": 0.5, "a": 0.4, "c": 0.2}  # how much more a word says in the name of an entry or of its card
_OFF_TOPIC = 0.9  # what is left of what an entry on single cards says, if none of them is asked about
_COMMON = 0.5  # what a word counts that English questions are full of
_KANJI = 1.5  # what a kanji counts, against two neighbouring letters
_UNKNOWN = 3.0  # what a word counts that no entry has
_GRAMMAR = 1.0  # ... or Japanese letters, which are mostly the ending of a verb
_CANDIDATES = 80  # keys whose spelling is looked at closely
_QUESTION_WORDS = frozenset(  # stems, as `tokens` gives them
    "a after am an and any are as at be been befor but by can could did do doe for from get had has "  # noqa: SIM905
    "hav he her his how i if in into is it its just may me my no not of on or our out she should so som "
    "than that the their them then there they this to up was we what when which who will with would you "
    "your".split()
)


class Leads(NamedTuple):
    """What leads from a key: numbers of entries by how (`t` title, `a` alias, `c` card), and cards."""

    entries: Mapping[str, Sequence[int]]
    cards: Sequence[str]


class Said(NamedTuple):
    """How well an entry answers a query, what part of it it says, and which words are in its names."""

    points: float
    part: float
    named: set[str]


def open_index(cache: str | None = None) -> "Index":
    """The index of all rulebooks.

    Args:
        cache: the folder of the cache; by default the user's own.

    Raises:
        BadData: a rulebook's file has faults.
    """
    books = _rule_files()

    def make() -> bytes:
        from randomizer.load import games as database
        from randomizer.load.languages import card_names, codes
        from randomizer.rules.index_builder import make_index
        from randomizer.rules.rulefile import read_books
        from randomizer.text.language import ENGLISH

        games = [database.load(name, cache=cache) for name in database.games()]
        translated = [card_names(code, games[0], cache) for code in codes() if code != ENGLISH]
        return make_index(read_books(books, games, codes()), games, translated)

    return Index(opened("rules", [*books, *_named_files()], make, cache))


def _rule_files() -> list[str]:
    """The rulebooks' files: the list of books, then the chapters."""
    folder = os.path.join(paths.data_folder(), "rules")
    books = sorted(book for book in os.listdir(folder) if "." not in book)
    chapters = [
        os.path.join(folder, book, file)
        for book in books
        for file in sorted(os.listdir(os.path.join(folder, book)))
    ]
    return [os.path.join(folder, "books.yaml"), *(path for path in chapters if path.endswith(".yaml"))]


def _named_files() -> list[str]:
    """The files of the games and languages; the rulebooks name their cards, kinds and codes."""
    files = sorted(os.listdir(paths.data_folder()))
    return [os.path.join(paths.data_folder(), file) for file in files if file.endswith(".yaml")]


class Index:
    """The open index. Queries, names and keys are folded (`fold`).

    Attributes:
        titles: what each game is called, the default game first.
        of: from which to which number the entries of each game are.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        head = json.loads(file.readline())
        self.titles: dict[str, Texts] = head["titles"]
        self.of: dict[str, list[int]] = head["of"]
        self._tables: list[int] = head["tables"]
        self._lengths: list[int] = head["entries"]
        self._on_cards = set(head["on_cards"])
        self._start = file.tell()

    # ── Entries ──

    def entry(self, number: int) -> Entry:
        """The entry of that number."""
        self._file.seek(self._start + sum(self._tables) + sum(self._lengths[:number]))
        entry = Entry(*json.loads(self._file.read(self._lengths[number])))
        return entry._replace(older=[Older(*older) for older in entry.older])

    def related(self, entry: Entry) -> list[Entry]:
        """The entries that an entry says to see also."""
        return list(map(self.entry, entry.related))

    def names(self, number: int) -> list[str]:
        """All that the entry is called, folded."""
        entry = self.entry(number)
        return [fold(name) for name in (*entry.title.values(), entry.reading, *entry.aliases)]

    def entries(self, game: str) -> Iterable[Entry]:
        """All entries of a game, in the order of its book."""
        return map(self.entry, range(*self.of[game]))

    def asking(self, game: str) -> Iterator[tuple[Entry, "Conditions"]]:
        """The entries of a game that ask something of a table, with what they ask."""
        from randomizer.rules.applying import Condition

        self._file.seek(self._start + sum(self._tables) + sum(self._lengths))
        for number, conditions in json.loads(self._file.read()).items():
            entry = self.entry(int(number))
            if entry.game == game:
                yield (
                    entry,
                    [
                        [
                            Condition(**{part: tuple(wanted) for part, wanted in one.items()})
                            for one in alternatives
                        ]
                        for alternatives in conditions
                    ],
                )

    # ── What leads to them ──

    def called(self, name: str) -> Leads:
        """What is called just that."""
        return _leads([self._line(0, name)])

    def beginning(self, start: str) -> Leads:
        """What is called something that begins like that: first what has the shortest name."""
        keys, wanted = self._table(0), f"\n{start}".encode()
        place = keys.find(wanted)
        found = []
        while place >= 0:
            key, line, end = _key_at(keys, place + 1)
            found.append((len(key), line))
            place = keys.find(wanted, end)
        return _leads(line for _, line in sorted(found))

    @cache  # noqa: B019  # an index lives as long as the program
    def spelt_like(self, query: str) -> list[tuple[float, str, Leads]]:
        """The names spelt most like it, the likest first: how unlike it is, the name, what is called so."""
        alike = sorted((unlike(query, key, 0.6), key, line) for key, line in self._sharing(query))
        return [(far, key, _leads([line])) for far, key, line in alike]

    def knows(self, term: str) -> bool:
        """Whether each word of it stands in some entry."""
        return all(self._line(2, word) for word in tokens(term))

    def word_like(self, word: str) -> tuple[float, str]:
        """The word of a name that is spelt most like it, and how unlike."""
        named = {part for key, _ in self._sharing(word) for part in key.split(" ")}
        return min(((unlike(word, other), other) for other in named), default=(1, word))

    @cache  # noqa: B019
    def saying(self, query: str, game: str) -> dict[int, Said]:
        """The entries of the game that say any of it, best first (Okapi BM25, and more for whole names)."""
        numbers = range(*self.of[game])
        points: defaultdict[int, float] = defaultdict(float)
        part: defaultdict[int, float] = defaultdict(float)
        named: defaultdict[int, set[str]] = defaultdict(set)
        worths = {}
        for word in dict.fromkeys(tokens(query)):
            having = (self._line(2, word) or "").split()
            worths[word] = worth = self._worth(word, len(having))
            for target, says in (entry.split(":") for entry in having):
                number = int(target.lstrip("!"))
                if number in numbers:
                    points[number] += worth * int(says) / 100
                    part[number] += worth
                    if target[0] == "!":
                        named[number].add(word)
        whole_names: set[int] = set()
        for phrase in _phrases(query):
            for sort, found in self.called(phrase).entries.items():
                for number in found:
                    points[number] += _PHRASE[sort] * sum(worths.get(word, 0) for word in tokens(phrase))
                whole_names.update(found)
        for number in self._on_cards - whole_names:
            points[number] *= _OFF_TOPIC
        whole = sum(worths.values())
        best = sorted(part, key=lambda number: (-points[number], number))
        return {number: Said(points[number], part[number] / whole, named[number]) for number in best}

    def _worth(self, word: str, having: int) -> float:
        """How much it tells that an entry has the word, by how many have it."""
        if not having:
            return _UNKNOWN if spaced(word) else _GRAMMAR
        rare = log(1 + (len(self._lengths) - having + 0.5) / (having + 0.5))
        if word in _QUESTION_WORDS:
            return rare * _COMMON
        return rare * _KANJI if len(word) == 1 and not spaced(word) else rare

    def _sharing(self, query: str) -> Iterable[tuple[str, str]]:
        """The keys, with their lines, that share most neighbouring letters with the query."""
        shared: Counter[str] = Counter()
        for pair in pairs(query):
            shared.update((self._line(1, pair) or "").split())
        for place, _ in shared.most_common(_CANDIDATES):
            key, line, _ = _key_at(self._table(0), int(place))
            yield key, line

    # ── Reading the tables ──

    @cache  # noqa: B019
    def _table(self, number: int) -> bytes:
        self._file.seek(self._start + sum(self._tables[:number]))
        return self._file.read(self._tables[number])

    def _line(self, number: int, name: str) -> str:
        """What belongs to the name in the table; nothing if it is not there."""
        table, wanted = self._table(number), name.encode()
        low, high = 1, len(table)  # where lines begin: the name's is not before `low` and before `high`
        while low < high:
            start = table.rfind(b"\n", 0, (low + high) // 2) + 1
            here = table[start : table.index(b"\t", start)]
            if here == wanted:
                return _key_at(table, start)[1]
            if here < wanted:
                low = table.index(b"\n", start) + 1
            else:
                high = start
        return ""


def _key_at(table: bytes, place: int) -> tuple[str, str, int]:
    """A name, what belongs to it, and where its line ends."""
    end = table.index(b"\n", place)
    name, _, line = table[place:end].decode().partition("\t")
    return name, line, end


def _leads(lines: Iterable[str]) -> Leads:
    """Where lines of keys lead."""
    entries: dict[str, dict[int, None]] = {"t": {}, "a": {}, "c": {}}
    cards: dict[str, None] = {}
    for target in (target for line in lines if line for target in line.split("\t")):
        if target[0] == "k":
            cards[target[1:]] = None
        else:
            entries[target[0]][int(target[1:])] = None
    return Leads({sort: list(found) for sort, found in entries.items()}, list(cards))


def _phrases(query: str) -> Iterable[str]:
    """Every run of words, or of Japanese letters, that could be a name within a question."""
    words = spaced(query)
    parts: Sequence[str] = query.split(" ") if words else query
    joint = " " if words else ""
    for length in range(min(len(parts), 12), 0 if words else 1, -1):
        for start in range(len(parts) - length + 1):
            yield joint.join(parts[start : start + length])
