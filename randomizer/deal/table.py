"""The table while it is being laid: the unused cards, and whatever is out, with why it is out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, cast

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Component, KindName, Query, Where
from randomizer.deal.unused import Unused
from randomizer.text.language import Message
from randomizer.text.tuples import NamedTuple


class Placed:
    """A card or pile that is out, and where; `marks` on a pile, the pile that a landscape is `on`.

    `owner` is the number of the player whose it is, from 1; 0 is nobody's.
    """

    on = ""
    owner = 0

    def __init__(self, card: Card, place: str) -> None:
        self.card = card
        self.place = place
        self.marks: list[str] = []


class Deck(NamedTuple):
    """A shuffled deck, top first; `face_up` cards have been turned over beside it."""

    cards: list[Card]
    face_up: list[Card]


class Turned(NamedTuple):
    """A randomizer that was turned up: `number` counts the Kingdom cards; `because` it was skipped."""

    card: Card
    use: Literal["kingdom", "landscape", "skipped"]
    number: int | None = None
    because: Message | None = None


class Decision(NamedTuple):
    """A question that setup answered; `how` is the card looked at (first, last, any), or `asked`.

    It is `possible` that the answer is yes if any Kingdom card to deal from makes it so.
    """

    question: str
    title: str
    answer: bool
    how: str
    card: Card | None
    possible: bool = True


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


class Told(NamedTuple):
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
        marked: by the name of a card that marks a pile, the name of that pile.
        decided: by question, the answers of the table that this one is laid out of, if it is.
    """

    def __init__(self, game: Game, request: Request, unused: Unused, already: Iterable[str] = ()) -> None:
        self.players = request.players
        self.chosen = request.chosen
        self.settings = request.settings
        self.named = request.kingdom
        self.cards = game.cards
        self.kinds = game.kinds
        self.known_components = game.components
        self.unused = unused
        self.asked: list[tuple[Effect, str]] = []
        self.already = frozenset(already)
        self.lying: dict[str, list[Card]] = {}
        # What is out.
        self.piles: dict[str, Placed] = {}
        self.landscapes: dict[str, Placed] = {}
        self.components: dict[str, Component] = {}
        self.decks: dict[str, Deck] = {}
        self.aside: dict[str, Placed] = {}
        self.trash: dict[str, Placed] = {}
        self.boxed: dict[str, Placed] = {}
        self.starting_deck = dict(game.starting_deck)
        self.tokens: dict[Spot, dict[Effect, int]] = {}
        # What happened on the way.
        self.turned: list[Turned] = []
        self.kingdom: list[Card] = []  # those of them that are Kingdom cards
        self.decisions: list[Decision] = []
        self.notes: list[Told] = []
        self.missing: list[Missing] = []
        self.slots: dict[str, list[str]] = {}
        self.unusual: list[Message] = []
        self.drawn: dict[str, list[Card]] = {}
        self.marked: dict[str, str] = {}
        self.decided: Mapping[str, Decision] = {}
        self._in_use = unused.in_use
        self._causes: dict[object, dict[str, None]] = {}

    # ── What is in use, and why ──

    def use(self, cards: Iterable[Card], cause: str | None) -> None:
        """From now on these cards' setup counts, and that of each card of a mixed pile (setup rules E3)."""
        in_use = self._in_use
        for card in cards:
            name = card.name
            if cause is not None:
                self.add_cause(name, cause)
            if name not in in_use:
                in_use[name] = card
                if card.member_of:
                    self.unused.take(card)
                if card.pile:
                    self.use([self.cards[member] for member, _ in card.pile], name)

    def in_use(self) -> Mapping[str, Card]:
        """The cards in use by their names, in the order in which they came in."""
        return self._in_use

    def add_cause(self, thing: object, cause: str | None) -> None:
        """Something is out because of this card or decision too: a name, a spot for tokens, a note."""
        if cause is not None:
            self._causes.setdefault(thing, {})[cause] = None

    def because(self, thing: object) -> list[str]:
        """Why it is out: its causes, each after whatever brought that one out in turn."""
        chain: list[str] = []
        if thing in self._causes:
            self._follow(thing, {thing}, chain)
        return chain

    def _follow(self, thing: object, seen: set[object], chain: list[str]) -> None:
        for cause in self._causes.get(thing, ()):
            if cause not in seen:
                seen.add(cause)
                self._follow(cause, seen, chain)
                chain.append(cause)

    # ── Turning up ──

    def turn_up_kingdom(self, card: Card) -> None:
        """A Kingdom card is turned up."""
        self.kingdom.append(card)
        self.turned.append(Turned(card, "kingdom", len(self.kingdom)))

    def turn_up_landscape(self, card: Card, most: int, limits: Mapping[KindName, int]) -> bool:
        """A landscape is turned up; whether it is used: not if `most` are, or so many of its kind as may be."""
        kinds = [turned.card.kind for turned in self.turned if turned.use == "landscape"]
        kinds += [landscape.card.kind for landscape in self.landscapes.values()]
        limit = limits.get(KindName(card.kind), most)
        if len(kinds) >= most:
            because = Message("{count} landscapes are out already", (("count", most),))
        elif kinds.count(card.kind) >= limit:
            because = Message("no more {kind} are used", (("kind", self.kinds[card.kind].title),))
        else:
            self.turned.append(Turned(card, "landscape"))
            return True
        self.turned.append(Turned(card, "skipped", because=because))
        return False

    def lay_turned_up(self) -> None:
        """Lay out what has been turned up, in that order."""
        self.lay([turned.card for turned in self.turned if turned.use != "skipped"], None)

    # ── Laying things out ──

    def lay(self, cards: Iterable[Card], cause: str | None, place: str = "", mark: str = "") -> None:
        """Lay out piles, landscapes or components; what is out already gains a cause."""
        laid = []
        for card in cards:
            name, kind = card.name, self.kinds[card.kind]
            if kind.is_ == "component":
                self.give(name, Component(kind.title or card.kind, "game", card.count_), cause)
            elif name in self.already:
                continue
            else:
                shelf = self.piles if kind.is_ == "pile" else self.landscapes
                if name not in shelf:
                    shelf[name] = Placed(card, place or card.place or kind.place)
                if mark:
                    shelf[name].marks.append(mark)
            laid.append(card)
        self.use(laid, cause)

    def set_aside(self, cards: Iterable[Card], cause: str | None, slot: str) -> None:
        """Set single cards aside for the card whose choice they are."""
        self._put_on(self.aside, cards, cause, slot)

    def throw(self, cards: Iterable[Card], cause: str | None) -> None:
        """Lay cards, or each card of a mixed pile, into the trash; that is no trashing (E2.25)."""
        names = [name for card in cards for name in dict(card.pile) or [card.name]]
        self._put_on(self.trash, [self.cards[name] for name in names], cause, "trash")

    def put_back(self, cards: Iterable[Card], cause: str | None) -> None:
        """Back into the box: nobody uses them in this game. There may be none for so many players."""
        for card in cards:
            if card.count_.at(self.players):
                self.unused.take(card)
                self.boxed[card.name] = Placed(card, "box")
                self.add_cause(card.name, cause)

    def _put_on(self, shelf: dict[str, Placed], cards: Iterable[Card], cause: str | None, place: str) -> None:
        new = [card for card in cards if card.name not in self.already]
        for card in new:
            shelf.setdefault(card.name, Placed(card, place))
        self.use(new, cause)

    def stack(self, name: str, cards: Sequence[Card], cause: str | None, *, face_up: bool) -> None:
        """Make these cards (more of) a deck, or turn them face up beside it."""
        deck = self.decks.setdefault(name, Deck([], []))
        (deck.face_up if face_up else deck.cards).extend(cards)
        self.add_cause(name, cause)
        self.use([card for card in cards if card.name not in self.already], name)

    def give(self, name: str, component: Component, cause: str | None) -> None:
        """Hand a component to everybody, or put a heap of it on the table; none if its count is 0."""
        none = component.count_ is not None and not component.count_.at(self.players)
        if name not in self.already and not none:
            self.components.setdefault(name, component)
            self.add_cause(name, cause)

    def serving(self, name: str) -> str:
        """The component that is used for this one: itself, or another that is out and serves as well."""
        other = self.known_components[name].or_ if name in self.known_components else ""
        return other if other in self.components or other in self.already else name

    def spare(self) -> None:
        """Of two components of which one serves for both, only that one is handed out."""
        for name in list(self.components):
            other = self.serving(name)
            if other != name:
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

    def places_of(self, name: str) -> Iterator[Where]:
        """Where the card is; one of a mixed pile is where that is."""
        pile = self.piles.get(name) or self.piles.get(self.cards[name].member_of)
        if pile:
            yield cast("Where", pile.place)
        if name in self.aside:
            yield "aside"
        if any(card.name == name for deck in self.decks.values() for card in (*deck.cards, *deck.face_up)):
            yield "deck"

    def matters(self, name: str | None, where: Sequence[Where]) -> bool:
        """Whether what matters only with the card in one of these places does; while none is known, too."""
        if not where or name is None or name not in self.cards:
            return True
        places = list(self.places_of(name))
        return not places or any(place in where for place in places)

    def piles_in(self, where: str, query: Query) -> list[Placed]:
        """The piles of the `kingdom` or of the whole `supply` that answer the query."""
        places = ("kingdom",) if where == "kingdom" else ("kingdom", "supply")
        return [pile for pile in self.piles.values() if pile.place in places and query.answered_by(pile.card)]
