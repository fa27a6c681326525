"""Output of answers: as text for people, as data for pages, and as JSON for other programs."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from randomizer.rules.entry import Entry, Texts, localize
from randomizer.rules.index import Index
from randomizer.rules.lookup import Answer, EntryList, answer_table, open_index
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style
from randomizer.text.width import get_list_marker, iter_wrapped, width, wrap

if TYPE_CHECKING:
    from randomizer.setup.document import Setup
    from randomizer.show.page import RuleList, RulesByLanguage, Ruling

SCHEMA = 1  # version of the JSON format
_MIN_LIST_ROWS = 2  # minimum number of rows of a shortened list
_COMMAND_ROWS = 1  # rows of the screen that the command itself takes
_ELLIPSIS = " …"
_INDENT = "  "
# If there is room, the first entries of a list get more rows, because their excerpts probably have the
# answer.
_TALL_ENTRIES = 3
_TALL_ENTRY_ROWS = 2


# ── Text ──


def render_text(
    answer: Answer,
    index: Index,
    language: Language,
    style: Style,
    *,
    rows: int | None = None,
    sources: bool = False,
) -> str:
    """Render an answer as text: entries in full or in a line, under their headings.

    Args:
        answer: the answer.
        index: the index that the entries are from.
        language: the language of the text.
        style: the width and colours.
        rows: the height of the screen, to which lists are shortened; None shows them completely.
        sources: whether to show the sources and IDs of entries completely.
    """
    facts, setup = _render_card(answer.card, language, style) if answer.card else ([], [])
    in_full = [
        _render_in_full(
            entry,
            index.related(entry),
            language,
            style,
            has_title=entry.title[ENGLISH] != answer.card,
            sources=sources,
        )
        for entry_list in answer.lists
        if entry_list.is_in_full
        for entry in entry_list.entries
    ]
    titles = [
        _render_titles(entry_list, language, style)
        for entry_list in answer.lists
        if entry_list.layout == "title" and entry_list.entries
    ]
    blocks = [facts, *in_full, setup, *titles]
    lists = [entry_list for entry_list in answer.lists if entry_list.layout == "line" and entry_list.entries]
    counts, entry_rows = [len(entry_list.entries) for entry_list in lists], _TALL_ENTRY_ROWS
    if rows is not None:
        rows -= sum(len(block) + 1 for block in blocks if block) + _COMMAND_ROWS
        rows -= sum(1 + bool(entry_list.heading) for entry_list in lists)
        counts = allocate_rows(counts, rows)
        tall_entries = sum(
            min(count, _TALL_ENTRIES)
            for entry_list, count in zip(lists, counts, strict=True)
            if entry_list.excerpts
        )
        if sum(counts) + tall_entries * (_TALL_ENTRY_ROWS - 1) > rows:
            entry_rows = 1
    rendered_lists = [
        _render_list(entry_list, count, language, style, entry_rows)
        for entry_list, count in zip(lists, counts, strict=True)
    ]
    blocks = [facts, *in_full, *rendered_lists, setup, *titles]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def allocate_rows(counts: Sequence[int], rows: int) -> list[int]:
    """Return how many entries of each list to show in these rows.

    Every list gets a minimum number of rows. The remaining rows are given to the first lists. If there are
    too few rows, the last lists get none. A shortened list needs a further row that says how many entries are
    hidden.
    """
    shown = [min(count, _MIN_LIST_ROWS) for count in counts]
    left = rows - sum(shown) - sum(count > _MIN_LIST_ROWS for count in counts)
    for position in reversed(range(len(counts))):
        if left < 0:
            left += shown[position] + 1  # Its heading then gives the count, without a further row.
            shown[position] = 0
    for position, count in enumerate(counts):
        if count > shown[position] > 0 and left > 0:
            hidden = count - shown[position]
            # A complete list does not need the row that says how many are hidden.
            shown[position] += hidden if hidden <= left + 1 else left
            left -= min(hidden, left)
    return shown


def _render_list(
    entry_list: EntryList, count: int, language: Language, style: Style, entry_rows: int
) -> list[str]:
    """Render the first entries of a list, each in one row or a few, and the number of hidden entries.

    Args:
        entry_list: the list.
        count: the number of entries to show.
        language: the language of the text.
        style: the width and colours.
        entry_rows: the maximum rows of each of the first entries, if they have excerpts.
    """
    heading, hidden = language.render(entry_list.heading), len(entry_list.entries) - count
    more = language.translate("{count} more: --all", count=hidden) if hidden else ""
    if heading and not count:
        return wrap(f"{heading}  {more}", style.columns)
    lines = list(map(style.style_heading, wrap(heading, style.columns))) if heading else []
    for position, entry in enumerate(entry_list.entries[:count]):
        text = f"{_render_title(entry, language)}: {summarize(entry, entry_list, language)}"
        is_tall = entry_list.excerpts and position < _TALL_ENTRIES
        lines += _wrap_shortened(text, style.columns, entry_rows if is_tall else 1)
    return [*lines, *([style.style_aside(f"  {more}")] if more else [])]


def _render_in_full(
    entry: Entry,
    related: Iterable[Entry],
    language: Language,
    style: Style,
    *,
    has_title: bool = True,
    sources: bool = False,
) -> list[str]:
    """Render an entry with title, text, older rules, related entries and sources.

    Args:
        entry: the entry.
        related: the entries to see also.
        language: the language of the text.
        style: the width and colours.
        has_title: whether to start with the title.
        sources: whether to show related entries with their IDs, and sources in full. Otherwise, each
            takes one line.
    """
    code = language.code
    titles = dict.fromkeys((localize(entry.title, code), *entry.title.values()))
    lines = list(map(style.style_heading, wrap(" · ".join(titles), style.columns))) if has_title else []
    lines += _wrap_text(localize(entry.text, code), style.columns)
    for older in entry.older:
        lines += ["", style.style_aside(language.translate("Until {text}:", text=older.until))]
        lines += map(style.style_aside, _wrap_text(localize(older.text, code), style.columns))
    see = [_render_title(other, language) if sources else localize(other.title, code) for other in related]
    cited = [localize(source, code) for source in (entry.sources if sources else entry.short_sources)]

    def render_names(phrase: str, names: Sequence[str]) -> list[str]:
        text = ""
        for count in range(len(names), 0, -1):
            ellipsis = _ELLIPSIS if count < len(names) else ""
            text = language.translate(phrase, text=language.join(names[:count])) + ellipsis
            if sources or width(_INDENT + text) <= style.columns:
                break
        return wrap(text, style.columns, _INDENT)

    see_lines = render_names("See also: {text}", see) if see else []
    return [*lines, "", *see_lines, *map(style.style_aside, render_names("Source: {text}", cited))]


def summarize(entry: Entry, entry_list: EntryList, language: Language) -> str:
    """Return the excerpt of an entry that answers the question. Without one, return its first line."""
    first_line = localize(entry.text, language.code).split("\n")[0]
    excerpt = entry_list.excerpts.get(entry.id, {}).get(language.code, first_line)
    excerpt = excerpt.removeprefix(get_list_marker(excerpt))
    return excerpt if first_line.startswith(excerpt) else f"{_ELLIPSIS.lstrip()} {excerpt}"


def _wrap_shortened(text: str, columns: int, max_lines: int) -> list[str]:
    """Wrap a text to a maximum number of lines; later lines have a deeper indent."""
    columns -= len(_INDENT) * (2 if max_lines > 1 else 1)
    lines = list(islice(iter_wrapped(text, columns), max_lines + 1))
    if len(lines) > max_lines:
        last_line = next(iter_wrapped(lines[max_lines - 1], columns - len(_ELLIPSIS)))
        lines[max_lines - 1 :] = [last_line.rstrip(",、… ") + _ELLIPSIS]
    first, *following = lines
    return [_INDENT + first, *(2 * _INDENT + line for line in following)]


def _render_titles(entry_list: EntryList, language: Language, style: Style) -> list[str]:
    """Render a heading, and the titles and IDs of the entries as a paragraph."""
    titles = language.join(_render_title(entry, language) for entry in entry_list.entries)
    return [style.style_heading(language.render(entry_list.heading)), *wrap(titles, style.columns, "  ")]


def _render_title(entry: Entry, language: Language) -> str:
    """Return the title and the ID of an entry."""
    return f"{localize(entry.title, language.code)} [{entry.id}]"


def _wrap_text(text: str, columns: int) -> list[str]:
    """Wrap the text of an entry; list items get a hanging indent."""
    lines = []
    for paragraph in text.split("\n"):
        item = paragraph.lstrip()
        marker = get_list_marker(item)
        indent = "  " + " " * (len(paragraph) - len(item))
        first, *more = wrap(item[len(marker) :], columns, indent + " " * len(marker)) if item else [""]
        lines += [indent + marker + first.lstrip() if marker else first, *more]
    return lines


def _render_card(name: str, language: Language, style: Style) -> tuple[list[str], list[str]]:
    """Render a card's facts, and what it needs at setup."""
    from randomizer.browse.show import describe_facts, describe_setup, wrap_facts
    from randomizer.load import languages
    from randomizer.load.games import load

    game = load()
    all_languages = [languages.load(code, game) for code in languages.list_codes()]
    own = languages.load(language.code, game)
    facts, setup = (
        text(game.cards[name], game, all_languages, own) for text in (describe_facts, describe_setup)
    )
    return wrap_facts(facts, style), wrap_facts(setup, style)


