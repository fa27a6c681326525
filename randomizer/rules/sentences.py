"""Splits texts of rulebooks into sentences, and extracts passages that make sense on their own.

Some sentences depend on another sentence: they begin with "but" or "it", or are items of a list that a colon
introduces. A passage is a sentence together with the sentences that it depends on.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from randomizer.rules.entry import Texts
from randomizer.text.folding import is_spaced
from randomizer.text.width import get_list_marker

# A sentence ends with a full stop, question mark or exclamation mark, including any closing brackets and
# quotation marks after it. Text in brackets belongs to the sentence around them. A colon or semicolon ends a
# sentence only at the end of a line.
_SENTENCE = (
    r"(?:（[^（）]*）|\([^()]*\)|[^.!?。！？]"
    r"|[.!?](?![)”\"’]*(?:\s|$))|[。！？](?=[^」』]*[」』][^\s。！？」』）])|。(?=）))+"
    r"(?:[.!?。！？]+[)”\"’）」』]*\s*|$)"
)
_SENTENCE_END = r"[.!?。！？][)”\"’）」』]*\s*$"

# Matches the beginnings of sentences that continue the previous sentence.
_CONTINUATION = (
    r"(?i:but|example|otherwise|however|so|then|also|still|yet|and|or|nor|instead|likewise|therefore|thus|afterwards"
    r"|besides|again|similarly|hence|after that|in that case|either way|even (?:so|then)|if (?:so|not)"
    r"|the (?:same|rest|others?)|nothing else|too)\b"
    r"|.{0,40}? (?:is|are) (?:different|an exception|exceptions|the exception)\b"
    r"|例外|例(?:：|えば)|.{0,20}(?:は例外|だけは別|は別である)"
    r"|(?:ただし|また|なお|しかし|そのため|したがって|だから|だが|つまり|同様|逆に|一方|他方|さらに|なので|よって"
    r"|もっとも|とはいえ|次に|続いて|すると|すなわち|加えて|そして|その後|そうで|そうし|そうす|では|ほかに|他には)"
)
# Matches the beginnings of sentences whose subject is named in a previous sentence.
_PRONOUNS = "it|its|itself|they|them|their|theirs|he|him|his|she|her"
_DEMONSTRATIVES = "this|that|these|those|both|such|neither|others"
_QUANTITIES = "all|both|each|none|some|most|any|either|neither|one|two|three"
_PREPOSITIONS = "after|before|with|for|in|by|of|until|from|usually|even|only|if|when|once|while"
_VERBS = "are|is|do|does|have|has|may|must|can|counts?|gives?|scores?|comes?|goes?|stays?|costs?"
_REFERENCE = (
    rf"(?i:(?:[\w’'$+-]+,? ){{0,3}}(?:{_PRONOUNS})\b"
    rf"|(?:(?:{_PREPOSITIONS}) )?(?:{_DEMONSTRATIVES})\b"
    rf"|(?:{_QUANTITIES}) (?:others?|of (?:them|these|those|it)|{_VERBS})\b"
    r"|not\b)"
    r"|[a-z（(]"
    r"|(?:それ|これ|この(?!ターン|ゲーム|フェイズ)|その|そこ|ここ|こう|そう|こちら|そちら|どちら|どれ|いずれ|両方|両者"
    r"|前者|後者|同じ|以上|上記|残り)"
)
_LABEL = r"[^.。:：]{1,40}[:：]\s?\S"  # the label of an item, as in "Golem: reveals cards until ..."
_MIN_WORD_COUNT = 5  # a shorter English sentence, such as "Draw first.", says too little on its own
_TOPIC_MARKERS = "はがも"  # a Japanese sentence without any of these has no subject of its own


class Sentence(NamedTuple):
    """A sentence of a text.

    Attributes:
        line: the index of its line in the text.
        start: the index of its first character in the line, after the marker of a list item.
        text: the sentence, including the spaces after it.
        level: the nesting level: 0 in a paragraph, 1 in a list item, 2 in an item of a nested list.
        is_first: whether it is the first sentence of its line.
    """

    line: int
    start: int
    text: str
    level: int
    is_first: bool

    @property
    def is_complete(self) -> bool:
        """Whether it ends with a full stop or the like, rather than a colon or in the middle of a list."""
        return bool(re.search(_SENTENCE_END, self.text))

    @property
    def is_continuation(self) -> bool:
        """Whether it continues the previous sentence; for example, because it begins with "but"."""
        return bool(re.match(_CONTINUATION, self.text))

    @property
    def is_dependent(self) -> bool:
        """Whether its subject is named in another sentence."""
        if self.is_continuation or re.match(_REFERENCE, self.text):
            return True
        if is_spaced(self.text):
            return len(self.text.split()) < _MIN_WORD_COUNT
        return not self.is_first and not any(marker in self.text for marker in _TOPIC_MARKERS)


class Passage(NamedTuple):
    """A sentence that answers a question, and everything that it needs to make sense.

    Attributes:
        text: the passage, with each list item on its own line.
        sentence: the sentence itself, exactly as it occurs within a line of the complete text.
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
    """Return the passage for the sentence at a position, counted from 0."""
    sentences = split_sentences(text)
    positions = _list_passage_positions(sentences, position)
    return Passage(
        _join_sentences([sentences[index] for index in positions]), sentences[position].text.strip()
    )


