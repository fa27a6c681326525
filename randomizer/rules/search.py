"""Searches the rulebooks for entries by name, prefix, words, text, and similar spelling."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from randomizer.rules.entry import DirectAnswer
from randomizer.rules.index import ALIAS_ROLE, CARD_ROLE, ID_ROLE, TITLE_ROLE, Index, KeyTargets
from randomizer.text.folding import fold, is_spaced, romaji_to_hiragana, tokenize
from randomizer.text.language import ENGLISH

if TYPE_CHECKING:
    from randomizer.rules.direct_answers import QuestionMatcher
    from randomizer.rules.question import NameMatch, Question, SpellingCorrector
    from randomizer.rules.scoring import Scores

_AND_PARTICLE = "と"

# ── How many results are returned ──

_MAX_RESULTS = 25
_MAX_TEXT_RESULTS = 8  # for searches by text, whose later results are rarely useful
_MAX_DIRECT_ANSWER_ENTRIES = 6  # entries that are searched for a direct answer
_MAX_NEAREST_ENTRIES = 3  # entries that are suggested if nothing answers the question
# The minimum ratio (0-1) of a result's score to the best score. A low value lists more, but worse results.
_MIN_SCORE_RATIO = 0.25

# ── Spelling: normalized edit distances (0-1), and lengths in letters ──

# The maximum distance to a similar name that takes precedence over a search by text.
_MAX_TYPO_DISTANCE = 0.25
# The maximum distance to a similar name if a search by text has no result. A high value gives more guesses,
# but more of them are wrong.
_MAX_GUESS_DISTANCE = 0.4
# The minimum length of a corrected query whose result may be certain. Short words resemble too many others.
_MIN_CERTAIN_LENGTH = 6
# The maximum length of a Japanese query that is treated as a name rather than a question.
_MAX_NAME_LENGTH = 8

# ── How well an entry has to fit ──
#
# Fits (`Scores.fit`) range from 0 to 2, coverages and similarities from 0 to 1. Almost all of 2,400 test
# questions have a fit above `_MIN_FIT`, and most of a hundred questions that no rulebook answers have a fit
# below it. With lower minimums, more questions are answered, but more of the answers are wrong.

_MIN_FIT = 0.85
_MIN_GUESS_FIT = 0.5  # for results that are shown as a guess
_MIN_TEXT_COVERAGE = 0.5  # results with less coverage are also shown as a guess

# An entry is shown in full if it is a clear winner (`Scores.has_clear_winner`), its fit is at least the first
# value, and it is about the question's card or its similarity to the question is at least the second value.
_MIN_CERTAIN_FIT = 1.2
_MIN_CERTAIN_SIMILARITY = 0.45

# An entry of another game is preferred to one of the main game, which is searched first, if its fit is better
# and at least this minimum, and if the coverage of the main game's best entry is below one of these maximums.
_MIN_OTHER_GAME_FIT = 1.0
_MAX_MAIN_GAME_COVERAGE_WITH_ANSWER = 0.45  # if the main game's best entry is an answer
_MAX_MAIN_GAME_COVERAGE = 0.6


class SearchResult(NamedTuple):
    """The result of a search.

    Attributes:
        match: how it was found: `exact`, `prefix`, `words`, `text`, `fuzzy` (a guess) or `none`.
        doc_ids: the document IDs of the entries, best match first.
        card: the English name of the card whose page is the answer; empty if the answer is not such a page.
        guessed_name: the name that the user probably meant, if it was guessed from a similar spelling; else
            empty.
        is_in_full: whether the first entry is shown in full, because it certainly answers the query or the
            corrected query.
        nearest_doc_ids: the document IDs of the closest entries, if nothing answers the question.
        named_game: the game that the query names; empty if it names none.
        sentence_numbers: the number of each entry's best sentence, if the search was by text.
        further_sentence_numbers: the numbers of the first entry's other sentences that may answer the
            question, best first.
        has_decisive_sentence: whether the best sentence of the first entry probably decides the question,
            which is one that asks for yes or no.
        corrections: the corrections of the misspelt words in a question, by the word as typed.
        direct_answer: the direct answer to the question, if there is one.
        similar_answer: the direct answer to a similar question, whose sentence probably answers this one.
    """

    match: str = "none"
    doc_ids: tuple[int, ...] = ()
    card: str = ""
    guessed_name: str = ""
    is_in_full: bool = False
    nearest_doc_ids: tuple[int, ...] = ()
    named_game: str = ""
    sentence_numbers: tuple[int, ...] = ()
    further_sentence_numbers: tuple[int, ...] = ()
    has_decisive_sentence: bool = False
    corrections: Mapping[str, str] = {}
    direct_answer: DirectAnswer | None = None
    similar_answer: DirectAnswer | None = None

    def __bool__(self) -> bool:
        return bool(self.doc_ids or self.card)

    @property
    def is_by_text(self) -> bool:
        """Whether the entries were found by their text rather than by a name."""
        return self.match in ("text", "fuzzy") and not self.guessed_name


_NO_MATCH = SearchResult()


def look_up(index: Index, query: str, game: str | None = None) -> SearchResult:
    """Search the rulebooks for a query.

    Args:
        index: the search index.
        query: a name, the beginning of a name, some words or a question, in any language.
        game: the only game to search. By default, the game that the query names, or else the default game, is
            searched first, and then the others.
    """
    named_game, rest = index.lexicon.extract_game(query)
    if game in (None, named_game) and fold(rest) and not index.find_exact(fold(query)).titled_doc_ids:
        query = rest
    games = [game] if game else sorted(index.titles, key=lambda name: name != named_game)
    folded = fold(query)
    search = _Search(index, query, folded, games, is_game_named=bool(named_game))
    result = search.run() if folded else _NO_MATCH
    return result._replace(named_game=named_game)


class _Search:
    """A search in stages: each stage is tried only if the previous ones have no result.

    Args:
        index: the search index.
        query: the query as it was typed.
        folded: the folded query.
        games: the games to search, the most important one first.
        is_game_named: whether the query names the first game, so that the others are not searched.
    """

    def __init__(
        self, index: Index, query: str, folded: str, games: Sequence[str], *, is_game_named: bool = False
    ) -> None:
        self.index, self.query, self.folded = index, query, folded
        self.main_game, *others = games
        self.other_games = [] if is_game_named else others
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
            self.match_corrected_name,
        ]
        result = (
            self._run_stages(by_name, [self.main_game])
            or self._run_stages([self.match_name], self.other_games)
            or self._run_stages(by_variant, [self.main_game, *self.other_games])
            or self.match_text()
            or self._run_stages(
                [self.match_definition, self.match_prefix, self.match_name_tokens], self.other_games
            )
            or self._run_stages([self.match_similar_name], [self.main_game])
            or self.guess_by_text()
            or self._run_stages([self.match_similar_name], self.other_games)
            or self.suggest_nearest()
        )
        if result.is_by_text:
            corrections = self.spelling.find_corrections(_MAX_TYPO_DISTANCE)
            result = result._replace(corrections=corrections)
        return (
            self._answer_directly(result)
            or self._answer_about_type(result)
            or self._find_similar_answer(result)
        )

    def _answer_directly(self, result: SearchResult) -> SearchResult:
        """Return a result with a direct answer to the question, or no match if there is no direct answer."""
        games = [self.main_game, *self.other_games]
        asked_doc_ids = [
            doc_id
            for doc_id in self.index.find_by_question(self.folded)
            if any(doc_id in self.index.doc_id_ranges[game] for game in games)
        ]
        candidate_doc_ids = (
            asked_doc_ids or result.doc_ids[: len(result.sentence_numbers) and _MAX_DIRECT_ANSWER_ENTRIES]
        )
        for doc_id in self._list_answering(candidate_doc_ids):
            entry = self.index.entry(doc_id)
            answer = self._match_question(self.corrected_question, entry.game).find_direct_answer(
                entry.answers
            )
            if answer:
                doc_ids = (doc_id, *(other for other in result.doc_ids if other != doc_id))
                return self._build_text_result(doc_ids)._replace(direct_answer=answer)
        return _NO_MATCH

    def _answer_about_type(self, result: SearchResult) -> SearchResult:
        """Return the page of a card of the question, with a direct answer about all cards of its type.

        For example, the answer to "does buying an Event use a Buy" answers the question about any Event.
        """
        if not result.is_by_text or self.main_game != self.index.default_game:
            return _NO_MATCH
        for name in self.corrected_question.cards:
            for type_word, question in self._generalize(name) if name.means_card else ():
                matcher = self._match_question(question, self.main_game)
                doc_ids = self.index.postings(tokenize(type_word)[0]).doc_ids
                for doc_id in self._list_answering(sorted(set(doc_ids) - self.index.own_entry_doc_ids)):
                    answer = matcher.find_direct_answer(self.index.entry(doc_id).answers)
                    if answer:
                        own_doc_ids = self.index.find_exact(fold(name.card)).doc_ids_by_role[TITLE_ROLE]
                        doc_ids = (*own_doc_ids, doc_id, *result.doc_ids)
                        result = self._build_text_result(tuple(dict.fromkeys(doc_ids)))
                        return result._replace(card=name.card, direct_answer=answer)
        return _NO_MATCH

    def _generalize(self, name: "NameMatch") -> "Iterator[tuple[str, Question]]":
        """Yield (word for a type, question with it instead of a card's name) for each type of the card."""
        from randomizer.load.games import load
        from randomizer.rules.question import Question

        text = self.corrected_question.text
        for type_ in reversed(load().cards[name.card].types):
            for word in self.index.lexicon.type_words.get(type_, {}).values():
                if is_spaced(word) == is_spaced(text):
                    yield word, Question(self.index, f"{text[: name.start]}{word}{text[name.end :]}")

    def _find_similar_answer(self, result: SearchResult) -> SearchResult:
        """Add the direct answer to a similar question, and move its entry to the front.

        An entry is moved only if the first entry is not certainly the answer.
        """
        if not result.sentence_numbers:
            return result
        from randomizer.rules.direct_answers import (
            MIN_SIMILARITY_BEFORE_ENTRY,
            MIN_SIMILARITY_IN_ENTRY,
            MIN_SIMILARITY_TO_MOVE,
        )

        can_move = not result.is_in_full and not result.card
        best_similarity, best_answer, best_doc_id = 0.0, None, -1
        for doc_id in self._list_answering(result.doc_ids[: _MAX_DIRECT_ANSWER_ENTRIES if can_move else 1]):
            entry = self.index.entry(doc_id)
            matcher = self._match_question(self.corrected_question, entry.game)
            similarity, answer = matcher.find_similar_answer(entry.answers)
            min_similarity = MIN_SIMILARITY_BEFORE_ENTRY if result.is_in_full else MIN_SIMILARITY_IN_ENTRY
            if doc_id != result.doc_ids[0]:
                min_similarity = MIN_SIMILARITY_TO_MOVE
            if similarity > best_similarity and similarity >= min_similarity:
                best_similarity, best_answer, best_doc_id = similarity, answer, doc_id
        if not best_answer:
            return result
        if best_doc_id != result.doc_ids[0]:
            doc_ids = (best_doc_id, *(other for other in result.doc_ids if other != best_doc_id))
            result = self._build_text_result(doc_ids)._replace(
                match=result.match,
                is_in_full=False,
                corrections=result.corrections,
                further_sentence_numbers=self._get_scores_of(best_doc_id).rank_further_sentences(best_doc_id),
            )
        return result._replace(similar_answer=best_answer)

    def _build_text_result(self, doc_ids: tuple[int, ...]) -> SearchResult:
        """Return a result with these entries, the first one in full."""
        sentence_numbers = tuple(self._get_scores_of(id_).find_best_sentence(id_)[1] for id_ in doc_ids)
        return SearchResult("text", doc_ids, is_in_full=True, sentence_numbers=sentence_numbers)

    def _list_answering(self, doc_ids: Iterable[int]) -> list[int]:
        """Return those of some document IDs whose entries have direct answers."""
        return [doc_id for doc_id in doc_ids if doc_id in self.index.direct_answer_doc_ids]

    def _get_scores_of(self, doc_id: int) -> "Scores":
        """Return the scores of the entries of the game that an entry is from."""
        return self.get_scores(self.index.entry(doc_id).game)

    def _match_question(self, question: "Question", game: str) -> "QuestionMatcher":
        from randomizer.rules.direct_answers import QuestionMatcher

        return QuestionMatcher(self.index, question, game)

    def _run_stages(
        self, stages: Iterable[Callable[[str], SearchResult]], games: Iterable[str]
    ) -> SearchResult:
        return next((result for game in games for stage in stages if (result := stage(game))), _NO_MATCH)

    # ── Stages ──

    def match_title(self, game: str) -> SearchResult:
        """Match the ID or title of an entry, or the name of a card."""
        result = self.match_name(game)
        if result.card or (result.is_in_full and self.index.find_exact(self.folded).titled_doc_ids):
            return result
        return _NO_MATCH

    def match_card_definition(self, game: str) -> SearchResult:
        """Match a card that the query asks to explain."""
        card = self.question.card_name_to_define
        result = self._find_by_name(card, game) if card else _NO_MATCH
        return result if result.card else _NO_MATCH

    def match_name(self, game: str) -> SearchResult:
        """Match any name of an entry or card."""
        return self._find_by_name(self.folded, game)

    def match_prefix(self, game: str) -> SearchResult:
        """Match the beginning of a name."""
        doc_ids = self._list_in_game(self.index.find_prefix(self.folded), game)[:_MAX_RESULTS]
        stop_words = self.index.lexicon.stop_words.stems
        is_name = len(doc_ids) == 1 and not any(token in stop_words for token in tokenize(self.folded))
        return SearchResult("prefix", tuple(doc_ids), is_in_full=is_name) if doc_ids else _NO_MATCH

    def match_definition(self, game: str) -> SearchResult:
        """Match a name that the query asks to explain."""
        name = self.question.name_to_define
        return self._find_by_name(name, game) if name else _NO_MATCH

    def match_name_tokens(self, game: str) -> SearchResult:
        """Match names with all words of the query except stop words; prefer texts that answer it better."""
        lexicon = self.index.lexicon
        tokens = tokenize(lexicon.replace_synonyms(game, self.folded))
        content_tokens = [token for token in tokens if token not in lexicon.stop_words.stems] or tokens
        game_doc_ids = self.index.doc_id_ranges[game]
        named_doc_ids = [
            doc_id for doc_id in self.index.find_by_name_tokens(content_tokens) if doc_id in game_doc_ids
        ]
        if not named_doc_ids:
            return _NO_MATCH
        scores = self.get_scores(game)
        named_doc_ids, best_doc_ids = scores.rank(named_doc_ids), scores.find_best(_MIN_SCORE_RATIO)
        if named_doc_ids[0] not in best_doc_ids[:1]:
            return self.match_text() or SearchResult("words", tuple(named_doc_ids[:_MAX_RESULTS]))
        more_doc_ids = [doc_id for doc_id in best_doc_ids if doc_id not in named_doc_ids][:_MAX_TEXT_RESULTS]
        doc_ids = tuple([*named_doc_ids, *more_doc_ids][:_MAX_RESULTS])
        return SearchResult(
            "words",
            doc_ids,
            is_in_full=scores.has_clear_winner(best_doc_ids),
            sentence_numbers=tuple(
                scores.find_best_sentence(doc_id)[1] for doc_id in doc_ids[:_MAX_TEXT_RESULTS]
            ),
            further_sentence_numbers=scores.rank_further_sentences(doc_ids[0]),
        )

    def match_joined_words(self, game: str) -> SearchResult:
        """Match a name that is equal to the query without its spaces."""
        joined = self.folded.replace(" ", "")
        result = _NO_MATCH if joined == self.folded else self._find_by_name(joined, game)
        return result and result._replace(match="fuzzy", guessed_name=joined)

    def match_swapped_names(self, game: str) -> SearchResult:
        """Match a Japanese name that combines two names, typed in reverse order: "B and A" for "A and B"."""
        names = [] if is_spaced(self.folded) else self.question.names
        for first in names:
            rest = self.folded.removeprefix(first.text)
            other = rest.removeprefix(_AND_PARTICLE)
            if rest != self.folded and any(name.text == other for name in names):
                for name in (
                    f"{other}{_AND_PARTICLE}{first.text}",
                    f"{other}{first.text}",
                    f"{first.text}{_AND_PARTICLE}{other}",
                ):
                    if result := self._find_by_name(name, game):
                        return result._replace(match="words")
        return _NO_MATCH

    def match_romaji(self, game: str) -> SearchResult:
        """Match a Japanese name that is typed in Latin letters."""
        if not self.folded.isascii() or self.spelling.is_known(self.folded):
            return _NO_MATCH
        kana = romaji_to_hiragana(self.folded)
        result = self._find_by_name(kana, game) if kana else _NO_MATCH
        if kana and not result:
            with_book_terms = self.index.lexicon.replace_synonyms(game, kana)
            search = _Search(self.index, with_book_terms, with_book_terms, [game])
            result = search.match_name(game) or search.match_prefix(game)
        return result and result._replace(match="fuzzy", guessed_name=kana)

    def match_typo(self, game: str) -> SearchResult:
        """Match a name with almost the same spelling, if the query contains an unknown word."""
        if self.spelling.is_known(self.folded):
            return _NO_MATCH
        return self._find_by_similar_name(game, _MAX_TYPO_DISTANCE)

    def match_corrected_name(self, game: str) -> SearchResult:
        """Match a name after correcting the spelling of each word."""
        corrected = self.spelling.correct_spelling(_MAX_GUESS_DISTANCE)
        if corrected == self.folded or not self._contains_asked_cards(corrected):
            return _NO_MATCH
        search = _Search(self.index, corrected, corrected, [game])
        stages = [search.match_name, search.match_prefix, search.match_definition, search.match_name_tokens]
        result = self._run_stages(stages, [game])
        if result.match != "exact" and self.corrected_question.only_card:
            return _NO_MATCH  # A search by text finds the page of the card, too.
        is_typo = corrected == self.spelling.correct_spelling(_MAX_TYPO_DISTANCE)
        is_in_full = (
            result.is_in_full
            and result.match == "exact"
            and len(corrected) >= _MIN_CERTAIN_LENGTH
            and is_typo
        )
        return result and result._replace(match="fuzzy", guessed_name=corrected, is_in_full=is_in_full)

    def match_text(self) -> SearchResult:
        """Match entries that answer the question; prefer another game only if its entries fit much better."""
        result, fit = self._search_text(self.main_game)
        min_fit = _MIN_CERTAIN_FIT if result else _MIN_OTHER_GAME_FIT
        others = self.other_games if self._may_prefer_other_game(has_main_game_answer=bool(result)) else []
        for game in others:
            other, other_fit = self._search_text(game)
            if other and other_fit > fit and other_fit >= min_fit:
                result, fit = (
                    other._replace(is_in_full=other.is_in_full and min_fit < _MIN_CERTAIN_FIT),
                    other_fit,
                )
        return result

    def match_similar_name(self, game: str) -> SearchResult:
        """Match a name with a similar spelling, as a guess."""
        return self._find_by_similar_name(game, _MAX_GUESS_DISTANCE)._replace(is_in_full=False)

    def guess_by_text(self) -> SearchResult:
        """Match entries whose text fits the question loosely, as a guess."""
        result, _ = self._search_text(self.main_game, _MIN_GUESS_FIT)
        return result and result._replace(match="fuzzy", is_in_full=False)

    def suggest_nearest(self) -> SearchResult:
        """Return a result without a match. For a question, it suggests the entries with the best scores."""
        if not self._is_question:
            return _NO_MATCH
        return SearchResult(
            nearest_doc_ids=tuple(
                self.get_scores(self.main_game).find_best(_MIN_SCORE_RATIO)[:_MAX_NEAREST_ENTRIES]
            )
        )

    # ── The query, analysed on demand ──

    @cached_property
    def _is_question(self) -> bool:
        """Whether the query is too long for a name."""
        return self.folded.count(" ") >= 2 if is_spaced(self.folded) else len(self.folded) > _MAX_NAME_LENGTH

    @cached_property
    def question(self) -> "Question":
        """The query as a question."""
        from randomizer.rules.question import Question  # Searches by name and by prefix do not need it.

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
        if not is_spaced(self.folded):
            return Question(self.index, self.spelling.correct_katakana(), correction_count=len(corrections))
        corrected = self.spelling.correct_spelling(_MAX_TYPO_DISTANCE)
        return Question(self.index, self.query, corrected, len(corrections))

    def get_scores(self, game: str) -> "Scores":
        """Return the scores of a game's entries, which are computed only once."""
        from randomizer.rules.scoring import Scores

        if game not in self._scores_by_game:
            self._scores_by_game[game] = Scores(self.index, self.corrected_question, game)
        return self._scores_by_game[game]

    @cached_property
    def _similar_names(self) -> list[tuple[float, str]]:
        """(Edit distance, name) for each name with a similar spelling, the closest first."""
        return self.index.find_closest_names(self.folded, _MAX_GUESS_DISTANCE)

    # ── Search by text ──

    def _search_text(self, game: str, min_fit: float = _MIN_FIT) -> tuple[SearchResult, float]:
        """Return the entries of a game that answer the question, and the fit of the first one.

        Args:
            game: the game to search.
            min_fit: the minimum fit of the first entry.
        """
        scores = self.get_scores(game)
        doc_ids = scores.find_best(_MIN_SCORE_RATIO)
        if not doc_ids:
            return _NO_MATCH, 0.0
        first_doc_id, fit = doc_ids[0], scores.fit(doc_ids[0])
        card = self.corrected_question.only_card if game == self.index.default_game else ""
        if fit < min_fit:
            return _NO_MATCH, fit
        own_entry_doc_ids = self.index.find_exact(fold(card)).doc_ids_by_role[TITLE_ROLE] if card else {}
        is_in_full = (
            fit >= _MIN_CERTAIN_FIT
            and self._is_certain(scores, first_doc_id, own_entry_doc_ids)
            and scores.has_clear_winner(doc_ids)
        )
        match = "text" if is_in_full or scores.coverage(first_doc_id) >= _MIN_TEXT_COVERAGE else "fuzzy"
        is_about_card = (
            is_in_full and first_doc_id not in own_entry_doc_ids and scores.card_coverage(first_doc_id)
        )
        page_card = "" if is_about_card else card
        doc_ids = doc_ids[:_MAX_TEXT_RESULTS]
        sentence_numbers = tuple(scores.find_best_sentence(doc_id)[1] for doc_id in doc_ids)
        further_numbers = () if is_in_full else scores.rank_further_sentences(first_doc_id)
        result = SearchResult(
            match,
            tuple(doc_ids),
            page_card,
            is_in_full=is_in_full,
            sentence_numbers=sentence_numbers,
            further_sentence_numbers=further_numbers,
            has_decisive_sentence=is_in_full
            and not self.index.lexicon.is_open_question(self.corrected_question.text)
            and scores.has_decisive_sentence(first_doc_id),
        )
        return result, fit

    def _is_certain(self, scores: "Scores", doc_id: int, own_entry_doc_ids: Collection[int]) -> bool:
        """Check whether an entry is certainly about the same things as the question.

        Args:
            scores: the scores of the entry's game.
            doc_id: the document ID of the entry.
            own_entry_doc_ids: the document IDs of the entries that have the name of the question's only card
                as their title; empty if there is no such card.
        """
        has_unknown_words = self.corrected_question.unknown_word_count or scores.has_unknown_words
        if has_unknown_words or not scores.mentions_every_name(doc_id):
            return False
        if scores.similarity(doc_id) >= _MIN_CERTAIN_SIMILARITY:
            return True
        if own_entry_doc_ids:
            return doc_id in own_entry_doc_ids
        return bool(scores.doc_ids_per_card) and scores.card_coverage(doc_id) == 1

    def _may_prefer_other_game(self, *, has_main_game_answer: bool) -> bool:
        """Check whether an entry of another game may be preferred to one of the main game.

        It may if the main game's best entry covers little of the question, or not a topic in it that only
        another game has. The limit is lower if the main game has an answer (`has_main_game_answer`).
        """
        scores = self.get_scores(self.main_game)
        max_coverage = (
            _MAX_MAIN_GAME_COVERAGE_WITH_ANSWER if has_main_game_answer else _MAX_MAIN_GAME_COVERAGE
        )
        best_doc_ids = scores.find_best(_MIN_SCORE_RATIO)[:1]
        return all(
            scores.coverage(doc_id) < max_coverage
            or (self._is_question and self._lacks_topic_of_other_game(doc_id))
            for doc_id in best_doc_ids
        )

    def _lacks_topic_of_other_game(self, doc_id: int) -> bool:
        """Check whether the question names a topic that only other games have and that an entry lacks."""
        main_doc_ids, stop_words = (
            self.index.doc_id_ranges[self.main_game],
            self.index.lexicon.stop_words.stems,
        )
        for name in self.corrected_question.names:
            targets, tokens = self.index.find_exact(name.text), tokenize(name.text)
            is_foreign = targets.doc_ids and not any(id_ in main_doc_ids for id_ in targets.doc_ids)
            is_specific = len(name.text) > 1 or not any(
                id_ in main_doc_ids for id_ in self.index.postings(name.text).doc_ids
            )
            if (
                is_foreign
                and is_specific
                and not targets.cards
                and not any(token in stop_words for token in tokens)
                and any(doc_id not in self.index.postings(token).doc_ids for token in tokens)
            ):
                return True
        return False

    # ── Search by name ──

    def _find_by_similar_name(self, game: str, max_distance: float) -> SearchResult:
        """Find the entries with the most similarly spelled name, including equally similar names."""
        similar = [
            (distance, name)
            for distance, name in self._similar_names
            if distance <= max_distance and self._contains_asked_cards(name)
        ]
        for distance, name in similar:
            result = self._find_by_name(name, game)
            tied_names = [other for other_distance, other in similar if other_distance == distance]
            tied_doc_ids = self._list_in_game(self.index.find_exact(*tied_names), game)
            if result or tied_doc_ids:
                doc_ids = tuple(dict.fromkeys((*result.doc_ids, *tied_doc_ids)))[:_MAX_RESULTS]
                return result._replace(match="fuzzy", doc_ids=doc_ids, guessed_name=name)
        return _NO_MATCH

    def _contains_asked_cards(self, name: str) -> bool:
        """Check whether a similar name contains all card names in the query, including misspelt ones."""
        return all(card.text in name for card in (*self.question.cards, *self.corrected_question.cards))

    def _find_by_name(self, name: str, game: str) -> SearchResult:
        """Find the entries with exactly this name, and, for the default game, the card.

        The first entry is shown in full if the name is its ID or title, or if the name is an alias of it and
        belongs to no card. A card's own entry comes before other entries about the card. If several cards
        have the name as their reading, the result consists of their own entries.
        """
        targets, own_entry_doc_ids = self.index.find_exact(name), self.index.own_entry_doc_ids
        with_id, with_title, with_alias = (
            targets.doc_ids_by_role[role] for role in (ID_ROLE, TITLE_ROLE, ALIAS_ROLE)
        )
        doc_ids = self._list_in_game(targets, game)
        if not doc_ids and (not targets.cards or game != self.index.default_game):
            return _NO_MATCH
        typed_id = self.query.strip().casefold()  # Distinguishes IDs that differ only in a plural s.
        doc_ids.sort(
            key=lambda doc_id: (
                doc_id not in with_id or (len(with_id) > 1 and self.index.entry(doc_id).id != typed_id),
                doc_id not in with_title,
                doc_id not in own_entry_doc_ids,
            )
        )
        first_doc_id = doc_ids[0] if doc_ids else None
        doc_ids_with_reading = [
            doc_id for doc_id in doc_ids if doc_id in own_entry_doc_ids and doc_id in with_alias
        ]
        if len(doc_ids_with_reading) > 1 and first_doc_id not in (*with_id, *with_title):
            return SearchResult("exact", tuple(doc_ids_with_reading))
        card = self._find_card(first_doc_id, targets, game)
        if card:
            has_unique_reading = first_doc_id in own_entry_doc_ids and own_entry_doc_ids.isdisjoint(
                doc_ids[1:]
            )
            is_titled = first_doc_id in with_title and (
                first_doc_id in own_entry_doc_ids or first_doc_id in targets.doc_ids_by_role[CARD_ROLE]
            )
            is_in_full = first_doc_id in with_id or has_unique_reading or is_titled
        else:
            is_in_full = first_doc_id in with_id or first_doc_id in with_title or first_doc_id in with_alias
        return SearchResult("exact", tuple(doc_ids[:_MAX_RESULTS]), card, is_in_full=is_in_full)

    def _find_card(self, first_doc_id: int | None, targets: KeyTargets, game: str) -> str:
        """Return the card whose page is the answer: that of the first entry, or else one with the name.

        Return "" if the first entry has the name as its ID or title, but does not concern such a card.
        """
        if game != self.index.default_game:
            return ""
        card = next(iter(targets.cards), "")
        if first_doc_id in self.index.own_entry_doc_ids:
            title = self.index.entry(first_doc_id).title[ENGLISH]
            return title if title in targets.cards or not card else card
        if first_doc_id in targets.titled_doc_ids and first_doc_id not in targets.doc_ids_by_role[CARD_ROLE]:
            return ""  # The entry is about something else that has the same name as a card in some language.
        return card

    def _list_in_game(self, targets: KeyTargets, game: str) -> list[int]:
        """List the document IDs of a game's entries, those with a key as their title or ID first."""
        game_doc_ids = self.index.doc_id_ranges[game]
        doc_ids = (
            doc_id
            for role in (TITLE_ROLE, ID_ROLE, ALIAS_ROLE, CARD_ROLE)
            for doc_id in targets.doc_ids_by_role[role]
        )
        return list(dict.fromkeys(doc_id for doc_id in doc_ids if doc_id in game_doc_ids))
