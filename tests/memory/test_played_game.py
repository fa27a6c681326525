"""Played games: built from documents, limited and escaped; exported, imported and searched."""

import csv
import io
import json
import re
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.memory import exchange
from randomizer.memory.played_game import (
    PlayedGame,
    build_played_game,
    parse_day,
    parse_players,
    parse_scores,
)
from randomizer.memory.search import find_games
from randomizer.text.errors import BadDocument, BadOptions, NoResult
from randomizer.text.language import Language
from tests.support import Deals
from tests.support.nasty import CONTROLS, INVISIBLE, NUMBERS, find_unescaped

GAME = PlayedGame(
    "k", "2026-11-22", (("A", 3),), 4, "note", "dominion", "s", {"players": 2}, ("Moat",), (), ()
)
texts = st.text(max_size=30)
names = st.text(min_size=1, max_size=6).filter(  # Escaping makes names longer.
    lambda name: not set(name) & set(",、，=＝") and name.strip() == name
)
games = st.builds(
    lambda **facts: PlayedGame.from_dict(facts),
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


class TestBuildPlayedGame:
    def test_game_has_kingdom_landscapes_and_chosen_cards(self, deal: Deals) -> None:
        setup = deal.setup("Young Witch", "Ferryman", "Way of the Mouse", seed="x")
        played = build_played_game(setup)
        piles = {pile["name"]: pile for pile in setup["piles"]}
        assert set(played.kingdom) == {name for name, pile in piles.items() if pile["place"] == "kingdom"}
        (ferried,) = [name for name, pile in piles.items() if "Ferryman" in pile["marks"]]
        assert ferried in played.others and "Way of the Mouse" in played.landscapes
        assert {card["name"] for card in setup["set_aside"]} <= set(played.others)
        assert not set(played.cards) & {"Copper", "Province", "Curse"}
        assert (played.seed, played.options) == (setup["seed"], setup["options"])

    def test_game_has_no_cards_of_decks(self, deal: Deals) -> None:
        setup = deal.setup("Black Market", seed="x")
        (deck,) = setup["decks"]
        assert not set(deck["cards"]) & set(build_played_game(setup).cards)

    def test_game_has_piles_that_a_second_deal_replaced(self, deal: Deals) -> None:
        setup = deal.setup("Moat", seed="x")
        after = {
            **setup,
            "second_deal": {"by": "x", "leaves": ["Militia", "Mine"], "boxes": {}, "stays": [], "before": {}},
        }
        played = build_played_game(after)  # type: ignore[arg-type]
        assert {"Militia", "Mine", "Moat"} <= set(played.kingdom)

    def test_same_setup_twice_has_two_keys(self, deal: Deals) -> None:
        setup = deal.setup("Moat", seed="x")
        assert build_played_game(setup).key != build_played_game(setup).key


class TestParse:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", ()),
            ("A=32,B=28", (("A", 32), ("B", 28))),
            (" Ann Lee = 32 , Bob ", (("Ann Lee", 32), ("Bob", None))),
            ("花子＝３２、太郎＝-3", (("花子", 32), ("太郎", -3))),
            ("A=−4", (("A", -4),)),
        ],
    )
    def test_players_are_parsed_with_their_scores(self, text: str, expected: Any) -> None:
        assert parse_scores(text) == expected

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("A=32,,B", "write players like A=32,B=28"),
            ("=3", "write players like"),
            ("A=3=4", "write players like"),
            ("A=x", "the score of A must be a whole number, not 'x'"),
            ("A=1.5", "must be a whole number"),
            ("A=" + "9" * 5000, "must be a whole number"),
            ("A=²", "must be a whole number"),
            ("A=1,A=2", "A is listed twice"),
        ],
    )
    def test_invalid_players_are_refused(self, text: str, error: str) -> None:
        with pytest.raises(BadOptions, match=error):
            parse_scores(text)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", ()),
            ("Ann 42, Bob 31", (("Ann", 42), ("Bob", 31))),
            ("Ann:42、Bob： −3, Zoë Smith", (("Ann", 42), ("Bob", -3), ("Zoë Smith", None))),
            (
                "Ann Lee 4, Player 2=7, Jo (Bob's friend)",
                (("Ann Lee", 4), ("Player 2", 7), ("Jo (Bob's friend)", None)),
            ),
            ("花子 ３２", (("花子", 32),)),
        ],
    )
    def test_players_are_parsed_as_they_are_printed(self, text: str, expected: Any) -> None:
        assert parse_players(text) == expected

    @pytest.mark.parametrize("text", ["Ann (won)", "Ann 42 (Winner), Bob", "花子（勝ち）"])
    def test_outcomes_are_refused_instead_of_becoming_part_of_the_name(self, text: str) -> None:
        with pytest.raises(BadOptions, match="can't be recorded; write scores"):
            parse_players(text)

    def test_invalid_score_after_a_colon_is_refused(self) -> None:
        with pytest.raises(BadOptions, match="the score of A must be a whole number, not 'x'"):
            parse_players("A:x")

    @given(st.lists(st.tuples(names, st.integers(-999, 999)), max_size=4, unique_by=lambda player: player[0]))
    def test_printed_players_are_read_again(self, players: list[tuple[str, int]]) -> None:
        """Names with a sign that separates a name from its score are left out."""
        players = [(name, score) for name, score in players if not re.search("[=＝:：(（,、，]", name)]
        text = ", ".join(f"{name} {score}" for name, score in players)
        assert parse_players(text) == tuple(players)

    def test_day_is_parsed_or_refused(self) -> None:
        today = date.today()
        assert parse_day("") == str(today)
        assert parse_day("20250102") == parse_day("2025-01-02") == "2025-01-02"
        assert parse_day(str(today + timedelta(days=1)))
        for text in ("2025-13-01", "yesterday", "1.2.2025", "2025", "9" * 5000, "\x1b"):
            with pytest.raises(BadOptions, match="is not a date"):
                parse_day(text)
        with pytest.raises(BadOptions, match="is in the future"):
            parse_day("2999-01-01")


