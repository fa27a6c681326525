"""Computes the scores of entries for a question.

The score of an entry is the sum of

- its Okapi BM25 score for the tokens of the question (https://en.wikipedia.org/wiki/Okapi_BM25),
- boosts for names in the question that are names of the entry or of a card that it concerns, and
- the similarity of the question to the titles, aliases and sample questions of the entry,

multiplied by factors for how much of the question, and how many of its cards, the entry covers.
The weight of a token is its IDF weight, which is higher the fewer entries contain the token.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappushpop, nlargest
from itertools import chain
from math import sqrt

from randomizer.rules.entry import SUBJECT_NUMBER
from randomizer.rules.index import ALIAS_ROLE, CARD_ROLE, ID_ROLE, TITLE_ROLE, Index, is_in_sorted
from randomizer.rules.question import Question
from randomizer.text.folding import fold, is_kana, is_spaced, tokenize

# ── Weights of tokens ──

# The IDF weight below which a token adds nothing to BM25 scores. Skipping common tokens saves time.
_MIN_TOKEN_WEIGHT = 0.7
# The weight of a token that no entry contains; IDF weights are about 0 to 7. With a high value, more
# questions with unknown words get no answer. Kana are mostly inflectional endings, which say little.
_UNKNOWN_WEIGHT = 3.0
_UNKNOWN_KANA_WEIGHT = 0.5

# ── Terms of a score ──

# The boost for a name in the question, as a fraction of its tokens' weights, by the role that the name has
# for the entry. High values favour matches by name over matches by text.
_NAME_BOOSTS = {ID_ROLE: 0.4, TITLE_ROLE: 0.5, ALIAS_ROLE: 0.4, CARD_ROLE: 0.2}
# The factor (0-1) for that boost if the name is not the name of a card. Many entries mention a topic, but few
# concern a card.
_TOPIC_BOOST_FACTOR = 0.6
# The weight of the similarity to the closest phrasing, relative to the total weight of the question. A high
# value makes sample questions more important than the text of an entry.
_SIMILARITY_WEIGHT = 1.5
# The exponent of that similarity (0-1). With a high value, only close matches count.
_SIMILARITY_EXPONENT = 6
# The weight of the wording similarity in questions without a card name, relative to the total weight of the
# question. A high value favours entries with similarly worded questions over entries about the same things.
_WORDING_WEIGHT = 3.0
# The number of an entry's phrasings over which the wording similarity is averaged. A high value favours
# entries with many phrasings.
_WORDING_PHRASING_COUNT = 3

# ── Factors of a score ──

# The exponent of the coverage (0-1) for questions that do not name exactly one card. A high value favours
# entries with all of the question's words over entries with one rare word of it.
_COVERAGE_EXPONENT = 0.4
# The exponent of the best sentence's coverage, and an offset that is added to this coverage so that the
# factor is never zero. A high exponent favours entries that answer in one sentence over entries that do so
# in several.
_SENTENCE_EXPONENT = 0.15
_SENTENCE_OFFSET = 0.1
# The factor (0-1) for an entry that concerns none of the question's cards. If it concerns some of them, the
# factor is between this and 1.
_NO_CARD_COVERAGE_FACTOR = 0.9
# The factor (0-1) for an entry about a combination of cards if the question is not about the combination.
_NO_COMBINATION_FACTOR = 0.8
# The factor (0-1) for an entry about cards that the question does not name. A low value suppresses wrong
# answers from similar questions about other cards, but also general answers that are part of such entries.
_OTHER_CARDS_FACTOR = 0.8

# ── Selection of the best entries ──

# The number of entries, the best by BM25 score and boosts alone, whose full score is computed. A high value
# finds more entries, but slows the search down.
_RERANKED_COUNT = 12
# The minimum ratio of the best score to the second best for a clear winner. With a high value, fewer answers
# are shown in full, but fewer of these are wrong.
_MIN_LEAD_RATIO = 1.3
# The minimum coverage (0-1) of the question, without the tokens in the subject of an entry, by the sentence
# of the entry that is shown before it. A low value shows more of these sentences, but fewer of them answer.
_MIN_DECISIVE_COVERAGE = 0.6
# The maximum by which the coverage (0-1) of another entry may exceed the winner's, if the question names no
# card. With a low value, fewer answers are shown in full, but fewer of these are wrong.
_MAX_COVERAGE_DEFICIT = 0.05


class Scores:
    """The scores of a game's entries for a question.

    Args:
        index: the search index.
        question: the question to answer.
        game: the game whose entries are scored.

    Attributes:
        doc_ids_per_card: for each card that the question certainly means, the document IDs of the entries
            that concern the card.
    """

    def __init__(self, index: Index, question: Question, game: str) -> None:
        self._index, self._question, self._game = index, question, game
        self._doc_ids = index.doc_id_ranges[game]
        tokens = dict.fromkeys(tokenize(question.build_content_text(game)))
        self._postings = {token: index.postings(token) for token in tokens}
        self._weights = {
            token: postings.weight or get_unknown_token_weight(token)
            for token, postings in self._postings.items()
        }
        self._total_weight = sum(self._weights.values())
        all_tokens = tokenize(index.lexicon.replace_synonyms(game, question.text))
        self._all_weights = dict.fromkeys(all_tokens, 0.0) | self._weights  # Stop words weigh nothing.
        stop_words = index.lexicon.stop_words.stems
        without_stop_words = {
            token: weight for token, weight in self._weights.items() if token not in stop_words
        }
        self._content_weights = without_stop_words or self._weights
        unknown_words_weight = _UNKNOWN_WEIGHT * question.unknown_word_count
        self._total_content_weight = sum(self._content_weights.values()) + unknown_words_weight or 1.0
        self.doc_ids_per_card = [
            set(index.find_exact(name.text, fold(name.card)).doc_ids)
            for name in question.cards
            if name.means_card
        ]
        self._all_weights_by_id = self._convert_to_token_ids(self._all_weights)
        self._content_weights_by_id = self._convert_to_token_ids(self._content_weights)
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
        """Return the score of an entry, which is comparable only with scores for the same question."""
        if doc_id not in self._score_cache:
            self._score_cache[doc_id] = self._compute_score(doc_id)
        return self._score_cache[doc_id]

    def _compute_score(self, doc_id: int) -> float:
        similarity_weight = _SIMILARITY_WEIGHT * self._total_weight
        score: float = (
            self._base_scores[doc_id] + similarity_weight * self.similarity(doc_id) ** _SIMILARITY_EXPONENT
        )
        if not self.doc_ids_per_card and len(self._all_weights) > 1:
            score += _WORDING_WEIGHT * self._total_weight * self.wording_similarity(doc_id)
        score *= (_SENTENCE_OFFSET + self.find_best_sentence(doc_id)[0]) ** _SENTENCE_EXPONENT
        score *= _NO_CARD_COVERAGE_FACTOR + (1 - _NO_CARD_COVERAGE_FACTOR) * self.card_coverage(doc_id)
        if len(self.doc_ids_per_card) != 1:
            score *= self.coverage(doc_id) ** _COVERAGE_EXPONENT
        if doc_id in self._index.combining_cards and not self._may_be_about_combination(doc_id):
            score *= _NO_COMBINATION_FACTOR
        if doc_id in self._index.card_doc_ids and doc_id not in self._named_doc_ids:
            score *= _OTHER_CARDS_FACTOR
        return score

    def find_best(self, min_ratio: float) -> list[int]:
        """Return the document IDs of the entries with the best scores, best first.

        Args:
            min_ratio: the minimum ratio (0-1) of a score to the best score.
        """
        base_scores = self._base_scores
        candidates = nlargest(_RERANKED_COUNT, self._doc_ids, base_scores.__getitem__)
        about_cards = {doc_id for doc_id in chain(*self.doc_ids_per_card) if doc_id in self._doc_ids}
        candidates += nlargest(_RERANKED_COUNT // 2, about_cards, base_scores.__getitem__)
        ranked = self.rank({doc_id for doc_id in candidates if base_scores[doc_id] > 0})
        best_score = self.score(ranked[0]) if ranked else 0
        return [doc_id for doc_id in ranked if self.score(doc_id) >= best_score * min_ratio]

    def rank(self, doc_ids: Iterable[int]) -> list[int]:
        """Sort entries by score, best first; the order of the book breaks ties."""
        return sorted(doc_ids, key=lambda doc_id: (-self.score(doc_id), doc_id))

    def has_clear_winner(self, ranked: Sequence[int]) -> bool:
        """Check whether the first of these entries, best first, is much better than the second.

        If the question names no card, no other entry may cover much more of the question, either. A question
        with a single word has no clear winner, because a word may match by chance.
        """
        if len(self._content_weights) < 2:
            return False
        first, *others = ranked
        if others and self.score(first) < self.score(others[0]) * _MIN_LEAD_RATIO:
            return False
        max_coverage = self.coverage(first) + _MAX_COVERAGE_DEFICIT
        return bool(self.doc_ids_per_card) or all(self.coverage(doc_id) <= max_coverage for doc_id in others)

    def fit(self, doc_id: int) -> float:
        """Return how well an entry answers the question: from 0 (not at all) to 2 (it is a sample question).

        Unlike scores, fits are comparable between questions.
        """
        return self.coverage(doc_id) + self.similarity(doc_id)

    # ── Coverage ──

    def coverage(self, doc_id: int) -> float:
        """Return the fraction (0-1) of the question's tokens, by weight, that an entry contains."""
        weights = (
            weight
            for token, weight in self._content_weights.items()
            if is_in_sorted(self._postings[token].doc_ids, doc_id)
        )
        return sum(weights) / self._total_content_weight

    def card_coverage(self, doc_id: int) -> float:
        """Return the fraction (0-1) of the question's cards that an entry concerns; 1 if there are none."""
        if not self.doc_ids_per_card:
            return 1
        return sum(doc_id in doc_ids for doc_ids in self.doc_ids_per_card) / len(self.doc_ids_per_card)

    def find_best_sentence(self, doc_id: int) -> tuple[float, int]:
        """Return (coverage, sentence number) for the sentence of an entry that covers most of the question.

        Tokens in the subject of the entry (its titles and cards) are counted for every sentence.
        """
        if doc_id not in self._sentence_cache:
            weights = self._content_weights_by_id
            best_weight, best_number = 0.0, SUBJECT_NUMBER
            for number, shared, subject in self._iter_sentences(doc_id):
                weight = sum(map(weights.__getitem__, shared.union(subject)))
                if weight > best_weight:
                    best_weight, best_number = weight, number
            self._sentence_cache[doc_id] = best_weight / self._total_content_weight, best_number
        return self._sentence_cache[doc_id]

    def has_decisive_sentence(self, doc_id: int) -> bool:
        """Check whether the best sentence covers most of what the question says about the entry's subject."""
        weights, best = self._content_weights_by_id, self.find_best_sentence(doc_id)[1]
        for number, shared, subject in self._iter_sentences(doc_id):
            if number == best != SUBJECT_NUMBER:
                weight = sum(map(weights.__getitem__, shared.difference(subject)))
                rest = self._total_content_weight - sum(map(weights.__getitem__, subject))
                return 0 < weight >= rest * _MIN_DECISIVE_COVERAGE
        return False

    def rank_further_sentences(self, doc_id: int) -> tuple[int, ...]:
        """Return the numbers of an entry's sentences, those that cover most of the question first.

        The best sentence and sentences that share no tokens with the question, except those that the subject
        has too, are omitted.
        """
        weights, best = self._content_weights_by_id, self.find_best_sentence(doc_id)[1]
        weight_by_number = {
            number: sum(map(weights.__getitem__, shared.difference(subject)))
            for number, shared, subject in self._iter_sentences(doc_id)
            if number not in (best, SUBJECT_NUMBER)
        }
        numbers = (number for number, weight in weight_by_number.items() if weight)
        return tuple(sorted(numbers, key=lambda number: -weight_by_number[number]))

    def _iter_sentences(self, doc_id: int) -> Iterator[tuple[int, set[int], set[int]]]:
        """Yield (number, tokens shared with the question, those shared by the subject) for each sentence."""
        question_tokens = self._content_weights_by_id.keys()
        subject: set[int] = set()
        for number, tokens in self._index.sentences(doc_id, self._token_range):
            shared = question_tokens & tokens
            if number == SUBJECT_NUMBER:
                subject = shared
            yield number, shared, subject

    @property
    def has_unknown_words(self) -> bool:
        """Whether the question is in a script with spaces and has words that no entry contains."""
        is_known = self._index.has_token
        return is_spaced(self._question.text) and not all(map(is_known, self._content_weights))

    def mentions_every_name(self, doc_id: int) -> bool:
        """Check whether the entry concerns or mentions every card and every topic named in the question."""
        return all(
            doc_id in doc_ids or all(is_in_sorted(self._postings[token].doc_ids, doc_id) for token in tokens)
            for doc_ids, tokens in self._longest_names
        )

    # ── Similarity ──

    def similarity(self, doc_id: int) -> float:
        """Return the similarity (0-1) of the question to an entry's closest title, alias or sample question.

        This is the Ochiai coefficient of their tokens, weighted by IDF: the weight of the shared tokens,
        divided by the geometric mean of the two total weights. Stop words are ignored.
        """
        return self._similarities(doc_id)[0]

    def wording_similarity(self, doc_id: int) -> float:
        """Return the mean similarity (0-1) of the question to the closest phrasings of an entry.

        The similarity is the Ochiai coefficient of their sets of tokens, including stop words
        (https://en.wikipedia.org/wiki/Cosine_similarity#Otsuka–Ochiai_coefficient).
        """
        return self._similarities(doc_id)[1]

    def _similarities(self, doc_id: int) -> tuple[float, float]:
        """Return (similarity, wording similarity). To save time, squares of similarities are compared."""
        if doc_id not in self._similarity_cache:
            weights, token_count, total = (
                self._all_weights_by_id,
                len(self._all_weights),
                self._total_weight or 1.0,
            )
            best_square, best_squares = 0.0, [0.0] * _WORDING_PHRASING_COUNT
            for weight_in_tenths, tokens in self._index.phrasings(doc_id, self._token_range):
                shared = weights.keys() & tokens
                heappushpop(best_squares, len(shared) * len(shared) / (token_count * len(tokens)))
                weight = weight_in_tenths / 10
                upper_bound = weight / total if weight < total else total / weight
                if upper_bound > best_square and shared:
                    shared_weight = sum(map(weights.__getitem__, shared))
                    best_square = max(
                        best_square, shared_weight * shared_weight / (total * max(weight, shared_weight))
                    )
            wording_similarity = sum(map(sqrt, best_squares)) / _WORDING_PHRASING_COUNT
            self._similarity_cache[doc_id] = sqrt(best_square), wording_similarity
        return self._similarity_cache[doc_id]

    # ── Preparation ──

    def _add_bm25_scores(self) -> None:
        """Add the BM25 scores of the question's tokens to the game's entries."""
        scores, game_doc_ids = self._base_scores, self._doc_ids
        for token, postings in self._postings.items():
            if self._weights[token] >= _MIN_TOKEN_WEIGHT:
                start, stop = (
                    bisect_left(postings.doc_ids, bound) for bound in (game_doc_ids.start, game_doc_ids.stop)
                )
                for doc_id, score in zip(
                    postings.doc_ids[start:stop], postings.scores[start:stop], strict=True
                ):
                    scores[doc_id] += score

    def _add_name_boosts(self) -> set[int]:
        """Add the boosts for names in the question, and return the document IDs of the entries with them."""
        named_doc_ids: set[int] = set()
        for name in self._question.names:
            targets = self._index.find_exact(name.text)
            weight = sum(self._weights.get(token, 0) for token in tokenize(name.text))
            weight *= 1 if targets.cards else _TOPIC_BOOST_FACTOR
            for role, doc_ids in targets.doc_ids_by_role.items():
                named_doc_ids.update(doc_ids)
                for doc_id in doc_ids:
                    self._base_scores[doc_id] += _NAME_BOOSTS[role] * weight
        return named_doc_ids

    def _may_be_about_combination(self, doc_id: int) -> bool:
        """Check whether the question may be about the combination of cards that an entry is about.

        It may not if the entry concerns exactly one of the question's cards, or if none of them is a card
        that the entry combines with others.
        """
        if sum(doc_id in doc_ids for doc_ids in self.doc_ids_per_card) == 1:
            return False
        combining_cards = self._index.combining_cards[doc_id]
        return not self.doc_ids_per_card or any(name.card in combining_cards for name in self._question.cards)

    @cached_property
    def _longest_names(self) -> list[tuple[set[int], list[str]]]:
        """(Document IDs, tokens) for each name of a card or entry in the question, without overlaps."""
        names: list[tuple[set[int], list[str]]] = []
        matched_letters = 0  # a bit mask of positions in the question
        meant_starts = {name.start for name in self._question.cards if name.means_card}
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

    def _convert_to_token_ids(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Return the weights by token ID instead of by token, without unknown tokens."""
        by_id = {self._index.token_id(token): weight for token, weight in weights.items()}
        return {token_id: weight for token_id, weight in by_id.items() if token_id is not None}


def get_unknown_token_weight(token: str) -> float:
    """Return the weight of a token that no entry contains."""
    return _UNKNOWN_KANA_WEIGHT if any(map(is_kana, token)) else _UNKNOWN_WEIGHT
