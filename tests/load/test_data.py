"""The data files: what the reader refuses, and what a file of the user's own may add."""

import json
from pathlib import Path

import pytest

from randomizer.cards.game import Game
from randomizer.errors import BadData
from randomizer.load import games as database
from randomizer.load import languages as language
from randomizer.load.languagefile import read_language
from randomizer.text.folding import fold
from tests.support import HERE, names, run

ARCANA = """
cards:
  - {name: Runestone, set: arcana, cost: 3, types: [Action]}
""" + "\n".join(
    f"  - {{name: Arcanum {n}, set: arcana, cost: {n % 6 + 1}, types: [Action]}}" for n in range(12)
)


def own(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def faults(folder: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(BadData) as raised:
        database.load(extra=[own(folder, text)], cache=str(folder))
    return raised.value.faults


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

    def test_a_language_file_is_checked_too(self, game: Game, tmp_path: Path) -> None:
        path = tmp_path / "names.xx.yaml"
        path.write_text("language: xx\nname: X\ncards: {Copperr: {name: Y}}", encoding="utf-8")
        with pytest.raises(BadData, match="no card named 'Copperr'; Copper"):
            read_language(str(path), game)


class TestOwnFiles:
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
        assert "Runestone" in database.load(extra=[str(path)], cache=str(tmp_path)).cards

    def test_an_ordinary_card_is_one_line(self) -> None:
        """Of the cards that ask for nothing, nearly all stand on a line of their own."""
        text = (HERE.parent / "data" / "cards.yaml").read_text(encoding="utf-8")
        ordinary = [
            line for line in text.splitlines() if line.startswith("  - {name:") and "setup" not in line
        ]
        assert sum(line.rstrip().endswith("}") for line in ordinary) > 600

    def test_names_are_clear(self, game: Game) -> None:
        """No two cards are called the same in one language."""
        for code in language.codes()[1:]:
            called = [fold(named.name) for named in language.card_names(code, game).values()]
            twice = {name for name in called if called.count(name) > 1}
            assert not twice, twice
