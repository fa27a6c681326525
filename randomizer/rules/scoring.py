"""What a question says, and how well entries answer it.

An entry has points for the words that it shares with the question (Okapi's BM25), for the names in it that
are its own, and for how like something that it is called or asked the question is, also in its wording.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from heapq import heappushpop, nlargest
from math import sqrt
from unicodedata import normalize

from randomizer.rules.index import Index, among
from randomizer.text.folding import edges, fold, katakana, spaced, tokens, unspaced
from randomizer.text.tuples import NamedTuple

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
_ENOUGH = 4.0  # what the words of a question have to say together for it to tell one thing from another
_RARE = 0.7
_UNKNOWN = 6.0  # what a word counts that no entry has
_STRANGE = 3.0  # ... or a kanji, or two
_GRAMMAR = 0.5  # ... or kana, which are mostly the ending of a verb
_LONGEST = 12  # words, or Japanese letters, that a name within a question has at most
# Words and kanji as somebody types them; compiled when first asked for, as that takes longer than a look-up.
_WORDS = "(?i)[a-z][a-z'’]{2,}|[ァ-ヺー]{3,}|[一-鿿々]{2,}(?=[のはがをにでともやへ]|[^ぁ-ゖ一-鿿々]|$)"
_BETTER = 1.3  # how much better than the second the best entry has to be to stand out ...
_MORE = 0.05  # ... and how much less of the question than another it may say, if no card is named
_RARER = 10  # how many times as rare a word is in the entries of one game that is another game's
_CLOSELY = 12  # entries of which it is looked at closely what they are asked


class Name(NamedTuple):
    """A name in a question, from a letter on to before another.

    Attributes:
        text: the name, folded.
        card: the English name of the card that is called so, if there is one ...
        meant: ... and whether it is meant for certain, and not as an ordinary word.
    """

    start: int
    end: int
    text: str
    card: str = ""
    meant: bool = False


class Question:
    """What somebody asks.

    Args:
        put_right: the query folded, with misspelt words put right, if any are.

    Attributes:
        text: all of it, folded.
        names: everything in it that an entry or card is called, the longest first.
        cards: the names of cards, as they follow one another.
        strange: how many words in it stand nowhere: in katakana, or put right.
    """

    def __init__(self, index: Index, query: str, put_right: str = "") -> None:
        self._index, self._speech, self._query = index, index.speech, query
        folded = fold(query)
        self.text = put_right or folded
        self._edges: set[int] = set()
        words = zip(self.text.split(" "), folded.split(" "), strict=False) if put_right else ()
        self.strange = sum(right != word for right, word in words)
        if not folded.isascii():
            self.text, self._edges = edges(query)
            unknown = (run for run in katakana(query) if not all(map(index.knows, tokens(run))))
            self.strange = sum(1 for _ in unknown)
        self.names = self._names()
        self.cards = self._cards()

    @cached_property
    def bare(self) -> str:
        """The name of which it asks no more than what it is, as in `how does ... work`; if there is one."""
        return next((name.text for name in self.names if self._says_nothing(name)), "")

    @cached_property
    def bare_card(self) -> str:
        """The same, if it is a card."""
        called = self._index.called
        return next((n.text for n in self.names if called(n.text).cards and self._says_nothing(n)), "")

    @cached_property
    def about(self) -> str:
        """The card that it is about, if it is one alone."""
        cards = {name.card for name in self.cards if name.meant}
        return cards.pop() if len(cards) == 1 else ""

    def told(self, game: str) -> str:
        """What it tells without the words that every question has, in those of the game's book."""
        speech = self._speech
        parts, start = [], 0
        for name in self.cards:
            parts += [speech.noise.cut(self.text[start : name.start]), name.text]
            start = name.end
        parts.append(speech.noise.cut(self.text[start:]))
        return speech.in_words_of(game, " ".join(parts))

    def _names(self) -> list[Name]:
        """Every run of words or Japanese letters that is a key."""
        text, keys = self.text, self._index.keys
        bounds = [place for place in range(len(text) + 1) if self._may_end(place)]
        found = []
        for first, start in enumerate(bounds):
            for end in bounds[first + 1 : first + 1 + _LONGEST]:
                run = text[start:end].rstrip(" ")
                name = keys.next(run)
                if not name.startswith(run):
                    break
                if name == run and text[start] != " " and self._stands(start, start + len(run)):
                    found.append(Name(start, start + len(run), run))
        return sorted(found, key=lambda name: (name.start - name.end, name.start))

    def _may_end(self, place: int) -> bool:
        """Whether a name may begin or end there: not within a word of a script with spaces."""
        text = self.text
        if place in (0, len(text)):
            return True
        return (
            text[place] == " " or text[place - 1] == " " or unspaced(text[place]) or unspaced(text[place - 1])
        )

    def _stands(self, start: int, end: int) -> bool:
        """Whether what is there is a word for itself, and no part of a longer one."""
        name, left, right = self.text[start:end], self.text[:start], self.text[end:]
        if not unspaced(name[0]) or {start, end} <= self._edges:
            return True
        if all(map(_kana, name)):
            particles = self._speech.particles
            begins = not left or start in self._edges or not _kana(left[-1]) or left.endswith(particles)
            ends = not right or end in self._edges or not _kana(right[0]) or right.startswith(particles)
            return begins and ends and (len(name) > 2 or not left)
        knows = self._index.knows
        begins = not left or _kana(left[-1]) or not unspaced(left[-1]) or not knows(left[-1] + name[0])
        ends = not right or _kana(right[0]) or not unspaced(right[0]) or not knows(name[-1] + right[0])
        return begins and ends

    def _cards(self) -> list[Name]:
        """The names of cards that are not part of a longer one."""
        taken: list[Name] = []
        for name in self.names:
            card = next(iter(self._index.called(name.text).cards), "")
            if card and all(name.end <= other.start or name.start >= other.end for other in taken):
                taken.append(name._replace(card=card, meant=self._means(name, card)))
        return sorted(taken)

    def _means(self, name: Name, card: str) -> bool:
        """Whether the card is meant, and not what its name means otherwise."""
        if name.text not in self._speech.ordinary:
            return True
        within = any(o.start <= name.start and name.end <= o.end for o in self.names if o.text != name.text)
        return not within and self._query.find(card, 1) > 0 and not self._query.istitle()

    def _says_nothing(self, name: Name) -> bool:
        """Whether nothing but the name says what it is about."""
        speech = self._speech
        noise = speech.about
        if self._index.called(name.text).cards:
            noise = speech.about_word if name.text in speech.ordinary else speech.about_card
        rest = f"{self.text[: name.start]} {self.text[name.end :]}"
        return all(token in noise.stems for token in tokens(noise.cut(rest).strip()))


