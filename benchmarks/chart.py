"""Renders a bar chart that compares this program with the peer, as SVG."""

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _BAR_HEIGHT, _LABEL_WIDTH, _FIGURE_WIDTH = 640, 18, 150, 90  # pixels
_OURS, _PEER = "#2a78d6", "#8a8a85"


class Bar(NamedTuple):
    """One comparison.

    Attributes:
        title: what was measured.
        ours: this program's figure: a number, followed by its unit.
        peer: the peer's figure, with the same unit.
        higher_is_better: whether the higher figure is the better one.
    """

    title: str
    ours: str
    peer: str
    higher_is_better: bool


def render_chart(peer: str, bars: Sequence[Bar]) -> str:
    """Render the comparisons as an SVG image. Each has its own scale, which starts at 0.

    Args:
        peer: the name of the other program.
        bars: the comparisons.
    """
    parts = [_render_legend(peer)]
    y = 40
    for bar in bars:
        max_figure = max(_parse_figure(bar.ours), _parse_figure(bar.peer))
        note = "higher is better" if bar.higher_is_better else "lower is better"
        parts.append(f'<text x="0" y="{y + 13}">{escape(bar.title)}</text>')
        parts.append(f'<text x="0" y="{y + 31}" class="note">{note}</text>')
        for figure, colour in ((bar.ours, _OURS), (bar.peer, _PEER)):
            width = (_WIDTH - _LABEL_WIDTH - _FIGURE_WIDTH) * _parse_figure(figure) / max_figure
            parts.append(
                f'<rect x="{_LABEL_WIDTH}" y="{y}" width="{width:.1f}" height="{_BAR_HEIGHT}" rx="2" '
                f'fill="{colour}"/>'
                f'<text x="{_LABEL_WIDTH + width + 6:.1f}" y="{y + 13}">{escape(figure)}</text>'
            )
            y += _BAR_HEIGHT + 2
        y += 16
    summary = "; ".join(f"{bar.title}: {bar.ours}, {peer}: {bar.peer}" for bar in bars)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y}" role="img" '
        f'aria-label="{escape(summary)}">'
        "<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.note{font-size:11px;fill:#656d76}"
        "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}}</style>"
        + "".join(parts)
        + "</svg>\n"
    )


def _render_legend(peer: str) -> str:
    return (
        f'<rect x="0" y="6" width="12" height="12" rx="2" fill="{_OURS}"/>'
        '<text x="18" y="17">dominion-randomizer</text>'
        f'<rect x="200" y="6" width="12" height="12" rx="2" fill="{_PEER}"/>'
        f'<text x="218" y="17">{escape(peer)}</text>'
    )


def _parse_figure(figure: str) -> float:
    """Return the number at the beginning of a figure, such as 832.0 for "832/s"."""
    match = re.match(r"[0-9.]+", figure)
    return float(match[0]) if match else 0.0
