"""A server as the tests ask it: in this process, with processes of its own for the pages."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from randomizer.memory.ticks import TickDatabase
from randomizer.rules.lookup import open_index
from randomizer.web import app
from randomizer.web.app import Server
from randomizer.web.security import AllowedHosts, Limits
from randomizer.web.workers import WorkerPool

HOST = "localhost:8765"
PLENTY = Limits(requests_per_second=100_000, pages_per_second=100_000, page_timeout=20)
Serving = Callable[..., TestClient]


def wait_until_ready(server: Server) -> None:
    """Wait until the first worker of a started server can render pages."""
    while not server._workers.ready_event.is_set():
        time.sleep(0.05)


def client_of(server: Server, **kwargs: object) -> TestClient:
    return TestClient(
        server.app,
        base_url=f"http://{HOST}",
        follow_redirects=False,
        raise_server_exceptions=False,
        **kwargs,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def indexed() -> None:
    """The index of the rules is there, before several processes want it at once and each makes it."""
    open_index()


@pytest.fixture(scope="session")
def client(indexed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Open to this computer alone, with limits that no test comes near."""
    ticks = TickDatabase(str(tmp_path_factory.mktemp("ticks") / "ticks.sqlite3"))
    server = Server(AllowedHosts({HOST}), ticks, limits=PLENTY)
    with client_of(server) as opened:
        wait_until_ready(server)
        opened.app_server = server
        yield opened
    ticks.close()


class OneWorker(WorkerPool):
    """One process instead of several, because a test asks for one page after the other."""

    def __init__(self, _: int, *limits: Any) -> None:
        super().__init__(1, *limits)


@pytest.fixture
def serving(indexed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """Opens a server with limits of its own."""
    monkeypatch.setattr(app, "WorkerPool", OneWorker)
    with ExitStack() as open_:

        def serve(
            limits: Limits = PLENTY,
            base: str = "",
            lang: str = "",
            defaults: Mapping[str, Any] = {},
            network_hosts: Sequence[str] = (),
            report: Callable[..., None] = print,
            allowed_origins: Sequence[str] = (),
        ) -> TestClient:
            ticks = TickDatabase(str(tmp_path / "ticks.sqlite3"))
            open_.callback(ticks.close)
            hosts = AllowedHosts({HOST}, base, network_hosts)
            server = Server(hosts, ticks, lang, limits, defaults, report, allowed_origins)
            client = open_.enter_context(client_of(server))
            wait_until_ready(server)
            client.app_server = server
            return client

        yield serve
