"""Builds requests from the options of a deal, and finds conflicts between options.

The command line and the web pages both use this module.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.cards.effect import Setting
from randomizer.cards.game import NO_WISHES, Game, Request, Series, Wishes
from randomizer.cards.kingdom import MAX_VETOES, NO_VETOES, Swap
from randomizer.text.errors import BadOptions
from randomizer.text.language import Message, Verbatim, message
from randomizer.text.slugs import split_at_commas

if TYPE_CHECKING:
    from randomizer.browse.vocabulary import KingdomVocabulary
    from randomizer.cards.model import Named
    from randomizer.load.kingdoms import SuggestedKingdom
    from randomizer.text.language import Language


class DealOptions(NamedTuple):
    """The options of a deal. Except for the boxes, they are as the user typed them.

    Attributes:
        chosen: slugs of the boxes, from `resolve_boxes`.
        boxes_are_given: whether the user named these boxes. If not, a given kingdom uses the boxes it needs.
        players: number of players.
        settings: values of the game's own options, by name; None for an option that is not given.
        files: paths of the user's own data files.
        game: name of the game; empty for the default game.
        with_: names of cards to include.
        without: selectors of cards to exclude.
        want: wishes, such as `attack=2`.
        weight: weights of cards, such as `attack=0.5`.
        box_count: number of boxes to draw at random before the cards are drawn; 0 to use all of them.
        recent_game_count: number of most recently played games whose cards are excluded.
        kingdom: a list of cards in any form, the name of a suggested kingdom, or `any`; None for a random
            deal.
        swaps: cards to swap, as `CARD` or `CARD=CARD`.
        like: name of a favourite or suggested kingdom whose abilities the dealt cards should have; empty if
            there is none.
        veto_count: number of extra Kingdom cards, and maximum number of vetoes.
        vetoed: names of the vetoed cards, or `nothing`; empty as long as the veto is open.
        table_count: number of tables to deal; 0 for a single table.
        table_number: number of the only table to deal of these; 0 to deal all of them.
        is_apart: whether these tables use the boxes at the same time.
        copies: numbers of copies of boxes, such as `base=2`.
    """

    chosen: tuple[str, ...]
    boxes_are_given: bool
    players: int
    settings: Mapping[str, Setting | None] = {}
    files: Sequence[str] = ()
    game: str = ""
    with_: Sequence[str] = ()
    without: Sequence[str] = ()
    want: Sequence[str] = ()
    weight: Sequence[str] = ()
    box_count: int = 0
    recent_game_count: int = 0
    kingdom: str | None = None
    swaps: Sequence[str] = ()
    like: str = ""
    veto_count: int = 0
    vetoed: Sequence[str] = ()
    table_count: int = 0
    table_number: int = 0
    is_apart: bool = False
    copies: Sequence[str] = ()


class RequestBuilder:
    """A builder of requests. Its attributes describe the most recently built request.

    Args:
        game: the game.
        languages: the languages in which sets, types, kinds and abilities may be named.
        card_names: the names of the cards in each of these languages.
        named_wishes: the user's own wishes, not yet parsed, by name.

    Attributes:
        excluded_card_count: number of recently played cards that were excluded; None if not requested.
        faults: problems with the user's own wishes.
        drawn_kingdom: the suggested kingdom that was drawn at random.
        needed_boxes: slugs of the boxes that a named kingdom needs, if the user named no boxes.
    """

    def __init__(
        self,
        game: Game,
        languages: "Sequence[Language]",
        card_names: "Collection[Mapping[str, Named]]",
        named_wishes: Mapping[str, Sequence[str]],
    ) -> None:
        self._game, self._languages = game, languages
        self._card_names, self._named_wishes = card_names, named_wishes
        self.excluded_card_count: int | None = None
        self.faults: Sequence[Message] = ()
        self.drawn_kingdom: SuggestedKingdom | None = None
        self.needed_boxes: tuple[str, ...] = ()

    def build(self, options: DealOptions, seed: str) -> Request:
        """Build a request. The result does not depend on the user's language.

        Args:
            options: the options of the deal.
            seed: any string without line breaks. Several tables have this seed followed by a hyphen and their
                number. The result has the number of the only table to deal. If all tables are dealt, it has
                the number 1 if they use the boxes at the same time, and otherwise none.

        Raises:
            Problem: an option is invalid, or options conflict.
        """
        _check_series_options(options)
        if options.table_number or options.is_apart:
            seed = f"{seed}-{options.table_number or 1}"
        if options.recent_game_count:
            options = options._replace(without=[*options.without, *self._select_recent_cards(options)])
        request = self._game.build_request(
            options.chosen,
            options.players,
            seed,
            options.settings,
            options.files,
            options.game,
            self._parse_wishes(options),
        )
        if options.like:
            # Most deals do not need this module.
            from randomizer.browse.likeness import build_likeness_wishes

            want = [*options.want, *build_likeness_wishes(options.like, self._game, request)]
            request = request._replace(wishes=self._parse_wishes(options._replace(want=want)))
        if options.kingdom is not None:
            request = self._add_kingdom(options.kingdom, request, options)
        _check_veto_options(options)
        return request._replace(
            swaps=self.parse_swaps(options.swaps),
            veto_count=options.veto_count,
            vetoed=self.parse_vetoes(options.vetoed),
            series=self._build_series(options) if options.is_apart else None,
        )

    def _build_series(self, options: DealOptions) -> Series:
        """Build the series to which the table belongs.

        Raises:
            Problem: `--copies` is invalid.
        """
        from randomizer.browse.boxes import parse_copies  # Most deals do not need this module.

        copies = tuple(parse_copies(options.copies, self._game).items())
        return Series(options.table_number or 1, options.table_count, copies)

    def parse_swaps(self, swaps: Sequence[str]) -> tuple[Swap, ...]:
        """Parse swaps. Each is `CARD`, or `CARD=CARD` with the replacement after the equals sign.

        Raises:
            UnknownName: a card is unknown.
        """
        if not swaps:
            return ()
        from randomizer.browse.kingdoms import parse_swaps  # Most deals do not need this module.

        return parse_swaps(swaps, self._create_vocabulary())

    def parse_vetoes(self, vetoes: Sequence[str]) -> tuple[str, ...] | None:
        """Parse the names of vetoed cards, or the word `nothing`; return None if there are none yet.

        Raises:
            UnknownName: a card is unknown.
        """
        names = split_at_commas(vetoes)
        if not names or [name.casefold() for name in names] == [NO_VETOES]:
            return () if names else None
        from randomizer.browse.kingdoms import find_piles  # Most deals do not need this module.

        return find_piles(names, self._create_vocabulary())

    def _create_vocabulary(self) -> "KingdomVocabulary":
        """Create the index of the game's names in all languages.

        Raises:
            BadOptions: this game has no Kingdom.
        """
        from randomizer.browse.vocabulary import KingdomVocabulary  # Most deals do not need this module.

        return KingdomVocabulary(self._game, self._languages, self._card_names)

    def _select_recent_cards(self, options: DealOptions) -> list[str]:
        """Return selectors for the cards of recently played games that are in the chosen boxes.

        The request lists the cards instead of the number of games, because the command in a document must
        always deal the same table, although the history changes.
        """
        from randomizer.memory.played_games import get_recent_cards
        from randomizer.text.slugs import slugify

        available = {card.name for card in self._game.find_cards(options.chosen)}
        names = [
            name for name in get_recent_cards(options.recent_game_count, self._game.name) if name in available
        ]
        self.excluded_card_count = len(names)
        return [f"card:{slugify(name)}" for name in names]

    def _parse_wishes(self, options: DealOptions) -> Wishes:
        """Parse the options `--with`, `--without`, `--want`, `--weight` and `--of`.

        Raises:
            BadSelector, UnknownName, BadOptions: a wish is invalid.
        """
        wish_lists = (options.with_, options.without, options.want, options.weight)
        if not any(wish_lists):
            return NO_WISHES._replace(box_count=options.box_count)
        from randomizer.cards.selector import SelectorParser
        from randomizer.cards.wish import parse_named_wishes, parse_wishes

        parser = SelectorParser(self._game, self._languages, self._card_names)
        named_wishes, self.faults = parse_named_wishes(parser, self._named_wishes if options.want else {})
        return parse_wishes(parser, *wish_lists, box_count=options.box_count, own_wishes=named_wishes)

    def _add_kingdom(self, text: str, request: Request, options: DealOptions) -> Request:
        """Add a named or random kingdom to a request."""
        from randomizer.browse.kingdoms import add_kingdom
        from randomizer.browse.suggestions import draw_kingdom

        if is_random_kingdom(text):
            self.drawn_kingdom = draw_kingdom(self._game, request)
            text = f"kingdom:{self.drawn_kingdom.id}"
        boxes_are_given = options.boxes_are_given or self.drawn_kingdom is not None
        request = add_kingdom(
            request,
            text,
            self._game,
            self._languages,
            self._card_names,
            settings=options.settings,
            boxes_are_given=boxes_are_given,
        )
        self.needed_boxes = () if boxes_are_given else request.chosen
        return request


def _check_veto_options(options: DealOptions) -> None:
    """Check the options `--veto` and `--vetoed`.

    Raises:
        BadOptions: there are too many extra cards, or the options cannot be combined.
    """
    if options.veto_count > MAX_VETOES:
        raise BadOptions("--veto must be a whole number from 0 to {most}.", most=MAX_VETOES)
    if options.vetoed and not options.veto_count:
        raise BadOptions("--vetoed needs --veto N, the number of extra cards.")
    if options.veto_count and options.kingdom is not None:
        raise BadOptions("--veto can't be combined with --kingdom: only cards dealt at random can be vetoed.")


def _check_series_options(options: DealOptions) -> None:
    """Check the options `--count`, `--table`, `--apart` and `--copies`.

    Raises:
        BadOptions: an option lacks another one that it needs, the table is not one of the tables, or cards
            are named that all tables would have to use.
    """
    count, number = options.table_count, options.table_number
    if options.is_apart and not count:
        raise BadOptions("--apart needs --count: it concerns several kingdoms.")
    if number and not count:
        raise BadOptions("--table needs --count, the number of tables.")
    if number > count:
        raise BadOptions("--table {number} is not one of the {count} tables.", number=number, count=count)
    if options.copies and not options.is_apart:
        raise BadOptions("--copies needs --apart: only tables that share the boxes can use them up.")
    is_swapped = options.swaps and not number
    if options.is_apart and count > 1 and (options.with_ or is_swapped or options.kingdom is not None):
        raise BadOptions(
            "--apart can't be combined with --with, --kingdom or --swap: each card is used only once."
        )


def is_random_kingdom(kingdom: str | None) -> bool:
    """Return whether the value of `--kingdom` requests a random suggested kingdom."""
    return kingdom is not None and kingdom.strip().casefold() == "any"


# ── Conflicts between options ──


_LIST_REASON = message("it is a plain list of names in a fixed order")
# Maps an option and its value to the options that can't be combined with it, and the reason.
_CONFLICTS: Mapping[tuple[str, Any], tuple[Sequence[str], Message]] = {
    ("--kingdom", "any"): (
        ("--with", "--want", "--weight", "--of", "--like"),
        message(
            "it uses a random recommended kingdom unchanged; to find one with a certain card, use "
            "`dominion-setup kingdoms`"
        ),
    ),
    ("--keep", True): (
        ("--count",),
        message("with several kingdoms, there is no single setup to remember"),
    ),
    ("--format", "names"): (("--about", "--sort"), _LIST_REASON),
    ("--format", "online"): (("--about", "--sort"), _LIST_REASON),
}


def find_conflict(values: Mapping[str, Any]) -> Message | None:
    """Return a message about the first conflict, or None if the options can be combined.

    Args:
        values: the value of each option in use, by its flag.
    """
    for (flag, value), (others, reason) in _CONFLICTS.items():
        if values.get(flag) == value and (other := next(filter(values.__contains__, others), None)):
            option = flag if value is True else f"{flag} {value}"
            return message(
                "{other} can't be combined with {option}: {why}.",
                option=Verbatim(option),
                other=Verbatim(other),
                why=reason,
            )
    return None