def extract_summary(text: str, ranked_sentences: Sequence[str], can_extend: Callable[[str], bool]) -> str:
    """Return an extract of a text: the passages for its most important sentences, in order.

    Args:
        text: the text.
        ranked_sentences: sentences of the text, the most important one first, which is always included.
        can_extend: a function that returns whether an extract is short enough.
    """
    sentences = split_sentences(text)
    stripped = [sentence.text.strip() for sentence in sentences]
    chosen: set[int] = set()
    for sentence in ranked_sentences:
        extended = chosen.union(_list_passage_positions(sentences, stripped.index(sentence)))
        if not chosen or can_extend(_join_extract(sentences, sorted(extended))):
            chosen = extended
    return _join_extract(sentences, sorted(chosen))


def _list_passage_positions(sentences: Sequence[Sentence], position: int) -> list[int]:
    """Return the positions of a sentence and of all sentences that it needs to make sense, in order."""
    positions = [position] if sentences[position].is_complete else _find_list(sentences, position)
    while (antecedent := _find_antecedent(sentences, positions[0])) is not None:
        positions.insert(0, antecedent)
    return positions


def _join_extract(sentences: Sequence[Sentence], positions: Sequence[int]) -> str:
    """Join the sentences at these positions. Those that are not in the same line begin a new one."""
    text = ""
    for previous, position in zip([None, *positions], positions, strict=False):
        content = sentences[position].text.strip()
        if previous is None:
            text = content
        elif sentences[previous].line == sentences[position].line or (
            _find_antecedent(sentences, position) == previous
        ):
            text += f" {content}" if is_spaced(content) else content
        else:
            text += f"\n{content}"
    return text


def extract_passages(texts: Texts, sentence_number: int) -> dict[str, Passage]:
    """Return the passage for a sentence, and the corresponding passages in the other languages, by language.

    In another language, the corresponding sentence is the one at the same position in the same line if both
    lines have equally many sentences, or else the first one in that line. Languages whose text has a
    different number of lines are omitted.

    Args:
        texts: the text by language.
        sentence_number: the number of the sentence, counting from 1 through the texts of all languages in
            turn.
    """
    positions_by_language = {language: _list_positions_by_line(text) for language, text in texts.items()}
    position, own_positions = sentence_number - 1, next(iter(positions_by_language.values()))
    for own_positions in positions_by_language.values():
        count = sum(map(len, own_positions))
        if position < count:
            break
        position -= count
    line = next(index for index, positions in enumerate(own_positions) if position in positions)
    passages = {}
    for language, positions_by_line in positions_by_language.items():
        if len(positions_by_line) == len(own_positions) and positions_by_line[line]:
            has_same_sentences = len(positions_by_line[line]) == len(own_positions[line])
            offset = own_positions[line].index(position) if has_same_sentences else 0
            passages[language] = extract_passage(texts[language], positions_by_line[line][offset])
    return passages


def _list_positions_by_line(text: str) -> list[list[int]]:
    """Return the positions of the sentences in each line."""
    positions: list[list[int]] = [[] for _ in text.split("\n")]
    for position, sentence in enumerate(split_sentences(text)):
        positions[sentence.line].append(position)
    return positions


def _find_antecedent(sentences: Sequence[Sentence], position: int) -> int | None:
    """Return the position of the sentence that a sentence depends on, or None if it depends on no other."""
    sentence = sentences[position]
    if position == 0:
        return None
    if not sentence.is_first:
        return position - 1 if sentence.is_dependent else _find_label(sentences, position)
    if not sentence.level:
        return position - 1 if sentence.is_dependent else None
    intro = _find_list_intro(sentences, position)
    if sentence.is_continuation:
        return position - 1
    is_introduced = intro is not None and not sentences[intro].is_complete
    return intro if is_introduced or sentence.level > 1 or sentence.is_dependent else None


def _find_label(sentences: Sequence[Sentence], position: int) -> int | None:
    """Return the position of the first sentence of an item if it begins with a label, or None.

    A label names the subject of all sentences of the item.
    """
    first = next(index for index in range(position, -1, -1) if sentences[index].is_first)
    is_labelled = sentences[first].level and re.match(_LABEL, sentences[first].text)
    return first if is_labelled else None


def _find_list_intro(sentences: Sequence[Sentence], position: int) -> int | None:
    """Return the position of the last sentence before the list that contains a sentence, or None."""
    level = sentences[position].level
    return next((index for index in range(position - 1, -1, -1) if sentences[index].level < level), None)


def _find_list(sentences: Sequence[Sentence], position: int) -> list[int]:
    """Return the positions of an incomplete sentence and of the list that it introduces or belongs to."""
    level = sentences[position].level
    following = sentences[position + 1 : position + 2]
    introduces = bool(following) and following[0].level > level
    intro = position if introduces or not level else _find_list_intro(sentences, position)
    first, intro_level = (0, 0) if intro is None else (intro, sentences[intro].level)
    end = next(
        (index for index in range(first + 1, len(sentences)) if sentences[index].level <= intro_level),
        len(sentences),
    )
    return list(range(first, end))


def _join_sentences(sentences: Sequence[Sentence]) -> str:
    """Join sentences. If there are several list items, each starts on its own line."""
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
