"""The vote on vetoes: nobody sees a ballot before the end, and then all phones show the laid table."""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.testclient import TestClient

from randomizer.web import vote_store
from randomizer.web.vote_store import VoteStore
from tests.support import run
from tests.web.conftest import Serving

QUERY = "sets=base,cornucopia-guilds&players=3&veto=3&seed="


class Phone:
    """A phone with a cookie of its own, which shares the connection to the server with other phones."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.cookie = ""

    def get(self, url: str, headers: Mapping[str, str] = {}) -> Any:
        return self._keep_cookie(self.client.get(url, headers={**headers, "cookie": self.cookie}))

    def post(self, url: str, data: Any) -> Any:
        return self._keep_cookie(self.client.post(url, data=data, headers={"cookie": self.cookie}))

    def _keep_cookie(self, answer: Any) -> Any:
        self.client.cookies.clear()
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer


@pytest.fixture
def phone(client: TestClient) -> Phone:
    return Phone(client)


@pytest.fixture
def phones(client: TestClient) -> Callable[[], Phone]:
    """Return a function that creates another phone."""
    return lambda: Phone(client)


def open_vote(phone: Phone, seed: str, query: str = QUERY) -> str:
    """Deal a table whose veto is open, and return its address."""
    return str(phone.get(f"/table?{query}{seed}").headers.get("location", f"/table?{query}{seed}"))


def list_cards(phone: Phone, address: str) -> list[str]:
    """Return the slugs of the cards that can be vetoed."""
    return re.findall(r'name="card" value="([^"]+)"', phone.get(address).text)


def get_key(phone: Phone, address: str) -> str:
    return str(re.findall(r'data-table="(\w+)"', phone.get(address).text)[0])


def get_fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the form on a page."""
    fields = re.findall(r'name="(token|table)" value="([^"]*)"', page)[:2]
    return {name: unescape(value) for name, value in fields}


def vote(phone: Phone, address: str, *cards: str, end: bool = False, **changed: str) -> Any:
    """Send a ballot, or end the vote."""
    data = {
        **get_fields(phone.get(address).text),
        "card": cards,
        **({"end": "yes"} if end else {}),
        **changed,
    }
    return phone.post(f"/veto/{get_key(phone, address)}", data)


