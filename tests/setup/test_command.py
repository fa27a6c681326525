"""The command that deals a table again, made of what a document says; and which documents have none."""

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from randomizer.cards.effect import Setting
from randomizer.cards.game import Game, Request, Wishes
from randomizer.cards.kingdom import Kingdom, Swap, kingdom_to_json, swaps_to_json
from randomizer.cards.model import MAX_NUMBER
from randomizer.load import games
from randomizer.setup.command import build_command
from randomizer.setup.document import Setup
from randomizer.setup.replay import build_replay_command, extract_files, extract_kingdom, extract_request
from randomizer.text.errors import BadDocument
from tests.support import Deals, find_by_name, run

Changed = Callable[..., Setup]
REFUSED = "the options in this setup don't fit this game."


@pytest.fixture
def changed(deal: Deals) -> Changed:
    """A document of a deal from two boxes, with other options; those that are None are left out."""
    setup = deal.setup(sets=("base-2e", "adventures"), players=3, seed="a b")

    def change(seed: str = "a b", **options: Any) -> Setup:
        said = {**setup["options"], **options}
        kept = {key: value for key, value in said.items() if value is not None}
        return json.loads(json.dumps({**setup, "seed": seed, "options": kept}))  # type: ignore[no-any-return]

    return change


def refused(game: Game, setup: Setup, *, complete: bool = True) -> bool:
    """Whether no deal has the document's options; then it is said, and nothing is offered to copy."""
    said = ""
    try:
        extract_request(game, setup, complete=complete)
    except BadDocument as problem:
        said = str(problem)
    assert said in ("", REFUSED)
    assert not (said and complete) or build_replay_command(game, setup) == ""
    return bool(said)


class TestCommand:
    def test_everything_that_was_asked_for(self, game: Game) -> None:
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

    def test_another_game(self) -> None:
        other = games.load("pergamemnon")
        said = build_command(other, Request(tuple(other.boxes), 3, "1", {}, (), other.name))
        assert said == "dominion-setup --game pergamemnon --players 3 --seed 1"  # it has but one box

    def test_boxes_in_short(self, game: Game) -> None:
        for chosen, sets in {("base-2e",): "base", ("base-1e", "base-2e"): "base-1e,base"}.items():
            assert build_command(game, Request(chosen, 2, "1")) == (
                f"dominion-setup --sets {sets} --players 2 --seed 1"
            )

    def test_what_was_wished_for_named_and_swapped(self, game: Game) -> None:
        wishes = Wishes(("witch", "moat"), ("attack",), ("duration=2", "village"), ("treasure=0.5",), 2)
        kingdom = Kingdom(("Witch", "Moat"), ("Obelisk",), {"Bane": ("Cellar",)}, {"Obelisk": "Witch"})
        swaps = (Swap("Black Market", "Moat"), Swap("Witch"))
        request = Request(("base-2e",), 2, "x", kingdom=kingdom, swaps=swaps, wishes=wishes)
        assert build_command(game, request) == (
            "dominion-setup --sets base --players 2 --with witch,moat --without attack "
            "--want duration=2,village --weight treasure=0.5 --of 2 "
            "--kingdom 'witch, moat, obelisk(witch), bane(cellar)' "
            "--swap black-market=moat --swap witch --seed x"
        )