class TestFromDict:
    @given(games)
    def test_from_dict_reverses_to_dict(self, game: PlayedGame) -> None:
        assert PlayedGame.from_dict(game.to_dict()) == game
        assert PlayedGame.from_dict(json.loads(json.dumps(game.to_dict()))) == game

    @pytest.mark.parametrize("field", [field for field in PlayedGame._fields if field != "id"])
    @pytest.mark.parametrize("value", [*NUMBERS.values(), [[]], [5], {"a": {}}, "x" * 200_000, [""], [{}]])
    def test_invalid_fact_is_refused_by_its_name(self, field: str, value: Any) -> None:
        with pytest.raises(BadOptions, match=f"the {field} of a played game"):
            PlayedGame.from_dict(
                {**GAME.to_dict(), field: value if field != "options" or value != {"a": {}} else 5}
            )

    @pytest.mark.parametrize("nasty", [*CONTROLS.values(), *INVISIBLE.values()])
    def test_invisible_characters_are_escaped(self, nasty: str) -> None:
        facts = {
            **GAME.to_dict(),
            "note": nasty,
            "kingdom": [nasty],
            "players": [{"name": nasty, "score": 1}],
        }
        game = PlayedGame.from_dict({**facts, "seed": nasty, "key": nasty, "game": nasty})
        texts = [game.note, *game.kingdom, game.seed, game.key, game.game, game.players[0][0]]
        assert [find_unescaped(text) for text in texts] == [[]] * 6
        assert len(set(texts)) == 1 and texts[0] != nasty
        assert PlayedGame.from_dict(game.to_dict()) == game

    def test_each_fact_has_a_limit(self) -> None:
        assert PlayedGame.from_dict({**GAME.to_dict(), "note": "x" * 1_000}).note == "x" * 1_000
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
                PlayedGame.from_dict({**GAME.to_dict(), field: value})


