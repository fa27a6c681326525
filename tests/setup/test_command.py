"""The command that deals the table of a document again, and the documents without one."""

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from randomizer import deal_setup
from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, Swap, kingdom_to_json, swaps_to_json
from randomizer.cards.model import MAX_NUMBER
from randomizer.load import games
from randomizer.setup.command import build_command
from randomizer.setup.document import Setup
from randomizer.setup.replay import build_replay_command, extract_files, extract_kingdom, extract_request
from randomizer.text.errors import BadDocument
from tests.support import Deals, find_by_name, run
from tests.support.wish_texts import WishTexts

ChangeSetup = Callable[..., Setup]
REFUSED = "the options in this setup don't fit this game."


@pytest.fixture
def change_setup(deal: Deals) -> ChangeSetup:
    """Return a function that changes the options of a document; the value None removes an option."""
    setup = deal.setup(sets=("base-2e", "adventures"), players=3, seed="a b")

    def change(seed: str = "a b", **options: Any) -> Setup:
        merged = {**setup["options"], **options}
        kept = {key: value for key, value in merged.items() if value is not None}
        return json.loads(json.dumps({**setup, "seed": seed, "options": kept}))  # type: ignore[no-any-return]

    return change


def is_refused(game: Game, setup: Setup, *, complete: bool = True) -> bool:
    """Return whether the document's options are refused, and check that it then has no replay command."""
    fault = ""
    try:
        extract_request(game, setup, has_user_files=complete)
    except BadDocument as problem:
        fault = str(problem)
    assert fault in ("", REFUSED)
    assert not (fault and complete) or build_replay_command(game, setup) == ""
    return bool(fault)


class TestCommand:
    def test_command_has_every_requested_option(self, game: Game) -> None:
        settings: dict[str, Setting] = {
            "landscapes": 3,
            "colony": True,
            "shelters": False,
            "landscapes_from": "deck",
        }
        request = Request(("base-1e", "adventures"), 4, "it's", settings, ("my cards.yaml", "b.yaml"))
        assert build_command(game, request) == (
            "dominion-setup --sets base-1e,adventures --players 4 --landscapes 3 --colony --no-shelters "
            "--landscapes-from deck --cards 'my cards.yaml' --cards b.yaml --seed 'it'\"'\"'s'"
        )

    def test_command_names_another_game_but_not_its_only_box(self) -> None:
        other = games.load("pergamemnon")
        command = build_command(other, Request(tuple(other.boxes), 3, "1", {}, (), other.name))
        assert command == "dominion-setup --game pergamemnon --players 3 --seed 1"  # It has only one box.

    def test_command_omits_the_newest_edition_of_a_box(self, game: Game) -> None:
        for chosen, sets in {("base-2e",): "base", ("base-1e", "base-2e"): "base-1e,base"}.items():
            assert build_command(game, Request(chosen, 2, "1")) == (
                f"dominion-setup --sets {sets} --players 2 --seed 1"
            )

    def test_command_omits_settings_that_a_kingdom_implies(self, game: Game) -> None:
        settings: dict[str, Setting] = {"colony_by": "random-card", "shelters": False}
        request = Request(("base-2e",), 2, "x", settings)
        assert "--colony-by random-card --no-shelters" in build_command(game, request)
        command = build_command(game, request._replace(kingdom=Kingdom(("Witch",))))
        assert command == "dominion-setup --sets base --players 2 --no-shelters --kingdom witch --seed x"

    def test_command_of_a_kingdom_deals_the_same_table_again(self, game: Game) -> None:
        typed = "Ferryman (Castles), Young Witch, Way of the Mouse (Chapel), Obelisk"
        setup = deal_setup(game, kingdom=typed, seed="9")
        again = shlex.split(setup["command"])
        kingdom = again[again.index("--kingdom") + 1]
        assert kingdom == "ferryman(castles), young-witch, way-of-the-mouse(chapel), obelisk"
        assert not any(word.endswith("-by") for word in again)
        repeated = deal_setup(game, sets=[again[again.index("--sets") + 1]], kingdom=kingdom, seed="9")
        assert repeated == setup

    def test_command_has_wishes_kingdom_and_swaps(self, game: Game) -> None:
        wishes = WishTexts(
            ("witch", "moat"), ("attack",), ("duration=2", "village"), ("treasure=0.5",), 2
        ).parse(game)
        kingdom = Kingdom(("Witch", "Moat"), ("Obelisk",), {"Bane": ("Cellar",)}, {"Obelisk": "Witch"})
        swaps = (Swap("Black Market", "Moat"), Swap("Witch"))
        settings = {"colony_by": "random-card", "shelters_by": "random-card"}
        request = Request(("base-2e",), 2, "x", settings, kingdom=kingdom, swaps=swaps, wishes=wishes)
        assert build_command(game, request) == (
            "dominion-setup --sets base --players 2 --with witch,moat --without attack "
            "--want duration=2,village --weight treasure=0.5 --of 2 "
            "--kingdom 'witch, moat, obelisk(witch), bane(cellar)' "
            "--swap black-market=moat --swap witch --seed x"
        )


