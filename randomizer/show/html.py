"""A setup as an HTML page for a browser or for paper: the checklist and the table's rules, in every language.

The page is a single file that loads no other files. It contains its style sheet and its script, and its
content security policy allows nothing else. The templates are in `data/pages`; the web server uses their
macros, too.
"""

import os
from base64 import b64encode
from collections.abc import Callable, Container, Sequence
from functools import cache
from hashlib import sha256
from typing import Literal, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from randomizer.load.paths import data_folder
from randomizer.show.page import Page, Ruling, TableSeries
from randomizer.text.screen import Style
from randomizer.text.width import get_list_marker

STYLESHEET_FILE, SCRIPT_FILE = "page.css", "page.js"
MAX_BYTES_PER_LANGUAGE = 124_500  # average over the languages of a page, without its final line break
_MIN_SAVED_BYTES = 90  # minimum number of bytes of markup that are saved by omitting the text of a rule

Tag = Literal["p", "ol", "ul"]


class BlockItem(NamedTuple):
    """A paragraph or a list item.

    Attributes:
        text: the text of the paragraph or item.
        children: nested lists; always empty for a paragraph.
    """

    text: str
    children: "list[TextBlock]"


class TextBlock(NamedTuple):
    """A sequence of paragraphs, or a list.

    Attributes:
        tag: the HTML element of the list, or `p` for paragraphs.
        items: the paragraphs or list items.
    """

    tag: Tag
    items: list[BlockItem]


def render(page: Page, style: Style) -> str:
    """Render the page in all languages, its own language first. The style is ignored.

    If the result would be too large, the text of some rules is included only in the first language.
    """
    pages = page.translations
    html = _render_pages(pages, frozenset())
    excess_bytes = len(html.encode()) - MAX_BYTES_PER_LANGUAGE * len(pages)
    return html if excess_bytes <= 0 else _render_pages(pages, choose_untranslated_rules(pages, excess_bytes))


def _render_pages(pages: Sequence[Page], title_only_rules: Container[str]) -> str:
    """Render the same page in several languages.

    Args:
        pages: the page in every language.
        title_only_rules: rules whose text is omitted, each as `<language>-<id>`, such as `ja-throne-room`.
    """
    style, script = read_asset(STYLESHEET_FILE), read_asset(SCRIPT_FILE)
    template = get_environment().get_template("table.html.jinja")
    return template.render(
        pages=pages,
        build_rule_links=build_rule_links,
        search_words=collect_search_words(pages),
        title_only=title_only_rules,
        storage_key=build_storage_key(pages[0]),
        style=style,
        script=script,
        policy=build_security_policy(style=style, script=script),
    )


def render_tables(pages: Sequence[Page], style: Style) -> str:
    """Render several tables as one file in all languages: an overview, and a page for each table.

    Args:
        pages: the tables in one language, which is shown first.
        style: ignored.
    """
    stylesheet, script = read_asset(STYLESHEET_FILE), read_asset(SCRIPT_FILE)
    languages = [
        TableSeries(translations) for translations in zip(*(page.translations for page in pages), strict=True)
    ]
    template = get_environment().get_template("tables.html.jinja")
    return template.render(
        languages=languages,
        build_rule_links=build_rule_links,
        search_words=collect_search_words(languages),
        storage_key=f"{len(pages)} · {build_storage_key(pages[0])}",
        style=stylesheet,
        script=script,
        policy=build_security_policy(style=stylesheet, script=script),
    )


