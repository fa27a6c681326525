"""Slugs: the form of names that is easy to type on a command line, such as `young-witch`."""

import re
from collections.abc import Iterable


def slugify(name: str) -> str:
    """Convert a name to lower case with hyphens: `One's/Other Name` becomes `ones-other-name`."""
    spaced = [char if char.isalnum() else " " for char in name.casefold().replace("'", "")]
    return "-".join("".join(spaced).split())


def to_flag(option: str) -> str:
    """Return the command-line flag of an option: `landscapes_from` becomes `--landscapes-from`."""
    return f"--{option.replace('_', '-')}"


def split_at_commas(texts: Iterable[str]) -> list[str]:
    """Split texts at commas, also Japanese ones, and return the stripped, non-empty parts."""
    return [part.strip() for text in texts for part in re.split("[,，、]", text) if part.strip()]
