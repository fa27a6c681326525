"""The veto: which cards stay, what is decided by them, and what happens to wishes, swaps and documents.

`tests/support/vetoes.py` has the law, which `tests/test_laws.py` checks for random tables.
"""

from itertools import pairwise
from typing import Any

import pytest

from randomizer import BadOptions, TooFewCards, UnknownName, deal_setup
from randomizer.cards.game import Game, Request
from randomizer.deal.vetoing import deal_with_veto
from randomizer.load import games
from randomizer.record.build import build_setup, deal_request
from randomizer.record.second_deal import deal_again
from randomizer.setup.document import Setup
from randomizer.setup.replay import build_replay_command, extract_request
from randomizer.text.errors import BadDocument
from randomizer.text.language import Language
from tests.support import get_names, run
from tests.support.vetoes import list_dealt_landscapes, list_kingdom

BASE: Any = {"sets": ["base", "prosperity", "dark-ages", "cornucopia-guilds", "plunder"], "seed": "v"}
TOP = {
    "randomizers": [
        "Expand",
        "Moat",
        "Village",
        "Smithy",
        "Mine",
        "Festival",
        "Market",
        "Bandit",
        "Poacher",
        "Witch",
    ]
}


def deal_stacked(game: Game, *extra: str, vetoed: tuple[str, ...] | None) -> Any:
    """Deal a table with known cards on top, and return it after the veto."""
    request = game.build_request(
        ("base-2e", "prosperity-2e", "dark-ages", "cornucopia-guilds-2e"), 2, "v", {}
    )
    request = request._replace(veto_count=len(extra), vetoed=vetoed)
    return deal_with_veto(game, request, {**TOP, "veto": extra})


def get_names_of(cards: Any) -> list[str]:
    return [card.name for card in cards]


class TestWhichCardsStay:
    def test_colony_and_shelters_are_decided_by_the_ten_that_stay(self, game: Game) -> None:
        table = deal_stacked(game, "Bank", "Rats", vetoed=("Expand", "Bank"))
        assert get_names_of(table.kingdom) == [*TOP["randomizers"][1:], "Rats"]
        assert [(each.card.name, each.answer) for each in table.decisions] == [
            ("Moat", False),
            ("Rats", True),
        ]
        table = deal_stacked(game, "Bank", "Rats", vetoed=("Moat",))
        assert [(each.card.name, each.answer) for each in table.decisions] == [
            ("Expand", True),
            ("Bank", False),
        ]
        assert "Platinum" in table.piles

    def test_choices_are_made_for_the_ten_that_stay_and_never_take_a_vetoed_card(self, game: Game) -> None:
        assert "Bane" not in deal_stacked(game, "Young Witch", vetoed=()).slots
        bane = deal_stacked(game, "Young Witch", vetoed=("Market",)).slots["Bane"]
        assert len(bane) == 1
        request = game.build_request(("cornucopia-guilds-2e",), 2, "v", {})._replace(veto_count=3)
        stacked = {"randomizers": ["Young Witch"], "Bane": bane}
        dealt = get_names_of(deal_with_veto(game, request, stacked).kingdom)
        cheap = [name for name in dealt if str(game.cards[name].cost) in ("$2", "$3")][:3]
        for name in cheap:
            table = deal_with_veto(
                game, request._replace(vetoed=(name,)), {"randomizers": ["Young Witch"], "Bane": [name]}
            )
            assert table.slots["Bane"] != [name] and name not in table.in_use()

    def test_order_of_the_vetoes_does_not_matter(self, game: Game) -> None:
        kingdoms = {
            tuple(get_names_of(deal_stacked(game, "Bank", "Rats", vetoed=vetoed).kingdom))
            for vetoed in (("Moat", "Mine"), ("Mine", "Moat"))
        }
        assert len(kingdoms) == 1

    @pytest.mark.parametrize("setting", [{}, {"landscapes_from": "deck"}, {"landscapes": 0}])
    def test_landscapes_are_those_of_the_deal_without_a_veto(self, game: Game, setting: Any) -> None:
        for seed in map(str, range(8)):
            options: Any = {"sets": ["adventures", "empires"], "seed": seed, **setting}
            plain = deal_setup(game, **options)
            dealt = get_names(deal_setup(game, veto=4, **options)["piles"])
            laid = deal_setup(game, veto=4, vetoed=dealt[:4], **options)
            assert list_dealt_landscapes(laid) == list_dealt_landscapes(plain)
            assert list_kingdom(laid) == dealt[4:]

    def test_fewer_extra_cards_are_the_first_ones(self, game: Game) -> None:
        few, many = (get_names(deal_setup(game, veto=count, **BASE)["piles"]) for count in (2, 5))
        assert many[:12] == few


