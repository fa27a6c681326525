"""What stands in the code and what stands in the data: no card in Python, no phrase without its Japanese."""

import ast
import errno
import functools
import os
import re
import string
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import nodes

from randomizer.cards.game import Game
from randomizer.cli.config import ENVIRONMENT_VARIABLES
from randomizer.cli.deal import HELP_GROUPS
from randomizer.cli.localization import MessageOption
from randomizer.deal.decorating import Note
from randomizer.deal.growing import Deal, Decide
from randomizer.load import games, languages
from randomizer.memory.database import BadDatabase
from randomizer.show.formats import FORMATS
from randomizer.show.html import get_environment
from randomizer.show.page import Page
from randomizer.show.text import render
from randomizer.text import errors
from randomizer.text.language import ENGLISH
from randomizer.text.screen import Style
from tests.support import TESTS_DIR, Deals, iter_commands, run

PAGES = TESTS_DIR.parent / "data" / "pages"
PACKAGE = sorted((TESTS_DIR.parent / "randomizer").rglob("*.py"))
WORDS_OF_ITS_OWN = {"Action", "Curse", "Event", "Library", "Supply", "Treasure"}  # and not the cards


def _is_problem(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.Problem)


@functools.cache
def texts(path: Path) -> list[tuple[int, str]]:
    """The strings of a module that are no docstrings, and its identifiers."""
    return list(_texts(path))


def _texts(path: Path) -> Iterator[tuple[int, str]]:
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


def test_no_card_or_set_is_named_in_python(game: Game) -> None:
    """Neither as a text, nor as a part of one or of an identifier if it is more than one word."""
    named = {*game.cards, *game.components, *game.sets.values()} - WORDS_OF_ITS_OWN
    longer = re.compile("|".join(re.escape(name.casefold()) for name in named if " " in name))
    found = [
        (str(path), line, text)
        for path in PACKAGE
        for line, text in texts(path)
        if text in named or longer.search(text.casefold())
    ]
    assert PACKAGE and found == []


def test_no_language_is_named_in_python() -> None:
    """But English, which is that of the code: every other is a file, and known by its code."""
    ordinary_words = {"es", "it"}  # A plural ending and a pronoun are also codes.
    codes = set(languages.list_codes()) - {ENGLISH} - ordinary_words
    paths = [path for path in PACKAGE if path.parent.name != "rules"]
    assert paths
    assert [(str(path), line, text) for path in paths for line, text in texts(path) if text in codes] == []


PROBLEMS = {each.__name__ for each in (BadDatabase, *vars(errors).values()) if _is_problem(each)}
# What is said by an argument of these, and which argument that is.
SAYS = {
    **dict.fromkeys(PROBLEMS - {"BadData", "BadKingdom", "TooFewCards"}, 0),
    **dict.fromkeys(
        (
            "translate",
            "message",
            "Message",
            "EntryList",
            "print_message",
            "_one_of",
            "_filter_by_name",
        ),
        0,
    ),
    **dict.fromkeys(("section", "write_heading"), 0),
    "require": 2,
}


def arguments() -> Iterator[tuple[Path, ast.Module, ast.expr]]:
    """Whatever the code says to people, where it says it."""
    for path in PACKAGE:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                function = node.func
                called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
                if called == "__init__" and path.stem == "errors":
                    called = "Problem"
                if len(node.args) > SAYS.get(called, 99):
                    yield path, tree, node.args[SAYS[called]]


def literals(said: ast.expr, tree: ast.Module) -> Iterator[str]:
    """The texts that an argument may be; a name stands for whatever the module gives that name to."""
    if not isinstance(said, ast.Name):
        yield from constants(said)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=False) if both else [(target, value)]  # type: ignore[attr-defined]
            for name, text in pairs:
                if isinstance(name, ast.Name) and name.id == said.id:
                    yield from constants(text)


def constants(said: ast.expr) -> Iterator[str]:
    """A text, or the two of which one is taken."""
    if isinstance(said, ast.IfExp):
        yield from (*constants(said.body), *constants(said.orelse))
    elif isinstance(said, ast.Constant) and isinstance(said.value, str) and said.value:
        yield said.value


def phrases() -> Iterator[str]:
    """What the code says to people: what is told, problems, and help."""
    for _, tree, said in arguments():
        yield from literals(said, tree)
    yield from helps()


def helps() -> Iterator[str]:
    """What the help of all commands says, as it is told: a paragraph, or what an option does."""
    yield from (*HELP_GROUPS, *ENVIRONMENT_VARIABLES.values())
    for _, command, ctx in iter_commands():
        yield from (" ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n"))
        for option in command.get_params(ctx):
            if isinstance(option, click.Option) and not isinstance(option, MessageOption):
                yield (option.help or "").partition("  [")[0]
    yield from (each.help for each in FORMATS.values() if each.help)


def templates() -> Iterator[str]:
    """What the templates of pages say to people: the literals of `translate`."""
    for path in PAGES.glob("*.jinja"):
        tree = get_environment().parse(path.read_text(encoding="utf-8"))
        for call in tree.find_all(nodes.Call):
            called = getattr(call.node, "attr", getattr(call.node, "name", ""))
            if called == "translate" and call.args:
                assert isinstance(call.args[0], nodes.Const), path
                yield call.args[0].value


def said_by(game: Game) -> Iterator[str]:
    """What a game's data says to people."""
    yield game.title
    yield from (option.help for option in game.options)
    yield from game.does
    yield from (heading.title for heading in game.about)
    for option in game.options:
        yield from option.cards or [option.help]
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
        return {**ja.cards, **ja.phrases, **ja.types}

    def test_every_phrase_of_the_code(self, game: Game) -> None:
        code, pages = set(phrases()), set(templates())
        assert len(code) > 350 and len(pages) > 10
        assert sorted((code | pages) - self.words(game).keys()) == []

    @pytest.mark.parametrize("name", games.list_games())
    def test_every_phrase_of_the_data(self, name: str) -> None:
        game = games.load(name)
        known = self.words(game)
        assert sorted({phrase for phrase in said_by(game) if phrase not in known}) == []

    def test_no_phrase_is_put_together(self) -> None:
        """A text with values already in it could be told in no other language."""
        made = (ast.JoinedStr, ast.BinOp)
        assert [f"{path}:{said.lineno}" for path, _, said in arguments() if isinstance(said, made)] == []

    def test_every_reason_of_the_system(self, game: Game) -> None:
        """Why files most often cannot be read or written."""
        known = self.words(game)
        reasons = (
            errno.ENOENT,
            errno.EACCES,
            errno.EISDIR,
            errno.ENOTDIR,
            errno.ENOSPC,
            errno.EROFS,
            errno.EIO,
        )
        assert [os.strerror(reason) for reason in reasons if os.strerror(reason) not in known] == []

    def test_nothing_is_translated_that_nobody_says(self, game: Game) -> None:
        other = [phrase for name in games.list_games() for phrase in said_by(games.load(name))]
        other += [*helps(), *map(os.strerror, errno.errorcode)]
        code = " ".join(text for path in PACKAGE for _, text in texts(path))
        words = languages.load("ja", game).phrases
        said = {*other, *templates()}
        assert [phrase for phrase in words if phrase not in code and phrase not in said] == []

    def test_the_same_values_are_put_in(self, game: Game) -> None:
        for name in games.list_games():
            for phrase, said in languages.load("ja", games.load(name)).phrases.items():
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
