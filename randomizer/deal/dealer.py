"""The dealer, which lays out a table: it applies the opening, and then the effects of all cards in use.

A second deal replaces the Kingdom during the game, if a card requires it.
"""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from randomizer.cards.effect import Effect, Effects
from randomizer.cards.game import Game, Request, SecondDeal
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom
from randomizer.cards.model import Amount, Card
from randomizer.cards.pool import Pool
from randomizer.deal.decorating import filter_notes
from randomizer.deal.growing import TurnUp, find_turn_up
from randomizer.deal.table import Decision, Table, TableNote, TurnedRandomizer
from randomizer.deal.unused import RandomSource, UnusedCards
from randomizer.deal.verbs import VERBS
from randomizer.text.errors import BadOptions, ExceededBound
from randomizer.text.language import Language, Message, Verbatim, join_with_and

# Attempts to deal a table on which no choice exceeds the upper bound of a wish; usually, one is enough
_MAX_ATTEMPTS = 100
_ATTEMPT_SEPARATOR = "\0attempt "


def deal_table(game: Game, request: Request, stacked: Mapping[str, Sequence[str]] = {}) -> Table:
    """Deal a table.

    Args:
        game: the game to deal.
        request: the options of the deal.
        stacked: for each question (such as `randomizers` or `Bane`), the names of the cards that come up
            first.

    Raises:
        TooFewCards: the chosen boxes do not contain enough Kingdom cards or landscapes.
        BadOptions: the number of players is out of range, or no deal can meet the wishes.
    """

    def deal(seed: str) -> Table:
        dealer = Dealer(game, *prepare_draws(game, request._replace(seed=seed), stacked))
        dealer.run_opening(game.opening)
        dealer.apply_remaining_effects()
        return dealer.table

    return _retry(deal, request.seed)


def prepare_draws(
    game: Game, request: Request, stacked: Mapping[str, Sequence[str]]
) -> "tuple[Request, DrawSource]":
    """Prepare a deal: draw boxes if the request asks for that, and draw the cards that must meet wishes.

    Returns:
        The request with the drawn boxes, and the source of the cards.
    """
    request, pool = _draw_boxes(game, request)
    predetermined = _predetermine(game, request) if request.wishes else {}
    return request, DrawSource(request.seed, pool, stacked, predetermined)


def _retry(deal: Callable[[str], Table], seed: str) -> Table:
    """Return the first table on which every choice has found a card that does not exceed an upper bound.

    Args:
        deal: a function that deals a table with a seed.
        seed: the seed of the first attempt. Those of further attempts are derived from it.

    Raises:
        ExceededBound: no attempt was successful.
    """
    for attempt in range(1, _MAX_ATTEMPTS):
        try:
            return deal(seed)
        except ExceededBound:
            seed = f"{seed.partition(_ATTEMPT_SEPARATOR)[0]}{_ATTEMPT_SEPARATOR}{attempt}"
    return deal(seed)


class KeptTable(NamedTuple):
    """The part of a table that is kept when the rest is dealt again, for example after a swap.

    Attributes:
        kingdom: the cards on the table that were drawn or named, except the removed ones.
        decisions: the answers to the setup questions, by the name of the question.
        skipped: the randomizers that were turned up but not used.
        removed: the names of the removed cards, which must not be dealt again.
        messages: messages about the changes, for the players.
    """

    kingdom: Kingdom
    decisions: Mapping[str, Decision] = {}
    skipped: tuple[TurnedRandomizer, ...] = ()
    removed: frozenset[str] = frozenset()
    messages: tuple[Message, ...] = ()


