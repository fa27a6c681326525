"""Conditions on cards: selectors, and the wishes and weights that are based on them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from randomizer.cards.model import MAX_NUMBER


class Profile(NamedTuple):
    """The properties of a pile or landscape that selectors test.

    The names and types include those of the members of a mixed pile. The names also include piles outside the
    Supply that are certain to come with the card; the types of these piles are under `brings`. Mixed piles
    that come with the card are not included, because it is random which of their cards matter.

    Attributes:
        values: the values that apply to the pile or landscape, by category of terms.
        coins: the cost in coins.
        other_costs: `potion` or `debt` or both, if they are part of the cost.
        has_cost: whether a cost is printed.
    """

    values: Mapping[str, frozenset[str]]
    coins: int
    other_costs: frozenset[str]
    has_cost: bool


class Selector(Protocol):
    """A condition on piles and landscapes."""

    @property
    def text(self) -> str:
        """The canonical text of the selector, the same in every language."""

    def matches(self, profile: Profile) -> bool:
        """Return whether the pile or landscape meets the condition."""


class Term(NamedTuple):
    """A selector for cards with a value in a category, such as the type Attack or the set Base.

    Attributes:
        category: one of `TERM_CATEGORIES`.
        value: the value that the cards have in this category.
        text: the canonical text of the selector.
    """

    category: str
    value: str
    text: str

    def matches(self, profile: Profile) -> bool:
        return self.value in profile.values[self.category]


class CostRange(NamedTuple):
    """A selector for cards whose cost in coins is in a range, or whose cost includes a Potion or Debt.

    Attributes:
        min_coins: the minimum cost in coins.
        max_coins: the maximum cost in coins.
        other_cost: `potion` or `debt` to select cards with such a cost; empty to select by coins.
    """

    min_coins: int
    max_coins: int
    other_cost: str = ""

    @property
    def text(self) -> str:
        if self.other_cost:
            return f"cost:{self.other_cost}"
        if self.min_coins == self.max_coins:
            return f"cost:{self.min_coins}"
        return f"cost:{self.min_coins}{'+' if self.max_coins == MAX_NUMBER else f'-{self.max_coins}'}"

    def matches(self, profile: Profile) -> bool:
        if self.other_cost:
            return self.other_cost in profile.other_costs
        is_in_range = self.min_coins <= profile.coins <= self.max_coins
        return profile.has_cost and not profile.other_costs and is_in_range


class Not(NamedTuple):
    """A selector for the cards that its operand does not match."""

    operand: Selector

    @property
    def text(self) -> str:
        return f"not {self.operand.text}"

    def matches(self, profile: Profile) -> bool:
        return not self.operand.matches(profile)


class Combination(NamedTuple):
    """A selector for the cards that match all (`and`) or at least one (`or`) of its operands."""

    operator: Literal["and", "or"]
    operands: tuple[Selector, ...]

    @property
    def text(self) -> str:
        return f" {self.operator} ".join(operand.text for operand in self.operands)

    def matches(self, profile: Profile) -> bool:
        results = (operand.matches(profile) for operand in self.operands)
        return all(results) if self.operator == "and" else any(results)


class Wish(NamedTuple):
    """A limit on the number of matching cards among those that are turned up and used.

    Attributes:
        selector: the selector for the cards to count.
        min_count: the minimum number of matching cards.
        max_count: the maximum number of matching cards; None means no maximum.
        condition: the selector that some used card must match for the wish to apply; None means it always
            applies.
    """

    selector: Selector
    min_count: int = 1
    max_count: int | None = None
    condition: Selector | None = None

    @property
    def text(self) -> str:
        """The canonical text, the same in every language."""
        if (self.min_count, self.max_count) == (1, None):
            count = ""
        elif self.min_count == self.max_count:
            count = f"={self.min_count}"
        else:
            count = f"={self.min_count or ''}-{'' if self.max_count is None else self.max_count}"
        condition = f" if {self.condition.text}" if self.condition else ""
        return f"{self.selector.text}{count}{condition}"


class Weight(NamedTuple):
    """A factor that makes matching cards more or less likely to be turned up.

    Attributes:
        selector: the selector for the cards.
        factor: the factor, above 1 to make the cards more likely, below 1 to make them less likely.
    """

    selector: Selector
    factor: Fraction

    @property
    def text(self) -> str:
        """The canonical text, the same in every language."""
        units, thousandths = divmod(int(self.factor * 1000), 1000)
        return f"{self.selector.text}={f'{units}.{thousandths:03}'.rstrip('0').rstrip('.')}"
