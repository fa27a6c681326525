"""Other processes that work pages out, so that what takes too long can be ended, and nobody waits for it."""

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from struct import Struct
from typing import Any

from randomizer.web.frame import PageResponse, Visitor
from randomizer.web.security import RequestRefused

LENGTH_PREFIX = Struct("!I")  # before each text that goes between the processes, its length
_STARTING = 120.0  # seconds for a process to read all data, should nothing of it be in the cache


class PageTimeout(Exception):
    """It has been given up, because it took too long."""


class WorkerPool:
    """Some processes, each of which works out one thing at a time.

    Args:
        module: what they run.
        count: how many there are.
        seconds: after which a thing is given up.
        queue: how many things may wait.
    """

    def __init__(self, module: str, count: int, seconds: float, queue: int) -> None:
        self._module, self._count, self._seconds, self._queue = module, count, seconds, queue
        self._free: asyncio.Queue[asyncio.subprocess.Process] = asyncio.Queue()
        self._all: set[asyncio.subprocess.Process] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting = 0

    async def start(self) -> None:
        """Start the processes, and wait until all of them are ready."""
        await asyncio.gather(*(self._start() for _ in range(self._count)))

    async def stop(self) -> None:
        """End the processes."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for process in list(self._all):
            await self._end(process)

    async def render_page(self, what: str, visitor: Visitor, given: Mapping[str, Any]) -> PageResponse:
        """A page, worked out by one of the processes.

        Args:
            what: the name of the page.
            visitor: who looks at it.
            given: what it takes besides, as JSON has it.

        Raises:
            Refused: too many are waiting already.
            TooLong: it was given up.
        """
        if self._waiting >= self._queue:
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        self._waiting += 1
        try:
            process = await self._free.get()
        finally:
            self._waiting -= 1
        answer: dict[str, Any] | None = None
        try:
            async with asyncio.timeout(self._seconds):
                answer = json.loads(await _said(process, json.dumps([what, visitor, given]).encode()))
        except TimeoutError:
            raise PageTimeout from None
        except (asyncio.IncompleteReadError, OSError):  # it has ended
            raise RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR) from None
        finally:  # also where whoever asked has gone
            if answer is None:
                self._replace(process)
            else:
                self._free.put_nowait(process)
        return PageResponse(**answer)

    def _replace(self, process: asyncio.subprocess.Process) -> None:
        """Another process for one that works on what nobody wants any more."""

        async def replace() -> None:
            await self._end(process)
            await self._start()

        task = asyncio.create_task(replace())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", self._module, stdin=pipe, stdout=pipe, start_new_session=True
        )
        self._all.add(process)
        async with asyncio.timeout(_STARTING):
            await _said(process, b"")
        self._free.put_nowait(process)

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        self._all.discard(process)


async def _said(process: asyncio.subprocess.Process, text: bytes) -> bytes:
    """What a process answers to a text."""
    to, from_ = process.stdin, process.stdout
    if to is None or from_ is None:
        raise OSError("it has no pipes")
    to.write(LENGTH_PREFIX.pack(len(text)) + text)
    await to.drain()
    (size,) = LENGTH_PREFIX.unpack(await from_.readexactly(LENGTH_PREFIX.size))
    return await from_.readexactly(size)
