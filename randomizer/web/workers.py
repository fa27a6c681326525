"""A pool of worker processes that render pages.

Because each page is rendered in another process, a slow page can be cancelled and does not block other pages.
"""

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

LENGTH_PREFIX = Struct("!I")  # the size in bytes of the message that follows, unsigned and big-endian
_START_TIMEOUT = 120.0  # seconds; without a cache, a worker has to read all data files first


class WorkerPool:
    """A pool of processes, each of which renders one page at a time.

    Args:
        module: the name of the module that each process runs.
        count: the number of processes.
        timeout: the maximum time for rendering a page, in seconds. After that, the process is replaced.
        max_queued: the maximum number of pages that wait for a process.
    """

    def __init__(self, module: str, count: int, timeout: float, max_queued: int) -> None:
        self._module, self._count, self._timeout, self._max_queued = module, count, timeout, max_queued
        self._idle: asyncio.Queue[asyncio.subprocess.Process] = asyncio.Queue()
        self._processes: set[asyncio.subprocess.Process] = set()
        self._replacements: set[asyncio.Task[None]] = set()
        self._queued_count = 0

    async def start(self) -> None:
        """Start the processes and wait until all of them are ready."""
        await asyncio.gather(*(self._start_process() for _ in range(self._count)))

    async def stop(self) -> None:
        """Stop the processes."""
        for task in self._replacements:
            task.cancel()
        await asyncio.gather(*self._replacements, return_exceptions=True)
        for process in list(self._processes):
            await self._stop_process(process)

    async def render_page(self, page: str, visitor: Visitor, arguments: Mapping[str, Any]) -> PageResponse:
        """Render a page in one of the processes.

        Args:
            page: the name of the page, a key of `worker.PAGES`.
            visitor: the visitor of the request.
            arguments: the other arguments of the page's handler, as JSON values.

        Raises:
            RequestRefused: too many pages are waiting, the page took too long, or the process has ended.
        """
        if self._queued_count >= self._max_queued:
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        self._queued_count += 1
        try:
            process = await self._idle.get()
        finally:
            self._queued_count -= 1
        answer: dict[str, Any] | None = None
        try:
            async with asyncio.timeout(self._timeout):
                message = json.dumps([page, visitor, arguments]).encode()
                answer = json.loads(await _exchange(process, message))
        except TimeoutError:
            raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE) from None
        except (asyncio.IncompleteReadError, OSError):  # The process has ended.
            raise RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR) from None
        finally:  # This also runs when the client has disconnected.
            if answer is None:
                self._replace_process(process)
            else:
                self._idle.put_nowait(process)
        return PageResponse(**answer)

    def _replace_process(self, process: asyncio.subprocess.Process) -> None:
        """Stop a process and start a new process, both in the background."""

        async def replace() -> None:
            await self._stop_process(process)
            await self._start_process()

        task = asyncio.create_task(replace())
        self._replacements.add(task)
        task.add_done_callback(self._replacements.discard)

    async def _start_process(self) -> None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", self._module, stdin=pipe, stdout=pipe, start_new_session=True
        )
        self._processes.add(process)
        async with asyncio.timeout(_START_TIMEOUT):
            await _exchange(process, b"")
        self._idle.put_nowait(process)

    async def _stop_process(self, process: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        self._processes.discard(process)


async def _exchange(process: asyncio.subprocess.Process, message: bytes) -> bytes:
    """Send a message to a process and return its answer."""
    stdin, stdout = process.stdin, process.stdout
    if stdin is None or stdout is None:
        raise OSError("it has no pipes")
    stdin.write(LENGTH_PREFIX.pack(len(message)) + message)
    await stdin.drain()
    (size,) = LENGTH_PREFIX.unpack(await stdout.readexactly(LENGTH_PREFIX.size))
    return await stdout.readexactly(size)
