"""Tests the server under load: `python -m benchmarks.phones`. A full-size run uses `--seconds 600`.

It simulates

- 200 phones on one table, each of which polls every second and ticks an item every five seconds,
- 50 deals per second,
- a client that sends expensive requests without a pause, while another client loads pages,
- ticks from eight clients at once, with every request sent twice, and
- a server that is killed between two ticks.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.serving import find_free_port, run_server

TABLE = "/table?sets=base,adventures&players=3&seed=k7f3"
PHONE_COUNT = 200
CLIENT_COUNT = 8
TICKS_PER_REQUEST = 40
DEALS_PER_SECOND = 50
BOXES = ("base", "intrigue", "seaside", "adventures", "empires", "nocturne", "menagerie", "plunder")


class Response(NamedTuple):
    """A response of the server.

    Attributes:
        status: the HTTP status.
        etag: the ETag; empty if there is none.
        body: the text of the body.
        seconds: the time until the response was complete.
    """

    status: int
    etag: str
    body: str
    seconds: float


class Phone:
    """A client with its own IP address and one connection.

    Args:
        port: the port of the server.
        number: the index of the phone, which determines its address.
    """

    def __init__(self, port: int, number: int) -> None:
        self._port, self._address = port, f"127.0.{1 + number // 200}.{1 + number % 200}"

    async def connect(self) -> "Phone":
        """Open the connection."""
        self._lock = asyncio.Lock()
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._address, 0)
        )
        return self

    async def request(self, path: str, body: str = "", etag: str = "") -> Response:
        """Send a GET request, or a POST request if there is a body, once the previous request is answered."""
        async with self._lock:
            return await self._send(path, body, etag)

    async def _send(self, path: str, body: str, etag: str) -> Response:
        headers = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", f"Host: localhost:{self._port}"]
        if body:
            headers += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        if etag:
            headers.append(f"If-None-Match: {etag}")
        started = time.perf_counter()
        self._writer.write(("\r\n".join(headers) + "\r\n\r\n" + body).encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head)
        text = (await self._reader.readexactly(int(length[1]))).decode() if length else ""
        tag = re.search(r"etag: (\S+)", head)
        return Response(int(head.split()[1]), tag[1] if tag else "", text, time.perf_counter() - started)


async def open_table(port: int, number: int = 0) -> tuple[str, str]:
    """Load the page of the table; return the path of its ticks and its token."""
    response = await (await Phone(port, number).connect()).request(TABLE)
    key, token = re.findall(r'data-table="(\w+)" data-token="(\w+)"', response.body)[0]
    return f"/ticks/{key}", token


def compute_percentile(times: Sequence[float], fraction: float = 0.99) -> float:
    """Return a percentile of these times, which are in seconds, in milliseconds."""
    return sorted(times)[int(len(times) * fraction)] * 1000


def get_resident_memory(pid: int) -> int:
    """Return the resident memory of a process, in kilobytes."""
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))[0])


async def watch_table(port: int, pid: int, seconds: float) -> str:
    """Let all phones poll and tick one table, and return a line with the figures."""
    key, token = await open_table(port)
    times: list[float] = []
    started = time.perf_counter()

    async def run_phone(number: int) -> None:
        phone = await Phone(port, number).connect()
        etag, turn = "", number
        await asyncio.sleep(number / PHONE_COUNT)
        while time.perf_counter() - started < seconds:
            turn += 1
            tick = [[os.urandom(8).hex(), f"0-{number % 30}", turn % 2 == 0]]
            body = json.dumps({"token": token, "ticks": tick}) if turn % 5 == 0 else ""
            response = await phone.request(key, body, "" if body else etag)
            assert response.status in (200, 304), response
            etag = response.etag
            times.append(response.seconds)
            await asyncio.sleep(max(0, 1 - response.seconds))

    phones = asyncio.gather(*map(run_phone, range(PHONE_COUNT)))
    await asyncio.sleep(min(10, seconds / 4))
    memory_before = get_resident_memory(pid)
    await phones
    return (
        f"{PHONE_COUNT} phones, {seconds:.0f} s: {len(times):,} answers, "
        f"99th percentile {compute_percentile(times):.1f} ms, "
        f"memory {memory_before:,} kB, then {get_resident_memory(pid):,} kB"
    )


async def deal_tables(port: int, seconds: float) -> str:
    """Deal different tables from many phones at a steady rate, and return a line with the figures."""
    phones = [await Phone(port, number).connect() for number in range(100)]
    responses: list[Response] = []

    async def deal_one(number: int) -> None:
        rng = random.Random(number)
        chosen = sorted(rng.sample(BOXES, 3), key=BOXES.index)
        responses.append(
            await phones[number % 100].request(f"/table?sets={','.join(chosen)}&players=3&seed={number}")
        )

    started, tasks = time.perf_counter(), []
    for number in range(int(seconds * DEALS_PER_SECOND)):
        await asyncio.sleep(max(0, started + number / DEALS_PER_SECOND - time.perf_counter()))
        tasks.append(asyncio.create_task(deal_one(number)))
    await asyncio.gather(*tasks)
    duration = time.perf_counter() - started
    succeeded = sum(response.status == 200 for response in responses)
    return (
        f"{succeeded:,} of {len(responses):,} deals in {duration:.1f} s: "
        f"{succeeded / duration:.1f} per second, "
        f"99th percentile {compute_percentile([response.seconds for response in responses]):.0f} ms"
    )


async def load_pages_beside_a_flood(port: int, seconds: float) -> str:
    """Load pages while another client sends expensive requests, and return a line with the figures."""
    rng = random.Random(1)
    rare_wishes = "attack=5,village=3,duration=3,reaction=2,victory=2,treasure=3,gaining=5,trashing=3"
    statuses: Counter[int] = Counter()
    started = time.perf_counter()

    def build_expensive_path(number: int) -> str:
        if number % 2:
            return f"/table?sets=all&players=2&want={rare_wishes}&seed={number}"
        names = ("".join(rng.choices("abcdefghijklmnop", k=17)) for _ in range(400))
        return f"/table?kingdom={','.join(names)}"

    async def flood(connection: int) -> None:
        phone = await Phone(port, 399).connect()
        for number in itertools.count(connection):
            if time.perf_counter() > started + seconds:
                return
            statuses[(await phone.request(build_expensive_path(number))).status] += 1

    floods = asyncio.gather(*map(flood, range(30)))
    phone = await Phone(port, 398).connect()
    times = []
    while time.perf_counter() < started + seconds:
        response = await phone.request(TABLE)
        assert response.status == 200, response
        times.append(response.seconds)
        await asyncio.sleep(0.2)
    await floods
    counts = ", ".join(f"{count:,} with status {status}" for status, count in sorted(statuses.items()))
    return (
        f"{len(times)} pages beside {statuses.total():,} expensive requests of another client ({counts}): "
        f"99th percentile {compute_percentile(times):.0f} ms"
    )


def split_ticks(client: int, count: int) -> Iterable[list[list[object]]]:
    """Return the ticks of a client in batches. In the end, all its items are ticked."""
    ticks: list[list[object]] = [[f"{client}.{n}", f"{client}-{n % 10}", True] for n in range(count)]
    return (ticks[start : start + TICKS_PER_REQUEST] for start in range(0, count, TICKS_PER_REQUEST))


async def send_ticks(port: int, count: int) -> str:
    """Send ticks from several clients at once, every request twice, and return a line with the figures."""
    key, token = await open_table(port)
    version_before = json.loads((await (await Phone(port, 0).connect()).request(key)).body)["version"]
    started = time.perf_counter()

    async def run_client(client: int) -> None:
        phone = await Phone(port, 300 + client).connect()
        for ticks in split_ticks(client, count // CLIENT_COUNT):
            for _ in range(2):
                while (await phone.request(key, json.dumps({"token": token, "ticks": ticks}))).status == 429:
                    await asyncio.sleep(0.1)

    await asyncio.gather(*map(run_client, range(CLIENT_COUNT)))
    duration = time.perf_counter() - started
    state = json.loads((await (await Phone(port, 0).connect()).request(key)).body)
    applied = state["version"] - version_before
    is_complete = {f"{client}-{n}" for client in range(CLIENT_COUNT) for n in range(10)} <= {*state["ticked"]}
    assert (applied, is_complete) == (count, True), (applied, is_complete)
    return (
        f"{count:,} ticks from {CLIENT_COUNT} clients, each sent twice, in {duration:.0f} s: "
        f"{applied:,} applied, none lost"
    )


async def tick_until_killed(port: int, pid: int) -> list[str]:
    """Tick items, kill the server after 50, and return the items whose ticks it confirmed."""
    key, token = await open_table(port)
    phone = await Phone(port, 0).connect()
    items: list[str] = []
    while True:
        item = f"9-{len(items)}"
        try:
            response = await phone.request(key, json.dumps({"token": token, "ticks": [[item, item, True]]}))
        except (OSError, EOFError):
            return items
        assert response.status == 200
        items.append(item)
        if len(items) == 50:
            asyncio.get_running_loop().call_later(0.01, os.kill, pid, 9)


async def are_ticked(port: int, items: Iterable[str]) -> bool:
    """Return whether all these items are ticked."""
    key, _ = await open_table(port)
    return {*items} <= {*json.loads((await (await Phone(port, 0).connect()).request(key)).body)["ticked"]}


def main() -> None:
    """Run all load tests and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=15, help="duration for the phones; the deals take a third"
    )
    parser.add_argument("--ticks", type=int, default=8_000, help="number of ticks of all clients together")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "XDG_STATE_HOME": folder}
        port = find_free_port()
        with run_server(port=port, env=env) as (child, _, _):
            print(asyncio.run(watch_table(port, child.pid, arguments.seconds)), flush=True)
            print(asyncio.run(deal_tables(port, min(60, arguments.seconds / 3))), flush=True)
            print(asyncio.run(load_pages_beside_a_flood(port, min(60, arguments.seconds))), flush=True)
            print(asyncio.run(send_ticks(port, arguments.ticks)), flush=True)
            items = asyncio.run(tick_until_killed(port, child.pid))
        with run_server(port=port, env=env):
            survived = asyncio.run(are_ticked(port, items))
        print(f"killed after {len(items)} ticks were confirmed: {'all' if survived else 'NOT all'} survived")


if __name__ == "__main__":
    main()
