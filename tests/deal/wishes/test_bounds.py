"""Tests of upper bounds, which hold for the whole table. The counts are computed from the setup document."""

from collections.abc import Sequence

import pytest

from randomizer import deal_setup
from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Swap
from randomizer.cards.model import Card
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.record.build import deal_request
from randomizer.record.second_deal import deal_again
from randomizer.text.errors import BadOptions
from tests.support import run
from tests.support.wish_texts import WishTexts

# Boxes with all choices, such as Bane and Ally
CHOOSING = ("base-2e", "cornucopia-guilds-2e", "menagerie", "allies", "rising-sun", "promos")


def list_chosen_cards(table: Table) -> list[Card]:
    """Return the piles in the Supply, and everything that was chosen except decks, from the Kingdom cards."""
    names = {card.name for card in table.kingdom} | {name for name, marks in table.marks.items() if marks}
    names |= {name for name in table.piles if table.cards[name].kind == "kingdom"} | set(table.aside)
    cards = [table.cards[name] for name in sorted(names)]
    return [table.cards[card.member_of] if card.member_of else card for card in cards]


def is_attack(card: Card, game: Game) -> bool:
    return any("Attack" in each.types for each in (card, *(game.cards[name] for name, _ in card.pile)))


def is_costly(card: Card, minimum: int, maximum: int = 99) -> bool:
    cost = card.cost
    return cost is not None and not (cost.potion or cost.debt) and minimum <= cost.coins <= maximum


def deal_many(game: Game, want: Sequence[str], count: int, first: Sequence[str] = ()) -> list[Table]:
    wishes = WishTexts(with_=tuple(first), want=tuple(want)).parse(game)
    request = Request(CHOOSING, 2, "", wishes=wishes)
    return [deal_table(game, request._replace(seed=f"bound {number}")) for number in range(count)]


# Each choice that could take one more card than allowed
FIRST = ("young-witch", "ferryman", "way-of-the-mouse", "riverboat", "river-shrine", "black-market")


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("most", [0, 1])
def test_no_table_has_more_attacks_than_wanted(game: Game, first: str, most: int) -> None:
    if (first, most) == ("young-witch", 0):
        pytest.skip("an Attack itself")
    made = set()
    for table in deal_many(game, [f"attack=-{most}" if most else "attack=0"], 40, [first]):
        attacks = [card.name for card in list_chosen_cards(table) if is_attack(card, game)]
        assert len(attacks) <= most, table.marks
        made |= set(table.slots)
        if not most:
            deck = [card for deck in table.decks.values() for card in deck.cards if card.kind == "kingdom"]
            assert not any(is_attack(card, game) for card in deck)
    assert made


def test_attacks_are_in_black_market_decks_unless_none_is_wanted(game: Game) -> None:
    decks = [
        card
        for table in deal_many(game, ["attack=-1"], 10, ["black-market"])
        for card in table.decks["Black Market deck"].cards
    ]
    assert any(is_attack(card, game) for card in decks)


def test_card_counts_for_the_one_that_it_certainly_requires(game: Game) -> None:
    """The Bane costs $2 or $3. Riverboat's card is for $5, but a card of a mixed pile counts as its pile."""
    for table in deal_many(game, ["cost:5+=-2"], 40, ["riverboat"]):
        assert "Riverboat" in table.slots
        assert len([card for card in list_chosen_cards(table) if is_costly(card, 5)]) <= 2
    for table in deal_many(game, ["cost:2-3=-2"], 20, ["young-witch"]):
        assert len([card for card in table.kingdom if is_costly(card, 2, 3)]) <= 1
        assert len([card for card in list_chosen_cards(table) if is_costly(card, 2, 3)]) <= 2


def test_condition_of_an_upper_bound_concerns_what_is_turned_up(game: Game) -> None:
    for table in deal_many(game, ["attack=0 if chapel"], 30, ["chapel"]):
        assert not any(is_attack(card, game) for card in list_chosen_cards(table))


def test_allies_count_for_upper_bounds_but_not_as_landscapes(game: Game) -> None:
    """An Ally is no `landscape` that is dealt, so it does not keep Liaisons away."""
    names = [
        name for table in deal_many(game, ["cursing=0"], 150, ["underling"]) for name in table.landscapes
    ]
    assert "Circle of Witches" not in names
    tables = deal_many(game, ["landscape=2"], 10, ["underling"])
    assert all("Ally" in table.slots for table in tables)
    assert all(len({*table.landscapes} & {card.name for card in table.turned_up}) == 2 for table in tables)
    assert not any("Ally" in table.slots for table in deal_many(game, ["ally=0"], 20))


