"""Slugs: names in a form that is easy to type on a command line, such as `young-witch`."""

import re
from collections.abc import Iterable
from unicodedata import normalize

_ACCENTS = re.compile("[\u0300-\u036f]")  # combining marks of Latin letters; those of kana stay
_UNACCENTED = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l"})


def slugify(name: str) -> str:
    """Convert a name to lower case with hyphens: `One's/Other Name` becomes `ones-other-name`."""
    spaced = [char if char.isalnum() else " " for char in name.casefold().replace("'", "")]
    return "-".join("".join(spaced).split())


def remove_accents(text: str) -> str:
    """Replace accented Latin letters with the letters that people type instead: `é` with `e`."""
    decomposed = normalize("NFD", text.translate(_UNACCENTED))
    return normalize("NFC", _ACCENTS.sub("", decomposed))


def to_flag(option: str) -> str:
    """Return the command-line flag of an option: `landscapes_from` becomes `--landscapes-from`."""
    return f"--{option.replace('_', '-')}"


def split_at_commas(values: Iterable[str]) -> list[str]:
    """Split strings at commas, also Japanese ones; return the stripped, non-empty parts of all of them."""
    return [part.strip() for value in values for part in re.split("[,，、]", value) if part.strip()]
