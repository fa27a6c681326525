"""What a page says of a choice for which there were too few cards."""

from typing import Any

import pytest

from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import Deals


def missing(boxes: list[str]) -> Any:
    """A choice for which there were too few cards, and boxes that would help."""
    return {
        "for": "Tray",
        "wanted": None,
        "found": 0,
        "query": {"cost": [2, 3]},
        "help": boxes,
        "because": ["Cake", "Pie"],
    }


@pytest.mark.parametrize(
    ("boxes", "says"),
    [
        ([], ""),
        (["a"], " Any of these boxes would help: a."),
        (list("abcde"), " Any of these boxes would help: a, b, c, d, e."),
        (list("abcdef"), " Any of these boxes would help: a, b, c, d, e. So would 1 more."),
        (list("abcdefgh"), " Any of these boxes would help: a, b, c, d, e. So would 3 more."),
    ],
)
def test_five_helpful_boxes_are_named_and_the_others_counted(
    deal: Deals, boxes: list[str], says: str
) -> None:
    page = Page({**deal.setup(), "missing": [missing(boxes)]}, Language("en"))
    assert page.missing.texts == [f"Pie needs unused cards ($2 or $3): 1 required, 0 left.{says}"]


def test_japanese_sentences_are_joined_without_spaces(deal: Deals) -> None:
    page = Page({**deal.setup(), "missing": [missing(list("abcdefgh"))]}, deal.language("ja"))
    (told,) = page.missing.texts
    assert told.count("。") == 3 and " " not in told.partition("。")[2]


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_game_end_is_shown_if_known(deal: Deals, name: str) -> None:
    """A data file need not say it; then no half of a sentence is left, and nothing empty in its place."""
    setup = deal.setup()
    told, untold = (
        FORMATS[name].render(Page({**setup, "game_end": endings}, Language("en")), Style(80))
        for endings in (setup["game_end"], [])
    )
    assert "The game ends when" in told and "The game ends when" not in untold
    assert "\n\n\n" not in untold and 'class="ends"' not in untold
