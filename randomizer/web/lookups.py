"""Request handlers for the look-up pages: rules, cards, suggested kingdoms, and completions of names."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from randomizer.browse import completions
from randomizer.browse.catalogue import get_card
from randomizer.browse.show import describe_card
from randomizer.browse.suggestions import list_kingdoms, search_kingdoms
from randomizer.load.games import list_games
from randomizer.load.kingdoms import SuggestedKingdom
from randomizer.rules import lookup
from randomizer.rules.index import Index
from randomizer.rules.lookup import Answer, EntryList
from randomizer.rules.show import (
    render_direct_answer,
    render_intro,
    render_lists,
    render_rule,
    summarize,
)
from randomizer.rules.translation import translate_query
from randomizer.setup.document import Setup
from randomizer.show.page import RulesByLanguage, Ruling
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import Problem, UnknownName
from randomizer.text.language import ENGLISH, Language
from randomizer.text.slugs import slugify
from randomizer.web.address import LoadedGame, deal_table, load_game, parse_query
from randomizer.web.frame import PageResponse, Visitor, redirect_to, render_page, rephrase_for_page

_MAX_QUERY_LENGTH = 300  # characters
_MAX_COMPLETIONS = 40
_EMPTY_ANSWER = Answer({}, [])


# ── Rules ──


class Hit(NamedTuple):
    """A rule in a list of search results.

    Attributes:
        url: the URL of the page of this rule.
        rule: the rule, in the language of the page.
        url_for_rule: maps the id of any rule in the same rulebook to its URL.
        summary: an excerpt that is shown while the rule is collapsed; empty for none.
    """

    url: str
    rule: Ruling
    url_for_rule: Callable[[str], str]
    summary: str


class HitList(NamedTuple):
    """A list of search results with a heading.

    Attributes:
        title: the heading.
        hits: the rules, best match first.
        is_expanded: whether the rules are expanded when the page opens.
    """

    title: str
    hits: list[Hit]
    is_expanded: bool


@cache
def get_index() -> Index:
    """Return the search index of the rulebooks. It is opened once and stays open until the process ends."""
    return lookup.open_index()


def find_table_rules(setup: Setup) -> RulesByLanguage:
    """Find the rules that apply to the table of a setup document.

    Returns:
        A function that renders these rules in a language.
    """
    answer = lookup.answer_about_table(get_index(), setup)
    return lambda language: render_lists(answer, get_index(), language)


def show_rules(visitor: Visitor) -> PageResponse:
    """Handle `/rules`: answer a question, or list the rules of a rulebook or of a table.

    Query parameters:

    - `q`: the question. Without it, all rules of the book, or else of the table, are listed.
    - `book`: any name of the game whose rulebook to search.
    - `table`: the query string of a table. Rules that apply to this table are listed first.
    - `part`: if it has a value, only the results are rendered, without the rest of the page.
    """
    query = " ".join(visitor.get_all("q"))[:_MAX_QUERY_LENGTH]
    book, table = visitor.get_last("book"), visitor.get_last("table")
    book = get_index().find_game(book)
    table_answer = _answer_for_table(table) if table else _EMPTY_ANSWER
    if query.strip():
        answer = lookup.answer_query(
            get_index(), translate_query(get_index(), query, visitor.language_code), book or None
        )
    else:
        answer = lookup.list_entries(get_index(), book) if book else table_answer
    if answer.language and not visitor.has_language_param:
        visitor = visitor._replace(language_code=answer.language)
    language = load_game().get_language(visitor.language_code)
    return render_page(
        "rule-results" if visitor.get_all("part") else "rule-search",
        visitor,
        "rules",
        language=language,
        query=escape_control_characters(query),
        book=book,
        table=escape_control_characters(table),
        books=[(name, _get_translation(titles, visitor)) for name, titles in get_index().titles.items()],
        notes=escape_control_characters(
            rephrase_for_page(" ".join(map(language.render, answer.notes)), language)
        ),
        intro=render_intro(answer, language),
        direct_answer=render_direct_answer(answer, language),
        card=_describe_card(answer.card, load_game(), language) if answer.card else [],
        card_url=visitor.url_for(f"cards/{slugify(answer.card)}"),
        lists=_build_hit_lists(answer, table_answer, visitor, language),
    )


def _answer_for_table(query: str) -> Answer:
    """Find the rules that apply to the table with this query string; none if the string is invalid."""
    try:
        return lookup.answer_about_table(get_index(), deal_table(parse_query(query)[0]).setup)
    except Problem:
        return _EMPTY_ANSWER


def _build_hit_lists(
    answer: Answer, table_answer: Answer, visitor: Visitor, language: Language
) -> list[HitList]:
    """Build the lists of an answer. Rules that apply to the table are moved to a separate list at the top."""
    table_entry_keys = {(entry.game, entry.id) for each in table_answer.lists for entry in each.entries}
    if answer is table_answer:
        table_entry_keys = set()
    moved = [
        entry for each in answer.lists for entry in each.entries if (entry.game, entry.id) in table_entry_keys
    ]
    lists = [
        EntryList("On this table", moved, "whole", next((each.passages for each in answer.lists), {})),
        *(
            each._replace(
                entries=[entry for entry in each.entries if (entry.game, entry.id) not in table_entry_keys]
            )
            for each in answer.lists
        ),
    ]
    return [
        HitList(language.render(each.heading), _build_hits(each, visitor, language), each.is_in_full)
        for each in lists
        if each.entries
    ]


def _build_hits(entries: EntryList, visitor: Visitor, language: Language) -> list[Hit]:
    def url_for_rule(book: str, id_: str) -> str:
        return visitor.url_for(f"rules/{book}/{id_}")

    return [
        Hit(
            url_for_rule(entry.game, entry.id),
            render_rule(entry, get_index(), language, entries.passages.get(entry.id, {})),
            partial(url_for_rule, entry.game),
            summarize(entry, entries, language) if entries.passages else "",
        )
        for entry in entries.entries
    ]


@cache
def _map_doc_ids(book: str) -> Mapping[str, int]:
    """Map the id of each entry of a rulebook to its document id in the index."""
    return {get_index().entry(doc_id).id: doc_id for doc_id in get_index().doc_id_ranges.get(book, ())}


def show_entry(visitor: Visitor, book: str, name: str) -> PageResponse:
    """Handle `/rules/{book}/{name}`: show an entry of a rulebook.

    Raises:
        UnknownName: the rulebook or the entry does not exist.
    """
    doc_id = _map_doc_ids(book).get(name) if book in get_index().titles else None
    if doc_id is None:
        raise UnknownName("rule", name)
    entry = get_index().entry(doc_id)
    language = load_game().get_language(visitor.language_code)
    return render_page(
        "entry",
        visitor,
        f"rules/{book}/{name}",
        language=language,
        rule=render_rule(entry, get_index(), language),
        chapter=_get_translation(entry.chapter, visitor),
        book=_get_translation(get_index().titles[book], visitor),
        book_url=visitor.url_for("rules", [("book", book)]),
        url_for_rule=lambda id_: visitor.url_for(f"rules/{book}/{id_}"),
        cards=[
            (visitor.url_for(f"cards/{slugify(card)}"), language.translate_name(card)) for card in entry.cards
        ],
    )


def _get_translation(text_by_language: Mapping[str, str], visitor: Visitor) -> str:
    """Return the text in the visitor's language, or else in English. The keys are language codes."""
    return text_by_language.get(visitor.language_code, text_by_language[ENGLISH])


