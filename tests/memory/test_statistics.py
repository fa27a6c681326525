"""Statistics of played games, compared with simple calculations and with published values."""

import functools
import json
import math
import re
import statistics
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Game
from randomizer.memory.intervals import estimate_mean, estimate_proportion, find_t_quantile
from randomizer.memory.played_game import PlayedGame
from randomizer.memory.statistics import compute_statistics
from randomizer.text.language import Language
from tests.support import TESTS_DIR, run

PUBLISHED_SCHEMA = TESTS_DIR.parent / "data" / "statistics.schema.json"
Z = 1.959963984540054  # the 97.5 % quantile of the standard normal distribution
# The 97.5 % quantiles of Student's t distribution, by degrees of freedom, from a printed table.
T = dict(enumerate((12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179), 1))
T |= {20: 2.086, 29: 2.045, 60: 2.000, 120: 1.980}


class TestIntervals:
    @pytest.mark.parametrize(("degrees", "quantile"), T.items())
    def test_t_quantile_is_that_of_printed_tables(self, degrees: int, quantile: float) -> None:
        assert round(find_t_quantile(0.95, degrees), 3) == quantile

    def test_t_quantile_is_that_of_scipy(self) -> None:
        t = pytest.importorskip("scipy.stats").t
        for degrees in (*range(1, 40), 99, 100, 1001):
            for probability in (0.5, 0.95):
                expected = t.ppf((1 + probability) / 2, degrees)
                assert find_t_quantile(probability, degrees) == pytest.approx(expected, rel=1e-9)

    @pytest.mark.parametrize(
        ("successes", "count", "low", "high"),
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
    )
    def test_wilson_interval_is_the_published_one(
        self, successes: int, count: int, low: float, high: float
    ) -> None:
        """They are in Newcombe, Statistics in Medicine 17 (1998), table I."""
        estimate = estimate_proportion(successes, count)
        assert (round(estimate["low"] or 0, 4), round(estimate["high"] or 0, 4)) == (low, high)

    @given(st.integers(1, 500), st.data())
    def test_limits_of_a_wilson_interval_solve_its_equation(self, count: int, data: st.DataObject) -> None:
        """The limits are those proportions p for which the observed one is Z standard errors away."""
        share = data.draw(st.integers(0, count)) / count
        estimate = estimate_proportion(round(share * count), count)
        for limit in (estimate["low"], estimate["high"]):
            assert limit is not None
            error = abs(share - limit) - Z * math.sqrt(limit * (1 - limit) / count)
            assert error == pytest.approx(0, abs=1e-7) or limit in (0, 1)

    def test_unknown_values_have_no_interval(self) -> None:
        unknown = {"count": 0, "mean": None, "low": None, "high": None}
        assert estimate_mean([]) == estimate_proportion(0, 0) == unknown
        for values in ([4], [4, 4, 4]):
            assert estimate_mean(values) == {**unknown, "count": len(values), "mean": 4}


# ── Comparison with a simple implementation ──

players = st.lists(st.sampled_from(["Ann", "ann", "Bob", "花子"]), max_size=3, unique_by=str.casefold)


@st.composite
def played_games(draw: st.DrawFn) -> PlayedGame:
    """A game with cards of two boxes, or with an unknown card."""
    names = draw(players)
    return PlayedGame.from_dict(
        {
            "key": draw(st.text("abcdef", min_size=6, max_size=6)),
            "date": f"2026-0{draw(st.integers(1, 9))}-01",
            "players": [{"name": name, "score": draw(st.none() | st.integers(-5, 60))} for name in names],
            "winners": draw(st.lists(st.sampled_from(names), unique=True)) if names else [],
            "rating": draw(st.none() | st.integers(1, 5)),
            "note": "",
            "game": draw(st.sampled_from(["dominion", "dominion", "dominion", "pergamemnon"])),
            "seed": "x",
            "options": draw(st.sampled_from([{"sets": ["base-1e"]}, {"sets": ["base-2e"]}, {}, {"sets": 5}])),
            "kingdom": draw(st.lists(st.sampled_from(["Moat", "Witch", "Page", "My Card"]), unique=True)),
            "landscapes": draw(st.sampled_from([[], ["Raid"]])),
            "others": draw(st.sampled_from([[], ["Moat"]])),
        }
    )


def estimate_plainly(values: list[int], lowest: float = -math.inf, highest: float = math.inf) -> Any:
    """Return count, mean, and the limits of the t interval, from `statistics` and the printed table."""
    if not values:
        return 0, None, None, None
    mean = statistics.mean(values)
    if statistics.pvariance(values) == 0:
        return len(values), mean, None, None
    margin = T[len(values) - 1] * statistics.stdev(values) / len(values) ** 0.5
    return len(values), mean, max(lowest, mean - margin), min(highest, mean + margin)


