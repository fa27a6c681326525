"""Chosen cards, the setup of those cards, and chains of choices (setup rules A26 to A53, E)."""

from typing import Any

import pytest

from randomizer.setup.document import Setup
from randomizer.setup.texts import format_cost
from tests.support import Deals, find_by_name, get_names


def find_pile(setup: Setup, name: str) -> Any:
    return find_by_name(setup["piles"], name)


def list_marked_piles(setup: Setup, mark: str) -> list[str]:
    return [pile["name"] for pile in setup["piles"] if mark in pile["marks"]]


def find_component(setup: Setup, name: str) -> Any:
    return find_by_name(setup["components"], name)


def count_tokens_by_spot(setup: Setup, token: str) -> dict[str, int]:
    return {placed["on"]: placed["count"] for placed in setup["placed"] if placed["name"] == token}


class TestAdventures:
    @pytest.mark.parametrize(
        ("traveller", "line"),
        [
            ("Page", ["Treasure Hunter", "Warrior", "Hero", "Champion"]),
            ("Peasant", ["Soldier", "Fugitive", "Disciple", "Teacher"]),
        ],
    )
    def test_traveller_brings_its_line_of_piles(self, deal: Deals, traveller: str, line: list[str]) -> None:
        setup = deal.setup(traveller, landscapes=0)
        for name in line:
            assert (find_pile(setup, name)["count"], find_pile(setup, name)["place"]) == (5, "beside")
            assert find_pile(setup, name)["because"] == [traveller]
        assert find_pile(setup, traveller)["count"] == 10

    def test_peasant_brings_teachers_mat_and_tokens(self, deal: Deals) -> None:
        setup = deal.setup(
            "Peasant", sets=["base-2e", "adventures"], stacked={"randomizers": ["Peasant", *BASE]}
        )
        for name in ("+1 Action token", "+1 Buy token", "+1 Card token", "+$1 token", "Tavern mat"):
            assert find_component(setup, name)["per"] == "player"
            assert find_component(setup, name)["because"] == ["Peasant", "Teacher"]

    def test_page_brings_no_mat(self, deal: Deals) -> None:
        setup = deal.setup("Page", *BASE)
        assert get_names(setup["components"]) == ["Trash mat"]

    def test_only_tokens_of_cards_in_use_are_on_the_table(self, deal: Deals) -> None:
        setup = deal.setup("Lost Arts", "Ball", *BASE, "Artisan")
        assert get_names(setup["components"]) == ["Trash mat", "+1 Action token", "-$1 token"]

    def test_journey_tokens_start_face_up(self, deal: Deals) -> None:
        assert find_component(deal.setup("Ranger"), "Journey token")["note"]["en"] == "face up"


BASE = ("Cellar", "Moat", "Village", "Workshop", "Militia", "Smithy", "Market", "Mine", "Remodel", "Artisan")


class TestBane:
    def test_bane_costs_two_or_three_and_is_in_the_supply(self, deal: Deals) -> None:
        costs = set()
        for n in range(60):
            setup = deal.setup("Young Witch", seed=str(n), landscapes=0)
            (bane,) = list_marked_piles(setup, "Bane")
            costs.add(format_cost(find_pile(setup, bane)["cost"]).rstrip("+*"))
            assert find_pile(setup, bane)["place"] == "kingdom"
            assert find_pile(setup, bane)["place"] != "beside"
            assert find_pile(setup, bane)["because"] == ["Young Witch"]
        assert costs == {"$2", "$3"}

    def test_bane_has_the_normal_pile_size(self, deal: Deals) -> None:
        for name, size in {
            "Tunnel": 12,
            "Castles": 12,
            "Augurs": 16,
            "Squire": 10,
            "Encampment/Plunder": 10,
        }.items():
            setup = deal.setup("Young Witch", players=3, stacked={"Bane": [name]})
            assert find_pile(setup, name)["count"] == size

    def test_bane_brings_its_own_setup(self, deal: Deals) -> None:
        setup = deal.setup("Young Witch", *BASE, stacked={"Bane": ["Page"]})
        assert find_pile(setup, "Champion")["because"] == ["Young Witch", "Page"]