def deal_kept_table(game: Game, request: Request, kept: KeptTable) -> Table:
    """Lay out the kept part of a table, and deal the missing cards.

    Args:
        game: the game to deal.
        request: the options of the original table.
        kept: the kept part of that table.

    Raises:
        TooFewCards: the chosen boxes do not contain enough cards.
    """
    drawn, pool = _draw_boxes(game, request)
    kept_request = drawn._replace(kingdom=kept.kingdom)
    dealer = Dealer(game, kept_request, DrawSource(drawn.seed, pool), Exclusions(removed=kept.removed))
    table = dealer.table
    table.kept_decisions = kept.decisions
    dealer.run_opening(game.opening)
    table.turned_up += (turned.card for turned in kept.skipped)
    table.skipped |= {turned.card.name: turned.skip_reason for turned in kept.skipped if turned.skip_reason}
    table.unusual_messages += kept.messages
    dealer.apply_remaining_effects()
    chosen = kept.kingdom.chosen
    needed = {question: names for question, names in chosen.items() if question in table.slots}
    if len(needed) < len(chosen):  # The cards for a choice that is no longer made become available again.
        return deal_kept_table(game, request, kept._replace(kingdom=kept.kingdom._replace(chosen=needed)))
    return table


class PreviousTable(NamedTuple):
    """The table before a second deal.

    Attributes:
        in_use: the names of the cards in use, in the order in which they came into use. They are not drawn
            again.
        stays: the names of the cards and components that stay on the table and are not laid out again.
        piles: the place of each pile that stays, by the name of the pile.
        decks: the names of the face-down cards of each deck that stays, by the name of the deck.
        slots: the names of those chosen cards that stay, by the name of the choice. These choices are not
            made again.
    """

    in_use: Sequence[str]
    stays: Sequence[str]
    piles: Mapping[str, str]
    decks: Mapping[str, Sequence[str]]
    slots: Mapping[str, Sequence[str]]


def deal_second_table(
    game: Game, request: Request, previous: PreviousTable, stacked: Mapping[str, Sequence[str]] = {}
) -> Table:
    """Deal a Kingdom that replaces the first one. The rest of the table stays.

    Args:
        game: the game to deal.
        request: the options of the first deal.
        previous: the table of the first deal. Names that are not card names are ignored.
        stacked: for each question (such as `randomizers` or `Bane`), the names of the cards that come up
            first.

    Returns:
        A table with the new cards and components. Those that stay are included only in `piles` and `slots`.

    Raises:
        BadOptions: the game has no second deal.
        TooFewCards: too few Kingdom cards are left.
    """
    second_deal = game.second_deal
    if second_deal is None:
        raise BadOptions("{game} has no card that replaces the Kingdom during the game.", game=game.title)
    dropped: list[str] = []
    while True:
        deal = partial(_deal_second_table, game, request, second_deal, previous, stacked, dropped)
        try:
            return _retry(deal, f"{request.seed}\0{second_deal.by}")
        except ExceededBound as problem:
            dropped.append(problem.wish)
            wants = tuple(wish for wish in request.wishes.wants if wish.text != problem.wish)
            request = request._replace(wishes=request.wishes._replace(wants=wants))


def _deal_second_table(
    game: Game,
    request: Request,
    second_deal: SecondDeal,
    previous: PreviousTable,
    stacked: Mapping[str, Sequence[str]],
    dropped: Sequence[str],
    seed: str,
) -> Table:
    """Try to deal a Kingdom that replaces the first one.

    Args:
        game: the game to deal.
        request: the options of the first deal.
        second_deal: the second deal of the game.
        previous: the table of the first deal.
        stacked: for each question, the names of the cards that come up first.
        dropped: the wishes, as strings, that are no longer in the request because they can't be met.
        seed: the seed.

    Raises:
        ExceededBound: every card for a choice exceeds the upper bound of a wish.
        TooFewCards: too few Kingdom cards are left.
    """
    request, pool = _draw_boxes(game, request)
    predetermined, unmet = _predetermine_second_deal(game, request, second_deal, previous, seed)
    exclusions = Exclusions(
        on_table={*previous.in_use, *previous.stays},
        removed=request.vetoed or (),
        verbs=[VERBS[word] for word in second_deal.without],
        effects=_find_finished_effects(game, previous),
    )
    wants = tuple(wish for wish in request.wishes.wants if wish.text not in unmet)
    second_request = request._replace(kingdom=NO_KINGDOM, wishes=request.wishes._replace(wants=wants))
    dealer = Dealer(game, second_request, DrawSource(seed, pool, stacked, predetermined), exclusions)
    table, cards = dealer.table, game.cards
    if unmet or dropped:
        text = ", ".join((*dropped, *unmet))
        unmet_message = Message("The remaining cards can't meet these wishes: {text}", (("text", text),))
        table.notes.append(TableNote(unmet_message))
    table.slots.update((slot, list(names)) for slot, names in previous.slots.items())
    table.register_existing(previous.piles)
    for deck, names in previous.decks.items():
        table.existing_decks[deck] = [cards[name] for name in names if name in cards]
    dealer.run_opening(second_deal.opening)
    dealer.apply_remaining_effects()
    return table


