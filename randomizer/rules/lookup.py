"""Finds the entries that answer a query or concern a card or table, or lists all entries."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from randomizer.load import paths
from randomizer.load.cache import PACKAGES, open_or_compute
from randomizer.rules.entry import SUBJECT_NUMBER, DirectAnswer, Entry, Texts
from randomizer.rules.index import Index
from randomizer.rules.search import SearchResult, look_up
from randomizer.rules.sentences import Passage, extract_passage, extract_passages
from randomizer.text.errors import BadOptions, UnknownName
from randomizer.text.folding import fold, is_spaced, tokenize
from randomizer.text.language import ENGLISH, JoinedList, Message, Verbatim, message, quote

if TYPE_CHECKING:
    from randomizer.setup.document import Setup

# The maximum normalized edit distance (0-1) between an unknown name and a suggested one. A higher value gives
# more suggestions, but more of them are wrong.
_MAX_SUGGESTION_DISTANCE = 0.6
_MAX_SUGGESTIONS = 3
_MAX_RELATED_ENTRIES = 3  # on a card's page, under `PERHAPS_HEADING`
_MAX_TABLE_ENTRIES = 10  # entries that concern both a query and a table
# The minimum part (0-1) of a query that an entry about the table has to contain, by weight.
_MIN_TABLE_COVERAGE = 0.6
TABLE_HEADING = "On this table"
PERHAPS_HEADING = "Perhaps also:"  # the heading for further entries that may answer the question
_EXAMPLE_COMMAND = Verbatim("`dominion-setup rules can I play two Actions`")
_MAX_REPORTED_WORDS = 3  # unknown words in a note to the user


def open_index(cache: str | None = None, extra_files: Sequence[str] = ()) -> "Index":
    """Open the search index of all rulebooks; build it first if it is missing or out of date.

    Args:
        cache: the cache folder; by default the user's own.
        extra_files: the paths of the user's own data files, whose cards and rule entries are included.

    Raises:
        BadData: a file is invalid.
        BadOptions: a file of the user is not a regular file, so that it can't be read several times.
    """
    files, own_files = list_rule_files(), list(map(os.path.abspath, extra_files))
    if own_files:
        _check_own_files(extra_files, cache)

    def build() -> bytes:
        from randomizer.load.games import list_games, load
        from randomizer.load.languages import list_codes, load_all, load_all_card_names
        from randomizer.rules.index_builder import build_index, build_terms
        from randomizer.rules.rulefile import read_books

        default_game, *other_games = list_games()
        games = [load(default_game, own_files, cache), *(load(name, cache=cache) for name in other_games)]
        books = read_books(files, games, list_codes(), own_files)
        # Names in languages without rulebooks would be confused with words of questions.
        names, codes = load_all_card_names(games[0], cache), books.titles[default_game]
        terms = build_terms(games[0].cards.values(), names, load_all(games[0], cache))
        return build_index(books, games, [names[code] for code in codes], terms)

    sources = [*files, *_list_game_files(), *own_files]
    # Indexes with different files of the user must not displace the one without.
    name = "rules.own" if own_files else "rules"
    index_file = open_or_compute(name, sources, build, cache, packages=(*PACKAGES, "rules"))
    return Index(index_file, tuple(extra_files))


def _check_own_files(files: Sequence[str], cache: str | None) -> None:
    """Check that the user's own data files are valid, and that they can be read several times.

    Raises:
        BadData: a file is invalid or missing.
        BadOptions: a file is a pipe or a device.
    """
    from randomizer.load.games import load

    for file in files:
        if os.path.exists(file) and not os.path.isfile(file):
            template = "{file} is not a regular file; save it as one to look up its rules."
            raise BadOptions(template, file=Verbatim(file))
    load("", files, cache)


def list_rule_files() -> list[str]:
    """Return the path of the list of books, followed by the paths of the rulebooks' other files."""
    folder = os.path.join(paths.data_folder(), "rules")
    files = sorted(
        os.path.join(parent, file)
        for parent, _, names in os.walk(folder)
        for file in names
        if parent != folder and file.endswith(".yaml")
    )
    return [os.path.join(folder, "books.yaml"), *files]


def _list_game_files() -> list[str]:
    """Return the paths of the games' and languages' files, whose cards and codes the rulebooks refer to."""
    folder = paths.data_folder()
    return [os.path.join(folder, file) for file in paths.data_files() if file.endswith(".yaml")]


Certainty = Literal["sure", "likely", "guess", "none"]
PassageByLanguage = Mapping[str, Passage]  # a passage by language code


