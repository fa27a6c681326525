"""Dealing of a table: the opening, then whatever the cards in use ask for, until nothing is left to do."""

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
        stacked: by question (`randomizers`, `Bane` ...), the names of cards that come up first.

    Raises:
        TooFewCards: the chosen boxes do not contain enough Kingdom cards (or landscapes).
        BadOptions: the number of players is out of range, or no deal can meet the wishes.
    """
    request, pool = _draw_boxes(game, request)
    predetermined = _predetermine(game, request) if request.wishes else {}
    dealer = Dealer(game, request, DrawSource(request.seed, pool, stacked, predetermined))
    dealer.run_opening(game.opening)
    dealer.settle()
    return dealer.table


class KeptTable(NamedTuple):
    """What is left of a table that another one is based on.

    Attributes:
        kingdom: everything on the table that was drawn or named, except what leaves.
        decided: the answers to the questions of setup, by question.
        skipped: the randomizers that were turned up and not used.
        gone: the names of the cards that leave; they are not dealt again.
        messages: what has changed.
    """

    kingdom: Kingdom
    decided: Mapping[str, Decision] = {}
    skipped: tuple[Turned, ...] = ()
    gone: frozenset[str] = frozenset()
    messages: tuple[Message, ...] = ()


def deal_kept_table(game: Game, request: Request, kept: KeptTable) -> Table:
    """Lay out what is left of a table, and deal what is missing.

    Args:
        game: the game to deal.
        request: the options of the original table.
        kept: what is left of that table.

    Raises:
        TooFewCards: the chosen boxes do not contain enough cards.
    """
    request, pool = _draw_boxes(game, request)
    named = request._replace(kingdom=kept.kingdom)
    dealer = Dealer(game, named, DrawSource(request.seed, pool), Exclusions(removed=kept.gone))
    table = dealer.table
    table.decided = kept.decided
    dealer.run_opening(game.opening)
    table.turned_up += (turned.card for turned in kept.skipped)
    table.skipped |= {turned.card.name: turned.because for turned in kept.skipped if turned.because}
    table.unusual += kept.messages
    dealer.settle()
    return table


class PreviousTable(NamedTuple):
    """The table before a second deal.

    Attributes:
        in_use: the names of the cards in use, in their order; they are not drawn again.
        stays: the names of what stays; it is not laid out again.
        piles: the place of each pile that stays, by the pile's name.
        decks: the names of the face-down cards of each deck that stays, by the deck's name.
        slots: the choices that were made and are not made again, with the names of the chosen cards that
            stay.
    """

    in_use: Sequence[str]
    stays: Sequence[str]
    piles: Mapping[str, str]
    decks: Mapping[str, Sequence[str]]
    slots: Mapping[str, Sequence[str]]


def deal_second_table(
    game: Game, request: Request, before: PreviousTable, stacked: Mapping[str, Sequence[str]] = {}
) -> Table:
    """Deal the Kingdom that replaces the first one, next to what stays on the table.

    Args:
        game: the game to deal.
        request: the options of the first deal.
        before: the table of the first deal. Names that are not card names are ignored.
        stacked: by question (`randomizers`, `Bane` ...), the names of cards that come up first.

    Returns:
        A table with what is new. Its `piles` and `slots` also have what stays.

    Raises:
        BadOptions: this game has no second deal.
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
        verbs=[VERBS[word].effect for word in second.without],
        effects=_find_finished_effects(game, before),
    )
    named = request._replace(kingdom=NO_KINGDOM)
    dealer = Dealer(game, named, DrawSource(seed, pool, stacked, predetermined), exclusions)
    table, cards = dealer.table, game.cards
    if unmet:
        left = Message("The remaining cards can't meet these wishes: {text}", (("text", ", ".join(unmet)),))
        table.notes.append(TableNote(left))
    table.slots.update((slot, list(names)) for slot, names in before.slots.items())
    table.register_existing(before.piles)
    for deck, names in before.decks.items():
        table.existing_decks[deck] = [cards[name] for name in names if name in cards]
    dealer.run_opening(second.opening)
    dealer.settle()
    return table