def estimate_wins_plainly(wins: int, count: int) -> Any:
    """Return count, proportion and Wilson interval, by searching the limits in small steps."""
    if not count:
        return 0, None, None, None
    share = wins / count
    inside = [
        p / 2_000
        for p in range(2_001)
        if abs(share - p / 2_000) <= Z * math.sqrt(p / 2_000 * (1 - p / 2_000) / count) + 1e-12
    ]
    return count, share, min([share, *inside]), max([share, *inside])


def check_estimate(actual: Any, expected: Any, tolerance: float) -> None:
    assert list(actual) == ["count", "mean", "low", "high"]
    for value, wanted in zip(actual.values(), expected, strict=True):
        assert value is wanted is None or value == pytest.approx(wanted, abs=tolerance)


@settings(max_examples=60)
@given(games=st.lists(played_games(), max_size=12))
def test_statistics_are_those_of_a_simple_implementation(
    game: Game, languages: list[Language], games: list[PlayedGame]
) -> None:
    own = [each for each in games if each.game == "dominion"]
    if not own:
        return
    found = compute_statistics(games, game, languages, ["base-2e"])
    build_validator().validate(found)
    assert found["games"] == len(own)
    assert (found["first"], found["last"]) == (min(g.date for g in own), max(g.date for g in own))

    by_name = {player["name"].casefold(): player for player in found["players"]}
    everybody = {name.casefold() for each in own for name, _ in each.players}
    assert set(by_name) == everybody and len(found["players"]) == len(everybody)
    for name, player in by_name.items():
        entries = [(each, n, score) for each in own for n, score in each.players if n.casefold() == name]
        wins = len([1 for each, n, _ in entries if n in each.winners])
        decided = len([1 for each, _, _ in entries if len(each.winners) > 0])
        assert (player["games"], player["wins"]) == (len(entries), wins)
        check_estimate(player["won"], estimate_wins_plainly(wins, decided), 1e-3)
        scores = [score for _, _, score in entries if score is not None]
        check_estimate(player["score"], estimate_plainly(scores), 0.06)

    cards = {name for each in own for name in (*each.kingdom, *each.landscapes, *each.others)}
    assert {card["name"] for card in found["cards"]} == cards
    for card in found["cards"]:
        there = [
            each
            for each in own
            if card["name"] in each.kingdom or card["name"] in each.landscapes or card["name"] in each.others
        ]
        assert card["games"] == len(there)
        ratings = [each.rating for each in there if each.rating is not None]
        check_estimate(card["rating"], estimate_plainly(ratings, 1, 5), 0.01)
    means = [card["rating"]["mean"] or 0 for card in found["cards"]]
    assert means == sorted(means, reverse=True)

    def find_box(each: PlayedGame, name: str) -> str | None:
        if name in ("Moat", "Witch"):
            return "base-1e" if each.options.get("sets") == ["base-1e"] else "base-2e"
        return {"Page": "adventures", "Raid": "adventures"}.get(name)

    boxes = [{find_box(each, name) for name in each.cards} - {None} for each in own]
    assert {box["slug"] for box in found["boxes"]} == set().union(*boxes)
    for box in found["boxes"]:
        there = [each for each, used in zip(own, boxes, strict=True) if box["slug"] in used]
        assert box["games"] == len(there)
        ratings = [each.rating for each in there if each.rating is not None]
        check_estimate(box["rating"], estimate_plainly(ratings, 1, 5), 0.01)

    unused = {card["name"] for card in found["unused"]}
    assert len(unused) == 26 - len(cards & {"Moat", "Witch"}) and not unused & cards
    assert {"Cellar", "Artisan"} <= unused and not unused & {"Copper", "Province", "Feast"}


@functools.cache
def build_validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(PUBLISHED_SCHEMA.read_text(encoding="utf-8")))


# ── The command ──


@pytest.fixture
def three_games() -> None:
    """Three games in the history."""
    for number, args in enumerate(
        (
            ["--players", "Ann 42, Bob 31", "--rating", "4", "--date", "2026-01-01"],
            ["--players", "Ann 42, Bob 42", "--rating", "5", "--date", "2026-02-01"],
            ["--players", "Bob, 花子", "--date", "2026-03-01"],
        )
    ):
        run("--sets", "base,adventures", "--seed", str(number), "--landscapes", "1")
        assert run("played", *args).exit_code == 0