class TestFerryman:
    """Ferryman's pile: unused, outside the Supply, with a randomizer costing $3 or $4."""

    ALLOWED = (
        ("Catapult/Rocks", 10),
        ("Gladiator/Fortune", 10),
        ("Castles", 12),
        ("Augurs", 16),
        ("Clashes", 16),
        ("Forts", 16),
        ("Odysseys", 16),
        ("Wizards", 16),
        ("Sauna/Avanto", 10),
        ("Port", 12),
        ("Rats", 20),
        ("Mill", 12),
        ("Tunnel", 12),
        ("Infirmary", 10),  # It has overpay: A36.
    )
    REFUSED = (
        "Knights",
        "Encampment/Plunder",
        "Patrician/Emporium",
        "Settlers/Bustling Village",
        "Townsfolk",
        "Familiar",  # It costs $3 and a Potion: E2.9.
        "Engineer",  # It costs 4 Debt.
        "Cellar",
        "Market",
    )

    @pytest.mark.parametrize(("name", "size"), ALLOWED)
    def test_ferryman_may_choose_a_pile_costing_three_or_four(
        self, deal: Deals, name: str, size: int
    ) -> None:
        setup = deal.setup("Ferryman", *BASE, players=3, stacked={"Ferryman": [name]})
        chosen = find_pile(setup, name)
        assert chosen["marks"] == ["Ferryman"]
        assert (chosen["place"], chosen["count"]) == ("beside", size)

    @pytest.mark.parametrize("name", REFUSED)
    def test_ferryman_may_not_choose_a_pile_of_another_cost(self, deal: Deals, name: str) -> None:
        setup = deal.setup("Ferryman", *BASE, stacked={"Ferryman": [name]})
        assert list_marked_piles(setup, "Ferryman") != [name]
        assert list_marked_piles(setup, "Ferryman")

    def test_castles_for_ferryman_with_two_players_are_eight(self, deal: Deals) -> None:
        assert (
            find_pile(deal.setup("Ferryman", *BASE, stacked={"Ferryman": ["Castles"]}), "Castles")["count"]
            == 8
        )

    def test_secret_cave_for_ferryman_brings_a_magic_lamp(self, deal: Deals) -> None:
        setup = deal.setup("Ferryman", *BASE, stacked={"Ferryman": ["Secret Cave"]})
        assert {card["name"]: card["count"] for card in setup["starting_deck"]} == {
            "Copper": 6,
            "Estate": 3,
            "Magic Lamp": 1,
        }
        assert find_by_name(setup["starting_deck"], "Magic Lamp")["because"] == ["Ferryman", "Secret Cave"]
        assert find_pile(setup, "Wish")["because"] == ["Ferryman", "Secret Cave", "Magic Lamp"]
        assert find_pile(setup, "Copper")["count"] == 60 - 2 * 6  # Each Lamp replaces a Copper: C3.

    def test_necromancer_for_ferryman_brings_three_zombies_into_the_trash(self, deal: Deals) -> None:
        setup = deal.setup("Ferryman", *BASE, stacked={"Ferryman": ["Necromancer"]})
        assert set(get_names(setup["trash"])) == {"Zombie Apprentice", "Zombie Mason", "Zombie Spy"}
        assert {card["count"] for card in setup["trash"]} == {1}

    def test_importer_for_ferryman_brings_an_ally_mats_and_five_favors_each(self, deal: Deals) -> None:
        setup = deal.setup("Ferryman", *BASE, stacked={"Ferryman": ["Importer"]})
        (ally,) = [landscape for landscape in setup["landscapes"] if landscape["kind"] == "ally"]
        assert ally["because"] == ["Ferryman", "Importer"]
        assert find_component(setup, "Favors mat")["per"] == "player"
        (favors,) = setup["placed"]
        assert {key: value for key, value in favors.items() if key != "names"} == {
            "name": "Favor tokens",
            "kind": "token",
            "count": 5,
            "one": {"en": "Favor token", "ja": "好意トークン"},
            "on": "Favors mat",
            "location": {
                "text": {"en": "on the Favors mat", "ja": "好意マットの上"},
                "phrase": "on the {on}",
                "values": {"on": "Favors mat"},
            },
            "because": ["Ferryman", "Importer"],
            "per": "player",
        }

    def test_young_witch_for_ferryman_brings_a_bane(self, deal: Deals) -> None:
        setup = deal.setup("Ferryman", *BASE, stacked={"Ferryman": ["Young Witch"], "Bane": ["Squire"]})
        assert find_pile(setup, "Squire")["because"] == ["Ferryman", "Young Witch"]
        assert find_pile(setup, "Young Witch")["place"] == "beside"
        assert find_pile(setup, "Squire")["place"] != "beside"

    def test_ferryman_pile_gets_no_tokens_or_landscapes(self, deal: Deals) -> None:
        """This applies to Tax, Trade Route, Defiled Shrine, Obelisk and Traits (setup rules E2.20)."""
        stacked = {"Ferryman": ["Mill"]}
        setup = deal.setup("Ferryman", "Trade Route", "Tax", "Defiled Shrine", landscapes=2, stacked=stacked)
        assert "Mill" not in {placed["on"] for placed in setup["placed"]}
        for n in range(30):
            for landscape in ("Obelisk", "Cheap"):
                setup = deal.setup("Ferryman", landscape, *BASE, seed=str(n), stacked=stacked)
                assert find_by_name(setup["landscapes"], landscape)["on"] != "Mill"


