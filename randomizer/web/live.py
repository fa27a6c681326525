"""Ticks that many phones share: written together as they come, read as often as anybody asks."""

import asyncio
import hmac
from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus

from randomizer.memory.ticks import BadTicks, State, Tick, Ticks
from randomizer.web.guard import Refused

_Change = tuple[str, Sequence[Tick], "asyncio.Future[State]"]


class Live:
    """The ticks of all tables.

    Args:
        ticks: where they are kept.
    """

    def __init__(self, ticks: Ticks) -> None:
        self._ticks = ticks
        self._waiting: list[_Change] = []
        self._writing: asyncio.Task[None] | None = None
        self._secret = ticks.secret("token").encode()

    def token(self, table: str) -> str:
        """What a page of the table sends with every change, and nobody else knows."""
        return hmac.new(self._secret, table.encode(), sha256).hexdigest()[:32]

    def check(self, table: str, token: str) -> None:
        """Refuse a change that does not come from a page of the table.

        Raises:
            Refused: it does not.
        """
        if not hmac.compare_digest(self.token(table).encode(), token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN)

    def version(self, table: str) -> int:
        """How many changes there have been on a table."""
        return self._ticks.version(table)

    def state(self, table: str) -> State:
        """What is ticked on a table."""
        return self._ticks.state(table)

    async def change(self, table: str, ticks: Sequence[Tick]) -> State:
        """Do changes; whatever else comes meanwhile is written along with them.

        Returns:
            What is ticked then. It is on the disk.

        Raises:
            Refused: there are too many tables or ticks, or nothing can be written.
        """
        done: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, ticks, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await done

    async def _write(self) -> None:
        while self._waiting:
            changes, self._waiting = self._waiting, []
            try:
                fits = await asyncio.to_thread(self._ticks.change, [(table, t) for table, t, _ in changes])
            except BadTicks:
                fits = None
            for place, (table, _, done) in enumerate(changes):
                if done.done():  # whoever asked has gone
                    continue
                if fits and fits[place]:
                    done.set_result(self._ticks.state(table))
                else:
                    full = HTTPStatus.TOO_MANY_REQUESTS if fits else HTTPStatus.INTERNAL_SERVER_ERROR
                    done.set_exception(Refused(full))
