"""A game as data, and setting it up: the opening, then rules until nothing is left to add."""

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from typing import Literal, NamedTuple

from randomizer.cards.library import Cards
from randomizer.cards.model import Box, Card, CardName, Component, Count, Ending, Kind, Option, SlotName
from randomizer.cards.pool import Collection
from randomizer.deal.decorating import Place
from randomizer.deal.growing import Decide
from randomizer.deal.table import Choice, Effect, Effects, Placed, Setting, Table
from randomizer.deal.unused import Pool
from randomizer.deal.verbs import WORDS, do
from randomizer.errors import BadOptions


class SecondDeal(NamedTuple):
    """A new Kingdom in the middle of the game (setup rules A53).

    When the moment of the card `by` comes, the piles of the place `leaves` go back into their boxes, and
    `opening` deals anew; the verbs in `without` do nothing this time.
    """

    by: CardName
    leaves: Literal["kingdom"]
    opening: Effects
    without: tuple[str, ...] = ()


class Options(NamedTuple):
    """What a deal is asked for.

    Attributes:
        chosen: slugs of boxes, or of single cards of a box that is sold card by card.
        players: how many play.
        seed: any text; the same one gives the same table.
        settings: what the other options say, only those that were given.
        files: the user's own data files.
        game: the game's name, where it is not the default game.
    """

    chosen: tuple[str, ...]
    players: int
    seed: str
    settings: Mapping[str, Setting] = {}
    files: tuple[str, ...] = ()
    game: str = ""


