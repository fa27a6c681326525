"""Ticks on shared tables: none is lost or applied twice, and only the pages of a table can change them."""

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from randomizer.memory import ticks as module
from randomizer.memory.database import BadDatabase
from randomizer.memory.ticks import TickChange, TickDatabase, TickState, TooManyTicks
from tests.web.conftest import HOST, Serving


@pytest.fixture
def ticks(tmp_path: Path) -> TickDatabase:
    return TickDatabase(str(tmp_path / "ticks.sqlite3"))


def make_tick(number: int, item: str = "0-0", on: bool = True) -> TickChange:
    return TickChange(f"id{number}", item, on)


class TestTickDatabase:
    def test_changes_tick_and_untick_lines(self, ticks: TickDatabase) -> None:
        assert ticks.get_state("a") == TickState()
        ticks.apply_changes("a", [make_tick(1), make_tick(2, "0-1"), make_tick(3, on=False)])
        assert ticks.get_state("a") == TickState(3, frozenset({"0-1"}))
        assert (ticks.get_version("a"), ticks.get_version("b")) == (3, 0)

    def test_repeated_change_is_applied_once(self, ticks: TickDatabase) -> None:
        ticks.apply_changes("a", [make_tick(1)])
        ticks.apply_changes("a", [make_tick(2, on=False)])
        ticks.apply_changes("a", [make_tick(1), make_tick(1)])
        assert ticks.get_state("a") == TickState(2)
        ticks.apply_changes("b", [make_tick(1)])  # The ids of changes are separate for each table.
        assert ticks.get_version("b") == 1

    def test_reopened_file_has_the_same_ticks_and_secrets(self, ticks: TickDatabase, tmp_path: Path) -> None:
        ticks.apply_changes("a", [make_tick(1)])
        word = ticks.get_secret("word")
        again = TickDatabase(str(tmp_path / "ticks.sqlite3"))
        assert again.get_state("a") == TickState(1, frozenset({"0-0"}))
        assert again.get_secret("word") == word != again.get_secret("token")
        assert again.get_secret("word", replace=True) != word

    def test_confirmed_changes_survive_a_killed_process(self, tmp_path: Path) -> None:
        path = tmp_path / "ticks.sqlite3"
        code = (
            "import sys; from randomizer.memory.ticks import TickChange, TickDatabase\n"
            f"ticks = TickDatabase({str(path)!r})\n"
            "for number in range(100_000):\n"
            "    ticks.apply_changes('a', [TickChange(str(number), str(number % 50), True)])\n"
            "    print(number, flush=True)\n"
        )
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert child.stdout
        confirmed = [int(child.stdout.readline()) for _ in range(30)]
        child.kill()
        confirmed += map(int, child.stdout.read().split("\n")[:-1])
        child.wait()
        assert TickDatabase(str(path)).get_version("a") >= len(confirmed)
        assert TickDatabase(str(path)).get_state("a").ticked_ids >= {str(number % 50) for number in confirmed}

    def test_concurrent_writers_lose_no_change(self, tmp_path: Path) -> None:
        path = str(tmp_path / "ticks.sqlite3")

        def work(worker: int) -> None:
            own = TickDatabase(path)
            for number in range(50):
                own.apply_changes("a", [TickChange(f"{worker}.{number}", str(worker), number % 2 == 0)])

        with ThreadPoolExecutor(4) as workers:
            list(workers.map(work, range(4)))
        assert TickDatabase(path).get_state("a") == TickState(200)

    def test_too_many_ticks_are_not_stored(
        self, ticks: TickDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "MAX_TICKS", 3)
        ticks.apply_changes("a", [make_tick(n, str(n)) for n in range(3)])
        with pytest.raises(TooManyTicks):
            ticks.apply_changes("a", [make_tick(9, "9")])
        assert ticks.get_state("a") == TickState(3, frozenset("012"))
        ticks.apply_changes("a", [make_tick(10, "0", on=False)])  # Unticking is always possible.
        assert ticks.get_state("a").ticked_ids == {"1", "2"}

    def test_client_with_many_tables_loses_its_own_ones_only(
        self, ticks: TickDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "MAX_TABLES", 4)
        now = 1_000_000_000
        monkeypatch.setattr("time.time", lambda: now)
        assert ticks.apply_changes("victim", [make_tick(1)], "v") is None
        for number in range(20):
            now += 1
            deleted_from = ticks.apply_changes(f"attack{number}", [make_tick(1)], "attacker")
            assert deleted_from == ("attacker" if number > 2 else None)
        assert ticks.apply_changes("another", [make_tick(1)], "w") == "attacker"
        kept = [f"attack{number}" for number in range(20) if ticks.get_version(f"attack{number}")]
        assert kept == ["attack18", "attack19"]
        assert ticks.get_version("victim") == ticks.get_version("another") == 1

    def test_table_without_ticks_is_deleted_first(
        self, ticks: TickDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "MAX_TABLES", 2)
        ticks.apply_changes("a", [make_tick(1)], "x")
        ticks.apply_changes("b", [make_tick(1), make_tick(2, on=False)], "y")
        monkeypatch.setattr("time.time", lambda: 9_999_999_999)
        ticks.apply_changes("b", [make_tick(3, on=False)], "y")
        assert ticks.apply_changes("c", [make_tick(1)], "z") == "y"
        assert ticks.get_state("a").ticked_ids and not ticks.get_version("b")
        ticks.apply_changes("b", [make_tick(1)], "y")  # The ids of its earlier changes are forgotten too.
        assert ticks.get_state("b") == TickState(1, frozenset({"0-0"}))

    def test_changes_without_effect_store_nothing(self, ticks: TickDatabase) -> None:
        ticks.apply_changes("a", [])
        ticks.apply_changes("b", [make_tick(1, on=False)])
        rows = [ticks._reader.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("laid", "done")]
        assert rows == [(0,), (0,)]

    def test_oldest_change_ids_are_deleted(
        self, ticks: TickDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "MAX_CHANGE_IDS", 10)
        for number in range(30):
            ticks.apply_changes("a", [make_tick(number)])
        (kept,) = ticks._reader.execute("SELECT count(*) FROM done").fetchone()
        assert kept == 10

    @pytest.mark.parametrize(("age", "is_kept"), [(59, True), (61, False)])
    def test_table_is_deleted_60_days_after_its_last_change(
        self,
        ticks: TickDatabase,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        age: int,
        is_kept: bool,
    ) -> None:
        ticks.apply_changes("a", [make_tick(1)])
        now = time.time()
        monkeypatch.setattr("time.time", lambda: now + age * 24 * 60 * 60)
        reopened = TickDatabase(str(tmp_path / "ticks.sqlite3"))
        assert (reopened.get_state("a") != TickState()) == is_kept

    def test_file_of_another_program_is_refused(self, tmp_path: Path) -> None:
        import sqlite3

        path = tmp_path / "ticks.sqlite3"
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE x (y)")
        with pytest.raises(BadDatabase, match="another program"):
            TickDatabase(str(path))
        path.write_text("nothing of the sort " * 100)
        with pytest.raises(BadDatabase):
            TickDatabase(str(path))

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
    def test_file_is_readable_by_its_owner_only(self, ticks: TickDatabase, tmp_path: Path) -> None:
        assert (tmp_path / "ticks.sqlite3").stat().st_mode & 0o077 == 0


