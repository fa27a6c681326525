"""A pool of worker processes that render pages, and a queue of the requests that wait for a worker.

Because each page is rendered in another process, a slow page can be cancelled and does not block other pages.
"""

import asyncio
import json
import sys
from collections import Counter, deque
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from randomizer.web.frame import PageResponse, Visitor
from randomizer.web.security import RequestRefused

_START_TIMEOUT = 120.0  # seconds; without a cache, a worker has to read all data files first
_RESTART_DELAY = 2.0  # seconds until a worker that could not start is started again
_MAX_RESPONSE_BYTES = 2**26  # the maximum size of a rendered page
# `-m` would put the working directory first in the module search path, so that a file `string.py` there
# would be executed. Instead, this program appends the folder that contains the package to the path.
_PACKAGE_PARENT = str(Path(__file__).resolve().parents[2])
_WORKER_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from randomizer.web.worker import main; main()"


class FairQueue:
    """A queue of requests for workers, with a separate queue for each client.

    Free workers are assigned to clients in turn (round-robin scheduling), so that a client with many requests
    does not delay the others.

    Args:
        max_active_per_client: the maximum number of workers that a client can use at once.
        max_waiting_per_client: the maximum number of requests of one client that wait.
        max_waiting_clients: the maximum number of clients that wait.
    """

    def __init__(
        self, max_active_per_client: int, max_waiting_per_client: int, max_waiting_clients: int
    ) -> None:
        self._max_active_per_client = max_active_per_client
        self._max_waiting_per_client = max_waiting_per_client
        self._max_waiting_clients = max_waiting_clients
        self._idle_workers: deque[asyncio.subprocess.Process] = deque()
        self._active_counts: Counter[str] = Counter()
        # client -> its waiting requests. The client whose turn is next comes first.
        self._waiting: dict[str, deque[asyncio.Future[asyncio.subprocess.Process]]] = {}

    def add_worker(self, worker: asyncio.subprocess.Process) -> None:
        """Add a worker that is ready for a request."""
        self._idle_workers.append(worker)
        self._assign_workers()

    async def take_worker(self, client: str) -> asyncio.subprocess.Process:
        """Wait for a free worker. Afterwards, the caller must return this worker or a replacement.

        Args:
            client: the IP address of the client.

        Raises:
            RequestRefused: too many requests of the client, or requests of too many clients, are waiting.
        """
        queue = self._waiting.get(client)
        if (
            len(queue) >= self._max_waiting_per_client
            if queue
            else len(self._waiting) >= self._max_waiting_clients
        ):
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        assignment: asyncio.Future[asyncio.subprocess.Process] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(assignment)
        self._assign_workers()
        try:
            return await assignment
        except asyncio.CancelledError:  # The client has disconnected.
            if assignment.done() and not assignment.cancelled():
                self.return_worker(client, assignment.result())
            else:
                self._remove_request(client, assignment)
            raise

    def return_worker(self, client: str, worker: asyncio.subprocess.Process) -> None:
        """Make the worker that a client used, or its replacement, available to the next request."""
        self._active_counts[client] -= 1
        self._active_counts += Counter()  # This removes the clients that use no worker.
        self.add_worker(worker)

    def _assign_workers(self) -> None:
        """Assign the idle workers to waiting requests."""
        for client in list(self._waiting):
            if self._idle_workers and self._active_counts[client] < self._max_active_per_client:
                queue = self._waiting.pop(client)
                queue.popleft().set_result(self._idle_workers.popleft())
                self._active_counts[client] += 1
                if queue:
                    self._waiting[client] = queue  # behind all other clients

    def _remove_request(self, client: str, assignment: "asyncio.Future[asyncio.subprocess.Process]") -> None:
        """Remove a waiting request whose client has disconnected."""
        self._waiting[client].remove(assignment)
        if not self._waiting[client]:
            del self._waiting[client]


