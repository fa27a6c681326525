"""Tests of the order of a deal: choices by priority and the order of the data, then decorations."""

from collections.abc import Mapping

import pytest

from randomizer.cards.game import Request
from randomizer.deal.dealer import PreviousTable, deal_second_table, preview_card
from randomizer.deal.table import Table
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.tea import DealTea

SONG = "{deal: {is: {kind: song}, to: %s, as: %s, count: %s}}"
SIDE = "{deal: {is: {kind: dish}, to: aside, as: %s}}"


def choices(table: Table) -> list[str]:
    """Return the names of the choices in the order in which they were made."""
    return list(table.slots)


class TestChoices:
    def test_choices_are_made_in_the_order_of_the_data(self, deal_tea: DealTea) -> None:
        asks = f"[{SIDE % 'Second'}, {SIDE % 'First'}]"
        assert choices(deal_tea(asks, more="order: [First, Second]\n")[1]) == ["First", "Second"]
        assert choices(deal_tea(asks, more="order: [Second, First]\n")[1]) == ["Second", "First"]

    def test_choice_without_name_is_named_after_its_card(self, deal_tea: DealTea) -> None:
        line = "  - {name: %s, set: tea, kind: rest, setup: {deal: {is: {kind: dish}, to: aside}}}\n"
        more = line % "Bun" + line % "Roll" + "order: [Roll, Bun]\n"
        assert choices(deal_tea("{put: [Bun, Roll]}", more=more)[1]) == ["Roll", "Bun"]

    def test_choices_missing_in_the_order_come_last_as_asked(self, deal_tea: DealTea) -> None:
        asks = f"[{SONG % ('aside', 'Zither', 1)}, {SIDE % 'Lute'}, {SIDE % 'Named'}]"
        assert choices(deal_tea(asks, more="order: [Named]\n")[1]) == ["Named", "Zither", "Lute"]

    def test_choices_of_single_cards_precede_decks_and_all_cards(self, deal_tea: DealTea) -> None:
        """This overrides the order of the data, so that a deck takes no card that another choice needs."""
        asked = [SONG % ("box", "Rest", "all"), SONG % ("deck", "Deck", 1), SONG % ("aside", "Card", 1)]
        asks = f"[{', '.join(asked)}]"
        table = deal_tea(asks, more="order: [Rest, Deck, Card]\n")[1]
        assert choices(table) == ["Card", "Deck", "Rest"]
        assert table.slots["Rest"] == [] and not table.missing

    def test_face_up_cards_of_decks_are_chosen_with_single_cards(self, deal_tea: DealTea) -> None:
        asks = (
            f"[{SONG % ('deck', 'Deck', 1)}, "
            "{deal: {is: {kind: song}, to: deck, as: Open, count: 1, face_up: true}}]"
        )
        assert choices(deal_tea(asks, more="order: [Deck, Open]\n")[1]) == ["Open, face up", "Deck"]

    def test_choice_of_a_chosen_card_waits_for_its_turn(self, deal_tea: DealTea) -> None:
        asks = {
            "Cake": "[{deal: {is: {cost: 5}, to: beside, as: Side}}, %s]" % (SIDE % "Late"),
            "Tart": SIDE % "Early",
        }
        table = deal_tea(asks, more="order: [Side, Early, Late]\n")[1]
        assert choices(table) == ["Side", "Early", "Late"]
        assert [missing.slot for missing in table.missing] == ["Late"]  # Toast is taken

    def test_choice_of_two_cards_is_made_once_with_two_causes(self, deal_tea: DealTea) -> None:
        table = deal_tea({"Cake": SIDE % "Side", "Pie": SIDE % "Side"})[1]
        (aside,) = table.aside
        assert table.get_causes(aside) == ["Cake", "Pie"]
        assert list(table.slots.values()) == [[aside]]


class TestStages:
    def test_decorations_apply_to_chosen_cards(self, deal_tea: DealTea) -> None:
        asks = "[{mark: {piles: kingdom, is: {cost: 5}}}, {deal: {is: {cost: 5}, to: kingdom, as: Tray}}]"
        assert deal_tea(asks)[1].marks["Tart"] == ["Tray", "Cake"]

    def test_cards_brought_by_decisions_have_their_effects(self, deal_tea: DealTea) -> None:
        table = deal_tea({"Cake": "{put: Crumbs}", "Crumbs": "{put: Rusk}", "Rusk": "{give: Cups}"})[1]
        assert table.get_causes("Cups") == ["Cake", "Crumbs", "Rusk"]

    def test_card_has_its_effects_once(self, deal_tea: DealTea) -> None:
        table = deal_tea({"Cake": "{put: Crumbs}", "Pie": "{put: Crumbs}", "Crumbs": "{note: Mind them.}"})[1]
        assert [str(note) for note in table.notes] == ["Mind them."]
        assert table.get_causes("Crumbs") == ["Cake", "Pie"]

    @pytest.mark.parametrize("first", ["first-card", "random-card"])
    def test_decisions_are_recorded_in_the_order_of_the_opening(self, deal: Deals, first: str) -> None:
        table = deal.table(colony_by=first)
        assert [decision.question for decision in table.decisions] == ["platinum-colony", "shelters"]

    def test_random_card_is_drawn_after_fixed_cards_are_looked_at(self, deal: Deals) -> None:
        """Otherwise it could be the tenth card, which decides the other question."""
        for seed in range(40):
            table = deal.table(colony_by="random-card", seed=str(seed), sets=["base-2e"])
            drawn, last = (decision.card for decision in table.decisions)
            tenth = [turned.card for turned in table.turned if turned.position == 10]
            assert [last] == tenth != [drawn]


