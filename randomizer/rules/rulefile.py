"""Reads the rulebooks' files. This module is needed only when one of them has changed."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from randomizer.cards.game import Game
from randomizer.cards.model import TypeName
from randomizer.deal.growing import list_questions
from randomizer.load.entryfile import Condition, Conditions, EntryRecord, LanguageName, TextsField
from randomizer.load.gamefile import read_own_entries
from randomizer.load.yaml_reader import YamlReader
from randomizer.rules.entry import DirectAnswer, Entry, OlderWording, QueryLexicon, StopWords, Texts
from randomizer.text.folding import fold, is_spaced, is_unspaced_script, tokenize
from randomizer.text.language import ENGLISH

_CARDS_SECTION = "cards"  # in the order of a book's chapters, stands for the cards of all of them
_QUESTIONS_FOLDER, _ANSWERS_FOLDER = "questions", "answers"  # within the folder of a book
_BRACKETED_TEXT = re.compile(r" ?[(（].*?[)）]")

PhrasesField = tuple[tuple[LanguageName, tuple[str, ...]], ...]  # phrases by language
QuestionsFile = tuple[tuple[str, PhrasesField], ...]  # sample questions by entry id
EntryWithConditions = tuple[Entry, Conditions]


class AnswerRecord(NamedTuple):
    """A direct answer to one or more questions. It has either `answer` or `short`, but not both.

    Attributes:
        ask: the questions.
        text: the answer as a sentence.
        source: the name of the source, with the page if there is one.
        answer: `yes`, `no` or a number.
        short: any other short answer.
    """

    ask: PhrasesField
    text: TextsField
    source: str
    answer: str = ""
    short: TextsField = ()


AnswersFile = tuple[tuple[str, tuple[AnswerRecord, ...]], ...]  # answers by entry id


class ChapterFile(NamedTuple):
    """A chapter of a rulebook.

    Attributes:
        chapter: its title.
        entries: its general rules.
        cards: the entries about its cards, one for each card.
    """

    chapter: TextsField
    entries: tuple[EntryRecord, ...] = ()
    cards: tuple[EntryRecord, ...] = ()


class BooksFile(NamedTuple):
    """The list of books, with their sources and the vocabulary of queries. The file explains each field."""

    books: tuple[tuple[str, TextsField], ...]
    sources: tuple[tuple[str, TextsField], ...]
    order: tuple[tuple[str, tuple[str, ...]], ...] = ()
    short_sources: tuple[tuple[str, TextsField], ...] = ()
    synonyms: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...] = ()
    stop_words: PhrasesField = ()
    definition_words: PhrasesField = ()
    card_kind_words: PhrasesField = ()
    ambiguous_names: PhrasesField = ()
    particles: PhrasesField = ()
    game_names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    chatter: PhrasesField = ()
    card_list_words: PhrasesField = ()
    selectors: tuple[tuple[str, PhrasesField], ...] = ()
    interrogatives: PhrasesField = ()
    type_words: tuple[tuple[TypeName, TextsField], ...] = ()


class Rulebooks(NamedTuple):
    """The contents of all files of all rulebooks.

    Attributes:
        titles: the title of each game, by language; the default game is the first.
        entries: all entries, book by book, in the order given in `books.yaml`.
        conditions: for each entry, the conditions under which it applies to a table; empty for general rules.
        lexicon: the vocabulary of queries from `books.yaml`, such as synonyms and stop words.
    """

    titles: Mapping[str, Texts]
    entries: Sequence[Entry]
    conditions: Sequence[Conditions]
    lexicon: QueryLexicon = QueryLexicon()


def read_books(
    paths: Sequence[str], games: Sequence[Game], languages: Collection[str], own_files: Sequence[str] = ()
) -> Rulebooks:
    """Read and validate the rulebooks.

    Args:
        paths: the path of the list of books, followed by the paths of the chapters, the sample questions and
            the direct answers. Chapters are in the folder of their book, sample questions in its subfolder
            `questions`, and direct answers in its subfolder `answers`.
        games: the games whose cards the entries name.
        languages: the codes of the languages that a text may be in.
        own_files: the paths of the user's own data files, whose entries belong to the book of the first game.

    Raises:
        BadData: a file has faults. The error lists the faults of all files.
        OSError: a file cannot be read.
    """
    books = _BookReader(paths[0])
    for path in paths[1:]:
        books.read_file(path)
    for path in own_files:
        books.read_own_file(path, games[0].name)
    books.check_references()
    books.reader.check_names(_collect_names(games, languages))
    entries = books.sort_entries()
    return Rulebooks(
        books.titles,
        [entry for entry, _ in entries],
        [conditions for _, conditions in entries],
        books.lexicon,
    )


class _BookReader:
    """A reader of chapters, sample questions and direct answers. It reads the list of books first.

    Args:
        path: the path of the list of books.
    """

    def __init__(self, path: str) -> None:
        self.reader = YamlReader(multiline=True)
        file: BooksFile = self.reader.read_file(path, BooksFile) or BooksFile((), ())
        self.lexicon = _build_lexicon(file)
        self.titles = {book: self._check_texts(title, f"books.{book}") for book, title in file.books}
        self._chapter_order = dict(file.order)
        self._sources = {code: self._check_texts(name, f"sources.{code}") for code, name in file.sources}
        self._short_sources = {
            code: self._check_texts(name, f"short_sources.{code}") for code, name in file.short_sources
        }
        for code in self._short_sources.keys() - self._sources.keys():
            self.reader.add_fault(f"short_sources.{code}", f"no source named {code!r}")
        # The entries by book and chapter, or under `cards` if they are about cards.
        self._sections: dict[str, dict[str, list[EntryWithConditions]]] = {
            book: {_CARDS_SECTION: []} for book in self.titles
        }
        self._file_by_entry: dict[tuple[str, str], str] = {}  # by book and entry id
        # (File, sample questions), by book and entry id.
        self._questions_by_entry: dict[tuple[str, str], tuple[str, PhrasesField]] = {}
        # (File, direct answers), by book and entry id.
        self._answers_by_entry: dict[tuple[str, str], tuple[str, list[DirectAnswer]]] = {}
        self._file_by_question: dict[tuple[str, str], str] = {}  # by book and folded question
        # The name of the user's own file that is being read, in which a source may be any text; else empty.
        self._own_file = ""

    def read_file(self, path: str) -> None:
        """Read a chapter, or the sample questions or direct answers of a chapter."""
        folder, name = os.path.split(path)
        book = os.path.basename(os.path.dirname(folder))
        if os.path.basename(folder) == _QUESTIONS_FOLDER:
            self._read_questions(path, book, name)
        elif os.path.basename(folder) == _ANSWERS_FOLDER:
            self._read_answers(path, book, name)
        else:
            self._read_chapter(path, os.path.basename(folder), name)

    def _read_chapter(self, path: str, book: str, name: str) -> None:
        chapter: ChapterFile | None = self.reader.read_file(path, ChapterFile)
        if not self._check_book(book) or chapter is None:
            return
        title = self._check_texts(chapter.chapter, "chapter")
        sections = self._sections[book]
        for section, records in (os.path.splitext(name)[0], chapter.entries), (_CARDS_SECTION, chapter.cards):
            for entry, conditions in self._build_entries(records, book, title, ""):
                if (book, entry.id) in self._file_by_entry:
                    self.reader.add_fault(
                        entry.id, f"defined before, in {self._file_by_entry[book, entry.id]}"
                    )
                self._file_by_entry[book, entry.id] = name
                sections.setdefault(section, []).append((entry, conditions))

    def read_own_file(self, path: str, book: str) -> None:
        """Read the entries of a user's own data file. An entry replaces that of the book with the same id."""
        records, title = read_own_entries(path)
        self.reader.file = self._own_file = os.path.basename(path)
        entries = list(self._build_entries(records, book, {ENGLISH: title}, ""))
        self._own_file = ""
        counts = Counter(entry.id for entry, _ in entries)
        for section in self._sections[book].values():
            section[:] = [pair for pair in section if pair[0].id not in counts]
        for id_, count in counts.items():
            if count > 1:
                self.reader.add_fault(id_, "defined twice")
            self._answers_by_entry.pop((book, id_), None)  # They may contradict the new entry.
            self._file_by_entry[book, id_] = self.reader.file
        self._sections[book].setdefault(path, []).extend(entries)

    def _read_questions(self, path: str, book: str, name: str) -> None:
        label = f"{_QUESTIONS_FOLDER}/{name}"
        questions: QuestionsFile | None = self.reader.read_file(path, QuestionsFile, label)
        if not self._check_book(book):
            return
        for id_, phrases in questions or ():
            if (book, id_) in self._questions_by_entry:
                self.reader.add_fault(id_, f"defined before, in {self._questions_by_entry[book, id_][0]}")
            self._questions_by_entry[book, id_] = label, phrases

    def _read_answers(self, path: str, book: str, name: str) -> None:
        label = f"{_ANSWERS_FOLDER}/{name}"
        answers: AnswersFile | None = self.reader.read_file(path, AnswersFile, label)
        if not self._check_book(book):
            return
        for id_, records in answers or ():
            _, answers_of_entry = self._answers_by_entry.setdefault((book, id_), (label, []))
            for record in records:
                answers_of_entry.append(self._build_answer(record, id_))
                for question in chain.from_iterable(questions for _, questions in record.ask):
                    file = self._file_by_question.setdefault((book, fold(question)), f"{label}: {id_}")
                    if file != f"{label}: {id_}":
                        self.reader.add_fault(id_, f"{question!r} is also asked in {file}")

    def _build_answer(self, record: AnswerRecord, id_: str) -> DirectAnswer:
        """Build a direct answer. Record a fault unless it has exactly one of `answer` and `short`."""
        if bool(record.answer) == bool(record.short):
            self.reader.add_fault(id_, "an answer has either `answer` or `short`")
        elif record.answer not in ("yes", "no", "") and not record.answer.isdecimal():
            self.reader.add_fault(f"{id_}.answer", f"not yes, no or a number: {record.answer!r}")
        return DirectAnswer(
            dict(record.ask),
            record.answer,
            self._check_texts(record.short, f"{id_}.short") if record.short else {},
            _unwrap_texts(self._check_texts(record.text, f"{id_}.text")),
            self._format_source(record.source, f"{id_}.source"),
        )

    def _check_book(self, book: str) -> bool:
        if book not in self.titles:
            self.reader.add_fault("", f"no book named {book!r} in books.yaml")
        return book in self.titles

    def check_references(self) -> None:
        """Record a fault for every reference to an entry or chapter that does not exist."""
        if not self.reader.is_complete:  # The entries of an invalid file are missing.
            return
        faults = self.reader.faults
        for book, sections in self._sections.items():
            for chapter in self._chapter_order.get(book, ()):
                if chapter not in sections:
                    faults.append(f"books.yaml: order.{book}: no chapter named {chapter!r}")
            for entry, _ in chain.from_iterable(sections.values()):
                for id_ in entry.see:
                    if (book, id_) not in self._file_by_entry or id_ == entry.id:
                        file = self._file_by_entry[book, entry.id]
                        faults.append(f"{file}: {entry.id}.see: no entry {id_!r} in {book}")
        file_by_entry = {
            key: file
            for files in (self._questions_by_entry, self._answers_by_entry)
            for key, (file, _) in files.items()
        }
        for (book, id_), file in file_by_entry.items():
            if (book, id_) not in self._file_by_entry:
                faults.append(f"{file}: no entry {id_!r} in {book}")

    def sort_entries(self) -> list[EntryWithConditions]:
        """Return all entries with their questions and answers, in the order given in `books.yaml`."""
        entries = []
        for book, sections in self._sections.items():
            order = self._chapter_order.get(book, ())
            names = [*order, *sorted(sections.keys() - order)]
            for entry, conditions in chain.from_iterable(sections[name] for name in names):
                _, questions = self._questions_by_entry.get((book, entry.id), ("", ()))
                _, answers = self._answers_by_entry.get((book, entry.id), ("", []))
                entry = entry._replace(sample_questions=dict(questions), answers=answers)
                entries.append((entry, conditions))
        return entries

    def _build_entries(
        self, records: Sequence[EntryRecord], book: str, chapter: Texts, parent: str
    ) -> Iterator[EntryWithConditions]:
        """Yield each entry, followed by the entries nested in it."""
        for record in records:
            conditions = _build_conditions(record)
            sources = record.sources or (self._own_file,)
            if not any(sources):
                self.reader.add_fault(record.id, "sources missing")
            entry = Entry(
                id=record.id,
                game=book,
                title=self._check_texts(record.title, f"{record.id}.title"),
                text=_unwrap_texts(self._check_texts(record.text, f"{record.id}.text")),
                older=[
                    OlderWording(
                        older.until, _unwrap_texts(self._check_texts(older.text, f"{record.id}.older.text"))
                    )
                    for older in record.older
                ],
                see=record.see,
                cards=record.cards,
                types=record.types,
                sources=[
                    self._format_source(source, f"{record.id}.sources")
                    for source in sources or record.sources
                ],
                short_sources=[self._format_short_source(source) for source in sources],
                reading=record.reading,
                aliases=record.aliases,
                chapter=chapter,
                parent=parent,
                sample_questions={},
                is_combination=len(conditions) > 1,
            )
            yield entry, conditions
            yield from self._build_entries(record.entries, book, chapter, record.id)

    def _check_texts(self, field: TextsField, path: str) -> Texts:
        """Return a text by language. Record a fault if the English text is missing."""
        texts: Texts = dict(field)
        if ENGLISH not in texts:
            self.reader.add_fault(path, f"{ENGLISH} missing")
        return texts

    def _format_source(self, source: str, path: str) -> Texts:
        """Return the title of a source by language, followed by the page of the rulebook if one is given.

        Args:
            source: the ID of the source and the page, as in `Base2E-RB p4`.
            path: the path of the field in the file, for faults.
        """
        code, _, page = source.partition(" ")
        if code not in self._sources and self._own_file:
            return {ENGLISH: source}
        if code not in self._sources:
            self.reader.add_fault(path, f"no source named {code!r}")
        return _add_page(self._sources.get(code, {}), page)

    def _format_short_source(self, source: str) -> Texts:
        """Return the short name of a source, by default its name without parts in brackets, with the page."""
        code, _, page = source.partition(" ")
        if code not in self._sources and self._own_file:
            return {ENGLISH: source}
        if code in self._short_sources:
            return _add_page(self._short_sources[code], page)
        names = self._sources.get(code, {})
        return _add_page({language: _BRACKETED_TEXT.sub("", name) for language, name in names.items()}, page)


