"""HTTP connections with timeouts and a maximum number of connections, which uvicorn does not offer."""

import asyncio
from collections import Counter
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from randomizer.web.security import DEFAULT_LIMITS, Limits


class Connection(H11Protocol):
    """A connection with a client, which is aborted if it makes no progress in time.

    Only a complete request or response counts as progress. A client that sends single bytes slowly does not
    restart the timeout.

    Attributes:
        limits: the timeouts and the maximum number of connections.
    """

    limits: ClassVar[Limits] = DEFAULT_LIMITS
    _current_request: object = None  # the request that is being answered
    _waiting_since = 0.0  # seconds of the event loop's clock
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type, too
        """Accept this connection. If too many are open, abort one that the busiest client opened."""
        super().connection_made(transport)
        self._restart_timeout()
        if len(self.connections) > self.limits.max_connections:
            open_connections = [each for each in self.connections if isinstance(each, Connection)]
            ((client, _),) = Counter(each._address for each in open_connections).most_common(1)
            candidates = [each for each in open_connections if each._address == client]
            # Prefer connections that wait for a request, and of these the one that has waited longest.
            min(candidates, key=lambda each: (bool(each._current_request), each._waiting_since))._abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def data_received(self, data: bytes) -> None:
        """Handle bytes from the client, which may be only a part of a request."""
        super().data_received(data)
        self._note_progress()

    def on_response_complete(self) -> None:
        """Handle the end of a response. The client may not have received all of it yet."""
        super().on_response_complete()
        self._note_progress()

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after the connection has ended."""
        super().connection_lost(exc)
        self._cancel_timer()

    def _note_progress(self) -> None:
        """Restart the timeout if a request or a response has just been completed."""
        request = self.cycle if self.cycle and not self.cycle.response_complete else None
        if request is not self._current_request and not self.transport.is_closing():
            self._current_request = request
            self._restart_timeout()

    def _restart_timeout(self) -> None:
        self._waiting_since = self.loop.time()
        self._check_timeout()

    def _check_timeout(self) -> None:
        """Abort the connection if its timeout has passed; otherwise schedule the next check for that time."""
        self._cancel_timer()
        is_responding = self._current_request or self.transport.get_write_buffer_size()
        timeout = self.limits.response_timeout if is_responding else self.limits.header_timeout
        remaining = self._waiting_since + timeout - self.loop.time()
        if remaining <= 0:
            self._abort()
        else:
            self._timer = self.loop.call_later(remaining, self._check_timeout)

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _abort(self) -> None:
        """Abort the connection at once. `close` would wait until the client has received everything."""
        self._cancel_timer()
        self.connections.discard(self)
        self.transport.abort()
