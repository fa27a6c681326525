"""A server with many phones on a small machine: `python -m benchmarks.phones`; `--seconds 600` for all of it.

200 phones on one table, of which each asks every second and ticks every five; 50 deals a second; ticks from
eight clients at once, of which every request is sent twice; and a server that is killed between two of them.
"""

import argparse
import asyncio
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.serving import free_port, served

TABLE = "/table?sets=base,adventures&players=3&seed=k7f3"
PHONES = 200
CLIENTS = 8
AT_ONCE = 40  # ticks of a request
DEALS = 50  # a second
BOXES = ("base", "intrigue", "seaside", "adventures", "empires", "nocturne", "menagerie", "plunder")


class Answer(NamedTuple):
    """What a server has answered, and after how many seconds."""

    status: int
    etag: str
    body: str
    after: float


class Phone:
    """A phone of its own address, with one connection.

    Args:
        port: the server's.
        number: from 0 on; each phone has another.
    """

    def __init__(self, port: int, number: int) -> None:
        self._port, self._from = port, f"127.0.{1 + number // 200}.{1 + number % 200}"

    async def connect(self) -> "Phone":
        """Open the connection."""
        self._asking = asyncio.Lock()
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._from, 0)
        )
        return self

    async def ask(self, path: str, body: str = "", etag: str = "") -> Answer:
        """An answer to a GET, or to a POST of JSON, once those before it are there."""
        async with self._asking:
            return await self._answer(path, body, etag)

    async def _answer(self, path: str, body: str, etag: str) -> Answer:
        heads = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", f"Host: localhost:{self._port}"]
        if body:
            heads += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        if etag:
            heads.append(f"If-None-Match: {etag}")
        began = time.perf_counter()
        self._writer.write(("\r\n".join(heads) + "\r\n\r\n" + body).encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head)
        text = (await self._reader.readexactly(int(length[1]))).decode() if length else ""
        tag = re.search(r"etag: (\S+)", head)
        return Answer(int(head.split()[1]), tag[1] if tag else "", text, time.perf_counter() - began)


async def page(port: int, number: int = 0) -> tuple[str, str]:
    """The key and the token of the table."""
    answer = await (await Phone(port, number).connect()).ask(TABLE)
    key, token = re.findall(r'data-table="(\w+)" data-token="(\w+)"', answer.body)[0]
    return f"/ticks/{key}", token


def slowest(times: Sequence[float], part: float = 0.01) -> float:
    """The time in milliseconds within which all but that part has been answered."""
    return sorted(times)[int(len(times) * (1 - part))] * 1000


def memory(pid: int) -> int:
    """What a process holds in memory, in kilobytes."""
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))[0])


async def look_on(port: int, pid: int, seconds: float) -> str:
    """Phones on one table."""
    key, token = await page(port)
    times: list[float] = []
    begun = time.perf_counter()

    async def live(number: int) -> None:
        phone = await Phone(port, number).connect()
        etag, turn = "", number
        await asyncio.sleep(number / PHONES)
        while time.perf_counter() - begun < seconds:
            turn += 1
            tick = [[os.urandom(8).hex(), f"0-{number % 30}", turn % 2 == 0]]
            body = json.dumps({"token": token, "ticks": tick}) if turn % 5 == 0 else ""
            answer = await phone.ask(key, body, "" if body else etag)
            assert answer.status in (200, 304), answer
            etag = answer.etag
            times.append(answer.after)
            await asyncio.sleep(max(0, 1 - answer.after))

    lives = asyncio.gather(*map(live, range(PHONES)))
    await asyncio.sleep(min(10, seconds / 4))
    before = memory(pid)
    await lives
    return (
        f"{PHONES} phones, {seconds:.0f} s: {len(times):,} answers, "
        f"slowest hundredth {slowest(times):.1f} ms, memory {before:,} kB, then {memory(pid):,} kB"
    )


