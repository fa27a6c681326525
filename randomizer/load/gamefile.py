"""Parses and checks a game's data files.

This module is imported only if a data file has changed. Otherwise, the game is loaded from the cache.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from randomizer.cards.effect import Effects
from randomizer.cards.game import Game, SecondDeal
from randomizer.cards.library import Library
from randomizer.cards.model import (
    MAX_NUMBER,
    ONE,
    Box,
    BoxName,
    Card,
    CardName,
    Component,
    Cost,
    Count,
    DoesName,
    Ending,
    Heading,
    Kind,
    KindName,
    OpenOption,
    OptionName,
    Query,
    SetName,
    SlotName,
    Step,
)
from randomizer.load.yaml_reader import YamlReader
from randomizer.text.slugs import slugify


class CardLine(NamedTuple):
    """An entry of `cards:`. Comments at the top of data/cards.yaml explain its fields."""

    name: str
    set: SetName
    edition: int = 0
    boxes: tuple[BoxName, ...] = ()
    kind: KindName = KindName("kingdom")
    cost: Cost | None = None
    types: tuple[str, ...] = ()
    count_: Count | None = None
    stock: Count | None = None
    pile: tuple[tuple[CardName, Count], ...] = ()
    shuffled: bool = False
    place: str = ""
    setup: Effects = ()
    also: tuple[str, ...] = ()
    note: str = ""
    in_box: int = 0
    does: tuple[DoesName, ...] = ()


class Rule(NamedTuple):
    """An entry of `rules:`. Each card in use that matches `when` requires the effects in `then`."""

    when: Query
    then: Effects


class Size(NamedTuple):
    """An entry of `sizes:`: the number of cards in the piles that match `is_`."""

    count_: Count
    is_: Query = Query()


class Players(NamedTuple):
    """The minimum and the maximum number of players."""

    least: int
    most: int


NO_PLAYERS = Players(0, 0)  # used if `players:` is missing


class OptionLine(NamedTuple):
    """An entry of `options:`. The effect that reads the option defines its default."""

    help: str
    within: str = ""
    least: int = 0
    most: int = MAX_NUMBER


class DataFile(NamedTuple):
    """The fields of a data file. A user's own file adds to the game's file."""

    game: str = ""
    title: str = ""
    players: Players | None = None
    kinds: tuple[tuple[str, Kind], ...] = ()
    sizes: tuple[Size, ...] = ()
    components: tuple[tuple[str, Component], ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    boxes: tuple[Box, ...] = ()
    starting_deck: tuple[tuple[CardName, int], ...] = ()
    options: tuple[tuple[OptionName, OptionLine], ...] = ()
    opening: Effects = ()
    rules: tuple[Rule, ...] = ()
    order: tuple[SlotName, ...] = ()
    second_deal: SecondDeal | None = None
    game_end: tuple[Ending, ...] = ()
    last: tuple[Step, ...] = ()
    does: tuple[tuple[str, str], ...] = ()
    about: tuple[Heading, ...] = ()
    wishes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    cards: tuple[CardLine, ...] = ()


_MAIN_FILE_FIELDS = ("title", "players", "starting_deck", "second_deal")
_ADDITIVE_FIELDS = tuple(
    field for field in DataFile._fields if field not in (*_MAIN_FILE_FIELDS, "game", "sizes")
)


def read_game(paths: Sequence[str]) -> Game:
    """Read a game from its data file and any number of additional files.

    Args:
        paths: the path of the game's own file, then those of the user's files.

    Raises:
        BadData: the files have faults, all of which are listed.
        OSError: a file cannot be read.
    """
    reader = YamlReader()
    data = _read_files(paths, reader)
    boxes = _build_boxes(data)
    options = [
        option for _, effects in _iterate_effects(data) for effect in effects for option in effect.options()
    ]
    if reader.is_complete:
        _check_entries(data, options, reader)
    reader.check_names(_collect_names(data, boxes, options))
    cards = _build_library(data, boxes)
    rule_effects_by_card = {
        card.name: tuple(effect for rule in data.rules if rule.when.matches(card) for effect in rule.then)
        for card in cards.values()
    }
    own_effects_by_card = {line.name: line.setup for line in data.cards}
    setup = {name: rule_effects_by_card[name] + own_effects_by_card[name] for name in cards}
    players = data.players or NO_PLAYERS
    return Game(
        name=data.game,
        title=data.title,
        hash=reader.digest.hexdigest()[:12],
        players=(players.least, players.most),
        kinds=dict(data.kinds),
        components=dict(data.components),
        sets=dict(data.sets),
        boxes=boxes,
        starting_deck=dict(data.starting_deck),
        options=tuple(
            _complete_option(option, dict(data.options)[OptionName(option.name)])
            for option in dict.fromkeys(options)
        ),
        opening=data.opening,
        order=data.order,
        second_deal=data.second_deal,
        endings=data.game_end,
        last=data.last,
        does=dict(data.does),
        about=data.about,
        wishes=dict(data.wishes),
        cards=cards,
        setup={name: effects for name, effects in setup.items() if effects},
        effect_count_by_rule={
            name: len(effects) for name, effects in rule_effects_by_card.items() if effects
        },
    )


def _read_files(paths: Sequence[str], reader: YamlReader) -> DataFile:
    """Read all files and merge them."""
    merged = DataFile()
    for index, path in enumerate(paths):
        data = reader.read_file(path, DataFile)
        if data is not None:
            for name, count in Counter(line.name for line in data.cards).items():
                if not name:
                    reader.add_fault("cards", "a card without a name")
                elif count > 1:
                    reader.add_fault(name, "defined twice")
            merged = _merge(merged, data, reader) if index else data
    return merged


def _merge(game_data: DataFile, addition: DataFile, reader: YamlReader) -> DataFile:
    """Merge the contents of a user's file into the game's data.

    The `sizes` of the user's file come first, because the first size that matches a card applies.
    """
    for field in _MAIN_FILE_FIELDS:
        if getattr(addition, field):
            reader.add_fault(field, "only the game's own file can set this")
    if addition.game not in ("", game_data.game):
        reader.add_fault("game", f"adds to {addition.game!r}, not to {game_data.game!r}")
    names = {line.name for line in game_data.cards}
    for line in addition.cards:
        if line.name in names:
            reader.add_fault(line.name, "a card with this name already exists")
    merged = {field: getattr(game_data, field) + getattr(addition, field) for field in _ADDITIVE_FIELDS}
    return game_data._replace(sizes=addition.sizes + game_data.sizes, **merged)


def _complete_option(option: OpenOption, line: OptionLine) -> OpenOption:
    """Return an option with the fields of its entry in `options:`."""
    least = max(option.least, line.least)
    return option._replace(help=line.help, within=line.within, least=least, most=line.most)


# ── Checks ──


def _check_entries(data: DataFile, options: Sequence[OpenOption], reader: YamlReader) -> None:
    """Report faults that concern several entries, except for references to unknown names."""
    if not data.players:
        reader.add_fault("", "players missing")
    kinds = dict(data.kinds)
    for name, kind in kinds.items():
        if kind.is_ == "pile" and not kind.place:
            reader.add_fault(f"kinds.{name}", "place missing")
    default_kind = CardLine._field_defaults["kind"]
    for line in data.cards if default_kind not in kinds else ():
        if line.kind == default_kind:
            reader.add_fault(line.name, f"kind missing; there is no kind named {default_kind}")
    for heading in data.about:
        if not (heading.does or heading.type):
            reader.add_fault(f"about.{heading.title}", "does or type missing")
    for option in options:
        if option.name not in dict(data.options):
            reader.add_fault("options", f"{option.name} is used but has no line")
    _check_ids(data, reader)
    _check_numbers(data, data.players or NO_PLAYERS, reader)


def _check_ids(data: DataFile, reader: YamlReader) -> None:
    """Check that the ids of the cards, which are the slugs of their names, are unique."""
    names_by_id: dict[str, str] = {}
    for line in data.cards:
        if line.name and not slugify(line.name):
            reader.add_fault(line.name, "a name without a letter")
        elif names_by_id.setdefault(slugify(line.name), line.name) != line.name:
            reader.add_fault(line.name, f"has the same id as {names_by_id[slugify(line.name)]}")


def _check_numbers(data: DataFile, players: Players, reader: YamlReader) -> None:
    """Check the player counts and the sizes of mixed piles, and that stocks suffice for starting decks."""
    if not 1 <= players.least <= players.most and data.players:
        reader.add_fault("players", "the minimum is greater than the maximum")
    starting_deck = dict(data.starting_deck)
    for line in data.cards:
        size = _get_mixed_pile_size(line, players)
        if size and max(count for _, count in size.steps) > MAX_NUMBER:
            reader.add_fault(line.name, f"more than {MAX_NUMBER} cards in a pile")
        count_per_player = starting_deck.get(CardName(line.name), 0)
        player_counts = range(players.least, players.most + 1)
        if line.stock and any(
            line.stock.for_players(count) < count * count_per_player for count in player_counts
        ):
            reader.add_fault(f"{line.name}.stock", "fewer than the starting decks use")


def _collect_names(
    data: DataFile, boxes: Mapping[str, Box], options: Sequence[OpenOption]
) -> Mapping[str, Collection[str]]:
    """Return the defined names by kind, in the form that `YamlReader.check_names` takes."""
    slots = {
        choice.slot
        for name, effects in _iterate_effects(data)
        for effect in effects
        if (choice := effect.choice(name))
    }
    return {
        "CardName": {line.name for line in data.cards},
        "ComponentName": dict(data.components),
        "SpotName": {*dict(data.components), "itself"},
        "KindName": dict(data.kinds),
        "SetName": dict(data.sets),
        "BoxName": boxes,
        "TypeName": {type for line in data.cards for type in line.types},
        "DoesName": dict(data.does),
        "SlotName": slots,
        "OptionName": {option.name for option in options},
    }


def _iterate_effects(data: DataFile) -> Iterator[tuple[str, Effects]]:
    """Yield the name of each card with the effects in its entry, and an empty name with all other effects."""
    yield "", data.opening
    for rule in data.rules:
        yield "", rule.then
    for line in data.cards:
        yield line.name, line.setup


# ── Boxes and cards ──


def _build_boxes(data: DataFile) -> dict[str, Box]:
    """Build the boxes, by slug. A set without a box gets a box of its own."""
    boxes = {box.slug: box for box in data.boxes}
    for slug, name in data.sets:
        if not any(slug in box.holds for box in data.boxes):
            boxes[slug] = Box(slug, name, holds=(SetName(slug),))
    return boxes


def _build_library(data: DataFile, boxes: dict[str, Box]) -> Library:
    """Build the cards. Missing fields are filled in from the card's set, kind or mixed pile."""
    pile_by_member = {member: line for line in data.cards for member, _ in line.pile}
    cards = []
    for line in data.cards:
        mixed_pile = pile_by_member.get(CardName(line.name))
        boxes_with_set = tuple(
            BoxName(slug)
            for slug, box in boxes.items()
            if line.set in box.holds and line.edition in (0, box.edition)
        )
        card = Card(
            name=line.name,
            set=line.set,
            kind=line.kind,
            boxes=line.boxes or boxes_with_set,
            types=line.types or (line.kind.capitalize(),),
            cost=line.cost,
            count_=ONE,
            does=line.does,
            pile=line.pile,
            member_of=mixed_pile.name if mixed_pile else "",
            place=line.place,
            stock=line.stock is not None,
            shuffled=line.shuffled,
            also=line.also,
            note=line.note,
            in_box=line.in_box,
        )
        count = line.count_ or line.stock or _get_mixed_pile_size(line, data.players)
        if count is None and mixed_pile:
            count = dict(mixed_pile.pile)[CardName(line.name)]
        if count is None:
            count = next((size.count_ for size in data.sizes if size.is_.matches(card)), ONE)
        cards.append(card._replace(count_=count))
    return Library.from_cards(cards)


def _get_mixed_pile_size(line: CardLine, players: Players | None) -> Count | None:
    """Return the number of cards in a mixed pile; None if the card is not a mixed pile."""
    if not line.pile or players is None or players.least > players.most:
        return None
    steps: list[tuple[int, int]] = []
    for player_count in range(players.least, players.most + 1):
        total = sum(count.for_players(player_count) for _, count in line.pile)
        if not steps or total != steps[-1][1]:
            steps.append((player_count, total))
    return Count(tuple(steps))