class TestRefusals:
    def refuse(self, game: Game, **options: Any) -> str:
        with pytest.raises(BadOptions) as caught:
            deal_setup(game, **{**BASE, **options})
        assert caught.value.status == 2
        (line,) = caught.value.render_lines()
        return line

    def test_invalid_vetoes_are_refused_with_one_line(self, game: Game) -> None:
        dealt = get_names(deal_setup(game, veto=1, **BASE)["piles"])
        other = next(card.name for card in game.find_cards(["base-2e"]) if card.name not in dealt)
        assert self.refuse(game, veto=1, vetoed=[other]) == (
            f"{other} can't be vetoed: it is not among the 11 dealt Kingdom cards."
        )
        assert self.refuse(game, veto=1, vetoed=[dealt[0], dealt[0]]) == f"{dealt[0]} is vetoed twice."
        assert self.refuse(game, veto=1, vetoed=dealt[:2]) == (
            "2 cards are vetoed, but this table allows at most 1."
        )

    def test_options_that_make_no_sense_are_refused(self, game: Game) -> None:
        assert "from 0 to 20" in self.refuse(game, veto=21)
        assert self.refuse(game, vetoed=["moat"]) == "--vetoed needs --veto N, the number of extra cards."
        assert "--kingdom" in self.refuse(game, veto=1, kingdom="First Game")
        assert self.refuse(game, veto=1, swap=["moat"]) == "cards can be swapped only after the veto."
        pergamemnon = games.load("pergamemnon")
        with pytest.raises(BadOptions, match="has nothing that can be vetoed"):
            deal_setup(pergamemnon, veto=1, seed="1")
        with pytest.raises(UnknownName):
            deal_setup(game, veto=1, vetoed=["mooat"], **BASE)
        with pytest.raises(TooFewCards, match="30"):
            deal_setup(game, veto=20, sets=["base"])


class TestWishes:
    def test_first_ten_meet_the_wishes_and_extra_cards_keep_maximums(self, game: Game) -> None:
        for seed in map(str, range(10)):
            options: Any = {"sets": ["base"], "want": ["attack=1-2"], "with_": ["witch"], "seed": seed}
            plain = deal_setup(game, **options)
            setup = deal_setup(game, veto=6, **options)
            assert get_names(setup["piles"][:10]) == list_kingdom(plain)
            assert 1 <= sum("Attack" in pile["types"] for pile in setup["piles"]) <= 2

    def test_wishes_that_a_veto_breaks_are_listed(self, game: Game) -> None:
        options: Any = {"sets": ["base"], "with_": ["witch"], "want": ["cost:6=1"], "seed": "1", "veto": 2}
        kept, lost = (deal_setup(game, vetoed=vetoed, **options) for vetoed in ([], ["witch"]))
        assert not any("After the veto" in note["text"]["en"] for note in kept["notes"])
        assert "After the veto, these wishes are not met: --with Witch" in [
            note["text"]["en"] for note in lost["notes"]
        ]

    def test_bans_apply_to_the_extra_cards(self, game: Game) -> None:
        for seed in map(str, range(5)):
            setup = deal_setup(game, sets=["base", "seaside"], without=["attack"], veto=10, seed=seed)
            assert not any("Attack" in pile["types"] for pile in setup["piles"])

    def test_weights_apply_to_the_extra_cards(self, game: Game) -> None:
        counts = dict.fromkeys(("attack=0.001", "attack=1000"), 0)
        for weight in counts:
            for seed in map(str, range(10)):
                setup = deal_setup(
                    game, sets=["base", "seaside", "intrigue"], weight=[weight], veto=2, seed=seed
                )
                counts[weight] += sum("Attack" in pile["types"] for pile in setup["piles"][10:])
        assert counts["attack=0.001"] == 0 and counts["attack=1000"] > 10


