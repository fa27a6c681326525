"""Which choices among the unused cards may bring a wanted card out, and what comes of the cards they take."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from randomizer.cards.game import Game
from randomizer.cards.model import Amount, Query
from randomizer.cards.pool import Collection
from randomizer.deal.growing import Deal
from randomizer.odds.closure import Brought, Choice


class Outcome(NamedTuple):
    """What comes of a card in use: the choices that it asks for, as bits, and whether it is wanted."""

    asks: int
    wanted: bool


class Group(NamedTuple):
    """Cards that are alike: how many; what comes of one as a pile; and what of one that is drawn.

    `drawn` has for each choice the outcomes that are equally likely; none where the cards do not fit.
    """

    number: int
    itself: Outcome
    drawn: tuple[tuple[Outcome, ...], ...]


class Choices:
    """The choices that may lead to a wanted card, or take a card from one that may, in their order.

    Args:
        game, collection: the cards, and those that are dealt from.
        brought: what each of them brings.
        wanted: names of cards; one of them is enough.
        elsewhere: names of cards that may come into use in other ways, so that no choice of them is followed.
        most: how many choices to follow of those that may take one another's cards, the first ones; how many
            there are is `followed`. Later ones are `left_out`, and so are those of more cards than one, and
            whatever hangs on what they leave; that is their names.
    """

    def __init__(
        self,
        game: Game,
        collection: Collection,
        brought: Brought,
        wanted: Iterable[str],
        elsewhere: Set[str],
        most: int,
    ) -> None:
        self._game = game
        self._collection = collection
        self._brought = brought
        self._wanted = frozenset(wanted)
        self._elsewhere = elsewhere
        self._choices: list[Choice] = []
        self.left_out: tuple[str, ...] = ()
        self.followed = 0
        self._find(most)

    def outcome(self, name: str) -> Outcome:
        """What comes of the card once it is in use."""
        brings = self._brought.by(name)
        asks = sum(1 << number for number, choice in enumerate(self._choices) if choice in brings.choices)
        return Outcome(asks, not self._wanted.isdisjoint(brings.names))

    def _find(self, most: int) -> None:
        every = [self._brought.by(card.name) for card in self._collection.answering(Query())]
        asked = {
            choice for brings in every if self._wanted.isdisjoint(brings.names) for choice in brings.choices
        }
        leading: set[Choice] = set()
        while new := {choice for choice in asked - leading if self._leads(choice, leading)}:
            leading |= new
        matter = set(leading)
        while new := {choice for choice in asked - matter if self._meets(choice, matter)}:
            matter |= new
        ranks = Counter(map(self._rank, matter))
        unknown: list[Choice] = []
        for choice in sorted(matter, key=lambda choice: (self._rank(choice), choice[0])):
            alone = not any(self._share(choice, other) for other in matter - {choice})
            _, deal = choice
            single = deal.count == Amount(1) and deal.each == "game" and deal.to != "box"
            kept = single and self._elsewhere.isdisjoint(self._drawn(deal))
            known = kept and not any(self._share(choice, other) for other in unknown)
            if known and ranks[self._rank(choice)] == 1 and (alone or self.followed < most):
                self._choices.append(choice)
                self.followed += not alone
            else:
                unknown.append(choice)
        self.left_out = tuple(choice[0] for choice in unknown if choice in leading)

    def _rank(self, choice: Choice) -> tuple[int, int]:
        return self._game.rank((choice[1], choice[0]))

    def _leads(self, choice: Choice, known: Set[Choice]) -> bool:
        """Whether it may take a wanted card, or one that asks for a choice that may."""
        brought = [self._brought.by(name) for names in self._drawn(choice[1]).values() for name in names]
        return any(
            not self._wanted.isdisjoint(brings.names) or not known.isdisjoint(brings.choices)
            for brings in brought
        )

    def _meets(self, choice: Choice, known: Set[Choice]) -> bool:
        """Whether it may take a card that one of the known choices could take, or that asks for one.

        Or goes by the same name as one: of those only the first is made.
        """
        return self._leads(choice, known) or any(
            choice[0] == other[0] or self._share(choice, other) for other in known
        )

    def _share(self, one: Choice, other: Choice) -> bool:
        """Whether there are cards that either may take."""
        return not self._drawn(one[1]).keys().isdisjoint(self._drawn(other[1]))

    def _drawn(self, deal: Deal) -> Mapping[str, list[str]]:
        """By the name of the pile that is taken, the cards of which one comes into use."""
        if deal.to in ("aside", "deck"):
            return {
                name: [card.name for card in cards]
                for name, cards in self._collection.singly(deal.is_).items()
            }
        return {card.name: [card.name] for card in self._collection.answering(deal.is_)}

    def groups(self, names: Iterable[str]) -> list[Group]:
        """The cards in groups of those that are alike."""
        drawn = [self._drawn(deal) for _, deal in self._choices]
        alike = Counter(
            (self.outcome(name), tuple(self._outcomes(choice.get(name, ())) for choice in drawn))
            for name in names
        )
        return [Group(number, *key) for key, number in alike.items()]

    def others(self, names: Set[str]) -> Set[str]:
        """The piles besides these that may be taken."""
        return {name for _, deal in self._choices for name in self._drawn(deal)} - names

    def _outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        outcomes = list(map(self.outcome, names))
        return tuple(outcomes[:1] if len(set(outcomes)) == 1 else outcomes)
