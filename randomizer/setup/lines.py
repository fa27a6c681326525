"""The lines of a checklist. Each line is for a card, pile or component to lay out."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.setup.kept_parts import remove_kept_parts
from randomizer.setup.texts import format_cost, render_sentence
from randomizer.text.encoding import with_nonbreaking_spaces
from randomizer.text.language import ENGLISH, Language

if TYPE_CHECKING:
    from randomizer.setup import document
    from randomizer.setup.reasons import Reasons


class Line(NamedTuple):
    """A line of the checklist in one language, for an item such as a pile or a mat.

    Attributes:
        name: the name of the item.
        count_: the number of copies; None for a heap without a fixed size, or a single landscape.
        cost: the cost, as printed.
        types: the types, as printed.
        box: the name of the box that contains the item.
        detail: a short note on where to put the item.
        below: additional details, each to be shown on a line of its own.
        why: the reason why the item is on the table; empty if it is obvious.
        because: the English names of the item's causes.
    """

    name: str
    count_: int | None = None
    cost: str = ""
    types: str = ""
    box: str = ""
    detail: str = ""
    below: tuple[str, ...] = ()
    why: str = ""
    because: tuple[str, ...] = ()


def join_remarks(detail: str, why: str, language: Language) -> str:
    """Join the note on where to put an item with the reason why it is on the table."""
    return (
        language.translate("{detail}, {text}", detail=detail, text=why) if detail and why else detail or why
    )


def map_to_index(names: Iterable[str]) -> dict[str, int]:
    """Map each name to its index."""
    return {name: index for index, name in enumerate(names)}


class LineBuilder:
    """A builder of the checklist lines for a setup document, with a method for each type of part.

    Args:
        setup: the setup document.
        language: the language of the lines.
        kingdom: the Kingdom piles, in the order in which they are laid out.
        include_reasons: whether to say why items are on the table. This is always said for Kingdom piles, in
            `below`.

    Attributes:
        new: the document without the parts that a second deal kept on the table.
    """

    def __init__(
        self,
        setup: "document.Setup",
        language: Language,
        kingdom: "Sequence[document.Pile]" = (),
        *,
        include_reasons: bool = True,
    ) -> None:
        self.setup = setup
        self.new = remove_kept_parts(setup)
        self.kingdom = kingdom
        self._language = language
        self._translate = language.translate
        self._translate_name = language.translate_name
        self._include_reasons = include_reasons
        self._steps_by_name: dict[str, list[document.Note]] = {}
        for note in setup["notes"]:
            if note.get("step") == "here" and "on" in note:
                self._steps_by_name.setdefault(note["on"], []).append(note)
        self._landscapes_by_pile: dict[str, list[document.Landscape]] = {}
        for landscape in setup["landscapes"]:
            if "on" in landscape:
                self._landscapes_by_pile.setdefault(landscape["on"], []).append(landscape)
        self._box_names = {box["slug"]: box["name"] for box in setup["boxes"]}

    @cached_property
    def _reasons(self) -> "Reasons":
        """The builder of explanations, which is imported only if needed, because the import takes time."""
        from randomizer.setup.reasons import Reasons

        return Reasons(self.setup, self._language)

    @cached_property
    def _pile_order(self) -> dict[str, int]:
        """The position of each pile in the order in which the piles are laid out."""
        return map_to_index(dict.fromkeys(pile["name"] for pile in (*self.kingdom, *self.setup["piles"])))

    # ── Piles ──

    def build_kingdom_pile(self, pile: "document.Pile") -> Line:
        """Build the line for a Kingdom pile. Its `below` includes the reason why the pile is on the table."""
        because, below = pile["because"], self._describe_contents(pile)
        if because or pile["marks"]:
            landscapes_on_pile = [
                landscape["name"] for landscape in self._landscapes_by_pile.get(pile["name"], ())
            ]
            marks = [mark for mark in pile["marks"] if mark not in landscapes_on_pile]
            why = self._reasons.explain(because, (pile["name"], *marks)) if because else ""
            remark = join_remarks(self._language.translate_names(marks), why, self._language)
            below = (remark, *below) if remark else below
        return self._build_line(
            pile,
            pile["count"],
            cost=format_cost(pile["cost"]),
            types=self._join_types(pile["types"]),
            box=self._get_box_name(pile["box"]),
            detail=self._describe_pile(pile),
            below=below,
            why="",
        )

    def build_pile(self, pile: "document.Pile") -> Line:
        """Build the line for a pile outside the Kingdom."""
        is_in_every_game = pile["place"] == "supply" and not pile["because"]
        return self._build_line(
            pile,
            pile["count"],
            box="" if is_in_every_game else self._get_box_name(pile["box"]),
            detail=self._describe_pile(pile),
            below=self._describe_contents(pile),
        )

    def _describe_pile(self, pile: "document.Pile") -> str:
        """Describe how to lay out a pile, or how many of its cards are taken for the starting decks."""
        if "stock" in pile and pile["count"] is not None:
            dealt = (pile["stock"] - pile["count"]) // self.setup["players"]
            return self._translate("{stock}, minus {dealt} per player", stock=pile["stock"], dealt=dealt)
        if pile.get("shuffled") and pile["place"] == "beside":
            return self._translate("shuffled, face down")
        return self._translate_note(pile)

    def _describe_contents(self, pile: "document.Pile") -> tuple[str, ...]:
        """Describe the steps of setup for a pile, the landscapes on it, and its members."""
        name = pile["name"]
        landscapes = [
            self._render(landscape["pile_remark"])
            if "pile_remark" in landscape
            else self._translate_name(landscape["name"])
            for landscape in self._landscapes_by_pile.get(name, ())
        ]
        members = self._describe_members(pile) if pile["members"] else ()
        return (*self._render_steps(name), *landscapes, *members)

    def _describe_members(self, pile: "document.Pile") -> tuple[str, ...]:
        """Describe the members of a mixed pile; empty if the `detail` of its line is sufficient."""
        members = pile["members"]
        if pile.get("shuffled") and pile["place"] == "beside":
            return ()
        if pile.get("shuffled"):
            if any(member["count"] is None for member in members):
                template = "shuffle all of them, count out {count}, and turn up the top card"
                return (self._translate(template, count=pile["count"] or 0),)
            return (self._translate("shuffle, turn up the top card"),)
        counts = {member["count"] or 0 for member in members}
        if len(counts) == 1:
            names = self._language.join(self._render_unbreakable(member["name"]) for member in members)
            # A pile without a cost is a group of cards that are laid out side by side.
            template = "{count} each, from the top: {text}" if pile["cost"] else "{count} each: {text}"
            return (self._translate(template, count=counts.pop(), text=names),)
        names = self._language.join(
            self._render_unbreakable(member["name"], member["count"]) for member in members
        )
        return (self._translate("from the top: {text}", text=names),)

    def build_second_copy(self, piles: "Iterable[document.Pile]") -> list[Line]:
        """Build a line for the cards of which a single box does not have enough copies, if there are any."""
        players = self.setup["players"]
        dealt = {card["name"]: players * card["count"] for card in self.setup["starting_deck"]}
        shortages = [
            self._render_unbreakable(pile["name"], excess)
            for pile in piles
            if "in_box" in pile
            and (excess := (pile["count"] or 0) + dealt.get(pile["name"], 0) - pile["in_box"]) > 0
        ]
        title = self._translate("From a second base set")
        return [Line(title, detail=self._language.join(shortages))] if shortages else []

    def build_leaving_piles(self) -> list[Line]:
        """Build the lines for the piles that leave the table in a second deal."""
        if "second_deal" not in self.setup:
            return []
        box_order = map_to_index(self._box_names)
        leaving_piles = sorted(
            self.setup["second_deal"]["leaves"], key=lambda pile: box_order.get(pile["box"], len(box_order))
        )
        return [self._build_line(pile, box=self._get_box_name(pile["box"])) for pile in leaving_piles]

    # ── Other parts ──

    def build_landscape(self, landscape: "document.Landscape") -> Line:
        """Build the line for a landscape, with its place on the table or the player to whom it belongs."""
        detail = self._render(landscape["location"]) if "location" in landscape else ""
        if "player" in landscape:
            detail = self._translate("player {number}", number=landscape["player"])
        return self._build_line(
            landscape,
            cost=format_cost(landscape["cost"]),
            box=self._get_box_name(landscape["box"]),
            detail=detail,
            below=self._render_steps(landscape["name"]),
        )

    def build_set_aside(self, card: "document.SetAside") -> Line:
        """Build the line for a single card that is set aside."""
        return self._build_line(
            card,
            1,
            box=self._get_box_name(card["box"]),
            detail=self._translate("set aside"),
            below=self._render_steps(card["name"]),
        )

    def build_deck(self, deck: "document.Deck") -> Line:
        """Build the line for a shuffled deck and the face-up cards next to it."""
        below = contents = self._list_cards(deck)
        names = self._language.join(map(self._render_unbreakable, deck["face_up"]))
        box, count, detail = "", deck["count"], self._translate("shuffled, face down")
        if names and not deck["cards"]:  # The deck is already on the table.
            count, below = len(deck["face_up"]), (names,)
            detail = self._translate("from the deck or its discard pile, face up next to it")
        elif names:
            below = (self._translate("beside it, face up: {text}", text=names), *contents)
        if not contents and deck["cards"]:
            box = self._get_box_name("".join(card["box"] for card in deck["contents"][:1]))
        return self._build_line(deck, count, box=box, detail=detail, below=below)

    def _list_cards(self, deck: "document.Deck") -> tuple[str, ...]:
        """List the cards of a deck by box; empty if the deck is a complete set of cards from a single box."""
        boxes: dict[str, list[str]] = {}
        for card in deck["contents"]:
            boxes.setdefault(card["box"], []).append(card["name"])
        if len(boxes) < 2 and not any(card["cost"] for card in deck["contents"]):
            return ()
        return tuple(
            self._translate(
                "{title}: {text}",
                title=self._get_box_name(box),
                text=self._language.join(sorted(map(self._render_unbreakable, boxes[box]))),
            )
            for box in self._box_names
            if box in boxes
        )

    def build_component(self, component: "document.Component") -> Line:
        """Build the line for a component, such as a mat."""
        return self._build_line(
            component,
            component["count"],
            box=self._get_box_name(component.get("box", "")),
            detail=self._translate_note(component),
        )

    def build_tokens(self, per: "document.Per") -> list[Line]:
        """Build the lines for tokens that are placed on cards or mats at setup.

        Placements of the same number of the same token, for the same causes, share a line.

        Args:
            per: `game` for the tokens that are placed once in the game, or `player` for those that each
                player places.
        """
        groups: dict[tuple[str, int, tuple[str, ...]], list[document.PlacedTokens]] = {}
        for token in self.new["placed"]:
            if token.get("per", "game") == per:
                key = token["name"], token["count"], tuple(token["because"])
                groups.setdefault(key, []).append(token)
        return [
            self._build_single_tokens(group[0]) if len(group) == 1 else self._build_grouped_tokens(group)
            for group in groups.values()
        ]

    def _build_single_tokens(self, token: "document.PlacedTokens") -> Line:
        # The card on which the tokens are placed is often their cause.
        why = "" if token["on"] in token["because"] else None
        return self._build_line(token, token["count"], detail=self._render(token["location"]), why=why)

    def _build_grouped_tokens(self, tokens: "Sequence[document.PlacedTokens]") -> Line:
        first, names = tokens[0], [token["on"] for token in tokens]
        below: tuple[str, ...] = ()
        if set(names) == {pile["name"] for pile in self.setup["piles"] if pile["place"] != "beside"}:
            detail = self._translate("on every Supply pile")
        else:
            names.sort(key=lambda name: self._pile_order.get(name, len(self._pile_order)))
            detail = self._translate("on each of {count} piles", count=len(names))
            below = (self._language.join(map(self._render_unbreakable, names)),)
        return self._build_line(first, first["count"], detail=detail, below=below)

    def build_card(self, card: "document.Card") -> Line:
        """Build the line for copies of a card. Their box is left out if every game uses them."""
        return self._build_line(
            card,
            card["count"],
            box=self._get_box_name(card.get("box", "")) if card["because"] else "",
            detail=self._translate_note(card),
        )

    def build_last_steps(self) -> list[Line]:
        """Build the lines for the final steps."""
        return [
            *(
                self._build_line({**note, "name": note.get("on", "")}, detail=self._render(note))
                for note in self.setup["notes"]
                if note.get("step") == "last"
            ),
            *(
                self._build_line(step, detail=self._translate(step["text"][ENGLISH]))
                for step in self.setup["last"]
            ),
        ]

    # ── Words ──

    def _build_line(
        self,
        part: Mapping[str, Any],
        count: int | None = None,
        *,
        cost: str = "",
        types: str = "",
        box: str = "",
        detail: str = "",
        below: tuple[str, ...] = (),
        why: str | None = None,
    ) -> Line:
        """Build a line.

        Args:
            part: the part of the document, with its `name` and optionally `because` and `one`.
            count: the number of copies.
            cost: the cost, as printed.
            types: the types, as printed.
            box: the name of the box that contains the item.
            detail: a short note on where to put the item.
            below: additional details.
            why: the reason why the item is on the table; None derives it from the causes.
        """
        name, because = part["name"], part.get("because", ())
        if why is None:
            why = self._reasons.explain(because, (name,)) if because and self._include_reasons else ""
        if count == 1 and "one" in part:
            name = part["one"][ENGLISH]
        return Line(self._translate_name(name), count, cost, types, box, detail, below, why, tuple(because))

    def _render_steps(self, name: str) -> tuple[str, ...]:
        """Render the setup steps that belong to the item with this name."""
        return tuple(map(self._render, self._steps_by_name[name])) if name in self._steps_by_name else ()

    def _render(self, sentence: "document.Sentence") -> str:
        """Translate a sentence of the document."""
        return render_sentence(sentence, self._language)

    def _translate_note(self, part: Mapping[str, Any]) -> str:
        """Translate the `note` of a part; empty if it has none."""
        return self._translate(part["note"][ENGLISH]) if "note" in part else ""

    def _render_unbreakable(self, name: str, count: int | None = None) -> str:
        """Translate a name, with a count if given, and replace its spaces by no-break spaces."""
        text = (
            self._translate("{count} {card}", count=count, card=name) if count else self._translate_name(name)
        )
        return with_nonbreaking_spaces(text)

    def _join_types(self, types: Iterable[str]) -> str:
        """Translate types, and join them as printed on cards."""
        translations = self._language.types
        return "–".join([translations.get(type_, type_) for type_ in types])

    def _get_box_name(self, slug: str) -> str:
        """Return the name of a box; empty if the document has only one box."""
        if len(self._box_names) < 2 or not slug:
            return ""
        return self._language.boxes.get(slug) or self._box_names.get(slug, slug)
