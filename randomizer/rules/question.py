"""Analyses a query: finds the names in it, the card it is about, spelling corrections, and unknown words."""

import re
from functools import cached_property
from itertools import chain
from typing import NamedTuple
from unicodedata import normalize

from randomizer.rules.index import Index
from randomizer.text.folding import (
    KATAKANA_RUN,
    find_katakana_runs,
    find_word_edges,
    fold,
    is_kana,
    is_spaced,
    is_unspaced_script,
    romaji_to_hiragana,
    to_katakana,
    tokenize,
)
from randomizer.text.language import ENGLISH

# Shorter words (in letters) are not corrected, because too many others are similar.
_MIN_CORRECTED_LENGTH = 4
_MIN_KATAKANA_LENGTH = 3  # the same for words in katakana
# The minimum length (in letters, without spaces) of a name whose spaces are corrected.
_MIN_JOINED_LENGTH = 6
# The maximum normalized edit distance (0-1) of a correction. A higher value corrects more words, but more of
# them wrongly.
_MAX_CORRECTION_DISTANCE = 0.4
# The same for a correction that changes the first letter, which people rarely mistype.
_MAX_FIRST_LETTER_DISTANCE = 0.2
# The same for a word of at least `_MIN_GUESSED_LENGTH` letters that resembles the name of a card.
_MAX_CARD_CORRECTION_DISTANCE = 0.34
_MIN_GUESSED_LENGTH = 7
_OF_PARTICLE = "の"  # as in 繁栄の借金, the name of a set and of one of its cards
# The maximum length of a name in a question, in words or Japanese letters. It limits the search time.
_MAX_NAME_LENGTH = 12
# Words of a question that are reported if they are unknown: English words, katakana words, and kanji that are
# not part of an inflected word. The pattern is compiled only when needed, which takes longer than a search.
_REPORTABLE_WORD = (
    "(?i)[a-z][a-z'’]{2,}|[ァ-ヺー]{3,}|[一-鿿々]{2,}(?=[のはがをにでともやへ]|[^ぁ-ゖ一-鿿々]|$)"
)


class NameMatch(NamedTuple):
    """A name of an entry or card that occurs in a question.

    Attributes:
        start: the position of its first letter.
        end: the position after its last letter.
        text: the folded name.
        card: the English name of the card with this name; empty if there is none.
        means_card: whether the name certainly means the card rather than an ordinary word such as "trade".
    """

    start: int
    end: int
    text: str
    card: str = ""
    means_card: bool = False