@pytest.mark.usefixtures("three_games")
class TestCommand:
    def read(self, *args: str) -> Any:
        return json.loads(run("history", "stats", *args, "--json").stdout)

    def test_ties_are_wins_and_undecided_games_are_neither(self) -> None:
        bob, ann, hanako = self.read()["players"]
        assert (bob["name"], bob["games"], bob["wins"], bob["won"]["count"]) == ("Bob", 3, 1, 2)
        assert (ann["name"], ann["games"], ann["wins"], ann["won"]["mean"]) == ("Ann", 2, 2, 1)
        assert (hanako["wins"], hanako["won"]["mean"], hanako["score"]["mean"]) == (0, None, None)
        assert (bob["score"]["count"], bob["score"]["mean"]) == (2, 36.5)

    @pytest.mark.parametrize(
        ("args", "count"),
        [
            (["--player", "ann"], 2),
            (["--since", "2026-02-01"], 2),
            (["--until", "2026-01-31"], 1),
            (["--player", "Bob", "--since", "2026-03-01"], 1),
        ],
    )
    def test_games_can_be_filtered(self, args: list[str], count: int) -> None:
        assert self.read(*args)["games"] == count

    def test_unused_cards_are_those_of_typed_or_configured_boxes(self, folders: Path) -> None:
        assert self.read()["unused"] == [] and "Never on the table" not in run("history", "stats").stdout
        assert len(self.read("--sets", "seaside")["unused"]) == 27
        write_config(folders, 'sets = ["base", "adventures"]')
        found = self.read()
        assert found["owned"] == ["base-2e", "adventures"]
        played = {card["name"] for card in found["cards"]}
        assert {card["name"] for card in found["unused"]} | played >= {"Moat", "Page", "Alms", "Raid"}
        assert len(found["unused"]) == 26 + 30 + 20 - len(played)
        text = run("history", "stats").stdout
        assert text.split("Never on the table\n")[1].startswith("Base 2E: ")

    @pytest.mark.parametrize("columns", [40, 60, 80, 120])
    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_bars_fit_the_terminal_and_are_aligned(self, columns: int, lang: str) -> None:
        env = {"COLUMNS": str(columns)}
        text = run("history", "stats", "--sets", "base", "--lang", lang, env=env).stdout
        assert max(get_width(line) for line in text.splitlines()) <= columns
        starts = {
            section: {get_width(line[: line.index("#")]) for line in section.splitlines() if "#" in line}
            for section in text.split("\n\n")
        }
        assert [len(found) for found in starts.values()][1:4] == [1, 1, 1]

    def test_longer_bars_are_higher_values(self) -> None:
        lines = run("history", "stats", env={"COLUMNS": "100"}).stdout.splitlines()
        ann, bob = (next(line for line in lines if line.startswith(name)) for name in ("Ann", "Bob"))
        assert ann.split()[:4] == ["Ann", "100", "(34–100)", "#" * 20]
        assert bob.split()[:4] == ["Bob", "50", "(9–91)", "#" * 10]

    def test_colours_are_optional(self) -> None:
        assert "\x1b[1m" in run("history", "stats", "--color", "always").stdout
        assert "\x1b" not in run("history", "stats", env={"NO_COLOR": "1"}).stdout

    def test_japanese_has_no_english(self) -> None:
        text = run("history", "stats", "--sets", "base", "--lang", "ja").stdout
        assert set(re.findall("[A-Za-z]+", text)) == {"Ann", "Bob"}

    def test_other_games_have_statistics_of_their_own(self, folders: Path) -> None:
        write_config(folders, 'sets = "base"')
        run("--game", "pergamemnon", "--seed", "1")
        run("played", "--players", "Ann 3, Cy 4")
        assert self.read()["games"] == 3
        assert [p["name"] for p in self.read("--game", "pergamemnon")["players"]] == ["Ann", "Cy"]

    def test_no_games_and_wrong_arguments_are_errors(self) -> None:
        assert run("history", "stats", "--since", "2026-04-01").exit_code == 1
        assert "did you mean Ann" in run("history", "stats", "--player", "Anm").stderr
        assert "is not a date" in run("history", "stats", "--until", "x").stderr
        refused = run("history", "--player", "Ann", "stats")
        assert refused.exit_code == 2 and "--player can't be used before history stats" in refused.stderr


def write_config(folders: Path, text: str) -> None:
    file = folders / "XDG_CONFIG_HOME" / "dominion-randomizer" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)


def get_width(line: str) -> int:
    """Return the width of a line on a terminal."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def test_empty_history_has_no_statistics() -> None:
    result = run("history", "stats")
    assert (result.exit_code, result.stderr) == (1, "Error: no games have been recorded yet.\n")
