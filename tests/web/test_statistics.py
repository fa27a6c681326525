"""The page with the statistics of played games, and the winner in the form that records a game."""

import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from randomizer.memory import played_games
from randomizer.memory.played_game import PlayedGame
from randomizer.web.frame import Visitor
from randomizer.web.statistics import show_statistics
from randomizer.web.worker import render_page
from tests.web.conftest import Serving

CARDS = ("Moat", "Witch", "My Card")
GAME = PlayedGame.from_dict(
    {
        "key": "k",
        "date": "2026-01-01",
        "players": [{"name": "Ann", "score": 42}, {"name": "<b>", "score": 31}],
        "rating": 4,
        "note": "",
        "game": "dominion",
        "seed": "s",
        "options": {"sets": ["base-2e"]},
        "kingdom": list(CARDS),
        "landscapes": [],
        "others": [],
    }
)


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games in a history of its own."""
    monkeypatch.setattr(played_games, "get_path", lambda: str(tmp_path / "played.sqlite3"))
    played_games.add([GAME, GAME._replace(key="l", date="2026-02-01", rating=2)])


def show(language: str = "en", **params: str) -> str:
    return show_statistics(Visitor("", language, False, list(params.items())), {}).body


@pytest.mark.usefixtures("history")
class TestStatisticsPage:
    def test_page_has_a_bar_for_each_player_card_and_box(self) -> None:
        page = show()
        bars = re.findall(r'<meter min="0" max="(\d)" value="([\d.]+)" aria-label="([^"]*)">', page)
        assert bars == [
            *(("1", "0.0", "&lt;b&gt;"), ("1", "1.0", "Ann")),
            *(("5", "3.0", name) for name in sorted(CARDS)),
            ("5", "3.0", "Base 2E"),
        ]
        assert "won %: 100 (34–100) · wins: 2/2 · mean score: 42.0 · games: 2" in page
        assert "rating: 3.0 (1.0–5.0) · rated: 2 · games: 2" in page
        assert "<b>" not in page and 'href="/cards/moat"' in page
        assert "/cards/my-card" not in page  # It is from a file of the user's own.

    def test_page_is_in_japanese(self) -> None:
        page = show("ja")
        text = re.sub(r"<[^>]*>", "", page[page.index("<main>") :])
        assert "勝率（%）：100 (34–100)" in text and "堀" in text and "基本 第二版" in text
        assert set(re.findall("[A-Za-z]{3,}", unescape(text))) == {"Ann", "Card"}

    def test_page_can_be_filtered_and_shows_what_was_typed(self) -> None:
        page = show(since="2026-02-01", player="ann")
        assert "Games: 1, from 2026-02-01" in page
        assert 'value="2026-02-01"' in page and 'name="player" value="ann"' in page
        assert "no games have been recorded for those days" in show(since="2026-03-01")
        assert (
            render_page("statistics", Visitor("", "en", False, [("since", "x")]), {"defaults": {}}).status
            == 400
        )

    def test_unused_cards_of_the_users_boxes_are_listed(self) -> None:
        page = show_statistics(Visitor("", "en", False, []), {"sets": ["base"]}).body
        unused = page[page.index("Never on the table") :]
        assert "<h3>Base 2E</h3>" in unused and "Cellar" in unused and "Witch" not in unused
        assert "With your boxes in the configuration" in show()

    def test_other_game_has_statistics_of_its_own(self) -> None:
        assert "no games have been recorded yet" in show(game="pergamemnon")


def test_page_of_the_server_knows_the_users_boxes(serving: Serving) -> None:
    played_games.add([GAME])
    client = serving(defaults={"sets": ["base"]})
    page = client.get("/statistics")
    assert page.status_code == 200 and "<h3>Base 2E</h3>" in page.text
    assert 'href="/statistics"' in client.get("/history").text


def test_form_records_a_winner_and_asks_before_it_records_a_table_again(client: TestClient) -> None:
    def post(**typed: str) -> str:
        page = client.get("/table?sets=base&players=2&seed=winner").text
        form = page[page.index('action="/played"') :]
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)[:3])
        return str(client.post("/played", data={**{k: unescape(v) for k, v in fields.items()}, **typed}).text)

    before = len(played_games.load_games())
    assert "Recorded as game" in post(players="Ann, Bob", winner="bob")
    refused = post(players="Ann, Bob", winner="Ann")
    assert "this table is already recorded as game" in refused and 'name="again"' in refused
    assert 'name="winner" value="Ann"' in refused
    assert "Recorded as game" in post(players="Ann, Bob", winner="Ann", again="yes")
    assert "is not one of the players" in post(players="Ann, Bob", winner="Cy", again="yes")
    assert [game.winners for game in played_games.load_games()[before:]] == [("Bob",), ("Ann",)]
    assert "winner: Ann" in client.get("/history").text
