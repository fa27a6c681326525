"""What a question says: the names in it, the card it is about, how it is spelt, and what no book knows."""

import re
from functools import cached_property
from typing import NamedTuple
from unicodedata import normalize

from randomizer.rules.index import Index
from randomizer.text.folding import (
    find_katakana_runs,
    find_word_edges,
    fold,
    is_kana,
    is_spaced,
    is_unspaced_script,
    tokenize,
)

_SHORT = 4  # letters that a word must have to be put right
_FAR = 0.4  # how unlike it what it is put right to may be spelt
_LONGEST = 12  # words, or Japanese letters, that a name within a question has at most
# Spelt and kanji as somebody types them; compiled when first asked for, as that takes longer than a look-up.
_WORDS = "(?i)[a-z][a-z'’]{2,}|[ァ-ヺー]{3,}|[一-鿿々]{2,}(?=[のはがをにでともやへ]|[^ぁ-ゖ一-鿿々]|$)"


class Name(NamedTuple):
    """A name in a question, from a letter on to before another.

    Attributes:
        text: the name, folded.
        card: the English name of the card that is called so, if there is one ...
        meant: ... and whether it is meant for certain, and not as an ordinary word.
    """

    start: int
    end: int
    text: str
    card: str = ""
    meant: bool = False


class Question:
    """What somebody asks.

    Args:
        put_right: the query folded, with misspelt words put right, if any are.

    Attributes:
        text: all of it, folded.
        names: everything in it that an entry or card is called, the longest first.
        cards: the names of cards, as they follow one another.
        strange: how many words in it stand nowhere: in katakana, or put right.
    """

    def __init__(self, index: Index, query: str, put_right: str = "") -> None:
        self._index, self._speech, self._query = index, index.lexicon, query
        folded = fold(query)
        self.text = put_right or folded
        self._edges: set[int] = set()
        words = zip(self.text.split(" "), folded.split(" "), strict=False) if put_right else ()
        self.strange = sum(right != word for right, word in words)
        if not folded.isascii():
            self.text, self._edges = find_word_edges(query)
            unknown = (
                run for run in find_katakana_runs(query) if not all(map(index.has_token, tokenize(run)))
            )
            self.strange = sum(1 for _ in unknown)
        self.names = self._names()
        self.cards = self._cards()

    @cached_property
    def bare(self) -> str:
        """The name of which it asks no more than what it is, as in `how does ... work`; if there is one."""
        return next((name.text for name in self.names if self._says_nothing(name)), "")

    @cached_property
    def bare_card(self) -> str:
        """The same, if it is a card."""
        called = self._index.find_exact
        return next((n.text for n in self.names if called(n.text).cards and self._says_nothing(n)), "")

    @cached_property
    def about(self) -> str:
        """The card that it is about, if it is one alone."""
        cards = {name.card for name in self.cards if name.meant}
        return cards.pop() if len(cards) == 1 else ""

    def told(self, game: str) -> str:
        """What it tells without the words that every question has, in those of the game's book."""
        speech = self._speech
        parts, start = [], 0
        for name in self.cards:
            parts += [speech.stop_words.remove_phrases(self.text[start : name.start]), name.text]
            start = name.end
        parts.append(speech.stop_words.remove_phrases(self.text[start:]))
        return speech.replace_synonyms(game, " ".join(parts))

    def _names(self) -> list[Name]:
        """Every run of words or Japanese letters that is a key."""
        text, keys = self.text, self._index.keys
        bounds = [place for place in range(len(text) + 1) if self._may_end(place)]
        found = []
        for first, start in enumerate(bounds):
            for end in bounds[first + 1 : first + 1 + _LONGEST]:
                run = text[start:end].rstrip(" ")
                name = keys.find_next(run)
                if not name.startswith(run):
                    break
                if name == run and text[start] != " " and self._stands(start, start + len(run)):
                    found.append(Name(start, start + len(run), run))
        return sorted(found, key=lambda name: (name.start - name.end, name.start))

    def _may_end(self, place: int) -> bool:
        """Whether a name may begin or end there: not within a word of a script with spaces."""
        text = self.text
        if place in (0, len(text)):
            return True
        return (
            text[place] == " "
            or text[place - 1] == " "
            or is_unspaced_script(text[place])
            or is_unspaced_script(text[place - 1])
        )

    def _stands(self, start: int, end: int) -> bool:
        """Whether what is there is a word for itself, and no part of a longer one."""
        name, left, right = self.text[start:end], self.text[:start], self.text[end:]
        if not is_unspaced_script(name[0]) or {start, end} <= self._edges:
            return True
        if all(map(is_kana, name)):
            particles = self._speech.particles
            begins = not left or start in self._edges or not is_kana(left[-1]) or left.endswith(particles)
            ends = not right or end in self._edges or not is_kana(right[0]) or right.startswith(particles)
            return begins and ends and (len(name) > 2 or not left)
        knows = self._index.has_token
        begins = (
            not left or is_kana(left[-1]) or not is_unspaced_script(left[-1]) or not knows(left[-1] + name[0])
        )
        ends = (
            not right
            or is_kana(right[0])
            or not is_unspaced_script(right[0])
            or not knows(name[-1] + right[0])
        )
        return begins and ends

    def _cards(self) -> list[Name]:
        """The names of cards that are not part of a longer one."""
        taken: list[Name] = []
        for name in self.names:
            card = next(iter(self._index.find_exact(name.text).cards), "")
            if card and all(name.end <= other.start or name.start >= other.end for other in taken):
                taken.append(name._replace(card=card, meant=self._means(name, card)))
        return sorted(taken)

    def _means(self, name: Name, card: str) -> bool:
        """Whether the card is meant, and not what its name means otherwise."""
        if name.text not in self._speech.ambiguous_names:
            return True
        within = any(o.start <= name.start and name.end <= o.end for o in self.names if o.text != name.text)
        return not within and self._query.find(card, 1) > 0 and not self._query.istitle()

    def _says_nothing(self, name: Name) -> bool:
        """Whether nothing but the name says what it is about."""
        speech = self._speech
        noise = speech.definition_words
        if self._index.find_exact(name.text).cards:
            noise = (
                speech.ambiguous_card_definition_words
                if name.text in speech.ambiguous_names
                else speech.card_definition_words
            )
        rest = f"{self.text[: name.start]} {self.text[name.end :]}"
        return all(token in noise.stems for token in tokenize(noise.remove_phrases(rest).strip()))