# ── Cards ──


def show_card(visitor: Visitor, name: str) -> PageResponse:
    """Handle `/cards/{name}`: show facts about a card of any game, and the rules about it.

    Raises:
        UnknownName: no game has a card with this name.
    """
    for game in list_games():
        loaded_game = load_game(game)
        card = get_card(name, loaded_game.game, loaded_game.card_names.values())
        if card is None:
            continue
        path = f"cards/{slugify(card.name)}"
        if name != slugify(card.name):
            return redirect_to(visitor.url_for(path, visitor.query_params))
        language = loaded_game.get_language(visitor.language_code)
        answer = lookup.answer_query(get_index(), card.name, game)
        kind = loaded_game.game.kinds[card.kind]
        return render_page(
            "card",
            visitor,
            path,
            language=language,
            card=_describe_card(card.name, loaded_game, language),
            game=game,
            slug=slugify(card.name),
            can_be_dealt=kind.place == "kingdom" or kind.is_ == "landscape",
            name=language.translate_name(card.name),
            lists=_build_hit_lists(answer, _EMPTY_ANSWER, visitor, language),
        )
    raise UnknownName("card", name)


def _describe_card(name: str, loaded_game: LoadedGame, language: Language) -> list[str]:
    """Return the facts about a card, one per line."""
    game = loaded_game.game
    old_label, new_label = (
        language.translate(template, text="") for template in ("does: {text}", "For wishes: {text}")
    )
    lines = describe_card(game.cards[name], game, loaded_game.languages, language)
    return [
        new_label + line.removeprefix(old_label) if line.startswith(old_label) else line for line in lines
    ]


