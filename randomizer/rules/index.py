"""The index of the rulebooks: entries by number, and what leads to them.

`index_builder` says what is in it. Nothing is read of it but what a look-up needs.
"""

import json
import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, BinaryIO
from zlib import decompress

from randomizer.load import paths
from randomizer.load.cache import opened
from randomizer.rules.entry import Entry, Older, Texts
from randomizer.text.folding import pairs

if TYPE_CHECKING:
    from randomizer.rules.applying import Conditions

NAMES_EACH = 1000  # more than any entry has
_LAST = b"\xff"  # sorts after every name, for no text in UTF-8 has it


class Leads:
    """Where keys lead, in the order of the keys.

    Attributes:
        entries: numbers of entries by what the key is of them: `t` title, `a` alias, `c` a card they concern.
        cards: the cards that are called so.
    """

    def __init__(self, rows: Iterable[bytes]) -> None:
        self.entries: dict[str, dict[int, None]] = {"t": {}, "a": {}, "c": {}}
        self.cards: dict[str, None] = {}
        for row in filter(None, rows):
            for target in row.decode().split("\t"):
                if target[0] == "k":
                    self.cards[target[1:]] = None
                else:
                    self.entries[target[0]][int(target[1:])] = None


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
        of: the numbers of the entries of each game, in the order of its book.
        on_cards: the numbers of the entries that are about single cards.
        count: how many entries there are.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        head = json.loads(file.readline())
        self._start = file.tell()
        self._sections: Mapping[str, tuple[int, int]] = head["sections"]
        self._ends: Sequence[int] = head["entries"]
        self._of_types: Mapping[str, Sequence[int]] = head["of_types"]
        self.titles: Mapping[str, Texts] = head["titles"]
        self.of = {game: range(*numbers) for game, numbers in head["of"].items()}
        self.on_cards = frozenset[int](head["on_cards"])
        self.count = len(self._ends) - 1

    # ── Entries ──

    def entry(self, number: int) -> Entry:
        """The entry of that number."""
        entry = Entry(*json.loads(self._read(self._ends[number], self._ends[number + 1])))
        return entry._replace(older=[Older(*older) for older in entry.older])

    def entries(self, game: str) -> Iterable[Entry]:
        """All entries of a game, in the order of its book."""
        return map(self.entry, self.of[game])

    def related(self, entry: Entry) -> list[Entry]:
        """The entries that an entry says to see also."""
        return list(map(self.entry, entry.related))

    def of_types(self, types: Iterable[str]) -> list[int]:
        """The numbers of the entries on any of these types of cards, in order."""
        return sorted({number for type_ in types for number in self._of_types.get(type_, ())})

    def asking(self, game: str) -> Iterator[tuple[Entry, "Conditions"]]:
        """The entries of a game that ask something of a table, with what they ask."""
        from randomizer.rules.applying import Condition

        conditions = json.loads(self._read(*self._sections["conditions"]))
        for number in self.of.get(game, ()):
            if asked := conditions[number]:
                yield self.entry(number), [[Condition(*map(tuple, one)) for one in each] for each in asked]

    # ── What leads to them ──

    def called(self, *names: str) -> Leads:
        """What is called just that, or one of these."""
        return Leads(bytes(self.keys.get(name)) for name in names)

    def beginning(self, start: str) -> Leads:
        """What is called something that begins like that: first what has the shortest name."""
        places = self.keys.beginning(start)
        rows = sorted((len(self.keys.name(place)), bytes(self.keys.row(place))) for place in places)
        return Leads(row for _, row in rows)

    def knows(self, token: str) -> bool:
        """Whether any entry has the token."""
        return token in self._tokens

    def having(self, token: str) -> tuple[Sequence[int], Sequence[float]]:
        """The numbers of the entries that have the token, in order, and the points that it gives to each."""
        row = self._tokens.get(token)
        third = len(row) // 3  # four bytes for each number, and eight for its points
        return row[:third].cast("I"), row[third:].cast("d")

    def named(self, tokens: Iterable[str]) -> set[int]:
        """The numbers of the entries that have all the tokens in one of their names."""
        rows = [self._names.get(token).cast("I") for token in tokens]
        fewest, *others = sorted(rows, key=len)
        return {name // NAMES_EACH for name in fewest if all(among(row, name) for row in others)}

    def sharing(self, text: str, most: int) -> list[int]:
        """The places of the keys, at most so many, that share most neighbouring letters with the text."""
        return commonest(list(map(self._keys_with, pairs(text))), most)

    @lru_cache(500)  # noqa: B019  # an index lives as long as the program
    def _keys_with(self, pair: str) -> int:
        """A bit for the place of every key that has these neighbouring letters."""
        row = self._letters.get(pair)
        return int.from_bytes(decompress(row), "little") if row else 0

    # ── Reading ──

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(self._start + start)
        return self._file.read(end - start)

    @cached_property
    def keys(self) -> "Table":
        """Whatever something is called, with what that leads to."""
        return Table(self._read(*self._sections["keys"]))

    @cached_property
    def _letters(self) -> "Table":
        return Table(self._read(*self._sections["letters"]))

    @cached_property
    def _tokens(self) -> "Table":
        return Table(self._read(*self._sections["tokens"]))

    @cached_property
    def _names(self) -> "Table":
        return Table(self._read(*self._sections["names"]))


class Table:
    """Names in alphabetical order, with a row of bytes for each, as `index_builder.packed` packs them."""

    def __init__(self, packed: bytes) -> None:
        start = packed.index(b"\n") + 1
        length, count = map(int, packed[:start].split())
        self._names = packed[start : start + length].split(b"\n") if count else []
        self._names.append(_LAST)
        numbers = 4 * (count + 1)
        self._ends = memoryview(packed)[start + length :][:numbers].cast("I")
        self._rows = memoryview(packed)[start + length + numbers :]

    def name(self, place: int) -> str:
        """The name at that place."""
        return self._names[place].decode()

    def row(self, place: int) -> memoryview:
        """The row at that place."""
        return self._rows[self._ends[place] : self._ends[place + 1]]

    def __contains__(self, name: str) -> bool:
        wanted = name.encode()
        return self._names[bisect_left(self._names, wanted)] == wanted

    def get(self, name: str) -> memoryview:
        """The row of that name; nothing if there is none."""
        wanted = name.encode()
        place = bisect_left(self._names, wanted)
        return self.row(place) if self._names[place] == wanted else self._rows[:0]

    def beginning(self, start: str) -> range:
        """The places of the names that begin so."""
        begun = start.encode()
        return range(bisect_left(self._names, begun), bisect_left(self._names, begun + _LAST))


def among(numbers: Sequence[int], number: int) -> bool:
    """Whether it is one of the numbers, which are in order."""
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number


def commonest(rows: Sequence[int], most: int) -> list[int]:
    """The bits, at most so many, that are set in most rows; of equally many those of the first rows."""
    levels: list[int] = []  # what is set in at least one row, in at least two ...
    for row in rows:
        more = row
        for number, level in enumerate(levels):
            levels[number], more = level | more, level & more
        if more:
            levels.append(more)
    found: list[int] = []
    taken = 0
    for level, row in product(reversed(levels), rows):
        if new := level & row & ~taken:
            found += islice(_bits(new), most - len(found))
            taken |= new
        if len(found) == most:
            break
    return found


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
