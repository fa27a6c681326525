"""The data files: what the reader refuses, and what a file of the user's own may add."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from randomizer.cards.game import Game
from randomizer.load import games, languages
from randomizer.load.languagefile import read_language
from randomizer.text.errors import BadData
from randomizer.text.folding import fold
from tests.support import HERE, names, run

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


def leaves(value: Any) -> Iterator[tuple[Any, ...]]:
    """The places of all single values."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        inner = list(leaves(value[key]))
        yield from ((key, *place) for place in inner or [()])


def own(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def faults(folder: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(BadData) as raised:
        games.load(extra=[own(folder, text)], cache=str(folder))
    return (*map(str, raised.value.faults),)


def card(setup: str) -> str:
    return f"cards: [{{name: A, set: base, setup: {{{setup}}}}}]"


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("cards: [{name: A, set: base, cots: 3}]", "mine.yaml: A: unknown field 'cots'; cost?"),
            ("cards: [{name: A}]", "mine.yaml: A: set missing"),
            ("cards: [{name: A, set: bose}]", "mine.yaml: A.set: no set named 'bose'; base?"),
            ("cards: [{name: A, set: base, cost: free}]", "mine.yaml: A.cost: not a cost: 'free'"),
            (card("putt: Curse"), "mine.yaml: A.setup: no verb is called 'putt'; put?"),
            (card("put: Kurse"), "no card named 'Kurse'; Curse?"),
            (card("give: Tavern matt"), "no component named 'Tavern matt'; Tavern mat?"),
            (card("deal: {is: {kind: kingdon}, to: aside}"), "no kind named 'kingdon'"),
            (card("deal: {is: {}, to: moon}"), "A.setup.deal.to: not one of"),
            ("cards: [{name: Moat, set: base}]", "Moat: there is a card of this name already"),
            ("cards: [{name: A, set: base, count: many}]", "A.count: not a count: 'many'"),
            ("cards: [{name: A, set: base, does: vilage}]", "A.does: no word named 'vilage'; village?"),
            ("about: [{title: Scent}]", "mine.yaml: about.Scent: does or type missing"),
            ("about: [{title: Scent, type: Atack}]", "no type named 'Atack'; Attack?"),
            ("cards: {A: B}", "cards: "),
            ("- a\n- b", "not a mapping"),
            ("cards: [", "mine.yaml: line 2: did not find"),
            ("cards: [{name: A, set: base, name: B}]", "'name' is given twice"),
            ("a: &x [1]\nb: *x", "anchors and aliases are not read"),
            ("cards: " + "[" * 100_000 + "]" * 100_000, "nested too deeply"),
            ("players: {least: 1, most: 9}", "only the game's own file says this"),
            ("game: chess", "adds to 'chess', not to 'dominion'"),
        ],
    )  # fmt: skip
    def test_named_with_its_path(self, tmp_path: Path, text: str, fault: str) -> None:
        assert any(fault in found for found in faults(tmp_path, text))

    def test_all_at_once(self, tmp_path: Path) -> None:
        found = faults(tmp_path, "cards:\n- {name: A, set: x}\n- {name: B, set: base, cost: z}\n- {nam: C}")
        assert len(found) >= 3

    def test_no_code_is_run(self, tmp_path: Path) -> None:
        (fault,) = faults(tmp_path, "cards: !!python/object/apply:os.system ['true']")
        assert "python" in fault

    def test_printed_without_a_traceback(self, tmp_path: Path) -> None:
        result = run("--cards", own(tmp_path, "cards: [{name: A, set: bose}]"))
        assert result.exit_code == 2
        assert result.stderr == "Error: mine.yaml: A.set: no set named 'bose'; base?\n"

    def test_one_fault_is_told_once(self, tmp_path: Path) -> None:
        """Whatever a file defines is missing while it cannot be read; nobody is told that of every line."""
        whole = yaml.safe_load(GARDEN)
        places = list(leaves(whole))
        assert len(places) >= 15
        for place in places:
            changed = yaml.safe_load(GARDEN)
            inside = changed
            for key in place[:-1]:
                inside = inside[key]
            inside[place[-1]] = [[["no value"]]]
            found = faults(tmp_path, yaml.safe_dump(changed, sort_keys=False))
            assert len(found) == 1, (place, found)

    def test_a_language_file_is_checked_too(self, game: Game, tmp_path: Path) -> None:
        path = tmp_path / "names.xx.yaml"
        path.write_text("language: xx\nname: X\ncards: {Copperr: {name: Y}}", encoding="utf-8")
        with pytest.raises(BadData, match="no card named 'Copperr'; Copper"):
            read_language(str(path), game)


