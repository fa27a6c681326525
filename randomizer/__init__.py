"""Deal any kingdom of a deck-building game, list everything its setup needs, and look up its rules.

This module is the public API. `load_game` loads a game, `deal_setup` deals a setup from it, and `render`
turns the setup into text. A setup is a document of plain dicts and lists. `look_up` searches the rulebooks.

>>> game = load_game()
>>> setup = deal_setup(game, sets=["base", "adventures"], players=3, seed="k7f3")
>>> [pile["name"] for pile in setup["piles"] if pile["place"] == "kingdom"][:3]
['Chapel', 'Haunted Woods', 'Vassal']
>>> setup = deal_setup(game, sets=["base"], want=["attack=2"], without=["cost:2"])
>>> sum("Attack" in pile["types"] for pile in setup["piles"] if pile["place"] == "kingdom")
2
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from randomizer.browse.catalogue import ListedCard
    from randomizer.cards.effect import Setting
    from randomizer.cards.game import Game
    from randomizer.memory.statistics import Statistics
    from randomizer.odds.report import Odds
    from randomizer.rules.entry import Entry
    from randomizer.setup.document import About, Setup
    from randomizer.text.errors import (
        BadData,
        BadDocument,
        BadKingdom,
        BadOptions,
        BadSelector,
        NoResult,
        Problem,
        TooFewCards,
        UnknownName,
    )

__version__ = "0.1.0"
__all__ = [
    "BadData",
    "BadDocument",
    "BadKingdom",
    "BadOptions",
    "BadSelector",
    "NoResult",
    "Problem",
    "TooFewCards",
    "UnknownName",
    "__version__",
    "compute_odds",
    "compute_statistics",
    "deal_again",
    "deal_setup",
    "deal_setups",
    "find_cards",
    "load_game",
    "load_history",
    "look_up",
    "read_setup",
    "render",
    "summarize",
]


def __getattr__(name: str) -> object:
    """Import an error class on first access, so that commands load only the modules they use."""
    if name in __all__:
        from randomizer.text import errors

        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_game(name: str = "", files: "Sequence[str]" = ()) -> "Game":
    """Load a game, optionally extended by the user's own data files.

    >>> load_game().title
    'Dominion'
    >>> load_game("pergamemnon").players
    (2, 5)

    Args:
        name: the name of the game; empty for the default game.
        files: paths of additional data files.

    Raises:
        UnknownName: there is no game with this name.
        BadData: a file is invalid; the error lists all faults.
        BadOptions: an argument has the wrong type.
    """
    from randomizer.browse.arguments import require_string, require_strings
    from randomizer.load.games import load

    return load(require_string("name", name), require_strings("files", files))


def deal_setup(
    game: "Game",
    *,
    sets: "Iterable[str]" = (),
    players: int = 2,
    seed: str | None = None,
    files: "Sequence[str]" = (),
    kingdom: "str | PathLike[str]" = "",
    swap: "Iterable[str]" = (),
    veto: int = 0,
    vetoed: "Iterable[str] | None" = None,
    with_: "Iterable[str]" = (),
    without: "Iterable[str]" = (),
    want: "Iterable[str]" = (),
    weight: "Iterable[str]" = (),
    like: str = "",
    of: int = 0,
    lang: str = "en",
    **settings: "Setting | None",
) -> "Setup":
    """Deal a setup and return it as a document.

    >>> setup = deal_setup(load_game(), sets=["base"], players=4, seed="k7f3", colony=True)
    >>> [pile["name"] for pile in setup["piles"] if pile["because"] == ["Platinum and Colony"]]
    ['Platinum', 'Colony']
    >>> setup = deal_setup(load_game(), kingdom="First Game", swap=["moat=witch"], seed="k7f3")
    >>> setup["kingdom"][4:7]
    ['mine', 'witch', 'remodel']
    >>> setup = deal_setup(load_game(), sets=["base"], veto=3, seed="k7f3")
    >>> len(setup["kingdom"]), setup["checklist"][0]["title"]
    (13, {'en': 'Veto 3'})

    Args:
        game: the game.
        sets: names of the boxes to deal from, in any language. The default is the game's first set.
        players: the number of players.
        seed: any non-empty string without line breaks. The same arguments with the same seed always give the
            same setup. The default is a random seed.
        files: the paths of the data files that the game was loaded with. The document lists them.
        kingdom: the kingdom to use: names of cards, the name of a recommended kingdom, or "any" for a random
            recommended one. A `pathlib.Path` is read as a file; a string never is. If `sets` is empty, the
            boxes that the kingdom needs are used.
        swap: the cards to replace after dealing: `moat` for a random replacement, `moat=witch` for Witch.
        veto: the number of extra Kingdom cards, and the maximum number of dealt cards that the players may
            veto.
        vetoed: the names of the vetoed cards; an empty list if the players vetoed none. By default, the veto
            is still open: the document lists all dealt cards, but nothing that they need.
        with_: names of cards to include, as in `--with`.
        without: selectors of cards to exclude, as in `--without`.
        want: wishes, as in `--want`.
        weight: weights of cards, as in `--weight`.
        like: the name of a recommended kingdom, or of a favourite of the user, as in `--like`: cards with the
            same abilities are wished for.
        of: the number of boxes to draw from `sets`, as in `--of`; 0 to use all of them.
        lang: the code of a language whose texts and names the document has beside English, such as "ja".
        settings: the options of [docs/dealing.md](dealing.md) that only some games have, such as
            `colony=True`, `colony="1/3"` (in a third of all games), `colony_by="random-card"`,
            `landscapes=3` or `kingdom_size=12`. None stands for the default.

    Raises:
        UnknownName: a box, a card, an option or the language is unknown.
        BadSelector: a wish cannot be parsed.
        BadKingdom: the kingdom cannot be parsed.
        BadOptions: a value has the wrong type, options conflict or are out of range, or no deal can meet the
            wishes.
        TooFewCards: the boxes have too few cards.
    """
    from randomizer.browse.arguments import build_request, require_string
    from randomizer.deal.unused import choose_seed
    from randomizer.load.languages import load_for_document
    from randomizer.record.build import build_setup, deal_request

    arguments = {
        "sets": sets,
        "players": players,
        "files": files,
        "kingdom": kingdom,
        "swap": swap,
        "veto": veto,
        "vetoed": vetoed,
        "with_": with_,
        "without": without,
        "want": want,
        "weight": weight,
        "like": like,
        "of": of,
    }
    if seed is not None:
        require_string("seed", seed)
    request = build_request(game, choose_seed(seed), arguments, settings)
    languages = load_for_document(require_string("lang", lang), game)
    return build_setup(game, request, deal_request(game, request), languages)


def deal_setups(
    game: "Game",
    count: int,
    *,
    apart: bool = False,
    copies: "Mapping[str, int] | None" = None,
    sets: "Iterable[str]" = (),
    players: int = 2,
    seed: str | None = None,
    files: "Sequence[str]" = (),
    veto: int = 0,
    with_: "Iterable[str]" = (),
    without: "Iterable[str]" = (),
    want: "Iterable[str]" = (),
    weight: "Iterable[str]" = (),
    like: str = "",
    of: int = 0,
    lang: str = "en",
    **settings: "Setting | None",
) -> "list[Setup]":
    """Deal several tables, as `--count` does, and return their documents.

    >>> tables = deal_setups(load_game(), 3, sets=["base", "seaside"], seed="cup", apart=True)
    >>> [table["seed"] for table in tables], tables[2]["options"]["table"]
    (['cup-1', 'cup-2', 'cup-3'], 3)
    >>> [missing["for"] for missing in tables[1]["missing"]]
    ['Copper', 'Silver', 'Gold', 'Estate', 'Duchy', 'Province']
    >>> tables = deal_setups(
    ...     load_game(), 3, sets=["base", "seaside"], seed="cup", apart=True, copies={"base": 3}
    ... )
    >>> [table["missing"] for table in tables]
    [[], [], []]

    Args:
        game: the game.
        count: the number of tables.
        apart: whether the tables use the same boxes at the same time, as with `--apart`: nothing is used more
            often than the boxes hold it. What is missing on a table is listed in its document.
        copies: the number of copies of each box of which there are several, by its name, as in `--copies`.
        sets, players, files, veto, with_, without, want, weight, like, of, lang, settings: as for
            `deal_setup`.
        seed: the seed of the first table without `-1`, of the second one without `-2`, and so on.

    Raises:
        UnknownName, BadSelector: as for `deal_setup`.
        BadOptions: as for `deal_setup`, or the boxes have too few cards for so many tables.
        TooFewCards: the boxes have too few cards for one table.
    """
    from randomizer.browse.arguments import build_request, format_copies, require_integer, require_string
    from randomizer.deal.unused import choose_seed
    from randomizer.load.languages import load_for_document
    from randomizer.record.dealing import deal_many

    arguments = {
        "count": require_integer("count", count, 1),
        "apart": apart,
        "copies": format_copies(copies or {}),
        "sets": sets,
        "players": players,
        "files": files,
        "veto": veto,
        "with_": with_,
        "without": without,
        "want": want,
        "weight": weight,
        "like": like,
        "of": of,
    }
    if seed is not None:
        require_string("seed", seed)
    request = build_request(game, choose_seed(seed), arguments, settings)
    languages = load_for_document(require_string("lang", lang), game)
    return [table.document for table in deal_many(game, request, range(1, count + 1), languages)]


def deal_again(game: "Game", setup: "Setup") -> "Setup":
    """Deal the replacement Kingdom for a game in progress, as Divine Wind requires.

    Args:
        game: the game of the setup.
        setup: the document of the first deal.

    Returns:
        The document of the setup with the new Kingdom, in the same languages.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: the document is invalid, no card of the setup causes a second deal, or the second deal
            has already been made.
        TooFewCards: too few unused Kingdom cards are left.
    """
    from randomizer.browse.arguments import require_game
    from randomizer.record.second_deal import deal_again
    from randomizer.setup.schema import check_document

    return deal_again(require_game(game), check_document(setup))


def summarize(game: "Game", setup: "Setup") -> "About":
    """Summarize what the cards of a setup do and cost, as `--about` does.

    >>> game = load_game()
    >>> about = summarize(game, deal_setup(game, kingdom="First Game", seed="1"))
    >>> [aspect["title"]["en"] for aspect in about["aspects"] if "Moat" in aspect["cards"]]
    ['Draw', 'Attack defence']

    Args:
        game: the game of the setup.
        setup: the document.

    Raises:
        BadOptions: the data of the game do not say what its cards do.
        BadDocument: the document is invalid.
    """
    from randomizer.browse.arguments import require_game
    from randomizer.setup.about import add_about
    from randomizer.setup.schema import check_document

    return add_about(check_document(setup), require_game(game))["about"]


def find_cards(
    game: "Game",
    selector: str = "",
    *,
    sets: "Iterable[str]" = (),
    types: "Iterable[str]" = (),
    does: "Iterable[str]" = (),
    cost: str = "",
    kind: str = "",
    sort: str = "set",
) -> "list[ListedCard]":
    """Return facts about the cards that meet all conditions, as `cards --json` prints them.

    >>> game = load_game()
    >>> [card["name"] for card in find_cards(game, "village and cost:4", sets=["adventures"])]
    ['Port']
    >>> find_cards(game, "Moat")[0]["types"]
    ['Action', 'Reaction']

    Args:
        game: the game.
        selector: the name of a card in any language, or a selector, as in `--without`.
        sets: names of sets or boxes; a card must be in one of them.
        types: types; a card must have all of them.
        does: abilities, such as "village"; a card must have all of them.
        cost: a cost, such as "4" or "2P".
        kind: a kind, such as "kingdom" or "event".
        sort: the sort key: "set", "cost" or "name".

    Raises:
        UnknownName: a set, type, ability, cost, kind or order is unknown.
        BadSelector: the selector cannot be parsed.
        BadOptions: an argument has the wrong type.
    """
    from randomizer.browse import catalogue
    from randomizer.browse.arguments import require_game, require_string, require_strings
    from randomizer.load.languages import load_all, load_all_card_names
    from randomizer.text.errors import UnknownName
    from randomizer.text.language import ENGLISH, as_verbatim

    languages, names = load_all(require_game(game)), load_all_card_names(game)
    conditions: dict[str, Any] = {
        "set_": require_strings("sets", sets),
        "type_": require_strings("types", types),
        "abilities": require_strings("does", does),
        "cost": require_string("cost", cost),
        "kind": require_string("kind", kind),
    }
    if require_string("sort", sort) not in catalogue.SORT_ORDERS:
        raise UnknownName("order", sort, as_verbatim(catalogue.SORT_ORDERS))
    found = catalogue.filter_cards(game, languages, **conditions)
    if require_string("selector", selector):
        named = None if any(conditions.values()) else catalogue.get_card(selector, game, names.values())
        found = [named] if named else catalogue.select_cards(selector, found, game, languages, names.values())
    found = catalogue.sort_cards(found, sort, names.get(ENGLISH, {}))
    return [catalogue.build_card_facts(card, game, names) for card in found]


def compute_odds(
    game: "Game",
    cards: "Iterable[str]" = (),
    *,
    sets: "Iterable[str]" = (),
    players: int = 2,
    with_: "Iterable[str]" = (),
    without: "Iterable[str]" = (),
    want: "Iterable[str]" = (),
    weight: "Iterable[str]" = (),
    like: str = "",
    of: int = 0,
    veto: int = 0,
    **settings: "Setting | None",
) -> "Odds":
    """Return the exact odds of a deal, as `odds --json` prints them.

    >>> odds = compute_odds(load_game(), ["Moat"], sets=["base"])
    >>> odds["cards"][0]["turned_up"]["exact"]
    '5/13'

    Args:
        game: the game.
        cards: names of cards whose odds to add, in any language.
        sets, players, with_, without, want, weight, like, of, settings: as for `deal_setup`.
        veto: the number of extra Kingdom cards. The odds are those of being among all dealt cards.

    Raises:
        UnknownName: a box, a card or an option is unknown.
        BadSelector: a wish cannot be parsed.
        BadOptions: a value has the wrong type, options conflict or are out of range, no deal can meet the
            wishes, or the calculation would take too long.
        TooFewCards: the boxes have too few cards.
    """
    from randomizer.browse.arguments import build_request, require_strings
    from randomizer.browse.catalogue import find_card
    from randomizer.load.languages import load_all_card_names
    from randomizer.odds.report import build_odds

    arguments = {
        "sets": sets,
        "players": players,
        "with_": with_,
        "without": without,
        "want": want,
        "weight": weight,
        "like": like,
        "of": of,
        "veto": veto,
    }
    request = build_request(game, "odds", arguments, settings)
    names = load_all_card_names(game).values()
    return build_odds(
        game, request, [find_card(name, game, names) for name in require_strings("cards", cards)]
    )


def load_history(
    *, card: str = "", player: str = "", since: str = "", until: str = ""
) -> "list[dict[str, Any]]":
    """Return the user's played games, oldest first, as `history --json` prints them.

    >>> load_history(until="1900-01-01")
    []

    Args:
        card: the name of a card in any language, or part of it; only games with this card are returned.
        player: the name of a player, or part of it; only games of this player are returned.
        since: the first day to include, such as "2026-11-22".
        until: the last day to include.

    Raises:
        BadOptions: a day is invalid, or an argument has the wrong type.
        Problem: the history file cannot be read.
    """
    from contextlib import suppress

    from randomizer.browse.arguments import require_string
    from randomizer.load.games import load
    from randomizer.load.languages import load_all
    from randomizer.memory import played_games
    from randomizer.memory.search import find_games
    from randomizer.text.errors import NoResult, UnknownName

    criteria = {"card": card, "player": player, "since": since, "until": until}
    for name, value in criteria.items():
        require_string(name, value)
    games, languages = played_games.load_games(), {}
    for name in dict.fromkeys(game.game for game in games):
        with suppress(UnknownName):  # This version does not know the game.
            languages[name] = load_all(load(name))
    try:
        return [game.to_dict() for game in find_games(games, languages, **criteria)]
    except NoResult:
        return []


def compute_statistics(
    game: "Game", *, sets: "Iterable[str]" = (), player: str = "", since: str = "", until: str = ""
) -> "Statistics":
    """Return the statistics of the user's played games, as `history stats --json` prints them.

    Args:
        game: the game; records of other games are ignored.
        sets: names of the user's boxes, in any language. Cards in them that were never used are listed.
        player, since, until: as for `load_history`.

    Raises:
        NoResult: no recorded game meets the criteria.
        UnknownName: a box is unknown.
        BadOptions: a day is invalid, or an argument has the wrong type.
        Problem: the history file cannot be read.
    """
    from randomizer.browse.arguments import require_game, require_string, require_strings
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.load.languages import load_all
    from randomizer.memory import played_games, statistics

    criteria = {"player": player, "since": since, "until": until}
    for name, value in criteria.items():
        require_string(name, value)
    box_names = require_strings("sets", sets)
    owned = resolve_boxes(box_names, require_game(game)) if box_names else ()
    games = played_games.load_games()
    return statistics.compute_statistics(games, game, load_all(require_game(game)), owned, **criteria)


def read_setup(text: str | bytes) -> "Setup":
    """Parse and validate the JSON text of a setup document.

    >>> read_setup('{"schema": 1}')
    Traceback (most recent call last):
    randomizer.text.errors.BadDocument: the document has schema 1; this program reads schema 2.

    Raises:
        BadDocument: the text is not JSON, or is not a valid setup document.
        BadOptions: the argument is neither `str` nor `bytes`.
    """
    from randomizer.setup.schema import loads
    from randomizer.setup.settings import build_type_error
    from randomizer.text.language import message

    if not isinstance(text, str | bytes):
        raise build_type_error("text", message("a text"), text)
    return loads(text)


def render(
    setup: "Setup | Sequence[Setup]", format: str = "text", lang: str = "en", columns: int = 80
) -> str:
    """Render a setup document, or the documents of several tables with an overview where the format has one.

    >>> setup = deal_setup(load_game(), sets=["base", "adventures"], players=3, seed="k7f3")
    >>> render(setup).splitlines()[0]
    'Dominion · Base 2E, Adventures · 3 players · seed k7f3'
    >>> read_setup(render(setup, "json")) == setup
    True
    >>> print(render(deal_setups(load_game(), 2, seed="k7f3"), "markdown").splitlines()[0])
    # Dominion · 2 tables

    Args:
        setup: the document, or a list of the documents of several tables of the same game.
        format: a value of `--format`, such as "text", "html" or "json".
        lang: the code of the language, such as "en" or "ja".
        columns: the maximum width of a line, in terminal columns.

    Raises:
        UnknownName: the format, the language or the setup's game is unknown.
        BadDocument: a document is invalid.
        BadOptions: an argument has the wrong type, or the list is empty.
    """
    from randomizer.browse.arguments import require_integer, require_setups, require_string
    from randomizer.load.games import load
    from randomizer.load.languages import load as load_language
    from randomizer.rules.show import load_table_rules
    from randomizer.setup.schema import check_document
    from randomizer.show.formats import FORMATS, SetupSource
    from randomizer.show.page import Page
    from randomizer.text.errors import UnknownName
    from randomizer.text.screen import Style

    if require_string("format", format) not in FORMATS:
        raise UnknownName("format", format, list(FORMATS))
    style = Style(require_integer("columns", columns, 20))
    setups = [check_document(each) for each in require_setups(setup)]
    game = load(setups[0]["game"])
    language = load_language(require_string("lang", lang), game)
    if not isinstance(setup, list):
        return FORMATS[format].render(
            Page(setups[0], language, game=game, find_rules=load_table_rules), style
        )
    chosen = FORMATS[FORMATS[format].series_format or format]
    if chosen.is_untranslated:
        return chosen.join(chosen.render(SetupSource(each), style) for each in setups)
    pages = [
        Page(each, language, game=game, find_rules=load_table_rules, table=(number, len(setups)))
        for number, each in enumerate(setups, start=1)
    ]
    if chosen.render_document:
        return chosen.render_document(pages, style)
    return chosen.join(chosen.render(page, style) for page in pages)


def look_up(
    query: str,
    book: str | None = None,
    *,
    files: "Iterable[str]" = (),
    setup: "Setup | None" = None,
) -> "list[Entry]":
    """Return the rulebook entries that answer a term or a question, best match first.

    >>> look_up("reserve")[0].title["ja"]
    'リザーブカード'
    >>> [entry.id for entry in look_up("呼び出し")][:1]
    ['call']

    Args:
        query: a term or a question in any language. Typing errors are tolerated.
        book: any name of the game whose rulebook to search. By default, the other rulebooks are searched only
            if the default game's has no answer.
        files: the paths of additional data files, whose cards and rules are found too.
        setup: a setup document; the entries that also concern its table come first. The files that it names
            are not read.

    Raises:
        UnknownName: there is no rulebook with this name.
        BadData: a file is invalid; the error lists all faults.
        BadDocument: the document is invalid.
        BadOptions: an argument has the wrong type.
    """
    from randomizer.browse.arguments import require_string, require_strings
    from randomizer.rules.lookup import answer_query_for_table, open_index
    from randomizer.rules.search import look_up as search
    from randomizer.rules.translation import translate_query
    from randomizer.setup.schema import check_document
    from randomizer.text.errors import UnknownName
    from randomizer.text.language import ENGLISH

    index = open_index(extra_files=require_strings("files", files))
    if book is not None:
        name, book = book, index.find_game(require_string("book", book))
        if not book:
            raise UnknownName("book", name, list(index.titles))
    query = translate_query(index, require_string("query", query), ENGLISH)
    if setup is not None:
        answer = answer_query_for_table(index, query, check_document(setup), book)
        others = [entry for each in answer.lists for entry in each.entries]
        return [*answer.table_entries, *others]
    found = search(index, query, book)
    return [index.entry(doc_id) for doc_id in found.doc_ids]
