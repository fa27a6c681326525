"""Search for entries of the rulebooks: by name, by prefix, by words, by text, and by similar spelling."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from randomizer.rules.entry import SUBJECT, DirectAnswer
from randomizer.rules.index import ALIAS, CARD, ID, TITLE, Index, KeyTargets
from randomizer.text.folding import fold, is_spaced, romaji_to_hiragana, tokenize
from randomizer.text.language import ENGLISH

if TYPE_CHECKING:
    from randomizer.rules.question import Question, SpellingCorrector
    from randomizer.rules.scoring import Scores

_AND = "と"

# ── How many results are returned ──

_MAX_RESULTS = 25
_MAX_TEXT_RESULTS = 8  # for a search by text, whose later results are seldom useful
_MAX_DIRECT_ENTRIES = 6  # entries that are searched for a direct answer
_MAX_NEAREST = 3  # entries that are suggested if nothing answers the question
# The minimum ratio (0-1) of a result's score to the best one. A low value lists more, but worse results.
_MIN_SCORE_RATIO = 0.25

# ── Spelling: normalized edit distances (0-1), and lengths in letters ──

# The maximum distance to a name that is preferred to a search by text.
_MAX_TYPO_DISTANCE = 0.25
# The maximum distance to a name if a search by text has no result. A high value makes more wrong guesses.
_MAX_GUESS_DISTANCE = 0.4
# The minimum length of a corrected query whose result is certain. Short words have too many similar words.
_MIN_SURE_LENGTH = 6
# The maximum length of a Japanese query that is treated as a term and not as a question.
_MAX_TERM_LENGTH = 8

# ── How well an entry has to fit ──
#
# Fits (`Scores.fit`) are from 0 to 2, coverages and similarities from 0 to 1. Almost all of 2,400 test
# questions have a fit above `_MIN_FIT`, and most of a hundred questions that no rulebook answers have a fit
# below it. With lower minimums, more questions are answered, but more of the answers are wrong.

_MIN_FIT = 0.85
_MIN_GUESS_FIT = 0.5  # for results that are shown as a guess
_MIN_TEXT_COVERAGE = 0.5  # results with less coverage are shown as a guess, too

# An entry is shown in full if it is a clear winner (see `Scores`) with at least this fit, and if it is about
# the question's card, or its similarity to the question is at least this.
_MIN_SURE_FIT = 1.2
_MIN_SURE_SIMILARITY = 0.45

# An entry of another game is preferred if its fit is better and is at least the minimum. In addition, the
# coverage of the main game's best entry has to be below the maximum. The main game is the one that is
# searched first.
_MIN_OTHER_GAME_FIT = 1.0
_MAX_OWN_COVERAGE_WITH_ANSWER = 0.45
_MAX_OWN_COVERAGE = 0.6


class SearchResult(NamedTuple):
    """The result of a search.

    Attributes:
        match: how it was found: exact, prefix, words, text, fuzzy (a guess) or none.
        entries: the document IDs of the entries, best first.
        card: the English name of the card whose page is the answer; empty if there is none.
        guessed_name: the name that was assumed, if the result is a guess by spelling.
        in_full: whether the first entry is shown in full, because it certainly answers the query, or the
            query with its spelling corrected.
        nearest: if nothing answers the question, the document IDs of the closest entries.
        named_game: the game that the query names; empty if it names none.
        sentences: the number of each entry's best sentence, if the search was by text.
        second_sentence: the number of the first entry's second-best sentence; `SUBJECT` if it has none.
        corrections: the corrected words of a question, as (word, correction).
        direct: the direct answer to the question, if there is one.
    """

    match: str = "none"
    entries: tuple[int, ...] = ()
    card: str = ""
    guessed_name: str = ""
    in_full: bool = False
    nearest: tuple[int, ...] = ()
    named_game: str = ""
    sentences: tuple[int, ...] = ()
    second_sentence: int = SUBJECT
    corrections: Mapping[str, str] = {}
    direct: DirectAnswer | None = None

    def __bool__(self) -> bool:
        return bool(self.entries or self.card)

    @property
    def is_by_text(self) -> bool:
        """Whether the entries were found by their text, not by a name."""
        return self.match in ("text", "fuzzy") and not self.guessed_name


_NO_MATCH = SearchResult()


def look_up(index: Index, query: str, game: str | None = None) -> SearchResult:
    """Search for a query.

    Args:
        index: the search index.
        query: a name, its beginning, some words or a question, in any language.
        game: the only game to search. By default the default game, or the one that the query names, is
            searched first, and then the others.
    """
    named_game, rest = index.lexicon.extract_game(query)
    if game in (None, named_game) and fold(rest) and not index.find_exact(fold(query)).titled_doc_ids:
        query = rest
    games = [game] if game else sorted(index.titles, key=lambda name: name != named_game)
    term = fold(query)
    result = _Search(index, query, term, games).run() if term else _NO_MATCH
    return result._replace(named_game=named_game)


class _Search:
    """A search in stages. If a stage has no result, the next one is tried.

    Args:
        index: the search index.
        query: the query as it was typed.
        term: the folded query.
        games: the games to search, the most important one first.
    """

    def __init__(self, index: Index, query: str, term: str, games: Sequence[str]) -> None:
        self.index, self.query, self.term = index, query, term
        self.own, *self.others = games
        self._scores_by_game: dict[str, Scores] = {}

    def run(self) -> SearchResult:
        """Return the result of the first stage that has one."""
        by_name = [
            self.match_title,
            self.match_card_definition,
            self.match_name,
            self.match_prefix,
            self.match_definition,
            self.match_name_tokens,
        ]
        by_variant = [
            self.match_joined_words,
            self.match_swapped_names,
            self.match_romaji,
            self.match_typo,
            self.match_corrected,
        ]
        result = (
            self._first(by_name, [self.own])
            or self._first([self.match_name], self.others)
            or self._first(by_variant, [self.own, *self.others])
            or self.match_text()
            or self._first([self.match_definition, self.match_prefix, self.match_name_tokens], self.others)
            or self._first([self.match_similar_name], [self.own])
            or self.guess_by_text()
            or self._first([self.match_similar_name], self.others)
            or self.suggest_nearest()
        )
        if result.is_by_text:
            corrections = self.spelling.find_corrections(_MAX_TYPO_DISTANCE)
            result = result._replace(corrections=corrections)
        return self._answer_directly(result) or result

    def _answer_directly(self, result: SearchResult) -> SearchResult:
        """Return the result with a direct answer to the question, if one of the best entries has one."""
        asked = [doc_id for doc_id in self.index.find_asked(self.term) if self._is_searched(doc_id)]
        doc_ids = asked or result.entries[: len(result.sentences) and _MAX_DIRECT_ENTRIES]
        for doc_id in doc_ids:
            if doc_id not in self.index.answered_doc_ids:
                continue
            entry = self.index.entry(doc_id)
            scores = self.scores(entry.game)
            answer = scores.find_direct_answer(entry.answers)
            if answer:
                entries = (doc_id, *(other for other in result.entries if other != doc_id))
                sentences = tuple(scores.best_sentence(id_)[1] for id_ in entries)
                return SearchResult("text", entries, in_full=True, sentences=sentences, direct=answer)
        return _NO_MATCH

    def _is_searched(self, doc_id: int) -> bool:
        """Check whether an entry is from a game that is searched."""
        return any(doc_id in self.index.doc_id_ranges[game] for game in (self.own, *self.others))

    def _first(self, stages: Iterable[Callable[[str], SearchResult]], games: Iterable[str]) -> SearchResult:
        return next((result for game in games for stage in stages if (result := stage(game))), _NO_MATCH)

    # ── Stages ──

    def match_title(self, game: str) -> SearchResult:
        """Match the ID or title of an entry, or the name of a card."""
        result = self.match_name(game)
        if result.card or (result.in_full and self.index.find_exact(self.term).titled_doc_ids):
            return result
        return _NO_MATCH

    def match_card_definition(self, game: str) -> SearchResult:
        """Match a card whose explanation is asked for."""
        card = self.question.defined_card_name
        result = self._find_named(card, game) if card else _NO_MATCH
        return result if result.card else _NO_MATCH

    def match_name(self, game: str) -> SearchResult:
        """Match any name of an entry or card."""
        return self._find_named(self.term, game)

    def match_prefix(self, game: str) -> SearchResult:
        """Match the beginning of a name."""
        doc_ids = self._in_game(self.index.find_prefix(self.term), game)[:_MAX_RESULTS]
        stop_words = self.index.lexicon.stop_words.stems
        is_name = len(doc_ids) == 1 and not any(token in stop_words for token in tokenize(self.term))
        return SearchResult("prefix", tuple(doc_ids), in_full=is_name) if doc_ids else _NO_MATCH

    def match_definition(self, game: str) -> SearchResult:
        """Match a name whose explanation is asked for."""
        name = self.question.defined_name
        return self._find_named(name, game) if name else _NO_MATCH

    def match_name_tokens(self, game: str) -> SearchResult:
        """Match names with all words of the query except stop words. Prefer a text that answers it better."""
        lexicon = self.index.lexicon
        tokens = tokenize(lexicon.replace_synonyms(game, self.term))
        content_tokens = [token for token in tokens if token not in lexicon.stop_words.stems] or tokens
        own_doc_ids = self.index.doc_id_ranges[game]
        named_doc_ids = [
            doc_id for doc_id in self.index.find_by_name_tokens(content_tokens) if doc_id in own_doc_ids
        ]
        if not named_doc_ids:
            return _NO_MATCH
        scores = self.scores(game)
        named_doc_ids, best = scores.rank(named_doc_ids), scores.best(_MIN_SCORE_RATIO)
        if named_doc_ids[0] not in best[:1]:
            return self.match_text() or SearchResult("words", tuple(named_doc_ids[:_MAX_RESULTS]))
        more_doc_ids = [doc_id for doc_id in best if doc_id not in named_doc_ids][:_MAX_TEXT_RESULTS]
        doc_ids = tuple([*named_doc_ids, *more_doc_ids][:_MAX_RESULTS])
        return SearchResult(
            "words",
            doc_ids,
            in_full=scores.has_clear_winner(best),
            sentences=tuple(scores.best_sentence(doc_id)[1] for doc_id in doc_ids[:_MAX_TEXT_RESULTS]),
            second_sentence=scores.second_sentence(doc_ids[0]),
        )

    def match_joined_words(self, game: str) -> SearchResult:
        """Match a name that is the query without spaces."""
        word = self.term.replace(" ", "")
        result = _NO_MATCH if word == self.term else self._find_named(word, game)
        return result and result._replace(match="fuzzy", guessed_name=word)

    def match_swapped_names(self, game: str) -> SearchResult:
        """Match a name that consists of two other names in the opposite order: "B and A" in Japanese."""
        names = [] if is_spaced(self.term) else self.question.names
        for first in names:
            rest = self.term.removeprefix(first.text)
            other = rest.removeprefix(_AND)
            if rest != self.term and any(name.text == other for name in names):
                for name in (
                    f"{other}{_AND}{first.text}",
                    f"{other}{first.text}",
                    f"{first.text}{_AND}{other}",
                ):
                    if result := self._find_named(name, game):
                        return result._replace(match="words")
        return _NO_MATCH

    def match_romaji(self, game: str) -> SearchResult:
        """Match a Japanese name that is typed in Latin letters."""
        if not self.term.isascii() or self.spelling.is_known(self.term):
            return _NO_MATCH
        kana = romaji_to_hiragana(self.term)
        result = self._find_named(kana, game) if kana else _NO_MATCH
        if kana and not result:
            term = self.index.lexicon.replace_synonyms(game, kana)
            search = _Search(self.index, term, term, [game])
            result = search.match_name(game) or search.match_prefix(game)
        return result and result._replace(match="fuzzy", guessed_name=kana)

    def match_typo(self, game: str) -> SearchResult:
        """Match a name with almost the same spelling, if the query contains an unknown word."""
        if self.spelling.is_known(self.term):
            return _NO_MATCH
        return self._find_similar(game, _MAX_TYPO_DISTANCE)

    def match_corrected(self, game: str) -> SearchResult:
        """Match a name after correcting the spelling of each word."""
        corrected = self.spelling.correct_spelling(_MAX_GUESS_DISTANCE)
        if corrected == self.term or not self._contains_named_cards(corrected):
            return _NO_MATCH
        search = _Search(self.index, corrected, corrected, [game])
        stages = [search.match_name, search.match_prefix, search.match_definition, search.match_name_tokens]
        result = self._first(stages, [game])
        if result.match != "exact" and self.corrected_question.only_card:
            return _NO_MATCH  # The search by text also finds the page of the card.
        is_typo = corrected == self.spelling.correct_spelling(_MAX_TYPO_DISTANCE)
        in_full = (
            result.in_full and result.match == "exact" and len(corrected) >= _MIN_SURE_LENGTH and is_typo
        )
        return result and result._replace(match="fuzzy", guessed_name=corrected, in_full=in_full)

    def match_text(self) -> SearchResult:
        """Match entries that answer the question. Prefer another game only if its entries fit much better."""
        result, fit = self._search_text(self.own)
        min_fit = _MIN_SURE_FIT if result else _MIN_OTHER_GAME_FIT
        others = self.others if self._may_prefer_other_game(has_own_answer=bool(result)) else []
        for game in others:
            other, other_fit = self._search_text(game)
            if other and other_fit > fit and other_fit >= min_fit:
                result, fit = other._replace(in_full=other.in_full and min_fit < _MIN_SURE_FIT), other_fit
        return result

    def match_similar_name(self, game: str) -> SearchResult:
        """Match a name with a similar spelling, as a guess."""
        return self._find_similar(game, _MAX_GUESS_DISTANCE)._replace(in_full=False)

    def guess_by_text(self) -> SearchResult:
        """Match entries whose text fits a little, as a guess."""
        result, _ = self._search_text(self.own, _MIN_GUESS_FIT)
        return result and result._replace(match="fuzzy", in_full=False)

    def suggest_nearest(self) -> SearchResult:
        """Return no match. If the query is a question, suggest the entries with the best scores."""
        is_question = self.term.count(" ") >= 2 if is_spaced(self.term) else len(self.term) > _MAX_TERM_LENGTH
        if not is_question:
            return _NO_MATCH
        return SearchResult(nearest=tuple(self.scores(self.own).best(_MIN_SCORE_RATIO)[:_MAX_NEAREST]))

    # ── The query, analysed on demand ──

    @cached_property
    def question(self) -> "Question":
        """The query as a question."""
        from randomizer.rules.question import Question  # Not needed for names and prefixes.

        return Question(self.index, self.query)

    @cached_property
    def spelling(self) -> "SpellingCorrector":
        """The spelling corrector of the query."""
        from randomizer.rules.question import SpellingCorrector

        return SpellingCorrector(self.index, self.query)

    @cached_property
    def corrected_question(self) -> "Question":
        """The query as a question, with its spelling corrected."""
        from randomizer.rules.question import Question

        corrections = self.spelling.find_corrections(_MAX_TYPO_DISTANCE)
        if not corrections:
            return self.question
        if not is_spaced(self.term):
            return Question(self.index, self.spelling.correct_katakana(), correction_count=len(corrections))
        corrected = self.spelling.correct_spelling(_MAX_TYPO_DISTANCE)
        return Question(self.index, self.query, corrected, len(corrections))

    def scores(self, game: str) -> "Scores":
        """Return the scores of a game's entries, computed once."""
        from randomizer.rules.scoring import Scores

        if game not in self._scores_by_game:
            self._scores_by_game[game] = Scores(self.index, self.corrected_question, game)
        return self._scores_by_game[game]

    @cached_property
    def _similar_names(self) -> list[tuple[float, str]]:
        """The names with a similar spelling, as (edit distance, name), the closest first."""
        return self.index.closest_names(self.term, _MAX_GUESS_DISTANCE)

    # ── Search by text ──

    def _search_text(self, game: str, min_fit: float = _MIN_FIT) -> tuple[SearchResult, float]:
        """Return the entries of a game that answer the question, and the fit of the first one.

        Args:
            game: the game to search.
            min_fit: the minimum fit of the first entry.
        """
        scores = self.scores(game)
        doc_ids = scores.best(_MIN_SCORE_RATIO)
        if not doc_ids:
            return _NO_MATCH, 0.0
        first, fit = doc_ids[0], scores.fit(doc_ids[0])
        card = self.corrected_question.only_card if game == self.index.default_game else ""
        if fit < min_fit:
            return _NO_MATCH, fit
        own_entries = self.index.find_exact(fold(card)).entries[TITLE] if card else {}
        in_full = (
            fit >= _MIN_SURE_FIT
            and self._is_certain(scores, first, own_entries)
            and scores.has_clear_winner(doc_ids)
        )
        match = "text" if in_full or scores.coverage(first) >= _MIN_TEXT_COVERAGE else "fuzzy"
        page = card if first in own_entries or not scores.card_coverage(first) else ""
        doc_ids = doc_ids[:_MAX_TEXT_RESULTS]
        sentences = tuple(scores.best_sentence(doc_id)[1] for doc_id in doc_ids)
        second = SUBJECT if in_full else scores.second_sentence(first)
        result = SearchResult(
            match, tuple(doc_ids), page, in_full=in_full, sentences=sentences, second_sentence=second
        )
        return result, fit

    def _is_certain(self, scores: "Scores", doc_id: int, own_entries: Collection[int]) -> bool:
        """Check whether an entry is certainly about the same things as the question.

        Args:
            scores: the scores of the entry's game.
            doc_id: the entry.
            own_entries: the own entries of the card that the question is about; empty if there is none.
        """
        if self.corrected_question.unknown_word_count or not scores.mentions_every_name(doc_id):
            return False
        if scores.similarity(doc_id) >= _MIN_SURE_SIMILARITY:
            return True
        if own_entries:
            return doc_id in own_entries
        return bool(scores.entries_by_card) and scores.card_coverage(doc_id) == 1

    def _may_prefer_other_game(self, *, has_own_answer: bool) -> bool:
        """Check whether another game's entry may be the answer instead of an entry of the main game.

        It may if the best entry of the main game has a low coverage. The maximum coverage is lower if the
        main game has an answer (`has_own_answer`).
        """
        scores = self.scores(self.own)
        max_coverage = _MAX_OWN_COVERAGE_WITH_ANSWER if has_own_answer else _MAX_OWN_COVERAGE
        best = scores.best(_MIN_SCORE_RATIO)[:1]
        return all(scores.coverage(own) < max_coverage for own in best)

    # ── Search by name ──

    def _find_similar(self, game: str, max_distance: float) -> SearchResult:
        """Find the name with the most similar spelling, and the entries with an equally similar name."""
        similar = [
            (distance, name)
            for distance, name in self._similar_names
            if distance <= max_distance and self._contains_named_cards(name)
        ]
        for distance, name in similar:
            result = self._find_named(name, game)
            tied_names = [other for other_distance, other in similar if other_distance == distance]
            tied = self._in_game(self.index.find_exact(*tied_names), game)
            if result or tied:
                entries = tuple(dict.fromkeys((*result.entries, *tied)))[:_MAX_RESULTS]
                return result._replace(match="fuzzy", entries=entries, guessed_name=name)
        return _NO_MATCH

    def _contains_named_cards(self, name: str) -> bool:
        """Check whether a similar name contains the names of all cards in the query, also misspelt ones."""
        return all(card.text in name for card in (*self.question.cards, *self.corrected_question.cards))

    def _find_named(self, name: str, game: str) -> SearchResult:
        """Find the entries with exactly this name, and the card, if the game is the default one.

        The first entry is shown in full if the name is its ID or title; or if it is an alias and no card has
        it. Entries about a card come after its own entry. If several cards have the same reading,
        the entry of each of them is a result.
        """
        targets, own_doc_ids = self.index.find_exact(name), self.index.own_doc_ids
        ids, titles, aliases = (targets.entries[role] for role in (ID, TITLE, ALIAS))
        doc_ids = self._in_game(targets, game)
        if not doc_ids and (not targets.cards or game != self.index.default_game):
            return _NO_MATCH
        typed = self.query.strip().casefold()  # Distinguishes IDs that differ only in a plural's s.
        doc_ids.sort(
            key=lambda doc_id: (
                doc_id not in ids or (len(ids) > 1 and self.index.entry(doc_id).id != typed),
                doc_id not in titles,
                doc_id not in own_doc_ids,
            )
        )
        first = doc_ids[0] if doc_ids else None
        doc_ids_with_reading = [doc_id for doc_id in doc_ids if doc_id in own_doc_ids and doc_id in aliases]
        if len(doc_ids_with_reading) > 1 and first not in (*ids, *titles):
            return SearchResult("exact", tuple(doc_ids_with_reading))
        card = self._find_card(first, targets, game)
        if card:
            has_unique_reading = first in own_doc_ids and own_doc_ids.isdisjoint(doc_ids[1:])
            is_titled = first in titles and (first in own_doc_ids or first in targets.entries[CARD])
            in_full = first in ids or has_unique_reading or is_titled
        else:
            in_full = first in ids or first in titles or first in aliases
        return SearchResult("exact", tuple(doc_ids[:_MAX_RESULTS]), card, in_full=in_full)

    def _find_card(self, first: int | None, targets: KeyTargets, game: str) -> str:
        """Return the card whose page is the answer: that of the first entry, or the one with the name."""
        if game != self.index.default_game:
            return ""
        card = next(iter(targets.cards), "")
        if first in self.index.own_doc_ids:
            title = self.index.entry(first).title[ENGLISH]
            return title if title in targets.cards or not card else card
        return card

    def _in_game(self, targets: KeyTargets, game: str) -> list[int]:
        """Return the document IDs of a game's entries, those with the key as their title or ID first."""
        own_doc_ids = self.index.doc_id_ranges[game]
        doc_ids = (doc_id for role in (TITLE, ID, ALIAS, CARD) for doc_id in targets.entries[role])
        return list(dict.fromkeys(doc_id for doc_id in doc_ids if doc_id in own_doc_ids))
