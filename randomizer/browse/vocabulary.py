"""What a game lets one name of its kingdoms, by whatever people call it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.library import require_single_name
from randomizer.cards.model import Card, Named
from randomizer.deal.growing import find_turn_up, list_questions
from randomizer.text.errors import BadOptions, find_suggestions
from randomizer.text.folding import normalize_key
from randomizer.text.language import Language

_HEADINGS = ("Kingdom", "Kingdom cards", "Cards", "Supply", "Piles", "landscapes", "In common")
_PASSED_OVER = ("Missing",)


class KingdomVocabulary:
    """The cards, choices and questions of a game by their names, in every language and however typed.

    Args:
        game: whose.
        languages: all of them.
        named: what each language calls the cards.

    Attributes:
        turning_up: how the Kingdom is turned up.
        choices: by question, the choices of so many cards that some card asks for.
        marking: names of the cards that mark a pile.

    Raises:
        BadOptions: no Kingdom is turned up in this game.
    """

    def __init__(
        self, game: Game, languages: Sequence[Language], named: Iterable[Mapping[str, Named]]
    ) -> None:
        turning = find_turn_up(game.opening)
        if turning is None:
            raise BadOptions("{game} has no Kingdom to name.", game=game.title)
        self.game = game
        self.turn_up = turning
        self._languages = languages
        self._cards = game.cards.find_names(named, normalize_key)
        self.choices: dict[str, Choice] = {}
        self.marking_cards: set[str] = set()
        self._questions: dict[str, str] = {}
        for name in game.setup:
            for effect in game.setup[name]:
                choice = effect.choice(name)
                if choice and not choice.certain and choice.to != "box":
                    self.choices[choice.question] = choice
                    for word in (name, choice.slot, choice.question):
                        self._questions.setdefault(word, choice.question)
                if effect.traits().marks_pile:
                    self.marking_cards.add(name)
        self._asked_as = {
            normalize_key(called): question
            for word, question in self._questions.items()
            for called in (word, *(language.translate_name(word) for language in languages))
        }
        self._options = {normalize_key(word): option for word, option in self._option_words()}
        self._headings = set(map(normalize_key, self._heading_words()))
        self._passed_over = {
            normalize_key(lang.translate(word)) for lang in languages for word in _PASSED_OVER
        }
        self._answers = {
            normalize_key(lang.phrases.get(word, word)): word == "yes"
            for lang in languages
            for word in ("yes", "no")
        }

    # ── Cards ──

    def find_card(self, name: str) -> Card:
        """The card that is called so.

        Raises:
            UnknownName: no card is, or several are.
        """
        key = normalize_key(name)
        found = filter(None, map(self._cards.get, (key, key.removesuffix("s"), key.removesuffix("es"))))
        return self.game.cards[require_single_name(next(found, ()), name, lambda: self.suggest_names(name))]

    def is_card(self, name: str) -> bool:
        """Whether a card is called so."""
        return normalize_key(name) in self._cards

    def suggest_names(self, name: str, others: Iterable[str] = ()) -> list[str]:
        """The names that are spelt most like this one, of cards and of `others`."""
        called = [name for language in self._languages for name in language.cards.values()]
        return find_suggestions(name[:100].replace("_", " "), [*self.game.cards, *called, *others])

    def get_pile(self, card: Card) -> Card:
        """The pile that the card lies in: its own, or the mixed pile that it belongs to."""
        return self.game.cards[card.member_of] if card.member_of else card

    def is_kingdom(self, card: Card) -> bool:
        """Whether the card is a pile that may be turned up."""
        return self.turn_up.is_.matches(card)

    def is_landscape(self, card: Card) -> bool:
        """Whether the card is a landscape that may be turned up."""
        return self.turn_up.landscapes.matches(card)

    # ── Choices and questions ──

    def get_choice_for(self, card: Card) -> str | None:
        """The choice that this card asks for, if it asks for one."""
        return self._questions.get(card.name)

    def find_choice(self, word: str) -> str | None:
        """The choice that is called so, or that the card of this name asks for."""
        return self._asked_as.get(normalize_key(word))

    def find_implied_choice(self, card: Card) -> str | None:
        """The choice that can only mean this card: of landscapes that are not turned up, of cards face up."""
        for question, choice in self.choices.items():
            if (choice.to == "landscapes" or choice.face_up) and choice.query.matches(card):
                return question
        return None

    def find_option(self, word: str) -> str | None:
        """The question of setup that is called so, or that one of these cards comes with, as its option."""
        return self._options.get(normalize_key(word))

    def parse_answer(self, word: str) -> bool | None:
        """Yes or no, if the word says either."""
        return self._answers.get(normalize_key(word))

    # ── Headings ──

    def is_heading(self, word: str) -> bool:
        """Whether cards may stand under this word, which says nothing more of them."""
        return normalize_key(word) in self._headings

    def is_ignored_heading(self, word: str) -> bool:
        """Whether what stands under this word is no part of a kingdom."""
        return normalize_key(word) in self._passed_over

    def is_box_or_price(self, word: str) -> bool:
        """Whether a box or a set is called so, or it is a number, as a price is."""
        key = normalize_key(word)
        return not key.strip("0123456789pd") or key in self._boxes()

    def extract_pile_name(self, text: str) -> str:
        """The name of the pile in a text that says how a landscape lies on it; or the text as it is."""
        for kind in self.game.kinds.values():
            for language in self._languages:
                before, _, after = language.phrases.get(kind.lies, kind.lies).partition("{on}")
                on = text.removeprefix(before).removesuffix(after)
                if text == before + on + after and self.is_card(on):
                    return on
        return text

    def _boxes(self) -> set[str]:
        game = self.game
        words = [*game.sets, *game.sets.values(), *game.boxes]
        for box in game.boxes.values():
            words += [box.name, box.title, f"{box.name} {box.edition}E"]
        for language in self._languages:
            words += [*language.sets.values(), *language.boxes.values(), *language.set_aliases]
        return set(map(normalize_key, words))

    def _option_words(self) -> Iterator[tuple[str, str]]:
        for question in list_questions(self.game.opening):
            words = [question.option, question.title, *question.title.split(" and ")]
            for effect in question.then:
                words += effect.brings(self.game.get_pool(tuple(self.game.boxes)))
            for word in words:
                for called in (word, *(language.translate_name(word) for language in self._languages)):
                    yield called, question.option
                    yield f"{called}s", question.option
                    yield f"{called.removesuffix('y')}ies", question.option

    def _heading_words(self) -> Iterator[str]:
        for language in self._languages:
            yield from (language.phrases.get(word, word) for word in _HEADINGS)
            for name, kind in self.game.kinds.items():
                for word in (name, kind.title):
                    yield from (word, f"{word}s", f"{word.removesuffix('y')}ies")
                    yield language.phrases.get(kind.title, kind.title)
