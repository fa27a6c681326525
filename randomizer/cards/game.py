"""Games, which are defined by data files, and requests for deals."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

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
from randomizer.cards.share import parse_share
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadOptions
from randomizer.text.language import Slug, Verbatim, quote
from randomizer.text.slugs import slugify, to_flag

if TYPE_CHECKING:
    from randomizer.cards.condition import Selector, Weight, Wish

_MAX_SEED_LENGTH = 500


class SecondDeal(NamedTuple):
    """A second deal, which replaces the Kingdom during the game (setup rules A53).

    Attributes:
        by: the card that triggers the second deal when the last token on it is removed.
        leaves: the part of the table whose piles are returned to their boxes.
        opening: the effects that deal the new cards.
        without: the verbs that are skipped in the second deal.
        marked: the template of a note for each mark `{mark}` on a pile `{on}` that is returned to its box.
    """

    by: CardName
    leaves: Literal["kingdom"]
    opening: Effects
    without: tuple[str, ...] = ()
    marked: str = ""


class Wishes(NamedTuple):
    """The wishes for a deal.

    Attributes:
        cards: the names of cards that must be turned up and used.
        bans: the selectors for cards that must not be dealt.
        wants: the limits on numbers of matching cards.
        weights: the factors for the probability of matching cards.
        box_count: the number of chosen boxes to pick at random; 0 means all of them.
    """

    cards: tuple[str, ...] = ()
    bans: "tuple[Selector, ...]" = ()
    wants: "tuple[Wish, ...]" = ()
    weights: "tuple[Weight, ...]" = ()
    box_count: int = 0

    def __bool__(self) -> bool:
        """Return whether there are any wishes."""
        return any(self)

    def to_options(self) -> Mapping[str, Sequence[str] | int]:
        """Return the wishes as the values of command-line options, by the name of the option without dashes.

        The values are canonical: they are the same in every language, and can be parsed again. Options
        without a value are left out.
        """
        options: dict[str, Sequence[str] | int] = {
            "with": list(map(slugify, self.cards)),
            "without": [ban.text for ban in self.bans],
            "want": [wish.text for wish in self.wants],
            "weight": [weight.text for weight in self.weights],
            "of": self.box_count,
        }
        return {option: value for option, value in options.items() if value}


NO_WISHES = Wishes()


MAX_COPIES = 20  # maximum number of copies of a box


class Series(NamedTuple):
    """A series of tables that use the same boxes at the same time, and the position of a table in it.

    Attributes:
        number: the number of the table, from 1. It uses what the tables with lower numbers leave.
        table_count: the number of tables.
        copies: the slug of each box of which there is a given number of copies, and that number.
    """

    number: int
    table_count: int
    copies: tuple[tuple[str, int], ...] = ()


class Request(NamedTuple):
    """A request for a deal: boxes, players, seed and options.

    Attributes:
        chosen: the slugs of the chosen boxes, and of chosen cards that are sold separately.
        players: the number of players.
        seed: any text; the same seed gives the same table.
        settings: the values of options that differ from the default.
        files: the paths of the user's own data files.
        game: the name of the game; empty for the default game.
        kingdom: the cards that the user specifies; they are laid out instead of randomly drawn ones.
        swaps: the cards to swap after the deal, in order.
        wishes: the wishes for the cards that are turned up.
        veto_count: the number of extra Kingdom cards, and the maximum number of vetoes.
        vetoed: the names of the vetoed cards; None until the players have voted.
        series: the series of tables to which the table belongs; None if it does not share its boxes. The seed
            of such a table is that of the series, followed by a hyphen and the number of the table.
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
    veto_count: int = 0
    vetoed: tuple[str, ...] | None = None
    series: Series | None = None

    @property
    def is_veto_open(self) -> bool:
        """Whether the players still have to veto cards."""
        return self.veto_count > 0 and self.vetoed is None

    @property
    def typed_seed(self) -> str:
        """The seed as the user types it. For a table of a series, this is the seed of the series."""
        return self.seed.removesuffix(f"-{self.series.number}") if self.series else self.seed

    def for_table(self, number: int) -> "Request":
        """Return the request for a table of the same series, without swaps and vetoes.

        Args:
            number: the number of the table.
        """
        return self._replace(
            seed=f"{self.typed_seed}-{number}",
            series=self.series and self.series._replace(number=number),
            swaps=(),
            vetoed=None,
        )


