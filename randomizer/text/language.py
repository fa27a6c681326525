"""Translation of names and messages.

The data and the code are in English, so English needs no translations. The translations for any other
language are in `data/names.<code>.yaml`. Games other than the default game may add `data/<game>.<code>.yaml`.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

ENGLISH = "en"


class Verbatim(str):
    """A string that is never translated: user input, something to type, or a path."""

    __slots__ = ()


class Message(NamedTuple):
    """A translatable message: a template and the values of its placeholders.

    String values are names, and are translated, too; numbers and `Verbatim` strings are not. A `JoinedList`
    is joined, and a nested message is translated, in the language of the message. A mapping from language
    codes to texts is replaced by the text in that language.

    Attributes:
        phrase: the English template, such as `{card} is on the table already.`
        values: the name and value of each placeholder.
    """

    phrase: str
    values: "tuple[tuple[str, Value], ...]" = ()

    def __str__(self) -> str:
        return ENGLISH_LANGUAGE.render(self)


class JoinedList(NamedTuple):
    """A list of values that is joined when it is rendered.

    Attributes:
        parts: the values.
        conjunction: the word before the last value, such as "or"; empty if there is none.
        separator: the text between all other values.
    """

    parts: "tuple[Value, ...]"
    conjunction: str = ""
    separator: str = ", "

    def __str__(self) -> str:
        return ENGLISH_LANGUAGE.render(self)


class Slug(NamedTuple):
    """A reference to a set, a box, or a card that is sold separately.

    Attributes:
        slug: the identifier of the set, box or card, as users type it.
        name: the English name.
    """

    slug: str
    name: str

    def __str__(self) -> str:
        return self.name


class Clause(NamedTuple):
    """A sentence that is rendered without its full stop, to be embedded in another sentence."""

    sentence: "Message"

    def __str__(self) -> str:
        return ENGLISH_LANGUAGE.render(self)


Value = str | int | Message | JoinedList | Slug | Clause | Mapping[str, str]


def message(phrase: str, /, **values: Value) -> Message:
    """Create a message from a template and the values of its placeholders."""
    return Message(phrase, tuple(values.items()))


def quote(text: object) -> Verbatim:
    """Put user input in quotation marks, and escape its control characters."""
    return Verbatim(repr(text))


def as_verbatim(values: Iterable[object]) -> tuple[Verbatim, ...]:
    """Convert values to strings that are not translated."""
    return tuple(Verbatim(value) for value in values)


def join_with_or(names: Iterable[Value]) -> JoinedList:
    """Join alternatives, as in `a, b or c`."""
    return JoinedList(tuple(names), "or")


def join_with_and(names: Iterable[Value]) -> JoinedList:
    """Join names, as in `a, b and c`."""
    return JoinedList(tuple(names), "and")


class Language(NamedTuple):
    """The translations for one language. Whatever has no translation stays in English.

    Attributes:
        code: the language code, such as "ja".
        name: what the language calls itself.
        has_rulebooks: whether the rulebooks are written in this language, too.
        cards: names of cards, components and choices, by English name.
        sets: names of sets, by slug.
        boxes: names of boxes, by slug.
        types: card types, by English type.
        phrases: phrases and templates, by English phrase.
        set_aliases: slugs of sets, by their readings and alternative names.
        concepts: English queries for the rules, by words of players for concepts of the game.
    """

    code: str
    name: str = "English"
    has_rulebooks: bool = True
    cards: Mapping[str, str] = {}
    sets: Mapping[str, str] = {}
    boxes: Mapping[str, str] = {}
    types: Mapping[str, str] = {}
    phrases: Mapping[str, str] = {}
    set_aliases: Mapping[str, str] = {}
    concepts: Mapping[str, str] = {}

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    def translate_name(self, name: str) -> str:
        """Translate the English name of a card, component or choice."""
        return self.cards.get(name) or self.phrases.get(name, name)

    def translate_names(self, names: Iterable[str]) -> str:
        """Translate several English names of cards, components or choices, and join them."""
        return self.join(map(self.translate_name, names))

    def translate(self, phrase: str, /, **values: Value) -> str:
        """Translate a template and fill in its placeholders.

        String values are names, and are translated, too: the value of {set} as a set, and any other value as
        a card, component, phrase or type. Only the value of {text} must already be translated.

        Args:
            phrase: the English template.
            values: the values of its placeholders.
        """
        template = self.phrases.get(phrase, phrase)
        if not values:
            return template
        return fill_template(template, {key: self._fill_in(key, value) for key, value in values.items()})

    def _fill_in(self, key: str, value: Value) -> str:
        """Return the text that replaces the placeholder `key` of a template."""
        if type(value) is str:
            if key == "text":
                return value
            if key == "set":
                return self.sets.get(value, value)
        return self.render(value)

    def render(self, value: Value) -> str:
        """Translate a message, or the value of a placeholder."""
        if type(value) is str:
            return self.cards.get(value) or self.phrases.get(value) or self.types.get(value, value)
        if isinstance(value, Message):
            return self.translate(value.phrase, **dict(value.values))
        if isinstance(value, JoinedList):
            *first_parts, last_part = [*map(self.render, value.parts)] or [""]
            conjunction = value.conjunction
            separator = self.phrases.get(value.separator, value.separator)
            last_separator = self.phrases.get(conjunction, f" {conjunction} ") if conjunction else separator
            return separator.join(first_parts) + (last_separator if first_parts else "") + last_part
        if isinstance(value, Slug):
            return self.boxes.get(value.slug) or self.sets.get(value.slug) or self.translate_name(value.name)
        if isinstance(value, Clause):
            return self.render(value.sentence).rstrip(".。")
        if isinstance(value, Mapping):
            return value.get(self.code) or value[ENGLISH]
        return str(value)

    def join(self, texts: Iterable[str]) -> str:
        """Join translated texts with the comma of this language."""
        return self.phrases.get(", ", ", ").join(texts)

    def join_sentences(self, texts: Iterable[str]) -> str:
        """Join translated sentences with the space of this language, which may be empty."""
        return self.phrases.get(" ", " ").join(texts)


def fill_template(template: str, values: Mapping[str, object]) -> str:
    """Fill in the placeholders of a template that have values. All other braces are left unchanged.

    `str.format` would be unsafe, because templates may come from users' files.
    """
    filled_text, *parts = template.split("{")
    for part in parts:
        name, brace, rest = part.partition("}")
        filled_text += f"{values[name]}{rest}" if brace and name in values else f"{{{part}"
    return filled_text


ENGLISH_LANGUAGE = Language(ENGLISH)  # English needs no translations.
