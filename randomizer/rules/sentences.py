"""Sentences of rulebook texts, and the passages that make sense without the rest of their text.

Some sentences depend on another one: they begin with "but" or "it", or are an item of a list that a colon
introduces. A passage is a sentence together with the sentences that it depends on.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from randomizer.rules.entry import Texts
from randomizer.text.folding import is_spaced
from randomizer.text.width import get_list_marker

# A sentence ends with a full stop, a question mark or an exclamation mark, and with closing brackets and
# quotation marks after it. A colon or a semicolon does not end it, except at the end of a line.
_SENTENCE = (
    r"(?:[^.!?。！？]|[.!?](?![)”\"’]*(?:\s|$))|[。！？](?=[^」』]*[」』][^\s。！？」』）])|。(?=）))+"
    r"(?:[.!?。！？]+[)”\"’）」』]*\s*|$)"
)
_COMPLETE = r"[.!?。！？][)”\"’）」』]*\s*$"

# The beginnings of sentences that continue the sentence before them.
_CONTINUATION = (
    r"(?i:but|example|otherwise|however|so|then|also|still|yet|and|or|nor|instead|likewise|therefore|thus|afterwards"
    r"|besides|again|similarly|hence|after that|in that case|either way|even (?:so|then)|if (?:so|not)"
    r"|the (?:same|rest|others?)|nothing else|too)\b"
    r"|.{0,40}? (?:is|are) (?:different|an exception|exceptions|the exception)\b"
    r"|例外|例(?:：|えば)|.{0,20}(?:は例外|だけは別|は別である)"
    r"|(?:ただし|また|なお|しかし|そのため|したがって|だから|だが|つまり|同様|逆に|一方|他方|さらに|なので|よって"
    r"|もっとも|とはいえ|次に|続いて|すると|すなわち|加えて|そして|その後|そうで|そうし|そうす|では|ほかに|他には)"
)
# The beginnings of sentences whose subject is named before them.
_SUBJECTS = "it|its|itself|they|them|their|theirs|he|him|his|she|her"
_POINTERS = "this|that|these|those|both|such|neither|others"
_QUANTITIES = "all|both|each|none|some|most|any|either|neither|one|two|three"
_PREPOSITIONS = "after|before|with|for|in|by|of|until|from|usually|even|only|if|when|once|while"
_VERBS = "are|is|do|does|have|has|may|must|can|counts?|gives?|scores?|comes?|goes?|stays?|costs?"
_REFERENCE = (
    rf"(?i:(?:[\w’'$+-]+,? ){{0,3}}(?:{_SUBJECTS})\b"
    rf"|(?:(?:{_PREPOSITIONS}) )?(?:{_POINTERS})\b"
    rf"|(?:{_QUANTITIES}) (?:others?|of (?:them|these|those|it)|{_VERBS})\b"
    r"|not\b)"
    r"|[a-z（(]"
    r"|(?:それ|これ|この(?!ターン|ゲーム|フェイズ)|その|そこ|ここ|こう|そう|こちら|そちら|どちら|どれ|いずれ|両方|両者"
    r"|前者|後者|同じ|以上|上記|残り)"
)
_LABEL = r"[^.。:：]{1,40}[:：]\s?\S"  # the beginning of an item such as "Golem: reveals cards until ..."
_MIN_WORDS = 5  # a shorter English sentence, such as "Draw first.", says too little alone
_TOPIC_MARKERS = "はがも"  # a Japanese sentence without one of them has no subject of its own


class Sentence(NamedTuple):
    """A sentence of a text.

    Attributes:
        line: the index of its line in the text.
        start: the index of its first character in the line, after the marker of a list item.
        text: the sentence, with the spaces after it.
        level: 0 in a paragraph, 1 in an item of a list, 2 in an item of a nested list.
        is_first: whether it is the first sentence of its line.
    """

    line: int
    start: int
    text: str
    level: int
    is_first: bool

    @property
    def is_complete(self) -> bool:
        """Whether it ends with a full stop or the like, and not with a colon or as a part of a list."""
        return bool(re.search(_COMPLETE, self.text))

    @property
    def is_continuation(self) -> bool:
        """Whether it continues the sentence before it, as with "but"."""
        return bool(re.match(_CONTINUATION, self.text))

    @property
    def is_dependent(self) -> bool:
        """Whether its subject is named in another sentence."""
        if self.is_continuation or re.match(_REFERENCE, self.text):
            return True
        if is_spaced(self.text):
            return len(self.text.split()) < _MIN_WORDS
        return not self.is_first and not any(marker in self.text for marker in _TOPIC_MARKERS)


class Passage(NamedTuple):
    """A sentence that answers a question, and everything that it needs to make sense.

    Attributes:
        text: the passage. The items of a list are lines of their own.
        sentence: the sentence itself, which is a part of a line of the complete text.
    """

    text: str
    sentence: str


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text in order."""
    sentences = []
    for number, line in enumerate(text.split("\n")):
        item = line.lstrip()
        indent, marker = len(line) - len(item), get_list_marker(item)
        start = indent + len(marker)
        level = 1 + indent // 2 if marker else 0
        for match in re.compile(_SENTENCE).finditer(line, start):
            sentences.append(Sentence(number, match.start(), match[0], level, match.start() == start))
    return sentences


