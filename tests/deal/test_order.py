"""The order of a deal: choices by appetite and the data's order, then decorations; what arrives asks once."""

from collections.abc import Mapping

import pytest

from randomizer.cards.game import Request
from randomizer.deal.dealer import PreviousTable, deal_second_table, preview_card
from randomizer.deal.table import Table
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.tea import Party

SONG = "{deal: {is: {kind: song}, to: %s, as: %s, count: %s}}"
SIDE = "{deal: {is: {kind: dish}, to: aside, as: %s}}"


def choices(table: Table) -> list[str]:
    """The choices by their names, as they were made."""
    return list(table.slots)


class TestChoices:
    def test_in_the_order_of_the_data_not_of_the_asking(self, party: Party) -> None:
        asks = f"[{SIDE % 'Second'}, {SIDE % 'First'}]"
        assert choices(party(asks, more="order: [First, Second]\n")[1]) == ["First", "Second"]
        assert choices(party(asks, more="order: [Second, First]\n")[1]) == ["Second", "First"]

    def test_a_choice_without_a_name_goes_by_the_card_that_asks(self, party: Party) -> None:
        line = "  - {name: %s, set: tea, kind: rest, setup: {deal: {is: {kind: dish}, to: aside}}}\n"
        more = line % "Bun" + line % "Roll" + "order: [Roll, Bun]\n"
        assert choices(party("{put: [Bun, Roll]}", more=more)[1]) == ["Roll", "Bun"]

    def test_what_the_data_do_not_name_comes_last_as_it_was_asked_for(self, party: Party) -> None:
        asks = f"[{SONG % ('aside', 'Zither', 1)}, {SIDE % 'Lute'}, {SIDE % 'Named'}]"
        assert choices(party(asks, more="order: [Named]\n")[1]) == ["Named", "Zither", "Lute"]

    def test_single_cards_then_decks_then_all_there_are(self, party: Party) -> None:
        """Whatever the order says: so a deck takes no card that another choice still needs."""
        asked = [SONG % ("box", "Rest", "all"), SONG % ("deck", "Deck", 1), SONG % ("aside", "Card", 1)]
        asks = f"[{', '.join(asked)}]"
        table = party(asks, more="order: [Rest, Deck, Card]\n")[1]
        assert choices(table) == ["Card", "Deck", "Rest"]
        assert table.slots["Rest"] == [] and not table.missing

    def test_what_lies_face_up_beside_a_deck_is_chosen_like_single_cards(self, party: Party) -> None:
        asks = (
            f"[{SONG % ('deck', 'Deck', 1)}, "
            "{deal: {is: {kind: song}, to: deck, as: Open, count: 1, face_up: true}}]"
        )
        assert choices(party(asks, more="order: [Deck, Open]\n")[1]) == ["Open, face up", "Deck"]

    def test_a_choice_that_a_chosen_card_asks_for_takes_its_turn_among_the_rest(self, party: Party) -> None:
        asks = {
            "Cake": "[{deal: {is: {cost: 5}, to: beside, as: Side}}, %s]" % (SIDE % "Late"),
            "Tart": SIDE % "Early",
        }
        table = party(asks, more="order: [Side, Early, Late]\n")[1]
        assert choices(table) == ["Side", "Early", "Late"]
        assert [missing.slot for missing in table.missing] == ["Late"]  # Toast is taken

    def test_of_two_cards_that_ask_for_one_choice_it_is_made_once_and_both_are_causes(
        self, party: Party
    ) -> None:
        table = party({"Cake": SIDE % "Side", "Pie": SIDE % "Side"})[1]
        (aside,) = table.aside
        assert table.get_causes(aside) == ["Cake", "Pie"]
        assert list(table.slots.values()) == [[aside]]


class TestStages:
    def test_decorations_see_what_the_choices_bring(self, party: Party) -> None:
        asks = "[{mark: {piles: kingdom, is: {cost: 5}}}, {deal: {is: {cost: 5}, to: kingdom, as: Tray}}]"
        assert party(asks)[1].marks["Tart"] == ["Tray", "Cake"]

    def test_what_arrives_asks_even_if_it_comes_with_a_decision(self, party: Party) -> None:
        table = party({"Cake": "{put: Crumbs}", "Crumbs": "{put: Rusk}", "Rusk": "{give: Cups}"})[1]
        assert table.get_causes("Cups") == ["Cake", "Crumbs", "Rusk"]

    def test_a_card_asks_once_however_often_it_is_brought(self, party: Party) -> None:
        table = party({"Cake": "{put: Crumbs}", "Pie": "{put: Crumbs}", "Crumbs": "{note: Mind them.}"})[1]
        assert [str(note) for note in table.notes] == ["Mind them."]
        assert table.get_causes("Crumbs") == ["Cake", "Pie"]

    @pytest.mark.parametrize("first", ["first-card", "random-card"])
    def test_decisions_are_told_in_the_order_of_the_opening(self, deal: Deals, first: str) -> None:
        table = deal.table(colony_by=first)
        assert [decision.question for decision in table.decisions] == ["platinum-colony", "shelters"]

    def test_a_random_card_is_drawn_after_the_questions_that_look_at_a_certain_one(self, deal: Deals) -> None:
        """Else it could be the tenth, which decides the other question."""
        for seed in range(40):
            table = deal.table(colony_by="random-card", seed=str(seed), sets=["base-2e"])
            drawn, last = (decision.card for decision in table.decisions)
            tenth = [turned.card for turned in table.turned if turned.position == 10]
            assert [last] == tenth != [drawn]