class TestVote:
    def test_page_lists_all_cards_in_the_order_of_the_deal_and_nothing_else(self, phone: Phone) -> None:
        address = open_vote(phone, "list")
        setup = phone.get(address.replace("/table?", "/table.json?")).json()
        assert list_cards(phone, address) == [pile["id"] for pile in setup["piles"]]
        page = unescape(phone.get(address).text)
        for text in (
            "Veto 3",
            "Tap the cards that you don't want, 1 at most, then “Vote”.",
            "0 of 3 players have voted.",
        ):
            assert text in page
        assert "Supply" not in page and "data-tick" not in page and 'name="swap"' not in page
        japanese = phone.get(f"{address}&lang=ja").text
        assert "拒否（3枚まで）" in japanese and "3人中0人が投票しました。" in japanese

    def test_table_is_laid_when_all_players_have_voted(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "all")
        cards = list_cards(phone, address)
        ballots = (cards[0], cards[4], cards[0])
        for number, card in enumerate(ballots[:2], 1):
            other = phones()
            answer = vote(other, address, card)
            assert answer.status_code == 303 and answer.headers["location"] == address
            page = unescape(other.get(address).text)
            assert f"{number} of 3 players have voted." in page and "Your vote counts." in page
        assert "Your vote counts." not in phone.get(address).text
        laid = vote(phones(), address, ballots[2]).headers["location"]
        options = dict(parse_qsl(urlsplit(laid).query))
        assert options["vetoed"] == f"{cards[0]},{cards[4]}" and options["veto"] == "3"
        typed = [word for name, value in options.items() for word in (f"--{name}", value)]
        printed = run(*typed, "--format", "json", "--no-keep").stdout
        assert phone.get(laid.replace("/table?", "/table.json?")).text == printed
        page = unescape(phone.get(laid).text)
        names = [
            re.findall(rf"/cards/{card}[^>]*>([^<]+)<", phone.get(address).text)[0] for card in ballots[:2]
        ]
        assert f"Vetoed: {', '.join(unescape(name) for name in names)}" in page

    def test_nothing_about_a_ballot_can_be_seen_before_the_end(self, phone: Phone, phones: Any) -> None:
        """The pages after different ballots are the same, for the voter and for others."""
        seen = set()
        for index in range(3):
            address = open_vote(phone, "secret")
            card = list_cards(phone, address)[index]
            voter = phones()
            voted = vote(voter, address, card)
            assert card not in str([*voted.headers.items(), voted.text])
            key = get_key(phone, address)
            for url in (address, f"/ticks/{key}", address.replace("/table?", "/table.json?")):
                answers = [each.get(url) for each in (phone, voter)]
                seen.add((url, *((answer.text, answer.headers.get("etag")) for answer in answers)))
            server: Any = phone.client
            server.app_server._vote_store.end_vote(key)
        assert len(seen) == 3

    def test_later_ballot_of_a_phone_replaces_the_earlier_one(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "again")
        cards = list_cards(phone, address)
        for card in cards[:4]:
            assert vote(phone, address, card).headers["location"] == address
        assert re.fullmatch("voter=[0-9a-f]{16}", phone.cookie)
        laid = vote(phone, address, end=True).headers["location"]
        assert f"vetoed={cards[3]}&" in laid

    def test_phone_keeps_its_key_in_a_cookie_that_scripts_cannot_read(self, serving: Serving) -> None:
        client = serving(base="/k/word")
        page = client.get(f"/k/word/table?{QUERY}cookie").text
        key = re.findall(r'data-table="(\w+)"', page)[0]
        cookie = client.post(f"/k/word/veto/{key}", data=get_fields(page)).headers["set-cookie"]
        assert "HttpOnly" in cookie and "Path=/k/word/" in cookie and "samesite=lax" in cookie.casefold()

    def test_ended_vote_without_ballots_vetoes_nothing(self, phone: Phone) -> None:
        address = open_vote(phone, "none")
        laid = vote(phone, address, end=True).headers["location"]
        assert "vetoed=nothing" in laid and "Nobody vetoed a card." in phone.get(laid).text

    def test_empty_ballot_counts_as_a_vote(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "empty")
        answers = [vote(phones(), address) for _ in range(3)]
        assert "vetoed=nothing" in answers[-1].headers["location"]

    def test_other_phones_are_told_about_votes_and_the_laid_table(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "told")
        key = get_key(phone, address)
        etag = phone.get(f"/ticks/{key}").headers["etag"]
        vote(phones(), address)
        state = phone.get(f"/ticks/{key}", headers={"if-none-match": etag})
        assert state.json() == {"version": 0, "ticked": [], "votes": 1}
        assert phone.get(f"/ticks/{key}", headers={"if-none-match": state.headers["etag"]}).status_code == 304
        laid = vote(phone, address, end=True).headers["location"]
        state = phone.get(f"/ticks/{key}", headers={"if-none-match": state.headers["etag"]}).json()
        assert state["successor"] == urlsplit(laid).query and "votes" not in state
        assert urlsplit(laid).query in phone.get("/ticks/x?newest=1").json()["successor"]
        assert "A newer table has replaced this one." in phone.get(address).text

    def test_ballot_after_the_end_shows_the_laid_table(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "late")
        cards = list_cards(phone, address)
        laid = vote(phone, address, end=True).headers["location"]
        for end in (False, True):
            assert vote(phones(), address, cards[0], end=end).headers["location"] == laid

    def test_players_share_the_vetoes_equally(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "share", QUERY.replace("veto=3", "veto=7"))
        cards = list_cards(phone, address)
        assert "want, 2 at most" in phone.get(address).text
        answer = vote(phone, address, *cards[:3])
        assert answer.status_code == 400 and "each player can veto at most 2 cards" in answer.text
        assert vote(phone, address, *cards[:2]).status_code == 303

    def test_most_vetoed_cards_count_if_there_are_more_players_than_vetoes(
        self, phone: Phone, phones: Any
    ) -> None:
        address = open_vote(phone, "few", QUERY.replace("veto=3", "veto=1"))
        cards = list_cards(phone, address)
        for card in (cards[2], cards[7]):
            vote(phones(), address, card)
        assert f"vetoed={cards[7]}&" in vote(phones(), address, cards[7]).headers["location"]
        address = open_vote(phone, "tie", QUERY.replace("veto=3", "veto=1"))
        cards = list_cards(phone, address)
        for card in (cards[7], cards[5]):
            vote(phones(), address, card)
        assert f"vetoed={cards[2]}&" in vote(phones(), address, cards[2]).headers["location"]

    def test_another_table_is_dealt_with_an_open_veto(self, phone: Phone) -> None:
        address = open_vote(phone, "another")
        laid = vote(phone, address, end=True).headers["location"]
        page = unescape(phone.get(laid).text)
        links = re.findall(r'href="([^"]*veto=3[^"]*)"[^>]*data-deal', page)
        assert len(links) == 1 and "vetoed" not in links[0] and "seed" not in links[0]