def _find_finished_effects(game: Game, previous: PreviousTable) -> set[Effect]:
    """Return the effects that a second deal does not apply again, because they occur only once per game.

    These come from the data's rules for several cards. Other effects from such rules need no exclusion:
    either their result is already on the table, or they had no result in the first deal and may have one now.
    """
    return {
        effect
        for name in previous.in_use
        for effect in game.setup.get(name, ())[: game.effect_count_by_rule.get(name, 0)]
        if effect.is_once_per_game
    }


# ── Wishes: their modules are imported only if there are wishes, so that other deals start faster ──


def _draw_boxes(game: Game, request: Request) -> tuple[Request, Pool]:
    """Draw boxes if the request asks for that.

    Returns:
        The request with the drawn boxes, and the pool of their cards without banned ones.
    """
    if not request.wishes:
        return request, game.get_pool(request.chosen)
    from randomizer.deal.wishes.bans import build_pool
    from randomizer.deal.wishes.boxes import draw_boxes

    request = draw_boxes(game, request, find_turn_up(game.opening), create_random_sources(request.seed))
    return request, build_pool(game, request)


def _predetermine(game: Game, request: Request) -> Mapping[str, Sequence[Card]]:
    """Draw, before the deal, the cards to be turned up, so that they meet the wishes.

    Returns:
        The cards in the order in which they are turned up, by question.

    Raises:
        BadOptions: no deal can meet the wishes, or the kingdom that the user named does not meet them.
    """
    from randomizer.deal.wishes.bans import find_ban
    from randomizer.deal.wishes.bounds import CountedCards, get_upper_bounds
    from randomizer.deal.wishes.matching import list_unmet_wishes
    from randomizer.deal.wishes.planning import predetermine

    turn_up, kingdom, random_sources = (
        find_turn_up(game.opening),
        request.kingdom,
        create_random_sources(request.seed),
    )
    if turn_up is None or not any(kingdom):
        return predetermine(game, request, turn_up, random_sources)
    on_table, is_complete = (
        [*kingdom.cards, *kingdom.landscapes],
        len(kingdom.cards) >= turn_up.get_count(request.settings),
    )
    banned = [name for name in kingdom.names() if find_ban(game, request.wishes, game.cards[name])]
    if banned:
        raise BadOptions("--without excludes cards that you named: {cards}.", cards=join_with_and(banned))
    if unmet := list_unmet_wishes(game, request, on_table, allows_more=not is_complete):
        raise BadOptions("the kingdom you named doesn't meet {wish}.", wish=Verbatim(unmet[0]))
    chosen = {slot: names for slot, names in kingdom.chosen.items() if names}
    if bounds := get_upper_bounds(game, request):
        named = CountedCards(on_table, [name for names in chosen.values() for name in names], made=chosen)
        if exceeded := bounds.find_exceeded(named, includes_forced=False):
            wish = Verbatim(f"--want {exceeded.text}")
            raise BadOptions("the kingdom you named doesn't meet {wish}.", wish=wish)
    if is_complete:
        return {}
    reduced = _reduce_turn_up(game, request, turn_up)
    return predetermine(game, request, reduced, random_sources, [*kingdom.names()], on_table, chosen)


