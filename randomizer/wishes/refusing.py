"""Why wishes cannot be met, with the wish and the numbers."""

from collections.abc import Sequence

from randomizer.errors import BadOptions, all_of
from randomizer.wishes.counting import MOST_WORK
from randomizer.wishes.selector import LANDSCAPE
from randomizer.wishes.sought import Sought
from randomizer.wishes.wish import Asked, Wish


def refuse_impossible(sought: Sought, asked: Asked) -> None:
    """Refuse wishes that no deal can meet; quietly go on where that cannot be told in time.

    Raises:
        BadOptions: some of them cannot be met, or not together.
    """
    every: list[str | Wish] = [*asked.cards, *asked.wants]

    def possible(items: Sequence[str | Wish]) -> bool:
        cards = [item for item in items if isinstance(item, str)]
        wants = [item for item in items if isinstance(item, Wish)]
        return sought.turning(cards, wants).possible(MOST_WORK) is not False

    for wish in asked.wants:
        if not possible([wish]):
            raise BadOptions(_alone(wish, sought))
    if not possible(asked.cards):
        raise BadOptions(_together(asked.cards, sought))
    if possible(every):
        return
    needed = every
    for item in every[:20]:
        fewer = [other for other in needed if other is not item]
        if not possible(fewer):
            needed = fewer
    texts = [f"--with {item}" if isinstance(item, str) else item.text for item in needed]
    if len(texts) == 2:
        raise BadOptions(f"{texts[1]} contradicts {texts[0]}.")
    raise BadOptions(f"these cannot all be met: {'; '.join(texts)}.")


def _alone(wish: Wish, sought: Sought) -> str:
    """Why a wish cannot be met by itself, with the numbers."""
    selector, least, _, _ = wish
    fitting, deck = sought.fitting(selector), sought.deck
    if len(fitting) < least:
        landscapes = [one for one in sought.profiles.values() if LANDSCAPE in one.values["kind"]]
        elsewhere = any(map(selector.holds, landscapes))
        if not fitting and elsewhere:
            how = "is not turned up, but comes when other cards ask for it"
            return f"{wish.text}: what fits {selector.text} {how}."
        cards = "card fits" if len(fitting) == 1 else "cards fit"
        few = f"only {len(fitting)} {cards}" if fitting else "no card fits"
        return f"{few} {selector.text} in the boxes that are dealt from: {least} wanted."
    others = sum(card.name not in fitting for card in deck.kingdom)
    used = f"{deck.turn_up.count_} Kingdom cards and at most {deck.most} landscapes are turned up"
    if others < deck.turn_up.count_ and least <= deck.turn_up.count_ + deck.most:
        return f"{wish.text} cannot be met: {used}, and only {others} of the Kingdom cards do not fit."
    return f"{wish.text} cannot be met: {used}."


def _together(names: Sequence[str], sought: Sought) -> str:
    """Why cards that are asked for cannot come together."""
    deck = sought.deck
    kingdom = [card.name for card in deck.kingdom if card.name in names]
    others = [name for name in names if name not in kingdom]
    if len(kingdom) > deck.turn_up.count_:
        return f"{len(kingdom)} Kingdom cards are asked for: {deck.turn_up.count_} are turned up."
    if len(others) > deck.most:
        return f"{all_of(others)} are asked for: at most {deck.most} landscapes are used."
    limits = {str(kind): amount.chosen(deck.settings) or 0 for kind, amount in deck.turn_up.limits}
    alike = [card for card in deck.landscapes if card.name in others and card.kind in limits]
    return f"{all_of([card.name for card in alike])} cannot be used together."
