"""Played games: built from documents, limited and escaped; exported, imported and searched."""

import csv
import io
import json
import re
from contextlib import suppress
from datetime import date, timedelta
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.memory import exchange
from randomizer.memory.played_game import (
    PlayedGame,
    build_played_game,
    change_game,
    infer_winners,
    parse_day,
    parse_result,
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


@st.composite
def games_with_winners(draw: st.DrawFn) -> PlayedGame:
    """A game, some of whose players are winners even if the scores do not say so."""
    game = draw(games)
    players = [name for name, _ in game.players]
    chosen = draw(st.lists(st.sampled_from(players), unique=True)) if players else []
    return PlayedGame.from_dict({**game.to_dict(), "winners": chosen})


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
            "second_deal": {
                "by": "x",
                "leaves": [{"name": "Militia", "box": "tea"}, {"name": "Mine", "box": "tea"}],
                "kept_counts": {},
            },
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
    def test_players_are_parsed_as_people_write_them(self, text: str, expected: Any) -> None:
        assert parse_result(text).players == expected

    @pytest.mark.parametrize(
        ("text", "players", "winners"),
        [
            ("Ann 42, Bob 31", (("Ann", 42), ("Bob", 31)), ("Ann",)),
            ("Ann 42, Bob 42, Cy 3", (("Ann", 42), ("Bob", 42), ("Cy", 3)), ("Ann", "Bob")),
            ("Ann (won), Bob", (("Ann", None), ("Bob", None)), ("Ann",)),
            ("Ann, Bob 42 (Winner)", (("Ann", None), ("Bob", 42)), ("Bob",)),
            ("Ann (lost) 7, Bob", (("Ann", 7), ("Bob", None)), ()),
            ("Ann (tie), Bob (tie), Cy", (("Ann", None), ("Bob", None), ("Cy", None)), ("Ann", "Bob")),
            ("花子（勝ち）、太郎（負け）", (("花子", None), ("太郎", None)), ("花子",)),
            ("Ann 42 · Bob 31", (("Ann", 42), ("Bob", 31)), ("Ann",)),
            ("Ann (42); Bob (31)", (("Ann", 42), ("Bob", 31)), ("Ann",)),
            ("Ann: 42 points, Bob: 31 VP", (("Ann", 42), ("Bob", 31)), ("Ann",)),
            ("花子 42点、太郎 31点", (("花子", 42), ("太郎", 31)), ("花子",)),
            ("Ann 42", (("Ann", 42),), ()),
        ],
    )
    def test_winners_are_typed_or_inferred(self, text: str, players: Any, winners: Any) -> None:
        assert parse_result(text) == (players, winners)

    def test_named_winner_is_one_of_the_players(self) -> None:
        assert parse_result("Ann 4, Bob 4", ["bob"]).winners == ("Bob",)
        assert parse_result("Ann, Bob, Cy", ["Cy,ANN"]).winners == ("Ann", "Cy")
        assert parse_result("", ["Ann", "Bob"]) == ((("Ann", None), ("Bob", None)), ("Ann", "Bob"))
        assert parse_result("luca, Lucas", ["Luca"]).winners == ("luca",)
        with pytest.raises(
            BadOptions, match="the winner 'Zoe' is not one of the players; they are Ann and Bob"
        ):
            parse_result("Ann, Bob", ["Zoe"])
        with pytest.raises(BadOptions, match="Bob can't be the winner with 3 points"):
            parse_result("Ann 4, Bob 3", ["Bob"])

    def test_invalid_score_after_a_colon_is_refused(self) -> None:
        with pytest.raises(BadOptions, match="the score of A must be a whole number, not 'x'"):
            parse_result("A:x")

    @pytest.mark.parametrize("text", ["Ann 42 Bob 31", "Ann 42 花子 31"])
    def test_missing_commas_are_refused(self, text: str) -> None:
        with pytest.raises(BadOptions, match="write players like"):
            parse_result(text)

    @given(
        st.lists(st.tuples(names, st.integers(-999, 999)), max_size=4, unique_by=lambda player: player[0]),
        st.sampled_from([", ", "、", " · "]),
    )
    def test_printed_players_are_read_again(self, players: list[tuple[str, int]], comma: str) -> None:
        """Names with a sign that separates players or scores, or a number before a word, are left out."""
        players = [
            (name, score)
            for name, score in players
            if not re.search(r"[=＝:：(（,、，;；]|\s·|·\s|^·|·$|\d\s", name) and len(name.split()) < 3
        ]
        text = comma.join(f"{name} {score}" for name, score in players)
        assert parse_result(text).players == tuple(players)

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


class TestChangeGame:
    GAME = PlayedGame.from_dict(
        {**GAME.to_dict(), "players": [{"name": "Ann", "score": 4}, {"name": "Bob", "score": 3}]}
    )._replace(id=5)

    def test_only_what_is_named_changes(self) -> None:
        assert change_game(self.GAME, {}) == self.GAME
        changed = change_game(self.GAME, {"date": "20250102", "rating": 0, "note": ""})
        assert changed == self.GAME._replace(date="2025-01-02", rating=None, note="")

    def test_new_scores_decide_the_winner(self) -> None:
        changed = change_game(self.GAME, {"players": "Ann 4, Bob 5"})
        assert (changed.players, changed.winners, changed.id) == ((("Ann", 4), ("Bob", 5)), ("Bob",), 5)

    def test_winner_remains_if_scores_are_incomplete(self) -> None:
        changed = change_game(self.GAME, {"players": "Ann, Bob, Cy"})
        assert changed.winners == ("Ann",)
        assert change_game(changed, {"players": "Bob, Cy"}).winners == ()

    def test_winner_is_set_and_removed(self) -> None:
        tie = change_game(self.GAME, {"players": "Ann 4, Bob 4"})
        assert tie.winners == ("Ann", "Bob")
        decided = change_game(tie, {"winners": ["bob"]})
        assert decided.winners == ("Bob",)
        assert change_game(decided, {"winners": [""]}).winners == ("Ann", "Bob")
        assert change_game(tie, {"players": "Cy, Dee", "winners": ["Dee"]}).winners == ("Dee",)


class TestFromDict:
    @given(games_with_winners())
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

    def test_winners_are_players_or_inferred(self) -> None:
        players = [{"name": "A", "score": 3}, {"name": "B", "score": 2}]
        facts = {**GAME.to_dict(), "players": players}
        del facts["winners"]  # as in the files of older versions
        assert PlayedGame.from_dict(facts).winners == ("A",)
        assert PlayedGame.from_dict({**facts, "winners": ["B", "A"]}).winners == ("A", "B")
        with pytest.raises(BadOptions, match="the winners of a played game must be some of its players"):
            PlayedGame.from_dict({**facts, "winners": ["C"]})

    @given(games)
    def test_inferred_winners_have_the_highest_score(self, game: PlayedGame) -> None:
        scores = dict(game.players)
        known = [score for score in scores.values() if score is not None]
        winners = infer_winners(game.players)
        if len(scores) < 2 or len(known) < len(scores):
            assert winners == ()
        else:
            assert {name for name in scores if scores[name] == sorted(known)[-1]} == set(winners)

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
    @given(st.lists(games_with_winners(), max_size=4))
    def test_exported_games_are_parsed_again(self, played: list[PlayedGame]) -> None:
        for write in (exchange.to_json, exchange.to_csv):
            text = write(played)
            assert find_unescaped(text) == []
            assert exchange.parse_games(text.encode(), "x") == played
            assert exchange.parse_games(f"\ufeff{text}".replace("\n", "\r\n").encode(), "x") == played

    @pytest.mark.parametrize(
        "sign", ["=1+1", "+1", "-1", "@x", "'x", "''", " =1", "\u3000@x", "＝1", "＋1", "－1", "＠x"]
    )
    def test_no_csv_cell_is_a_formula(self, sign: str) -> None:
        game = GAME._replace(note=sign, seed=sign, kingdom=(sign,))
        text = exchange.to_csv([game])
        assert exchange.parse_games(text.encode(), "x") == [game]
        cells = [normalize("NFKC", cell).lstrip() for cell in list(csv.reader(io.StringIO(text)))[1]]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]

    def test_csv_columns_may_have_any_order(self) -> None:
        rows = list(csv.reader(io.StringIO(exchange.to_csv([GAME, GAME._replace(key="l")]))))
        text = io.StringIO()
        csv.writer(text).writerows([row[::-1] for row in rows])
        assert exchange.parse_games(text.getvalue().encode(), "x") == [GAME, GAME._replace(key="l")]

    def test_csv_without_winners_is_parsed(self) -> None:
        """Older versions did not write this column."""
        rows = [row[:-1] for row in csv.reader(io.StringIO(exchange.to_csv([GAME])))]
        text = io.StringIO()
        csv.writer(text).writerows(rows)
        assert rows[0][-1] == "others" and exchange.parse_games(text.getvalue().encode(), "x") == [GAME]

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
            (b"\xff\xfe", "line 1 is not UTF-8; open the file in an editor"),
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
