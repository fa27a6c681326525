"""Deal any kingdom of a deck-building game, list everything its setup needs, and look its rules up.

The public face: what other programs may use. A game is loaded, a setup is dealt from it, and the setup, a
document of plain dicts and lists, is rendered; a rule is looked up in the rulebooks.

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
    """The errors, loaded when one is asked for: a command pays for what it uses, and no more."""
    if name in __all__:
        from randomizer.text import errors

        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_game(name: str = "", files: "Sequence[str]" = ()) -> "Game":
    """A game, with what files of one's own add to it.

    >>> load_game().title
    'Dominion'
    >>> load_game("pergamemnon").players
    (2, 5)

    Args:
        name: of the game; nothing is the default game.
        files: paths of further data files.

    Raises:
        UnknownName: there are no data for such a game.
        BadData: a file has faults; all of them are listed.
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
    """Deal a setup, and write it down as a document.

    >>> setup = deal_setup(load_game(), sets=["base"], players=4, seed="k7f3", colony=True)
    >>> [pile["name"] for pile in setup["piles"] if pile["because"] == ["Platinum and Colony"]]
    ['Platinum', 'Colony']
    >>> setup = deal_setup(load_game(), kingdom="First Game", swap=["moat=witch"], seed="k7f3")
    >>> setup["kingdom"][4:7]
    ['mine', 'witch', 'remodel']

    Args:
        game: what to deal, with the same files.
        sets: names of boxes to deal from, in any language; without any, the game's first set.
        players: how many play.
        seed: any text that fits on a line; the same one gives the same setup everywhere. Else a fresh one.
        files: paths of the files that the game was loaded with, for the document to name.
        kingdom: what to lay out, in any form that `--kingdom` takes; without sets, from the boxes it needs.
        swap: cards that go in the end, `moat`, or `moat=witch` where another one is to come.
        with_, without, want, weight, of: what is wished for, as the options of these names take it.
        settings: the game's open options by name, as `--help` lists them.

    Raises:
        UnknownName, BadSelector, BadKingdom: nothing is called so; a wish cannot be read.
        BadOptions: what is asked for contradicts itself or is out of range, or no deal can meet the wishes.
        TooFewCards: the boxes do not hold what the deal takes.
    """
    from randomizer.load.languages import load_all
    from randomizer.record.build import build_setup, deal_request

    languages, sets = load_all(game), list(sets)
    wishes = _wishes(game, languages, with_, without, want, weight)._replace(box_count=of)
    plain = _request(game, sets, players, seed, settings, files, wishes)
    request = _named(plain, game, kingdom, [*swap], boxes_are_given=bool(sets))
    return build_setup(game, request, deal_request(game, request), languages)


def _named(
    request: "Request", game: "Game", kingdom: str, swaps: "Sequence[str]", *, boxes_are_given: bool
) -> "Request":
    """The request with what is named to be laid out and swapped; most deals name nothing, and read less."""
    if not (kingdom or swaps):
        return request
    from randomizer.browse.kingdoms import add_kingdom, parse_swaps
    from randomizer.load.languages import load_all, load_all_card_names

    languages, names = load_all(game), load_all_card_names(game).values()
    if kingdom:
        request = add_kingdom(request, kingdom, game, languages, names, boxes_are_given=boxes_are_given)
    return request._replace(swaps=parse_swaps(swaps, game, languages, names))


def _request(
    game: "Game",
    sets: "Iterable[str]",
    players: int,
    seed: str | None,
    settings: "Settings",
    files: "Sequence[str]",
    wishes: "Wishes",
) -> "Request":
    """What a deal is asked for, with whatever is not said as it usually is."""
    from randomizer.browse.boxes import resolve_boxes
    from randomizer.deal.unused import generate_seed
    from randomizer.load.games import is_default

    name = "" if is_default(game) else game.name
    chosen = resolve_boxes([*sets] or [next(iter(game.sets))], game)
    seed = generate_seed() if seed is None else seed
    return game.build_request(chosen, players, seed, settings, files, name, wishes)


def _wishes(game: "Game", languages: "Sequence[Language]", *texts: "Iterable[str]") -> "Wishes":
    """What is wished for, in words that mean the same to everybody."""
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
    """Deal the Kingdom that replaces the one of a setup in the middle of the game, where a card does that.

    Args:
        game: the one that the setup is of.
        setup: the document of the table as it was set up.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: nothing on that table brings one about, or it has been dealt.
        TooFewCards: too few unused Kingdom cards are left.
    """
    from randomizer.load.languages import load_all
    from randomizer.record.second_deal import deal_again

    return deal_again(game, setup, load_all(game))


def read_setup(text: str | bytes) -> "Setup":
    """A setup document from its JSON text, checked.

    >>> read_setup('{"schema": 2}')
    Traceback (most recent call last):
    randomizer.text.errors.BadDocument: the document has schema 2; this program reads schema 1.

    Raises:
        BadDocument: the text is not JSON, or not a setup document.
    """
    from randomizer.setup.schema import loads

    return loads(text)


def render(setup: "Setup", format: str = "text", lang: str = "en", columns: int = 80) -> str:
    """A setup document as text.

    >>> setup = deal_setup(load_game(), sets=["base", "adventures"], players=3, seed="k7f3")
    >>> render(setup).splitlines()[0]
    'Dominion · Base 2E, Adventures · 3 players · seed k7f3'
    >>> read_setup(render(setup, "json")) == setup
    True

    Args:
        setup: the document.
        format: one of `--format`: text, html, json, ...
        lang: the code of the language, such as en or ja.
        columns: how wide the text may be, in columns of a screen.

    Raises:
        UnknownName: there is no such format, language or game.
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
    """The entries of the rulebooks that answer a term or a question, the best first.

    >>> look_up("reserve")[0].title["ja"]
    'リザーブカード'
    >>> [entry.id for entry in look_up("呼び出し")][:1]
    ['call']

    Args:
        query: in any language, typos forgiven.
        book: the rulebook to look into; otherwise the default game's, and where that has nothing the others.

    Raises:
        UnknownName: there is no such book.
    """
    from randomizer.rules.lookup import open_index
    from randomizer.rules.search import look_up as search
    from randomizer.text.errors import UnknownName

    index = open_index()
    if book is not None and book not in index.titles:
        raise UnknownName("book", book, list(index.titles))
    return [index.entry(number) for number in search(index, query, book).entries]