class TestOwnFiles:
    def test_it_deals_from_the_sets_of_the_file(self, tmp_path: Path) -> None:
        path = own(tmp_path, GARDEN)
        setup = json.loads(run("--cards", path, "--seed", "1", "--json").stdout)
        assert setup["options"]["sets"] == ["base-2e", "garden-party"]
        again = json.loads(run(*setup["command"].split()[1:], "--json").stdout)
        assert again == setup
        only = json.loads(run("--cards", path, "--sets", "adventures", "--json").stdout)
        assert only["options"]["sets"] == ["adventures"]
        announced = json.loads(run("--cards", own(tmp_path, ARCANA), "--json").stdout)
        assert announced["options"]["sets"] == ["base-2e", "arcana"]

    def test_every_list_knows_it(self, tmp_path: Path) -> None:
        path = own(tmp_path, GARDEN)
        assert "Garden Party" in run("sets", "--cards", path).stdout
        assert "Topiary" in run("cards", "--cards", path, "--set", "garden-party").stdout
        assert "Tavern mat" in run("cards", "--cards", path, "head gardener").stdout
        assert "Topiary, turned up" in run("odds", "--cards", path, "topiary").stdout
        facts = json.loads(run("cards", "--cards", path, "topiary", "--json").stdout)["cards"]
        assert facts[0]["boxes"] == ["garden-party"]

    def test_a_set_that_nobody_knows_yet(self, tmp_path: Path) -> None:
        """Arcana, announced: its cards are an edit of data alone."""
        path = own(tmp_path, ARCANA)
        assert run("--sets", "arcana").exit_code == 2
        setup = json.loads(run("--cards", path, "--sets", "arcana", "--seed", "1", "--json").stdout)
        kingdom = [pile for pile in setup["piles"] if pile["place"] == "kingdom"]
        assert len(kingdom) == 10 and all(pile["set"] == "arcana" for pile in kingdom)
        assert setup["options"]["cards"] == [path]
        again = run(*setup["command"].split()[1:], "--json").stdout
        assert json.loads(again) == setup

    def test_a_promo_with_a_setup_of_its_own(self, tmp_path: Path) -> None:
        path = own(
            tmp_path,
            "cards:\n  - {name: Lighthouse Keeper, set: promos, cost: 4, types: [Action],\n"
            "     setup: [{give: Tavern mat}, {put: Spoils}, {note: Mind the lamp.}]}",
        )
        args = ["--cards", path, "--sets", "base,lighthouse-keeper", "--json"]
        for seed in range(40):
            setup = json.loads(run(*args, "--seed", str(seed)).stdout)
            if "Lighthouse Keeper" in names(setup["piles"]):
                break
        assert {"Spoils"} <= set(names(setup["piles"]))
        assert "Tavern mat" in names(setup["components"])
        assert [note["text"] for note in setup["notes"]] == ["Mind the lamp."]

    def test_what_a_card_does_in_words_of_its_own(self, game: Game, tmp_path: Path) -> None:
        """And in the game's; there is a wish for them."""
        text = (
            "does: {smelling: smells sweet}\nwishes: {scent: [smelling, village or draw]}\n"
            "cards: [{name: Rosery, set: base, does: [smelling, village]},\n"
            "        {name: Lawn, set: base, does: draw}]"
        )
        for _ in ("made", "from the cache"):
            mine = games.load(extra=[own(tmp_path, text)], cache=str(tmp_path))
            assert mine.cards["Rosery"].does == ("smelling", "village")
            assert mine.cards["Lawn"].does == ("draw",)
            assert mine.does == {**game.does, "smelling": "smells sweet"}
            assert mine.wishes == {**game.wishes, "scent": ("smelling", "village or draw")}

    def test_a_house_rule(self, tmp_path: Path) -> None:
        """Horses with every Village; and a rule for a whole type."""
        path = own(tmp_path, "rules:\n  - {when: {type: Attack}, then: {put: Horse}}")
        for seed in range(20):
            setup = json.loads(run("--cards", path, "--seed", str(seed), "--json").stdout)
            attack = any("Attack" in pile["types"] for pile in setup["piles"])
            assert ("Horse" in names(setup["piles"])) == attack

    def test_a_document_of_an_own_card_can_be_shown(self, tmp_path: Path) -> None:
        path = own(tmp_path, ARCANA)
        text = run("--cards", path, "--sets", "arcana", "--json").stdout
        assert run("show", "-", "--json", input=text).stdout == text
        assert (
            "Runestone" in run("show", "-", input=text).stdout
            or "Arcanum" in run("show", "-", input=text).stdout
        )


class TestWholeAndPlain:
    def test_a_byte_order_mark_is_no_fault(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.yaml"
        path.write_text(ARCANA, encoding="utf-8-sig")
        assert "Runestone" in games.load(extra=[str(path)], cache=str(tmp_path)).cards

    def test_an_ordinary_card_is_one_line(self) -> None:
        """Of the cards that ask for nothing, nearly all stand on a line of their own."""
        text = (HERE.parent / "data" / "cards.yaml").read_text(encoding="utf-8")
        ordinary = [
            line for line in text.splitlines() if line.startswith("  - {name:") and "setup" not in line
        ]
        assert sum(line.rstrip().endswith("}") for line in ordinary) > 600

    def test_names_are_clear(self, game: Game) -> None:
        """No two cards are called the same in one language."""
        for code in languages.codes()[1:]:
            called = [fold(named.name) for named in languages.card_names(code, game).values()]
            twice = {name for name in called if called.count(name) > 1}
            assert not twice, twice
