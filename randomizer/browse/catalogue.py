"""The sets and cards there are: found by name or by what they are, and their facts for programs."""

from collections.abc import Iterable, Mapping
from typing import Any

from randomizer.browse.boxes import resolve
from randomizer.cards.game import Game, slug_of
from randomizer.cards.model import Box, Card, Named
from randomizer.errors import NotFound, UnknownName, nearest
from randomizer.text.language import ENGLISH, Language

SCHEMA = 1


def boxes(game: Game) -> list[Box]:
    """The boxes that one can deal from, or will be able to."""
    return [box for box in game.boxes.values() if box.announced or box.holds]


def box_facts(box: Box, game: Game, languages: Iterable[Language]) -> dict[str, Any]:
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


def find(name: str, game: Game, named: Iterable[Mapping[str, Named]]) -> Card:
    """The card of this name, in any language, in letters large or small.

    Raises:
        NotFound: no card is called that.
    """
    called = {slug_of(card): card for card in game.cards}
    for card in game.cards.values():
        for word in card.also:
            called.setdefault(slug_of(word), card.name)
    for names in named:
        for english, (own, reading, also) in names.items():
            for word in (own, reading, *also):
                called.setdefault(slug_of(word), english)
    if slug_of(name) in called:
        return game.cards[called[slug_of(name)]]
    raise NotFound("card", name, nearest(name, game.cards))


def fitting(
    game: Game,
    *,
    set_: str | None = None,
    type_: str | None = None,
    cost: str | None = None,
    kind: str | None = None,
) -> list[Card]:
    """The cards that fit all the conditions given, in the order of the data.

    Raises:
        UnknownName: there is no such set, type, kind or cost.
    """
    every = [card for card in game.cards.values() if game.kinds[card.kind].listed]
    found = every
    if set_:
        chosen = game.cards_of(resolve([set_], game))
        found = [card for card in found if card in chosen or card.set == slug_of(set_)]
    if type_:
        wanted = _one_of("type", type_, dict.fromkeys(type_ for card in every for type_ in card.types))
        found = [card for card in found if wanted in card.types]
    if kind:
        wanted = _one_of("kind", kind, dict.fromkeys(card.kind for card in every))
        found = [card for card in found if card.kind == wanted]
    if cost:
        wanted = _one_of("cost", cost, dict.fromkeys(_plain(card) for card in every if card.cost))
        found = [card for card in found if card.cost and _plain(card) == wanted]
    return found


def _one_of(what: str, name: str, known: Iterable[str]) -> str:
    """The known word that is meant, whatever its letters' case and signs."""
    words = {word.casefold(): word for word in known}
    word = words.get(name.casefold().replace("$", "").replace(" ", ""))
    if word is None:
        raise UnknownName(what, name, nearest(name, words.values()))
    return word


def _plain(card: Card) -> str:
    """The cost without signs: `2`, `3P`, `8D`, `43D`."""
    return "".join(letter for letter in str(card.cost) if letter not in "$ *+")


def card_facts(card: Card, game: Game, named: Mapping[str, Mapping[str, Named]]) -> dict[str, Any]:
    """A card for programs. What has no cost costs nothing; `count` is a number or an object by players.

    Args:
        named: by the code of each language but English, what it calls the cards. The name in a language
            stands under its code; `reading` is how a name is said that is not written so.
    """
    called = {code: names.get(card.name) for code, names in named.items()}
    readings = [name.reading for name in called.values() if name]
    coins, potion, debt, _ = card.cost or (0, 0, 0, "")
    counts = {str(players): game.count_of(card).at(players) for players in game.every_number()}
    return {
        "name": card.name,
        **{code: name and name.name for code, name in called.items()},
        "reading": next(filter(None, readings), readings[0] if readings else None),
        "kind": card.kind,
        "set": card.set,
        "boxes": list(card.boxes),
        "cost": {"coins": coins, "potion": potion, "debt": debt},
        "types": list(card.types),
        "count": counts if len(set(counts.values())) > 1 else next(iter(counts.values())),
        "pile": card.member_of or None,
    }
