"""Finds a question among those that have direct answers, although it is phrased in another way."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from math import sqrt

from randomizer.rules.entry import DirectAnswer
from randomizer.rules.index import Index
from randomizer.rules.question import Question
from randomizer.rules.scoring import get_unknown_token_weight
from randomizer.text.folding import fold, is_spaced, tokenize

# The minimum similarity (0-1) between the phrasings of a question and of one with a direct answer. A low
# value gives more direct answers, but more of these are wrong: with 0.85, one word in four may be missing.
_MIN_SAME_QUESTION_SIMILARITY = 0.9
# The same for the words other than names of cards. Questions about the same card share much of their weight,
# even if they ask different things.
_MIN_OTHER_WORDS_SIMILARITY = 0.75
# Words that change the answer, although their weights are low.
_CRITICAL_WORDS = (
    r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|not|no|never|without|cannot|cant|dont|doesnt|isnt|wont"
    r"|didnt|every|all|any|other|before|after)\b|ない|ません|なく|前に|た後"
)
# Words that say what a question asks for, such as a time or a number. Other questions ask for yes or no, or
# for anything.
_INTERROGATIVES = r"^(?:who|when|where|why|how (?:many|much))\b|いつ|誰|どこ|なぜ|何枚|何個|いくつ|いくら"
# The factor (0-1) for the similarity of two questions of which only one has such a word. It is so low that
# these do not count as the same question.
_OTHER_KIND_FACTOR = 0.88
# The minimum similarity (0-1) to a question whose answer is shown as a sentence without a verdict: within its
# entry, before its entry in full, and in an entry that is moved to the front because of it. Low values show
# more of these sentences, but more of them do not answer.
MIN_SIMILARITY_IN_ENTRY = 0.6
MIN_SIMILARITY_BEFORE_ENTRY = 0.7
MIN_SIMILARITY_TO_MOVE = 0.75
# The minimum weight of a token in the title of an entry for similar questions to share it.
_MIN_TOPIC_WEIGHT = 2.0
# Words without which a sentence about one question certainly does not answer another.
_NUMBERS = r"\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|without)\b"


class QuestionMatcher:
    """Compares a question with questions that have direct answers.

    Args:
        index: the search index.
        question: the question to answer.
        game: the game whose synonyms are replaced.
    """

    def __init__(self, index: Index, question: Question, game: str) -> None:
        self._index, self._question, self._game = index, question, game

    def find_direct_answer(self, answers: Iterable[DirectAnswer]) -> DirectAnswer | None:
        """Return the answer to the most similar question, or None if that does not certainly ask the same."""
        similarity, _, answer = next(_rank_by_similarity(answers, self._compare_phrasing), (0.0, "", None))
        return answer if similarity >= _MIN_SAME_QUESTION_SIMILARITY else None

    def find_similar_answer(self, answers: Iterable[DirectAnswer]) -> tuple[float, DirectAnswer | None]:
        """Return (similarity, answer) for the question with the most similar words, in whatever order.

        The similarity is from 0 to 1. The answer is None if no question about the same topics is similar
        enough for its sentence to be likely to answer this question, too.
        """
        for similarity, other, answer in _rank_by_similarity(answers, self._compare_words):
            if similarity < MIN_SIMILARITY_IN_ENTRY:
                break
            other_question = Question(self._index, other)
            if self._list_topic_tokens(other_question) <= self._question_token_weights.keys():
                return similarity, answer
        return 0.0, None

    def _compare_words(self, other: str) -> float:
        """Return the similarity (0-1) of the words of another question; 0 if cards or numbers differ."""
        folded, text = fold(other), self._question.text
        if is_spaced(folded) != is_spaced(text) or _find_numbers(folded) != _find_numbers(text):
            return 0.0
        weights, question_weights = self._weigh_tokens(folded), self._question_token_weights
        if any(token not in weights for token in self._unknown_words):
            return 0.0
        if not self._card_tokens | self._list_topic_tokens(self._question) <= weights.keys():
            return 0.0
        similarity = _compute_ochiai_similarity(weights, question_weights) * _compare_kinds(folded, text)
        if not self._card_tokens:
            return similarity
        other_words, question_words = (
            {token: weight for token, weight in each.items() if token not in self._card_tokens}
            for each in (weights, question_weights)
        )
        return min(similarity, _compute_ochiai_similarity(other_words, question_words))

    def _compare_phrasing(self, other: str) -> float:
        """Return how similarly another question is phrased, from 0 to 1.

        The similarity is 0 if the questions differ in cards, numbers, negations or other words that change
        the answer; if each has words that the other lacks ("from hand" is not "from play"); or if the words
        they share are in a different order ("is gaining buying" is not "is buying gaining").
        """
        folded, text = fold(other), self._question.text
        if folded == text:
            return 1.0
        if is_spaced(folded) != is_spaced(text) or _find_critical_words(folded) != _find_critical_words(text):
            return 0.0
        weights, question_weights = self._weigh_tokens(folded), self._question_token_weights
        if any(token not in weights for token in self._unknown_words):
            return 0.0
        shared = [token for token in question_weights if token in weights]
        names = self._card_tokens
        if shared != [token for token in weights if token in question_weights] or not names <= weights.keys():
            return 0.0
        if len(shared) < min(len(weights), len(question_weights)):
            return 0.0
        kind_factor = _compare_kinds(folded, text)
        other_words, question_words = (
            {token: weight for token, weight in each.items() if token not in names}
            for each in (weights, question_weights)
        )
        if (
            other_words != question_words
            and _compute_ochiai_similarity(other_words, question_words) < _MIN_OTHER_WORDS_SIMILARITY
        ):
            return 0.0
        return _compute_ochiai_similarity(weights, question_weights) * kind_factor

    @cached_property
    def _card_tokens(self) -> set[str]:
        """The tokens of the question that are part of the names of cards."""
        names = " ".join(name.text for name in self._question.cards)
        return set(tokenize(names)) & self._question_token_weights.keys()

    @lru_cache(100)  # noqa: B019  # A matcher is used for a single question.
    def _list_topic_tokens(self, question: Question) -> set[str]:
        """Return the tokens of a question that are part of the titles of entries, except common ones."""
        topics = (name.text for name in question.names if self._index.find_exact(name.text).titled_doc_ids)
        weights = self._weigh_tokens(" ".join(topics))
        return {token for token, weight in weights.items() if weight >= _MIN_TOPIC_WEIGHT}

    @cached_property
    def _unknown_words(self) -> list[str]:
        """The tokens of a question in a script with spaces that no entry contains."""
        tokens = self._question_token_weights if is_spaced(self._question.text) else ()
        return [token for token in tokens if not self._index.has_token(token)]

    @cached_property
    def _question_token_weights(self) -> Mapping[str, float]:
        """The weight of each token of the question, as `_weigh_tokens` returns it."""
        return self._weigh_tokens(self._question.text)

    def _weigh_tokens(self, folded: str) -> Mapping[str, float]:
        """Return the weight of each token of a folded question except stop words, unless it has no others."""
        lexicon = self._index.lexicon
        text = lexicon.replace_synonyms(self._game, lexicon.stop_words.remove_phrases(folded))
        all_tokens = dict.fromkeys(tokenize(text))
        tokens = [token for token in all_tokens if token not in lexicon.stop_words.stems]
        return {
            token: self._index.postings(token).weight or get_unknown_token_weight(token)
            for token in tokens or all_tokens
        }


def _rank_by_similarity(
    answers: Iterable[DirectAnswer], compare: Callable[[str], float]
) -> Iterator[tuple[float, str, DirectAnswer]]:
    """Yield (similarity, question, answer) for each question that has an answer, the most similar first.

    Args:
        answers: the answers.
        compare: a function that returns the similarity of a question.
    """
    compared = (
        (compare(question), question, answer)
        for answer in answers
        for question in chain.from_iterable(answer.asks.values())
    )
    yield from sorted(compared, key=lambda each: -each[0])


def _compute_ochiai_similarity(weights: Mapping[str, float], others: Mapping[str, float]) -> float:
    """Return the weight of the shared tokens divided by the geometric mean of the total weights (0-1)."""
    total = sqrt(sum(weights.values()) * sum(others.values()))
    return sum(weights[token] for token in weights.keys() & others.keys()) / total if total else 0.0


def _find_critical_words(folded: str) -> set[str]:
    """Return the words in a folded question that change its answer, such as numbers and negations."""
    return set(re.findall(_CRITICAL_WORDS, folded))


def _compare_kinds(folded: str, other: str) -> float:
    """Return a factor (0-1) for the similarity of two folded questions: 0 if they ask for different kinds."""
    first, second = (re.search(_INTERROGATIVES, text) for text in (folded, other))
    if first and second:
        return float(first[0] == second[0])
    return 1.0 if first is second else _OTHER_KIND_FACTOR


def _find_numbers(folded: str) -> set[str]:
    return set(re.findall(_NUMBERS, folded))
