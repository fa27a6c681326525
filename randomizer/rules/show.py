"""Shows an answer, as text for people or as JSON for other programs."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from randomizer.rules.entry import Entry, Texts, said
from randomizer.rules.index import Index
from randomizer.rules.lookup import Answer, EntryList, answer_table, open_index
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style
from randomizer.text.width import get_list_marker, iter_wrapped, width, wrap

if TYPE_CHECKING:
    from randomizer.setup.document import Setup
    from randomizer.show.page import RuleList, RulesByLanguage, Ruling

_LEAST = 2  # lines of a list that is cut
_TYPED = 1  # line of the command, which is on the screen too
_CUT = " …"  # for what is left out of a text
_INDENT = "  "
_FIRST = 3  # entries of a list that take more lines, where there is room ...
_DEEP = 2  # ... and how many
SCHEMA = 1  # of the JSON


def render_text(
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
        _whole(
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
        _titles(language.render(each.heading), each.entries, language, style)
        for each in answer.lists
        if each.told == "title" and each.entries
    ]
    around = [facts, *told, setup, *last]
    lists = [each for each in answer.lists if each.told == "line" and each.entries]
    numbers = [len(each.entries) for each in lists]
    if rows is not None:
        taken = sum(len(block) + 1 for block in around if block) + _TYPED
        headed = sum(1 + bool(each.heading) for each in lists)
        numbers = allocate_rows(numbers, rows - taken - headed)
        more = [min(number, _FIRST) for each, number in zip(lists, numbers, strict=True) if each.excerpts]
        rows -= taken + headed + sum(numbers) + sum(more) * (_DEEP - 1)
    deep = _DEEP if rows is None or rows >= 0 else 1
    listed = [
        _listed(each, number, language, style, deep) for each, number in zip(lists, numbers, strict=True)
    ]
    return "\n\n".join("\n".join(block) for block in (facts, *told, *listed, setup, *last) if block)


def _listed(each: EntryList, number: int, language: Language, style: Style, deep: int) -> list[str]:
    """So many entries of a list, in a line or two; and a line that says how many there are besides."""
    title, more = language.render(each.heading), len(each.entries) - number
    others = language.translate("{count} more: --all", count=more) if more else ""
    if title and not number:
        return wrap(f"{title}  {others}", style.columns)
    heading = list(map(style.style_heading, wrap(title, style.columns))) if title else []
    last = [style.style_aside(f"  {others}")] if more else []
    return [*heading, *_brief(each, number, language, style, deep), *last]


def allocate_rows(numbers: Sequence[int], rows: int) -> list[int]:
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


# ── Entries, laid out ──


def _whole(
    entry: Entry,
    related: Iterable[Entry],
    language: Language,
    style: Style,
    *,
    titled: bool = True,
    sources: bool = False,
) -> list[str]:
    """An entry in full: title, text, how the rule was before, what to see also, sources.

    Args:
        related: what to see also.
        titled: whether the title stands above it.
        sources: what to see also and the sources in full, with the ids of the entries; else a line of each.
    """
    code = language.code
    titles = dict.fromkeys((said(entry.title, code), *entry.title.values()))
    lines = list(map(style.style_heading, wrap(" · ".join(titles), style.columns))) if titled else []
    lines += _body(said(entry.text, code), style.columns)
    for older in entry.older:
        lines += ["", style.style_aside(language.translate("Until {text}:", text=older.until))]
        lines += map(style.style_aside, _body(said(older.text, code), style.columns))
    return [*lines, "", *_where_from(entry, related, language, style, sources=sources)]


def _where_from(
    entry: Entry, related: Iterable[Entry], language: Language, style: Style, *, sources: bool
) -> list[str]:
    """What to see also, and the sources."""
    code = language.code
    see = [said(other.title, code) + (f" [{other.id}]" if sources else "") for other in related]
    cited = [said(source, code) for source in (entry.sources if sources else entry.cited)]

    def laid_out(phrase: str, names: list[str]) -> list[str]:
        for many in range(len(names), 0, -1):
            more = _CUT if many < len(names) else ""
            text = "  " + language.translate(phrase, text=language.join(names[:many])) + more
            if sources or width(text) <= style.columns:
                break
        return wrap(text.lstrip(), style.columns, "  ")

    lines = laid_out("See also: {text}", see) if see else []
    return [*lines, *map(style.style_aside, laid_out("Source: {text}", cited))]


def _brief(each: EntryList, number: int, language: Language, style: Style, deep: int) -> list[str]:
    """So many entries of a list: the title, the id, and what it says of the question, or how it begins.

    Args:
        deep: how many lines each of the first may take, if they say something of a question.
    """
    lines = []
    for place, entry in enumerate(each.entries[:number]):
        text = f"{said(entry.title, language.code)} [{entry.id}]: {summarize(entry, each, language)}"
        lines += _clipped(text, style.columns, deep if each.excerpts and place < _FIRST else 1)
    return lines


def summarize(entry: Entry, within: EntryList, language: Language) -> str:
    """What an entry of a list says of the question that it answers, or how it begins."""
    begins = said(entry.text, language.code).split("\n")[0]
    says = within.excerpts.get(entry.id, {}).get(language.code, begins)
    says = says.removeprefix(get_list_marker(says))
    return says if begins.startswith(says) else f"{_CUT.lstrip()} {says}"


def _clipped(text: str, columns: int, most: int) -> list[str]:
    """As much of the text as goes on so many lines, the later ones further in."""
    columns -= len(_INDENT) * (2 if most > 1 else 1)
    lines = list(islice(iter_wrapped(text, columns), most + 1))
    if len(lines) > most:
        lines[most - 1 :] = [next(iter_wrapped(lines[most - 1], columns - len(_CUT))).rstrip(",、… ") + _CUT]
    first, *others = lines
    return [_INDENT + first, *(2 * _INDENT + line for line in others)]


def _titles(heading: str, entries: Iterable[Entry], language: Language, style: Style) -> list[str]:
    """A heading, and the titles of the entries with their ids, one after the other."""
    named = language.join(f"{said(entry.title, language.code)} [{entry.id}]" for entry in entries)
    return [style.style_heading(heading), *wrap(named, style.columns, "  ")]


def _body(text: str, columns: int) -> list[str]:
    """A text wrapped, its items with their marks hanging out."""
    lines = []
    for paragraph in text.split("\n"):
        item = paragraph.lstrip()
        mark = get_list_marker(item)
        indent = "  " + " " * (len(paragraph) - len(item))
        first, *more = wrap(item[len(mark) :], columns, indent + " " * len(mark)) if item else [""]
        lines += [indent + mark + first.lstrip() if mark else first, *more]
    return lines


# ── For pages and programs ──


def load_table_rules(setup: "Setup") -> "RulesByLanguage":
    """The rules that matter on the table of a document, for its page.

    Raises:
        UnknownName: there are no data for its game.
        BadData: a rulebook's file has faults.
    """
    index = open_index()
    answer = answer_table(index, setup)
    return lambda language: render_lists(answer, index, language)


def render_lists(answer: Answer, index: Index, language: Language) -> "list[RuleList]":
    """The entries of an answer in the words of a language, under their headings, for a page."""
    from randomizer.show.page import RuleList  # which most look-ups do without

    return [
        RuleList(
            language.render(each.heading), [render_rule(entry, index, language) for entry in each.entries]
        )
        for each in answer.lists
    ]


def render_rule(entry: Entry, index: Index, language: Language) -> "Ruling":
    """An entry in the words of a language, for a page."""
    from randomizer.show.page import Block, Ruling

    translate, code = language.translate, language.code
    title = said(entry.title, code)
    names = dict.fromkeys((*entry.title.values(), entry.reading, *entry.aliases))
    return Ruling(
        entry.id,
        title,
        [name for name in names if name not in ("", title)],
        said(entry.text, code),
        [
            Block(translate("Until {text}:", text=older.until), [said(older.text, code)])
            for older in entry.older
        ],
        [(other.id, said(other.title, code)) for other in index.related(entry)],
        translate("Source: {text}", text=language.join(said(source, code) for source in entry.cited)),
    )


def render_json(answer: Answer) -> str:
    """The answer for other programs: its facts, and the entries one after the other."""
    from randomizer.text.json import dumps

    results = [
        _result(entry, each.excerpts.get(entry.id, {})) for each in answer.lists for entry in each.entries
    ]
    page = {"page": card_page_json(answer)} if answer.card else {}
    return dumps({"schema": SCHEMA, **answer.facts, **page, "results": results})


def card_page_json(answer: Answer) -> dict[str, Any]:
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


def _result(entry: Entry, excerpt: Texts) -> dict[str, Any]:
    return {
        "id": entry.id,
        "game": entry.game,
        "title": entry.title,
        "text": entry.text,
        "excerpt": {code: text.removeprefix(get_list_marker(text)) for code, text in excerpt.items()},
        "older": [{"until": older.until, **older.text} for older in entry.older],
        "see": entry.see,
        "cards": entry.cards,
        "types": entry.types,
        "sources": [source[ENGLISH] for source in entry.sources],
    }


def _card(name: str, language: Language, style: Style) -> tuple[list[str], list[str]]:
    """The card's facts, and what it brings at setup."""
    from randomizer.browse.show import describe_facts, describe_setup, wrap_facts
    from randomizer.load import languages
    from randomizer.load.games import load

    game = load()
    known = [languages.load(code, game) for code in languages.list_codes()]
    own = languages.load(language.code, game)
    facts, setup = (text(game.cards[name], game, known, own) for text in (describe_facts, describe_setup))
    return wrap_facts(facts, style), wrap_facts(setup, style)
