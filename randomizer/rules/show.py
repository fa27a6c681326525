"""Shows an answer, as text for people or as JSON for other programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from randomizer.rules.entry import Entry, said
from randomizer.rules.index import Index
from randomizer.rules.layout import brief, titles, whole
from randomizer.rules.lookup import Answer, EntryList, for_table, open_index
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style
from randomizer.text.width import wrap

if TYPE_CHECKING:
    from randomizer.setup.document import Setup
    from randomizer.show.page import RuleList, RulesIn, Ruling

_LEAST = 2  # lines of a list that is cut
_TYPED = 1  # line of the command, which is on the screen too
SCHEMA = 1  # of the JSON


def as_text(
    answer: Answer,
    index: Index,
    language: Language,
    style: Style,
    *,
    rows: int | None = None,
    sources: bool = False,
) -> str:
    """The answer for people: entries in full or in a line, under their headings.

    Args:
        index: where the entries come from; it knows those that they say to see also.
        rows: how high the screen is that it is to fit, as far as lists can be cut; else they are whole.
        sources: name the sources of entries in full.
    """
    facts, setup = _card(answer.card, language, style) if answer.card else ([], [])
    told = [
        whole(
            entry,
            index.related(entry),
            language,
            style,
            titled=entry.title[ENGLISH] != answer.card,
            sources=sources,
        )
        for each in answer.lists
        for entry in (each.entries if each.whole else ())
    ]
    last = [
        titles(language.told(each.heading), each.entries, language, style)
        for each in answer.lists
        if each.told == "title" and each.entries
    ]
    around = [facts, *told, setup, *last]
    lists = [each for each in answer.lists if each.told == "line" and each.entries]
    numbers = [len(each.entries) for each in lists]
    if rows is not None:
        taken = sum(len(block) + 1 for block in around if block) + _TYPED
        headed = sum(1 + bool(each.heading) for each in lists)
        numbers = shared_out(numbers, rows - taken - headed)
    listed = [_listed(each, number, language, style) for each, number in zip(lists, numbers, strict=True)]
    return "\n\n".join("\n".join(block) for block in (facts, *told, *listed, setup, *last) if block)


def _listed(each: EntryList, number: int, language: Language, style: Style) -> list[str]:
    """So many entries of a list, a line each; and a line that says how many there are besides."""
    title, more = language.told(each.heading), len(each.entries) - number
    others = language.say("{count} more: --all", count=more) if more else ""
    if title and not number:
        return wrap(f"{title}  {others}", style.columns)
    heading = list(map(style.heading, wrap(title, style.columns))) if title else []
    last = [style.aside(f"  {others}")] if more else []
    return [*heading, *brief(each.entries[:number], language, style), *last]


def shared_out(numbers: Sequence[int], rows: int) -> list[int]:
    """How many lines of each list fit so many rows: two of each or none, then as many as go, in order.

    Where a list is cut, a line says so.
    """
    shown = [min(number, _LEAST) for number in numbers]
    left = rows - sum(shown) - sum(number > _LEAST for number in numbers)
    for place in reversed(range(len(numbers))):
        if left < 0:  # its heading then says how many there are
            left += shown[place] + 1
            shown[place] = 0
    for place, number in enumerate(numbers):
        if number > shown[place] > 0 and left > 0:
            more = number - shown[place]
            shown[place] += more if more <= left + 1 else left  # a whole list needs no line that says so
            left -= min(more, left)
    return shown


def on_table(setup: "Setup") -> "RulesIn":
    """The rules that matter on the table of a document, for its page.

    Raises:
        UnknownName: there are no data for its game.
        BadData: a rulebook's file has faults.
    """
    index = open_index()
    answer = for_table(index, setup)
    return lambda language: as_lists(answer, index, language)


def as_lists(answer: Answer, index: Index, language: Language) -> "list[RuleList]":
    """The entries of an answer in the words of a language, under their headings, for a page."""
    from randomizer.show.page import RuleList  # which most look-ups do without

    return [
        RuleList(language.told(each.heading), [as_rule(entry, index, language) for entry in each.entries])
        for each in answer.lists
    ]


def as_rule(entry: Entry, index: Index, language: Language) -> "Ruling":
    """An entry in the words of a language, for a page."""
    from randomizer.show.page import Block, Ruling

    say, code = language.say, language.code
    title = said(entry.title, code)
    names = dict.fromkeys((*entry.title.values(), entry.reading, *entry.aliases))
    return Ruling(
        entry.id,
        title,
        [name for name in names if name not in ("", title)],
        said(entry.text, code),
        [Block(say("Until {text}:", text=older.until), [said(older.text, code)]) for older in entry.older],
        [(other.id, said(other.title, code)) for other in index.related(entry)],
        say("Source: {text}", text=language.listed(said(source, code) for source in entry.cited)),
    )


def as_json(answer: Answer) -> str:
    """The answer for other programs: its facts, and the entries one after the other."""
    from randomizer.text.json import dumps

    results = [_result(entry) for each in answer.lists for entry in each.entries]
    page = {"page": card_page(answer)} if answer.card else {}
    return dumps({"schema": SCHEMA, **answer.facts, **page, "results": results})


def card_page(answer: Answer) -> dict[str, Any]:
    """A card's page for other programs: what it does and its rulings, by language; the ids of others."""
    own, near, pairs, others, types = ([*each.entries] for each in answer.lists)
    own = [entry for entry in own if entry.title[ENGLISH] == answer.card]
    texts = {code: text.split("\n\n") for entry in own for code, text in entry.text.items()}
    return {
        "does": {code: first for code, (first, *_) in texts.items()},
        "rulings": {
            code: [line.removeprefix("- ") for block in blocks for line in block.split("\n")]
            for code, (_, *blocks) in texts.items()
        },
        "near": [entry.id for entry in near],
        "with": [entry.id for entry in pairs],
        "more": [entry.id for entry in others],
        "types": [entry.id for entry in types],
        "sources": [source[ENGLISH] for entry in own for source in entry.sources],
    }


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


def _card(name: str, language: Language, style: Style) -> tuple[list[str], list[str]]:
    """The card's facts, and what it brings at setup."""
    from randomizer.browse.show import facts_text, laid_out, setup_text
    from randomizer.load import languages
    from randomizer.load.games import load

    game = load()
    known = [languages.load(code, game) for code in languages.codes()]
    own = languages.load(language.code, game)
    facts, setup = (text(game.cards[name], game, known, own) for text in (facts_text, setup_text))
    return laid_out(facts, style), laid_out(setup, style)
