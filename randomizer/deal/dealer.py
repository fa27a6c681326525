"""The dealing of a table: the opening is applied, then the effects of the cards in use until none is left.

A second deal replaces the Kingdom during the game, because a card requires it.
"""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from randomizer.cards.effect import Effect, Effects
from randomizer.cards.game import Game, Request, SecondDeal
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom
from randomizer.cards.model import Amount, Card
from randomizer.cards.pool import Pool
from randomizer.deal.decorating import filter_notes
from randomizer.deal.growing import TurnUp, find_turn_up
from randomizer.deal.table import Decision, Table, TableNote, Turned
from randomizer.deal.unused import RandomSource, UnusedCards
from randomizer.deal.verbs import VERBS
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language, Message, Verbatim, join_with_and


def deal_table(game: Game, request: Request, stacked: Mapping[str, Sequence[str]] = {}) -> Table:
    """Deal a table.

    Args:
        game: the game to deal.
        request: the options of the deal.
        stacked: by question (such as `randomizers` or `Bane`), the names of cards that come up first.

    Raises:
        TooFewCards: the chosen boxes do not contain enough Kingdom cards or landscapes.
        BadOptions: the number of players is out of range, or no deal can meet the wishes.
    """
    request, pool = _draw_boxes(game, request)
    predetermined = _predetermine(game, request) if request.wishes else {}
    dealer = Dealer(game, request, DrawSource(request.seed, pool, stacked, predetermined))
    dealer.run_opening(game.opening)
    dealer.settle()
    return dealer.table


class KeptTable(NamedTuple):
    """The part of a table that is kept when the rest is dealt again, for example after a swap.

    Attributes:
        kingdom: the cards on the table that were drawn or named, except the removed ones.
        decided: the answers to the setup questions, by question.
        skipped: the randomizers that were turned up but not used.
        gone: the names of the removed cards, which must not be dealt again.
        messages: messages about the changes.
    """

    kingdom: Kingdom
    decided: Mapping[str, Decision] = {}
    skipped: tuple[Turned, ...] = ()
    gone: frozenset[str] = frozenset()
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
    dealer = Dealer(game, kept_request, DrawSource(drawn.seed, pool), Exclusions(removed=kept.gone))
    table = dealer.table
    table.decided = kept.decided
    dealer.run_opening(game.opening)
    table.turned_up += (turned.card for turned in kept.skipped)
    table.skipped |= {turned.card.name: turned.because for turned in kept.skipped if turned.because}
    table.unusual += kept.messages
    dealer.settle()
    chosen = kept.kingdom.chosen
    needed = {question: names for question, names in chosen.items() if question in table.slots}
    if len(needed) < len(chosen):  # Cards for a choice that is no longer made are unused again.
        return deal_kept_table(game, request, kept._replace(kingdom=kept.kingdom._replace(chosen=needed)))
    return table


class PreviousTable(NamedTuple):
    """The table before a second deal.

    Attributes:
        in_use: the names of the cards in use, in the order in which they came into use. They are not drawn
            again.
        stays: the names of the cards and components that stay on the table and are not laid out again.
        piles: the place of each pile that stays, by the pile's name.
        decks: for each deck that stays, the names of its face-down cards.
        slots: the choices that are not made again, each with the names of the chosen cards that stay.
    """

    in_use: Sequence[str]
    stays: Sequence[str]
    piles: Mapping[str, str]
    decks: Mapping[str, Sequence[str]]
    slots: Mapping[str, Sequence[str]]


