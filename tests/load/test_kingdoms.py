"""The kingdoms that rulebooks suggest: each can be laid out as its book says; a fault in the file is told."""

from pathlib import Path

import pytest

from randomizer.browse.kingdoms import boxes_for, of_suggested
from randomizer.browse.suggestions import playable
from randomizer.cards.game import Game
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.load.kingdoms import Suggested, boxes_by_edition, read_kingdoms, suggested
from randomizer.text.errors import BadData

UNUSUAL = {"bounty-of-the-hunt-2"}  # the book's own choice costs too little
BY_CHANCE = {"big-time-1", "big-time-2"}  # the books say nothing of one landscape's pile


@pytest.fixture(scope="module")
def kingdoms(game: Game) -> tuple[Suggested, ...]:
    return suggested(game)


def test_there_are_435_with_an_id_each(kingdoms: tuple[Suggested, ...]) -> None:
    assert len({kingdom.id for kingdom in kingdoms}) == len(kingdoms) == 435
    assert all(len(kingdom.cards) == 10 for kingdom in kingdoms)


def test_each_is_laid_out_as_its_book_says(game: Game, kingdoms: tuple[Suggested, ...]) -> None:
    """Nothing is missing or unusual, and nothing is left to chance that the book says."""
    for kingdom in kingdoms:
        asked = of_suggested(kingdom, game)
        boxes = boxes_for(asked.kingdom, game)
        request = game.request(boxes, 4, "x", asked.settings)._replace(kingdom=asked.kingdom)
        table = deal_table(game, request)
        assert [card.name for card in table.kingdom] == list(kingdom.cards), kingdom.id
        assert table.missing == [], kingdom.id
        assert bool(table.unusual) == (kingdom.id in UNUSUAL), kingdom.id
        assert {
            question: tuple(card.name for card in cards) for question, cards in table.drawn.items()
        } == dict(kingdom.chosen)
        assert (table.marked == dict(kingdom.on)) == (kingdom.id not in BY_CHANCE), kingdom.id
        yes = {decision.title for decision in table.decisions if decision.answer}
        assert len(yes) == len(kingdom.use), kingdom.id


def test_its_boxes_hold_it(game: Game, kingdoms: tuple[Suggested, ...]) -> None:
    """Those that are found for its cards are of its sets, and with them it can be laid out."""
    editions = boxes_by_edition(game)
    for kingdom in kingdoms:
        boxes = boxes_for(kingdom.kingdom(), game)
        for name in kingdom.sets:
            assert editions[name] & set(boxes), (kingdom.id, name)
        assert playable([kingdom], game, boxes) == [kingdom] or kingdom.use


def test_another_game_has_none() -> None:
    assert suggested(games.load("pergamemnon")) == ()
    assert "kingdoms" not in games.games()


WHOLE = """kingdoms:
  - {{id: one, name: One, sets: [base-2e], cards: [Witch, Moat]{}}}
"""


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (", landscapes: [Wich]", "one.landscapes[0]: no card named 'Wich'; Witch?"),
        (", landscapes: [Chapel]", "one: Chapel is no landscape"),
        (", landscapes: [Quest]", "one: Quest is in none of the boxes of base-2e"),
        (", chosen: {Bain: Cellar}", "one.chosen: no question named 'Bain'; Bane?"),
        (", chosen: {Bane: Moat}", "one: a card is named twice"),
        (", on: {Inspiring: Cellar}", "one: Inspiring goes on Cellar, which is not named"),
        (", use: [colonies]", "one.use[0]: no option named 'colonies'; colony?"),
        (", use: [landscapes]", "one.use[0]: no option named 'landscapes'"),
        ("}\n  - {id: one, name: Two, sets: [base], cards: [Witch]", "one: its id is not an id of its own"),
        ("}\n  - {id: Two, name: Two, sets: [base], cards: [Witch]", "Two: its id is not an id of its own"),
        ("}\n  - {id: two, name: Two, sets: [base-3e], cards: [Witch]", "no edition named 'base-3e'"),
        (", card: Witch", "one: unknown field 'card'; cards?"),
    ],
)
def test_a_fault_is_told_with_its_place(game: Game, tmp_path: Path, more: str, fault: str) -> None:
    file = tmp_path / "kingdoms.yaml"
    file.write_text(WHOLE.format(more), encoding="utf-8")
    with pytest.raises(BadData) as problem:
        read_kingdoms(str(file), game)
    assert any(fault in line for line in problem.value.faults), problem.value.faults


def test_a_file_without_faults(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "kingdoms.yaml"
    file.write_text(WHOLE.format(", chosen: {Bane: Cellar}, use: [shelters]"), encoding="utf-8")
    (kingdom,) = read_kingdoms(str(file), game).kingdoms
    assert (kingdom.cards, kingdom.chosen, kingdom.use) == (
        ("Witch", "Moat"),
        (("Bane", ("Cellar",)),),
        ("shelters",),
    )
