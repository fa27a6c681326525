"""Scores of entries for a question.

The score of an entry is the sum of

- its Okapi BM25 score for the question's tokens (https://en.wikipedia.org/wiki/Okapi_BM25),
- boosts for names in the question that are names of the entry or of a card that it concerns, and
- the similarity of the question to the titles, aliases and sample questions of the entry,

multiplied by factors for the coverage of the question and of its cards.
The weight of a token is its IDF weight: the rarer the token is in the entries, the higher.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappushpop, nlargest
from itertools import chain
from math import sqrt

from randomizer.rules.entry import SUBJECT, DirectAnswer
from randomizer.rules.index import ALIAS, CARD, ID, TITLE, Index, contains_sorted
from randomizer.rules.question import Question
from randomizer.text.folding import fold, is_kana, is_spaced, tokenize

# ── Weights of tokens ──

# The IDF weight below which a token gives no BM25 score. Skipping common tokens saves time.
_MIN_TOKEN_WEIGHT = 0.7
# The weight of a token that no entry contains; IDF weights are about 0 to 7. With a high value, more
# questions with unknown words get no answer. Kana are mostly inflected endings, which say little.
_UNKNOWN_WEIGHT = 3.0
_UNKNOWN_KANA_WEIGHT = 0.5

# ── Terms of a score ──

# The boost for a name in the question, as a fraction of its tokens' weights, by the role that the name has
# for the entry. High values favour names over texts.
_NAME_BOOSTS = {ID: 0.4, TITLE: 0.5, ALIAS: 0.4, CARD: 0.2}
# The factor (0-1) for that boost if the name is not the name of a card. Many entries mention a topic, but few
# concern a card.
_TOPIC_BOOST_FACTOR = 0.6
# The weight of the similarity to a phrasing, relative to the total weight of the question. A high value
# makes sample questions more important than the text of an entry.
_SIMILARITY_WEIGHT = 1.5
# The exponent of that similarity (0-1). With a high value, only close matches count.
_SIMILARITY_EXPONENT = 6
# The weight of the wording similarity in questions without a card name, relative to the total weight of the
# question. A high value favours entries with similar questions over entries about the same things.
_WORDING_WEIGHT = 3.0
# The number of phrasings whose wording similarity is averaged. A high value favours entries with many.
_WORDING_PHRASINGS = 3

# ── Factors of a score ──

# The exponent of the coverage (0-1) in questions that do not name exactly one card. A high value favours
# entries with all of the question's words over entries with one rare word.
_COVERAGE_EXPONENT = 0.4
# The exponent of the best sentence's coverage, and an offset added to the coverage so that the factor is
# never zero. A high exponent favours entries that answer in one sentence over entries that do so in several.
_SENTENCE_EXPONENT = 0.15
_SENTENCE_OFFSET = 0.1
# The factor (0-1) for an entry that concerns none of the question's cards. If it concerns some of them, the
# factor is between this and 1.
_NO_CARD_COVERAGE_FACTOR = 0.9
# The factor (0-1) for an entry about a combination of cards if the question is not about the combination.
_NO_MEETING_FACTOR = 0.8
# The factor (0-1) for an entry about cards that the question does not name. A low value suppresses wrong
# answers from similar questions about other cards, but also general answers that are part of such entries.
_OTHER_CARDS_FACTOR = 0.8

# The minimum similarity (0-1) of the phrasing of a question to one with a direct answer. A low value gives
# more direct answers, and more of these are wrong: with 0.85, one word of four may be missing.
_MIN_SAME_QUESTION = 0.9
# The same for the words besides the names of cards. Questions about one card share much of their weight, even
# if they ask different things.
_MIN_SAME_WORDS = 0.75
# Words that change the answer, although they weigh little.
_CRITICAL_WORD = (
    r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|not|no|never|without|cannot|cant|dont|doesnt|isnt|wont"
    r"|didnt|every|all|any|other|before|after)\b|ない|ません|なく|前に|た後"
)

# ── Selection of the best entries ──

# The number of entries, by BM25 score and boosts alone, that get a full score. A high value finds more, but
# slowly.
_RERANKED = 12
# The minimum ratio of the best score to the second best for a clear winner. With a high value, fewer
# answers are shown in full, and fewer of these are wrong.
_MIN_LEAD = 1.3
# The maximum by which the coverage (0-1) of another entry may exceed the winner's, if no card is named.
# With a low value, fewer answers are shown in full, and fewer of these are wrong.
_MAX_COVERAGE_DEFICIT = 0.05


class Scores:
    """The scores of a game's entries for a question.

    Args:
        index: the search index.
        question: the question.
        game: the game whose entries are scored.

    Attributes:
        entries_by_card: for each card that the question certainly means, the document IDs of the entries that
            concern it.
    """

    def __init__(self, index: Index, question: Question, game: str) -> None:
        self._index, self._question, self._game = index, question, game
        self._doc_ids = index.doc_id_ranges[game]
        tokens = dict.fromkeys(tokenize(question.content_text(game)))
        self._postings = {token: index.postings(token) for token in tokens}
        self._weights = {
            token: postings.weight or _unknown_weight(token) for token, postings in self._postings.items()
        }
        self._total_weight = sum(self._weights.values())
        all_tokens = tokenize(index.lexicon.replace_synonyms(game, question.text))
        self._all_weights = dict.fromkeys(all_tokens, 0.0) | self._weights  # Stop words weigh nothing.
        stop_words = index.lexicon.stop_words.stems
        without_stop_words = {
            token: weight for token, weight in self._weights.items() if token not in stop_words
        }
        self._content_weights = without_stop_words or self._weights
        unknown_weight = _UNKNOWN_WEIGHT * question.unknown_word_count
        self._content_weight = sum(self._content_weights.values()) + unknown_weight or 1.0
        self.entries_by_card = [
            set(index.find_exact(name.text, fold(name.card)).doc_ids)
            for name in question.cards
            if name.is_meant
        ]
        self._all_weights_by_id = self._by_token_id(self._all_weights)
        self._content_weights_by_id = self._by_token_id(self._content_weights)
        token_ids = self._all_weights_by_id
        self._token_range = range(min(token_ids, default=0), max(token_ids, default=0) + 1)
        self._base_scores = [0.0] * index.entry_count
        self._add_bm25_scores()
        self._named_doc_ids = self._add_name_boosts()
        self._similarity_cache: dict[int, tuple[float, float]] = {}
        self._sentence_cache: dict[int, tuple[float, int]] = {}
        self._score_cache: dict[int, float] = {}

    # ── Scores ──

    def score(self, doc_id: int) -> float:
        """Return the score of an entry. Only scores for the same question are comparable."""
        if doc_id not in self._score_cache:
            self._score_cache[doc_id] = self._compute_score(doc_id)
        return self._score_cache[doc_id]

    def _compute_score(self, doc_id: int) -> float:
        similarity_weight = _SIMILARITY_WEIGHT * self._total_weight
        score: float = (
            self._base_scores[doc_id] + similarity_weight * self.similarity(doc_id) ** _SIMILARITY_EXPONENT
        )
        if not self.entries_by_card and len(self._all_weights) > 1:
            score += _WORDING_WEIGHT * self._total_weight * self.wording_similarity(doc_id)
        score *= (_SENTENCE_OFFSET + self.best_sentence(doc_id)[0]) ** _SENTENCE_EXPONENT
        score *= _NO_CARD_COVERAGE_FACTOR + (1 - _NO_CARD_COVERAGE_FACTOR) * self.card_coverage(doc_id)
        if len(self.entries_by_card) != 1:
            score *= self.coverage(doc_id) ** _COVERAGE_EXPONENT
        if doc_id in self._index.meeting_cards and not self._may_ask_about_meeting(doc_id):
            score *= _NO_MEETING_FACTOR
        if doc_id in self._index.card_doc_ids and doc_id not in self._named_doc_ids:
            score *= _OTHER_CARDS_FACTOR
        return score

    def best(self, min_ratio: float) -> list[int]:
        """Return the best entries, best first.

        Args:
            min_ratio: the minimum ratio (0-1) of their scores to the best score.
        """
        base_scores = self._base_scores
        candidates = nlargest(_RERANKED, self._doc_ids, base_scores.__getitem__)
        on_cards = {doc_id for doc_id in chain(*self.entries_by_card) if doc_id in self._doc_ids}
        candidates += nlargest(_RERANKED // 2, on_cards, base_scores.__getitem__)
        ranked = self.rank({doc_id for doc_id in candidates if base_scores[doc_id] > 0})
        best_score = self.score(ranked[0]) if ranked else 0
        return [doc_id for doc_id in ranked if self.score(doc_id) >= best_score * min_ratio]

    def rank(self, doc_ids: Iterable[int]) -> list[int]:
        """Sort entries by score, best first; the order of the book breaks ties."""
        return sorted(doc_ids, key=lambda doc_id: (-self.score(doc_id), doc_id))

    def has_clear_winner(self, ranked: Sequence[int]) -> bool:
        """Check whether the first of these entries is much better than the second.

        If the question names no card, it is also required that no other entry covers much more of the
        question. A single word matches by chance, so that it has no clear winner.
        """
        if len(self._content_weights) < 2:
            return False
        first, *others = ranked
        if others and self.score(first) < self.score(others[0]) * _MIN_LEAD:
            return False
        max_coverage = self.coverage(first) + _MAX_COVERAGE_DEFICIT
        return bool(self.entries_by_card) or all(self.coverage(doc_id) <= max_coverage for doc_id in others)

    def fit(self, doc_id: int) -> float:
        """Return how well an entry answers the question, from 0 (not at all) to 2 (a sample question of it).

        Unlike scores, fits are comparable between questions.
        """
        return self.coverage(doc_id) + self.similarity(doc_id)

    # ── Coverage ──

    def coverage(self, doc_id: int) -> float:
        """Return the fraction of the question's weight whose tokens the entry contains."""
        weights = (
            weight
            for token, weight in self._content_weights.items()
            if contains_sorted(self._postings[token].doc_ids, doc_id)
        )
        return sum(weights) / self._content_weight

    def card_coverage(self, doc_id: int) -> float:
        """Return the fraction of the question's cards that the entry concerns; 1 if it names no card."""
        if not self.entries_by_card:
            return 1
        return sum(doc_id in doc_ids for doc_ids in self.entries_by_card) / len(self.entries_by_card)

    def best_sentence(self, doc_id: int) -> tuple[float, int]:
        """Return (coverage, sentence number) for the sentence of the entry that covers most of the question.

        Tokens in the subject of the entry (its titles and cards) count for every sentence.
        """
        if doc_id not in self._sentence_cache:
            weights = self._content_weights_by_id
            best_weight, best_number = 0.0, SUBJECT
            for number, shared, subject in self._iter_sentences(doc_id):
                weight = sum(map(weights.__getitem__, shared.union(subject)))
                if weight > best_weight:
                    best_weight, best_number = weight, number
            self._sentence_cache[doc_id] = best_weight / self._content_weight, best_number
        return self._sentence_cache[doc_id]

    def second_sentence(self, doc_id: int) -> int:
        """Return the number of the sentence that covers the second most of the question.

        Return `SUBJECT` if no other sentence shares more with the question than the subject does.
        """
        weights, best = self._content_weights_by_id, self.best_sentence(doc_id)[1]
        second_weight, second = 0.0, SUBJECT
        for number, shared, subject in self._iter_sentences(doc_id):
            weight = sum(map(weights.__getitem__, shared.difference(subject)))
            if weight > second_weight and number not in (best, SUBJECT):
                second_weight, second = weight, number
        return second

    def _iter_sentences(self, doc_id: int) -> Iterator[tuple[int, set[int], set[int]]]:
        """Yield (number, shared tokens, shared tokens of the subject) for each sentence of an entry."""
        own_tokens = self._content_weights_by_id.keys()
        subject: set[int] = set()
        for number, tokens in self._index.sentences(doc_id, self._token_range):
            shared = own_tokens & tokens
            if number == SUBJECT:
                subject = shared
            yield number, shared, subject

    def mentions_every_name(self, doc_id: int) -> bool:
        """Check whether the entry concerns or mentions every card and every topic named in the question."""
        return all(
            doc_id in doc_ids
            or all(contains_sorted(self._postings[token].doc_ids, doc_id) for token in tokens)
            for doc_ids, tokens in self._longest_names
        )

    # ── Similarity ──

    def similarity(self, doc_id: int) -> float:
        """Return the similarity (0-1) of the question to the entry's closest title, alias or sample question.

        It is the Ochiai coefficient of their tokens, weighted by IDF: the weight of the shared tokens,
        divided by the geometric mean of both weights. Stop words are ignored.
        """
        return self._similarities(doc_id)[0]

    def wording_similarity(self, doc_id: int) -> float:
        """Return the mean similarity (0-1) of the question to the closest phrasings, including stop words.

        It is the Ochiai coefficient of their sets of tokens
        (https://en.wikipedia.org/wiki/Cosine_similarity#Otsuka–Ochiai_coefficient).
        """
        return self._similarities(doc_id)[1]

    def _similarities(self, doc_id: int) -> tuple[float, float]:
        """Return the similarity and the wording similarity. Both are computed from squares, to save time."""
        if doc_id not in self._similarity_cache:
            weights, token_count, total = (
                self._all_weights_by_id,
                len(self._all_weights),
                self._total_weight or 1.0,
            )
            best, best_wordings = 0.0, [0.0] * _WORDING_PHRASINGS
            for tenths, tokens in self._index.phrasings(doc_id, self._token_range):
                shared = weights.keys() & tokens
                heappushpop(best_wordings, len(shared) * len(shared) / (token_count * len(tokens)))
                weight = tenths / 10
                upper_bound = weight / total if weight < total else total / weight
                if upper_bound > best and shared:
                    shared_weight = sum(map(weights.__getitem__, shared))
                    best = max(best, shared_weight * shared_weight / (total * max(weight, shared_weight)))
            wording = sum(map(sqrt, best_wordings)) / _WORDING_PHRASINGS
            self._similarity_cache[doc_id] = sqrt(best), wording
        return self._similarity_cache[doc_id]

    def find_direct_answer(self, answers: Iterable[DirectAnswer]) -> DirectAnswer | None:
        """Return the answer whose question is phrased most similarly, if it certainly asks the same."""
        best, found = 0.0, None
        for answer in answers:
            for other in chain.from_iterable(answer.asks.values()):
                similarity = self._phrasing_similarity(other)
                if similarity > best:
                    best, found = similarity, answer
        return found if best >= _MIN_SAME_QUESTION else None

    def _phrasing_similarity(self, other: str) -> float:
        """Return how similarly another question is phrased, from 0 to 1.

        It is 0 if the questions differ in cards, numbers, negations or other words that change the answer, if
        each has words that the other lacks ("from hand" is not "from play"), or if they have the same words
        in another order: "is gaining buying" is not "is buying gaining".
        """
        folded, text = fold(other), self._question.text
        if folded == text:
            return 1.0
        if is_spaced(folded) != is_spaced(text) or _find_critical_words(folded) != _find_critical_words(text):
            return 0.0
        weights, own_weights = self._weigh_phrasing(folded), self._own_phrasing
        shared = [token for token in own_weights if token in weights]
        names = self._card_tokens
        if shared != [token for token in weights if token in own_weights] or not names <= weights.keys():
            return 0.0
        if len(shared) < min(len(weights), len(own_weights)):
            return 0.0
        words, own_words = (
            {token: weight for token, weight in each.items() if token not in names}
            for each in (weights, own_weights)
        )
        if words != own_words and _similarity(words, own_words) < _MIN_SAME_WORDS:
            return 0.0
        return _similarity(weights, own_weights)

    @cached_property
    def _card_tokens(self) -> set[str]:
        """The tokens of the question that belong to names of cards."""
        names = " ".join(name.text for name in self._question.cards)
        return set(tokenize(names)) & self._own_phrasing.keys()

    @cached_property
    def _own_phrasing(self) -> Mapping[str, float]:
        """The weight of each token of the question, apart from stop words."""
        return self._weigh_phrasing(self._question.text)

    def _weigh_phrasing(self, folded: str) -> Mapping[str, float]:
        """Return the weight of each token of a folded question, apart from stop words."""
        lexicon = self._index.lexicon
        text = lexicon.replace_synonyms(self._game, lexicon.stop_words.remove_phrases(folded))
        all_tokens = dict.fromkeys(tokenize(text))
        tokens = [token for token in all_tokens if token not in lexicon.stop_words.stems]
        return {
            token: self._index.postings(token).weight or _unknown_weight(token)
            for token in tokens or all_tokens
        }

    # ── Preparation ──

    def _add_bm25_scores(self) -> None:
        """Add the BM25 scores of the question's tokens to the game's entries."""
        scores, own = self._base_scores, self._doc_ids
        for token, postings in self._postings.items():
            if self._weights[token] >= _MIN_TOKEN_WEIGHT:
                start, stop = (bisect_left(postings.doc_ids, bound) for bound in (own.start, own.stop))
                for doc_id, score in zip(
                    postings.doc_ids[start:stop], postings.scores[start:stop], strict=True
                ):
                    scores[doc_id] += score

    def _add_name_boosts(self) -> set[int]:
        """Add the boosts for names in the question. Return the IDs of all entries that have these names."""
        named_doc_ids: set[int] = set()
        for name in self._question.names:
            targets = self._index.find_exact(name.text)
            weight = sum(self._weights.get(token, 0) for token in tokenize(name.text))
            weight *= 1 if targets.cards else _TOPIC_BOOST_FACTOR
            for role, doc_ids in targets.entries.items():
                named_doc_ids.update(doc_ids)
                for doc_id in doc_ids:
                    self._base_scores[doc_id] += _NAME_BOOSTS[role] * weight
        return named_doc_ids

    def _may_ask_about_meeting(self, doc_id: int) -> bool:
        """Check whether the question may be about the combination of cards that an entry is about.

        It is not if the entry concerns exactly one of the question's cards, or if none of these cards is one
        that has to be combined with others.
        """
        if sum(doc_id in doc_ids for doc_ids in self.entries_by_card) == 1:
            return False
        meeting_cards = self._index.meeting_cards[doc_id]
        return not self.entries_by_card or any(name.card in meeting_cards for name in self._question.cards)

    @cached_property
    def _longest_names(self) -> list[tuple[set[int], list[str]]]:
        """The (document IDs, tokens) of the names of cards and entries in the question, without overlaps."""
        names: list[tuple[set[int], list[str]]] = []
        matched_letters = 0  # bit mask
        meant_starts = {name.start for name in self._question.cards if name.is_meant}
        for name in self._question.names:
            targets = self._index.find_exact(name.text)
            letters = (1 << name.end) - (1 << name.start)
            tokens = [token for token in tokenize(name.text) if token in self._content_weights]
            is_subject = (
                name.start in meant_starts
                if targets.cards
                else any(doc_id in self._doc_ids for doc_id in targets.titled_doc_ids)
            )
            if tokens and is_subject and not letters & matched_letters:
                names.append((set(targets.doc_ids), tokens))
            matched_letters |= letters
        return names

    def _by_token_id(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Convert the keys of a mapping from tokens to token IDs."""
        by_id = {self._index.token_id(token): weight for token, weight in weights.items()}
        return {token_id: weight for token_id, weight in by_id.items() if token_id is not None}


def _similarity(weights: Mapping[str, float], others: Mapping[str, float]) -> float:
    """Return the weight of the shared tokens in relation to the geometric mean of both weights (0-1)."""
    total = sqrt(sum(weights.values()) * sum(others.values()))
    return sum(weights[token] for token in weights.keys() & others.keys()) / total if total else 0.0


def _find_critical_words(folded: str) -> set[str]:
    """Return the numbers and negations in a folded question. They change its answer."""
    return set(re.findall(_CRITICAL_WORD, folded))


def _unknown_weight(token: str) -> float:
    """Return the weight of a token that no entry contains."""
    return _UNKNOWN_KANA_WEIGHT if any(map(is_kana, token)) else _UNKNOWN_WEIGHT
