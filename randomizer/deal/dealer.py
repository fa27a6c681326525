"""Dealing a table: the opening, then whatever the cards in use ask for, until nothing is left to do."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from randomizer.cards.effect import Effect, Effects
from randomizer.cards.game import Game, Request, SecondDeal
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom
from randomizer.cards.model import Amount, Card
from randomizer.cards.pool import Pool
from randomizer.deal.decorating import Place, filter_notes
from randomizer.deal.growing import TurnUp, find_turn_up
from randomizer.deal.table import Decision, Table, TableNote, Turned
from randomizer.deal.unused import RandomSource, UnusedCards
from randomizer.deal.verbs import VERBS
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language, Message, Verbatim, join_with_and


def deal_table(game: Game, request: Request, stacked: Mapping[str, Sequence[str]] = {}) -> Table:
    """Deal a table.

    Args:
        game: what is dealt.
        request: what is asked for.
        stacked: by question (`randomizers`, `Bane` ...), names of cards to come up first there.

    Raises:
        TooFewCards: the chosen boxes do not hold enough Kingdom cards (or landscapes).
        BadOptions: the number of players is out of range, or no deal can meet the wishes.
    """
    request, pool = _narrowed(game, request)
    arranged = _arranged(game, request) if request.wishes else {}
    dealer = Dealer(game, request, request.seed, stacked, pool=pool, arranged=arranged)
    dealer.run_opening(game.opening)
    dealer.settle()
    return dealer.table


class KeptTable(NamedTuple):
    """What is left of a table that another one is laid out of.

    Attributes:
        kingdom: everything that chance, or whoever named it, brought onto the table, less what goes.
        decided: by question, the answers to the questions of setup.
        skipped: the randomizers that were turned up in vain.
        gone: names of the cards that went, which are not dealt again.
        told: what has changed, in words.
    """

    kingdom: Kingdom
    decided: Mapping[str, Decision] = {}
    skipped: tuple[Turned, ...] = ()
    gone: frozenset[str] = frozenset()
    messages: tuple[Message, ...] = ()


def deal_kept_table(game: Game, request: Request, kept: KeptTable) -> Table:
    """Lay out what is left of a table, and deal whatever that lacks.

    Args:
        request: that of the table.

    Raises:
        TooFewCards: as `deal_table` does.
    """
    request, pool = _narrowed(game, request)
    named = request._replace(kingdom=kept.kingdom)
    dealer = Dealer(game, named, request.seed, gone=kept.gone, pool=pool)
    table = dealer.table
    table.decided = kept.decided
    dealer.run_opening(game.opening)
    table.turned_up += (turned.card for turned in kept.skipped)
    table.skipped |= {turned.card.name: turned.because for turned in kept.skipped if turned.because}
    table.unusual += kept.messages
    dealer.settle()
    return table


class PreviousTable(NamedTuple):
    """What a second deal goes by of the table as it was.

    Attributes:
        in_use: names of the cards that were in use, in their order; they are not drawn again.
        stays: names of the things that stay; they are not laid out again.
        piles: the place of each pile that stays, by its name.
        decks: names of the cards that lie face down in each deck that stays, by its name.
        slots: the choices that were made, none of which is made again, with the names of those of the chosen
            cards that stay.
    """

    in_use: Sequence[str]
    stays: Sequence[str]
    piles: Mapping[str, str]
    decks: Mapping[str, Sequence[str]]
    slots: Mapping[str, Sequence[str]]


def deal_second_table(
    game: Game, request: Request, before: PreviousTable, stacked: Mapping[str, Sequence[str]] = {}
) -> Table:
    """Deal the Kingdom that replaces the first one, beside whatever stays on the table.

    Args:
        game: what is dealt.
        request: that of the first deal.
        before: the table of the first deal. Names in it that are no card's are passed over.
        stacked: by question (`randomizers`, `Bane` ...), names of cards to come up first there.

    Returns:
        What is new on the table; and besides, in `piles` and `slots`, what stays.

    Raises:
        BadOptions: this game has no second deal.
        TooFewCards: too few Kingdom cards were left over.
    """
    second = game.second_deal
    if second is None:
        raise BadOptions("{game} has no second deal.", game=game.title)
    seed = f"{request.seed}\0{second.by}"
    request, pool = _narrowed(game, request)
    arranged, unmet = _arranged_again(game, request, second, before, seed)
    dealer = Dealer(
        game,
        request._replace(kingdom=NO_KINGDOM),
        seed,
        stacked,
        already={*before.in_use, *before.stays},
        without=[VERBS[word].effect for word in second.without],
        done=_done(game, before),
        pool=pool,
        arranged=arranged,
    )
    table, cards = dealer.table, game.cards
    if unmet:
        left = Message("Too little is left for these wishes: {text}", (("text", ", ".join(unmet)),))
        table.notes.append(TableNote(left))
    table.slots.update((slot, list(names)) for slot, names in before.slots.items())
    table.register_existing(before.piles)
    for deck, names in before.decks.items():
        table.existing_decks[deck] = [cards[name] for name in names if name in cards]
    dealer.run_opening(second.opening)
    dealer.settle()
    return table


def _done(game: Game, before: PreviousTable) -> set[Effect]:
    """What is not done again at a second deal: the tokens that a rule puts down once for all cards of a sort.

    Whatever else it asks for is either there already, or was not done the first time because it could not
    matter then.
    """
    return {
        effect
        for name in before.in_use
        for effect in game.setup.get(name, ())[: game.rule_effect_counts.get(name, 0)]
        if isinstance(effect, Place)
    }


# ── Wishes: most deals have none, and start the sooner without the rooms that know how ──


def _narrowed(game: Game, request: Request) -> tuple[Request, Pool]:
    """The request for the boxes that are drawn first, and the pool without the banned cards."""
    if not request.wishes:
        return request, game.get_pool(request.chosen)
    from randomizer.deal import drawing, sought

    request = drawing.draw_boxes(game, request, find_turn_up(game.opening), _dice(request.seed))
    return request, sought.build_pool(game, request)


def _arranged(game: Game, request: Request) -> Mapping[str, Sequence[Card]]:
    """By question, the cards that come up first so that the wishes hold.

    Raises:
        BadOptions: no deal can meet the wishes, or the kingdom that was named does not.
    """
    from randomizer.deal import drawing, sought

    turn_up, named = find_turn_up(game.opening), request.kingdom
    if turn_up is None or not any(named):
        return drawing.predetermine(game, request, turn_up, _dice(request.seed))
    there, whole = [*named.cards, *named.landscapes], len(named.cards) >= turn_up.count_
    banned = [name for name in named.names() if sought.find_ban(game, request.wishes, game.cards[name])]
    if banned:
        raise BadOptions("--without bans what was named: {cards}.", cards=join_with_and(banned))
    if unmet := sought.list_unmet_wishes(game, request, there, more=not whole):
        raise BadOptions("the kingdom that was named does not meet {wish}.", wish=Verbatim(unmet[0]))
    if whole:
        return {}
    left = _left_to_turn_up(game, request, turn_up)
    return drawing.predetermine(game, request, left, _dice(request.seed), [*named.names()], there)


def _left_to_turn_up(game: Game, request: Request, turn_up: TurnUp) -> TurnUp:
    """What is turned up beside a kingdom of fewer cards than that."""
    named, settings = request.kingdom, request.settings
    kinds = [game.cards[name].kind for name in named.landscapes]

    def less(amount: Amount, there: int) -> Amount:
        return Amount(max(0, (amount.resolve(settings) or 0) - there))

    return turn_up._replace(
        count_=turn_up.count_ - len(named.cards),
        most=less(turn_up.most, len(kinds)),
        limits=tuple((kind, less(most, kinds.count(kind))) for kind, most in turn_up.limits),
    )


def _arranged_again(
    game: Game, request: Request, second: SecondDeal, before: PreviousTable, seed: str
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """The same for a second deal, and the wishes that cannot be met any more."""
    if not request.wishes:
        return {}, ()
    from randomizer.deal import drawing

    first = find_turn_up(game.opening)
    kinds = first.landscapes.kind if first else ()
    staying = [name for name in before.stays if name in game.cards and game.cards[name].kind in kinds]
    used = (*before.in_use, *before.stays)
    return drawing.predetermine_second_deal(
        game, request, find_turn_up(second.opening), _dice(seed), used, staying
    )


def _dice(seed: str) -> Callable[[str], Callable[[int], int]]:
    """Dice for each question that wishes ask."""
    return lambda question: RandomSource(seed, question).randbelow


def find_expired_notes(game: Game, before: PreviousTable, table: Table) -> set[str]:
    """What the players were told at the first deal and need no longer know, as phrases.

    A rule of games that use a card goes on when the card's pile has left. It is over if it is about a pile
    that has left, or about the moment that has come.
    """
    holds: set[str] = set()
    over: set[str] = set()
    for name in before.in_use:
        for note in filter_notes(game.setup.get(name, ())):
            come = game.second_deal is not None and name == game.second_deal.by
            (over if come or not note.is_still_valid(table, name) else holds).add(note.say)
    return over - holds


def preview_card(card: Card, game: Game, players: int, language: Language) -> tuple[Table, list[str]]:
    """What a card alone brings to a table; and, in words, what it asks for that depends on the rest of it."""
    dealer = Dealer(game, Request((), players, ""), "")
    dealer.table.use([card], None)
    dealer.process_arrivals()
    described = []
    for _, effect, cause in [*dealer.choices, *dealer.decorations]:
        said = effect.describe(cause or "", players, language)
        if said:
            described.append(said)
        elif effect.choice(cause) is None:
            effect.apply(dealer.table, cause)
    return dealer.table, described


class Due(NamedTuple):
    """Something still to be done: the lower its rank the sooner, because of the card of that name."""

    rank: tuple[int, int]
    effect: Effect
    cause: str | None


class Dealer:
    """Lays one table, and keeps what is still due on it.

    Args:
        game: what is dealt.
        request: what is asked for.
        seed: what chance comes from: the request's, or one made of it.
        stacked: by question, names of cards to come up first there.
        already: names of what was on the table before.
        without: verbs that do nothing this time ...
        done: ... and effects that have been done.
        gone: names of cards that are not to be drawn.
        pool: the cards to deal from; by default all those of the chosen boxes.
        arranged: by question, the cards that come up for it because they are wished for.

    Attributes:
        table: as far as it has been laid.
        choices: the choices that are due.
        decorations: what is due once everything is out.
    """

    def __init__(
        self,
        game: Game,
        request: Request,
        seed: str,
        stacked: Mapping[str, Sequence[str]] = {},
        already: Iterable[str] = (),
        without: Container[type[Effect]] = (),
        done: Container[Effect] = (),
        gone: Iterable[str] = (),
        pool: Pool | None = None,
        arranged: Mapping[str, Sequence[Card]] = {},
    ) -> None:
        game.check_players(request.players)
        already = set(already)
        taken = {*already, *request.kingdom.names(), *gone} if any(request.kingdom) else already
        used = [game.cards[name] for name in taken if name in game.cards]
        unused = UnusedCards(pool or game.get_pool(request.chosen), seed, stacked, used, arranged)
        self.table = Table(game, request, unused, already)
        self.choices: list[Due] = []
        self.decorations: list[Due] = []
        self._late: list[tuple[int, Effect]] = []  # of the opening, with the number of decisions before it
        self._game = game
        self._without = without
        self._done = done
        self._received = 0

    def run_opening(self, opening: Effects) -> None:
        """Do the opening; what it decides is written down in the order in which the opening asks for it."""
        for effect in opening:
            self.schedule(effect, None)
        decisions = self.table.decisions
        on_time = len(decisions)
        for place, effect in self._late:
            before = len(decisions)
            self.perform(effect, None)
            place += before - on_time
            decisions[place:] = decisions[before:] + decisions[place:before]

    def settle(self) -> None:
        """Do whatever the cards in use ask for, until nothing is left to do."""
        self.process_arrivals()
        while self.choices:
            due = min(self.choices, key=_rank)
            self.choices.remove(due)
            self.perform(due.effect, due.cause)
            self.process_arrivals()
        self.table.drop_redundant_components()
        for due in self.decorations:
            self.perform(due.effect, due.cause)
        if any(self.table.named):
            self._tell_unusual()

    def schedule(self, effect: Effect, cause: str | None) -> None:
        """Do an effect, or keep it for its turn: because of this card or decision, or else the opening."""
        if choice := effect.choice(cause):
            self.choices.append(Due(self._game.get_choice_rank(choice), effect, cause))
        elif (when := effect.when(self.table.settings)) == "decoration":
            self.decorations.append(Due((0, 0), effect, cause))
        elif when == "last" and cause is None:
            self._late.append((len(self.table.decisions), effect))
        else:
            self.perform(effect, cause)

    def perform(self, effect: Effect, cause: str | None) -> None:
        """Do an effect now, and ask for what it asks for in turn."""
        effect.apply(self.table, cause)
        while self.table.pending_effects:
            self.schedule(*self.table.pending_effects.pop(0))

    def process_arrivals(self) -> None:
        """Do what the cards that came into use ask for, as far as nothing has to be chosen for it."""
        in_use, asks = self.table.in_use(), self._game.setup
        asking = asks.keys()
        while self._received < len(in_use):
            arrived = islice(in_use, self._received, None)
            self._received = len(in_use)
            for name in [name for name in arrived if name in asking]:
                for effect in asks[name]:
                    if type(effect) not in self._without and effect not in self._done:
                        self.schedule(effect, name)

    def _tell_unusual(self) -> None:
        """Note what is unusual about what was named: to be known now, and no more once the table is laid."""
        table = self.table
        known = {card.name for card in table.unused.pool.list_cards()}
        for name in dict.fromkeys(table.named.names()):
            if name not in known:
                said = Message("{card} was named, and is in none of the chosen boxes.", (("card", name),))
                table.unusual.append(said)
        # What nothing asks for any more after a swap has gone with what asked for it.
        if not table.decided:
            for question in [one for one in table.named.chosen if one not in table.slots]:
                for name in table.named.chosen[question]:
                    about = ("card", name), ("slot", question)
                    said = Message("{card} was named for {slot}, which nothing here asks for.", about)
                    table.unusual.append(said)
            for name in [one for one in table.named.on if one not in table.in_use()]:
                about = ("card", name), ("on", table.named.on[name])
                table.unusual.append(Message("{card} was to go with {on}, and is not on the table.", about))
        table.notes += [TableNote(message, "here") for message in table.unusual]


def _rank(due: Due) -> tuple[int, int]:
    return due.rank
