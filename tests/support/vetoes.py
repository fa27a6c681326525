"""Random tables with a veto, and the laws of a veto: the first dealt cards that nobody vetoed stay."""

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import Any

from randomizer import deal_setup
from randomizer.cards.game import Game, Request
from randomizer.load.languages import load_several
from randomizer.record.build import build_setup, deal_request
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_request
from randomizer.text.errors import BadOptions
from tests.support import get_names
from tests.support.laws import CARD_FACTS, LAWS, PILES_BY_MEMBER, check_every_choice_is_made_or_missing

BANS = ("attack", "duration", "village", "junking")
WANTS = ("village", "attack=1-2", "trashing=1-", "draw", "defence if attack", "treasure=-2")
_TABLE_LISTS = ("decks", "set_aside", "components", "placed", "starting_deck", "trash", "boxed", "decisions")


class VetoDeal:
    """A random table, dealt without a veto, with an open veto, and after random vetoes.

    The number of the deal determines the table and the vetoes, on every machine.

    Attributes:
        without_veto: the document of the same deal without a veto.
        open_veto: the document with all dealt cards.
        vetoed: the names of the vetoed cards, in the order of the vetoes.
    """

    def __init__(self, number: int, request: Request, game: Game) -> None:
        rng = Random(f"veto {number}")
        self.game = game
        self.count = rng.choice((1, 2, 3, 3, 4, 6, 12))
        settings: Any = {
            "sets": request.chosen,
            "players": request.players,
            "seed": request.seed,
            **request.settings,
        }
        kingdom = [row for row in CARD_FACTS.values() if row["kind"] == "kingdom"]
        if rng.random() < 0.3:
            settings["without"] = [rng.choice(BANS)]
        if rng.random() < 0.3:
            settings["want"] = rng.sample(WANTS, rng.choice((1, 2)))
        if rng.random() < 0.2:
            available = [row["name"] for row in kingdom if {*row["boxes"].split(";")} & {*request.chosen}]
            settings["with_"] = rng.sample(available, min(2, len(available)))
        self.with_ = settings.get("with_", ())
        self.without_veto = deal_setup(game, **settings)
        self.open_veto = deal_setup(game, veto=self.count, **settings)
        self.dealt = get_names(self.open_veto["piles"])
        self.vetoed = rng.sample(self.dealt, rng.randint(0, min(self.count, len(self.dealt))))
        self.deal: Callable[[list[str]], Setup] = lambda vetoed: deal_setup(
            game, veto=self.count, vetoed=vetoed, **settings
        )

    @cached_property
    def after_veto(self) -> Setup:
        """The document after the veto. The random vetoes are valid, so the table can always be dealt."""
        return self.deal(self.vetoed)


def find_veto_faults(deal: VetoDeal) -> Iterator[str]:
    """Yield the laws of a veto that a deal violates."""
    command = deal.after_veto["command"]
    for law in (
        check_open_table,
        check_first_cards_stay,
        check_vetoed_cards_are_gone,
        check_decisions_are_about_the_cards_that_stay,
        check_unmet_wishes_are_reported,
        check_invalid_vetoes_are_refused,
    ):
        try:
            law(deal)
        except Exception as problem:
            yield f"{law.__name__}: {command}: {problem!r}"
    for setup_law in LAWS:
        # With bans, a choice may have no card left; remarks on wishes have no cause.
        is_applicable = setup_law is not check_every_choice_is_made_or_missing or "without" not in command
        notes = [
            note for note in deal.after_veto["notes"] if not note["text"]["en"].startswith("After the veto")
        ]
        try:
            if is_applicable:
                setup_law({**deal.after_veto, "notes": notes})
        except Exception as problem:
            yield f"{setup_law.__name__}: {command}: {problem!r}"
    for setup in (deal.open_veto, deal.after_veto):
        request = extract_request(deal.game, setup)
        languages = load_several(setup["languages"], deal.game)
        if build_setup(deal.game, request, deal_request(deal.game, request), languages) != setup:
            yield f"dealt again, the table is another one: {setup['command']}"


