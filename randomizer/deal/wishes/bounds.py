"""Upper bounds, which hold for the whole table: the Kingdom, the landscapes, and the cards that are chosen.

The lower bounds of wishes concern only the cards that are turned up. The upper bounds also count the cards
that are chosen for other cards, such as the Bane. A card counts for those that are certain to be chosen for
it, too: for example, if only cards for $2 or $3 can be the Bane, Young Witch counts as one of them until the
Bane has been chosen. So a choice never leaves another choice without a suitable card for that reason.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from randomizer.cards.condition import Profile, Selector, Wish
from randomizer.cards.effect import Choice
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Query
from randomizer.cards.pool import Pool, get_or_compute
from randomizer.cards.selector import LANDSCAPE, build_profile
from randomizer.deal.growing import find_turn_up
from randomizer.deal.table import Table
from randomizer.deal.wishes.bans import build_pool, build_profiles
from randomizer.deal.wishes.consequences import ConsequenceClosure
from randomizer.deal.wishes.strata import Randomizers

# Where chosen cards count for upper bounds. Those in a deck count only if no such card is allowed.
_COUNTED_DESTINATIONS = ("kingdom", "beside", "aside", "landscapes")


class CountedCards(NamedTuple):
    """The cards on a table that may count for upper bounds, by name.

    Attributes:
        turned_up: the Kingdom cards and landscapes that were turned up, or named by the user.
        chosen: the cards that were chosen for other cards, except those in decks, and other Kingdom piles.
        decks: the cards in decks.
        made: the slots of the choices that have already been made.
        alternatives: cards of which one is about to be chosen; what any of them requires counts.
    """

    turned_up: Sequence[str]
    chosen: Sequence[str] = ()
    decks: Sequence[str] = ()
    made: Collection[str] = ()
    alternatives: Sequence[str] = ()


class UpperBounds:
    """The upper bounds of a request's wishes.

    Args:
        game: the game.
        request: the options of the deal.
        used: the names of cards that cannot be chosen, because they are already in use.

    Attributes:
        wishes: the wishes that have an upper bound.
        deck_slots: the decks whose cards may count. Others, such as the Boons, are the same in every game.
        pool: the cards that may come into use at all. Those that a wish such as `attack=0` excludes are
            left out.
    """

    def __init__(self, game: Game, request: Request, used: Iterable[str] = ()) -> None:
        self.wishes = [wish for wish in request.wishes.wants if wish.max_count is not None]
        self._game = game
        self._used = frozenset(used)
        self._all_cards = game.get_pool(request.chosen)
        self._profiles: dict[str, Profile] = dict(build_profiles(game, self._all_cards))
        pool = build_pool(game, request)
        self._closure = ConsequenceClosure(game, pool)
        self._choices = {
            choice
            for card in pool.list_cards()
            for choice in self._closure.get_consequences(card.name).choices
            if not choice.face_up and choice.to != "box"
        }
        self.deck_slots = frozenset(choice.slot for choice in self._choices if choice.to == "deck")
        excluded, self._impossible_slots = self._find_impossible(pool)
        banned = {card.name for card in self._all_cards.list_cards()} - {
            card.name for card in pool.list_cards()
        }
        self.pool = game.get_pool(request.chosen, tuple(sorted(banned | excluded)))
        self._affected_wishes: dict[Choice, frozenset[Wish]] = {}
        self._forced = self._find_forced_slots()

    def get_forced_slots(self, wish: Wish) -> frozenset[str]:
        """Return the slots of the choices for which every suitable card counts for a wish."""
        return self._forced[wish]

    def list_slots(self, name: str) -> Collection[str]:
        """Return the slots of all choices that the card with this name certainly requires."""
        return self._closure.get_consequences(name).slots

    def matches(self, selector: Selector, name: str, *, is_chosen: bool) -> bool:
        """Return whether a card counts for a selector; a member of a mixed pile counts as its pile.

        A landscape that is chosen, such as an Ally, does not count as a `landscape`: it is not one of those
        that are dealt. It counts for its kind, its set and what it does.

        Args:
            selector: the selector.
            name: the name of the card.
            is_chosen: whether the card was chosen for another card, not turned up.
        """
        card = self._game.cards[name]
        pile_name = card.member_of or name
        if pile_name not in self._profiles:  # a card from another box, which the user named
            pile = self._game.cards[pile_name]
            self._profiles[pile_name] = build_profile(pile, self._game, self._all_cards)
        profile = self._profiles[pile_name]
        if is_chosen and LANDSCAPE in profile.values["kind"]:
            values = {**profile.values, "kind": profile.values["kind"] - {LANDSCAPE}}
            profile = profile._replace(values=values)
        return selector.matches(profile)

    def find_affected_wishes(self, choice: Choice) -> frozenset[Wish]:
        """Return the wishes for which some card that a choice may take, or requires in turn, counts."""
        if choice not in self._affected_wishes:
            names = list_candidates(self.pool, choice)
            self._affected_wishes[choice] = frozenset(
                wish
                for wish in self.wishes
                if any(
                    (self.matches(wish.selector, name, is_chosen=True) and counts_for(choice, wish))
                    or not self._forced[wish].isdisjoint(self.list_slots(name))
                    for name in names
                )
            )
        return self._affected_wishes[choice]

    def find_scarce_slots(self, randomizers: Randomizers) -> frozenset[str]:
        """Return the slots of choices that upper bounds may leave without a suitable card.

        Such deals are rejected. Usually, there are none, because more cards are suitable than a table needs.

        Args:
            randomizers: the cards that may be turned up.
        """
        kingdom = {card.name for card in randomizers.kingdom}
        landscapes = {card.name for card in randomizers.landscapes}
        # If only Kingdom cards require choices, one of those that are turned up is not available anyway.
        max_kingdom_cards = randomizers.kingdom_count - (not any(map(self.list_slots, landscapes)))
        scarce = set()
        for choice in self._choices:
            candidates = list_candidates(self.pool, choice) - self._used
            safe = {name for name in candidates if self._is_safe(choice, name)}
            max_used = min(max_kingdom_cards, len(safe & kingdom))
            max_used += min(randomizers.max_landscapes, len(safe & landscapes))
            for other in self._choices - {choice}:
                names = list_candidates(self.pool, other)
                leads_here = any(choice.slot in self.list_slots(name) for name in names)
                if not safe.isdisjoint(names) and (other.to != "deck" or leads_here):
                    max_used += other.amount.number or len(safe)
            if choice.to != "deck" and len(safe) < len(candidates) and len(safe) <= max_used:
                scarce.add(choice.slot)
        return frozenset(scarce)

    def collect_counted_cards(self, table: Table) -> CountedCards:
        """Return the cards on a table that may count for upper bounds, as far as it has been laid out."""
        turn_up = find_turn_up(self._game.opening)
        turned_up = [card.name for card in table.kingdom]
        turned_up += [card.name for card in table.turned_up if card.name in table.landscapes]
        chosen = [name for names in table.slots.values() for name in names if name in table.cards]
        chosen += [pile.name for pile in table.find_piles("kingdom", Query())]
        for name in sorted(table.existing_names):  # landscapes that were on the table before a second deal
            card = self._game.cards.get(name)
            if card and self._game.kinds[card.kind].is_ == "landscape":
                is_dealt = turn_up is not None and card.kind in turn_up.landscapes.kind
                (turned_up if is_dealt else chosen).append(name)
        return CountedCards(
            turned_up,
            [name for name in dict.fromkeys(chosen) if name not in {*turned_up, *table.boxed}],
            [
                card.name
                for name in table.decks
                if name in self.deck_slots
                for card in table.decks[name].cards
            ],
            frozenset(table.slots),
        )

    def create_filter(self, table: Table, choice: Choice) -> "ChoiceFilter":
        """Create a filter for the cards that a choice on a table may take without exceeding a bound."""
        return ChoiceFilter(self, self.collect_counted_cards(table), choice)

    def find_exceeded(self, cards: CountedCards, *, includes_forced: bool = True) -> Wish | None:
        """Return the first wish whose upper bound is exceeded, or None.

        Args:
            cards: the cards on the table.
            includes_forced: whether to count cards that are certain to be chosen, too.
        """
        in_use = (*cards.turned_up, *cards.chosen, *cards.decks, *cards.alternatives)
        pending = {slot for name in in_use for slot in self.list_slots(name)}.difference(cards.made)
        for wish in self.wishes:
            if not self._applies(wish, cards.turned_up):
                continue
            count = sum(self.matches(wish.selector, name, is_chosen=False) for name in cards.turned_up)
            count += sum(self.matches(wish.selector, name, is_chosen=True) for name in cards.chosen)
            if not wish.max_count:
                count += sum(self.matches(wish.selector, name, is_chosen=True) for name in cards.decks)
            if includes_forced:
                count += len(pending.intersection(self._forced[wish]))
            if count > (wish.max_count or 0):
                return wish
        return None

    def _applies(self, wish: Wish, turned_up: Iterable[str]) -> bool:
        """Return whether a wish applies: its condition concerns the cards that are turned up."""
        condition = wish.condition
        return condition is None or any(self.matches(condition, name, is_chosen=False) for name in turned_up)

    def _is_safe(self, choice: Choice, name: str) -> bool:
        """Return whether a choice may take a card in any case, if there is room for forced choices."""
        return not any(
            (self.matches(wish.selector, name, is_chosen=True) and choice.slot not in self._forced[wish])
            or not self._forced[wish].isdisjoint(self.list_slots(name))
            for wish in self.wishes
        )

    def _find_impossible(self, pool: Pool) -> tuple[frozenset[str], frozenset[str]]:
        """Find the cards that can't come into use, and the choices that can't be made, because of an `=0`.

        A card can't come into use if it counts for such a wish, or requires a choice that can't be made. A
        choice can't be made if no suitable card can come into use. This is a fixed point.

        Returns:
            The names of the cards, and the slots of the choices.
        """
        bans = [wish for wish in self.wishes if not wish.max_count and wish.condition is None]
        names = [card.name for card in pool.list_cards() if not card.member_of] if bans else []
        excluded = {
            name for name in names if any(self.matches(wish.selector, name, is_chosen=True) for wish in bans)
        }
        slots: frozenset[str] = frozenset()
        while True:
            found = frozenset(
                choice.slot
                for choice in self._choices
                if choice.is_single
                and choice.to in _COUNTED_DESTINATIONS
                and (candidates := list_candidates(pool, choice) - self._used)
                and candidates <= excluded
            )
            if found == slots:
                members = {member for name in excluded for member, _ in self._game.cards[name].pile}
                return frozenset(excluded | members), slots
            slots = found
            excluded.update(name for name in names if not slots.isdisjoint(self.list_slots(name)))

    def _find_forced_slots(self) -> Mapping[Wish, frozenset[str]]:
        candidates = {
            choice.slot: list_candidates(self.pool, choice) - self._used
            for choice in self._choices
            if choice.is_single and choice.to in _COUNTED_DESTINATIONS
        }
        return {
            wish: frozenset(
                slot
                for slot, names in candidates.items()
                if names and all(self.matches(wish.selector, name, is_chosen=True) for name in names)
            )
            | (self._impossible_slots if not wish.max_count and wish.condition is None else frozenset())
            for wish in self.wishes
        }


class ChoiceFilter:
    """A filter for the cards that a choice may take without exceeding an upper bound.

    Args:
        bounds: the upper bounds.
        cards: the cards on the table before the choice.
        choice: the choice.

    Attributes:
        exceeded_wish: the wish whose bound the last rejected card would exceed, as a string; empty if no card
            was rejected.
    """

    def __init__(self, bounds: UpperBounds, cards: CountedCards, choice: Choice) -> None:
        self._bounds = bounds
        self._cards = cards._replace(made=frozenset((*cards.made, choice.slot)))
        self._is_deck = choice.to == "deck"
        self.exceeded_wish = ""

    def accept(self, alternatives: Sequence[Card]) -> bool:
        """Return whether the choice may take one of the cards. If so, it counts for the following ones.

        Args:
            alternatives: a single card, or cards of the same mixed pile.
        """
        names = [card.name for card in alternatives]
        field = "decks" if self._is_deck else "chosen"
        cards = self._cards._replace(**{field: (*getattr(self._cards, field), names[0])})
        exceeded = self._bounds.find_exceeded(cards._replace(alternatives=names))
        if exceeded:
            self.exceeded_wish = exceeded.text
            return False
        self._cards = cards
        return True


def counts_for(choice: Choice, wish: Wish) -> bool:
    """Return whether the cards that a choice takes count for the upper bound of a wish.

    Cards in a deck count only if no such card is allowed.
    """
    return choice.to in _COUNTED_DESTINATIONS or (choice.to == "deck" and not wish.max_count)


def list_candidates(pool: Pool, choice: Choice) -> frozenset[str]:
    """Return the names of the piles and landscapes in a pool that a choice may take."""
    if choice.to in ("aside", "deck"):
        return frozenset(pool.find_single_cards(choice.query))
    return pool.find_names(choice.query)


def get_upper_bounds(game: Game, request: Request, used: Collection[str] = ()) -> UpperBounds | None:
    """Return the upper bounds of a request's wishes, from the cache if possible; None if there are none.

    Args:
        game: the game.
        request: the options of the deal.
        used: the names of cards that cannot be chosen, because they are already in use.
    """
    wants = request.wishes.wants
    if all(wish.max_count is None for wish in wants):
        return None
    if used:  # The same cards are unlikely to be in use again, so caching is not worthwhile.
        return UpperBounds(game, request, used)
    cache = build_pool(game, request).cache
    return get_or_compute(cache, ("upper bounds", wants), lambda: UpperBounds(game, request))