class TestExchange:
    @settings(deadline=None)
    @given(st.lists(games, max_size=4))
    def test_exported_games_are_parsed_again(self, played: list[PlayedGame]) -> None:
        for write in (exchange.to_json, exchange.to_csv):
            text = write(played)
            assert find_unescaped(text) == []
            assert exchange.parse_games(text.encode(), "x") == played
            assert exchange.parse_games(f"\ufeff{text}".replace("\n", "\r\n").encode(), "x") == played

    @pytest.mark.parametrize("sign", ["=1+1", "+1", "-1", "@x", "'x", "''"])
    def test_no_csv_cell_is_a_formula(self, sign: str) -> None:
        game = GAME._replace(note=sign, seed=sign, kingdom=(sign,))
        text = exchange.to_csv([game])
        assert exchange.parse_games(text.encode(), "x") == [game]
        assert not [cell for cell in list(csv.reader(io.StringIO(text)))[1] if cell[:1] in tuple("=+-@")]

    def test_csv_columns_may_have_any_order(self) -> None:
        rows = list(csv.reader(io.StringIO(exchange.to_csv([GAME, GAME._replace(key="l")]))))
        text = io.StringIO()
        csv.writer(text).writerows([row[::-1] for row in rows])
        assert exchange.parse_games(text.getvalue().encode(), "x") == [GAME, GAME._replace(key="l")]

    @pytest.mark.parametrize(
        ("content", "error"),
        [
            (b"", "is not output of `dominion-setup history"),
            (b"{", "is not JSON"),
            (b"{}", "is not output of `dominion-setup history --json`"),
            (b'{"schema": 2, "games": []}', "is not output of"),
            (b'{"schema": 1, "games": [5]}', "game 1: the key of a played game"),
            (b'{"schema": 1, "games": [' + b"[" * 90_000, "is not JSON"),
            (b"a,b\n1,2\n", "is not output of"),
            (b"\xff\xfe", "is not UTF-8 text"),
            (b'"', "is not"),
        ],
    )
    def test_content_that_is_no_export_is_refused(self, content: bytes, error: str) -> None:
        with pytest.raises(BadDocument, match=error):
            exchange.parse_games(content, "x")

    @given(st.binary(max_size=200) | st.text().map(str.encode))
    def test_any_content_raises_at_most_bad_document(self, content: bytes) -> None:
        csv_export = exchange.to_csv([GAME]).encode()
        for file in (content, csv_export + b"\n" + content, b'{"schema": 1, "games": [' + content + b"]}"):
            with suppress(BadDocument):
                exchange.parse_games(file, "x")

    def test_error_names_the_invalid_game(self) -> None:
        text = exchange.to_csv([GAME, GAME]).replace(",4,", ",9,")
        with pytest.raises(
            BadDocument, match="x: game 1: the rating of a played game must be a number from 1 to 5"
        ):
            exchange.parse_games(text.encode(), "x")


class TestFindGames:
    HISTORY = (
        GAME._replace(id=1, date="2026-11-20", kingdom=("Moat", "Mill"), players=(("Ann", 3),)),
        GAME._replace(
            id=2, date="2026-11-21", kingdom=("Young Witch",), players=(("Anna", 3), ("Bob", None))
        ),
        GAME._replace(id=3, kingdom=("Windmill",), players=(("花子", 3),), landscapes=("Raid",)),
    )

    @pytest.mark.parametrize(
        ("criteria", "ids"),
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
    def test_games_are_found_by_card_player_and_day(
        self, languages: list[Language], criteria: dict[str, str], ids: list[int]
    ) -> None:
        assert [game.id for game in find_games(self.HISTORY, {"dominion": languages}, **criteria)] == ids

    @pytest.mark.parametrize(
        ("criteria", "error"),
        [
            ({"card": "maot"}, "has a card 'maot'; did you mean Moat"),
            ({"player": "bop"}, "has a player 'bop'; did you mean Bob"),
            ({"until": "2025-01-01"}, "for those days"),
        ],
    )
    def test_error_names_the_criterion_without_results(self, criteria: dict[str, str], error: str) -> None:
        with pytest.raises(NoResult, match=error):
            find_games(self.HISTORY, {}, **criteria)

    def test_empty_history_has_no_result(self) -> None:
        with pytest.raises(NoResult, match="no games have been recorded yet"):
            find_games([], {})
