"""Builds the search index that `index` reads. This module is needed only when a rulebook has changed.

The index begins with a line of JSON, which contains the offsets of all other parts:

- the entries in the order of the books, each as a JSON array of its fields, without sample questions;
- `conditions`: the conditions of all entries, as a JSON array;
- `phrasings`: token lists of each entry's titles, aliases and sample questions, each labelled with
  the sum of its tokens' weights, in tenths;
- `sentences`: token lists of each entry's subject and sentences, each labelled with the sentence number;
- `keys`: a table that maps every name of an entry or card to its targets, separated by tabs: `i12` means that
  the name is the id of entry 12, `t12` its title, `a12` an alias or reading, `c12` the name of a card that
  the entry concerns; `kWitch` means that the name belongs to the card Witch;
- `bigrams`: a table that maps every bigram in the keys to a bit set of the keys that contain it, compressed
  by zlib;
- `tokens`: a table that maps every token to its postings list: document IDs (2 bytes each), their scores,
  and at the end the token's weight (4-byte floats);
- `questions`: a table that maps every question with a direct answer to the document ID of the entry to which
  the answer belongs (4 bytes);
- `terms`: a table that maps every name of a card or type and every word for a concept, in any language and
  normalized by `normalize_key`, to its meanings, as a JSON array of the fields of each `Meaning`;
- `names`: a table that maps every token in the entries' names to the IDs of the names that contain it (4
  bytes each). The ID of a name is the document ID times `MAX_NAMES_PER_ENTRY`, plus the position of the name
  among those of the entry.

Token lists are preceded by the offset of each entry's lists (4 bytes each). A list consists of the number of
its tokens, its label, and the token IDs in ascending order (2 bytes each, which is enough for the roughly
28,000 different tokens). `pack_table` describes the format of tables.

Only the languages of a book, those of its title, are ranked. If an entry has texts in other languages, its
titles in these are names like any other, but the index has no other words of them: there are too few such
entries, and their words would be taken for words of the book's languages.

Scores are computed by Okapi BM25 (https://en.wikipedia.org/wiki/Okapi_BM25). A token counts more in a title
than in a text.
"""

import json
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import log
from zlib import compress

from randomizer.cards.game import Game
from randomizer.cards.model import Card, Named
from randomizer.load.entryfile import Conditions
from randomizer.rules.entry import (
    MAX_NAMES_PER_ENTRY,
    PAGE_SIZE,
    SUBJECT_NUMBER,
    Entry,
    QueryLexicon,
    Texts,
)
from randomizer.rules.index import (
    ALIAS_ROLE,
    CARD_ROLE,
    CARD_TERM_ROLES,
    CONCEPT_ROLE,
    ID_ROLE,
    TITLE_ROLE,
    Meaning,
)
from randomizer.rules.rulefile import Rulebooks
from randomizer.rules.sentences import split_sentences
from randomizer.text.folding import bigrams, fold, is_spaced, normalize_key, tokenize
from randomizer.text.json import dumps_compact
from randomizer.text.language import ENGLISH, Language
from randomizer.text.slugs import remove_accents

# How many times an occurrence of a token is counted, by the field in which it occurs.
_TITLE_WEIGHT, _ALIAS_WEIGHT, _CARD_WEIGHT, _QUESTION_WEIGHT, _TEXT_WEIGHT = 4, 2, 2, 1, 1
_K1 = 2  # BM25: the higher, the more the repetitions of a token count
_B = 0.3  # BM25: the influence of the length of a text, from 0 to 1
_STOP_WORD_FACTOR = 0.5  # factor for the weights of stop words
_KANJI_FACTOR = 1.5  # factor for the weights of single kanji, which are more significant than bigrams
_RELEVANCE_FACTOR = 0.5  # factor for the relevance weights, which are learned from sample questions
_PRIOR_SHARE = 0.6  # expected share of relevant occurrences (see `_learn_relevance_weights`)
_PRIOR_COUNT = 10  # the weight of this expectation, as a number of sample questions
_MIN_WEIGHT_SHARE = 0.05  # minimum fraction of a token's IDF weight after adding its relevance weight

