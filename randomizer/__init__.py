"""Deal any kingdom of a deck-building game, list everything its setup needs, and look its rules up.

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
    from collections.abc import Iterable, Sequence

    from randomizer.cards.effect import Settings
    from randomizer.cards.game import Game, Request, Wishes
    from randomizer.rules.entry import Entry
    from randomizer.setup.document import Setup
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
    from randomizer.text.language import Language

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
    "deal_again",
    "deal_setup",
    "load_game",
    "look_up",
    "read_setup",
    "render",
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
        files: paths of further data files.

    Raises:
        UnknownName: there is no game with this name.
        BadData: a file is invalid; the error lists all faults.
    """
    from randomizer.load.games import load

    return load(name, files)


def deal_setup(
    game: "Game",
    *,
    sets: "Iterable[str]" = (),
    players: int = 2,
    seed: str | None = None,
    files: "Sequence[str]" = (),
    kingdom: str = "",
    swap: "Iterable[str]" = (),
    with_: "Iterable[str]" = (),
    without: "Iterable[str]" = (),
    want: "Iterable[str]" = (),
    weight: "Iterable[str]" = (),
    of: int = 0,
    **settings: bool | int | str,
) -> "Setup":
    """Deal a setup and return it as a document.

    >>> setup = deal_setup(load_game(), sets=["base"], players=4, seed="k7f3", colony=True)
    >>> [pile["name"] for pile in setup["piles"] if pile["because"] == ["Platinum and Colony"]]
    ['Platinum', 'Colony']
    >>> setup = deal_setup(load_game(), kingdom="First Game", swap=["moat=witch"], seed="k7f3")
    >>> setup["kingdom"][4:7]
    ['mine', 'witch', 'remodel']

    Args:
        game: the game.
        sets: names of the boxes to deal from, in any language. The default is the game's first set.
        players: the number of players.
        seed: any text on a single line. The same seed always gives the same setup. The default is
            a random seed.
        files: the paths of the data files that the game was loaded with. The document lists them.
        kingdom: the kingdom to use, in any form that `--kingdom` accepts. If `sets` is empty, the boxes that
            the kingdom needs are used.
        swap: the cards to replace after dealing: `moat` for a random replacement, `moat=witch` for Witch.
        with_: names of cards to include, as in `--with`.
        without: selectors of cards to exclude, as in `--without`.
        want: wishes, as in `--want`.
        weight: weights of cards, as in `--weight`.
        of: the number of boxes to draw from `sets`, as in `--of`; 0 to use all of them.
        settings: the game's own options by name, such as `colony=True`.

    Raises:
        UnknownName: a box or card is unknown.
        BadSelector: a wish cannot be parsed.
        BadKingdom: the kingdom cannot be parsed.
        BadOptions: options conflict or are out of range, or no deal can meet the wishes.
        TooFewCards: the boxes have too few cards.
    """
    from randomizer.load.languages import load_all
    from randomizer.record.build import build_setup, deal_request

    languages, sets = load_all(game), list(sets)
    wishes = _parse_wishes(game, languages, with_, without, want, weight)._replace(box_count=of)
    plain = _build_request(game, sets, players, seed, settings, files, wishes)
    request = _add_kingdom_and_swaps(plain, game, kingdom, [*swap], boxes_are_given=bool(sets))
    return build_setup(game, request, deal_request(game, request), languages)


def _add_kingdom_and_swaps(
    request: "Request", game: "Game", kingdom: str, swaps: "Sequence[str]", *, boxes_are_given: bool
) -> "Request":
    """Add the named kingdom and the swaps to a request. Return it unchanged if there are none."""
    if not (kingdom or swaps):
        return request
    from randomizer.browse.kingdoms import add_kingdom, parse_swaps
    from randomizer.load.languages import load_all, load_all_card_names

    languages, names = load_all(game), load_all_card_names(game).values()
    if kingdom:
        request = add_kingdom(request, kingdom, game, languages, names, boxes_are_given=boxes_are_given)
    return request._replace(swaps=parse_swaps(swaps, game, languages, names))