def check_open_table(deal: VetoDeal) -> None:
    """Check that an open veto lists the cards of the same deal and the extra cards, and nothing else."""
    setup: Any = deal.open_veto
    assert setup["vetoes"] == {"max_count": deal.count, "vetoed": None}
    assert len(deal.dealt) == len(set(deal.dealt)) == 10 + deal.count
    assert deal.dealt[:10] == list_kingdom(deal.without_veto)
    assert get_names(setup["landscapes"]) == list_dealt_landscapes(deal.without_veto)
    assert not any(setup[key] for key in _TABLE_LISTS)
    assert setup["checklist"][0]["title"]["en"] == f"Veto {deal.count}"
    assert [item["name"] for item in setup["checklist"][0]["items"]] == deal.dealt


def check_first_cards_stay(deal: VetoDeal) -> None:
    """Check that the Kingdom is the first ten dealt cards that nobody vetoed, with the same landscapes."""
    expected = [name for name in deal.dealt if name not in deal.vetoed][:10]
    assert list_kingdom(deal.after_veto) == expected
    piles = [pile["name"] for pile in deal.after_veto["piles"] if pile["place"] == "kingdom"]
    assert piles[:10] == expected
    assert list_dealt_landscapes(deal.after_veto) == list_dealt_landscapes(deal.without_veto)
    if not deal.vetoed:
        differing_keys = ("command", "options", "vetoes")
        assert {key: value for key, value in deal.after_veto.items() if key not in differing_keys} == {
            key: value for key, value in deal.without_veto.items() if key not in differing_keys
        }


def check_vetoed_cards_are_gone(deal: VetoDeal) -> None:
    """Check that the document lists the vetoes, and that no vetoed card is used for another purpose."""
    assert deal.after_veto["vetoes"]["vetoed"] == deal.vetoed
    used = [*get_names(deal.after_veto["piles"]), *get_names(deal.after_veto["set_aside"])]
    used += [name for deck in deal.after_veto["decks"] for name in (*deck["cards"], *deck["face_up"])]
    assert not {PILES_BY_MEMBER.get(name, "") or name for name in used} & {*deal.vetoed}


def check_decisions_are_about_the_cards_that_stay(deal: VetoDeal) -> None:
    """Check that Colony and Shelters depend on the first and the tenth card that stays, unless set."""
    kingdom, options = list_kingdom(deal.after_veto), deal.after_veto["options"]
    for decision, option, name, set_ in zip(
        deal.after_veto["decisions"],
        ("colony", "shelters"),
        (kingdom[0], kingdom[-1]),
        ("prosperity", "dark-ages"),
        strict=True,
    ):
        if option in options:
            assert decision["answer"] == options[option] and decision["decided_by"] is None
            continue
        if f"{option}_by" not in options:
            assert decision["decided_by"] == name
        assert decision["decided_by"] in kingdom
        assert decision["answer"] == (CARD_FACTS[decision["decided_by"]]["set"] == set_)


def check_unmet_wishes_are_reported(deal: VetoDeal) -> None:
    """Check that a note names each required card that the veto has removed."""
    texts = "\n".join(
        note["text"]["en"] for note in deal.after_veto["notes"] if "After the veto" in note["text"]["en"]
    )
    for card in deal.with_:
        assert (card not in list_kingdom(deal.after_veto)) == (
            f"--with {card}" in texts.replace(",", "").split("\n")[0]
        )
    assert not texts or deal.vetoed


def check_invalid_vetoes_are_refused(deal: VetoDeal) -> None:
    """Check that cards that were not dealt, repeated vetoes and too many vetoes are refused."""
    others = next(
        name for name, row in CARD_FACTS.items() if row["kind"] == "kingdom" and name not in deal.dealt
    )
    for vetoed in ([others], [deal.dealt[-1], deal.dealt[-1]], deal.dealt[: deal.count + 1]):
        try:
            deal.deal(vetoed)
        except BadOptions:
            continue
        raise AssertionError(f"accepted: {vetoed}")


def list_kingdom(setup: Setup) -> list[str]:
    """Return the names of the Kingdom cards that were dealt and are used, in order."""
    return [turned["name"] for turned in setup["turned"] if turned["use"] == "kingdom"]


def list_dealt_landscapes(setup: Setup) -> list[str]:
    """Return the names of the landscapes that were dealt and are used, in the order of the document."""
    dealt = {turned["name"] for turned in setup["turned"] if turned["use"] == "landscape"}
    return [name for name in get_names(setup["landscapes"]) if name in dealt]
