"""The table during a deal: the cards and components on it, why they are there, and the unused cards.

The causes of a thing on the table are the names of the cards and decisions that require it. A mark on a pile
is the name of the choice or card that gives the pile a special role: for example, Bane or Obelisk.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, cast

from randomizer.cards.effect import Choice, Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Component, Query, Where
from randomizer.cards.pool import Pool
from randomizer.deal.unused import UnusedCards
from randomizer.text.language import Message


class Deck(NamedTuple):
    """A shuffled deck.

    Attributes:
        cards: the face-down cards, from top to bottom.
        face_up: the cards that lie face up next to the deck.
    """

    cards: list[Card]
    face_up: list[Card]


class TurnedRandomizer(NamedTuple):
    """A randomizer that was turned up.

    Attributes:
        card: the randomizer.
        use: whether the randomizer was used as a Kingdom card or as a landscape, or was skipped.
        position: the position among the Kingdom cards, counting from 1; None if it is not a Kingdom card.
        skip_reason: the reason why the randomizer was skipped; None if it was used.
    """

    card: Card
    use: Literal["kingdom", "landscape", "skipped"]
    position: int | None = None
    skip_reason: Message | None = None


class Decision(NamedTuple):
    """The answer to a yes/no setup question.

    Attributes:
        question: the name of the question.
        title: the title of the question.
        answer: the answer.
        method: the position of the Kingdom card that decided the question (`first`, `last` or `any`), or
            `asked` if the user set the answer, `share` if the user set its probability, or `used` if other
            tables use what a yes needs.
        card: the card that decided the question; None if no card did.
        is_possible: whether the Kingdom contains a card of a kind that can make the answer yes.
        share: the probability that the user set, such as `1/3`; empty if there is none.
    """

    question: str
    title: str
    answer: bool
    method: str
    card: Card | None
    is_possible: bool = True
    share: str = ""


Among = Literal["unused", "table", "starting deck", "boxes"]


class Missing(NamedTuple):
    """A choice for which there were too few cards.

    Attributes:
        slot: the name of the choice.
        cause: the name of the card that requires the choice.
        query: the condition that a card must meet to be chosen.
        wanted: the required number of cards; None means at least one.
        found: the number of cards that were found.
        among: where cards were looked for: among the unused cards, on the table, in the starting deck, or in
            the boxes, from which other tables of a series have taken theirs.
    """

    slot: str
    cause: str
    query: Query
    wanted: int | None
    found: int
    among: Among = "unused"


class Spot(NamedTuple):
    """A place on which tokens are put at setup.

    Attributes:
        token: the name of the token.
        on: the name of the pile, landscape or mat on which the tokens lie.
        each: whether the spot exists once in the game or once for each player.
    """

    token: str
    on: str
    each: Literal["game", "player"]


class TableNote(NamedTuple):
    """A note for the players.

    Attributes:
        message: the text of the note.
        step: the place of a setup step in the checklist: `here` means next to the card or pile `on`, and
            `last` means at the end. Empty if the note is a reminder instead of a step.
        on: the name of the card or pile to which the step belongs; empty if there is none.
    """

    message: Message
    step: Literal["", "here", "last"] = ""
    on: str = ""

    def __str__(self) -> str:
        return str(self.message)


class CardFilter(Protocol):
    """A filter for the cards that a choice may take."""

    @property
    def exceeded_wish(self) -> str:
        """The wish whose upper bound the last rejected card exceeds, as a string; empty if there is none."""

    def accept(self, alternatives: Sequence[Card]) -> bool:
        """Return whether the choice may take one of the cards. If so, it counts for the following ones."""


class Bounds(Protocol):
    """The upper bounds of wishes, which `wishes.bounds` implements."""

    def create_filter(self, table: "Table", choice: Choice) -> CardFilter:
        """Create a filter for the cards that a choice may take without exceeding a bound."""


class Table:
    """The cards and components on the table, and the decisions that led to them.

    Args:
        game: the game to deal.
        request: the options of the deal.
        unused: the cards to draw from.
        existing_names: the names of the cards and components that were on the table before this deal.

    Attributes:
        pending_effects: the effects that the dealer has yet to schedule, each with the name of its cause.
        predetermined: for each question, the cards that are turned up, in order, if they have been drawn
            before the deal to meet wishes.
        chosen: the slugs of the boxes, and of cards sold separately, to deal from.
        existing_decks: the face-down cards of the decks that were on the table before this deal, by deck
            name.
        named: the cards that the user named.
        unusual_messages: messages for the players about what is unusual about the named cards.
        drawn: the cards that were drawn for each question that requires a fixed number of cards.
        slots: the names of the cards that were chosen for each choice that has been made; for a deck, only
            the name of the deck.
        piles: the piles by name. Landscapes, components and so on are stored by name, too.
        marks: the marks on each marked pile, by the name of the pile.
        marked_piles: the name of the pile that a card marks, by the name of that card.
        owner_numbers: the number (from 1) of the player to whom a landscape belongs, by the name of the
            landscape.
        aside: the cards that are set aside, by name.
        aside_for: the choice for which a card that is set aside was drawn, by the name of that card.
        boxed: the cards that are returned to their boxes, by name.
        kingdom: the Kingdom cards that were turned up, in order.
        skipped: the reason why a randomizer was turned up but not used, by the name of the randomizer.
        kept_decisions: the decisions that are kept from an earlier table, by question.
        bounds: the upper bounds of the wishes, which choices must not exceed; None if there are none.
    """

    def __init__(
        self, game: Game, request: Request, unused: UnusedCards, existing_names: Iterable[str] = ()
    ) -> None:
        self._game = game
        self._request = request
        self.players = request.players
        self.chosen = request.chosen
        self.settings = request.settings
        self.named = request.kingdom
        self.cards = game.cards
        self.kinds = game.kinds
        self.known_components = game.components
        self.unused = unused
        self.pending_effects: list[tuple[Effect, str]] = []
        self.predetermined: Mapping[str, Sequence[Card]] = {}
        self.existing_names = frozenset(existing_names)
        self.existing_decks: dict[str, list[Card]] = {}
        # The cards and components on the table.
        self.piles: dict[str, Card] = {}
        self.marks: dict[str, list[str]] = {}
        self.landscapes: dict[str, Card] = {}
        self.owner_numbers: dict[str, int] = {}
        self.components: dict[str, Component] = {}
        self.decks: dict[str, Deck] = {}
        self.aside: dict[str, Card] = {}
        self.aside_for: dict[str, str] = {}
        self.trash: dict[str, Card] = {}
        self.boxed: dict[str, Card] = {}
        self.starting_deck = dict(game.starting_deck)
        self.tokens: dict[Spot, dict[Effect, int]] = {}
        # The history of the deal.
        self.turned_up: list[Card] = []
        self.kingdom: list[Card] = []
        self.skipped: dict[str, Message] = {}
        self.decisions: list[Decision] = []
        self.notes: list[TableNote] = []
        self.missing: list[Missing] = []
        self.slots: dict[str, list[str]] = {}
        self.unusual_messages: list[Message] = []
        self.drawn: dict[str, list[Card]] = {}
        self.marked_piles: dict[str, str] = {}
        self.kept_decisions: Mapping[str, Decision] = {}
        self.bounds: Bounds | None = None
        self._in_use = unused.in_use
        self._places: dict[str, str] = {}  # the places of piles that are not in the usual place of their kind
        self._causes: dict[object, dict[str, None]] = {}
        # (things, cause) pairs that have not been added to `_causes` yet. The sequences must not be modified.
        self._unindexed_causes: list[tuple[Sequence[object], str]] = []

    # ── Cards in use, and causes ──

    def use(self, cards: Sequence[Card], cause: str | None) -> None:
        """Bring cards into use, so that their effects apply (setup rule E3).

        Mixed piles come into use together with all their members.
        """
        in_use = self._in_use
        if cause is not None:
            self._unindexed_causes.append((cards, cause))
        for card in cards:
            name = card.name
            if name not in in_use:
                in_use[name] = card
                if card.member_of and card.member_of not in in_use:
                    self.unused.mark_used(card)
                if card.pile:
                    self.use([self.cards[member] for member, _ in card.pile], name)

    def in_use(self) -> Mapping[str, Card]:
        """Return the cards in use by name, in the order in which they came into use."""
        return self._in_use

    def add_cause(self, thing: object, cause: str | None) -> None:
        """Record a cause of a thing: a card or component (by name), a `Spot`, or a `TableNote`."""
        if cause is not None:
            self._unindexed_causes.append(((thing,), cause))

    def get_causes(self, thing: object) -> list[str]:
        """Return the names of all direct and indirect causes of a thing, each after its own causes."""
        if self._unindexed_causes:
            self._index_causes()
        causes = self._list_causes(thing)
        if not causes:
            return []
        if self._causes.keys().isdisjoint(causes):  # The usual case: no cause has a cause.
            return [*causes]
        chain: list[str] = []
        self._follow(causes, {thing}, chain)
        return chain

    def _list_causes(self, thing: object) -> list[str]:
        """Return the direct causes of a thing. Cards of a deck are in the order of the data."""
        causes = list(self._causes.get(thing, ()))
        if len(causes) < 2 or not self.decks:
            return causes
        deck_names = {card.name for deck in self.decks.values() for card in (*deck.cards, *deck.face_up)}
        order = list(self.cards)
        in_deck = iter(sorted(deck_names.intersection(causes), key=order.index))
        return [next(in_deck) if name in deck_names else name for name in causes]

    def _index_causes(self) -> None:
        """Update the index of causes. It is built on demand, because some output formats do not need it."""
        for things, cause in self._unindexed_causes:
            for thing in things:
                name = thing.name if isinstance(thing, Card) else thing
                self._causes.setdefault(name, {})[cause] = None
        self._unindexed_causes.clear()

    def _follow(self, causes: Iterable[str], seen: set[object], chain: list[str]) -> None:
        for cause in causes:
            if cause not in seen:
                seen.add(cause)
                if cause in self._causes:
                    self._follow(self._list_causes(cause), seen, chain)
                chain.append(cause)

    # ── Turning up ──

    @property
    def turned(self) -> list[TurnedRandomizer]:
        """The randomizers that were turned up, in order."""
        positions = {card.name: position for position, card in enumerate(self.kingdom, start=1)}
        turned = []
        for card in self.turned_up:
            position, skip_reason = positions.get(card.name), self.skipped.get(card.name)
            use: Literal["kingdom", "landscape", "skipped"] = "kingdom" if position else "landscape"
            turned.append(TurnedRandomizer(card, "skipped" if skip_reason else use, position, skip_reason))
        return turned

    def count_landscapes(self, extra: Collection[str]) -> int:
        """Return the number of landscapes in use, except those of the kinds in `extra`."""
        return sum(card.kind not in extra for card in self.landscapes.values())

    def use_landscape(
        self, card: Card, max_count: int, limits: Mapping[str, int], extra: Collection[str] = ()
    ) -> None:
        """Use a landscape that was turned up, or skip it if a limit has been reached.

        Args:
            card: the landscape.
            max_count: the maximum number of landscapes.
            limits: the maximum number of landscapes of each kind that has a maximum of its own.
            extra: the kinds whose landscapes do not count towards `max_count`.
        """
        name, kind, used = card.name, card.kind, self.landscapes
        if kind not in extra and self.count_landscapes(extra) >= max_count:
            self.skipped[name] = Message("{count} landscapes are already in use", (("count", max_count),))
        elif kind in limits and [other.kind for other in used.values()].count(kind) >= limits[kind]:
            self.skipped[name] = Message("no more {kind} can be used", (("kind", self.kinds[kind].title),))
        else:
            used[name] = card

    def lay_out_turned_up(self) -> None:
        """Lay out the cards that were turned up and not skipped, in order, in a single fast step."""
        self.piles |= {card.name: card for card in self.kingdom}
        skipped, turned_up = self.skipped, self.turned_up
        self.use([card for card in turned_up if card.name not in skipped] if skipped else turned_up, None)

    # ── Laying things out ──

    def lay_out(self, cards: Sequence[Card], cause: str | None, place: str = "", mark: str = "") -> None:
        """Lay out piles, landscapes or components.

        For those that are already on the table, only the additional cause is recorded.

        Args:
            cards: the cards to lay out.
            cause: the name of the card or decision that requires the cards; None for the opening.
            place: the place of the piles; empty for the usual place of their kind.
            mark: a mark to add to the piles; empty for none.
        """
        if self.existing_names:
            cards = [card for card in cards if not self._was_there_before(card)]
        for card in cards:
            name, kind = card.name, self.kinds[card.kind]
            is_ = kind.is_
            if is_ == "component":
                self.hand_out(name, Component(kind.title or card.kind, "game", card.count_), cause)
                continue
            cards_by_name = self.piles if is_ == "pile" else self.landscapes
            if place and name not in cards_by_name:
                self._places[name] = place
            cards_by_name.setdefault(name, card)
            if mark:
                self.add_mark(name, mark)
        self.use(cards, cause)

    def _was_there_before(self, card: Card) -> bool:
        """Return whether the card is a pile or landscape that was on the table before this deal."""
        return card.name in self.existing_names and self.kinds[card.kind].is_ != "component"

    def register_existing(self, piles: Mapping[str, str]) -> None:
        """Register piles that were on the table before this deal.

        Args:
            piles: the place of each pile, by the name of the pile.
        """
        places = {name: place for name, place in piles.items() if name in self.cards}
        self.piles.update((name, self.cards[name]) for name in places)
        self._places.update(places)

    def add_mark(self, pile: str, mark: str) -> None:
        """Add a mark to a pile.

        Args:
            pile: the name of the pile.
            mark: the name of the choice or card that gives the pile a special role, such as Bane or Obelisk.
        """
        self.marks.setdefault(pile, []).append(mark)

    def get_marked_pile(self, name: str) -> str:
        """Return the name of the pile that a landscape marks; empty if it marks none."""
        return self.marked_piles.get(name, "") if name in self.landscapes else ""

    def get_place(self, pile: Card) -> str:
        """Return the place of a pile: in the Kingdom, in the rest of the Supply, or beside the Supply."""
        return self._places.get(pile.name) or pile.place or self.kinds[pile.kind].place

    def set_aside(self, cards: Sequence[Card], cause: str | None, slot: str) -> None:
        """Set single cards aside.

        Args:
            cards: the cards.
            cause: the name of the card that requires them.
            slot: the name of the choice for which the cards were drawn.
        """
        for card in self._put_on(self.aside, cards, cause):
            self.aside_for.setdefault(card.name, slot)

    def put_into_trash(self, cards: Iterable[Card], cause: str | None) -> None:
        """Put cards into the trash; of a mixed pile, its members. This is not trashing (setup rule E2.25)."""
        names = [name for card in cards for name in dict(card.pile) or [card.name]]
        self._put_on(self.trash, [self.cards[name] for name in names], cause)

    def return_to_box(self, cards: Iterable[Card], cause: str | None) -> None:
        """Return cards to the box. Piles that this number of players does not use are in the box anyway."""
        for card in cards:
            if card.count_.for_players(self.players):
                self.unused.mark_used(card)
                self.boxed[card.name] = card
                self.add_cause(card.name, cause)

    def _filter_new(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Return the cards that were not on the table before this deal."""
        return (
            [card for card in cards if card.name not in self.existing_names] if self.existing_names else cards
        )

    def _put_on(
        self, cards_by_name: dict[str, Card], cards: Sequence[Card], cause: str | None
    ) -> Sequence[Card]:
        """Bring cards into use, add them to a mapping such as `aside`, and return them.

        Cards that were on the table before this deal are ignored.
        """
        new = self._filter_new(cards)
        for card in new:
            cards_by_name.setdefault(card.name, card)
        self.use(new, cause)
        return new

    def add_to_deck(self, name: str, cards: Sequence[Card], cause: str | None, *, face_up: bool) -> None:
        """Put cards into a deck, or face up next to it."""
        deck = self.decks.setdefault(name, Deck([], []))
        (deck.face_up if face_up else deck.cards).extend(cards)
        self.add_cause(name, cause)
        self.use(self._filter_new(cards), name)

    def hand_out(self, name: str, component: Component, cause: str | None) -> None:
        """Hand out a component, to each player or as a common supply, unless its number is 0."""
        count = component.count_
        is_count_zero = count is not None and not count.for_players(self.players)
        if name not in self.existing_names and not is_count_zero:
            self.components.setdefault(name, component)
            self.add_cause(name, cause)

    def resolve_component(self, name: str) -> str:
        """Return the name of a component's substitute if that is on the table; otherwise, return `name`."""
        other = self.known_components[name].or_ if name in self.known_components else ""
        return other if other in self.components or other in self.existing_names else name

    def drop_redundant_components(self) -> None:
        """Remove components whose substitute is also on the table. The substitute takes over their causes."""
        for name in [name for name, component in self.components.items() if component.or_]:
            other = self.resolve_component(name)
            if other != name:
                self._index_causes()
                del self.components[name]
                self._causes.setdefault(other, {}).update(self._causes.pop(name, {}))

    def add_tokens(self, spot: Spot, count: int, cause: str | None, source: Effect) -> None:
        """Put tokens on a spot. If several cards have the same effect, it counts only once.

        Args:
            spot: the spot.
            count: the number of tokens.
            cause: the name of the card that requires the tokens.
            source: the effect that puts the tokens there.
        """
        self.tokens.setdefault(spot, {}).setdefault(source, count)
        self.add_cause(spot, cause)

    def replace_in_starting_deck(self, old: str, new: Card, cause: str | None) -> bool:
        """Replace one copy of a card in every starting deck by a new card, unless the decks have it already.

        Args:
            old: the name of the card to replace.
            new: the new card.
            cause: the name of the card that requires the new card.

        Returns:
            False if no copy of the old card is left to replace, otherwise True.
        """
        if new.name not in self.starting_deck:
            if not self.starting_deck.get(old):
                return False
            self.starting_deck[old] -= 1
            self.starting_deck[new.name] = 1
        self.use([new], cause)
        return True

    # ── Queries ──

    def find_pool(self, query: Query, cause: str | None, *, include_banned: bool) -> Pool:
        """Return the pool from which a choice takes cards.

        This is the pool of the chosen boxes. However, if these have no suitable card, because the user named
        a card from another box, that card's own boxes are used instead.

        Args:
            query: the condition that a card must meet to be chosen.
            cause: the name of the card that requires the choice.
            include_banned: whether the choice may take banned cards.
        """
        pool, card = self.unused.pool, self.cards.get(cause or "")
        request = self._request
        if any(self.named) and card and not pool.find_with_banned(query):
            request = request._replace(chosen=card.boxes)
        elif not include_banned:
            return pool
        if include_banned or not request.wishes.bans:
            return self._game.get_pool(request.chosen)
        from randomizer.deal.wishes.bans import build_pool  # Deals without wishes start faster.

        return build_pool(self._game, request)

    def iter_places(self, name: str) -> Iterator[Where]:
        """Yield the places where a card is on the table. A member of a mixed pile is where its pile is."""
        pile = self.piles.get(name) or self.piles.get(self.cards[name].member_of)
        if pile:
            yield cast("Where", self.get_place(pile))
        if name in self.aside:
            yield "aside"
        if any(card.name == name for deck in self.decks.values() for card in (*deck.cards, *deck.face_up)):
            yield "deck"

    def is_relevant(self, name: str | None, where: Sequence[Where]) -> bool:
        """Return whether a card is in one of the given places.

        The result is also true if no places are given, or if the card's place is unknown.

        Args:
            name: the name of the card; None for the effects that start every setup.
            where: the places.
        """
        if not where or name is None or name not in self.cards:
            return True
        places = list(self.iter_places(name))
        return not places or any(place in where for place in places)

    def find_piles(self, where: str, query: Query) -> list[Card]:
        """Return the matching piles in a part of the Supply.

        Args:
            where: `kingdom` for the Kingdom, `supply` for the whole Supply.
            query: the condition.
        """
        places = ("kingdom",) if where == "kingdom" else ("kingdom", "supply")
        return [
            pile for pile in self.piles.values() if self.get_place(pile) in places and query.matches(pile)
        ]
