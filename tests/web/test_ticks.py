"""Ticks on shared tables: none is lost, none is done twice, and nobody ticks without a page."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from randomizer.memory import ticks as module
from randomizer.memory.database import BadDatabase
from randomizer.memory.ticks import Tick, TickDatabase, TickState
from tests.web.conftest import HOST, Serving


@pytest.fixture
def ticks(tmp_path: Path) -> TickDatabase:
    return TickDatabase(str(tmp_path / "ticks.sqlite3"))


def tick(number: int, item: str = "0-0", on: bool = True) -> Tick:
    return Tick(f"id{number}", item, on)


class TestTheFile:
    def test_set_and_unset(self, ticks: TickDatabase) -> None:
        assert ticks.get_state("a") == TickState()
        assert ticks.apply_changes([("a", [tick(1), tick(2, "0-1"), tick(3, on=False)])]) == [True]
        assert ticks.get_state("a") == TickState(3, frozenset({"0-1"}))
        assert (ticks.get_version("a"), ticks.get_version("b")) == (3, 0)

    def test_a_change_that_comes_again_is_not_done_again(self, ticks: TickDatabase) -> None:
        ticks.apply_changes([("a", [tick(1)])])
        ticks.apply_changes([("a", [tick(2, on=False)])])
        ticks.apply_changes([("a", [tick(1), tick(1)])])
        assert ticks.get_state("a") == TickState(2)
        ticks.apply_changes([("b", [tick(1)])])  # on another table it is another one
        assert ticks.get_version("b") == 1

    def test_is_there_again_when_it_is_opened_again(self, ticks: TickDatabase, tmp_path: Path) -> None:
        ticks.apply_changes([("a", [tick(1)])])
        word = ticks.get_secret("word")
        again = TickDatabase(str(tmp_path / "ticks.sqlite3"))
        assert again.get_state("a") == TickState(1, frozenset({"0-0"}))
        assert again.get_secret("word") == word != again.get_secret("token")
        assert again.get_secret("word", new=True) != word

    def test_everything_confirmed_outlives_being_killed(self, tmp_path: Path) -> None:
        place = tmp_path / "ticks.sqlite3"
        code = (
            "import sys; from randomizer.memory.ticks import Tick, TickDatabase\n"
            f"ticks = TickDatabase({str(place)!r})\n"
            "for number in range(100_000):\n"
            "    ticks.apply_changes([('a', [Tick(str(number), str(number % 50), True)])])\n"
            "    print(number, flush=True)\n"
        )
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert child.stdout
        confirmed = [int(child.stdout.readline()) for _ in range(30)]
        child.kill()
        confirmed += map(int, child.stdout.read().split("\n")[:-1])
        child.wait()
        assert TickDatabase(str(place)).get_version("a") >= len(confirmed)
        assert TickDatabase(str(place)).get_state("a").items >= {str(number % 50) for number in confirmed}

    def test_from_several_threads_and_programs(self, tmp_path: Path) -> None:
        place = str(tmp_path / "ticks.sqlite3")

        def work(worker: int) -> None:
            own = TickDatabase(place)
            for number in range(50):
                own.apply_changes([("a", [Tick(f"{worker}.{number}", str(worker), number % 2 == 0)])])

        with ThreadPoolExecutor(4) as workers:
            list(workers.map(work, range(4)))
        assert TickDatabase(place).get_state("a") == TickState(200)

    def test_only_so_many(self, ticks: TickDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_TICKS", 3)
        monkeypatch.setattr(module, "MAX_TABLES", 2)
        assert ticks.apply_changes([("a", [tick(n, str(n)) for n in range(3)])]) == [True]
        assert ticks.apply_changes([("a", [tick(9, "9")]), ("b", [tick(9)])]) == [False, True]
        assert ticks.apply_changes([("c", [tick(9)])]) == [False]
        assert (ticks.get_version("a"), ticks.get_version("c")) == (3, 0)

    def test_ids_are_forgotten_at_last(self, ticks: TickDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_CHANGE_IDS", 10)
        for number in range(30):
            ticks.apply_changes([("a", [tick(number)])])
        (kept,) = ticks._reader.execute("SELECT count(*) FROM done").fetchone()
        assert kept == 10

    def test_tables_are_forgotten_when_nobody_has_ticked_them_for_long(
        self, ticks: TickDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ticks.apply_changes([("a", [tick(1)])])
        monkeypatch.setattr("time.time", lambda: 4_000_000_000)
        assert TickDatabase(str(tmp_path / "ticks.sqlite3")).get_state("a") == TickState()

    def test_another_program_s_file_is_left_alone(self, tmp_path: Path) -> None:
        import sqlite3

        place = tmp_path / "ticks.sqlite3"
        with sqlite3.connect(place) as other:
            other.execute("CREATE TABLE x (y)")
        with pytest.raises(BadDatabase, match="another program's"):
            TickDatabase(str(place))
        place.write_text("nothing of the sort " * 100)
        with pytest.raises(BadDatabase):
            TickDatabase(str(place))

    @pytest.mark.skipif(sys.platform == "win32", reason="has other rights")
    def test_is_nobody_else_s_to_read(self, ticks: TickDatabase, tmp_path: Path) -> None:
        assert (tmp_path / "ticks.sqlite3").stat().st_mode & 0o077 == 0


ADDRESS = "/table?sets=base&players=2&seed=ticks"


class Phone:
    """A page of a table, as a phone has it."""

    def __init__(self, client: TestClient, address: str = ADDRESS) -> None:
        self.client, self.address = client, address
        page = client.get(address).text
        self.key, self.token = re.findall(r'data-table="(\w+)" data-token="(\w+)"', page)[0]
        form = page[page.index('action="/ticks/') :]
        named = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)[:3]
        self.fields = {name: unescape(value) for name, value in named}
        self.items = re.findall(r'data-tick="([^"]+)"', page)
        self.ticked = re.findall(r'data-tick="([^"]+)" checked', page)

    def sends(self, *ticks: Tick, token: str = "", **headers: str) -> tuple[int, set[str]]:
        body = {"token": token or self.token, "ticks": ticks}
        answer = self.client.post(f"/ticks/{self.key}", json=body, headers=headers)
        ticked = answer.json()["ticked"] if answer.status_code == 200 else ()
        return answer.status_code, {*ticked}

    def sees(self) -> set[str]:
        return {*self.client.get(f"/ticks/{self.key}").json()["ticked"]}


class TestPhones:
    def test_see_each_other_s_ticks(self, serving: Serving) -> None:
        client = serving()
        one, other = Phone(client), Phone(client)
        assert one.sends(tick(1, "0-1")) == (200, {"0-1"})
        assert other.sees() == {"0-1"}
        assert other.sends(tick(2, "0-2"), tick(3, "0-1", False)) == (200, {"0-2"})
        assert one.sees() == {"0-2"}
        assert Phone(client).ticked == ["0-2"]
        assert Phone(client, ADDRESS.replace("ticks", "other")).sees() == set()

    def test_ask_whether_anything_is_new(self, serving: Serving) -> None:
        phone = Phone(serving())
        first = phone.client.get(f"/ticks/{phone.key}")
        known = {"if-none-match": first.headers["etag"]}
        assert phone.client.get(f"/ticks/{phone.key}", headers=known).status_code == 304
        phone.sends(tick(1))
        again = phone.client.get(f"/ticks/{phone.key}", headers=known)
        assert again.status_code == 200 and again.headers["etag"] != first.headers["etag"]

    def test_without_script_send_the_whole_form(self, serving: Serving) -> None:
        client = serving()
        one, other = Phone(client), Phone(client)
        other.sends(tick(1, "0-3"))
        said = {**one.fields, "tick": ["0-0", "0-1"]}
        answer = client.post(f"/ticks/{one.key}", data=said)
        assert (answer.status_code, answer.headers["location"]) == (303, ADDRESS)
        assert one.sees() == {"0-0", "0-1", "0-3"}  # what others have ticked meanwhile stays
        again = Phone(client)
        client.post(f"/ticks/{again.key}", data={**again.fields, "tick": ["0-1", "0-3"]})
        assert one.sees() == {"0-1", "0-3"}

    def test_a_form_leads_to_no_other_place(self, serving: Serving) -> None:
        phone = Phone(serving())
        for other in ("seed=x", "https://example.org/", "//example.org"):
            said = {**phone.fields, "table": other}
            assert phone.client.post(f"/ticks/{phone.key}", data=said).status_code == 403

    def test_only_with_the_token_of_the_table(self, serving: Serving) -> None:
        client = serving()
        phone, other = Phone(client), Phone(client, ADDRESS + "x")
        for token in ("x", other.token, "é"):
            assert phone.sends(tick(1), token=token)[0] == 403
        assert client.post(f"/ticks/{phone.key}", data={"tick": "0-1"}).status_code == 403
        assert phone.sees() == set()

    def test_only_from_our_own_pages(self, serving: Serving) -> None:
        phone = Phone(serving())
        for headers, status in (
            ({"origin": f"http://{HOST}"}, 200),
            ({"origin": "null"}, 200),  # a form of a page without referrers
            ({"sec-fetch-site": "same-origin"}, 200),
            ({"origin": "http://example.org"}, 403),
            ({"origin": f"http://example.org?//{HOST}"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"sec-fetch-site": "same-site"}, 403),
        ):
            assert phone.sends(tick(1), **headers)[0] == status, headers

    @pytest.mark.parametrize(
        "body",
        [
            "",
            "[]",
            "{}",
            "[[[[",
            '{"token": 1, "ticks": []}',
            '{"ticks": []}',
            '{"token": "x", "ticks": [["id", "item", 1]]}',
            '{"token": "x", "ticks": [["id", "item"]]}',
            '{"token": "x", "ticks": [["", "item", true]]}',
            '{"token": "x", "ticks": [["é", "item", true]]}',
            '{"token": "x", "ticks": [["id", "\\u202e", true]]}',
            '{"token": "x", "ticks": {"id": 1}}',
            json.dumps({"token": "x", "ticks": [["i" * 41, "item", True]]}),
            json.dumps({"token": "x", "ticks": [[str(n), "i", True] for n in range(61)]}),
            "[" * 3000,
        ],
    )
    def test_what_is_no_change_is_refused(self, client: TestClient, body: str) -> None:
        headers = {"content-type": "application/json"}
        assert client.post("/ticks/abc", content=body, headers=headers).status_code == 400

    def test_too_many_are_refused(self, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_TICKS", 1)
        phone = Phone(serving())
        assert phone.sends(tick(1), tick(2, "0-1"))[0] == 429

    def test_a_thousand_from_eight_at_once(self, serving: Serving) -> None:
        phone = Phone(serving())

        def work(worker: int) -> None:
            for number in range(0, 125, 5):
                ticks = [Tick(f"{worker}.{n}", f"{worker}", n % 2 == 0) for n in range(number, number + 5)]
                assert phone.sends(*ticks)[0] == 200
                assert phone.sends(*ticks)[0] == 200  # once more, as if no answer had come

        with ThreadPoolExecutor(8) as workers:
            list(workers.map(work, range(8)))
        state = phone.client.get(f"/ticks/{phone.key}").json()
        assert state == {"version": 1000, "ticked": sorted(str(worker) for worker in range(8))}
