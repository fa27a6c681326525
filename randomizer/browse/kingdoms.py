"""Parses kingdoms: pasted lists, setup documents and names of suggested kingdoms.

A question is the name of a choice that a card requires, such as the Bane of Young Witch, or of a yes/no
decision of setup, such as whether to use Colony.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from randomizer.browse.checklist_parser import parse_checklist
from randomizer.browse.list_parser import ListItem, parse_item, parse_items, split_outside_brackets
from randomizer.browse.suggestions import RANDOM_KINGDOM, find_suggested_kingdom, list_kingdoms
from randomizer.browse.vocabulary import KingdomVocabulary
from randomizer.cards.effect import Choice, Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, Swap
from randomizer.cards.model import Card, Named
from randomizer.deal.growing import list_questions
from randomizer.load.kingdoms import SuggestedKingdom
from randomizer.memory import favourites
from randomizer.setup.checklist import require_laid_table
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_kingdom
from randomizer.setup.schema import loads
from randomizer.text.errors import BadKingdom, BadOptions, Problem, UnknownName
from randomizer.text.language import Language, Message, Verbatim, message, quote
from randomizer.text.slugs import slugify

PREFIX = "kingdom:"
_MAX_LENGTH = 50_000  # characters of a list; a document may be longer
_MAX_NAMES = 500
_MAX_DEPTH = 4  # nested brackets
_SEPARATORS = ",，、;；+＋"  # between names in brackets


class ParsedKingdom(NamedTuple):
    """A kingdom with answers to yes/no questions of setup.

    Attributes:
        kingdom: the kingdom.
        settings: the answers, by option name. Unanswered questions are missing.
    """

    kingdom: Kingdom
    settings: Mapping[str, Setting] = {}


def read_kingdom(
    text: str,
    game: Game,
    languages: Sequence[Language],
    card_names: Collection[Mapping[str, Named]],
    chosen: Sequence[str] | None = None,
) -> ParsedKingdom:
    """Parse a list of cards in any form, a setup document, or the name of a suggested kingdom.

    Args:
        text: the list, document or name.
        game: the game.
        languages: the languages in which cards may be named.
        card_names: the names of the cards in each of these languages.
        chosen: slugs of the user's boxes, which decide between suggested kingdoms with the same name. None
            means the newest editions of all boxes.

    Raises:
        BadKingdom: some lines cannot be understood. The error lists all of them, with suggestions.
        BadOptions: the text is too long, or names several suggested kingdoms.
        BadDocument: the text is an invalid document.
    """
    if text.lstrip().startswith("{"):
        return convert_document(loads(text), game)
    if len(text) > _MAX_LENGTH:
        raise BadOptions("a list of cards can have at most {most} characters.", most=_MAX_LENGTH)
    vocabulary = KingdomVocabulary(game, languages, card_names)
    text = text.strip()
    has_prefix = text.casefold().startswith(PREFIX)
    name = text[len(PREFIX) :].strip() if has_prefix else text
    if (has_prefix or not vocabulary.is_card(text)) and (found := find_suggested_kingdom(name, game, chosen)):
        return convert_suggested(found, game)
    names: list[str] = []
    if not any(char in name for char in "\n,、"):
        names += [
            name for kingdom in list_kingdoms(game) for name in (kingdom.name, *dict(kingdom.names).values())
        ]
    if names and has_prefix:
        raise UnknownName("recommended kingdom", name, vocabulary.suggest_names(name, names))
    try:
        return _ListParser(vocabulary).parse(text)
    except BadKingdom:
        suggestions = vocabulary.suggest_names(name, names) if names else []
        if not suggestions or suggestions[0] not in names or suggestions[0] in game.cards:
            raise
        raise UnknownName("recommended kingdom", name, suggestions) from None


def convert_document(setup: Setup, game: Game) -> ParsedKingdom:
    """Extract the kingdom of a setup document, and its answers to the yes/no questions.

    Raises:
        BadKingdom: the game does not have some of its cards.
    """
    kingdom = extract_kingdom(game, setup)
    faults = [UnknownName("card", name).message for name in kingdom.names() if name not in game.cards]
    if faults:
        raise BadKingdom(faults)
    answers = {decision["question"]: decision["answer"] for decision in setup["decisions"]}
    return ParsedKingdom(
        kingdom,
        {
            question.option: answers[question.question]
            for question in list_questions(game.opening)
            if question.question in answers
        },
    )


class _ListParser:
    """A parser for a single list of card names.

    Args:
        vocabulary: the names in the game.
    """

    def __init__(self, vocabulary: KingdomVocabulary) -> None:
        self._vocabulary = vocabulary
        self._listed: set[str] = set()  # names listed without text in brackets
        self._cards: dict[str, None] = {}  # These dictionaries serve as ordered sets.
        self._landscapes: dict[str, None] = {}
        self._chosen_by_question: dict[str, dict[str, None]] = {}
        self._marked_piles: dict[str, str] = {}  # by the name of the card that marks the pile
        self._settings: dict[str, Setting] = {}
        self._faults: list[Message] = []

    def parse(self, text: str) -> ParsedKingdom:
        """Parse a list of card names as a kingdom.

        Raises:
            BadKingdom: some lines cannot be understood. The error lists all of them.
        """
        items = parse_checklist(text, self._vocabulary) or list(islice(parse_items(text), _MAX_NAMES + 1))
        if len(items) > _MAX_NAMES:
            raise BadKingdom([message("a kingdom can have at most {most} names.", most=_MAX_NAMES)])
        is_multiline = "\n" in text.strip()
        self._parse_each(self._parse_item, items, is_multiline)
        self._parse_each(self._parse_pile, [item for item in items if item.inside], is_multiline)
        if not (
            self._faults or self._cards or self._landscapes or self._chosen_by_question or self._settings
        ):
            self._faults.append(message("name at least one card."))
        if self._faults:
            raise BadKingdom(self._faults)
        choices = self._vocabulary.choices
        beside_kingdom = {
            name
            for question, names in self._chosen_by_question.items()
            if choices[question].to in ("kingdom", "beside")
            for name in names
        }
        kingdom = Kingdom(
            tuple(name for name in self._cards if name not in beside_kingdom),
            tuple(self._landscapes),
            {question: tuple(names) for question, names in self._chosen_by_question.items()},
            self._marked_piles,
        )
        return ParsedKingdom(kingdom, self._settings)

    def _parse_each(
        self, parse: Callable[[ListItem], None], items: Iterable[ListItem], is_multiline: bool
    ) -> None:
        """Call `parse` with each item, and record the problems, with line numbers for a multi-line list."""
        for item in items:
            try:
                parse(item)
            except Problem as problem:
                fault = problem.message
                if is_multiline and item.line:
                    fault = message("line {number}: {fault}", number=item.line, fault=fault)
                self._faults.append(fault)

    def _parse_item(self, item: ListItem) -> None:
        vocabulary, heading = self._vocabulary, item.heading
        if heading and (vocabulary.find_question(heading) or not vocabulary.is_heading(heading)):
            self._parse_under_heading(item)
        elif option := vocabulary.find_option(item.name):
            self._settings[option] = True
        elif option := vocabulary.find_option(_strip_negation(item.name)):
            self._settings[option] = False
        elif item.name:
            self._add_item(item)

    def _parse_under_heading(self, item: ListItem) -> None:
        """Parse a card below the heading of a choice, or an answer below the heading of a yes/no question."""
        vocabulary, answer = self._vocabulary, self._vocabulary.parse_answer(item.name)
        option = vocabulary.find_option(item.heading)
        if option and answer is not None:
            self._settings[option] = answer
        elif question := vocabulary.find_question(item.heading):
            if self._is_full(question):  # The heading does not apply to the remaining names.
                self._parse_item(item._replace(heading=""))
            else:
                self._choose(question, item.name, item.inside)
        elif item.line and not vocabulary.is_ignored_heading(item.heading):
            text = "{heading} can't be chosen for a kingdom."
            raise BadOptions(text, heading=quote(item.heading))

    def _add_item(self, item: ListItem) -> None:
        vocabulary = self._vocabulary
        if (question := vocabulary.find_question(item.name)) and not vocabulary.is_card(item.name):
            self._choose(question, item.inside)
            return
        card = vocabulary.find_card(item.name)
        pile = vocabulary.get_pile(card)
        if not item.inside and (vocabulary.is_kingdom(pile) or vocabulary.is_landscape(card)):
            if card.name in self._listed:
                raise BadOptions("{card} is listed twice.", card=card.name)
            self._listed.add(card.name)
        if vocabulary.is_kingdom(pile):
            self._cards[pile.name] = None
        elif vocabulary.is_landscape(card):
            self._landscapes[card.name] = None
        elif question := vocabulary.find_implied_question(card):
            self._chosen_by_question.setdefault(question, {})[card.name] = None
        # Any other card comes with the cards above, so it need not be listed.
        self._parse_brackets(card, item.inside)

    def _parse_brackets(self, card: Card, inside: str, depth: int = 0) -> None:
        """Parse the text in brackets after a card: the cards chosen for it, or its box or cost.

        The name of a box means the box, even if a card has the same name in a language other than English.
        """
        vocabulary = self._vocabulary
        question = vocabulary.get_question_for(card)
        label, colon, names = inside.replace("：", ":").partition(":")
        if colon and (labelled_question := vocabulary.find_question(label)):
            question, inside = labelled_question, names
        if not inside or card.name in vocabulary.marking_cards:
            return
        if not question:
            if not vocabulary.is_box_or_cost(inside):
                raise BadOptions(
                    "{card} needs no other card, and this is not its box: {names}",
                    card=card.name,
                    names=quote(inside),
                )
        elif colon or vocabulary.has_english_name(inside) or not vocabulary.is_box_or_cost(inside):
            self._choose(question, inside, depth=depth)

    def _choose(self, question: str, names: str, inside: str = "", depth: int = 0) -> None:
        """Record the cards chosen for a question, or their piles if the choice is among piles."""
        if depth > _MAX_DEPTH:
            raise BadOptions("brackets can be nested only two deep.")
        vocabulary, choice = self._vocabulary, self._vocabulary.choices[question]
        for part in split_outside_brackets(names, _SEPARATORS):
            name, nested = parse_item(part)
            card = vocabulary.find_card(name)
            if choice.to in ("kingdom", "beside", "landscapes"):
                card = vocabulary.get_pile(card)
            elif card.pile:
                card = self._find_member(card, choice)
            if not vocabulary.is_allowed(question, card):
                raise BadOptions("{card} can't be chosen for {slot}.", card=card.name, slot=question)
            self._chosen_by_question.setdefault(question, {})[card.name] = None
            self._parse_brackets(card, nested or inside, depth + 1)

    def _is_full(self, question: str) -> bool:
        """Return whether a choice has all its cards. It is never full if an option sets its size."""
        amount = self._vocabulary.choices[question].amount
        return not amount.option and len(self._chosen_by_question.get(question, ())) >= (amount.number or 1)

    def _find_member(self, pile: Card, choice: Choice) -> Card:
        """Return the first card of a mixed pile that the choice allows, or else its first card."""
        cards = [self._vocabulary.game.cards[name] for name, _ in pile.pile]
        query = choice.query._replace(kind=())
        return next(filter(query.matches, cards), cards[0])

    def _parse_pile(self, item: ListItem) -> None:
        """Parse the pile in brackets after a card that marks a pile. Add the pile if it is not listed."""
        vocabulary = self._vocabulary
        if (
            not vocabulary.is_card(item.name)
            or (card := vocabulary.find_card(item.name)).name not in vocabulary.marking_cards
        ):
            return
        inside = vocabulary.extract_pile_name(item.inside)
        known_names = {*self._cards, *(name for names in self._chosen_by_question.values() for name in names)}
        if vocabulary.is_card(inside):
            pile = vocabulary.get_pile(vocabulary.find_card(inside))
            if pile.name in known_names or not vocabulary.is_box_or_cost(inside):
                self._marked_piles[card.name] = pile.name
                if pile.name not in known_names and vocabulary.is_kingdom(pile):
                    self._cards[pile.name] = None
        elif not vocabulary.is_box_or_cost(inside):
            raise UnknownName("pile", inside, vocabulary.suggest_names(inside))


def _strip_negation(name: str) -> str:
    """Return the text after a negation, such as `colony` for `no colony`. Return "" for any other text."""
    word, _, rest = name.replace("_", " ").replace("-", " ").strip().partition(" ")
    return rest if word.casefold() in ("no", "without") else ""


# ── Requests ──


def add_kingdom(
    request: Request,
    text: str,
    game: Game,
    languages: Sequence[Language],
    card_names: Collection[Mapping[str, Named]],
    *,
    settings: Mapping[str, Setting | None],
    boxes_are_given: bool,
) -> Request:
    """Return a copy of the request with the kingdom that a text describes.

    Args:
        languages: the languages in which cards may be named.
        card_names: the names of the cards in each of these languages.
        settings: the settings that the user gave, including those that are the default for a random deal.
        boxes_are_given: whether to keep the boxes of the request. Otherwise they are replaced by the boxes
            that the kingdom needs.

    Raises:
        BadKingdom, BadOptions, BadDocument: see `read_kingdom`.
    """
    parsed = read_kingdom(text, game, languages, card_names, request.chosen if boxes_are_given else None)
    needed_boxes = () if boxes_are_given else find_needed_boxes(parsed.kingdom, game)
    return request._replace(
        chosen=needed_boxes or request.chosen,
        kingdom=parsed.kingdom,
        settings=game.validate_settings(merge_settings(game, parsed.settings, settings)),
    )


def parse_swaps(texts: Iterable[str], vocabulary: KingdomVocabulary) -> tuple[Swap, ...]:
    """Parse swaps. Each is `CARD`, or `CARD=CARD` with the replacement after the equals sign.

    Raises:
        UnknownName: a card is unknown.
    """
    swaps = []
    for text in texts:
        old, _, new = text.replace("＝", "=").partition("=")
        swaps.append(
            Swap(vocabulary.find_card(old).name, vocabulary.find_card(new).name if new.strip() else "")
        )
    return tuple(swaps)


def find_piles(words: Sequence[str], vocabulary: KingdomVocabulary) -> tuple[str, ...]:
    """Return the English names of cards, given their names in any language.

    A card in a mixed pile is replaced by the pile.

    A name may be divided into several words, as if typed without quotes.

    Raises:
        UnknownName: a card is unknown.
    """
    names = []
    while words:
        lengths = range(len(words), 1, -1)
        length = next((n for n in lengths if vocabulary.is_card(" ".join(words[:n]))), 1)
        card = vocabulary.find_card(" ".join(words[:length]))
        names.append(card.member_of or card.name)
        words = words[length:]
    return tuple(names)


def convert_suggested(kingdom: SuggestedKingdom, game: Game) -> ParsedKingdom:
    """Convert a suggested kingdom. The result answers every yes/no question of setup."""
    options = [question.option for question in list_questions(game.opening)]
    return ParsedKingdom(kingdom.to_kingdom(), {option: option in kingdom.use for option in options})


def build_favourite(
    name: str,
    parsed: ParsedKingdom,
    game: Game,
    languages: Sequence[Language],
    card_names: Collection[Mapping[str, Named]],
) -> favourites.Favourite:
    """Build a favourite. Its name must not have a meaning for `--kingdom` yet.

    Args:
        name: the name.
        parsed: the kingdom.
        game: the game.
        languages: the languages in which cards may be named.
        card_names: the names of the cards in each of these languages.

    Raises:
        BadOptions: the name is invalid, or already means a kingdom, a card or a list of cards; or the game
            has no Kingdom.
    """
    KingdomVocabulary(game, languages, card_names)  # This raises an error if the game has no Kingdom.
    needed_boxes = {*find_needed_boxes(parsed.kingdom, game)}
    boxes = {
        box
        for card in game.find_cards(needed_boxes)
        for box in card.boxes
        if box in needed_boxes or slugify(card.member_of or card.name) in needed_boxes
    }
    enabled_options = [option for option, is_on in parsed.settings.items() if is_on]
    favourite = favourites.build(
        name, filter(boxes.__contains__, game.boxes), parsed.kingdom, enabled_options
    )
    if favourite.id == RANDOM_KINGDOM or _has_meaning(favourite.name, game, languages, card_names):
        template = "{name} already means a kingdom or a card; choose another name."
        raise BadOptions(template, name=quote(favourite.name))
    return favourite


def save_favourite(
    name: str,
    setup: Setup,
    game: Game,
    languages: Sequence[Language],
    card_names: Collection[Mapping[str, Named]],
) -> Message:
    """Save the kingdom of a setup as a favourite of the user. Return a confirmation.

    Args:
        name: the name of the favourite.
        setup: the setup.
        game: its game.
        languages: the languages in which cards may be named.
        card_names: the names of the cards in each of these languages.

    Raises:
        BadOptions: the setup is waiting for vetoes, or see `build_favourite`.
        Problem: the file of the favourites cannot be changed.
        OSError: it cannot be written.
    """
    require_laid_table(setup)
    favourite = build_favourite(name, convert_document(setup, game), game, languages, card_names)
    favourites.save(favourite, game)
    template = "Saved {name}; deal it with --kingdom {id}, or one like it with --like {id}."
    return message(template, name=quote(favourite.name), id=Verbatim(favourite.id))


def _has_meaning(
    text: str, game: Game, languages: Sequence[Language], card_names: Collection[Mapping[str, Named]]
) -> bool:
    """Return whether a text has a meaning as the value of `--kingdom`, even if it is ambiguous."""
    try:
        read_kingdom(text, game, languages, card_names)
    except (BadKingdom, UnknownName):
        return False
    except Problem:
        pass
    return True


def merge_settings(
    game: Game, answers: Mapping[str, Setting], deal_settings: Mapping[str, Setting | None]
) -> dict[str, Setting]:
    """Merge the settings of a deal with the answers of a named kingdom, such as "no Colony".

    If neither says whether to use Platinum and Colony or Shelters, the result lets a random Kingdom card
    decide. The first or last card decides only on request, because a typed list is not in random order (setup
    rules A16 and A20).

    Args:
        game: the game.
        answers: the answers of the kingdom.
        deal_settings: the settings of the deal, which take precedence.
    """
    settings = {name: value for name, value in deal_settings.items() if value is not None}
    for option in game.options:
        by_option = f"{option.name}_by"
        if not option.cards or option.name in settings or by_option in settings:
            continue
        if option.name in answers:
            settings[option.name] = answers[option.name]
        else:
            settings[by_option] = option.cards[-1]
    return settings


def find_needed_boxes(kingdom: Kingdom, game: Game) -> tuple[str, ...]:
    """Return the slugs of a few boxes, in their newest editions, that together contain a kingdom.

    The search is greedy, so the number of boxes is not always minimal. A card that is sold separately
    counts as a box.
    """
    needed_boxes: set[str] = set()
    cards = [game.cards[name] for name in kingdom.names()]
    for card in sorted(cards, key=lambda card: len(card.boxes)):
        if needed_boxes.isdisjoint((*card.boxes, slugify(card.member_of or card.name))) and card.boxes:
            newest = max(card.boxes, key=[*game.boxes].index)
            needed_boxes.add(slugify(card.member_of or card.name) if game.boxes[newest].singly else newest)
    order = [*game.boxes, *sorted(needed_boxes.difference(game.boxes))]
    return tuple(slug for slug in order if slug in needed_boxes)