class Question:
    """An analysed query.

    Args:
        index: the search index.
        query: the query as it was typed.
        corrected: the folded query with its spelling corrected; by default, the query is used as it is.
        correction_count: the number of corrected words.

    Attributes:
        text: the folded query, with its spelling corrected if `corrected` is given.
        names: all names of entries and cards in the query, the longest first.
        cards: the names of cards in the query that are not part of a longer card name, from left to right.
        unknown_word_count: the number of corrected words and of katakana words that no entry contains.
    """

    def __init__(self, index: Index, query: str, corrected: str = "", correction_count: int = 0) -> None:
        self._index, self._lexicon, self._query = index, index.lexicon, query
        self.text = corrected or fold(query)
        self.unknown_word_count = correction_count
        self._word_edges: set[int] = set()
        if not self.text.isascii():
            self.text, self._word_edges = find_word_edges(query)
            runs = find_katakana_runs(query)
            self.unknown_word_count += sum(not all(map(index.has_token, tokenize(run))) for run in runs)
        self.names = self._include_set_names(self._find_names())
        self.cards = self._find_cards()

    @cached_property
    def name_to_define(self) -> str:
        """The name that the query asks to explain, as in `how does ... work`; empty if there is none."""
        return next((name.text for name in self.names if self._asks_for_definition(name)), "")

    @cached_property
    def card_name_to_define(self) -> str:
        """The name of a card that the query asks to explain; empty if there is none."""
        cards = (name for name in self.names if self._index.find_exact(name.text).cards)
        return next((name.text for name in cards if self._asks_for_definition(name)), "")

    @cached_property
    def only_card(self) -> str:
        """The English name of the card that the question is about; empty if it is about none or several."""
        cards = {name.card for name in self.cards if name.means_card}
        return cards.pop() if len(cards) == 1 else ""

    def build_content_text(self, game: str) -> str:
        """Return the question without stop phrases, with synonyms replaced by the terms in a game's book."""
        remove_phrases = self._lexicon.stop_words.remove_phrases
        parts, start = [], 0
        for name in self.cards:
            parts += [remove_phrases(self.text[start : name.start]), name.text]
            start = name.end
        parts.append(remove_phrases(self.text[start:]))
        return self._lexicon.replace_synonyms(game, " ".join(parts))

    def _find_names(self) -> list[NameMatch]:
        """Find every sequence of words or Japanese letters that is a key of the index."""
        text, keys = self.text, self._index.keys
        boundaries = [position for position in range(len(text) + 1) if self._is_boundary(position)]
        names = []
        for first, start in enumerate(boundaries):
            for end in boundaries[first + 1 : first + 1 + _MAX_NAME_LENGTH]:
                run = text[start:end].rstrip(" ")
                next_key = keys.find_next_name(run)
                if not next_key.startswith(run):
                    break
                if next_key == run and text[start] != " " and self._is_whole_word(start, start + len(run)):
                    names.append(NameMatch(start, start + len(run), run))
        return sorted(names, key=lambda name: (name.start - name.end, name.start))

    def _is_boundary(self, position: int) -> bool:
        """Check whether a name may begin or end at a position: anywhere except within an English word."""
        if position in (0, len(self.text)):
            return True
        before, after = self.text[position - 1], self.text[position]
        return " " in (before, after) or is_unspaced_script(before) or is_unspaced_script(after)

    def _is_whole_word(self, start: int, end: int) -> bool:
        """Check whether the name between two positions is not merely part of a longer Japanese word."""
        name, left, right = self.text[start:end], self.text[:start], self.text[end:]
        if not is_unspaced_script(name[0]) or {start, end} <= self._word_edges:
            return True
        if all(map(is_kana, name)):
            # A name in kana begins and ends at a particle or where the script changes.
            particles = self._lexicon.particles
            starts_at_boundary = (
                not left or start in self._word_edges or not is_kana(left[-1]) or left.endswith(particles)
            )
            ends_at_boundary = (
                not right or end in self._word_edges or not is_kana(right[0]) or right.startswith(particles)
            )
            return starts_at_boundary and ends_at_boundary and (len(name) > 2 or not left)
        # A name with kanji is part of a longer word if entries do not contain the neighbouring kanji, or
        # contain it joined to the first or last character of the name.
        neighbours = (left[-1:], left[-1:] + name[0]), (right[:1], name[-1] + right[:1])
        return not any(
            is_unspaced_script(letter)
            and not is_kana(letter)
            and (not self._index.has_token(letter) or self._index.has_token(bigram))
            for letter, bigram in neighbours
            if letter
        )

    def _include_set_names(self, names: list[NameMatch]) -> list[NameMatch]:
        """Extend a card's name to include the name of its set in front of it, as in `Prosperity Loan`."""
        separator = "" if is_spaced(self.text) else _OF_PARTICLE
        for name in names:
            before = self.text[: name.start].rstrip(" ").removesuffix(separator)
            chapter = max(
                (title for title in self._index.chapter_titles if before.endswith(title)), key=len, default=""
            )
            start = len(before) - len(chapter)
            if not chapter or before == self.text[: name.start] or not self._is_boundary(start):
                continue
            for card in self._index.find_exact(name.text).cards:
                if chapter in self._find_set_names(card):
                    others = [other for other in names if other.end <= start or other.start >= name.end]
                    return [name._replace(start=start, card=card, means_card=True), *others]
        return names

    def _find_set_names(self, card: str) -> list[str]:
        """Return the folded names of a card's set in all languages."""
        own_doc_ids = self._index.own_entry_doc_ids
        entries = (
            self._index.entry(id_) for id_ in self._index.find_exact(fold(card)).doc_ids if id_ in own_doc_ids
        )
        return [fold(title) for entry in entries for title in entry.chapter.values()]

    def _find_cards(self) -> list[NameMatch]:
        """Return the names of cards that do not overlap a longer name of another card, from left to right."""
        cards: list[NameMatch] = []
        for name in self.names:
            card = name.card or next(iter(self._index.find_exact(name.text).cards), "")
            if card and all(name.end <= other.start or name.start >= other.end for other in cards):
                means_card = name.means_card or self._means_card(name, card)
                cards.append(name._replace(card=card, means_card=means_card))
        return sorted(cards)

    def _means_card(self, name: NameMatch, card: str) -> bool:
        """Check whether a name means the card rather than an ordinary word.

        An ambiguous name means the card if it is capitalized within a sentence and not part of another name.
        """
        if name.text not in self._lexicon.ambiguous_names:
            return True
        is_within_other = any(
            other.start <= name.start and name.end <= other.end and other.text != name.text
            for other in self.names
        )
        return not is_within_other and self._query.find(card, 1) > 0 and not self._query.istitle()

    def _asks_for_definition(self, name: NameMatch) -> bool:
        """Check whether the question consists only of a name and words that ask to explain it."""
        lexicon = self._lexicon
        words = lexicon.definition_words
        if self._index.find_exact(name.text).cards:
            is_ambiguous = name.text in lexicon.ambiguous_names
            words = lexicon.ambiguous_card_definition_words if is_ambiguous else lexicon.card_definition_words
        rest = f"{self.text[: name.start]} {self.text[name.end :]}"
        return all(token in words.stems for token in tokenize(words.remove_phrases(rest).strip()))