class Game(NamedTuple):
    """Everything that the data files say about one game.

    `hash` changes whenever they do; `players` are the least and the most. `setup` is what each card asks for,
    as soon as it is in use: first, so many as `ruled` says, whatever rules ask for with cards of its sort.
    """

    name: str
    title: str
    hash: str
    players: tuple[int, int]
    kinds: Mapping[str, Kind]
    components: Mapping[str, Component]
    sets: Mapping[str, str]
    boxes: dict[str, Box]
    starting_deck: Mapping[str, int]
    options: tuple[Option, ...]
    opening: Effects
    order: tuple[SlotName, ...]
    second_deal: SecondDeal | None
    endings: tuple[Ending, ...]
    cards: Cards
    setup: Mapping[str, Effects]
    ruled: Mapping[str, int]

    def __repr__(self) -> str:
        return f"<Game {self.name}, data {self.hash}>"

    def set_up(self, options: Options, stacked: Mapping[str, Sequence[str]] = {}) -> Table:
        """Deal a table.

        Args:
            options: what is asked for.
            stacked: by question (`randomizers`, `Bane` ...), cards to come up first there.

        Raises:
            TooFewCards: the chosen boxes do not hold enough Kingdom cards (or landscapes).
            BadOptions: the number of players is out of range.
        """
        table = self._table(options, options.seed, stacked)
        # A random card is never one that decides another question, so it is drawn after those.
        late = [isinstance(effect, Decide) and effect.how(table) == "any" for effect in self.opening]
        order = sorted(range(len(late)), key=late.__getitem__)
        self._settle(table, [self.opening[place] for place in order])
        questions = [effect.question for effect in self.opening if isinstance(effect, Decide)]
        table.decisions.sort(key=lambda decision: questions.index(decision.question))
        return table

    def deal_again(
        self, options: Options, gone: Set[str], stays: Mapping[str, str], slots: Iterable[str]
    ) -> Table:
        """Deal the Kingdom that replaces the first one, beside whatever stays on the table.

        Args:
            options: those of the first deal.
            gone: names of the cards that were in use; they are not drawn again.
            stays: names of the things that stay, with the place of those that are piles.
            slots: the choices that were made; they are not made again.

        Raises:
            BadOptions: this game has no second deal.
            TooFewCards: too few Kingdom cards were left over.
        """
        second = self.second_deal
        if second is None:
            raise BadOptions(f"{self.title} has no second deal.")
        table = self._table(options, f"{options.seed}\0{second.by}", {}, {*gone, *stays})
        table.slots.update((slot, []) for slot in slots)
        table.piles.update(
            (name, Placed(self.cards[name], place))
            for name, place in stays.items()
            if place and name in self.cards
        )
        # What the rule for a sort of card asked for the first time is not asked for again.
        ruled = {name: self.ruled.get(name, 0) for name in gone}
        done = {effect for name, many in ruled.items() if many for effect in self.setup[name][:many]}
        self._settle(table, second.opening, second.without, done)
        return table

    def second_deal_command(self) -> str | None:
        """The name of the command that deals anew, after the card whose moment it is."""
        return slug_of(self.second_deal.by) if self.second_deal else None

    def checked(self, settings: Mapping[str, Setting]) -> dict[str, Setting]:
        """The settings without those that say what holds anyway.

        Raises:
            BadOptions: two of them contradict each other.
        """
        kept = dict(settings)
        if kept.get("landscapes_from") == "randomizers":
            del kept["landscapes_from"]
        for option in self.options:
            by = f"{option.name}_by"
            if option.name in kept and by in kept:
                raise BadOptions(f"{flag(by)} looks at a card, but {flag(option.name)} forces the answer.")
            if option.cards and kept.get(by) == option.cards[0]:
                del kept[by]
            if option.within:
                whole = next(other for other in self.options if other.name == option.within)
                number, most = kept.get(option.name), kept.get(whole.name, whole.default)
                if number is not None and most is not None and int(number) > int(most):
                    raise BadOptions(f"{flag(option.name)} {number} is more than {flag(whole.name)} {most}.")
        return kept

    def every_number(self) -> range:
        """The numbers of players that the game is for."""
        return range(self.players[0], self.players[1] + 1)

    def check_players(self, number: int) -> None:
        """Refuse to deal to so many.

        Raises:
            BadOptions: the game is not for that number of players.
        """
        if number not in self.every_number():
            least, most = self.players
            raise BadOptions(f"{self.title} is for {least} to {most} players, not {number}.")

    def count_of(self, card: Card) -> Count:
        """How many lie in its pile at the start: of a stock, what the starting decks leave."""
        if not card.stock:
            return card.count
        dealt = self.starting_deck.get(card.name, 0)
        return Count(tuple((n, card.count.at(n) - n * dealt) for n in self.every_number()))

    def cards_of(self, chosen: Iterable[str]) -> list[Card]:
        """The cards of the chosen boxes, and those chosen by themselves from a box sold card by card."""
        slugs = set(chosen)
        cards = list(self.cards.in_boxes(slugs))
        singles = slugs.difference(self.boxes)
        if not singles:
            return cards
        sold = self.cards.in_boxes(slug for slug, box in self.boxes.items() if box.singly)
        cards += [card for card in sold if slug_of(card.member_of or card.name) in singles]
        return list({card.name: card for card in cards}.values())

    def collection(self, chosen: tuple[str, ...]) -> Collection:
        """The cards of the chosen boxes to deal from; kept, because the next deal asks for it again."""
        if chosen not in self.cards.collections:
            boxes = [self.name_of(slug) for slug in chosen]
            self.cards.collections[chosen] = Collection(boxes, self.cards_of(chosen))
        return self.cards.collections[chosen]

    def name_of(self, slug: str) -> str:
        """What a chosen box, or a card sold by itself, is called."""
        return self.boxes[slug].name if slug in self.boxes else self.cards_of([slug])[0].name

    def _table(
        self, options: Options, seed: str, stacked: Mapping[str, Sequence[str]], already: Iterable[str] = ()
    ) -> Table:
        self.check_players(options.players)
        gone = set(already)
        pool = Pool(self.collection(options.chosen), seed, stacked, gone)
        return Table(
            players=options.players,
            cards=self.cards,
            kinds=self.kinds,
            components=self.components,
            pool=pool,
            settings=options.settings,
            starting_deck=self.starting_deck,
            already=gone,
        )

    def _settle(
        self,
        table: Table,
        opening: Iterable[Effect],
        without: Container[str] = (),
        done: Container[Effect] = (),
    ) -> None:
        """Run the opening, then whatever the cards in use ask for, until nothing is left to do.

        Verbs in `without` and effects in `done` are passed over.
        """
        for effect in opening:
            do(effect, table, None)
        self._receive(table, without, done)
        while table.choices:
            due = min(table.choices, key=self.rank)
            table.choices.remove(due)
            due[0].apply(table, due[1])
            self._receive(table, without, done)
        for effect, cause in table.decorations:
            effect.apply(table, cause)

    def _receive(self, table: Table, without: Container[str] = (), done: Container[Effect] = ()) -> None:
        """Do what the cards that came into use ask for, as far as nothing has to be chosen for it."""
        while table.arrivals:
            card = table.arrivals.pop(0)
            for effect in self.setup.get(card.name, ()):
                if WORDS[type(effect)] not in without and effect not in done:
                    do(effect, table, card.name)

    def brought_by(self, card: Card, players: int) -> tuple[Table, list[tuple[Effect, str]]]:
        """What a card alone brings to a table; and what it asks for that depends on the rest of it."""
        table = self._table(Options((), players, ""), "", {})
        table.use(card, None)
        self._receive(table)
        open_: list[tuple[Effect, str]] = [(effect, cause or "") for effect, cause in table.choices]
        for effect, cause in table.decorations:
            if isinstance(effect, Place) and not effect.piles:
                effect.apply(table, cause)
            else:
                open_.append((effect, cause or ""))
        return table, open_

    def rank(self, choice: tuple[Choice, str | None]) -> tuple[int, int]:
        """In which order choices are made, so that a deck takes no card that a pile still needs."""
        effect, cause = choice
        slot = effect.slot(cause)
        place = self.order.index(SlotName(slot)) if slot in self.order else len(self.order)
        return effect.appetite(), place


def slug_of(name: str) -> str:
    """A name as one types it on a command line: `Sauna/Avanto` is `sauna-avanto`."""
    letters = [letter if letter.isalnum() else " " for letter in name.casefold().replace("'", "")]
    return "-".join("".join(letters).split())


def flag(option: str) -> str:
    """The option as one types it: `landscapes_from` is `--landscapes-from`."""
    return f"--{option.replace('_', '-')}"