class TestAgain:
    def test_the_same_as_when_it_was_dealt(self, game: Game, changed: Changed) -> None:
        assert (
            build_replay_command(game, changed())
            == "dominion-setup --sets base,adventures --players 3 --seed 'a b'"
        )

    def test_a_second_deal_follows_the_first(self, game: Game, changed: Changed) -> None:
        setup = changed()
        setup["second_deal"] = {"by": "x", "leaves": [], "boxes": {}, "stays": [], "before": {}}
        line = "dominion-setup --sets base,adventures --players 3 --seed 'a b'"
        assert build_replay_command(game, setup) == f"{line} --json | dominion-setup divine-wind -"

    def test_a_game_without_second_deals(self) -> None:
        text = run("--game", "pergamemnon", "--seed", "1", "--json").stdout
        other, setup = games.load("pergamemnon"), json.loads(text)
        assert build_replay_command(other, setup) == setup["command"]
        setup["second_deal"] = {"by": "x", "leaves": [], "boxes": {}, "stays": [], "before": {}}
        assert build_replay_command(other, setup) == ""

    def test_nothing_that_cannot_be_seen(self, game: Game, changed: Changed) -> None:
        assert build_replay_command(game, changed(seed="a\u202eb")) == ""
        assert build_replay_command(game, changed(seed="暗黒")) == (
            "dominion-setup --sets base,adventures --players 3 --seed '暗黒'"
        )

    def test_files_that_are_not_looked_at(self, game: Game, changed: Changed) -> None:
        """Their sets may be any, and stand as they are; but not where the game already has what they say."""
        setup = changed(cards=["my.yaml"], sets=["base-2e", "garden"])
        assert (
            build_replay_command(game, setup) == ""
        )  # for the document was made with this game's data, and no garden
        setup["generator"]["data"] = "other"
        said = "dominion-setup --sets base-2e,garden --players 3 --cards my.yaml --seed 'a b'"
        assert build_replay_command(game, setup) == said
        assert build_replay_command(game, changed(cards=["my.yaml"])) == (
            "dominion-setup --sets base,adventures --players 3 --cards my.yaml --seed 'a b'"
        )
        other = changed()
        other["generator"]["data"] = "other"  # which by itself means another edition of the program
        assert (
            build_replay_command(game, other)
            == "dominion-setup --sets base,adventures --players 3 --seed 'a b'"
        )


class TestRequest:
    def test_it_is_what_was_dealt(self, game: Game, changed: Changed) -> None:
        setup = changed(landscapes=3, cards=["a.yaml", "b.yaml"])
        expected = Request(("base-2e", "adventures"), 3, "a b", {"landscapes": 3}, ("a.yaml", "b.yaml"), "")
        assert extract_request(game, setup) == expected
        assert extract_request(game, changed(game="dominion")).game == "dominion"

    def test_what_was_wished_for_named_and_swapped(self, game: Game, changed: Changed) -> None:
        kingdom = Kingdom(("Witch",), ("Alms",), {"Bane": ("Moat",)}, {"Obelisk": "Witch"})
        wishes = Wishes(("witch",), ("village",), ("attack=2",), ("duration=2",), 2)
        swaps = (Swap("Witch"), Swap("Moat", "Page"))
        setup = changed(
            kingdom=kingdom_to_json(kingdom),
            swap=swaps_to_json(swaps),
            **wishes.to_options(),
            landscapes=3,
            players=2,
        )
        settings = {"landscapes": 3}
        assert extract_request(game, setup) == Request(
            ("base-2e", "adventures"), 2, "a b", settings, (), "", kingdom, swaps, wishes
        )

    def test_the_document_stays_as_it_is(self, game: Game, changed: Changed) -> None:
        setup = changed(cards=["a.yaml"], landscapes=1)
        before = json.dumps(setup)
        extract_request(game, setup)
        assert json.dumps(setup) == before

    def test_what_holds_anyway_is_left_out(self, game: Game, changed: Changed) -> None:
        assert extract_request(game, changed(colony_by="first-card")).settings == {}

    @pytest.mark.parametrize(
        ("options", "fits"),
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
            ({"shelters": True, "shelters_by": "random-card"}, False),  # which contradict each other
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
            ({"want": ["duration = 2"]}, False),  # no deal writes it so
            ({"want": ["nonsense"]}, False),
            ({"want": ["duration=x"]}, False),
            ({"want": "duration"}, False),
            ({"want": [2]}, False),
            ({"with": ["Witch"]}, False),
            ({"with": ["attack"]}, False),
            ({"with": None}, True),
            ({"with": {"witch": 1}}, False),
            ({"weight": ["attack=0"]}, False),
            ({"kingdom": {"cards": ["Witch", "Moat"], "landscapes": ["Alms"]}}, True),
            ({"kingdom": {"chosen": {"Bane": ["Moat"]}, "on": {"Obelisk": "Witch"}}}, True),
            ({"kingdom": {"cards": ["Nobody"]}}, False),
            ({"kingdom": {"cards": ["Alms"]}}, False),
            ({"kingdom": {"landscapes": ["Witch"]}}, False),
            ({"kingdom": {"chosen": {"Bane": ["Nobody"]}}}, False),
            ({"kingdom": {"on": {"Obelisk": "Alms"}}}, False),
            ({"kingdom": {"on": {"Nobody": "Witch"}}}, False),
            ({"kingdom": "witch"}, False),
            ({"swap": [{"goes": "Witch"}, {"goes": "Moat", "comes": "Page"}]}, True),
            ({"swap": []}, True),
            ({"swap": [{"goes": "Nobody"}]}, False),
            ({"swap": [{"goes": "Witch", "comes": "Nobody"}]}, False),
            ({"swap": "Witch"}, False),
        ],
    )
    def test_each_option(self, game: Game, changed: Changed, options: dict[str, Any], fits: bool) -> None:
        assert refused(game, changed(**options)) != fits

    def test_a_seed_there_has_to_be(self, game: Game, changed: Changed) -> None:
        assert refused(game, changed(seed=""))

    def test_only_the_default_game_may_go_without_its_name(self) -> None:
        other = games.load("pergamemnon")
        setup = json.loads(run("--game", "pergamemnon", "--seed", "1", "--json").stdout)
        assert extract_request(other, setup).game == "pergamemnon"
        del setup["options"]["game"]
        assert refused(other, setup)


