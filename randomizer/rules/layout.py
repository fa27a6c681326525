"""Lays entries of the rulebooks out for reading."""

import re
from collections.abc import Iterable

from randomizer.rules.entry import Entry, said
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.width import wrap

_MARK = re.compile(r"- |\d+\. ")  # of an item of a list


def whole(entry: Entry, related: Iterable[Entry], language: Language, style: Style) -> list[str]:
    """An entry in full: title, text, how the rule was before, what to see also, sources."""
    say, code = language.say, language.code
    titles = dict.fromkeys((said(entry.title, code), *entry.title.values()))
    lines = [style.heading(" · ".join(titles))]
    lines += body(said(entry.text, code), style.columns)
    for older in entry.older:
        lines += ["", style.aside(say("Until {text}:", text=older.until))]
        lines += map(style.aside, body(said(older.text, code), style.columns))
    see = [f"{said(other.title, code)} [{other.id}]" for other in related]
    if see:
        lines += ["", *wrap(say("See also: {text}", text=language.listed(see)), style.columns, "  ")]
    sources = language.listed(said(source, code) for source in entry.sources)
    lines += map(style.aside, wrap(say("Source: {text}", text=sources), style.columns, "  "))
    return lines


def brief(entries: Iterable[Entry], language: Language, style: Style) -> list[str]:
    """A line for each entry: its title, its id, and how it begins."""
    lines = []
    for entry in entries:
        title = said(entry.title, language.code)
        begins = said(entry.text, language.code).split("\n")[0]
        begins = begins[len(mark.group()) :] if (mark := _MARK.match(begins)) else begins
        line, *more = wrap(f"{title} [{entry.id}]: {begins}", style.columns - 2, "  ")
        lines.append(line + (" …" if more else ""))
    return lines


def body(text: str, columns: int) -> list[str]:
    """A text wrapped, its items with their marks hanging out."""
    lines = []
    for paragraph in text.split("\n"):
        item = paragraph.lstrip()
        found = _MARK.match(item)
        mark = found.group() if found else ""
        indent = "  " + " " * (len(paragraph) - len(item))
        first, *more = wrap(item[len(mark) :], columns, indent + " " * len(mark)) if item else [""]
        lines += [indent + mark + first.lstrip() if mark else first, *more]
    return lines