class EntryList(NamedTuple):
    """Entries under a heading.

    Attributes:
        heading: the heading; empty if there is none.
        entries: the entries, best match first.
        layout: how each entry is shown: in full ("whole"), as the paragraph that answers the question
            ("answer"), as its title and a sentence ("line"), or as its "title" alone.
        passages: the passages that answer the question, by entry ID; empty unless the search was by text.
    """

    heading: str | Message
    entries: Sequence[Entry]
    layout: Literal["whole", "answer", "line", "title"] = "line"
    passages: Mapping[str, PassageByLanguage] = {}

    @property
    def is_in_full(self) -> bool:
        """Whether each entry is shown in full."""
        return self.layout == "whole"


class Answer(NamedTuple):
    """An answer from the rulebooks.

    Attributes:
        facts: additional fields for the JSON output: the query and how it was matched, or the table.
        lists: the entries, best match first.
        card: the English name of the card whose page is the answer; empty if the answer is not such a page.
        notes: remarks for the user that are not part of the answer.
        certainty: how certain it is that the first entry answers the query.
        is_in_full: whether the first entry is shown in full, because it is probably what the user meant.
        unknown_words: words of the query that no rulebook mentions.
        direct_answer: the direct answer to the question, if there is one.
        similar_answer: the direct answer to a similar question, whose sentence probably answers this one.
        opening: the passage of the first entry that probably decides the question, by language; empty if it
            is unknown, or if the entry begins with it.
        further_passages: other passages of the first entry that may answer the question, best first.
        is_by_text: whether the entries were found by their text rather than by a name.
        language: the code of the language of the question; empty for a name.
        selector: the selector for the cards that the question asks to list; empty if it asks for no list.
        table_entries: the entries that concern both the query and a table, if one was given.
    """

    facts: Mapping[str, str]
    lists: Sequence[EntryList]
    card: str = ""
    notes: Sequence[Message] = ()
    certainty: Certainty = "sure"
    is_in_full: bool = True
    unknown_words: Sequence[str] = ()
    direct_answer: DirectAnswer | None = None
    similar_answer: DirectAnswer | None = None
    opening: Mapping[str, Passage] = {}
    further_passages: Sequence[PassageByLanguage] = ()
    is_by_text: bool = False
    language: str = ""
    selector: str = ""
    table_entries: Sequence[Entry] = ()

    def __bool__(self) -> bool:
        return bool(self.card) or any(entry_list.entries for entry_list in self.lists)

    @property
    def first_entry(self) -> Entry | None:
        """The entry that answers the query best; None if there are no entries."""
        return next((entry for entry_list in self.lists for entry in entry_list.entries), None)

    @property
    def is_uncertain(self) -> bool:
        """Whether to warn the user that the first entry may not be what they meant."""
        return bool(self.first_entry) and not self.is_in_full and (self.certainty == "guess" or not self.card)

    @property
    def passages(self) -> PassageByLanguage:
        """The passage of the first entry that answers the question, by default the first one, by language."""
        if not self.first_entry:
            return {}
        passages_by_id = next((each.passages for each in self.lists if self.first_entry in each.entries), {})
        first_sentences = {
            language: extract_passage(text, 0) for language, text in self.first_entry.text.items()
        }
        return {**first_sentences, **passages_by_id.get(self.first_entry.id, {})}


def answer_query(index: Index, query: str, game: str | None = None) -> Answer:
    """Answer a question, or look up a name.

    Args:
        index: the search index.
        query: the query, in any language.
        game: the only game to search. By default, the default game is searched first, and then the others.
    """
    folded, lexicon = fold(query), index.lexicon
    language = _detect_language(index, folded)
    if lexicon.is_chatter(folded):
        hint = message("type a rule, a card or a question, as in {command}.", command=_EXAMPLE_COMMAND)
        return Answer(
            {"query": query, "match": "none"},
            [],
            notes=[hint],
            certainty="none",
            language=language,
        )
    result = look_up(index, query, game)
    selector = "" if result.card else lexicon.find_card_selector(folded)
    if selector and not result.direct_answer:
        result = result._replace(is_in_full=False)
    entries = [index.entry(doc_id) for doc_id in result.doc_ids]
    certainty = _rate_certainty(result)
    facts: dict[str, str] = {"query": query, "match": result.match}
    answering_game = entries[0].game if entries and not game else ""
    searched_games = list(index.titles) if game is None else [game]
    unknown_words = _list_unknown_words(index, query, result)
    notes = list(_iter_notes(index, query, result, answering_game, searched_games, unknown_words))
    passages = {
        entry.id: extract_passages(entry.text, sentence)
        for entry, sentence in zip(entries, result.sentence_numbers, strict=False)
        if sentence != SUBJECT_NUMBER
    }
    if result.card:
        related = entries[1:] if result.is_by_text and not result.is_in_full else []
        lists = _list_card_entries(index, result.card, entries[:1], related, is_in_full=result.is_in_full)
        facts["card"] = result.card
    else:
        lists = [
            EntryList("", entries[:1], "whole" if result.is_in_full else "answer"),
            EntryList("More" if result.is_in_full else PERHAPS_HEADING, entries[1:]),
        ]
    lists = [entry_list._replace(passages=passages) for entry_list in lists]
    return Answer(
        facts,
        lists,
        result.card,
        notes,
        certainty,
        result.is_in_full,
        unknown_words,
        result.direct_answer,
        result.similar_answer,
        _choose_opening(entries[0], passages) if result.has_decisive_sentence else {},
        [extract_passages(entries[0].text, number) for number in result.further_sentence_numbers],
        is_by_text=bool(result.sentence_numbers),
        language=language,
        selector=selector,
    )