class TestSingleCards:
    def test_riverboat_sets_aside_an_action_costing_five(self, deal: Deals) -> None:
        for n in range(60):
            setup = deal.setup("Riverboat", seed=str(n), landscapes=0)
            (aside,) = setup["set_aside"]
            assert aside["for"] == "Riverboat"
            assert format_cost(aside["cost"]).rstrip("*+") == "$5"
            assert "Action" in aside["types"]
            assert "Duration" not in aside["types"]
            assert aside["name"] not in get_names(setup["piles"])

    def test_riverboat_takes_only_knights_costing_five(self, deal: Deals) -> None:
        knights = set()
        for n in range(150):
            setup = deal.setup("Riverboat", *BASE, seed=str(n), stacked={"Riverboat": ["Knights"]})
            knights.add(setup["set_aside"][0]["name"])
        assert "Sir Martin" not in knights  # It costs $4: A38.
        assert len(knights) == 9

    @pytest.mark.parametrize(
        ("whole", "member"), [("Settlers/Bustling Village", "Bustling Village"), ("Castles", "Small Castle")]
    )
    def test_riverboat_may_take_a_member_of_a_split_pile(self, deal: Deals, whole: str, member: str) -> None:
        setup = deal.setup("Riverboat", landscapes=0, stacked={"Riverboat": [whole]})
        assert get_names(setup["set_aside"]) == [member]

    def test_mouse_takes_a_cheap_action_without_duration(self, deal: Deals) -> None:
        for n in range(60):
            setup = deal.setup("Way of the Mouse", seed=str(n))
            (aside,) = [aside for aside in setup["set_aside"] if aside["for"] == "Way of the Mouse"]
            assert format_cost(aside["cost"]).rstrip("*+") in ("$2", "$3")
            assert "Action" in aside["types"]
            assert "Duration" not in aside["types"]

    def test_traveller_or_liaison_for_mouse_brings_its_own_setup(self, deal: Deals) -> None:
        setup = deal.setup("Way of the Mouse", stacked={"Way of the Mouse": ["Page"]})
        assert find_pile(setup, "Champion")["because"] == ["Way of the Mouse", "Page"]
        setup = deal.setup("Way of the Mouse", *BASE, stacked={"Way of the Mouse": ["Wizards"]})
        assert get_names(setup["set_aside"]) == ["Student"]
        assert count_tokens_by_spot(setup, "Favor tokens") == {"Favors mat": 1}


