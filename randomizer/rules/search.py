"""Looks entries of the rulebooks up: by name, then by beginning, words and text, and at last by spelling."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from randomizer.rules.index import Index, KeyTargets
from randomizer.text.folding import fold, is_kana, is_spaced, romaji_to_hiragana, tokenize
from randomizer.text.language import ENGLISH

if TYPE_CHECKING:
    from randomizer.rules.question import Question, Spelt
    from randomizer.rules.scoring import Scores

_AND = "と"
_MOST = 25  # results of one look-up
_MOST_SAYING = 8  # ... by what entries say
_MOST_NAMED = 3  # things that come nearest, where nothing answers
_NEARLY = 0.25  # how unlike a name something may be spelt to be taken for it rather than for a question
_LIKELY = 0.4  # how unlike to be taken for it where there is nothing else
_LONG = 6  # letters that a word put right must have for that to be certain
_NAME = 12  # letters that a name in kana has at most
_TERM = 8  # letters up to which Japanese is a term and no question
_TITLE = 4  # words that a title has at most, and a question more, if few of them tell anything
_WORD = 5  # ... up to which it is a single word
_AS_GOOD = 0.25  # how good an answer has to be beside the best one

# How well an entry has to fit (`Scores.fits`: 0 to 2). Of 2,400 questions nearly all lie above `_ANSWERS`,
# and most of a hundred that no rulebook answers below; what is printed in full has to fit in several ways.
_ANSWERS = 0.85
_NAMED = 0.1  # how much less well, if a card is named
_FAINT = 0.5  # how well to be shown as a guess
_CERTAIN = 1.2  # ... to be printed in full, if it says what part of the question ...
_MOSTLY = 0.6
_LIKE = 0.6  # ... and how like something that it is asked the question is, if no card is named, ...
_ROUGHLY = 0.45  # ... or roughly like ...
_WHOLLY = 0.75  # ... and it says what part of the question ...
_ALMOST = 0.8  # ... or if it is the own entry of a card whose name may be just a word ...
_WORD_FOR_WORD = 0.6  # ... or if it is not the own entry of the card that is; and it has to stand out
_OTHERS = 0.15  # how much better an entry of another game has to fit ...
_FOREIGN = 1.0  # ... and how well, where none of its own does ...
_FAIRLY = 0.45  # ... and what part of the question none of its own may say, if they lack no word of it
_HALF = 0.5  # how much of a question the best entry says at least, if it is not told as a guess


class Found(NamedTuple):
    """What a query led to: numbers of entries, best first, perhaps a card; `match` says how.

    Attributes:
        match: exact, prefix, words, text, fuzzy (a guess) or none.
        entries: their numbers, the best first.
        card: the English name of the card that it is about, if its page is the answer.
        meant: the name that was taken for meant, of a guess.
        sure: whether the first entry is certainly what was asked for.
        nearest: where nothing answers, the entries that come nearest.
        named: the game that the query names, if any.
        sentences: of each entry the number of the sentence that says most of a question.
    """

    match: str = "none"
    entries: tuple[int, ...] = ()
    card: str = ""
    meant: str = ""
    sure: bool = False
    nearest: tuple[int, ...] = ()
    named: str = ""
    sentences: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries or self.card)

    @property
    def said(self) -> bool:
        """Whether it was found by what entries say, and not by a name."""
        return self.match in ("text", "fuzzy") and not self.meant


_NOTHING = Found()


def look_up(index: Index, query: str, game: str | None = None) -> Found:
    """What the query leads to.

    Args:
        query: a term, its beginning, a few words or a question, in any language.
        game: only this one of the index; by default its default game, and where that has nothing the others.
    """
    named, rest = index.lexicon.extract_game(query)
    if game in (None, named) and fold(rest) and not index.find_exact(fold(query)).titled_doc_ids:
        query = rest
    games = [game] if game else sorted(index.titles, key=lambda name: name != named)
    term = fold(query)
    found = _LookUp(index, query, term, games).found() if term else _NOTHING
    return found._replace(named=named)


class _LookUp:
    """One look-up: its stages, each of which finds something in a game or passes on."""

    def __init__(self, index: Index, query: str, term: str, games: Sequence[str]) -> None:
        self.index, self.query, self.term = index, query, term
        self.own, *self.others = games
        self._counted: dict[str, Scores] = {}

    def found(self) -> Found:
        """The result of the first stage that has one."""
        everywhere = [self.own, *self.others]
        return (
            self._first([self.titled, self.card, self.called, self.begins, self.bare, self.named], [self.own])
            or self._first([self.called], self.others)
            or self._first([self.joined, self.turned, self.romaji, self.nearly, self.put_right], everywhere)
            or self.said()
            or self._first([self.bare, self.begins, self.named], self.others)
            or self._first([self.likely], [self.own])
            or self.faintly()
            or self._first([self.likely], self.others)
            or self.nothing()
        )

    def _first(self, stages: Iterable[Callable[[str], Found]], games: Iterable[str]) -> Found:
        return next((found for game in games for stage in stages if (found := stage(game))), _NOTHING)

    # ── The stages ──

    def titled(self, game: str) -> Found:
        """An entry that has just that id or title, or a card that is called just that."""
        found = self.called(game)
        return (
            found
            if found.card or (found.sure and self.index.find_exact(self.term).titled_doc_ids)
            else _NOTHING
        )

    def card(self, game: str) -> Found:
        """The card of which it only asks what it is."""
        found = self._called(self.question.bare_card, game) if self.question.bare_card else _NOTHING
        return found if found.card else _NOTHING

    def called(self, game: str) -> Found:
        """Entries, or the card, that are called just that."""
        return self._called(self.term, game)

    def begins(self, game: str) -> Found:
        """Entries with a name that begins like it."""
        found = self._led_to(self.index.find_prefix(self.term), game)[:_MOST]
        return Found("prefix", tuple(found), sure=len(found) == 1) if found else _NOTHING

    def bare(self, game: str) -> Found:
        """What is called like the only thing in it that says something."""
        return self._called(self.question.bare, game) if self.question.bare else _NOTHING

    def named(self, game: str) -> Found:
        """Entries that have all its words, but for noise, in one of their names, if none answers better."""
        speech = self.index.lexicon
        words = tokenize(speech.replace_synonyms(game, self.term))
        telling = [word for word in words if word not in speech.stop_words.stems] or words
        numbers = [
            number
            for number in self.index.find_by_name_tokens(telling)
            if number in self.index.doc_id_ranges[game]
        ]
        if not numbers:
            return _NOTHING
        scores = self.scores(game)
        named, best = scores.in_order(numbers), scores.best(_AS_GOOD)
        if named[0] not in best[:1]:
            return self.said() or Found("words", tuple(named[:_MOST]))
        others = [number for number in best if number not in named][:_MOST_SAYING]
        return Found("words", tuple([*named, *others][:_MOST]), sure=scores.stands_out(best))

    def joined(self, game: str) -> Found:
        """What is called so when its words are written as one."""
        word = self.term.replace(" ", "")
        found = _NOTHING if word == self.term else self._called(word, game)
        return found and found._replace(match="fuzzy", meant=word)

    def turned(self, game: str) -> Found:
        """What is called so when two names change places, as `A and B` in a script without spaces."""
        names = [] if is_spaced(self.term) else self.question.names
        for first in names:
            rest = self.term.removeprefix(first.text)
            other = rest.removeprefix(_AND)
            if rest != self.term and any(name.text == other for name in names):
                turned = [f"{other}{_AND}{first.text}", f"{other}{first.text}", f"{first.text}{_AND}{other}"]
                if found := next(filter(None, (self._called(word, game) for word in turned)), None):
                    return found._replace(match="words")
        return _NOTHING

    def romaji(self, game: str) -> Found:
        """What is called so when it is Japanese in Latin letters."""
        kana = (
            romaji_to_hiragana(self.term)
            if self.term.isascii() and not self.spelling.knows(self.term)
            else ""
        )
        found = self._called(kana, game) if kana else _NOTHING
        if kana and not found:
            word = self.index.lexicon.replace_synonyms(game, kana)
            again = _LookUp(self.index, word, word, [game])
            found = again.called(game) or again.begins(game)
        return found and found._replace(match="fuzzy", meant=kana)

    def nearly(self, game: str) -> Found:
        """What is called nearly that, if it has a word that no entry has."""
        return _NOTHING if self.spelling.knows(self.term) else self._guessed(game, _NEARLY)

    def put_right(self, game: str) -> Found:
        """What is called what it is when its words have been put right."""
        right = self.spelling.put_right(_LIKELY)
        if right == self.term or not self._names_all_cards(right):
            return _NOTHING
        again = _LookUp(self.index, right, right, [game])
        found = again.called(game) or again.begins(game) or again.bare(game) or again.named(game)
        sure = found.sure and len(right) >= _LONG and right == self.spelling.put_right(_NEARLY)
        return found and found._replace(match="fuzzy", meant=right, sure=sure)

    def said(self) -> Found:
        """Entries that answer the question; of another game if they fit much better than its own.

        Where its own answer it too, the question has to have a word that is in none of its own.
        """
        named = any(card.meant for card in self.question.cards)
        very = not is_spaced(self.term) and (len(self.term) <= _TERM or self.kana) and not named
        found, fits = self._said(self.own, very=very)
        answered = bool(found)
        least = _CERTAIN if very or fits >= _ANSWERS else _FOREIGN
        plain = fits >= _CERTAIN and self.scores(self.own).part(found.entries[0]) >= _WHOLLY
        for game in () if plain else self.others:
            other, fits_other = self._said(game, very=very)
            better = other and fits_other >= max(fits + _OTHERS, least)
            if better and self._may_leave(other.entries[0], answered=answered):
                found, fits = other._replace(sure=other.sure and least < _CERTAIN), fits_other
        return found

    def _may_leave(self, number: int, *, answered: bool) -> bool:
        """Whether another game's entry may be the answer: it has a word that no own one has, or none fits."""
        own = self.scores(self.own)
        fair = _FAIRLY if answered else _MOSTLY
        return own.lacks(number) or all(own.part(first) < fair for first in own.best(_AS_GOOD)[:1])

    def likely(self, game: str) -> Found:
        """What is called something like that."""
        return self._guessed(game, _LIKELY)._replace(sure=False)

    def faintly(self) -> Found:
        """Entries that say something of it, as a guess."""
        found, _ = self._said(self.own, least=_FAINT)
        return found and found._replace(match="fuzzy", sure=False)

    def nothing(self) -> Found:
        """Nothing, and of a question the entries that come nearest."""
        if self.term.count(" ") < 2 if is_spaced(self.term) else len(self.term) <= _TERM:
            return _NOTHING
        return Found(nearest=tuple(self.scores(self.own).best(_AS_GOOD)[:_MOST_NAMED]))

    # ── What they share ──

    @cached_property
    def question(self) -> "Question":
        """It as a question."""
        from randomizer.rules.question import Question  # which names and beginnings need not

        return Question(self.index, self.query)

    @cached_property
    def spelling(self) -> "Spelt":
        """How its words are spelt."""
        from randomizer.rules.question import Spelt

        return Spelt(self.index, self.term)

    @cached_property
    def asked(self) -> "Question":
        """The question with misspelt words put right."""
        from randomizer.rules.question import Question

        right = self.spelling.put_right(_NEARLY)
        return self.question if right == self.term else Question(self.index, self.query, right)

    def scores(self, game: str) -> "Scores":
        """How well the game's entries answer it, counted once."""
        from randomizer.rules.scoring import Scores

        if game not in self._counted:
            self._counted[game] = Scores(self.index, self.asked, game)
        return self._counted[game]

    @cached_property
    def alike(self) -> list[tuple[float, str]]:
        """The names that are spelt like it, the likest first, and how unlike each is."""
        return self.index.closest_names(self.term, _LIKELY)

    @cached_property
    def kana(self) -> bool:
        """Whether it is short and all in kana, and so a name and no question."""
        return len(self.term) <= _NAME and all(map(is_kana, self.term))

    def _said(self, game: str, *, very: bool = False, least: float = _ANSWERS) -> tuple[Found, float]:
        """The entries of a game that answer the question, and how well the first one fits: at least so well.

        Of a term (`very`) only those in which it stands.
        """
        scores = self.scores(game)
        good = scores.best(_AS_GOOD)
        if very:
            phrase = len(self.term) > _WORD and not self.kana
            good = [n for n in good if self._has(n, game) or (phrase and scores.like(n) >= _LIKE)]
        if not good:
            return _NOTHING, 0.0
        first, card = good[0], "" if self.index.doc_id_ranges[game].start else self.asked.about
        fits, own = scores.fits(first), self.index.find_exact(fold(card)).entries["t"] if card else {}
        if fits < least - (_NAMED if card else 0):
            return _NOTHING, fits
        page = card if first in own or not scores.about(first) else ""
        sure = fits >= _CERTAIN and self._plain(scores, first, own) and scores.stands_out(good)
        sure = sure and (not very or self._has(first, game))
        match = "text" if sure or scores.part(first) >= _HALF else "fuzzy"
        found = Found(match, tuple(good[:_MOST_SAYING]), page, sure=sure)
        return found._replace(sentences=scores.sentences(found.entries)), fits

    def _plain(self, scores: "Scores", number: int, own: Collection[int]) -> bool:
        """Whether the entry plainly is about what the question is about.

        Args:
            own: the entries that are the own ones of the card that is named.
        """
        if scores.part(number) < _MOSTLY or self.asked.strange or not scores.names_all(number):
            return False
        if not scores.concerned:
            if number in self.index.own_doc_ids:
                return scores.like(number) >= _ALMOST
            return scores.like(number) >= (_ROUGHLY if scores.part(number) >= _WHOLLY else _LIKE)
        return scores.like(number) >= _WORD_FOR_WORD or (number in own if own else scores.about(number) == 1)

    def _has(self, number: int, game: str) -> bool:
        """Whether the very term stands in the text of the entry."""
        texts = self.index.entry(number).text.values()
        return self.scores(game).part(number) >= 1 and any(self.term in fold(text) for text in texts)

    def _guessed(self, game: str, most: float) -> Found:
        likest = [(far, name) for far, name in self.alike if far <= most and self._names_all_cards(name)]
        for far, name in likest:
            found = self._called(name, game)
            names = [other for as_far, other in likest if as_far == far]
            others = self._led_to(self.index.find_exact(*names), game)
            if found or others:
                entries = tuple(dict.fromkeys((*found.entries, *others)))[:_MOST]
                return found._replace(match="fuzzy", entries=entries, meant=name)
        return _NOTHING

    def _names_all_cards(self, name: str) -> bool:
        """Whether every card that it names is in a name that is spelt like it: no other card is meant."""
        return all(card.text in name for card in self.question.cards)

    def _called(self, term: str, game: str) -> Found:
        """What is called just that; of the default game also the card.

        It is sure what has that id or title; and what is called so otherwise, if no card is. An entry that is
        called like a card may be about another thing, and comes behind the card's own. Of cards that are read
        alike each has its entry listed.
        """
        leads, own = self.index.find_exact(term), self.index.own_doc_ids
        ids, titles, aliases = (leads.entries[sort] for sort in "ita")
        found = self._led_to(leads, game)
        typed = self.query.strip().casefold()  # which tells ids apart that differ in a plural's s alone
        found.sort(
            key=lambda number: (
                number not in ids or (len(ids) > 1 and self.index.entry(number).id != typed),
                number not in titles,
                number not in own,
            )
        )
        if not found and (not leads.cards or self.index.doc_id_ranges[game].start):
            return _NOTHING
        alike = [number for number in found if number in own and number in aliases]
        first = found[0] if found else None
        if len(alike) > 1 and first not in (*ids, *titles):
            return Found("exact", tuple(alike))
        card = self._card(first, leads, game)
        sure = first in ids or first in titles or first in aliases
        if card:
            alone = first in own and own.isdisjoint(found[1:])  # by a reading that no other card has
            titled = first in titles and (first in own or first in leads.entries["c"])
            sure = first in ids or alone or titled
        return Found("exact", tuple(found[:_MOST]), card, sure=sure)

    def _card(self, first: int | None, leads: KeyTargets, game: str) -> str:
        """The card of the default game whose page is the answer: the first entry's, or what is called so."""
        if self.index.doc_id_ranges[game].start:
            return ""
        card = next(iter(leads.cards), "")
        if first in self.index.own_doc_ids:
            title = self.index.entry(first).title[ENGLISH]
            return title if title in leads.cards or not card else card
        return card

    def _led_to(self, leads: KeyTargets, game: str) -> list[int]:
        """The game's entries, those with such an id or title first."""
        here = self.index.doc_id_ranges[game]
        return list(dict.fromkeys(n for sort in "tiac" for n in leads.entries[sort] if n in here))
