"""The stages of a deal: which choices are still due, and which cards must be distinguished for them.

A layout packs the counts of a state into one integer.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import reduce
from operator import or_
from typing import NamedTuple

from randomizer.odds.relevant import ChoiceClass, Outcome, RelevantChoices

# Pairs of a class and a number of its cards. The class is an index, or for spare cards their eligibility.
ClassCounts = tuple[tuple[int, int], ...]


class Stage(NamedTuple):
    """The position of a deal before a choice, apart from the counts of interchangeable cards.

    Sets of choices are bit masks. The choices are in the order in which they are made.

    Attributes:
        pending: the choices that are due.
        done: the choices that have been made and that another card might trigger again.
        relevant: the choices, due or not, that can still affect whether a target card comes into use.
        free: the number of cards of each class that must be distinguished and are not in the Kingdom.
    """

    pending: int
    done: int
    relevant: int
    free: ClassCounts

    @property
    def choice(self) -> int:
        """The index of the next choice."""
        return (self.pending & -self.pending).bit_length() - 1


class Arrival(NamedTuple):
    """A stage that a choice leads to, and its new spare cards, which need only be counted from now on."""

    stage: Stage
    spare: ClassCounts


class Draw(NamedTuple):
    """A choice that takes one of `card_count` cards, with one of `outcome_count` equally likely outcomes."""

    card_count: int
    outcome_count: int
    spare: ClassCounts


class Transitions(NamedTuple):
    """The ways in which a choice leads to a stage.

    Cards are distinguished in a state if it matters which of them are used; all other cards are only counted.

    Attributes:
        anonymous: the cards that need only be counted from now on, if the choice takes no card or one that is
            only counted; otherwise empty.
        draws: the ways to take a distinguished card.
    """

    anonymous: list[ClassCounts]
    draws: list[Draw]


class Contribution(NamedTuple):
    """The effect of a card that is turned up and used.

    Attributes:
        triggers: the choices that it triggers.
        is_target: whether it is a target card or certainly brings one into use.
        eligibility: the choices that can no longer take it, because it is in the Kingdom.
        class_index: the index of its class, if it triggers choices.
    """

    triggers: int = 0
    is_target: bool = False
    eligibility: int = 0
    class_index: int | None = None


class Stages:
    """The stages of a deal and their order.

    The eligibility of a card is the set of the choices that may take it, as a bit mask.

    Args:
        choices: the choices to follow.
        kingdom: the names of the Kingdom cards.

    Attributes:
        plain: the number of Kingdom cards that trigger nothing and are not targets, by their eligibility.
        classes: the classes of all other cards. The cards of a class are interchangeable.
        eligibility: the eligibility of the cards of each class.
        triggering: the indexes of the classes of Kingdom cards that trigger choices, by these choices.
        outside: the number of cards of each class that is not in `triggering`. These cards are not in the
            Kingdom, or they are target cards, so that nothing has to be followed if they are in it.
    """

    def __init__(self, choices: RelevantChoices, kingdom: Set[str]) -> None:
        self.plain: dict[int, int] = defaultdict(int)
        self.classes: list[ChoiceClass] = []
        self.triggering: dict[int, list[int]] = defaultdict(list)
        self._choices = choices
        for card_class in choices.classify(kingdom):
            if not any(card_class.outcome):
                self.plain[_find_eligibility(card_class)] += card_class.size
                continue
            if not card_class.outcome.is_target:
                self.triggering[card_class.outcome.triggers].append(len(self.classes))
            self.classes.append(card_class)
        self.classes += choices.classify(choices.find_other_piles(kingdom))
        self.eligibility = [_find_eligibility(card_class) for card_class in self.classes]
        inside = {index for indexes in self.triggering.values() for index in indexes}
        self.outside = self.get_counts(index for index in range(len(self.classes)) if index not in inside)
        # By choice: the choices that compete with it for a card.
        self._rivals: dict[int, int] = defaultdict(int)
        for eligibility in {*self.plain, *self.eligibility}:
            for choice in _iterate_bits(eligibility):
                self._rivals[choice] |= eligibility
        self._arrivals: dict[tuple[int, int, ClassCounts], Arrival] = {}

    def get_counts(self, indexes: Iterable[int]) -> ClassCounts:
        """Return the sizes of these classes."""
        return tuple((index, self.classes[index].size) for index in indexes)

    def get_contribution(self, name: str, *, in_kingdom: bool) -> Contribution:
        """Return the effect of a card that is turned up and used, in the Kingdom or as a landscape."""
        card_class = self._choices.classify_card(name)
        (triggers, is_target), eligibility = card_class.outcome, _find_eligibility(card_class)
        if not in_kingdom:
            return Contribution(triggers, is_target)
        if not any(card_class.outcome):
            return Contribution(eligibility=eligibility)
        indexes = self.triggering.get(triggers, ()) if not is_target else ()
        same = [index for index in indexes if self.classes[index].drawn == card_class.drawn]
        return Contribution(triggers, is_target, eligibility, same[0] if same else None)

    def get_transitions(self, stage: Stage) -> Mapping[Stage, Transitions]:
        """Return the stages that the next choice leads to, unless it takes a target card."""
        pending, done = stage.pending & ~(1 << stage.choice), stage.done | 1 << stage.choice
        transitions: dict[Stage, Transitions] = defaultdict(lambda: Transitions([], []))
        arrival = self.get_arrival(pending, done, stage.free)
        transitions[arrival.stage].anonymous.append(arrival.spare)
        for index, count in stage.free:
            outcomes = self.classes[index].drawn[stage.choice]
            left = tuple((other, number - (other == index)) for other, number in stage.free)
            for outcome in outcomes:
                if not outcome.is_target:
                    arrival = self.get_arrival(pending | outcome.triggers & ~done, done, left)
                    transitions[arrival.stage].draws.append(Draw(count, len(outcomes), arrival.spare))
        return transitions

    def get_arrival(self, pending: int, done: int, free: ClassCounts) -> Arrival:
        """Return the stage after a choice, and the cards that need only be counted from then on.

        The stage omits everything that can no longer affect the result, so that more deals share a stage.
        """
        key = pending, done, free
        if key not in self._arrivals:
            self._arrivals[key] = self._build_arrival(*key)
        return self._arrivals[key]

    def _build_arrival(self, pending: int, done: int, free: ClassCounts) -> Arrival:
        ahead = {index: self._list_outcomes(index, pending | done) for index, count in free if count}
        relevant = self._find_relevant(pending, {each for outcomes in ahead.values() for each in outcomes})
        told_apart, spare, repeatable = [], [], 0
        for index, count in free:
            outcomes = [outcome for choice, outcome in ahead.get(index, ()) if relevant >> choice & 1]
            if any(outcome.is_target or outcome.triggers & relevant for outcome in outcomes):
                told_apart.append((index, count))
                repeatable |= _union(outcome.triggers for _, outcome in self._list_outcomes(index, 0))
            elif count and self.eligibility[index] & relevant:
                spare.append((self.eligibility[index] & relevant, count))
        stage = Stage(pending & relevant, done & repeatable, relevant, tuple(sorted(told_apart)))
        return Arrival(stage, tuple(spare))

    def _list_outcomes(self, index: int, triggered: int) -> list[tuple[int, Outcome]]:
        """Return (choice, outcome) for each way to take a card of the class.

        Args:
            triggered: choices that have been triggered already, to leave out of the outcomes.
        """
        return [
            (choice, Outcome(outcome.triggers & ~triggered, outcome.is_target))
            for choice, outcomes in enumerate(self.classes[index].drawn)
            for outcome in outcomes
        ]

    def _find_relevant(self, pending: int, ahead: Set[tuple[int, Outcome]]) -> int:
        """Return the choices that can take a target, lead to a relevant choice or take a card from one.

        Both the reachable and the relevant choices are fixed points
        (https://en.wikipedia.org/wiki/Fixed-point_iteration).
        """
        reachable, previous = pending, 0
        while reachable != previous:
            previous = reachable
            reachable |= _union(outcome.triggers for choice, outcome in ahead if previous >> choice & 1)
        relevant, previous = 0, -1
        while relevant != previous:
            previous = relevant
            for choice, outcome in ahead:
                if reachable >> choice & 1 and (outcome.is_target or outcome.triggers & previous):
                    relevant |= 1 << choice
            for choice in _iterate_bits(reachable & ~previous):
                # A choice that is not due yet may be triggered after this one.
                later = -1 << choice | ~pending
                if self._rivals[choice] & previous & later:
                    relevant |= 1 << choice
        return relevant


class Layout:
    """The bit layout of a state, which is an integer with a field of fixed width for each count.

    Packed states can be added, compared and used as keys at once. Field 0 counts the unseen cards in the
    Kingdom. The other fields count the unseen cards and the spare cards, both by eligibility. Each unseen
    card is as likely as any other to be in the Kingdom; spare cards are known not to be there.

    Args:
        width: the number of bits of a field.
        unseen: the eligibilities of the unseen cards.
        spare: the eligibilities of the spare cards.

    Attributes:
        width: the number of bits of a field.
        fields: by field, from 1 on: whether its cards are spare, and their eligibility.
    """

    def __init__(self, width: int, unseen: Iterable[int], spare: Iterable[int]) -> None:
        self.width = width
        classes = [(False, mask) for mask in sorted(unseen)] + [(True, mask) for mask in sorted(spare)]
        self.fields = dict(enumerate(classes, 1))
        self._units = {card_class: 1 << width * field for field, card_class in self.fields.items()}

    def get_unit(self, is_spare: bool, eligibility: int) -> int:
        """Return the packed count of one such card: 0 if it is spare and no choice may take it."""
        return self._units[is_spare, eligibility] if eligibility or not is_spare else 0

    def pack(self, kingdom_count: int, unseen: Iterable[tuple[int, int]], spare: ClassCounts) -> int:
        """Pack the number of unseen cards in the Kingdom and the numbers of cards by eligibility."""
        return (
            kingdom_count
            + sum(count * self.get_unit(False, eligibility) for eligibility, count in unseen)
            + sum(count * self.get_unit(True, eligibility) for eligibility, count in spare)
        )

    def unpack(self, state: int) -> list[int]:
        """Return the count in each field."""
        field = (1 << self.width) - 1
        return [state >> shift & field for shift in range(0, self.width * (len(self.fields) + 1), self.width)]

    def get_mask(self, fields: Iterable[int]) -> int:
        """Return the bit mask of these fields."""
        return sum(((1 << self.width) - 1) << self.width * field for field in fields)


class Layouts(dict[int, Layout]):
    """The layouts of the states of a deal, by the choices that are relevant."""

    def __init__(self, stages: Stages) -> None:
        super().__init__()
        triggering = {
            stages.eligibility[index] for indexes in stages.triggering.values() for index in indexes
        }
        self._unseen = {*stages.plain, *triggering}
        self._spare = set(stages.eligibility)
        card_count = sum(stages.plain.values()) + sum(card_class.size for card_class in stages.classes)
        self._width = card_count.bit_length()

    def __missing__(self, relevant: int) -> Layout:
        unseen = {eligibility & relevant for eligibility in self._unseen} | {0}
        spare = {eligibility & relevant for eligibility in self._spare} - {0}
        self[relevant] = Layout(self._width, unseen, spare)
        return self[relevant]


def _find_eligibility(card_class: ChoiceClass) -> int:
    """Return the choices that may take a card of the class, as a bit mask."""
    return _union(1 << choice for choice, outcomes in enumerate(card_class.drawn) if outcomes)


def _iterate_bits(mask: int) -> Iterator[int]:
    """Yield the indexes of the bits that are set."""
    return (index for index in range(mask.bit_length()) if mask >> index & 1)


def _union(masks: Iterable[int]) -> int:
    """Return the union of bit masks."""
    return reduce(or_, masks, 0)
