"""Renders answers: as text for people, as data for pages, and as JSON for other programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal, cast

from randomizer.rules.entry import Entry, localize
from randomizer.rules.index import Index
from randomizer.rules.lookup import (
    PERHAPS_HEADING,
    TABLE_HEADING,
    Answer,
    EntryList,
    answer_about_table,
    open_index,
)
from randomizer.rules.sentences import Passage, extract_passage, extract_summary, split_sentences
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style
from randomizer.text.width import get_list_marker, iter_wrapped, width, wrap

if TYPE_CHECKING:
    from randomizer.rules import document
    from randomizer.setup.document import Setup
    from randomizer.show.page import RuleList, RulesByLanguage, Ruling

_MIN_LIST_ROWS = 2  # minimum number of rows for a shortened list
_MAX_TABLE_ROWS = 5  # maximum number of entries that concern a table, if the list is shortened
_COMMAND_ROWS = 1  # rows of the screen that the typed command itself takes up
_ELLIPSIS = " …"
_INDENT = "  "
# The maximum number of rows for an entry in a list. If no sentence of it fits, only its title is shown.
_MAX_ENTRY_ROWS = 3
# The maximum number of rows for the text of an entry that is possibly the answer, unless its best passage is
# longer. With a high value, more of these texts contain the answer, but fewer other entries fit on a screen.
_MAX_ANSWER_ROWS = 8
_MAX_ANSWER_ROWS_ABOVE_CARD = 5  # the same above the text of a card


# ── Text ──


def render_text(
    answer: Answer,
    index: Index,
    language: Language,
    style: Style,
    *,
    rows: int | None = None,
    show_all_sources: bool = False,
) -> str:
    """Render an answer as text, with entries in full or in a few rows, under headings.

    On the page of a card that was asked about, its facts come last and are omitted if there is no room.

    Args:
        answer: the answer.
        index: the index that contains the entries.
        language: the language of the text.
        style: the width and colours.
        rows: the height of the screen, so that lists are shortened to fit; None to show them completely.
        show_all_sources: whether to show all sources and related entries, with IDs. Otherwise, each takes one
            line.
    """
    facts, setup = _render_card(answer.card, index, language, style) if answer.card else ([], [])
    name_rows, facts = (facts[:2], facts[2:]) if answer.is_by_text else ([], facts)
    entries = [
        _render_entry(entry, entry_list, answer, index, language, style, show_all_sources=show_all_sources)
        for entry_list in answer.lists
        if entry_list.layout in ("whole", "answer")
        for entry in entry_list.entries
    ]
    titles = [
        _render_titles(entry_list, language, style)
        for entry_list in answer.lists
        if entry_list.layout == "title" and entry_list.entries
    ]
    blocks = [
        wrap(render_card_hint(answer, language), style.columns),
        wrap(render_intro(answer, language), style.columns),
        wrap(render_direct_answer(answer, language), style.columns) if answer.is_in_full else [],
        _render_table_entries(answer, language, style, is_shortened=rows is not None),
        *([name_rows, *entries] if answer.is_by_text else [facts, *entries]),
    ]
    last_blocks = [facts, setup, *titles] if answer.is_by_text else [setup, *titles]
    hint = wrap(_render_open_hint(answer, language), style.columns)
    lists = [entry_list for entry_list in answer.lists if entry_list.layout == "line" and entry_list.entries]
    if rows is not None:
        rows -= _COMMAND_ROWS + _count_rows([*blocks, hint])
        if answer.is_by_text and answer.card:
            lists, last_blocks, hint = _choose_blocks(lists, last_blocks, rows, language)
        rows -= _count_rows([*last_blocks, hint])
    blocks += [*_render_lists(lists, language, style, rows), *last_blocks, hint]
    return "\n\n".join("\n".join(block) for block in blocks if any(block))


def _render_table_entries(
    answer: Answer, language: Language, style: Style, *, is_shortened: bool
) -> list[str]:
    """Render the entries that concern a table, above all others; empty if there are none."""
    entry_list = EntryList(TABLE_HEADING, answer.table_entries)
    all_count = len(answer.table_entries)
    count = min(all_count, _MAX_TABLE_ROWS) if is_shortened else all_count
    spare_rows = count if is_shortened else count * _MAX_ENTRY_ROWS
    return _render_list(entry_list, count, spare_rows, language, style) if count else []


def _choose_blocks(
    lists: Sequence[EntryList], last_blocks: Sequence[list[str]], rows: int, language: Language
) -> tuple[list[EntryList], list[list[str]], list[str]]:
    """Choose which lists and last blocks of a card's page fit below the rules that answer the question.

    Lists of entries that may answer the question are always chosen.

    Returns:
        The lists, the blocks, and a note in case some were omitted.
    """
    chosen_lists = [entry_list for entry_list in lists if entry_list.heading == PERHAPS_HEADING]
    rows -= sum(2 + min(len(entry_list.entries), _MIN_LIST_ROWS) for entry_list in chosen_lists)
    note = [language.translate("More about this card: --all")]
    facts, *others = last_blocks
    optional_parts = [([facts], []), *(([], [each]) for each in lists if each not in chosen_lists)]
    optional_parts += [([block], []) for block in others]
    chosen_blocks: list[list[str]] = []
    for block, entry_list in optional_parts:
        size = _count_rows(block) + 2 * len(entry_list)
        if size + _count_rows([note]) > rows:
            return chosen_lists, chosen_blocks, note
        rows -= size
        chosen_lists += entry_list
        chosen_blocks += block
    return chosen_lists, chosen_blocks, []


def _count_rows(blocks: Iterable[Sequence[str]]) -> int:
    """Return the total number of rows of non-empty blocks, each preceded by an empty row."""
    return sum(len(block) + 1 for block in blocks if any(block))


def _render_lists(
    lists: Sequence[EntryList], language: Language, style: Style, rows: int | None
) -> list[list[str]]:
    """Render lists, shortened to a number of rows. Spare rows are used for sentences of the first entries."""
    counts = [len(entry_list.entries) for entry_list in lists]
    if rows is None:
        spare_rows = sum(counts) * _MAX_ENTRY_ROWS
    else:
        rows -= sum(1 + bool(entry_list.heading) for entry_list in lists)
        all_counts, counts = counts, allocate_rows(counts, rows)
        shortened_count = sum(0 < count < all_ for count, all_ in zip(counts, all_counts, strict=True))
        spare_rows = rows - sum(counts) - shortened_count
    blocks = []
    for entry_list, count in zip(lists, counts, strict=True):
        block = _render_list(entry_list, count, max(spare_rows, 0), language, style)
        spare_rows -= max(len(block) - bool(entry_list.heading) - count, 0)
        blocks.append(block)
    return blocks


def _render_list(
    entry_list: EntryList, count: int, spare_rows: int, language: Language, style: Style
) -> list[str]:
    """Render the heading of a list, its first entries, and the number of hidden ones.

    Args:
        entry_list: the list.
        count: the number of entries for which there is a row each. If the list may answer the question, fewer
            entries are shown, but each with a sentence.
        spare_rows: the number of additional rows.
        language: the language of the text.
        style: the width and colours.
    """
    entries, heading = entry_list.entries, language.render(entry_list.heading)
    lines: list[str] = []
    shown_count = 0
    for entry in entries[:count]:
        rows_left = count + spare_rows - len(lines)
        is_answer = entry_list.heading == PERHAPS_HEADING
        max_rows = rows_left if is_answer else rows_left - (count - shown_count - 1)
        rendered = _render_line(entry, entry_list, language, style, min(max_rows, _MAX_ENTRY_ROWS))
        if is_answer and len(rendered) > rows_left - (shown_count + 1 < len(entries) == count):
            break
        lines += rendered
        shown_count += 1
    hidden_count = len(entries) - shown_count
    more = language.translate("{count} more: --all", count=hidden_count) if hidden_count else ""
    if heading and not shown_count:
        return wrap(f"{heading}  {more}", style.columns)
    headings = list(map(style.style_heading, wrap(heading, style.columns))) if heading else []
    return [*headings, *lines, *([style.style_aside(f"{_INDENT}{more}")] if more else [])]


def _render_line(
    entry: Entry, entry_list: EntryList, language: Language, style: Style, max_rows: int
) -> list[str]:
    """Render the title of an entry and a complete sentence, or only the title if no sentence fits."""
    title, columns = _render_title(entry, language), style.columns - len(2 * _INDENT)
    # On a narrow terminal, a long ID may be broken, but only after a hyphen.
    break_after = "-" if width(f"[{entry.id}]") > columns else ""
    for sentence in _iter_summaries(entry, entry_list, language):
        lines = list(
            islice(iter_wrapped(f"{title}: {sentence}", columns, break_after=break_after), max_rows + 1)
        )
        if len(lines) <= max_rows:
            break
    else:
        lines = wrap(title, columns, break_after=break_after)
    first, *following = lines
    return [_INDENT + first, *(2 * _INDENT + line for line in following)]


def _iter_summaries(entry: Entry, entry_list: EntryList, language: Language) -> Iterator[str]:
    """Yield possible summaries of an entry: the passage that answers the question, the first sentence."""
    answering_passage = entry_list.passages.get(entry.id, {}).get(language.code)
    for passage in filter(None, (answering_passage, extract_passage(localize(entry.text, language.code), 0))):
        if "\n" not in passage.text:
            yield passage.text


def summarize(entry: Entry, entry_list: EntryList, language: Language) -> str:
    """Return a complete sentence or passage to summarize an entry in a list; empty if there is none."""
    return next(_iter_summaries(entry, entry_list, language), "")


def render_intro(answer: Answer, language: Language) -> str:
    """Return the line that says how uncertain the answer is, and whether it is not translated."""
    lines = []
    if answer.is_uncertain and answer.certainty == "guess":
        lines.append(language.translate("No rule is certain to answer this. Perhaps one of these does:"))
    elif answer.is_uncertain and not answer.card:
        lines.append(
            language.translate("Not sure which rule you mean. These are possible, the closest first:")
        )
    if answer.first_entry and language.code not in answer.first_entry.text:
        lines.insert(0, language.translate("This rule has not been translated, so it is in English."))
    return language.join_sentences(lines)


def render_card_hint(answer: Answer, language: Language) -> str:
    """Return the line that says how to list the cards that a question asks for; empty if it asks for none."""
    if not answer.selector:
        return ""
    command = f'dominion-setup cards "{answer.selector}"'
    return language.translate("To list such cards, type {command}", command=command)


def render_direct_answer(answer: Answer, language: Language) -> str:
    """Return the direct answer to a question, such as `No. Only …`; empty if there is none.

    If a similar question has one, its sentence is returned, without the verdict, and otherwise the sentence
    of the first entry that probably decides the question.
    """
    direct = answer.direct_answer
    if not direct and answer.similar_answer:
        return localize(answer.similar_answer.text, language.code)
    if not direct:
        return answer.opening[language.code].text if language.code in answer.opening else ""
    verdict = {"yes": "Yes", "no": "No"}.get(direct.verdict)
    short = (
        language.translate(verdict) if verdict else direct.verdict or localize(direct.short, language.code)
    )
    return language.translate("{short}. {text}", short=short, text=localize(direct.text, language.code))


def _render_open_hint(answer: Answer, language: Language) -> str:
    """Return the line that says how to open an entry of a list; empty if the answer is not a list."""
    if not answer.first_entry or not answer.is_uncertain or answer.card:
        return ""
    command = f"dominion-setup rules {answer.first_entry.id}"
    return language.translate("To read one in full, type its id: {command}", command=command)


def allocate_rows(counts: Sequence[int], rows: int) -> list[int]:
    """Return how many entries of each list to show in a number of rows.

    Every list gets `_MIN_LIST_ROWS` rows, or fewer if it has fewer entries, and the remaining rows go to the
    first lists. If there are too few rows, the last lists get none. A shortened list needs one more row to
    say how many entries are hidden.

    Args:
        counts: the number of entries in each list.
        rows: the number of rows for all lists, without headings.
    """
    shown = [min(count, _MIN_LIST_ROWS) for count in counts]
    rows_left = rows - sum(shown) - sum(count > _MIN_LIST_ROWS for count in counts)
    for position in reversed(range(len(counts))):
        if rows_left < 0:
            rows_left += shown[position] + 1  # The heading then includes the count, which needs no extra row.
            shown[position] = 0
    for position, count in enumerate(counts):
        if count > shown[position] > 0 and rows_left > 0:
            hidden = count - shown[position]
            # A complete list does not need the row that says how many entries are hidden.
            shown[position] += hidden if hidden <= rows_left + 1 else rows_left
            rows_left -= min(hidden, rows_left)
    return shown


def _render_entry(
    entry: Entry,
    entry_list: EntryList,
    answer: Answer,
    index: Index,
    language: Language,
    style: Style,
    *,
    show_all_sources: bool,
) -> list[str]:
    """Render an entry in full, or only its title and the passages that may answer the question."""
    passage = {**answer.passages, **entry_list.passages.get(entry.id, {})}.get(language.code)
    if entry_list.is_in_full or not passage:
        show_title = entry.title[ENGLISH] != answer.card
        return _render_in_full(
            entry,
            entry_list,
            index,
            language,
            style,
            show_title=show_title,
            show_all_sources=show_all_sources,
        )
    title = wrap(_render_title(entry, language), style.columns)
    text = localize(entry.text, language.code)
    is_first = entry == answer.first_entry
    sentence = render_direct_answer(answer, language) if is_first else ""
    statement = _wrap_text(sentence, style) if sentence else []
    max_rows = _MAX_ANSWER_ROWS_ABOVE_CARD if answer.card else _MAX_ANSWER_ROWS
    max_rows -= len(statement)
    lines = _wrap_text(text, style, passage.sentence)
    if len(lines) > max_rows:
        ranked_sentences = [passage.sentence, extract_passage(text, 0).sentence]
        if is_first:
            further = (each[language.code] for each in answer.further_passages if language.code in each)
            ranked_sentences += (each.sentence for each in further)
        ranked_sentences += (sentence.text.strip() for sentence in split_sentences(text))
        extract = extract_summary(
            text, ranked_sentences, lambda extract: len(_wrap_text(extract, style)) <= max_rows
        )
        lines = _wrap_text(extract, style, passage.sentence)
    return [*map(style.style_heading, title), *map(style.style_heading, statement), *lines]


def _render_in_full(
    entry: Entry,
    entry_list: EntryList,
    index: Index,
    language: Language,
    style: Style,
    *,
    show_title: bool = True,
    show_all_sources: bool = False,
) -> list[str]:
    """Render an entry in full: its title, text, older wordings, related entries and sources.

    Args:
        entry: the entry.
        entry_list: the list that contains the entry. The sentence that answers the question is highlighted.
        index: the index that contains the entry and those to list under "see also".
        language: the language of the text.
        style: the width and colours.
        show_title: whether to start with the title.
        show_all_sources: see `render_text`.
    """
    code = language.code
    other_titles = (title for each, title in entry.title.items() if each in index.titles[entry.game])
    titles = dict.fromkeys((localize(entry.title, code), *other_titles))
    lines = list(map(style.style_heading, wrap(" · ".join(titles), style.columns))) if show_title else []
    passage = entry_list.passages.get(entry.id, {}).get(code)
    lines += _wrap_text(localize(entry.text, code), style, passage.sentence if passage else "")
    for older in entry.older:
        lines += ["", style.style_aside(language.translate("Until {text}:", text=older.until))]
        lines += map(style.style_aside, _wrap_text(localize(older.text, code), style))
    related_titles = [
        _render_title(other, language) if show_all_sources else localize(other.title, code)
        for other in index.related(entry)
    ]
    source_names = [
        localize(source, code) for source in (entry.sources if show_all_sources else entry.short_sources)
    ]

    def render_names(phrase: str, names: Sequence[str]) -> list[str]:
        text = ""
        for count in range(len(names), 0, -1):
            ellipsis = _ELLIPSIS if count < len(names) else ""
            text = language.translate(phrase, text=language.join(names[:count])) + ellipsis
            if show_all_sources or width(_INDENT + text) <= style.columns:
                break
        return wrap(text, style.columns, _INDENT)

    see_lines = render_names("See also: {text}", related_titles) if related_titles else []
    return [*lines, "", *see_lines, *map(style.style_aside, render_names("Source: {text}", source_names))]


def _render_titles(entry_list: EntryList, language: Language, style: Style) -> list[str]:
    """Render the heading of a list, followed by a paragraph with the titles and IDs of its entries."""
    titles = language.join(_render_title(entry, language) for entry in entry_list.entries)
    return [style.style_heading(language.render(entry_list.heading)), *wrap(titles, style.columns, "  ")]


def _render_title(entry: Entry, language: Language) -> str:
    """Return the title and the ID of an entry."""
    return f"{localize(entry.title, language.code)} [{entry.id}]"


def _wrap_text(text: str, style: Style, highlighted: str = "") -> list[str]:
    """Wrap the text of an entry, with hanging indents for list items, and highlight a sentence of it."""
    lines = []
    for paragraph in text.split("\n"):
        item = paragraph.lstrip()
        marker = get_list_marker(item)
        indent = "  " + " " * (len(paragraph) - len(item))
        content = item[len(marker) :].lstrip()
        first, *more = wrap(content, style.columns, indent + " " * len(marker)) if item else [""]
        wrapped = [first, *more]
        if highlighted and highlighted in content:
            wrapped = _highlight(wrapped, content, highlighted, style)
        lines += [
            indent + marker + wrapped[0][len(indent + marker) :] if marker else wrapped[0],
            *wrapped[1:],
        ]
    return lines


def _highlight(lines: Sequence[str], text: str, sentence: str, style: Style) -> list[str]:
    """Highlight a sentence of a text. `lines` is the wrapped text, without the spaces at the line breaks."""
    start = text.index(sentence)
    end, position, highlighted = start + len(sentence), 0, []
    for line in lines:
        content = line.lstrip()
        position = text.index(content[:1], position) if content else position
        first, last = (min(max(bound - position, 0), len(content)) for bound in (start, end))
        highlighted_part = style.style_heading(content[first:last]) if first < last else ""
        indent = line[: len(line) - len(content)]
        highlighted.append(f"{indent}{content[:first]}{highlighted_part}{content[last:]}")
        position += len(content)
    return highlighted


def _render_card(name: str, index: Index, language: Language, style: Style) -> tuple[list[str], list[str]]:
    """Return (facts about a card, what it needs at setup), both as wrapped lines."""
    from randomizer.browse.show import describe_facts, describe_setup, wrap_facts
    from randomizer.load import languages
    from randomizer.load.games import load

    game = load("", index.extra_files)
    all_languages, own = languages.load_all(game), languages.load(language.code, game)
    facts, setup = (
        describe(game.cards[name], game, all_languages, own) for describe in (describe_facts, describe_setup)
    )
    return wrap_facts(facts, style), wrap_facts(setup, style)


# ── Data for pages ──


def load_table_rules(setup: "Setup", files: Sequence[str] = ()) -> "RulesByLanguage":
    """Return a function that takes a language and renders the entries that apply to the table of a document.

    Args:
        setup: the document. The files that it names are not read.
        files: the paths of the user's own data files.

    Raises:
        UnknownName: the game of the document is unknown.
        BadData: a file of the rulebooks is invalid.
    """
    index = open_index(extra_files=files)
    answer = answer_about_table(index, setup)
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


def render_rule(
    entry: Entry, index: Index, language: Language, passages: Mapping[str, Passage] = {}
) -> "Ruling":
    """Render an entry for a page.

    Args:
        entry: the entry.
        index: the index that contains the entry.
        language: the language of the page.
        passages: the passage that answers the question, by language.
    """
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
        passages[code].sentence if code in passages else "",
    )


# ── JSON ──


def render_json(answer: Answer) -> str:
    """Render an answer as JSON: the answer, its facts, and the entries of all lists."""
    from randomizer.text.json import dumps

    results = [
        _build_entry_json(entry, entry_list.passages.get(entry.id, {}))
        for entry_list in (*answer.lists, EntryList(TABLE_HEADING, answer.table_entries))
        for entry in entry_list.entries
    ]
    page = {"page": build_card_page_json(answer)} if answer.card else {}
    return dumps({"schema": 1, **answer.facts, **_build_answer_json(answer), **page, "results": results})


def _build_answer_json(answer: Answer) -> Mapping[str, object]:
    """Build the fields for the answer to a query and its certainty; empty if there was no query."""
    if "query" not in answer.facts:
        return {}
    return {
        "certainty": answer.certainty,
        "sure": answer.certainty == "sure",
        "unknown_words": list(answer.unknown_words),
        "selector": answer.selector,
        "on_table": [entry.id for entry in answer.table_entries],
        "answer": _build_direct_answer_json(answer, answer.first_entry) if answer.first_entry else None,
    }


def _build_direct_answer_json(answer: Answer, entry: Entry) -> "document.ShortAnswer":
    direct = answer.direct_answer
    verdict = direct.verdict if direct else ""
    answer_json: document.ShortAnswer = {
        "entry": entry.id,
        "verdict": cast("Literal['yes', 'no']", verdict) if verdict in ("yes", "no") else None,
        "number": int(verdict) if verdict.isdecimal() else None,
        "text": dict(direct.text) if direct else _get_texts(answer.passages),
    }
    if direct and not verdict:
        answer_json["short"] = dict(direct.short)
    return answer_json


def _get_texts(passages: Mapping[str, Passage]) -> dict[str, str]:
    return {language: passage.text for language, passage in passages.items()}


def build_card_page_json(answer: Answer) -> "document.CardPage":
    """Build a card's page for the JSON output: the text of its own entry, and the IDs of other entries."""
    _, own, related, combinations, others, types = ([*entry_list.entries] for entry_list in answer.lists)
    paragraphs = {code: text.split("\n\n") for entry in own for code, text in entry.text.items()}
    return {
        "effect": {code: first for code, (first, *_) in paragraphs.items()},
        "rulings": {
            code: [line.removeprefix("- ") for ruling in rulings for line in ruling.split("\n")]
            for code, (_, *rulings) in paragraphs.items()
        },
        "related": [entry.id for entry in related],
        "combinations": [entry.id for entry in combinations],
        "more": [entry.id for entry in others],
        "about_types": [entry.id for entry in types],
        "sources": [dict(source) for entry in own for source in entry.sources],
    }


def _build_entry_json(entry: Entry, passages: Mapping[str, Passage]) -> "document.RuleEntry":
    return {
        "id": entry.id,
        "game": entry.game,
        "title": dict(entry.title),
        "text": dict(entry.text),
        "excerpt": _get_texts(passages),
        "older": [{"until": older.until, "text": dict(older.text)} for older in entry.older],
        "see": list(entry.see),
        "cards": list(entry.cards),
        "types": list(entry.types),
        "sources": [dict(source) for source in entry.sources],
    }
