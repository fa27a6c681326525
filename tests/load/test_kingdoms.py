"""Suggested kingdoms: each can be dealt as its rulebook says, and faults in the data file are reported."""

from pathlib import Path

import pytest

from randomizer.browse.kingdoms import convert_suggested, find_needed_boxes
from randomizer.browse.suggestions import filter_playable
from randomizer.cards.game import Game
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.load.kingdoms import SuggestedKingdom, group_boxes_by_edition, load_kingdoms, read_kingdoms
from randomizer.text.errors import BadData

UNUSUAL = {"bounty-of-the-hunt-2"}  # The card that the rulebook chooses costs too little.
LEFT_TO_CHANCE = {"big-time-1", "big-time-2"}  # The rulebook does not say which pile a landscape marks.


@pytest.fixture(scope="module")
def kingdoms(game: Game) -> tuple[SuggestedKingdom, ...]:
    return load_kingdoms(game)


def test_kingdom_ids_are_unique(kingdoms: tuple[SuggestedKingdom, ...]) -> None:
    assert len({kingdom.id for kingdom in kingdoms}) == len(kingdoms) > 0
    assert all(len(kingdom.cards) == 10 for kingdom in kingdoms)


def test_each_kingdom_is_dealt_as_its_rulebook_says(
    game: Game, kingdoms: tuple[SuggestedKingdom, ...]
) -> None:
    """Nothing is missing or unusual, and no choice of the rulebook is left to chance."""
    for kingdom in kingdoms:
        reading = convert_suggested(kingdom, game)
        boxes = find_needed_boxes(reading.kingdom, game)
        request = game.build_request(boxes, 4, "x", reading.settings)._replace(kingdom=reading.kingdom)
        table = deal_table(game, request)
        assert [card.name for card in table.kingdom] == list(kingdom.cards), kingdom.id
        assert table.missing == [], kingdom.id
        assert bool(table.unusual_messages) == (kingdom.id in UNUSUAL), kingdom.id
        assert {
            question: tuple(card.name for card in cards) for question, cards in table.drawn.items()
        } == dict(kingdom.chosen)
        assert (table.marked_piles == dict(kingdom.on)) == (kingdom.id not in LEFT_TO_CHANCE), kingdom.id
        answered_yes = {decision.title for decision in table.decisions if decision.answer}
        assert len(answered_yes) == len(kingdom.use), kingdom.id


def test_boxes_found_for_a_kingdom_are_of_its_sets_and_can_deal_it(
    game: Game, kingdoms: tuple[SuggestedKingdom, ...]
) -> None:
    editions = group_boxes_by_edition(game)
    for kingdom in kingdoms:
        boxes = find_needed_boxes(kingdom.to_kingdom(), game)
        for name in kingdom.sets:
            assert editions[name] & set(boxes), (kingdom.id, name)
        assert filter_playable([kingdom], game, boxes) == [kingdom] or kingdom.use


def test_game_without_a_kingdom_file_has_no_kingdoms() -> None:
    assert load_kingdoms(games.load("pergamemnon")) == ()
    assert "kingdoms" not in games.list_games()


VALID = """kingdoms:
  - {{id: one, name: One, sets: [base-2e], cards: [Witch, Moat]{}}}
"""


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (", landscapes: [Wich]", "one.landscapes[0]: no card named 'Wich'; did you mean Witch?"),
        (", landscapes: [Chapel]", "one: Chapel is not a landscape"),
        (", landscapes: [Quest]", "one: Quest is not in any box of base-2e"),
        (", chosen: {Bain: Cellar}", "one.chosen: no question named 'Bain'; did you mean Bane?"),
        (", chosen: {Bane: Moat}", "one: a card is named twice"),
        (", on: {Inspiring: Cellar}", "one: Inspiring goes on Cellar, which is not in this kingdom"),
        (", use: [colonies]", "one.use[0]: no option named 'colonies'; did you mean colony?"),
        (", use: [landscapes]", "one.use[0]: no option named 'landscapes'"),
        ("}\n  - {id: one, name: Two, sets: [base], cards: [Witch]", "one: its id is not unique"),
        ("}\n  - {id: Two, name: Two, sets: [base], cards: [Witch]", "Two: its id is not unique"),
        ("}\n  - {id: two, name: Two, sets: [base-3e], cards: [Witch]", "no edition named 'base-3e'"),
        (", card: Witch", "one: unknown field 'card'; did you mean cards?"),
    ],
)
def test_fault_is_reported_with_its_path(game: Game, tmp_path: Path, more: str, fault: str) -> None:
    file = tmp_path / "kingdoms.yaml"
    file.write_text(VALID.format(more), encoding="utf-8")
    with pytest.raises(BadData) as problem:
        read_kingdoms(str(file), game)
    assert any(fault in line for line in problem.value.faults), problem.value.faults


def test_valid_file_is_read(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "kingdoms.yaml"
    file.write_text(VALID.format(", chosen: {Bane: Cellar}, use: [shelters]"), encoding="utf-8")
    (kingdom,) = read_kingdoms(str(file), game).kingdoms
    assert (kingdom.cards, kingdom.chosen, kingdom.use) == (
        ("Witch", "Moat"),
        (("Bane", ("Cellar",)),),
        ("shelters",),
    )