def extract_passage(text: str, position: int) -> Passage:
    """Return the sentence at a position, counted from 0, with the sentences that it needs."""
    sentences = split_sentences(text)
    chosen = [position] if sentences[position].is_complete else _find_list(sentences, position)
    while (needed := _find_needed(sentences, chosen[0])) is not None:
        chosen.insert(0, needed)
    return Passage(_join([sentences[index] for index in chosen]), sentences[position].text.strip())


def extract_passages(texts: Texts, sentence_number: int) -> dict[str, Passage]:
    """Return the passage of a sentence in its own language, and the same passage in the others.

    In another language it is the sentence with the same position if the lines have the same sentences, or
    otherwise the first sentence of the same line. A language whose text has other lines is left out.

    Args:
        texts: the text by language.
        sentence_number: the number of the sentence, counted from 1 through the texts of all languages.
    """
    lines = {language: _list_positions_by_line(text) for language, text in texts.items()}
    position, own = sentence_number - 1, next(iter(lines.values()))
    for own in lines.values():
        count = sum(map(len, own))
        if position < count:
            break
        position -= count
    line = next(index for index, positions in enumerate(own) if position in positions)
    passages = {}
    for language, positions_by_line in lines.items():
        if len(positions_by_line) == len(own) and positions_by_line[line]:
            has_same_sentences = len(positions_by_line[line]) == len(own[line])
            offset = own[line].index(position) if has_same_sentences else 0
            passages[language] = extract_passage(texts[language], positions_by_line[line][offset])
    return passages


def _list_positions_by_line(text: str) -> list[list[int]]:
    """Return the positions of the sentences of each line."""
    positions: list[list[int]] = [[] for _ in text.split("\n")]
    for position, sentence in enumerate(split_sentences(text)):
        positions[sentence.line].append(position)
    return positions


def _find_needed(sentences: Sequence[Sentence], position: int) -> int | None:
    """Return the position of the sentence that another one depends on, or None."""
    sentence = sentences[position]
    if position == 0:
        return None
    if not sentence.is_first:
        return position - 1 if sentence.is_dependent else _find_label(sentences, position)
    if not sentence.level:
        return position - 1 if sentence.is_dependent else None
    lead = _find_lead(sentences, position)
    if sentence.is_continuation:
        return position - 1
    is_introduced = lead is not None and not sentences[lead].is_complete
    return lead if is_introduced or sentence.level > 1 or sentence.is_dependent else None


def _find_label(sentences: Sequence[Sentence], position: int) -> int | None:
    """Return the position of an item's first sentence if it names the subject of the others, or None."""
    first = next(index for index in range(position, -1, -1) if sentences[index].is_first)
    is_labelled = sentences[first].level and re.match(_LABEL, sentences[first].text)
    return first if is_labelled else None


def _find_lead(sentences: Sequence[Sentence], position: int) -> int | None:
    """Return the position of the last sentence before the list that a sentence is in, or None."""
    level = sentences[position].level
    return next((index for index in range(position - 1, -1, -1) if sentences[index].level < level), None)


def _find_list(sentences: Sequence[Sentence], position: int) -> list[int]:
    """Return the positions of an incomplete sentence, and of the list that it introduces or is a part of."""
    level = sentences[position].level
    following = sentences[position + 1 : position + 2]
    introduces = bool(following) and following[0].level > level
    lead = position if introduces or not level else _find_lead(sentences, position)
    first, lead_level = (0, 0) if lead is None else (lead, sentences[lead].level)
    end = next(
        (index for index in range(first + 1, len(sentences)) if sentences[index].level <= lead_level),
        len(sentences),
    )
    return list(range(first, end))


def _join(sentences: Sequence[Sentence]) -> str:
    """Join sentences. The items of a list are lines of their own if there are several."""
    item_count = len({sentence.line for sentence in sentences if sentence.level})
    text = ""
    for sentence in sentences:
        content = sentence.text.strip()
        if item_count > 1 and sentence.level and sentence.is_first:
            text += f"\n{'  ' * (sentence.level - 1)}- {content}"
        elif text and is_spaced(content):
            text += f" {content}"
        else:
            text += content
    return text.lstrip("\n")
