"""Answers from the rulebooks: to a query, for a table, or everything there is; as text and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.errors import either
from randomizer.rules.index import Entry, Index
from randomizer.rules.search import look_up, suggestions
from randomizer.text.folding import fold
from randomizer.text.language import ENGLISH, Language

if TYPE_CHECKING:
    from randomizer.setup.document import Setup
    from randomizer.text.style import Style

SCHEMA = 1


class Part(NamedTuple):
    """Entries under a heading; `whole`: each in full, else in a line."""

    heading: str
    entries: Sequence[Entry]
    whole: bool = False


class Answer(NamedTuple):
    """What was found.

    Attributes:
        said: what the JSON says besides its results.
        parts: the entries, best first.
        card: the card that was asked for, if it was one.
        aside: something to tell whoever asked, not part of the answer.
    """

    said: Mapping[str, Any]
    parts: Sequence[Part]
    card: str = ""
    aside: str = ""

    def __bool__(self) -> bool:
        return bool(self.card) or any(part.entries for part in self.parts)


# ── What answers ──


def to_query(index: Index, query: str, game: str | None) -> Answer:
    """What answers a term or a question.

    Args:
        game: look only into its book.
    """
    found = look_up(index, query, game)
    entries: list[Entry] = [index.entry(number) for number in found.entries]
    said: dict[str, Any] = {"query": query, "match": found.match}
    default, *_ = index.titles
    asides = []
    if found.match == "none":
        close = suggestions(index, query)
        hint = f"did you mean {either(close)}?" if close else "`rules --list` lists what there is."
        asides.append(f"no rule is called {query!r}; {hint}")
    if found.match == "fuzzy":
        asides.append(f"nothing is called {query!r}; a guess: {found.meant}.")
    if entries and not game and entries[0]["game"] != default:
        asides.append(f"nothing in {index.titles[default][0]}; from {index.titles[entries[0]['game']][0]}:")
    if found.card:
        said["card"] = found.card
        entries += _of_its_types(index, found.card, {entry["id"] for entry in entries})
    called = {fold(query), found.meant}
    clear = found.clear or len(entries) == 1 or any(fold(title) in called for title in _titles(entries[:1]))
    parts = [Part("", entries[:1], whole=True), Part("More", entries[1:])] if clear else [Part("", entries)]
    return Answer(said, parts, found.card, " ".join(asides))


def for_table(index: Index, setup: "Setup") -> Answer:
    """The entries that apply to a table, most specific first."""
    from randomizer.load.games import load
    from randomizer.rules.applying import applying, things

    game = load(setup["game"])
    sorts = applying(index.entries(game.name), list(things(setup, game)))
    pairs, cards, mechanics = sorts["pair"], sorts["card"], sorts["mechanic"]
    parts = [
        Part("Together on this table", pairs, whole=True),
        Part("Cards on this table", cards),
        Part("What they use", mechanics),
    ]
    return Answer({"seed": setup["seed"], "command": setup["command"]}, parts)


def everything(index: Index, game: str | None) -> Answer:
    """All entries of the game, or of all games, by chapter."""
    parts: dict[str, list[Entry]] = {}
    for name in [game] if game else index.titles:
        for entry in index.entries(name):
            heading = f"{index.titles[name][0]}: {entry['chapter']['en']}"
            parts.setdefault(heading, []).append(entry)
    return Answer({}, [Part(heading, entries) for heading, entries in parts.items()])


def _of_its_types(index: Index, name: str, seen: set[str]) -> list[Entry]:
    """The entries about the types of a card."""
    from randomizer.load.games import load

    default, *_ = index.titles
    types = set(load().cards[name].types)
    return [
        entry for entry in index.entries(default) if types & set(entry["types"]) and entry["id"] not in seen
    ]


def _titles(entries: Iterable[Entry]) -> list[str]:
    return [title for entry in entries for title in entry["title"].values()]


# ── How it is shown ──


def as_json(answer: Answer) -> str:
    """The answer for other programs, the results one after the other."""
    from randomizer.text.json import dumps

    results = [_result(entry) for part in answer.parts for entry in part.entries]
    return dumps({"schema": SCHEMA, **answer.said, "results": results})


def _result(entry: Entry) -> dict[str, Any]:
    kept = {key: entry[key] for key in ("id", "game", "title", "text", "older", "see", "cards", "types")}
    return {**kept, "sources": [source[ENGLISH] for source in entry["sources"]]}


def as_text(answer: Answer, index: Index, language: Language, style: "Style") -> str:
    """The answer for people: entries in full or in a line, under their headings."""
    from randomizer.rules.layout import brief, whole

    blocks: list[Iterable[str]] = []
    if answer.card:
        blocks.append(_card(answer.card, language, style))
    for part in answer.parts:
        heading = [style.heading(language.say(part.heading))] if part.heading and part.entries else []
        if part.whole:
            blocks.append(heading)
            blocks += (whole(entry, index.related(entry), language, style) for entry in part.entries)
        else:
            blocks.append([*heading, *brief(part.entries, language, style)])
    return "\n\n".join("\n".join(block) for block in map(list, blocks) if block)


def _card(name: str, language: Language, style: "Style") -> Iterable[str]:
    """The card's facts, and what it brings at setup."""
    from randomizer.browse.show import card_text
    from randomizer.load import languages
    from randomizer.load.games import load

    game = load()
    known = [languages.load(code, game) for code in languages.codes()]
    own = languages.load(language.code, game)
    first, *lines = card_text(game.cards[name], game, known, own)
    return [style.heading(first), *lines]
