"""The names that may occur in the description of a kingdom, in any language and spelling."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.library import require_single_name
from randomizer.cards.model import Card, Named
from randomizer.deal.growing import find_turn_up, list_questions
from randomizer.text.errors import BadOptions, find_suggestions
from randomizer.text.folding import normalize_key
from randomizer.text.language import Language

_HEADINGS = ("Kingdom", "Kingdom cards", "Cards", "Supply", "Piles", "landscapes", "Shared")
_IGNORED_HEADINGS = ("Missing",)
_MAX_NAMES_WITH_SUGGESTIONS = 12  # number of unknown names for which similar names are suggested


class KingdomVocabulary:
    """An index of a game's cards, choices and yes/no questions by their names in every language.

    Args:
        game: the game.
        languages: all languages.
        card_names: the names of the cards in each language.

    Attributes:
        game: the game.
        turn_up: the effect that draws the Kingdom.
        choices: the choices of cards that setup may require, by their question.
        marking_cards: names of the cards whose setup marks a pile.

    Raises:
        BadOptions: this game has no Kingdom.
    """

    def __init__(
        self, game: Game, languages: Sequence[Language], card_names: Collection[Mapping[str, Named]]
    ) -> None:
        turn_up = find_turn_up(game.opening)
        if turn_up is None:
            raise BadOptions("{game} has no Kingdom to choose.", game=game.title)
        self.game = game
        self.turn_up = turn_up
        self._languages = languages
        self._suggestion_count = 0
        self._translated_names = card_names
        self._english_names = game.cards.find_names((), normalize_key)
        self.choices: dict[str, Choice] = {}
        self.marking_cards: set[str] = set()
        self._questions_by_word: dict[str, str] = {}
        for name in game.setup:
            for effect in game.setup[name]:
                choice = effect.choice(name)
                if choice and not choice.is_certain and choice.to != "box":
                    self.choices[choice.question] = choice
                    for word in (name, choice.slot, choice.question):
                        self._questions_by_word.setdefault(word, choice.question)
                if effect.marks_pile:
                    self.marking_cards.add(name)
        self._questions_by_name = {
            normalize_key(name): question
            for word, question in self._questions_by_word.items()
            for name in (word, *(language.translate_name(word) for language in languages))
        }
        self._options_by_name = {normalize_key(word): option for word, option in self._list_option_words()}
        self._headings = set(map(normalize_key, self._list_heading_words()))
        self._ignored_headings = {
            normalize_key(language.translate(word)) for language in languages for word in _IGNORED_HEADINGS
        }
        self._answers_by_word = {
            normalize_key(language.phrases.get(word, word)): word == "yes"
            for language in languages
            for word in ("yes", "no")
        }

    # ── Cards ──

    def find_card(self, name: str) -> Card:
        """Return the card with this name. English plurals are accepted.

        Raises:
            UnknownName: no card, or more than one card, has this name.
        """
        key = normalize_key(name)
        found = filter(None, map(self._get_names, (key, key.removesuffix("s"), key.removesuffix("es"))))
        return self.game.cards[require_single_name(next(found, ()), name, lambda: self.suggest_names(name))]

    def is_card(self, name: str) -> bool:
        """Return whether a card has this name."""
        return bool(self._get_names(normalize_key(name)))

    def has_english_name(self, name: str) -> bool:
        """Return whether this is the English name of a card."""
        return normalize_key(name) in self._english_names

    def _get_names(self, key: str) -> Sequence[str]:
        """Return the English names of the cards that have a normalized name, in any language."""
        return self._english_names.get(key) or self._all_names.get(key, ())

    @cached_property
    def _all_names(self) -> Mapping[str, Sequence[str]]:
        """The English names of cards by their normalized names in all languages."""
        return self.game.cards.find_names(self._translated_names, normalize_key)

    def suggest_names(self, name: str, other_names: Iterable[str] = ()) -> list[str]:
        """Return the names most similar to `name` among the card names and `other_names`.

        The result is empty after the first few calls, because a list with many unknown names is unlikely to
        consist of typing errors, and each comparison with all names takes milliseconds.
        """
        self._suggestion_count += 1
        if self._suggestion_count > _MAX_NAMES_WITH_SUGGESTIONS:
            return []
        word = name[:100].replace("_", " ")
        if found := find_suggestions(word, [*self.game.cards, *other_names]):
            return found
        return find_suggestions(word, [name for other in self._languages for name in other.cards.values()])

    def get_pile(self, card: Card) -> Card:
        """Return the pile of a card: its own, or the mixed pile that contains it."""
        return self.game.cards[card.member_of] if card.member_of else card

    def is_kingdom(self, card: Card) -> bool:
        """Return whether the card is a pile that may be drawn for the Kingdom."""
        return self.turn_up.is_.matches(card)

    def is_landscape(self, card: Card) -> bool:
        """Return whether the card is a landscape that may be drawn."""
        return self.turn_up.landscapes.matches(card)

    # ── Choices and questions ──

    def get_question_for(self, card: Card) -> str | None:
        """Return the question of the choice that this card requires, or None if it requires none."""
        return self._questions_by_word.get(card.name)

    def find_question(self, word: str) -> str | None:
        """Return the question of a choice, given the name of the choice or of the card that requires it."""
        return self._questions_by_name.get(normalize_key(word))

    def find_implied_question(self, card: Card) -> str | None:
        """Return the question of the first choice of landscapes or face-up cards that allows this card."""
        for question, choice in self.choices.items():
            if (choice.to == "landscapes" or choice.face_up) and choice.query.matches(card):
                return question
        return None

    def can_choose(self, word: str, name: str) -> bool:
        """Return whether `word` names a choice that allows the card with this name."""
        question = self.find_question(word)
        return question is not None and self.is_card(name) and self.is_allowed(question, self.find_card(name))

    def is_allowed(self, question: str, card: Card) -> bool:
        """Return whether a choice may take a card. The cost and type of a Kingdom pile do not matter."""
        choice = self.choices[question]
        is_pile = choice.to != "landscapes" and not choice.face_up and self.is_kingdom(self.get_pile(card))
        return is_pile or choice.query.matches(card)

    def find_option(self, word: str) -> str | None:
        """Return the option of a yes/no question, given its name or the name of a card that it adds."""
        return self._options_by_name.get(normalize_key(word))

    def parse_answer(self, word: str) -> bool | None:
        """Parse `yes` or `no` in any language. Return None for any other word."""
        return self._answers_by_word.get(normalize_key(word))

    # ── Headings ──

    def is_heading(self, word: str) -> bool:
        """Return whether this word is a plain heading above cards, such as `Kingdom cards`."""
        return normalize_key(word) in self._headings

    def is_ignored_heading(self, word: str) -> bool:
        """Return whether names below this heading are not part of a kingdom."""
        return normalize_key(word) in self._ignored_headings

    def is_box_or_cost(self, word: str) -> bool:
        """Return whether this word is the name of a box or set, a number, or a cost."""
        key = normalize_key(word)
        return not key.strip("0123456789pd") or key in self._list_box_keys()

    def is_section(self, word: str, title: str) -> bool:
        """Return whether this word is the heading of a checklist with this English title, in any language."""
        return any(word == language.translate(title) for language in self._languages)

    def extract_pile_name(self, text: str) -> str:
        """Extract the pile's name from a text such as "under Village". Return other text unchanged."""
        names = (self._extract_card_name(kind.lies, text) for kind in self.game.kinds.values() if kind.lies)
        return next(filter(None, names), text)

    def extract_cause(self, text: str) -> str:
        """Extract the card's name from a reason such as "for Ferryman". Return "" for other text."""
        return self._extract_card_name("for {text}", text)

    def _extract_card_name(self, template: str, text: str) -> str:
        """Extract the card name that fills the placeholder of a template. Return "" for other text."""
        text = "".join(text.split())
        for language in self._languages:
            before, after = re.split("{.*}", "".join(language.phrases.get(template, template).split()))
            name = text.removeprefix(before).removesuffix(after)
            last = name.rpartition("→")[2]  # the card itself, if its own causes precede it
            if text == before + name + after and self.is_card(last):
                return last
        return ""

    def _list_box_keys(self) -> set[str]:
        game = self.game
        words = [*game.sets, *game.sets.values(), *game.boxes]
        for box in game.boxes.values():
            words += [box.name, box.title, f"{box.name} {box.edition}E"]
        for language in self._languages:
            words += [*language.sets.values(), *language.boxes.values(), *language.set_aliases]
        return set(map(normalize_key, words))

    def _list_option_words(self) -> Iterator[tuple[str, str]]:
        for question in list_questions(self.game.opening):
            words = [question.option, question.title, *question.title.split(" and ")]
            for effect in question.then:
                words += effect.brings(self.game.get_pool(tuple(self.game.boxes)))
            for word in words:
                for name in (word, *(language.translate_name(word) for language in self._languages)):
                    yield name, question.option
                    yield f"{name}s", question.option
                    yield f"{name.removesuffix('y')}ies", question.option

    def _list_heading_words(self) -> Iterator[str]:
        for language in self._languages:
            yield from (language.phrases.get(word, word) for word in _HEADINGS)
            for name, kind in self.game.kinds.items():
                for word in (name, kind.title):
                    yield from (word, f"{word}s", f"{word.removesuffix('y')}ies")
                    yield language.phrases.get(kind.title, kind.title)