class TestReplayCommand:
    def test_replay_command_is_that_of_the_deal(self, game: Game, change_setup: ChangeSetup) -> None:
        assert (
            build_replay_command(game, change_setup())
            == "dominion-setup --sets base,adventures --players 3 --seed 'a b'"
        )

    def test_replay_command_of_a_second_deal_pipes_the_first(
        self, game: Game, change_setup: ChangeSetup
    ) -> None:
        setup = change_setup()
        setup["second_deal"] = {"by": "x", "leaves": [], "kept_counts": {}}
        line = "dominion-setup --sets base,adventures --players 3 --seed 'a b'"
        assert build_replay_command(game, setup) == f"{line} --json | dominion-setup divine-wind -"

    def test_second_deal_of_a_game_without_one_has_no_replay_command(self) -> None:
        text = run("--game", "pergamemnon", "--seed", "1", "--json").stdout
        other, setup = games.load("pergamemnon"), json.loads(text)
        assert build_replay_command(other, setup) == setup["command"]
        setup["second_deal"] = {"by": "x", "leaves": [], "kept_counts": {}}
        assert build_replay_command(other, setup) == ""

    def test_invisible_character_prevents_a_replay_command(
        self, game: Game, change_setup: ChangeSetup
    ) -> None:
        assert build_replay_command(game, change_setup(seed="a\u202eb")) == ""
        assert build_replay_command(game, change_setup(seed="暗黒")) == (
            "dominion-setup --sets base,adventures --players 3 --seed '暗黒'"
        )

    def test_unread_files_may_define_sets_of_other_data(self, game: Game, change_setup: ChangeSetup) -> None:
        """Their sets are kept as they are, unless the document was made with the data of this game."""
        setup = change_setup(files=["my.yaml"], sets=["base-2e", "garden"])
        assert (
            build_replay_command(game, setup) == ""
        )  # The document was made with the data of this game, which has no such set.
        setup["generator"]["data"] = "other"
        command = "dominion-setup --sets base-2e,garden --players 3 --cards my.yaml --seed 'a b'"
        assert build_replay_command(game, setup) == command
        assert build_replay_command(game, change_setup(files=["my.yaml"])) == (
            "dominion-setup --sets base,adventures --players 3 --cards my.yaml --seed 'a b'"
        )
        other = change_setup()
        other["generator"]["data"] = (
            "other"  # Other data without files come from another version of the program.
        )
        assert (
            build_replay_command(game, other)
            == "dominion-setup --sets base,adventures --players 3 --seed 'a b'"
        )