_CARD_NAME_ROLE = "k"  # the role of a key that is the name of a card
# In the order in which targets are listed.
_ROLES = (ID_ROLE, TITLE_ROLE, ALIAS_ROLE, CARD_ROLE, _CARD_NAME_ROLE)
_QUALIFIER = re.compile(r" ?[(（][^()（）]*[)）]$")  # the part in brackets at the end of a title
_PLURALS = {"ch": "che", "sh": "she", "ss": "sse", "x": "xe", "y": "ie", "f": "ve"}  # without the final s
_FOLD_CACHE_SIZE = 100_000  # strings; more than there are sample questions

NamesByCard = Mapping[str, Iterable[str]]  # all names of each card, by its English name
Rows = Mapping[str, bytes]  # the rows of a table, by name
LabelledTokens = tuple[int, Iterable[str]]  # (label, tokens)


def build_index(
    books: Rulebooks,
    games: Sequence[Game],
    translations: Collection[Mapping[str, Named]],
    terms: Rows | None = None,
) -> bytes:
    """Build the index of the rulebooks.

    Args:
        books: the contents of the rulebooks' files.
        games: the games whose cards the entries concern, the default game first. Cards of the default game
            can be looked up even if no entry concerns them.
        translations: the translated names of the cards, for each language of the rulebooks except English.
        terms: the table `terms`, which `build_terms` builds; by default, it is empty.
    """
    card_names = _collect_card_names(games, translations)
    doc_ids = {(entry.game, entry.id): doc_id for doc_id, entry in enumerate(books.entries)}
    entries = [
        entry._replace(
            related_doc_ids=[doc_ids[entry.game, id_] for id_ in entry.see],
            # The languages of the book come first, so that sentence numbers count only their sentences.
            text={**_select_languages(entry.text, books.titles[entry.game]), **entry.text},
        )
        for entry in books.entries
    ]
    builder = _TableBuilder(entries, card_names, books.lexicon, books.titles)
    keys = builder.build_keys(games[0].cards)
    postings = builder.build_postings()
    token_ids = {token: token_id for token_id, token in enumerate(sorted(postings))}
    token_lists = {
        "phrasings": builder.build_phrasings(postings, token_ids),
        "sentences": builder.build_sentences(token_ids),
    }
    tables = {
        "keys": keys,
        "bigrams": _build_bigrams(sorted(keys)),
        "tokens": postings,
        "names": builder.build_names(),
        "questions": builder.build_questions(),
        "terms": terms or {},
    }
    return _pack_index(books._replace(entries=entries), token_lists, tables, games[0].cards)


def build_terms(
    cards: Iterable[Card], names_by_code: Mapping[str, Mapping[str, Named]], languages: Iterable[Language]
) -> Rows:
    """Build the table `terms`: the meanings of names and words in all languages, in JSON.

    Args:
        cards: the cards, which have the English names.
        names_by_code: the names of the cards in the other languages, by language code.
        languages: the languages, for the names of types and the words for concepts.
    """
    terms: dict[str, dict[Meaning, None]] = defaultdict(dict)

    def add(word: str, code: str, role: str, english: str) -> None:
        key = normalize_key(word)
        for spelling in dict.fromkeys((key, remove_accents(key))):
            terms[spelling][Meaning(code, role, english, spelling != key)] = None

    english_names = {card.name: Named(card.name, "", card.also) for card in cards}
    for code, names in {**names_by_code, ENGLISH: english_names}.items():
        for card, (name, reading, other_names) in names.items():
            for role, words in zip(CARD_TERM_ROLES, ([name], [reading], other_names), strict=True):
                for word in words:
                    add(word, code, role, card)
    for language in languages:
        types = ((name, type_) for type_, name in language.types.items())
        for word, english in (*types, *language.concepts.items()):
            add(word, language.code, CONCEPT_ROLE, english)
    terms.pop("", None)
    return {key: dumps_compact(list(meanings)).encode() for key, meanings in terms.items()}


