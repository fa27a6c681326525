"""Swaps of one card for another: everything that does not depend on the old card stays."""

import random
from collections.abc import Sequence
from contextlib import suppress

import pytest

from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game, Request, Series
from randomizer.cards.kingdom import Kingdom, Swap
from randomizer.deal.table import Table
from randomizer.deal.wishes.bans import find_ban
from randomizer.deal.wishes.matching import list_unmet_wishes
from randomizer.record.build import build_setup, deal_request
from randomizer.record.dealing import deal_many
from randomizer.setup.replay import extract_request
from randomizer.text.errors import BadOptions, UnknownName
from tests.support import Deals
from tests.support.wish_texts import WishTexts

NAMED = Kingdom(
    ("Young Witch", "Ferryman", "Riverboat", "Poet", "Underling", "Witch", "Moat", "Village", "Mill", "Mine"),
    ("Way of the Mouse", "Inspiring", "Obelisk"),
    {
        "Bane": ("Cellar",),
        "Ferryman": ("Smithy",),
        "Riverboat": ("Market",),
        "Way of the Mouse": ("Chapel",),
        "Ally": ("Coastal Haven",),
        "Prophecy": ("Approaching Army",),
        "Approaching Army": ("Militia",),
    },
    {"Inspiring": "Witch", "Obelisk": "Village"},
)


