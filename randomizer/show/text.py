"""Lays a setup document out, for the eye or for a program: one function for each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from randomizer.cards.wording import asked
from randomizer.setup import checklist
from randomizer.text.language import Language
from randomizer.text.style import Style
from randomizer.text.width import width, wrap

if TYPE_CHECKING:
    from randomizer.setup import document


_GAP = "\x1f"  # a character that never stands in JSON as itself
_HELP = 5  # boxes that are named where any of them would help


def as_json(setup: document.Setup, language: Language, style: Style) -> str:
    """The document itself; language and style do not change it."""
    return dumps(setup)


def dumps(document: Mapping[str, Any]) -> str:
    """The document as JSON text: one line for each entry of a list, so that people can read it too."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(f",{_GAP}", ": ")).encode
    parts = []
    for key, value in document.items():
        text = encode(value)
        if text.startswith("[{"):
            text = f"[\n    {text[1:-1]}\n  ]".replace(f"}},{_GAP}{{", "},\n    {")
        parts.append(f'  "{key}": {text.replace(_GAP, " ")}')
    return "{\n" + ",\n".join(parts) + "\n}"


def as_text(setup: document.Setup, language: Language, style: Style) -> str:
    """The checklist, with what was decided and how to deal it again."""
    say = language.say
    players = say("{count} players", count=setup["players"])
    boxes = language.listed(
        language.boxes.get(box["slug"], box["name"])
        for box in setup["boxes"]
        if box["chosen"] and box["name"] != setup["title"]
    )
    seed = say("seed {text}", text=setup["seed"])
    title = " · ".join(filter(None, (say(setup["title"]), boxes, players, seed)))
    parts = [[style.heading(line) for line in wrap(title, style.columns)]]
    if setup["missing"]:
        parts.append(_prose(say("Missing"), [_missing(entry, language) for entry in setup["missing"]], style))
    sections = checklist.build(setup, language, style.sort)
    names = max((width(line.name) for line in sections[0].lines), default=0) if sections else 0
    parts += [_section(section, names, language, style) for section in sections]
    if "second_deal" in setup:
        parts.append(_prose(say("Stays on the table"), [language.listed(_staying(setup, language))], style))
    if setup["notes"]:
        notes = [say(note["says"]["phrase"], **note["says"]["values"]) for note in setup["notes"]]
        parts.append(_prose(say("Bear in mind"), notes, style))
    if decided := _decided(setup, language):
        parts.append(_prose(say("Decided"), decided, style))
    ends = say(", or ").join(map(say, setup["game_end"]))
    parts.append(wrap(say("The game ends when {text}.", text=ends), style.columns))
    parts.append([say("Again: {text}", text=setup["command"])])
    return "\n".join("\n".join(part) + "\n" for part in parts).rstrip("\n")


def as_line(setup: document.Setup, language: Language, style: Style) -> str:
    """The gist of it, one of many."""
    from randomizer.show.line import summary  # the others need none

    return summary(setup, language, style.sort)


def as_json_line(setup: document.Setup, language: Language, style: Style) -> str:
    """The document in a single line, one of many (NDJSON)."""
    return json.dumps(setup, ensure_ascii=False)


def _section(section: checklist.Section, names: int, language: Language, style: Style) -> list[str]:
    """A title and lines to tick off. What the screen has no room for goes below its line."""
    from tabulate import tabulate  # 30 ms, and JSON needs none

    heads = [language.say(head) for head in ("cost", "types", "box")]
    cells = [(line.cost, line.types, line.box) for line in section.lines]
    used = [place for place in range(len(heads)) if any(row[place] for row in cells)]
    moved: list[int] = []
    while True:
        table = [["", "  ", " " * names, *(heads[place] for place in used)]]
        for line, cell in zip(section.lines, cells, strict=True):
            count = "" if line.count is None else str(line.count)
            table.append(["[ ]", count, line.name, *(cell[place] for place in used)])
        align = ["left", "right", "left", *("right" if place == 0 else "left" for place in used)]
        text = tabulate(
            table, tablefmt="plain", colalign=align, disable_numparse=True, preserve_whitespace=True
        )
        head, *rows = (f" {row}" for row in text.split("\n"))
        full = max(map(width, rows))
        if full <= style.columns or not used:
            break
        moved.insert(0, used.pop())
    title = language.say(section.title)
    room = len(head) - len(head.lstrip())
    lines = [
        style.heading(title) + head[width(title) :].rstrip() if width(title) < room else style.heading(title)
    ]
    for row, line, cell in zip(rows, section.lines, cells, strict=True):
        tail = language.listed(filter(None, (*(cell[place] for place in moved), line.detail, line.why)))
        fits = full + 2 + width(tail) <= style.columns
        padding = " " * (full + 2 - width(row))
        (last,) = wrap(tail, style.columns) if fits else [""]
        lines.append(f"{row}{padding}{style.aside(last)}" if last else row.rstrip())
        for below in filter(None, ("" if fits else tail, *line.below)):
            lines += map(style.aside, wrap(below, style.columns, " " * 11))
    return lines


def _prose(title: str, texts: Sequence[str], style: Style) -> list[str]:
    """A title and sentences, wrapped."""
    return [style.heading(title), *(line for text in texts for line in wrap(text, style.columns, " "))]


def _staying(setup: document.Setup, language: Language) -> list[str]:
    """What a second deal leaves on the table."""
    shelves = (
        setup["piles"],
        setup["landscapes"],
        setup["decks"],
        setup["set_aside"],
        setup["components"],
    )
    names = {entry["name"] for shelf in shelves for entry in shelf}
    return [language.name(name) for name in setup["second_deal"]["stays"] if name in names]


def _decided(setup: document.Setup, language: Language) -> list[str]:
    """How setup's questions were answered, and what was turned up in vain."""
    say = language.say
    texts = [
        say(
            "{title}: {answer}, {text}",
            title=decision["title"],
            answer="yes" if decision["answer"] else "no",
            text=say(decision["says"]["phrase"], **decision["says"]["values"]),
        )
        for decision in setup["decisions"]
    ]
    skipped = [language.name(turned["name"]) for turned in setup["turned"] if turned["use"] == "skipped"]
    if skipped:
        texts.append(say("Turned up and not used: {text}", text=language.listed(skipped)))
    return texts


def _missing(missing: document.Missing, language: Language) -> str:
    """Which card needs what, and what would help."""
    say = language.say
    sort = asked(missing["query"], language)
    text = say(
        "{card} needs unused cards ({text}): {wanted} wanted, {found} left."
        if sort
        else "{card} needs unused cards: {wanted} wanted, {found} left.",
        card=missing["because"][-1],
        text=sort,
        wanted=missing["wanted"] or 1,
        found=missing["found"],
    )
    if missing["help"]:
        boxes = [language.boxes.get(slug, slug) for slug in missing["help"]]
        text += " " + say("Any of these boxes would help: {text}.", text=language.listed(boxes[:_HELP]))
        if boxes[_HELP:]:
            text += " " + say("So would {count} more.", count=len(boxes) - _HELP)
    return text


RENDERERS: Mapping[str, Callable[[document.Setup, Language, Style], str]] = {
    "text": as_text,
    "json": as_json,
    "line": as_line,
    "json line": as_json_line,
}
