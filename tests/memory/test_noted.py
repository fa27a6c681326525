"""What is noted of a game: from its document, bounded, visible; exchanged as JSON and CSV, and found."""

import csv
import io
import json
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.memory import exchange
from randomizer.memory.finding import fitting
from randomizer.memory.noted import PlayedGame, checked, day, facts, played_game, scores
from randomizer.text.errors import BadDocument, BadOptions, NoResult
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.nasty import CONTROLS, NUMBERS, UNSEEN, raw

GAME = PlayedGame(
    "k", "2026-11-22", (("A", 3),), 4, "note", "dominion", "s", {"players": 2}, ("Moat",), (), ()
)
texts = st.text(max_size=30)
names = st.text(min_size=1, max_size=6).filter(  # which are longer once all of them can be seen
    lambda name: not set(name) & set(",、，=＝") and name.strip() == name
)
games = st.builds(
    lambda **said: checked(said),
    key=st.text(min_size=1, max_size=8),
    date=st.dates().map(str),
    players=st.lists(
        st.fixed_dictionaries({"name": names, "score": st.none() | st.integers(-99, 999)}),
        max_size=4,
        unique_by=lambda player: player["name"],
    ),
    rating=st.none() | st.integers(1, 5),
    note=texts,
    game=st.text(min_size=1, max_size=8),
    seed=texts,
    options=st.dictionaries(texts, texts | st.integers() | st.lists(texts, max_size=2), max_size=3),
    kingdom=st.lists(st.text(min_size=1, max_size=8), max_size=4),
    landscapes=st.lists(st.text(min_size=1, max_size=8), max_size=2),
    others=st.lists(st.text(min_size=1, max_size=8), max_size=2),
)


class TestOfATable:
    def test_its_kingdom_landscapes_and_what_was_chosen(self, deal: Deals) -> None:
        setup = deal.setup("Young Witch", "Ferryman", "Way of the Mouse", seed="x")
        noted = played_game(setup)
        piles = {pile["name"]: pile for pile in setup["piles"]}
        assert set(noted.kingdom) == {name for name, pile in piles.items() if pile["place"] == "kingdom"}
        (ferried,) = [name for name, pile in piles.items() if "Ferryman" in pile["marks"]]
        assert ferried in noted.others and "Way of the Mouse" in noted.landscapes
        assert {card["name"] for card in setup["set_aside"]} <= set(noted.others)
        assert not set(noted.cards) & {"Copper", "Province", "Curse"}
        assert (noted.seed, noted.options) == (setup["seed"], setup["options"])

    def test_not_a_deck_of_which_one_sees_a_few(self, deal: Deals) -> None:
        setup = deal.setup("Black Market", seed="x")
        (deck,) = setup["decks"]
        assert not set(deck["cards"]) & set(played_game(setup).cards)

    def test_a_kingdom_that_was_replaced_too(self, deal: Deals) -> None:
        setup = deal.setup("Moat", seed="x")
        after = {**setup, "second_deal": {"by": "x", "leaves": ["Militia", "Mine"], "stays": []}}
        noted = played_game(after)  # type: ignore[arg-type]
        assert {"Militia", "Mine", "Moat"} <= set(noted.kingdom)

    def test_the_same_table_twice_is_two_games(self, deal: Deals) -> None:
        setup = deal.setup("Moat", seed="x")
        assert played_game(setup).key != played_game(setup).key


