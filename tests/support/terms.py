"""The tables of terms of each language, `tests/facts/terms-<code>.csv`."""

import re
from collections.abc import Collection

from tests.support import read_facts


def find_rejected_words(code: str, texts: Collection[str]) -> list[tuple[str, str]]:
    """Return (word, text) for each text with a word that the table lists as an alternate of a term.

    Args:
        code: the code of the language.
        texts: the texts.
    """
    # The other names of sets are ordinary words.
    rows = [row for row in read_facts(f"terms-{code}") if row["kind"] != "set"]
    words = [word for row in rows for word in filter(None, row["alternates"].split("|"))]
    patterns = {word: re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words}
    return [(word, text) for word, pattern in patterns.items() for text in texts if pattern.search(text)]
