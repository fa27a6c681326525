"""What a game's data files may say, and how their lines become cards. Runs only when a file has changed."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from randomizer.cards.effect import Effects
from randomizer.cards.game import Game, SecondDeal
from randomizer.cards.library import Library
from randomizer.cards.model import (
    MOST,
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
from randomizer.load.yaml_reader import Reader
from randomizer.text.slugs import slug_of
from randomizer.text.tuples import NamedTuple


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
    does: tuple[DoesName, ...] = ()


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


NOBODY = Players(0, 0)


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
    does: tuple[tuple[str, str], ...] = ()
    about: tuple[Heading, ...] = ()
    wishes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    cards: tuple[CardLine, ...] = ()


def read_game(paths: Sequence[str]) -> Game:
    """The game of the first file, with what the other files add.

    Raises:
        BadData: with every fault of all the files.
        OSError: a file cannot be read.
    """
    reader = Reader()
    data = _read(paths, reader)
    boxes = _boxes(data)
    options = [option for _, effects in _asking(data) for effect in effects for option in effect.options()]
    if reader.whole:
        _check(data, options, reader)
    reader.finish(_known(data, boxes, options))
    cards = _cards(data, boxes)
    ruled = {
        card.name: tuple(effect for rule in data.rules if rule.when.answered_by(card) for effect in rule.then)
        for card in cards.values()
    }
    own = {line.name: line.setup for line in data.cards if line.setup}
    return Game(
        name=data.game,
        title=data.title,
        hash=reader.digest.hexdigest()[:12],
        players=data.players or NOBODY,
        kinds=dict(data.kinds),
        components=dict(data.components),
        sets=dict(data.sets),
        boxes=boxes,
        starting_deck=dict(data.starting_deck),
        options=tuple(
            option._replace(**dict(data.options)[OptionName(option.name)]._asdict()) for option in options
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
        setup={name: ruled[name] + own.get(name, ()) for name in cards if ruled[name] or name in own},
        ruled={name: len(effects) for name, effects in ruled.items() if effects},
    )


def _read(paths: Sequence[str], reader: Reader) -> DataFile:
    """What all the files say together."""
    whole = DataFile()
    for number, path in enumerate(paths):
        part = reader.file(path, DataFile)
        if part is not None:
            for name, times in Counter(line.name for line in part.cards).items():
                if not name:
                    reader.fault("cards", "a card without a name")
                elif times > 1:
                    reader.fault(name, "defined twice")
            whole = _joined(whole, part, reader) if number else part
    return whole


def _check(data: DataFile, options: Sequence[OpenOption], reader: Reader) -> None:
    """Note what is missing of the whole, though each line of it is right by itself."""
    if not data.players:
        reader.fault("", "players missing")
    kinds = dict(data.kinds)
    for name, kind in kinds.items():
        if kind.is_ == "pile" and not kind.place:
            reader.fault(f"kinds.{name}", "place missing")
    usual = CardLine._field_defaults["kind"]
    for line in data.cards if usual not in kinds else ():
        if line.kind == usual:
            reader.fault(line.name, f"kind missing; there is no kind named {usual}")
    for heading in data.about:
        if not (heading.does or heading.type):
            reader.fault(f"about.{heading.title}", "does or type missing")
    for option in options:
        if option.name not in dict(data.options):
            reader.fault("options", f"{option.name} is used but has no line")
    _check_ids(data, reader)
    _check_numbers(data, data.players or NOBODY, reader)


def _known(
    data: DataFile, boxes: Mapping[str, Box], options: Sequence[OpenOption]
) -> Mapping[str, Collection[str]]:
    """Every name that a line may say, by its sort."""
    return {
        "CardName": {line.name for line in data.cards},
        "ComponentName": dict(data.components),
        "SpotName": {*dict(data.components), "itself"},
        "KindName": dict(data.kinds),
        "SetName": dict(data.sets),
        "BoxName": boxes,
        "TypeName": {type for line in data.cards for type in line.types},
        "DoesName": dict(data.does),
        "SlotName": {slot for name, effects in _asking(data) for slot in _slots(name, effects)},
        "OptionName": {option.name for option in options},
    }


def _boxes(data: DataFile) -> dict[str, Box]:
    """The boxes; a set that none of them holds is a box by itself."""
    boxes = {box.slug: box for box in data.boxes}
    for slug, name in data.sets:
        if not any(slug in box.holds for box in data.boxes):
            boxes[slug] = Box(slug, name, holds=(SetName(slug),))
    return boxes


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
            "does",
            "about",
            "wishes",
            "cards",
        )
    }
    return whole._replace(sizes=part.sizes + whole.sizes, **added)


def _check_ids(data: DataFile, reader: Reader) -> None:
    """Each card has an id of its own, which is made of its name."""
    of: dict[str, str] = {}
    for line in data.cards:
        if line.name and not slug_of(line.name):
            reader.fault(line.name, "a name without a letter")
        elif of.setdefault(slug_of(line.name), line.name) != line.name:
            reader.fault(line.name, f"has the same id as {of[slug_of(line.name)]}")


def _check_numbers(data: DataFile, players: Players, reader: Reader) -> None:
    """What is counted together is not too much, and what is taken away is there."""
    if not 1 <= players.least <= players.most and data.players:
        reader.fault("players", "not from a least to a greatest number")
    dealt = dict(data.starting_deck)
    for line in data.cards:
        if (total := _total(line, players)) and max(number for _, number in total.steps) > MOST:
            reader.fault(line.name, f"more than {MOST} cards in a pile")
        each = dealt.get(CardName(line.name), 0)
        numbers = range(players.least, players.most + 1)
        if line.stock and any(line.stock.at(number) < number * each for number in numbers):
            reader.fault(f"{line.name}.stock", "less than the starting decks take of it")


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
            does=line.does,
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
    if not line.pile or players is None or players.least > players.most:
        return None
    totals = {n: sum(count.at(n) for _, count in line.pile) for n in range(players.least, players.most + 1)}
    steps = list(totals.items())
    return Count(
        tuple(step for place, step in enumerate(steps) if not place or step[1] != steps[place - 1][1])
    )