# ── Data for pages ──


def load_table_rules(setup: "Setup") -> "RulesByLanguage":
    """Return a function that renders the entries for the table of a setup document in a language.

    Raises:
        UnknownName: the game of the document is unknown.
        BadData: a file of the rulebooks is not valid.
    """
    index = open_index()
    answer = answer_table(index, setup)
    return lambda language: render_lists(answer, index, language)


def render_lists(answer: Answer, index: Index, language: Language) -> "list[RuleList]":
    """Render the lists of an answer for a page."""
    from randomizer.show.page import RuleList  # Most searches do not need it.

    return [
        RuleList(
            language.render(entry_list.heading),
            [render_rule(entry, index, language) for entry in entry_list.entries],
        )
        for entry_list in answer.lists
    ]


def render_rule(entry: Entry, index: Index, language: Language) -> "Ruling":
    """Render an entry for a page."""
    from randomizer.show.page import Block, Ruling

    translate, code = language.translate, language.code
    title = localize(entry.title, code)
    names = dict.fromkeys((*entry.title.values(), entry.reading, *entry.aliases))
    return Ruling(
        entry.id,
        title,
        [name for name in names if name not in ("", title)],
        localize(entry.text, code),
        [
            Block(translate("Until {text}:", text=older.until), [localize(older.text, code)])
            for older in entry.older
        ],
        [(other.id, localize(other.title, code)) for other in index.related(entry)],
        translate(
            "Source: {text}", text=language.join(localize(source, code) for source in entry.short_sources)
        ),
    )