class TestWhatIsTyped:
    @pytest.mark.parametrize(
        ("typed", "meant"),
        [
            ("", ()),
            ("A=32,B=28", (("A", 32), ("B", 28))),
            (" Ann Lee = 32 , Bob ", (("Ann Lee", 32), ("Bob", None))),
            ("花子＝３２、太郎＝-3", (("花子", 32), ("太郎", -3))),
            ("A=−4", (("A", -4),)),
        ],
    )
    def test_players(self, typed: str, meant: Any) -> None:
        assert scores(typed) == meant

    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("A=32,,B", "named like A=32,B=28"),
            ("=3", "named like"),
            ("A=3=4", "named like"),
            ("A=x", "the score of A is not a whole number: 'x'"),
            ("A=1.5", "not a whole number"),
            ("A=" + "9" * 5000, "not a whole number"),
            ("A=²", "not a whole number"),
            ("A=1,A=2", "A is named twice"),
        ],
    )
    def test_players_that_are_none(self, typed: str, said: str) -> None:
        with pytest.raises(BadOptions, match=said):
            scores(typed)

    def test_days(self) -> None:
        today = date.today()
        assert day("") == str(today)
        assert day("20250102") == day("2025-01-02") == "2025-01-02"
        assert day(str(today + timedelta(days=1)))
        for typed in ("2025-13-01", "yesterday", "1.2.2025", "2025", "9" * 5000, "\x1b"):
            with pytest.raises(BadOptions, match="is not a day"):
                day(typed)
        with pytest.raises(BadOptions, match="is not over yet"):
            day("2999-01-01")


class TestBounds:
    @given(games)
    def test_facts_come_back(self, game: PlayedGame) -> None:
        assert checked(facts(game)) == game
        assert checked(json.loads(json.dumps(facts(game)))) == game

    @pytest.mark.parametrize("field", [field for field in PlayedGame._fields if field != "id"])
    @pytest.mark.parametrize("value", [*NUMBERS.values(), [[]], [5], {"a": {}}, "x" * 200_000, [""], [{}]])
    def test_what_does_not_fit_is_refused_by_its_name(self, field: str, value: Any) -> None:
        with pytest.raises(BadOptions, match=f"the {field} of a played game"):
            checked({**facts(GAME), field: value if field != "options" or value != {"a": {}} else 5})

    @pytest.mark.parametrize("nasty", [*CONTROLS.values(), *UNSEEN.values()])
    def test_what_cannot_be_seen_is_made_visible(self, nasty: str) -> None:
        said = {**facts(GAME), "note": nasty, "kingdom": [nasty], "players": [{"name": nasty, "score": 1}]}
        seen = checked({**said, "seed": nasty, "key": nasty, "game": nasty})
        shown = [seen.note, *seen.kingdom, seen.seed, seen.key, seen.game, seen.players[0][0]]
        assert [raw(text) for text in shown] == [[]] * 6
        assert len(set(shown)) == 1 and shown[0] != nasty
        assert checked(facts(seen)) == seen

    def test_lengths(self) -> None:
        assert checked({**facts(GAME), "note": "x" * 1_000}).note == "x" * 1_000
        for field, value in (
            ("note", "x" * 1_001),
            ("note", "\x1b" * 300),
            ("players", [{"name": "x" * 61, "score": 1}]),
            ("players", [{"name": str(number), "score": 1} for number in range(21)]),
            ("players", [{"name": "A", "score": 10**7}]),
            ("players", [{"name": "A,B", "score": 1}]),
            ("kingdom", ["x"] * 501),
            ("rating", 6),
            ("rating", True),
        ):
            with pytest.raises(BadOptions, match=f"the {field} of a played game"):
                checked({**facts(GAME), field: value})


