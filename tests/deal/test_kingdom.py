"""Tests of named kingdoms: they are laid out as named, and the rest is dealt."""

from collections import Counter
from collections.abc import Callable

import pytest

from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game
from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import CardName, Query
from randomizer.deal.dealer import KeptTable, deal_kept_table, deal_table
from randomizer.deal.table import Table
from randomizer.deal.wishes.bans import find_ban
from randomizer.deal.wishes.matching import list_unmet_wishes
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.slugs import slugify
from tests.support import Deals
from tests.support.wish_texts import WishTexts

ELEVEN = (
    *("Chapel", "Cellar", "Moat", "Village", "Smithy", "Market", "Mine", "Witch", "Militia", "Bureaucrat"),
    "Library",
)


class Lays:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.boxes = tuple(slug for slug in game.boxes if slug in list_box_slugs(game, newest=True))

    def __call__(
        self,
        *cards: str,
        landscapes: tuple[str, ...] = (),
        chosen: dict[str, tuple[str, ...]] | None = None,
        on: dict[str, str] | None = None,
        seed: str = "x",
        sets: tuple[str, ...] = (),
        with_: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
        want: tuple[str, ...] = (),
        **settings: bool | int | str,
    ) -> Table:
        kingdom = Kingdom(cards, landscapes, chosen or {}, on or {})
        wishes = WishTexts(with_, without, want).parse(self.game)
        request = self.game.build_request(sets or self.boxes, 2, seed, settings, wishes=wishes)
        return deal_table(self.game, request._replace(kingdom=kingdom))


@pytest.fixture(scope="module")
def lay(game: Game) -> Lays:
    return Lays(game)


def kingdom(table: Table) -> list[str]:
    return [card.name for card in table.kingdom]


def unusual(table: Table) -> list[str]:
    return [str(message) for message in table.unusual_messages]


class TestNamedCards:
    def test_ten_named_cards_are_laid_out_in_order(self, lay: Lays) -> None:
        table = lay(*ELEVEN[:10])
        assert kingdom(table) == list(ELEVEN[:10])
        assert [turned.position for turned in table.turned] == list(range(1, 11))
        assert (table.landscapes, unusual(table)) == ({}, [])

    def test_more_than_ten_cards_are_laid_out_and_reported(self, lay: Lays) -> None:
        table = lay(*ELEVEN)
        assert kingdom(table) == list(ELEVEN)
        assert unusual(table) == ["11 Kingdom cards were chosen; a game normally has 10."]
        assert [note.step for note in table.notes] == ["here"]

    def test_fewer_than_ten_cards_are_completed(self, lay: Lays) -> None:
        table = lay("Witch", "Bank")
        assert kingdom(table)[:2] == ["Witch", "Bank"] and len(set(kingdom(table))) == 10
        assert unusual(table) == []

    def test_rest_of_kingdom_is_uniform(self, lay: Lays) -> None:
        """Of the 24 that are left of a box, each of the eight places takes any."""
        counts = Counter(
            name
            for seed in range(1500)
            for name in kingdom(lay("Witch", "Moat", seed=str(seed), sets=("base-2e",)))
        )
        assert counts.pop("Witch") == counts.pop("Moat") == 1500 and len(counts) == 24
        expected = 1500 * 8 / 24
        assert sum((count - expected) ** 2 / expected for count in counts.values()) < 23 * 2

    def test_too_few_cards_for_the_rest_are_refused(self, lay: Lays) -> None:
        assert len(kingdom(lay(*ELEVEN[:9], sets=("envoy",)))) == 10
        with pytest.raises(TooFewCards):
            lay(*ELEVEN[:8], sets=("envoy",))

    def test_too_many_named_landscapes_are_reported(self, lay: Lays) -> None:
        ways = ("Way of the Ox", "Way of the Rat", "Quest", "Alms")
        table = lay(*ELEVEN[:10], landscapes=ways)
        assert tuple(table.landscapes) == ways
        assert unusual(table) == [
            "4 landscapes were chosen; normally at most 2 are used.",
            "2 of these landscapes are of the same kind; normally at most 1 is used.",
        ]
        assert unusual(lay(*ELEVEN[:10], landscapes=ways[1:3])) == []

    def test_drawn_landscapes_respect_limits_with_named_ones(self, lay: Lays) -> None:
        for seed in range(60):
            table = lay("Witch", landscapes=("Way of the Ox",), seed=str(seed))
            kinds = [card.kind for card in table.landscapes.values() if card.kind != "ally"]
            assert len([kind for kind in kinds if kind != "prophecy"]) <= 2 and kinds.count("way") == 1
            deck = lay("Witch", landscapes=("Quest",), seed=str(seed), landscapes_from="deck")
            turned = [one for one in deck.turned if one.use == "landscape"]
            assert len(turned) == 2

    def test_named_table_deals_the_same_table_again(self, lay: Lays, deal: Deals) -> None:
        table = lay()
        assert kingdom(table) == kingdom(deal.table(sets=lay.boxes, seed="x"))