# ── JSON ──


def render_json(answer: Answer) -> str:
    """Render an answer as JSON: its facts, and the entries of all lists."""
    from randomizer.text.json import dumps

    results = [
        _entry_json(entry, entry_list.excerpts.get(entry.id, {}))
        for entry_list in answer.lists
        for entry in entry_list.entries
    ]
    page = {"page": card_page_json(answer)} if answer.card else {}
    return dumps({"schema": SCHEMA, **answer.facts, **page, "results": results})


def card_page_json(answer: Answer) -> dict[str, Any]:
    """Return a card's page for the JSON output: its own texts and the IDs of other entries."""
    requested, related, combinations, others, types = ([*entry_list.entries] for entry_list in answer.lists)
    own = [entry for entry in requested if entry.title[ENGLISH] == answer.card]
    paragraphs = {code: text.split("\n\n") for entry in own for code, text in entry.text.items()}
    return {
        "does": {code: first for code, (first, *_) in paragraphs.items()},
        "rulings": {
            code: [line.removeprefix("- ") for ruling in rulings for line in ruling.split("\n")]
            for code, (_, *rulings) in paragraphs.items()
        },
        "near": [entry.id for entry in related],
        "with": [entry.id for entry in combinations],
        "more": [entry.id for entry in others],
        "types": [entry.id for entry in types],
        "sources": [source[ENGLISH] for entry in own for source in entry.sources],
    }


def _entry_json(entry: Entry, excerpt: Texts) -> dict[str, Any]:
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
