"""The table while it is being laid: the unused cards, and whatever is out, with why it is out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Component, Query, Where
from randomizer.deal.unused import UnusedCards
from randomizer.text.language import Message


class Deck(NamedTuple):
    """A shuffled deck, top first; `face_up` cards have been turned over beside it."""

    cards: list[Card]
    face_up: list[Card]


class Turned(NamedTuple):
    """A randomizer that was turned up: `number` counts the Kingdom cards; `because` it was skipped."""

    card: Card
    use: Literal["kingdom", "landscape", "skipped"]
    position: int | None = None
    because: Message | None = None


class Decision(NamedTuple):
    """A question that setup answered; `how` is the card looked at (first, last, any), or `asked`.

    It is `possible` that the answer is yes if any Kingdom card to deal from makes it so.
    """

    question: str
    title: str
    answer: bool
    method: str
    card: Card | None
    is_possible: bool = True


Among = Literal["unused", "table", "starting deck"]


class Missing(NamedTuple):
    """A choice for which too few cards were left; `wanted` None is "at least one".

    They are looked for `among` the unused cards of the boxes, the piles on the table, or the starting deck.
    """

    slot: str
    cause: str
    query: Query
    wanted: int | None
    found: int
    among: Among = "unused"


class Spot(NamedTuple):
    """Where tokens start: on a pile, a landscape or a mat, once a `game` or for each `player`."""

    token: str
    on: str
    each: Literal["game", "player"]


class TableNote(NamedTuple):
    """What the players are told: to bear in mind, or a step of setup, done with the thing `on` or last."""

    message: Message
    step: Literal["", "here", "last"] = ""
    on: str = ""

    def __str__(self) -> str:
        return str(self.message)


class Table:
    """Everything that is out, and whatever was decided on the way.

    Args:
        game: whose cards and components lie on it.
        request: what the deal is asked for.
        unused: the cards to draw from.
        already: names of what was on the table before this deal.

    Attributes:
        asked: what effects have asked for in turn, each with the name of what asks; the dealer takes it.
        chosen: the boxes (and cards sold by themselves) that it is dealt from.
        lying: by the name of a deck that was out before this deal, the cards that lie in it face down.
        named: what is to be laid out because it was named.
        unusual: what of that is not as setup has it, in words; it is told in the end.
        drawn: by the question of each choice of so many cards, those cards.
        piles: by their names, like all that is out.
        marks: by the name of a pile, the choices and cards that mark it.
        marked: by the name of a card that marks a pile, the name of that pile.
        owners: by the name of a landscape that is a player's, the number of that player, from 1.
        aside: the cards set aside ...
        aside_for: ... and by the name of each the choice that it is set aside for.
        kingdom: the Kingdom cards that were turned up.
        decided: by question, the answers of the table that this one is laid out of, if it is.
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
        self.skipped: dict[str, Message] = {}  # of what was turned up in vain, why
        self.decisions: list[Decision] = []
        self.notes: list[TableNote] = []
        self.missing: list[Missing] = []
        self.slots: dict[str, list[str]] = {}
        self.unusual: list[Message] = []
        self.drawn: dict[str, list[Card]] = {}
        self.marked: dict[str, str] = {}
        self.decided: Mapping[str, Decision] = {}
        self._in_use = unused.in_use
        self._places: dict[str, str] = {}  # of piles that lie elsewhere than their kind does
        self._causes: dict[object, dict[str, None]] = {}
        # What causes have brought since `_causes` was made; these lists are not changed any more.
        self._brought: list[tuple[Sequence[object], str]] = []

    # ── What is in use, and why ──

    def use(self, cards: Sequence[Card], cause: str | None) -> None:
        """From now on these cards' setup counts, and that of each card of a mixed pile (setup rules E3)."""
        in_use = self._in_use
        if cause is not None:
            self._brought.append((cards, cause))
        for card in cards:
            name = card.name
            if name not in in_use:
                in_use[name] = card
                if card.member_of and card.member_of not in in_use:
                    self.unused.mark_used(card)
                if card.pile:
                    self.use([self.cards[member] for member, _ in card.pile], name)

    def in_use(self) -> Mapping[str, Card]:
        """The cards in use by their names, in the order in which they came in."""
        return self._in_use

    def add_cause(self, thing: object, cause: str | None) -> None:
        """Something is out because of this card or decision too: a name, a spot for tokens, a note."""
        if cause is not None:
            self._brought.append(((thing,), cause))

    def get_causes(self, thing: object) -> list[str]:
        """Why it is out: its causes, each after whatever brought that one out in turn."""
        if self._brought:
            self._look_for_causes()
        causes = self._causes.get(thing)
        if not causes:
            return []
        if self._causes.keys().isdisjoint(causes):  # as nearly always
            return [*causes]
        chain: list[str] = []
        self._follow(causes, {thing}, chain)
        return chain

    def _look_for_causes(self) -> None:
        """Put together the causes of each thing, which a deal that is told in a line never needs."""
        for things, cause in self._brought:
            for thing in things:
                name = thing.name if isinstance(thing, Card) else thing
                self._causes.setdefault(name, {})[cause] = None
        self._brought.clear()

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
        """The randomizers that were turned up, in that order."""
        numbers = self.get_kingdom_positions()
        return [self.to_turned(card, numbers.get(card.name)) for card in self.turned_up]

    def get_kingdom_positions(self) -> dict[str, int]:
        """The numbers of the Kingdom cards that were turned up, from 1, by their names."""
        return {card.name: number for number, card in enumerate(self.kingdom, start=1)}

    def to_turned(self, card: Card, number: int | None) -> Turned:
        """One of the randomizers that were turned up, with its number if it is a Kingdom card."""
        if card.name in self.skipped:
            return Turned(card, "skipped", because=self.skipped[card.name])
        return Turned(card, "kingdom" if number else "landscape", number)

    def use_landscape(self, card: Card, most: int, limits: Mapping[str, int]) -> None:
        """Use a landscape that is turned up, unless `most` are, or so many of its kind as its limit says."""
        name, kind, used = card.name, card.kind, self.landscapes
        if len(used) >= most:
            self.skipped[name] = Message("{count} landscapes are out already", (("count", most),))
        elif kind in limits and [other.kind for other in used.values()].count(kind) >= limits[kind]:
            self.skipped[name] = Message("no more {kind} are used", (("kind", self.kinds[kind].title),))
        else:
            used[name] = card

    def lay_out_turned_up(self) -> None:
        """Use what has been turned up, in that order: only now, so that it is done once for all of it."""
        self.piles |= {card.name: card for card in self.kingdom}
        skipped, up = self.skipped, self.turned_up
        self.use([card for card in up if card.name not in skipped] if skipped else up, None)

    # ── Laying things out ──

    def lay_out(self, cards: Sequence[Card], cause: str | None, place: str = "", mark: str = "") -> None:
        """Lay out piles, landscapes or components; what is out already gains a cause.

        Args:
            place: where piles are laid, if not where their kind is.
            mark: the choice that marks them.
        """
        if self.already:
            cards = [card for card in cards if not self._stays(card)]
        for card in cards:
            name, kind = card.name, self.kinds[card.kind]
            is_ = kind.is_
            if is_ == "component":
                self.give(name, Component(kind.title or card.kind, "game", card.count_), cause)
                continue
            shelf = self.piles if is_ == "pile" else self.landscapes
            if place and name not in shelf:
                self._places[name] = place
            shelf.setdefault(name, card)
            if mark:
                self.mark(name, mark)
        self.use(cards, cause)

    def _stays(self, card: Card) -> bool:
        """Whether it is a pile or a landscape that was there before this deal."""
        return card.name in self.already and self.kinds[card.kind].is_ != "component"

    def register_existing(self, piles: Mapping[str, str]) -> None:
        """These piles are there, each in its place, though this deal has not laid them out."""
        there = {name: place for name, place in piles.items() if name in self.cards}
        self.piles.update((name, self.cards[name]) for name in there)
        self._places.update(there)

    def mark(self, pile: str, mark: str) -> None:
        """The pile gets another mark."""
        self.marks.setdefault(pile, []).append(mark)

    def get_marked_pile(self, name: str) -> str:
        """The pile that a landscape is on; nothing if it is on none, or no landscape."""
        return self.marked.get(name, "") if name in self.landscapes else ""

    def get_place(self, pile: Card) -> str:
        """Where a pile lies: in the Kingdom, in the rest of the Supply, or beside it."""
        return self._places.get(pile.name) or pile.place or self.kinds[pile.kind].place

    def list_things_with_facts(self) -> set[object]:
        """Of which things something is to be said that does not go for them on every table."""
        self._look_for_causes()
        return {*self._causes, *self._places, *self.marks, *self.starting_deck}

    def set_aside(self, cards: Sequence[Card], cause: str | None, slot: str) -> None:
        """Set single cards aside for the card whose choice they are."""
        for card in self._put_on(self.aside, cards, cause):
            self.aside_for.setdefault(card.name, slot)

    def put_into_trash(self, cards: Iterable[Card], cause: str | None) -> None:
        """Lay cards, or each card of a mixed pile, into the trash; that is no trashing (E2.25)."""
        names = [name for card in cards for name in dict(card.pile) or [card.name]]
        self._put_on(self.trash, [self.cards[name] for name in names], cause)

    def return_to_box(self, cards: Iterable[Card], cause: str | None) -> None:
        """Back into the box: nobody uses them in this game. There may be none for so many players."""
        for card in cards:
            if card.count_.for_players(self.players):
                self.unused.mark_used(card)
                self.boxed[card.name] = card
                self.add_cause(card.name, cause)

    def _new(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Those of the cards that were not there before this deal."""
        return [card for card in cards if card.name not in self.already] if self.already else cards

    def _put_on(self, shelf: dict[str, Card], cards: Sequence[Card], cause: str | None) -> Sequence[Card]:
        """Put cards on a shelf; those that were not there before this deal."""
        new = self._new(cards)
        for card in new:
            shelf.setdefault(card.name, card)
        self.use(new, cause)
        return new

    def stack(self, name: str, cards: Sequence[Card], cause: str | None, *, face_up: bool) -> None:
        """Make these cards (more of) a deck, or turn them face up beside it."""
        deck = self.decks.setdefault(name, Deck([], []))
        (deck.face_up if face_up else deck.cards).extend(cards)
        self.add_cause(name, cause)
        self.use(self._new(cards), name)

    def give(self, name: str, component: Component, cause: str | None) -> None:
        """Hand a component to everybody, or put a heap of it on the table; none if its count is 0."""
        count = component.count_
        none = count is not None and not count.for_players(self.players)
        if name not in self.already and not none:
            self.components.setdefault(name, component)
            self.add_cause(name, cause)

    def resolve_component(self, name: str) -> str:
        """The component that is used for this one: itself, or another that is out and serves as well."""
        other = self.known_components[name].or_ if name in self.known_components else ""
        return other if other in self.components or other in self.already else name

    def drop_redundant_components(self) -> None:
        """Of two components of which one serves for both, only that one is handed out."""
        for name in [name for name, component in self.components.items() if component.or_]:
            other = self.resolve_component(name)
            if other != name:
                self._look_for_causes()
                del self.components[name]
                self._causes.setdefault(other, {}).update(self._causes.pop(name, {}))

    def add_tokens(self, spot: Spot, count: int, cause: str | None, source: Effect) -> None:
        """Put tokens on a spot. One `source` counts once there, however many cards ask for it."""
        self.tokens.setdefault(spot, {}).setdefault(source, count)
        self.add_cause(spot, cause)

    def replace(self, old: str, new: Card, cause: str | None) -> bool:
        """In every starting deck, `new` instead of one `old`. False if no `old` is left there."""
        if new.name not in self.starting_deck:
            if not self.starting_deck.get(old):
                return False
            self.starting_deck[old] -= 1
            self.starting_deck[new.name] = 1
        self.use([new], cause)
        return True

    # ── Looking ──

    def iter_places(self, name: str) -> Iterator[Where]:
        """Where the card is; one of a mixed pile is where that is."""
        pile = self.piles.get(name) or self.piles.get(self.cards[name].member_of)
        if pile:
            yield cast("Where", self.get_place(pile))
        if name in self.aside:
            yield "aside"
        if any(card.name == name for deck in self.decks.values() for card in (*deck.cards, *deck.face_up)):
            yield "deck"

    def is_relevant(self, name: str | None, where: Sequence[Where]) -> bool:
        """Whether what matters only with the card in one of these places does; while none is known, too."""
        if not where or name is None or name not in self.cards:
            return True
        places = list(self.iter_places(name))
        return not places or any(place in where for place in places)

    def find_piles(self, where: str, query: Query) -> list[Card]:
        """The piles of the `kingdom` or of the whole `supply` that answer the query."""
        places = ("kingdom",) if where == "kingdom" else ("kingdom", "supply")
        return [
            pile for pile in self.piles.values() if self.get_place(pile) in places and query.matches(pile)
        ]
