"""Benchmark of a divided series: `python -m benchmarks.processes` compares two processes with one.

One process deals the whole series. Then two processes deal half of it each at the same time. This is
repeated, so that a busy machine slows down both. Together, the halves must be the same as the whole.
"""

import os
import subprocess
import sys
import time
from statistics import median

from benchmarks.environments import FOLDER, install_ours
from benchmarks.table import Row, print_table

ROUND_COUNT = 5
TABLE_COUNT = 40_000


def main() -> None:
    """Run the benchmark and print its table, with the load of the machine."""
    print_table(measure())
    if hasattr(os, "getloadavg"):
        print(f"load: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")


def measure() -> list[Row]:
    """Return the rates of one process and of two processes."""
    program = str(install_ours() / "dominion-setup")
    half = TABLE_COUNT // 2
    whole, halves = [f"1-{TABLE_COUNT}"], [f"1-{half}", f"{half + 1}-{TABLE_COUNT}"]
    _deal(program, ["1-1"])  # This fills the caches.
    times = [(_deal(program, whole), _deal(program, halves)) for _ in range(ROUND_COUNT)]
    if _read_output(whole) != _read_output(halves):
        sys.exit("The halves differ from the whole.")
    one_process_time, two_processes_time = (median(column) for column in zip(*times, strict=True))
    ratio = median(whole_time / halves_time for whole_time, halves_time in times)
    return [
        Row("--count, one process", f"{TABLE_COUNT / one_process_time:.0f} / s"),
        Row(
            "--count, two processes",
            f"{TABLE_COUNT / two_processes_time:.0f} / s",
            ratio,
            "one process",
            min_ratio=1.8,
        ),
    ]


def _deal(program: str, parts: list[str]) -> float:
    """Deal the parts at the same time, and return the time in seconds."""
    start = time.perf_counter()
    command = [program, "--sets", "all", "--players", "4", "--seed", "parts", "--count"]
    processes = []
    for part in parts:
        with open(FOLDER / f"part-{part}", "wb") as file:
            processes.append(subprocess.Popen([*command, part], stdout=file))
    if any(process.wait() for process in processes):
        sys.exit("A process failed.")
    return time.perf_counter() - start


def _read_output(parts: list[str]) -> bytes:
    return b"".join((FOLDER / f"part-{part}").read_bytes() for part in parts)


if __name__ == "__main__":
    main()