class TestExchange:
    @settings(deadline=None)
    @given(st.lists(games, max_size=4))
    def test_what_is_written_is_read_again(self, played: list[PlayedGame]) -> None:
        for write in (exchange.as_json, exchange.as_csv):
            text = write(played)
            assert raw(text) == []
            assert exchange.read(text.encode(), "x") == played
            assert exchange.read(f"\ufeff{text}".replace("\n", "\r\n").encode(), "x") == played

    @pytest.mark.parametrize("sign", ["=1+1", "+1", "-1", "@x", "'x", "''"])
    def test_no_cell_is_a_formula(self, sign: str) -> None:
        game = GAME._replace(note=sign, seed=sign, kingdom=(sign,))
        text = exchange.as_csv([game])
        assert exchange.read(text.encode(), "x") == [game]
        assert not [cell for cell in list(csv.reader(io.StringIO(text)))[1] if cell[:1] in tuple("=+-@")]

    def test_a_spreadsheet_may_have_changed_the_order_of_columns(self) -> None:
        rows = list(csv.reader(io.StringIO(exchange.as_csv([GAME, GAME._replace(key="l")]))))
        text = io.StringIO()
        csv.writer(text).writerows([row[::-1] for row in rows])
        assert exchange.read(text.getvalue().encode(), "x") == [GAME, GAME._replace(key="l")]

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"", "is not what `dominion-setup history"),
            (b"{", "is not JSON"),
            (b"{}", "is not what `dominion-setup history --json` prints"),
            (b'{"schema": 2, "games": []}', "is not what"),
            (b'{"schema": 1, "games": [5]}', "game 1: the key of a played game"),
            (b'{"schema": 1, "games": [' + b"[" * 90_000, "is not JSON"),
            (b"a,b\n1,2\n", "is not what"),
            (b"\xff\xfe", "is not text in UTF-8"),
            (b'"', "is not"),
        ],
    )
    def test_anything_else_is_refused(self, content: bytes, said: str) -> None:
        with pytest.raises(BadDocument, match=said):
            exchange.read(content, "x")

    @given(st.binary(max_size=200) | st.text().map(str.encode))
    def test_no_other_error(self, content: bytes) -> None:
        head = exchange.as_csv([GAME]).encode()
        for whole in (content, head + b"\n" + content, b'{"schema": 1, "games": [' + content + b"]}"):
            with suppress(BadDocument):
                exchange.read(whole, "x")

    def test_the_row_that_is_wrong_is_named(self) -> None:
        text = exchange.as_csv([GAME, GAME]).replace(",4,", ",9,")
        with pytest.raises(
            BadDocument, match="x: game 1: the rating of a played game is a number from 1 to 5"
        ):
            exchange.read(text.encode(), "x")


class TestFinding:
    PLAYED = (
        GAME._replace(id=1, date="2026-11-20", kingdom=("Moat", "Mill"), players=(("Ann", 3),)),
        GAME._replace(
            id=2, date="2026-11-21", kingdom=("Young Witch",), players=(("Anna", 3), ("Bob", None))
        ),
        GAME._replace(id=3, kingdom=("Windmill",), players=(("花子", 3),), landscapes=("Raid",)),
    )

    @pytest.mark.parametrize(
        ("asked", "numbers"),
        [
            ({}, [1, 2, 3]),
            ({"card": "moat"}, [1]),
            ({"card": "魔女娘"}, [2]),
            ({"card": "young-witch"}, [2]),
            ({"card": "mill"}, [1]),
            ({"card": "windm"}, [3]),
            ({"card": "RAID"}, [3]),
            ({"player": "ann"}, [1]),
            ({"player": "BOB"}, [2]),
            ({"player": "花子"}, [3]),
            ({"since": "2026-11-21"}, [2, 3]),
            ({"until": "2026-11-20"}, [1]),
            ({"since": "20261121", "until": "2026-11-21"}, [2]),
        ],
    )
    def test_by_card_player_and_day(
        self, languages: list[Language], asked: dict[str, str], numbers: list[int]
    ) -> None:
        assert [game.id for game in fitting(self.PLAYED, {"dominion": languages}, **asked)] == numbers

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            ({"card": "maot"}, "has a card 'maot'; did you mean Moat"),
            ({"player": "bop"}, "has a player 'bop'; did you mean Bob"),
            ({"until": "2025-01-01"}, "of those days"),
        ],
    )
    def test_nothing(self, asked: dict[str, str], said: str) -> None:
        with pytest.raises(NoResult, match=said):
            fitting(self.PLAYED, {}, **asked)

    def test_none_at_all(self) -> None:
        with pytest.raises(NoResult, match="no game has been noted yet"):
            fitting([], {})
