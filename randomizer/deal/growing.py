"""The growing verbs: effects that bring cards into use.

The opening of the game and the cards in use require these effects. They are applied until none is left. This
process ends, because each card comes into use only once, and choices take cards from a finite number of
unused cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from randomizer.cards.effect import Choice, Destination, Effect, Effects, Settings, When
from randomizer.cards.model import (
    MAX_NUMBER,
    Amount,
    Card,
    CardName,
    ComponentName,
    KindName,
    OpenOption,
    Query,
    Where,
    describe_query,
)
from randomizer.cards.pool import Pool
from randomizer.cards.share import parse_share
from randomizer.deal.table import Decision, Missing, Table
from randomizer.text.errors import ExceededBound
from randomizer.text.language import Language, Message

if TYPE_CHECKING:
    from fractions import Fraction

KINGDOM_CARDS = "Kingdom cards"  # what too few of are found, in the error message
NO_CARD = Query(name=(CardName(""),))
_DESCRIPTIONS: Mapping[Destination, str] = {
    "kingdom": "an unused Kingdom pile, added to the Supply",
    "beside": "an unused Kingdom pile, placed beside the Supply",
    "aside": "a single unused Kingdom card, set aside",
    "deck": "unused cards, as a deck",
    "landscapes": "a random one of its kind",
    "box": "returned to the box",
}

# What `put` does with the cards, by destination.
_PUT_ACTIONS: Mapping[str, Callable[[Table, Sequence[Card], str | None], None]] = {
    "table": Table.lay_out,
    "trash": Table.put_into_trash,
    "box": Table.return_to_box,
}


class PutFields(NamedTuple):
    """The arguments of the verb `put` in the data files."""

    cards: tuple[CardName, ...]
    to: Literal["table", "trash", "box"] = "table"


class Put(PutFields, Effect):
    """Lay out piles or components by name, or put cards into the trash or back into the box."""

    __slots__ = ()
    default_field = "cards"

    def apply(self, table: Table, cause: str | None) -> None:
        _PUT_ACTIONS[self.to](table, [table.cards[name] for name in self.cards], cause)

    def brings(self, pool: Pool) -> Iterable[str]:
        return self.cards if self.to != "box" else ()


class GiveFields(NamedTuple):
    """The arguments of the verb `give` in the data files."""

    components: tuple[ComponentName, ...]
    where: tuple[Where, ...] = ()


class Give(GiveFields, Effect):
    """Hand out components, such as mats or tokens, to each player or as a common supply.

    If `where` is given, the effect applies only if the card that requires it is in one of these places.
    """

    __slots__ = ()
    default_field = "components"

    def apply(self, table: Table, cause: str | None) -> None:
        for name in self.components if table.is_relevant(cause, self.where) else ():
            table.hand_out(name, table.known_components[name], cause)


class ReplaceFields(NamedTuple):
    """The arguments of the verb `replace` in the data files."""

    cards: tuple[tuple[CardName, tuple[CardName, ...]], ...]


class Replace(ReplaceFields, Effect):
    """Replace one copy of an old card by each of the new cards in every starting deck."""

    __slots__ = ()
    default_field = "cards"

    def apply(self, table: Table, cause: str | None) -> None:
        for old, new in self.cards:
            for name in new:
                if not table.replace_in_starting_deck(old, table.cards[name], cause):
                    missing = Missing(name, cause or name, Query(name=(old,)), 1, 0, "starting deck")
                    table.missing.append(missing)

    def brings(self, pool: Pool) -> Iterable[str]:
        return [name for _, new in self.cards for name in new]


class DealFields(NamedTuple):
    """The arguments of the verb `deal` in the data files."""

    is_: Query
    to: Destination
    count_: Amount = Amount(1)
    as_: str = ""
    mark: str = ""
    face_up: bool = False
    each: Literal["game", "player"] = "game"


class Deal(DealFields, Effect):
    """Choose unused cards that match a query, and put them in the destination `to`.

    The choice is made only once per game, even if several cards require it. Its name is `as` or `mark`, or
    else the name of the card that requires it; `mark` also puts a mark with this name on the chosen piles.
    With `each: player`, the count applies to each player, and the chosen landscapes are assigned to the
    players in turn.
    """

    __slots__ = ()

    def apply(self, table: Table, cause: str | None) -> None:
        slot = self._get_slot(cause)
        question = f"{slot}, face up" if self.face_up else slot
        if question in table.slots:
            for name in table.slots[question]:
                table.add_cause(name, cause)
            return
        count = self.count_.resolve(table.settings)
        if self.each == "player" and count is not None:
            count = min(count * table.players, MAX_NUMBER)
        if self.face_up and slot in table.existing_decks:  # All cards of the deck are in use already.
            cards = table.unused.draw_from_deck(question, table.existing_decks[slot], self.is_, count)
        else:
            named = [*self._iter_named_cards(table, question)] if question in table.named.chosen else []
            remaining = count and max(count - len(named), 0)
            cards = [*named, *self._draw(table, cause, question, remaining, named)]
        if count is not None:
            table.drawn[question] = cards
        table.slots[question] = [slot] if self.to == "deck" else [card.name for card in cards]
        if len(cards) < (count or (0 if self.to == "box" else 1)):
            table.missing.append(Missing(slot, cause or slot, self.is_, count, len(cards)))
        if self.to == "deck":
            table.add_to_deck(slot, cards, cause, face_up=self.face_up)
            return
        _DEAL_ACTIONS[self.to](table, cards, cause, slot)
        if self.each == "player" and self.to == "landscapes":
            table.owner_numbers.update(
                (card.name, number % table.players + 1) for number, card in enumerate(cards)
            )

    def brings(self, pool: Pool) -> Iterable[str]:
        choice = self.choice(None)
        return [card.name for card in pool.find_with_banned(self.is_)] if choice.is_certain else ()

    def choice(self, cause: str | None) -> Choice:
        # Decks are chosen after other choices, so that enough cards are left for the latter. Choices that
        # take all matching cards come last.
        priority = 2 if self.count_.number is None else int(self.to == "deck" and not self.face_up)
        slot = self._get_slot(cause)
        return Choice(slot, self.is_, self.to, self.count_, self.each, priority, self.face_up)

    def options(self) -> Iterable[OpenOption]:
        return _list_options(self.count_, min_value=1)

    def describe(self, card_name: str, players: int, language: Language) -> str:
        description = "cards of the deck, face up" if self.face_up else _DESCRIPTIONS[self.to]
        what = [language.translate(description), describe_query(self.is_._asdict(), language)]
        if self.to == "deck" and self.count_.number:
            what.append(language.translate("{count} cards", count=self.count_.number))
        text = language.join(filter(None, what))
        return language.translate("{title}: {text}", title=self._get_slot(card_name), text=text)

    def _iter_named_cards(self, table: Table, question: str) -> Iterator[Card]:
        """Yield the cards that the user named for the choice, even if they do not match its query.

        A mixed pile matches if its randomizer matches: for example, the Knights cost $5.
        """
        query = self.is_._replace(kind=())  # A member of a mixed pile has another kind than the pile.
        for name in table.named.chosen.get(question, ()):
            card = table.cards[name]
            if not query.matches(card):
                values = ("card", name), ("slot", question)
                table.unusual_messages.append(
                    Message("{card} was chosen for {slot}, but doesn't meet its conditions.", values)
                )
            yield card

    def _draw(
        self, table: Table, cause: str | None, question: str, count: int | None, named: Sequence[Card]
    ) -> list[Card]:
        """Draw cards for the choice, in addition to those that the user named for it.

        A deck that always contains all matching cards, such as the Boons, also gets cards that are banned or
        that were named for other choices. Some of its cards may be turned face up first. All other choices
        take only cards that do not exceed the upper bound of a wish.

        Args:
            table: the table.
            cause: the name of the card that requires the choice.
            question: the key of the random source.
            count: the maximum number of cards to draw; None draws all.
            named: the cards that the user named for the choice.

        Raises:
            ExceededBound: all suitable cards exceed the upper bound of a wish.
        """
        is_fixed = self.to == "deck" and (self.count_ == Amount(None) or self.face_up)
        pool = table.find_pool(self.is_, cause, include_banned=is_fixed)
        if is_fixed:
            excluded = {*table.in_use(), *(card.name for card in named)}
            return table.unused.draw_single_cards(question, self.is_, count, pool, excluded)
        draw = table.unused.draw_single_cards if self.to in ("aside", "deck") else table.unused.draw
        if table.bounds is None or self.to == "box":
            return draw(question, self.is_, count, pool)
        card_filter = table.bounds.create_filter(table, self.choice(cause))
        drawn = draw(question, self.is_, count, pool, accept=card_filter.accept)
        if card_filter.exceeded_wish and self.to != "deck" and len(drawn) < (count or 1):
            raise ExceededBound(card_filter.exceeded_wish, self._get_slot(cause))
        return drawn

    def _get_slot(self, cause: str | None) -> str:
        return self.as_ or self.mark or cause or ""


# What `deal` does with the chosen cards, by destination. Decks are handled separately.
_DEAL_ACTIONS: Mapping[str, Callable[[Table, Sequence[Card], str | None, str], None]] = {
    "kingdom": lambda table, cards, cause, slot: table.lay_out(cards, cause, "kingdom", slot),
    "beside": lambda table, cards, cause, slot: table.lay_out(cards, cause, "beside", slot),
    "aside": lambda table, cards, cause, slot: table.set_aside(cards, cause, slot),
    "landscapes": lambda table, cards, cause, slot: table.lay_out(cards, cause),
    "box": lambda table, cards, cause, slot: table.return_to_box(cards, cause),
}


class TurnUpFields(NamedTuple):
    """The arguments of the verb `turn_up` in the data files."""

    is_: Query
    count_: Amount
    landscapes: Query = NO_CARD
    most: Amount = Amount(0)
    limits: tuple[tuple[KindName, Amount], ...] = ()
    extra: tuple[KindName, ...] = ()


class TurnUp(TurnUpFields, Effect):
    """Shuffle the Kingdom randomizers and landscapes, and turn cards up until `count` are Kingdom cards.

    At most `most` landscapes are used, and `limits` sets lower maximums for certain kinds. Additional
    landscapes are skipped (setup rules A6-A8). Landscapes of the kinds in `extra` have only the maximum of
    their kind: they do not count towards `most`. If `most` is 0, no landscapes are used at all.

    If the setting `landscapes_from` is "deck", the landscapes form a separate deck, from which exactly `most`
    are used (A10). If there are wishes, the cards have been drawn before the deal.
    """

    __slots__ = ()

    def apply(self, table: Table, cause: str | None) -> None:
        kingdom_count, max_landscapes = self.get_count(table.settings), self.most.resolve(table.settings) or 0
        limits: dict[str, int] = {kind: amount.resolve(table.settings) or 0 for kind, amount in self.limits}
        if any(table.named):
            self._turn_up_named(table)
            table.unusual_messages += table.named.find_unusual_counts(
                table.cards, kingdom_count, max_landscapes, limits, self.extra
            )
        queries = [self.is_]
        if table.settings.get("landscapes_from") == "deck":
            self._turn_up_landscapes(table, max_landscapes, limits)
        elif max_landscapes:
            queries.append(self.landscapes)
        pool, remaining = table.unused.pool, kingdom_count - len(table.kingdom)
        kingdom = pool.find_names(self.is_)
        for card in self._get_deck(table, "randomizers", *queries) if remaining > 0 else ():
            table.turned_up.append(card)
            if card.name not in kingdom:
                table.use_landscape(card, max_landscapes, limits, self.extra)
                continue
            table.kingdom.append(card)
            remaining -= 1
            if not remaining:
                break
        pool.require_enough(len(table.kingdom), kingdom_count, KINGDOM_CARDS, self.is_)
        table.lay_out_turned_up()

    def get_count(self, settings: Settings) -> int:
        """Return the number of Kingdom cards to turn up."""
        return self.count_.resolve(settings) or 0

    def options(self) -> Iterable[OpenOption]:
        yield from _list_options(self.count_, min_value=1)
        for amount in (self.most, *(amount for _, amount in self.limits)):
            yield from _list_options(amount, min_value=0)

    def _get_deck(self, table: Table, question: str, *queries: Query) -> Iterable[Card]:
        """Return the cards to turn up, in order.

        If there are wishes, these are the cards drawn before the deal. Otherwise, they are the matching
        unused cards, shuffled.

        Args:
            table: the table.
            question: the key of the random source.
            queries: the conditions, at least one of which a card must meet.
        """
        return table.predetermined.get(question) or table.unused.shuffle_matching(question, *queries)

    def _turn_up_named(self, table: Table) -> None:
        """Turn up the cards that the user named. They come before all other cards."""
        kingdom = [table.cards[name] for name in table.named.cards]
        landscapes = [table.cards[name] for name in table.named.landscapes]
        table.kingdom += kingdom
        table.landscapes.update((card.name, card) for card in landscapes)
        table.turned_up += kingdom + landscapes

    def _turn_up_landscapes(self, table: Table, max_landscapes: int, limits: Mapping[str, int]) -> None:
        """Turn up landscapes from a separate deck until `max_landscapes` are used."""
        turned_up_count = len(table.named.landscapes)
        for card in self._get_deck(table, "landscapes", self.landscapes):
            if table.count_landscapes(self.extra) >= max_landscapes:
                return
            turned_up_count += 1
            table.turned_up.append(card)
            table.use_landscape(card, max_landscapes, limits, self.extra)
        table.unused.pool.require_enough(turned_up_count, max_landscapes, "landscapes", self.landscapes)
        table.unused.pool.require_enough(
            table.count_landscapes(self.extra), max_landscapes, "landscapes that can be used together"
        )


class DecideFields(NamedTuple):
    """The arguments of the verb `decide` in the data files."""

    question: str
    title: str
    option: str
    card: Literal["first", "last", "any"]
    is_: Query
    then: Effects = ()


class Decide(DecideFields, Effect):
    """Answer a yes/no setup question by looking at a Kingdom card. If the card matches, apply `then`.

    If the user has set the option, its value is the answer instead. If `<option>_by` is "random-card", the
    question is decided by a random Kingdom card that does not decide another question (setup rules A16-A22).
    If `<option>_by` is a share such as "1/3", the answer is yes in this part of all games, by chance.
    """

    __slots__ = ()

    def get_method(self, settings: Settings) -> str:
        """Return which card decides (`first`, `last` or `any`), or how else the question is decided.

        The result is `asked` if the user sets the answer, and `share` if the user sets its probability.
        """
        if self.option in settings:
            return "asked"
        if self.get_share(settings) is not None:
            return "share"
        return "any" if settings.get(f"{self.option}_by") == "random-card" else self.card

    def get_share(self, settings: Settings) -> "Fraction | None":
        """Return the probability that the user has set for the answer yes, or None."""
        return parse_share(settings.get(f"{self.option}_by"))

    def apply(self, table: Table, cause: str | None) -> None:
        if kept_decision := table.kept_decisions.get(self.question):
            self._record(kept_decision, table)
            return
        method = self.get_method(table.settings)
        kingdom = table.kingdom
        card: Card | None = None
        answer = bool(table.settings.get(self.option))
        if share := self.get_share(table.settings):
            answer = table.unused.draw_number(self.question, share.denominator) < share.numerator
        elif method == "asked":
            pass
        elif method == "any":
            deciding_cards = [decision.card for decision in table.decisions]
            candidates = [card for card in kingdom if card not in deciding_cards]
            card = next(table.unused.shuffle(self.question, candidates))
        else:
            card = kingdom[0 if method == "first" else -1]
        answer = self.is_.matches(card) if card else answer
        kinds = table.unused.pool.find_kinds(self.is_)
        is_possible = any(card.kind in kinds for card in kingdom)
        decision = Decision(self.question, self.title, answer, method, card, is_possible, str(share or ""))
        self._record(decision, table)

    def _record(self, decision: Decision, table: Table) -> None:
        """Record a decision. If the answer is yes, schedule its effects."""
        table.decisions.append(decision)
        if decision.answer:
            table.pending_effects += ((effect, self.title) for effect in self.then)

    def when(self, settings: Settings) -> When:
        # A random card must not decide another question, so it is drawn after the other questions.
        return "last" if self.get_method(settings) == "any" else "now"

    def options(self) -> Iterable[OpenOption]:
        yield OpenOption(self.option, "", cards=tuple(dict.fromkeys((f"{self.card}-card", "random-card"))))


def find_turn_up(opening: Effects) -> TurnUp | None:
    """Return the `TurnUp` effect of an opening, or None if it has none."""
    return next((effect for effect in opening if isinstance(effect, TurnUp)), None)


def list_questions(opening: Effects) -> list[Decide]:
    """Return the yes/no setup questions (`Decide` effects) of an opening, in order."""
    return [effect for effect in opening if isinstance(effect, Decide)]


def _list_options(amount: Amount, *, min_value: int) -> Iterable[OpenOption]:
    """Yield the option that sets an amount, if there is one."""
    if amount.option:
        yield OpenOption(amount.option, "", default=amount.number, least=min_value)
