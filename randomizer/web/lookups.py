"""The pages to look things up: rules, cards, suggested kingdoms, and what one has begun to type."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

from randomizer.browse import completing
from randomizer.browse.catalogue import called
from randomizer.browse.show import card_text
from randomizer.browse.suggestions import searched
from randomizer.load.games import list_games
from randomizer.load.kingdoms import SuggestedKingdom
from randomizer.rules import lookup
from randomizer.rules.index import Index
from randomizer.rules.lookup import Answer, EntryList
from randomizer.rules.show import render_lists, render_rule, summarize
from randomizer.setup.document import Setup
from randomizer.show.page import RulesIn, Ruling
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import Problem, UnknownName
from randomizer.text.language import Language
from randomizer.text.slugs import slugify
from randomizer.web.address import Known, dealt, known, pairs_of
from randomizer.web.frame import Reply, Visitor, elsewhere, framed

_LONGEST = 300  # letters of a question
NOTHING = Answer({}, [])
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
    whole: bool


@cache
def index() -> Index:
    """The index of the rulebooks, open as long as the process runs."""
    return lookup.open_index()


def ready() -> None:
    """Load what look-ups take."""
    index()


def rules_of(setup: Setup) -> RulesIn:
    """The rules that matter on the table of a document, for its page."""
    answer = lookup.answer_table(index(), setup)
    return lambda language: render_lists(answer, index(), language)


def rules(visitor: Visitor) -> Reply:
    """What answers a question, as one types it; first of all what applies to the table one comes from."""
    query = " ".join(visitor.all("q"))[:_LONGEST]
    book = "".join(visitor.all("book")[-1:])
    table = "".join(visitor.all("table")[-1:])
    language = known().speaking(visitor.code)
    book = book if book in index().titles else ""
    applying = _on_table(table) if table else NOTHING
    if query.strip():
        answer = lookup.answer_query(index(), query, book or None)
    else:
        answer = lookup.list_entries(index(), book) if book else applying
    return framed(
        "results" if visitor.all("part") else "looked-up",
        visitor,
        "rules",
        language=language,
        query=escape_control_characters(query),
        book=book,
        table=escape_control_characters(table),
        books=[(name, titles.get(visitor.code, titles["en"])) for name, titles in index().titles.items()],
        aside=escape_control_characters(" ".join(map(language.render, answer.asides))),
        card=_card_facts(answer.card, known(), language) if answer.card else [],
        card_at=visitor.at(f"cards/{slugify(answer.card)}"),
        lists=_hits(answer, applying, visitor, language),
    )


def _on_table(query: str) -> Answer:
    """The rules that apply to the table of an address; none where it has none."""
    try:
        return lookup.answer_table(index(), dealt(pairs_of(query)[0]).setup)
    except Problem:
        return NOTHING


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
        HitList(language.render(each.heading), _as_hits(each, visitor, language), each.whole)
        for each in (on_table, *rest)
    ]
    return [each for each in lists if each.hits]


def _as_hits(each: EntryList, visitor: Visitor, language: Language) -> list[Hit]:
    def at(book: str, name: str) -> str:
        return visitor.at(f"rules/{book}/{name}")

    return [
        Hit(
            at(entry.game, entry.id),
            render_rule(entry, index(), language),
            partial(at, entry.game),
            summarize(entry, each, language) if each.excerpts else "",
        )
        for entry in each.entries
    ]


@cache
def _numbers(book: str) -> Mapping[str, int]:
    """By id, the numbers of the entries of a book."""
    return {index().entry(number).id: number for number in index().doc_id_ranges.get(book, ())}


def entry(visitor: Visitor, book: str, name: str) -> Reply:
    """An entry of a rulebook by itself.

    Raises:
        UnknownName: there is none.
    """
    number = _numbers(book).get(name) if book in index().titles else None
    if number is None:
        raise UnknownName("rule", name)
    found = index().entry(number)
    language = known().speaking(visitor.code)
    return framed(
        "entry",
        visitor,
        f"rules/{book}/{name}",
        language=language,
        rule=render_rule(found, index(), language),
        chapter=found.chapter.get(visitor.code, found.chapter["en"]),
        book=index().titles[book].get(visitor.code, index().titles[book]["en"]),
        book_at=visitor.at("rules", [("book", book)]),
        address=lambda id_: visitor.at(f"rules/{book}/{id_}"),
        cards=[(visitor.at(f"cards/{slugify(card)}"), language.translate_name(card)) for card in found.cards],
    )


# ── Cards ──


def card(visitor: Visitor, name: str) -> Reply:
    """A card, with what it brings at setup, and the rules on it.

    Raises:
        UnknownName: there is none.
    """
    for game in list_games():
        here = known(game)
        if found := called(name, here.game, here.named.values()):
            if name != slugify(found.name):
                return elsewhere(visitor.at(f"cards/{slugify(found.name)}", visitor.pairs))
            language = here.speaking(visitor.code)
            answer = lookup.answer_query(index(), found.name, game)
            return framed(
                "card",
                visitor,
                f"cards/{slugify(found.name)}",
                language=language,
                facts_of=_card_facts(found.name, here, language),
                name=language.translate_name(found.name),
                lists=_hits(answer, NOTHING, visitor, language),
            )
    raise UnknownName("card", name)


def _card_facts(name: str, here: Known, language: Language) -> list[str]:
    """What there is to know of a card, a line each."""
    return [*card_text(here.game.cards[name], here.game, here.languages, language)]


# ── Suggested kingdoms ──


def kingdoms(visitor: Visitor) -> Reply:
    """The kingdoms that rulebooks suggest, or those of them in which every word occurs."""
    here = known()
    language = here.speaking(visitor.code)
    query = " ".join(visitor.all("q"))[:_LONGEST]
    found = searched(query.split(), here.game, here.languages)
    return framed(
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
    return visitor.at("", [("kingdom", f"kingdom:{kingdom.id}")]), called_, cards


# ── Names ──


def names(visitor: Visitor) -> Reply:
    """What may come next where somebody types: a list in JSON."""
    here = known()
    said = {option: value[:_LONGEST] for option, value in visitor.pairs}
    begun, of = said.get("begun", ""), said.get("of", "")
    called_ = here.named.values
    if of == "cards":
        found = completing.several_cards(here.game, called_, begun)
    else:
        more = chain(here.game.wishes) if of == "wishes" else ()
        found = completing.selectors(here.game, here.languages, called_, begun, more)
    return Reply(json.dumps(completing.offered(found)[:_MOST], ensure_ascii=False), type="application/json")