def _reduce_turn_up(game: Game, request: Request, turn_up: TurnUp) -> TurnUp:
    """Return the effect that turns up the rest of a kingdom of which the user has named a part."""
    kingdom, settings = request.kingdom, request.settings
    kinds = [game.cards[name].kind for name in kingdom.landscapes]

    def reduce(amount: Amount, count: int) -> Amount:
        return Amount(max(0, (amount.resolve(settings) or 0) - count))

    return turn_up._replace(
        count_=reduce(turn_up.count_, len(kingdom.cards)),
        most=reduce(turn_up.most, sum(kind not in turn_up.extra for kind in kinds)),
        limits=tuple((kind, reduce(limit, kinds.count(kind))) for kind, limit in turn_up.limits),
    )


def _predetermine_second_deal(
    game: Game, request: Request, second_deal: SecondDeal, previous: PreviousTable, seed: str
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """Draw, before a second deal, the cards that it turns up, so that they meet the wishes.

    Returns:
        The cards in the order in which they are turned up, by question, and the wishes that can no longer be
        met, as strings.
    """
    if not request.wishes:
        return {}, ()
    from randomizer.deal.wishes.planning import predetermine_second_deal

    first_turn_up = find_turn_up(game.opening)
    kinds = first_turn_up.landscapes.kind if first_turn_up else ()
    staying = [name for name in previous.stays if name in game.cards and game.cards[name].kind in kinds]
    used = (*previous.in_use, *previous.stays, *(request.vetoed or ()))
    turn_up = find_turn_up(second_deal.opening)
    sources = create_random_sources(seed)
    return predetermine_second_deal(game, request, turn_up, sources, used, staying, previous.slots)


def create_random_sources(seed: str) -> Callable[[str], Callable[[int], int]]:
    """Return a function that maps a question to the `randbelow` function of its random source."""
    return lambda question: RandomSource(seed, question).randbelow


def find_expired_notes(game: Game, previous: PreviousTable, table: Table) -> set[str]:
    """Return the templates of the notes of the first deal that no longer apply after the second deal.

    A note about a card in use still applies after the card's pile has left the table. A note expires if it is
    about a pile that has left, or if it was added by the card that triggered the second deal.

    Args:
        game: the game to deal.
        previous: the table of the first deal.
        table: the table after the second deal.
    """
    valid: set[str] = set()
    expired: set[str] = set()
    for name in previous.in_use:
        for note in filter_notes(game.setup.get(name, ())):
            is_trigger = game.second_deal is not None and name == game.second_deal.by
            (expired if is_trigger or not note.is_still_valid(table, name) else valid).add(note.say)
    return expired - valid


def preview_card(card: Card, game: Game, players: int, language: Language) -> tuple[Table, list[str]]:
    """Deal a table with a single card, to show what the card needs at setup.

    Returns:
        The table, and a description of each effect whose result depends on other cards or on chance.
    """
    request = Request(card.boxes, players, "")
    dealer = Dealer(game, request, DrawSource("", game.get_pool(request.chosen)))
    dealer.table.use([card], None)
    dealer.process_new_cards()
    # A choice that takes all matching cards does not depend on chance, so its cards are laid out.
    while certain := [scheduled for scheduled in dealer.choices if scheduled.is_certain]:
        dealer.choices.remove(certain[0])
        dealer.perform(certain[0].effect, certain[0].cause)
        dealer.process_new_cards()
    descriptions = []
    for _, effect, cause in [*dealer.choices, *dealer.decorations]:
        description = effect.describe(cause or "", players, language)
        if description:
            descriptions.append(description)
        elif effect.choice(cause) is None:
            effect.apply(dealer.table, cause)
    return dealer.table, descriptions


def preview_effects(effects: Iterable[Effect], cause: str, game: Game, request: Request) -> Table:
    """Deal a table with nothing but the results of effects, to show what they need.

    Args:
        effects: the effects.
        cause: the name of the decision that requires them.
        game: the game.
        request: the boxes, the number of players and the settings.
    """
    preview = Request(request.chosen, request.players, "", request.settings)
    dealer = Dealer(game, preview, DrawSource("", game.get_pool(preview.chosen)))
    for effect in effects:
        dealer.schedule(effect, cause)
    dealer.process_new_cards()
    return dealer.table


class ScheduledEffect(NamedTuple):
    """An effect that is scheduled to be applied later.

    Attributes:
        rank: the sort key; effects with a lower rank are applied first.
        effect: the effect.
        cause: the name of the card or decision that requires the effect; None for the opening.
    """

    rank: tuple[int, int]
    effect: Effect
    cause: str | None

    @property
    def is_certain(self) -> bool:
        """Whether the effect is a choice whose result does not depend on chance."""
        choice = self.effect.choice(self.cause)
        return choice is not None and choice.is_certain


class DrawSource(NamedTuple):
    """The source of the cards of a deal.

    Attributes:
        seed: the seed of the request, or a string derived from it.
        pool: the cards to deal from.
        stacked: for each question (such as `randomizers` or `Bane`), the names of the cards that come up
            first.
        predetermined: for each question, the cards that are turned up, in order, if they have been drawn
            before the deal to meet wishes.
    """

    seed: str
    pool: Pool
    stacked: Mapping[str, Sequence[str]] = {}
    predetermined: Mapping[str, Sequence[Card]] = {}


class Exclusions(NamedTuple):
    """Cards that a deal must not draw, and effects that it must not apply.

    Attributes:
        on_table: the names of the cards and components that are already on the table.
        removed: the names of cards that have left the table and must not be drawn again.
        verbs: the classes of effects that are not applied.
        effects: single effects that are not applied, because they were applied before.
    """

    on_table: Collection[str] = ()
    removed: Iterable[str] = ()
    verbs: Container[type[Effect]] = ()
    effects: Container[Effect] = ()


NO_EXCLUSIONS = Exclusions()


class Dealer:
    """A dealer, which lays out one table and keeps track of the scheduled effects.

    Args:
        game: the game to deal.
        request: the options of the deal.
        source: the source of the cards.
        exclusions: the cards and effects to leave out.

    Attributes:
        table: the table, as far as it has been laid out.
        choices: the choices that remain to be made.
        decorations: the effects to apply after all piles and landscapes have been laid out.
    """

    def __init__(
        self, game: Game, request: Request, source: DrawSource, exclusions: Exclusions = NO_EXCLUSIONS
    ) -> None:
        game.check_players(request.players)
        excluded_names = {*exclusions.on_table, *exclusions.removed}
        if any(request.kingdom):
            excluded_names.update(request.kingdom.names())
        excluded_cards = [game.cards[name] for name in excluded_names if name in game.cards]
        unused = UnusedCards(source.pool, source.seed, source.stacked, excluded_cards)
        self.table = Table(game, request, unused, exclusions.on_table)
        self.table.predetermined = {
            question: cards
            for question, cards in source.predetermined.items()
            if question not in source.stacked
        }
        if request.wishes.wants:
            from randomizer.deal.wishes.bounds import get_upper_bounds

            self.table.bounds = get_upper_bounds(game, request, exclusions.on_table)
        self.choices: list[ScheduledEffect] = []
        self.decorations: list[ScheduledEffect] = []
        # Effects to apply at the end of the opening, each with the number of decisions before it
        self._late_effects: list[tuple[int, Effect]] = []
        self._game = game
        self._exclusions = exclusions
        self._processed_count = 0  # number of cards in use whose effects have been scheduled

    def run_opening(self, opening: Effects) -> None:
        """Apply the effects that start every setup. Decisions are recorded in the order of these effects."""
        for effect in opening:
            self.schedule(effect, None)
        decisions = self.table.decisions
        on_time_count = len(decisions)
        for index, effect in self._late_effects:
            count_before = len(decisions)
            self.perform(effect, None)
            index += count_before - on_time_count
            decisions[index:] = decisions[count_before:] + decisions[index:count_before]

    def apply_remaining_effects(self) -> None:
        """Apply the effects of all cards in use, including those that come into use meanwhile."""
        self.process_new_cards()
        while self.choices:
            scheduled = min(self.choices, key=_get_rank)
            self.choices.remove(scheduled)
            self.perform(scheduled.effect, scheduled.cause)
            self.process_new_cards()
        self.table.drop_redundant_components()
        for scheduled in self.decorations:
            self.perform(scheduled.effect, scheduled.cause)
        if any(self.table.named):
            self._add_notes_on_named_cards()
        for name in self._game.replaced:
            if name in self.table.in_use():
                self.table.notes.append(TableNote(Message("your own version of this card"), "here", name))

    def schedule(self, effect: Effect, cause: str | None) -> None:
        """Apply an effect now, or remember it for later.

        Args:
            effect: the effect.
            cause: the name of the card or decision that requires the effect; None for the opening.
        """
        if choice := effect.choice(cause):
            self.choices.append(ScheduledEffect(self._game.get_choice_rank(choice), effect, cause))
        elif (when := effect.when(self.table.settings)) == "decoration":
            self.decorations.append(ScheduledEffect((0, 0), effect, cause))
        elif when == "last" and cause is None:
            self._late_effects.append((len(self.table.decisions), effect))
        else:
            self.perform(effect, cause)

    def perform(self, effect: Effect, cause: str | None) -> None:
        """Apply an effect now, and schedule the effects that it leads to."""
        effect.apply(self.table, cause)
        while self.table.pending_effects:
            self.schedule(*self.table.pending_effects.pop(0))

    def process_new_cards(self) -> None:
        """Schedule the effects of the cards that have just come into use."""
        in_use, setup = self.table.in_use(), self._game.setup
        names_with_setup = setup.keys()
        while self._processed_count < len(in_use):
            new_names = islice(in_use, self._processed_count, None)
            self._processed_count = len(in_use)
            for name in [name for name in new_names if name in names_with_setup]:
                for effect in setup[name]:
                    if type(effect) not in self._exclusions.verbs and effect not in self._exclusions.effects:
                        self.schedule(effect, name)

    def _add_notes_on_named_cards(self) -> None:
        """Add notes about unusual cards and combinations among the cards that the user named."""
        table = self.table
        available = {card.name for card in table.unused.pool.list_cards()}
        for name in dict.fromkeys(table.named.names()):
            if name not in available:
                table.unusual_messages.append(
                    Message("{card} was chosen, but is in none of the chosen boxes.", (("card", name),))
                )
        # After a swap, these notes would be wrong, because cards that are no longer needed have left the
        # table.
        if not table.kept_decisions:
            for question in [question for question in table.named.chosen if question not in table.slots]:
                for name in table.named.chosen[question]:
                    values = ("card", name), ("slot", question)
                    table.unusual_messages.append(
                        Message("{card} was chosen for {slot}, but nothing on this table needs it.", values)
                    )
            for name in [name for name in table.named.on if name not in table.in_use()]:
                values = ("card", name), ("on", table.named.on[name])
                table.unusual_messages.append(
                    Message("{card} can't go with {on}, because {card} is not on the table.", values)
                )
        table.notes += [TableNote(message, "here") for message in table.unusual_messages]


def _get_rank(scheduled: ScheduledEffect) -> tuple[int, int]:
    return scheduled.rank