class Scores:
    """How well each entry of a game answers a question.

    Args:
        game: whose entries.
    """

    def __init__(self, index: Index, question: Question, game: str) -> None:
        self._index, self._question = index, question
        self._numbers = index.of[game]
        told = tokens(question.told(game))
        self._having = {token: index.having(token) for token in dict.fromkeys(told)}
        self._worths = {token: says or _nowhere(token) for token, (*_, says) in self._having.items()}
        self.says = sum(self._worths.values())
        whole = tokens(index.speech.in_words_of(game, question.text))
        self._said = dict.fromkeys(whole, 0.0) | self._worths
        noise = index.speech.noise.stems
        telling = {token: much for token, much in self._worths.items() if token not in noise}
        self._telling = telling or self._worths
        self._told = sum(self._telling.values()) + _UNKNOWN * question.strange or 1.0
        self._points = [0.0] * index.count
        self._count_tokens()
        self._asked_about = self._count_names()
        self.concerned = [self._concerned(name) for name in question.cards if name.meant]
        self._cards = {name.card for name in question.cards}
        self._heard: dict[int, tuple[float, float]] = {}
        self._counted: dict[int, float] = {}

    def points(self, number: int) -> float:
        """What the entry has; it means something only beside what another has for the same query."""
        if number not in self._counted:
            self._counted[number] = self._count(number)
        return self._counted[number]

    def _count(self, number: int) -> float:
        points = self._points[number] + _ASKED * self.says * self.like(number) ** _SHARPLY
        if not self.concerned and len(self._said) > 1:
            points += _WORDED * self.says * self.worded_alike(number)
        points *= _ELSEWHERE + (1 - _ELSEWHERE) * self.about(number)
        if len(self.concerned) != 1:
            points *= self.part(number) ** _WHOLE
        if number in self._index.pairs and not self._meet(number):
            points *= _ALONE
        if number in self._asked_about:
            return points
        own, on_cards = number in self._index.of_cards, number in self._index.on_cards
        return points * (_UNNAMED if own else _OFF_TOPIC if on_cards else 1)

    def about(self, number: int) -> float:
        """What part of the cards that the question is about the entry is about."""
        return sum(number in each for each in self.concerned) / len(self.concerned) if self.concerned else 1

    def _meet(self, number: int) -> bool:
        """Whether an entry on cards that meet is asked about: on none, or on what meets another."""
        if sum(number in each for each in self.concerned) == 1:
            return False
        return not self.concerned or any(card in self._cards for card in self._index.pairs[number])

    def fits(self, number: int) -> float:
        """How well the entry fits the question: 0 not at all, 2 if it is asked just that, word for word.

        A question of few and common words may fit by chance, and fits less.
        """
        return (self.part(number) + self.like(number)) * min(1, self._told / _ENOUGH)

    def part(self, number: int) -> float:
        """How much of the query the entry says: 0 nothing, 1 every word."""
        says = (much for token, much in self._telling.items() if among(self._having[token][0], number))
        return sum(says) / self._told

    def names_all(self, number: int) -> bool:
        """Whether the entry has each card that is meant in the question, and each title of an entry."""
        return all(
            number in entries or all(among(self._having[token][0], number) for token in said)
            for entries, said in self._things
        )

    def lacks(self, number: int) -> bool:
        """Whether a word of the question that the entry, of another game, has is far rarer in this one's."""
        here = self._numbers
        there = next(numbers for numbers in self._index.of.values() if number in numbers)
        having = [self._having[token][0] for token in self._telling]
        return any(
            _many(numbers, here) * len(there) * _RARER <= _many(numbers, there) * len(here)
            for numbers in having
            if among(numbers, number)
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
            leads = self._index.called(name.text)
            letters = (1 << name.end) - (1 << name.start)
            said = [token for token in tokens(name.text) if token in self._telling]
            titled = name.start in cards if leads.cards else any(n in self._numbers for n in leads.heads)
            if said and titled and not letters & taken:
                found.append(({number for each in leads.entries.values() for number in each}, said))
            taken |= letters
        return found

    @cached_property
    def _places(self) -> dict[int, float]:
        """What each token of the question says, by its number; of what is cut from it, nothing."""
        found = {self._index.place(token): much for token, much in self._said.items()}
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
            leads = self._index.called(name.text)
            said = sum(self._worths.get(token, 0) for token in tokens(name.text))
            said *= 1 if leads.cards else _TOPIC
            for sort, numbers in leads.entries.items():
                asked_about.update(numbers)
                for number in numbers:
                    self._points[number] += _PHRASE[sort] * said
        return asked_about

    def _concerned(self, name: Name) -> set[int]:
        """The entries that concern the card of that name."""
        leads = self._index.called(name.text, fold(name.card))
        return {number for numbers in leads.entries.values() for number in numbers}


def _many(numbers: Sequence[int], among_these: range) -> int:
    """How many of the numbers, which are in order, are in the range."""
    return bisect_left(numbers, among_these.stop) - bisect_left(numbers, among_these.start)


def _nowhere(token: str) -> float:
    """How much a token says that no entry has."""
    return _UNKNOWN if spaced(token) else _GRAMMAR if any(map(_kana, token)) else _STRANGE


def unknown(index: Index, query: str) -> list[str]:
    """The words of a query, as they were typed, that no entry has in any way: neither its name nor its text.

    Of Japanese these are words in katakana and in kanji, without the kanji of an inflected ending.
    """
    _, asked = index.speech.game_named(query)
    words = (found[0] for found in re.finditer(_WORDS, normalize("NFKC", asked)))
    return [word for word in dict.fromkeys(words) if not _known(index, word)]


def _known(index: Index, word: str) -> bool:
    """Whether any entry has the word, or what is said for it in a book, or all of a word in katakana."""
    folded = fold(word)
    said = {token for game in index.titles for token in tokens(index.speech.in_words_of(game, folded))}
    if word.isascii():
        return not said.isdisjoint(index.speech.about_card.stems) or any(map(index.knows, said))
    parts = [token for token in said if len(token) > 1]
    return (all if all(map(_kana, folded)) else any)(map(index.knows, parts))


def _kana(letter: str) -> bool:
    return "ぁ" <= letter <= "ー"
