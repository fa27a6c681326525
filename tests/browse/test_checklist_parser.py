"""Checklists that the program printed, read back as kingdoms."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.browse.kingdoms import ParsedKingdom
from randomizer.cards.game import Game
from randomizer.cards.kingdom import Kingdom
from randomizer.deal.growing import list_questions
from randomizer.setup.replay import extract_kingdom
from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from randomizer.text.errors import BadKingdom
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import EXAMPLE_FACTOR, Deals
from tests.support.kingdoms import KingdomReader


@pytest.fixture(scope="module")
def reader(game: Game, languages: Sequence[Language]) -> KingdomReader:
    return KingdomReader(game, languages)


def sort_names(kingdom: Kingdom) -> tuple[object, ...]:
    """Return a kingdom without the order of its cards, which a checklist sorts by box."""
    chosen = {question: sorted(names) for question, names in kingdom.chosen.items()}
    return sorted(kingdom.cards), sorted(kingdom.landscapes), chosen, kingdom.on


@settings(max_examples=40 * EXAMPLE_FACTOR, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    landscapes=st.integers(0, 6),
    players=st.integers(2, 6),
    code=st.sampled_from(["en", "ja"]),
    form=st.sampled_from(["text", "markdown"]),
    columns=st.sampled_from([30, 40, 60, 80, 120]),
    sort=st.sampled_from(["box", "cost", "name", "dealt"]),
)
def test_checklist_of_any_table_gives_its_kingdom(
    deal: Deals,
    reader: KingdomReader,
    seed: int,
    landscapes: int,
    players: int,
    code: str,
    form: str,
    columns: int,
    sort: str,
) -> None:
    setup = deal.setup(players=players, seed=f"checklist {seed}", landscapes=landscapes)
    page = Page(setup, deal.language(code), sort, deal.game)
    found = reader(FORMATS[form].render(page, Style(columns)))
    assert sort_names(found.kingdom) == sort_names(extract_kingdom(deal.game, setup))
    answers = {decision["question"]: decision["answer"] for decision in setup["decisions"]}
    assert found.settings == {
        question.option: answers[question.question]
        for question in list_questions(deal.game.opening)
        if question.question in answers
    }


def test_name_of_a_box_may_be_broken_in_a_deck(deal: Deals, reader: KingdomReader) -> None:
    setup = deal.setup(seed="checklist 4576", landscapes=1)
    text = FORMATS["text"].render(Page(setup, deal.language("en"), "box", deal.game), Style(30))
    assert "Cornucopia & Guilds\n           2E: Ferryman" in text
    assert sort_names(reader(text).kingdom) == sort_names(extract_kingdom(deal.game, setup))


class TestExamples:
    def test_part_of_a_checklist_with_ticks_is_read(self, reader: KingdomReader) -> None:
        text = """Kingdom        cost  types          box
 [x]  10  Moat   $2  Action–Reaction  Base 2E
           Bane, for Young Witch
 [ ]  10  Young Witch  $4  Action–Attack

Landmarks            box
 [ ]      Obelisk    Empires
           its pile: Young
           Witch
"""
        assert reader(text) == ParsedKingdom(
            Kingdom(("Young Witch",), ("Obelisk",), {"Bane": ("Moat",)}, {"Obelisk": "Young Witch"})
        )

    def test_name_of_a_box_in_a_deck_is_not_a_card(self, reader: KingdomReader) -> None:
        """Menagerie and Plunder (略奪, also the Japanese name of Pillage) are cards and boxes."""
        text = """## 王国カード

- [ ] 10 × **闇市場** · $3

## サプライの横

- [ ] 2 × **闇市場デッキ** · シャッフルして裏向き
  - 移動動物園：天幕
  - 略奪：檻、豊穣
"""
        text = text.replace("天幕", "そり")
        chosen = reader(text).kingdom.chosen["Black Market deck"]
        assert set(chosen) == {"Sleigh", "Cage", "Abundance"}

    def test_unknown_name_is_reported_with_its_line(self, reader: KingdomReader) -> None:
        with pytest.raises(BadKingdom, match="line 3: unknown card 'Moatt'; did you mean Moat"):
            reader("Kingdom\n [ ]  10  Witch  $5\n [ ]  10  Moatt  $2\n")

    def test_list_with_boxes_to_tick_is_read_like_any_list(self, reader: KingdomReader) -> None:
        assert reader("[ ] Witch\n[x] Moat, Village").kingdom.cards == ("Witch", "Moat", "Village")
