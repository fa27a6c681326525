"""Worker processes: clients share them fairly, and they execute nothing of the folder they are started in."""

import asyncio
import os
import re
import sys
import urllib.request
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from randomizer.web import workers
from randomizer.web.address import build_table_key, parse_query
from randomizer.web.security import RequestRefused
from randomizer.web.workers import FairQueue
from tests.support.serving import run_server
from tests.web.conftest import Serving


class Requests:
    """Requests to a fair queue, whose workers are numbers.

    Attributes:
        order: the clients that have got a worker, in this order.
    """

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.order: list[str] = []
        self.finished: dict[str, asyncio.Event] = {}
        self.tasks: list[asyncio.Task[None]] = []

    async def make(self, *clients: str) -> None:
        for client in clients:
            self.finished.setdefault(client, asyncio.Event())
            self.tasks.append(asyncio.create_task(self._make_one(client)))
            await self.settle()

    async def _make_one(self, client: str) -> None:
        worker = await self.queue.take_worker(client)
        self.order.append(client)
        await self.finished[client].wait()
        self.queue.return_worker(client, worker)

    async def settle(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)


def add_workers(queue: FairQueue, count: int) -> None:
    for number in range(count):
        queue.add_worker(number)  # type: ignore[arg-type]  # The queue never looks at a worker.


class TestFairQueue:
    def test_clients_take_turns(self) -> None:
        async def run() -> None:
            requests = Requests(FairQueue(1, 10, 10))
            await requests.make(*"aaaabbc")
            for client in "abc":
                requests.finished[client].set()
            add_workers(requests.queue, 1)
            await asyncio.gather(*requests.tasks)
            assert "".join(requests.order) == "abcabaa"

        asyncio.run(run())

    def test_client_leaves_a_worker_for_others(self) -> None:
        async def run() -> None:
            requests = Requests(FairQueue(2, 10, 10))
            add_workers(requests.queue, 3)
            await requests.make(*"aaaaa")
            assert requests.order == ["a", "a"]  # One worker is idle, although three requests wait.
            await requests.make("b")
            assert requests.order == ["a", "a", "b"]
            requests.finished["b"].set()
            await requests.settle()
            assert requests.order == ["a", "a", "b"]
            requests.finished["a"].set()
            await asyncio.gather(*requests.tasks)
            assert requests.order == [*"aabaaa"]

        asyncio.run(run())

    def test_waiting_requests_and_clients_are_limited(self) -> None:
        async def run() -> None:
            requests = Requests(FairQueue(1, 2, 2))
            await requests.make(*"aaabbc")
            refused = [task for task in requests.tasks if task.done()]
            assert [requests.tasks.index(task) for task in refused] == [2, 5]
            for task in refused:
                problem = task.exception()
                assert isinstance(problem, RequestRefused)
                assert problem.status == HTTPStatus.TOO_MANY_REQUESTS
            for task in requests.tasks:
                task.cancel()

        asyncio.run(run())

    def test_worker_of_a_disconnected_client_is_not_lost(self) -> None:
        async def run() -> None:
            requests = Requests(FairQueue(1, 10, 10))
            await requests.make(*"aab")
            requests.tasks[1].cancel()  # It is still waiting.
            await requests.settle()
            add_workers(requests.queue, 1)  # It is assigned to the first request, which is cancelled before
            requests.tasks[0].cancel()  # the task runs again.
            await requests.settle()
            assert requests.order == ["b"]
            requests.finished["b"].set()
            await requests.make("a")
            assert requests.order == ["b", "a"]
            requests.finished["a"].set()
            for task in requests.tasks:
                with suppress(asyncio.CancelledError):
                    await task

        asyncio.run(run())


class TestPreparing:
    def test_page_reloads_itself_until_a_worker_is_ready(self, serving: Serving) -> None:
        client = serving()
        server: Any = client.app_server
        server._workers.ready_event.clear()
        response = client.get("/table?sets=base&players=2&seed=1")
        assert response.status_code == 503 and response.headers["retry-after"] == "2"
        assert '<meta http-equiv="refresh" content="2">' in response.text
        assert "Preparing cards and rules" in response.text
        assert "カードとルールを準備" in client.get("/", headers={"accept-language": "ja"}).text
        server._workers.ready_event.set()
        assert client.get("/table?sets=base&players=2&seed=1").status_code == 200

    def test_posted_form_waits_until_a_worker_is_ready(self, serving: Serving) -> None:
        """A page that reloads itself would lose what was typed."""
        client = serving()
        server: Any = client.app_server
        fields = {"table": "sets=base&players=2&seed=preparing", "players": "Ann"}
        key = build_table_key(parse_query(fields["table"])[0])
        fields["token"] = server._tick_store.build_token(key)
        ready = server._workers.ready_event
        ready.clear()
        waiting = asyncio.Event.wait

        async def wait_briefly(event: asyncio.Event) -> bool:
            if event is ready:
                ready.set()
            return await waiting(event)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio.Event, "wait", wait_briefly)
            response = client.post("/played", data=fields)
        assert response.status_code == 200 and "Preparing" not in response.text

    def test_worker_that_ends_at_its_start_is_started_again(
        self, serving: Serving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """The program of the worker fails the first time only."""
        flag = tmp_path / "failed"
        fail_once = (
            f"import os\nif not os.path.exists({str(flag)!r}): open({str(flag)!r}, 'w'); os._exit(1)\n"
        )
        monkeypatch.setattr(workers, "_RESTART_DELAY", 0.0)
        monkeypatch.setattr(workers, "_WORKER_PROGRAM", fail_once + workers._WORKER_PROGRAM)
        assert serving().get("/names?of=cards&begun=w").status_code == 200
        assert flag.exists()


@pytest.mark.parametrize("variables", [{}, {"PYTHONSAFEPATH": ""}])
def test_nothing_in_the_working_directory_is_executed(tmp_path: Path, variables: dict[str, str]) -> None:
    """Each file there leaves a trace when it is imported. The installed program is started there."""
    program = Path(sys.executable).with_name("dominion-setup")
    if not program.exists():
        pytest.skip("the program is not installed")
    trap = (
        "import os; os.mkdir('/'.join((os.path.dirname(os.path.abspath(__file__)), 'trace-' + __name__)))\n"
    )
    modules = ("string", "json", "asyncio", "click", "sitecustomize", "usercustomize", "yaml", "jinja2")
    for name in modules:
        (tmp_path / f"{name}.py").write_text(trap, encoding="utf-8")
    for name in ("randomizer", "encodings"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(trap, encoding="utf-8")
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON") or name == "PYTHONPYCACHEPREFIX"
    }
    with run_server(env={**environment, **variables}, program=[str(program)], folder=tmp_path) as (
        _,
        port,
        _,
    ):
        url = f"http://localhost:{port}/table?sets=base&players=2&seed=1"
        with urllib.request.urlopen(url, timeout=60) as response:
            assert re.search("data-table=", response.read().decode())
    assert list(tmp_path.rglob("*trace-*")) == []
