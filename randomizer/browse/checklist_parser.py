"""A parser for checklists that this program printed, as plain text or Markdown, in any language."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from randomizer.browse.list_parser import ListItem
from randomizer.browse.vocabulary import KingdomVocabulary

_TASK = re.compile(r"^\s*(?:[-*+]\s+)?\[[ xX✓✔]\](.*)")
_TITLE = re.compile(r"^(?:#+\s+)?(\S.*?)(?:\s{2,}.*)?$")  # Column titles may follow after two spaces.
_ANSWER = re.compile(r"^\s+([^:：]+)[:：]\s*([^,，（(]+)|^-\s+([^:：]+)[:：]\s*([^,，（(]+)")
_BOLD_NAME = re.compile(r"(?:\d+ × )?\*\*(.+?)\*\*(.*)")
_COLUMNS = re.compile(r"\s{2,}")
_LABEL = re.compile("[^,，、;；:：()（）]*[:：]")  # the name of a box, which precedes the cards from that box
_SEPARATORS = re.compile("[,，、;；()（）]")


class _Task(NamedTuple):
    """A line of a checklist with a checkbox.

    Attributes:
        line: the line number, starting at 1.
        title: the title of its section.
        name: the name of the card, deck or component.
        remarks: the other columns of the line, and the lines below it, all without spaces.
    """

    line: int
    title: str
    name: str
    remarks: list[str]

    def list_parts(self) -> list[str]:
        """Return the names and phrases in the remarks, including those that are broken across lines."""
        joined_remarks = ("".join(self.remarks[start:]) for start in range(len(self.remarks)))
        candidates = [*self.remarks, *joined_remarks]
        return list(dict.fromkeys(part for text in candidates for part in _SEPARATORS.split(text)))

    def list_deck_cards(self, vocabulary: KingdomVocabulary) -> list[str]:
        """Return the names of the cards in a deck. The remarks may group them by box, as in `Base: Moat`.

        The name of a box may be broken across two lines.
        """
        text = ""
        for remark, next_remark in zip_longest(self.remarks, self.remarks[1:], fillvalue=""):
            broken_label = _LABEL.match(f"{remark} {next_remark}")
            starts_group = _LABEL.match(remark) or (
                broken_label and vocabulary.is_box_or_cost(broken_label[0].rstrip(":："))
            )
            text += f",{remark}" if starts_group else remark
        return _SEPARATORS.split(_LABEL.sub(",", text))


def parse_checklist(text: str, vocabulary: KingdomVocabulary) -> list[ListItem]:
    """Return the cards, chosen cards and answers in a checklist, or an empty list for any other text.

    The heading of a chosen card is the name of its choice; the heading of an answer is its question.

    Args:
        text: the complete checklist, or the part that starts with the heading of the Kingdom.
        vocabulary: the names in the game.
    """
    tasks: list[_Task] = []
    answers: list[ListItem] = []
    title = ""
    for line_number, line in enumerate(text.splitlines(), 1):
        if task := _TASK.match(line):
            tasks.append(_parse_task(task[1], line_number, title))
        elif vocabulary.is_section(title, "Decisions") and (answer := _ANSWER.match(line)):
            question, word = filter(None, answer.groups())
            if vocabulary.parse_answer(word) is not None:
                answers.append(ListItem(line_number, word, "", question))
        elif tasks and line[:2].isspace():
            tasks[-1].remarks.append(_strip_markup(line.strip().removeprefix("- ")))
        elif found := _TITLE.match(line):
            title = found[1]
    if not any(vocabulary.is_section(task.title, "Kingdom") for task in tasks):
        return []
    return [*(item for task in tasks for item in _list_items(task, vocabulary)), *answers]


def _parse_task(text: str, line_number: int, title: str) -> _Task:
    if bold := _BOLD_NAME.search(text):
        name, remarks = re.sub(r"\\(?=\W)", "", bold[1]), bold[2].split(" · ")
    else:
        columns = _COLUMNS.split(text.strip())
        name, *remarks = columns[1:] if columns[0].isdecimal() and columns[1:] else columns
    return _Task(line_number, title, name, [*map(_strip_markup, remarks)])


def _strip_markup(text: str) -> str:
    """Remove spaces and Markdown escapes. Names are recognized without their spaces."""
    return re.sub(r"\s|\\(?=\W)", "", text)


def _list_items(task: _Task, vocabulary: KingdomVocabulary) -> Iterator[ListItem]:
    """Yield the items of a task: its pile, landscape or card, the cards chosen for it, or those of a deck."""
    parts = task.list_parts()
    if vocabulary.is_section(task.title, "Kingdom"):
        choices = [part for part in parts if vocabulary.can_choose(part, task.name)]
        yield from (ListItem(task.line, task.name, "", choice) for choice in choices)
        if not choices:
            yield ListItem(task.line, task.name)
    elif vocabulary.is_section(task.title, "Beside the Supply"):
        if not vocabulary.is_card(task.name) or vocabulary.find_question(task.name):
            for part in task.list_deck_cards(vocabulary):
                if vocabulary.can_choose(task.name, part):
                    yield ListItem(task.line, part, "", task.name)
                elif vocabulary.is_card(part) and vocabulary.find_implied_question(
                    vocabulary.find_card(part)
                ):
                    yield ListItem(task.line, part)
        for cause in filter(None, map(vocabulary.extract_cause, parts)):
            if vocabulary.can_choose(cause, task.name):
                yield ListItem(task.line, task.name, "", cause)
    elif vocabulary.is_heading(task.title) and vocabulary.is_card(task.name):
        piles = [part for part in parts if vocabulary.extract_pile_name(part) != part]
        yield ListItem(task.line, task.name, piles[0] if piles else "")
