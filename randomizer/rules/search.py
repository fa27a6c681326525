"""Looks entries of the rulebooks up: by name, then by beginning, words and text, and at last by spelling."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from randomizer.rules.index import Index, Leads, Said
from randomizer.text.folding import fold, spaced, tokens

_MOST = 25  # results of one look-up
_MOST_SAYING = 8  # ... by what entries say
_NEARLY = 0.25  # how unlike a name something may be spelt to be taken for it rather than for a question
_LIKELY = 0.4  # how unlike to be taken for it where there is nothing else
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
        game: only this one; otherwise the default game, and where that has nothing the others.
    """
    games = [game] if game else list(index.titles)
    term = fold(query)
    return _LookUp(index, term, games).found() if term else _NOTHING


def suggestions(index: Index, query: str) -> list[str]:
    """Up to three names that are spelt a little like it."""
    return [name for far, name, _ in index.spelt_like(fold(query)) if far <= _FAINTLY][:3]


class _LookUp:
    """One look-up: its stages, each of which finds something in a game or passes on."""

    def __init__(self, index: Index, term: str, games: Sequence[str]) -> None:
        self.index = index
        self.term = term
        self.own, *self.others = games

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
        found = self._led_to([self.index.called(self.term)], game)
        if found.card and not found.entries:  # nothing is about the card; but what begins like it may be
            found = self.begins(game)._replace(card=found.card)
        return found and found._replace(match="exact")

    def begins(self, game: str) -> Found:
        """Entries with a name that begins like it."""
        return self._led_to([self.index.beginning(self.term)], game)._replace(match="prefix", card="")

    def named(self, game: str) -> Found:
        """Entries that have all its words in one of their names."""
        wanted = set(tokens(self.term))
        saying = self.index.saying(self.term, game)
        likely = [number for number, said in saying.items() if said.named == wanted]  # or in several names
        named = [
            number
            for number in likely
            if any(wanted <= set(tokens(name)) for name in self.index.names(number))
        ]
        return Found("words", tuple(named[:_MOST]), clear=_clear([saying[number] for number in named]))

    def joined(self, game: str) -> Found:
        """What is called so when its words are written as one."""
        word = self.term.replace(" ", "")
        found = _NOTHING if word == self.term else _LookUp(self.index, word, [game]).called(game)
        return found and found._replace(match="fuzzy", meant=word)

    def nearly(self, game: str) -> Found:
        """What is called nearly that, if it has a word that no entry has."""
        return _NOTHING if self.index.knows(self.term) else self._guessed(game, _NEARLY)

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
        return found._replace(entries=tuple(filter(self._has, found.entries)))

    def likely(self, game: str) -> Found:
        """What is called something like that."""
        return self._guessed(game, _LIKELY)

    def hardly_said(self, game: str) -> Found:
        """Entries that say a little of it; which a name in kana is in any text."""
        return _NOTHING if self.kana else self._said(game, _LITTLE)

    # ── What they share ──

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
            known = len(word) < _SHORT or self.index.knows(word)
            far, other = (0.0, word) if known else self.index.word_like(word)
            put_right.append(other if far <= _LIKELY else word)
        return " ".join(put_right)

    def _said(self, game: str, least: float) -> Found:
        saying = self.index.saying(self.spelt, game)
        best = max((said.points for said in saying.values()), default=0)
        good = {number: said for number, said in saying.items() if said.points >= best * _AS_GOOD}
        if max((said.part for said in good.values()), default=0) < least:
            return _NOTHING
        return Found("text", tuple(good)[:_MOST_SAYING], clear=_clear([*good.values()]))

    def _has(self, number: int) -> bool:
        texts = self.index.entry(number).text
        return any(self.term in fold(text) for text in texts.values())

    def _guessed(self, game: str, most: float) -> Found:
        alike = [(far, name, leads) for far, name, leads in self.index.spelt_like(self.term) if far <= most]
        for far, name, _ in alike:
            if found := self._led_to([leads for other, _, leads in alike if other == far], game):
                return found._replace(match="fuzzy", meant=name)
        return _NOTHING

    def _led_to(self, leads: Sequence[Leads], game: str) -> Found:
        """The game's entries, those with such a title first; of the default game also the card."""
        numbers = range(*self.index.of[game])
        found = dict.fromkeys(
            number for sort in "tac" for lead in leads for number in lead.entries[sort] if number in numbers
        )
        cards = [card for lead in leads for card in lead.cards] if not numbers.start else []
        return Found(entries=tuple(found)[:_MOST], card=cards[0] if cards else "")


def _clear(best: Sequence[Said]) -> bool:
    """Whether the first one is much better than the second."""
    return len(best) > 1 and best[0].points >= best[1].points * _BETTER