def _add_page(names: Texts, page: str) -> Texts:
    return {language: f"{name} {page}".rstrip() for language, name in names.items()}


def _build_lexicon(file: BooksFile) -> QueryLexicon:
    synonyms = {
        book: sorted(
            ((_pad(fold(synonym)), _pad(fold(word))) for word, others in words for synonym in others),
            key=lambda pair: _longest_first(pair[0]),
        )
        for book, words in file.synonyms
    }
    stop_words, definition_words, kind_words = (
        [phrase for _, phrases in field for phrase in phrases]
        for field in (file.stop_words, file.definition_words, file.card_kind_words)
    )
    game_names = [(name, game) for game, names in file.game_names for name in names]
    return QueryLexicon(
        synonyms,
        _build_stop_words(stop_words),
        _build_stop_words([*stop_words, *definition_words]),
        _build_stop_words([*stop_words, *definition_words, *kind_words]),
        _build_stop_words([*definition_words, *kind_words]),
        [fold(name) for _, names in file.ambiguous_names for name in names],
        tuple(particle for _, particles in file.particles for particle in particles),
        sorted(game_names, key=lambda pair: -len(pair[0])),
        [
            list(map(fold, translations))
            for translations in zip(*(words for _, words in file.card_kind_words), strict=True)
        ],
        _fold_phrases(file.chatter),
        _fold_phrases(file.card_list_words),
        [(selector, _fold_phrases(phrases)) for selector, phrases in file.selectors],
        _fold_phrases(file.interrogatives),
        {type_: {language: fold(word) for language, word in words} for type_, words in file.type_words},
    )


