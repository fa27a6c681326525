"""Slugs: names in the form in which a person types them on a command line."""

from collections.abc import Iterable


def slugify(name: str) -> str:
    """Return the name in lower case with hyphens: `One's/Other Name` becomes `ones-other-name`."""
    spaced = [char if char.isalnum() else " " for char in name.casefold().replace("'", "")]
    return "-".join("".join(spaced).split())


def to_flag(option: str) -> str:
    """Return an option's name with its dashes: `landscapes_from` becomes `--landscapes-from`."""
    return f"--{option.replace('_', '-')}"


def split_at_commas(texts: Iterable[str]) -> list[str]:
    """Split each text at its commas and return all non-empty parts, stripped."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]
