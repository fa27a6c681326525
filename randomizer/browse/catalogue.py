"""The sets and cards there are: found by name or by what they are, and their facts for programs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from randomizer.browse.boxes import resolve_boxes
from randomizer.cards.game import Game
from randomizer.cards.library import require_single_name
from randomizer.cards.model import Box, Card, Named
from randomizer.cards.selector import SelectorParser, build_profile
from randomizer.cards.wish import parse_options
from randomizer.setup.checklist import cost_order
from randomizer.text.errors import UnknownName, find_suggestions
from randomizer.text.language import ENGLISH, Language, Verbatim, join_with_and, message
from randomizer.text.slugs import slugify, split_at_commas

SCHEMA_VERSION = 1


def list_boxes(game: Game) -> list[Box]:
    """The boxes that one can deal from, or will be able to."""
    return [box for box in game.boxes.values() if box.announced or box.holds]


def build_box_facts(box: Box, game: Game, languages: Iterable[Language]) -> dict[str, Any]:
    """A box for programs: how many Kingdom piles and, by kind, landscapes it holds."""
    kinds: dict[str, int] = {}
    for card in game.cards.in_boxes([box.slug]):
        kinds[card.kind] = kinds.get(card.kind, 0) + 1
    return {
        "slug": box.slug,
        "name": box.name,
        **{language.code: language.boxes[box.slug] for language in languages if language.code != ENGLISH},
        "title": box.title,
        "edition": box.edition,
        "year": box.year,
        "announced": box.announced,
        "sets": list(box.holds),
        "kingdom": sum(count for kind, count in kinds.items() if game.kinds[kind].place == "kingdom"),
        "landscapes": {kind: n for kind, n in kinds.items() if game.kinds[kind].is_ == "landscape"},
    }


def find_card(name: str, game: Game, named: Iterable[Mapping[str, Named]]) -> Card:
    """The card of this name, in any language, in letters large or small.

    Raises:
        UnknownName: no card is called that, or several are.
    """
    names = game.cards.find_names(named).get(slugify(name), ())
    return game.cards[require_single_name(names, name, lambda: find_suggestions(name, game.cards))]


def get_card(name: str, game: Game, named: Iterable[Mapping[str, Named]]) -> Card | None:
    """The same, or None if there is no such card."""
    found = game.cards.find_unambiguous_names(named).get(slugify(name))
    return game.cards[found] if found else None


def select_cards(
    text: str,
    cards: Iterable[Card],
    game: Game,
    languages: Sequence[Language],
    named: Iterable[Mapping[str, Named]],
) -> list[Card]:
    """Those of the cards that a text means, as a ban would: a mixed pile as a whole, and none of its cards.

    Args:
        languages: in which sets, types, kinds and words may be called as they are shown.
        named: for each of these, what it calls the cards.

    Raises:
        BadSelector: it cannot be read.
    """
    selectors = parse_options(SelectorParser(game, languages, named), without=[text]).bans
    pool = game.get_pool(())
    found = []
    for card in cards:
        profile = None if card.member_of else build_profile(card, game, pool)
        if profile and any(selector.matches(profile) for selector in selectors):
            found.append(card)
    return found


def filter_cards(
    game: Game,
    languages: Sequence[Language],
    *,
    set_: Sequence[str] = (),
    type_: Sequence[str] = (),
    cost: str | None = None,
    kind: str | None = None,
    does: Sequence[str] = (),
) -> list[Card]:
    """The cards that fit all the conditions given, in the order of the data.

    Args:
        languages: in which sets, types, kinds and words may be called as they are shown.
        set_: sets or boxes, several in a text with commas between; one of them has to hold the card.
        type_, does: types, and words for what a card does, several in a text with commas between; all of
            them have to hold.

    Raises:
        UnknownName: there is no such set, type, kind, cost or word.
    """
    every = [card for card in game.cards.values() if game.kinds[card.kind].listed]
    found = every
    if set_:
        chosen, sets = (
            game.find_cards(resolve_boxes(set_, game)),
            {slugify(one) for one in split_at_commas(set_)},
        )
        found = [card for card in found if card in chosen or card.set in sets]
    for one in split_at_commas(type_):
        wanted = _one_of("type", one, list_types(game, languages))
        found = [card for card in found if wanted in card.types]
    if kind:
        wanted = _one_of(
            "kind", kind, {word: Verbatim(one) for word, one in list_kinds(game, languages).items()}
        )
        found = [card for card in found if card.kind == wanted]
    if cost:
        costs = [_without_signs(str(price)) for price in sorted(card.cost for card in every if card.cost)]
        wanted = _one_of("cost", cost, {cost: Verbatim(cost) for cost in costs})
        found = [card for card in found if card.cost and _without_signs(str(card.cost)) == wanted]
    for word in split_at_commas(does):
        wanted = _one_of("word", word, list_ability_words(game, languages))
        found = [card for card in found if wanted in card.does]
    return found


# By the name of an order, what a card is sorted by, given how its name is said.
SORT_KEYS: Mapping[str, Callable[[Card, Callable[[Card], str]], tuple[Any, ...]]] = {
    "set": lambda card, said: (),
    "cost": lambda card, said: (card.cost is None, cost_order(str(card.cost or "")), said(card)),
    "name": lambda card, said: (said(card),),
}


def sort_cards(cards: Iterable[Card], order: str, called: Mapping[str, Named]) -> list[Card]:
    """The cards in one of `ORDERS`, of which that of the sets is that of the data.

    Args:
        called: what a language calls the cards, whose names are put in the order in which they are said.
    """

    def said(card: Card) -> str:
        name = called.get(card.name, Named(card.name))
        return _folded(name.reading or name.name)

    return sorted(cards, key=lambda card: SORT_KEYS[order](card, said))


def list_types(game: Game, languages: Iterable[Language]) -> dict[str, str]:
    """By whatever a type of card is called in any of the languages, the type."""
    known = dict.fromkeys(type_ for card in game.cards.values() for type_ in card.types)
    return {
        called: type_
        for type_ in known
        for called in (type_, *(language.types.get(type_, type_) for language in languages))
    }


def list_kinds(game: Game, languages: Iterable[Language]) -> dict[str, str]:
    """By whatever a kind of thing is called, be it as the heading above several, the kind."""
    return {
        called: name
        for name, kind in game.kinds.items()
        if kind.listed
        for called in (name, kind.title, *(language.translate(kind.title) for language in languages))
        if called
    }


def list_ability_words(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """By whatever a word for what a card does is called in any of the languages, the word."""
    return {
        called: word for word in game.does for called in (word, *(each.translate(word) for each in languages))
    }


def _one_of(what: str, name: str, known: Mapping[str, str]) -> str:
    """The one that is called so, whatever the letters' case and signs."""
    words = {_folded(word): meant for word, meant in known.items()}
    meant = words.get(_folded(name))
    if meant is None:
        there_are = message("there are {names}", names=join_with_and(dict.fromkeys(known.values())))
        raise UnknownName(what, name, find_suggestions(name, known), there_are)
    return meant