def deal_second_table(
    game: Game, request: Request, before: PreviousTable, stacked: Mapping[str, Sequence[str]] = {}
) -> Table:
    """Deal a Kingdom that replaces the first one. The rest of the table stays.

    Args:
        game: the game to deal.
        request: the options of the first deal.
        before: the table of the first deal. Names that are not card names are ignored.
        stacked: by question (such as `randomizers` or `Bane`), the names of cards that come up first.

    Returns:
        A table with the new cards and components. Only its `piles` and `slots` also contain the ones that
        stay.

    Raises:
        BadOptions: the game has no second deal.
        TooFewCards: too few Kingdom cards are left.
    """
    second = game.second_deal
    if second is None:
        raise BadOptions("{game} has no card that replaces the Kingdom during the game.", game=game.title)
    seed = f"{request.seed}\0{second.by}"
    request, pool = _draw_boxes(game, request)
    predetermined, unmet = _predetermine_second_deal(game, request, second, before, seed)
    exclusions = Exclusions(
        on_table={*before.in_use, *before.stays},
        verbs=[VERBS[word] for word in second.without],
        effects=_find_finished_effects(game, before),
    )
    second_request = request._replace(kingdom=NO_KINGDOM)
    dealer = Dealer(game, second_request, DrawSource(seed, pool, stacked, predetermined), exclusions)
    table, cards = dealer.table, game.cards
    if unmet:
        unmet_message = Message(
            "The remaining cards can't meet these wishes: {text}", (("text", ", ".join(unmet)),)
        )
        table.notes.append(TableNote(unmet_message))
    table.slots.update((slot, list(names)) for slot, names in before.slots.items())
    table.register_existing(before.piles)
    for deck, names in before.decks.items():
        table.existing_decks[deck] = [cards[name] for name in names if name in cards]
    dealer.run_opening(second.opening)
    dealer.settle()
    return table


def _find_finished_effects(game: Game, before: PreviousTable) -> set[Effect]:
    """Return the effects that a second deal does not apply again: those that rules allow only once per game.

    Other effects of rules need no exclusion: their result is already on the table, or they had none in the
    first deal and may have one now.
    """
    return {
        effect
        for name in before.in_use
        for effect in game.setup.get(name, ())[: game.rule_effect_counts.get(name, 0)]
        if effect.is_once_per_game
    }


# ── Wishes: the modules for them are imported only if there are any, so that other deals start faster ──


def _draw_boxes(game: Game, request: Request) -> tuple[Request, Pool]:
    """Draw boxes if requested. Return the request with these boxes, and the pool without banned cards."""
    if not request.wishes:
        return request, game.get_pool(request.chosen)
    from randomizer.deal.wishes.bans import build_pool
    from randomizer.deal.wishes.boxes import draw_boxes

    request = draw_boxes(game, request, find_turn_up(game.opening), _create_randoms(request.seed))
    return request, build_pool(game, request)


def _predetermine(game: Game, request: Request) -> Mapping[str, Sequence[Card]]:
    """Draw the cards that will be turned up, so that they meet the wishes.

    Returns:
        The cards in order, by question.

    Raises:
        BadOptions: no deal can meet the wishes, or the kingdom that the user named does not meet them.
    """
    from randomizer.deal.wishes.bans import find_ban
    from randomizer.deal.wishes.matching import list_unmet_wishes
    from randomizer.deal.wishes.planning import predetermine

    rules, kingdom, randoms = find_turn_up(game.opening), request.kingdom, _create_randoms(request.seed)
    if rules is None or not any(kingdom):
        return predetermine(game, request, rules, randoms)
    on_table, is_complete = [*kingdom.cards, *kingdom.landscapes], len(kingdom.cards) >= rules.count_
    banned = [name for name in kingdom.names() if find_ban(game, request.wishes, game.cards[name])]
    if banned:
        raise BadOptions("--without excludes cards that you named: {cards}.", cards=join_with_and(banned))
    if unmet := list_unmet_wishes(game, request, on_table, allows_more=not is_complete):
        raise BadOptions("the kingdom you named doesn't meet {wish}.", wish=Verbatim(unmet[0]))
    if is_complete:
        return {}
    reduced = _reduce_turn_up(game, request, rules)
    return predetermine(game, request, reduced, randoms, [*kingdom.names()], on_table)


