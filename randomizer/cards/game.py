"""A game as data: its cards, its opening, and what each card asks for when it is in use."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from randomizer.cards.effect import Choice, Effects, Setting, Settings
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom, Swap
from randomizer.cards.library import Library
from randomizer.cards.model import (
    Box,
    Card,
    CardName,
    Component,
    Count,
    Ending,
    Heading,
    Kind,
    OpenOption,
    SlotName,
    Step,
)
from randomizer.cards.pool import Pool, get_or_compute
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadOptions
from randomizer.text.language import Slug, Verbatim, quote
from randomizer.text.slugs import slugify, to_flag

_MAX_SEED_LENGTH = 500  # letters of a seed


class SecondDeal(NamedTuple):
    """A new Kingdom in the middle of the game (setup rules A53).

    The moment comes when the last token on the card `by` goes. Then the piles of the place `leaves` go back
    into their boxes, and `opening` deals anew; the verbs in `without` do nothing this time. What is `marked`
    is told of each {mark} of a pile that leaves, {on}.
    """

    by: CardName
    leaves: Literal["kingdom"]
    opening: Effects
    without: tuple[str, ...] = ()
    marked: str = ""


WISH_OPTIONS = {"with": "with_", "without": "without", "want": "want", "weight": "weight", "of": "box_count"}


class Wishes(NamedTuple):
    """What whoever deals wishes for, in texts that mean the same to everybody; see `cards/wish`.

    Attributes:
        with_: cards that are to be turned up.
        without: selectors of what never comes.
        want: how many there are to be of which cards.
        weight: which cards come up how much more readily.
        of: of the boxes named so many are drawn first; 0 is all of them.
    """

    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    want: tuple[str, ...] = ()
    weight: tuple[str, ...] = ()
    box_count: int = 0

    def __bool__(self) -> bool:
        """Whether anything is wished for."""
        return any(self)

    def to_options(self) -> Mapping[str, Sequence[str] | int]:
        """What was wished for, by the options that say it."""
        values = {option: getattr(self, field) for option, field in WISH_OPTIONS.items()}
        return {
            option: value if isinstance(value, int) else list(value)
            for option, value in values.items()
            if value
        }


NO_WISHES = Wishes()


class Request(NamedTuple):
    """What a deal is asked for.

    Attributes:
        chosen: slugs of boxes, or of single cards of a box that is sold card by card.
        players: how many play.
        seed: any text; the same one gives the same table.
        settings: what was said of the open options.
        files: paths of the user's own data files.
        game: the game's name, where it is not the default game.
        kingdom: what is laid out because it was named.
        swaps: what is swapped once everything is out, in order.
        wishes: what is wished for of the cards.
    """

    chosen: tuple[str, ...]
    players: int
    seed: str
    settings: Mapping[str, Setting] = {}
    files: tuple[str, ...] = ()
    game: str = ""
    kingdom: Kingdom = NO_KINGDOM
    swaps: tuple[Swap, ...] = ()
    wishes: Wishes = NO_WISHES


class Game(NamedTuple):
    """Everything that the data files say about one game.

    Attributes:
        name: its short name, as `--game` takes it.
        title: what it is called.
        hash: of the data; it changes whenever they do.
        players: the least and the greatest number of players.
        kinds: by name, what a kind of card is on the table.
        components: by name, the mats, tokens and the like.
        sets: what each set is called, by its slug.
        boxes: by slug; the boxes that one can own, older editions first.
        starting_deck: how many of which card each player begins with.
        options: the open options.
        opening: what setup begins with.
        order: the names of choices in the order in which they are made, among those of the same appetite.
        second_deal: how the Kingdom is replaced in the middle of the game, if it can be.
        endings: the ways in which the game ends.
        last: what is done when everything else has been laid out.
        does: the words for what a card does, each with its explanation.
        about: what is told of a table, heading by heading.
        wishes: by name, ready-made wishes for a deal: all those of a name have to hold.
        cards: every card by its name.
        setup: by name, what each card asks for as soon as it is in use ...
        ruled: ... of which so many, the first ones, are asked for by rules for all cards of its sort.
    """

    name: str
    title: str
    hash: str
    players: tuple[int, int]
    kinds: Mapping[str, Kind]
    components: Mapping[str, Component]
    sets: Mapping[str, str]
    boxes: dict[str, Box]
    starting_deck: Mapping[str, int]
    options: tuple[OpenOption, ...]
    opening: Effects
    order: tuple[SlotName, ...]
    second_deal: SecondDeal | None
    endings: tuple[Ending, ...]
    last: tuple[Step, ...]
    does: Mapping[str, str]
    about: tuple[Heading, ...]
    wishes: Mapping[str, tuple[str, ...]]
    cards: Library
    setup: Mapping[str, Effects]
    rule_effect_counts: Mapping[str, int]

    def __repr__(self) -> str:
        return f"<Game {self.name}, data {self.hash}>"

    # ── Players and options ──

    def player_counts(self) -> range:
        """The numbers of players that the game is for."""
        return range(self.players[0], self.players[1] + 1)

    def check_players(self, count: int) -> None:
        """Refuse to deal to so many players.

        Raises:
            BadOptions: the game is not for that number of players.
        """
        least, most = self.players
        if not least <= count <= most:
            said = "{game} is for {least} to {most} players, not {number}."
            raise BadOptions(said, game=self.title, least=least, most=most, number=count)

    def build_request(
        self,
        chosen: tuple[str, ...],
        players: int,
        seed: str,
        settings: Mapping[str, Setting | None],
        files: Iterable[str] = (),
        name: str = "",
        wishes: Wishes = NO_WISHES,
    ) -> Request:
        """The request for a deal of this game, checked.

        Args:
            chosen: slugs of boxes, or of cards sold by themselves.
            players: how many play.
            seed: any text that fits on a line.
            settings: what was said of the open options; None is nothing.
            files: paths of the user's own files.
            name: the game's name, where it is not the default game.
            wishes: what is wished for of the cards.

        Raises:
            BadOptions: settings contradict each other, or the seed or a path does not fit on a line.
        """
        files = tuple(files)
        for what, text in (("a seed", seed), *(("the name of a file", file) for file in files)):
            if text != escape_control_characters(text):
                said = "{what} has to fit on a line, without control characters: {name}"
                raise BadOptions(said, what=what, name=quote(text))
        if len(seed) > _MAX_SEED_LENGTH:
            raise BadOptions("a seed has at most {most} letters.", most=_MAX_SEED_LENGTH)
        given = {option: value for option, value in settings.items() if value is not None}
        return Request(chosen, players, seed, self.validate_settings(given), files, name, wishes=wishes)

    def validate_settings(self, settings: Settings) -> dict[str, Setting]:
        """The settings without those that say what holds anyway.

        Raises:
            BadOptions: two of them contradict each other.
        """
        kept = dict(settings)
        if kept.get("landscapes_from") == "randomizers":
            del kept["landscapes_from"]
        for option in self.options:
            by = f"{option.name}_by"
            if option.name in kept and by in kept:
                forced = to_flag(option.name if kept[option.name] else f"no_{option.name}")
                said = "{by} looks at a card, but {forced} forces the answer."
                raise BadOptions(said, by=Verbatim(to_flag(by)), forced=Verbatim(forced))
            if option.cards and kept.get(by) == option.cards[0]:
                del kept[by]
            if option.within:
                whole = next(other for other in self.options if other.name == option.within)
                number, most = kept.get(option.name), kept.get(whole.name, whole.default)
                if number is not None and most is not None and int(number) > int(most):
                    part, all_ = (
                        Verbatim(f"{to_flag(option.name)} {number}"),
                        Verbatim(f"{to_flag(whole.name)} {most}"),
                    )
                    raise BadOptions("{part} is more than {whole}.", part=part, whole=all_)
        return kept

    def second_deal_command(self) -> str | None:
        """The name of the command that deals anew, after the card whose moment it is."""
        return slugify(self.second_deal.by) if self.second_deal else None

    # ── Cards ──

    def get_pile_count(self, card: Card) -> Count:
        """How many lie in its pile at the start: of a stock, what the starting decks leave."""
        if not card.stock:
            return card.count_
        dealt = self.starting_deck.get(card.name, 0)
        return Count(tuple((n, card.count_.for_players(n) - n * dealt) for n in self.player_counts()))

    def find_cards(self, chosen: Iterable[str]) -> list[Card]:
        """The cards of the chosen boxes, and those chosen by themselves from a box sold card by card."""
        slugs = set(chosen)
        cards = list(self.cards.in_boxes(slugs))
        singles = slugs.difference(self.boxes)
        if not singles:
            return cards
        sold = self.cards.in_boxes(slug for slug, box in self.boxes.items() if box.singly)
        cards += [card for card in sold if slugify(card.member_of or card.name) in singles]
        return list({card.name: card for card in cards}.values())

    def get_pool(self, chosen: tuple[str, ...], banned: tuple[str, ...] = ()) -> Pool:
        """The cards of the chosen boxes to deal from; kept, because the next deal asks for it again.

        Args:
            chosen: slugs of boxes, or of cards sold by themselves.
            banned: names of cards that nobody deals from.
        """
        key = chosen, banned
        return self.cards.pools.get(key) or get_or_compute(
            self.cards.pools, key, lambda: self._build_pool(*key)
        )

    def _build_pool(self, chosen: tuple[str, ...], banned: tuple[str, ...]) -> Pool:
        return Pool([Slug(slug, self.get_name(slug)) for slug in chosen], self.find_cards(chosen), banned)

    def get_name(self, slug: str) -> str:
        """What a chosen box, or a card sold by itself, is called."""
        return self.boxes[slug].name if slug in self.boxes else self.find_cards([slug])[0].name

    def get_choice_rank(self, choice: Choice) -> tuple[int, int]:
        """In which order choices are made, so that a deck takes no card that a pile still needs."""
        slot = SlotName(choice.slot)
        return choice.priority, self.order.index(slot) if slot in self.order else len(self.order)