class TestLater:
    def test_swaps_after_a_veto_never_draw_a_vetoed_card(self, game: Game) -> None:
        options: Any = {"sets": ["base"], "seed": "s", "veto": 14}
        dealt = get_names(deal_setup(game, **options)["piles"])
        vetoed, stays = dealt[:14], dealt[14:]
        for first, second in pairwise(stays):
            swapped = deal_setup(game, vetoed=vetoed, swap=[first, second], **options)
            new = [name for name in list_kingdom(swapped) if name not in stays]
            assert len(new) == 2 and not {*new} & {*vetoed}
            assert swapped["vetoes"]["vetoed"] is not None

    def test_second_deal_never_draws_a_vetoed_card(self, game: Game, languages: list[Language]) -> None:
        """Rising Sun and Base have 51 Kingdom cards, so that a vetoed card would soon be drawn again."""
        request = game.build_request(("base-2e", "rising-sun"), 2, "d", {})._replace(veto_count=20)
        stacked = {"randomizers": ["Poet"], "Prophecy": ["Divine Wind"]}
        dealt = get_names_of(deal_with_veto(game, request, stacked).kingdom)
        request = request._replace(vetoed=tuple(dealt[1:21]))
        first = build_setup(game, request, deal_with_veto(game, request, stacked), languages)
        assert first["landscapes"][-1]["name"] == "Divine Wind"
        second = deal_again(game, first)
        assert not {*list_kingdom(second)} & {*dealt[1:21]} and second["vetoes"] == first["vetoes"]

    def test_open_veto_is_no_played_game(self, game: Game) -> None:
        result = run("--sets", "base", "--veto", "2", "--seed", "p")
        assert result.exit_code == 0
        played = run("played")
        assert played.exit_code == 2 and "dominion-setup veto" in played.stderr


class TestDocuments:
    def test_command_deals_the_same_document(self, game: Game) -> None:
        dealt = get_names(deal_setup(game, veto=3, **BASE)["piles"])
        for vetoed in (None, [], dealt[:1], dealt[10:]):
            setup = deal_setup(game, veto=3, vetoed=vetoed, **BASE)
            assert build_replay_command(game, setup) == setup["command"]
            again = run(*setup["command"].split()[1:], "--json", "--no-keep")
            assert again.exit_code == 0 and deal_setup(game, veto=3, vetoed=vetoed, **BASE) == setup
            assert again.stdout.strip() == run("show", "-", "--json", input=again.stdout).stdout.strip()
            assert f'"command": "{setup["command"]}"' in again.stdout

    @pytest.mark.parametrize(
        "options",
        [
            {"veto": -1},
            {"veto": 21},
            {"veto": True},
            {"veto": "3"},
            {"veto": None},
            {"veto": 1, "vetoed": "Moat"},
            {"veto": 1, "vetoed": ["No such card"]},
            {"veto": 1, "vetoed": [1]},
            {"vetoed": ["Moat"]},
            {"veto": 0, "vetoed": ["Moat"]},
            {"veto": 1, "kingdom": {"cards": ["Moat"]}},
        ],
    )
    def test_documents_with_invalid_vetoes_are_refused(self, game: Game, options: Any) -> None:
        setup: Setup = deal_setup(game, sets=["base"], seed="1")
        with pytest.raises(BadDocument):
            extract_request(game, {**setup, "options": {**setup["options"], **options}})

    def test_document_that_vetoes_other_cards_is_not_dealt(self, game: Game) -> None:
        setup = deal_setup(game, sets=["base"], veto=1, vetoed=[], seed="1")
        request: Request = extract_request(
            game, {**setup, "options": {**setup["options"], "vetoed": ["Goons"]}}
        )
        with pytest.raises(BadOptions, match="Goons can't be vetoed"):
            deal_request(game, request)
