"""Which entries of the rulebook apply to a table."""

import json

from tests.support import Deals, run


def test_rules_for_a_table_include_cards_in_the_trash(deal: Deals) -> None:
    """Necromancer puts the three Zombies into the trash at setup, so their rulings apply."""
    document = deal.setup("Necromancer", sets=["nocturne"])
    assert {card["name"] for card in document["trash"]} == {"Zombie Apprentice", "Zombie Mason", "Zombie Spy"}
    result = run("rules", "--for", "-", "--json", input=json.dumps(document))
    entries = {entry["id"] for entry in json.loads(result.stdout)["results"]}
    assert {"zombie-apprentice", "zombie-mason", "zombie-spy"} <= entries
