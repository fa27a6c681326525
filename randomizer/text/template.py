"""Phrases with values put in."""

import re
from collections.abc import Mapping

_BLANK = re.compile(r"\{(\w+)\}")


def filled(phrase: str, values: Mapping[str, object]) -> str:
    """The phrase with each value where its name stands in braces, and nothing else done to it.

    Not `str.format`, because a phrase may come from a file of anybody's.
    """
    if "{" not in phrase:
        return phrase
    return _BLANK.sub(lambda found: str(values.get(found[1], found[0])), phrase)
