"""The choices that affect whether a target card comes out, and the outcomes of the cards they take."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.model import Query
from randomizer.cards.pool import Pool


class Consequences(NamedTuple):
    """Everything that certainly comes with a card in use.

    Attributes:
        names: the names of the cards, including its own.
        choices: the choices that leave something to chance.
        slots: the names of all choices.
    """

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class Closure:
    """The consequences of each card: the cards that follow it, the members of mixed piles, and so on.

    This is the transitive closure of "certainly brings" (https://en.wikipedia.org/wiki/Transitive_closure).
    """

    def __init__(self, game: Game, pool: Pool) -> None:
        self._game = game
        self._pool = pool
        self._cache: dict[str, Consequences] = {}

    def get_consequences(self, name: str) -> Consequences:
        """Return the consequences of the card with this name."""
        if name not in self._cache:
            names, choices, slots, queue = {name}, set(), set(), [name]
            while queue:
                cause = queue.pop()
                followers = [member for member, _ in self._game.cards[cause].pile]
                for effect in self._game.setup.get(cause, ()):
                    followers += effect.brings(self._pool)
                    if choice := effect.choice(cause):
                        slots.add(choice.slot)
                        if not choice.is_certain:
                            choices.add(choice)
                queue += set(followers) - names
                names.update(followers)
            self._cache[name] = Consequences(frozenset(names), frozenset(choices), frozenset(slots))
        return self._cache[name]


class Outcome(NamedTuple):
    """The outcome of a card in use.

    Attributes:
        triggers: the choices that it triggers, as a bit mask.
        is_target: whether it is a target card or certainly brings one.
    """

    triggers: int
    is_target: bool


class ChoiceClass(NamedTuple):
    """A class of cards that are interchangeable for the choices.

    Attributes:
        size: the number of cards.
        outcome: the outcome of one of them as a pile.
        drawn: for each choice, the equally likely outcomes if it takes one of them; empty if it cannot.
    """

    size: int
    outcome: Outcome
    drawn: tuple[tuple[Outcome, ...], ...]


class RelevantChoices:
    """The choices that may lead to a target card or take a card from one that may, in their order.

    Args:
        game, pool: the game, and the cards of its chosen boxes.
        closure: the consequences of each card.
        targets: the names of the target cards.
        elsewhere: the names of cards that may come into use in other ways. A choice of them is not followed.
        max_followed: the maximum number of choices to follow of those that may take cards of each other.

    Attributes:
        leading: the slots of the choices that may lead to a target card, followed or not.
        left_out: the slots of the leading choices that are not followed: the last ones of those that may take
            cards of each other, those of several cards, and those that depend on what these leave.
        followed: the number of followed choices that may take cards of each other.
    """

    def __init__(
        self,
        game: Game,
        pool: Pool,
        closure: Closure,
        targets: Iterable[str],
        elsewhere: Set[str],
        max_followed: int,
    ) -> None:
        self._game = game
        self._pool = pool
        self._closure = closure
        self._targets = frozenset(targets)
        self._elsewhere = elsewhere
        self._choices: list[Choice] = []
        self.left_out: tuple[str, ...] = ()
        self.followed = 0
        self._find_choices(max_followed)
        self._piles = [self._find_piles(choice) for choice in self._choices]

    def get_outcome(self, name: str) -> Outcome:
        """Return the outcome of the card once it is in use."""
        consequences = self._closure.get_consequences(name)
        triggers = sum(
            1 << index for index, choice in enumerate(self._choices) if choice in consequences.choices
        )
        return Outcome(triggers, not self._targets.isdisjoint(consequences.names))

    def classify(self, names: Iterable[str]) -> list[ChoiceClass]:
        """Group the cards into classes of interchangeable ones."""
        sizes = Counter(map(self.classify_card, names))
        return [card_class._replace(size=size) for card_class, size in sizes.items()]

    def classify_card(self, name: str) -> ChoiceClass:
        """Return the card as a class of one."""
        drawn = [self._list_outcomes(piles.get(name, ())) for piles in self._piles]
        return ChoiceClass(1, self.get_outcome(name), tuple(drawn))

    def find_other_piles(self, names: Set[str]) -> Set[str]:
        """Return the names of the piles that the choices may take, without these names."""
        return {name for piles in self._piles for name in piles} - names

    def _find_choices(self, max_followed: int) -> None:
        """Find the leading and the relevant choices, and decide which of them to follow."""
        every = [self._closure.get_consequences(card.name) for card in self._pool.find_cards(Query())]
        triggered = {
            choice
            for consequences in every
            if self._targets.isdisjoint(consequences.names)
            for choice in consequences.choices
        }
        leading: set[Choice] = set()
        while new := {choice for choice in triggered - leading if self._leads(choice, leading)}:
            leading |= new
        self.leading = tuple(choice.slot for choice in sorted(leading, key=self._game.get_choice_rank))
        relevant = set(leading)
        while new := {choice for choice in triggered - relevant if self._interferes(choice, relevant)}:
            relevant |= new
        ranks = Counter(map(self._game.get_choice_rank, relevant))
        unknown: list[Choice] = []
        for choice in sorted(relevant, key=lambda choice: (self._game.get_choice_rank(choice), choice.slot)):
            is_alone = not any(self._overlap(choice, other) for other in relevant - {choice})
            can_follow = (
                choice.is_single
                and self._elsewhere.isdisjoint(self._find_piles(choice))
                and not any(self._overlap(choice, other) for other in unknown)
                and ranks[self._game.get_choice_rank(choice)] == 1
            )
            if can_follow and (is_alone or self.followed < max_followed):
                self._choices.append(choice)
                self.followed += not is_alone
            else:
                unknown.append(choice)
        self.left_out = tuple(choice.slot for choice in unknown if choice in leading)

    def _leads(self, choice: Choice, leading: Set[Choice]) -> bool:
        """Return whether the choice may take a target card, or one that triggers a leading choice."""
        return any(
            not self._targets.isdisjoint(consequences.names) or not leading.isdisjoint(consequences.choices)
            for names in self._find_piles(choice).values()
            for consequences in map(self._closure.get_consequences, names)
        )

    def _interferes(self, choice: Choice, relevant: Set[Choice]) -> bool:
        """Return whether the choice may affect a relevant one.

        It does if it leads to one, may take a card of one, or has the slot of one. Of several choices with
        the same slot, only the first is made.
        """
        return self._leads(choice, relevant) or any(
            choice.slot == other.slot or self._overlap(choice, other) for other in relevant
        )

    def _overlap(self, choice: Choice, other: Choice) -> bool:
        """Return whether there are cards that both choices may take."""
        return not self._find_piles(choice).keys().isdisjoint(self._find_piles(other))

    def _find_piles(self, choice: Choice) -> Mapping[str, list[str]]:
        """Return by name of each pile that may be taken the cards of which one comes into use."""
        if choice.to in ("aside", "deck"):
            return {
                name: [card.name for card in cards]
                for name, cards in self._pool.find_single_cards(choice.query).items()
            }
        return {card.name: [card.name] for card in self._pool.find_cards(choice.query)}

    def _list_outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        """Return the equally likely outcomes of these cards; only one if they are the same."""
        outcomes = list(map(self.get_outcome, names))
        return tuple(outcomes[:1] if len(set(outcomes)) == 1 else outcomes)
