"""Makes the index that look-ups use, as `index` reads it. Runs only when a rulebook has changed.

The index is a line of JSON that tells where everything is, and then

- the entries in the order of the books, each an array of its fields, but for what they are asked;
- `conditions`: what each asks of a table, an array;
- `phrasings`: for each entry where what it is called and asked begins and ends, in numbers of four bytes;
  and, in numbers of two (there are some 28,000 tokens), of each of these how many it has, how much they say
  in tenths, without what is cut from every question, and which they are, in order;
- `sentences`: in the same way what it is about (its titles and cards), then the sentences of its texts, each
  with its number in place of the tenths;

and as packed rows (`index.Rows`)

- `keys`: everything that an entry or card is called, folded, with what it leads to: `i12` the id of entry 12,
  `t12` its title, `a12` an alias or reading, `c12` a card that it concerns, `k` and a name that card;
- `letters`: every two neighbouring letters of the keys, with a bit for each key that has them, deflated;
- `tokens`: every token, with the numbers of the entries that have it, of two bytes each, then the points that
  it gives to each by Okapi's BM25, and at last how much it tells that an entry has it;
- `names`: every token of the entries' names, with the names that have it: a name's number is that of its
  entry times `NAMES_EACH`, and its place among them.
"""

import json
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import log
from zlib import compress

from randomizer.cards.game import Game
from randomizer.cards.model import Card, Named
from randomizer.rules.applying import Conditions
from randomizer.rules.entry import (
    MAX_NAMES_PER_ENTRY,
    PAGE_SIZE,
    SUBJECT,
    Entry,
    QueryLexicon,
    split_sentences,
)
from randomizer.rules.rulefile import Rulebooks
from randomizer.text.folding import bigrams, fold, is_spaced, tokenize
from randomizer.text.language import ENGLISH

_TITLE, _ALIAS, _CARD, _ASKED, _TEXT = 4, 2, 2, 1, 1  # how often a token counts, by where it stands
_SATURATION = 2  # BM25's k: how soon a token that stands there more often says no more
_LENGTH = 0.3  # BM25's b: how much less a token says in a long text
_COMMON = 0.5  # what a word counts that questions are full of
_KANJI = 1.5  # what a kanji counts, against two neighbouring letters
_LEARNT = 0.5  # how much it counts whether what is asked with a token is answered by entries that have it
_MOSTLY = 0.6  # how often that is so for most tokens ...
_SURELY = 10  # ... and how many questions it takes to tell that of one it is not
_LEAST = 0.05  # what part of its worth is left to a token of which that is never so

_NOTE = re.compile(r" ?[(（][^()（）]*[)）]$")  # what a title says of itself at its end
_PLURALS = {"ch": "che", "sh": "she", "ss": "sse", "x": "xe", "y": "ie", "f": "ve"}  # without the s

_folded = lru_cache(100_000)(fold)  # what entries are asked, for several tables

Called = Mapping[str, Iterable[str]]  # by a card's English name, all its names
Rows = Mapping[str, bytes]  # by name


def build_index(books: Rulebooks, games: Sequence[Game], translated: Iterable[Mapping[str, Named]]) -> bytes:
    """The index of the rulebooks.

    Args:
        books: as `rulefile.read_books` returns them.
        games: the games whose cards they concern; those of the default game, the first, can be looked up.
        translated: for each language besides English, what its cards are called.
    """
    called = _called(games, translated)
    numbers = {(entry.game, entry.id): number for number, entry in enumerate(books.entries)}
    entries = [
        entry._replace(related_doc_ids=[numbers[entry.game, see] for see in entry.see])
        for entry in books.entries
    ]
    keys = _key_rows(entries, called, games[0].cards, books.lexicon)
    says = _token_rows(entries, called, books.lexicon)
    tables = {
        "keys": keys,
        "letters": _letter_rows(sorted(keys)),
        "tokens": says,
        "names": _name_rows(entries, books.lexicon),
    }
    places = {token: place for place, token in enumerate(sorted(says))}
    compared = {
        "phrasings": _phrasings(entries, books.lexicon, says, places),
        "sentences": _sentences(entries, called, books.lexicon, places),
    }
    _folded.cache_clear()
    of_cards = [number for number, entry in enumerate(entries) if entry.title.get(ENGLISH) in games[0].cards]
    return _packed(books._replace(entries=entries), compared, tables, of_cards)


