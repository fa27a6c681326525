"""The data that setup documents share: details of cards, and whatever does not depend on the seed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from randomizer import __version__
from randomizer.cards.game import Game, Request, Series
from randomizer.cards.kingdom import kingdom_to_json, swaps_to_json
from randomizer.cards.model import Card
from randomizer.setup.command import build_command_without_seed
from randomizer.setup.lines import map_to_index
from randomizer.setup.texts import build_cost, build_prose, build_sentence, combine_names
from randomizer.text.language import Language, Message
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.setup import document


class CardFacts:
    """The names, ids and costs of a game's cards, in the format of setup documents.

    Results are cached and shared by all documents, so callers must not modify them.

    Args:
        game: the game.
        languages: the languages of the documents; English comes first.

    Attributes:
        languages: see the arguments.
        get_name: returns the name of a card or component with its translations, given its English name.
        get_card_name: returns the name of a card with its translations and its id, given its English name.
        get_cost: returns the cost of a card, given its English name; None for a card without a cost.
        translate: returns a text in all languages, given the English text.
    """

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.languages = tuple(languages)
        self._game = game
        # The keys of the caches are names, because computing the hash of a card is slow.
        self.get_name = cache(self._build_name)
        self.get_card_name = cache(self._build_card_name)
        self.get_cost = cache(self._build_cost)
        self.translate = cache(partial(build_prose, languages=self.languages))

    def _build_name(self, name: str) -> document.Named:
        """Build the name of a card or component, with its translations."""
        return combine_names(
            name, {language.code: language.translate_name(name) for language in self.languages[1:]}
        )

    def get_box_name(self, slug: str) -> document.Named:
        """Return the name of a box, with its translations."""
        name = self._game.boxes[slug].name
        return combine_names(
            name, {language.code: language.boxes.get(slug, name) for language in self.languages[1:]}
        )

    def _build_card_name(self, name: str) -> document.NamedCard:
        """Build the name of a card, with its translations and its id."""
        return {**self.get_name(name), "id": slugify(name)}

    def _build_cost(self, name: str) -> document.CardCost | None:
        """Build the cost of the card with this name."""
        return build_cost(self._game.cards[name].cost)


def get_card_facts(game: Game, languages: Sequence[Language]) -> CardFacts:
    """Return the details of a game's cards. The result for the most recently used languages is cached.

    Args:
        game: the game.
        languages: the languages of the documents; English comes first.
    """
    facts: CardFacts | None = game.cards.facts
    if facts is None or facts.languages != tuple(languages):
        facts = game.cards.facts = CardFacts(game, languages)
    return facts


class DocumentContext:
    """The data of setup documents that depend only on the game, the request and the chosen boxes.

    Each part is built only once, and shared by all documents in the context, so callers must not modify it.

    Args:
        game: the game.
        request: the request; its seed is ignored.
        languages: the languages of the documents; English comes first.
        chosen: the slugs of the boxes and single cards from which the tables are dealt; by default, those of
            the request.

    Attributes:
        chosen: the slugs of the boxes and single cards from which the tables are dealt.
        languages: the languages of the documents; English comes first.
        card_facts: the names, ids and costs of the cards.
        command: the command that deals the request, without a seed.
        generator: the program, its version, and a hash of the card data.
        options: the options of the deal that differ from their defaults.
        get_facts: returns the details of a card, given its name.
        get_pile: returns a pile in its usual place, without marks or causes, given its name.
        get_landscape: returns a landscape without causes, given its name and the name of the pile that it
            marks, which is empty if it marks none.
    """

    def __init__(
        self, game: Game, request: Request, languages: Sequence[Language], chosen: Sequence[str] = ()
    ) -> None:
        self.game = game
        self.players = request.players
        self.chosen = frozenset(chosen or request.chosen)
        self.languages = languages
        self.card_facts = get_card_facts(game, languages)
        self.command = build_command_without_seed(game, request)
        self.generator: document.Generator = {
            "name": "dominion-randomizer",
            "version": __version__,
            "data": game.hash,
        }
        self.options = _encode_options(request)
        self._requested = request.chosen
        self._wishes = request.wishes
        self._kind_order = map_to_index(game.kinds)
        # The keys of the caches are names, because computing the hash of a card is slow.
        self.get_facts = cache(self._build_facts)
        self.get_pile = cache(self._build_pile)
        self.get_landscape = cache(self._build_landscape)

    # ── Boxes ──

    @cached_property
    def all_boxes(self) -> list[document.Box]:
        """All boxes of the game."""
        return self.build_boxes(self.game.boxes)

    @cached_property
    def boxes(self) -> list[document.Box]:
        """The chosen boxes, then the chosen cards that are sold separately."""
        return self.build_boxes(())

    def build_boxes(self, other_slugs: Collection[str]) -> list[document.Box]:
        """Build the chosen boxes and some others, then the chosen cards that are sold separately.

        Args:
            other_slugs: the slugs of the other boxes to include.
        """
        boxes: list[document.Box] = [
            {**self.card_facts.get_box_name(slug), "slug": slug, "chosen": slug in self.chosen}
            for slug in self.game.boxes
            if slug in self.chosen or slug in other_slugs
        ]
        return boxes + self._build_single_cards()

    def _build_single_cards(self) -> list[document.Box]:
        slugs = [slug for slug in self._requested if slug in self.chosen and slug not in self.game.boxes]
        return [
            {"slug": slugify(card.name), **self.card_facts.get_name(card.name), "chosen": True}
            for card in (self.game.find_cards(slugs) if slugs else ())
            if not card.member_of
        ]

    def find_box(self, card: Card) -> str:
        """Return the slug of the box from which to fetch a card.

        This is the first chosen box that contains the card, or else the newest box of the card's set.
        """
        chosen = [slug for slug in card.boxes if slug in self.chosen]
        with_set = [slug for slug in card.boxes if card.set in self.game.boxes[slug].holds]
        return chosen[0] if chosen else (with_set or card.boxes)[-1]

    # ── Cards ──

    def _build_facts(self, name: str) -> document.Facts:
        card = self.game.cards[name]
        return {
            **self.card_facts.get_card_name(name),
            "set": card.set,
            "box": self.find_box(card),
            "cost": self.card_facts.get_cost(name),
            "types": list(card.types),
        }

    def _build_pile(self, name: str) -> document.Pile:
        card = self.game.cards[name]
        place, count = card.place or self.game.kinds[card.kind].place, card.count_.for_players(self.players)
        members = [
            self._build_member(member, number.for_players(self.players)) for member, number in card.pile
        ]
        if sum(number.for_players(self.players) for _, number in card.pile) != count:
            for member in members:  # The pile consists of random copies of its members.
                member["count"] = None
        part = cast(
            "document.Pile",
            {
                **self.get_facts(name),
                "place": place,
                "count": count,
                "members": members,
                "marks": [],
                "because": [],
            },
        )
        if card.stock:
            part["stock"] = count
        if card.in_box:
            part["in_box"] = card.in_box
        if card.shuffled:
            part["shuffled"] = True
        if card.note:
            part["note"] = self.card_facts.translate(card.note)
        if title := self.game.kinds[card.kind].title:
            part["group"] = self.card_facts.translate(title)
        return part

    def _build_member(self, name: str, count: int) -> document.Member:
        card = self.game.cards[name]
        return {
            **self.card_facts.get_card_name(name),
            "cost": self.card_facts.get_cost(name),
            "types": list(card.types),
            "count": count,
        }

    def _build_landscape(self, name: str, on: str) -> document.Landscape:
        card = self.game.cards[name]
        kind = self.game.kinds[card.kind]
        part = cast(
            "document.Landscape",
            {
                **self.card_facts.get_card_name(name),
                "kind": card.kind,
                "group": self.card_facts.translate(kind.title),
                "set": card.set,
                "box": self.find_box(card),
                "cost": self.card_facts.get_cost(name),
                "because": [],
            },
        )
        if on:
            part["on"] = on
            part["location"] = build_sentence(Message(kind.lies, (("on", on),)), self.languages)
            if kind.marks:
                part["pile_remark"] = build_sentence(Message(kind.marks, (("name", name),)), self.languages)
        return part

    def is_banned(self, card: Card) -> bool:
        """Return whether a wish bans the card."""
        if not self._wishes.bans:
            return False
        # Most deals have no bans, and the import takes time.
        from randomizer.deal.wishes.bans import find_ban

        return bool(find_ban(self.game, self._wishes, card))

    def sort_by_kind(self, landscapes: Iterable[Card]) -> list[Card]:
        """Sort landscapes by their kinds, in the order of the data."""
        return sorted(landscapes, key=lambda card: self._kind_order[card.kind])

    def sort_components(self, names: Iterable[str]) -> list[str]:
        """Sort components by the order of the data. Those that are cards come after the others."""
        return sorted(names, key=self._component_order.__getitem__)

    @cached_property
    def _component_order(self) -> dict[str, int]:
        return map_to_index((*self.game.components, *self.game.cards))


def _encode_options(request: Request) -> dict[str, Any]:
    """Return the options of a request that differ from their defaults, as JSON data."""
    return {
        **({"game": request.game} if request.game else {}),
        "sets": list(request.chosen),
        "players": request.players,
        **request.settings,
        **request.wishes.to_options(),
        **({"named_kingdom": kingdom_to_json(request.kingdom)} if any(request.kingdom) else {}),
        **({"veto": request.veto_count} if request.veto_count else {}),
        **({} if request.vetoed is None else {"vetoed": list(request.vetoed)}),
        **({"swap": swaps_to_json(request.swaps)} if request.swaps else {}),
        **({"files": list(request.files)} if request.files else {}),
        **(_encode_series(request.series) if request.series else {}),
    }


def _encode_series(series: Series) -> dict[str, Any]:
    """Return the options of a table that belongs to a series, as JSON data."""
    options = {"count": series.table_count, "apart": True, "table": series.number}
    return {**options, "copies": dict(series.copies)} if series.copies else options