def _without_signs(cost: str) -> str:
    """A cost as one types it: `2`, `3 P`, `8D`, `4 3D`."""
    return "".join(letter for letter in cost if letter not in "$*+")


def _folded(name: str) -> str:
    """A cost or a name, in whatever way it was typed."""
    return _without_signs(name).replace(" ", "").casefold()


def build_card_facts(card: Card, game: Game, named: Mapping[str, Mapping[str, Named]]) -> dict[str, Any]:
    """A card for programs. What has no cost costs nothing; `count` is a number or an object by players.

    Args:
        named: by the code of each language but English, what it calls the cards. The name in a language
            stands under its code; `reading` is how a name is said that is not written so.
    """
    called = {code: names.get(card.name) for code, names in named.items()}
    readings = [name.reading for name in called.values() if name]
    coins, potion, debt, _ = card.cost or (0, 0, 0, "")
    counts = {
        str(players): game.get_pile_count(card).for_players(players) for players in game.player_counts()
    }
    return {
        "name": card.name,
        **{code: name and name.name for code, name in called.items()},
        "reading": next(filter(None, readings), readings[0] if readings else None),
        "kind": card.kind,
        "set": card.set,
        "boxes": list(card.boxes),
        "cost": {"coins": coins, "potion": potion, "debt": debt},
        "types": list(card.types),
        "does": list(card.does),
        "count": counts if len(set(counts.values())) > 1 else next(iter(counts.values())),
        "pile": card.member_of or None,
        "id": slugify(card.name),
        "cost_parts": card.cost and card.cost._asdict(),
    }
