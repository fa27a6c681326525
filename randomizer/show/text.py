"""A setup as the checklist that people lay the table out from, as wide as their screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.text.width import align_columns, width, wrap

_LONGEST_BAR = 40  # signs

if TYPE_CHECKING:
    from randomizer.setup.checklist import Section
    from randomizer.show.page import Block, Chart, Page
    from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """The checklist, with what was decided and how to deal it again."""
    sections = page.sections
    names = max((width(line.name) for line in sections[0].lines), default=0) if sections else 0
    parts = [
        [style.style_heading(line) for line in wrap(" · ".join(page.title), style.columns)],
        _prose(page.missing, style),
        *(_section(section, names, page, style) for section in sections),
        *(_prose(block, style) for block in (page.remaining, page.notes, page.decisions)),
        [*_prose(page.about, style), *_bars(page.costs)],
        wrap(page.game_end, style.columns) if page.game_end else [],
        [*filter(None, [page.repeat_hint])],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _prose(block: Block, style: Style) -> list[str]:
    """A title and sentences, wrapped; nothing if there is no sentence."""
    if not block.texts:
        return []
    return [
        style.style_heading(block.title),
        *(line for text in block.texts for line in wrap(text, style.columns, " ")),
    ]


def _bars(chart: Chart) -> list[str]:
    """A title and a bar for each count, as long as a screen has room for it; nothing if there are none."""
    if not chart.counts:
        return []
    rows = [(of, str(count), "#" * min(count, _LONGEST_BAR)) for of, count in chart.counts]
    return [f" {line}" for line in (chart.title, *align_columns(rows, right=(0, 1)))]


def _section(section: Section, names: int, page: Page, style: Style) -> list[str]:
    """A title and lines to tick off. What the screen has no room for goes below its line."""
    heads = page.column_titles
    cells = [(line.cost, line.types, line.box) for line in section.lines]
    used = [place for place in range(len(heads)) if any(row[place] for row in cells)]
    moved: list[int] = []
    while True:
        table = [["", "  ", " " * names, *(heads[place] for place in used)]]
        for line, cell in zip(section.lines, cells, strict=True):
            count = "" if line.count_ is None else str(line.count_)
            table.append(["[ ]", count, line.name, *(cell[place] for place in used)])
        costs = [3 + column for column, place in enumerate(used) if place == 0]
        head, *rows = (f" {row}" for row in align_columns(table, right=[1, *costs]))
        full = max(map(width, rows))
        if full <= style.columns or not used:
            break
        moved.insert(0, used.pop())
    room = len(head) - len(head.lstrip())
    title = style.style_heading(section.title)
    lines = [title + head[width(section.title) :].rstrip() if width(section.title) < room else title]
    for row, line, cell in zip(rows, section.lines, cells, strict=True):
        tail = page.join(filter(None, (*(cell[place] for place in moved), page.describe_line(line))))
        fits = full + 2 + width(tail) <= style.columns
        padding = " " * (full + 2 - width(row))
        (last,) = wrap(tail, style.columns) if fits else [""]
        lines.append(f"{row}{padding}{style.style_aside(last)}" if last else row.rstrip())
        for below in filter(None, ("" if fits else tail, *line.below)):
            lines += map(style.style_aside, wrap(below, style.columns, " " * 11))
    return lines
