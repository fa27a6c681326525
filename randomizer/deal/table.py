"""The table during a deal: the cards and components on it, why they are there, and the unused cards.

A pile, landscape, component or token is "out" if it is on the table. Its causes are the names of the cards
and decisions that require it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Component, Query, Where
from randomizer.cards.pool import Pool
from randomizer.deal.unused import UnusedCards
from randomizer.text.language import Message


class Deck(NamedTuple):
    """A shuffled deck.

    Attributes:
        cards: the cards, from top to bottom.
        face_up: the cards that lie face up next to the deck.
    """

    cards: list[Card]
    face_up: list[Card]


class Turned(NamedTuple):
    """A randomizer that was turned up.

    Attributes:
        card: the randomizer.
        use: how the randomizer was used, or that it was skipped.
        position: the position among the Kingdom cards, counting from 1; None for other randomizers.
        because: why the randomizer was skipped; None if it was used.
    """

    card: Card
    use: Literal["kingdom", "landscape", "skipped"]
    position: int | None = None
    because: Message | None = None


class Decision(NamedTuple):
    """The answer to a yes/no setup question.

    Attributes:
        question: the name of the question.
        title: the title of the question.
        answer: the answer.
        method: which card was looked at (`first`, `last` or `any`), or `asked` if the user set the answer.
        card: the card that was looked at; None if the user set the answer.
        is_possible: whether the Kingdom contains a card of a kind that can make the answer yes.
    """

    question: str
    title: str
    answer: bool
    method: str
    card: Card | None
    is_possible: bool = True


Among = Literal["unused", "table", "starting deck"]


class Missing(NamedTuple):
    """A choice for which there were too few cards.

    Attributes:
        slot: the name of the choice.
        cause: the name of the card that requires the choice.
        query: the condition that a card must meet to be chosen.
        wanted: the required number of cards; None means at least one.
        found: the number of cards that were found.
        among: where the cards were looked for: unused cards, piles on the table, or the starting deck.
    """

    slot: str
    cause: str
    query: Query
    wanted: int | None
    found: int
    among: Among = "unused"


class Spot(NamedTuple):
    """A place where tokens start.

    Attributes:
        token: the name of the token.
        on: the name of the pile, landscape or mat that the tokens lie on.
        each: whether the spot exists once in the game or once for each player.
    """

    token: str
    on: str
    each: Literal["game", "player"]


class TableNote(NamedTuple):
    """A note for the players.

    Attributes:
        message: the text.
        step: empty for a reminder; for a setup step, `here` if it is listed with `on`, or `last` if it is
            listed at the end.
        on: the name of the card or pile with which a step `here` is listed.
    """

    message: Message
    step: Literal["", "here", "last"] = ""
    on: str = ""

    def __str__(self) -> str:
        return str(self.message)


class Table:
    """The cards and components on the table, and the decisions that led to them.

    Args:
        game: the game to deal.
        request: the options of the deal.
        unused: the cards to draw from.
        already: the names of the cards and components that were on the table before this deal.

    Attributes:
        pending_effects: effects that the dealer has to schedule, each with the name of its cause.
        predetermined: by question, the cards that are turned up, in order, if they were drawn to meet wishes.
        chosen: the slugs of the boxes, and of cards sold separately, to deal from.
        existing_decks: the face-down cards of the decks that were out before this deal, by deck name.
        named: the cards that the user named.
        unusual: messages about what is unusual about the named cards.
        drawn: by question, the cards that were drawn, if a fixed number was required.
        piles: the piles by name. Landscapes, components and so on are stored by name, too.
        marks: by pile name, the names of the choices and cards that mark the pile.
        marked: by the name of a card that marks a pile, the name of that pile.
        owners: by the name of a landscape that belongs to a player, the number of that player, from 1.
        aside: the cards that are set aside, by name.
        aside_for: by the name of a card that is set aside, the choice for which it was drawn.
        kingdom: the Kingdom cards that were turned up, in order.
        decided: the decisions that are kept from another table, by question.
    """

    def __init__(
        self, game: Game, request: Request, unused: UnusedCards, already: Iterable[str] = ()
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
        self.already = frozenset(already)
        self.existing_decks: dict[str, list[Card]] = {}
        # The cards and components on the table.
        self.piles: dict[str, Card] = {}
        self.marks: dict[str, list[str]] = {}
        self.landscapes: dict[str, Card] = {}
        self.owners: dict[str, int] = {}
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
        self.skipped: dict[str, Message] = {}  # card name -> why the card was turned up but not used
        self.decisions: list[Decision] = []
        self.notes: list[TableNote] = []
        self.missing: list[Missing] = []
        self.slots: dict[str, list[str]] = {}
        self.unusual: list[Message] = []
        self.drawn: dict[str, list[Card]] = {}
        self.marked: dict[str, str] = {}
        self.decided: Mapping[str, Decision] = {}
        self._in_use = unused.in_use
        self._places: dict[str, str] = {}  # pile name -> place, if it is not the usual place of the kind
        self._causes: dict[object, dict[str, None]] = {}
        # (things, cause) pairs that are not in `_causes` yet. The sequences must not be modified.
        self._unindexed_causes: list[tuple[Sequence[object], str]] = []

    # ── Cards in use, and causes ──

    def use(self, cards: Sequence[Card], cause: str | None) -> None:
        """Bring cards into use, with all members of mixed piles, so that their effects apply (rule E3)."""
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
        causes = self._causes.get(thing)
        if not causes:
            return []
        if self._causes.keys().isdisjoint(causes):  # The usual case: no cause has a cause.
            return [*causes]
        chain: list[str] = []
        self._follow(causes, {thing}, chain)
        return chain

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
                    self._follow(self._causes[cause], seen, chain)
                chain.append(cause)

    # ── Turning up ──

    @property
    def turned(self) -> list[Turned]:
        """The randomizers that were turned up, in order."""
        positions = {card.name: position for position, card in enumerate(self.kingdom, start=1)}
        turned = []
        for card in self.turned_up:
            position, because = positions.get(card.name), self.skipped.get(card.name)
            use: Literal["kingdom", "landscape", "skipped"] = "kingdom" if position else "landscape"
            turned.append(Turned(card, "skipped" if because else use, position, because))
        return turned

    def use_landscape(self, card: Card, max_count: int, limits: Mapping[str, int]) -> None:
        """Use a landscape that was turned up, or skip it if a limit is reached.

        Args:
            card: the landscape.
            max_count: the maximum number of landscapes.
            limits: the maximum numbers for kinds with a lower maximum.
        """
        name, kind, used = card.name, card.kind, self.landscapes
        if len(used) >= max_count:
            self.skipped[name] = Message("{count} landscapes are already in use", (("count", max_count),))
        elif kind in limits and [other.kind for other in used.values()].count(kind) >= limits[kind]:
            self.skipped[name] = Message("no more {kind} can be used", (("kind", self.kinds[kind].title),))
        else:
            used[name] = card

    def lay_out_turned_up(self) -> None:
        """Lay out the cards that were turned up and not skipped, in order, in a single batch for speed."""
        self.piles |= {card.name: card for card in self.kingdom}
        skipped, turned_up = self.skipped, self.turned_up
        self.use([card for card in turned_up if card.name not in skipped] if skipped else turned_up, None)

    # ── Laying things out ──

    def lay_out(self, cards: Sequence[Card], cause: str | None, place: str = "", mark: str = "") -> None:
        """Lay out piles, landscapes or components. If they are already out, only another cause is recorded.

        Args:
            cards: the cards to lay out.
            cause: the name of the card or decision that requires the cards; None for the opening.
            place: the place of the piles; empty for the usual place of their kind.
            mark: the name of the choice that marks the piles; empty for no mark.
        """
        if self.already:
            cards = [card for card in cards if not self._was_there_before(card)]
        for card in cards:
            name, kind = card.name, self.kinds[card.kind]
            is_ = kind.is_
            if is_ == "component":
                self.hand_out(name, Component(kind.title or card.kind, "game", card.count_), cause)
                continue
            shelf = self.piles if is_ == "pile" else self.landscapes
            if place and name not in shelf:
                self._places[name] = place
            shelf.setdefault(name, card)
            if mark:
                self.mark(name, mark)
        self.use(cards, cause)

    def _was_there_before(self, card: Card) -> bool:
        """Return whether the card is a pile or landscape that was on the table before this deal."""
        return card.name in self.already and self.kinds[card.kind].is_ != "component"

    def register_existing(self, piles: Mapping[str, str]) -> None:
        """Register piles that were on the table before this deal.

        Args:
            piles: the place of each pile, by name.
        """
        places = {name: place for name, place in piles.items() if name in self.cards}
        self.piles.update((name, self.cards[name]) for name in places)
        self._places.update(places)

    def mark(self, pile: str, mark: str) -> None:
        """Add a mark to a pile."""
        self.marks.setdefault(pile, []).append(mark)

    def get_marked_pile(self, name: str) -> str:
        """Return the name of the pile that a landscape marks, or an empty text."""
        return self.marked.get(name, "") if name in self.landscapes else ""

    def get_place(self, pile: Card) -> str:
        """Return the place of a pile: in the Kingdom, in the rest of the Supply, or beside the Supply."""
        return self._places.get(pile.name) or pile.place or self.kinds[pile.kind].place

    def set_aside(self, cards: Sequence[Card], cause: str | None, slot: str) -> None:
        """Set single cards aside for the choice for which they were drawn."""
        for card in self._put_on(self.aside, cards, cause):
            self.aside_for.setdefault(card.name, slot)

    def put_into_trash(self, cards: Iterable[Card], cause: str | None) -> None:
        """Put cards into the trash, or all members of a mixed pile. This is not trashing (rule E2.25)."""
        names = [name for card in cards for name in dict(card.pile) or [card.name]]
        self._put_on(self.trash, [self.cards[name] for name in names], cause)

    def return_to_box(self, cards: Iterable[Card], cause: str | None) -> None:
        """Return cards to the box, except piles that are not used with this number of players."""
        for card in cards:
            if card.count_.for_players(self.players):
                self.unused.mark_used(card)
                self.boxed[card.name] = card
                self.add_cause(card.name, cause)

    def _filter_new(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Return the cards that were not on the table before this deal."""
        return [card for card in cards if card.name not in self.already] if self.already else cards

    def _put_on(self, shelf: dict[str, Card], cards: Sequence[Card], cause: str | None) -> Sequence[Card]:
        """Add cards that were not there before this deal to a mapping, such as `aside`, and return them."""
        new = self._filter_new(cards)
        for card in new:
            shelf.setdefault(card.name, card)
        self.use(new, cause)
        return new

    def add_to_deck(self, name: str, cards: Sequence[Card], cause: str | None, *, face_up: bool) -> None:
        """Put cards into a deck, or face up next to it."""
        deck = self.decks.setdefault(name, Deck([], []))
        (deck.face_up if face_up else deck.cards).extend(cards)
        self.add_cause(name, cause)
        self.use(self._filter_new(cards), name)

    def hand_out(self, name: str, component: Component, cause: str | None) -> None:
        """Hand out a component to the players or as a common supply, unless its count is 0."""
        count = component.count_
        is_none = count is not None and not count.for_players(self.players)
        if name not in self.already and not is_none:
            self.components.setdefault(name, component)
            self.add_cause(name, cause)

    def resolve_component(self, name: str) -> str:
        """Return the name of the component to use: the substitute if that is out, otherwise `name`."""
        other = self.known_components[name].or_ if name in self.known_components else ""
        return other if other in self.components or other in self.already else name

    def drop_redundant_components(self) -> None:
        """Remove components whose substitute is also out; the substitute takes over their causes."""
        for name in [name for name, component in self.components.items() if component.or_]:
            other = self.resolve_component(name)
            if other != name:
                self._index_causes()
                del self.components[name]
                self._causes.setdefault(other, {}).update(self._causes.pop(name, {}))

    def add_tokens(self, spot: Spot, count: int, cause: str | None, source: Effect) -> None:
        """Put tokens on a spot, once for each effect (`source`), even if several cards ask for it."""
        self.tokens.setdefault(spot, {}).setdefault(source, count)
        self.add_cause(spot, cause)

    def replace_in_starting_deck(self, old: str, new: Card, cause: str | None) -> bool:
        """Replace a copy of `old` by `new` in every starting deck. Return False if no copy is left."""
        if new.name not in self.starting_deck:
            if not self.starting_deck.get(old):
                return False
            self.starting_deck[old] -= 1
            self.starting_deck[new.name] = 1
        self.use([new], cause)
        return True

    # ── Queries ──

    def find_pool(self, query: Query, cause: str | None, *, with_banned: bool) -> Pool:
        """Return the pool from which a choice takes cards.

        This is the pool of the chosen boxes. If these have no card for the choice, and the user named a card
        from another box, everything that the card needs comes from its own boxes.

        Args:
            query: the condition that a card must meet to be chosen.
            cause: the name of the card that requires the choice.
            with_banned: whether the choice may take banned cards.
        """
        pool, card = self.unused.pool, self.cards.get(cause or "")
        request = self._request
        if any(self.named) and card and not pool.find_with_banned(query):
            request = request._replace(chosen=card.boxes)
        elif not with_banned:
            return pool
        if with_banned or not request.wishes.bans:
            return self._game.get_pool(request.chosen)
        from randomizer.deal.wishes.bans import build_pool  # Deals without wishes start faster.

        return build_pool(self._game, request)

    def iter_places(self, name: str) -> Iterator[Where]:
        """Yield the places of a card. A member of a mixed pile has the place of its pile."""
        pile = self.piles.get(name) or self.piles.get(self.cards[name].member_of)
        if pile:
            yield cast("Where", self.get_place(pile))
        if name in self.aside:
            yield "aside"
        if any(card.name == name for deck in self.decks.values() for card in (*deck.cards, *deck.face_up)):
            yield "deck"

    def is_relevant(self, name: str | None, where: Sequence[Where]) -> bool:
        """Return whether a card is in one of these places; true if `where` is empty or its place unknown."""
        if not where or name is None or name not in self.cards:
            return True
        places = list(self.iter_places(name))
        return not places or any(place in where for place in places)

    def find_piles(self, where: str, query: Query) -> list[Card]:
        """Return the matching piles in the Kingdom (`kingdom`) or in the whole Supply (`supply`)."""
        places = ("kingdom",) if where == "kingdom" else ("kingdom", "supply")
        return [
            pile for pile in self.piles.values() if self.get_place(pile) in places and query.matches(pile)
        ]
