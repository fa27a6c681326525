"""The index of the rulebooks: entries by number, and what leads to them.

`index_builder` says what is in it. Nothing is read of it but what a look-up needs.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, BinaryIO
from zlib import decompress

from randomizer.rules.entry import NAMES_EACH, PAGE, Entry, Older, QueryLexicon, StopWords, Texts
from randomizer.text.folding import bigrams
from randomizer.text.json import loads

if TYPE_CHECKING:
    from randomizer.rules.applying import Conditions

_CANDIDATES = 80  # names whose spelling is looked at closely
_Numbers = tuple[memoryview, memoryview]  # where each entry's end, and they


class KeyTargets:
    """Where keys lead, in the order of the keys.

    Attributes:
        entries: numbers of entries by what the key is of them: `i` id, `t` title, `a` alias, `c` a card that
            they concern.
        cards: the cards that are called so.
    """

    def __init__(self, rows: Iterable[bytes]) -> None:
        self.entries: dict[str, dict[int, None]] = {"i": {}, "t": {}, "a": {}, "c": {}}
        self.cards: dict[str, None] = {}
        for row in filter(None, rows):
            for target in row.decode().split("\t"):
                if target[0] == "k":
                    self.cards[target[1:]] = None
                else:
                    self.entries[target[0]][int(target[1:])] = None

    @property
    def titled_doc_ids(self) -> list[int]:
        """The entries whose id or title it is."""
        return list(dict.fromkeys([*self.entries["i"], *self.entries["t"]]))


class Index:
    """The open index. Queries, names and keys are folded (`fold`).

    Attributes:
        titles: what each game is called, the default game first.
        of: the numbers of the entries of each game, in the order of its book.
        on_cards: the numbers of the entries that are about single cards ...
        of_cards: ... of those that are a card's own ...
        pairs: the cards that meet others, by the numbers of the entries on cards that meet.
        count: how many entries there are.
        speech: how people ask.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        head = loads(file.readline())
        self._start = file.tell()
        self._at: Mapping[str, tuple[int, int]] = head["sections"]
        self._ends: Sequence[int] = head["entries"]
        self._of_types: Mapping[str, Sequence[int]] = head["of_types"]
        self.titles: Mapping[str, Texts] = head["titles"]
        self.doc_id_ranges = {game: range(*numbers) for game, numbers in head["of"].items()}
        self.card_doc_ids = frozenset[int](head["on_cards"])
        self.own_doc_ids = frozenset[int](head["of_cards"])
        self.meeting_cards: Mapping[int, Sequence[str]] = dict(head["pairs"])
        self.entry_count = len(self._ends) - 1
        words, *noise, ordinary, particles, called, kinds = head["speech"]
        said, about, about_card, about_word = (StopWords(frozenset(stems), parts) for stems, parts in noise)
        noises = (said, about, about_card, about_word)
        self.lexicon = QueryLexicon(words, *noises, frozenset(ordinary), tuple(particles), called, kinds)

    # ── Entries ──

    @lru_cache(4096)  # noqa: B019  # an index lives as long as the program
    def entry(self, number: int) -> Entry:
        """The entry of that number."""
        entry = Entry(*loads(self._read(self._ends[number], self._ends[number + 1])))
        return entry._replace(older=[Older(*older) for older in entry.older])

    def entries(self, game: str) -> Iterable[Entry]:
        """All entries of a game, in the order of its book."""
        return map(self.entry, self.doc_id_ranges[game])

    def related(self, entry: Entry) -> list[Entry]:
        """The entries that an entry says to see also."""
        return list(map(self.entry, entry.related))

    def find_by_types(self, types: Iterable[str]) -> list[int]:
        """The numbers of the entries on any of these types of cards, in order."""
        return sorted({number for type_ in types for number in self._of_types.get(type_, ())})

    @lru_cache(8)  # noqa: B019  # as above
    def entries_with_conditions(self, game: str) -> Sequence[tuple[Entry, "Conditions"]]:
        """The entries of a game that ask something of a table, with what they ask."""
        from randomizer.rules.applying import Condition

        conditions = loads(self._read(*self._at["conditions"]))
        return [
            (self.entry(number), [[Condition(*map(tuple, one)) for one in each] for each in asked])
            for number in self.doc_id_ranges.get(game, ())
            if (asked := conditions[number])
        ]

    # ── What leads to them ──

    def find_exact(self, *names: str) -> KeyTargets:
        """What is called just that, or one of these."""
        return KeyTargets(bytes(self.keys.get(name)) for name in names)

    def find_prefix(self, start: str) -> KeyTargets:
        """What is called something that begins like that: first what has the shortest name."""
        places = self.keys.prefix_range(start)
        rows = sorted((len(self.keys.name(place)), bytes(self.keys.row(place))) for place in places)
        return KeyTargets(row for _, row in rows)

    def has_token(self, token: str) -> bool:
        """Whether any entry has the token."""
        return token in self._tokens

    def postings(self, token: str) -> tuple[Sequence[int], Sequence[float], float]:
        """The entries that have the token, and what it says: nothing if none has it.

        Returns:
            their numbers, in order; the points that it gives to each; how much it tells that an entry has it.
        """
        row = self._tokens.get(token)
        if not row:
            return (), (), 0.0
        points = len(row) // 6 * 2
        return row[:points].cast("H"), row[points:-4].cast("f"), row[-4:].cast("f")[0]

    def token_id(self, token: str) -> int | None:
        """The number of a token in phrasings, if any entry has it."""
        return self._tokens.find(token)

    def phrasings(self, number: int, first: int, last: int) -> Iterator[tuple[int, list[int]]]:
        """What an entry is called and asked: how much that tells, in tenths, and all its tokens' numbers.

        Args:
            first: what has only tokens with lower numbers is left out, mostly what is in another script ...
            last: ... and what has only tokens with higher ones.
        """
        return _several(self._phrasings, number, first, last)

    def sentences(self, number: int, first: int, last: int) -> Iterator[tuple[int, list[int]]]:
        """What an entry is about, and its sentences: the number of each, and the numbers of all its tokens.

        Args:
            first: as in `phrasings` ...
            last: ... likewise.
        """
        return _several(self._sentences, number, first, last)

    def find_by_name_tokens(self, tokens: Iterable[str]) -> set[int]:
        """The numbers of the entries that have all the tokens in one of their names."""
        rows = [self._names.get(token).cast("I") for token in tokens]
        fewest, *others = sorted(rows, key=len)
        return {name // NAMES_EACH for name in fewest if all(contains_sorted(row, name) for row in others)}

    def names_sharing_bigrams(self, text: str) -> list[str]:
        """The names that share most neighbouring letters with the text: not many."""
        return list(
            map(self.keys.name, most_frequent_bits(list(map(self._keys_with, bigrams(text))), _CANDIDATES))
        )

    def closest_names(self, text: str, most: float) -> list[tuple[float, str]]:
        """The names that are at most so unlike the text, the likest first, and how unlike each is."""
        from randomizer.text.spelling import closest  # only once something is misspelt

        return closest(text, self.names_sharing_bigrams(text), most)

    @lru_cache(500)  # noqa: B019  # as above
    def _keys_with(self, pair: str) -> int:
        """A bit for the place of every key that has these neighbouring letters."""
        row = self._letters.get(pair)
        return int.from_bytes(decompress(row), "little") if row else 0

    # ── Reading ──

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(self._start + start)
        return self._file.read(end - start)

    @cached_property
    def keys(self) -> "PackedTable":
        """Whatever something is called, with what that leads to."""
        return PackedTable(self._read(*self._at["keys"]))

    @cached_property
    def _letters(self) -> "PackedTable":
        return PackedTable(self._read(*self._at["letters"]))

    @cached_property
    def _tokens(self) -> "PackedTable":
        return PackedTable(self._read(*self._at["tokens"]))

    @cached_property
    def _phrasings(self) -> "_Numbers":
        return self._numbers("phrasings")

    @cached_property
    def _sentences(self) -> "_Numbers":
        return self._numbers("sentences")

    def _numbers(self, section: str) -> "_Numbers":
        packed, ends = memoryview(self._read(*self._at[section])), 4 * (self.entry_count + 1)
        return packed[:ends].cast("I"), packed[ends:].cast("H")

    @cached_property
    def _names(self) -> "PackedTable":
        return PackedTable(self._read(*self._at["names"]))


class PackedTable:
    """Names in alphabetical order, with a row of bytes for each, as `index_builder.packed` packs them.

    As in a dictionary, the first name on each page tells which page to look at; the others stay unread.
    """

    def __init__(self, packed: bytes) -> None:
        start = packed.index(b"\n") + 1
        head = loads(packed[:start])
        self._count: int = head["count"]
        self._firsts: Sequence[str] = head["firsts"]
        self._pages: Sequence[int] = head["pages"]
        self._read: dict[int, list[str]] = {}
        self._packed = memoryview(packed)[start:]
        after_names = self._packed[self._pages[-1] :]
        ends = 4 * (self._count + 1)
        self._ends, self._rows = after_names[:ends].cast("I"), after_names[ends:]

    def name(self, place: int) -> str:
        """The name at that place."""
        return self._page(place // PAGE)[place % PAGE]

    def row(self, place: int) -> memoryview:
        """The row at that place."""
        return self._rows[self._ends[place] : self._ends[place + 1]]

    def get(self, name: str) -> memoryview:
        """The row of that name; nothing if there is none."""
        place = self.find(name)
        return self._rows[:0] if place is None else self.row(place)

    def __contains__(self, name: str) -> bool:
        return self.find_next(name) == name

    def find(self, name: str) -> int | None:
        """The place of that name, if it is there."""
        place = self._place(name)
        return place if place < self._count and self.name(place) == name else None

    def find_next(self, name: str) -> str:
        """The name, if it is there, or the one that comes next; nothing after the last one."""
        place = self._place(name)
        return self.name(place) if place < self._count else ""

    def prefix_range(self, start: str) -> range:
        """The places of the names that begin so."""
        return range(self._place(start), self._place(start + "\U0010ffff"))  # a letter that comes last

    def _place(self, name: str) -> int:
        """The place of the name, or of the one that comes next."""
        number = bisect_right(self._firsts, name) - 1
        return number * PAGE + bisect_left(self._page(number), name) if number >= 0 else 0

    def _page(self, number: int) -> list[str]:
        if number not in self._read:
            page = self._packed[self._pages[number] : self._pages[number + 1]]
            self._read[number] = str(page, "utf-8").split("\n")
        return self._read[number]


def _several(packed: _Numbers, entry: int, first: int, last: int) -> Iterator[tuple[int, list[int]]]:
    """Of an entry several numbers, each with those of tokens, if these lie in that range at all."""
    ends, numbers = packed
    row, start = numbers[ends[entry] : ends[entry + 1]].tolist(), 0
    while start < len(row):
        end = start + 2 + row[start]
        if row[start] and row[end - 1] >= first and row[start + 2] <= last:
            yield row[start + 1], row[start + 2 : end]
        start = end


def contains_sorted(numbers: Sequence[int], number: int) -> bool:
    """Whether it is one of the numbers, which are in order."""
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number


def most_frequent_bits(rows: Sequence[int], most: int) -> list[int]:
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
