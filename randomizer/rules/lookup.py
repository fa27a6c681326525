"""Answers from the rulebooks, as data: to a query, for a table, or everything there is."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from randomizer.load import paths
from randomizer.load.cache import PACKAGES, open_or_compute
from randomizer.rules.entry import ABOUT, Entry, Texts, excerpt
from randomizer.rules.index import Index
from randomizer.rules.search import Found, look_up
from randomizer.text.errors import UnknownName
from randomizer.text.folding import fold
from randomizer.text.language import ENGLISH, JoinedList, Message, message, quote

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

_FAINTLY = 0.6  # how unlike a name a query may be spelt to be worth a question back
_MOST_CLOSE = 3  # names that are spelt like what nothing is called
_MOST_NEAR = 3  # entries on a card's page that are shown for the question asked, besides the first
_MOST_UNKNOWN = 3  # words that no book knows, of which people are told


def open_index(cache: str | None = None) -> "Index":
    """The index of all rulebooks.

    Args:
        cache: the folder of the cache; by default the user's own.

    Raises:
        BadData: a rulebook's file has faults.
    """
    books = list_rule_files()

    def make() -> bytes:
        from randomizer.load.games import list_games, load
        from randomizer.load.languages import list_codes, load_all_card_names
        from randomizer.rules.index_builder import make_index
        from randomizer.rules.rulefile import read_books

        known = [load(name, cache=cache) for name in list_games()]
        translated = list(load_all_card_names(known[0], cache).values())
        return make_index(read_books(books, known, list_codes()), known, translated)

    return Index(
        open_or_compute("rules", [*books, *_named_files()], make, cache, packages=(*PACKAGES, "rules"))
    )


def list_rule_files() -> list[str]:
    """The rulebooks' files: the list of books, then the chapters."""
    folder = os.path.join(paths.data_folder(), "rules")
    books = sorted(book for book in os.listdir(folder) if "." not in book)
    chapters = [
        os.path.join(folder, book, file)
        for book in books
        for file in sorted(os.listdir(os.path.join(folder, book)))
    ]
    return [os.path.join(folder, "books.yaml"), *(path for path in chapters if path.endswith(".yaml"))]


def _named_files() -> list[str]:
    """The files of the games and languages; the rulebooks name their cards, kinds and codes."""
    folder = paths.data_folder()
    return [os.path.join(folder, file) for file in paths.data_files() if file.endswith(".yaml")]


class EntryList(NamedTuple):
    """Entries under a heading, each in a line, in full (`whole`), or by its title alone.

    Attributes:
        excerpts: by id, what an entry says of the question, if it was found by that.
    """

    heading: str | Message
    entries: Sequence[Entry]
    told: Literal["line", "whole", "title"] = "line"
    excerpts: Mapping[str, Texts] = {}

    @property
    def whole(self) -> bool:
        """Whether each is told in full."""
        return self.told == "whole"


class Answer(NamedTuple):
    """What was found.

    Attributes:
        facts: what a program is told besides the entries: the query and how it was understood, or the table.
        lists: the entries, best first.
        card: the English name of the card whose page is the answer, if one's is.
        asides: what to tell whoever asked, and no part of the answer.
    """

    facts: Mapping[str, str | bool]
    lists: Sequence[EntryList]
    card: str = ""
    asides: Sequence[Message] = ()

    def __bool__(self) -> bool:
        return bool(self.card) or any(each.entries for each in self.lists)


def answer_query(index: Index, query: str, game: str | None = None) -> Answer:
    """What answers a term or a question.

    Args:
        query: in any language.
        game: look only into its book; by default into the default game's, and where that has nothing
            into the others.
    """
    found = look_up(index, query, game)
    entries = [index.entry(number) for number in found.entries]
    facts: dict[str, str | bool] = {"query": query, "match": found.match, "sure": found.sure}
    asides = list(_asides(index, query, found, entries[0].game if entries and not game else "", game))
    says = {
        entry.id: excerpt(entry.text, sentence)
        for entry, sentence in zip(entries, found.sentences, strict=False)
        if sentence != ABOUT
    }
    if found.card:
        near = entries[1:] if found.said and not found.sure else []
        page = _page(index, found.card, entries[:1], near, sure=found.sure)
        page = [each._replace(excerpts=says) for each in page]
        return Answer({**facts, "card": found.card}, page, found.card, asides)
    first = [EntryList("", entries[:1], "whole")] if found.sure else []
    rest = EntryList("More" if first else "", entries[len(first) :], excerpts=says)
    return Answer(facts, [*first, rest], asides=asides)


def has_rulebook(game: str) -> bool:
    """Whether there is a rulebook of the game."""
    return os.path.isdir(os.path.join(paths.data_folder(), "rules", game))


def card_page(index: Index, card: str) -> Answer:
    """The page of a card of the default game, by its English name."""
    return Answer({"card": card}, _page(index, card), card)


