"""Names as one types them on a command line."""

from collections.abc import Iterable


def slug_of(name: str) -> str:
    """A name in small letters with hyphens: `One's/Other Name` is `ones-other-name`."""
    letters = [letter if letter.isalnum() else " " for letter in name.casefold().replace("'", "")]
    return "-".join("".join(letters).split())


def flag(option: str) -> str:
    """An option with its dashes: `landscapes_from` is `--landscapes-from`."""
    return f"--{option.replace('_', '-')}"


def parts(texts: Iterable[str]) -> list[str]:
    """What texts say that have commas between several words, or names."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]
