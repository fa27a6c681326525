"""The entries that apply to a table."""

import json
from typing import Any

import pytest

from randomizer.load.entryfile import Condition
from randomizer.rules.applying import find_applicable_entries, iter_table_items
from randomizer.rules.index import Index
from randomizer.rules.lookup import open_index
from tests.record.test_needs import choose_cards_to_stack
from tests.record.test_nesting import BASE
from tests.support import Deals, run

# Costs of the cards that a slot takes.
COSTS = {"Ferryman": (3, 4), "Bane": (2, 3), "Riverboat": (5,), "Way of the Mouse": (2, 3)}
KINDS = {"event", "landmark", "project", "way", "trait", "ally", "prophecy", "kingdom"}
SINGLE_ACTIONS = ("Riverboat", "Way of the Mouse")
REQUESTED_BY = {"Ferryman": "Ferryman", "Bane": "Young Witch", "Approaching Army": "Approaching Army"}


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


def find_ids(index: Index, deal: Deals, *cards: str, **options: Any) -> dict[str, list[str]]:
    """Return the ids of the entries that apply to a table with these cards, by group."""
    setup = deal.setup(*cards, **{"landscapes": 0, **options})
    found = find_applicable_entries(
        index.entries_with_conditions("dominion"), list(iter_table_items(setup, deal.game))
    )
    return {name: [entry.id for entry in group] for name, group in found._asdict().items()}


def stack_cards(deal: Deals, conditions: list[Condition]) -> dict[str, list[str]]:
    """Return, by question, the cards that must be turned up first so that all conditions are met."""
    stacked: dict[str, list[str]] = {"randomizers": []}
    named_cards = [name for condition in conditions for name in condition.card]
    for condition in conditions:
        slot: str = next(iter(condition.mark), "")
        if "deck" in condition.place:
            slot = "Black Market deck"
        elif "aside" in condition.place:
            slot = "Riverboat" if "Riverboat" in named_cards else "Way of the Mouse"
        name = find_card(deal, condition, slot) if condition != Condition(mark=condition.mark) else ""
        if slot in COSTS or slot in REQUESTED_BY or slot == "Black Market deck":
            stacked.setdefault(slot, []).extend(filter(None, [name]))
            name = REQUESTED_BY.get(slot, slot.removesuffix(" deck"))
        first, more = choose_cards_to_stack(name or slot)
        stacked["randomizers"] += first
        for question, names in more.items():
            stacked.setdefault(question, []).extend(names)
    return stacked


def find_card(deal: Deals, condition: Condition, slot: str) -> str:
    """Return a card that meets a condition, if possible one that has a randomizer."""
    cards = deal.game.cards
    if condition.component:
        (name,) = condition.component
        return next(
            card.name
            for card in cards.values()
            if card.kind in KINDS and name in str(deal.game.setup.get(card.name))
        )
    matching = [
        card
        for card in cards.values()
        if card.name in (condition.card or [card.name])
        and set(card.types) & set(condition.type or card.types)
    ]
    usable = [
        card
        for card in matching
        if card.kind in KINDS
        and (slot not in COSTS or (card.cost and card.cost.coins in COSTS[slot] and not card.cost.debt))
        and (slot not in SINGLE_ACTIONS or ("Action" in card.types and "Duration" not in card.types))
    ]
    if usable:
        return usable[0].name
    card = cards[matching[0].member_of or matching[0].name]
    if card.kind in KINDS:
        return card.name
    requesters = (
        requester for requester in cards if f"'{card.name}'" in str(deal.game.setup.get(requester, ""))
    )
    return next(requesters, "")  # No card asks for the Shelters: the deal decides about them.


class TestFindApplicableEntries:
    def test_entry_on_a_combination_applies_only_if_all_its_cards_are_there(
        self, index: Index, deal: Deals
    ) -> None:
        """Battle Plan in the Supply cannot rotate the pile of Ferryman."""
        forts = {"Ferryman": ["Forts"]}
        alone = find_ids(index, deal, "Ferryman", *BASE, stacked=forts)
        both = find_ids(index, deal, "Ferryman", "Clashes", *BASE, stacked=forts)
        assert "ferryman-battle-plan" in both["combinations"]
        assert "ferryman-battle-plan" not in alone["combinations"]

    def test_entry_on_a_token_and_a_card_applies_only_with_both(self, index: Index, deal: Deals) -> None:
        assert "minus-card-draw-until" in find_ids(index, deal, "Relic", "Library")["combinations"]
        alone = find_ids(index, deal, "Relic", sets=["adventures"])
        assert "minus-card-draw-until" not in alone["combinations"]

    def test_only_mechanics_of_the_table_are_included(self, index: Index, deal: Deals) -> None:
        simple = find_ids(index, deal, *BASE, sets=["base-2e"])
        assert simple["combinations"] == []
        assert not {"reserve", "event", "traveller", "boon"} & set(
            simple["mechanics"] + simple["types"] + simple["cards"]
        )
        assert "reserve" in find_ids(index, deal, "Ratcatcher")["types"]

    def test_rules_of_every_game_are_excluded(self, index: Index, deal: Deals) -> None:
        conditional = {entry.id for entry, _ in index.entries_with_conditions("dominion")}
        unconditional = {entry.id for entry in index.entries("dominion")} - conditional
        assert {"buy-phase", "gain", "winning"} <= unconditional
        table = find_ids(index, deal, "Ferryman", "Page", "Druid")
        assert not unconditional & {id_ for group in table.values() for id_ in group}

    def test_every_combination_can_be_dealt(self, index: Index, deal: Deals) -> None:
        """For each entry on a combination there is a table to which it applies."""
        combinations = [
            (entry, conditions)
            for entry, conditions in index.entries_with_conditions("dominion")
            if len(conditions) > 1
        ]
        assert len(combinations) > 30
        for entry, conditions in combinations:
            stacked = stack_cards(deal, [alternatives[0] for alternatives in conditions])
            first = stacked.pop("randomizers")
            options: dict[str, Any] = {"stacked": stacked, "landscapes": 4, "shelters": True}
            # With some seeds, a card that should be chosen later is among the ten Kingdom cards.
            setups = (deal.setup(*first, seed=seed, **options) for seed in "abc")
            tables = (
                find_applicable_entries(combinations, list(iter_table_items(setup, deal.game))).combinations
                for setup in setups
            )
            assert any(entry in table for table in tables), (entry.id, first, stacked)

    def test_table_from_a_pipe_has_rules_as_text_and_json(self) -> None:
        game = run("--sets", "adventures", "--seed", "1", "--json").stdout
        text = run("rules", "--for", "-", input=game).stdout
        assert "Mechanics in use" in text
        found = json.loads(run("rules", "--for", "-", "--json", input=game).stdout)
        assert found["schema"] == 1 and found["results"]