class Swaps:
    """A function that deals the table of `NAMED` after swaps such as `Moat=Goons`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        boxes = tuple(slug for slug in game.boxes if slug in list_box_slugs(game, newest=True))
        self.request = game.build_request(boxes, 3, "x", {"colony": True})._replace(kingdom=NAMED)

    def __call__(self, *swaps: str, request: Request | None = None) -> Table:
        parsed = tuple(Swap(*swap.split("=")) for swap in swaps)
        return deal_request(self.game, (request or self.request)._replace(swaps=parsed))


@pytest.fixture(scope="module")
def swap(game: Game) -> Swaps:
    return Swaps(game)


def list_names(table: Table) -> set[str]:
    """Return the names of all cards drawn, and the piles of those that mark one."""
    turned = {one.card.name for one in table.turned if one.use != "skipped"}
    drawn = {card.name for cards in table.drawn.values() for card in cards}
    return {*turned, *drawn, *(f"{card} on {pile}" for card, pile in table.marked_piles.items())}


def compare_tables(swap: Swaps, *swaps: str) -> tuple[set[str], set[str]]:
    """Return the names that the swaps remove and the names that they add."""
    before, after = list_names(swap()), list_names(swap(*swaps))
    return before - after, after - before


class TestNamedCard:
    @pytest.mark.parametrize(
        ("text", "gone", "come"),
        [
            ("Moat=Goons", {"Moat"}, {"Goons"}),
            ("Inspiring=Quest", {"Inspiring", "Inspiring on Witch"}, {"Quest"}),
            ("Cellar=Steward", {"Cellar"}, {"Steward"}),
            ("Smithy=Workshop", {"Smithy"}, {"Workshop"}),
            ("Market=Laboratory", {"Market"}, {"Laboratory"}),
            ("Chapel=Pawn", {"Chapel"}, {"Pawn"}),
            ("Coastal Haven=Island Folk", {"Coastal Haven"}, {"Island Folk"}),
            ("Militia=Bandit", {"Militia"}, {"Bandit"}),
            ("Approaching Army=Panic", {"Approaching Army", "Militia"}, {"Panic"}),
            ("Obelisk=Keep", {"Obelisk", "Obelisk on Village"}, {"Keep"}),
            ("Inspiring=Mine", {"Inspiring on Witch"}, {"Inspiring on Mine"}),
            ("Obelisk=Ferryman", {"Obelisk on Village"}, {"Obelisk on Ferryman"}),
            ("Young Witch=Goons", {"Young Witch", "Cellar"}, {"Goons"}),
            ("Poet=Goons", {"Poet", "Approaching Army", "Militia"}, {"Goons"}),
            ("Underling=Goons", {"Underling", "Coastal Haven"}, {"Goons"}),
            ("Moat=Plunder", {"Moat"}, {"Encampment/Plunder"}),
            ("Chapel=Encampment", {"Chapel"}, {"Encampment"}),
        ],
    )
    def test_swap_changes_only_what_depends_on_the_old_card(
        self, swap: Swaps, text: str, gone: set[str], come: set[str]
    ) -> None:
        assert compare_tables(swap, text) == (gone, come)

    def test_landscape_on_the_old_pile_moves_to_another(self, swap: Swaps) -> None:
        gone, come = compare_tables(swap, "Witch=Goons")
        assert gone == {"Witch", "Inspiring on Witch"} and "Goons" in come
        assert len(come) == 2 and any(one.startswith("Inspiring on ") for one in come)

    def test_choice_is_redrawn_if_its_card_is_swapped_in_elsewhere(self, swap: Swaps) -> None:
        gone, come = compare_tables(swap, "Mill=Cellar")
        assert gone == {"Mill"} and len(come) == 1  # Another Bane is drawn.
        assert "Cellar" in swap("Mill=Cellar").piles and swap("Mill=Cellar").drawn["Bane"][0].name != "Cellar"

    def test_new_card_brings_what_it_needs(self, swap: Swaps) -> None:
        table = swap("Moat=Druid")
        assert "Boons" in table.decks and len(table.drawn["Boons, face up"]) == 3

    def test_new_pile_has_the_position_of_the_old_one(self, swap: Swaps) -> None:
        before, after = (list(swap(*words).piles) for words in ((), ("Moat=Goons",)))
        assert after.index("Goons") == before.index("Moat")

    def test_swaps_are_made_in_order(self, swap: Swaps) -> None:
        assert compare_tables(swap, "Moat=Goons", "Goons=Pawn") == ({"Moat"}, {"Pawn"})
        assert compare_tables(swap, "Moat=Goons", "Goons=Moat") == (set(), set())

    def test_swap_of_the_first_card_keeps_all_decisions(self, swap: Swaps, game: Game) -> None:
        request = game.build_request(("base-2e", "prosperity-2e"), 2, "x", {})
        for seed in range(30):
            one = request._replace(seed=str(seed))
            before = deal_request(game, one)
            first = before.kingdom[0].name
            assert swap(first, request=one).decisions == before.decisions


class TestRandomCard:
    def test_random_card_has_the_same_kind_and_was_unused(self, swap: Swaps, game: Game) -> None:
        before = swap()
        for goes in ("Moat", "Cellar", "Smithy", "Market", "Chapel", "Coastal Haven", "Militia"):
            comes = dict(swap(goes).unusual_messages[-1].values)["on"]
            assert comes not in before.in_use()
            assert game.cards[str(comes)].kind in (game.cards[goes].kind, "split-member")

    def test_landscape_swapped_for_itself_moves_to_another_pile(self, swap: Swaps) -> None:
        gone, come = compare_tables(swap, "Inspiring=Inspiring")
        assert gone == {"Inspiring on Witch"} and len(come) == 1
        gone, come = compare_tables(swap, "Obelisk=Obelisk")
        assert gone == {"Obelisk on Village"} and len(come) == 1

    def test_random_swap_may_draw_any_card_but_the_old_ones(self, swap: Swaps, game: Game) -> None:
        request = game.build_request(("base-2e",), 2, "x", {})
        seen = set()
        for seed in range(200):
            one = request._replace(seed=str(seed))
            first, second = [card.name for card in deal_request(game, one).kingdom][:2]
            table = swap(first, second, request=one)
            names = [card.name for card in table.kingdom]
            assert len(set(names)) == 10 and not {first, second} & set(names)
            seen |= set(names[:2])
        assert len(seen) == 26

    def test_random_swap_is_repeatable(self, swap: Swaps) -> None:
        assert list_names(swap("Moat", "Cellar")) == list_names(swap("Moat", "Cellar"))

    def test_choice_for_a_card_of_another_box_is_drawn_from_that_box(self, swap: Swaps, game: Game) -> None:
        """The first Ally comes from there, too."""
        request = game.build_request(("base-2e",), 2, "x", {})._replace(kingdom=Kingdom(("Underling",)))
        first = swap(request=request)
        (ally,) = first.landscapes
        (other,) = swap(ally, request=request).landscapes.values()
        assert other.name != ally and other.boxes == first.landscapes[ally].boxes

    def test_random_swap_is_refused_if_no_card_is_left(self, swap: Swaps, game: Game) -> None:
        request = game.build_request(("envoy",), 2, "x", {})._replace(kingdom=NAMED)
        assert "Envoy" in swap("Moat", request=request).piles
        with pytest.raises(BadOptions, match="the chosen boxes have nothing else to replace Village"):
            swap("Moat", "Village", request=request)


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("Moat=Witch", "Witch is already on the table."),
            ("Moat=Moat", "Moat is already on the table."),
            ("Cellar=Witch", "Witch is already on the table."),
            ("Moat=Quest", "Quest can't replace Moat."),
            ("Inspiring=Goons", "Goons can't replace Inspiring."),
            ("Coastal Haven=Panic", "Panic can't replace Coastal Haven."),
            ("Moat=Copper", "Copper can't replace Moat."),
            ("Market=Encampment/Plunder", "Encampment/Plunder can't replace Market."),
        ],
    )
    def test_card_that_cannot_replace_the_old_one_is_refused(
        self, swap: Swaps, text: str, fault: str
    ) -> None:
        with pytest.raises(BadOptions) as problem:
            swap(text)
        assert str(problem.value) == fault

    def test_old_card_that_is_not_on_the_table_is_refused(self, swap: Swaps) -> None:
        with pytest.raises(UnknownName, match="unknown card to swap 'Vassal'"):
            swap("Vassal")

    def test_old_card_that_was_not_dealt_at_random_is_refused(self, swap: Swaps) -> None:
        with pytest.raises(BadOptions, match="Copper is on the table, but only randomly dealt cards"):
            swap("Copper")

    def test_card_of_a_deck_is_refused(self, swap: Swaps) -> None:
        with pytest.raises(BadOptions, match="comes from a deck"):
            swap("Moat=Druid", swap("Moat=Druid").drawn["Boons, face up"][0].name)

    def test_game_without_a_turned_up_kingdom_refuses_swaps(self, swap: Swaps) -> None:
        from randomizer.load import games

        other = games.load("pergamemnon")
        request = other.build_request(tuple(other.boxes), 3, "x", {})._replace(swaps=(Swap("Egypt"),))
        with pytest.raises((BadOptions, UnknownName)):
            deal_request(other, request)


class TestWithWishes:
    """Bans and wishes still apply after a swap, for both named and random cards."""

    BANS = ("attack", "cost:2", "cellar")
    WISHES = WishTexts(without=BANS, want=("village=1-", "treasure=-1", "landscape=2"))

    @pytest.fixture
    def tables(self, game: Game) -> list[tuple[Request, Table]]:
        """Deal tables with these wishes and many choices."""
        chosen = ("base-2e", "adventures", "nocturne", "menagerie", "allies", "rising-sun")
        requests = [
            game.build_request(chosen, 2, str(seed), {}, wishes=self.WISHES.parse(game)) for seed in range(12)
        ]
        return [(request, deal_request(game, request)) for request in requests]

    def meets_wishes(self, game: Game, request: Request, table: Table) -> bool:
        turned = [one.card.name for one in table.turned if one.use in ("kingdom", "landscape")]
        drawn = [card for cards in table.drawn.values() for card in cards]
        banned = [card for card in (*table.kingdom, *drawn) if find_ban(game, request.wishes, card)]
        return not banned and not list_unmet_wishes(game, request, turned)

    def test_random_swap_keeps_bans_and_wishes(
        self, swap: Swaps, game: Game, tables: list[tuple[Request, Table]]
    ) -> None:
        for request, table in tables:
            turned = [one.card.name for one in table.turned if one.use in ("kingdom", "landscape")]
            for goes in turned:
                assert self.meets_wishes(game, request, swap(goes, request=request))
            assert self.meets_wishes(game, request, swap(*turned[:4], request=request))

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("Moat=Militia", "if Militia replaces Moat, --without militia is no longer met."),
            ("Cellar=Militia", "if Militia replaces Cellar, --without militia is no longer met."),
            (
                "Moat=Plunder",
                "if Encampment/Plunder replaces Moat, --without empires is no longer met.",
            ),
            ("Moat=Goons", "if Goons replaces Moat, --without cost:6+ is no longer met."),
            ("Moat=Festival", "if Festival replaces Moat, --want buy=-1 is no longer met."),
            ("Moat=Smithy", "if Smithy replaces Moat, --want immunity is no longer met."),
        ],
    )
    def test_named_card_that_breaks_a_ban_or_wish_is_refused(
        self, game: Game, swap: Swaps, text: str, fault: str
    ) -> None:
        wishes = WishTexts(without=("militia", "cost:6+", "empires"), want=("buy=-1", "immunity")).parse(game)
        named = Kingdom(("Young Witch", *NAMED.cards[5:9], "Market"), (), {"Bane": ("Cellar",)})
        request = swap.request._replace(wishes=wishes, kingdom=named)
        assert swap(
            "Market=Festival", request=request
        )  # A wish that stays fulfilled does not prevent a swap.
        with pytest.raises(BadOptions) as problem:
            swap(text, request=request)
        assert str(problem.value) == fault

    def test_choices_for_a_new_card_are_never_banned(self, game: Game, swap: Swaps) -> None:
        """For example, Ferryman's pile and Poet's Approaching Army are drawn without banned cards."""
        bans = WishTexts(without=("cost:4 and not card:poet and not card:smithy", "island-folk")).parse(game)
        named = (
            "Moat",
            "Village",
            "Cellar",
            "Smithy",
            "Market",
            "Mine",
            "Library",
            "Chapel",
            "Witch",
            "Vault",
        )
        for seed in range(25):
            request = swap.request._replace(seed=str(seed), wishes=bans, kingdom=Kingdom(named))
            table = swap("Moat=Poet", "Village=Ferryman", request=request)
            assert "Ferryman" in table.drawn
            assert not [c for cards in table.drawn.values() for c in cards if find_ban(game, bans, c)]
            assert not [card.name for card in table.kingdom if find_ban(game, bans, card)]


def test_swap_on_a_table_of_a_series_brings_no_card_of_another_table(game: Game, deal: Deals) -> None:
    """The other tables may be the earlier or the later ones."""
    request = game.build_request(("base-2e", "seaside-2e"), 2, "x-1", {})
    swapped_numbers = []
    for seed in range(20):
        series = request._replace(seed=f"{seed}-1", series=Series(1, 3))
        tables = list(deal_many(game, series, range(1, 4), deal.languages))
        for table in tables:
            others = {card for other in tables if other is not table for card in other.document["kingdom"]}
            with suppress(UnknownName):  # The card is not on the table.
                swapped = table.request._replace(swaps=(Swap("Moat"),))
                document = build_setup(game, swapped, deal_request(game, swapped), deal.languages)
                assert len(document["kingdom"]) == 10 and "moat" not in document["kingdom"]
                assert others.isdisjoint(document["kingdom"])
                again = extract_request(game, document)
                assert build_setup(game, again, deal_request(game, again), deal.languages) == document
                assert document["missing"] == table.document["missing"]
                swapped_numbers.append(swapped.series and swapped.series.number)
    assert {*swapped_numbers} == {1, 2, 3}


def test_card_of_another_table_is_refused_in_a_swap(game: Game, deal: Deals) -> None:
    request = game.build_request(("base-2e",), 2, "x-1", {})._replace(series=Series(1, 2))
    first, second = deal_many(game, request, range(1, 3), deal.languages)
    swap = Swap(first.table.kingdom[0].name, second.table.kingdom[0].name)
    with pytest.raises(BadOptions, match="is on another table of this series"):
        deal_request(game, first.request._replace(swaps=(swap,)))


class TestWhatTheOldCardBrought:
    """What was chosen for a card that leaves is unused again."""

    def test_boons_come_back_into_the_deck(self, game: Game) -> None:
        request = game.build_request(("nocturne", "promos", "cornucopia-guilds-2e"), 3, "u15", {})
        before = deal_request(game, request)
        assert (len(before.decks["Boons"].face_up), len(before.decks["Boons"].cards)) == (3, 9)
        table = deal_request(game, request._replace(swaps=(Swap("Druid"),)))
        assert (table.decks["Boons"].face_up, len(table.decks["Boons"].cards)) == ([], 12)

    def test_decks_are_complete_after_random_swaps(self, game: Game) -> None:
        dice, boon_decks = random.Random(3), 0
        boxes = ("dark-ages", "nocturne", "promos")
        for number in range(60):
            request = game.build_request(boxes, 3, str(number), {})
            names = sorted(name for name in list_names(deal_request(game, request)) if " on " not in name)
            goes = [*(["Druid"] if "Druid" in names and number % 2 else []), *dice.sample(names, 2)]
            with suppress(BadOptions, UnknownName):
                table = deal_request(game, request._replace(swaps=tuple(map(Swap, dict.fromkeys(goes)))))
                if "Boons" in table.decks:
                    deck = table.decks["Boons"]
                    assert len(deck.cards) + len(deck.face_up) == 12
                    assert ("Druid" in table.in_use()) == bool(deck.face_up)
                    boon_decks += 1
                if "Hexes" in table.decks:
                    assert len(table.decks["Hexes"].cards) == 12
        assert boon_decks > 20

    def test_cards_chosen_for_the_old_card_can_be_dealt_again(self, swap: Swaps) -> None:
        table = swap("Ferryman=Peasant", "Mine=Smithy")
        assert "Ferryman" not in table.drawn
        assert table.piles["Smithy"] and "Smithy" in {card.name for card in table.kingdom}

    def test_mark_on_a_pile_that_leaves_with_the_old_card_moves_without_a_note(self, swap: Swaps) -> None:
        kingdom = NAMED._replace(on={**NAMED.on, "Obelisk": "Cellar"})
        table = swap("Young Witch=Peasant", request=swap.request._replace(kingdom=kingdom))
        assert "Cellar" not in table.piles and table.marked_piles["Obelisk"] in table.piles
        assert [str(note) for note in table.unusual_messages if "Cellar" in str(note)] == []

    def test_mixed_pile_and_its_members_are_never_both_on_the_table(self, swap: Swaps) -> None:
        market = {**NAMED.chosen, "Black Market deck": ("Dame Anna", "Vassal")}
        cards = ("Black Market", *NAMED.cards[1:])
        request = swap.request._replace(kingdom=NAMED._replace(cards=cards, chosen=market))
        table = swap("Mine=Knights", request=request)
        assert table.piles["Knights"]
        deck = [card.name for card in table.decks["Black Market deck"].cards]
        assert len(deck) == 15 and "Vassal" in deck and "Dame Anna" not in deck
        with pytest.raises(BadOptions, match="already on the table"):
            swap("Mine=Knights", "Vassal=Dame Anna", request=request)


def test_document_lists_its_swaps(swap: Swaps, game: Game, deal: Deals) -> None:
    request = swap.request._replace(swaps=(Swap("Moat", "Goons"), Swap("Cellar")))
    setup = build_setup(game, request, deal_request(game, request), deal.languages)
    assert setup["options"]["swap"] == [{"goes": "Moat", "comes": "Goons"}, {"goes": "Cellar"}]
    assert "Moat was swapped for Goons." in [note["text"]["en"] for note in setup["notes"]]
    assert "--swap moat=goons --swap cellar" in setup["command"]
    assert extract_request(game, setup) == request


def test_random_swaps_are_made_or_refused_and_can_be_replayed(game: Game, deal: Deals) -> None:
    """After two random swaps, no pile is doubled, and the document deals the same table again."""
    boxes = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    dice = random.Random(7)
    for number in range(120):
        chosen: Sequence[str] = sorted({*dice.sample(boxes, 6), "base-2e"}, key=list(game.boxes).index)
        request = game.build_request(tuple(chosen), 2, str(number), {"landscapes": 4})
        before = deal_request(game, request)
        there = [name for name in sorted(list_names(before)) if " on " not in name]
        goes = tuple(Swap(name) for name in dice.sample(there, 2))
        request = request._replace(swaps=goes)
        try:
            table = deal_request(game, request)
        except (BadOptions, UnknownName):
            continue
        setup = build_setup(game, request, table, deal.languages)
        assert len({card.name for card in table.kingdom}) == 10
        assert goes[0].goes not in list_names(table)
        again = extract_request(game, setup)
        assert build_setup(game, again, deal_request(game, again), deal.languages) == setup


def test_swapped_landscape_keeps_a_maximum_of_no_ways(game: Game) -> None:
    kingdom = Kingdom((), ("Gamble", "Dominate"))
    for number in range(40):
        request = game.build_request(("menagerie",), 2, str(number), {"landscapes": 2, "ways": 0})
        table = deal_request(game, request._replace(kingdom=kingdom, swaps=(Swap("Gamble"),)))
        assert "way" not in {landscape.kind for landscape in table.landscapes.values()}
