"""The choices that affect whether a target card comes into use, and their possible outcomes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.model import Query
from randomizer.cards.pool import Pool


class Consequences(NamedTuple):
    """The certain consequences of bringing a card into use.

    Attributes:
        names: the names of the cards that are then in use, including the card itself.
        choices: the choices that are then made and depend on chance.
        slots: the slots of all choices that are then made.
    """

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class Closure:
    """The certain consequences of each card, direct and indirect.

    This is the transitive closure of the relation "certainly brings into use"
    (https://en.wikipedia.org/wiki/Transitive_closure).
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
    """The effect of bringing a card into use.

    Attributes:
        triggers: the choices that it triggers, as a bit mask.
        is_target: whether it is a target card or certainly brings one into use.
    """

    triggers: int
    is_target: bool


class ChoiceClass(NamedTuple):
    """A class of cards that are interchangeable for the choices.

    Attributes:
        size: the number of cards.
        outcome: the outcome if one of the cards comes into use as a pile.
        drawn: for each choice, the equally likely outcomes of taking one of the cards; empty if it cannot.
    """

    size: int
    outcome: Outcome
    drawn: tuple[tuple[Outcome, ...], ...]


class RelevantChoices:
    """The choices that may lead to a target card, or may take a card that such a choice needs, in order.

    Args:
        game: the game.
        pool: the cards of the chosen boxes.
        closure: the consequences of each card.
        targets: the names of the target cards.
        elsewhere: the names of cards that may come into use in other ways. A choice that may take one of them
            is not followed.
        max_followed: the maximum number of choices to follow among those that compete for the same cards.

    Attributes:
        leading: the slots of the choices that may lead to a target card, followed or not.
        left_out: the slots of the leading choices that are not followed. These are choices of several cards,
            of cards in `elsewhere`, without a definite order, or beyond `max_followed`, and choices that
            compete with one of these for the same cards.
        followed: the number of followed choices that compete for the same cards.
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
        """Group cards that are interchangeable for the choices."""
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
        all_consequences = [
            self._closure.get_consequences(card.name) for card in self._pool.find_cards(Query())
        ]
        triggered = {
            choice
            for consequences in all_consequences
            if self._targets.isdisjoint(consequences.names)
            for choice in consequences.choices
        }
        leading: set[Choice] = set()
        while new := {choice for choice in triggered - leading if self._leads_to_target(choice, leading)}:
            leading |= new
        self.leading = tuple(choice.slot for choice in sorted(leading, key=self._game.get_choice_rank))
        relevant = set(leading)
        while new := {
            choice for choice in triggered - relevant if self._affects_relevant_choice(choice, relevant)
        }:
            relevant |= new
        ranks = Counter(map(self._game.get_choice_rank, relevant))
        not_followed: list[Choice] = []
        for choice in sorted(relevant, key=lambda choice: (self._game.get_choice_rank(choice), choice.slot)):
            is_alone = not any(self._overlap(choice, other) for other in relevant - {choice})
            can_follow = (
                choice.is_single
                and self._elsewhere.isdisjoint(self._find_piles(choice))
                and not any(self._overlap(choice, other) for other in not_followed)
                and ranks[self._game.get_choice_rank(choice)] == 1
            )
            if can_follow and (is_alone or self.followed < max_followed):
                self._choices.append(choice)
                self.followed += not is_alone
            else:
                not_followed.append(choice)
        self.left_out = tuple(choice.slot for choice in not_followed if choice in leading)

    def _leads_to_target(self, choice: Choice, leading: Set[Choice]) -> bool:
        """Return whether the choice may take a target card, or one that triggers a leading choice."""
        return any(
            not self._targets.isdisjoint(consequences.names) or not leading.isdisjoint(consequences.choices)
            for names in self._find_piles(choice).values()
            for consequences in map(self._closure.get_consequences, names)
        )

    def _affects_relevant_choice(self, choice: Choice, relevant: Set[Choice]) -> bool:
        """Return whether the choice may affect a relevant one.

        It does if it leads to a relevant choice, competes with one for the same cards, or has the same slot
        as one. Of several choices with the same slot, only the first is made.
        """
        return self._leads_to_target(choice, relevant) or any(
            choice.slot == other.slot or self._overlap(choice, other) for other in relevant
        )

    def _overlap(self, choice: Choice, other: Choice) -> bool:
        """Return whether there are cards that both choices may take."""
        return not self._find_piles(choice).keys().isdisjoint(self._find_piles(other))

    def _find_piles(self, choice: Choice) -> Mapping[str, list[str]]:
        """Map the name of each pile that the choice may take to the cards of which one comes into use."""
        if choice.to in ("aside", "deck"):
            return {
                name: [card.name for card in cards]
                for name, cards in self._pool.find_single_cards(choice.query).items()
            }
        return {card.name: [card.name] for card in self._pool.find_cards(choice.query)}

    def _list_outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        """Return the equally likely outcomes of these cards, or a single outcome if all are equal."""
        outcomes = list(map(self.get_outcome, names))
        return tuple(outcomes[:1] if len(set(outcomes)) == 1 else outcomes)
