"""What a game's data files may say, and how their lines become cards. Runs only when a file has changed."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from randomizer.cards.effect import Effects
from randomizer.cards.game import Game, SecondDeal
from randomizer.cards.library import Library
from randomizer.cards.model import (
    ONE,
    Box,
    BoxName,
    Card,
    CardName,
    Component,
    Cost,
    Count,
    Ending,
    Kind,
    KindName,
    OptionName,
    Query,
    SetName,
    SlotName,
    Step,
)
from randomizer.load.yaml_reader import Reader


class CardLine(NamedTuple):
    """A line of `cards:`, as the head of data/cards.yaml explains it."""

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


class Rule(NamedTuple):
    """Whatever answers `when` asks for `then` as soon as it is in use."""

    when: Query
    then: Effects


class Size(NamedTuple):
    """How many cards lie in a pile of this sort."""

    count_: Count
    is_: Query = Query()


class Players(NamedTuple):
    """The least and the greatest number of players."""

    least: int
    most: int


class OptionLine(NamedTuple):
    """A line of `options:`; its defaults stand where it is used."""

    help: str
    within: str = ""


class DataFile(NamedTuple):
    """What a data file may say. The game's own file comes first, a user's file adds to it."""

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
    cards: tuple[CardLine, ...] = ()


def read_game(paths: Sequence[str]) -> Game:
    """The game of the first file, with what the other files add.

    Raises:
        BadData: with every fault of all the files.
        OSError: a file cannot be read.
    """
    reader = Reader()
    digest = hashlib.sha256()
    whole = DataFile()
    for number, path in enumerate(paths):
        part = reader.file(path, DataFile)
        if part is not None:
            for name, times in Counter(line.name for line in part.cards).items():
                if not name:
                    reader.fault("cards", "a card without a name")
                elif times > 1:
                    reader.fault(name, "stands twice")
            whole = _joined(whole, part, reader) if number else part
        with open(path, "rb") as stream:
            digest.update(stream.read())
    players = whole.players or Players(0, 0)
    if not whole.players:
        reader.fault("", "players missing")
    kinds = dict(whole.kinds)
    for name, kind in kinds.items():
        if kind.is_ == "pile" and not kind.place:
            reader.fault(f"kinds.{name}", "place missing")
    usual = CardLine._field_defaults["kind"]
    for line in whole.cards if usual not in kinds else ():
        if line.kind == usual:
            reader.fault(line.name, f"kind missing; {usual} is none here")
    boxes = {box.slug: box for box in whole.boxes}
    for slug, name in whole.sets:
        if not any(slug in box.holds for box in whole.boxes):
            boxes[slug] = Box(slug, name, holds=(SetName(slug),))
    components = dict(whole.components)
    options = [option for _, effects in _asking(whole) for effect in effects for option in effect.options()]
    for option in options:
        if option.name not in dict(whole.options):
            reader.fault("options", f"{option.name} is used but has no line")
    reader.finish(
        {
            "CardName": {line.name for line in whole.cards},
            "ComponentName": components,
            "SpotName": {*components, "itself"},
            "KindName": kinds,
            "SetName": dict(whole.sets),
            "BoxName": boxes,
            "TypeName": {type for line in whole.cards for type in line.types},
            "SlotName": {slot for name, effects in _asking(whole) for slot in _slots(name, effects)},
            "OptionName": {option.name for option in options},
        }
    )
    cards = _cards(whole, boxes)
    own = {line.name: line.setup for line in whole.cards if line.setup}
    ruled = {
        card.name: tuple(
            effect for rule in whole.rules if rule.when.answered_by(card) for effect in rule.then
        )
        for card in cards.values()
    }
    return Game(
        name=whole.game,
        title=whole.title,
        hash=digest.hexdigest()[:12],
        players=players,
        kinds=kinds,
        components=components,
        sets=dict(whole.sets),
        boxes=boxes,
        starting_deck=dict(whole.starting_deck),
        options=tuple(
            option._replace(**dict(whole.options)[OptionName(option.name)]._asdict()) for option in options
        ),
        opening=whole.opening,
        order=whole.order,
        second_deal=whole.second_deal,
        endings=whole.game_end,
        last=whole.last,
        cards=cards,
        setup={name: ruled[name] + own.get(name, ()) for name in cards if ruled[name] or name in own},
        ruled={name: len(effects) for name, effects in ruled.items() if effects},
    )


def _joined(whole: DataFile, part: DataFile, reader: Reader) -> DataFile:
    """The data with a user's file added. Its sizes come first, for the first line that fits holds."""
    for field in ("title", "players", "starting_deck", "second_deal"):
        if getattr(part, field):
            reader.fault(field, "only the game's own file says this")
    if part.game not in ("", whole.game):
        reader.fault("game", f"adds to {part.game!r}, not to {whole.game!r}")
    names = {line.name for line in whole.cards}
    for line in part.cards:
        if line.name in names:
            reader.fault(line.name, "there is a card of this name already")
    added = {
        field: getattr(whole, field) + getattr(part, field)
        for field in (
            "kinds",
            "components",
            "sets",
            "boxes",
            "options",
            "opening",
            "rules",
            "order",
            "game_end",
            "last",
            "cards",
        )
    }
    return whole._replace(sizes=part.sizes + whole.sizes, **added)


def _asking(data: DataFile) -> Iterator[tuple[str, Effects]]:
    """All effects, with the name of the card that asks for them."""
    yield "", data.opening
    for rule in data.rules:
        yield "", rule.then
    for line in data.cards:
        yield line.name, line.setup


def _slots(name: str, effects: Effects) -> list[str]:
    """The names by which the choices among the effects go."""
    return [choice.slot for effect in effects if (choice := effect.choice(name))]


def _cards(data: DataFile, boxes: dict[str, Box]) -> Library:
    """The lines as cards, with everything that a line leaves to its set, kind or pile."""
    piles = {member: line for line in data.cards for member, _ in line.pile}
    cards = []
    for line in data.cards:
        whole = piles.get(CardName(line.name))
        in_boxes = line.boxes or tuple(
            BoxName(slug)
            for slug, box in boxes.items()
            if line.set in box.holds and line.edition in (0, box.edition)
        )
        card = Card(
            name=line.name,
            set=line.set,
            kind=line.kind,
            boxes=in_boxes,
            types=line.types or (line.kind.capitalize(),),
            cost=line.cost,
            count_=ONE,
            pile=line.pile,
            member_of=whole.name if whole else "",
            place=line.place,
            stock=line.stock is not None,
            shuffled=line.shuffled,
            also=line.also,
            note=line.note,
            in_box=line.in_box,
        )
        count = line.count_ or line.stock or _total(line, data.players)
        if count is None and whole:
            count = dict(whole.pile)[CardName(line.name)]
        if count is None:
            count = next((size.count_ for size in data.sizes if size.is_.answered_by(card)), ONE)
        cards.append(card._replace(count_=count))
    return Library.of(cards)


def _total(line: CardLine, players: Players | None) -> Count | None:
    """The cards of a mixed pile together."""
    if not line.pile or players is None:
        return None
    totals = {n: sum(count.at(n) for _, count in line.pile) for n in range(players.least, players.most + 1)}
    steps = list(totals.items())
    return Count(
        tuple(step for place, step in enumerate(steps) if not place or step[1] != steps[place - 1][1])
    )
