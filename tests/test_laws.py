"""Property tests: every law is true for deals with random sets, players, seeds and options."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.record.build import build_setup, deal_request
from randomizer.record.second_deal import deal_again
from randomizer.setup.document import Setup
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadOptions, TooFewCards, UnknownName
from randomizer.text.language import Language
from randomizer.text.screen import Style
from tests.support import EXAMPLE_FACTOR, oracle, witness
from tests.support.decks import make_deck_request
from tests.support.laws import CARD_FACTS, DECK_LAWS, LAWS, SECOND_LAWS
from tests.support.vetoes import VetoDeal, find_veto_faults

SLUGS = sorted({slug for row in CARD_FACTS.values() for slug in row["boxes"].split(";")} - {"base-cards"})

# Boxes whose cards have the most setup are drawn more often.
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
        "landscapes_from": st.just("deck"),
    },
)
deals = st.tuples(
    st.lists(slugs, min_size=2, max_size=7, unique=True),
    st.integers(2, 6),
    st.text(min_size=1, max_size=8).map(escape_control_characters),
    settings_,
)


def make_request(game: Game, dealt: tuple[list[str], int, str, dict[str, Any]]) -> Request:
    """Return the request of a deal."""
    chosen, players, seed, given_ = dealt
    for option in ("colony", "shelters"):
        if option in given_:
            given_.pop(f"{option}_by", None)
    boxes = tuple(slug for slug in game.boxes if slug in chosen)
    return Request(boxes, players, seed, game.validate_settings(given_))


def deal(
    game: Game,
    languages: list[Language],
    dealt: tuple[list[str], int, str, dict[str, Any]],
    stacked: Mapping[str, Sequence[str]] = {},
) -> Setup | None:
    """Return the document of a deal, or None if the boxes have too few cards."""
    options = make_request(game, dealt)
    try:
        table = deal_table(game, options, stacked)
    except TooFewCards:
        return None
    return build_setup(game, options, table, languages)


@settings(max_examples=200 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
@given(dealt=deals)
def test_every_deal_obeys_every_law(game: Game, languages: list[Language], dealt: Any) -> None:
    """One test checks all laws, because a deal takes as long as its checks."""
    setup = deal(game, languages, dealt)
    if setup:
        for law in LAWS:
            law(setup)


@settings(max_examples=150 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
@given(number=st.integers(0, 10**9))
def test_fixed_decks_are_complete_with_bans_swaps_and_named_cards(
    game: Game, languages: list[Language], number: int
) -> None:
    """The requests name, ban and swap cards that need decks; `benchmarks.endurance options` tries others."""
    request = make_deck_request(number, game)
    try:
        setup = build_setup(game, request, deal_request(game, request), languages)
    except (TooFewCards, BadOptions, UnknownName):
        return
    for law in DECK_LAWS:
        law(setup)


@settings(max_examples=15 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
@given(dealt=deals, number=st.integers(0, 10**9))
def test_first_cards_that_nobody_vetoed_stay_with_everything_they_need(
    game: Game, languages: list[Language], dealt: Any, number: int
) -> None:
    """`benchmarks.endurance veto` tries 5,000 tables."""
    request = make_request(game, dealt)
    try:
        veto = VetoDeal(number, request, game)
    except (TooFewCards, BadOptions):
        return
    assert list(find_veto_faults(veto)) == []


# The top cards of the randomizers in the first and second deal: an Omen, and cards that need something.
# Half of them interact with what is on the table: tokens on piles, choices, or mixed piles.
OMENS = [name for name, row in CARD_FACTS.items() if "Omen" in row["types"].split(";")]
MIXED = {row["pile"] for row in CARD_FACTS.values() if row["kind"] == "split-member"}
INTERACTING = {*(need.card for need in oracle.NEEDS if need.kind == "placed"), *oracle.CHOICES, *MIXED}
NEEDY = {*(need.card for need in oracle.NEEDS), *witness.NOTES_BY_CARD, *INTERACTING}
KINGDOM = [name for name, row in CARD_FACTS.items() if row["kind"] == "kingdom"]
needy_cards = st.lists(
    st.one_of([st.sampled_from([name for name in KINGDOM if name in some]) for some in (NEEDY, INTERACTING)]),
    min_size=2,
    max_size=8,
    unique=True,
)
SLOTS = ["Bane", "Ferryman", "Riverboat", "Way of the Mouse", "Black Market deck"]


def deal_twice(
    game: Game, languages: list[Language], dealt: Any, omen: str, *up: list[str]
) -> tuple[Setup, Setup] | None:
    """Return the documents before and after Divine Wind, or None if the boxes have too few cards."""
    chosen, players, seed, given_ = dealt
    first_up, chosen_up, second_up = up
    boxes = {CARD_FACTS[name]["boxes"].split(";")[-1] for name in (omen, *first_up, *chosen_up, *second_up)}
    stacked = {
        "randomizers": [omen, *first_up],
        "Prophecy": [witness.SECOND_DEAL_CARD],
        **dict.fromkeys(SLOTS, chosen_up),
    }
    first = deal(game, languages, ([*chosen, *boxes], players, seed, given_), stacked)
    try:
        again = {"randomizers": [*second_up, *chosen_up], **dict.fromkeys(SLOTS, second_up)}
        return (first, deal_again(game, first, again)) if first else None
    except TooFewCards:
        return None


@settings(max_examples=100 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
@given(dealt=deals, omen=st.sampled_from(OMENS), first=needy_cards, chosen=needy_cards, second=needy_cards)
def test_every_second_deal_obeys_every_law(
    game: Game,
    languages: list[Language],
    dealt: Any,
    omen: str,
    first: list[str],
    chosen: list[str],
    second: list[str],
) -> None:
    """Compare what stays, leaves and comes with an independent calculation from the tables of facts."""
    both = deal_twice(game, languages, dealt, omen, first, chosen, second)
    if both:
        for law in SECOND_LAWS:
            law(*both)


@settings(max_examples=25 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
@given(dealt=deals)
def test_same_options_and_seed_deal_the_same_table(game: Game, languages: list[Language], dealt: Any) -> None:
    assert deal(game, languages, dealt) == deal(game, languages, dealt)


@settings(max_examples=20 * EXAMPLE_FACTOR, suppress_health_check=list(HealthCheck))
@given(dealt=deals, columns=st.integers(20, 200), language=st.sampled_from([0, 1]))
def test_every_document_is_printed_completely(
    game: Game, languages: list[Language], dealt: Any, columns: int, language: int
) -> None:
    """In any language and at any width, the text has everything on the table."""
    setup = deal(game, languages, dealt)
    if setup is None:
        return
    text = render(Page(setup, languages[language]), Style(columns))
    for key in ("piles", "landscapes", "set_aside", "components"):
        for entry in setup[key]:
            assert languages[language].translate_name(entry["name"]) in text
