"""Deals with a veto: players remove some Kingdom cards from a larger number before the table is laid out."""

from collections.abc import Collection, Mapping, Sequence

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Amount, Card
from randomizer.deal.dealer import Dealer, DrawSource, Exclusions, create_random_sources, prepare_draws
from randomizer.deal.growing import TurnUp, find_turn_up
from randomizer.deal.table import Table, TableNote
from randomizer.text.errors import BadOptions, ExceededBound
from randomizer.text.language import Message, Verbatim

# Keys of random sources
_EXTRA = "veto"
_RANDOMIZERS = "randomizers"


def deal_with_veto(
    game: Game,
    request: Request,
    stacked: Mapping[str, Sequence[str]] = {},
    unavailable: Collection[str] = (),
) -> Table:
    """Deal a table with extra Kingdom cards, some of which the players may veto.

    The landscapes and the first Kingdom cards are the same as in a deal without a veto.

    Args:
        game: the game to deal.
        request: the options of the deal.
        stacked: for each question (such as `randomizers` or `veto`), the names of the cards that come up
            first.
        unavailable: the names of piles and landscapes that may not be chosen after the veto, because other
            tables use them.

    Returns:
        As long as the veto is open, a table with all dealt cards, but without anything that they require.
        After the veto, a complete table with the first of the remaining cards. The vetoed cards are not used
        in any way.

    Raises:
        TooFewCards: the chosen boxes do not contain enough Kingdom cards.
        BadOptions: the vetoes are invalid, or the game deals no Kingdom.
    """
    turn_up = find_turn_up(game.opening)
    if turn_up is None:
        raise BadOptions("{game} has nothing that can be vetoed.", game=game.title)
    request, source = prepare_draws(game, request, stacked)
    dealer = Dealer(game, request, source)
    dealer.perform(turn_up, None)
    dealt = dealer.table
    extra = _draw_extra_cards(game, request, turn_up, dealt)
    dealt.kingdom += extra
    dealt.turned_up += extra
    if request.vetoed is not None:
        _check_vetoes(request.vetoed, request.veto_count, [card.name for card in dealt.kingdom])
        try:
            return _deal_remaining(game, request, source, dealt, unavailable)
        except ExceededBound as problem:
            raise BadOptions("after these vetoes, {fault} Veto other cards.", fault=problem.message) from None
    dealt.lay_out_turned_up()
    values = ("count", request.veto_count), ("number", turn_up.get_count(request.settings))
    template = "Veto up to {count} of these cards. The first {number} of the others stay."
    dealt.notes.append(TableNote(Message(template, values)))
    return dealt


def _deal_remaining(
    game: Game, request: Request, source: DrawSource, dealt: Table, unavailable: Collection[str]
) -> Table:
    """Deal a table on which the remaining cards are turned up, in the order in which they were dealt.

    Args:
        game: the game to deal.
        request: the options of the deal, with the vetoed cards.
        source: the source of the cards of that deal.
        dealt: the table with all dealt cards.
        unavailable: the names of piles and landscapes that may not be chosen.
    """
    vetoed = request.vetoed or ()
    # Landscapes from a deck of their own are drawn again, with the same result.
    has_landscape_deck = request.settings.get("landscapes_from") == "deck"
    turned_up = dealt.kingdom if has_landscape_deck else dealt.turned_up
    remaining = [card for card in turned_up if card.name not in vetoed]
    predetermined = {**source.predetermined, _RANDOMIZERS: remaining}
    stacked = {question: names for question, names in source.stacked.items() if question != _RANDOMIZERS}
    source = source._replace(predetermined=predetermined, stacked=stacked)
    dealer = Dealer(game, request, source, Exclusions(removed=(*vetoed, *unavailable)))
    dealer.run_opening(game.opening)
    if request.wishes.wants:
        _require_bounds(game, request, dealer.table)
    dealer.apply_remaining_effects()
    return dealer.table


def _require_bounds(game: Game, request: Request, table: Table) -> None:
    """Check that the remaining cards do not exceed the upper bound of a wish.

    Raises:
        BadOptions: they exceed one.
    """
    from randomizer.deal.wishes.bounds import get_upper_bounds  # Deals without wishes start faster.

    bounds = get_upper_bounds(game, request)
    if bounds and (exceeded := bounds.find_exceeded(bounds.collect_counted_cards(table))):
        wish = Verbatim(exceeded.text)
        raise BadOptions("after these vetoes, too many cards match {wish}; veto other cards.", wish=wish)


def _draw_extra_cards(game: Game, request: Request, turn_up: TurnUp, dealt: Table) -> list[Card]:
    """Draw the extra Kingdom cards.

    Wishes for required cards have already been met. The extra cards do not violate the other wishes, if
    possible: for example, all dealt cards together do not include more than the wanted number of Attacks.

    Raises:
        TooFewCards: the chosen boxes do not contain enough Kingdom cards.
    """
    extra: Sequence[Card] = ()
    if request.wishes:  # The modules for wishes are imported only if needed.
        from randomizer.deal.wishes.planning import predetermine_second_deal

        rules = turn_up._replace(count_=Amount(request.veto_count), most=Amount(0), limits=(), extra=())
        names = [card.name for card in (*dealt.kingdom, *dealt.landscapes.values())]
        random_sources = create_random_sources(f"{request.seed}\0{_EXTRA}")
        predetermined, _ = predetermine_second_deal(
            game, request, rules, random_sources, [*dealt.in_use()], names
        )
        extra = predetermined.get(_RANDOMIZERS, ())
    extra = extra or dealt.unused.draw(_EXTRA, turn_up.is_, request.veto_count)
    found = len(dealt.kingdom) + len(extra)
    wanted = turn_up.get_count(request.settings) + request.veto_count
    dealt.unused.pool.require_enough(found, wanted, "Kingdom cards", turn_up.is_)
    return [*extra]


def _check_vetoes(vetoed: Sequence[str], max_count: int, dealt: Sequence[str]) -> None:
    """Check that vetoes are valid.

    Args:
        vetoed: the names of the vetoed cards.
        max_count: the maximum number of vetoes.
        dealt: the names of the dealt Kingdom cards, which may be vetoed.

    Raises:
        BadOptions: a card is not among the dealt cards or is vetoed twice, or there are too many vetoes.
    """
    for index, name in enumerate(vetoed):
        if name not in dealt:
            template = "{card} can't be vetoed: it is not among the {count} dealt Kingdom cards."
            raise BadOptions(template, card=name, count=len(dealt))
        if name in vetoed[:index]:
            raise BadOptions("{card} is vetoed twice.", card=name)
    if len(vetoed) > max_count:
        template = "{number} cards are vetoed, but this table allows at most {most}."
        raise BadOptions(template, number=len(vetoed), most=max_count)