def _page(
    index: Index, card: str, asked: Sequence[Entry] = (), near: Sequence[Entry] = (), *, sure: bool = True
) -> list[EntryList]:
    """What there is on a card: its own entry, those with other cards, further ones, those on its types.

    Args:
        asked: an entry that was asked for, perhaps by its id; it is told as the card's own is, and before it
            if it is not about the card: nothing on the page answers as well.
        near: what may answer a question besides, be it on the card or a rule of the game; the best few of
            these come next.
        sure: whether those asked for are told in full.
    """
    default, *_ = index.titles
    leads = index.find_exact(fold(card)).entries.values()
    numbers = dict.fromkeys(
        number for numbers in leads for number in numbers if number in index.doc_id_ranges[default]
    )
    entries = list(map(index.entry, numbers))
    own = [entry for entry in entries if entry.title[ENGLISH] == card][:1]
    beyond = [entry for entry in asked if entry not in entries]
    first = [*beyond, *own, *(entry for entry in asked if entry not in [*beyond, *own])]
    near = [entry for entry in near if entry not in first][:_MOST_NEAR]
    others = [entry for entry in entries if entry not in [*first, *near]]
    types = [entry for entry in _of_its_types(index, card) if entry not in [*first, *near, *others]]
    return [
        EntryList("", first, "whole" if sure else "line"),
        EntryList("Close to the question", near),
        EntryList("With other cards", [entry for entry in others if entry.meeting]),
        EntryList("More", [entry for entry in others if not entry.meeting]),
        EntryList("On its types", types, "title"),
    ]


def _asides(
    index: Index, query: str, found: Found, game: str, within: str | None = None
) -> Iterator[Message]:
    """What to tell whoever asked: that it is a guess, or from another game, or that nothing answers.

    Args:
        game: which the answer is from.
        within: only in the book of this one was it looked for.
    """
    default, *_ = index.titles
    if not found.sure and (found.said or not found):
        from randomizer.rules.question import unknown  # which names need not

        words = unknown(index, query)[:_MOST_UNKNOWN] if found or found.nearest else []
        if words:
            yield message("no rulebook knows {words}.", words=JoinedList(tuple(map(quote, words))))
    if found.match == "fuzzy" and found.said:
        yield message("no entry answers just that; a guess:")
    elif found.match == "fuzzy":
        meant = found.card or index.entry(found.entries[0]).title
        yield message("nothing is called {query}; a guess: {meant}.", query=quote(query), meant=meant)
    if game not in ("", default, found.named):
        here, there = (index.titles[name] for name in (default, game))
        yield message("nothing in {here}; from {there}:", here=here, there=there)
    if found.card and not found.entries:
        yield message("no entry is about {card} itself; this is its page.", card=found.card)
    if found.nearest:
        nearest = JoinedList(tuple(index.entry(number).title for number in found.nearest))
        yield message("nothing answers that; what comes nearest: {nearest}.", nearest=nearest)
    elif not found:
        close = _close(index, query, index.titles if within is None else [within])
        hint = message("`rules --list` lists what there is")
        yield UnknownName("rule", query, close, hint).message


def _close(index: Index, query: str, games: Collection[str]) -> list[str | Texts]:
    """The titles of entries of these games, or names of cards, that are spelt a little like the query."""
    default, *_ = index.titles
    close: dict[str, str | Texts] = {}
    for _, key in index.closest_names(fold(query), _FAINTLY):
        leads = index.find_exact(key)
        numbers = [number for several in leads.entries.values() for number in several]
        if here := [
            number for number in numbers if any(number in index.doc_id_ranges[game] for game in games)
        ]:
            title = index.entry(here[0]).title
            close[title[ENGLISH]] = title
        elif leads.cards and default in games:
            card = next(iter(leads.cards))
            close.setdefault(card, card)
    return list(close.values())[:_MOST_CLOSE]


def answer_table(index: Index, setup: "Setup") -> Answer:
    """The entries that apply to the table of a setup document, in the order of a card's page.

    Raises:
        UnknownName: there are no data for its game.
    """
    from randomizer.load.games import load
    from randomizer.rules.applying import find_applicable_entries, list_table_items
    from randomizer.setup.dealt import again

    game = load(setup["game"])
    found = find_applicable_entries(
        index.entries_with_conditions(game.name), list(list_table_items(setup, game))
    )
    lists = [
        EntryList("Cards on this table", found.card),
        EntryList("Together on this table", found.meeting),
        EntryList("What they use", found.table),
        EntryList("What sort of cards they are", found.type),
    ]
    return Answer({"seed": setup["seed"], "command": again(game, setup)}, lists)


def list_entries(index: Index, game: str | None = None, named: str = "") -> Answer:
    """All entries of the game, or of all games, by chapter.

    Args:
        named: only those that have this in a name of theirs or of their chapter.
    """
    chapters: dict[str, tuple[Message, list[Entry]]] = {}
    wanted = fold(named)
    for name in [game] if game else index.titles:
        for entry in index.entries(name):
            names = (entry.id, entry.reading, *entry.aliases, *entry.title.values(), *entry.chapter.values())
            if any(wanted in fold(called) for called in names):
                heading = message("{book}: {chapter}", book=index.titles[name], chapter=entry.chapter)
                chapters.setdefault(str(heading), (heading, []))[1].append(entry)
    asides = () if chapters else (message("no rule has {name} in its name.", name=quote(named)),)
    return Answer({}, [EntryList(heading, entries) for heading, entries in chapters.values()], asides=asides)


def _of_its_types(index: Index, card: str) -> list[Entry]:
    """The entries on the types of a card."""
    from randomizer.load.games import load

    default, *_ = index.titles
    numbers = index.find_by_types(load().cards[card].types)
    return [index.entry(number) for number in numbers if number in index.doc_id_ranges[default]]