def _find_finished_effects(game: Game, before: PreviousTable) -> set[Effect]:
    """Return the effects that are not done again at a second deal: those that rules ask for only once a game.

    Everything else that a rule asks for is either on the table already, or was not done the first time
    because it could not matter then.
    """
    return {
        effect
        for name in before.in_use
        for effect in game.setup.get(name, ())[: game.rule_effect_counts.get(name, 0)]
        if effect.traits().once_per_game
    }


# ── Wishes: most deals have none, and start faster without importing the modules for them ──


def _draw_boxes(game: Game, request: Request) -> tuple[Request, Pool]:
    """Return the request with the boxes that were drawn, and their cards without the banned ones."""
    if not request.wishes:
        return request, game.get_pool(request.chosen)
    from randomizer.deal.wishes.boxes import draw_boxes
    from randomizer.deal.wishes.matching import build_pool

    request = draw_boxes(game, request, find_turn_up(game.opening), _create_randoms(request.seed))
    return request, build_pool(game, request)


def _predetermine(game: Game, request: Request) -> Mapping[str, Sequence[Card]]:
    """Draw the cards that will be turned up such that they meet the wishes, by question.

    Raises:
        BadOptions: no deal can meet the wishes, or the kingdom that the user named does not.
    """
    from randomizer.deal.wishes.matching import find_ban, list_unmet_wishes
    from randomizer.deal.wishes.planning import predetermine

    rules, named, randoms = find_turn_up(game.opening), request.kingdom, _create_randoms(request.seed)
    if rules is None or not any(named):
        return predetermine(game, request, rules, randoms)
    on_table, is_complete = [*named.cards, *named.landscapes], len(named.cards) >= rules.count_
    banned = [name for name in named.names() if find_ban(game, request.wishes, game.cards[name])]
    if banned:
        raise BadOptions("--without excludes cards that you named: {cards}.", cards=join_with_and(banned))
    if unmet := list_unmet_wishes(game, request, on_table, allows_more=not is_complete):
        raise BadOptions("the kingdom you named doesn't meet {wish}.", wish=Verbatim(unmet[0]))
    if is_complete:
        return {}
    reduced = _reduce_turn_up(game, request, rules)
    return predetermine(game, request, reduced, randoms, [*named.names()], on_table)


def _reduce_turn_up(game: Game, request: Request, rules: TurnUp) -> TurnUp:
    """Return the rules for turning up the rest of a kingdom that was partly named."""
    named, settings = request.kingdom, request.settings
    kinds = [game.cards[name].kind for name in named.landscapes]

    def reduce(amount: Amount, count: int) -> Amount:
        return Amount(max(0, (amount.resolve(settings) or 0) - count))

    return rules._replace(
        count_=rules.count_ - len(named.cards),
        most=reduce(rules.most, len(kinds)),
        limits=tuple((kind, reduce(limit, kinds.count(kind))) for kind, limit in rules.limits),
    )