def _choose_opening(entry: Entry, passages: Mapping[str, PassageByLanguage]) -> PassageByLanguage:
    """Return the passages that answer a question, without lists and those that the entry begins with."""
    return {
        language: passage
        for language, passage in passages.get(entry.id, {}).items()
        if "\n" not in passage.text and passage.sentence not in entry.text[language].split("\n")[0]
    }


def _detect_language(index: Index, folded: str) -> str:
    """Return the language code of a folded query; empty for an English name, which anybody may type."""
    if not is_spaced(folded):
        titles = index.titles[index.default_game]
        return next((code for code, title in titles.items() if not is_spaced(title)), "")
    targets, stop_words = index.find_exact(folded), index.lexicon.stop_words.stems
    is_name = bool(targets.cards or targets.titled_doc_ids)
    return ENGLISH if not is_name and any(token in stop_words for token in tokenize(folded)) else ""


def _rate_certainty(result: SearchResult) -> Certainty:
    """Return how certain it is that the first entry answers the query; never `sure` for a corrected name."""
    if not result:
        return "none"
    if result.match != "fuzzy":
        return "sure" if result.is_in_full else "likely"
    return "likely" if result.is_in_full else "guess"


def has_rulebook(game: str) -> bool:
    """Check whether a game has a rulebook."""
    return os.path.isdir(os.path.join(paths.data_folder(), "rules", game))


def build_card_page(index: Index, card: str) -> Answer:
    """Build the page of the card of the default game with this English name."""
    return Answer({"card": card}, _list_card_entries(index, card), card)


def _list_card_entries(
    index: Index,
    card: str,
    requested: Sequence[Entry] = (),
    related: Sequence[Entry] = (),
    *,
    is_in_full: bool = True,
) -> list[EntryList]:
    """Return the entries on a card's page. The card's own entry is always shown in full.

    Args:
        index: the search index.
        card: the card's English name.
        requested: the entry that answers the query, if any. Unless it is the card's own, it comes first.
        related: further entries that may answer the query. At most `_MAX_RELATED_ENTRIES` are included.
        is_in_full: whether the requested entry is shown in full.
    """
    game_doc_ids = index.doc_id_ranges[index.default_game]
    doc_ids = index.find_exact(fold(card)).doc_ids
    entries = [index.entry(doc_id) for doc_id in doc_ids if doc_id in game_doc_ids]
    own_entries = [entry for entry in entries if entry.title[ENGLISH] == card][:1]
    requested = [entry for entry in requested if entry not in own_entries]
    first_entries = [*requested, *own_entries]
    related = [entry for entry in related if entry not in first_entries][:_MAX_RELATED_ENTRIES]
    others = [entry for entry in entries if entry not in [*first_entries, *related]]
    type_entries = [
        entry for entry in _list_type_entries(index, card) if entry not in [*first_entries, *related, *others]
    ]
    return [
        EntryList("", requested, "whole" if is_in_full else "answer"),
        EntryList("", own_entries, "whole"),
        EntryList(PERHAPS_HEADING, related),
        EntryList("With other cards", [entry for entry in others if entry.is_combination]),
        EntryList("More", [entry for entry in others if not entry.is_combination]),
        EntryList("About its types", type_entries, "title"),
    ]


def _list_type_entries(index: Index, card: str) -> list[Entry]:
    """Return the entries about the types of a card of the default game."""
    from randomizer.load.games import load

    game_doc_ids = index.doc_id_ranges[index.default_game]
    doc_ids = index.find_by_types(load("", index.extra_files).cards[card].types)
    return [index.entry(doc_id) for doc_id in doc_ids if doc_id in game_doc_ids]


