"""Renders the statistics of played games as text."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from randomizer.memory.intervals import Estimate
from randomizer.memory.played_game import MAX_RATING
from randomizer.memory.statistics import BoxStatistics, CardStatistics, Statistics
from randomizer.setup.document import Named
from randomizer.text.encoding import escape_control_characters
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.width import render_table, wrap

_MIN_BAR_LENGTH, _MAX_BAR_LENGTH = 4, 20  # characters


def render_statistics(statistics: Statistics, language: Language, style: Style) -> str:
    """Render statistics as tables with bars.

    Args:
        statistics: the statistics.
        language: the output language, with the names of the game.
        style: the width and colours of the output.
    """
    return "\n".join(_StatisticsRenderer(statistics, language, style).iter_lines())


def format_percent(share: float | None) -> str:
    """Format a proportion as a percentage, without the percent sign; empty if it is unknown."""
    return "" if share is None else f"{100 * share:.0f}"


def format_mean(mean: float | None) -> str:
    """Format a mean; empty if it is unknown."""
    return "" if mean is None else f"{mean:.1f}".replace("-", "−")


def format_estimate(estimate: Estimate, format: Callable[[float | None], str]) -> str:
    """Format a mean and its confidence interval, such as `4.5 (3.6–5.0)`. Unknown parts are omitted."""
    mean, low, high = (format(estimate[part]) for part in ("mean", "low", "high"))
    return f"{mean} ({low}–{high})" if low else mean


def get_translated_name(named: Named, language: Language) -> str:
    """Return the translation of a name, or else the English name."""
    return escape_control_characters(named.get("names", {}).get(language.code, named["name"]))


def group_unused_cards(statistics: Statistics, language: Language) -> dict[str, str]:
    """Map the translated name of each box to the names of its unused cards, joined into one string."""
    names_by_box: dict[str, list[str]] = {}
    for card in statistics["unused"]:
        names_by_box.setdefault(language.boxes[card["box"]], []).append(get_translated_name(card, language))
    return {box: language.join(names) for box, names in names_by_box.items()}


class _StatisticsRenderer:
    """A renderer of statistics in one language and style."""

    def __init__(self, statistics: Statistics, language: Language, style: Style) -> None:
        self._statistics = statistics
        self._language, self._style = language, style
        self._translate = language.translate
        self._bar_length = min(max((style.columns - 60) // 2, _MIN_BAR_LENGTH), _MAX_BAR_LENGTH)

    def iter_lines(self) -> Iterator[str]:
        """Yield the lines of the output."""
        statistics = self._statistics
        yield from self._wrap(
            self._translate(
                "Games: {count}, from {first} to {last}. In brackets: {percent} % confidence intervals.",
                count=statistics["games"],
                first=statistics["first"],
                last=statistics["last"],
                percent=format_percent(statistics["confidence"]),
            )
        )
        yield from self._iter_section("Players and scores", self._render_players())
        yield from self._iter_section("Ratings of cards", self._render_ratings("card", statistics["cards"]))
        yield from self._iter_section("Ratings of boxes", self._render_ratings("box", statistics["boxes"]))
        if statistics["owned"]:
            yield from self._iter_section("Never on the table", self._iter_unused())

    def _iter_section(self, title: str, lines: Iterable[str]) -> Iterator[str]:
        yield ""
        yield self._style.style_heading(self._translate(title))
        yield from lines

    def _render_players(self) -> list[str]:
        """Return a table with a row for each player."""
        rows = [
            (
                escape_control_characters(player["name"]),
                format_estimate(player["won"], format_percent),
                self._draw_bar(player["won"]["mean"] or 0),
                f"{player['wins']}/{player['won']['count']}",
                format_estimate(player["score"], format_mean),
                str(player["games"]),
            )
            for player in self._statistics["players"]
        ]
        return self._render_table(("player", "won %", "", "wins", "mean score", "games"), rows)

    def _render_ratings(
        self, header: str, items: Sequence[CardStatistics] | Sequence[BoxStatistics]
    ) -> list[str]:
        """Return a table with a row for each card or box."""
        rows = [
            (
                get_translated_name(item, self._language),
                format_estimate(item["rating"], format_mean),
                self._draw_bar((item["rating"]["mean"] or 0) / MAX_RATING),
                str(item["rating"]["count"]),
                str(item["games"]),
            )
            for item in items
        ]
        return self._render_table((header, "rating", "", "rated", "games"), rows)

    def _iter_unused(self) -> Iterator[str]:
        """Yield a paragraph for each box, with the names of its unused cards."""
        names_by_box = group_unused_cards(self._statistics, self._language)
        for box, names in names_by_box.items():
            yield from self._wrap(self._translate("{title}: {text}", title=box, text=names))
        if not names_by_box:
            yield self._translate("none")

    def _draw_bar(self, share: float) -> str:
        return "#" * round(share * self._bar_length)

    def _wrap(self, text: str) -> list[str]:
        return wrap(text, self._style.columns)

    def _render_table(self, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
        if not rows:
            return [self._translate("none")]
        translated = [header and self._translate(header) for header in headers]
        return render_table(translated, rows, self._style.columns, right=range(3, len(headers)))
