"""Reads the search index of the rulebooks: the entries, and the tables that find them by name or by token.

`index_builder` describes the format. Only the parts that a search needs are read from the file.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple
from zlib import decompress

from randomizer.rules.entry import (
    MAX_NAMES_PER_ENTRY,
    PAGE_SIZE,
    DirectAnswer,
    Entry,
    OlderWording,
    QueryLexicon,
    StopWords,
    Texts,
)
from randomizer.text.folding import bigrams, fold
from randomizer.text.json import loads

if TYPE_CHECKING:
    from randomizer.load.entryfile import Conditions

# The roles that a key may have for an entry, the most important first.
ID_ROLE, TITLE_ROLE, ALIAS_ROLE, CARD_ROLE = "i", "t", "a", "c"

# The roles that a term in some language may have: for a card, the most important first, or for a concept.
CARD_TERM_ROLES = ("name", "reading", "alias")
CONCEPT_ROLE = "concept"

_MAX_SPELLING_CANDIDATES = 80  # names whose edit distance from a misspelt one is computed
_TokenLists = tuple[memoryview, memoryview]  # (offsets of the entries' lists, lists)


class KeyTargets:
    """The entries and cards that have one or several keys as a name, in the order of the keys.

    Attributes:
        doc_ids_by_role: the document IDs of the entries, by the role of the key: the ID of the entry, its
            title, an alias or reading of it, or the name of a card that it concerns. The values of the
            inner dictionaries are unused: their keys form an ordered set.
        cards: the English names of the cards, as another ordered set.

    Args:
        rows: the rows of the keys in the table `keys` of the index.
    """

    def __init__(self, rows: Iterable[bytes]) -> None:
        self.doc_ids_by_role: dict[str, dict[int, None]] = {
            ID_ROLE: {},
            TITLE_ROLE: {},
            ALIAS_ROLE: {},
            CARD_ROLE: {},
        }
        self.cards: dict[str, None] = {}
        for row in filter(None, rows):
            for target in row.decode().split("\t"):
                if target[0] == "k":
                    self.cards[target[1:]] = None
                else:
                    self.doc_ids_by_role[target[0]][int(target[1:])] = None

    @property
    def doc_ids(self) -> list[int]:
        """The document IDs of all entries that match by ID, title, alias or card, best matches first."""
        return list(dict.fromkeys(doc_id for doc_ids in self.doc_ids_by_role.values() for doc_id in doc_ids))

    @property
    def titled_doc_ids(self) -> list[int]:
        """The document IDs of the entries that have a key as their ID or title."""
        return list(dict.fromkeys([*self.doc_ids_by_role[ID_ROLE], *self.doc_ids_by_role[TITLE_ROLE]]))


class Postings(NamedTuple):
    """The postings list of a token.

    Attributes:
        doc_ids: the document IDs of the entries that contain the token, in ascending order.
        scores: the BM25 score of each of these entries for the token.
        weight: the IDF weight of the token; 0 for a token that no entry contains.
    """

    doc_ids: Sequence[int] = ()
    scores: Sequence[float] = ()
    weight: float = 0.0


class Meaning(NamedTuple):
    """A meaning of a name or word in some language.

    Attributes:
        code: the code of the language.
        role: one of `CARD_TERM_ROLES` if the word means a card, and `CONCEPT_ROLE` for a type or a concept.
        english: the English name of the card or type, or an English query for the concept.
        is_unaccented: whether the word is written without its accents.
    """

    code: str
    role: str
    english: str
    is_unaccented: bool


class Index:
    """An open search index. Names, keys and tokens passed to its methods must be normalized by `fold`.

    The document ID of an entry is its position in the index. A key is any name of an entry or card.

    Args:
        file: the index file, which has to stay open.
        extra_files: the paths of the user's own data files that the index includes.

    Attributes:
        extra_files: see the arguments.
        titles: the title of each game by language code; the default game is the first.
        default_game: the game that is searched first by default.
        doc_id_ranges: the document IDs of each game's entries, in the order of its book.
        card_doc_ids: the document IDs of the entries about individual cards.
        own_entry_doc_ids: the document IDs of the cards' own entries, whose titles are the cards' names.
        direct_answer_doc_ids: the document IDs of the entries with direct answers.
        chapter_titles: the folded titles of the chapters with cards' own entries, in all languages.
        combining_cards: for each entry about a combination of cards, by document ID: the cards that have to
            be combined with others.
        entry_count: the number of entries of all games.
        lexicon: the vocabulary of queries.
    """

    def __init__(self, file: BinaryIO, extra_files: Sequence[str] = ()) -> None:
        self._file = file
        self.extra_files = extra_files
        header = loads(file.readline())
        self._start = file.tell()
        self._sections: Mapping[str, tuple[int, int]] = header["sections"]
        self._entry_offsets: Sequence[int] = header["entries"]
        self._doc_ids_by_type: Mapping[str, Sequence[int]] = header["doc_ids_by_type"]
        self.titles: Mapping[str, Texts] = header["titles"]
        self.default_game = next(iter(self.titles), "")
        self.doc_id_ranges = {game: range(*bounds) for game, bounds in header["doc_id_ranges"].items()}
        self.card_doc_ids = frozenset[int](header["card_doc_ids"])
        self.own_entry_doc_ids = frozenset[int](header["own_entry_doc_ids"])
        self.direct_answer_doc_ids = frozenset[int](header["direct_answer_doc_ids"])
        self.chapter_titles: Sequence[str] = header["chapter_titles"]
        self.combining_cards: Mapping[int, Sequence[str]] = dict(header["combining_cards"])
        self.entry_count = len(self._entry_offsets) - 1
        synonyms, stop_words, *lists, ambiguous_names, particles, game_names = header["lexicon"][:8]
        fields: list[Any] = [StopWords(frozenset(stems), phrases) for stems, phrases in (stop_words, *lists)]
        fields += [frozenset(ambiguous_names), tuple(particles), game_names, *header["lexicon"][8:]]
        self.lexicon = QueryLexicon(synonyms, *fields)

    def find_game(self, name: str) -> str:
        """Return the game that has this name, title or other name in any language; empty if none has it."""
        if name in self.titles:
            return name
        folded = fold(name)
        names = [*self.lexicon.game_names]
        names += [(title, game) for game, titles in self.titles.items() for title in titles.values()]
        return next((game for other, game in names if fold(other) == folded), "")

    # ── Entries ──

    @lru_cache(4096)  # noqa: B019  # An index lives as long as the program.
    def entry(self, doc_id: int) -> Entry:
        """Return the entry with a document ID."""
        entry = Entry(*loads(self._read(self._entry_offsets[doc_id], self._entry_offsets[doc_id + 1])))
        return entry._replace(
            older=[OlderWording(*older) for older in entry.older],
            answers=[DirectAnswer(*answer) for answer in entry.answers],
        )

    def entries(self, game: str) -> Iterable[Entry]:
        """Return all entries of a game, in the order of its book."""
        return map(self.entry, self.doc_id_ranges[game])

    def related(self, entry: Entry) -> list[Entry]:
        """Return the entries that an entry refers to with "see also"."""
        return list(map(self.entry, entry.related_doc_ids))

    def find_by_types(self, types: Iterable[str]) -> list[int]:
        """Return the document IDs of the entries about any of these card types, in ascending order."""
        return sorted({doc_id for type_ in types for doc_id in self._doc_ids_by_type.get(type_, ())})

    @lru_cache(8)  # noqa: B019  # See above.
    def entries_with_conditions(self, game: str) -> Sequence[tuple[Entry, "Conditions"]]:
        """Return the entries of a game that apply only to some tables, each with its conditions."""
        from randomizer.load.entryfile import Condition

        conditions = loads(self._read(*self._sections["conditions"]))
        return [
            (
                self.entry(doc_id),
                [
                    [Condition(*map(tuple, one)) for one in alternatives]
                    for alternatives in conditions[doc_id]
                ],
            )
            for doc_id in self.doc_id_ranges.get(game, ())
            if conditions[doc_id]
        ]

    # ── Search ──

    def find_exact(self, *keys: str) -> KeyTargets:
        """Return the targets of one or several keys."""
        return KeyTargets(bytes(self.keys.get(key)) for key in keys)

    def find_prefix(self, prefix: str) -> KeyTargets:
        """Return the targets of all keys with a prefix, those of the shortest keys first."""
        positions = self.keys.find_prefix_range(prefix)
        rows = sorted(
            (len(self.keys.name(position)), bytes(self.keys.row(position))) for position in positions
        )
        return KeyTargets(row for _, row in rows)

    def find_meanings(self, key: str) -> list[Meaning]:
        """Return the meanings, in all languages, of a name or word that `normalize_key` has normalized."""
        row = self._terms.get(key)
        return [Meaning(*term) for term in loads(bytes(row))] if row else []

    def has_token(self, token: str) -> bool:
        """Check whether any entry contains a token."""
        return token in self._tokens

    def postings(self, token: str) -> Postings:
        """Return the postings list of a token; empty for an unknown token."""
        row = self._tokens.get(token)
        if not row:
            return Postings()
        ids_end = len(row) // 6 * 2
        return Postings(row[:ids_end].cast("H"), row[ids_end:-4].cast("f"), row[-4:].cast("f")[0])

    def token_id(self, token: str) -> int | None:
        """Return the ID of a token in `phrasings` and `sentences`, or None for an unknown token."""
        return self._tokens.find(token)

    def phrasings(self, doc_id: int, token_range: range) -> Iterator[tuple[int, list[int]]]:
        """Yield (weight, token IDs) for each title, alias and sample question of an entry.

        The weight is the sum of the tokens' IDF weights, in tenths. To save time, phrasings whose token IDs
        are all below or all above the range are skipped; most of these are in another script.
        """
        return _iter_token_lists(self._phrasings, doc_id, token_range)

    def sentences(self, doc_id: int, token_range: range) -> Iterator[tuple[int, list[int]]]:
        """Yield (sentence number, token IDs) for the subject of an entry and for each of its sentences.

        The number of the subject is `SUBJECT_NUMBER`. Sentences outside the range are skipped, as in
        `phrasings`.
        """
        return _iter_token_lists(self._sentences, doc_id, token_range)

    def find_by_name_tokens(self, tokens: Iterable[str]) -> set[int]:
        """Return the document IDs of the entries with a name that contains all these tokens."""
        rows = [self._names.get(token).cast("I") for token in tokens]
        shortest, *others = sorted(rows, key=len)
        return {
            name_id // MAX_NAMES_PER_ENTRY
            for name_id in shortest
            if all(is_in_sorted(row, name_id) for row in others)
        }

    def find_by_question(self, question: str) -> list[int]:
        """Return the document IDs of the entries with a direct answer to exactly this question."""
        return list(self._questions.get(question).cast("I"))

    def find_names_sharing_bigrams(self, text: str) -> list[str]:
        """Return the keys that share the most bigrams with a string: candidates for its correct spelling."""
        bit_sets = [self._get_key_bits(bigram) for bigram in bigrams(text)]
        return list(map(self.keys.name, find_most_frequent_bits(bit_sets, _MAX_SPELLING_CANDIDATES)))

    def find_closest_names(self, text: str, max_distance: float) -> list[tuple[float, str]]:
        """Return (edit distance, key) for the keys with a similar spelling, the closest first."""
        from randomizer.text.spelling import closest  # Needed only for misspelt queries.

        return closest(text, self.find_names_sharing_bigrams(text), max_distance)

    @lru_cache(500)  # noqa: B019  # See above.
    def _get_key_bits(self, bigram: str) -> int:
        """Return the positions of the keys that contain a bigram, as a bit set."""
        row = self._bigrams.get(bigram)
        return int.from_bytes(decompress(row), "little") if row else 0

    # ── Reading the file ──

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(self._start + start)
        return self._file.read(end - start)

    @cached_property
    def keys(self) -> "PackedTable":
        """The table that maps each key to its targets."""
        return self._read_table("keys")

    @cached_property
    def _bigrams(self) -> "PackedTable":
        return self._read_table("bigrams")

    @cached_property
    def _tokens(self) -> "PackedTable":
        return self._read_table("tokens")

    @cached_property
    def _names(self) -> "PackedTable":
        return self._read_table("names")

    @cached_property
    def _questions(self) -> "PackedTable":
        return self._read_table("questions")

    @cached_property
    def _terms(self) -> "PackedTable":
        return self._read_table("terms")

    def _read_table(self, section: str) -> "PackedTable":
        return PackedTable(self._read(*self._sections[section]))

    @cached_property
    def _phrasings(self) -> _TokenLists:
        return self._read_token_lists("phrasings")

    @cached_property
    def _sentences(self) -> _TokenLists:
        return self._read_token_lists("sentences")

    def _read_token_lists(self, section: str) -> _TokenLists:
        packed, offsets_size = memoryview(self._read(*self._sections[section])), 4 * (self.entry_count + 1)
        return packed[:offsets_size].cast("I"), packed[offsets_size:].cast("H")


class PackedTable:
    """A table that maps sorted names to rows of bytes, in the format that `index_builder.pack_table` writes.

    The names are stored in pages. The first name of each page is read immediately, the others on first use.

    Args:
        packed: the packed table.
    """

    def __init__(self, packed: bytes) -> None:
        start = packed.index(b"\n") + 1
        header = loads(packed[:start])
        self._count: int = header["count"]
        self._first_names: Sequence[str] = header["firsts"]
        self._page_offsets: Sequence[int] = header["pages"]
        self._pages: dict[int, list[str]] = {}
        self._packed = memoryview(packed)[start:]
        after_names = self._packed[self._page_offsets[-1] :]
        offsets_size = 4 * (self._count + 1)
        self._row_offsets, self._rows = after_names[:offsets_size].cast("I"), after_names[offsets_size:]

    def name(self, position: int) -> str:
        """Return the name at a position in alphabetical order."""
        return self._page(position // PAGE_SIZE)[position % PAGE_SIZE]

    def row(self, position: int) -> memoryview:
        """Return the row of the name at a position."""
        return self._rows[self._row_offsets[position] : self._row_offsets[position + 1]]

    def get(self, name: str) -> memoryview:
        """Return the row of a name; empty if the table does not contain the name."""
        position = self.find(name)
        return self._rows[:0] if position is None else self.row(position)

    def __contains__(self, name: str) -> bool:
        return self.find_next_name(name) == name

    def find(self, name: str) -> int | None:
        """Return the position of a name, or None if the table does not contain it."""
        position = self._bisect(name)
        return position if position < self._count and self.name(position) == name else None

    def find_next_name(self, name: str) -> str:
        """Return the first name that is equal to or greater than this one; empty if there is none."""
        position = self._bisect(name)
        return self.name(position) if position < self._count else ""

    def find_prefix_range(self, prefix: str) -> range:
        """Return the positions of the names with a prefix."""
        last_code_point = "\U0010ffff"
        return range(self._bisect(prefix), self._bisect(prefix + last_code_point))

    def _bisect(self, name: str) -> int:
        """Return the position of the first name that is equal to or greater than this one."""
        page = bisect_right(self._first_names, name) - 1
        return page * PAGE_SIZE + bisect_left(self._page(page), name) if page >= 0 else 0

    def _page(self, page: int) -> list[str]:
        if page not in self._pages:
            names = self._packed[self._page_offsets[page] : self._page_offsets[page + 1]]
            self._pages[page] = str(names, "utf-8").split("\n")
        return self._pages[page]


def _iter_token_lists(
    token_lists: _TokenLists, doc_id: int, token_range: range
) -> Iterator[tuple[int, list[int]]]:
    """Yield (label, token IDs) for each token list of an entry, except those entirely outside the range."""
    offsets, all_lists = token_lists
    first, stop = token_range.start, token_range.stop
    lists, start = all_lists[offsets[doc_id] : offsets[doc_id + 1]].tolist(), 0
    while start < len(lists):
        end = start + 2 + lists[start]
        if lists[start] and lists[end - 1] >= first and lists[start + 2] < stop:
            yield lists[start + 1], lists[start + 2 : end]
        start = end


def is_in_sorted(numbers: Sequence[int], number: int) -> bool:
    """Check whether a number is in a sorted sequence."""
    position = bisect_left(numbers, number)
    return position < len(numbers) and numbers[position] == number


def find_most_frequent_bits(bit_sets: Sequence[int], max_count: int) -> list[int]:
    """Return the positions of the bits that are set in the most bit sets, the most frequent bits first."""
    more_than: list[int] = []  # more_than[n] has the bits that are set in more than n bit sets.
    for bits in bit_sets:
        carry = bits
        for count, level in enumerate(more_than):
            more_than[count], carry = level | carry, level & carry
        if carry:
            more_than.append(carry)
    positions: list[int] = []
    used_bits = 0
    for level, bits in product(reversed(more_than), bit_sets):
        if new := level & bits & ~used_bits:
            positions += islice(_iter_bit_positions(new), max_count - len(positions))
            used_bits |= new
        if len(positions) == max_count:
            break
    return positions


def _iter_bit_positions(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
