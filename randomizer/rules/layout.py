"""Lays entries of the rulebooks out for reading."""

from collections.abc import Iterable
from itertools import islice

from randomizer.rules.entry import Entry, said
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.width import marked, width, wrap, wrapped

_MORE = " …"


def whole(
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
    lines = list(map(style.heading, wrap(" · ".join(titles), style.columns))) if titled else []
    lines += body(said(entry.text, code), style.columns)
    for older in entry.older:
        lines += ["", style.aside(language.say("Until {text}:", text=older.until))]
        lines += map(style.aside, body(said(older.text, code), style.columns))
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
            more = _MORE if many < len(names) else ""
            text = "  " + language.say(phrase, text=language.listed(names[:many])) + more
            if sources or width(text) <= style.columns:
                break
        return wrap(text.lstrip(), style.columns, "  ")

    lines = laid_out("See also: {text}", see) if see else []
    return [*lines, *map(style.aside, laid_out("Source: {text}", cited))]


def brief(entries: Iterable[Entry], language: Language, style: Style) -> list[str]:
    """A line for each entry: its title, its id, and how it begins."""
    lines = []
    for entry in entries:
        title = said(entry.title, language.code)
        begins = said(entry.text, language.code).split("\n")[0]
        begins = begins.removeprefix(marked(begins))
        lines.append(_clipped(f"{title} [{entry.id}]: {begins}", style.columns, "  "))
    return lines


def _clipped(text: str, columns: int, indent: str) -> str:
    """As much of the text as goes on a line."""
    line, *more = islice(wrapped(text, columns, indent), 2)
    if not more:
        return line
    return next(wrapped(text, columns - len(_MORE), indent)).rstrip(",、") + _MORE


def titles(heading: str, entries: Iterable[Entry], language: Language, style: Style) -> list[str]:
    """A heading, and the titles of the entries with their ids, one after the other."""
    named = language.listed(f"{said(entry.title, language.code)} [{entry.id}]" for entry in entries)
    return [style.heading(heading), *wrap(named, style.columns, "  ")]


def body(text: str, columns: int) -> list[str]:
    """A text wrapped, its items with their marks hanging out."""
    lines = []
    for paragraph in text.split("\n"):
        item = paragraph.lstrip()
        mark = marked(item)
        indent = "  " + " " * (len(paragraph) - len(item))
        first, *more = wrap(item[len(mark) :], columns, indent + " " * len(mark)) if item else [""]
        lines += [indent + mark + first.lstrip() if mark else first, *more]
    return lines