class TestSecondDeal:
    OPENING = "[{turn_up: {is: {kind: dish}, count: 1}}]"

    def dealt(self, deal_tea: DealTea, asks: Mapping[str, str], without: str = "[]") -> Table:
        """Cake, Soup and Pie have left; Hare, Bread and Sugar have stayed."""
        more = f"second_deal: {{by: Hare, leaves: kingdom, opening: {self.OPENING}, without: {without}}}\n"
        game, _ = deal_tea(asks, more=more)
        request = Request(("tea",), 2, "x")
        before = PreviousTable(
            in_use=["Cake", "Soup", "Pie", "Hare", "Bread"],
            stays=["Bread", "Hare", "Sugar"],
            piles={"Bread": "supply"},
            decks={},
            slots={"Tray": []},
        )
        return deal_second_table(game, request, before)

    def test_second_deal_draws_no_card_that_was_in_use(self, deal_tea: DealTea) -> None:
        table = self.dealt(deal_tea, {})
        assert {turned.card.name for turned in table.turned} < {"Tart", "Toast"}
        assert table.get_place(table.piles["Bread"]) == "supply"
        assert "Hare" not in table.piles

    def test_second_deal_does_not_lay_out_what_stays(self, deal_tea: DealTea) -> None:
        asks = dict.fromkeys(("Tart", "Toast"), "[{give: [Cups, Sugar]}, {put: [Crumbs, Bread]}]")
        table = self.dealt(deal_tea, asks)
        assert list(table.components) == ["Cups"]
        assert table.get_causes("Bread") == [] and table.get_causes("Crumbs") != []

    def test_second_deal_does_not_repeat_choices(self, deal_tea: DealTea) -> None:
        asks = "{deal: {is: {kind: guest}, to: landscapes, as: %s}}"
        table = self.dealt(deal_tea, {"Tart": asks % "Tray", "Toast": asks % "Tray"})
        assert not table.landscapes and not table.missing
        table = self.dealt(deal_tea, {"Tart": asks % "Cup", "Toast": asks % "Cup"})
        assert list(table.landscapes) == ["Hatter"]

    def test_second_deal_ignores_excluded_verbs(self, deal_tea: DealTea) -> None:
        asks = dict.fromkeys(("Tart", "Toast"), "[{give: Cups}, {note: Sit down.}]")
        assert "Cups" in self.dealt(deal_tea, asks).components
        table = self.dealt(deal_tea, asks, "[give]")
        assert "Cups" not in table.components and table.notes

    def test_second_deal_does_not_repeat_tokens_of_rules(self, deal_tea: DealTea) -> None:
        asks = dict.fromkeys(("Tart", "Toast"), "{place: {token: Sugar, on: Cups, count: 1}}")
        assert self.dealt(deal_tea, asks).tokens
        assert not self.dealt(deal_tea, {"Soup": asks["Tart"], **asks}).tokens

    def test_second_deal_repeats_other_effects_of_rules(self, deal_tea: DealTea) -> None:
        """It may not have mattered at the first deal; and what is there already is not laid out twice."""
        again = dict.fromkeys(("Soup", "Tart", "Toast"), "[{give: [Cups, Sugar]}, {note: Sit down.}]")
        table = self.dealt(deal_tea, again)
        assert list(table.components) == ["Cups"]
        assert table.notes

    def test_second_deal_has_other_randomness_than_the_first(self, deal_tea: DealTea) -> None:
        opening = self.OPENING.replace(": 1", ": 5")
        more = f"second_deal: {{by: Hare, leaves: kingdom, opening: {opening}}}\n"
        game, _ = deal_tea(more=more)
        orders = set()
        for seed in "abcdef":
            first = deal_tea(more=more, first=())[1]
            table = deal_second_table(game, Request(("tea",), 2, seed), PreviousTable([], [], {}, {}, {}))
            orders.add(tuple(turned.card.name for turned in table.turned))
            assert len(table.turned) == 5 and first
        assert len(orders) > 1

    def test_second_deal_is_refused_in_game_without_one(self, deal_tea: DealTea) -> None:
        with pytest.raises(BadOptions, match="Tea Party has no card that replaces the Kingdom"):
            deal_second_table(deal_tea()[0], Request(("tea",), 2, "x"), PreviousTable([], [], {}, {}, {}))


class TestPreviewCard:
    """What a card brings by itself, as shown by `cards NAME`."""

    def test_preview_lays_out_certain_things_and_describes_others(self, deal_tea: DealTea) -> None:
        asks = "[{put: Crumbs}, %s, {mark: {piles: kingdom, is: {cost: 5}}}, {place: {token: Sugar}}]"
        game, _ = deal_tea(asks % (SIDE % "Side"))
        table, told = preview_card(game.cards["Cake"], game, 3, Language("en"))
        assert list(table.piles) == ["Crumbs"] and not table.aside
        assert [spot.on for spot in table.tokens] == ["Cake"]
        assert told == [
            "Side: a single unused Kingdom card, set aside",
            "Cake: a random pile, $5",
        ]

    def test_preview_depends_on_the_player_count(self, deal_tea: DealTea) -> None:
        game, _ = deal_tea("{place: {token: Sugar, piles: supply, count: {1: 2, 3: 4}}}")
        assert preview_card(game.cards["Cake"], game, 3, Language("en"))[1] == [
            "Sugar: 4 on each Supply pile"
        ]
