"""The table during a deal: the unused cards, and everything that is out, with its causes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Component, Query, Where
from randomizer.deal.unused import UnusedCards
from randomizer.text.language import Message


class Deck(NamedTuple):
    """A shuffled deck.

    Attributes:
        cards: the cards, top first.
        face_up: the cards that were turned over next to it.
    """

    cards: list[Card]
    face_up: list[Card]


class Turned(NamedTuple):
    """A randomizer that was turned up.

    Attributes:
        card: the randomizer.
        use: what became of it.
        position: the position among the Kingdom cards, from 1; None for others.
        because: why it was skipped.
    """

    card: Card
    use: Literal["kingdom", "landscape", "skipped"]
    position: int | None = None
    because: Message | None = None


class Decision(NamedTuple):
    """A question of setup and its answer.

    Attributes:
        question: the name of the question.
        title: its title.
        answer: the answer.
        method: which card was looked at (first, last, any), or `asked` if a setting forced the answer.
        card: the card that was looked at.
        is_possible: whether a Kingdom card of the chosen boxes could make the answer yes.
    """

    question: str
    title: str
    answer: bool
    method: str
    card: Card | None
    is_possible: bool = True


Among = Literal["unused", "table", "starting deck"]


class Missing(NamedTuple):
    """A choice that found too few cards.

    Attributes:
        slot: the name of the choice.
        cause: the name of the card that asks for it.
        query: which cards may be chosen.
        wanted: how many are to be chosen; None means at least one.
        found: how many were found.
        among: whether they are unused cards of the boxes, piles on the table, or cards of the starting deck.
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
        on: the name of the pile, landscape or mat.
        each: whether there is one such place in the game or one for each player.
    """

    token: str
    on: str
    each: Literal["game", "player"]


class TableNote(NamedTuple):
    """A note for the players.

    Attributes:
        message: the text.
        step: empty for a reminder; otherwise it is a step of setup, done together with `on` or last.
        on: the name of the thing that a step is done with.
    """

    message: Message
    step: Literal["", "here", "last"] = ""
    on: str = ""

    def __str__(self) -> str:
        return str(self.message)


class Table:
    """Everything that is out, and the decisions that were made.

    Args:
        game: the game that is dealt.
        request: the options of the deal.
        unused: the cards to draw from.
        already: the names of what was on the table before this deal.

    Attributes:
        pending_effects: effects that other effects have asked for, each with the name of its cause, for the
            dealer.
        predetermined: by question, the cards that come up, in order, because of wishes.
        chosen: the boxes (and cards sold separately) to deal from.
        existing_decks: by the name of a deck that was out before this deal, its face-down cards.
        named: what is laid out because the user named it.
        unusual: messages about what is unusual about that.
        drawn: the cards of each choice of a fixed number of cards, by question.
        piles: the piles by name; everything else that is out is stored by name too.
        marks: by the name of a pile, the choices and cards that mark it.
        marked: by the name of a card that marks a pile, the name of that pile.
        owners: by the name of a landscape that belongs to a player, the number of that player, from 1.
        aside: the cards that are set aside.
        aside_for: by the name of a card that is set aside, the choice that it is for.
        kingdom: the Kingdom cards that were turned up.
        decided: by question, the decisions of the table that this one is based on, if there is one.
    """

    def __init__(
        self, game: Game, request: Request, unused: UnusedCards, already: Iterable[str] = ()
    ) -> None:
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
        # What is out.
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
        # What happened on the way.
        self.turned_up: list[Card] = []
        self.kingdom: list[Card] = []
        self.skipped: dict[str, Message] = {}  # why cards that were turned up are not used
        self.decisions: list[Decision] = []
        self.notes: list[TableNote] = []
        self.missing: list[Missing] = []
        self.slots: dict[str, list[str]] = {}
        self.unusual: list[Message] = []
        self.drawn: dict[str, list[Card]] = {}
        self.marked: dict[str, str] = {}
        self.decided: Mapping[str, Decision] = {}
        self._in_use = unused.in_use
        self._places: dict[str, str] = {}  # of piles that are not in the usual place of their kind
        self._causes: dict[object, dict[str, None]] = {}
        # Things with their cause that are not in `_causes` yet; these lists are not modified later.
        self._unindexed_causes: list[tuple[Sequence[object], str]] = []

    # ── What is in use, and why ──

    def use(self, cards: Sequence[Card], cause: str | None) -> None:
        """Bring cards into use, with all cards of mixed piles, so that their setup counts (setup rule E3)."""
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
        """Add a card or decision to the causes of a thing: a name, a spot for tokens, or a note."""
        if cause is not None:
            self._unindexed_causes.append(((thing,), cause))

    def get_causes(self, thing: object) -> list[str]:
        """Return the names of all direct and indirect causes of a thing, each after its own causes."""
        if self._unindexed_causes:
            self._index_causes()
        causes = self._causes.get(thing)
        if not causes:
            return []
        if self._causes.keys().isdisjoint(causes):  # No cause has a cause, as is nearly always so.
            return [*causes]
        chain: list[str] = []
        self._follow(causes, {thing}, chain)
        return chain

    def _index_causes(self) -> None:
        """Collect the causes of each thing. Output formats without causes never need this."""
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
        positions = self.get_kingdom_positions()
        return [self.to_turned(card, positions.get(card.name)) for card in self.turned_up]

    def get_kingdom_positions(self) -> dict[str, int]:
        """Return the positions of the Kingdom cards that were turned up, from 1, by name."""
        return {card.name: position for position, card in enumerate(self.kingdom, start=1)}

    def to_turned(self, card: Card, position: int | None) -> Turned:
        """Return the record of a randomizer that was turned up; only a Kingdom card has a position."""
        if card.name in self.skipped:
            return Turned(card, "skipped", because=self.skipped[card.name])
        return Turned(card, "kingdom" if position else "landscape", position)

    def use_landscape(self, card: Card, max_count: int, limits: Mapping[str, int]) -> None:
        """Use a landscape that is turned up, or skip it if that would exceed a limit.

        Args:
            card: the landscape.
            max_count: the maximum number of landscapes.
            limits: smaller maximum numbers for some kinds.
        """
        name, kind, used = card.name, card.kind, self.landscapes
        if len(used) >= max_count:
            self.skipped[name] = Message("{count} landscapes are already in use", (("count", max_count),))
        elif kind in limits and [other.kind for other in used.values()].count(kind) >= limits[kind]:
            self.skipped[name] = Message("no more {kind} can be used", (("kind", self.kinds[kind].title),))
        else:
            used[name] = card

    def lay_out_turned_up(self) -> None:
        """Bring the cards that were turned up into use, in order, all at once to save time."""
        self.piles |= {card.name: card for card in self.kingdom}
        skipped, up = self.skipped, self.turned_up
        self.use([card for card in up if card.name not in skipped] if skipped else up, None)

    # ── Laying things out ──

    def lay_out(self, cards: Sequence[Card], cause: str | None, place: str = "", mark: str = "") -> None:
        """Lay out piles, landscapes or components. What is out already gets another cause.

        Args:
            cards: the cards to lay out.
            cause: the name of the card or decision that asks for it; None is the opening.
            place: the place of the piles, if it is not the usual one of their kind.
            mark: the choice that marks them.
        """
        if self.already:
            cards = [card for card in cards if not self._stays(card)]
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

    def _stays(self, card: Card) -> bool:
        """Return whether the card is a pile or a landscape that was there before this deal."""
        return card.name in self.already and self.kinds[card.kind].is_ != "component"

    def register_existing(self, piles: Mapping[str, str]) -> None:
        """Add piles that were on the table before this deal, by name with their places."""
        there = {name: place for name, place in piles.items() if name in self.cards}
        self.piles.update((name, self.cards[name]) for name in there)
        self._places.update(there)

    def mark(self, pile: str, mark: str) -> None:
        """Add a mark to a pile."""
        self.marks.setdefault(pile, []).append(mark)

    def get_marked_pile(self, name: str) -> str:
        """Return the name of the pile that a landscape marks, or an empty text."""
        return self.marked.get(name, "") if name in self.landscapes else ""

    def get_place(self, pile: Card) -> str:
        """Return the place of a pile: in the Kingdom, in the rest of the Supply, or beside the Supply."""
        return self._places.get(pile.name) or pile.place or self.kinds[pile.kind].place

    def list_things_with_facts(self) -> set[object]:
        """Return the things with causes, places, marks or counts that are particular to this table."""
        self._index_causes()
        return {*self._causes, *self._places, *self.marks, *self.starting_deck}

    def set_aside(self, cards: Sequence[Card], cause: str | None, slot: str) -> None:
        """Set single cards aside for the choice that they were drawn for."""
        for card in self._put_on(self.aside, cards, cause):
            self.aside_for.setdefault(card.name, slot)

    def put_into_trash(self, cards: Iterable[Card], cause: str | None) -> None:
        """Put cards (of a mixed pile all its cards) into the trash; it does not count as trashing (E2.25)."""
        names = [name for card in cards for name in dict(card.pile) or [card.name]]
        self._put_on(self.trash, [self.cards[name] for name in names], cause)

    def return_to_box(self, cards: Iterable[Card], cause: str | None) -> None:
        """Return cards to the box for this game. Some do not exist for this number of players."""
        for card in cards:
            if card.count_.for_players(self.players):
                self.unused.mark_used(card)
                self.boxed[card.name] = card
                self.add_cause(card.name, cause)

    def _new(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Return the cards that were not there before this deal."""
        return [card for card in cards if card.name not in self.already] if self.already else cards

    def _put_on(self, shelf: dict[str, Card], cards: Sequence[Card], cause: str | None) -> Sequence[Card]:
        """Put the cards that were not there before this deal on a shelf, and return them."""
        new = self._new(cards)
        for card in new:
            shelf.setdefault(card.name, card)
        self.use(new, cause)
        return new

    def add_to_deck(self, name: str, cards: Sequence[Card], cause: str | None, *, face_up: bool) -> None:
        """Add cards to a deck, or turn them face up next to it."""
        deck = self.decks.setdefault(name, Deck([], []))
        (deck.face_up if face_up else deck.cards).extend(cards)
        self.add_cause(name, cause)
        self.use(self._new(cards), name)

    def hand_out(self, name: str, component: Component, cause: str | None) -> None:
        """Hand a component out to the players or put it on the table, unless its count is 0."""
        count = component.count_
        is_none = count is not None and not count.for_players(self.players)
        if name not in self.already and not is_none:
            self.components.setdefault(name, component)
            self.add_cause(name, cause)

    def resolve_component(self, name: str) -> str:
        """Return the component that is used for this one: itself, or a substitute that is out."""
        other = self.known_components[name].or_ if name in self.known_components else ""
        return other if other in self.components or other in self.already else name

    def drop_redundant_components(self) -> None:
        """Remove components whose substitute is out too."""
        for name in [name for name, component in self.components.items() if component.or_]:
            other = self.resolve_component(name)
            if other != name:
                self._index_causes()
                del self.components[name]
                self._causes.setdefault(other, {}).update(self._causes.pop(name, {}))

    def add_tokens(self, spot: Spot, count: int, cause: str | None, source: Effect) -> None:
        """Put tokens on a spot, once for each `source`, no matter how many cards ask for it."""
        self.tokens.setdefault(spot, {}).setdefault(source, count)
        self.add_cause(spot, cause)

    def replace_in_starting_deck(self, old: str, new: Card, cause: str | None) -> bool:
        """Replace one `old` card in every starting deck by `new`. Return False if no `old` card is left."""
        if new.name not in self.starting_deck:
            if not self.starting_deck.get(old):
                return False
            self.starting_deck[old] -= 1
            self.starting_deck[new.name] = 1
        self.use([new], cause)
        return True

    # ── Looking ──

    def iter_places(self, name: str) -> Iterator[Where]:
        """Yield the places of a card; a card of a mixed pile is where its pile is."""
        pile = self.piles.get(name) or self.piles.get(self.cards[name].member_of)
        if pile:
            yield cast("Where", self.get_place(pile))
        if name in self.aside:
            yield "aside"
        if any(card.name == name for deck in self.decks.values() for card in (*deck.cards, *deck.face_up)):
            yield "deck"

    def is_relevant(self, name: str | None, where: Sequence[Where]) -> bool:
        """Return whether a card is in one of these places, or nothing is known that rules it out."""
        if not where or name is None or name not in self.cards:
            return True
        places = list(self.iter_places(name))
        return not places or any(place in where for place in places)

    def find_piles(self, where: str, query: Query) -> list[Card]:
        """Return the piles of the `kingdom` or of the whole `supply` that match a query."""
        places = ("kingdom",) if where == "kingdom" else ("kingdom", "supply")
        return [
            pile for pile in self.piles.values() if self.get_place(pile) in places and query.matches(pile)
        ]
