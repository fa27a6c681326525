"""Defines the data model of the rulebooks: entries, direct answers, and the vocabulary of queries."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from randomizer.text.language import ENGLISH

SUBJECT_NUMBER = 0  # the sentence number that stands for the subject of an entry: its titles and cards
MAX_NAMES_PER_ENTRY = 1000  # more than any entry has; used to number the names in the index
PAGE_SIZE = 64  # names on each page of a packed table (see `index.PackedTable`)
Texts = Mapping[str, str]  # a text by language code; the English text is always present


class OlderWording(NamedTuple):
    """The wording of a rule before a change.

    Attributes:
        until: the year or month until which the wording was valid, such as `2020` or `2019-10`.
        text: the wording by language.
    """

    until: str
    text: Texts


class DirectAnswer(NamedTuple):
    """A direct answer to one or more questions, shown before the entry that it belongs to.

    Attributes:
        asks: the questions, by language.
        verdict: `yes`, `no` or a number; empty if there is a `short` answer instead.
        short: the short answer, by language.
        text: the answer as a sentence, by language.
        source: the name of its source and the page, by language.
    """

    asks: Mapping[str, Sequence[str]]
    verdict: str
    short: Texts
    text: Texts
    source: Texts


class Entry(NamedTuple):
    """An entry of a rulebook. Each paragraph or list item of its texts is a single line.

    Attributes:
        id: its id, which is unique in its book, such as `tavern-mat`.
        game: the game of its book.
        title: its title, by language.
        text: its text, by language.
        older: older wordings, the most recent first.
        see: ids of related entries of the same book.
        cards: English names of the individual cards that it concerns.
        types: card types that it concerns.
        sources: the names of its sources, each followed by the page.
        short_sources: the short names of its sources, each followed by the page.
        reading: the reading of the Japanese title, in kana.
        aliases: other names of its topic, in any language.
        chapter: the title of its chapter, by language.
        parent: the id of the entry that contains it; empty if it is not nested.
        sample_questions: questions that it answers, by language; empty in the index, which stores only their
            tokens.
        related_doc_ids: the document IDs of the entries in `see`.
        is_combination: whether it concerns a combination of items on the same table.
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
    """Words that are ignored because they occur in many questions, normalized by `fold`.

    Attributes:
        stems: stop words in scripts with spaces between words, as `tokenize` returns them.
        phrases: parts of sentences in other scripts, the longest first.
    """

    stems: Collection[str] = ()
    phrases: Sequence[str] = ()

    def remove_phrases(self, folded: str) -> str:
        """Replace every stop phrase in a folded string with a space."""
        if not folded.isascii():
            for phrase in self.phrases:
                if phrase in folded:
                    folded = folded.replace(phrase, " ")
        return folded


class QueryLexicon(NamedTuple):
    """The vocabulary of queries. "Padded" words have a space on each side if their script uses spaces.

    Attributes:
        synonyms: by game, pairs of (synonym, term in the book), the longest synonym first; both are padded.
        stop_words: words that may occur in any question.
        definition_words: stop words, and words that ask for an explanation of a topic, such as "explain".
        card_definition_words: `definition_words`, and words for kinds of cards, such as "event".
        ambiguous_card_definition_words: `card_definition_words` without the stop words; used for the names
            in `ambiguous_names`.
        ambiguous_names: names of cards that are also ordinary words.
        particles: words that separate other words in scripts without spaces, such as Japanese particles.
        game_names: pairs of (name that people use for a game, game), the longest name first.
        card_kind_words: for each kind of card, the words for it in all languages; the English word is the one
            on the card.
        chatter: words of queries that contain no question, such as greetings; padded.
        card_list_words: words of questions that ask for a list of cards; padded.
        selectors: pairs of (card selector, words of questions that ask for such cards); the words are padded.
        interrogatives: words of questions that do not ask for yes or no; padded.
        type_words: the name of each card type in a question, by type and language.
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
    interrogatives: Sequence[str] = ()
    type_words: Mapping[str, Texts] = {}

    def extract_game(self, query: str) -> tuple[str, str]:
        """Return the game that a query names, and the query without the name of the game.

        If the query names no game, return an empty string and the unchanged query.
        """
        lower_query = query.casefold()
        for name, game in self.game_names:
            before, match, after = lower_query.partition(name)
            neighbour_letters = before[-1:] + after[:1] if match.isascii() else ""
            is_part_of_word = neighbour_letters.isascii() and neighbour_letters.strip().isalnum()
            if match and len(lower_query) == len(query) and not is_part_of_word:
                rest = query[len(before) + len(match) :]
                particle = next((part for part in self.particles if rest.startswith(part)), "")
                return game, f"{query[: len(before)]} {rest.removeprefix(particle)}".strip()
        return "", query

    def is_chatter(self, folded: str) -> bool:
        """Check whether a folded query contains no question: for example, a greeting or just a number."""
        rest = f" {folded} "
        for word in sorted(self.chatter, key=len, reverse=True):
            rest = rest.replace(word, "  " if word.isascii() else "")
        return not rest.strip() or rest.strip().isdecimal()

    def find_card_selector(self, folded: str) -> str:
        """Return the selector for the cards that a folded question asks for; empty if it asks for none."""
        text = f" {folded} "
        if not any(word in text for word in self.card_list_words):
            return ""
        matching_selectors = (
            selector for selector, words in self.selectors if any(word in text for word in words)
        )
        return " and ".join(matching_selectors)

    def is_open_question(self, folded: str) -> bool:
        """Check whether a folded question asks for more than yes or no."""
        text = f" {folded} "
        return any(word in text for word in self.interrogatives)

    def replace_synonyms(self, game: str, folded: str) -> str:
        """Replace the synonyms in a folded string with the terms in the game's book."""
        text = f" {folded} "
        for synonym, word in self.synonyms.get(game, ()):
            if synonym in text:
                text = text.replace(synonym, word)
        return text[1:-1]


def localize(texts: Texts, language: str) -> str:
    """Return the text for a language code, or the English text if there is no translation."""
    return texts.get(language, texts[ENGLISH])