def _called(games: Iterable[Game], translated: Iterable[Mapping[str, Named]]) -> Called:
    """Every name of every card, in all languages."""
    called = {card.name: {card.name, *card.also} for game in games for card in game.cards.values()}
    for language in translated:
        for card, (name, reading, also) in language.items():
            called[card] |= {name, reading, *also} - {""}
    return called


def _aliases(entry: Entry) -> Sequence[str]:
    """What else an entry is called besides its title."""
    return [entry.reading, entry.id.replace("-", " "), *entry.aliases]


def _about(entry: Entry, called: Called) -> Sequence[str]:
    """What an entry is about: its titles, and the cards that it concerns, by all their names."""
    return [*entry.title.values(), *(name for card in entry.cards for name in called[card])]


def _asked(entry: Entry) -> list[str]:
    """The questions that an entry answers, in all languages."""
    return [question for several in entry.sample_questions.values() for question in several]


# ── The tables, as rows by name ──


def _key_rows(
    entries: Iterable[Entry], called: Called, cards: Mapping[str, Card], speech: QueryLexicon
) -> Rows:
    keys: dict[str, set[str]] = defaultdict(set)
    for number, entry in enumerate(entries):
        keys[fold(entry.id.replace("-", " "))].add(f"i{number}")
        for title in entry.title.values():
            for name in (title, _NOTE.sub("", title)):
                keys[fold(name)].add(f"t{number}")
        for alias in (entry.reading, *entry.aliases):
            keys[fold(alias)].add(f"a{number}")
        for concerned in entry.cards:
            for name in called[concerned]:
                keys[fold(name)].add(f"c{number}")
    for card in cards.values():
        for name in called[card.name]:
            for key in {fold(name), _plural(fold(name))}:
                keys[key].add(f"k{card.name}")
            for key in _with_kind(name, card, speech):
                keys[key] |= keys[fold(name)]
    keys.pop("", None)
    return {key: "\t".join(sorted(targets, key=_rank)).encode() for key, targets in keys.items()}


def _with_kind(name: str, card: Card, speech: QueryLexicon) -> Iterator[str]:
    """A name that is also an ordinary word, beside a word for the card's kind: then the card is meant."""
    types = set(map(fold, card.types)) if fold(name) in speech.ambiguous_names else set()
    for same in speech.card_kind_words:
        if not types.isdisjoint(same):
            yield from (fold(beside) for word in same for beside in (f"{name} {word}", f"{word} {name}"))


def _plural(folded: str) -> str:
    """The name as folding leaves its English plural: `witche`."""
    for ending, plural in _PLURALS.items():
        if folded.endswith(ending) and folded.isascii():
            return folded.removesuffix(ending) + plural
    return folded


def _rank(target: str) -> tuple[int, int | str]:
    """Ids before titles before aliases before cards that are concerned before cards themselves."""
    return "itack".index(target[0]), int(target[1:]) if target[1:].isdigit() else target