class TestFiles:
    def test_none(self, changed: Changed) -> None:
        assert extract_files(changed()) == []

    def test_some(self, changed: Changed) -> None:
        assert extract_files(changed(cards=["a.yaml", "b c"])) == ["a.yaml", "b c"]

    @pytest.mark.parametrize("cards", ["a.yaml", [1], ["a", None], ["a\0b"], {"a": 1}])
    def test_names_they_have_to_be(self, game: Game, changed: Changed, cards: Any) -> None:
        with pytest.raises(BadDocument) as raised:
            extract_files(changed(cards=cards))
        assert str(raised.value) == REFUSED
        assert build_replay_command(game, changed(cards=cards)) == ""

    @pytest.mark.parametrize(
        ("options", "could_be"),
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
            ({"landscapes": True}, False),  # what is known of has to fit all the same
            ({"want": ["fine-weather=2 and not rain"]}, True),
            ({"want": ["fine; rain"]}, False),
            ({"with": ["nobody"]}, True),
            ({"with": [""]}, False),
            ({"kingdom": {"cards": ["Nobody"]}}, True),
            ({"kingdom": {"cards": [";"]}}, False),
            ({"swap": [{"goes": "Nobody"}]}, True),
            ({"swap": [{"goes": ";"}]}, False),
        ],
    )
    def test_without_them_whatever_could_be_a_name_is_one(
        self, game: Game, changed: Changed, options: dict[str, Any], could_be: bool
    ) -> None:
        setup = changed(cards=["my.yaml"], **options)
        assert refused(game, setup, complete=False) != could_be
        setup["generator"]["data"] = "other"
        line = build_replay_command(game, setup)
        assert bool(line) == could_be
        for option in set(options) - {"sets"} if could_be else ():
            assert f"--{option.replace('_', '-')}" in shlex.split(line)


class TestKingdomOn:
    """Everything on a table that setup may leave to chance, as a kingdom that names it."""

    def test_what_was_turned_up_chosen_and_marked(self, deal: Deals) -> None:
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

    def test_of_a_plain_table_nothing_else(self, deal: Deals) -> None:
        setup = deal.setup(sets=("base-2e",))
        assert extract_kingdom(deal.game, setup)[1:] == ((), {}, {})
