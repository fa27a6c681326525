"""A setup as one page for a browser or for paper: the checklist and the table's rules, in every language.

The page is a single file that asks nothing of anybody: style and script are inside, and its own security
policy lets in nothing but these. Its templates are in `data/pages`; what they have in common with other pages
are the macros of `checklist` and `rules` there, and `environment` makes all of them.
"""

import os
from base64 import b64encode
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache
from hashlib import sha256
from typing import Literal, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from randomizer.load.paths import data_folder
from randomizer.show.page import Page, Ruling
from randomizer.text.screen import Style
from randomizer.text.width import get_list_marker

STYLE, SCRIPT = "page.css", "page.js"
MAX_BYTES_PER_LANGUAGE = 124_500  # bytes of a page, for each of its languages; those who print it add a few
_MARKUP = 90  # bytes by which that of a rule which is told is larger, at least, than that of its name


class BlockItem(NamedTuple):
    """An item of a list, or a paragraph; `within` it are further lists."""

    text: str
    children: "list[TextBlock]"


class TextBlock(NamedTuple):
    """What stands one below the other in a text: paragraphs, or a list.

    Attributes:
        tag: of the element that holds the items; of paragraphs, that of each.
    """

    tag: Literal["p", "ol", "ul"]
    items: list[BlockItem]


def render(page: Page, style: Style) -> str:
    """The page in its own language and in every other; the style of a screen does not change it.

    A page that would be larger than `MOST` lets it be tells some rules in its own language alone, where that
    is enough.
    """
    pages = page.translations
    whole = _rendered(pages, frozenset())
    over = len(whole.encode()) - MAX_BYTES_PER_LANGUAGE * len(pages)
    return whole if over <= 0 else _rendered(pages, choose_untranslated_rules(pages, over))


def _rendered(pages: Sequence[Page], named: Container[str]) -> str:
    """The page.

    Args:
        pages: the same one in every language.
        named: of each rule that is named and not told, its language and id.
    """
    return (
        get_environment()
        .get_template("table.html.jinja")
        .render(
            pages=pages,
            addresses=build_rule_links,
            names=collect_search_words(pages),
            named=named,
            table=build_storage_key(pages[0]),
            style=read_asset(STYLE),
            script=read_asset(SCRIPT),
            policy=build_security_policy(style=read_asset(STYLE), script=read_asset(SCRIPT)),
        )
    )


@cache
def get_environment() -> Environment:
    """What makes pages of the templates: whatever is put into one is escaped, and has to be there."""
    made = Environment(
        loader=FileSystemLoader(_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["text_blocks"] = parse_text_blocks
    return made


def build_storage_key(page: Page) -> str:
    """What the ticks on this table are kept under: another table, or another order, has another."""
    return " · ".join((page.setup["seed"], page.command or " ".join(page.title), page.sort))


def build_rule_links(page: Page) -> Callable[[str], str]:
    """Where a rule is on the page, by its id; nothing for one that is not there."""
    there = {rule.id for rule in _rules(page)}
    return lambda id: f"#{page.language.code}-{id}" if id in there else ""


def choose_untranslated_rules(pages: Sequence[Page], over: int) -> set[str]:
    """The rules to name where there is no room to tell them: the last, in another language than the first.

    Args:
        pages: the same one in every language.
        over: bytes to save.

    Returns:
        Of each, its language and id.
    """
    named: set[str] = set()
    for page in pages[:0:-1]:
        for rule in reversed(_rules(page)):
            if over > 0:
                named.add(f"{page.language.code}-{rule.id}")
                over -= len("".join((rule.source, *_told(rule))).encode()) + _MARKUP
    return named


def collect_search_words(pages: Sequence[Page]) -> dict[str, str]:
    """By the id of each rule, the words that it is found by and that are in its text in no language.

    Args:
        pages: the same one in every language that is there.
    """
    names: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for rule in (rule for page in pages for rule in _rules(page)):
        names.setdefault(rule.id, []).extend(rule.names)
        texts[rule.id] = "\n".join((texts.get(rule.id, ""), rule.title, *_told(rule))).lower()
    words = {id: dict.fromkeys(word for name in each for word in name.split()) for id, each in names.items()}
    return {id: " ".join(word for word in words[id] if word.lower() not in texts[id]) for id in words}


def _rules(page: Page) -> list[Ruling]:
    """All rules of a page, in the order of its lists."""
    return [rule for found in page.rules for rule in found.rules]


def _told(rule: Ruling) -> list[str]:
    """What a rule says, and how it was before."""
    return [rule.text, *(text for block in rule.older for text in block.texts)]


def parse_text_blocks(text: str) -> list[TextBlock]:
    """The paragraphs and lists of a text that has a line for each paragraph and item.

    An item that is indented is within the one before it.
    """
    found: list[TextBlock] = []
    for line in filter(None, text.split("\n")):
        words = line.lstrip()
        mark = get_list_marker(words)
        into = found
        if words != line and found and found[-1].tag != "p":
            into = found[-1].items[-1].children
        tag: Literal["p", "ol", "ul"] = "p" if not mark else "ul" if words[0] == "-" else "ol"
        if not into or into[-1].tag != tag:
            into.append(TextBlock(tag, []))
        into[-1].items.append(BlockItem(words.removeprefix(mark), []))
    return found


@cache
def read_asset(name: str) -> Markup:
    """A file of `data/pages` as it stands: the style or the script, which are in ASCII."""
    with open(os.path.join(_folder(), name), encoding="ascii") as file:
        return Markup(file.read())  # noqa: S704  # our own


def build_security_policy(**inside: str) -> str:
    """The security policy of a page that holds just these, each within an element of that name."""
    rules = [f"{name}-src 'sha256-{_checksum(text)}'" for name, text in inside.items()]
    return "; ".join(("default-src 'none'", *rules, *_NOTHING))


_NOTHING: Iterable[str] = ("base-uri 'none'", "form-action 'none'")  # which the default does not cover


def _checksum(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _folder() -> str:
    return os.path.join(data_folder(), "pages")
