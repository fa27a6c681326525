"""A server in a process of its own, started as a user starts it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from tests.support import TESTS_DIR


def find_free_port() -> int:
    """Return a TCP port that no other program is using."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def run_server(
    *args: str, port: int = 0, env: Mapping[str, str] = os.environ
) -> Iterator[tuple[subprocess.Popen[str], int, list[str]]]:
    """Run `serve` with these arguments until the end of the `with` block.

    Yields:
        The process, its port, and the lines that it printed until it was ready.
    """
    port = port or find_free_port()
    child = subprocess.Popen(
        [sys.executable, "-m", "randomizer", "serve", "--port", str(port), *args],
        cwd=TESTS_DIR.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**env, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert child.stdout
        lines: list[str] = []
        while not lines or lines[-1] not in ("Ready.", "準備完了。"):
            lines.append(child.stdout.readline().rstrip("\n"))
            assert lines[-1] or child.poll() is None, lines
        yield child, port, lines
    finally:
        child.kill()
        child.wait()
