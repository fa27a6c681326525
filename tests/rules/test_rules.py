"""The rulebooks: both languages, sources, links, and nothing of the seeds dropped.

tests/facts/claims has the claims of each seed, and the setup rules, one by one, with the entry that says
each; tests/facts/arkham-terms.csv has the glossary's terms.
"""

import csv
import json
import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from randomizer.load import games, languages
from randomizer.load.paths import data_folder
from randomizer.rules import rulefile
from randomizer.rules.applying import Condition, find_applicable_entries, list_table_items
from randomizer.rules.entry import Entry, localize
from randomizer.rules.index import Index
from randomizer.rules.index_builder import build_index
from randomizer.rules.lookup import open_index
from randomizer.text.errors import BadData
from randomizer.text.folding import fold
from tests.record.test_needs import on_the_table
from tests.record.test_nesting import BASE
from tests.support import HERE, Deals, facts, run
from tests.support.quality import asked

JAPANESE = re.compile(r"[ぁ-ゖァ-ヺ一-龠]")
CLAIMS = sorted((HERE / "facts" / "claims").glob("*.csv"))


@pytest.fixture(scope="session")
def index() -> Index:
    return open_index()


@pytest.fixture(scope="session")
def entries(index: Index) -> "Entries":
    return {(game, entry.id): entry for game in index.doc_id_ranges for entry in index.entries(game)}


Entries = dict[tuple[str, str], Entry]


class TestWhatIsThere:
    def test_three_books(self, index: Index) -> None:
        counts = {game: len(numbers) for game, numbers in index.doc_id_ranges.items()}
        assert {"arkham", "pergamemnon"} < set(counts) and next(iter(counts)) == "dominion"
        assert counts["dominion"] > 550
        assert counts["arkham"] >= len(facts("arkham-terms"))
        assert counts["pergamemnon"] > 40

    def test_both_languages_for_every_entry(self, entries: Entries) -> None:
        for key, entry in entries.items():
            texts = [entry.title, entry.text, *(older.text for older in entry.older)]
            for text in texts:
                assert text["en"].strip() and text["ja"].strip(), key
                assert not JAPANESE.search(text["en"]), key
                assert JAPANESE.search(text["ja"]), key

    def test_older_wordings_have_their_date(self, entries: Entries) -> None:
        dated = [older.until for entry in entries.values() for older in entry.older]
        assert dated and all(dated)

    def test_every_source_is_named_and_every_link_leads_somewhere(self, entries: Entries) -> None:
        for (game, _), entry in entries.items():
            assert entry.sources, entry.id
            assert all((game, see) in entries for see in entry.see), entry.id
            assert entry.id not in entry.see

    def test_each_answers_six_questions_unlike_each_other(self) -> None:
        for key, asks in asked().items():
            for code in ("en", "ja"):
                assert len(set(map(fold, asks[code]))) == len(asks[code]) >= 6, key

    def test_no_alias_has_two_owners(self, entries: Entries) -> None:
        for game in {game for game, _ in entries}:
            owners = Counter(
                alias
                for (of, _), entry in entries.items()
                if of == game
                for alias in {fold(alias) for alias in entry.aliases}
            )
            assert [alias for alias, times in owners.items() if times > 1] == []

    @pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.stem)
    def test_every_claim_of_a_seed_has_its_entry(self, entries: Entries, path: Path) -> None:
        game = "pergamemnon" if path.stem == "seed-003" else "dominion"
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) > 50
        assert [row["claim"] for row in rows if (game, row["entry"]) not in entries] == []

    def test_every_term_of_the_glossary(self, entries: Entries) -> None:
        for row in facts("arkham-terms"):
            entry = entries["arkham", row["id"]]
            if row["id"] == "direct-damage-direct-horror-2":  # over the text on discard piles, by mistake
                continue
            assert entry.title["en"] == row["en"]
            called = {name for twin in entries.values() if twin.title == entry.title for name in twin.aliases}
            assert not row["ja"] or row["ja"] in called | {entry.title["ja"]}
            assert entry.parent == row["parent"]
            assert set(filter(None, row["see"].split(";"))) <= set(entry.see)


