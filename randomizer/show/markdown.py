"""The format `markdown`: a checklist in GitHub Flavored Markdown, for chats, wikis and notes."""

import re
from collections.abc import Iterable, Iterator, Sequence

from randomizer.setup.lines import Line
from randomizer.show.page import Block, Chart, Page, TableSeries
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.screen import Style

# Characters to escape anywhere in a line: punctuation; the start of a character reference, of a formula (but
# not of a price) or of a URL; and the closing sequence of a heading.
_INLINE_MARKUP = re.compile(r"[\\`*_\[\]<>|~]|&(?=#?\w+;)|\$(?!\d)|:(?=//)|(?<=www)\.|(?<!#)#(?=#*$)")
# Positions at which to insert a backslash at the start of a line: headings, lists and underlines.
_LINE_START_MARKUP = re.compile(r"^(?=[-+#=])|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])|(?<=^\d{3})(?=[.)])")


def render(page: Page, style: Style) -> str:
    """Render the checklist in the language of the page. The style is ignored."""
    return _render_page(page, " · ".join(page.heading), " · ".join(page.facts))


def render_tables(pages: Sequence[Page], style: Style) -> str:
    """Render several tables as one document: an overview with links, and a part for each table.

    Args:
        pages: the tables.
        style: ignored.
    """
    series = TableSeries(pages)
    numbered_titles = [
        (page, page.language.translate("Table {number}", number=page.table_number)) for page in pages
    ]
    anchors = [title.lower().replace(" ", "-") for _, title in numbered_titles]
    rows = [
        f"| [{number}](#{anchor}) | {escape_inline(kingdom)} | {escape_inline(boxes)} |"
        for anchor, (number, kingdom, boxes) in zip(anchors, series.overview, strict=True)
    ]
    column_titles = " | ".join(map(escape_inline, series.column_titles))
    overview = [
        f"# {escape_inline(' · '.join(series.heading))}",
        "",
        f"| {column_titles} |",
        "| ---: | --- | --- |",
        *rows,
    ]
    parts = ["\n".join(overview)]
    parts += (_render_page(page, title, " · ".join(page.title)) for page, title in numbered_titles)
    return with_ordinary_spaces("\n\n---\n\n".join(parts))


def _render_page(page: Page, title: str, facts: str) -> str:
    """Render the checklist of a table below a title and a line of facts."""
    parts = [
        [f"# {escape_inline(title)}"],
        [escape_line(facts)],
        *_render_block(page.missing),
        *(part for section in page.sections for part in _render_tasks(section.title, section.lines, page)),
        *(part for block in (page.remaining, page.notes, page.decisions) for part in _render_block(block)),
        *_render_block(page.about),
        *_render_chart(page.costs, page),
        [*filter(None, [escape_line(page.game_end)])],
        *_render_command(page),
    ]
    return with_ordinary_spaces("\n\n".join("\n".join(part) for part in parts if part))


def escape_line(text: str) -> str:
    """Escape Markdown in a text that is printed on a line of its own."""
    return _LINE_START_MARKUP.sub(r"\\", escape_inline(text))


def escape_inline(text: str) -> str:
    """Escape Markdown in a text that is not at the start of a line."""
    return _INLINE_MARKUP.sub(r"\\\g<0>", with_ordinary_spaces(text).strip())


def _render_block(block: Block) -> Iterator[list[str]]:
    """Yield the heading and the sentences of a block. Yield nothing if the block has no sentences."""
    if block.texts:
        yield [f"## {escape_inline(block.title)}"]
        yield [f"- {escape_line(text)}" for text in block.texts]


def _render_tasks(title: str, lines: Iterable[Line], page: Page) -> Iterator[list[str]]:
    """Yield the heading of a section, and its task list. Details are nested below their task."""
    yield [f"## {escape_inline(title)}"]
    tasks = []
    for line in lines:
        name = f"**{escape_inline(line.name)}**"
        count = "" if line.count_ is None else f"{line.count_} × "
        facts = (
            escape_inline(fact)
            for fact in (line.cost, line.types, line.box, page.describe_line(line))
            if fact
        )
        tasks.append(f"- [ ] {count}{' · '.join((name, *facts))}")
        tasks += [f"  - {escape_line(below)}" for below in line.below]
    yield tasks


def _render_chart(chart: Chart, page: Page) -> Iterator[list[str]]:
    """Yield the heading of a chart, and its counts as a table. Yield nothing if the chart has no counts."""
    if chart.counts:
        cost, *_ = page.column_titles
        yield [escape_line(chart.title)]
        rows = [f"| {escape_inline(label)} | {count} |" for label, count in chart.counts]
        yield [
            f"| {escape_inline(cost)} | {escape_inline(page.language.translate('piles'))} |",
            "| --- | ---: |",
            *rows,
        ]


def _render_command(page: Page) -> Iterator[list[str]]:
    """Yield a heading, and the command that deals the table again as a code block.

    The fence of the code block is longer than any sequence of backticks in the command.
    """
    if page.command:
        max_run_length = max(map(len, re.findall("`+", page.command)), default=0)
        fence = "`" * max(3, max_run_length + 1)
        yield [f"## {escape_inline(page.language.translate('Deal this table again'))}"]
        yield [f"{fence}sh", page.command, fence]
