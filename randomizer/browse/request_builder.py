"""Makes a request of what people type who deal, be it after a command or on a page.

It also knows which options are not asked for together.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.cards.effect import Setting
from randomizer.cards.game import NO_WISHES, Game, Request, Wishes
from randomizer.cards.kingdom import Swap
from randomizer.text.language import Message, Verbatim, message

if TYPE_CHECKING:
    from randomizer.cards.model import Named
    from randomizer.load.kingdoms import SuggestedKingdom
    from randomizer.text.language import Language


class DealOptions(NamedTuple):
    """What is typed for a deal, by the options that say it; all of it but the boxes as it was typed.

    Attributes:
        chosen: slugs of the boxes, as `resolve` finds them ...
        at_hand: ... which are those that somebody has; else a named kingdom is dealt from those it needs.
        players: how many play.
        settings: what is said of the open options; None is nothing.
        files: paths of the user's own data files.
        game: the game's name, where it is not the default game.
        of: of the boxes so many are drawn first; 0 is all of them.
        fresh: how many played games to look back for what is left out.
        kingdom: a list in any form, the name of a suggested kingdom, or `any`; None is no kingdom.
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


class RequestBuilder:
    """Makes requests, and notes what there is to tell of the last one besides.

    Args:
        game: what is dealt.
        languages: in which sets, types, kinds and words may be called as they are shown.
        named: what each of them calls the cards, asked for only where names are typed.
        own: the wishes that the user has given names, as `defaults.read` has them.

    Attributes:
        left_out: how many cards were in the last games, of those that the boxes hold; None if nobody asked.
        faults: what is wrong with the user's own wishes, a line each.
        drawn: the suggested kingdom that chance has taken.
        needed: slugs of the boxes that a named kingdom needs, where nobody said which are at hand.
    """

    def __init__(
        self,
        game: Game,
        languages: "Sequence[Language]",
        named: "Callable[[], Iterable[Mapping[str, Named]]]",
        own: Mapping[str, Sequence[str]],
    ) -> None:
        self._game, self._languages, self._named, self._own = game, languages, named, own
        self.excluded_card_count: int | None = None
        self.faults: Sequence[Message] = ()
        self.drawn_kingdom: SuggestedKingdom | None = None
        self.needed_boxes: tuple[str, ...] = ()

    def build(self, wanted: DealOptions, seed: str) -> Request:
        """What is asked for, in words that everybody understands, and not only the user.

        Args:
            wanted: what somebody typed.
            seed: any text that fits on a line.

        Raises:
            Problem: something that is typed cannot be read, or does not go with the rest; says what.
        """
        if wanted.recent_game_count:
            wanted = wanted._replace(without=[*wanted.without, *self._played_of_late(wanted)])
        request = self._game.build_request(
            wanted.chosen,
            wanted.players,
            seed,
            wanted.settings,
            wanted.files,
            wanted.game,
            self._wishes(wanted),
        )
        if wanted.kingdom is not None:
            request = self._with_kingdom(wanted.kingdom, request, at_hand=wanted.boxes_are_given)
        return request._replace(swaps=self.parse_swaps(wanted.swaps))

    def parse_swaps(self, words: Sequence[str]) -> tuple[Swap, ...]:
        """The swaps that were typed: `CARD`, or `CARD=CARD`.

        Raises:
            UnknownName: no card is called so.
        """
        if not words:
            return ()
        from randomizer.browse.kingdoms import parse_swaps  # most deals name no card, and start the sooner

        return parse_swaps(words, self._game, self._languages, self._named())

    def _played_of_late(self, wanted: DealOptions) -> list[str]:
        """Selectors of the cards that were in the last games, of those that the boxes hold.

        The request names these and not the number: the history is one's own and goes on, while a document and
        its command are to deal the same table for everybody, for ever.
        """
        from randomizer.memory.played_games import get_recent_cards
        from randomizer.text.slugs import slugify

        held = {card.name for card in self._game.find_cards(wanted.chosen)}
        names = [name for name in get_recent_cards(wanted.recent_game_count, self._game.name) if name in held]
        self.excluded_card_count = len(names)
        return [f"card:{slugify(name)}" for name in names]

    def _wishes(self, wanted: DealOptions) -> Wishes:
        """What is wished for.

        Raises:
            BadSelector, UnknownName, BadOptions: a wish cannot be read.
        """
        texts = (wanted.with_, wanted.without, wanted.want, wanted.weight)
        if not any(texts):
            return NO_WISHES._replace(box_count=wanted.box_count)
        from randomizer.cards.selector import SelectorParser
        from randomizer.cards.wish import canonicalize_wishes, parse_named_wishes, parse_options

        words = SelectorParser(self._game, self._languages, self._named())
        own, self.faults = parse_named_wishes(words, self._own if wanted.want else {})
        return canonicalize_wishes(self._game, parse_options(words, *texts, own=own), wanted.box_count)

    def _with_kingdom(self, text: str, request: Request, *, at_hand: bool) -> Request:
        """The request with the kingdom that was named; what it does not answer is left to the ten it has."""
        from randomizer.browse.kingdoms import add_kingdom
        from randomizer.browse.suggestions import draw_kingdom

        if is_random_kingdom(text):
            self.drawn_kingdom = draw_kingdom(self._game, request)
            named = f"kingdom:{self.drawn_kingdom.id}"
            return add_kingdom(request, named, self._game, self._languages, (), at_hand=True)
        asked = add_kingdom(request, text, self._game, self._languages, self._named(), at_hand=at_hand)
        self.needed_boxes = () if at_hand else asked.chosen
        return asked


def is_random_kingdom(kingdom: str | None) -> bool:
    """Whether chance is to say which suggested kingdom is laid out."""
    return kingdom is not None and kingdom.strip().casefold() == "any"


# ── Options that are not asked for together, because one of them would do nothing ──


class OptionConflict(NamedTuple):
    """Options that are not typed together.

    Attributes:
        flag, value: an option, and the value with which it clashes.
        others: the options of which none goes with that.
        why: the reason, and what to do.
    """

    flag: str
    value: Any
    others: Sequence[str]
    reason: Message


DEAL_CONFLICTS = (
    OptionConflict(
        "--kingdom",
        "any",
        ("--with", "--want", "--weight", "--of"),
        message("chance takes a whole one as it is; `dominion-setup kingdoms` finds those with a card"),
    ),
)


def find_conflict(typed: Mapping[str, Any], clashes: Iterable[OptionConflict]) -> Message | None:
    """What does not go together of the options that are typed, and why; None if all of it does.

    Args:
        typed: by its flag, what each option says.
        clashes: which there may be.
    """
    for clash in clashes:
        if typed.get(clash.flag) == clash.value:
            said = clash.flag if clash.value is True else f"{clash.flag} {clash.value}"
            for other in clash.others:
                if other in typed:
                    together = "{option} and {other} do not go together: {why}."
                    return message(together, option=Verbatim(said), other=Verbatim(other), why=clash.reason)
    return None
