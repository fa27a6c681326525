"""The names, texts and costs in setup documents: how they are built, and how costs are printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from randomizer.cards.model import Cost
from randomizer.text.language import Language, Message

if TYPE_CHECKING:
    from randomizer.setup import document


def combine_names(name: str, translations: Mapping[str, str]) -> document.Named:
    """Build a name with its translations, except for those that are the same as the English name.

    Args:
        name: the English name.
        translations: the translations by language code.
    """
    names = {code: translation for code, translation in translations.items() if translation != name}
    return {"name": name, "names": names} if names else {"name": name}


def build_prose(phrase: str, languages: Iterable[Language]) -> dict[str, str]:
    """Return a phrase in several languages, by language code."""
    return {language.code: language.translate(phrase) for language in languages}


def build_sentence(message: Message, languages: Iterable[Language]) -> document.Sentence:
    """Convert a message to JSON data: its text in each language, its template and its values."""
    values = {key: value if isinstance(value, int) else str(value) for key, value in message.values}
    text = {language.code: language.translate(message.phrase, **values) for language in languages}
    return {"text": text, "phrase": message.phrase, "values": values}


def build_note(message: Message, because: list[str], languages: Iterable[Language]) -> document.Note:
    """Build a note in several languages, with its causes."""
    return cast("document.Note", {**build_sentence(message, languages), "because": because})


def render_sentence(sentence: document.Sentence, language: Language) -> str:
    """Translate a sentence of a document to any language, also one that the document does not contain."""
    return language.translate(sentence["phrase"], **sentence["values"])


def build_cost(cost: Cost | None) -> document.CardCost | None:
    """Convert a cost to JSON data; None for a card without a cost."""
    return cost and cast("document.CardCost", cost._asdict())


def format_cost(cost: document.CardCost | None) -> str:
    """Return a cost as printed on cards, such as `$3 P`; empty for a card without a cost."""
    return str(Cost(cost["coins"], cost["potion"], cost["debt"], cost["mark"])) if cost else ""
