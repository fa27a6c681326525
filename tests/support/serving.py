"""A server that runs, as people start it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from tests.support import TESTS_DIR


def find_free_port() -> int:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        return int(other.getsockname()[1])


@contextmanager
def run_server(
    *args: str, port: int = 0, env: Mapping[str, str] = os.environ
) -> Iterator[tuple[subprocess.Popen[str], int, list[str]]]:
    """A server that runs, with its port and what it has printed."""
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
        while not lines or "Ctrl-C" not in lines[-1]:
            lines.append(child.stdout.readline().rstrip("\n"))
            assert lines[-1] or child.poll() is None, lines
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield child, port, lines
    finally:
        child.kill()
        child.wait()
