"""Data files: which faults the reader reports, and what a user's own file may add."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from randomizer.cards.game import Game
from randomizer.load import games, languages, yaml_reader
from randomizer.load.languagefile import read_language
from randomizer.text.errors import BadData
from randomizer.text.folding import fold
from tests.support import TESTS_DIR, get_names, run

ARCANA = """
cards:
  - {name: Runestone, set: arcana, cost: 3, types: [Action]}
""" + "\n".join(
    f"  - {{name: Arcanum {n}, set: arcana, cost: {n % 6 + 1}, types: [Action]}}" for n in range(12)
)


GARDEN = """
game: dominion
sets: {garden-party: Garden Party}
boxes:
  - {slug: garden-party, name: Garden Party, holds: [garden-party], year: 2026}
cards:
  - {name: Topiary, set: garden-party, cost: 3, types: [Action]}
  - name: Head Gardener
    set: garden-party
    boxes: [garden-party]
    cost: 5
    types: [Action]
    setup: [{give: Tavern mat}]
  - {name: Beds, set: garden-party, cost: 2, types: [Action], pile: {Bed: 5, Border: 5}}
  - {name: Bed, set: garden-party, kind: split-member, cost: 2, types: [Action]}
  - {name: Border, set: garden-party, kind: split-member, cost: 3, types: [Action]}
rules:
  - {when: {type: Action, set: garden-party}, then: [{put: Topiary}]}
