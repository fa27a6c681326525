"""The setup document, and the JSON Schema that is published with it."""

import json
import re
import shlex
from pathlib import Path

import jsonschema
import pytest

from randomizer.load import games
from randomizer.setup import document, schema
from randomizer.text.errors import BadDocument
from randomizer.text.json import dumps
from randomizer.text.slugs import slugify
from tests.support import TESTS_DIR, Deals, find_by_name, read_facts, run


def test_dealt_documents_match_the_schema(deal: Deals) -> None:
    published = jsonschema.Draft202012Validator(json.loads(schema.render_schema()))
    for seed in range(25):
        published.validate(deal.setup(seed=str(seed), players=2 + seed % 5))


def test_documents_have_every_promised_key(deal: Deals) -> None:
    """New versions may add keys, but not remove any of these."""
    setup = deal.setup("Page", "Druid", "Riverboat", "Tax", "Cursed", "Kitsune", "Importer", "Necromancer")
    assert setup["schema"] == document.SCHEMA == 2
    promised = {
        "schema game languages generator seed command options players turned decisions piles landscapes",
        "decks set_aside components placed starting_deck trash game_end notes checklist",
    }
    assert set(" ".join(promised).split()) <= set(setup)
    for key, keys in {
        "turned": "name use",
        "decisions": "question title answer decided_by reason",
        "piles": "name id set cost types place count members marks because",
        "landscapes": "name id kind set cost because",
        "decks": "name cards face_up count because",
        "set_aside": "name for because",
        "components": "name kind count per because",
        "placed": "name count on because",
        "starting_deck": "name count",
        "trash": "name count because",
        "checklist": "title items",
    }.items():
        assert setup[key], key  # type: ignore[literal-required]
        for entry in setup[key]:  # type: ignore[literal-required]
            assert set(keys.split()) <= set(entry)
    assert setup["generator"]["name"] == "dominion-randomizer"
    assert {item for section in setup["checklist"] for item in section["items"][0]} == {
        "names",
        "name",
        "count",
        "detail",
        "because",
    }


def list_known_ids() -> set[tuple[str, str]]:
    """Return the game and the id of every card."""
    return {(name, slugify(card)) for name in games.list_games() for card in games.load(name).cards}


class TestIds:
    """Every card, pile and landscape has an id that depends on no version or language."""

    @pytest.mark.parametrize("name", games.list_games())
    def test_ids_of_cards_are_unique(self, name: str) -> None:
        game = games.load(name)
        ids = [slugify(card) for card in game.cards]
        assert len(set(ids)) == len(ids)
        assert all(re.fullmatch(r"\w+(-\w+)*", id_) for id_ in ids)

    def test_published_ids_do_not_change(self) -> None:
        """They are listed in tests/facts/ids.csv; `python -m tests.setup.test_document` adds new ones."""
        assert {(row["game"], row["id"]) for row in read_facts("ids")} == list_known_ids()

    def test_every_card_of_a_document_has_its_id(self, deal: Deals) -> None:
        setup = deal.setup("Page", "Druid", "Riverboat", "Tax", "Cursed", "Fool", "Encampment/Plunder")
        keys = ("turned", "piles", "landscapes", "set_aside", "starting_deck", "trash", "boxed")
        for thing in [thing for key in keys for thing in setup[key]]:  # type: ignore[literal-required]
            assert thing["id"] == slugify(thing["name"])
            for member in thing.get("members", ()):
                assert member["id"] == slugify(member["name"])
        for deck in setup["decks"]:
            assert all(card["id"] == slugify(card["name"]) for card in deck["contents"])
        states = [part for part in setup["components"] if part["name"] in deal.game.cards]
        assert states and all(part["id"] == slugify(part["name"]) for part in states)
        assert find_by_name(setup["piles"], "Encampment/Plunder")["id"] == "encampment-plunder"

    @pytest.mark.parametrize("seed", range(20))
    def test_kingdom_and_landscape_ids_start_with_the_cards_turned_up(self, deal: Deals, seed: int) -> None:
        """The ten Kingdom cards come in the order turned up, and other Kingdom piles follow."""
        setup = deal.setup(seed=str(seed))
        ten = [slugify(card["name"]) for card in setup["turned"] if card["use"] == "kingdom"]
        assert setup["kingdom"][:10] == ten
        kingdom = {slugify(pile["name"]) for pile in setup["piles"] if pile["place"] == "kingdom"}
        assert len(setup["kingdom"]) == len(kingdom) and set(setup["kingdom"]) == kingdom
        turned = [slugify(card["name"]) for card in setup["turned"] if card["use"] == "landscape"]
        assert setup["landscape_ids"][: len(turned)] == turned
        assert sorted(setup["landscape_ids"]) == sorted(slugify(card["name"]) for card in setup["landscapes"])

    def test_second_deal_lists_the_new_ids(self) -> None:
        first = run("--sets", "rising-sun", "--seed", "12", "--json").stdout
        second = json.loads(run("divine-wind", "-", "--json", input=first).stdout)
        kingdom = [slugify(pile["name"]) for pile in second["piles"] if pile["place"] == "kingdom"]
        assert sorted(second["kingdom"]) == sorted(kingdom)
        assert set(second["kingdom"]).isdisjoint(json.loads(first)["kingdom"])
        ids = [slugify(card["name"]) for card in second["landscapes"]]
        assert sorted(second["landscape_ids"]) == sorted(ids)

    def test_costs_match_the_printed_ones(self, deal: Deals) -> None:
        setup = deal.setup("Page", "Tax", "Keep", "Familiar", "Engineer", "Animal Fair", "Wayfarer")
        parts = {thing["name"]: thing["cost"] for thing in (*setup["piles"], *setup["landscapes"])}
        assert parts["Page"] == {"coins": 2, "potion": 0, "debt": 0, "mark": ""}
        assert parts["Familiar"] == {"coins": 3, "potion": 1, "debt": 0, "mark": ""}
        assert parts["Engineer"] == {"coins": 0, "potion": 0, "debt": 4, "mark": ""}
        assert parts["Wayfarer"] == {"coins": 6, "potion": 0, "debt": 0, "mark": "*"}
        assert parts["Keep"] is None
        assert parts["Copper"] == {"coins": 0, "potion": 0, "debt": 0, "mark": ""}

    def test_cards_command_shows_id_and_cost(self) -> None:
        (card,) = json.loads(run("cards", "Young Witch", "--json").stdout)["cards"]
        assert card["id"] == "young-witch"
        assert card["cost"] == {"coins": 4, "potion": 0, "debt": 0, "mark": ""}
        (keep,) = json.loads(run("cards", "Keep", "--json").stdout)["cards"]
        assert keep["cost"] is None