def _reduce_turn_up(game: Game, request: Request, rules: TurnUp) -> TurnUp:
    """Return the rules for turning up the remaining cards if the user has named a part of the kingdom."""
    kingdom, settings = request.kingdom, request.settings
    kinds = [game.cards[name].kind for name in kingdom.landscapes]

    def reduce(amount: Amount, count: int) -> Amount:
        return Amount(max(0, (amount.resolve(settings) or 0) - count))

    return rules._replace(
        count_=rules.count_ - len(kingdom.cards),
        most=reduce(rules.most, len(kinds)),
        limits=tuple((kind, reduce(limit, kinds.count(kind))) for kind, limit in rules.limits),
    )


def _predetermine_second_deal(
    game: Game, request: Request, second: SecondDeal, before: PreviousTable, seed: str
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """Draw the cards that a second deal turns up. Also return the wishes that can no longer be met."""
    if not request.wishes:
        return {}, ()
    from randomizer.deal.wishes.planning import predetermine_second_deal

    first_turn_up = find_turn_up(game.opening)
    kinds = first_turn_up.landscapes.kind if first_turn_up else ()
    staying = [name for name in before.stays if name in game.cards and game.cards[name].kind in kinds]
    used = (*before.in_use, *before.stays)
    rules = find_turn_up(second.opening)
    return predetermine_second_deal(game, request, rules, _create_randoms(seed), used, staying)


def _create_randoms(seed: str) -> Callable[[str], Callable[[int], int]]:
    """Return a function that maps a question to the `randbelow` function of its random source."""
    return lambda question: RandomSource(seed, question).randbelow


def find_expired_notes(game: Game, before: PreviousTable, table: Table) -> set[str]:
    """Return the templates of first-deal notes that no longer apply after the second deal.

    A note about a card in use still applies after the card's pile has left. A note expires if it is about a
    pile that has left, or if it was added by the card that triggered the second deal.
    """
    valid: set[str] = set()
    expired: set[str] = set()
    for name in before.in_use:
        for note in filter_notes(game.setup.get(name, ())):
            is_trigger = game.second_deal is not None and name == game.second_deal.by
            (expired if is_trigger or not note.is_still_valid(table, name) else valid).add(note.say)
    return expired - valid


def preview_card(card: Card, game: Game, players: int, language: Language) -> tuple[Table, list[str]]:
    """Deal a table with only one card, to show what setup the card needs.

    Returns:
        The table, and descriptions of the effects that depend on other cards.
    """
    request = Request(card.boxes, players, "")
    dealer = Dealer(game, request, DrawSource("", game.get_pool(request.chosen)))
    dealer.table.use([card], None)
    dealer.process_arrivals()
    # A choice that takes all matching cards does not depend on chance, so its cards are laid out.
    while certain := [due for due in dealer.choices if due.is_certain]:
        dealer.choices.remove(certain[0])
        dealer.perform(certain[0].effect, certain[0].cause)
        dealer.process_arrivals()
    descriptions = []
    for _, effect, cause in [*dealer.choices, *dealer.decorations]:
        description = effect.describe(cause or "", players, language)
        if description:
            descriptions.append(description)
        elif effect.choice(cause) is None:
            effect.apply(dealer.table, cause)
    return dealer.table, descriptions


class Due(NamedTuple):
    """A scheduled effect.

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
        """Whether the effect is a choice that does not depend on chance."""
        choice = self.effect.choice(self.cause)
        return choice is not None and choice.is_certain


class DrawSource(NamedTuple):
    """The source of the cards of a deal.

    Attributes:
        seed: the random seed: the seed of the request, or a text derived from it.
        pool: the cards to deal from.
        stacked: the names of cards that tests put on top, by the draw (such as `randomizers` or `Bane`).
        predetermined: the cards that are turned up, in order, by the draw; they were drawn to meet wishes.
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
    """A dealer that lays out one table and keeps track of the scheduled effects.

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
        taken = set(exclusions.on_table)
        if any(request.kingdom):
            taken.update(request.kingdom.names(), exclusions.removed)
        used = [game.cards[name] for name in taken if name in game.cards]
        unused = UnusedCards(source.pool, source.seed, source.stacked, used)
        self.table = Table(game, request, unused, exclusions.on_table)
        self.table.predetermined = {
            question: cards
            for question, cards in source.predetermined.items()
            if question not in source.stacked
        }
        self.choices: list[Due] = []
        self.decorations: list[Due] = []
        self._late: list[tuple[int, Effect]] = []  # late effects, each with the number of earlier decisions
        self._game = game
        self._exclusions = exclusions
        self._processed_count = 0  # number of cards in use whose effects have been scheduled

    def run_opening(self, opening: Effects) -> None:
        """Apply the effects of an opening. Decisions are recorded in the order of these effects."""
        for effect in opening:
            self.schedule(effect, None)
        decisions = self.table.decisions
        on_time_count = len(decisions)
        for index, effect in self._late:
            before = len(decisions)
            self.perform(effect, None)
            index += before - on_time_count
            decisions[index:] = decisions[before:] + decisions[index:before]

    def settle(self) -> None:
        """Apply the effects of the cards in use until none is left."""
        self.process_arrivals()
        while self.choices:
            due = min(self.choices, key=_get_rank)
            self.choices.remove(due)
            self.perform(due.effect, due.cause)
            self.process_arrivals()
        self.table.drop_redundant_components()
        for due in self.decorations:
            self.perform(due.effect, due.cause)
        if any(self.table.named):
            self._add_notes_on_named_cards()

    def schedule(self, effect: Effect, cause: str | None) -> None:
        """Apply an effect now, or remember it for later.

        Args:
            effect: the effect.
            cause: the name of the card or decision that requires the effect; None for the opening.
        """
        if choice := effect.choice(cause):
            self.choices.append(Due(self._game.get_choice_rank(choice), effect, cause))
        elif (when := effect.when(self.table.settings)) == "decoration":
            self.decorations.append(Due((0, 0), effect, cause))
        elif when == "last" and cause is None:
            self._late.append((len(self.table.decisions), effect))
        else:
            self.perform(effect, cause)

    def perform(self, effect: Effect, cause: str | None) -> None:
        """Apply an effect now, and schedule the effects that it causes."""
        effect.apply(self.table, cause)
        while self.table.pending_effects:
            self.schedule(*self.table.pending_effects.pop(0))

    def process_arrivals(self) -> None:
        """Schedule the effects of the cards that have just come into use."""
        in_use, setup = self.table.in_use(), self._game.setup
        names_with_setup = setup.keys()
        while self._processed_count < len(in_use):
            arrived = islice(in_use, self._processed_count, None)
            self._processed_count = len(in_use)
            for name in [name for name in arrived if name in names_with_setup]:
                for effect in setup[name]:
                    if type(effect) not in self._exclusions.verbs and effect not in self._exclusions.effects:
                        self.schedule(effect, name)

    def _add_notes_on_named_cards(self) -> None:
        """Add notes about unusual cards and combinations among the cards that the user named."""
        table = self.table
        available = {card.name for card in table.unused.pool.list_cards()}
        for name in dict.fromkeys(table.named.names()):
            if name not in available:
                table.unusual.append(
                    Message("{card} was chosen, but is in none of the chosen boxes.", (("card", name),))
                )
        # After a swap, these notes would be wrong, because cards that are no longer needed have left the
        # table.
        if not table.decided:
            for question in [question for question in table.named.chosen if question not in table.slots]:
                for name in table.named.chosen[question]:
                    values = ("card", name), ("slot", question)
                    table.unusual.append(
                        Message("{card} was chosen for {slot}, but nothing on this table needs it.", values)
                    )
            for name in [name for name in table.named.on if name not in table.in_use()]:
                values = ("card", name), ("on", table.named.on[name])
                table.unusual.append(
                    Message("{card} can't go with {on}, because {card} is not on the table.", values)
                )
        table.notes += [TableNote(message, "here") for message in table.unusual]


def _get_rank(due: Due) -> tuple[int, int]:
    return due.rank
