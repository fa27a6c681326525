"""Finds, filters and sorts boxes and cards, and describes them as JSON data."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from randomizer.browse.boxes import resolve_boxes
from randomizer.cards.game import Game
from randomizer.cards.model import Box, Card, Cost, Named
from randomizer.cards.selector import SelectorParser, build_profile
from randomizer.cards.wish import parse_wishes
from randomizer.setup import document
from randomizer.setup.document import PrintedCost
from randomizer.setup.texts import build_cost, combine_names
from randomizer.text.errors import UnknownName, find_suggestions
from randomizer.text.folding import fold, romaji_to_hiragana
from randomizer.text.language import ENGLISH, Language, as_verbatim, join_with_and, message
from randomizer.text.slugs import slugify, split_at_commas

Year = Annotated[int | None, {"maximum": 9_999}, "null if it is unknown"]

SORT_ORDERS = ("set", "cost", "name")  # the orders of `sort_cards`


class ListedBox(document.Named):
    """A box. `slug` is its name as users type it, and `title` is what is printed on the box."""

    slug: str
    title: str
    edition: Annotated[int | None, "null for a box without editions"]
    year: Annotated[int | None, {"maximum": 9_999}]
    announced: Annotated[bool, "whether its cards are not known yet"]
    sets: Annotated[list[str], "slugs of the sets whose cards it has"]
    kingdom_count: Annotated[int, "the number of its Kingdom piles"]
    landscape_counts: Annotated[dict[str, int], "the number of its landscapes of each kind"]


class BoxList(TypedDict):
    """The boxes, in the order in which they were published."""

    schema: Literal[1]
    boxes: list[ListedBox]


class ListedCard(document.NamedCard):
    """A card or landscape."""

    readings: NotRequired[Annotated[dict[str, str], "how the translations are pronounced, by language code"]]
    kind: str
    set: str
    boxes: Annotated[list[str], "slugs of the boxes with the card"]
    cost: PrintedCost
    types: list[str]
    does: Annotated[list[str], "what it does, in words such as `village`"]
    counts: Annotated[dict[str, int | None], "the size of its pile by number of players; null for no limit"]
    pile: Annotated[str | None, "the name of the mixed pile that contains it"]


def list_boxes(game: Game) -> list[Box]:
    """Return all boxes that contain cards or have been announced."""
    return [box for box in game.boxes.values() if box.announced or box.holds]


def build_box_facts(box: Box, game: Game, languages: Iterable[Language]) -> ListedBox:
    """Return facts about a box as JSON data: its names and its numbers of Kingdom piles and landscapes."""
    counts = Counter(card.kind for card in game.cards.in_boxes([box.slug]))
    translations = {
        language.code: language.boxes[box.slug] for language in languages if language.code != ENGLISH
    }
    return {
        **combine_names(box.name, translations),
        "slug": box.slug,
        "title": box.title,
        "edition": box.edition,
        "year": box.year,
        "announced": box.announced,
        "sets": list(box.holds),
        "kingdom_count": sum(count for kind, count in counts.items() if game.kinds[kind].place == "kingdom"),
        "landscape_counts": {
            kind: count for kind, count in counts.items() if game.kinds[kind].is_ == "landscape"
        },
    }


def find_card(name: str, game: Game, card_names: Collection[Mapping[str, Named]]) -> Card:
    """Return the card with this name, in any language and ignoring case.

    Raises:
        UnknownName: no card, or more than one card, has this name.
    """
    return SelectorParser(game, (), card_names).find_card(name)


def get_card(name: str, game: Game, card_names: Collection[Mapping[str, Named]]) -> Card | None:
    """Return the card with this name, like `find_card`, or None if the name is unknown or ambiguous.

    A Japanese name may also be romanized.
    """
    names = list(card_names)
    for key in filter(None, (name, romaji_to_hiragana(fold(name)))):
        with suppress(UnknownName):
            return find_card(key, game, names)
    return None


def select_cards(
    text: str,
    cards: Iterable[Card],
    game: Game,
    languages: Sequence[Language],
    card_names: Collection[Mapping[str, Named]],
) -> list[Card]:
    """Return the cards that match a selector. A mixed pile is returned as one card, without its members.

    Args:
        languages: the languages in which sets, types, kinds and abilities may be named.
        card_names: the names of the cards in each of these languages.

    Raises:
        BadSelector: the selector is invalid.
    """
    selectors = parse_wishes(SelectorParser(game, languages, card_names), without=[text]).bans
    pool = game.get_pool(())
    matching_cards = []
    for card in cards:
        profile = None if card.member_of else build_profile(card, game, pool)
        if profile and any(selector.matches(profile) for selector in selectors):
            matching_cards.append(card)
    return matching_cards


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
        set_: sets or boxes, which may be separated by commas; a card must be in one of them.
        type_: types, which may be separated by commas; a card must have all of them.
        cost: a cost, such as `3 P`; None for any.
        kind: a kind of card or landscape; None for any.
        abilities: abilities, such as `village`, which may be separated by commas; a card must have all of
            them.

    Raises:
        UnknownName: a set, type, kind, cost or ability is unknown.
    """
    cards = [card for card in game.cards.values() if game.kinds[card.kind].listed]
    costs = sorted(card.cost for card in cards if card.cost)
    if set_:
        cards_in_boxes = game.find_cards(resolve_boxes(set_, game))
        sets = {slugify(name) for name in split_at_commas(set_)}
        cards = [card for card in cards if card in cards_in_boxes or card.set in sets]
    if kind:
        value = _look_up("kind", kind, list_kinds(game, languages), is_translated=False)
        cards = [card for card in cards if card.kind == value]
    if cost:
        known_costs = {text: text for text in map(_strip_cost_symbols, map(str, costs))}
        value = _look_up("cost", cost, known_costs, is_translated=False)
        cards = [card for card in cards if card.cost and _strip_cost_symbols(str(card.cost)) == value]
    for word in split_at_commas(type_):
        value = _look_up("type", word, list_types(game, languages))
        cards = [card for card in cards if value in card.types]
    for word in split_at_commas(abilities):
        value = _look_up("--does value", word, list_ability_words(game, languages))
        cards = [card for card in cards if value in card.does]
    return cards