def _collect_card_names(games: Iterable[Game], translations: Collection[Mapping[str, Named]]) -> NamesByCard:
    """Return the names of every card in all languages, including their readings."""
    names = {card.name: {card.name, *card.also} for game in games for card in game.cards.values()}
    for translation in translations:
        for card, (name, reading, other_names) in translation.items():
            names[card] |= {name, reading, *other_names} - {""}
    return names


def _select_languages(texts: Texts, codes: Collection[str]) -> Texts:
    return {code: text for code, text in texts.items() if code in codes}


def _list_aliases(entry: Entry) -> Sequence[str]:
    return [entry.reading, entry.id.replace("-", " "), *entry.aliases]


def _list_questions(entry: Entry) -> list[str]:
    """Return the sample questions of an entry, and those of its direct answers, in all languages."""
    by_language = [entry.sample_questions, *(answer.asks for answer in entry.answers)]
    return [question for each in by_language for questions in each.values() for question in questions]


class _TableBuilder:
    """A builder of the tables and token lists of the index.

    Args:
        entries: all entries; the position of an entry is its document ID.
        card_names: all names of each card.
        lexicon: the vocabulary of queries.
        book_titles: the title of each game's book, by language. Only texts in its languages are ranked.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        card_names: NamesByCard,
        lexicon: QueryLexicon,
        book_titles: Mapping[str, Texts],
    ) -> None:
        self._entries = entries
        self._ranked_entries = [
            entry._replace(
                title=_select_languages(entry.title, book_titles[entry.game]),
                text=_select_languages(entry.text, book_titles[entry.game]),
                older=[
                    older._replace(text=_select_languages(older.text, book_titles[entry.game]))
                    for older in entry.older
                ],
            )
            for entry in entries
        ]
        self._card_names = card_names
        self._lexicon = lexicon
        self._fold = lru_cache(_FOLD_CACHE_SIZE)(fold)  # Each sample question is folded for several tables.

    # ── Names ──

    def build_keys(self, cards: Mapping[str, Card]) -> Rows:
        """Build the table `keys`, which maps each name to the entries and cards that have it.

        Args:
            cards: the cards that can be looked up even if no entry concerns them.
        """
        keys: dict[str, set[str]] = defaultdict(set)
        for doc_id, entry in enumerate(self._entries):
            keys[fold(entry.id.replace("-", " "))].add(f"{ID_ROLE}{doc_id}")
            for title in entry.title.values():
                for name in (title, _QUALIFIER.sub("", title)):
                    keys[fold(name)].add(f"{TITLE_ROLE}{doc_id}")
            for alias in (entry.reading, *entry.aliases):
                keys[fold(alias)].add(f"{ALIAS_ROLE}{doc_id}")
            for name in self._list_card_names(entry):
                keys[fold(name)].add(f"{CARD_ROLE}{doc_id}")
        for card in cards.values():
            for name in self._card_names[card.name]:
                for key in {fold(name), _pluralize(fold(name))}:
                    keys[key].add(f"{_CARD_NAME_ROLE}{card.name}")
                for key in self._iter_names_with_kind(name, card):
                    keys[key] |= keys[fold(name)]
        keys.pop("", None)
        return {
            key: "\t".join(sorted(targets, key=_get_target_order)).encode() for key, targets in keys.items()
        }

    def _list_card_names(self, entry: Entry) -> list[str]:
        """Return all names of the cards that an entry concerns."""
        return [name for card in entry.cards for name in self._card_names[card]]

    def _iter_names_with_kind(self, name: str, card: Card) -> Iterator[str]:
        """Yield combinations of an ambiguous name with words for the kind of card, such as `delay event`."""
        types = set(map(fold, card.types)) if fold(name) in self._lexicon.ambiguous_names else set()
        for translations in self._lexicon.card_kind_words:
            if not types.isdisjoint(translations):
                for word in translations:
                    yield from (fold(f"{name} {word}"), fold(f"{word} {name}"))

    def build_names(self) -> Rows:
        """Build the table `names`."""
        name_ids: dict[str, list[int]] = defaultdict(list)
        for doc_id, entry in enumerate(self._entries):
            for position, name in enumerate((*entry.title.values(), entry.reading, *entry.aliases)):
                for token in dict.fromkeys(self._tokenize(entry, fold(name))):
                    name_ids[token].append(doc_id * MAX_NAMES_PER_ENTRY + position)
        return {token: array("I", ids).tobytes() for token, ids in name_ids.items()}

    def build_questions(self) -> Rows:
        """Build the table `questions`."""
        return {
            fold(question): array("I", [doc_id]).tobytes()
            for doc_id, entry in enumerate(self._entries)
            for answer in entry.answers
            for questions in answer.asks.values()
            for question in questions
        }

    # ── Tokens ──

    def _tokenize(self, entry: Entry, folded: str) -> list[str]:
        return tokenize(self._lexicon.replace_synonyms(entry.game, folded))

    def _tokenize_phrasing(self, entry: Entry, phrasing: str) -> list[str]:
        """Return the tokens of a title, alias or question, without stop phrases."""
        return self._tokenize(entry, self._lexicon.stop_words.remove_phrases(self._fold(phrasing)))

    def build_postings(self) -> Rows:
        """Build the table `tokens`."""
        lengths = [sum(map(len, entry.text.values())) for entry in self._ranked_entries]
        mean_length = sum(lengths) / max(len(lengths), 1)
        token_counts_by_entry = [self._count_tokens(entry) for entry in self._ranked_entries]
        # By token: (document ID, saturated count in %) for each entry.
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for doc_id, token_counts in enumerate(token_counts_by_entry):
            saturation_constant = _K1 * (1 - _B + _B * lengths[doc_id] / mean_length)
            for token, count in token_counts.items():
                postings[token].append(
                    (doc_id, round(100 * count * (_K1 + 1) / (count + saturation_constant)))
                )
        relevance_weights = self._learn_relevance_weights(token_counts_by_entry)
        rows = {}
        for token, posting_list in postings.items():
            doc_ids, percents = zip(*posting_list, strict=True)
            idf = self._compute_idf(token, len(posting_list))
            weight = max(idf + _RELEVANCE_FACTOR * relevance_weights.get(token, 0), idf * _MIN_WEIGHT_SHARE)
            scores = array("f", [*(weight * percent / 100 for percent in percents), weight])
            rows[token] = array("H", doc_ids).tobytes() + scores.tobytes()
        return rows

    def _count_tokens(self, entry: Entry) -> Counter[str]:
        """Count the tokens of an entry, with each occurrence weighted by its field."""
        texts = [
            *entry.text.values(),
            *(text for older in entry.older for text in older.text.values()),
        ]
        questions = [
            self._lexicon.stop_words.remove_phrases(self._fold(question))
            for question in _list_questions(entry)
        ]
        fields = (
            (_TITLE_WEIGHT, entry.title.values()),
            (_ALIAS_WEIGHT, _list_aliases(entry)),
            (_CARD_WEIGHT, self._list_card_names(entry)),
            (_QUESTION_WEIGHT, questions),
            (_TEXT_WEIGHT, texts),
        )
        counts: Counter[str] = Counter()
        for weight, field in fields:
            for text in field:
                for token in self._tokenize(entry, fold(text)):
                    counts[token] += weight
        return counts

    def _compute_idf(self, token: str, doc_count: int) -> float:
        """Return the inverse document frequency of a token, adjusted if it is a stop word or a single kanji.

        Args:
            token: the token.
            doc_count: the number of entries that contain the token.
        """
        idf = log(1 + (len(self._entries) - doc_count + 0.5) / (doc_count + 0.5))
        if token in self._lexicon.stop_words.stems:
            return idf * _STOP_WORD_FACTOR
        return idf * _KANJI_FACTOR if len(token) == 1 and not is_spaced(token) else idf

    def _learn_relevance_weights(self, token_counts_by_entry: Iterable[Counter[str]]) -> Mapping[str, float]:
        """Return a relevance weight for each token in the sample questions.

        A token in a sample question is relevant if the entry also contains it elsewhere; words that merely
        reflect how people ask are not. The weight of a token is the log odds of the share of its questions
        in which it is relevant, minus the log odds of the expected share, similar to the weights of
        Robertson and Spärck Jones.

        Args:
            token_counts_by_entry: the weighted token counts of each entry, including its sample questions.
        """
        question_counts: Counter[str] = Counter()
        relevant_counts: Counter[str] = Counter()
        for entry, token_counts in zip(self._ranked_entries, token_counts_by_entry, strict=True):
            for question in _list_questions(entry):
                tokens = Counter(self._tokenize_phrasing(entry, question))
                question_counts.update(tokens.keys())
                relevant_counts.update(
                    token for token, count in tokens.items() if token_counts[token] > count * _QUESTION_WEIGHT
                )
        shares = {
            token: (relevant_counts[token] + _PRIOR_SHARE * _PRIOR_COUNT) / (count + _PRIOR_COUNT)
            for token, count in question_counts.items()
        }
        prior_log_odds = log(_PRIOR_SHARE / (1 - _PRIOR_SHARE))
        return {token: log(share / (1 - share)) - prior_log_odds for token, share in shares.items()}

    # ── Token lists ──

    def build_phrasings(self, postings: Rows, token_ids: Mapping[str, int]) -> bytes:
        """Build the token lists `phrasings`: of titles, aliases and sample questions."""
        weights = {token: array("f", row[-4:])[0] for token, row in postings.items()}

        def iter_phrasings(entry: Entry) -> Iterator[LabelledTokens]:
            for phrasing in (*entry.title.values(), *_list_aliases(entry), *_list_questions(entry)):
                tokens = dict.fromkeys(self._tokenize_phrasing(entry, phrasing))
                known_tokens = [token for token in tokens if token in token_ids]
                all_tokens = self._tokenize(entry, self._fold(phrasing))
                yield round(10 * sum(weights[token] for token in known_tokens)), (*known_tokens, *all_tokens)

        return _pack_token_lists(map(iter_phrasings, self._ranked_entries), token_ids)

    def build_sentences(self, token_ids: Mapping[str, int]) -> bytes:
        """Build the token lists `sentences`: of subjects and sentences."""

        def iter_sentences(entry: Entry) -> Iterator[LabelledTokens]:
            names = (*entry.title.values(), *self._list_card_names(entry))
            yield SUBJECT_NUMBER, [token for name in names for token in self._tokenize(entry, fold(name))]
            sentences = (sentence.text for text in entry.text.values() for sentence in split_sentences(text))
            for number, sentence in enumerate(sentences, SUBJECT_NUMBER + 1):
                yield number, self._tokenize(entry, fold(sentence))

        return _pack_token_lists(map(iter_sentences, self._ranked_entries), token_ids)


def _pluralize(folded: str) -> str:
    """Return the folded plural of a folded English name; for example, `witche` for "witches"."""
    for ending, plural in _PLURALS.items():
        if folded.endswith(ending) and folded.isascii():
            return folded.removesuffix(ending) + plural
    return folded


def _get_target_order(target: str) -> tuple[int, int | str]:
    """Return a sort key that orders targets by role, then by document ID or card name."""
    role, value = target[0], target[1:]
    return _ROLES.index(role), int(value) if value.isdigit() else value


def _build_bigrams(keys: Sequence[str]) -> Rows:
    bit_sets: dict[str, bytearray] = defaultdict(lambda: bytearray(len(keys) // 8 + 1))
    for position, key in enumerate(keys):
        for bigram in bigrams(key):
            bit_sets[bigram][position // 8] |= 1 << position % 8
    return {bigram: compress(bits) for bigram, bits in bit_sets.items()}


# ── Packing ──


def _pack_token_lists(entries: Iterable[Iterable[LabelledTokens]], token_ids: Mapping[str, int]) -> bytes:
    """Pack the labelled token lists of all entries. Tokens without an ID are omitted."""
    offsets, numbers = array("I", [0]), array("H")
    for token_lists in entries:
        for label, tokens in token_lists:
            ids = sorted({token_ids[token] for token in tokens if token in token_ids})
            numbers.extend((len(ids), label, *ids))
        offsets.append(len(numbers))
    return offsets.tobytes() + numbers.tobytes()


def _find_combining_cards(conditions: Conditions) -> Sequence[str]:
    """Return the cards in the first of an entry's conditions, if these combine cards with other cards."""
    cards = [[card for condition in alternatives for card in condition.card] for alternatives in conditions]
    return cards[0] if sum(map(bool, cards)) > 1 else ()


