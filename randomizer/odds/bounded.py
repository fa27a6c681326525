"""The exact probability of a miss if choices must not exceed upper bounds of wishes.

The module `states` follows choices that always take the same cards. With an upper bound, the cards that a
choice may take depend on how many cards count for the bound already. So this module starts from compositions
that tell how many cards of each class are turned up, and makes one choice after the other. The laws are those
of `deal.wishes.bounds`: all cards that leave room for forced choices are equally likely.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from randomizer.cards.condition import Wish
from randomizer.deal.wishes.bounds import UpperBounds, counts_for
from randomizer.deal.wishes.goals import State
from randomizer.odds.relevant import Outcome, RelevantChoices
from randomizer.odds.stages import Contribution
from randomizer.odds.states import Composition, TooMuchWork

_ADDITIONS_PER_DRAW = 10  # additions that take about as long as one draw


class DrawClass(NamedTuple):
    """A class of cards that are interchangeable for all choices and upper bounds.

    Attributes:
        draw_outcomes: for each choice, the equally likely outcomes if the choice takes one of the cards.
        increments: for each upper bound, 1 if a card of the class counts for it when chosen, otherwise 0.
        forced_counts: for each choice and upper bound, the number of forced choices that are not followed
            and that a card may require if the choice takes it.
    """

    draw_outcomes: tuple[tuple[Outcome, ...], ...]
    increments: State
    forced_counts: tuple[State, ...]


class TurnedUpClass(NamedTuple):
    """A class of cards that are interchangeable when they are turned up.

    Attributes:
        draw_class: the class of the cards when a choice takes them; None if no choice may take them.
        increments: for each upper bound, 1 if a card of the class counts for it, otherwise 0.
        conditions: for each upper bound, 1 if a card of the class makes its wish apply, otherwise 0.
    """

    draw_class: DrawClass | None
    increments: State
    conditions: State


class BoundedChoices:
    """A calculator that makes the relevant choices without exceeding upper bounds.

    Args:
        choices: the choices to follow.
        bounds: the upper bounds.
        names: the names of all piles and landscapes that the choices may take.
        scarce_slots: the slots of the followed choices that may be left without a suitable card. A deal in
            which that happens is rejected, so it is not a miss.
        max_work: the maximum number of additions.
    """

    def __init__(
        self,
        choices: RelevantChoices,
        bounds: UpperBounds,
        names: Iterable[str],
        scarce_slots: Collection[str],
        max_work: float,
    ) -> None:
        self._scarce_slots = scarce_slots
        self._choices = choices
        self._bounds = bounds
        self._wishes: list[Wish] = [
            wish
            for wish in bounds.wishes
            if any(wish in bounds.find_affected_wishes(choice) for choice in choices.followed)
        ]
        self._forced = [
            sum(
                1 << index
                for index, choice in enumerate(choices.followed)
                if choice.slot in bounds.get_forced_slots(wish)
            )
            for wish in self._wishes
        ]
        self._turned_up_classes: list[TurnedUpClass] = []
        sizes = Counter(filter(None, map(self._get_draw_class, names)))
        self._classes = list(sizes)
        self._sizes = tuple(sizes.values())
        self._leading = self._find_leading_choices()
        self._cache: dict[tuple[int, int, State, State], Fraction] = {}
        self._work_left = max_work

    def get_contribution(self, name: str, is_kingdom_card: bool) -> Contribution:
        """Return the effect of a card that is turned up and used, whether or not it is a Kingdom card."""
        triggers, is_target = self._choices.get_outcome(name)
        turned_up_class = TurnedUpClass(
            self._get_draw_class(name),
            tuple(int(self._bounds.matches(wish.selector, name, is_chosen=False)) for wish in self._wishes),
            tuple(
                int(
                    wish.condition is not None and self._bounds.matches(wish.condition, name, is_chosen=False)
                )
                for wish in self._wishes
            ),
        )
        if not (turned_up_class.draw_class or any(turned_up_class.increments + turned_up_class.conditions)):
            return Contribution(triggers, is_target)
        if turned_up_class not in self._turned_up_classes:
            self._turned_up_classes.append(turned_up_class)
        return Contribution(triggers, is_target, class_index=self._turned_up_classes.index(turned_up_class))

    def compute_joint_miss_probability(
        self, probability_by_composition: Mapping[Composition, Fraction]
    ) -> Fraction:
        """Return the probability that one of the compositions occurs and that the deal is a miss.

        Args:
            probability_by_composition: the probability of each composition without a target card.

        Raises:
            TooMuchWork: the computation takes too many additions.
        """
        return sum(
            (
                probability * self._compute_miss_probability(*self._start(composition))
                for composition, probability in probability_by_composition.items()
            ),
            Fraction(0),
        )

    def _get_draw_class(self, name: str) -> DrawClass | None:
        """Return the class of a card for the choices; None if no choice may take it."""
        draw_outcomes = self._choices.classify_card(name).draw_outcomes
        if not any(draw_outcomes):
            return None
        increments = tuple(
            int(self._bounds.matches(wish.selector, name, is_chosen=True)) for wish in self._wishes
        )
        followed_slots = {choice.slot for choice in self._choices.followed}
        forced_counts = []
        for index in range(len(draw_outcomes)):
            names = self._choices.get_candidates(index, name)
            slots = {slot for each in names for slot in self._bounds.list_slots(each)} - followed_slots
            forced_counts.append(
                tuple(len(slots & self._bounds.get_forced_slots(wish)) for wish in self._wishes)
            )
        return DrawClass(draw_outcomes, increments, tuple(forced_counts))

    def _find_leading_choices(self) -> int:
        """Return the choices that may take a target, may reject a deal, or trigger such a choice.

        The result is a bit mask.
        """
        leading, previous = 0, -1
        for index, choice in enumerate(self._choices.followed):
            if choice.slot in self._scarce_slots:
                leading |= 1 << index
        while leading != previous:
            previous = leading
            for draw_outcomes, _, _ in self._classes:
                for index, outcomes in enumerate(draw_outcomes):
                    if any(outcome.is_target or outcome.triggers & previous for outcome in outcomes):
                        leading |= 1 << index
        return leading

    def _start(self, composition: Composition) -> tuple[int, int, State, State]:
        """Return the state before the first choice: pending and made choices, room, and cards."""
        counts, has_condition = [0] * len(self._wishes), [wish.condition is None for wish in self._wishes]
        remaining = Counter(dict(zip(self._classes, self._sizes, strict=True)))
        for contribution, count in composition.kingdom_counts:
            draw_class, increments, conditions = self._turned_up_classes[contribution.class_index or 0]
            if draw_class:
                remaining[draw_class] -= count
            for index in range(len(counts)):
                counts[index] += count * increments[index]
                has_condition[index] |= bool(conditions[index])
        no_limit = len(self._choices.followed)
        room = tuple(
            min(no_limit, (wish.max_count or 0) - count) if applies else no_limit
            for wish, count, applies in zip(self._wishes, counts, has_condition, strict=True)
        )
        return composition.triggers, 0, room, tuple(remaining[each] for each in self._classes)

    def _compute_miss_probability(self, pending: int, done: int, room: State, remaining: State) -> Fraction:
        """Return the probability that no target card comes into use.

        Args:
            pending: the choices that are due, as a bit mask.
            done: the choices that have been made, as a bit mask.
            room: for each upper bound, how many more cards may count for it.
            remaining: the number of unused cards of each class.
        """
        if not pending & self._leading:
            return Fraction(1)
        key = pending, done, room, remaining
        if key not in self._cache:
            self._cache[key] = self._make_choice(*key)
        return self._cache[key]

    def _make_choice(self, pending: int, done: int, room: State, remaining: State) -> Fraction:
        """Return the probability of a miss, by making the first pending choice in all possible ways."""
        bit = pending & -pending
        index, pending, done = bit.bit_length() - 1, pending & ~bit, done | bit
        choice = self._choices.followed[index]
        counted = [counts_for(choice, wish) for wish in self._wishes]
        total, misses, is_blocked = 0, Fraction(0), False
        for position, (draw_outcomes, increments, forced_counts) in enumerate(self._classes):
            outcomes, count = draw_outcomes[index], remaining[position]
            if not outcomes or not count:
                continue
            new_room = tuple(
                left - (increment and is_counted)
                for left, increment, is_counted in zip(room, increments, counted, strict=True)
            )
            free_room = tuple(left - each for left, each in zip(new_room, forced_counts[index], strict=True))
            if not self._leaves_room(pending, done, outcomes, free_room):
                is_blocked = choice.to != "deck"  # A deck may have fewer cards.
                continue
            self._work_left -= _ADDITIONS_PER_DRAW
            if self._work_left < 0:
                raise TooMuchWork
            total += count
            new_remaining = (*remaining[:position], count - 1, *remaining[position + 1 :])
            misses += sum(
                (
                    Fraction(count, len(outcomes))
                    * self._compute_miss_probability(
                        pending | outcome.triggers & ~done, done, new_room, new_remaining
                    )
                    for outcome in outcomes
                    if not outcome.is_target
                ),
                Fraction(0),
            )
        if not total and is_blocked:  # The deal is rejected.
            return Fraction(0)
        if not total:  # No card is left for the choice.
            return self._compute_miss_probability(pending, done, room, remaining)
        return misses / total

    def _leaves_room(self, pending: int, done: int, outcomes: Sequence[Outcome], room: State) -> bool:
        """Return whether there is room for all forced choices after a card has been taken."""
        for outcome in outcomes:
            pending |= outcome.triggers & ~done
        return all(
            (pending & forced).bit_count() <= left for forced, left in zip(self._forced, room, strict=True)
        )