class TestArmyAndChains:
    def test_approaching_army_adds_an_attack_to_the_supply(self, deal: Deals) -> None:
        for n in range(40):
            setup = deal.setup("Kitsune", seed=str(n), stacked={"Prophecy": ["Approaching Army"]})
            (army,) = list_marked_piles(setup, "Approaching Army")
            assert "Attack" in find_pile(setup, army)["types"]
            assert find_pile(setup, army)["place"] != "beside"

    @pytest.mark.parametrize(
        ("name", "fits"),
        [
            ("Catapult/Rocks", True),
            ("Knights", True),
            ("Clashes", False),
            ("Augurs", False),
            ("Wizards", False),
        ],
    )
    def test_split_pile_fits_approaching_army_if_its_randomizer_is_an_attack(
        self, deal: Deals, name: str, fits: bool
    ) -> None:
        stacked = {"Prophecy": ["Approaching Army"], "Approaching Army": [name]}
        setup = deal.setup("Kitsune", *BASE, stacked=stacked)
        assert (list_marked_piles(setup, "Approaching Army") == [name]) is fits

    def test_approaching_armys_potion_card_brings_the_potion(self, deal: Deals) -> None:
        stacked = {"Prophecy": ["Approaching Army"], "Approaching Army": ["Familiar"]}
        setup = deal.setup("Kitsune", stacked=stacked, landscapes=0)
        assert find_pile(setup, "Potion")["because"][-1] == "Familiar"

    def test_long_chain_of_choices_is_resolved(self, deal: Deals) -> None:
        """Ferryman chooses Poet, which brings Approaching Army, Young Witch, Riverboat, Cultist and Ruins."""
        stacked = {
            "Ferryman": ["Poet"],
            "Prophecy": ["Approaching Army"],
            "Approaching Army": ["Young Witch"],
            "Bane": ["Riverboat"],
            "Riverboat": ["Cultist"],
        }
        setup = deal.setup("Ferryman", *BASE, players=4, stacked=stacked)
        assert find_pile(setup, "Poet")["because"] == ["Ferryman"]
        assert find_by_name(setup["landscapes"], "Approaching Army")["because"] == ["Ferryman", "Poet"]
        assert find_pile(setup, "Young Witch")["marks"] == ["Approaching Army"]
        assert find_pile(setup, "Riverboat")["marks"] == ["Bane"]
        assert find_by_name(setup["set_aside"], "Cultist")["for"] == "Riverboat"
        ruins = find_pile(setup, "Ruins")
        assert ruins["because"] == [
            "Ferryman",
            "Poet",
            "Approaching Army",
            "Young Witch",
            "Riverboat",
            "Cultist",
        ]
        assert (ruins["count"], ruins["place"]) == (30, "supply")
        assert count_tokens_by_spot(setup, "Sun tokens") == {"Approaching Army": 10}


class TestBlackMarket:
    def test_black_market_deck_has_fifteen_unused_cards(self, deal: Deals) -> None:
        setup = deal.setup("Black Market", landscapes=0)
        deck = find_by_name(setup["decks"], "Black Market deck")
        assert deck["count"] == len(set(deck["cards"])) == 15
        assert not set(deck["cards"]) & set(get_names(setup["piles"]))
        kinds = {deal.game.cards[name].kind for name in deck["cards"]}
        assert kinds <= {"kingdom", "split-member"}

    @pytest.mark.parametrize("size", [1, 25, 60])
    def test_black_market_option_is_the_size_of_its_deck(self, deal: Deals, size: int) -> None:
        deck = find_by_name(deal.setup("Black Market", black_market=size)["decks"], "Black Market deck")
        assert deck["count"] == size

    def test_cards_in_the_black_market_deck_bring_their_setup(self, deal: Deals) -> None:
        """For example, Potion, Ruins, a Bane, tokens and an Heirloom (setup rules E2)."""
        inside = ["Familiar", "Trade Route", "Young Witch", "Baker", "Cultist", "Fool"]
        stacked = {"Black Market deck": inside, "Bane": ["Tunnel"]}
        setup = deal.setup("Black Market", *BASE, black_market=len(inside), stacked=stacked)
        assert {"Potion", "Ruins"} <= set(get_names(setup["piles"]))
        assert list_marked_piles(setup, "Bane") == ["Tunnel"]
        tokens = {placed["on"] for placed in setup["placed"] if placed["because"][-1] == "Trade Route"}
        assert tokens == {"Estate", "Duchy", "Province", "Tunnel"}  # The Bane is a Victory pile: E2.8.
        assert count_tokens_by_spot(setup, "Coin tokens")["Coffers mat"] == 1
        assert "Lucky Coin" in get_names(setup["starting_deck"])
        because = find_pile(setup, "Potion")["because"]
        assert because == ["Black Market", "Black Market deck", "Familiar"]

    def test_black_market_deck_has_at_most_one_knight(self, deal: Deals) -> None:
        for n in range(20):
            setup = deal.setup("Black Market", seed=str(n), sets=["dark-ages", "promos"], black_market=60)
            cards = find_by_name(setup["decks"], "Black Market deck")["cards"]
            assert "Knights" not in cards
            assert sum(deal.game.cards[name].member_of == "Knights" for name in cards) <= 1

    def test_black_market_deck_leaves_a_card_for_the_bane(self, deal: Deals) -> None:
        """Choices of single cards come before those of whole decks."""
        for n in range(20):
            setup = deal.setup("Black Market", "Young Witch", seed=str(n), black_market=500)
            assert list_marked_piles(setup, "Bane")
            assert find_by_name(setup["decks"], "Black Market deck")["count"] > 300
            assert setup["missing"][0]["for"] == "Black Market deck"


