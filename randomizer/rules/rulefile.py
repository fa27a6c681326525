"""Reads the rulebooks' files. Runs only when one of them has changed."""

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, NewType

from randomizer.cards.game import Game
from randomizer.cards.model import CardName, TypeName
from randomizer.deal.growing import list_questions
from randomizer.load.yaml_reader import YamlReader
from randomizer.rules.applying import Condition, Conditions
from randomizer.rules.entry import Entry, Older, QueryLexicon, StopWords, Texts
from randomizer.text.folding import fold, is_spaced, is_unspaced_script, tokenize
from randomizer.text.language import ENGLISH

_BRACKETS = re.compile(r" ?[(（].*?[)）]")
LanguageName = NewType("LanguageName", str)  # its code
AsksLine = tuple[tuple[LanguageName, tuple[str, ...]], ...]  # questions by language
TextsLine = tuple[tuple[LanguageName, str], ...]  # a text by language, as the files have it


class OlderLine(NamedTuple):
    """How a rule was until a year (or month)."""

    until: str
    text: TextsLine


class EntryLine(NamedTuple):
    """An entry of a chapter.

    `applies` are conditions that all have to hold for the entry to matter to a table; without them it
    is enough that one of its `cards` or `types` is there.
    """

    id: str
    title: TextsLine
    text: TextsLine
    sources: tuple[str, ...]
    reading: str = ""
    aliases: tuple[str, ...] = ()
    asks: AsksLine = ()
    older: tuple[OlderLine, ...] = ()
    see: tuple[str, ...] = ()
    cards: tuple[CardName, ...] = ()
    types: tuple[TypeName, ...] = ()
    applies: tuple[Condition, ...] = ()
    entries: "tuple[EntryLine, ...]" = ()


class Chapter(NamedTuple):
    """A file of a rulebook."""

    chapter: TextsLine
    entries: tuple[EntryLine, ...]


class Books(NamedTuple):
    """The books, the default game first; what sources are called, in full and in short; how people ask."""

    books: tuple[tuple[str, TextsLine], ...]
    sources: tuple[tuple[str, TextsLine], ...]
    short: tuple[tuple[str, TextsLine], ...] = ()
    words: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...] = ()
    noise: AsksLine = ()
    about: AsksLine = ()
    kinds: AsksLine = ()
    ordinary: AsksLine = ()
    particles: AsksLine = ()
    called: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Rulebooks(NamedTuple):
    """What the files say.

    Attributes:
        titles: of the games, the default one first.
        entries: all of them, book by book, in the order of the files.
        conditions: what each entry asks of a table for it to matter there; of most, nothing.
        speech: how people ask.
    """

    titles: Mapping[str, Texts]
    entries: Sequence[Entry]
    conditions: Sequence[Conditions]
    lexicon: QueryLexicon = QueryLexicon()


def read_books(paths: Sequence[str], games: Sequence[Game], languages: Collection[str]) -> Rulebooks:
    """The rulebooks.

    Args:
        paths: of the list of books, then of the chapters, each in its book's folder.
        games: the games whose cards the entries concern.
        languages: the codes of the languages that a text may be in.

    Raises:
        BadData: with every fault of all the files.
        OSError: a file cannot be read.
    """
    books = _Books(paths[0])
    for path in paths[1:]:
        books.read(path)
    books.follow_links()
    books.reader.check_names(_known(games, languages))
    entries = [line for book in books.entries.values() for line in book]
    return Rulebooks(
        books.titles, [entry for entry, _ in entries], [asks for _, asks in entries], books.speech
    )