"""


def list_paths(value: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all scalars in nested lists and dictionaries."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        inner = list(list_paths(value[key]))
        yield from ((key, *path) for path in inner or [()])


def write_own_file(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def load_faults(folder: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(BadData) as raised:
        games.load(extra_files=[write_own_file(folder, text)], cache=str(folder))
    return (*map(str, raised.value.faults),)


def card_with_setup(setup: str) -> str:
    return f"cards: [{{name: A, set: base, setup: {{{setup}}}}}]"


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            (
                "cards: [{name: A, set: base, cots: 3}]",
                "mine.yaml: A: unknown field 'cots'; did you mean cost?",
            ),
            ("cards: [{name: A}]", "mine.yaml: A: set missing"),
            ("cards: [{name: A, set: bose}]", "mine.yaml: A.set: no set named 'bose'; did you mean base?"),
            ("cards: [{name: A, set: base, cost: free}]", "mine.yaml: A.cost: not a cost: 'free'"),
            (card_with_setup("putt: Curse"), "mine.yaml: A.setup: unknown verb 'putt'; did you mean put?"),
            (card_with_setup("put: Kurse"), "no card named 'Kurse'; did you mean Curse?"),
            (
                card_with_setup("give: Tavern matt"),
                "no component named 'Tavern matt'; did you mean Tavern mat?",
            ),
            (card_with_setup("deal: {is: {kind: kingdon}, to: aside}"), "no kind named 'kingdon'"),
            (card_with_setup("deal: {is: {}, to: moon}"), "A.setup.deal.to: not one of"),
            ("cards: [{name: Moat, set: base}]", "Moat: a card with this name already exists"),
            ("cards: [{name: A, set: base, count: many}]", "A.count: not a count: 'many'"),
            (
                "cards: [{name: A, set: base, does: vilage}]",
                "A.does: no word named 'vilage'; did you mean village?",
            ),
            ("about: [{title: Scent}]", "mine.yaml: about.Scent: does or type missing"),
            ("about: [{title: Scent, type: Atack}]", "no type named 'Atack'; did you mean Attack?"),
            ("cards: {A: B}", "cards: "),
            ("- a\n- b", "mine.yaml: not a mapping"),
            ("cards: [", "mine.yaml: line "),  # The two parsers of PyYAML count and word this differently.
            ("cards: [{name: A, set: base, name: B}]", "'name' is given twice"),
            ("a: &x [1]\nb: *x", "anchors and aliases are not supported"),
            ("cards: " + "[" * 500 + "]" * 500, "nested too deeply"),
            ("cards: " + "[" * 100_000 + "]" * 100_000, "nest"),  # PyYAML 6.0.4 has a message of its own.
            ("players: {least: 1, most: 9}", "only the game's own file can set this"),
            ("game: chess", "adds to 'chess', not to 'dominion'"),
        ],
    )  # fmt: skip
    def test_fault_is_reported_with_its_path(self, tmp_path: Path, text: str, fault: str) -> None:
        assert any(fault in found for found in load_faults(tmp_path, text))

    def test_all_faults_are_reported_at_once(self, tmp_path: Path) -> None:
        found = load_faults(
            tmp_path, "cards:\n- {name: A, set: x}\n- {name: B, set: base, cost: z}\n- {nam: C}"
        )
        assert len(found) >= 3

    def test_yaml_tag_that_would_run_code_is_rejected(self, tmp_path: Path) -> None:
        (fault,) = load_faults(tmp_path, "cards: !!python/object/apply:os.system ['true']")
        assert "python" in fault

    def test_fault_is_one_line_on_stderr(self, tmp_path: Path) -> None:
        result = run("--cards", write_own_file(tmp_path, "cards: [{name: A, set: bose}]"))
        assert result.exit_code == 2
        assert result.stderr == "Error: mine.yaml: A.set: no set named 'bose'; did you mean base?\n"

    def test_one_wrong_value_causes_exactly_one_fault(self, tmp_path: Path) -> None:
        """Names that an invalid file would define are not reported as unknown."""
        paths = list(list_paths(yaml.safe_load(GARDEN)))
        assert len(paths) >= 15
        for path in paths:
            changed = yaml.safe_load(GARDEN)
            inside = changed
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = [[["no value"]]]
            found = load_faults(tmp_path, yaml.safe_dump(changed, sort_keys=False))
            assert len(found) == 1, (path, found)

    def test_unknown_card_in_a_language_file_is_a_fault(self, game: Game, tmp_path: Path) -> None:
        path = tmp_path / "names.xx.yaml"
        path.write_text("language: xx\nname: X\ncards: {Copperr: {name: Y}}", encoding="utf-8")
        with pytest.raises(BadData, match="no card named 'Copperr'; did you mean Copper"):
            read_language(str(path), game)

    @pytest.mark.parametrize(
        ("concepts", "fault"),
        [
            ("{Deck: deck, deck: draw}", "concepts: 'deck' is the same word as 'Deck'"),
            (
                "{Zur Seite: set aside, zur-seite: gain}",
                "concepts: 'zur-seite' is the same word as 'Zur Seite'",
            ),
            ("{'?!': deck}", "concepts: no letters or digits: '?!'"),
            ("{Stapel: [deck]}", "concepts.Stapel: not a text: ['deck']"),
        ],
    )
    def test_wrong_concept_in_a_language_file_is_a_fault(
        self, concepts: str, fault: str, game: Game, tmp_path: Path
    ) -> None:
        path = tmp_path / "names.xx.yaml"
        path.write_text(f"language: xx\nname: X\nconcepts: {concepts}", encoding="utf-8")
        with pytest.raises(BadData) as error:
            read_language(str(path), game)
        assert list(map(str, error.value.faults)) == [f"names.xx.yaml: {fault}"]


class TestOwnFiles:
    def test_deal_includes_the_sets_of_an_own_file(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, GARDEN)
        setup = json.loads(run("--cards", path, "--seed", "1", "--json").stdout)
        assert setup["options"]["sets"] == ["base-2e", "garden-party"]
        repeated = json.loads(run(*setup["command"].split()[1:], "--json").stdout)
        assert repeated == setup
        only = json.loads(run("--cards", path, "--sets", "adventures", "--json").stdout)
        assert only["options"]["sets"] == ["adventures"]
        announced = json.loads(run("--cards", write_own_file(tmp_path, ARCANA), "--json").stdout)
        assert announced["options"]["sets"] == ["base-2e", "arcana"]

    def test_lists_include_an_own_file(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, GARDEN)
        assert "Garden Party" in run("sets", "--cards", path).stdout
        assert "Topiary" in run("cards", "--cards", path, "--set", "garden-party").stdout
        assert "Tavern mat" in run("cards", "--cards", path, "head gardener").stdout
        assert "Topiary, drawn" in run("odds", "--cards", path, "topiary").stdout
        facts = json.loads(run("cards", "--cards", path, "topiary", "--json").stdout)["cards"]
        assert facts[0]["boxes"] == ["garden-party"]

    def test_announced_set_can_be_dealt_once_a_file_has_its_cards(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, ARCANA)
        assert run("--sets", "arcana").exit_code == 2
        setup = json.loads(run("--cards", path, "--sets", "arcana", "--seed", "1", "--json").stdout)
        kingdom = [pile for pile in setup["piles"] if pile["place"] == "kingdom"]
        assert len(kingdom) == 10 and all(pile["set"] == "arcana" for pile in kingdom)
        assert setup["options"]["files"] == [path]
        again = run(*setup["command"].split()[1:], "--json").stdout
        assert json.loads(again) == setup

    def test_own_promo_brings_its_setup(self, tmp_path: Path) -> None:
        path = write_own_file(
            tmp_path,
            "cards:\n  - {name: Lighthouse Keeper, set: promos, cost: 4, types: [Action],\n"
            "     setup: [{give: Tavern mat}, {put: Spoils}, {note: Mind the lamp.}]}",
        )
        args = ["--cards", path, "--sets", "base,lighthouse-keeper", "--json"]
        for seed in range(40):
            setup = json.loads(run(*args, "--seed", str(seed)).stdout)
            if "Lighthouse Keeper" in get_names(setup["piles"]):
                break
        assert {"Spoils"} <= set(get_names(setup["piles"]))
        assert "Tavern mat" in get_names(setup["components"])
        assert [note["text"]["en"] for note in setup["notes"]] == ["Mind the lamp."]

    def test_own_file_adds_words_for_what_cards_do_and_wishes(self, game: Game, tmp_path: Path) -> None:
        text = (
            "does: {smelling: smells sweet}\nwishes: {scent: [smelling, village or draw]}\n"
            "cards: [{name: Rosery, set: base, does: [smelling, village]},\n"
            "        {name: Lawn, set: base, does: draw}]"
        )
        for _ in ("computed", "from the cache"):
            mine = games.load(extra_files=[write_own_file(tmp_path, text)], cache=str(tmp_path))
            assert mine.cards["Rosery"].does == ("smelling", "village")
            assert mine.cards["Lawn"].does == ("draw",)
            assert mine.does == {**game.does, "smelling": "smells sweet"}
            assert mine.wishes == {**game.wishes, "scent": ("smelling", "village or draw")}

    def test_house_rule_applies_to_every_deal(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, "rules:\n  - {when: {type: Attack}, then: {put: Horse}}")
        for seed in range(20):
            setup = json.loads(run("--cards", path, "--seed", str(seed), "--json").stdout)
            attack = any("Attack" in pile["types"] for pile in setup["piles"])
            assert ("Horse" in get_names(setup["piles"])) == attack

    def test_document_with_own_cards_can_be_shown_without_the_file(self, tmp_path: Path) -> None:
        path = write_own_file(tmp_path, ARCANA)
        text = run("--cards", path, "--sets", "arcana", "--json").stdout
        assert run("show", "-", "--json", input=text).stdout == text
        assert (
            "Runestone" in run("show", "-", input=text).stdout
            or "Arcanum" in run("show", "-", input=text).stdout
        )


class TestDataFiles:
    def test_byte_order_mark_is_accepted(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.yaml"
        path.write_text(ARCANA, encoding="utf-8-sig")
        assert "Runestone" in games.load(extra_files=[str(path)], cache=str(tmp_path)).cards

    def test_most_cards_without_setup_are_one_line(self) -> None:
        text = (TESTS_DIR.parent / "data" / "cards.yaml").read_text(encoding="utf-8")
        ordinary = [
            line for line in text.splitlines() if line.startswith("  - {name:") and "setup" not in line
        ]
        assert sum(line.rstrip().endswith("}") for line in ordinary) > 600

    def test_no_two_cards_share_a_name_in_a_language(self, game: Game) -> None:
        for code in languages.list_codes()[1:]:
            names = [fold(named.name) for named in languages.load_card_names(code, game).values()]
            assert len(set(names)) == len(names), code


def test_file_may_be_nested_fifty_levels_deep() -> None:
    assert yaml_reader._find_syntax_fault("[" * 50 + "]" * 50) == ""
    assert yaml_reader._find_syntax_fault("[" * 51 + "]" * 51) == "nested too deeply"