class Game(NamedTuple):
    """A game that is defined by data files.

    Attributes:
        name: the short name, as used with `--game`.
        title: the full name.
        hash: a hash of the data files.
        players: the minimum and the maximum number of players.
        kinds: the kinds of cards, by name.
        components: the mats, tokens and other components, by name.
        sets: the names of the sets, by slug.
        boxes: the boxes, by slug; older editions first.
        starting_deck: the number of copies of each card in a player's starting deck, by card name.
        options: the options that the rules leave to the players.
        opening: the effects with which setup begins.
        order: the names of choices. Choices of equal priority are made in this order.
        second_deal: the second deal; None if no card replaces the Kingdom during the game.
        endings: the ways in which the game ends.
        last: the steps to take after everything has been laid out.
        does: the explanations of ability tags, such as `village` or `draw`, by tag.
        about: the headings of the overview of a table's cards.
        wishes: the predefined wishes by name. A name can stand for several wishes, all of which must be met.
        cards: the cards by name.
        setup: the effects that each card has on setup once it is in use, by card name.
        effect_count_by_rule: the number of effects at the start of a card's list in `setup` that come from
            rules for several cards, by card name.
        replaced: the names of the cards that the user's own files replace by their own versions.
        also: other names of the game, in any language.
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
    effect_count_by_rule: Mapping[str, int]
    replaced: tuple[CardName, ...] = ()
    also: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Game {self.name}, data {self.hash}>"

    # ── Players and options ──

    def player_counts(self) -> range:
        """Return the supported numbers of players."""
        return range(self.players[0], self.players[1] + 1)

    def check_players(self, count: int) -> None:
        """Check that the game supports this number of players.

        Raises:
            BadOptions: the number of players is out of range.
        """
        min_players, max_players = self.players
        if not min_players <= count <= max_players:
            template = "{game} is for {least} to {most} players, not {number}."
            raise BadOptions(template, game=self.title, least=min_players, most=max_players, number=count)

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
        """Create a request for a deal of this game from checked options.

        Args:
            chosen: the slugs of boxes, or of cards that are sold separately.
            players: the number of players.
            seed: any text without control characters.
            settings: the values of options; None means the default.
            files: the paths of the user's own data files.
            name: the name of the game; empty for the default game.
            wishes: the wishes for the cards that are turned up.

        Raises:
            BadOptions: settings conflict, the seed is too long, or a text contains control characters.
        """
        files = tuple(files)
        for what, text in (("a seed", seed), *(("the name of a file", file) for file in files)):
            if text != escape_control_characters(text):
                template = "{what} must be a single line without control characters: {name}"
                raise BadOptions(template, what=what, name=quote(text))
        if len(seed) > _MAX_SEED_LENGTH:
            raise BadOptions("a seed can have at most {most} characters.", most=_MAX_SEED_LENGTH)
        given = {option: value for option, value in settings.items() if value is not None}
        return Request(chosen, players, seed, self.validate_settings(given), files, name, wishes=wishes)

    def validate_settings(self, settings: Settings) -> dict[str, Setting]:
        """Check the settings, and return those that differ from the default.

        Raises:
            BadOptions: two settings conflict.
        """
        checked = dict(settings)
        if checked.get("landscapes_from") == "randomizers":
            del checked["landscapes_from"]
        for option in self.options:
            by = f"{option.name}_by"
            if option.name in checked and by in checked:
                forced = to_flag(option.name if checked[option.name] else f"no_{option.name}")
                template = "use either {forced} or {by}, not both."
                raise BadOptions(template, by=Verbatim(to_flag(by)), forced=Verbatim(forced))
            if option.cards and checked.get(by) == option.cards[0]:
                del checked[by]
            elif parse_share(checked.get(by)):
                checked[by] = str(parse_share(checked[by]))
            if option.within:
                total = next(other for other in self.options if other.name == option.within)
                number, limit = checked.get(option.name), checked.get(total.name, total.default)
                if number is not None and limit is not None and int(number) > int(limit):
                    part = Verbatim(f"{to_flag(option.name)} {number}")
                    whole = Verbatim(f"{to_flag(total.name)} {limit}")
                    raise BadOptions("{part} can't be more than {whole}.", part=part, whole=whole)
        return checked

    def second_deal_command(self) -> str | None:
        """Return the name of the command that replaces the Kingdom during the game, such as `divine-wind`."""
        return slugify(self.second_deal.by) if self.second_deal else None

    # ── Cards ──

    def get_pile_count(self, card: Card) -> Count:
        """Return the number of cards in a pile at the start of the game, by number of players.

        If starting decks are taken from the pile, their cards are not counted.
        """
        if not card.stock:
            return card.count_
        per_player = self.starting_deck.get(card.name, 0)
        return Count(tuple((n, card.count_.for_players(n) - n * per_player) for n in self.player_counts()))

    def find_cards(self, chosen: Iterable[str]) -> list[Card]:
        """Return the cards in the chosen boxes, and the chosen cards that are sold separately."""
        slugs = set(chosen)
        cards = list(self.cards.in_boxes(slugs))
        singles = slugs.difference(self.boxes)
        if not singles:
            return cards
        separate_cards = self.cards.in_boxes(slug for slug, box in self.boxes.items() if box.singly)
        cards += [card for card in separate_cards if slugify(card.member_of or card.name) in singles]
        return list({card.name: card for card in cards}.values())

    def get_pool(self, chosen: tuple[str, ...], banned: tuple[str, ...] = ()) -> Pool:
        """Return the pool of cards in the chosen boxes, from the cache if possible.

        Args:
            chosen: the slugs of boxes, or of cards that are sold separately.
            banned: the names of cards that may not be dealt.
        """
        key = chosen, banned
        return self.cards.pools.get(key) or get_or_compute(
            self.cards.pools, key, lambda: self._build_pool(*key)
        )

    def _build_pool(self, chosen: tuple[str, ...], banned: tuple[str, ...]) -> Pool:
        return Pool([Slug(slug, self.get_name(slug)) for slug in chosen], self.find_cards(chosen), banned)

    def get_name(self, slug: str) -> str:
        """Return the name of a box, or of a card that is sold separately."""
        return self.boxes[slug].name if slug in self.boxes else self.find_cards([slug])[0].name

    def get_choice_rank(self, choice: Choice) -> tuple[int, int]:
        """Return the sort key of a choice: its priority, then its position in the game's `order`."""
        slot = SlotName(choice.slot)
        return choice.priority, self.order.index(slot) if slot in self.order else len(self.order)
