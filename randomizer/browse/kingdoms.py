"""Reads a kingdom out of what people paste or type, and finds those that the rulebooks suggest."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from randomizer.browse.list_parser import ListItem, parse_item, parse_items, split_outside_brackets
from randomizer.browse.suggestions import find_suggested_kingdom
from randomizer.browse.vocabulary import KingdomVocabulary
from randomizer.cards.effect import Choice, Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, Swap
from randomizer.cards.model import Card, Named
from randomizer.deal.growing import list_questions
from randomizer.load.kingdoms import SuggestedKingdom, load_kingdoms
from randomizer.setup.dealt import kingdom_on
from randomizer.setup.schema import loads
from randomizer.text.errors import BadKingdom, BadOptions, Problem, UnknownName
from randomizer.text.language import Language, Message, message, quote
from randomizer.text.slugs import slugify

_PREFIX = "kingdom:"
_LONGEST = 50_000  # letters of a list; a document is many times as long
_MOST = 500  # names
_DEEPEST = 4  # brackets in brackets
_BETWEEN = ",，、;；+＋"  # names in brackets


class ParsedKingdom(NamedTuple):
    """What was read: the kingdom, and how it answers the questions of setup, as far as it does."""

    kingdom: Kingdom
    settings: Mapping[str, Setting] = {}


def read_kingdom(
    text: str,
    game: Game,
    languages: Sequence[Language],
    named: Iterable[Mapping[str, Named]],
    chosen: Sequence[str] | None = None,
) -> ParsedKingdom:
    """The kingdom that a text says: a list in any form, a setup document, or a suggested one by its name.

    Args:
        languages: in which cards may be named.
        named: what each of them calls the cards.
        chosen: slugs of the boxes at hand; of several suggested kingdoms of a name that one is meant which
            they can lay out. None are all boxes, each in its newest edition.

    Raises:
        BadKingdom: with every line that says nothing, and the nearest names.
        BadOptions: the text is too long, or names several suggested kingdoms.
        BadDocument: it is a document, and a faulty one.
    """
    if text.lstrip().startswith("{"):
        return _of_document(text, game)
    if len(text) > _LONGEST:
        raise BadOptions("a list of cards has at most {most} letters.", most=_LONGEST)
    known = KingdomVocabulary(game, languages, named)
    whole = text.strip()
    plain = whole[len(_PREFIX) :].strip() if whole.casefold().startswith(_PREFIX) else whole
    if (plain != whole or not known.is_card(whole)) and (
        found := find_suggested_kingdom(plain, game, chosen)
    ):
        return convert_suggested(found, game)
    names: list[str] = []
    if not any(sign in plain for sign in "\n,、"):
        names += [name for one in load_kingdoms(game) for name in (one.name, *dict(one.names).values())]
    if names and plain != whole:
        raise UnknownName("suggested kingdom", plain, known.suggest_names(plain, names))
    try:
        return _List(known).read(text)
    except BadKingdom:
        near = known.suggest_names(plain, names) if names else []
        if not near or near[0] not in names or near[0] in game.cards:
            raise
        raise UnknownName("suggested kingdom", plain, near) from None


def _of_document(text: str, game: Game) -> ParsedKingdom:
    setup = loads(text)
    kingdom = kingdom_on(game, setup)
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


class _List:
    """A list of names, being read.

    Args:
        known: what can be named.
    """

    def __init__(self, known: KingdomVocabulary) -> None:
        self._known = known
        self._cards: dict[str, None] = {}
        self._landscapes: dict[str, None] = {}
        self._chosen: dict[str, dict[str, None]] = {}
        self._on: dict[str, str] = {}
        self._settings: dict[str, Setting] = {}
        self._faults: list[Message] = []

    def read(self, text: str) -> ParsedKingdom:
        """The kingdom that the text lists.

        Raises:
            BadKingdom: with every line that says nothing.
        """
        found = list(islice(parse_items(text), _MOST + 1))
        if len(found) > _MOST:
            raise BadKingdom([message("more than {most} names are not a kingdom.", most=_MOST)])
        several = "\n" in text.strip()
        self._each(self._take, found, several)
        self._each(self._lay_on, [item for item in found if item.inside], several)
        if not (self._faults or self._cards or self._landscapes or self._chosen or self._settings):
            self._faults.append(message("no card is named."))
        if self._faults:
            raise BadKingdom(self._faults)
        choices = self._known.choices
        apart = {
            name
            for question, names in self._chosen.items()
            if choices[question].to in ("kingdom", "beside")
            for name in names
        }
        kingdom = Kingdom(
            tuple(name for name in self._cards if name not in apart),
            tuple(self._landscapes),
            {question: tuple(names) for question, names in self._chosen.items()},
            self._on,
        )
        return ParsedKingdom(kingdom, self._settings)

    def _each(self, take: Callable[[ListItem], None], found: Iterable[ListItem], several: bool) -> None:
        """Do it with each name; where one says nothing, that is a fault of its line."""
        for item in found:
            try:
                take(item)
            except Problem as problem:
                fault = problem.message
                if several and item.line:
                    fault = message("line {number}: {fault}", number=item.line, fault=fault)
                self._faults.append(fault)

    def _take(self, item: ListItem) -> None:
        known, heading = self._known, item.heading
        if heading and (known.find_choice(heading) or not known.is_heading(heading)):
            self._take_under(item)
        elif option := known.find_option(item.name):
            self._settings[option] = True
        elif option := known.find_option(_denied(item.name)):
            self._settings[option] = False
        elif item.name:
            self._put(item)

    def _take_under(self, item: ListItem) -> None:
        """A name under a heading that says what it is chosen for, or an answer to a question of setup."""
        known, answer = self._known, self._known.parse_answer(item.name)
        option = known.find_option(item.heading)
        if option and answer is not None:
            self._settings[option] = answer
        elif question := known.find_choice(item.heading):
            if self._is_full(question):  # so that this is something else after a comma
                self._take(item._replace(heading=""))
            else:
                self._choose(question, item.name, item.inside)
        elif item.line and not known.is_ignored_heading(item.heading):
            said = "{heading} is not something that is chosen for a kingdom."
            raise BadOptions(said, heading=quote(item.heading))

    def _put(self, item: ListItem) -> None:
        known = self._known
        if (question := known.find_choice(item.name)) and not known.is_card(item.name):
            self._choose(question, item.inside)
            return
        card = known.find_card(item.name)
        pile = known.get_pile(card)
        if known.is_kingdom(pile):
            self._cards[pile.name] = None
        elif known.is_landscape(card):
            self._landscapes[card.name] = None
        elif own := known.find_implied_choice(card):
            self._chosen.setdefault(own, {})[card.name] = None
        # Whatever else is called so comes with the rest of a table, and need not be named.
        self._ask(card, item.inside)

    def _ask(self, card: Card, inside: str, deep: int = 0) -> None:
        """What stands in brackets after a card that asks for others; after any other it is its box."""
        known = self._known
        question = known.get_choice_for(card)
        if not inside or card.name in known.marking_cards:
            return
        if not question:
            if not known.is_box_or_price(inside):
                raise BadOptions("nothing is chosen for {card}: {names}", card=card.name, names=quote(inside))
        elif known.is_card(inside) or not known.is_box_or_price(inside):
            self._choose(question, inside, deep=deep)

    def _choose(self, question: str, names: str, inside: str = "", deep: int = 0) -> None:
        """Take these cards for a choice: the pile, where piles are chosen, else a single card of it."""
        if deep > _DEEPEST:
            raise BadOptions("brackets in brackets in brackets are not read.")
        known, choice = self._known, self._known.choices[question]
        for part in split_outside_brackets(names, _BETWEEN):
            name, more = parse_item(part)
            card = known.find_card(name)
            if choice.to in ("kingdom", "beside", "landscapes"):
                card = known.get_pile(card)
            elif card.pile:
                card = self._one_of(card, choice)
            fits = known.is_kingdom(known.get_pile(card)) if choice.to != "landscapes" else False
            if not (fits or choice.query.matches(card)):
                raise BadOptions("{card} cannot be chosen for {slot}.", card=card.name, slot=question)
            self._chosen.setdefault(question, {})[card.name] = None
            self._ask(card, more or inside, deep + 1)

    def _is_full(self, question: str) -> bool:
        """Whether as many cards have been named for the choice as it takes, where the options do not say."""
        most = self._known.choices[question].amount
        return not most.option and len(self._chosen.get(question, ())) >= (most.number or 1)

    def _one_of(self, pile: Card, choice: Choice) -> Card:
        """The first card of a mixed pile that is such as is asked for; else its first."""
        cards = [self._known.game.cards[name] for name, _ in pile.pile]
        query = choice.query._replace(kind=())
        return next(filter(query.matches, cards), cards[0])

    def _lay_on(self, item: ListItem) -> None:
        """The pile in brackets after a card that marks one; a Kingdom pile that is not named yet, too."""
        known = self._known
        if (
            not known.is_card(item.name)
            or (card := known.find_card(item.name)).name not in known.marking_cards
        ):
            return
        inside = known.extract_pile_name(item.inside)
        out = {*self._cards, *(name for names in self._chosen.values() for name in names)}
        if known.is_card(inside):
            pile = known.get_pile(known.find_card(inside))
            if pile.name in out or not known.is_box_or_price(inside):
                self._on[card.name] = pile.name
                if pile.name not in out and known.is_kingdom(pile):
                    self._cards[pile.name] = None
        elif not known.is_box_or_price(inside):
            raise UnknownName("pile", inside, known.suggest_names(inside))


def _denied(name: str) -> str:
    """What a name is said not to be: `colony` of `no colony`."""
    word, _, rest = name.replace("_", " ").replace("-", " ").strip().partition(" ")
    return rest if word.casefold() in ("no", "without") else ""


# ── What follows of a kingdom ──


def add_kingdom(
    request: Request,
    text: str,
    game: Game,
    languages: Sequence[Language],
    named: Iterable[Mapping[str, Named]],
    *,
    at_hand: bool,
) -> Request:
    """The request for a deal with the kingdom that a text says; what it does not answer the ten decide.

    Args:
        languages: in which cards may be named.
        named: what each of them calls the cards.
        at_hand: the boxes of the request are those that somebody has; else they are those that are needed.

    Raises:
        BadKingdom, BadOptions, BadDocument: as `read` does.
    """
    reading = read_kingdom(text, game, languages, named, request.chosen if at_hand else None)
    needed = () if at_hand else find_needed_boxes(reading.kingdom, game)
    return request._replace(
        chosen=needed or request.chosen,
        kingdom=reading.kingdom,
        settings=merge_settings(game, reading.settings, request.settings),
    )


def parse_swaps(
    words: Iterable[str],
    game: Game,
    languages: Sequence[Language],
    named: Iterable[Mapping[str, Named]],
) -> tuple[Swap, ...]:
    """The swaps that `CARD` or `CARD=CARD` say.

    Raises:
        UnknownName: no card is called so.
        BadOptions: no Kingdom is turned up in this game.
    """
    words = list(words)
    if not words:
        return ()
    known = KingdomVocabulary(game, languages, named)
    swaps = []
    for word in words:
        goes, _, comes = word.replace("＝", "=").partition("=")
        swaps.append(Swap(known.find_card(goes).name, known.find_card(comes).name if comes.strip() else ""))
    return tuple(swaps)


def convert_suggested(kingdom: SuggestedKingdom, game: Game) -> ParsedKingdom:
    """What a suggested kingdom lays out; where setup would leave a question to chance, it answers it."""
    asked = [question.option for question in list_questions(game.opening)]
    return ParsedKingdom(kingdom.to_kingdom(), {option: option in kingdom.use for option in asked})


def merge_settings(
    game: Game, read: Mapping[str, Setting], asked: Mapping[str, Setting]
) -> dict[str, Setting]:
    """The settings of a deal: what was asked for, else what was read, else a random one of the ten decides.

    The cards named come in an order of somebody's, so that neither the first nor the last of them is a
    random one (setup rules A16, A20).
    """
    settings = dict(asked)
    for option in game.options:
        by = f"{option.name}_by"
        if not option.cards or option.name in settings or by in settings:
            continue
        if option.name in read:
            settings[option.name] = read[option.name]
        else:
            settings[by] = option.cards[-1]
    return settings


def find_needed_boxes(kingdom: Kingdom, game: Game) -> tuple[str, ...]:
    """The boxes that hold what is named: as few as come of it, and the newest that hold it.

    A card that is sold by itself stands for its box.
    """
    needed: set[str] = set()
    cards = [game.cards[name] for name in kingdom.names()]
    for card in sorted(cards, key=lambda card: len(card.boxes)):
        if needed.isdisjoint((*card.boxes, slugify(card.member_of or card.name))) and card.boxes:
            newest = max(card.boxes, key=[*game.boxes].index)
            needed.add(slugify(card.member_of or card.name) if game.boxes[newest].singly else newest)
    order = [*game.boxes, *sorted(needed.difference(game.boxes))]
    return tuple(slug for slug in order if slug in needed)