class SpellingCorrector:
    """Corrects the spelling of the out-of-vocabulary words in a query.

    It also corrects the spaces in names of cards, such as `black smith` and `throneroom`, and replaces
    romanized Japanese names with English ones. In Japanese, it corrects words in katakana, most of which are
    names.

    Args:
        index: the search index.
        query: the query as it was typed.
    """

    def __init__(self, index: Index, query: str) -> None:
        self._index = index
        folded = fold(query)
        self._query = query if folded.isascii() else normalize("NFKC", query)
        self._words = folded.split(" ") if is_spaced(folded) else [folded]

    def correct_spelling(self, max_distance: float) -> str:
        """Return the folded query with each out-of-vocabulary word replaced by the closest known word.

        A word stays unchanged if no known word is within `max_distance` (normalized edit distance, 0 to 1).
        """
        corrections = self.find_corrections(max_distance)
        return " ".join(corrections.get(word, word) for word in self._query_segments)

    def correct_katakana(self) -> str:
        """Return the query with each misspelt word in katakana replaced by the closest name of a card."""
        query = self._query
        for word, name in self._katakana_corrections.items():
            query = query.replace(word, name)
        return query

    def find_corrections(self, max_distance: float) -> dict[str, str]:
        """Return corrections for unknown words and for card names with misplaced spaces, by what was typed.

        See `correct_spelling` for `max_distance`.
        """
        corrected = {
            word: correction
            for word, (distance, correction) in self._closest_words.items()
            if distance <= max_distance or self._resembles_card(word, distance, correction)
        }
        return {
            **self._spacing_corrections,
            **corrected,
            **self._romaji_corrections,
            **self._katakana_corrections,
        }

    def _resembles_card(self, word: str, distance: float, name: str) -> bool:
        """Check whether a word is long and similar enough to be the misspelt name of a card.

        Args:
            word: the word.
            distance: its normalized edit distance from `name`.
            name: the closest known word.
        """
        is_close = len(word) >= _MIN_GUESSED_LENGTH and distance <= _MAX_CARD_CORRECTION_DISTANCE
        return is_close and bool(self._index.find_exact(name).cards)

    def is_known(self, text: str) -> bool:
        """Check whether each token of a string occurs in some entry or is common in questions."""
        common = self._index.lexicon.card_definition_words.stems
        return all(self._index.has_token(token) or token in common for token in tokenize(text))

    @cached_property
    def _query_segments(self) -> list[str]:
        """The words of the query. Two words that together are the name of a card form a single part."""
        parts: list[str] = []
        for word in self._words:
            last = parts[-1] if parts else ""
            if last and self._is_split_name(last, word):
                parts[-1] = f"{last} {word}"
            else:
                parts.append(word)
        return parts

    def _is_split_name(self, first: str, second: str) -> bool:
        """Check whether two words are the name of a card if they are joined, but no name as typed."""
        joined, stop_words = first + second, self._index.lexicon.stop_words.stems
        return (
            len(joined) >= _MIN_JOINED_LENGTH
            and first not in stop_words
            and second not in stop_words
            and joined in self._index.keys
            and f"{first} {second}" not in self._index.keys
            and bool(self._index.find_exact(joined).cards)
        )

    @cached_property
    def _spacing_corrections(self) -> dict[str, str]:
        """The correct names of cards, by the name with wrong spaces."""
        split_names = {part: part.replace(" ", "") for part in self._query_segments if " " in part}
        return split_names | {
            part: name for part in self._query_segments if (name := self._split_joined_name(part))
        }

    def _split_joined_name(self, word: str) -> str:
        """Return the name of a card that is this word with a space in it; empty if there is none."""
        if len(word) < _MIN_JOINED_LENGTH or word in self._index.keys:
            return ""
        splits = (f"{word[:end]} {word[end:]}" for end in range(2, len(word) - 1))
        names = (name for name in splits if name in self._index.keys)
        return next((name for name in names if self._index.find_exact(name).cards), "")

    @cached_property
    def _unknown_words(self) -> list[str]:
        """The out-of-vocabulary words of a query that is not Japanese."""
        words = self._query_segments if len(self._words) > 1 or is_spaced(self._words[0]) else []
        return [word for word in words if len(word) >= _MIN_CORRECTED_LENGTH and not self.is_known(word)]

    @cached_property
    def _romaji_corrections(self) -> dict[str, str]:
        """The English names of cards and entries, by the romanized Japanese name among the unknown words."""
        names = {}
        for word in self._unknown_words:
            targets = self._index.find_exact(romaji_to_hiragana(word))
            titles = (self._index.entry(doc_id).title[ENGLISH] for doc_id in targets.doc_ids)
            if name := next(chain(targets.cards, titles), ""):
                names[word] = fold(name)
        return names

    @cached_property
    def _katakana_corrections(self) -> dict[str, str]:
        """The closest card name for each misspelt katakana word in a longer query."""
        if len(self._words) > 1 or is_spaced(self._words[0]):
            return {}
        corrections = {}
        for word in re.findall(KATAKANA_RUN, self._query):
            folded = fold(word)
            if folded != self._words[0] and len(word) >= _MIN_KATAKANA_LENGTH and not self.is_known(folded):
                similar = self._index.find_closest_names(folded, _MAX_CARD_CORRECTION_DISTANCE)
                names = [name for _, name in similar if self._index.find_exact(name).cards]
                if names:
                    corrections[word] = to_katakana(names[0])
        return corrections

    @cached_property
    def _closest_words(self) -> dict[str, tuple[float, str]]:
        """(Edit distance, closest word in any name), by out-of-vocabulary word."""
        corrections = {word: self._find_correction(word) for word in self._unknown_words if " " not in word}
        return {word: correction for word, correction in corrections.items() if correction[1] != word}

    def _find_correction(self, word: str) -> tuple[float, str]:
        """Return (edit distance, closest word in any name), or (0, the word itself) if none is close."""
        from randomizer.text.spelling import closest  # Needed only for misspelt queries.

        names = self._index.find_names_sharing_bigrams(word)
        candidates = {part for name in names for part in name.split(" ")}
        similar = [
            (distance, candidate)
            for distance, candidate in closest(word, candidates, _MAX_CORRECTION_DISTANCE)
            if candidate[0] == word[0] or distance <= _MAX_FIRST_LETTER_DISTANCE
        ]
        return similar[0] if similar else (0.0, word)


def find_unknown_words(index: Index, query: str) -> list[str]:
    """Return the words of a query that no entry contains, as they were typed.

    In Japanese, only uninflected words in katakana or kanji are considered.
    """
    _, rest = index.lexicon.extract_game(query)
    words = (match[0] for match in re.finditer(_REPORTABLE_WORD, normalize("NFKC", rest)))
    return [word for word in dict.fromkeys(words) if not _is_known_word(index, word)]


def _is_known_word(index: Index, word: str) -> bool:
    """Check whether any entry contains a word, its synonym, or, if the word has kanji, a part of it."""
    folded = fold(word)
    lexicon = index.lexicon
    tokens_by_game = [tokenize(lexicon.replace_synonyms(game, folded)) for game in index.titles]
    if word.isascii():
        tokens = set(chain(*tokens_by_game))
        return not tokens.isdisjoint(lexicon.card_definition_words.stems) or any(map(index.has_token, tokens))
    is_found = all if all(map(is_kana, folded)) else any
    return any(
        is_found(index.has_token(token) for token in tokens if len(token) > 1) for tokens in tokens_by_game
    )