def test_boons_do_not_count_for_upper_bounds(game: Game) -> None:
    """Some Boons gain cards. They are the same in every game with a Fate card."""
    wishes = WishTexts(with_=("druid", "young-witch"), want=("gaining=0",)).parse(game)
    request = Request(("nocturne", "cornucopia", "base-2e"), 2, "boons", wishes=wishes)
    for number in range(20):
        table = deal_table(game, request._replace(seed=f"boons {number}"))
        assert "Bane" in table.slots and len(table.decks["Boons"].face_up) == 3


def test_lower_bounds_concern_what_is_turned_up(game: Game) -> None:
    for table in deal_many(game, ["attack=1-"], 20, ["ferryman"]):
        assert any(is_attack(card, game) for card in table.kingdom)


TEN = "young witch, chapel, moat, village, festival, smithy, mine, market, library, remodel"


class TestNamedKingdoms:
    def test_kingdom_that_leaves_no_suitable_card_is_refused_with_the_reason(self) -> None:
        result = run("--sets", "base,cornucopia-guilds", "--kingdom", TEN, "--want", "cost:2-3=-3")
        assert result.exit_code == 2
        assert (
            "cost:2-3=-3 can't be met: every card that could be chosen for Bane exceeds it." in result.stderr
        )

    def test_kingdom_that_leaves_a_suitable_card_is_dealt(self, game: Game) -> None:
        for seed in "abcde":
            setup = deal_setup(
                game, sets=["base", "cornucopia-guilds"], kingdom=TEN, want=["attack=-1"], seed=seed
            )
            attacks = [pile["name"] for pile in setup["piles"] if "Attack" in pile["types"]]
            assert attacks == ["Young Witch"]

    def test_named_choice_that_exceeds_a_bound_is_refused(self) -> None:
        kingdom = TEN.replace("young witch", "young witch, bane: fortune teller")
        result = run("--sets", "base,cornucopia-guilds", "--kingdom", kingdom, "--want", "attack=-1")
        assert result.exit_code == 2 and "doesn't meet --want attack=-1" in result.stderr


class TestSwaps:
    def request(self, game: Game, *swaps: Swap) -> Request:
        wishes = WishTexts(with_=("young-witch",), want=("attack=-1",)).parse(game)
        return Request(("base-2e", "cornucopia-guilds-2e"), 2, "s", wishes=wishes, swaps=swaps)

    def test_chosen_card_is_swapped_for_one_that_keeps_the_bound(self, game: Game) -> None:
        bane = deal_request(game, self.request(game)).slots["Bane"][0]
        for _ in range(3):
            table = deal_request(game, self.request(game, Swap(bane)))
            (bane_after,) = table.slots["Bane"]
            assert bane_after != bane and not is_attack(game.cards[bane_after], game)

    def test_swap_that_would_exceed_a_bound_is_refused(self, game: Game) -> None:
        bane = deal_request(game, self.request(game)).slots["Bane"][0]
        with pytest.raises(BadOptions, match=r"--want attack=-1 is no longer met"):
            deal_request(game, self.request(game, Swap(bane, "Fortune Teller")))


class TestVetoes:
    def test_vetoes_that_would_exceed_a_bound_are_refused(self, game: Game) -> None:
        """Three of the thirteen cards of the box are Attacks."""
        wishes = WishTexts(want=("attack=0",)).parse(game)
        request = Request(("cornucopia",), 2, "v", wishes=wishes, veto_count=3, vetoed=())
        table = deal_request(game, request)
        kept = [card for card in table.kingdom if is_attack(card, game)]
        assert not kept
        vetoed = tuple(card.name for card in table.kingdom[:3])
        with pytest.raises(BadOptions, match=r"too many cards match attack=0; veto other cards"):
            deal_request(game, request._replace(vetoed=vetoed))


class TestSecondDeals:
    def test_second_deal_keeps_upper_bounds(self, game: Game) -> None:
        kingdom = "river shrine, prophecy: divine wind"
        for seed in "abcdefgh":
            sets = ["base", "cornucopia-guilds", "rising-sun"]
            first = deal_setup(game, sets=sets, kingdom=kingdom, want=["attack=-1"], seed=seed)
            again = deal_again(game, first)
            attacks = [
                pile["name"]
                for pile in again["piles"]
                if pile["place"] == "kingdom" and is_attack(game.cards[pile["name"]], game)
            ]
            assert len(attacks) <= 1


def test_all_boxes_are_dealt_with_a_bound(game: Game) -> None:
    boxes = tuple(slug for slug in game.boxes if slug in list_box_slugs(game, newest=True))
    request = Request(boxes, 2, "all", wishes=WishTexts(want=("attack=0", "cost:5+=-2")).parse(game))
    table = deal_table(game, request)
    assert not any(is_attack(card, game) for card in list_chosen_cards(table))