class TestRequest:
    def test_request_of_a_document_is_that_of_the_deal(self, game: Game, change_setup: ChangeSetup) -> None:
        setup = change_setup(landscapes=3, files=["a.yaml", "b.yaml"])
        expected = Request(("base-2e", "adventures"), 3, "a b", {"landscapes": 3}, ("a.yaml", "b.yaml"), "")
        assert extract_request(game, setup) == expected
        assert extract_request(game, change_setup(game="dominion")).game == "dominion"

    def test_request_has_wishes_kingdom_and_swaps(self, game: Game, change_setup: ChangeSetup) -> None:
        kingdom = Kingdom(("Witch",), ("Alms",), {"Bane": ("Moat",)}, {"Obelisk": "Witch"})
        wishes = WishTexts(("witch",), ("village",), ("attack=2",), ("duration=2",), 2).parse(game)
        swaps = (Swap("Witch"), Swap("Moat", "Page"))
        setup = change_setup(
            named_kingdom=kingdom_to_json(kingdom),
            swap=swaps_to_json(swaps),
            **wishes.to_options(),
            landscapes=3,
            players=2,
        )
        settings = {"landscapes": 3}
        assert extract_request(game, setup) == Request(
            ("base-2e", "adventures"), 2, "a b", settings, (), "", kingdom, swaps, wishes
        )

    def test_extracting_a_request_does_not_change_the_document(
        self, game: Game, change_setup: ChangeSetup
    ) -> None:
        setup = change_setup(files=["a.yaml"], landscapes=1)
        before = json.dumps(setup)
        extract_request(game, setup)
        assert json.dumps(setup) == before

    def test_request_omits_settings_with_default_values(self, game: Game, change_setup: ChangeSetup) -> None:
        assert extract_request(game, change_setup(colony_by="first-card")).settings == {}

    @pytest.mark.parametrize(
        ("options", "is_valid"),
        [
            ({"landscapes": 0}, True),
            ({"landscapes": MAX_NUMBER}, True),
            ({"landscapes": -1}, False),
            ({"landscapes": MAX_NUMBER + 1}, False),
            ({"landscapes": True}, False),
            ({"black_market": 1}, True),
            ({"black_market": 0}, False),
            ({"landscapes_from": "deck"}, True),
            ({"landscapes_from": "randomizers"}, False),
            ({"colony": True}, True),
            ({"colony": 1}, False),
            ({"shelters": False}, True),
            ({"shelters": "no"}, False),
            ({"colony_by": "random-card"}, True),
            ({"colony_by": "last-card"}, False),
            ({"shelters_by": "random-card"}, True),
            ({"shelters": True, "shelters_by": "random-card"}, False),  # These two contradict each other.
            ({"weather": True}, False),
            ({"players": 2}, True),
            ({"players": 6}, True),
            ({"players": 1}, False),
            ({"players": 7}, False),
            ({"players": 3.0}, False),
            ({"players": True}, False),
            ({"players": None}, False),
            ({"sets": ["base-2e", "envoy"]}, True),
            ({"sets": ["base-2e", "nonsense"]}, False),
            ({"sets": "base-2e"}, False),
            ({"sets": []}, False),
            ({"sets": [1]}, False),
            ({"sets": None}, False),
            ({"game": "dominion"}, True),
            ({"game": ""}, True),
            ({"game": "pergamemnon"}, False),
            ({"with": ["witch"], "without": ["attack"], "want": ["duration=2"]}, True),
            ({"weight": ["attack=0.5"], "of": 2}, True),
            ({"of": MAX_NUMBER}, True),
            ({"of": 0}, True),
            ({"of": MAX_NUMBER + 1}, False),
            ({"of": -1}, False),
            ({"of": True}, False),
            ({"of": "2"}, False),
            ({"want": ["duration = 2"]}, False),  # This is not the canonical form.
            ({"want": ["nonsense"]}, False),
            ({"want": ["duration=x"]}, False),
            ({"want": "duration"}, False),
            ({"want": [2]}, False),
            ({"with": ["Witch"]}, False),
            ({"with": ["attack"]}, False),
            ({"with": None}, True),
            ({"with": {"witch": 1}}, False),
            ({"weight": ["attack=0"]}, False),
            ({"named_kingdom": {"cards": ["Witch", "Moat"], "landscapes": ["Alms"]}}, True),
            ({"named_kingdom": {"chosen": {"Bane": ["Moat"]}, "on": {"Obelisk": "Witch"}}}, True),
            ({"named_kingdom": {"cards": ["Nobody"]}}, False),
            ({"named_kingdom": {"cards": ["Alms"]}}, False),
            ({"named_kingdom": {"landscapes": ["Witch"]}}, False),
            ({"named_kingdom": {"chosen": {"Bane": ["Nobody"]}}}, False),
            ({"named_kingdom": {"on": {"Obelisk": "Alms"}}}, False),
            ({"named_kingdom": {"on": {"Nobody": "Witch"}}}, False),
            ({"named_kingdom": "witch"}, False),
            ({"swap": [{"goes": "Witch"}, {"goes": "Moat", "comes": "Page"}]}, True),
            ({"swap": []}, True),
            ({"swap": [{"goes": "Nobody"}]}, False),
            ({"swap": [{"goes": "Witch", "comes": "Nobody"}]}, False),
            ({"swap": "Witch"}, False),
        ],
    )
    def test_invalid_option_is_refused(
        self, game: Game, change_setup: ChangeSetup, options: dict[str, Any], is_valid: bool
    ) -> None:
        assert is_refused(game, change_setup(**options)) != is_valid

    def test_empty_seed_is_refused(self, game: Game, change_setup: ChangeSetup) -> None:
        assert is_refused(game, change_setup(seed=""))

    def test_other_game_without_its_name_is_refused(self) -> None:
        other = games.load("pergamemnon")
        setup = json.loads(run("--game", "pergamemnon", "--seed", "1", "--json").stdout)
        assert extract_request(other, setup).game == "pergamemnon"
        del setup["options"]["game"]
        assert is_refused(other, setup)


