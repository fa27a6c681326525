"""Connections: how long one may take, and how many there are. uvicorn itself waits for ever for slow ones."""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from randomizer.web.security import DEFAULT_LIMITS, Limits


class Connection(H11Protocol):
    """Somebody's connection, which ends where nothing comes of it.

    Whether bytes come now and then makes no difference: what counts is when the last answer was complete.

    Attributes:
        limits: how long it may take, and how many there may be.
    """

    limits: ClassVar[Limits] = DEFAULT_LIMITS
    _answered: object = None  # the request that is being answered
    _since = 0.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as there
        """It has been opened; where there are too many, the one that has been idle longest makes room."""
        super().connection_made(transport)
        self._begin()
        if len(self.connections) > self.limits.max_connections:
            idle = [each for each in self.connections if isinstance(each, Connection) and not each._answered]
            min(idle, key=lambda each: each._since)._end()

    def data_received(self, data: bytes) -> None:
        """Some of a request has come, or all of it."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """An answer is complete, which does not mean that it has been taken."""
        super().on_response_complete()
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        super().connection_lost(exc)
        self._stop()

    def _follow(self) -> None:
        """Begin to wait anew if there is something else to wait for."""
        now = self.cycle if self.cycle and not self.cycle.response_complete else None
        if now is not self._answered and not self.transport.is_closing():
            self._answered = now
            self._begin()

    def _begin(self) -> None:
        self._since = self.loop.time()
        self._look()

    def _look(self) -> None:
        """End the connection if its time is over; else look again when that will be so."""
        self._stop()
        busy = self._answered or self.transport.get_write_buffer_size()
        left = (
            self._since
            + (self.limits.response_timeout if busy else self.limits.head_timeout)
            - self.loop.time()
        )
        if left <= 0:
            self._end()
        else:
            self._timer = self.loop.call_later(left, self._look)

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _end(self) -> None:
        """End it at once: to close it would be to wait until everything that was sent has been taken."""
        self._stop()
        self.connections.discard(self)
        self.transport.abort()
