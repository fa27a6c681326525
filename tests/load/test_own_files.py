"""A user's own data file: new kinds of landscapes, replaced cards, and fields that would have no effect."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from randomizer.load import games
from tests.load.test_data import load_faults, write_own_file
from tests.support import get_names, run

COURT = """
sets: {court: Court}
kinds:
  edict: {is: landscape, title: Edicts, most: 1}
  seal: {is: landscape, title: Seals, most: 1, extra: true}
cards:
  - {name: Edict of Silence, set: court, kind: edict}
  - {name: Edict of Noise, set: court, kind: edict}
  - {name: Edict of Light, set: court, kind: edict}
  - {name: Red Seal, set: court, kind: seal}
  - {name: Blue Seal, set: court, kind: seal, setup: {give: Tavern mat}}
"""
SETS = ("--sets", "base,adventures,court")


def deal(path: str, *args: str) -> Any:
    result = run("--cards", path, *args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


class TestLandscapes:
    def test_own_kinds_are_turned_up_within_their_limits(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, COURT)
        seen = set()
        for seed in range(60):
            kinds = [each["kind"] for each in deal(path, *SETS, "--seed", str(seed))["landscapes"]]
            assert kinds.count("edict") <= 1 and kinds.count("seal") <= 1
            assert len(kinds) - kinds.count("seal") <= 2
            seen.update(kinds)
            seen.add(len(kinds))
        assert {"edict", "seal", "event", 3} <= seen

    def test_kind_without_limit_of_its_own_shares_the_common_one(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, COURT.replace("Edicts, most: 1", "Edicts, most: all"))
        setup = deal(path, *SETS, "--want", "edict=2", "--seed", "1")
        assert [each["kind"] for each in setup["landscapes"]].count("edict") == 2
        assert run("--cards", path, *SETS, "--want", "edict=3").exit_code == 2

    def test_wishes_and_odds_know_the_limits(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, COURT)
        setup = deal(path, *SETS, "--want", "edict=1", "--want", "seal=1", "--want", "event=1", "--seed", "1")
        assert sorted(each["kind"] for each in setup["landscapes"]) == ["edict", "event", "seal"]
        assert run("--cards", path, *SETS, "--want", "edict=2").exit_code == 2
        odds = json.loads(run("odds", "--cards", path, *SETS, "--json").stdout)
        assert len(odds["landscapes_used"]) == 4  # from no landscape to three
        percents = {each["kind"]: each["percent"] for each in odds["kinds"]}
        count = 200
        seals = sum(
            any(each["kind"] == "seal" for each in json.loads(line)["landscapes"])
            for line in run(
                "--cards", path, *SETS, "--count", str(count), "--seed", "1", "--json"
            ).stdout.splitlines()
        )
        assert abs(100 * seals / count - percents["seal"]) < 13  # four standard deviations

    def test_landscapes_option_of_zero_leaves_out_extra_ones(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, COURT)
        for seed in range(10):
            assert not deal(path, *SETS, "--landscapes", "0", "--seed", str(seed))["landscapes"]

    def test_extra_landscape_is_swapped_for_an_extra_one(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, COURT)
        kingdom = ("--kingdom", "red seal, edict of noise")
        setup = deal(path, *SETS, *kingdom, "--seed", "1", "--swap", "red-seal")
        names = get_names(setup["landscapes"])
        assert "Blue Seal" in names and "Edict of Noise" in names

    def test_own_opening_is_added_to_that_of_the_game(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, "opening:\n  - put: Horse\n  - note: Bow before you sit down.\n")
        setup = deal(path, "--seed", "1")
        assert "Horse" in get_names(setup["piles"])
        assert [note["text"]["en"] for note in setup["notes"]] == ["Bow before you sit down."]


class TestReplacedCards:
    TEXT = "cards:\n  - {replaces: Cellar, cost: 3, also: [Wine Cellar], setup: {give: Tavern mat}}"

    def test_fields_that_are_not_given_stay(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, self.TEXT)
        game, printed = games.load(extra_files=[path], cache=str(tmp_path)), games.load()
        old, new = printed.cards["Cellar"], game.cards["Cellar"]
        assert str(new.cost) == "$3" and old.cost != new.cost
        assert new._replace(cost=old.cost, also=old.also) == old
        assert list(game.cards) == list(printed.cards)
        assert game.replaced == ("Cellar",)

    def test_recommended_kingdoms_use_the_own_version(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, self.TEXT)
        setup = deal(path, "--kingdom", "first game", "--seed", "1")
        (cellar,) = [pile for pile in setup["piles"] if pile["name"] == "Cellar"]
        assert cellar["cost"]["coins"] == 3
        assert "Tavern mat" in get_names(setup["components"])
        (note,) = [note for note in setup["notes"] if note.get("on") == "Cellar"]
        assert note["text"]["en"] == "your own version of this card"
        assert deal(path, *_rest(setup)) == setup

    def test_wish_finds_the_own_version_by_its_new_name_and_cost(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, self.TEXT)
        setup = deal(path, "--sets", "base", "--with", "wine cellar", "--want", "cost:3=1-", "--seed", "1")
        assert "cellar" in setup["kingdom"]
        assert "cellar" not in deal(path, "--sets", "base", "--without", "cellar", "--seed", "1")["kingdom"]

    def test_draws_do_not_change(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, self.TEXT)
        for seed in "abc":
            printed = json.loads(run("--seed", seed, "--json").stdout)
            assert deal(path, "--seed", seed)["turned"] == printed["turned"]

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            ("{name: Wine Cellar, replaces: Cellar, cost: 3}", "Wine Cellar.name: a card that replaces"),
            ("{replaces: Cellar, set: seaside, cost: 3}", "Cellar.set: a card that replaces Cellar"),
            ("{replaces: Cellar, edition: 2, cost: 3}", "Cellar.edition: a card that replaces Cellar keeps"),
            ("{replaces: Celar, cost: 3}", "no card named 'Celar'; did you mean Cellar?"),
            ("{replaces: Cellar}", "Cellar: nothing differs from Cellar"),
            ("{name: Cellar, set: base}", "to change it, type `replaces: Cellar`"),
        ],
    )  # fmt: skip
    def test_fault(self, tmp_path: Path, line: str, fault: str) -> None:
        assert any(fault in found for found in load_faults(tmp_path, f"cards: [{line}]"))


def _rest(setup: Any) -> list[str]:
    """Return the options of a setup's command, except `--cards` and its file."""
    words = shlex.split(setup["command"])[1:]
    index = words.index("--cards")
    return [*words[:index], *words[index + 2 :]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "kinds: {edict: {is: landscape}}\ncards: [{name: Edict of Noise, set: base, kind: edict}]",
            "Edict of Noise: nothing brings this card into use; set `most` of kinds.edict",
        ),
        ("kinds: {edict: {is: landscape, most: 1}}", "kinds.edict: no card is of this kind"),
        ("kinds: {event: {is: landscape}}", "kinds.event: already exists"),
        ("kinds: {bed: {is: pile, place: beside, most: 1}}", "kinds.bed.most: only a kind of landscape"),
        ("kinds: {edict: {is: landscape, extra: true}}", "kinds.edict.extra: without a number in `most`"),
        ("kinds: {edict: {is: landscape, place: beside}}", "kinds.edict.place: only a kind of pile"),
        ("cards: [{name: Bed, set: base, kind: non-supply}]", "Bed: nothing brings this card into use"),
        ("cards: [{name: Bed, set: base, kind: split-member}]", "list it in the `pile` of another card"),
        ("cards: [{name: Bed, set: base, edition: 3}]", "Bed: no box holds this set and edition"),
        ("cards: [{name: Bed, set: base, edition: 1, boxes: base-1e}]", "Bed.edition: has no effect"),
        ("cards: [{name: Bed, set: base, count: 9, stock: 9}]", "Bed.count: has no effect beside `stock`"),
        ("cards: [{name: Bed, set: base, shuffled: true}]", "Bed.shuffled: only a mixed pile has this"),
        ("cards: [{name: Bed, set: base, kind: event, count: 3}]", "Bed.count: a landscape has no pile"),
        ("sets: {beds: Beds}", "sets.beds: no card is in this set"),
        ("sets: {base: Beds}", "sets.base: already exists"),
        ("boxes: [{slug: base-2e, name: Beds}]", "boxes.base-2e: already exists"),
        ("components: {Bed mat: {kind: mat, each: game}}", "components.Bed mat: no effect uses it"),
        ("options: {beds: {help: Beds.}}", "no option named 'beds'"),
        ("does: {sleeping: sleeps}", "does.sleeping: no card does this"),
        ("rules: [{when: {type: Attack, cost: 9}, then: {put: Horse}}]", "rules[0].when: no card matches"),
        ("sizes: [{is: {type: Attack, cost: 9}, count: 3}]", "sizes[0].is: no card matches"),
        ("opening: {turn_up: {is: {kind: kingdom}, count: 3}}", "opening.turn_up: only the game's own file"),
    ],
)  # fmt: skip
def test_part_without_effect_is_a_fault_with_its_path(tmp_path: Path, text: str, fault: str) -> None:
    faults = load_faults(tmp_path, text)
    assert any(fault in found and found.startswith("mine.yaml: ") for found in faults), faults


def test_options_of_an_own_file_are_options_of_the_command_line(tmp_path: Path) -> None:
    text = COURT.replace("Edicts, most: 1", "Edicts, most: {option: edicts, default: 1}")
    path = write_own_file(tmp_path, f"options: {{edicts: {{help: Limit the Edicts.}}}}\n{text}")
    cards = ("--with", "edict of noise,edict of silence")
    setup = deal(path, *SETS, *cards, "--edicts", "2", "--seed", "1")
    assert setup["options"]["edicts"] == 2 and "--edicts 2" in setup["command"]
    assert deal(path, *_rest(setup)) == setup
    assert run("--cards", path, *SETS, *cards).exit_code == 2
    assert "Limit the Edicts." in run("--cards", path, "--help").stdout
    assert run("--edicts", "2").exit_code == 2
