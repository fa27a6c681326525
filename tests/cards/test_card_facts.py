"""Comparison of the card data with the tables of facts in tests/facts."""

import re
from collections import Counter
from collections.abc import Mapping

import pytest

from randomizer.browse import catalogue
from randomizer.cards.game import Game
from randomizer.cards.model import Cost
from randomizer.load import languages
from tests.support import Deals, find_by_name, get_names, read_facts

CARDS = read_facts("cards")


def test_cards_equal_the_table(game: Game) -> None:
    """Compare set, kind, boxes, cost, mark and types of every card."""
    cards = {row["name"]: game.cards[row["name"]] for row in CARDS}
    found = {
        name: (card.set, card.kind, sorted(card.boxes), sorted(card.types), card.cost)
        for name, card in cards.items()
    }
    assert found == {
        row["name"]: (
            row["set"],
            row["kind"],
            sorted(row["boxes"].split(";")),
            sorted(row["types"].split(";")),
            _cost(row),
        )
        for row in CARDS
    }


def _cost(row: Mapping[str, str]) -> Cost | None:
    coins, potion, debt = (int(row[f"cost_{part}"] or 0) for part in ("coins", "potion", "debt"))
    return Cost(coins, potion, debt, row["cost_star"]) if row["cost_coins"] else None


def test_pile_sizes_equal_the_table(game: Game) -> None:
    """Compare sizes such as `12 (2 players: 8)`; the first number is for three or more players."""
    several = (
        "Copper",
        "Curse",
        "Estate",
        "Ruins",
        "Shelters",
    )  # covered by test_pile_sizes_by_number_of_players
    sizes = {row["name"]: row["pile_size"] for row in CARDS if row["name"] not in several}
    counts = {name: game.get_pile_count(game.cards[name]) for name in sizes}
    two = {name: re.search(r"2 players: (\d+)", size) for name, size in sizes.items()}
    assert len(sizes) > 800
    assert {name: count.for_players(3) for name, count in counts.items()} == {
        name: _number(size) for name, size in sizes.items()
    }
    assert {name: count.for_players(2) for name, count in counts.items()} == {
        name: int(found[1]) if found else _number(sizes[name]) for name, found in two.items()
    }


def _number(text: str) -> int:
    found = re.match(r"\d+", text)
    assert found
    return int(found.group())


def test_table_and_data_have_the_same_cards(game: Game) -> None:
    listed = [card.name for card in game.cards.values() if game.kinds[card.kind].listed]
    assert Counter(listed) == Counter(row["name"] for row in CARDS)


def test_mixed_piles_have_the_members_of_the_table(game: Game) -> None:
    for row in CARDS:
        if row["kind"] == "split-member":
            assert game.cards[row["name"]].member_of == row["pile"]
            assert row["name"] in dict(game.cards[row["pile"]].pile)


@pytest.mark.parametrize("row", read_facts("boxes"), ids=lambda row: f"{row['slug']} {row['edition']}")
def test_box_has_the_numbers_printed_on_it(game: Game, row: dict[str, str]) -> None:
    """Compare official numbers of Kingdom piles, landscapes by kind, and all playing cards."""
    slug = row["slug"] if row["slug"] in game.boxes else f"{row['slug']}-{row['edition']}"
    box = catalogue.build_box_facts(game.boxes[slug], game, [])
    cards = list(game.cards.in_boxes([slug]))
    if row["kingdom_piles_official"]:
        assert box["kingdom_count"] == int(row["kingdom_piles_official"])
    if row["landscapes_cards_csv"]:
        wanted = dict(part.split(":") for part in row["landscapes_cards_csv"].split("; "))
        kinds = Counter(card.kind for card in cards)
        assert {kind: kinds[kind] for kind in wanted} == {kind: int(n) for kind, n in wanted.items()}
    if row["playing_cards_from_cards_csv"]:
        counted = [card for card in cards if card.kind != "basic" or "basic" in row["other_rows"]]
        total = sum(_in_box(game, card.name) for card in counted if not card.pile)
        assert total == int(row["playing_cards_from_cards_csv"])


def _in_box(game: Game, name: str) -> int:
    """Return the number of copies in the box: enough for four players."""
    card = game.cards[name]
    if name in ("Copper", "Estate"):
        return card.count_.for_players(4) + (0 if card.stock else 3 * 4)
    if card.kind in ("state",):
        return {"Deluded": 6, "Miserable": 6, "Lost in the Woods": 1}.get(name, 0)  # two sides of one card
    return card.count_.for_players(4)


def test_every_card_has_a_japanese_name_and_reading(game: Game) -> None:
    known = languages.load_card_names("ja", game)
    missing = [name for name in game.cards if name not in known]
    assert missing == []
    assert [name for name, called in known.items() if not called.reading] == []


def test_sample_of_japanese_names_is_correct(game: Game) -> None:
    """Check cards of several sets, including doubtful names."""
    known = languages.load_card_names("ja", game)
    wanted = {
        "Page": "騎士見習い",
        "Farm": "ハーレム",
        "Ferryman": "渡し守",
        "Young Witch": "魔女娘",
        "Catapult/Rocks": "投石機/石",
        "Way of the Mouse": "ハツカネズミの習性",
        "Divine Wind": "神風",
    }
    assert {name: known[name].name for name in wanted} == wanted
    assert known["Page"].reading == "きしみならい"
    assert "渡船業者" in known["Ferryman"].also


def test_pile_sizes_by_number_of_players(deal: Deals) -> None:
    """Check the table of setup rules B."""
    counts = {
        "Copper": (46, 39, 32, 85, 78),
        "Silver": (40, 40, 40, 80, 80),
        "Gold": (30, 30, 30, 60, 60),
        "Estate": (8, 12, 12, 12, 12),
        "Duchy": (8, 12, 12, 12, 12),
        "Province": (8, 12, 12, 15, 18),
        "Curse": (10, 20, 30, 40, 50),
        "Gardens": (8, 12, 12, 12, 12),
        "Platinum": (12, 12, 12, 12, 12),
        "Colony": (8, 12, 12, 12, 12),
        "Potion": (16, 16, 16, 16, 16),
        "Ruins": (10, 20, 30, 40, 50),
        "Castles": (8, 12, 12, 12, 12),
        "Rewards": (6, 12, 12, 12, 12),
        "Port": (12, 12, 12, 12, 12),
        "Rats": (20, 20, 20, 20, 20),
        "Knights": (10, 10, 10, 10, 10),
        "Clashes": (16, 16, 16, 16, 16),
        "Page": (10, 10, 10, 10, 10),
    }
    first = [
        "Gardens",
        "Familiar",
        "Cultist",
        "Castles",
        "Joust",
        "Port",
        "Rats",
        "Knights",
        "Clashes",
        "Page",
    ]
    for players in range(2, 7):
        piles = deal.setup(*first, players=players, landscapes=0, colony=True)["piles"]
        found = {name: find_by_name(piles, name)["count"] for name in counts}
        assert found == {name: by_players[players - 2] for name, by_players in counts.items()}


def test_basic_piles_are_always_included(deal: Deals) -> None:
    basics = ["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"]
    assert get_names(deal.setup(sets=["adventures"])["piles"])[:7] == basics
