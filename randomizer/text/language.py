"""What things are called in a language, and what the program says in it.

English is the language of the data and of the code, so English needs no file. Every other language is a
`data/names.<code>.yaml`, and for a game besides the default one a `data/<game>.<code>.yaml` that adds to it.
"""

from collections.abc import Iterable, Mapping

from randomizer.text.tuples import NamedTuple

ENGLISH = "en"


class Typed(str):
    """A text that is the same in every language: something typed, or to be typed, or a path."""

    __slots__ = ()


class Message(NamedTuple):
    """Words for a person: a phrase, and what to put into it. Shown in the reader's language.

    A text among the values is a name and is translated too; a number or what was typed stays as it is. A list
    is joined, and a message told, in that language; of texts by language, that one's is taken.
    """

    phrase: str
    values: "tuple[tuple[str, Value], ...]" = ()

    def __str__(self) -> str:
        return PLAIN.told(self)


class Listed(NamedTuple):
    """Several things, one after the other; `last` is a word before the last of them, if there is one."""

    parts: "tuple[Value, ...]"
    last: str = ""
    between: str = ", "

    def __str__(self) -> str:
        return PLAIN.told(self)


class Slug(NamedTuple):
    """A set, a box or a card sold by itself, with its name in English."""

    slug: str
    name: str

    def __str__(self) -> str:
        return self.name


class Clause(NamedTuple):
    """A sentence as a part of another, without its full stop."""

    sentence: "Message"

    def __str__(self) -> str:
        return PLAIN.told(self)


Value = str | int | Message | Listed | Slug | Clause | Mapping[str, str]


def message(phrase: str, /, **values: Value) -> Message:
    """A message, with the values by their names."""
    return Message(phrase, tuple(values.items()))


def quoted(text: object) -> Typed:
    """Something from outside, in quotation marks and with all its characters visible."""
    return Typed(repr(text))


def as_typed(texts: Iterable[object]) -> tuple[Typed, ...]:
    """Texts that stay as they are."""
    return tuple(Typed(text) for text in texts)


def either(names: Iterable[Value]) -> Listed:
    """`a`, `a or b`, `a, b or c`."""
    return Listed(tuple(names), "or")


def all_of(names: Iterable[Value]) -> Listed:
    """`a`, `a and b`, `a, b and c`."""
    return Listed(tuple(names), "and")


class Language(NamedTuple):
    """Sets and boxes by slug, names by English name, phrases by English phrase; what is missing is English.

    `set_aliases` are readings and further names of sets, with the set's slug.
    """

    code: str
    cards: Mapping[str, str] = {}
    sets: Mapping[str, str] = {}
    boxes: Mapping[str, str] = {}
    types: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    set_aliases: Mapping[str, str] = {}

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    def name(self, name: str) -> str:
        """A card, component or choice by its English name."""
        return self.cards.get(name) or self.words.get(name, name)

    def names(self, names: Iterable[str]) -> str:
        """Cards, components or choices by their English names, one after the other."""
        cards, words = self.cards, self.words
        return self.listed([cards.get(name) or words.get(name, name) for name in names])

    def say(self, phrase: str, /, **values: Value) -> str:
        """The phrase with the values put in.

        A text among the values is a name and is translated too: as a set where the phrase says {set},
        else as a card or component. A value called `text` is words already in the language.
        """
        if not values:
            return self.words.get(phrase, phrase)
        named = {
            key: value
            if isinstance(value, int) or (key == "text" and isinstance(value, str))
            else self.sets.get(value, value)
            if key == "set" and isinstance(value, str)
            else self.told(value)
            for key, value in values.items()
        }
        return filled(self.words.get(phrase, phrase), named)

    def told(self, value: Value) -> str:
        """A message, or what is put into one, in this language."""
        if type(value) is str:  # as nearly always, and asking for each of the others takes a while
            return self.cards.get(value) or self.words.get(value) or self.types.get(value, value)
        if isinstance(value, Message):
            return self.say(value.phrase, **dict(value.values))
        if isinstance(value, Listed):
            *before, last = [*map(self.told, value.parts)] or [""]
            between = self.words.get(value.between, value.between)
            final = self.words.get(value.last, f" {value.last} ") if value.last else between
            return between.join(before) + (final if before else "") + last
        if isinstance(value, Slug):
            known = {**self.sets, **self.boxes}
            return known.get(value.slug) or self.name(value.name)
        if isinstance(value, Clause):
            return self.told(value.sentence).rstrip(".。")
        if isinstance(value, Mapping):
            return value.get(self.code) or value[ENGLISH]
        return str(value)

    def listed(self, texts: Iterable[str]) -> str:
        """Several texts one after the other."""
        return self.words.get(", ", ", ").join(texts)

    def sentences(self, texts: Iterable[str]) -> str:
        """Sentences one after the other, with a space between them where the language has spaces."""
        return self.words.get(" ", " ").join(texts)


def filled(phrase: str, values: Mapping[str, object]) -> str:
    """The phrase with each value where its name stands in braces, and nothing else done to it.

    Not `str.format`, because a phrase may come from a file of anybody's.
    """
    first, *parts = phrase.split("{")
    for part in parts:
        name, brace, rest = part.partition("}")
        first += f"{values[name]}{rest}" if brace and name in values else f"{{{part}"
    return first


PLAIN = Language(ENGLISH)  # in which phrases are written
