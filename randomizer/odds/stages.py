"""The stages of a deal: which choices are still due, and which cards must be distinguished for them.

The module `relevant` explains targets, triggers, and sets of choices as bit masks. Cards that affect the
result in the same way only need to be counted. Therefore, cards are classified by these terms:

- The eligibility of a card is the set of the choices that may take it.
- An unseen card may be in the Kingdom: nothing has revealed yet whether it was turned up.
- A free card is known not to be in the Kingdom, and must be distinguished from others by its class, because a
  choice that takes it may lead to a target card or trigger a relevant choice.
- A spare card is known not to be in the Kingdom, and its class does not matter. It only makes it less likely
  that a choice takes another card, so only its eligibility is recorded.

A state of the deal consists of a stage and of counts: the unseen and spare cards by eligibility, and the
number of unseen cards in the Kingdom. The counts are packed into one integer.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import reduce
from operator import or_
from typing import NamedTuple

from randomizer.odds.relevant import ChoiceClass, Outcome, RelevantChoices

# (class, number of cards) pairs. A class is an index of `Stages.classes` or, for spare cards, an eligibility.
ClassCounts = tuple[tuple[int, int], ...]


class Stage(NamedTuple):
    """The progress of a deal before a choice, except for the counts that make up the rest of a state.

    Attributes:
        pending: the choices that are due, as a bit mask.
        done: those choices already made that another card might trigger again, as a bit mask.
        relevant: the choices, due or not, that can still affect whether a target card comes into use, as a
            bit mask.
        free_counts: the number of free cards of each class.
    """

    pending: int
    done: int
    relevant: int
    free_counts: ClassCounts

    @property
    def choice(self) -> int:
        """The index of the next choice, which is the first of the pending ones."""
        return (self.pending & -self.pending).bit_length() - 1


class StageEntry(NamedTuple):
    """The stage that a deal enters, and the number of free cards that become spare there, by eligibility."""

    stage: Stage
    spare_counts: ClassCounts


class Draw(NamedTuple):
    """A way in which a choice takes a free card.

    Attributes:
        card_count: the number of free cards of the class from which the choice takes one.
        outcome_count: the number of equally likely outcomes of taking a card of this class. The draw is for
            one of them.
        spare_counts: the number of free cards that then become spare, by eligibility.
    """

    card_count: int
    outcome_count: int
    spare_counts: ClassCounts


class Transitions(NamedTuple):
    """The ways in which a choice leads to one particular stage.

    Attributes:
        spare_without_draw: a single item if the choice leads to the stage when it takes no free card:
            the number of free cards that then become spare, by eligibility. Otherwise empty.
        draws: the ways in which the choice takes a free card.
    """

    spare_without_draw: list[ClassCounts]
    draws: list[Draw]


class Contribution(NamedTuple):
    """The effect of a card that is turned up and used.

    Attributes:
        triggers: the choices that the card triggers, as a bit mask.
        is_target: whether the card is a target card or certainly brings one into use.
        eligibility: the choices that can no longer take the card because it is in the Kingdom, as a bit mask.
        class_index: the index of the class, if the card is a Kingdom card that triggers choices and is not a
            target; otherwise None.
    """

    triggers: int = 0
    is_target: bool = False
    eligibility: int = 0
    class_index: int | None = None


class Stages:
    """The stages of a deal, and the transitions between them.

    Args:
        choices: the choices to follow.
        kingdom: the names of the Kingdom cards that may be turned up.

    Attributes:
        plain_counts: the number of Kingdom cards that trigger no choice and are not targets, by eligibility.
        classes: the classes of all other cards. The cards of a class are interchangeable.
        class_eligibilities: the eligibility of the cards of each class.
        classes_by_triggers: the indexes of the classes of Kingdom cards that trigger choices and are not
            targets, by these choices.
        outside_counts: the number of cards of each class that is not in `classes_by_triggers`. They are free
            cards in every deal that is followed: either they are not Kingdom cards, or they are targets, and
            a deal with a target in the Kingdom need not be followed.
    """

    def __init__(self, choices: RelevantChoices, kingdom: Set[str]) -> None:
        self.plain_counts: dict[int, int] = defaultdict(int)
        self.classes: list[ChoiceClass] = []
        self.classes_by_triggers: dict[int, list[int]] = defaultdict(list)
        self._choices = choices
        for card_class in choices.classify(kingdom):
            if not any(card_class.outcome):
                self.plain_counts[_compute_eligibility(card_class)] += card_class.size
                continue
            if not card_class.outcome.is_target:
                self.classes_by_triggers[card_class.outcome.triggers].append(len(self.classes))
            self.classes.append(card_class)
        self.classes += choices.classify(choices.find_other_piles(kingdom))
        self.class_eligibilities = [_compute_eligibility(card_class) for card_class in self.classes]
        triggering_indexes = {index for indexes in self.classes_by_triggers.values() for index in indexes}
        self.outside_counts = self.get_counts(
            index for index in range(len(self.classes)) if index not in triggering_indexes
        )
        # For each choice, the choices that compete with it for a card (and the choice itself), as a bit mask.
        self._rivals_by_choice: dict[int, int] = defaultdict(int)
        for eligibility in {*self.plain_counts, *self.class_eligibilities}:
            for choice in _iterate_bits(eligibility):
                self._rivals_by_choice[choice] |= eligibility
        self._entries: dict[tuple[int, int, ClassCounts], StageEntry] = {}

    def get_counts(self, indexes: Iterable[int]) -> ClassCounts:
        """Return the sizes of the classes with these indexes."""
        return tuple((index, self.classes[index].size) for index in indexes)

    def get_contribution(self, name: str, *, is_kingdom_card: bool) -> Contribution:
        """Return the effect of a card that is turned up and used.

        Args:
            name: the name of the card.
            is_kingdom_card: whether the card is a Kingdom card; otherwise, it is a landscape.
        """
        card_class = self._choices.classify_card(name)
        (triggers, is_target), eligibility = card_class.outcome, _compute_eligibility(card_class)
        if not is_kingdom_card:
            return Contribution(triggers, is_target)
        if not any(card_class.outcome):
            return Contribution(eligibility=eligibility)
        candidates = self.classes_by_triggers.get(triggers, ()) if not is_target else ()
        matching_indexes = [
            index for index in candidates if self.classes[index].draw_outcomes == card_class.draw_outcomes
        ]
        return Contribution(
            triggers, is_target, eligibility, matching_indexes[0] if matching_indexes else None
        )

    def get_transitions(self, stage: Stage) -> Mapping[Stage, Transitions]:
        """Map each stage that may follow if the next choice takes no target to the ways that lead there."""
        pending, done = stage.pending & ~(1 << stage.choice), stage.done | 1 << stage.choice
        transitions: dict[Stage, Transitions] = defaultdict(lambda: Transitions([], []))
        entry = self.enter_stage(pending, done, stage.free_counts)
        transitions[entry.stage].spare_without_draw.append(entry.spare_counts)
        for index, count in stage.free_counts:
            outcomes = self.classes[index].draw_outcomes[stage.choice]
            remaining_counts = tuple(
                (other, number - (other == index)) for other, number in stage.free_counts
            )
            for outcome in outcomes:
                if not outcome.is_target:
                    entry = self.enter_stage(pending | outcome.triggers & ~done, done, remaining_counts)
                    transitions[entry.stage].draws.append(Draw(count, len(outcomes), entry.spare_counts))
        return transitions

    def enter_stage(self, pending: int, done: int, free_counts: ClassCounts) -> StageEntry:
        """Return the stage that a deal with these choices and free cards enters.

        The stage omits everything that can no longer affect the result, so that more deals share a stage.

        Args:
            pending: the choices that are due, as a bit mask.
            done: the choices that have been made, as a bit mask.
            free_counts: the number of free cards of each class.
        """
        key = pending, done, free_counts
        if key not in self._entries:
            self._entries[key] = self._build_entry(*key)
        return self._entries[key]

    def _build_entry(self, pending: int, done: int, free_counts: ClassCounts) -> StageEntry:
        outcomes_ahead = {
            index: self._list_outcomes(index, pending | done) for index, count in free_counts if count
        }
        relevant = self._find_relevant_choices(
            pending, {each for outcomes in outcomes_ahead.values() for each in outcomes}
        )
        distinguished, spare_counts, retriggerable_choices = [], [], 0
        for index, count in free_counts:
            outcomes = [
                outcome for choice, outcome in outcomes_ahead.get(index, ()) if relevant >> choice & 1
            ]
            if any(outcome.is_target or outcome.triggers & relevant for outcome in outcomes):
                distinguished.append((index, count))
                retriggerable_choices |= _union(
                    outcome.triggers for _, outcome in self._list_outcomes(index, 0)
                )
            elif count and self.class_eligibilities[index] & relevant:
                spare_counts.append((self.class_eligibilities[index] & relevant, count))
        stage = Stage(
            pending & relevant, done & retriggerable_choices, relevant, tuple(sorted(distinguished))
        )
        return StageEntry(stage, tuple(spare_counts))

    def _list_outcomes(self, index: int, triggered: int) -> list[tuple[int, Outcome]]:
        """Return a (choice, outcome) pair for each way to take a card of a class.

        Args:
            index: the index of the class.
            triggered: the choices to leave out of the outcomes, because they have already been triggered, as
                a bit mask.
        """
        return [
            (choice, Outcome(outcome.triggers & ~triggered, outcome.is_target))
            for choice, outcomes in enumerate(self.classes[index].draw_outcomes)
            for outcome in outcomes
        ]

    def _find_relevant_choices(self, pending: int, outcomes_ahead: Set[tuple[int, Outcome]]) -> int:
        """Return the choices that can still affect whether a target card comes into use, as a bit mask.

        A choice is relevant if it can take a target card, trigger a relevant choice, or compete with a
        relevant choice for a card. Both the reachable and the relevant choices are fixed points
        (https://en.wikipedia.org/wiki/Fixed-point_iteration).

        Args:
            pending: the choices that are due, as a bit mask.
            outcomes_ahead: (choice, outcome) pairs for the free cards.
        """
        reachable, previous = pending, 0
        while reachable != previous:
            previous = reachable
            reachable |= _union(
                outcome.triggers for choice, outcome in outcomes_ahead if previous >> choice & 1
            )
        relevant, previous = 0, -1
        while relevant != previous:
            previous = relevant
            for choice, outcome in outcomes_ahead:
                if reachable >> choice & 1 and (outcome.is_target or outcome.triggers & previous):
                    relevant |= 1 << choice
            for choice in _iterate_bits(reachable & ~previous):
                # A choice that is not due yet may be triggered after this one.
                later = -1 << choice | ~pending
                if self._rivals_by_choice[choice] & previous & later:
                    relevant |= 1 << choice
        return relevant


class StateLayout:
    """The bit layout of a packed state: an integer with a field of fixed width for each count of the state.

    Packed states can be added, compared and used as keys in a single operation. Field 0 counts the unseen
    cards in the Kingdom. The other fields count the unseen cards, in the Kingdom or not, and the spare cards,
    both by eligibility. All unseen cards are equally likely to be in the Kingdom.

    Args:
        width: the number of bits of a field.
        unseen: the eligibilities of the unseen cards.
        spare: the eligibilities of the spare cards.

    Attributes:
        width: the number of bits of a field.
        fields: for each field from 1 on, by its index: whether its cards are spare, and their eligibility.
    """

    def __init__(self, width: int, unseen: Iterable[int], spare: Iterable[int]) -> None:
        self.width = width
        classes = [(False, mask) for mask in sorted(unseen)] + [(True, mask) for mask in sorted(spare)]
        self.fields = dict(enumerate(classes, 1))
        self._units = {card_class: 1 << width * field for field, card_class in self.fields.items()}

    def get_unit(self, is_spare: bool, eligibility: int) -> int:
        """Return the packed state that counts a single unseen or spare card with this eligibility.

        The result is 0 for a spare card that no choice may take, because it has no field.
        """
        return self._units[is_spare, eligibility] if eligibility or not is_spare else 0

    def pack(self, kingdom_count: int, unseen: Iterable[tuple[int, int]], spare: ClassCounts) -> int:
        """Pack the counts of a state.

        Args:
            kingdom_count: the number of unseen cards in the Kingdom.
            unseen: (eligibility, number of unseen cards) pairs.
            spare: (eligibility, number of spare cards) pairs.
        """
        return (
            kingdom_count
            + sum(count * self.get_unit(False, eligibility) for eligibility, count in unseen)
            + sum(count * self.get_unit(True, eligibility) for eligibility, count in spare)
        )

    def unpack(self, state: int) -> list[int]:
        """Return the count in each field of a packed state."""
        field = (1 << self.width) - 1
        return [state >> shift & field for shift in range(0, self.width * (len(self.fields) + 1), self.width)]

    def get_mask(self, fields: Iterable[int]) -> int:
        """Return the bit mask that selects the fields with these indexes."""
        return sum(((1 << self.width) - 1) << self.width * field for field in fields)


class StateLayouts(dict[int, StateLayout]):
    """The layouts of the packed states of a deal, by the bit mask of the relevant choices of their stage.

    Fewer relevant choices need fewer fields. A layout is built when it is first used.
    """

    def __init__(self, stages: Stages) -> None:
        super().__init__()
        triggering = {
            stages.class_eligibilities[index]
            for indexes in stages.classes_by_triggers.values()
            for index in indexes
        }
        self._unseen = {*stages.plain_counts, *triggering}
        self._spare = set(stages.class_eligibilities)
        card_count = sum(stages.plain_counts.values()) + sum(card_class.size for card_class in stages.classes)
        self._width = card_count.bit_length()

    def __missing__(self, relevant: int) -> StateLayout:
        unseen = {eligibility & relevant for eligibility in self._unseen} | {0}
        spare = {eligibility & relevant for eligibility in self._spare} - {0}
        self[relevant] = StateLayout(self._width, unseen, spare)
        return self[relevant]


def _compute_eligibility(card_class: ChoiceClass) -> int:
    """Return the choices that may take a card of a class, as a bit mask."""
    return _union(1 << choice for choice, outcomes in enumerate(card_class.draw_outcomes) if outcomes)


def _iterate_bits(mask: int) -> Iterator[int]:
    """Return the indexes of the bits that are set in a mask."""
    return (index for index in range(mask.bit_length()) if mask >> index & 1)


def _union(masks: Iterable[int]) -> int:
    """Return the union of bit masks."""
    return reduce(or_, masks, 0)