@pytest.fixture(scope="session")
def single() -> list[dict[str, Any]]:
    """The entries of single cards."""
    folder = Path(data_folder()) / "rules" / "dominion"
    chapters = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in folder.glob("*.yaml")]
    return [entry for chapter in chapters for entry in chapter.get("cards", ())]


class TestSingleCards:
    """An entry on one card."""

    def test_called_as_the_card_is(self, single: list[dict[str, Any]]) -> None:
        names = languages.load("ja", games.load()).cards
        for entry in single:
            card = entry["title"]["en"]
            assert entry["title"]["ja"] == names[card]
            assert entry.get("cards", [card]) == [card]

    def test_two_texts_in_each_language(self, single: list[dict[str, Any]]) -> None:
        """What it does, then its rulings: at least one, if only that the text says all."""
        for entry in single:
            for text in entry["text"].values():
                assert re.search(r"^- ", text, re.MULTILINE), entry["id"]

    def test_short_and_its_first_sentence_stands_alone(self, single: list[dict[str, Any]]) -> None:
        for entry in single:
            assert len(entry["text"]["en"].replace("- ", "").split()) <= 90, entry["id"]
            for code, text in entry["text"].items():
                first, *others = text.strip().split("\n\n")
                assert first.endswith("." if code == "en" else "。"), entry["id"]
                assert all(line.startswith(("- ", "  ")) for other in others for line in other.split("\n"))

    def test_every_name_has_its_entry(self, entries: Entries) -> None:
        """With what it does and its rulings, questions and a source, in both languages."""
        own = {localize(entry.title, "en"): entry for entry in entries.values() if entry.game == "dominion"}
        cards = games.load().cards
        assert len(cards) >= 858
        for name in cards:
            entry = own[name]
            assert entry.sources, name
            assert len(entry.text["en"].replace("- ", "").split()) <= 90, name
            for code in ("en", "ja"):
                does, *rulings = entry.text[code].split("\n\n")
                assert does and not does.startswith("- "), name
                assert any(line.startswith("- ") for block in rulings for line in block.split("\n")), name


def read(tmp_path: Path, text: str, questions: str = "{}") -> rulefile.Rulebooks:
    """A book of one chapter, read."""
    return rulefile.read_books(chapter(tmp_path, text, questions), [games.load()], ["en", "ja", "fr"])


def chapter(tmp_path: Path, text: str, questions: str = "{}") -> list[str]:
    """A book of one chapter."""
    (tmp_path / "chess").mkdir()
    books = tmp_path / "books.yaml"
    books.write_text("books: {chess: {en: Chess, ja: チェス}}\nsources: {fide: {en: FIDE, ja: 国際連盟}}")
    path = tmp_path / "chess" / "moves.yaml"
    path.write_text("chapter: {en: Moves, ja: 動き}\nentries:\n" + text, encoding="utf-8")
    (tmp_path / "chess" / "questions").mkdir()
    asked = tmp_path / "chess" / "questions" / "moves.yaml"
    asked.write_text(questions, encoding="utf-8")
    return [str(books), str(path), str(asked)]


GOOD = """
  - id: rook
    title: {en: Rook, ja: ルーク}
    reading: るーく
    aliases: [tower]
    text: {en: Moves straight., ja: まっすぐ動く。}
    see: [pawn]
    sources: [fide 3.3]
  - id: pawn
    title: {en: Pawn, ja: ポーン}
    reading: ぽーん
    text: {en: Moves ahead., ja: 前へ動く。}
    sources: [fide]
"""


QUESTIONS = "rook: {en: [how far does a rook go], ja: [ルークはどこまで動くか]}"


