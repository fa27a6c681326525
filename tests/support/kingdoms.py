"""Checks that a table survives a round trip: written in a format, read as a kingdom, and dealt again."""

from collections.abc import Iterator, Sequence

from randomizer.browse.kingdoms import ParsedKingdom, merge_settings, read_kingdom
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.growing import list_questions
from randomizer.load.languages import load_card_names
from randomizer.record.build import build_setup
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_kingdom
from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style

# The formats with the result of every random choice.
COMPLETE_FORMATS = ("names", "online", "kingdomcreator", "json", "text", "markdown")
_COMPARED_KEYS = ("kingdom", "landscape_ids", "piles", "landscapes", "set_aside", "boxed", "missing")


class KingdomReader:
    """A reader of kingdoms in any of the languages. It loads the names of the cards only once."""

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.game = game
        self.languages = languages
        self._card_names = [
            load_card_names(language.code, game) for language in languages if language.code != ENGLISH
        ]

    def __call__(self, text: str, chosen: Sequence[str] = ()) -> ParsedKingdom:
        return read_kingdom(text, self.game, self.languages, self._card_names, chosen or None)


def find_round_trip_faults(
    setup: Setup, request: Request, game: Game, languages: Sequence[Language]
) -> Iterator[str]:
    """Write a table in all formats, read each text, deal it with another seed, and yield every difference."""
    kingdom = extract_kingdom(game, setup)
    decided_options = {question.option for question in list_questions(game.opening)}
    other_settings = {
        option: value
        for option, value in request.settings.items()
        if option.removesuffix("_by") not in decided_options
    }
    reader = KingdomReader(game, languages)
    for language in languages:
        page = Page(setup, language, "dealt", game)
        line = reader(FORMATS["line"].render(page, Style(80))).kingdom
        if (set(line.cards), set(line.landscapes), line.on) != (
            set(kingdom.cards),
            set(kingdom.landscapes),
            kingdom.on,
        ):
            yield f"line {language.code} {request.seed}: {line}"
        for name in COMPLETE_FORMATS:
            parsed = reader(FORMATS[name].render(page, Style(80)))
            settings = merge_settings(game, parsed.settings, other_settings)
            again = request._replace(kingdom=parsed.kingdom, settings=settings, seed=f"{request.seed} again")
            other = build_setup(game, again, deal_table(game, again), languages)
            for key in _COMPARED_KEYS:
                if _get_comparable(setup, key) != _get_comparable(other, key):
                    yield f"{name} {language.code} {request.seed}: {key}"
            if _get_answers(setup) != _get_answers(other):
                yield f"{name} {language.code} {request.seed}: the questions"


def _get_comparable(setup: Setup, key: str) -> list[str]:
    """Return a list of the document sorted and without causes, because their order depends on the seed."""
    entries = setup[key]  # type: ignore[literal-required]
    return sorted(str({**entry, "because": []} if isinstance(entry, dict) else entry) for entry in entries)


def _get_answers(setup: Setup) -> list[tuple[str, bool]]:
    return [(decision["question"], decision["answer"]) for decision in setup["decisions"]]
