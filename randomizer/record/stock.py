"""What the boxes hold, what the tables of a series use of it, and what is left for the others.

The tables are dealt in order. What earlier tables use is no longer there for later ones: cards that need it
are banned from these tables, and a setup question is answered with no if yes needs it. What a table needs
although it is not there, such as the basic cards, is listed as missing on that table.

A Kingdom pile or a landscape is used as a whole, even if only one of its cards is. Everything else is
counted.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from randomizer.cards.condition import Profile
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Component, Query
from randomizer.cards.pool import get_or_compute
from randomizer.deal.dealer import preview_card, preview_effects
from randomizer.deal.growing import Decide, TurnUp, list_questions
from randomizer.deal.table import Missing, Table
from randomizer.text.language import ENGLISH_LANGUAGE
from randomizer.text.slugs import slugify

Usage = Mapping[str, int]  # numbers of cards, piles or components, by name


class Stock:
    """What is left in the boxes while the tables of a series are dealt.

    Args:
        game: the game.
        request: the request for any table of the series.
    """

    def __init__(self, game: Game, request: Request) -> None:
        self._game = game
        self._players = request.players
        self._chosen = request.chosen
        self._copies = dict(request.series.copies if request.series else ())
        self._used: Counter[str] = Counter()

    # ── What the boxes hold ──

    def count_left(self, name: str) -> int | None:
        """Return how many of a card, pile or component are left; None if their number is not limited."""
        total = self._count_all(name)
        return None if total is None else max(total - self._used[name], 0)

    def _count_all(self, name: str) -> int | None:
        """Return how many of a card, pile or component the boxes hold; None if that is unknown."""
        if card := self._game.cards.get(name):
            return _count_in_box(self._game, card) * self._count_boxes(card.boxes, card)
        component = self._game.components[name]
        return component.in_box * self._count_boxes(component.boxes) if component.in_box else None

    def _count_boxes(self, boxes: Sequence[str], card: Card | None = None) -> int:
        """Return how many of these boxes there are.

        A chosen box counts once, and a box with a number of copies counts that often. Something that is in
        none of them, such as the basic cards if the player chose only expansions, comes from one other box.

        Args:
            boxes: the slugs of the boxes that contain something.
            card: the card that they contain, if it is one. If it is sold separately, it can have a number of
                copies of its own.
        """
        if card and any(self._game.boxes[slug].singly for slug in boxes):
            own_slug = slugify(card.member_of or card.name)
            if own_slug in self._copies:
                return self._copies[own_slug]
        return sum(self._copies.get(slug, int(slug in self._chosen)) for slug in boxes) or 1

    # ── What tables use ──

    def take(self, request: Request, table: Table) -> None:
        """Take what a table uses. Of what is missing on it, nothing is taken.

        Args:
            request: the request for the table.
            table: the table.
        """
        self._used.update(self._count_usage(request, table))

    def _count_usage(self, request: Request, table: Table) -> Usage:
        """Return what a table uses. As long as its veto is open, this is what any of its cards may need."""
        usage = count_usage(self._game, table)
        if request.is_veto_open:
            needs, opening = self._get_needs(), self._game.opening
            basics = [effect for effect in opening if not isinstance(effect, TurnUp | Decide)]
            usages = [needs[name].usage for name in table.in_use() if name in needs]
            usages.append(count_usage(self._game, preview_effects(basics, "", self._game, request)))
            for thing, count in (item for each in usages for item in each.items()):
                usage[thing] = max(usage[thing], count)
        return usage

    def find_shortages(self, table: Table) -> Iterator[Missing]:
        """Yield what a table uses more of than is left. For cards of a deck, the deck is named."""
        short_decks = set()
        decks_by_card = {
            card.name: name for name, deck in table.decks.items() for card in (*deck.cards, *deck.face_up)
        }
        for name, wanted in count_usage(self._game, table).items():
            left = self.count_left(name)
            if left is None or left >= wanted:
                continue
            if deck_name := decks_by_card.get(name):
                short_decks.add(deck_name)
            else:
                yield Missing(name, name, Query(), wanted, left, "boxes")
        for deck_name in sorted(short_decks):
            deck = table.decks[deck_name]
            names = [card.name for card in (*deck.cards, *deck.face_up)]
            found = sum(self.count_left(name) != 0 for name in names)
            yield Missing(deck_name, deck_name, Query(), len(names), found, "boxes")

    # ── What later tables can use ──

    def find_used_up(self) -> list[str]:
        """Return the names of the piles and landscapes that are not left."""
        return [name for name in self._get_needs() if self.count_left(name) == 0]

    def find_lacking(self) -> list[str]:
        """Return the names of the piles and landscapes that are left, but need something that is not left.

        Either the thing is used up, or every card that could be chosen for them.
        """
        needs = self._get_needs()
        left = {name for name in needs if self.count_left(name)}
        lacking = [name for name in needs if name in left and not self._has_all(needs[name].usage)]
        left.difference_update(lacking)
        candidates = [self._game.cards[name] for name in sorted(left)]
        is_met: dict[Query, bool] = {}
        for name in sorted(left):
            for query in needs[name].queries:
                if query not in is_met:
                    is_met[query] = any(map(query.matches, candidates))
                if not is_met[query]:
                    lacking.append(name)
                    break
        return lacking

    def restrict(self, request: Request, lacking: Collection[str]) -> "RestrictedRequest":
        """Exclude from a request the cards that are used up, and others.

        Args:
            request: the request for a table.
            lacking: the names of the other piles and landscapes to exclude.
        """
        excluded = UnavailableCards(frozenset((*self.find_used_up(), *lacking)))
        settings, closed = dict(request.settings), []
        for question in list_questions(self._game.opening):
            if question.option in settings:
                continue
            after_yes = preview_effects(question.then, question.title, self._game, request)
            if not self._has_all(_remove_basics(count_usage(self._game, after_yes), self._game)):
                settings[question.option] = False
                closed.append(question.question)
        bans = (*request.wishes.bans, excluded) if excluded.names else request.wishes.bans
        wishes = request.wishes._replace(bans=bans)
        return RestrictedRequest(request._replace(wishes=wishes, settings=settings), closed)

    def _has_all(self, needed: Usage) -> bool:
        """Return whether enough of everything is left."""
        lefts = ((self.count_left(name), count) for name, count in needed.items())
        return all(left is None or left >= count for left, count in lefts)

    def _get_needs(self) -> Mapping[str, "Needs"]:
        """Return what each pile and landscape of the chosen boxes certainly needs, by its name."""
        pool = self._game.get_pool(self._chosen)
        return get_or_compute(
            pool.cache,
            ("needs", self._players),
            lambda: {
                card.name: _find_needs(card, self._game, self._players)
                for card in pool.list_cards()
                if not card.member_of and _is_used_as_a_whole(self._game, card)
            },
        )


class Needs(NamedTuple):
    """What a pile or landscape certainly needs.

    Attributes:
        usage: the number of each thing, by name.
        queries: the conditions for cards of which one is chosen for it.
    """

    usage: Usage
    queries: Collection[Query]


class UnavailableCards(NamedTuple):
    """A selector for the piles and landscapes that other tables make unavailable.

    Attributes:
        names: the names of the piles and landscapes.
    """

    names: frozenset[str]

    @property
    def text(self) -> str:
        """A text for messages about wishes, which is not translated and cannot be parsed."""
        return "unavailable"

    def matches(self, profile: Profile) -> bool:
        """Return whether the pile or landscape is unavailable."""
        return not self.names.isdisjoint(profile.values["card"])


class RestrictedRequest(NamedTuple):
    """A request for a table that can use only what other tables leave.

    Attributes:
        request: the request, in which everything else is banned.
        closed: the setup questions that can only be answered with no.
    """

    request: Request
    closed: Sequence[str]

    def mark_closed(self, table: Table) -> Table:
        """Record on a table which of its questions were answered by what other tables use."""
        table.decisions[:] = [
            decision._replace(method="used") if decision.question in self.closed else decision
            for decision in table.decisions
        ]
        return table


def count_usage(game: Game, table: Table) -> Counter[str]:
    """Return what a table uses: the number of each card, pile or component, by name."""
    usage: Counter[str] = Counter()
    players = table.players
    for card in table.in_use().values():
        pile = game.cards[card.member_of or card.name]
        if _is_used_as_a_whole(game, pile):
            usage[pile.name] = 1
    for pile in table.piles.values():
        if not _is_used_as_a_whole(game, pile):
            usage[pile.name] = pile.count_.for_players(players)
    for name, count in table.starting_deck.items():
        if not (game.cards[name].stock and name in table.piles):
            usage[name] += count * players
    singles = [card for deck in table.decks.values() for card in (*deck.cards, *deck.face_up)]
    for card in (*singles, *table.trash.values()):
        if not _is_used_as_a_whole(game, game.cards[card.member_of or card.name]):
            usage[card.name] += card.count_.for_players(players)
    for name, component in table.components.items():
        usage[name] = _count_component(component, players)
    return +usage


def _count_component(component: Component, players: int) -> int:
    """Return how many of a component a table needs; 0 for a shared heap, which has no fixed size."""
    count = component.count_.for_players(players) if component.count_ else 0
    return count * (players if component.each == "player" else 1)


def _count_in_box(game: Game, card: Card) -> int:
    """Return how many of a card, pile or landscape are in a box that contains it."""
    if _is_used_as_a_whole(game, card):
        return 1
    return card.in_box or max(count for _, count in card.count_.steps)


def _is_used_as_a_whole(game: Game, card: Card) -> bool:
    """Return whether a card is a Kingdom pile or a landscape, which no other table can use in part."""
    kind = game.kinds[card.kind]
    return kind.place == "kingdom" or kind.is_ == "landscape"


def _find_needs(card: Card, game: Game, players: int) -> Needs:
    """Return what a card certainly needs besides itself and what every table has."""
    table, _ = preview_card(card, game, players, ENGLISH_LANGUAGE)
    usage = _remove_basics(count_usage(game, table), game)
    del usage[card.name]
    choices = (effect.choice(name) for name in table.in_use() for effect in game.setup.get(name, ()))
    return Needs(usage, {choice.query for choice in choices if choice and choice.is_single})


def _remove_basics(usage: Counter[str], game: Game) -> Counter[str]:
    """Remove from a usage what every table has."""
    basics = {name for effect in game.opening for name in effect.brings(game.get_pool(()))}
    return Counter(
        {
            name: count
            for name, count in usage.items()
            if name not in basics and name not in game.starting_deck
        }
    )
