"""Parses and checks a game's data files.

This module is imported only if a data file has changed. Otherwise, the game is loaded from the cache.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from randomizer.deal.growing import find_turn_up, list_questions
from randomizer.load.entryfile import EntryRecord
from randomizer.load.paths import list_language_codes
from randomizer.load.yaml_reader import YamlReader
from randomizer.text.slugs import slugify


class CardLine(NamedTuple):
    """An entry of `cards:`. Comments at the top of data/cards.yaml explain its fields.

    In a user's own file, an entry with `replaces` has only the fields that differ from the printed card.
    """

    name: str = ""
    set: SetName = SetName("")
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
    replaces: CardName = CardName("")

    @staticmethod
    def list_missing(given: Collection[str]) -> list[str]:
        """Return the fields that are missing from an entry that has only the given fields."""
        return [] if "replaces" in given else [field for field in ("name", "set") if field not in given]


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
    also: tuple[str, ...] = ()
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
    entries: tuple[EntryRecord, ...] = ()


_MAIN_FILE_FIELDS = ("title", "also", "players", "starting_deck", "second_deal")
_ADDITIVE_FIELDS = tuple(
    field for field in DataFile._fields if field not in (*_MAIN_FILE_FIELDS, "game", "sizes", "cards")
)
_KEYED_FIELDS = ("kinds", "components", "sets", "options", "does", "wishes")  # names with their definitions
_FIXED_FIELDS = ("name", "set", "edition", "boxes")  # what a card that replaces a printed one can't change
# The fields of a card that matter only for a pile.
_PILE_FIELDS = ("count_", "stock", "pile", "shuffled", "place", "in_box")


def read_game(paths: Sequence[str]) -> Game:
    """Read a game from its data file and any number of additional files.

    Args:
        paths: the path of the game's own file, then those of the user's files.

    Raises:
        BadData: the files have faults, all of which are listed.
        OSError: a file cannot be read.
    """
    reader = YamlReader()
    data, own_files = _read_files(paths, reader)
    data = _shuffle_in_landscapes(data, reader)
    boxes = _build_boxes(data)
    options = [
        option for _, effects in _iterate_effects(data) for effect in effects for option in effect.options()
    ]
    if reader.is_complete:
        _check_entries(data, options, reader)
    reader.check_names(_collect_names(data, boxes, options))
    cards = _build_library(data, boxes)
    for file, own_data in own_files:
        _check_effect(own_data, file, data, cards, reader)
    reader.raise_faults()
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
        also=data.also,
        replaced=tuple(
            dict.fromkeys(line.replaces for _, own in own_files for line in own.cards if line.replaces)
        ),
    )


def read_own_entries(path: str) -> tuple[tuple[EntryRecord, ...], str]:
    """Read the rule entries of a user's own file, which has been checked by `read_game`.

    Returns:
        The entries, and the name of the file's first set, or of the file if it has no sets.

    Raises:
        BadData: the file has faults.
        OSError: the file cannot be read.
    """
    reader = YamlReader()
    data: DataFile = reader.read_file(path, DataFile) or DataFile()
    reader.raise_faults()
    return data.entries, next((name for _, name in data.sets), reader.file)


def _read_files(paths: Sequence[str], reader: YamlReader) -> tuple[DataFile, list[tuple[str, DataFile]]]:
    """Read all files and merge them.

    Returns:
        The merged data, and the name and the data of each of the user's own files.
    """
    merged = DataFile()
    own_files = []
    for index, path in enumerate(paths):
        data: DataFile | None = reader.read_file(path, DataFile)
        if data is not None:
            for name, count in Counter(line.name or line.replaces for line in data.cards).items():
                if not name:
                    reader.add_fault("cards", "a card without a name")
                elif count > 1:
                    reader.add_fault(name, "defined twice")
            if index:
                merged = _merge(merged, data, reader)
                own_files.append((reader.file, data))
            else:
                merged = data
                _reject_own_fields(data, reader)
    return merged, own_files


def _reject_own_fields(game_data: DataFile, reader: YamlReader) -> None:
    """Record a fault for each field of the game's own file that only a user's own file may have."""
    for line in game_data.cards:
        if line.replaces:
            reader.add_fault(f"{line.name}.replaces", "only a file for --cards can replace a card")
    if game_data.entries:
        reader.add_fault("entries", "only a file for --cards can have rules; those of the game are in a book")


def _merge(game_data: DataFile, addition: DataFile, reader: YamlReader) -> DataFile:
    """Merge the contents of a user's file into the game's data.

    The `sizes` of the user's file come first, because the first size that matches a card applies.
    """
    for field in _MAIN_FILE_FIELDS:
        if getattr(addition, field):
            reader.add_fault(field, "only the game's own file can set this")
    if addition.game not in ("", game_data.game):
        reader.add_fault("game", f"adds to {addition.game!r}, not to {game_data.game!r}")
    for field in _KEYED_FIELDS:
        for name in dict(getattr(addition, field)).keys() & dict(getattr(game_data, field)).keys():
            reader.add_fault(f"{field}.{name}", "already exists; choose another name")
    for slug in {box.slug for box in addition.boxes} & {box.slug for box in game_data.boxes}:
        reader.add_fault(f"boxes.{slug}", "already exists; choose another slug")
    if find_turn_up(addition.opening):
        problem = (
            "only the game's own file can turn cards up; to shuffle in landscapes, set `most` of their kind"
        )
        reader.add_fault("opening.turn_up", problem)
    merged = {field: getattr(game_data, field) + getattr(addition, field) for field in _ADDITIVE_FIELDS}
    cards = _merge_cards(game_data.cards, addition.cards, reader)
    return game_data._replace(sizes=addition.sizes + game_data.sizes, cards=cards, **merged)


def _merge_cards(
    game_cards: Sequence[CardLine], added: Sequence[CardLine], reader: YamlReader
) -> tuple[CardLine, ...]:
    """Return the cards of the game with those of a user's file, some of which may replace others.

    A card that replaces another one takes its position and its name, set and boxes, so that everything that
    refers to the printed card refers to the new one.
    """
    merged = {line.name: line for line in game_cards}
    for line in added:
        path = line.name or line.replaces
        given = reader.given_fields.get((CardLine, path)) or reader.given_fields[CardLine, "cards"]
        if not line.replaces:
            if line.name in merged:
                problem = f"a card with this name already exists; to change it, type `replaces: {line.name}`"
                reader.add_fault(line.name, problem)
            merged[line.name] = line
        elif line.replaces in merged:  # Otherwise, the name is reported with all other unknown names.
            printed = merged[line.replaces]
            for field in _FIXED_FIELDS:
                if field in given and getattr(line, field) != getattr(printed, field):
                    problem = f"a card that replaces {printed.name} keeps its {field}; remove this"
                    if field == "name":
                        problem += f", or list {line.name!r} under `also`"
                    reader.add_fault(f"{path}.{field}", problem)
            changed = set(given).difference(_FIXED_FIELDS, ["replaces"])
            changes = {field: getattr(line, field) for field in changed}
            if not changes:
                reader.add_fault(path, f"nothing differs from {printed.name}")
            if "also" in changes:
                changes["also"] = (*printed.also, *line.also)
            merged[printed.name] = printed._replace(**changes)
    return tuple(merged.values())


def _shuffle_in_landscapes(data: DataFile, reader: YamlReader) -> DataFile:
    """Return the data with an opening that also turns up the kinds of landscapes that set `most`."""
    kinds = [(KindName(name), kind) for name, kind in data.kinds if kind.most is not None]
    turn_up = find_turn_up(data.opening)
    if not kinds:
        return data
    if turn_up is None:
        reader.add_fault(f"kinds.{kinds[0][0]}.most", "the opening of this game turns no cards up")
        return data
    others = turn_up.landscapes.kind
    limits = tuple((name, kind.most) for name, kind in kinds if kind.most and kind.most.number is not None)
    changed = turn_up._replace(
        landscapes=Query(kind=(*others, *(name for name, _ in kinds))),
        limits=(*turn_up.limits, *limits),
        extra=tuple(name for name, kind in kinds if kind.extra),
    )
    opening = tuple(changed if effect == turn_up else effect for effect in data.opening)
    return data._replace(opening=opening)


# ── Parts of a user's own file that would have no effect ──


def _check_effect(own: DataFile, file: str, data: DataFile, cards: Library, reader: YamlReader) -> None:
    """Record a fault for each part of a user's own file that would have no effect.

    Args:
        own: the data of the file.
        file: the name of the file.
        data: the data of all files.
        cards: the cards of all files.
        reader: the reader of the files.
    """

    def add_fault(path: str, problem: str) -> None:
        reader.add_fault(path, problem, file)

    references = reader.list_references()
    for name, kind in own.kinds:
        _check_kind(name, kind, add_fault)
        if not any(line.kind == name for line in data.cards):
            add_fault(f"kinds.{name}", "no card is of this kind")
    for slug, _ in own.sets:
        if not any(line.set == slug for line in data.cards):
            add_fault(f"sets.{slug}", "no card is in this set")
    for name, _ in own.components:
        if not {("ComponentName", name), ("SpotName", name)} & references:
            add_fault(f"components.{name}", "no effect uses it; `give` it to the players")
    for name, _ in own.does:
        if ("DoesName", name) not in references:
            add_fault(f"does.{name}", "no card does this")
    for index, rule in enumerate(own.rules):
        if not any(map(rule.when.matches, cards.values())):
            add_fault(f"rules[{index}].when", "no card matches")
    for index, size in enumerate(own.sizes):
        if not any(map(size.is_.matches, cards.values())):
            add_fault(f"sizes[{index}].is", "no card matches")
    for line in own.cards:
        _check_card(line, data, cards, references, add_fault)


def _check_kind(name: str, kind: Kind, add_fault: Callable[[str, str], None]) -> None:
    """Record a fault for each field of a kind that has no effect for this form of cards."""
    if kind.is_ != "landscape":
        for field in ("most", "extra", "lies", "marks"):
            if getattr(kind, field) != Kind._field_defaults[field]:
                add_fault(f"kinds.{name}.{field}", "only a kind of landscape has this")
    if kind.place and kind.is_ != "pile":
        add_fault(f"kinds.{name}.place", "only a kind of pile has this")
    if kind.extra and (kind.most is None or kind.most.number is None):
        add_fault(f"kinds.{name}.extra", "without a number in `most` this has no effect")


def _check_card(
    line: CardLine,
    data: DataFile,
    cards: Library,
    references: Collection[tuple[str, str]],
    add_fault: Callable[[str, str], None],
) -> None:
    """Record a fault if a card of a user's own file can't come into use, or a field of it has no effect."""
    name = line.name or line.replaces
    card = cards[name]
    form = dict(data.kinds)[card.kind].is_
    if line.edition and line.boxes:
        add_fault(f"{name}.edition", "has no effect beside `boxes`")
    if line.count_ and line.stock:
        add_fault(f"{name}.count", "has no effect beside `stock`")
    if line.shuffled and not card.pile:
        add_fault(f"{name}.shuffled", "only a mixed pile has this")
    for field in _PILE_FIELDS if form in ("landscape", "component") else ():
        if getattr(line, field) != CardLine._field_defaults[field]:
            add_fault(f"{name}.{field.rstrip('_')}", f"a {form} has no pile, so this has no effect")
    if not card.boxes:
        add_fault(name, "no box holds this set and edition, so the card is never dealt")
    elif not line.replaces and not _can_come_into_use(card, data, references):
        problem = "nothing brings this card into use; "
        if form == "landscape":
            problem += f"set `most` of kinds.{card.kind} to shuffle it in, or `deal` or `put` it in an effect"
        elif form == "member":
            problem += "list it in the `pile` of another card"
        else:
            problem += "`deal` or `put` it in an effect"
        add_fault(name, problem)


def _can_come_into_use(card: Card, data: DataFile, references: Collection[tuple[str, str]]) -> bool:
    """Return whether a card can be turned up, is named by an effect or a pile, or matches a choice."""
    if ("CardName", card.name) in references:
        return True
    turn_up = find_turn_up(data.opening)
    queries = [turn_up.is_, turn_up.landscapes] if turn_up else []
    for name, effects in _iterate_effects(data):
        queries += [choice.query for effect in effects if (choice := effect.choice(name))]
    return any(query.matches(card) for query in queries)


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
    choices = [
        choice
        for name, effects in _iterate_effects(data)
        for effect in effects
        if (choice := effect.choice(name))
    ]
    slots = {choice.slot for choice in choices}
    decks = {choice.slot for choice in choices if choice.to == "deck"}
    return {
        "CardName": {line.name for line in data.cards},
        "ComponentName": dict(data.components),
        "SpotName": {*dict(data.components), "itself"},
        "KindName": dict(data.kinds),
        "SetName": dict(data.sets),
        "BoxName": boxes,
        "TypeName": {type for line in data.cards for type in _get_types(line)},
        "DoesName": dict(data.does),
        "SlotName": slots,
        "OptionName": {option.name for option in options},
        # The names in rule entries
        "LanguageName": list_language_codes(),
        "ThingName": {*dict(data.components), *decks},
        "MarkName": {*slots, *(line.name for line in data.cards)},
        "DecisionName": {question.question for question in list_questions(data.opening)},
    }


def _iterate_effects(data: DataFile) -> Iterator[tuple[str, Effects]]:
    """Yield the name of each card with the effects in its entry, and an empty name with all other effects."""
    yield "", data.opening
    for question in list_questions(data.opening):
        yield question.title, question.then
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
            types=_get_types(line),
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


def _get_types(line: CardLine) -> tuple[str, ...]:
    """Return the types of a card; by default, the name of its kind."""
    return line.types or (line.kind.capitalize(),)


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