def _list_unknown_words(index: Index, query: str, result: SearchResult) -> list[str]:
    """Return the first few words of a query that no rulebook mentions, except misspelt names."""
    if result.is_in_full or result.guessed_name:
        return []
    from randomizer.rules.question import find_unknown_words  # Queries by name do not need it.

    words = find_unknown_words(index, query) if result or result.nearest_doc_ids else []
    corrected = {fold(word) for words in result.corrections for word in words.split(" ")}
    return [word for word in words if fold(word) not in corrected][:_MAX_REPORTED_WORDS]


def _iter_notes(
    index: Index,
    query: str,
    result: SearchResult,
    answering_game: str,
    searched_games: Sequence[str],
    unknown_words: Sequence[str],
) -> Iterator[Message]:
    """Yield notes on a search: about corrected words, an answer from another game, or the lack of an answer.

    Args:
        index: the search index.
        query: the query as it was typed.
        result: the result of the search.
        answering_game: the game that the answer is from; empty if the user chose the game.
        searched_games: the games that were searched.
        unknown_words: words of the query that no rulebook mentions.
    """
    if unknown_words:
        yield message("no rulebook mentions {words}.", words=JoinedList(tuple(map(quote, unknown_words))))
    for word, correction in result.corrections.items():
        yield message("{word} was read as {correction}.", word=quote(word), correction=quote(correction))
    if result.match == "fuzzy" and not result.is_by_text:
        matched_name = result.card or index.entry(result.doc_ids[0]).title
        yield message(
            "no entry is called {query}; closest match: {meant}.", query=quote(query), meant=matched_name
        )
    if answering_game not in ("", index.default_game, result.named_game):
        default_title, other_title = index.titles[index.default_game], index.titles[answering_game]
        yield message("nothing found in {here}; from {there}:", here=default_title, there=other_title)
    if result.card and not result.doc_ids:
        yield message("{card} has no entry of its own; here is its card page.", card=result.card)
    if result.nearest_doc_ids:
        nearest_titles = JoinedList(tuple(index.entry(doc_id).title for doc_id in result.nearest_doc_ids))
        yield message("no entry answers that; closest matches: {nearest}.", nearest=nearest_titles)
    elif not result:
        hint = message("`rules --list` lists all entries")
        yield UnknownName("rule", query, _suggest_names(index, query, searched_games), hint).message


def _suggest_names(index: Index, query: str, games: Collection[str]) -> list[str | Texts]:
    """Return titles of these games' entries and names of cards that are spelled similarly to the query."""
    suggestions: dict[str, str | Texts] = {}
    for _, key in index.find_closest_names(fold(query), _MAX_SUGGESTION_DISTANCE):
        targets = index.find_exact(key)
        in_games = (
            doc_id for doc_id in targets.doc_ids if any(doc_id in index.doc_id_ranges[game] for game in games)
        )
        doc_id = next(in_games, None)
        if doc_id is not None:
            title = index.entry(doc_id).title
            suggestions[title[ENGLISH]] = title
        elif targets.cards and index.default_game in games:
            card = next(iter(targets.cards))
            suggestions.setdefault(card, card)
    return list(suggestions.values())[:_MAX_SUGGESTIONS]


def answer_about_table(index: Index, setup: "Setup") -> Answer:
    """Return the entries that apply to the table of a setup document, grouped by subject.

    Raises:
        UnknownName: the game of the document is unknown.
    """
    from randomizer.load.games import load
    from randomizer.rules.applying import find_applicable_entries, iter_table_items
    from randomizer.setup.replay import build_replay_command

    game = load(setup["game"], index.extra_files if setup["game"] == index.default_game else ())
    entries = find_applicable_entries(index.entries_with_conditions(game.name), iter_table_items(setup, game))
    lists = [
        EntryList("Cards on this table", entries.cards),
        EntryList("Combinations on this table", entries.combinations),
        EntryList("Mechanics in use", entries.mechanics),
        EntryList("Types of cards", entries.types),
    ]
    return Answer({"seed": setup["seed"], "command": build_replay_command(game, setup)}, lists)