class TestBoonsAndHexes:
    def test_druid_turns_up_three_boons_and_leaves_nine(self, deal: Deals) -> None:
        setup = deal.setup("Druid", "Bard", landscapes=0)
        boons = find_by_name(setup["decks"], "Boons")
        assert (len(boons["face_up"]), boons["count"], len(boons["cards"])) == (3, 9, 9)
        assert len({*boons["face_up"], *boons["cards"]}) == 12
        assert set(boons["because"]) >= {"Druid", "Bard"}

    def test_druid_as_the_bane_turns_up_three_boons(self, deal: Deals) -> None:
        setup = deal.setup("Bard", "Young Witch", stacked={"Bane": ["Druid"]})
        assert len(find_by_name(setup["decks"], "Boons")["face_up"]) == 3

    def test_boons_without_druid_are_all_in_the_deck(self, deal: Deals) -> None:
        boons = find_by_name(deal.setup("Bard", *BASE)["decks"], "Boons")
        assert (boons["face_up"], boons["count"]) == ([], 12)

    def test_several_cards_share_what_they_need(self, deal: Deals) -> None:
        setup = deal.setup("Bard", "Fool", "Pixie", "Exorcist", "Vampire", "Skulk", landscapes=0)
        assert get_names(setup["piles"]).count("Will-o'-Wisp") == 1
        assert get_names(setup["decks"]).count("Hexes") == 1
        assert "Exorcist" in find_pile(setup, "Will-o'-Wisp")["because"]


