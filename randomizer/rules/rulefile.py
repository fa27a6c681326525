"""Reads the rulebooks' files. Runs only when one of them has changed."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, NewType

from randomizer.cards.game import Game
from randomizer.cards.model import CardName, KindName, TypeName
from randomizer.deal.growing import questions
from randomizer.load.yaml_reader import Reader

MarkName = NewType("MarkName", str)
ThingName = NewType("ThingName", str)  # a component or a deck
DecisionName = NewType("DecisionName", str)


class Both(NamedTuple):
    """A text in both languages."""

    en: str
    ja: str


class Older(NamedTuple):
    """How a rule was until a year (or month)."""

    until: str
    text: Both


class Condition(NamedTuple):
    """What one thing on a table has to be, all of it at once; of several values, any one."""

    card: tuple[CardName, ...] = ()
    type: tuple[TypeName, ...] = ()
    kind: tuple[KindName, ...] = ()
    component: tuple[ThingName, ...] = ()
    mark: tuple[MarkName, ...] = ()
    place: tuple[Literal["kingdom", "supply", "beside", "aside", "deck", "trash", "start"], ...] = ()
    players: tuple[int, ...] = ()
    decision: tuple[DecisionName, ...] = ()


class EntryLine(NamedTuple):
    """An entry of a chapter.

    `applies` are conditions that all have to hold for the entry to matter to a table; without them it
    is enough that one of its `cards` or `types` is there.
    """

    id: str
    title: Both
    text: Both
    sources: tuple[str, ...]
    reading: str = ""
    aliases: tuple[str, ...] = ()
    older: tuple[Older, ...] = ()
    see: tuple[str, ...] = ()
    cards: tuple[CardName, ...] = ()
    types: tuple[TypeName, ...] = ()
    applies: tuple[Condition, ...] = ()
    entries: "tuple[EntryLine, ...]" = ()


class Chapter(NamedTuple):
    """A file of a rulebook."""

    chapter: Both
    entries: tuple[EntryLine, ...]


class Books(NamedTuple):
    """The list of books: the games, the default one first, and what sources are called."""

    books: tuple[tuple[str, Both], ...]
    sources: tuple[tuple[str, Both], ...]


def read_books(paths: list[str], games: Sequence[Game]) -> tuple[dict[str, Both], list[dict[str, Any]]]:
    """The games' titles, and all entries in the order of the books, as `search` finds them.

    Args:
        paths: of the list of books, then of the chapters, each in its book's folder.
        games: the games whose cards the entries concern.

    Raises:
        BadData: with every fault of all the files.
        OSError: a file cannot be read.
    """
    reader = Reader()
    books: Books = reader.file(paths[0], Books) or Books((), ())
    chapters: dict[str, list[tuple[str, Chapter]]] = {name: [] for name, _ in books.books}
    for path in paths[1:]:
        chapter = reader.file(path, Chapter)
        if chapter is not None:
            chapters.setdefault(os.path.basename(os.path.dirname(path)), []).append((path, chapter))
    sources = dict(books.sources)
    entries: list[dict[str, Any]] = []
    for book, parts in chapters.items():
        if book not in dict(books.books):
            reader.fault("", f"the folder {book!r} is no book of books.yaml")
        own: dict[str, dict[str, Any]] = {}
        for _, chapter in parts:
            for entry in _entries(chapter.entries, book, chapter.chapter, sources, ""):
                if entry["id"] in own:
                    reader.fault(entry["id"], "stands twice")
                own[entry["id"]] = entry
        for entry in own.values():
            for see in entry["see"]:
                if see not in own or see == entry["id"]:
                    reader.fault(f"{entry['id']}.see", f"no entry {see!r} in {book}")
            for code in entry.pop("unknown"):
                reader.fault(f"{entry['id']}.sources", f"no source named {code!r}")
        entries += own.values()
    reader.finish(_known(games))
    return dict(books.books), entries


def _entries(
    lines: tuple[EntryLine, ...], book: str, chapter: Both, sources: Mapping[str, Both], parent: str
) -> Iterator[dict[str, Any]]:
    """Entries and their sub-entries, one after the other."""
    for line in lines:
        codes = [source.partition(" ") for source in line.sources]
        yield {
            "id": line.id,
            "game": book,
            "title": line.title._asdict(),
            "text": {"en": flowing(line.text.en, " "), "ja": flowing(line.text.ja, "")},
            "older": [
                {"until": older.until, "en": flowing(older.text.en, " "), "ja": flowing(older.text.ja, "")}
                for older in line.older
            ],
            "see": list(line.see),
            "cards": list(line.cards),
            "types": list(line.types),
            "sources": [
                {
                    "en": " ".join((sources[code].en, *filter(None, [page]))),
                    "ja": " ".join((sources[code].ja, *filter(None, [page]))),
                }
                for code, _, page in codes
                if code in sources
            ],
            "unknown": [code for code, _, _ in codes if code not in sources],
            "applies": _conditions(line),
            "reading": line.reading,
            "aliases": list(line.aliases),
            "chapter": chapter._asdict(),
            "parent": parent,
            "parts": [part.id for part in line.entries],
        }
        yield from _entries(line.entries, book, chapter, sources, line.id)


def _conditions(line: EntryLine) -> list[list[dict[str, list[Any]]]]:
    """Conditions that all have to hold, each as alternatives of which one has to."""

    def given(condition: Condition) -> dict[str, list[Any]]:
        return {part: list(wanted) for part, wanted in condition._asdict().items() if wanted}

    if line.applies:
        return [[given(condition)] for condition in line.applies]
    either = [Condition(card=line.cards), Condition(type=line.types)]
    alternatives = [given(condition) for condition in either if given(condition)]
    return [alternatives] if alternatives else []


def flowing(text: str, joint: str) -> str:
    """The text with every paragraph and list item on one line of its own.

    Args:
        text: as the files have it: items begin with `- ` or `1. `, a line break within them is a space.
        joint: what a line break stands for: a space, or nothing between Japanese characters.
    """
    lines: list[str] = []
    for line in text.strip().split("\n"):
        words = line.strip()
        begins = re.match(r"(- |\d+\. )", words)
        if not words or begins or not lines or not lines[-1]:
            indent = "  " * ((len(line) - len(line.lstrip())) // 2) if begins else ""
            lines.append(indent + words)
        else:
            latin = lines[-1][-1:].isascii() and words[:1].isascii()
            lines[-1] += (" " if latin else joint) + words
    return "\n".join(lines)


def _known(games: Sequence[Game]) -> dict[str, set[str]]:
    """Every name that an entry may say, by its sort."""
    known: dict[str, set[str]] = defaultdict(set)
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
        known["DecisionName"] |= {question.question for question in questions(game.opening)}
    return known