def answer_query_for_table(index: Index, query: str, setup: "Setup", game: str | None = None) -> Answer:
    """Answer a question, and find the entries that concern both the question and the table of a document.

    If the answer is not certain, the best of these entries comes first.

    Args:
        index: the search index.
        query: the query, in any language.
        setup: the setup document.
        game: the only game to search; by default as in `answer_query`.

    Raises:
        UnknownName: the game of the document is unknown.
    """
    table_game = setup["game"]
    if table_game not in index.titles or game not in (None, table_game):
        return answer_query(index, query, game)
    answer = answer_query(index, query, game if table_game == index.default_game else table_game)
    first = answer.first_entry
    if not answer:
        return answer
    doc_ids = _find_table_entries(index, query, setup, answer)
    if first and doc_ids and not answer.is_in_full and not answer.card:
        best, *doc_ids = doc_ids
        if index.entry(best) != first:
            answer = _put_first(index, best, query, answer)
        first = index.entry(best)
    whole_entries = [entry for each in answer.lists if each.is_in_full for entry in each.entries]
    entries = [entry for id_ in doc_ids if (entry := index.entry(id_)) not in (*whole_entries, first)]
    entries = entries[:_MAX_TABLE_ENTRIES]
    lists = [
        each._replace(entries=[entry for entry in each.entries if entry not in entries])
        for each in answer.lists
    ]
    return answer._replace(lists=lists, table_entries=entries)


def _find_table_entries(index: Index, query: str, setup: "Setup", answer: Answer) -> list[int]:
    """Return the document IDs of the entries that concern both a query and a table, the best first.

    These are the entries of the answer, then the cards of the type that the answer is about, and then entries
    that contain most of the query.
    """
    from randomizer.rules.question import Question
    from randomizer.rules.scoring import Scores

    game = setup["game"]
    card_entries, *other_lists = (each.entries for each in answer_about_table(index, setup).lists)
    ids = {entry.id for entries in (card_entries, *other_lists) for entry in entries}
    doc_ids = [doc_id for doc_id in index.doc_id_ranges[game] if index.entry(doc_id).id in ids]
    answering = [entry.id for each in answer.lists for entry in each.entries if entry.game == game]
    scores = Scores(index, Question(index, query), game)
    fitting = scores.rank(doc_id for doc_id in doc_ids if scores.coverage(doc_id) >= _MIN_TABLE_COVERAGE)
    first = answer.first_entry
    types = first.types if first and answer.is_in_full and not answer.card else ()
    cards_with_types = {
        name
        for pile in setup["piles"]
        if not {*types}.isdisjoint(pile["types"])
        for name in (pile["name"], *(member["name"] for member in pile["members"]))
    }
    with_types = [id_ for id_ in doc_ids if index.entry(id_).title[ENGLISH] in cards_with_types]
    of_answer = sorted(
        (id_ for id_ in doc_ids if index.entry(id_).id in answering),
        key=lambda id_: answering.index(index.entry(id_).id),
    )
    return list(dict.fromkeys([*of_answer, *with_types, *fitting]))


def _put_first(index: Index, doc_id: int, query: str, answer: Answer) -> Answer:
    """Return an uncertain answer with another entry as the best one, of which the best passage is shown."""
    from randomizer.rules.question import Question
    from randomizer.rules.scoring import Scores

    entry = index.entry(doc_id)
    _, sentence_number = Scores(index, Question(index, query), entry.game).find_best_sentence(doc_id)
    passages = dict(next((each.passages for each in answer.lists), {}))
    if sentence_number != SUBJECT_NUMBER:
        passages[entry.id] = extract_passages(entry.text, sentence_number)
    others = [other for each in answer.lists for other in each.entries if other != entry]
    lists = [
        EntryList("", [entry], "answer", passages),
        EntryList(PERHAPS_HEADING, others, passages=passages),
    ]
    return answer._replace(lists=lists, further_passages=(), direct_answer=None)


def list_entries(index: Index, game: str | None = None, name_part: str = "") -> Answer:
    """Return all entries of a game, or of all games, grouped by chapter.

    Args:
        index: the search index.
        game: the game; by default all games.
        name_part: a string that has to occur in the name of an entry or of its chapter.
    """
    chapters: dict[str, tuple[Message, list[Entry]]] = {}
    folded_part = fold(name_part)
    for book in [game] if game else index.titles:
        for entry in index.entries(book):
            names = (entry.id, entry.reading, *entry.aliases, *entry.title.values(), *entry.chapter.values())
            if any(folded_part in fold(name) for name in names):
                heading = message("{book}: {chapter}", book=index.titles[book], chapter=entry.chapter)
                chapters.setdefault(str(heading), (heading, []))[1].append(entry)
    notes = () if chapters else (message("no entry has {name} in its name.", name=quote(name_part)),)
    return Answer({}, [EntryList(heading, entries) for heading, entries in chapters.values()], notes=notes)
