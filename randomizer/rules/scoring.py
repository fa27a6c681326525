"""How well entries answer a question.

An entry has points for the words that it shares with the question (Okapi's BM25), for the names in it that
are its own, and for how like something that it is called or asked the question is, also in its wording.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from heapq import heappushpop, nlargest
from math import sqrt

from randomizer.rules.entry import ABOUT
from randomizer.rules.index import Index, contains_sorted
from randomizer.rules.question import Name, Question
from randomizer.text.folding import fold, is_kana, is_spaced, tokenize

_PHRASE = {"i": 0.4, "t": 0.5, "a": 0.4, "c": 0.2}  # how much more a word says in a name of the entry ...
_TOPIC = 0.6  # ... of which so much, if no card is called so: many entries are about a topic
_OFF_TOPIC = 0.8  # what is left of what an entry on single cards says, if none of them is asked about
_UNNAMED = 0.7  # ... if it is an own entry of a card
_ALONE = 0.8  # ... or on cards that meet, if just one of them is, or not the one that meets the others
_ELSEWHERE = 0.9  # what is left of it, if it is not about the card that the question is about
_WHOLE = 0.4  # how much it counts, where no card is named, that an entry says all of the question
_ASKED = 1.5  # how much what is asked almost so counts, beside all that the question says
_SHARPLY = 6  # ... of which what is only a little like it says next to nothing
_WORDED = 3.0  # ... and, where no card is named and it is more than a word, that it is worded alike
_LIKEST = 3  # how many phrasings count, those that are worded most like it
_AT_ONCE = 0.15  # how much it counts that one sentence of it says all of the question ...
_APART = 0.1  # ... where none says any of it, as if one said so much
_ENOUGH = 4.0  # what the words of a question have to say together for it to tell one thing from another
_RARE = 0.7
_UNKNOWN = 6.0  # what a word counts that no entry has
_STRANGE = 3.0  # ... or a kanji, or two
_GRAMMAR = 0.5  # ... or kana, which are mostly the ending of a verb
_BETTER = 1.3  # how much better than the second the best entry has to be to stand out ...
_MORE = 0.05  # ... and how much less of the question than another it may say, if no card is named
_RARER = 10  # how many times as rare a word is in the entries of one game that is another game's
_CLOSELY = 12  # entries of which it is looked at closely what they are asked


class Scores:
    """How well each entry of a game answers a question.

    Args:
        game: whose entries.
    """

    def __init__(self, index: Index, question: Question, game: str) -> None:
        self._index, self._question = index, question
        self._numbers = index.doc_id_ranges[game]
        told = tokenize(question.told(game))
        self._having = {token: index.postings(token) for token in dict.fromkeys(told)}
        self._worths = {token: says or _nowhere(token) for token, (*_, says) in self._having.items()}
        self.says = sum(self._worths.values())
        whole = tokenize(index.lexicon.replace_synonyms(game, question.text))
        self._said = dict.fromkeys(whole, 0.0) | self._worths
        noise = index.lexicon.stop_words.stems
        telling = {token: much for token, much in self._worths.items() if token not in noise}
        self._telling = telling or self._worths
        self._told = sum(self._telling.values()) + _UNKNOWN * question.strange or 1.0
        self._points = [0.0] * index.entry_count
        self._count_tokens()
        self._asked_about = self._count_names()
        self.concerned = [self._concerned(name) for name in question.cards if name.meant]
        self._cards = {name.card for name in question.cards}
        self._heard: dict[int, tuple[float, float]] = {}
        self._sentences: dict[int, tuple[float, int]] = {}
        self._counted: dict[int, float] = {}

    def points(self, number: int) -> float:
        """What the entry has; it means something only beside what another has for the same query."""
        if number not in self._counted:
            self._counted[number] = self._count(number)
        return self._counted[number]

    def _count(self, number: int) -> float:
        points: float = self._points[number] + _ASKED * self.says * self.like(number) ** _SHARPLY
        if not self.concerned and len(self._said) > 1:
            points += _WORDED * self.says * self.worded_alike(number)
        points *= (_APART + self.sentence(number)[0]) ** _AT_ONCE
        points *= _ELSEWHERE + (1 - _ELSEWHERE) * self.about(number)
        if len(self.concerned) != 1:
            points *= self.part(number) ** _WHOLE
        if number in self._index.meeting_cards and not self._meet(number):
            points *= _ALONE
        if number in self._asked_about:
            return points
        own, on_cards = number in self._index.own_doc_ids, number in self._index.card_doc_ids
        return points * (_UNNAMED if own else _OFF_TOPIC if on_cards else 1)

    def about(self, number: int) -> float:
        """What part of the cards that the question is about the entry is about."""
        return sum(number in each for each in self.concerned) / len(self.concerned) if self.concerned else 1

    def _meet(self, number: int) -> bool:
        """Whether an entry on cards that meet is asked about: on none, or on what meets another."""
        if sum(number in each for each in self.concerned) == 1:
            return False
        return not self.concerned or any(card in self._cards for card in self._index.meeting_cards[number])

    def fits(self, number: int) -> float:
        """How well the entry fits the question: 0 not at all, 2 if it is asked just that, word for word.

        A question of few and common words may fit by chance, and fits less.
        """
        return (self.part(number) + self.like(number)) * min(1, self._told / _ENOUGH)

    def part(self, number: int) -> float:
        """How much of the query the entry says: 0 nothing, 1 every word."""
        says = (
            much for token, much in self._telling.items() if contains_sorted(self._having[token][0], number)
        )
        return sum(says) / self._told

    def sentence(self, number: int) -> tuple[float, int]:
        """How much of the query one sentence says, with what all of the entry is about; and its number."""
        if number not in self._sentences:
            telling = self._telling_places
            first, last = min(telling, default=0), max(telling, default=0)
            about: Collection[int] = ()
            best, which = 0.0, ABOUT
            for sentence, places in self._index.sentences(number, first, last):
                shared = telling.keys() & places
                about = shared if sentence == ABOUT else about
                says = sum(map(telling.__getitem__, shared.union(about)))
                if says > best:
                    best, which = says, sentence
            self._sentences[number] = best / self._told, which
        return self._sentences[number]

    def sentences(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Of each of the entries the number of that sentence."""
        return tuple(self.sentence(number)[1] for number in numbers)

    def names_all(self, number: int) -> bool:
        """Whether the entry has each card that is meant in the question, and each title of an entry."""
        return all(
            number in entries or all(contains_sorted(self._having[token][0], number) for token in said)
            for entries, said in self._things
        )

    def lacks(self, number: int) -> bool:
        """Whether a word of the question that the entry, of another game, has is far rarer in this one's."""
        here = self._numbers
        there = next(numbers for numbers in self._index.doc_id_ranges.values() if number in numbers)
        having = [self._having[token][0] for token in self._telling]
        return any(
            _many(numbers, here) * len(there) * _RARER <= _many(numbers, there) * len(here)
            for numbers in having
            if contains_sorted(numbers, number)
        )

    def like(self, number: int) -> float:
        """How like something that the entry is called or asked the question is: 1 is word for word."""
        return self._compared(number)[0]

    def worded_alike(self, number: int) -> float:
        """How many words it shares with its likest phrasings, common words too: 1 is all of them.

        It is Ochiai's coefficient: how many both have, by the geometric mean of how many each has.
        """
        return self._compared(number)[1]

    def _compared(self, number: int) -> tuple[float, float]:
        if number not in self._heard:
            here, words, says = self._places, len(self._said), self.says or 1.0
            best, likest = 0.0, [0.0] * _LIKEST
            first, last = min(here, default=0), max(here, default=0)
            for tenths, places in self._index.phrasings(number, first, last):
                shared = here.keys() & places
                heappushpop(likest, len(shared) * len(shared) / (words * len(places)))
                much = tenths / 10
                most = much / says if much < says else says / much  # if one says all that the other does
                if most > best and shared:
                    both = sum(map(here.__getitem__, shared))
                    best = max(best, both * both / (says * max(much, both)))
            self._heard[number] = sqrt(best), sum(map(sqrt, likest)) / _LIKEST
        return self._heard[number]

    def best(self, share: float) -> list[int]:
        """The entries that have at least this share of the points of the best one, in order."""
        points = self._points
        here = nlargest(_CLOSELY, self._numbers, points.__getitem__)
        concerned = {number for each in self.concerned for number in each if number in self._numbers}
        here += nlargest(_CLOSELY // 2, concerned, points.__getitem__)
        likely = self.in_order({number for number in here if points[number] > 0})
        most = self.points(likely[0]) if likely else 0
        return [number for number in likely if self.points(number) >= most * share]

    def stands_out(self, best: Sequence[int]) -> bool:
        """Whether the first of these is much better than the second.

        Where no card is named, no other may say more of the question, either.
        """
        first, *others = best
        most = self.part(first) + _MORE
        better = not others or self.points(first) >= self.points(others[0]) * _BETTER
        return better and (bool(self.concerned) or all(self.part(number) <= most for number in others))

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """These entries, the best first, and of equal ones in the order of the book."""
        return sorted(numbers, key=lambda number: (-self.points(number), number))

    @cached_property
    def _things(self) -> list[tuple[set[int], list[str]]]:
        """For each card or title in the question, in no longer name, the entries called so and its words."""
        found, taken = [], 0
        cards = {name.start for name in self._question.cards if name.meant}
        for name in self._question.names:
            leads = self._index.find_exact(name.text)
            letters = (1 << name.end) - (1 << name.start)
            said = [token for token in tokenize(name.text) if token in self._telling]
            titled = (
                name.start in cards if leads.cards else any(n in self._numbers for n in leads.titled_doc_ids)
            )
            if said and titled and not letters & taken:
                found.append(({number for each in leads.entries.values() for number in each}, said))
            taken |= letters
        return found

    @cached_property
    def _places(self) -> dict[int, float]:
        """What each token of the question says, by its number; of what is cut from it, nothing."""
        return self._by_place(self._said)

    @cached_property
    def _telling_places(self) -> dict[int, float]:
        """The same of what tells something."""
        return self._by_place(self._telling)

    def _by_place(self, said: Mapping[str, float]) -> dict[int, float]:
        found = {self._index.token_id(token): much for token, much in said.items()}
        return {place: much for place, much in found.items() if place is not None}

    def _count_tokens(self) -> None:
        """Give the game's entries the points for the tokens that they have."""
        points, game = self._points, self._numbers
        worths = self._worths
        for token, (numbers, gives, _) in self._having.items():
            if worths[token] < _RARE:
                continue
            here = slice(bisect_left(numbers, game.start), bisect_left(numbers, game.stop))
            for number, more in zip(numbers[here], gives[here], strict=True):
                points[number] += more

    def _count_names(self) -> set[int]:
        """Give points for the names in the query; the entries that are called so, or concern such a card."""
        asked_about: set[int] = set()
        for name in self._question.names:
            leads = self._index.find_exact(name.text)
            said = sum(self._worths.get(token, 0) for token in tokenize(name.text))
            said *= 1 if leads.cards else _TOPIC
            for sort, numbers in leads.entries.items():
                asked_about.update(numbers)
                for number in numbers:
                    self._points[number] += _PHRASE[sort] * said
        return asked_about

    def _concerned(self, name: Name) -> set[int]:
        """The entries that concern the card of that name."""
        leads = self._index.find_exact(name.text, fold(name.card))
        return {number for numbers in leads.entries.values() for number in numbers}


def _many(numbers: Sequence[int], among_these: range) -> int:
    """How many of the numbers, which are in order, are in the range."""
    return bisect_left(numbers, among_these.stop) - bisect_left(numbers, among_these.start)


def _nowhere(token: str) -> float:
    """How much a token says that no entry has."""
    return _UNKNOWN if is_spaced(token) else _GRAMMAR if any(map(is_kana, token)) else _STRANGE
