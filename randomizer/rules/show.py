"""Shows an answer, as text for people or as JSON for other programs."""

from collections.abc import Iterable
from typing import Any

from randomizer.rules.entry import Entry
from randomizer.rules.index import Index
from randomizer.rules.layout import brief, whole
from randomizer.rules.lookup import Answer
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style
from randomizer.text.width import wrap

SCHEMA = 1  # of the JSON


def as_text(answer: Answer, index: Index, language: Language, style: Style) -> str:
    """The answer for people: entries in full or in a line, under their headings.

    Args:
        index: where the entries come from; it knows those that they say to see also.
    """
    blocks: list[Iterable[str]] = []
    if answer.card:
        blocks.append(_card(answer.card, language, style))
    for each in answer.lists:
        title = language.say(each.heading) if each.entries else ""
        heading = list(map(style.heading, wrap(title, style.columns))) if title else []
        if each.whole:
            blocks.append(heading)
            blocks += (whole(entry, index.related(entry), language, style) for entry in each.entries)
        else:
            blocks.append([*heading, *brief(each.entries, language, style)])
    return "\n\n".join("\n".join(block) for block in map(list, blocks) if block)


def as_json(answer: Answer) -> str:
    """The answer for other programs: its facts, and the entries one after the other."""
    from randomizer.text.json import dumps

    results = [_result(entry) for each in answer.lists for entry in each.entries]
    return dumps({"schema": SCHEMA, **answer.facts, "results": results})


def _result(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "game": entry.game,
        "title": entry.title,
        "text": entry.text,
        "older": [{"until": older.until, **older.text} for older in entry.older],
        "see": entry.see,
        "cards": entry.cards,
        "types": entry.types,
        "sources": [source[ENGLISH] for source in entry.sources],
    }


def _card(name: str, language: Language, style: Style) -> Iterable[str]:
    """The card's facts, and what it brings at setup."""
    from randomizer.browse.show import card_text, laid_out
    from randomizer.load import languages
    from randomizer.load.games import load

    game = load()
    known = [languages.load(code, game) for code in languages.codes()]
    own = languages.load(language.code, game)
    return laid_out(card_text(game.cards[name], game, known, own), style).split("\n")
