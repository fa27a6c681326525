"""What stands in the code and what stands in the data: no card in Python, no phrase without its Japanese."""

import ast
import re
import string
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Game
from randomizer.deal.decorating import Note
from randomizer.deal.growing import Deal, Decide
from randomizer.load import games, languages
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text.language import ENGLISH
from randomizer.text.screen import Style
from tests.support import HERE, Deals, run

PACKAGE = sorted((HERE.parent / "randomizer").rglob("*.py"))
WORDS_OF_ITS_OWN = {"Action", "Curse", "Event", "Library", "Supply", "Treasure"}  # and not the cards


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no docstrings, and its identifiers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        elif isinstance(node, ast.Name | ast.Attribute):
            yield node.lineno, (node.id if isinstance(node, ast.Name) else node.attr).replace("_", " ") + " "


@pytest.mark.parametrize("path", PACKAGE, ids=lambda path: path.stem)
def test_no_card_or_set_is_named_in_python(game: Game, path: Path) -> None:
    """Neither as a text, nor as a part of one or of an identifier if it is more than one word."""
    named = {*game.cards, *game.components, *game.sets.values()} - WORDS_OF_ITS_OWN
    longer = re.compile("|".join(re.escape(name.casefold()) for name in named if " " in name))
    found = [(line, text) for line, text in texts(path) if text in named or longer.search(text.casefold())]
    assert found == []


def test_nor_in_what_explains_it(game: Game) -> None:
    """No card of any game in a docstring, comment or description, but in examples of the public face."""
    words = WORDS_OF_ITS_OWN | {"Potion"}
    named = {card for name in games.games() for card in games.load(name).cards} - words
    card = re.compile(rf"\b({'|'.join(map(re.escape, sorted(named, key=len, reverse=True)))})\b")
    for path in [path for path in PACKAGE if path != HERE.parent / "randomizer" / "__init__.py"]:
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type in (tokenize.STRING, tokenize.COMMENT) and " " in token.string:
                    assert card.findall(token.string) == [], f"{path}:{token.start[0]}"


@pytest.mark.parametrize(
    "path", [path for path in PACKAGE if path.parent.name != "rules"], ids=lambda path: path.stem
)
def test_no_language_is_named_in_python(path: Path) -> None:
    """But English, which is that of the code: every other is a file, and known by its code."""
    codes = set(languages.codes()) - {ENGLISH}
    assert [(line, text) for line, text in texts(path) if text in codes] == []


def phrases() -> Iterator[str]:
    """What the code says to people: the literal argument of `say`, and of a Message."""
    for path in PACKAGE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if called in ("say", "Message", "EntryList"):
                for part in [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
                        yield part.value


def said_by(game: Game) -> Iterator[str]:
    """What a game's data says to people."""
    yield game.title
    yield from game.does
    yield from (heading.title for heading in game.about)
    yield from (kind.title for kind in game.kinds.values() if kind.title)
    yield from game.components
    for component in game.components.values():
        yield from filter(None, (component.note, component.lies, component.one))
    for kind in game.kinds.values():
        yield from filter(None, (kind.lies, kind.marks, kind.boxed))
    yield from (ending.say for ending in game.endings)
    for step in game.last:
        yield from (step.name, step.say)
    yield from (card.note for card in game.cards.values() if card.note)
    again = game.second_deal.opening if game.second_deal else ()
    if game.second_deal and game.second_deal.marked:
        yield game.second_deal.marked
    for asked in (game.opening, again, *game.setup.values()):
        for effect in asked:
            if isinstance(effect, Note):
                yield effect.say
            if isinstance(effect, Decide):
                yield effect.title
            if isinstance(effect, Deal):
                yield from filter(None, (effect.as_, effect.mark))


class TestJapanese:
    def words(self, game: Game) -> dict[str, str]:
        ja = languages.load("ja", game)
        return {**ja.cards, **ja.words, **ja.types}

    def test_every_phrase_of_the_code(self, game: Game) -> None:
        known = self.words(game)
        assert len(set(phrases())) > 40
        assert sorted({phrase for phrase in phrases() if phrase not in known}) == []

    @pytest.mark.parametrize("name", games.games())
    def test_every_phrase_of_the_data(self, name: str) -> None:
        game = games.load(name)
        known = self.words(game)
        assert sorted({phrase for phrase in said_by(game) if phrase not in known}) == []

    def test_nothing_is_translated_that_nobody_says(self, game: Game) -> None:
        other = [phrase for name in games.games() for phrase in said_by(games.load(name))]
        code = " ".join(text for path in PACKAGE for _, text in texts(path))
        words = languages.load("ja", game).words
        assert [phrase for phrase in words if phrase not in code and phrase not in other] == []

    def test_the_same_values_are_put_in(self, game: Game) -> None:
        for name in games.games():
            for phrase, said in languages.load("ja", games.load(name)).words.items():
                fields = [
                    {field for _, field, _, _ in string.Formatter().parse(text)} - {None}
                    for text in (phrase, said)
                ]
                assert fields[0] == fields[1], phrase

    def test_every_card_set_box_and_type(self, game: Game) -> None:
        ja = languages.load("ja", game)
        assert set(game.cards) <= set(ja.cards)
        assert {type_ for card in game.cards.values() for type_ in card.types} <= set(ja.types)
        for slug in game.boxes:
            assert ja.boxes[slug]
        for slug in game.sets:
            assert ja.sets[slug]

    @settings(max_examples=40)
    @given(seed=st.text("abc", min_size=1, max_size=4), players=st.integers(2, 6))
    def test_no_english_is_left_on_a_table(self, seed: str, players: int) -> None:
        """But for costs, editions, seeds, commands, and what has no Japanese name."""
        text = run("--sets", "all", "--seed", seed, "--players", str(players), "--lang", "ja").stdout
        told = text[text.index("\n") : text.index("dominion-setup")].split("\n\n", 1)[1]
        assert re.findall(r"[A-Za-z]{3,}", told) == []

    def test_a_document_is_shown_in_either_language(self, deal: Deals) -> None:
        setup = deal.setup("Page", "Druid")
        english, japanese = deal.language("en"), deal.language("ja")
        assert "Page" in render(Page(setup, english), Style(80))
        assert "騎士見習い" in render(Page(setup, japanese), Style(80))
        assert "Page" not in render(Page(setup, japanese), Style(80)).splitlines()[3]


def test_verbs_are_told_in_words(deal: Deals) -> None:
    """`cards NAME` tells what a choosing card does, in both languages."""
    assert "an unused Kingdom pile" in run("cards", "Ferryman").stdout
    assert "未使用の王国カード" in run("cards", "Ferryman", "--lang", "ja").stdout
