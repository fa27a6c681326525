"""A server in a process of its own, started as a user starts it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer

from tests.support import TESTS_DIR

_START_TIMEOUT = 180  # seconds


def find_free_port() -> int:
    """Return a TCP port that no other program is using."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def run_server(
    *args: str,
    port: int = 0,
    env: Mapping[str, str] = os.environ,
    program: Sequence[str] = (sys.executable, "-m", "randomizer"),
    folder: Path = TESTS_DIR.parent,
) -> Iterator[tuple[subprocess.Popen[str], int, list[str]]]:
    """Run `serve` with these arguments until the end of the `with` block.

    Yields:
        The process, its port, and the lines that it printed until it was ready.
    """
    port = port or find_free_port()
    child = subprocess.Popen(
        [*program, "serve", "--port", str(port), *args],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**env, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"},
    )
    timer = Timer(_START_TIMEOUT, child.kill)
    timer.start()
    try:
        assert child.stdout
        lines: list[str] = []
        while not lines or lines[-1] not in ("Ready.", "準備完了。"):
            lines.append(child.stdout.readline().rstrip("\n"))
            assert lines[-1] or child.poll() is None, lines
        timer.cancel()
        yield child, port, lines
    finally:
        timer.cancel()
        child.kill()
        child.wait()