def sort_cards(cards: Iterable[Card], order: str, card_names: Mapping[str, Named]) -> list[Card]:
    """Sort cards by `cost` or `name`. Any other order leaves the cards as they are.

    Args:
        card_names: the names of the cards in one language, by English name. A name that has a reading
            (pronunciation) is sorted by it.
    """

    def get_reading(card: Card) -> str:
        name = card_names.get(card.name, Named(card.name))
        return _normalize(name.reading or name.name)

    def get_cost_key(card: Card) -> tuple[Any, ...]:
        return card.cost is None, (card.cost or Cost())[:3], get_reading(card)

    if order == "cost":
        return sorted(cards, key=get_cost_key)
    return sorted(cards, key=get_reading) if order == "name" else list(cards)


def list_types(game: Game, languages: Iterable[Language]) -> dict[str, str]:
    """Return a mapping from the names of the card types, in every language, to the types."""
    types = dict.fromkeys(type_ for card in game.cards.values() for type_ in card.types)
    return {
        name: type_
        for type_ in types
        for name in (type_, *(language.types.get(type_, type_) for language in languages))
    }


def list_kinds(game: Game, languages: Iterable[Language]) -> dict[str, str]:
    """Return a mapping from the names and headings of the card kinds, in every language, to the kinds."""
    return {
        name: kind_name
        for kind_name, kind in game.kinds.items()
        if kind.listed
        for name in (kind_name, kind.title, *(language.translate(kind.title) for language in languages))
        if name
    }


def list_ability_words(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """Return a mapping from the names of the abilities, in every language, to the abilities."""
    return {
        name: word
        for word in game.does
        for name in (word, *(language.translate(word) for language in languages))
    }


def _look_up(
    category: str, name: str, values_by_name: Mapping[str, str], *, is_translated: bool = True
) -> str:
    """Return the value with this name, ignoring case, spaces and the cost symbols `$`, `*` and `+`.

    Args:
        is_translated: whether the names of the values are translated in an error message.
    """
    values = {_normalize(word): value for word, value in values_by_name.items()}
    if _normalize(name) in values:
        return values[_normalize(name)]
    choices = dict.fromkeys(values_by_name.values())
    names = join_with_and(choices if is_translated else as_verbatim(choices))
    hint = message("choose from {names}", names=names)
    raise UnknownName(category, name, find_suggestions(name, values_by_name), hint)


def _strip_cost_symbols(cost: str) -> str:
    """Remove the symbols that users do not type in a cost; `$4 3D` becomes `4 3D`."""
    return "".join(character for character in cost if character not in "$*+")


def _normalize(name: str) -> str:
    """Normalize a cost or a name for comparison."""
    return _strip_cost_symbols(name).replace(" ", "").casefold()


def build_card_facts(card: Card, game: Game, translations: Mapping[str, Mapping[str, Named]]) -> ListedCard:
    """Return facts about a card as JSON data.

    Args:
        translations: the names of the cards in each language, by language code.
    """
    names = {code: names[card.name] for code, names in sorted(translations.items()) if card.name in names}
    readings = {code: name.reading for code, name in names.items() if name.reading}
    facts: dict[str, Any] = {
        **combine_names(card.name, {code: name.name for code, name in names.items()}),
        "id": slugify(card.name),
        "kind": card.kind,
        "set": card.set,
        "boxes": list(card.boxes),
        "cost": build_cost(card.cost),
        "types": list(card.types),
        "does": list(card.does),
        "counts": {
            str(players): game.get_pile_count(card).for_players(players) for players in game.player_counts()
        },
        "pile": card.member_of or None,
    }
    return cast("ListedCard", {**facts, "readings": readings} if readings else facts)