def _letter_rows(keys: Sequence[str]) -> Rows:
    having: dict[str, bytearray] = defaultdict(lambda: bytearray(len(keys) // 8 + 1))
    for place, key in enumerate(keys):
        for pair in bigrams(key):
            having[pair][place // 8] |= 1 << place % 8
    return {pair: compress(bits) for pair, bits in having.items()}


def _token_rows(entries: Sequence[Entry], called: Called, speech: QueryLexicon) -> Rows:
    lengths = [sum(map(len, entry.text.values())) for entry in entries]
    mean = sum(lengths) / max(len(lengths), 1)
    counts = [_counted(entry, called, speech) for entry in entries]
    having: dict[str, list[tuple[int, int]]] = defaultdict(list)  # numbers, and what it says in hundredths
    for number, count in enumerate(counts):
        room = _SATURATION * (1 - _LENGTH + _LENGTH * lengths[number] / mean)
        for token, often in count.items():
            having[token].append((number, round(100 * often * (_SATURATION + 1) / (often + room))))
    learnt = _learnt(entries, counts, speech)
    rows = {}
    for token, found in having.items():
        numbers, says = zip(*found, strict=True)
        rare = _rarity(token, len(found), len(entries), speech)
        each = max(rare + _LEARNT * learnt.get(token, 0), rare * _LEAST)
        points = array("f", [*(each * much / 100 for much in says), each])
        rows[token] = array("H", numbers).tobytes() + points.tobytes()
    return rows


def _rarity(token: str, having: int, count: int, speech: QueryLexicon) -> float:
    """How much it tells that an entry has the token, by how many of all the entries have it."""
    rare = log(1 + (count - having + 0.5) / (having + 0.5))
    if token in speech.stop_words.stems:
        return rare * _COMMON
    return rare * _KANJI if len(token) == 1 and not is_spaced(token) else rare


def _learnt(
    entries: Iterable[Entry], counts: Iterable[Counter[str]], speech: QueryLexicon
) -> Mapping[str, float]:
    """How much more or less than most a token of questions tells, by what the entries are asked.

    Of a word that says what a question is about, the entry that answers it has it elsewhere too; of one that
    people just use, it mostly does not. It counts as in the weights of Robertson and Spärck Jones, by the
    logarithm of the odds.
    """
    asked: Counter[str] = Counter()
    again: Counter[str] = Counter()
    for entry, count in zip(entries, counts, strict=True):
        for question in _asked(entry):
            said = Counter(_said(entry, question, speech))
            asked.update(said.keys())
            again.update(token for token, often in said.items() if count[token] > often * _ASKED)
    shares = {token: (again[token] + _MOSTLY * _SURELY) / (many + _SURELY) for token, many in asked.items()}
    return {token: log(share / (1 - share)) - log(_MOSTLY / (1 - _MOSTLY)) for token, share in shares.items()}


def _counted(entry: Entry, called: Called, speech: QueryLexicon) -> Counter[str]:
    """How often each token stands in the entry, each time as often as its place counts."""
    cards = [name for card in entry.cards for name in called[card]]
    texts = [*entry.text.values(), *(text for older in entry.older for text in older.text.values())]
    asked = [speech.stop_words.remove_phrases(_folded(question)) for question in _asked(entry)]
    places = (
        (_TITLE, entry.title.values()),
        (_ALIAS, _aliases(entry)),
        (_CARD, cards),
        (_ASKED, asked),
        (_TEXT, texts),
    )
    count: Counter[str] = Counter()
    for times, several in places:
        for text in several:
            for token in tokenize(speech.replace_synonyms(entry.game, fold(text))):
                count[token] += times
    return count


def _name_rows(entries: Iterable[Entry], speech: QueryLexicon) -> Rows:
    having: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        for place, name in enumerate((*entry.title.values(), entry.reading, *entry.aliases)):
            for token in dict.fromkeys(tokenize(speech.replace_synonyms(entry.game, fold(name)))):
                having[token].append(number * MAX_NAMES_PER_ENTRY + place)
    return {token: array("I", numbers).tobytes() for token, numbers in having.items()}


def _said(entry: Entry, phrasing: str, speech: QueryLexicon) -> list[str]:
    """The tokens of what an entry is called or asked, without the words that every question has."""
    return tokenize(speech.replace_synonyms(entry.game, speech.stop_words.remove_phrases(_folded(phrasing))))


def _phrasings(
    entries: Iterable[Entry], speech: QueryLexicon, says: Rows, places: Mapping[str, int]
) -> bytes:
    """What each entry is called and asked, as numbers."""
    worths = {token: array("f", row[-4:])[0] for token, row in says.items()}

    def each(entry: Entry) -> Iterator[tuple[int, Iterable[str]]]:
        for phrasing in (*entry.title.values(), *_aliases(entry), *_asked(entry)):
            said = [token for token in dict.fromkeys(_said(entry, phrasing, speech)) if token in places]
            whole = tokenize(speech.replace_synonyms(entry.game, _folded(phrasing)))
            yield round(10 * sum(worths[token] for token in said)), (*said, *whole)

    return _numbered(map(each, entries), places)


def _sentences(
    entries: Iterable[Entry], called: Called, speech: QueryLexicon, places: Mapping[str, int]
) -> bytes:
    """The sentences of each entry, as numbers."""

    def said(entry: Entry, text: str) -> list[str]:
        return tokenize(speech.replace_synonyms(entry.game, fold(text)))

    def each(entry: Entry) -> Iterator[tuple[int, Iterable[str]]]:
        yield SUBJECT, [word for name in _about(entry, called) for word in said(entry, name)]
        texts = (says for text in entry.text.values() for *_, says in split_sentences(text))
        for number, says in enumerate(texts, SUBJECT + 1):
            yield number, said(entry, says)

    return _numbered(map(each, entries), places)


def _numbered(entries: Iterable[Iterable[tuple[int, Iterable[str]]]], places: Mapping[str, int]) -> bytes:
    """For each entry several numbers and tokens, as numbers; what `index` reads with `_several`."""
    ends, numbers = array("I", [0]), array("H")
    for each in entries:
        for number, said in each:
            known = sorted({places[token] for token in said if token in places})
            numbers.extend((len(known), number, *known))
        ends.append(len(numbers))
    return ends.tobytes() + numbers.tobytes()


# ── All of it ──


def _pair_of(asks: Conditions) -> Sequence[str]:
    """Of an entry on cards that meet on a table those that meet the others: the first it asks for."""
    cards = [[card for one in alternatives for card in one.card] for alternatives in asks]
    return cards[0] if sum(map(bool, cards)) > 1 else ()


def _packed(books: Rulebooks, compared: Rows, tables: Mapping[str, Rows], of_cards: list[int]) -> bytes:
    entries = [_json(entry._replace(sample_questions={})) for entry in books.entries]
    sections = {
        "conditions": _json(books.conditions),
        **compared,
        **{name: pack_table(rows) for name, rows in tables.items()},
    }
    ends = list(accumulate(map(len, [*entries, *sections.values()]), initial=0))
    of = {game: [n for n, entry in enumerate(books.entries) if entry.game == game] for game in books.titles}
    of_types: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(books.entries):
        for type_ in entry.types:
            of_types[type_].append(number)
    head = {
        "titles": books.titles,
        "speech": books.lexicon,
        "of": {game: [found[0], found[-1] + 1] if found else [0, 0] for game, found in of.items()},
        "of_types": of_types,
        "on_cards": [number for number, entry in enumerate(books.entries) if entry.cards],
        "of_cards": of_cards,
        "pairs": [(number, pair) for number, asks in enumerate(books.conditions) if (pair := _pair_of(asks))],
        "entries": ends[: len(entries) + 1],
        "sections": dict(zip(sections, pairwise(ends[len(entries) :]), strict=True)),
    }
    return b"".join([_json(head), b"\n", *entries, *sections.values()])


def pack_table(rows: Rows) -> bytes:
    """The rows in bytes, as `index.Rows` reads them.

    It is a line of JSON that says how many there are, which name is the first on each page, and where the
    pages begin and the last one ends; the pages, of `PAGE` names in alphabetical order, a line each; where
    each row begins and the last one ends, in numbers of four bytes; and the rows.
    """
    ordered = dict(sorted(rows.items()))
    names = list(ordered)
    pages = [names[start : start + PAGE_SIZE] for start in range(0, len(names), PAGE_SIZE)]
    texts = ["\n".join(page).encode() for page in pages]
    head = {
        "count": len(names),
        "firsts": [page[0] for page in pages],
        "pages": list(accumulate(map(len, texts), initial=0)),
    }
    ends = array("I", accumulate(map(len, ordered.values()), initial=0))
    return b"".join([_json(head), b"\n", *texts, ends.tobytes(), *ordered.values()])


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