class TestLandscapesOnPiles:
    def test_traits_go_under_different_action_or_treasure_kingdom_piles(self, deal: Deals) -> None:
        seen = set()
        for n in range(80):
            setup = deal.setup("Cheap", "Cursed", "Young Witch", "Castles", seed=str(n))
            traits = [landscape for landscape in setup["landscapes"] if landscape["kind"] == "trait"]
            spots = [trait["on"] for trait in traits]
            assert len(set(spots)) == 2
            for trait in traits:
                under = find_pile(setup, trait["on"])
                assert under["place"] == "kingdom"
                assert {"Action", "Treasure"} & set(under["types"])
                assert trait["name"] in under["marks"]
            seen |= {mark for spot in spots for mark in find_pile(setup, spot)["marks"]}
            assert "Castles" not in spots
        assert "Bane" in seen  # A Trait may mark the Bane: A50.

    def test_obelisk_may_choose_ruins_but_not_castles(self, deal: Deals) -> None:
        chosen = set()
        for n in range(200):
            setup = deal.setup("Obelisk", "Cultist", "Castles", seed=str(n))
            chosen.add(find_by_name(setup["landscapes"], "Obelisk")["on"])
        assert "Ruins" in chosen
        assert not chosen & {"Castles", "Copper", "Province"}

    def test_tax_puts_debt_on_every_supply_pile(self, deal: Deals) -> None:
        setup = deal.setup("Tax", "Cultist", "Familiar", "Young Witch", "Page", "Ferryman", colony=True)
        supply = {pile["name"] for pile in setup["piles"] if pile["place"] != "beside"}
        assert set(count_tokens_by_spot(setup, "Debt tokens")) == supply
        assert {"Ruins", "Potion", "Platinum", "Curse", *list_marked_piles(setup, "Bane")} <= supply
        assert set(count_tokens_by_spot(setup, "Debt tokens").values()) == {1}

    def test_defiled_shrine_skips_gathering_piles(self, deal: Deals) -> None:
        setup = deal.setup("Defiled Shrine", "Temple", "Wild Hunt", "Cultist", "Castles", *BASE)
        tokens = count_tokens_by_spot(setup, "VP tokens")
        assert {"Ruins", "Cultist", "Cellar"} <= set(tokens)
        assert not {"Temple", "Wild Hunt", "Castles", "Silver"} & set(tokens)
        assert set(tokens.values()) == {2}

    def test_aqueduct_puts_vp_tokens_on_silver_and_gold(self, deal: Deals) -> None:
        setup = deal.setup("Aqueduct", *BASE, colony=True)
        assert count_tokens_by_spot(setup, "VP tokens") == {"Silver": 8, "Gold": 8}

    def test_trade_route_puts_tokens_on_victory_piles_of_the_supply(self, deal: Deals) -> None:
        setup = deal.setup("Trade Route", "Gardens", "Castles", "Knights", "Clashes", *BASE, colony=True)
        victory = {"Estate", "Duchy", "Province", "Colony", "Gardens", "Castles"}
        assert {
            spot for spot in count_tokens_by_spot(setup, "Coin tokens") if spot != "Coffers mat"
        } == victory

    def test_note_of_inherited_names_its_pile(self, deal: Deals) -> None:
        setup = deal.setup("Inherited", *BASE)
        trait = find_by_name(setup["landscapes"], "Inherited")
        (note,) = setup["notes"]
        assert f"the top card of the {trait['on']} pile" in note["text"]["en"]
        assert note["because"] == ["Inherited"]


class TestLiaisonsAndOmens:
    def test_several_liaisons_share_one_ally_and_one_favor(self, deal: Deals) -> None:
        setup = deal.setup("Bauble", "Broker", "Sycophant", sets=["allies"], landscapes=0)
        (ally,) = setup["landscapes"]
        assert ally["kind"] == "ally"
        assert ally["because"][:3] == ["Bauble", "Broker", "Sycophant"]
        assert count_tokens_by_spot(setup, "Favor tokens") == {"Favors mat": 1}

    def test_importer_gives_five_favors(self, deal: Deals) -> None:
        assert count_tokens_by_spot(deal.setup("Importer", "Broker"), "Favor tokens") == {"Favors mat": 5}

    @pytest.mark.parametrize(("players", "suns"), [(2, 5), (3, 8), (4, 10), (5, 12), (6, 13)])
    def test_sun_tokens_depend_on_the_player_count(self, deal: Deals, players: int, suns: int) -> None:
        setup = deal.setup("Kitsune", "Poet", players=players, landscapes=0, stacked={"Prophecy": ["Panic"]})
        assert count_tokens_by_spot(setup, "Sun tokens") == {"Panic": suns}
        assert [landscape["kind"] for landscape in setup["landscapes"]] == ["prophecy"]

    def test_harsh_winter_needs_debt_tokens(self, deal: Deals) -> None:
        setup = deal.setup("Poet", *BASE, stacked={"Prophecy": ["Harsh Winter"]})
        assert find_component(setup, "Debt tokens")["because"] == ["Poet", "Harsh Winter"]