class TestFiles:
    def test_document_without_files_has_no_files(self, change_setup: ChangeSetup) -> None:
        assert extract_files(change_setup()) == []

    def test_document_with_files_lists_them(self, change_setup: ChangeSetup) -> None:
        assert extract_files(change_setup(files=["a.yaml", "b c"])) == ["a.yaml", "b c"]

    @pytest.mark.parametrize("cards", ["a.yaml", [1], ["a", None], ["a\0b"], {"a": 1}])
    def test_files_that_are_not_names_are_refused(
        self, game: Game, change_setup: ChangeSetup, cards: Any
    ) -> None:
        with pytest.raises(BadDocument) as raised:
            extract_files(change_setup(files=cards))
        assert str(raised.value) == REFUSED
        assert build_replay_command(game, change_setup(files=cards)) == ""

    @pytest.mark.parametrize(
        ("options", "is_possible"),
        [
            ({"sets": ["garden-party"]}, True),
            ({"sets": ["Garden Party"]}, False),
            ({"sets": [""]}, False),
            ({"weather": True}, True),
            ({"weather": 0}, True),
            ({"weather": MAX_NUMBER}, True),
            ({"weather": "fine-and-dry"}, True),
            ({"weather": -1}, False),
            ({"weather": MAX_NUMBER + 1}, False),
            ({"weather": 0.5}, False),
            ({"weather": ""}, False),
            ({"weather": "fine; dry"}, False),
            ({"weather": ["fine"]}, False),
            ({"bad weather": True}, False),
            ({"bad_weather": True}, True),
            ({"Weather": True}, False),
            ({"landscapes": True}, False),  # A known option must still be valid.
            ({"want": ["fine-weather=2 and not rain"]}, True),
            ({"want": ["fine; rain"]}, False),
            ({"with": ["nobody"]}, True),
            ({"with": [""]}, False),
            ({"named_kingdom": {"cards": ["Nobody"]}}, True),
            ({"named_kingdom": {"cards": [";"]}}, False),
            ({"swap": [{"goes": "Nobody"}]}, True),
            ({"swap": [{"goes": ";"}]}, False),
        ],
    )
    def test_unknown_option_is_accepted_for_unread_files_if_it_could_be_valid(
        self, game: Game, change_setup: ChangeSetup, options: dict[str, Any], is_possible: bool
    ) -> None:
        setup = change_setup(files=["my.yaml"], **options)
        assert is_refused(game, setup, complete=False) != is_possible
        setup["generator"]["data"] = "other"
        line = build_replay_command(game, setup)
        assert bool(line) == is_possible
        for option in set(options) - {"sets"} if is_possible else ():
            assert f"--{option.removeprefix('named_').replace('_', '-')}" in shlex.split(line)


class TestKingdom:
    """The kingdom that names everything on a table that setup may choose at random."""

    def test_kingdom_has_cards_turned_up_choices_and_marks(self, deal: Deals) -> None:
        cards = ("Young Witch", "Ferryman", "Black Market", "Druid", "Underling", "Riverboat")
        setup = deal.setup(
            *cards,
            *("Obelisk", "Alms", "Quest"),
            *("Smithy", "Village", "Laboratory", "Market"),
            stacked={
                "Bane": ["Cellar"],
                "Ferryman": ["Gardens"],
                "Ally": ["Coastal Haven"],
                "Riverboat": ["Witch"],
            },
            black_market=3,
        )
        kingdom = extract_kingdom(deal.game, setup)
        assert kingdom.cards == (*cards, "Smithy", "Village", "Laboratory", "Market")
        assert kingdom.landscapes == ("Obelisk", "Alms")
        assert kingdom.on == {"Obelisk": find_by_name(setup["landscapes"], "Obelisk")["on"]}
        (deck,) = [deck for deck in setup["decks"] if deck["name"] == "Black Market deck"]
        (boons,) = [deck for deck in setup["decks"] if deck["name"] == "Boons"]
        assert kingdom.chosen == {
            "Bane": ("Cellar",),
            "Ferryman": ("Gardens",),
            "Ally": ("Coastal Haven",),
            "Riverboat": ("Witch",),
            "Black Market deck": tuple(deck["cards"]),
            "Boons, face up": tuple(boons["face_up"]),
        }

    def test_kingdom_of_a_simple_table_has_only_cards(self, deal: Deals) -> None:
        setup = deal.setup(sets=("base-2e",))
        assert extract_kingdom(deal.game, setup)[1:] == ((), {}, {})


def test_table_with_too_few_cards_is_reported_first_and_is_a_success() -> None:
    result = run("--sets", "promos", "--seed", "a")
    assert result.exit_code == 0
    assert result.stdout.split("\n\n")[1].startswith("Missing\n Black Market needs unused cards: 15 required")