def _predetermine_second_deal(
    game: Game, request: Request, second: SecondDeal, before: PreviousTable, seed: str
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """Draw the cards that a second deal will turn up, and list the wishes that cannot be met any more."""
    if not request.wishes:
        return {}, ()
    from randomizer.deal.wishes.planning import predetermine_second_deal

    first = find_turn_up(game.opening)
    kinds = first.landscapes.kind if first else ()
    staying = [name for name in before.stays if name in game.cards and game.cards[name].kind in kinds]
    used = (*before.in_use, *before.stays)
    rules = find_turn_up(second.opening)
    return predetermine_second_deal(game, request, rules, _create_randoms(seed), used, staying)


def _create_randoms(seed: str) -> Callable[[str], Callable[[int], int]]:
    """Return a function from a question to `randbelow` of its own source of randomness."""
    return lambda question: RandomSource(seed, question).randbelow


def find_expired_notes(game: Game, before: PreviousTable, table: Table) -> set[str]:
    """Return the templates of the notes of the first deal that no longer apply after the second one.

    A rule of games that use a card still applies when the card's pile has left. It ends if it is about a pile
    that has left, or about the moment of the second deal.
    """
    valid: set[str] = set()
    expired: set[str] = set()
    for name in before.in_use:
        for note in filter_notes(game.setup.get(name, ())):
            has_come = game.second_deal is not None and name == game.second_deal.by
            (expired if has_come or not note.is_still_valid(table, name) else valid).add(note.say)
    return expired - valid


def preview_card(card: Card, game: Game, players: int, language: Language) -> tuple[Table, list[str]]:
    """Return what a card alone brings to a table, and descriptions of what depends on other cards."""
    request = Request((), players, "")
    dealer = Dealer(game, request, DrawSource("", game.get_pool(request.chosen)))
    dealer.table.use([card], None)
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
    """An effect that is still to be done.

    Attributes:
        rank: effects with a lower rank are done first.
        effect: the effect.
        cause: the name of the card or decision that asks for it; None is the opening.
    """

    rank: tuple[int, int]
    effect: Effect
    cause: str | None


class DrawSource(NamedTuple):
    """Where the cards of a deal come from.

    Attributes:
        seed: the seed of all randomness: that of the request, or one derived from it.
        pool: the cards to deal from.
        stacked: by question, the names of cards that come up first.
        predetermined: by question, the cards that come up, in order, because wishes ask for them.
    """

    seed: str
    pool: Pool
    stacked: Mapping[str, Sequence[str]] = {}
    predetermined: Mapping[str, Sequence[Card]] = {}


class Exclusions(NamedTuple):
    """What a deal leaves out.

    Attributes:
        on_table: the names of what is on the table already.
        removed: the names of cards that have left the table and are not drawn again.
        verbs: the verbs that do nothing.
        effects: the effects that have been done already.
    """

    on_table: Collection[str] = ()
    removed: Iterable[str] = ()
    verbs: Container[type[Effect]] = ()
    effects: Container[Effect] = ()


NO_EXCLUSIONS = Exclusions()


class Dealer:
    """Lays out one table, and keeps track of the effects that are still to be done.

    Args:
        game: the game to deal.
        request: the options of the deal.
        source: where the cards come from.
        exclusions: what is left out.

    Attributes:
        table: the table so far.
        choices: the choices that are still to be made.
        decorations: the effects to do once everything is out.
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
        self._late: list[tuple[int, Effect]] = []  # effects of the opening, with the decisions before them
        self._game = game
        self._exclusions = exclusions
        self._processed_count = 0  # of the cards in use

    def run_opening(self, opening: Effects) -> None:
        """Do the effects of an opening. Its decisions are recorded in the order of the opening."""
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
        """Do what the cards in use ask for, until nothing is left to do."""
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
            self._note_what_is_unusual()

    def schedule(self, effect: Effect, cause: str | None) -> None:
        """Do an effect now, or remember it until its turn comes.

        Args:
            effect: the effect.
            cause: the name of the card or decision that asks for it; None is the opening.
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
        """Do an effect now, and schedule the effects that it causes."""
        effect.apply(self.table, cause)
        while self.table.pending_effects:
            self.schedule(*self.table.pending_effects.pop(0))

    def process_arrivals(self) -> None:
        """Schedule what the cards that came into use ask for."""
        in_use, setup = self.table.in_use(), self._game.setup
        names_with_setup = setup.keys()
        while self._processed_count < len(in_use):
            arrived = islice(in_use, self._processed_count, None)
            self._processed_count = len(in_use)
            for name in [name for name in arrived if name in names_with_setup]:
                for effect in setup[name]:
                    if type(effect) not in self._exclusions.verbs and effect not in self._exclusions.effects:
                        self.schedule(effect, name)

    def _note_what_is_unusual(self) -> None:
        """Add notes about unusual cards among those that the user named."""
        table = self.table
        available = {card.name for card in table.unused.pool.list_cards()}
        for name in dict.fromkeys(table.named.names()):
            if name not in available:
                table.unusual.append(
                    Message("{card} was chosen, but is in none of the chosen boxes.", (("card", name),))
                )
        # After a swap, what nothing asks for any more has left together with what asked for it.
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