class Spelt:
    """How the words of a query are spelt.

    Args:
        term: the query, folded.
    """

    def __init__(self, index: Index, term: str) -> None:
        self._index, self._term = index, term

    def put_right(self, most: float) -> str:
        """The term with each word that no entry has changed into one that is spelt at most so unlike it."""
        right = self._right
        return " ".join(
            right[word][1] if word in right and right[word][0] <= most else word
            for word in self._term.split(" ")
        )

    def knows(self, text: str) -> bool:
        """Whether each token of it is in some entry."""
        about = self._index.lexicon.card_definition_words.stems
        return all(self._index.has_token(token) or token in about for token in tokenize(text))

    @cached_property
    def _right(self) -> dict[str, tuple[float, str]]:
        """For each word that no entry has the word of a name that is spelt most like it, and how unlike."""
        words = self._term.split(" ") if is_spaced(self._term) else []
        unknown = [word for word in words if len(word) >= _SHORT and not self.knows(word)]
        return {word: self._like(word) for word in unknown}

    def _like(self, word: str) -> tuple[float, str]:
        """The word of a name that is spelt most like it, or itself; and how unlike it is."""
        from randomizer.text.spelling import closest  # only once something is misspelt

        others = {part for name in self._index.names_sharing_bigrams(word) for part in name.split(" ")}
        return next(iter(closest(word, others, _FAR)), (0.0, word))


def unknown(index: Index, query: str) -> list[str]:
    """The words of a query, as they were typed, that no entry has in any way: neither its name nor its text.

    Of Japanese these are words in katakana and in kanji, without the kanji of an inflected ending.
    """
    _, asked = index.lexicon.extract_game(query)
    words = (found[0] for found in re.finditer(_WORDS, normalize("NFKC", asked)))
    return [word for word in dict.fromkeys(words) if not _known(index, word)]


def _known(index: Index, word: str) -> bool:
    """Whether any entry has the word, or what is said for it in a book, or all of a word in katakana."""
    folded = fold(word)
    said = {
        token for game in index.titles for token in tokenize(index.lexicon.replace_synonyms(game, folded))
    }
    if word.isascii():
        return not said.isdisjoint(index.lexicon.card_definition_words.stems) or any(
            map(index.has_token, said)
        )
    parts = [token for token in said if len(token) > 1]
    return (all if all(map(is_kana, folded)) else any)(map(index.has_token, parts))