class _Books:
    """The books, as far as they have been read."""

    def __init__(self, path: str) -> None:
        self.reader = YamlReader(multiline=True)
        listed: Books = self.reader.read_file(path, Books) or Books((), ())
        self.speech = _speech(listed)
        self.titles = {book: self._texts(title, f"books.{book}") for book, title in listed.books}
        self.sources = {code: self._texts(name, f"sources.{code}") for code, name in listed.sources}
        self.short = {code: self._texts(name, f"short.{code}") for code, name in listed.short}
        for code in self.short.keys() - self.sources.keys():
            self.reader.add_fault(f"short.{code}", f"no source named {code!r}")
        self.entries: dict[str, list[tuple[Entry, Conditions]]] = {book: [] for book in self.titles}
        self.files: dict[tuple[str, str], str] = {}

    def read(self, path: str) -> None:
        """Add the entries of a chapter to its book."""
        chapter: Chapter | None = self.reader.read_file(path, Chapter)
        book = os.path.basename(os.path.dirname(path))
        if book not in self.titles:
            self.reader.add_fault("", f"no book named {book!r} in books.yaml")
        elif chapter is not None:
            title = self._texts(chapter.chapter, "chapter")
            for entry, conditions in self._entries(chapter.entries, book, title, ""):
                if (book, entry.id) in self.files:
                    self.reader.add_fault(entry.id, f"defined before, in {self.files[book, entry.id]}")
                self.files[book, entry.id] = os.path.basename(path)
                self.entries[book].append((entry, conditions))

    def follow_links(self) -> None:
        """Note every link that leads to no other entry of its book."""
        for book, entries in self.entries.items():
            for entry, _ in entries:
                for see in entry.see:
                    if (book, see) not in self.files or see == entry.id:
                        file = self.files[book, entry.id]
                        self.reader.faults.append(f"{file}: {entry.id}.see: no entry {see!r} in {book}")

    def _entries(
        self, lines: Sequence[EntryLine], book: str, chapter: Texts, parent: str
    ) -> Iterator[tuple[Entry, Conditions]]:
        """Entries and their sub-entries, one after the other."""
        for line in lines:
            conditions = _conditions(line)
            entry = Entry(
                id=line.id,
                game=book,
                title=self._texts(line.title, f"{line.id}.title"),
                text=_flowing(self._texts(line.text, f"{line.id}.text")),
                older=[
                    Older(older.until, _flowing(self._texts(older.text, f"{line.id}.older.text")))
                    for older in line.older
                ],
                see=line.see,
                cards=line.cards,
                types=line.types,
                sources=[self._source(cited, f"{line.id}.sources") for cited in line.sources],
                cited=[self._cited(cited) for cited in line.sources],
                reading=line.reading,
                aliases=line.aliases,
                chapter=chapter,
                parent=parent,
                asks=dict(line.asks),
                meeting=len(conditions) > 1,
            )
            yield entry, conditions
            yield from self._entries(line.entries, book, chapter, line.id)

    def _texts(self, line: TextsLine, path: str) -> Texts:
        """The text by language; a fault where there is no English one."""
        texts: Texts = dict(line)
        if ENGLISH not in texts:
            self.reader.add_fault(path, f"{ENGLISH} missing")
        return texts

    def _source(self, cited: str, path: str) -> Texts:
        """What a source is called, with the page that is cited: `fide 3.3`."""
        code, _, page = cited.partition(" ")
        if code not in self.sources:
            self.reader.add_fault(path, f"no source named {code!r}")
        name = self.sources.get(code, {})
        return {language: f"{text} {page}".rstrip() for language, text in name.items()}

    def _cited(self, cited: str) -> Texts:
        """The same in a word or two."""
        code, _, page = cited.partition(" ")
        whole = {language: _BRACKETS.sub("", text) for language, text in self.sources.get(code, {}).items()}
        name = self.short.get(code, whole)
        return {language: f"{text} {page}".rstrip() for language, text in name.items()}


def _speech(listed: Books) -> QueryLexicon:
    said = {
        book: [(_apart(fold(other)), _apart(fold(word))) for word, others in words for other in others]
        for book, words in listed.words
    }
    noise, about, kinds = (
        [word for _, words in of for word in words] for of in (listed.noise, listed.about, listed.kinds)
    )
    return QueryLexicon(
        {book: sorted(pairs, key=lambda pair: _longest(pair[0])) for book, pairs in said.items()},
        _spoken(noise),
        _spoken([*noise, *about]),
        _spoken([*noise, *about, *kinds]),
        _spoken([*about, *kinds]),
        [fold(name) for _, names in listed.ordinary for name in names],
        tuple(part for _, parts in listed.particles for part in parts),
        sorted(
            ((name, game) for game, names in listed.called for name in names), key=lambda one: -len(one[0])
        ),
        [list(map(fold, same)) for same in zip(*(words for _, words in listed.kinds), strict=True)],
    )


def _apart(word: str) -> str:
    """A word with the spaces that are around it in a text that has any."""
    return f" {word} " if is_spaced(word) else word


def _spoken(words: Iterable[str]) -> StopWords:
    folded = {fold(word) for word in words}
    stems = {stem for word in folded if is_spaced(word) for stem in tokenize(word)}
    return StopWords(sorted(stems), sorted((word for word in folded if not is_spaced(word)), key=_longest))


def _longest(word: str) -> tuple[int, str]:
    """To put the longest words first."""
    return -len(word), word


def _flowing(texts: Texts) -> Texts:
    return {code: flowing(text) for code, text in texts.items()}


def flowing(text: str) -> str:
    """The text with every paragraph and list item on one line of its own.

    Args:
        text: as the files have it: items begin with `- ` or `1. `. A line break within them is a space,
            but nothing beside a character of a script without spaces.
    """
    lines: list[str] = []
    for line in text.strip().split("\n"):
        words = line.strip()
        begins = re.match(r"(- |\d+\. )", words)
        if not words or begins or not lines or not lines[-1]:
            indent = "  " * ((len(line) - len(line.lstrip())) // 2) if begins else ""
            lines.append(indent + words)
        else:
            lines[-1] += (
                "" if is_unspaced_script(lines[-1][-1]) or is_unspaced_script(words[0]) else " "
            ) + words
    return "\n".join(lines)


def _conditions(line: EntryLine) -> Conditions:
    if line.applies:
        return [[condition] for condition in line.applies]
    either = [Condition(card=line.cards)] * bool(line.cards) + [Condition(type=line.types)] * bool(line.types)
    return [either] if either else []


def _known(games: Sequence[Game], languages: Collection[str]) -> Mapping[str, Collection[str]]:
    """Every name that an entry may say, by its sort."""
    known: dict[str, set[str]] = defaultdict(set)
    known["LanguageName"].update(languages)
    for game in games:
        asking = [("", game.opening), *game.setup.items()]
        choices = [
            choice for name, effects in asking for effect in effects if (choice := effect.choice(name))
        ]
        slots = {choice.slot for choice in choices}
        decks = {choice.slot for choice in choices if choice.to == "deck"}
        known["CardName"].update(game.cards)
        known["TypeName"].update(type_ for card in game.cards.values() for type_ in card.types)
        known["KindName"].update(game.kinds)
        known["ThingName"] |= {*game.components, *decks}
        known["MarkName"] |= {*slots, *game.cards}
        known["DecisionName"] |= {question.question for question in list_questions(game.opening)}
    return known
