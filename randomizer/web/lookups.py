"""The pages to look things up: rules, cards, suggested kingdoms, and what one has begun to type."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

from randomizer.browse import completions
from randomizer.browse.catalogue import get_card
from randomizer.browse.show import describe_card
from randomizer.browse.suggestions import search_kingdoms
from randomizer.load.games import list_games
from randomizer.load.kingdoms import SuggestedKingdom
from randomizer.rules import lookup
from randomizer.rules.index import Index
from randomizer.rules.lookup import Answer, EntryList
from randomizer.rules.show import render_lists, render_rule, summarize
from randomizer.setup.document import Setup
from randomizer.show.page import RulesByLanguage, Ruling
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import Problem, UnknownName
from randomizer.text.language import Language
from randomizer.text.slugs import slugify
from randomizer.web.address import LoadedGame, deal_table, load_game, parse_query
from randomizer.web.frame import PageResponse, Visitor, redirect_to, render_page

_LONGEST = 300  # letters of a question
EMPTY_ANSWER = Answer({}, [])
_MOST = 40  # names that are offered, and kingdoms that are listed


# ── Rules ──


class Hit(NamedTuple):
    """A rule, where it stands by itself, what finds the addresses of others in its book, and it in short."""

    address: str
    rule: Ruling
    beside: Callable[[str], str]
    short: str


class HitList(NamedTuple):
    """Rules under a heading; `whole`: each is to be read at once, else unfolded."""

    title: str
    hits: list[Hit]
    complete: bool


@cache
def get_index() -> Index:
    """The index of the rulebooks, open as long as the process runs."""
    return lookup.open_index()


def preload() -> None:
    """Load what look-ups take."""
    get_index()


def find_table_rules(setup: Setup) -> RulesByLanguage:
    """The rules that matter on the table of a document, for its page."""
    answer = lookup.answer_table(get_index(), setup)
    return lambda language: render_lists(answer, get_index(), language)


def show_rules(visitor: Visitor) -> PageResponse:
    """What answers a question, as one types it; first of all what applies to the table one comes from."""
    query = " ".join(visitor.get_all("q"))[:_LONGEST]
    book = "".join(visitor.get_all("book")[-1:])
    table = "".join(visitor.get_all("table")[-1:])
    language = load_game().get_language(visitor.language_code)
    book = book if book in get_index().titles else ""
    applying = _on_table(table) if table else EMPTY_ANSWER
    if query.strip():
        answer = lookup.answer_query(get_index(), query, book or None)
    else:
        answer = lookup.list_entries(get_index(), book) if book else applying
    return render_page(
        "results" if visitor.get_all("part") else "looked-up",
        visitor,
        "rules",
        language=language,
        query=escape_control_characters(query),
        book=book,
        table=escape_control_characters(table),
        books=[
            (name, titles.get(visitor.language_code, titles["en"]))
            for name, titles in get_index().titles.items()
        ],
        aside=escape_control_characters(" ".join(map(language.render, answer.notes))),
        card=_card_facts(answer.card, load_game(), language) if answer.card else [],
        card_at=visitor.url_for(f"cards/{slugify(answer.card)}"),
        lists=_hits(answer, applying, visitor, language),
    )


def _on_table(query: str) -> Answer:
    """The rules that apply to the table of an address; none where it has none."""
    try:
        return lookup.answer_table(get_index(), deal_table(parse_query(query)[0]).setup)
    except Problem:
        return EMPTY_ANSWER


def _hits(answer: Answer, applying: Answer, visitor: Visitor, language: Language) -> list[HitList]:
    """The entries of an answer as a page has them, those that apply to the table before the others."""
    here = {(entry.game, entry.id) for each in applying.lists for entry in each.entries}
    if answer is applying:
        here = set()
    first = [entry for each in answer.lists for entry in each.entries if (entry.game, entry.id) in here]
    on_table = EntryList("On this table", first, "whole")
    rest = [
        each._replace(entries=[entry for entry in each.entries if (entry.game, entry.id) not in here])
        for each in answer.lists
    ]
    lists = [
        HitList(language.render(each.heading), _as_hits(each, visitor, language), each.is_in_full)
        for each in (on_table, *rest)
    ]
    return [each for each in lists if each.hits]


def _as_hits(each: EntryList, visitor: Visitor, language: Language) -> list[Hit]:
    def at(book: str, name: str) -> str:
        return visitor.url_for(f"rules/{book}/{name}")

    return [
        Hit(
            at(entry.game, entry.id),
            render_rule(entry, get_index(), language),
            partial(at, entry.game),
            summarize(entry, each, language) if each.excerpts else "",
        )
        for entry in each.entries
    ]


@cache
def _numbers(book: str) -> Mapping[str, int]:
    """By id, the numbers of the entries of a book."""
    return {get_index().entry(number).id: number for number in get_index().doc_id_ranges.get(book, ())}


def show_entry(visitor: Visitor, book: str, name: str) -> PageResponse:
    """An entry of a rulebook by itself.

    Raises:
        UnknownName: there is none.
    """
    number = _numbers(book).get(name) if book in get_index().titles else None
    if number is None:
        raise UnknownName("rule", name)
    found = get_index().entry(number)
    language = load_game().get_language(visitor.language_code)
    return render_page(
        "entry",
        visitor,
        f"rules/{book}/{name}",
        language=language,
        rule=render_rule(found, get_index(), language),
        chapter=found.chapter.get(visitor.language_code, found.chapter["en"]),
        book=get_index().titles[book].get(visitor.language_code, get_index().titles[book]["en"]),
        book_at=visitor.url_for("rules", [("book", book)]),
        address=lambda id_: visitor.url_for(f"rules/{book}/{id_}"),
        cards=[
            (visitor.url_for(f"cards/{slugify(card)}"), language.translate_name(card)) for card in found.cards
        ],
    )


# ── Cards ──


def show_card(visitor: Visitor, name: str) -> PageResponse:
    """A card, with what it brings at setup, and the rules on it.

    Raises:
        UnknownName: there is none.
    """
    for game in list_games():
        here = load_game(game)
        if found := get_card(name, here.game, here.card_names.values()):
            if name != slugify(found.name):
                return redirect_to(visitor.url_for(f"cards/{slugify(found.name)}", visitor.query_params))
            language = here.get_language(visitor.language_code)
            answer = lookup.answer_query(get_index(), found.name, game)
            return render_page(
                "card",
                visitor,
                f"cards/{slugify(found.name)}",
                language=language,
                facts_of=_card_facts(found.name, here, language),
                name=language.translate_name(found.name),
                lists=_hits(answer, EMPTY_ANSWER, visitor, language),
            )
    raise UnknownName("card", name)


def _card_facts(name: str, here: LoadedGame, language: Language) -> list[str]:
    """What there is to know of a card, a line each."""
    return [*describe_card(here.game.cards[name], here.game, here.languages, language)]


# ── Suggested kingdoms ──


def show_kingdoms(visitor: Visitor) -> PageResponse:
    """The kingdoms that rulebooks suggest, or those of them in which every word occurs."""
    here = load_game()
    language = here.get_language(visitor.language_code)
    query = " ".join(visitor.get_all("q"))[:_LONGEST]
    found = search_kingdoms(query.split(), here.game, here.languages)
    return render_page(
        "kingdoms",
        visitor,
        "kingdoms",
        language=language,
        query=escape_control_characters(query),
        kingdoms=[_kingdom(each, visitor, language) for each in found],
    )


def _kingdom(kingdom: SuggestedKingdom, visitor: Visitor, language: Language) -> tuple[str, str, str]:
    """Where a kingdom is laid out, what it is called, and what is in it."""
    called_ = dict(kingdom.names).get(language.code, kingdom.name)
    cards = language.translate_names((*kingdom.cards, *kingdom.landscapes))
    return visitor.url_for("", [("kingdom", f"kingdom:{kingdom.id}")]), called_, cards


# ── Names ──


def complete_names(visitor: Visitor) -> PageResponse:
    """What may come next where somebody types: a list in JSON."""
    here = load_game()
    said = {option: value[:_LONGEST] for option, value in visitor.query_params}
    begun, of = said.get("begun", ""), said.get("of", "")
    called_ = here.card_names.values
    if of == "cards":
        found = completions.complete_cards(here.game, called_, begun)
    else:
        more = chain(here.game.wishes) if of == "wishes" else ()
        found = completions.complete_selector(here.game, here.languages, called_, begun, more)
    return PageResponse(
        json.dumps(completions.sort_completions(found)[:_MOST], ensure_ascii=False),
        media_type="application/json",
    )