class TestMixedPiles:
    @pytest.mark.parametrize(
        ("name", "thing", "member"),
        [
            ("Encampment/Plunder", "VP tokens", "Plunder"),
            ("Patrician/Emporium", "VP tokens", "Emporium"),
            ("Gladiator/Fortune", "Debt tokens", "Fortune"),
            ("Forts", "Coin tokens", "Garrison"),
            ("Castles", "VP tokens", "Crumbling Castle"),
        ],
    )
    def test_lower_half_of_a_split_pile_brings_what_it_needs(
        self, deal: Deals, name: str, thing: str, member: str
    ) -> None:
        setup = deal.setup(name, *BASE)
        assert find_component(setup, thing)["because"][:2] == [name, member]

    def test_members_of_a_split_pile_are_listed_from_the_top(self, deal: Deals) -> None:
        members = find_pile(deal.setup("Wizards"), "Wizards")["members"]
        assert [(m["name"], m["count"]) for m in members] == [
            ("Student", 4),
            ("Conjurer", 4),
            ("Sorcerer", 4),
            ("Lich", 4),
        ]

    @pytest.mark.parametrize(("players", "humble", "crumbling"), [(2, 1, 1), (3, 2, 1), (6, 2, 1)])
    def test_castles_depend_on_the_player_count(
        self, deal: Deals, players: int, humble: int, crumbling: int
    ) -> None:
        members = find_pile(deal.setup("Castles", players=players), "Castles")["members"]
        assert find_by_name(members, "Humble Castle")["count"] == humble
        assert find_by_name(members, "Crumbling Castle")["count"] == crumbling

    def test_joust_needs_coffers_for_the_huge_turnip(self, deal: Deals) -> None:
        setup = deal.setup("Joust", *BASE)
        assert find_component(setup, "Coffers mat")["because"] == ["Joust", "Rewards", "Huge Turnip"]


class TestStartingDecks:
    def test_heirlooms_and_shelters_replace_the_starting_deck(self, deal: Deals) -> None:
        heirlooms = ["Cemetery", "Fool", "Pixie", "Pooka", "Secret Cave", "Shepherd", "Tracker"]
        setup = deal.setup(*heirlooms, shelters=True, landscapes=0, players=5)
        assert {card["name"]: card["count"] for card in setup["starting_deck"]} == dict.fromkeys(
            (
                "Haunted Mirror",
                "Lucky Coin",
                "Goat",
                "Cursed Gold",
                "Magic Lamp",
                "Pasture",
                "Pouch",
                "Hovel",
                "Necropolis",
                "Overgrown Estate",
            ),
            1,
        )
        assert find_pile(setup, "Copper")["count"] == 120

    def test_fool_brings_lost_in_the_woods(self, deal: Deals) -> None:
        assert find_component(deal.setup("Fool"), "Lost in the Woods")["count"] == 1


class TestMissing:
    def test_choice_without_a_fitting_card_is_missing_with_helpful_boxes(self, deal: Deals) -> None:
        """Only cards that are too expensive for a Bane are left."""
        cheap = ["Candlestick Maker", "Stonemason", "Farrier", "Infirmary"]
        setup = deal.setup(
            "Young Witch", "Hamlet", "Menagerie", "Shop", *cheap, sets=["cornucopia-guilds-2e"]
        )
        (missing,) = setup["missing"]
        assert missing["for"] == "Bane"
        assert missing["because"] == ["Young Witch"]
        assert (missing["wanted"], missing["found"]) == (1, 0)
        assert missing["query"] == {"kind": ["kingdom"], "cost": [2, 3]}
        assert {"base-1e", "base-2e"} <= set(missing["help"])
        assert list_marked_piles(setup, "Bane") == []

    def test_ordinary_deal_has_nothing_missing(self, deal: Deals) -> None:
        for n in range(50):
            assert deal.setup(seed=str(n))["missing"] == []


def test_components_and_their_causes_are_in_the_order_of_the_data(deal: Deals) -> None:
    """The States of the Hexes come into use in the order of the Hexes, which are shuffled."""
    orders = {
        tuple(
            (component["name"], *(name for name in component["because"] if name in ("Delusion", "Envy")))
            for component in deal.setup("Leprechaun", sets=["nocturne"], seed=seed)["components"]
            if "/" in component["name"]
        )
        for seed in "abcdefgh"
    }
    assert orders == {(("Deluded/Envious", "Delusion", "Envy"), ("Miserable/Twice Miserable",))}
