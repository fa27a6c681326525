"""Functions that find, filter and sort boxes and cards, and return their facts as JSON data."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from randomizer.browse.boxes import resolve_boxes
from randomizer.cards.game import Game
from randomizer.cards.model import Box, Card, Named
from randomizer.cards.selector import SelectorParser, build_profile
from randomizer.cards.wish import parse_options
from randomizer.setup.checklist import cost_sort_key
from randomizer.text.errors import UnknownName, find_suggestions
from randomizer.text.language import ENGLISH, Language, as_verbatim, join_with_and, message
from randomizer.text.slugs import slugify, split_at_commas

SCHEMA_VERSION = 1

SORT_ORDERS = ("set", "cost", "name")  # the orders of `sort_cards`


def list_boxes(game: Game) -> list[Box]:
    """Return all boxes with cards, including those that have only been announced."""
    return [box for box in game.boxes.values() if box.announced or box.holds]


def build_box_facts(box: Box, game: Game, languages: Iterable[Language]) -> dict[str, Any]:
    """Return facts about a box as JSON data: its names and its numbers of Kingdom piles and landscapes."""
    counts = Counter(card.kind for card in game.cards.in_boxes([box.slug]))
    return {
        "slug": box.slug,
        "name": box.name,
        **{language.code: language.boxes[box.slug] for language in languages if language.code != ENGLISH},
        "title": box.title,
        "edition": box.edition,
        "year": box.year,
        "announced": box.announced,
        "sets": list(box.holds),
        "kingdom": sum(count for kind, count in counts.items() if game.kinds[kind].place == "kingdom"),
        "landscapes": {kind: count for kind, count in counts.items() if game.kinds[kind].is_ == "landscape"},
    }


def find_card(name: str, game: Game, named: Iterable[Mapping[str, Named]]) -> Card:
    """Return the card with this name, in any language and ignoring case.

    Raises:
        UnknownName: no card, or more than one card, has this name.
    """
    return SelectorParser(game, (), named).find_card(name)


def get_card(name: str, game: Game, named: Iterable[Mapping[str, Named]]) -> Card | None:
    """Return the card with this name, like `find_card`, or None if the name is unknown or ambiguous."""
    with suppress(UnknownName):
        return find_card(name, game, named)
    return None


def select_cards(
    text: str,
    cards: Iterable[Card],
    game: Game,
    languages: Sequence[Language],
    named: Iterable[Mapping[str, Named]],
) -> list[Card]:
    """Return the cards that match a selector. A mixed pile is returned as a whole, without its single cards.

    Args:
        languages: the languages in which sets, types, kinds and abilities may be named.
        named: the names of the cards in each of these languages.

    Raises:
        BadSelector: the selector is invalid.
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
    abilities: Sequence[str] = (),
) -> list[Card]:
    """Return the cards that meet all conditions, in the order of the data.

    Args:
        languages: the languages in which sets, types, kinds and abilities may be named.
        set_: sets or boxes, separated by commas; the card has to be in one of them.
        type_: types, separated by commas; the card has to have all of them.
        cost: a cost, such as `3 P`.
        kind: a kind of card or landscape.
        abilities: abilities, such as `village`, separated by commas; the card has to have all of them.

    Raises:
        UnknownName: a set, type, kind, cost or ability is unknown.
    """
    found = [card for card in game.cards.values() if game.kinds[card.kind].listed]
    costs = sorted(card.cost for card in found if card.cost)
    if set_:
        chosen = game.find_cards(resolve_boxes(set_, game))
        sets = {slugify(one) for one in split_at_commas(set_)}
        found = [card for card in found if card in chosen or card.set in sets]
    if kind:
        wanted = _look_up("kind", kind, list_kinds(game, languages), is_translated=False)
        found = [card for card in found if card.kind == wanted]
    if cost:
        known_costs = {text: text for text in map(_strip_cost_symbols, map(str, costs))}
        wanted = _look_up("cost", cost, known_costs, is_translated=False)
        found = [card for card in found if card.cost and _strip_cost_symbols(str(card.cost)) == wanted]
    for word in split_at_commas(type_):
        wanted = _look_up("type", word, list_types(game, languages))
        found = [card for card in found if wanted in card.types]
    for word in split_at_commas(abilities):
        wanted = _look_up("--does value", word, list_ability_words(game, languages))
        found = [card for card in found if wanted in card.does]
    return found


def sort_cards(cards: Iterable[Card], order: str, called: Mapping[str, Named]) -> list[Card]:
    """Sort cards by `cost` or `name`. Any other order leaves the cards as they are.

    Args:
        called: the names of the cards in one language, by English name. Cards are sorted by the reading, that
            is the pronunciation, of their name if it has one.
    """

    def get_reading(card: Card) -> str:
        name = called.get(card.name, Named(card.name))
        return _normalize(name.reading or name.name)

    def get_cost_key(card: Card) -> tuple[Any, ...]:
        return card.cost is None, cost_sort_key(str(card.cost or "")), get_reading(card)

    if order == "cost":
        return sorted(cards, key=get_cost_key)
    return sorted(cards, key=get_reading) if order == "name" else list(cards)


def list_types(game: Game, languages: Iterable[Language]) -> dict[str, str]:
    """Map the names of each card type, in every language, to the type."""
    known = dict.fromkeys(type_ for card in game.cards.values() for type_ in card.types)
    return {
        called: type_
        for type_ in known
        for called in (type_, *(language.types.get(type_, type_) for language in languages))
    }


def list_kinds(game: Game, languages: Iterable[Language]) -> dict[str, str]:
    """Map the names and headings of each kind of card, in every language, to the kind."""
    return {
        called: name
        for name, kind in game.kinds.items()
        if kind.listed
        for called in (name, kind.title, *(language.translate(kind.title) for language in languages))
        if called
    }


def list_ability_words(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """Map the names of each ability, in every language, to the ability."""
    return {
        called: word for word in game.does for called in (word, *(each.translate(word) for each in languages))
    }


def _look_up(category: str, name: str, known: Mapping[str, str], *, is_translated: bool = True) -> str:
    """Return the value with this name, ignoring case, spaces and the cost symbols `$`, `*` and `+`.

    Args:
        is_translated: whether an error message translates the names of the values.
    """
    values = {_normalize(word): value for word, value in known.items()}
    if _normalize(name) in values:
        return values[_normalize(name)]
    choices = dict.fromkeys(known.values())
    names = join_with_and(choices if is_translated else as_verbatim(choices))
    hint = message("choose from {names}", names=names)
    raise UnknownName(category, name, find_suggestions(name, known), hint)


def _strip_cost_symbols(cost: str) -> str:
    """Remove the symbols that users do not type in a cost; `$4 3D` becomes `4 3D`."""
    return "".join(letter for letter in cost if letter not in "$*+")


def _normalize(name: str) -> str:
    """Normalize a cost or a name for comparison."""
    return _strip_cost_symbols(name).replace(" ", "").casefold()


def build_card_facts(card: Card, game: Game, named: Mapping[str, Mapping[str, Named]]) -> dict[str, Any]:
    """Return facts about a card as JSON data.

    The name in each other language is under the language code; `reading` is its pronunciation. A card without
    a cost has `cost` 0. The pile size `count` is a number, or an object with the size for each
    number of players if the sizes differ.

    Args:
        named: the names of the cards in each language except English, by language code.
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