class TestSecondDeal:
    OPENING = "[{turn_up: {is: {kind: dish}, count: 1}}]"

    def dealt(self, party: Party, asks: Mapping[str, str], without: str = "[]") -> Table:
        """Cake, Soup and Pie have left; Hare, Bread and Sugar have stayed."""
        more = f"second_deal: {{by: Hare, leaves: kingdom, opening: {self.OPENING}, without: {without}}}\n"
        game, _ = party(asks, more=more)
        request = Request(("tea",), 2, "x")
        before = PreviousTable(
            in_use=["Cake", "Soup", "Pie", "Hare", "Bread"],
            stays=["Bread", "Hare", "Sugar"],
            piles={"Bread": "supply"},
            decks={},
            slots={"Tray": []},
        )
        return deal_second_table(game, request, before)

    def test_what_was_in_use_is_not_dealt_again(self, party: Party) -> None:
        table = self.dealt(party, {})
        assert {turned.card.name for turned in table.turned} < {"Tart", "Toast"}
        assert table.get_place(table.piles["Bread"]) == "supply"
        assert "Hare" not in table.piles

    def test_what_stayed_is_not_laid_out_again(self, party: Party) -> None:
        asks = dict.fromkeys(("Tart", "Toast"), "[{give: [Cups, Sugar]}, {put: [Crumbs, Bread]}]")
        table = self.dealt(party, asks)
        assert list(table.components) == ["Cups"]
        assert table.get_causes("Bread") == [] and table.get_causes("Crumbs") != []

    def test_choices_that_were_made_are_not_made_again(self, party: Party) -> None:
        asks = "{deal: {is: {kind: guest}, to: landscapes, as: %s}}"
        table = self.dealt(party, {"Tart": asks % "Tray", "Toast": asks % "Tray"})
        assert not table.landscapes and not table.missing
        table = self.dealt(party, {"Tart": asks % "Cup", "Toast": asks % "Cup"})
        assert list(table.landscapes) == ["Hatter"]

    def test_verbs_that_do_nothing_this_time(self, party: Party) -> None:
        asks = dict.fromkeys(("Tart", "Toast"), "[{give: Cups}, {note: Sit down.}]")
        assert "Cups" in self.dealt(party, asks).components
        table = self.dealt(party, asks, "[give]")
        assert "Cups" not in table.components and table.notes

    def test_tokens_of_a_rule_for_all_of_a_sort_are_not_put_down_again(self, party: Party) -> None:
        asks = dict.fromkeys(("Tart", "Toast"), "{place: {token: Sugar, on: Cups, count: 1}}")
        assert self.dealt(party, asks).tokens
        assert not self.dealt(party, {"Soup": asks["Tart"], **asks}).tokens

    def test_whatever_else_such_a_rule_asks_for_is_asked_for_again(self, party: Party) -> None:
        """It may not have mattered at the first deal; and what is there already is not laid out twice."""
        again = dict.fromkeys(("Soup", "Tart", "Toast"), "[{give: [Cups, Sugar]}, {note: Sit down.}]")
        table = self.dealt(party, again)
        assert list(table.components) == ["Cups"]
        assert table.notes

    def test_its_chance_is_another_than_that_of_the_first_deal(self, party: Party) -> None:
        opening = self.OPENING.replace(": 1", ": 5")
        more = f"second_deal: {{by: Hare, leaves: kingdom, opening: {opening}}}\n"
        game, _ = party(more=more)
        orders = set()
        for seed in "abcdef":
            first = party(more=more, first=())[1]
            table = deal_second_table(game, Request(("tea",), 2, seed), PreviousTable([], [], {}, {}, {}))
            orders.add(tuple(turned.card.name for turned in table.turned))
            assert len(table.turned) == 5 and first
        assert len(orders) > 1

    def test_a_game_without_one(self, party: Party) -> None:
        with pytest.raises(BadOptions, match="Tea Party has no second deal"):
            deal_second_table(party()[0], Request(("tea",), 2, "x"), PreviousTable([], [], {}, {}, {}))


class TestBroughtBy:
    """What a card brings by itself, as `cards NAME` tells it."""

    def test_what_is_certain_is_laid_out_and_what_is_not_is_told(self, party: Party) -> None:
        asks = "[{put: Crumbs}, %s, {mark: {piles: kingdom, is: {cost: 5}}}, {place: {token: Sugar}}]"
        game, _ = party(asks % (SIDE % "Side"))
        table, told = preview_card(game.cards["Cake"], game, 3, Language("en"))
        assert list(table.piles) == ["Crumbs"] and not table.aside
        assert [spot.on for spot in table.tokens] == ["Cake"]
        assert told == [
            "Side: a single unused Kingdom card, set aside",
            "Cake: one pile at random, $5",
        ]

    def test_so_many_play(self, party: Party) -> None:
        game, _ = party("{place: {token: Sugar, piles: supply, count: {1: 2, 3: 4}}}")
        assert preview_card(game.cards["Cake"], game, 3, Language("en"))[1] == [
            "Sugar: 4 on each pile of the Supply"
        ]