def _fold_phrases(field: PhrasesField) -> list[str]:
    """Return all phrases of a field, folded and padded, except those that consist only of punctuation."""
    folded = (fold(phrase) for _, phrases in field for phrase in phrases)
    return [_pad(phrase) for phrase in folded if phrase]


def _pad(word: str) -> str:
    """Put a space on each side of a word in a script with spaces, so that only whole words match."""
    return f" {word} " if is_spaced(word) else word


def _build_stop_words(words: Iterable[str]) -> StopWords:
    folded = {fold(word) for word in words}
    stems = {stem for word in folded if is_spaced(word) for stem in tokenize(word)}
    phrases = [word for word in folded if not is_spaced(word)]
    return StopWords(sorted(stems), sorted(phrases, key=_longest_first))


def _longest_first(word: str) -> tuple[int, str]:
    """Return a sort key that puts longer words first."""
    return -len(word), word


def _unwrap_texts(texts: Texts) -> Texts:
    return {language: unwrap(text) for language, text in texts.items()}


def unwrap(text: str) -> str:
    """Return a text with every paragraph and list item on a single line.

    Line breaks within them become spaces, or are removed next to a character of a script without spaces.

    Args:
        text: the text as written in the file. List items begin with `- ` or `1. `.
    """
    lines: list[str] = []
    for line in text.strip().split("\n"):
        content = line.strip()
        is_item = re.match(r"(- |\d+\. )", content)
        if not content or is_item or not lines or not lines[-1]:
            indent = "  " * ((len(line) - len(line.lstrip())) // 2) if is_item else ""
            lines.append(indent + content)
        else:
            is_unspaced = is_unspaced_script(lines[-1][-1]) or is_unspaced_script(content[0])
            lines[-1] += content if is_unspaced else f" {content}"
    return "\n".join(lines)


def _build_conditions(record: EntryRecord) -> Conditions:
    if record.applies:
        return [[condition] for condition in record.applies]
    alternatives = []
    if record.cards:
        alternatives.append(Condition(card=record.cards))
    if record.types:
        alternatives.append(Condition(type=record.types))
    return [alternatives] if alternatives else []


def _collect_names(games: Sequence[Game], languages: Collection[str]) -> Mapping[str, Collection[str]]:
    """Return all names that entries may refer to, by the name of their `NewType`."""
    names: dict[str, set[str]] = defaultdict(set)
    names["LanguageName"].update(languages)
    for game in games:
        setups = [("", game.opening), *game.setup.items()]
        choices = [
            choice for card, effects in setups for effect in effects if (choice := effect.choice(card))
        ]
        slots = {choice.slot for choice in choices}
        decks = {choice.slot for choice in choices if choice.to == "deck"}
        names["CardName"].update(game.cards)
        names["TypeName"].update(type_ for card in game.cards.values() for type_ in card.types)
        names["KindName"].update(game.kinds)
        names["ThingName"] |= {*game.components, *decks}
        names["MarkName"] |= {*slots, *game.cards}
        names["DecisionName"] |= {question.question for question in list_questions(game.opening)}
    return names