class TestNamedChoices:
    def test_named_choice_is_used_and_others_are_drawn(self, lay: Lays) -> None:
        table = lay(
            "Young Witch", "Ferryman", "Riverboat", "Druid", "Poet", "Underling",
            chosen={"Bane": ("Cellar",), "Ally": ("Coastal Haven",), "Boons, face up": ("The Sky's Gift",)},
        )  # fmt: skip
        assert "Bane" in table.marks["Cellar"] and "Coastal Haven" in table.landscapes
        assert names_of(table, "Boons")[0] == "The Sky's Gift" and len(names_of(table, "Boons")) == 3
        assert len(table.decks["Boons"].cards) == 9
        assert table.drawn["Ferryman"] and table.drawn["Riverboat"] and table.drawn["Prophecy"]
        assert unusual(table) == []

    def test_named_card_is_not_drawn_for_other_choices(self, lay: Lays) -> None:
        for seed in range(40):
            table = lay("Young Witch", chosen={"Bane": ("Cellar",)}, seed=str(seed), sets=("base-2e",))
            assert "Cellar" not in kingdom(table)

    def test_named_card_of_another_kind_is_laid_out_and_reported(self, lay: Lays) -> None:
        table = lay("Young Witch", chosen={"Bane": ("Bank",)})
        assert "Bane" in table.marks["Bank"]
        assert unusual(table) == ["Bank was chosen for Bane, but doesn't meet its conditions."]

    def test_mixed_pile_matches_choice_by_any_member(self, lay: Lays) -> None:
        assert unusual(lay("Young Witch", chosen={"Bane": ("Encampment/Plunder",)})) == []

    def test_named_card_for_missing_choice_is_reported(self, lay: Lays) -> None:
        table = lay("Witch", chosen={"Bane": ("Cellar",)}, sets=("base-2e",))
        assert "Cellar" not in table.piles
        assert unusual(table) == ["Cellar was chosen for Bane, but nothing on this table needs it."]

    def test_named_deck_is_laid_out(self, lay: Lays) -> None:
        table = lay("Black Market", chosen={"Black Market deck": ("Witch", "Moat")}, black_market=4)
        assert [card.name for card in table.decks["Black Market deck"].cards][:2] == ["Witch", "Moat"]
        assert len(table.decks["Black Market deck"].cards) == 4


class TestNamedMarks:
    def test_named_pile_gets_the_mark(self, lay: Lays) -> None:
        piles = {
            lay(
                *ELEVEN[:10], landscapes=("Inspiring",), on={"Inspiring": "Mine"}, seed=str(seed)
            ).marked_piles["Inspiring"]
            for seed in range(20)
        }
        assert piles == {"Mine"}

    def test_named_pile_that_cannot_be_marked_is_reported(self, lay: Lays) -> None:
        table = lay("Gardens", landscapes=("Inspiring",), on={"Inspiring": "Gardens"})
        assert table.get_marked_pile("Inspiring") == "Gardens"
        assert unusual(table) == [
            "Inspiring goes with Gardens as requested; a random choice would never pick that pile."
        ]

    def test_named_pile_not_on_the_table_is_reported_and_replaced(self, lay: Lays) -> None:
        table = lay(*ELEVEN[:10], landscapes=("Inspiring",), on={"Inspiring": "Goons"})
        assert table.marked_piles["Inspiring"] in ELEVEN
        assert unusual(table) == ["Inspiring can't go with Goons, which is not on the table."]

    def test_mark_of_landscape_not_on_the_table_is_reported(self, lay: Lays) -> None:
        table = lay(*ELEVEN[:10], on={"Inspiring": "Mine"})
        assert unusual(table) == ["Inspiring can't go with Mine, because Inspiring is not on the table."]


