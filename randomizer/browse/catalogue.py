"""The sets and cards there are, as facts to look up: text for people, JSON for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.browse.boxes import resolve
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Box, Card, Named
from randomizer.deal.dealer import brought_by
from randomizer.errors import UnknownName, nearest
from randomizer.setup import checklist
from randomizer.setup.build import build_setup
from randomizer.text.language import Language
from randomizer.text.slugs import slug_of

SCHEMA = 1


# ── Sets ──


def boxes(game: Game) -> list[Box]:
    """The boxes that one can deal from, or will be able to."""
    return [box for box in game.boxes.values() if box.announced or box.holds]


def box_entry(box: Box, game: Game, languages: Iterable[Language]) -> dict[str, Any]:
    """A box as JSON: how many Kingdom piles and, by kind, landscapes it holds."""
    kinds: dict[str, int] = {}
    for card in game.cards.in_boxes([box.slug]):
        kinds[card.kind] = kinds.get(card.kind, 0) + 1
    return {
        "slug": box.slug,
        "name": box.name,
        **{language.code: language.boxes[box.slug] for language in languages if language.code != "en"},
        "title": box.title,
        "edition": box.edition,
        "year": box.year,
        "announced": box.announced,
        "sets": list(box.holds),
        "kingdom": sum(count for kind, count in kinds.items() if game.kinds[kind].place == "kingdom"),
        "landscapes": {kind: n for kind, n in kinds.items() if game.kinds[kind].is_ == "landscape"},
    }


def boxes_text(game: Game, language: Language) -> str:
    """The boxes as a table."""
    from tabulate import tabulate

    rows = []
    for box in boxes(game):
        entry = box_entry(box, game, ())
        landscapes = language.listed(
            f"{language.say(game.kinds[kind].title)} {count}" for kind, count in entry["landscapes"].items()
        )
        edition = f"{box.edition}E" if box.slug.endswith(f"-{box.edition}e") else ""
        known = entry["kingdom"] or (language.say("announced") if box.announced else 0)
        rows.append((box.slug, language.boxes[box.slug], edition, box.year, known, landscapes))
    heads = [language.say(head) for head in ("--sets", "box", "edition", "year", "Kingdom", "landscapes")]
    return tabulate(rows, heads, tablefmt="simple", disable_numparse=[0, 1, 2, 5], missingval="")


# ── Cards ──


def find(name: str, game: Game, named: Iterable[Mapping[str, Named]]) -> Card:
    """The card of this name, in any language, in letters large or small.

    Raises:
        UnknownName: no card is called that.
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
    raise UnknownName("card", name, nearest(name, game.cards))


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


def card_entry(card: Card, game: Game, named: Mapping[str, Named]) -> dict[str, Any]:
    """A card as JSON. What has no cost costs nothing; `count` is a number or an object by players."""
    japanese = named.get(card.name)
    coins, potion, debt, _ = card.cost or (0, 0, 0, "")
    counts = {str(players): game.count_of(card).at(players) for players in game.every_number()}
    return {
        "name": card.name,
        "ja": japanese and japanese.name,
        "reading": japanese and japanese.reading,
        "kind": card.kind,
        "set": card.set,
        "boxes": list(card.boxes),
        "cost": {"coins": coins, "potion": potion, "debt": debt},
        "types": list(card.types),
        "count": counts if len(set(counts.values())) > 1 else next(iter(counts.values())),
        "pile": card.member_of or None,
    }


def cards_text(cards: Sequence[Card], language: Language) -> str:
    """The cards as a table."""
    from tabulate import tabulate

    rows = [
        (
            language.name(card.name),
            str(card.cost or ""),
            "–".join(language.types.get(type_, type_) for type_ in card.types),
            language.sets.get(card.set, card.set),
        )
        for card in cards
    ]
    heads = [language.say(head) for head in ("name", "cost", "types", "set")]
    return tabulate(
        rows, heads, tablefmt="simple", disable_numparse=True, colalign=("left", "right", "left", "left")
    )


def _by_players(counts: Mapping[int, int], language: Language) -> Iterator[str]:
    """Counts in words: `8 for 2 players`, `12 from 3 players on`."""
    steps = [players for players, count in counts.items() if count != counts.get(players - 1)]
    for players, after in zip(steps, [*steps[1:], None], strict=True):
        if len(steps) == 1:
            yield str(counts[players])
        elif after == players + 1 or (after is None and players == max(counts)):
            yield language.say("{count} for {players} players", count=counts[players], players=players)
        else:
            yield language.say("{count} from {players} players on", count=counts[players], players=players)


def card_text(
    card: Card, game: Game, languages: Sequence[Language], language: Language, players: int = 2
) -> Iterator[str]:
    """A card's facts, line by line: what it is, where it is, and what it brings at setup."""
    say = language.say
    names = dict.fromkeys(
        (language.name(card.name), card.name, *(other.name(card.name) for other in languages))
    )
    yield " · ".join((*names, *card.also))
    types = "–".join(language.types.get(type_, type_) for type_ in card.types)
    yield language.listed(filter(None, (str(card.cost or ""), types)))
    yield say("in {text}", text=language.listed(language.boxes[slug] for slug in card.boxes))
    counts = {n: game.count_of(card).at(n) for n in game.every_number()}
    if game.kinds[card.kind].is_ == "pile":
        yield say("pile: {text}", text=language.listed(_by_players(counts, language)))
    if card.member_of:
        yield say("in the pile {on}", on=card.member_of)
    if card.pile:
        yield say("in this pile: {text}", text=language.listed(language.name(name) for name, _ in card.pile))
    table, described = brought_by(card, game, players, language)
    setup = build_setup(game, Request((), players, ""), table, languages)
    brought = [line for section in checklist.build(setup, language) for line in section.lines if line.because]
    lines = []
    for line in brought:
        through = language.listed(language.name(cause) for cause in line.because if cause != card.name)
        words = (
            f"{line.count or ''} {line.name}".strip(),
            line.detail,
            through and say("for {text}", text=through),
        )
        lines.append(language.listed(filter(None, words)))
    lines += described
    if lines:
        yield say("At setup, with {players} players:", players=players)
        yield from (f"  {line}" for line in lines)