def _build_request(
    game: "Game",
    sets: "Iterable[str]",
    players: int,
    seed: str | None,
    settings: "Settings",
    files: "Sequence[str]",
    wishes: "Wishes",
) -> "Request":
    """Build a request, with defaults for missing boxes and a missing seed."""
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.deal.unused import generate_seed
    from randomizer.load.games import is_default

    name = "" if is_default(game) else game.name
    chosen = resolve_boxes([*sets] or [next(iter(game.sets))], game)
    seed = generate_seed() if seed is None else seed
    return game.build_request(chosen, players, seed, settings, files, name, wishes)


def _parse_wishes(game: "Game", languages: "Sequence[Language]", *texts: "Iterable[str]") -> "Wishes":
    """Parse the texts of wishes into their canonical, language-independent form."""
    from randomizer.cards.game import NO_WISHES
    from randomizer.load.languages import load_card_names
    from randomizer.text.language import ENGLISH

    if not any(texts):
        return NO_WISHES
    from randomizer.cards.selector import SelectorParser
    from randomizer.cards.wish import canonicalize_wishes, parse_options

    named = [load_card_names(language.code, game) for language in languages if language.code != ENGLISH]
    return canonicalize_wishes(game, parse_options(SelectorParser(game, languages, named), *texts))


def deal_again(game: "Game", setup: "Setup") -> "Setup":
    """Deal the replacement Kingdom for a game in progress, as Divine Wind requires.

    Args:
        game: the game of the setup.
        setup: the document of the first deal.

    Returns:
        The document of the setup with the new Kingdom.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: no card of the setup causes a second deal, or the second deal has already been made.
        TooFewCards: too few unused Kingdom cards are left.
    """
    from randomizer.load.languages import load_all
    from randomizer.record.second_deal import deal_again

    return deal_again(game, setup, load_all(game))


def read_setup(text: str | bytes) -> "Setup":
    """Parse and validate the JSON text of a setup document.

    >>> read_setup('{"schema": 2}')
    Traceback (most recent call last):
    randomizer.text.errors.BadDocument: the document has schema 2; this program reads schema 1.

    Raises:
        BadDocument: the text is not JSON, or is not a valid setup document.
    """
    from randomizer.setup.schema import loads

    return loads(text)


def render(setup: "Setup", format: str = "text", lang: str = "en", columns: int = 80) -> str:
    """Render a setup document.

    >>> setup = deal_setup(load_game(), sets=["base", "adventures"], players=3, seed="k7f3")
    >>> render(setup).splitlines()[0]
    'Dominion · Base 2E, Adventures · 3 players · seed k7f3'
    >>> read_setup(render(setup, "json")) == setup
    True

    Args:
        setup: the document.
        format: a value of `--format`, such as text, html or json.
        lang: the code of the language, such as en or ja.
        columns: the maximum width of the text, in terminal columns.

    Raises:
        UnknownName: the format, the language or the setup's game is unknown.
    """
    from randomizer.load.games import load
    from randomizer.load.languages import load as load_language
    from randomizer.rules.show import load_table_rules
    from randomizer.show.formats import FORMATS
    from randomizer.show.page import Page
    from randomizer.text.errors import UnknownName
    from randomizer.text.screen import Style

    if format not in FORMATS:
        raise UnknownName("format", format, list(FORMATS))
    game = load(setup["game"])
    page = Page(setup, load_language(lang, game), game=game, rules=load_table_rules)
    return FORMATS[format].render(page, Style(columns))


def look_up(query: str, book: str | None = None) -> "list[Entry]":
    """Return the rulebook entries that answer a term or a question, the best match first.

    >>> look_up("reserve")[0].title["ja"]
    'リザーブカード'
    >>> [entry.id for entry in look_up("呼び出し")][:1]
    ['call']

    Args:
        query: a term or a question in any language. Typing errors are tolerated.
        book: the rulebook to search. By default, the other rulebooks are searched only if the default game's
            has no answer.

    Raises:
        UnknownName: there is no rulebook with this name.
    """
    from randomizer.rules.lookup import open_index
    from randomizer.rules.search import look_up as search
    from randomizer.text.errors import UnknownName

    index = open_index()
    if book is not None and book not in index.titles:
        raise UnknownName("book", book, list(index.titles))
    return [index.entry(number) for number in search(index, query, book).entries]
