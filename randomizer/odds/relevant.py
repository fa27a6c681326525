"""What certainly follows a card; which choices among the unused cards may bring a wanted one out, and what
comes of the cards that they take.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.model import Query
from randomizer.cards.pool import Pool


class Brings(NamedTuple):
    """What comes with a card in use, without chance: cards, choices, and the names of all choices."""

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class Closure:
    """What each card brings: the cards that follow it, members of mixed piles, and theirs in turn."""

    def __init__(self, game: Game, pool: Pool) -> None:
        self._game = game
        self._pool = pool
        self._known: dict[str, Brings] = {}

    def of(self, name: str) -> Brings:
        """What this card brings, itself among it."""
        if name not in self._known:
            names, choices, slots, found = {name}, set(), set(), [name]
            while found:
                cause = found.pop()
                more = [member for member, _ in self._game.cards[cause].pile]
                for effect in self._game.setup.get(cause, ()):
                    more += effect.brings(self._pool)
                    if choice := effect.choice(cause):
                        slots.add(choice.slot)
                        if not choice.certain:
                            choices.add(choice)
                found += set(more) - names
                names.update(more)
            self._known[name] = Brings(frozenset(names), frozenset(choices), frozenset(slots))
        return self._known[name]


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

    Those that may lead to one are `leading`, followed or not.

    Args:
        game, pool: the cards, and those that are dealt from.
        closure: what each of them brings.
        wanted: names of cards; one of them is enough.
        elsewhere: names of cards that may come into use in other ways, so that no choice of them is followed.
        most: how many choices to follow of those that may take one another's cards, the first ones; how many
            there are is `followed`. Later ones are `left_out`, and so are those of more cards than one, and
            whatever depends on what they leave.
    """

    def __init__(
        self,
        game: Game,
        pool: Pool,
        closure: Closure,
        wanted: Iterable[str],
        elsewhere: Set[str],
        most: int,
    ) -> None:
        self._game = game
        self._pool = pool
        self._closure = closure
        self._wanted = frozenset(wanted)
        self._elsewhere = elsewhere
        self._choices: list[Choice] = []
        self.left_out: tuple[str, ...] = ()
        self.followed = 0
        self._find(most)
        self._fitting = [self._drawn(choice) for choice in self._choices]

    def outcome(self, name: str) -> Outcome:
        """What comes of the card once it is in use."""
        brings = self._closure.of(name)
        asks = sum(1 << number for number, choice in enumerate(self._choices) if choice in brings.choices)
        return Outcome(asks, not self._wanted.isdisjoint(brings.names))

    def _find(self, most: int) -> None:
        every = [self._closure.of(card.name) for card in self._pool.find_cards(Query())]
        asked = {
            choice for brings in every if self._wanted.isdisjoint(brings.names) for choice in brings.choices
        }
        leading: set[Choice] = set()
        while new := {choice for choice in asked - leading if self._leads(choice, leading)}:
            leading |= new
        self.leading = tuple(choice.slot for choice in sorted(leading, key=lambda choice: self._rank(choice)))
        matter = set(leading)
        while new := {choice for choice in asked - matter if self._meets(choice, matter)}:
            matter |= new
        ranks = Counter(map(self._rank, matter))
        unknown: list[Choice] = []
        for choice in sorted(matter, key=lambda choice: (self._rank(choice), choice.slot)):
            alone = not any(self._share(choice, other) for other in matter - {choice})
            kept = choice.single and self._elsewhere.isdisjoint(self._drawn(choice))
            known = kept and not any(self._share(choice, other) for other in unknown)
            if known and ranks[self._rank(choice)] == 1 and (alone or self.followed < most):
                self._choices.append(choice)
                self.followed += not alone
            else:
                unknown.append(choice)
        self.left_out = tuple(choice.slot for choice in unknown if choice in leading)

    def _rank(self, choice: Choice) -> tuple[int, int]:
        return self._game.get_choice_rank(choice)

    def _leads(self, choice: Choice, known: Set[Choice]) -> bool:
        """Whether it may take a wanted card, or one that asks for a choice that may."""
        brought = [self._closure.of(name) for names in self._drawn(choice).values() for name in names]
        return any(
            not self._wanted.isdisjoint(brings.names) or not known.isdisjoint(brings.choices)
            for brings in brought
        )

    def _meets(self, choice: Choice, known: Set[Choice]) -> bool:
        """Whether it may take a card that one of the known choices could take, or that asks for one.

        Or goes by the same name as one: of those only the first is made.
        """
        return self._leads(choice, known) or any(
            choice.slot == other.slot or self._share(choice, other) for other in known
        )

    def _share(self, one: Choice, other: Choice) -> bool:
        """Whether there are cards that either may take."""
        return not self._drawn(one).keys().isdisjoint(self._drawn(other))

    def _drawn(self, choice: Choice) -> Mapping[str, list[str]]:
        """By the name of the pile that is taken, the cards of which one comes into use."""
        if choice.to in ("aside", "deck"):
            return {
                name: [card.name for card in cards]
                for name, cards in self._pool.find_single_cards(choice.query).items()
            }
        return {card.name: [card.name] for card in self._pool.find_cards(choice.query)}

    def groups(self, names: Iterable[str]) -> list[Group]:
        """The cards in groups of those that are alike."""
        alike = Counter(map(self.alike, names))
        return [group._replace(number=number) for group, number in alike.items()]

    def alike(self, name: str) -> Group:
        """The card, as a group of one."""
        drawn = [self._outcomes(fitting.get(name, ())) for fitting in self._fitting]
        return Group(1, self.outcome(name), tuple(drawn))

    def others(self, names: Set[str]) -> Set[str]:
        """The piles besides these that may be taken."""
        return {name for choice in self._choices for name in self._drawn(choice)} - names

    def _outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        outcomes = list(map(self.outcome, names))
        return tuple(outcomes[:1] if len(set(outcomes)) == 1 else outcomes)
