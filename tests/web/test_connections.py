"""Connections of clients that are slow on purpose, over real sockets: others do not notice."""

import asyncio
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from threading import Event, Semaphore, Thread

import pytest

pytest.importorskip("uvicorn")

import uvicorn
from starlette.types import Receive, Scope, Send

from randomizer.web.command import _bind_socket
from randomizer.web.connections import Connection
from randomizer.web.security import DEFAULT_LIMITS, Limits

QUICK = DEFAULT_LIMITS._replace(header_timeout=0.4, response_timeout=1.2)
# For tests that are themselves delayed on a busy computer.
PATIENT = DEFAULT_LIMITS._replace(header_timeout=0.8, response_timeout=1.8)
HEAD = b"GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = 30_000_000  # bytes, more than a system takes over for somebody who reads nothing
Opens = Callable[[], socket.socket]
HOLDING, LET_GO = Semaphore(0), Event()  # requests that are being answered; they are, from then on


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers at once, late, when it is let, or with more than is taken; what is posted it does not read."""
    if scope["type"] == "http":
        if scope["path"] == "/late":
            await asyncio.sleep(0.7)
        if scope["path"] == "/held":
            HOLDING.release()
            while not LET_GO.is_set():
                await asyncio.sleep(0.01)
        if scope["path"] == "/never":
            await asyncio.sleep(60)
        body = b"x" * (LARGE if scope["path"] == "/large" else 3)
        length = (b"content-length", str(len(body)).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
def serve() -> Iterator[Callable[[Limits], Opens]]:
    """Starts a server with limits of its own; what comes of it opens connections."""
    LET_GO.clear()
    with ExitStack() as open_:

        def started(given: Limits) -> Opens:
            class Limited(Connection):
                limits = given

            listening = open_.enter_context(closing(_bind_socket(0, allow_network=False)))
            config = uvicorn.Config(
                app, http=Limited, lifespan="off", log_level="critical", timeout_graceful_shutdown=1
            )
            server = uvicorn.Server(config)
            thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
            thread.start()
            open_.callback(thread.join, 10)
            open_.callback(setattr, server, "should_exit", True)

            def opened() -> socket.socket:
                return open_.enter_context(socket.create_connection(listening.getsockname(), timeout=10))

            return opened

        yield started


def answered(connection: socket.socket, path: str = "/small") -> bool:
    """Send a request and return whether it is answered before the connection ends."""
    with suppress(ConnectionError):
        connection.sendall(HEAD.replace(b"/small", path.encode()))
        return receives_answer(connection)
    return False


def receives_answer(connection: socket.socket) -> bool:
    """Return whether a small answer arrives before the connection ends.

    Raises:
        TimeoutError: nothing arrives although the connection stays open.
    """
    text = b""
    with suppress(ConnectionError):
        while not text.endswith(b"xxx"):
            piece = connection.recv(1000)
            if not piece:
                return False
            text += piece
    return text.startswith(b"HTTP/1.1 200")


def lasts(begun: float, connection: socket.socket, piece: bytes = b"") -> float:
    """Seconds from then until the connection ends, on which a piece is sent again and again; at most ten."""
    with suppress(OSError):
        while time.monotonic() < begun + 10:
            connection.sendall(piece)
            connection.settimeout(0.05)
            with suppress(TimeoutError):
                if not connection.recv(1000):
                    break
    return time.monotonic() - begun


class TestSlow:
    """Each is cut off: not before its time, and long before it would be by itself, however busy we are."""

    def test_slow_request_head_closes_the_connection(self, serve: Callable[[Limits], Opens]) -> None:
        opened, begun = serve(QUICK), time.monotonic()
        slow = opened()
        slow.sendall(HEAD[:-2])
        assert 0.4 <= lasts(begun, slow, b"X-a: b\r\n") < 9

    def test_silent_client_closes_the_connection(self, serve: Callable[[Limits], Opens]) -> None:
        opened, begun = serve(QUICK), time.monotonic()
        assert 0.4 <= lasts(begun, opened()) < 9

    def test_slow_second_request_head_closes_the_connection(self, serve: Callable[[Limits], Opens]) -> None:
        opened, begun = serve(QUICK), time.monotonic()
        slow = opened()
        assert answered(slow)
        slow.sendall(HEAD[:-2])
        assert 0.4 <= lasts(begun, slow, b"X-a: b\r\n") < 9

    def test_slow_body_after_the_response_closes_the_connection(
        self, serve: Callable[[Limits], Opens]
    ) -> None:
        opened, begun = serve(QUICK), time.monotonic()
        slow = opened()
        slow.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\n")
        assert 0.4 <= lasts(begun, slow, b"x") < 9

    def test_unread_response_closes_the_connection(self, serve: Callable[[Limits], Opens]) -> None:
        opened, begun = serve(QUICK), time.monotonic()
        slow = opened()
        slow.sendall(HEAD.replace(b"/small", b"/large"))
        with suppress(ConnectionError):
            while time.monotonic() < begun + 9:
                slow.sendall(b"\r\n")  # Empty lines may precede a request. They fail once we are cut off.
                time.sleep(0.05)
        assert 1.2 <= time.monotonic() - begun < 9

    def test_handler_that_never_answers_closes_the_connection(self, serve: Callable[[Limits], Opens]) -> None:
        opened, begun = serve(QUICK), time.monotonic()
        slow = opened()
        slow.sendall(HEAD.replace(b"/small", b"/never"))
        assert 1.2 <= lasts(begun, slow) < 9


class TestOrdinary:
    def test_consecutive_requests_restart_the_timeout(self, serve: Callable[[Limits], Opens]) -> None:
        connection = serve(PATIENT)()
        for _ in range(12):
            assert answered(connection)
            time.sleep(0.1)
        assert answered(connection, "/late")

    def test_pipelined_requests_are_answered(self, serve: Callable[[Limits], Opens]) -> None:
        connection = serve(PATIENT)()
        connection.sendall(HEAD * 3)
        text = b""
        while text.count(b"xxx") < 3:
            piece = connection.recv(1000)
            assert piece
            text += piece
        assert answered(connection)

    def test_slowly_read_response_is_complete(self, serve: Callable[[Limits], Opens]) -> None:
        """It lasts longer than a request may, and arrives."""
        connection = serve(QUICK._replace(response_timeout=20))()
        connection.sendall(HEAD.replace(b"/small", b"/large"))
        time.sleep(1)
        taken = 0
        while taken < LARGE:
            piece = connection.recv(1_000_000)
            assert piece
            taken += len(piece)


class TestMany:
    def test_excess_connection_closes_the_longest_idle_one(self, serve: Callable[[Limits], Opens]) -> None:
        opened = serve(DEFAULT_LIMITS._replace(max_connections=3))
        first, *others = [opened() for _ in range(3)]
        assert answered(others[0]) and answered(others[1])
        assert answered(opened())
        assert not answered(first)
        assert answered(others[0]) and answered(others[1])

    def test_request_is_answered_among_hundreds_of_idle_connections(
        self, serve: Callable[[Limits], Opens]
    ) -> None:
        opened = serve(DEFAULT_LIMITS._replace(max_connections=20))
        idle = [opened() for _ in range(300)]
        assert answered(opened())
        assert sum(answered(each) for each in idle) <= 20

    @pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of this computer")
    def test_client_with_many_busy_connections_loses_one_to_another_client(
        self, serve: Callable[[Limits], Opens]
    ) -> None:
        opened = serve(DEFAULT_LIMITS._replace(max_connections=3))
        busy = [opened() for _ in range(3)]
        for each in busy:  # one after another, so that the first is the one that has waited longest
            each.sendall(HEAD.replace(b"/small", b"/held"))
            assert HOLDING.acquire(timeout=10)
        address = busy[0].getpeername()
        with socket.create_connection(address, timeout=10, source_address=("127.0.0.2", 0)) as other:
            assert answered(other)
        assert not receives_answer(busy[0])
        LET_GO.set()
        assert all(map(receives_answer, busy[1:]))

    def test_excess_connection_is_closed_if_all_others_are_busy(
        self, serve: Callable[[Limits], Opens]
    ) -> None:
        opened = serve(DEFAULT_LIMITS._replace(max_connections=2))
        busy = [opened() for _ in range(2)]
        for each in busy:
            each.sendall(HEAD.replace(b"/small", b"/held"))
            assert HOLDING.acquire(timeout=10)
        assert not answered(opened())
        LET_GO.set()
        assert all(map(receives_answer, busy))