class TestWithWishes:
    """The rest is dealt so that the wishes hold of the whole; what is named is held against them too."""

    def test_named_cards_count_for_wishes(self, lay: Lays) -> None:
        for seed in range(20):
            table = lay("Witch", "Moat", seed=str(seed), want=("attack=2", "village=-1"))
            assert kingdom(table)[:2] == ["Witch", "Moat"] and len(set(kingdom(table))) == 10
            names = [one.card.name for one in table.turned if one.use != "skipped"]
            request = lay.game.build_request(
                lay.boxes, 2, "x", {}, wishes=WishTexts(want=("attack=2", "village=-1")).parse(lay.game)
            )
            assert not list_unmet_wishes(lay.game, request, names)
            assert list_unmet_wishes(lay.game, request, [*names, "Militia"]) == ["--want attack=2"]

    def test_rest_of_kingdom_is_uniform(self, lay: Lays) -> None:
        """One Attack of the box's three that are left, and seven of the other 21."""
        counts = Counter(
            name
            for seed in range(900)
            for name in kingdom(lay("Witch", "Moat", seed=str(seed), sets=("base-2e",), want=("attack=2",)))[
                2:
            ]
        )
        attacks = [counts[name] for name in ("Bandit", "Bureaucrat", "Militia")]
        others = [count for name, count in counts.items() if name not in ("Bandit", "Bureaucrat", "Militia")]
        assert (sum(attacks), len(others)) == (900, 21)
        assert sum((count - 300) ** 2 / 300 for count in attacks) < 2 * 8
        assert sum((count - 300) ** 2 / 300 for count in others) < 20 * 2.5

    def test_named_landscape_reduces_the_limit_of_its_kind(self, lay: Lays) -> None:
        with pytest.raises(BadOptions, match="way=2"):
            lay("Witch", landscapes=("Way of the Ox",), want=("way=2",))
        for seed in range(30):
            table = lay("Witch", landscapes=("Way of the Ox",), seed=str(seed), want=("landscape=2",))
            kinds = [game_card.kind for game_card in table.landscapes.values()]
            assert kinds.count("way") == 1 and sum(k not in ("ally", "prophecy") for k in kinds) == 2

    def test_cards_of_with_are_added_to_named_cards(self, lay: Lays) -> None:
        assert {"Witch", "Mill"} <= set(kingdom(lay("Witch", with_=("mill",))))
        assert kingdom(lay("Witch", with_=("witch",)))[0] == "Witch"
        assert kingdom(lay(*ELEVEN[:10], with_=("witch",))) == list(ELEVEN[:10])

    @pytest.mark.parametrize(
        ("cards", "wishes", "fault"),
        [
            (
                ELEVEN[:10],
                WishTexts(want=("attack=0",)),
                "the kingdom you named doesn't meet --want attack=0.",
            ),
            (ELEVEN[:10], WishTexts(want=("event",)), "the kingdom you named doesn't meet --want event."),
            (
                ELEVEN[:10],
                WishTexts(with_=("library",)),
                "the kingdom you named doesn't meet --with Library.",
            ),
            (
                ELEVEN[:2],
                WishTexts(want=("trashing=0",)),
                "the kingdom you named doesn't meet --want trashing=0.",
            ),
            (
                ELEVEN[:3],
                WishTexts(without=("attack", "moat")),
                "--without excludes cards that you named: Moat.",
            ),
            (
                ELEVEN,
                WishTexts(without=("attack",)),
                "--without excludes cards that you named: Witch, Militia and Bureaucrat.",
            ),
        ],
    )
    def test_named_kingdom_that_contradicts_wishes_is_refused(
        self, lay: Lays, cards: tuple[str, ...], wishes: WishTexts, fault: str
    ) -> None:
        with pytest.raises(BadOptions) as problem:
            lay(*cards, with_=wishes.with_, without=wishes.without, want=wishes.want)
        assert str(problem.value) == fault

    def test_bans_apply_to_named_choices(self, lay: Lays) -> None:
        with pytest.raises(BadOptions, match="excludes cards that you named: Moat"):
            lay("Young Witch", chosen={"Bane": ("Moat",)}, without=("moat",))

    def test_banned_cards_do_not_complete_a_kingdom(self, lay: Lays) -> None:
        ban = ("cost:2 or attack",)
        for seed in range(20):
            table = lay("Ferryman", "Black Market", "Mill", seed=str(seed), without=ban)
            assert table.drawn["Ferryman"] and len(table.drawn["Black Market deck"]) == 15
            drawn = [card for cards in table.drawn.values() for card in cards]
            for card in (*table.kingdom, *drawn):
                assert not find_ban(lay.game, WishTexts(without=ban).parse(lay.game), card)


