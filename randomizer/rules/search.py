"""Looks entries of the rulebooks up: by name, then by beginning, words and text, and at last by spelling."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from randomizer.rules.index import Index, Leads
from randomizer.text.folding import fold, spaced, tokens

if TYPE_CHECKING:
    from randomizer.rules.scoring import Scores

_MOST = 25  # results of one look-up
_MOST_SAYING = 8  # ... by what entries say
_NEARLY = 0.25  # how unlike a name something may be spelt to be taken for it rather than for a question
_LIKELY = 0.4  # how unlike to be taken for it where there is nothing else
_CANDIDATES = 80  # names whose spelling is looked at closely
_FAINTLY = 0.6  # how unlike to be worth a question back
_SHORT = 4  # letters that a word must have to be put right
_NAME = 12  # letters that a name in kana has at most
_TERM = 8  # letters up to which Japanese is a term and no question
_ENOUGH = 0.25  # how much of a question the entries have to say
_MUCH = 0.4  # ... if they are of another game than the one that is looked at first
_LITTLE = 0.1  # ... if nothing else was found
_AS_GOOD = 0.5  # how good an answer has to be beside the best one
_BETTER = 1.1  # how much better than the second the best one has to be to be the clear one


class Found(NamedTuple):
    """What a query led to: numbers of entries, best first, perhaps a card; `match` says how.

    `match` is exact, prefix, words, text, fuzzy (a guess: `meant` is what was taken for meant) or none. It is
    `clear` if the first entry answers much better than the others.
    """

    match: str = "none"
    entries: tuple[int, ...] = ()
    card: str = ""
    meant: str = ""
    clear: bool = False

    def __bool__(self) -> bool:
        return bool(self.entries or self.card)


_NOTHING = Found()


def look_up(index: Index, query: str, game: str | None = None) -> Found:
    """What the query leads to.

    Args:
        query: a term, its beginning, a few words or a question, in any language.
        game: only this one of the index; by default its default game, and where that has nothing the others.
    """
    games = [game] if game else list(index.titles)
    term = fold(query)
    return _LookUp(index, term, games).found() if term else _NOTHING


def suggestions(index: Index, query: str) -> list[str]:
    """Up to three names that are spelt a little like it."""
    return [name for _, name in _names_like(index, fold(query), _FAINTLY)[:3]]


class _LookUp:
    """One look-up: its stages, each of which finds something in a game or passes on."""

    def __init__(self, index: Index, term: str, games: Sequence[str]) -> None:
        self.index = index
        self.term = term
        self.own, *self.others = games
        self._counted: dict[tuple[str, str], Scores] = {}

    def found(self) -> Found:
        """The result of the first stage that has one."""
        everywhere = [self.own, *self.others]
        return (
            self._first([self.called, self.begins, self.named], [self.own])
            or self._first([self.called], self.others)
            or self._first([self.joined, self.nearly, self.put_right], everywhere)
            or self._first([self.said], [self.own])
            or self._first([self.begins, self.named, self.said], self.others)
            or self._first([self.likely], everywhere)
            or self._first([self.hardly_said], everywhere)
        )

    def _first(self, stages: Iterable[Callable[[str], Found]], games: Iterable[str]) -> Found:
        return next((found for game in games for stage in stages if (found := stage(game))), _NOTHING)

    # ── The stages ──

    def called(self, game: str) -> Found:
        """Entries, or the card, that are called just that."""
        found = self._led_to(self.index.called(self.term), game)
        if found.card and not found.entries:  # nothing is about the card; but what begins like it may be
            found = self.begins(game)._replace(card=found.card)
        return found and found._replace(match="exact")

    def begins(self, game: str) -> Found:
        """Entries with a name that begins like it."""
        return self._led_to(self.index.beginning(self.term), game)._replace(match="prefix", card="")

    def named(self, game: str) -> Found:
        """Entries that have all its words in one of their names."""
        everywhere = self.index.named(tokens(self.term))
        numbers = [number for number in everywhere if number in self.index.of[game]]
        if not numbers:
            return _NOTHING
        scores = self.scores(self.term, game)
        named = scores.in_order(numbers)
        return Found("words", tuple(named[:_MOST]), clear=_clear(scores, named))

    def joined(self, game: str) -> Found:
        """What is called so when its words are written as one."""
        word = self.term.replace(" ", "")
        found = _NOTHING if word == self.term else _LookUp(self.index, word, [game]).called(game)
        return found and found._replace(match="fuzzy", meant=word)

    def nearly(self, game: str) -> Found:
        """What is called nearly that, if it has a word that no entry has."""
        return _NOTHING if self._knows(self.term) else self._guessed(game, _NEARLY)

    def put_right(self, game: str) -> Found:
        """What is called what it is when its words have been put right."""
        if self.spelt == self.term:
            return _NOTHING
        right = _LookUp(self.index, self.spelt, [game])
        found = right.called(game) or right.begins(game) or right.named(game)
        return found and found._replace(match="fuzzy", meant=self.spelt)

    def said(self, game: str) -> Found:
        """Entries that say enough of it; of a Japanese term the very term."""
        if spaced(self.term) or (len(self.term) > _TERM and not self.kana):
            return self._said(game, _ENOUGH if game == self.own else _MUCH)
        found = self._said(game, _MUCH)
        return found._replace(entries=tuple(number for number in found.entries if self._has(number, game)))

    def likely(self, game: str) -> Found:
        """What is called something like that."""
        return self._guessed(game, _LIKELY)

    def hardly_said(self, game: str) -> Found:
        """Entries that say a little of it; which a name in kana is in any text."""
        return _NOTHING if self.kana else self._said(game, _LITTLE)

    # ── What they share ──

    def scores(self, query: str, game: str) -> "Scores":
        """How well the game's entries answer the query, counted once."""
        from randomizer.rules.scoring import Scores  # which names and beginnings need not

        if (query, game) not in self._counted:
            self._counted[query, game] = Scores(self.index, query, game)
        return self._counted[query, game]

    @cached_property
    def alike(self) -> list[tuple[float, str]]:
        """The names that are spelt like it, the likest first, and how unlike each is."""
        return _names_like(self.index, self.term, _LIKELY)

    @cached_property
    def kana(self) -> bool:
        """Whether it is short and all in kana, and so a name and no question."""
        return len(self.term) <= _NAME and all("ぁ" <= letter <= "ー" for letter in self.term)

    @cached_property
    def spelt(self) -> str:
        """The term with each word that no entry has changed into one that is spelt nearly so."""
        if not spaced(self.term):
            return self.term
        put_right = []
        for word in self.term.split():
            known = len(word) < _SHORT or self._knows(word)
            put_right.append(word if known else self._word_like(word))
        return " ".join(put_right)

    def _knows(self, text: str) -> bool:
        """Whether each token of it is in some entry."""
        return all(map(self.index.knows, tokens(text)))

    def _word_like(self, word: str) -> str:
        """The word of a name that is spelt most like it, or itself if none is much like it."""
        places = self.index.sharing(word, _CANDIDATES)
        others = {part for place in places for part in self.index.keys.name(place).split(" ")}
        return next((other for _, other in _alike(word, others, _LIKELY)), word)

    def _said(self, game: str, least: float) -> Found:
        scores = self.scores(self.spelt, game)
        good = scores.best(_AS_GOOD)
        if all(scores.part(number) < least for number in good):
            return _NOTHING
        return Found("text", tuple(good[:_MOST_SAYING]), clear=_clear(scores, good))

    def _has(self, number: int, game: str) -> bool:
        """Whether the very term stands in the text of the entry: all its tokens, and one after the other."""
        if self.scores(self.term, game).part(number) < 1:
            return False
        return any(self.term in fold(text) for text in self.index.entry(number).text.values())

    def _guessed(self, game: str, most: float) -> Found:
        for far, name in self.alike:
            if far > most:
                break
            names = [other for as_far, other in self.alike if as_far == far]
            if found := self._led_to(self.index.called(*names), game):
                return found._replace(match="fuzzy", meant=name)
        return _NOTHING

    def _led_to(self, leads: Leads, game: str) -> Found:
        """The game's entries, those with such a title first; of the default game also the card."""
        here = self.index.of[game]
        found = dict.fromkeys(number for sort in "tac" for number in leads.entries[sort] if number in here)
        card = "" if here.start else next(iter(leads.cards), "")
        return Found(entries=tuple(found)[:_MOST], card=card)


def _clear(scores: "Scores", best: Sequence[int]) -> bool:
    """Whether the first entry is much better than the second."""
    return len(best) > 1 and scores.points(best[0]) >= scores.points(best[1]) * _BETTER


def _names_like(index: Index, term: str, most: float) -> list[tuple[float, str]]:
    """The names that are at most so unlike the term, the likest first, and how unlike each is."""
    return _alike(term, map(index.keys.name, index.sharing(term, _CANDIDATES)), most)


def _alike(text: str, others: Iterable[str], most: float) -> list[tuple[float, str]]:
    """Those that are spelt at most so unlike the text, the likest first, and how unlike each is."""
    from randomizer.text.spelling import Spelling  # only once something is misspelt

    spelling = Spelling(text)
    return sorted((far, other) for other in others if (far := spelling.unlike(other, most)) <= most)