def test_the_index_is_made_of_every_data_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it is made anew when any of them changes, those of games and languages too."""
    sources: list[str] = []

    def opened(name: str, paths: list[str], *_: object, packages: tuple[str, ...]) -> BytesIO:
        assert "rules" in packages
        sources.extend(paths)
        return BytesIO(build_index(rulefile.Rulebooks({}, [], []), [games.load()], []))

    monkeypatch.setattr("randomizer.rules.lookup.open_or_compute", opened)
    open_index()
    assert sorted(sources) == sorted(map(str, Path(data_folder()).rglob("*.yaml")))


class TestReading:
    def test_a_new_book_is_only_files(self, tmp_path: Path) -> None:
        titles, entries, *_ = read(tmp_path, GOOD, QUESTIONS)
        assert titles["chess"]["en"] == "Chess"
        assert [entry.id for entry in entries] == ["rook", "pawn"]
        assert entries[0].sources == [{"en": "FIDE 3.3", "ja": "国際連盟 3.3"}]
        assert entries[0].sample_questions == {
            "en": ("how far does a rook go",),
            "ja": ("ルークはどこまで動くか",),
        }

    @pytest.mark.parametrize(
        ("bad", "fault"),
        [
            ("see: [pawn]", "rook.see: no entry 'pawn' in chess"),
            ("sources: [fifa]", "rook.sources: no source named 'fifa'"),
            ("cards: [Villlage]", "no card named 'Villlage'; Village?"),
            ("color: white", "rook: unknown field 'color'"),
            ("older: {until: 1851, text: {fr: Tout droit.}}", "rook.older.text: en missing"),
            ("older: {until: 1851, text: {en: Any, eo: Iu}}", "no language named 'eo'"),
        ],
    )
    def test_faults_are_named(self, tmp_path: Path, bad: str, fault: str) -> None:
        alone = GOOD[: GOOD.index("  - id: pawn")].replace("see: [pawn]", bad)
        alone = alone if "see:" in bad or "sources" not in bad else alone.replace("sources: [fide 3.3]", "")
        with pytest.raises(BadData) as raised:
            read(tmp_path, alone)
        assert fault in str(raised.value)

    def test_an_id_is_defined_once(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"rook: defined before, in moves\.yaml"):
            read(tmp_path, GOOD.replace("id: pawn", "id: rook"))

    def test_questions_for_an_unknown_entry_are_a_fault(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"questions/moves\.yaml: no entry 'rok' in chess"):
            read(tmp_path, GOOD, QUESTIONS.replace("rook:", "rok:"))

    @pytest.mark.parametrize(
        ("questions", "fault"),
        [
            ("[]", "questions/moves.yaml: not a mapping"),
            ("rook: {en: {}}", r"questions/moves.yaml: rook.en\[0\]|questions/moves.yaml: rook.en"),
            ("rook: {eo: [Kiel?]}", "questions/moves.yaml: rook: no language named 'eo'"),
        ],
    )
    def test_faults_in_questions_name_their_file(self, tmp_path: Path, questions: str, fault: str) -> None:
        with pytest.raises(BadData, match=fault):
            read(tmp_path, GOOD, questions)

    def test_entries_without_a_file_of_questions_have_none(self, tmp_path: Path) -> None:
        books, moves, _ = chapter(tmp_path, GOOD)
        read_books = rulefile.read_books([books, moves], [games.load()], ["en", "ja"])
        assert [entry.sample_questions for entry in read_books.entries] == [{}, {}]

    def test_order_of_chapters_is_that_of_the_list_with_cards_in_their_place(self, tmp_path: Path) -> None:
        books, moves, asked = chapter(tmp_path, GOOD)
        extra = "  - {id: %s, title: {en: T}, text: {en: T.}, sources: [fide]}\n"
        ids = {"ends": ("mate", "king"), "openings": ("gambit", "queen"), "unlisted": ("clock", "board")}
        paths = []
        for name, (rule, card) in ids.items():
            path = tmp_path / "chess" / f"{name}.yaml"
            path.write_text(f"chapter: {{en: T}}\nentries:\n{extra % rule}cards:\n{extra % card}")
            paths.append(str(path))
        with open(books, "a", encoding="utf-8") as file:
            file.write("\norder: {chess: [openings, cards, moves, ends]}")
        entries = rulefile.read_books([books, *paths, moves, asked], [games.load()], ["en", "ja"]).entries
        assert [entry.id for entry in entries] == [
            "gambit",
            "king",
            "queen",
            "board",
            "rook",
            "pawn",
            "mate",
            "clock",
        ]

    def test_unknown_chapter_in_the_order_is_a_fault(self, tmp_path: Path) -> None:
        books, moves, asked = chapter(tmp_path, GOOD)
        with open(books, "a", encoding="utf-8") as file:
            file.write("\norder: {chess: [move]}")
        with pytest.raises(BadData, match=r"books\.yaml: order\.chess: no chapter named 'move'"):
            rulefile.read_books([books, moves, asked], [games.load()], ["en", "ja"])

    def test_a_folder_that_is_not_listed(self, tmp_path: Path) -> None:
        books, moves, _ = chapter(tmp_path, GOOD)
        Path(books).write_text("books: {}\nsources: {fide: {en: FIDE}}")
        with pytest.raises(BadData, match=r"moves\.yaml: no book named 'chess' in books\.yaml"):
            rulefile.read_books([books, moves], [], ["en", "ja"])

    def test_a_third_language_is_a_field(self, tmp_path: Path) -> None:
        """And English is what is shown where a text has none."""
        _, (rook, pawn), *_ = read(tmp_path, GOOD.replace("ja: ルーク", "fr: Tour"))
        assert rook.title == {"en": "Rook", "fr": "Tour"}
        assert [localize(entry.title, "fr") for entry in (rook, pawn)] == ["Tour", "Pawn"]

    @pytest.mark.parametrize(
        ("lines", "unwrapped"),
        [
            ("one\ntwo", "one two"),
            ("一\n二", "一二"),
            ("一\ntwo", "一two"),
            ("für\nüber – \nall", "für über – all"),
            (
                "one\n\n- two\n  three\n  - four\n1. five\n\nsix",
                "one\n\n- two three\n  - four\n1. five\n\nsix",
            ),
        ],
    )
    def test_a_line_break_is_a_space_by_the_characters_beside_it(self, lines: str, unwrapped: str) -> None:
        assert rulefile.unwrap(lines) == unwrapped


def applied(index: Index, deal: Deals, *cards: str, **options: Any) -> dict[str, list[str]]:
    """The ids of the entries that apply to a table with these cards, by how specific they are."""
    setup = deal.setup(*cards, **{"landscapes": 0, **options})
    found = find_applicable_entries(
        index.entries_with_conditions("dominion"), list(list_table_items(setup, deal.game))
    )
    return {sort: [entry.id for entry in group] for sort, group in found._asdict().items()}


COSTS = {"Ferryman": (3, 4), "Bane": (2, 3), "Riverboat": (5,), "Way of the Mouse": (2, 3)}
KINDS = {"event", "landmark", "project", "way", "trait", "ally", "prophecy", "kingdom"}
SINGLE = ("Riverboat", "Way of the Mouse")
ASKED_BY = {"Ferryman": "Ferryman", "Bane": "Young Witch", "Approaching Army": "Approaching Army"}


def meeting(deal: Deals, conditions: list[Condition]) -> dict[str, list[str]]:
    """By question, what has to come up first so that all the conditions hold."""
    stacked: dict[str, list[str]] = {"randomizers": []}
    asked = [name for condition in conditions for name in condition.card]
    for condition in conditions:
        slot: str = next(iter(condition.mark), "")
        if "deck" in condition.place:
            slot = "Black Market deck"
        elif "aside" in condition.place:
            slot = "Riverboat" if "Riverboat" in asked else "Way of the Mouse"
        name = a_card(deal, condition, slot) if condition != Condition(mark=condition.mark) else ""
        if slot in COSTS or slot in ASKED_BY or slot == "Black Market deck":
            stacked.setdefault(slot, []).extend(filter(None, [name]))
            name = ASKED_BY.get(slot, slot.removesuffix(" deck"))
        first, more = on_the_table(name or slot)
        stacked["randomizers"] += first
        for question, names in more.items():
            stacked.setdefault(question, []).extend(names)
    return stacked


def a_card(deal: Deals, condition: Condition, slot: str) -> str:
    """A card, found among the randomizers where it can be, that the condition asks for."""
    cards = deal.game.cards
    if condition.component:
        (name,) = condition.component
        return next(
            card.name
            for card in cards.values()
            if card.kind in KINDS and name in str(deal.game.setup.get(card.name))
        )
    wanted = [
        card
        for card in cards.values()
        if card.name in (condition.card or [card.name])
        and set(card.types) & set(condition.type or card.types)
    ]
    fitting = [
        card
        for card in wanted
        if card.kind in KINDS
        and (slot not in COSTS or (card.cost and card.cost.coins in COSTS[slot] and not card.cost.debt))
        and (slot not in SINGLE or ("Action" in card.types and "Duration" not in card.types))
    ]
    if fitting:
        return fitting[0].name
    card = cards[wanted[0].member_of or wanted[0].name]
    if card.kind in KINDS:
        return card.name
    askers = (asker for asker in cards if f"'{card.name}'" in str(deal.game.setup.get(asker, "")))
    return next(askers, "")  # no card brings the Shelters: the deal decides on them


class TestAtTheTable:
    """Whoever reads has cards in hand, and a table that waits."""

    def test_the_answer_comes_first_and_soon_ends(self, index: Index) -> None:
        for entry in index.entries("dominion"):
            first, *others = (block.replace("- ", "").split() for block in entry.text["en"].split("\n\n"))
            assert len(first) <= 70 and len(first) + sum(map(len, others)) <= 200, entry.id

    def test_no_entry_only_leads_to_another(self, entries: Entries) -> None:
        for entry in entries.values():
            assert not re.match(r"See\b", entry.text["en"]), entry.id
            assert not re.match(r".{,30}を参照", entry.text["ja"]), entry.id


class TestForATable:
    def test_a_pair_comes_first(self, index: Index, deal: Deals) -> None:
        """Ferryman with a rotating pile, and Battle Plan in the Supply, which cannot rotate it."""
        forts = {"Ferryman": ["Forts"]}
        alone = applied(index, deal, "Ferryman", *BASE, stacked=forts)
        both = applied(index, deal, "Ferryman", "Clashes", *BASE, stacked=forts)
        assert "ferryman-battle-plan" in both["meeting"]
        assert "ferryman-battle-plan" not in alone["meeting"]

    def test_the_minus_card_token_and_a_card_that_draws_to_a_number(self, index: Index, deal: Deals) -> None:
        assert "minus-card-draw-until" in applied(index, deal, "Relic", "Library")["meeting"]
        alone = applied(index, deal, "Relic", sets=["adventures"])
        assert "minus-card-draw-until" not in alone["meeting"]

    def test_mechanics_of_this_table_only(self, index: Index, deal: Deals) -> None:
        quiet = applied(index, deal, *BASE, sets=["base-2e"])
        assert quiet["meeting"] == []
        assert not {"reserve", "event", "traveller", "boon"} & set(
            quiet["table"] + quiet["type"] + quiet["card"]
        )
        assert "reserve" in applied(index, deal, "Ratcatcher")["type"]

    def test_rules_of_every_game_are_left_out(self, index: Index, deal: Deals) -> None:
        asking = {entry.id for entry, _ in index.entries_with_conditions("dominion")}
        always = {entry.id for entry in index.entries("dominion")} - asking
        assert {"buy-phase", "gain", "winning"} <= always
        table = applied(index, deal, "Ferryman", "Page", "Druid")
        assert not always & {id_ for group in table.values() for id_ in group}

    def test_every_pair_can_meet(self, index: Index, deal: Deals) -> None:
        """A table is dealt for every pair ruling, and the ruling applies to it."""
        pairs = [(entry, asks) for entry, asks in index.entries_with_conditions("dominion") if len(asks) > 1]
        assert len(pairs) > 30
        for entry, asks in pairs:
            stacked = meeting(deal, [alternatives[0] for alternatives in asks])
            first = stacked.pop("randomizers")
            options: dict[str, Any] = {"stacked": stacked, "landscapes": 4, "shelters": True}
            # Another seed where chance has turned up among the ten what was to be chosen from the rest.
            setups = (deal.setup(*first, seed=seed, **options) for seed in "abc")
            tables = (
                find_applicable_entries(pairs, list(list_table_items(setup, deal.game))).meeting
                for setup in setups
            )
            assert any(entry in table for table in tables), (entry.id, first, stacked)

    def test_printed_and_as_json(self) -> None:
        game = run("--sets", "adventures", "--seed", "1", "--json").stdout
        text = run("rules", "--for", "-", input=game).stdout
        assert "What they use" in text
        found = json.loads(run("rules", "--for", "-", "--json", input=game).stdout)
        assert found["schema"] == 1 and found["results"]
