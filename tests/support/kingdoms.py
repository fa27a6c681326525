"""A law of kingdoms that are named: what a format writes of a table is read again, and lays out the same."""

from collections.abc import Iterator, Sequence

from randomizer.browse.kingdoms import Reading, answered, read
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.load.languages import card_names
from randomizer.record.build import build_setup
from randomizer.setup.document import Setup
from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from randomizer.text.json import dumps
from randomizer.text.language import ENGLISH, Language
from randomizer.text.style import Style

WRITTEN = ("names", "online", "line", "json")
_SAME = ("kingdom", "landscape_ids", "piles", "landscapes", "set_aside", "boxed", "missing")


def reading(text: str, game: Game, languages: Sequence[Language], chosen: Sequence[str] = ()) -> Reading:
    """What a text says, in any of the languages."""
    named = [card_names(language.code, game) for language in languages if language.code != ENGLISH]
    return read(text, game, languages, named, chosen or None)


def unlike(setup: Setup, request: Request, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Where a table that is written down in some format, read and laid out again differs from the table."""
    for name in WRITTEN:
        for language in languages:
            page = Page(setup, language, "dealt", game)
            text = FORMATS[name].render(page, Style(80))
            known = reading(text, game, languages)
            settings = answered(game, known.settings, request.settings)
            again = request._replace(kingdom=known.kingdom, settings=settings, seed=f"{request.seed} again")
            other = build_setup(game, again, deal_table(game, again), languages)
            for key in _SAME if name != "line" else ("kingdom", "landscape_ids"):
                if _bare(setup, key) != _bare(other, key):
                    yield f"{name} {language.code} {request.seed}: {key}\n{text}\n{dumps(again._asdict())}"


def _bare(setup: Setup, key: str) -> object:
    """A part of the document without what is because of chance: the order of the things in it."""
    parts = setup[key]  # type: ignore[literal-required]
    return sorted(map(str, ({**part, "because": []} if isinstance(part, dict) else part for part in parts)))