class WorkerPool:
    """A pool of processes, each of which renders one page at a time.

    Args:
        process_count: the number of processes, at least 2. A client can use all of them except one.
        timeout: the maximum time for rendering a page, in seconds. A process that takes longer is replaced.
        max_queued_per_client: the maximum number of pages of one client that wait for a process.
        max_queued_clients: the maximum number of clients that wait for a process.
    """

    def __init__(
        self, process_count: int, timeout: float, max_queued_per_client: int, max_queued_clients: int
    ) -> None:
        self.ready_event = asyncio.Event()
        self._process_count, self._timeout = process_count, timeout
        self._queue = FairQueue(max(1, process_count - 1), max_queued_per_client, max_queued_clients)
        self._processes: set[asyncio.subprocess.Process] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    def start(self) -> None:
        """Start the processes in the background. `ready_event` is set when the first of them is ready."""
        self._run_in_background(self._start_all())

    async def _start_all(self) -> None:
        await self._add_process()  # The first process fills the caches, from which the others read.
        self.ready_event.set()
        for _ in range(self._process_count - 1):
            self._run_in_background(self._add_process())

    async def _add_process(self) -> None:
        self._queue.add_worker(await self._start_process())

    async def stop(self) -> None:
        """Stop the processes."""
        # A task is not cancelled while it starts a process, because asyncio would then print a warning
        # about an unknown process. Each task checks `_is_stopping` instead.
        self._is_stopping = True
        for process in list(self._processes):
            await self._stop_process(process)
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def render_page(
        self, client: str, page_name: str, visitor: Visitor, arguments: Mapping[str, Any]
    ) -> PageResponse:
        """Render a page in one of the processes.

        Args:
            client: the IP address of the client.
            page_name: the name of the page, a key of `worker.PAGE_HANDLERS`.
            visitor: the visitor of the request.
            arguments: the other arguments of the page's handler, as JSON values.

        Raises:
            RequestRefused: too many pages are waiting, the page took too long, or the process has ended.
        """
        process = await self._queue.take_worker(client)
        response: dict[str, Any] | None = None
        try:
            async with asyncio.timeout(self._timeout):
                response = await _exchange(process, [page_name, visitor, arguments])
        except TimeoutError:
            raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE) from None
        except (ValueError, OSError):  # The process has ended.
            raise RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR) from None
        finally:  # This also runs when the client has disconnected.
            if response is None:
                self._run_in_background(self._replace_process(client, process))
            else:
                self._queue.return_worker(client, process)
        return PageResponse(**response)

    def _run_in_background(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace_process(self, client: str, process: asyncio.subprocess.Process) -> None:
        """Replace a process. Until the new one is ready, it counts as a worker that the client uses."""
        await self._stop_process(process)
        self._queue.return_worker(client, await self._start_process())

    async def _start_process(self) -> asyncio.subprocess.Process:
        """Start a process and wait until it is ready. Try again until this succeeds.

        Raises:
            asyncio.CancelledError: the pool is stopping.
        """
        pipe = asyncio.subprocess.PIPE
        while not self._is_stopping:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-c", _WORKER_PROGRAM, _PACKAGE_PARENT),
                stdin=pipe,
                stdout=pipe,
                start_new_session=True,
                limit=_MAX_RESPONSE_BYTES,
            )
            self._processes.add(process)
            if not self._is_stopping:
                try:
                    async with asyncio.timeout(_START_TIMEOUT):
                        await _exchange(process, [])
                    return process
                except (ValueError, OSError):  # The process has printed the reason on stderr.
                    await asyncio.sleep(0 if self._is_stopping else _RESTART_DELAY)
            await self._stop_process(process)
        raise asyncio.CancelledError

    async def _stop_process(self, process: asyncio.subprocess.Process) -> None:
        # A second `kill` could collect the exit status before asyncio, which would then print a warning.
        if process in self._processes:
            self._processes.discard(process)
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _exchange(process: asyncio.subprocess.Process, request: Any) -> Any:
    """Send a request to a process and return its response. Each of them is a line of JSON.

    Raises:
        ValueError: the process has ended.
        OSError: the process has ended.
    """
    if process.stdin is None or process.stdout is None:
        raise OSError("it has no pipes")
    process.stdin.write(json.dumps(request).encode() + b"\n")
    await process.stdin.drain()
    return json.loads(await process.stdout.readline())