class TestMisuse:
    def test_vote_needs_the_token_of_the_table(self, phone: Phone) -> None:
        address, other = open_vote(phone, "token"), open_vote(phone, "token2")
        for wrong in ({"token": "x"}, {"token": ""}, {"table": urlsplit(other).query}):
            assert vote(phone, address, **wrong).status_code == 403  # type: ignore[arg-type]
        assert phone.get(f"/ticks/{get_key(phone, address)}").json() == {"version": 0, "ticked": []}

    @pytest.mark.parametrize("card", ["platinum", "../x", "<script>", "x" * 5000, "moat,witch"])
    def test_only_cards_of_the_page_can_be_vetoed(self, phone: Phone, card: str) -> None:
        address = open_vote(phone, "cards")
        answer = vote(phone, address, card)
        assert answer.status_code == 400 and "only cards on this page" in answer.text
        assert "<script>" not in answer.text.partition("<main>")[2]

    def test_table_without_an_open_veto_takes_no_ballot(self, phone: Phone) -> None:
        address = phone.get("/table?sets=base&players=2&seed=1").headers.get("location", "")
        address = address or "/table?sets=base&players=2&seed=1"
        page = phone.get(address).text
        fields = get_fields(page)
        for end in ({}, {"end": "yes"}):
            answer = phone.post(f"/veto/{get_key(phone, address)}", {**fields, **end})
            assert answer.status_code == 400 and "not waiting for vetoes" in answer.text

    def test_invalid_cookie_is_replaced(self, phone: Phone, phones: Any) -> None:
        address = open_vote(phone, "bad-cookie")
        phone.cookie = f"voter={'x' * 3000}"
        assert re.search("voter=[0-9a-f]{16};", vote(phone, address).headers["set-cookie"])

    def test_votes_are_bounded_and_a_busy_client_loses_only_its_own(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vote_store, "MAX_VOTES", 10)
        votes = VoteStore()
        votes.cast_ballot("ours", "v", ["moat"], "10.0.0.1")
        for number in range(50):
            votes.cast_ballot(f"theirs {number}", "v", [], "10.0.0.2")
        assert votes.get_ballots("ours") == {"v": ["moat"]}
        stored = [number for number in range(50) if votes.get_ballots(f"theirs {number}")]
        assert stored == list(range(41, 50))

    @pytest.mark.parametrize("query", ["veto=21", "veto=-1", "veto=x", "vetoed=moat", "veto=1&kingdom=moat"])
    def test_invalid_options_show_the_form(self, phone: Phone, query: str) -> None:
        answer = phone.get(f"/table?sets=base&{query}&seed=1")
        assert answer.status_code == 400 and "<form" in answer.text
