"""Laws that hold for every deal: over sets, players, seeds and options (Hypothesis).

The witness is the table of facts (`oracle`), never the engine's own data.
"""

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer import record, render, schema
from randomizer.document import Setup
from randomizer.errors import TooFewCards
from randomizer.game import Game, Options
from randomizer.language import Language
from randomizer.style import Style
from tests import oracle
from tests.conftest import facts
from tests.oracle import NEEDS

FACTS = {row["name"]: row for row in facts("cards")}
SLUGS = sorted({slug for row in FACTS.values() for slug in row["boxes"].split(";")} - {"base-cards"})
ASKERS = oracle.askers()
NEEDS_BY_CARD: dict[str, list[oracle.Need]] = {}
for _need in NEEDS:
    NEEDS_BY_CARD.setdefault(_need.card, []).append(_need)

# Boxes whose cards bring the most in are drawn more often than others.
slugs = st.one_of(
    st.sampled_from(SLUGS),
    st.sampled_from(
        ["cornucopia-guilds-2e", "rising-sun", "menagerie", "promos", "nocturne", "plunder", "allies"]
    ),
)
settings_ = st.fixed_dictionaries(
    {},
    optional={
        "landscapes": st.integers(0, 5),
        "colony": st.booleans(),
        "shelters_by": st.just("random-card"),
        "colony_by": st.just("random-card"),
        "shelters": st.booleans(),
        "black_market": st.integers(1, 40),
    },
)
deals = st.tuples(
    st.lists(slugs, min_size=2, max_size=7, unique=True),
    st.integers(2, 6),
    st.text(max_size=8),
    settings_,
)
law = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def deal(
    game: Game, languages: list[Language], dealt: tuple[list[str], int, str, dict[str, Any]]
) -> Setup | None:
    """The document of a deal, or None where the options contradict each other or cards are too few."""
    chosen, players, seed, given_ = dealt
    for option in ("colony", "shelters"):
        if option in given_:
            given_.pop(f"{option}_by", None)
    options = Options(
        tuple(slug for slug in game.boxes if slug in chosen), players, seed, game.checked(given_)
    )
    try:
        table = game.set_up(options)
    except TooFewCards:
        return None
    return record.record(game, options, table, languages)


@law
@given(dealt=deals)
def test_every_card_in_use_has_what_it_needs(game: Game, languages: list[Language], dealt: Any) -> None:
    """Law 1: every nested chain is closed."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    unmet = [
        fault
        for card in oracle.cards_in_use(setup)
        for need in NEEDS_BY_CARD.get(card, ())
        if need.thing != card or card in {pile["name"] for pile in setup["piles"]}
        if (fault := oracle.missing(need, setup))
    ]
    assert unmet == []


@law
@given(dealt=deals)
def test_nothing_is_out_that_nobody_asks_for(game: Game, languages: list[Language], dealt: Any) -> None:
    """Law 2: what the deal did not turn up says why it is out, and a card in use asks for it."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    in_use = oracle.cards_in_use(setup)
    turned = {entry["name"] for entry in setup["turned"] if entry["use"] != "skipped"}
    decided = {entry["title"] for entry in setup["decisions"] if entry["answer"]}
    decks = {deck["name"] for deck in setup["decks"]}
    always = {"Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", "Trash mat"}
    entries = [
        *setup["piles"],
        *setup["landscapes"],
        *setup["decks"],
        *setup["set_aside"],
        *setup["components"],
        *setup["placed"],
        *setup["starting_deck"],
        *setup["trash"],
        *setup["notes"],
    ]
    for entry in entries:
        name = entry.get("name", "")
        if name in turned or (name in always and not entry["because"]):
            assert entry["because"] == []
            continue
        assert entry["because"], f"{name} does not say why it is out"
        assert set(entry["because"]) <= in_use | decided | decks
    for entry in (
        *setup["components"],
        *setup["decks"],
        *(pile for pile in setup["piles"] if not pile["supply"]),
    ):
        marks: Any = entry.get("marks", ())
        if entry["name"] not in always and "Ferryman" not in marks:
            assert ASKERS.get(entry["name"], set()) & in_use, f"nobody asks for {entry['name']}"