# ── Suggested kingdoms ──


def show_kingdoms(visitor: Visitor) -> PageResponse:
    """Handle `/kingdoms`: list the suggested kingdoms that match all words of the query parameter `q`.

    Without `q`, all suggested kingdoms are listed.
    """
    loaded_game = load_game()
    language = loaded_game.get_language(visitor.language_code)
    query = " ".join(visitor.get_all("q"))[:_MAX_QUERY_LENGTH]
    matches = search_kingdoms(query.split(), loaded_game.game, loaded_game.languages)
    return render_page(
        "kingdoms",
        visitor,
        "kingdoms",
        language=language,
        query=escape_control_characters(query),
        kingdoms=[_describe_kingdom(kingdom, visitor, language) for kingdom in matches],
    )


def _describe_kingdom(
    kingdom: SuggestedKingdom, visitor: Visitor, language: Language
) -> tuple[str, str, str]:
    """Return the URL of the deal form with a kingdom filled in, the name of the kingdom, and its cards."""
    name = dict(kingdom.names).get(language.code, kingdom.name)
    cards = language.translate_names((*kingdom.cards, *kingdom.landscapes))
    return visitor.url_for("", [("kingdom", f"kingdom:{kingdom.id}")]), name, cards


# ── Completions ──


def complete_names(visitor: Visitor) -> PageResponse:
    """Handle `/names`: return the completions of an incomplete name as a JSON list.

    Query parameters:

    - `begun`: the incomplete name.
    - `of`: the kind of name: `cards`, `kingdoms`, `selectors` or `wishes`.
    """
    loaded_game = load_game()
    params = {name: value[:_MAX_QUERY_LENGTH] for name, value in visitor.query_params}
    incomplete, kind = params.get("begun", ""), params.get("of", "")
    game, card_names = loaded_game.game, loaded_game.card_names.values()
    if kind == "cards":
        completed_names = completions.complete_cards(game, card_names, incomplete)
    elif kind == "kingdoms":
        completed_names = completions.complete_name(
            [kingdom.id for kingdom in list_kingdoms(game)], incomplete
        )
    else:
        wishes = tuple(game.wishes) if kind == "wishes" else ()
        completed_names = completions.complete_selector(
            game, loaded_game.languages, card_names, incomplete, wishes
        )
    names = completions.sort_completions(completed_names)[:_MAX_COMPLETIONS]
    return PageResponse(json.dumps(names, ensure_ascii=False), media_type="application/json")
