"""The format `text`: a checklist in plain text, wrapped to the width of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.text.width import align_columns, width, wrap

if TYPE_CHECKING:
    from randomizer.setup.checklist import Section
    from randomizer.show.page import Block, Chart, Page
    from randomizer.text.screen import Style

_MAX_BAR_LENGTH = 40  # characters


def render(page: Page, style: Style) -> str:
    """Render the checklist, the other blocks of the page, and the command that deals the table again."""
    sections = page.sections
    name_width = max((width(line.name) for line in sections[0].lines), default=0) if sections else 0
    parts = [
        [style.style_heading(line) for line in wrap(" · ".join(page.title), style.columns)],
        _render_block(page.missing, style),
        *(_render_section(section, name_width, page, style) for section in sections),
        *(_render_block(block, style) for block in (page.remaining, page.notes, page.decisions)),
        [*_render_block(page.about, style), *_render_chart(page.costs)],
        wrap(page.game_end, style.columns) if page.game_end else [],
        [*filter(None, [page.repeat_hint])],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _render_block(block: Block, style: Style) -> list[str]:
    """Return the heading and the wrapped sentences of a block. Return no lines if there are no sentences."""
    if not block.texts:
        return []
    return [
        style.style_heading(block.title),
        *(line for text in block.texts for line in wrap(text, style.columns, " ")),
    ]


def _render_chart(chart: Chart) -> list[str]:
    """Return the heading of a chart and a bar for each count. Return no lines if there are no counts."""
    if not chart.counts:
        return []
    rows = [(label, str(count), "#" * min(count, _MAX_BAR_LENGTH)) for label, count in chart.counts]
    return [f" {line}" for line in (chart.title, *align_columns(rows, right=(0, 1)))]


def _render_section(section: Section, name_width: int, page: Page, style: Style) -> list[str]:
    """Return the heading of a section, and its lines with checkboxes.

    The cost, types and box are shown in columns if they fit. Columns and remarks that do not fit are printed
    below their line.

    Args:
        section: a section of the checklist.
        name_width: the minimum width of the column of names, which aligns the sections with each other.
        page: the page that contains the section.
        style: the maximum width, and whether to use colours.
    """
    titles = page.column_titles
    cells = [(line.cost, line.types, line.box) for line in section.lines]
    columns = [index for index in range(len(titles)) if any(row[index] for row in cells)]
    moved_columns: list[int] = []
    while True:
        table = [["", "  ", " " * name_width, *(titles[index] for index in columns)]]
        for line, cell in zip(section.lines, cells, strict=True):
            count = "" if line.count_ is None else str(line.count_)
            table.append(["[ ]", count, line.name, *(cell[index] for index in columns)])
        cost_columns = [3 + position for position, index in enumerate(columns) if index == 0]
        heading, *rows = (f" {row}" for row in align_columns(table, right=[1, *cost_columns]))
        row_width = max(map(width, rows))
        if row_width <= style.columns or not columns:
            break
        moved_columns.insert(0, columns.pop())
    title = style.style_heading(section.title)
    if width(section.title) < len(heading) - len(heading.lstrip()):  # The column titles fit after the title.
        title += heading[width(section.title) :].rstrip()
    lines = [title]
    for row, line, cell in zip(rows, section.lines, cells, strict=True):
        remark = page.join(
            filter(None, (*(cell[index] for index in moved_columns), page.describe_line(line)))
        )
        remark_fits = row_width + 2 + width(remark) <= style.columns
        if remark_fits and remark:
            (wrapped,) = wrap(remark, style.columns)
            lines.append(f"{row}{' ' * (row_width + 2 - width(row))}{style.style_aside(wrapped)}")
        else:
            lines.append(row.rstrip())
        for text in filter(None, ("" if remark_fits else remark, *line.below)):
            lines += map(style.style_aside, wrap(text, style.columns, " " * 11))
    return lines
