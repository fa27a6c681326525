"""All speed benchmarks: `python -m benchmarks` prints their tables; `--publish` also writes them to docs/.

Run it on a computer that has nothing else to do. It takes some minutes.
"""

import argparse
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime

from benchmarks import startup, throughput
from benchmarks.chart import Bar, render_chart
from benchmarks.environments import PEER, ROOT
from benchmarks.table import Row, format_table, print_table

PAGE = ROOT / "docs" / "quality.md"
CHART = ROOT / "docs" / "pictures" / "speed.svg"
BEGIN, END = "<!-- figures: python -m benchmarks --publish -->", "<!-- end of figures -->"
# Maps a title in the chart to the titles of two rows: with this program's figure, and with the peer's.
_COMPARED_RATES = {"setups per second": (throughput.LINES, throughput.PEER)}
_COMPARED_TIMES = {
    "one deal as JSON": (startup.DEAL_JSON, startup.PEER_JSON),
    "one deal as text": (startup.DEAL_TEXT, startup.PEER_TEXT),
}


def main() -> None:
    """Run the benchmarks and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--publish", action="store_true", help="write the figures to docs/quality.md")
    should_publish = parser.parse_args().publish
    tables = {}
    for title, benchmark in (("Start-up", startup), ("Throughput", throughput)):
        tables[title] = list(benchmark.measure())
        print_table(tables[title])
    if should_publish:
        _publish(tables)


def _publish(tables: dict[str, list[Row]]) -> None:
    """Write the tables to the page about quality, and write the chart on that page."""
    rows = {row.title: row for table in tables.values() for row in table}
    CHART.write_text(render_chart(f"{PEER.partition('==')[0]} on the package index", _build_bars(rows)))
    machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}"
    source = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with `python -m benchmarks --publish`, CPython "
        f"{platform.python_version()}, {machine}. An exclamation mark means that the target is missed."
    )
    sections = [f"### {title}\n\n{format_table(table, 'pipe')}" for title, table in tables.items()]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text("\n\n".join([before + BEGIN, source, *sections, END]) + after, encoding="utf-8")


def _build_bars(rows: dict[str, Row]) -> Sequence[Bar]:
    """Build the bars of the chart from the rows, by title."""
    bars = []
    for compared, higher_is_better in ((_COMPARED_RATES, True), (_COMPARED_TIMES, False)):
        for title, names in compared.items():
            ours, peer = (rows[name].figure for name in names)
            bars.append(Bar(title, ours, peer, higher_is_better=higher_is_better))
    return bars


if __name__ == "__main__":
    main()
