"""A setup as Markdown with task lists, as GitHub has them: for chats, wikis and notes."""

import re
from collections.abc import Iterable, Iterator

from randomizer.setup.lines import Line
from randomizer.show.page import Block, Chart, Page
from randomizer.text.encoding import with_ordinary_spaces
from randomizer.text.screen import Style

# What would be markup within a line: the signs of it, a reference to a character, the start of mathematics
# (which no price is), an address, the end of a heading; and what would be so at the start of a line.
_WITHIN = re.compile(r"[\\`*_\[\]<>|~]|&(?=#?\w+;)|\$(?!\d)|:(?=//)|(?<=www)\.|(?<!#)#(?=#*$)")
_FIRST = re.compile(r"^(?=[-+#=])|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])|(?<=^\d{3})(?=[.)])")


def render(page: Page, style: Style) -> str:
    """The checklist in the language of the page, a line for each thing; the style does not change it."""
    title, *facts = page.title
    parts = [
        [f"# {escape_inline(title)}"],
        [escape_line(" · ".join(facts))],
        *_block(page.missing),
        *(part for section in page.sections for part in _tasks(section.title, section.lines, page)),
        *(part for block in (page.remaining, page.notes, page.decisions) for part in _block(block)),
        *_block(page.about),
        *_table(page.costs, page),
        [*filter(None, [escape_line(page.game_end)])],
        *_again(page),
    ]
    return with_ordinary_spaces("\n\n".join("\n".join(part) for part in parts if part))


def escape_line(text: str) -> str:
    """The text so that Markdown takes none of it for markup, at the start of a line or anywhere else."""
    return _FIRST.sub(r"\\", escape_inline(text))


def escape_inline(text: str) -> str:
    """The text so that Markdown takes none of it for markup where something stands before it on the line."""
    return _WITHIN.sub(r"\\\g<0>", with_ordinary_spaces(text).strip())


def _block(block: Block) -> Iterator[list[str]]:
    """A heading and its sentences; nothing if there is none."""
    if block.texts:
        yield [f"## {escape_inline(block.title)}"]
        yield [f"- {escape_line(text)}" for text in block.texts]


def _tasks(title: str, lines: Iterable[Line], page: Page) -> Iterator[list[str]]:
    """A heading, and a task for each line, with what is below it."""
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


def _table(chart: Chart, page: Page) -> Iterator[list[str]]:
    """A sentence, and a row with each count; nothing if there are none."""
    if chart.counts:
        cost, *_ = page.column_titles
        yield [escape_line(chart.title)]
        rows = [f"| {escape_inline(of)} | {count} |" for of, count in chart.counts]
        yield [
            f"| {escape_inline(cost)} | {escape_inline(page.language.translate('piles'))} |",
            "| --- | ---: |",
            *rows,
        ]


def _again(page: Page) -> Iterator[list[str]]:
    """The command, fenced by more backticks than it has in a row; nothing if there is none."""
    if page.command:
        longest = max(map(len, re.findall("`+", page.command)), default=0)
        fence = "`" * max(3, longest + 1)
        yield [f"## {escape_inline(page.language.translate('Again'))}"]
        yield [f"{fence}sh", page.command, fence]
