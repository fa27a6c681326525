"""Shares: the part of all games in which the answer to a setup question is yes, such as `1/3` or `25%`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

SHARE_PATTERN = re.compile(r"\d{1,4}/\d{1,4}|\d{1,3}(?:\.\d{1,3})?%", re.ASCII)
EXAMPLES = ("1/4", "1/3", "1/2", "2/3", "3/4")


def parse_share(text: object) -> Fraction | None:
    """Parse a share, which is more than 0 and less than 1.

    Returns:
        The exact share; None if `text` is not a share.
    """
    if not isinstance(text, str) or not SHARE_PATTERN.fullmatch(text):
        return None
    from fractions import Fraction  # Most commands need no share, and this import takes 5 milliseconds.

    numerator, _, denominator = text.partition("/")
    if denominator and not int(denominator):
        return None
    share = Fraction(int(numerator), int(denominator)) if denominator else Fraction(text[:-1]) / 100
    return share if 0 < share < 1 else None