@cache
def get_environment() -> Environment:
    """Return the template environment. It escapes all values and raises an error for undefined variables."""
    environment = Environment(
        loader=FileSystemLoader(_get_pages_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["text_blocks"] = parse_text_blocks
    return environment


def build_storage_key(page: Page) -> str:
    """Build the key under which a browser stores the ticks of this page.

    The key depends on the table and on the order of its lines.
    """
    return " · ".join((page.setup["seed"], page.command or " ".join(page.title), page.sort))


def build_rule_links(page: Page | TableSeries) -> Callable[[str], str]:
    """Return a function that maps the id of a rule to its link within the page.

    The link is empty if the page does not contain the rule.
    """
    ids = {rule.id for rule in _list_rules(page)}
    return lambda id_: f"#{page.language.code}-{id_}" if id_ in ids else ""


def choose_untranslated_rules(pages: Sequence[Page], excess_bytes: int) -> set[str]:
    """Choose the rules whose text is omitted in languages other than the first, to make the page smaller.

    Rules are chosen from the end of the page, starting with the last rule in the last language.

    Args:
        pages: the page in every language.
        excess_bytes: the number of bytes to save.

    Returns:
        The chosen rules, each as `<language>-<id>`.
    """
    chosen: set[str] = set()
    for page in pages[:0:-1]:
        for rule in reversed(_list_rules(page)):
            if excess_bytes > 0:
                chosen.add(f"{page.language.code}-{rule.id}")
                excess_bytes -= len("".join((rule.source, *_list_texts(rule))).encode()) + _MIN_SAVED_BYTES
    return chosen


def collect_search_words(pages: Sequence[Page | TableSeries]) -> dict[str, str]:
    """Return additional words that find a rule in the search field of the page.

    Args:
        pages: the page in every language that is shown.

    Returns:
        The words for each rule, separated by spaces, by the id of the rule. They are the words of its
        alternative names that neither its title nor its text contains in any language.
    """
    names_by_id: dict[str, list[str]] = {}
    text_by_id: dict[str, str] = {}
    for rule in (rule for page in pages for rule in _list_rules(page)):
        names_by_id.setdefault(rule.id, []).extend(rule.names)
        text = "\n".join((text_by_id.get(rule.id, ""), rule.title, *_list_texts(rule))).lower()
        text_by_id[rule.id] = text
    words_by_id = {id_: dict.fromkeys(" ".join(names).split()) for id_, names in names_by_id.items()}
    return {
        id_: " ".join(word for word in words if word.lower() not in text_by_id[id_])
        for id_, words in words_by_id.items()
    }


def _list_rules(page: Page | TableSeries) -> list[Ruling]:
    return [rule for rule_list in page.rules for rule in rule_list.rules]


def _list_texts(rule: Ruling) -> list[str]:
    """Return the text of a rule and the texts of its older versions."""
    return [rule.text, *(text for block in rule.older for text in block.texts)]


def parse_text_blocks(text: str) -> list[TextBlock]:
    """Parse a text with one paragraph or list item per line.

    An indented line is nested in the item above it.
    """
    blocks: list[TextBlock] = []
    for line in filter(None, text.split("\n")):
        content = line.lstrip()
        marker = get_list_marker(content)
        target = blocks
        if content != line and blocks and blocks[-1].tag != "p":
            target = blocks[-1].items[-1].children
        tag: Tag = "p" if not marker else "ul" if content[0] == "-" else "ol"
        if not target or target[-1].tag != tag:
            target.append(TextBlock(tag, []))
        target[-1].items.append(BlockItem(content.removeprefix(marker), []))
    return blocks


@cache
def read_asset(name: str) -> Markup:
    """Return the content of an asset: the style sheet or the script. Both contain only ASCII."""
    with open(os.path.join(_get_pages_folder(), name), encoding="ascii") as file:
        return Markup(file.read())  # noqa: S704  # The file is part of this program.


def build_security_policy(**inline: str) -> str:
    """Build a content security policy that allows only inline elements with these contents.

    Args:
        inline: the content of each inline element, by the name of the element: `style` or `script`.
    """
    sources = [f"{name}-src 'sha256-{_hash(text)}'" for name, text in inline.items()]
    # `default-src` does not apply to `base-uri` and `form-action`.
    return "; ".join(("default-src 'none'", *sources, "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _get_pages_folder() -> str:
    return os.path.join(data_folder(), "pages")