def test_named_cards_of_unchosen_boxes_are_reported(lay: Lays) -> None:
    table = lay("Goons", "Witch", sets=("base-2e",))
    assert kingdom(table)[:2] == ["Goons", "Witch"] and "VP tokens" in table.components
    assert unusual(table) == ["Goons was chosen, but is in none of the chosen boxes."]


MIXED_PILES = [
    *("Augurs", "Castles", "Catapult/Rocks", "Clashes", "Encampment/Plunder", "Forts", "Gladiator/Fortune"),
    *("Knights", "Odysseys", "Patrician/Emporium", "Sauna/Avanto", "Settlers/Bustling Village", "Townsfolk"),
    "Wizards",
]
CHEAP = {"Encampment/Plunder", "Patrician/Emporium", "Settlers/Bustling Village", "Townsfolk"}  # $2
# The mixed piles that each choice of a pile by cost or type may take; seed 004 lists those of Ferryman.
ALLOWED = {
    "Ferryman": {*MIXED_PILES} - CHEAP - {"Knights"},
    "Bane": {*MIXED_PILES} - {"Knights", "Sauna/Avanto"},
    "Approaching Army": {"Knights", "Catapult/Rocks"},
}


@pytest.mark.parametrize("choice", ALLOWED)
def test_named_mixed_pile_is_judged_by_its_randomizer(lay: Lays, choice: str) -> None:
    """Only what the randomizer shows counts: some Knights cost $4, and an Augur is an Attack."""
    found = {card.name for card in lay.game.cards.values() if card.pile and card.kind == "kingdom"}
    assert found == {*MIXED_PILES}
    for pile in MIXED_PILES:
        by = {"Bane": "Young Witch"}.get(choice, choice)
        chosen: dict[str, tuple[str, ...]] = {choice: (pile,)}
        if choice == "Approaching Army":
            by, chosen = "Poet", {"Prophecy": (choice,), **chosen}
        table = lay(by, *ELEVEN[:9], chosen=chosen)
        assert pile in table.piles
        report = f"{pile} was chosen for {choice}, but doesn't meet its conditions."
        assert unusual(table) == ([] if pile in ALLOWED[choice] else [report])


@pytest.mark.parametrize(
    ("choice", "allowed"),
    [
        ("Riverboat", lambda cost, types: cost == 5),
        ("Way of the Mouse", lambda cost, types: cost in (2, 3)),
    ],
)
def test_named_single_card_of_a_mixed_pile_is_judged_by_itself(
    lay: Lays, choice: str, allowed: Callable[[int, tuple[str, ...]], bool]
) -> None:
    cards = [card for card in lay.game.cards.values() if card.member_of in MIXED_PILES and card.cost]
    assert len(cards) > 40
    for card in cards:
        landscapes = (choice,) if choice.startswith("Way") else ()
        up = ELEVEN[:10] if landscapes else (choice, *ELEVEN[:9])
        table = lay(*up, landscapes=landscapes, chosen={choice: (card.name,)})
        fits = "Action" in card.types and "Duration" not in card.types and card.cost is not None
        fits = fits and card.cost is not None and allowed(card.cost.coins, card.types)
        report = f"{card.name} was chosen for {choice}, but doesn't meet its conditions."
        assert unusual(table) == ([] if fits else [report])


