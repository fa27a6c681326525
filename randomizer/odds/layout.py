"""How many cards of each sort there are, written as one number."""

from collections.abc import Iterable

from randomizer.odds.stages import Numbers, Stages


class Layout:
    """How a state is written: as a number with a field of so many bits for each count.

    So all counts of a state are added, compared and looked up at once. Field 0 says how many of the unseen
    cards are in the Kingdom: each is as likely to be as any other. Then come the numbers of unseen cards, and
    those of spare cards, which are known not to be in the Kingdom; both by what they fit.

    Args:
        width: the bits of a field.
        unseen, spare: what such cards may fit.

    Attributes:
        sorts: by field, from 1 on: whether the cards are spare, and what they fit.
    """

    def __init__(self, width: int, unseen: Iterable[int], spare: Iterable[int]) -> None:
        self.width = width
        sorts = [(False, fits) for fits in sorted(unseen)] + [(True, fits) for fits in sorted(spare)]
        self.sorts = dict(enumerate(sorts, 1))
        self._units = {sort: 1 << width * field for field, sort in self.sorts.items()}

    def unit(self, spare: bool, fits: int) -> int:
        """What one such card adds to the number: nothing if it is spare and fits no choice."""
        return self._units[spare, fits] if fits or not spare else 0

    def state(self, inside: int, unseen: Iterable[tuple[int, int]], spare: Numbers) -> int:
        """The number for so many unseen cards in the Kingdom, and so many cards by what they fit."""
        return (
            inside
            + sum(number * self.unit(False, fits) for fits, number in unseen)
            + sum(number * self.unit(True, fits) for fits, number in spare)
        )

    def counts(self, state: int) -> list[int]:
        """What each field says."""
        field = (1 << self.width) - 1
        return [state >> shift & field for shift in range(0, self.width * (len(self.sorts) + 1), self.width)]

    def bits(self, fields: Iterable[int]) -> int:
        """The bits of these fields."""
        return sum(((1 << self.width) - 1) << self.width * field for field in fields)


class Layouts(dict[int, Layout]):
    """The layouts of the states of a deal, by the choices that matter."""

    def __init__(self, stages: Stages) -> None:
        super().__init__()
        asking = {stages.fits[place] for places in stages.asking.values() for place in places}
        self._unseen = {*stages.plain, *asking}
        self._spare = set(stages.fits)
        cards = sum(stages.plain.values()) + sum(group.number for group in stages.groups)
        self._width = cards.bit_length()

    def __missing__(self, matter: int) -> Layout:
        unseen = {fits & matter for fits in self._unseen} | {0}
        spare = {fits & matter for fits in self._spare} - {0}
        self[matter] = Layout(self._width, unseen, spare)
        return self[matter]
