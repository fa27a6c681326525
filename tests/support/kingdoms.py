"""A law of kingdoms that are named: what a format writes of a table is read again, and lays out the same."""

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

COMPLETE_FORMATS = ("names", "online", "json")  # formats that say everything which setup leaves to chance
_SAME = ("kingdom", "landscape_ids", "piles", "landscapes", "set_aside", "boxed", "missing")


class KingdomReader:
    """Reads texts in any of the languages, of which it has the names of cards at hand."""

    def __init__(self, game: Game, languages: Sequence[Language]) -> None:
        self.game = game
        self.languages = languages
        self._named = [
            load_card_names(language.code, game) for language in languages if language.code != ENGLISH
        ]

    def __call__(self, text: str, chosen: Sequence[str] = ()) -> ParsedKingdom:
        return read_kingdom(text, self.game, self.languages, self._named, chosen or None)


def find_round_trip_faults(
    setup: Setup, request: Request, game: Game, languages: Sequence[Language]
) -> Iterator[str]:
    """Where a table that is written in some format, read and laid out with another seed is not the same."""
    before = extract_kingdom(game, setup)
    asked = {question.option for question in list_questions(game.opening)}
    other_settings = {
        option: value for option, value in request.settings.items() if option.removesuffix("_by") not in asked
    }
    reads = KingdomReader(game, languages)
    for language in languages:
        page = Page(setup, language, "dealt", game)
        line = reads(FORMATS["line"].render(page, Style(80))).kingdom
        if (set(line.cards), set(line.landscapes), line.on) != (
            set(before.cards),
            set(before.landscapes),
            before.on,
        ):
            yield f"line {language.code} {request.seed}: {line}"
        for name in COMPLETE_FORMATS:
            said = reads(FORMATS[name].render(page, Style(80)))
            settings = merge_settings(game, said.settings, other_settings)
            again = request._replace(kingdom=said.kingdom, settings=settings, seed=f"{request.seed} again")
            other = build_setup(game, again, deal_table(game, again), languages)
            for key in _SAME:
                if _bare(setup, key) != _bare(other, key):
                    yield f"{name} {language.code} {request.seed}: {key}"
            if _answers(setup) != _answers(other):
                yield f"{name} {language.code} {request.seed}: the questions"


def _bare(setup: Setup, key: str) -> list[str]:
    """A part of the document in no order, and without the reasons, whose order depends on chance."""
    parts = setup[key]  # type: ignore[literal-required]
    return sorted(str({**part, "because": []} if isinstance(part, dict) else part) for part in parts)


def _answers(setup: Setup) -> list[tuple[str, bool]]:
    return [(decision["question"], decision["answer"]) for decision in setup["decisions"]]