def _pack_index(
    books: Rulebooks, token_lists: Rows, tables: Mapping[str, Rows], default_cards: Mapping[str, Card]
) -> bytes:
    entries = [_to_json(entry._replace(sample_questions={})) for entry in books.entries]
    sections = {
        "conditions": _to_json(books.conditions),
        **token_lists,
        **{name: pack_table(rows) for name, rows in tables.items()},
    }
    offsets = list(accumulate(map(len, [*entries, *sections.values()]), initial=0))
    doc_ids: dict[str, list[int]] = {game: [] for game in books.titles}
    doc_ids_by_type: dict[str, list[int]] = defaultdict(list)
    for doc_id, entry in enumerate(books.entries):
        doc_ids[entry.game].append(doc_id)
        for type_ in entry.types:
            doc_ids_by_type[type_].append(doc_id)
    header = {
        "titles": books.titles,
        "lexicon": books.lexicon,
        "doc_id_ranges": {game: [ids[0], ids[-1] + 1] if ids else [0, 0] for game, ids in doc_ids.items()},
        "doc_ids_by_type": doc_ids_by_type,
        "direct_answer_doc_ids": [doc_id for doc_id, entry in enumerate(books.entries) if entry.answers],
        "chapter_titles": sorted(
            {
                fold(title)
                for entry in books.entries
                if entry.title.get(ENGLISH) in default_cards
                for title in entry.chapter.values()
            }
        ),
        "card_doc_ids": [doc_id for doc_id, entry in enumerate(books.entries) if entry.cards],
        "own_entry_doc_ids": [
            doc_id for doc_id, entry in enumerate(books.entries) if entry.title.get(ENGLISH) in default_cards
        ],
        "combining_cards": [
            (doc_id, cards)
            for doc_id, conditions in enumerate(books.conditions)
            if (cards := _find_combining_cards(conditions))
        ],
        "entries": offsets[: len(entries) + 1],
        "sections": dict(zip(sections, pairwise(offsets[len(entries) :]), strict=True)),
    }
    return b"".join([_to_json(header), b"\n", *entries, *sections.values()])


def pack_table(rows: Rows) -> bytes:
    """Pack a table of rows by name in the format that `index.PackedTable` reads.

    The format consists of a line of JSON with the number of names, the first name of each page, and the
    offsets of the pages; the pages, each with up to `PAGE_SIZE` names in alphabetical order, one per line;
    the offsets of the rows (4 bytes each); and the rows.
    """
    sorted_rows = dict(sorted(rows.items()))
    names = list(sorted_rows)
    pages = [names[start : start + PAGE_SIZE] for start in range(0, len(names), PAGE_SIZE)]
    encoded_pages = ["\n".join(page).encode() for page in pages]
    header = {
        "count": len(names),
        "firsts": [page[0] for page in pages],
        "pages": list(accumulate(map(len, encoded_pages), initial=0)),
    }
    offsets = array("I", accumulate(map(len, sorted_rows.values()), initial=0))
    return b"".join([_to_json(header), b"\n", *encoded_pages, offsets.tobytes(), *sorted_rows.values()])


def _to_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
