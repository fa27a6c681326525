"""The formats that write a kingdom down as names, which are read again."""

import random
from collections.abc import Sequence

import pytest

from randomizer.cards.game import Game
from randomizer.deal.dealer import deal_table
from randomizer.record.build import build_setup
from randomizer.text.language import Language
from tests.support import EXAMPLE_FACTOR, run
from tests.support.kingdoms import find_round_trip_faults

TABLE = (
    *("--sets", "all", "--seed", "x", "--kingdom"),
    "way-of-the-mouse,young-witch,ferryman,riverboat,druid,approaching-army,poet,inspiring,obelisk,castles,"
    "encampment,underling,bane(steward),ferryman(wizards),riverboat(market),way-of-the-mouse(moat),mine,"
    "druid(the-skys-gift,the-seas-gift,the-suns-gift),inspiring(mine),obelisk(poet),approaching-army(witch),"
    "ally(coastal-haven),no-colony,shelters,young-witch(cornucopia)",
)


def test_names_are_in_the_requested_language() -> None:
    assert run(*TABLE, "--format", "names").stdout.startswith(
        "Young Witch (Steward), Ferryman (Wizards), Riverboat (Market), "
        "Druid (The Sky's Gift, The Sea's Gift, The Sun's Gift), Poet, Castles, Encampment/Plunder, "
        "Underling, Mine, "
    )
    japanese = run(*TABLE, "--format", "names", "--lang", "ja").stdout
    assert japanese.startswith(
        "魔女娘 (執事)、渡し守 (魔法使い)、川船 (市場)、ドルイド (空の恵み, 海の恵み, 太陽の恵み)、"
    )
    assert japanese.endswith("、白金貨と植民地：使わない、避難所：使う\n")


def test_online_names_are_english_with_underscores() -> None:
    written = run(*TABLE, "--format", "online", "--lang", "ja").stdout
    assert written.startswith(
        "young_witch(steward), ferryman(wizards), riverboat(market), druid(the_skys_gift, "
    )
    assert ", encampment, " in written and "inspiring(mine), " in written and "obelisk(poet)" in written
    assert (
        "coastal_haven, approaching_army(witch)" in written or "approaching_army(witch), coastal" in written
    )
    assert written.endswith(", no_colony, shelters\n")


@pytest.mark.parametrize("name", ["names", "online", "kingdomcreator"])
def test_printed_kingdom_is_read_again(name: str) -> None:
    written = run(*TABLE, "--format", name).stdout
    again = run("--sets", "all", "--kingdom", "-", "--seed", "y", "--format", "names", input=written)
    assert again.stdout == run(*TABLE, "--format", "names").stdout


def test_game_without_a_kingdom_prints_its_gist() -> None:
    asked = ("--game", "pergamemnon", "--players", "3", "--seed", "x")
    for name in ("names", "online"):
        assert run(*asked, "--format", name).stdout.rstrip() in run(
            *asked, "--format", "line"
        ).stdout.replace(" · ", ", ")


def test_printed_kingdom_of_any_table_is_read_again(game: Game, languages: Sequence[Language]) -> None:
    """The command `python -m benchmarks.endurance kingdoms` does so 5,000 times."""
    boxes = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    for number in range(12 * EXAMPLE_FACTOR):
        dice = random.Random(number)
        some = {*dice.sample(boxes, dice.choice((2, 3, 5, len(boxes)))), "base-2e"}
        chosen = tuple(slug for slug in game.boxes if slug in some)
        request = game.build_request(
            chosen, dice.randint(2, 6), f"n{number}", {"landscapes": dice.randint(0, 5)}
        )
        setup = build_setup(game, request, deal_table(game, request), languages)
        assert list(find_round_trip_faults(setup, request, game, languages)) == []
