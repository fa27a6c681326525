"""An entry of a rulebook, the same from its file to the screen."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from randomizer.text.language import ENGLISH

SUBJECT = 0  # in the index, before the number of an entry's first sentence: what all of it is about
MAX_NAMES_PER_ENTRY = 1000  # in the index, room for the names of each entry; more than any has
PAGE_SIZE = 64  # names on a page of one of its tables
Texts = Mapping[str, str]  # a text by the code of its language; English is always there

_SENTENCE = r"(?:[^.:;!?。；]|[.:;!?](?!\s|$))+(?:[.:;!?。；]\s*|$)"  # or what stands for one before a colon


class OlderWording(NamedTuple):
    """How a rule was before.

    Attributes:
        until: the year or month in which that ended: `2020`, `2019-10`.
        text: the old rule.
    """

    until: str
    text: Texts


class Entry(NamedTuple):
    """An entry. Paragraphs and list items of its texts are a line each.

    Attributes:
        id: its name, unique in its book: `tavern-mat`.
        game: whose book it is in.
        older: how the rule was before, the latest change first.
        see: ids of other entries of the book.
        cards: the single cards that it is about, by their English names.
        types: the types of cards that it is about.
        sources: what it is taken from, with the page ...
        cited: ... and the same in a word or two.
        reading: the title in kana.
        aliases: what else it is called, in any language.
        asks: questions that it answers, as people put them, by the code of their language; in the index only
            what leads from them to the entry is kept.
        chapter: the title of its chapter.
        parent: the id of the entry that it is part of, if it is.
        related: the numbers in the index of the entries of `see`.
        meeting: whether it is on several things that meet on a table.
    """

    id: str
    game: str
    title: Texts
    text: Texts
    older: Sequence[OlderWording]
    see: Sequence[str]
    cards: Sequence[str]
    types: Sequence[str]
    sources: Sequence[Texts]
    short_sources: Sequence[Texts]
    reading: str
    aliases: Sequence[str]
    chapter: Texts
    parent: str
    sample_questions: Mapping[str, Sequence[str]]
    related_doc_ids: Sequence[int] = ()
    is_combination: bool = False


class StopWords(NamedTuple):
    """Words that say nothing, folded.

    Attributes:
        stems: as `tokens` gives them.
        parts: of sentences in scripts without spaces, the longest first.
    """

    stems: Collection[str] = ()
    phrases: Sequence[str] = ()

    def remove_phrases(self, folded: str) -> str:
        """A folded text without those parts of it, and spaces instead."""
        if not folded.isascii():
            for part in self.phrases:
                if part in folded:
                    folded = folded.replace(part, " ")
        return folded


class QueryLexicon(NamedTuple):
    """How people ask.

    Attributes:
        words: by book, what is said for a word of it, and that word; the longest first.
        noise: words that questions are full of.
        about: those, and words that ask about a thing as such ...
        about_card: ... or about a card;
        about_word: of these, those that ask about a card whose name is an ordinary word.
        ordinary: names of cards that are also ordinary words.
        particles: what stands behind a word, or before the next, in a script without spaces.
        called: what games are called, and which; the longest name first.
        kinds: words for a kind of card, in each language one, in English as on the card.
    """

    synonyms: Mapping[str, Sequence[tuple[str, str]]] = {}
    stop_words: StopWords = StopWords()
    definition_words: StopWords = StopWords()
    card_definition_words: StopWords = StopWords()
    ambiguous_card_definition_words: StopWords = StopWords()
    ambiguous_names: Collection[str] = ()
    particles: tuple[str, ...] = ()
    game_names: Sequence[tuple[str, str]] = ()
    card_kind_words: Sequence[Sequence[str]] = ()

    def extract_game(self, query: str) -> tuple[str, str]:
        """The game that a query names, if it names one, and what else it says, if that is anything."""
        plain = query.casefold()
        for name, game in self.game_names:
            before, found, after = plain.partition(name)
            letters = before[-1:] + after[:1] if found.isascii() else ""
            if found and len(plain) == len(query) and not (letters.isascii() and letters.strip().isalnum()):
                rest = query[len(before) + len(found) :]
                behind = next((part for part in self.particles if rest.startswith(part)), "")
                return game, f"{query[: len(before)]} {rest.removeprefix(behind)}".strip()
        return "", query

    def replace_synonyms(self, game: str, folded: str) -> str:
        """A folded text in the words of the book, where it has others for them."""
        text = f" {folded} "
        for other, word in self.synonyms.get(game, ()):
            if other in text:
                text = text.replace(other, word)
        return text[1:-1]


def localize(texts: Texts, language: str) -> str:
    """The text in the language of that code, or in English."""
    return texts.get(language, texts[ENGLISH])


class Sentence(NamedTuple):
    """A sentence of a text: in which line of it, from which letter on, and what it says."""

    line: int
    start: int
    text: str


def split_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, in order."""
    for number, line in enumerate(text.split("\n")):
        for found in re.finditer(_SENTENCE, line):
            yield Sentence(number, found.start(), found[0])


def extract_excerpt(texts: Texts, sentence_number: int) -> Texts:
    """What a line says from a sentence of it on, by language.

    Args:
        number: of the sentence, counted from 1 through the texts one after the other. In another language
            it is the whole line, if the texts have equally many lines; else nothing.
    """
    places = [(code, sentence) for code, text in texts.items() for sentence in split_sentences(text)]
    own, (place, start, _) = places[sentence_number - SUBJECT - 1]
    lines = {code: text.split("\n") for code, text in texts.items()}
    return {
        code: several[place][start if code == own else 0 :]
        for code, several in lines.items()
        if len(several) == len(lines[own])
    }