class TestFixedDecks:
    """A deck that is always used as a whole is complete, whatever is banned, swapped or named."""

    def count(self, table: Table, deck: str) -> int:
        return len(table.decks[deck].cards) + len(table.decks[deck].face_up)

    @pytest.mark.parametrize("ban", ["sifting", "junking", "boon", "card:the-suns-gift", "hex", "plus-card"])
    def test_ban_leaves_boons_and_hexes_complete(self, lay: Lays, ban: str) -> None:
        for first in ("Druid", "Leprechaun"):
            table = deal_table(
                lay.game,
                lay.game.build_request(
                    ("nocturne",), 2, "x", {}, wishes=WishTexts(without=(ban,)).parse(lay.game)
                ),
                {"randomizers": [first, "Tormentor"]},
            )
            assert {self.count(table, deck) for deck in table.decks} == {12}
            if first == "Druid":
                assert len(table.decks["Boons"].face_up) == 3

    def test_named_cards_of_unchosen_boxes_have_complete_decks(self, lay: Lays) -> None:
        table = lay("Pixie", "Moat", "Vampire", "Importer", sets=("base-2e",))
        assert self.count(table, "Boons") == self.count(table, "Hexes") == 12
        assert {"Will-o'-Wisp", "Bat"} <= table.piles.keys() and table.missing == []
        assert {"Deluded/Envious", "Miserable/Twice Miserable"} <= table.components.keys()
        assert [card.kind for card in table.landscapes.values()] == ["ally"]

    def test_ban_applies_to_choices_from_the_box_of_a_named_card(self, lay: Lays) -> None:
        allies = [card.name for card in lay.game.cards.values() if card.kind == "ally"]
        bans = tuple(f"card:{slugify(name)}" for name in allies[1:])
        table = lay("Importer", sets=("base-2e",), without=bans)
        assert [*table.landscapes] == allies[:1]

    def test_cards_named_for_a_choice_that_is_not_made_stay_in_their_deck(self, lay: Lays) -> None:
        table = lay("Pixie", *ELEVEN[:9], chosen={"Boons, face up": ("The Sun's Gift",)})
        assert self.count(table, "Boons") == 12

    def test_card_chosen_for_a_card_that_has_left_is_unused_again(self, lay: Lays) -> None:
        request = lay.game.build_request(lay.boxes, 2, "x", {})
        kept = KeptTable(
            Kingdom(ELEVEN[:10], (), {"Ferryman": ("Gardens",)}), removed=frozenset({"Ferryman"})
        )
        table = deal_kept_table(lay.game, request, kept)
        assert "Gardens" not in table.piles
        assert [
            card.name for card in table.unused.shuffle_matching("any", Query(name=(CardName("Gardens"),)))
        ] == ["Gardens"]

    def test_named_face_up_cards_are_not_in_the_deck(self, lay: Lays) -> None:
        table = lay("Druid", *ELEVEN[:9], chosen={"Boons, face up": ("The Sun's Gift",)})
        deck = table.decks["Boons"]
        names = [card.name for card in (*deck.cards, *deck.face_up)]
        assert deck.face_up[0].name == "The Sun's Gift" and len(set(names)) == len(names) == 12


def test_second_deal_does_not_use_the_named_kingdom(game: Game, deal: Deals) -> None:
    """The kingdom named for the first deal is not laid out again."""
    from randomizer.record.build import build_setup
    from randomizer.record.second_deal import deal_again

    named = Kingdom((*ELEVEN[:9], "Poet"), (), {"Prophecy": ("Divine Wind",)})
    request = game.build_request(("base-2e", "rising-sun"), 2, "x", {})._replace(kingdom=named)
    first = build_setup(game, request, deal_table(game, request), deal.languages)
    again = deal_again(game, first)
    assert len(again["kingdom"]) == 10 and not set(again["kingdom"]) & set(first["kingdom"])
    assert not any("named" in note["text"]["en"] for note in again["notes"])


def names_of(table: Table, deck: str) -> list[str]:
    return [card.name for card in table.decks[deck].face_up]