@law
@given(dealt=deals)
def test_chosen_cards_are_legal_and_unused(game: Game, languages: list[Language], dealt: Any) -> None:
    """Law 3: costs and types as the facts have them; nobody's card is anybody else's."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    chosen_boxes = set(setup["options"]["sets"])
    for pile in setup["piles"]:
        facts_ = FACTS.get(pile["name"])
        plain = facts_ and not int(facts_["cost_potion"] or 0) and not int(facts_["cost_debt"] or 0)
        if "Bane" in pile["marks"]:
            assert facts_ and plain and facts_["cost_coins"] in ("2", "3") and facts_["kind"] == "kingdom"
        if "Ferryman" in pile["marks"]:
            assert facts_ and plain and facts_["cost_coins"] in ("3", "4") and facts_["kind"] == "kingdom"
            assert not pile["supply"]
        if "Approaching Army" in pile["marks"]:
            assert facts_ and "Attack" in facts_["types"].split(";")
        if pile["place"] == "kingdom" or "Ferryman" in pile["marks"]:
            assert facts_ and chosen_boxes & set(facts_["boxes"].split(";"))
    for aside in setup["set_aside"]:
        facts_ = FACTS[aside["name"]]
        assert "Action" in facts_["types"].split(";") and "Duration" not in facts_["types"].split(";")
        assert facts_["cost_coins"] in {"Riverboat": ("5",), "Way of the Mouse": ("2", "3")}[aside["for"]]
        assert facts_["kind"] in ("kingdom", "split-member") and facts_["is_randomizer"] == "no"
    taken = Counter(pile["name"] for pile in setup["piles"])
    taken.update(FACTS[aside["name"]]["pile"] or aside["name"] for aside in setup["set_aside"])
    for deck in setup["decks"]:
        taken.update(game.cards[name].member_of or name for name in (*deck["cards"], *deck["face_up"]))
    assert [name for name, times in taken.items() if times > 1] == []


@law
@given(dealt=deals)
def test_the_table_adds_up(game: Game, languages: list[Language], dealt: Any) -> None:
    """Law 4: ten Kingdom cards, one Bane, Ally and Prophecy at most, ten-card decks, all the Copper."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    assert [entry.get("kingdom") for entry in setup["turned"] if entry["use"] == "kingdom"] == list(
        range(1, 11)
    )
    added = [pile for pile in setup["piles"] if {"Bane", "Approaching Army"} & set(pile["marks"])]
    assert sum(pile["place"] == "kingdom" for pile in setup["piles"]) == 10 + len(added)
    marks = Counter(mark for pile in setup["piles"] for mark in pile["marks"])
    assert max(marks.values(), default=1) == 1
    kinds = Counter(landscape["kind"] for landscape in setup["landscapes"])
    assert kinds["ally"] <= 1 and kinds["prophecy"] <= 1 and kinds["way"] <= 1
    dealt_landscapes = sum(kinds.values()) - kinds["ally"] - kinds["prophecy"]
    assert dealt_landscapes <= setup["options"].get("landscapes", 2)
    assert sum(card["count"] for card in setup["starting_deck"]) == 10
    in_decks = {card["name"]: card["count"] * setup["players"] for card in setup["starting_deck"]}
    (copper,) = [pile for pile in setup["piles"] if pile["name"] == "Copper"]
    assert (copper["count"] or 0) + in_decks.get("Copper", 0) == (60 if setup["players"] < 5 else 120)
    names = [entry["name"] for key in ("piles", "landscapes", "decks", "set_aside") for entry in setup[key]]
    assert len(names) == len(set(names))  # everything stands in one place only
    assert setup["game_end"][1] == f"any {'three' if setup['players'] < 5 else 'four'} Supply piles are empty"


@law
@given(dealt=deals)
def test_the_document_fed_back_in_gives_itself(game: Game, languages: list[Language], dealt: Any) -> None:
    """Law 5: byte for byte; and the command it names deals it again."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    text = render.dumps(setup)
    assert render.dumps(schema.loads(text)) == text
    assert deal(game, languages, dealt) == setup


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(dealt=deals, columns=st.integers(20, 200), language=st.sampled_from([0, 1]))
def test_every_document_can_be_printed(
    game: Game, languages: list[Language], dealt: Any, columns: int, language: int
) -> None:
    """Law 6: in any language and width, and nothing that is out is left out of the text."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    text = render.as_text(setup, languages[language], Style(columns))
    for key in ("piles", "landscapes", "set_aside", "components"):
        for entry in setup[key]:
            assert languages[language].name(entry["name"]) in text
