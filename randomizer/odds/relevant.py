"""The choices that affect whether a target card comes into use, and their possible outcomes.

The event whose probability is computed is that at least one of the target cards comes into use. A choice,
such as that of the Bane, takes unused cards at random. A card triggers a choice if bringing the card into use
certainly leads to the choice. Choices are numbered in the order in which they are made. A set of choices is
an integer used as a bit mask: bit i stands for choice i.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.model import Query
from randomizer.cards.pool import Pool
from randomizer.deal.wishes.bounds import UpperBounds
from randomizer.deal.wishes.consequences import ConsequenceClosure


class Outcome(NamedTuple):
    """What bringing a card into use leads to.

    Attributes:
        triggers: the choices that the card triggers, as a bit mask.
        is_target: whether the card is a target card or certainly brings one into use.
    """

    triggers: int
    is_target: bool


class ChoiceClass(NamedTuple):
    """A class of cards that are interchangeable for the choices.

    Attributes:
        size: the number of cards.
        outcome: the outcome of bringing one of the cards into use as a pile.
        draw_outcomes: for each choice, the equally likely outcomes if the choice takes one of the cards;
            empty for a choice that cannot take any of them.
    """

    size: int
    outcome: Outcome
    draw_outcomes: tuple[tuple[Outcome, ...], ...]


class RelevantChoices:
    """The choices to follow in order to compute the probability that a target card comes into use.

    A choice is leading if it may take a target card, or a card that triggers another leading choice. Choices
    that affect a leading choice are relevant, too: for example, they may take the same cards before it.

    Args:
        game: the game.
        pool: the cards of the chosen boxes.
        closure: the consequences of each card.
        targets: the names of the target cards.
        reachable_otherwise: the names of cards that may also come into use in ways that are not followed. A
            choice that may take one of these cards is not followed either.
        max_followed: the maximum number of choices to follow among those that compete with others for cards.
        bounds: the upper bounds of the wishes; None if there are none. Choices also compete if they may take
            cards that count for the same bound.
        watched_slots: the slots of choices that are followed in any case, and count as leading.

    Attributes:
        followed: the choices that are followed.
        leading_slots: the slots of all leading choices, followed or not.
        left_out_slots: the slots of the leading choices that are not followed. A choice is not followed if it
            takes several cards, may take a card in `reachable_otherwise`, has no definite order, exceeds
            `max_followed`, or competes for cards with another choice that is not followed.
        followed_count: the number of followed choices that compete with others for cards.
    """

    def __init__(
        self,
        game: Game,
        pool: Pool,
        closure: ConsequenceClosure,
        targets: Iterable[str],
        reachable_otherwise: Set[str],
        max_followed: int,
        bounds: UpperBounds | None = None,
        watched_slots: Set[str] = frozenset(),
    ) -> None:
        self._watched_slots = watched_slots
        self._bounds = bounds
        self._game = game
        self._pool = pool
        self._closure = closure
        self._targets = frozenset(targets)
        self._reachable_otherwise = reachable_otherwise
        self.followed: list[Choice] = []
        self.left_out_slots: tuple[str, ...] = ()
        self.followed_count = 0
        self._find_choices(max_followed)
        self._candidates_by_choice = [self._map_candidates(choice) for choice in self.followed]

    def get_outcome(self, name: str) -> Outcome:
        """Return the outcome of bringing the card with this name into use."""
        consequences = self._closure.get_consequences(name)
        triggers = sum(
            1 << index for index, choice in enumerate(self.followed) if choice in consequences.choices
        )
        return Outcome(triggers, not self._targets.isdisjoint(consequences.names))

    def get_candidates(self, index: int, name: str) -> Sequence[str]:
        """Return the names of the cards that a choice may take from a pile, given the choice's index."""
        return self._candidates_by_choice[index].get(name, ())

    def classify(self, names: Iterable[str]) -> list[ChoiceClass]:
        """Return the classes of interchangeable cards that the cards with these names form."""
        sizes = Counter(map(self.classify_card, names))
        return [card_class._replace(size=size) for card_class, size in sizes.items()]

    def classify_card(self, name: str) -> ChoiceClass:
        """Return a class that contains only the card with this name."""
        draw_outcomes = [
            self._list_outcomes(candidates.get(name, ())) for candidates in self._candidates_by_choice
        ]
        return ChoiceClass(1, self.get_outcome(name), tuple(draw_outcomes))

    def find_other_piles(self, names: Set[str]) -> Set[str]:
        """Return the names of the piles that the choices may take, except the given ones."""
        return {name for candidates in self._candidates_by_choice for name in candidates} - names

    def _find_choices(self, max_followed: int) -> None:
        """Find the leading and the relevant choices, and decide which of them to follow."""
        all_consequences = [
            self._closure.get_consequences(card.name) for card in self._pool.find_cards(Query())
        ]
        all_choices = {
            choice
            for consequences in all_consequences
            if self._targets.isdisjoint(consequences.names)
            for choice in consequences.choices
        }
        leading = {choice for choice in all_choices if choice.slot in self._watched_slots}
        while found := {choice for choice in all_choices - leading if self._leads_to_target(choice, leading)}:
            leading |= found
        self.leading_slots = tuple(choice.slot for choice in sorted(leading, key=self._game.get_choice_rank))
        relevant = set(leading)
        while found := {
            choice for choice in all_choices - relevant if self._affects_relevant_choice(choice, relevant)
        }:
            relevant |= found
        rank_counts = Counter(map(self._game.get_choice_rank, relevant))
        not_followed: list[Choice] = []
        for choice in sorted(relevant, key=lambda choice: (self._game.get_choice_rank(choice), choice.slot)):
            has_no_rivals = not any(self._overlap(choice, other) for other in relevant - {choice})
            can_follow = (
                choice.is_single
                and self._reachable_otherwise.isdisjoint(self._map_candidates(choice))
                and not any(self._overlap(choice, other) for other in not_followed)
                and rank_counts[self._game.get_choice_rank(choice)] == 1
            )
            if can_follow and (has_no_rivals or self.followed_count < max_followed):
                self.followed.append(choice)
                self.followed_count += not has_no_rivals
            else:
                not_followed.append(choice)
        self.left_out_slots = tuple(choice.slot for choice in not_followed if choice in leading)

    def _leads_to_target(self, choice: Choice, leading: Set[Choice]) -> bool:
        """Return whether the choice may take a target card or a card that triggers a leading choice."""
        return any(
            not self._targets.isdisjoint(consequences.names) or not leading.isdisjoint(consequences.choices)
            for names in self._map_candidates(choice).values()
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
        """Return whether the two choices compete for cards that both may take, or for an upper bound."""
        if self._bounds and not self._bounds.find_affected_wishes(choice).isdisjoint(
            self._bounds.find_affected_wishes(other)
        ):
            return True
        return not self._map_candidates(choice).keys().isdisjoint(self._map_candidates(other))

    def _map_candidates(self, choice: Choice) -> Mapping[str, list[str]]:
        """Map each pile that the choice may take to its candidate cards, exactly one of which comes into use.

        The keys and the cards are names.
        """
        if choice.to in ("aside", "deck"):
            return {
                name: [card.name for card in cards]
                for name, cards in self._pool.find_single_cards(choice.query).items()
            }
        return {card.name: [card.name] for card in self._pool.find_cards(choice.query)}

    def _list_outcomes(self, names: Iterable[str]) -> tuple[Outcome, ...]:
        """Return the outcomes of equally likely cards; a single outcome if all of them are equal."""
        outcomes = list(map(self.get_outcome, names))
        return tuple(outcomes[:1] if len(set(outcomes)) == 1 else outcomes)
