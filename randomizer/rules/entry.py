"""The data model of the rulebooks: entries, their sentences, and the words of questions."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from randomizer.text.language import ENGLISH

SUBJECT = 0  # the sentence number that the index uses for the subject of an entry
MAX_NAMES_PER_ENTRY = 1000  # in the index; more than any entry has
PAGE_SIZE = 64  # names per page of a table of the index
Texts = Mapping[str, str]  # a text by language code; the English one is always there


class OlderWording(NamedTuple):
    """A rule as it was before a change.

    Attributes:
        until: the year or month until which the rule was valid, such as `2020` or `2019-10`.
        text: the rule.
    """

    until: str
    text: Texts


class DirectAnswer(NamedTuple):
    """A direct answer to questions, shown before the entry that it belongs to.

    Attributes:
        asks: the questions by language.
        verdict: `yes`, `no`, a number, or empty if there is a `short` answer instead.
        short: the short answer by language.
        text: the answer in a sentence, by language.
        source: the name of its source by language, with the page.
    """

    asks: Mapping[str, Sequence[str]]
    verdict: str
    short: Texts
    text: Texts
    source: Texts


class Entry(NamedTuple):
    """An entry of a rulebook. Each paragraph and list item of its texts is a single line.

    Attributes:
        id: its id, unique in its book: `tavern-mat`.
        game: the game of its book.
        title: its title by language.
        text: its text by language.
        older: older wordings, the latest first.
        see: ids of related entries of the book.
        cards: English names of the single cards that it concerns.
        types: card types that it concerns.
        sources: the names of its sources with the pages.
        short_sources: the short names of its sources with the pages.
        reading: the Japanese title in kana.
        aliases: other names of its topic, in any language.
        chapter: the title of its chapter.
        parent: the id of the entry that contains it; empty for most.
        sample_questions: questions that it answers, by language; empty in the index, which only has their
            tokens.
        related_doc_ids: the document IDs of the entries in `see`.
        is_combination: whether it concerns a combination of things on the same table.
        answers: direct answers to frequent questions.
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
    answers: Sequence[DirectAnswer] = ()


class StopWords(NamedTuple):
    """Words that occur in many questions, normalized by `fold`.

    Attributes:
        stems: words of scripts that separate words by spaces, as `tokenize` returns them.
        phrases: parts of sentences in other scripts, the longest first.
    """

    stems: Collection[str] = ()
    phrases: Sequence[str] = ()

    def remove_phrases(self, folded: str) -> str:
        """Replace all phrases in a folded text by spaces."""
        if not folded.isascii():
            for phrase in self.phrases:
                if phrase in folded:
                    folded = folded.replace(phrase, " ")
        return folded


class QueryLexicon(NamedTuple):
    """The words that people use in questions.

    Attributes:
        synonyms: by game, pairs of a synonym and the word of the book; the longest synonym first.
        stop_words: words that may occur in any question.
        definition_words: stop words, and words of questions about a topic as a whole, such as "explain".
        card_definition_words: `definition_words`, and words for cards, such as "event".
        ambiguous_card_definition_words: `card_definition_words` without stop words. They are used for cards
            in `ambiguous_names`.
        ambiguous_names: names of cards that are also ordinary words.
        particles: words that separate other words in scripts without spaces, such as Japanese particles.
        game_names: pairs of a name that people use for a game and the game; the longest name first.
        card_kind_words: the words for each kind of card in all languages, the English one as on the card.
        chatter: words of queries that ask for nothing; those with spaces between words are padded by spaces.
        card_list_words: words of questions for a list of cards, padded in the same way.
        selectors: pairs of a selector of cards and the words of questions for such cards, padded as well.
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
    chatter: Collection[str] = ()
    card_list_words: Sequence[str] = ()
    selectors: Sequence[tuple[str, Sequence[str]]] = ()

    def extract_game(self, query: str) -> tuple[str, str]:
        """Return the game that a query names, and the query without its name.

        If the query names no game, return an empty string and the whole query.
        """
        lower_query = query.casefold()
        for name, game in self.game_names:
            before, match, after = lower_query.partition(name)
            neighbours = before[-1:] + after[:1] if match.isascii() else ""
            is_part_of_word = neighbours.isascii() and neighbours.strip().isalnum()
            if match and len(lower_query) == len(query) and not is_part_of_word:
                rest = query[len(before) + len(match) :]
                particle = next((part for part in self.particles if rest.startswith(part)), "")
                return game, f"{query[: len(before)]} {rest.removeprefix(particle)}".strip()
        return "", query

    def is_chatter(self, folded: str) -> bool:
        """Check whether a folded query asks for nothing: a greeting, for example, or a number alone."""
        rest = f" {folded} "
        for word in sorted(self.chatter, key=len, reverse=True):
            rest = rest.replace(word, "  " if word.isascii() else "")
        return not rest.strip() or rest.strip().isdecimal()

    def find_card_selector(self, folded: str) -> str:
        """Return the selector of the cards that a folded question asks for; empty if it asks for none."""
        text = f" {folded} "
        if not any(word in text for word in self.card_list_words):
            return ""
        found = (selector for selector, words in self.selectors if any(word in text for word in words))
        return " and ".join(found)

    def replace_synonyms(self, game: str, folded: str) -> str:
        """Replace the synonyms in a folded text by the words of the game's book."""
        text = f" {folded} "
        for synonym, word in self.synonyms.get(game, ()):
            if synonym in text:
                text = text.replace(synonym, word)
        return text[1:-1]


def localize(texts: Texts, language: str) -> str:
    """Return the text in the language with this code, or in English if there is no translation."""
    return texts.get(language, texts[ENGLISH])