async def deal(port: int, seconds: float) -> str:
    """Deals of many tables, at a steady rate from many phones."""
    phones = [await Phone(port, number).connect() for number in range(100)]
    answers: list[Answer] = []

    async def one(number: int) -> None:
        dice = random.Random(number)
        chosen = sorted(dice.sample(BOXES, 3), key=BOXES.index)
        answers.append(
            await phones[number % 100].ask(f"/table?sets={','.join(chosen)}&players=3&seed={number}")
        )

    begun, dealing = time.perf_counter(), []
    for number in range(int(seconds * DEALS)):
        await asyncio.sleep(max(0, begun + number / DEALS - time.perf_counter()))
        dealing.append(asyncio.create_task(one(number)))
    await asyncio.gather(*dealing)
    took = time.perf_counter() - begun
    good = sum(answer.status == 200 for answer in answers)
    return (
        f"{good:,} of {len(answers):,} deals in {took:.1f} s: {good / took:.1f} a second, "
        f"slowest hundredth {slowest([answer.after for answer in answers]):.0f} ms"
    )


def changes(client: int, count: int) -> Iterable[list[list[object]]]:
    """So many ticks of a client, some at once; each of its items is ticked in the end."""
    ticks: list[list[object]] = [[f"{client}.{n}", f"{client}-{n % 10}", True] for n in range(count)]
    return (ticks[place : place + AT_ONCE] for place in range(0, count, AT_ONCE))


async def tick(port: int, count: int) -> str:
    """Ticks of several clients at once, all of them sent twice."""
    key, token = await page(port)
    before = json.loads((await (await Phone(port, 0).connect()).ask(key)).body)["version"]
    begun = time.perf_counter()

    async def work(client: int) -> None:
        phone = await Phone(port, 300 + client).connect()
        for ticks in changes(client, count // CLIENTS):
            for _ in range(2):
                while (await phone.ask(key, json.dumps({"token": token, "ticks": ticks}))).status == 429:
                    await asyncio.sleep(0.1)

    await asyncio.gather(*map(work, range(CLIENTS)))
    took = time.perf_counter() - begun
    state = json.loads((await (await Phone(port, 0).connect()).ask(key)).body)
    done = state["version"] - before
    there = {f"{client}-{n}" for client in range(CLIENTS) for n in range(10)} <= {*state["ticked"]}
    assert (done, there) == (count, True), (done, there)
    return (
        f"{count:,} ticks from {CLIENTS} clients, each sent twice, in {took:.0f} s: {done:,} done, none lost"
    )


async def confirmed(port: int, pid: int) -> list[str]:
    """Ticks that a server confirms until it is killed."""
    key, token = await page(port)
    phone = await Phone(port, 0).connect()
    items: list[str] = []
    while True:
        item = f"9-{len(items)}"
        try:
            answer = await phone.ask(key, json.dumps({"token": token, "ticks": [[item, item, True]]}))
        except (OSError, EOFError):
            return items
        assert answer.status == 200
        items.append(item)
        if len(items) == 50:
            asyncio.get_running_loop().call_later(0.01, os.kill, pid, 9)


async def there_again(port: int, items: Iterable[str]) -> bool:
    """Whether all of them are ticked."""
    key, _ = await page(port)
    return {*items} <= {*json.loads((await (await Phone(port, 0).connect()).ask(key)).body)["ticked"]}


def main() -> None:
    """Run all of them, each for a while, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="for the phones; the deals take a third")
    parser.add_argument("--ticks", type=int, default=8_000, help="of eight clients together")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "XDG_STATE_HOME": folder}
        port = free_port()
        with served(port=port, env=env) as (child, _, _):
            print(asyncio.run(look_on(port, child.pid, said.seconds)), flush=True)
            print(asyncio.run(deal(port, min(60, said.seconds / 3))), flush=True)
            print(asyncio.run(tick(port, said.ticks)), flush=True)
            items = asyncio.run(confirmed(port, child.pid))
        with served(port=port, env=env):
            there = asyncio.run(there_again(port, items))
        print(
            f"killed after {len(items)} ticks were confirmed: {'all' if there else 'NOT all'} are there again"
        )


if __name__ == "__main__":
    main()