ADDRESS = "/table?sets=base&players=2&seed=ticks"


class Phone:
    """A phone that shows the page of a table."""

    def __init__(self, client: TestClient, address: str = ADDRESS) -> None:
        self.client, self.address = client, address
        page = client.get(address).text
        self.key, self.token = re.findall(r'data-table="(\w+)" data-token="(\w+)"', page)[0]
        form = page[page.index('action="/ticks/') :]
        named = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)[:3]
        self.fields = {name: unescape(value) for name, value in named}
        self.items = re.findall(r'data-tick="([^"]+)"', page)
        self.ticked = re.findall(r'data-tick="([^"]+)" checked', page)

    def post_ticks(self, *ticks: TickChange, token: str = "", **headers: str) -> tuple[int, set[str]]:
        body = {"token": token or self.token, "ticks": ticks}
        answer = self.client.post(f"/ticks/{self.key}", json=body, headers=headers)
        ticked = answer.json()["ticked"] if answer.status_code == 200 else ()
        return answer.status_code, {*ticked}

    def get_ticked(self) -> set[str]:
        return {*self.client.get(f"/ticks/{self.key}").json()["ticked"]}


class TestSharedTicks:
    def test_phones_see_each_other_s_ticks(self, serving: Serving) -> None:
        client = serving()
        one, other = Phone(client), Phone(client)
        assert one.post_ticks(make_tick(1, "0-1")) == (200, {"0-1"})
        assert other.get_ticked() == {"0-1"}
        assert other.post_ticks(make_tick(2, "0-2"), make_tick(3, "0-1", False)) == (200, {"0-2"})
        assert one.get_ticked() == {"0-2"}
        assert Phone(client).ticked == ["0-2"]
        assert Phone(client, ADDRESS.replace("ticks", "other")).get_ticked() == set()

    def test_etag_saves_unchanged_responses(self, serving: Serving) -> None:
        phone = Phone(serving())
        first = phone.client.get(f"/ticks/{phone.key}")
        known = {"if-none-match": first.headers["etag"]}
        assert phone.client.get(f"/ticks/{phone.key}", headers=known).status_code == 304
        phone.post_ticks(make_tick(1))
        again = phone.client.get(f"/ticks/{phone.key}", headers=known)
        assert again.status_code == 200 and again.headers["etag"] != first.headers["etag"]

    def test_form_without_script_changes_what_differs_from_the_page(self, serving: Serving) -> None:
        client = serving()
        one, other = Phone(client), Phone(client)
        other.post_ticks(make_tick(1, "0-3"))
        form = {**one.fields, "tick": ["0-0", "0-1"]}
        answer = client.post(f"/ticks/{one.key}", data=form)
        assert (answer.status_code, answer.headers["location"]) == (303, ADDRESS)
        assert one.get_ticked() == {"0-0", "0-1", "0-3"}  # Ticks that others have made meanwhile stay.
        again = Phone(client)
        client.post(f"/ticks/{again.key}", data={**again.fields, "tick": ["0-1", "0-3"]})
        assert one.get_ticked() == {"0-1", "0-3"}

    def test_form_without_script_works_for_the_longest_address(self, serving: Serving) -> None:
        """Its address is encoded twice in the body."""
        address = f"/table?sets=base&players=2&without={'%E7%A4%BC%E6%8B%9D%E5%A0%82,' * 280}&seed=x"
        client = serving()
        address = client.get(address).headers["location"]
        phone = Phone(client, address)
        answer = client.post(f"/ticks/{phone.key}", data={**phone.fields, "tick": phone.items})
        assert answer.status_code == 303 and phone.get_ticked() == {*phone.items}

    def test_form_with_another_table_is_refused(self, serving: Serving) -> None:
        phone = Phone(serving())
        for other in ("seed=x", "https://example.org/", "//example.org"):
            form = {**phone.fields, "table": other}
            assert phone.client.post(f"/ticks/{phone.key}", data=form).status_code == 403

    def test_json_with_a_wrong_token_is_refused(self, serving: Serving) -> None:
        client = serving()
        phone, other = Phone(client), Phone(client, ADDRESS + "x")
        for token in ("x", other.token, "é"):
            assert phone.post_ticks(make_tick(1), token=token)[0] == 403
        assert phone.get_ticked() == set()

    @pytest.mark.parametrize("token", [None, "", "x"])
    def test_form_with_a_missing_or_wrong_token_is_refused(self, serving: Serving, token: str | None) -> None:
        """Everything else in the form is right, so that only the token can be the reason."""
        phone = Phone(serving())
        form = {name: value for name, value in phone.fields.items() if name != "token"}
        if token is not None:
            form["token"] = token
        response = phone.client.post(f"/ticks/{phone.key}", data={**form, "tick": "0-1"})
        assert response.status_code == 403
        assert phone.get_ticked() == set()

    def test_form_for_a_played_game_with_a_wrong_token_is_refused(self, serving: Serving) -> None:
        phone = Phone(serving())
        for token in ("", "x"):
            response = phone.client.post("/played", data={**phone.fields, "token": token})
            assert response.status_code == 403

    def test_cross_site_request_is_refused(self, serving: Serving) -> None:
        phone = Phone(serving())
        for headers, status in (
            ({"origin": f"http://{HOST}"}, 200),
            ({"origin": "null"}, 200),  # a form on a page without referrers
            ({"sec-fetch-site": "same-origin"}, 200),
            ({"origin": "http://example.org"}, 403),
            ({"origin": f"http://example.org?//{HOST}"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"sec-fetch-site": "same-site"}, 403),
        ):
            assert phone.post_ticks(make_tick(1), **headers)[0] == status, headers

    @pytest.mark.parametrize(
        "body",
        [
            "",
            "[]",
            "{}",
            "[[[[",
            '{"token": 1, "ticks": []}',
            r'{"token": "\ud800", "ticks": []}',
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
    def test_invalid_json_is_refused(self, client: TestClient, body: str) -> None:
        headers = {"content-type": "application/json"}
        assert client.post("/ticks/abc", content=body, headers=headers).status_code == 400

    def test_too_many_ticks_are_refused(self, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_TICKS", 1)
        phone = Phone(serving())
        body = {"token": phone.token, "ticks": [make_tick(1), make_tick(2, "0-1")]}
        response = phone.client.post(f"/ticks/{phone.key}", json=body, headers={"accept-language": "ja"})
        assert response.status_code == 507
        assert response.json() == {"error": "このテーブルのチェックが多すぎます。"}

    def test_deleted_tables_are_reported_once_for_each_client(
        self, serving: Serving, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "MAX_TABLES", 1)
        reports: list[str] = []
        client = serving(report=lambda template, **values: reports.append(template.format(**values)))
        for seed in "abc":
            assert Phone(client, f"/table?sets=base&players=2&seed={seed}").post_ticks(make_tick(1))[0] == 200
        assert reports[0] == "Ready." and len(reports) == 2
        assert "tables from testclient are deleted" in reports[1]

    def test_thousand_changes_from_eight_clients_are_applied_once(self, serving: Serving) -> None:
        phone = Phone(serving())

        def work(worker: int) -> None:
            for number in range(0, 125, 5):
                ticks = [
                    TickChange(f"{worker}.{n}", f"{worker}", n % 2 == 0) for n in range(number, number + 5)
                ]
                assert phone.post_ticks(*ticks)[0] == 200
                assert phone.post_ticks(*ticks)[0] == 200  # again, as if the response had been lost

        with ThreadPoolExecutor(8) as workers:
            list(workers.map(work, range(8)))
        state = phone.client.get(f"/ticks/{phone.key}").json()
        assert state == {"version": 1000, "ticked": sorted(str(worker) for worker in range(8))}