def test_names_are_listed_by_language(deal: Deals) -> None:
    setup = deal.setup("Page")
    page = find_by_name(setup["piles"], "Page")
    assert page["names"]["ja"] == "騎士見習い"


def test_show_prints_a_document_byte_for_byte(tmp_path: Path) -> None:
    text = run("--sets", "all", "--players", "4", "--seed", "x", "--json").stdout
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    assert run("show", "--json", str(path)).stdout == text
    assert run("show", "--json", "-", input=text).stdout == text


def test_unknown_keys_are_kept(deal: Deals) -> None:
    setup = {**deal.setup(), "weather": "fine"}
    assert schema.loads(dumps(setup))["weather"] == "fine"  # type: ignore[typeddict-item]


def test_other_encodings_of_a_saved_document_are_read(deal: Deals) -> None:
    """Windows PowerShell saves a pipe as UTF-16, and some editors add a byte order mark."""
    text = dumps(deal.setup())
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert schema.loads(text.encode(encoding)) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "not a saved setup"),
        ("{}", "has no `schema`"),
        ('{"schema": 1}', "has schema 1; this program reads schema 2"),
        ('{"schema": 2}', "is missing"),
    ],
)
def test_text_that_is_not_a_document_is_refused(text: str, fault: str) -> None:
    with pytest.raises(BadDocument, match=fault):
        schema.loads(text)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": "two"}, "players is invalid"),
        ({"piles": [{"name": 3}]}, r"piles\[0\]"),
        ({"decks": None}, "decks (is invalid|must be)"),
        (
            {"notes": [{"text": {"en": "x"}, "phrase": "x", "values": {"a": []}, "because": []}]},
            r"notes\[0\]",
        ),
    ],
)
def test_damaged_document_is_refused(deal: Deals, change: dict[str, object], fault: str) -> None:
    with pytest.raises(BadDocument, match=fault):
        schema.loads(json.dumps({**deal.setup(), **change}))


def test_command_of_a_document_deals_the_same_table(deal: Deals) -> None:
    first = run(
        "--sets",
        "base-1e,adv,envoy",
        "-p",
        "5",
        "--landscapes",
        "3",
        "--no-colony",
        "--seed",
        "a b'c",
        "--json",
    )
    command = json.loads(first.stdout)["command"]
    assert command.startswith(
        "dominion-setup --sets base-1e,adventures,envoy --players 5 --landscapes 3 --no-colony"
    )
    assert run(*shlex.split(command)[1:], "--json").stdout == first.stdout


if __name__ == "__main__":
    published = {(row["game"], row["id"]) for row in read_facts("ids")}
    lines = [f"{game},{id_}\n" for game, id_ in sorted(published | list_known_ids())]
    (TESTS_DIR / "facts" / "ids.csv").write_text(
        "".join(["game,id\n", *lines]), encoding="utf-8", newline="\n"
    )
